/** Writes of files by any harness's tools: what is written is a memory if its path is one. */
import type { JsonObject, JsonValue } from "../types.ts";
import { firstText, isObject, isWrongType, parsed } from "./arguments.ts";
import {
  type FileEdit,
  type Hunk,
  isPatch,
  isUnified,
  patchHunks,
  searchBlocks,
  unifiedHunks,
} from "./edits.ts";
import { alsoHeld } from "./held.ts";
import { isMemoryFile } from "./tools.ts";
import { edited, NONE, type Origin, targetOf, unreadable, type Write, whole, withLoose } from "./write.ts";

const PATHS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file_name",
  "fileName",
  "target_file",
  "targetFile",
  "TargetFile",
  "absolute_path",
  "relative_path",
  "relativePath",
  "filepath",
  "file",
  "uri",
];
const WHOLE = [
  "content",
  "contents",
  "file_text",
  "text",
  "code_edit",
  "fileContent",
  "CodeContent",
  "CodeEdit",
];
const OLD = ["old_string", "oldString", "old_str", "old_text", "oldText", "search", "TargetContent"];
const NEW = [
  "new_string",
  "newString",
  "new_str",
  "new_text",
  "newText",
  "insert_text",
  "insertText",
  "replace",
  "replacement",
  "repl",
  "new_source",
  "ReplacementContent",
];
const LISTS = ["edits", "replacements", "ReplacementChunks", "changes", "operations", "files"];
const PATCHES = ["patch", "input", "diff", "patchText", "patch_text"];

/** A write, and the texts that it was read from. */
interface Read {
  readonly write: Write;
  readonly texts: readonly string[];
}

const NOTHING: Read = { write: NONE, texts: [] };

/** @param files `null` when every path of this tool is a memory */
export function fileWrite(
  tool: string,
  args: JsonObject,
  stored: string | null,
  files: readonly string[] | null,
): Write {
  const counts = (path: string | null): path is string =>
    path !== null && (files === null || isMemoryFile(path, files));
  const command = typeof args["command"] === "string" ? args["command"] : "";
  if (/^(?:view|delete|rename|undo_edit)$/.test(command)) return NONE;
  const path = pathOf(args, counts);
  const { write, texts } = readFile(tool, args, stored, path, counts);
  if (!counts(path) || write.kind === "unreadable") return write;
  const others = alsoHeld(args, texts);
  if (others.length === 0) return write;
  return withLoose(write.kind === "write" ? write : whole(tool, targetOf(tool, path), [], stored), others);
}

/** The path that is a memory, whatever others are named beside it. */
function pathOf(args: JsonObject, counts: (path: string | null) => path is string): string | null {
  const paths = PATHS.map((key) => firstText(args, [key]));
  return paths.find(counts) ?? paths.find((path) => path !== null) ?? null;
}

function readFile(
  tool: string,
  args: JsonObject,
  stored: string | null,
  path: string | null,
  counts: (path: string | null) => path is string,
): Read {
  const patches = PATCHES.map((key) => args[key]).filter((one): one is string => typeof one === "string");
  const patch = patches[0] ?? null;
  const hunks: Hunk[] = [];
  const taken = patches.filter((one) => {
    // A path beside it says nothing where the diff names its files itself.
    if (isPatch(one)) for (const hunk of patchHunks(one)) hunks.push(hunk);
    else if (!counts(path) && isUnified(one)) for (const hunk of unifiedHunks(one, "")) hunks.push(hunk);
    else return false;
    return true;
  });
  // What no header gives to a file is read like any other text.
  if (taken.length > 0)
    return { write: patchWrite(tool, hunks, stored, counts), texts: hunks.length > 0 ? taken : [] };
  const list = LISTS.map((key) => args[key]).find((value) => value !== undefined && value !== null);
  // Each edit can name a file of its own.
  if (list !== undefined && !counts(path))
    return { write: editsElsewhere(tool, list, stored, counts), texts: [] };
  if (!counts(path)) return NOTHING;
  const target = targetOf(tool, path);
  for (const key of [...WHOLE, ...OLD, ...NEW])
    if (isWrongType(args[key])) return { write: unreadable(tool, target, `${key} is not a text`), texts: [] };
  const edits = list === undefined ? [] : editsOf(list);
  if (edits === null)
    return { write: unreadable(tool, target, "its edits are not a list of texts"), texts: [] };
  if (edits.length > 0)
    return {
      write: edited(tool, target, edits, stored),
      texts: edits.map(({ replacement }) => replacement),
    };
  if (patch !== null) return { write: diffWrite(tool, target, path, patch, stored), texts: [patch] };
  const old = firstText(args, OLD);
  const replacement = firstText(args, NEW);
  const text = firstText(args, WHOLE);
  if (replacement !== null && (old !== null || text === null))
    return { write: edited(tool, target, [{ old: old ?? "", replacement }], stored), texts: [replacement] };
  if (text === null || old !== null) return NOTHING;
  return { write: whole(tool, target, [text], stored), texts: [text] };
}

