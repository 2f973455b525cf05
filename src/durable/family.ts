/**
 * A session and what continues it or was started by it: one policy, one set of evidence, one chain (DESIGN §3,
 * families). Every function runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import { decide } from "../policy/decide.ts";
import { boundsIntersect } from "../policy/paths/index.ts";
import type { Backup, Environment, PathBound } from "../policy/types.ts";
import type { Chain } from "./chain.ts";
import type {
  Answered,
  DecisionAnswer,
  DriftInput,
  DriftRecorded,
  LedgerPosition,
  Opened,
  OpenInput,
  OutcomeInput,
  OutcomeRecorded,
  OutsideChange,
  Refused,
  Relation,
  SessionContext,
  Settled,
  SettleInput,
  Stale,
  Standing,
  TurnInput,
} from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Evidence that a decision looks at: the newest, so that a session that backs up all day stays quick. */
const MAX_EVIDENCE = 1_000;

interface MemberRow {
  readonly relation: Relation;
  readonly parent: string | null;
  readonly agent: string;
  readonly environment: string;
  readonly platform: string | null;
  readonly context_version: number;
  readonly turns: number;
}

export class Family {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #root: string;
  readonly #now: () => number;
  /** Members read so far; dropped when a transaction fails. */
  #members = new Map<string, MemberRow>();
  #newestPolicy: number | null = null;

  constructor(tables: Tables, chain: Chain, root: string, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#root = root;
    this.#now = now;
  }

  forget(): void {
    this.#members.clear();
    this.#newestPolicy = null;
  }

  /** The context of a member, or `null` when the family has no such member. */
  context(session: string): SessionContext | null {
    const member = this.#member(session);
    return member === null ? null : this.#contextOf(session, member);
  }

