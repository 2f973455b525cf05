/** Passkeys in a real browser, with the authenticator that its developer tools bring (CDP, domain WebAuthn). */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { challengeFor, type RequestOptions } from "../../src/http/passkeys.ts";
import {
  checkAssertion,
  checkRegistration,
  readAssertion,
  readRegistration,
} from "../../src/http/webauthn.ts";
import { PasskeyField } from "../../src/routes/dashboard/passkey-field.tsx";
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

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
}, 60_000);

afterAll(async () => {
  await stage?.stop();
});

/** A person's page, signed in as an owner. */
async function newOwner(name: string, look: Look = DESKTOP) {
  const { link } = await newOrganization(stage.client, name);
  const person = await newPerson(stage, look);
  await signIn(person.page, link);
  return { ...person, link };
}

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Decisions", exact: true }).waitFor();
}

interface Device {
  /** Whether it finds that its holder is its owner. */
  verifies(yes: boolean): Promise<void>;
  /** Whether somebody touches it when it is asked: without, it waits. */
  touched(yes: boolean): Promise<void>;
}

async function newDevice(page: Page, transport: "internal" | "usb" = "internal"): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async verifies(yes) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: yes });
    },
    async touched(enabled) {
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}

async function add(page: Page, name: string): Promise<void> {
  await page.goto(`${stage.client.origin}/passkeys`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add", exact: true }).click();
}

async function added(page: Page, name: string): Promise<void> {
  await add(page, name);
  await page.getByText("You can approve with it from now on.").waitFor();
}

/** False for what a page was still loading when it was left. */
const isNotLeft = (complaint: string) => !complaint.includes("ERR_ABORTED");

const RECORD = { id: "apr_of_the_suite", action_digest: "d".repeat(64) };
const MEMBER = "mem_of_the_suite";

/** The key that the page has sent to be kept, checked as the server checks it. */
async function keyIn(body: URLSearchParams): Promise<{ id: string; publicKey: string }> {
  const { origin } = stage.client;
  const [, claims = ""] = (body.get("challenge") ?? "").split(".");
  const { challenge } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const response = readRegistration(body.get("response"));
  const made =
    response === null ? null : await checkRegistration(response, { challenge, origin, rpId: "localhost" });
  if (made === null) throw new Error("no passkey was sent");
  return { id: made.credential_id, publicKey: made.public_key };
}

/** A form that approves or denies, served in place of the real pages', and what is posted from it. */
async function newForm(page: Page, credential: string): Promise<{ sent: URLSearchParams[] }> {
  const { origin } = stage.client;
  const options: RequestOptions = {
    challenge: challengeFor(RECORD, MEMBER),
    rpId: "localhost",
    timeout: 20_000,
    userVerification: "required",
    allowCredentials: [{ id: credential, type: "public-key", transports: ["internal"] }],
  };
  const sent: URLSearchParams[] = [];
  await page.route(`${origin}/a-form`, (route) => {
    const body = route.request().postData();
    if (body !== null) {
      sent.push(new URLSearchParams(body));
      return route.fulfill({
        status: 200,
        contentType: "text/html",
        body: "<title>Sent</title><h1>Sent</h1>",
      });
    }
    return route.fulfill({
      status: 200,
      contentType: "text/html",
      headers: { "content-security-policy": "default-src 'none'; script-src 'self'; form-action 'self'" },
      body: `<!doctype html><html lang="en"><title>A form</title><form method="post" action="/a-form">
        <input type="hidden" name="action_digest" value="${RECORD.action_digest}">
        ${PasskeyField({ options })}
        <button name="decision" value="approve">Approve once</button>
        <button name="decision" value="deny">Deny</button></form></html>`,
    });
  });
  await page.goto(`${origin}/a-form`);
  return { sent };
}

/** The count that was signed for this approval. */
async function signedFor(sent: URLSearchParams | undefined, publicKey: string): Promise<unknown> {
  const assertion = readAssertion(sent?.get("passkey"));
  if (assertion === null) throw new Error("no signature was sent");
  return checkAssertion(assertion, publicKey, {
    challenge: challengeFor(RECORD, MEMBER),
    origin: stage.client.origin,
    rpId: "localhost",
  });
}

/** The form in which the page sends a new passkey. */
function bodyOf(page: Page): Promise<URLSearchParams> {
  return page
    .waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/passkeys"))
    .then((request) => new URLSearchParams(request.postData() ?? ""));
}

/** A browser of some years ago: it knows passkeys, and no JSON of them. */
const OLD = `
  delete PublicKeyCredential.parseCreationOptionsFromJSON;
  delete PublicKeyCredential.parseRequestOptionsFromJSON;
  delete PublicKeyCredential.prototype.toJSON;
`;

describe.concurrent("a passkey", () => {
  for (const [name, script] of [
    ["a browser of today", ""],
    ["an older browser", OLD],
  ] as const)
    it(`is added, and signs what is approved and nothing else, in ${name}`, async ({ expect }) => {
      const { page, context, complaints } = await newOwner("Passkeys");
      await page.addInitScript(script);
      const device = await newDevice(page);
      const [body] = await Promise.all([bodyOf(page), added(page, "Laptop")]);
      await page.getByRole("cell", { name: "Laptop", exact: true }).waitFor();
      const { id, publicKey } = await keyIn(body);

      const { sent } = await newForm(page, id);
      await page.getByRole("button", { name: "Deny" }).click();
      await page.getByRole("heading", { name: "Sent" }).waitFor();
      expect([sent[0]?.get("decision"), sent[0]?.get("passkey")]).toEqual(["deny", ""]);

      await page.goto(`${stage.client.origin}/a-form`);
      await device.verifies(false);
      await page.getByRole("button", { name: "Approve once" }).click();
      await page.getByText("Nothing was signed: it was cancelled, or took too long.").waitFor();
      expect(sent).toHaveLength(1);
      await device.verifies(true);
      await page.getByRole("button", { name: "Approve once" }).click();
      await page.getByRole("heading", { name: "Sent" }).waitFor();
      expect(sent[1]?.get("decision")).toBe("approve");
      expect(sent[1]?.get("action_digest")).toBe(RECORD.action_digest);
      expect(await signedFor(sent[1], publicKey)).toMatchObject({ ok: true });
      await page.goBack();
      expect(await page.locator('[name="passkey"]').inputValue()).toBe("");
      expect(complaints.filter(isNotLeft)).toEqual([]);
      await context.close();
    });

  it("is one for each device, and what goes wrong is said beside the form", async ({ expect }) => {
    const { page, context } = await newOwner("Devices");
    const device = await newDevice(page);
    await added(page, "Laptop");
    await add(page, "Laptop again");
    await page.getByText("This device holds a passkey of yours already.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Laptop again");
    await device.verifies(false);
    const remove = page.getByRole("button", { name: "Remove it" });
    await page.getByText("Remove…").click();
    await remove.click();
    await page.getByText("Nothing was signed: it was cancelled, or took too long.").waitFor();
    await device.verifies(true);
    await remove.click();
    await page.getByText("It signs nothing here any more.").waitFor();
    await device.verifies(false);
    await add(page, "Nobody's");
    await page.getByText("Nothing was signed: it was cancelled, or took too long.").waitFor();
    await page.route("**/v1/passkeys/options", (route) => route.abort());
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Countersign cannot be reached.").waitFor();
    await page.unroute("**/v1/passkeys/options");
    await context.clearCookies();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("You are signed out.").waitFor();
    await context.close();
  });

  it("needs a browser that knows them, which is said", async ({ expect }) => {
    const { page, context } = await newOwner("Unable");
    await page.addInitScript("delete window.PublicKeyCredential;");
    await add(page, "Laptop");
    await page.getByText("This browser has no passkeys here.").waitFor();
    const { sent } = await newForm(page, "AA");
    await page.getByRole("button", { name: "Approve once" }).click();
    await page.getByText("This browser has no passkeys here.").waitFor();
    expect(sent).toEqual([]);
    await context.close();
  });

  it("is added beside another once that one has signed, and not made twice for it", async ({ expect }) => {
    const { page, context, complaints } = await newOwner("Two devices");
    const laptop = await newDevice(page);
    await added(page, "Laptop");
    const key = await newDevice(page, "usb");
    // The new one is the only one that is touched while it is made, and the old one while it confirms.
    await laptop.touched(false);
    await laptop.verifies(false);
    await page.route("**/v1/passkeys/confirmations", async (route) => {
      await key.touched(false);
      await laptop.touched(true);
      await route.continue();
    });
    await add(page, "Key");
    await page.getByText("It is made, and not added yet").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Key");
    await laptop.verifies(true);
    const made: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/passkeys/options")) made.push(request.url());
    });
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("You can approve with it from now on.").waitFor();
    expect(made).toEqual([]);
    await page.getByRole("cell", { name: "Key", exact: true }).waitFor();
    expect(complaints.filter(isNotLeft)).toEqual([]);
    await context.close();
  });

  it("is neither added nor removed without a script, which the page says", async ({ expect }) => {
    const { page, context, link: _ } = await newOwner("Plain passkeys");
    await newDevice(page);
    await added(page, "Laptop");
    const plain = await newPerson(
      stage,
      { ...PHONE, javaScriptEnabled: false },
      await context.storageState(),
    );
    await plain.page.goto(`${stage.client.origin}/settings`);
    await plain.page.getByRole("link", { name: "Your passkeys" }).click();
    // Looking for a text passes over what stands in a <noscript>.
    await plain.page.locator("noscript p").last().waitFor();
    expect(await plain.page.locator("noscript p").last().textContent()).toContain(
      "Passkeys need JavaScript.",
    );
    expect(await plain.page.getByRole("button", { name: "Add", exact: true }).count()).toBe(0);
    await plain.page.getByText("Remove…").click();
    expect(await plain.page.locator("noscript p").first().textContent()).toContain("turn it on");
    expect(await plain.page.getByRole("button", { name: "Remove it" }).count()).toBe(0);
    await shoot(plain.page, "no-script-360");
    await plain.page.getByLabel("Name").fill("By return");
    await plain.page.keyboard.press("Enter");
    await plain.page.getByText("Your browser makes one with JavaScript on.").waitFor();
    await plain.context.close();
    await context.close();
  });

  it("of somebody else is removed by an owner, who signs where they hold one", async ({ expect }) => {
    const { page, context, complaints } = await newOwner("Owners");
    const device = await newDevice(page);
    const { sign_in } = await api<{ sign_in: { url: string } }>(page, "POST", "/v1/members", {
      name: "Grace",
      role: "approver",
    });
    const { page: theirs, context: own } = await newPerson(stage, PHONE);
    await signIn(theirs, sign_in.url);
    await newDevice(theirs);
    await added(theirs, "Graces phone");
    await added(page, "Owners laptop");
    await page.goto(`${stage.client.origin}/members`);
    await page.getByRole("link", { name: "Change Grace" }).click();
    await page.getByRole("link", { name: "See their passkeys" }).click();
    await page.getByText("Remove…").click();
    await device.verifies(false);
    const remove = page.getByRole("button", { name: "Remove it" });
    await remove.click();
    await page.getByText("Nothing was signed").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(PHONE);
      expect(await faultsOf(page), colorScheme).toEqual([]);
      expect(await shapeOf(page), colorScheme).toEqual({ sideways: 0, small: [] });
      await shoot(page, `of-member-360-${colorScheme}`);
    }
    await device.verifies(true);
    await remove.click();
    await page.getByText("They have none").waitFor();
    expect(complaints.filter(isNotLeft)).toEqual([]);
    await own.close();
    await context.close();
  });
});

