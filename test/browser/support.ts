/** A real browser and the deployed Worker, both for one file of tests. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium as launcher, type Page } from "playwright-core";
import { bundle, type Client, OPERATOR, ourWorker, serve } from "../../bench/serve.mjs";

/** Switches of the packaged browser that a test must not have: with them it would not be the one that people use. */
const UNWANTED =
  /^--(?:single-process|no-zygote|disable-web-security|allow-running-insecure-content|disable-site-isolation)/;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Stage {
  readonly client: Client;
  /** The Worker's own, behind its back. */
  readonly database: D1Database;
  readonly browser: Browser;
  stop(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), "countersign-browser-"));
  const [served, browser] = await Promise.all([
    serve([ourWorker("pages", bundle(dir))]),
    chromium.executablePath().then((executablePath) =>
      launcher.launch({
        executablePath,
        args: chromium.args.filter((arg) => !UNWANTED.test(arg)),
        headless: true,
      }),
    ),
  ]);
  const [client] = served.clients;
  if (client === undefined) throw new Error("nothing is served");
  return {
    client,
    database: served.database,
    browser,
    async stop() {
      await browser.close();
      await served.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface Organization {
  readonly id: string;
  readonly link: string;
}

/** An organization of its own, and its owner's way in. */
export async function newOrganization(client: Client, name: string): Promise<Organization> {
  const made = (await client.json(
    "POST",
    "/v1/organizations",
    { name, owner_name: "Olivia" },
    { authorization: `Bearer ${OPERATOR}`, host: new URL(client.origin).host },
  )) as { organization: string; sign_in: { url: string } };
  return { id: made.organization, link: made.sign_in.url };
}

/** Asks for decisions about shell commands, one after the other, in a session of its own. */
export async function askAll(
  client: Client,
  key: string,
  session: string,
  commands: readonly string[],
  more: object = {},
): Promise<void> {
  const header = { authorization: `Bearer ${key}` };
  const path = `/v1/sessions/${encodeURIComponent(session)}`;
  await client.json("PUT", path, { home: "/home/me", cwd: "/home/me/work", ...more }, header);
  for (const [i, command] of commands.entries())
    await client.json(
      "POST",
      `${path}/decisions`,
      { call_id: `${session} ${i}`, tool: "terminal", args: { command } },
      header,
    );
}

/** What a person typed in a session that is open. */
export async function say(
  client: Client,
  key: string,
  session: string,
  text: string,
  more: object = {},
): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/turns`;
  await client.json("POST", path, { text, ...more }, { authorization: `Bearer ${key}` });
}

/** Asks for decisions about calls of any tool, one after the other, in a session that is open. */
export async function askAbout(
  client: Client,
  key: string,
  session: string,
  calls: readonly { readonly tool: string; readonly args: object; readonly stored?: string }[],
): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/decisions`;
  for (const [i, call] of calls.entries())
    await client.json(
      "POST",
      path,
      { call_id: `${session} call ${i}`, ask_through: "harness", ...call },
      {
        authorization: `Bearer ${key}`,
      },
    );
}

/** Says of calls of {@link askAbout} that the harness's own user let them run, and that they did. */
export async function reportRun(
  client: Client,
  key: string,
  session: string,
  places: readonly number[],
): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/outcomes`;
  for (const i of places) {
    const outcome = { call_id: `${session} call ${i}`, outcome: "success", answered_by: "harness" };
    await client.json("POST", path, outcome, { authorization: `Bearer ${key}` });
  }
}

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
}
export const DESKTOP: Look = { width: 1280, height: 900 };
export const PHONE: Look = { width: 360, height: 740 };

/** A browser of one person, and everything in it that a console or a policy complained about. */
export async function newPerson(
  { browser }: Stage,
  look: Look,
  storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>,
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme ?? "light",
    javaScriptEnabled: look.javaScriptEnabled ?? true,
    ...(storageState === undefined ? {} : { storageState }),
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  return { page, context, complaints };
}

/** Run in the page. Text, since nothing in this project is compiled against a document. */
const FAULTS = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`;

const SHAPE = `({
  sideways: document.documentElement.scrollWidth - window.innerWidth,
  small: [...document.querySelectorAll(
    "a.button, button, summary, select, textarea, input[type=text], input[type=password], nav a, label.check",
  )].flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    return width > 0 && height > 0 && height < 43.5
      ? [control.tagName + " " + control.textContent.trim().slice(0, 40) + ": " + Math.round(height) + " px"]
      : [];
  }),
})`;

/** What axe finds wrong with the page as it stands, in a line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(FAULTS);
}

/** How far the page can be pushed sideways, and the controls that a finger would miss. */
export async function shapeOf(page: Page): Promise<{ sideways: number; small: string[] }> {
  return page.evaluate<{ sideways: number; small: string[] }>(SHAPE);
}

/** Something of the element that has the focus, by an expression over `element`. */
export async function focused<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate<T>(`((element) => ${expression})(document.activeElement)`);
}
