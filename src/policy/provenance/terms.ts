/**
 * What an index of words is asked for a text, so that a quote is found without reading everything that was ever typed:
 * words as they are, and pairs of characters where a language has no spaces. A quote cuts no word in half, so whatever
 * holds it holds its words; that it really stands there is for {@link searchable} texts to show. Pure, total, linear.
 */
import { isHan } from "./characters.ts";

/** Words that a quote is looked for by. The longest are the rarest. */
const MOST_WORDS = 4;
const MOST_PAIRS = 6;
/** Longer runs of letters are no words. */
const LONGEST_WORD = 200;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The terms of a text, for the index. @param text as `searchable` makes it */
export function termsOf(text: string): string {
  const terms: string[] = [];
  for (const [run] of text.matchAll(RUN)) addTerms(run, terms, true);
  return terms.join(" ");
}

/**
 * An FTS5 query that every text which holds `needle` answers to; `null` for a needle without words.
 * @param needle as `needleOf` makes it
 */
export function matchOf(needle: string): string | null {
  const found: string[] = [];
  for (const [run] of needle.matchAll(RUN)) addTerms(run, found, false);
  const pairs = new Set<string>();
  const words = new Set<string>();
  for (const term of found) (isHan(term.charCodeAt(0)) ? pairs : words).add(term);
  const chosen = [
    ...[...words].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS),
    ...spread([...pairs], MOST_PAIRS),
  ];
  return chosen.length === 0 ? null : chosen.map((term) => `"${term}"`).join(" AND ");
}

/** @param isWhole a single character at an end of what is looked for may be half of a pair: it is left out */
function addTerms(run: string, terms: string[], isWhole: boolean): void {
  let at = 0;
  while (at < run.length) {
    const start = at;
    const han = isHan(run.charCodeAt(at));
    while (at < run.length && isHan(run.charCodeAt(at)) === han) at += 1;
    if (!han) {
      if (at - start <= LONGEST_WORD) terms.push(run.slice(start, at));
    } else if (at - start === 1) {
      if (isWhole) terms.push(run.charAt(start));
    } else for (let pair = start; pair + 1 < at; pair += 1) terms.push(run.slice(pair, pair + 2));
  }
}

function spread(list: readonly string[], most: number): string[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, n) => list[Math.round((n * (list.length - 1)) / (most - 1))] ?? "");
}
