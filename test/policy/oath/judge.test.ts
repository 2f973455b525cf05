import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BoundOath, coveredBy, evidenceMeets, judgeOath } from "../../../src/policy/oath/index.ts";
import { boundCovers, boundsIntersect, treeBound } from "../../../src/policy/paths/index.ts";
import type { Effects, Finding } from "../../../src/policy/types.ts";
import { effects, opaque, sworn } from "./support.ts";

const pattern = fc.constantFrom(
  "/a",
  "/a/**",
  "/a/b",
  "/a/*",
  "/a/*.md",
  "/a/**/c",
  "/**/b/c",
  "/*/b",
  "~/x",
  "~/x/**",
  "$HERMES_HOME/m/**",
  "$NOPE/x",
  "/A/B",
  "/",
);
const verb = fc.constantFrom("delete", "modify", "create", "any");
const rule = fc
  .tuple(fc.constantFrom("never", "always require backup before"), verb, pattern)
  .map(([kind, word, path]) => `${kind} ${word}: ${path}`);
const path = fc.constantFrom(
  "/a",
  "/a/b",
  "/a/b/c",
  "/a/**",
  "/a/*",
  "/a/.x.md",
  "/a/x.md",
  "/**",
  "?",
  "/home/u/x/1",
  "/home/u/.hermes/m/1",
  "/home/u/.hermes/**",
  "/home/u/work",
  "/[a-c]/b",
  "/z",
);
const action = fc.record({ verb: fc.constantFrom("delete", "modify", "create"), path });
const hidden = fc.record({
  causes: fc.constant(["script"]),
  unparsed: fc.boolean(),
  names: fc.array(path, { maxLength: 3 }),
});
const call = fc
  .record({ actions: fc.array(action, { maxLength: 4 }), opaque: fc.option(hidden, { freq: 2 }) })
  .map((parts) => effects(parts as Partial<Effects>));
const os = fc.constantFrom("linux", "darwin", "windows") as fc.Arbitrary<"linux" | "darwin" | "windows">;

const told = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ reason, unless }) => `${reason.rule_key} ${reason.cite?.text} ${unless?.of.join(",") ?? ""}`,
  );

