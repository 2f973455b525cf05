import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { ago, failureText } from "../../src/routes/dashboard/channel-values.ts";
import { ledgerOf, must, newMember, newTenant, ORIGIN, send, type Tenant } from "../support/api.ts";
import { fieldOf, open, post, wordsOf } from "./support.ts";

const URL_OF_HOOK = "https://hooks.example.com/in/very-secret-path";
const HOOK = {
  name: "pager",
  event: ["approval.opened", "approval.decided"],
  "target-url": URL_OF_HOOK,
  whose: "organization",
};

let answerWith: () => Response = () => new Response("ok");
beforeEach(() => {
  answerWith = () => new Response("ok");
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => answerWith());
});
afterEach(() => {
  vi.restoreAllMocks();
});

const listed = async (tenant: Tenant) =>
  (await must("/v1/channels", { cookie: tenant.cookie })).json.channels;
const add = async (cookie: string, more: object = {}) =>
  (
    await must("/v1/channels", {
      cookie,
      json: { kind: "webhook", name: "pager", target: { url: URL_OF_HOOK }, ...more },
    })
  ).json;
const last = async (tenant: Tenant) => (await ledgerOf(tenant)).at(-1);

describe("the page of channels", () => {
  it("is for approvers: a viewer is told whom to ask, and gets no link to it", async ({ expect }) => {
    const tenant = await newTenant("Viewer");
    const viewer = await newMember(tenant, "viewer");
    const approver = await newMember(tenant, "approver");
    for (const path of ["/channels", "/channels/new/email"]) {
      const page = await open(path, viewer.cookie);
      expect(page.status, path).toBe(403);
      expect(wordsOf(page.text)).toContain("Only an approver or higher can set up channels.");
      expect(wordsOf(page.text)).toContain("Olivia (owner)");
      expect((await last(tenant))?.body).toMatchObject({ code: "forbidden", member: viewer.member });
    }
    expect((await open("/settings", viewer.cookie)).text).not.toContain('href="/channels"');
    expect((await open("/settings", approver.cookie)).text).toContain('href="/channels"');
    expect((await open("/channels")).headers.get("location")).toBe("/sign-in");
  });

  it("shows an approver their own and the organization's, and an admin everybody's", async ({ expect }) => {
    const tenant = await newTenant("Sight");
    const anna = await newMember(tenant, "approver");
    const ben = await newMember(tenant, "approver");
    const hers = await add(anna.cookie, { name: "anna's phone" });
    const shared = await add(tenant.cookie, { name: "team room", own: false });
    const bens = (await open("/channels", ben.cookie)).text;
    expect(bens).not.toContain("anna&#39;s phone");
    expect(bens).toContain("team room");
    expect(bens, "it is not his to change").not.toContain(`href="/channels/${shared.channel}"`);
    const owners = (await open("/channels", tenant.cookie)).text;
    expect(wordsOf(owners)).toContain("Other members'");
    expect(owners).toContain("anna&#39;s phone");
    expect(owners, "the script knows its own device alone").not.toContain("data-channel");
    expect((await open("/channels", anna.cookie)).text).toContain(`data-channel="${hers.channel}"`);
    expect((await open(`/channels/${hers.channel}`, ben.cookie)).status).toBe(404);
    const foreign = (await open(`/channels/${hers.channel}`, tenant.cookie)).text;
    expect(foreign).toContain(`/channels/${hers.channel}/remove`);
    for (const form of ["test", "target", "rotate"])
      expect(foreign, form).not.toContain(`/channels/${hers.channel}/${form}`);
    for (const page of [bens, owners, foreign]) expect(page).not.toContain("very-secret-path");
  });

  it("warns of what does not get there, and says since when nothing did", async ({ expect }) => {
    const tenant = await newTenant("Dead");
    const anna = await newMember(tenant, "approver");
    const hers = await add(anna.cookie, { name: "anna's phone" });
    const shared = await add(tenant.cookie, { name: "team room", own: false });
    expect(wordsOf((await open("/channels", tenant.cookie)).text)).toContain("nothing was sent yet");
    const now = Date.now();
    const set = (channel: string, sent: number | null, failed: number, failures: number, word: string) =>
      env.DB.prepare(
        "UPDATE channels SET last_sent_at = ?, last_failed_at = ?, failures = ?, last_failure = ? WHERE channel_id = ?",
      )
        .bind(sent, failed, failures, word, channel)
        .run();
    await set(hers.channel, null, now - 3 * 60_000, 1, "timeout");
    await set(shared.channel, now - 3 * 86_400_000, now - 2 * 3_600_000, 23, "status-500");
    const said = wordsOf((await open("/channels", tenant.cookie)).text);
    expect(said).toContain("2 channels do not work");
    expect(said).toContain(
      "anna's phone (approver): failed 3 min ago: no answer within five seconds; it has never worked",
    );
    expect(said).toContain(
      "team room (the organization's): failed 23 times in a row, last 2 h ago: the receiver answered 500; last sent 3 days ago",
    );
    expect(wordsOf((await open("/channels", anna.cookie)).text)).toContain("anna's phone (yours): failed");
    await set(hers.channel, now, now - 3 * 60_000, 0, "timeout");
    expect(wordsOf((await open("/channels", tenant.cookie)).text)).toContain("One channel does not work");
  });

  it("shows hostile names as what they are", async ({ expect }) => {
    const tenant = await newTenant("Names");
    await add(tenant.cookie, { name: "<script>alert(1)</script>" });
    await env.DB.prepare(
      "UPDATE channels SET name = ?, last_failure = ?, failures = 1 WHERE organization_id = ?",
    )
      .bind("a\u202eb<img src=x>", "<b>word</b>", tenant.organization)
      .run();
    const { text } = await open("/channels", tenant.cookie);
    expect(text).not.toContain("<img");
    expect(text).not.toContain("<b>word");
    expect(text).not.toContain("\u202e");
    expect(text).toContain("⟨U+202E⟩");
  });
});

