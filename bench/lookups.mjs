/**
 * A hundred quoted claims against 15 MB of what an agent's users typed, in profile scope: one decision over HTTP, from the
 * credential to the ledger, beside a request that makes one full-text query for one quote on the same database and does
 * nothing else. Both over HTTP, in the same rounds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needleOf, pairQuery } from "../src/policy/provenance/index.ts";
import { median, table } from "./measure.mjs";
import { bundle, d1, ourWorker, serve, tenant } from "./serve.mjs";

const TYPED_BYTES = 15_000_000;
const MESSAGE_BYTES = 2_000;
const SESSIONS = 50;
const CLAIMS = 100;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
/** How many times a full-text query for one quote a hundred quoted claims may cost. */
const ALLOWED = 20;

/** Asks the index itself for one quote, as anybody would who has a database at hand. */
const ASKER = `
import { DurableObject } from "cloudflare:workers";
export class None extends DurableObject {}
export default {
  async fetch(request, env) {
    const { match, needle } = await request.json();
    const { results } = await env.DB.prepare(
        "SELECT s.text FROM said_search AS f JOIN said AS s ON s.said_id = f.rowid WHERE said_search MATCH ? AND instr(s.searchable, ?) > 0 LIMIT 8",
    ).bind(match, needle).all();
    return Response.json({ found: results.length });
  },
};`;

const VOCABULARY = 5_000;
const SYLLABLES =
  "an be cor da el fi gra hu in jo ka lor me nu os pre qui ra sta te un vor wi xe yo zan".split(" ");

/** A word of a made-up language, by its rank: the commonest are short. */
function word(rank) {
  let text = "";
  for (let left = rank + 1; left > 0; left = Math.floor(left / SYLLABLES.length))
    text += SYLLABLES[left % SYLLABLES.length];
  return text;
}

/** Words as often as a language uses them: the second half as often as the first, the third a third (Zipf). */
function sayer(random) {
  const sums = [];
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank += 1) {
    sum += 1 / (rank + 2.7);
    sums.push(sum);
  }
  const words = sums.map((_, rank) => word(rank));
  return () => {
    const at = random() * sum;
    let low = 0;
    for (let high = sums.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return words[low];
  };
}

export async function lookups() {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
  let stop = () => {};
  try {
    const asker = { name: "asker", contents: ASKER, env: { DB: d1("ours") }, object: "None" };
    const served = await serve([ourWorker("ours", bundle(dir)), asker]);
    stop = served.stop;
    const [ours, other] = served.clients;
    const settings = { engines: { fence: "off", provenance: "enforce" }, provenance: { search: "profile" } };
    const { key } = await tenant(ours, settings);
    const texts = await fill(ours, key);
    return await compare(ours, other, key, texts);
  } finally {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What was typed, turn by turn, until all of it can be searched. */
async function fill(client, key) {
  const say = sayer(generator(7));
  const texts = Array.from({ length: Math.ceil(TYPED_BYTES / MESSAGE_BYTES) }, (_, n) => {
    let text = `message ${n}:`;
    while (text.length < MESSAGE_BYTES) text += ` ${say()}`;
    return text;
  });
  for (let n = 0; n < SESSIONS; n += 1) await client.json("PUT", `/v1/sessions/s${n}`, {}, key);
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let at = next++; at < texts.length; at = next++)
        await client.json("POST", `/v1/sessions/s${at % SESSIONS}/turns`, { text: texts[at] }, key);
    }),
  );
  for (let n = 0; n < SESSIONS; n += 1)
    while ((await client.json("GET", `/v1/sessions/s${n}`, undefined, key)).undelivered > 0)
      await new Promise((done) => setTimeout(done, 500));
  return texts;
}

async function compare(ours, other, key, texts) {
  const random = generator(11);
  await ours.json("PUT", "/v1/sessions/writing", {}, key);
  const times = { claims: [], query: [] };
  let misses = 0;
  for (let round = -2; round < ROUNDS; round += 1) {
    const quotes = Array.from({ length: CLAIMS }, () =>
      quoteOf(texts[Math.floor(random() * texts.length)], random),
    );
    const content = quotes.map((quote, n) => `User approved line ${n} ("${quote}").`).join("\n");
    const call = {
      call_id: `write ${round}`,
      tool: "memory",
      args: { action: "add", target: "memory", content },
    };
    const started = performance.now();
    const { write, engines } = await ours.json("POST", "/v1/sessions/writing/decisions", call, key);
    const claimed = performance.now() - started;
    if (write.claims !== CLAIMS) throw new Error(`${write.claims} claims were seen`);
    if (engines.provenance.reasons.some(({ rule_key }) => rule_key === "provenance:quote-not-found"))
      misses += 1;
    const begun = performance.now();
    for (const quote of quotes.slice(0, ALLOWED)) await other.json("POST", "/", asked(quote), {});
    const queried = (performance.now() - begun) / ALLOWED;
    if (round < 0) continue;
    times.claims.push(claimed);
    times.query.push(queried);
  }
  const ratio = median(times.claims.map((ms, round) => ms / times.query[round]));
  const isFine = ratio <= ALLOWED && misses === 0;
  console.log(
    `\n${CLAIMS} quoted claims in one write, ${(TYPED_BYTES / 1e6).toFixed(0)} MB typed in ${texts.length} messages; one decision over HTTP\nbeside one request that makes a full-text query for one quote on the same database; ms, median of ${ROUNDS} rounds.\n`,
  );
  table([
    ["", "one query", "decision", "of it", "allowed", ""],
    [
      "profile scope",
      median(times.query).toFixed(2),
      median(times.claims).toFixed(1),
      ratio.toFixed(1),
      String(ALLOWED),
      isFine ? "ok" : misses > 0 ? `${misses} rounds missed a quote` : "too slow",
    ],
  ]);
  return isFine;
}

/** A quote as an index is asked for it. */
function asked(quote) {
  const needle = needleOf(quote);
  return { match: pairQuery(needle), needle };
}

/** Eight to twelve words of what was typed. */
function quoteOf(text, random) {
  const words = text.split(" ");
  const from = 2 + Math.floor(random() * (words.length - 16));
  return words.slice(from, from + 8 + Math.floor(random() * 5)).join(" ");
}

/** The same numbers every time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
