/**
 * What people do with an approval: approve, deny, give it more time. The first decision wins, and every later tap gets
 * the recorded outcome and a row of its own. Everything here runs inside one synchronous transaction of the root's
 * object and awaits nothing.
 */
import { EXTENSION_MS } from "../policy/approval/index.ts";
import type {
  ApprovalView,
  Approver,
  Decided,
  DecideInput,
  Edited,
  Extended,
  ExtendInput,
  Linked,
  LinkInput,
  Looked,
  LookedAtBy,
} from "./approval-protocol.ts";
import type { ApprovalRow, Approvals } from "./approvals.ts";
import { actionOf } from "./asks.ts";
import type { Chain } from "./chain.ts";
import type { Notices } from "./notices.ts";
import type { Tables } from "./storage.ts";

/** Links of one approval: every approver of an organization on every channel of theirs, and then some made by hand. */
const MAX_LINKS = 5_000;

type TapRefusal = Exclude<Decided, { ok: true }>["code"];

export class Taps {
  readonly #tables: Tables;
  readonly #chain: Chain;
  readonly #approvals: Approvals;
  readonly #notices: Notices;
  readonly #now: () => number;

  constructor(tables: Tables, chain: Chain, approvals: Approvals, notices: Notices, now: () => number) {
    this.#tables = tables;
    this.#chain = chain;
    this.#approvals = approvals;
    this.#notices = notices;
    this.#now = now;
  }

  /** What whoever opens the page sees. Writes nothing, whatever is opened and however often. */
  look(id: string, by: LookedAtBy): Looked {
    const row = this.#approvals.find(id);
    if (row === null) return { ok: false, code: "unknown-approval" };
    const member = "link" in by ? this.#holderOf(by.link, id) : null;
    if ("link" in by && member === null) return { ok: false, code: "unknown-link" };
    const record = this.#approvals.record(row);
    return {
      ok: true,
      view: {
        record,
        shown: record.status === "pending" ? this.#approvals.shown(id) : null,
        link_member: member,
        approved_by: this.#approvals.voters(id),
      } satisfies ApprovalView,
    };
  }

