/** Channels in a real browser: set up without a script, and a browser that sets itself up with one. */
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  DESKTOP,
  faultsOf,
  type Look,
  newOrganization,
  newPerson,
  PHONE,
  type Stage,
  setStage,
  shapeOf,
} from "./support.ts";

/** Where pictures of the pages go, for people to look at. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

let stage: Stage;
/** A receiver on this machine, and what it was sent. */
let receiver: Server;
let status = 200;
const received: { headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  stage = await setStage();
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end("ok");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
}, 60_000);

afterAll(async () => {
  receiver?.close();
  await stage?.stop();
});

const hook = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/very-secret-path`;

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Decisions", exact: true }).waitFor();
}

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `channels-${name}-${look.width}-${look.colorScheme ?? "light"}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["light", { ...PHONE, colorScheme: "light" }],
  ["dark", { ...PHONE, colorScheme: "dark" }],
  ["without a script", { ...PHONE, javaScriptEnabled: false }],
];

describe("channels on a phone", () => {
  for (const [how, look] of LOOKS)
    it(`are set up, tested, changed and removed: ${how}`, { timeout: 120_000 }, async ({ expect }) => {
      const { origin } = stage.client;
      const { link } = await newOrganization(stage.client, "Channels");
      const { page, context, complaints } = await newPerson(stage, look);
      const seen = async (name: string): Promise<void> => {
        if (look.javaScriptEnabled === false) return;
        await shoot(page, name, look);
        expect(await faultsOf(page), name).toEqual([]);
        expect(await shapeOf(page), name).toEqual({ sideways: 0, small: [] });
      };
      status = 200;
      received.length = 0;
      await signIn(page, link);
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("link", { name: /^Channels/ }).click();
      await page.getByRole("heading", { name: "Channels", exact: true }).waitFor();
      await seen("empty");

      await page.getByRole("link", { name: "Add Webhook" }).click();
      await seen("new");
      await page.getByLabel("URL").fill("http://10.0.0.1/");
      await page.getByRole("button", { name: "Add it" }).click();
      await page.getByText("Nothing was saved").waitFor();
      expect(await page.getByLabel("URL").inputValue()).toBe("http://10.0.0.1/");
      await seen("faulty");
      await page.getByLabel("Name").fill("pager of the team with a rather long name");
      await page.getByLabel("URL").fill(hook());
      await page.getByLabel("The organization's").check();
      await page.getByRole("button", { name: "Add it" }).click();
      await page.getByRole("heading", { name: "Here is the secret" }).waitFor();
      const secret = await page.getByLabel("Signing secret").inputValue();
      await seen("secret");
      await page.getByRole("link", { name: /Go on/ }).click();
      await page.getByRole("heading", { name: /^pager of the team/ }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await seen("unused");

      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText("The test was sent").waitFor();
      await seen("tested");
      expect(received).toHaveLength(1);
      const [sent] = received;
      expect(new Webhook(secret).verify(sent?.body ?? "", sent?.headers ?? {})).toMatchObject({
        type: "test",
      });
      status = 500;
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText("The receiver answered 500.").waitFor();
      await seen("failed");
      await page.getByText("Make a new secret…").click();
      await page.getByRole("button", { name: "Make it" }).click();
      await page.getByText("signs beside it for 24 hours").waitFor();
      await page.getByRole("link", { name: /Go on/ }).click();
      await page.getByText("Send it elsewhere…").click();
      await page.getByLabel("URL").fill("https://127.0.0.1.nip.internal/");
      await page.getByRole("button", { name: "Send it there" }).click();
      await page.getByText("Nothing was saved").waitFor();
      await seen("elsewhere");
      await page.getByLabel("Name", { exact: true }).fill("pager");
      await page.getByLabel("when an ask was approved or denied, or has expired").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();

      await page.getByRole("link", { name: "← Channels" }).click();
      for (const [kind, fields] of [
        ["Email", { Address: "olivia@example.com" }],
        ["Slack", { "Webhook URL": "https://hooks.slack.com/services/T00/B00/secret" }],
        ["Telegram", { "Bot token": "123456789:AAE-telegram-secret-of-35-characters", "Chat id": "12345" }],
        ["ntfy", { Topic: "a-topic-of-mine-Xy7" }],
      ] as const) {
        await page.getByRole("link", { name: `Add ${kind}` }).click();
        await page.getByLabel("Name").fill(`my ${kind}`);
        for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
        await seen(`new-${kind}`);
        await page.getByRole("button", { name: "Add it" }).click();
        await page.getByText("Added", { exact: true }).waitFor();
      }
      await page.getByText("One channel does not work").waitFor();
      await seen("list");
      await page.getByRole("link", { name: "Change pager" }).click();
      await page.getByText("Remove…").click();
      await seen("remove");
      await page.getByRole("button", { name: "Remove it" }).click();
      await page.getByText("Removed", { exact: true }).waitFor();
      expect(await page.getByText("One channel does not work").count()).toBe(0);
      expect(page.url().startsWith(`${origin}/channels`)).toBe(true);
      expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
      await context.close();
    });
});

describe("channels on a desk", () => {
  it("show an admin everybody's, and an approver what is theirs to set up", { timeout: 120_000 }, async ({
    expect,
  }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Everybody");
    const owner = await newPerson(stage, { ...DESKTOP, colorScheme: "dark" });
    await signIn(owner.page, link);
    await owner.page.goto(`${origin}/members`);
    await owner.page.getByLabel("Name").fill("Anna");
    await owner.page.getByLabel("Role").selectOption("approver");
    await owner.page.getByRole("button", { name: "Add" }).click();
    const way = await owner.page.getByLabel("Sign-in link").inputValue();
    const anna = await newPerson(stage, { ...DESKTOP, colorScheme: "light" });
    await signIn(anna.page, way);
    status = 503;
    await anna.page.goto(`${origin}/channels/new/webhook`);
    expect(await anna.page.getByText("Whose").count()).toBe(0);
    await anna.page.getByLabel("Name").fill("my pager");
    await anna.page.getByLabel("URL").fill(hook());
    await anna.page.getByRole("button", { name: "Add it" }).click();
    await anna.page.getByRole("link", { name: /Go on/ }).click();
    await anna.page.getByRole("button", { name: "Send a test" }).click();
    await anna.page.getByText("The receiver answered 503.").waitFor();

    await owner.page.goto(`${origin}/channels/new/email`);
    await owner.page.getByLabel("Name").fill("team mail");
    await owner.page.getByLabel("Address").fill("team@example.com");
    await owner.page.getByLabel("The organization's").check();
    await owner.page.getByRole("button", { name: "Add it" }).click();
    await owner.page.getByText("my pager (Anna)").waitFor();
    for (const [who, { page, complaints }] of [
      ["owner", owner],
      ["anna", anna],
    ] as const) {
      await page.goto(`${origin}/channels`);
      await shoot(page, `desk-${who}`, { ...DESKTOP, colorScheme: who === "owner" ? "dark" : "light" });
      expect(await faultsOf(page), who).toEqual([]);
      expect((await shapeOf(page)).sideways, who).toBe(0);
      expect(complaints, who).toEqual([]);
    }
    expect(await anna.page.getByRole("link", { name: "Change team mail" }).count()).toBe(0);
    await owner.page.getByRole("link", { name: "Look at my pager" }).click();
    expect(await owner.page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
    await shoot(owner.page, "desk-theirs", { ...DESKTOP, colorScheme: "dark" });
    expect(await faultsOf(owner.page)).toEqual([]);
    await owner.page.getByText("Remove…").click();
    await owner.page.getByRole("button", { name: "Remove it" }).click();
    await owner.page.getByText("Removed", { exact: true }).waitFor();
    await anna.page.reload();
    await anna.page.getByText("You have none yet").waitFor();
    await owner.context.close();
    await anna.context.close();
  });
});

/** A push service that needs no network: what the browser would be told by a real one. */
const FAKE_PUSH = `(() => {
  const bytes = (n, first) => { const b = crypto.getRandomValues(new Uint8Array(n)); if (first) b[0] = first; return b; };
  const text = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const kept = () => JSON.parse(localStorage.getItem("fake-push") ?? "null");
  const made = (json) => ({
    toJSON: () => json,
    unsubscribe: async () => {
      localStorage.removeItem("fake-push");
      localStorage.setItem("fake-ended", String(Number(localStorage.getItem("fake-ended") ?? 0) + 1));
      return true;
    },
  });
  PushManager.prototype.getSubscription = async () => (kept() === null ? null : made(kept()));
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey: key }) => {
    if (userVisibleOnly !== true || key.length !== 65 || key[0] !== 4) throw new TypeError("not a key");
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const json = {
      endpoint: "https://push.example.com/send/" + text(bytes(12)),
      expirationTime: null,
      keys: { p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)), auth: text(bytes(16)) },
    };
    localStorage.setItem("fake-push", JSON.stringify(json));
    return made(json);
  };
})()`;

/** A headless browser may notify nobody: the worker's own code runs, and what it would show and open is written down. */
const WATCHED = `(() => {
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, tag, url: data.url });
  };
  self.clients.openWindow = async (url) => { self.opened.push(url); };
  ExtendableEvent.prototype.waitUntil = () => {};
})()`;

/** A tap on a notification with this address. */
const tapped = (url: unknown): string => `(() => {
  const event = new ExtendableEvent("notificationclick");
  const notification = { data: { url: ${JSON.stringify(url)} }, close: () => self.opened.push("closed") };
  Object.defineProperty(event, "notification", { value: notification });
  self.dispatchEvent(event);
})()`;

interface Notice {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly url: string;
}

/** Delivers to the service worker what a push service would. */
async function pusher(
  context: BrowserContext,
  page: Page,
  origin: string,
): Promise<(data: string) => Promise<void>> {
  const cdp = await context.newCDPSession(page);
  const known = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await known;
  return (data) =>
    cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }).then(() => undefined);
}

