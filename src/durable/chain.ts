/**
 * The stored chain: reads its head, links, inserts. Always inside a transaction. `UNIQUE(seq)` is the primary key, so
 * that even a bug could not fork it. Private text waits beside its entry until the outbox has delivered it.
 */
import {
  type ChainIdentity,
  exportLine,
  genesis,
  type Head,
  link,
  privateCommitment,
} from "../ledger/index.ts";
import { utf8Bytes } from "../policy/paths/index.ts";
import type { PrivateText } from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** An export page's size in characters: far below the 32 MiB that one RPC carries. */
const EXPORT_PAGE_CHARACTERS = 1024 * 1024;

export interface Append {
  /** The session of the family that it came from; `null` on an organization's chain. */
  readonly session: string | null;
  readonly at: number;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly private?: PrivateText | null;
  /** Rows for D1 besides the entry's own, as `db/publish.ts` reads them. */
  readonly publish?: readonly unknown[];
}

export interface UndeliveredEntry {
  readonly seq: number;
  readonly hash: string;
  readonly entry: string;
  readonly body: string;
  readonly private: string | null;
  readonly salt: ArrayBuffer | null;
  readonly publish: string | null;
}

/** The chain of one object, and what of it waits for D1. */
export class Chain {
  readonly #tables: Tables;
  readonly #identity: ChainIdentity;
  #head: (Head & { at: number }) | null = null;
  /** The last entry that D1 has. */
  #delivered: number | null = null;

  constructor(tables: Tables, identity: ChainIdentity) {
    this.#tables = tables;
    this.#identity = identity;
  }

  /** The last link, from memory when this object has seen it. */
  head(): Head & { at: number } {
    if (this.#head !== null) return this.#head;
    const last = this.#tables.exist
      ? this.#tables.sql
          .exec<{ seq: number; hash: string; entry: string }>(
            "SELECT seq, hash, entry FROM entries ORDER BY seq DESC LIMIT 1",
          )
          .toArray()[0]
      : undefined;
    this.#head =
      last === undefined
        ? { ...genesis(this.#identity), at: 0 }
        : { seq: last.seq, hash: last.hash, at: (JSON.parse(last.entry) as { at: number }).at };
    return this.#head;
  }

  /** The last entry that is older than a time; 0 where none is. Time never runs backwards on a chain, so it is halved. */
  lastBefore(before: number): number {
    let low = 0;
    let high = this.head().seq;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const { at } = this.#tables.sql
        .exec<{ at: number }>("SELECT entry ->> 'at' AS at FROM entries WHERE seq = ?", middle)
        .one();
      if (at < before) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Whether there is an entry of this number that is older than a time. */
  isOlder(seq: number, before: number): boolean {
    return (
      this.#tables.sql
        .exec("SELECT 1 FROM entries WHERE seq = ? AND entry ->> 'at' < ?", seq, before)
        .toArray().length > 0
    );
  }

  /** Forgets what memory says of the head: a transaction that wrote to it was rolled back. */
  forget(): void {
    this.#head = null;
    this.#delivered = null;
  }

  /** Links and inserts the next entry. Time never runs backwards on a chain, whatever the clock does. */
  append(what: Append): Head & { at: number } {
    const before = this.head();
    const at = Math.max(what.at, before.at);
    const kept = what.private ?? null;
    const body =
      kept === null ? what.body : { ...what.body, private: privateCommitment(kept.salt, kept.text) };
    const next = link(before, { org: this.#identity.org, session: what.session, at, kind: what.kind, body });
    const head = { seq: next.seq, hash: next.hash, at };
    this.#tables.sql.exec(
      "INSERT INTO entries (seq, hash, entry, body, private, salt, publish) VALUES (?, ?, ?, ?, ?, ?, ?)",
      next.seq,
      next.hash,
      next.entry,
      next.body,
      kept?.text ?? null,
      kept === null ? null : kept.salt,
      what.publish === undefined ? null : JSON.stringify(what.publish),
    );
    this.#head = head;
    return head;
  }

  /**
   * The export after `seq`, a page at a time.
   * @param since the private text of entries that D1 does not have yet is told from this time on; `null` for none of it
   */
  page(after: number, since: number | null = null): { lines: string[]; next: number | null } {
    const lines: string[] = [];
    if (!this.#tables.exist) return { lines, next: null };
    let characters = 0;
    const rows = this.#tables.sql.exec<{
      seq: number;
      hash: string;
      entry: string;
      body: string;
      private: string | null;
      salt: ArrayBuffer | null;
    }>(
      `SELECT seq, hash, entry, body, iif(told, private, NULL) AS private, iif(told, salt, NULL) AS salt
       FROM (SELECT *, ?2 IS NOT NULL AND entry ->> 'at' >= ?2 AS told FROM entries) WHERE seq > ?1 ORDER BY seq`,
      after,
      since,
    );
    for (const row of rows) {
      const line = exportLine(
        row,
        row.private === null || row.salt === null ? null : { private: row.private, salt: hex(row.salt) },
      );
      lines.push(line);
      characters += line.length;
      if (characters >= EXPORT_PAGE_CHARACTERS) return { lines, next: row.seq };
    }
    return { lines, next: null };
  }

  /** Entries that D1 does not have yet, in order: at most `limit` of them, and no more once they hold `bytes` of UTF-8. */
  undelivered(limit: number, bytes: number): UndeliveredEntry[] {
    const rows: UndeliveredEntry[] = [];
    let size = 0;
    const cursor = this.#tables.sql.exec<Record<string, SqlStorageValue> & UndeliveredEntry>(
      "SELECT seq, hash, entry, body, private, salt, publish FROM entries WHERE seq > ? ORDER BY seq LIMIT ?",
      this.deliveredTo(),
      limit,
    );
    for (const row of cursor) {
      rows.push(row);
      size += utf8Bytes(row.entry) + utf8Bytes(row.body);
      size += utf8Bytes(row.private ?? "") + utf8Bytes(row.publish ?? "");
      if (size >= bytes) break;
    }
    return rows;
  }

  /** D1 has everything up to `seq`: what was kept for it alone is dropped here. */
  delivered(seq: number): void {
    const before = this.deliveredTo();
    if (seq <= before) return;
    this.#tables.sql.exec(
      "UPDATE entries SET private = NULL, salt = NULL, publish = NULL WHERE seq > ? AND seq <= ?",
      before,
      seq,
    );
    this.#tables.setNumber("delivered", seq);
    this.#delivered = seq;
  }

  /** D1 has lost what came after `seq`: it is delivered once more, without what was kept for D1 alone. */
  rewind(seq: number): void {
    this.#tables.setNumber("delivered", seq);
    this.#delivered = seq;
  }

  /** The last entry that D1 has; 0 when it has none. Read once, then kept: every write asks how far it is behind. */
  deliveredTo(): number {
    this.#delivered ??= this.#tables.exist ? this.#tables.getNumber("delivered") : 0;
    return this.#delivered;
  }

  /** Entries that D1 does not have yet. */
  lag(): number {
    return this.#tables.exist ? this.head().seq - this.deliveredTo() : 0;
  }
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
