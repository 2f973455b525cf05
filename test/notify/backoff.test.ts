import { describe, it } from "vitest";
import { retryAfter } from "../../src/durable/notices.ts";

describe("the wait after a failure", () => {
  it("doubles from two seconds to ten minutes", ({ expect }) => {
    expect(Array.from({ length: 11 }, (_, n) => retryAfter(n + 1, 1) / 1000)).toEqual([
      2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600,
    ]);
    expect(retryAfter(1_000_000, 1)).toBe(600_000);
  });

  it("is spread over half of itself, whatever chance says", ({ expect }) => {
    expect([0, 0.5, 1].map((jitter) => retryAfter(3, jitter))).toEqual([4_000, 6_000, 8_000]);
    expect([-1, 2].map((jitter) => retryAfter(3, jitter))).toEqual([4_000, 8_000]);
  });
});
