import { describe, expect, it } from "vitest";
import { addressesIn, isAddressList, looksLikeAddress } from "../../../src/policy/effects/people.ts";
import { tool } from "./support.ts";

function addresses(text: string): string[] {
  return addressesIn(text).found.map((one) => one.address);
}

describe("addresses in a text", () => {
  it.each<[string, string[]]>([
    ["a@x.example", ["a@x.example"]],
    [" A@X.Example ", ["a@x.example"]],
    ["Ana <a@x.example>", ["a@x.example"]],
    ['"Ana, the first" <a@x.example>, b@x.example', ["a@x.example", "b@x.example"]],
    ['"a, b" <c@x.example', ['"a', "c@x.example"]],
    ["mailto:a@x.example?subject=to%20y@x.example", ["a@x.example"]],
    ["mailto:a@x.example?cc=z@x.example", ["a@x.example", "z@x.example"]],
    ["a@x.example?x=1&amp;BCC=z%40x.example", ["a@x.example", "bcc=z%40x.example", "z@x.example"]],
    ["mailto:a@x.example%2Cz@x.example", ["a@x.example", "z@x.example"]],
    ["a@x.example\r\nBcc: z@x.example", ["a@x.example", "z@x.example"]],
    ["a@x.example?z@x.example", ["a@x.example", "z@x.example"]],
    ['"z@x.example" <a@x.example>', ["a@x.example", "z@x.example"]],
    ["a@x.example;b@x.example\nc@x.example", ["a@x.example", "b@x.example", "c@x.example"]],
    ["a@x.example b@x.example", ["a@x.example", "b@x.example"]],
    ["Team: a@x.example, b@x.example;", ["a@x.example", "b@x.example"]],
    ["a@x.example (Ana)", ["a@x.example"]],
    ["bob+home@x.example", ["bob+home@x.example"]],
    ["m.l.e@x.example", ["m.l.e@x.example"]],
    ["a@x.example.", ["a@x.example"]],
    ["a@BÜCHER.example", ["a@xn--bcher-kva.example"]],
    ["#ops, #news", ["#ops", "#news"]],
    ["Acme, London", ["acme", "london"]],
    ["Acme Ltd, London", ["acme ltd, london"]],
    ["+1 (555) 555-0123", ["+15555550123"]],
    ["GB29 NWBK 6016 1331 9268 19", ["gb29nwbk60161331926819"]],
    ["", []],
    [",;", [",;"]],
  ])("%j", (text, expected) => {
    expect(addresses(text)).toEqual(expected);
  });

  it.each([
    ['"bob@x.example" <evil@y.example>', "display-name"],
    ["bob@x.example <evil@y.example>", "display-name"],
    ["a@x@y.example", "two-addresses"],
    ["jоhn@x.example", "mixed-script"],
    ["a@exаmple.com", "mixed-script"],
    ["a@x\u200b.example", "invisible-character"],
    ["a@ｘ.example", "compatibility-form"],
  ])("sees through %j", (text, cause) => {
    expect(addressesIn(text).found.flatMap((one) => one.causes)).toContain(cause);
  });

  it.each([
    "a@münchen.de",
    "例@例え.jp",
    "иван@почта.рф",
    '"a@x.example" <a@x.example>',
    "Zoë Ångström <z@x.example>",
    "李雷 <l@x.example>",
  ])("takes %j for what it says", (text) => {
    expect(addressesIn(text).found.flatMap((one) => one.causes)).toEqual([]);
  });

  it("knows a text that is addresses and says nothing else", () => {
    for (const text of [
      "a@x.example",
      "a@x.example, Bo <b@x.example>",
      "bcc: a@x.example",
      "mailto:a@x.example?subject=Hi there",
      `${"a".repeat(90)}@x.example`,
      "a@b.c.d.e.f.g.h.i.j.k.l.example",
      "a%40x.example",
      "- a@x.example\n- b@x.example",
      "@priya",
      "+15555550123",
    ])
      expect([text, isAddressList(text)]).toEqual([text, true]);
    for (const text of [
      "write to a@x.example please",
      "logo@2x.png",
      "git@github.com:acme/site.git",
      "lodash@4.17.21",
      "https://a@x.example/",
      "a@b",
      "5 @ 3.50",
      "",
    ])
      expect([text, isAddressList(text)]).toEqual([text, false]);
  });

  it("knows what can only be an address", () => {
    for (const text of ["a@x.example", "+15555550123", "@priya"]) expect(looksLikeAddress(text)).toBe(true);
    for (const text of ["Lyon", "#ops", "7781", "a@b", ""]) expect(looksLikeAddress(text)).toBe(false);
  });
});

describe("bounds", () => {
  it("says when there are more than it tells", () => {
    const many = Array.from({ length: 501 }, (_, at) => `p${at}@x.example`);
    const effects = tool("mcp__mail__send_message", { to: many });
    expect(effects.recipients).toHaveLength(500);
    expect(effects.opaque?.causes).toContain("too-many-recipients");
    expect(tool("mcp__mail__send_message", { to: many.join(",") }).opaque?.causes).toContain(
      "too-many-recipients",
    );
    expect(tool("mcp__mail__send_message", { to: many.slice(0, 500) }).opaque).toBeNull();
  });

  it("hides nobody behind space or in a list that is too long", () => {
    const padded = tool("mcp__mail__send_message", {
      to: "a@x.example",
      zz: `${" ".repeat(70_000)}e@x.example`,
    });
    expect(padded.recipients.map(({ address }) => address)).toContain("e@x.example");
    const listed = tool("mcp__mail__send_message", { to: "a@x.example", zz: "e@x.example, ".repeat(6000) });
    expect(listed.recipients.map(({ address }) => address)).toContain("e@x.example");
    expect(listed.opaque?.causes).toContain("too-many-recipients");
  });

  it("holds for things and acts as well", () => {
    const rows = Array.from({ length: 600 }, (_, at) => ({ cell: `c${at}` }));
    expect(tool("mcp__sheets__append_rows", { rows }).opaque?.causes).toContain("too-many-items");
    const sums = rows.map((_, at) => ({ amount: at + 1 }));
    expect(tool("mcp__bank__pay_all", { sums }).opaque?.causes).toContain("too-many-amounts");
  });

  it("reads the same whatever order the arguments come in", () => {
    const one = tool("mcp__mail__send_message", {
      to: "a@x.example",
      cc: ["b@x.example", "c@x.example"],
      subject: "s",
    });
    const other = tool("mcp__mail__send_message", {
      subject: "s",
      cc: ["b@x.example", "c@x.example"],
      to: "a@x.example",
    });
    expect(other).toEqual(one);
  });
});
