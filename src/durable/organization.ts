/**
 * What governs an organization, and the order in which it changed. The organization's object is the truth of it: a
 * change is checked, linked and queued for D1 in one transaction, so that nothing is in force that is not on record.
 *
 * Crash order: recorded here, then published to D1 by whoever asked, then once more by the outbox. A crash in between
 * leaves a change that is on record and comes into force when the outbox runs.
 */
import { MODED_ENGINES } from "../policy/modes.ts";
import { ROLES } from "../roles.ts";
import { type Anchor, type AnchorChange, anchorEffect, knownAnchor } from "./anchors.ts";
import type { Chain, UndeliveredEntry } from "./chain.ts";
import {
  type Change,
  type Changed,
  conflict,
  type Effect,
  forbidden,
  LEAST_ROLE,
  mismatch,
  notFound,
  type Rejected,
  type Settings,
} from "./changes.ts";
import { changeContacts } from "./contacts.ts";
import { Governed, type GovernedPage, type GovernedTable, oathRowId } from "./governed.ts";
import { type KeptCheckpoint, LogKeeping } from "./log-keeping.ts";
import { type Agent, changePeople, type Member } from "./people-changes.ts";
import { Registry } from "./registry.ts";
import { changeSealing, type SealedCheckpoint, sealedCheckpoint } from "./sealing-changes.ts";
import type { Tables } from "./storage.ts";

/** Changes that one request publishes with its own; an outage that leaves more is the outbox's to end. */
const MAX_PENDING = 100;
/** Credentials of members that have run out are known for so long still: clocks differ. */
const SPENT_STAYS_MS = 60 * 60 * 1000;

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

export class Organization {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #now: () => number;
  readonly #registry: Registry;
  readonly #governed: Governed;
  readonly #log: LogKeeping;

  constructor(tables: Tables, chain: Chain, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#now = now;
    this.#registry = new Registry(tables);
    this.#governed = new Governed(tables);
    this.#log = new LogKeeping(tables, this.#registry);
  }

