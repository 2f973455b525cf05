/**
 * `npm run bench`: decisions per second, and their latency, as ratios to a bare Worker on the same workerd in the same
 * run. Rounds of both are interleaved, so that a machine that slows down slows both; the bare rounds' own spread is
 * printed beside, since no difference smaller than that means anything.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import { createServer } from "node:net";

const ROOT = resolve(import.meta.dirname, "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 3000);
const CONNECTIONS = 16;
const TARGET = 0.65;
const OPERATOR = "operator-token-of-the-benchmark-only-0000";

const OATH = `standing mission: keep the work moving
never delete: ~/.hermes/memories/**
never modify: ~/.ssh/**
always require backup before modify: ~/.hermes/skills/**
`;

/** What an agent asks in an ordinary minute. */
const CALLS = [
  { tool: "terminal", args: { command: "git status --short && git diff --stat" } },
  { tool: "read_file", args: { path: "src/index.ts", limit: 200 } },
  { tool: "terminal", args: { command: "rg -n 'TODO' src | head -20" } },
  { tool: "write_file", args: { path: "notes/today.md", content: "a line of notes\n".repeat(20) } },
  { tool: "patch", args: { mode: "replace", path: "src/app.ts", old_string: "a = 1", new_string: "a = 2" } },
  { tool: "terminal", args: { command: "rm -rf ~/.hermes/memories" } },
];

async function main() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const bundle = join(dir, "bundle");
  execFileSync("wrangler", ["deploy", "--dry-run", "--outdir", bundle], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
  });
  const [barePort, ourPort] = [await freePort(), await freePort()];
  const worker = (name, contents, env, object, port) => ({
    config: {
      name,
      compatibilityDate: "2026-08-04",
      manifest: { mainModule: "index.mjs", modules: { "index.mjs": { type: "esm", contents } } },
      env,
      exports: { [object]: { type: "durable-object", storage: "sqlite" } },
    },
    dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port }] },
  });
  const d1 = (id) => ({ type: "d1", id, name: id });
  const text = (value) => ({ type: "text", value });
  const mf = new Miniflare({
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: join(dir, "state"),
    workers: [
      worker(
        "bare",
        readFileSync(join(ROOT, "bench/bare-worker.mjs"), "utf8"),
        { DB: d1("bare"), BARE: { type: "durable-object", worker: "bare", exportName: "Bare" } },
        "Bare",
        barePort,
      ),
      worker(
        "ours",
        readFileSync(join(bundle, "index.js"), "utf8"),
        {
          DB: d1("ours"),
          SESSION: { type: "durable-object", worker: "ours", exportName: "SessionObject" },
          OPERATOR_TOKEN: text(OPERATOR),
          PUBLIC_ORIGIN: text(""),
        },
        "SessionObject",
        ourPort,
      ),
    ],
  });
  try {
    await mf.ready;
    const bare = new Client(barePort);
    const ours = new Client(ourPort);
    await bare.send("GET", "/setup");
    const database = await mf.getD1Database("DB", "ours");
    await migrate(database);
    const key = await tenant(ours);
    console.log(`${ROUNDS} rounds of ${ROUND_MS} ms each, ${CONNECTIONS} connections, rounds interleaved\n`);
    let worst = Number.POSITIVE_INFINITY;
    for (const sessions of [1, 200]) worst = Math.min(worst, await compare(bare, ours, key, sessions));
    console.log(worst >= TARGET ? `ok: at least ${TARGET} of the bare throughput` : `below ${TARGET} of the bare throughput`);
    process.exitCode = worst >= TARGET ? 0 : 1;
  } finally {
    await mf.dispose();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function migrate(database) {
  const { readdirSync } = await import("node:fs");
  const folder = join(ROOT, "migrations");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".sql")).sort())
    for (const statement of readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint"))
      await database.prepare(statement.trim()).run();
}

