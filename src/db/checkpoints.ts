/** An organization's log of heads and its signed roots. Both only ever grow. */
import { inLists } from "./lists.ts";
import { columnOf, type PublishedRow } from "./published.ts";

export interface CheckpointRow {
  readonly number: number;
  readonly tree_size: number;
  readonly root: string;
  /** The whole signed note. */
  readonly note: string;
  readonly at: number;
  readonly prev: string | null;
  /** Of its entry in the organization's chain; `null` until that is on record. */
  readonly ledger_seq: number | null;
}

export interface LeafRow {
  readonly leaf_index: number;
  readonly chain: string;
  readonly seq: number;
  readonly data: string;
}

export interface NodeRow {
  readonly level: number;
  readonly index: number;
  readonly hash: string;
}

const COLUMNS = "number, tree_size, root, note, at, prev, ledger_seq";

/** Pages of lists: far below what one answer holds. */
const NODES_AT_ONCE = 1_000;

/**
 * SQLite keeps a value of any type in any column, and whoever can write the database may put anything there: what is no
 * text reads as the empty one, what is no whole number as -1, which nothing that was signed is.
 */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function integerOf(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : -1;
}

function checkpointOf(row: Readonly<Record<keyof CheckpointRow, unknown>>): CheckpointRow {
  return {
    number: integerOf(row.number),
    tree_size: integerOf(row.tree_size),
    root: textOf(row.root),
    note: textOf(row.note),
    at: integerOf(row.at),
    prev: row.prev === null ? null : textOf(row.prev),
    ledger_seq: row.ledger_seq === null ? null : integerOf(row.ledger_seq),
  };
}

function leafOf(row: Readonly<Record<keyof LeafRow, unknown>>): LeafRow {
  return {
    leaf_index: integerOf(row.leaf_index),
    chain: textOf(row.chain),
    seq: integerOf(row.seq),
    data: textOf(row.data),
  };
}

/** The newest checkpoint, or `null`. */
export async function readLatestCheckpoint(
  db: D1Database,
  organization: string,
): Promise<CheckpointRow | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM checkpoints WHERE organization_id = ? ORDER BY number DESC LIMIT 1`)
    .bind(organization)
    .first<CheckpointRow>();
  return row === null ? null : checkpointOf(row);
}

export async function readCheckpoint(
  db: D1Database,
  organization: string,
  number: number,
): Promise<CheckpointRow | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM checkpoints WHERE organization_id = ? AND number = ?`)
    .bind(organization, number)
    .first<CheckpointRow>();
  return row === null ? null : checkpointOf(row);
}

/** Newest first, those before number `before`. */
export async function listCheckpoints(
  db: D1Database,
  organization: string,
  before: number,
  limit: number,
): Promise<CheckpointRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM checkpoints WHERE organization_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
    )
    .bind(organization, before, limit)
    .all<Record<string, unknown> & CheckpointRow>();
  return results.map(checkpointOf);
}

/** The first checkpoint that holds leaf `index`, or `null`. */
export async function readCheckpointOver(
  db: D1Database,
  organization: string,
  index: number,
): Promise<CheckpointRow | null> {
  const row = await db
    .prepare(
      `SELECT ${COLUMNS} FROM checkpoints WHERE organization_id = ? AND tree_size > ? ORDER BY number LIMIT 1`,
    )
    .bind(organization, index)
    .first<CheckpointRow>();
  return row === null ? null : checkpointOf(row);
}

/** The first leaf that covers entry `seq` of a chain, or `null`. */
export async function readLeafOver(
  db: D1Database,
  organization: string,
  chain: string,
  seq: number,
): Promise<LeafRow | null> {
  const row = await db
    .prepare(
      `SELECT leaf_index, chain, seq, data FROM log_leaves
       WHERE organization_id = ? AND chain = ? AND seq >= ? ORDER BY seq LIMIT 1`,
    )
    .bind(organization, chain, seq)
    .first<LeafRow>();
  return row === null ? null : leafOf(row);
}

/** The newest leaf of a chain, or `null`. */
export async function readNewestLeaf(
  db: D1Database,
  organization: string,
  chain: string,
): Promise<LeafRow | null> {
  const row = await db
    .prepare(
      `SELECT leaf_index, chain, seq, data FROM log_leaves
       WHERE organization_id = ? AND chain = ? ORDER BY seq DESC LIMIT 1`,
    )
    .bind(organization, chain)
    .first<LeafRow>();
  return row === null ? null : leafOf(row);
}

/** Checkpoints from number `first` on, oldest first. */
export async function listCheckpointsFrom(
  db: D1Database,
  organization: string,
  first: number,
  limit: number,
): Promise<CheckpointRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM checkpoints WHERE organization_id = ? AND number >= ? ORDER BY number LIMIT ?`,
    )
    .bind(organization, first, limit)
    .all<Record<string, unknown> & CheckpointRow>();
  return results.map(checkpointOf);
}

/** Leaves of the log from `first` on. */
export async function listLeaves(
  db: D1Database,
  organization: string,
  first: number,
  limit: number,
): Promise<LeafRow[]> {
  const { results } = await db
    .prepare(
      `SELECT leaf_index, chain, seq, data FROM log_leaves
       WHERE organization_id = ? AND leaf_index >= ? ORDER BY leaf_index LIMIT ?`,
    )
    .bind(organization, first, limit)
    .all<Record<string, unknown> & LeafRow>();
  return results.map(leafOf);
}

/** The leaves of one chain from entry `first` to `last`, in their order. */
export async function listLeavesOf(
  db: D1Database,
  organization: string,
  chain: string,
  first: number,
  last: number,
): Promise<LeafRow[]> {
  const { results } = await db
    .prepare(
      `SELECT leaf_index, chain, seq, data FROM log_leaves
       WHERE organization_id = ? AND chain = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
    )
    .bind(organization, chain, first, last)
    .all<Record<string, unknown> & LeafRow>();
  return results.map(leafOf);
}

