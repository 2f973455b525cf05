/** How an organization has its asks answered: read from anything, and never less demanding for one demand more. */
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  DEFAULT_APPROVALS,
  type Demand,
  demandOf,
  isCovered,
  MAX_DEMANDS,
  MAX_PEOPLE,
  readApprovals,
} from "../../../src/policy/approval/index.ts";
import { RISK_CLASSES } from "../../../src/policy/types.ts";

const risks = fc.uniqueArray(fc.constantFrom(...RISK_CLASSES), { minLength: 1 });
const demand = fc.record({
  people: fc.integer({ min: 1, max: MAX_PEOPLE }),
  signed_in: fc.boolean(),
  passkey: fc.boolean(),
});
const row = fc.tuple(demand, risks).map(([one, of]) => ({ ...one, risks: of }));
const configured = (rows: readonly (Demand & { risks: readonly (typeof RISK_CLASSES)[number][] })[]) => ({
  ...DEFAULT_APPROVALS,
  demands: rows,
});

/** Values with the right names and anything under them, and anything at all. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      expires_after_seconds: fc.oneof(fc.jsonValue(), fc.double()),
      grant_lasts_seconds: fc.oneof(fc.jsonValue(), fc.double()),
      demands: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record(
            {
              risks: fc.oneof(fc.jsonValue(), fc.array(fc.constantFrom("DELETE", "x", "toString", null))),
              people: fc.oneof(fc.jsonValue(), fc.double()),
              signed_in: fc.jsonValue(),
              passkey: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 40 },
        ),
      ),
      quiet_hours: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            time_zone: fc.oneof(fc.string(), fc.constantFrom("Europe/Berlin", "UTC", "__proto__")),
            from: fc.oneof(fc.string(), fc.constantFrom("22:00", "24:00", "7:00")),
            to: fc.oneof(fc.string(), fc.constantFrom("07:00", "22:00")),
            asks: fc.jsonValue(),
            except: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
);

describe("what was set of approvals", () => {
  it("is read from any JSON, within its bounds", ({ expect }) => {
    fc.assert(
      fc.property(anything, (value) => {
        const read = readApprovals(value);
        for (const time of [read.expires_after, read.grant_lasts]) {
          expect(Number.isInteger(time)).toBe(true);
          expect(time).toBeGreaterThanOrEqual(30_000);
          expect(time).toBeLessThanOrEqual(86_400_000);
        }
        expect(read.demands.length).toBeLessThanOrEqual(MAX_DEMANDS);
        for (const one of read.demands) {
          expect(one.people).toBeGreaterThanOrEqual(1);
          expect(one.people).toBeLessThanOrEqual(MAX_PEOPLE);
          expect(Number.isInteger(one.people)).toBe(true);
          expect(one.risks.length).toBeGreaterThan(0);
          for (const risk of one.risks) expect(RISK_CLASSES).toContain(risk);
          if (one.passkey) expect(one.signed_in).toBe(true);
        }
        const quiet = read.quiet_hours;
        if (quiet !== null) {
          expect(quiet.from).not.toBe(quiet.to);
          for (const minute of [quiet.from, quiet.to]) {
            expect(minute).toBeGreaterThanOrEqual(0);
            expect(minute).toBeLessThan(1_440);
          }
          expect(["hold", "block"]).toContain(quiet.asks);
          for (const risk of quiet.except) expect(RISK_CLASSES).toContain(risk);
        }
        expect(readApprovals(value)).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the default where nothing is set", ({ expect }) => {
    for (const nothing of [undefined, null, {}, [], 7, "x", true])
      expect(readApprovals(nothing)).toEqual(DEFAULT_APPROVALS);
    expect(DEFAULT_APPROVALS).toEqual({
      expires_after: 600_000,
      grant_lasts: 600_000,
      demands: [],
      quiet_hours: null,
    });
  });

  it("is read as it was set", ({ expect }) => {
    expect(
      readApprovals({
        expires_after_seconds: 120,
        grant_lasts_seconds: 45,
        demands: [
          { risks: ["FINANCIAL", "DELETE"], people: 2 },
          { risks: ["SHARE"], passkey: true },
          { risks: ["READ"], signed_in: true },
        ],
        quiet_hours: {
          time_zone: "Asia/Kolkata",
          from: "22:30",
          to: "06:15",
          asks: "block",
          except: ["FINANCIAL"],
        },
      }),
    ).toEqual({
      expires_after: 120_000,
      grant_lasts: 45_000,
      demands: [
        { risks: ["DELETE", "FINANCIAL"], people: 2, signed_in: false, passkey: false },
        { risks: ["SHARE"], people: 1, signed_in: true, passkey: true },
        { risks: ["READ"], people: 1, signed_in: true, passkey: false },
      ],
      quiet_hours: {
        time_zone: "Asia/Kolkata",
        from: 1_350,
        to: 375,
        asks: "block",
        except: ["FINANCIAL"],
      },
    });
  });

  it("demands most where a demand cannot be read", ({ expect }) => {
    const most = { people: MAX_PEOPLE, signed_in: true, passkey: true };
    const asked = (value: unknown) => demandOf(readApprovals({ demands: [value] }), ["FINANCIAL"]);
    for (const unreadable of [null, 7, "two people", true]) expect(asked(unreadable)).toEqual(most);
    expect(asked({ risks: "FINANCIAL", people: 2 }).people).toBe(2);
    expect(asked({ risks: ["FINANCIAL"], people: "2" }).people).toBe(MAX_PEOPLE);
    expect(asked({ risks: ["FINANCIAL"], people: 1e9 }).people).toBe(MAX_PEOPLE);
    expect(asked({ risks: ["FINANCIAL"], signed_in: "yes" }).signed_in).toBe(true);
    expect(asked({ risks: ["FINANCIAL"], passkey: 1 })).toMatchObject({ signed_in: true, passkey: true });
    expect(asked({ risks: ["SHARE"], people: 3 })).toEqual({ people: 1, signed_in: false, passkey: false });
  });
});

describe("what an action demands", () => {
  it("is the most of the rows for its classes, in whatever order they stand", ({ expect }) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: MAX_DEMANDS }), risks, (rows, of) => {
        const got = demandOf(configured(rows), of);
        const touching = rows.filter((one) => one.risks.some((risk) => of.includes(risk)));
        expect(got.people).toBe(Math.max(1, ...touching.map(({ people }) => people)));
        expect(got.signed_in).toBe(touching.some((one) => one.signed_in));
        expect(got.passkey).toBe(touching.some((one) => one.passkey));
        expect(demandOf(configured([...rows].reverse()), of)).toEqual(got);
      }),
    );
  });

  it("is never less for one row more, nor for one class more", ({ expect }) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), row, risks, risks, (rows, one, of, more) => {
        const before = demandOf(configured(rows), of);
        expect(isCovered(before, demandOf(configured([...rows, one]), of))).toBe(true);
        expect(isCovered(before, demandOf(configured(rows), [...of, ...more]))).toBe(true);
      }),
    );
  });
});

describe("a demand that was met", () => {
  it("covers itself and whatever takes less, and nothing that takes more", ({ expect }) => {
    fc.assert(
      fc.property(demand, demand, demand, (wanted, met, other) => {
        expect(isCovered(wanted, wanted)).toBe(true);
        const covers =
          met.people >= wanted.people &&
          Number(met.signed_in) >= Number(wanted.signed_in) &&
          Number(met.passkey) >= Number(wanted.passkey);
        expect(isCovered(wanted, met)).toBe(covers);
        if (isCovered(wanted, met) && isCovered(met, other)) expect(isCovered(wanted, other)).toBe(true);
      }),
    );
  });

  it.each([
    [
      { people: 2, signed_in: false, passkey: false },
      { people: 1, signed_in: true, passkey: true },
    ],
    [
      { people: 1, signed_in: true, passkey: false },
      { people: 5, signed_in: false, passkey: false },
    ],
    [
      { people: 1, signed_in: true, passkey: true },
      { people: 5, signed_in: true, passkey: false },
    ],
  ])("%j is not met by %j", (wanted, met) => {
    if (isCovered(wanted, met)) throw new Error("covered");
  });
});
