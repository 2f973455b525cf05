/**
 * Evidence of a family: backups that were made and reported as made. It counts within the family and nowhere else.
 * Everything here runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import { boundsIntersect } from "../policy/paths/index.ts";
import type { Backup, PathBound } from "../policy/types.ts";
import type { Chain } from "./chain.ts";
import type { LedgerPosition } from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Evidence that a decision looks at: the newest, so that a session that backs up all day stays quick. */
const MAX_EVIDENCE = 1_000;
const SALT_BYTES = 32;

export class Evidence {
  readonly #tables: Tables;
  readonly #chain: Chain;

  constructor(tables: Tables, chain: Chain) {
    this.#tables = tables;
    this.#chain = chain;
  }

  /** Records a backup that a call made. @param by the call, and who reported it */
  recordBackup(
    backup: Backup,
    by: { session: string; agent: string; call_id: string },
    decisionSeq: number,
    at: number,
  ): LedgerPosition {
    const { seq, hash } = this.#chain.append({
      session: by.session,
      at,
      kind: "evidence",
      body: { evidence: "backup", agent: by.agent, call_id: by.call_id, decision_seq: decisionSeq },
      private: {
        text: JSON.stringify({ dest: backup.dest, src: backup.src }),
        salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
      },
    });
    this.#tables.sql.exec(
      "INSERT INTO evidence (kind, src, dest, seq) VALUES ('backup', ?, ?, ?)",
      backup.src,
      backup.dest,
      seq,
    );
    return { seq, hash };
  }

  /** Backups that nothing has touched since, newest first. */
  backups(): Backup[] {
    return this.#tables.sql
      .exec<Record<string, SqlStorageValue> & Backup>(
        "SELECT src, dest FROM evidence WHERE kind = 'backup' AND voided_seq IS NULL ORDER BY id DESC LIMIT ?",
        MAX_EVIDENCE,
      )
      .toArray();
  }

  /** A backup that an allowed call deletes or overwrites is no backup any more: else one could be made, removed, and still count. */
  voidBackups(overwritten: readonly PathBound[], seq: number, foldCase: boolean): void {
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ id: number; dest: string }>(
        "SELECT id, dest FROM evidence WHERE voided_seq IS NULL ORDER BY id DESC LIMIT ?",
        MAX_EVIDENCE,
      )
      .toArray();
    for (const { id, dest } of rows)
      if (overwritten.some((bound) => boundsIntersect(bound, dest, foldCase)))
        sql.exec("UPDATE evidence SET voided_seq = ? WHERE id = ?", seq, id);
  }
}
