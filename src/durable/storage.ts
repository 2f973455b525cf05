/**
 * The tables of an object's SQLite and how they change. Nothing is created for a name that nobody opened: an object
 * that made its tables on being looked at would let a stranger's guesses fill the disk.
 */
import { hashOf } from "../ledger/index.ts";

/** Steps are append-only; a step that has shipped is never edited. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    entry TEXT NOT NULL,
    body TEXT NOT NULL,
    private TEXT,
    salt BLOB,
    publish TEXT
  );
  CREATE TABLE family (
    session TEXT PRIMARY KEY,
    relation TEXT NOT NULL,
    parent TEXT,
    speaks_as TEXT NOT NULL,
    agent TEXT NOT NULL,
    environment TEXT NOT NULL,
    platform TEXT,
    context_version INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    opened_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE turns (
    session TEXT NOT NULL,
    key TEXT NOT NULL,
    said TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (session, key)
  ) WITHOUT ROWID;
  CREATE TABLE calls (
    session TEXT NOT NULL,
    call_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    seq INTEGER PRIMARY KEY,
    verdict TEXT NOT NULL,
    answer TEXT NOT NULL,
    acts INTEGER NOT NULL,
    backups TEXT,
    created TEXT,
    overwritten TEXT,
    outcome TEXT,
    answered_by TEXT,
    fingerprints TEXT,
    outcome_at INTEGER,
    outcome_answer TEXT,
    UNIQUE (session, call_id)
  );
  CREATE INDEX calls_overwriting ON calls (seq) WHERE acts = 1 AND overwritten IS NOT NULL;
  CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    src TEXT NOT NULL,
    dest TEXT NOT NULL,
    seq INTEGER NOT NULL,
    voided_seq INTEGER
  );
  CREATE INDEX evidence_standing ON evidence (id) WHERE voided_seq IS NULL;
  CREATE TABLE drift (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    report TEXT NOT NULL,
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    change TEXT NOT NULL,
    seq INTEGER NOT NULL,
    told_seq INTEGER
  );
  CREATE INDEX drift_by_report ON drift (session, report);
  CREATE INDEX drift_untold ON drift (id) WHERE told_seq IS NULL;
  CREATE TABLE registry (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE TABLE hosts (
    host TEXT PRIMARY KEY,
    files INTEGER NOT NULL,
    surfaces INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE fingerprints (
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (host, path)
  ) WITHOUT ROWID;
  CREATE TABLE surfaces (
    host TEXT NOT NULL,
    bound TEXT NOT NULL,
    PRIMARY KEY (host, bound)
  ) WITHOUT ROWID;
  CREATE TABLE licences (
    licence TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX licences_by_age ON licences (used_at);
  `,
  `
  ALTER TABLE calls ADD COLUMN permits TEXT;
  `,
  `
  ALTER TABLE calls ADD COLUMN refused_write TEXT;
  ALTER TABLE calls ADD COLUMN skill INTEGER;
  CREATE INDEX calls_refused_writing ON calls (seq) WHERE refused_write IS NOT NULL;
  CREATE TABLE said (seq INTEGER PRIMARY KEY);
  `,
  `
  ALTER TABLE calls ADD COLUMN approval TEXT;
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    call_id TEXT NOT NULL,
    decision_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    digest TEXT NOT NULL,
    risks TEXT NOT NULL,
    rule_keys TEXT NOT NULL,
    demand TEXT NOT NULL,
    origin TEXT NOT NULL,
    grant_lasts INTEGER NOT NULL,
    state TEXT NOT NULL,
    opened_seq INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    notify_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    extended INTEGER NOT NULL DEFAULT 0,
    decided_seq INTEGER,
    decided_at INTEGER,
    decided_by TEXT,
    via TEXT,
    reason TEXT,
    grant_expires_at INTEGER,
    edit_of TEXT,
    replaced_by TEXT,
    edited TEXT
  );
  CREATE INDEX approvals_by_digest ON approvals (digest, opened_seq);
  CREATE INDEX approvals_pending ON approvals (expires_at) WHERE state = 'pending';
  CREATE INDEX approvals_granted ON approvals (grant_expires_at) WHERE state = 'approved';
  CREATE TABLE shown (approval TEXT PRIMARY KEY, action TEXT NOT NULL);
  CREATE TABLE votes (
    approval TEXT NOT NULL,
    member TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (approval, member)
  ) WITHOUT ROWID;
  CREATE TABLE links (
    hash TEXT PRIMARY KEY,
    approval TEXT NOT NULL,
    member TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX links_by_approval ON links (approval);
  CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    approval TEXT NOT NULL,
    event TEXT NOT NULL,
    channel TEXT,
    member TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    link TEXT
  );
  CREATE INDEX notices_by_time ON notices (due_at);
  `,
  // What an older approval was shown is not known: its grant answers for nothing, and is asked for again.
  `
  ALTER TABLE approvals ADD COLUMN reading TEXT NOT NULL DEFAULT '';
  ALTER TABLE approvals ADD COLUMN reasons TEXT NOT NULL DEFAULT '[]';
  `,
  // What is forgotten is found by the entry that it came with.
  `
  ALTER TABLE turns ADD COLUMN seq INTEGER;
  UPDATE turns SET seq = answer ->> '$.ledger.seq';
  CREATE INDEX turns_by_seq ON turns (seq);
  ALTER TABLE family ADD COLUMN context_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE family ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE family ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE hosts ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
  UPDATE hosts SET seen_at = unixepoch() * 1000;
  CREATE TABLE kept (seq INTEGER PRIMARY KEY);
  `,
];

/** All that stands in the object of a session whose family lives elsewhere, also once the family's object is removed. */
const ELSEWHERE = "CREATE TABLE elsewhere (root TEXT NOT NULL)";
/** All that is left of an object that was removed: whose it was, and where its chain ended. */
const TOMBSTONE = "CREATE TABLE removed (seq INTEGER NOT NULL, hash TEXT NOT NULL, agent TEXT NOT NULL)";
const KEY_BYTES = 32;

