/**
 * What waiting for people costs: how soon many who wait for one approval hear of its decision, and what a decision of the
 * same session costs while they wait, beside the same without them. Rounds of both take turns.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, table } from "./measure.mjs";
import { bundle, Client, ourWorker, serve, tenant } from "./serve.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const WAITERS = 200;
const APPENDS = 60;
/** Appends at the beginning of each part that are not counted: whoever came to wait a moment ago is still being let in. */
const WARM = 10;
const WAIT_SECONDS = 25;
const LET_IN_MS = 2_500;
/** What landing takes. */
const MOST_WAKING_MS = 250;
const MOST_RATIO = 1.3;

const SETTINGS = { engines: { fence: "off", oath: "ask" } };
const OATH = "never modify: ~/keep/**\n";

export async function run() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  let stop = () => {};
  try {
    const served = await serve([ourWorker("ours", bundle(dir))]);
    stop = served.stop;
    const [ours] = served.clients;
    const { key, owner } = await tenant(ours, SETTINGS);
    await ours.json("PUT", "/v1/oath", { text: OATH }, { ...owner, "if-match": '"0"' });
    await ours.json("PUT", "/v1/sessions/s", { home: "/home/u", cwd: "/home/u/work" }, key);
    const bench = new Bench(ours, key, owner);
    console.log(`${ROUNDS} rounds; ${WAITERS} wait for one approval, on connections of their own\n`);
    await bench.round();
    const rounds = [];
    for (let i = 0; i < ROUNDS; i += 1) rounds.push(await bench.round(i % 2 === 1));
    return told(rounds);
  } finally {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

class Bench {
  #ours;
  #waiting;
  #key;
  #owner;
  #asks = 0;
  #appends = 0;

  constructor(ours, key, owner) {
    this.#ours = ours;
    this.#key = key;
    this.#owner = owner;
    this.#waiting = new Client(Number(new URL(ours.origin).port), WAITERS);
  }

  /**
   * Appends without waiters, twice, and with them; then the decision. What comes first takes turns.
   * @returns the times of the three in ms, and for each waiter when it heard, in ms after the decision was sent
   */
  async round(backwards = false) {
    const parts = { alone: () => this.#append(), with: () => this.#beside(), again: () => this.#append() };
    const names = Object.keys(parts);
    const result = {};
    for (const name of backwards ? names.reverse() : names) result[name] = await parts[name]();
    const { appends, woken, answered, floor } = result.with;
    return { alone: result.alone, again: result.again, with: appends, woken, answered, floor };
  }

  async #beside() {
    const { approval, action_digest } = await this.#ask();
    const path = `/v1/approvals/${approval.id}`;
    const heard = [];
    const waiters = Array.from({ length: WAITERS }, async () => {
      const { text } = await this.#waiting.send("GET", `${path}?wait=${WAIT_SECONDS}`, "", this.#key);
      heard.push(performance.now());
      return JSON.parse(text).approval?.status;
    });
    // One who is let in only after the decision is answered at once, and counts as late as it comes.
    await new Promise((later) => setTimeout(later, LET_IN_MS));
    if (heard.length > 0) throw new Error(`${heard.length} were answered before there was an answer`);
    const appends = await this.#append();
    const sent = performance.now();
    await this.#ours.json("POST", `${path}/decision`, { decision: "deny", action_digest }, this.#owner);
    const answered = performance.now();
    const statuses = await Promise.all(waiters);
    if (statuses.some((status) => status !== "denied")) throw new Error(`told ${new Set(statuses)}`);
    // What as many answers cost that wait for nothing: the least that waking could take here.
    const asked = performance.now();
    await Promise.all(Array.from({ length: WAITERS }, () => this.#waiting.send("GET", path, "", this.#key)));
    const floor = performance.now() - asked;
    return { appends, woken: heard.map((at) => at - sent), answered: answered - sent, floor };
  }

  async #ask() {
    this.#asks += 1;
    const args = { path: `/home/u/keep/${this.#asks}`, content: "new" };
    const answer = await this.#decide(`ask ${this.#asks}`, "write_file", args);
    if (answer.verdict !== "ask") throw new Error(`answered ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Decisions of the same session, one after another. @returns the time of each in ms */
  async #append() {
    const times = [];
    for (let i = 0; i < WARM + APPENDS; i += 1) {
      this.#appends += 1;
      const start = performance.now();
      const { verdict } = await this.#decide(`append ${this.#appends}`, "read_file", { path: "a.txt" });
      if (verdict !== "allow") throw new Error(`answered ${verdict}`);
      if (i >= WARM) times.push(performance.now() - start);
    }
    return times;
  }

  #decide(call_id, tool, args) {
    return this.#ours.json("POST", "/v1/sessions/s/decisions", { call_id, tool, args }, this.#key);
  }
}

function told(rounds) {
  const of = (name) => rounds.map((round) => round[name]);
  // Pooled: a round of which another program had its part would weigh as much as any other.
  const [alone, again, beside] = ["alone", "again", "with"].map((name) => median(of(name).flat()));
  const ratio = beside / median([...of("alone"), ...of("again")].flat());
  const same = again / alone;
  const last = rounds.map(({ woken }) => Math.max(...woken));
  const waking = median(last);
  const ms = (value) => value.toFixed(1);
  table([
    ["a decision of the same session, ms", "median", "ratio"],
    ["nobody waits", ms(alone), "1.00"],
    ["the same again", ms(again), same.toFixed(2)],
    [`${WAITERS} wait`, ms(beside), ratio.toFixed(2)],
  ]);
  console.log("");
  table([
    ["after the decision was sent, ms", "median of the rounds", "slowest round"],
    ["the decider has an answer", ms(median(of("answered"))), ms(Math.max(...of("answered")))],
    [
      "the median waiter hears",
      ms(median(rounds.map(({ woken }) => median(woken)))),
      ms(Math.max(...rounds.map(({ woken }) => median(woken)))),
    ],
    [`the last of ${WAITERS} hears`, ms(waking), ms(Math.max(...last))],
    [`${WAITERS} that wait for nothing are answered`, ms(median(of("floor"))), ms(Math.max(...of("floor")))],
  ]);
  const isSoon = waking <= MOST_WAKING_MS;
  const isCheap = ratio <= MOST_RATIO;
  console.log(
    `\n${isSoon ? "ok" : "too late"}: the last of ${WAITERS} hears after ${waking.toFixed(0)} ms, ${MOST_WAKING_MS} are allowed`,
  );
  console.log(
    `${isCheap ? "ok" : "too slow"}: a decision takes ${ratio.toFixed(2)} times as long while they wait, ${MOST_RATIO} are allowed`,
  );
  return isSoon && isCheap;
}
