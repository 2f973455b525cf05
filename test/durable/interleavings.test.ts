/** `docs/retention.md` at random: whatever comes between, nothing older is left, nothing newer is lost, chains verify. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { type Step, World } from "./interleaving/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const who = fc.nat({ max: 2 });
const which = fc.nat({ max: 5 });
/** Often nothing, so that a purge and an entry share a millisecond; sometimes the clock goes back. */
const ms = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: -4, max: -1 }) },
  { weight: 1, arbitrary: fc.constantFrom(10_000, 3_600_000) },
);
const ago = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(10_000) },
);
const looks = fc.oneof(fc.nat({ max: 12 }), fc.constant(1_000));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("say" as const, "call" as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ask" as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      how: fc.constantFrom("approve" as const, "deny" as const),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("retry" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("deliver" as const),
      how: fc.constantFrom("whole" as const, "away" as const, "lost" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "read" as const,
        "arrive" as const,
        "restart" as const,
        "alarm" as const,
        "part" as const,
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("purge" as const), ago, looks }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("go on" as const), looks }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("at once" as const), who, ago }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), ms }) },
);

/** Orders that matter, played in every run. */
const KNOWN: [Step[]][] = [
  [
    [
      { do: "ask", who: 1 },
      { do: "deliver", how: "whole" },
      { do: "purge", ago: 0, looks: 1_000 },
      { do: "retry", which: 0 },
      { do: "answer", how: "approve", which: 0 },
      { do: "part" },
      { do: "restart" },
      { do: "retry", which: 0 },
    ],
  ],
  [
    [
      { do: "say", who: 0 },
      { do: "deliver", how: "lost" },
      { do: "purge", ago: 0, looks: 1_000 },
      { do: "call", who: 0 },
      { do: "deliver", how: "whole" },
    ],
  ],
  [
    [
      { do: "call", who: 2 },
      { do: "read" },
      { do: "deliver", how: "whole" },
      { do: "purge", ago: 0, looks: 3 },
      { do: "arrive" },
      { do: "remove" },
      { do: "say", who: 0 },
      { do: "go on", looks: 1_000 },
    ],
  ],
];

/** As far as they get in this time, always in the same order: another seed and more seconds look further. */
const SECONDS = 12;
const SEED = 20_261_130;

describe("a purge among everything else", () => {
  it("leaves nothing that is older and loses nothing that is newer, in any order", async ({ expect }) => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (all) => {
        const world = await World.begin();
        for (const one of all) {
          await world.step(one);
          steps += 1;
          const faults = await world.faults();
          if (faults.length > 0) throw new Error(`after ${JSON.stringify(one)}: ${faults.join("; ")}`);
        }
        const faults = await world.faultsAtRest();
        if (faults.length > 0) throw new Error(`at rest: ${faults.join("; ")}`);
      }),
      {
        numRuns: 1_000,
        seed: SEED,
        examples: KNOWN,
        interruptAfterTimeLimit: SECONDS * 1_000,
        markInterruptAsFailure: false,
      },
    );
    expect(steps).toBeGreaterThan(50);
  }, 120_000);
});
