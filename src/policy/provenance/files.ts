/** Writes of files by any harness's tools: what is written is a memory if its path is one. */
import type { JsonObject, JsonValue } from "../types.ts";
import { firstText, isObject, isWrongType, parsed } from "./arguments.ts";
import { type FileEdit, type Hunk, isUnified, patchHunks, searchBlocks, unifiedHunks } from "./edits.ts";
import { isMemoryFile } from "./tools.ts";
import { edited, NONE, targetOf, unreadable, type Write, whole } from "./write.ts";

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
  "ReplacementContent",
];
const LISTS = ["edits", "replacements", "ReplacementChunks", "changes", "operations"];
const PATCHES = ["patch", "input", "diff", "patchText", "patch_text"];

/** @param files `null` when every path of this tool is a memory */
export function fileWrite(
  tool: string,
  args: JsonObject,
  stored: string | null,
  files: readonly string[] | null,
): Write {
  const counts = (path: string | null): path is string =>
    path !== null && (files === null || isMemoryFile(path, files));
  const path = firstText(args, PATHS);
  const patch = firstText(args, PATCHES);
  if (patch?.includes("*** ")) return patchWrite(tool, patchHunks(patch), stored, counts);
  if (patch !== null && path === null && isUnified(patch))
    return patchWrite(tool, unifiedHunks(patch, ""), stored, counts);
  const list = LISTS.map((key) => args[key]).find((value) => value !== undefined && value !== null);
  const command = typeof args["command"] === "string" ? args["command"] : "";
  if (/^(?:view|delete|rename|undo_edit)$/.test(command)) return NONE;
  // Each edit can name a file of its own.
  if (list !== undefined && path === null) return editsElsewhere(tool, list, stored, counts);
  if (!counts(path)) return NONE;
  const target = targetOf(tool, path);
  for (const key of [...WHOLE, ...OLD, ...NEW])
    if (isWrongType(args[key])) return unreadable(tool, target, `${key} is not a text`);
  if (list !== undefined) {
    const edits = editsOf(list);
    return edits === null
      ? unreadable(tool, target, "its edits are not a list of texts")
      : edited(tool, target, edits, stored);
  }
  if (patch !== null) return diffWrite(tool, target, path, patch, stored);
  const old = firstText(args, OLD);
  const replacement = firstText(args, NEW);
  if (old !== null || (replacement !== null && firstText(args, WHOLE) === null))
    return replacement === null ? NONE : edited(tool, target, [{ old: old ?? "", replacement }], stored);
  const text = firstText(args, WHOLE);
  return text === null ? NONE : whole(tool, target, [text], stored);
}

/** The memories among the files of a patch; what its hunks keep is their base. */
function patchWrite(
  tool: string,
  hunks: readonly Hunk[],
  stored: string | null,
  counts: (path: string) => boolean,
): Write {
  const pieces: string[] = [];
  const base: string[] = stored === null ? [] : [stored];
  let first: string | null = null;
  for (const { path, before, after } of hunks) {
    if (!counts(path)) continue;
    first ??= path;
    if (after !== "") pieces.push(after);
    if (before !== "") base.push(before);
  }
  return pieces.length === 0
    ? NONE
    : { kind: "write", tool, target: targetOf(tool, first), pieces, base, isPartial: stored === null };
}

/** A change of one file: blocks to search and replace, a unified diff, or a text nobody knows the form of. */
function diffWrite(tool: string, target: string, path: string, diff: string, stored: string | null): Write {
  const blocks = searchBlocks(diff);
  if (blocks.length > 0) return edited(tool, target, blocks, stored);
  return isUnified(diff)
    ? patchWrite(tool, unifiedHunks(diff, path), stored, () => true)
    : whole(tool, target, [diff], stored);
}

function editsElsewhere(
  tool: string,
  list: JsonValue,
  stored: string | null,
  counts: (path: string | null) => path is string,
): Write {
  const value = typeof list === "string" ? parsed(list) : list;
  const pieces: string[] = [];
  const base: string[] = stored === null ? [] : [stored];
  let first: string | null = null;
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) continue;
    const path = firstText(one, PATHS);
    const replacement = firstText(one, [...NEW, ...WHOLE]);
    if (!counts(path) || replacement === null) continue;
    first ??= path;
    pieces.push(replacement);
    const old = firstText(one, OLD);
    if (old !== null) base.push(old);
  }
  return pieces.length === 0
    ? NONE
    : { kind: "write", tool, target: targetOf(tool, first), pieces, base, isPartial: true };
}

function editsOf(list: JsonValue): FileEdit[] | null {
  const value = typeof list === "string" ? parsed(list) : list;
  if (!Array.isArray(value)) return null;
  const edits: FileEdit[] = [];
  for (const one of value) {
    if (!isObject(one)) return null;
    const replacement = firstText(one, NEW) ?? firstText(one, WHOLE);
    if (replacement === null) return null;
    edits.push({ old: firstText(one, OLD) ?? "", replacement });
  }
  return edits;
}
