import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { readTypedTable, setOut } from "../../src/routes/dashboard/table-text.ts";
import { ask, ledgerOf, must, newMember, newTenant, type Tenant } from "../support/api.ts";
import { FROM_ELSEWHERE, fieldOf, open, post, textAreaOf, wordsOf } from "./support.ts";

const ROW = { name: "mcp__crm__get_all", risks: ["DELETE"], arguments: { paths: { deletes: ["target"] } } };
const TEXT = setOut({ tools: [ROW] });

const send = (tenant: Tenant, text: string, version: number, what: "check" | "save") =>
  post("/tools", tenant.cookie, { text, expected: String(version), do: what });

const inForce = async (tenant: Tenant) => (await must("/v1/tool-table", { cookie: tenant.cookie })).json;

describe("the tools' page", () => {
  it("saves what was typed, and shows it as a table and as JSON", async ({ expect }) => {
    const tenant = await newTenant();
    const empty = await open("/tools", tenant.cookie);
    expect(empty.text).toContain("No table of your own");
    expect(fieldOf(empty.text, "expected")).toBe("0");
    const saved = await send(tenant, TEXT.replaceAll("\n", "\r\n"), 0, "save");
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/tools?saved=1"]);
    expect(await inForce(tenant)).toEqual({ version: 1, tools: [ROW] });
    const page = await open("/tools?saved=1", tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("Saved. Version 1 is in force.");
    expect(said).toMatch(/mcp__crm__get_all\nDELETE\nfiles that it deletes: target/);
    expect(textAreaOf(page.text)).toBe(TEXT);
    expect((await open("/tools?saved=7", tenant.cookie)).text).not.toContain("Saved. Version");
    expect((await ledgerOf(tenant)).at(-1)).toMatchObject({
      entry: { kind: "tool_table_changed" },
      body: { by: tenant.owner, version: 1 },
    });
  });

  it("checks without a trace what would be read otherwise, and from where", async ({ expect }) => {
    const tenant = await newTenant();
    const before = (await ledgerOf(tenant)).length;
    const page = await send(tenant, TEXT, 0, "check");
    expect(page.status).toBe(200);
    const said = wordsOf(page.text);
    expect(said).toContain("1 tool would be read otherwise");
    expect(said).toMatch(
      /READ\nfrom its name and arguments\nDELETE\nfrom your row\nno longer READ; new: DELETE/,
    );
    expect(textAreaOf(page.text)).toBe(TEXT);
    expect((await inForce(tenant)).version).toBe(0);
    const nothing = await send(tenant, '{"tools": []}', 0, "check");
    expect(nothing.text).toContain("nothing would be read otherwise");
    expect(await ledgerOf(tenant)).toHaveLength(before);
  });

  it("marks every fault at its place, and keeps the text", async ({ expect }) => {
    const tenant = await newTenant();
    const text = [
      '{ "tools": [',
      '  { "name": "terminal", "risks": ["READ"] },',
      '  { "name": "x", "risks": ["NOTHING"], "risk": 1 },',
      '  { "name": "é</textarea><script>alert(1)</script>", "risks": ["READ"] }',
      "] }",
    ].join("\n");
    const page = await send(tenant, text, 0, "check");
    const said = wordsOf(page.text);
    for (const place of [
      "Line 2, column 13:",
      "Line 3, column 28:",
      "Line 3, column 40:",
      "Line 4, column 13:",
    ])
      expect(said).toContain(place);
    const marks = [...page.text.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, inner]) => wordsOf(inner ?? ""));
    expect(marks).toEqual(expect.arrayContaining(['"terminal"', '"NOTHING"', '"risk"']));
    expect(textAreaOf(page.text)).toBe(text);
    expect(page.text).not.toContain("<script>alert");
  });

  it("says where a text stops being JSON, and refuses it as the API would", async ({ expect }) => {
    const tenant = await newTenant();
    for (const [text, code, place, message] of [
      ['{\n  "tools": [\n  }\n', "malformed-json", "Line 3, column 3:", "value is missing"],
      ['{"tools": [],\n}', "malformed-json", "Line 2, column 1:", "last comma"],
      ["", "malformed-json", "Line 1, column 1:", "nothing here"],
      [`${"[".repeat(70)}`, "json-too-deep", "Line 1, column 1:", "64 levels"],
      ['{"tools": [],\n "tools": []}', "duplicate-key", "Line 2, column 2:", "stands in its object already"],
    ] as const) {
      const page = await send(tenant, text, 0, "save");
      expect(page.status, text).toBe(400);
      expect(wordsOf(page.text), text).toContain(place);
      expect(page.text, text).toContain(message);
      expect(page.text).toContain("Nothing was saved");
      expect(textAreaOf(page.text)).toBe(text);
      const last = (await ledgerOf(tenant)).at(-1)?.body;
      expect(last).toMatchObject({ operation: "changeToolTable", code, member: tenant.owner });
    }
    const faulty = await send(tenant, '{"tools": [{"name": "x"}]}', 0, "save");
    expect(faulty.status).toBe(422);
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "invalid-tool-table" });
    expect((await inForce(tenant)).version).toBe(0);
  });

  it("loses neither text when two admins save at once", async ({ expect }) => {
    const tenant = await newTenant();
    await send(tenant, TEXT, 0, "save");
    const mine = TEXT.replace("get_all", "mine");
    await send(tenant, TEXT.replace("get_all", "theirs"), 1, "save");
    const page = await send(tenant, mine, 1, "save");
    expect(page.status).toBe(412);
    expect(page.text).toContain("Your text was not saved");
    expect(textAreaOf(page.text)).toBe(mine);
    expect(page.text, "and what is in force now").toContain("mcp__crm__theirs");
    expect(fieldOf(page.text, "expected")).toBe("2");
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "version-mismatch" });
    expect((await send(tenant, mine, 2, "save")).headers.get("location")).toBe("/tools?saved=3");
    expect((await send(tenant, mine, Number.NaN, "save")).status, "a form without a version").toBe(412);
  });

  it("gives the text back when the session ended meanwhile", async ({ expect }) => {
    const page = await post("/tools", undefined, { text: TEXT, expected: "1", do: "save" });
    expect(page.status).toBe(401);
    expect(textAreaOf(page.text)).toBe(TEXT);
    expect((await post("/tools", undefined, { text: TEXT }, FROM_ELSEWHERE)).status).toBe(403);
  });

  it("says that a change is on record although the database cannot be written", async ({ expect }) => {
    const tenant = await newTenant();
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1 is away"));
    const page = await send(tenant, TEXT, 0, "save");
    batch.mockRestore();
    expect(page.status).toBe(503);
    expect(page.text).toContain("Do not repeat it");
  });

  it("is an admin's to change, everybody's to read, and no other organization's", async ({ expect }) => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await send(tenant, TEXT, 0, "save");
    for (const role of ["viewer", "approver"]) {
      const { member, cookie } = await newMember(tenant, role);
      const page = await open("/tools", cookie);
      expect(page.text).toContain("mcp__crm__get_all");
      expect(page.text).not.toContain("<textarea");
      const refused = await post("/tools", cookie, { text: TEXT, expected: "1", do: "save" });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("Only an admin or higher can change the tool table");
      expect(refused.text).toContain("Olivia (owner)");
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "forbidden", member });
    }
    const admin = await newMember(tenant, "admin");
    expect((await send({ ...tenant, cookie: admin.cookie }, TEXT, 1, "save")).status).toBe(303);
    expect((await open("/tools", other.cookie)).text).not.toContain("mcp__crm__get_all");
  });

  it("shows what rows hold so that it passes for nothing else", async ({ expect }) => {
    const tenant = await newTenant();
    const rows = {
      names: ["mcp__a__b", "other_tool"],
      risks: ["COMMUNICATION", "FINANCIAL"],
      capability: "a.b",
      arguments: { recipients: ["to"], payees: ["iban"], paths: { reads: ["from"] } },
      reads_only_actions: ["<b>\u202e", "list"],
    };
    expect((await send(tenant, setOut({ tools: [rows] }), 0, "save")).status).toBe(303);
    const page = await open("/tools", tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("mcp__a__b\nother_tool\ncalled a.b");
    expect(said).toContain("only READ when its action is &lt;b&gt;⟨U+202E⟩ or list");
    expect(said).toMatch(/files that it reads: from\nwho it is sent to: to\nwho gets money: iban/);
    expect(page.text).not.toContain("<b>");
  });

  it("takes a table of the largest size, and gives back one that is too large", async ({ expect }) => {
    const tenant = await newTenant();
    const tools = Array.from({ length: 330 }, (_, i) => ({
      name: `mcp__server_${i}__${"x".repeat(80)}`,
      risks: ["WRITE"],
      arguments: { paths: { writes: ["a", "b", "c"] } },
    }));
    const text = JSON.stringify({ tools }, null, 2);
    expect(JSON.stringify({ tools }).length).toBeGreaterThan(50_000);
    expect((await send(tenant, text, 0, "save")).status).toBe(303);
    const large = JSON.stringify({ tools: [...tools, ...tools] }, null, 2);
    const page = await send(tenant, large, 1, "save");
    expect(page.status).toBe(422);
    expect(page.text).toContain("larger than 64 KiB");
    expect(textAreaOf(page.text)).toBe(large);
  });

  it("holds from the next decision on", async ({ expect }) => {
    const tenant = await newTenant();
    await send(tenant, TEXT, 0, "save");
    await must("/v1/sessions/s", { method: "PUT", key: tenant.key, json: { home: "/home/u" } });
    const { json } = await ask(tenant, "s", { tool: ROW.name, args: { target: "/home/u/a" } });
    expect(json.reading.risks).toEqual(["DELETE"]);
  });
});

