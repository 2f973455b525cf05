/**
 * Whether two bounds can meet, and whether one surely holds the other. Each token is a step through the other side's
 * text, so both questions are a walk over a grid of positions that only ever goes forward: no backtracking, no RegExp
 * made of text that someone else wrote.
 */

import type { PathBound } from "../types.ts";
import {
  type CharacterClass,
  CLASS,
  type CompiledBound,
  compileBound,
  DEEP,
  DEEP_SEGMENT,
  LITERAL,
  ONE,
  STAR,
  type Tokens,
} from "./bound.ts";

/**
 * Grid positions looked at before the answer is the careful one (some 5 ms). Two real paths with a few globs need
 * hundreds; two texts of a thousand wildcards each, which nobody needs, would pass it.
 */
const MAX_STEPS = 1_000_000;

const SLASH = 0x2f;
const DOT = 0x2e;

/** Could both name one same path? Never `false` when they could; see {@link boundsIntersect}. */
export function compiledIntersect(a: CompiledBound, b: CompiledBound): boolean {
  if (a.unknown || b.unknown) return true;
  if (a.shape !== "glob" && b.shape !== "glob") {
    if (a.key === b.key) return true;
    return (a.shape === "tree" && isUnder(b.key, a.key)) || (b.shape === "tree" && isUnder(a.key, b.key));
  }
  const shorter = a.key.length <= b.key.length ? a.key : b.key;
  if (!isUnder(a.key, shorter) || !isUnder(b.key, shorter)) return false;
  const wide = a.letters === "fold" && !(a.ascii && b.ascii);
  return walk(a.tokens(), b.tokens(), [...shorter].length, true, (left, i, right, j, mark) =>
    stepTogether(left, i, right, j, wide, mark),
  );
}

/** Does every path of `inner` lie in `outer`? Never `true` when not sure; see {@link boundCovers}. */
export function compiledCovers(outer: CompiledBound, inner: CompiledBound, dotsMatch = false): boolean {
  if (outer.unknown || inner.unknown) return false;
  if (outer.shape === "tree" && isUnder(inner.key, outer.key)) return true;
  if (outer.shape === "path") return inner.shape === "path" && inner.key === outer.key;
  if (outer.shape === "tree" && inner.shape !== "glob") return false;
  return walk(outer.tokens(), inner.tokens(), 0, false, (left, i, right, j, mark) =>
    stepInside(left, i, right, j, dotsMatch, mark),
  );
}

function isUnder(key: string, folder: string): boolean {
  return key.startsWith(folder) && (key.length === folder.length || key.charCodeAt(folder.length) === SLASH);
}

type Mark = (i: number, j: number) => void;
type Step = (left: Tokens, i: number, right: Tokens, j: number, mark: Mark) => void;

/** Is the end of both reachable from `(start, start)`? `careful` is the answer when that takes too long to tell. */
function walk(left: Tokens, right: Tokens, start: number, careful: boolean, step: Step): boolean {
  const rows = left.kinds.length;
  const columns = right.kinds.length;
  // A step goes at most two tokens ahead, so three rows are all that is ever alive.
  const alive = [
    new Uint8Array(columns + 3),
    new Uint8Array(columns + 3),
    new Uint8Array(columns + 3),
  ] as const;
  const row = (i: number): Uint8Array => (i % 3 === 0 ? alive[0] : i % 3 === 1 ? alive[1] : alive[2]);
  const first = [columns, columns, columns];
  const last = [-1, -1, -1];
  const mark: Mark = (i, j) => {
    row(i)[j] = 1;
    if (j < (first[i % 3] ?? 0)) first[i % 3] = j;
    if (j > (last[i % 3] ?? 0)) last[i % 3] = j;
  };
  mark(start, start);
  let steps = 0;
  for (let i = start; i <= rows; i += 1) {
    const here = row(i);
    for (let j = first[i % 3] ?? 0; j <= (last[i % 3] ?? -1); j += 1) {
      steps += 1;
      if (here[j] !== 1) continue;
      if (i === rows && j === columns) return true;
      step(left, i, right, j, mark);
    }
    if (steps > MAX_STEPS) return careful;
    here.fill(0);
    first[i % 3] = columns;
    last[i % 3] = -1;
  }
  return false;
}

function skip(tokens: Tokens, at: number): number {
  const kind = tokens.kinds[at];
  if (kind === DEEP_SEGMENT) return 2;
  return kind === STAR || kind === DEEP ? 1 : 0;
}

function stepTogether(a: Tokens, i: number, b: Tokens, j: number, wide: boolean, mark: Mark): void {
  const skipA = skip(a, i);
  const skipB = skip(b, j);
  if (skipA > 0) mark(i + skipA, j);
  if (skipB > 0) mark(i, j + skipB);
  const kindA = a.kinds[i];
  const kindB = b.kinds[j];
  // Where a letter may be two characters for one reader, `?` and `[…]` may stand for none or several.
  const looseA = wide && (kindA === ONE || kindA === CLASS);
  const looseB = wide && (kindB === ONE || kindB === CLASS);
  if (looseA) mark(i + 1, j);
  if (looseB) mark(i, j + 1);
  if (kindA === undefined || kindB === undefined) return;
  if (!meet(a, i, b, j, wide)) return;
  const nextA = looseA || kindA === STAR || kindA === DEEP ? i : i + 1;
  const nextB = looseB || kindB === STAR || kindB === DEEP ? j : j + 1;
  if (nextA !== i || nextB !== j) mark(nextA, nextB);
}

