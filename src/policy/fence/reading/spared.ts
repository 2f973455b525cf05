/**
 * What a sentence names only to forbid it. Whoever says that a key is not to be touched has not asked for it to be read:
 * were it named by that, a prohibition would turn a guard's block into a question.
 */
import type { SentenceReading } from "./sentence.ts";

/** Offsets at which such names begin. */
export function onlyForbidden({ units, bans, clauses }: SentenceReading): Set<number> {
  const starts = new Set<number>();
  // Whoever wants to be asked about it, or allows it and nothing else, has it in mind.
  for (const { kind, verbs, asks, first, last, exceptFrom } of bans) {
    if (asks || (kind === "exclusive" && verbs[0] !== "not")) continue;
    for (let at = first; at < Math.min(last, exceptFrom ?? last); at++) {
      const start = units[at]?.start;
      if (start !== undefined) starts.add(start);
    }
  }
  for (const { objects, relatives } of clauses)
    for (const { from, to } of [...objects, ...relatives])
      for (let at = from; at < to; at++) {
        const start = units[at]?.start;
        if (start !== undefined) starts.delete(start);
      }
  return starts;
}
