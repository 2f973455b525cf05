/**
 * `PUT` and `GET /v1/sessions/{session_id}`: a conversation of an agent, where it runs, and whose family it belongs to;
 * and `POST …/end`, its end.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { MAX_SESSIONS } from "../durable/family.ts";
import type { OpenInput, SessionContext } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { type AgentCaller, agentCaller, organizationCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { privateText } from "../http/commitment.ts";
import { ENVIRONMENT, readEnvironment } from "../http/environment.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { HarnessId, LedgerPositionSchema, SessionParams } from "../http/schemas.ts";
import {
  absentSession,
  agentSession,
  callObject,
  endedSession,
  findSession,
  forgetSession,
  missingSession,
  rememberSession,
  sessionStub,
} from "../http/sessions.ts";
import type { Environment } from "../policy/types.ts";

const OpenSession = z
  .strictObject({
    platform: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "The harness's own word for it, e.g. `cli`, `telegram`, `cron`, `subagent`." }),
    ...ENVIRONMENT,
    continues: HarnessId.optional().meta({
      description: "The session that this one goes on with, after the harness compressed it.",
    }),
    child_of: HarnessId.optional().meta({ description: "The session that started this one as a subagent." }),
  })
  .refine((body) => body.continues === undefined || body.child_of === undefined, {
    message: "A session either continues another or is a child of it.",
    path: ["child_of"],
  })
  .meta({ id: "OpenSession" });

const Session = z
  .object({
    session: z.string(),
    root: z.string(),
    relation: z.enum(["root", "continuation", "child"]),
    agent: z.string(),
    platform: z.string().nullable(),
    environment: z.object({
      home: z.string().nullable(),
      cwd: z.string().nullable(),
      os: z.enum(["linux", "darwin", "windows"]),
      variables: z.record(z.string(), z.string()),
    }),
    ledger: LedgerPositionSchema,
  })
  .meta({ id: "Session" });

const SessionState = Session.extend({
  sessions: z.array(
    z.object({ session: z.string(), relation: z.string(), parent: z.string().nullable(), turns: z.int() }),
  ),
  verdicts: z.record(z.string(), z.int()),
  backups: z.array(z.object({ src: z.string(), dest: z.string() })),
  undelivered: z.int().meta({ description: "Ledger entries that search does not show yet." }),
}).meta({ id: "SessionState" });

const put = createRoute({
  method: "put",
  path: "/v1/sessions/{session_id}",
  ...operation({
    operationId: "openSession",
    summary: "Open a session, or say where it runs now",
    tag: "Sessions",
    access: { agent: "ask" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { params: SessionParams, body: jsonRequest(OpenSession) },
  responses: {
    200: jsonContent(Session, "The session as it was, or with its new environment"),
    201: jsonContent(Session, "The session is open"),
    ...refusals(true, "unknown-session", "session-conflict", "conflict", "session-ended"),
  },
});

const end = createRoute({
  method: "post",
  path: "/v1/sessions/{session_id}/end",
  ...operation({
    operationId: "endSession",
    summary: "Say that a session is over",
    description:
      "Nothing new happens in it from then on: what is asked for is refused as `session-ended`. Outcomes of what ran before may still be reported. Again, it changes nothing; `PUT` opens it again, until its record is removed.",
    tag: "Sessions",
    access: { agent: "ask" },
  }),
  request: { params: SessionParams },
  responses: {
    200: jsonContent(
      z.object({ session: z.string(), ended: z.literal(true) }).meta({ id: "SessionEnded" }),
      "It is over",
    ),
    ...refusals(false, "unknown-session", "session-ended"),
  },
});

const get = createRoute({
  method: "get",
  path: "/v1/sessions/{session_id}",
  ...operation({
    operationId: "readSession",
    summary: "Read what a session's family has recorded",
    tag: "Sessions",
    access: { agent: "ask", member: "viewer" },
  }),
  request: { params: SessionParams },
  responses: {
    200: jsonContent(SessionState, "The session"),
    ...refusals(false, "unknown-session", "session-ended"),
  },
});

export const sessions = newRouter();

sessions.openapi(put, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const parent = body.continues ?? body.child_of ?? null;
  const family = parent === null ? null : await parentOf(c.env, caller, parent);
  // What a member of a family leaves unsaid is as its parent said it: both run in one place.
  const environment = environmentOf(family === null ? body : { ...declared(family.environment), ...body });
  const root =
    family === null
      ? await rootOf(c.env, caller, session)
      : await joinFamily(c.env, caller, session, family.root);
  const input: OpenInput = {
    session,
    agent: caller.agent,
    key: caller.key,
    relation: body.continues !== undefined ? "continuation" : body.child_of !== undefined ? "child" : null,
    parent,
    environment,
    platform: body.platform ?? null,
    private: privateText({ environment }),
  };
  const opened = await callObject(
    () => sessionStub(c.env, caller.organization, root),
    (stub) => stub.open(input),
  );
  if (!opened.ok) {
    if (opened.code === "family-full")
      throw new Problem("conflict", `A family holds at most ${MAX_SESSIONS} sessions. Begin a new one.`);
    if (opened.code === "session-ended") {
      // Whose it was is nobody else's to know.
      const ended = await endedSession(c.env, caller.organization, root);
      throw ended?.agent === caller.agent ? absentSession(opened.code) : sessionConflict();
    }
    throw opened.code === "unknown-session" ? unknownParent() : sessionConflict();
  }
  rememberSession(caller.organization, opened.context);
  const { context } = opened;
  return c.json(
    {
      session,
      root: context.root,
      relation: context.relation,
      agent: context.agent,
      platform: context.platform,
      environment: { ...context.environment, variables: { ...context.environment.variables } },
      ledger: opened.ledger,
    },
    opened.created ? 201 : 200,
  );
});

sessions.openapi(end, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const context = await agentSession(c, caller, session);
  const ended = await callObject(
    () => sessionStub(c.env, caller.organization, context.root),
    (stub) => stub.end({ session, agent: caller.agent, key: caller.key }),
  );
  if (!ended.ok) throw absentSession(ended.code);
  if (ended.replayed) c.header("idempotent-replayed", "true");
  return c.json({ session, ended: true as const }, 200);
});

sessions.openapi(get, async (c) => {
  const caller = organizationCaller(c);
  const { session_id: session } = c.req.valid("param");
  const context = await findSession(c.env, caller.organization, session);
  if (context === null || (caller.kind === "agent" && context.agent !== caller.agent))
    throw await missingSession(c.env, caller, session);
  const family = () => sessionStub(c.env, caller.organization, context.root);
  const [current, status] = await Promise.all([
    callObject(family, (stub) => stub.context(session)),
    callObject(family, (stub) => stub.status()),
  ]);
  if (current === null) {
    forgetSession(caller.organization, session);
    throw await missingSession(c.env, caller, session);
  }
  rememberSession(caller.organization, current);
  return c.json(
    {
      session,
      root: current.root,
      relation: current.relation,
      agent: current.agent,
      platform: current.platform,
      environment: { ...current.environment, variables: { ...current.environment.variables } },
      sessions: [...status.sessions],
      verdicts: status.verdicts,
      backups: status.backups.map(({ src, dest }) => ({ src, dest })),
      undelivered: status.undelivered,
      ledger: status.head,
    },
    200,
  );
});

/** Paths in an environment are absolute and readable, or the whole request is refused: everything is matched against them. */
function environmentOf(body: z.infer<typeof OpenSession>): Environment {
  const { environment, unreadable } = readEnvironment(body);
  if (unreadable.length === 0) return environment;
  throw new Problem("invalid-request", "A path of the environment cannot be read.", {
    errors: unreadable.map(({ pointer, cause }) => ({
      pointer,
      detail: `must be an absolute path (${cause})`,
      code: cause,
    })),
  });
}

