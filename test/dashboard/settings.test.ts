import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { fieldsOf, SETTINGS_FIELDS, settingsFrom } from "../../src/routes/dashboard/settings-values.ts";
import { ledgerOf, must, newMember, newTenant, type Tenant } from "../support/api.ts";
import { type Fields, fieldOf, open, post, wordsOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const inForce = async (tenant: Tenant) =>
  (await must("/v1/organization", { cookie: tenant.cookie })).json.settings;
const compilerOf = async (tenant: Tenant) =>
  (await must("/v1/organization/compiler", { cookie: tenant.cookie })).json;
const last = async (tenant: Tenant) => (await ledgerOf(tenant)).at(-1);

/** Which version each of the two forms says that it was made from. */
const tagsOf = (page: string): string[] =>
  [...page.matchAll(/name="expected" value="([^"]*)"/g)].map(([, tag]) => tag ?? "");

/** Everything as it is, as a browser would send it, but for what is changed. */
async function save(tenant: Tenant, changes: Fields, cookie = tenant.cookie) {
  const { json } = await must("/v1/organization", { cookie: tenant.cookie });
  const [expected = ""] = tagsOf((await open("/settings", cookie)).text);
  const { hash_limit_bytes, ...others } = json.settings;
  const fields = fieldsOf(hash_limit_bytes === 1_000_000 ? others : json.settings);
  return post("/settings", cookie, { expected, ...fields, ...changes });
}

const MODEL = {
  compiler: "model",
  provider: "openai-compatible",
  base_url: "https://models.example/v1",
  model: "small-1",
  timeout_ms: "5000",
  key: "",
};

async function saveCompiler(tenant: Tenant, changes: Fields, cookie = tenant.cookie) {
  const expected = tagsOf((await open("/settings", cookie)).text)[1] ?? "";
  return post("/settings/compiler", cookie, { expected, ...MODEL, ...changes });
}

describe("the settings' page", () => {
  it("saves what was chosen, and shows it with what is by default", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const empty = await open("/settings", tenant.cookie);
    expect(wordsOf(empty.text)).toContain("not set (enforce)");
    expect(empty.text).toContain('href="/settings" aria-current="page">Settings');
    const saved = await save(tenant, {
      "engines-fence": "ask",
      guard_mode: "observe",
      "fence-strict": "yes",
      "fence-loop_limit": " 3 ",
      "fence-unauthorized-reading-DELETE": "ask",
      "fence-unauthorized-acting-UNKNOWN": "block",
      "retention-private_days": "30",
      hash_limit_bytes: "0",
    });
    expect(saved.status).toBe(303);
    const settings = {
      engines: { fence: "ask" },
      guard_mode: "observe",
      fence: {
        strict: true,
        loop_limit: 3,
        unauthorized: { reading: { DELETE: "ask" }, acting: { UNKNOWN: "block" } },
      },
      retention: { private_days: 30 },
      hash_limit_bytes: 0,
    };
    expect(await inForce(tenant)).toEqual(settings);
    expect(await last(tenant)).toMatchObject({
      entry: { kind: "settings_changed" },
      body: { by: tenant.owner, settings },
    });
    const page = await open(saved.headers.get("location") ?? "", tenant.cookie);
    expect(wordsOf(page.text)).toContain("Saved\nIt holds from the next call on");
    expect(page.text).toContain('<option value="ask" selected="">ask: its blocks become questions');
    expect(wordsOf(page.text), "the oath follows guard_mode").toContain("not set (observe)");
    expect(fieldOf(page.text, "fence-loop_limit")).toBe("3");
    expect((await open("/settings?saved=99", tenant.cookie)).text).not.toContain("It holds from the next");
    expect((await save(tenant, Object.fromEntries(SETTINGS_FIELDS.map(({ id }) => [id, ""])))).status).toBe(
      303,
    );
    expect(await inForce(tenant), "empty is not set").toEqual({ hash_limit_bytes: 1_000_000 });
  });

  it("leaves alone what it has no field for, and takes no value that the API would not", async ({
    expect,
  }) => {
    const stored = {
      engines: { fence: "off", later: "x" },
      approvals: { two: ["DELETE"] },
      guard_mode: "block",
    };
    expect(settingsFrom(fieldsOf(stored), stored)).toEqual({ ...stored, guard_mode: "act" });
    const tenant = await newTenant("Settings", {});
    const before = await inForce(tenant);
    for (const [changes, label] of [
      [{ "fence-loop_limit": "1001" }, "Loop limit: Write a whole number from 0 to 1000"],
      [{ "fence-loop_limit": "3.5" }, "Loop limit: Write a whole number from 0 to 1000"],
      [{ hash_limit_bytes: "much" }, "Hash limit: Write a whole number"],
      [{ "retention-private_days": "0" }, "Days that private text is kept: Write a whole number from 1"],
      [{ "retention-ended_sessions_days": "never" }, "Days that idle sessions are kept: Write a whole"],
      [{ "engines-oath": "sometimes" }, "Oath: Choose one of what is offered"],
      [{ "fence-unauthorized-acting-UNKNOWN": "allow" }, "UNKNOWN in a task that acts: Choose one"],
      [{ "fence-strict": "perhaps" }, null],
    ] as const) {
      const page = await save(tenant, { "engines-fence": "observe", ...changes });
      if (label === null) {
        expect(page.status).toBe(303);
        continue;
      }
      expect(page.status, label).toBe(422);
      expect(wordsOf(page.text)).toContain(`Nothing was saved\n${label}`);
      expect(page.text, "what else was chosen stays").toContain('<option value="observe" selected="">');
      const [[id = "", value = ""] = []] = Object.entries(changes);
      if (/limit/.test(id)) expect(fieldOf(page.text, id)).toBe(value);
      expect(page.text).toMatch(new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
      expect((await last(tenant))?.body).toMatchObject({
        operation: "changeSettings",
        code: "invalid-request",
        member: tenant.owner,
      });
      expect(await inForce(tenant)).toEqual(before);
    }
  });

  it("lets only an owner switch an engine off or on again", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const admin = await newMember(tenant, "admin");
    const offered = await open("/settings", admin.cookie);
    expect(offered.text).not.toContain('value="off"');
    expect(offered.text).toContain("Only an owner can switch an engine off.");
    const forged = await save(tenant, { "engines-oath": "off", "engines-fence": "ask" }, admin.cookie);
    expect(forged.status).toBe(403);
    expect(forged.text).toContain("Only an owner switches an engine off or on again.");
    expect(forged.text).toContain('<option value="ask" selected="">');
    expect((await last(tenant))?.body).toMatchObject({ code: "forbidden", member: admin.member });
    expect((await save(tenant, { "engines-oath": "off" })).status).toBe(303);
    const off = await open("/settings", admin.cookie);
    expect(wordsOf(off.text)).toContain("Oath is off\nOnly an owner can switch it on again.");
    expect(fieldOf(off.text, "engines-oath")).toBe("off");
    expect((await save(tenant, { "fence-loop_limit": "7" }, admin.cookie)).status).toBe(303);
    expect(await inForce(tenant)).toMatchObject({ engines: { oath: "off" }, fence: { loop_limit: 7 } });
    expect((await save(tenant, { "engines-oath": "" }, admin.cookie)).status).toBe(403);
  });

  it("is read by every member, and says who may change it", async ({ expect }) => {
    const tenant = await newTenant("Settings", {
      engines: { fence: "off" },
      fence: { unauthorized: { reading: { SHARE: "allow" } } },
    });
    await must(`/v1/agents/${tenant.agent}/settings`, {
      method: "PUT",
      cookie: tenant.cookie,
      json: { guard_mode: "observe" },
    });
    await saveCompiler(tenant, { key: "sk-secret" });
    for (const role of ["viewer", "approver"]) {
      const { cookie, member } = await newMember(tenant, role);
      const page = await open("/settings", cookie);
      const said = wordsOf(page.text);
      expect(said).toContain("Fence: off: it does not look");
      expect(said).toContain("gives others access\nallow\nnot set (ask)");
      expect(said).toContain("Model: small-1");
      expect(said).toContain("A key is set. It is never shown.");
      expect(said).toMatch(/An agent's own settings win over these\. One has some:\s+agent \d+/);
      expect(page.text).not.toMatch(/<select|<input|sk-secret/);
      for (const path of ["/settings", "/settings/compiler"]) {
        const refused = await post(path, cookie, {});
        expect(refused.status).toBe(403);
        expect(refused.text).toContain("Only an admin or higher can change the settings");
        expect((await last(tenant))?.body).toMatchObject({ code: "forbidden", member });
      }
    }
  });

  it("loses neither change when two admins save at once", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const [expected = ""] = tagsOf((await open("/settings", tenant.cookie)).text);
    await save(tenant, { "fence-loop_limit": "9", "engines-oath": "ask" });
    const page = await post("/settings", tenant.cookie, { expected, "engines-fence": "ask" });
    expect(page.status).toBe(412);
    const said = wordsOf(page.text);
    expect(said).toContain("Somebody else saved in the meantime. Yours was not saved.");
    expect(said).toContain("Oath: ask");
    expect(said).toContain("Fence: as by default");
    expect(said).toContain("Loop limit: 9");
    expect((await last(tenant))?.body).toMatchObject({ code: "version-mismatch" });
    const [fresh = ""] = tagsOf(page.text);
    expect(fresh).not.toBe(expected);
    const again = await post("/settings", tenant.cookie, {
      expected: fresh,
      "engines-fence": "ask",
      "fence-loop_limit": "9",
    });
    expect(again.status).toBe(303);
    // The compiler, and whatever else governs, are forms of their own.
    const [own = ""] = tagsOf((await open("/settings", tenant.cookie)).text);
    expect((await saveCompiler(tenant, {})).status).toBe(303);
    expect(tagsOf((await open("/settings", tenant.cookie)).text)[0]).toBe(own);
    const late = await post("/settings/compiler", tenant.cookie, { expected: "x", ...MODEL, model: "large" });
    expect(late.status).toBe(412);
    expect(wordsOf(late.text)).toContain("Model: small-1");
    expect(fieldOf(late.text, "model")).toBe("large");
  });

  it("keeps what was chosen when it cannot be saved now", async ({ expect }) => {
    const tenant = await newTenant("Settings", {});
    const stub = vi.spyOn(env.SESSION, "getByName").mockImplementation(() => {
      throw new Error("no object: internal words");
    });
    const page = await save(tenant, { "fence-loop_limit": "8" });
    stub.mockRestore();
    expect(page.status).toBe(500);
    expect(page.text).toContain("Nothing was saved");
    expect(fieldOf(page.text, "fence-loop_limit")).toBe("8");
    expect(page.text).not.toContain("internal words");
  });
});

