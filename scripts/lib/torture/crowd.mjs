/**
 * The crowd: agents that ask, ask again, run and report; approvers with links and with sessions of their own; an owner who
 * changes what governs. Every answer is kept. A request that dies is made again in the next life of the Worker.
 */

import { Break } from "./break.mjs";
import { Dead } from "./http.mjs";
import { OATHS, settingsOf } from "./world.mjs";

const AGENTS = 18;
const APPROVERS = 9;
/** One in so many approvals is left alone, to expire. */
const FORGOTTEN_ONE_IN = 8;
/** Files of a family that calls go for: few, so that the same action is asked for again and again. */
const FILES = 14;
const STRICT_MS = 60;
const BETWEEN_CHANGES_MS = 250;

const chance = (share) => Math.random() < share;
const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const later = (ms) => new Promise((done) => setTimeout(done, ms));

export class Crowd {
  #world;
  #client;
  #over = false;
  #work = [];
  #fault = null;

  constructor(world, client) {
    this.#world = world;
    this.#client = client;
  }

  /** Sets everybody to work; first of all, to ask again for what died unanswered. */
  begin() {
    const again = this.#world.unanswered.splice(0);
    const loops = [
      ...again.map((work) => () => this.#again(work)),
      ...Array.from({ length: AGENTS }, () => () => this.#loop(() => this.#agent())),
      ...Array.from({ length: APPROVERS }, () => () => this.#loop(() => this.#approver())),
      () => this.#owner(),
      () => this.#loop(() => this.#stranger()),
    ];
    this.#work = loops.map((loop) =>
      loop().catch((error) => {
        this.#fault ??= error;
        this.#over = true;
      }),
    );
  }

  /** True once somebody was told what must not be. */
  get isBroken() {
    return this.#fault !== null;
  }

  /** Nobody begins anything new; resolves when everybody has their answer, or knows that none comes. */
  async end() {
    this.#over = true;
    await Promise.all(this.#work);
    if (this.#fault !== null) throw this.#fault;
  }

  async #loop(step) {
    while (!this.#over) {
      try {
        await step();
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
        return;
      }
      await later(Math.random() * 15);
    }
  }

  async #again(work) {
    try {
      await this.#once(work);
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
    }
  }

  /** Does a piece of work, which is kept for the next life where no answer comes. */
  async #once(work) {
    try {
      await work(this.#client);
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
      this.#world.counts.died += 1;
      this.#world.unanswered.push(work);
      throw error;
    }
  }

  async #agent() {
    const world = this.#world;
    const family = oneOf(world.active);
    const session = oneOf(family.sessions);
    const roll = Math.random();
    const known = [...(family.calls ?? [])];
    if (roll < 0.4 || known.length === 0) {
      const call = newCall(world, family, session);
      await this.#once((client) => ask(world, client, call, chance(0.03)));
      // The harness sends the same call twice at once.
      if (chance(0.2)) await this.#once((client) => ask(world, client, call, false));
    } else if (roll < 0.78) {
      const waiting = known.filter((call) => call.verdict === "ask");
      const call = oneOf(waiting.length > 0 && chance(0.85) ? waiting : known);
      await this.#once((client) => ask(world, client, call, chance(0.04)));
    } else if (roll < 0.96) {
      const ran = known.filter((call) => call.verdict === "allow");
      if (ran.length === 0) return;
      const call = oneOf(ran);
      // One in six is never reported.
      if (call.outcome === undefined && call.number % 6 === 0) return;
      call.outcome ??= oneOf(["success", "success", "error", "unknown"]);
      await this.#once((client) => report(world, client, call));
    } else {
      const text = `Go on, please. ${Math.random()}`;
      const path = `/v1/sessions/${encodeURIComponent(session)}/turns`;
      await this.#once((client) => client.send("POST", path, { key: world.key, json: { text } }));
    }
  }

  async #approver() {
    const world = this.#world;
    const all = [...world.approvals.values()];
    const open = all.filter((approval) => !approval.answered && approval.number % FORGOTTEN_ONE_IN !== 0);
    // The newest, since who is told of an ask answers it soon; sometimes any other, which is late.
    const approval = open.length > 0 && chance(0.9) ? oneOf(open.slice(-40)) : oneOf(all.slice(-200));
    if (approval === undefined) return later(20);
    const wanted = chance(0.72) ? "approve" : "deny";
    if (chance(0.04)) return this.#once((client) => extend(world, client, approval, "admin"));
    if (chance(0.3))
      return this.#once((client) => tap(world, client, approval, oneOf(["admin", "owner"]), wanted));
    const who = oneOf(["one", "two"]);
    const url = approval.links[who] ?? (await this.#linkFor(approval, who));
    if (url !== null) await this.#once((client) => tapLink(world, client, approval, who, url, wanted));
  }

  async #linkFor(approval, who) {
    const { cookie } = this.#world.people[who];
    const answer = await this.#client.send("POST", `/v1/approvals/${approval.id}/links`, { cookie });
    if (answer.status === 409) approval.answered = true;
    if (answer.status !== 201) return null;
    const { pathname } = new URL(answer.json.url);
    approval.links[who] = pathname;
    return pathname;
  }

