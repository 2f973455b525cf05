import fc from "fast-check";
import { describe, it } from "vitest";
import { type JsonNode, locateJson, nodeAt } from "../../src/http/json-places.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every value of a text whose names are all different, with the pointer to it. */
function* valuesOf(value: unknown, pointer = ""): Generator<[string, unknown]> {
  yield [pointer, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value))
    yield* valuesOf(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

describe("the places of a JSON text", () => {
  it("lead to every value, whatever it is and however it is spaced", ({ expect }) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom("", " ", "\t", 3), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const located = locateJson(text);
        if (!located.ok) throw new Error(`${text}: ${located.message}`);
        for (const [pointer, inner] of valuesOf(JSON.parse(text))) {
          const node = nodeAt(located.root, pointer);
          expect(JSON.parse(text.slice(node.start, node.end))).toEqual(inner);
          const name = pointer.split("/").at(-1)?.replaceAll("~1", "/").replaceAll("~0", "~");
          if (node.key !== null) expect(JSON.parse(text.slice(node.key.start, node.key.end))).toBe(name);
        }
      }),
    );
  });

  it("agree with the platform on what is JSON", ({ expect }) => {
    const piece = fc.constantFrom(
      ...['"', '"a"', "{", "}", "[", "]", ",", ":", " ", "\n", "0", "-", "1.5", "1e9", "01", "+", ".", "e"],
      ...["true", "null", "nul", "\\n", '"\\u00e9"', '"\\x"', '"\\u12"', "\u0001", "'", "\ufeff", "\u00a0"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(locateJson(text).ok, text).toBe(isJson(text));
      }),
      { numRuns: 20_000 },
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), piece, fc.nat(2), (value, at, put, cut) => {
        const whole = JSON.stringify(value, null, 1);
        const from = at % (whole.length + 1);
        const text = whole.slice(0, from) + put + whole.slice(from + cut);
        const located = locateJson(text);
        expect(located.ok, text).toBe(isJson(text));
        if (!located.ok) expect(located.at <= text.length && located.at >= 0, text).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("take the last of two members with one name, and stop at what is not there", ({ expect }) => {
    const text = '{"a": {"b": 1}, "a": [10, 20]}';
    const located = locateJson(text);
    if (!located.ok) throw new Error(located.message);
    const quote = (node: JsonNode): string => text.slice(node.start, node.end);
    expect(quote(nodeAt(located.root, "/a/1"))).toBe("20");
    expect(quote(nodeAt(located.root, "/a/7"))).toBe("[10, 20]");
    expect(quote(nodeAt(located.root, "/a/b"))).toBe("[10, 20]");
    expect(quote(nodeAt(located.root, "/x/y"))).toBe(text);
  });

  it("go no deeper than the strict reader does", ({ expect }) => {
    expect(locateJson(`${"[".repeat(64)}1${"]".repeat(64)}`).ok).toBe(true);
    expect(locateJson("[".repeat(100_000)).ok).toBe(false);
    expect(locateJson(`"${"a".repeat(1_000_000)}"`).ok).toBe(true);
  });
});