  /**
   * Checks, links and queues a change.
   * @param id of the request: asked again with the same one, nothing changes and the answer is the same
   * @param actor the member who asks, or `null` for the operator of the deployment. The role that counts is the one on
   *   record here: D1 may not have heard yet that it was taken away
   */
  change(change: Change, actor: string | null, id: string): Changed {
    const done = this.#registry.get<{ policy_version: number; version: number; at: number }>("change", id);
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
    this.#registry.put("change", id, changed);
    return { ok: true, ...changed, entries: this.#pending() };
  }

  /** Why this member may not make this change, or `null`. */
  #forbids(change: Change, actor: string | null): Rejected | null {
    if (actor === null) return null;
    const member = this.#registry.get<Member>("member", actor);
    const role = member === null || member.removed_at !== null ? -1 : ROLES.indexOf(member.role);
    if (role < ROLES.indexOf(LEAST_ROLE[change.kind]))
      return forbidden("Your role does not allow this any more.");
    if (role >= ROLES.indexOf("owner")) return null;
    // Switching an engine off, or on again, is the owner's: it is what their oath and their words hang on.
    const before =
      change.kind === "change_settings"
        ? this.#registry.get<OrganizationRow>("organization", "")
        : change.kind === "change_agent"
          ? this.#registry.get<Agent>("agent", change.agent_id)
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

  #effectOf(change: Change, actor: string | null, now: number): Effect | Rejected {
    if (
      change.kind !== "create_organization" &&
      this.#registry.get<OrganizationRow>("organization", "") === null
    )
      return notFound("There is no such organization.");
    switch (change.kind) {
      case "create_organization": {
        if (this.#tables.exist && this.#registry.get("organization", "") !== null)
          return conflict("The organization exists.");
        this.#tables.create();
        this.#registry.put("organization", "", {
          name: change.name,
          settings: change.settings,
          created_at: now,
        });
        const member: Member = { name: change.member_name, role: "owner", created_at: now, removed_at: null };
        this.#registry.put("member", change.member_id, member);
        this.#governed.since(now);
        return {
          kind: "organization_created",
          body: { name: change.name, owner: change.member_id },
          rows: [{ op: "member", member_id: change.member_id, ...member }],
          governs: true,
        };
      }
      case "change_settings": {
        const before = this.#registry.get<OrganizationRow>("organization", "");
        if (before === null) return notFound("There is no such organization.");
        // The compiler has a resource of its own: whoever replaces the settings has not been shown its key.
        const { compiler } = before.settings;
        const settings = compiler === undefined ? change.settings : { ...change.settings, compiler };
        this.#registry.put("organization", "", { ...before, settings });
        return { kind: "settings_changed", body: { settings: change.settings }, rows: [], governs: true };
      }
      case "change_compiler": {
        const before = this.#registry.get<OrganizationRow>("organization", "");
        if (before === null) return notFound("There is no such organization.");
        const settings = { ...before.settings, compiler: change.compiler };
        this.#registry.put("organization", "", { ...before, settings });
        return { kind: "compiler_changed", body: { compiler: change.shown }, rows: [], governs: true };
      }
      case "change_tools": {
        const { version: current } = this.#registry.get<ToolTable>("tool_table", "") ?? NO_TOOLS;
        if (change.expected !== current) return mismatch("tool table", current, change.expected);
        const version = current + 1;
        this.#registry.put("tool_table", "", { version, table: change.table } satisfies ToolTable);
        return {
          kind: "tool_table_changed",
          body: { version, table: change.table },
          rows: [],
          governs: true,
          version,
        };
      }
      case "add_member":
      case "change_member":
      case "remove_member":
      case "create_agent":
      case "change_agent":
      case "create_key":
      case "revoke_key":
        return changePeople(this.#registry, change, now);
      case "swear": {
        if (change.oath !== "organization" && this.#registry.get("agent", change.oath) === null)
          return notFound("There is no such agent.");
        const current = this.#registry.get<number>("oath", change.oath) ?? 0;
        if (change.expected !== current) return mismatch("oath", current, change.expected);
        const version = current + 1;
        this.#registry.put("oath", change.oath, version);
        // D1 alone held the text once: whoever set it back would have taken the oath with it.
        this.#registry.put("sworn", oathRowId(change.oath, version), {
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
        this.#registry.put("anchor", change.reference, {
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
        return changeSealing(this.#registry, change, now);
      default: {
        const role = actor === null ? null : (this.#registry.get<Member>("member", actor)?.role ?? "viewer");
        const by = actor === null || role === null ? null : { member: actor, role };
        return changeContacts(this.#registry, change, by, now);
      }
    }
  }

  /** The newest checkpoint on record, or `null`. */
  sealed(): SealedCheckpoint | null {
    return sealedCheckpoint(this.#registry);
  }

  /**
   * What D1 must hold of a table, a page at a time. Call it inside a transaction: what older versions did not count is
   * counted here.
   * @param from after which row, or which rows
   */
  governed(table: GovernedTable, from: string | null | readonly string[]): GovernedPage | null {
    if (this.#registry.get<OrganizationRow>("organization", "") === null) return null;
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
      const before = this.#registry.get<Record<string, unknown>>("member_session", ends);
      if (before !== null) this.#registry.put("member_session", ends, { ...before, ended: true });
    }
    if (credential === undefined) return;
    const kind = what === "sign_in_link_created" ? "sign_in_link" : "member_session";
    const { id, ...rest } = credential;
    this.#registry.dropExpired(kind, now - SPENT_STAYS_MS);
    this.#registry.put(kind, id, { member_id, ...rest, ended: false });
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
    if (this.#registry.get<OrganizationRow>("organization", "") === null) return { roots: [], next: null };
    this.#log.know(roots);
    return after === null ? { roots: [], next: null } : this.#log.known(after);
  }

  /** A second stamping of the same is no second anchor: what is on record stays, with its time. */
  #knownAnchor(change: AnchorChange): Changed | null {
    const known = knownAnchor(this.#registry.get<Anchor>("anchor", change.reference), change);
    if (known === null) return null;
    if (!known.ok) return conflict(known.detail);
    const policy_version = this.#tables.getNumber("policy_version");
    return { ok: true, policy_version, version: 0, at: known.at, entries: this.#pending() };
  }

  #organizationRow(policyVersion: number, seq: number): Record<string, unknown> {
    const row = this.#registry.get<OrganizationRow>("organization", "");
    const { version, table } = this.#registry.get<ToolTable>("tool_table", "") ?? NO_TOOLS;
    return {
      op: "organization",
      ...row,
      tool_table: table,
      tool_table_version: version,
      policy_version: policyVersion,
      changed_seq: seq,
    };
  }
}

/** The engines that are switched off, as one text. */
function enginesOff(settings: Settings): string {
  const { engines = {} } = settings as { engines?: Record<string, unknown> };
  return MODED_ENGINES.filter((engine) => engines[engine] === "off").join(" ");
}