describe("a channel's forms", () => {
  it("set one up, and show a webhook's secret once", async ({ expect }) => {
    const tenant = await newTenant("New");
    const form = await open("/channels/new/webhook", tenant.cookie);
    expect(form.status).toBe(200);
    const page = await post("/channels/new/webhook", tenant.cookie, HOOK);
    expect(page.status).toBe(201);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const secret = /value="(whsec_[^"]+)"/.exec(page.text)?.[1] ?? "";
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [channel] = await listed(tenant);
    expect(channel).toMatchObject({ name: "pager", events: HOOK.event, member: null, kind: "webhook" });
    expect((await last(tenant))?.body).toMatchObject({ channel: channel.channel, by: tenant.owner });
    for (const path of ["/channels", `/channels/${channel.channel}`])
      expect((await open(path, tenant.cookie)).text, path).not.toContain(secret);
    const rotated = await post(`/channels/${channel.channel}/rotate`, tenant.cookie, {});
    expect(rotated.status).toBe(201);
    expect(rotated.text).toContain("signs beside it for 24 hours");
    expect(rotated.text).not.toContain(secret);
    const mail = await post("/channels/new/email", tenant.cookie, {
      name: "mail",
      event: "approval.opened",
      "target-address": "olivia@example.com",
    });
    expect(mail.status).toBe(303);
    const added = await open(mail.headers.get("location") ?? "", tenant.cookie);
    expect(wordsOf(added.text)).toContain("Added\n");
    expect((await listed(tenant)).at(-1)).toMatchObject({ kind: "email", own: true });
  });

  it("say what is wrong with every field at once, keep what was typed, and no secret of it", async ({
    expect,
  }) => {
    const tenant = await newTenant("Faulty");
    const page = await post("/channels/new/telegram", tenant.cookie, {
      name: 'a"><b>',
      "target-token": "no-token-but-a-secret",
      "target-chat_id": "x y",
    });
    expect(page.status).toBe(422);
    const said = wordsOf(page.text);
    expect(said).toContain("Nothing was saved");
    expect(said).toContain("Told: Choose at least one.");
    expect(said).toContain("Chat id: Write the number, or @ and the name.");
    for (const [id, label] of [
      ["target-token", "Bot token"],
      ["target-chat_id", "Chat id"],
    ]) {
      expect(page.text).toMatch(new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
      expect(page.text).toContain(`<a href="#${id}">${label}</a>`);
    }
    expect(fieldOf(page.text, "target-chat_id")).toBe("x y");
    expect(fieldOf(page.text, "name")).toBe("a&quot;&gt;&lt;b&gt;");
    expect(page.text).not.toContain("no-token-but-a-secret");
    expect((await last(tenant))?.body).toMatchObject({ operation: "addChannel", code: "invalid-request" });
    expect(await listed(tenant)).toEqual([]);
    for (const path of ["/channels/new/push", "/channels/new/pigeon", "/channels/new/__proto__"])
      expect((await post(path, tenant.cookie, HOOK)).status, path).toBe(404);
  });

  it("let an approver set up their own, whatever the form says", async ({ expect }) => {
    const tenant = await newTenant("Approver");
    const anna = await newMember(tenant, "approver");
    expect((await open("/channels/new/webhook", anna.cookie)).text).not.toContain('name="whose"');
    const page = await post("/channels/new/webhook", anna.cookie, HOOK);
    expect(page.status).toBe(403);
    expect(wordsOf(page.text)).toContain("Only an administrator sets up a channel of the organization.");
    expect((await last(tenant))?.body).toMatchObject({ code: "forbidden", member: anna.member });
    expect((await post("/channels/new/webhook", anna.cookie, { ...HOOK, whose: "mine" })).status).toBe(201);
    expect(await listed(tenant)).toMatchObject([{ member: anna.member }]);
  });

  it("change its name, its events and where it goes; test it; and remove it", async ({ expect }) => {
    const tenant = await newTenant("Change");
    const { channel } = await add(tenant.cookie);
    const at = (form: string) => `/channels/${channel}${form}`;
    const saved = await post(at(""), tenant.cookie, { name: " other ", event: "approval.decided" });
    expect(saved.headers.get("location")).toBe(`/channels/${channel}?saved=yes#result`);
    expect(await listed(tenant)).toMatchObject([{ name: "other", events: ["approval.decided"] }]);
    expect((await post(at(""), tenant.cookie, { name: "x" })).status).toBe(422);
    expect((await post(at("/target"), tenant.cookie, { "target-url": "https://10.0.0.1/" })).status).toBe(
      422,
    );
    expect(
      (await post(at("/target"), tenant.cookie, { "target-url": "https://b.example.com/" })).status,
    ).toBe(303);
    expect(await listed(tenant)).toMatchObject([{ name: "other", shown: { host: "b.example.com" } }]);

    expect(wordsOf((await post(at("/test"), tenant.cookie, {})).text)).toContain("The test was sent");
    answerWith = () => new Response(null, { status: 307, headers: { location: "https://10.0.0.1/" } });
    const failed = wordsOf((await post(at("/test"), tenant.cookie, {})).text);
    expect(failed).toContain("The test did not get there");
    expect(failed).toContain("The receiver points elsewhere, and nothing is sent on.");
    expect(failed).not.toContain("10.0.0.1");

    const removed = await post(at("/remove"), tenant.cookie, {});
    expect(removed.headers.get("location")).toBe("/channels?removed=yes#result");
    expect((await last(tenant))?.entry.kind).toBe("channel_removed");
    for (const form of ["", "/target", "/rotate", "/test", "/remove"])
      expect((await post(at(form), tenant.cookie, HOOK)).status, form).toBe(404);
  });

  it("are nobody's but the owner's of the channel", async ({ expect }) => {
    const tenant = await newTenant("Theirs");
    const anna = await newMember(tenant, "approver");
    const admin = await newMember(tenant, "admin");
    const other = await newTenant("Elsewhere");
    const { channel } = await add(anna.cookie);
    for (const form of ["", "/target", "/rotate", "/test"]) {
      const fields = { ...HOOK, "target-url": "https://evil.example/" };
      expect((await post(`/channels/${channel}${form}`, admin.cookie, fields)).status, form).toBe(403);
      expect((await last(tenant))?.body, form).toMatchObject({ code: "forbidden", member: admin.member });
      expect((await post(`/channels/${channel}${form}`, other.cookie, fields)).status, form).toBe(404);
      expect((await last(other))?.body, form).toMatchObject({ code: "not-found" });
    }
    expect(globalThis.fetch).not.toHaveBeenCalled();
    expect(await listed(tenant)).toMatchObject([{ name: "pager", shown: { host: "hooks.example.com" } }]);
    expect((await post(`/channels/${channel}/remove`, admin.cookie, {})).status).toBe(303);
  });

  it("say that a change waits for the database, and still show the secret that it made", async ({
    expect,
  }) => {
    const tenant = await newTenant("Away");
    const { channel } = await add(tenant.cookie);
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("away"));
    const page = await post("/channels/new/webhook", tenant.cookie, HOOK);
    expect(page.status).toBe(201);
    expect(page.text).toMatch(/value="whsec_/);
    expect(wordsOf(page.text)).toContain("It is not in use yet");
    const renamed = await post(`/channels/${channel}`, tenant.cookie, HOOK);
    expect(renamed.status).toBe(503);
    expect(wordsOf(renamed.text)).toContain("Do not repeat it.");
    batch.mockRestore();
  });
});

