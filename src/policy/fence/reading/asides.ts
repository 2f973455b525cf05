/** Turns of phrase within a sentence that tell how a part of it belongs to what stands before or behind it. */
import { familyOf } from "../verbs.ts";
import type { Clause, Range } from "./clause.ts";
import type { Segment } from "./segments.ts";
import type { Statement } from "./statements.ts";
import { has, sense, type Unit } from "./units.ts";

/** Which segment is the first that says something: behind the number or the letter of an item. */
export function firstSaid(units: readonly Unit[], segments: readonly Segment[]): number {
  return segments.findIndex(({ from, to }, index) => {
    const isLetter = to - from === 1 && /^[a-z]$/.test(units[from]?.text ?? "");
    if (isLetter && segments[index + 1]?.joints.includes("paren")) return false;
    return units
      .slice(from, to)
      .some(({ token }) => token.kind !== "number" && token.kind !== "punct" && token.kind !== "break");
  });
}

/** Verbs that leave it to their noun what is done. */
const LIGHT = /^(?:mach|mache|machen|haz|hacer|hagas|do|make)$/;
const GIT = /^(?:push|commit|merge|deploy)$/;

/** `mach einen Push`, `haz un commit`: the noun says what is done. */
export function nounVerb(units: readonly Unit[], segment: Segment, head: number): string | null {
  if (!LIGHT.test(units[head]?.text ?? "")) return null;
  let at = head + 1;
  while (at < segment.to && has(units[at], "det")) at += 1;
  const value = sense(units[at], "verb", "n")?.value ?? "";
  return GIT.test(value) ? value : null;
}

const NOTES =
  /^(?:reminders?|alarms?|todos?|to dos?|tasks?|tickets?|erinnerung(?:en)?|recordatorios?|提醒)(?: |$)/;

/** `set two reminders: call mum, …`: what stands behind the colon is what they say. */
export function listsWhatTheySay(
  units: readonly Unit[],
  segments: readonly Segment[],
  segment: Segment,
): boolean {
  const next = segments[segments.indexOf(segment) + 1];
  return (
    next?.joints.includes("colon") === true &&
    units.slice(segment.from, segment.to).some(({ text }) => NOTES.test(text))
  );
}

/** `把 a.txt 和 b.txt 删除`: what is named first stands in a part of its own. */
export function namedBefore(
  units: readonly Unit[],
  segments: readonly Segment[],
  segment: Segment,
  head: number,
): Range | null {
  const before = segments[segments.indexOf(segment) - 1];
  if (head <= segment.from || before === undefined) return null;
  const isObject =
    segment.joints.every((joint) => joint === "and") && /^[把将]$/.test(units[before.from]?.text ?? "");
  const acts = units.slice(before.from, before.to).some((one) => sense(one, "verb", "b") !== null);
  return isObject && !acts ? { from: before.from, to: before.to } : null;
}

/** `write to a@… saying that I'm ill and send it`, `tell #ops that it's up, and DM @ines …`: no part of what is said. */
export function sendsOn(
  units: readonly Unit[],
  segment: Segment,
  head: number,
  current: Clause | null,
): boolean {
  if (current === null || !segment.joints.includes("and")) return false;
  const [unit, next, last] = [0, 1, 2].map((index) => units[head + index]);
  const sends = familyOf(sense(unit, "verb", "b")?.value ?? "") === "message";
  if (!sends || next === undefined || head + 1 >= segment.to) return false;
  if (/^(?:handle|channel|email)$/.test(next.token.kind)) return segment.joints.includes("comma");
  const family = familyOf(current.verb);
  const ends = head + 2 >= segment.to || has(last, "filler");
  return (family === "draft" || family === "create") && ends && /^(?:it|them)$/.test(next.text);
}

/** `delete all branches but main and dev`: where what is spared ends, or -1. */
export function sparedTo(
  units: readonly Unit[],
  segments: readonly Segment[],
  segment: Segment,
  current: Clause,
): number {
  if (current.looks || !segment.joints.includes("but")) return -1;
  const all = current.objects.some(({ from, to }) =>
    units
      .slice(from, to)
      .some(({ text }) => /^(?:all|every|everything|alle|alles|todos|todas|todo)$/.test(text)),
  );
  if (!all) return -1;
  let end = segment.to;
  for (const next of segments.slice(segments.indexOf(segment) + 1)) {
    const joins = next.joints.every((joint) => joint === "and" || joint === "or" || joint === "comma");
    if (!joins || units.slice(next.from, next.to).some((unit) => sense(unit, "verb", "b") !== null)) break;
    end = next.to;
  }
  return end;
}

/** `free up space by deleting a/`: what it is done by is asked for. */
export function doneBy(units: readonly Unit[], segment: Segment, head: number): Statement | null {
  for (let at = head + 1; at + 2 < segment.to; at++) {
    const verb = units[at]?.text === "by" ? sense(units[at + 1], "verb", "g") : null;
    if (verb !== null)
      return { verb: verb.value, head: at + 1, objects: [{ from: at + 2, to: segment.to }], certain: true };
  }
  return null;
}
