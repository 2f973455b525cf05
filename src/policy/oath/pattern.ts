/**
 * The path pattern of an oath's line: what may be written, and what it means in one session.
 *
 * - it ends with `/**`: the folder and everything below it;
 * - it holds `*` or `?`: a glob. Both stay inside one segment, `**` crosses segments wherever it stands, leading dots match;
 * - any other: the path itself and anything below it. `[` has no meaning of its own.
 *
 * `~`, `$NAME` and `${NAME}` are the session's. A backslash separates on Windows and is a character elsewhere.
 */

import { compileBound } from "../paths/bound.ts";
import {
  escapeBound,
  findForbidden,
  homeOf,
  normalisePath,
  readVariable,
  treeBound,
  variableOf,
} from "../paths/index.ts";
import type { Environment, PathBound } from "../types.ts";
import { MAX_PATTERN_LENGTH } from "./oath.ts";

/** An error in a pattern; `start` and `end` are UTF-16 offsets into it. */
export interface PatternError {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

const DRIVE = /^[A-Za-z]:[\\/]/;

function isWindowsPattern(pattern: string): boolean {
  return DRIVE.test(pattern) || pattern.startsWith("\\\\");
}

/** Everything wrong with a pattern, or an empty list. Each is something that would make the line protect less than it seems to. */
export function checkPattern(pattern: string): PatternError[] {
  const error = (code: string, start: number, end: number, message: string): PatternError => {
    return { code, message, start, end };
  };
  if (pattern === "") {
    return [error("empty-pattern", 0, 0, "Write a path after the colon, e.g. ~/.hermes/memories/**.")];
  }
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return [
      error(
        "pattern-too-long",
        0,
        pattern.length,
        `A pattern has at most ${MAX_PATTERN_LENGTH} characters; this one has ${pattern.length}.`,
      ),
    ];
  }
  const errors: PatternError[] = [];
  const add = (...parts: Parameters<typeof error>): void => {
    errors.push(error(...parts));
  };
  const tab = pattern.indexOf("\t");
  if (tab >= 0)
    add("control-character", tab, tab + 1, "A pattern cannot hold a tab. Write ? where the name has one.");
  const comment = /\s#/.exec(pattern);
  if (comment !== null) {
    add(
      "inline-comment",
      comment.index + 1,
      pattern.length,
      "A comment needs a line of its own; here it would be part of the path. For a path that holds #, write ? in its place.",
    );
  }
  checkStart(pattern, add);
  checkVariables(pattern, add);
  for (const match of pattern.matchAll(/(?<![^\\/])\.\.(?![^\\/])/g)) {
    add("parent-segment", match.index, match.index + 2, 'Write the path itself, without "..".');
  }
  const braces = /(?<!\$)\{[^{}]*,[^{}]*\}/.exec(pattern);
  if (braces !== null) {
    add(
      "brace-alternatives",
      braces.index,
      braces.index + braces[0].length,
      "Braces are not alternatives here. Write one line for each path.",
    );
  }
  const star = pattern.indexOf("＊");
  if (star >= 0) {
    add(
      "full-width-character",
      star,
      star + 1,
      "This is a full-width asterisk. Write *; for a name that holds it, write ?.",
    );
  }
  return errors;
}

function checkStart(
  pattern: string,
  add: (code: string, start: number, end: number, message: string) => void,
): void {
  const first = pattern[0] ?? "";
  if (first === "/" || first === "$" || DRIVE.test(pattern)) return;
  if (pattern.startsWith("\\\\")) {
    if (/^\\\\[?.]\\/.test(pattern)) {
      add("device-path", 0, 4, "Write the drive itself, e.g. C:\\Users\\me, without the device prefix.");
    }
    return;
  }
  if (first === "~") {
    if (pattern.length === 1 || pattern[1] === "/" || pattern[1] === "\\") return;
    const end = pattern.search(/[\\/]/);
    add(
      "tilde-user",
      0,
      end < 0 ? pattern.length : end,
      "Only the session's own home is known: write ~/ for it, or the other account's folder in full.",
    );
    return;
  }
  if (first === "～" || first === "／") {
    add("full-width-character", 0, 1, `This is a full-width character. Write ${first === "～" ? "~" : "/"}.`);
    return;
  }
  if (first === '"' || first === "'" || first === "`") {
    add("quoted-pattern", 0, pattern.length, "Write the path without quotes; spaces need none.");
    return;
  }
  add(
    "relative-pattern",
    0,
    pattern.length,
    "A path starts with /, ~/, $NAME or a drive such as C:\\, since each session has its own working directory.",
  );
}

function checkVariables(
  pattern: string,
  add: (code: string, start: number, end: number, message: string) => void,
): void {
  for (let at = pattern.indexOf("$"); at >= 0; at = pattern.indexOf("$", at + 1)) {
    const found = readVariable(pattern, at);
    if (found !== "malformed") continue;
    const close = pattern.indexOf("}", at);
    if (close < 0) {
      // One report is enough: without any } left, every later ${ is open too.
      add("unbalanced-brace", at, pattern.length, `This \${ is never closed. Write \${NAME}.`);
      return;
    }
    add(
      "bad-variable",
      at,
      close + 1,
      `Between \${ and } stands a variable's name alone: letters, digits and _.`,
    );
  }
}

