/**
 * Turns, and the changes from outside that they are told. Everything here runs inside one synchronous transaction of
 * the root's object and awaits nothing.
 */
import type { Chain } from "./chain.ts";
import type { Family } from "./family.ts";
import type {
  Answered,
  DriftInput,
  DriftRecorded,
  OutsideChange,
  Refused,
  Stale,
  TurnInput,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";

export class Turns {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #now: () => number;

  constructor(tables: Tables, chain: Chain, family: Family, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#now = now;
  }

  /** Records a turn; the first of each session is briefed, since compaction is why an oath exists. */
  turn(input: TurnInput): Answered | Refused<"unknown-session"> | Stale {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    if (input.turn_id !== null) {
      const known = sql
        .exec<{ answer: string }>(
          "SELECT answer FROM turns WHERE session = ? AND turn_id = ?",
          input.session,
          input.turn_id,
        )
        .toArray()[0];
      if (known !== undefined) return { ok: true, replayed: true, answer: known.answer };
    }
    const stale = this.#family.staleContext(input, admitted.row) ?? this.#family.stalePolicy(input);
    if (stale !== null) return stale;
    const turn = this.#family.countTurn(input.session, admitted.row);
    const briefed = turn === 1 && input.briefing !== null;
    const at = this.#now();
    const head = this.#chain.append({
      session: input.session,
      at,
      kind: "turn",
      body: {
        turn,
        turn_id: input.turn_id,
        key: input.key,
        platform: input.platform,
        policy_version: input.policy_version,
        briefed,
      },
      private: input.private,
    });
    const changes = sql
      .exec<{ host: string; path: string; change: string; seq: number }>(
        "SELECT host, path, change, seq FROM drift WHERE told_seq IS NULL ORDER BY id",
      )
      .toArray();
    if (changes.length > 0) sql.exec("UPDATE drift SET told_seq = ? WHERE told_seq IS NULL", head.seq);
    const answer = JSON.stringify({
      session: input.session,
      turn,
      turn_id: input.turn_id,
      at: head.at,
      briefing: briefed ? input.briefing : null,
      outside_changes: changes,
      fingerprint: input.fingerprint,
      policy_version: input.policy_version,
      ledger: { seq: head.seq, hash: head.hash },
    });
    if (input.turn_id !== null)
      sql.exec(
        "INSERT INTO turns (session, turn_id, answer) VALUES (?, ?, ?)",
        input.session,
        input.turn_id,
        answer,
      );
    return { ok: true, replayed: false, answer };
  }

  /** Records changes that came from outside; they are told on the family's next turn. A report that is known is not recorded twice. */
  drift(input: DriftInput): DriftRecorded {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    const known = sql
      .exec<{ seq: number }>(
        "SELECT seq FROM drift WHERE session = ? AND report = ? LIMIT 1",
        input.session,
        input.report,
      )
      .toArray()[0];
    if (known !== undefined) {
      const hash = sql.exec<{ hash: string }>("SELECT hash FROM entries WHERE seq = ?", known.seq).one().hash;
      return { ok: true, ledger: { seq: known.seq, hash } };
    }
    const counts: Record<OutsideChange["change"], number> = { modified: 0, created: 0, deleted: 0 };
    for (const { change } of input.changes) counts[change] += 1;
    const head = this.#chain.append({
      session: input.session,
      at: this.#now(),
      kind: "outside_change",
      body: { agent: input.agent, key: input.key, host: input.host, report: input.report, ...counts },
      private: input.private,
    });
    for (const { path, change } of input.changes)
      sql.exec(
        "INSERT INTO drift (session, report, host, path, change, seq) VALUES (?, ?, ?, ?, ?, ?)",
        input.session,
        input.report,
        input.host,
        path,
        change,
        head.seq,
      );
    return { ok: true, ledger: { seq: head.seq, hash: head.hash } };
  }
}
