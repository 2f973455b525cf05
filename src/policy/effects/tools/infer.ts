import { treeBound } from "../../paths/index.ts";
import { readStrictJson } from "../../text/strict-json.ts";
import type { JsonObject, JsonValue, PathBound, RiskClass } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { namesInText } from "../names.ts";
import { type Report, UNKNOWN_PATH } from "../report.ts";
import { pathsOf, pointer, stringsIn, type ToolReading, valuesAt } from "./arguments.ts";
import { readShellTool } from "./shells.ts";

type Kind = "read" | "write" | "execute" | "communicate" | "share" | "delete" | "financial";

/** What a word in a tool's name says about it. A word in two lists counts for the graver one. */
const WORDS: readonly (readonly [Kind, string])[] = [
  [
    "read",
    "get list read search find query fetch show view describe lookup retrieve check count browse inspect status info history preview track peek scan verify validate ping head diff compare analyze analyse summarize summarise calculate compute estimate explain select load ls cat stat details report reports select overview freebusy metadata profile whoami who what where convert translate render format parse detect classify recommend suggest autocomplete resolve transcribe",
  ],
  [
    "write",
    "create update edit modify set add put patch write insert upsert upload move rename copy archive unarchive close reopen open assign unassign label unlabel mark merge approve reject star unstar like unlike react reaction save import schedule reschedule submit rate log adjust enable disable configure change reset restore register unregister signup follow unfollow touch fill click type press complete draft store append replace apply attach detach link pin unpin lock unlock confirm accept decline snooze queue generate build provision commit tag fork clone redirect book reserve hold mute unmute block unblock vote request subscribe unsubscribe upgrade downgrade sign turn arrange place",
  ],
  [
    "execute",
    "run execute exec eval evaluate invoke deploy trigger start restart stop kill reboot shutdown spawn launch compile install uninstall shell terminal bash script command sudo",
  ],
  [
    "communicate",
    "send reply forward broadcast notify dm post publish tweet retweet deliver announce respond alert sms",
  ],
  [
    "share",
    "share unshare invite collaborator collaborators grant permission permissions visibility acl expose member members public role roles access",
  ],
  [
    "delete",
    "delete remove destroy purge wipe erase drop truncate trash clear empty unlink rm rmdir prune del discard revoke flush terminate cancel",
  ],
  [
    "financial",
    "pay payment payments purchase buy checkout refund transfer charge invoice donate tip deposit withdraw withdrawal trade sell bid payout money funds payroll billing remit wire standing",
  ],
];

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  WORDS.flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

/** Nouns that decide what a writing verb does. `create` alone is a write; `create` with `refund` moves money. */
const NOUNS: Readonly<Record<string, Kind>> = {
  order: "financial",
  orders: "financial",
  subscription: "financial",
  membership: "financial",
  transaction: "financial",
  trial: "financial",
};

/** What reaches people once it is made: `create_comment` does, `delete_comment` and `archive_message` do not. */
const MESSAGES = new Set(["message", "email", "mail", "comment", "text", "call", "invitation", "newsletter"]);
/** Whom a change brings in, and into what. */
const PERSONS = new Set(["user", "users", "member", "members", "person", "people", "guest", "guests"]);
const CIRCLES = new Set([
  "channel",
  "group",
  "team",
  "workspace",
  "organization",
  "org",
  "room",
  "chat",
  "repository",
  "repo",
  "slack",
]);
const INVITED = new Set(["participant", "participants", "attendee", "attendees", "invitee", "invitees"]);
const SECRETS = new Set([
  "password",
  "passwords",
  "credential",
  "credentials",
  "secret",
  "secrets",
  "token",
  "tokens",
  "apikey",
  "passkey",
]);

const MAKES = new Set(["create", "add", "write", "schedule", "submit", "make", "new"]);

/** What a booking pays for, whether or not the call says how much. */
const TRAVEL = new Set([
  "room",
  "ticket",
  "tickets",
  "flight",
  "hotel",
  "fare",
  "seat",
  "trip",
  "car",
  "train",
]);

