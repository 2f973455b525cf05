import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, type ExpectStatic, it } from "vitest";
import {
  askAll,
  DESKTOP,
  faultsOf,
  focused,
  newOrganization,
  newPerson,
  PHONE,
  type Stage,
  setStage,
  shapeOf,
} from "./support.ts";

const OATH = "# mine\nstanding mission: keep my work moving\nnever delete: ~/notes/**";

const TEXT = "element.textContent.trim()";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
}, 60_000);

afterAll(async () => {
  await stage?.stop();
});

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Decisions", exact: true }).waitFor();
}

async function swear(page: Page, text: string): Promise<void> {
  await page.getByLabel("The oath, one line each").fill(text);
  await page.getByRole("button", { name: /^Swear version/ }).click();
  await page.getByText(/^Sworn\. Version/).waitFor();
}

async function makeAgentAndKey(page: Page, name: string): Promise<string> {
  await page.goto(`${stage.client.origin}/agents`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Make the key" }).click();
  return page.getByLabel("Key", { exact: true }).inputValue();
}

describe.concurrent("an owner with a script", () => {
  it("signs in once, swears, makes a key, and sees decisions come in", async ({ expect }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Live");
    const { page, context, complaints } = await newPerson(stage, DESKTOP);
    await signIn(page, link);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({
      name: "__Host-countersign",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
    });

    await page.goto(`${origin}/oath`);
    await page.getByLabel("The oath, one line each").fill("never delte: ~/notes/**");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Line 1, column 7:").waitFor();
    expect(await page.locator("mark").textContent()).toBe("delte");
    expect(await page.getByLabel("The oath, one line each").inputValue()).toBe("never delte: ~/notes/**");
    await swear(page, OATH);

    const key = await makeAgentAndKey(page, "assistant");
    expect(key).toMatch(/^cs_live_/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);

    await page.goto(`${origin}/`);
    await askAll(stage.client, key, "chat 1", ["ls -la", "rm -rf ~/notes"]);
    const rows = page.locator(".decision");
    await rows.nth(1).waitFor();
    expect(await page.getByRole("status").first().textContent()).toMatch(
      /^2 new decisions: 1 block, 1 allow$/,
    );

    // What is open stays open, and focus stays where it is, when more comes in.
    const blocked = page.locator('.decision[data-verdict="block"] summary');
    await blocked.focus();
    await page.keyboard.press("Enter");
    await page.getByText("The owner swore this must never happen").waitFor();
    await askAll(stage.client, key, "chat 2", ["cat plan.md"]);
    await rows.nth(2).waitFor();
    expect(await page.locator(".decision details[open]").count()).toBe(1);
    expect(await focused(page, "element.closest('.decision')?.dataset.verdict")).toBe("block");
    await page.getByRole("link", { name: "the oath, version 1, line 3" }).click();
    await page.waitForURL("**/oath?version=1#line-3");

    // Signed out elsewhere, the page stops by itself and says so.
    await page.goto(`${origin}/`);
    const other = await context.newPage();
    await other.goto(`${origin}/`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByText("How to get a link").waitFor();
    await page.getByText("You are signed out. This list no longer updates.").waitFor();
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This link was used or has expired.").waitFor();
    // A page that is left while it asks, and the status of the two that were refused.
    expect(complaints.filter((one) => !/ERR_ABORTED|status of 401/.test(one))).toEqual([]);
    await context.close();
  });

  it("can pause what moves, and a failing network is told and mended", async ({ expect }) => {
    const { link } = await newOrganization(stage.client, "Pause");
    const { page, context } = await newPerson(stage, DESKTOP);
    await signIn(page, link);
    let polls = 0;
    await page.route("**/decisions/latest*", (route) => {
      polls += 1;
      return polls === 2 ? route.abort() : route.continue();
    });
    await page.getByText(/Not reachable\. Trying again in 4 s/).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    const before = polls;
    await page.waitForTimeout(2_500);
    expect(polls - before).toBeLessThanOrEqual(1);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    await context.close();
  });
});

describe.concurrent("an owner without a script, on a phone", () => {
  it("does all of it by forms and links", async ({ expect }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Plain");
    const { page, context, complaints } = await newPerson(stage, { ...PHONE, javaScriptEnabled: false });
    await signIn(page, link);
    await page.goto(`${origin}/oath`);
    await swear(page, OATH);
    const key = await makeAgentAndKey(page, "assistant");
    await askAll(stage.client, key, "chat", ["rm -rf ~/notes"]);
    await page.goto(`${origin}/`);
    for (let i = 0; i < 10 && (await page.locator(".decision").count()) === 0; i += 1) {
      await page.waitForTimeout(1_000);
      await page.getByRole("link", { name: "Refresh" }).click();
    }
    await page.locator(".decision summary").click();
    await page.getByText("The owner swore this must never happen").waitFor();
    await page.getByLabel("Verdict").selectOption("allow");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Nothing matches").waitFor();

    await page.goto(`${origin}/agents`);
    await page.getByRole("link", { name: "assistant", exact: true }).click();
    await page.getByText("Revoke…").click();
    await page.getByRole("button", { name: "Revoke it" }).click();
    await page.getByText(/^Revoked/).waitFor();
    await page.goto(`${origin}/members`);
    await page.getByLabel("Name").fill("Omar");
    await page.getByLabel("Role").selectOption("approver");
    await page.getByRole("button", { name: "Add" }).click();
    expect(await page.getByLabel("Sign-in link").inputValue()).toContain(`${origin}/sign-in?link=cs_link_`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("How to get a link").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe.concurrent("every page", () => {
  it("is clean to axe in both themes, fits 360 px, has targets for fingers and breaks no policy", async ({
    expect,
  }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Acme Research");
    const first = await newPerson(stage, DESKTOP);
    await signIn(first.page, link);
    const empty = await first.page.content();
    expect(empty).toContain("Nothing was asked yet");
    expect(await faultsOf(first.page)).toEqual([]);
    await first.page.goto(`${origin}/oath`);
    await swear(first.page, OATH);
    await swear(first.page, `${OATH}\nalways require backup before modify: ~/.config/**`);
    const key = await makeAgentAndKey(first.page, "Research assistant with a rather long name");
    expect(await faultsOf(first.page), "the page of a new key").toEqual([]);
    await askAll(stage.client, key, `chat-${"x".repeat(60)}`, [
      "ls",
      "rm -rf ~/notes",
      "echo hi > ~/.config/app.toml",
      `python3 -c 'import shutil; shutil.rmtree("/home/me/notes")' # ${"a".repeat(300)}\u202e`,
    ]);
    await first.page.goto(`${origin}/`);
    await first.page.locator(".decision").nth(3).waitFor();
    const own = await first.page.locator('.decision a[href^="/decision?"]').first().getAttribute("href");
    await first.page.goto(`${origin}/agents`);
    const agent = await first.page.locator('td a[href^="/agents/"]').first().getAttribute("href");
    await first.page.goto(`${origin}/members`);
    const member = await first.page.locator('td a[href^="/members/"]').first().getAttribute("href");
    const state = await first.context.storageState();
    await first.context.close();

    const pages = [
      "/",
      "/?verdict=ask",
      own,
      "/oath",
      "/oath?version=1",
      "/agents",
      agent,
      "/members",
      member,
      "/docs",
    ];
    const shots = process.env["SCREENSHOTS"];
    if (shots !== undefined) mkdirSync(shots, { recursive: true });
    for (const look of [
      { ...DESKTOP, colorScheme: "light" as const, axe: true },
      { ...PHONE, colorScheme: "dark" as const, axe: true },
      // The same rules in the same colours: only the shape is new.
      { ...PHONE, colorScheme: "light" as const, axe: false },
    ]) {
      const { page, context, complaints } = await newPerson(stage, look, state);
      for (const path of pages) {
        const where = `${path} at ${look.width} px, ${look.colorScheme}`;
        await page.goto(origin + path);
        if (path === "/") await page.locator(".decision summary").nth(1).click();
        if (look.axe) expect(await faultsOf(page), where).toEqual([]);
        if (look.width === PHONE.width)
          expect(await shapeOf(page), where).toEqual({ sideways: 0, small: [] });
        if (shots !== undefined)
          await page.screenshot({
            path: join(
              shots,
              `${(path ?? "").replace(/[^a-z]+/gi, "-").slice(0, 24)}-${look.width}-${look.colorScheme}.png`,
            ),
            fullPage: path !== "/docs",
          });
      }
      await faultyForms(page, where(look), expect);
      expect(complaints.filter((one) => !/ERR_ABORTED|status of 422/.test(one))).toEqual([]);
      await context.close();
    }
    await strangersPages(expect);
  });

  it("leads a keyboard to what it is for", async ({ expect }) => {
    const { link } = await newOrganization(stage.client, "Keys");
    const { page, context } = await newPerson(stage, DESKTOP);
    await page.goto(link);
    await tabTo(page, "Sign in");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Decisions", exact: true }).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page, TEXT)).toBe("Skip to the content");
    expect(await focused(page, "element.getBoundingClientRect().top >= 0")).toBe(true);
    await page.keyboard.press("Enter");
    expect(await focused(page, "element.id")).toBe("main");
    await page.goto(`${stage.client.origin}/oath`);
    await page.getByLabel("The oath, one line each").focus();
    await page.keyboard.insertText("never delete: ~/notes/**");
    await tabTo(page, "Swear version 1");
    const outline = await focused(page, "getComputedStyle(element).outlineStyle");
    expect(outline, "focus is seen").toBe("solid");
    await page.keyboard.press("Enter");
    await page.getByText("Sworn. Version 1 is in force.").waitFor();
    await context.close();
  });
});

function where(look: { width: number; colorScheme: string }): string {
  return `at ${look.width} px, ${look.colorScheme}`;
}

/** Pages that only a refused form shows. */
async function faultyForms(page: Page, look: string, expect: ExpectStatic): Promise<void> {
  await page.goto(`${stage.client.origin}/oath`);
  await page.getByLabel("The oath, one line each").fill("never delte: ~/notes/**\nnever delete:");
  await page.getByRole("button", { name: /^Swear/ }).click();
  await page.getByText("Nothing was sworn").waitFor();
  expect(await faultsOf(page), `faults ${look}`).toEqual([]);
  expect((await shapeOf(page)).sideways).toBe(0);
}

/** Pages for whoever is not signed in. */
async function strangersPages(expect: ExpectStatic): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, context } = await newPerson(stage, { ...PHONE, colorScheme });
    for (const path of ["/sign-in", `/sign-in?link=cs_link_${"a".repeat(60)}`, "/docs", "/nothing/here"]) {
      await page.goto(stage.client.origin + path);
      expect(await faultsOf(page), path).toEqual([]);
      expect(await shapeOf(page), path).toEqual({ sideways: 0, small: [] });
    }
    await context.close();
  }
}

/** Presses Tab until what is named has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page, TEXT)) === name) return;
  }
  throw new Error(`no Tab leads to "${name}"`);
}
