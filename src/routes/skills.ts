/** `/v1/agents/{agent_id}/skills`: which skills an agent wrote, and the history of each, in which a change from outside shows. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { readAgent } from "../db/governance.ts";
import { listSkills, type SkillWriteRow, skillHistory } from "../db/skills.ts";
import { Problem } from "../errors.ts";
import { organizationCaller } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { AgentId } from "../http/schemas.ts";
import { LINKS, lineage } from "../policy/provenance/index.ts";

/** What one answer holds. */
const MAX_SKILLS = 500;
const MAX_WRITES = 1_000;

const list = createRoute({
  method: "get",
  path: "/v1/agents/{agent_id}/skills",
  ...operation({
    operationId: "listSkills",
    summary: "List the skills that an agent wrote, the latest first",
    tag: "Provenance",
    access: { agent: "ask", member: "viewer" },
  }),
  request: { params: z.object({ agent_id: AgentId }) },
  responses: {
    200: jsonContent(
      z
        .object({
          skills: z.array(z.object({ skill: z.string(), writes: z.int(), last_at: z.int() })),
        })
        .meta({ id: "SkillList" }),
      "The skills",
    ),
    ...refusals(false),
  },
});

const Write = z
  .object({
    at: z.int(),
    session: z.string(),
    call_id: z.string(),
    file: z.string(),
    action: z.string(),
    before_sha256: z.string().nullable().meta({
      description: "SHA-256 of the file's text before, `null` when the client did not say what was stored.",
    }),
    after_sha256: z.string().nullable().meta({ description: "And after; `null` when it cannot be known." }),
    verdict: z.string(),
    outcome: z.string().nullable(),
    link: z.enum(LINKS).meta({
      description:
        "Whether it begins where the last write of this file that ran ended: `first`, `continues`, `unknown` where a hash is missing, `broken` where the file was changed without a call that was asked about, `not-run` for a write that changed nothing.",
    }),
    ledger_seq: z.int(),
  })
  .meta({ id: "SkillWrite" });

const history = createRoute({
  method: "get",
  path: "/v1/agents/{agent_id}/skills/{skill}",
  ...operation({
    operationId: "readSkillHistory",
    summary: "Read and verify a skill's history",
    tag: "Provenance",
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    params: z.object({ agent_id: AgentId, skill: z.string().min(1).max(400) }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          skill: z.string(),
          agent: z.string(),
          verified: z.boolean().meta({ description: "No link is broken, and none is unknown." }),
          writes: z.array(Write),
        })
        .meta({ id: "SkillHistory" }),
      "The history, oldest first: the newest thousand writes",
    ),
    ...refusals(false),
  },
});

export const skills = newRouter();

skills.openapi(list, async (c) => {
  const { organization, agent } = await whose(c, c.req.valid("param").agent_id);
  const rows = await listSkills(c.env.DB, organization, MAX_SKILLS, agent);
  return c.json({ skills: rows.map(({ agent_id: _, ...row }) => row) }, 200);
});

skills.openapi(history, async (c) => {
  const { agent_id, skill } = c.req.valid("param");
  const { organization, agent } = await whose(c, agent_id);
  const rows = await skillHistory(c.env.DB, organization, agent, skill, MAX_WRITES);
  if (rows.length === 0)
    throw new Problem("not-found", "No write to such a skill is on record, or it was purged.");
  const links = lineage(rows);
  return c.json(
    {
      skill,
      agent,
      verified: links.every((link) => link !== "broken" && link !== "unknown"),
      writes: rows.map((row, index) => told(row, links[index] ?? "unknown")),
    },
    200,
  );
});

/** An agent's key reads its own skills only; another's and another organization's cannot be told apart. */
async function whose(c: Context<AppEnv>, agent: string): Promise<{ organization: string; agent: string }> {
  const caller = organizationCaller(c);
  const { organization } = caller;
  const isThere =
    caller.kind === "agent"
      ? caller.agent === agent
      : (await readAgent(c.env.DB, organization, agent)) !== null;
  if (!isThere) throw new Problem("not-found", "There is no such agent.");
  return { organization, agent };
}

function told(row: SkillWriteRow, link: (typeof LINKS)[number]): z.infer<typeof Write> {
  const { session_id: session, seq: ledger_seq, chain: _, agent_id: __, skill: ___, ...rest } = row;
  return { ...rest, session, link, ledger_seq };
}
