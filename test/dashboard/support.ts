/** Opens pages and sends forms as a browser does, without one. */

import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { objectName } from "../../src/durable/protocol.ts";
import { type Answer, ORIGIN, send, type Tenant } from "../support/api.ts";

export async function open(
  path: string,
  cookie?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(path, { ...(cookie === undefined ? {} : { cookie }), headers });
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Posts a form from our own page, unless `headers` say where it comes from. */
export async function post(
  path: string,
  cookie: string | undefined,
  fields: Fields,
  headers: Record<string, string> = { "sec-fetch-site": "same-origin", origin: ORIGIN },
): Promise<Answer> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of typeof value === "string" ? [value] : value) form.append(name, one);
  return send(path, {
    method: "POST",
    ...(cookie === undefined ? {} : { cookie }),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: form.toString(),
  });
}

/** What another site can make a browser send. */
export const FROM_ELSEWHERE = { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" };

/** Brings what a session has recorded to D1 now, as its alarm does some seconds later. */
export async function deliver(tenant: Tenant, session: string): Promise<void> {
  const name = objectName({ kind: "session", organization: tenant.organization, session });
  await runDurableObjectAlarm(env.SESSION.getByName(name));
}

/** The value of a field in a page; of the first one by that name. */
export function fieldOf(page: string, name: string): string | undefined {
  return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1];
}

/** What a browser would hold in the text area: escapes undone, and the first line feed dropped. */
export function textAreaOf(page: string): string | undefined {
  const inner = /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(page)?.[1];
  return inner
    ?.replace(/^\n/, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** What a page says, without its elements: a line for each block. */
export function wordsOf(page: string): string {
  return page
    .replace(/<(?!\/?(?:p|li|td|th|tr|dt|dd|h\d|div|pre|label)\b)[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replace(/[ \n]*\n[ \n]*/g, "\n");
}