async function rootOf(env: Env, caller: AgentCaller, session: string): Promise<string> {
  const context = await findSession(env, caller.organization, session);
  if (context !== null && context.agent !== caller.agent) throw sessionConflict();
  return context?.root ?? session;
}

/** Binds the session's own name to its parent's family before the family hears of it, so that it cannot become a root meanwhile. */
async function joinFamily(env: Env, caller: AgentCaller, session: string, root: string): Promise<string> {
  const claimed = await callObject(
    () => sessionStub(env, caller.organization, session),
    (stub) => stub.claim(root),
  );
  if (!claimed) throw sessionConflict();
  return root;
}

/** The parent as its family knows it now, which may be later than this isolate does. */
async function parentOf(env: Env, caller: AgentCaller, parent: string): Promise<SessionContext> {
  const known = await findSession(env, caller.organization, parent);
  if (known === null || known.agent !== caller.agent) throw await absentParent(env, caller, parent);
  const current = await callObject(
    () => sessionStub(env, caller.organization, known.root),
    (stub) => stub.context(parent),
  );
  if (current === null) throw await absentParent(env, caller, parent);
  return current;
}

/** Why a parent is not there: its record was removed, or it never was, or is another's. */
async function absentParent(env: Env, caller: AgentCaller, parent: string): Promise<Problem> {
  const ended = await endedSession(env, caller.organization, parent);
  if (ended?.agent !== caller.agent) return unknownParent();
  return new Problem(
    "session-ended",
    "The session that this one continues or is a child of is over, and its record is removed. Begin a new one.",
  );
}

/** An environment in the words of a request. */
function declared({ os, home, cwd, variables }: Environment): Parameters<typeof environmentOf>[0] {
  return {
    os,
    ...(home === null ? {} : { home }),
    ...(cwd === null ? {} : { cwd }),
    variables: { ...variables },
  };
}

function sessionConflict(): Problem {
  return new Problem(
    "session-conflict",
    "This id is another agent's session, or stands elsewhere in its family. Use another id.",
  );
}

function unknownParent(): Problem {
  return new Problem(
    "unknown-session",
    "The session that this one continues or is a child of is not one of this agent's.",
  );
}
