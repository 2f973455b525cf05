/** The Worker on this machine: its database's migrations, and wrangler with workerd under it. */
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { path } from "./project.mjs";
import { aborted, Complaint, Stopped } from "./say.mjs";
import { runTool, start, sweep } from "./tools.mjs";

const READY_MS = 60_000;
const STOP_MS = 5_000;
/** Lines of wrangler that are kept to explain a crash. */
const KEPT_LINES = 200;

/** How long wrangler may go on to explain an error. */
const EXPLAIN_MS = 300;

const CLI = "wrangler/wrangler-dist/cli.js";
const LEASH = pathToFileURL(path("scripts", "lib", "leash.mjs")).href;

/** Applies what is pending of `migrations/` to the local database. */
export async function migrate(persistTo, stopped) {
  const { code, output } = await runTool(
    CLI,
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo],
    {
      stopped,
    },
  );
  if (stopped?.aborted) throw new Stopped();
  if (code === 0) return;
  if (/EACCES|EROFS|EPERM|unable to open database file|readonly database/i.test(output))
    throw new Complaint(
      `The database cannot be written in ${persistTo}. Give your user the right to, and try again.`,
    );
  if (/No migrations (present|folder)/i.test(output))
    throw new Complaint("The folder migrations is missing or empty. Run: git checkout migrations");
  const pending = [...output.matchAll(/│ (\S+\.sql) +│(?: ❌)?/gu)];
  const name = (pending.find(([row]) => row.endsWith("❌")) ??
    (pending.length === 1 ? pending[0] : undefined))?.[1];
  throw new Complaint(
    `${name === undefined ? "A migration" : `Migration ${name}`} could not be applied: ${errorOf(output)} Mend it, or begin again with an empty database by deleting ${persistTo}.`,
  );
}

/**
 * Starts wrangler and waits until the Worker answers.
 * @param {object} options
 * @param {number} options.port 0 takes a free one
 * @param {string} options.persistTo the folder of the local database and objects
 * @param {string} [options.envFile] secrets; without it those of `.dev.vars`
 * @param {(line: string) => void} [options.onLine] gets what wrangler and the Worker print once it is up
 * @param {AbortSignal} [options.stopped]
 */
export async function startWorker({ port, persistTo, envFile, onLine = () => {}, stopped }) {
  const args = ["dev", "--port", String(port), "--persist-to", persistTo];
  if (envFile !== undefined) args.push("--env-file", envFile);
  const wrangler = start(CLI, [...args, "--show-interactive-dev-session=false"], {
    nodeArgs: ["--import", LEASH],
    // What the Worker logs is passed on: a quieter wrangler would keep a mail from the terminal.
    env: { WRANGLER_REGISTRY_PATH: join(persistTo, "registry"), WRANGLER_LOG: "log" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const exited = new Promise((resolve) => wrangler.on("close", (code, signal) => resolve({ code, signal })));
  const kept = [];
  const output = () => kept.join("\n");
  let up = false;
  let fail;
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  // Unheard once the Worker is up: then whoever started it looks at `exited`.
  failed.catch(() => {});
  for (const stream of [wrangler.stdout, wrangler.stderr])
    eachLine(stream, (line) => {
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      if (up) onLine(line);
      // wrangler would wait for the source to be mended; whoever runs a command waits for an answer.
      else if (line.includes("[ERROR]")) setTimeout(() => fail(whyNot(output())), EXPLAIN_MS);
    });
  exited.then(() => fail(whyNot(output())));
  if (stopped !== undefined) aborted(stopped).then(() => fail(new Stopped()));
  const timer = setTimeout(() => fail(new Complaint("The Worker did not start within a minute.")), READY_MS);

  const stop = () => end(wrangler, exited);
  try {
    const at = await Promise.race([listening(wrangler), failed]);
    const origin = `http://localhost:${at}`;
    await Promise.race([answering(origin, failed), failed]);
    up = true;
    return { origin, port: at, stop, exited, output };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** True when nothing listens on the port, on either of localhost's addresses. */
export async function isFree(port) {
  for (const host of ["127.0.0.1", "::1"]) {
    const code = await new Promise((resolve) => {
      const server = createServer();
      server.once("error", (error) => resolve(error.code));
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
    });
    // A machine without IPv6 has no ::1 to be taken.
    if (code === "EADDRINUSE" || code === "EACCES") return false;
  }
  return true;
}

/** The port that wrangler took. */
function listening(wrangler) {
  return new Promise((resolve) => {
    wrangler.on("message", (message) => {
      const event = typeof message === "string" ? JSON.parse(message) : message;
      if (event.event === "DEV_SERVER_READY") resolve(event.port);
    });
  });
}

/** wrangler listens a little before the Worker's code is there. */
async function answering(origin, failed) {
  let over = false;
  failed.catch(() => {
    over = true;
  });
  while (!over) {
    const response = await fetch(`${origin}/openapi.json`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => null,
    );
    if (response?.ok) return;
    if (response !== null) {
      const problem = await response.json().catch(() => ({}));
      throw new Complaint(
        `The Worker answers ${response.status}: ${problem.detail ?? "it does not say why"}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function end(wrangler, exited) {
  if (wrangler.exitCode === null && wrangler.signalCode === null) wrangler.kill("SIGTERM");
  const late = setTimeout(() => sweep(wrangler), STOP_MS);
  await exited;
  clearTimeout(late);
  // No workerd may keep the port or the database.
  sweep(wrangler);
}

function whyNot(output) {
  const [, place] = /(?:EACCES|EROFS|EPERM)\b[^'\n]*'([^'\n]+)'/.exec(output) ?? [];
  return new Complaint(
    place === undefined
      ? `The Worker does not start: ${errorOf(output)}`
      : `${place} cannot be written. Give your user the right to, and try again.`,
  );
}

/** The first error in wrangler's output and the line that goes with it, as one sentence. */
export function errorOf(output) {
  const lines = plain(output)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("🪵"));
  const at = lines.findIndex((line) => line.includes("[ERROR]") && !/Build failed/.test(line));
  const said =
    at === -1
      ? lines.slice(-1)
      : lines.slice(at, at + 2).filter((line, i) => i === 0 || !/^at |\[/.test(line));
  const text = (said.join(" ") || "wrangler said nothing")
    .replace(/^.*?\[ERROR\]\s*/, "")
    .replace(/[\s:]+$/, "");
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function eachLine(stream, take) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(plain(line));
  });
  stream.on("end", () => rest !== "" && take(plain(rest)));
}

/** wrangler colours its errors wherever they go. */
function plain(text) {
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}
