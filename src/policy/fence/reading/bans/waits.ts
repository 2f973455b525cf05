/** What waits for the person's word: `ask me first`, `not before I say so`, `show it to me and wait`. */

import type { Clause } from "../clause.ts";
import type { Segment } from "../segments.ts";
import { has } from "../units.ts";
import type { Ban, BanList } from "./list.ts";

/** What waits for the person's word, and what else only the whole sentence tells. */
export function finish(
  list: BanList,
  segments: readonly Segment[],
  clauses: readonly Clause[],
  endsOpen: boolean,
): {
  readonly bans: readonly Ban[];
  readonly clauses: readonly Clause[];
  readonly introduces: boolean;
  readonly withdraws: boolean;
} {
  const units = list.units;
  for (const [at, ban] of list.bans.entries()) list.bans[at] = copied(list, ban);
  let kept = clauses;
  const confirmAt = units.findIndex((unit, at) => has(unit, "confirm") && !isTold(units, at));
  const consents = list.waits.some(({ from, to }) => list.hasConsent(from, to) || waitsForMe(list, from, to));
  const consented = units.some(
    (unit, at) => has(unit, "without") && list.hasConsent(at, Math.min(units.length, at + 8)),
  );
  const isFirst =
    units.some((unit, at) => has(unit, "first") && at > confirmAt && confirmAt >= 0) ||
    /\b(?:first)$/.test(units[confirmAt]?.text ?? "");
  const gates = list.waits.filter(({ from }) => has(units[from], "until") || has(units[from], "without"));
  // `frozen until Thursday, so nothing gets committed`: what was put off before is another matter.
  const gated = (ban: Ban): boolean =>
    gates.some(({ from }) => from >= ban.first) ||
    (gates.length > 0 && ban.first === 0 && ban.last > (gates[0]?.from ?? 0));
  if (consents) for (const clause of clauses) clause.exclusive = false;
  const beforeMe = gates.some(({ from, to }) =>
    units.slice(from, to).some((unit) => /^(?:you|i|we)$/.test(unit.text)),
  );
  const apart = apartFrom(list, segments, confirmAt);
  const late = list.bans.some(({ kind }) => kind === "verbs")
    ? clauses.filter(
        (clause) =>
          !clause.looks && list.bans.every(({ last }) => last <= clause.first) && waitsBehind(list, clause),
      )
    : [];
  if (late.length > 0) {
    // `never push, but you may email after asking me`: only what is asked for waits.
    for (const ban of list.bans) ban.asks ||= waitsItself(list, ban, late[0]?.first);
    ask(
      list,
      late.map(({ verb }) => verb),
      late,
      segments,
    );
  } else if (apart !== null) {
    // `never delete anything, and ask me before you send`: two rules, each with a verdict of its own.
    for (const ban of list.bans) ban.asks ||= waitsItself(list, ban);
    ask(list, apart, [], segments);
  } else if (list.bans.some((ban) => ban.kind === "verbs") && (consents || consented || gates.length > 0)) {
    const several = list.bans.filter(({ kind }) => kind === "verbs").length > 1;
    // `never push, and don't send without my OK`: the condition is the last one's.
    for (const ban of list.bans)
      ban.asks ||=
        several && !isBefore(list, gates)
          ? waitsItself(list, ban)
          : consents || consented || beforeMe || gated(ban);
  } else if (confirmAt >= 0 && (isFirst || gates.length > 0 || consents)) {
    const waiting = gates.flatMap(({ from, to }) => list.verbs(from + 1, to, "bgpni").verbs);
    const own = clauses.filter(
      ({ head, first, last }) => confirmAt >= first && confirmAt < last && Math.abs(head - confirmAt) <= 2,
    );
    kept = clauses.filter((clause) => !own.includes(clause));
    const verbs =
      waiting.length > 0
        ? waiting
        : verbsAnywhere(
            list,
            own.map(({ head }) => head),
          );
    ask(list, verbs, kept, segments);
  } else if (consents) {
    for (const clause of clauses) if (!clause.looks) ask(list, [clause.verb], [clause], segments);
  }
  // `Wait, don't.`, `hold off on that`: what was asked before.
  if (list.open === "once" && !endsOpen && list.bans.length === 0 && clauses.every((clause) => clause.looks))
    list.bans.push({
      kind: "all",
      verbs: [],
      first: 0,
      last: units.length,
      objects: [],
      clause: null,
      asks: false,
      soft: false,
      exceptFrom: null,
    });
  const asksForSomething = kept.some((clause) => !clause.looks);
  // `Wait, keep a.txt`: only a word before what is really meant.
  const forbidsMore = list.bans.some(({ stops }) => stops === undefined);
  return {
    bans: list.bans.filter(
      (ban) => !(ban.soft && (asksForSomething || (ban.stops === "pause" && forbidsMore))),
    ),
    clauses: kept,
    introduces: list.introduces,
    withdraws: list.bans.some(({ stops }) => stops === "withdraw"),
  };
}

