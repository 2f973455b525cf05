import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Observed } from "./tree.ts";

/** Namespaces of its own: mounts, network, processes, IPC. Without root, a user namespace gives the right to the others. */
const NAMESPACES = [
  "--mount",
  "--net",
  "--pid",
  "--ipc",
  "--fork",
  "--propagation",
  "private",
  "--kill-child",
];

/** Makes the mount and waits as first process of the new tree, so that orphans are reaped. */
const START = 'mount -t tmpfs -o mode=0755,size=96m fuzz "$1" && "$2" "$3" "$1" "$4"; exit $?';

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** True where Linux lets this user make a jail at all. */
export function canJail(): boolean {
  if (process.platform !== "linux") return false;
  const probe = ["unshare", ...(isRoot() ? [] : ["--map-root-user"]), ...NAMESPACES, "mount", "-t", "tmpfs"];
  const [program = "", ...args] = [...probe, "probe", tmpdir()];
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/**
 * A place where hostile scripts really run: a file system in memory with a few real programs, no network, no processes
 * but its own, an unprivileged user. Nothing outside is reachable, and nothing of it is left once it is closed.
 */
export class Jail {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #waiting: { resolve: (observed: Observed) => void; reject: (error: Error) => void }[] = [];
  #complaint = "";

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), "countersign-fuzz-"));
    const inside = join(import.meta.dirname, "inside.ts");
    this.#process = spawn(
      "unshare",
      [
        ...(isRoot() ? [] : ["--map-root-user"]),
        ...NAMESPACES,
        "bash",
        "-c",
        START,
        "jail",
        this.#folder,
        process.execPath,
        inside,
        isRoot() ? "root" : "mapped",
      ],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error("The jail has no pipes.");
    createInterface({ input: stdout }).on("line", (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line) as Observed);
    });
    stderr.on("data", (data: Buffer) => {
      this.#complaint = `${this.#complaint}${data}`.slice(-4_000);
    });
    this.#process.on("close", () => {
      // The mount went with its namespace; what is left is the empty folder it lay on.
      rmdirSync(this.#folder);
      for (const { reject } of this.#waiting.splice(0))
        reject(new Error(`The jail ended: ${this.#complaint}`));
    });
  }

  /** Runs one script and tells what it did. Calls are answered in order. */
  run(script: string): Promise<Observed> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin?.write(`${JSON.stringify(script)}\n`);
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.stdin?.end();
    await closed;
  }
}
