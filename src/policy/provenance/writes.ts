/**
 * A tool call -> what it would add to a memory, a skill or a rules file (the seed, "The text a write adds"). Arguments
 * are decoded as the harness decodes them when it executes the tool, operations are replayed in order over the text that
 * the client says is stored. Pure, total, linear.
 */
import type { JsonObject, JsonValue, ToolCall } from "../types.ts";
import { editedFile, type FileEdit, patchHunks } from "./edits.ts";
import { decodeOperations, memoryWrite, type Operation } from "./memory.ts";

/** Tools that keep text, and how their arguments say what. */
export type WriteShape =
  /** Hermes `memory`: entries, `add`, `replace`, `patch`, `remove`, `operations`. */
  | { readonly shape: "memory" }
  /** Hermes `skill_manage`. */
  | { readonly shape: "skill" }
  /** A tool that writes any file; only files that are memories count. */
  | { readonly shape: "file" }
  /** Any other tool: the arguments that hold what is kept, what is replaced, and the name of the place. */
  | {
      readonly shape: "text";
      readonly texts: readonly string[];
      readonly old?: readonly string[];
      readonly target?: readonly string[];
    };

export interface WriteTools {
  /** By the tool's name in lower case; `mcp__server__tool` for a served one. */
  readonly tools: Readonly<Record<string, WriteShape>>;
  /** Names of files that agents read at every start; one that ends with `/` is a folder. In lower case. */
  readonly files: readonly string[];
}

const FILE = { shape: "file" } as const;

/** Hermes, Claude Code, and what other harnesses call the same. An organization adds its own to both lists. */
export const DEFAULT_WRITE_TOOLS: WriteTools = {
  tools: {
    memory: { shape: "memory" },
    skill_manage: { shape: "skill" },
    write_file: FILE,
    write: FILE,
    create_file: FILE,
    create: FILE,
    edit: FILE,
    edit_file: FILE,
    multiedit: FILE,
    multi_edit: FILE,
    patch: FILE,
    apply_patch: FILE,
    replace: FILE,
    search_replace: FILE,
    str_replace_editor: FILE,
    str_replace_based_edit_tool: FILE,
    insert_edit_into_file: FILE,
    replace_string_in_file: FILE,
    append_file: FILE,
  },
  files: [
    "claude.md",
    "claude.local.md",
    "agents.md",
    "agent.md",
    "memory.md",
    "user.md",
    "gemini.md",
    "soul.md",
    "skill.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "copilot-instructions.md",
    "memories/",
    ".cursor/rules/",
    ".claude/rules/",
    ".claude/skills/",
    ".hermes/skills/",
  ],
};

export type Write =
  /** Nothing that is kept. */
  | { readonly kind: "none" }
  /** A memory tool whose arguments nobody can read: refused, whatever they hold. */
  | { readonly kind: "unreadable"; readonly tool: string; readonly target: string; readonly detail: string }
  | {
      readonly kind: "write";
      readonly tool: string;
      /** What is written, for people and for counting refusals: `memory:user`, `skill_manage:brand`, `Edit:/a/CLAUDE.md`. */
      readonly target: string;
      /** The texts as they would stand afterwards. */
      readonly pieces: readonly string[];
      /** The text that is edited, in parts. */
      readonly base: readonly string[];
      /** Only what the call brings could be seen: nobody said what is stored, or it is not there. */
      readonly isPartial: boolean;
    };

const NONE: Write = { kind: "none" };
/** How deep one bridge may stand inside another. */
const DEEPEST = 8;
const BRIDGES = new Set(["tool_call", "call_tool", "use_mcp_tool", "mcp_call", "invoke_tool"]);

