/** `/v1/agents`: the agents of an organization. One name is one agent. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { listAgents, readAgent } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { govern } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { AgentId, Name } from "../http/schemas.ts";
import { EngineModes } from "../http/settings.ts";
import { newId } from "../ids.ts";
import { GUARD_MODES } from "../policy/modes.ts";

const Settings = z
  .strictObject({
    guard_mode: z.enum(GUARD_MODES).optional(),
    engines: EngineModes.optional(),
  })
  .meta({ id: "AgentSettings", description: "What is set here wins over the organization's." });

const Agent = z
  .object({ agent: z.string(), name: z.string(), settings: Settings, created_at: z.int() })
  .meta({ id: "Agent" });
const AgentParams = z.object({ agent_id: AgentId });

const list = createRoute({
  method: "get",
  path: "/v1/agents",
  ...operation({
    operationId: "listAgents",
    summary: "List agents",
    tag: "Agents",
    access: { member: "viewer" },
  }),
  responses: {
    200: jsonContent(z.object({ agents: z.array(Agent) }).meta({ id: "AgentList" }), "The agents"),
    ...refusals(false),
  },
});

const create = createRoute({
  method: "post",
  path: "/v1/agents",
  ...operation({
    operationId: "createAgent",
    summary: "Register an agent",
    tag: "Agents",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(z.strictObject({ name: Name }).meta({ id: "NewAgent" })) },
  responses: { 201: jsonContent(Agent, "The agent"), ...refusals(true, "conflict", "publish-pending") },
});

const read = createRoute({
  method: "get",
  path: "/v1/agents/{agent_id}",
  ...operation({
    operationId: "readAgent",
    summary: "Read an agent",
    tag: "Agents",
    access: { member: "viewer" },
  }),
  request: { params: AgentParams },
  responses: { 200: jsonContent(Agent, "The agent"), ...refusals(false) },
});

const change = createRoute({
  method: "put",
  path: "/v1/agents/{agent_id}/settings",
  ...operation({
    operationId: "changeAgentSettings",
    summary: "Replace an agent's settings",
    tag: "Agents",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { params: AgentParams, body: jsonRequest(Settings) },
  responses: { 200: jsonContent(Agent, "The agent"), ...refusals(true, "publish-pending") },
});

export const agents = newRouter();

agents.openapi(list, async (c) => {
  const rows = await listAgents(c.env.DB, memberCaller(c).organization);
  return c.json({ agents: rows.map(agentOf) }, 200);
});

agents.openapi(create, async (c) => {
  const caller = memberCaller(c);
  const { name } = c.req.valid("json");
  const agent = newId("agt");
  const { at: created_at } = await govern(
    c,
    caller.organization,
    { kind: "create_agent", agent_id: agent, name, settings: {} },
    caller.member,
  );
  return c.json({ agent, name, settings: {}, created_at }, 201);
});

agents.openapi(read, async (c) => c.json(agentOf(await agentRow(c, c.req.valid("param").agent_id)), 200));

agents.openapi(change, async (c) => {
  const caller = memberCaller(c);
  const { agent_id: agent } = c.req.valid("param");
  const settings = c.req.valid("json");
  await govern(c, caller.organization, { kind: "change_agent", agent_id: agent, settings }, caller.member);
  return c.json(agentOf(await agentRow(c, agent)), 200);
});

async function agentRow(c: Parameters<typeof memberCaller>[0], agent: string) {
  const row = await readAgent(c.env.DB, memberCaller(c).organization, agent);
  if (row === null) throw new Problem("not-found", "There is no such agent.");
  return row;
}

function agentOf(row: {
  agent_id: string;
  name: string;
  settings: string;
  created_at: number;
}): z.infer<typeof Agent> {
  return {
    agent: row.agent_id,
    name: row.name,
    settings: JSON.parse(row.settings) as z.infer<typeof Settings>,
    created_at: row.created_at,
  };
}
