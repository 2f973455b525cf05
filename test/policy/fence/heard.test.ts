/** Prohibitions that look like requests, and names that no space sets apart: what must not come out as a permission. */
import { describe, expect, it } from "vitest";
import cases from "./cases/heard.json" with { type: "json" };
import { judged, policyOf } from "./support.ts";

interface Case {
  readonly says: string;
  /** `held`: asked about or refused. */
  readonly calls: readonly (readonly [{ readonly tool: string; readonly args: object }, "allow" | "held"])[];
}

describe("what is heard in a turn", () => {
  for (const { says, calls } of cases as unknown as Case[])
    it(JSON.stringify(says), () => {
      const policy = policyOf([says]);
      for (const [call, wanted] of calls) {
        const { verdict } = judged(policy, call as Parameters<typeof judged>[1]);
        expect(verdict === "allow" ? "allow" : "held", JSON.stringify(call.args)).toBe(wanted);
      }
    });
});
