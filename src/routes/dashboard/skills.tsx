/** `/agents/{agent}/skills`: what skills an agent wrote. `/agents/{agent}/skill?name=…`: the history of one. */
import type { Context } from "hono";
import { readAgent } from "../../db/governance.ts";
import { listSkills, skillHistory } from "../../db/skills.ts";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { newRouter } from "../../http/router.ts";
import { lineage } from "../../policy/provenance/index.ts";
import { page } from "./access.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { SkillPage, SkillsPage, WRITES_ON_A_PAGE } from "./skills-page.tsx";

const LISTED_SKILLS = 200;
/** Writes that are compared: the newest of a skill. */
const COMPARED_WRITES = 1_000;
/** As `policy/provenance/lineage.ts` cuts names. */
const MAX_NAME = 400;

export const skillPages = newRouter();

skillPages.get("/agents/:agent/skills", page({ operation: "viewSkills" }), async (c) => {
  const agent = await agentOf(c, c.req.param("agent"));
  const { organization } = memberCaller(c);
  const [frame, skills] = await Promise.all([
    frameOf(c),
    listSkills(c.env.DB, organization, LISTED_SKILLS + 1, agent.agent_id),
  ]);
  return sendPage(
    c,
    <SkillsPage
      frame={frame}
      agent={agent}
      skills={skills.slice(0, LISTED_SKILLS)}
      isCut={skills.length > LISTED_SKILLS}
    />,
  );
});

skillPages.get("/agents/:agent/skill", page({ operation: "viewSkill" }), async (c) => {
  const agent = await agentOf(c, c.req.param("agent"));
  const { organization } = memberCaller(c);
  const skill = c.req.query("name") ?? "";
  const rows =
    skill === "" || skill.length > MAX_NAME
      ? []
      : await skillHistory(c.env.DB, organization, agent.agent_id, skill, COMPARED_WRITES + 1);
  const isCut = rows.length > COMPARED_WRITES;
  const compared = isCut ? rows.slice(1) : rows;
  const number = pageNumber(c.req.query("page"));
  if (compared.length <= (number - 1) * WRITES_ON_A_PAGE)
    throw new Problem("not-found", "No write to such a skill is on record.");
  const links = lineage(compared);
  return sendPage(
    c,
    <SkillPage
      frame={await frameOf(c)}
      agent={agent}
      skill={skill}
      writes={compared.map((row, i) => ({ ...row, link: links[i] ?? "unknown" }))}
      isCut={isCut}
      page={number}
    />,
  );
});

async function agentOf(c: Context<AppEnv>, id: string) {
  const agent = await readAgent(c.env.DB, memberCaller(c).organization, id);
  if (agent === null) throw new Problem("not-found", "There is no such agent.");
  return agent;
}

function pageNumber(text: string | undefined): number {
  return /^[1-9][0-9]{0,3}$/.test(text ?? "") ? Number(text) : 1;
}