/** Stored nodes, by `level/index`; those that are not there are left out. */
export async function readNodes(
  db: D1Database,
  organization: string,
  addresses: readonly { readonly level: number; readonly index: number }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < addresses.length; at += NODES_AT_ONCE) {
    const part = addresses.slice(at, at + NODES_AT_ONCE).map(({ level, index }) => [level, index]);
    const { results } = await db
      .prepare(
        `SELECT n.level, n.node_index AS "index", n.hash FROM json_each(?2) AS e
         CROSS JOIN log_nodes AS n ON n.organization_id = ?1 AND n.level = e.value ->> 0 AND n.node_index = e.value ->> 1`,
      )
      .bind(organization, JSON.stringify(part))
      .all<Record<string, unknown> & NodeRow>();
    for (const { level, index, hash } of results) found.set(`${level}/${index}`, textOf(hash));
  }
  return found;
}

const LEAVES = `INSERT INTO log_leaves (organization_id, leaf_index, chain, seq, data)
  SELECT ?1, e.value ->> 'leaf_index', e.value ->> 'chain', e.value ->> 'seq', e.value ->> 'data' FROM json_each(?2) AS e`;
const NODES = `INSERT INTO log_nodes (organization_id, level, node_index, hash)
  SELECT ?1, e.value ->> 'level', e.value ->> 'index', e.value ->> 'hash' FROM json_each(?2) AS e`;
// By the leaves just added. Written so that SQLite looks each chain up: joined to the list, it walks the list for each.
const SEALED = `UPDATE heads SET sealed_seq = (
    SELECT max(seq) FROM log_leaves AS l WHERE l.organization_id = heads.organization_id AND l.chain = heads.chain)
  WHERE (organization_id, chain) IN (SELECT ?1, e.value FROM json_each(?2) AS e)`;

/**
 * Keeps a checkpoint, its leaves and the nodes that came with them, in one batch.
 * @returns false when another one has taken its number: then nothing of this one is kept
 */
export async function insertCheckpoint(
  db: D1Database,
  organization: string,
  checkpoint: Omit<CheckpointRow, "ledger_seq">,
  leaves: readonly LeafRow[],
  nodes: readonly NodeRow[],
): Promise<boolean> {
  const { number, tree_size, root, note, at, prev } = checkpoint;
  const many = <Row>(sql: string, rows: readonly Row[]): D1PreparedStatement[] =>
    inLists(
      rows,
      (json) => [db.prepare(sql).bind(organization, json)],
      (row) => [db.prepare(sql).bind(organization, JSON.stringify([row]))],
    );
  try {
    await db.batch([
      db
        .prepare(
          `INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .bind(organization, number, tree_size, root, note, at, prev),
      ...many(LEAVES, leaves),
      ...many(NODES, nodes),
      ...many(
        SEALED,
        leaves.map(({ chain }) => chain),
      ),
    ]);
    return true;
  } catch (error) {
    // Its number, or a leaf's, is taken: whoever was first has sealed the same heads.
    if (/SQLITE_CONSTRAINT|UNIQUE constraint/.test(messagesOf(error))) return false;
    throw error;
  }
}

/** Has a checkpoint that is not on record yet bear other signatures under the same text. */
export async function replaceNote(
  db: D1Database,
  organization: string,
  number: number,
  from: string,
  to: string,
): Promise<void> {
  await db
    .prepare(
      "UPDATE checkpoints SET note = ?4 WHERE organization_id = ?1 AND number = ?2 AND note = ?3 AND ledger_seq IS NULL",
    )
    .bind(organization, number, from, to)
    .run();
}

/** Puts a checkpoint, its leaves and its nodes back as they were signed, whatever stands in their places. */
export async function restoreCheckpoint(
  db: D1Database,
  organization: string,
  checkpoint: CheckpointRow,
  leaves: readonly LeafRow[],
  nodes: readonly NodeRow[],
): Promise<void> {
  const { number, tree_size, root, note, at, prev, ledger_seq } = checkpoint;
  const many = <Row>(sql: string, rows: readonly Row[]): D1PreparedStatement[] =>
    inLists(
      rows,
      (json) => [db.prepare(sql).bind(organization, json)],
      (row) => [db.prepare(sql).bind(organization, JSON.stringify([row]))],
    );
  await db.batch([
    db
      .prepare(
        `INSERT OR REPLACE INTO checkpoints (organization_id, number, tree_size, root, note, at, prev, ledger_seq)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(organization, number, tree_size, root, note, at, prev, ledger_seq),
    ...many(LEAVES.replace("INSERT", "INSERT OR REPLACE"), leaves),
    ...many(NODES.replace("INSERT", "INSERT OR REPLACE"), nodes),
    ...many(
      SEALED,
      leaves.map(({ chain }) => chain),
    ),
  ]);
}

function messagesOf(error: unknown): string {
  let text = "";
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1)
    text += `${one.message}\n`;
  return text;
}

/** Notes where a checkpoint's own entry stands. */
export function checkpointStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return db
    .prepare("UPDATE checkpoints SET ledger_seq = ? WHERE organization_id = ? AND number = ?")
    .bind(columnOf(row, "changed_seq"), organization, columnOf(row, "number"));
}
