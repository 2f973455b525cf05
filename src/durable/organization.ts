/**
 * What governs an organization, and the order in which it changed. The organization's object is the truth of it: a
 * change is checked, linked and queued for D1 in one transaction, so that nothing is in force that is not on record.
 *
 * Crash order: recorded here, then published to D1 by whoever asked, then once more by the outbox. A crash in between
 * leaves a change that is on record and comes into force when the outbox runs.
 */
import { MODED_ENGINES } from "../policy/modes.ts";
import { ROLES, type Role, type Scope } from "../roles.ts";
import { type Anchor, type AnchorChange, anchorEffect, knownAnchor } from "./anchors.ts";
import type { Chain, UndeliveredEntry } from "./chain.ts";
import { type ContactChange, changeContacts, type Registry } from "./contacts.ts";
import { Governed, type GovernedPage, type GovernedTable, oathRowId } from "./governed.ts";
import { type KeptCheckpoint, LogKeeping } from "./log-keeping.ts";
import type { PrivateText, Refused } from "./protocol.ts";
import {
  changeSealing,
  type SealedCheckpoint,
  type SealingChange,
  sealedCheckpoint,
} from "./sealing-changes.ts";
import type { Tables } from "./storage.ts";

/** Bounds on what one organization holds, so that its object and its lists stay small. */
const MAX_MEMBERS = 1_000;
const MAX_AGENTS = 1_000;
const MAX_KEYS_PER_AGENT = 100;
/** Credentials of members that have run out are known for so long still: clocks differ. */
const SPENT_STAYS_MS = 60 * 60 * 1000;

export type Settings = Readonly<Record<string, unknown>>;

/** Changes that one request publishes with its own; an outage that leaves more is the outbox's to end. */
const MAX_PENDING = 100;

/** A change to what governs. Ids and hashes are made by the caller, so that a retry can be the same change. */
export type Change =
  | { kind: "create_organization"; name: string; member_id: string; member_name: string; settings: Settings }
  | { kind: "change_settings"; settings: Settings }
  /** `shown` is what the record says of it: a key, even sealed, is nobody's to export. */
  | { kind: "change_compiler"; compiler: Settings; shown: Settings }
  | { kind: "change_tools"; expected: number; table: Settings }
  | { kind: "add_member"; member_id: string; name: string; role: Role }
  | { kind: "change_member"; member_id: string; role: Role }
  | { kind: "remove_member"; member_id: string }
  | { kind: "create_agent"; agent_id: string; name: string; settings: Settings }
  | { kind: "change_agent"; agent_id: string; settings: Settings }
  | {
      kind: "create_key";
      agent_id: string;
      key_id: string;
      name: string;
      scopes: Scope[];
      secret_hash: string;
    }
  | { kind: "revoke_key"; agent_id: string; key_id: string }
  | { kind: "swear"; oath: string; expected: number; text: string; private: PrivateText }
  | { kind: "purge"; before: number }
  /** A session's object is about to be removed, its chain ending here. */
  | { kind: "retire_session"; root: string; seq: number; hash: string }
  | {
      kind: "note";
      what: "sign_in_link_created" | "signed_in" | "signed_out" | "exported";
      member_id: string;
      /** The link or the signed-in session that it is about: one that is not known here was made by nobody. */
      credential?: Credential;
      /** The signed-in session that ends. */
      ends?: string;
    }
  | SealingChange
  | AnchorChange
  | ContactChange;

