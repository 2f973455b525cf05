import { readStrictJson } from "../../text/strict-json.ts";
import type { JsonObject, JsonValue, RecipientRole } from "../../types.ts";
import { hostOfUrl } from "../hosts.ts";
import { isAddressList, isPayable } from "../people.ts";
import { headersIn, plainerText } from "../smuggled.ts";
import { type ArgumentRole, roleOf } from "./argument-names.ts";
import { pointer, type ToolReading } from "./arguments.ts";
import { nameOf } from "./roles.ts";

/**
 * Whom a call that reaches people names besides the arguments that are known to name them. What an argument is called is
 * its tool's affair; an address is an address whatever it is called, and whoever hides one counts on nobody looking.
 */

/** What a value may hold without anybody being reached: what is said, what it is about, whose it is. */
const MENTIONS: ReadonlySet<ArgumentRole> = new Set([
  "prose",
  "label",
  "sender",
  "persona",
  "reference",
  "stored",
  "kept",
  "currency",
  "raw",
]);
/** Whose money or mail it is, not whom it reaches; and which coin. */
const OWN = /(?:^|_)(?:from|source|sender|payer|debit|debtor|own|my|me|contract|token|asset)(?:_|$)/;
const HEADERS = /(?:^|_)headers?$/;
/** Arguments that a call packs its own into, as text. */
const PACKED = /^(?:data|payload|params|options|request|input|config|args|arguments|extra|json)$/;
/** Where a call also sends what it says. */
const HOOKS =
  /(?:^|_)(?:webhooks?|webhook_urls?|callback|callback_url|notify_url|notification_url|hook|hook_url)$/;
/** Members of arguments that are looked at; past them the call is opaque. */
const MOST_NODES = 20_000;

/** What a call does with whoever it names. */
export interface Manner {
  readonly communicates: boolean;
  readonly shares: boolean;
  readonly pays: boolean;
}

interface Stranger {
  readonly role: RecipientRole;
  readonly text: string;
  readonly at: string;
  /** True for a header that was put where none belongs. */
  readonly smuggled: boolean;
}

/**
 * Notes everybody whom the arguments name and nobody noted yet. Linear; total.
 * @param within where all of it stands, for what was taken out of a longer text.
 */
export function tellStrangers(reading: ToolReading, manner: Manner, within?: string): void {
  const { report, args, base } = reading;
  const { found, complete } = strangersIn(args, base, report.tables.roles, manner);
  for (const { role, text, at: place, smuggled } of found) {
    const at = within ?? place;
    if (smuggled) report.said.deceives("header-in-text", text, at);
    if (smuggled || within !== undefined || !report.said.addresses(at)) report.said.people(role, text, at);
  }
  if (!complete) report.opaque("too-many-items");
}

function strangersIn(
  args: JsonObject,
  base: string,
  roles: ReadonlyMap<string, ArgumentRole>,
  manner: Manner,
): { readonly found: readonly Stranger[]; readonly complete: boolean } {
  const found: Stranger[] = [];
  let left = MOST_NODES;
  const fallback: RecipientRole = manner.communicates ? "to" : manner.shares ? "member" : "payee";
  const add = (name: string, text: string, at: string): void => {
    const words = name.split("_");
    const role = roleOf(roles, name);
    const hidden = role === "blind-copy" || words.includes("bcc") || words.includes("blind");
    const copied = role === "copy" || words.includes("cc") || words.includes("copy");
    found.push({ role: hidden ? "blind-copy" : copied ? "copy" : fallback, text, at, smuggled: false });
  };
  const leaf = (name: string, role: ArgumentRole | undefined, text: string, at: string): void => {
    if (HEADERS.test(name)) {
      for (const one of headersIn(text, true))
        found.push({ role: one.role, text: one.value, at, smuggled: false });
    } else if (role !== "prose" && role !== "stored" && role !== "raw" && text.length <= 65_536) {
      for (const one of headersIn(plainerText(text)))
        found.push({ role: one.role, text: one.value, at, smuggled: true });
    }
    if (role !== undefined && MENTIONS.has(role)) return;
    if (isAddressList(text)) add(name, text, at);
    else if (manner.pays && !OWN.test(name) && isPayable(text))
      found.push({ role: "payee", text, at, smuggled: false });
    else if (HOOKS.test(name)) {
      const host = hostOfUrl(text);
      if (host !== null) found.push({ role: "channel", text: host, at, smuggled: false });
    }
  };
  const walk = (name: string, value: JsonValue, at: string): void => {
    if (left-- <= 0) return;
    const role = roleOf(roles, name);
    if (typeof value === "string") {
      const packed = /^\s*[[{]/.test(value) && (role !== "prose" || PACKED.test(name)) && role !== "stored";
      const inner = packed ? readStrictJson(value.slice(0, 65_536)) : null;
      if (inner?.ok && typeof inner.value === "object") walk(name, inner.value as JsonValue, at);
      else leaf(name, role, value, at);
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        if (left <= 0) break;
        walk(name, one, pointer(at, index));
      }
    } else if (value !== null && typeof value === "object")
      for (const [key, one] of Object.entries(value)) {
        if (left <= 0) break;
        const inner = pointer(at, key);
        // `{"a@x": "writer"}`: whom it is about is the name, not the value.
        if (isAddressList(key) && !(role !== undefined && MENTIONS.has(role))) add(name, key, inner);
        walk(nameOf(key), one, inner);
      }
  };
  walk("", args, base);
  return { found, complete: left > 0 };
}
