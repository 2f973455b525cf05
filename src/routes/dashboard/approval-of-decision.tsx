/** What a decision had to do with a person's answer, on the decision's own page and in lists. */
import type { ApprovalRecord } from "../../durable/approval-protocol.ts";
import { ApprovalMark } from "./approval-mark.tsx";
import { approvalUrl, GRANT_WORDS } from "./approval-words.ts";
import { Recorded, When } from "./recorded.tsx";

/** What the decision did with the approval, as its entry says. */
const DID: Readonly<Record<string, string>> = {
  opened: "It was put to the approvers.",
  attached: "The same action had been put to the approvers already; this call waits with it.",
  spent: "It ran on an approval, which is used up by it.",
  overruled:
    "It had been approved, and what governs had changed since: the approval no longer answered for it.",
  refused: "The approvers had answered this action before.",
};

/** The approval as it stands, and the names of members; neither in a list. */
export interface ApprovalNow {
  readonly record: ApprovalRecord;
  readonly members: ReadonlyMap<string, string>;
}

export function ApprovalOfDecision({
  approval,
  now,
}: {
  readonly approval: { readonly id: string; readonly did: string };
  readonly now: ApprovalNow | null;
}) {
  const by = now?.record.decided_by ?? null;
  return (
    <section class="stack-tight">
      <h2 class="part">Approval</h2>
      <p>{Object.hasOwn(DID, approval.did) ? DID[approval.did] : "It had to do with an approval."}</p>
      {now === null ? null : (
        <p class="row">
          <ApprovalMark {...now.record} />
          <span>
            {by === null ? null : (
              <>
                by <Recorded text={now.members.get(by.member) ?? by.member} />
                {now.record.decided_at === null ? null : ", "}
              </>
            )}
            {now.record.decided_at === null ? null : <When at={now.record.decided_at} />}
          </span>
        </p>
      )}
      {now === null || now.record.grant === null ? null : <p>{GRANT_WORDS[now.record.grant]}</p>}
      <p>
        <a href={approvalUrl(approval.id)}>Open the approval</a>
      </p>
    </section>
  );
}
