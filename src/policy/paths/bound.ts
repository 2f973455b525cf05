/**
 * A path bound as text -> tokens that can be compared. Three readings of letters exist: `exact`; `fold`, which takes together
 * whatever some file system might (canonical decomposition and full case mapping), for "could these meet?";
 * and `ascii`, which takes together only what every case-blind file system does, for "is this surely inside?".
 */

import type { PathBound } from "../types.ts";

export type Letters = "exact" | "fold" | "ascii";

/** 4096 bytes of path, each escaped, twice over. Longer text is an unknown path: nothing real is that long. */
const MAX_BOUND_UNITS = 16_384;

// A token is one number: a code point for that character, else one of these.

/** One character that is not `/`. */
export const ONE = -1;
/** Any run without `/`. */
export const STAR = -2;
/** Any run at all. */
export const DEEP = -3;
/** A whole segment `**`: nothing, or `/` and then what the DEEP token behind it takes. */
export const DEEP_SEGMENT = -4;
/** Behind the last token. */
export const END = -5;
/** `[…]`: this and everything below; see {@link classOf}. */
export const CLASS = -16;

export interface CharacterClass {
  readonly text: string;
  /** True when the set is not read exactly, so that it may hold any character. */
  readonly unsure: boolean;
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

export interface Tokens {
  /** Ends with END. */
  readonly codes: Int32Array;
  readonly classes: readonly CharacterClass[];
}

/** The set that a token at or below CLASS stands for. */
export function classOf(tokens: Tokens, code: number): CharacterClass | null {
  return tokens.classes[CLASS - code] ?? null;
}

export interface CompiledBound {
  /** An unknown path: it meets everything and covers nothing. */
  readonly unknown: boolean;
  readonly shape: "path" | "tree" | "glob";
  /** The leading segments without any glob, unescaped, e.g. `/a/b`; empty for the root. For `path` and `tree` it is all there is. */
  readonly key: string;
  /** How many segments its paths have, at least and at most. */
  readonly minDepth: number;
  readonly maxDepth: number;
  readonly letters: Letters;
  /** False when a character could be one unit for one reader and two for another. */
  readonly ascii: boolean;
  readonly tokens: () => Tokens;
}

const ASCII = /^[\x00-\x7f]*$/;

function foldText(text: string, letters: Letters, ascii: boolean): string {
  if (letters === "exact") return text;
  if (ascii) return text.toLowerCase();
  if (letters === "ascii") return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
  // Upper case first: it takes together what differs only there (`ß` and `SS`, `ſ` and `s`). Lower-casing alone would
  // make the last sigma of a word another letter than the same sigma before a suffix.
  return text.normalize("NFD").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFD");
}

/** Bounds that are kept compiled, the short ones that every call is compared with; the map begins anew when it is full. */
const MAX_KEPT = 1_024;
const MAX_KEPT_UNITS = 256;
const kept: Readonly<Record<Letters, Map<PathBound, CompiledBound>>> = {
  exact: new Map(),
  fold: new Map(),
  ascii: new Map(),
};

/**
 * Reads a bound once, so that it can be compared many times. Total: text that is no bound (relative, with `.` or `..`, too
 * long) is an unknown path, which errs towards a refusal. The result depends on the arguments alone, so it may be kept.
 */
export function compileBound(bound: PathBound, letters: Letters): CompiledBound {
  const known = kept[letters].get(bound);
  if (known !== undefined) return known;
  const compiled = compile(bound, letters);
  if (typeof bound === "string" && bound.length <= MAX_KEPT_UNITS) {
    if (kept[letters].size >= MAX_KEPT) kept[letters].clear();
    kept[letters].set(bound, compiled);
  }
  return compiled;
}

function compile(bound: PathBound, letters: Letters): CompiledBound {
  const unknown: CompiledBound = {
    unknown: true,
    shape: "glob",
    key: "",
    minDepth: 0,
    maxDepth: Number.POSITIVE_INFINITY,
    letters,
    ascii: true,
    tokens: () => ({ codes: Int32Array.of(END), classes: [] }),
  };
  if (typeof bound !== "string" || !bound.startsWith("/") || bound.length > MAX_BOUND_UNITS) return unknown;
  const ascii = ASCII.test(bound);
  const plain = letters === "fold" ? null : plainBound(foldText(bound, letters, ascii));
  if (plain !== null) return { ...plain, letters, ascii };
  const segments = foldText(bound, letters, ascii)
    .split("/")
    .filter((segment) => segment !== "");
  const driven = letters === "fold" && /^[a-z]:$|^unc:$/.test(segments[0] ?? "");

  const literal: string[] = [];
  let rest = segments.length;
  for (const [at, segment] of segments.entries()) {
    const text = literalOf(segment);
    if (text === "." || text === "..") return unknown;
    if (rest < segments.length) continue;
    if (text === null || (driven && isShortName(text))) rest = at;
    else literal.push(text);
  }
  const shape =
    rest === segments.length
      ? "path"
      : rest === segments.length - 1 && segments[rest] === "**"
        ? "tree"
        : "glob";
  const key = literal.map((segment) => `/${segment}`).join("");
  let tokens: Tokens | null = null;
  return {
    unknown: false,
    shape,
    key,
    minDepth: segments.length - segments.filter((segment) => /^\*\*+$/.test(segment)).length,
    maxDepth: segments.some((segment) => segment.includes("**")) ? Number.POSITIVE_INFINITY : segments.length,
    letters,
    ascii,
    tokens: () => {
      tokens ??= tokenise(key, segments.slice(rest), letters, driven);
      return tokens;
    },
  };
}

/** A bound without a wildcard but for a last `**`, taken as it is: most are. `null` for what has to be taken apart. */
function plainBound(bound: PathBound): Omit<CompiledBound, "letters" | "ascii"> | null {
  const tree = bound.endsWith("/**");
  const key = tree ? bound.slice(0, -3) : bound;
  if (key === "" || /[*?[\]\\]|\/\.{0,2}(?:\/|$)/.test(key)) return null;
  let depth = 0;
  for (let at = key.indexOf("/"); at >= 0; at = key.indexOf("/", at + 1)) depth += 1;
  let tokens: Tokens | null = null;
  return {
    unknown: false,
    shape: tree ? "tree" : "path",
    key,
    minDepth: depth,
    maxDepth: tree ? Number.POSITIVE_INFINITY : depth,
    tokens: () => {
      tokens ??= tokenise(key, tree ? ["**"] : [], "exact", false);
      return tokens;
    },
  };
}

/** A Windows 8.3 name, e.g. `HERMES~1`: a second name of some other entry of the same folder. */
function isShortName(name: string): boolean {
  return /^[^./]{0,6}~\d{1,6}(?:\.[^./]{0,3})?$/.test(name);
}

/** The segment's text when no character of it is a glob, else `null`. */
function literalOf(segment: string): string | null {
  let out = "";
  const close = segment.lastIndexOf("]");
  for (let at = 0; at < segment.length; at += 1) {
    const unit = segment[at];
    if (unit === "*" || unit === "?") return null;
    if (unit === "[" && close > at) return null;
    if (unit === "\\" && at + 1 < segment.length) at += 1;
    out += segment[at];
  }
  return out;
}

function tokenise(key: string, segments: readonly string[], letters: Letters, driven: boolean): Tokens {
  const codes: number[] = [];
  const classes: CharacterClass[] = [];
  const push = (code: number): void => {
    codes.push(code);
  };
  for (const character of key) push(character.codePointAt(0) ?? 0);
  for (const segment of segments) {
    if (/^\*\*+$/.test(segment)) {
      if (codes[codes.length - 2] !== DEEP_SEGMENT) {
        push(DEEP_SEGMENT);
        push(DEEP);
      }
      continue;
    }
    push(0x2f);
    const literal = driven ? literalOf(segment) : null;
    if (literal !== null && isShortName(literal)) {
      push(ONE);
      push(STAR);
    } else tokeniseSegment(segment, push, classes, letters);
  }
  push(END);
  return { codes: Int32Array.from(codes), classes };
}

function tokeniseSegment(
  segment: string,
  push: (code: number) => void,
  classes: CharacterClass[],
  letters: Letters,
): void {
  if (segment === "*") push(ONE);
  let closable = true;
  let at = 0;
  while (at < segment.length) {
    const unit = segment[at];
    if (unit === "*" || unit === "?") {
      at = pushRun(segment, at, push);
      continue;
    }
    if (unit === "[" && closable) {
      const found = readClass(segment, at);
      if (found !== null) {
        // The shell that expands `[!a]` minds case: there it takes `A`, which the file system calls `a`.
        const unsure = found.set.unsure || (found.set.negated && letters === "fold");
        push(CLASS - classes.length);
        classes.push({ ...found.set, unsure });
        at = found.end;
        continue;
      }
      // Without this, a row of `[` would search the rest of the segment once for each.
      closable = false;
    }
    if (unit === "\\" && at + 1 < segment.length) at += 1;
    const code = segment.codePointAt(at) ?? 0;
    push(code);
    at += code > 0xffff ? 2 : 1;
  }
}

/** A run of `*` and `?`. Without `**` their order means nothing, so that equal sets get equal tokens. */
function pushRun(segment: string, from: number, push: (code: number) => void): number {
  let end = from;
  while (segment[end] === "*" || segment[end] === "?") end += 1;
  const run = segment.slice(from, end);
  if (!run.includes("**")) {
    for (const unit of run) if (unit === "?") push(ONE);
    if (run.includes("*")) push(STAR);
    return end;
  }
  for (const part of run.match(/\*+|\?/g) ?? []) push(part === "?" ? ONE : part === "*" ? STAR : DEEP);
  return end;
}

/** A bracket expression that opens at `from`, or `null` when it never closes and `[` is only a character. */
function readClass(segment: string, from: number): { set: CharacterClass; end: number } | null {
  let at = from + 1;
  const negated = segment[at] === "!" || segment[at] === "^";
  if (negated) at += 1;
  const codes: number[] = [];
  const ranges: [number, number][] = [];
  let unsure = false;
  let first = true;
  let named = true;
  while (at < segment.length) {
    const unit = segment[at];
    if (unit === "]" && !first) {
      for (const code of codes) ranges.push([code, code]);
      return { set: { text: segment.slice(from, at + 1), unsure, negated, ranges }, end: at + 1 };
    }
    first = false;
    const inner = segment[at + 1] ?? "";
    if (unit === "[" && named && (inner === ":" || inner === "." || inner === "=")) {
      const close = segment.indexOf(`${inner}]`, at + 2);
      unsure = true;
      if (close >= 0) {
        at = close + 2;
        continue;
      }
      named = false;
    }
    const low = readMember(segment, at);
    at = low.end;
    if (segment[at] === "-" && at + 1 < segment.length && segment[at + 1] !== "]") {
      const high = readMember(segment, at + 1);
      at = high.end;
      if (high.code < low.code) unsure = true;
      ranges.push([low.code, high.code]);
    } else codes.push(low.code);
  }
  return null;
}

function readMember(segment: string, from: number): { code: number; end: number } {
  const at = segment[from] === "\\" && from + 1 < segment.length ? from + 1 : from;
  const code = segment.codePointAt(at) ?? 0;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}
