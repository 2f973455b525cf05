/**
 * Quoted spans: `"…"`, `“…”`, `'…'` of two or more words, `「…」`, `『…』` (the seed, "Evidence"). They are ordinary
 * text until somebody finds them in what the user typed.
 */
import { isHan, isWordCode } from "./characters.ts";
import type { Span } from "./tokens.ts";

/** A quoted span with its marks. */
export interface Quoted extends Span {
  /**
   * Offsets behind the quoted text, the likeliest first: where the closing mark may be an apostrophe or an inch, there
   * are several.
   */
  readonly ends: readonly number[];
}

/** Nobody quotes more than this, and a mark that closes nothing must not swallow a text. */
export const MAX_QUOTE_LENGTH = 2000;
const MOST_ENDS = 4;

const DOUBLE = 0x22;
const SINGLE = 0x27;
/** Closing marks by their opening ones. `„` is closed by either. */
const CLOSERS: ReadonlyMap<number, string> = new Map([
  [0x201c, "\u201d"],
  [0x201e, "\u201c\u201d"],
  [0x2018, "\u2019"],
  [0x300c, "\u300d"],
  [0x300e, "\u300f"],
]);
const MARK = /["'\u201c\u201d\u201e\u2018\u2019\u300c\u300d\u300e\u300f]/g;
const SINGLES = new Set([SINGLE, 0x2018]);

const NONE: readonly Quoted[] = [];

interface Open {
  readonly at: number;
  readonly code: number;
}

/**
 * All quoted spans of `text` between two offsets, by where they open; they may stand in one another. Total, linear:
 * every mark is pushed and popped once.
 */
export function quotesIn(text: string, from: number, to: number): readonly Quoted[] {
  // A search of the whole text would go on to the next mark, however far behind the end.
  const part = text.slice(from, to);
  MARK.lastIndex = 0;
  if (!MARK.test(part)) return NONE;
  const found: { start: number; end: number; ends: number[] }[] = [];
  const open: Open[] = [];
  /** The last span of straight marks, while a further mark could be its real end. */
  let loose = null as { span: (typeof found)[number]; code: number } | null;
  const close = (index: number, at: number): void => {
    const start = open[index]?.at ?? from;
    open.length = index;
    if (at <= start + 1 || at - start > MAX_QUOTE_LENGTH) return;
    const span = { start, end: at + 1, ends: [at] };
    found.push(span);
    loose = { span, code: text.charCodeAt(at) };
  };
  const push = (one: Open): void => {
    open.push(one);
    // Further back nobody looks.
    if (open.length > 4 * DEEPEST) open.splice(0, 3 * DEEPEST);
  };
  MARK.lastIndex = 0;
  for (let match = MARK.exec(part); match !== null; match = MARK.exec(part)) {
    const at = from + match.index;
    const code = text.charCodeAt(at);
    const before = at > from ? text.charCodeAt(at - 1) : 0x20;
    const after = at + 1 < to ? text.charCodeAt(at + 1) : 0x20;
    const closers = CLOSERS.get(code);
    if (closers !== undefined && !(code === 0x201c && isOpen(open, 0x201e, at) && isSpaceOrMark(after))) {
      if (code !== 0x2018 || !isLatin(before)) push({ at, code });
      continue;
    }
    if (code === DOUBLE || code === SINGLE) {
      if (code === SINGLE && isLatin(before) && isLatin(after)) continue;
      const closes = !isSpace(before) && !isLatin(after);
      const index = closes ? lastOpen(open, code, at) : -1;
      if (index >= 0) close(index, at);
      else if (!isLatin(before) && !isSpace(after)) {
        push({ at, code });
        loose = null;
      } else if (
        closes &&
        loose !== null &&
        loose.code === code &&
        at - loose.span.start <= MAX_QUOTE_LENGTH
      ) {
        if (loose.span.ends.length < MOST_ENDS) loose.span.ends.push(at);
        loose.span.end = at + 1;
      }
      continue;
    }
    if (code === 0x2019 && isLatin(before) && isLatin(after)) continue;
    const index = lastOpenFor(open, code, at);
    if (index >= 0) close(index, at);
  }
  return found
    .filter((one) => !SINGLES.has(text.charCodeAt(one.start)) || isTwoWords(text, one))
    .sort(byStart);
}

const byStart = (a: Span, b: Span): number => a.start - b.start || b.end - a.end;

/** How far back an opening mark is looked for among those that nothing has closed. */
const DEEPEST = 8;

function lastOpen(open: readonly Open[], code: number, at: number): number {
  for (let index = open.length - 1; index >= Math.max(0, open.length - DEEPEST); index--) {
    const one = open[index];
    if (one !== undefined && one.code === code) return at - one.at <= MAX_QUOTE_LENGTH ? index : -1;
  }
  return -1;
}

function lastOpenFor(open: readonly Open[], code: number, at: number): number {
  const mark = String.fromCharCode(code);
  for (let index = open.length - 1; index >= Math.max(0, open.length - DEEPEST); index--) {
    const one = open[index];
    if (one !== undefined && CLOSERS.get(one.code)?.includes(mark))
      return at - one.at <= MAX_QUOTE_LENGTH ? index : -1;
  }
  return -1;
}

const isOpen = (open: readonly Open[], code: number, at: number): boolean => lastOpen(open, code, at) >= 0;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x3000;
const isSpaceOrMark = (code: number): boolean => isSpace(code) || (!isWordCode(code) && !isHan(code));
const isLatin = (code: number): boolean => isWordCode(code);

/** Two words, or two characters of a language without spaces. */
function isTwoWords(text: string, { start, end }: Span): boolean {
  return /\S\s+\S|[\u3400-\u9fff]{2}/.test(text.slice(start + 1, Math.min(end - 1, start + 200)));
}

/** The spans that stand in no other. */
export function outermost(spans: readonly Quoted[]): readonly Quoted[] {
  const kept: Quoted[] = [];
  let end = -1;
  for (const span of spans) {
    if (span.start < end) continue;
    kept.push(span);
    end = span.end;
  }
  return kept;
}
