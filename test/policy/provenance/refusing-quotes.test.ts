import { describe, it } from "vitest";
import { startsNegated } from "../../../src/policy/provenance/said.ts";

describe("a quote that refuses", () => {
  it.for([
    "i do not approve the red logo at all",
    "i will not approve the red logo",
    "i never approved the red logo",
    "i cannot approve this",
    "i don't want analytics",
    "i really don't want it",
    "i refuse to pay for it",
    "i decided against the red logo",
    "we should not use redis",
    "we have not agreed to ship",
    "don't approve it",
    "please don't ask again, just ship it",
    "我不同意合并",
    "我们不批准这个方案",
    "我还没同意",
  ])("approves nothing: %s", (needle, { expect }) => {
    expect(startsNegated(needle)).toBe(true);
  });

  it.for([
    "i do approve the red logo",
    "i decided we ship on friday",
    "i don't mind shipping on friday",
    "i can't wait to ship it",
    "i have no objection to the plan",
    "we can ship it, no need to ask",
    "go ahead, don't wait for me",
    "no problem, ship it",
    "my answer is yes",
    "我不介意用红色",
    "我没有意见就这么办",
  ])("is none: %s", (needle, { expect }) => {
    expect(startsNegated(needle)).toBe(false);
  });
});
