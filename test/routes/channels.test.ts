import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { objectName } from "../../src/durable/protocol.ts";
import { vapidPublicKey } from "../../src/notify/index.ts";
import { open, seal } from "../../src/sealing.ts";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newTenant,
  OPERATOR,
  ORIGIN,
  type Send,
  send,
  signIn,
  type Tenant,
} from "../support/api.ts";

const channelPlace = (organization: string, channel: string) => ({
  organization,
  field: `channel ${channel}`,
});
const SECRETS = ["settings-key-of-the-test-suite-only"];
const HOOK = {
  kind: "webhook",
  name: "pager",
  target: { url: "https://hooks.example.com/in/very-secret-path" },
};

/** What was sent to the world, and what it answers: nothing leaves this machine. */
let sent: { url: string; headers: Headers; body: string }[] = [];
let answerWith: () => Response | Promise<Response> = () => new Response("ok");

beforeEach(() => {
  sent = [];
  answerWith = () => new Response("ok");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    sent.push({ url: request.url, headers: request.headers, body: await request.text() });
    return answerWith();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const add = (cookie: string, json: object): Promise<Answer> => send("/v1/channels", { cookie, json });
const added = async (cookie: string, json: object = HOOK) =>
  (await must("/v1/channels", { cookie, json })).json;
const listed = async (cookie: string) => (await must("/v1/channels", { cookie })).json.channels;
const change = (cookie: string, id: string, json: object): Promise<Answer> =>
  send(`/v1/channels/${id}`, { method: "PATCH", cookie, json });
const remove = (cookie: string, id: string): Promise<Answer> =>
  send(`/v1/channels/${id}`, { method: "DELETE", cookie });
const test = (cookie: string, id: string): Promise<Answer> =>
  send(`/v1/channels/${id}/test`, { method: "POST", cookie });
const lastBody = async (tenant: Tenant) => (await ledgerOf(tenant)).at(-1)?.body;

/** A browser's subscription, with a key of its own. */
async function subscription(endpoint = "https://push.example.com/send/abc"): Promise<object> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, [
    "deriveBits",
  ])) as CryptoKeyPair;
  const raw = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer;
  return {
    endpoint,
    keys: {
      p256dh: Buffer.from(raw).toString("base64url"),
      auth: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
    },
  };
}

const objectOf = (tenant: Tenant) =>
  env.SESSION.getByName(objectName({ kind: "organization", organization: tenant.organization }));

async function targetOf(tenant: Tenant, channel: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare("SELECT target FROM channels WHERE channel_id = ?")
    .bind(channel)
    .first<{ target: string }>();
  const opened = await open(row?.target ?? "", channelPlace(tenant.organization, channel), SECRETS);
  if (!opened.ok) throw new Error(opened.cause);
  return JSON.parse(opened.text) as Record<string, unknown>;
}

/** One channel of each kind, with what of it nobody may ever read back. */
async function everyKind(): Promise<[kind: string, target: Record<string, unknown>, secrets: string[]][]> {
  const push = (await subscription("https://push.example.com/send/push-capability")) as {
    keys: { auth: string; p256dh: string };
  };
  return [
    ["webhook", { url: "https://hooks.example.com/in/hook-capability" }, ["hook-capability"]],
    ["slack", { url: "https://hooks.slack.com/services/T00/B00/slack-capability" }, ["slack-capability"]],
    [
      "ntfy",
      { server: "https://ntfy.example.com", topic: "ntfy-topic-of-mine", token: "tk_ntfysecret" },
      ["ntfy-topic-of-mine", "tk_ntfysecret"],
    ],
    [
      "telegram",
      { token: "123456789:AAE-telegram-secret-of-35-characters", chat_id: "-1001234567890" },
      ["AAE-telegram-secret-of-35-characters"],
    ],
    ["email", { address: "olivia.surname@example.com" }, ["olivia.surname@example.com"]],
    ["push", push, ["push-capability", push.keys.auth, push.keys.p256dh]],
  ];
}

