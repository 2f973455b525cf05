/**
 * The same refusals against every route that the OpenAPI document names. A route that this file has no body for fails
 * here, so that a new one cannot be forgotten.
 */
import { beforeAll, describe, it } from "vitest";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  OPERATOR,
  type Send,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: { agent?: string; member?: string; operator?: true };
  readonly limit: number | null;
  readonly takesNdjson: boolean;
  /** Every code that the document lists. */
  readonly codes: readonly string[];
}

/** It has the shape of what an authenticator answers. */
const NO_PASSKEY = {
  id: "AA",
  rawId: "AA",
  type: "public-key",
  response: { clientDataJSON: "AA", attestationObject: "AA" },
};

/** A body that each operation takes; `null` for one that takes none. */
const BODIES: Record<string, unknown> = {
  createOrganization: { name: "New", owner_name: "Olga" },
  createSignInLink: null,
  readOrganization: null,
  changeSettings: {},
  listMembers: null,
  addMember: { name: "Max", role: "viewer" },
  changeMember: { role: "admin" },
  removeMember: null,
  listAgents: null,
  createAgent: { name: "an agent of the suite" },
  readAgent: null,
  changeAgentSettings: {},
  listKeys: null,
  createKey: { name: "another" },
  revokeKey: null,
  readOath: null,
  swearOath: { text: "# none" },
  readAgentOath: null,
  swearAgentOath: { text: "# none" },
  checkOath: { text: "# none" },
  openSession: { continues: "session of the suite" },
  readSession: null,
  endSession: null,
  recordTurn: { text: "hello" },
  decide: { call_id: "x", tool: "terminal", args: { command: "ls" } },
  listDecisions: null,
  reportOutcome: { call_id: "x", outcome: "success" },
  listApprovals: null,
  reportApprovals: null,
  readApproval: null,
  decideApproval: { decision: "deny", action_digest: "x" },
  extendApproval: null,
  createApprovalLink: null,
  denyApprovals: { approvals: ["apr_of_nobody"] },
  reportFingerprints: { host: "h", rows: [] },
  exportSessionLedger: null,
  exportOrganizationLedger: null,
  exportOrganization: { private: false },
  verifyLedger: null,
  listCheckpoints: null,
  makeCheckpoint: null,
  readLatestCheckpoint: null,
  downloadCheckpoints: null,
  readCheckpoint: null,
  proveConsistency: null,
  readDecisionReceipt: null,
  readReceipt: null,
  checkDrift: null,
  restoreCopy: null,
  listSigningKeys: null,
  rotateSigningKey: {},
  readToolTable: null,
  changeToolTable: { tools: [] },
  checkToolTable: { tools: [] },
  readCompiler: null,
  changeCompiler: { compiler: "rules" },
  readTaskPolicy: null,
  replay: { turns: [], calls: [] },
  listEvidence: null,
  reportEvidence: null,
  checkEvidence: { text: "User decided." },
  listSkills: null,
  readSkillHistory: null,
  purge: { older_than_days: 36_500 },
  listPasskeys: null,
  beginPasskey: null,
  addPasskey: { name: "Laptop", challenge: "x", response: NO_PASSKEY },
  beginPasskeyConfirmation: { act: "remove", credential_id: "nJ1f0Q" },
  removePasskey: {},
  resetMemberPasskeys: null,
  listMemberPasskeys: null,
  removeMemberPasskey: {},
  listChannels: null,
  addChannel: { kind: "email", name: "mail", target: { address: "ada@example.com" } },
  changeChannel: { name: "another name" },
  removeChannel: null,
  testChannel: null,
  readPushKey: null,
  explainEffects: { tool: "terminal", args: { command: "ls" } },
  listAnchors: null,
  makeAnchor: { reference: "of the suite", text: "hello" },
  readAnchor: null,
  readAnchorProof: null,
  addAnchorHeader: { height: 0, header: "00" },
};

/** Nothing of these is written down: a dry run leaves no row. */
const DRY = new Set([
  "checkEvidence",
  "checkOath",
  "verifyLedger",
  "checkToolTable",
  "explainEffects",
  "replay",
]);
const ROLES = ["viewer", "approver", "admin", "owner"];
const SCOPES = ["ask", "report", "turns"];

