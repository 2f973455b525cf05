import * as fc from "fast-check";
import { describe, it } from "vitest";
import { isJcs } from "../../integrations/verify/hashed.mjs";
import { canonicalText, isCanonical, MAX_JSON_DEPTH } from "../../src/ledger/index.ts";
import { isPlainlyCanonical } from "../../src/ledger/scan.ts";

/** JSON as a stranger may write it: with spaces, other notations, members in any order and twice. */
const loose = fc.letrec<{ json: string }>((tie) => {
  const name = fc.constantFrom(
    '"a"',
    '"b"',
    '"ä"',
    '"\\u0061"',
    '"\\n"',
    '"10"',
    '"9"',
    '""',
    '"\ud83d\ude00"',
    '"\ufb33"',
  );
  const leaf = fc.constantFrom(
    ..."0 1 -1 -0 10 01 1.5 1e3 1E3 0.1 123456789012345 1234567890123456 9007199254740993 1e400 null true false nul".split(
      " ",
    ),
    ...[
      '""',
      '"a"',
      '"\\u00e9"',
      '"é"',
      '"\\/"',
      '"\\\\"',
      '"\\""',
      '"\\ud800"',
      '"\\u001f"',
      '"\\u001F"',
      '"\u007f"',
      '"\t"',
      '"\ud800"',
    ],
  );
  const space = fc.constantFrom("", "", "", "", "", " ", "\n");
  return {
    json: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc
        .tuple(fc.array(tie("json"), { maxLength: 3 }), space)
        .map(([list, gap]) => `[${list.join(`,${gap}`)}]`),
      fc
        .tuple(fc.array(fc.tuple(name, tie("json")), { maxLength: 4 }), space)
        .map(([all, gap]) => `{${all.map(([key, value]) => `${key}:${gap}${value}`).join(",")}}`),
    ),
  };
}).json;

const slowly = (text: string): boolean => {
  try {
    return canonicalText(JSON.parse(text)) === text;
  } catch {
    return false;
  }
};

describe("the scan", () => {
  it("says of no text that it is canonical when it is not, and both verifiers say what the library says", ({
    expect,
  }) => {
    let [plain, canonical] = [0, 0];
    fc.assert(
      fc.property(loose, (text) => {
        const due = slowly(text);
        const quick = isPlainlyCanonical(text, MAX_JSON_DEPTH);
        plain += quick ? 1 : 0;
        canonical += due ? 1 : 0;
        return isCanonical(text) === due && isJcs(text) === due && (!quick || due);
      }),
      { numRuns: 20_000 },
    );
    expect(canonical).toBeGreaterThan(1_000);
    expect(plain / canonical).toBeGreaterThan(0.5);
  });

  it("takes every canonical text, and none with one character changed that the library refuses", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.nat(), fc.nat(0x7f), (value, where, code) => {
        let text: string;
        try {
          text = canonicalText(value);
        } catch {
          return true;
        }
        const at = where % text.length;
        const other = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        return (
          isCanonical(text) &&
          isJcs(text) &&
          isCanonical(other) === slowly(other) &&
          isJcs(other) === slowly(other)
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("goes as deep as it may, and no deeper, whatever is asked of it", ({ expect }) => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const [depth, due] of [
      [MAX_JSON_DEPTH, true],
      [MAX_JSON_DEPTH + 1, false],
      [100_000, false],
    ] as const)
      expect([isCanonical(nested(depth)), isJcs(nested(depth))], String(depth)).toEqual([due, due]);
    const numeric = `{"10":${nested(MAX_JSON_DEPTH - 1)},"9":${nested(MAX_JSON_DEPTH)}}`;
    expect([isCanonical(numeric), isJcs(numeric)]).toEqual([false, false]);
    const long = `{"a":"${'\\"'.repeat(2_000_000)}"}`;
    const begun = performance.now();
    expect(isCanonical(long)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
