import fc from "fast-check";
import { describe, it } from "vitest";
import { newEffort, placesOf, replaced } from "../../../src/policy/provenance/fragment.ts";
import { needleOf, normalise, searchable } from "../../../src/policy/provenance/normal.ts";
import { outermost, quotesIn } from "../../../src/policy/provenance/quotes.ts";
import { sentencesIn } from "../../../src/policy/provenance/sentences.ts";
import { Units } from "../../../src/policy/provenance/units.ts";

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

describe("one spelling of a text", () => {
  it("takes no character for plain that is not", ({ expect }) => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCharCode(code);
      if (/\s/.test(character) || character === "*" || character === "_") continue;
      for (const before of ["a", "\u304b", "\uac00"]) {
        const text = `${before}${character}b`;
        const want = text.replace(IGNORABLE, "").normalize("NFKC").replace(IGNORABLE, "");
        if (normalise(text).text !== want && code !== 0x85) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is NFKC without what cannot be seen and without doubled emphasis, white space aside", ({ expect }) => {
    const plain = (text: string): string => text.replace(/\s+/gu, " ");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const want = text
          .replace(IGNORABLE, "")
          .normalize("NFKC")
          .replace(IGNORABLE, "")
          .replace(/\*\*|__/g, "");
        expect(plain(normalise(text).text)).toBe(plain(want));
      }),
    );
  });

  it("leads back to where everything stood, in order", ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const normal = normalise(text);
        expect(normal.lower).toHaveLength(normal.text.length);
        let last = 0;
        for (let at = 0; at <= normal.text.length; at++) {
          const source = normal.offsetOf(at);
          expect(source).toBeGreaterThanOrEqual(last);
          last = source;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
    const { text, offsetOf } = normalise("Th\u200be ｕｓｅｒ **approved**…");
    expect(text).toBe("The user approved...");
    expect(offsetOf(text.indexOf("user"))).toBe(5);
    expect(offsetOf(text.indexOf("approved"))).toBe(12);
  });

  it("keeps wide spaces apart from those that indent code", ({ expect }) => {
    expect(normalise("\u3000\u3000\u00a0x\u2003y").text).toBe("\u3000\u3000\u3000x\u3000y");
    expect(normalise("a\r\nb\rc\u2028d\u0085e").text).toBe("a\nb\nc\nd\ne");
  });

  it("compares by form, case, white space and kind of quote alone", ({ expect }) => {
    expect(searchable("  The\n guests\u2019  “Ｍenu” ")).toBe('the guests\' "menu"');
    expect(needleOf("Ship it on Friday… !?")).toBe("ship it on friday");
    expect(needleOf("?!。")).toBe("");
    expect(needleOf("a, b")).toBe("a, b");
  });
});

describe("quoted spans", () => {
  const found = (text: string): string[] =>
    quotesIn(text, 0, text.length).map(({ start, ends }) =>
      ends.map((end) => text.slice(start + 1, end)).join(" | "),
    );

  it.each([
    ['User said "ship it" twice', ["ship it"]],
    ["“curly” and „low“ and 「corner」『white』", ["curly", "low", "corner", "white"]],
    ["('put the guests' names on the cards')", ["put the guests | put the guests' names on the cards"]],
    ["a single 'word' is none, two 'of them' are", ["of them"]],
    ['27" wide. The user approved it. 6" long', []],
    ['("27" wide board")', ['27 | 27" wide board']],
    ["don't and won't are no quotes, isn't it", []],
    ["outer “with 'an inner one' inside”", ["with 'an inner one' inside", "an inner one"]],
    ["never closed “ at all", []],
    ['原话"预发环境扩容批了",见群', ["预发环境扩容批了"]],
  ])("are found: %s", (text, want) => {
    if (JSON.stringify(found(text)) !== JSON.stringify(want)) throw new Error(JSON.stringify(found(text)));
  });
});

