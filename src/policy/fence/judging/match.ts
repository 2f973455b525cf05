/**
 * One effect of a call against one permission: was this asked for, and was this very target named? Levels, from worst:
 * nothing of the kind was asked for; the kind was, and this target was not named; it was, with its target.
 */

import type { Act, Amount, Effects, Environment, Item, PathBound, Recipient } from "../../types.ts";
import { compareDecimals, plainDecimal, shifted } from "../amounts.ts";
import { compareKinds, kindsOfNoun, kindsOfNouns } from "../objects.ts";
import type { Permission, Target } from "../types.ts";
import { CODING_VERBS, familyOf, plainVerb } from "../verbs.ts";
import { covers, isAbove, isInWorkspace, isItself, type Place } from "./places.ts";

export type Rule =
  | "recipient-not-named"
  | "target-not-named"
  | "amount-mismatch"
  | "amount-not-named"
  | "amount-over-cap"
  | "scope-wider"
  | "class-not-requested"
  | "remote-code"
  | "opaque-execution"
  | "broad-path";

export interface Match {
  readonly level: "asked" | "named";
  readonly rule: Rule | null;
  readonly blocks: boolean;
  /** What a budget is counted by, besides the permission. */
  readonly keys: readonly string[];
  readonly units: number;
  readonly explicit: boolean;
}

/** A permission made ready for one session: its paths resolved, its words in sets. */
export interface Ready {
  readonly permission: Permission;
  readonly verbs: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly places: readonly Place[];
  readonly recipients: readonly string[];
  readonly names: readonly string[];
  readonly hosts: readonly string[];
  readonly amounts: readonly Target[];
  readonly commands: readonly string[];
  readonly quote: string;
}

export interface Call {
  readonly effects: Effects;
  readonly environment: Environment;
  readonly deletes: readonly PathBound[];
  readonly writes: readonly PathBound[];
}

const asked = (rule: Rule, blocks = false): Match => ({
  level: "asked",
  rule,
  blocks,
  keys: [],
  units: 0,
  explicit: false,
});
const named = (keys: readonly string[] = [], explicit = true, units = 1): Match => ({
  level: "named",
  rule: null,
  blocks: false,
  keys,
  units,
  explicit,
});

/** `null`: nothing of the kind was asked for. */
export function matchAct(ready: Ready, act: Act, call: Call): Match | null {
  // A call or an invitation that a service counts as an entry of its own reaches somebody all the same.
  if (
    act.risk === "EXTERNAL_WRITE" &&
    (ready.permission.risk === "COMMUNICATION" || ready.permission.risk === "SHARE") &&
    call.effects.recipients.length > 0 &&
    verbMatch(ready, act) === "exact"
  )
    return reach(ready, act, call.effects.recipients);
  if (ready.permission.risk !== act.risk) return null;
  switch (act.risk) {
    case "WRITE":
      return matchWrite(ready, act, call);
    case "DELETE":
      return matchDelete(ready, act, call);
    case "EXECUTE":
      return matchExecute(ready, act, call);
    case "COMMUNICATION":
      return matchMessage(ready, act, call);
    case "SHARE":
      return matchShare(ready, act, call);
    case "FINANCIAL":
      return matchMoney(ready, act, call);
    case "EXTERNAL_WRITE":
      return matchRemote(ready, act, call);
    case "PERSISTENT":
      return matchKept(ready, act, call);
    default:
      return null;
  }
}

function matchWrite(ready: Ready, act: Act, call: Call): Match | null {
  const { writes, environment } = call;
  if (act.verbs.includes("chmod") || act.verbs.includes("chown")) {
    const wide = act.object.some((word) => /^(?:0?777|0?666|a\+|o\+w|\+w|ugo)/.test(word));
    if (wide && !ready.quote.includes("777")) return asked("scope-wider");
  }
  // What git keeps in its own folder is written by commands that were asked for by their names.
  if (act.service === "git")
    return act.verbs.some(
      (verb) =>
        ready.verbs.has(verb) ||
        (GIT_STEPS.has(verb) && (ready.verbs.has("commit") || ready.verbs.has("push"))),
    )
      ? named([], false)
      : null;
  if (ready.places.length === 0) {
    if (ready.permission.targets.some(({ kind }) => kind === "path")) return asked("target-not-named");
    return writes.every((path) => isInWorkspace(path, environment))
      ? named([], false)
      : asked("target-not-named");
  }
  if (writes.length === 0) return named([], false);
  const covered = writes.every((path) =>
    ready.places.some((place) => covers(place, path, environment) || isItself(place, path)),
  );
  return covered ? named() : asked("target-not-named");
}