async function tenant(ours) {
  const operator = { authorization: `Bearer ${OPERATOR}` };
  const created = await ours.json("POST", "/v1/organizations", { name: "Bench", owner_name: "Owner" }, operator);
  const link = new URL(created.sign_in.url).searchParams.get("link");
  const signedIn = await ours.send("POST", "/sign-in", `link=${link}`, { "content-type": "application/x-www-form-urlencoded" });
  const cookie = String(signedIn.headers["set-cookie"]).split(";")[0];
  const agent = await ours.json("POST", "/v1/agents", { name: "bench" }, { cookie });
  const made = await ours.json("POST", `/v1/agents/${agent.agent}/keys`, { name: "bench" }, { cookie });
  await ours.json("PUT", "/v1/oath", { text: OATH }, { cookie, "if-match": '"0"' });
  return { authorization: `Bearer ${made.key}` };
}

/** Runs interleaved rounds at one number of sessions and prints the ratios. Returns the throughput's. */
async function compare(bare, ours, key, sessions) {
  const names = Array.from({ length: sessions }, (_, i) => `bench-${sessions}-${i}`);
  for (const name of names)
    await ours.json("PUT", `/v1/sessions/${name}`, { home: "/home/u", cwd: "/home/u/work" }, key);
  let n = 0;
  const askOurs = () => {
    n += 1;
    const body = JSON.stringify({ call_id: `call-${sessions}-${n}`, ...CALLS[n % CALLS.length] });
    return ours.send("POST", `/v1/sessions/${names[n % sessions]}/decisions`, body, {
      ...key,
      "content-type": "application/json",
    });
  };
  const askBare = () => {
    n += 1;
    return bare.send("POST", `/?s=${sessions}-${n % sessions}`, JSON.stringify(CALLS[n % CALLS.length]));
  };
  await round(askBare, 1000);
  await round(askOurs, 2000);
  const [bareRounds, ourRounds] = [[], []];
  for (let i = 0; i < ROUNDS; i += 1) {
    bareRounds.push(await round(askBare, ROUND_MS));
    ourRounds.push(await round(askOurs, ROUND_MS));
  }
  const perSecond = (rounds) => rounds.reduce((sum, one) => sum + one.length, 0) / ((rounds.length * ROUND_MS) / 1000);
  const pooled = (rounds) => rounds.flat().sort((a, b) => a - b);
  const [bareTimes, ourTimes] = [pooled(bareRounds), pooled(ourRounds)];
  const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const halves = (rounds) => [rounds.filter((_, i) => i % 2 === 0), rounds.filter((_, i) => i % 2 === 1)];
  const [even, odd] = halves(bareRounds);
  const ratio = perSecond(ourRounds) / perSecond(bareRounds);
  const rows = [
    ["decisions per second", perSecond(bareRounds), perSecond(ourRounds), perSecond(even) / perSecond(odd)],
    ["p50 ms", at(bareTimes, 0.5), at(ourTimes, 0.5), at(pooled(even), 0.5) / at(pooled(odd), 0.5)],
    ["p99 ms", at(bareTimes, 0.99), at(ourTimes, 0.99), at(pooled(even), 0.99) / at(pooled(odd), 0.99)],
  ];
  console.log(`${sessions} session${sessions === 1 ? "" : "s"}`.padEnd(24), "bare".padStart(10), "ours".padStart(10), "ours/bare".padStart(10), "bare/bare".padStart(10));
  for (const [name, a, b, own] of rows)
    console.log(name.padEnd(24), a.toFixed(1).padStart(10), b.toFixed(1).padStart(10), (b / a).toFixed(2).padStart(10), own.toFixed(2).padStart(10));
  console.log("");
  return ratio;
}

/** Asks with all connections for a while and returns the latency of every answer in ms. */
async function round(ask, ms) {
  const times = [];
  const until = performance.now() + ms;
  const connection = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      const answer = await ask();
      if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return times;
}

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

class Client {
  #port;
  #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(port) {
    this.#port = port;
  }

  send(method, path, body = "", headers = {}) {
    return new Promise((done, failed) => {
      const outgoing = request(
        { host: "127.0.0.1", port: this.#port, method, path, agent: this.#agent, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
        (incoming) => {
          const chunks = [];
          incoming.on("data", (chunk) => chunks.push(chunk));
          incoming.on("end", () => done({ status: incoming.statusCode, headers: incoming.headers, text: Buffer.concat(chunks).toString() }));
        },
      );
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  async json(method, path, body, headers) {
    const answer = await this.send(method, path, JSON.stringify(body), { "content-type": "application/json", ...headers });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  }
}

await main();
