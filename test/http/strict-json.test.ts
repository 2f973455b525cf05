import * as fc from "fast-check";
import { describe, it } from "vitest";
import { MAX_DEPTH, readStrictJson, survivesDouble } from "../../src/http/strict-json.ts";

const doubtsOf = (text: string) => {
  const read = readStrictJson(text);
  return read.ok ? read.doubts.map((doubt) => `${doubt.cause} ${doubt.pointer}`) : read.code;
};

describe("strict JSON", () => {
  const cases: [string, string, unknown][] = [
    ["plain values", '{"a":[1,-2.5,1e3,true,null,"x"],"b":{}}', []],
    ["a member that is named twice", '{"a":1,"b":{"c":1,"c":2}}', ["duplicate-key /b/c"]],
    ["a member that is named twice in two spellings", '{"ab":1,"\\u0061b":2}', ["duplicate-key /ab"]],
    ["equal names in different objects", '[{"a":1},{"a":2}]', []],
    ["__proto__ twice", '{"__proto__":1,"__proto__":2}', ["duplicate-key /__proto__"]],
    ["a number beyond a double", '{"n":[0,9007199254740993]}', ["inexact-number /n/1"]],
    ["an infinite number", '{"n":1e400}', ["inexact-number /n"]],
    ["a lone surrogate", '{"a":"\\ud800"}', ["lone-surrogate /a"]],
    ["a surrogate pair", '{"a":"\\ud83d\\ude00"}', []],
    ["a quote behind escaped backslashes", '{"a":"\\\\","b":"\\\\\\"","b":1}', ["duplicate-key /b"]],
    ["a pointer that needs escaping", '{"a/b~":{"x":1,"x":1}}', ["duplicate-key /a~1b~0/x"]],
    ["a string that only looks like JSON", '{"a":"{\\"b\\":1,\\"b\\":2}"}', []],
    ["nothing", "", "malformed-json"],
    ["two values", "1 2", "malformed-json"],
    ["a comment", '{"a":1/*x*/}', "malformed-json"],
    ["deep nesting", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, "json-too-deep"],
    ["nesting at the bound", `${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}`, []],
    ["millions of values", `[${"0,".repeat(300_000)}0]`, "json-too-deep"],
  ];
  for (const [name, text, want] of cases)
    it(`judges ${name}`, ({ expect }) => {
      expect(doubtsOf(text)).toEqual(want);
    });

  it("believes whatever JSON.stringify writes, and reads it as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        const read = readStrictJson(text);
        if (!read.ok) return false;
        const doubtful = read.doubts.some(
          (doubt) => doubt.cause !== "inexact-number" || !text.includes("-0"),
        );
        return !doubtful && JSON.stringify(read.value) === text;
      }),
      { numRuns: 2_000 },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => typeof readStrictJson(text).ok === "boolean"),
    );
    const noise = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "d800", "1", "-", "e", "a", " "),
    );
    fc.assert(
      fc.property(noise, (parts) => typeof readStrictJson(parts.join("")).ok === "boolean"),
      { numRuns: 2_000 },
    );
  });

  it("knows which numbers a double keeps", ({ expect }) => {
    for (const kept of [
      "0",
      "1",
      "-1",
      "1.50",
      "0.1",
      "1e2",
      "1E+2",
      "123456789012345680000",
      "5e-324",
      "9007199254740992",
    ])
      expect(survivesDouble(kept), kept).toBe(true);
    for (const lost of [
      "-0",
      "-0.0",
      "9007199254740993",
      "0.10000000000000001",
      "1e400",
      "1e-400",
      "123456789012345678901",
    ])
      expect(survivesDouble(lost), lost).toBe(false);
  });

  it("takes time in proportion to the text", ({ expect }) => {
    const time = (text: string) => {
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 3; i += 1) {
        const start = performance.now();
        readStrictJson(text);
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    for (const unit of ['"\\\\",', "0.1234567,", '"aaaaaaaaaaaaaaaa",', '{"a":1},'])
      expect(time(`[${unit.repeat(40_000)}0]`), unit).toBeLessThan(
        40 * time(`[${unit.repeat(4_000)}0]`) + 20,
      );
  });
});