type Tombstone = { readonly seq: number; readonly hash: string; readonly agent: string };
type Value = string | number | ArrayBuffer | null;

/** An object's tables, created on the first write. */
export class Tables {
  readonly #storage: DurableObjectStorage;
  #created: boolean;
  #removed: Tombstone | null;
  #elsewhere: string | null;

  constructor(storage: DurableObjectStorage, steps: readonly string[] = STEPS) {
    this.#storage = storage;
    const tables = this.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('meta', 'removed', 'elsewhere')")
      .toArray()
      .map(({ name }) => name);
    this.#created = tables.includes("meta");
    this.#removed = tables.includes("removed")
      ? this.sql.exec<Tombstone>("SELECT seq, hash, agent FROM removed").one()
      : null;
    this.#elsewhere = tables.includes("elsewhere")
      ? this.sql.exec<{ root: string }>("SELECT root FROM elsewhere").one().root
      : null;
    if (!this.#created) return;
    // Made when such an object had all tables for this one row.
    const root = this.getText("root");
    if (root === null) this.#migrate(steps);
    else this.#point(root);
  }

  /** The root session of the family that this name belongs to and that has an object of its own; `null` for any other. */
  get elsewhere(): string | null {
    return this.#elsewhere;
  }

  /** Keeps for good where the family of this name lives. Nothing else is ever kept here. */
  bind(root: string): void {
    if (this.#created || this.#removed !== null || this.#elsewhere !== null)
      throw new Error("an object that holds something belongs to no other family");
    this.sql.exec(ELSEWHERE);
    this.sql.exec("INSERT INTO elsewhere (root) VALUES (?)", root);
    this.#elsewhere = root;
  }

  #point(root: string): void {
    void this.#storage.deleteAll();
    this.#created = false;
    this.bind(root);
  }

  /** What is left of an object that was removed, and records nothing any more; `null` for any other. */
  get removed(): Tombstone | null {
    return this.#removed;
  }

  /** Drops everything for good and leaves where the chain ended, so that no second chain is begun under this name. */
  remove(tombstone: Tombstone): void {
    void this.#storage.deleteAll();
    this.#created = false;
    this.#removed = tombstone;
    this.sql.exec(TOMBSTONE);
    const { seq, hash, agent } = tombstone;
    this.sql.exec("INSERT INTO removed (seq, hash, agent) VALUES (?, ?, ?)", seq, hash, agent);
  }

  /**
   * A hash of a text under a key that this object alone has: the same text is told again, and without the object nobody
   * finds out which text it was by trying.
   */
  keyed(text: string): string {
    let key = this.getText("key");
    if (key === null) {
      key = hex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
      this.setText("key", key);
    }
    return hashOf("countersign/keyed/v1\n", key, text);
  }

  /** The object's SQL, for statements that bind every value. */
  get sql(): SqlStorage {
    return this.#storage.sql;
  }

  /** False for a name that nobody has opened. */
  get exist(): boolean {
    return this.#created;
  }

  /** Makes the tables if there are none. Call it inside the transaction that writes the first row. */
  create(): void {
    if (this.#created) return;
    if (this.#removed !== null) throw new Error("an object that was removed is not begun again");
    if (this.#elsewhere !== null) throw new Error("a session whose family lives elsewhere is no root");
    this.#migrate(STEPS);
    this.#created = true;
  }

  /** Runs `work` in one synchronous transaction. Nothing is awaited inside: whatever were would let another call between. */
  transaction<T>(work: () => T): T {
    const existed = this.#created;
    const wasElsewhere = this.#elsewhere;
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      this.#created = existed;
      this.#elsewhere = wasElsewhere;
      throw error;
    }
  }

  /** A number that was set, or 0. */
  getNumber(key: string): number {
    const row = this.sql.exec<{ value: Value }>("SELECT value FROM meta WHERE key = ?", key).toArray()[0];
    return typeof row?.value === "number" ? row.value : 0;
  }

  /** Keeps a number under a name of its own. */
  setNumber(key: string, value: number): void {
    this.sql.exec(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      key,
      value,
    );
  }

  /** A text that was set, or `null`. */
  getText(key: string): string | null {
    const row = this.sql.exec<{ value: Value }>("SELECT value FROM meta WHERE key = ?", key).toArray()[0];
    return typeof row?.value === "string" ? row.value : null;
  }

  /** Keeps a text under a name of its own. */
  setText(key: string, value: string): void {
    this.sql.exec(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      key,
      value,
    );
  }

  /** Drops what was kept under a name. */
  drop(key: string): void {
    this.sql.exec("DELETE FROM meta WHERE key = ?", key);
  }

  #migrate(steps: readonly string[]): void {
    const done = this.#created ? this.getNumber("schema") : 0;
    for (let step = done; step < steps.length; step += 1) {
      this.sql.exec(steps[step] ?? "");
      this.setNumber("schema", step + 1);
    }
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
