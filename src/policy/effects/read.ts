import { readStrictJson } from "../text/strict-json.ts";
import type { Effects, JsonObject, JsonValue, ReadingContext, ToolCall } from "../types.ts";
import { raise } from "./annotations.ts";
import { holdsKey } from "./governance.ts";
import { type CompiledOverride, isArgumentRuled, onlyReads } from "./overrides.ts";
import { Report, UNKNOWN_PATH } from "./report.ts";
import { TABLES, type Tables } from "./tables.ts";
import { pointer, stringsIn, type ToolReading, valuesAt } from "./tools/arguments.ts";
import { isObject } from "./tools/hermes.ts";
import { inferTool } from "./tools/infer.ts";
import { changes, wordsOf } from "./tools/kinds.ts";
import { fits, readTool, type ToolRow } from "./tools/row.ts";
import { isBridge, splitName, suffixesOf } from "./tools/server.ts";
import { wordingOf } from "./tools/wording.ts";
import { type Explanation, Trace } from "./trace.ts";

/** How deep one bridge may stand inside another. */
const DEEPEST_BRIDGE = 8;
/** Arguments nested deeper than this are not read by any tool we know. */
const DEEPEST_ARGUMENTS = 128;
const MOST_CALLS = 256;

/** Servers that are part of what governs the agent; their tools may be read from, not written to. */
const GOVERNORS = new Set([
  "countersign",
  "oathkeeper",
  "agentsfence",
  "agents_fence",
  "fence",
  "provenance_gate",
  "provenance-gate",
]);

/**
 * Reads one tool call into what it would do to files, hosts, people and Countersign itself.
 * Total: any JSON in, `Effects` out, sorted and free of duplicates. What cannot be read is opaque or `unreadable`.
 * Pure and linear in the call; it never throws.
 */
export function effectsOf(call: ToolCall, context: ReadingContext): Effects {
  return effectsWith(TABLES, call, context);
}

/** As `effectsOf`, for a reader that knows other rows. */
export function effectsWith(
  tables: Tables,
  call: ToolCall,
  context: ReadingContext,
  trace: Trace | null = null,
): Effects {
  const report = new Report(context, tables, trace);
  let canonical = typeof call.tool === "string" ? call.tool : "";
  try {
    canonical = readCall(canonical, call.args, report, context, "", 0);
    if (holdsKey(call.args)) report.govern("own-key");
    return report.effects(canonical);
  } catch {
    // Nothing is known to throw; should something, an unread call must look dangerous, not harmless.
    const failed = new Report(context, tables);
    failed.unparsed("unread", "", null);
    failed.risk("UNKNOWN");
    for (const verb of ["modify", "create", "delete"] as const) failed.act(verb, UNKNOWN_PATH);
    return failed.effects(canonical);
  }
}

/** The same reading, and how it came about: which part of the call said what. */
export function explainCall(
  tables: Tables,
  call: ToolCall,
  context: ReadingContext,
): { effects: Effects; explanation: Explanation } {
  const trace = new Trace();
  return { effects: effectsWith(tables, call, context, trace), explanation: trace.explanation() };
}

function readCall(
  tool: string,
  given: JsonValue,
  report: Report,
  context: ReadingContext,
  base: string,
  depth: number,
): string {
  const args = isObject(given) ? given : {};
  if (!isObject(given)) report.unreadable(base, "not-an-object");
  if (isTooDeep(given)) {
    report.unreadable(base, "too-deep");
    report.unparsed("too-deep", "", null);
    report.risk("UNKNOWN");
    return tool;
  }
  const reading: ToolReading = { tool, args, report, context, base, depth };
  if (isBridge(tool)) return readBridge(reading);
  const override = report.tables.overrides?.of(tool);
  // What an organization says of a tool, it says knowing what the server says.
  if (override !== undefined) return readOverridden(override, reading);
  const { server, name } = splitName(tool);
  const found = report.part(
    () => {
      const read = readByTables(reading);
      if (depth === 0 && !isArgumentRuled(read.row)) raise(context.annotations, reading, report);
      return read;
    },
    wordingOf(name, args, server?.name ?? null),
  );
  return found.canonical;
}

interface Found {
  readonly canonical: string;
  /** The row of the table that knows the tool; `null` where its name was all there was to go by. */
  readonly row: ToolRow | null;
}

function readByTables(reading: ToolReading): Found {
  const { tool, report } = reading;
  const { server, name } = splitName(tool);
  if (server === null) {
    const row = report.tables.tools.get(name.toLowerCase());
    if (row !== undefined) {
      readKnown(row, name, reading);
      return { canonical: row.canonical, row };
    }
    readUnknown(name, reading, true);
    return { canonical: tool, row: null };
  }
  const served: ToolReading = { ...reading, server: server.name };
  for (const plain of server.exact ? [name] : suffixesOf(name)) {
    const row = report.tables.tools.get(plain.toLowerCase());
    if (row !== undefined && fits(row, served)) {
      // `mcp_x_delete_and_read` may be the `read` of a server `x_delete_and`, or just what it says.
      if (plain !== name && changes(name.slice(0, -plain.length))) readUnknown(name, served, false);
      readKnown(row, plain, served);
      return { canonical: row.canonical, row };
    }
  }
  readUnknown(name, served, false);
  guardGovernors(server.name, name, report);
  return { canonical: tool, row: null };
}