const GIT_STEPS = new Set("add stage commit stash fetch".split(" "));

function matchDelete(ready: Ready, act: Act, call: Call): Match | null {
  const { deletes, environment } = call;
  if (
    act.service === "git" &&
    (act.verbs.includes("branch") || act.verbs.includes("tag") || act.verbs.includes("push"))
  )
    return discarded(ready, act);
  if (deletes.length > 0) {
    if (ready.places.length > 0) {
      // What is found in a folder and deleted one by one leaves the folder.
      const found = act.verbs.includes("find");
      if (
        deletes.every((path) =>
          ready.places.some((place) => covers(place, path, environment) || (found && isItself(place, path))),
        )
      )
        return named();
      const above = deletes.some((path) => ready.places.some((place) => isAbove(place, path, environment)));
      return asked(above ? "scope-wider" : "target-not-named", above);
    }
    return asked("target-not-named");
  }
  const verb = verbMatch(ready, act);
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  if (kind === "other") return null;
  // To cancel a thing is not to delete what tells of it.
  if (verb === "none" && kind !== "same" && ready.families.has("cancel") && !ready.families.has("delete"))
    return null;
  const permanent =
    act.verbs.some((one) => PERMANENT.test(one)) || act.object.some((one) => PERMANENT.test(one));
  const ids = idsNamed(ready, call.effects.items);
  if (ids === "other") return asked("target-not-named");
  if (act.service === "git") return discarded(ready, act);
  if (ids === "named" && verb !== "none") return named();
  if (verb === "none" && kind !== "same") return null;
  const everything =
    act.verbs.some((one) => /^(?:empty|clear|wipe|purge|truncate|drop)$/.test(one)) &&
    call.effects.items.length === 0 &&
    !ready.verbs.has("clear");
  if (everything) return asked("scope-wider", true);
  if (ready.families.has("cancel") && !ready.families.has("delete")) {
    const ends = act.verbs.some((one) => /^(?:cancel|delete|remove|end|terminate|unsubscribe)$/.test(one));
    return ends && (verb === "exact" || !ready.verbs.has("unsubscribe")) ? named([], ids === "named") : null;
  }
  const reversible =
    !permanent &&
    act.verbs.some((one) => /^(?:trash|archive|remove|unlabel|cancel|unsubscribe|dismiss)$/.test(one)) &&
    !permanentKind(act);
  if (reversible && ready.verbs.has("trash") !== permanent) return named([], false);
  if (act.verbs.includes("trash") || act.verbs.includes("cancel")) return named([], false);
  return asked(permanent ? "scope-wider" : "target-not-named");
}

/** What git throws away: a branch that was named, or what rebasing and its like replace. */
function discarded(ready: Ready, act: Act): Match | null {
  const remote = act.verbs.includes("push");
  const isNamed = act.object.some(
    (word) =>
      ready.names.some((name) => name === word || baseName(name) === word) ||
      (word.length > 3 && ready.words.has(word)),
  );
  if (isNamed) return remote && !/remote|origin/i.test(ready.quote) ? asked("scope-wider") : named();
  return act.verbs.includes("branch") || act.verbs.includes("tag") || remote
    ? asked("target-not-named")
    : null;
}

const PERMANENT = /^(?:permanent|permanently|forever|purge|wipe|hard)$/;
const permanentKind = (act: Act): boolean =>
  act.object.some((one) =>
    /^(?:repository|repo|database|table|account|workspace|project|bucket|cluster)$/.test(one),
  );

