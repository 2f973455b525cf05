/** Approvals in D1: where each lives, and what became of it. */
import { keepStatement, type PublishedRow } from "./published.ts";

const COLUMNS = [
  "root_id",
  "session_id",
  "agent_id",
  "call_id",
  "tool",
  "action_digest",
  "risks",
  "rule_keys",
  "people",
  "status",
  "grant_status",
  "opened_at",
  "expires_at",
  "decided_at",
  "decided_by",
  "via",
  "edit_of",
  "replaced_by",
] as const;

/** Keeps an approval as its object has it now. */
export function approvalStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return keepStatement(db, organization, "approvals", ["approval_id"], COLUMNS, row);
}

/** Where an approval lives, or `null` for one that is not this organization's. */
export async function findApproval(
  db: D1Database,
  organization: string,
  approval: string,
): Promise<{ readonly root_id: string; readonly agent_id: string } | null> {
  return db
    .prepare("SELECT root_id, agent_id FROM approvals WHERE organization_id = ? AND approval_id = ?")
    .bind(organization, approval)
    .first();
}
