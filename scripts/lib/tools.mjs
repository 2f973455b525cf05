/** Runs the tools of `node_modules` on the Node that is there too, each in a process group of its own. */
import { spawn } from "node:child_process";
import { NODE, path, ROOT, toolEnvironment } from "./project.mjs";

/**
 * Starts a tool. What it starts in turn is in its group, so that {@link sweep} can end all of it.
 * @param {string} program its file below node_modules
 * @param {import("node:child_process").SpawnOptions & {nodeArgs?: string[]}} options
 */
export function start(program, args, { nodeArgs = [], env, ...options }) {
  return spawn(NODE, ["--no-warnings", ...nodeArgs, path("node_modules", program), ...args], {
    cwd: ROOT,
    env: toolEnvironment(env),
    detached: process.platform !== "win32",
    ...options,
  });
}

/**
 * Runs a tool to its end.
 * @param {{stopped?: AbortSignal, show?: boolean, limitMs?: number, env?: Record<string, string>}} options `show` lets it print as it goes
 * @returns {Promise<{code: number | null, output: string, late: boolean}>} `late` when it was ended at its limit
 */
export function runTool(program, args, { stopped, show = false, limitMs, env } = {}) {
  return new Promise((resolve) => {
    const child = start(program, args, {
      env,
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    });
    let output = "";
    let late = false;
    const end = () => sweep(child);
    const limit = () => {
      late = true;
      end();
    };
    const timer = limitMs === undefined ? undefined : setTimeout(limit, limitMs);
    stopped?.addEventListener("abort", end);
    const settle = (code) => {
      clearTimeout(timer);
      stopped?.removeEventListener("abort", end);
      resolve({ code, output, late });
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => {
      output += error.message;
      settle(1);
    });
    child.on("close", settle);
  });
}

/** Ends whatever is left of a tool's group. */
export function sweep(child) {
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
