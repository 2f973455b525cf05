/**
 * Approvals as a family's object keeps them: one row each, moved along the arrows of `policy/approval/machine.ts` and
 * along no other. Everything here runs inside one synchronous transaction and awaits nothing; whoever appends the entry
 * that says what happened passes its sequence number.
 */
import {
  type ApprovalEvent,
  type ApprovalState,
  after,
  type Demand,
  grantOf,
  stateAt,
  statusOf,
} from "../policy/approval/index.ts";
import type { RiskClass } from "../policy/types.ts";
import type { ApprovalOfCall, ApprovalRecord, ReasonGiven, ShownAction } from "./approval-protocol.ts";
import { actionOf } from "./asks.ts";
import type { Chain } from "./chain.ts";
import { nextLook } from "./held.ts";
import type { Notices } from "./notices.ts";
import type { Tables } from "./storage.ts";

/** Approvals that one alarm finds expired; what is left comes with the next. */
const MAX_SWEPT = 200;

/** A row of the table, as SQLite gives it. */
export interface ApprovalRow {
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly call_id: string;
  readonly decision_id: string;
  readonly tool: string;
  readonly digest: string;
  readonly risks: string;
  readonly rule_keys: string;
  /** Of the reading that people were shown, and of the reasons: a grant answers for these and no others (`asks.ts`). */
  readonly reading: string;
  readonly reasons: string;
  readonly demand: string;
  readonly origin: string;
  readonly grant_lasts: number;
  readonly state: ApprovalState;
  readonly opened_seq: number;
  readonly opened_at: number;
  readonly notify_at: number;
  readonly expires_at: number;
  readonly extended: number;
  readonly decided_seq: number | null;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
  readonly via: "link" | "session" | null;
  readonly reason: string | null;
  readonly grant_expires_at: number | null;
  readonly edit_of: string | null;
  readonly replaced_by: string | null;
  readonly edited: string | null;
}

/** What opens an approval. */
export type Opening = Pick<
  ApprovalRow,
  | "id"
  | "session"
  | "agent"
  | "call_id"
  | "decision_id"
  | "tool"
  | "digest"
  | "reading"
  | "reasons"
  | "origin"
  | "grant_lasts"
  | "opened_at"
  | "notify_at"
  | "expires_at"
  | "edit_of"
> & {
  readonly risks: readonly RiskClass[];
  readonly rule_keys: readonly string[];
  readonly demand: Demand;
  readonly shown: ShownAction;
};

/** Columns that an event may set besides the state. */
type Moved = Partial<
  Pick<
    ApprovalRow,
    | "expires_at"
    | "extended"
    | "decided_seq"
    | "decided_at"
    | "decided_by"
    | "via"
    | "reason"
    | "grant_expires_at"
    | "replaced_by"
    | "edited"
  >
>;

export class Approvals {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #notices: Notices;
  readonly #root: string;
  readonly #now: () => number;
  /** Decided in the transaction that runs: whoever waits for them is woken once it is committed. */
  #settled = new Set<string>();
  #nextDue: number | null | undefined;
  /** Whether the family has ever asked anybody: most have not, and need no look-ups. */
  #any: boolean | undefined;

  constructor(tables: Tables, chain: Chain, notices: Notices, root: string, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#notices = notices;
    this.#root = root;
    this.#now = now;
  }

  /** Forgets what memory says: a transaction that wrote was rolled back. */
  forget(): void {
    this.#settled = new Set();
    this.#nextDue = undefined;
    this.#any = undefined;
  }

  /** False for a family of which nobody was ever asked. */
  any(): boolean {
    this.#any ??=
      this.#tables.exist && this.#tables.sql.exec("SELECT 1 FROM approvals LIMIT 1").toArray().length > 0;
    return this.#any;
  }

  /** What was decided since this was last asked. */
  takeSettled(): ReadonlySet<string> {
    const settled = this.#settled;
    if (settled.size > 0) this.#settled = new Set();
    return settled;
  }

  find(id: string): ApprovalRow | null {
    if (!this.#tables.exist) return null;
    return this.#one("SELECT * FROM approvals WHERE id = ?", id);
  }

  /** The newest approval on which an action was let run. */
  newestRun(digest: string): ApprovalRow | null {
    return this.#one(
      `SELECT * FROM approvals WHERE digest = ? AND state IN ('spent', 'ambiguous', 'reported')
       ORDER BY opened_seq DESC LIMIT 1`,
      digest,
    );
  }

