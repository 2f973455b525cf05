/**
 * What people plainly ask of common tools, and beside each the twin that goes to another target, further or to more
 * people: the one must go through, the other must not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileRules, spend } from "../../../src/policy/fence/index.ts";
import type { JsonObject, Verdict } from "../../../src/policy/types.ts";
import { judged, UNUSED } from "./support.ts";

interface Asked {
  readonly says: string | readonly string[];
  /** Tool, its arguments or the command of a shell, and the first letters of the verdicts that are right. */
  readonly calls: readonly (readonly [string, JsonObject | string, string])[];
}

const FOLDER = join(import.meta.dirname, "cases/asked");
const LETTER: Readonly<Record<Verdict, string>> = { allow: "a", ask: "q", block: "b" };

for (const file of readdirSync(FOLDER)) {
  const cases = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly Asked[];
  describe(file.replace(/\.json$/, ""), () => {
    it.each(cases.map((one) => [JSON.stringify(one.says), one] as const))("%s", (_says, { says, calls }) => {
      const policy = compileRules((typeof says === "string" ? [says] : says).map((text) => ({ text })));
      const wrong: string[] = [];
      for (const [tool, args, want] of calls) {
        // Each call by itself: budgets have cases of their own.
        const { verdict, rules } = judged(
          policy,
          { tool, args: typeof args === "string" ? { command: args } : args },
          { use: spend(UNUSED, []) },
        );
        if (!want.includes(LETTER[verdict]))
          wrong.push(`${tool} ${JSON.stringify(args)}: ${verdict} for ${want} (${rules.join(" ")})`);
      }
      expect(wrong).toEqual([]);
    });
  });
}
