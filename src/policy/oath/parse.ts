/**
 * Text -> oath. One pass, every error with its place, and no oath at all while there is one: an owner who mistypes a line
 * must not go on in the belief that it holds.
 */

import { findForbidden, utf8Bytes } from "../paths/index.ts";
import { nearest, unknownLine, unknownVerb } from "./hints.ts";
import {
  MAX_DIAGNOSTICS,
  MAX_LINE_LENGTH,
  MAX_MISSION_LENGTH,
  MAX_OATH_BYTES,
  MAX_RULE_LINES,
  OATH_VERBS,
  type Oath,
  type OathLine,
  type OathVerb,
} from "./oath.ts";
import { checkPattern } from "./pattern.ts";

/**
 * An error and where it stands. `line` and the columns count from 1; columns count UTF-16 units, without a byte order mark;
 * `end_column` is the first column behind the error, so an empty place has `column === end_column`.
 */
export interface Diagnostic {
  /** Stable kebab-case name of the error. */
  readonly code: string;
  /** What to do about it. */
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly end_column: number;
}

export type ParsedOath = { ok: true; oath: Oath } | { ok: false; diagnostics: Diagnostic[] };

/** A word of a line and its offset in it. */
interface Word {
  readonly text: string;
  readonly lower: string;
  readonly at: number;
  readonly end: number;
}

/** One line on its way: `report` takes offsets into `raw`. */
interface Reading {
  readonly raw: string;
  readonly line: number;
  readonly report: (code: string, start: number, end: number, message: string) => void;
}

/**
 * Reads an oath: `standing mission: <text>`, `never <verb>: <path>`, `always require <evidence> before <verb>: <path>`, `#` comments
 * and blank lines. Keywords in any case, white space between them free, a byte order mark and any line ends accepted.
 * Answers with the oath, or with every error found (at most {@link MAX_DIAGNOSTICS}). Total and linear. Source: the Oathkeeper seed.
 */
export function parseOath(text: string): ParsedOath {
  const diagnostics: Diagnostic[] = [];
  const refuse = (code: string, message: string): ParsedOath => {
    return { ok: false, diagnostics: [{ code, message, line: 1, column: 1, end_column: 1 }] };
  };
  if (typeof text !== "string") return refuse("not-text", "An oath is plain text.");
  if (text.length > MAX_OATH_BYTES || utf8Bytes(text) > MAX_OATH_BYTES) {
    return refuse(
      "oath-too-long",
      `An oath has at most ${MAX_OATH_BYTES} bytes. Leave out what is not sworn.`,
    );
  }
  const lines: OathLine[] = [];
  let rules = 0;
  for (const [index, raw] of (text.startsWith("\ufeff") ? text.slice(1) : text)
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (diagnostics.length > MAX_DIAGNOSTICS) break;
    const line = index + 1;
    const report: Reading["report"] = (code, start, end, message) => {
      diagnostics.push({ code, message, line, column: start + 1, end_column: end + 1 });
    };
    if (!checkCharacters(raw, report)) continue;
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) continue;
    rules += 1;
    if (rules > MAX_RULE_LINES) {
      report(
        "too-many-lines",
        0,
        raw.length,
        `An oath has at most ${MAX_RULE_LINES} lines besides comments.`,
      );
      break;
    }
    const found = parseLine({ raw, line, report });
    if (found !== null) lines.push(found);
  }
  if (diagnostics.length === 0) return { ok: true, oath: { lines } };
  if (diagnostics.length > MAX_DIAGNOSTICS) {
    const last = diagnostics[MAX_DIAGNOSTICS - 1];
    diagnostics.length = MAX_DIAGNOSTICS - 1;
    if (last)
      diagnostics.push({
        ...last,
        code: "more-errors",
        message: "There are more errors from here on. Mend these first.",
      });
  }
  return { ok: false, diagnostics };
}

/** Comments are checked too: text that is drawn in another order than it is read can hide a rule in one. */
function checkCharacters(raw: string, report: Reading["report"]): boolean {
  if (raw.length > MAX_LINE_LENGTH) {
    report(
      "line-too-long",
      0,
      raw.length,
      `A line has at most ${MAX_LINE_LENGTH} characters; this one has ${raw.length}.`,
    );
    return false;
  }
  let found = findForbidden(raw);
  while (found !== null && raw[found.index] === "\t") found = findForbidden(raw, found.index + 1);
  if (found === null) return true;
  const code = (raw.codePointAt(found.index) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const what = {
    nul: "a NUL",
    control: "a control character",
    bidi: "a character that turns the direction of text",
    "zero-width": "an invisible character",
    surrogate: "half a character",
  }[found.kind];
  report(
    found.kind === "zero-width"
      ? "zero-width-character"
      : found.kind === "bidi"
        ? "bidi-character"
        : "control-character",
    found.index,
    found.index + found.length,
    `There is ${what} (U+${code}) here. Delete it; retyping the line usually does.`,
  );
  return false;
}

function parseLine(reading: Reading): OathLine | null {
  const { raw, report } = reading;
  const colon = raw.indexOf(":");
  const wide = raw.indexOf("：");
  const [first] = wordsOf(raw);
  if (first === undefined) return null;
  const known = /^(?:standing|never|always)$/.test(first.lower.replace(/[:：].*$/, ""));
  if (!known) {
    report("unknown-line", first.at, first.end, unknownLine(first.text));
    return null;
  }
  if (wide >= 0 && (colon < 0 || wide < colon)) {
    report("full-width-colon", wide, wide + 1, "This is a full-width colon. Write : instead.");
    return null;
  }
  const words = wordsOf(colon < 0 ? raw : raw.slice(0, colon));
  const head: Head = { words, colon, length: colon < 0 ? raw.trimEnd().length : colon };
  if (words[0]?.lower === "standing") return parseMission(reading, head);
  return words[0]?.lower === "never" ? parseNever(reading, head) : parseRequire(reading, head);
}

/** What stands before the colon; `length` is the colon's offset, or that of the line's end without one. */
interface Head {
  readonly words: readonly Word[];
  readonly colon: number;
  readonly length: number;
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g), (match) => {
    const at = match.index;
    return { text: match[0], lower: match[0].toLowerCase(), at, end: at + match[0].length };
  });
}

