/** Approvals in D1: where each lives, and what became of it. */
import { keepStatement, type PublishedRow } from "./published.ts";
import { notPurged } from "./purged.ts";

/** What is kept of an approval beside its id; what is compared, restored and exported of it is this as well. */
export const APPROVAL_COLUMNS = [
  "root_id",
  "session_id",
  "agent_id",
  "call_id",
  "tool",
  "action_digest",
  "risks",
  "rule_keys",
  "people",
  "status",
  "grant_status",
  "opened_at",
  "expires_at",
  "decided_at",
  "decided_by",
  "via",
  "edit_of",
  "replaced_by",
] as const;

/** Keeps an approval as its object has it now. */
export function approvalStatement(
  db: D1Database,
  organization: string,
  row: PublishedRow,
): D1PreparedStatement {
  return keepStatement(
    db,
    organization,
    "approvals",
    ["approval_id"],
    APPROVAL_COLUMNS,
    row,
    (column, value) =>
      // By its digest somebody could try what was asked.
      column === "action_digest"
        ? `iif(${notPurged(value("opened_at"))}, ${value(column)}, '')`
        : value(column),
  );
}

/** Where an approval lives, or `null` for one that is not this organization's. */
export async function findApproval(
  db: D1Database,
  organization: string,
  approval: string,
): Promise<{ readonly root_id: string; readonly agent_id: string } | null> {
  return db
    .prepare("SELECT root_id, agent_id FROM approvals WHERE organization_id = ? AND approval_id = ?")
    .bind(organization, approval)
    .first();
}

/** Where these approvals live, as far as they are this organization's. @param ids at most a few hundred */
export async function findApprovals(
  db: D1Database,
  organization: string,
  ids: readonly string[],
): Promise<{ readonly approval_id: string; readonly root_id: string; readonly agent_id: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT approval_id, root_id, agent_id FROM approvals
       WHERE organization_id = ?1 AND approval_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(organization, JSON.stringify(ids))
    .all<{ approval_id: string; root_id: string; agent_id: string }>();
  return results;
}

export interface ApprovalFilter {
  /** `answered`: whatever is not pending. */
  readonly status?: "pending" | "approved" | "denied" | "expired" | "answered";
  readonly agent?: string;
  readonly session?: string;
  /** Goes on after the approval that this names. */
  readonly before?: { readonly opened_at: number; readonly approval_id: string };
  readonly limit: number;
}

export interface ApprovalRow {
  readonly approval_id: string;
  readonly root_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly action_digest: string;
  /** JSON lists. */
  readonly risks: string;
  readonly rule_keys: string;
  readonly people: number;
  /** As it stood at the moment of asking. */
  readonly status: string;
  readonly grant_status: string | null;
  readonly opened_at: number;
  readonly expires_at: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
  readonly via: string | null;
  readonly edit_of: string | null;
  readonly replaced_by: string | null;
}

/** What of a row is purged is told by nobody, also where it still stands. `?1` is the organization. */
const DIGEST = `iif(${notPurged("opened_at")}, action_digest, '') AS action_digest`;

/** Nobody has to look for an approval to expire. `?2` is now. */
const OPEN = "status = 'pending' AND expires_at > ?2";
const STATUS = "iif(status = 'pending' AND expires_at <= ?2, 'expired', status)";
const WITH_STATUS: Readonly<Record<NonNullable<ApprovalFilter["status"]>, string>> = {
  pending: OPEN,
  approved: "status = 'approved'",
  denied: "status = 'denied'",
  expired: "status IN ('pending', 'expired') AND (status = 'expired' OR expires_at <= ?2)",
  answered: "(status != 'pending' OR expires_at <= ?2)",
};

const SHOWN_COLUMNS = APPROVAL_COLUMNS.map((column) =>
  column === "status" ? `${STATUS} AS status` : column === "action_digest" ? DIGEST : column,
).join(", ");

/**
 * Newest first. Pages by key, so that rows that arrive meanwhile shift nothing.
 * @param now epoch milliseconds, at which statuses are read
 */
export async function listApprovals(
  db: D1Database,
  organization: string,
  filter: ApprovalFilter,
  now: number,
): Promise<ApprovalRow[]> {
  const { before, status } = filter;
  const { results } = await db
    .prepare(
      `SELECT approval_id, ${SHOWN_COLUMNS} FROM approvals
       WHERE organization_id = ?1 AND ?2 IS NOT NULL
         AND ${status === undefined ? "true" : WITH_STATUS[status]}
         AND (?3 IS NULL OR agent_id = ?3)
         AND (?4 IS NULL OR session_id = ?4)
         AND (?5 IS NULL OR (opened_at, approval_id) < (?5, ?6))
       ORDER BY opened_at DESC, approval_id DESC LIMIT ?7`,
    )
    .bind(
      organization,
      now,
      filter.agent ?? null,
      filter.session ?? null,
      before?.opened_at ?? null,
      before?.approval_id ?? null,
      filter.limit,
    )
    .all<Record<string, unknown> & ApprovalRow>();
  return results;
}

