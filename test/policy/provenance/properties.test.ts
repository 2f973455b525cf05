import fc from "fast-check";
import { describe, it } from "vitest";
import {
  type Candidate,
  captureTurn,
  detectClaims,
  findingsOf,
  inquire,
  judgeProvenance,
  needleOf,
  readWrite,
  rowsOf,
  searchable,
} from "../../../src/policy/provenance/index.ts";
import type { JsonObject } from "../../../src/policy/types.ts";
import cases from "./cases/claims.json" with { type: "json" };

const SENTENCES = [
  "User decided to ship on Friday.",
  "The owner approved the new water heater last week.",
  "The user told me never to push to main.",
  "The user has finally chosen the coastal route.",
  "User wants us to answer within a day.",
  "Deploy freeze until January, as requested by the user.",
  "用户决定把周报改成双周发。",
  "老板昨天否决了弹窗广告方案。",
  "用户说以后不要再自动提交代码。",
  "owner 已经同意把 rollout 提到 50%。",
];
const INVISIBLE = [
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\u2063",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\ufe0f",
  "\u{e0041}",
  "\u180e",
];
const WRAPPINGS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["„", "“"],
  ["「", "」"],
  ["『", "』"],
  ["«", "»"],
  ["`", "`"],
  ["*", "*"],
  ["_", "_"],
  ["**", "**"],
  ["__", "__"],
  ["***", "***"],
  ["~~", "~~"],
  ["<b>", "</b>"],
  ["(", ")"],
  ["【", "】"],
  ["> ", ""],
  ["- ", ""],
  ["## ", ""],
  ["Note: ", ""],
  ["==", "=="],
  ["\u00b4", "\u00b4"],
  ["\u02bc", "\u02bc"],
  ["\u{1f642} ", " \u{1f642}"],
  ['27" wide. ', ' 6" long'],
];