/** @param stored the text now stored where the call edits it, as the client sends it; `null` when it does not say */
export function readWrite(
  call: ToolCall,
  stored: string | null,
  { tools, files }: WriteTools = DEFAULT_WRITE_TOOLS,
): Write {
  let { tool, args }: { tool: string; args: JsonValue } = call;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const name = tool.toLowerCase();
    const shape = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (shape !== undefined) return readShape(shape, tool, args, stored, files);
    if (!BRIDGES.has(name) || !isObject(args)) return NONE;
    const inner = args["name"] ?? args["tool"] ?? args["tool_name"];
    const given: JsonValue = args["arguments"] ?? args["args"] ?? args["input"] ?? args["parameters"] ?? {};
    if (typeof inner !== "string") return NONE;
    tool = inner;
    args = typeof given === "string" ? (parsed(given) ?? given) : given;
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
    return shape.shape === "file" ? NONE : unreadable(tool, tool, "they are not an object");
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

function unreadable(tool: string, target: string, detail: string): Write {
  return { kind: "unreadable", tool, target, detail };
}

function hermesMemory(tool: string, args: JsonObject, stored: string | null): Write {
  const store = typeof args["target"] === "string" && args["target"] !== "" ? args["target"] : "memory";
  const target = `${tool}:${store.slice(0, MAX_TARGET)}`;
  const decoded = decodeOperations(args);
  if (!decoded.ok) return unreadable(tool, target, decoded.detail);
  return memoryResult(tool, target, decoded.operations, stored);
}

function memoryResult(
  tool: string,
  target: string,
  operations: readonly Operation[],
  stored: string | null,
): Write {
  const { pieces, base, isPartial } = memoryWrite(operations, stored);
  return pieces.length === 0 ? NONE : { kind: "write", tool, target, pieces, base, isPartial };
}

const MAX_TARGET = 300;

/** `create`, `edit`, `patch`, `write_file`; `delete` and `remove_file` add nothing. */
function skillWrite(tool: string, args: JsonObject, stored: string | null): Write {
  const name = typeof args["name"] === "string" ? args["name"] : "";
  const file =
    typeof args["file_path"] === "string" && args["file_path"] !== "" ? `/${args["file_path"]}` : "";
  const target = `${tool}:${`${name}${file}`.slice(0, MAX_TARGET)}`;
  const action = typeof args["action"] === "string" ? args["action"].trim().toLowerCase() : "";
  if (action === "delete" || action === "remove_file") return NONE;
  for (const key of ["content", "new_string", "old_string", "file_content"])
    if (isWrongType(args[key])) return unreadable(tool, target, `${key} is not a text`);
  const text = (key: string): string | null => (typeof args[key] === "string" ? args[key] : null);
  if (action === "patch") {
    const replacement = text("new_string") ?? text("content");
    if (replacement === null) return NONE;
    const edit: FileEdit = { old: text("old_string") ?? "", replacement };
    return fileResult(tool, target, [edit], stored);
  }
  // An unknown action writes what it brings, as far as anybody can tell.
  const whole =
    action === "write_file"
      ? (text("file_content") ?? text("content"))
      : (text("content") ?? text("file_content") ?? text("new_string"));
  if (whole === null) return NONE;
  return {
    kind: "write",
    tool,
    target,
    pieces: [whole],
    base: stored === null ? [] : [stored],
    isPartial: false,
  };
}

function fileResult(tool: string, target: string, edits: readonly FileEdit[], stored: string | null): Write {
  const { pieces, isPartial } = editedFile(edits, stored);
  return { kind: "write", tool, target, pieces, base: stored === null ? [] : [stored], isPartial };
}

const PATHS = ["path", "file_path", "filePath", "filename", "target_file", "file"];
const WHOLE = ["content", "contents", "file_text", "text", "code_edit", "fileContent"];
const OLD = ["old_string", "oldString", "old_str", "old_text", "search"];
const NEW = ["new_string", "newString", "new_str", "new_text", "insert_text", "replace"];

/** @param files `null` when every path of this tool is a memory */
function fileWrite(
  tool: string,
  args: JsonObject,
  stored: string | null,
  files: readonly string[] | null,
): Write {
  const patch = args["patch"] ?? args["input"] ?? args["diff"];
  if (typeof patch === "string" && patch.includes("*** ")) return patchWrite(tool, patch, stored, files);
  const path = firstText(args, PATHS);
  if (path === null || (files !== null && !isMemoryFile(path, files))) return NONE;
  const target = `${tool}:${path.slice(0, MAX_TARGET)}`;
  for (const key of [...WHOLE, ...OLD, ...NEW])
    if (isWrongType(args[key])) return unreadable(tool, target, `${key} is not a text`);
  const command = typeof args["command"] === "string" ? args["command"] : "";
  if (/^(?:view|delete|rename|undo_edit)$/.test(command)) return NONE;
  const list = args["edits"];
  if (list !== undefined && list !== null) {
    const edits = editsOf(list);
    return edits === null
      ? unreadable(tool, target, "edits is not a list of texts")
      : fileResult(tool, target, edits, stored);
  }
  const old = firstText(args, OLD);
  const replacement = firstText(args, NEW);
  if (old !== null || (replacement !== null && firstText(args, WHOLE) === null))
    return replacement === null ? NONE : fileResult(tool, target, [{ old: old ?? "", replacement }], stored);
  const whole = firstText(args, WHOLE);
  if (whole === null) return NONE;
  return {
    kind: "write",
    tool,
    target,
    pieces: [whole],
    base: stored === null ? [] : [stored],
    isPartial: false,
  };
}

/** The files of a patch in the V4A format; what its hunks keep is their base. */
function patchWrite(
  tool: string,
  patch: string,
  stored: string | null,
  files: readonly string[] | null,
): Write {
  const pieces: string[] = [];
  const base: string[] = stored === null ? [] : [stored];
  let target = "";
  for (const { path, before, after } of patchHunks(patch)) {
    if (files !== null && !isMemoryFile(path, files)) continue;
    if (target === "") target = `${tool}:${path.slice(0, MAX_TARGET)}`;
    if (after !== "") pieces.push(after);
    if (before !== "") base.push(before);
  }
  return pieces.length === 0
    ? NONE
    : { kind: "write", tool, target, pieces, base, isPartial: stored === null };
}

function textWrite(
  tool: string,
  args: JsonObject,
  stored: string | null,
  shape: Extract<WriteShape, { shape: "text" }>,
): Write {
  const named = firstText(args, shape.target ?? []);
  const target = named === null ? tool : `${tool}:${named.slice(0, MAX_TARGET)}`;
  const pieces: string[] = [];
  for (const key of shape.texts) {
    const value = args[key];
    if (value === undefined || value === null) continue;
    const texts = textsIn(value);
    if (texts === null) return unreadable(tool, target, `${key} is not a text`);
    pieces.push(...texts);
  }
  if (pieces.length === 0) return NONE;
  const old = firstText(args, shape.old ?? []);
  const [only] = pieces;
  if (old !== null && only !== undefined && pieces.length === 1)
    return fileResult(tool, target, [{ old, replacement: only }], stored);
  return { kind: "write", tool, target, pieces, base: stored === null ? [] : [stored], isPartial: false };
}

/** The texts of a value: itself, or those of a list. */
function textsIn(value: JsonValue): string[] | null {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  for (const one of value) {
    const text =
      typeof one === "string"
        ? one
        : isObject(one)
          ? firstText(one, ["content", "text", "memory", "fact"])
          : null;
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}

function editsOf(list: JsonValue): FileEdit[] | null {
  const value = typeof list === "string" ? parsed(list) : list;
  if (!Array.isArray(value)) return null;
  const edits: FileEdit[] = [];
  for (const one of value) {
    if (!isObject(one)) return null;
    const replacement = firstText(one, NEW);
    if (replacement === null) return null;
    edits.push({ old: firstText(one, OLD) ?? "", replacement });
  }
  return edits;
}

/** Whether an agent reads the file at every start. */
export function isMemoryFile(path: string, files: readonly string[]): boolean {
  const plain = `/${path.replaceAll("\\", "/").toLowerCase()}`;
  return files.some((name) =>
    name.endsWith("/") ? plain.includes(`/${name.replace(/^\/+/, "")}`) : plain.endsWith(`/${name}`),
  );
}

function firstText(args: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) if (Object.hasOwn(args, key) && typeof args[key] === "string") return args[key];
  return null;
}

const isWrongType = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && typeof value !== "string";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
