import type { RiskClass } from "../../types.ts";
import { UNKNOWN_PATH } from "../report.ts";
import {
  actOnPaths,
  noteReads,
  noteUrls,
  PATH,
  pathsOf,
  pointer,
  stringsIn,
  type ToolReading,
  textAt,
  valuesAt,
} from "./arguments.ts";
import { readMemory, readSchedule } from "./hermes.ts";
import { wordsOf } from "./kinds.ts";
import { readPatch } from "./patch.ts";
import type { KnownWords } from "./wording.ts";

/** What tools do that depends on their arguments beyond what a column of the table can say. */

export function byAction(
  reading: ToolReading,
  looks: RegExp,
  risks: readonly RiskClass[],
  otherwise: string,
): void {
  const action = textAt(reading.args, "action") ?? otherwise;
  if (!looks.test(action)) reading.report.risk(...risks);
}

export function readProcess(reading: ToolReading): void {
  const { args, report, context } = reading;
  const action = textAt(args, "action") ?? (valuesAt(args, "chars data input").length ? "write" : "");
  if (/^(?:list|poll|log|wait)$/.test(action)) return;
  report.execute(/^(?:write|submit)$/.test(action) ? "process-input" : "process-control");
  for (const { value } of valuesAt(args, "data chars input"))
    if (typeof value === "string") report.opaque("process-input", value, context.environment.cwd);
}

