/** An organization whose agent asks, whoever answers, and what stays on record of it. */
import { vi } from "vitest";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";

/** Nobody's words ask for anything, so the fence asks about whatever has consequences. */
export const FENCED = { engines: { fence: "enforce" } };

export const MINUTE = 60_000;

export interface Person {
  readonly member: string;
  readonly cookie: string;
}

export interface Crew {
  readonly tenant: Tenant;
  readonly owner: Person;
  readonly alice: Person;
  readonly bob: Person;
}

/** An organization with an owner and two approvers. @param approvals its settings of approvals */
export async function newCrew(approvals: object = {}, more: object = FENCED): Promise<Crew> {
  const tenant = await newTenant("Approvals", { ...more, approvals });
  const alice = await newMember(tenant, "approver");
  const bob = await newMember(tenant, "approver");
  return { tenant, owner: { member: tenant.owner, cookie: tenant.cookie }, alice, bob };
}

/** Has the clock stand still from now on; {@link pass} moves it. Objects that begin afterwards go by it. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
}

export function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

const pathOf = (session: string) => `/v1/sessions/${encodeURIComponent(session)}`;

/** Brings what a person typed, or what the harness wrote. */
export async function say(tenant: Tenant, session: string, text = "Go on.", more: object = {}) {
  return must(`${pathOf(session)}/turns`, { key: tenant.key, json: { text, ...more } });
}

/** Sets the organization's settings whole. */
export async function set(tenant: Tenant, settings: object): Promise<Answer> {
  return must("/v1/organization/settings", { method: "PUT", cookie: tenant.cookie, json: settings });
}

/** Answers as whoever is signed in. @param asked the answer to the call that opened the approval, or attached to it */
export async function answer(
  by: { readonly cookie?: string; readonly key?: string },
  asked: Answer,
  decision: "approve" | "deny",
  more: object = {},
): Promise<Answer> {
  const { approval, action_digest } = asked.json;
  return send(`/v1/approvals/${approval.id}/decision`, { ...by, json: { decision, action_digest, ...more } });
}

export const COMMAND = "touch report.txt";

/** A session whose agent has asked: the answer, what a link to it is made of, and the same call once more. */
export async function asking({ tenant }: Crew, command = COMMAND) {
  const session = await newSession(tenant);
  const again = () => shell(tenant, session, command, { call_id: "first" });
  const asked = await again();
  const { verdict, approval, action_digest: digest } = asked.json;
  if (verdict !== "ask") throw new Error(asked.text);
  return {
    session,
    asked,
    linked: { tenant, session, approval: approval.id, digest, call: { tool: "terminal" } },
    again,
  };
}

export async function extend(by: Person, asked: Answer): Promise<Answer> {
  return send(`/v1/approvals/${asked.json.approval.id}/extension`, { method: "POST", cookie: by.cookie });
}

/** The approval as it stands. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what is told of every state
export async function standing(tenant: Tenant, asked: Answer): Promise<any> {
  return (await must(`/v1/approvals/${asked.json.approval.id}`, { key: tenant.key })).json.approval;
}

export const rulesOf = (one: Answer): string[] =>
  one.json.reasons.map((reason: { rule_key: string }) => reason.rule_key);

export interface Row {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly hash: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ by kind
  readonly body: any;
}

/** What is on record, of a session's family or of the organization. */
export async function rowsOf(tenant: Tenant, session?: string, kind?: string): Promise<Row[]> {
  const rows = (await ledgerOf(tenant, session)).map(({ hash, entry, body }) => ({
    seq: entry.seq,
    at: entry.at,
    kind: entry.kind,
    hash,
    body,
  }));
  return kind === undefined ? rows : rows.filter((row) => row.kind === kind);
}

export async function lastRow(tenant: Tenant, session?: string): Promise<Row> {
  const row = (await rowsOf(tenant, session)).at(-1);
  if (row === undefined) throw new Error("nothing is on record");
  return row;
}

/** The entry that an answer names: it is there, under this very hash. */
export async function rowOf(tenant: Tenant, session: string, one: Answer): Promise<Row> {
  const { ledger } = one.json;
  const row = (await rowsOf(tenant, session)).find(({ seq }) => seq === ledger?.seq);
  if (row === undefined || row.hash !== ledger.hash) throw new Error(`not on record: ${one.text}`);
  return row;
}

/** Codes of the refusals on a session's record, in order. */
export async function refusalsIn(tenant: Tenant, session: string): Promise<string[]> {
  return (await rowsOf(tenant, session, "refusal")).map(({ body }) => body.code);
}
