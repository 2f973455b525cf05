/**
 * A family: a session, what continues it and what was started by it, and where each of them runs (DESIGN §3, Families).
 * Everything here runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import type { Environment } from "../policy/types.ts";
import type { Chain } from "./chain.ts";
import type {
  Ended,
  Opened,
  OpenInput,
  Refused,
  Relation,
  SessionContext,
  Stale,
  Standing,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Sessions of one family: one that runs for years and is compressed daily has a few thousand. */
export const MAX_SESSIONS = 10_000;
/** Sessions kept in memory; the map begins anew when it is full. An environment takes up to some 70 KB. */
const MAX_KNOWN = 200;
/** Members that are told at once. */
const MEMBERS = 50;

/** Keys of the object's `meta` table: every member's object holds one row; the last one that was seen to. */
const SLIM = "members_slim";
const VISITED = "members_visited";

/** A session as the family's table holds it. */
export interface SessionRow {
  readonly relation: Relation;
  readonly parent: string | null;
  readonly speaks_as: string;
  readonly agent: string;
  readonly environment: string;
  readonly platform: string | null;
  readonly context_version: number;
  readonly turns: number;
  /** 1 once where it runs was forgotten: it is to be said again before anything is judged. */
  readonly forgotten: number;
  /** 1 once its harness said that it is over. */
  readonly ended: number;
}

interface Asker {
  readonly session: string;
  readonly agent: string;
}

/** The sessions of one family. */
export class Family {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #root: string;
  readonly #now: () => number;
  /** Sessions read so far, up to {@link MAX_KNOWN}; dropped when a transaction fails. */
  readonly #known = new Map<string, SessionRow>();
  #newestPolicy: number | null = null;

  constructor(tables: Tables, chain: Chain, root: string, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#root = root;
    this.#now = now;
  }

  /** Forgets what memory says: a transaction that wrote was rolled back. */
  forget(): void {
    this.#known.clear();
    this.#newestPolicy = null;
  }

  /** The context of a session, or `null` when the family does not have it. */
  context(session: string): SessionContext | null {
    const row = this.#row(session);
    return row === null ? null : this.#contextOf(session, row);
  }

