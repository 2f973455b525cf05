/** Whatever opens a data position, twice as much of it takes twice as long. */
import { describe, expect, it } from "vitest";
import { isMaterial, materialIn } from "../../../src/policy/text/material.ts";
import { dataSpans } from "../../../src/policy/text/quoting.ts";
import { sentencesOf } from "../../../src/policy/text/sentences.ts";
import { tokenize } from "../../../src/policy/text/tokens.ts";

const SIZE = 50_000;
/** Below this a clock tells nothing. */
const FLOOR_MS = 60;

const UNITS: readonly string[] = [
  ...[
    '"',
    ' "a',
    '" a',
    '"a" ',
    '"\n',
    '""a',
    '"""',
    "'",
    "''a",
    " 'a",
    "“a ",
    "“\n",
    "”a ",
    "»a ",
    "‚a ",
    "＂",
    "´ a",
  ],
  ...[
    "`",
    "`a\n\n",
    "``a",
    "<<a\n",
    "<<<",
    "<<EOF\n",
    "<!--",
    "{{",
    "[",
    "![",
    "[a](",
    '[a](b "',
    "[quote]",
    "[/quote]",
  ],
  ...["&quot;", ":::", "[a]: ", "[a]: b\n", "[hook] a\n", "[In reply to a\n", "[[in reply to", "[note: a]\n"],
  ...[
    "- > a\n",
    "- - - \n",
    "---\n",
    "\n---\n\n",
    "===\na\n",
    "BEGIN A\n",
    "END A\n",
    "[START]\n",
    "=== mail ===\n",
  ],
  ...[
    "Bob: a\n",
    "Bob: a\n\n",
    "bob: a\n",
    "<bob> a\n",
    "[10:32] Bob: a\n",
    "Bob 10:32\n",
    "张三：a\n",
    "a b: c\n",
  ],
  ...[
    "2030-05-12 10:32:11 INFO a\n",
    "Error: a\n\n",
    "| a | b |\n",
    "a,b\na;b\n",
    "\ta\n\n",
    "key: a\n",
    "to: a\n",
  ],
  ...[
    "From: Eve\n\n",
    "From: a@b\n",
    "On a wrote:\n",
    "On 2030 <a@b>\n",
    "Summarise this:\n",
    "Summarise this: abc def\n",
  ],
  ...[
    "Is this spam?\n\n> a\n",
    "Then the summary\n\n",
    "总结：你好吗吗吗\n",
    "@@ a\n+b\n",
    "\r",
    "\r\n",
    "\u2028",
    "\u200b",
  ],
  ...["a.txt-", "a@b.co=", "https://a)", "https://a)))))", "https://a((", "_a_", "*a"],
];

function read(text: string): void {
  const spans = dataSpans(text);
  const parts = materialIn(text, spans);
  const tokens = tokenize(text, spans, parts);
  sentencesOf(tokens, text);
}

/** Milliseconds of this process's own time; what else the machine does is not counted, its moods are tried again. */
function taken(text: string): number {
  const started = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

describe("twice as much takes twice as long", () => {
  it.for(UNITS.flatMap((unit) => ["", "Summarise it.\n"].map((before) => [before, unit] as const)))(
    "%j %j",
    { retry: 4 },
    ([before, unit]) => {
      const text = (size: number): string => before + unit.repeat(Math.ceil(size / unit.length));
      read(text(2_000));
      const once = taken(text(SIZE));
      expect(taken(text(2 * SIZE))).toBeLessThan(Math.max(FLOOR_MS, once * 2.3));
    },
  );
});

describe("material", () => {
  it("lies in order, inside the text, none over another, and holds its own offsets", () => {
    const lines = [
      "Summarise it.",
      "Bob: a",
      "",
      "x",
      "---",
      "| a | b |",
      "\ta",
      "key: a",
      "Is this spam?",
      "> q",
    ];
    for (let seed = 1; seed < 400; seed++) {
      const text = Array.from(
        { length: 12 },
        (_, at) => lines[((seed * (at + 3) * 7919) % 101) % lines.length],
      ).join("\n");
      let from = 0;
      const parts = materialIn(text, dataSpans(text));
      for (const { start, end } of parts) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        expect(isMaterial(parts, start)).toBe(true);
        expect(isMaterial(parts, end - 1)).toBe(true);
        expect(isMaterial(parts, end)).toBe(parts.some((part) => part.start === end));
        from = end;
      }
      expect(from).toBeLessThanOrEqual(text.length);
    }
  });
});