const fullWidth = (text: string): string =>
  text.replace(/[A-Za-z0-9,.]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

/** A text with marks put in between its characters. */
function sprinkled(text: string, marks: readonly { at: number; mark: string }[]): string {
  const characters = [...text];
  for (const { at, mark } of marks) characters.splice(at % (characters.length + 1), 0, mark);
  return characters.join("");
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(
      ..."user owner 用户 approved 批准 \"'“”「」()[]<>`*_~|:;.,?!\n\t#-\u0000\ud800\udc00=".split(""),
    ),
    maxLength: 200,
  }),
  fc
    .array(
      fc.constantFrom(
        "the user ",
        "用户",
        "approved ",
        "决定",
        " if ",
        '"',
        "“",
        "”",
        "\n",
        "```\n",
        "| ",
        ". ",
        "said ",
        "not ",
        "(",
        ") ",
        "we agreed ",
        "as requested by the user",
        ", ",
        "如果",
        "§\n",
        "    ",
        "user: ",
        "\ud800",
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

describe("for every text", () => {
  it("wrapping a claim in quotes, emphasis, invisible or full-width characters does not hide it", ({
    expect,
  }) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SENTENCES),
        fc.array(fc.constantFrom(...WRAPPINGS), { maxLength: 3 }),
        fc.array(fc.record({ at: fc.nat(200), mark: fc.constantFrom(...INVISIBLE) }), { maxLength: 12 }),
        fc.boolean(),
        (sentence, wrappings, marks, wide) => {
          let text = sprinkled(wide ? fullWidth(sentence) : sentence, marks);
          for (const [open, close] of wrappings) text = open + text + close;
          expect(detectClaims(text).length, JSON.stringify(text)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("a claim among other lines is still one", ({ expect }) => {
    const others = [...cases.others.english, ...cases.others.chinese].filter(
      (text) => !text.includes("```") && !text.includes("~~~"),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...SENTENCES),
        fc.array(fc.constantFrom(...others), { maxLength: 4 }),
        fc.nat(4),
        (sentence, lines, at) => {
          const text = [...lines.slice(0, at), sentence, ...lines.slice(at)].join("\n\n");
          expect(detectClaims(text).length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it("spans stand in it, in order", ({ expect }) => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { span, sentence } of detectClaims(text)) {
          expect(span.start).toBeGreaterThanOrEqual(last);
          expect(span.end).toBeGreaterThan(span.start);
          expect(sentence.start).toBeLessThanOrEqual(span.start);
          expect(sentence.end).toBeLessThanOrEqual(text.length);
          last = span.start;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("an answer comes back, whatever the write and whatever is found", ({ expect }) => {
    const json = fc.oneof(anyText, fc.jsonValue());
    fc.assert(
      fc.property(
        fc.constantFrom("memory", "skill_manage", "Write", "Edit", "patch", "MultiEdit", "tool_call", "x"),
        fc.dictionary(
          fc.constantFrom(
            "action",
            "content",
            "operations",
            "old_text",
            "new_text",
            "old_string",
            "new_string",
            "name",
            "path",
            "file_path",
            "patch",
            "edits",
            "arguments",
            "command",
          ),
          json,
        ),
        fc.option(anyText),
        fc.array(
          fc.array(
            fc.record({
              id: fc.string(),
              text: anyText,
              where: fc.constantFrom("this-session" as const, "profile" as const),
              recent: fc.option(fc.nat(5)),
            }),
            { maxLength: 3 },
          ),
        ),
        (tool, args, stored, answers) => {
          const write = readWrite({ tool, args: args as JsonObject }, stored);
          const judged = write.kind === "write" ? judgeProvenance(inquire(write), answers) : null;
          findingsOf(write, judged, 2);
          expect(JSON.parse(JSON.stringify(rowsOf(write, judged)))).toBeInstanceOf(Array);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a quote is verified only where the user typed it", ({ expect }) => {
    const words = fc
      .array(
        fc.constantFrom(
          "keep",
          "the",
          "blue",
          "logo",
          "never",
          "not",
          "?",
          ".",
          "don't",
          "改线上",
          "配置",
          "不",
          "-",
          "x",
        ),
        { minLength: 1, maxLength: 12 },
      )
      .map((list) => list.join(" "));
    const message = fc.record({
      id: fc.string(),
      text: fc.oneof(words, anyText),
      where: fc.constant("this-session" as const),
      recent: fc.nat(4),
    });
    fc.assert(
      fc.property(
        words,
        fc.array(message, { maxLength: 4 }),
        fc.constantFrom('"', "'", "“"),
        (quote, messages, mark) => {
          const close = mark === "“" ? "”" : mark;
          const write = readWrite(
            {
              tool: "memory",
              args: {
                action: "add",
                content: `User decided to keep the blue logo 改线上配置 (${mark}${quote}${close}).`,
              },
            },
            null,
          );
          if (write.kind !== "write") return;
          const inquiry = inquire(write);
          // The answers hold whatever the database says, right or wrong.
          const answers = inquiry.needles.map(() => messages as Candidate[]);
          for (const outcome of judgeProvenance(inquiry, answers).claims) {
            if (outcome.reason !== null) continue;
            expect(outcome.message).not.toBeNull();
            const heard = searchable(outcome.message?.text ?? "");
            const needle = needleOf(outcome.quote ?? "");
            expect(needle).not.toBe("");
            expect(heard).toContain(needle);
            expect(heard.includes(`${needle}?`) && !heard.replaceAll(`${needle}?`, "").includes(needle)).toBe(
              false,
            );
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("what was captured is captured as it is", ({ expect }) => {
    const blocks = fc.constantFrom(
      "[Dana] ",
      '[Replying to: "a"]\n\n',
      "[The user sent a document: 'a'.]\n\n",
      "[User attached file: /a] ",
      "[User sent an image: x]\n",
      "[New message]\n",
      "[Recent channel messages]\n",
      "[System note: A new message has arrived.]\n\n",
      "[System: x]\n\n",
      "[引用: a | b]\n",
      "[Quoted message]:\na\n\n",
      "\n\n--- Attached Context ---\n",
      "\n[Content of a]:\n",
      "<memory-context>x</memory-context>\n",
      '[IMPORTANT: The user has invoked the "x" skill, ok]\n',
      "The user has provided the following instruction alongside the skill invocation: ",
      "<system-reminder>",
      "</system-reminder>",
      "<command-args>",
      "<user_query>",
      "</user_query>",
      "## My request for Codex:\n",
      "[Image #1]",
      "words ",
      "好的 ",
      "\n\n",
      "] ",
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 4, arbitrary: blocks },
            { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
          ),
          { maxLength: 12 },
        ),
        fc.constantFrom(
          "hermes",
          "claude-code",
          "codex",
          "copilot",
          "cursor",
          "gemini",
          "opencode",
          "generic",
        ),
        fc.constantFrom("cli", "discord", "telegram", "api"),
        (parts, harness, platform) => {
          const once = captureTurn({ harness, platform, raw: parts.join("") });
          if (once === null) return;
          expect(once.text.trim()).toBe(once.text);
          expect(captureTurn({ harness, platform, raw: once.text })).toEqual(once);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
