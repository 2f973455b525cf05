/**
 * `/approvals`: what waits for a person and what was answered; `/approvals/{id}`: one of them, to look at and to answer;
 * `/approvals/report`: how they are answered. Viewers look, approvers answer, admins see the report.
 */
import type { Context } from "hono";
import { type ApprovalRow, listApprovals } from "../../db/approvals.ts";
import { listAgents, listMemberNames, listMembers } from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import {
  answerApproval,
  denyAll,
  editApproval,
  extendApproval,
  MAX_DENIALS,
  ownLink,
} from "../../http/answering.ts";
import { approvalReport, DEFAULT_REPORT_DAYS, MAX_REPORT_DAYS } from "../../http/approval-report.ts";
import {
  DECISION_FORM_BYTES,
  decisionForm,
  denialForm,
  isShownWhole,
  lookAt,
  meansOf,
  placeOf,
} from "../../http/approving.ts";
import { boundedText } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { readCursor, writeCursor } from "../../http/cursor.ts";
import { optionsFor } from "../../http/passkeys.ts";
import { newRouter } from "../../http/router.ts";
import { callObject, sessionStub } from "../../http/sessions.ts";
import { log } from "../../log.ts";
import type { TaskPolicy } from "../../policy/fence/index.ts";
import type { Role } from "../../roles.ts";
import { orFormAgain, page, readForm, typedText } from "./access.tsx";
import { ApprovalPage, type ApprovalPageProps, OwnLinkPage, type Tap } from "./approval-page.tsx";
import { ReportPage } from "./approval-report.tsx";
import { type ApprovalsSought, approvalsSought, approvalsUrl, approvalUrl } from "./approval-words.ts";
import { ApprovalsPage, type ApprovalsPageProps, type PendingRow } from "./approvals-page.tsx";
import { namesOf } from "./decision-filter.ts";
import { argumentsPreview } from "./decision-view.ts";
import { frameOf, sendPage } from "./layout.tsx";

const PAGE_ROWS = 25;
/** Each is read from its object, with what it is about. */
const PENDING_ROWS = 25;
const MAX_CURSOR_CHARACTERS = 2_000;
/** People named to whoever may not answer. */
const MAX_NAMED = 5;
const ACT = "answer approvals";
const TAPS: readonly Tap[] = ["decided", "counted", "late", "edited", "extended", "not-extended"];

export const approvalPages = newRouter();

approvalPages.get("/approvals", page({ operation: "viewApprovals" }), async (c) =>
  sendPage(c, <ApprovalsPage {...(await listOf(c))} />),
);

approvalPages.post(
  "/approvals/denials",
  page({ operation: "denyApprovals", role: "approver", act: ACT }),
  async (c) => {
    const form = await readForm(c);
    const again = async (refused: string) => <ApprovalsPage {...(await listOf(c))} refused={refused} />;
    const denials = await orFormAgain(
      c,
      async () => {
        const ids = form.getAll("approval");
        if (ids.length === 0) throw new Problem("invalid-request", "Tick the ones that you want to deny.");
        if (ids.length > MAX_DENIALS)
          throw new Problem("invalid-request", `Deny at most ${MAX_DENIALS} at once.`);
        return denyAll(c, memberCaller(c), ids, denialForm(form));
      },
      (problem) => again(problem.message),
    );
    // Not a redirect: what became of each is said in this one answer.
    return sendPage(c, <ApprovalsPage {...(await listOf(c))} denials={denials} />);
  },
);

approvalPages.get(
  "/approvals/report",
  page({ operation: "reportApprovals", role: "admin", act: "see how approvals are answered" }),
  async (c) => {
    const { organization } = memberCaller(c);
    const asked = c.req.query("days") ?? "";
    const days = /^[1-9][0-9]{0,2}$/.test(asked) ? Number(asked) : DEFAULT_REPORT_DAYS;
    const [frame, report, members, agents] = await Promise.all([
      frameOf(c),
      approvalReport(c.env.DB, organization, Math.min(days, MAX_REPORT_DAYS), Date.now()),
      memberNames(c),
      listAgents(c.env.DB, organization),
    ]);
    return sendPage(
      c,
      <ReportPage frame={frame} report={report} members={members} agents={namesOf(agents)} />,
    );
  },
);

