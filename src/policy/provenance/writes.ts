/**
 * A tool call -> what it would add to a memory, a skill or a rules file (the seed, "The text a write adds"). Arguments
 * are decoded as the harness decodes them when it executes the tool, operations are replayed in order over the text that
 * the client says is stored. Pure, total, linear.
 */
import type { JsonObject, JsonValue, ToolCall } from "../types.ts";
import { firstText, isObject, isWrongType, parsed } from "./arguments.ts";
import { fileWrite } from "./files.ts";
import { alsoHeld } from "./held.ts";
import { decodeOperations, memoryWrite } from "./memory.ts";
import { DEFAULT_WRITE_TOOLS, shapeOf, type WriteShape, type WriteTools } from "./tools.ts";
import { edited, NONE, targetOf, unreadable, type Write, whole, withLoose } from "./write.ts";

export { isObject } from "./arguments.ts";
export {
  DEFAULT_WRITE_TOOLS,
  isMemoryFile,
  type WriteShape,
  type WriteTools,
  writeToolsOf,
} from "./tools.ts";
export type { Write } from "./write.ts";

/** How deep one bridge may stand inside another. */
const DEEPEST = 8;
const BRIDGES = new Set([
  "tool_call",
  "call_tool",
  "use_mcp_tool",
  "mcp_call",
  "invoke_tool",
  "execute_tool",
  "run_tool",
  "use_tool",
]);

/** How a bridge says which tool it runs, and with what. */
const INNER = ["name", "tool", "tool_name", "toolName", "function"];
const GIVEN = ["arguments", "args", "input", "parameters", "params", "tool_input", "tool_args", "toolInput"];

/** @param stored the text now stored where the call edits it, as the client sends it; `null` when it does not say */
export function readWrite(
  call: ToolCall,
  stored: string | null,
  tools: WriteTools = DEFAULT_WRITE_TOOLS,
): Write {
  let { tool, args }: { tool: string; args: JsonValue } = call;
  for (let depth = 0; depth < DEEPEST; depth++) {
    // Some harnesses hand arguments over as JSON.
    if (typeof args === "string") args = parsed(args) ?? args;
    const shape = shapeOf(tool, tools);
    if (shape !== null) return readShape(shape, tool, args, stored, tools.files);
    if (!BRIDGES.has(tool.toLowerCase()) || !isObject(args)) return NONE;
    const bridge: JsonObject = args;
    const inner = firstText(bridge, INNER);
    const given: JsonValue =
      GIVEN.map((key) => bridge[key]).find((one) => one !== undefined && one !== null) ?? {};
    if (inner === null) return NONE;
    tool = inner;
    args = given;
  }
  return NONE;
}

function readShape(
  shape: WriteShape,
  tool: string,
  args: JsonValue,
  stored: string | null,
  files: readonly string[],
): Write {
  if (!isObject(args))
    return shape.shape === "file"
      ? rawWrite(tool, args, stored, files)
      : unreadable(tool, tool, "they are not an object");
  switch (shape.shape) {
    case "memory":
      // The memory tool of Claude's API has the same name, and paths.
      return typeof args["command"] === "string" && typeof args["path"] === "string"
        ? fileWrite(tool, args, stored, null)
        : hermesMemory(tool, args, stored);
    case "skill":
      return skillWrite(tool, args, stored);
    case "file":
      return fileWrite(tool, args, stored, files);
    case "text":
      return textWrite(tool, args, stored, shape);
  }
}

/** Codex hands a patch over as the whole of its arguments. */
const rawWrite = (tool: string, args: JsonValue, stored: string | null, files: readonly string[]): Write =>
  typeof args === "string" ? fileWrite(tool, { patch: args }, stored, files) : NONE;

function hermesMemory(tool: string, args: JsonObject, stored: string | null): Write {
  const store = typeof args["target"] === "string" && args["target"] !== "" ? args["target"] : "memory";
  const target = targetOf(tool, store);
  const decoded = decodeOperations(args);
  if (!decoded.ok) return unreadable(tool, target, decoded.detail);
  const written = memoryWrite(decoded.operations, stored);
  if (written === null) return unreadable(tool, target, "there is too much to look through");
  return written.pieces.length === 0 ? NONE : { kind: "write", tool, target, ...written };
}

