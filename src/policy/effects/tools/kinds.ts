import type { JsonObject, JsonValue } from "../../types.ts";
import { isAddressList, looksLikeAddress } from "../people.ts";
import { valuesAt } from "./arguments.ts";
import { kindsOfAction, ordersIn, statementKinds } from "./orders.ts";
import { isPlainLook } from "./requests.ts";
import { KIND_OF, type Kind, kindOfWord, wordsOf } from "./vocabulary.ts";

export { changes, isVerb, KIND_OF, type Kind, kindOfWord, RISKS, wordsOf } from "./vocabulary.ts";

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
/** Verbs with which a tool hands out what it looks up, and what it hands out that opens other things. */
const HANDS_OUT =
  /^(?:get|read|show|reveal|fetch|retrieve|view|export|dump|lookup|access|describe|decrypt|download|load|copy|print)$/;
const KEYS = /^(?:secrets?|passwords?|passwd|credentials?|passkeys?|apikeys?|totp|passphrases?|cookies?)$/;
/** Words that are a key only with another before them: `access_token`, `private_key`. */
const QUALIFIED =
  /(?:^| )(?:access|auth|api|bearer|refresh|session|oauth|jwt|service account|personal) (?:tokens?|keys?)(?: |$)|(?:^| )(?:private|secret|ssh|signing|encryption) keys?(?: |$)/;
/** What is said about keys without showing one. */
const ABOUT_KEYS =
  /^(?:policy|policies|usage|count|names?|metadata|strength|status|rotation|expiry|expiration|types?|schema|scanning|scan|alerts?|history|audit|rules?|requirements?|settings|hint|age|public|list|lists|consent|banner|recipes?|price|limit|limits|breach|breaches)$/;
const CLUSTERS = /^(?:kubernetes|k8s|kube|kubectl|openshift|oc|cluster)$/;
const VAULTS =
  /^(?:1password|onepassword|bitwarden|lastpass|keepass\w*|dashlane|hashicorp|doppler|infisical|keychain|keyring|secretsmanager)$/;

/** True for a tool that only looks, and looks at what opens other things. */
export function showsKeys(words: readonly string[], args: JsonObject, server = ""): boolean {
  const owner = wordsOf(server);
  const hands = words.some((word) => HANDS_OUT.test(word));
  const about = words.some((word) => ABOUT_KEYS.test(word));
  if (hands && !about && (words.some((word) => KEYS.test(word)) || QUALIFIED.test(words.join(" "))))
    return true;
  if (hands && !about && owner.some((word) => VAULTS.test(word))) return true;
  return (
    [...words, ...owner].some((word) => CLUSTERS.test(word)) &&
    valuesAt(args, "resource resources kind resource_type resourceType type object").some(
      ({ value }) => typeof value === "string" && /(?:^|,)\s{0,4}secrets?(?:[/,]|$)/i.test(value.trim()),
    )
  );
}

/** What the agent finds again in a later session, or what starts one. */
const KEPT = new Set(
  "memory memories skill skills cron cronjob cronjobs crontab automation automations routine routines".split(
    " ",
  ),
);
const KEEPERS = /(?:^|[_-])(?:memory|memories|mem0|openmemory)(?:$|[_-])/i;

const MAKES = new Set(["create", "add", "write", "schedule", "submit", "make", "new"]);

/** Verbs that pay what a thing costs. */
const SPENDS =
  /^(?:place|make|submit|confirm|complete|request|book|reserve|order|send|rent|hire|subscribe|upgrade|renew|provision|register|arrange|schedule|hold)$/;

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

