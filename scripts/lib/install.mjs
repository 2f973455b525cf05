/** Brings `node_modules` to what the lock file says, and does nothing when it is there already. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { NODE, npmEnvironment, path, ROOT } from "./project.mjs";
import { Complaint, dim, Stopped, say } from "./say.mjs";

const LEAST_NODE = 20;

/** @param {AbortSignal} [stopped] */
export async function ensureInstalled(stopped) {
  const major = Number(process.versions.node.split(".", 1)[0]);
  if (major < LEAST_NODE)
    throw new Complaint(
      `Node ${LEAST_NODE} or newer is needed; this is ${process.version}. Install it and try again.`,
    );
  if (isCurrent()) return;
  say(dim("Installing the packages of package-lock.json (once, well under a minute) …"));
  const { code, output } = await npmCi(stopped);
  if (stopped?.aborted) throw new Stopped();
  if (code !== 0) throw new Complaint(whyNot(output));
  if (!nodeRuns())
    throw new Complaint(
      "npm did not run the install script of the package node, perhaps because ignore-scripts is set. Run: npm rebuild node --ignore-scripts=false",
    );
}

/** npm writes down what it has installed when it is done; an interrupted installation has no such file. */
function isCurrent() {
  const wanted = packagesOf(path("package-lock.json"));
  const present = packagesOf(path("node_modules", ".package-lock.json"));
  if (wanted === null)
    throw new Complaint("package-lock.json is missing or not readable. Run: git checkout package-lock.json");
  if (present === null || !existsSync(NODE)) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === "") return true;
    const there = present[name];
    // A package for another platform is not installed, and rightly so.
    if (there === undefined) return entry.optional === true || entry.devOptional === true;
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

function nodeRuns() {
  return spawnSync(NODE, ["--version"]).status === 0;
}

function npmCi(signal) {
  const own = process.env.npm_execpath ?? "";
  const [command, ...first] = own.endsWith("npm-cli.js")
    ? [process.env.npm_node_execpath ?? process.execPath, own]
    : ["npm"];
  return new Promise((resolve) => {
    const npm = spawn(command, [...first, "ci", "--no-audit", "--no-fund"], {
      cwd: ROOT,
      env: npmEnvironment(),
      signal,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && command === "npm",
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (chunk) => (output += chunk));
    npm.on("error", (error) => resolve({ code: 1, output: `${output}\n${error.code} spawn npm` }));
    npm.on("close", (code) => resolve({ code, output }));
  });
}

/** One line for the ways in which an installation fails on a healthy project. */
function whyNot(output) {
  if (/ENOENT spawn npm/.test(output)) return "npm is not on the PATH. Install Node with npm, and try again.";
  if (/EACCES|EPERM|EROFS/.test(output))
    return `npm may not write here. Give your user the right to write ${ROOT}, and try again.`;
  if (/ENOSPC/.test(output)) return "The disk is full. Make room and try again.";
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/i.test(
      output,
    )
  )
    return "The packages could not be fetched: npm does not reach its registry. Connect (or set npm's proxy or registry), and try again.";
  const [line] = output.split("\n").filter((text) => /^npm (error|ERR!) (?!code|A complete log)/.test(text));
  return `npm ci failed${line === undefined ? "" : `: ${line.replace(/^npm (error|ERR!) /, "")}`}. Run npm ci to see all of it.`;
}
