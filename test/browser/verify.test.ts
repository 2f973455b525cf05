/** /verify and /docs/ledger in a real browser: what is checked there, that nothing leaves, and how it looks. */
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { PROJECT } from "../house/rooms.ts";
import { chainOf } from "../support/chain.ts";
import {
  DESKTOP,
  faultsOf,
  focused,
  type Look,
  newPerson,
  PHONE,
  type Stage,
  setStage,
  shapeOf,
} from "./support.ts";

const MEGABYTE = 1_048_576;
const SCREENSHOTS = process.env["SCREENSHOTS"];

interface Row {
  readonly name: string;
  readonly file: string;
  readonly keys: string[];
  readonly heads: object[];
  readonly expect: { readonly result: string };
}
const rows = (name: string): Row[] =>
  JSON.parse(readFileSync(join(PROJECT, "docs/vectors", `${name}.json`), "utf8"));
const rowOf = (name: string, result: string): Row => {
  const row = rows(name).find((one) => one.expect.result === result && one.heads.length === 0);
  if (row === undefined) throw new Error(`no ${name} ${result}`);
  return row;
};
const fileOf = (name: string, text: string | Buffer) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(text),
});

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
  const file = `verify-${name}-${look.width}-${look.colorScheme ?? "light"}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

async function fits(page: Page) {
  return { faults: await faultsOf(page), ...(await shapeOf(page)) };
}
const FITS = { faults: [], sideways: 0, small: [] };

describe("/verify in a browser", () => {
  for (const look of [
    { ...PHONE, colorScheme: "light" },
    { ...PHONE, colorScheme: "dark" },
    { ...DESKTOP, colorScheme: "dark" },
  ] as const)
    it(`checks files and sends nothing, ${look.width} px, ${look.colorScheme}`, async ({ expect }) => {
      const { page, context, complaints } = await newPerson(stage, look);
      await page.goto(`${stage.client.origin}/verify`);
      await page.getByRole("heading", { name: "Drop files here" }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await fits(page)).toEqual(FITS);
      await shoot(page, "empty", look);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));

      const good = rowOf("receipts", "holds");
      await page.getByText("Keys and block headers").click();
      await page.getByLabel("Keys that you trust").fill(good.keys.join("\n"));
      await page
        .getByLabel("Files", { exact: true })
        .setInputFiles([
          fileOf("receipt.json", good.file),
          fileOf("broken\u202e\u001b[2J.ndjson", rowOf("exports", "broken").file),
          fileOf("body.txt", "other bytes"),
          fileOf("body.txt.ots", readFileSync(join(PROJECT, "package.json"))),
        ]);
      await page.getByText("3 files were checked: something is broken.").waitFor();
      expect(await page.getByText("holds — every check passed.").count()).toBe(1);
      expect(await page.getByText("broken — it is not what it claims to be").count()).toBe(1);
      expect(await page.getByText("This is no OpenTimestamps proof. (byte 0)").count()).toBe(1);
      expect(await page.getByRole("heading", { name: "broken⟨U+202E⟩⟨U+001B⟩[2J.ndjson" }).count()).toBe(1);
      expect(await fits(page)).toEqual(FITS);
      await shoot(page, "checked", look);

      await page.getByLabel("Keys that you trust").fill("");
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText("The keys were not compared with published ones").waitFor();
      await page.getByLabel("Bitcoin block headers").fill("7:00");
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText("a header is 80 bytes, 160 hex digits; this one has 2 digits").waitFor();
      expect(requests, "nothing leaves when a file is checked").toEqual([]);
      expect(complaints).toEqual([]);

      // What a script that got in could try.
      const tried = await page.evaluate<string>(`fetch("/docs").then(() => "sent", () => "refused")`);
      expect(tried).toBe("refused");
      expect(complaints.join("\n")).toContain("connect-src 'none'");
      // Its own files it may have by their whole paths alone; what starts a worker, or another file, goes nowhere.
      const answered: string[] = [];
      page.on("response", (response) => answered.push(response.url()));
      await page.evaluate(`(async () => {
        new Image().src = "/leak-image?content";
        for (const [tag, name, address] of [["script", "src", "/leak-script?content"], ["link", "href", "/leak-style?content"]]) {
          const element = document.createElement(tag);
          if (tag === "link") element.rel = "stylesheet";
          element[name] = address;
          document.head.append(element);
        }
        try { new Worker("/leak-worker?content"); } catch {}
        navigator.sendBeacon("/leak-beacon", "content");
        await new Promise((done) => setTimeout(done, 500));
      })()`);
      expect(answered).toEqual([]);
      for (const name of ["image", "script", "style", "worker", "beacon"])
        expect(complaints.join("\n"), name).toContain(`/leak-${name}`);
      await context.close();
    });

  it("reads a large export piece by piece, and refuses what has no end", { timeout: 300_000 }, async ({
    expect,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-large-"));
    const megabytes = Number(process.env["LARGE_MEGABYTES"] ?? 256);
    const path = (name: string) => join(folder, name);
    const fill = (name: string, pieces: Iterable<string | Uint8Array>) => {
      const file = openSync(path(name), "w");
      for (const piece of pieces) writeSync(file, typeof piece === "string" ? Buffer.from(piece) : piece);
      closeSync(file);
    };
    const filler = Buffer.alloc(MEGABYTE, 0x61);
    fill("large.ndjson", chainOf("org_large", megabytes, MEGABYTE));
    fill("one-line.ndjson", ['{"hash":"', ...Array(megabytes).fill(filler)]);
    fill("no-end.json", ['{"countersign_receipt":1,"x":"', ...Array(Math.max(megabytes, 300)).fill(filler)]);
    fill("deep.json", ['{"countersign_receipt":1,"x":', ...Array(20).fill(Buffer.alloc(MEGABYTE, 0x5b))]);
    fill("packed.ndjson", [gzipSync("{}")]);
    const { page, context, complaints } = await newPerson(stage, DESKTOP);
    await page.goto(`${stage.client.origin}/verify`);
    await page.getByRole("heading", { name: "Drop files here" }).waitFor();
    const checked = async (name: string, said: string) => {
      await page.getByLabel("Files", { exact: true }).setInputFiles(path(name));
      await page.getByText("1 file was checked").waitFor({ timeout: 240_000 });
      expect(await page.locator("#shown").textContent(), name).toContain(said);
    };
    await checked("large.ndjson", `${megabytes} entries of organization of org_large follow one another`);
    const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
    // Garbage that nobody has collected yet counts, too.
    expect(heap / MEGABYTE).toBeLessThan(200);
    await checked("one-line.ndjson", "[malformed-line] (where: line 1, seq 1, byte 0)");
    await checked("no-end.json", "[malformed-file] (where: byte 268435456)");
    await checked("deep.json", "[malformed-file] (where: byte 44)");
    await checked("packed.ndjson", "This is compressed (gzip): unpack it first.");
    expect(complaints).toEqual([]);
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("takes a file that is dropped", async ({ expect }) => {
    const { page, context, complaints } = await newPerson(stage, PHONE);
    await page.goto(`${stage.client.origin}/verify`);
    await page.getByRole("heading", { name: "Drop files here" }).waitFor();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(rowOf("exports", "holds").file)}], "chain.ndjson"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page
      .getByText("1 file was checked: every check passed, but it is an export that nothing seals yet:")
      .waitFor();
    await page.getByText("holds — every check passed, and nothing seals this chain yet").waitFor();
    expect(await fits(page)).toEqual(FITS);
    await shoot(page, "unsealed", PHONE);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("is worked by the keyboard, and says the command where no script runs", async ({ expect }) => {
    const { page, context } = await newPerson(stage, DESKTOP);
    await page.goto(`${stage.client.origin}/verify`);
    await page.getByRole("heading", { name: "Drop files here" }).waitFor();
    const met: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      await page.keyboard.press("Tab");
      met.push(await focused<string>(page, "element.id || element.textContent.trim()"));
    }
    for (const name of ["files", "Keys and block headers to check with", "again"])
      expect(met).toContain(name);
    await context.close();
    const bare = await newPerson(stage, { ...PHONE, javaScriptEnabled: false });
    await bare.page.goto(`${stage.client.origin}/verify`);
    expect(await bare.page.getByText("This page needs a script to read a file.").isVisible()).toBe(true);
    expect(await bare.page.getByLabel("Files", { exact: true }).isVisible()).toBe(false);
    expect(await bare.page.getByText("npm run -s verify -- FILE").isVisible()).toBe(true);
    await shoot(bare.page, "no-script", PHONE);
    await bare.context.close();
  });
});

describe("/docs/ledger in a browser", () => {
  for (const look of [
    { ...PHONE, colorScheme: "dark" },
    { ...DESKTOP, colorScheme: "light" },
  ] as const)
    it(`fits ${look.width} px, ${look.colorScheme}`, async ({ expect }) => {
      const { page, context, complaints } = await newPerson(stage, look);
      await page.goto(`${stage.client.origin}/docs/ledger`);
      // Beside the text the contents are for a mouse, as those of the reference are.
      const { faults, sideways, small } = await fits(page);
      expect({ faults, sideways, small: look.width === PHONE.width ? small : [] }).toEqual(FITS);
      await shoot(page, "ledger", look);
      expect(complaints).toEqual([]);
      await context.close();
    });
});
