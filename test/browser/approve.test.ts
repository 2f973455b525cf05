/**
 * From an agent's ask to its run, by a person's phone in a real browser: with a script and without one, by finger and by
 * keyboard, in both themes.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { OPERATOR } from "../../bench/serve.mjs";
import { faultsOf, focused, type Look, newPerson, PHONE, type Stage, setStage, shapeOf } from "./support.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
}, 60_000);

afterAll(async () => {
  await stage?.stop();
});

interface Office {
  readonly member: Record<string, string>;
  readonly agent: Record<string, string>;
}

/** An organization whose every block is a question, its owner's cookie and its agent's key. */
async function newOffice(name: string, settings: object = {}): Promise<Office> {
  const host = new URL(stage.client.origin).host;
  const made = (await stage.client.json(
    "POST",
    "/v1/organizations",
    {
      name,
      owner_name: "Olivia Chen",
      settings: { engines: { fence: "ask", oath: "ask", provenance: "ask" }, ...settings },
    },
    { authorization: `Bearer ${OPERATOR}`, host },
  )) as { sign_in: { url: string } };
  const member = { cookie: await signedIn(made.sign_in.url), host };
  const { agent } = (await stage.client.json("POST", "/v1/agents", { name: "release-bot" }, member)) as {
    agent: string;
  };
  const path = `/v1/agents/${agent}/keys`;
  const { key } = (await stage.client.json("POST", path, { name: "laptop" }, member)) as { key: string };
  return { member, agent: { authorization: `Bearer ${key}`, host } };
}

