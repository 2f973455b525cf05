/** The keys that sign an organization's checkpoints. The private part stands here sealed; the public one stays for good. */
import { keepStatement, type PublishedRow } from "./published.ts";

export interface SigningKeyRow {
  /** Eight hex digits, as notes name it. */
  readonly key_id: string;
  /** `<name>+<key id>+<base64>`. */
  readonly vkey: string;
  readonly sealed: string;
  readonly valid_from: number;
  /** It signs until then; `null` for the newest. */
  readonly valid_until: number | null;
}

/** Oldest first. */
export async function listSigningKeys(db: D1Database, organization: string): Promise<SigningKeyRow[]> {
  const { results } = await db
    .prepare(
      `SELECT key_id, vkey, sealed, valid_from, valid_until FROM signing_keys
       WHERE organization_id = ? ORDER BY valid_from, key_id`,
    )
    .bind(organization)
    .all<Record<string, unknown> & SigningKeyRow>();
  return results;
}

export function signingKeyStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return keepStatement(
    db,
    organization,
    "signing_keys",
    ["key_id"],
    ["vkey", "sealed", "valid_from", "valid_until"],
    row,
  );
}
