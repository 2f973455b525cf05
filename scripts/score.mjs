/**
 * `npm run score`: judges every labelled corpus that stands beside the project and prints what its own scorer says.
 * The corpora are no part of the project; `CORPORA` names their folder, `../shared/corpora` without it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORPORA as FOLDER, ROOT } from "./lib/project.mjs";

/** What is asked of each corpus before a change may land. */
const CORPORA = [
  {
    kind: "effects",
    cases: "shell/cases.jsonl",
    needs: {
      missed: "<=0",
      false_flag: "<=0",
      backup_false: "<=0",
      exact: ">=0.95",
      backup: ">=0.97",
      risk_exact: ">=0.9",
    },
  },
];

const scorer = join(FOLDER, "score.mjs");
const present = CORPORA.filter(({ cases }) => existsSync(join(FOLDER, cases)));
if (!existsSync(scorer) || present.length === 0) {
  console.error(`No corpus in ${FOLDER}. Set CORPORA to the folder that holds them.`);
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), "countersign-score-"));
try {
  for (const { kind, cases, needs } of present) {
    const verdicts = join(dir, `${kind}.jsonl`);
    const judged = spawnSync(process.execPath, [join(ROOT, "scripts/judge.mjs"), kind], {
      stdio: [openSync(join(FOLDER, cases)), openSync(verdicts, "w"), "inherit"],
    });
    const scored = spawnSync(process.execPath, [scorer, kind, join(FOLDER, cases), verdicts], {
      encoding: "utf8",
    });
    if (judged.status !== 0 || scored.status !== 0) {
      console.error(
        `${kind}: the judge ended with ${judged.status}, the scorer with ${scored.status}\n${scored.stderr}`,
      );
      process.exitCode = 1;
      continue;
    }
    // The scorer names what is off, a line each, and closes with the figures.
    const lines = scored.stdout.trimEnd().split("\n");
    print(kind, JSON.parse(lines.pop() ?? ""), needs);
    for (const line of lines) console.log(`      ${line}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function print(kind, score, needs) {
  console.log(`${kind}: ${score.cases} cases`);
  for (const [name, need] of Object.entries(needs)) {
    const [, relation, bound] = /^([<>]=)(.+)$/.exec(need);
    const met = relation === "<=" ? score[name] <= Number(bound) : score[name] >= Number(bound);
    if (!met) process.exitCode = 1;
    console.log(
      `  ${met ? "ok " : "NOT"} ${name.padEnd(14)} ${String(score[name]).padStart(8)}   ${relation} ${bound}`,
    );
  }
  for (const [group, row] of Object.entries(score.by ?? {}))
    console.log(
      `      ${group.padEnd(14)} ${Object.entries(row)
        .map(([name, value]) => `${name} ${value}`)
        .join(", ")}`,
    );
}
