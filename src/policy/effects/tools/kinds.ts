import type { JsonObject, JsonValue, RiskClass } from "../../types.ts";
import { looksLikeAddress } from "../people.ts";
import { valuesAt } from "./arguments.ts";

/** What a word, or a whole name, says that a tool does. */
export type Kind =
  | "read"
  | "write"
  | "execute"
  | "communicate"
  | "share"
  | "delete"
  | "financial"
  | "persist";

/** What a word in a tool's name says about it. A word in two lists counts for the graver one. */
const WORDS: readonly (readonly [Kind, string])[] = [
  [
    "read",
    "get list read search find query fetch show view describe lookup retrieve check count browse inspect status info history preview track peek scan verify validate ping head diff compare analyze analyse summarize summarise calculate compute estimate explain select load ls cat stat details report reports select overview freebusy metadata profile whoami who what where convert translate render format parse detect classify recommend suggest autocomplete resolve transcribe navigate snapshot screenshot wait hover export think thinking sequentialthinking",
  ],
  [
    "write",
    "create update edit modify set add put patch write insert upsert upload move rename copy archive unarchive close reopen open assign unassign label unlabel mark merge approve reject star unstar like unlike react reaction save import schedule reschedule submit rate log adjust enable disable configure change reset restore register unregister signup follow unfollow touch fill click type press complete draft store append replace apply attach detach link pin unpin lock unlock confirm accept decline snooze queue generate build provision commit tag fork clone redirect book reserve hold mute unmute block unblock vote request subscribe unsubscribe upgrade downgrade sign turn arrange place push transition pause resume play skip connect disconnect dismiss freeze unfreeze resize",
  ],
  [
    "execute",
    "run execute exec eval evaluate invoke deploy trigger start restart stop kill reboot shutdown spawn launch compile install uninstall shell terminal bash script command sudo rerun redeploy",
  ],
  [
    "communicate",
    "send reply forward broadcast notify dm post publish tweet retweet deliver announce respond alert sms",
  ],
  [
    "share",
    "share unshare invite uninvite kick ban unban collaborator collaborators grant permission permissions visibility acl expose member members public role roles access",
  ],
  [
    "delete",
    "delete remove destroy purge wipe erase drop truncate trash clear empty unlink rm rmdir prune del discard revoke flush terminate cancel",
  ],
  [
    "financial",
    "pay payment payments purchase buy checkout refund transfer charge invoice donate tip deposit withdraw withdrawal trade sell bid payout money funds payroll billing remit wire standing void swap stake unstake mint redeem topup",
  ],
];

