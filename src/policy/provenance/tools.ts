/** Which tools keep text, how their arguments say what, and which files are memories. An organization adds its own. */

import type { JsonValue } from "../types.ts";
import { isObject } from "./arguments.ts";

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

/** What path tools are called: Hermes, Claude Code, Codex, Copilot, Cursor, Gemini, OpenCode, Cline, Windsurf, Serena, MCP's file servers. */
const FILE_TOOLS =
  `write_file write create_file create edit edit_file multiedit multi_edit patch apply_patch replace search_replace
  str_replace str_replace_editor str_replace_based_edit_tool insert insert_edit_into_file replace_string_in_file
  multi_replace_string_in_file append_file append_to_file write_to_file replace_in_file replace_file_content
  multi_replace_file_content save_file update_file modify_file file_write file_edit write_text_file notebookedit
  write_files create_files edit_files create_text_file replace_regex replace_content replace_lines insert_at_line insert_lines`.split(
    /\s+/,
  );

const KEPT = ["fact", "content", "text", "memory", "knowledge_to_store", "note", "value", "observation"];

export const DEFAULT_WRITE_TOOLS: WriteTools = {
  tools: {
    ...Object.fromEntries(FILE_TOOLS.map((name) => [name, { shape: "file" } as const])),
    memory: { shape: "memory" },
    skill_manage: { shape: "skill" },
    // Gemini, Cursor and Windsurf keep single facts.
    save_memory: { shape: "text", texts: KEPT, target: ["title", "key"] },
    update_memory: { shape: "text", texts: KEPT, target: ["title", "key"] },
    create_memory: { shape: "text", texts: [...KEPT, "Content"], target: ["title", "Title", "key"] },
  },
  files: [
    "claude.md",
    "claude.local.md",
    "agents.md",
    "agents.override.md",
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

/** What parts a server's name from its tool's. */
const SERVER = /^(?:mcp__.*__|.*[/.:])/;

/** How a tool writes; `null` when it keeps nothing. A served one is known by the end of its name. */
export function shapeOf(tool: string, { tools }: WriteTools): WriteShape | null {
  const name = tool.toLowerCase();
  const own = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (own !== undefined) return own;
  const served = name.replace(SERVER, "");
  const shape = Object.hasOwn(tools, served) ? tools[served] : undefined;
  // Many servers have a tool called `memory`, and hardly one of them is Hermes'.
  return shape === undefined || (shape.shape !== "file" && name.startsWith("mcp__")) ? null : shape;
}

/** Whether an agent reads the file at every start. */
export function isMemoryFile(path: string, files: readonly string[]): boolean {
  const plain = `/${path.trim().replaceAll("\\", "/").toLowerCase()}`;
  return files.some((name) =>
    name.endsWith("/") ? plain.includes(`/${name.replace(/^\/+/, "")}`) : plain.endsWith(`/${name}`),
  );
}

/** No organization has more. */
const MAX_TOOLS = 64;

/**
 * An organization's own tools, as its settings carry them: rows `{tool, shape?, texts?, old?, target?}`, `shape` being
 * `memory`, `skill`, `file` or `text`. A row that says nothing of the kind is left out. Total.
 */
export function writeToolsOf(
  rows: JsonValue | undefined,
  { tools, files }: WriteTools = DEFAULT_WRITE_TOOLS,
): WriteTools {
  if (!Array.isArray(rows)) return { tools, files };
  const own: [string, WriteShape][] = [];
  for (const row of rows.slice(0, MAX_TOOLS)) {
    if (!isObject(row) || typeof row["tool"] !== "string" || row["tool"] === "") continue;
    const shape = rowShape(row);
    if (shape !== null) own.push([row["tool"].toLowerCase(), shape]);
  }
  return { tools: { ...tools, ...Object.fromEntries(own) }, files };
}

function rowShape(row: Readonly<Record<string, JsonValue>>): WriteShape | null {
  const shape = row["shape"] ?? "text";
  if (shape === "memory" || shape === "skill" || shape === "file") return { shape };
  if (shape !== "text") return null;
  const [texts, old, target] = ["texts", "old", "target"].map((key) => listOf(row[key])) as [
    string[],
    string[],
    string[],
  ];
  return { shape, texts: texts.length === 0 ? KEPT : texts, old, target };
}

const listOf = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === "string" && one !== "")
    .slice(0, MAX_TOOLS);
