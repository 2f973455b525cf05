import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadDraft, readDraft } from "../../../src/policy/fence/draft.ts";
import {
  applyTurn,
  harden,
  ownWords,
  type Permission,
  type Prohibition,
  readTurn,
  type TaskPolicy,
  type TurnReading,
  undrafted,
} from "../../../src/policy/fence/index.ts";
import { RISK_CLASSES } from "../../../src/policy/types.ts";
import { ADDRESSES, CALLS, PROHIBITIONS, REQUESTS, SENTENCES } from "./material.ts";
import { BLOCKS, inPosition, QUOTED, TO_THE_END } from "./shown.ts";
import { judged, policyOf, RANK, reading, sentence, words } from "./support.ts";

/** What the hardening makes of any answer of a model; an answer that is no draft makes nothing. */
function hardened(answer: unknown, text: string): TurnReading | null {
  const read: ReadDraft = readDraft(answer);
  return read.ok ? harden(read.draft, read.dropped, text, readTurn(text)) : null;
}

const asPolicy = (said: TurnReading): TaskPolicy => applyTurn(null, said, { turn: 0, authority: "owner" });

/** Words that a model may quote: what was said, part of it, what was shown, and what nobody wrote. */
const quoteOf = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...text.split(/(?<=[.!?。])\s+|\n+/).filter((one) => one.trim() !== ""), text),
    fc
      .tuple(fc.nat(text.length), fc.nat(60))
      .map(([from, length]) => text.slice(from, from + length))
      .filter((one) => one.trim() !== ""),
    sentence,
    fc.string(),
  );
const target = fc.oneof(
  fc.record({ kind: fc.constant("recipient"), text: fc.constantFrom(...ADDRESSES, "#general", "Tom") }),
  fc.record({
    kind: fc.constant("path"),
    text: fc.constantFrom("old/notes.txt", "docs/minutes.md", "reports/q3.csv", "/", "~", "src"),
  }),
  fc.record({
    kind: fc.constantFrom("item", "amount", "host", "command"),
    text: fc.constantFrom("12", "40 EUR", "*"),
  }),
);
const listed = fc.array(fc.constantFrom("send", "email", "delete", "write", "pay", "file", "summary"), {
  maxLength: 3,
});
const draftOf = (text: string): fc.Arbitrary<unknown> =>
  fc.record(
    {
      permissions: fc.array(
        fc.record(
          {
            risk: fc.constantFrom(...RISK_CLASSES, "EVERYTHING"),
            verbs: listed,
            object: listed,
            targets: fc.array(target, { maxLength: 3 }),
            limit: fc.constantFrom(1, 2, 1000, null, 0, -1, "1"),
            quote: quoteOf(text),
            rationale: fc.string(),
          },
          { requiredKeys: ["risk", "quote"] },
        ),
        { maxLength: 8 },
      ),
      prohibitions: fc.array(
        fc.record(
          {
            risks: fc.oneof(fc.constant("all"), fc.subarray([...RISK_CLASSES], { minLength: 1 })),
            verbs: listed,
            object: listed,
            targets: fc.array(target, { maxLength: 2 }),
            except: fc.boolean(),
            verdict: fc.constantFrom("block", "ask"),
            quote: quoteOf(text),
          },
          { requiredKeys: ["risks", "quote"] },
        ),
        { maxLength: 4 },
      ),
      allowed_tools: fc.constant(["terminal"]),
    },
    { requiredKeys: ["permissions"] },
  );
const shownIn = fc.constantFrom(...BLOCKS, ...TO_THE_END, ...QUOTED);
const texts = fc
  .tuple(words, fc.option(fc.tuple(shownIn, sentence)))
  .map(([mine, shown]) =>
    shown === null || !inPosition(...shown) ? mine : `${mine}\n\n${shown[0].show(shown[1])}`,
  );
const drafted = texts.chain((text) => draftOf(text).map((answer) => ({ text, answer })));

/** A quote as people see it where it was left out: one line, without what cannot be seen. */
const shownAs = (quote: string): string => quote.replace(/[\s\p{C}\ufffd]+/gu, "");

type Unnamed<T> = Omit<T, "id">;

