import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { objectName } from "../../src/durable/protocol.ts";
import { SessionObject } from "../../src/durable/session.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  OPERATOR,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";

const NEVER = "never delete: ~/keep/**\n";

afterEach(() => {
  vi.restoreAllMocks();
});

const settings = (tenant: Tenant, json: object, cookie = tenant.cookie) =>
  send("/v1/organization/settings", { method: "PUT", cookie, json });

const swearing = (tenant: Tenant) =>
  send("/v1/oath", {
    method: "PUT",
    cookie: tenant.cookie,
    headers: { "if-match": '"0"' },
    json: { text: NEVER },
  });

const organizationOf = (tenant: Tenant) =>
  env.SESSION.getByName(objectName({ kind: "organization", organization: tenant.organization }));

describe("a change to what governs", () => {
  it("brings those before it into force, when their own way to D1 failed", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("D1_ERROR: away"));
    expect((await swearing(tenant)).json).toMatchObject({ code: "publish-pending" });
    batch.mockRestore();
    expect((await settings(tenant, { hash_limit_bytes: 7 })).status).toBe(200);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("block");
  });

  it("brings those before it into force, when their own way to D1 is slow", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const original = env.DB.batch.bind(env.DB);
    let release = () => {};
    const gate = new Promise<void>((open) => {
      release = open;
    });
    vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements) => {
      await gate;
      return original(statements) as never;
    });
    const slow = swearing(tenant);
    await vi.waitFor(async () => {
      const sworn = (await ledgerOf(tenant)).filter((line) => line.entry.kind === "oath_sworn");
      if (sworn.length === 0) throw new Error("not yet on record");
    });
    expect((await settings(tenant, { hash_limit_bytes: 7 })).status).toBe(200);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("block");
    release();
    expect((await slow).status).toBe(200);
    expect((await shell(tenant, session, "rm ~/keep/b")).json.verdict).toBe("block");
  });

  it("is made once when its reply is lost and the platform asks again", async ({ expect }) => {
    const tenant = await newTenant();
    const original = SessionObject.prototype.change;
    vi.spyOn(SessionObject.prototype, "change").mockImplementationOnce(function (
      this: SessionObject,
      ...args
    ) {
      original.apply(this, args);
      throw Object.assign(new Error("the reply was lost"), { retryable: true });
    });
    const before = (await ledgerOf(tenant)).length;
    const made = await must("/v1/agents", { cookie: tenant.cookie, json: { name: "once" } });
    expect(made.status).toBe(201);
    const after = await ledgerOf(tenant);
    expect(after.slice(before).map((line) => line.entry.kind)).toEqual(["agent_created"]);
  });

  it("hands out a key's secret also while D1 cannot be written", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    const made = await send(`/v1/agents/${tenant.agent}/keys`, {
      cookie: tenant.cookie,
      json: { name: "second" },
    });
    expect(made.json).toMatchObject({ in_force: false, key: expect.stringMatching(/^cs_live_/) });
    vi.restoreAllMocks();
    await runDurableObjectAlarm(organizationOf(tenant));
    expect((await shell({ ...tenant, key: made.json.key }, session, "ls")).json.verdict).toBe("allow");
  });

  it("says which organization it made while D1 cannot be written", async ({ expect }) => {
    vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    const made = await send("/v1/organizations", {
      key: OPERATOR,
      json: { name: "Late", owner_name: "Lea" },
    });
    expect(made.json).toMatchObject({
      code: "publish-pending",
      organization: expect.stringMatching(/^org_/),
    });
    vi.restoreAllMocks();
    const { organization, owner } = made.json as { organization: string; owner: string };
    await runDurableObjectAlarm(env.SESSION.getByName(objectName({ kind: "organization", organization })));
    const path = `/v1/organizations/${organization}/members/${owner}/sign-in-links`;
    expect((await must(path, { method: "POST", key: OPERATOR })).status).toBe(201);
  });

  it("asks for the role that is on record, whatever D1 still says", async ({ expect }) => {
    const tenant = await newTenant();
    const admin = await newMember(tenant, "admin");
    // D1 does not hear that the engine is on again, nor that the admin is none any more.
    await settings(tenant, { engines: { oath: "off" } });
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    await settings(tenant, {});
    batch.mockRestore();
    expect((await settings(tenant, { engines: { oath: "off" } }, admin.cookie)).json).toMatchObject({
      code: "forbidden",
    });
    vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    await send(`/v1/members/${admin.member}`, {
      method: "PATCH",
      cookie: tenant.cookie,
      json: { role: "viewer" },
    });
    vi.restoreAllMocks();
    const refused = await send("/v1/agents", { cookie: admin.cookie, json: { name: "late" } });
    expect(refused.json).toMatchObject({ code: "forbidden" });
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "createAgent",
      code: "forbidden",
    });
  });

  it("keeps an owner when two demote each other at once", async ({ expect }) => {
    const tenant = await newTenant();
    const second = await newMember(tenant, "owner");
    const demote = (member: string, cookie: string) =>
      send(`/v1/members/${member}`, { method: "PATCH", cookie, json: { role: "viewer" } });
    await Promise.all([demote(second.member, tenant.cookie), demote(tenant.owner, second.cookie)]);
    const listed = (await must("/v1/members", { cookie: tenant.cookie })).json.members as { role: string }[];
    expect(listed.filter((member) => member.role === "owner")).toHaveLength(1);
  });
});