approvalPages.get("/approvals/:approval", page({ operation: "viewApproval" }), async (c) => {
  const said = c.req.query("tap");
  const tap = TAPS.find((known) => known === said);
  const props = await approvalOf(c, c.req.param("approval"));
  return sendPage(c, <ApprovalPage {...props} {...(tap === undefined ? {} : { tap })} />);
});

approvalPages.post(
  "/approvals/:approval",
  page({ operation: "decideApproval", role: "approver", act: ACT }),
  async (c) => {
    const id = c.req.param("approval");
    const text = await boundedText(c, DECISION_FORM_BYTES, true);
    const address = await orFormAgain(
      c,
      () => answered(c, id, text),
      async (problem) => {
        // What is not there has no page to show the refusal on.
        if (problem.code === "not-found") throw problem;
        const form = new URLSearchParams(text);
        const typed = {
          reason: form.get("reason") ?? "",
          reason_text: form.get("reason_text") ?? "",
          args: typedText(form, "args"),
        };
        return <ApprovalPage {...(await approvalOf(c, id))} refused={problem.message} typed={typed} />;
      },
    );
    return c.redirect(address, 303);
  },
);

approvalPages.post(
  "/approvals/:approval/link",
  page({ operation: "createApprovalLink", role: "approver", act: ACT }),
  async (c) => {
    const id = c.req.param("approval");
    const link = await orFormAgain(
      c,
      () => ownLink(c, memberCaller(c), id),
      async (problem) => {
        if (problem.code === "not-found") throw problem;
        return <ApprovalPage {...(await approvalOf(c, id))} refused={problem.message} />;
      },
    );
    const frame = await frameOf(c);
    return sendPage(
      c,
      <OwnLinkPage frame={frame} record={{ id }} url={link.url} expires={link.expires_at} />,
      201,
    );
  },
);

/** Does what was pressed. @returns the page that says what came of it */
async function answered(c: Context<AppEnv>, id: string, text: string): Promise<string> {
  const caller = memberCaller(c);
  const { decision, reason, action_digest, passkey, args } = decisionForm(text);
  const said = (approval: string, tap: Tap) => `${approvalUrl(approval)}?tap=${tap}#result`;
  if (decision === "extend")
    return said(id, (await extendApproval(c, caller, id)).extended ? "extended" : "not-extended");
  if (decision === "approve" && args !== null) {
    const edit = await editApproval(c, caller, id, action_digest, args.value);
    return edit.tap === "late" ? said(id, "late") : said(edit.record.id, "edited");
  }
  return said(id, (await answerApproval(c, caller, id, { decision, reason, action_digest, passkey })).tap);
}

async function approvalOf(c: Context<AppEnv>, id: string): Promise<ApprovalPageProps> {
  const { organization, member, role } = memberCaller(c);
  const { root } = await placeOf(c, organization, id);
  const [frame, view, agents, names, members] = await Promise.all([
    frameOf(c),
    lookAt(c, organization, root, id, { member }),
    listAgents(c.env.DB, organization),
    memberNames(c),
    listMembers(c.env.DB, organization),
  ]);
  const mayDecide = hasRole(role, "approver");
  const approvers = members.filter((other) => hasRole(other.role as Role, "approver"));
  const { record, shown } = view;
  const signs = mayDecide && shown !== null && record.demand.passkey;
  const [means, policy, passkey] = await Promise.all([
    meansOf(c, organization),
    shown === null ? null : policyOf(c, organization, root),
    signs ? optionsFor(c, organization, member, record) : null,
  ]);
  return {
    frame,
    view,
    policy,
    passkey,
    agents: namesOf(agents),
    members: names,
    whole: isShownWhole(organization, view),
    mayDecide,
    means,
    deciders: approvers.slice(0, MAX_NAMED).map((other) => `${other.name} (${other.role})`),
    now: Date.now(),
  };
}