  /** Opens the root or adds a member; again with another environment, it changes it; again as it was, it does nothing. */
  open(input: OpenInput): Opened {
    const { session } = input;
    const isRoot = session === this.#root;
    const before = this.#member(session);
    if (before !== null) {
      if (before.agent !== input.agent) return { ok: false, code: "session-conflict" };
      if (input.relation !== null && (input.relation !== before.relation || input.parent !== before.parent))
        return { ok: false, code: "session-conflict" };
      const environment = JSON.stringify(input.environment);
      const platform = input.platform ?? before.platform;
      if (environment === before.environment && platform === before.platform) {
        const { seq, hash } = this.#chain.head();
        return { ok: true, created: false, context: this.#contextOf(session, before), ledger: { seq, hash } };
      }
      const contextVersion = before.context_version + 1;
      this.#tables.sql.exec(
        "UPDATE family SET environment = ?, platform = ?, context_version = ? WHERE session = ?",
        environment,
        platform,
        contextVersion,
        session,
      );
      this.#members.delete(session);
      return this.#opened(session, false, input, "session_changed", { context_version: contextVersion });
    }
    if (!isRoot) {
      const parent = input.parent === null ? null : this.#member(input.parent);
      if (parent === null || parent.agent !== input.agent) return { ok: false, code: "unknown-session" };
    }
    this.#tables.create();
    const relation = isRoot ? "root" : (input.relation ?? "child");
    this.#tables.sql.exec(
      "INSERT INTO family (session, relation, parent, agent, environment, platform, context_version, turns, opened_at) VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?)",
      session,
      relation,
      isRoot ? null : input.parent,
      input.agent,
      JSON.stringify(input.environment),
      input.platform,
      this.#now(),
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
    if (context === null) throw new Error("a member that was just written is not there");
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

  /** Records a turn; the first of each member is briefed, since compaction is why an oath exists. */
  turn(input: TurnInput): Answered | Refused<"unknown-session"> | Stale {
    const admitted = this.#admit(input);
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
    const stale = this.#staleness(input, admitted.member);
    if (stale !== null) return stale;
    const turn = admitted.member.turns + 1;
    sql.exec("UPDATE family SET turns = ? WHERE session = ?", turn, input.session);
    this.#members.delete(input.session);
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

  /** The decision itself: replay, or judge against what the family has recorded, link, and keep the answer. */
  settle(input: SettleInput): Settled {
    const admitted = this.#admit(input);
    if (!admitted.ok) return admitted;
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
    const stale = this.#staleness(input, admitted.member);
    if (stale !== null) return stale;
    const conditional = input.findings.some((finding) => finding.unless !== undefined);
    const decision = decide(
      { backups: conditional ? this.#backups() : [], fold_case: input.fold_case },
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
      this.#voidBackups(input.reading.overwritten, head.seq, input.fold_case);
    return { ok: true, replayed: false, answer: head.answer ?? "" };
  }

  /**
   * What became of a call. A backup counts from here on, and only when the call that made it was let through and
   * succeeded (DESIGN §4, Oath). An ask that the harness put to its own user counts as let through.
   */
  outcome(input: OutcomeInput): OutcomeRecorded {
    const admitted = this.#admit(input);
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
    if (counts && call.backups !== null) {
      for (const backup of JSON.parse(call.backups) as Backup[]) {
        const entry = this.#chain.append({
          session: input.session,
          at: this.#now(),
          kind: "evidence",
          body: { evidence: "backup", agent: input.agent, call_id: input.call_id, decision_seq: call.seq },
          private: {
            text: JSON.stringify({ dest: backup.dest, src: backup.src }),
            salt: crypto.getRandomValues(new Uint8Array(32)),
          },
        });
        sql.exec(
          "INSERT INTO evidence (kind, src, dest, seq) VALUES ('backup', ?, ?, ?)",
          backup.src,
          backup.dest,
          entry.seq,
        );
        evidence.push({ seq: entry.seq, hash: entry.hash });
      }
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

  /** Records changes that came from outside; they are told on the family's next turn. A report that is known is not recorded twice. */
  drift(input: DriftInput): DriftRecorded {
    const admitted = this.#admit(input);
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

  /** What a family has recorded so far, for `GET /v1/sessions/{id}`. */
  status(): {
    members: { session: string; relation: string; parent: string | null; turns: number }[];
    verdicts: Record<string, number>;
    backups: Backup[];
    head: LedgerPosition;
    undelivered: number;
    newest_policy: number;
  } {
    const { sql } = this.#tables;
    const { seq, hash } = this.#chain.head();
    return {
      members: sql
        .exec<{ session: string; relation: string; parent: string | null; turns: number }>(
          "SELECT session, relation, parent, turns FROM family ORDER BY opened_at, session LIMIT 1000",
        )
        .toArray(),
      verdicts: Object.fromEntries(
        sql
          .exec<{ verdict: string; n: number }>("SELECT verdict, count(*) AS n FROM calls GROUP BY verdict")
          .toArray()
          .map(({ verdict, n }) => [verdict, n]),
      ),
      backups: this.#backups(),
      head: { seq, hash },
      undelivered: this.#chain.lag(),
      newest_policy: this.#policy(),
    };
  }

  #admit(input: {
    session: string;
    agent: string;
  }): { ok: true; member: MemberRow } | Refused<"unknown-session"> {
    const member = this.#member(input.session);
    return member === null || member.agent !== input.agent
      ? { ok: false, code: "unknown-session" }
      : { ok: true, member };
  }

  /** Refuses a reading made on an older policy than this family has seen, or in another environment than its own. */
  #staleness(input: Standing, member: MemberRow): Stale | null {
    const newest = this.#policy();
    if (input.policy_version < newest) return { ok: false, code: "stale-policy", newest };
    if (input.policy_version > newest) {
      this.#tables.setNumber("policy_version", input.policy_version);
      this.#newestPolicy = input.policy_version;
    }
    if (input.context_version !== member.context_version)
      return { ok: false, code: "stale-context", context: this.#contextOf(input.session, member) };
    return null;
  }

  #policy(): number {
    this.#newestPolicy ??= this.#tables.getNumber("policy_version");
    return this.#newestPolicy;
  }

  #member(session: string): MemberRow | null {
    const cached = this.#members.get(session);
    if (cached !== undefined) return cached;
    if (!this.#tables.exist) return null;
    const row = this.#tables.sql
      .exec<Record<string, SqlStorageValue> & MemberRow>(
        "SELECT relation, parent, agent, environment, platform, context_version, turns FROM family WHERE session = ?",
        session,
      )
      .toArray()[0];
    if (row === undefined) return null;
    this.#members.set(session, row);
    return row;
  }

  #contextOf(session: string, member: MemberRow): SessionContext {
    let speaksAs = session;
    let at: MemberRow | null = member;
    while (at !== null && at.relation === "continuation" && at.parent !== null) {
      speaksAs = at.parent;
      at = this.#member(at.parent);
    }
    return {
      session,
      root: this.#root,
      agent: member.agent,
      relation: member.relation,
      speaks_as: speaksAs,
      environment: JSON.parse(member.environment) as Environment,
      platform: member.platform,
      context_version: member.context_version,
    };
  }

  #backups(): Backup[] {
    return this.#tables.sql
      .exec<Record<string, SqlStorageValue> & Backup>(
        "SELECT src, dest FROM evidence WHERE kind = 'backup' AND voided_seq IS NULL ORDER BY id DESC LIMIT ?",
        MAX_EVIDENCE,
      )
      .toArray();
  }

  /** A backup that an allowed call deletes or overwrites is no backup any more: else one could be made, removed, and still count. */
  #voidBackups(overwritten: readonly PathBound[], seq: number, foldCase: boolean): void {
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
