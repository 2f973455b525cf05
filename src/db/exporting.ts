/** Everything that an organization has in D1 but for secrets and for what only serves to search, row by row. */

import { APPROVAL_COLUMNS } from "./approvals.ts";
import { notPurged } from "./purged.ts";

const SESSIONS = "session:";

/** A value of a key, as a cursor carries it. */
export type KeyValue = string | number;

interface Section {
  /** What each line of it is called. */
  readonly kind: string;
  readonly columns: readonly string[];
  /** Columns after the organization's by which a row is found; a page goes on after them. */
  readonly key: readonly string[];
  /** Rows of one page. */
  readonly limit: number;
}

/** By their tables. Hashes of credentials, sealed keys and addresses are nobody's to export. */
const SECTIONS = {
  members: section("member", ["member_id"], ["name", "role", "created_at", "removed_at"]),
  agents: section("agent", ["agent_id"], ["name", "settings", "created_at"]),
  api_keys: section("key", ["key_id"], ["agent_id", "name", "scopes", "created_at", "revoked_at"]),
  oath_versions: section("oath", ["oath", "version"], ["text", "sworn_by", "sworn_at"], 20),
  passkeys: section(
    "passkey",
    ["credential_id"],
    ["member_id", "name", "public_key", "created_at", "removed_at", "last_used_at"],
  ),
  channels: section(
    "channel",
    ["channel_id"],
    ["member_id", "kind AS channel_kind", "name", "events", "shown", "created_at", "removed_at"],
  ),
  sessions: section("session", ["session_id"], ["root_id", "agent_id", "relation", "created_at"]),
  approvals: section(
    "approval",
    ["approval_id"],
    APPROVAL_COLUMNS.map((name) =>
      name === "action_digest" ? `iif(${notPurged("opened_at")}, action_digest, '') AS action_digest` : name,
    ),
  ),
  evidence: section(
    "evidence",
    ["chain", "seq", "n"],
    [
      "at",
      "session_id",
      "agent_id",
      "call_id",
      "tool",
      "target",
      "claim",
      "quote",
      "msg_id",
      "matched_in",
      "sender_id",
      "role",
      "condition",
      "verdict",
      "reason",
    ],
  ),
  skill_writes: section(
    "skill_write",
    ["chain", "seq"],
    [
      "at",
      "session_id",
      "agent_id",
      "call_id",
      "skill",
      "file",
      "action",
      "before_sha256",
      "after_sha256",
      "verdict",
      "outcome",
    ],
  ),
  signing_keys: section("signing_key", ["key_id"], ["vkey", "valid_from", "valid_until"]),
  checkpoints: section("checkpoint", ["number"], ["tree_size", "root", "note", "at", "prev", "ledger_seq"]),
  log_leaves: section("leaf", ["leaf_index"], ["chain", "seq", "data"]),
  anchors: section(
    "anchor",
    ["anchor_id"],
    [
      "reference",
      "digest",
      "private",
      "size",
      "published_at",
      "created_by",
      "created_at",
      "state",
      "proof",
      "headers",
    ],
    20,
  ),
} as const satisfies Record<string, Section>;

export type ExportedTable = keyof typeof SECTIONS;
/** Those whose rows are private throughout: what is purged is told by nobody, also where it still stands. */
export const PRIVATE_TABLES: ReadonlySet<ExportedTable> = new Set(["evidence", "skill_writes"]);
/** In the order in which they are exported. */
export const EXPORTED_TABLES = Object.keys(SECTIONS) as readonly ExportedTable[];

function section(kind: string, key: readonly string[], more: readonly string[], limit = 200): Section {
  return { kind, columns: [...key, ...more], key, limit };
}

/** The number of values that say where a page of a table goes on. */
export function keyLength(table: ExportedTable): number {
  return SECTIONS[table].key.length;
}

export interface ExportedPage {
  readonly kind: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Where the next page goes on; `null` at the end. */
  readonly next: readonly KeyValue[] | null;
}

/** A page of a table, in the order of its key. @param after `null`: from the beginning */
export async function listExported(
  db: D1Database,
  organization: string,
  table: ExportedTable,
  after: readonly KeyValue[] | null,
): Promise<ExportedPage> {
  const { kind, columns, key, limit }: Section = SECTIONS[table];
  const beyond =
    after === null ? "" : `AND (${key.join(", ")}) > (${key.map((_, at) => `?${at + 2}`).join(", ")})`;
  const told = PRIVATE_TABLES.has(table) ? `AND ${notPurged("at")}` : "";
  const { results } = await db
    .prepare(
      `SELECT ${columns.join(", ")} FROM ${table} WHERE organization_id = ?1 ${beyond} ${told}
       ORDER BY ${key.join(", ")} LIMIT ${limit}`,
    )
    .bind(organization, ...(after ?? []))
    .all<Record<string, unknown>>();
  const last = results.length < limit ? undefined : results.at(-1);
  return {
    kind,
    rows: results,
    next: last === undefined ? null : key.map((column) => last[column] as KeyValue),
  };
}

/**
 * The next chain that the database names, in the order of their names, the organization's first; `null` after the last.
 * A session that was opened has one also where its head is gone.
 */
export async function nextChain(db: D1Database, organization: string, after: string): Promise<string | null> {
  const row = await db
    .prepare(
      `SELECT min(chain) AS chain FROM (
         SELECT min(chain) AS chain FROM heads WHERE organization_id = ?1 AND chain > ?2
         UNION ALL
         SELECT 'session:' || min(session_id) FROM sessions
         WHERE organization_id = ?1 AND session_id > ?3 AND session_id = root_id)`,
    )
    .bind(organization, after, after.startsWith(SESSIONS) ? after.slice(SESSIONS.length) : "")
    .first<{ chain: unknown }>();
  return typeof row?.chain === "string" ? row.chain : null;
}
