/** The interleavings of `docs/retention.md`, each played. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { publishApproval } from "../../src/db/approvals.ts";
import { type DeliverableEntry, publishEntries } from "../../src/db/publish.ts";
import { deliverable } from "../../src/durable/delivery.ts";
import { governAs } from "../../src/http/governing.ts";
import { purgeOn } from "../../src/http/purging.ts";
import { ask, ledgerOf, must, newTenant, openSession, send, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver, sessionStubOf } from "../support/record.ts";

const SESSION = "played";
const PATH = `/v1/sessions/${SESSION}`;

afterEach(() => {
  vi.restoreAllMocks();
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

async function talk(tenant: Tenant, words = "I decided that the kestrel flies"): Promise<void> {
  await openSession(tenant, SESSION);
  await must(`${PATH}/turns`, { key: tenant.key, json: { text: words } });
  await ask(tenant, SESSION, { tool: "terminal", args: { command: "ls kestrel" } });
}

/** What the outbox would send now, read out of the object's own table. */
async function waiting(tenant: Tenant): Promise<DeliverableEntry[]> {
  return runInDurableObject(sessionStubOf(tenant, SESSION), (_, { storage: { sql } }) =>
    sql
      .exec<Record<string, SqlStorageValue> & DeliverableEntry>(
        "SELECT seq, hash, entry, body, private, salt, publish FROM entries ORDER BY seq",
      )
      .toArray()
      .map((row) => deliverable(row)),
  );
}

async function found(tenant: Tenant, word = "kestrel"): Promise<string[]> {
  const places: string[] = [];
  for (const table of ["said", "evidence", "skill_writes", "records", "approvals"]) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
      .bind(tenant.organization)
      .all();
    if (JSON.stringify(results).includes(word)) places.push(table);
  }
  return places;
}

const purge = (tenant: Tenant, json: object = { all: true }) =>
  must("/v1/purge", { cookie: tenant.cookie, json });

const purgesOf = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "purge").length;

describe("a purge and the outbox", () => {
  const identity = (tenant: Tenant) => ({ org: tenant.organization, session: SESSION });

  it("a batch that was read before the purge, and arrives after it, brings nothing back", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await talk(tenant);
    const read = await waiting(tenant);
    expect(JSON.stringify(read)).toContain("kestrel");
    await soon();
    await purge(tenant);
    await publishEntries(env.DB, identity(tenant), read);
    expect(await found(tenant)).toEqual([]);
    const { n } = (await env.DB.prepare(
      "SELECT count(*) AS n FROM records WHERE organization_id = ? AND chain = ?",
    )
      .bind(tenant.organization, `session:${SESSION}`)
      .first<{ n: number }>()) ?? { n: 0 };
    expect(n, "the entries themselves have arrived").toBe(read.length);
  });

  it("a batch whose answer was lost, sent again after the purge, brings nothing back", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    const read = await waiting(tenant);
    await publishEntries(env.DB, identity(tenant), read);
    expect(await found(tenant)).toEqual(["said", "records"]);
    await soon();
    await purge(tenant);
    await publishEntries(env.DB, identity(tenant), read);
    expect(await found(tenant)).toEqual([]);
  });

  it("a batch that arrives is answered with the purge that its object had not heard of", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await soon();
    const { before } = (await purge(tenant)).json;
    expect(await publishEntries(env.DB, identity(tenant), await waiting(tenant))).toBe(before);
  });

  it("an approval's row that arrives after the purge brings no digest back", async ({ expect }) => {
    const tenant = await newTenant("Asking", {});
    await openSession(tenant, SESSION);
    const asked = await ask(tenant, SESSION, { tool: "terminal", args: { command: "git push kestrel" } });
    const { approval, action_digest: digest } = asked.json;
    await deliver(tenant, SESSION);
    expect(await found(tenant, digest)).toEqual(["records", "approvals"]);
    await soon();
    await purge(tenant);
    expect(await found(tenant, digest)).toEqual([]);
    const row = { ...approval, approval_id: approval.id, root_id: SESSION, session_id: SESSION };
    await publishApproval(env.DB, tenant.organization, {
      ...row,
      agent_id: tenant.agent,
      call_id: "x",
      tool: "terminal",
      action_digest: digest,
      risks: [],
      rule_keys: [],
      people: 1,
      status: "pending",
      opened_at: 1,
      expires_at: 1,
    });
    await deliver(tenant, SESSION);
    expect(await found(tenant, digest)).toEqual([]);
  });
});

describe("a purge that is on record, and has removed nothing yet", () => {
  it("has nothing older told out of D1, and nothing backed by it", async ({ expect }) => {
    const tenant = await newTenant("Told", { engines: { fence: "off", provenance: "enforce" } });
    await talk(tenant);
    const skill = {
      action: "create",
      name: "kestrel",
      content: 'User decided that the kestrel flies ("I decided that the kestrel flies")',
    };
    const wrote = await ask(tenant, SESSION, { tool: "skill_manage", args: skill, stored: "" });
    expect(wrote.json.verdict, wrote.text).toBe("allow");
    await deliver(tenant, SESSION);
    const paths = [
      ["/v1/evidence", {}],
      ["/evidence?days=all", {}],
      [`/v1/agents/${tenant.agent}/skills`, {}],
      ["/", {}],
      [`/session?id=${SESSION}`, {}],
      [`${PATH}/ledger?disclose=private`, {}],
      [`/v1/decisions/${wrote.json.id}/receipt?disclose=private`, {}],
      ["/v1/export", { json: {} }],
    ] as const;
    await checkpointOf(tenant, SESSION);
    const told = async (): Promise<string[]> => {
      const here: string[] = [];
      for (const [path, more] of paths)
        if ((await must(path, { cookie: tenant.cookie, ...more })).text.includes("kestrel")) here.push(path);
      return here;
    };
    expect(await told()).toEqual(paths.map(([path]) => path));
    await soon();
    await governAs(env, tenant.organization, { kind: "purge", before: Date.now() }, null, "on record");
    expect(await found(tenant)).toEqual(["said", "evidence", "skill_writes", "records"]);
    expect(await told()).toEqual([]);
    const again = await ask(tenant, SESSION, { tool: "skill_manage", args: skill, stored: "" });
    expect(again.json).toMatchObject({ verdict: "block" });
  });
});

