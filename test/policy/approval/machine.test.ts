/** Every arrow of an approval's life and every one that there is not, against a table written here by hand. */
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  APPROVAL_EVENTS,
  APPROVAL_STATES,
  type ApprovalEvent,
  type ApprovalState,
  GRANT_STATUSES,
  grantOf,
  after as nextOf,
  stateAt,
  statusOf,
} from "../../../src/policy/approval/index.ts";

const NO = null;
const EVENTS = [
  "vote",
  "extend",
  "approve",
  "deny",
  "expire",
  "spend",
  "overrule",
  "lapse",
  "report",
  "doubt",
] as const;

/** What each state becomes by each event, in the order above; `NO` is a forbidden arrow. */
const TABLE: Readonly<Record<ApprovalState, readonly (ApprovalState | null)[]>> = {
  pending: ["pending", "pending", "approved", "denied", "expired", NO, NO, NO, NO, NO],
  approved: [NO, NO, NO, NO, NO, "spent", "overruled", "lapsed", NO, NO],
  denied: [NO, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  expired: [NO, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  spent: [NO, NO, NO, NO, NO, NO, NO, NO, "reported", "ambiguous"],
  reported: [NO, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  ambiguous: [NO, NO, NO, NO, NO, NO, NO, NO, "reported", NO],
  overruled: [NO, NO, NO, NO, NO, NO, NO, NO, NO, NO],
  lapsed: [NO, NO, NO, NO, NO, NO, NO, NO, NO, NO],
};

const STATES = Object.keys(TABLE) as ApprovalState[];
const PAIRS = STATES.flatMap((from) =>
  EVENTS.map((event, at): [ApprovalState, ApprovalEvent, ApprovalState | null] => [
    from,
    event,
    TABLE[from][at] ?? null,
  ]),
);

describe("the life of an approval", () => {
  it("has the states and events that the table here has, and no others", ({ expect }) => {
    expect([...APPROVAL_STATES].sort()).toEqual([...STATES].sort());
    expect([...APPROVAL_EVENTS].sort()).toEqual([...EVENTS].sort());
    expect(PAIRS).toHaveLength(90);
  });

  it.each(PAIRS.filter(([, , to]) => to !== NO))("%s, then %s: %s", (from, event, to) => {
    if (nextOf(from, event) !== to) throw new Error(`${from} by ${event} is ${nextOf(from, event)}`);
  });

  it.each(PAIRS.filter(([, , to]) => to === NO).map(([from, event]) => [from, event] as const))(
    "%s, then %s: forbidden",
    (from, event) => {
      if (nextOf(from, event) !== null) throw new Error(`${from} by ${event} is ${nextOf(from, event)}`);
    },
  );

  it("is answered once and spent once, whatever happens in whatever order", ({ expect }) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 60 }), (events) => {
        let state: ApprovalState = "pending";
        let answers = 0;
        let runs = 0;
        const seen: ApprovalState[] = [state];
        for (const event of events) {
          const next = nextOf(state, event);
          if (next === null) continue;
          if (statusOf(state) === "pending" && statusOf(next) !== "pending") answers += 1;
          if (event === "spend") runs += 1;
          state = next;
          seen.push(state);
        }
        expect(answers).toBeLessThanOrEqual(1);
        expect(runs).toBeLessThanOrEqual(seen.includes("approved") ? 1 : 0);
        if (seen.includes("denied") || seen.includes("expired")) expect(runs).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("what is told of a state", () => {
  it.each([
    ["pending", "pending", null],
    ["denied", "denied", null],
    ["expired", "expired", null],
    ["approved", "approved", "live"],
    ["spent", "approved", "spent"],
    ["reported", "approved", "reported"],
    ["ambiguous", "approved", "ambiguous"],
    ["overruled", "approved", "overruled"],
    ["lapsed", "approved", "lapsed"],
  ] as const)("%s is answered %s, with a grant that is %s", (state, status, grant) => {
    if (statusOf(state) !== status) throw new Error(statusOf(state));
    if (grantOf(state) !== grant) throw new Error(String(grantOf(state)));
  });

  it("names every status of a grant", ({ expect }) => {
    const told = APPROVAL_STATES.map(grantOf).filter((grant) => grant !== null);
    expect([...told].sort()).toEqual([...GRANT_STATUSES].sort());
  });
});

describe("a state at a moment", () => {
  const times = { expires_at: 1_000, grant_expires_at: 2_000 };

  it.each([
    ["pending", 999, "pending"],
    ["pending", 1_000, "expired"],
    ["pending", 1_001, "expired"],
    ["approved", 1_000, "approved"],
    ["approved", 1_999, "approved"],
    ["approved", 2_000, "lapsed"],
  ] as const)("%s at %i is %s", (state, now, stands) => {
    if (stateAt(state, times, now) !== stands) throw new Error(stateAt(state, times, now));
  });

  it("never changes once it is decided and no grant waits, however late it is", ({ expect }) => {
    for (const state of APPROVAL_STATES.filter((one) => one !== "pending" && one !== "approved"))
      for (const now of [0, 1_000, 2_000, Number.MAX_SAFE_INTEGER])
        expect(stateAt(state, times, now)).toBe(state);
  });

  it("has no live grant where none says until when", ({ expect }) => {
    expect(stateAt("approved", { expires_at: 1_000, grant_expires_at: null }, 1)).toBe("lapsed");
  });

  it("goes no way that the table does not, and never back as time passes", ({ expect }) => {
    const time = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...STATES),
        fc.record({ expires_at: time, grant_expires_at: fc.option(time) }),
        time,
        time,
        (state, until, one, other) => {
          const [sooner, later] = [Math.min(one, other), Math.max(one, other)];
          const then = stateAt(state, until, sooner);
          if (then !== state) expect(TABLE[state]).toContain(then);
          if (then !== state) expect(stateAt(state, until, later)).toBe(then);
          expect(stateAt(then, until, sooner)).toBe(then);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
