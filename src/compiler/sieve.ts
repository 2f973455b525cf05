/**
 * A first sieve for a draft: rows that quote nobody's words go at once. Where exactly the words stand, and whether they
 * ask for what the row says, is for the hardening to find (`policy/fence`).
 */
import { type Draft, type DraftDropped, MAX_SHOWN_CHARACTERS, oneLine } from "../policy/fence/draft.ts";

/**
 * Keeps the rows whose quote is in one of the texts, whatever its case, spacing or typography. Linear in the texts for
 * each row, whatever the quotes are made of.
 */
export function onlyTheirWords(
  draft: Draft,
  texts: readonly string[],
): { readonly draft: Draft; readonly dropped: readonly DraftDropped[] } {
  const dropped: DraftDropped[] = [];
  const words = texts.map(folded);
  const theirs = (list: string) => (row: { readonly quote: string }, index: number) => {
    const quote = folded(row.quote);
    if (quote !== "" && words.some((text) => holds(text, quote))) return true;
    const shown = oneLine(row.quote, MAX_SHOWN_CHARACTERS);
    dropped.push({
      where: `/${list}/${index}/quote`,
      quote: shown,
      span: null,
      cause: "not-the-users-words",
    });
    return false;
  };
  return {
    draft: {
      permissions: draft.permissions.filter(theirs("permissions")),
      prohibitions: draft.prohibitions.filter(theirs("prohibitions")),
    },
    dropped,
  };
}

/** What stays the same when a model tidies what it copies. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Whether `part` stands in `text`, by Knuth, Morris and Pratt: `includes` takes the product of both lengths for texts
 * that are made for it, and here both are somebody else's.
 */
function holds(text: string, part: string): boolean {
  const borders = new Uint16Array(part.length);
  for (let i = 1, matched = 0; i < part.length; i += 1) {
    while (matched > 0 && part.charCodeAt(i) !== part.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(i) === part.charCodeAt(matched)) matched += 1;
    borders[i] = matched;
  }
  for (let i = 0, matched = 0; i < text.length; i += 1) {
    while (matched > 0 && text.charCodeAt(i) !== part.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(i) === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}
