import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { effectsWith } from "../../../src/policy/effects/read.ts";
import { GIT_VERB_ROWS } from "../../../src/policy/effects/shell/commands/git-verbs.ts";
import { COMMAND_ROWS } from "../../../src/policy/effects/shell/commands/index.ts";
import { TABLES, type Tables, tablesOf } from "../../../src/policy/effects/tables.ts";
import { TOOLS } from "../../../src/policy/effects/tools/table.ts";
import type { JsonObject, ToolCall } from "../../../src/policy/types.ts";
import { acts, context, tool } from "./support.ts";

function casesOf<T>(name: string): T {
  return JSON.parse(readFileSync(`${import.meta.dirname}/cases/${name}.json`, "utf8")) as T;
}

interface ToolCase {
  readonly tool: string;
  readonly args: JsonObject;
  readonly canonical: string;
  readonly risks: readonly string[];
  readonly acts: readonly string[];
  readonly opaque?: readonly string[];
  readonly hosts?: readonly string[];
}

interface ToolNames {
  readonly harnesses: Readonly<Record<string, readonly string[]>>;
  /** Names that need no row, and why. */
  readonly without: Readonly<Record<string, string>>;
}

const toolCases = casesOf<ToolCase[]>("tools");
const commands = [
  "reads",
  "changes",
  "evasions",
  "copies",
  "limits",
  "fed",
  "redefined",
  "unproven",
  "misread",
].flatMap((kind) => casesOf<{ command: string }[]>(`shell-${kind}`).map(({ command }) => command));

function reading(tables: Tables, call: ToolCall): string {
  return JSON.stringify(effectsWith(tables, call, context()));
}

const shellCall = (command: string): ToolCall => ({ tool: "terminal", args: { command } });
const known = new Map(commands.map((command) => [command, reading(TABLES, shellCall(command))]));

/** True when at least one case would be read otherwise by a reader without the row. */
function isHeld(names: readonly string[], without: Tables): boolean {
  return commands.some(
    (command) =>
      names.some((name) => command.includes(name)) &&
      reading(without, shellCall(command)) !== known.get(command),
  );
}

function others<R>(rows: readonly R[], row: R): R[] {
  return rows.filter((one) => one !== row);
}

describe("every row of a table is held by a case", () => {
  it.each(COMMAND_ROWS.map((row) => ({ names: row.names, row })))("$names.0", ({ names, row }) => {
    expect(isHeld(names, tablesOf(others(COMMAND_ROWS, row), GIT_VERB_ROWS, TOOLS))).toBe(true);
  });

  it.each(GIT_VERB_ROWS.map((row) => ({ names: row.names, row })))("git $names.0", ({ names, row }) => {
    expect(isHeld(names, tablesOf(COMMAND_ROWS, others(GIT_VERB_ROWS, row), TOOLS))).toBe(true);
  });

  it.each(TOOLS.map((row) => ({ name: row.canonical, row })))("tool $name", ({ row }) => {
    const without = tablesOf(COMMAND_ROWS, GIT_VERB_ROWS, others(TOOLS, row));
    expect(toolCases.some((call) => reading(TABLES, call) !== reading(without, call))).toBe(true);
  });
});

describe("tools", () => {
  it.each(toolCases)("$tool $args", ({ tool: name, args, canonical, ...expected }) => {
    const effects = tool(name, args);
    expect(effects.tool).toBe(canonical);
    expect({
      risks: effects.risks,
      acts: acts(effects),
      opaque: effects.opaque?.causes,
      hosts: effects.hosts,
    }).toEqual({ opaque: undefined, hosts: [], ...expected });
  });

  const { harnesses, without } = casesOf<ToolNames>("tool-names");
  it.each(Object.entries(harnesses))("of %s are all known by name", (_, names) => {
    const unknown = names.filter((name) => !TABLES.tools.has(name.toLowerCase()) && !(name in without));
    expect(unknown).toEqual([]);
  });

  it("have one row for each name", () => {
    const names = TOOLS.flatMap((row) => row.names.split(" "));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
  });
});