function matchExecute(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const commands = effects.items.filter(({ name }) => name === "command").map(({ value }) => tight(value));
  const remote = isRemoteCode(effects);
  const sudo =
    act.verbs.includes("sudo") ||
    act.service === "sudo" ||
    commands.some((one) => /(?:^|\s)(?:sudo|doas|su)\s/.test(one));
  if (ready.commands.length > 0) {
    const exact = commands.some((one) =>
      ready.commands.some((typed) => typed.includes(one) || one === typed || one.startsWith(`${typed} `)),
    );
    if (exact) return remote || sudo ? asked("remote-code") : named();
    if (ready.verbs.has("run") && ready.words.size === 0) return asked("target-not-named");
  }
  const inline = effects.items.filter(
    ({ name }) => name === "expression" || name === "code" || name === "script" || name === "javascript",
  );
  if (
    act.service === null &&
    (inline.length > 0 || act.object.some((word) => word === "code" || word === "expression"))
  ) {
    // Code that was dictated is what was asked for; any other code is not.
    if (![...ready.verbs].some((verb) => familyOf(verb) === "run")) return null;
    return inline.length > 0 &&
      inline.every(({ value }) => value.trim().length > 3 && ready.quote.includes(value.trim()))
      ? named()
      : asked("opaque-execution");
  }
  if (remote) return asked("remote-code");
  if (sudo) return asked("opaque-execution");
  const words = new Set([...act.object, ...act.verbs]);
  const specific = act.verbs.some(
    (verb) => verb !== "run" && verb !== "execute" && ready.verbs.has(plainVerb(verb)),
  );
  const overlap =
    [...ready.words].some(
      (word) => words.has(word) || (word.endsWith("s") && words.has(word.slice(0, -1))),
    ) || ready.names.some((name) => act.object.includes(baseName(name)));
  if (ready.verbs.has("install")) {
    const packages = act.object.filter(
      (word) =>
        !/^(?:npm|pip|pip3|apt|apt-get|brew|yarn|pnpm|uv|cargo|gem|go|install|add|i|-r|ci)$/.test(word),
    );
    if (!act.verbs.some((verb) => /^(?:install|add|ci|i)$/.test(verb))) return asked("target-not-named");
    if (packages.length === 0)
      return ready.words.has("dependencies") || ready.words.has("packages") || ready.words.size === 0
        ? named([], false)
        : asked("target-not-named");
    return packages.every(
      (one) => ready.words.has(one.replace(/[@=<>~^].*$/, "")) || ready.names.includes(one),
    )
      ? named()
      : asked("scope-wider");
  }
  if (specific && (overlap || ready.words.size === 0 || isCheck(act))) return named([], overlap);
  if (ready.verbs.has("run") || ready.verbs.has("test") || ready.verbs.has("build")) {
    const ran = ready.places.some(
      (place) => effects.opaque?.names.some((name) => isItself(place, name)) ?? false,
    );
    // What it is run with was named too, or nothing was.
    const extra = act.object.filter(
      (word) =>
        !ready.words.has(word) && !ready.names.includes(word) && !ready.quote.toLowerCase().includes(word),
    );
    if (ran) return extra.length > 0 && ready.words.size > 0 ? asked("target-not-named") : named();
    if (overlap) return named();
    if (ready.words.size === 0 && ready.permission.targets.length === 0) return named([], false);
    return asked("target-not-named");
  }
  if (specific) return asked("target-not-named");
  if ([...ready.verbs].some((verb) => CODING_VERBS.has(verb)) && isCheck(act)) return named([], false);
  return null;
}

/** The project's own tests, linters and builds. */
export function isCheck(act: Act): boolean {
  return act.verbs.some((verb) => /^(?:test|lint|check|typecheck|build|compile|format|bisect)$/.test(verb));
}

/** What comes over the network, or out of a coding, and is run as it comes. */
export function isRemoteCode(effects: Effects): boolean {
  const causes = effects.opaque?.causes ?? [];
  return (
    causes.some((cause) =>
      /^(?:fed-code|piped-code|remote-code|decoded-code|input-code|unknown-input|stdin)$/.test(cause),
    ) ||
    (effects.risks.includes("EXECUTE") &&
      effects.acts.some(
        (act) =>
          /^(?:sh|bash|zsh|dash|python3?|node|perl|ruby|iex)$/.test(act.service ?? "") &&
          act.object.length <= 1,
      ) &&
      effects.acts.some((act) => /^(?:curl|wget|base64|xxd|openssl)$/.test(act.service ?? "")))
  );
}

