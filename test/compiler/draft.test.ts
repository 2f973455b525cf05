import * as fc from "fast-check";
import { describe, it } from "vitest";
import { onlyTheirWords } from "../../src/compiler/sieve.ts";
import {
  DRAFT_SCHEMA,
  MAX_DRAFT_DROPPED,
  MAX_DRAFT_ROWS,
  PERMISSION_FIELDS,
  PROHIBITION_FIELDS,
  readDraft,
} from "../../src/policy/fence/draft.ts";
import { FENCED_CLASSES } from "../../src/policy/fence/types.ts";
import { GOOD } from "./answers.ts";

const [PERMISSION] = GOOD.permissions;
const [PROHIBITION] = GOOD.prohibitions;

function read(value: unknown) {
  const answer = readDraft(value);
  if (!answer.ok) throw new Error(answer.cause);
  return answer;
}
const permission = (change: Record<string, unknown>) =>
  read({ permissions: [{ ...PERMISSION, ...change }], prohibitions: [] });
const prohibition = (change: Record<string, unknown>) =>
  read({ permissions: [], prohibitions: [{ ...PROHIBITION, ...change }] });

describe("a draft", () => {
  it("is read as it was written", ({ expect }) => {
    expect(readDraft(GOOD)).toEqual({ ok: true, draft: GOOD, dropped: [] });
    expect(prohibition({ risks: "all" }).draft.prohibitions[0]?.risks).toBe("all");
    expect(prohibition({ risks: ["READ", "DELETE"] }).draft.prohibitions[0]?.risks).toEqual(["DELETE"]);
    expect(permission({ limit: null }).draft.permissions[0]?.limit).toBeNull();
    expect(permission({ object: ["Pull Request", " pull "] }).draft.permissions[0]?.object).toEqual([
      "pull",
      "request",
    ]);
  });

  it.for([null, 1, "x", [], [GOOD], {}, { permissions: {} }, { permissions: null, prohibitions: "none" }])(
    "is not %j",
    (value, { expect }) => {
      expect(readDraft(value).ok).toBe(false);
    },
  );

  it("may lack one of its lists", ({ expect }) => {
    expect(read({ prohibitions: GOOD.prohibitions })).toMatchObject({
      draft: { permissions: [] },
      dropped: [],
    });
    expect(read({ permissions: GOOD.permissions, prohibitions: 7 }).dropped).toEqual([
      { where: "/prohibitions", quote: "", span: null, cause: "wrong-type" },
    ]);
  });

  it("says no more than it says: what is missing is the narrowest", ({ expect }) => {
    const { risk, quote } = PERMISSION ?? {};
    expect(read({ permissions: [{ risk, quote }] }).draft.permissions).toEqual([
      { risk, verbs: [], object: [], targets: [], limit: 1, quote, rationale: "" },
    ]);
    const { risks, quote: no } = PROHIBITION ?? {};
    expect(read({ prohibitions: [{ risks, quote: no }] }).draft.prohibitions).toEqual([
      {
        risks,
        verbs: [],
        object: [],
        targets: [],
        except: false,
        verdict: "block",
        quote: no,
        rationale: "",
      },
    ]);
  });

  it.for([
    [{ risk: undefined }, "risk", "missing-member"],
    [{ risk: 3 }, "risk", "wrong-type"],
    [{ risk: "communication" }, "risk", "unknown-class"],
    [{ risk: "GOVERNANCE" }, "risk", "class-not-fenced"],
    [{ risk: "READ" }, "risk", "class-not-fenced"],
    [{ verbs: "send" }, "verbs", "wrong-type"],
    [{ verbs: Array(17).fill("a") }, "verbs", "too-many"],
    [{ verbs: [Array.from({ length: 17 }, (_, i) => `w${i}`).join(" ")] }, "verbs", "too-many"],
    [{ verbs: ["x".repeat(41)] }, "verbs", "too-long"],
    [{ object: [null] }, "object", "wrong-type"],
    [{ targets: [{ kind: "everybody", text: "x" }] }, "targets", "wrong-type"],
    [{ targets: [{ kind: "path", text: " " }] }, "targets", "wrong-type"],
    [{ targets: [{ kind: "path", text: "x".repeat(1_025) }] }, "targets", "too-long"],
    [{ targets: Array(65).fill({ kind: "path", text: "x" }) }, "targets", "too-many"],
    [{ limit: 0 }, "limit", "out-of-range"],
    [{ limit: 1.5 }, "limit", "out-of-range"],
    [{ limit: -1 }, "limit", "out-of-range"],
    [{ limit: 1e9 }, "limit", "out-of-range"],
    [{ limit: true }, "limit", "wrong-type"],
    [{ quote: "" }, "quote", "wrong-type"],
    [{ quote: undefined }, "quote", "missing-member"],
    [{ quote: "x".repeat(2_001) }, "quote", "too-long"],
    [{ rationale: [] }, "rationale", "wrong-type"],
  ] as const)("loses a permission with %j", ([change, member, cause], { expect }) => {
    const { draft, dropped } = permission(change);
    expect(draft.permissions).toEqual([]);
    expect(dropped).toMatchObject([{ where: `/permissions/0/${member}`, cause }]);
  });

  it.for([
    [{ risks: "everything" }, "risks", "wrong-type"],
    [{ risks: ["READ"] }, "risks", "class-not-fenced"],
    [{ risks: ["DELETE", "X"] }, "risks", "unknown-class"],
    [{ except: "yes" }, "except", "wrong-type"],
    [{ verdict: "allow" }, "verdict", "wrong-type"],
  ] as const)("loses a prohibition with %j", ([change, member, cause], { expect }) => {
    const { draft, dropped } = prohibition(change);
    expect(draft.prohibitions).toEqual([]);
    expect(dropped).toMatchObject([{ where: `/prohibitions/0/${member}`, cause }]);
  });

  it("shows people one line that hides nothing", ({ expect }) => {
    const rationale = `one\ntwo\u202e\u200b\u0007 three ${"x".repeat(500)}`;
    const [row] = permission({ rationale }).draft.permissions;
    expect(row?.rationale).toMatch(/^one two three x+$/);
    expect(row?.rationale.length).toBe(200);
  });

  it("is bounded in rows and in reasons", ({ expect }) => {
    const many = read({ permissions: Array(1_000).fill(PERMISSION), prohibitions: [] });
    expect(many.draft.permissions.length).toBe(MAX_DRAFT_ROWS);
    expect(many.dropped).toMatchObject([{ cause: "too-many" }]);
    const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x${i}`, i]));
    expect(read({ ...GOOD, ...members }).dropped.length).toBe(MAX_DRAFT_DROPPED);
    const [long] = read({ ...GOOD, [`a/b\n${"x".repeat(1_000)}`]: 1 }).dropped;
    expect(long?.where).toMatch(/^\/a~1b x{30,40}$/);
  });

  it("does not read what an object inherits", ({ expect }) => {
    const row = JSON.parse('{"__proto__": {"risk": "DELETE"}, "quote": "x"}') as unknown;
    expect(read({ permissions: [row] }).draft.permissions).toEqual([]);
    expect(read(JSON.parse('{"permissions": [], "__proto__": {"a": 1}}')).dropped).toMatchObject([
      { where: "/__proto__", cause: "unknown-member" },
    ]);
  });

  it("is read from anything, and twice the same", ({ expect }) => {
    const rows = fc.array(fc.oneof(fc.anything(), fc.record({ risk: fc.anything(), quote: fc.anything() })));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ permissions: rows, prohibitions: rows })), (value) => {
        const once = readDraft(value);
        expect(readDraft(value)).toEqual(once);
        if (!once.ok) return;
        expect(once.dropped.length).toBeLessThanOrEqual(MAX_DRAFT_DROPPED);
        expect(readDraft(once.draft)).toEqual({ ok: true, draft: once.draft, dropped: [] });
      }),
    );
  });
});

describe("the words of a draft", () => {
  const kept = (quote: string, texts: readonly string[]) =>
    onlyTheirWords(permission({ quote }).draft, texts).draft.permissions.length === 1;

  it("are the person's own, whatever was tidied in copying them", ({ expect }) => {
    const texts = ["Please don\u2019t wait:\n  email   John \u2014 now", "ok"];
    expect(kept("don't wait: email John - now", texts)).toBe(true);
    expect(kept("EMAIL john", texts)).toBe(true);
    expect(kept("email Jane", texts)).toBe(false);
    expect(kept("now ok", texts)).toBe(false);
    expect(kept("email", [])).toBe(false);
  });

  it("are found as a plain search finds them", ({ expect }) => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 }), (part, text) => {
        expect(kept(part, [text])).toBe(text.includes(part));
      }),
      { numRuns: 1_000 },
    );
  });

  it("are found in time that grows with the words alone", ({ expect }) => {
    const quote = `${"a".repeat(1_000)}b${"a".repeat(999)}`;
    const row = { ...(PERMISSION as NonNullable<typeof PERMISSION>), quote };
    const draft = read({ permissions: Array(MAX_DRAFT_ROWS).fill(row), prohibitions: [] }).draft;
    const started = performance.now();
    expect(onlyTheirWords(draft, ["a".repeat(24_000)]).dropped.length).toBe(MAX_DRAFT_ROWS);
    expect(performance.now() - started).toBeLessThan(400);
  });
});

describe("the schema of a draft", () => {
  it("names every field of the table, and lets in no other", ({ expect }) => {
    const item = (list: string) =>
      (DRAFT_SCHEMA["properties"] as Record<string, { items: Record<string, unknown> }>)[list]?.items ?? {};
    for (const [list, fields] of [
      ["permissions", PERMISSION_FIELDS],
      ["prohibitions", PROHIBITION_FIELDS],
    ] as const) {
      expect(item(list)).toMatchObject({ required: Object.keys(fields), additionalProperties: false });
      expect(Object.keys(item(list)["properties"] as object)).toEqual(Object.keys(fields));
    }
    expect(JSON.stringify(DRAFT_SCHEMA)).toContain(JSON.stringify(FENCED_CLASSES));
  });
});
