/**
 * Taking private text out of D1, in bounded batches that can be broken off and taken up again. The ledger stays: its
 * entries hold commitments, not texts. What is delivered late is dropped on arrival by {@link notPurged}.
 */

/** SQL that is true for an entry whose text is not purged. Binds the organization as ?1. @param at SQL of its time */
export function notPurged(at: string): string {
  return `${at} >= coalesce((SELECT purged_before FROM organizations WHERE organization_id = ?1), 0)`;
}

/** Since when an organization keeps private text; 0 when nothing was purged. */
export async function readPurged(db: D1Database, organization: string): Promise<number> {
  const row = await db
    .prepare("SELECT purged_before FROM organizations WHERE organization_id = ?")
    .bind(organization)
    .first<{ purged_before: number }>();
  return row?.purged_before ?? 0;
}

/** Rows of one statement: decisions go on meanwhile. */
const BATCH_ROWS = 200;

export const PURGED = ["said", "evidence", "skill_writes", "records"] as const;
export type Purged = (typeof PURGED)[number];

/** By the index of their time, or in the order of their key where there is none; each batch goes on where the last ended. */
const STATEMENTS: Readonly<Record<Purged, string>> = {
  said: `DELETE FROM said WHERE said_id IN
    (SELECT said_id FROM said WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS}) RETURNING '' AS chain, 0 AS seq`,
  evidence: `DELETE FROM evidence WHERE evidence_id IN
    (SELECT evidence_id FROM evidence WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS}) RETURNING '' AS chain, 0 AS seq`,
  skill_writes: `DELETE FROM skill_writes WHERE (organization_id, chain, seq) IN
    (SELECT organization_id, chain, seq FROM skill_writes
     WHERE organization_id = ?1 AND at < ?2 AND (chain, seq) > (?3, ?4) ORDER BY chain, seq LIMIT ${BATCH_ROWS})
    RETURNING chain, seq`,
  records: `UPDATE records SET private = NULL, salt = NULL WHERE (organization_id, chain, seq) IN
    (SELECT organization_id, chain, seq FROM records
     WHERE organization_id = ?1 AND at < ?2 AND (chain, seq) > (?3, ?4) AND private IS NOT NULL AND chain <> 'organization'
     ORDER BY chain, seq LIMIT ${BATCH_ROWS})
    RETURNING chain, seq`,
};

/** An index forgets a term only when the part that holds it is written anew: pages of one step, and steps at most. */
const MERGED_PAGES = 200;
const MOST_MERGES = 50;

/** Has an index write out what it was told to forget. A bounded part of it: the next purge goes on. */
async function forget(db: D1Database, index: string): Promise<void> {
  for (let step = 0; step < MOST_MERGES; step += 1) {
    const { meta } = await db
      .prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`)
      .bind(step === 0 ? -MERGED_PAGES : MERGED_PAGES)
      .run();
    // Nothing but the statement itself was written: there is nothing left to merge.
    if ((meta.rows_written ?? 0) < 2) return;
  }
}

/** Removes what is older than `before`, a batch at a time, and tells of each how many rows it took. */
export async function* purgeBatches(
  db: D1Database,
  organization: string,
  what: Purged,
  before: number,
): AsyncGenerator<number> {
  const timed = what === "said" || what === "evidence";
  let last = { chain: "", seq: -1 };
  for (;;) {
    const { results } = await db
      .prepare(STATEMENTS[what])
      .bind(organization, before, ...(timed ? [] : [last.chain, last.seq]))
      .all<{ chain: string; seq: number }>();
    yield results.length;
    if (results.length < BATCH_ROWS) {
      if (timed) await forget(db, `${what}_search`);
      return;
    }
    // What a statement returns comes in no order.
    for (const row of results)
      if (row.chain > last.chain || (row.chain === last.chain && row.seq > last.seq)) last = row;
  }
}
