/**
 * Text -> the lines that say something. Code, tables and settings say nothing about the person the agent works for
 * (the seed's generic-actor rule); a line that was only wrapped is joined to the one before it.
 */

import { isWordCode } from "./characters.ts";
import { isProse, labels, settings } from "./labels.ts";
import type { Normal } from "./normal.ts";
import type { Span } from "./tokens.ts";

/** A line, or several that were one. `exempt` when nothing in it is about this agent's own person. */
export interface Unit extends Span {
  readonly exempt: boolean;
}

const FENCE = /^[ \t]{0,3}(?:>[ \t]?)*(`{3,}|~{3,})/gm;
const LIST = /^[ \t]*(?:[-*+\u2022\u2013]|\d{1,3}[.)])[ \t]/;
const CODE = /^(?: {4}|\t| {1,3}\t)/;
const WRAPPED = /^ {1,3}(?=[^\s|#>`~])/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$/gm;
/** Stands alone between the entries of Hermes' memory. */
const ENTRY_END = "\u00a7";
/** A line stops right after a subject, and what may stand between it and its verb. */
const OPEN_ENDED =
  /(?:^|[^\p{L}\p{N}_])(?:users?|owners?)(?:'s)?(?: (?:has|had|have|is|was|also|then|just|already|finally|explicitly|really))*[ \t]*$|(?:\u7528\u6237|\u7528\u6236|\u4e3b\u4eba|\u8001\u677f|\u8001\u95c6)(?:\u5df2\u7ecf|\u5df2|\u660e\u786e|\u6b63\u5f0f)?[ \t]*$/u;
/** The longest end of a line that is looked at for that. */
const TAIL = 40;
/** The last characters of lines that can end so. */
const LAST = new Set(
  [..."rsdnoy\u6237\u6236\u4eba\u677f\u95c6\u7ecf\u5df2\u786e\u5f0f"].map((one) => one.charCodeAt(0)),
);

/** Gives the unit of any offset, in ascending order of the offsets asked for. Total; linear over all that is asked. */
export class Units {
  readonly #normal: Normal;
  /** Fenced code and tables, in order. */
  readonly #regions: readonly Span[];
  #region = 0;

  constructor(normal: Normal) {
    this.#normal = normal;
    const fences = fencesIn(normal.lower);
    const tables = tablesIn(normal.lower);
    this.#regions = tables.length ? [...fences, ...tables].sort((a, b) => a.start - b.start) : fences;
  }

  /** The unit that holds `at`. Nothing before `from` is looked at; there a unit ended. */
  at(at: number, from: number): Unit {
    const { lower } = this.#normal;
    while (this.#region < this.#regions.length && (this.#regions[this.#region]?.end ?? 0) <= at)
      this.#region += 1;
    const region = this.#regions[this.#region];
    if (region !== undefined && region.start <= at) return { start: from, end: region.end, exempt: true };
    const floor = Math.max(from, this.#regions[this.#region - 1]?.end ?? 0);
    const ceiling = region?.start ?? lower.length;
    let start = Math.max(floor, lower.lastIndexOf("\n", at - 1) + 1);
    let end = lineEnd(lower, at, ceiling);
    if (this.#saysNothing(start, end)) return { start, end, exempt: true };
    while (start > floor) {
      const before = Math.max(floor, start < 2 ? 0 : lower.lastIndexOf("\n", start - 2) + 1);
      if (!this.#joins(before, start, ceiling)) break;
      start = before;
    }
    let last = start;
    for (let line = lower.indexOf("\n", start); line >= 0 && line < end; line = lower.indexOf("\n", line + 1))
      last = line + 1;
    while (end < ceiling && this.#joins(last, end + 1, ceiling)) {
      last = end + 1;
      end = lineEnd(lower, last, ceiling);
    }
    return { start, end, exempt: labels(this.#normal, start, end) };
  }

  /** Whether the line at `next` goes on with what the line at `line` began. */
  #joins(line: number, next: number, ceiling: number): boolean {
    const { lower } = this.#normal;
    if (next >= ceiling) return false;
    // Nearly every line begins with something else, below a line that ends otherwise.
    const isIndented = lower.charCodeAt(next) === 0x20;
    if (!isIndented && !LAST.has(lastCode(lower, line, next - 1))) return false;
    const end = lineEnd(lower, next, ceiling);
    const head = lower.slice(next, Math.min(end, next + 12));
    if (head.trim() === "" || head.startsWith(ENTRY_END) || LIST.test(head)) return false;
    const above = lower.slice(Math.max(line, next - 1 - TAIL), next - 1);
    if (!(isIndented && WRAPPED.test(head)) && !(OPEN_ENDED.test(above) && !CODE.test(head))) return false;
    if (above.trim() === "" || above.trim() === ENTRY_END) return false;
    return !this.#saysNothing(line, next - 1) && !this.#saysNothing(next, end);
  }

  /** Whether the line above or below is a program's: then a comment is about it. */
  #isBesideCode(start: number, end: number): boolean {
    const { lower } = this.#normal;
    const above =
      start < 2 ? "" : lower.slice(Math.max(lower.lastIndexOf("\n", start - 2) + 1, start - 200), start - 1);
    const below = lower.slice(end + 1, Math.min(lineEnd(lower, end + 1, lower.length), end + 200));
    return CODEISH.test(above) || CODEISH.test(below);
  }

  /** Code, a row of a table, a setting, a box that nobody has ticked. */
  #saysNothing(start: number, end: number): boolean {
    const { lower } = this.#normal;
    // Nearly every line begins with a letter.
    if (isWordCode(lower.charCodeAt(start)) && !isDigit(lower.charCodeAt(start)))
      return settings(this.#normal, start, end);
    const head = lower.slice(start, Math.min(end, start + 200));
    const isList = LIST.test(head);
    if (CODE.test(head) && !isList) return true;
    const first = /[^ \t>]/.exec(head)?.[0];
    if (first === "|") return true;
    if (first === "/" && /^[ \t>]*\/[/*]/.test(head)) return !isProse(head) || this.#isBesideCode(start, end);
    if (isList && /^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+\[ \]/.test(head)) return true;
    return settings(this.#normal, start, end);
  }
}

/** What ends or begins a line of code. */
const CODEISH =
  /[;{}]\s*$|^\s*(?:const|let|var|def|class|function|fn|func|return|import|export|from|if|for|while|public|private|static|async|a(?:wait)|type|interface)\b|[\w)]\([^)\n]*\)|\w\s?[+-]?=[^=]/;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The last character of a line that is no white space. */
function lastCode(lower: string, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && (lower.charCodeAt(at) === 0x20 || lower.charCodeAt(at) === 0x09)) at -= 1;
  return at < start ? 0 : lower.charCodeAt(at);
}

function lineEnd(lower: string, at: number, ceiling: number): number {
  const end = lower.indexOf("\n", at);
  return end < 0 || end > ceiling ? ceiling : end;
}

/** Tables by the rule below their head: the head, the rule, and every row up to a line without a bar. */
function tablesIn(lower: string): Span[] {
  const spans: Span[] = [];
  if (!lower.includes("|")) return spans;
  TABLE_RULE.lastIndex = 0;
  for (let match = TABLE_RULE.exec(lower); match !== null; match = TABLE_RULE.exec(lower)) {
    if (!match[0].includes("|")) continue;
    const start = match.index < 2 ? 0 : lower.lastIndexOf("\n", match.index - 2) + 1;
    let end = match.index + match[0].length;
    while (end < lower.length) {
      const stop = lineEnd(lower, end + 1, lower.length);
      if (!lower.slice(end + 1, stop).includes("|")) break;
      end = stop;
    }
    spans.push({ start, end });
    TABLE_RULE.lastIndex = end;
  }
  return spans;
}

/** Fenced code, from its first line to the end of its last; a fence that nothing closes reaches to the end. */
function fencesIn(lower: string): Span[] {
  const spans: Span[] = [];
  if (!lower.includes("```") && !lower.includes("~~~")) return spans;
  let open: { start: number; mark: string } | null = null;
  FENCE.lastIndex = 0;
  for (let match = FENCE.exec(lower); match !== null; match = FENCE.exec(lower)) {
    const mark = match[1] ?? "";
    const stop = lower.indexOf("\n", match.index);
    const end = stop < 0 ? lower.length : stop;
    if (open === null) {
      // ```` ```a``` ```` on one line is no fence, and neither is `~~~~a~~~~`.
      if (lower.slice(match.index + match[0].length, end).includes(mark.startsWith("`") ? "`" : "~~"))
        continue;
      open = { start: match.index, mark };
    } else if (mark.startsWith(open.mark) && lower.slice(match.index + match[0].length, end).trim() === "") {
      spans.push({ start: open.start, end });
      open = null;
    }
  }
  if (open !== null) spans.push({ start: open.start, end: lower.length });
  return spans;
}
