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
  let kept = clauses;
  const confirmAt = units.findIndex((unit) => has(unit, "confirm"));
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
  if (list.bans.some((ban) => ban.kind === "verbs") && (consents || consented || gates.length > 0)) {
    for (const ban of list.bans) ban.asks ||= consents || consented || beforeMe || gated(ban);
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

function waitsForMe(list: BanList, from: number, to: number): boolean {
  const units = list.units.slice(from, to);
  return (has(units[0], "until") || has(units[0], "after")) && units.some((unit) => has(unit, "confirm"));
}
