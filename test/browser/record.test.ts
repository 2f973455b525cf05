/** The record in a real browser: sealed, compared, found wrong, seen, and the key changed, with a script and without. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
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

beforeAll(async () => {
  stage = await setStage();
}, 60_000);

afterAll(async () => {
  await stage?.stop();
});

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `record-${name}-${look.width}-${look.colorScheme ?? "light"}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["on a phone", { ...PHONE, colorScheme: "light" }],
  ["on a phone in the dark", { ...PHONE, colorScheme: "dark" }],
  ["on a desktop", DESKTOP],
  ["without a script", { ...PHONE, javaScriptEnabled: false }],
];

describe("the record", () => {
  for (const [how, look] of LOOKS)
    it(`is sealed, compared, found wrong and seen: ${how}`, { timeout: 120_000 }, async ({ expect }) => {
      const { id, link } = await newOrganization(stage.client, "The record");
      const { page, context, complaints } = await newPerson(stage, look);
      const seen = async (name: string): Promise<void> => {
        if (look.javaScriptEnabled === false) return;
        await shoot(page, name, look);
        expect(await faultsOf(page), name).toEqual([]);
        expect(await shapeOf(page), name).toEqual({ sideways: 0, small: [] });
      };
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("link", { name: /^The record/ }).click();
      await page.getByRole("heading", { name: "The record", exact: true }).waitFor();
      await seen("empty");
      await page.getByRole("button", { name: "Make one now" }).click();
      await page.getByText("A checkpoint was made").waitFor();
      await seen("sealed");
      await page.getByRole("button", { name: /^Compare/ }).click();
      await page.getByText("Nothing has drifted").waitFor();

      const changed = await stage.database
        .prepare(
          "UPDATE records SET body = '{}' WHERE organization_id = ? AND chain = 'organization' AND seq IN (1, 2)",
        )
        .bind(id)
        .run();
      expect(changed.meta.changes).toBe(2);
      await page.getByRole("button", { name: /^Compare/ }).click();
      await page.getByText("Something is wrong").waitFor();
      await seen("drifted");
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await page.getByText("The record does not hold.").waitFor();
      await seen("alarm");
      await page.getByRole("link", { name: /^See the/ }).click();
      await page.getByRole("button", { name: "I have seen these" }).click();
      await page.getByText("Noted", { exact: true }).waitFor();
      expect(await page.getByText("The record does not hold.").count()).toBe(0);

      await stage.database.prepare("DELETE FROM checkpoints WHERE organization_id = ?").bind(id).run();
      await page.getByText("Put back what was lost…").click();
      await seen("putting-back");
      await page.getByRole("button", { name: "Put it back" }).click();
      await page.getByText("Put back", { exact: true }).waitFor();
      await seen("put-back");

      await page.getByText("Make a new key…").click();
      await page.getByLabel(/^The old one may have leaked/).check();
      await seen("rotating");
      await page.getByRole("button", { name: "Make a new key" }).click();
      await page.getByText("A new key signs from now on").waitFor();
      await seen("rotated");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Save checkpoint 1" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("checkpoint-1.txt");
      // A file that is saved is no page that failed.
      expect(complaints.filter((one) => !one.includes("/record/checkpoint"))).toEqual([]);
      await context.close();
    });
});