describe("two purges", () => {
  it("at once do the same, and no harm", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await deliver(tenant, SESSION);
    await soon();
    const { before } = (await purge(tenant, { older_than_days: 1 })).json;
    expect(before).toBeGreaterThan(0);
    expect(await found(tenant)).toEqual(["said", "records"]);
    const both = await Promise.all([purge(tenant), purge(tenant)]);
    expect(both.every(({ json }) => json.done)).toBe(true);
    expect(await found(tenant)).toEqual([]);
    expect(await purgesOf(tenant)).toBeLessThanOrEqual(3);
  });

  it("of which the later one takes more: the first does not end it", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await deliver(tenant, SESSION);
    await soon();
    const first = Date.now() - 10_000;
    // The first has begun, and is late before it has done anything.
    expect(await purgeOn(env, tenant.organization, first, () => true)).toMatchObject({ done: false });
    const later = await purge(tenant);
    expect(later.json).toMatchObject({ done: true, removed: { said: 1 } });
    expect(await purgeOn(env, tenant.organization, first, () => false)).toMatchObject({
      done: true,
      removed: { said: 0 },
    });
    const row = await env.DB.prepare("SELECT before, clean_before FROM retention WHERE organization_id = ?")
      .bind(tenant.organization)
      .first();
    expect(row).toEqual({ before: later.json.before, clean_before: later.json.before });
  });

  it("of which the first died half way: the next one goes on there, and it is on record once", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await deliver(tenant, SESSION);
    await soon();
    const real = env.SESSION.getByName.bind(env.SESSION);
    const away = vi.spyOn(env.SESSION, "getByName").mockImplementation((name) => {
      if (name.endsWith(`/session/${SESSION}`)) throw new Error("the object is away");
      return real(name);
    });
    const died = await send("/v1/purge", { cookie: tenant.cookie, json: { all: true } });
    expect(died.status).toBe(500);
    away.mockRestore();
    expect(await found(tenant), "D1 was clean before").toEqual([]);
    const { before } = (await env.DB.prepare("SELECT before FROM retention WHERE organization_id = ?")
      .bind(tenant.organization)
      .first<{ before: number }>()) ?? { before: 0 };
    const rest = await purge(tenant, { before });
    expect(rest.json).toMatchObject({ done: true, removed: { said: 0, sessions: 1 } });
    expect(await purgesOf(tenant)).toBe(1);
  });
});

describe("the removal of an object", () => {
  it("gives way to whatever happened since its head was read", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await checkpointOf(tenant, SESSION);
    const stub = sessionStubOf(tenant, SESSION);
    const read = (await ledgerOf(tenant, SESSION)).at(-1);
    const head = { seq: read?.entry.seq ?? 0, hash: read?.hash ?? "" };
    await ask(tenant, SESSION, { tool: "terminal", args: { command: "ls" } });
    expect(await stub.remove(head)).toEqual({ removed: false, why: "moved" });
    const now = (await ledgerOf(tenant, SESSION)).at(-1);
    expect(await stub.remove({ seq: head.seq + 1, hash: now?.hash ?? "" })).toEqual({
      removed: false,
      why: "undelivered",
    });
    expect((await ledgerOf(tenant, SESSION)).length).toBe(head.seq + 1);
  });

  it("that was noted and did not come about is forgotten with the next entry", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await checkpointOf(tenant, SESSION);
    const removedAt = async () =>
      (
        await env.DB.prepare("SELECT removed_at AS at FROM heads WHERE organization_id = ? AND chain = ?")
          .bind(tenant.organization, `session:${SESSION}`)
          .first<{ at: number | null }>()
      )?.at;
    await env.DB.prepare("UPDATE heads SET removed_at = 1 WHERE organization_id = ? AND chain = ?")
      .bind(tenant.organization, `session:${SESSION}`)
      .run();
    await ask(tenant, SESSION, { tool: "terminal", args: { command: "ls" } });
    await deliver(tenant, SESSION);
    expect(await removedAt()).toBeNull();
  });

  it("answers the same when it is asked twice", async ({ expect }) => {
    const tenant = await newTenant();
    await talk(tenant);
    await checkpointOf(tenant, SESSION);
    const last = (await ledgerOf(tenant, SESSION)).at(-1);
    const head = { seq: last?.entry.seq ?? 0, hash: last?.hash ?? "" };
    const stub = sessionStubOf(tenant, SESSION);
    expect(await stub.remove(head)).toEqual({ removed: true, head });
    expect(await stub.remove(head)).toEqual({ removed: true, head });
    expect((await ledgerOf(tenant, SESSION)).at(-1)?.hash).toBe(head.hash);
  });
});
