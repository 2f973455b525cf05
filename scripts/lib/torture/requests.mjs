/**
 * What the crowd asks for, one request each. What is answered is kept; what must not be answered is a {@link Break}, and so
 * is a refusal that nothing explains.
 */
import { Break } from "./break.mjs";
import { OATHS, settingsOf } from "./world.mjs";

/** Files of a family that calls go for: few, so that the same action is asked for again and again. */
const FILES = 14;

/** @param edited tool and arguments as an approver made them */
export function newCall(world, family, session, edited) {
  const file = `/home/u/keep/${Math.floor(Math.random() * FILES)}`;
  const deletes = edited === undefined && Math.random() < 0.3;
  const call = {
    number: world.calls.size,
    family,
    session,
    call_id: world.newCallId(),
    people: deletes ? 2 : 1,
    tool: deletes ? "terminal" : "write_file",
    args: edited?.args ?? (deletes ? { command: `rm ${file}` } : { path: file, content: "new" }),
    verdict: null,
    final: null,
    outcome: undefined,
  };
  world.calls.set(`${session}/${call.call_id}`, call);
  family.calls ??= new Set();
  family.calls.add(call);
  return call;
}

/** Asks for a decision, and holds it against what was answered before. */
export async function ask(world, client, call, waits) {
  const asked = world.policyVersion;
  const before = call.final;
  const answer = await client.send("POST", `/v1/sessions/${encodeURIComponent(call.session)}/decisions`, {
    key: world.key,
    headers: waits ? { prefer: "wait=1" } : {},
    json: { call_id: call.call_id, tool: call.tool, args: call.args },
  });
  if (answer.status !== 200) return refused(world, answer, `the decision of ${call.call_id}`);
  const said = answer.json;
  if (said.id === null) {
    // Something failed, which is a block that is no decision: the next time tells.
    world.counts.failed += 1;
    if (said.verdict !== "block") throw new Break(`${call.call_id}: an engine's error let it through`);
    return;
  }
  world.counts.answered += 1;
  // Of requests at the same time, one that was answered `ask` may be read after one that was answered for good.
  const stands = said.verdict === "ask" ? before : call.final;
  if (stands !== null && stands !== answer.text)
    throw new Break(`${call.session}, ${call.call_id}: answered ${stands}, and later ${answer.text}`);
  const replayed = answer.headers["idempotent-replayed"] === "true";
  if (!replayed && !waits && said.policy_version < asked)
    throw new Break(`${call.call_id} was decided by policy ${said.policy_version}; ${asked} was in force`);
  if (call.verdict !== said.verdict || call.seq !== said.ledger.seq) {
    const { id, ledger, verdict, action_digest, approval } = said;
    world.answers.decisions.push({ call, id, ledger, verdict, action_digest, approval });
  }
  if (call.final === null) {
    call.verdict = said.verdict;
    call.seq = said.ledger.seq;
    if (said.verdict !== "ask") call.final = answer.text;
  }
  heard(world, call, said);
}

function heard(world, call, { verdict, approval, action_digest }) {
  if (verdict === "allow") {
    if (approval === null) throw new Break(`${call.session}, ${call.call_id}: let through without a person`);
    const runs = world.runs.get(approval.id) ?? new Set();
    runs.add(call);
    world.runs.set(approval.id, runs);
    if (runs.size > 1)
      throw new Break(
        `${approval.id}: its action was let run ${runs.size} times: ${[...runs].map((one) => one.call_id).join(", ")}`,
      );
  }
  if (approval === null) return;
  if (approval.edited !== null && !world.editsHeard.has(approval.id)) {
    world.editsHeard.add(approval.id);
    call.family.edited ??= [];
    call.family.edited.push({ session: call.session, args: approval.edited.args });
  }
  const known = world.approvals.get(approval.id);
  if (known === undefined)
    world.approvals.set(approval.id, {
      id: approval.id,
      number: world.approvals.size,
      family: call.family,
      digest: action_digest,
      args: call.args,
      people: call.people,
      links: {},
      answered: approval.status !== "pending",
    });
  else if (approval.status !== "pending") known.answered = true;
}

export async function report(world, client, call) {
  const answer = await client.send("POST", `/v1/sessions/${encodeURIComponent(call.session)}/outcomes`, {
    key: world.key,
    json: { call_id: call.call_id, outcome: call.outcome },
  });
  if (answer.status !== 200) return refused(world, answer, `the outcome of ${call.call_id}`);
  world.counts.answered += 1;
  const { ledger } = answer.json;
  if (call.reported !== undefined && call.reported.seq !== ledger.seq)
    throw new Break(`${call.call_id}: its outcome was entry ${call.reported.seq}, and later ${ledger.seq}`);
  if (call.reported !== undefined) return;
  call.reported = ledger;
  world.answers.outcomes.push({ call, outcome: call.outcome, ledger });
}

