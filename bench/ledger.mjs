/**
 * What a long chain costs: appending to one of 10, of 1,000 and of 100,000 entries, in the same rounds; and verifying
 * 100,000 entries beside nothing but hashing the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLine, genesis, link, privateCommitment, TAGS, verifyChain } from "../src/ledger/index.ts";
import { DEFAULT_APPROVALS } from "../src/policy/approval/index.ts";
import { DEFAULT_CONFIGURATION } from "../src/policy/fence/index.ts";
import { median, paired, rounds, table } from "./measure.mjs";
import { bundle, ourWorker, serve, tenant } from "./serve.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const LENGTHS = [10, 1_000, Number(process.env.BENCH_ENTRIES ?? 100_000)];
const APPENDS_A_REQUEST = 2_000;
/** Appends of one part of a round. */
const APPENDS = 200;
/** What landing takes. */
const MOST_GROWTH = 1.2;
const MOST_VERIFYING = 3;

/** Calls a session's object without HTTP between: one request appends as often as it is told to. */
const APPENDER = `
import { DurableObject } from "cloudflare:workers";
export class None extends DurableObject {}
export default {
  async fetch(request, env) {
    const { name, input, from, count, at_once } = await request.json();
    const stub = env.SESSION.getByName(name);
    let next = from;
    const one = async () => {
      while (next < from + count) {
        const call = "call " + next++;
        const salt = crypto.getRandomValues(new Uint8Array(32));
        const settled = await stub.settle({
          ...input, call_id: call, decision_id: "dec_" + call,
          digest: call.padEnd(64, "0"), private: { text: JSON.stringify({ args: { path: call } }), salt },
        });
        if (!settled.ok) throw new Error(settled.code);
      }
    };
    await Promise.all(Array.from({ length: at_once }, one));
    return new Response("done");
  },
};`;

const NOTHING = { actions: [], opaque: null, backups: [], hosts: [], acts: [], recipients: [], amounts: [] };

/** A decision as the Worker would ask for it; the appender fills in what differs. */
function inputOf(session, { agent, policy_version }) {
  return {
    session,
    agent,
    key: "key",
    policy_version,
    context_version: 1,
    write: null,
    approvals: DEFAULT_APPROVALS,
    asking: null,
    tool: "read_file",
    modes: { guard: "enforce", oath: "enforce", fence: "off", provenance: "off" },
    findings: [],
    stale_policy: false,
    answerer: "human",
    host: null,
    effects: {
      ...NOTHING,
      tool: "read_file",
      risks: ["READ"],
      items: [],
      stored: [],
      deceptions: [],
      governance: [],
      unreadable: [],
    },
    environment: { home: "/home/u", cwd: "/home/u", variables: {}, os: "linux" },
    fence: DEFAULT_CONFIGURATION,
  };
}

export async function run() {
  const grown = await growth();
  console.log("");
  return verifying() && grown;
}

