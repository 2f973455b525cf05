/**
 * Calls: what was decided, what became of it, and the evidence that came of that. Everything here runs inside one
 * synchronous transaction of the root's object and awaits nothing.
 */
import { canonicalText } from "../ledger/index.ts";
import type { Permit } from "../policy/fence/index.ts";
import { type Steps, utf8Bytes } from "../policy/paths/index.ts";
import type { Backup, Effects, Finding, PathBound } from "../policy/types.ts";
import type { ApprovalRow, Approvals } from "./approvals.ts";
import type { Asks } from "./asks.ts";
import type { Chain } from "./chain.ts";
import type { Evidence } from "./evidence.ts";
import type { Family } from "./family.ts";
import { folds, type Judging } from "./judging.ts";
import type {
  DecisionAnswer,
  OutcomeInput,
  OutcomeRecorded,
  PrivateText,
  Settled,
  SettleInput,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";
import type { Task } from "./task.ts";
import { refusedTarget, writtenBody } from "./writes.ts";

/** A path that cannot be known: it meets every other, and lies in none. */
const UNKNOWN_PATH: PathBound = "?";
/** What is kept of a call's paths, as JSON: a row of the object holds 2,000,000 bytes, the answer among them. */
const MAX_PATHS_BYTES = 256 * 1024;
const MAX_BACKUPS_BYTES = 128 * 1024;
/** Each backup that a call makes is an entry of its own. */
const MAX_BACKUPS = 500;
/** Steps that comparing one call with the family's evidence may take, some 40 ms. */
const MAX_STEPS = 2_000_000;
/** An outcome that is reported again later than this moves no fingerprints: a retry comes soon. */
const LICENCE_LASTS_MS = 60 * 60 * 1000;

/** Tool calls of a family: decided once each, reported once each. */
export class Calls {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #evidence: Evidence;
  readonly #task: Task;
  readonly #approvals: Approvals;
  readonly #asks: Asks;
  readonly #judging: Judging;
  readonly #now: () => number;

  constructor(
    tables: Tables,
    chain: Chain,
    family: Family,
    evidence: Evidence,
    task: Task,
    approvals: Approvals,
    asks: Asks,
    judging: Judging,
    now: () => number,
  ) {
    this.#tables = tables;
    this.#chain = chain;
    this.#family = family;
    this.#evidence = evidence;
    this.#task = task;
    this.#approvals = approvals;
    this.#asks = asks;
    this.#judging = judging;
    this.#now = now;
  }

  /** The decision itself: replay, or judge against what the family has recorded, link, and keep the answer. */
  settle(input: SettleInput): Settled {
    const admitted = this.#family.admit(input);
    if (!admitted.ok) return admitted;
    // Before the replay: a digest made in an environment that is no longer the session's names another action.
    const elsewhere = this.#family.staleContext(input, admitted.row);
    if (elsewhere !== null) return elsewhere;
    const { sql } = this.#tables;
    const known = sql
      .exec<{ digest: string; seq: number; verdict: string; approval: string | null; answer: string }>(
        "SELECT digest, seq, verdict, approval, answer FROM calls WHERE session = ? AND call_id = ?",
        input.session,
        input.call_id,
      )
      .toArray()[0];
    let hangsOn: ApprovalRow | null = null;
    if (known?.answer === "") return { ok: false, code: "gone" };
    if (known !== undefined) {
      if (known.digest !== input.digest) return this.#reused(input, known.seq);
      const row =
        known.verdict === "ask" && known.approval !== null ? this.#approvals.find(known.approval) : null;
      if (row === null)
        return { ok: true, replayed: true, answer: known.answer, waits_for: null, opened: false };
      hangsOn = this.#approvals.atRest(row);
      if (hangsOn.state === "pending") {
        const answer = {
          ...(JSON.parse(known.answer) as DecisionAnswer),
          approval: this.#approvals.ofCall(hangsOn),
        };
        return {
          ok: true,
          replayed: true,
          answer: JSON.stringify(answer),
          waits_for: hangsOn.id,
          opened: false,
        };
      }
    }
    const stale = this.#family.stalePolicy(input);
    if (stale !== null) return stale;
    const reading = { risks: input.effects.risks, opaque: input.effects.opaque?.causes ?? [] };
    const before = this.#asks.before(input.digest, hangsOn, this.#task.spokenSeq());
    const isAgain = known !== undefined;
    const { judgement, decision, approval, opened, body, moved } = this.#asks.after(
      this.#judging.judge(input, admitted.row, before.findings, isAgain),
      before,
      input,
      admitted.row.speaks_as,
    );
    const { permits, writing, fold_case: foldCase, steps } = judgement;
    const seq = this.#chain.head().seq + 1;
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
        verdict: decision.verdict,
        enforcement: decision.enforcement,
        // What asked, also where a person has answered it.
        rule_keys: judgement.decision.reasons.map((reason) => reason.rule_key),
        engines: Object.fromEntries(
          Object.entries(decision.engines).map(([name, { mode, verdict, enforcement, reasons }]) => [
            name,
            { mode, verdict, enforcement, rule_keys: reasons.map((reason) => reason.rule_key) },
          ]),
        ),
        risks: input.effects.risks,
        opaque: reading.opaque,
        permissions: permits.map(({ permission }) => permission),
        ...(input.write === null ? {} : { write: writtenBody(input.write) }),
        policy_version: input.policy_version,
        stale_policy: input.stale_policy,
        answerer: input.answerer,
        host: input.host,
        ...(known === undefined ? {} : { again_of: known.seq }),
        ...body,
      },
      private: withFound(input.private, judgement.found),
      ...(moved.length === 0 ? {} : { publish: moved.map((row) => this.#approvals.published(row, seq)) }),
    });
    const answer = JSON.stringify({
      id: input.decision_id,
      session: input.session,
      call_id: input.call_id,
      at: head.at,
      ...decision,
      action_digest: input.digest,
      policy_version: input.policy_version,
      stale_policy: input.stale_policy,
      reading,
      write:
        input.write === null
          ? null
          : { target: input.write.target, claims: input.write.claims, partial: input.write.partial },
      approval: approval === null ? null : this.#approvals.ofCall(approval),
      ledger: { seq: head.seq, hash: head.hash },
    } satisfies DecisionAnswer);
    const kept = keptOf(input.effects);
    const allowed = decision.verdict === "allow";
    const refused = refusedTarget(input, writing);
    if (known !== undefined)
      sql.exec("DELETE FROM calls WHERE session = ? AND call_id = ?", input.session, input.call_id);
    sql.exec(
      `INSERT INTO calls
         (session, call_id, digest, seq, verdict, answer, acts, backups, created, overwritten, permits, refused_write, skill, approval)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      input.session,
      input.call_id,
      input.digest,
      head.seq,
      decision.verdict,
      answer,
      allowed ? 1 : 0,
      listText(kept.backups),
      listText(kept.created),
      listText(kept.overwritten),
      listText(permits),
      refused === null ? null : this.#tables.keyed(refused),
      input.write?.skill ? 1 : null,
      approval?.id ?? null,
    );
    if (known === undefined) this.#task.asked(input.digest);
    if (allowed) {
      this.#evidence.voidBackups(kept.overwritten, head.seq, foldCase, steps);
      this.#task.spend(permits);
    }
    const waitsFor = decision.verdict === "ask" ? (approval?.id ?? null) : null;
    return { ok: true, replayed: false, answer, waits_for: waitsFor, opened };
  }

  #reused(input: SettleInput, decisionSeq: number): Settled {
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
        decision_seq: decisionSeq,
      },
    });
    return { ok: false, code: "call-id-reused" };
  }

  /**
   * What became of a call. A backup counts from here on, and only when the call that made it was let through and
   * succeeded (DESIGN §4, Oath). An ask that the harness put to its own user counts as let through. What a call overwrites
   * voids backups when it is decided and again here: it ran some time in between.
   */
  outcome(input: OutcomeInput): OutcomeRecorded {
    const admitted = this.#family.known(input);
    if (!admitted.ok) return admitted;
    const { sql } = this.#tables;
    const call = sql
      .exec<CallRow>(
        `SELECT seq, verdict, permits, skill, backups, created, overwritten, outcome, answered_by, fingerprints, outcome_at,
           outcome_answer, approval FROM calls WHERE session = ? AND call_id = ?`,
        input.session,
        input.call_id,
      )
      .toArray()[0];
    if (call === undefined) return { ok: false, code: "unknown-call" };
    // Who did not know may come to know; what was known stands.
    const isKnown = call.outcome !== null && (call.outcome !== "unknown" || input.outcome === "unknown");
    if (isKnown && call.outcome_answer !== null) {
      if (call.outcome !== input.outcome || call.answered_by !== input.answered_by)
        return { ok: false, code: "outcome-already-reported" };
      // A licence for what was reported then, not for whatever is reported now.
      const isRetry =
        call.fingerprints === input.fingerprints && this.#now() - (call.outcome_at ?? 0) < LICENCE_LASTS_MS;
      return {
        ok: true,
        replayed: true,
        answer: call.outcome_answer,
        rebaseline: isRetry ? rebaselined(call, call) : [],
      };
    }
    const letThrough = isLetThrough(call, input);
    const counts = letThrough && input.outcome === "success";
    const ran = input.outcome !== "blocked" && (letThrough || input.outcome !== "unknown");
    // A call that ran although it was not let through: the harness did not heed the answer.
    const heeded = letThrough || input.outcome === "blocked" || input.outcome === "unknown";
    const foldCase = folds(admitted.row);
    const steps: Steps = { left: MAX_STEPS };
    const backups = counts ? listOf<Backup>(call.backups) : [];
    const standing = this.#evidence.standing(backups, call.seq, foldCase, steps);
    const granted = this.#reportedOf(call, input.outcome);
    const seq = this.#chain.head().seq + 1;
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
        heeded,
        /** Backups that a later call may have overwritten before this was reported: they are no evidence. */
        backups_lost: backups.length - standing.length,
        ...(granted === null ? {} : { approval: { id: granted.id, grant: granted.state } }),
      },
      private: input.private,
      ...(call.skill === null && granted === null
        ? {}
        : {
            publish: [
              ...(call.skill === null
                ? []
                : [{ op: "skill_outcome", seq: call.seq, outcome: input.outcome }]),
              ...(granted === null ? [] : [this.#approvals.published(granted, seq)]),
            ],
          }),
    });
    // An ask that the harness put to its own user draws on the same budgets as what was allowed.
    if (ran && letThrough && call.verdict !== "allow" && call.outcome === null)
      this.#task.spend(listOf<Permit>(call.permits));
    if (ran) this.#evidence.voidBackups(listOf<PathBound>(call.overwritten), head.seq, foldCase, steps);
    const evidence = standing.map((backup) =>
      this.#evidence.recordBackup(backup, input, call.seq, this.#now()),
    );
    const answer = JSON.stringify({
      session: input.session,
      call_id: input.call_id,
      outcome: input.outcome,
      heeded,
      evidence,
      ledger: { seq: head.seq, hash: head.hash },
    });
    sql.exec(
      // Of a call that is forgotten nothing moves any more: no hash of what was reported is kept to know it again.
      `UPDATE calls SET acts = max(acts, ?), outcome = ?, answered_by = ?, fingerprints = iif(digest = '', NULL, ?),
         outcome_at = ?, outcome_answer = ? WHERE session = ? AND call_id = ?`,
      ran ? 1 : 0,
      input.outcome,
      input.answered_by,
      input.fingerprints,
      head.at,
      answer,
      input.session,
      input.call_id,
    );
    return { ok: true, replayed: false, answer, rebaseline: rebaselined(call, input) };
  }

  /** The approval on whose grant a call ran, moved on by what became of the call; `null` for a call without one. */
  #reportedOf(call: CallRow, outcome: OutcomeInput["outcome"]): ApprovalRow | null {
    const row =
      call.verdict === "allow" && call.approval !== null ? this.#approvals.find(call.approval) : null;
    if (row === null) return null;
    if (outcome !== "unknown") return this.#approvals.move(row, "report");
    return row.state === "spent" ? this.#approvals.move(row, "doubt") : row;
  }

  /** How many calls got which verdict. */
  verdicts(): Record<string, number> {
    const rows = this.#tables.sql
      .exec<{ verdict: string; n: number }>("SELECT verdict, count(*) AS n FROM calls GROUP BY verdict")
      .toArray();
    return Object.fromEntries(rows.map(({ verdict, n }) => [verdict, n]));
  }
}

type CallRow = Record<string, SqlStorageValue> & {
  readonly seq: number;
  readonly verdict: string;
  readonly permits: string | null;
  readonly skill: number | null;
  readonly backups: string | null;
  readonly created: string | null;
  readonly overwritten: string | null;
  readonly outcome: string | null;
  readonly answered_by: string | null;
  readonly fingerprints: string | null;
  readonly outcome_at: number | null;
  readonly outcome_answer: string | null;
  readonly approval: string | null;
};

function isLetThrough(call: CallRow, { answered_by }: { readonly answered_by: string | null }): boolean {
  // Where people were asked here, nobody else's yes counts.
  const asked = call.verdict === "ask" && call.approval === null;
  return call.verdict === "allow" || (asked && answered_by === "harness");
}

/** The bounds whose fingerprints may move because this call was let through and succeeded. */
function rebaselined(
  call: CallRow,
  reported: { readonly outcome: string | null; readonly answered_by: string | null },
): PathBound[] {
  if (!isLetThrough(call, reported) || reported.outcome !== "success") return [];
  return [...listOf<PathBound>(call.created), ...listOf<PathBound>(call.overwritten)];
}

/**
 * What is kept of a reading, each path once. Of a call with more paths than that it is known only that it may have
 * overwritten anything: `?` voids every backup, and no fingerprint lies in it.
 */
function keptOf({ actions, opaque, backups: made }: Effects): {
  backups: readonly Backup[];
  created: readonly PathBound[];
  overwritten: readonly PathBound[];
} {
  const overwritten = new Set([
    ...actions.filter(({ verb }) => verb !== "create").map(({ path }) => path),
    // What cannot be seen into may have removed whatever it names.
    ...(opaque?.names ?? []),
  ]);
  const created = new Set(actions.map(({ path }) => path).filter((path) => !overwritten.has(path)));
  const fits = bytesOf([...created]) + bytesOf([...overwritten]) <= MAX_PATHS_BYTES;
  const backups: Backup[] = [];
  let bytes = 0;
  for (const { src, dest } of made) {
    bytes += bytesOf({ src, dest });
    if (backups.length === MAX_BACKUPS || bytes > MAX_BACKUPS_BYTES) break;
    backups.push({ src, dest });
  }
  return fits
    ? { backups, created: [...created], overwritten: [...overwritten] }
    : { backups, created: [], overwritten: overwritten.size === 0 ? [] : [UNKNOWN_PATH] };
}

/** What was found here joins what was found before: quotes of the person's words are as private as arguments are. */
function withFound(kept: PrivateText, findings: readonly Finding[]): PrivateText {
  if (findings.length === 0) return kept;
  const value = JSON.parse(kept.text) as { found?: unknown };
  if (!Array.isArray(value.found)) return kept;
  const found = [...value.found, ...findings.map(({ verdict, reason }) => ({ verdict, ...reason }))];
  return { ...kept, text: canonicalText({ ...value, found }) };
}

function bytesOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}

function listText(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

function listOf<T>(text: string | null): readonly T[] {
  return text === null ? [] : (JSON.parse(text) as T[]);
}
