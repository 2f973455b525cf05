/** Quotation marks of many hands: what opens, what closes, and what is an apostrophe or an inch. */
import { paragraphEnd } from "./lines.ts";
import type { DataSpan } from "./spans.ts";

/** Quotes by their opening mark, and what may close them. */
const PAIRS: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "‟": "”",
  "«": "»",
  "「": "」",
  "『": "』",
  "《": "》",
  "〈": "〉",
  "｢": "｣",
  "〝": "〞〟",
  "❝": "❞",
  "❛": "❜",
  "‘": "’",
  "‚": "‘’",
  "‛": "’",
  "‹": "›",
  // Where others close, some open: »so«, ”so”, ’so’.
  "»": "«»",
  "›": "‹›",
  "”": "”",
  "’": "’",
  "＂": "＂",
  "＇": "＇",
  "″": "″",
  "´": "´",
};
/** Marks that are more often something else: an apostrophe, a prime, the end of a quotation. Only short pairs count. */
const EITHER = new Set(["’", "´", "″", "”", "＇", "›", "»"]);
const MOST_EITHER = 2_000;

/** A name in single quotes is short; longer ones are mostly two apostrophes. */
const MOST_SINGLE = 160;
const MOST_SINGLE_SENTENCES = 1_000;
const MOST_APOSTROPHES = 24;

export const pairOf = (mark: string): string | null => PAIRS[mark] ?? null;

const isSpace = (text: string): boolean => text === "" || /\s/.test(text);
const isWordy = (text: string): boolean => /[\p{L}\p{N}_]/u.test(text) && !/\p{Script=Han}/u.test(text);
/** What may follow a closing mark that is no opening one. */
const isBehind = (text: string): boolean => text === "" || /[\s.,;:!?)\]}。，；：！？）]/.test(text);
const isLineStart = (text: string, at: number): boolean =>
  /(?:^|\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, at - 9), at));

function quote(kind: "quote" | "code", start: number, end: number, width = 1): DataSpan {
  return { kind, start, end, inner: { start: start + width, end: Math.max(start + width, end - width) } };
}

/** `"…"`: opens where a word could begin, closes where one could end; quotes may stand inside quotes. */
export function straightAt(text: string, at: number, unclosed: Set<string>): DataSpan | null {
  if (unclosed.has('"') || isWordy(text.charAt(at - 1))) return null;
  const isApart = isSpace(text.charAt(at + 1));
  let depth = 1;
  let last = -1;
  for (let next = text.indexOf('"', at + 1); next >= 0; next = text.indexOf('"', next + 1)) {
    const before = text.charAt(next - 1);
    const after = text.charAt(next + 1);
    // Each paragraph of a long quotation opens it anew.
    const again = next > at + 1 && isLineStart(text, next) && !isBehind(after);
    if (again) {
      last = Math.max(last, at);
      continue;
    }
    if (isSpace(before) && isWordy(after) && !(isApart && depth === 1)) depth += 1;
    else {
      depth -= 1;
      last = next;
    }
    if (depth > 0) continue;
    // `Use " as a mark. Then use " too`: with gaps, only a whole sentence is a quotation.
    if (isApart && !isAnnounced(text, at) && !/[.!?…。！？][\s)]*$/.test(text.slice(at + 1, next).slice(-12)))
      break;
    return quote("quote", at, surplusEnd(text, next) + 1);
  }
  if (isApart && depth === 0) return null;
  if (last > at) return quote("quote", at, last + 1);
  if (last === at) return quote("quote", at, text.length);
  unclosed.add('"');
  return null;
}

