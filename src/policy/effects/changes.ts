import type { Effects, JsonObject, RiskClass } from "../types.ts";
import { type ToolOverride, type ToolTable, toolsWith } from "./overrides.ts";
import { effectsWith, originOf } from "./read.ts";
import { TABLES } from "./tables.ts";

/** How a call of a tool is read, and what decides it. */
export interface ToolReadAs {
  risks: RiskClass[];
  canonical: string;
  /** The table of known tools, the tool's name and arguments, or a row of the organization's own. */
  from: "table" | "inferred" | "override";
}

export interface ToolChange {
  tool: string;
  before: ToolReadAs;
  after: ToolReadAs;
}

/** Somebody's session, for calls that nobody makes. */
const CONTEXT = {
  environment: { home: "/home/example", cwd: "/home/example/work", variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
} as const;

/** What stands in an example call for an argument of each kind. */
const EXAMPLES: Readonly<Record<string, string>> = {
  paths: "/home/example/work/example.txt",
  urls: "https://example.com/",
  amounts: "1",
  currency: "EUR",
  command: "example-program",
  code: "example()",
  stored: "example",
  items: "example",
};
const SOMEBODY = "somebody@example.com";

/**
 * What a table changes: for each tool that either table names and that is read otherwise under the other, how an example
 * call with the arguments that the rows declare is read before and after. Sorted by name.
 */
export function changesOf(before: ToolTable, after: ToolTable): ToolChange[] {
  const rows = new Map<string, { readonly name: string; readonly overrides: ToolOverride[] }>();
  for (const override of [...before.tools, ...after.tools]) {
    for (const name of override.names) {
      const row = rows.get(name.toLowerCase()) ?? { name, overrides: [] };
      row.overrides.push(override);
      rows.set(name.toLowerCase(), row);
    }
  }
  const [then, now] = [toolsWith(TABLES, before), toolsWith(TABLES, after)];
  const changes: ToolChange[] = [];
  for (const { name, overrides } of rows.values()) {
    const args = exampleOf(overrides);
    const read = (tables: typeof then): { readonly effects: Effects; readonly as: ToolReadAs } => {
      const effects = effectsWith(tables, { tool: name, args }, CONTEXT);
      return {
        effects,
        as: { risks: [...effects.risks], canonical: effects.tool, from: originOf(tables, name, args) },
      };
    };
    const [old, fresh] = [read(then), read(now)];
    if (old.as.from !== fresh.as.from || JSON.stringify(old.effects) !== JSON.stringify(fresh.effects))
      changes.push({ tool: name, before: old.as, after: fresh.as });
  }
  return changes.sort((a, b) => (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0));
}

function exampleOf(overrides: readonly ToolOverride[]): JsonObject {
  const args: JsonObject = {};
  for (const { arguments: given } of overrides) {
    const { paths = {}, ...columns } = given;
    for (const names of Object.values(paths))
      for (const name of names ?? []) args[name] = EXAMPLES["paths"] ?? "";
    for (const [kind, names] of Object.entries(columns))
      for (const name of names ?? []) args[name] ??= EXAMPLES[kind] ?? SOMEBODY;
  }
  return args;
}
