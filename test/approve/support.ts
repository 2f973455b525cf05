/** An ask that waits, and the link that an approver would be sent to it. */
import { env } from "cloudflare:workers";
import type { ApprovalRecord } from "../../src/durable/approval-protocol.ts";
import { type LinkClaims, linkHash, newJti, signLink } from "../../src/notify/links.ts";
import { deliver } from "../dashboard/support.ts";
import { stubOf } from "../durable/support.ts";
import {
  type Answer,
  ask,
  ledgerOf,
  newSession,
  newTenant,
  ORIGIN,
  type Send,
  send,
  type Tenant,
} from "../support/api.ts";

export const SECRETS = [env.SETTINGS_KEY];
export const COMMAND = "git push --force origin main";

export interface Asked {
  readonly tenant: Tenant;
  readonly session: string;
  readonly approval: string;
  readonly digest: string;
  readonly call: Record<string, unknown> & { tool: string };
}

/** Nobody's words ask for it, so the fence does. */
export const FENCED = { engines: { fence: "enforce" } };
/** What would be blocked is asked about, too. */
export const ASKING = { engines: { fence: "ask", oath: "ask" } };

/** An organization whose agent has asked, and the approval that its ask opened. */
export async function asked(
  call: Record<string, unknown> & { tool: string } = { tool: "terminal", args: { command: COMMAND } },
  settings: object = FENCED,
  more: { readonly tenant?: Tenant; readonly session?: string } = {},
): Promise<Asked> {
  const tenant = more.tenant ?? (await newTenant("Acme", settings));
  const session = more.session ?? (await newSession(tenant));
  const asking = { call_id: `call of ${session} ${crypto.randomUUID()}`, ...call };
  const answer = await ask(tenant, session, asking);
  if (answer.json.verdict !== "ask") throw new Error(`no ask: ${answer.text}`);
  return {
    tenant,
    session,
    approval: answer.json.approval.id,
    digest: answer.json.action_digest,
    call: asking,
  };
}

export function claimsOf(
  { tenant, session, approval, digest }: Asked,
  more: Partial<LinkClaims> = {},
): LinkClaims {
  const now = Date.now();
  return {
    organization: tenant.organization,
    approval,
    root: session,
    member: tenant.owner,
    digest,
    jti: newJti(),
    issued_at: now,
    expires_at: now + 900_000,
    ...more,
  };
}

/** The path of a link that was sent: its hash is known where the approval lives. */
export async function linkOf(one: Asked, more: Partial<LinkClaims> = {}): Promise<string> {
  const claims = claimsOf(one, more);
  const { approval, member } = claims;
  const linked = await stubOf(one.tenant, one.session).linkApproval({
    approval,
    member,
    link: linkHash(claims.jti),
  });
  if (!linked.ok) throw new Error(linked.code);
  return `/approve/${await signLink(claims, ORIGIN, SECRETS)}`;
}

export type Pressed = Readonly<Record<string, string | readonly string[]>>;
export const SAME_SITE = { "sec-fetch-site": "same-origin", origin: "null" };

/** Sends a form of the page as a browser does: `no-referrer` makes its origin `null`. */
export async function press(path: string, fields: Pressed, more: Send = {}): Promise<Answer> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of typeof value === "string" ? [value] : value) form.append(name, one);
  return send(path, {
    method: "POST",
    ...more,
    headers: { "content-type": "application/x-www-form-urlencoded", ...SAME_SITE, ...more.headers },
    body: form.toString(),
  });
}

export function approveWith(path: string, one: Asked, more: Send = {}): Promise<Answer> {
  return press(path, { decision: "approve", action_digest: one.digest }, more);
}

/** Codes of the refusals on a session's record, in order. */
export async function refusalsOf(
  one: Asked,
): Promise<{ code: string; member: string | null; status: number }[]> {
  return (await ledgerOf(one.tenant, one.session))
    .filter(({ entry }) => entry.kind === "refusal")
    .map(({ body }) => ({ code: body.code, member: body.member ?? body.by ?? null, status: body.status }));
}

export async function recordOf(one: Asked): Promise<ApprovalRecord | null> {
  // The platform's own stub type cannot say what a plain value is.
  return (await stubOf(one.tenant, one.session).approvalRecord(
    one.approval,
  )) as unknown as ApprovalRecord | null;
}

export async function statusOf(one: Asked): Promise<string | undefined> {
  return (await recordOf(one))?.status;
}

/** Asks once more, as the agent does that waited. */
export async function again(one: Asked): Promise<Answer> {
  return ask(one.tenant, one.session, one.call);
}

/** Brings the approval to D1, where a link's unverified claims are looked up. */
export async function published(one: Asked): Promise<void> {
  await deliver(one.tenant, one.session);
}