/** Behind a colon, or at the beginning or the end of a line. */
const isAnnounced = (text: string, at: number): boolean =>
  /(?:^|[:：\n(])[ \t]{0,8}$/.test(text.slice(Math.max(0, at - 9), at)) ||
  /^[ \t]{0,8}\n/.test(text.slice(at + 1, at + 10));

/** Where a quotation is closed once more than it was opened, somebody means to end it early: the last mark ends it. */
function surplusEnd(text: string, end: number): number {
  let last = end;
  for (let next = text.indexOf('"', end + 1); next >= 0; next = text.indexOf('"', next + 1)) {
    const before = text.charAt(next - 1);
    if (isSpace(before) || /[\d("“[{]/.test(before) || !isBehind(text.charAt(next + 1))) break;
    last = next;
  }
  return last;
}

/** `"""…"""`, `'''…'''`, `""…""`: as many marks as it opens with. */
export function tripleAt(text: string, at: number, mark: string, unclosed: Set<string>): DataSpan | null {
  let width = 1;
  while (text.charAt(at + width) === mark && width < 8) width += 1;
  if (width < 2 || isWordy(text.charAt(at - 1))) return null;
  const marks = mark.repeat(width);
  if (width === 2 && isBehind(text.charAt(at + 2))) return quote("quote", at, at + 2);
  const close = unclosed.has(marks) ? -1 : text.indexOf(marks, at + width);
  if (close >= 0) return quote("quote", at, close + width, width);
  unclosed.add(marks);
  return width > 2 ? quote("quote", at, text.length, width) : null;
}

/** Code over lines, but never over paragraphs. */
export function codeAt(text: string, at: number, unclosed: Set<string>): DataSpan | null {
  let width = 1;
  while (text.charAt(at + width) === "`" && width < 8) width += 1;
  const marks = "`".repeat(width);
  if (unclosed.has(marks)) return null;
  let close = text.indexOf(marks, at + width);
  if (close < 0 && width === 2) close = text.indexOf("''", at + width);
  if (close < 0) {
    unclosed.add(marks);
    return null;
  }
  if (width < 3 && paragraphEnd(text.slice(at, close), 0) < close - at) return null;
  return quote("code", at, close + width, width);
}

/** `'til`, `'90s`: an apostrophe where letters are left out. */
const ELIDED = /^(?:till?|cause|cuz|coz|tis|twas|em|bout|round|nuff|sup|\d0s)(?![\p{L}])/iu;

/** `'…'`: short, or sentences that end before the mark. */
export function singleAt(text: string, at: number, mark: string): DataSpan | null {
  if (isWordy(text.charAt(at - 1)) || ELIDED.test(text.slice(at + 1, at + 8))) return null;
  const window = text.slice(at + 1, at + 1 + MOST_SINGLE_SENTENCES);
  const isApart = isSpace(text.charAt(at + 1));
  let left = MOST_APOSTROPHES;
  for (let next = window.indexOf(mark); next >= 0 && left-- > 0; next = window.indexOf(mark, next + 1)) {
    if (next === 0) return null;
    const before = window.charAt(next - 1);
    if (isWordy(window.charAt(next + 1))) continue;
    const ends = /[.!?。！？…]/.test(before);
    if (isApart ? isSpace(before) || ends : ends || (!isSpace(before) && isShort(window, next)))
      return quote("quote", at, at + next + 2);
  }
  return null;
}

const isShort = (window: string, to: number): boolean => to < MOST_SINGLE && window.lastIndexOf("\n", to) < 0;

export function pairedAt(
  text: string,
  at: number,
  mark: string,
  close: string,
  unclosed: Set<string>,
): DataSpan | null {
  if (unclosed.has(mark)) return null;
  const isEither = EITHER.has(mark);
  if ((isEither || mark === "‘" || mark === "‚") && isWordy(text.charAt(at - 1))) return null;
  const limit = isEither ? Math.min(text.length, at + MOST_EITHER) : text.length;
  let depth = 1;
  let last = -1;
  let again = false;
  for (let next = at + 1; next < limit; next++) {
    const one = text.charAt(next);
    if (close.includes(one)) {
      // The same mark is an apostrophe.
      if ((one === "’" || one === "´") && isWordy(text.charAt(next + 1)) && isWordy(text.charAt(next - 1)))
        continue;
      depth -= 1;
      last = next;
      if (depth === 0) return quote("quote", at, next + 1);
    } else if (one === mark) {
      if (isLineStart(text, next)) again = true;
      else depth += 1;
    }
  }
  if (last >= 0) return quote("quote", at, last + 1);
  if (isEither) return null;
  // Each paragraph of a long quotation opens it anew; what nobody closes then goes on to the end.
  if (again) return quote("quote", at, text.length, 1);
  const straight = mark === "“" ? text.indexOf('"', at + 1) : -1;
  if (straight >= 0) return quote("quote", at, straight + 1);
  unclosed.add(mark);
  return null;
}
