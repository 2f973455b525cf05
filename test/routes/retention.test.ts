/** What goes by the clock: private text past its days, and the objects of sessions in which nothing happens any more. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { Tables } from "../../src/durable/storage.ts";
import { retain } from "../../src/http/retention.ts";
import { ask, ledgerOf, must, newTenant, openSession, report, send, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver, sessionStubOf } from "../support/record.ts";

const DAY = 24 * 60 * 60 * 1000;
const pathOf = (session: string) => `/v1/sessions/${encodeURIComponent(session)}`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};

const run = (): Promise<void> => retain(env, Date.now(), Date.now() + 20_000);

/** An organization whose owner stays signed in however many days pass. */
async function tenantWith(retention: object, engines: object = { fence: "off" }): Promise<Tenant> {
  const tenant = await newTenant("Retaining", { engines, retention });
  await env.DB.prepare("UPDATE member_sessions SET expires_at = ? WHERE organization_id = ?")
    .bind(Date.now() + 1_000 * DAY, tenant.organization)
    .run();
  return tenant;
}

const exportOf = async (tenant: Tenant, session: string, query = ""): Promise<string> =>
  (await must(`${pathOf(session)}/ledger${query}`, { cookie: tenant.cookie })).text;

function tablesIn(sql: SqlStorage): string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .toArray()
    .map(({ name }) => name);
}

const isRemoved = (tenant: Tenant, session: string): Promise<boolean> =>
  runInDurableObject(sessionStubOf(tenant, session), (_, { storage: { sql } }) =>
    tablesIn(sql).every((name) => name === "removed"),
  );

async function talk(tenant: Tenant, session: string): Promise<string> {
  await openSession(tenant, session);
  await must(`${pathOf(session)}/turns`, { key: tenant.key, json: { text: "List the albatross files" } });
  return (await ask(tenant, session, { tool: "terminal", args: { command: "ls albatross" } })).json.call_id;
}

describe("a session that ends", () => {
  it("is on record once, takes nothing new, hears what became of what ran, and is opened again", async ({
    expect,
  }) => {
    const tenant = await tenantWith({});
    const call = await talk(tenant, "over");
    const end = () => send(`${pathOf("over")}/end`, { method: "POST", key: tenant.key });
    const first = await end();
    expect(first.json).toEqual({ session: "over", ended: true });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await end();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const turn = await send(`${pathOf("over")}/turns`, { key: tenant.key, json: { text: "one more thing" } });
    expect(turn.json).toMatchObject({ code: "session-ended", status: 410 });
    const late = await ask(tenant, "over", { tool: "terminal", args: { command: "ls" } });
    expect(late.json).toMatchObject({ code: "session-ended", status: 410 });
    expect((await report(tenant, "over", { call_id: call })).status).toBe(200);
    const kinds = (await ledgerOf(tenant, "over")).map(({ entry, body }) => body.code ?? entry.kind);
    expect(kinds).toEqual([
      "session_opened",
      "turn",
      "decision",
      "session_ended",
      "session-ended",
      "session-ended",
      "outcome",
    ]);
    await openSession(tenant, "over");
    expect((await ask(tenant, "over", { tool: "terminal", args: { command: "ls" } })).status).toBe(200);
    const reopened = (await ledgerOf(tenant, "over")).findLast(
      ({ entry }) => entry.kind === "session_changed",
    );
    expect(reopened?.body).toMatchObject({ reopened: true });
  });
});

