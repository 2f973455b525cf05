/** How channels fare, and whom they are for: read and written by whoever sends, outside any chain. */

/** A channel that may be sent something, with its sealed target. */
export interface LiveChannel {
  readonly channel_id: string;
  /** Whose own it is; `null` for the organization's. */
  readonly member_id: string | null;
  /** The member's, as it is now. */
  readonly role: string | null;
  readonly kind: string;
  /** JSON list. */
  readonly events: string;
  readonly target: string;
  readonly failures: number;
}

/** Every live channel of the organization and of those who still are members of it. */
export async function listLiveChannels(db: D1Database, organization: string): Promise<LiveChannel[]> {
  const { results } = await db
    .prepare(
      `SELECT c.channel_id, c.member_id, m.role, c.kind, c.events, c.target, c.failures
       FROM channels AS c
       LEFT JOIN members AS m ON m.organization_id = c.organization_id AND m.member_id = c.member_id
       WHERE c.organization_id = ? AND c.removed_at IS NULL
         AND (c.member_id IS NULL OR (m.member_id IS NOT NULL AND m.removed_at IS NULL))
       ORDER BY c.channel_id`,
    )
    .bind(organization)
    .all<LiveChannel>();
  return results;
}

/** What an agent and a member are called; `null` for who is not known. */
export async function namesOf(
  db: D1Database,
  organization: string,
  agent: string,
  member: string | null,
): Promise<{ readonly agent: string | null; readonly member: string | null }> {
  const row = await db
    .prepare(
      `SELECT (SELECT name FROM agents WHERE organization_id = ?1 AND agent_id = ?2) AS agent,
         (SELECT name FROM members WHERE organization_id = ?1 AND member_id = ?3) AS member`,
    )
    .bind(organization, agent, member)
    .first<{ agent: string | null; member: string | null }>();
  return row ?? { agent: null, member: null };
}

/**
 * Writes down what became of a try.
 * @param failure a stable word, or `null` when it was sent
 * @param least failures that the channel counts at least from now on; for one that is known to be gone
 */
export async function recordHealth(
  db: D1Database,
  organization: string,
  channel: string,
  failure: string | null,
  at: number,
  least = 1,
): Promise<void> {
  const statement =
    failure === null
      ? db
          .prepare(
            `UPDATE channels SET last_sent_at = max(coalesce(last_sent_at, 0), ?3), failures = 0
             WHERE organization_id = ?1 AND channel_id = ?2`,
          )
          .bind(organization, channel, at)
      : db
          .prepare(
            `UPDATE channels SET last_failed_at = max(coalesce(last_failed_at, 0), ?3),
               failures = max(failures + 1, ?4), last_failure = ?5
             WHERE organization_id = ?1 AND channel_id = ?2`,
          )
          .bind(organization, channel, at, least, failure);
  await statement.run();
}
