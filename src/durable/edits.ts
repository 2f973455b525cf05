/**
 * An action that an approver changes before they approve it. What they change is no longer what was asked: it is a call
 * of its own, judged anew, with its own digest and its own approval; the old one ends denied and names it. Runs inside
 * one synchronous transaction of the root's object and awaits nothing.
 */
import { isCovered } from "../policy/approval/index.ts";
import type { Edited, EditInput } from "./approval-protocol.ts";
import type { Approvals } from "./approvals.ts";
import { type Asks, privateOf, shownOf } from "./asks.ts";
import type { Chain } from "./chain.ts";
import type { Family } from "./family.ts";
import type { Judging } from "./judging.ts";
import type { Taps } from "./taps.ts";
import type { Task } from "./task.ts";

export class Edits {
  readonly #chain: Chain;
  readonly #family: Family;
  readonly #task: Task;
  readonly #approvals: Approvals;
  readonly #asks: Asks;
  readonly #judging: Judging;
  readonly #taps: Taps;
  readonly #now: () => number;

  constructor(
    chain: Chain,
    family: Family,
    task: Task,
    approvals: Approvals,
    asks: Asks,
    judging: Judging,
    taps: Taps,
    now: () => number,
  ) {
    this.#chain = chain;
    this.#family = family;
    this.#task = task;
    this.#approvals = approvals;
    this.#asks = asks;
    this.#judging = judging;
    this.#taps = taps;
    this.#now = now;
  }

  /** Puts an edited action in place of what was asked, and takes the editor's approval of it as far as theirs goes. */
  edit({ approval, by, call }: EditInput): Edited {
    const admitted = this.#taps.admit(approval, by, "editApproval");
    if ("refused" in admitted) return admitted.refused;
    const { row } = admitted;
    const session = this.#family.admit(call);
    if (!session.ok || call.asking === null) return { ok: false, code: "unknown-approval" };
    const elsewhere = this.#family.staleContext(call, session.row) ?? this.#family.stalePolicy(call);
    if (elsewhere !== null) return elsewhere;
    if (call.digest === row.digest) {
      this.#taps.refuse(row, by, "editApproval", "unchanged", 409);
      return { ok: false, code: "unchanged" };
    }
    const before = this.#asks.before(call.digest, null, this.#task.spokenSeq());
    const judgement = this.#judging.judge(call, session.row, before.findings, false);
    const { decision } = judgement;
    const shown = shownOf(call, session.row.speaks_as, decision, judgement.found);
    if (decision.verdict === "block" || shown.args_omitted) {
      this.#taps.refuse(row, by, "editApproval", "edit-blocked", 409, {}, { edited_digest: call.digest });
      return { ok: false, code: "blocked", reasons: decision.reasons };
    }
    // What waits or is granted for the edited action already is answered there: one action, one approval.
    if (before.pending !== null || before.grant !== null) {
      this.#taps.refuse(row, by, "editApproval", "asked-already", 409, {}, { edited_digest: call.digest });
      return { ok: false, code: "asked-already" };
    }
    const wanted = this.#asks.demandOf(call);
    // A passkey signs one digest, and has not signed this one yet.
    const met = { people: 1, signed_in: by.signed_in, passkey: false };
    if (wanted.signed_in && !by.signed_in) {
      this.#taps.refuse(row, by, "editApproval", "sign-in-demanded", 403);
      return { ok: false, code: "sign-in-demanded" };
    }
    const seq = this.#chain.head().seq + 1;
    const opened = this.#asks.open(call, call.asking, decision, shown, row);
    const edited = { tool: call.tool, args: shown.args };
    const replaced = this.#approvals.move(row, "deny", {
      decided_seq: seq,
      decided_at: this.#now(),
      decided_by: by.member,
      via: by.via,
      reason: JSON.stringify({ preset: "edited", text: null }),
      replaced_by: opened.id,
      edited: JSON.stringify(edited),
    });
    this.#chain.append({
      session: row.session,
      at: this.#now(),
      kind: "approval_edited",
      body: {
        approval: row.id,
        by: by.member,
        via: by.via,
        decision_seq: row.opened_seq,
        edited_decision: call.decision_id,
        replaced_by: opened.id,
        verdict: decision.verdict,
        rule_keys: decision.reasons.map((reason) => reason.rule_key),
        policy_version: call.policy_version,
      },
      private: privateOf({
        tool: edited.tool,
        args: edited.args,
        cwd: shown.cwd,
        action_digest: row.digest,
        edited_digest: call.digest,
      }),
      publish: [this.#approvals.published(replaced, seq), this.#approvals.published(opened, seq)],
    });
    const record = (id: string) => {
      const found = this.#approvals.find(id);
      if (found === null) throw new Error("an approval that was just written is not there");
      return this.#approvals.record(found);
    };
    if (!isCovered({ ...wanted, people: 1 }, met))
      return { ok: true, tap: "counted", record: record(opened.id), replaced: record(row.id) };
    const decided = this.#taps.decideSignedIn(opened, by);
    if (!decided.ok) throw new Error(`an edit that was just opened was refused: ${decided.code}`);
    return { ok: true, tap: decided.tap, record: decided.record, replaced: record(row.id) };
  }
}
