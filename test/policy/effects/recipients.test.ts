import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/policy/types.ts";
import { tool } from "./support.ts";

/** Whom a call reaches, all of them: whoever an argument hides, and nobody who is only mentioned. */
interface Row {
  readonly tool: string;
  readonly args: JsonObject;
  readonly reaches: readonly string[];
  /** True where the spelling is made to hide somebody. */
  readonly deceives?: true;
}

const rows = JSON.parse(readFileSync(`${import.meta.dirname}/cases/recipients.json`, "utf8")) as Row[];

describe("whom a call reaches", () => {
  it.each(rows)("$tool $args", ({ tool: name, args, reaches, deceives }) => {
    const { recipients, deceptions } = tool(name, args);
    expect([...new Set(recipients.map(({ address }) => address))].sort()).toEqual(reaches);
    expect(deceptions.length > 0).toBe(deceives === true);
  });
});
