/**
 * The heads of chains as D1 knows them: what a checkpoint is made of, and how far each has been sealed and checked. A
 * head may stand further on than the records that have arrived: it is what its object said last.
 */

/**
 * Whether an entry is a reason for another checkpoint. That a checkpoint was made, and that it was stamped, is none: it
 * would never end.
 * @param body RFC 8785 text, in which a member's name and value stand just so
 */
function isNews({ kind, body }: { readonly kind: string; readonly body: string }): boolean {
  return kind !== "checkpoint" && !(kind === "anchor" && body.includes('"reference":"checkpoint:'));
}

/** What a time of another machine may be ahead. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

export interface HeadRow {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
  /** Epoch milliseconds of the head's entry. */
  readonly at: number;
  readonly news_seq: number;
  readonly sealed_seq: number;
  readonly checked_seq: number;
  readonly checked_at: number;
}

/** A head as it is read: SQLite keeps a value of any type in any column, and no number here is ever negative. */
function headOf(row: Readonly<Record<keyof HeadRow, unknown>>): HeadRow {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const integer = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : -1);
  return {
    chain: text(row.chain),
    seq: integer(row.seq),
    hash: text(row.hash),
    at: integer(row.at),
    news_seq: integer(row.news_seq),
    sealed_seq: integer(row.sealed_seq),
    checked_seq: Math.max(integer(row.checked_seq), 0),
    checked_at: integer(row.checked_at),
  };
}

const COLUMNS = "chain, seq, hash, at, news_seq, sealed_seq, checked_seq, checked_at";

/**
 * Keeps the head that entries lead to; an older one that arrives late changes nothing.
 * @param entries of one chain, ascending, at least one
 */
export function headStatement(
  db: D1Database,
  organization: string,
  chain: string,
  entries: readonly {
    readonly seq: number;
    readonly hash: string;
    readonly at: number;
    readonly kind: string;
    readonly body: string;
  }[],
): D1PreparedStatement | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const news = entries.findLast(isNews)?.seq ?? 0;
  return db
    .prepare(
      `INSERT INTO heads (organization_id, chain, seq, hash, at, news_seq, sealed_seq)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6,
         coalesce((SELECT max(seq) FROM log_leaves WHERE organization_id = ?1 AND chain = ?2), 0))
       ON CONFLICT DO UPDATE SET
         hash = iif(excluded.seq > heads.seq, excluded.hash, heads.hash),
         at = iif(excluded.seq > heads.seq, excluded.at, heads.at),
         seq = max(heads.seq, excluded.seq),
         news_seq = max(heads.news_seq, excluded.news_seq),
         removed_at = iif(excluded.seq > heads.seq, NULL, heads.removed_at)`,
    )
    .bind(organization, chain, last.seq, last.hash, last.at, news);
}

/** Heads that no checkpoint covers yet, by the names of their chains, after one of them. */
export async function listUnsealed(
  db: D1Database,
  organization: string,
  after: string,
  limit: number,
): Promise<HeadRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM heads WHERE organization_id = ? AND seq > sealed_seq AND chain > ?
       ORDER BY chain LIMIT ?`,
    )
    .bind(organization, after, limit)
    .all<Record<string, unknown> & HeadRow>();
  return results.map(headOf);
}

/** Whether anything has happened since the last checkpoint but its own record. */
export async function hasMoved(db: D1Database, organization: string): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 AS moved FROM heads WHERE organization_id = ? AND news_seq > sealed_seq LIMIT 1")
    .bind(organization)
    .first();
  return row !== null;
}

/** Organizations in which something has happened since their last checkpoint, by their ids, after `after`. */
export async function organizationsThatMoved(
  db: D1Database,
  after: string,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT DISTINCT organization_id AS id FROM heads
       WHERE news_seq > sealed_seq AND organization_id > ? ORDER BY organization_id LIMIT ?`,
    )
    .bind(after, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** The head of a chain, or `null`. */
export async function readHead(db: D1Database, organization: string, chain: string): Promise<HeadRow | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM heads WHERE organization_id = ? AND chain = ?`)
    .bind(organization, chain)
    .first<HeadRow>();
  return row === null ? null : headOf(row);
}

/**
 * Chains whose copy was compared before `before`, longest ago first; also those that claim to be compared in the future,
 * as whoever wants them passed over would have it.
 * @param now epoch milliseconds
 */
export async function listToCheck(
  db: D1Database,
  organization: string,
  before: number,
  now: number,
  limit: number,
): Promise<HeadRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM heads WHERE organization_id = ?1 AND (checked_at < ?2 OR checked_at > ?3)
       ORDER BY checked_at LIMIT ?4`,
    )
    .bind(organization, before, now + CLOCKS_DIFFER_MS, limit)
    .all<Record<string, unknown> & HeadRow>();
  return results.map(headOf);
}

