/** How asks are answered: who answers, how fast, how often with yes. What tells a team that is asked too much. */
import type * as z from "zod";
import { type AnsweringRow, type AskingRow, MAX_REPORTED, reportApprovals } from "../db/approvals.ts";
import type { ApprovalReport } from "./approval-schemas.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
export const MAX_REPORT_DAYS = 365;
export const DEFAULT_REPORT_DAYS = 30;

/** @param days back from `now`, at least one */
export async function approvalReport(
  db: D1Database,
  organization: string,
  days: number,
  now: number,
): Promise<z.infer<typeof ApprovalReport>> {
  const since = now - days * DAY_MS;
  const { approvers, everybody, agents, overall } = await reportApprovals(db, organization, since, now);
  const { median_seconds, p90_seconds } = answering(everybody);
  return {
    since,
    days,
    overall: { ...asking(overall, days), median_seconds, p90_seconds },
    approvers: approvers.map((row) => ({ member: row.member ?? "", ...answering(row) })),
    agents: agents.map((row) => ({ agent: row.agent ?? "", ...asking(row, days) })),
    truncated: overall.asks >= MAX_REPORTED,
  };
}

function answering({ decided, approved, median, p90 }: AnsweringRow) {
  return {
    decided,
    approved,
    share_approved: share(approved, decided),
    median_seconds: seconds(median),
    p90_seconds: seconds(p90),
  };
}

function asking({ asks, approved, denied, expired, pending }: AskingRow, days: number) {
  const over = asks - pending;
  return {
    asks,
    asks_per_day: Math.round((asks / days) * 100) / 100,
    approved,
    denied,
    expired,
    pending,
    share_approved: share(approved, over),
    share_denied: share(denied, over),
    share_expired: share(expired, over),
  };
}

function share(part: number, of: number): number | null {
  return of === 0 ? null : Math.round((part / of) * 1_000) / 1_000;
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 1_000);
}
