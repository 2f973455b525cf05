import fc from "fast-check";
import { describe, it } from "vitest";
import { effectsWith, explainCall, TABLES } from "../../../src/policy/effects/index.ts";
import type { JsonObject, ReadingContext } from "../../../src/policy/types.ts";
import changes from "./cases/shell-changes.json" with { type: "json" };
import copies from "./cases/shell-copies.json" with { type: "json" };
import evasions from "./cases/shell-evasions.json" with { type: "json" };
import fed from "./cases/shell-fed.json" with { type: "json" };

const CONTEXT: ReadingContext = {
  environment: { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
};

const COMMANDS = [...changes, ...copies, ...evasions, ...fed].map(({ command }) => command);

function faultsOf(tool: string, args: JsonObject): string[] {
  const call = { tool, args };
  const { effects, explanation } = explainCall(TABLES, call, CONTEXT);
  const faults: string[] = [];
  if (JSON.stringify(effects) !== JSON.stringify(effectsWith(TABLES, call, CONTEXT)))
    faults.push("the reading is another one with a trace");
  for (const { text, start, end, quote, found } of explanation.steps) {
    if (found.length === 0) faults.push("a step without a fact");
    if (text === null) continue;
    const spelled = explanation.texts[text]?.slice(start, end) ?? "";
    if (quote !== spelled && !quote.endsWith("…")) faults.push(`${quote} is not ${spelled}`);
  }
  const told = new Set(
    explanation.steps.flatMap(({ found }) =>
      found.map((one) => (one.fact === "acts" ? `${one.verb} ${one.path}` : "")),
    ),
  );
  if (!explanation.truncated)
    for (const { verb, path } of effects.actions)
      if (!told.has(`${verb} ${path}`)) faults.push(`nobody tells of ${verb} ${path}`);
  return faults;
}

describe("a trace", () => {
  it("tells every action where it stands, and changes no reading", ({ expect }) => {
    expect(COMMANDS.length).toBeGreaterThan(100);
    const faulty = COMMANDS.flatMap((command) =>
      faultsOf("terminal", { command }).map((fault) => `${command}: ${fault}`),
    );
    expect(faulty).toEqual([]);
  });

  it("does so whatever commands are put together", ({ expect }) => {
    const command = fc.constantFrom(...COMMANDS);
    const joint = fc.constantFrom(" && ", "; ", " | ", "\n", " || ", " & ");
    const wrap = fc.constantFrom(
      (text: string) => text,
      (text: string) => `(${text})`,
      (text: string) => `bash -c '${text.replaceAll("'", "'\\''")}'`,
      (text: string) => `if true; then\n${text}\nfi`,
    );
    fc.assert(
      fc.property(command, joint, command, wrap, (a, between, b, around) => {
        expect(faultsOf("terminal", { command: around(`${a}${between}${b}`) })).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("stays bounded", ({ expect }) => {
    const command = Array.from({ length: 1000 }, (_, i) => `rm f${i}`).join("\n");
    const { explanation } = explainCall(TABLES, { tool: "terminal", args: { command } }, CONTEXT);
    expect(explanation.truncated).toBe(true);
    expect(explanation.steps.length).toBeLessThanOrEqual(500);
  });
});