const operations: Operation[] = [];
let tenant: Tenant;
let stranger: Tenant;
let session: string;
let approval: string;
let channel: string;
let anchor: string;
const cookies: Record<string, string> = {};
const scoped: Record<string, string> = {};
let revoked: string;

/** Ids are the tenant's own, so that whoever else asks asks for what exists. */
function pathOf(operation: Operation): string {
  const fresh = operation.id === "openSession" ? "a session that was never opened" : session;
  return operation.path
    .replace("{session_id}", encodeURIComponent(fresh))
    .replace("{organization_id}", tenant.organization)
    .replace("{member_id}", tenant.owner)
    .replace("{agent_id}", tenant.agent)
    .replace("{approval_id}", approval)
    .replace("{key_id}", tenant.key_id)
    .replace("{credential_id}", "AA")
    .replace("{channel_id}", channel)
    .replace("{anchor_id}", anchor)
    .replace("{number}", "1")
    .replace("{decision_id}", "dec_of_the_suite")
    .replace("{skill}", "brand-voice");
}

function requestOf(operation: Operation, credential: Send): Send {
  const body = BODIES[operation.id];
  const headers: Record<string, string> = { ...credential.headers };
  if (/\/(?:oath|tool-table)$/.test(operation.path) && operation.method === "PUT")
    headers["if-match"] = '"0"';
  if (operation.takesNdjson) {
    headers["content-type"] = "application/x-ndjson";
    return { ...credential, method: operation.method, headers, body: "{}" };
  }
  return {
    ...credential,
    method: operation.method,
    headers,
    ...(body === null || body === undefined ? {} : { json: body }),
  };
}

/** Codes that each operation has answered in this file. */
const answered = new Map<string, Set<string>>();

async function sendTo(operation: Operation, path: string, init: Send): Promise<Answer> {
  const answer = await send(path, init);
  if (answer.status >= 400)
    answered.set(operation.id, (answered.get(operation.id) ?? new Set()).add(answer.json.code));
  return answer;
}

const ask = (operation: Operation, credential: Send): Promise<Answer> =>
  sendTo(operation, pathOf(operation), requestOf(operation, credential));

/** A credential that may call the operation. */
function allowed(operation: Operation): Send {
  if (operation.access.operator) return { key: OPERATOR };
  if (operation.access.agent !== undefined) return { key: tenant.key };
  return { cookie: tenant.cookie };
}

async function refusals(of: Tenant): Promise<number> {
  const own = (await ledgerOf(of)).filter((line) => line.entry.kind === "refusal").length;
  const inSession =
    of === tenant ? (await ledgerOf(of, session)).filter((line) => line.entry.kind === "refusal").length : 0;
  return own + inSession;
}

/** Runs `work`, and returns how many refusals the organization's chains have more. */
async function rowsOf(of: Tenant, work: () => Promise<void>): Promise<number> {
  const before = await refusals(of);
  await work();
  return (await refusals(of)) - before;
}

beforeAll(async () => {
  const document = (await must("/openapi.json")).json;
  for (const [path, item] of Object.entries<Record<string, Record<string, unknown>>>(document.paths))
    for (const [method, operation] of Object.entries(item))
      operations.push({
        id: operation["operationId"] as string,
        method: method.toUpperCase(),
        path,
        access: operation["x-access"] as Operation["access"],
        limit: (operation["x-limit-bytes"] as number | undefined) ?? null,
        takesNdjson: JSON.stringify(operation["requestBody"] ?? "").includes("ndjson"),
        codes: Object.values(operation["responses"] as Record<string, { "x-codes"?: string[] }>).flatMap(
          (response) => response["x-codes"] ?? [],
        ),
      });
  // The fence is on: without it nothing asks.
  tenant = await newTenant("Refused", {});
  stranger = await newTenant("Stranger");
  session = await newSession(tenant);
  approval = (await shell(tenant, session, "git push origin main")).json.approval.id;
  const mail = { ...(BODIES["addChannel"] as object), own: false };
  channel = (await must("/v1/channels", { cookie: tenant.cookie, json: mail })).json.channel;
  const stamped = { cookie: tenant.cookie, json: BODIES["makeAnchor"] };
  anchor = (await must("/v1/anchors", stamped)).json.anchor;
  cookies["owner"] = tenant.cookie;
  for (const role of ROLES.slice(0, 3)) cookies[role] = (await newMember(tenant, role)).cookie;
  const keyWith = async (scopes: string[]) =>
    (await must(`/v1/agents/${tenant.agent}/keys`, { cookie: tenant.cookie, json: { name: "k", scopes } }))
      .json;
  for (const scope of SCOPES) scoped[scope] = (await keyWith(SCOPES.filter((one) => one !== scope))).key;
  const gone = await keyWith(SCOPES);
  revoked = gone.key;
  await must(`/v1/agents/${tenant.agent}/keys/${gone.key_id}`, { method: "DELETE", cookie: tenant.cookie });
});

