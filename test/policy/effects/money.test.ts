import { describe, expect, it } from "vitest";
import { multiplied, sumOf, sumsIn } from "../../../src/policy/effects/money.ts";
import { tool } from "./support.ts";

describe("sums", () => {
  it.each<[unknown, string | null, string | null]>([
    [35, "35", null],
    [19.99, "19.99", null],
    [1e-7, "0.0000001", null],
    [1e20, "100000000000000000000", null],
    [-0, "0", null],
    [0.1 + 0.2, "0.30000000000000004", null],
    [Number.NaN, null, null],
    [Number.POSITIVE_INFINITY, null, null],
    ["35", "35", null],
    ["0035.500", "35.5", null],
    ["1,450.00", "1450", null],
    ["1.450,00 €", "1450", "EUR"],
    ["1,450", "1450", null],
    ["1.450", "1450", null],
    ["50.000 EUR", "50000", "EUR"],
    ["0.450", "0.45", null],
    ["1.2345", "1.2345", null],
    ["1.234 BTC", "1.234", "BTC"],
    ["５０ EUR", "50", "EUR"],
    ["19,99", "19.99", null],
    ["1 450,5", "1450.5", null],
    ["$35", "35", "USD"],
    ["35 eur", "35", "EUR"],
    ["EUR 35", "35", "EUR"],
    ["£-5", "-5", "GBP"],
    ["¥100", "100", null],
    ["1,2,3", null, null],
    ["1.2.3,4", null, null],
    ["a lot", null, null],
    ["35 a month", null, null],
    ["9".repeat(65), null, null],
    [true, null, null],
    [null, null, null],
  ])("%j is %s %s", (value, sum, currency) => {
    expect(sumOf(value)).toEqual(sum === null ? null : { value: sum, currency });
  });

  it.each<[string, unknown, string | null]>([
    ["27.5", 2, "55"],
    ["0.1", 3, "0.3"],
    ["19.99", "12", "239.88"],
    ["5", 1, "5"],
    ["5", 0, null],
    ["5", 1.5, null],
    ["5", "many", null],
    ["5", undefined, null],
  ])("%s times %j is %s", (sum, times, product) => {
    expect(multiplied(sum, times)).toBe(product);
  });

  it.each<[string, string[]]>([
    ["40k", ["40000"]],
    ["5e4", ["50000"]],
    ["1.5m EUR", ["1500000"]],
    ["50 x 100", ["50", "100"]],
    ["40 EUR a day", ["40"]],
    ["5,0,0", ["500"]],
    ["a lot", []],
  ])("in %j are %j", (text, sums) => {
    expect(sumsIn(text).map(({ value }) => value)).toEqual(sums);
    expect(
      tool("mcp__x__pay", { amount: text })
        .amounts.map(({ value }) => value)
        .sort(),
    ).toEqual([...sums].sort());
  });

  it("that another argument gives a currency for are read in it", () => {
    expect(tool("mcp__x__pay", { amount: "1.234", currency: "ETH" }).amounts[0]?.value).toBe("1.234");
    expect(tool("mcp__x__pay", { amount: "1.234", currency: "EUR" }).amounts[0]?.value).toBe("1234");
  });

  it("are money where money moves, and numbers elsewhere", () => {
    expect(tool("mcp__x__update_setting", { value: 5 }).amounts).toEqual([]);
    expect(tool("mcp__x__get_price", { price: 5 }).amounts).toEqual([]);
    expect(tool("mcp__x__pay", { value: 5 }).amounts).toHaveLength(1);
    expect(tool("mcp__x__pay", { amount_cents: 500 }).amounts[0]?.minor).toBe(true);
  });
});