  /** Changes what governs: another oath; and for a moment what is asked about is blocked. */
  async #owner() {
    // What died half-way in the life before is set right first.
    let set = false;
    await this.#loop(async () => {
      if (!set) await setMode(this.#world, this.#client, "ask");
      set = true;
      await this.#govern();
    });
  }

  async #govern() {
    const world = this.#world;
    await later(BETWEEN_CHANGES_MS * (0.5 + Math.random()));
    if (chance(0.5)) await this.#once((client) => swear(world, client));
    else {
      await setMode(world, this.#client, "enforce");
      await later(STRICT_MS);
      await setMode(world, this.#client, "ask");
    }
  }

  /** Tries what they have no right to. */
  async #stranger() {
    await later(60);
    const world = this.#world;
    const approval = oneOf([...world.approvals.values()].slice(-40));
    if (approval === undefined) return;
    const json = { decision: "approve", action_digest: approval.digest };
    const path = `/v1/approvals/${approval.id}/decision`;
    const who = chance(0.5) ? { cookie: world.people.viewer.cookie } : { key: world.key };
    const answer = await this.#client.send("POST", path, { ...who, json });
    if (answer.status < 400)
      throw new Break(`${approval.id}: somebody without the right to answer was told ${answer.text}`);
    const wrong = { decision: "approve", action_digest: "0".repeat(64) };
    const other = await this.#client.send("POST", path, { cookie: world.people.admin.cookie, json: wrong });
    if (other.status === 200 && other.json.tap !== "late")
      throw new Break(`${approval.id}: an approval of another action was taken: ${other.text}`);
    // A look decides nothing, by whatever method.
    const link = Object.values(approval.links)[0];
    if (link !== undefined) await this.#client.send(oneOf(["GET", "HEAD", "OPTIONS"]), link);
  }
}

function newCall(world, family, session) {
  const file = `/home/u/keep/${Math.floor(Math.random() * FILES)}`;
  const deletes = chance(0.3);
  const call = {
    number: world.calls.size,
    family,
    session,
    call_id: world.newCallId(),
    people: deletes ? 2 : 1,
    tool: deletes ? "terminal" : "write_file",
    args: deletes ? { command: `rm ${file}` } : { path: file, content: "new" },
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
async function ask(world, client, call, waits) {
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
  const known = world.approvals.get(approval.id);
  if (known === undefined)
    world.approvals.set(approval.id, {
      id: approval.id,
      number: world.approvals.size,
      family: call.family,
      digest: action_digest,
      people: call.people,
      links: {},
      answered: approval.status !== "pending",
    });
  else if (approval.status !== "pending") known.answered = true;
}

async function report(world, client, call) {
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

async function tap(world, client, approval, who, decision) {
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

async function tapLink(world, client, approval, who, path, decision) {
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

async function extend(world, client, approval, who) {
  const { cookie, member } = world.people[who];
  const answer = await client.send("POST", `/v1/approvals/${approval.id}/extension`, { cookie });
  if (answer.status !== 200) return refused(world, answer, `an extension of ${approval.id}`);
  world.counts.answered += 1;
  if (answer.json.extended) world.answers.extensions.push({ approval, member });
}

async function swear(world, client) {
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

async function setMode(world, client, mode) {
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
