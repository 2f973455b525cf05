/**
 * `npm run -s judge -- KIND < cases.jsonl > verdicts.jsonl`: the product's own pure judgement, in process. Reads JSON
 * lines and answers each with one line, same order, same `id`, at once. A malformed line is answered with an error and
 * the run goes on; the exit code says so at the end.
 */
import { createInterface } from "node:readline";
import { effectsOf } from "../src/policy/effects/index.ts";
import { KINDS as PROVENANCE } from "./lib/judge/provenance.mjs";

/** Classes that follow from which path it is, or from whose: a reading of the command alone does not know them. */
const BY_PATH = new Set(["PERSISTENT", "CREDENTIAL", "GOVERNANCE"]);

const KINDS = {
  ...PROVENANCE,
  /** `id, command, cwd, home, exit_code?`, as the Hermes `terminal` tool runs it. */
  effects({ command, cwd, home, exit_code }) {
    if (typeof command !== "string" || typeof cwd !== "string" || typeof home !== "string")
      throw new TypeError("command, cwd and home are texts");
    const { actions, risks, opaque, backups } = effectsOf(
      { tool: "terminal", args: { command } },
      {
        environment: { home, cwd, variables: { HERMES_HOME: `${home}/.hermes` }, os: "linux" },
        self: { hosts: [], variables: [] },
      },
    );
    return {
      actions,
      risks: risks.filter((risk) => !BY_PATH.has(risk)),
      opaque: opaque !== null,
      // A copy counts only once it is known to have succeeded.
      backup_evidence: (exit_code ?? 0) === 0 ? backups : [],
    };
  },
};

const judge = KINDS[process.argv[2]];
if (judge === undefined) {
  console.error(`usage: npm run -s judge -- ${Object.keys(KINDS).join("|")} < cases.jsonl`);
  process.exit(2);
}
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  let id = null;
  try {
    const row = JSON.parse(line);
    id = row.id ?? null;
    process.stdout.write(`${JSON.stringify({ id, ...judge(row) })}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(
      `${JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) })}\n`,
    );
  }
}
