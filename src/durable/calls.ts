/**
 * Calls: what was decided, what became of it, and the evidence that came of that. Everything here runs inside one
 * synchronous transaction of the root's object and awaits nothing.
 */
import { decide } from "../policy/decide.ts";
import { foldsCase } from "../policy/paths/index.ts";
import type { Backup, Environment, PathBound } from "../policy/types.ts";
import type { Chain } from "./chain.ts";
import type { Evidence } from "./evidence.ts";
import type { Family, SessionRow } from "./family.ts";
import type {
  DecisionAnswer,
  LedgerPosition,
  OutcomeInput,
  OutcomeRecorded,
  Settled,
  SettleInput,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";

export class Calls {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #evidence: Evidence;
  readonly #now: () => number;

  constructor(tables: Tables, chain: Chain, family: Family, evidence: Evidence, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#evidence = evidence;
    this.#now = now;
  }

  /** The decision itself: replay, or judge against what the family has recorded, link, and keep the answer. */
  settle(input: SettleInput): Settled {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    // Before the replay: a digest made in an environment that is no longer the session's names another action.
    const moved = this.#family.staleContext(input, admitted.row);
    if (moved !== null) return moved;
    const { sql } = this.#tables;
    const known = sql
      .exec<{ digest: string; seq: number }>(
        "SELECT digest, seq FROM calls WHERE session = ? AND call_id = ?",
        input.session,
        input.call_id,
      )
      .toArray()[0];
    if (known !== undefined) {
      if (known.digest === input.digest)
        return { ok: true, replayed: true, answer: this.#chain.answer(known.seq) };
      this.#chain.append({
        session: input.session,
        at: this.#now(),
        kind: "refusal",
        body: {
          operation: "decide",
          code: "call-id-reused",
          status: 409,
          agent: input.agent,
          key: input.key,
          call_id: input.call_id,
          digest: input.digest,
          decided_digest: known.digest,
        },
      });
      return { ok: false, code: "call-id-reused" };
    }
    const stale = this.#family.stalePolicy(input);
    if (stale !== null) return stale;
    const conditional = input.findings.some((finding) => finding.unless !== undefined);
    const decision = decide(
      { backups: conditional ? this.#evidence.backups() : [], fold_case: folds(admitted.row) },
      input.findings,
      input.modes,
    );
    const head = this.#chain.append({
      session: input.session,
      at: this.#now(),
      kind: "decision",
      body: {
        id: input.decision_id,
        agent: input.agent,
        key: input.key,
        call_id: input.call_id,
        tool: input.tool,
        digest: input.digest,
        verdict: decision.verdict,
        enforcement: decision.enforcement,
        rule_keys: decision.reasons.map((reason) => reason.rule_key),
        engines: Object.fromEntries(
          Object.entries(decision.engines).map(([name, { mode, verdict, enforcement, reasons }]) => [
            name,
            { mode, verdict, enforcement, rule_keys: reasons.map((reason) => reason.rule_key) },
          ]),
        ),
        risks: input.reading.risks,
        opaque: input.reading.opaque,
        policy_version: input.policy_version,
        stale_policy: input.stale_policy,
        answerer: input.answerer,
        host: input.host,
      },
      private: input.private,
      answer: ({ seq, hash, at }) =>
        JSON.stringify({
          id: input.decision_id,
          session: input.session,
          call_id: input.call_id,
          at,
          ...decision,
          action_digest: input.digest,
          policy_version: input.policy_version,
          stale_policy: input.stale_policy,
          reading: { risks: input.reading.risks, opaque: input.reading.opaque },
          ledger: { seq, hash },
        } satisfies DecisionAnswer),
    });
    sql.exec(
      "INSERT INTO calls (session, call_id, digest, seq, verdict, backups, touched) VALUES (?, ?, ?, ?, ?, ?, ?)",
      input.session,
      input.call_id,
      input.digest,
      head.seq,
      decision.verdict,
      input.reading.backups.length === 0 ? null : JSON.stringify(input.reading.backups),
      input.reading.touched.length === 0 ? null : JSON.stringify(input.reading.touched),
    );
    if (decision.verdict === "allow" && input.reading.overwritten.length > 0)
      this.#evidence.voidBackups(input.reading.overwritten, head.seq, folds(admitted.row));
    return { ok: true, replayed: false, answer: head.answer ?? "" };
  }

  /**
   * What became of a call. A backup counts from here on, and only when the call that made it was let through and
   * succeeded (DESIGN §4, Oath). An ask that the harness put to its own user counts as let through.
   */
  outcome(input: OutcomeInput): OutcomeRecorded {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    const call = sql
      .exec<{
        seq: number;
        verdict: string;
        backups: string | null;
        touched: string | null;
        outcome: string | null;
        outcome_answer: string | null;
      }>(
        "SELECT seq, verdict, backups, touched, outcome, outcome_answer FROM calls WHERE session = ? AND call_id = ?",
        input.session,
        input.call_id,
      )
      .toArray()[0];
    if (call === undefined) return { ok: false, code: "unknown-call" };
    const letThrough =
      call.verdict === "allow" || (call.verdict === "ask" && input.answered_by === "harness");
    const counts = letThrough && input.outcome === "success";
    const rebaseline = counts && call.touched !== null ? (JSON.parse(call.touched) as PathBound[]) : [];
    if (call.outcome !== null && call.outcome_answer !== null) {
      if (call.outcome !== input.outcome) return { ok: false, code: "outcome-already-reported" };
      return { ok: true, replayed: true, answer: call.outcome_answer, rebaseline };
    }
    const head = this.#chain.append({
      session: input.session,
      at: this.#now(),
      kind: "outcome",
      body: {
        agent: input.agent,
        key: input.key,
        call_id: input.call_id,
        decision_seq: call.seq,
        verdict: call.verdict,
        outcome: input.outcome,
        answered_by: input.answered_by,
        /** A call that ran although it was not let through: the harness did not heed the answer. */
        heeded: letThrough || input.outcome === "blocked" || input.outcome === "unknown",
      },
      private: input.private,
    });
    const evidence: LedgerPosition[] = [];
    // An ask was not yet carried out when it was decided; now it has been.
    if (counts && call.verdict === "ask" && rebaseline.length > 0)
      this.#evidence.voidBackups(rebaseline, head.seq, folds(admitted.row));
    if (counts && call.backups !== null) {
      for (const backup of JSON.parse(call.backups) as Backup[])
        evidence.push(this.#evidence.recordBackup(backup, input, call.seq, this.#now()));
    }
    const answer = JSON.stringify({
      session: input.session,
      call_id: input.call_id,
      outcome: input.outcome,
      evidence,
      ledger: { seq: head.seq, hash: head.hash },
    });
    sql.exec(
      "UPDATE calls SET outcome = ?, outcome_answer = ? WHERE session = ? AND call_id = ?",
      input.outcome,
      answer,
      input.session,
      input.call_id,
    );
    return { ok: true, replayed: false, answer, rebaseline };
  }

  /** How many calls got which verdict. */
  verdicts(): Record<string, number> {
    const rows = this.#tables.sql
      .exec<{ verdict: string; n: number }>("SELECT verdict, count(*) AS n FROM calls GROUP BY verdict")
      .toArray();
    return Object.fromEntries(rows.map(({ verdict, n }) => [verdict, n]));
  }
}

function folds(row: SessionRow): boolean {
  return foldsCase(JSON.parse(row.environment) as Environment);
}