describe("setting up a channel", () => {
  it("takes every kind, seals its target, and shows nothing of it that is secret", async ({ expect }) => {
    const tenant = await newTenant("Kinds");
    const logged = [vi.spyOn(console, "log"), vi.spyOn(console, "error")];
    const kept: string[] = [];
    for (const [kind, target, secrets] of await everyKind()) {
      const made = await add(tenant.cookie, { kind, name: `my ${kind}`, target });
      expect(made.status, made.text).toBe(201);
      expect(made.json).toMatchObject({
        kind,
        name: `my ${kind}`,
        events: ["approval.opened", "ledger.alert"],
        own: true,
        member: tenant.owner,
        in_force: true,
        health: { state: "unused", failures: 0, last_failure: null },
      });
      expect("secret" in made.json, kind).toBe(kind === "webhook");
      expect(await targetOf(tenant, made.json.channel)).toMatchObject(target);
      const tried = await test(tenant.cookie, made.json.channel);
      expect(tried.status, tried.text).toBe(200);
      kept.push(...secrets, ...(made.json.secret === undefined ? [] : [made.json.secret]));
      for (const secret of secrets) expect(made.text, kind).not.toContain(secret);
    }
    const rows = await Promise.all(
      ["channels", "records"].map(
        async (table) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results,
      ),
    );
    const everything = [
      JSON.stringify(await listed(tenant.cookie)),
      (await must("/v1/ledger?disclose=private", { cookie: tenant.cookie })).text,
      JSON.stringify(rows),
      JSON.stringify(logged.flatMap(({ mock }) => mock.calls)),
      (await must("/channels", { cookie: tenant.cookie })).text,
    ];
    expect(kept.length).toBe(10);
    for (const secret of kept)
      for (const [i, text] of everything.entries()) expect(text, `${i}: ${secret}`).not.toContain(secret);
  });

  it("leaves an entry with what may be shown, who did it, and no more", async ({ expect }) => {
    const tenant = await newTenant("Entry");
    const { channel } = await added(tenant.cookie, { ...HOOK, events: ["approval.decided"] });
    const { entry, body } = (await ledgerOf(tenant)).at(-1) ?? {};
    expect(entry?.kind).toBe("channel_added");
    expect(body).toEqual({
      by: tenant.owner,
      channel,
      channel_kind: "webhook",
      member: tenant.owner,
      events: ["approval.decided"],
      shown: { host: "hooks.example.com" },
    });
    await change(tenant.cookie, channel, { name: "other" });
    expect((await ledgerOf(tenant)).at(-1)?.entry.kind).toBe("channel_changed");
    expect((await remove(tenant.cookie, channel)).status).toBe(204);
    expect((await ledgerOf(tenant)).at(-1)?.entry.kind).toBe("channel_removed");
    expect(await listed(tenant.cookie)).toEqual([]);
    for (const gone of [
      await change(tenant.cookie, channel, { name: "x" }),
      await remove(tenant.cookie, channel),
      await test(tenant.cookie, channel),
    ])
      expect(gone.json.code).toBe("not-found");
  });

  it("keeps what cannot be sent to out, and says where it stands", async ({ expect }) => {
    const tenant = await newTenant("Hostile");
    const at = (kind: string, target: unknown) => add(tenant.cookie, { kind, name: "x", target });
    const urls = [
      "http://hooks.example.com/",
      "https://localhost/",
      "https://127.0.0.1/",
      "https://10.0.0.1/",
      "https://169.254.169.254/latest/meta-data",
      "https://[::1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://0x7f000001/",
      "https://countersign.test/v1/approvals",
      "https://user:pass@hooks.example.com/",
      "https://metadata.internal/",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://hooks.example.com/\r\nx-evil: 1",
      `https://hooks.example.com/${"a".repeat(5_000)}`,
      "",
      42,
      null,
      ["https://hooks.example.com/"],
    ];
    for (const url of urls) {
      for (const [kind, target, pointer] of [
        ["webhook", { url }, "/target/url"],
        ["slack", { url }, "/target/url"],
        ["ntfy", { server: url, topic: "a-topic" }, "/target/server"],
        ["push", { ...(await subscription()), endpoint: url }, "/target/endpoint"],
      ] as const) {
        const refused = await at(kind, target);
        expect([refused.status, refused.json.code], `${kind} ${url}`).toEqual([422, "invalid-request"]);
        expect(refused.json.errors[0].pointer, `${kind} ${url}`).toBe(pointer);
      }
    }
    for (const [kind, target] of [
      ["webhook", { url: "https://hooks.example.com/", secrets: [{ secret: "whsec_mine", until: null }] }],
      ["webhook", {}],
      ["email", { address: "a@example.com\r\nbcc: eve@evil.example" }],
      ["email", { address: "a@example.com, b@example.com" }],
      ["email", { address: "no address" }],
      ["telegram", { token: "123456789:AAE-telegram-secret-of-35-characters/../x", chat_id: "1" }],
      ["telegram", { token: "123456789:AAE-telegram-secret-of-35-characters", chat_id: "x y" }],
      ["ntfy", { topic: "a/b" }],
      ["ntfy", { topic: "../x" }],
      ["push", { endpoint: "https://push.example.com/a", keys: { p256dh: "AA", auth: "AA" } }],
    ] as const) {
      const refused = await at(kind, target);
      expect([refused.status, refused.json.code], `${kind} ${JSON.stringify(target)}`).toEqual([
        422,
        "invalid-request",
      ]);
      expect(refused.json.errors[0].pointer).toMatch(/^\/target/);
    }
    for (const json of [
      { ...HOOK, kind: "pigeon" },
      { ...HOOK, name: "" },
      { ...HOOK, name: "a\u202eb" },
      { ...HOOK, name: "x".repeat(101) },
      { ...HOOK, events: [] },
      { ...HOOK, events: ["approval.opened", "approval.opened"] },
      { ...HOOK, events: ["everything"] },
      { ...HOOK, own: "no" },
      { ...HOOK, target: "https://hooks.example.com/" },
      { ...HOOK, member: tenant.owner },
      { ...HOOK, secret: "whsec_mine" },
    ])
      expect((await add(tenant.cookie, json)).json.code, JSON.stringify(json)).toBe("invalid-request");
    expect(await lastBody(tenant)).toMatchObject({ operation: "addChannel", code: "invalid-request" });
    expect(await listed(tenant.cookie)).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("says of each address that it cannot use why, and what to write", async ({ expect }) => {
    const tenant = await newTenant("Addresses");
    const told = new Set<string>();
    for (const [url, code, words] of [
      ["hooks.example.com", "not-a-url", "whole address"],
      ["http://hooks.example.com/", "not-https", "https"],
      ["https://u:p@hooks.example.com/", "credentials-in-url", "password"],
      ["https://hooks.example.com/#x", "query-or-fragment", "#"],
      [`${ORIGIN}/hook`, "own-origin", "Countersign itself"],
      ["https://localhost/", "loopback", "machine"],
      ["https://10.0.0.8/", "private-address", "private network"],
      ["https://hooks.internal/", "local-name", "internet"],
    ] as const) {
      const refused = await add(tenant.cookie, { ...HOOK, target: { url } });
      expect([refused.status, refused.json.errors]).toEqual([
        422,
        [{ pointer: "/target/url", code, detail: expect.stringContaining(words) }],
      ]);
      told.add(refused.json.errors[0].detail);
      const page = await send("/channels/new/webhook", {
        method: "POST",
        cookie: tenant.cookie,
        headers: { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN },
        body: new URLSearchParams({ name: "x", event: "approval.opened", "target-url": url }).toString(),
      });
      expect(page.text).toContain(refused.json.errors[0].detail);
    }
    expect(told.size).toBe(8);
    expect(sent).toEqual([]);
  });

  it("is bounded by number, and in what it reads", async ({ expect }) => {
    const tenant = await newTenant("Many");
    for (let i = 0; i < 200; i += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, j) => added(tenant.cookie, { ...HOOK, name: `n${i + j}` })),
      );
      await runDurableObjectAlarm(objectOf(tenant));
    }
    expect((await add(tenant.cookie, HOOK)).json).toMatchObject({ code: "conflict", status: 409 });
    expect(await lastBody(tenant)).toMatchObject({ operation: "addChannel", code: "conflict" });
    const [first] = await listed(tenant.cookie);
    await remove(tenant.cookie, first.channel);
    expect((await add(tenant.cookie, HOOK)).status).toBe(201);
    const large = await send("/v1/channels", {
      cookie: tenant.cookie,
      json: { ...HOOK, target: { url: "x".repeat(40_000) } },
    });
    expect(large.json.code).toBe("body-too-large");
  });
});

