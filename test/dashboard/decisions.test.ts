import { describe, it } from "vitest";
import { ask, must, newSession, newTenant, openSession, shell, swear } from "../support/api.ts";
import { deliver, open } from "./support.ts";

const CSP = "default-src 'none'";

describe("the decisions' page", () => {
  it("teaches an organization that has asked nothing", async ({ expect }) => {
    const tenant = await newTenant("Acme & <Sons>");
    const page = await open("/", tenant.cookie);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(CSP);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain("curl -X PUT https://countersign.test/v1/sessions/first");
    expect(page.text).toContain("No oath is sworn yet");
    expect(page.text).toContain("Acme &amp; &lt;Sons&gt;");
  });

  it("shows what was asked, what was answered and the line that decided", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "# mine\nnever delete: ~/notes/**");
    const session = await newSession(tenant);
    const { json } = await shell(tenant, session, "rm -rf ~/notes/a");
    expect(json.verdict).toBe("block");
    await deliver(tenant, session);
    const page = await open("/", tenant.cookie);
    expect(page.text).toContain('data-verdict="block"');
    expect(page.text).toContain("rm -rf ~/notes/a");
    expect(page.text).toContain("The owner swore this must never happen");
    expect(page.text).toContain('href="/oath?version=1#line-2"');
    for (const part of [session, json.action_digest, json.ledger.hash, json.id, "/home/u/notes/a"])
      expect(page.text).toContain(part);
    const own = /href="(\/decision\?[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await open(own, tenant.cookie)).text).toContain(json.action_digest);
  });

  it("lets nothing that was recorded pass for something else", async ({ expect }) => {
    const tenant = await newTenant();
    const session = `<img src=x onerror=alert(1)>\u202e`;
    await openSession(tenant, session);
    await ask(tenant, session, {
      tool: "ter\u200bminal\u202e",
      args: {
        path: "/a\u2066b",
        text: "</pre><script>alert(1)</script>\u00a0\ufe0f",
        ["\u0000k"]: "\u{e0041}",
      },
    });
    await deliver(tenant, session);
    for (const path of ["/", "/decisions/latest"]) {
      const page = await open(path, tenant.cookie);
      expect(page.text).toContain("⟨U+200B⟩");
      for (const name of ["U+202E", "U+2066", "U+00A0", "U+FE0F", "U+E0041"])
        expect(page.text).toContain(name);
      expect(page.text).not.toMatch(/\u200b|\u202e|\u2066|\u00a0|\ufe0f|\u{e0041}/u);
      expect(page.text).not.toContain("<script>alert");
      expect(page.text).not.toContain("<img");
    }
  });

  it("narrows by verdict, agent and session, and pages by a cursor", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/notes/**");
    const session = await newSession(tenant);
    for (let i = 0; i < 30; i += 1) await shell(tenant, session, `ls ~/work/${i}`);
    await shell(tenant, session, "rm -rf ~/notes");
    await deliver(tenant, session);
    const count = (text: string): number => text.split('class="decision"').length - 1;
    const first = await open("/", tenant.cookie);
    expect(count(first.text)).toBe(25);
    const older = /href="(\/\?cursor=[^"]+)"/.exec(first.text)?.[1] ?? "";
    const second = await open(older, tenant.cookie);
    expect(count(second.text)).toBe(6);
    expect(second.text, "only the first page is live").not.toContain("data-live");
    const blocked = await open("/?verdict=block", tenant.cookie);
    expect(count(blocked.text)).toBe(1);
    expect(count((await open(`/?agent=${tenant.agent}`, tenant.cookie)).text)).toBe(25);
    expect((await open("/?agent=agt_other", tenant.cookie)).text).toContain("Nothing matches");
    expect(count((await open(`/?session=${encodeURIComponent(session)}`, tenant.cookie)).text)).toBe(25);
    expect(count((await open("/?verdict=nonsense", tenant.cookie)).text)).toBe(25);
    expect((await open("/?cursor=nonsense", tenant.cookie)).status).toBe(422);
  });

  it("gives the list alone, and nothing while nothing is new", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await deliver(tenant, session);
    const list = await open("/decisions/latest", tenant.cookie);
    expect(list.text).toMatch(/^<ol /);
    const etag = list.headers.get("etag") ?? "";
    const same = await open("/decisions/latest", tenant.cookie, { "if-none-match": etag });
    expect([same.status, same.text]).toEqual([304, ""]);
    await shell(tenant, session, "ls again");
    await deliver(tenant, session);
    const more = await open("/decisions/latest", tenant.cookie, { "if-none-match": etag });
    expect(more.status).toBe(200);
    expect(more.text).toContain("ls again");
  });

  it("finds nothing of another organization", async ({ expect }) => {
    const tenant = await newTenant();
    const other = await newTenant();
    const session = await newSession(other);
    await shell(other, session, "echo secret-of-the-other");
    await deliver(other, session);
    const query = new URLSearchParams({ chain: `session:${session}`, seq: "2" });
    expect((await open(`/decision?${query}`, other.cookie)).status).toBe(200);
    expect((await open(`/decision?${query}`, tenant.cookie)).status).toBe(404);
    for (const path of ["/", `/?session=${encodeURIComponent(session)}`, `/?agent=${other.agent}`])
      expect((await open(path, tenant.cookie)).text).not.toContain("secret-of-the-other");
  });

  it("says what an observed oath found and did not stop", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/notes/**");
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { engines: { oath: "observe", fence: "off" } },
    });
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "rm -rf ~/notes")).json.verdict).toBe("allow");
    await deliver(tenant, session);
    const page = await open("/", tenant.cookie);
    expect(page.text).toContain("Observed only: would have been blocked");
    expect(page.text).toContain("something was found and let pass");
  });
});

describe("what pages load and how they refuse", () => {
  it("comes from here and is named by its content", async ({ expect }) => {
    const { text } = await open("/sign-in");
    const loaded = [...text.matchAll(/(?:src|href)="(\/(?:assets\/|favicon)[^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(loaded.length).toBeGreaterThan(1);
    for (const url of [...loaded, "/assets/live.js", "/assets/copy.js"]) {
      const asset = await open(url);
      expect(asset.status, url).toBe(200);
      expect(asset.headers.get("x-content-type-options")).toBe("nosniff");
      expect(asset.headers.get("cache-control")).toContain(url.includes("?v=") ? "immutable" : "max-age=300");
    }
    expect(text, "no inline script or style").not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*src=)/);
  });

  it("is a page with the code and the instance", async ({ expect }) => {
    const page = await open("/no/such/page");
    expect(page.status).toBe(404);
    expect(page.text).toMatch(/^<!doctype html>/);
    expect(page.text).toContain('href="/docs#problem-not-found"');
    expect(page.text).toContain(page.headers.get("x-request-id") ?? "none");
    expect(page.headers.get("content-security-policy")).toContain(CSP);
  });
});