describe("every route", () => {
  it("is known to this suite, and says who may call it", ({ expect }) => {
    expect(operations.map((operation) => operation.id).sort()).toEqual(Object.keys(BODIES).sort());
    for (const { id, access } of operations) expect(Object.keys(access).length, id).toBeGreaterThan(0);
  });

  const everyone: [string, Send, string][] = [
    ["no key", {}, "unauthenticated"],
    ["a malformed key", { key: "cs_live_short" }, "unauthenticated"],
    ["a key that was never made", { key: `cs_live_${"a".repeat(60)}` }, "unauthenticated"],
    ["another scheme", { headers: { authorization: "Basic eDp5" } }, "unauthenticated"],
    [
      "a cookie that was never given",
      { cookie: `__Host-countersign=cs_mses_${"a".repeat(60)}` },
      "unauthenticated",
    ],
  ];
  for (const [name, credential, code] of everyone)
    it(`refuses ${name}`, async ({ expect }) => {
      for (const operation of operations) {
        const answer = await ask(operation, credential);
        expect(answer.status, `${operation.id}: ${answer.text}`).toBe(401);
        expect(answer.json, operation.id).toMatchObject({ code, status: 401 });
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
      }
    });

  it("refuses a revoked key, and leaves a row each time", async ({ expect }) => {
    const rows = await rowsOf(tenant, async () => {
      for (const operation of operations) {
        const answer = await ask(operation, { key: revoked });
        expect(answer.status, `${operation.id}: ${answer.text}`).toBe(401);
      }
    });
    expect(rows).toBe(operations.length);
  });

  it("refuses a key without the scope, and leaves a row", async ({ expect }) => {
    for (const operation of operations.filter(({ access }) => access.agent !== undefined)) {
      const key = scoped[operation.access.agent ?? ""] ?? "";
      const rows = await rowsOf(tenant, async () => {
        expect((await ask(operation, { key })).json, operation.id).toMatchObject({ code: "forbidden" });
      });
      expect(rows, operation.id).toBe(1);
    }
  });

  it("refuses agent keys where members are asked for, and leaves a row", async ({ expect }) => {
    for (const operation of operations.filter(({ access }) => access.agent === undefined)) {
      const rows = await rowsOf(tenant, async () => {
        expect((await ask(operation, { key: tenant.key })).json, operation.id).toMatchObject({
          code: "forbidden",
        });
      });
      expect(rows, operation.id).toBe(1);
    }
  });

  it("refuses every role below the one it asks for, and leaves a row", async ({ expect }) => {
    for (const operation of operations) {
      const least =
        operation.access.member === undefined ? ROLES.length : ROLES.indexOf(operation.access.member);
      for (const role of ROLES.slice(0, least)) {
        const rows = await rowsOf(tenant, async () => {
          const answer = await ask(operation, { cookie: cookies[role] ?? "" });
          expect(answer.json, `${operation.id} as ${role}`).toMatchObject({ code: "forbidden", status: 403 });
        });
        expect(rows, `${operation.id} as ${role}`).toBe(1);
      }
    }
  });

  it("refuses the operator where an organization is asked for", async ({ expect }) => {
    for (const operation of operations.filter(({ access }) => access.operator === undefined))
      expect((await ask(operation, { key: OPERATOR })).json, operation.id).toMatchObject({
        code: "forbidden",
      });
  });

  it("answers 404 for another organization's ids, and leaves a row with whoever asked", async ({
    expect,
  }) => {
    const withIds = operations.filter(
      ({ path, access }) => path.includes("{") && access.operator === undefined,
    );
    expect(withIds.length).toBeGreaterThan(12);
    for (const operation of withIds) {
      const credentials: Send[] = [];
      if (operation.access.agent !== undefined) credentials.push({ key: stranger.key });
      if (operation.access.member !== undefined) credentials.push({ cookie: stranger.cookie });
      for (const credential of credentials) {
        const rows = await rowsOf(stranger, async () => {
          const answer = await ask(operation, credential);
          expect(answer.status, `${operation.id}: ${answer.text}`).toBe(404);
          expect(answer.text).not.toContain(tenant.organization);
        });
        expect(rows, operation.id).toBe(1);
      }
    }
  });

  it("answers 404 to another agent of the organization for a session that is not its own", async ({
    expect,
  }) => {
    const agent = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "another agent" } })).json
      .agent;
    const { key } = (await must(`/v1/agents/${agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    const ofSession = operations.filter(
      ({ path, access }) => path.includes("{session_id}") && access.agent !== undefined,
    );
    for (const operation of ofSession) {
      const answer = await ask(operation, { key });
      expect(answer.status, `${operation.id}: ${answer.text}`).toBe(404);
    }
    const taken = await send(`/v1/sessions/${encodeURIComponent(session)}`, { method: "PUT", key, json: {} });
    expect(taken.json).toMatchObject({ code: "session-conflict" });
  });

  const bodies: [string, (operation: Operation) => Send, number, string][] = [
    [
      "an oversized body",
      ({ limit }) => ({
        headers: { "content-type": "application/json" },
        body: `{"a":"${"x".repeat(limit ?? 0)}"}`,
      }),
      413,
      "body-too-large",
    ],
    [
      "another content type",
      () => ({ headers: { "content-type": "text/plain" }, body: "{}" }),
      415,
      "unsupported-media-type",
    ],
    ["no content type", () => ({ body: new Uint8Array([0x7b, 0x7d]) }), 415, "unsupported-media-type"],
    [
      "malformed JSON",
      () => ({ headers: { "content-type": "application/json" }, body: '{"a":' }),
      400,
      "malformed-json",
    ],
    [
      "bytes that are no UTF-8",
      () => ({ headers: { "content-type": "application/json" }, body: new Uint8Array([0x22, 0xff, 0x22]) }),
      400,
      "malformed-json",
    ],
    [
      "JSON nested 10,000 deep, or as deep as fits",
      ({ limit }) => {
        const depth = Math.min(10_000, Math.floor((limit ?? 0) / 2) - 4);
        return {
          headers: { "content-type": "application/json" },
          body: `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
        };
      },
      400,
      "json-too-deep",
    ],
    [
      "a member named twice",
      () => ({ headers: { "content-type": "application/json" }, body: '{"name":"a","name":"b"}' }),
      400,
      "duplicate-key",
    ],
    [
      "a number that no double holds",
      () => ({ headers: { "content-type": "application/json" }, body: '{"name":9007199254740993}' }),
      400,
      "inexact-number",
    ],
    [
      "half of a surrogate pair",
      () => ({ headers: { "content-type": "application/json" }, body: '{"name":"\\ud800"}' }),
      400,
      "lone-surrogate",
    ],
    ["a member that it does not know", () => ({ json: { surprise: 1 } }), 422, "invalid-request"],
    ["what is not an object", () => ({ json: [] }), 422, "invalid-request"],
  ];
  for (const [name, make, status, code] of bodies)
    it(`refuses ${name}, and leaves a row`, async ({ expect }) => {
      const taking = operations.filter(({ limit }) => limit !== null);
      expect(taking.length).toBeGreaterThan(12);
      for (const operation of taking) {
        const made = make(operation);
        const credential = allowed(operation);
        const headers = {
          ...(operation.path.endsWith("/oath") ? { "if-match": '"0"' } : {}),
          ...made.headers,
        };
        const rows = await rowsOf(tenant, async () => {
          const answer = await sendTo(operation, pathOf(operation), {
            ...made,
            ...credential,
            method: operation.method,
            headers,
          });
          expect(answer.status, `${operation.id}: ${answer.text}`).toBe(status);
          expect(answer.json, operation.id).toMatchObject({ code });
          if (name.includes("does not know"))
            expect(answer.json.errors).toContainEqual(expect.objectContaining({ pointer: "/surprise" }));
        });
        expect(rows, operation.id).toBe(operation.access.operator || DRY.has(operation.id) ? 0 : 1);
      }
    });

  it("refuses a request that another site made a browser send", async ({ expect }) => {
    for (const operation of operations.filter(
      ({ access, method }) => access.member !== undefined && method !== "GET",
    ))
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
        const rows = await rowsOf(tenant, async () => {
          const answer = await ask(operation, { cookie: tenant.cookie, headers });
          expect(answer.json, operation.id).toMatchObject({ code: "cross-site" });
        });
        expect(rows, operation.id).toBe(1);
      }
  });

  it("says which methods a path takes, and that there is no such path", async ({ expect }) => {
    const before = await refusals(tenant);
    const wrong = await send("/v1/oath", { method: "DELETE", key: tenant.key });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, PUT");
    expect(wrong.json).toMatchObject({ code: "method-not-allowed" });
    expect((await send("/v1/nothing", { key: tenant.key })).json).toMatchObject({ code: "not-found" });
    expect((await send("/v1/nothing")).json).toMatchObject({ code: "not-found" });
    expect(await refusals(tenant)).toBe(before + 2);
  });

  it("refuses a path that is no UTF-8", async ({ expect }) => {
    for (const operation of operations.filter(({ path }) => path.includes("{"))) {
      const path = operation.path.replace(/\{[a-z_]+\}/g, "%ff");
      const answer = await sendTo(operation, path, requestOf(operation, allowed(operation)));
      expect(answer.json, `${operation.id}: ${answer.text}`).toMatchObject({
        code: "malformed-url",
        status: 400,
      });
    }
  });

  it("answers no code that its document does not list", ({ expect }) => {
    expect(answered.size).toBe(operations.length);
    for (const operation of operations)
      for (const code of answered.get(operation.id) ?? [])
        expect(operation.codes, `${operation.id} answered ${code}`).toContain(code);
  });

  it("refuses a session that is not there where a body names it", async ({ expect }) => {
    const operation = operations.find(({ id }) => id === "replay") as Operation;
    const answer = await sendTo(operation, pathOf(operation), {
      cookie: tenant.cookie,
      json: { session: "nowhere" },
    });
    expect([answer.status, answer.json.code]).toEqual([404, "unknown-session"]);
    const check = operations.find(({ id }) => id === "checkEvidence") as Operation;
    for (const credential of [{ cookie: tenant.cookie }, { key: tenant.key }, { key: stranger.key }]) {
      const named = "key" in credential && credential.key === stranger.key ? session : "nowhere";
      const refused = await sendTo(check, pathOf(check), {
        ...credential,
        json: { text: "x", session: named },
      });
      expect([refused.status, refused.json.code]).toEqual([404, "unknown-session"]);
    }
  });

  it("lists no shared code that it was not seen to answer", ({ expect }) => {
    const shared = new Set([...answered.values()].flatMap((codes) => [...codes]));
    for (const own of ["session-conflict", "conflict", "unknown-call", "not-found"]) shared.delete(own);
    for (const operation of operations.filter(({ limit }) => limit !== null))
      for (const code of operation.codes.filter((one) => shared.has(one)))
        expect([...(answered.get(operation.id) ?? [])], `${operation.id} lists ${code}`).toContain(code);
  });

  it("lists what only a failing part makes it answer, and a decision lists no failure", ({ expect }) => {
    for (const { id, codes, limit, takesNdjson } of operations) {
      const failures = ["internal", "misconfigured", "unavailable", "not-recorded"];
      if (id === "decide") for (const code of failures) expect(codes, id).not.toContain(code);
      else expect(codes, id).toEqual(expect.arrayContaining(failures));
      expect(codes.includes("body-timeout"), id).toBe(limit !== null || takesNdjson);
    }
  });
});
