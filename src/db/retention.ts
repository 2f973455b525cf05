/** How far each organization's purge has got, and which of its objects are still to forget or to be removed. */
import { inLists } from "./lists.ts";
import { readPurged } from "./purged.ts";

export interface PurgeProgress {
  readonly before: number;
  /** What is older is gone everywhere. */
  readonly clean_before: number;
  /** JSON; `null` when it is done. */
  readonly cursor: string | null;
}

/** Begins a purge, or the one that takes more in place of one that is not done. Again, it changes nothing. */
export async function beginPurge(
  db: D1Database,
  organization: string,
  before: number,
  cursor: string,
): Promise<PurgeProgress> {
  const [, read] = await db.batch<PurgeProgress>([
    db
      .prepare(
        `INSERT INTO retention (organization_id, before, cursor) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET before = excluded.before, cursor = excluded.cursor
         WHERE excluded.before > retention.before`,
      )
      .bind(organization, before, cursor),
    db
      .prepare("SELECT before, clean_before, cursor FROM retention WHERE organization_id = ?")
      .bind(organization),
  ]);
  const row = read?.results[0];
  if (row === undefined) throw new Error("a purge that was just begun is not there");
  return row;
}

/** Keeps where a purge goes on. One that was replaced by another meanwhile is left alone. @param cursor `null`: done */
export async function keepPurge(
  db: D1Database,
  organization: string,
  before: number,
  cursor: string | null,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE retention SET cursor = ?3, ran_at = ?4, clean_before = iif(?3 IS NULL, before, clean_before)
       WHERE organization_id = ?1 AND before = ?2`,
    )
    .bind(organization, before, cursor, now)
    .run();
}

export interface PurgeRows {
  /** Of the last purge on record: when, and its body with `by` and `before`; `null` where there was none. */
  readonly last: { readonly at: number; readonly body: string } | null;
  /** Since when private text is kept. */
  readonly purged_before: number;
  /** How far it got; `null` where no purge has begun. */
  readonly progress: PurgeProgress | null;
}

/** What is known of an organization's purges. */
export async function readPurges(db: D1Database, organization: string): Promise<PurgeRows> {
  const [last, purged_before, progress] = await Promise.all([
    db
      .prepare(
        `SELECT at, body FROM records WHERE organization_id = ? AND chain = 'organization' AND kind = 'purge'
         ORDER BY at DESC LIMIT 1`,
      )
      .bind(organization)
      .first<{ at: number; body: string }>(),
    readPurged(db, organization),
    db
      .prepare("SELECT before, clean_before, cursor FROM retention WHERE organization_id = ?")
      .bind(organization)
      .first<PurgeProgress & Record<string, unknown>>(),
  ]);
  return { last, purged_before, progress };
}

export interface RetainingRow {
  readonly organization: string;
  /** JSON: `{private_days?, ended_sessions_days?}`; `null` where nothing is set. */
  readonly settings: string | null;
  readonly purged_before: number;
  readonly cursor: string | null;
}

/** Organizations that remove something by themselves or whose purge is not begun or not done, those that waited longest first. */
export async function organizationsToRetain(
  db: D1Database,
  notSince: { readonly undone: number; readonly done: number },
  limit: number,
): Promise<RetainingRow[]> {
  const { results } = await db
    .prepare(
      `SELECT o.organization_id AS organization, o.settings -> '$.retention' AS settings, o.purged_before, r.cursor
       FROM organizations AS o LEFT JOIN retention AS r ON r.organization_id = o.organization_id
       WHERE (r.cursor IS NOT NULL AND r.ran_at < ?1)
         OR (o.purged_before > coalesce(r.before, 0) AND coalesce(r.ran_at, 0) < ?1)
         OR (o.settings -> '$.retention' IS NOT NULL AND coalesce(r.ran_at, 0) < ?2)
       ORDER BY coalesce(r.ran_at, 0), o.organization_id LIMIT ?3`,
    )
    .bind(notSince.undone, notSince.done, limit)
    .all<RetainingRow & Record<string, unknown>>();
  return results;
}

/** Notes that an organization was looked at, so that the others come first next time. */
export async function keepLooked(db: D1Database, organization: string, now: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO retention (organization_id, before, ran_at) VALUES (?, 0, ?)
       ON CONFLICT DO UPDATE SET ran_at = excluded.ran_at`,
    )
    .bind(organization, now)
    .run();
}

