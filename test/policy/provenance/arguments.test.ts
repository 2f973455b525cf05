import { describe, it } from "vitest";
import { inquire, judgeProvenance, readWrite } from "../../../src/policy/provenance/index.ts";
import type { JsonObject } from "../../../src/policy/types.ts";
import cases from "./cases/arguments.json" with { type: "json" };

/** Why each claim is not backed, or where its quote stands; what the write is where there is none to read. */
function outcome(tool: string, args: JsonObject, stored: string | null): string[] | string {
  const write = readWrite({ tool, args }, stored);
  if (write.kind !== "write") return write.kind;
  // Nobody typed anything.
  const { claims } = judgeProvenance(inquire(write), []);
  return claims.map(({ reason, matched_in }) => reason ?? matched_in ?? "");
}

// Whatever the arguments of a write are called and wherever they stand: what they hold is read, and only what stands in
// the text being edited counts as stored.
describe("the arguments of a write", () => {
  it.each(cases.map((row) => [`${row.why}: ${row.tool}`, row] as const))(
    "%s",
    (_, { tool, args, stored, want }) => {
      const got = outcome(tool, args as JsonObject, stored ?? null);
      if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(JSON.stringify(got));
    },
  );
});

describe("the cost of a write", () => {
  const SIZE = 400_000;
  const filled = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length));
  const listed = (count: number, one: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => one(at)).join("");
  const operations = (one: (at: number) => JsonObject): JsonObject => ({
    operations: Array.from({ length: 1000 }, (_, at) => one(at)),
  });
  const patch = (hunk: (at: number) => string): JsonObject => ({
    input: `*** Begin Patch\n*** Update File: CLAUDE.md\n${listed(40_000, hunk)}*** End Patch`,
  });

  // Each of these took seconds where it was not linear; the bound is wide since the machine does other things too.
  it.each<[string, string, JsonObject, string | null]>([
    [
      "operations that find nothing in many entries",
      "memory",
      operations((at) => ({ action: "patch", old_text: `q q${at}`, content: "a" })),
      filled("x\n§\n"),
    ],
    [
      "operations that find one of many entries",
      "memory",
      operations((at) => ({ action: "replace", old_text: `e${at}`, content: "a" })),
      listed(60_000, (at) => `e${at}\n§\n`),
    ],
    [
      "operations that let an entry grow",
      "memory",
      operations(() => ({ action: "patch", old_text: "y", content: "y".repeat(800) })),
      filled("y"),
    ],
    ["many small hunks", "apply_patch", patch((at) => `@@\n+a${at}\n`), null],
    ["many hunks that keep lines", "apply_patch", patch((at) => `@@\n user ${at}\n+user a${at}\n`), null],
    ["many hunks of a stored text", "apply_patch", patch((at) => `@@\n-b\n+a${at}\n`), filled("b\n")],
    [
      "many edits that find nothing",
      "multi_edit",
      {
        path: "CLAUDE.md",
        edits: Array.from({ length: 10_000 }, (_, at) => ({
          old_string: `q q${at}`,
          new_string: `user ${at}`,
        })),
      },
      filled("x y\n"),
    ],
  ])("does not grow with the product of its parts: %s", (_, tool, args, stored) => {
    const start = performance.now();
    outcome(tool, args, stored);
    const took = performance.now() - start;
    if (took > 1500) throw new Error(`${took} ms`);
  });

  it("is refused where too much would have to be looked through", ({ expect }) => {
    const args = operations((at) => ({ action: "patch", old_text: `q q${at}`, content: "a" }));
    expect(readWrite({ tool: "memory", args }, filled("x\n§\n"))).toMatchObject({ kind: "unreadable" });
  });
});
