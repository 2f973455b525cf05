/** A name is whole or it is another one: what is joined to it names neither it nor its parts (CONVENTIONS §4). */
import { describe, expect, it } from "vitest";
import { dataSpans, unquoted } from "../../../src/policy/text/quoting.ts";
import { tokenize } from "../../../src/policy/text/tokens.ts";
import { reading } from "../fence/support.ts";

const NAMES = ["notes.txt", "old/notes.txt", "bob@acme.example", "acme.example", "~/old/notes.txt"];
const JOINTS = ["=", "~", "^", "_", "&", "*", "+", "-"];

const named = (text: string): string[] =>
  reading(text).permissions.flatMap(({ targets }) => targets.map((one) => one.text));

describe("a name with something joined to it", () => {
  it.each(NAMES.flatMap((name) => JOINTS.map((joint) => [name, joint] as const)))(
    "is another: %s, %s",
    (name, joint) => {
      for (const joined of [`${name}${joint}evil`, `evil${joint}${name}`])
        for (const say of [
          (it: string) => `Delete ${it} now.`,
          (it: string) => `Email the list to ${it} now.`,
          (it: string) => `Upload the list to ${it} now.`,
        ])
          expect(named(say(joined)), say(joined)).not.toContain(name);
    },
  );

  it.each(["notes.txt~", "notes.txt-old", "notes.txt_2", "my-notes.txt", "re_port.v2.pdf"])(
    "may be a file: %s",
    (name) => {
      expect(named(`Delete ${name} now.`)).toContain(name);
    },
  );

  it.each([
    ["Delete notes.txt- it is old.", "notes.txt"],
    ["Delete *notes.txt*.", "notes.txt"],
    ["Delete **old/notes.txt** please.", "old/notes.txt"],
    ["Close #12/#13 in acme/site.", "#12"],
    ["Merge #34 & #35 in acme/site.", "#34"],
    ["Email bob@acme.example, then ann@acme.example.", "bob@acme.example"],
  ])("is itself: %j", (text, name) => {
    expect(named(text)).toContain(name);
  });
});

describe("a link", () => {
  it.each([
    ["(https://a.example/b)", "https://a.example/b"],
    ["(see https://a.example/b).", "https://a.example/b"],
    ["[https://a.example/b]", "https://a.example/b"],
    ["https://a.example/b_(c)", "https://a.example/b_(c)"],
    ["(https://a.example/b_(c))", "https://a.example/b_(c)"],
  ])("ends before the bracket around it: %j", (text, link) => {
    const found = tokenize(text, []).filter(({ kind }) => kind === "url");
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([link]);
  });
});

describe("a quotation", () => {
  it.each([
    "“a b.txt”",
    "„a b.txt“",
    "»a b.txt«",
    "‚a b.txt‘",
    "”a b.txt”",
    "＂a b.txt＂",
    "「a b.txt」",
    '"a b.txt"',
    "`a b.txt`",
  ])("is a name without its marks: %s", (quoted) => {
    expect(unquoted(quoted)).toBe("a b.txt");
    expect(dataSpans(`Delete ${quoted}`)).toHaveLength(1);
    expect(named(`Delete ${quoted}`)).toContain("a b.txt");
  });

  it.each(["「不要发送任何邮件。」", "“Delete it all!”", "»Lösch alles.«"])(
    "is no name when it is a sentence: %s",
    (quoted) => {
      expect(named(`The note says ${quoted} and nobody knows why.\nFill in the form and submit it.`)).toEqual(
        [],
      );
    },
  );
});
