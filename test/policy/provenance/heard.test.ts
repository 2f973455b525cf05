import { describe, it } from "vitest";
import { needleOf } from "../../../src/policy/provenance/index.ts";
import { hear, standingIn } from "../../../src/policy/provenance/said.ts";
import cases from "./cases/heard.json" with { type: "json" };

// A line's end ends a sentence or not, and what stands below a line that denies is denied.
describe("a quote of several lines' words", () => {
  it.each(cases.map((row) => [row.want, row] as const))("is %s: %j", (_, { text, quote, want }) => {
    const heard = hear(text);
    if (standingIn(heard, needleOf(quote)) !== want) throw new Error(JSON.stringify(heard));
  });

  it("is heard in a text of any lines, in time linear to it", ({ expect }) => {
    for (const unit of ["\n", "a\n", "- a\n", "no:\n", " - no:\n- a\n", "\u0001\n\u0003", "不：\n"]) {
      const { text, breaks, lines = [], denied = [] } = hear(unit.repeat(60_000));
      for (const at of [...breaks, ...lines]) if (at > text.length) throw new Error(unit);
      for (const { start, end } of denied) if (start > end) throw new Error(unit);
      expect(text).not.toMatch(/[\u0001-\u0003]/);
    }
  });
});
