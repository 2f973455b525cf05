/** An ask, from the call to what became of it, over the real HTTP surface and the object's own methods. */
import { describe, it } from "vitest";
import type { Approver, DecideInput } from "../../src/durable/approval-protocol.ts";
import { stubOf } from "../durable/support.ts";
import { ledgerOf, newSession, newTenant, report, shell, type Tenant } from "../support/api.ts";

const ASKING = { engines: { fence: "enforce" } };
const COMMAND = "git push origin main";

async function asked(settings: object = ASKING) {
  const tenant = await newTenant("Approvals", settings);
  const session = await newSession(tenant);
  const answer = await shell(tenant, session, COMMAND, { call_id: "first" });
  return { tenant, session, answer, approval: answer.json.approval };
}

function tap(
  tenant: Tenant,
  approval: { id: string },
  digest: string,
  decision: "approve" | "deny",
  by: Partial<Approver> = {},
): DecideInput {
  return {
    approval: approval.id,
    decision,
    action_digest: digest,
    reason: null,
    by: { member: tenant.owner, via: "session", link: null, signed_in: true, passkey: null, ...by },
    approvers: [tenant.owner],
  };
}

describe("an ask", () => {
  it("opens one approval, which a retry attaches to, and an approval lets it run once", async ({
    expect,
  }) => {
    const { tenant, session, answer, approval } = await asked();
    expect(answer.json.verdict, answer.text).toBe("ask");
    expect(approval).toMatchObject({ status: "pending", grant: null });
    const again = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(answer.text);
    const other = await shell(tenant, session, COMMAND, { call_id: "second" });
    expect(other.json.approval.id).toBe(approval.id);
    const stub = stubOf(tenant, session);
    const decided = await stub.decideApproval(tap(tenant, approval, answer.json.action_digest, "approve"));
    expect(decided).toMatchObject({
      ok: true,
      tap: "decided",
      record: { status: "approved", grant: "live" },
    });
    const late = await stub.decideApproval(tap(tenant, approval, answer.json.action_digest, "deny"));
    expect(late).toMatchObject({ ok: true, tap: "late", record: { status: "approved" } });
    const runs = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(runs.json, runs.text).toMatchObject({
      verdict: "allow",
      approval: { status: "approved", grant: "spent" },
    });
    const same = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(same.text).toBe(runs.text);
    const second = await shell(tenant, session, COMMAND, { call_id: "second" });
    expect(second.json.verdict).toBe("ask");
    expect(second.json.approval.id).not.toBe(approval.id);
    expect(second.json.reasons.map((one: { rule_key: string }) => one.rule_key)).toContain(
      "guard:outcome-unknown",
    );
    await report(tenant, session, { call_id: "first" });
    const kinds = (await ledgerOf(tenant, session)).map((line) => line.entry.kind);
    expect(kinds).toEqual([
      "session_opened",
      "decision",
      "decision",
      "approval_decided",
      "refusal",
      "decision",
      "decision",
      "outcome",
    ]);
  });
});