/** A member's one-time link or signed-in session, as D1 holds it. The secret is known to whoever carries it alone. */
export interface Credential {
  readonly id: string;
  readonly secret_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export type Changed =
  | {
      readonly ok: true;
      readonly policy_version: number;
      readonly version: number;
      readonly at: number;
      /**
       * What D1 still needs, in order, up to this change. Whoever publishes this one publishes those before it too, or
       * an isolate could read the newer version without the older change. `null`: too much for one request.
       */
      readonly entries: readonly UndeliveredEntry[] | null;
    }
  | (Refused<"not-found" | "conflict" | "version-mismatch" | "forbidden"> & {
      readonly detail: string;
      readonly current?: number;
    });

/** Who may ask for a change (DESIGN §8). */
const LEAST_ROLE: Readonly<Record<Change["kind"], Role>> = {
  create_organization: "owner",
  change_settings: "admin",
  change_compiler: "admin",
  change_tools: "admin",
  add_member: "owner",
  change_member: "owner",
  remove_member: "owner",
  create_agent: "admin",
  change_agent: "admin",
  create_key: "admin",
  revoke_key: "admin",
  swear: "owner",
  purge: "admin",
  retire_session: "admin",
  note: "viewer",
  anchor: "admin",
  rotate_signing_key: "owner",
  reseal_signing_key: "owner",
  checkpoint: "admin",
  restore: "owner",
  alert: "admin",
  acknowledge_alerts: "admin",
  // Whose channel or passkey it is decides the rest.
  add_channel: "approver",
  change_channel: "approver",
  remove_channel: "approver",
  add_passkey: "approver",
  remove_passkey: "viewer",
};

interface Member {
  name: string;
  role: Role;
  created_at: number;
  removed_at: number | null;
}
interface Agent {
  name: string;
  settings: Settings;
  created_at: number;
}
interface Key {
  agent_id: string;
  name: string;
  scopes: Scope[];
  secret_hash: string;
  created_at: number;
  revoked_at: number | null;
}
interface OrganizationRow {
  name: string;
  settings: Settings;
  created_at: number;
}
interface ToolTable {
  version: number;
  table: Settings;
}

const NO_TOOLS: ToolTable = { version: 0, table: { tools: [] } };

/** What a change does: an entry for the chain, and rows for D1. */
interface Effect {
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly rows: Record<string, unknown>[];
  readonly private?: PrivateText;
  readonly governs?: boolean;
  readonly version?: number;
}

export class Organization {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #now: () => number;
  readonly #governed: Governed;
  readonly #log: LogKeeping;

  constructor(tables: Tables, chain: Chain, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#now = now;
    this.#governed = new Governed(tables);
    this.#log = new LogKeeping(tables, this.#registry());
  }