/**
 * The memories among the files of a patch. What stands in a file is what the client says is stored: its first one's. Of
 * another, what the hunks keep or remove was written before as far as anybody can tell, but is no evidence.
 */
function patchWrite(
  tool: string,
  hunks: readonly Hunk[],
  stored: string | null,
  counts: (path: string) => boolean,
): Write {
  const pieces: string[] = [];
  const origins: Origin[] = [];
  const ours = hunks.filter(({ path }) => counts(path));
  const first = ours[0]?.path ?? null;
  const kept = new Map<string, string[]>();
  for (const { path, before } of ours) {
    const texts = kept.get(path) ?? [];
    kept.set(path, texts);
    if (before !== "") texts.push(before);
  }
  if (stored !== null && first !== null) kept.set(first, [stored]);
  const byFile = new Map<string, Origin>();
  for (const [path, known] of kept)
    byFile.set(path, { known, quoted: stored !== null && path === first ? known : [] });
  for (const { path, after } of ours) {
    const origin = byFile.get(path);
    if (after === "" || origin === undefined) continue;
    pieces.push(after);
    origins.push(origin);
  }
  if (pieces.length === 0) return NONE;
  const base = [...kept.values()].flat();
  const isPartial = stored === null || kept.size > 1;
  return { kind: "write", tool, target: targetOf(tool, first), pieces, base, origins, isPartial };
}

/** A change of one file: blocks to search and replace, a unified diff, or a text nobody knows the form of. */
function diffWrite(tool: string, target: string, path: string, diff: string, stored: string | null): Write {
  const blocks = searchBlocks(diff);
  if (blocks.length > 0) return edited(tool, target, blocks, stored);
  return isUnified(diff)
    ? patchWrite(tool, unifiedHunks(diff, path), stored, () => true)
    : whole(tool, target, [diff], stored);
}

/** Edits of several files; nobody can say in which of them `stored` stands. */
function editsElsewhere(
  tool: string,
  list: JsonValue,
  stored: string | null,
  counts: (path: string | null) => path is string,
): Write {
  const value = typeof list === "string" ? parsed(list) : list;
  const hunks: Hunk[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) continue;
    const path = pathOf(one, counts);
    const replacement = firstText(one, [...NEW, ...WHOLE]);
    if (!counts(path)) continue;
    const before = firstText(one, OLD) ?? "";
    if (replacement !== null) hunks.push({ path, before, after: replacement });
    for (const after of alsoHeld(one, replacement === null ? [] : [replacement]))
      hunks.push({ path, before: "", after });
  }
  const write = patchWrite(tool, hunks, stored, counts);
  return write.kind === "write" ? { ...write, isPartial: true } : write;
}

function editsOf(list: JsonValue): FileEdit[] | null {
  if (list === "") return [];
  const value = typeof list === "string" ? parsed(list) : list;
  const edits: FileEdit[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) return null;
    const replacement = firstText(one, NEW) ?? firstText(one, WHOLE);
    if (replacement === null) return null;
    edits.push({ old: firstText(one, OLD) ?? "", replacement });
  }
  return edits;
}
