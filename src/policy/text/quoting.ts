/**
 * Data positions: which parts of a typed text are shown and not said. What stands there authorises nothing and forbids
 * nothing (the AgentsFence seed, "quoted material is removed before compilation"; CONVENTIONS §6).
 */
import { blockAt, markedBlocks } from "./blocks.ts";
import { skillTailStart } from "./harness.ts";
import { evenLines } from "./lines.ts";
import { enclosedAt, linkAt, type Openings, tagsIn } from "./marks.ts";
import { codeAt, pairedAt, pairOf, singleAt, straightAt, tripleAt } from "./quotes.ts";
import type { DataSpan } from "./spans.ts";

export { isHarnessWritten } from "./harness.ts";
export type { DataKind, DataSpan } from "./spans.ts";

/** All data positions, in order, none inside another. Total and linear in the text. */
export function dataSpans(typed: string): DataSpan[] {
  const text = evenLines(typed);
  const spans: DataSpan[] = [];
  const scan: Scan = { text, tags: tagsIn(text), unclosed: new Set() };
  const marked = markedBlocks(text);
  const tail = skillTailStart(text);
  const stop = tail ?? text.length;
  let at = 0;
  let isLineStart = true;
  while (at < stop) {
    // `[quote]` at the beginning of a line is a forum's, not a harness's note.
    const block = isLineStart && !scan.tags.has(at) ? blockAt(text, at, marked) : null;
    const found: DataSpan | null = block ?? inlineAt(scan, at);
    if (found !== null && found.end > at) {
      const span: DataSpan = found.end > stop ? cut(found, stop) : found;
      spans.push(span);
      isLineStart = text.charCodeAt(span.end - 1) === 0x0a;
      at = span.end;
      continue;
    }
    isLineStart = text.charCodeAt(at) === 0x0a;
    at += 1;
  }
  if (tail !== null)
    spans.push({ kind: "note", start: tail, end: text.length, inner: { start: tail, end: text.length } });
  return spans;
}

/** What the harness adds behind a person's words is no part of what they quote. */
function cut(span: DataSpan, end: number): DataSpan {
  const inner = { start: Math.min(span.inner.start, end), end: Math.min(span.inner.end, end) };
  return { ...span, end, inner };
}

interface Scan {
  readonly text: string;
  readonly tags: Openings;
  /** Opening marks that nothing closes from here on; found once, not again. */
  readonly unclosed: Set<string>;
}

function inlineAt({ text, tags, unclosed }: Scan, at: number): DataSpan | null {
  const mark = text.charAt(at);
  switch (mark) {
    case "<":
      return enclosedAt(text, at, unclosed) ?? tags.get(at) ?? null;
    case "{":
    case "&":
    case ":":
      return enclosedAt(text, at, unclosed);
    case "[":
      return tags.get(at) ?? linkAt(text, at);
    case "!":
      return text.charAt(at + 1) === "[" ? linkAt(text, at) : null;
    case '"':
      return tripleAt(text, at, mark, unclosed) ?? straightAt(text, at, unclosed);
    case "`":
      return codeAt(text, at, unclosed);
    case "'":
      return tripleAt(text, at, mark, unclosed) ?? singleAt(text, at, mark);
    default: {
      const pair = pairOf(mark);
      return pair === null ? null : pairedAt(text, at, mark, pair, unclosed);
    }
  }
}

const MARKS = "\"'“”„‟‘’‚‛«»「」『』《》‹›〈〉｢｣〝〞〟＂＇″´❝❞❛❜";
const AROUND = new RegExp(`^(?:\`{1,8}|[${MARKS}[]{1,3})|(?:\`{1,8}|[${MARKS}\\]]{1,3})$`, "gu");

/** What stands between the marks of a quotation, as typed; the words as they are where no marks are around them. */
export function unquoted(raw: string): string {
  return raw.replace(AROUND, "").replace(/^[\s\u200b]+|[\s\u200b]+$/g, "");
}
