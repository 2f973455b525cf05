import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  OPERATOR,
  send,
  shell,
  signIn,
} from "../support/api.ts";

describe("a key", () => {
  it("is shown once and stored as a hash", async ({ expect }) => {
    const tenant = await newTenant();
    expect(tenant.key).toMatch(/^cs_live_[0-9A-Za-z]{60}$/);
    const listed = await must(`/v1/agents/${tenant.agent}/keys`, { cookie: tenant.cookie });
    expect(listed.text).not.toContain(tenant.key);
    expect(listed.text).not.toContain("secret_hash");
    const secret = tenant.key.slice("cs_live_".length + 20);
    for (const table of ["api_keys", "records", "agents", "sign_in_links", "member_sessions"]) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results), table).not.toContain(secret);
    }
    expect(JSON.stringify(await ledgerOf(tenant))).not.toContain(secret);
  });

  it("stops at the next request once it is revoked, also in an isolate that knows it", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "ls")).json.verdict).toBe("allow");
    await must(`/v1/agents/${tenant.agent}/keys/${tenant.key_id}`, {
      method: "DELETE",
      cookie: tenant.cookie,
    });
    const refused = await shell(tenant, session, "ls");
    expect(refused.status).toBe(401);
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({
      code: "unauthenticated",
      key: tenant.key_id,
    });
    const again = await send(`/v1/agents/${tenant.agent}/keys/${tenant.key_id}`, {
      method: "DELETE",
      cookie: tenant.cookie,
    });
    expect(again.status).toBe(204);
  });

  it("has one character changed and is not known", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const at of [9, 20, 40, 67]) {
      const key = `${tenant.key.slice(0, at)}${tenant.key[at] === "x" ? "y" : "x"}${tenant.key.slice(at + 1)}`;
      expect((await shell({ ...tenant, key }, session, "ls")).status).toBe(401);
    }
  });
});

describe("members", () => {
  it("come in by a link that works once, and that only a POST spends", async ({ expect }) => {
    const tenant = await newTenant();
    const { sign_in } = (
      await must("/v1/members", { cookie: tenant.cookie, json: { name: "Vera", role: "viewer" } })
    ).json;
    const path = `/sign-in${new URL(sign_in.url).search}`;
    for (const method of ["GET", "HEAD", "OPTIONS", "GET"]) await send(path, { method });
    const cookie = await signIn(sign_in.url);
    expect((await must("/v1/agents", { cookie })).json.agents).toHaveLength(1);
    await expect(async () => await signIn(sign_in.url)).rejects.toThrow("401");
    const last = (await ledgerOf(tenant)).at(-1);
    expect(last?.body).toMatchObject({ operation: "signIn", code: "unauthenticated" });
  });

  it("lose their rights with their role, and their session with their membership, at once", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const admin = await newMember(tenant, "admin");
    expect((await send("/v1/agents", { cookie: admin.cookie, json: { name: "one" } })).status).toBe(201);
    await must(`/v1/members/${admin.member}`, {
      method: "PATCH",
      cookie: tenant.cookie,
      json: { role: "viewer" },
    });
    expect((await send("/v1/agents", { cookie: admin.cookie, json: { name: "two" } })).status).toBe(403);
    await must(`/v1/members/${admin.member}`, { method: "DELETE", cookie: tenant.cookie });
    expect((await send("/v1/agents", { cookie: admin.cookie })).status).toBe(401);
  });

  it("always include an owner", async ({ expect }) => {
    const tenant = await newTenant();
    const path = `/v1/members/${tenant.owner}`;
    expect((await send(path, { method: "DELETE", cookie: tenant.cookie })).json).toMatchObject({
      code: "conflict",
    });
    const demoted = await send(path, { method: "PATCH", cookie: tenant.cookie, json: { role: "viewer" } });
    expect(demoted.json).toMatchObject({ code: "conflict" });
    expect((await must("/v1/members", { cookie: tenant.cookie })).json.members).toHaveLength(1);
  });
});

describe("an agent", () => {
  it("has a name that is one agent's only, whoever asks how many times at once", async ({ expect }) => {
    const tenant = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        send("/v1/agents", { cookie: tenant.cookie, json: { name: " worker " } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.json.code === "conflict")).toHaveLength(9);
    expect(answers.find((answer) => answer.status === 201)?.json.name).toBe("worker");
    for (const name of ["", "a\u202eb", "a\u0000", "x".repeat(101)])
      expect((await send("/v1/agents", { cookie: tenant.cookie, json: { name } })).status, name).toBe(422);
  });
});

describe("an organization", () => {
  it("is created by the operator, and begins its own chain", async ({ expect }) => {
    const created = await must("/v1/organizations", {
      key: OPERATOR,
      json: { name: "Acme", owner_name: "Ada" },
    });
    const cookie = await signIn(created.json.sign_in.url);
    const own = await must("/v1/organization", { cookie });
    expect(own.json).toMatchObject({
      organization: created.json.organization,
      name: "Acme",
      settings: { hash_limit_bytes: 1_000_000 },
    });
    const { text } = await must("/v1/ledger", { cookie });
    const report = await must("/v1/ledger/verify", {
      cookie,
      headers: { "content-type": "application/x-ndjson" },
      body: text,
    });
    expect(report.json).toMatchObject({ ok: true, session: null, organization: created.json.organization });
  });

  it("tells clients its hash limit", async ({ expect }) => {
    const tenant = await newTenant();
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { hash_limit_bytes: 5 },
    });
    const session = await newSession(tenant);
    const turn = await must(`/v1/sessions/${encodeURIComponent(session)}/turns`, {
      key: tenant.key,
      json: { text: "x" },
    });
    expect(turn.json.fingerprint.hash_limit_bytes).toBe(5);
  });
});

describe("an export", () => {
  it("verifies over HTTP, and one changed byte is found where it stands", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "ls -l", "ls -a"]) await shell(tenant, session, command);
    const { text } = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger`, { key: tenant.key });
    const verify = async (body: string | Uint8Array<ArrayBuffer>) =>
      (
        await must("/v1/ledger/verify", {
          key: tenant.key,
          headers: { "content-type": "application/x-ndjson" },
          body,
        })
      ).json;
    expect(await verify(text)).toMatchObject({ ok: true, entries: 4, session });
    const bytes = new TextEncoder().encode(text);
    for (const at of [0, 40, 300, bytes.length - 100]) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x80;
      const line = text.slice(0, at).split("\n").length;
      expect(await verify(flipped)).toMatchObject({ ok: false, broken: { line } });
    }
  });
});