describe("an object whose session is over", () => {
  it("is removed once everything is delivered and sealed; its chain stays, and a late call is told", async ({
    expect,
  }) => {
    const tenant = await tenantWith({ ended_sessions_days: 7 });
    await talk(tenant, "old");
    await openSession(tenant, "its child", { child_of: "old" });
    await must(`${pathOf("old")}/end`, { method: "POST", key: tenant.key });
    await checkpointOf(tenant, "old");
    const whole = await exportOf(tenant, "old", "?disclose=private");
    expect(whole).toContain("albatross");
    pass(6 * DAY);
    await run();
    expect(await isRemoved(tenant, "old")).toBe(false);
    pass(2 * DAY);
    await run();
    expect(await isRemoved(tenant, "old")).toBe(true);
    const retired = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "session_retired");
    expect(retired.map(({ body }) => body)).toMatchObject([{ by: null, root: "old", head: { seq: 5 } }]);
    await evictDurableObject(sessionStubOf(tenant, "old"));
    // Byte for byte as before, out of the copy.
    expect(await exportOf(tenant, "old", "?disclose=private")).toBe(whole);
    expect(await exportOf(tenant, "its child", "?disclose=private")).toBe(whole);
    const verified = await must("/v1/ledger/verify", {
      cookie: tenant.cookie,
      headers: { "content-type": "application/x-ndjson" },
      body: await exportOf(tenant, "old"),
    });
    expect(verified.json).toMatchObject({ ok: true, session: "old" });
    const before = (await ledgerOf(tenant)).length;
    const late = [
      await ask(tenant, "old", { tool: "terminal", args: { command: "ls" } }),
      await send(`${pathOf("old")}/turns`, { key: tenant.key, json: { text: "hello again" } }),
      await send(pathOf("old"), { method: "PUT", key: tenant.key, json: {} }),
      await send(`${pathOf("old")}/end`, { method: "POST", key: tenant.key }),
      await ask(tenant, "its child", { tool: "terminal", args: { command: "ls" } }),
      await send(pathOf("old"), { key: tenant.key }),
      await send(pathOf("its child"), { cookie: tenant.cookie }),
    ];
    for (const answer of late)
      expect(answer.json, answer.text).toMatchObject({ code: "session-ended", status: 410 });
    const rows = (await ledgerOf(tenant)).slice(before);
    expect(rows.map(({ body }) => body.code)).toEqual(late.map(() => "session-ended"));
    const page = await send("/session?id=old", { cookie: tenant.cookie });
    expect(page.status, page.text).toBe(410);
    // To anybody else it is not there.
    const stranger = await newTenant("Stranger");
    expect((await ask(stranger, "old", { tool: "terminal" })).json).toMatchObject({
      code: "unknown-session",
    });
    const other = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "other" } })).json.agent;
    const { key } = (await must(`/v1/agents/${other}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    const asked = await send(`${pathOf("old")}/decisions`, {
      key,
      json: { call_id: "x", tool: "ls", args: {} },
    });
    expect(asked.json).toMatchObject({ code: "unknown-session" });
    const taken = await send(pathOf("old"), { method: "PUT", key, json: {} });
    expect(taken.json).toMatchObject({ code: "session-conflict" });
    // Nothing is alarming about it.
    await run();
    expect(await isRemoved(tenant, "old")).toBe(true);
  });

  it("leaves of its family's members where the root was, and no more", async ({ expect }) => {
    const tenant = await tenantWith({ ended_sessions_days: 7 });
    await talk(tenant, "root");
    const members = ["goes on", "child"];
    await openSession(tenant, "goes on", { continues: "root" });
    await openSession(tenant, "child", { child_of: "goes on" });
    const pages = async (session: string) =>
      runInDurableObject(sessionStubOf(tenant, session), (_, { storage: { sql } }) => ({
        bytes: sql.databaseSize,
        tables: tablesIn(sql).map((name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]),
      }));
    const slim = { tables: [["elsewhere", [{ root: "root" }]]] };
    for (const member of members) expect(await pages(member)).toMatchObject(slim);
    await checkpointOf(tenant, "root");
    pass(8 * DAY);
    await run();
    expect(await isRemoved(tenant, "root")).toBe(true);
    for (const member of members) {
      await evictDurableObject(sessionStubOf(tenant, member));
      expect(await pages(member)).toMatchObject(slim);
      expect((await pages(member)).bytes).toBeLessThan(20_000);
      const late = [
        await ask(tenant, member, { tool: "terminal", args: { command: "ls" } }),
        await send(`${pathOf(member)}/turns`, { key: tenant.key, json: { text: "hello" } }),
        await send(pathOf(member), { method: "PUT", key: tenant.key, json: {} }),
        await send(pathOf(member), { method: "PUT", key: tenant.key, json: { child_of: "root" } }),
        await send(pathOf(`a child of ${member}`), {
          method: "PUT",
          key: tenant.key,
          json: { child_of: member },
        }),
      ];
      expect(late.map(({ json }) => json.code)).toEqual([
        "session-ended",
        "session-ended",
        "session-ended",
        "session-ended",
        "session-ended",
      ]);
      expect(await pages(member)).toMatchObject(slim);
    }
  });

  it("sees to members of a family from before, over as many runs as it takes", async ({ expect }) => {
    const tenant = await tenantWith({ ended_sessions_days: 7 });
    await talk(tenant, "root");
    const members = Array.from({ length: 60 }, (_, n) => `member ${String(n).padStart(2, "0")}`);
    for (const member of members) await openSession(tenant, member, { child_of: "root" });
    // As they were made: every table, for one row that names the root.
    for (const member of members) {
      await runInDurableObject(sessionStubOf(tenant, member), (_, { storage }) => {
        storage.sql.exec("DROP TABLE elsewhere");
        const tables = new Tables(storage);
        tables.create();
        tables.setText("root", "root");
      });
      await evictDurableObject(sessionStubOf(tenant, member));
    }
    await runInDurableObject(sessionStubOf(tenant, "root"), (_, { storage: { sql } }) => {
      sql.exec("DELETE FROM meta WHERE key = 'members_slim'");
    });
    await checkpointOf(tenant, "root");
    pass(8 * DAY);
    const seen: string[] = [];
    const real = env.SESSION.getByName.bind(env.SESSION);
    vi.spyOn(env.SESSION, "getByName").mockImplementation((name) => {
      const member = /\/session\/(member.*)$/.exec(decodeURIComponent(name))?.[1];
      if (member !== undefined) seen.push(member);
      return real(name);
    });
    let runs = 0;
    for (; !(await isRemoved(tenant, "root")); runs += 1) {
      if (runs > 5) throw new Error("it does not end");
      const now = Date.now();
      const first = runs === 0;
      // Late as soon as a page of members was seen to.
      const clock = vi
        .spyOn(Date, "now")
        .mockImplementation(() => now + (first && seen.length >= 50 ? 60_000 : 0));
      await retain(env, now, now + 20_000);
      clock.mockRestore();
      pass(3_600_000);
    }
    expect(runs).toBe(2);
    expect(seen, "each once").toEqual(members);
    for (const member of members)
      await runInDurableObject(sessionStubOf(tenant, member), (_, { storage: { sql } }) => {
        expect(tablesIn(sql)).toEqual(["elsewhere"]);
      });
    expect((await ask(tenant, "member 59", { tool: "terminal" })).json.code).toBe("session-ended");
  });

  it("leaves of its approvals what lists say of them, closed, and says what is gone", async ({ expect }) => {
    const tenant = await tenantWith({ ended_sessions_days: 1 }, {});
    await openSession(tenant, "asked");
    const asked = (await ask(tenant, "asked", { tool: "terminal", args: { command: "git push" } })).json;
    const { id } = asked.approval;
    const path = `/v1/approvals/${id}`;
    const answer = {
      decision: "deny",
      action_digest: asked.action_digest,
      reason: { text: "not on Fridays" },
    };
    await must(`${path}/decision`, { cookie: tenant.cookie, json: answer });
    const whole = (await must(path, { cookie: tenant.cookie })).json;
    expect(whole.gone).toBeUndefined();
    await runDurableObjectAlarm(sessionStubOf(tenant, "asked"));
    await checkpointOf(tenant, "asked");
    pass(2 * DAY);
    await run();
    expect(await isRemoved(tenant, "asked")).toBe(true);
    const { json: listed } = await must("/v1/approvals", { cookie: tenant.cookie });
    const read = await must(path, { cookie: tenant.cookie });
    const { gone, ...rest } = read.json;
    expect(rest).toEqual({ approval: listed.approvals[0], shown: null });
    expect(rest.approval).toMatchObject({ id, status: "denied", decided_by: { member: tenant.owner } });
    expect(read.text).not.toContain("Fridays");
    // What it says and what it says is gone is all that there was.
    expect([...Object.keys(rest.approval), ...gone].sort()).toEqual(Object.keys(whole.approval).sort());
    expect((await must(`${path}?wait=25&shown=true`, { cookie: tenant.cookie })).json).toEqual(read.json);
    expect((await must(path, { key: tenant.key })).json).toEqual(read.json);
    const before = (await ledgerOf(tenant)).length;
    const late = [
      await send(`${path}/decision`, {
        cookie: tenant.cookie,
        json: { ...answer, decision: "approve", reason: undefined },
      }),
      await send(`${path}/decision`, { cookie: tenant.cookie, json: answer }),
      await send(`${path}/extension`, { cookie: tenant.cookie, method: "POST" }),
      await send(`${path}/links`, { cookie: tenant.cookie, method: "POST" }),
    ];
    for (const one of late) expect(one.json, one.text).toMatchObject({ code: "session-ended", status: 410 });
    const rows = (await ledgerOf(tenant)).slice(before);
    expect(rows.map(({ body }) => body.code)).toEqual(late.map(() => "session-ended"));
    const page = await send(`/approvals/${id}`, { cookie: tenant.cookie });
    expect([page.status, page.text.includes("This approval is closed")]).toEqual([410, true]);
    // To anybody else it is not there.
    const stranger = await newTenant("Stranger");
    expect((await send(path, { cookie: stranger.cookie })).status).toBe(404);
    const other = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "other" } })).json.agent;
    const { key } = (await must(`/v1/agents/${other}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    expect((await send(path, { key })).status).toBe(404);
  });

  it("stays while it is not sealed, not delivered, or somebody is still asked", async ({ expect }) => {
    const tenant = await tenantWith({ ended_sessions_days: 1 }, {});
    for (const session of ["unsealed", "undelivered", "asking"]) await openSession(tenant, session);
    await checkpointOf(tenant, "undelivered", "asking");
    await deliver(tenant, "unsealed");
    await ask(tenant, "undelivered", { tool: "read_file", args: { path: "a" } });
    pass(2 * DAY);
    await ask(tenant, "asking", { tool: "terminal", args: { command: "git push" } });
    await run();
    for (const session of ["unsealed", "undelivered", "asking"])
      expect(await isRemoved(tenant, session), session).toBe(false);
    await checkpointOf(tenant, "unsealed", "undelivered", "asking");
    pass(2 * DAY);
    await runDurableObjectAlarm(sessionStubOf(tenant, "asking"));
    await run();
    expect(await isRemoved(tenant, "unsealed")).toBe(true);
    expect(await isRemoved(tenant, "undelivered")).toBe(true);
    // Its approval expired when the alarm rang: there is news that no checkpoint covers.
    expect(await isRemoved(tenant, "asking")).toBe(false);
  });
});

