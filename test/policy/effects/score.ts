/**
 * Judges a file of labelled shell cases as they would come from Hermes' `terminal` tool, and prints one verdict a line.
 * Usage: node test/policy/effects/score.ts CASES.jsonl > VERDICTS.jsonl
 */
import { readFileSync } from "node:fs";
import { effectsOf } from "../../../src/policy/effects/index.ts";
import type { ReadingContext } from "../../../src/policy/types.ts";

interface Case {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly home: string;
  readonly exit_code?: number;
}

const SCORED = new Set([
  "READ",
  "WRITE",
  "DELETE",
  "EXECUTE",
  "NETWORK",
  "EXTERNAL_WRITE",
  "SHARE",
  "COMMUNICATION",
  "FINANCIAL",
]);

for (const line of readFileSync(process.argv[2] ?? "/dev/stdin", "utf8").split("\n")) {
  if (line.trim() === "") continue;
  const one = JSON.parse(line) as Case;
  const context: ReadingContext = {
    environment: {
      home: one.home,
      cwd: one.cwd,
      variables: { HERMES_HOME: `${one.home}/.hermes` },
      os: "linux",
    },
    self: { hosts: ["api.countersign.example"], variables: ["COUNTERSIGN_KEY"] },
  };
  const effects = effectsOf({ tool: "terminal", args: { command: one.command } }, context);
  const proven = (one.exit_code ?? 0) === 0;
  console.log(
    JSON.stringify({
      id: one.id,
      actions: effects.actions,
      risks: effects.risks.filter((risk) => SCORED.has(risk)),
      opaque: effects.opaque !== null,
      backup_evidence: proven ? effects.backups : [],
    }),
  );
}
