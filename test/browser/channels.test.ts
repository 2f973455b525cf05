/** Channels in a real browser: set up without a script, and a browser that sets itself up with one. */
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
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
