/**
 * The tables of D1: what is read across sessions. The organization comes first in every key. What the session objects
 * and the organization's object write arrives through their outbox, at least once, and is idempotent on its key.
 * Times are epoch milliseconds. Secrets stand here only as SHA-256.
 */
import { sql } from "drizzle-orm";
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
  /** Private text of entries older than this is gone, and is dropped when it arrives late. Epoch milliseconds. */
  purged_before: integer().notNull().default(0),
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
    index("records_by_decision").on(t.organization_id, sql`body ->> 'id'`).where(sql`kind = 'decision'`),
  ],
);

/**
 * Ranges of row ids for the full-text indexes, which know nothing of organizations: what is searched for one scope lies
 * in its own range, so that nobody's question reads another's rows. See `search-ranges.ts`.
 */
export const searchScopes = sqliteTable(
  "search_scopes",
  {
    organization_id: text().notNull(),
    number: integer().primaryKey({ autoIncrement: true }),
    /** An agent's id for what its users typed, `evidence` for the organization's evidence. */
    scope: text().notNull(),
  },
  (t) => [uniqueIndex("search_scopes_by_name").on(t.organization_id, t.scope)],
);

/** What users typed: what a quote is looked up in. `said_search` indexes pairs of its words. */
export const said = sqliteTable(
  "said",
  {
    organization_id: text().notNull(),
    said_id: integer().primaryKey(),
    agent_id: text().notNull(),
    chain: text().notNull(),
    /** Of the turn's entry in its chain. */
    seq: integer().notNull(),
    session_id: text().notNull(),
    message_id: text().notNull(),
    at: integer().notNull(),
    sender_id: text(),
    text: text().notNull(),
    /** The text as quotes are compared with it. */
    searchable: text().notNull(),
    indexed: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("said_by_turn").on(t.organization_id, t.chain, t.seq),
    index("said_by_time").on(t.organization_id, t.at),
  ],
);

/** What was found of each claim in a write to a memory. `evidence_search` indexes its words. */
export const evidence = sqliteTable(
  "evidence",
  {
    organization_id: text().notNull(),
    evidence_id: integer().primaryKey(),
    chain: text().notNull(),
    /** Of the decision's entry in its chain, and which of its claims. */
    seq: integer().notNull(),
    n: integer().notNull(),
    at: integer().notNull(),
    session_id: text().notNull(),
    agent_id: text().notNull(),
    call_id: text().notNull(),
    tool: text().notNull(),
    target: text().notNull(),
    claim: text(),
    quote: text(),
    msg_id: text(),
    matched_in: text(),
    sender_id: text(),
    role: text().notNull(),
    condition: text().notNull(),
    /** `pass`, or what the mode made of a claim that is not backed: `would_block`, `asked`, `blocked`. */
    verdict: text().notNull(),
    reason: text(),
    indexed: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("evidence_by_claim").on(t.organization_id, t.chain, t.seq, t.n),
    index("evidence_by_time").on(t.organization_id, t.at),
    index("evidence_by_agent").on(t.organization_id, t.agent_id, t.at),
    index("evidence_by_session").on(t.organization_id, t.session_id, t.at),
  ],
);

/** Every write to a skill: what it replaced, and what it wrote. */
export const skillWrites = sqliteTable(
  "skill_writes",
  {
    organization_id: text().notNull(),
    chain: text().notNull(),
    seq: integer().notNull(),
    at: integer().notNull(),
    session_id: text().notNull(),
    agent_id: text().notNull(),
    call_id: text().notNull(),
    skill: text().notNull(),
    file: text().notNull(),
    action: text().notNull(),
    /** SHA-256 of the file's text before and after; `null` where the client did not say what was stored. */
    before_sha256: text(),
    after_sha256: text(),
    verdict: text().notNull(),
    /** As it was reported, once it is. */
    outcome: text(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.chain, t.seq] }),
    index("skill_writes_by_skill").on(t.organization_id, t.agent_id, t.skill, t.at),
    index("skill_writes_by_time").on(t.organization_id, t.at),
  ],
);