describe("more findings than an answer tells", () => {
  const lines = (line: string) =>
    Array.from({ length: 60 }, (_, i) => line.replace("N", String(i))).join("\n");

  it("follow the engine's mode", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, lines("never delete: /srv/N/**"));
    const session = await newSession(tenant);
    for (const [mode, verdict] of [
      ["enforce", "block"],
      ["ask", "ask"],
      ["observe", "allow"],
      ["off", "allow"],
    ] as const) {
      await settings(tenant, { engines: { oath: mode, fence: "off" } });
      const answer = await shell(tenant, session, "rm -rf /srv");
      expect(answer.json.verdict, mode).toBe(verdict);
      expect((await ledgerOf(tenant, session)).at(-1)?.body.verdict).toBe(verdict);
    }
  });

  it("are cleared by evidence that covers them all", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, lines("always require backup before delete: /srv/N/**"));
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "rm -rf /srv")).json.verdict).toBe("block");
    const copied = await shell(tenant, session, "cp -r /srv /backup/srv");
    await must(`/v1/sessions/${encodeURIComponent(session)}/outcomes`, {
      key: tenant.key,
      json: { call_id: copied.json.call_id, outcome: "success" },
    });
    const cleared = await shell(tenant, session, "rm -rf /srv");
    expect(cleared.json.verdict, cleared.text.slice(0, 400)).toBe("allow");
  });
});

describe("a block that an error makes", () => {
  it("is on record where there is a session to record it in", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await settings(tenant, { hash_limit_bytes: 3 });
    vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    const answer = await shell(tenant, session, "ls");
    expect(answer.json).toMatchObject({ verdict: "block", reasons: [{ rule_key: "guard:engine-error" }] });
    const last = (await ledgerOf(tenant, session)).at(-1);
    expect(last?.hash).toBe(answer.json.ledger.hash);
    expect(last?.body).toMatchObject({ code: "engine-error", operation: "decide", agent: tenant.agent });
  });

  it("is what a deployment answers that is not configured", async ({ expect }) => {
    const { default: worker } = await import("../../src/index.ts");
    const request = new Request("https://countersign.test/v1/sessions/s/decisions", {
      method: "POST",
      body: "{}",
    });
    const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
    const answer = await worker.fetch(
      request as Parameters<typeof worker.fetch>[0],
      { DB: env.DB, SESSION: env.SESSION, PUBLIC_ORIGIN: "", OPERATOR_TOKEN: "short", SETTINGS_KEY: "" },
      context,
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ verdict: "block", ledger: null });
  });

  it("is not what arguments get that only cannot be read: those are on record as such", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decide = (body: string) =>
      send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
        key: tenant.key,
        headers: { "content-type": "application/json" },
        body,
      });
    const keys = await decide('{"call_id":"k","tool":"terminal","args":{"\\ud800":1}}');
    expect(keys.json).toMatchObject({
      verdict: "block",
      reasons: [{ rule_key: "guard:unreadable-arguments" }],
    });
    expect((await ledgerOf(tenant, session)).at(-1)?.hash).toBe(keys.json.ledger.hash);
    // Doubts that the decision judges itself must not hide one that it does not.
    const many = Array.from({ length: 40 }, (_, i) => `"n${i}":1e400`).join(",");
    const hidden = await decide(`{"call_id":"h","tool":"terminal","args":{${many}},"host":"\\ud800"}`);
    expect(hidden.json).toMatchObject({ code: "lone-surrogate", errors: [{ pointer: "/host" }] });
  });
});
