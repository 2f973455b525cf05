/**
 * An organization's own rows over the table of tools: parsed and checked when they are saved, applied to every reading.
 *
 * A row takes the place of what would be inferred from a tool's name. Over a tool that the table knows, it only adds: what
 * such a tool does to files is in its arguments, and an oath must go on seeing it. For shells, code, patches, process
 * control and bridges a row is refused, since one class for all that they may be told would either say nothing or be
 * wrong for most. Whatever a row says, a call that reaches for Countersign itself, for its keys, for hook configuration
 * or for credentials is still seen to.
 */
import type { JsonValue, RiskClass } from "../types.ts";
import { RISK_CLASSES } from "../types.ts";
import { TABLES, type Tables } from "./tables.ts";
import type { ToolReading } from "./tools/arguments.ts";
import { actionsNamed } from "./tools/orders.ts";
import type { ToolRow } from "./tools/row.ts";
import { isBridge, splitName } from "./tools/server.ts";
import { readCommands } from "./tools/shells.ts";

/** Argument names by what they hold; a name may be nested in the arguments, and counts wherever it stands. */
const ARGUMENTS = [
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
  "urls",
  "command",
  "code",
] as const;
const PATHS = ["writes", "edits", "creates", "deletes", "reads"] as const;

export interface OverrideArguments
  extends Readonly<Partial<Record<(typeof ARGUMENTS)[number], readonly string[]>>> {
  readonly paths?: Readonly<Partial<Record<(typeof PATHS)[number], readonly string[]>>>;
}

/** `{name | names, risks, capability?, arguments?, reads_only_actions?}`, as it is sent; `name` has become `names`. */
export interface ToolOverride {
  readonly names: readonly string[];
  readonly risks: readonly RiskClass[];
  /** What the tool is called in decisions, e.g. `crm.write`. */
  readonly capability: string | null;
  readonly arguments: OverrideArguments;
  /** Values of an `action` argument, or one of its kin, with which the tool only reads. */
  readonly reads_only_actions: readonly string[];
}

export interface ToolTable {
  readonly tools: readonly ToolOverride[];
}

export interface ToolTableFault {
  /** JSON pointer into the table. */
  readonly pointer: string;
  /** Stable kebab-case. */
  readonly code: string;
  readonly message: string;
}

export type ParsedToolTable =
  | { readonly ok: true; readonly table: ToolTable }
  | { readonly ok: false; readonly faults: readonly ToolTableFault[] };

const MAX_ROWS = 500;
const MAX_BYTES = 64 * 1024;
const MAX_NAMES = 32;
const MAX_ARGUMENT_NAMES = 32;
const MAX_ACTIONS = 64;
const MAX_FAULTS = 500;

/** Classes that a row may claim. What reaches for Countersign itself is found, never claimed. */
const CLAIMABLE: ReadonlySet<string> = new Set(RISK_CLASSES.filter((risk) => risk !== "GOVERNANCE"));

/** Rows of the table whose whole effect is in their arguments. */
const ARGUMENT_RULED: ReadonlySet<string> = new Set([
  "shell",
  "foreign_shell",
  "process",
  "execute_code",
  "patch",
]);

/** True for a tool whose effect no row and no hint can sum up. */
export function isArgumentRuled(row: ToolRow | null): boolean {
  return row !== null && ARGUMENT_RULED.has(row.canonical);
}

/** Checks a table as it was sent. All faults at once; total on any JSON. The order of rows means nothing. */
export function parseToolTable(value: unknown): ParsedToolTable {
  const parser = new TableParser();
  const table = parser.table(value);
  return parser.faults.length ? { ok: false, faults: parser.faults } : { ok: true, table };
}

class TableParser {
  readonly faults: ToolTableFault[] = [];
  readonly #claimed = new Map<string, string>();