/** `cc nobody`, `don't copy anyone in`: whom it was meant for may have it. */
function copied(list: BanList, ban: Ban): Ban {
  if (ban.kind !== "verbs" || ban.verbs.length !== 1 || list.namesSomething(ban.first, ban.last)) return ban;
  const units = list.units.slice(ban.first, ban.last);
  const at = units.findIndex(({ text }) => /^(?:cc|bcc|loop in|copy in)$/.test(text));
  const nobody = units
    .slice(at + 1)
    .every(
      (unit) =>
        has(unit, "any") ||
        has(unit, "nothing") ||
        has(unit, "filler") ||
        has(unit, "else") ||
        unit.token.kind === "punct",
    );
  return at >= 0 && nobody ? { ...ban, kind: "exclusive", verbs: [] } : ban;
}

/** What is put off stands behind this ban, and no other ban between. */
function waitsItself(list: BanList, ban: Ban, end = list.units.length): boolean {
  const next = Math.min(
    ...list.bans.filter((other) => other !== ban && other.first >= ban.last).map(({ first }) => first),
    end,
  );
  const confirms = list.units.findIndex((unit, at) => at >= ban.last && has(unit, "confirm"));
  const to = confirms >= 0 ? Math.min(next, confirms) : next;
  return (
    list.waits.some(
      ({ from, to: end }) =>
        from >= ban.first && from < to && (list.hasConsent(from, end) || waitsForMe(list, from, end)),
    ) ||
    list.units.some(
      (unit, at) =>
        at >= ban.first &&
        at < to &&
        has(unit, "without") &&
        list.hasConsent(at, Math.min(list.units.length, at + 8)),
    )
  );
}

/** A request behind which the person's word is waited for. */
function waitsBehind(list: BanList, clause: Clause): boolean {
  return list.waits.some(
    ({ from, to }) => from > clause.first && (list.hasConsent(from, to) || waitsForMe(list, from, to)),
  );
}

/** A condition before all that is forbidden holds for all of it. */
function isBefore(list: BanList, gates: readonly { readonly from: number }[]): boolean {
  const first = Math.min(...list.bans.map((ban) => ban.first));
  return gates.some(({ from }) => from <= first);
}

/** What the person wants to be asked about, where that is a rule besides others: `…, and ask me before you pay`. */
function apartFrom(list: BanList, segments: readonly Segment[], confirmAt: number): string[] | null {
  if (confirmAt < 0 || !list.bans.some(({ kind }) => kind === "verbs")) return null;
  const at = segments.findIndex(({ from, to }) => confirmAt >= from && confirmAt < to);
  const segment = segments[at];
  if (segment === undefined) return null;
  // The ban before, or the one behind it, is a part of its own.
  if (list.bans.some(({ first, last }) => first <= confirmAt && last > confirmAt)) return null;
  const next = Math.min(
    ...list.bans.filter(({ first }) => first > confirmAt).map(({ first }) => first),
    list.units.length,
  );
  const gate = list.waits.find(({ from }) => from >= confirmAt && from < next);
  const from =
    gate?.from ??
    list.units.findIndex((unit, index) => index > confirmAt && index < next && has(unit, "until"));
  // `pregúntame antes de enviar`: the word that puts off is a part of the phrase.
  const begins =
    from < 0 && / (?:antes|before|first|vorher)$/.test(list.units[confirmAt]?.text ?? "") ? confirmAt : from;
  const { verbs } =
    begins < 0 ? { verbs: [] } : list.verbs(begins + 1, Math.min(next, list.units.length), "bgpni");
  return verbs.length > 0 ? verbs : null;
}

function ask(
  list: BanList,
  verbs: readonly string[],
  clauses: readonly Clause[],
  segments: readonly Segment[],
): void {
  const last = segments.at(-1)?.to ?? list.units.length;
  const own =
    verbs.length > 0 ? verbs : clauses.filter((clause) => !clause.looks).map((clause) => clause.verb);
  list.bans.push({
    kind: own.length > 0 ? "verbs" : "all",
    verbs: [...new Set(own)],
    first: 0,
    last,
    objects: [],
    clause: null,
    asks: true,
    soft: false,
    exceptFrom: null,
  });
}

function verbsAnywhere(list: BanList, leaveOut: readonly number[]): string[] {
  return list.units.flatMap((unit, at) =>
    leaveOut.includes(at) || has(unit, "confirm")
      ? []
      : unit.senses
          .filter(({ tag, form }) => tag === "verb" && (form === "n" || form === "g" || form === "b"))
          .slice(0, 1)
          .map(({ value }) => value),
  );
}

/** `ask him to confirm first`: somebody else is asked, or does. */
function isTold(units: BanList["units"], at: number): boolean {
  if (!/^(?:ask|confirm|consult|ask for)$/.test(units[at]?.text ?? "")) return false;
  const next = units[at + 1];
  const before = units[at - 1];
  const somebody = (unit: (typeof units)[number] | undefined): boolean =>
    unit !== undefined &&
    !has(unit, "me") &&
    (has(unit, "person") ||
      /^(?:email|handle|phone|channel)$/.test(unit.token.kind) ||
      (unit.isName && unit.senses.length === 0));
  return somebody(next) || (before?.text === "to" && somebody(units[at - 2]));
}

function waitsForMe(list: BanList, from: number, to: number): boolean {
  const units = list.units.slice(from, to);
  return (has(units[0], "until") || has(units[0], "after")) && units.some((unit) => has(unit, "confirm"));
}
