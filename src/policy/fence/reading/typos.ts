/**
 * Verbs that were mistyped behind a word that forbids: `dont delte it`, `do not psuh`. Only there, since to read too much
 * as forbidden costs a question, and to read too little costs what was to be kept.
 */
import type { Language, Lexicon, Sense } from "./lexicon.ts";
import { has, type Unit } from "./units.ts";

/** Deeds that a person forbids; a slip of the finger makes many other words of rarer ones. */
const DEEDS =
  /^(?:send|email|message|reply|forward|post|publish|share|invite|delete|push|pay|transfer|refund|buy|order|book|upload|deploy|merge|submit|commit|cancel|overwrite|update|write|create|run|install|restart|save|move|rename|archive|notify)$/;

const SHORTEST = 3;
const LONGEST = 20;
/** Shorter words become other words when one letter is another. */
const SAFE = 5;
/** How far behind the word that forbids. */
const REACH = 3;

interface Index {
  /** Verbs by what is left of them without one letter, and by themselves. */
  readonly near: ReadonlyMap<string, ReadonlySet<string>>;
  /** Verbs by their letters in order, for letters that changed places. */
  readonly shuffled: ReadonlyMap<string, ReadonlySet<string>>;
}

const MADE = new Map<Language, Index>();

function indexOf(lexicon: Lexicon): Index {
  const known = MADE.get(lexicon.language);
  if (known !== undefined) return known;
  const near = new Map<string, Set<string>>();
  const shuffled = new Map<string, Set<string>>();
  const put = (map: Map<string, Set<string>>, key: string, word: string): void => {
    map.set(key, (map.get(key) ?? new Set()).add(word));
  };
  for (const [word, { senses }] of lexicon.root.next) {
    if (word.length < SHORTEST || word.length > LONGEST || !senses.some(isDeed)) continue;
    put(near, word, word);
    for (const left of withoutOne(word)) put(near, left, word);
    put(shuffled, lettersOf(word), word);
  }
  const made = { near, shuffled };
  MADE.set(lexicon.language, made);
  return made;
}

const isDeed = ({ tag, value }: Sense): boolean => tag === "verb" && DEEDS.test(value);

const lettersOf = (word: string): string => [...word].sort().join("");

function withoutOne(word: string): string[] {
  return Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));
}

/** The verb that was meant, or `null`. */
function meant(word: string, lexicon: Lexicon): string | null {
  if (word.length < SHORTEST || word.length > LONGEST || !/^\p{L}+$/u.test(word)) return null;
  const { near, shuffled } = indexOf(lexicon);
  // Letters that changed places: `psuh`, `sned`, `detele`.
  for (const one of shuffled.get(lettersOf(word)) ?? []) if (one.charAt(0) === word.charAt(0)) return one;
  const found = new Set(near.get(word) ?? []);
  for (const left of withoutOne(word)) for (const one of near.get(left) ?? []) found.add(one);
  for (const one of [...found].sort()) {
    if (one.charAt(0) !== word.charAt(0) || Math.abs(one.length - word.length) > 1) continue;
    if (one.length === word.length && word.length < SAFE) continue;
    if (one.length < SAFE - 1 && one.length !== word.length) continue;
    return one;
  }
  return null;
}

const FORBIDS = ["not", "no", "without", "avoid", "nothing"] as const;

/** The units with the senses of what was meant, in linear time. */
export function mended(units: readonly Unit[], lexicon: Lexicon): readonly Unit[] {
  if (lexicon.language === "zh") return units;
  let until = -1;
  let changed: Unit[] | null = null;
  for (const [at, unit] of units.entries()) {
    if (FORBIDS.some((tag) => has(unit, tag))) {
      until = at + REACH;
      continue;
    }
    if (unit.token.kind === "punct" || unit.token.kind === "break") {
      until = -1;
      continue;
    }
    if (at > until || unit.token.kind !== "word" || unit.senses.length > 0) continue;
    const verb = meant(unit.text, lexicon);
    const senses = verb === null ? [] : (lexicon.root.next.get(verb)?.senses ?? []).filter(isDeed);
    if (senses.length === 0) continue;
    changed ??= [...units];
    changed[at] = { ...unit, senses };
    until = -1;
  }
  return changed ?? units;
}
