/**
 * Runs scripts inside the jail: one JSON text a line in, one `Observed` a line out. It is started by `jail.ts` in
 * namespaces of its own, with the path of an empty file system that lives in memory, and ends at once anywhere else.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { type Change, CWD, HOME, type Observed, STUBS, type Started, TOOLS, TREE, WRITABLE } from "./tree.ts";

const root = process.argv[2] ?? "";
const LIMIT_MS = 2_000;
/** Nobody; as root of a namespace without privileges, the user stays who started the jail. */
const privileged = process.argv[3] === "root";
const USER = privileged ? 65_534 : 0;
const LOG = `${root}/run/started`;

/** The jail is a fresh mount in memory at a folder that `jail.ts` made, seen by a process tree that has just begun. */
function refuseElsewhere(): void {
  const own =
    basename(root).startsWith("countersign-fuzz-") &&
    statSync(root).dev !== statSync(dirname(root)).dev &&
    readdirSync(root).length === 0 &&
    process.ppid === 1 &&
    process.pid < 100;
  if (!own) throw new Error("The fuzz runs scripts only inside its own throw-away file system.");
}

function build(): void {
  for (const folder of [
    "proc",
    "dev",
    "run",
    "etc",
    "usr/bin",
    "home",
    ...WRITABLE.map((one) => one.slice(1)),
  ])
    mkdirSync(join(root, folder), { recursive: true });
  execFileSync("mount", ["-t", "proc", "proc", join(root, "proc")]);
  for (const device of ["null", "zero", "urandom"]) {
    writeFileSync(join(root, "dev", device), "");
    execFileSync("mount", ["--bind", `/dev/${device}`, join(root, "dev", device)]);
  }
  symlinkSync("/proc/self/fd", join(root, "dev/fd"));
  for (const [at, name] of ["stdin", "stdout", "stderr"].entries())
    symlinkSync(`/proc/self/fd/${at}`, join(root, "dev", name));
  symlinkSync("usr/bin", join(root, "bin"));
  for (const tool of TOOLS) copyProgram(tool);
  copyFileSync(join(root, "usr/bin/bash"), join(root, "usr/bin/sh"));
  for (const stub of STUBS) {
    const path = join(root, "usr/bin", stub);
    writeFileSync(path, `#!/bin/bash\n${noteOf("$(($#+1))", '"$' + '{0##*/}" "$@"')}\n`);
    chmodSync(path, 0o755);
  }
  writeFileSync(
    join(root, "etc/passwd"),
    `root:x:0:0::/root:/bin/sh\nu:x:${USER}:${USER}::${HOME}:/bin/bash\n`,
  );
  for (const folder of readdirSync(root)) {
    if (!/^(?:usr|lib.*|etc)$/.test(folder) || lstatSync(join(root, folder)).isSymbolicLink()) continue;
    execFileSync("mount", ["--bind", join(root, folder), join(root, folder)]);
    execFileSync("mount", ["-o", "remount,bind,ro", join(root, folder)]);
  }
  furnish();
}

/** One record: how many words, where, and the words, each ended by NUL. */
function noteOf(count: string, words: string): string {
  return `builtin printf '%s\\0' "${count}" "$PWD" ${words} >>/run/started`;
}

function pathOf(name: string): string | undefined {
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
    .map((one) => join(one, name))
    .find((one) => existsSync(one));
}