const RISKS: Readonly<Record<Kind, readonly RiskClass[]>> = {
  read: ["READ"],
  write: ["EXTERNAL_WRITE"],
  execute: ["EXECUTE"],
  communicate: ["COMMUNICATION"],
  share: ["SHARE"],
  delete: ["DELETE"],
  financial: ["FINANCIAL"],
};

/** `listThenPurge`, `kebab-case-name`, `customers.export.delete` -> lower-case words. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/**
 * Reads a tool that no table knows from its name and arguments. Every verb in a compound counts, the gravest decides.
 * @param name the tool's own name, without its server.
 * @param local false for a server's tool, whose bare names and ids are not files of this machine.
 */
export function inferTool(name: string, reading: ToolReading, local: boolean): void {
  const { report, args, context } = reading;
  readCommandLine(reading);
  const kinds = kindsOf(name, args);
  if (kinds.size === 0) {
    report.risk("UNKNOWN");
    report.opaque("unknown-tool");
    const cwd = isElsewhere(reading) ? null : context.environment.cwd;
    for (const text of stringsIn(args, 200)) report.opaque("unknown-tool", text, cwd);
    for (const { value, at } of pathArguments(reading, local))
      for (const path of pathsOf(value, at, reading)) report.name(path);
    return;
  }
  const words = wordsOf(name);
  const paths = pathArguments(reading, local);
  const before = report.mark;
  actOn(paths, words, kinds, reading);
  const unseen = report.mark === before && (!isPureRead(words, kinds) || orderedToDelete(args));
  if (unseen) nameArguments(paths, reading, local);
  const onlyLocal =
    paths.length > 0 &&
    local &&
    [...kinds].every((kind) => kind === "write" || kind === "read" || kind === "delete");
  for (const kind of kinds) {
    if (kind === "read" && kinds.size > 1) continue;
    if (kind === "write" && onlyLocal) continue;
    report.risk(...RISKS[kind]);
  }
  if (!kinds.has("read") && wordsOf(name).some((word) => SECRETS.has(word))) report.risk("CREDENTIAL");
  for (const text of stringsIn(args, 200)) {
    const host = text.length < 4096 ? hostOfUrl(text) : null;
    if (host !== null) report.host(host);
  }
  if (kinds.has("execute"))
    for (const text of stringsIn(args, 200)) report.opaque("unknown-tool", text, context.environment.cwd);
}

/**
 * A tool that nobody knows may be a shell by another name. What looks like a command line is read as one besides; that it
 * is one stays a guess, so the call is opaque all the same.
 */
function readCommandLine(reading: ToolReading): void {
  const lines = valuesAt(reading.args, "command cmd command_line commandLine").filter(
    ({ value }) => typeof value === "string" && /\s/.test(value),
  );
  if (lines.length === 0) return;
  readShellTool(reading);
  reading.report.opaque("unknown-tool");
}

/** True when a word of the name changes something. */
export function changes(name: string): boolean {
  return wordsOf(name).some((word) => (KIND_OF.get(word) ?? "read") !== "read");
}

function kindsOf(name: string, args: JsonObject): Set<Kind> {
  const words = wordsOf(name);
  const kinds = new Set<Kind>();
  for (const word of words) {
    const kind =
      KIND_OF.get(word) ??
      KIND_OF.get(word.replace(/(?:ing|ed|s)$/, "")) ??
      KIND_OF.get(word.replace(/(?:ing|ed)$/, "e"));
    if (kind !== undefined) kinds.add(kind);
  }
  // `manage_page` and its like say in an argument what they do.
  const named = ["action", "operation", "op", "method", "command", "mode"].map((key) =>
    Object.hasOwn(args, key) ? args[key] : undefined,
  );
  if ([...kinds].every((kind) => kind === "read" || kind === "write") && kinds.size === 0) {
    for (const value of named)
      if (typeof value === "string") for (const kind of kindsOfWords(wordsOf(value))) kinds.add(kind);
  }
  refine(words, kinds, args);
  return kinds;
}

function kindsOfWords(words: readonly string[]): Kind[] {
  return words.flatMap((word) => KIND_OF.get(word) ?? []);
}

const READ_FIRST =
  /^(?:get|list|read|search|find|query|fetch|show|view|describe|lookup|retrieve|check|count|browse|inspect|download|scan)$/;

