/** The torture itself: life after life of one Worker on one disk. */
import { aborted, bold, dim, green, red, Stopped, say } from "../say.mjs";
import { Break } from "./break.mjs";
import { Checker } from "./check.mjs";
import { Crowd } from "./crowd.mjs";
import { Server } from "./server.mjs";
import { World } from "./world.mjs";

const FAMILIES = 4;
/** A family is given up after so many lives, so that chains stay short and asks have time to expire. */
const LIVES_PER_FAMILY = 14;
/**
 * Answers after which a life ends, a moment later; and the longest that it lasts. One in six ends at once, while the last
 * one's requests are made again.
 */
const LIFE_ANSWERS = [15, 260];
const SHORT_LIFE_ANSWERS = [0, 10];
const LIFE_MS = 2_500;
const MOMENT_MS = 30;
const LOOK_MS = 3;
const LAST_LIFE_MS = 2_000;

const between = ([least, most]) => least + Math.random() * (most - least);
const later = (ms) => new Promise((over) => setTimeout(over, ms));

/** @returns the exit code */
export async function torture({ folder, kills, stopped, keep }) {
  const world = new World();
  const checker = new Checker(world);
  const server = new Server(folder, world.variables);
  let client;
  const began = Date.now();
  let done = 0;
  try {
    say(`\n  ${bold("Torture")} ${dim(`${kills} kills of one Worker, with its state on disk`)}\n`);
    await server.prepare();
    await server.start();
    client = server.client();
    await world.settle(client);
    for (let i = 0; i < FAMILIES; i += 1) await world.newFamily(client);
    while (done < kills) {
      const crowd = new Crowd(world, client);
      crowd.begin();
      const length = await lived(world, crowd, stopped);
      if (stopped.aborted) throw new Stopped();
      if (crowd.isBroken) await crowd.end();
      await server.kill();
      client.close();
      await crowd.end();
      done += 1;
      await server.start();
      client = server.client();
      await checker.check(client, world.active);
      say(
        `  ${dim(`${String(done).padStart(String(kills).length)}/${kills}`)}  killed after ${Math.round(length)} ms; ${world.active.length} chains of ${checker.entries} entries hold; ${world.counts.answered} answers kept, ${world.unanswered.length} to be asked again`,
      );
      await renew(world, client, done);
    }
    const last = new Crowd(world, client);
    last.begin();
    await Promise.race([later(LAST_LIFE_MS), aborted(stopped)]);
    if (stopped.aborted) throw new Stopped();
    await last.end();
    if (world.unanswered.length > 0)
      throw new Break(`${world.unanswered.length} requests were not answered by a Worker that lives`);
    const chains = await checker.check(client, [...world.retired, ...world.active]);
    const approvals = await checker.told(client, chains);
    const { answered, died } = world.counts;
    say(
      `\n  ${green("✓")} ${kills} kills in ${Math.round((Date.now() - began) / 1000)} s: ${answered} answers are on the ledgers as they were told, ${died} requests that died came to one truth, ${approvals} approvals had one outcome each (${tallied(chains)}), ${world.runs.size} ran, each once.\n`,
    );
    if (process.env.TORTURE_REFUSALS !== undefined) say(JSON.stringify([...(world.refusals ?? [])]));
    return 0;
  } catch (error) {
    if (!(error instanceof Break)) throw error;
    const file = keep("broken", JSON.stringify(journalOf(world), null, 1));
    process.stderr.write(
      `\n${red("✗")} Broken after ${done} kills. ${error.message}\n  All answers: ${file}\n`,
    );
    return 1;
  } finally {
    client?.close();
    await server.kill();
  }
}

/** Resolves when a life has lasted. @returns milliseconds */
async function lived(world, crowd, stopped) {
  const began = performance.now();
  const length = () => performance.now() - began;
  const enough = world.counts.answered + between(Math.random() < 1 / 6 ? SHORT_LIFE_ANSWERS : LIFE_ANSWERS);
  while (world.counts.answered < enough && length() < LIFE_MS && !crowd.isBroken && !stopped.aborted)
    await later(LOOK_MS);
  await later(Math.random() * MOMENT_MS);
  return length();
}

/** Another family in the place of one that has lived long enough. */
async function renew(world, client, lives) {
  for (const family of world.active) family.lives = (family.lives ?? 0) + 1;
  if (lives % Math.ceil(LIVES_PER_FAMILY / FAMILIES) !== 0) return;
  world.retired.push(...world.active.splice(0, 1));
  await world.newFamily(client);
}

function tallied(chains) {
  const counts = new Map();
  const add = (name) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { approvals } of chains.values())
    for (const { state, edited_into, extended_by } of approvals.values()) {
      add(edited_into === null ? state : "edited");
      if (extended_by !== null) add("given more time");
    }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}

function journalOf(world) {
  const plain = (_, value) => {
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? [...value] : value;
  };
  const { calls, approvals, answers, counts } = world;
  const bare = [...calls.values()].map(({ family: _family, ...call }) => call);
  return JSON.parse(
    JSON.stringify({ counts, calls: bare, approvals, answers }, (key, value) =>
      key === "family" || key === "links" ? undefined : plain(key, value),
    ),
  );
}
