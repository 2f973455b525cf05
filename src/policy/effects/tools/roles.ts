import { readStrictJson } from "../../text/strict-json.ts";
import type { JsonObject, JsonValue, RecipientRole } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { currencyOf, multiplied, sumOf, sumsIn } from "../money.ts";
import { looksLikeAddress } from "../people.ts";
import type { Report } from "../report.ts";
import { carriesSecret } from "../secrets.ts";
import { type ArgumentRole, roleOf } from "./argument-names.ts";
import { pointer, type ToolReading } from "./arguments.ts";
import { isForAll, isTravel, wordsOf } from "./kinds.ts";
import { readRawMessage } from "./raw-message.ts";

/** What a call does with whom and what its arguments name. */
export interface Reach {
  readonly communicates: boolean;
  readonly shares: boolean;
  readonly pays: boolean;
  /** Only looks: nobody is reached, and what is named is a thing looked for. */
  readonly reads: boolean;
  /** Keeps text for later sessions. */
  readonly keeps: boolean;
  /** Its sums may be in minor units. */
  readonly minor: boolean;
  /** The words of the tool's name. */
  readonly words: readonly string[];
  /** Arguments that are paths, by pointer: they are no items. */
  readonly paths: ReadonlySet<string>;
  /** Where all of it stands, for what was taken out of a longer text. */
  readonly within?: string;
}

/** Which role an argument has; `undefined` leaves it out. */
export type Lookup = (name: string) => ArgumentRole | undefined;

/** For tools that no table knows: by name, and whatever has no role is an item. */
export function byName(roles: ReadonlyMap<string, ArgumentRole>): Lookup {
  return (name) => roleOf(roles, name) ?? "item";
}

/** Members of an object that stands for one person: `{email, displayName}`. */
const ADDRESS_KEYS =
  /^(?:email|email_address|address|addr|mail|value|phone|phone_number|number|id|user|user_id|username|handle|login|iban|account|account_number)$/;
/** Longer texts of one line are prose, whatever their name. */
const LONGEST_ITEM = 2048;
const LONGEST_PROSE_ITEM = 200;
/** Members of arguments that are looked at; past them the call is opaque. */
const MOST_NODES = 20_000;

/** Arguments that say which right is given, and values that mean every one of them. */
const RIGHT =
  /^(?:access|access_level|access_type|roles?|permissions?|permission_level|permission_type|perms?|rights?|privileges?|capabilit(?:y|ies)|grants?|share_role|link_role)$/;
const FULL =
  /^(?:full|full[-_ ]?(?:control|access|rights|permissions?)|all|all[-_ ]?(?:access|rights|permissions|privileges)|every(?:thing)|unrestricted|unlimited|super[-_ ]?user|super[-_ ]?admin|root|co[-_ ]?owner|\*|rwx|rw?x?d?|vollzugriff|acceso total|完全控制)$/i;
const RULING_FLAG =
  /^(?:is_|make_|as_)?(?:admin|owner|co_owner)$|^(?:full_control|full_access|can_(?:manage|administer|delete|own)|transfer_ownership)$/;
const EDITING_FLAG = /^(?:can_|allow_|enable_)?(?:edit|editing|write|writing|modify|editable|writable)$/;

interface Context {
  /** The role that the values inside inherit from the argument they stand in. */
  readonly role: ArgumentRole | null;
  readonly name: string;
  readonly currency: string | null;
  readonly count: JsonValue | undefined;
}

/** Notes whom and what the arguments name, however deep, each under the role that `lookup` gives its name. Linear; total. */
export function tellArguments(reading: ToolReading, lookup: Lookup, reach: Reach): void {
  new Teller(reading, lookup, reach).object(reading.args, reading.base, {
    role: null,
    name: "",
    currency: null,
    count: undefined,
  });
}

class Teller {
  readonly #reading: ToolReading;
  readonly #lookup: Lookup;
  readonly #reach: Reach;
  #nodes = MOST_NODES;

  constructor(reading: ToolReading, lookup: Lookup, reach: Reach) {
    this.#reading = reading;
    this.#lookup = lookup;
    this.#reach = reach;
  }

