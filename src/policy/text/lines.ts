/**
 * Typed text in which a line is a line, whoever wrote its end and whatever cannot be seen stands before it. Every copy has
 * the length of the text, unit for unit, so that an offset into one is an offset into what was typed.
 */

const ODD_ENDS = /[\r\v\f\u0085\u2028\u2029]/;
/** Spaces of any width, and what takes no place at all: neither hides a mark at the beginning of a line. */
const UNSEEN = /[\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u2069\u3000\ufeff]/g;

/** Every kind of line end as `\n`; of two units that are one end, the first is a space. Linear. */
export function evenBreaks(text: string): string {
  if (!ODD_ENDS.test(text)) return text;
  return text.replaceAll("\r\n", " \n").replace(/[\r\v\f\u0085\u2028\u2029]/g, "\n");
}

/** As `evenBreaks`, with every space and everything unseen as a space: what marks are looked for in. Linear. */
export function evenLines(text: string): string {
  return evenBreaks(text).replace(UNSEEN, " ");
}

export function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** The end of the paragraph: the line end before the next line without anything on it. */
export function paragraphEnd(text: string, from: number): number {
  BLANK.lastIndex = from;
  const found = BLANK.exec(text);
  return found === null ? text.length : found.index;
}

const BLANK = /\n[ \t]*(?=\n)/g;
