/**
 * `POST /v1/sessions/{session_id}/decisions`: may this tool call run? And `GET /v1/decisions`, what was answered.
 *
 * Life of a decision: the key names who asks; the call is read once and judged without session state; the session's
 * object settles and records; the answer is what it recorded. Whatever fails on the way is a block.
 */
import { createRoute } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import { listRecords } from "../db/records.ts";
import type { Settled, Stale } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { agentCaller, authorise, organizationCaller } from "../http/access.ts";
import { recordOf } from "../http/approving.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../http/cursor.ts";
import { originOf, settleInput } from "../http/judging.ts";
import { answerText, jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { unreadableArguments } from "../http/reading.ts";
import { recordRefusal } from "../http/refusals.ts";
import { newRouter } from "../http/router.ts";
import {
  AgentId,
  AnnotationsSchema,
  ApprovalOfCallSchema,
  annotationsOf,
  EnginesSchema,
  HarnessId,
  LedgerPositionSchema,
  ReasonSchema,
  SessionParams,
  ToolName,
  VerdictSchema,
} from "../http/schemas.ts";
import { absentSession, goneAnswer, type SessionStub } from "../http/sessions.ts";
import { type Grounds, settleOn } from "../http/settling.ts";
import { PreferHeader, publishOpened, waitOf } from "../http/waiting.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { engineError } from "../policy/guards.ts";
import { RISK_CLASSES } from "../policy/types.ts";

const DecisionRequest = z
  .strictObject({
    call_id: HarnessId.meta({
      description: "The harness's id of this tool call. The same id and action get the same answer.",
    }),
    tool: ToolName,
    args: z.unknown().meta({
      description: "The tool's arguments as the agent gave them. What is not a plain JSON object is blocked.",
    }),
    annotations: AnnotationsSchema.optional(),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({ description: "The directory of this call, if not the session's." }),
    answerer: z
      .enum(["human", "auto", "none"])
      .default("human")
      .meta({ description: "Who could answer an ask." }),
    host: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .meta({ description: "The machine that the call would run on." }),
    ask_through: z.enum(["approvals", "harness"]).default("approvals").meta({
      description:
        "Who puts an ask to a person: Countersign, to the organization's approvers, or the harness, to its own user. In the second case no approval opens here; report the outcome with `answered_by`.",
    }),
    stored: z
      .string()
      .max(DECISION_LIMIT_BYTES)
      .optional()
      .meta({ description: "The text now stored where the call edits it." }),
  })
  // What is missing is blocked, not refused; a client that means to be let through sends it.
  .meta({ id: "DecisionRequest", required: ["call_id", "tool", "args"] });

const Decision = z
  .object({
    id: z.string().nullable(),
    session: z.string(),
    call_id: z.string().nullable(),
    at: z.int(),
    verdict: VerdictSchema.meta({ description: "What to do: run it, don't, or ask a person first." }),
    enforcement: z.enum(["enforced", "observed"]),
    reasons: z.array(ReasonSchema),
    engines: EnginesSchema,
    action_digest: z.string().nullable(),
    policy_version: z.int().nullable(),
    stale_policy: z.boolean().meta({
      description: "The database could not be read; this stands on a policy read within the last minute.",
    }),
    reading: z.object({
      risks: z.array(z.enum(RISK_CLASSES)),
      opaque: z
        .array(z.string())
        .meta({ description: "Why not all of the call could be seen; empty when it could." }),
    }),
    write: z
      .object({
        target: z.string(),
        claims: z.int().meta({ description: "Decisions of the user that it states." }),
        partial: z.boolean().meta({
          description:
            "Only what the call brings could be checked: send `stored`, the text that it edits, to have the whole of it checked.",
        }),
      })
      .nullable()
      .meta({
        description: "What provenance read of a write to a memory or a skill; `null` for other calls.",
      }),
    approval: ApprovalOfCallSchema.nullable().meta({
      description:
        "The approval that the call hangs on. While it is pending, ask again with the same `call_id`, wait on `GET /v1/approvals/{id}`, or send `Prefer: wait=25`.",
    }),
    ledger: LedgerPositionSchema.nullable().meta({
      description: "`null` only when nothing could be recorded; then the verdict is a block.",
    }),
  })
  .meta({ id: "Decision" });

const decide = createRoute({
  method: "post",
  path: "/v1/sessions/{session_id}/decisions",
  ...operation({
    operationId: "decide",
    summary: "Ask whether a tool call may run",
    description:
      "Answers `allow`, `block` or `ask` after recording it. An ask opens an approval; once it is approved, the same call asked again is judged anew and runs, once. `Prefer: wait=N` (at most 25 seconds) waits for that here. When Countersign cannot judge or record, the answer is a block with the rule key `guard:engine-error`, never an error that could be taken for leave.",
    tag: "Decisions",
    access: { agent: "ask" },
    limit: DECISION_LIMIT_BYTES,
    // A stored text is only compared: half a character in it is no reason to hold the call.
    tolerate: ["/args", "/stored"],
    failsClosed: true,
  }),
  request: { params: SessionParams, headers: PreferHeader, body: jsonRequest(DecisionRequest) },
  responses: {
    200: jsonContent(Decision, "The decision"),
    ...refusals(true, "unknown-session", "call-id-reused", "gone", "session-ended", "session-gone"),
  },
});

const list = createRoute({
  method: "get",
  path: "/v1/decisions",
  ...operation({
    operationId: "listDecisions",
    summary: "List decisions, newest first",
    description: "From the search copy, which follows the ledgers by a few seconds.",
    tag: "Decisions",
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      agent: AgentId.optional(),
      session: HarnessId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          decisions: z.array(
            z.object({
              session: z.string().nullable(),
              agent: z.string().nullable(),
              tool: z.string().nullable(),
              verdict: z.string().nullable(),
              at: z.int(),
              ledger: LedgerPositionSchema,
              body: z.record(z.string(), z.unknown()),
            }),
          ),
          next_cursor: z.string().nullable(),
        })
        .meta({ id: "DecisionList" }),
      "A page of decisions",
    ),
    ...refusals(false),
  },
});