/** Where pictures of the pages go, for people to look at. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `passkeys-${name}.png`), fullPage: true });
}

/** Asks the API as the page's own script could. */
async function api<T>(page: Page, method: string, path: string, json?: unknown): Promise<T> {
  const init = {
    method,
    ...(json === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(json) }),
  };
  return page.evaluate<T>(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(async (answer) => {
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  })`);
}

const STRICT = {
  engines: { fence: "enforce" },
  approvals: { demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], passkey: true }] },
};

describe.concurrent("an approval that takes a passkey", () => {
  it("is given with it, on the dashboard and behind a link", { timeout: 120_000 }, async ({ expect }) => {
    const { origin } = stage.client;
    const { page, context, complaints } = await newOwner("Signed");
    const device = await newDevice(page);
    await api(page, "PUT", "/v1/organization/settings", STRICT);
    const { agent } = await api<{ agent: string }>(page, "POST", "/v1/agents", { name: "assistant" });
    const { key } = await api<{ key: string }>(page, "POST", `/v1/agents/${agent}/keys`, { name: "laptop" });
    const header = { authorization: `Bearer ${key}` };
    await stage.client.json("PUT", "/v1/sessions/chat", { home: "/home/me", cwd: "/home/me/work" }, header);
    const ask = async (command: string): Promise<string> => {
      const call = { call_id: command, tool: "terminal", args: { command } };
      const asked = await stage.client.json("POST", "/v1/sessions/chat/decisions", call, header);
      return (asked as { approval: { id: string } }).approval.id;
    };
    const statusOf = async (id: string) => {
      const read = await stage.client.json("GET", `/v1/approvals/${id}`, undefined, header);
      return (read as { approval: { status: string } }).approval.status;
    };
    const approve = () => page.getByRole("button", { name: /^Approve once/ }).click();

    const first = await ask("git push origin main");
    await page.goto(`${origin}/approvals/${first}`);
    const looks = async (name: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(PHONE);
        expect(await faultsOf(page), `${name}, ${colorScheme}`).toEqual([]);
        expect(await shapeOf(page), `${name}, ${colorScheme}`).toEqual({ sideways: 0, small: [] });
        await shoot(page, `${name}-360-${colorScheme}`);
      }
      await page.setViewportSize(DESKTOP);
    };
    await page.getByText("you have none").waitFor();
    await looks("approval-none");
    await page.getByRole("link", { name: "Add one" }).click();
    await added(page, "Laptop");
    await page.goto(`${origin}/approvals/${first}`);
    await device.verifies(false);
    await approve();
    await page.getByText("Nothing was signed").waitFor();
    expect(await statusOf(first)).toBe("pending");
    await looks("approval-cancelled");
    await device.verifies(true);
    await Promise.all([page.waitForURL(/#result$/), approve()]);
    expect(await statusOf(first)).toBe("approved");

    const second = await ask("git push origin dev");
    const { url } = await api<{ url: string }>(page, "POST", `/v1/approvals/${second}/links`);
    // Without a script no passkey can sign: then there is nothing to press.
    const plain = await stage.browser.newContext({
      javaScriptEnabled: false,
      storageState: await context.storageState(),
      viewport: PHONE,
    });
    for (const address of [`${origin}/approvals/${second}`, url]) {
      const off = await plain.newPage();
      await off.goto(address);
      // A search for text passes over `noscript`, drawn or not.
      expect(await off.content()).toMatch(/<noscript>[\s\S]*Passkeys need JavaScript/);
      expect(await off.getByRole("button", { name: /^Approve once/ }).count(), address).toBe(0);
      expect(await off.getByRole("button", { name: /^Deny/ }).count(), address).toBeGreaterThan(0);
      await shoot(off, `off-${address === url ? "link" : "page"}-360`);
    }
    await plain.close();
    await page.setViewportSize(PHONE);
    await page.goto(url);
    await looks("link");
    await approve();
    await page.getByRole("button", { name: /^Approve once/ }).waitFor({ state: "detached" });
    expect(await statusOf(second)).toBe("approved");
    await page.goto(`${origin}/passkeys`);
    expect(await page.getByText("never", { exact: true }).count()).toBe(0);
    expect(complaints.filter(isNotLeft)).toEqual([]);
    await context.close();
  });
});

const LOOKS: readonly Look[] = [
  { ...DESKTOP, colorScheme: "light" },
  { ...DESKTOP, colorScheme: "dark" },
  { ...PHONE, colorScheme: "light" },
  { ...PHONE, colorScheme: "dark" },
];

describe("the page of passkeys", () => {
  it("is clean to axe in both themes, fits 360 px and has targets for fingers", async ({ expect }) => {
    for (const look of LOOKS) {
      // Of their own: a second device is added with a first one at hand.
      const { page, context, complaints } = await newOwner("Looks", look);
      await newDevice(page);
      const check = async (name: string) => {
        const where = `${name} at ${look.width} px, ${look.colorScheme}`;
        expect(await faultsOf(page), where).toEqual([]);
        const { sideways, small } = await shapeOf(page);
        expect([sideways, ...(look.width === PHONE.width ? small : [])], where).toEqual([0]);
        await shoot(page, `${name}-${look.width}-${look.colorScheme}`);
      };
      await page.goto(`${stage.client.origin}/passkeys`);
      await check("list");
      await added(page, `The laptop that a long name of ${"x".repeat(40)} is for`);
      await check("added");
      await page.getByText("Remove…").last().click();
      await check("removing");
      await add(page, "Again");
      await page.getByText("This device holds a passkey of yours already.").waitFor();
      await check("refused");
      expect(complaints.filter(isNotLeft)).toEqual([]);
      await context.close();
    }
  });
});