function parseMission({ raw, line, report }: Reading, { words, colon, length }: Head): OathLine | null {
  const word = words[1];
  if (word?.lower !== "mission") {
    const [start, end] = word ? [word.at, word.end] : [length, length];
    report("unknown-line", start, end, 'After "standing" comes "mission": write "standing mission: <text>".');
    return null;
  }
  const extra = words[2];
  if (colon < 0 || extra !== undefined) {
    report("missing-colon", word.end, word.end, 'Put a colon after "standing mission".');
    return null;
  }
  const { value: mission, start, end } = valueAfter(raw, colon);
  if (mission === "") {
    report("empty-mission", start, end, "Write the mission after the colon.");
    return null;
  }
  if (mission.length > MAX_MISSION_LENGTH) {
    report(
      "mission-too-long",
      start,
      end,
      `A mission has at most ${MAX_MISSION_LENGTH} characters; this one has ${mission.length}.`,
    );
    return null;
  }
  return { kind: "mission", line, text: raw.trim(), mission };
}

function parseNever(reading: Reading, head: Head): OathLine | null {
  const verb = readVerb(reading, head, 1);
  const pattern = verb === "no-colon" ? null : readPattern(reading, head);
  if (verb === null || verb === "no-colon" || pattern === null) return null;
  return { kind: "never", line: reading.line, text: reading.raw.trim(), verb, pattern };
}

function parseRequire(reading: Reading, head: Head): OathLine | null {
  const { report } = reading;
  const form = 'Write "always require backup before <verb>: <path>".';
  const expect = (index: number, want: string): boolean => {
    const word = head.words[index];
    if (word?.lower === want) return true;
    const [start, end] = word ? [word.at, word.end] : [head.length, head.length];
    report("unknown-line", start, end, `Here should stand "${want}". ${form}`);
    return false;
  };
  if (!expect(1, "require")) return null;
  const evidence = head.words[2];
  if (evidence === undefined) {
    report("missing-evidence", head.length, head.length, `Say what must exist first. ${form}`);
    return null;
  }
  const known = evidence.lower === "backup";
  if (!known) {
    const hint = nearest(evidence.lower, ["backup"]) === null ? "" : ' Did you mean "backup"?';
    report("unknown-evidence", evidence.at, evidence.end, `The one kind of evidence is "backup".${hint}`);
  }
  if (!expect(3, "before")) return null;
  const verb = readVerb(reading, head, 4);
  const pattern = verb === "no-colon" ? null : readPattern(reading, head);
  if (!known || verb === null || verb === "no-colon" || pattern === null) return null;
  return { kind: "require", line: reading.line, text: reading.raw.trim(), evidence: "backup", verb, pattern };
}

/** The verb at word `index`, which must be the last before the colon. `no-colon`: what follows it cannot be told apart from a path. */
function readVerb({ report }: Reading, head: Head, index: number): OathVerb | null | "no-colon" {
  const word = head.words[index];
  if (word === undefined) {
    report("missing-verb", head.length, head.length, `Say which verb. ${unknownVerb("")}`);
    return head.colon < 0 ? "no-colon" : null;
  }
  const verb = OATH_VERBS.find((candidate) => candidate === word.lower) ?? null;
  const next = head.words[index + 1];
  if (verb === null && /^[~/$]/.test(word.text)) {
    report("missing-verb", word.at, word.at, `Say which verb before the path. ${unknownVerb("")}`);
    return "no-colon";
  }
  if (verb === null && next === undefined) report("unknown-verb", word.at, word.end, unknownVerb(word.text));
  if (next !== undefined && /^(?:and|or|,|&|\||und|oder)$/.test(next.lower)) {
    report(
      "several-verbs",
      word.at,
      head.length,
      'One line has one verb. Write a line for each, or use "any".',
    );
    return verb === null ? null : "no-colon";
  }
  if (next !== undefined && verb === null) report("unknown-verb", word.at, word.end, unknownVerb(word.text));
  if (next !== undefined || head.colon < 0) {
    report("missing-colon", word.end, word.end, `Put a colon after "${word.text.slice(0, 40)}".`);
    return "no-colon";
  }
  return verb;
}

function readPattern({ raw, report }: Reading, { colon }: Head): string | null {
  const { value, start } = valueAfter(raw, colon);
  const errors = checkPattern(value);
  for (const error of errors) report(error.code, start + error.start, start + error.end, error.message);
  return errors.length === 0 ? value : null;
}

/** The text behind the colon without the white space around it, and its place in the line. */
function valueAfter(raw: string, colon: number): { value: string; start: number; end: number } {
  const rest = raw.slice(colon + 1);
  const value = rest.trim();
  const start = colon + 1 + (value === "" ? 0 : rest.length - rest.trimStart().length);
  return { value, start, end: start + value.length };
}