/** One approval as lists have it, or `null`. @param now epoch milliseconds, at which its status is read */
export async function readApproval(
  db: D1Database,
  organization: string,
  approval: string,
  now: number,
): Promise<ApprovalRow | null> {
  return db
    .prepare(
      `SELECT approval_id, ${SHOWN_COLUMNS} FROM approvals
       WHERE organization_id = ?1 AND ?2 IS NOT NULL AND approval_id = ?3`,
    )
    .bind(organization, now, approval)
    .first<Record<string, unknown> & ApprovalRow>();
}

/** How many wait for an answer, up to `most`. */
export async function countPending(
  db: D1Database,
  organization: string,
  now: number,
  most: number,
): Promise<number> {
  const row = await db
    .prepare(
      `SELECT count(*) AS n FROM (SELECT 1 FROM approvals WHERE organization_id = ?1 AND ${OPEN} LIMIT ?3)`,
    )
    .bind(organization, now, most)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Approvals that a report counts: the newest, where there are more. */
export const MAX_REPORTED = 10_000;
/** Rows in each of its lists. */
const MAX_LISTED = 100;

export interface AnsweringRow {
  /** A member; `null` in the row of all of them together. */
  readonly member: string | null;
  readonly decided: number;
  readonly approved: number;
  /** From the ask to the answer, milliseconds, by nearest rank; `null` where nobody answered. */
  readonly median: number | null;
  readonly p90: number | null;
}

export interface AskingRow {
  /** `null` in the row of all of them together. */
  readonly agent: string | null;
  readonly asks: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly pending: number;
}

export interface ApprovalReportRows {
  readonly approvers: readonly AnsweringRow[];
  readonly everybody: AnsweringRow;
  readonly agents: readonly AskingRow[];
  readonly overall: AskingRow;
}

/** What agents asked: an edit is opened and answered by one tap of its approver's, who has answered what was asked. */
const REPORTED = `
WITH asked AS (
  SELECT agent_id, decided_by, ${STATUS} AS status, decided_at - opened_at AS took
  FROM approvals WHERE organization_id = ?1 AND opened_at >= ?3 AND edit_of IS NULL
  ORDER BY opened_at DESC LIMIT ${MAX_REPORTED})`;

const RANKED = (by: string) => `
${REPORTED},
ranked AS (
  SELECT ${by} AS member, status, took,
    row_number() OVER (PARTITION BY ${by} ORDER BY took) AS place, count(*) OVER (PARTITION BY ${by}) AS n
  FROM asked WHERE decided_by IS NOT NULL AND status IN ('approved', 'denied'))
SELECT member, count(*) AS decided, sum(status = 'approved') AS approved,
  min(iif(place * 2 >= n, took, NULL)) AS median, min(iif(place * 10 >= n * 9, took, NULL)) AS p90
FROM ranked GROUP BY member ORDER BY decided DESC, member LIMIT ${MAX_LISTED}`;

const COUNTED = (by: string) => `
${REPORTED}
SELECT ${by} AS agent, count(*) AS asks, sum(status = 'approved') AS approved, sum(status = 'denied') AS denied,
  sum(status = 'expired') AS expired, sum(status = 'pending') AS pending
FROM asked GROUP BY 1 ORDER BY asks DESC, 1 LIMIT ${MAX_LISTED}`;

/**
 * How asks were answered: by each approver, and of each agent.
 * @param since epoch milliseconds; approvals opened from then on
 */
export async function reportApprovals(
  db: D1Database,
  organization: string,
  since: number,
  now: number,
): Promise<ApprovalReportRows> {
  const [approvers, everybody, agents, overall] = await db.batch(
    [RANKED("decided_by"), RANKED("NULL"), COUNTED("agent_id"), COUNTED("NULL")].map((sql) =>
      db.prepare(sql).bind(organization, now, since),
    ),
  );
  const rows = <Row>(result: D1Result | undefined) => (result?.results ?? []) as Row[];
  return {
    approvers: rows<AnsweringRow>(approvers),
    everybody: rows<AnsweringRow>(everybody)[0] ?? {
      member: null,
      decided: 0,
      approved: 0,
      median: null,
      p90: null,
    },
    agents: rows<AskingRow>(agents),
    overall: rows<AskingRow>(overall)[0] ?? {
      agent: null,
      asks: 0,
      approved: 0,
      denied: 0,
      expired: 0,
      pending: 0,
    },
  };
}

/** Keeps an approval that was opened just now: the outbox brings the same row, and whatever is newer. */
export async function publishApproval(
  db: D1Database,
  organization: string,
  row: Omit<PublishedRow, "op">,
): Promise<void> {
  await approvalStatement(db, organization, { ...row, op: "approval", changed_seq: 0 }).run();
}
