/**
 * What the clock removes, for each organization that wants it: private text past its days, and the objects of sessions
 * in which nothing has happened for so long. Bounded; what is left is the next run's.
 */
import {
  keepLooked,
  keepRemoved,
  listQuiet,
  organizationsToRetain,
  type QuietRow,
  type RetainingRow,
} from "../db/retention.ts";
import { log } from "../log.ts";
import { withBoundedDatabase } from "./database.ts";
import { governAs } from "./governing.ts";
import { purgeOn } from "./purging.ts";
import { callObject, sessionStub } from "./sessions.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One organization's part of a run. */
const SLICE_MS = 5_000;
/** Organizations of one run. */
const MOST_ORGANIZATIONS = 50;
/** How soon one is looked at again: while it is not done, and when it is. */
const GOES_ON_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 15 * 60_000;
/** Objects that one organization has removed in one run. */
const MOST_REMOVED = 50;

interface RetentionSettings {
  readonly private_days?: number;
  readonly ended_sessions_days?: number;
}

/**
 * Removes what is past its days. One organization that fails holds up none of the others.
 * @param now epoch milliseconds
 * @param until when to break off, epoch milliseconds; the next run goes on
 */
export async function retain(env: Env, now: number, until: number): Promise<void> {
  const bounded = withBoundedDatabase(env);
  const notSince = { undone: now - GOES_ON_AFTER_MS, done: now - LOOK_EVERY_MS };
  for (const row of await organizationsToRetain(bounded.DB, notSince, MOST_ORGANIZATIONS)) {
    if (Date.now() >= until) return;
    try {
      await retainIn(bounded, row, now, Math.min(until, Date.now() + SLICE_MS));
    } catch (error) {
      log.error("retention-failed", error, { organization: row.organization });
    }
  }
}

async function retainIn(env: Env, row: RetainingRow, now: number, until: number): Promise<void> {
  const { organization } = row;
  const isLate = (): boolean => Date.now() >= until;
  await keepLooked(env.DB, organization, now);
  const settings = (row.settings === null ? {} : JSON.parse(row.settings)) as RetentionSettings;
  let before = row.purged_before;
  if (settings.private_days !== undefined) {
    // Whole days, so that one purge a day is on record and not one a minute.
    const due = Math.floor((now - settings.private_days * DAY_MS) / DAY_MS) * DAY_MS;
    if (due > before) {
      const change = { kind: "purge", before: due } as const;
      const { in_force } = await governAs(env, organization, change, null, `retention/${due}`);
      if (in_force) before = due;
    }
  }
  await purgeOn(env, organization, before, isLate);
  if (settings.ended_sessions_days !== undefined)
    await removeQuiet(env, organization, now - settings.ended_sessions_days * DAY_MS, now, isLate);
}

/** Removes the objects of sessions in which nothing has happened since, where all that they hold stands elsewhere. */
async function removeQuiet(
  env: Env,
  organization: string,
  since: number,
  now: number,
  isLate: () => boolean,
): Promise<void> {
  let after: Pick<QuietRow, "at"> & { chain: string } = { at: 0, chain: "" };
  for (let n = 0; n < MOST_REMOVED && !isLate(); n += 1) {
    const [quiet] = await listQuiet(env.DB, organization, since, after, 1);
    if (quiet === undefined) return;
    after = { at: quiet.at, chain: `session:${quiet.root}` };
    const { root, seq, hash } = quiet;
    if (!(await seeToMembers(env, organization, root, isLate))) return;
    const change = { kind: "retire_session", root, seq, hash } as const;
    await governAs(env, organization, change, null, `retired/${hash}`);
    // Known before it is done: whoever compares the copy with an object that is gone must not take it for lost.
    await keepRemoved(env.DB, organization, root, now);
    const removed = await callObject(
      () => sessionStub(env, organization, root),
      (stub) => stub.remove({ seq, hash }),
    );
    if (removed?.removed !== true) await keepRemoved(env.DB, organization, root, null);
  }
}

/**
 * Has the objects of a family's other members hold nothing but where its root is, which stays: so a late call to any of
 * them is told that the session is over. Those that are made now never hold more.
 * @returns false where there are more: the next run goes on
 */
async function seeToMembers(
  env: Env,
  organization: string,
  root: string,
  isLate: () => boolean,
): Promise<boolean> {
  let visited: string | null = null;
  for (;;) {
    const from: string | null = visited;
    const members: string[] = await callObject(
      () => sessionStub(env, organization, root),
      (stub) => stub.members(from),
    );
    if (members.length === 0) return true;
    if (isLate()) return false;
    // On being called an object takes the form that it is to have.
    for (const member of members)
      await callObject(
        () => sessionStub(env, organization, member),
        (stub) => stub.locate(),
      );
    visited = members.at(-1) ?? null;
  }
}
