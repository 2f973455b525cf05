/** The oath at work: what must never happen does not, what needs a backup waits for one, what moves unseen is seen. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must } from "../lib/client.mjs";
import { answers, aside, chapter, expect, tells } from "./stage.mjs";

const OATH = `# my agent's oath
standing mission: keep the owner's work moving without being asked twice
never delete: ~/.hermes/memories/**
always require backup before modify: ~/.hermes/skills/**
`;
const WISH =
  "Edit ~/.hermes/skills/deploy.md: I want to be told, too. Keep a copy in ~/.hermes/backups first.";
const MEMORY = "~/.hermes/memories/olivia.md";
const SKILL = "~/.hermes/skills/deploy.md";
const EDIT = { path: SKILL, content: "# Deploy\n\nRun the tests, then deploy. Then tell Olivia.\n" };
const NEVER = { line: 3, text: "never delete: ~/.hermes/memories/**" };
const REQUIRE = { line: 4, text: "always require backup before modify: ~/.hermes/skills/**" };

/** @param {{agent: import("./agent.mjs").Agent, send: Function, cookie: string, key: string, origin: string, home: string}} stage */
export async function tellOfTheOath({ agent, send, cookie, key, origin, home }) {
  furnish(home);
  await swear(send, cookie);
  const briefed = await firstTurn(agent);
  await neverDelete(agent);
  await backUpFirst(agent, briefed.fingerprint);
  await outsideChange(agent, briefed.fingerprint);
  await untouchable(agent, send, key, cookie, origin);
}

/** Real files, so that the fingerprints are of something. */
function furnish(home) {
  for (const folder of ["memories", "skills", "backups"])
    mkdirSync(join(home, ".hermes", folder), { recursive: true });
  writeFileSync(join(home, ".hermes/memories/olivia.md"), "Olivia deploys on Thursdays, never on Fridays.\n");
  writeFileSync(join(home, ".hermes/skills/deploy.md"), "# Deploy\n\nRun the tests, then deploy.\n");
}

async function swear(send, cookie) {
  chapter(1, "The owner swears an oath");
  for (const line of OATH.trim().split("\n")) tells("Olivia", line);
  const sworn = await must(send, "PUT", "/v1/oath", {
    cookie,
    headers: { "if-match": '"0"' },
    json: { text: OATH },
  });
  answers("sworn", `version ${sworn.json.version}, in force from the next request on`);
  expect("the version of the first oath", sworn.json.version, 1);
}

async function firstTurn(agent) {
  chapter(2, "The agent is briefed on its first turn");
  await agent.open("monday");
  tells("Olivia", `"${WISH}"`);
  const first = await agent.turn("monday", WISH);
  for (const mission of first.briefing?.missions ?? []) answers("mission", mission, first.ledger);
  for (const rule of first.briefing?.rules ?? []) answers("rule   ", rule, first.ledger);
  expect("the missions briefed", first.briefing?.missions, [
    "keep the owner's work moving without being asked twice",
  ]);
  expect("the rules briefed", first.briefing?.rules, [NEVER.text, REQUIRE.text]);
  const baseline = await agent.fingerprint("monday", first.fingerprint);
  expect("changes seen by the first fingerprints", baseline.outside_changes, []);
  aside("The agent's harness reports the SHA-256 of each sworn file: the baseline.");
  return first;
}

async function neverDelete(agent) {
  chapter(3, "What was sworn never to happen, does not");
  const { decision } = await agent.ask("monday", "terminal", { command: `rm ${MEMORY}` }, "block");
  expectCited(decision, NEVER);
  expect("the memory's file is still there", existsSync(agent.path(MEMORY)), true);
  await askAndDo(agent, "monday", "terminal", { command: "ls ~/.hermes/memories" });
}