/** Chains of sessions begin so; the character after the colon ends their range. */
const SESSIONS = "session:";
const AFTER_SESSIONS = "session;";

export interface ForgetfulWindow {
  /** Root sessions whose objects may hold what is older. */
  readonly roots: readonly string[];
  /** The last chain that was looked at; `null` at the end. */
  readonly last: string | null;
}

/** The next sessions in the order of their names, of which those are told whose objects are there and have news. */
export async function listToForget(
  db: D1Database,
  organization: string,
  before: number,
  after: string,
  limit: number,
): Promise<ForgetfulWindow> {
  const { results } = await db
    .prepare(
      `SELECT chain, removed_at IS NULL AND forgotten_before < ?2 AND at >= forgotten_before AS waits FROM heads
       WHERE organization_id = ?1 AND chain > ?3 AND chain < '${AFTER_SESSIONS}' ORDER BY chain LIMIT ?4`,
    )
    .bind(organization, before, after === "" ? SESSIONS : after, limit)
    .all<{ chain: string; waits: number }>();
  return {
    roots: results.flatMap(({ chain, waits }) => (waits === 1 ? [chain.slice(SESSIONS.length)] : [])),
    last: results.length < limit ? null : (results.at(-1)?.chain ?? null),
  };
}

/** Keeps that these sessions' objects hold nothing older. */
export async function keepForgotten(
  db: D1Database,
  organization: string,
  roots: readonly string[],
  before: number,
): Promise<void> {
  const statements = inLists(
    roots,
    (json) => [
      db
        .prepare(
          `UPDATE heads SET forgotten_before = max(forgotten_before, ?2)
           WHERE organization_id = ?1 AND chain IN (SELECT '${SESSIONS}' || value FROM json_each(?3))`,
        )
        .bind(organization, before, json),
    ],
    () => [],
  );
  if (statements.length > 0) await db.batch(statements);
}

/** The next agents in the order of their ids. */
export async function listAgentIds(
  db: D1Database,
  organization: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT agent_id FROM agents WHERE organization_id = ? AND agent_id > ? ORDER BY agent_id LIMIT ?",
    )
    .bind(organization, after, limit)
    .all<{ agent_id: string }>();
  return results.map(({ agent_id }) => agent_id);
}

export interface QuietRow {
  readonly root: string;
  readonly seq: number;
  readonly hash: string;
  readonly at: number;
}

/**
 * Sessions in which nothing has happened since, whose chain is sealed to its end and stands in the records whole, the
 * quietest first.
 * @param after the last one that was looked at
 */
export async function listQuiet(
  db: D1Database,
  organization: string,
  since: number,
  after: { readonly at: number; readonly chain: string },
  limit: number,
): Promise<QuietRow[]> {
  const { results } = await db
    .prepare(
      `SELECT substr(h.chain, ${SESSIONS.length + 1}) AS root, h.seq, h.hash, h.at FROM heads AS h
       WHERE h.organization_id = ?1 AND h.removed_at IS NULL AND h.at < ?2 AND (h.at, h.chain) > (?3, ?4)
         AND h.at >= ?3 AND h.chain >= '${SESSIONS}' AND h.chain < '${AFTER_SESSIONS}' AND h.sealed_seq = h.seq
         AND h.seq = (SELECT count(*) FROM records AS r WHERE r.organization_id = ?1 AND r.chain = h.chain)
         AND h.hash = (SELECT hash FROM records AS r WHERE r.organization_id = ?1 AND r.chain = h.chain AND r.seq = h.seq)
       ORDER BY h.at, h.chain LIMIT ?5`,
    )
    .bind(organization, since, after.at, after.chain, limit)
    .all<QuietRow & Record<string, unknown>>();
  return results;
}

/** Keeps that a session's object is removed, or with `null` that it is there after all. */
export async function keepRemoved(
  db: D1Database,
  organization: string,
  root: string,
  now: number | null,
): Promise<void> {
  await db
    .prepare("UPDATE heads SET removed_at = ? WHERE organization_id = ? AND chain = ?")
    .bind(now, organization, `${SESSIONS}${root}`)
    .run();
}