  /**
   * Checks, links and queues a change.
   * @param id of the request: asked again with the same one, nothing changes and the answer is the same
   * @param actor the member who asks, or `null` for the operator of the deployment. The role that counts is the one on
   *   record here: D1 may not have heard yet that it was taken away
   */
  change(change: Change, actor: string | null, id: string): Changed {
    const done = this.#get<{ policy_version: number; version: number; at: number }>("change", id);
    if (done !== null) return { ok: true, ...done, entries: this.#pending() };
    const refused = this.#forbids(change, actor);
    if (refused !== null) return refused;
    const now = this.#now();
    const known = change.kind === "anchor" ? this.#knownAnchor(change) : null;
    if (known !== null) return known;
    const effect = this.#effectOf(change, actor, now);
    if ("ok" in effect) return effect;
    const policyVersion = this.#tables.getNumber("policy_version") + (effect.governs === true ? 1 : 0);
    if (effect.governs === true) this.#tables.setNumber("policy_version", policyVersion);
    const seq = this.#chain.head().seq + 1;
    const head = this.#chain.append({
      session: null,
      at: now,
      kind: effect.kind,
      body: {
        by: actor,
        ...(effect.governs === true ? { policy_version: policyVersion } : {}),
        ...effect.body,
      },
      private: effect.private ?? null,
      publish: [
        ...effect.rows.map((row) => ({ ...row, changed_seq: seq })),
        ...(effect.governs === true ? [this.#organizationRow(policyVersion, seq)] : []),
      ],
    });
    if (change.kind === "checkpoint" && change.kept !== undefined)
      this.#log.keep({ number: change.number, ...change.kept, ledger_seq: head.seq });
    const changed = { policy_version: policyVersion, version: effect.version ?? 0, at: head.at };
    this.#put("change", id, changed);
    return { ok: true, ...changed, entries: this.#pending() };
  }

  /** Why this member may not make this change, or `null`. */
  #forbids(change: Change, actor: string | null): Exclude<Changed, { ok: true }> | null {
    if (actor === null) return null;
    const member = this.#get<Member>("member", actor);
    const role = member === null || member.removed_at !== null ? -1 : ROLES.indexOf(member.role);
    if (role < ROLES.indexOf(LEAST_ROLE[change.kind]))
      return forbidden("Your role does not allow this any more.");
    if (role >= ROLES.indexOf("owner")) return null;
    // Switching an engine off, or on again, is the owner's: it is what their oath and their words hang on.
    const before =
      change.kind === "change_settings"
        ? this.#get<OrganizationRow>("organization", "")
        : change.kind === "change_agent"
          ? this.#get<Agent>("agent", change.agent_id)
          : null;
    const after =
      change.kind === "change_settings" || change.kind === "change_agent" ? change.settings : null;
    return before !== null && after !== null && enginesOff(before.settings) !== enginesOff(after)
      ? forbidden("Only an owner switches an engine off or on again.")
      : null;
  }

  #pending(): UndeliveredEntry[] | null {
    const rows = this.#tables.sql
      .exec<Record<string, SqlStorageValue> & UndeliveredEntry>(
        `SELECT seq, hash, entry, body, private, salt, publish FROM entries
         WHERE seq > ? AND publish IS NOT NULL ORDER BY seq LIMIT ?`,
        this.#tables.getNumber("delivered"),
        MAX_PENDING + 1,
      )
      .toArray();
    return rows.length > MAX_PENDING ? null : rows;
  }

