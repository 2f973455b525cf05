/**
 * `POST /v1/replay`: turns and calls judged once more, recorded or made up, under the policy in force or another one, so
 * that an admin sees what a change would do before making it. A dry run: no model is asked and nothing is recorded.
 */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { Problem } from "../errors.ts";
import { organizationCaller } from "../http/access.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { ENVIRONMENT, readEnvironment } from "../http/environment.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { type Policy, policyOf } from "../http/policy.ts";
import { selfOf, unreadableArguments } from "../http/reading.ts";
import { isHarnessTurn, type RecordedCall, type RecordedEvents, recordedEvents } from "../http/recorded.ts";
import { newRouter } from "../http/router.ts";
import { HarnessId, ReasonSchema, ToolName, ToolTableSchema, VerdictSchema } from "../http/schemas.ts";
import { findSession, unknownSession } from "../http/sessions.ts";
import { EngineModes, FenceSettings } from "../http/settings.ts";
import { parseToolTable, TABLES, toolsWith } from "../policy/effects/index.ts";
import { readConfiguration, readTurn } from "../policy/fence/index.ts";
import { GUARD_MODES, MODED_ENGINES, type Mode, resolveModes } from "../policy/modes.ts";
import { bindOath, compileOath, parseOath } from "../policy/oath/index.ts";
import { Replay, type ReplayConfiguration } from "../policy/replay.ts";
import { type Engine, RISK_CLASSES } from "../policy/types.ts";

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
  subagent: z.boolean().default(false),
  succeeded: z.boolean().default(false).meta({
    description: "True when it is to be taken as having succeeded, so that a copy it makes is evidence.",
  }),
});

const Configuration = z
  .strictObject({
    guard_mode: z.enum(GUARD_MODES).optional(),
    engines: EngineModes.optional(),
    fence: FenceSettings.optional(),
    oath: z
      .string()
      .max(64 * 1024)
      .optional()
      .meta({
        description: "In place of the organization's oath, cited as version 0.",
      }),
    tool_table: ToolTableSchema.optional(),
  })
  .meta({
    id: "ReplayConfiguration",
    description: "What is tried; what it leaves out is as it is in force.",
  });

const ReplayRequest = z
  .strictObject({
    session: HarnessId.optional().meta({ description: "A session whose whole family is replayed." }),
    turns: z.array(Turn).max(MAX_TURNS).optional(),
    calls: z.array(Call).max(MAX_CALLS).optional(),
    ...ENVIRONMENT,
    configuration: Configuration.default({}),
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
    tolerate: "/calls",
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
  const policy = await policyOf(c.env.DB, caller);
  const configuration = configurationOf(policy, body.configuration);
  const recorded =
    body.session === undefined ? madeUp(c, body) : await ofSession(c, caller.organization, body.session);
  const judged = new Replay(configuration);
  const calls: z.infer<typeof Replayed>["calls"] = [];
  for (const event of recorded.events) {
    if (event.kind === "turn") {
      judged.turn(event.turn);
      continue;
    }
    const { verdict, reasons, effects } = judged.call(event.call);
    const { session, call_id, at, verdict: then } = event.recorded;
    calls.push({
      session: session === "" ? null : session,
      call_id: call_id === "" ? null : call_id,
      at: at === 0 ? null : at,
      tool: event.call.call.tool,
      recorded: session === "" ? null : then,
      verdict,
      changed: session !== "" && verdict !== then,
      reasons: reasons.map((reason) => ({ ...reason })),
      risks: [...effects.risks],
    });
  }
  return c.json(
    {
      calls,
      changed: calls.filter((call) => call.changed).length,
      unkept: recorded.unkept,
      truncated: recorded.truncated,
    },
    200,
  );
});

async function ofSession(c: Context<AppEnv>, organization: string, session: string): Promise<RecordedEvents> {
  const caller = organizationCaller(c);
  const context = await findSession(c.env, organization, session);
  if (context === null || (caller.kind === "agent" && context.agent !== caller.agent)) throw unknownSession();
  return recordedEvents(c.env.DB, organization, context.root, selfOf(c));
}

const NOT_RECORDED: RecordedCall = { session: "", call_id: "", at: 0, verdict: "allow" };

/** Turns and calls of the request itself. */
function madeUp(c: Context<AppEnv>, body: z.infer<typeof ReplayRequest>): RecordedEvents {
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
  const events: RecordedEvents["events"] = (body.turns ?? []).flatMap((turn, at) => {
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
    const after = calls.flatMap((call, index) => {
      if (call.after_turn !== at) return [];
      const base = `/calls/${index}/args`;
      const own = doubts.filter(({ pointer }) => pointer === base || pointer.startsWith(`${base}/`));
      const { tool, args, answerer, subagent, succeeded } = call;
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
        },
        recorded: NOT_RECORDED,
      };
    });
    return [{ kind: "turn" as const, turn: heard }, ...after];
  });
  return { events, unkept: 0, truncated: false };
}

/** The policy in force with what is tried laid over it. @throws {Problem} `invalid-oath`, `invalid-tool-table` */
function configurationOf(policy: Policy, tried: z.infer<typeof Configuration>): ReplayConfiguration {
  const parsed = tried.oath === undefined ? null : parseOath(tried.oath);
  if (parsed?.ok === false)
    throw new Problem("invalid-oath", "Mend the lines that errors names.", {
      errors: parsed.diagnostics.map(({ code, message, line, column }) => ({
        pointer: "/configuration/oath",
        detail: message,
        code,
        line,
        column,
      })),
    });
  const table = tried.tool_table === undefined ? null : parseToolTable(tried.tool_table);
  if (table?.ok === false)
    throw new Problem("invalid-tool-table", "Mend what errors names.", {
      errors: table.faults.map(({ pointer, code, message }) => ({
        pointer: `/configuration/tool_table${pointer}`,
        detail: message,
        code,
      })),
    });
  const oaths =
    parsed === null
      ? policy.oaths
      : [
          compileOath(parsed.oath, "organization", 0),
          ...policy.oaths.filter((compiled) => compiled.source === "agent"),
        ];
  const resolved = resolveModes(tried, {});
  const modes: Record<Engine, Mode> = { ...policy.modes };
  for (const engine of MODED_ENGINES)
    if (tried.guard_mode !== undefined || tried.engines?.[engine] !== undefined)
      modes[engine] = resolved[engine];
  return {
    modes,
    fence: tried.fence === undefined ? policy.fence : readConfiguration(tried.fence),
    tables: table === null ? policy.tables : toolsWith(TABLES, table.table),
    bind: (environment) =>
      parsed === null ? policy.bind(environment) : oaths.map((compiled) => bindOath(compiled, environment)),
  };
}
