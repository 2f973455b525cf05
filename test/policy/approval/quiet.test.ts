/** Hours in which nobody is to be woken, over time zones, midnights and the days on which clocks are set. */
import * as fc from "fast-check";
import { describe, it } from "vitest";
import {
  isTimeZone,
  minutesOf,
  type QuietHours,
  quietUntil,
  readQuietHours,
} from "../../../src/policy/approval/index.ts";
import { RISK_CLASSES } from "../../../src/policy/types.ts";

function hours(zone: string, from: string, to: string, more: object = {}): QuietHours {
  const read = readQuietHours({ time_zone: zone, from, to, ...more });
  if (read === null) throw new Error(`${zone} ${from} ${to}`);
  return read;
}

/** Zone, from, to, the moment, and when the hours are over; all moments are UTC. */
const CASES: readonly (readonly [string, string, string, string, string | null])[] = [
  // Over midnight, where the clock is UTC.
  ["UTC", "22:00", "07:00", "2026-03-01T21:59:59.999Z", null],
  ["UTC", "22:00", "07:00", "2026-03-01T22:00:00Z", "2026-03-02T07:00:00Z"],
  ["UTC", "22:00", "07:00", "2026-03-01T23:59:30Z", "2026-03-02T07:00:00Z"],
  ["UTC", "22:00", "07:00", "2026-03-02T00:00:00Z", "2026-03-02T07:00:00Z"],
  ["UTC", "22:00", "07:00", "2026-03-02T06:59:59.999Z", "2026-03-02T07:00:00Z"],
  ["UTC", "22:00", "07:00", "2026-03-02T07:00:00Z", null],
  // Within a day.
  ["UTC", "12:00", "13:30", "2026-03-01T11:59:59Z", null],
  ["UTC", "12:00", "13:30", "2026-03-01T12:00:00Z", "2026-03-01T13:30:00Z"],
  ["UTC", "12:00", "13:30", "2026-03-01T13:29:00Z", "2026-03-01T13:30:00Z"],
  ["UTC", "12:00", "13:30", "2026-03-01T13:30:00Z", null],
  // From and until midnight itself, and all but one minute of a day.
  ["UTC", "00:00", "06:00", "2026-03-01T00:00:00Z", "2026-03-01T06:00:00Z"],
  ["UTC", "18:00", "00:00", "2026-03-01T23:59:59Z", "2026-03-02T00:00:00Z"],
  ["UTC", "18:00", "00:00", "2026-03-02T00:00:00Z", null],
  ["UTC", "00:01", "00:00", "2026-03-01T00:01:00Z", "2026-03-02T00:00:00Z"],
  ["UTC", "00:01", "00:00", "2026-03-01T00:00:30Z", null],
  // The end of a month, of a year, and a leap day.
  ["UTC", "22:00", "07:00", "2026-12-31T23:30:00Z", "2027-01-01T07:00:00Z"],
  ["UTC", "22:00", "07:00", "2028-02-28T22:00:00Z", "2028-02-29T07:00:00Z"],
  // East and west, where it is another day than in UTC.
  ["Asia/Tokyo", "23:00", "06:00", "2026-03-01T14:00:00Z", "2026-03-01T21:00:00Z"],
  ["Asia/Tokyo", "23:00", "06:00", "2026-03-01T13:59:00Z", null],
  ["America/Los_Angeles", "22:00", "08:00", "2026-01-15T06:00:00Z", "2026-01-15T16:00:00Z"],
  ["Pacific/Kiritimati", "22:00", "06:00", "2026-03-01T08:00:00Z", "2026-03-01T16:00:00Z"],
  ["Pacific/Pago_Pago", "22:00", "06:00", "2026-03-01T09:00:00Z", "2026-03-01T17:00:00Z"],
  // Clocks that stand half an hour, or a quarter, beside the others.
  ["Asia/Kolkata", "22:00", "06:00", "2026-03-01T16:30:00Z", "2026-03-02T00:30:00Z"],
  ["Asia/Kolkata", "22:00", "06:00", "2026-03-01T16:29:00Z", null],
  ["Asia/Kathmandu", "22:00", "06:00", "2026-03-01T16:15:00Z", "2026-03-02T00:15:00Z"],
  ["Australia/Eucla", "22:00", "06:00", "2026-03-01T13:15:00Z", "2026-03-01T21:15:00Z"],
  ["America/St_Johns", "21:00", "05:30", "2026-01-10T00:30:00Z", "2026-01-10T09:00:00Z"],
  ["Pacific/Chatham", "20:00", "05:00", "2026-07-01T07:15:00Z", "2026-07-01T16:15:00Z"],
  // Summer and winter.
  ["Europe/Berlin", "22:00", "07:00", "2026-01-15T21:00:00Z", "2026-01-16T06:00:00Z"],
  ["Europe/Berlin", "22:00", "07:00", "2026-07-15T20:00:00Z", "2026-07-16T05:00:00Z"],
  ["Europe/Berlin", "22:00", "07:00", "2026-07-15T19:59:00Z", null],
  // The nights on which clocks are set. Before the change the end is out by that hour, as it is documented; after it, not.
  ["Europe/Berlin", "22:00", "07:00", "2026-03-28T21:00:00Z", "2026-03-29T06:00:00Z"],
  ["Europe/Berlin", "22:00", "07:00", "2026-03-29T01:00:00Z", "2026-03-29T05:00:00Z"],
  ["Europe/Berlin", "22:00", "07:00", "2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z"],
  ["Europe/Berlin", "22:00", "07:00", "2026-10-25T01:00:00Z", "2026-10-25T06:00:00Z"],
  ["America/New_York", "22:00", "07:00", "2026-03-08T07:00:00Z", "2026-03-08T11:00:00Z"],
  // A clock that is set by half an hour.
  ["Australia/Lord_Howe", "22:00", "07:00", "2026-04-04T15:30:00Z", "2026-04-04T20:30:00Z"],
];

