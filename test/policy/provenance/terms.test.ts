import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  needleOf,
  pairQuery,
  pairsOf,
  searchable,
  wordQuery,
  wordsOf,
} from "../../../src/policy/provenance/index.ts";

const terms = (query: string | null): string[] =>
  query === null ? [] : query.split(" AND ").map((term) => term.slice(1, -1));

describe("the terms of a text", () => {
  it("are pairs of neighbouring words, and of characters where nothing parts words", ({ expect }) => {
    for (const [text, pairs] of [
      ["we ship on friday", "we_ship ship_on on_friday"],
      ["don't ship v2.1", "don_t t_ship ship_v2 v2_1"],
      ["数据库就用postgres吧", "数据 据库 库就 就用"],
      ["use postgres，周五 then ship", "use_postgres 周五 then_ship"],
      ["yes", ""],
      ["a a a a", "a_a"],
    ] as const)
      expect(pairsOf(text), text).toBe(pairs);
    expect(wordsOf("we ship 周五上线, we do")).toBe("we ship 周五 五上 上线 do");
  });

  it("of a quote are among those of every text that holds it", () => {
    const word = fc.constantFrom(
      "ship",
      "Friday",
      "don't",
      "v2.1",
      "数据库",
      "上线",
      "naïve",
      "A_B",
      "50%",
      "—",
    );
    const words = fc.array(word, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(words, words, words, (before, quoted, after) => {
        const text = searchable([...before, ...quoted, ...after].join(" "));
        const needle = needleOf(quoted.join(" "));
        const held = new Set(pairsOf(text).split(" "));
        const heldWords = new Set(wordsOf(text).split(" "));
        return (
          terms(pairQuery(needle)).every((term) => held.has(term)) &&
          terms(wordQuery(needle)).every((term) => heldWords.has(term))
        );
      }),
    );
  });

  it("ask for no more than a few, the longest, and nothing where there are none", ({ expect }) => {
    expect(terms(pairQuery("we ship the enormous release on friday morning early"))).toEqual([
      "enormous_release",
      "friday_morning",
      "morning_early",
      "the_enormous",
    ]);
    for (const needle of ["", "yes", "—", "!!", "好"]) expect(pairQuery(needle)).toBeNull();
    expect(wordQuery('" * ^')).toBeNull();
  });

  it("take any text, however long, in time linear to it", ({ expect }) => {
    for (const unit of ["字", "ab ", "\\u0001", "👍", "a", "é_"]) {
      const long = unit.repeat(300_000);
      expect(pairsOf(long).length).toBeLessThan(2 * long.length + 10);
      expect(() => [wordsOf(long), pairQuery(long), wordQuery(long)]).not.toThrow();
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => !/["\0]/.test(pairsOf(text) + wordsOf(text))),
    );
  });
});
