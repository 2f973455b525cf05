import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Known, MOST_NAMES, Names } from "../../../src/policy/effects/shell/known.ts";

const same = (a: number, b: number): boolean => a === b;
const UNSURE = -1;

function known(values: Record<string, number> = {}): Known<number> {
  return Known.of(new Map(Object.entries(values)), UNSURE);
}

function told(version: Known<number>): Record<string, number | undefined> {
  return Object.fromEntries([...version.keys()].sort().map((name) => [name, version.get(name)]));
}

function many(count: number): Known<number> {
  let version = known();
  for (let at = 0; at < count; at++) version = version.with(`v${at}`, at);
  return version;
}

/** The same, with nothing remembered of where a version comes from. */
function joinedPlainly(a: Known<number>, b: Known<number>): Record<string, number | undefined> {
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => [name, a.get(name) === b.get(name) ? a.get(name) : UNSURE] as const),
  );
}

describe("what a shell knows by name", () => {
  it("keeps what was known before a change", () => {
    const before = known({ a: 1 });
    const after = before.with("a", 2).with("b", 3);
    expect([told(before), told(after), told(after.without(["a"]))]).toEqual([
      { a: 1 },
      { a: 2, b: 3 },
      { b: 3 },
    ]);
  });

  it("keeps of two ways what both agree on", () => {
    const before = known({ a: 1, b: 1, c: 1 });
    const one = before.with("a", 2).with("b", 2).with("d", 2);
    const other = before.with("a", 2).with("c", 3).without(["b"]);
    expect(told(one.joined(other, same))).toEqual({ a: 2, b: UNSURE, c: UNSURE, d: UNSURE });
    expect(told(other.joined(one, same))).toEqual({ a: 2, b: UNSURE, c: UNSURE, d: UNSURE });
    expect(one.joined(one, same)).toBe(one);
  });

  it("gives names back what they were worth", () => {
    const before = known({ a: 1 });
    const inside = before.with("a", 2).with("b", 3).with("c", 4);
    expect(told(inside.restored(["a", "b"], before))).toEqual({ a: 1, c: 4 });
  });

  it("knows nothing any more once there are too many names, and never again", () => {
    const full = many(MOST_NAMES);
    expect([full.isLost, full.get("v0"), full.has("other")]).toEqual([false, 0, false]);
    expect(full.with("v0", 7).get("v0")).toBe(7);
    const lost = full.with("one more", 1);
    for (const version of [lost, lost.with("v0", 1), lost.without(["v0"]), lost.joined(full, same)]) {
      expect([version.isLost, version.get("v0"), version.has("other")]).toEqual([true, UNSURE, true]);
    }
    expect(full.joined(lost, same).isLost).toBe(true);
    expect([lost.isSame(full, same), lost.isSame(full.with("x", 1), same)]).toEqual([false, true]);
  });

  it("makes room for what was there from the start", () => {
    let version = known(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at}`, at])));
    for (let at = 0; at < MOST_NAMES; at++) version = version.with(`v${at}`, at);
    expect([version.isLost, version.with("one more", 1).isLost]).toEqual([false, true]);
  });

  it("joins and compares as if all names were looked at, wherever two versions come from", () => {
    const step = fc.record({
      of: fc.nat(),
      what: fc.constantFrom("with", "without", "restored", "joined"),
      name: fc.constantFrom("a", "b", "c", "d", "e"),
      value: fc.nat(3),
      other: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const versions = [known({ a: 1, b: 2 })];
        const at = (index: number): Known<number> => versions[index % versions.length] ?? known();
        for (const { of, what, name, value, other } of steps) {
          const from = at(of);
          if (what === "with") versions.push(from.with(name, value));
          else if (what === "without") versions.push(from.without([name]));
          else if (what === "restored") versions.push(from.restored([name], at(other)));
          else {
            const joined = from.joined(at(other), same);
            expect(told(joined)).toEqual(joinedPlainly(from, at(other)));
            versions.push(joined);
          }
        }
        for (const one of versions)
          for (const other of versions)
            expect(one.isSame(other, same)).toBe(JSON.stringify(told(one)) === JSON.stringify(told(other)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("names without values", () => {
  it("are any name once there are too many", () => {
    let names = Names.none;
    for (let at = 0; at < MOST_NAMES; at++) names = names.with(`v${at}`);
    expect([names.isAny, names.has("other"), names.with("v0").isAny]).toEqual([false, false, false]);
    const any = names.with("one more");
    expect([any.isAny, any.has("other"), [...any]]).toEqual([true, true, []]);
    expect([Names.none.joined(any).isAny, any.joined(names).isAny]).toEqual([true, true]);
    expect([...Names.of(["a"]).joined(Names.of(["b"]))]).toEqual(["a", "b"]);
  });
});
