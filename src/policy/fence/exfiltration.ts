/** What a look at the network would carry away (CONVENTIONS §10): packed facts in an address that nobody named. */
import type { Effects, Verdict } from "../types.ts";
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

function isPacked(query: string): boolean {
  for (const part of query.slice(0, 8192).split("&")) {
    const value = part.slice(part.indexOf("=") + 1);
    const words = value.split(/%20|\+|%2C|%0A|[\s,;]/i).filter((word) => word !== "").length;
    if (words > MOST_WORDS || (value.length > MOST_PACKED && !/^https?%3a|^https?:/i.test(value)))
      return true;
  }
  return false;
}
