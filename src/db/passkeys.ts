/** Passkeys in D1: the public keys with which members sign approvals. */
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
