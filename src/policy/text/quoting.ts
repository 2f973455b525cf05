/**
 * Data positions: which parts of a typed text are shown and not said. What stands there authorises nothing and forbids
 * nothing (the AgentsFence seed, "quoted material is removed before compilation"; CONVENTIONS §6).
 */
import { blockAt, type DataSpan, skillTail } from "./blocks.ts";

export { type DataKind, type DataSpan, isHarnessWritten } from "./blocks.ts";

/** Tags that hold something even when nobody closes them. */
const CONTAINERS = new Set(
  "email mail message document doc attachment file page content quote quoted pasted paste transcript data context result output tool_result tool-result memory-context article webpage html body thread note notes snippet untrusted external system-reminder task-notification local-command-stdout local-command-stderr command-message command-name".split(
    " ",
  ),
);

const TAG = /<(\/?)([a-z][a-z0-9_-]{0,40})((?:\s[^<>]{0,300})?)(\/?)>/gi;

/** Quotes by their opening mark, and what may close them. */
const PAIRS: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "«": "»",
  "「": "」",
  "『": "』",
  "《": "》",
  "‘": "’",
  "‹": "›",
};
/** A name in single quotes is short; longer ones are mostly two apostrophes. */
const MOST_SINGLE = 160;
const MOST_APOSTROPHES = 6;

/** All data positions, in order, none inside another. Total and linear in the text. */
export function dataSpans(text: string): DataSpan[] {
  const spans: DataSpan[] = [];
  const tags = tagsIn(text);
  const state: Scan = { text, unclosed: new Set() };
  const tail = skillTail(text);
  const stop = tail?.start ?? text.length;
  let at = 0;
  let isLineStart = true;
  while (at < stop) {
    const found: DataSpan | null = (isLineStart ? blockAt(text, at) : null) ?? inlineAt(state, tags, at);
    if (found !== null && found.end > at) {
      spans.push(found);
      isLineStart = text.charCodeAt(found.end - 1) === 0x0a;
      at = found.end;
      continue;
    }
    isLineStart = text.charCodeAt(at) === 0x0a;
    at += 1;
  }
  if (tail !== null) spans.push(tail);
  return spans;
}

interface Scan {
  readonly text: string;
  /** Opening marks that nothing closes from here on; found once, not again. */
  readonly unclosed: Set<string>;
}

function inlineAt(scan: Scan, tags: Tags, at: number): DataSpan | null {
  const { text } = scan;
  const mark = text.charAt(at);
  if (mark === "<") return tags.get(at) ?? null;
  if (mark === '"') return straightAt(scan, at);
  if (mark === "`") return codeAt(scan, at);
  if (mark === "'") return singleAt(text, at);
  const close = PAIRS[mark];
  return close === undefined ? null : pairedAt(scan, at, mark, close);
}

type Tags = ReadonlyMap<number, DataSpan>;

interface Mark {
  readonly at: number;
  readonly end: number;
  readonly closes: boolean;
}

/** The outermost pairs of tags by where they open. */
function tagsIn(text: string): Tags {
  const spans = new Map<number, DataSpan>();
  if (!text.includes("<")) return spans;
  const byName = new Map<string, Mark[]>();
  for (const match of text.matchAll(TAG)) {
    if (match[4] === "/") continue;
    const name = (match[2] ?? "").toLowerCase();
    const mark = { at: match.index, end: match.index + match[0].length, closes: match[1] === "/" };
    const marks = byName.get(name);
    if (marks !== undefined) marks.push(mark);
    else if (!mark.closes) byName.set(name, [mark]);
  }
  for (const [name, marks] of byName)
    for (const span of pairsOf(marks, CONTAINERS.has(name), text.length)) spans.set(span.start, span);
  return spans;
}

/**
 * `<email>…</email>`: up to the closing tag of its own depth. Where a text closes a name more often than it opens it,
 * somebody may mean to end the quotation early: then the last one ends it. @param marks begin with an opening tag
 */
