/**
 * A tool call -> what it does to a skill: which file of which skill, the text it replaces and the text it leaves. Kept
 * as hashes, it is the history of a skill, in which a change that nobody asked about shows as a gap. Pure, total, linear.
 */
import type { JsonObject, JsonValue, ToolCall } from "../types.ts";
import { firstText, isObject } from "./arguments.ts";
import { type FileEdit, patchHunks } from "./edits.ts";
import { newEffort, placesOf, replaced } from "./fragment.ts";

export interface SkillWrite {
  readonly skill: string;
  /** Within the skill's folder. */
  readonly file: string;
  readonly action: "create" | "edit" | "patch" | "write" | "delete";
  /** The file's text before and after; `null` where it cannot be known, and after a deletion. */
  readonly before: string | null;
  readonly after: string | null;
}

const MAIN_FILE = "SKILL.md";
const MAX_NAME = 200;
/** A text that grows beyond what a request can hold is no skill; a replacement of every letter could make it any size. */
const MAX_TEXT = 4 * 1024 * 1024;
/** `…/skills/<name>/<file>`, with folders of categories between allowed as part of the name. */
const IN_SKILLS = /(?:^|\/)skills\/(.+)$/;

/** @param stored the text now stored where the call edits it; `null` when the client does not say */
export function skillWriteOf({ tool, args }: ToolCall, stored: string | null): SkillWrite | null {
  if (!isObject(args)) return null;
  if (tool.toLowerCase() === "skill_manage") return managed(args, stored);
  const patch = args["patch"] ?? args["input"];
  const path =
    firstText(args, ["path", "file_path", "filePath", "filename", "target_file"]) ??
    // Most patches are of no skill, and large: only one that may be is taken apart.
    (typeof patch === "string" && patch.includes("skills") ? (patchHunks(patch)[0]?.path ?? null) : null);
  const place = path === null ? null : placeOf(path);
  if (place === null) return null;
  const whole = firstText(args, ["content", "contents", "file_text"]);
  if (whole !== null) return { ...place, action: "write", before: stored, after: whole };
  const edits = editsOf(args);
  if (edits === null && typeof patch !== "string") return null;
  return { ...place, action: "patch", before: stored, after: edits === null ? null : edited(edits, stored) };
}

function managed(args: JsonObject, stored: string | null): SkillWrite | null {
  const skill = firstText(args, ["name", "skill"])?.trim().slice(0, MAX_NAME) ?? "";
  if (skill === "") return null;
  const named = firstText(args, ["file_path"]);
  const file = named === null || named === "" ? MAIN_FILE : named.slice(0, MAX_NAME);
  const action = (firstText(args, ["action"]) ?? "").trim().toLowerCase();
  const place = { skill, file };
  switch (action) {
    case "create":
    case "edit": {
      const content = firstText(args, ["content"]);
      return content === null ? null : { ...place, action, before: stored, after: content };
    }
    case "write_file": {
      const content = firstText(args, ["file_content", "content"]);
      return content === null ? null : { ...place, action: "write", before: stored, after: content };
    }
    case "patch": {
      const replacement = firstText(args, ["new_string", "content"]);
      if (replacement === null) return null;
      const edit: FileEdit = { old: firstText(args, ["old_string"]) ?? "", replacement };
      return { ...place, action, before: stored, after: edited([edit], stored) };
    }
    case "delete":
    case "remove_file":
      return { ...place, action: "delete", before: stored, after: null };
    default:
      return null;
  }
}

/** The whole text after its edits; `null` when one of them cannot be placed, since then nobody knows what results. */
function edited(edits: readonly FileEdit[], stored: string | null): string | null {
  if (stored === null) return null;
  let text = stored;
  const effort = newEffort();
  for (const { old, replacement } of edits) {
    const places = placesOf(text, old, effort);
    if (places.length === 0 || text.length + places.length * replacement.length > MAX_TEXT) return null;
    text = replaced(text, places, replacement);
  }
  return text;
}

function placeOf(path: string): { skill: string; file: string } | null {
  const rest = IN_SKILLS.exec(path.replaceAll("\\", "/"))?.[1] ?? "";
  const cut = rest.lastIndexOf("/");
  return cut <= 0
    ? null
    : { skill: rest.slice(0, cut).slice(0, MAX_NAME), file: rest.slice(cut + 1).slice(0, MAX_NAME) };
}

function editsOf(args: JsonObject): FileEdit[] | null {
  const list: JsonValue = args["edits"] ?? [args];
  if (!Array.isArray(list)) return null;
  const edits: FileEdit[] = [];
  for (const one of list) {
    if (!isObject(one)) return null;
    const replacement = firstText(one, ["new_string", "newString", "new_str", "new_text"]);
    const old = firstText(one, ["old_string", "oldString", "old_str", "old_text"]);
    if (replacement === null || old === null) return null;
    edits.push({ old, replacement });
  }
  return edits;
}

export const LINKS = ["first", "continues", "unknown", "broken", "not-run"] as const;
export type Link = (typeof LINKS)[number];

export interface RecordedSkillWrite {
  readonly file: string;
  readonly action: string;
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  readonly verdict: string;
  readonly outcome: string | null;
}

/** SHA-256 of no text: a file that is not there yet may be told as an empty one. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * How each write of a skill hangs on those before it, file by file. A write that was let through counts as run until
 * something else is reported.
 * @param writes in their order
 */
export function lineage(writes: readonly RecordedSkillWrite[]): Link[] {
  /** What each file holds as far as is known; `undefined` for one that nobody wrote yet. */
  const held = new Map<string, string | null>();
  return writes.map(({ file, action, before_sha256: before, after_sha256: after, verdict, outcome }) => {
    const ran = outcome === null ? verdict === "allow" : outcome === "success" || outcome === "unknown";
    if (!ran) return "not-run";
    const last = held.get(file);
    held.set(file, action === "delete" ? EMPTY : after);
    if (last === undefined) return "first";
    if (last === null || before === null)
      return last === EMPTY && action === "create" ? "continues" : "unknown";
    return last === before ? "continues" : "broken";
  });
}
