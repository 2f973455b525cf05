import * as fc from "fast-check";
import { describe, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { MODES, type Modes, resolveModes } from "../../src/policy/modes.ts";
import { ENGINES, type Engine, type Finding, type Verdict } from "../../src/policy/types.ts";

const STATE = { backups: [], fold_case: false };
const ENFORCE: Modes = { guard: "enforce", oath: "enforce", fence: "enforce", provenance: "enforce" };

function finding(engine: Engine, verdict: "block" | "ask", name = "x"): Finding {
  return {
    verdict,
    reason: { rule_key: `${engine}:${name}`, engine, message: name, clearable_by: "nobody" },
  };
}

const arbitraryFinding = fc.record({
  verdict: fc.constantFrom("block" as const, "ask" as const),
  reason: fc.record({
    rule_key: fc.constantFrom("oath:never", "guard:x"),
    engine: fc.constantFrom<Engine>(...ENGINES),
    message: fc.string(),
    clearable_by: fc.constant("nobody" as const),
  }),
});
const arbitraryModes = fc.record({
  guard: fc.constant("enforce" as const),
  oath: fc.constantFrom(...MODES),
  fence: fc.constantFrom(...MODES),
  provenance: fc.constantFrom(...MODES),
});
const RANK: Record<Verdict, number> = { allow: 0, ask: 1, block: 2 };

describe("a verdict", () => {
  it("is allow without findings, and names every engine", ({ expect }) => {
    expect(decide(STATE, [], ENFORCE)).toMatchObject({
      verdict: "allow",
      enforcement: "enforced",
      reasons: [],
      engines: { guard: { verdict: "allow" }, oath: { verdict: "allow" } },
    });
  });

  it("is block when any engine blocks, with all reasons, blocks first", ({ expect }) => {
    const decided = decide(
      STATE,
      [finding("oath", "ask", "b"), finding("guard", "block", "a"), finding("oath", "block", "c")],
      ENFORCE,
    );
    expect(decided.verdict).toBe("block");
    expect(decided.reasons.map((reason) => reason.rule_key)).toEqual(["guard:a", "oath:c", "oath:b"]);
  });

  it("does not change for what is only observed, and says that it was", ({ expect }) => {
    const decided = decide(STATE, [finding("oath", "block")], { ...ENFORCE, oath: "observe" });
    expect(decided).toMatchObject({
      verdict: "allow",
      enforcement: "observed",
      reasons: [],
      engines: { oath: { mode: "observe", verdict: "block", enforcement: "observed" } },
    });
    expect(decided.engines.oath?.reasons).toHaveLength(1);
  });

  it("is ask when an engine in mode ask blocks", ({ expect }) => {
    expect(decide(STATE, [finding("oath", "block")], { ...ENFORCE, oath: "ask" }).verdict).toBe("ask");
  });

  it("is never softened by a guard's mode: it has none", ({ expect }) => {
    const modes = resolveModes({ guard_mode: "observe", engines: { oath: "off", guard: "off" } }, {});
    expect(modes).toEqual({ guard: "enforce", oath: "off", fence: "observe", provenance: "observe" });
    expect(decide(STATE, [finding("guard", "block")], modes).verdict).toBe("block");
  });

  it("is cleared by evidence that covers every bound, and by nothing less", ({ expect }) => {
    const needs: Finding = {
      ...finding("oath", "block"),
      unless: { evidence: "backup", of: ["/a/b", "/a/c"] },
    };
    const backup = (src: string) => ({ src, dest: "/tmp/x" });
    const verdict = (backups: { src: string; dest: string }[]) =>
      decide({ backups, fold_case: false }, [needs], ENFORCE).verdict;
    expect(verdict([])).toBe("block");
    expect(verdict([backup("/a/b")])).toBe("block");
    expect(verdict([backup("/a/b"), backup("/a/c")])).toBe("allow");
    expect(verdict([backup("/a/**")])).toBe("allow");
  });

  it("does not depend on the order of findings, and only grows with them", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFinding), arbitraryFinding, arbitraryModes, (findings, more, modes) => {
        const before = decide(STATE, findings, modes).verdict;
        const after = decide(STATE, [...findings, more], modes).verdict;
        const reversed = decide(STATE, [...findings].reverse(), modes).verdict;
        return before === reversed && RANK[after] >= RANK[before];
      }),
    );
  });
});

describe("modes", () => {
  const cases: [string, object, object, string][] = [
    ["the default", {}, {}, "enforce"],
    ["the organization's guard_mode", { guard_mode: "observe" }, {}, "observe"],
    [
      "the organization's own before its guard_mode",
      { guard_mode: "observe", engines: { oath: "ask" } },
      {},
      "ask",
    ],
    [
      "the agent's guard_mode before the organization's own",
      { engines: { oath: "off" } },
      { guard_mode: "act" },
      "enforce",
    ],
    ["the agent's own before its guard_mode", {}, { guard_mode: "observe", engines: { oath: "off" } }, "off"],
    ["block as an older word for act", { engines: { oath: "observe" } }, { guard_mode: "block" }, "enforce"],
    [
      "nothing for a spelling that is not known",
      { guard_mode: "Observe", engines: { oath: "on" } },
      { engines: 7 },
      "enforce",
    ],
    [
      "nothing that an object only inherits",
      JSON.parse('{"engines":{"__proto__":{"oath":"off"}}}') as object,
      {},
      "enforce",
    ],
  ];
  for (const [name, organization, agent, want] of cases)
    it(`take ${name}`, ({ expect }) => {
      expect(resolveModes(organization, agent).oath).toBe(want);
    });
});
