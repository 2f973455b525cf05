import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { governAs } from "../../src/http/governing.ts";
import { purgeOn } from "../../src/http/purging.ts";
import { retain } from "../../src/http/retention.ts";
import { ask, ledgerOf, must, newMember, newSession, newTenant, type Tenant } from "../support/api.ts";
import { deliver, fieldOf, open, post, wordsOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const tenantIn = (): Promise<Tenant> => newTenant("Purge", { engines: { fence: "off" } });

const purge = (tenant: Tenant, fields: Record<string, string>, cookie = tenant.cookie) =>
  post("/settings/purge", cookie, fields);

const countOf = async (tenant: Tenant, table: string, where = "1"): Promise<number> =>
  (
    await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ? AND ${where}`)
      .bind(tenant.organization)
      .first<{ n: number }>()
  )?.n ?? 0;

/** A session with a typed message, a claim and a write to a skill. */
async function talk(tenant: Tenant): Promise<string> {
  const session = await newSession(tenant);
  await must(`/v1/sessions/${encodeURIComponent(session)}/turns`, {
    key: tenant.key,
    json: { text: "I decided we ship on Friday" },
  });
  await ask(tenant, session, {
    tool: "skill_manage",
    args: { action: "create", name: "ship", content: "User decided to ship on Friday." },
    stored: "",
  });
  await deliver(tenant, session);
  return session;
}

const purges = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "purge").map(({ body }) => body);

describe("removing private text", () => {
  it("says what goes and what stays, does it for an admin, and puts it on record", async ({ expect }) => {
    const tenant = await tenantIn();
    const other = await tenantIn();
    const session = await talk(tenant);
    const left = await talk(other);
    const admin = await newMember(tenant, "admin");
    const form = await open("/settings", admin.cookie);
    const said = wordsOf(form.text);
    expect(said).toContain("What goes");
    expect(said).toContain("What stays");
    expect(said).toContain("Every chain verifies as before");
    expect(form.text).toContain('name="confirm" value="yes"/>');
    expect(fieldOf(form.text, "older_than_days")).toBe("30");
    const page = await purge(tenant, { older_than_days: "0", confirm: "yes" }, admin.cookie);
    expect(page.status).toBe(200);
    expect(wordsOf(page.text)).toMatch(
      /Removed\n1 message that a user typed, 1 claim with its evidence, 1 write to a skill, \d ledger entries' private texts from before/,
    );
    for (const table of ["said", "evidence", "skill_writes"]) {
      expect(await countOf(tenant, table), table).toBe(0);
      expect(await countOf(other, table), table).toBe(1);
    }
    expect(await countOf(tenant, "records", "private IS NOT NULL AND chain <> 'organization'")).toBe(0);
    expect(await purges(tenant)).toMatchObject([{ by: admin.member }]);
    expect(await purges(other)).toEqual([]);
    const chain = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger?disclose=private`, {
      cookie: tenant.cookie,
    });
    expect(chain.text).not.toContain("Friday");
    const verified = await must("/v1/ledger/verify", {
      cookie: tenant.cookie,
      headers: { "content-type": "application/x-ndjson" },
      body: chain.text,
    });
    expect(verified.json).toMatchObject({ ok: true, entries: 3 });
    expect(wordsOf((await open("/settings", admin.cookie)).text)).toContain("was removed already.");
    expect((await open("/evidence?days=all", other.cookie)).text).toContain(
      encodeURIComponent(left).replaceAll("%20", "+"),
    );
  });

  it("leaves alone what is younger, and records no purge that takes less than one before", async ({
    expect,
  }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    const young = await purge(tenant, { older_than_days: "1", confirm: "yes" });
    expect(wordsOf(young.text)).toContain("Nothing is left from before");
    expect(await countOf(tenant, "said")).toBe(1);
    await purge(tenant, { older_than_days: "30", confirm: "yes" });
    expect(await purges(tenant)).toHaveLength(1);
  });

  it("asks twice, and takes no number that is none", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    for (const [fields, id, words] of [
      [{ older_than_days: "0" }, "confirm", "Confirmation: Tick the box"],
      [{ older_than_days: "0", confirm: "no" }, "confirm", "Confirmation: Tick the box"],
      [{ older_than_days: "", confirm: "yes" }, "older_than_days", "Older than: Write a whole number"],
      [{ older_than_days: "-1", confirm: "yes" }, "older_than_days", "Older than: Write a whole number"],
      [{ older_than_days: "36501", confirm: "yes" }, "older_than_days", "Older than: Write a whole number"],
      [{ older_than_days: '"><b>', confirm: "yes" }, "older_than_days", "Older than: Write a whole number"],
      [{}, "older_than_days", "Older than: Write a whole number"],
    ] as const) {
      const page = await purge(tenant, fields);
      expect(page.status).toBe(422);
      expect(wordsOf(page.text)).toContain(`Nothing was removed\n${words}`);
      expect(page.text).toMatch(new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
      expect(page.text).not.toContain('"><b>');
      const { older_than_days } = fields as Record<string, string>;
      if (older_than_days !== undefined && older_than_days !== '"><b>')
        expect(fieldOf(page.text, "older_than_days")).toBe(older_than_days);
    }
    expect(await countOf(tenant, "said")).toBe(1);
    expect(await purges(tenant)).toEqual([]);
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "purge",
      code: "invalid-request",
    });
  });

  it("is not for viewers and approvers", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    for (const role of ["viewer", "approver"]) {
      const { cookie } = await newMember(tenant, role);
      const refused = await purge(tenant, { older_than_days: "0", confirm: "yes" }, cookie);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("Only an admin or higher can remove private text");
      expect((await open("/settings", cookie)).text).not.toContain("/settings/purge");
    }
    expect(await countOf(tenant, "said")).toBe(1);
  });

  it("goes on where it was broken off", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    // The clock runs away once the purge is on record: nothing of it fits into its time.
    const now = Date.now();
    let asked = 0;
    vi.spyOn(Date, "now").mockImplementation(() => {
      asked += 1;
      return now + asked * 6_000;
    });
    const first = await purge(tenant, { older_than_days: "0", confirm: "yes" });
    vi.restoreAllMocks();
    expect(first.status).toBe(200);
    expect(wordsOf(first.text)).toContain("Not all of it is removed yet");
    expect(first.text).toContain('<input type="hidden" name="rest" value="yes"/>');
    expect(await countOf(tenant, "said")).toBe(1);
    const rest = await purge(tenant, { rest: "yes" });
    expect(wordsOf(rest.text)).toContain("Removed\n1 message that a user typed");
    expect(await countOf(tenant, "said")).toBe(0);
    expect(await purges(tenant)).toHaveLength(1);
  });

  it("is shown as under way, as stuck, and as done, wherever it stands", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    const shown = async () => wordsOf((await open("/settings", tenant.cookie)).text);
    const none = await shown();
    for (const words of ["A purge is under way", "A purge gets no further", "was removed already"])
      expect(none).not.toContain(words);
    const before = Date.now() + 1;
    const change = { kind: "purge", before } as const;
    await governAs(env, tenant.organization, change, null, "by the clock");
    // On record, and nobody has begun with it.
    const waits = await shown();
    expect(waits).toMatch(/A purge is under way\nWhat is older than .* is being removed; lists/);
    expect(waits).toContain("The retention settings asked for it");
    expect(waits).toContain("Nothing is removed yet. It goes on by itself, every minute.");
    let looks = 0;
    await purgeOn(env, tenant.organization, before, () => looks++ > 1);
    expect(await shown()).toMatch(/A purge is under way\n.*\nStep 1 of 9: what users typed\. It got there /);
    // Whoever tries and gets nowhere changes nothing about that.
    const now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => now + 16 * 60_000);
    vi.spyOn(env.DB, "prepare").mockImplementationOnce(() => {
      throw new Error("D1_ERROR: away");
    });
    await purgeOn(env, tenant.organization, before, () => false).catch(() => undefined);
    const stuck = await open("/settings", tenant.cookie);
    expect(wordsOf(stuck.text)).toMatch(/A purge gets no further\n.*\nStep 1 of 9: .*cron trigger/);
    expect(stuck.text).toContain('role="alert" id="standing"');
    const done = await purge(tenant, { rest: "yes" });
    expect(wordsOf(done.text)).not.toContain("A purge gets no further");
    vi.restoreAllMocks();
    expect(await shown()).toMatch(/was removed already\. The retention settings asked for it, /);
    expect((await open("/settings", (await newMember(tenant, "viewer")).cookie)).text).not.toContain("purge");
  });

  it("goes on by the clock where it came on record and nobody began with it", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    await governAs(
      env,
      tenant.organization,
      { kind: "purge", before: Date.now() + 1 },
      tenant.owner,
      "alone",
    );
    expect(await countOf(tenant, "said")).toBe(1);
    const now = Date.now() + 60_000;
    await retain(env, now, now + 20_000);
    expect(await countOf(tenant, "said")).toBe(0);
    expect(wordsOf((await open("/settings", tenant.cookie)).text)).toMatch(
      /was removed already\. Olivia asked for it/,
    );
  });

  it("says so when it cannot be done now", async ({ expect }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    vi.spyOn(env.SESSION, "getByName").mockImplementation(() => {
      throw new Error("internal words");
    });
    const page = await purge(tenant, { older_than_days: "0", confirm: "yes" });
    vi.restoreAllMocks();
    expect(page.status).toBe(500);
    expect(wordsOf(page.text)).toContain("It may not have been removed whole");
    expect(page.text).not.toContain("internal words");
    expect(await countOf(tenant, "said"), "not before it is on record").toBe(1);
  });

  it("removes nothing while the database cannot be written, and goes on when it is sent again", async ({
    expect,
  }) => {
    const tenant = await tenantIn();
    await talk(tenant);
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: away"));
    const page = await purge(tenant, { older_than_days: "0", confirm: "yes" });
    batch.mockRestore();
    expect(page.status).toBe(503);
    expect(wordsOf(page.text)).toContain(
      "The purge is on record, and the database cannot be written now: nothing is removed yet.",
    );
    expect(fieldOf(page.text, "older_than_days")).toBe("0");
    expect(await countOf(tenant, "said")).toBe(1);
    const again = await purge(tenant, { older_than_days: "0", confirm: "yes" });
    expect(wordsOf(again.text)).toContain("Removed\n1 message that a user typed");
  });
});
