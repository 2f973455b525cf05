import { describe, it } from "vitest";
import { fieldsOf, settingsFrom } from "../../src/routes/dashboard/settings-values.ts";
import { ledgerOf, must, newMember, newTenant, type Tenant } from "../support/api.ts";
import { type Fields, fieldOf, open, post, wordsOf } from "./support.ts";

const inForce = async (tenant: Tenant) =>
  (await must("/v1/organization", { cookie: tenant.cookie })).json.settings;

/** What a browser would hold in the text area of this name. */
function areaOf(page: string, name: string): string | undefined {
  return new RegExp(`<textarea[^>]*name="${name}"[^>]*>\\n([^<]*)</textarea>`).exec(page)?.[1];
}

/** Everything as the page shows it, as a browser would send it, but for what is changed. */
async function save(tenant: Tenant, changes: Fields, cookie = tenant.cookie) {
  const page = (await open("/settings", cookie)).text;
  const expected = fieldOf(page, "expected") ?? "";
  return post("/settings", cookie, { expected, ...fieldsOf(await inForce(tenant)), ...changes });
}

describe("what is set of provenance", () => {
  it("is saved as the API has it, and shown again", async ({ expect }) => {
    const tenant = await newTenant("Provenance", {});
    const empty = wordsOf((await open("/settings", tenant.cookie)).text);
    expect(empty).toContain("not set (session)");
    expect(empty).toContain("What was typed longer ago backs nothing. Empty: 30.");
    const saved = await save(tenant, {
      "engines-provenance": "enforce",
      "provenance-search": "profile",
      "provenance-scope": "decisions+preferences",
      "provenance-retention_days": "7",
      "provenance-names": " Dana \r\n\r\nDr. O'Neil & <Sons>\r\n负责人",
      "provenance-files": "NOTES.md\r\nmemory/",
      hash_limit_bytes: "",
    });
    expect(saved.status).toBe(303);
    expect(await inForce(tenant)).toMatchObject({
      engines: { provenance: "enforce" },
      provenance: {
        search: "profile",
        scope: "decisions+preferences",
        retention_days: 7,
        names: ["Dana", "Dr. O'Neil & <Sons>", "负责人"],
        files: ["NOTES.md", "memory/"],
      },
    });
    const page = (await open(saved.headers.get("location") ?? "", tenant.cookie)).text;
    expect(page).toContain('<option value="profile" selected="">');
    expect(fieldOf(page, "provenance-retention_days")).toBe("7");
    expect(areaOf(page, "provenance-names")).toBe("Dana\nDr. O&#39;Neil &amp; &lt;Sons&gt;\n负责人");
    expect((await save(tenant, {})).status).toBe(303);
    const cleared = await save(tenant, {
      "provenance-search": "",
      "provenance-scope": "",
      "provenance-retention_days": "",
      "provenance-names": " \r\n ",
      "provenance-files": "",
    });
    expect(cleared.status).toBe(303);
    expect(await inForce(tenant), "empty is not set").not.toHaveProperty("provenance");
  });

  it("keeps what the form does not know, and a list as it is kept unless it is changed", ({ expect }) => {
    const stored = {
      provenance: { names: ["Dana\nMiller", " Omar "], later: { a: 1 }, search: "session" },
      engines: { later: "x" },
      approvals: { two: ["DELETE"] },
    };
    expect(fieldsOf(stored)["provenance-names"]).toBe("Dana Miller\nOmar");
    expect(settingsFrom(fieldsOf(stored), stored)).toEqual(stored);
    expect(settingsFrom({ ...fieldsOf(stored), "provenance-names": "Dana" }, stored)).toEqual({
      ...stored,
      provenance: { ...stored.provenance, names: ["Dana"] },
    });
  });

  it("takes no value that the API would not, says so once, and keeps what was typed", async ({ expect }) => {
    const tenant = await newTenant("Provenance", {});
    const before = await inForce(tenant);
    const many = Array.from({ length: 65 }, (_, n) => `name ${n}`).join("\n");
    for (const [changes, words] of [
      [{ "provenance-names": many }, "Names that stand for the user: Write at most 64 names"],
      [
        { "provenance-names": `a\n${"x".repeat(65)}\n${"y".repeat(65)}` },
        "Names that stand for the user: Write at most",
      ],
      [
        { "provenance-files": "x".repeat(70) },
        "Files that agents read at every start: Write at most 64 files",
      ],
      [{ "provenance-retention_days": "4000" }, "Days that words count: Write a whole number from 0 to 3650"],
      [{ "provenance-retention_days": "-1" }, "Days that words count: Write a whole number"],
      [{ "provenance-search": "all" }, "Where quotes may come from: Choose one of what is offered."],
      [{ "provenance-scope": "x" }, "What has to be backed: Choose one of what is offered."],
    ] as const) {
      const page = await save(tenant, changes);
      expect(page.status, words).toBe(422);
      const [[id = "", value = ""] = []] = Object.entries<string>(changes);
      expect(wordsOf(page.text)).toContain(`Nothing was saved\n${words}`);
      expect(page.text.split(`href="#${id}"`).length - 1, "said once").toBe(1);
      expect(page.text).toMatch(new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
      if (/names|files/.test(id)) expect(areaOf(page.text, id)).toBe(value);
      expect(await inForce(tenant)).toEqual(before);
    }
    const page = await save(tenant, { "provenance-names": "名".repeat(64).concat("\n").repeat(64) });
    expect(page.status, "the largest lists fit into the form").toBe(303);
  });

  it("is told to whoever saved over it, and read by whoever may not change it", async ({ expect }) => {
    const tenant = await newTenant("Provenance", {});
    const expected = fieldOf((await open("/settings", tenant.cookie)).text, "expected") ?? "";
    await save(tenant, { "provenance-names": "Dana\nOmar", "provenance-search": "profile" });
    const late = await post("/settings", tenant.cookie, { expected, "provenance-names": "Eve" });
    expect(late.status).toBe(412);
    expect(wordsOf(late.text)).toContain("Names that stand for the user: Dana, Omar");
    expect(areaOf(late.text, "provenance-names")).toBe("Eve");
    const { cookie } = await newMember(tenant, "viewer");
    const page = await open("/settings", cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("Names that stand for the user: Dana, Omar");
    expect(said).toContain("Files that agents read at every start: none");
    expect(said).toContain("Where quotes may come from: profile: every session of the agent");
    expect(page.text).not.toMatch(/<textarea|<select|Remove it for good/);
    expect((await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "settings_changed")).toHaveLength(1);
  });
});
