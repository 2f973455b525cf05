import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { ask, must, newMember, newSession, newTenant, openSession, type Tenant } from "../support/api.ts";
import { deliver, open, wordsOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const CSP = "default-src 'none'";

const tenantIn = (mode: string, provenance: object = {}): Promise<Tenant> =>
  newTenant("Evidence", { engines: { fence: "off", provenance: mode }, provenance });

const say = (tenant: Tenant, session: string, text: string, more: object = {}) =>
  must(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key: tenant.key, json: { text, ...more } });

const remember = (tenant: Tenant, session: string, content: string, more: object = {}) =>
  ask(tenant, session, { tool: "memory", args: { action: "add", target: "memory", content }, ...more });

const address = (query: Record<string, string>): string => `/evidence?${new URLSearchParams(query)}`;

const claimsIn = (page: string): number => page.split('class="decision"').length - 1;

/** A session in which somebody typed and an agent wrote: one claim is backed, one is not. */
async function twoClaims(tenant: Tenant): Promise<string> {
  const session = await newSession(tenant);
  await say(tenant, session, "Morning. I decided we ship on Friday, whatever happens.", {
    sender_id: "dana@example.com",
  });
  await remember(tenant, session, 'User decided to ship on Friday ("I decided we ship on Friday").');
  await remember(tenant, session, "The owner approved the Postgres move.");
  await deliver(tenant, session);
  return session;
}

