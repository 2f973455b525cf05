/**
 * `/v1/approvals`: what waits for a person, and its answer. A member answers as who they are signed in as; nothing that a
 * body says makes them anybody else.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { listApprovals, readApproval } from "../db/approvals.ts";
import type { ReasonGiven } from "../durable/approval-protocol.ts";
import { Problem } from "../errors.ts";
import { hasRole, memberCaller, organizationCaller } from "../http/access.ts";
import {
  answerApproval,
  denyAll,
  editApproval,
  extendApproval,
  MAX_DENIALS,
  ownLink,
} from "../http/answering.ts";
import { approvalReport, DEFAULT_REPORT_DAYS, MAX_REPORT_DAYS } from "../http/approval-report.ts";
import {
  ApprovalDecision,
  ApprovalId,
  ApprovalReport,
  ApprovalSchema,
  GivenReason,
  ListedApproval,
  listedApproval,
  ShownSchema,
  wireApproval,
  wireShown,
} from "../http/approval-schemas.ts";
import { lookAt, MAX_WAIT_SECONDS, placeOf, reasonOf, recordOf, unknownApproval } from "../http/approving.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../http/cursor.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { AgentId, HarnessId } from "../http/schemas.ts";
import { APPROVAL_STATUSES, MAX_REASON_CHARACTERS } from "../policy/approval/index.ts";

const TAG = "Approvals";
const params = z.object({ approval_id: ApprovalId });

const list = createRoute({
  method: "get",
  path: "/v1/approvals",
  ...operation({
    operationId: "listApprovals",
    summary: "List approvals, newest first",
    description:
      "From the search copy, which follows the ledgers by a few seconds. An agent is told of its own. One that is past its time reads `expired`.",
    tag: TAG,
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      status: z.enum(APPROVAL_STATUSES).optional(),
      agent: AgentId.optional(),
      session: HarnessId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({ approvals: z.array(ListedApproval), next_cursor: z.string().nullable() })
        .meta({ id: "ApprovalList" }),
      "A page of approvals",
    ),
    ...refusals(false),
  },
});

const report = createRoute({
  method: "get",
  path: "/v1/approvals/report",
  ...operation({
    operationId: "reportApprovals",
    summary: "See who answers, how fast and how",
    description:
      "Many asks, quick answers and nearly always yes: whoever answers so no longer reads. Ask for less, or ask somebody else.",
    tag: TAG,
    access: { member: "admin" },
  }),
  request: {
    query: z.strictObject({
      days: z.coerce.number().int().min(1).max(MAX_REPORT_DAYS).default(DEFAULT_REPORT_DAYS),
    }),
  },
  responses: { 200: jsonContent(ApprovalReport, "The report"), ...refusals(false) },
});

const read = createRoute({
  method: "get",
  path: "/v1/approvals/{approval_id}",
  ...operation({
    operationId: "readApproval",
    summary: "Read an approval, or wait for its answer",
    description:
      "Of a session whose object was removed by the retention settings it says what lists say, and what is `gone`. With `wait` the answer comes when the approval is decided or has expired, at the latest after so many seconds; then it is still `pending`, and the next request waits on. Approvers get the exact action with `shown=true` while it is pending.",
    tag: TAG,
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    params,
    query: z.strictObject({
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_WAIT_SECONDS)
        .default(0)
        .meta({ description: "Seconds to wait for the answer." }),
      shown: z.enum(["true", "false"]).default("false"),
    }),
  },
  responses: {
    200: jsonContent(
      z.object({
        approval: z.union([ApprovalSchema, ListedApproval]),
        shown: ShownSchema.nullable().meta({
          description: "`null` unless asked for, and once the approval is decided.",
        }),
        gone: z.array(z.string()).optional().meta({
          description:
            "Members of the approval that went with its session's object. Only where that was removed; then nothing can be answered any more.",
        }),
      }),
      "The approval",
    ),
    ...refusals(false),
  },
});

const decide = createRoute({
  method: "post",
  path: "/v1/approvals/{approval_id}/decision",
  ...operation({
    operationId: "decideApproval",
    summary: "Approve or deny, once",
    description:
      "The approver is the member who is signed in. The first answer counts; a later one is told it, as `late`. An approval is for the one action whose digest it names.",
    tag: TAG,
    access: { member: "approver" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    params,
    body: jsonRequest(ApprovalDecision),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          tap: z.enum(["decided", "counted", "late"]).meta({
            description:
              "`decided`: by this request. `counted`: it is on record, and more is needed: more people, or a passkey on the edited action. `late`: it had been decided.",
          }),
          approval: ApprovalSchema.meta({
            description: "Where it was changed: of what it was changed into.",
          }),
          replaced: ApprovalSchema.nullable().meta({
            description: "What was asked, where it was changed: it is denied. `null` otherwise.",
          }),
        })
        .meta({ id: "ApprovalAnswered" }),
      "What became of it",
    ),
    ...refusals(
      true,
      "digest-mismatch",
      "sign-in-demanded",
      "passkey-demanded",
      "approval-blocked",
      "conflict",
      "session-ended",
    ),
  },
});

const extend = createRoute({
  method: "post",
  path: "/v1/approvals/{approval_id}/extension",
  ...operation({
    operationId: "extendApproval",
    summary: "Give it five more minutes, once",
    tag: TAG,
    access: { member: "approver" },
  }),
  request: { params },
  responses: {
    200: jsonContent(
      z
        .object({
          extended: z.boolean().meta({ description: "False where it had been extended, or is decided." }),
          approval: ApprovalSchema,
        })
        .meta({ id: "ApprovalExtended" }),
      "The approval",
    ),
    ...refusals(false, "session-ended"),
  },
});

const link = createRoute({
  method: "post",
  path: "/v1/approvals/{approval_id}/links",
  ...operation({
    operationId: "createApprovalLink",
    summary: "Make a link for yourself, to open elsewhere",
    description:
      "Whoever opens it looks at the approval as you and can answer as you: keep it to your own devices. Opening it decides nothing.",
    tag: TAG,
    access: { member: "approver" },
  }),
  request: { params },
  responses: {
    201: jsonContent(
      z.object({ url: z.string(), expires_at: z.int() }).meta({ id: "ApprovalLink" }),
      "The link, in this one answer",
    ),
    ...refusals(false, "approval-decided", "conflict", "session-ended"),
  },
});

const denials = createRoute({
  method: "post",
  path: "/v1/approvals/denials",
  ...operation({
    operationId: "denyApprovals",
    summary: "Deny many at once",
    description:
      "Each is answered by itself and on record by itself. Nothing approves many at once: an approval is for one action that its approver has seen, and whoever ticks a list has seen none of them.",
    tag: TAG,
    access: { member: "approver" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    body: jsonRequest(
      z
        .strictObject({
          approvals: z.array(ApprovalId).min(1).max(MAX_DENIALS),
          reason: GivenReason.optional(),
        })
        .meta({ id: "ApprovalDenials" }),
    ),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          denials: z.array(
            z.object({
              approval: z.string(),
              result: z.enum(["denied", "late", "refused"]).meta({
                description: "`denied`: by this request. `late`: it had been decided. `refused`: see `code`.",
              }),
              status: z.enum(APPROVAL_STATUSES).nullable(),
              code: z.string().nullable(),
              detail: z.string().nullable(),
            }),
          ),
        })
        .meta({ id: "ApprovalsDenied" }),
      "What became of each, in the order of the request",
    ),
    ...refusals(true),
  },
});

/** What of an approval only its object knows. */
const GONE = Object.keys(ApprovalSchema.shape).filter((member) => !(member in ListedApproval.shape));

