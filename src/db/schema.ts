/**
 * The tables of D1: what is read across sessions. The organization comes first in every key. What the session objects
 * and the organization's object write arrives through their outbox, at least once, and is idempotent on its key.
 * Times are epoch milliseconds. Secrets stand here only as SHA-256.
 */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const organizations = sqliteTable("organizations", {
  organization_id: text().primaryKey(),
  name: text().notNull(),
  /** Goes up with every change of what governs: an oath, a mode, a setting. A compiled policy is cached under it. */
  policy_version: integer().notNull(),
  /** JSON: `OrganizationSettings`. */
  settings: text().notNull(),
  created_at: integer().notNull(),
  changed_seq: integer().notNull(),
  /** JSON: the organization's own rows over the table of tools. */
  tool_table: text().notNull().default('{"tools":[]}'),
  /** Goes up with every change of the tool table; 0 before the first. */
  tool_table_version: integer().notNull().default(0),
});

export const members = sqliteTable(
  "members",
  {
    organization_id: text().notNull(),
    member_id: text().notNull(),
    name: text().notNull(),
    role: text().notNull(),
    created_at: integer().notNull(),
    removed_at: integer(),
    /** Sequence number of the change that wrote this row; an older one that arrives late changes nothing. */
    changed_seq: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.member_id] })],
);

/** One-time links by which a member signs in. Spent by the first POST, never by a GET. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    organization_id: text().notNull(),
    link_id: text().notNull(),
    member_id: text().notNull(),
    secret_hash: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.link_id] }),
    uniqueIndex("sign_in_links_by_id").on(t.link_id),
  ],
);

/** Signed-in browsers and tools of members. */
export const memberSessions = sqliteTable(
  "member_sessions",
  {
    organization_id: text().notNull(),
    member_session_id: text().notNull(),
    member_id: text().notNull(),
    secret_hash: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    ended_at: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.member_session_id] }),
    uniqueIndex("member_sessions_by_id").on(t.member_session_id),
  ],
);

export const agents = sqliteTable(
  "agents",
  {
    organization_id: text().notNull(),
    agent_id: text().notNull(),
    name: text().notNull(),
    /** JSON: `AgentSettings`. */
    settings: text().notNull(),
    created_at: integer().notNull(),
    changed_seq: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.agent_id] }),
    uniqueIndex("agents_by_name").on(t.organization_id, t.name),
  ],
);

/** `key_id` is the public part of the key; the whole key is compared by its hash. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    organization_id: text().notNull(),
    key_id: text().notNull(),
    agent_id: text().notNull(),
    name: text().notNull(),
    /** JSON list of scopes. */
    scopes: text().notNull(),
    secret_hash: text().notNull(),
    created_at: integer().notNull(),
    revoked_at: integer(),
    changed_seq: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.key_id] }),
    uniqueIndex("api_keys_by_id").on(t.key_id),
    index("api_keys_by_agent").on(t.organization_id, t.agent_id),
  ],
);

/** Immutable. `oath` is `organization`, or the agent that the oath binds besides. */
export const oathVersions = sqliteTable(
  "oath_versions",
  {
    organization_id: text().notNull(),
    oath: text().notNull(),
    version: integer().notNull(),
    text: text().notNull(),
    sworn_by: text().notNull(),
    sworn_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.oath, t.version] })],
);

/** Where a session's object is: nothing at run time can list objects. */
export const sessions = sqliteTable(
  "sessions",
  {
    organization_id: text().notNull(),
    session_id: text().notNull(),
    root_id: text().notNull(),
    agent_id: text().notNull(),
    relation: text().notNull(),
    created_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.session_id] }),
    index("sessions_by_time").on(t.organization_id, t.created_at),
  ],
);

/**
 * One row for every ledger entry. `chain` is `session:<root id>` or `organization`. `private` and `salt` are what the
 * entry's commitment was made of; retention removes them and the chain still verifies.
 */
export const records = sqliteTable(
  "records",
  {
    organization_id: text().notNull(),
    chain: text().notNull(),
    seq: integer().notNull(),
    kind: text().notNull(),
    at: integer().notNull(),
    session_id: text(),
    agent_id: text(),
    /** `decision`: its verdict; `refusal`: its code. */
    outcome: text(),
    tool: text(),
    hash: text().notNull(),
    body: text().notNull(),
    private: text(),
    salt: text(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.chain, t.seq] }),
    index("records_by_kind").on(t.organization_id, t.kind, t.at),
    index("records_by_agent").on(t.organization_id, t.agent_id, t.at),
    index("records_by_session").on(t.organization_id, t.session_id, t.at),
  ],
);
