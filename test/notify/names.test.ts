import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, it } from "vitest";
import { escapedForSlack } from "../../src/notify/kinds/slack.ts";
import { plainText, shownName } from "../../src/notify/names.ts";

const CASES = JSON.parse(readFileSync(join(import.meta.dirname, "cases/names.json"), "utf8")) as [
  string,
  string,
][];

describe("a name that a stranger chose", () => {
  it.for(CASES)("%j is shown as %j", ([name, shown], { expect }) => {
    expect(shownName(name)).toBe(shown);
  });

  it("is cut, however long it is, and says so", ({ expect }) => {
    expect([...shownName("x".repeat(1_000_000))]).toHaveLength(81);
    expect(shownName("x".repeat(81)).endsWith("…")).toBe(true);
    expect(shownName("x".repeat(80))).toBe("x".repeat(80));
    expect([...shownName("\u202e".repeat(1_000))].length).toBeLessThanOrEqual(81);
  });

  it("is one line without anything unseen, and no address, whatever it is", ({ expect }) => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc
        .array(
          fc.constantFrom("\n", "\u202e", "”", "“", "http://a.com", "@all", "<", "&", "\u0301", "a", " "),
          {
            maxLength: 60,
          },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(nasty, (name) => {
        const shown = shownName(name);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|[“”]|:\/\/|@|\p{M}{3}/u);
        expect([...shown].length).toBeLessThanOrEqual(81);
        expect(plainText([{ name: shown }])).toBe(`“${shown}”`);
        expect(escapedForSlack(shown)).not.toMatch(/[<>]/);
      }),
      { numRuns: 500 },
    );
  });
});
