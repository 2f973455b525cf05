import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundCovers, boundsIntersect, escapeBound, treeBound } from "../../../src/policy/paths/index.ts";
import { everyPath, names } from "./reference.ts";

const segment = fc
  .array(fc.constantFrom("a", "b", "a", "*", "?", "[ab]", "[!a]", ".", "\\*"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""))
  .filter((text) => !text.includes("**") && text !== "." && text !== "..");
const deepSegment = fc.constantFrom("**", "a**", "**b", "a**b");
const bound = fc
  .array(fc.oneof({ weight: 4, arbitrary: segment }, { weight: 1, arbitrary: deepSegment }), { maxLength: 3 })
  .map((parts) => `/${parts.join("/")}`);
const PATHS = everyPath("ab.*", 3, 2);
const SAMPLE = PATHS.filter((_, index) => index % 3 === 0);

describe("boundsIntersect and boundCovers against the slow matcher", () => {
  it("agree about one path", () => {
    fc.assert(
      fc.property(bound, fc.constantFrom(...PATHS), (pattern, path) => {
        expect(boundsIntersect(pattern, escapeBound(path))).toBe(names(pattern, path));
      }),
      { numRuns: 5000 },
    );
  });

  it("intersect wherever a path proves it", () => {
    fc.assert(
      fc.property(bound, bound, (a, b) => {
        const witness = SAMPLE.find((path) => names(a, path) && names(b, path));
        if (witness !== undefined) expect(boundsIntersect(a, b), witness).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("do not intersect when nothing can (sets aside, which always may)", () => {
    const plain = bound.filter((text) => /^[ab*?/]*$/.test(text) && text.length <= 7);
    const paths = everyPath("ab", 4, 2).concat(everyPath("ab", 3, 4), everyPath("ab", 1, 7));
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        if (boundsIntersect(a, b)) expect(paths.some((path) => names(a, path) && names(b, path))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("cover only what lies inside", () => {
    fc.assert(
      fc.property(bound, bound, (outer, inner) => {
        if (!boundCovers(outer, inner)) return;
        const outside = SAMPLE.find((path) => names(inner, path) && !names(outer, path));
        expect(outside).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });

  it("are symmetric, reflexive, and covering implies meeting", () => {
    fc.assert(
      fc.property(bound, bound, fc.boolean(), (a, b, fold) => {
        expect(boundsIntersect(a, b, fold)).toBe(boundsIntersect(b, a, fold));
        expect(boundsIntersect(a, a, fold)).toBe(true);
        expect(boundCovers(a, a, fold)).toBe(true);
        if (boundCovers(a, b, fold)) expect(boundsIntersect(a, b, fold)).toBe(true);
        expect(boundCovers(treeBound(a), a, fold)).toBe(true);
        if (boundsIntersect(a, b)) expect(boundsIntersect(a, b, true)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("are total and careful about any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("*", "?", "[", "]", "!", "-", ":", "\\", "/", "a", "é", "ß", "\ud800"),
      }),
    );
    fc.assert(
      fc.property(text, text, fc.boolean(), (a, b, fold) => {
        const meet = boundsIntersect(a, b, fold);
        expect(boundsIntersect(b, a, fold)).toBe(meet);
        expect(boundsIntersect(a, a, fold)).toBe(true);
        if (boundCovers(a, b, fold)) expect(meet).toBe(true);
        if (!a.startsWith("/")) {
          expect(meet).toBe(true);
          expect(boundCovers(a, b, fold)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("boundsIntersect", () => {
  const cases: [string, string, boolean, boolean?][] = [
    ["/a", "/a", true],
    ["/a", "/ab", false],
    ["/a/**", "/a", true],
    ["/a/**", "/ab", false],
    ["/**", "/", true],
    ["/", "/a", false],
    ["/home/u/**", "/home/u/.hermes/skills/**", true],
    ["/home/u/.h?rmes/**", "/home/u/.hermes/memories/**", true],
    ["/home/u/.[h]ermes/**", "/home/u/.hermes/memories/a.md", true],
    ["/home/u/.herm*/SOUL.md", "/home/u/.hermes/SOUL.md", true],
    ["/home/u/*.md", "/home/u/.a.md", true],
    ["/home/u/*.md", "/home/u/x/a.md", false],
    ["/home/u/**/*.md", "/home/u/x/y/a.md", true],
    ["/home/u/**/*.md", "/home/u/a.md", true],
    ["/home/u/**.md", "/home/u/x/y/a.md", true],
    ["/a/[0-9]", "/a/x", false],
    ["/a/[a-z]", "/a/B", true],
    ["/a/[!a]", "/a/a", false],
    ["/a/[!a-z]", "/a/B", true],
    ["/a/[!b-d]", "/a/c", true],
    ["/a/[!0-9]", "/a/3", false],
    ["/a/[!a]", "/a/a", true, true],
    ["/a/[[:alpha:]]", "/a/x", true],
    ["/a/[]]", "/a/\\]", true],
    ["/a/[b", "/a/\\[b", true],
    ["/a/\\*", "/a/b", false],
    ["/a/*", "/a", false],
    ["?", "/a", true],
    ["?", "?", true],
    ["relative", "/a", true],
    ["/a/../b", "/c", true],
    ["/A/B", "/a/b", false],
    ["/A/B", "/a/b", true, true],
    ["/a/CAFÉ", "/a/cafe\u0301", true, true],
    ["/a/caf\u00e9", "/a/caf??", true, true],
    ["/a/caf\u00e9", "/a/cafe*", true, true],
    ["/a/STRASSE", "/a/Straße", true, true],
    ["/a/ΣΑΣ", "/a/σας", true, true],
    ["/a/caf\u00e9", "/a/cafe\u0301", false],
    ["/c:/Users/u/HERMES~1/memories", "/c:/users/u/.hermes/memories/**", true, true],
    ["/c:/Users/u/HERMES~1/memories", "/c:/users/u/.hermes/skills/**", false, true],
    ["/home/u/x~1", "/home/u/notes", false, true],
  ];
  it.each(cases)("%s and %s: %s", (a, b, want, fold) => {
    expect(boundsIntersect(a, b, fold)).toBe(want);
    expect(boundsIntersect(b, a, fold)).toBe(want);
  });

  it("answers hostile globs in milliseconds", () => {
    const started = performance.now();
    expect(boundsIntersect(`/${"*".repeat(10_000)}`, "/a")).toBe(true);
    expect(boundsIntersect(`/${"*a".repeat(7_000)}b`, `/${"a".repeat(4_000)}`)).toBe(true);
    expect(boundsIntersect(`/${"*a".repeat(5_000)}`, `/${"*b".repeat(5_000)}`)).toBe(true);
    expect(boundsIntersect(`${"/**/a".repeat(2_000)}/b`, `${"/a".repeat(2_040)}`)).toBe(true);
    expect(boundsIntersect(`/${"[".repeat(16_000)}`, "/a")).toBe(false);
    expect(boundsIntersect(`/${"[[:".repeat(5_000)}]`, "/a")).toBe(false);
    expect(boundCovers(`/${"*a".repeat(5_000)}b`, `/${"*a".repeat(5_000)}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("is exact where the text stays small", () => {
    expect(boundsIntersect(`/${"*a".repeat(12)}b`, `/${"a".repeat(60)}`)).toBe(false);
    expect(boundsIntersect(`/${"*a".repeat(200)}*b`, `/${"a".repeat(1_000)}`)).toBe(false);
  });
});

describe("boundCovers", () => {
  const cases: [string, string, boolean, boolean?][] = [
    ["/a/**", "/a", true],
    ["/a/**", "/a/**", true],
    ["/a/**", "/a/b/*.md", true],
    ["/a/**", "/ab", false],
    ["/a", "/a/**", false],
    ["/**", "/**", true],
    ["/a/*", "/a/b", true],
    ["/a/*", "/a/.env", false],
    ["/a/*", "/a/*", true],
    ["/a/*", "/a/b/c", false],
    ["/a/[bc]", "/a/b", true],
    ["/a/[!x]", "/a/b", false],
    ["/a/**/*.md", "/a/**/b.md", true],
    ["?", "/a", false],
    ["?", "?", false],
    ["/**", "?", false],
    ["/A/**", "/a/b", false],
    ["/A/**", "/a/b", true, true],
    ["/a/\u212a", "/a/k", false, true],
  ];
  it.each(cases)("%s over %s: %s", (outer, inner, want, fold) => {
    expect(boundCovers(outer, inner, fold)).toBe(want);
  });
});