describe("the evidence's page", () => {
  it("says what provenance does, and how to turn it to enforce, where nothing was claimed", async ({
    expect,
  }) => {
    const tenant = await tenantIn("observe");
    const page = await open("/evidence", tenant.cookie);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(CSP);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain('href="/evidence" aria-current="page">Evidence');
    const said = wordsOf(page.text);
    expect(said).toContain("Nothing was claimed in this time");
    expect(said).toContain("3. Turn it to enforce");
    expect(page.text).toContain('href="/settings#modes">Set its mode in the settings');
    expect(page.text).toContain('href="/evidence/check"');
    const { cookie } = await newMember(tenant, "viewer");
    expect(wordsOf((await open("/evidence", cookie)).text)).toContain(
      "An admin sets its mode in the settings.",
    );
    expect(wordsOf((await open("/evidence?days=all", tenant.cookie)).text)).toContain(
      "Nothing was claimed yet",
    );
    const enforcing = await tenantIn("enforce");
    expect((await open("/evidence", enforcing.cookie)).text).toContain("It enforces already");
  });

  it("counts claims, and tells of each what backs it or what is missing", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await twoClaims(tenant);
    const page = await open("/evidence", tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("Provenance only observes");
    expect(said).toContain("2 claims, 1 backed, 1 not.");
    expect(said).toContain("Not backed\nNo words of the user are quoted for it.\nShow 1 claim");
    expect(said).toContain("Backed\nA quote of the user's own words backs it.\nShow 1 claim");
    expect(claimsIn(page.text)).toBe(2);
    for (const words of [
      'User decided to ship on Friday ("I decided we ship on Friday").',
      "Its quote was typed in this session, or in one that it continues.",
      "I decided we ship on Friday",
      "Morning. I decided we ship on Friday, whatever happens.",
      "dana@example.com",
      "memory:memory by memory",
      "It was only recorded: the write was not refused for it. provenance:no-quote",
    ])
      expect(said).toContain(words);
    expect(page.text).toContain(`href="/session?id=${encodeURIComponent(session).replaceAll("%20", "+")}"`);
    expect(page.text).toContain(`href="/agents/${tenant.agent}"`);
    const [, decision = ""] = /href="(\/decision\?[^"]+)"/.exec(page.text) ?? [];
    const own = await open(decision.replaceAll("&amp;", "&"), tenant.cookie);
    expect(own.status).toBe(200);
    expect(wordsOf(own.text)).toContain("The owner approved the Postgres move.");
  });

  it("says what the mode made of a claim", async ({ expect }) => {
    for (const [mode, mark, words] of [
      ["ask", "Asked", "A person was asked before it could be written."],
      ["enforce", "Refused", "The write was refused."],
    ] as const) {
      const tenant = await tenantIn(mode);
      const session = await newSession(tenant);
      await remember(tenant, session, "User decided to ship on Friday.");
      await deliver(tenant, session);
      const said = wordsOf((await open("/evidence", tenant.cookie)).text);
      expect(said).toContain("1 claim, not backed.");
      expect(said).toContain(`${mark}\nNo words of the user are quoted for it.`);
      expect(said).toContain(`${words} provenance:no-quote`);
      expect(said.includes("Provenance asks")).toBe(mode === "ask");
    }
  });

  it("has words for every reason, and for a write that could not be read", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await newSession(tenant);
    await say(tenant, session, "Never delete the prod database. Should we rename the service? ok then");
    for (const content of [
      'The user approved deleting the prod database ("delete the prod database").',
      'The user agreed to rename the service ("should we rename the service").',
      'The user chose Postgres ("we go with Postgres for everything").',
      'The user approved the launch date ("never delete the prod").',
      'The user approved the launch ("ok then").',
      "The user approved it. ".repeat(101),
    ])
      await remember(tenant, session, content);
    await ask(tenant, session, { tool: "memory", args: { operations: "[no json" } });
    await deliver(tenant, session);
    const said = wordsOf((await open("/evidence", tenant.cookie)).text);
    for (const words of [
      "A negation stands before these words in what the user typed",
      "The quoted words are from a question that the user asked.",
      "The user did not type what it quotes.",
      "The quote begins with a no; the claim says yes.",
      "So few words count only as a whole message",
      "One write made more than 100 claims. None of them was checked.",
      "The arguments of the write could not be read",
      "The write as a whole",
    ])
      expect(said).toContain(words);
  });

  it("is narrowed by words, verdict, reason, agent, session and days", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await twoClaims(tenant);
    const found = async (query: Record<string, string>): Promise<number> =>
      claimsIn((await open(address(query), tenant.cookie)).text);
    expect(await found({ q: "postgres" })).toBe(1);
    expect(await found({ q: "FRIDAY" })).toBe(1);
    expect(await found({ q: "memory" }), "the target").toBe(2);
    expect(await found({ q: "postgre" }), "no part of a word").toBe(0);
    expect(await found({ q: "!?" })).toBe(0);
    expect(await found({ verdict: "pass" })).toBe(1);
    expect(await found({ verdict: "blocked" })).toBe(0);
    expect(await found({ reason: "no_quote" })).toBe(1);
    expect(await found({ agent: tenant.agent })).toBe(2);
    expect(await found({ agent: "agt_other" })).toBe(0);
    expect(await found({ session })).toBe(2);
    expect(await found({ session: "other" })).toBe(0);
    for (const nonsense of [
      { verdict: "x", reason: "y", days: "z" },
      { days: "0" },
      { days: "99999" },
      { agent: "a".repeat(999) },
      { q: "", verdict: "" },
    ])
      expect(await found(nonsense as Record<string, string>)).toBe(2);
    const page = await open(address({ q: "nothing", days: "7", session }), tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("Nothing matches");
    expect(said).toContain("Words are looked for whole");
    expect(page.text).toContain('<option value="7" selected="">Last 7 days');
    expect(page.text).toContain('name="q" value="nothing"');
    expect(page.text).toContain(`<input type="hidden" name="session" value="${session}"/>`);
    expect(page.text).toContain('href="/evidence?days=7">Clear');
    const asked = encodeURIComponent(session).replaceAll("%20", "+");
    expect(page.text).toContain(`href="/evidence/check?session=${asked}"`);
    expect((await open(`/session?id=${asked}`, tenant.cookie)).text).toContain(
      `href="/evidence?session=${asked}&amp;days=all"`,
    );
    const odd = await open(address({ days: "12" }), tenant.cookie);
    expect(odd.text).toContain('<option value="12" selected="">Last 12 days');
  });

  it("pages by a cursor, also through the claims of one write", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await newSession(tenant);
    const many = Array.from({ length: 30 }, (_, n) => `User decided to take option ${n}.`).join("\n");
    await remember(tenant, session, many);
    await deliver(tenant, session);
    const first = await open("/evidence?q=option", tenant.cookie);
    expect(claimsIn(first.text)).toBe(25);
    const older = /href="(\/evidence\?q=option&amp;cursor=[^"]+)"/.exec(first.text)?.[1] ?? "";
    const second = await open(older.replaceAll("&amp;", "&"), tenant.cookie);
    expect(claimsIn(second.text)).toBe(5);
    const shown = [first, second].flatMap(({ text }) =>
      [...wordsOf(text).matchAll(/take option (\d+)\./g)].map(([, n]) => n),
    );
    expect(new Set(shown).size).toBe(30);
    expect(second.text).toContain('href="/evidence?q=option">← Newest');
    expect((await open("/evidence?cursor=nonsense", tenant.cookie)).status).toBe(422);
  });

  it("lets nothing that was claimed or typed pass for something else", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = `<img src=x onerror=alert(1)>\u202e`;
    await openSession(tenant, session);
    await say(
      tenant,
      session,
      "</blockquote><script>alert(1)</script> we go \u202ewith Postgres\u2066 for billing",
      {
        sender_id: "<b>dana</b>\u202e",
      },
    );
    await remember(
      tenant,
      session,
      'The user chose <script>alert(2)</script> \u202e\u2066 Postgres for billing ("with Postgres for billing")',
    );
    await deliver(tenant, session);
    const list = await open("/evidence", tenant.cookie);
    const [, decision = ""] = /href="(\/decision\?[^"]+)"/.exec(list.text) ?? [];
    const own = await open(decision.replaceAll("&amp;", "&"), tenant.cookie);
    for (const page of [list, own, await open("/", tenant.cookie)]) {
      expect(page.status).toBe(200);
      expect(page.text).toContain("U+202E");
      expect(page.text).not.toMatch(/\u202e|\u2066/u);
      expect(page.text).not.toMatch(/<script>alert|<img|<b>dana/);
    }
    for (const page of [list, own]) expect(page.text).toContain("&lt;b&gt;dana&lt;/b&gt;");
  });

  it("is read by every member of the organization, and finds nothing of another one", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const other = await tenantIn("observe");
    await twoClaims(other);
    for (const role of ["viewer", "approver", "admin"]) {
      const { cookie } = await newMember(other, role);
      expect(claimsIn((await open("/evidence", cookie)).text), role).toBe(2);
    }
    for (const query of [{}, { agent: other.agent }, { q: "postgres" }, { days: "all" }])
      expect(claimsIn((await open(address(query as Record<string, string>), tenant.cookie)).text)).toBe(0);
    const stranger = await open("/evidence");
    expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/sign-in"]);
  });

  it("goes on where a message or a decision is not kept any more", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    await twoClaims(tenant);
    await env.DB.prepare("DELETE FROM said WHERE organization_id = ?").bind(tenant.organization).run();
    await env.DB.prepare("DELETE FROM records WHERE organization_id = ? AND kind = 'decision'")
      .bind(tenant.organization)
      .run();
    const page = await open("/evidence", tenant.cookie);
    expect(wordsOf(page.text)).toContain("its text is not kept any more");
    expect(page.text).not.toContain('href="/decision?');
    expect(claimsIn(page.text)).toBe(2);
  });
});