function copyProgram(name: string): void {
  const found = pathOf(name);
  if (found === undefined) return;
  copyFileSync(realpathSync(found), join(root, "usr/bin", name));
  chmodSync(join(root, "usr/bin", name), 0o755);
  const listed = spawnSync("ldd", [found], { encoding: "utf8" }).stdout;
  for (const [, library] of listed.matchAll(/(\/\S+) \(0x/g)) {
    if (library === undefined || existsSync(join(root, library))) continue;
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
    chmodSync(join(root, library), 0o755);
  }
}

function furnish(): void {
  for (const folder of WRITABLE) {
    const path = join(root, folder);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    own(path, folder === "/tmp" ? 0o1777 : 0o755);
  }
  for (const { path, text, mode } of TREE) {
    if (text === null) mkdirSync(join(root, path));
    else writeFileSync(join(root, path), text);
    own(join(root, path), mode);
  }
  // Long ago, so that any write shows.
  for (const { path } of TREE) utimesSync(join(root, path), 1_600_000_000, 1_600_000_000);
  writeFileSync(LOG, "");
  own(LOG, 0o666);
}

function own(path: string, mode: number): void {
  chmodSync(path, mode);
  if (privileged) chownSync(path, USER, USER);
}

type Look = ReadonlyMap<string, { readonly folder: boolean; readonly mode: number; readonly mark: string }>;

function look(): Look {
  const seen = new Map<string, { folder: boolean; mode: number; mark: string }>();
  const waiting: string[] = [...WRITABLE];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const full = join(root, path);
    const found = lstatSync(full, { throwIfNoEntry: false, bigint: true });
    if (found === undefined) continue;
    const folder = found.isDirectory();
    // A folder's time changes with what is in it, which is seen anyway.
    const mark = folder ? `${found.ino}` : `${found.ino} ${found.mtimeNs} ${found.size}`;
    seen.set(path, { folder, mode: Number(found.mode), mark });
    if (folder) for (const name of readdirSync(full)) waiting.push(`${path}/${name}`);
  }
  return seen;
}

function changesBetween(old: Look, now: Look): Change[] {
  const changes: Change[] = [];
  for (const [path, one] of now) {
    const was = old.get(path);
    if (was === undefined) changes.push({ verb: "create", path });
    else if (was.folder !== one.folder || (one.folder && was.mark !== one.mark))
      changes.push({ verb: "delete", path }, { verb: "create", path });
    else if (was.mark !== one.mark || was.mode !== one.mode) changes.push({ verb: "modify", path });
  }
  for (const path of old.keys()) if (!now.has(path)) changes.push({ verb: "delete", path });
  return changes;
}

function startedIn(log: string): Started[] {
  const texts = log.split("\0");
  const started: Started[] = [];
  for (let at = 0; at + 1 < texts.length; ) {
    const count = Number(texts[at]);
    if (!Number.isInteger(count) || count < 1) break;
    started.push({ cwd: texts[at + 1] ?? "", words: texts.slice(at + 2, at + 2 + count) });
    at += 2 + count;
  }
  return started;
}

/** All that a script inherits: where it is, and a note of each program that does not exist. */
const ENVIRONMENT = Object.fromEntries([
  ["PATH", "/usr/bin:/bin"],
  ["HOME", HOME],
  ["PWD", CWD],
  ["BASH_FUNC_command_not_found_handle%%", `() { ${noteOf("$#", '"$@"')}; return 127; }`],
]) as NodeJS.ProcessEnv;

/** The machine as every script finds it; `null` when the last one left traces. */
let present: Look | null = null;

function run(script: string): Observed {
  if (present === null) {
    furnish();
    present = look();
  }
  const limits = "ulimit -v 500000 -t 2 -u 120 -f 4096 -n 200 -c 0";
  const user = privileged ? [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"] : [];
  const done = spawnSync(
    pathOf("chroot") ?? "chroot",
    [
      root,
      "/usr/bin/setpriv",
      ...user,
      "--bounding-set=-all",
      "--no-new-privs",
      "/bin/bash",
      "-c",
      `${limits}; cd ${CWD}; exec /bin/bash -c "$1"`,
      "bash",
      script,
    ],
    {
      stdio: "ignore",
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
      env: ENVIRONMENT,
    },
  );
  if (done.error !== undefined && !("code" in done.error && done.error.code === "ETIMEDOUT"))
    throw done.error;
  endLeftovers();
  const now = look();
  const changes = changesBetween(present, now);
  const log = existsSync(LOG) ? readFileSync(LOG, "utf8") : "";
  if (changes.length || log !== "") present = null;
  return { changes, started: startedIn(log), status: done.status };
}

/** Whatever a script left running ends before the machine is looked at. */
function endLeftovers(): void {
  for (let round = 0; round < 20; round++) {
    const left = readdirSync(join(root, "proc")).filter(
      (name) => /^\d+$/.test(name) && Number(name) !== 1 && Number(name) !== process.pid && isAlive(name),
    );
    if (left.length === 0) return;
    for (const one of left) {
      try {
        process.kill(Number(one), "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
  }
}

function isAlive(id: string): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(join(root, "proc", id, "status"), "utf8"));
  } catch {
    return false;
  }
}

refuseElsewhere();
build();
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(run(JSON.parse(line) as string))}\n`);
}