  /** The approval of an action in this state, or `null`. */
  inState(digest: string, state: ApprovalState): ApprovalRow | null {
    return this.#one(
      "SELECT * FROM approvals WHERE digest = ? AND state = ? ORDER BY opened_seq DESC LIMIT 1",
      digest,
      state,
    );
  }

  /** True where somebody denied the action after this entry. */
  deniedSince(digest: string, seq: number): ApprovalRow | null {
    return this.#one(
      "SELECT * FROM approvals WHERE digest = ? AND state = 'denied' AND decided_seq > ? ORDER BY decided_seq DESC LIMIT 1",
      digest,
      seq,
    );
  }

  /** How many of the family wait for a person: what is past its time does not, whether or not the alarm has rung. */
  pending(): number {
    return this.#tables.sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM approvals WHERE state = 'pending' AND expires_at > ?",
        this.#now(),
      )
      .one().n;
  }

  /** Keeps a new approval and has people told. @param seq of the decision that opens it */
  open(opening: Opening, seq: number): ApprovalRow {
    const { shown, risks, rule_keys, demand, ...row } = opening;
    const columns = {
      ...row,
      risks: JSON.stringify(risks),
      rule_keys: JSON.stringify(rule_keys),
      demand: JSON.stringify(demand),
      state: "pending",
      opened_seq: seq,
    };
    const names = Object.keys(columns);
    this.#tables.sql.exec(
      `INSERT INTO approvals (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(columns),
    );
    this.#tables.sql.exec(
      "INSERT INTO shown (approval, action) VALUES (?, ?)",
      row.id,
      JSON.stringify(shown),
    );
    const dueAt = nextLook(row.notify_at, row.opened_at);
    this.#notices.queue(row.id, "approval.opened", dueAt, row.expires_at);
    this.#nextDue = undefined;
    this.#any = true;
    return this.#must(row.id);
  }

  /**
   * Moves an approval along an arrow.
   * @throws {Error} where there is no such arrow: whoever asks has looked at the state, so it is a fault of ours
   */
  move(row: ApprovalRow, event: ApprovalEvent, moved: Moved = {}): ApprovalRow {
    const state = after(row.state, event);
    if (state === null) throw new Error(`an approval that is ${row.state} cannot ${event}`);
    const columns = { ...moved, state };
    this.#tables.sql.exec(
      `UPDATE approvals SET ${Object.keys(columns)
        .map((name) => `${name} = ?`)
        .join(", ")} WHERE id = ?`,
      ...Object.values(columns),
      row.id,
    );
    if (row.state === "pending" && state !== "pending") {
      // What it was about is on the ledger; here it is private text that nobody needs any more.
      this.#tables.sql.exec("DELETE FROM shown WHERE approval = ?", row.id);
      this.#notices.forget(row.id, "approval.opened");
      this.#notices.queue(row.id, "approval.decided", this.#now(), this.#now() + NOTICE_LASTS_MS);
      this.#settled.add(row.id);
    }
    this.#nextDue = undefined;
    return this.#must(row.id);
  }

  /** Has people hear of it at another time. Whoever asks has it put on record. */
  reschedule(row: ApprovalRow, notifyAt: number, expiresAt: number): ApprovalRow {
    this.#tables.sql.exec(
      "UPDATE approvals SET notify_at = ?, expires_at = ? WHERE id = ?",
      notifyAt,
      expiresAt,
      row.id,
    );
    this.#nextDue = undefined;
    return this.#must(row.id);
  }

  /** Puts on record that time has run out, if it has. The row as it stands then. */
  atRest(row: ApprovalRow): ApprovalRow {
    const state = stateAt(row.state, row, this.#now());
    if (state === row.state) return row;
    const expired = state === "expired";
    const seq = this.#chain.head().seq + 1;
    const at = this.#now();
    const moved = expired
      ? this.move(row, "expire", { decided_seq: seq, decided_at: at })
      : this.move(row, "lapse");
    this.#chain.append({
      session: row.session,
      at,
      kind: expired ? "approval_decided" : "grant_lapsed",
      body: expired
        ? {
            approval: row.id,
            outcome: "expired",
            by: null,
            via: null,
            decision_seq: row.opened_seq,
          }
        : { approval: row.id, decision_seq: row.opened_seq },
      private: actionOf(row),
      publish: [this.published(moved, seq)],
    });
    return moved;
  }

  /** Puts on record what nobody answered or fetched in its time. */
  sweep(): void {
    const now = this.#now();
    const due = this.#tables.sql
      .exec<Record<string, SqlStorageValue> & ApprovalRow>(
        `SELECT * FROM approvals WHERE (state = 'pending' AND expires_at <= ?1)
           OR (state = 'approved' AND grant_expires_at <= ?1) LIMIT ?2`,
        now,
        MAX_SWEPT,
      )
      .toArray();
    for (const row of due) this.atRest(row);
  }

  /** When time next runs out for one, epoch milliseconds; `null` when none waits. */
  nextDue(): number | null {
    if (this.#nextDue === undefined)
      this.#nextDue = this.#tables.exist
        ? this.#tables.sql
            .exec<{ at: number | null }>(
              `SELECT min(at) AS at FROM (
                 SELECT min(expires_at) AS at FROM approvals WHERE state = 'pending'
                 UNION ALL SELECT min(grant_expires_at) FROM approvals WHERE state = 'approved')`,
            )
            .one().at
        : null;
    return this.#nextDue;
  }

  /** What is shown of an action that waits; `null` once it is decided. */
  shown(id: string): ShownAction | null {
    const row = this.#tables.sql
      .exec<{ action: string }>("SELECT action FROM shown WHERE approval = ?", id)
      .toArray()[0];
    return row === undefined ? null : (JSON.parse(row.action) as ShownAction);
  }

  /** Members who have approved, in order. */
  voters(id: string): string[] {
    return this.#tables.sql
      .exec<{ member: string }>("SELECT member FROM votes WHERE approval = ? ORDER BY seq", id)
      .toArray()
      .map(({ member }) => member);
  }

  vote(id: string, member: string, seq: number): void {
    this.#tables.sql.exec("INSERT INTO votes (approval, member, seq) VALUES (?, ?, ?)", id, member, seq);
  }

  /** Takes back the votes of those who may approve no longer; that they voted stays on the ledger. */
  unvote(id: string, members: readonly string[]): void {
    for (const member of members)
      this.#tables.sql.exec("DELETE FROM votes WHERE approval = ? AND member = ?", id, member);
  }

  /** The approval as people and agents are told of it, as it stands now. */
  record(row: ApprovalRow): ApprovalRecord {
    const state = stateAt(row.state, row, this.#now());
    return {
      id: row.id,
      session: row.session,
      root: this.#root,
      agent: row.agent,
      call_id: row.call_id,
      decision_id: row.decision_id,
      origin: row.origin,
      tool: row.tool,
      action_digest: row.digest,
      risks: JSON.parse(row.risks) as RiskClass[],
      rule_keys: JSON.parse(row.rule_keys) as string[],
      demand: JSON.parse(row.demand) as Demand,
      status: statusOf(state),
      grant: grantOf(state),
      approvals: this.voters(row.id).length,
      opened_at: row.opened_at,
      notify_at: row.notify_at,
      expires_at: row.expires_at,
      extended: row.extended === 1,
      decided_at: row.decided_at,
      decided_by: row.decided_by === null ? null : { member: row.decided_by, via: row.via ?? "session" },
      reason: row.reason === null ? null : (JSON.parse(row.reason) as ReasonGiven),
      grant_expires_at: row.grant_expires_at,
      edit_of: row.edit_of,
      replaced_by: row.replaced_by,
      edited: row.edited === null ? null : (JSON.parse(row.edited) as ApprovalRecord["edited"]),
    };
  }

  /** What the agent is told of it in the answer to its call. */
  ofCall(row: ApprovalRow): ApprovalOfCall {
    const record = this.record(row);
    return {
      id: record.id,
      status: record.status,
      grant: record.grant,
      people: record.demand.people,
      approvals: record.approvals,
      expires_at: record.expires_at,
      notify_at: record.notify_at,
      decided_at: record.decided_at,
      decided_by: record.decided_by?.member ?? null,
      reason: record.reason,
      replaced_by: record.replaced_by,
      edited: record.edited,
    };
  }

  /** The row for D1. @param seq of the entry that it comes with */
  published(row: ApprovalRow, seq: number): Record<string, unknown> {
    return {
      op: "approval",
      approval_id: row.id,
      root_id: this.#root,
      session_id: row.session,
      agent_id: row.agent,
      call_id: row.call_id,
      tool: row.tool,
      action_digest: row.digest,
      risks: row.risks,
      rule_keys: row.rule_keys,
      people: (JSON.parse(row.demand) as Demand).people,
      status: statusOf(row.state),
      grant_status: grantOf(row.state),
      opened_at: row.opened_at,
      expires_at: row.expires_at,
      decided_at: row.decided_at,
      decided_by: row.decided_by,
      via: row.via,
      edit_of: row.edit_of,
      replaced_by: row.replaced_by,
      changed_seq: seq,
    };
  }

  #must(id: string): ApprovalRow {
    const row = this.find(id);
    if (row === null) throw new Error("an approval that was just written is not there");
    return row;
  }

  #one(statement: string, ...values: (string | number)[]): ApprovalRow | null {
    return (
      this.#tables.sql
        .exec<Record<string, SqlStorageValue> & ApprovalRow>(statement, ...values)
        .toArray()[0] ?? null
    );
  }
}

/** An outcome that could not be told for so long is no news any more. */
const NOTICE_LASTS_MS = 24 * 60 * 60 * 1_000;
