/**
 * One question asked of many bounds within one budget of steps. Whoever asks says what a spent budget means: it is told
 * apart from an answer, and never taken for the convenient one.
 */

import type { PathBound } from "../types.ts";
import { compileBound } from "./bound.ts";
import { compiledCovers, compiledIntersect, type Steps } from "./match.ts";
import { above, near, nearIndex } from "./near.ts";

/** Steps for one pair of bounds; the same as when a pair is compared by itself. */
const MAX_PAIR_STEPS = 500_000;

export interface Held {
  /** Places of the bounds that surely hold it, ascending. */
  readonly by: readonly number[];
  /** True when some comparison was not carried to its end. */
  readonly unsure: boolean;
}

/**
 * Which of `outers` hold a bound? As {@link boundCovers}, or, with `dotsMatch`, as {@link patternCovers}.
 * @returns a function, so that the bounds are read once for all that is asked of them
 */
export function holding(
  outers: readonly PathBound[],
  { foldCase, dotsMatch }: { foldCase: boolean; dotsMatch: boolean },
  steps: Steps,
): (inner: PathBound) => Held {
  const letters = foldCase ? "ascii" : "exact";
  const compiled = outers.map((outer) => compileBound(outer, letters));
  const index = nearIndex(compiled);
  return (inner) => {
    const wanted = compileBound(inner, letters);
    const by: number[] = [];
    let unsure = false;
    for (const at of above(index, wanted)) {
      const outer = compiled[at];
      if (outer === undefined) continue;
      steps.left -= 1;
      if (steps.left < 0) {
        unsure = true;
        break;
      }
      const pair: Steps = { left: Math.min(steps.left, MAX_PAIR_STEPS) };
      const before = pair.left;
      if (compiledCovers(outer, wanted, dotsMatch, pair)) by.push(at);
      else unsure ||= pair.left < 0;
      steps.left -= before - pair.left;
    }
    return { by: by.sort((a, b) => a - b), unsure };
  };
}

/**
 * Which of `bounds` could share a path with another bound? As {@link boundsIntersect}: with nothing left of `steps`, all
 * that are near it do.
 * @returns places, in no order
 */
export function meeting(
  bounds: readonly PathBound[],
  foldCase: boolean,
  steps: Steps,
): (other: PathBound) => number[] {
  const letters = foldCase ? "fold" : "exact";
  const compiled = bounds.map((bound) => compileBound(bound, letters));
  const index = nearIndex(compiled);
  return (other) => {
    const wanted = compileBound(other, letters);
    return near(index, wanted).filter((at) => {
      const bound = compiled[at];
      steps.left -= 1;
      return bound !== undefined && (steps.left < 0 || compiledIntersect(bound, wanted, steps));
    });
  };
}
