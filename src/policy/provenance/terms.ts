/**
 * What an index is asked for a text, so that a quote is found without reading everything that was ever typed. Pairs of
 * neighbouring words, and of neighbouring characters where a language has no spaces: single words are in too many
 * messages. A quote cuts no word in half, so whatever holds it holds its pairs; that it really stands there is for
 * `searchable` texts to show. Pure, total, linear.
 */
import { isHan } from "./characters.ts";

/** Pairs that a quote is looked for by. The longest are the rarest. */
const MOST_PAIRS = 4;
const MOST_CHARACTER_PAIRS = 6;
/** Words of evidence that are looked for at once. */
const MOST_WORDS = 16;
/** Longer runs of letters are no words. */
const LONGEST_WORD = 100;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The pairs of a text, for the index of what was typed. @param text as `searchable` makes it */
export function pairsOf(text: string): string {
  return [...pairs(text)].join(" ");
}

/**
 * An FTS5 query that every text which holds `needle` answers to; `null` for a needle without pairs, which is too short
 * to be looked for.
 * @param needle as `needleOf` makes it
 */
export function pairQuery(needle: string): string | null {
  const characters = new Set<string>();
  const words = new Set<string>();
  for (const pair of pairs(needle)) (pair.includes("_") ? words : characters).add(pair);
  return all([
    ...[...words].sort((a, b) => b.length - a.length).slice(0, MOST_PAIRS),
    ...spread([...characters], MOST_CHARACTER_PAIRS),
  ]);
}

/** The words of a text, for the index of evidence. @param text as `searchable` makes it */
export function wordsOf(text: string): string {
  return [...words(text)].join(" ");
}

/** An FTS5 query for texts that hold all words of a question; `null` for one without words. */
export function wordQuery(question: string): string | null {
  return all([...words(question)].slice(0, MOST_WORDS));
}

/** Each term quoted: no word is an operator. */
function all(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : terms.map((term) => `"${term}"`).join(" AND ");
}

/** Words one by one, a language without spaces in pairs of characters; each once. */
function words(text: string): Set<string> {
  const found = new Set<string>();
  eachRun(text, (run, isHan) => {
    if (isHan && run.length > 1) addCharacterPairs(run, found);
    else found.add(run);
  });
  return found;
}

function pairs(text: string): Set<string> {
  const found = new Set<string>();
  let before: string | null = null;
  eachRun(text, (run, isHan) => {
    if (isHan) addCharacterPairs(run, found);
    else if (before !== null) found.add(`${before}_${run}`);
    before = isHan ? null : run;
  });
  return found;
}

function addCharacterPairs(run: string, found: Set<string>): void {
  for (let at = 0; at + 1 < run.length; at += 1) found.add(run.slice(at, at + 2));
}

/** Runs of letters of one kind, in their order. */
function eachRun(text: string, take: (run: string, isHan: boolean) => void): void {
  for (const [whole] of text.matchAll(RUN))
    for (let at = 0; at < whole.length; ) {
      const start = at;
      const han = isHan(whole.charCodeAt(at));
      while (at < whole.length && isHan(whole.charCodeAt(at)) === han) at += 1;
      const run = whole.slice(start, at);
      take(han ? run : run.slice(0, LONGEST_WORD), han);
    }
}

function spread(list: readonly string[], most: number): string[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, n) => list[Math.round((n * (list.length - 1)) / (most - 1))] ?? "");
}
