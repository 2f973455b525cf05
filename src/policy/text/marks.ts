/** Pairs of tags and of brackets that hold what is shown: `<email>…</email>`, `[quote]…[/quote]`. */
import type { DataSpan } from "./spans.ts";

/** Tags that hold something even when nobody closes them. */
const CONTAINERS = new Set(
  "email mail message document doc attachment file page content quote quoted pasted paste transcript data context result output tool_result tool-result memory-context article webpage html body thread note notes snippet untrusted external system-reminder task-notification local-command-stdout local-command-stderr command-message command-name".split(
    " ",
  ),
);

const TAG = /<(\/?)([a-z][a-z0-9_.:-]{0,40})((?:\s[^<>]{0,300})?)(\/?)>/gi;
/** Forums' own; `[quote="Eve"]` names whom it quotes. */
const BRACKETED =
  /\[(\/?)(quote|code|email|mail|spoiler|pre|noparse|hide|cite|document|message|text|begin|start)((?:[= ][^[\]\n]{0,300})?)(\/?)\]/gi;

/** Spans by where they open. */
export type Openings = ReadonlyMap<number, DataSpan>;

interface Mark {
  readonly at: number;
  readonly end: number;
  readonly closes: boolean;
}

/** The outermost pairs. Linear. */
export function tagsIn(text: string): Openings {
  const spans = new Map<number, DataSpan>();
  if (text.includes("<")) collect(text, TAG, spans, (name) => CONTAINERS.has(name));
  if (text.includes("[/")) collect(text, BRACKETED, spans, () => false);
  return spans;
}

function collect(
  text: string,
  form: RegExp,
  spans: Map<number, DataSpan>,
  isContainer: (name: string) => boolean,
): void {
  const byName = new Map<string, Mark[]>();
  for (const match of text.matchAll(form)) {
    if (match[4] === "/") continue;
    const name = (match[2] ?? "").toLowerCase();
    const mark = { at: match.index, end: match.index + match[0].length, closes: match[1] === "/" };
    const marks = byName.get(name);
    if (marks !== undefined) marks.push(mark);
    else if (!mark.closes) byName.set(name, [mark]);
  }
  for (const [name, marks] of byName)
    for (const span of pairsOf(marks, isContainer(name), text.length)) spans.set(span.start, span);
}

/**
 * `<email>…</email>`: up to the closing tag of its own depth. Where a text closes a name more often than it opens it,
 * somebody may mean to end the quotation early: then the last one ends it. @param marks begin with an opening tag
 */
export function pairsOf(marks: readonly Mark[], isContainer: boolean, length: number): DataSpan[] {
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

/** What begins and ends by marks that open nothing else: comments, chevrons, braces of templates. */
const ENCLOSED: readonly (readonly [string, string, toTheEnd: boolean])[] = [
  ["<!--", "-->", true],
  ["<![CDATA[", "]]>", true],
  ["<<<", ">>>", true],
  ["<<", ">>", false],
  ["&quot;", "&quot;", false],
  ["&lt;", "&gt;", false],
  [":::", ":::", true],
  ["{{{", "}}}", true],
  ["{{", "}}", false],
];

/** The longest mark at `at`, and where what it encloses ends; `null` where nothing is enclosed. */
export function enclosedAt(text: string, at: number, unclosed: Set<string>): DataSpan | null {
  for (const [open, close, toTheEnd] of ENCLOSED) {
    if (!text.startsWith(open, at)) continue;
    const from = at + open.length;
    // Whoever is quoted may close early: a run of marks is one mark, however long.
    const found = unclosed.has(open) ? -1 : text.indexOf(close, from);
    if (found < 0) {
      unclosed.add(open);
      if (!toTheEnd) continue;
      return { kind: "tag", start: at, end: text.length, inner: { start: from, end: text.length } };
    }
    let end = found + close.length;
    while (text.charAt(end) === close.charAt(close.length - 1)) end += 1;
    return { kind: "tag", start: at, end, inner: { start: from, end: found } };
  }
  return null;
}

const IMAGE = /!\[[^[\]]{0,2000}\]\([^()\n]{0,2000}\)/y;
const LINK = /\[([^[\]]{1,2000})\](?=\([^()\s]{1,2000}(?:[ \t]+["'(][^\n]{0,2000}?["')])?[ \t]*\))/y;

/** An image with what is said of it; the words that a link is put behind, as if they were quoted. */
export function linkAt(text: string, at: number): DataSpan | null {
  const form = text.charAt(at) === "!" ? IMAGE : LINK;
  form.lastIndex = at;
  const found = form.exec(text);
  if (found === null) return null;
  const end = at + found[0].length;
  return form === IMAGE
    ? { kind: "tag", start: at, end, inner: { start: at + 2, end } }
    : { kind: "quote", start: at, end, inner: { start: at + 1, end: end - 1 } };
}
