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

const STATEMENTS: Readonly<Record<Purged, string>> = {
  said: `DELETE FROM said WHERE said_id IN
    (SELECT said_id FROM said WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS})`,
  evidence: `DELETE FROM evidence WHERE evidence_id IN
    (SELECT evidence_id FROM evidence WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS})`,
  skill_writes: `DELETE FROM skill_writes WHERE (organization_id, chain, seq) IN
    (SELECT organization_id, chain, seq FROM skill_writes WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS})`,
  records: `UPDATE records SET private = NULL, salt = NULL WHERE (organization_id, chain, seq) IN
    (SELECT organization_id, chain, seq FROM records
     WHERE organization_id = ?1 AND at < ?2 AND private IS NOT NULL AND chain <> 'organization' LIMIT ${BATCH_ROWS})`,
};

/**
 * Removes one batch of what is older than `before`.
 * @returns how many rows; fewer than a batch when there is no more
 */
export async function purgeBatch(
  db: D1Database,
  organization: string,
  what: Purged,
  before: number,
): Promise<{ readonly rows: number; readonly isLast: boolean }> {
  const { results } = await db.prepare(`${STATEMENTS[what]} RETURNING 1`).bind(organization, before).all();
  return { rows: results.length, isLast: results.length < BATCH_ROWS };
}