/** Keeps how far a chain's copy has been compared; `at` is the end of a round. */
export async function keepChecked(
  db: D1Database,
  organization: string,
  chain: string,
  checked: { readonly seq: number; readonly at: number },
): Promise<void> {
  await db
    .prepare("UPDATE heads SET checked_seq = ?, checked_at = ? WHERE organization_id = ? AND chain = ?")
    .bind(checked.seq, checked.at, organization, chain)
    .run();
}

/** Has the next entry that is delivered of a chain be its head, whichever that is. How far it is sealed is the log's to say. */
export async function setHeadBack(db: D1Database, organization: string, chain: string): Promise<void> {
  await db
    .prepare(
      `UPDATE heads SET seq = 0, sealed_seq = coalesce((
         SELECT max(seq) FROM log_leaves WHERE organization_id = ?1 AND chain = ?2), 0)
       WHERE organization_id = ?1 AND chain = ?2`,
    )
    .bind(organization, chain)
    .run();
}

/** Which of these chains have a head, and where: a leaf of one that has none was left behind by it. */
export async function readHeadsOf(
  db: D1Database,
  organization: string,
  chains: readonly string[],
): Promise<Map<string, number>> {
  const { results } = await db
    .prepare(
      `SELECT h.chain, h.seq FROM json_each(?2) AS e
       CROSS JOIN heads AS h ON h.organization_id = ?1 AND h.chain = e.value`,
    )
    .bind(organization, JSON.stringify(chains))
    .all<{ chain: string; seq: number }>();
  return new Map(results.map(({ chain, seq }) => [chain, seq]));
}

export interface DriftRound {
  /** The next leaf of the log, and the next checkpoint, to look at. */
  readonly leaf_index: number;
  readonly checkpoint: number;
  readonly ran_at: number;
  /** JSON: where the other comparisons go on; `null` at the beginning. */
  readonly cursor: string | null;
}

/** Where the comparison of the log goes on. */
export async function readDriftRound(db: D1Database, organization: string): Promise<DriftRound> {
  const row = await db
    .prepare("SELECT leaf_index, checkpoint, ran_at, cursor FROM drift_rounds WHERE organization_id = ?")
    .bind(organization)
    .first<DriftRound>();
  return row ?? { leaf_index: 0, checkpoint: 1, ran_at: 0, cursor: null };
}

export async function keepDriftRound(db: D1Database, organization: string, round: DriftRound): Promise<void> {
  await db
    .prepare(
      `INSERT INTO drift_rounds (organization_id, leaf_index, checkpoint, ran_at, cursor) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET leaf_index = excluded.leaf_index, checkpoint = excluded.checkpoint,
         ran_at = excluded.ran_at, cursor = excluded.cursor`,
    )
    .bind(organization, round.leaf_index, round.checkpoint, round.ran_at, round.cursor)
    .run();
}

/** Organizations whose copy was looked at before `before`, or claims to be in the future; longest ago first. */
export async function organizationsToCheck(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT o.organization_id AS id FROM organizations AS o
       LEFT JOIN drift_rounds AS d ON d.organization_id = o.organization_id
       WHERE coalesce(d.ran_at, 0) < ?1 OR d.ran_at > ?2 ORDER BY coalesce(d.ran_at, 0) LIMIT ?3`,
    )
    .bind(before, now + CLOCKS_DIFFER_MS, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
