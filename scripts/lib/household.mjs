/**
 * What a local run needs to be of use at once: an organization with an owner who hears of asks, one agent with a key, and
 * an oath. Made over HTTP as anybody would make them, and remembered beside the local database, to live and die with it.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { must, signIn } from "./client.mjs";

export const STARTER_OATH = `# This is your oath: what must never happen, in plain lines. No agent can change it.
# Sign in to the dashboard to make it yours.

# Told to the agent at the start of every session.
standing mission: keep the owner's work moving without being asked twice

# What the agent has learned about you is not its own to delete.
never delete: ~/.hermes/memories/**

# Its skills may change, once a copy has been made in the same session.
always require backup before modify: ~/.hermes/skills/**
`;

/**
 * @param {string} file where a household is remembered
 * @returns {Promise<{household: {organization: string, owner: string, agent: string, key: string}, note: string | null}>} a note when what was remembered had to be mended
 */
export async function findOrMakeHousehold(send, operator, file) {
  const known = remembered(file);
  if (known === null) return { household: await make(send, operator, file), note: null };
  const link = await signInLink(send, operator, known);
  if (link === null)
    return {
      household: await make(send, operator, file),
      note: "The organization of the last start is not in this database. A new one was made.",
    };
  const asked = await send("GET", "/v1/oath", { key: known.key });
  if (asked.ok) return { household: known, note: null };
  if (asked.status !== 401)
    throw new Error(`GET /v1/oath answered ${asked.status} ${asked.json?.code ?? ""}`);
  const cookie = await signIn(send, link);
  const household = { ...known, key: await newKey(send, cookie, known.agent) };
  remember(file, household);
  return { household, note: "The agent's key of the last start is no longer valid. A new one was made." };
}

/** A one-time link for the owner, or `null` when this database does not know them. */
export async function signInLink(send, operator, { organization, owner }) {
  const answer = await send("POST", `/v1/organizations/${organization}/members/${owner}/sign-in-links`, {
    key: operator,
  });
  if (answer.ok) return answer.json.url;
  if (answer.status === 404) return null;
  throw new Error(`The sign-in link was refused: ${answer.status} ${answer.json?.detail ?? ""}`);
}

async function make(send, operator, file) {
  const created = (
    await must(send, "POST", "/v1/organizations", {
      key: operator,
      json: { name: "Home", owner_name: "Owner" },
    })
  ).json;
  const cookie = await signIn(send, created.sign_in.url);
  const { agent } = (await must(send, "POST", "/v1/agents", { cookie, json: { name: "my agent" } })).json;
  const household = {
    organization: created.organization,
    owner: created.owner,
    agent,
    key: await newKey(send, cookie, agent),
  };
  await must(send, "PUT", "/v1/oath", {
    cookie,
    headers: { "if-match": '"0"' },
    json: { text: STARTER_OATH },
  });
  // Nothing sends mail on this machine: it is written to the terminal, with the link by which the owner answers.
  await must(send, "POST", "/v1/channels", {
    cookie,
    json: { kind: "email", name: "the terminal of npm start", target: { address: "owner@localhost" } },
  });
  remember(file, household);
  return household;
}

async function newKey(send, cookie, agent) {
  const name = `npm start, ${new Date().toISOString()}`;
  return (await must(send, "POST", `/v1/agents/${agent}/keys`, { cookie, json: { name } })).json.key;
}

function remember(file, household) {
  writeFileSync(file, `${JSON.stringify(household, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** What is remembered, or `null` for nothing of use. */
function remembered(file) {
  try {
    const { organization, owner, agent, key } = JSON.parse(readFileSync(file, "utf8"));
    const whole = [organization, owner, agent, key].every(
      (value) => typeof value === "string" && value !== "",
    );
    return whole ? { organization, owner, agent, key } : null;
  } catch {
    return null;
  }
}
