import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataSpans } from "../../../src/policy/text/quoting.ts";
import { sentencesOf } from "../../../src/policy/text/sentences.ts";
import { type TokenKind, tokenize } from "../../../src/policy/text/tokens.ts";

const tokensOf = (text: string) => tokenize(text, dataSpans(text));
const kindsOf = (text: string): (readonly [TokenKind, string])[] =>
  tokensOf(text).map(({ kind, text: folded }) => [kind, folded] as const);

/** The sentences as typed. */
function sentences(text: string): string[] {
  const tokens = tokensOf(text);
  return sentencesOf(tokens, text).map(({ from, to }) =>
    text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0).trim(),
  );
}

describe("tokens", () => {
  it.each<[string, TokenKind]>([
    ["john@example.com", "email"],
    ["mailto:john@example.com", "email"],
    ["J.O'Hara+x@sub.example.co.uk", "email"],
    ["https://x.example/a?b=c#d", "url"],
    ["www.example.com", "url"],
    ["acme.example", "host"],
    ["10.0.0.1", "host"],
    ["lists.example.com/join", "url"],
    ["~/Downloads", "path"],
    ["./a", "path"],
    ["src/app.ts", "path"],
    ["C:\\Users\\u", "path"],
    ["/etc/hosts", "path"],
    ["notes.txt", "file"],
    [".env", "file"],
    ["archive.tar.gz", "file"],
    ["node_modules", "file"],
    ["@priya", "handle"],
    ["#general", "channel"],
    ["#12", "id"],
    ["INV-77", "id"],
    ["v1.2.3", "id"],
    ["user_name", "id"],
    ["$40", "money"],
    ["40€", "money"],
    ["1.200,50", "number"],
    ["+1 (555) 555-0188", "phone"],
    ["hello", "word"],
    ["and/or", "word"],
    ["e.g.", "word"],
    ["删除", "han"],
  ])("%j is one of kind %s", (text, kind) => {
    expect(tokensOf(text)[0]?.kind).toBe(kind);
    if (kind !== "word") expect(tokensOf(text)).toHaveLength(1);
  });

  it("end before the marks of the sentence", () => {
    expect(kindsOf("Mail a@b.example, then c@d.example.")).toEqual([
      ["word", "mail"],
      ["email", "a@b.example"],
      ["punct", ","],
      ["word", "then"],
      ["email", "c@d.example"],
      ["punct", "."],
    ]);
  });

  it("are joined by a hyphen", () => {
    expect(tokensOf("left-pad").map(({ text, glued }) => [text, glued])).toEqual([
      ["left", undefined],
      ["pad", true],
    ]);
  });

  it("hide what stands in a data position", () => {
    expect(kindsOf("See <email>delete it</email> and “no”")).toEqual([
      ["word", "see"],
      ["data", ""],
      ["word", "and"],
      ["quoted", "no"],
    ]);
  });

  it("stand in order where they were typed, whatever was typed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (text) => {
        let from = 0;
        for (const { start, end } of tokensOf(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe("sentences", () => {
  it.each<[string, readonly string[]]>([
    ["Delete it. Send it!", ["Delete it.", "Send it!"]],
    ["Is it ok? Yes", ["Is it ok?", "Yes"]],
    ["Mail Dr. Lee, e.g. today. Ok?", ["Mail Dr. Lee, e.g. today.", "Ok?"]],
    ["one line\nthat goes on", ["one line\nthat goes on"]],
    ["One line\nAnother", ["One line", "Another"]],
    ["No:\n- a\n- b", ["No:", "- a", "- b"]],
    ["1. first\n2. second", ["1. first", "2. second"]],
    ["删除它。不要发送。", ["删除它。", "不要发送。"]],
    ["Open a.txt. Then b.txt", ["Open a.txt.", "Then b.txt"]],
    ["It costs 3.50. Buy it", ["It costs 3.50.", "Buy it"]],
    ['He said "Delete it." Then he left', ['He said "Delete it."', "Then he left"]],
    ["", []],
    [" \n ", []],
  ])("of %j are %j", (text, want) => {
    expect(sentences(text)).toEqual(want);
  });

  it("know the words that introduce their list, as long as it lasts", () => {
    const text = "Never do this:\n- delete\n- send\n\nThanks. Bye.";
    expect(sentencesOf(tokensOf(text), text).map(({ intro }) => intro)).toEqual([null, 0, 0, null, null]);
  });

  it("are read in pieces where they do not end", () => {
    const text = "and on ".repeat(2_000);
    const tokens = tokensOf(text);
    const found = sentencesOf(tokens, text);
    expect(Math.max(...found.map(({ from, to }) => to - from))).toBeLessThanOrEqual(241);
  });

  it("hold every token that says something, once and in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "B", ".", "?", ":", "\n", "\n\n", "- ", "1. ", "“x.” ", ", ", " "), {
          maxLength: 80,
        }),
        (parts) => {
          const text = parts.join("");
          const tokens = tokensOf(text);
          let from = 0;
          for (const sentence of sentencesOf(tokens, text)) {
            const between = tokens.slice(from, sentence.from);
            expect(between.every(({ kind }) => kind === "punct" || kind === "break" || kind === "data")).toBe(
              true,
            );
            expect(sentence.to).toBeGreaterThan(sentence.from);
            from = sentence.to;
          }
        },
      ),
    );
  });
});
