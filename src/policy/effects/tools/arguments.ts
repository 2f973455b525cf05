import { escapeBound, normalisePath, resolvePath, treeBound } from "../../paths/index.ts";
import type { FileVerb, JsonObject, JsonValue, PathBound, ReadingContext } from "../../types.ts";
import { listOf } from "../columns.ts";
import { isProcessEnvironment } from "../governance.ts";
import { hostOfUrl } from "../hosts.ts";
import { type Report, UNKNOWN_PATH } from "../report.ts";
import { carriesSecret, isSecret } from "../secrets.ts";
import { climbsOut } from "../spelling.ts";

/** One structured call while it is read. */
export interface ToolReading {
  /** The tool's name as the table spells it. */
  readonly tool: string;
  /** The MCP server that offers it; absent for the harness' own. */
  readonly server?: string;
  readonly args: JsonObject;
  readonly report: Report;
  readonly context: ReadingContext;
  /** JSON pointer to `args` within the call's own arguments; empty unless it came through a bridge. */
  readonly base: string;
  readonly depth: number;
}

/** The names under which tools take the one file that they are about. */
export const PATH =
  "path file_path filePath absolute_path filepath file target_file targetFile notebook_path filename";

/** What is wrong with a path as text, whoever reads it. The other causes only mean that nobody declared something. */
const MALFORMED = new Set(["nul", "bidi", "control", "too-long", "empty", "surrogate", "device"]);

/** The places that a list of argument names (spaces between) leads to, in order; missing ones are left out. */
export function valuesAt(
  args: JsonObject,
  names: string,
): { readonly name: string; readonly value: JsonValue }[] {
  const found: { readonly name: string; readonly value: JsonValue }[] = [];
  for (const name of listOf(names)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value !== undefined && value !== null) found.push({ name, value });
  }
  return found;
}

export function textAt(args: JsonObject, names: string): string | null {
  for (const { value } of valuesAt(args, names)) if (typeof value === "string") return value;
  return null;
}

export function pointer(base: string, ...steps: readonly (string | number)[]): string {
  return base + steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The files that a path argument may mean. What no two readers would read alike is `unreadable` and `?`; what depends on
 * something undeclared is `?` and opaque.
 */
export function pathsOf(text: JsonValue, at: string, reading: ToolReading): PathBound[] {
  const { report, context } = reading;
  if (typeof text !== "string") {
    report.unreadable(at, "not-text");
    return [UNKNOWN_PATH];
  }
  report.said.spelled(text, at);
  if (climbsOut(text)) report.said.deceives("climbs-out", text, at);
  const plain = /^file:\/\/\//i.test(text) ? decoded(text.slice(7)) : text;
  const found = new Set<PathBound>();
  const resolved = resolvePath(plain, context.environment);
  if (resolved.ok) found.add(escapeBound(resolved.path));
  else if (MALFORMED.has(resolved.cause)) {
    report.unreadable(at, resolved.cause);
    return [UNKNOWN_PATH];
  } else {
    report.opaque(resolved.cause, text, context.environment.cwd);
    found.add(UNKNOWN_PATH);
  }
  // Not every tool expands variables: then the same text is a file of that very name.
  if (plain.includes("$")) {
    const exact = normalisePath(plain, context.environment.cwd, context.environment.os);
    if (exact.ok) found.add(escapeBound(exact.path));
  }
  return [...found];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reports what happens to every path among the named arguments. `required` refuses a call that has none of them. */
export function actOnPaths(
  reading: ToolReading,
  names: string,
  verbs: readonly FileVerb[],
  options: { readonly required?: boolean; readonly tree?: boolean } = {},
): PathBound[] {
  const found = valuesAt(reading.args, names);
  if (found.length === 0) {
    if (!options.required) return [];
    reading.report.unreadable(pointer(reading.base, names.split(" ")[0] ?? ""), "missing");
    for (const verb of verbs) reading.report.act(verb, UNKNOWN_PATH);
    return [UNKNOWN_PATH];
  }
  const bounds = found.flatMap(({ name, value }) =>
    Array.isArray(value) && value.length <= 200
      ? value.flatMap((one, at) => pathsOf(one, pointer(reading.base, name, at), reading))
      : pathsOf(value, pointer(reading.base, name), reading),
  );
  for (const bound of bounds) {
    for (const verb of verbs)
      reading.report.act(verb, options.tree && bound !== UNKNOWN_PATH ? treeBound(bound) : bound);
  }
  return bounds;
}

/** Reads change nothing, but a path that no two readers read alike is refused, and some files hold keys. */
export function noteReads(reading: ToolReading, names: string): void {
  for (const { name, value } of valuesAt(reading.args, names)) {
    if (typeof value !== "string" || value === "" || hostOfUrl(value) !== null) continue;
    const plain = /^file:\/\/\//i.test(value) ? decoded(value.slice(7)) : value;
    const path = resolvePath(plain, reading.context.environment);
    if (!path.ok && MALFORMED.has(path.cause))
      reading.report.unreadable(pointer(reading.base, name), path.cause);
    if (path.ok && isProcessEnvironment(path.path)) reading.report.govern("own-key-variable");
    if (path.ok && isSecret(escapeBound(path.path), false)) reading.report.secret(escapeBound(path.path));
  }
}

/** Notes the hosts of URL arguments, alone or in lists. */
export function noteUrls(reading: ToolReading, names: string): void {
  for (const { name, value } of valuesAt(reading.args, names)) {
    for (const one of Array.isArray(value) ? value.slice(0, 200) : [value]) {
      if (typeof one !== "string") continue;
      const at = pointer(reading.base, name);
      reading.report.said.url(one, at);
      if (/:\/\//.test(one)) reading.report.said.item("url", one, at);
      if (carriesSecret(one)) reading.report.secret(one);
      const host =
        hostOfUrl(one) ??
        (/^[a-z0-9.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(one) ? hostOfUrl(`https://${one}`) : null);
      if (host !== null) reading.report.host(host);
      if (/^file:\/\//i.test(one)) noteReads({ ...reading, args: { url: one } }, "url");
    }
  }
}

/** Every string inside a value, at most `most` of them, without recursion. */
export function stringsIn(value: JsonValue, most = 2000): string[] {
  const strings: string[] = [];
  const stack: JsonValue[] = [value];
  for (let steps = 0; stack.length && strings.length < most && steps < 50_000; steps++) {
    const one = stack.pop();
    if (typeof one === "string") strings.push(one);
    else if (Array.isArray(one)) for (let at = one.length - 1; at >= 0; at--) stack.push(one[at] ?? null);
    else if (one !== null && typeof one === "object")
      for (const inner of Object.values(one).reverse()) stack.push(inner);
  }
  return strings;
}