  table(value: unknown): ToolTable {
    const size = sizeOf(value);
    if (size === null || size > MAX_BYTES) {
      this.#fault("", "too-large", `The table is larger than ${MAX_BYTES / 1024} KiB.`);
      return { tools: [] };
    }
    const table = this.#object(value, "", ["tools"]);
    if (table === null) return { tools: [] };
    const rows = table["tools"];
    if (!Array.isArray(rows)) {
      this.#fault("/tools", rows === undefined ? "missing" : "not-a-list", "Give the rows as a list.");
      return { tools: [] };
    }
    if (rows.length > MAX_ROWS) {
      this.#fault("/tools", "too-many-rows", `A table has at most ${MAX_ROWS} rows.`);
      return { tools: [] };
    }
    return { tools: rows.flatMap((row, at) => this.#row(row, `/tools/${at}`) ?? []) };
  }

  #row(value: unknown, at: string): ToolOverride | null {
    const row = this.#object(value, at, [
      "name",
      "names",
      "risks",
      "capability",
      "arguments",
      "reads_only_actions",
    ]);
    if (row === null) return null;
    const names = this.#names(row, at);
    const risks = this.#list(row["risks"], `${at}/risks`, RISK_CLASSES.length, true);
    for (const [index, risk] of risks.entries())
      if (!CLAIMABLE.has(risk))
        this.#fault(
          `${at}/risks/${index}`,
          "unknown-risk",
          `"${clip(risk)}" is no class that a row may claim.`,
        );
    const capability = row["capability"];
    if (
      capability !== undefined &&
      (typeof capability !== "string" || !/^[a-z][a-z0-9_.-]{0,63}$/.test(capability))
    )
      this.#fault(
        `${at}/capability`,
        "bad-capability",
        "Use lower-case letters, digits, dots, dashes and underscores, at most 64.",
      );
    const actions = this.#list(row["reads_only_actions"], `${at}/reads_only_actions`, MAX_ACTIONS);
    return {
      names,
      risks: risks as RiskClass[],
      capability: typeof capability === "string" ? capability : null,
      arguments: this.#arguments(row["arguments"], `${at}/arguments`),
      reads_only_actions: actions,
    };
  }

  #names(row: Readonly<Record<string, unknown>>, at: string): string[] {
    const one = row["name"];
    const given: [unknown, string][] = one === undefined ? [] : [[one, `${at}/name`]];
    const several = row["names"];
    if (Array.isArray(several)) {
      if (several.length > MAX_NAMES)
        this.#fault(`${at}/names`, "too-many-names", `A row has at most ${MAX_NAMES} names.`);
      given.push(
        ...several
          .slice(0, MAX_NAMES)
          .map((name, index): [unknown, string] => [name, `${at}/names/${index}`]),
      );
    } else if (several !== undefined)
      this.#fault(`${at}/names`, "not-a-list", "Give several names as a list.");
    if (given.length === 0) this.#fault(`${at}/name`, "missing", "Name the tool.");
    return given.flatMap(([name, pointer]) => {
      if (typeof name !== "string" || !/^[!-~](?:[ -~]{0,126}[!-~])?$/.test(name)) {
        this.#fault(pointer, "bad-name", "A tool's name is 1 to 128 printable ASCII characters.");
        return [];
      }
      this.#claim(name, pointer);
      return [name];
    });
  }

  #claim(name: string, pointer: string): void {
    const { server, name: own } = splitName(name);
    const known = server === null ? TABLES.tools.get(own.toLowerCase()) : undefined;
    if (isBridge(name) || isArgumentRuled(known ?? null)) {
      this.#fault(
        pointer,
        "effect-in-arguments",
        `What "${clip(name)}" does is in its arguments, which are read; no one row is true of it.`,
      );
      return;
    }
    const key = flatName(name);
    const first = this.#claimed.get(key);
    if (first !== undefined)
      this.#fault(
        pointer,
        "duplicate-name",
        `"${clip(name)}" stands in ${first} already, perhaps in another spelling.`,
      );
    else this.#claimed.set(key, pointer);
  }

  #arguments(value: unknown, at: string): OverrideArguments {
    if (value === undefined) return {};
    const given = this.#object(value, at, [...ARGUMENTS, "paths"]);
    if (given === null) return {};
    const found: Record<string, readonly string[] | OverrideArguments["paths"]> = {};
    for (const role of ARGUMENTS)
      if (given[role] !== undefined) found[role] = this.#argumentNames(given[role], `${at}/${role}`);
    if (given["paths"] !== undefined) {
      const paths = this.#object(given["paths"], `${at}/paths`, PATHS);
      const roles: Record<string, readonly string[]> = {};
      for (const role of PATHS)
        if (paths?.[role] !== undefined)
          roles[role] = this.#argumentNames(paths[role], `${at}/paths/${role}`);
      found["paths"] = roles;
    }
    return found as OverrideArguments;
  }

  #argumentNames(value: unknown, at: string): string[] {
    const names = this.#list(value, at, MAX_ARGUMENT_NAMES);
    for (const [index, name] of names.entries())
      if (!/^[A-Za-z_$][\w$.-]{0,63}$/.test(name))
        this.#fault(`${at}/${index}`, "bad-argument-name", `"${clip(name)}" is no argument's name.`);
    return names;
  }

  #list(value: unknown, at: string, most: number, required = false): string[] {
    if (value === undefined && !required) return [];
    if (!Array.isArray(value)) {
      this.#fault(at, value === undefined ? "missing" : "not-a-list", "Give a list of texts.");
      return [];
    }
    if (value.length > most) this.#fault(at, "too-many-entries", `At most ${most} entries.`);
    if (required && value.length === 0) this.#fault(at, "empty", "Give at least one.");
    const texts: string[] = [];
    for (const [index, one] of value.slice(0, most).entries()) {
      if (typeof one !== "string" || one === "" || one.length > 128)
        this.#fault(`${at}/${index}`, "not-text", "Give a text of 1 to 128 characters.");
      else if (texts.includes(one))
        this.#fault(`${at}/${index}`, "duplicate", `"${clip(one)}" stands here twice.`);
      else texts.push(one);
    }
    return texts;
  }

  /** The members of an object that has no others than the named ones. */
  #object(value: unknown, at: string, members: readonly string[]): Readonly<Record<string, unknown>> | null {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.#fault(at, "not-an-object", "Give a JSON object.");
      return null;
    }
    for (const key of Object.keys(value))
      if (!members.includes(key))
        this.#fault(
          `${at}/${key.slice(0, 64).replaceAll("~", "~0").replaceAll("/", "~1")}`,
          "unknown-member",
          `There is no "${clip(key)}" here; there is ${members.join(", ")}.`,
        );
    return Object.fromEntries(Object.entries(value));
  }

  #fault(pointer: string, code: string, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ pointer, code, message });
  }
}