export async function tap(world, client, approval, who, decision) {
  const { cookie, member } = world.people[who];
  const answer = await client.send("POST", `/v1/approvals/${approval.id}/decision`, {
    cookie,
    json: { decision, action_digest: approval.digest },
  });
  if (answer.status !== 200) return refused(world, answer, `a tap on ${approval.id}`);
  world.counts.answered += 1;
  const { tap: did, approval: record } = answer.json;
  if (record.status !== "pending") approval.answered = true;
  const { status, decided_by } = record;
  world.answers.taps.push({ approval, member, via: "session", decision, did, status, decided_by });
}

export async function tapLink(world, client, approval, who, path, decision) {
  const { member } = world.people[who];
  const answer = await client.send("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ decision, action_digest: approval.digest }).toString(),
  });
  if (answer.status !== 303) return refused(world, answer, `a tap on a link to ${approval.id}`);
  world.counts.answered += 1;
  const did = String(answer.headers.location).endsWith("?late") ? "late" : "taken";
  if (did === "late" || decision === "deny" || approval.people === 1) approval.answered = true;
  world.answers.taps.push({ approval, member, via: "link", decision, did, status: null, decided_by: null });
}

/** Waits a moment for the answer of an approval. */
export async function watch(world, client, approval) {
  const answer = await client.send("GET", `/v1/approvals/${approval.id}?wait=1`, { key: world.key });
  if (answer.status !== 200) return refused(world, answer, `a look at ${approval.id}`);
  world.counts.answered += 1;
  const { status, decided_by } = answer.json.approval;
  if (status === "pending") return;
  approval.answered = true;
  world.answers.watched.push({ approval, status, by: decided_by?.member ?? null });
}

/** Changes the action and approves what came of it. */
export async function edit(world, client, approval, who, content) {
  const { cookie, member } = world.people[who];
  const answer = await client.send("POST", `/v1/approvals/${approval.id}/decision`, {
    cookie,
    json: { decision: "approve", action_digest: approval.digest, args: { ...approval.args, content } },
  });
  // The edited action is blocked just now, or waits already; or nothing was changed.
  if (["approval-blocked", "conflict"].includes(answer.json?.code)) return;
  if (answer.status !== 200) return refused(world, answer, `an edit of ${approval.id}`);
  world.counts.answered += 1;
  const { tap: did, approval: made, replaced } = answer.json;
  approval.answered = true;
  const said = { approval, member, via: "session", decision: "edit", status: null, decided_by: null };
  if (did === "late") world.answers.taps.push({ ...said, did });
  else {
    world.answers.taps.push({ ...said, did: "edited", made: made.id });
    if (replaced.replaced_by !== made.id || replaced.status !== "denied")
      throw new Break(`${approval.id}: edited into ${made.id}, and read as ${JSON.stringify(replaced)}`);
  }
}

export async function extend(world, client, approval, who) {
  const { cookie, member } = world.people[who];
  const answer = await client.send("POST", `/v1/approvals/${approval.id}/extension`, { cookie });
  if (answer.status !== 200) return refused(world, answer, `an extension of ${approval.id}`);
  world.counts.answered += 1;
  if (answer.json.extended) world.answers.extensions.push({ approval, member });
}

export async function swear(world, client) {
  const version = world.oathVersion;
  const answer = await client.send("PUT", "/v1/oath", {
    cookie: world.people.owner.cookie,
    headers: { "if-match": `"${version}"` },
    json: { text: OATHS[version % OATHS.length] },
  });
  if (answer.status === 412) {
    // It was sworn by a request that died.
    const read = await client.send("GET", "/v1/oath", { cookie: world.people.owner.cookie });
    if (read.status === 200) world.oathVersion = Math.max(read.json.version, world.oathVersion);
    return;
  }
  if (answer.status !== 200) return refused(world, answer, "an oath");
  world.counts.answered += 1;
  world.oathVersion = answer.json.version;
  changed(world, "oath_sworn", answer.json, { version: answer.json.version });
}

export async function setMode(world, client, mode) {
  const answer = await client.send("PUT", "/v1/organization/settings", {
    cookie: world.people.owner.cookie,
    json: settingsOf(mode),
  });
  if (answer.status !== 200) return refused(world, answer, "settings");
  world.counts.answered += 1;
  changed(world, "settings_changed", answer.json, {});
}

function changed(world, kind, { policy_version }, more) {
  if (typeof policy_version === "number") world.policyVersion = Math.max(world.policyVersion, policy_version);
  world.answers.changes.push({ kind, policy_version: policy_version ?? null, ...more });
}

/** Refusals that such a crowd meets in the ordinary course; any other is a fault. */
const EXPECTED = new Set([
  "not-found",
  "approval-decided",
  "outcome-already-reported",
  "unknown-call",
  "link-invalid",
  "unavailable",
  "publish-pending",
  "overloaded",
  "not-recorded",
]);

function refused(world, answer, what) {
  world.counts.refused += 1;
  const code = answer.json?.code ?? codeOfPage(answer);
  world.refusals ??= new Map();
  world.refusals.set(code, (world.refusals.get(code) ?? 0) + 1);
  if (answer.status >= 500 || EXPECTED.has(code)) return;
  throw new Break(`${what} was refused: ${answer.status} ${answer.text.slice(0, 600)}`);
}

function codeOfPage(answer) {
  return answer.status === 404 || answer.status === 410 ? "link-invalid" : `page ${answer.status}`;
}
