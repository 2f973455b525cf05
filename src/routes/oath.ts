/**
 * `/v1/oath`: the owner's plain lines. Reading and trying are for everyone of the organization; swearing is an owner's
 * act in a signed-in session, and nothing an agent holds can do it.
 */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { readAgent, readOath } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { memberCaller, organizationCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES, DECISION_LIMIT_BYTES } from "../http/body.ts";
import { privateText } from "../http/commitment.ts";
import type { AppEnv } from "../http/context.ts";
import { ENVIRONMENT, readEnvironment } from "../http/environment.ts";
import { govern } from "../http/governing.ts";
import { expectedVersion, IfMatch, VersionTag } from "../http/if-match.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyOf } from "../http/policy.ts";
import { readCall, selfOf, unreadableArguments } from "../http/reading.ts";
import { newRouter } from "../http/router.ts";
import { AgentId, EnginesSchema, ReasonSchema, VerdictSchema } from "../http/schemas.ts";
import { decide } from "../policy/decide.ts";
import { EMPTY_POLICY, judgeSecrets } from "../policy/fence/index.ts";
import { bindOath, compileOath, type Diagnostic, parseOath } from "../policy/oath/index.ts";
import { foldsCase } from "../policy/paths/index.ts";
import { FILE_VERBS, RISK_CLASSES } from "../policy/types.ts";

/** Characters of an oath's text: the parser's own bound, said before anything is parsed. */
const MAX_OATH_CHARACTERS = 64 * 1024;

const DiagnosticSchema = z
  .object({ code: z.string(), message: z.string(), line: z.int(), column: z.int(), end_column: z.int() })
  .meta({ id: "OathDiagnostic" });

const Oath = z
  .object({
    version: z.int().meta({ description: "0 before the first oath is sworn." }),
    text: z.string(),
    sworn_by: z.string().nullable(),
    sworn_at: z.int().nullable(),
    policy_version: z.int().optional(),
  })
  .meta({ id: "Oath" });

const versionQuery = z.strictObject({ version: z.coerce.number().int().min(1).optional() });
const SwearRequest = z
  .strictObject({ text: z.string().max(MAX_OATH_CHARACTERS) })
  .meta({ id: "SwearRequest" });
const AgentParams = z.object({ agent_id: AgentId });
const read = {
  summary: "Read the oath in force, or an earlier version",
  tag: "Oath",
  access: { agent: "ask", member: "viewer" },
} as const;
const swear = {
  summary: "Swear a new version",
  description:
    'Send `If-Match: "N"` with the version that you changed (`"0"` for the first). An oath with an error cannot be sworn, and the version before it stays in force.',
  tag: "Oath",
  access: { member: "owner" },
  limit: BODY_LIMIT_BYTES,
} as const;
const sworn = {
  ...jsonContent(Oath, "The oath; its version is the ETag"),
  headers: VersionTag,
};
const swearRefusals = refusals(
  true,
  "invalid-oath",
  "version-mismatch",
  "precondition-required",
  "publish-pending",
);

const getOath = createRoute({
  method: "get",
  path: "/v1/oath",
  ...operation({ operationId: "readOath", ...read }),
  request: { query: versionQuery },
  responses: { 200: sworn, ...refusals(false, "not-found") },
});
const putOath = createRoute({
  method: "put",
  path: "/v1/oath",
  ...operation({ operationId: "swearOath", ...swear }),
  request: { headers: IfMatch, body: jsonRequest(SwearRequest) },
  responses: { 200: sworn, ...swearRefusals },
});
const getAgentOath = createRoute({
  method: "get",
  path: "/v1/agents/{agent_id}/oath",
  ...operation({
    operationId: "readAgentOath",
    ...read,
    summary: "Read the oath that one agent has besides",
  }),
  request: { params: AgentParams, query: versionQuery },
  responses: { 200: sworn, ...refusals(false, "not-found") },
});
const putAgentOath = createRoute({
  method: "put",
  path: "/v1/agents/{agent_id}/oath",
  ...operation({
    operationId: "swearAgentOath",
    ...swear,
    summary: "Swear a new version of one agent's oath",
  }),
  request: { params: AgentParams, headers: IfMatch, body: jsonRequest(SwearRequest) },
  responses: { 200: sworn, ...swearRefusals },
});

const CheckRequest = z
  .strictObject({
    text: z.string().max(MAX_OATH_CHARACTERS).optional().meta({
      description:
        "An oath to try in place of the organization's, cited as version 0. Default: the one in force. An agent's own oath binds besides, whatever is tried.",
    }),
    tool: z.string().min(1).max(256).optional(),
    args: z.unknown().optional(),
    ...ENVIRONMENT,
  })
  .refine((body) => (body.tool === undefined) === (body.args === undefined), {
    message: "A call has a tool and args.",
    path: ["args"],
  })
  .meta({ id: "OathCheckRequest" });

