/** Alerts on the organization's ledger that nobody has said they have seen. */

export interface AlertRow {
  /** Of its entry. */
  readonly seq: number;
  readonly at: number;
  /** RFC 8785 text of the finding. */
  readonly body: string;
}

const UNSEEN = `organization_id = ?1 AND kind = 'alert' AND chain = 'organization' AND seq > coalesce((
  SELECT max(body ->> 'through') FROM records WHERE organization_id = ?1 AND kind = 'alerts_acknowledged'), 0)`;

/** Newest first. */
export async function listAlerts(db: D1Database, organization: string, limit: number): Promise<AlertRow[]> {
  const { results } = await db
    .prepare(`SELECT seq, at, body FROM records WHERE ${UNSEEN} ORDER BY at DESC, seq DESC LIMIT ?2`)
    .bind(organization, limit)
    .all<Record<string, unknown> & AlertRow>();
  return results;
}

/** How many there are, up to `most`. */
export async function countAlerts(db: D1Database, organization: string, most: number): Promise<number> {
  const row = await db
    .prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE ${UNSEEN} LIMIT ?2)`)
    .bind(organization, most)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Up to which entry alerts have been seen; 0 where none was. */
export async function readSeen(db: D1Database, organization: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT max(body ->> 'through') AS through FROM records
       WHERE organization_id = ? AND kind = 'alerts_acknowledged' AND chain = 'organization'`,
    )
    .bind(organization)
    .first<{ through: number | null }>();
  return row?.through ?? 0;
}

/** The entry of the last restoring that is on record; 0 where there was none. */
export async function readRestored(db: D1Database, organization: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT max(seq) AS seq FROM records
       WHERE organization_id = ? AND kind = 'copy_restored' AND chain = 'organization'`,
    )
    .bind(organization)
    .first<{ seq: number | null }>();
  return row?.seq ?? 0;
}