/** What the person's words came to, for the quotes of reasons; a page does without them. */
async function policyOf(c: Context<AppEnv>, organization: string, root: string): Promise<TaskPolicy | null> {
  try {
    const task = await callObject(
      () => sessionStub(c.env, organization, root),
      (stub) => stub.task(),
    );
    return task.policy;
  } catch (error) {
    log.error("read-failed", error, { what: "task-policy", request: c.get("requestId") });
    return null;
  }
}

async function memberNames(c: Context<AppEnv>): Promise<Map<string, string>> {
  const rows = await listMemberNames(c.env.DB, memberCaller(c).organization);
  return new Map(rows.map(({ member_id, name }) => [member_id, name]));
}

async function listOf(c: Context<AppEnv>): Promise<ApprovalsPageProps> {
  const { organization, role } = memberCaller(c);
  const sought = approvalsSought((name) => c.req.query(name));
  const cursor = c.req.query("cursor");
  const before = cursor === undefined ? undefined : readCursor(cursor.slice(0, MAX_CURSOR_CHARACTERS));
  const now = Date.now();
  const { status } = sought;
  const asksPending = before === undefined && (status === null || status === "pending");
  const asksAnswered = status !== "pending";
  const [frame, agents, members, pending, answered] = await Promise.all([
    frameOf(c),
    listAgents(c.env.DB, organization),
    memberNames(c),
    asksPending ? rowsOf(c, sought, "pending", PENDING_ROWS + 1, now) : null,
    asksAnswered ? rowsOf(c, sought, status ?? "answered", PAGE_ROWS + 1, now, before) : null,
  ]);
  const fresh = pending === null ? null : await standing(c, pending.slice(0, PENDING_ROWS));
  const last = answered !== null && answered.length > PAGE_ROWS ? answered[PAGE_ROWS - 1] : undefined;
  return {
    frame,
    sought,
    agents,
    members,
    pending: fresh?.filter((row) => row.status === "pending") ?? null,
    morePending: pending !== null && pending.length > PENDING_ROWS,
    // What was answered a moment ago is not in the search copy as such yet.
    answered:
      answered === null
        ? null
        : [...(fresh ?? []).filter((row) => row.status !== "pending"), ...answered.slice(0, PAGE_ROWS)],
    next:
      last === undefined
        ? null
        : approvalsUrl(sought, {
            cursor: writeCursor({ at: last.opened_at, chain: last.approval_id, seq: 0 }),
          }),
    paged: before !== undefined,
    mayDecide: hasRole(role, "approver"),
    mayReport: hasRole(role, "admin"),
    now,
  };
}

function rowsOf(
  c: Context<AppEnv>,
  { agent, session }: ApprovalsSought,
  status: Parameters<typeof listApprovals>[2]["status"] & string,
  limit: number,
  now: number,
  before?: { readonly at: number; readonly chain: string },
): Promise<ApprovalRow[]> {
  return listApprovals(
    c.env.DB,
    memberCaller(c).organization,
    {
      status,
      ...(agent === null ? {} : { agent }),
      ...(session === null ? {} : { session }),
      ...(before === undefined ? {} : { before: { opened_at: before.at, approval_id: before.chain } }),
      limit,
    },
    now,
  );
}

/**
 * The rows that the search copy has as pending, as they stand: it follows by some seconds, and whoever has just answered
 * one must not find it still waiting.
 */
async function standing(c: Context<AppEnv>, rows: readonly ApprovalRow[]): Promise<PendingRow[]> {
  const { organization, member } = memberCaller(c);
  return Promise.all(
    rows.map(async (row) => {
      try {
        const view = await lookAt(c, organization, row.root_id, row.approval_id, { member });
        const { status, grant, notify_at, expires_at, decided_at, decided_by, replaced_by } = view.record;
        return {
          ...row,
          status,
          grant_status: grant,
          notify_at,
          expires_at,
          decided_at,
          replaced_by,
          decided_by: decided_by?.member ?? null,
          preview: view.shown === null ? "" : argumentsPreview(view.shown.args),
        };
      } catch (error) {
        log.error("read-failed", error, { what: "approval", request: c.get("requestId") });
        return { ...row, notify_at: null, preview: "" };
      }
    }),
  );
}
