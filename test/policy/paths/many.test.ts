import { describe, it } from "vitest";
import {
  boundCovers,
  boundsIntersect,
  holding,
  meeting,
  patternCovers,
} from "../../../src/policy/paths/index.ts";

const BOUNDS = [
  "/",
  "/a",
  "/a/**",
  "/a/b",
  "/a/b/**",
  "/a/*",
  "/a/*/c",
  "/**/c",
  "/a/[bc]",
  "/a/.env",
  "/A/b",
  "/a/b/c/d",
  "/ab",
  "/x/y",
  "?",
  "relative",
  "/a/b\\*",
  "/**",
];
const plenty = () => ({ left: 1_000_000 });

describe("many bounds at once", () => {
  it("give the same answers as each pair by itself", ({ expect }) => {
    for (const foldCase of [false, true]) {
      const covers = holding(BOUNDS, { foldCase, dotsMatch: false }, plenty());
      const sworn = holding(BOUNDS, { foldCase, dotsMatch: true }, plenty());
      const meets = meeting(BOUNDS, foldCase, plenty());
      for (const other of BOUNDS) {
        const places = (test: (bound: string) => boolean) =>
          [...BOUNDS.keys()].filter((at) => test(BOUNDS[at] ?? ""));
        expect(covers(other), other).toEqual({
          by: places((bound) => boundCovers(bound, other, foldCase)),
          unsure: false,
        });
        expect(sworn(other).by, other).toEqual(places((bound) => patternCovers(bound, other, foldCase)));
        expect(
          meets(other).sort((a, b) => a - b),
          other,
        ).toEqual(places((bound) => boundsIntersect(bound, other, foldCase)));
      }
    }
  });

  it("say so when the steps that they share are spent, and cost little after that", ({ expect }) => {
    const globs = Array.from({ length: 1_000 }, (_, i) => `/**/${"*a".repeat(100)}${i}`);
    const path = `/${"a".repeat(1_500)}`;
    const start = performance.now();
    const steps = { left: 200_000 };
    const held = holding(globs, { foldCase: false, dotsMatch: true }, steps);
    expect(held(path)).toEqual({ by: [], unsure: true });
    for (let i = 0; i < 10_000; i += 1) expect(held(path).unsure).toBe(true);
    const meets = meeting(globs, false, { left: 200_000 });
    expect(meets(`/${"a".repeat(1_500)}*`).length).toBeGreaterThan(900);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("are unsure of a single pair that is too much for anyone", ({ expect }) => {
    const pattern = `/${"*a".repeat(500)}b`;
    const held = holding([pattern], { foldCase: false, dotsMatch: true }, { left: 100_000_000 });
    expect(held(`/${"a".repeat(4_000)}`)).toEqual({ by: [], unsure: true });
  });
});
