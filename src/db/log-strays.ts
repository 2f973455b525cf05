/** Rows that stand beside an organization's log where nothing that was signed can stand. */

/** Rows of the log where none can stand. */
export interface Strays {
  /** A leaf behind the end of the newest tree, or before its beginning; `null` where there is none. */
  readonly leaf: number | null;
  /** Whether there is a node that no tree of this size has. */
  readonly node: boolean;
  /** Whether there is a checkpoint whose number is none. */
  readonly checkpoint: boolean;
}

/** Levels that a tree can have: a size is a safe integer. */
const MAX_LEVEL = 53;

/** Of the newest tree. */
const SIZE =
  "coalesce((SELECT tree_size FROM checkpoints WHERE organization_id = ?1 ORDER BY number DESC LIMIT 1), 0)";

/**
 * Takes such rows away.
 * @param last the newest checkpoint that there is; `null` takes none that has a number
 */
export async function removeStrays(
  db: D1Database,
  organization: string,
  last: number | null,
): Promise<number> {
  const results = await db.batch([
    db
      .prepare(
        `DELETE FROM checkpoints WHERE organization_id = ?1
         AND (number < 1 OR number > ${Number.MAX_SAFE_INTEGER} OR number > ?2)`,
      )
      .bind(organization, last ?? Number.MAX_SAFE_INTEGER),
    db
      .prepare(
        `DELETE FROM log_leaves WHERE organization_id = ?1 AND (leaf_index < 0 OR leaf_index >= ${SIZE})`,
      )
      .bind(organization),
    db
      .prepare(
        `DELETE FROM log_nodes WHERE organization_id = ?1 AND (level < 0 OR level > ${MAX_LEVEL}
           OR node_index < 0 OR node_index >= (${SIZE} >> level))`,
      )
      .bind(organization),
  ]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}

/** What stands beside the log that was signed. One answer: a checkpoint comes with its leaves and nodes. */
export async function readStrays(db: D1Database, organization: string): Promise<Strays> {
  const row = await db
    .prepare(
      `SELECT
         (SELECT leaf_index FROM log_leaves WHERE organization_id = ?1 AND leaf_index >= ${SIZE} LIMIT 1) AS after,
         (SELECT leaf_index FROM log_leaves WHERE organization_id = ?1 AND leaf_index < 0 LIMIT 1) AS before,
         EXISTS (SELECT 1 FROM log_nodes WHERE organization_id = ?1 AND (level < 0 OR level > ${MAX_LEVEL}))
           OR EXISTS (SELECT 1 FROM log_nodes WHERE organization_id = ?1 AND level BETWEEN 0 AND ${MAX_LEVEL} AND node_index < 0)
           OR EXISTS (
             WITH RECURSIVE levels (level) AS (SELECT 0 UNION ALL SELECT level + 1 FROM levels WHERE level < ${MAX_LEVEL})
             SELECT 1 FROM levels CROSS JOIN log_nodes AS n
             ON n.organization_id = ?1 AND n.level = levels.level AND n.node_index >= (${SIZE} >> levels.level)) AS node,
         EXISTS (SELECT 1 FROM checkpoints WHERE organization_id = ?1 AND (number < 1 OR number > ${Number.MAX_SAFE_INTEGER})) AS checkpoint`,
    )
    .bind(organization)
    .first<{ after: unknown; before: unknown; node: number; checkpoint: number }>();
  const leaf = row?.after ?? row?.before ?? null;
  return {
    leaf: leaf === null ? null : Number.isSafeInteger(leaf) ? (leaf as number) : -1,
    node: row?.node === 1,
    checkpoint: row?.checkpoint === 1,
  };
}