  /** Opens the root or adds a session; again with another environment, it changes it; again as it was, it does nothing. */
  open(input: OpenInput): Opened {
    const { session } = input;
    const isRoot = session === this.#root;
    const before = this.#row(session);
    if (before !== null) {
      if (before.agent !== input.agent) return { ok: false, code: "session-conflict" };
      if (input.relation !== null && (input.relation !== before.relation || input.parent !== before.parent))
        return { ok: false, code: "session-conflict" };
      const environment = JSON.stringify(input.environment);
      const platform = input.platform ?? before.platform;
      const asItWas = before.forgotten === 0 && before.ended === 0;
      if (asItWas && environment === before.environment && platform === before.platform) {
        const { seq, hash } = this.#chain.head();
        return { ok: true, created: false, context: this.#contextOf(session, before), ledger: { seq, hash } };
      }
      const contextVersion = before.context_version + 1;
      this.#tables.sql.exec(
        `UPDATE family SET environment = ?, platform = ?, context_version = ?, context_seq = ?, forgotten = 0, ended = 0
         WHERE session = ?`,
        environment,
        platform,
        contextVersion,
        this.#chain.head().seq + 1,
        session,
      );
      this.#known.delete(session);
      return this.#opened(session, false, input, "session_changed", {
        context_version: contextVersion,
        ...(before.ended === 0 ? {} : { reopened: true }),
      });
    }
    const parent = isRoot || input.parent === null ? null : this.#row(input.parent);
    if (this.#tables.removed !== null) return { ok: false, code: "session-ended" };
    if (!isRoot && (parent === null || parent.agent !== input.agent))
      return { ok: false, code: "unknown-session" };
    const sessions = this.#tables.exist ? this.#tables.getNumber("sessions") : 0;
    if (sessions >= MAX_SESSIONS) return { ok: false, code: "family-full" };
    if (!this.#tables.exist) {
      this.#tables.create();
      this.#tables.setNumber(SLIM, 1);
    }
    this.#tables.setNumber("sessions", sessions + 1);
    const relation = isRoot ? "root" : (input.relation ?? "child");
    this.#tables.sql.exec(
      `INSERT INTO family
         (session, relation, parent, speaks_as, agent, environment, platform, context_version, turns, opened_at, context_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?)`,
      session,
      relation,
      isRoot ? null : input.parent,
      relation === "continuation" && parent !== null ? parent.speaks_as : session,
      input.agent,
      JSON.stringify(input.environment),
      input.platform,
      this.#now(),
      this.#chain.head().seq + 1,
    );
    return this.#opened(session, true, input, "session_opened", {
      relation,
      parent: isRoot ? null : input.parent,
      context_version: 1,
    });
  }

  #opened(
    session: string,
    created: boolean,
    input: OpenInput,
    kind: string,
    body: Record<string, unknown>,
  ): Opened {
    const context = this.context(session);
    if (context === null) throw new Error("a session that was just written is not there");
    const { seq, hash } = this.#chain.append({
      session,
      at: this.#now(),
      kind,
      body: { agent: input.agent, key: input.key, platform: context.platform, ...body },
      private: input.private,
      publish: created
        ? [
            {
              op: "session",
              session_id: session,
              root_id: this.#root,
              agent_id: input.agent,
              relation: context.relation,
            },
          ]
        : [],
    });
    return { ok: true, created, context, ledger: { seq, hash } };
  }

  /** The next members that were made when an object held more than one row; keeps that those up to `visited` were seen. */
  members(visited: string | null): string[] {
    if (this.#tables.getNumber(SLIM) === 1) return [];
    if (visited !== null) this.#tables.setText(VISITED, visited);
    return this.#tables.sql
      .exec<{ session: string }>(
        "SELECT session FROM family WHERE session > ? AND session <> ? ORDER BY session LIMIT ?",
        this.#tables.getText(VISITED) ?? "",
        this.#root,
        MEMBERS,
      )
      .toArray()
      .map(({ session }) => session);
  }

  /** Whose family it is: all of it is one agent's. */
  agent(): string {
    return this.#row(this.#root)?.agent ?? "";
  }

  /** Counts a turn of this session. @returns its number, from 1 */
  countTurn(session: string, row: SessionRow): number {
    const turn = row.turns + 1;
    this.#tables.sql.exec("UPDATE family SET turns = ? WHERE session = ?", turn, session);
    this.#known.delete(session);
    return turn;
  }

  /** The first thousand sessions, for `GET /v1/sessions/{id}`. */
  list(): { session: string; relation: string; parent: string | null; turns: number }[] {
    return this.#tables.sql
      .exec<{ session: string; relation: string; parent: string | null; turns: number }>(
        "SELECT session, relation, parent, turns FROM family ORDER BY opened_at, session LIMIT 1000",
      )
      .toArray();
  }

  /**
   * Whether nobody types in a session: it is a child, or goes on where one was compressed. What continues a child must not
   * become its owner's voice.
   */
  isChild({ speaks_as }: SessionRow): boolean {
    return speaks_as !== this.#root;
  }

  /** The session that asks, when it is there and this agent's: the two refusals cannot be told apart. */
  known(input: Asker): { ok: true; row: SessionRow } | Refused<"unknown-session" | "session-ended"> {
    if (this.#tables.removed !== null) return { ok: false, code: "session-ended" };
    const row = this.#row(input.session);
    return row === null || row.agent !== input.agent
      ? { ok: false, code: "unknown-session" }
      : { ok: true, row };
  }

  /** The same, when something new may happen in it: it is not over, and it is known where it runs. */
  admit(
    input: Asker,
  ): { ok: true; row: SessionRow } | Refused<"unknown-session" | "session-ended" | "session-gone"> {
    const known = this.known(input);
    if (!known.ok) return known;
    if (known.row.ended === 1) return { ok: false, code: "session-ended" };
    return known.row.forgotten === 1 ? { ok: false, code: "session-gone" } : known;
  }

  /** Puts on record that a session is over. Again, it changes nothing. */
  end(input: Asker & { readonly key: string }): Ended {
    const known = this.known(input);
    if (!known.ok) return known;
    if (known.row.ended === 1) return { ok: true, replayed: true };
    this.#tables.sql.exec("UPDATE family SET ended = 1 WHERE session = ?", input.session);
    this.#known.delete(input.session);
    this.#chain.append({
      session: input.session,
      at: this.#now(),
      kind: "session_ended",
      body: { agent: input.agent, key: input.key },
    });
    return { ok: true, replayed: false };
  }

  /**
   * Forgets where sessions ran in which nothing happened after this entry: paths and variables are a person's own. What
   * folds their case stays. @returns how many
   */
  forgetPlaces(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ session: string; environment: string }>(
        `SELECT session, environment FROM family AS f WHERE forgotten = 0 AND context_seq <= ?1
           AND session NOT IN (SELECT session FROM calls WHERE seq > ?1 UNION SELECT session FROM turns WHERE seq > ?1)
         LIMIT ?2`,
        upTo,
        limit,
      )
      .toArray();
    for (const { session, environment } of rows) {
      const { os } = JSON.parse(environment) as Environment;
      sql.exec(
        "UPDATE family SET environment = ?, forgotten = 1, context_version = context_version + 1 WHERE session = ?",
        JSON.stringify({ home: null, cwd: null, variables: {}, os } satisfies Environment),
        session,
      );
    }
    if (rows.length > 0) this.#known.clear();
    return rows.length;
  }

  /** Refuses a reading made in another environment than the session's own. */
  staleContext(input: Standing, row: SessionRow): Stale | null {
    return input.context_version === row.context_version
      ? null
      : { ok: false, code: "stale-context", context: this.#contextOf(input.session, row) };
  }

  /** Refuses a reading made on an older policy than this family has seen. */
  stalePolicy(input: Standing): Stale | null {
    const newest = this.newestPolicy();
    if (input.policy_version < newest) return { ok: false, code: "stale-policy", newest };
    if (input.policy_version > newest) {
      this.#tables.setNumber("policy_version", input.policy_version);
      this.#newestPolicy = input.policy_version;
    }
    return null;
  }

  /** The newest policy version that any reading has stood on. */
  newestPolicy(): number {
    this.#newestPolicy ??= this.#tables.getNumber("policy_version");
    return this.#newestPolicy;
  }

  #row(session: string): SessionRow | null {
    const cached = this.#known.get(session);
    if (cached !== undefined) return cached;
    if (!this.#tables.exist) return null;
    const row = this.#tables.sql
      .exec<Record<string, SqlStorageValue> & SessionRow>(
        `SELECT relation, parent, speaks_as, agent, environment, platform, context_version, turns, forgotten, ended
         FROM family WHERE session = ?`,
        session,
      )
      .toArray()[0];
    if (row === undefined) return null;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(session, row);
    return row;
  }

  #contextOf(session: string, row: SessionRow): SessionContext {
    return {
      session,
      root: this.#root,
      agent: row.agent,
      relation: row.relation,
      speaks_as: row.speaks_as,
      environment: JSON.parse(row.environment) as Environment,
      platform: row.platform,
      context_version: row.context_version,
    };
  }
}