/** Approvals as the families' objects have recorded them: for lists, for figures, and to find the object of one. */
export const approvals = sqliteTable(
  "approvals",
  {
    organization_id: text().notNull(),
    approval_id: text().notNull(),
    /** The family in whose object it lives. */
    root_id: text().notNull(),
    session_id: text().notNull(),
    agent_id: text().notNull(),
    call_id: text().notNull(),
    tool: text().notNull(),
    action_digest: text().notNull(),
    /** JSON lists. */
    risks: text().notNull(),
    rule_keys: text().notNull(),
    /** People demanded. */
    people: integer().notNull(),
    /** `pending`, `approved`, `denied`, `expired`. One that is past `expires_at` has expired, whatever stands here. */
    status: text().notNull(),
    /** What became of the grant; `null` where there is none. */
    grant_status: text(),
    opened_at: integer().notNull(),
    expires_at: integer().notNull(),
    decided_at: integer(),
    /** A member; `null` for what expired. */
    decided_by: text(),
    via: text(),
    edit_of: text(),
    replaced_by: text(),
    /** Sequence number of the entry that wrote this row; an older one that arrives late changes nothing. */
    changed_seq: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.approval_id] }),
    index("approvals_by_time").on(t.organization_id, t.opened_at),
    index("approvals_by_status").on(t.organization_id, t.status, t.opened_at),
  ],
);

/** Where people hear of asks and their outcomes. */
export const channels = sqliteTable(
  "channels",
  {
    organization_id: text().notNull(),
    channel_id: text().notNull(),
    /** Whose own it is: then it carries their link. `null` for the organization's, which carries none. */
    member_id: text(),
    kind: text().notNull(),
    name: text().notNull(),
    /** JSON list of events. */
    events: text().notNull(),
    /** Address and secrets, sealed. */
    target: text().notNull(),
    /** JSON: what may be shown of the target. */
    shown: text().notNull(),
    created_at: integer().notNull(),
    removed_at: integer(),
    changed_seq: integer().notNull(),
    /** How it fares; written by whoever sends, outside any chain. */
    last_sent_at: integer(),
    last_failed_at: integer(),
    /** In a row; 0 after a success. */
    failures: integer().notNull().default(0),
    /** A stable word, e.g. `timeout`, `status-500`. */
    last_failure: text(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.channel_id] })],
);

/** Public keys with which members sign approvals (WebAuthn). */
export const passkeys = sqliteTable(
  "passkeys",
  {
    organization_id: text().notNull(),
    /** Base64url. */
    credential_id: text().notNull(),
    member_id: text().notNull(),
    name: text().notNull(),
    /** COSE, base64url. */
    public_key: text().notNull(),
    /** JSON list. */
    transports: text().notNull(),
    created_at: integer().notNull(),
    removed_at: integer(),
    changed_seq: integer().notNull(),
    /** As the authenticator counts its signatures; written when one is checked, outside any chain. */
    counter: integer().notNull().default(0),
    last_used_at: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.credential_id] }),
    index("passkeys_by_member").on(t.organization_id, t.member_id),
  ],
);

/** The head of each chain as D1 knows it, and how far it has been sealed and checked. */
export const heads = sqliteTable(
  "heads",
  {
    organization_id: text().notNull(),
    chain: text().notNull(),
    seq: integer().notNull(),
    hash: text().notNull(),
    /** Of the head's entry. */
    at: integer().notNull(),
    /** The newest entry that is not itself the record of a checkpoint: those alone are no reason for another. */
    news_seq: integer().notNull(),
    /** Up to here a checkpoint covers the chain; 0 before the first. */
    sealed_seq: integer().notNull().default(0),
    /** How far the copy has been compared with the object in this round; 0 at its beginning. */
    checked_seq: integer().notNull().default(0),
    /** When a round of that last ended; 0 before the first. */
    checked_at: integer().notNull().default(0),
    /** Its object holds no private text that is older. */
    forgotten_before: integer().notNull().default(0),
    /** When its object was removed: what it recorded stands in the records alone. */
    removed_at: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.chain] }),
    index("heads_unsealed").on(t.organization_id, t.chain).where(sql`seq > sealed_seq`),
    index("heads_moved").on(t.organization_id).where(sql`news_seq > sealed_seq`),
    index("heads_by_check").on(t.organization_id, t.checked_at),
    index("heads_present").on(t.organization_id, t.at).where(sql`removed_at IS NULL`),
  ],
);

/** The leaves of an organization's log of heads. Only ever added. */
export const logLeaves = sqliteTable(
  "log_leaves",
  {
    organization_id: text().notNull(),
    leaf_index: integer().notNull(),
    chain: text().notNull(),
    seq: integer().notNull(),
    /** What is hashed: RFC 8785 text. */
    data: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.leaf_index] }),
    index("log_leaves_by_chain").on(t.organization_id, t.chain, t.seq),
  ],
);

