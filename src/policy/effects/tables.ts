import type { Overrides } from "./overrides.ts";
import type { GitVerb } from "./shell/commands/git-verbs.ts";
import { GIT_VERB_ROWS } from "./shell/commands/git-verbs.ts";
import { COMMAND_ROWS } from "./shell/commands/index.ts";
import type { Row } from "./shell/commands/row.ts";
import { verbsOf, WORD_ROWS, type WordRow } from "./shell/commands/words.ts";
import { ARGUMENT_NAMES, type ArgumentRole, type NameRow, rolesOf } from "./tools/argument-names.ts";
import type { ToolRow } from "./tools/row.ts";
import { TOOLS } from "./tools/table.ts";

/** Everything a reader knows by name. */
export interface Tables {
  readonly commands: ReadonlyMap<string, Row>;
  readonly gitVerbs: ReadonlyMap<string, GitVerb>;
  /** By name in lower case, since harnesses disagree about it. */
  readonly tools: ReadonlyMap<string, ToolRow>;
  /** An organization's own rows over the table of tools. */
  readonly overrides?: Overrides;
  /** What arguments are, by their names, where no row of a tool says it. */
  readonly roles: ReadonlyMap<string, ArgumentRole>;
  /** What people call what a program does. */
  readonly verbs: ReadonlyMap<string, readonly string[]>;
}

/** Lookups over lists of rows; the first row that claims a name keeps it. */
export function tablesOf(
  commands: readonly Row[],
  gitVerbs: readonly GitVerb[],
  tools: readonly ToolRow[],
  names: readonly NameRow[] = ARGUMENT_NAMES,
  words: readonly WordRow[] = WORD_ROWS,
): Tables {
  return {
    commands: byName(commands, (row) => row.names),
    gitVerbs: byName(gitVerbs, (row) => row.names),
    tools: byName(tools, (row) => row.names.split(" ")),
    roles: rolesOf(names),
    verbs: verbsOf(words),
  };
}

export const TABLES: Tables = tablesOf(COMMAND_ROWS, GIT_VERB_ROWS, TOOLS);

function byName<R>(rows: readonly R[], namesOf: (row: R) => readonly string[]): ReadonlyMap<string, R> {
  const found = new Map<string, R>();
  for (const row of rows) for (const name of namesOf(row)) if (!found.has(name)) found.set(name, row);
  return found;
}
