/** The story of the demo: one owner, one agent, an oath, a person's words, what an agent remembers of them, and what comes of it. */
import { must, signIn } from "../lib/client.mjs";
import { Agent } from "./agent.mjs";
import { tellOfApprovals } from "./approvals.mjs";
import { tellOfTheFence } from "./fence.mjs";
import { tellOfTheOath } from "./oath.mjs";
import { tellOfProvenance } from "./provenance.mjs";
import { tellOfTheRecord } from "./record.mjs";

/** @param {{send: Function, origin: string, operator: string, home: string}} stage each step fails unless it ends as told */
export async function tellStory({ send, origin, operator, home }) {
  const { cookie, key } = await enrol(send, operator);
  const agent = new Agent(send, key, home);
  await tellOfTheOath({ agent, send, cookie, key, origin, home });
  await tellOfTheFence(agent);
  await tellOfProvenance(agent, send, cookie);
  await tellOfApprovals(agent, send, cookie);
  await tellOfTheRecord(agent, send, key);
}

async function enrol(send, operator) {
  const created = await must(send, "POST", "/v1/organizations", {
    key: operator,
    json: { name: "Olivia's home", owner_name: "Olivia" },
  });
  const cookie = await signIn(send, created.json.sign_in.url);
  const { agent } = (await must(send, "POST", "/v1/agents", { cookie, json: { name: "hermes" } })).json;
  const { key } = (await must(send, "POST", `/v1/agents/${agent}/keys`, { cookie, json: { name: "demo" } }))
    .json;
  return { cookie, key };
}
