/** The dashboard's approvals in a real browser: with a script and without, on a desk and on a phone, by mouse and by keyboard. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  askAll,
  DESKTOP,
  faultsOf,
  focused,
  type Look,
  newOrganization,
  newPerson,
  PHONE,
  type Stage,
  setStage,
  shapeOf,
} from "./support.ts";

const SCREENSHOTS = process.env["SCREENSHOTS"];
const TEXT = "element.textContent.trim()";
/** What nobody's words ask for; one of them is made to deceive, and one is long. */
const COMMANDS = [
  "git push origin main",
  "git push origin main # \u202Efdp.yap",
  `rm -rf ${Array.from({ length: 40 }, (_, i) => `~/notes/project-${i}/a-rather-long-name-of-a-folder`).join(" ")}`,
];

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

async function makeKey(page: Page): Promise<string> {
  await page.goto(`${stage.client.origin}/agents`);
  await page.getByLabel("Name").fill("assistant");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Make the key" }).click();
  return page.getByLabel("Key", { exact: true }).inputValue();
}

/** A sign-in link of a new member. */
async function addMember(page: Page, name: string, role: string): Promise<string> {
  await page.goto(`${stage.client.origin}/members`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Add" }).click();
  return page.getByLabel("Sign-in link").inputValue();
}

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `approvals-${name}-${look.width}-${look.colorScheme ?? "light"}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

/** Presses Tab until what is named has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page, TEXT)) === name) return;
  }
  throw new Error(`no Tab leads to "${name}"`);
}

const LOOKS: readonly Look[] = [
  { ...PHONE, colorScheme: "light" },
  { ...PHONE, colorScheme: "dark" },
  { ...DESKTOP, colorScheme: "light" },
  { ...DESKTOP, colorScheme: "dark" },
];

describe("the approvals' pages", () => {
  it("are whole in every look, for who answers and for who looks", { timeout: 300_000 }, async ({
    expect,
  }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Approvals");
    const first = await newPerson(stage, DESKTOP);
    await signIn(first.page, link);
    const key = await makeKey(first.page);
    const viewer = await addMember(first.page, "Vera", "viewer");
    await askAll(stage.client, key, "chat", COMMANDS);
    await askAll(stage.client, key, "chat 2", ["git push origin a", "git push origin b"]);
    await first.page.goto(`${origin}/approvals`);
    const pages = await first.page.evaluate<string[]>(
      `[...document.querySelectorAll("td a[href^='/approvals/apr_']")].map((one) => one.getAttribute("href"))`,
    );
    expect(pages).toHaveLength(5);
    const [toApprove = "", toDeny = "", long = "", deceiving = ""] = pages;
    await first.page.goto(origin + toApprove);
    await first.page.getByRole("button", { name: "Approve once" }).click();
    await first.page.getByText("You approved it.").waitFor();
    await first.page.goto(origin + toDeny);
    await first.page.getByLabel("Nobody asked for this").check();
    await first.page.getByLabel("In your own words").fill("Not on a Friday.");
    await first.page.getByRole("button", { name: "Deny", exact: true }).click();
    await first.page.getByText("You denied it.").waitFor();
    const state = await first.context.storageState();
    await first.context.close();

    const seen = await newPerson(stage, PHONE);
    await signIn(seen.page, viewer);
    const viewers = await seen.context.storageState();
    await seen.context.close();

    for (const look of LOOKS) {
      const { page, context, complaints } = await newPerson(stage, look, state);
      const check = async (name: string): Promise<void> => {
        const where = `${name} at ${look.width} px, ${look.colorScheme}`;
        await shoot(page, name, look);
        expect(await faultsOf(page), where).toEqual([]);
        const { sideways, small } = await shapeOf(page);
        expect([sideways, ...(look.width === PHONE.width ? small : [])], where).toEqual([0]);
      };
      for (const [name, path] of [
        ["list", "/approvals"],
        ["approved", toApprove],
        ["denied", toDeny],
        ["deceiving", deceiving],
        ["long", long],
        ["report", "/approvals/report"],
        ["none", "/approvals?status=expired"],
        ["settings", "/settings"],
        ["decisions", "/"],
      ] as const) {
        await page.goto(origin + path);
        await check(name);
      }
      await page.goto(`${origin}/approvals`);
      await page.getByRole("button", { name: "Deny what is ticked" }).click();
      await page.getByText("Nothing was denied").waitFor();
      await check("nothing-ticked");
      await page.goto(origin + long);
      await page.getByText("Change it, then approve").click();
      await page.getByLabel("The arguments, as JSON").fill('{"command": }');
      await page.getByRole("button", { name: "Approve what I changed" }).click();
      await page.getByText("This is not JSON as it is read here.").waitFor();
      await check("change-faulty");
      await page.getByRole("button", { name: "Make a link for my phone" }).click();
      await page.getByRole("heading", { name: "Here is your link" }).waitFor();
      await check("own-link");
      expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([]);
      await context.close();

      const other = await newPerson(stage, look, viewers);
      await other.page.goto(origin + deceiving);
      await other.page.getByText("answering it takes an approver").waitFor();
      await shoot(other.page, "viewer", look);
      expect(await faultsOf(other.page)).toEqual([]);
      expect(await other.page.getByRole("button", { name: /Approve|Deny/ }).count()).toBe(0);
      await other.context.close();
    }
  });

  it("work without a script and by keyboard: deny a list, then approve one", { timeout: 120_000 }, async ({
    expect,
  }) => {
    const { origin } = stage.client;
    const { link } = await newOrganization(stage.client, "Keys");
    const owner = await newPerson(stage, DESKTOP);
    await signIn(owner.page, link);
    const key = await makeKey(owner.page);
    await askAll(stage.client, key, "chat", ["git push origin a", "git push origin b", "git push origin c"]);
    const state = await owner.context.storageState();
    await owner.context.close();
    const { page, context } = await newPerson(stage, { ...PHONE, javaScriptEnabled: false }, state);
    await page.goto(`${origin}/approvals`);
    const boxes = page.getByRole("checkbox");
    expect(await boxes.count()).toBe(3);
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByLabel("Why, if you want to say").selectOption("not-now");
    await page.getByRole("button", { name: "Deny what is ticked" }).click();
    await page.getByText("2 were denied").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(1);
    await page.locator("td a[href^='/approvals/apr_']").first().click();
    expect(await page.getByText("git push origin a").first().textContent()).toContain("git push origin a");
    await context.close();

    const again = await newPerson(stage, DESKTOP, state);
    await again.page.goto(`${origin}/approvals?status=pending`);
    await again.page.locator("td a[href^='/approvals/apr_']").first().click();
    await again.page.getByRole("heading", { name: "Your answer" }).waitFor();
    await tabTo(again.page, "Approve once");
    expect(await focused(again.page, "getComputedStyle(element).outlineStyle")).toBe("solid");
    await again.page.keyboard.press("Enter");
    await again.page.getByText("You approved it.").waitFor();
    // A reload asks for nothing again, and the agent goes on.
    await again.page.reload();
    await again.page.getByText("You approved it.").waitFor();
    await askAll(stage.client, key, "chat", ["git push origin a"]);
    await again.page.reload();
    await again.page.getByText("The agent was let run it.").waitFor();
    await again.context.close();
  });
});
