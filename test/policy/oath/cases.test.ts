import { describe, expect, it } from "vitest";
import { judgeOath } from "../../../src/policy/oath/index.ts";
import type { Effects, Environment, Reason } from "../../../src/policy/types.ts";
import environmentCases from "./cases/environment.json" with { type: "json" };
import opaqueCases from "./cases/opaque.json" with { type: "json" };
import seedCases from "./cases/seed.json" with { type: "json" };
import { effects, sworn } from "./support.ts";

interface Want {
  readonly rule_key: string;
  readonly line: number;
  readonly clearable_by?: Reason["clearable_by"];
  readonly message?: string;
  readonly of?: readonly string[];
}

interface Case {
  readonly description: string;
  readonly oath: readonly string[];
  readonly environment?: Partial<Environment>;
  readonly effects: Partial<Effects>;
  readonly want: readonly Want[];
}

const FILES = { seed: seedCases, opaque: opaqueCases, environment: environmentCases } as unknown as Record<
  string,
  Case[]
>;

describe.each(Object.entries(FILES))("%s cases", (_, cases) => {
  it.each(cases)("$description", ({ oath, environment, effects: parts, want }) => {
    const findings = judgeOath([sworn(oath, environment, "organization", 7)], effects(parts));
    const got = findings.map(({ reason, unless }, index): Want => {
      const wanted = want[index];
      return {
        rule_key: reason.rule_key,
        line: reason.cite?.line ?? 0,
        ...(wanted?.clearable_by && { clearable_by: reason.clearable_by }),
        ...(wanted?.message && { message: reason.message }),
        ...(unless && { of: unless.of }),
      };
    });
    expect(got).toEqual(want);
    for (const { reason, verdict, unless } of findings) {
      const text = oath[(reason.cite?.line ?? 0) - 1]?.trim() ?? "";
      expect(reason.cite).toEqual({ oath: "organization", version: 7, line: reason.cite?.line, text });
      expect(reason.message).toContain(`"${text}"`);
      expect(reason.engine).toBe("oath");
      expect(verdict).toBe("block");
      expect(reason.clearable_by === "evidence").toBe(unless !== undefined);
    }
  });
});
