/** A test's own organization over the real HTTP surface: nothing is inserted behind the API's back. */
import { exports } from "cloudflare:workers";

export const OPERATOR = "operator-token-of-the-test-suite-only";
export const ORIGIN = "https://countersign.test";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly json: any;
}

export interface Send {
  readonly method?: string;
  readonly key?: string;
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: BodyInit;
}

/** Sends a request to the Worker and reads its answer whole. */
export async function send(path: string, init: Send = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (init.key !== undefined) headers.set("authorization", `Bearer ${init.key}`);
  if (init.cookie !== undefined) headers.set("cookie", init.cookie);
  let body: BodyInit | null = init.body ?? null;
  if (init.json !== undefined) {
    body = JSON.stringify(init.json);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
  }
  const response = await exports.default.fetch(
    new Request(ORIGIN + path, {
      method: init.method ?? (body === null ? "GET" : "POST"),
      headers,
      body,
      redirect: "manual",
    }),
  );
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** Throws with the whole answer when a set-up step does not succeed. */
export async function must(path: string, init: Send = {}): Promise<Answer> {
  const answer = await send(path, init);
  if (answer.status >= 400) throw new Error(`${init.method ?? ""} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Spends a sign-in link, and returns the cookie that it gives. */
export async function signIn(url: string): Promise<string> {
  const link = new URL(url).searchParams.get("link") ?? "";
  const answer = await must("/sign-in", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ link }).toString(),
  });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

export interface Tenant {
  readonly organization: string;
  readonly owner: string;
  /** The owner's cookie. */
  readonly cookie: string;
  readonly agent: string;
  readonly key_id: string;
  /** A key with every scope. */
  readonly key: string;
}

let count = 0;

/** What most tests are not about: a call that nobody's words ask for is held by the fence. */
export const NO_FENCE = { engines: { fence: "off" } };

/** An organization with an owner who is signed in, one agent and its key. */
export async function newTenant(name = "Test", settings: object = NO_FENCE): Promise<Tenant> {
  const created = await must("/v1/organizations", {
    key: OPERATOR,
    json: { name, owner_name: "Olivia", settings },
  });
  const cookie = await signIn(created.json.sign_in.url);
  count += 1;
  const agent = (await must("/v1/agents", { cookie, json: { name: `agent ${count}` } })).json.agent;
  const made = (await must(`/v1/agents/${agent}/keys`, { cookie, json: { name: "first" } })).json;
  return {
    organization: created.json.organization,
    owner: created.json.owner,
    cookie,
    agent,
    key_id: made.key_id,
    key: made.key,
  };
}

export async function newMember(tenant: Tenant, role: string): Promise<{ member: string; cookie: string }> {
  const added = (await must("/v1/members", { cookie: tenant.cookie, json: { name: role, role } })).json;
  return { member: added.member, cookie: await signIn(added.sign_in.url) };
}

export async function swear(tenant: Tenant, text: string, expected = 0): Promise<Answer> {
  return must("/v1/oath", {
    method: "PUT",
    cookie: tenant.cookie,
    headers: { "if-match": `"${expected}"` },
    json: { text },
  });
}

export const HOME = "/home/u";

let sessions = 0;

/** Opens a session of its own for a test and returns its id. */
export async function newSession(tenant: Tenant, more: Record<string, unknown> = {}): Promise<string> {
  sessions += 1;
  const id = `session ${sessions}`;
  await openSession(tenant, id, more);
  return id;
}

export async function openSession(
  tenant: Tenant,
  id: string,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  return must(`/v1/sessions/${encodeURIComponent(id)}`, {
    method: "PUT",
    key: tenant.key,
    json: { home: HOME, cwd: `${HOME}/work`, ...more },
  });
}

let calls = 0;

/** Asks for a decision about one tool call. */
export async function ask(
  tenant: Tenant,
  session: string,
  call: Record<string, unknown> & { tool: string },
): Promise<Answer> {
  calls += 1;
  return send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
    key: tenant.key,
    json: { call_id: `call ${calls}`, args: {}, ...call },
  });
}

export async function shell(tenant: Tenant, session: string, command: string, more = {}): Promise<Answer> {
  return ask(tenant, session, { tool: "terminal", args: { command }, ...more });
}

export async function report(
  tenant: Tenant,
  session: string,
  outcome: Record<string, unknown> & { call_id: string },
): Promise<Answer> {
  return send(`/v1/sessions/${encodeURIComponent(session)}/outcomes`, {
    key: tenant.key,
    json: { outcome: "success", ...outcome },
  });
}

export interface LedgerLine {
  readonly hash: string;
  readonly entry: { seq: number; kind: string; session: string | null; at: number };
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ by kind
  readonly body: any;
}

/** The chain of a session, or of the organization, parsed. */
export async function ledgerOf(tenant: Tenant, session?: string): Promise<LedgerLine[]> {
  const path = session === undefined ? "/v1/ledger" : `/v1/sessions/${encodeURIComponent(session)}/ledger`;
  const { text } = await must(path, { cookie: tenant.cookie });
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const stored = JSON.parse(line) as { hash: string; entry: string; body: string };
      return { hash: stored.hash, entry: JSON.parse(stored.entry), body: JSON.parse(stored.body) };
    });
}
