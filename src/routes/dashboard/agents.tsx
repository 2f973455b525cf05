/** `/agents`: the agents of the organization. `/agents/{agent}`: one of them and its keys. */
import type { Context } from "hono";
import { countLiveKeys, listAgents, listKeys, readAgent, readOath } from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { newCredential } from "../../http/credentials.ts";
import { govern } from "../../http/governing.ts";
import { newRouter } from "../../http/router.ts";
import { Name } from "../../http/schemas.ts";
import { newId } from "../../ids.ts";
import { SCOPES, type Scope } from "../../roles.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { AgentPage, type AgentPageProps, NewKeyPage } from "./agent-page.tsx";
import { AgentsPage, type AgentsPageProps } from "./agents-page.tsx";
import { originOf } from "./decisions.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";

const KEY_ACT = "make or revoke keys";

export const agentPages = newRouter();

agentPages.get("/agents", page({ operation: "viewAgents" }), async (c) =>
  sendPage(c, <AgentsPage {...(await agentsOf(c))} />),
);

agentPages.post(
  "/agents",
  page({ operation: "createAgent", role: "admin", act: "register agents" }),
  async (c) => {
    const caller = memberCaller(c);
    const typed = (await readForm(c)).get("name") ?? "";
    const name = Name.safeParse(typed);
    const again = async (fault: string) => (
      <AgentsPage {...(await agentsOf(c))} typed={typed} fault={fault} />
    );
    if (!name.success) {
      const fault = nameFault(typed);
      throw new FormProblem("invalid-request", fault, await again(fault));
    }
    const agent = newId("agt");
    await orFormAgain(
      c,
      () =>
        govern(
          c,
          caller.organization,
          { kind: "create_agent", agent_id: agent, name: name.data, settings: {} },
          caller.member,
        ),
      (problem) => again(problem.message),
    );
    return c.redirect(`/agents/${agent}`, 303);
  },
);

agentPages.get("/agents/:agent", page({ operation: "viewAgent" }), async (c) =>
  sendPage(c, <AgentPage {...(await agentOf(c, c.req.param("agent")))} />),
);

agentPages.post(
  "/agents/:agent/keys",
  page({ operation: "createKey", role: "admin", act: KEY_ACT }),
  async (c) => {
    const caller = memberCaller(c);
    const props = await agentOf(c, c.req.param("agent"));
    const form = await readForm(c);
    const typed = { name: form.get("name") ?? "", scopes: scopesOf(form) };
    const again = (fault: string) => <AgentPage {...props} typed={typed} fault={fault} />;
    const name = Name.safeParse(typed.name);
    const fault = !name.success
      ? nameFault(typed.name)
      : typed.scopes.length === 0
        ? "Choose at least one thing that the key may do."
        : null;
    if (!name.success || fault !== null)
      throw new FormProblem("invalid-request", fault ?? "", again(fault ?? ""));
    const { id, secret, secret_hash } = newCredential("key");
    const change = {
      kind: "create_key" as const,
      agent_id: props.agent.agent_id,
      key_id: id,
      name: name.data,
      scopes: typed.scopes,
      secret_hash,
    };
    const pending = await orFormAgain(
      c,
      () => govern(c, caller.organization, change, caller.member),
      (problem) => again(problem.message),
    ).then(
      () => false,
      (error: unknown) => {
        // It is on record and will work: to withhold it now would leave a key that nobody holds.
        if (error instanceof Problem && error.code === "publish-pending") return true;
        throw error;
      },
    );
    // Not a redirect: the key is in this one answer and nowhere else.
    return sendPage(
      c,
      <NewKeyPage
        frame={props.frame}
        agent={props.agent}
        name={name.data}
        scopes={typed.scopes}
        secret={secret}
        pending={pending}
        origin={originOf(c)}
      />,
      201,
    );
  },
);

agentPages.post(
  "/agents/:agent/keys/:key/revoke",
  page({ operation: "revokeKey", role: "admin", act: KEY_ACT }),
  async (c) => {
    const caller = memberCaller(c);
    const agent = c.req.param("agent");
    await govern(
      c,
      caller.organization,
      { kind: "revoke_key", agent_id: agent, key_id: c.req.param("key") },
      caller.member,
    );
    return c.redirect(`/agents/${encodeURIComponent(agent)}`, 303);
  },
);

async function agentsOf(c: Context<AppEnv>): Promise<AgentsPageProps> {
  const caller = memberCaller(c);
  const [frame, agents, live] = await Promise.all([
    frameOf(c),
    listAgents(c.env.DB, caller.organization),
    countLiveKeys(c.env.DB, caller.organization),
  ]);
  return {
    frame,
    agents: agents.map((agent) => ({ ...agent, live_keys: live.get(agent.agent_id) ?? 0 })),
    mayEdit: hasRole(caller.role, "admin"),
  };
}

/** One agent, with its keys for those who may see them. */
async function agentOf(c: Context<AppEnv>, id: string): Promise<AgentPageProps> {
  const caller = memberCaller(c);
  const agent = await readAgent(c.env.DB, caller.organization, id);
  if (agent === null) throw new Problem("not-found", "There is no such agent.");
  const mayEdit = hasRole(caller.role, "admin");
  const [frame, keys, oath] = await Promise.all([
    frameOf(c),
    mayEdit ? listKeys(c.env.DB, caller.organization, id) : [],
    readOath(c.env.DB, caller.organization, id),
  ]);
  return {
    frame,
    agent,
    keys: keys.map((key) => ({ ...key, scopes: JSON.parse(key.scopes) as Scope[] })),
    oathVersion: oath?.version ?? 0,
    mayEdit,
  };
}

function scopesOf(form: URLSearchParams): Scope[] {
  const chosen = form.getAll("scope");
  return SCOPES.filter((scope) => chosen.includes(scope));
}

/** What is wrong with a name, in words. */
export function nameFault(name: string): string {
  if (name.trim() === "") return "Write a name.";
  return name.trim().length > 100
    ? "A name has at most 100 characters."
    : "A name must not hold control or invisible characters.";
}