/** What an organization says of the tool; and whatever it says, what the guards would have found. */
function readOverridden(override: CompiledOverride, reading: ToolReading): string {
  const { tool, args, report, context } = reading;
  const aside = new Report(context, report.tables);
  const { canonical, row } = readByTables({ ...reading, report: aside });
  const found = aside.effects(canonical);
  if (row !== null) readByTables(reading);
  for (const one of found.governance) report.govern(one);
  for (const { pointer: at, cause } of found.unreadable) report.unreadable(at, cause);
  for (const host of found.hosts) report.host(host);
  for (const { cause, text, pointer: at } of found.deceptions) report.said.deceives(cause, text, at);
  if (found.risks.includes("CREDENTIAL")) report.risk("CREDENTIAL");
  const { server, name } = splitName(tool);
  const own = onlyReads(override, args) ? override.looks : override.row;
  const named: ToolReading = server === null ? reading : { ...reading, server: server.name };
  report.part(() => readTool(own, named), wordingOf(name, args, server?.name ?? null), row === null);
  return override.row.canonical || canonical;
}

/** What decides how a call is read. */
export function originOf(tables: Tables, tool: string, args: JsonObject): "table" | "inferred" | "override" {
  if (tables.overrides?.of(tool) !== undefined) return "override";
  const report = new Report(NOWHERE, tables);
  const reading = { tool, args, report, context: NOWHERE, base: "", depth: 0 };
  return readByTables(reading).row === null ? "inferred" : "table";
}

const NOWHERE: ReadingContext = {
  environment: { home: null, cwd: null, variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
};

function readKnown(row: ToolRow, name: string, reading: ToolReading): void {
  const { args, report, server } = reading;
  // What a shell does, its commands do.
  const looks = row.canonical !== "shell";
  const known = row.wording?.(reading) ?? row;
  report.part(() => readTool(row, reading), wordingOf(name, args, server ?? null, known), looks);
}

function readUnknown(name: string, reading: ToolReading, local: boolean): void {
  const { args, report, server } = reading;
  report.part(() => inferTool(name, reading, local), wordingOf(name, args, server ?? null), true);
}

function guardGovernors(server: string, name: string, report: Report): void {
  if (!GOVERNORS.has(server.toLowerCase())) return;
  const looks = /^(?:get|list|read|show|view|check|status|describe|search|find)$/;
  const words = wordsOf(name);
  if (!words.some((word) => looks.test(word)) && words[words.length - 1] !== "status")
    report.govern("own-policy");
}

/** `tool_call` carries one call, or several; what it does is what they do. */
function readBridge(reading: ToolReading): string {
  const { args, report, context, base, depth } = reading;
  if (depth >= DEEPEST_BRIDGE) {
    report.unreadable(base, "too-deep");
    report.unparsed("too-deep", stringsIn(args, 200).join("\n"), context.environment.cwd);
    return reading.tool;
  }
  const inner: { readonly tool: JsonValue; readonly args: JsonValue; readonly base: string }[] = [];
  /** Two spellings of one argument are for two readers, unless they say the same. */
  const only = (one: JsonObject, names: string, at: string) => {
    const found = valuesAt(one, names);
    const [first] = found;
    if (first === undefined) return undefined;
    const same = JSON.stringify(first.value);
    for (const other of found.slice(1))
      if (JSON.stringify(other.value) !== same) report.unreadable(pointer(at, other.name), "ambiguous");
    return first;
  };
  const take = (one: JsonObject, at: string): void => {
    const tool = only(one, "name tool tool_name toolName function", at);
    const server = only(one, "server_name server serverName", at)?.value;
    const given = only(one, "arguments args input parameters params tool_input toolInput", at);
    if (tool === undefined) return;
    const key = given?.name;
    const name =
      typeof server === "string" && typeof tool.value === "string"
        ? `mcp__${server}__${tool.value}`
        : tool.value;
    inner.push({
      tool: name,
      args: given === undefined ? {} : given.value,
      base: key === undefined ? at : pointer(at, key),
    });
  };
  take(args, base);
  for (const { name, value: calls } of valuesAt(args, "calls tool_calls tool_uses")) {
    if (!Array.isArray(calls)) {
      report.unreadable(pointer(base, name), "not-a-list");
      continue;
    }
    for (const [at, one] of calls.slice(0, MOST_CALLS).entries()) {
      if (isObject(one)) take(one, pointer(base, name, at));
      else report.unreadable(pointer(base, name, at), "not-an-object");
    }
    if (calls.length > MOST_CALLS) report.unparsed("too-many-calls", "", null);
  }
  if (inner.length === 0) {
    report.unreadable(pointer(base, "name"), "missing");
    report.risk("UNKNOWN");
    report.opaque("unknown-tool");
    return reading.tool;
  }
  let canonical = reading.tool;
  for (const one of inner) {
    if (typeof one.tool !== "string") {
      report.unreadable(pointer(base, "name"), "not-text");
      report.risk("UNKNOWN");
      report.opaque("unknown-tool");
      continue;
    }
    canonical = readCall(
      one.tool,
      fromText(one.args, one.base, report),
      report,
      context,
      one.base,
      depth + 1,
    );
  }
  return inner.length === 1 ? canonical : reading.tool;
}

/** Some harnesses send the arguments as JSON text. There, two equal keys are two calls to two readers. */
function fromText(value: JsonValue, at: string, report: Report): JsonValue {
  if (typeof value !== "string") return value;
  const read = readStrictJson(value);
  if (!read.ok) return value;
  for (const doubt of read.doubts) report.unreadable(at + doubt.pointer, doubt.cause);
  return read.value as JsonValue;
}

function isTooDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; depth <= DEEPEST_ARGUMENTS; depth++) {
    const next: JsonValue[] = [];
    for (const one of level) {
      if (one === null || typeof one !== "object") continue;
      const inside = Array.isArray(one) ? one : Object.values(one);
      for (const inner of inside) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
