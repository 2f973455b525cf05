import { describe, expect, it } from "vitest";
import { sqlEffect } from "../../../src/policy/effects/sql.ts";
import type { JsonObject } from "../../../src/policy/types.ts";
import table from "./cases-orders.json" with { type: "json" };
import { tool } from "./support.ts";

interface Case {
  readonly tool: string;
  readonly args: JsonObject;
  /** Every class of the call, or some that it must have. */
  readonly risks?: readonly string[];
  readonly has?: readonly string[];
  readonly to?: readonly string[];
}

describe("what arguments order that a tool's name does not say", () => {
  it.each(table.calls as unknown as Case[])("$tool $args", ({ tool: name, args, risks, has, to }) => {
    const effects = tool(name, args);
    if (risks !== undefined) expect(effects.risks).toEqual(risks);
    expect(effects.risks).toEqual(expect.arrayContaining([...(has ?? [])]));
    if (to !== undefined)
      expect(effects.recipients.map(({ address }) => address)).toEqual(expect.arrayContaining([...to]));
  });

  it("reads long statements in time", () => {
    const started = performance.now();
    for (const unit of ["(", "-- ", "/*", "'", "select ", "mutation ", "with a as (", "from ", "pg_x"])
      sqlEffect(unit.repeat(8000));
    for (const unit of ["mutation ", "query ", "$out ", "grant ", "-- x\n"])
      tool("mcp__x__get", { query: unit.repeat(8000), sql: unit.repeat(8000) });
    expect(performance.now() - started).toBeLessThan(4000);
  });
});