/** True for a booking: where it leads to is where, not whom it pays. */
export function isTravel(words: readonly string[]): boolean {
  return words.some((word) => TRAVEL.has(word) || word === "book" || word === "reserve");
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
  // What is run may be an order to throw away.
  if (kinds.has("execute"))
    for (const kind of [...kindsOfAction(args), ...ordersIn(args, words, server)])
      if (kind === "delete") kinds.add(kind);
  return kinds;
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

/** What is settled when it is resolved; a name, a host or a library is only looked up. */
const SETTLED =
  /^(?:issues?|tickets?|threads?|incidents?|alerts?|comments?|conversations?|conflicts?|cases?|problems?|errors?|bugs?|tasks?|disputes?|discussions?|reviews?|findings?|events?|escalations?|reports?)$/;
/** What keeps a log of its own: `pods_log` shows it. */
const LOGGED =
  /^(?:pods?|containers?|deployments?|services?|builds?|jobs?|runs?|workflows?|servers?|systems?|audit|access|errors?|app|instances?|functions?|tasks?|steps?)$/;

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
  if (has("resolve", "unresolve") && words.some((word) => SETTLED.test(word))) {
    kinds.delete("read");
    kinds.add("write");
  }
  // Whoever checks in has done something; whoever checks has only looked.
  const arrives =
    first === "check" &&
    /^(?:in|out)$/.test(words[1] ?? "") &&
    !has("status", "info", "time", "times", "availability", "options");
  if (arrives) {
    kinds.delete("read");
    kinds.add("write");
  }
  const last = words.at(-1) ?? "";
  if (words.length === 2 && /^logs?$/.test(last) && LOGGED.test(first ?? "")) {
    kinds.clear();
    kinds.add("read");
  }
  // `get_order` and `list_permissions` look at what the noun names; `get_and_wipe` does not stop there.
  if (first !== undefined && READ_FIRST.test(first) && !compound && effects.length === 0 && !arrives) {
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
  if (kinds.size === 1 && kinds.has("read"))
    for (const kind of ordersIn(args, words, server)) kinds.add(kind);
  // `execute_sql` does what its statement does.
  if (kinds.has("execute") && has("sql", "query", "statement")) {
    const stated = statementKinds(args, words, server);
    if (stated.length > 0 && stated.every((kind) => kind === "read")) {
      kinds.delete("execute");
      kinds.add("read");
    } else if (stated.includes("delete")) kinds.add("delete");
  }
  // A request that is said to look, and carries nothing, looks.
  if (isPlainLook(words, args)) {
    kinds.clear();
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
  // A price belongs to a thing, which one may change; a sum or an account is there to be paid.
  const paid = valuesAt(args, "amount payment_method iban").length > 0;
  const priced = valuesAt(args, "price total unit_price currency").length > 0;
  if (changing && (paid || (priced && words.some((word) => SPENDS.test(word))))) kinds.add("financial");
  if (!kinds.has("write")) return;
  const guests = valuesAt(args, GUESTS);
  if (guests.some(({ value }) => (Array.isArray(value) ? value.length > 0 : holdsAddress(value))))
    kinds.add("communicate");
  // Whoever a calendar is told of beside its own is invited, whatever the argument is called.
  const invites = words.some((word) => MEETINGS.has(word)) && !words.includes("draft");
  if (
    invites &&
    Object.entries(args)
      .slice(0, 256)
      .some(([key, value]) => isGuest(key, value))
  )
    kinds.add("communicate");
  const subscribes = words.includes("subscribe") || words.includes("unsubscribe");
  if (subscribes && valuesAt(args, "address email emails member").some(({ value }) => holdsAddress(value)))
    kinds.add("share");
  if (opensToAll(args)) kinds.add("share");
  const named = Object.entries(args).slice(0, 256);
  if (named.some(([key, value]) => LETS_IN.test(key) && letsIn(key, value))) kinds.add("share");
  // Whoever is copied in on a change hears of it; a draft reaches nobody yet.
  if (
    !words.includes("draft") &&
    named.some(([key, value]) => COPIED.test(wordsOf(key).join("_")) && holdsAddressWithin(value, 0))
  )
    kinds.add("communicate");
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

/** Arguments by which a change reaches people. */
const GUESTS =
  "attendees invitees guests participants required_attendees optional_attendees attendee guest invitee invites invited notify notified notify_user notify_users notify_email notify_emails notify_list watchers subscribers followers";
const MEETINGS = new Set(
  "event events meeting meetings appointment appointments calendar invite call reminder reminders alert alerts digest".split(
    " ",
  ),
);
/** What a calendar's entry says without asking anybody to come. */
const NO_GUEST =
  /calendar|organi[sz]er|creator|owner|description|summary|title|subject|location|notes?|body|text|html|content|message|account|user|from|sender|link|url|(?:^|_)u?id$/i;

/** Arguments by which whoever makes or changes a thing lets others in, whatever the tool is called. */
const LETS_IN =
  /^(?:shared?_?(?:with|to)|collaborators?|editors?|viewers?|readers?|writers?|commenters?|co_?owners?|grantees?|permissions?|access_?list|acl|access_?control|transfer_?to|transfer_?ownership_?to|new_?owner|members?)$/i;
const COPIED = /(?:^|_)(?:b?ccs?|watchers?|subscribers?|followers?|notify|notified)(?:_|$)/;

/** What may hold rights as well as people: there only an address is somebody. */
const RIGHTS_TOO = /^(?:permissions?|access_?list|acl|access_?control)$/i;

/** People, by their addresses anywhere in it or as a list of names. */
function letsIn(key: string, value: JsonValue): boolean {
  const named = Array.isArray(value) && value.some((one) => typeof one === "string" && one.trim() !== "");
  return (named && !RIGHTS_TOO.test(key)) || holdsAddressWithin(value, 0);
}

function holdsAddressWithin(value: JsonValue, depth: number): boolean {
  if (typeof value === "string") return isAddressList(value);
  if (typeof value !== "object" || value === null || depth > 4) return false;
  if (Array.isArray(value)) return value.slice(0, 64).some((one) => holdsAddressWithin(one, depth + 1));
  return Object.entries(value)
    .slice(0, 64)
    .some(([key, one]) => isAddressList(key) || holdsAddressWithin(one, depth + 1));
}

function isGuest(key: string, value: JsonValue): boolean {
  if (NO_GUEST.test(key)) return false;
  const listed = Array.isArray(value) ? value.slice(0, 64) : [value];
  return listed.some((one) => typeof one === "string" && isAddressList(one));
}

function holdsAddress(value: JsonValue): boolean {
  if (typeof value === "string") return looksLikeAddress(value);
  return Array.isArray(value) && value.slice(0, 64).some((one) => holdsAddress(one ?? null));
}

const OPENED =
  /^(?:(?:is_?|make_?|set_?|allow_?|enable_?)?(?:public(?:ly)?|anyone|every(?:one|body))|(?:allow_?|enable_?)(?:anonymous|guests?)|(?:allow_?|enable_?)?(?:link_?sharing|(?:anonymous|guest|world)(?=_?(?:access|read|write|view))))(?:_?(?:visible|access(?:ible)?|read|write|view|link|sharing|can_?(?:view|read|edit|access|comment|write)|with_?(?:the_?)?link))?$/i;
const AUDIENCE =
  /^(?:visibility|access|acl|type|audience|scope|privacy|link_?(?:access|sharing|visibility|scope|type|role)|general_?access|grantee|principal|who|entity|sharing|share_?(?:type|with|scope|mode|access)|access_?(?:type|level|scope|mode)|permissions?|permission_?type|role|rights?|viewers?|readers?|editors?|domain)$/i;
const ALL =
  /^(?:public(?:ly|[-_ ](?:read(?:[-_ ]write)?|link|access|on[-_ ](?:the[-_ ])?(?:web|internet)))?|any_?(?:one|body)(?:[-_ ]?(?:with[-_ ]?(?:the[-_ ]?)?link|on[-_ ](?:the[-_ ])?(?:web|internet)|can[-_ ]\w{1,12}))?|every(?:one|body)|world(?:[-_ ]?(?:readable|writable))?|all[-_ ]?users|internet|\*)$/i;

/** True when an argument, by its name and value, opens something to everybody. */
export function isForAll(key: string, value: JsonValue): boolean {
  if (value === true) return OPENED.test(key);
  if (value === false) return /^(?:is_?)?private$/i.test(key);
  return typeof value === "string" && value.length < 64 && AUDIENCE.test(key) && ALL.test(value.trim());
}

function opensToAll(args: JsonObject): boolean {
  return Object.entries(args)
    .slice(0, 256)
    .some(([key, value]) => isForAll(key, value));
}
