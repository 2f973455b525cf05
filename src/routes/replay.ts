/**
 * `POST /v1/replay`: turns and calls judged once more, recorded or made up, under the policy in force or another one, so
 * that an admin sees what a change would do before making it. A dry run: no model is asked and nothing is recorded.
 */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import type { SessionContext } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { organizationCaller } from "../http/access.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { ENVIRONMENT, readEnvironment } from "../http/environment.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyOf } from "../http/policy.ts";
import { selfOf, unreadableArguments } from "../http/reading.ts";
import { isHarnessTurn, recordedEvents } from "../http/recorded.ts";
import {
  configurationOf,
  policyOfSession,
  type ReplayedEvents,
  rejudge,
  TriedConfiguration,
} from "../http/replaying.ts";
import { newRouter } from "../http/router.ts";
import { HarnessId, ReasonSchema, ToolName, VerdictSchema } from "../http/schemas.ts";
import { findSession, unknownSession } from "../http/sessions.ts";
import { readTurn } from "../policy/fence/index.ts";
import { typedIn } from "../policy/provenance/index.ts";
import { RISK_CLASSES } from "../policy/types.ts";

const MAX_TURNS = 200;
const MAX_CALLS = 1_000;
const MAX_TURN_CHARACTERS = 256 * 1024;

const Turn = z.strictObject({
  text: z.string().max(MAX_TURN_CHARACTERS),
  sender_id: z.string().min(1).max(200).nullable().optional(),
  platform: z.string().min(1).max(64).nullable().optional(),
  mid_run: z.boolean().optional(),
});

const Call = z.strictObject({
  after_turn: z.int().min(0).meta({ description: "The last turn that it follows, counted from 0." }),
  tool: ToolName,
  args: z.unknown(),
  answerer: z.enum(["human", "auto", "none"]).default("human"),
  stored: z.string().max(DECISION_LIMIT_BYTES).optional().meta({ description: "The text that it edits." }),
  subagent: z.boolean().default(false),
  succeeded: z.boolean().default(false).meta({
    description: "True when it is to be taken as having succeeded, so that a copy it makes is evidence.",
  }),
});

const ReplayRequest = z
  .strictObject({
    session: HarnessId.optional().meta({ description: "A session whose whole family is replayed." }),
    turns: z.array(Turn).max(MAX_TURNS).optional(),
    calls: z.array(Call).max(MAX_CALLS).optional(),
    ...ENVIRONMENT,
    configuration: TriedConfiguration.default({}),
  })
  .refine((body) => (body.session === undefined) === (body.turns !== undefined && body.calls !== undefined), {
    message: "Give a session, or turns and calls.",
    path: ["session"],
  })
  .meta({ id: "ReplayRequest" });

const Replayed = z
  .object({
    calls: z.array(
      z.object({
        session: z.string().nullable(),
        call_id: z.string().nullable(),
        at: z.int().nullable(),
        tool: z.string(),
        recorded: VerdictSchema.nullable().meta({ description: "What was answered then." }),
        verdict: VerdictSchema,
        changed: z.boolean().meta({ description: "The verdict is another one than was recorded." }),
        reasons: z.array(ReasonSchema),
        risks: z.array(z.enum(RISK_CLASSES)),
      }),
    ),
    changed: z.int().meta({ description: "How many verdicts are others." }),
    unkept: z.int().meta({
      description:
        "Turns and calls that cannot be replayed: their text is not kept any more, or was too large to be.",
    }),
    truncated: z.boolean().meta({ description: "There is more in the session than was replayed." }),
  })
  .meta({ id: "Replay" });

const replayRoute = createRoute({
  method: "post",
  path: "/v1/replay",
  ...operation({
    operationId: "replay",
    summary: "Judge turns and calls once more, under any configuration",
    description:
      "A dry run: nothing is recorded and no model is asked, so words are read by the rules. An allow is taken as run, and so is an ask that the harness's own user said yes to; anything else as not run. A recorded session is read from the search copy, which follows the ledgers by a few seconds.",
    tag: "Tools",
    access: { agent: "ask", member: "viewer" },
    limit: DECISION_LIMIT_BYTES,
    tolerate: ["/calls"],
    dryRun: true,
  }),
  request: { body: jsonRequest(ReplayRequest) },
  responses: {
    200: jsonContent(Replayed, "What is answered"),
    ...refusals(true, "unknown-session", "invalid-oath", "invalid-tool-table"),
  },
});

