/** What tests of approvals do again and again: have something asked, and answer it. */
import { type Answer, ledgerOf, newSession, newTenant, send, shell, type Tenant } from "./api.ts";

const ASKING = { engines: { fence: "enforce" } };

export interface Asked {
  readonly id: string;
  readonly digest: string;
  readonly session: string;
}

/** An action that nobody's words ask for, put to people. */
export async function ask(
  tenant: Tenant,
  command = "git push origin main",
  session?: string,
): Promise<Asked> {
  const where = session ?? (await newSession(tenant));
  const answer = await shell(tenant, where, command);
  if (answer.json.verdict !== "ask") throw new Error(answer.text);
  return { id: answer.json.approval.id, digest: answer.json.action_digest, session: where };
}

export const newAsking = (approvals?: object) =>
  newTenant("Approvals", approvals === undefined ? ASKING : { ...ASKING, approvals });

export const decide = (
  { id, digest }: Asked,
  decision: "approve" | "deny",
  cookie: string,
  more: object = {},
): Promise<Answer> =>
  send(`/v1/approvals/${id}/decision`, { cookie, json: { decision, action_digest: digest, ...more } });

export const inSession = async (tenant: Tenant, session: string) =>
  (await ledgerOf(tenant, session)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));
export const ofOrganization = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));
