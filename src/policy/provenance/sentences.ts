/** Prose -> sentences, in English and Chinese. A sentence end inside a quotation ends nothing; `;` ends a sentence. */
import { isHan, type Span } from "./tokens.ts";

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
/** What may still belong to a sentence that has ended. A mark before a bracket ends nothing: `(ticket?)`. */
const AFTER = /["'\u201d\u2019\u300d\u300f]/;

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
  END.lastIndex = from;
  for (let match = END.exec(text); match !== null && match.index < to; match = END.exec(text)) {
    const at = match.index;
    while (next < quotes.length && (quotes[next]?.end ?? 0) <= at) next += 1;
    const quote = quotes[next];
    if (quote !== undefined && quote.start <= at) {
      END.lastIndex = quote.end;
      continue;
    }
    if (!endsAt(text, at, from, to)) continue;
    let end = at + 1;
    while (end < to && AFTER.test(text.charAt(end)) && !(quotes[next] !== undefined && quotes[next]?.start === end)) end += 1;
    close(end, match[0]);
    END.lastIndex = end;
  }
  close(to, "");
  return sentences;
}

function endsAt(text: string, at: number, from: number, to: number): boolean {
  const mark = text.charAt(at);
  if (mark === "\u3002") return true;
  const before = text.charCodeAt(at - 1);
  const after = at + 1 < to ? text.charAt(at + 1) : " ";
  if (mark === ";") return !/&[a-z]{2,8}$/.test(text.slice(Math.max(from, at - 9), at));
  if (mark !== "." && /[.!?]/.test(after)) return false;
  const isFree = /\s/.test(after) || (AFTER.test(after) && !/[\p{L}\p{N}]/u.test(text.charAt(at + 2)));
  if (mark === "!" || mark === "?") return isFree || isHan(text.charCodeAt(at + 1)) || isHan(before);
  if (!isFree) return isGlued(text, at);
  // An ellipsis ends a sentence only where another one begins.
  if (text.charAt(at - 1) === ".") return at + 1 >= to || /^\s+\p{Lu}/u.test(text.slice(at + 1, at + 4));
  const word = /[\p{L}.]+$/u.exec(text.slice(Math.max(from, at - 12), at))?.[0].toLowerCase() ?? "";
  if (word !== "" && (ABBREVIATIONS.has(word) || (word.length === 1 && word !== "i" && !isHan(before)))) return false;
  if (CLOSING.has(word)) return !/^\s+[\p{Ll}\p{N}]/u.test(text.slice(at + 1, at + 4));
  // `2. The user …`: the number of an item.
  return !/^\s*\d{1,3}$/.test(text.slice(Math.max(from, at - 8), at)) || at - from > 8;
}

/** `done.The owner`: no space, but a capital that begins a word. */
function isGlued(text: string, at: number): boolean {
  return /^[\p{Ll})"']\.\p{Lu}\p{Ll}/u.test(text.slice(at - 1, at + 3)) && !/\.\w/.test(text.slice(at - 8, at));
}