function matchMessage(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const kinds = kindsOfNouns(act.object);
  const isEvent = kinds.has("event") && !kinds.has("mail");
  const asksEvent =
    ready.kinds.has("event") ||
    ready.kinds.has("reminder") ||
    ready.verbs.has("invite") ||
    ready.verbs.has("schedule") ||
    ready.verbs.has("book");
  if (isEvent && !asksEvent) return null;
  const reached = effects.recipients;
  if (reached.length === 0) {
    const ids = idsNamed(ready, effects.items);
    if (ids === "named" && ready.recipients.length === 0) return named();
    return asked("recipient-not-named");
  }
  return reach(ready, act, reached);
}

/** Every one of those reached must be named. */
function reach(ready: Ready, act: Act, reached: readonly Recipient[]): Match {
  if (act.verbs.includes("all") || act.object.includes("all")) return asked("recipient-not-named");
  const keys: string[] = [];
  for (const recipient of reached) {
    const found =
      ready.recipients.find((one) => sameAddress(one, recipient.address)) ??
      (isNamedItem(ready, recipient) ? recipient.address : undefined);
    if (found === undefined) {
      // A place that the words only describe, where all who are let in have a name in them.
      if (recipient.role === "channel" && act.risk === "SHARE" && isDescribed(ready, reached)) continue;
      return asked("recipient-not-named");
    }
    keys.push(found);
  }
  return named(keys);
}

function isNamedItem(ready: Ready, recipient: Recipient): boolean {
  return (
    ready.names.some((name) => name.toLowerCase() === recipient.address) ||
    ready.hosts.includes(recipient.address)
  );
}

function isDescribed(ready: Ready, reached: readonly Recipient[]): boolean {
  const people = reached.filter(({ role }) => role !== "channel");
  return (
    people.length > 0 &&
    people.every(({ address }) => ready.recipients.some((one) => sameAddress(one, address))) &&
    !ready.recipients.some((one) => !people.some(({ address }) => sameAddress(one, address)))
  );
}