/** `create`, `edit`, `patch`, `write_file`; `delete` and `remove_file` add nothing. */
function skillWrite(tool: string, args: JsonObject, stored: string | null): Write {
  const name = typeof args["name"] === "string" ? args["name"] : "";
  const file =
    typeof args["file_path"] === "string" && args["file_path"] !== "" ? `/${args["file_path"]}` : "";
  const target = targetOf(tool, `${name}${file}`);
  const action = typeof args["action"] === "string" ? args["action"].trim().toLowerCase() : "";
  if (action === "delete" || action === "remove_file") return NONE;
  for (const key of ["content", "new_string", "old_string", "file_content"])
    if (isWrongType(args[key])) return unreadable(tool, target, `${key} is not a text`);
  const isPatch = action === "patch";
  // An unknown action writes what it brings, as far as anybody can tell.
  const given = firstText(args, SKILL_TEXTS[action] ?? ["content", "file_content", "new_string"]);
  const others = alsoHeld(args, given === null ? [] : [given]);
  if (given === null && others.length === 0) return NONE;
  const edits = given === null ? [] : [{ old: firstText(args, ["old_string"]) ?? "", replacement: given }];
  const write = isPatch
    ? edited(tool, target, edits, stored)
    : whole(tool, target, given === null ? [] : [given], stored);
  return withLoose(write, others);
}

/** By the action: the argument that is kept, and its alias. */
const SKILL_TEXTS: Readonly<Record<string, readonly string[] | undefined>> = {
  patch: ["new_string", "content"],
  write_file: ["file_content", "content"],
};

function textWrite(
  tool: string,
  args: JsonObject,
  stored: string | null,
  shape: Extract<WriteShape, { shape: "text" }>,
): Write {
  const target = targetOf(tool, firstText(args, shape.target ?? []));
  const pieces: string[] = [];
  for (const key of shape.texts) {
    const value = Object.hasOwn(args, key) ? args[key] : null;
    if (value === undefined || value === null) continue;
    const texts = textsIn(value);
    if (texts === null) return unreadable(tool, target, `${key} is not a text`);
    pieces.push(...texts);
  }
  const sought = [...(shape.old ?? []), ...(shape.target ?? [])];
  const rest = Object.fromEntries(Object.entries(args).filter(([key]) => !sought.includes(key)));
  const others = alsoHeld(rest, pieces);
  if (pieces.length === 0 && others.length === 0) return NONE;
  const old = firstText(args, shape.old ?? []);
  const [only] = pieces;
  const write =
    old !== null && only !== undefined && pieces.length === 1
      ? edited(tool, target, [{ old, replacement: only }], stored)
      : whole(tool, target, pieces, stored);
  return withLoose(write, others);
}

/** What of an object is kept, where it says so. */
const HELD = ["content", "contents", "text", "memory", "fact", "observations"];
const DEEPEST_VALUE = 6;
const MOST_TEXTS = 10_000;

/** The texts of a value: itself, or those of a list or an object; `null` where it is neither. */
function textsIn(value: JsonValue): string[] | null {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return null;
  const texts: string[] = [];
  const collect = (one: JsonValue | undefined, depth: number): boolean => {
    if (typeof one === "string") {
      texts.push(one);
      return texts.length <= MOST_TEXTS;
    }
    if (typeof one !== "object" || one === null) return true;
    if (depth >= DEEPEST_VALUE) return false;
    if (Array.isArray(one)) return one.every((item) => collect(item, depth + 1));
    const held = HELD.filter((key) => Object.hasOwn(one, key));
    const parts = held.length > 0 ? held.map((key) => one[key]) : Object.values(one);
    return parts.every((item) => collect(item, depth + 1));
  };
  return collect(value, 0) ? texts : null;
}
