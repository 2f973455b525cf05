/**
 * What people are still to be told: rows that are queued in the very transaction that makes it so (an approval is opened
 * or decided, an alert is put on record), so that no crash loses one. Sending is the alarm's business (`notify/outbox.ts`); nothing here waits for anybody.
 *
 * A row without a channel is still to be fanned out. Then there is one for every channel, with tries of its own.
 */
import type { Tables } from "./storage.ts";

export type NoticeEvent = "approval.opened" | "approval.decided" | "approval.crowd" | "ledger.alert";

export interface NoticeRow {
  readonly id: number;
  /** What it is about: an approval, or alerts that are told together. Its column is called `approval`. */
  readonly subject: string;
  readonly event: NoticeEvent;
  /** `null`: still to be fanned out. */
  readonly channel: string | null;
  /** Whose channel it is; `null` for one of the organization's. */
  readonly member: string | null;
  /** Tries that failed. */
  readonly tries: number;
  readonly due_at: number;
  /** Nobody wants to hear of it any more. */
  readonly until: number;
  /** The link that this channel is sent, sealed, from before the first try until the last. */
  readonly link: string | null;
}

export type NoticeResult =
  /** Sent, or of no use any more. */
  | { readonly is: "done" }
  /** `jitter`: from 0 to 1, random. `wait`: what the receiver asked for at least, milliseconds. */
  | { readonly is: "failed"; readonly jitter: number; readonly wait?: number };

/** After the first failure; each further one doubles it. */
const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 10 * 60_000;
/** A wait is spread over this part of itself, so that what failed together is not tried again together. */
const JITTER = 0.5;

/** Milliseconds from the `tries`-th failure, counted from 1, to the next try. @param jitter from 0 to 1 */
export function retryAfter(tries: number, jitter: number): number {
  const most = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 20), RETRY_MOST_MS);
  return Math.round(most * (1 - JITTER + JITTER * Math.min(Math.max(jitter, 0), 1)));
}

/** Notices of one object. All of it is synchronous, and runs inside the object's transactions. */
export class Notices {
  readonly #tables: Tables;
  readonly #now: () => number;

  constructor(tables: Tables, now: () => number) {
    this.#tables = tables;
    this.#now = now;
  }

  /** @param until no try is begun from then on */
  queue(subject: string, event: NoticeEvent, dueAt: number, until: number): void {
    this.#tables.sql.exec(
      "INSERT INTO notices (approval, event, due_at, until) VALUES (?, ?, ?, ?)",
      subject,
      event,
      dueAt,
      until,
    );
  }

  /** Drops what nobody has to be told any more. */
  forget(approval: string, event: NoticeEvent): void {
    this.#tables.sql.exec("DELETE FROM notices WHERE approval = ? AND event = ?", approval, event);
  }

  /** What a row of this event that is still to be fanned out is about; `null` when there is none. */
  gathering(event: NoticeEvent): string | null {
    const [row] = this.#tables.sql
      .exec<{ subject: string }>(
        "SELECT approval AS subject FROM notices WHERE event = ? AND channel IS NULL LIMIT 1",
        event,
      )
      .toArray();
    return row?.subject ?? null;
  }

  /** More time was given: whoever could not be told yet is tried for that much longer. */
  prolong(approval: string, event: NoticeEvent, until: number): void {
    this.#tables.sql.exec(
      "UPDATE notices SET until = ? WHERE approval = ? AND event = ?",
      until,
      approval,
      event,
    );
  }

  /** Has those that are still to be fanned out come due at another time. */
  delay(subject: string, event: NoticeEvent, dueAt: number): void {
    this.#tables.sql.exec(
      "UPDATE notices SET due_at = ? WHERE approval = ? AND event = ? AND channel IS NULL",
      dueAt,
      subject,
      event,
    );
  }

  /** When the next notice is due, which may be long ago; `null` when there is none. */
  nextDue(): number | null {
    if (!this.#tables.exist) return null;
    const [row] = this.#tables.sql
      .exec<{ due: number | null }>("SELECT min(due_at) AS due FROM notices")
      .toArray();
    return row?.due ?? null;
  }

  /** What is due, those that never failed first: who hangs must not stand before who listens. Gives up what is too late. */
  due(now: number, limit: number): NoticeRow[] {
    if (!this.#tables.exist) return [];
    this.#tables.sql.exec("DELETE FROM notices WHERE due_at <= ?1 AND until <= ?1", now);
    return this.#tables.sql
      .exec<NoticeRow & Record<string, SqlStorageValue>>(
        `SELECT id, approval AS subject, event, channel, member, tries, due_at, until, link FROM notices
         WHERE due_at <= ? ORDER BY tries, due_at, id LIMIT ?`,
        now,
        limit,
      )
      .toArray();
  }

  /** Lets everything that is due wait: what it takes to send anything is away. Nobody's tries are used up by that. */
  postpone(now: number, ms: number): void {
    this.#tables.sql.exec("UPDATE notices SET due_at = ?2 WHERE due_at <= ?1", now, now + ms);
  }

  /** Puts one row for each channel in place of a row that was still to be fanned out. Once: a second time changes nothing. */
  fannedOut(
    id: number,
    channels: readonly { readonly channel: string; readonly member: string | null }[],
  ): void {
    this.#tables.transaction(() => {
      this.#tables.sql.exec(
        `INSERT INTO notices (approval, event, channel, member, due_at, until)
         SELECT n.approval, n.event, json_extract(c.value, '$.channel'), json_extract(c.value, '$.member'), n.due_at, n.until
         FROM notices AS n JOIN json_each(?2) AS c WHERE n.id = ?1 AND n.channel IS NULL`,
        id,
        JSON.stringify(channels),
      );
      this.#tables.sql.exec("DELETE FROM notices WHERE id = ? AND channel IS NULL", id);
    });
  }

  /** Keeps the link that this channel is sent, sealed, so that every try carries the same one. */
  keepLink(id: number, sealed: string): void {
    this.#tables.sql.exec("UPDATE notices SET link = ? WHERE id = ?", sealed, id);
  }

  /** What became of a try. One that failed is tried again while there is time. */
  settled(id: number, result: NoticeResult): void {
    const [row] = this.#tables.sql
      .exec<{ tries: number; until: number }>("SELECT tries, until FROM notices WHERE id = ?", id)
      .toArray();
    if (row === undefined) return;
    const tries = row.tries + 1;
    const next =
      result.is === "done"
        ? null
        : this.#now() + Math.max(retryAfter(tries, result.jitter), Math.min(result.wait ?? 0, RETRY_MOST_MS));
    if (next === null || next >= row.until) this.#tables.sql.exec("DELETE FROM notices WHERE id = ?", id);
    else this.#tables.sql.exec("UPDATE notices SET tries = ?, due_at = ? WHERE id = ?", tries, next, id);
  }
}