describe("a browser", () => {
  it("sets itself up, shows what it is pushed, and opens pages of ours alone", { timeout: 120_000 }, async ({
    expect,
  }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Push");
    const { page, context, complaints } = await newPerson(stage, { ...PHONE, colorScheme: "light" });
    await context.addInitScript(FAKE_PUSH);
    await context.grantPermissions(["notifications"], { origin });
    await signIn(page, link);
    await page.goto(`${origin}/channels`);
    await page.getByRole("button", { name: "Tell me on this device" }).click();
    await page.getByText("Added", { exact: true }).waitFor();
    await page.getByText("This device is told.").waitFor();
    expect(await page.locator("[data-channel]").count()).toBe(1);
    await shoot(page, "push", { ...PHONE, colorScheme: "light" });
    expect(await faultsOf(page)).toEqual([]);
    expect(await shapeOf(page)).toEqual({ sideways: 0, small: [] });

    // Set up anew, the one before is gone, here and at the push service.
    const first = await page.locator("[data-channel]").getAttribute("data-channel");
    await page.getByRole("button", { name: "Set this device up anew" }).click();
    await page.waitForURL((url) => url.searchParams.get("added") !== first);
    await page.getByText("This device is told.").waitFor();
    expect(await page.locator("[data-channel]").count()).toBe(1);
    expect(await page.locator("[data-channel]").getAttribute("data-channel")).not.toBe(first);
    expect(await page.evaluate("localStorage.getItem('fake-ended')")).toBe("1");

    const [worker] = context.serviceWorkers();
    if (worker === undefined) throw new Error("there is no worker");
    await worker.evaluate(WATCHED);
    const push = await pusher(context, page, origin);
    const message = {
      title: "assistant asks",
      body: "terminal: deletes",
      tag: "one",
      url: `${origin}/approve/abc`,
    };
    const elsewhere = [
      "https://evil.example/",
      "javascript:alert(1)",
      "//evil.example/x",
      "data:text/html,x",
      42,
    ];
    const pushed = [
      JSON.stringify(message),
      ...elsewhere.map((url) => JSON.stringify({ title: "t", body: "b", tag: "x", url })),
      "no JSON at all",
      "null",
      JSON.stringify({ title: "x".repeat(900), body: { toString: "y" }, url: "/approvals/apr_1" }),
    ];
    for (const data of pushed) await push(data);
    const shown = async (): Promise<Notice[]> => worker.evaluate<Notice[]>("self.shown");
    for (let i = 0; i < 50 && (await shown()).length < pushed.length; i += 1) await page.waitForTimeout(100);
    const all = `${origin}/approvals`;
    const nothing = { title: "Countersign", body: "Somebody is asked.", tag: "", url: all };
    expect(await shown()).toEqual([
      message,
      ...elsewhere.map(() => ({ title: "t", body: "b", tag: "x", url: all })),
      nothing,
      nothing,
      { ...nothing, title: "x".repeat(200), url: `${origin}/approvals/apr_1` },
    ]);
    for (const url of [message.url, ...elsewhere]) await worker.evaluate(tapped(url));
    expect(await worker.evaluate("self.opened")).toEqual([
      "closed",
      message.url,
      ...elsewhere.flatMap(() => ["closed", all]),
    ]);
    expect(await page.evaluate("caches.keys()")).toEqual([]);
    expect(complaints.filter((one) => !/ERR_ABORTED/.test(one))).toEqual([]);
    await context.close();
  });

  it("that does not let itself be told says so, and leaves nothing behind", async ({ expect }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Denied");
    const { page, context } = await newPerson(stage, { ...PHONE, colorScheme: "light" });
    await context.addInitScript(`${FAKE_PUSH}; Notification.requestPermission = async () => "denied";`);
    await signIn(page, link);
    await page.goto(`${origin}/channels`);
    await page.getByRole("button", { name: "Tell me on this device" }).click();
    await page.getByText("Your browser does not let this site notify you.").waitFor();
    expect(await page.locator("[data-channel]").count()).toBe(0);
    await context.close();

    const refused = await newPerson(stage, { ...PHONE, colorScheme: "light" });
    await refused.context.addInitScript(
      `${FAKE_PUSH}; Notification.requestPermission = async () => "granted";`,
    );
    const again = await newOrganization(stage.client, "Refused");
    await signIn(refused.page, again.link);
    await refused.page.goto(`${origin}/channels`);
    await refused.page.route("**/v1/channels", (route) =>
      route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "conflict", detail: "An organization holds at most 200 channels." }),
      }),
    );
    await refused.page.getByRole("button", { name: "Tell me on this device" }).click();
    await refused.page.getByText("It did not work: An organization holds at most 200 channels.").waitFor();
    expect(await refused.page.evaluate("localStorage.getItem('fake-push')")).toBeNull();
    expect(await refused.page.getByRole("button", { name: "Tell me on this device" }).isEnabled()).toBe(true);
    await refused.context.close();
  });

  it("can keep it on its home screen", async ({ expect }) => {
    const { link } = await newOrganization(stage.client, "Installed");
    const { page, context, complaints } = await newPerson(stage, { ...PHONE, colorScheme: "light" });
    await signIn(page, link);
    await page.goto(`${stage.client.origin}/channels`);
    const cdp = await context.newCDPSession(page);
    const { errors, data, url } = await cdp.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(url).toBe(`${stage.client.origin}/manifest.webmanifest`);
    expect(JSON.parse(data ?? "")).toMatchObject({ display: "standalone" });
    const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
    // A private window installs nothing, whatever the page is.
    expect(
      installabilityErrors.map(({ errorId }) => errorId).filter((one) => one !== "in-incognito"),
    ).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("of an iPhone says what comes first, and says it nowhere else", async ({ expect }) => {
    const { link } = await newOrganization(stage.client, "iPhone");
    const words = "add Countersign to its Home Screen";
    const { page, context } = await newPerson(stage, { ...PHONE, colorScheme: "light" });
    await signIn(page, link);
    await page.goto(`${stage.client.origin}/channels`);
    expect(await page.getByText(words).isVisible()).toBe(false);
    await page.addInitScript("delete window.PushManager; navigator.standalone = false;");
    await page.goto(`${stage.client.origin}/channels`);
    await page.getByText(words).waitFor();
    expect(await page.getByRole("button", { name: "Tell me on this device" }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    expect(await shapeOf(page)).toEqual({ sideways: 0, small: [] });
    await shoot(page, "iphone", { ...PHONE, colorScheme: "light" });
    await context.close();
    const plain = await newPerson(stage, { ...PHONE, colorScheme: "dark" });
    await plain.page.goto(`${stage.client.origin}/sign-in`);
    await plain.page.getByLabel("Your link").waitFor();
    expect(await faultsOf(plain.page)).toEqual([]);
    expect(await shapeOf(plain.page)).toEqual({ sideways: 0, small: [] });
    await shoot(plain.page, "sign-in", { ...PHONE, colorScheme: "dark" });
    await plain.context.close();
  });
});