function refine(words: readonly string[], kinds: Set<Kind>, args: JsonObject): void {
  const [first] = words;
  const compound = words.some((word) => word === "and" || word === "then" || word === "or");
  const effects = words.filter(
    (word, at) =>
      at > 0 &&
      /^(?:delete|remove|purge|wipe|destroy|erase|send|pay|buy|purchase|subscribe|execute|update|create|modify|clear|empty|drop|trash)$/.test(
        word,
      ),
  );
  // `get_order` and `list_permissions` look at what the noun names; `get_and_wipe` does not stop there.
  if (first !== undefined && READ_FIRST.test(first) && !compound && effects.length === 0) {
    kinds.clear();
    kinds.add("read");
  } else if (
    words.length > 1 &&
    READ_FIRST.test(words[words.length - 1] ?? "") &&
    effects.length === 0 &&
    !kinds.has("delete") &&
    !compound
  ) {
    for (const kind of [...kinds])
      if (
        kind !== "read" &&
        !words.slice(0, -1).some((word) => KIND_OF.get(word) === kind && kind !== "communicate")
      )
        kinds.delete(kind);
  }
  if (kinds.size === 1 && kinds.has("read")) sqlKinds(args, kinds);
  const acts = [...kinds].some((kind) => kind !== "read");
  for (const word of words) {
    const noun = Object.hasOwn(NOUNS, word) ? NOUNS[word] : undefined;
    if (noun !== undefined && acts) kinds.add(noun);
    if (
      MESSAGES.has(word) &&
      !kinds.has("delete") &&
      (kinds.size === 0 || words.some((one) => MAKES.has(one)))
    ) {
      kinds.add("communicate");
    }
  }
  if (
    words.includes("add") &&
    words.some((word) => PERSONS.has(word)) &&
    words.some((word) => CIRCLES.has(word))
  ) {
    kinds.add("share");
  }
  if (kinds.has("write") && words.some((word) => INVITED.has(word))) kinds.add("communicate");
  if (words.includes("book") && words.some((word) => TRAVEL.has(word))) kinds.add("financial");
  if (words.includes("draft") && !words.includes("send")) {
    kinds.delete("communicate");
    kinds.add("write");
  }
  const priced = ["amount", "price", "total", "unit_price", "payment_method", "currency", "iban"].some(
    (key) => Object.hasOwn(args, key),
  );
  if (priced && (kinds.has("write") || kinds.has("communicate"))) kinds.add("financial");
  const guests = args["attendees"] ?? args["invitees"] ?? args["guests"];
  if (kinds.has("write") && Array.isArray(guests) && guests.length) kinds.add("communicate");
  if (kinds.has("financial")) for (const other of ["communicate", "execute"] as const) kinds.delete(other);
  if (kinds.has("financial") || kinds.has("communicate") || kinds.has("share") || kinds.has("delete"))
    kinds.delete("write");
}

/** A read-only name with a statement that is not. */
function sqlKinds(args: JsonObject, kinds: Set<Kind>): void {
  for (const key of ["sql", "query", "statement"]) {
    const text = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof text !== "string") continue;
    const head = text.slice(0, 65_536);
    if (/^\s*(?:delete|drop|truncate)\s/i.test(head) || /;\s*(?:delete|drop|truncate)\s/i.test(head))
      kinds.add("delete");
    else if (/(?:^|;)\s*(?:insert|update|alter|create|grant|revoke|merge|replace|call)\s/i.test(head))
      kinds.add("write");
  }
}

/** Words of reading tools that leave a file behind, or change the one they are given. */
const MAKES_FILES = new Set(
  "convert render format translate transcribe export dump save record snapshot backup cleanup clean tidy compact".split(
    " ",
  ),
);
/** Words that are no verbs of their own but take something away. */
const TIDIES = new Set("cleanup clean tidy sweep gc shred nuke scrub expunge vacuum reap".split(" "));

function isPureRead(words: readonly string[], kinds: ReadonlySet<Kind>): boolean {
  if (kinds.size !== 1 || !kinds.has("read")) return false;
  return words.every((word) => {
    const kind = KIND_OF.get(word);
    return (kind === undefined || kind === "read") && !MAKES_FILES.has(word) && !TIDIES.has(word);
  });
}