describe("judgeOath", () => {
  it("is inert without an oath", () => {
    fc.assert(
      fc.property(call, (reading) => {
        expect(judgeOath([], reading)).toEqual([]);
        expect(judgeOath([sworn("standing mission: be kind")], reading)).toEqual([]);
      }),
    );
  });

  it("agrees with a plain look at every line", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), call, os, (rules, reading, system) => {
        const oath = sworn(rules, { os: system });
        const expected = oath.lines.flatMap((line): string[] => {
          const { surface, verbs, rule: sworn } = line;
          if (line.missing !== null) {
            const reached = reading.opaque !== null || reading.actions.some((it) => verbs.includes(it.verb));
            return reached ? ["oath:unresolved-variable"] : [];
          }
          if (surface === null) return [];
          const fold = system !== "linux";
          const meets = (bound: string) => boundsIntersect(surface.bound, bound, fold);
          const keys: string[] = [];
          if (reading.actions.some((it) => verbs.includes(it.verb) && meets(it.path))) {
            keys.push(sworn.kind === "never" ? "oath:never" : "oath:require-backup");
          }
          const named = reading.opaque?.names.some((name) => meets(treeBound(name)));
          if (reading.opaque?.unparsed || named) keys.push("oath:opaque");
          return keys;
        });
        expect(judgeOath([oath], reading).map(({ reason }) => reason.rule_key)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("only ever finds more when a line is added", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), rule, call, (rules, extra, reading) => {
        const before = told(judgeOath([sworn(rules)], reading));
        expect(told(judgeOath([sworn([...rules, extra])], reading))).toEqual(expect.arrayContaining(before));
        const both = judgeOath([sworn(rules), sworn(extra, {}, "agent")], reading);
        expect(told(both)).toEqual(expect.arrayContaining(before));
      }),
      { numRuns: 1000 },
    );
  });

  it("does not depend on the order of lines", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), call, (rules, reading) => {
        const forwards = told(judgeOath([sworn(rules)], reading)).sort();
        const backwards = told(judgeOath([sworn([...rules].reverse())], reading)).sort();
        expect(backwards).toEqual(forwards);
      }),
      { numRuns: 1000 },
    );
  });

  it("asks for backups that hold all that the call acts on and the line protects", () => {
    fc.assert(
      fc.property(rule, call, (line, reading) => {
        const oath = sworn(line);
        const surface = oath.lines[0]?.surface?.bound ?? "?";
        const verbs = oath.lines[0]?.verbs ?? [];
        for (const { unless, reason } of judgeOath([oath], reading)) {
          if (unless === undefined || reason.rule_key !== "oath:require-backup") continue;
          const all = unless.of;
          const whole = all.some((bound) => boundCovers(bound, surface));
          for (const acted of reading.actions) {
            if (!verbs.includes(acted.verb) || !boundsIntersect(acted.path, surface)) continue;
            expect(whole || all.some((bound) => boundCovers(bound, acted.path))).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is total on bounds and names that are none", () => {
    const oath = sworn("never any: ~/x\nalways require backup before any: ~/y/*.md");
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        const actions = texts.map((text) => ({ verb: "modify" as const, path: text }));
        judgeOath([oath], effects({ actions, opaque: opaque({ names: texts }) }));
      }),
    );
  });

  it("binds an organization's and an agent's oath, in this order", () => {
    const oaths = [
      sworn("never delete: /a", {}, "organization", 3),
      sworn("\nnever delete: /a/b", {}, "agent", 9),
    ];
    const findings = judgeOath(oaths, effects({ actions: [{ verb: "delete", path: "/a/b" }] }));
    expect(findings.map(({ reason }) => reason.cite)).toEqual([
      { oath: "organization", version: 3, line: 1, text: "never delete: /a" },
      { oath: "agent", version: 9, line: 2, text: "never delete: /a/b" },
    ]);
    expect(findings[1]?.reason.message).toMatch(/^Blocked by this agent's oath, line 2: /);
  });

  it("names a few paths and counts the rest", () => {
    const actions = Array.from({ length: 500 }, (_, index) => ({
      verb: "delete" as const,
      path: `/a/${index}${"x".repeat(300)}`,
    }));
    const [never, require] = judgeOath(
      [sworn("never delete: /a\nalways require backup before delete: /a")],
      effects({ actions }),
    );
    expect(never?.reason.message).toContain("and 497 more.");
    expect(never?.reason.message.length).toBeLessThan(1_200);
    expect(require?.unless?.of).toEqual(["/a/**"]);
  });
});

describe("evidenceMeets", () => {
  const meets = (
    condition: Parameters<typeof evidenceMeets>[0],
    evidence: Parameters<typeof coveredBy>[0],
    foldCase = false,
    left = 1_000_000,
  ) => evidenceMeets(condition, coveredBy(evidence, foldCase, { left }));

  it("meets nothing more once its steps are spent", ({ expect }) => {
    const glob = `/${"a*".repeat(40)}`;
    expect(meets(of("/a/x", `/${"a".repeat(200)}`), [{ src: "/a/**" }, { src: glob }])).toBe(true);
    expect(meets(of("/a/x", `/${"a".repeat(200)}`), [{ src: "/a/**" }, { src: glob }], false, 100)).toBe(
      false,
    );
    expect(meets(of("/a/x"), [{ src: "/a/**" }], false, 0)).toBe(false);
  });

  const of = (...bounds: string[]) => ({ evidence: "backup" as const, of: bounds });
  it("needs each bound inside one piece", () => {
    expect(meets(of("/a/x"), [{ src: "/a/**" }])).toBe(true);
    expect(meets(of("/a/x", "/b"), [{ src: "/a/**" }])).toBe(false);
    expect(meets(of("/a/x", "/b"), [{ src: "/a/**" }, { src: "/b" }])).toBe(true);
    expect(meets(of("/a/**"), [{ src: "/a" }, { src: "/a/*" }])).toBe(false);
    expect(meets(of("/a"), [])).toBe(false);
    expect(meets(of("?"), [{ src: "/**" }])).toBe(false);
    expect(meets(of("/a"), [{ src: "?" }])).toBe(false);
    expect(meets(of(), [{ src: "/**" }])).toBe(false);
    expect(meets(of("/A"), [{ src: "/a" }])).toBe(false);
    expect(meets(of("/A"), [{ src: "/a" }], true)).toBe(true);
  });

  it("a shell's glob may have left hidden files out", () => {
    expect(meets(of("/a/.env"), [{ src: "/a/*" }])).toBe(false);
    const [finding] = judgeOath(
      [sworn("always require backup before delete: /a/*.md")],
      effects({ actions: [{ verb: "delete", path: "/a/**" }] }),
    );
    expect(finding?.unless && meets(finding.unless, [{ src: "/a/*.md" }])).toBe(false);
    expect(finding?.unless && meets(finding.unless, [{ src: "/a/**" }])).toBe(true);
  });
});

describe("speed with a thousand lines", () => {
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    index % 10 === 0
      ? `never modify: ~/d${index}/*.md`
      : index % 3 === 0
        ? `always require backup before modify: ~/d${index}/**`
        : `never delete: ~/d${index}/s/**`,
  );

  const perCall = (oath: BoundOath, reading: Effects): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run += 1) {
      const started = performance.now();
      for (let again = 0; again < 20; again += 1) judgeOath([oath], reading);
      best = Math.min(best, (performance.now() - started) / 20);
    }
    return best;
  };

  it("judges a typical call far below a millisecond", () => {
    const reading = effects({
      actions: [
        { verb: "create", path: "/home/u/work/a.ts" },
        { verb: "modify", path: "/home/u/work/a.ts" },
        { verb: "delete", path: "/home/u/d501/s/x" },
        { verb: "modify", path: "/home/u/d510/*.md" },
      ],
    });
    expect(judgeOath([sworn(lines)], reading).length).toBeGreaterThan(0);
    const took = perCall(sworn(lines), reading);
    if (process.env["MEASURE"]) console.log(`typical call, 1,000 lines: ${(took * 1000).toFixed(0)} µs`);
    expect(took).toBeLessThan(1);
  });

  it("binds a thousand lines in milliseconds", () => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run += 1) {
      const started = performance.now();
      sworn(lines);
      best = Math.min(best, performance.now() - started);
    }
    if (process.env["MEASURE"]) console.log(`parse, compile and bind 1,000 lines: ${best.toFixed(2)} ms`);
    expect(best).toBeLessThan(100);
  });

  it("withstands hostile patterns and hostile calls", () => {
    const hostile = sworn(
      Array.from({ length: 60 }, (_, index) => `never delete: /${"*a".repeat(500)}${index}`),
    );
    const started = performance.now();
    judgeOath([hostile], effects({ actions: [{ verb: "delete", path: `/${"a".repeat(4_000)}` }] }));
    judgeOath([hostile], effects({ actions: [{ verb: "delete", path: `/${"*a".repeat(2_000)}` }] }));
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      verb: "delete" as const,
      path: `/home/u/*${index}`,
    }));
    judgeOath([sworn(lines)], effects({ actions: many }));
    const took = performance.now() - started;
    if (process.env["MEASURE"]) console.log(`hostile: ${took.toFixed(0)} ms`);
    // A second or so on a quiet machine; without the budget it is minutes.
    expect(took).toBeLessThan(20_000);
  });
});