describe("the compiler's form", () => {
  it("takes a key in and never gives it out", async ({ expect }) => {
    const tenant = await newTenant("Compiler", {});
    const key = "sk-0123456789";
    const saved = await saveCompiler(tenant, { key: ` ${key} ` });
    expect(saved.status).toBe(303);
    expect(await compilerOf(tenant)).toEqual({
      compiler: "model",
      provider: "openai-compatible",
      base_url: "https://models.example/v1",
      model: "small-1",
      timeout_ms: 5_000,
      key_set: true,
    });
    expect(JSON.stringify(await last(tenant))).not.toContain(key);
    const page = await open(saved.headers.get("location") ?? "", tenant.cookie);
    expect(page.text).toContain("It holds from the next call on");
    expect(page.text).not.toContain(key);
    expect(wordsOf(page.text)).toContain(
      "A key is set for OpenAI-compatible endpoint at https://models.example. Left empty, it stays",
    );
    expect(page.text).toMatch(/type="password" name="key"(?![^>]*value=)/);
    await saveCompiler(tenant, { model: "small-2" });
    expect(await compilerOf(tenant)).toMatchObject({ model: "small-2", key_set: true });
    await saveCompiler(tenant, { remove_key: "yes" });
    expect(await compilerOf(tenant)).toMatchObject({ key_set: false });
    await saveCompiler(tenant, { key });
    await saveCompiler(tenant, { base_url: "https://elsewhere.example/v1" });
    expect(await compilerOf(tenant), "a key belongs to one origin").toMatchObject({ key_set: false });
  });

  it("leaves to a provider what it brings, and says what is missing", async ({ expect }) => {
    const tenant = await newTenant("Compiler", {});
    const empty = { base_url: "", model: "", timeout_ms: "" };
    expect((await saveCompiler(tenant, { provider: "openrouter", ...empty })).status).toBe(303);
    expect(await compilerOf(tenant)).toMatchObject({
      base_url: "https://openrouter.ai/api/v1",
      timeout_ms: 8_000,
    });
    const page = await open("/settings", tenant.cookie);
    expect(page.text).toContain("The model cannot be asked yet: a key is missing");
    expect([fieldOf(page.text, "base_url"), fieldOf(page.text, "model")]).toEqual(["", ""]);
    await saveCompiler(tenant, { ...empty });
    expect((await open("/settings", tenant.cookie)).text).toContain(": a base URL and a model is missing");
    await saveCompiler(tenant, { compiler: "rules", ...empty });
    expect((await open("/settings", tenant.cookie)).text).not.toContain("cannot be asked yet");
  });

  it("says of each place what is wrong with it, as the API does, and keeps all but the key", async ({
    expect,
  }) => {
    const tenant = await newTenant("Compiler", {});
    for (const [changes, message] of [
      [{ base_url: "http://models.example/v1" }, "Base URL: It has to begin with https://."],
      [{ base_url: "https://10.0.0.1/v1" }, "Base URL: This address is not public."],
      [{ base_url: "https://countersign.test/v1" }, "Base URL: This is Countersign itself."],
      [{ base_url: "https://a:b@models.example/" }, "Base URL: A name or password must not stand in it."],
      [{ base_url: '"><script>alert(1)</script>' }, "Base URL: "],
      [{ model: "two words" }, "Model: Write it in plain characters"],
      [{ timeout_ms: "50" }, "Timeout: Write a whole number from 1000 to 20000"],
      [{ timeout_ms: "soon" }, "Timeout: Write a whole number from 1000 to 20000"],
      [{ provider: "other" }, "Provider: Choose one of what is offered."],
      [{ compiler: "" }, "Who reads the words: Choose one of what is offered."],
      [{ key: "two words" }, "Key: A key has 1 to 4096 printable characters"],
      [{ remove_key: "yes", key: "sk-1" }, "Key: Either write a new key or remove the one that is kept."],
    ] as const) {
      const page = await saveCompiler(tenant, { key: "sk-typed", ...changes });
      expect(page.status, message).toBe(422);
      expect(wordsOf(page.text)).toContain(`Nothing was saved\n${message}`);
      expect(page.text).not.toMatch(/sk-typed|sk-1\b|<script>alert/);
      expect(page.text).toContain("type it again");
      expect((await last(tenant))?.body).toMatchObject({
        operation: "changeCompiler",
        code: "invalid-request",
        member: tenant.owner,
      });
      const kept = Object.entries(changes).find(([name]) => name === "model" || name === "timeout_ms");
      if (kept !== undefined) expect(fieldOf(page.text, kept[0])).toBe(kept[1]);
    }
    expect(await compilerOf(tenant)).toMatchObject({ compiler: "rules", key_set: false });
  });
});
