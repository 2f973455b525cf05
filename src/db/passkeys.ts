/** Passkeys in D1: the public keys with which members sign approvals. A removed one is never read. */
import { keepStatement, type PublishedRow } from "./published.ts";

const COLUMNS = ["member_id", "name", "public_key", "transports", "created_at", "removed_at"] as const;

/** Keeps a passkey as the organization's object has it; its counter is left as it is. */
export function passkeyStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return keepStatement(db, organization, "passkeys", ["credential_id"], COLUMNS, row);
}

export interface PasskeyRow {
  readonly credential_id: string;
  readonly member_id: string;
  readonly name: string;
  /** COSE, base64url. */
  readonly public_key: string;
  /** JSON list. */
  readonly transports: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

const READ = `SELECT credential_id, member_id, name, public_key, transports, created_at, last_used_at FROM passkeys
  WHERE organization_id = ? AND member_id = ? AND removed_at IS NULL`;

/** A member's passkeys, oldest first. */
export async function listPasskeys(
  db: D1Database,
  organization: string,
  member: string,
): Promise<PasskeyRow[]> {
  const { results } = await db
    .prepare(`${READ} ORDER BY created_at, credential_id`)
    .bind(organization, member)
    .all<PasskeyRow>();
  return results;
}

/** Members who hold a passkey, whatever they may do with it. */
export async function listPasskeyHolders(db: D1Database, organization: string): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT DISTINCT member_id FROM passkeys WHERE organization_id = ? AND removed_at IS NULL")
    .bind(organization)
    .all<{ member_id: string }>();
  return results.map(({ member_id }) => member_id);
}

/** A passkey of this member, or `null`. */
export async function readPasskey(
  db: D1Database,
  organization: string,
  member: string,
  credential: string,
): Promise<PasskeyRow | null> {
  return db
    .prepare(`${READ} AND credential_id = ?`)
    .bind(organization, member, credential)
    .first<PasskeyRow>();
}

/**
 * Notes that a passkey has signed. One statement, so that of two signatures with the same count only one is taken.
 * False where the count does not go up, which is what a copy of the authenticator would look like (WebAuthn §6.1.1), or
 * where the passkey was removed meanwhile. One that always says 0 does not count.
 */
export async function countSignature(
  db: D1Database,
  organization: string,
  member: string,
  credential: string,
  counter: number,
  now: number,
): Promise<boolean> {
  const counted = await db
    .prepare(
      `UPDATE passkeys SET counter = ?4, last_used_at = ?5
       WHERE organization_id = ?1 AND member_id = ?2 AND credential_id = ?3 AND removed_at IS NULL
         AND (counter < ?4 OR (counter = 0 AND ?4 = 0)) RETURNING credential_id`,
    )
    .bind(organization, member, credential, counter, now)
    .first();
  return counted !== null;
}

/** Where the authenticator's count stood when the passkey was made. Never lowers what is known. */
export async function startCounter(
  db: D1Database,
  organization: string,
  credential: string,
  counter: number,
): Promise<void> {
  await db
    .prepare("UPDATE passkeys SET counter = max(counter, ?) WHERE organization_id = ? AND credential_id = ?")
    .bind(counter, organization, credential)
    .run();
}