describe("who may", () => {
  it("see, change, test and remove which channel", async ({ expect }) => {
    const tenant = await newTenant("Roles");
    const [viewer, anna, ben, admin] = await Promise.all(
      ["viewer", "approver", "approver", "admin"].map((role) => newMember(tenant, role)),
    );
    if (!viewer || !anna || !ben || !admin) throw new Error("no members");
    const annas = await added(anna.cookie, { ...HOOK, name: "anna's" });
    await added(admin.cookie, { ...HOOK, name: "admin's" });
    const shared = await added(admin.cookie, { ...HOOK, name: "shared", own: false });
    expect(shared).toMatchObject({ own: false, member: null });
    expect(annas).toMatchObject({ own: true, member: anna.member });

    const names = async (cookie: string) => (await listed(cookie)).map(({ name }: { name: string }) => name);
    expect(await names(anna.cookie)).toEqual(["anna's", "shared"]);
    expect(await names(ben.cookie)).toEqual(["shared"]);
    for (const cookie of [admin.cookie, tenant.cookie])
      expect(await names(cookie)).toEqual(["anna's", "admin's", "shared"]);
    expect((await listed(tenant.cookie)).map((one: { own: boolean }) => one.own)).toEqual([
      false,
      false,
      false,
    ]);
    expect((await send("/v1/channels", { cookie: viewer.cookie })).json.code).toBe("forbidden");

    // Whoever could point another member's channel elsewhere would be sent the links by which that member answers.
    const refusals: [string, Promise<Answer>, string][] = [];
    const refused = async (what: string, work: () => Promise<Answer>, code: string): Promise<void> => {
      const before = (await ledgerOf(tenant)).length;
      const answer = await work();
      refusals.push([what, Promise.resolve(answer), code]);
      expect(answer.json.code, what).toBe(code);
      const after = await ledgerOf(tenant);
      expect(after.length, what).toBe(before + 1);
      expect(after.at(-1)?.body, what).toMatchObject({ code });
    };
    const elsewhere = { target: { url: "https://evil.example/" } };
    for (const [who, cookie] of [
      ["admin", admin.cookie],
      ["owner", tenant.cookie],
    ] as const) {
      await refused(`${who} changes`, () => change(cookie, annas.channel, elsewhere), "forbidden");
      await refused(`${who} renames`, () => change(cookie, annas.channel, { name: "x" }), "forbidden");
      await refused(`${who} rotates`, () => change(cookie, annas.channel, { rotate: true }), "forbidden");
      await refused(`${who} tests`, () => test(cookie, annas.channel), "forbidden");
    }
    await refused("ben changes", () => change(ben.cookie, annas.channel, elsewhere), "not-found");
    await refused("ben tests", () => test(ben.cookie, annas.channel), "not-found");
    await refused("ben removes", () => remove(ben.cookie, annas.channel), "not-found");
    await refused("ben adds one for all", () => add(ben.cookie, { ...HOOK, own: false }), "forbidden");
    await refused("ben changes the shared", () => change(ben.cookie, shared.channel, elsewhere), "forbidden");
    await refused("ben tests the shared", () => test(ben.cookie, shared.channel), "forbidden");
    await refused("ben removes the shared", () => remove(ben.cookie, shared.channel), "forbidden");
    await refused("viewer adds", () => add(viewer.cookie, HOOK), "forbidden");
    expect(refusals).toHaveLength(16);
    expect(sent).toEqual([]);

    expect((await change(anna.cookie, annas.channel, { name: "mine" })).json.name).toBe("mine");
    expect((await change(tenant.cookie, shared.channel, { name: "all" })).json.name).toBe("all");
    expect((await test(tenant.cookie, shared.channel)).json).toEqual({ sent: true });
    // An admin is rid of what is dead or not wanted.
    expect((await remove(admin.cookie, annas.channel)).status).toBe(204);
    expect(await lastBody(tenant)).toMatchObject({ by: admin.member, channel: annas.channel });
  });

  it("lose that with their role", async ({ expect }) => {
    const tenant = await newTenant("Demoted");
    const anna = await newMember(tenant, "approver");
    const { channel } = await added(anna.cookie);
    await must(`/v1/members/${anna.member}`, {
      method: "PATCH",
      cookie: tenant.cookie,
      json: { role: "viewer" },
    });
    for (const work of [() => change(anna.cookie, channel, { name: "x" }), () => test(anna.cookie, channel)])
      expect((await work()).json.code).toBe("forbidden");
    // A member who is gone is still named by what they left behind.
    await must(`/v1/members/${anna.member}`, { method: "DELETE", cookie: tenant.cookie });
    expect((await listed(tenant.cookie))[0]).toMatchObject({ member: anna.member, own: false });
    expect((await remove(tenant.cookie, channel)).status).toBe(204);
  });

  it("has nothing to do with another organization", async ({ expect }) => {
    const [one, other] = [await newTenant("One"), await newTenant("Other")];
    const { channel } = await added(one.cookie);
    const works: [string, Send][] = [
      [`/v1/channels/${channel}`, { method: "PATCH", json: { name: "x" } }],
      [`/v1/channels/${channel}`, { method: "DELETE" }],
      [`/v1/channels/${channel}/test`, { method: "POST" }],
    ];
    for (const [path, init] of works) {
      const answer = await send(path, { ...init, cookie: other.cookie });
      expect([answer.status, answer.json.code]).toEqual([404, "not-found"]);
      expect(await lastBody(other)).toMatchObject({ code: "not-found", member: other.owner });
    }
    expect(await listed(other.cookie)).toEqual([]);
    expect((await ledgerOf(one)).at(-1)?.entry.kind).toBe("channel_added");
    expect(sent).toEqual([]);
  });
});

