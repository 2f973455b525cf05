import { describe, expect, it } from "vitest";
import {
  effectsOf,
  effectsWith,
  parseToolTable,
  TABLES,
  toolsWith,
} from "../../../src/policy/effects/index.ts";
import type { Annotations, Effects, JsonObject } from "../../../src/policy/types.ts";
import { context } from "./support.ts";

function read(name: string, args: JsonObject, annotations: Annotations): Effects {
  return effectsOf({ tool: name, args }, { ...context(), annotations });
}

describe("what a server says of its tool", () => {
  it.each<[string, Annotations, string[]]>([
    ["mcp__x__get_report", { readOnlyHint: true }, ["READ"]],
    ["mcp__x__get_report", { readOnlyHint: false }, ["READ", "UNKNOWN"]],
    ["mcp__x__get_report", { destructiveHint: true }, ["DELETE", "READ"]],
    ["mcp__x__get_report", { openWorldHint: true }, ["NETWORK", "READ"]],
    ["mcp__x__get_report", { idempotentHint: true }, ["READ"]],
    ["mcp__x__update_page", { destructiveHint: true, readOnlyHint: false }, ["DELETE", "EXTERNAL_WRITE"]],
    ["mcp__x__frobnicate", { destructiveHint: true }, ["DELETE", "UNKNOWN"]],
    // Never lower.
    ["mcp__x__delete_page", { readOnlyHint: true, destructiveHint: false }, ["DELETE"]],
    ["mcp__x__send_message", { readOnlyHint: true }, ["COMMUNICATION"]],
    ["mcp__x__frobnicate", { readOnlyHint: true }, ["UNKNOWN"]],
    // What a class says already needs no hint.
    ["mcp__x__send_message", { destructiveHint: true }, ["COMMUNICATION"]],
  ])("%s %j", (name, annotations, risks) => {
    expect(read(name, {}, annotations).risks).toEqual(risks);
  });

  it("makes a raised call opaque, with what its arguments name", () => {
    const effects = read("mcp__fs__get_file", { path: "/srv/a" }, { readOnlyHint: false });
    expect(effects.opaque?.causes).toContain("declared-change");
    expect(effects.opaque?.names).toContain("/srv/a");
  });

  it("says nothing of a shell, whose effect is in its command", () => {
    expect(read("mcp__box__bash", { command: "ls" }, { destructiveHint: true }).risks).toEqual(["READ"]);
  });

  it("gives way to what the organization says", () => {
    const parsed = parseToolTable({ tools: [{ name: "mcp__x__get_report", risks: ["READ"] }] });
    if (!parsed.ok) throw new Error("not a table");
    const effects = effectsWith(
      toolsWith(TABLES, parsed.table),
      { tool: "mcp__x__get_report", args: {} },
      { ...context(), annotations: { readOnlyHint: false } },
    );
    expect(effects.risks).toEqual(["READ"]);
  });

  it("has every act it raises in words", () => {
    expect(read("mcp__x__get_report", {}, { destructiveHint: true }).acts.map((act) => act.risk)).toEqual([
      "DELETE",
      "READ",
    ]);
  });
});
