/**
 * Takes private text out of a family's object: what was typed and what was made of it, arguments, paths, quotes, and
 * the hashes by which somebody could try whether it was this text. The chain stays, and verifies as before.
 *
 * What is older than a time is what was recorded up to an entry, since time never runs backwards on a chain. The object
 * keeps how far it is to forget: what an open approval still needs is taken when that is closed, and each call of
 * {@link Forgetting.run} takes a bounded part. Everything here runs inside one synchronous transaction.
 */
import type { ReasonGiven } from "./approval-protocol.ts";
import type { Chain } from "./chain.ts";
import type { Family } from "./family.ts";
import type { Forgotten } from "./protocol.ts";
import type { Tables } from "./storage.ts";
import type { Task } from "./task.ts";

/** Rows that one call takes from all tables together: a few milliseconds, and decisions come between two calls. */
const MAX_ROWS = 200;

/** Keys of the object's `meta` table. */
const BEFORE = "forget_before";
const UP_TO = "forget_up_to";
const TURNS = "forget_turns";
const CALLS = "forget_calls";
const HELD = "forget_held";

/** States in which an approval still has to be answered, or its grant to be used. */
const OPEN = "('pending', 'approved')";

interface CallRow {
  readonly [column: string]: SqlStorageValue;
  readonly seq: number;
  readonly permits: string | null;
  readonly overwritten: string | null;
  readonly outcome: string | null;
  readonly open: number;
}

export class Forgetting {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #task: Task;
  #held: boolean | null = null;

