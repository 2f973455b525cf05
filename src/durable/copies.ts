/**
 * What an object knows of its copy in D1, for whoever compares the two or puts back what D1 lost: the approvals of a
 * family as D1 must hold them, and entries that are delivered once more.
 */
import type { ApprovalRow, Approvals } from "./approvals.ts";
import type { Chain } from "./chain.ts";
import type { Family } from "./family.ts";
import type { Tables } from "./storage.ts";

/** Approvals of one answer. */
const MAX_APPROVALS = 500;
/** More that D1 does not have yet is not looked through: then every approval may be on its way. */
const MAX_UNDELIVERED = 2_000;

export interface CopiedApproval {
  readonly id: string;
  /** As it is queued for D1; which change wrote it is not said. */
  readonly row: Readonly<Record<string, unknown>>;
  /** A change of it is still on its way to D1. */
  readonly pending: boolean;
}

export interface CopiedApprovals {
  readonly rows: readonly CopiedApproval[];
  /** Approvals after this id are another page's; `null` at the end. */
  readonly next: string | null;
  /** Of the chain, when this was read. */
  readonly head: number;
  /** The object was removed, and its approvals with it. */
  readonly removed: boolean;
}

export class Copies {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #approvals: Approvals;

  constructor(tables: Tables, chain: Chain, family: Family, approvals: Approvals) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#approvals = approvals;
  }

  /** The family's approvals. @param from after which one, in the order of their ids, or which ones */
  approvals(from: string | readonly string[]): CopiedApprovals {
    const removed = this.#tables.removed !== null;
    if (!this.#tables.exist) return { rows: [], next: null, head: 0, removed };
    const isPage = typeof from === "string";
    const found = isPage
      ? this.#page(from, MAX_APPROVALS + 1)
      : from.flatMap((id) => this.#approvals.find(id) ?? []);
    const rows = isPage ? found.slice(0, MAX_APPROVALS) : found;
    const pending = this.#pending();
    const { seq } = this.#chain.head();
    return {
      rows: rows.map((row) => ({
        id: row.id,
        row: this.#approvals.published(row, 0),
        pending: pending === null || pending.has(row.id),
      })),
      next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null,
      head: seq,
      removed,
    };
  }

  /**
   * Has what D1 lost delivered once more, from an entry on: the entries, and the sessions and approvals as they stand.
   * Texts that D1 had were dropped here when it had them, and are gone with its copy.
   * @returns how many entries are delivered
   */
  redeliver(from: number): number {
    if (!this.#tables.exist) return 0;
    const through = this.#chain.deliveredTo();
    const first = Math.max(1, from);
    if (first > through) return 0;
    const rows = new Map<number, unknown[]>();
    const add = (seq: number, row: unknown): void => {
      const some = rows.get(seq);
      if (some === undefined) rows.set(seq, [row]);
      else some.push(row);
    };
    const { sql } = this.#tables;
    const opened = sql
      .exec<{ seq: number; session: string | null }>(
        `SELECT seq, entry ->> 'session' AS session FROM entries
         WHERE seq BETWEEN ? AND ? AND entry ->> 'kind' = 'session_opened'`,
        first,
        through,
      )
      .toArray();
    for (const { seq, session } of opened) {
      const context = session === null ? null : this.#family.context(session);
      if (context === null) continue;
      const { root: root_id, agent: agent_id, relation } = context;
      add(seq, { op: "session", session_id: session, root_id, agent_id, relation });
    }
    const { seq: head } = this.#chain.head();
    // Spread over the entries: a row holds only so much.
    const count = through - first + 1;
    let n = 0;
    for (let after = ""; ; ) {
      const page = this.#page(after, MAX_APPROVALS);
      for (const row of page) {
        add(first + (n % count), this.#approvals.published(row, head));
        n += 1;
      }
      if (page.length < MAX_APPROVALS) break;
      after = page.at(-1)?.id ?? "";
    }
    for (const [seq, some] of rows)
      sql.exec("UPDATE entries SET publish = ? WHERE seq = ?", JSON.stringify(some), seq);
    this.#chain.rewind(first - 1);
    return count;
  }

  #page(after: string, limit: number): ApprovalRow[] {
    return this.#tables.sql
      .exec<Record<string, SqlStorageValue> & ApprovalRow>(
        "SELECT * FROM approvals WHERE id > ? ORDER BY id LIMIT ?",
        after,
        limit,
      )
      .toArray();
  }

  /** Approvals that D1 may not have as they stand; `null` where it may be any. */
  #pending(): Set<string> | null {
    if (this.#chain.lag() > MAX_UNDELIVERED) return null;
    const rows = this.#tables.sql
      .exec<{ id: string | null }>(
        `SELECT r.value ->> 'approval_id' AS id FROM entries AS e, json_each(e.publish) AS r
         WHERE e.seq > ? AND e.publish IS NOT NULL AND r.value ->> 'op' = 'approval'`,
        this.#chain.deliveredTo(),
      )
      .toArray();
    return new Set(rows.flatMap(({ id }) => id ?? []));
  }
}
