/** What the owner probably meant, so that an error in an oath says how to mend it. */

import { OATH_VERBS, type OathVerb } from "./oath.ts";

const MEANT: Readonly<Record<string, OathVerb>> = {
  remove: "delete",
  rm: "delete",
  erase: "delete",
  unlink: "delete",
  destroy: "delete",
  wipe: "delete",
  move: "delete",
  rename: "delete",
  deleting: "delete",
  write: "modify",
  edit: "modify",
  change: "modify",
  overwrite: "modify",
  update: "modify",
  alter: "modify",
  touch: "modify",
  modifying: "modify",
  append: "modify",
  truncate: "modify",
  add: "create",
  make: "create",
  new: "create",
  creating: "create",
  all: "any",
  everything: "any",
  anything: "any",
  "*": "any",
};

/** How many letters must change between two words; words past 24 letters are simply far apart. */
export function distance(from: string, to: string): number {
  if (from.length > 24 || to.length > 24) return 24;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The word of `known` that `word` is a slip of, or `null`. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = 3;
  for (const candidate of known) {
    const changes = distance(word, candidate);
    if (changes < least && changes < candidate.length / 2) {
      best = candidate;
      least = changes;
    }
  }
  return best;
}

/** The message for a word that stands where a verb should. */
export function unknownVerb(word: string): string {
  const lower = word.toLowerCase();
  const all = "An oath's verbs are delete, modify, create and any.";
  if (lower === "read" || lower === "open" || lower === "see") {
    return `${all} It guards files against change, not against being read.`;
  }
  const meant = (Object.hasOwn(MEANT, lower) ? MEANT[lower] : null) ?? nearest(lower, OATH_VERBS);
  return meant ? `${all} Did you mean ${meant}?` : `${all} Write one of them here.`;
}

/** The message for a line that starts like none of the three kinds. */
export function unknownLine(first: string): string {
  const forms =
    'Write "standing mission: <text>", "never <verb>: <path>" or "always require backup before <verb>: <path>"; a comment starts with #.';
  const lower = first.toLowerCase();
  if (lower === "mission" || lower === "mission:") return 'Did you mean "standing mission: <text>"?';
  if (lower === "//" || lower === ";" || lower === "--" || lower === "rem") return "A comment starts with #.";
  if (lower === "require" || lower === "requires")
    return 'Did you mean "always require backup before <verb>: <path>"?';
  if (lower === "don't" || lower === "dont" || lower === "do" || lower === "no" || lower === "not") {
    return `Did you mean "never"? ${forms}`;
  }
  const slip = nearest(lower, ["never", "always", "standing"]);
  return slip === null ? forms : `Did you mean "${slip}"? ${forms}`;
}