/** Is there a character that both tokens take? */
function meet(a: Tokens, i: number, b: Tokens, j: number, wide: boolean): boolean {
  const kindA = a.kinds[i];
  const kindB = b.kinds[j];
  if (kindA === DEEP || kindB === DEEP) return true;
  const literalA = literalAt(a, i);
  const literalB = literalAt(b, j);
  if (literalA !== null && literalB !== null) return literalA === literalB;
  // Two sets always meet: to say otherwise would need the locale's own order of letters.
  if (literalA === null && literalB === null) return true;
  const literal = literalA ?? literalB ?? SLASH;
  if (literal === SLASH) return false;
  const set = kindA === CLASS ? classAt(a, i) : kindB === CLASS ? classAt(b, j) : null;
  return set === null || wide || mayContain(set, literal);
}

function literalAt(tokens: Tokens, at: number): number | null {
  const kind = tokens.kinds[at];
  if (kind === DEEP_SEGMENT) return SLASH;
  return kind === LITERAL ? (tokens.values[at] ?? null) : null;
}

function classAt(tokens: Tokens, at: number): CharacterClass | null {
  return tokens.classes[tokens.values[at] ?? -1] ?? null;
}

function isLetterRange(low: number, high: number): boolean {
  return low !== high && !(low >= 0x30 && high <= 0x39);
}

function mayContain(set: CharacterClass, code: number): boolean {
  if (set.unsure) return true;
  let inside = false;
  for (const [low, high] of set.ranges) {
    if (!isLetterRange(low, high)) {
      inside ||= code >= low && code <= high;
      continue;
    }
    // Between letters the order is the locale's: in some, `[a-z]` takes `B` and `é`.
    if (set.negated) return true;
    const upper = code >= 0x61 && code <= 0x7a ? code - 32 : code;
    const lower = code >= 0x41 && code <= 0x5a ? code + 32 : code;
    inside ||=
      (code >= low && code <= high) || (upper >= low && upper <= high) || (lower >= low && lower <= high);
    inside ||= code > 0x7f;
  }
  return inside !== set.negated;
}

function surelyContains(set: CharacterClass, code: number): boolean {
  if (set.unsure || set.negated) return false;
  return set.ranges.some(([low, high]) => {
    if (code < low || code > high) return false;
    if (low === high) return true;
    const digits = low >= 0x30 && high <= 0x39;
    return digits || (low >= 0x41 && high <= 0x5a) || (low >= 0x61 && high <= 0x7a);
  });
}

function stepInside(
  outer: Tokens,
  i: number,
  inner: Tokens,
  j: number,
  dotsMatch: boolean,
  mark: Mark,
): void {
  const skipped = skip(outer, i);
  if (skipped > 0) mark(i + skipped, j);
  const kind = outer.kinds[i];
  const wanted = inner.kinds[j];
  if (kind === undefined || wanted === undefined) return;
  if (wanted === DEEP_SEGMENT) {
    // `(/…)?` twice is `(/…)?` once, so the outer `**` may go on taking whichever form it took.
    if (kind === DEEP || kind === DEEP_SEGMENT) mark(i, j + 2);
    return;
  }
  if (kind === DEEP) {
    mark(i, j + 1);
    return;
  }
  if (wanted === DEEP) return;
  if (wanted === STAR) {
    if (kind === STAR) mark(i, j + 1);
    return;
  }
  const code = wanted === LITERAL ? (inner.values[j] ?? SLASH) : null;
  if (kind === LITERAL || kind === DEEP_SEGMENT) {
    if (code !== null && code === literalAt(outer, i)) mark(i + 1, j + 1);
    return;
  }
  if (code === SLASH) return;
  // A shell's `*` passes hidden files by: a copy of `/a/*` may not hold `/a/.env`.
  if (!dotsMatch && code === DOT && inner.values[j - 1] === SLASH && inner.kinds[j - 1] === LITERAL) return;
  if (kind === CLASS) {
    const set = classAt(outer, i);
    if (set === null) return;
    const same = wanted === CLASS && classAt(inner, j)?.text === set.text;
    if (same || (code !== null && surelyContains(set, code))) mark(i + 1, j + 1);
    return;
  }
  mark(kind === STAR ? i : i + 1, j + 1);
}

/**
 * Could both name one same path? `?` alone (a path that cannot be known) meets everything, and so does text that is no
 * bound. Globs and trees on both sides are compared exactly or too widely, never too narrowly: bracket expressions that
 * depend on a locale take any letter, two sets of characters always meet, and past a million steps the answer is yes.
 * With `foldCase`, letters that any case-blind file system takes together are one, composed and decomposed forms too, and
 * a Windows 8.3 name (`HERMES~1` below a drive) may be any entry of its folder.
 */
export function boundsIntersect(a: PathBound, b: PathBound, foldCase = false): boolean {
  const letters = foldCase ? "fold" : "exact";
  return compiledIntersect(compileBound(a, letters), compileBound(b, letters));
}

/**
 * Does every path of `inner` lie in `outer`? `false` when that is not sure. Nothing covers `?`. An outer `*` is not taken to
 * cover a name that starts with a dot, since the shell that expanded it may have left it out; with `foldCase` only ASCII
 * letters are taken together.
 */
export function boundCovers(outer: PathBound, inner: PathBound, foldCase = false): boolean {
  const letters = foldCase ? "ascii" : "exact";
  return compiledCovers(compileBound(outer, letters), compileBound(inner, letters));
}

/**
 * {@link boundCovers} for an outer bound that no shell expands, an oath's pattern: there a leading dot is a character like any other.
 */
export function patternCovers(pattern: PathBound, inner: PathBound, foldCase = false): boolean {
  const letters = foldCase ? "ascii" : "exact";
  return compiledCovers(compileBound(pattern, letters), compileBound(inner, letters), true);
}
