import { describe, expect, it } from "vitest";
import {
  changesOf,
  effectsWith,
  parseToolTable,
  TABLES,
  type ToolTable,
  toolsWith,
} from "../../../src/policy/effects/index.ts";
import type { Effects, JsonObject } from "../../../src/policy/types.ts";
import { acts, context, tool } from "./support.ts";

function table(...tools: unknown[]): ToolTable {
  const parsed = parseToolTable({ tools });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.table;
}

function read(rows: ToolTable, name: string, args: JsonObject): Effects {
  return effectsWith(toolsWith(TABLES, rows), { tool: name, args }, context());
}

function codes(value: unknown): string[] {
  const parsed = parseToolTable(value);
  return parsed.ok ? [] : parsed.faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe("an organization's rows", () => {
  const crm = table({
    name: "mcp__crm__sync",
    risks: ["EXTERNAL_WRITE"],
    capability: "crm.sync",
    arguments: { recipients: ["owner"], items: ["contact"], paths: { reads: ["source"] } },
    reads_only_actions: ["preview"],
  });

  it("take the place of what a name would say", () => {
    const args = { action: "now", owner: "a@x.example", contact: "c_1" };
    expect(tool("mcp__crm__sync", args).risks).toContain("UNKNOWN");
    const effects = read(crm, "mcp__crm__sync", args);
    expect(effects.tool).toBe("crm.sync");
    expect(effects.risks).toEqual(["EXTERNAL_WRITE"]);
    expect(effects.opaque).toBeNull();
    expect(effects.recipients.map(({ role, address }) => `${role} ${address}`)).toEqual(["to a@x.example"]);
    expect(effects.items.map(({ name, value }) => `${name} ${value}`)).toEqual(["contact c_1"]);
  });

  it("count as reads for the actions that say so, and for no others", () => {
    expect(read(crm, "mcp__crm__sync", { action: "preview" }).risks).toEqual(["READ"]);
    expect(read(crm, "mcp__crm__sync", { action: "Preview" }).risks).toEqual(["READ"]);
    expect(read(crm, "mcp__crm__sync", {}).risks).toEqual(["EXTERNAL_WRITE"]);
    expect(read(crm, "mcp__crm__sync", { action: "preview", mode: "wipe" }).risks).toEqual([
      "EXTERNAL_WRITE",
    ]);
  });

  it.each(["mcp__crm__sync", "mcp__CRM__Sync", "mcp_crm_sync", "MCP:crm:sync"])("meet %s", (name) => {
    expect(read(crm, name, {}).tool).toBe("crm.sync");
  });

  it.each(["sync", "mcp__crm2__sync", "mcp__crm__sync_all", "mcp_crm_x_sync"])("pass over %s", (name) => {
    expect(read(crm, name, {}).tool).not.toBe("crm.sync");
  });

  it("tell servers apart whose names only run together", () => {
    const rows = table({ name: "mcp__a__b_get", risks: ["DELETE"] });
    expect(read(rows, "mcp__a_b__get", {}).risks).toEqual(["READ"]);
    expect(read(rows, "mcp_a_b_get", {}).risks).toEqual(["DELETE"]);
  });

  it("are met inside a bridge", () => {
    expect(read(crm, "tool_call", { name: "mcp__crm__sync", arguments: {} }).risks).toEqual([
      "EXTERNAL_WRITE",
    ]);
  });

  it("only add to a tool that the table knows", () => {
    const rows = table(
      { name: "write_file", risks: ["COMMUNICATION"] },
      { name: "delete_file", risks: ["READ"] },
    );
    const written = read(rows, "write_file", { path: "/srv/a", content: "x" });
    expect(written.risks).toEqual(["COMMUNICATION", "WRITE"]);
    expect(acts(written)).toEqual(["create /srv/a", "modify /srv/a"]);
    expect(acts(read(rows, "delete_file", { path: "/srv/a" }))).toEqual(["delete /srv/a/**"]);
  });

  it("declare paths, commands and money", () => {
    const rows = table(
      {
        name: "mcp__fs__frob",
        risks: ["WRITE"],
        arguments: { paths: { deletes: ["gone"], writes: ["made"] } },
      },
      { name: "mcp__box__go", risks: ["EXECUTE"], arguments: { command: ["line"] } },
      {
        name: "mcp__till__go",
        risks: ["FINANCIAL"],
        arguments: { payees: ["who"], amounts: ["sum"], currency: ["cur"] },
      },
    );
    expect(acts(read(rows, "mcp__fs__frob", { gone: "/srv/a", made: "/srv/b" }))).toEqual(
      expect.arrayContaining(["delete /srv/a/**", "create /srv/b", "modify /srv/b"]),
    );
    expect(read(rows, "mcp__box__go", { line: "rm -rf /srv/a" }).risks).toEqual(["DELETE", "EXECUTE"]);
    const paid = read(rows, "mcp__till__go", { who: "Acme", sum: "12.50", cur: "eur" });
    expect(paid.amounts).toEqual([{ value: "12.5", currency: "EUR", minor: false, pointer: "/sum" }]);
    expect(paid.recipients.map((one) => one.address)).toEqual(["acme"]);
  });

  it("never hide what the guards look for", () => {
    const rows = table(
      { name: "mcp__x__frob", risks: ["READ"] },
      { name: "mcp__fence__update_policy", risks: ["READ"] },
    );
    expect(read(rows, "mcp__x__frob", { url: "https://api.countersign.example/v1" }).governance).toEqual([
      "own-origin",
    ]);
    expect(read(rows, "mcp__x__frob", { path: "~/.claude/settings.json" }).governance).toEqual([
      "hook-configuration",
    ]);
    expect(read(rows, "mcp__x__frob", { key: "cs_live_0123456789abcdef" }).governance).toEqual(["own-key"]);
    expect(read(rows, "mcp__fence__update_policy", {}).governance).toEqual(["own-policy"]);
  });
});

describe("a table that is sent", () => {
  it("is told all its faults at once", () => {
    expect(
      codes({
        tools: [
          { name: "a", risks: ["EVIL", "GOVERNANCE"], extra: 1 },
          { names: ["bash", "tool_call", "mcp__a__b"], risks: [] },
          { name: "mcp_a_b", risks: ["READ"], capability: "No!" },
          { risks: ["READ"], arguments: { paths: { burns: ["x"] }, items: ["a b", 7] } },
          7,
        ],
      }),
    ).toEqual([
      "/tools/0/extra unknown-member",
      "/tools/0/risks/0 unknown-risk",
      "/tools/0/risks/1 unknown-risk",
      "/tools/1/names/0 effect-in-arguments",
      "/tools/1/names/1 effect-in-arguments",
      "/tools/1/risks empty",
      "/tools/2/name duplicate-name",
      "/tools/2/capability bad-capability",
      "/tools/3/name missing",
      "/tools/3/arguments/items/1 not-text",
      "/tools/3/arguments/items/0 bad-argument-name",
      "/tools/3/arguments/paths/burns unknown-member",
      "/tools/4 not-an-object",
    ]);
  });

  it.each([[null], [7], ["x"], [[]], [{}], [{ tools: 7 }], [{ tools: [], more: 1 }]])(
    "refuses %j",
    (value) => {
      expect(codes(value)).not.toEqual([]);
    },
  );

  it("has a bound", () => {
    const row = (at: number) => ({ name: `t${at}`, risks: ["READ"] });
    expect(codes({ tools: Array.from({ length: 500 }, (_, at) => row(at)) })).toEqual([]);
    expect(codes({ tools: Array.from({ length: 501 }, (_, at) => row(at)) })).toEqual([
      "/tools too-many-rows",
    ]);
    expect(codes({ tools: [{ name: "a", risks: ["READ"], capability: "x".repeat(70_000) }] })).toEqual([
      " too-large",
    ]);
    const cyclic: Record<string, unknown> = {};
    cyclic["tools"] = cyclic;
    expect(codes(cyclic)).toEqual([" too-large"]);
  });

  it("reads the same in any order", () => {
    const rows = [
      { name: "mcp__a__go", risks: ["READ"] },
      { name: "mcp__b__go", risks: ["SHARE"] },
    ];
    for (const tools of [rows, rows.toReversed()])
      expect(read(table(...tools), "mcp__b__go", {}).risks).toEqual(["SHARE"]);
  });
});

describe("what a table changes", () => {
  it("is shown by reading an example call before and after", () => {
    const before = table({ name: "mcp__crm__sync", risks: ["EXTERNAL_WRITE"] });
    const after = table(
      {
        name: "mcp__crm__sync",
        risks: ["EXTERNAL_WRITE", "COMMUNICATION"],
        arguments: { recipients: ["to"] },
      },
      { name: "mcp__crm__list", risks: ["READ"], capability: "crm.read" },
      { name: "write_file", risks: ["WRITE"] },
    );
    expect(changesOf(before, after)).toEqual([
      {
        tool: "mcp__crm__list",
        before: { risks: ["READ"], canonical: "mcp__crm__list", from: "inferred" },
        after: { risks: ["READ"], canonical: "crm.read", from: "override" },
      },
      {
        tool: "mcp__crm__sync",
        before: { risks: ["EXTERNAL_WRITE"], canonical: "mcp__crm__sync", from: "override" },
        after: { risks: ["COMMUNICATION", "EXTERNAL_WRITE"], canonical: "mcp__crm__sync", from: "override" },
      },
      {
        tool: "write_file",
        before: { risks: ["WRITE"], canonical: "write_file", from: "table" },
        after: { risks: ["WRITE"], canonical: "write_file", from: "override" },
      },
    ]);
    expect(changesOf(after, after)).toEqual([]);
  });
});
