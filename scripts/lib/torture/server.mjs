/** Starts the Worker of a torture, kills its workerd, and starts it again on what is left on disk. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundle } from "../../../bench/serve.mjs";
import { NODE, path, ROOT, toolEnvironment } from "../project.mjs";
import { Complaint } from "../say.mjs";
import { sweep } from "../tools.mjs";
import { isFree } from "../worker.mjs";
import { Client } from "./http.mjs";

const READY_MS = 90_000;
const MOST_STARTS = 10;
const AGAIN_MS = 500;
/** Below those that connections of other programs come from: between two lives nobody holds the port. */
const PORTS = [20_000, 30_000];
const HOST = path("scripts", "lib", "torture", "host.mjs");

export class Server {
  #folder;
  #variables;
  #host = null;
  #port = 0;
  #fresh = true;
  /** Put before workerd's own command line, for a tracer. */
  #under;

  /** @param folder that everything is kept in @param under a command that runs workerd under itself */
  constructor(folder, variables, under = []) {
    this.#folder = folder;
    this.#variables = variables;
    this.#under = under;
  }

  get port() {
    return this.#port;
  }

  get origin() {
    return `http://127.0.0.1:${this.#port}`;
  }

  async prepare() {
    for (const name of ["state", "bundle"]) mkdirSync(join(this.#folder, name), { recursive: true });
    bundle(join(this.#folder, "bundle"));
    // Links name the origin that they were made for: it has to be the same after every start.
    this.#port = await freePort();
    // Its process id is workerd's own: the shell becomes it. Under a tracer it is the tracer's.
    const command = [...this.#under, workerdPath()].map(quoted).join(" ");
    writeFileSync(this.#wrapper, `#!/bin/sh\necho $$ > ${quoted(this.#pidFile)}\nexec ${command} "$@"\n`, {
      mode: 0o755,
    });
  }

  async start() {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#begin();
      } catch (error) {
        await this.kill();
        // Somebody else may hold the port for a moment.
        if (tries === MOST_STARTS || !/already in use/i.test(error.message)) throw error;
        await new Promise((later) => setTimeout(later, AGAIN_MS));
      }
    }
  }

  async #begin() {
    writeFileSync(this.#pidFile, "");
    const host = spawn(NODE, ["--no-warnings", HOST], {
      cwd: ROOT,
      env: toolEnvironment({ MINIFLARE_WORKERD_PATH: this.#wrapper }),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      detached: true,
    });
    this.#host = host;
    let said = "";
    host.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
    const ready = new Promise((resolve, reject) => {
      host.once("message", (message) => (message.ready ? resolve() : reject(new Complaint(message.why))));
      host.once("exit", () => reject(new Complaint(`The Worker ended while it started: ${said}`)));
    });
    const timer = setTimeout(() => host.kill("SIGKILL"), READY_MS);
    host.send({
      bundle: join(this.#folder, "bundle", "index.js"),
      state: join(this.#folder, "state"),
      port: this.#port,
      variables: { ...this.#variables, PUBLIC_ORIGIN: this.origin },
      fresh: this.#fresh,
    });
    try {
      await ready;
    } finally {
      clearTimeout(timer);
    }
    this.#fresh = false;
  }

  /** A client for this life of the Worker: its connections die with it. */
  client() {
    return new Client(this.#port);
  }

  /** The process that serves: workerd. */
  get pid() {
    return Number(readFileSync(this.#pidFile, "utf8"));
  }

  /** SIGKILL for workerd, then for what would start it again. Nothing of it gets to say goodbye. */
  async kill() {
    const host = this.#host;
    if (host === null) return;
    this.#host = null;
    const gone = new Promise((resolve) => {
      if (host.exitCode !== null || host.signalCode !== null) resolve();
      else host.once("exit", resolve);
    });
    const { pid } = this;
    try {
      if (pid > 0) process.kill(pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
    sweep(host);
    await gone;
    if (pid > 0) await untilGone(pid);
  }

  get #wrapper() {
    return join(this.#folder, "workerd.sh");
  }

  get #pidFile() {
    return join(this.#folder, "workerd.pid");
  }
}

/** The binary that Miniflare would run. */
function workerdPath() {
  const require = createRequire(createRequire(path("package.json")).resolve("miniflare"));
  return require("workerd").default;
}

async function untilGone(pid) {
  for (let tries = 0; tries < 500; tries += 1) {
    if (isGone(pid)) return;
    await new Promise((later) => setTimeout(later, 10));
  }
  throw new Complaint(`workerd (process ${pid}) does not end.`);
}

/** Also when it is dead and its parent has yet to hear of it: then it holds no file and no port any more. */
function isGone(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Not Linux, or gone in between.
    return false;
  }
}

async function freePort() {
  const [least, most] = PORTS;
  for (;;) {
    const port = least + Math.floor(Math.random() * (most - least));
    if (await isFree(port)) return port;
  }
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
