/** Calls of a kind that was asked for, with another thing, further or more often than the words say. */
import { describe, expect, it } from "vitest";
import { compileRules, spend, type Use } from "../../../src/policy/fence/index.ts";
import type { JsonObject, Verdict } from "../../../src/policy/types.ts";
import held from "./cases/held.json" with { type: "json" };
import { judged, UNUSED } from "./support.ts";

interface Held {
  readonly says: string;
  /** In order, since budgets are used up. */
  readonly calls: readonly (readonly [{ readonly tool: string; readonly args: JsonObject }, Verdict])[];
}

const CASES = held as unknown as readonly Held[];

describe("what the words do not reach", () => {
  it.each(CASES.map((one) => [one.says, one] as const))("%s", (says, { calls }) => {
    const policy = compileRules([{ text: says }]);
    let use: Use = UNUSED;
    const got = calls.map(([call]) => {
      const { verdict, permits } = judged(policy, call, { use });
      if (verdict === "allow") use = spend(use, permits);
      return verdict;
    });
    expect(calls.map(([call], at) => [JSON.stringify(call), got[at]])).toEqual(
      calls.map(([call, want]) => [JSON.stringify(call), want]),
    );
  });
});
