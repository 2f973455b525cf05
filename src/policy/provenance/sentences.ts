/** Prose -> sentences, in English and Chinese. A sentence end inside a quotation ends nothing; `;` ends a sentence. */
import { isHan, isWordCode } from "./characters.ts";
import type { Span } from "./tokens.ts";

export interface Sentence extends Span {
  /** How it ends: `?`, or anything else. */
  readonly mark: string;
}

const ABBREVIATIONS = new Set(
  "e.g i.e eg ie vs mr mrs ms dr prof st no nr approx ca fig vol resp cf pp ed ver v est dept min max incl excl p.s a.k.a".split(
    " ",
  ),
);
/** Those that a sentence may well end with. */
const CLOSING = new Set("etc inc ltd jr al co corp".split(" "));
const END = /[.!?;\u3002]/g;

/**
 * @param quotes the outermost quoted spans of the text between the offsets, in order
 * Total, linear. Newlines are white space: whoever calls has joined only what belongs together.
 */
export function sentencesIn(text: string, from: number, to: number, quotes: readonly Span[]): Sentence[] {
  const sentences: Sentence[] = [];
  let start = from;
  let next = 0;
  const close = (end: number, mark: string): void => {
    if (end > start) sentences.push({ start, end, mark });
    start = end;
  };
  const part = text.slice(from, to);
  END.lastIndex = 0;
  for (let match = END.exec(part); match !== null; match = END.exec(part)) {
    const at = from + match.index;
    while (next < quotes.length && (quotes[next]?.end ?? 0) <= at) next += 1;
    const quote = quotes[next];
    if (quote !== undefined && quote.start <= at) {
      END.lastIndex = quote.end - from;
      continue;
    }
    if (!endsAt(text, at, from, to)) continue;
    let end = at + 1;
    while (end < to && isQuoteEnd(text.charCodeAt(end)) && quotes[next]?.start !== end) end += 1;
    close(end, match[0]);
    END.lastIndex = end - from;
  }
  close(to, "");
  return sentences;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x3000;
/** What may still belong to a sentence that has ended; a mark before a bracket ends nothing, `(ticket?)`. `"`, `'`, `”`, `’`, `」`, `』`. */
const isQuoteEnd = (code: number): boolean =>
  code === 0x22 || code === 0x27 || code === 0x201d || code === 0x2019 || code === 0x300d || code === 0x300f;

function endsAt(text: string, at: number, from: number, to: number): boolean {
  const mark = text.charCodeAt(at);
  if (mark === 0x3002) return true;
  if (mark === 0x3b) return !/&[a-z]{2,8}$/.test(text.slice(Math.max(from, at - 9), at));
  const after = at + 1 < to ? text.charCodeAt(at + 1) : 0x20;
  const isStop = mark === 0x2e;
  if (!isStop && (after === 0x2e || after === 0x21 || after === 0x3f)) return false;
  const isFree = isBlank(after) || (isQuoteEnd(after) && !isWordCode(text.charCodeAt(at + 2)));
  if (!isStop) return isFree || isHan(after) || isHan(text.charCodeAt(at - 1));
  if (!isFree) return isGlued(text, at);
  // An ellipsis ends a sentence only where another one begins.
  if (text.charCodeAt(at - 1) === 0x2e) return at + 1 >= to || /^\s+\p{Lu}/u.test(text.slice(at + 1, at + 4));
  return !isAbbreviated(text, at, from);
}

/** The longest abbreviation. */
const SHORT = 6;

/** `e.g.`, `no.`, an initial; `2.` as the number of an item. */
function isAbbreviated(text: string, at: number, from: number): boolean {
  let start = at;
  while (
    start > from &&
    at - start <= SHORT &&
    (isWordCode(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 0x2e)
  )
    start -= 1;
  if (at - start > SHORT || start === at) return false;
  const word = text.slice(start, at).toLowerCase();
  if (ABBREVIATIONS.has(word) || (word.length === 1 && word !== "i" && /[a-z]/.test(word))) return true;
  if (CLOSING.has(word)) return /^\s+[\p{Ll}\p{N}]/u.test(text.slice(at + 1, at + 4));
  return /^\d{1,3}$/.test(word) && text.slice(from, start).trim() === "" && at - from <= 8;
}

/** `done.The owner`: no space, but a capital that begins a word. */
function isGlued(text: string, at: number): boolean {
  return (
    /^[\p{Ll})"']\.\p{Lu}\p{Ll}/u.test(text.slice(at - 1, at + 3)) && !/\.\w/.test(text.slice(at - 8, at))
  );
}