function clip(text: string): string {
  return text.slice(0, 64).toWellFormed();
}

function sizeOf(value: unknown): number | null {
  try {
    return new TextEncoder().encode(JSON.stringify(value) ?? "").length;
  } catch {
    return null;
  }
}

/** A row as the reader uses it. */
export interface CompiledOverride {
  readonly row: ToolRow;
  /** The same tool when it only reads. */
  readonly looks: ToolRow;
  /** Actions with which it does, in lower case. */
  readonly reads: ReadonlySet<string>;
}

/** Rows by the spellings that reach them. */
export class Overrides {
  /** Names whose server and tool are certain, e.g. `mcp__a__b`, and the harness' own. */
  readonly #exact = new Map<string, CompiledOverride>();
  /** Names as `mcp_a_b` spells them, and those that a row spells so. */
  readonly #flat = new Map<string, CompiledOverride>();
  readonly #loose = new Map<string, CompiledOverride>();

  constructor(table: ToolTable) {
    for (const override of table.tools) {
      const compiled = compile(override);
      for (const name of override.names) {
        this.#exact.set(exactName(name), compiled);
        this.#flat.set(flatName(name), compiled);
        if (splitName(name).server?.exact === false) this.#loose.set(flatName(name), compiled);
      }
    }
  }

  of(tool: string): CompiledOverride | undefined {
    const { server } = splitName(tool);
    if (server === null) return this.#exact.get(exactName(tool));
    // `mcp_a_b_c` may be a tool of `a` or of `a_b`, so it means whatever row may be meant; `mcp__a__b_c` means one tool.
    return server.exact
      ? (this.#exact.get(exactName(tool)) ?? this.#loose.get(flatName(tool)))
      : this.#flat.get(flatName(tool));
  }
}

function exactName(tool: string): string {
  const { server, name } = splitName(tool);
  return (server === null ? name : `${server.name}\n${name}`).toLowerCase();
}

function flatName(tool: string): string {
  const { server, name } = splitName(tool);
  return server === null ? name.toLowerCase() : `mcp\n${server.name}_${name}`.toLowerCase();
}

function compile({
  names,
  risks,
  capability,
  arguments: given,
  reads_only_actions,
}: ToolOverride): CompiledOverride {
  const { paths = {}, command = [], ...columns } = given;
  const named = Object.fromEntries(
    [...Object.entries(paths), ...Object.entries(columns)]
      .filter(([, list]) => list !== undefined && list.length > 0)
      .map(([column, list]) => [column, list?.join(" ")]),
  ) as Partial<ToolRow>;
  const row: ToolRow = {
    ...named,
    canonical: capability ?? "",
    names: names.join(" "),
    risks,
    optional: true,
    ...(command.length ? { also: (reading: ToolReading) => readCommands(reading, command.join(" ")) } : {}),
  };
  const { reads: paths_read, urls, items } = named;
  const looks = Object.fromEntries(
    Object.entries({ canonical: row.canonical, names: row.names, reads: paths_read, urls, items }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as ToolRow;
  return { row, looks, reads: new Set(reads_only_actions.map((one) => one.toLowerCase())) };
}

/** True when every action that the call names is one with which the tool only reads. */
export function onlyReads({ reads }: CompiledOverride, args: Readonly<Record<string, JsonValue>>): boolean {
  const actions = actionsNamed(args);
  return actions.length > 0 && actions.every((action) => reads.has(action.toLowerCase()));
}

/** The reader's tables with an organization's rows over them. Cheap: made once for a version of the policy. */
export function toolsWith(tables: Tables, table: ToolTable): Tables {
  return { ...tables, overrides: new Overrides(table) };
}
