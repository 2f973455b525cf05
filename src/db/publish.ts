/**
 * Copies ledger entries, and the rows that came with them, into D1: in one atomic batch, idempotent on their keys, in
 * the order of the chain. An older state that arrives after a newer one changes nothing (`changed_seq`).
 */
import type { ChainIdentity } from "../ledger/index.ts";
import { anchorStatement } from "./anchors.ts";
import { approvalStatement } from "./approvals.ts";
import { channelStatement } from "./channels.ts";
import { checkpointStatement } from "./checkpoints.ts";
import { evidenceStatements, type KeptEvidence } from "./evidence.ts";
import { headStatement } from "./heads.ts";
import { inLists } from "./lists.ts";
import { passkeyStatement } from "./passkeys.ts";
import { columnOf, type PublishedRow } from "./published.ts";
import { notPurged, purgedStatement } from "./purged.ts";
import { type SaidRow, saidStatements } from "./said.ts";
import { signingKeyStatement } from "./signing-keys.ts";
import { type KeptSkillWrite, skillOutcomeStatement, skillStatements } from "./skills.ts";

/** An entry as an object keeps it until it is delivered. `publish` is a JSON list of {@link PublishedRow}. */
export interface DeliverableEntry {
  readonly seq: number;
  readonly hash: string;
  readonly entry: string;
  readonly body: string;
  readonly private: string | null;
  readonly salt: ArrayBuffer | null;
  readonly publish: string | null;
  /** Rows that are made of the entry's private text on the way, so that the object need not keep them. */
  readonly made?: readonly MadeRow[];
}

export type MadeRow =
  | ({ readonly op: "said" } & SaidRow)
  | { readonly op: "evidence"; readonly rows: readonly KeptEvidence[] }
  | ({ readonly op: "skill" } & KeptSkillWrite);

/** What an organization's own chain keeps is no session's text: oaths stay. */
const KEPT = `?2 = 'organization' OR ${notPurged("e.value->>'at'")}`;

const RECORDS = `
INSERT INTO records (organization_id, chain, seq, kind, at, session_id, agent_id, outcome, tool, hash, body, private, salt)
SELECT ?1, ?2, e.value->>'seq', e.value->>'kind', e.value->>'at', e.value->>'session_id', e.value->>'agent_id',
  e.value->>'outcome', e.value->>'tool', e.value->>'hash', e.value->>'body',
  iif(${KEPT}, e.value->>'private', NULL), iif(${KEPT}, e.value->>'salt', NULL)
FROM json_each(?3) AS e WHERE true
ON CONFLICT DO NOTHING`;

const KEPT_ALONE = `?2 = 'organization' OR ${notPurged("?5")}`;
const RECORD = `
INSERT INTO records (organization_id, chain, seq, kind, at, session_id, agent_id, outcome, tool, hash, body, private, salt)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
  iif(${KEPT_ALONE}, ?12, NULL), iif(${KEPT_ALONE}, ?13, NULL))
ON CONFLICT DO NOTHING`;

/** The name of a chain in D1: a session may be called anything, so it is prefixed. */
export function chainName(identity: ChainIdentity): string {
  return identity.session === null ? "organization" : `session:${identity.session}`;
}

/**
 * Writes `entries` and what belongs to them. Rejects as D1 does; the caller tries the same entries again.
 * @param entries of one chain, ascending
 * @returns since when the organization keeps private text, epoch milliseconds: 0 when nothing was purged
 */
export async function publishEntries(
  db: D1Database,
  identity: ChainIdentity,
  entries: readonly DeliverableEntry[],
): Promise<number> {
  const rows = entries.map((stored): RecordRow => {
    const entry = JSON.parse(stored.entry) as { kind: string; at: number; session: string | null };
    const body = JSON.parse(stored.body) as Record<string, unknown>;
    return {
      seq: stored.seq,
      kind: entry.kind,
      at: entry.at,
      session_id: entry.session,
      ...columnsOf(body),
      hash: stored.hash,
      body: stored.body,
      private: stored.private,
      salt: stored.salt === null ? null : hex(stored.salt),
    };
  });
  const statements = recordStatements(db, identity, rows);
  const chain = chainName(identity);
  const head = headStatement(db, identity.org, chain, rows);
  if (head !== null) statements.push(head);
  const made = entries.flatMap((stored) => stored.made ?? []);
  statements.push(...madeStatements(db, identity.org, chain, made));
  for (const [i, stored] of entries.entries()) {
    if (stored.publish === null) continue;
    for (const row of JSON.parse(stored.publish) as PublishedRow[]) {
      const statement = statementFor(db, identity.org, chain, row, rows[i]?.at ?? 0, rows[i]?.body ?? "{}");
      if (statement !== null) statements.push(statement);
    }
  }
  statements.push(purgedStatement(db, identity.org));
  const results = await db.batch<{ purged_before: number }>(statements);
  return results.at(-1)?.results[0]?.purged_before ?? 0;
}

/** Columns of a record that are read out of its body. */
export function columnsOf(body: Readonly<Record<string, unknown>>) {
  return {
    agent_id: text(body["agent"]),
    outcome: text(body["verdict"]) ?? text(body["code"]) ?? text(body["outcome"]),
    tool: text(body["tool"]),
  };
}

interface RecordRow {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly outcome: string | null;
  readonly tool: string | null;
  readonly hash: string;
  readonly body: string;
  readonly private: string | null;
  readonly salt: string | null;
}

