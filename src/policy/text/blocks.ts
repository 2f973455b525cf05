/**
 * What a person shows an agent and what a harness adds, line by line: fences, quoted lines, forwarded mail, documents,
 * notes. Formats: CONVENTIONS §6 and the harnesses' own sources. All of it reads a text of even lines (`lines.ts`).
 */
import { harnessPart } from "./harness.ts";
import { lineEnd } from "./lines.ts";
import { mailEnd } from "./mail.ts";
import { type Openings, pairsOf } from "./marks.ts";
import type { DataKind, DataSpan } from "./spans.ts";

/** A quoted line, also as an item of a list; `>= 5` is a comparison. */
const QUOTED_LINE = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+){0,2}(?:[>＞](?!=|[ \t]*\d)|&gt;|[»›](?=[ \t]))/;
/** `a | b` is a table's row; a line that only begins with a bar is quoted, as some clients do it. */
const BARRED_LINE = /^[ \t]*[|│┃▏][ \t]+[^|│┃\n]{2,}$/;
const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,}|:{3,})([^\n]*)$/;
const PATCH =
  /^[ \t]*(?:\*\*\* (?:update|add|delete|move|end|begin) |@@|diff --git|index [0-9a-f]{6,}|[-+]{3} [ab]\/)/i;

/** The block that begins at `start`, the first character of a line; `null` when the line is ordinary. */
export function blockAt(text: string, start: number, marked: Openings): DataSpan | null {
  const known = marked.get(start);
  if (known !== undefined) return known;
  const end = lineEnd(text, start);
  const line = text.slice(start, Math.min(end, start + 400));
  const first = /[^ \t]/.exec(line)?.[0];
  if (first === undefined) return null;
  const whole = (kind: DataKind, to: number): DataSpan => ({
    kind,
    start,
    end: to,
    inner: { start, end: to },
  });
  if (QUOTED_LINE.test(line) || (start > 0 && BARRED_LINE.test(line))) return whole("quoted-line", end);
  const fence = FENCE.exec(line);
  // Marks on the same line again are inline code.
  if (fence !== null && !(fence[2] ?? "").includes("`")) return fenceAt(text, start, end, fence[1] ?? "");
  const part = harnessPart(text, start, end, line);
  if (part !== null) return whole(part[0], part[1]);
  if (first === "*" && /^[ \t]*\*{3} Begin Patch/.test(line)) {
    const close = text.indexOf("*** End Patch", start);
    return whole("patch", close < 0 ? text.length : close + 13);
  }
  const mail = mailEnd(text, start, end);
  if (mail !== null) return whole("forwarded", mail);
  return PATCH.test(line) ? whole("patch", patchEnd(text, end)) : null;
}

/** Lines that a patch takes away, adds or keeps go with it, and so do its own. */
function patchEnd(text: string, end: number): number {
  let to = end;
  while (to < text.length) {
    const stop = lineEnd(text, to + 1);
    const line = text.slice(to + 1, Math.min(stop, to + 400));
    if (!/^[-+@\\]|^ \S|^ {2}/.test(line) && !PATCH.test(line)) break;
    to = stop;
  }
  return to;
}

function fenceAt(text: string, start: number, end: number, fence: string): DataSpan {
  const inner = Math.min(end + 1, text.length);
  let at = inner;
  while (at < text.length) {
    const stop = lineEnd(text, at);
    const line = text.slice(at, Math.min(stop, at + 200)).trim();
    if (line.startsWith(fence) && line.replaceAll(fence.charAt(0), "") === "")
      return { kind: "fence", start, end: stop, inner: { start: inner, end: at } };
    at = stop + 1;
  }
  return { kind: "fence", start, end: text.length, inner: { start: inner, end: text.length } };
}

