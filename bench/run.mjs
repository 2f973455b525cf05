/**
 * `npm run bench`: what the product's work costs, each part beside something that does the same work another way.
 * `npm run bench -- effects` runs one section alone; several may be named.
 *
 * A section is a file beside this one and a name in the list below. Its `run` prints its tables and returns whether all
 * that it asks for was met. What it measures it gives as ratios to a baseline of the same run, in rounds that take
 * turns with the baseline's (`measure.mjs`): a machine that slows down then slows both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SECTIONS = ["approvals", "decisions", "effects", "fence", "ledger", "provenance", "retention"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !SECTIONS.includes(name));
if (unknown.length) {
  console.error(`No such section: ${unknown.join(", ")}\nusage: npm run bench [-- ${SECTIONS.join(" | ")}]`);
  process.exit(2);
}

// Whatever the sections and their servers put aside goes into one folder, which goes when this does, interrupted or not.
const scratch = mkdtempSync(join(tmpdir(), "countersign-bench-"));
process.env.TMPDIR = scratch;
process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

for (const name of SECTIONS) {
  if (asked.length && !asked.includes(name)) continue;
  console.log(`== ${name}\n`);
  try {
    const section = await import(`./${name}.mjs`);
    if (!(await section.run())) process.exitCode = 1;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  console.log("");
}