  /** Makes the hash of a link known: from now on it opens the page for this member. Again, it changes nothing. */
  link({ approval, member, link }: LinkInput): Linked {
    const row = this.#approvals.find(approval);
    if (row === null) return { ok: false, code: "unknown-approval" };
    const record = this.#approvals.record(row);
    if (record.status !== "pending") return { ok: false, code: "approval-decided" };
    const { n } = this.#tables.sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM links WHERE approval = ?", approval)
      .one();
    if (n >= MAX_LINKS) return { ok: false, code: "too-many-links" };
    this.#tables.sql.exec(
      "INSERT INTO links (hash, approval, member) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      link,
      approval,
      member,
    );
    return { ok: true, record };
  }

  /**
   * An approval that waits, for somebody who may answer it; or the refusal or the outcome that they get instead, on
   * record.
   */
  admit(
    id: string,
    by: Approver,
    operation: string,
  ): { readonly row: ApprovalRow } | { readonly refused: Exclude<Edited, { code: "blocked" }> } {
    const row = this.#approvals.find(id);
    if (row === null) return { refused: { ok: false, code: "unknown-approval" } };
    if (!this.#holds(by, id)) {
      this.refuse(row, by, operation, "unknown-link", 404);
      return { refused: { ok: false, code: "unknown-link" } };
    }
    const now = this.#approvals.atRest(row);
    if (now.state === "pending") return { row: now };
    this.refuse(now, by, operation, "late-tap", 200, {});
    return { refused: { ok: true, tap: "late", record: this.#approvals.record(now), replaced: null } };
  }

  /** Counts the approval of whoever has just edited an action into this one. Their link was made for the old one. */
  decideSignedIn(row: ApprovalRow, by: Approver): Decided {
    return this.#approve(row, {
      approval: row.id,
      decision: "approve",
      action_digest: row.digest,
      reason: null,
      by,
      approvers: [by.member],
    });
  }

  /** Takes one person's decision: it decides, it counts towards what is demanded, or it came late. */
  decide(input: DecideInput): Decided {
    const row = this.#approvals.find(input.approval);
    if (row === null) return { ok: false, code: "unknown-approval" };
    if (!this.#holds(input.by, row.id)) return this.#refuse(row, input, "unknown-link", 404);
    const now = this.#approvals.atRest(row);
    if (now.state !== "pending") return this.#late(now, input, "late-tap");
    if (input.action_digest !== now.digest) return this.#refuse(now, input, "digest-mismatch", 409);
    if (input.decision === "deny") return this.#decided(now, input, []);
    return this.#approve(now, input);
  }

  #approve(now: ApprovalRow, input: DecideInput): Decided {
    const demand = this.#approvals.record(now).demand;
    if (demand.signed_in && !input.by.signed_in) return this.#refuse(now, input, "sign-in-demanded", 403);
    if (demand.passkey && input.by.passkey === null) return this.#refuse(now, input, "passkey-demanded", 403);
    if (this.#approvals.shown(now.id) === null) return this.#refuse(now, input, "not-shown", 409);
    const voters = this.#approvals.voters(now.id);
    if (voters.includes(input.by.member)) {
      // Two people are two people, however often one of them taps.
      this.#late(now, input, "repeated-tap");
      return { ok: true, tap: "counted", record: this.#approvals.record(now) };
    }
    const seq = this.#chain.head().seq + 1;
    this.#approvals.vote(now.id, input.by.member, seq);
    const gone = voters.filter((member) => !input.approvers.includes(member));
    this.#approvals.unvote(now.id, gone);
    const after = [...voters.filter((member) => !gone.includes(member)), input.by.member];
    if (after.length >= demand.people) return this.#decided(now, input, after, gone);
    const counted = this.#approvals.move(now, "vote");
    this.#chain.append({
      session: now.session,
      at: this.#now(),
      kind: "approval_vote",
      body: {
        ...tapBody(now, input.by),
        approvals: after.length,
        people: demand.people,
        ...(gone.length === 0 ? {} : { no_longer: gone }),
      },
      private: actionOf(now),
      publish: [this.#approvals.published(counted, seq)],
    });
    return { ok: true, tap: "counted", record: this.#approvals.record(counted) };
  }

  /** Gives an approval more time, once. */
  extend({ approval, by }: ExtendInput): Extended {
    const row = this.#approvals.find(approval);
    if (row === null) return { ok: false, code: "unknown-approval" };
    if (!this.#holds(by, approval)) {
      this.refuse(row, by, "extendApproval", "unknown-link", 404);
      return { ok: false, code: "unknown-link" };
    }
    const now = this.#approvals.atRest(row);
    if (now.state !== "pending" || now.extended === 1) {
      this.refuse(now, by, "extendApproval", now.extended === 1 ? "extended-before" : "late-tap", 409);
      return { ok: true, extended: false, record: this.#approvals.record(now) };
    }
    const seq = this.#chain.head().seq + 1;
    const expiresAt = now.expires_at + EXTENSION_MS;
    const extended = this.#approvals.move(now, "extend", { extended: 1, expires_at: expiresAt });
    this.#notices.prolong(approval, "approval.opened", expiresAt);
    this.#chain.append({
      session: now.session,
      at: this.#now(),
      kind: "approval_extended",
      body: { ...tapBody(now, by), expires_at: expiresAt },
      private: actionOf(now),
      publish: [this.#approvals.published(extended, seq)],
    });
    return { ok: true, extended: true, record: this.#approvals.record(extended) };
  }

  /** @param gone who had approved, and may no longer */
  #decided(
    row: ApprovalRow,
    input: DecideInput,
    approvedBy: readonly string[],
    gone: readonly string[] = [],
  ): Decided {
    const { by, reason } = input;
    const approved = input.decision === "approve";
    const seq = this.#chain.head().seq + 1;
    const at = this.#now();
    const decided = this.#approvals.move(row, approved ? "approve" : "deny", {
      decided_seq: seq,
      decided_at: at,
      decided_by: by.member,
      via: by.via,
      reason: reason === null ? null : JSON.stringify(reason),
      grant_expires_at: approved ? at + row.grant_lasts : null,
    });
    this.#chain.append({
      session: row.session,
      at,
      kind: "approval_decided",
      body: {
        ...tapBody(row, by),
        outcome: approved ? "approved" : "denied",
        decision_seq: row.opened_seq,
        ...(approved ? { approved_by: approvedBy } : { preset: reason?.preset ?? null }),
        ...(gone.length === 0 ? {} : { no_longer: gone }),
      },
      private: actionOf(row, reason?.text ? { reason: reason.text } : {}),
      publish: [this.#approvals.published(decided, seq)],
    });
    return { ok: true, tap: "decided", record: this.#approvals.record(decided) };
  }

  #late(row: ApprovalRow, input: DecideInput, code: "late-tap" | "repeated-tap"): Decided {
    this.refuse(row, input.by, "decideApproval", code, 200, { wanted: input.decision });
    return { ok: true, tap: "late", record: this.#approvals.record(row) };
  }

  #refuse(row: ApprovalRow, input: DecideInput, code: TapRefusal, status: number): Decided {
    this.refuse(row, input.by, "decideApproval", code, status, { wanted: input.decision });
    return { ok: false, code };
  }

  /** The row that every tap leaves that decides nothing. */
  refuse(
    row: ApprovalRow,
    by: Approver,
    operation: string,
    code: string,
    status: number,
    more: Readonly<Record<string, unknown>> = {},
    edited: Readonly<Record<string, unknown>> = {},
  ): void {
    this.#chain.append({
      session: row.session,
      at: this.#now(),
      kind: "refusal",
      body: {
        operation,
        code,
        status,
        ...tapBody(row, by),
        stands: row.state,
        ...more,
      },
      private: actionOf(row, edited),
    });
  }

  /** A link counts for the approval and the member that it was made for; without one, the member is signed in. */
  #holds(by: Approver, approval: string): boolean {
    if (by.via === "session") return by.link === null && by.signed_in;
    return by.link !== null && this.#holderOf(by.link, approval) === by.member;
  }

  #holderOf(link: string, approval: string): string | null {
    return (
      this.#tables.sql
        .exec<{ member: string }>("SELECT member FROM links WHERE hash = ? AND approval = ?", link, approval)
        .toArray()[0]?.member ?? null
    );
  }
}

function tapBody(row: ApprovalRow, by: Approver): Record<string, unknown> {
  return {
    approval: row.id,
    by: by.member,
    via: by.via,
    signed_in: by.signed_in,
    passkey: by.passkey !== null,
  };
}
