/**
 * Decisions while a purge takes a million rows of evidence: their times beside those of the same rounds without one. The
 * purge is broken off after each round, and the next one goes on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { purgeBatch } from "../src/db/purged.ts";
import { table } from "./measure.mjs";
import { bundle, ourWorker, serve, tenant } from "./serve.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** Decisions a second, whether or not those before are answered. */
const RATE = Number(process.env.BENCH_RATE ?? 150);
const PART_MS = 10_000;
const SESSIONS = 50;
const CHUNK = 20_000;
const SPAN = 536_870_912;
/** What landing takes. */
const MOST_P99 = 1.5;
const MOST_P90 = 2.5;
const LEAST_RUNS = 5;
/** What D1 takes of one statement, and what a batch may write: a row, its places in four indexes, and its words. */
const MOST_MS = 30_000;
const MOST_WRITTEN = 200 * 8;

export async function run() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  let stop = () => {};
  try {
    const served = await serve([ourWorker("ours", bundle(dir))]);
    stop = served.stop;
    const [ours] = served.clients;
    const bench = new Bench(ours, served.database);
    await bench.fill();
    return await bench.run();
  } finally {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

class Bench {
  #ours;
  #db;
  #who;
  #calls = 0;

  constructor(ours, db) {
    this.#ours = ours;
    this.#db = db;
  }

  async fill() {
    this.#who = await tenant(this.#ours, { engines: { fence: "off" } });
    const { organization } = await this.#ours.json("GET", "/v1/organization", undefined, this.#who.owner);
    this.#who = { ...this.#who, organization };
    for (let n = 0; n < SESSIONS; n += 1)
      await this.#ours.json("PUT", `/v1/sessions/s${n}`, { home: "/home/u", cwd: "/home/u" }, this.#who.key);
    await this.#db
      .prepare(
        "INSERT INTO search_scopes (organization_id, scope) VALUES (?, 'evidence') ON CONFLICT DO NOTHING",
      )
      .bind(organization)
      .run();
    const { number } = await this.#db
      .prepare("SELECT number FROM search_scopes WHERE organization_id = ? AND scope = 'evidence'")
      .bind(organization)
      .first();
    const at = Date.now() - 60 * 24 * 60 * 60 * 1_000;
    const base = number * SPAN + 1;
    const series = `WITH RECURSIVE s(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < ?2)`;
    console.log(`${ROWS.toLocaleString("en")} rows of evidence are written`);
    for (let from = 0; from < ROWS; from += CHUNK) {
      const to = Math.min(from + CHUNK, ROWS);
      await this.#db
        .prepare(
          `INSERT INTO evidence (evidence_id, organization_id, chain, seq, n, at, session_id, agent_id, call_id, tool,
             target, claim, quote, role, condition, verdict, indexed)
           ${series} SELECT ?3 + n, ?4, 'session:old ' || (n / 100), n, 0, ?5 + n, 'old ' || (n / 100), 'agent', 'call ' || n,
             'memory', 'memory', 'User decided that number ' || n || ' ships on a Friday.',
             'number ' || n || ' ships on a Friday', 'user', 'quoted', 'pass', 1 FROM s`,
        )
        .bind(from, to, base, organization, at)
        .run();
      await this.#db
        .prepare(
          `INSERT INTO evidence_search (rowid, words)
           ${series} SELECT ?3 + n, 'user decided number ' || n || ' ships on friday w' || (n % 997) || ' w' || (n % 89) FROM s`,
        )
        .bind(from, to, base)
        .run();
    }
  }

  async run() {
    const first = await this.#batches();
    console.log(
      `${ROUNDS} rounds; ${RATE} decisions a second for ${PART_MS / 1_000} s without a purge and beside one\n`,
    );
    const before = Date.now() - 24 * 60 * 60 * 1_000;
    // Not counted: what was written is still being moved to where it stays.
    await this.#decide(PART_MS);
    await this.#decideBeside(before);
    const quiet = [];
    const beside = [];
    const left = [await this.#count()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const parts = [
        async () => quiet.push(await this.#decide(PART_MS)),
        async () => beside.push(await this.#decideBeside(before)),
      ];
      for (const part of round % 2 === 0 ? parts : parts.reverse()) await part();
      left.push(await this.#count());
    }
    const removed = left[0] - left.at(-1);
    const rest = performance.now();
    for (let done = false; !done; ) done = (await this.#purge(before)).done;
    const took = (performance.now() - rest) / 1_000;
    return this.#told({ first, quiet, beside, left, removed, took, end: await this.#count() });
  }

  /** The first batches as the product makes them, with what D1 says of each. */
  async #batches() {
    const metas = [];
    const recording = {
      prepare: (sql) => {
        const watch = (statement) => ({
          bind: (...values) => watch(statement.bind(...values)),
          all: async () => keep(await statement.all()),
          run: async () => keep(await statement.run()),
          first: async (...which) => statement.first(...which),
        });
        const keep = (answer) => {
          metas.push({ ...answer.meta, rows: answer.results.length });
          return answer;
        };
        return watch(this.#db.prepare(sql));
      },
    };
    const { organization } = this.#who;
    let mark = { step: "evidence" };
    for (let n = 0; n < 20; n += 1)
      ({ next: mark } = await purgeBatch(recording, organization, Date.now(), 0, mark));
    const most = (of) => Math.max(...metas.map(of));
    return {
      rows: most(({ rows }) => rows),
      read: most(({ rows_read }) => rows_read),
      written: most(({ rows_written }) => rows_written),
      ms: most(({ duration }) => duration),
    };
  }

  #purge(before) {
    return this.#ours.json("POST", "/v1/purge", { before }, this.#who.owner);
  }

  async #count() {
    const { n } = await this.#db
      .prepare("SELECT count(*) AS n FROM evidence WHERE organization_id = ?")
      .bind(this.#who.organization)
      .first();
    return n;
  }

  /** Decisions while purges follow each other; each works for its time and is gone on with by the next. */
  async #decideBeside(before) {
    let stopped = false;
    const purging = (async () => {
      while (!stopped) await this.#purge(before);
    })();
    // Until it is at work.
    await new Promise((later) => setTimeout(later, 300));
    const times = await this.#decide(PART_MS);
    stopped = true;
    await purging;
    return times;
  }

  /** @returns the time of each decision in ms, from the moment at which it was due */
  async #decide(ms) {
    const times = [];
    const answers = [];
    const start = performance.now();
    for (let n = 0; n < (ms / 1_000) * RATE; n += 1) {
      const due = start + (n * 1_000) / RATE;
      const wait = due - performance.now();
      if (wait > 1) await new Promise((later) => setTimeout(later, wait));
      this.#calls += 1;
      const call = { call_id: `call ${this.#calls}`, tool: "read_file", args: { path: `f${this.#calls}` } };
      const path = `/v1/sessions/s${this.#calls % SESSIONS}/decisions`;
      answers.push(
        this.#ours.json("POST", path, call, this.#who.key).then(({ verdict }) => {
          if (verdict !== "allow") throw new Error(`answered ${verdict}`);
          times.push(performance.now() - due);
        }),
      );
    }
    await Promise.all(answers);
    return times;
  }

  #told({ first, quiet, beside, left, removed, took, end }) {
    const pooled = (parts) => parts.flat().sort((a, b) => a - b);
    const at = (sorted, part) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)];
    const [alone, with_] = [pooled(quiet), pooled(beside)];
    const halves = [0, 1].map((odd) => pooled(quiet.filter((_, n) => n % 2 === odd)));
    const ratio = (part) => at(with_, part) / at(alone, part);
    const line = (name, sorted) => [name, ...[0.5, 0.9, 0.99].map((part) => at(sorted, part).toFixed(1))];
    table([
      ["a decision, ms", "p50", "p90", "p99"],
      line("without a purge", alone),
      line("beside one", with_),
      ["ratio", ...[0.5, 0.9, 0.99].map((part) => ratio(part).toFixed(2))],
      [
        "without/without",
        ...[0.5, 0.9, 0.99].map((part) => (at(halves[1], part) / at(halves[0], part)).toFixed(2)),
      ],
    ]);
    const runs = left.slice(1).filter((n, i) => n < left[i]).length;
    console.log(`
${removed.toLocaleString("en")} rows went in ${runs} runs beside decisions; the rest took ${took.toFixed(0)} s, and ${end} are left.
A batch at most: ${first.rows} rows, ${first.read.toLocaleString("en")} read, ${first.written.toLocaleString("en")} written, ${first.ms.toFixed(0)} ms.
`);
    const checks = [
      [`p99 at most ${MOST_P99} times`, ratio(0.99) <= MOST_P99],
      [`p90 at most ${MOST_P90} times`, ratio(0.9) <= MOST_P90],
      [`at least ${LEAST_RUNS} runs, each going on`, runs >= LEAST_RUNS],
      ["nothing is left", end === 0],
      [
        "every batch within its bounds",
        first.rows <= 200 && first.written <= MOST_WRITTEN && first.ms < MOST_MS,
      ],
    ];
    for (const [what, ok] of checks) console.log(`${what}: ${ok ? "met" : "missed"}`);
    return checks.every(([, ok]) => ok);
  }
}
