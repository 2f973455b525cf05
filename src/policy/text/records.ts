/** Lines of tables, settings, logs and traces: what machines write, by its shape. */
import { isOwnLabel } from "./labels.ts";

/** `rule`: a line of one mark. `row`: of a table. `cells`: of separated values. `field`: a setting. `log`: a log's or a trace's. */
export type RecordLine = "rule" | "row" | "cells" | "field" | "log";

const RULE =
  /^[ \t]*(?:(-)(?:[ \t]?-){2,}|(=)(?:[ \t]?=){2,}|(\*)(?:[ \t]?\*){2,}|(_)(?:[ \t]?_){2,}|(~)(?:[ \t]?~){2,}|(\+)(?:[ \t]?\+){2,}|(%){3,}|(#){4,}|(\.){5,}|([─━═—–▬•·♦◆])[─━═—–▬•·♦◆]{2,})[ \t]*$/;
const ROW = /^[ \t]*[|│┃][^\n]*[|│┃][ \t]*$|^[ \t]*\|[^|\n]+\|/;
const FIELD =
  /^[ \t]*(?:-[ \t]+)?["']?([a-z_][\w.-]{0,40}|[A-Z][A-Z0-9_]{1,40}(?==))["']?[ \t]*(?:[:=](?:[ \t]|$)|=\S)/;
/** A shell's prompt, a comment, or how a file of some language begins. */
const CODE =
  /^[ \t]*(?:[$%❯] \S|\/\/|\/\*|\*\/|--[ \t]|#!|<\?|#include\b|import [\w{*"']|from [\w.]+ import|(?:async |export |public |private |static )*(?:def|class|function|const|let|var|func|fn|package|namespace|using|struct|interface) [\w.$*]+)/;
const BRACES = /^[ \t]*(?:[[{]+[ \t]*["'\w]|["'][\w .-]{1,40}["'][ \t]*:|[\]}]+,?[ \t]*$)/;
const LOG = new RegExp(
  [
    String.raw`^[ \t]*traceback \(most recent`,
    String.raw`^[ \t]*exception in thread`,
    String.raw`^[ \t]*caused by:`,
    String.raw`^[ \t]*(?:uncaught |unhandled )?(?:[\w$]+\.){0,12}[\w$]*(?:error|exception|warning|panic|fault)(?:\[\w+\])?[ \t]*:`,
    String.raw`^[ \t]*(?:npm err!|npm warn|error[ \t]ts\d|e[ \t]{2,}|\+\+\+ |panic:|fatal:|assertion|thread '[^']{1,60}' panicked)`,
    String.raw`^[ \t]*(?:at [\w$.<>]{1,120}[ (]|file "[^"]{1,200}", line \d)`,
    String.raw`^[ \t]*\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?[^\s\]]{0,12}\]?[ \t]`,
    String.raw`^[ \t]*\[?\d{2}:\d{2}:\d{2}[^\s\]]{0,8}\]?[ \t]+\[?(?:info|warn|warning|error|debug|trace|fatal)`,
    String.raw`^[ \t]*(?:info|warn|warning|error|debug|trace|fatal|critical|stderr|stdout|output|log)[ \t]*[:|\]-]`,
    String.raw`^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[ \t]{1,2}\d{1,2} \d{2}:\d{2}:\d{2} `,
  ].join("|"),
  "i",
);

/** @param line at most a few hundred characters */
export function recordLine(line: string): RecordLine | null {
  if (RULE.test(line)) return "rule";
  if (ROW.test(line)) return "row";
  if (LOG.test(line)) return "log";
  if (BRACES.test(line)) return "field";
  const key = FIELD.exec(line)?.[1];
  if (key !== undefined) return "field";
  return cellsOf(line) > 1 ? "cells" : null;
}

/** Whether it is a field that a person would set before their own words as well. */
export function isOwnField(line: string): boolean {
  const key = FIELD.exec(line)?.[1];
  return key !== undefined && isOwnLabel(key);
}

/** Values that a comma, a semicolon or a tab separates, with no space behind it as in a sentence. */
export function cellsOf(line: string): number {
  for (const mark of ["\t", ";", ","]) {
    const cells = line.trim().split(mark);
    if (cells.length > 1 && cells.slice(1).every((cell) => mark === "\t" || !/^\s/.test(cell)))
      return cells.length;
  }
  return 1;
}

/** Code without a fence, which only counts where nothing but an answer is asked for. */
export const isCode = (line: string): boolean => CODE.test(line);

/** The mark of a rule; two of them hold a block between them. */
export function ruleMark(line: string): string {
  return line.trim().charAt(0);
}
