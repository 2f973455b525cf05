/** Who holds a credential. These are the only queries that do not begin from an organization: they find it. */
import type { Role } from "../roles.ts";

export interface KeyRow {
  readonly organization_id: string;
  readonly key_id: string;
  readonly agent_id: string;
  readonly scopes: string;
  readonly secret_hash: string;
  readonly revoked_at: number | null;
  readonly policy_version: number;
  /** Asks that wait for a person: the organization's, and of these the agent's, with a comma between. */
  readonly waiting: string;
}

/**
 * The one read of the hot path: a key, its agent, the version of what governs, and how many asks wait. Plain SQL, since
 * every decision runs it. The last is one look into an index where none waits, and a row for each that does: no more than
 * may wait. As one aggregate, without a query inside it, it takes a third of the time.
 */
export async function readKey(db: D1Database, keyId: string, now: number): Promise<KeyRow | null> {
  return db
    .prepare(
      `SELECT k.organization_id, k.key_id, k.agent_id, k.scopes, k.secret_hash, k.revoked_at, o.policy_version,
         (SELECT count(*) || ',' || coalesce(sum(agent_id = k.agent_id), 0) FROM approvals
          WHERE organization_id = k.organization_id AND status = 'pending' AND expires_at > ?2) AS waiting
       FROM api_keys AS k JOIN organizations AS o ON o.organization_id = k.organization_id
       WHERE k.key_id = ?1`,
    )
    .bind(keyId, now)
    .first<KeyRow>();
}

export interface MemberSessionRow {
  readonly organization_id: string;
  readonly member_session_id: string;
  readonly member_id: string;
  readonly secret_hash: string;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly name: string;
  readonly role: Role;
  readonly removed_at: number | null;
}

export async function readMemberSession(db: D1Database, id: string): Promise<MemberSessionRow | null> {
  return db
    .prepare(
      `SELECT s.organization_id, s.member_session_id, s.member_id, s.secret_hash, s.expires_at, s.ended_at,
         m.name, m.role, m.removed_at
       FROM member_sessions AS s
       JOIN members AS m ON m.organization_id = s.organization_id AND m.member_id = s.member_id
       WHERE s.member_session_id = ?`,
    )
    .bind(id)
    .first<MemberSessionRow>();
}

export interface SignInLinkRow {
  readonly organization_id: string;
  readonly link_id: string;
  readonly member_id: string;
  readonly secret_hash: string;
  readonly expires_at: number;
  readonly used_at: number | null;
}

export async function readSignInLink(db: D1Database, id: string): Promise<SignInLinkRow | null> {
  return db
    .prepare(
      `SELECT organization_id, link_id, member_id, secret_hash, expires_at, used_at FROM sign_in_links WHERE link_id = ?`,
    )
    .bind(id)
    .first<SignInLinkRow>();
}

/** Spends a link. True for the one caller who did; whoever comes second gets false. */
export async function spendSignInLink(
  db: D1Database,
  organization: string,
  id: string,
  now: number,
): Promise<boolean> {
  const spent = await db
    .prepare(
      `UPDATE sign_in_links SET used_at = ?3
       WHERE organization_id = ?1 AND link_id = ?2 AND used_at IS NULL AND expires_at > ?3 RETURNING link_id`,
    )
    .bind(organization, id, now)
    .first();
  return spent !== null;
}

/** Gives a link back that was spent at `now` and brought nobody in, because what came after failed. */
export async function unspendSignInLink(
  db: D1Database,
  organization: string,
  id: string,
  now: number,
): Promise<void> {
  await db
    .prepare(
      "UPDATE sign_in_links SET used_at = NULL WHERE organization_id = ? AND link_id = ? AND used_at = ?",
    )
    .bind(organization, id, now)
    .run();
}

export async function insertSignInLink(
  db: D1Database,
  organization: string,
  link: { id: string; member_id: string; secret_hash: string; created_at: number; expires_at: number },
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO sign_in_links (organization_id, link_id, member_id, secret_hash, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(organization, link.id, link.member_id, link.secret_hash, link.created_at, link.expires_at)
    .run();
}

export async function insertMemberSession(
  db: D1Database,
  organization: string,
  session: { id: string; member_id: string; secret_hash: string; created_at: number; expires_at: number },
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO member_sessions (organization_id, member_session_id, member_id, secret_hash, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      organization,
      session.id,
      session.member_id,
      session.secret_hash,
      session.created_at,
      session.expires_at,
    )
    .run();
}

export async function endMemberSession(
  db: D1Database,
  organization: string,
  id: string,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE member_sessions SET ended_at = ?3
       WHERE organization_id = ?1 AND member_session_id = ?2 AND ended_at IS NULL`,
    )
    .bind(organization, id, now)
    .run();
}
