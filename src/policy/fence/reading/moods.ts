/** Marks in a part of a sentence that tell how its verbs are meant. */
import type { Segment } from "./segments.ts";
import { has, isPunct, sense, type Unit } from "./units.ts";

/** `if it looks good send it to …`: no comma stands between what depends and what it depends on. */
export function lateVerb(units: readonly Unit[], segment: Segment, from: number): number {
  if (!segment.joints.includes("start")) return -1;
  for (let at = from + 3; at + 1 < segment.to; at++) {
    const unit = units[at];
    const before = units[at - 1];
    const next = units[at + 1];
    if (
      sense(unit, "verb", "b") === null ||
      has(before, "subject") ||
      has(before, "modal") ||
      has(before, "to") ||
      has(before, "not") ||
      has(before, "det")
    )
      continue;
    if (has(next, "any") || has(next, "det") || (next?.token.kind !== "word" && next?.token.kind !== "punct"))
      return at;
  }
  return -1;
}

export function hasOnly(units: readonly Unit[], segment: Segment, from: number): boolean {
  for (let at = from; at < segment.to; at++) {
    const unit = units[at];
    if (unit === undefined || !has(unit, "only") || unit.text === "just") continue;
    return true;
  }
  return false;
}

/** `remind me to …`, `write a script that …`, `ask bob@… to …`. */
export function toldAt(units: readonly Unit[], segment: Segment, head: number): number {
  for (let at = head + 1; at + 1 < segment.to; at++)
    if (
      units[at]?.text === "to" &&
      (sense(units[at + 1], "verb", "b") !== null || sense(units[at + 1], "read", "b") !== null)
    )
      return at;
  return -1;
}

/** `get the deck sent to a@…`, `have these deleted`: where the verb of what is wished stands, or -1. */
export function wishedAt(units: readonly Unit[], segment: Segment, head: number): number {
  if (!/^(?:get|have)\b/.test(units[head]?.text ?? "")) return -1;
  for (let at = head + 1; at < segment.to; at++) {
    const next = units[at + 1];
    const ends =
      at + 1 >= segment.to || has(next, "to") || has(next, "with") || has(next, "in") || has(next, "filler");
    if (ends && sense(units[at], "verb", "p") !== null) return at;
  }
  return -1;
}

export function isPronoun(units: readonly Unit[], at: number, to: number): boolean {
  const unit = units[at];
  return at >= to || /^(?:him|her|them|it|everyone|ihm|ihr|ihnen|le|les|他|她|他们)$/.test(unit?.text ?? "");
}

/** `they lock it, delete the files and send a note`: the last of what is listed follows an `and`. */
export function isListed(
  units: readonly Unit[],
  segments: readonly Segment[],
  segment: Segment,
  index: number,
): boolean {
  if (segment.joints.includes("and") || segment.joints.includes("or")) return true;
  if (index < 0) return true;
  return segments
    .slice(index + 1, index + 5)
    .some(
      (next) =>
        (next.joints.includes("and") || next.joints.includes("or")) &&
        sense(units[next.from], "verb", "b") !== null,
    );
}

export function isParallel(units: readonly Unit[], segment: Segment): boolean {
  for (let at = segment.from; at < segment.to; at++) {
    const unit = units[at];
    const next = units[at + 1];
    if (has(unit, "modal") && !/^(?:i'll|let)$/.test(unit?.text ?? "")) return true;
    if (unit?.text === "to" && (sense(next, "verb", "b") !== null || sense(next, "read", "b") !== null))
      return true;
    if (has(unit, "subject") && /^(?:i|we|they|people|you|everybody|somebody|one)$/.test(unit?.text ?? "")) {
      if (next === undefined || at + 1 >= segment.to || has(next, "be") || isPunct(next, ",")) continue;
      if (sense(next, "verb", "b") !== null || sense(next, "read", "b") !== null)
        return !STATIVE.has(next.text);
      if (next.token.kind === "word" && !/(?:ed|ould|ve|d)$/.test(next.text) && next.senses.length === 0)
        return !STATIVE.has(next.text) && unit?.text !== "i";
    }
  }
  return false;
}

/** `her mail reads: …`, `he wrote back: …`; not `I said: …`, which is an order again. */
export function saysSomebody(units: readonly Unit[], segment: Segment): boolean {
  const words = units
    .slice(segment.from, segment.to)
    .filter(({ token }) => token.kind === "word" || token.kind === "han");
  const near = words.slice(-3);
  return (
    near.some(({ text }) => SPEAKS.test(text)) &&
    !words.some(({ text }) => /^(?:i|i'm|i've|i'd|we|ich|wir|yo|我|我们)$/.test(text))
  );
}

const SPEAKS =
  /^(?:says|said|saying|reads|read|wrote|writes|writing|asks|asked|asking|goes|states|stated|tells|told|demands|demanded|requests|requested|instructs|instructed|replied|replies|answered|quote|sagt|sagte|schreibt|schrieb|meint|meinte|lautet|steht|fragt|fragte|dice|dijo|escribe|escribio|pide|pidio|pregunta|说|写道|写着|问|要求)$/;

/** `every morning at 7, …`; `daily` only where it is no adjective. */
export function isRegular(units: readonly Unit[]): boolean {
  return units.some((unit, at) => {
    const found = sense(unit, "regularly");
    if (found === null) return false;
    const next = units[at + 1];
    return (
      found.value !== "adverb" ||
      next === undefined ||
      next.token.kind !== "word" ||
      has(next, "in") ||
      has(next, "to") ||
      has(next, "filler")
    );
  });
}

/** Verbs of having and feeling: an order may follow them after a comma. */
const STATIVE = new Set(
  "need want think believe know have hope like love hate feel see guess suppose had got was am were sent wrote bought made did went said told forgot left lost found moved just already still really also".split(
    " ",
  ),
);