/** `{action: "delete"}` weighs more than the tool's name. */
function orderedToDelete(args: JsonObject): boolean {
  return valuesAt(args, "action operation op method command mode").some(
    ({ value }) =>
      typeof value === "string" &&
      value.length <= 64 &&
      wordsOf(value).some((word) => KIND_OF.get(word) === "delete"),
  );
}

/** What happens to the files among the arguments. Of a compound's verbs each counts. */
function actOn(
  paths: readonly PathArgument[],
  words: readonly string[],
  kinds: ReadonlySet<Kind>,
  reading: ToolReading,
): void {
  const { report } = reading;
  const has = (...some: readonly string[]): boolean => some.some((word) => words.includes(word));
  const compound = has("and", "then", "or");
  const moves = has("move", "rename");
  const copies = !moves && has("copy", "duplicate", "download", "clone");
  const sends = !moves && !copies && has("upload", "attach", "send");
  const pure = [...kinds].every((kind) => kind === "read");
  const deletes =
    kinds.has("delete") || has(...TIDIES) || (!isPureRead(words, kinds) && orderedToDelete(reading.args));
  const writes =
    (kinds.has("write") && !sends) ||
    (compound &&
      words.some((word) => KIND_OF.get(word) === "write" && !/^(?:upload|attach|copy|clone)$/.test(word)));
  const targets: PathBound[] = [];
  const sources: PathBound[] = [];
  for (const { value, at, role } of paths) {
    for (const path of pathsOf(value, at, reading)) {
      const tree = path === UNKNOWN_PATH ? path : treeBound(path);
      const target = role === "target" || role === "output";
      if (role !== "source") targets.push(path);
      if (!target) sources.push(path);
      if (deletes || (moves && !target)) report.act("delete", tree);
      if (moves || copies ? role !== "source" : writes) report.write(path);
      else if (role === "output" || (target && has(...MAKES_FILES))) report.write(path);
      else if (pure && role === "any" && has("export", "dump", "save", "record", "format"))
        report.write(path);
    }
  }
  if (moves || copies) writeInside(sources, targets, report);
}

/** What is copied to a folder lands in it under its own name. Which paths are folders cannot be seen. */
export function writeInside(
  sources: readonly PathBound[],
  targets: readonly PathBound[],
  report: Report,
): void {
  for (const target of targets.slice(0, 50)) {
    for (const source of sources.slice(0, 50)) {
      const name = source.slice(source.lastIndexOf("/") + 1);
      if (source === target || target === UNKNOWN_PATH) continue;
      if (source === UNKNOWN_PATH) report.write(treeBound(target));
      else if (name !== "") report.write(treeBound(`${target === "/" ? "" : target}/${name}`));
    }
  }
}