  object(value: JsonObject, at: string, outer: Context): void {
    const entries = Object.entries(value)
      .slice(0, Math.max(this.#nodes, 0))
      .map(([key, one]) => ({ key, name: nameOf(key), one }));
    const given = (role: ArgumentRole) => entries.find(({ name }) => this.#lookup(name) === role)?.one;
    const context: Context = {
      ...outer,
      currency: currencyOf(given("currency")) ?? outer.currency,
      count: given("count") ?? outer.count,
    };
    // `{name: "Bcc", value: "a@x"}`: a header as a pair.
    const key = value["name"] ?? value["key"] ?? value["header"];
    const paired =
      typeof key === "string" &&
      Object.hasOwn(value, "value") &&
      roleOf(this.#reading.report.tables.roles, nameOf(key)) !== undefined;
    if (paired) this.#member(nameOf(key), value["value"] ?? null, pointer(at, "value"), context);
    for (const { key: member, name, one } of entries) {
      if (paired && (member === "value" || one === key)) continue;
      this.#member(name, one, pointer(at, member), context);
    }
    if (entries.length < Object.keys(value).length) this.#reading.report.opaque("too-many-items");
  }

  #member(name: string, value: JsonValue, at: string, context: Context): void {
    const { said } = this.#reading.report;
    if (!this.#reach.reads && isForAll(name, value))
      said.everybody(`${name}: ${value}`, this.#reach.within ?? at);
    if (this.#reach.shares) this.#right(name, value, this.#reach.within ?? at);
    const inherited = context.role !== null && ADDRESS_KEYS.test(name) ? context.role : undefined;
    const own = this.#lookup(name);
    const role = inherited ?? own;
    // What has no role may still hold what has one.
    if (role === undefined || role === "none") {
      if (typeof value === "object") this.#value("none", { ...context, name }, value, at);
      return;
    }
    this.#value(role, { ...context, name }, value, at);
  }

  /** A right that is given, in the words that people use: what services call `full_control`, `can_edit` or `rights: owner`. */
  #right(name: string, value: JsonValue, at: string): void {
    const { said } = this.#reading.report;
    if (value === true && RULING_FLAG.test(name)) said.item("access", "full access", at);
    else if (value === true && EDITING_FLAG.test(name)) said.item("access", "edit", at);
    if (!RIGHT.test(name)) return;
    for (const one of (Array.isArray(value) ? value : [value]).slice(0, 64)) {
      if (typeof one !== "string" || one.length > 64) continue;
      if (FULL.test(one.trim())) said.item("access", "full access", at);
      else if (!/^(?:access|role|permission)/.test(name)) said.item("access", one.trim(), at);
    }
  }

  #value(role: ArgumentRole, context: Context, value: JsonValue, at: string): void {
    if (this.#nodes-- <= 0) {
      this.#reading.report.opaque("too-many-items");
      return;
    }
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        if (this.#nodes <= 0) break;
        this.#value(role, context, one, pointer(at, index));
      }
    } else if (value !== null && typeof value === "object") {
      const group = GROUPS.has(role) ? role : null;
      this.object(value, at, {
        ...context,
        role: group ?? (context.role !== null && role === context.role ? role : null),
      });
    } else if (typeof value === "string" && /^\s*[[{]/.test(value) && role !== "prose" && role !== "stored") {
      const inner = readStrictJson(value.slice(0, 65_536));
      if (inner.ok) this.#value(role, context, inner.value as JsonValue, at);
      else this.#leaf(role, context, value, at);
    } else if (value !== null) this.#leaf(role, context, value, at);
  }

  #leaf(role: ArgumentRole, context: Context, value: string | number | boolean, place: string): void {
    const at = this.#reach.within ?? place;
    const { report } = this.#reading;
    const { said } = report;
    const text = String(value);
    if (text === "" || role === "currency" || role === "none") return;
    if (role === "raw" && typeof value === "string") {
      readRawMessage(value, report, at);
      return;
    }
    if (role === "stored" || ((role === "prose" || role === "kept") && this.#reach.keeps)) {
      if (typeof value === "string") said.store(value, at);
      if (role === "stored") return;
    }
    if (role === "url") noteHost(text, report);
    if ((role === "sum" || role === "unit-sum" || role === "value") && this.#sum(role, context, value, at))
      return;
    const reached = typeof value === "boolean" ? null : this.#roleOf(role, text);
    if (reached !== null) {
      said.people(reached, text, at);
      if (role === "persona") said.item(context.name, text.trim(), at);
      return;
    }
    if (this.#reach.paths.has(at)) return;
    const prose = role === "prose" || /[\n\r]/.test(text);
    if (text.length > (prose ? LONGEST_PROSE_ITEM : LONGEST_ITEM) || (prose && /[\n\r]/.test(text.trim())))
      return;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
      said.url(text, at);
      if (carriesSecret(text)) report.secret(text);
    }
    // An action is a verb, and said as one.
    if (!/^(?:action|operation|op)$/.test(context.name)) said.item(context.name, text.trim(), at);
  }

  /** Whom a value addresses; `null` for what addresses nobody here. */
  #roleOf(role: ArgumentRole, text: string): RecipientRole | null {
    const { communicates, shares, pays, reads, words } = this.#reach;
    if (reads) return null;
    const address = looksLikeAddress(text);
    switch (role) {
      case "to":
        if (communicates) return "to";
        if (shares) return "member";
        if (pays) return isTravel(words) && !address ? null : "payee";
        return address ? "to" : null;
      case "copy":
        // Of a letter there may be two copies.
        return /^\d{1,4}$/.test(text) ? null : role;
      case "blind-copy":
      case "attendee":
      case "channel":
      case "payee":
        return role;
      case "reply-to":
        return address ? role : null;
      // Who is acted for gets the answers, and is taken for the one who wrote.
      case "persona":
        return address && (communicates || shares || pays) ? "reply-to" : null;
      case "forward":
        return address ? "to" : null;
      case "person":
      case "member":
        // Some services call the mailbox that they work in a user.
        if (/^(?:me|self|@me)$/i.test(text)) return null;
        if (shares || role === "member") return shares ? "member" : communicates ? "to" : null;
        if (communicates) return "to";
        return pays && address ? "payee" : null;
      case "place":
        return communicates || shares ? "channel" : null;
      case "audience":
        return communicates ? "channel" : null;
      case "account":
        return pays ? "payee" : communicates && address ? "to" : null;
      default:
        return null;
    }
  }

  #sum(role: ArgumentRole, context: Context, value: string | number | boolean, at: string): boolean {
    if (this.#reach.reads || (role === "value" && !this.#reach.pays)) return false;
    const { said } = this.#reading.report;
    const sum = sumOf(value, context.currency);
    if (sum === null) {
      // What is no plain sum may be several, or one that is written out: each of its numbers may be what is paid.
      const several = this.#reach.pays && typeof value === "string" ? sumsIn(value, context.currency) : [];
      for (const one of several) said.amount(one.value, one.currency ?? context.currency, false, at);
      return several.length > 0;
    }
    const currency = sum.currency ?? context.currency;
    const minor = this.#reach.minor
      ? !sum.value.includes(".")
      : /(?:^|_)(?:cents|minor)(?:_|$)/.test(context.name);
    const whole =
      role === "unit-sum" || /(?:^|_)price$/.test(context.name) ? multiplied(sum.value, context.count) : null;
    // What a unit costs says nothing of the sum once it is known how many there are.
    if (whole === null || role !== "unit-sum") said.amount(sum.value, currency, minor, at);
    if (whole !== null) said.amount(whole, currency, minor, at);
    return true;
  }
}

/** The host of a URL, or of what lacks only a scheme to be one. */
function noteHost(text: string, report: Report): void {
  const host = hostOfUrl(/:\/\//.test(text) ? text : `https://${text}`);
  if (host !== null && /\./.test(host)) report.host(host);
}

/** Roles that a person inside an object inherits from the name the object stands under. */
const GROUPS: ReadonlySet<ArgumentRole> = new Set([
  "to",
  "copy",
  "blind-copy",
  "reply-to",
  "attendee",
  "channel",
  "payee",
  "person",
  "member",
  "place",
  "audience",
  "account",
  "forward",
  "sum",
  "unit-sum",
]);

/** `toRecipients`, `to-recipients` -> `to_recipients`; `Empfänger` -> `empfanger`; other scripts in lower case. */
export function nameOf(key: string): string {
  const start = key.slice(0, 64);
  if (!/[^\0-\x7f]/.test(start)) return wordsOf(start).join("_") || start;
  const folded = start.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").replaceAll("ß", "ss");
  const isLatin = !/[^\0-\x7f]/.test(folded);
  return (
    (isLatin && wordsOf(folded).join("_")) ||
    folded
      .trim()
      .toLowerCase()
      .replace(/[\s_-]{1,64}/g, "_")
  );
}