const check = createRoute({
  method: "post",
  path: "/v1/oath/check",
  ...operation({
    operationId: "checkOath",
    summary: "Try an oath, or a call against one, without a trace",
    description:
      "Says what a decision would: to an agent key under the oaths and modes in force for that agent, to a member under the organization's. A path of the environment that cannot be read makes the call one that cannot be judged, which is a block. A dry run: nothing is recorded. No evidence counts here and the fence is not asked, since evidence and a person's words belong to a session.",
    tag: "Oath",
    access: { agent: "ask", member: "viewer" },
    limit: DECISION_LIMIT_BYTES,
    tolerate: ["/args"],
    dryRun: true,
  }),
  request: { body: jsonRequest(CheckRequest) },
  responses: {
    200: jsonContent(
      z
        .object({
          valid: z.boolean(),
          diagnostics: z.array(DiagnosticSchema),
          decision: z
            .object({
              verdict: VerdictSchema,
              enforcement: z.enum(["enforced", "observed"]),
              reasons: z.array(ReasonSchema),
              engines: EnginesSchema,
              reading: z.object({
                tool: z.string(),
                risks: z.array(z.enum(RISK_CLASSES)),
                actions: z.array(z.object({ verb: z.enum(FILE_VERBS), path: z.string() })),
                opaque: z.array(z.string()),
                backups: z.array(z.object({ src: z.string(), dest: z.string() })),
              }),
            })
            .nullable()
            .meta({ description: "`null` without a call, or with an oath that has errors." }),
        })
        .meta({ id: "OathCheck" }),
      "What the oath says",
    ),
    ...refusals(true),
  },
});

export const oath = newRouter();

oath.openapi(getOath, async (c) => oathInForce(c, "organization", c.req.valid("query").version));

oath.openapi(getAgentOath, async (c) => {
  const caller = organizationCaller(c);
  const { agent_id: agent } = c.req.valid("param");
  if (
    caller.kind === "agent"
      ? caller.agent !== agent
      : (await readAgent(c.env.DB, caller.organization, agent)) === null
  )
    throw new Problem("not-found", "There is no such agent.");
  return oathInForce(c, agent, c.req.valid("query").version);
});

oath.openapi(putOath, async (c) => swearOath(c, "organization", c.req.valid("json").text));

oath.openapi(putAgentOath, async (c) => {
  const { agent_id: agent } = c.req.valid("param");
  return swearOath(c, agent, c.req.valid("json").text);
});

oath.openapi(check, async (c) => {
  const body = c.req.valid("json");
  const parsed = body.text === undefined ? null : parseOath(body.text);
  if (parsed?.ok === false)
    return c.json({ valid: false, diagnostics: parsed.diagnostics.map(diagnostic), decision: null }, 200);
  if (body.tool === undefined) return c.json({ valid: true, diagnostics: [], decision: null }, 200);
  const { oaths: inForce, modes, tables } = await policyOf(c.env.DB, organizationCaller(c));
  const oaths =
    parsed === null
      ? inForce
      : [
          compileOath(parsed.oath, "organization", 0),
          ...inForce.filter((compiled) => compiled.source === "agent"),
        ];
  const { environment, unreadable } = readEnvironment(body);
  const { effects, findings } = readCall(
    {
      tool: body.tool,
      args: body.args,
      unreadable: [...unreadableArguments(body.args, c.get("doubts"), "/args"), ...unreadable],
    },
    { environment, self: selfOf(c) },
    tables,
    oaths.map((compiled) => bindOath(compiled, environment)),
  );
  // No person has spoken here: what their words would say of the call is a session's to know.
  const secrets = judgeSecrets(EMPTY_POLICY, effects, environment);
  const decision = decide(
    { backups: [], fold_case: foldsCase(environment) },
    [...findings, ...secrets],
    modes,
  );
  const { fence: _unheard, ...engines } = decision.engines;
  return c.json(
    {
      valid: true,
      diagnostics: [],
      decision: {
        verdict: decision.verdict,
        enforcement: decision.enforcement,
        reasons: decision.reasons.map((reason) => ({ ...reason })),
        engines: Object.fromEntries(
          Object.entries(engines).map(([engine, { mode, verdict, enforcement, reasons }]) => [
            engine,
            { mode, verdict, enforcement, reasons: [...reasons] },
          ]),
        ),
        reading: {
          tool: effects.tool,
          risks: [...effects.risks],
          actions: effects.actions.map(({ verb, path }) => ({ verb, path })),
          opaque: [...(effects.opaque?.causes ?? [])],
          backups: effects.backups.map(({ src, dest }) => ({ src, dest })),
        },
      },
    },
    200,
  );
});

async function oathInForce(c: Context<AppEnv>, which: string, version?: number) {
  const caller = organizationCaller(c);
  const row = await readOath(c.env.DB, caller.organization, which, version);
  if (row === null && version !== undefined) throw new Problem("not-found", "There is no such version.");
  c.header("etag", `"${row?.version ?? 0}"`);
  return c.json(
    {
      version: row?.version ?? 0,
      text: row?.text ?? "",
      sworn_by: row?.sworn_by ?? null,
      sworn_at: row?.sworn_at ?? null,
    },
    200,
  );
}

async function swearOath(c: Context<AppEnv>, which: string, text: string) {
  const caller = memberCaller(c);
  const expected = expectedVersion(c.req.header("if-match"), "oath");
  const parsed = parseOath(text);
  if (!parsed.ok)
    throw new Problem(
      "invalid-oath",
      "Mend the lines that errors names. The version in force stays in force.",
      {
        errors: parsed.diagnostics.map(({ code, message, line, column }) => ({
          pointer: "/text",
          detail: message,
          code,
          line,
          column,
        })),
      },
    );
  const changed = await govern(
    c,
    caller.organization,
    { kind: "swear", oath: which, expected, text, private: privateText({ text }) },
    caller.member,
  );
  c.header("etag", `"${changed.version}"`);
  return c.json(
    {
      version: changed.version,
      text,
      sworn_by: caller.member,
      sworn_at: changed.at,
      policy_version: changed.policy_version,
    },
    200,
  );
}

function diagnostic({
  code,
  message,
  line,
  column,
  end_column,
}: Diagnostic): z.infer<typeof DiagnosticSchema> {
  return { code, message, line, column, end_column };
}