describe("what a browser loads", () => {
  it("is one script and one worker that may rule the whole site and fetches nothing", async ({ expect }) => {
    const tenant = await newTenant("Assets");
    const page = await open("/channels", tenant.cookie);
    const script = /src="(\/assets\/push\.js\?v=[^"]+)"/.exec(page.text)?.[1] ?? "";
    expect((await send(script)).headers.get("cache-control")).toContain("immutable");
    expect(page.text).toMatch(/<div[^>]*data-push[^>]*hidden/);
    expect(page.headers.get("content-security-policy")).toContain("worker-src 'self'");
    const worker = await send("/push-worker.js");
    expect(worker.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(worker.text).not.toMatch(/fetch|caches|importScripts|indexedDB/);
  });
});

describe("what a phone keeps on its home screen", () => {
  it("is named by a manifest and drawn by icons of ours", async ({ expect }) => {
    const tenant = await newTenant("Phone");
    const page = await open("/channels", tenant.cookie);
    expect(page.text).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');
    expect(page.text).toContain('<link rel="apple-touch-icon" href="/icon-192.png"/>');
    expect(page.text).toMatch(/<p[^>]*data-push-install[^>]*hidden/);
    expect(page.headers.get("content-security-policy")).toContain("manifest-src 'self'");
    const served = await send("/manifest.webmanifest");
    expect(served.headers.get("content-type")).toBe("application/manifest+json");
    const manifest = JSON.parse(served.text);
    expect(manifest).toMatchObject({ display: "standalone", start_url: "/approvals", scope: "/" });
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await exports.default.fetch(`${ORIGIN}${src}`);
      expect(icon.headers.get("content-type"), src).toBe(type);
      const bytes = new DataView(await icon.arrayBuffer());
      if (type !== "image/png") continue;
      // The width and the height of its IHDR.
      expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
      expect(bytes.byteLength).toBeLessThan(8_000);
    }
  });
});

describe("words", () => {
  it("say roughly how long ago, and what failed", ({ expect }) => {
    const now = 1_800_000_000_000;
    const times: [number, string][] = [
      [0, "just now"],
      [-5_000, "just now"],
      [59_999, "just now"],
      [60_000, "1 min ago"],
      [3_599_999, "59 min ago"],
      [3_600_000, "1 h ago"],
      [86_400_000, "yesterday"],
      [3 * 86_400_000, "3 days ago"],
    ];
    for (const [ms, words] of times) expect(ago(now - ms, now), String(ms)).toBe(words);
    expect(failureText("status-503")).toBe("the receiver answered 503");
    expect(failureText("a-word-of-tomorrow")).toBe("a-word-of-tomorrow");
    expect(failureText("constructor")).toBe("constructor");
    expect(failureText(null)).toBe("it did not get there");
  });
});
