/** Timestamps in a real browser: a file hashed there, its proof saved, a block's header brought; with a script and without. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { serializeProof } from "../../src/ledger/ots/index.ts";
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
const HEADER =
  "00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91b314c164026105177f872aed";
/** The root of a block of Bitcoin, taken for a digest. */
const ROOT = HEADER.slice(72, 136);
const CONTENT = Buffer.from("the exact bytes\r\n\u{feff}", "utf8");

let stage: Stage;
let folder: string;

beforeAll(async () => {
  stage = await setStage();
  folder = mkdtempSync(join(tmpdir(), "countersign-anchors-"));
  writeFileSync(join(folder, "body.txt"), CONTENT);
}, 60_000);

afterAll(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `anchors-${name}-${look.width}-${look.colorScheme ?? "light"}${look.javaScriptEnabled === false ? "-plain" : ""}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["on a phone", { ...PHONE, colorScheme: "light" }],
  ["on a phone in the dark", { ...PHONE, colorScheme: "dark" }],
  ["on a desktop", DESKTOP],
  ["without a script", { ...PHONE, javaScriptEnabled: false }],
];

describe("timestamps", () => {
  for (const [how, look] of LOOKS)
    it(`are made, looked at and confirmed: ${how}`, { timeout: 120_000 }, async ({ expect }) => {
      const { id, link } = await newOrganization(stage.client, "Timestamps");
      const { page, context, complaints } = await newPerson(stage, look);
      const withScript = look.javaScriptEnabled !== false;
      const bodies: string[] = [];
      page.on("request", (request) => bodies.push(request.postData() ?? ""));
      const seen = async (name: string): Promise<void> => {
        await shoot(page, name, look);
        if (!withScript) return;
        expect(await faultsOf(page), name).toEqual([]);
        expect(await shapeOf(page), name).toEqual({ sideways: 0, small: [] });
      };
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("link", { name: /^Timestamps/ }).click();
      await page.getByText("No calendar is set").waitFor();
      await seen("empty");

      const digest = createHash("sha256").update(CONTENT).digest("hex");
      if (withScript) {
        await page.getByLabel("File", { exact: true }).setInputFiles(join(folder, "body.txt"));
        await page.getByText(`Hashed here, all of its ${CONTENT.length} bytes.`).waitFor();
        expect(await page.getByLabel("SHA-256 of the exact bytes").inputValue()).toBe(digest);
      } else {
        expect(await page.getByLabel("File", { exact: true }).isVisible()).toBe(false);
        await page.getByLabel("SHA-256 of the exact bytes").fill(digest);
      }
      await page.getByLabel("What you call it").fill("post 1");
      await page.getByLabel(/^Published on/).fill("2026-01-31 14:00");
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Stamp it" }).click();
      await page.getByText("It is on the ledger").waitFor();
      await seen("made");
      expect(bodies.join("\n")).not.toMatch(/body\.txt|the exact bytes/);

      await page.getByRole("link", { name: "← Timestamps" }).click();
      await page.getByLabel("SHA-256 of the exact bytes").fill("0".repeat(64));
      await page.getByLabel("What you call it").fill("post 1");
      await page.getByRole("button", { name: "Stamp it" }).click();
      await page.getByText("Other bytes stand under this reference.").waitFor();
      await seen("refused");
      await page.getByLabel("SHA-256 of the exact bytes").fill(ROOT);
      await page
        .getByLabel("What you call it")
        .fill("a name that is long enough to need a second line, at least on a phone");
      await page.getByRole("button", { name: "Stamp it" }).click();
      await page.getByText("It is on the ledger").waitFor();

      const proof = serializeProof({
        hash: "sha256",
        timestamp: {
          message: new Uint8Array(Buffer.from(ROOT, "hex")),
          attestations: [
            { kind: "bitcoin", height: 800_352 },
            { kind: "pending", uri: "https://a.calendar.example/with/a/long/path/that/does/not/break" },
          ],
          branches: [],
        },
      });
      await stage.database
        .prepare(
          "UPDATE anchors SET proof = ?, state = 'attested', last_failure = 'timeout', created_at = 1690375347000 WHERE organization_id = ? AND digest = ?",
        )
        .bind(Buffer.from(proof).toString("base64"), id, ROOT)
        .run();
      await page.reload();
      await page.getByRole("heading", { name: "Bring the block's header" }).waitFor();
      await seen("attested");
      await page.getByLabel("Header, 160 hex digits").fill(HEADER.replace("b314c164", "b214c164"));
      await page.getByRole("button", { name: "Check it" }).click();
      await page.getByText("it was not mined").waitFor();
      await seen("header-refused");
      await page.getByLabel("Header, 160 hex digits").fill(HEADER);
      await page.getByRole("button", { name: "Check it" }).click();
      await page.getByText("The header is taken").waitFor();
      await page.getByText("in block 800352", { exact: true }).waitFor();
      await seen("confirmed");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Save the proof (.ots)" }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^a_name_that_is_long.*\.ots$/);

      await page.getByRole("link", { name: "← Timestamps" }).click();
      await page.getByLabel(/^Addresses/).fill("http://calendar.example");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Line 1: This address may not be asked").waitFor();
      await seen("calendar-refused");
      await page.getByLabel(/^Addresses/).fill("https://calendar.example");
      await page.getByLabel("Stamp every checkpoint of the record, too.").check();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("The clock sends what waits within minutes.").waitFor();
      expect(await page.getByText("No calendar is set").count()).toBe(0);
      await seen("list");
      expect(complaints.filter((one) => !/proof\.ots|status of 4(09|22)/.test(one))).toEqual([]);
      await context.close();
    });
});