describe("a table as text", () => {
  it("is read back as it was set out", ({ expect }) => {
    const tools = [
      { ...ROW, arguments: {}, reads_only_actions: Array.from({ length: 40 }, (_, i) => `action_${i}`) },
      { names: ["a", "b"], risks: ["READ"] },
    ];
    const read = readTypedTable(setOut({ tools }));
    expect(read).toMatchObject({ ok: true, stored: { tools } });
    expect(setOut({ tools: [] })).toBe('{\n  "tools": []\n}');
  });

  it("has a fault at a line and columns that are in it, whatever it is", ({ expect }) => {
    const seeds = [
      TEXT,
      '{"tools":[{"name":1,"names":[""],"risks":[[]],"arguments":{"paths":{"x":[]}}}]}',
      "\n\n[}",
    ];
    let random = 7;
    const next = (below: number): number => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      return random % below;
    };
    for (let i = 0; i < 3_000; i += 1) {
      const seed = seeds[i % seeds.length] ?? "";
      const at = next(seed.length);
      const text =
        seed.slice(0, at) + ['"', "{", "]", ",", "\n", "\\", "é", ""][next(8)] + seed.slice(at + next(3));
      const read = readTypedTable(text);
      if (read.ok) continue;
      expect(read.faults.length).toBeGreaterThan(0);
      const lines = text.split("\n");
      for (const { line, column, end_column } of read.faults) {
        const length = lines[line - 1]?.length ?? -1;
        expect(
          [column >= 1, column <= length + 1, end_column >= column, end_column <= length + 1],
          text,
        ).toEqual([true, true, true, true]);
      }
    }
  });
});