async function growth() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  let stop = () => {};
  try {
    const appender = {
      name: "appender",
      contents: APPENDER,
      env: { SESSION: { type: "durable-object", worker: "ours", exportName: "SessionObject" } },
      object: "None",
    };
    const served = await serve([ourWorker("ours", bundle(dir)), appender]);
    stop = served.stop;
    return await new Growth(served.clients).run();
  } finally {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

class Growth {
  #ours;
  #appender;
  #who;
  #next = new Map();

  constructor([ours, appender]) {
    this.#ours = ours;
    this.#appender = appender;
  }

  async run() {
    this.#who = await tenant(this.#ours, { engines: { fence: "off" } });
    const { organization, policy_version } = await this.#ours.json(
      "GET",
      "/v1/organization",
      undefined,
      this.#who.owner,
    );
    const { agents } = await this.#ours.json("GET", "/v1/agents", undefined, this.#who.owner);
    this.#who = { ...this.#who, organization, policy_version, agent: agents[0].agent };
    for (const length of LENGTHS.slice(1)) await this.#fill(`s${length}`, length);
    console.log(`${ROUNDS} rounds of ${APPENDS} appends to each chain, one after another\n`);
    const times = LENGTHS.map(() => []);
    const again = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const short = `short ${round}`;
      const other = `another ${round}`;
      for (const session of [short, other]) await this.#fill(session, LENGTHS[0]);
      const parts = [
        ...LENGTHS.map((length, i) => [i === 0 ? short : `s${length}`, times[i]]),
        [other, again],
      ];
      for (const [session, into] of round % 2 === 0 ? parts : parts.reverse()) {
        const ms = await this.#append(session);
        if (round >= 0) into.push(ms);
      }
    }
    const ratios = times.map((of) => paired(of, times[0]));
    table([
      ["an append to a chain of", "median ms", "ratio"],
      ...LENGTHS.map((length, i) => [
        `${length.toLocaleString("en")} entries`,
        median(times[i]).toFixed(3),
        ratios[i].toFixed(2),
      ]),
      ["10 entries, again", median(again).toFixed(3), paired(again, times[0]).toFixed(2)],
    ]);
    const ok = ratios.at(-1) <= MOST_GROWTH;
    console.log(`\n${MOST_GROWTH} is allowed between first and last: ${ok ? "met" : "missed"}`);
    return ok;
  }

  async #fill(session, length) {
    const path = `/v1/sessions/${encodeURIComponent(session)}`;
    await this.#ours.json("PUT", path, { home: "/home/u", cwd: "/home/u" }, this.#who.key);
    // One request that lasted for all of them would be cut off.
    for (let left = length - 2; left > 0; left -= APPENDS_A_REQUEST)
      await this.#appendTo(session, Math.min(left, APPENDS_A_REQUEST), 16);
    await this.#ours.json("POST", `${path}/turns`, { text: "Go on." }, this.#who.key);
    if (length < 1_000) return;
    // What is still to be delivered would be delivered meanwhile.
    const undelivered = async () =>
      (await this.#ours.json("GET", path, undefined, this.#who.key)).undelivered;
    while ((await undelivered()) > 0) await new Promise((later) => setTimeout(later, 1_000));
  }

  /** @returns milliseconds of one append */
  async #append(session) {
    const start = performance.now();
    await this.#appendTo(session, APPENDS, 1);
    return (performance.now() - start) / APPENDS;
  }

  async #appendTo(session, count, atOnce) {
    const from = this.#next.get(session) ?? 0;
    this.#next.set(session, from + count);
    const { organization } = this.#who;
    const body = {
      name: `${organization}/session/${session}`,
      input: inputOf(session, this.#who),
      from,
      count,
      at_once: atOnce,
    };
    const { status, text } = await this.#appender.send("POST", "/", JSON.stringify(body));
    if (status !== 200) throw new Error(`${status} ${text}`);
  }
}

function verifying() {
  const entries = LENGTHS.at(-1);
  const identity = { org: "org_of_the_bench", session: "a session" };
  const lines = [];
  const preimages = [];
  let head = genesis(identity);
  for (let n = 0; n < entries; n += 1) {
    const body = {
      id: `dec_${n}`,
      agent: "agt_of_the_bench",
      call_id: `call ${n}`,
      tool: "terminal",
      verdict: n % 6 === 0 ? "block" : "allow",
      enforcement: "enforced",
      rule_keys: n % 6 === 0 ? ["oath:never"] : [],
      engines: { guard: { mode: "enforce", verdict: "allow", enforcement: "enforced", rule_keys: [] } },
      risks: ["WRITE", "EXECUTE"],
      policy_version: 3,
      private: privateCommitment(new Uint8Array(32), `private ${n}`),
    };
    const next = link(head, { ...identity, at: 1_790_000_000_000 + n, kind: "decision", body });
    lines.push(exportLine(next));
    preimages.push(TAGS.body + next.body, TAGS.entry + next.entry);
    head = next;
  }
  const text = `${lines.join("\n")}\n`;
  const report = verifyChain(text);
  if (!report.ok || report.entries !== entries) throw new Error(JSON.stringify(report));
  const bytes = Buffer.byteLength(text);
  console.log(
    `verifying an export of ${entries.toLocaleString("en")} entries, ${(bytes / 1e6).toFixed(1)} MB, in one thread\n`,
  );
  const one = (part) => createHash("sha256").update(part, "utf8").digest("hex");
  const [verified, hashed, hashedAgain, whole] = rounds(
    [
      () => verifyChain(text),
      () => preimages.forEach(one),
      () => preimages.forEach(one),
      () => createHash("sha256").update(text, "utf8").digest("hex"),
    ],
    { count: ROUNDS, warm: 1 },
  );
  const ratio = paired(verified, hashed);
  const row = (name, times) => [name, median(times).toFixed(0), paired(times, hashed).toFixed(2)];
  table([
    ["", "median ms", "ratio"],
    ["each preimage hashed, and nothing else", median(hashed).toFixed(0), "1.00"],
    row("the same again", hashedAgain),
    row("verified", verified),
    row("the file hashed in one piece", whole),
  ]);
  const ok = ratio <= MOST_VERIFYING;
  console.log(`\n${MOST_VERIFYING} is allowed: ${ok ? "met" : "missed"}`);
  return ok;
}
