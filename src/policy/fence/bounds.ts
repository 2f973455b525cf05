/**
 * How much of a task is kept. Past a bound a policy only gets stricter: a request is left out, a prohibition is read as
 * wide as its classes; never is a prohibition dropped to make room for a request. Whoever floods a task with words
 * gains nothing by it.
 */
import type { Dropped, Permission, Prohibition, Said, Target } from "./types.ts";

/** Of all turns together. A person who says more than this has said the rest of it before. */
export const MAX_PERMISSIONS = 256;
export const MAX_PROHIBITIONS = 256;
const MAX_DROPPED = 128;
const MAX_NAMED = 256;
const MAX_DELEGATED = 16;

/** Characters of JSON, all rows of a kind together: a policy is one row of a session's object, some 256 KB at most. */
const MOST_PERMISSIONS = 112 * 1024;
const MOST_PROHIBITIONS = 80 * 1024;
const MOST_DROPPED = 32 * 1024;
const MOST_NAMED = 24 * 1024;
/** Of one row. A clause that names more than this is a list that somebody should look at. */
const MOST_OF_ONE = 24 * 1024;

const sizeOf = (row: unknown): number => JSON.stringify(row).length + 1;

/** The first of them that fit. */
function fitting<T>(rows: readonly T[], count: number, characters: number): readonly T[] {
  let left = characters;
  const kept: T[] = [];
  for (const row of rows) {
    left -= sizeOf(row);
    if (kept.length === count || left < 0) break;
    kept.push(row);
  }
  return kept;
}

/** What was asked before, and as much of what is asked now as there is room for; the rest is left out, with its reason. */
export function roomFor(
  before: readonly Permission[],
  more: readonly Permission[],
): { readonly permissions: readonly Permission[]; readonly lost: readonly Dropped[] } {
  let left = MOST_PERMISSIONS - before.reduce((sum, one) => sum + sizeOf(one), 0);
  const permissions = [...before];
  const lost: Dropped[] = [];
  for (const one of more) {
    const size = sizeOf(one);
    if (permissions.length < MAX_PERMISSIONS && size <= left && size <= MOST_OF_ONE) {
      permissions.push(one);
      left -= size;
    } else lost.push({ quote: one.quote, span: one.span, cause: "too-many-requests" });
  }
  return { permissions, lost };
}

/**
 * Past the bound, the newest are kept in one for each verdict, which holds for all their classes without what narrowed
 * them. It stands in the newest turn: an older request must not lift what was forbidden after it.
 */
export function limited(prohibitions: readonly Prohibition[]): readonly Prohibition[] {
  const rows = prohibitions.map((one) => (sizeOf(one) > MOST_OF_ONE ? widened(one, [one]) : one));
  const whole = fitting(rows, MAX_PROHIBITIONS, MOST_PROHIBITIONS);
  if (whole.length === rows.length) return rows;
  const kept = fitting(rows, MAX_PROHIBITIONS - 2, MOST_PROHIBITIONS - 2 * MOST_OF_ONE);
  const rest = rows.slice(kept.length);
  return [
    ...kept,
    ...(["block", "ask"] as const).flatMap((verdict) => {
      const same = rest.filter((one) => one.verdict === verdict);
      const newest = same.at(-1);
      return newest === undefined ? [] : [widened(newest, same)];
    }),
  ];
}

/** All that any of them forbids, whatever it was narrowed to. */
function widened(newest: Prohibition, all: readonly Prohibition[]): Prohibition {
  return {
    ...newest,
    risks: all.some(({ risks }) => risks === "all")
      ? "all"
      : [...new Set(all.flatMap(({ risks }) => (risks === "all" ? [] : risks)))],
    verbs: [],
    object: [],
    targets: [],
    except: false,
  };
}

export const fewDropped = (dropped: readonly Dropped[]): readonly Dropped[] =>
  fitting(dropped, MAX_DROPPED, MOST_DROPPED);

/** What is not known to be named is far-fetched: fewer names make a policy stricter. */
export const fewNamed = (named: readonly Target[]): readonly Target[] =>
  fitting(named, MAX_NAMED, MOST_NAMED);

/** One of them is as good as many: while there is one, whatever nobody asked for is asked about. */
export const fewDelegated = (delegated: readonly Said[]): readonly Said[] =>
  delegated.slice(0, MAX_DELEGATED);