describe("private text past its days", () => {
  it("goes by the clock, once a day on record, and stays where nothing is set", async ({ expect }) => {
    const tenant = await tenantWith({ private_days: 3 });
    const keeping = await tenantWith({});
    for (const one of [tenant, keeping]) {
      await talk(one, "s");
      await deliver(one, "s");
    }
    const told = async (one: Tenant) => (await exportOf(one, "s", "?disclose=private")).includes("albatross");
    const purges = async (one: Tenant) =>
      (await ledgerOf(one)).filter(({ entry }) => entry.kind === "purge").map(({ body }) => body);
    pass(2 * DAY);
    await run();
    expect(await told(tenant)).toBe(true);
    pass(3 * DAY);
    await run();
    expect([await told(tenant), await told(keeping)]).toEqual([false, true]);
    pass(60_000);
    await run();
    const recorded = await purges(tenant);
    expect(recorded.every(({ by, before }) => by === null && before % DAY === 0)).toBe(true);
    expect(recorded).toHaveLength(2);
    expect(await purges(keeping)).toEqual([]);
    const status = await must(pathOf("s"), { cookie: tenant.cookie });
    expect(status.json.environment).toMatchObject({ home: null, cwd: null });
  });

  it("goes on over many runs that are cut short, each where the last one ended", async ({ expect }) => {
    const tenant = await tenantWith({ private_days: 1 });
    for (let n = 0; n < 6; n += 1) await talk(tenant, `session ${n}`);
    await deliver(tenant, ...Array.from({ length: 6 }, (_, n) => `session ${n}`));
    pass(3 * DAY);
    let runs = 0;
    const cursors = new Set<string>();
    for (let done = false; !done; runs += 1) {
      // A run is late after a few looks at the clock.
      let looks = 0;
      const now = Date.now();
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now + (looks++ > 14 ? 60_000 : 0));
      await retain(env, now, now + 20_000);
      clock.mockRestore();
      const row = await env.DB.prepare("SELECT cursor, clean_before FROM retention WHERE organization_id = ?")
        .bind(tenant.organization)
        .first<{ cursor: string | null; clean_before: number }>();
      done = row?.cursor === null && row.clean_before > 0;
      if (row?.cursor) cursors.add(row.cursor);
      pass(60_000);
      if (runs > 60) throw new Error(`it does not end: ${row?.cursor}`);
    }
    expect(runs).toBeGreaterThanOrEqual(5);
    expect(cursors.size).toBeGreaterThanOrEqual(5);
    for (let n = 0; n < 6; n += 1)
      expect(await exportOf(tenant, `session ${n}`, "?disclose=private")).not.toContain("albatross");
    expect((await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "purge")).toHaveLength(1);
  });
});