describe("a change", () => {
  it("leaves alone what it does not say", async ({ expect }) => {
    const tenant = await newTenant("Partly");
    const made = await added(tenant.cookie);
    const target = await targetOf(tenant, made.channel);
    const events = ["approval.opened", "approval.decided"];
    const changed = await change(tenant.cookie, made.channel, { events });
    expect(changed.json).toMatchObject({ name: "pager", events, shown: made.shown, in_force: true });
    expect("secret" in changed.json).toBe(false);
    expect(await targetOf(tenant, made.channel)).toEqual(target);
    const moved = await change(tenant.cookie, made.channel, { target: { url: "https://b.example.com/x" } });
    expect(moved.json.shown).toEqual({ host: "b.example.com" });
    expect("secret" in moved.json).toBe(false);
    expect(await targetOf(tenant, made.channel)).toEqual({ ...target, url: "https://b.example.com/x" });
    for (const json of [
      {},
      { rotate: false },
      { kind: "slack" },
      { name: "" },
      { target: { url: "http://x" } },
    ])
      expect((await change(tenant.cookie, made.channel, json)).json.code).toBe("invalid-request");
    expect(await lastBody(tenant)).toMatchObject({ operation: "changeChannel", code: "invalid-request" });
  });

  it("forgets a token with the server that it was for", async ({ expect }) => {
    const tenant = await newTenant("Moved");
    const target = { server: "https://ntfy.example.com", topic: "mine", token: "tk_secret" };
    const { channel } = await added(tenant.cookie, { kind: "ntfy", name: "n", target });
    await change(tenant.cookie, channel, { target: { server: "https://evil.example.com", topic: "mine" } });
    expect(JSON.stringify(await targetOf(tenant, channel))).not.toContain("tk_secret");
  });

  it("rotates a webhook's secret: the one before signs beside it for a day", async ({ expect }) => {
    const tenant = await newTenant("Rotated");
    const made = await added(tenant.cookie);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rotated = (await change(tenant.cookie, made.channel, { rotate: true })).json;
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.secret).not.toBe(made.secret);

    const signedBy = async (cookie = tenant.cookie): Promise<string[]> => {
      sent = [];
      expect((await test(cookie, made.channel)).json).toEqual({ sent: true });
      const [request] = sent;
      if (request === undefined) throw new Error("nothing was sent");
      return [made.secret, rotated.secret].filter((secret) => {
        try {
          new Webhook(secret).verify(request.body, Object.fromEntries(request.headers));
          return true;
        } catch {
          return false;
        }
      });
    };
    expect(await signedBy()).toEqual([made.secret, rotated.secret]);
    // Once more within the day: two at most, and the first is out.
    const third = (await change(tenant.cookie, made.channel, { rotate: true })).json;
    expect(await signedBy()).toEqual([rotated.secret]);
    const { secrets } = (await targetOf(tenant, made.channel)) as {
      secrets: { secret: string; until: number | null }[];
    };
    expect(secrets.map(({ secret }) => secret)).toEqual([third.secret, rotated.secret]);
    expect(secrets[0]?.until).toBeNull();
    expect(Math.abs((secrets[1]?.until ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    // After the day it is gone from what signs, and the next change of the target forgets it.
    vi.setSystemTime(Date.now() + 86_400_000 + 60_000);
    const again = await must(
      `/v1/organizations/${tenant.organization}/members/${tenant.owner}/sign-in-links`,
      {
        method: "POST",
        key: OPERATOR,
      },
    );
    const cookie = await signIn(again.json.url);
    expect(await signedBy(cookie)).toEqual([]);
    await change(cookie, made.channel, { target: HOOK.target });
    expect(JSON.stringify(await targetOf(tenant, made.channel))).not.toContain(rotated.secret);
    const slack = await added(cookie, {
      kind: "slack",
      name: "s",
      target: { url: "https://hooks.slack.com/services/T00/B00/x" },
    });
    const refused = await change(cookie, slack.channel, { rotate: true });
    expect(refused.json.errors).toMatchObject([{ pointer: "/rotate", code: "not-a-webhook" }]);
  });

  it("does not lose a secret that cannot be published", async ({ expect }) => {
    const tenant = await newTenant("Away");
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("away"));
    const made = (await add(tenant.cookie, HOOK)).json;
    expect(made).toMatchObject({ in_force: false, secret: expect.stringMatching(/^whsec_/) });
    batch.mockRestore();
    // The next change publishes what waits.
    await added(tenant.cookie, { ...HOOK, name: "second" });
    expect(await listed(tenant.cookie)).toHaveLength(2);
    expect(JSON.stringify(await targetOf(tenant, made.channel))).toContain(made.secret);
  });

  it("of what was sealed under a secret that is gone takes everything anew", async ({ expect }) => {
    const tenant = await newTenant("Unreadable");
    const { channel } = await added(tenant.cookie);
    const place = channelPlace(tenant.organization, channel);
    const foreign = await seal(JSON.stringify(HOOK.target), place, ["another-secret-of-32-characters-long"]);
    await env.DB.prepare("UPDATE channels SET target = ? WHERE channel_id = ?").bind(foreign, channel).run();
    await runInDurableObject(objectOf(tenant), (_, state) => {
      state.storage.sql.exec(
        "UPDATE registry SET value = json_set(value, '$.target', ?) WHERE kind = 'channel' AND id = ?",
        foreign,
        channel,
      );
    });
    expect((await test(tenant.cookie, channel)).json.sent).toBe(false);
    for (const json of [{ rotate: true }, { target: HOOK.target }])
      expect((await change(tenant.cookie, channel, json)).json.code).toBe("conflict");
    expect((await change(tenant.cookie, channel, { name: "still" })).status).toBe(200);
    const mended = await change(tenant.cookie, channel, { target: HOOK.target, rotate: true });
    expect(mended.json.secret).toMatch(/^whsec_/);
    expect((await test(tenant.cookie, channel)).json).toEqual({ sent: true });
  });

  it("undoes no other that is made at the same time, and loses no secret to it", async ({ expect }) => {
    const tenant = await newTenant("Race");
    const { channel } = await added(tenant.cookie);
    const answers = await Promise.all([
      change(tenant.cookie, channel, { name: "one" }),
      change(tenant.cookie, channel, { events: ["approval.decided"] }),
      ...Array.from({ length: 8 }, () => change(tenant.cookie, channel, { rotate: true })),
    ]);
    const rotated = answers.slice(2);
    const won = rotated.filter(({ status }) => status === 200);
    expect(rotated.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
    expect(won.length).toBeGreaterThan(0);
    const { secrets } = (await targetOf(tenant, channel)) as { secrets: { secret: string }[] };
    expect(won.map(({ json }) => json.secret)).toContain(secrets[0]?.secret);
    expect(await listed(tenant.cookie)).toMatchObject([{ name: "one", events: ["approval.decided"] }]);
    for (const { json } of rotated.filter(({ status }) => status === 409)) expect(json.code).toBe("conflict");

    // Made of a row of D1 that is behind, a change is refused, and the secret that is in use stays.
    const before = await env.DB.prepare("SELECT target FROM channels WHERE channel_id = ?")
      .bind(channel)
      .first();
    await change(tenant.cookie, channel, { rotate: true });
    const inUse = await targetOf(tenant, channel);
    const newest = await env.DB.prepare("SELECT target FROM channels WHERE channel_id = ?")
      .bind(channel)
      .first();
    const behind = env.DB.prepare("UPDATE channels SET target = ? WHERE channel_id = ?");
    await behind.bind(before?.["target"], channel).run();
    expect((await change(tenant.cookie, channel, { rotate: true })).json.code).toBe("conflict");
    expect(await lastBody(tenant)).toMatchObject({ operation: "changeChannel", code: "conflict" });
    expect((await change(tenant.cookie, channel, { name: "two" })).status).toBe(200);
    expect(await targetOf(tenant, channel), "what the object has is published again").toEqual(inUse);
    expect(newest).not.toEqual(before);
  });

  it("leaves nothing to send with once it is removed", async ({ expect }) => {
    const tenant = await newTenant("Removed");
    const { channel } = await added(tenant.cookie);
    await remove(tenant.cookie, channel);
    const row = await env.DB.prepare("SELECT target, removed_at FROM channels WHERE channel_id = ?")
      .bind(channel)
      .first();
    expect(row).toEqual({ target: "", removed_at: expect.any(Number) });
    await runInDurableObject(objectOf(tenant), (_, state) => {
      const kept = state.storage.sql.exec("SELECT value FROM registry WHERE kind = 'channel'").toArray();
      expect(JSON.stringify(kept)).not.toContain("cs1.");
    });
  });

  it("cannot be moved to another channel's row", async ({ expect }) => {
    const tenant = await newTenant("Swapped");
    const anna = await newMember(tenant, "approver");
    const [mine, hers] = [await added(tenant.cookie), await added(anna.cookie)];
    await env.DB.prepare(
      "UPDATE channels SET target = (SELECT target FROM channels WHERE channel_id = ?) WHERE channel_id = ?",
    )
      .bind(mine.channel, hers.channel)
      .run();
    expect((await test(anna.cookie, hers.channel)).json.sent).toBe(false);
    expect(sent).toEqual([]);
  });
});

describe("a test", () => {
  it("sends one harmless message, and the channel's health says how it went", async ({ expect }) => {
    const tenant = await newTenant("Tested");
    const { channel, secret } = await added(tenant.cookie);
    expect((await test(tenant.cookie, channel)).json).toEqual({ sent: true });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe(HOOK.target.url);
    new Webhook(secret).verify(sent[0]?.body ?? "", Object.fromEntries(sent[0]?.headers ?? []));
    expect(sent[0]?.body).not.toContain("/approve/");
    expect((await listed(tenant.cookie))[0].health).toMatchObject({
      state: "working",
      failures: 0,
      last_sent_at: expect.any(Number),
    });
    for (const [answer, failure, words] of [
      [() => new Response("no", { status: 500 }), "status-500", "Something is wrong at the receiver"],
      [() => new Response("no", { status: 404 }), "status-404", "Nothing is there"],
      [() => new Response("gone", { status: 410 }), "gone", "set up a new one"],
      [
        () => new Response(null, { status: 302, headers: { location: "https://127.0.0.1/" } }),
        "redirect",
        "Set the channel to the address that it points to.",
      ],
      [() => new Response("error code: 1016", { status: 530 }), "name-not-found", "typing mistake"],
      [() => Promise.reject(new TypeError("internal host db-7 refused")), "unreachable", "nothing could be"],
    ] as const) {
      answerWith = answer;
      sent = [];
      const failed = await test(tenant.cookie, channel);
      expect([failed.status, failed.json]).toEqual([
        200,
        { sent: false, failure, detail: expect.stringContaining(words) },
      ]);
      expect(failed.text).not.toContain("db-7");
      expect(sent).toHaveLength(1);
    }
    const [{ health }] = await listed(tenant.cookie);
    expect(health).toMatchObject({ state: "failing", failures: 6 });
    const page = await must(`/channels/${channel}`, { cookie: tenant.cookie });
    expect(page.text).toContain("Look whether the name is right and exists");
    answerWith = () => new Response(null, { status: 204 });
    expect((await test(tenant.cookie, channel)).json).toEqual({ sent: true });
    expect((await listed(tenant.cookie))[0].health).toMatchObject({ state: "working", failures: 0 });
  });

  it("reaches a browser, encrypted for it alone", async ({ expect }) => {
    const tenant = await newTenant("Push");
    const { key } = (await must("/v1/push/key", { cookie: tenant.cookie })).json;
    expect(Buffer.from(key, "base64url").length).toBe(65);
    expect(key).toBe(await vapidPublicKey(SECRETS));
    const { channel } = await added(tenant.cookie, {
      kind: "push",
      name: "phone",
      target: await subscription(),
    });
    expect(await targetOf(tenant, channel)).toMatchObject({ vapid: key });
    expect((await test(tenant.cookie, channel)).json).toEqual({ sent: true });
    expect(sent[0]?.url).toBe("https://push.example.com/send/abc");
    expect(sent[0]?.headers.get("authorization")).toContain(`k=${key}`);
    expect(sent[0]?.headers.get("content-encoding")).toBe("aes128gcm");
    const mine = { ...((await subscription()) as object), vapid: "mine" };
    const refused = await add(tenant.cookie, { kind: "push", name: "x", target: mine });
    expect(refused.json.code).toBe("invalid-request");
  });
});