export const decisions = newRouter();

decisions.openapi(decide, async (c) => {
  let caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const sent = {
    call_id: body.call_id,
    tool: body.tool,
    args: body.args,
    malformed: unreadableArguments(body.args, c.get("doubts"), "/args"),
    bodyText: c.get("bodyText"),
    annotations: annotationsOf(body.annotations),
    cwd: body.cwd ?? null,
    stored: body.stored ?? null,
    answerer: body.answerer,
    host: body.host ?? null,
  };
  const judge = async (stub: SessionStub, grounds: Grounds) => {
    // A new one each time: the call may be judged twice, and ask twice.
    const asks = body.ask_through === "harness" ? null : { approval_id: newId("apr"), origin: originOf(c) };
    return stub.settle(await settleInput(c, caller, sent, grounds, asks));
  };
  const first = await settleOn(c, caller, session, judge);
  const { root } = first.grounds.context;
  let answer = settledOf(first.answer);
  if (answer.waits_for !== null) {
    if (answer.opened) await publishOpened(c, caller, root, answer.waits_for);
    const wait = waitOf(c);
    if (wait !== null) {
      c.header("preference-applied", `wait=${wait}`);
      const record = await recordOf(c, caller.organization, root, answer.waits_for, wait);
      if (record.status !== "pending") {
        // In so long a wait the key may have been revoked, and another oath sworn: neither runs on what was before.
        await authorise(c, { agent: "ask" });
        caller = agentCaller(c);
        // The last word is the object's: it judges the call anew by what governs now, and spends the grant.
        answer = settledOf((await settleOn(c, caller, session, judge)).answer);
        if (answer.waits_for !== null && answer.opened)
          await publishOpened(c, caller, root, answer.waits_for);
      }
    }
  }
  if (answer.replayed) c.header("idempotent-replayed", "true");
  return answerText(c, answer.answer);
});

/** @throws {Problem} `unknown-session`, `session-ended`, `session-gone`, `call-id-reused`, `gone` */
function settledOf(settled: Exclude<Settled, Stale>): Extract<Settled, { ok: true }> {
  if (settled.ok) return settled;
  if (settled.code === "gone") throw goneAnswer();
  if (settled.code !== "call-id-reused") throw absentSession(settled.code);
  throw new Problem(
    "call-id-reused",
    "This call_id was used for another action in this session. Use a new id for every call.",
    { recorded: true },
  );
}

decisions.openapi(list, async (c) => {
  const caller = organizationCaller(c);
  const query = c.req.valid("query");
  const agent = caller.kind === "agent" ? caller.agent : query.agent;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const rows = await listRecords(c.env.DB, caller.organization, {
    kind: "decision",
    ...(agent === undefined ? {} : { agent }),
    ...(query.session === undefined ? {} : { session: query.session }),
    ...(before === undefined ? {} : { before }),
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return c.json(
    {
      decisions: page.map((row) => ({
        session: row.session_id,
        agent: row.agent_id,
        tool: row.tool,
        verdict: row.outcome,
        at: row.at,
        ledger: { seq: row.seq, hash: row.hash },
        body: JSON.parse(row.body) as Record<string, unknown>,
      })),
      next_cursor: last === undefined ? null : writeCursor(last),
    },
    200,
  );
});

/**
 * A harness that takes an error for leave must not get one: whatever fails here is answered as a block, on record when
 * there is an organization and an object to record it. What the caller did wrong is still told as such.
 */
export function failClosed(): MiddlewareHandler<AppEnv> {
  return async function answerWithBlock(c, next) {
    await next();
    if (c.res.status < 500 || c.req.method !== "POST") return;
    const { reason } = engineError("guard");
    const suspect = c.get("suspect");
    const ledger =
      suspect === undefined
        ? null
        : await recordRefusal(c, suspect, "engine-error", c.res.status).catch((error: unknown) => {
            log.error("refusal-not-recorded", error, { request: c.get("requestId"), code: "engine-error" });
            return null;
          });
    const answer: z.infer<typeof Decision> = {
      id: null,
      session: c.req.param("session_id") ?? "",
      call_id: null,
      at: Date.now(),
      verdict: "block",
      enforcement: "enforced",
      reasons: [
        {
          rule_key: reason.rule_key,
          engine: reason.engine,
          message: reason.message,
          clearable_by: reason.clearable_by,
        },
      ],
      engines: {},
      action_digest: null,
      policy_version: null,
      stale_policy: false,
      reading: { risks: ["UNKNOWN"], opaque: [] },
      write: null,
      approval: null,
      ledger: ledger === null ? null : { ...ledger },
    };
    const retryAfter = c.res.headers.get("retry-after");
    c.res = undefined;
    c.res = c.json(answer, 200, retryAfter === null ? {} : { "retry-after": retryAfter });
  };
}