const HEREDOC =
  /<<[-~]?[ \t]*(?:(["'])([A-Za-z_]\w{0,40})\1|\\?([A-Z_][A-Z0-9_]{1,40}))(?!\w)[^\n]*\n|<<[-~]?([a-z_]\w{0,40})[ \t]*\n/g;

/** Words behind two chevrons that nothing ends; who writes more of them writes no script. */
const MOST_LOOSE = 16;

/** Blocks that lines of their own begin and end, by where they begin. Linear. */
export function markedBlocks(text: string): Openings {
  const spans = new Map<number, DataSpan>();
  if (
    /\b(?:begin|start|beginning|end|anfang|beginn|inicio|开始)\b|开始|^[ \t]*[-=*_~+%]{2,}[ \t]*\w/im.test(
      text,
    )
  )
    for (const span of beginAndEnd(text)) spans.set(span.start, span);
  if (text.includes("<<")) heredocs(text, spans);
  return spans;
}

/** A line between marks or in capitals: `-----BEGIN MAIL-----`, `[START]`, `=== mail ===`, `END OF TEXT`. */
const MARKED =
  /^[ \t]*(-{2,}|={2,}|\*{1,}|_{1,}|~{2,}|\+{2,}|<{1,}|\[{1,3}|\({1,3}|\{{1,3}|%{2,}|#{2,})?[ \t]*([\p{L}][^\n]{0,80}?)[ \t]*(-{2,}|={2,}|\*{1,}|_{1,}|~{2,}|\+{2,}|>{1,}|\]{1,3}|\){1,3}|\}{1,3}|%{2,}|#{2,})?[ \t]*[:：]?[ \t]*$/u;
const BEGINS = /^(?:begin|start|beginning|anfang|beginn|inicio|comienzo|开始)(?![\p{L}])/iu;
const ENDS = /^(?:end|ending|ende|fin|final|结束)(?![\p{L}])/iu;
const SHOWN =
  /(?:^|[^\p{L}])(?:e-?mail|mail|message|text|document|content|contents|log|logs|output|transcript|quote|letter|article|input|file|original|forwarded|paste|pasted|data|chat|conversation|thread|page|ticket|review|comment|snippet|nachricht|inhalt|mensaje|correo|texto|documento)(?:$|[^\p{L}])|^[\w./ -]{1,60}\.[a-z]{1,8}$/iu;

const NAMED =
  /^(?:begin|start|end)(?: of)?(?: the| this)? (?:quote|quotation|mail|e-?mail|message|text|document|log|transcript|file)$/i;

function beginAndEnd(text: string): DataSpan[] {
  const marks: { at: number; end: number; closes: boolean }[] = [];
  const ends = /^[^\p{L}\n]{0,12}END\b/mu.test(text);
  for (let at = 0; at < text.length; ) {
    const stop = lineEnd(text, at);
    const mark = stop - at > 140 ? null : MARKED.exec(text.slice(at, stop));
    if (mark !== null) {
      const [, left, core = "", right] = mark;
      // `**Start**` is a heading; more marks, or the name of what begins, set it apart.
      const isSet =
        (left !== undefined && right !== undefined && !/^(?:\*|_){1,2}$/.test(left)) || NAMED.test(core);
      const isLoud = core === core.toUpperCase() && core !== core.toLowerCase();
      const closes = ENDS.test(core) && (isSet || isLoud);
      const opens =
        (BEGINS.test(core) && (isSet || isLoud)) ||
        (isSet && /^[-=*_~+%]/.test(left ?? "") && SHOWN.test(core));
      // A loud `START` that nothing ends begins nothing.
      const isNamed = isSet || /\s/.test(core.trim());
      if (closes ? marks.length > 0 : opens && (isNamed || ends)) marks.push({ at, end: stop, closes });
    }
    at = stop + 1;
  }
  return pairsOf(marks, true, text.length).map((span) => ({ ...span, kind: "document" }));
}

function heredocs(text: string, spans: Map<number, DataSpan>): void {
  HEREDOC.lastIndex = 0;
  let left = MOST_LOOSE;
  for (let found = HEREDOC.exec(text); found !== null; found = HEREDOC.exec(text)) {
    const start = found.index + found[0].length;
    const name = found[2] ?? found[3] ?? found[4] ?? "";
    const isLoose = found[4] !== undefined;
    if (isLoose && left === 0) continue;
    const close = new RegExp(`^[ \\t]*${name}[ \\t]*$`, "gm");
    close.lastIndex = start;
    const stop = close.exec(text);
    // A lower-case word behind two chevrons is one only when something ends it.
    if (stop === null && isLoose) {
      left -= 1;
      continue;
    }
    const end = stop === null ? text.length : stop.index + stop[0].length;
    if (end > start) spans.set(start, { kind: "document", start, end, inner: { start, end } });
    if (end >= text.length) return;
    HEREDOC.lastIndex = end;
  }
}
