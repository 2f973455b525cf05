/**
 * Decisions per second, and their latency, as ratios to a bare Worker on the same workerd in the same run. Rounds of both
 * take turns; the bare rounds' own spread is printed beside, since no difference smaller than that means anything.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, table } from "./measure.mjs";
import { bundle, d1, ourWorker, ROOT, serve, tenant } from "./serve.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 3000);
const CONNECTIONS = 16;
/** What landing takes. */
const LEAST_RATIO = 0.65;
const BURST = 200;

const OATH = `standing mission: keep the work moving
never delete: ~/.hermes/memories/**
never modify: ~/.ssh/**
always require backup before modify: ~/.hermes/skills/**
`;

/** What an agent asks in an ordinary minute. No call comes twice: the same again and again in one turn is a loop, and asked about. */
const CALLS = [
  (n) => ({ tool: "terminal", args: { command: `git status --short && git diff --stat HEAD~${n}` } }),
  (n) => ({ tool: "read_file", args: { path: "src/index.ts", offset: n, limit: 200 } }),
  (n) => ({ tool: "terminal", args: { command: `rg -n 'later' src | head -${n}` } }),
  (n) => ({
    tool: "write_file",
    args: { path: "notes/today.md", content: `${n}\n${"a line of notes\n".repeat(20)}` },
  }),
  (n) => ({
    tool: "patch",
    args: { mode: "replace", path: "src/app.ts", old_string: `a = ${n}`, new_string: `a = ${n + 1}` },
  }),
  (n) => ({ tool: "terminal", args: { command: `rm -rf ~/.hermes/memories # ${n}` } }),
];
const callOf = (n) => CALLS[n % CALLS.length](n);

export async function run() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  let stop = () => {};
  try {
    const bareWorker = {
      name: "bare",
      contents: readFileSync(join(ROOT, "bench/bare-worker.mjs"), "utf8"),
      env: { DB: d1("bare"), BARE: { type: "durable-object", worker: "bare", exportName: "Bare" } },
      object: "Bare",
    };
    const served = await serve([bareWorker, ourWorker("ours", bundle(dir))]);
    stop = served.stop;
    const [bare, ours] = served.clients;
    await bare.send("GET", "/setup");
    const { key, owner } = await tenant(ours);
    await ours.json("PUT", "/v1/oath", { text: OATH }, { ...owner, "if-match": '"0"' });
    console.log(`${ROUNDS} rounds of ${ROUND_MS} ms each, ${CONNECTIONS} connections\n`);
    const ratios = [];
    for (const sessions of [1, 200]) ratios.push(await compare(bare, ours, key, sessions));
    await bursts(bare, ours, key);
    const least = Math.min(...ratios);
    const enough = least >= LEAST_RATIO;
    console.log(
      `${enough ? "ok" : "too slow"}: ${least.toFixed(2)} of the bare throughput, ${LEAST_RATIO} are asked for`,
    );
    return enough;
  } finally {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What the agent's person asked for: what of its minute is held, is held by the fence as well as by the oath. */
const WORDS =
  "Run the tests, fix src/app.ts so that they pass, and write down in notes/today.md what you changed. Don't push.";

/** Opens sessions and returns a function that asks for the next decision on the next of them. */
async function asker(ours, key, names) {
  for (const name of names) {
    await ours.json("PUT", `/v1/sessions/${name}`, { home: "/home/u", cwd: "/home/u/work" }, key);
    await ours.json("POST", `/v1/sessions/${name}/turns`, { text: WORDS }, key);
  }
  let n = 0;
  return () => {
    n += 1;
    const body = JSON.stringify({ call_id: `call ${n}`, ...callOf(n) });
    return ours.send("POST", `/v1/sessions/${names[n % names.length]}/decisions`, body, {
      ...key,
      "content-type": "application/json",
    });
  };
}

/** Runs interleaved rounds at one number of sessions and prints the ratios. Returns the throughput's. */
async function compare(bare, ours, key, sessions) {
  const askOurs = await asker(
    ours,
    key,
    Array.from({ length: sessions }, (_, i) => `of-${sessions}-${i}`),
  );
  let n = 0;
  const askBare = () => {
    n += 1;
    return bare.send("POST", `/?s=${sessions}-${n % sessions}`, JSON.stringify(callOf(n)));
  };
  await round(askBare, 1000);
  await round(askOurs, 2000);
  const [bareRounds, ourRounds] = [[], []];
  for (let i = 0; i < ROUNDS; i += 1) {
    bareRounds.push(await round(askBare, ROUND_MS));
    ourRounds.push(await round(askOurs, ROUND_MS));
  }
  const halves = [0, 1].map((rest) => bareRounds.filter((_, i) => i % 2 === rest));
  const columns = [bareRounds, ourRounds, ...halves].map(figures);
  const rows = [
    [`${sessions} session${sessions === 1 ? "" : "s"}`, "bare", "ours", "ours/bare", "bare/bare"],
  ];
  for (const [i, name] of ["decisions per second", "p50 ms", "p99 ms"].entries()) {
    const [a, b, even, odd] = columns.map((column) => column[i]);
    rows.push([name, a.toFixed(1), b.toFixed(1), (b / a).toFixed(2), (even / odd).toFixed(2)]);
  }
  table(rows);
  console.log("");
  return columns[1][0] / columns[0][0];
}

/** Per second, p50 and p99 of pooled rounds. */
function figures(rounds) {
  const times = rounds.flat().sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return [times.length / ((rounds.length * ROUND_MS) / 1000), at(0.5), at(0.99)];
}

/** The wall time of many decisions at once on one session, against as many bare requests at once. */
async function bursts(bare, ours, key) {
  const ask = await asker(ours, key, ["burst"]);
  const wall = async (work) => {
    const start = performance.now();
    await Promise.all(Array.from({ length: BURST }, work));
    return performance.now() - start;
  };
  const [plain, full] = [[], []];
  for (let i = 0; i < 8; i += 1) {
    plain.push(await wall(() => bare.send("POST", "/append?s=burst", "{}")));
    full.push(await wall(ask));
  }
  console.log(
    `${BURST} at once on one session: ${median(full).toFixed(0)} ms, ${(median(full) / median(plain)).toFixed(2)} times as many plain appends\n`,
  );
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
