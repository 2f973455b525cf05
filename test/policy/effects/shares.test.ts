import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { skeletonOf } from "../../../src/policy/text/lookalike.ts";
import type { JsonObject } from "../../../src/policy/types.ts";
import { tool } from "./support.ts";

/** What one share gives, besides whom it is given to. */
interface Row {
  readonly args: JsonObject;
  /** The gravest right, in the words that people use; `null` where it is given under its own name alone. */
  readonly access: string | null;
  readonly public: boolean;
}

const rows = JSON.parse(readFileSync(`${import.meta.dirname}/cases/shares.json`, "utf8")) as Row[];

describe("what a share gives", () => {
  it.each(rows)("$args", ({ args, access, public: all }) => {
    const { items, recipients } = tool("mcp__drive__share_file", {
      file_id: "f",
      email: "a@x.example",
      ...args,
    });
    expect(items.find(({ name }) => name === "access")?.value ?? null).toBe(access);
    expect(recipients.some(({ role }) => role === "public")).toBe(all);
  });
});

describe("a capital I", () => {
  it.each([
    ["john@example.com", "john@exampIe.com"],
    ["files.example.org", "fiIes.example.org"],
    ["paypal.com", "paypaI.com"],
    ["paypal.com", "paypai.com"],
  ])("makes %j of %j", (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });

  it.each([
    ["ana@acme.example", "anna@acme.example"],
    ["jim@acme.example", "jam@acme.example"],
  ])("does not make %j of %j", (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });
});