async function backUpFirst(agent, fingerprint) {
  chapter(4, "A skill may change, once it is backed up");
  await refusedEdit(agent);

  aside("A backup that fails is none:");
  const failed = await askAndDo(agent, "monday", "terminal", {
    command: `cp ${SKILL} ~/.hermes/backups/no/such/folder/deploy.md`,
  });
  answers("noted", `outcome ${failed.outcome}: no evidence`, failed.ledger);
  expect("the outcome of the failing copy", [failed.outcome, failed.evidence], ["error", []]);
  await refusedEdit(agent);

  aside("A backup in another session is that session's:");
  await agent.open("elsewhere");
  await agent.turn("elsewhere", "Copy ~/.hermes/skills/deploy.md to ~/.hermes/backups/elsewhere.md.");
  const other = await askAndDo(agent, "elsewhere", "terminal", {
    command: `cp ${SKILL} ~/.hermes/backups/elsewhere.md`,
  });
  expect("evidence made in the other session", other.evidence.length, 1);
  await refusedEdit(agent);

  aside("A backup in this session that succeeds is evidence:");
  const backup = await askAndDo(agent, "monday", "terminal", {
    command: `cp ${SKILL} ~/.hermes/backups/deploy.md`,
  });
  expect("evidence made by the backup", backup.evidence.length, 1);
  answers("noted", "evidence of a backup", backup.evidence[0]);
  const edited = await askAndDo(agent, "monday", "write_file", EDIT);
  expect("outside changes told with the allowed edit", edited.outside_changes, []);
  const after = await agent.fingerprint("monday", fingerprint);
  expect("outside changes after the allowed edit", after.outside_changes, []);
  aside("The skill's new hash is the baseline now: what was allowed is not reported.");
}

async function outsideChange(agent, fingerprint) {
  chapter(5, "A change behind the gate is seen");
  tells("someone", `edits ${MEMORY} in another program`);
  appendFileSync(agent.path(MEMORY), "Fridays are fine, really.\n");
  const seen = await agent.fingerprint("monday", fingerprint);
  const change = [{ path: agent.path(MEMORY), change: "modified" }];
  expect("the outside changes that the fingerprints show", seen.outside_changes, change);
  tells("Olivia", '"And now the deploy."');
  const next = await agent.turn("monday", "And now the deploy.");
  for (const { path, change: what } of next.outside_changes)
    answers(
      "told",
      `a sworn file was ${what} outside the gate: ~${path.slice(agent.path("~").length)}`,
      next.ledger,
    );
  expect(
    "the outside changes told on the next turn",
    next.outside_changes.map(({ path, change: what }) => ({ path, change: what })),
    change,
  );
  expect("a briefing on a later turn", next.briefing, null);
  const later = await agent.turn("monday", "Thank you.");
  expect("outside changes told a second time", later.outside_changes, []);
}

async function untouchable(agent, send, key, cookie, origin) {
  chapter(6, "The oath is out of the agent's reach");
  tells("agent", "PUT /v1/oath, with its own key");
  const put = await send("PUT", "/v1/oath", { key, headers: { "if-match": '"1"' }, json: { text: "" } });
  answers(String(put.status), put.json?.detail ?? put.text);
  expect("the answer to an agent that swears", [put.status, put.json?.code], [403, "forbidden"]);
  for (const [tool, args] of [
    ["write_file", { path: "~/.hermes/oathkeeper/oath.txt", content: "" }],
    ["terminal", { command: `curl -X PUT ${origin}/v1/oath -d '{"text":""}'` }],
  ]) {
    const { decision } = await agent.ask("monday", tool, args, "block");
    expect("the rule that protects the oath", decision.reasons[0]?.rule_key, "guard:self-protection");
  }
  const { version, text } = (await must(send, "GET", "/v1/oath", { cookie })).json;
  expect("the oath in force at the end", [version, text], [1, OATH]);
}

/** Asks for a call that must be allowed, runs it and reports it. */
async function askAndDo(agent, session, tool, args) {
  const { call_id } = await agent.ask(session, tool, args, "allow");
  return agent.perform(session, call_id, tool, args);
}

async function refusedEdit(agent) {
  const { decision } = await agent.ask("monday", "write_file", EDIT, "block");
  expectCited(decision, REQUIRE);
}

function expectCited(decision, { line, text }) {
  const cite = decision.reasons[0]?.cite;
  expect("the line of the oath that is cited", [cite?.line, cite?.text], [line, text]);
}