/** A tool that changes something, but nothing that was seen: what its arguments name is what it may change. */
function nameArguments(paths: readonly PathArgument[], reading: ToolReading, local: boolean): void {
  const { report, context } = reading;
  const cwd = isElsewhere(reading) ? null : context.environment.cwd;
  const found = new Set<string>();
  for (const { value, at } of paths)
    for (const path of pathsOf(value, at, reading)) if (path !== UNKNOWN_PATH) found.add(path);
  for (const text of stringsIn(reading.args, 500)) {
    if (text.length > 4096 || hostOfUrl(text) !== null || /\n/.test(text)) continue;
    const rooted = ROOTED.test(text) || /(?:^|[\s"'=,;])(?:~|\.{1,2})?\/[\w.]/.test(text);
    if (rooted || (local && /[/\\]/.test(text) && !/\s/.test(text)))
      for (const name of namesInText(text, context.environment, cwd).names) found.add(name);
  }
  if (found.size === 0) return;
  report.opaque("unclear-effect");
  for (const name of found) report.name(name);
}

interface PathArgument {
  readonly value: string;
  readonly at: string;
  readonly role: "source" | "target" | "output" | "any";
}

const PATH_KEY =
  /^(?:.*[_-])?(?:path|file|filename|filepath|file_path|dir|directory|folder|src|dst|source|destination|dest|target|from|to|output|location|paths|files)$|(?:Path|File|Dir|Directory|Folder|Name)$/i;
/** Keys under which even a bare word is a file. */
const SURE_KEY = /^(?:.*[_-])?(?:paths?|file_?paths?|dir|directory|folder)$|(?:Paths?|Dir|Directory|Folder)$/;
/** Keys under which a server's tool, too, is given a file of this machine. */
const SERVER_KEY = /^(?:.*[_-])?(?:paths?|file_?paths?)$|Paths?$/;
const OUTPUT_KEY =
  /^(?:out|output|outfile|save_?(?:to|as|path)|out(?:put)?[_-]?(?:path|file|filename|dir|directory|folder))$/i;
const PROSE_KEY =
  /^(?:content|contents|text|body|message|prompt|query|description|code|data|title|subject|summary|pattern|reason|comment|note|markdown|html)$/i;
const REMOTE_KEY =
  /^(?:owner|repo|repository|bucket|branch|project_?id|file_?id|drive_?id|site|workspace|database|channel)$/i;
/** Services whose paths lie elsewhere. A server's name is its owner's to give, an argument the agent's. */
const REMOTE_SERVER =
  /git|bitbucket|drive|dropbox|notion|slack|s3|gcs|azure|sharepoint|confluence|jira|linear|supabase|vercel|netlify/i;
const ROOTED = /^(?:\/(?!\/)|~(?:[/\\]|$)|\$\w|\$\{|[A-Za-z]:[\\/]|\\|file:\/\/\/|\.{1,2}(?:[/\\]|$))/i;

/** True when a server's tool is about files of a service, so that relative paths are none of this machine's. */
export function isElsewhere({ args, server }: ToolReading): boolean {
  return (
    server !== undefined &&
    REMOTE_SERVER.test(server) &&
    Object.keys(args).some((key) => REMOTE_KEY.test(key))
  );
}

/** Arguments, however deep, that look like files of this machine. Relative names count only under a key that says so. */
function pathArguments(reading: ToolReading, local: boolean): PathArgument[] {
  const elsewhere = isElsewhere(reading);
  const found: PathArgument[] = [];
  let left = 5000;
  const consider = (key: string, value: string, at: string): void => {
    if (value.length > 8192 || found.length >= 500) return;
    const listed = /^\s*\[/.test(value) ? readStrictJson(value) : null;
    if (listed?.ok && Array.isArray(listed.value)) {
      walk(key, listed.value as JsonValue, at);
      return;
    }
    const rooted = ROOTED.test(value) && (!elsewhere || /^[/~]|^\.\.[/\\]/.test(value));
    const plain = !/\s|@|:\/\//.test(value) && value !== "";
    const keyed = local
      ? PATH_KEY.test(key) && plain && (/[./\\]/.test(value) || SURE_KEY.test(key))
      : !elsewhere && SERVER_KEY.test(key) && plain;
    const spaced = SURE_KEY.test(key) && !elsewhere && /[/\\]/.test(value) && !/:\/\//.test(value);
    if (rooted || keyed || spaced) found.push({ value, at, role: roleOf(key) });
    if (!/[,;]/.test(value)) return;
    for (const part of value.split(/[,;]/, 200).map((one) => one.trim()))
      if (part !== value && (ROOTED.test(part) || (PATH_KEY.test(key) && (local || SERVER_KEY.test(key)))))
        consider(key, part, at);
  };
  const walk = (key: string, value: JsonValue, at: string): void => {
    if (left-- <= 0) return;
    if (typeof value === "string") {
      if (!PROSE_KEY.test(key)) consider(key, value, at);
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.slice(0, 1000).entries()) walk(key, one, pointer(at, index));
    } else if (value !== null && typeof value === "object")
      for (const [inner, one] of Object.entries(value)) walk(inner, one, pointer(at, inner));
  };
  for (const [key, value] of Object.entries(reading.args)) walk(key, value, pointer(reading.base, key));
  if (left <= 0 || found.length >= 500)
    reading.report.unparsed("too-many-arguments", "", reading.context.environment.cwd);
  return found;
}

function roleOf(key: string): PathArgument["role"] {
  if (OUTPUT_KEY.test(key)) return "output";
  if (/^(?:src|source|from|old)/i.test(key)) return "source";
  return /^(?:dst|dest|to$|target|new)/i.test(key) ? "target" : "any";
}
