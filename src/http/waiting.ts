/** `Prefer: wait=N` (RFC 7240), and how a new approval can be found before the outbox has run. */
import type { Context } from "hono";
import * as z from "zod";
import { publishApproval } from "../db/approvals.ts";
import type { ApprovalRecord } from "../durable/approval-protocol.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import type { AgentCaller } from "./access.ts";
import { callApprovals, MAX_WAIT_SECONDS, rememberApproval } from "./approving.ts";
import type { AppEnv } from "./context.ts";

/** D1 that takes longer hears of it from the outbox. */
const PUBLISH_TIMEOUT_MS = 1_000;
const MAX_PREFER_CHARACTERS = 1_000;

export const PreferHeader = z.object({
  prefer: z
    .string()
    .max(MAX_PREFER_CHARACTERS)
    .optional()
    .meta({
      description: `\`wait=N\`: where the answer would be an ask, wait up to N seconds (at most ${MAX_WAIT_SECONDS}) for it to be answered.`,
      example: "wait=25",
    }),
});

/** Seconds that the client would wait, at most {@link MAX_WAIT_SECONDS}; `null` where it does not say. */
export function waitOf(c: Context<AppEnv>): number | null {
  for (const preference of (c.req.header("prefer") ?? "").split(",")) {
    const match = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|$)/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), MAX_WAIT_SECONDS);
  }
  return null;
}

/**
 * Has other isolates find an approval that was opened just now. Best effort: it is on record, and the outbox brings the
 * same row again.
 */
export async function publishOpened(
  c: Context<AppEnv>,
  caller: Pick<AgentCaller, "organization" | "agent">,
  root: string,
  approval: string,
): Promise<void> {
  rememberApproval(caller.organization, approval, root, caller.agent);
  try {
    const record = await callApprovals(c.env, caller.organization, root, (stub) =>
      stub.approvalRecord(approval),
    );
    if (record === null) return;
    await within(PUBLISH_TIMEOUT_MS, publishApproval(c.env.DB, caller.organization, rowOf(record)));
  } catch (error) {
    log.error("publish-failed", error, { change: "approval", request: c.get("requestId") });
  }
}

function rowOf(record: ApprovalRecord) {
  return {
    approval_id: record.id,
    root_id: record.root,
    session_id: record.session,
    agent_id: record.agent,
    call_id: record.call_id,
    tool: record.tool,
    action_digest: record.action_digest,
    risks: record.risks,
    rule_keys: record.rule_keys,
    people: record.demand.people,
    status: record.status,
    grant_status: record.grant,
    opened_at: record.opened_at,
    expires_at: record.expires_at,
    decided_at: record.decided_at,
    decided_by: record.decided_by?.member,
    via: record.decided_by?.via,
    edit_of: record.edit_of,
  };
}
