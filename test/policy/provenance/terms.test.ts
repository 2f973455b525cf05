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

const terms = (query: string | null): string[] => (query === null ? [] : query.split(" AND "));
const listed = (text: string): string[] => (text === "" ? [] : text.split(" "));

describe("the terms of a text", () => {
  it("are as many as its pairs of neighbouring words, and of characters where nothing parts words", ({
    expect,
  }) => {
    for (const [text, pairs] of [
      ["we ship on friday", 3],
      ["don't ship v2.1", 4],
      ["数据库就用postgres吧", 4],
      ["use postgres，周五 then ship", 3],
      ["पैसे वापस नहीं होंगे", 3],
      ["1\ufe0f\u20e3 ship on friday", 3],
      ["שָׁלוֹם עֲלֵיכֶם", 1],
      ["yes", 0],
      ["a a a a", 1],
    ] as const)
      expect(listed(pairsOf(text)), text).toHaveLength(pairs);
    expect(listed(wordsOf("we ship 周五上线, we do"))).toHaveLength(6);
  });

  it("say nothing of the text, and are one word to any index", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) =>
        [...listed(pairsOf(text)), ...listed(wordsOf(text)), ...terms(wordQuery(text))].every((term) =>
          /^h[a-z0-9]{1,11}$/.test(term),
        ),
      ),
    );
  });

  it("tell texts apart", ({ expect }) => {
    const words = Array.from({ length: 300 }, (_, n) => `w${n}`);
    const all = new Set(words.flatMap((a) => words.map((b) => pairsOf(`${a} ${b}`))));
    expect(all.size).toBe(90_000);
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
      "नहीं",
    );
    const words = fc.array(word, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(words, words, words, (before, quoted, after) => {
        const text = searchable([...before, ...quoted, ...after].join(" "));
        const needle = needleOf(quoted.join(" "));
        const held = new Set(listed(pairsOf(text)));
        const heldWords = new Set(listed(wordsOf(text)));
        return (
          terms(pairQuery(needle)).every((term) => held.has(term)) &&
          terms(wordQuery(needle)).every((term) => heldWords.has(term))
        );
      }),
    );
  });

  it("ask for no more than a few, the longest, and nothing where there are none", ({ expect }) => {
    const longest = ["enormous release", "friday morning"].map((pair) => pairsOf(pair));
    expect(terms(pairQuery("we ship the enormous release on friday morning early"))).toEqual(longest);
    for (const needle of ["", "yes", "—", "!!", "好"]) expect(pairQuery(needle)).toBeNull();
    expect(wordQuery('" * ^')).toBeNull();
  });

  it("take any text, however long, in time linear to it", ({ expect }) => {
    for (const unit of ["字", "ab ", "\u0001", "👍", "a", "é_"]) {
      const long = unit.repeat(300_000);
      expect(() => [pairsOf(long), wordsOf(long), pairQuery(long), wordQuery(long)]).not.toThrow();
    }
  });
});