/** Spends a sign-in link, and returns the cookie that it gives. */
async function signedIn(url: string): Promise<string> {
  const link = new URL(url).searchParams.get("link");
  const { headers } = await stage.client.send("POST", "/sign-in", `link=${link}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  return String((headers as Record<string, unknown>)["set-cookie"]).split(";")[0] ?? "";
}

interface Call {
  readonly tool: string;
  readonly args: object;
  readonly stored?: string;
}
interface Decided {
  readonly verdict: string;
  readonly approval: { readonly id: string; readonly status: string };
}

const SESSION = "release 4.2";

async function open({ agent }: Office, said: string | null = null): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(SESSION)}`;
  await stage.client.json("PUT", path, { home: "/home/me", cwd: "/home/me/work" }, agent);
  if (said !== null) await stage.client.json("POST", `${path}/turns`, { text: said }, agent);
}

async function ask({ agent }: Office, callId: string, call: Call): Promise<Decided> {
  const path = `/v1/sessions/${encodeURIComponent(SESSION)}/decisions`;
  return (await stage.client.json("POST", path, { call_id: callId, ...call }, agent)) as unknown as Decided;
}

/** The link that an approver is sent. */
async function linkTo(office: Office, { approval }: Decided): Promise<string> {
  for (let i = 0; ; i += 1) {
    const answer = await stage.client.send("POST", `/v1/approvals/${approval.id}/links`, "", office.member);
    if (answer.status === 201) return (JSON.parse(answer.text) as { url: string }).url;
    // The search copy, which says where it lives, follows some seconds behind.
    if (answer.status !== 404 || i === 20) throw new Error(answer.text);
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

const PUSH: Call = { tool: "terminal", args: { command: "git push --force origin main" } };

/** Where pictures of the pages go, for people to look at. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const file = `approve-${name}-${look.width}-${look.colorScheme}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
}

const LIGHT: Look = { ...PHONE, colorScheme: "light" };
const DARK: Look = { ...PHONE, colorScheme: "dark" };

describe("an approver on a phone", () => {
  for (const javaScriptEnabled of [true, false])
    it(`reads what would run, approves it once, and the agent goes on, with JavaScript ${javaScriptEnabled ? "on" : "off"}`, async ({
      expect,
    }) => {
      const office = await newOffice("Acme Robotics");
      await open(office);
      const decided = await ask(office, "push", PUSH);
      expect(decided).toMatchObject({ verdict: "ask", approval: { status: "pending" } });
      const { page, complaints } = await newPerson(stage, { ...PHONE, javaScriptEnabled });
      await page.goto(await linkTo(office, decided));
      await page.getByRole("heading", { name: "Approve this?" }).waitFor();
      expect(await page.locator(".arguments").textContent()).toContain("git push --force origin main");
      await page.getByRole("button", { name: "Give it 5 more minutes" }).click();
      await page.getByText("It was given five more minutes already.").waitFor();
      await page.getByRole("button", { name: "Approve once" }).click();
      await page.getByRole("heading", { name: "You approved it" }).waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      expect((await ask(office, "push", PUSH)).verdict).toBe("allow");
      // A reload of the page behind the form decides nothing more.
      await page.reload();
      await page.getByText("The agent was let run it.").waitFor();
      expect(await ask(office, "push again", PUSH)).toMatchObject({ verdict: "ask" });
      expect(complaints).toEqual([]);
    });

  it("denies with a reason by the keyboard alone, and the agent is told", async ({ expect }) => {
    const office = await newOffice("Acme Robotics");
    await open(office);
    const decided = await ask(office, "push", PUSH);
    const { page } = await newPerson(stage, PHONE);
    await page.goto(await linkTo(office, decided));
    const seen: string[] = [];
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let i = 0; i < 30; i += 1) {
        await page.keyboard.press("Tab");
        const text = await focused<string>(page, "(element.labels?.[0] ?? element).textContent.trim()");
        seen.push(text);
        expect(await focused<string>(page, "getComputedStyle(element).outlineStyle")).not.toBe("none");
        if (name.test(text)) return;
      }
      throw new Error(`not reached: ${seen.join(" | ")}`);
    };
    await tabTo(/^Approve once$/);
    await tabTo(/^Deny$/);
    await tabTo(/^Deny, and say why$/);
    await page.keyboard.press("Enter");
    await tabTo(/^Nobody asked for this$/);
    await page.keyboard.press("ArrowDown");
    await tabTo(/^In your own words/);
    await page.keyboard.type("Never force-push main.");
    await tabTo(/^Deny for this reason$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You denied it" }).waitFor();
    expect(await page.locator("main").textContent()).toContain("Never force-push main.");
    const blocked = JSON.stringify(await ask(office, "push", PUSH));
    expect(blocked).toContain("Never force-push main.");
    expect(blocked).toContain("the target is wrong");
  });

  it("changes the action and approves what they made of it, without JavaScript", async ({ expect }) => {
    const office = await newOffice("Acme Robotics");
    await open(office);
    const decided = await ask(office, "push", PUSH);
    const { page } = await newPerson(stage, { ...PHONE, javaScriptEnabled: false });
    await page.goto(await linkTo(office, decided));
    await page.getByText("Change it, then approve").click();
    const field = page.getByLabel("The arguments");
    expect(JSON.parse(await field.inputValue())).toEqual(PUSH.args);
    await field.fill((await field.inputValue()).replace("--force ", ""));
    await page.getByRole("button", { name: "Approve what I changed" }).click();
    await page.getByRole("heading", { name: "You changed it" }).waitFor();
    expect(JSON.stringify(await ask(office, "push", PUSH))).toContain("approval.edited");
    const instead = { tool: "terminal", args: { command: "git push origin main" } };
    expect((await ask(office, "push instead", instead)).verdict).toBe("allow");
  });

  it("sees the time run, and cannot approve once it is over", async ({ expect }) => {
    const office = await newOffice("Acme Robotics");
    await open(office);
    const decided = await ask(office, "push", PUSH);
    for (const look of [LIGHT, DARK]) {
      const { page, complaints } = await newPerson(stage, look);
      await page.clock.install();
      await page.goto(await linkTo(office, decided));
      const left = page.locator("[data-left]");
      const before = Number.parseInt((await left.textContent()) ?? "", 10);
      expect(before).toBeGreaterThan(5);
      await page.clock.fastForward("03:00");
      await page.waitForFunction(
        `!document.querySelector("[data-left]").textContent.startsWith("${before}")`,
      );
      expect(Number.parseInt((await left.textContent()) ?? "", 10)).toBeGreaterThanOrEqual(before - 4);
      expect(await page.locator("[data-left-over]").isVisible()).toBe(false);
      await page.clock.fastForward("07:30");
      await page.getByText("Its time is over, which means no.").waitFor();
      expect(await left.textContent()).toBe("none");
      await page.getByText("Change it, then approve").click();
      for (const name of ["Approve once", "Approve what I changed"])
        expect(await page.getByRole("button", { name }).isDisabled(), name).toBe(true);
      expect(await page.getByRole("button", { name: "Deny", exact: true }).isEnabled()).toBe(true);
      expect(await faultsOf(page)).toEqual([]);
      expect(await shapeOf(page)).toEqual({ sideways: 0, small: [] });
      await shoot(page, "over", look);
      expect(complaints).toEqual([]);
    }
  });

  it("never approves by Enter in the fields of a denial", async ({ expect }) => {
    const office = await newOffice("Acme Robotics");
    await open(office);
    const decided = await ask(office, "push", PUSH);
    const { page } = await newPerson(stage, PHONE);
    await page.goto(await linkTo(office, decided));
    await page.getByText("Deny, and say why").click();
    await page.getByLabel("It goes too far").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You denied it" }).waitFor();
    expect((await ask(office, "push", PUSH)).verdict).toBe("block");
  });
});

const RISKS = ["COMMUNICATION", "EXTERNAL_WRITE", "FINANCIAL", "EXECUTE", "WRITE", "DELETE"];
const NOTES = `# Release notes\n\n${Array.from({ length: 20 }, (_, i) => `- change ${i + 1}`).join("\n")}\n`;

/** Asks whose pages have parts of every kind. */
const ASKS: readonly { readonly name: string; readonly call: Call; readonly settings?: object }[] = [
  {
    name: "command",
    call: { tool: "terminal", args: { command: "rm -rf ~/notes && git push --force origin main" } },
  },
  {
    name: "mail",
    call: {
      tool: "send_email",
      args: {
        to: Array.from({ length: 30 }, (_, i) => `person${i}@example.com`),
        cc: "billing@p\u0430ypal.com",
        subject: "Invoice \u202egnp.exe",
        body: `Dear all,\n\n${"a very long line without an end ".repeat(20)}\n${"x".repeat(600)}`,
        important: true,
        attempts: 3,
        nested: { list: [1, "two", null] },
      },
    },
    settings: { approvals: { demands: [{ risks: RISKS, people: 2 }] } },
  },
  {
    name: "edit",
    call: {
      tool: "patch",
      args: {
        path: "~/work/NOTES.md",
        old_string: NOTES,
        new_string: NOTES.replace("change 9", "a <b>bold</b> change"),
      },
    },
  },
  {
    name: "money",
    call: { tool: "create_payment", args: { payee: "ACME GmbH", amount: 129900, currency: "EUR" } },
    settings: { approvals: { demands: [{ risks: [...RISKS, "UNKNOWN"], signed_in: true }] } },
  },
];

/** Adds a colleague, who is signed in at once. */
async function newColleague({ member }: Office, role: string): Promise<{ id: string; cookie: string }> {
  const added = (await stage.client.json(
    "POST",
    "/v1/members",
    { name: "Ben Ode", role },
    member,
  )) as unknown as {
    member: string;
    sign_in: { url: string };
  };
  return { id: added.member, cookie: await signedIn(added.sign_in.url) };
}

describe("whom a link is not for", () => {
  it("reads a plain page that says so, and whom to ask", { timeout: 120_000 }, async ({ expect }) => {
    const office = await newOffice("Acme Robotics");
    await open(office);
    const decided = await ask(office, "push", PUSH);
    const colleague = await newColleague(office, "approver");
    const host = office.member["host"] ?? "";
    const own = await linkTo(office, decided);
    const theirs = await linkTo({ ...office, member: { cookie: colleague.cookie, host } }, decided);
    const role = { role: "viewer" };
    await stage.client.json("PATCH", `/v1/members/${colleague.id}`, role, office.member);
    const [name = "", value = ""] = colleague.cookie.split("=");
    for (const theme of [LIGHT, DARK])
      for (const [what, url, cookies, words] of [
        ["not-yours", theirs, [], "Ask Olivia Chen (owner)."],
        ["somebody-else", own, [{ name, value }], "In this browser Ben Ode is signed in."],
      ] as const) {
        const { page, context } = await newPerson(stage, theme);
        await context.addCookies(
          cookies.map((one) => ({ ...one, domain: "localhost", path: "/", secure: true })),
        );
        await page.goto(url);
        await page.getByText(words).waitFor();
        expect(await page.locator("main").textContent()).not.toContain("git push");
        expect(await faultsOf(page), what).toEqual([]);
        expect(await shapeOf(page), what).toEqual({ sideways: 0, small: [] });
        await shoot(page, what, theme);
        await context.close();
      }
  });
});

describe("every page behind a link", () => {
  it("is clean to axe in both themes, fits 360 px, and has targets for fingers", {
    timeout: 240_000,
  }, async ({ expect }) => {
    for (const { name, call, settings } of ASKS) {
      const office = await newOffice("Acme Robotics", settings);
      await stage.client.json(
        "PUT",
        "/v1/oath",
        { text: "never delete: ~/notes/**" },
        {
          ...office.member,
          "if-match": '"0"',
        },
      );
      await open(office, "Tidy up the notes, and ask me before you email anybody.");
      const decided = await ask(office, name, call);
      expect(decided.verdict, name).toBe("ask");
      const url = await linkTo(office, decided);
      const look = async (what: string, path: string, act?: (page: Page) => Promise<void>) => {
        for (const theme of [LIGHT, DARK]) {
          const { page, context, complaints } = await newPerson(stage, theme);
          await page.goto(path);
          await act?.(page);
          expect(await faultsOf(page), `${what} ${theme.colorScheme}`).toEqual([]);
          expect(await shapeOf(page), what).toEqual({ sideways: 0, small: [] });
          expect(complaints, what).toEqual([]);
          await shoot(page, what, theme);
          await context.close();
        }
      };
      await look(name, url, async (page) => {
        await page.locator("summary", { hasText: "Deny, and say why" }).click();
        const change = page.locator("summary", { hasText: "Change it, then approve" });
        if ((await change.count()) > 0) await change.click();
      });
      if (name === "edit") {
        const { page, context } = await newPerson(stage, LIGHT);
        await page.goto(url);
        await page.getByText("Change it, then approve").click();
        await page
          .getByLabel("The arguments")
          .fill('{"path":"~/work/NOTES.md","old_string":"a","new_string":"b"}');
        await page.getByRole("button", { name: "Approve what I changed" }).click();
        await page.getByRole("heading", { name: "You changed it" }).waitFor();
        await context.close();
        await look("changed", url);
      }
      if (name === "command") {
        const denied = await stage.client.json(
          "POST",
          `/v1/approvals/${decided.approval.id}/decision`,
          {
            decision: "deny",
            action_digest: (decided as unknown as { action_digest: string }).action_digest,
            reason: { preset: "wrong-target", text: "Not the notes." },
          },
          office.member,
        );
        expect(denied).toMatchObject({ tap: "decided" });
        await look("outcome", `${url}?late`);
      }
    }
    const invalid = `${stage.client.origin}/approve/x`;
    for (const theme of [LIGHT, DARK]) {
      const { page, context } = await newPerson(stage, theme);
      await page.goto(invalid);
      expect(await faultsOf(page)).toEqual([]);
      expect(await shapeOf(page)).toEqual({ sideways: 0, small: [] });
      await shoot(page, "invalid", theme);
      await context.close();
    }
  });
});