/** An edit that replaces nothing writes the whole file, new or not. */
export function createsWhenEmpty(reading: ToolReading): void {
  const { args } = reading;
  const edits = Array.isArray(args["edits"]) ? args["edits"] : [];
  const olds = [args, ...edits].flatMap((one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? valuesAt(one, "old_string oldString old_str oldText")
      : [],
  );
  if (olds.some(({ value }) => value === "")) actOnPaths(reading, PATH, ["create"]);
  // Some harnesses give each edit of a batch its own file.
  for (const [at, one] of edits.slice(0, 500).entries()) {
    if (typeof one === "object" && one !== null && !Array.isArray(one)) {
      actOnPaths({ ...reading, args: one, base: pointer(reading.base, "edits", at) }, PATH, ["modify"]);
    }
  }
}

export function textEditor(reading: ToolReading): void {
  const command = textAt(reading.args, "command");
  if (command === "view") noteReads(reading, PATH);
  else if (command === "create") actOnPaths(reading, PATH, ["modify", "create"], { required: true });
  else actOnPaths(reading, PATH, command === "delete" ? ["delete"] : ["modify"], { required: true });
  if (command === "rename") actOnPaths(reading, "new_path", ["modify", "create"]);
}

/** `patch` of Hermes replaces text in one file, or applies a patch to many; other harnesses only have the latter. */
export function applyPatch(reading: ToolReading): void {
  const { args, report, context } = reading;
  const mode = textAt(args, "mode");
  const texts = valuesAt(args, "patch patchText patch_text input diff");
  const replaces = mode === "replace" || (mode === null && texts.length === 0);
  if (replaces || valuesAt(args, "old_string").length) {
    actOnPaths(reading, PATH, ["modify"], { required: true });
    if (textAt(args, "old_string") === "") actOnPaths(reading, PATH, ["create"]);
  } else if (texts.length === 0) {
    report.unreadable(pointer(reading.base, "patch"), "missing");
    for (const verb of ["modify", "create", "delete"] as const) report.act(verb, UNKNOWN_PATH);
  }
  if (mode === "replace") return;
  for (const { name, value } of texts) {
    const at = pointer(reading.base, name);
    if (typeof value !== "string") {
      report.unreadable(at, "not-text");
      continue;
    }
    const { changes, sound } = readPatch(value);
    if (!sound) report.unparsed("malformed-patch", value, context.environment.cwd);
    for (const change of changes.slice(0, 2000)) {
      for (const path of pathsOf(change.path, at, reading)) {
        if (change.kind === "delete" || change.kind === "move") report.act("delete", path);
        if (change.kind === "add") report.write(path);
        if (change.kind === "update") report.act("modify", path);
      }
      if (change.to !== undefined) for (const path of pathsOf(change.to, at, reading)) report.write(path);
    }
    if (changes.length > 2000) report.opaque("too-many-actions");
  }
}

export function urlsInPrompt(reading: ToolReading): void {
  const prompt = textAt(reading.args, "prompt");
  if (prompt !== null)
    noteUrls(
      { ...reading, args: { urls: prompt.match(/https?:\/\/[^\s"'<>)]{1,2000}/gi)?.slice(0, 50) ?? [] } },
      "urls",
    );
}

/** What a page's code reads to act as the person who is signed in. */
const SIGNED_IN =
  /\bdocument\s*(?:\.\s*cookie|\[\s*["'`]cookie)|\bcookieStore\b|\b(?:local|session)Storage\s*(?:\.\s*getItem\s*\(|\[|\.)\s*["'`]?[\w.-]{0,40}(?:token|auth|session|jwt|secret|password)|\bnavigator\s*\.\s*credentials\b|\b(?:Network|Storage)\.get(?:All)?Cookies\b/i;

export function browserConsole(reading: ToolReading): void {
  const expression = textAt(reading.args, "expression");
  if (expression === null || expression === "") return;
  reading.report.execute("inline-code", expression, reading.context.environment.cwd);
  if (SIGNED_IN.test(expression)) reading.report.risk("CREDENTIAL");
}

export function browserProtocol({ args, report }: ToolReading): void {
  if (stringsIn(args, 100).some((text) => SIGNED_IN.test(text))) report.risk("CREDENTIAL");
}

/** Home Assistant's `light.turn_on` turns on a light; the entity says which. */
export function homeService({ args }: ToolReading): KnownWords {
  const [verb, ...rest] = wordsOf(textAt(args, "service") ?? "");
  const entity = wordsOf(textAt(args, "entity_id") ?? "");
  return {
    verbs: verb ?? "call",
    object: [...rest, ...wordsOf(textAt(args, "domain") ?? ""), ...entity].join(" "),
    service: "homeassistant",
  };
}

/** A message goes out over the platform that its target names. */
export function messageService({ args }: ToolReading): KnownWords {
  const platform = /^[a-z_]{2,32}(?=$|:)/i.exec(textAt(args, "target") ?? "")?.[0].toLowerCase();
  return {
    verbs: "send message",
    object: "message",
    ...(platform === undefined ? {} : { service: platform }),
  };
}

/** `telegram`, `slack:#general`, `telegram:-100442:17`, `email:a@x`: a platform, and whom or where on it. */
export function messageOf(reading: ToolReading): void {
  byAction(reading, /^list$/, ["COMMUNICATION"], "send");
  if (textAt(reading.args, "action") === "list") return;
  for (const { name, value } of valuesAt(reading.args, "target")) {
    for (const one of Array.isArray(value) ? value.slice(0, 500) : [value])
      if (typeof one === "string") addressTarget(one, pointer(reading.base, name), reading);
  }
  // Hermes sends the files that a message names so.
  for (const { name, value } of valuesAt(reading.args, "message"))
    for (const [, file] of (typeof value === "string" ? value : "").matchAll(
      /\bMEDIA:\s{0,4}"?([^\s"]{1,4096})/g,
    )) {
      reading.report.said.item("attachment", file ?? "", pointer(reading.base, name));
      noteReads({ ...reading, args: { path: file ?? "" } }, "path");
    }
}

/** Notes whom a target of `send_message` or of a schedule's `deliver` reaches. */
export function addressTarget(target: string, at: string, { report }: ToolReading): void {
  const place = /^[a-z_]+:(?=[#@]|[^\s@:]+@)(.+)$/is.exec(target.trim())?.[1];
  report.said.people(/^#/.test(place ?? "") || /:-?\d/.test(target) ? "channel" : "to", place ?? target, at);
}

/** Gemini's `save_memory` keeps its file elsewhere; Hermes' `memory` under its home. */
export function memoryOf(reading: ToolReading): void {
  if (reading.tool.toLowerCase() !== "save_memory") {
    readMemory(reading);
    return;
  }
  reading.report.risk("PERSISTENT");
  for (const path of pathsOf("~/.gemini/GEMINI.md", reading.base, reading))
    for (const verb of ["modify", "create"] as const) reading.report.touch(verb, path);
}

export function scheduleOf(reading: ToolReading): void {
  const name = reading.tool.toLowerCase();
  if (name === "cronlist") return;
  readSchedule(name === "crondelete" ? { ...reading, args: { ...reading.args, action: "remove" } } : reading);
  for (const { name: key, value } of valuesAt(reading.args, "deliver"))
    if (typeof value === "string" && !/^(?:origin|local|none|)$/i.test(value))
      addressTarget(value, pointer(reading.base, key), reading);
}

export function discord(reading: ToolReading): void {
  const action = textAt(reading.args, "action") ?? "";
  if (/^(?:fetch_messages|search_members|list_\w+|server_info|channel_info|member_info)$/.test(action))
    return;
  if (/^delete_/.test(action)) reading.report.risk("DELETE");
  else if (/^(?:send|reply)/.test(action)) reading.report.risk("COMMUNICATION");
  else if (/role$/.test(action)) reading.report.risk("SHARE", "EXTERNAL_WRITE");
  else reading.report.risk("EXTERNAL_WRITE");
}

export function spotify(reading: ToolReading): void {
  const name = reading.tool.toLowerCase();
  const action = textAt(reading.args, "action") ?? (name === "spotify_search" ? "search" : "");
  if (
    /^(?:list|get|search|current|status|recent\w*|currently_playing|get_\w+|list_\w+|devices|state)$/.test(
      action,
    )
  )
    return;
  reading.report.risk(/^(?:remove|delete|clear|unfollow)/.test(action) ? "DELETE" : "EXTERNAL_WRITE");
}
