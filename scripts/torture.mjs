/**
 * `npm run torture`: kills the Worker's workerd at random moments while a crowd asks, approves, denies, runs and reports,
 * and holds what was answered against what is on record after each restart. `--kills N` (50 unless said otherwise).
 * `--sync` instead follows workerd's system calls, and shows that each answer waited for the disk: what a killed process
 * cannot show, since what it wrote stays in the machine's memory.
 *
 * Exits with 1 where anything is broken, and says what; with 2 where nothing could be checked.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./lib/install.mjs";
import { NODE } from "./lib/project.mjs";
import { Complaint, run, stopSignal } from "./lib/say.mjs";

const MAX_KILLS = 10_000;

await run(async () => {
  const { kills, sync } = options();
  const stopped = stopSignal();
  await ensureInstalled(stopped);
  // The checks are those of the product, in its own language, which an older Node does not read.
  if (!process.features.typescript) return onOurNode(stopped);
  const folder = mkdtempSync(join(tmpdir(), "countersign-torture-"));
  const keep = (name, text) => {
    const file = join(tmpdir(), `countersign-torture-${name}-${process.pid}.json`);
    writeFileSync(file, text);
    return file;
  };
  try {
    if (sync) return await (await import("./lib/torture/sync.mjs")).traceSyncs({ folder, stopped });
    return await (await import("./lib/torture/torture.mjs")).torture({ folder, kills, stopped, keep });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});

/** @returns its exit code */
function onOurNode(stopped) {
  const child = spawn(NODE, ["--no-warnings", fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  stopped.addEventListener("abort", () => child.kill("SIGTERM"));
  return new Promise((done) => child.on("close", (code) => done(code ?? 1)));
}

function options() {
  let values;
  try {
    ({ values } = parseArgs({
      options: { kills: { type: "string", default: "50" }, sync: { type: "boolean", default: false } },
    }));
  } catch (error) {
    throw new Complaint(`${error.message} Usage: npm run torture [-- --kills N | --sync]`);
  }
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1 || kills > MAX_KILLS)
    throw new Complaint(`"${values.kills}" is not a number of kills from 1 to ${MAX_KILLS}.`);
  return { kills, sync: values.sync };
}
