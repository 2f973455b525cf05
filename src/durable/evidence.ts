/**
 * Evidence of a family: backups that were made and reported as made. It counts within the family and nowhere else.
 * Everything here runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import { meeting, type Steps, treeBound } from "../policy/paths/index.ts";
import type { Backup, PathBound } from "../policy/types.ts";
import type { Chain } from "./chain.ts";
import type { LedgerPosition } from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Evidence that counts: the newest, so that a session that backs up all day stays quick. What is older is retired. */
const MAX_EVIDENCE = 1_000;
/** Later calls that a new backup is held against; past so many it is taken as overwritten by one of them. */
const MAX_LATER_CALLS = 1_000;
const SALT_BYTES = 32;

/** A copy of a folder is as good as its least file: whatever lies below its destination is part of it. */
function wholeCopy({ dest }: Pick<Backup, "dest">): PathBound {
  return treeBound(dest);
}

/** The backups that stand as evidence, how they come to, and how they cease to. */
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
    const { sql } = this.#tables;
    sql.exec(
      "INSERT INTO evidence (kind, src, dest, seq) VALUES ('backup', ?, ?, ?)",
      backup.src,
      backup.dest,
      seq,
    );
    // Out of sight is out of force, for good: nobody would see the copy of a backup that comes back go.
    sql.exec(
      `UPDATE evidence SET voided_seq = ?1 WHERE voided_seq IS NULL AND id <=
         (SELECT id FROM evidence WHERE voided_seq IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      seq,
      MAX_EVIDENCE,
    );
    return { seq, hash };
  }

  /** Backups that nothing has touched since, newest first. */
  backups(): Backup[] {
    return this.#tables.sql
      .exec<Record<string, SqlStorageValue> & Backup>(
        "SELECT src, dest FROM evidence WHERE kind = 'backup' AND voided_seq IS NULL ORDER BY id DESC",
      )
      .toArray();
  }

  /**
   * Of the backups of a call that has just succeeded, those that no call decided after it may have overwritten. That one
   * may have run first or last: nobody saw them run.
   */
  standing(backups: readonly Backup[], decisionSeq: number, foldCase: boolean, steps: Steps): Backup[] {
    if (backups.length === 0) return [];
    const later = this.#tables.sql
      .exec<{ overwritten: string }>(
        "SELECT overwritten FROM calls WHERE acts = 1 AND overwritten IS NOT NULL AND seq > ? LIMIT ?",
        decisionSeq,
        MAX_LATER_CALLS + 1,
      )
      .toArray();
    if (later.length > MAX_LATER_CALLS) return [];
    const met = meeting(backups.map(wholeCopy), foldCase, steps);
    const lost = new Set<number>();
    for (const { overwritten } of later)
      for (const bound of JSON.parse(overwritten) as PathBound[]) for (const at of met(bound)) lost.add(at);
    return backups.filter((_, at) => !lost.has(at));
  }

  /**
   * A backup that a call deletes or overwrites is no backup any more: else one could be made, removed, and still count. What
   * the budget does not suffice to compare is taken as overwritten.
   */
  voidBackups(overwritten: readonly PathBound[], seq: number, foldCase: boolean, steps: Steps): void {
    if (overwritten.length === 0) return;
    const { sql } = this.#tables;
    const rows = sql
      .exec<{ id: number; dest: string }>("SELECT id, dest FROM evidence WHERE voided_seq IS NULL")
      .toArray();
    if (rows.length === 0) return;
    const met = meeting(rows.map(wholeCopy), foldCase, steps);
    const lost = new Set(overwritten.flatMap((bound) => met(bound)));
    for (const at of lost)
      sql.exec("UPDATE evidence SET voided_seq = ? WHERE id = ?", seq, rows[at]?.id ?? null);
  }
}