export const approvals = newRouter();

approvals.openapi(list, async (c) => {
  const caller = organizationCaller(c);
  const query = c.req.valid("query");
  const agent = caller.kind === "agent" ? caller.agent : query.agent;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const rows = await listApprovals(
    c.env.DB,
    caller.organization,
    {
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(agent === undefined ? {} : { agent }),
      ...(query.session === undefined ? {} : { session: query.session }),
      ...(before === undefined ? {} : { before: { opened_at: before.at, approval_id: before.chain } }),
      limit: query.limit + 1,
    },
    Date.now(),
  );
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return c.json(
    {
      approvals: page.map(listedApproval),
      next_cursor:
        last === undefined ? null : writeCursor({ at: last.opened_at, chain: last.approval_id, seq: 0 }),
    },
    200,
  );
});

approvals.openapi(report, async (c) => {
  const { organization } = memberCaller(c);
  return c.json(await approvalReport(c.env.DB, organization, c.req.valid("query").days, Date.now()), 200);
});

approvals.openapi(read, async (c) => {
  const caller = organizationCaller(c);
  const { organization } = caller;
  const { approval_id: id } = c.req.valid("param");
  const { wait, shown } = c.req.valid("query");
  const { root, agent } = await placeOf(c, organization, id);
  if (caller.kind === "agent" && caller.agent !== agent) throw unknownApproval();
  const whatIsLeft = async (problem: unknown) => {
    const isRemoved = problem instanceof Problem && problem.code === "session-ended";
    const row = isRemoved ? await readApproval(c.env.DB, organization, id, Date.now()) : null;
    if (row === null) throw problem;
    return c.json({ approval: listedApproval(row), shown: null, gone: [...GONE] }, 200);
  };
  if (shown === "false") {
    try {
      const record = await recordOf(c, organization, root, id, wait);
      return c.json({ approval: wireApproval(record), shown: null }, 200);
    } catch (error) {
      return await whatIsLeft(error);
    }
  }
  if (caller.kind !== "member" || !hasRole(caller.role, "approver"))
    throw new Problem("forbidden", "The exact action is shown to members with at least the role approver.");
  try {
    if (wait > 0) await recordOf(c, organization, root, id, wait);
    const view = await lookAt(c, organization, root, id, { member: caller.member });
    return c.json(
      { approval: wireApproval(view.record), shown: view.shown === null ? null : wireShown(view.shown) },
      200,
    );
  } catch (error) {
    return await whatIsLeft(error);
  }
});

