import { describe, it } from "vitest";
import { KINDS } from "../../../scripts/lib/judge/provenance.mjs";
import { captureTurn } from "../../../src/policy/provenance/index.ts";
import turns from "./cases/capture.json" with { type: "json" };
import writes from "./cases/evidence.json" with { type: "json" };

interface Verdict {
  readonly verdict: string;
  readonly reasons: readonly string[];
}

// As `npm run judge` reads them; the words of a case say which condition of the seed it is about.
describe("evidence", () => {
  it.each(writes.map((row) => [row.why, row] as const))("%s", (_, row) => {
    const got: Verdict = KINDS.evidence(row as never);
    const { verdict, reasons, alt_reasons, ...fields } = row.expect as Verdict & { alt_reasons?: string[] };
    const same = (wanted: readonly string[]): boolean =>
      [...new Set(got.reasons)].sort().join() === [...wanted].sort().join();
    if (got.verdict !== verdict || !(same(reasons) || (alt_reasons ?? []).some((one) => same([one]))))
      throw new Error(JSON.stringify(got));
    for (const [key, value] of Object.entries(fields))
      if ((got as unknown as Record<string, unknown>)[key] !== value) throw new Error(JSON.stringify(got));
  });
});

describe("capture", () => {
  it.each(turns.map((turn) => [turn.why, turn] as const))("%s", (_, { captured, ...turn }) => {
    const got = captureTurn(turn)?.text ?? null;
    if (got !== (captured?.trim() ?? null)) throw new Error(JSON.stringify(got));
    // What was kept is kept as it is.
    if (got !== null && !/^\[/.test(got) && captureTurn({ ...turn, raw: got })?.text !== got)
      throw new Error(`again: ${got}`);
  });
});
