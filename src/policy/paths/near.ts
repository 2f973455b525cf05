/** Many bounds by the folders that they begin with, so that one bound is compared only with those near it. */

import type { CompiledBound } from "./bound.ts";

export interface NearIndex {
  /** Every distinct leading literal path, in code-unit order. */
  readonly keys: readonly string[];
  /** Places of the bounds that begin with it. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  /** The length of the longest: of what is looked for, no folder with a longer path is among them. */
  readonly longest?: number;
}

/** Indexes bounds by their places in the list; all of them read with the same letters as what is looked for. */
export function nearIndex(bounds: readonly CompiledBound[]): NearIndex {
  const byKey = new Map<string, number[]>();
  for (const [at, { key }] of bounds.entries()) {
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [at]);
    else known.push(at);
  }
  const keys = [...byKey.keys()].sort();
  return { keys, byKey, longest: Math.max(0, ...keys.map((key) => key.length)) };
}

/** Places of the bounds that begin at `bound` or above it: only these could hold all of it. */
export function above(index: NearIndex, bound: CompiledBound): number[] {
  const longest = index.longest ?? Number.POSITIVE_INFINITY;
  const found: number[] = [...(index.byKey.get("") ?? [])];
  for (let end = bound.key.indexOf("/", 1); bound.key !== ""; end = bound.key.indexOf("/", end + 1)) {
    if ((end < 0 ? bound.key.length : end) > longest) break;
    found.push(...(index.byKey.get(end < 0 ? bound.key : bound.key.slice(0, end)) ?? []));
    if (end < 0) break;
  }
  return found;
}

/** Places of the bounds that could meet `bound`: those above it, and, unless it is one path, those that begin below it. */
export function near(index: NearIndex, bound: CompiledBound): number[] {
  if (bound.unknown) return [...index.byKey.values()].flat();
  const found = above(index, bound);
  if (bound.shape === "path") return found;
  const under = `${bound.key}/`;
  for (let at = firstAtOrAfter(index.keys, under); at < index.keys.length; at += 1) {
    const key = index.keys[at] ?? "";
    if (!key.startsWith(under)) break;
    found.push(...(index.byKey.get(key) ?? []));
  }
  return found;
}

function firstAtOrAfter(keys: readonly string[], wanted: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