/** The full subtrees of that log; level 0 are the leaves' hashes. */
export const logNodes = sqliteTable(
  "log_nodes",
  {
    organization_id: text().notNull(),
    level: integer().notNull(),
    node_index: integer().notNull(),
    hash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.level, t.node_index] })],
);

/** Signed roots of that log. */
export const checkpoints = sqliteTable(
  "checkpoints",
  {
    organization_id: text().notNull(),
    /** From 1. */
    number: integer().notNull(),
    tree_size: integer().notNull(),
    root: text().notNull(),
    /** The whole signed note. */
    note: text().notNull(),
    at: integer().notNull(),
    /** Of the text of the one before it; `null` for the first. */
    prev: text(),
    /** Of its entry in the organization's chain, once that is on record. */
    ledger_seq: integer(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.number] })],
);

/** Keys that sign checkpoints. Public parts stay for good. */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    organization_id: text().notNull(),
    /** Eight hex digits, as notes name it. */
    key_id: text().notNull(),
    vkey: text().notNull(),
    /** The private part, sealed. */
    sealed: text().notNull(),
    valid_from: integer().notNull(),
    /** It signs until then; `null` for the newest. */
    valid_until: integer(),
    changed_seq: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organization_id, t.key_id] })],
);

/** Where the comparison of an organization's copy with its objects goes on. */
export const driftRounds = sqliteTable(
  "drift_rounds",
  {
    organization_id: text().primaryKey(),
    /** The next leaf of the log, and the next checkpoint, to look at. */
    leaf_index: integer().notNull().default(0),
    checkpoint: integer().notNull().default(1),
    /** When it was last looked at. */
    ran_at: integer().notNull(),
    /** JSON: where the comparison of what governs, of approvals and of families goes on; `null` at the beginning. */
    cursor: text(),
  },
  (t) => [index("drift_rounds_by_time").on(t.ran_at)],
);

/** What an organization has had stamped: a digest, and the proof that grows under it. */
export const anchors = sqliteTable(
  "anchors",
  {
    organization_id: text().notNull(),
    anchor_id: text().notNull(),
    /** Whoever made it calls it that. One reference is one content. */
    reference: text().notNull(),
    /** SHA-256 of the exact bytes, hex. The bytes themselves are not kept. */
    digest: text().notNull(),
    /** 1: nothing but the digest was ever sent here. */
    private: integer().notNull(),
    /** Bytes that were hashed here; `null` when only a digest was sent. */
    size: integer(),
    /** When whoever made it says that the bytes were published, or will be. */
    published_at: integer(),
    /** The member, or `null`. */
    created_by: text(),
    created_at: integer().notNull(),
    changed_seq: integer().notNull(),
    /** `unsubmitted`, `pending`, `attested` or `confirmed`. */
    state: text().notNull().default("unsubmitted"),
    /** Base64 of the `.ots` file; `null` until a calendar took it. */
    proof: text(),
    /** JSON: block headers by height, each checked before it was kept. */
    headers: text().notNull().default("{}"),
    /** When there is something to be done about it; `null` when nothing is. */
    next_at: integer(),
    /** Tries in a row that brought nothing new. */
    attempts: integer().notNull().default(0),
    /** A stable word. */
    last_failure: text(),
    /** Goes up with each change of the proof: two who work on it at once do not undo each other. */
    revision: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.anchor_id] }),
    uniqueIndex("anchors_by_reference").on(t.organization_id, t.reference),
    index("anchors_by_digest").on(t.organization_id, t.digest),
    index("anchors_by_time").on(t.organization_id, t.created_at, t.anchor_id),
    index("anchors_due").on(t.organization_id, t.next_at).where(sql`next_at IS NOT NULL`),
  ],
);

/** How far the removal of private text has got, for each organization that has asked for one. */
export const retention = sqliteTable(
  "retention",
  {
    organization_id: text().primaryKey(),
    /** What is older goes. */
    before: integer().notNull(),
    /** What is older is gone, everywhere. */
    clean_before: integer().notNull().default(0),
    /** JSON: where it goes on; `null` when it is done. */
    cursor: text(),
    /** When it was last worked on. */
    ran_at: integer().notNull().default(0),
  },
  (t) => [index("retention_undone").on(t.ran_at).where(sql`cursor IS NOT NULL`)],
);
