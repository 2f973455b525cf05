/** Alerts of the record reach people: a real check finds what was changed, and channels hear of it, once for a round. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { raiseAlert } from "../../../src/http/alerts.ts";
import { WEBHOOKS } from "../../../src/notify/events.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  ORIGIN,
  send,
  shell,
  type Tenant,
} from "../../support/api.ts";
import { deliver, organizationStubOf } from "../../support/record.ts";
import { addChannel, hosts, inWorld, linkIn, type World } from "./support.ts";

interface Caught {
  readonly host: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
let caught: Caught[] = [];
let answering: (nth: number) => Response = () => new Response("ok");

beforeEach(() => {
  caught = [];
  answering = () => new Response("ok");
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const request = new Request(url as string, init as RequestInit);
    caught.push({
      host: new URL(request.url).hostname.replace(".example.org", ""),
      headers: Object.fromEntries(request.headers),
      text: await request.text(),
    });
    return answering(caught.length);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const hook = async (cookie: string, name: string, own: boolean, events?: string[]) =>
  (
    await must("/v1/channels", {
      cookie,
      json: { kind: "webhook", name, own, events, target: { url: `https://${name}.example.org/hook` } },
    })
  ).json as { channel: string; secret: string; events: string[] };

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const alerts = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "alert");
const missing = (seq: number) =>
  ({ code: "missing-row", place: "database", chain: "session:none", seq }) as const;

/** Rings the organization's alarm and waits until everybody was told, or nobody had to be. */
async function ring(tenant: Tenant): Promise<void> {
  await runDurableObjectAlarm(organizationStubOf(tenant));
  let seen = -1;
  while (seen !== caught.length) {
    seen = caught.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

describe("an alert of the record", () => {
  it("is told once for all that a check finds, with nothing of what was said", async ({ expect }) => {
    const tenant = await newTenant("Acme");
    const admin = await newMember(tenant, "admin");
    const ours = await hook(tenant.cookie, "ours", false, ["ledger.alert"]);
    const mine = await hook(admin.cookie, "mine", true);
    expect(mine.events).toEqual(["approval.opened", "ledger.alert"]);
    await hook(tenant.cookie, "asks", false, ["approval.opened"]);
    const session = await newSession(tenant);
    for (const secret of ["cat plans-for-the-merger", "ls", "pwd"]) await shell(tenant, session, secret);
    await deliver(tenant, session);
    await env.DB.batch([
      env.DB.prepare("DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 3").bind(
        tenant.organization,
        `session:${session}`,
      ),
      env.DB.prepare(
        "UPDATE records SET body = replace(body, 'allow', 'block') WHERE organization_id = ? AND chain = ? AND seq = 2",
      ).bind(tenant.organization, `session:${session}`),
    ]);
    const { findings } = (await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie })).json;
    expect(findings.length).toBeGreaterThan(1);
    const entries = await alerts(tenant);
    expect(entries).toHaveLength(findings.length);

    // What is found is gathered: nothing goes out at once.
    await ring(tenant);
    expect(caught).toEqual([]);
    pass(31 * SECOND);
    await ring(tenant);
    expect(caught.map(({ host }) => host).sort()).toEqual(["mine", "ours"]);
    for (const { host, headers, text } of caught) {
      const event = new Webhook(host === "ours" ? ours.secret : mine.secret).verify(text, headers);
      const schema = WEBHOOKS.find((one) => one.event === "ledger.alert")?.schema;
      expect(schema?.safeParse(event).error).toBeUndefined();
      expect(event).toMatchObject({
        type: "ledger.alert",
        data: {
          count: findings.length,
          first_seq: entries[0]?.entry.seq,
          last_seq: entries.at(-1)?.entry.seq,
          url: `${ORIGIN}/record`,
        },
      });
      expect(text).not.toContain("merger");
      expect(text).not.toContain(session);
    }

    // The same is found again: it is on record, and is no news.
    await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
    pass(2 * HOUR);
    await ring(tenant);
    expect(caught).toHaveLength(2);
  });

  it("comes once for hundreds, and the next not before an hour has passed", async ({ expect }) => {
    const tenant = await newTenant("Acme");
    await hook(tenant.cookie, "ours", false, ["ledger.alert"]);
    for (let seq = 1; seq <= 150; seq += 1) await raiseAlert(env, tenant.organization, missing(seq));
    pass(31 * SECOND);
    await ring(tenant);
    expect(caught).toHaveLength(1);
    expect(JSON.parse(caught[0]?.text ?? "").data).toMatchObject({
      count: 150,
      findings: [{ code: "missing-row", place: "database", count: 150 }],
    });
    for (let seq = 151; seq <= 200; seq += 1) await raiseAlert(env, tenant.organization, missing(seq));
    await raiseAlert(env, tenant.organization, { ...missing(7), code: "truncated", place: "ledger" });
    pass(59 * 60 * SECOND);
    await ring(tenant);
    expect(caught).toHaveLength(1);
    pass(2 * 60 * SECOND);
    await ring(tenant);
    expect(caught).toHaveLength(2);
    expect(JSON.parse(caught[1]?.text ?? "").data).toMatchObject({
      count: 51,
      findings: [
        { code: "missing-row", place: "database", count: 50 },
        { code: "truncated", place: "ledger", count: 1 },
      ],
    });
    expect(await alerts(tenant)).toHaveLength(201);
  });

  it("is tried again with the same words, and holds nothing up meanwhile", async ({ expect }) => {
    const tenant = await newTenant("Acme");
    await hook(tenant.cookie, "ours", false, ["ledger.alert"]);
    answering = (nth) => new Response("", { status: nth < 3 ? 500 : 200 });
    await raiseAlert(env, tenant.organization, missing(1));
    pass(31 * SECOND);
    await ring(tenant);
    expect(caught).toHaveLength(1);
    // What is found now is for the next message: this one has been fanned out.
    await raiseAlert(env, tenant.organization, missing(2));
    expect((await must("/v1/members", { cookie: tenant.cookie })).status).toBe(200);
    for (let tries = 0; tries < 3; tries += 1) {
      pass(10 * SECOND);
      await ring(tenant);
    }
    expect(caught).toHaveLength(3);
    expect(new Set(caught.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(caught.map(({ text }) => text)).size).toBe(1);
    pass(HOUR);
    await ring(tenant);
    expect(caught).toHaveLength(4);
    expect(JSON.parse(caught[3]?.text ?? "").data).toMatchObject({ count: 1 });
  });

  it("waits while the database is away, and is told then", async ({ expect }) => {
    const tenant = await newTenant("Acme");
    await hook(tenant.cookie, "ours", false, ["ledger.alert"]);
    await raiseAlert(env, tenant.organization, missing(1));
    pass(31 * SECOND);
    const away = vi.spyOn(env.DB, "prepare").mockImplementation(() => {
      throw new Error("away");
    });
    await ring(tenant);
    expect(caught).toEqual([]);
    away.mockRestore();
    pass(60 * SECOND);
    await ring(tenant);
    expect(caught).toHaveLength(1);
  });

  it("is a channel's to hear only where its member is an admin, as they are now", async ({ expect }) => {
    const tenant = await newTenant("Acme");
    const approver = await newMember(tenant, "approver");
    const refused = await send("/v1/channels", {
      cookie: approver.cookie,
      json: {
        kind: "email",
        name: "mine",
        events: ["approval.opened", "ledger.alert"],
        target: { address: "ada@example.com" },
      },
    });
    expect(refused.status).toBe(422);
    expect(refused.json.errors).toMatchObject([{ pointer: "/events", code: "not-an-admin" }]);
    const row = (await ledgerOf(tenant)).at(-1);
    expect(row).toMatchObject({ entry: { kind: "refusal" }, body: { operation: "addChannel" } });
    const plain = await must("/v1/channels", {
      cookie: approver.cookie,
      json: { kind: "email", name: "mine", target: { address: "ada@example.com" } },
    });
    expect(plain.json.events).toEqual(["approval.opened"]);
    const widened = await send(`/v1/channels/${plain.json.channel}`, {
      method: "PATCH",
      cookie: approver.cookie,
      json: { events: ["ledger.alert"] },
    });
    expect(widened.status).toBe(422);
    const page = await must("/channels/new/email", { cookie: approver.cookie });
    expect(page.text).not.toContain("ledger.alert");
    const theirs = await must("/channels/new/email", { cookie: tenant.cookie });
    expect(theirs.text).toMatch(/value="ledger.alert" checked/);
  });
});

describe("the outbox", () => {
  const queue = (world: World) => {
    const id = "alerts-7";
    world.alerts.set(id, {
      id,
      origin: ORIGIN,
      first_seq: 7,
      last_seq: 9,
      found_at: world.now,
      findings: [
        { code: "altered-row", place: "database", count: 2 },
        { code: "truncated", place: "ledger", count: 1 },
      ],
    });
    world.notices.queue(id, "ledger.alert", world.now, world.now + HOUR);
  };

  it("tells whoever may look into the record, and says no more than was found", async ({ expect }) => {
    await inWorld(async (world) => {
      const events = ["ledger.alert"];
      const admin = await newMember(world.tenant, "admin");
      const approver = await newMember(world.tenant, "approver");
      const demoted = await newMember(world.tenant, "admin");
      await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE organization_id = ? AND member_id = ?")
        .bind(world.tenant.organization, demoted.member)
        .run();
      await addChannel(world, { id: "ours", events });
      await addChannel(world, { id: "owners", member: world.tenant.owner, events });
      await addChannel(world, { id: "admins", member: admin.member, events });
      await addChannel(world, { id: "approvers", member: approver.member, events });
      await addChannel(world, { id: "demoted", member: demoted.member, events });
      await addChannel(world, { id: "asks", member: admin.member });
      queue(world);
      await world.run();
      expect(hosts(world).sort()).toEqual(["admins", "ours", "owners"]);
      expect(world.rows()).toEqual([]);
      expect(world.links).toEqual([]);
      const [first] = world.sent;
      expect(linkIn(first)).toBe(`${ORIGIN}/record`);
      expect(first?.text).toContain("3 things do not fit");
      expect(first?.text).toContain("In the database's copy of it: altered-row (2 times).");
      expect(first?.text).toContain("In a ledger itself: truncated.");
      expect(first?.text).toContain("a check tells that it differs, not why");
    });
  });

  it("drops a notice of alerts that nobody knows", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours", events: ["ledger.alert"] });
      world.notices.queue("alerts-0", "ledger.alert", world.now, world.now + HOUR);
      await world.run();
      expect(world.sent).toEqual([]);
      expect(world.rows()).toEqual([]);
    });
  });
});
