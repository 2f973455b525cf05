/** The Worker on this machine: its database's migrations, and wrangler with workerd under it. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NODE, path, ROOT, toolEnvironment } from "./project.mjs";
import { aborted, Complaint, Stopped } from "./say.mjs";

const READY_MS = 60_000;
const STOP_MS = 5_000;
/** Lines of wrangler that are kept to explain a crash. */
const KEPT_LINES = 200;

const CLI = path("node_modules", "wrangler", "wrangler-dist", "cli.js");

/** Applies what is pending of `migrations/` to the local database. */
export async function migrate(persistTo, stopped) {
  const { code, output } = await wrangler(
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo],
    stopped,
  );
  if (stopped?.aborted) throw new Stopped();
  if (code === 0) return;
  if (/EACCES|EROFS|EPERM|unable to open database file|readonly database/i.test(output))
    throw new Complaint(
      `The database cannot be written in ${persistTo}. Give your user the right to, and try again.`,
    );
  const name = /\b(\d{4}_[\w-]+\.sql)\b[^\n]*❌/u.exec(output)?.[1];
  throw new Complaint(
    `${name === undefined ? "The database's migrations" : `Migration ${name}`} could not be applied: ${errorOf(output)} To begin again with an empty database, delete ${persistTo}.`,
  );
}

/**
 * Starts wrangler and waits until the Worker answers.
 * @param {{port: number, persistTo: string, envFile?: string, onLine?: (line: string) => void, stopped?: AbortSignal}} options port 0 takes a
 *   free one; without `envFile` the secrets are those of `.dev.vars`; `onLine` gets what wrangler and the Worker print
 *   once it is up
 */
export async function startWorker({ port, persistTo, envFile, onLine = () => {}, stopped }) {
  const secrets = envFile === undefined ? [] : ["--env-file", envFile];
  const process_ = spawnWrangler(
    [
      "dev",
      "--port",
      String(port),
      "--persist-to",
      persistTo,
      ...secrets,
      "--show-interactive-dev-session=false",
    ],
    ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own: a Ctrl-C reaches it through us, once, and what hangs can be ended as a whole.
    { detached: true, env: toolEnvironment({ WRANGLER_REGISTRY_PATH: join(persistTo, "registry") }) },
  );
  const kept = [];
  let up = false;
  for (const stream of [process_.stdout, process_.stderr])
    eachLine(stream, (line) => {
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      if (up) onLine(line);
    });
  const exited = new Promise((resolve) => process_.on("close", (code, signal) => resolve({ code, signal })));
  const output = () => kept.join("\n");
  const stop = () => end(process_, exited);

  try {
    const abort =
      stopped === undefined
        ? new Promise(() => {})
        : aborted(stopped).then(() => Promise.reject(new Stopped()));
    // Unheard once the Worker is up: then whoever started it waits for the signal.
    abort.catch(() => {});
    const at = await Promise.race([ready(process_, exited, output), abort]);
    const origin = `http://localhost:${at}`;
    await answers(origin, exited, output);
    up = true;
    return { origin, port: at, stop, exited, output };
  } catch (error) {
    await stop();
    throw error;
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

function ready(process_, exited, output) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Complaint("The Worker did not start within a minute. Try again.")),
      READY_MS,
    );
    const settle = (act, value) => {
      clearTimeout(timer);
      act(value);
    };
    process_.on("message", (message) => {
      const event = typeof message === "string" ? JSON.parse(message) : message;
      if (event.event === "DEV_SERVER_READY") settle(resolve, event.port);
    });
    // wrangler waits for a mended source; whoever runs a command waits for an answer.
    for (const stream of [process_.stdout, process_.stderr])
      stream.on("data", () => {
        if (/Build failed|\[ERROR\]/.test(output()))
          setTimeout(
            () => settle(reject, new Complaint(`The Worker does not start: ${errorOf(output())}`)),
            300,
          );
      });
    exited.then(() => settle(reject, new Complaint(`The Worker did not start: ${errorOf(output())}`)));
  });
}

/** wrangler is ready a little before the Worker's code is. */
async function answers(origin, exited, output) {
  let gone = false;
  exited.then(() => (gone = true));
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && !gone) {
    try {
      const response = await fetch(`${origin}/openapi.json`, { signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      if (response.ok) return;
      throw new Complaint(
        `The Worker answers ${response.status}: ${text.slice(0, 300)} ${errorOf(output())}`,
      );
    } catch (error) {
      if (error instanceof Complaint) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Complaint(`The Worker does not answer: ${errorOf(output())}`);
}

async function end(process_, exited) {
  if (process_.exitCode !== null || process_.signalCode !== null) return sweep(process_);
  process_.kill("SIGTERM");
  const late = setTimeout(() => sweep(process_), STOP_MS);
  await exited;
  clearTimeout(late);
  sweep(process_);
}

/** Ends whatever is left of wrangler's group, so that no workerd keeps the port or the database. */
function sweep(process_) {
  try {
    process.kill(-process_.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}

/** Runs a wrangler command to its end. */
export function wrangler(args, signal) {
  return new Promise((resolve) => {
    const process_ = spawnWrangler(args, ["ignore", "pipe", "pipe"], { signal });
    let output = "";
    for (const stream of [process_.stdout, process_.stderr]) stream.on("data", (chunk) => (output += chunk));
    process_.on("error", (error) => resolve({ code: 1, output: String(error) }));
    process_.on("close", (code) => resolve({ code, output }));
  });
}

function spawnWrangler(args, stdio, options) {
  const leash = stdio.includes("ipc")
    ? ["--import", pathToFileURL(path("scripts", "lib", "leash.mjs")).href]
    : [];
  return spawn(NODE, ["--no-warnings", ...leash, CLI, ...args], {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio,
    ...options,
  });
}

/** The first error in wrangler's output, as one sentence. */
export function errorOf(output) {
  const lines = output
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .map((line) => line.trim());
  const at = lines.findLastIndex((line) => /\[ERROR\]|^(?:Uncaught )?\w*Error\b/.test(line));
  const said =
    at === -1
      ? lines.findLast((line) => line !== "")
      : [lines[at], lines.slice(at + 1).find((line) => line !== "")].join(" ");
  const text = (said ?? "wrangler said nothing")
    .replace(/^.*?\[ERROR\]\s*/, "")
    .replace(/\s+/g, " ")
    .trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function eachLine(stream, take) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  stream.on("end", () => rest !== "" && take(rest));
}
