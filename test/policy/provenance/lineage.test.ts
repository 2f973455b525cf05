import * as fc from "fast-check";
import { describe, it } from "vitest";
import { lineage, skillWriteOf } from "../../../src/policy/provenance/index.ts";
import type { JsonObject } from "../../../src/policy/types.ts";

const manage = (args: JsonObject, stored: string | null = null) =>
  skillWriteOf({ tool: "skill_manage", args: { name: "brand", ...args } }, stored);

describe("a write to a skill", () => {
  it("says what stood there and what it leaves", ({ expect }) => {
    const place = { skill: "brand", file: "SKILL.md" };
    for (const [args, stored, action, after] of [
      [{ action: "create", content: "a" }, null, "create", "a"],
      [{ action: "edit", content: "b" }, "a", "edit", "b"],
      [{ action: "patch", old_string: "b", new_string: "c" }, "a b", "patch", "a c"],
      [{ action: "patch", old_string: "b", content: "c" }, "a b", "patch", "a c"],
      [{ action: "patch", old_string: "b", new_string: "c" }, null, "patch", null],
      [{ action: "patch", old_string: "x", new_string: "c" }, "a b", "patch", null],
      [{ action: " Delete " }, "a", "delete", null],
    ] as const)
      expect(manage(args, stored), JSON.stringify(args)).toEqual({ ...place, action, before: stored, after });
    expect(manage({ action: "write_file", file_path: "refs/a.md", file_content: "x" })).toEqual({
      skill: "brand",
      file: "refs/a.md",
      action: "write",
      before: null,
      after: "x",
    });
    expect(manage({ action: "remove_file", file_path: "refs/a.md" }, "x")?.action).toBe("delete");
  });

  it("is one through a path tool as well", ({ expect }) => {
    const path = "/home/u/.hermes/skills/creative/brand/SKILL.md";
    const place = { skill: "creative/brand", file: "SKILL.md" };
    expect(skillWriteOf({ tool: "write_file", args: { path, content: "x" } }, "y")).toEqual({
      ...place,
      action: "write",
      before: "y",
      after: "x",
    });
    const edit = { file_path: path.replaceAll("/", "\\"), old_string: "y", new_string: "z" };
    expect(skillWriteOf({ tool: "Edit", args: edit }, "x y")).toEqual({
      ...place,
      action: "patch",
      before: "x y",
      after: "x z",
    });
    const edits = [
      { old_string: "x", new_string: "1" },
      { old_string: "y", new_string: "2" },
    ];
    expect(skillWriteOf({ tool: "MultiEdit", args: { file_path: path, edits } }, "x y")?.after).toBe("1 2");
    const patch = "*** Begin Patch\n*** Update File: skills/brand/SKILL.md\n@@\n-a\n+b\n*** End Patch";
    expect(skillWriteOf({ tool: "apply_patch", args: { patch } }, null)).toMatchObject({
      skill: "brand",
      after: null,
    });
  });

  it("is not followed where it would grow without end", ({ expect }) => {
    const args = { action: "patch", old_string: "a", new_string: "b".repeat(500_000) };
    expect(manage(args, "a".repeat(1_000))).toMatchObject({ before: "a".repeat(1_000), after: null });
  });

  it("is nothing else", ({ expect }) => {
    for (const [tool, args] of [
      ["write_file", { path: "/home/u/work/skills.md", content: "x" }],
      ["write_file", { path: "/home/u/skills/SKILL.md", content: "x" }],
      ["read_file", { path: "/home/u/.hermes/skills/brand/SKILL.md" }],
      ["skill_manage", { name: "brand", action: "list" }],
      ["skill_manage", { name: "", action: "create", content: "x" }],
      ["skill_manage", { name: "brand", action: "create" }],
      ["memory", { action: "add", content: "x" }],
    ] as const)
      expect(skillWriteOf({ tool, args }, null), JSON.stringify(args)).toBeNull();
  });

  it("is read whatever the arguments are", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("skill_manage", "edit", "write"),
        fc.jsonValue(),
        fc.option(fc.string()),
        (tool, args, stored) => {
          const change = skillWriteOf({ tool, args: args as JsonObject }, stored);
          return change === null || typeof change.skill === "string";
        },
      ),
    );
  });
});

describe("a skill's lineage", () => {
  const write = (before: string | null, after: string | null, more: object = {}) => ({
    file: "SKILL.md",
    action: "edit",
    before_sha256: before,
    after_sha256: after,
    verdict: "allow",
    outcome: null,
    ...more,
  });

  it("continues from what the last write that ran left, file by file", ({ expect }) => {
    expect(
      lineage([
        write(null, "a"),
        write("a", "b", { verdict: "block" }),
        write("a", "b", { outcome: "error" }),
        write("a", "b", { verdict: "ask", outcome: "success" }),
        write(null, "x", { file: "refs/a.md" }),
        write("b", "c"),
        write("c", "d", { verdict: "ask" }),
        write("d", "e"),
      ]),
    ).toEqual(["first", "not-run", "not-run", "continues", "first", "continues", "not-run", "broken"]);
  });

  it("knows no more than it was told", ({ expect }) => {
    expect(lineage([write(null, null), write("a", "b"), write(null, "c"), write("c", "d")])).toEqual([
      "first",
      "unknown",
      "unknown",
      "continues",
    ]);
  });

  it("begins again after a deletion", ({ expect }) => {
    const gone = write("a", null, { action: "delete" });
    expect(
      lineage([write(null, "a"), gone, write(null, "b", { action: "create" }), write("b", "c")]),
    ).toEqual(["first", "continues", "continues", "continues"]);
    expect(lineage([write(null, "a"), gone, write("a", "b")]).at(-1)).toBe("broken");
  });
});