/** What a session must declare before a line can be checked. */
export type Missing =
  | { readonly what: "home" | "cwd" | "os" }
  | { readonly what: "variable"; readonly name: string; readonly declared: boolean };

/** `elsewhere`: the pattern is a Windows path and the session runs on another system, where no such file exists. */
export type BoundPattern =
  | { readonly kind: "bound"; readonly bound: PathBound }
  | { readonly kind: "missing"; readonly missing: Missing }
  | { readonly kind: "elsewhere" };

/** Past this many UTF-16 units a pattern's variables hold no path. */
const MAX_BOUND_LENGTH = 12_288;

/** A checked pattern -> the set of paths that it names in this session. Total: text that was never checked is bound too, or missing. */
export function bindPattern(pattern: string, environment: Environment): BoundPattern {
  const windows = environment.os === "windows";
  if (!windows && isWindowsPattern(pattern)) {
    const declared = [environment.home, environment.cwd];
    // A session that names drives but not its system would be let through unchecked.
    const looksWindows = declared.some((path) => path !== null && isWindowsPattern(path));
    return looksWindows ? { kind: "missing", missing: { what: "os" } } : { kind: "elsewhere" };
  }
  const expanded = expandPattern(pattern, environment);
  if (typeof expanded !== "string") return { kind: "missing", missing: expanded };

  const segments = expanded.split("/");
  const firstGlob = segments.findIndex((segment) => /[*?]/.test(segment.replace(/\\./g, "")));
  const head = (firstGlob < 0 ? segments : segments.slice(0, firstGlob)).join("/");
  const root = normalisePath(
    head === "" ? "/" : head.replace(/\\(.)/g, "$1"),
    environment.cwd,
    environment.os,
  );
  if (!root.ok) return { kind: "missing", missing: missingFor(root.cause, pattern) };
  const base = escapeBound(root.path);
  if (firstGlob < 0) return { kind: "bound", bound: treeBound(base) };
  const tail = segments.slice(firstGlob).filter((segment) => segment !== "" && segment !== ".");
  const bound = `${base === "/" ? "" : base}/${tail.join("/")}`;
  if (bound.length > MAX_BOUND_LENGTH || compileBound(bound, "exact").unknown) {
    return { kind: "missing", missing: missingFor("too-long", pattern) };
  }
  return { kind: "bound", bound };
}

/** The pattern as a bound's text, not yet tidied, or what is missing for it. */
function expandPattern(pattern: string, environment: Environment): string | Missing {
  const windows = environment.os === "windows";
  const plain = (text: string): string => {
    const separated = windows ? text.replaceAll("\\", "/") : text.replaceAll("\\", "\\\\");
    return separated.replace(/[[\]]/g, "\\$&");
  };
  let out = "";
  let copied = 0;
  if (pattern.startsWith("~")) {
    const home = homeOf(environment);
    if (home === null) return { what: "home" };
    out = home === "/" ? "" : escapeBound(home);
    copied = 1;
  }
  for (let at = pattern.indexOf("$"); at >= 0; at = pattern.indexOf("$", at)) {
    const found = readVariable(pattern, at);
    if (found === null || found === "malformed") {
      at += 1;
      continue;
    }
    const raw = variableOf(found.name, environment);
    if (raw === null) return { what: "variable", name: found.name, declared: false };
    const value = at === 0 ? rootedValue(raw, environment) : innerValue(raw, windows);
    if (value === null) return { what: "variable", name: found.name, declared: true };
    out += plain(pattern.slice(copied, at)) + escapeBound(value);
    if (out.length > MAX_BOUND_LENGTH) return { what: "variable", name: found.name, declared: true };
    copied = found.end;
    at = found.end;
  }
  return out + plain(pattern.slice(copied));
}

/**
 * A variable that begins a pattern must hold an absolute path. An empty one would turn `$DATA/keep` into `/keep`,
 * and whoever declares the variables could so lift the line off what it protects.
 */
function rootedValue(raw: string, environment: Environment): string | null {
  const path = normalisePath(raw, null, environment.os);
  if (!path.ok) return null;
  return path.path === "/" ? "" : path.path;
}

function innerValue(raw: string, windows: boolean): string | null {
  const value = windows ? raw.replaceAll("\\", "/") : raw;
  const climbs = value.split("/").some((segment) => segment === "..");
  return value === "" || climbs || findForbidden(value) !== null ? null : value;
}

function missingFor(cause: string, pattern: string): Missing {
  if (cause === "no-cwd") return { what: "cwd" };
  if (cause === "no-home") return { what: "home" };
  // The text itself was checked when the oath was sworn, so only a variable's value can have spoilt it.
  const at = pattern.indexOf("$");
  const found = at < 0 ? null : readVariable(pattern, at);
  if (found !== null && found !== "malformed") return { what: "variable", name: found.name, declared: true };
  return { what: "home" };
}