approvals.openapi(decide, async (c) => {
  const body = c.req.valid("json");
  const { approval_id: id } = c.req.valid("param");
  if (body.args !== undefined) {
    const edit = await editApproval(c, memberCaller(c), id, body.action_digest, body.args);
    const replaced = edit.replaced === null ? null : wireApproval(edit.replaced);
    return c.json({ tap: edit.tap, approval: wireApproval(edit.record), replaced }, 200);
  }
  const { tap, record } = await answerApproval(c, memberCaller(c), id, {
    decision: body.decision,
    action_digest: body.action_digest,
    reason: givenReason(body.reason),
    passkey: body.passkey ?? null,
  });
  return c.json({ tap, approval: wireApproval(record), replaced: null }, 200);
});

approvals.openapi(extend, async (c) => {
  const { extended, record } = await extendApproval(c, memberCaller(c), c.req.valid("param").approval_id);
  return c.json({ extended, approval: wireApproval(record) }, 200);
});

approvals.openapi(link, async (c) =>
  c.json(await ownLink(c, memberCaller(c), c.req.valid("param").approval_id), 201),
);

approvals.openapi(denials, async (c) => {
  const body = c.req.valid("json");
  const denied = await denyAll(c, memberCaller(c), body.approvals, givenReason(body.reason));
  return c.json(
    {
      denials: denied.map(({ approval, result, record, code, detail }) => ({
        approval,
        result,
        status: record?.status ?? null,
        code,
        detail,
      })),
    },
    200,
  );
});

function givenReason(reason: z.infer<typeof GivenReason> | undefined): ReasonGiven | null {
  const detail = `At most ${MAX_REASON_CHARACTERS} characters.`;
  return reasonOf(
    reason?.preset ?? null,
    reason?.text ?? "",
    () =>
      new Problem("invalid-request", detail, {
        errors: [{ pointer: "/reason/text", detail, code: "too_big" }],
      }),
  );
}