describe("the message behind a quote", () => {
  it("is found for a short quote, a long one, one of another session, and shown around the quote", async ({
    expect,
  }) => {
    const tenant = await tenantIn("observe", { search: "profile" });
    const before = await newSession(tenant);
    await say(
      tenant,
      before,
      `${"filler ".repeat(400)} we go with Postgres for the billing data ${"tail ".repeat(400)}`,
    );
    await deliver(tenant, before);
    const session = await newSession(tenant);
    const long = Array.from(
      { length: 120 },
      (_, n) => `word${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
    ).join(" ");
    await say(tenant, session, `We decided on ${long} and that is it`);
    await say(tenant, session, "好");
    await remember(tenant, session, '用户同意用 Postgres ("好")。');
    await remember(tenant, session, `The user decided on wordca and wordda ("${long}").`);
    await remember(
      tenant,
      session,
      'The user chose Postgres for the billing data ("we go with Postgres for the billing data").',
    );
    await deliver(tenant, session);
    const page = await open("/evidence", tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("3 claims, all of them backed.");
    expect(said).not.toContain("not kept any more");
    expect(said).toContain("Its quote was typed in another session of this agent.");
    expect(said).toMatch(
      /…filler [\s\S]*filler\s+we go with Postgres for the billing data tail [\s\S]*tail…/,
    );
    expect(page.text).toContain('<bdi dir="ltr">好</bdi>');
    const { text } = page;
    expect(text.split("filler").length, "not the whole message").toBeLessThan(60);
  });

  it("and the decision behind a claim are read by their places, not out of all that there is", async ({
    expect,
  }) => {
    const tenant = await tenantIn("observe");
    await twoClaims(tenant);
    const prepare = env.DB.prepare.bind(env.DB);
    const asked: string[] = [];
    vi.spyOn(env.DB, "prepare").mockImplementation((query) => {
      if (query.includes("json_each(?2)")) asked.push(query);
      return prepare(query);
    });
    await open("/evidence", tenant.cookie);
    expect(asked).toHaveLength(2);
    for (const query of asked) {
      const plan = await prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(tenant.organization, "[]")
        .all<{ detail: string }>();
      const steps = plan.results.map(({ detail }) => detail).join("\n");
      expect(steps).toMatch(/SEARCH (?:s|r) USING (?:INTEGER PRIMARY KEY|INDEX sqlite_autoindex_records_1)/);
      expect(steps).not.toMatch(/_by_(?:time|kind|agent|session)/);
    }
  });
});

describe("a decision's page", () => {
  it("says what a write claims, where to, and that only the replacement was checked", async ({ expect }) => {
    const tenant = await tenantIn("enforce");
    const session = await newSession(tenant);
    await say(tenant, session, "I decided we ship on Friday");
    const refused = await ask(tenant, session, {
      tool: "memory",
      args: {
        action: "replace",
        target: "memory",
        old_text: "ship",
        content: "User decided to ship on Friday.",
      },
    });
    expect(refused.json.write).toMatchObject({ claims: 1, partial: true });
    await remember(tenant, session, 'User decided to ship on Friday ("I decided we ship on Friday").');
    await remember(tenant, session, "The tests run in CI.");
    await deliver(tenant, session);
    const page = async (seq: number) =>
      wordsOf(
        (
          await open(
            `/decision?${new URLSearchParams({ chain: `session:${session}`, seq: String(seq) })}`,
            tenant.cookie,
          )
        ).text,
      );
    const first = await page(refused.json.ledger.seq);
    expect(first).toContain(
      "What it writes down\nmemory:memory makes 1 claim of what the user decided, and nothing backs it.",
    );
    expect(first).toContain("Only the replacement was checked:");
    expect(first).toContain("Refused User decided to ship on Friday.\nWhy not backed\nNo words of the user");
    expect(first).toContain("The write was refused. provenance:no-quote");
    const second = await page(refused.json.ledger.seq + 1);
    expect(second).toContain("makes 1 claim of what the user decided, and it is backed.");
    expect(second).toContain("Message\nI decided we ship on Friday\n");
    const third = await page(refused.json.ledger.seq + 2);
    expect(third).toContain("It claims nothing of what the user decided.");
    expect(third).not.toContain("Only the replacement");
  });

  it("shows few claims in a list, all on its own page, and none once they are purged", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await newSession(tenant);
    const many = Array.from({ length: 9 }, (_, n) => `User decided to take option ${n}.`).join("\n");
    const { json } = await remember(tenant, session, many);
    await deliver(tenant, session);
    const list = wordsOf((await open("/", tenant.cookie)).text);
    expect(list).toContain("makes 9 claims of what the user decided, 9 of them not backed.");
    expect(list).toContain("Show all 9 claims");
    expect(list).toContain("Provenance only observes. It would have been blocked:");
    expect(list).not.toMatch(/Not backed User decided to take option 7\./);
    const path = `/decision?${new URLSearchParams({ chain: `session:${session}`, seq: String(json.ledger.seq) })}`;
    expect(wordsOf((await open(path, tenant.cookie)).text)).toContain(
      "Not backed User decided to take option 8.",
    );
    await must("/v1/purge", { method: "POST", cookie: tenant.cookie, json: { all: true } });
    const purged = wordsOf((await open(path, tenant.cookie)).text);
    expect(purged).toContain("It makes 9 claims of what the user decided, 9 of them not backed.");
    expect(purged).toContain("What it claims was removed by a purge.");
  });
});