export const KIND_OF: ReadonlyMap<string, Kind> = new Map(
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
/** What is posted to, or sent as, when nobody is written to: `http_post`, `post_webpage`. */
const REQUESTS = new Set("webpage page http request api endpoint form data json url".split(" "));
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
/** Rights: to take one away destroys nothing. */
const RIGHTS = new Set(
  "permission permissions collaborator collaborators member members acl access role roles".split(" "),
);
export const SECRETS: ReadonlySet<string> = new Set([
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
/** What the agent finds again in a later session, or what starts one. */
const KEPT = new Set(
  "memory memories skill skills cron cronjob cronjobs crontab automation automations routine routines".split(
    " ",
  ),
);
const KEEPERS = /(?:^|[_-])(?:memory|memories|mem0|openmemory)(?:$|[_-])/i;

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

export const RISKS: Readonly<Record<Kind, readonly RiskClass[]>> = {
  read: ["READ"],
  write: ["EXTERNAL_WRITE"],
  execute: ["EXECUTE"],
  communicate: ["COMMUNICATION"],
  share: ["SHARE"],
  delete: ["DELETE"],
  financial: ["FINANCIAL"],
  persist: ["PERSISTENT"],
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

/** What a word says, in its base form or bent. */
export function kindOfWord(word: string): Kind | undefined {
  return (
    KIND_OF.get(word) ??
    KIND_OF.get(word.replace(/(?:ing|ed|s)$/, "")) ??
    KIND_OF.get(word.replace(/(?:ing|ed)$/, "e"))
  );
}

/** True when a word of the name changes something. */
export function changes(name: string): boolean {
  return wordsOf(name).some((word) => (KIND_OF.get(word) ?? "read") !== "read");
}

/** True for a booking: where it leads to is where, not whom it pays. */
export function isTravel(words: readonly string[]): boolean {
  return words.some((word) => TRAVEL.has(word) || word === "book" || word === "reserve");
}

/** Verbs that say nothing of what a tool does to anything, but are verbs. */
const PLAIN_VERBS = new Set(
  (
    "manage sync process handle calibrate reconcile use make do switch record mail email call message comment note log heartbeat finalize finalise void kick ban kindle rsvp attend join leave mount scan remind " +
    "play pause resume skip next previous shuffle seek key drag scroll capture focus connect disconnect"
  ).split(" "),
);

export function isVerb(word: string): boolean {
  return KIND_OF.has(word) || PLAIN_VERBS.has(word);
}

/** Arguments that say what a tool does that does several things. */
const ACTIONS = "action operation op method command mode";

/** The action that an argument names, in words; none when there is no such argument. */
export function actionWords(args: JsonObject): string[] {
  for (const { value } of valuesAt(args, ACTIONS)) {
    if (typeof value !== "string" || value.length > 64 || /\s/.test(value.trim())) continue;
    const words = wordsOf(value);
    if (words.some((word) => isVerb(word) || kindOfWord(word) !== undefined)) return words;
  }
  return [];
}

/** Everything that an argument of that kind says, as it is spelled. */
export function actionsNamed(args: JsonObject): string[] {
  return valuesAt(args, ACTIONS).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

/** Every verb of the name and of the action argument, narrowed by what the other words and the arguments say. */
export function kindsOf(name: string, args: JsonObject, server = ""): Set<Kind> {
  const words = wordsOf(name);
  const kinds = new Set<Kind>();
  for (const word of words) {
    const kind = kindOfWord(word);
    if (kind !== undefined) kinds.add(kind);
  }
  // `manage_page` and its like say in an argument what they do.
  if (kinds.size === 0) for (const kind of kindsOfAction(args)) kinds.add(kind);
  refine(words, kinds, args, server);
  // What is called `read` and told to delete does as it is told.
  if ([...kinds].every((kind) => kind === "read" || kind === "write")) {
    for (const kind of kindsOfAction(args)) if (kind !== "read") kinds.add(kind);
    if (kinds.size > 1 && !kinds.has("execute")) keepGravest(kinds);
  }
  return kinds;
}

function kindsOfAction(args: JsonObject): Kind[] {
  const found = valuesAt(args, ACTIONS).flatMap(({ name, value }) => {
    if (typeof value !== "string" || value.length > 64) return [];
    // To a web service the verb of a request says what it does, not whom it reaches.
    if (/^(?:post|put|patch)$/i.test(value) && name === "method") return ["write" as const];
    return wordsOf(value).flatMap((word) => KIND_OF.get(word) ?? []);
  });
  return found;
}

function keepGravest(kinds: Set<Kind>): void {
  if (kinds.has("financial")) for (const other of ["communicate", "execute"] as const) kinds.delete(other);
  if (
    kinds.has("financial") ||
    kinds.has("communicate") ||
    kinds.has("share") ||
    kinds.has("delete") ||
    kinds.has("persist")
  )
    kinds.delete("write");
}

const READ_FIRST =
  /^(?:get|list|read|search|find|query|fetch|show|view|describe|lookup|retrieve|check|count|browse|inspect|download|scan)$/;

function refine(words: readonly string[], kinds: Set<Kind>, args: JsonObject, server: string): void {
  const [first] = words;
  const has = (...some: readonly string[]): boolean => some.some((word) => words.includes(word));
  const compound = has("and", "then", "or");
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
  // `execute_sql` does what its statement does.
  if (kinds.has("execute") && has("sql", "query", "statement") && onlyLooks(args)) {
    kinds.delete("execute");
    kinds.add("read");
  }
  // How a service's API is called says nothing where what it is asked is to search.
  if (has("api") && has("post") && /^(?:search|query)$/.test(words[words.length - 1] ?? "")) {
    kinds.delete("communicate");
    kinds.add("read");
    return;
  }
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
  const persons = words.some((word) => PERSONS.has(word));
  const circles = words.some((word) => CIRCLES.has(word));
  const named = valuesAt(args, "user user_id userId username email member members").length > 0;
  if (has("add") && persons && circles) kinds.add("share");
  if (has("remove", "kick", "ban") && (persons || named) && circles) kinds.add("share");
  if (kinds.has("write") && words.some((word) => INVITED.has(word))) kinds.add("communicate");
  if (has("post") && words.some((word) => REQUESTS.has(word)) && !words.some((word) => MESSAGES.has(word))) {
    kinds.delete("communicate");
    kinds.add("write");
  }
  if (has("book") && words.some((word) => TRAVEL.has(word))) kinds.add("financial");
  if (has("draft") && !has("send")) {
    kinds.delete("communicate");
    kinds.add("write");
  }
  byArguments(words, kinds, args);
  // What ends something that is paid for is about the money; nothing that anybody keeps is gone.
  if (kinds.has("financial") && has("cancel", "terminate") && !has("delete", "remove", "purge", "erase"))
    kinds.delete("delete");
  const takesRight = kinds.has("share") && kinds.has("delete") && !compound && !has("token", "key", "tokens");
  if (takesRight && (has("remove", "revoke", "kick", "ban") || words.some((word) => RIGHTS.has(word))))
    if (!has("delete") || !has("role", "roles")) kinds.delete("delete");
  const keeps = words.some((word) => KEPT.has(word)) || KEEPERS.test(server);
  if (keeps && (kinds.has("write") || kinds.has("delete") || kinds.has("execute"))) {
    kinds.add("persist");
    kinds.delete("execute");
  }
  keepGravest(kinds);
}

/** What the arguments say of a change, beyond its name: guests, prices, rights for everybody, mail that is sent on. */
function byArguments(words: readonly string[], kinds: Set<Kind>, args: JsonObject): void {
  const changing = kinds.has("write") || kinds.has("communicate");
  const priced = valuesAt(args, "amount price total unit_price payment_method currency iban").length > 0;
  if (priced && changing) kinds.add("financial");
  if (!kinds.has("write")) return;
  const guests = valuesAt(
    args,
    "attendees invitees guests participants required_attendees optional_attendees",
  );
  if (guests.some(({ value }) => (Array.isArray(value) ? value.length > 0 : holdsAddress(value))))
    kinds.add("communicate");
  const subscribes = words.includes("subscribe") || words.includes("unsubscribe");
  if (subscribes && valuesAt(args, "address email emails member").some(({ value }) => holdsAddress(value)))
    kinds.add("share");
  if (opensToAll(args)) kinds.add("share");
  const forwards = (value: JsonValue, depth: number): boolean =>
    typeof value === "object" &&
    value !== null &&
    depth < 4 &&
    Object.entries(value)
      .slice(0, 64)
      .some(
        ([key, one]) =>
          (/^(?:auto_?)?forward(?:ing)?(?:_?(?:to|address|email))?$/i.test(key) && holdsAddress(one)) ||
          forwards(one, depth + 1),
      );
  if (forwards(args, 0)) kinds.add("communicate");
}

function holdsAddress(value: JsonValue): boolean {
  if (typeof value === "string") return looksLikeAddress(value);
  return Array.isArray(value) && value.slice(0, 64).some((one) => holdsAddress(one ?? null));
}

/** True when an argument, by its name and value, opens something to everybody. */
export function isForAll(key: string, value: JsonValue): boolean {
  if (value === true) return /^(?:is_?|make_?)?public(?:ly)?(?:_?(?:visible|access|read))?$/i.test(key);
  if (value === false) return /^(?:is_?)?private$/i.test(key);
  return (
    typeof value === "string" &&
    /^(?:visibility|access|acl|type|audience|scope|privacy|link_?(?:access|sharing|visibility)|general_?access|grantee|principal|who|entity)$/i.test(
      key,
    ) &&
    /^(?:public(?:[-_]read(?:[-_]write)?)?|any_?one(?:[-_]?with[-_]?(?:the[-_]?)?link)?|every(?:one|body)|world|all_?users|\*)$/i.test(
      value,
    )
  );
}

function opensToAll(args: JsonObject): boolean {
  return Object.entries(args)
    .slice(0, 256)
    .some(([key, value]) => isForAll(key, value));
}

/** True for one statement of SQL that looks, and does nothing besides. */
function onlyLooks(args: JsonObject): boolean {
  const texts = valuesAt(args, "sql query statement").map(({ value }) => value);
  return (
    texts.length > 0 &&
    texts.every(
      (text) =>
        typeof text === "string" &&
        text.length <= 65_536 &&
        /^\s*(?:select|show|describe|explain|with)\b/i.test(text) &&
        !/;\s*\S|\b(?:insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|call|exec|execute|copy|into|set|do|vacuum|pg_\w+|lo_\w+|dblink|nextval|setval|load_\w+|xp_\w+)\b/i.test(
          text,
        ),
    )
  );
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
