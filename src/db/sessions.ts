/** The index of sessions: whose each is, and of which family. */

export interface SessionRow {
  readonly session_id: string;
  readonly root_id: string;
  readonly agent_id: string;
  readonly relation: string;
}

/** The rows of these sessions, as far as there are any. */
export async function readSessionRows(
  db: D1Database,
  organization: string,
  sessions: readonly string[],
): Promise<Map<string, SessionRow>> {
  const { results } = await db
    .prepare(
      `SELECT s.session_id, s.root_id, s.agent_id, s.relation FROM json_each(?2) AS e
       CROSS JOIN sessions AS s ON s.organization_id = ?1 AND s.session_id = e.value`,
    )
    .bind(organization, JSON.stringify(sessions))
    .all<Record<string, unknown> & SessionRow>();
  return new Map(results.map((row) => [row.session_id, row]));
}
