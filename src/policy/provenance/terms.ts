/**
 * What an index is asked for a text, so that a quote is found without reading everything that was ever typed. Pairs of
 * neighbouring words, and of neighbouring characters where a language has no spaces: single words are in too many
 * messages. A quote cuts no word in half, so whatever holds it holds its pairs; that it really stands there is for
 * `searchable` texts to show. Pure, total, linear.
 *
 * Each term is a hash: an index parts words by rules of its own, which differ from ours in half of the world's scripts,
 * and what it has forgotten to forget must not be readable. Two terms of one hash only cost a look more.
 */
import { isHan } from "./characters.ts";

/** Pairs that a quote is looked for by. The longest are the rarest. */
const MOST_PAIRS = 2;
const MOST_CHARACTER_PAIRS = 6;
/** Words of evidence that are looked for at once. */
const MOST_WORDS = 16;
/** Longer runs of letters are no words. */
const LONGEST_WORD = 100;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The pairs of a text, for the index of what was typed. @param text as `searchable` makes it */
export function pairsOf(text: string): string {
  return hashes(pairs(text)).join(" ");
}

/**
 * An FTS5 query that every text which holds `needle` answers to; `null` for a needle without pairs, which is too short
 * to be looked for.
 * @param needle as `needleOf` makes it
 */
export function pairQuery(needle: string): string | null {
  const characters = new Set<string>();
  const words = new Set<string>();
  for (const pair of pairs(needle)) (pair.includes(" ") ? words : characters).add(pair);
  return all([
    ...[...words].sort((a, b) => b.length - a.length).slice(0, MOST_PAIRS),
    ...spread([...characters], MOST_CHARACTER_PAIRS),
  ]);
}

/** The words of a text, for the index of evidence. @param text as `searchable` makes it */
export function wordsOf(text: string): string {
  return hashes(words(text)).join(" ");
}

/** An FTS5 query for texts that hold all words of a question; `null` for one without words. */
export function wordQuery(question: string): string | null {
  return all([...words(question)].slice(0, MOST_WORDS));
}

function all(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : hashes(terms).join(" AND ");
}

function hashes(terms: Iterable<string>): string[] {
  return [...new Set(Array.from(terms, hash))];
}

/** 53 bits in letters and digits, behind a letter of its own so that no operator of a query is among them. */
function hash(term: string): string {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let at = 0; at < term.length; at += 1) {
    const code = term.charCodeAt(at);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return `h${((high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0)).toString(36)}`;
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
    else if (before !== null) found.add(`${before} ${run}`);
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
