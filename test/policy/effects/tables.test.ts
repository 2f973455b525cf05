import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { effectsWith } from "../../../src/policy/effects/read.ts";
import { GIT_VERB_ROWS } from "../../../src/policy/effects/shell/commands/git-verbs.ts";
import { COMMAND_ROWS } from "../../../src/policy/effects/shell/commands/index.ts";
import { WORD_ROWS } from "../../../src/policy/effects/shell/commands/words.ts";
import { TABLES, type Tables, tablesOf } from "../../../src/policy/effects/tables.ts";
import { ARGUMENT_NAMES } from "../../../src/policy/effects/tools/argument-names.ts";
import type { ToolRow } from "../../../src/policy/effects/tools/row.ts";
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
/** Calls whose words, people and things are told in `said.test.ts`. */
const saidCalls = casesOf<(ToolCall & { readonly command?: string })[]>("said").map(
  ({ tool, args, command }): ToolCall => (command === undefined ? { tool, args } : shellCall(command)),
);
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

function shellCall(command: string): ToolCall {
  return { tool: "terminal", args: { command } };
}
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

  it.each(ARGUMENT_NAMES.map((row) => ({ role: row.role, row })))("arguments that are $role", ({ row }) => {
    const without = tablesOf(COMMAND_ROWS, GIT_VERB_ROWS, TOOLS, others(ARGUMENT_NAMES, row));
    expect(saidCalls.some((call) => reading(TABLES, call) !== reading(without, call))).toBe(true);
  });

  it.each(WORD_ROWS.map((row) => ({ verbs: row.verbs, row })))("what is called $verbs", ({ row }) => {
    const without = tablesOf(COMMAND_ROWS, GIT_VERB_ROWS, TOOLS, ARGUMENT_NAMES, others(WORD_ROWS, row));
    expect(saidCalls.some((call) => reading(TABLES, call) !== reading(without, call))).toBe(true);
  });
});

/** What a row says of whom and what its arguments name, and in which words. */
const TOLD = [
  "recipients",
  "copies",
  "blind_copies",
  "replies",
  "attendees",
  "members",
  "channels",
  "payees",
  "amounts",
  "currency",
  "items",
  "stored",
  "content",
  "verbs",
  "object",
  "service",
  "wording",
] as const satisfies readonly (keyof ToolRow)[];

describe("every column of a tool's row is held by a case", () => {
  const columns = TOOLS.flatMap((row) =>
    TOLD.filter((column) => row[column] !== undefined).map((column) => ({
      tool: row.canonical,
      column,
      row,
    })),
  );
  it.each(columns)("$tool: $column", ({ column, row }) => {
    const { [column]: _, ...rest } = row;
    const without = tablesOf(
      COMMAND_ROWS,
      GIT_VERB_ROWS,
      TOOLS.map((one) => (one === row ? rest : one)),
    );
    const calls = [...saidCalls, ...toolCases];
    expect(calls.some((call) => reading(TABLES, call) !== reading(without, call))).toBe(true);
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