export const replay = newRouter();

replay.openapi(replayRoute, async (c) => {
  const body = c.req.valid("json");
  const caller = organizationCaller(c);
  const context = body.session === undefined ? null : await sessionOf(c, body.session);
  const policy =
    context === null
      ? await policyOf(c.env.DB, caller)
      : await policyOfSession(c.env.DB, caller.organization, context);
  const configuration = configurationOf(policy, body.configuration);
  const recorded =
    context === null
      ? madeUp(c, body)
      : await recordedEvents(c.env.DB, caller.organization, context.root, selfOf(c));
  const calls = rejudge(configuration, recorded.events);
  return c.json(
    {
      calls: calls.map(({ call, recorded: then, verdict, changed, reasons, risks }) => ({
        session: then?.session ?? null,
        call_id: then?.call_id ?? null,
        at: then?.at ?? null,
        tool: call.tool,
        recorded: then?.verdict ?? null,
        verdict,
        changed,
        reasons: reasons.map((reason) => ({ ...reason })),
        risks: [...risks],
      })),
      changed: calls.filter((call) => call.changed).length,
      unkept: recorded.unkept,
      truncated: recorded.truncated,
    },
    200,
  );
});

/** The session that is named, when it is there and the caller's own. */
async function sessionOf(c: Context<AppEnv>, session: string): Promise<SessionContext> {
  const caller = organizationCaller(c);
  const context = await findSession(c.env, caller.organization, session);
  if (context === null || (caller.kind === "agent" && context.agent !== caller.agent)) throw unknownSession();
  return context;
}

/** Turns and calls of the request itself. */
function madeUp(c: Context<AppEnv>, body: z.infer<typeof ReplayRequest>): ReplayedEvents {
  const { environment, unreadable } = readEnvironment(body);
  const doubts = c.get("doubts");
  const calls = body.calls ?? [];
  const last = (body.turns ?? []).length - 1;
  const late = calls.findIndex(({ after_turn }) => after_turn > last);
  if (late !== -1)
    throw new Problem("invalid-request", "A call follows a turn that is not there.", {
      errors: [{ pointer: `/calls/${late}/after_turn`, detail: `at most ${last}`, code: "too_big" }],
    });
  const context = { environment, self: selfOf(c) };
  const events: ReplayedEvents["events"] = (body.turns ?? []).flatMap((turn, at) => {
    const reading = readTurn(turn.text);
    const heard = {
      reading,
      compiler: "rules" as const,
      sender: turn.sender_id ?? null,
      platform: turn.platform ?? null,
      midRun: turn.mid_run ?? false,
      harnessWritten: isHarnessTurn(reading.dropped, null),
      child: false,
    };
    const text = typedIn({ text: turn.text, harness: null, platform: turn.platform ?? null, source: null });
    const typed = text === null ? null : { id: String(at), text, sender: turn.sender_id ?? null };
    const after = calls.flatMap((call, index) => {
      if (call.after_turn !== at) return [];
      const base = `/calls/${index}/args`;
      const own = doubts.filter(({ pointer }) => pointer === base || pointer.startsWith(`${base}/`));
      const { tool, args, answerer, subagent, succeeded, stored } = call;
      return {
        kind: "call" as const,
        call: {
          call: { tool, args, unreadable: [...unreadableArguments(args, own, base), ...unreadable] },
          context,
          answerer,
          subagent,
          key: JSON.stringify([tool, args]),
          succeeded,
          answered: false,
          stored: stored ?? null,
        },
        recorded: null,
      };
    });
    return [{ kind: "turn" as const, turn: heard, typed }, ...after];
  });
  return { events, unkept: 0, truncated: false };
}