describe("sentences", () => {
  const split = (text: string): string[] => {
    const quotes = outermost(quotesIn(text, 0, text.length));
    return sentencesIn(text, 0, text.length, quotes).map(({ start, end }) => text.slice(start, end).trim());
  };

  it.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["第一句。第二句!第三句", ["第一句。", "第二句!", "第三句"]],
    ["e.g. the blue one, v2.0 at 18:00, no. 5", ["e.g. the blue one, v2.0 at 18:00, no. 5"]],
    ["a; b &amp; c", ["a;", "b &amp; c"]],
    ['It says "go. now." and goes. Then', ['It says "go. now." and goes.', "Then"]],
    ["approved it (ticket?). Next", ["approved it (ticket?).", "Next"]],
    ["done.The owner came", ["done.", "The owner came"]],
    ["2. The user approved it", ["2. The user approved it"]],
    ["beta … then more... Then", ["beta … then more...", "Then"]],
  ])("end where they end: %s", (text, want) => {
    if (JSON.stringify(split(text)) !== JSON.stringify(want)) throw new Error(JSON.stringify(split(text)));
  });
});

describe("lines", () => {
  const units = (text: string): string[] => {
    const normal = normalise(text);
    const all = new Units(normal);
    const out: string[] = [];
    let from = 0;
    for (let at = normal.lower.indexOf("user"); at >= 0; at = normal.lower.indexOf("user", from + 1)) {
      const unit = all.at(at, from);
      out.push(`${unit.exempt ? "-" : "+"}${normal.text.slice(unit.start, unit.end).trim()}`);
      from = Math.max(unit.end, at);
    }
    return out;
  };

  it("are joined where they were only wrapped", ({ expect }) => {
    expect(units("On Monday the user\napproved it.")).toEqual(["+On Monday the user\napproved it."]);
    expect(units("From chat: the user\n  decided\n  it.")).toEqual([
      "+From chat: the user\n  decided\n  it.",
    ]);
    expect(units("A line\n- user one\n- user two")).toEqual(["+- user one", "+- user two"]);
    expect(units("user a\n\n  user b")).toEqual(["+user a", "+user b"]);
    expect(units("note the user\n§\nuser b")).toEqual(["+note the user", "+user b"]);
  });

  it("are code, tables and settings, or they are not", ({ expect }) => {
    expect(units("```\nuser a\n```\nuser b")).toEqual(["-```\nuser a\n```", "+user b"]);
    expect(units("~~~ x\nuser a\n")).toEqual(["-~~~ x\nuser a"]);
    expect(units("    user a\n\tuser b\n\t- user c")).toEqual(["-user a", "-user b", "+- user c"]);
    expect(units("user | x\n---|---\nuser | y\nuser z")).toEqual(["-user | x\n---|---\nuser | y", "+user z"]);
    expect(units("user confirmed: false\nUser decided: Postgres.\nuser chose: dark")).toEqual([
      "-user confirmed: false",
      "+User decided: Postgres.",
      "-user chose: dark",
    ]);
    expect(units("on_confirm: user a\nBug #12: user b\nGiven user c\nThen user d\n\nThen user e")).toEqual([
      "-on_confirm: user a",
      "-Bug #12: user b",
      "-Given user c",
      "-Then user d",
      "+Then user e",
    ]);
  });
});

describe("a fragment", () => {
  const apply = (text: string, old: string, by: string): string =>
    replaced(text, placesOf(text, old, newEffort()), by);

  it("is found as it is, else with white space, forms and quotes made equal", ({ expect }) => {
    expect(apply("a b a b", "a", "c")).toBe("c b c b");
    expect(apply("The owner\u2019s plan:\n  tag only.", "The owner's  plan: tag", "X")).toBe("X only.");
    expect(apply("ｔａｇ it", "tag", "X")).toBe("X it");
    expect(apply("a b", "c", "X")).toBe("a b");
    expect(apply("a b", "", "X")).toBe("a b");
    expect(apply("a b", "  ", "X")).toBe("a b");
  });

  it("is not looked for once the effort is spent", ({ expect }) => {
    const effort = { left: 10 };
    expect(placesOf("0123456789ab", "ab", effort)).toEqual([]);
    expect(placesOf("ab", "ab", effort)).toHaveLength(1);
  });
});
