/** What a look at the network would carry away (CONVENTIONS §10): packed facts in an address that nobody named. */
import type { Effects, Verdict } from "../../types.ts";
import type { TaskKind } from "./configuration.ts";
import type { ReadyPolicy } from "./ready.ts";

/** A search is a handful of words; more of them, sent to a host that nobody named, are somebody's words. */
const MOST_WORDS = 9;
const MOST_PACKED = 96;

export function exfiltration(
  effects: Effects,
  policy: ReadyPolicy,
  kind: TaskKind,
): { readonly verdict: Exclude<Verdict, "allow">; readonly rule: string }[] {
  const found: { verdict: Exclude<Verdict, "allow">; rule: string }[] = [];
  for (const { name, value } of effects.items) {
    if (name === "carried" || name === "file_content") {
      found.push({ verdict: kind === "reading" ? "block" : "ask", rule: "unauthorized-send" });
      continue;
    }
    if (!/^https?:\/\//i.test(value) || value.length < 24) continue;
    const query = value.slice(value.search(/[?#]/) + 1);
    if (query.length === value.length) continue;
    const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(value)?.[1]?.toLowerCase() ?? "";
    if (policy.named.hosts.includes(host)) continue;
    if (isPacked(query)) found.push({ verdict: "ask", rule: "exfil-risk" });
  }
  return found;
}

/** Names under which an address carries what somebody knows of a person or a machine. */
const FACTS =
  /^(?:user|username|name|fullname|host|hostname|machine|os|ip|home|cwd|path|email|mail|phone|city|address|account|balance|company|employer|summary|notes?|context|data|payload|dump|info|msg|message|body|content|history|chat|log|task|files?|contacts?|calendar|inbox|secret|env)$/i;

/** More than a question: a long text, an address of somebody, several facts, or something packed. */
function isPacked(query: string): boolean {
  let facts = 0;
  for (const part of query.slice(0, 8192).split("&")) {
    const cut = part.indexOf("=");
    const key = cut < 0 ? "" : part.slice(0, cut);
    const value = part.slice(cut + 1);
    const words = value.split(/%20|\+|%2C|%0A|[\s,;]/i).filter((word) => word !== "").length;
    if (words > MOST_WORDS || (value.length > MOST_PACKED && !/^https?(?:%3a|:)/i.test(value))) return true;
    if (isEncodedText(value) || isRecord(value)) return true;
    if (FACTS.test(key) && value !== "") {
      facts += 1;
      if (words > 3 || /@|%40/.test(value) || /^[A-Za-z0-9+/_-]{32,}={0,2}$/.test(value)) return true;
    }
  }
  return facts >= 2;
}

/** Several facts in one value, `user=u;cwd=/home/u`, or where somebody's files lie. */
function isRecord(value: string): boolean {
  const plain = value.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (plain === value) return false;
  const pairs = plain.match(/(?:^|[;,|&\n{])\s?["']?[a-z_]{2,24}["']?[=:]["']?[^;,|&\n]/gi)?.length ?? 0;
  return pairs >= 2 || /\/(?:home|Users)\/[^/\s]/.test(plain);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MOST_DECODED = 96;

/** Base64 of words, not of an id: what it holds can be read. */
function isEncodedText(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{24,}(?:=|%3D){0,2}$/.test(value)) return false;
  let bits = 0;
  let held = 0;
  let text = "";
  for (const digit of value.slice(0, MOST_DECODED).replaceAll("-", "+").replaceAll("_", "/")) {
    const code = DIGITS.indexOf(digit);
    if (code < 0) break;
    held = ((held << 6) | code) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      text += String.fromCharCode((held >> bits) & 0xff);
    }
  }
  return /^[\x20-\x7e\n]+$/.test(text) && (/[ :@=,]/.test(text) || /[a-z]{4}/.test(text));
}
