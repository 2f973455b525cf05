/** A purge, for the API and for the pages: recorded before anything is removed, then as far as one request's time goes. */
import type { Context } from "hono";
import { PURGED, type Purged, purgeBatches, readPurged } from "../db/purged.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { governLater } from "./governing.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One request removes for this long at most; the next goes on. */
const WORKS_FOR_MS = 5_000;

/** How far a purge got. */
export interface PurgeState {
  readonly before: number;
  readonly removed: Readonly<Record<Purged, number>>;
  readonly done: boolean;
}

/** Everything older than so many days; all of it; or what a purge on record has left. */
export type PurgeWish =
  | { readonly kind: "older"; readonly days: number }
  | { readonly kind: "before"; readonly before: number }
  | { readonly kind: "rest" };

/**
 * Removes what is older. A purge that goes on is the one that is on record.
 * @throws {Problem} `unavailable` while the database cannot be written: it is on record, and to be asked for again
 */
export async function purgeAsAsked(c: Context<AppEnv>, wish: PurgeWish): Promise<PurgeState> {
  const { organization, member } = memberCaller(c);
  const now = Date.now();
  const recorded = await readPurged(c.env.DB, organization);
  const before = beforeOf(wish, recorded, now);
  if (before > recorded) {
    const { in_force } = await governLater(c, organization, { kind: "purge", before }, member);
    if (!in_force)
      throw new Problem(
        "unavailable",
        "The purge is on record, and the database cannot be written now: nothing is removed yet. Ask for it again.",
        { headers: { "retry-after": "10" }, extra: { before } },
      );
  }
  const removed: Record<Purged, number> = { said: 0, evidence: 0, skill_writes: 0, records: 0 };
  const isLate = (): boolean => Date.now() - now > WORKS_FOR_MS;
  for (const what of PURGED) {
    if (isLate()) return { before, removed, done: false };
    for await (const rows of purgeBatches(c.env.DB, organization, what, before)) {
      removed[what] += rows;
      if (isLate()) return { before, removed, done: false };
    }
  }
  return { before, removed, done: true };
}

/** Never in the future: what comes after this request is not meant. */
function beforeOf(wish: PurgeWish, recorded: number, now: number): number {
  if (wish.kind === "rest") return recorded;
  const asked = wish.kind === "before" ? wish.before : now + 1 - wish.days * DAY_MS;
  return Math.min(Math.max(asked, 0), now + 1);
}