function recordStatements(
  db: D1Database,
  identity: ChainIdentity,
  rows: readonly RecordRow[],
): D1PreparedStatement[] {
  const chain = chainName(identity);
  return inLists(
    rows,
    (json) => [db.prepare(RECORDS).bind(identity.org, chain, json)],
    (row) => {
      const values = [row.seq, row.kind, row.at, row.session_id, row.agent_id, row.outcome, row.tool];
      const texts = [row.hash, row.body, row.private, row.salt];
      return [db.prepare(RECORD).bind(identity.org, chain, ...values, ...texts)];
    },
  );
}

/** What was made of the entries on their way, kind by kind: D1 counts statements. */
function madeStatements(
  db: D1Database,
  organization: string,
  chain: string,
  made: readonly MadeRow[],
): D1PreparedStatement[] {
  const said = made.flatMap((one) => (one.op === "said" ? [one] : []));
  const evidence = made.flatMap((one) => (one.op === "evidence" ? one.rows : []));
  const skills = made.flatMap((one) => (one.op === "skill" ? [one] : []));
  return [
    ...saidStatements(db, organization, chain, said),
    ...evidenceStatements(db, organization, chain, evidence),
    ...skillStatements(db, organization, chain, skills),
  ];
}

function statementFor(
  db: D1Database,
  organization: string,
  chain: string,
  row: PublishedRow,
  at: number,
  body: string,
): D1PreparedStatement | null {
  const value = (name: string): string | number | null => columnOf(row, name);
  switch (row.op) {
    case "organization":
      return db
        .prepare(
          `INSERT INTO organizations (organization_id, name, policy_version, settings, created_at, changed_seq,
             tool_table, tool_table_version)
           VALUES (?, ?, ?, ?, ?, ?, coalesce(?, '{"tools":[]}'), coalesce(?, 0))
           ON CONFLICT DO UPDATE SET name = excluded.name, policy_version = excluded.policy_version,
             settings = excluded.settings, changed_seq = excluded.changed_seq, tool_table = excluded.tool_table,
             tool_table_version = excluded.tool_table_version
           WHERE excluded.changed_seq > organizations.changed_seq`,
        )
        .bind(
          organization,
          value("name"),
          value("policy_version"),
          value("settings"),
          value("created_at"),
          value("changed_seq"),
          value("tool_table"),
          value("tool_table_version"),
        );
    case "member":
      return db
        .prepare(
          `INSERT INTO members (organization_id, member_id, name, role, created_at, removed_at, changed_seq)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET role = excluded.role, removed_at = excluded.removed_at,
             changed_seq = excluded.changed_seq
           WHERE excluded.changed_seq > members.changed_seq`,
        )
        .bind(
          organization,
          value("member_id"),
          value("name"),
          value("role"),
          value("created_at"),
          value("removed_at"),
          value("changed_seq"),
        );
    case "agent":
      return db
        .prepare(
          `INSERT INTO agents (organization_id, agent_id, name, settings, created_at, changed_seq)
           VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (organization_id, agent_id) DO UPDATE SET settings = excluded.settings,
             changed_seq = excluded.changed_seq
           WHERE excluded.changed_seq > agents.changed_seq`,
        )
        .bind(
          organization,
          value("agent_id"),
          value("name"),
          value("settings"),
          value("created_at"),
          value("changed_seq"),
        );
    case "key":
      return db
        .prepare(
          `INSERT INTO api_keys (organization_id, key_id, agent_id, name, scopes, secret_hash, created_at, revoked_at, changed_seq)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (organization_id, key_id) DO UPDATE SET revoked_at = excluded.revoked_at,
             changed_seq = excluded.changed_seq
           WHERE excluded.changed_seq > api_keys.changed_seq`,
        )
        .bind(
          organization,
          value("key_id"),
          value("agent_id"),
          value("name"),
          value("scopes"),
          value("secret_hash"),
          value("created_at"),
          value("revoked_at"),
          value("changed_seq"),
        );
    case "oath":
      return db
        .prepare(
          `INSERT INTO oath_versions (organization_id, oath, version, text, sworn_by, sworn_at)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        )
        .bind(
          organization,
          value("oath"),
          value("version"),
          value("text"),
          text((JSON.parse(body) as { by?: unknown }).by) ?? "operator",
          value("sworn_at"),
        );
    case "approval":
      return approvalStatement(db, organization, row);
    case "channel":
      return channelStatement(db, organization, row);
    case "passkey":
      return passkeyStatement(db, organization, row);
    case "anchor":
      return anchorStatement(db, organization, row);
    case "signing_key":
      return signingKeyStatement(db, organization, row);
    case "checkpoint":
      return checkpointStatement(db, organization, row);
    case "session":
      return db
        .prepare(
          `INSERT INTO sessions (organization_id, session_id, root_id, agent_id, relation, created_at)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        )
        .bind(organization, value("session_id"), value("root_id"), value("agent_id"), value("relation"), at);
    case "purge":
      return db
        .prepare("UPDATE organizations SET purged_before = max(purged_before, ?) WHERE organization_id = ?")
        .bind(value("before"), organization);
    case "skill_outcome":
      return skillOutcomeStatement(db, organization, chain, Number(value("seq")), String(value("outcome")));
    default:
      return null;
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
