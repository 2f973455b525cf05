/** A purge as the settings' page asks for it: private text goes, in bounded steps; the record of it stays. */
import type { Context } from "hono";
import { PURGED, type Purged, purgeBatch, readPurged } from "../../db/purged.ts";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { govern } from "../../http/governing.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One request removes for this long at most; the next goes on. */
const WORKS_FOR_MS = 5_000;

/** How far a purge got. */
export interface PurgeState {
  readonly before: number;
  readonly removed: Readonly<Record<Purged, number>>;
  readonly done: boolean;
}

/** What the form asks for: everything older than so many days, or what a purge on record has left. */
export type PurgeWish = { readonly kind: "older"; readonly days: number } | { readonly kind: "rest" };

/**
 * Removes what is older, as far as one request's time goes. It is recorded before anything is removed; a purge that goes
 * on is the one that is on record.
 * @throws {Problem} `unavailable` while the database cannot be written; else as `govern` does
 */
export async function purgeAsAsked(c: Context<AppEnv>, wish: PurgeWish): Promise<PurgeState> {
  const { organization } = memberCaller(c);
  const now = Date.now();
  const recorded = await readPurged(c.env.DB, organization);
  const before = wish.kind === "rest" ? recorded : Math.max(0, now + 1 - wish.days * DAY_MS);
  if (before > recorded) await record(c, before);
  const removed: Record<Purged, number> = { said: 0, evidence: 0, skill_writes: 0, records: 0 };
  for (const what of PURGED)
    for (let isLast = false; !isLast; ) {
      if (Date.now() - now > WORKS_FOR_MS) return { before, removed, done: false };
      const batch = await purgeBatch(c.env.DB, organization, what, before);
      removed[what] += batch.rows;
      isLast = batch.isLast;
    }
  return { before, removed, done: true };
}

/** Puts a purge on record. While the database cannot be written there is nothing to go on with. */
async function record(c: Context<AppEnv>, before: number): Promise<void> {
  const { organization, member } = memberCaller(c);
  try {
    await govern(c, organization, { kind: "purge", before }, member);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "publish-pending")) throw error;
    throw new Problem("unavailable", "The purge is on record, and the database cannot be written now.", {
      headers: { "retry-after": "10" },
    });
  }
}
