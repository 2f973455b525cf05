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
  classOf,
  compileBound,
  DEEP,
  DEEP_SEGMENT,
  END,
  ONE,
  STAR,
  type Tokens,
} from "./bound.ts";

/**
 * Grid positions looked at before the answer is the careful one (some 10 ms). Two real paths with a few globs need
 * hundreds; two texts of a thousand wildcards each, which nobody needs, would pass it.
 */
const MAX_STEPS = 500_000;

/** What one comparison costs besides its steps, in steps: its rows and its tokens. */
const FIXED_STEPS = 20;

/** Steps that several comparisons share, so that many of them together stay bounded too; spent as they go. */
export interface Steps {
  left: number;
}

const SLASH = 0x2f;
const DOT = 0x2e;

/**
 * Could both name one same path? Never `false` when they could; see {@link boundsIntersect}. With nothing left of `steps` the answer
 * is yes.
 */
export function compiledIntersect(
  a: CompiledBound,
  b: CompiledBound,
  steps: Steps = { left: MAX_STEPS },
): boolean {
  if (a.unknown || b.unknown) return true;
  if (a.shape !== "glob" && b.shape !== "glob") {
    if (a.key === b.key) return true;
    return (a.shape === "tree" && isUnder(b.key, a.key)) || (b.shape === "tree" && isUnder(a.key, b.key));
  }
  const shorter = a.key.length <= b.key.length ? a.key : b.key;
  if (!isUnder(a.key, shorter) || !isUnder(b.key, shorter)) return false;
  if (a.maxDepth < b.minDepth || b.maxDepth < a.minDepth) return false;
  const wide = a.letters === "fold" && !(a.ascii && b.ascii);
  return walk(a.tokens(), b.tokens(), codePoints(shorter), true, steps, (left, i, right, j) =>
    stepTogether(left, i, right, j, wide),
  );
}

/**
 * Does every path of `inner` lie in `outer`? Never `true` when not sure; see {@link boundCovers}. When the walk is given up, less
 * than nothing is left of `steps`.
 */
export function compiledCovers(
  outer: CompiledBound,
  inner: CompiledBound,
  dotsMatch = false,
  steps: Steps = { left: MAX_STEPS },
): boolean {
  if (outer.unknown || inner.unknown) return false;
  if (outer.shape === "tree" && isUnder(inner.key, outer.key)) return true;
  if (outer.shape === "path") return inner.shape === "path" && inner.key === outer.key;
  if (outer.shape === "tree" && inner.shape !== "glob") return false;
  return walk(outer.tokens(), inner.tokens(), 0, false, steps, (left, i, right, j) =>
    stepInside(left, i, right, j, dotsMatch),
  );
}

function isUnder(key: string, folder: string): boolean {
  return key.startsWith(folder) && (key.length === folder.length || key.charCodeAt(folder.length) === SLASH);
}

function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Where a step may go from `(i, j)`: a set of these. */
const DOWN = 1;
const DOWN_TWO = 2;
const ACROSS = 4;
const ACROSS_TWO = 8;
const BOTH = 16;

type Step = (left: Tokens, i: number, right: Tokens, j: number) => number;

/** Is the end of both reachable from `(start, start)`? `careful` is the answer when that takes too long to tell. */
function walk(
  left: Tokens,
  right: Tokens,
  start: number,
  careful: boolean,
  steps: Steps,
  step: Step,
): boolean {
  const rows = left.codes.length - 1;
  const columns = right.codes.length - 1;
  const most = Math.min(steps.left, MAX_STEPS);
  // A step goes at most two tokens ahead, so three rows are all that is ever alive.
  let here = new Uint8Array(columns + 3);
  let next = new Uint8Array(columns + 3);
  let after = new Uint8Array(columns + 3);
  here[start] = 1;
  // The last marked column of each row. Scanning starts at the first one of the two rows above, since no step goes back.
  let hereLast = start;
  let nextLast = -1;
  let afterLast = -1;
  let above = start;
  let first = start;
  let taken = FIXED_STEPS;
  for (let i = start; i <= rows; i += 1) {
    let found = columns;
    for (let j = first; j <= hereLast; j += 1) {
      taken += 1;
      if (here[j] !== 1) continue;
      if (j < found) found = j;
      if (i === rows && j === columns) {
        steps.left -= taken;
        return true;
      }
      const moves = step(left, i, right, j);
      if (moves & DOWN) next[j] = 1;
      if (moves & DOWN_TWO) {
        after[j] = 1;
        afterLast = j;
      }
      if (moves & ACROSS) here[j + 1] = 1;
      if (moves & ACROSS_TWO) here[j + 2] = 1;
      if (moves & BOTH) next[j + 1] = 1;
      if (moves & (DOWN | BOTH)) nextLast = Math.max(nextLast, moves & BOTH ? j + 1 : j);
      if (moves & (ACROSS | ACROSS_TWO)) hereLast = Math.max(hereLast, moves & ACROSS_TWO ? j + 2 : j + 1);
    }
    if (taken > most) {
      steps.left -= taken;
      return careful;
    }
    here.fill(0, first, hereLast + 1);
    first = Math.min(above, found);
    above = found;
    [here, next, after] = [next, after, here];
    hereLast = nextLast;
    nextLast = afterLast;
    afterLast = -1;
    if (hereLast < 0 && nextLast < 0) break;
  }
  steps.left -= taken;
  return false;
}