  #effectOf(change: Change, actor: string | null, now: number): Effect | Exclude<Changed, { ok: true }> {
    if (change.kind !== "create_organization" && this.#get<OrganizationRow>("organization", "") === null)
      return notFound("There is no such organization.");
    switch (change.kind) {
      case "create_organization": {
        if (this.#tables.exist && this.#get("organization", "") !== null)
          return conflict("The organization exists.");
        this.#tables.create();
        this.#put("organization", "", { name: change.name, settings: change.settings, created_at: now });
        const member: Member = { name: change.member_name, role: "owner", created_at: now, removed_at: null };
        this.#put("member", change.member_id, member);
        this.#governed.since(now);
        return {
          kind: "organization_created",
          body: { name: change.name, owner: change.member_id },
          rows: [{ op: "member", member_id: change.member_id, ...member }],
          governs: true,
        };
      }
      case "change_settings": {
        const before = this.#get<OrganizationRow>("organization", "");
        if (before === null) return notFound("There is no such organization.");
        // The compiler has a resource of its own: whoever replaces the settings has not been shown its key.
        const { compiler } = before.settings;
        const settings = compiler === undefined ? change.settings : { ...change.settings, compiler };
        this.#put("organization", "", { ...before, settings });
        return { kind: "settings_changed", body: { settings: change.settings }, rows: [], governs: true };
      }
      case "change_compiler": {
        const before = this.#get<OrganizationRow>("organization", "");
        if (before === null) return notFound("There is no such organization.");
        const settings = { ...before.settings, compiler: change.compiler };
        this.#put("organization", "", { ...before, settings });
        return { kind: "compiler_changed", body: { compiler: change.shown }, rows: [], governs: true };
      }
      case "change_tools": {
        const { version: current } = this.#get<ToolTable>("tool_table", "") ?? NO_TOOLS;
        if (change.expected !== current) return mismatch("tool table", current, change.expected);
        const version = current + 1;
        this.#put("tool_table", "", { version, table: change.table } satisfies ToolTable);
        return {
          kind: "tool_table_changed",
          body: { version, table: change.table },
          rows: [],
          governs: true,
          version,
        };
      }
      case "add_member": {
        if (this.#count("member") >= MAX_MEMBERS)
          return conflict(`An organization holds at most ${MAX_MEMBERS} members.`);
        if (this.#get("member", change.member_id) !== null) return conflict("The member exists.");
        const member: Member = { name: change.name, role: change.role, created_at: now, removed_at: null };
        this.#put("member", change.member_id, member);
        return {
          kind: "member_added",
          body: { member: change.member_id, role: change.role },
          rows: [{ op: "member", member_id: change.member_id, ...member }],
        };
      }
      case "change_member":
      case "remove_member": {
        const before = this.#get<Member>("member", change.member_id);
        if (before === null || before.removed_at !== null) return notFound("There is no such member.");
        const after: Member =
          change.kind === "remove_member" ? { ...before, removed_at: now } : { ...before, role: change.role };
        if (
          before.role === "owner" &&
          (after.role !== "owner" || after.removed_at !== null) &&
          this.#owners() === 1
        )
          return conflict("This is the last owner. Make another member an owner first.");
        this.#put("member", change.member_id, after);
        return {
          kind: change.kind === "remove_member" ? "member_removed" : "member_changed",
          body: { member: change.member_id, role: after.role },
          rows: [{ op: "member", member_id: change.member_id, ...after }],
        };
      }
      case "create_agent": {
        if (this.#count("agent") >= MAX_AGENTS)
          return conflict(`An organization holds at most ${MAX_AGENTS} agents.`);
        if (this.#get("agent_name", change.name) !== null)
          return conflict(
            "An agent of this name exists. One name is one agent: use it, or choose another name.",
          );
        const agent: Agent = { name: change.name, settings: change.settings, created_at: now };
        this.#put("agent", change.agent_id, agent);
        this.#put("agent_name", change.name, change.agent_id);
        return {
          kind: "agent_created",
          body: { agent: change.agent_id, name: change.name },
          rows: [{ op: "agent", agent_id: change.agent_id, ...agent }],
        };
      }
      case "change_agent": {
        const before = this.#get<Agent>("agent", change.agent_id);
        if (before === null) return notFound("There is no such agent.");
        const after: Agent = { ...before, settings: change.settings };
        this.#put("agent", change.agent_id, after);
        return {
          kind: "agent_changed",
          body: { agent: change.agent_id, settings: change.settings },
          rows: [{ op: "agent", agent_id: change.agent_id, ...after }],
          governs: true,
        };
      }
      case "create_key": {
        if (this.#get("agent", change.agent_id) === null) return notFound("There is no such agent.");
        const live = this.#all<Key>("key").filter(
          (key) => key.agent_id === change.agent_id && key.revoked_at === null,
        );
        if (live.length >= MAX_KEYS_PER_AGENT)
          return conflict(`An agent holds at most ${MAX_KEYS_PER_AGENT} live keys.`);
        const key: Key = {
          agent_id: change.agent_id,
          name: change.name,
          scopes: change.scopes,
          secret_hash: change.secret_hash,
          created_at: now,
          revoked_at: null,
        };
        this.#put("key", change.key_id, key);
        return {
          kind: "key_created",
          body: { agent: change.agent_id, key: change.key_id, scopes: change.scopes },
          rows: [{ op: "key", key_id: change.key_id, ...key }],
        };
      }
      case "revoke_key": {
        const before = this.#get<Key>("key", change.key_id);
        if (before === null || before.agent_id !== change.agent_id) return notFound("There is no such key.");
        const after: Key = { ...before, revoked_at: before.revoked_at ?? now };
        this.#put("key", change.key_id, after);
        return {
          kind: "key_revoked",
          body: { agent: change.agent_id, key: change.key_id },
          rows: [{ op: "key", key_id: change.key_id, ...after }],
        };
      }
      case "swear": {
        if (change.oath !== "organization" && this.#get("agent", change.oath) === null)
          return notFound("There is no such agent.");
        const current = this.#get<number>("oath", change.oath) ?? 0;
        if (change.expected !== current) return mismatch("oath", current, change.expected);
        const version = current + 1;
        this.#put("oath", change.oath, version);
        // D1 alone held the text once: whoever set it back would have taken the oath with it.
        this.#put("sworn", oathRowId(change.oath, version), {
          text: change.text,
          sworn_by: actor ?? "operator",
          sworn_at: now,
        });
        return {
          kind: "oath_sworn",
          body: { oath: change.oath, version },
          rows: [{ op: "oath", oath: change.oath, version, text: change.text, sworn_at: now }],
          private: change.private,
          governs: true,
          version,
        };
      }
      case "purge":
        this.#governed.purge(change.before);
        return {
          kind: "purge",
          body: { before: change.before },
          rows: [{ op: "purge", before: change.before }],
        };
      case "retire_session":
        return {
          kind: "session_retired",
          body: { root: change.root, head: { seq: change.seq, hash: change.hash } },
          rows: [],
        };
      case "note":
        this.#keepCredential(change, now);
        return { kind: change.what, body: { member: change.member_id }, rows: [] };
      case "anchor": {
        const count = this.#tables.getNumber("anchors");
        const effect = anchorEffect(change, actor, count, now);
        if ("ok" in effect) return effect;
        const { anchor_id, digest } = change;
        const { size, published_at } = change;
        const more = { private: change.private ? 1 : 0, size, published_at, created_by: actor };
        this.#put("anchor", change.reference, {
          anchor_id,
          digest,
          created_at: now,
          ...more,
        } satisfies Anchor & Record<string, unknown>);
        this.#tables.setNumber("anchors", count + 1);
        return effect;
      }
      case "rotate_signing_key":
      case "reseal_signing_key":
      case "checkpoint":
      case "restore":
      case "alert":
      case "acknowledge_alerts":
        return changeSealing(this.#registry(), change, now);
      default: {
        const role = actor === null ? null : (this.#get<Member>("member", actor)?.role ?? "viewer");
        const by = actor === null || role === null ? null : { member: actor, role };
        return changeContacts(this.#registry(), change, by, now);
      }
    }
  }

  /** The newest checkpoint on record, or `null`. */
  sealed(): SealedCheckpoint | null {
    return sealedCheckpoint(this.#registry());
  }

  /**
   * What D1 must hold of a table, a page at a time. Call it inside a transaction: what older versions did not count is
   * counted here.
   * @param from after which row, or which rows
   */
  governed(table: GovernedTable, from: string | null | readonly string[]): GovernedPage | null {
    if (this.#get<OrganizationRow>("organization", "") === null) return null;
    this.#governed.since(this.#now());
    const { seq } = this.#chain.head();
    const delivered = this.#chain.deliveredTo();
    return from === null || typeof from === "string"
      ? this.#governed.page(table, from, seq, delivered)
      : this.#governed.rows(table, from, seq, delivered);
  }

  /** Keeps who was let in by what, for as long as it is good for anything. */
  #keepCredential(
    { what, member_id, credential, ends }: Extract<Change, { kind: "note" }>,
    now: number,
  ): void {
    if (ends !== undefined) {
      const before = this.#get<Record<string, unknown>>("member_session", ends);
      if (before !== null) this.#put("member_session", ends, { ...before, ended: true });
    }
    if (credential === undefined) return;
    const kind = what === "sign_in_link_created" ? "sign_in_link" : "member_session";
    const { id, ...rest } = credential;
    this.#tables.sql.exec(
      "DELETE FROM registry WHERE kind = ? AND value ->> 'expires_at' <= ?",
      kind,
      now - SPENT_STAYS_MS,
    );
    this.#put(kind, id, { member_id, ...rest, ended: false });
  }

  /** Checkpoints as they were signed, with their leaves, from a number on; and the first that is kept at all. */
  kept(first: number): { readonly checkpoints: readonly KeptCheckpoint[]; readonly oldest: number | null } {
    if (!this.#tables.exist) return { checkpoints: [], oldest: null };
    return { checkpoints: this.#log.page(first), oldest: this.#log.oldest() };
  }

  /** Takes up older checkpoints, newest first; see {@link LogKeeping.takeUp}. */
  takeUp(older: readonly KeptCheckpoint[]): number {
    return this.#tables.exist ? this.#log.takeUp(this.sealed(), older) : 0;
  }

  /** Notes session families; those that are known after one. */
  families(roots: readonly string[], after: string | null): ReturnType<LogKeeping["known"]> {
    if (this.#get<OrganizationRow>("organization", "") === null) return { roots: [], next: null };
    this.#log.know(roots);
    return after === null ? { roots: [], next: null } : this.#log.known(after);
  }

  #registry(): Registry {
    return {
      get: (kind, id) => this.#get(kind, id),
      put: (kind, id, value) => this.#put(kind, id, value),
      all: (kind) => this.#all(kind),
    };
  }

  /** A second stamping of the same is no second anchor: what is on record stays, with its time. */
  #knownAnchor(change: AnchorChange): Changed | null {
    const known = knownAnchor(this.#get<Anchor>("anchor", change.reference), change);
    if (known === null) return null;
    if (!known.ok) return conflict(known.detail);
    const policy_version = this.#tables.getNumber("policy_version");
    return { ok: true, policy_version, version: 0, at: known.at, entries: this.#pending() };
  }

  #organizationRow(policyVersion: number, seq: number): Record<string, unknown> {
    const row = this.#get<OrganizationRow>("organization", "");
    const { version, table } = this.#get<ToolTable>("tool_table", "") ?? NO_TOOLS;
    return {
      op: "organization",
      ...row,
      tool_table: table,
      tool_table_version: version,
      policy_version: policyVersion,
      changed_seq: seq,
    };
  }

  #owners(): number {
    return this.#all<Member>("member").filter(
      (member) => member.role === "owner" && member.removed_at === null,
    ).length;
  }

  #get<T>(kind: string, id: string): T | null {
    if (!this.#tables.exist) return null;
    const row = this.#tables.sql
      .exec<{ value: string }>("SELECT value FROM registry WHERE kind = ? AND id = ?", kind, id)
      .toArray()[0];
    return row === undefined ? null : (JSON.parse(row.value) as T);
  }

  #all<T>(kind: string): T[] {
    return this.#tables.sql
      .exec<{ value: string }>("SELECT value FROM registry WHERE kind = ?", kind)
      .toArray()
      .map((row) => JSON.parse(row.value) as T);
  }

  #count(kind: string): number {
    return this.#tables.sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM registry WHERE kind = ?", kind)
      .one().n;
  }

  #put(kind: string, id: string, value: unknown): void {
    this.#tables.sql.exec(
      "INSERT INTO registry (kind, id, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      kind,
      id,
      JSON.stringify(value),
    );
  }
}

/** The engines that are switched off, as one text. */
function enginesOff(settings: Settings): string {
  const { engines = {} } = settings as { engines?: Record<string, unknown> };
  return MODED_ENGINES.filter((engine) => engines[engine] === "off").join(" ");
}

function forbidden(detail: string): Exclude<Changed, { ok: true }> {
  return { ok: false, code: "forbidden", detail };
}

function mismatch(what: string, current: number, expected: number): Exclude<Changed, { ok: true }> {
  return {
    ok: false,
    code: "version-mismatch",
    detail: `The ${what} in force is version ${current}, not ${expected}. Read it again and change that.`,
    current,
  };
}

function notFound(detail: string): Exclude<Changed, { ok: true }> {
  return { ok: false, code: "not-found", detail };
}

function conflict(detail: string): Exclude<Changed, { ok: true }> {
  return { ok: false, code: "conflict", detail };
}