function isNoWider(made: Unnamed<Permission>, heard: Unnamed<Permission>): boolean {
  const isSame =
    made.risk === heard.risk &&
    made.quote === heard.quote &&
    made.span.start === heard.span.start &&
    made.span.end === heard.span.end;
  const limits =
    made.limit === heard.limit || (made.limit !== null && made.limit < (heard.limit ?? Infinity));
  return (
    isSame &&
    limits &&
    made.verbs.every((verb) => heard.verbs.includes(verb)) &&
    made.targets.every((one) => heard.targets.some((known) => JSON.stringify(known) === JSON.stringify(one)))
  );
}

describe("whatever a model says", () => {
  it("is permitted only as far as the words themselves ask for it", () => {
    fc.assert(
      fc.property(drafted, ({ text, answer }) => {
        const made = hardened(answer, text);
        if (made === null) return;
        const heard = readTurn(text);
        for (const one of made.permissions)
          expect(
            heard.permissions.some((known) => isNoWider(one, known)),
            JSON.stringify(one),
          ).toBe(true);
        expect(made.permissions.length).toBeLessThanOrEqual(heard.permissions.length);
        expect(made.delegated).toEqual(heard.delegated);
        expect(made.named).toEqual(heard.named);
        for (const at of made.again) expect(made.permissions[at]).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it("forbids what the words forbid, and never less", () => {
    fc.assert(
      fc.property(drafted, ({ text, answer }) => {
        const made = hardened(answer, text);
        if (made === null) return;
        for (const known of readTurn(text).prohibitions) expect(made.prohibitions).toContainEqual(known);
      }),
      { numRuns: 500 },
    );
  });

  it("gives a cause for everything that it did not keep", () => {
    fc.assert(
      fc.property(drafted, ({ text, answer }) => {
        const made = hardened(answer, text);
        if (made === null) return;
        const heard = readTurn(text);
        for (const { cause, quote } of made.dropped) {
          expect(cause).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
          expect(quote.length).toBeLessThanOrEqual(2_000);
        }
        for (const known of heard.permissions)
          if (!made.permissions.some((one) => isNoWider(one, known)))
            expect(made.dropped).toContainEqual({
              quote: known.quote,
              span: known.span,
              cause: "not-drafted",
            });
        const { permissions, prohibitions } = answer as {
          permissions: { quote: string }[];
          prohibitions?: { quote: string }[];
        };
        const kept = [...made.permissions, ...made.prohibitions];
        const touches = (quote: string, { start, end }: { start: number; end: number }): boolean => {
          const at = text.indexOf(quote, Math.max(0, start - quote.length + 1));
          return at >= 0 && at < end;
        };
        for (const { quote } of [...permissions, ...(prohibitions ?? [])]) {
          const stands = kept.some(({ span }) => touches(quote, span));
          const told = made.dropped.some(
            (one) => one.quote !== "" && shownAs(quote).startsWith(shownAs(one.quote)),
          );
          const isUnreadable = made.dropped.some(({ quote: none }) => none === "");
          expect(stands || told || isUnreadable, quote).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("quotes the person: no word that only stands where something is shown", () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...REQUESTS), shownIn, (mine, shown, position) => {
        fc.pre(inPosition(position, shown) && !mine.includes(shown));
        const text = `${mine}\n\n${position.show(shown)}`;
        const quote = shown.replace(/[.。]$/, "");
        const row = { verbs: [], object: [], targets: [], quote };
        const answer = {
          permissions: RISK_CLASSES.map((risk) => ({ ...row, risk })),
          prohibitions: [{ ...row, risks: "all" }],
        };
        const made = hardened(answer, text);
        expect(made?.permissions).toEqual([]);
        expect(made?.prohibitions).toEqual(readTurn(text).prohibitions);
        expect(made?.dropped).toContainEqual({ quote, span: null, cause: "not-the-users-words" });
      }),
    );
  });

  it("is no authority before it was heard by the offline reader too", () => {
    const harmless = SENTENCES.filter((one) => readTurn(one).permissions.length === 0);
    expect(harmless.length).toBeGreaterThan(30);
    fc.assert(
      fc.property(fc.constantFrom(...harmless), fc.constantFrom(...RISK_CLASSES), (text, risk) => {
        const made = hardened({ permissions: [{ risk, quote: text, targets: [] }] }, text);
        expect(made?.permissions).toEqual([]);
      }),
    );
  });

  it("is total on any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: "binary" }), (answer, text) => {
        expect(() => hardened(answer, text)).not.toThrow();
      }),
      { numRuns: 500 },
    );
    const member = fc.constantFrom(
      "permissions",
      "prohibitions",
      "risk",
      "risks",
      "quote",
      "targets",
      "limit",
      "__proto__",
    );
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(null, true, 1, "all", "DELETE", "", "\ud800"),
        sentence,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(member, tie("value"), { maxKeys: 6 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, words, (answer, text) => {
        const made = hardened(answer, text);
        if (made !== null)
          expect(made.permissions.length).toBeLessThanOrEqual(readTurn(text).permissions.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("can only be narrowed by another draft of the same words", () => {
    fc.assert(
      fc.property(drafted, ({ text, answer }) => {
        const once = hardened(answer, text);
        if (once === null) return;
        const read = readDraft(answer);
        if (!read.ok) return;
        const twice = harden(read.draft, [], text, once);
        for (const one of twice.permissions)
          expect(once.permissions.some((known) => isNoWider(one, known))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a faithful model", () => {
  /** Code is shown, so that a model never sees it. */
  const requests = REQUESTS.filter((one) => !one.includes("`"));

  /** A draft that says just what the offline reader heard. */
  function faithful(text: string): unknown {
    const bare = <T extends Unnamed<Permission> | Unnamed<Prohibition>>({ span: _, ...row }: T) => ({
      ...row,
      targets: row.targets.map(({ kind, text: name }) => ({ kind, text: name })),
    });
    const { permissions, prohibitions } = readTurn(text);
    return {
      permissions: permissions.filter(({ limit }) => limit !== 0).map(bare),
      prohibitions: prohibitions.map(bare),
    };
  }

  it("loses nothing of what the words say", () => {
    fc.assert(
      fc.property(fc.constantFrom(...requests, ...PROHIBITIONS), (text) => {
        const made = hardened(faithful(text), text);
        const heard = readTurn(text);
        expect(made?.permissions).toEqual(heard.permissions);
        expect(made?.prohibitions.length).toBe(heard.prohibitions.length * 2);
      }),
    );
  });

  it("changes no verdict", () => {
    fc.assert(
      fc.property(fc.constantFrom(...requests), fc.constantFrom(...CALLS), (text, one) => {
        const made = hardened(faithful(text), text);
        if (made !== null)
          expect(judged(asPolicy(made), one).verdict).toBe(judged(policyOf([text]), one).verdict);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a turn that nobody could draft", () => {
  it("asks for nothing and forbids all that it forbids", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const made = undrafted(reading(text));
        expect(made.permissions).toEqual([]);
        expect(made.delegated).toEqual([]);
        expect(made.again).toEqual([]);
        expect(made.prohibitions).toEqual(reading(text).prohibitions);
        for (const one of CALLS.slice(0, 30))
          expect(RANK[judged(asPolicy(made), one).verdict]).toBeGreaterThanOrEqual(
            reading(text).permissions.length === 0 ? RANK[judged(policyOf([text]), one).verdict] : 0,
          );
      }),
      { numRuns: 100 },
    );
  });
});

describe("the words that a model is shown", () => {
  it("hold nothing that is only shown", () => {
    fc.assert(
      fc.property(words, words, fc.constantFrom(...BLOCKS, ...TO_THE_END), (mine, shown, position) => {
        fc.pre(inPosition(position, shown) && !mine.includes(shown));
        const text = `${mine}\n\n${position.show(shown)}`;
        expect(ownWords(text)).toContain(mine.replace(/`[^`]*`.*$/s, ""));
        expect(ownWords(text)).not.toContain(shown);
      }),
    );
  });

  it("are the text itself where nothing is shown", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SENTENCES), (text) => text.includes("`") || ownWords(text) === text),
    );
  });
});