  constructor(tables: Tables, chain: Chain, family: Family, task: Task) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#task = task;
  }

  /** Forgets what memory says: a transaction that wrote was rolled back. */
  forget(): void {
    this.#held = null;
  }

  /** True while an approval that is open holds back what is to be forgotten, or a part is left. */
  get held(): boolean {
    this.#held ??= this.#tables.exist && this.#tables.getNumber(HELD) === 1;
    return this.#held;
  }

  /** Since when private text is kept here, epoch milliseconds; 0 when none was forgotten. */
  before(): number {
    return this.#tables.exist ? this.#tables.getNumber(BEFORE) : 0;
  }

  /**
   * True when there is something to forget for a purge of what is older than `before`. An entry may be older than a purge
   * that was here first: it came in the same millisecond, or by a clock that is behind.
   */
  isBehind(before: number): boolean {
    if (!this.#tables.exist) return false;
    const known = this.before();
    if (before > known) return true;
    return known > 0 && this.#chain.isOlder(this.#tables.getNumber(UP_TO) + 1, known);
  }

  /** Takes a part of what is older than `before`, and of what was to be forgotten already. */
  run(before: number): Forgotten {
    if (!this.#tables.exist) return { done: true, held: false };
    if (this.isBehind(before)) {
      const since = Math.max(before, this.before());
      this.#tables.setNumber(BEFORE, since);
      this.#tables.setNumber(UP_TO, this.#chain.lastBefore(since));
    }
    const upTo = this.#tables.getNumber(UP_TO);
    let left = MAX_ROWS;
    const steps = [
      this.#entries,
      this.#rows,
      this.#turns,
      this.#kept,
      this.#calls,
      this.#facts,
      this.#approvals,
    ];
    for (const step of steps) {
      left -= step.call(this, upTo, left);
      if (left <= 0) return this.#left({ done: false, held: false });
    }
    const held = this.#approvalIsOpen();
    // What an answer that is still to come will be judged by stays until it has come.
    if (!held) {
      this.#task.forgetWords(upTo);
      left -= this.#family.forgetPlaces(upTo, left);
    }
    return this.#left({ done: left > 0, held });
  }

  #left(forgotten: Forgotten): Forgotten {
    const held = forgotten.held || !forgotten.done;
    if (held !== this.held) this.#tables.setNumber(HELD, held ? 1 : 0);
    this.#held = held;
    return forgotten;
  }

  #approvalIsOpen(): boolean {
    return (
      this.#tables.sql.exec(`SELECT 1 FROM approvals WHERE state IN ${OPEN} LIMIT 1`).toArray().length > 0
    );
  }

  /** Of entries that D1 does not have yet: it would drop the same on their arrival. */
  #entries(upTo: number, limit: number): number {
    return this.#count(
      `UPDATE entries SET private = NULL, salt = NULL WHERE seq IN
         (SELECT seq FROM entries WHERE seq > ? AND seq <= ? AND private IS NOT NULL LIMIT ?) RETURNING 1 AS one`,
      this.#chain.deliveredTo(),
      upTo,
      limit,
    );
  }

  /** Rows that wait for D1 with an entry: the digest of an action, which D1 would drop on their arrival, too. */
  #rows(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const waiting = sql
      .exec<{ seq: number; publish: string }>(
        `SELECT seq, publish FROM entries WHERE seq > ? AND seq <= ?
           AND EXISTS (SELECT 1 FROM json_each(publish) WHERE value ->> 'action_digest' <> '') LIMIT ?`,
        this.#chain.deliveredTo(),
        upTo,
        limit,
      )
      .toArray();
    for (const { seq, publish } of waiting) {
      const rows = (JSON.parse(publish) as Record<string, unknown>[]).map((row) =>
        row["action_digest"] === undefined ? row : { ...row, action_digest: "" },
      );
      sql.exec("UPDATE entries SET publish = ? WHERE seq = ?", JSON.stringify(rows), seq);
    }
    return waiting.length;
  }

  /** Which ids were used stays known, so that none becomes another turn. */
  #turns(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ seq: number }>(
        "SELECT seq FROM turns WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        this.#tables.getNumber(TURNS),
        upTo,
        limit,
      )
      .toArray();
    for (const { seq } of rows) sql.exec("UPDATE turns SET said = '', answer = '' WHERE seq = ?", seq);
    const last = rows.at(-1);
    if (last !== undefined) this.#tables.setNumber(TURNS, last.seq);
    return rows.length;
  }

  /** Calls that were passed over while their approval was open. */
  #kept(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const rows = this.#callsBy(
      "c.seq IN (SELECT seq FROM kept) AND a.open IS NULL AND c.seq <= ?1",
      upTo,
      limit,
    );
    for (const row of rows) {
      this.#blank(row);
      sql.exec("DELETE FROM kept WHERE seq = ?", row.seq);
    }
    // A call that was judged again is another row.
    sql.exec("DELETE FROM kept WHERE seq NOT IN (SELECT seq FROM calls)");
    return rows.length;
  }

  #calls(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const rows = this.#callsBy("c.seq > ?3 AND c.seq <= ?1", upTo, limit, this.#tables.getNumber(CALLS));
    for (const row of rows)
      if (row.open === 1) sql.exec("INSERT INTO kept (seq) VALUES (?) ON CONFLICT DO NOTHING", row.seq);
      else this.#blank(row);
    const last = rows.at(-1);
    if (last !== undefined) {
      this.#tables.setNumber(CALLS, last.seq);
      // How often an action was asked for is counted by its digest.
      this.#task.forget();
    }
    return rows.length;
  }

  #callsBy(where: string, ...values: number[]): CallRow[] {
    return this.#tables.sql
      .exec<CallRow>(
        `SELECT c.seq, c.permits, c.overwritten, c.outcome, coalesce(a.open, 0) AS open
         FROM calls AS c LEFT JOIN (SELECT id, 1 AS open FROM approvals WHERE state IN ${OPEN}) AS a
           ON a.id = c.approval AND c.verdict = 'ask'
         WHERE ${where} ORDER BY c.seq LIMIT ?2`,
        ...values,
      )
      .toArray();
  }

  /** The verdict stays, and what it used of which permission; not whom it was used for. */
  #blank({ seq, permits, overwritten, outcome }: CallRow): void {
    const used =
      permits === null
        ? null
        : JSON.stringify(
            (JSON.parse(permits) as { key: string }[]).map((permit) => ({ ...permit, key: "" })),
          );
    this.#tables.sql.exec(
      `UPDATE calls SET digest = '', answer = '', backups = NULL, created = NULL, overwritten = ?, permits = ?,
         refused_write = NULL, fingerprints = NULL WHERE seq = ?`,
      // It may still be reported: then it may have overwritten anything.
      overwritten !== null && outcome === null ? '["?"]' : null,
      used,
      seq,
    );
  }

  /** Backups and outside changes: paths. A backup that is forgotten is no evidence any more, and is to be made again. */
  #facts(upTo: number, limit: number): number {
    const backups = this.#count(
      "DELETE FROM evidence WHERE id IN (SELECT id FROM evidence WHERE seq <= ? LIMIT ?) RETURNING 1 AS one",
      upTo,
      limit,
    );
    if (backups >= limit) return backups;
    return (
      backups +
      this.#count(
        "DELETE FROM drift WHERE id IN (SELECT id FROM drift WHERE seq <= ? LIMIT ?) RETURNING 1 AS one",
        upTo,
        limit - backups,
      )
    );
  }

  /** Of approvals that are closed: who answered, when and how stays; not what they wrote, nor what it was about. */
  #approvals(upTo: number, limit: number): number {
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ id: string; reason: string | null }>(
        `SELECT id, reason FROM approvals WHERE state NOT IN ${OPEN} AND opened_seq <= ? AND digest <> '' LIMIT ?`,
        upTo,
        limit,
      )
      .toArray();
    for (const { id, reason } of rows) {
      const given =
        reason === null
          ? null
          : ({ ...(JSON.parse(reason) as ReasonGiven), text: null } satisfies ReasonGiven);
      sql.exec(
        "UPDATE approvals SET digest = '', reading = '', reasons = '[]', edited = NULL, reason = ? WHERE id = ?",
        given === null ? null : JSON.stringify(given),
        id,
      );
    }
    return rows.length;
  }

  #count(statement: string, ...values: number[]): number {
    return this.#tables.sql.exec(statement, ...values).toArray().length;
  }
}