function pairsOf(marks: readonly Mark[], isContainer: boolean, length: number): DataSpan[] {
  const span = (open: Mark, inner: number, end: number): DataSpan => ({
    kind: "tag",
    start: open.at,
    end,
    inner: { start: open.end, end: inner },
  });
  const spans: DataSpan[] = [];
  const surplus = marks.reduce((sum, mark) => sum + (mark.closes ? 1 : -1), 0) > 0;
  const last = marks.findLast((mark) => mark.closes);
  let open: Mark | null = null;
  let depth = 0;
  for (const mark of marks) {
    if (!mark.closes) {
      open ??= mark;
      depth += 1;
      continue;
    }
    depth = Math.max(0, depth - 1);
    if (open === null || (surplus ? mark !== last : depth > 0)) continue;
    spans.push(span(open, mark.at, mark.end));
    open = null;
  }
  if (open !== null && last !== undefined && last.at > open.at) spans.push(span(open, last.at, last.end));
  else if (open !== null && isContainer) spans.push(span(open, length, length));
  return spans;
}

const isSpace = (text: string): boolean => text === "" || /[\s\u200b]/.test(text);
const isWordy = (text: string): boolean => /[\p{L}\p{N}_]/u.test(text) && !/\p{Script=Han}/u.test(text);

function quote(kind: "quote" | "code", start: number, end: number, width = 1): DataSpan {
  return { kind, start, end, inner: { start: start + width, end: end - width } };
}

/** `"…"`: opens where a word could begin, closes where one could end; quotes may stand inside quotes. */
function straightAt(scan: Scan, at: number): DataSpan | null {
  const { text, unclosed } = scan;
  if (unclosed.has('"') || isWordy(text.charAt(at - 1)) || isSpace(text.charAt(at + 1))) return null;
  let depth = 1;
  let last = -1;
  for (let next = text.indexOf('"', at + 1); next >= 0; next = text.indexOf('"', next + 1)) {
    const before = text.charAt(next - 1);
    const after = text.charAt(next + 1);
    if (isSpace(before) && isWordy(after)) depth += 1;
    else {
      depth -= 1;
      last = next;
    }
    if (depth === 0) return quote("quote", at, next + 1);
  }
  if (last >= 0) return quote("quote", at, last + 1);
  unclosed.add('"');
  return null;
}

function codeAt(scan: Scan, at: number): DataSpan | null {
  const { text } = scan;
  let width = 1;
  while (text.charAt(at + width) === "`" && width < 8) width += 1;
  const marks = "`".repeat(width);
  const close = text.indexOf(marks, at + width);
  const line = text.indexOf("\n", at);
  if (close < 0 || (line >= 0 && line < close && width < 3)) return null;
  return quote("code", at, close + width, width);
}

function singleAt(text: string, at: number): DataSpan | null {
  if (isWordy(text.charAt(at - 1)) || !/\S/.test(text.charAt(at + 1))) return null;
  const window = text.slice(at + 1, at + 1 + MOST_SINGLE);
  let left = MOST_APOSTROPHES;
  for (let next = window.indexOf("'"); next >= 0 && left-- > 0; next = window.indexOf("'", next + 1)) {
    if (next === 0 || window.lastIndexOf("\n", next) >= 0) return null;
    if (!isWordy(window.charAt(next + 1)) && !isSpace(window.charAt(next - 1)))
      return quote("quote", at, at + next + 2);
  }
  return null;
}

function pairedAt(scan: Scan, at: number, mark: string, close: string): DataSpan | null {
  const { text, unclosed } = scan;
  if (unclosed.has(mark)) return null;
  if (mark === "‘" && isWordy(text.charAt(at - 1))) return null;
  let depth = 1;
  for (let next = at + 1; next < text.length; next++) {
    const one = text.charAt(next);
    if (close.includes(one)) {
      // The same mark is an apostrophe.
      if (one === "’" && isWordy(text.charAt(next + 1)) && isWordy(text.charAt(next - 1))) continue;
      depth -= 1;
      if (depth === 0) return quote("quote", at, next + 1);
    } else if (one === mark) depth += 1;
  }
  unclosed.add(mark);
  return null;
}
