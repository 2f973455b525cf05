/** `GET /v1/sessions/{session_id}/policy`: what the person's words authorise, each with the words that it stands on. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { organizationCaller } from "../http/access.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { SessionParams } from "../http/schemas.ts";
import { callObject, findSession, missingSession, sessionStub } from "../http/sessions.ts";
import { COMPILERS, FENCED_CLASSES, spentOf, TARGET_KINDS } from "../policy/fence/index.ts";

const Span = z
  .object({
    turn: z.int().meta({ description: "Counts the family's turns from 0." }),
    start: z.int().meta({ description: "UTF-16 offset into the turn's text." }),
    end: z.int(),
  })
  .meta({ id: "WordSpan" });

const Target = z.object({ kind: z.enum(TARGET_KINDS), text: z.string() });

const said = { quote: z.string(), span: Span, rationale: z.string() };
const acts = {
  verbs: z.array(z.string()).meta({ description: "Base forms; empty: whatever carries the class." }),
  object: z.array(z.string()),
  targets: z.array(Target).meta({ description: "Whom and what the words name." }),
};

const TaskPolicy = z
  .object({
    session: z.string(),
    root: z.string().meta({ description: "The family that the policy is of." }),
    compiler: z.enum(COMPILERS).meta({
      description: "Who read the words. `fallback`: nobody could, and everything consequential asks.",
    }),
    turns: z.int(),
    permissions: z.array(
      z
        .object({
          id: z.string(),
          risk: z.enum(FENCED_CLASSES),
          ...acts,
          limit: z
            .int()
            .nullable()
            .meta({ description: "How often, for each that is named; `null` without a number." }),
          spent: z.int().meta({ description: "How often it was used." }),
          ...said,
        })
        .meta({ id: "Permission" }),
    ),
    prohibitions: z.array(
      z
        .object({
          id: z.string(),
          risks: z.union([z.literal("all"), z.array(z.enum(FENCED_CLASSES))]),
          ...acts,
          except: z.boolean().meta({ description: "Everything but the targets." }),
          verdict: z.enum(["block", "ask"]),
          ...said,
        })
        .meta({ id: "Prohibition" }),
    ),
    dropped: z
      .array(z.object({ quote: z.string(), span: Span.nullable(), cause: z.string() }))
      .meta({ description: "What was not taken from the words, and why." }),
  })
  .meta({ id: "TaskPolicy" });

const get = createRoute({
  method: "get",
  path: "/v1/sessions/{session_id}/policy",
  ...operation({
    operationId: "readTaskPolicy",
    summary: "Read what the person's words authorise",
    description: "One policy and one set of budgets for the session's whole family.",
    tag: "Sessions",
    access: { agent: "ask", member: "viewer" },
  }),
  request: { params: SessionParams },
  responses: {
    200: jsonContent(TaskPolicy, "The task policy"),
    ...refusals(false, "unknown-session", "session-ended"),
  },
});

export const taskPolicy = newRouter();

taskPolicy.openapi(get, async (c) => {
  const caller = organizationCaller(c);
  const { session_id: session } = c.req.valid("param");
  const context = await findSession(c.env, caller.organization, session);
  if (context === null || (caller.kind === "agent" && context.agent !== caller.agent))
    throw await missingSession(c.env, caller, session);
  const { policy, use } = await callObject(
    () => sessionStub(c.env, caller.organization, context.root),
    (stub) => stub.task(),
  );
  const { compiler, turns, permissions, prohibitions, dropped } = policy;
  return c.json(
    {
      session,
      root: context.root,
      compiler,
      turns,
      permissions: permissions.map(({ targets, ...permission }) => ({
        ...permission,
        verbs: [...permission.verbs],
        object: [...permission.object],
        targets: targets.map(({ kind, text }) => ({ kind, text })),
        spent: spentOf(use, permission.id),
      })),
      prohibitions: prohibitions.map(({ targets, risks, ...prohibition }) => ({
        ...prohibition,
        risks: risks === "all" ? ("all" as const) : [...risks],
        verbs: [...prohibition.verbs],
        object: [...prohibition.object],
        targets: targets.map(({ kind, text }) => ({ kind, text })),
      })),
      dropped: dropped.map(({ quote, span, cause }) => ({ quote, span, cause })),
    },
    200,
  );
});
