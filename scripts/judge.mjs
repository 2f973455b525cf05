/**
 * `npm run -s judge -- KIND < cases.jsonl > verdicts.jsonl`: the product's own pure judgement, in process. Reads JSON
 * lines and answers each with one line, same order, same `id`, at once. A malformed line is answered with an error and
 * the run goes on; the exit code says so at the end.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { effectsOf, TABLES } from "../src/policy/effects/index.ts";
import { readConfiguration, readTurn } from "../src/policy/fence/index.ts";
import { resolveModes } from "../src/policy/modes.ts";
import { Replay } from "../src/policy/replay.ts";
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

  /** `id, turns, calls, env?`: the calls of one task, replayed in order; an ask is taken as not approved. */
  fence({ turns, calls, env }, settings) {
    if (!Array.isArray(turns) || !Array.isArray(calls)) throw new TypeError("turns and calls are lists");
    const context = { environment: environmentOf(env ?? {}), self: { hosts: [], variables: [] } };
    const replay = new Replay({
      modes: resolveModes({}, {}),
      fence: readConfiguration(settings),
      tables: TABLES,
      bind: () => [],
    });
    let heard = 0;
    return {
      calls: calls.map(({ after_turn, tool, args, subagent }) => {
        for (; heard <= after_turn && heard < turns.length; heard += 1) replay.turn(heardTurn(turns[heard]));
        const { verdict, reasons } = replay.call({
          call: { tool, args, unreadable: [] },
          context,
          answerer: "human",
          subagent: typeof subagent === "string",
          key: JSON.stringify([tool, args]),
          succeeded: false,
          answered: false,
        });
        return { verdict, rules: reasons.map(({ rule_key }) => rule_key) };
      }),
    };
  },
};

function heardTurn({ text, sender_id, platform }) {
  const reading = readTurn(text);
  return {
    reading,
    compiler: "rules",
    sender: sender_id ?? null,
    platform: platform ?? null,
    midRun: false,
    harnessWritten: reading.dropped.some(({ cause }) => cause === "harness-written"),
    child: false,
  };
}

/** Where a row's calls run; defaults as the corpora's conventions have them. */
function environmentOf({ home = "/home/u", cwd, hermes_home, os = "linux" }) {
  return {
    home,
    cwd: cwd ?? `${home}/work`,
    variables: { HERMES_HOME: hermes_home ?? `${home}/.hermes` },
    os,
  };
}

const [, , kind, ...options] = process.argv;
const settingsFile = options[0] === "--config" ? options[1] : undefined;
const settings = settingsFile === undefined ? {} : JSON.parse(readFileSync(settingsFile, "utf8"));

const judge = Object.hasOwn(KINDS, kind ?? "") ? KINDS[kind] : undefined;
if (judge === undefined) {
  console.error(
    `usage: npm run -s judge -- ${Object.keys(KINDS).join("|")} [--config FILE.json] < cases.jsonl`,
  );
  process.exit(2);
}
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  let id = null;
  try {
    const row = JSON.parse(line);
    id = row.id ?? null;
    process.stdout.write(`${JSON.stringify({ id, ...judge(row, settings) })}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(
      `${JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) })}\n`,
    );
  }
}
