import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { ledgerOf, must, newMember, newSession, newTenant, type Tenant } from "../support/api.ts";
import { FROM_ELSEWHERE, open, post, textAreaOf, wordsOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const tenantIn = (settings: object = {}): Promise<Tenant> =>
  newTenant("Check", { engines: { fence: "off" }, ...settings });

const check = (tenant: Tenant, fields: Record<string, string>, cookie = tenant.cookie) =>
  post("/evidence/check", cookie, { text: "", session: "", stored: "", ...fields });

describe("a text that is tried", () => {
  it("is told claim by claim: the wording in its place, what backs it, what is missing", async ({
    expect,
  }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    await must(`/v1/sessions/${encodeURIComponent(session)}/turns`, {
      key: tenant.key,
      json: { text: "I decided we ship on Friday", sender_id: "dana" },
    });
    const text =
      'First line.\nNote: User decided to ship on Friday ("I decided we ship on Friday").\nThe owner approved the move.\n用户决定用 Postgres。';
    const page = await check(tenant, { text, session });
    expect(page.status).toBe(200);
    const said = wordsOf(page.text);
    expect(said).toContain("3 claims, 2 not backed");
    expect(said).toContain(
      'Backed\nNote: User decided to ship on Friday ("I decided we ship on Friday").\nWording\nen:decided says that there was a decision',
    );
    expect(said).toContain("What backs it\nIts quote was typed in this session");
    expect(said).toContain("typed by dana");
    expect(said).toContain(
      "Not backed\nThe owner approved the move.\nWording\nen:approved says that there was an approval",
    );
    expect(said).toContain("What is missing\nNo words of the user are quoted for it.");
    const marks = [...page.text.matchAll(/<mark><bdi dir="ltr">([^<]*)/g)].map(([, words]) => words);
    expect(marks).toEqual(["User decided", "The owner approved", "用户决定"]);
    expect(textAreaOf(page.text), "what was typed stays").toBe(text);
    expect(page.text).toContain(`name="session" value="${session}"`);
  });

  it("has nobody's words without a session, and leaves alone what is stored", async ({ expect }) => {
    const tenant = await tenantIn();
    const text = 'User decided to ship on Friday ("I decided we ship on Friday").';
    const alone = wordsOf((await check(tenant, { text })).text);
    expect(alone).toContain("1 claim, not backed");
    expect(alone).toContain("The user did not type what it quotes.");
    expect(wordsOf((await check(tenant, { text, stored: text })).text)).toContain("It claims nothing");
    const patched = wordsOf(
      (await check(tenant, { text: text.replace("to ship", "we ship"), stored: text })).text,
    );
    expect(patched).toContain("1 claim, backed");
    expect(patched).toContain("Its quote stands already in the stored text that the write edits.");
    expect(wordsOf((await check(tenant, { text: "The tests run in CI." })).text)).toContain(
      "It claims nothing\nNo sentence of it says that the user decided something. A decision in words",
    );
    expect(wordsOf((await check(tenant, { text: "The user approved it. ".repeat(101) })).text)).toContain(
      "Too many claims at once",
    );
  });

  it("is read by the organization's own settings", async ({ expect }) => {
    const tenant = await tenantIn({ provenance: { names: ["Dana"], scope: "decisions+preferences" } });
    const said = wordsOf(
      (await check(tenant, { text: "Dana decided to ship. The user prefers tabs." })).text,
    );
    expect(said).toContain("2 claims, none backed");
    expect(said).toContain("says that there was a preference");
  });

  it("writes nothing, for no member and no fault", async ({ expect }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    const members = await Promise.all(["viewer", "approver", "admin"].map((role) => newMember(tenant, role)));
    const before = [await ledgerOf(tenant), await ledgerOf(tenant, session)].map((lines) => lines.length);
    for (const cookie of [tenant.cookie, ...members.map((one) => one.cookie)]) {
      expect((await open("/evidence/check", cookie)).status).toBe(200);
      expect((await check(tenant, { text: "User decided to ship.", session }, cookie)).status).toBe(200);
      const empty = await check(tenant, { text: "  ", session }, cookie);
      expect(empty.status).toBe(422);
      expect(wordsOf(empty.text)).toContain("Nothing was tried\nText: Write a text to try.");
      expect(empty.text).toMatch(/id="text"[^>]*aria-invalid="true"/);
    }
    expect([await ledgerOf(tenant), await ledgerOf(tenant, session)].map((lines) => lines.length)).toEqual(
      before,
    );
    const rows = await env.DB.prepare("SELECT count(*) AS n FROM evidence WHERE organization_id = ?")
      .bind(tenant.organization)
      .first<{ n: number }>();
    expect(rows?.n).toBe(0);
  });

  it("knows no session of another organization, and none that is no id", async ({ expect }) => {
    const tenant = await tenantIn();
    const other = await tenantIn();
    const session = await newSession(other);
    for (const id of [session, "nowhere", "x".repeat(5_000), "\u0000"]) {
      const page = await check(tenant, { text: "User decided to ship.", session: id });
      expect(page.status).toBe(404);
      expect(wordsOf(page.text)).toContain("Session: There is no such session in this organization.");
      expect(textAreaOf(page.text)).toBe("User decided to ship.");
    }
  });

  it("comes back when it cannot be tried now, or its writer is signed out, and is not taken from elsewhere", async ({
    expect,
  }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    const text = 'User decided to ship ("we ship on Friday").';
    vi.spyOn(env.SESSION, "getByName").mockImplementation(() => {
      throw new Error("internal words");
    });
    const failed = await check(tenant, { text, session });
    vi.restoreAllMocks();
    expect(failed.status).toBe(500);
    expect(textAreaOf(failed.text)).toBe(text);
    expect(failed.text).not.toContain("internal words");
    const out = await post("/evidence/check", undefined, { text });
    expect(out.status).toBe(401);
    expect(textAreaOf(out.text)).toBe(text);
    expect((await post("/evidence/check", tenant.cookie, { text }, FROM_ELSEWHERE)).status).toBe(403);
    expect((await open("/evidence/check")).status).toBe(303);
    expect((await check(tenant, { text: "x".repeat(1_100_000) })).status).toBe(413);
  });

  it("shows hostile text as text", async ({ expect }) => {
    const tenant = await tenantIn();
    const text = `<script>alert(1)</script> ${"w".repeat(3_000)} \u202ethe user approved <img src=x>\u2066 it ("</mark><b>x y z w</b>")`;
    const page = await check(tenant, { text });
    expect(page.status).toBe(200);
    const result = page.text.slice(page.text.indexOf('id="result"'));
    expect(result).toContain("<mark>");
    expect(result).toContain("⟨U+2066⟩");
    expect(result).not.toMatch(/\u202e|\u2066|<script>|<img|<b>x/u);
    expect(result.length, "a part of the text").toBeLessThan(6_000);
  });

  it("is asked about a session by its address", async ({ expect }) => {
    const tenant = await tenantIn();
    const page = await open(`/evidence/check?${new URLSearchParams({ session: '"><b>' })}`, tenant.cookie);
    expect(page.text).toContain('name="session" value="&quot;&gt;&lt;b&gt;"');
  });
});