function skip(code: number): number {
  if (code === STAR || code === DEEP) return 1;
  return code === DEEP_SEGMENT ? 2 : 0;
}

function stepTogether(a: Tokens, i: number, b: Tokens, j: number, wide: boolean): number {
  const codeA = a.codes[i] ?? END;
  const codeB = b.codes[j] ?? END;
  if (codeA >= 0 && codeB >= 0) return codeA === codeB ? BOTH : 0;
  const skipA = skip(codeA);
  const skipB = skip(codeB);
  let moves =
    (skipA === 0 ? 0 : skipA === 1 ? DOWN : DOWN_TWO) | (skipB === 0 ? 0 : skipB === 1 ? ACROSS : ACROSS_TWO);
  // Where a letter may be two characters for one reader, `?` and `[…]` may stand for none or several.
  const looseA = wide && (codeA === ONE || codeA <= CLASS);
  const looseB = wide && (codeB === ONE || codeB <= CLASS);
  if (looseA) moves |= DOWN;
  if (looseB) moves |= ACROSS;
  if (codeA === END || codeB === END || !meet(a, codeA, b, codeB, wide)) return moves;
  const staysA = looseA || codeA === STAR || codeA === DEEP;
  const staysB = looseB || codeB === STAR || codeB === DEEP;
  if (staysA) return staysB ? moves : moves | ACROSS;
  return moves | (staysB ? DOWN : BOTH);
}

/** Is there a character that both tokens take? */
function meet(a: Tokens, codeA: number, b: Tokens, codeB: number, wide: boolean): boolean {
  if (codeA === DEEP || codeB === DEEP) return true;
  const literalA = codeA === DEEP_SEGMENT ? SLASH : codeA;
  const literalB = codeB === DEEP_SEGMENT ? SLASH : codeB;
  if (literalA >= 0 && literalB >= 0) return literalA === literalB;
  // Two sets always meet: to say otherwise would need the locale's own order of letters.
  if (literalA < 0 && literalB < 0) return true;
  const literal = Math.max(literalA, literalB);
  if (literal === SLASH) return false;
  if (wide) return true;
  const set = codeA <= CLASS ? classOf(a, codeA) : codeB <= CLASS ? classOf(b, codeB) : null;
  return set === null || mayContain(set, literal);
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

function stepInside(outer: Tokens, i: number, inner: Tokens, j: number, dotsMatch: boolean): number {
  const holds = outer.codes[i] ?? END;
  const wanted = inner.codes[j] ?? END;
  const skipped = skip(holds);
  const moves = skipped === 0 ? 0 : skipped === 1 ? DOWN : DOWN_TWO;
  if (holds === END || wanted === END) return moves;
  // `(/…)?` twice is `(/…)?` once, so the outer `**` may go on taking whichever form it took.
  if (wanted === DEEP_SEGMENT) return holds === DEEP || holds === DEEP_SEGMENT ? moves | ACROSS_TWO : moves;
  if (holds === DEEP) return moves | ACROSS;
  if (wanted === DEEP) return moves;
  if (wanted === STAR) return holds === STAR ? moves | ACROSS : moves;
  if (holds >= 0) return holds === wanted ? BOTH : 0;
  if (holds === DEEP_SEGMENT) return wanted === SLASH ? moves | BOTH : moves;
  if (wanted === SLASH) return moves;
  // A shell's `*` passes hidden files by: a copy of `/a/*` may not hold `/a/.env`.
  if (!dotsMatch && wanted === DOT && inner.codes[j - 1] === SLASH) return moves;
  if (holds <= CLASS) {
    const set = classOf(outer, holds);
    if (set === null) return moves;
    const same = wanted <= CLASS && classOf(inner, wanted)?.text === set.text;
    return same || (wanted >= 0 && surelyContains(set, wanted)) ? moves | BOTH : moves;
  }
  return moves | (holds === STAR ? ACROSS : BOTH);
}

/**
 * Could both name one same path? `?` alone (a path that cannot be known) meets everything, and so does text that is no
 * bound. Globs and trees on both sides are compared exactly or too widely, never too narrowly: bracket expressions that
 * depend on a locale take any letter, two sets of characters always meet, and past half a million steps the answer is yes.
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