describe("quiet hours", () => {
  it.each(CASES)("in %s from %s to %s, at %s: until %s", (zone, from, to, at, until) => {
    const got = quietUntil(hours(zone, from, to), [], Date.parse(at));
    const wanted = until === null ? null : Date.parse(until);
    if (got !== wanted) throw new Error(got === null ? "null" : new Date(got).toISOString());
  });

  it("wake people for what is excepted, and for nothing else", ({ expect }) => {
    const night = hours("UTC", "22:00", "07:00", { except: ["FINANCIAL", "SHARE"] });
    const at = Date.parse("2026-03-01T23:00:00Z");
    expect(quietUntil(night, ["FINANCIAL"], at)).toBeNull();
    expect(quietUntil(night, ["DELETE", "SHARE"], at)).toBeNull();
    expect(quietUntil(night, ["DELETE"], at)).toBe(Date.parse("2026-03-02T07:00:00Z"));
    expect(quietUntil(night, [], at)).not.toBeNull();
  });

  it("end later than now, within a day, and nobody is in them just then", ({ expect }) => {
    const zones = [
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "America/St_Johns",
      "Asia/Kolkata",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "Pacific/Chatham",
      "Pacific/Kiritimati",
      "Africa/Casablanca",
    ];
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        minute,
        minute,
        fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true }),
        (zone, from, to, date) => {
          fc.pre(from !== to);
          const quiet: QuietHours = { time_zone: zone, from, to, asks: "hold", except: [] };
          const now = date.getTime();
          const until = quietUntil(quiet, RISK_CLASSES, now);
          const o_clock = clockOf(zone, now);
          const isQuiet = from < to ? from <= o_clock && o_clock < to : from <= o_clock || o_clock < to;
          expect(until !== null).toBe(isQuiet);
          if (until === null) return;
          expect(until).toBeGreaterThan(now);
          expect(until - now).toBeLessThanOrEqual(24 * 60 * 60 * 1_000);
          // Where the clocks are set in between, it is out by what they are set by.
          if (offsetOf(zone, now) !== offsetOf(zone, until)) return;
          expect(clockOf(zone, until)).toBe(to);
          expect(quietUntil(quiet, [], until)).toBeNull();
          expect(quietUntil(quiet, [], until - 1)).toBe(until);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("are none where they are not whole", ({ expect }) => {
    const whole = { time_zone: "UTC", from: "22:00", to: "07:00" };
    expect(readQuietHours(whole)).toMatchObject({ from: 1_320, to: 420, asks: "hold", except: [] });
    for (const broken of [
      { ...whole, time_zone: "Mars/Olympus" },
      { ...whole, time_zone: "" },
      { ...whole, time_zone: 7 },
      { ...whole, from: "24:00" },
      { ...whole, from: "7:00" },
      { ...whole, to: "07:60" },
      { ...whole, to: "07:00:00" },
      { ...whole, to: " 07:00" },
      { ...whole, to: null },
      { ...whole, to: whole.from },
      null,
      "22:00",
    ])
      expect(readQuietHours(broken)).toBeNull();
  });

  it("take a time of day and a time zone, and nothing like them", ({ expect }) => {
    expect(["00:00", "09:05", "23:59"].map(minutesOf)).toEqual([0, 545, 1_439]);
    for (const other of ["", "24:00", "12:60", "1200", "١٢:٠٠", "12:00 ", "-1:00", 1_200, null])
      expect(minutesOf(other)).toBeNull();
    expect(["Europe/Berlin", "UTC", "Asia/Kolkata"].map(isTimeZone)).toEqual([true, true, true]);
    for (const other of ["Europe/Atlantis", "", "../etc/localtime", "Berlin"])
      expect(isTimeZone(other)).toBe(false);
  });
});

/** Minutes after midnight, by another way than the product's. */
function clockOf(zone: string, at: number): number {
  return (((Math.floor(at / 60_000) + offsetOf(zone, at)) % 1_440) + 1_440) % 1_440;
}

/** Minutes that a zone's clock is ahead of UTC. */
function offsetOf(zone: string, at: number): number {
  const said = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const match = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(said ?? "");
  if (match === null) throw new Error(`${zone}: ${said}`);
  const [, sign, h = "0", m = "0"] = match;
  return (sign === "-" ? -1 : 1) * (Number(h) * 60 + Number(m));
}