/** Case, `#` and `@`, and the gaps in a number make no other address; a plus-tag and a dot do. */
export function sameAddress(typed: string, address: string): boolean {
  if (typed === address) return true;
  const bare = (text: string): string => text.replace(/^[#@]/, "");
  if (/^[#@]/.test(typed) !== /^[#@]/.test(address) && bare(typed) === bare(address)) return true;
  if (/^\+?\d[\d\s().-]*$/.test(typed) && /^\+?\d/.test(address))
    return typed.replace(/\D/g, "") === address.replace(/\D/g, "");
  // `slack:#general`, `email:a@…`: the messenger's name before the address.
  const cut = /^[a-z]{2,16}:(.+)$/.exec(address)?.[1];
  return cut !== undefined && sameAddress(typed, cut);
}

function matchShare(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const given = effects.items.find(({ name }) =>
    /^(?:role|permission|permissions|access|access_level|level)$/.test(name),
  );
  if (effects.recipients.some(({ role }) => role === "public"))
    return /\bpublic|anyone|everyone|link\b|offentlich|publico|公开|任何人/.test(ready.quote)
      ? named([], true)
      : asked("scope-wider");
  if (given !== undefined && levelOf(given.value) > Math.max(1, levelOf(ready.quote)))
    return asked("scope-wider");
  if (
    effects.items.some(
      ({ name, value }) =>
        /^(?:visibility|private|public)$/.test(name) && /^(?:public|false|true)$/i.test(value),
    ) &&
    !/public|visib|privat/.test(ready.quote)
  )
    return asked("scope-wider", true);
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  if (effects.recipients.length === 0) {
    if (kind === "other") return null;
    const ids = idsNamed(ready, effects.items);
    return ids === "named" ? named() : asked("target-not-named");
  }
  if (
    idsNamed(
      ready,
      effects.items.filter(({ name }) => /^(?:owner|repo|repository|org|organization)$/.test(name)),
    ) === "other"
  )
    return asked("target-not-named");
  return reach(ready, act, effects.recipients);
}

/** Reading 1, changing 2, ruling 3. */
function levelOf(text: string): number {
  const folded = text.toLowerCase();
  if (/admin|owner|full access|manage|maintain|besitzer|eigentumer|propietari|管理|所有者/.test(folded))
    return 3;
  if (/edit|writ|contribut|push|collaborat|bearbeit|schreib|escrib|编辑|写/.test(folded)) return 2;
  return 1;
}

function matchMoney(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const verbs = act.verbs.map(plainVerb);
  const family = (verb: string): string => {
    const found = familyOf(verb);
    return found === "buy" ? "buy" : found === "pay" ? "pay" : (found ?? "");
  };
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  const verb = verbMatch(ready, act);
  const sameFamily = verbs.some((one) =>
    [...ready.verbs].some((other) => family(one) !== "" && family(one) === family(other)),
  );
  if (kind === "other" && verb === "none") return null;
  if (kind === "other" && !sameFamily) return null;
  if (act.object.some((word) => /^(?:gift|giftcard|credit)$/.test(word)) && !/gift|credit/.test(ready.quote))
    return null;
  if (verb === "none" && !sameFamily) return null;
  const ids = idsNamed(ready, effects.items);
  if (ids === "other") return asked("target-not-named");
  if (
    effects.items.some(
      ({ name, value }) => /recurr|repeat|interval/.test(name) && !/^(?:false|0|none|once|no)$/i.test(value),
    ) &&
    !/recurr|every|month|week|standing|abo|jeden|cada|每/.test(ready.quote.toLowerCase())
  )
    return asked("scope-wider");
  const count = Number(
    effects.items.find(({ name }) => /^(?:quantity|qty|count|units|seats|tickets)$/.test(name))?.value ?? "1",
  );
  const units = Number.isInteger(count) && count > 0 ? count : 1;
  const money = amountsNamed(ready, effects.amounts, units);
  if (money !== null) return money;
  for (const payee of effects.recipients) {
    const known =
      ready.recipients.some(
        (one) => sameAddress(one, payee.address) || squeezed(one) === squeezed(payee.address),
      ) || isNamedItem(ready, payee);
    if (!known) return asked("recipient-not-named");
  }
  return named([], true, units);
}

const squeezed = (text: string): string => text.replace(/[\s-]/g, "").toLowerCase();

/** What is wrong about the sums of a call, or `null`. */
function amountsNamed(ready: Ready, amounts: readonly Amount[], units: number): Match | null {
  const pays = [...ready.verbs].some((verb) => !/^(?:cancel|void|unsubscribe|terminate|end)$/.test(verb));
  const { limit } = ready.permission;
  if (ready.amounts.length === 0) return pays ? asked("amount-not-named") : null;
  if (limit !== null && limit > 0 && units > limit) return asked("amount-over-cap", true);
  if (amounts.length === 0) return asked("amount-not-named");
  for (const amount of amounts) {
    const fits = ready.amounts.some((target) => amountFits(target, amount, units));
    if (fits) continue;
    const cap = ready.amounts.find((target) => target.most === true);
    return cap === undefined ? asked("amount-mismatch") : asked("amount-over-cap", true);
  }
  return null;
}

function amountFits(target: Target, amount: Amount, units: number): boolean {
  const typed = plainDecimal(target.value ?? "");
  const value = plainDecimal(amount.value);
  if (typed === null || value === null) return false;
  if (target.currency && amount.currency && target.currency !== amount.currency) return false;
  const ceiling = target.each === true && units > 1 ? times(typed, units) : typed;
  const values = amount.minor ? [value, shifted(value, -2)] : [value];
  return values.some((one) =>
    target.most === true
      ? compareDecimals(one, ceiling) <= 0
      : compareDecimals(one, typed) === 0 || compareDecimals(one, ceiling) === 0,
  );
}

function times(value: string, units: number): string {
  const [, fraction = ""] = value.split(".");
  const whole = BigInt(value.replace(".", "")) * BigInt(units);
  return shifted(whole.toString(), -fraction.length);
}

function matchRemote(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const verb = verbMatch(ready, act);
  const own = kindsOfNouns(act.object);
  const kind = compareKinds(ready.kinds, own);
  // A draft reaches nobody: whoever may send a message may have it drafted.
  if (act.verbs.includes("draft") || act.object.includes("draft"))
    return ready.verbs.has("draft") && !act.verbs.includes("send") ? named([], false) : null;
  if (act.verbs.includes("push") || act.verbs.includes("force")) return pushed(ready, act);
  if (
    FORM.has(plainVerb(act.verbs[0] ?? "")) &&
    [...ready.verbs].some((one) => FORM.has(one) || familyOf(one) === "buy")
  )
    return named([], false);
  if (kind === "other" && verb !== "exact") return null;
  const labels = act.object.some((word) => LABELS.has(word) && ready.verbs.has(word));
  if (kind === "other" && !labels && GENERIC.has(plainVerb(act.verbs[0] ?? ""))) return null;
  if (verb === "none" && kind !== "same") return null;
  if (
    verb === "none" &&
    !(
      kind === "same" &&
      GENERIC.has(plainVerb(act.verbs[0] ?? "")) &&
      [...ready.verbs].some((one) => GENERIC.has(one) && familyOf(one) === familyOf(act.verbs[0] ?? ""))
    )
  )
    return null;
  // Where something is put, on the network, is its target.
  if (!effects.hosts.every((host) => ready.hosts.includes(host))) return asked("target-not-named");
  for (const recipient of effects.recipients)
    if (
      recipient.role !== "channel" &&
      !ready.recipients.some((one) => sameAddress(one, recipient.address)) &&
      !isNamedItem(ready, recipient)
    )
      return asked("recipient-not-named");
  const ids = idsNamed(ready, effects.items);
  if (ids === "other") return asked("target-not-named");
  return named([], ids === "named");
}

const FORM = new Set("submit click type press fill select dialog".split(" "));
const GENERIC = new Set(
  "create add new insert make update edit change modify set put write patch save open file".split(" "),
);

function pushed(ready: Ready, act: Act): Match | null {
  if (!ready.verbs.has("push") && !ready.verbs.has("deploy")) return null;
  const forced =
    act.verbs.includes("force") ||
    act.verbs.includes("mirror") ||
    act.verbs.includes("delete") ||
    act.verbs.includes("prune");
  if (forced && !/force|overwrite remote/.test(ready.quote.toLowerCase())) return asked("scope-wider");
  if (act.verbs.includes("tag") && !/tag/.test(ready.quote.toLowerCase())) return asked("scope-wider");
  const named_ = act.object.filter((word) => word !== "head");
  const typed = ready.words.size > 0 || ready.names.length > 0;
  const isNamed = named_.every(
    (word) =>
      [...ready.words].includes(word) ||
      ready.names.some((name) => baseName(name) === word) ||
      word === "origin",
  );
  if (!typed)
    return named_.every((word) => word === "origin") || named_.length === 0
      ? named([], false)
      : asked("target-not-named");
  return isNamed ? named() : asked("target-not-named");
}

function matchKept(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const own = kindsOfNouns(act.object);
  const memory = own.has("memory");
  const asksMemory = ready.verbs.has("remember") || ready.verbs.has("forget") || ready.kinds.has("memory");
  if (memory !== asksMemory && (memory || !own.has("skill")))
    return memory || asksMemory ? null : scheduled(ready, effects, act);
  if (own.has("skill")) return ready.kinds.has("skill") ? named([], false) : null;
  if (memory) return named([], false);
  return scheduled(ready, effects, act);
}

function scheduled(ready: Ready, effects: Effects, act: Act): Match | null {
  const made =
    act.verbs.some((verb) => /^(?:create|schedule|add|save|remind)$/.test(verb)) &&
    !act.verbs.some((verb) => /^(?:update|remove|run|pause|delete)$/.test(verb));
  if (!ready.verbs.has("schedule") && !ready.verbs.has("remind")) return null;
  if (!made) return asked("class-not-requested");
  for (const recipient of effects.recipients)
    if (
      !/^(?:origin|here|local)$/.test(recipient.address) &&
      !ready.recipients.some((one) => sameAddress(one, recipient.address))
    )
      return asked("recipient-not-named");
  return named([], false);
}

/** `exact` the verb itself, `family` one that stands for it, or none. */
function verbMatch(ready: Ready, act: Act): "exact" | "family" | "none" {
  const verbs = act.verbs.map(plainVerb);
  if (verbs.some((verb) => ready.verbs.has(verb))) return "exact";
  // `label the mail` is done by `add_label`.
  if (act.object.some((word) => LABELS.has(word) && ready.verbs.has(word))) return "exact";
  const turn = verbs[0] === "turn" && act.object.some((word) => ready.verbs.has(`turn_${word}`));
  if (turn || ready.verbs.has(`${verbs[0] ?? ""}_${act.object[0] ?? ""}`)) return "exact";
  const families = new Set<string>(verbs.slice(0, 2).map((verb) => familyOf(verb) ?? ""));
  return [...ready.families].some((family) => family !== "" && families.has(family)) ? "family" : "none";
}

const LABELS = new Set(
  "label tag comment star archive assign pin rate review draft invite share call".split(" "),
);

/** Arguments by which a call says which thing it means. */
const IDENTIFIES =
  /(?:^|_)(?:id|ids|number|key|code|ref|pnr|slug|sku|owner|repo|repository|org|organization|branch|head|order|invoice|ticket|issue|pr|project|board|database|entity_id|account|delivery|booking|reservation|thread|page|card|folder|bucket|calendar|list|workspace|tag|label_id|name)$/;
/** Which of them name a place that holds other things, where people use names and not ids. */
const CONTAINERS =
  /^(?:owner|repo|repository|org|organization|project|board|database|list|folder|bucket|calendar|workspace)$/;
const FREE =
  /^(?:title|summary|subject|description|body|text|message|content|query|start|end|time|date|status|state|label|labels|color|priority|type|kind|action|domain|service|data|plan|schedule|stars|rating|ref|head|base|head_branch|base_branch|name|display_name|message_id|thread_id|request_id|idempotency_key|file|url|command|role|permission)$/;

/**
 * `named`: every id that the call gives was typed. `open`: none was typed that it could be held to, so that it was looked
 * up. `other`: ids were typed, and this is another one.
 */
function idsNamed(ready: Ready, items: readonly Item[]): "named" | "open" | "other" {
  const slug = slugOf(items);
  let seen = 0;
  for (const { name, value } of items) {
    if (FREE.test(name) || !IDENTIFIES.test(name) || value.length > 200) continue;
    if (slug !== null && /^(?:owner|repo|repository)$/.test(name)) continue;
    if (isTyped(ready, value)) {
      seen += 1;
      continue;
    }
    if (CONTAINERS.test(name)) {
      if (looksOpaque(value)) continue;
      // Where the words speak of such a place, it is the one they call by name.
      const spoken = ready.kinds.size > 0 && kindsOfNoun(name).some((kind) => ready.kinds.has(kind));
      if (spoken || ready.names.some((one) => !looksOpaque(one))) return "other";
      continue;
    }
    // An id that was looked up is none of those that were typed only when one like it was typed.
    if (ready.names.some((one) => alike(one, value))) return "other";
  }
  if (slug !== null) {
    const slugs = ready.names.filter((one) => /^[\w.-]+\/[\w.-]+$/.test(one));
    if (slugs.includes(slug)) seen += 1;
    else if (slugs.length > 0) return "other";
  }
  return seen > 0 ? "named" : "open";
}

function slugOf(items: readonly Item[]): string | null {
  const owner = items.find(({ name }) => name === "owner")?.value;
  const repo = items.find(({ name }) => name === "repo" || name === "repository")?.value;
  return owner !== undefined && repo !== undefined ? `${owner}/${repo}`.toLowerCase() : null;
}

function isTyped(ready: Ready, value: string): boolean {
  const folded = value.toLowerCase();
  if (ready.names.includes(folded)) return true;
  const words = folded.split(/[\s_.-]+/).filter((word) => word.length > 2);
  return words.length > 0 && words.every((word) => ready.words.has(word) || ready.words.has(`${word}s`));
}

const looksOpaque = (value: string): boolean =>
  /\d/.test(value) || /^[A-Za-z]{1,3}_/.test(value) || value.length > 24;

/** `1235` is like `1234`, `INV-78` like `INV-77`; `abc_9x` is like neither. */
function alike(typed: string, value: string): boolean {
  const shape = (text: string): string => text.replace(/\d+/g, "9").replace(/[a-z]+/gi, "a");
  return /\d/.test(typed) && shape(typed) === shape(value);
}

const tight = (text: string): string => text.trim().replace(/\s+/g, " ");
const baseName = (text: string): string => text.slice(text.lastIndexOf("/") + 1).toLowerCase();
