import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDraft } from "../../../src/policy/fence/draft.ts";
import {
  harden,
  MAX_TURN_PERMISSIONS,
  MAX_TURN_PROHIBITIONS,
  ownWords,
  readTurn,
  type TurnReading,
} from "../../../src/policy/fence/index.ts";
import { SENTENCES, type ToolUse } from "./material.ts";
import { effectsFor, judged, policyOf, words } from "./support.ts";

const KB = 1024;
/** As much as the API takes for one turn. */
const MOST = 256 * KB;
/** Of a quote, a rationale, a reason. */
const MAX_QUOTE = 400;

/** Texts of one length that are nothing but one trouble. */
const HOSTILE: Readonly<Record<string, string | ((length: number) => string)>> = {
  "double quotes": '"',
  "double quotes that open": ' "a',
  "double quotes that close": '"a" ',
  "single quotes that open": " 'a",
  "curly quotes that open": "“a ",
  "curly quotes that close": "“a” ",
  "German quotes": "„a ",
  guillemets: "«",
  "tags that open": "<email>",
  "tags that close": "</email>",
  "tags by pairs": "<email></email>",
  "tags that cross": "<a><b></a></b>",
  "tags without an end": "<a ",
  "tags of many names": (length) => Array.from({ length: length / 8 }, (_, at) => `<a${at}>`).join(""),
  "tags in tags": (length) => "<email>".repeat(length / 16) + "</email>".repeat(length / 16),
  fences: "```\n",
  "fences that close": "```\na\n```\n",
  "inline code": "`a` ",
  "inline code that opens": "`a\n",
  "quoted lines": "> a\n",
  "headers of a mail": "Subject: a\n",
  "one header": "From: a@b.co\n\n",
  replies: '[Replying to: "a"]\n',
  documents: "[Content of x",
  "earlier messages": "[New message]",
  notes: "[note: a]\n",
  patches: "*** Begin\n",
  "a skill": (length) =>
    `[IMPORTANT: The user has invoked the "${"\nUser instruction: ".repeat(length / 20)}`,
  brackets: "(",
  "square brackets": "[send ",
  commas: ", ",
  questions: "? ",
  bullets: "- send it\n",
  "a list of what not to do": (length) => `Do not:\n${"- send mail\n".repeat(length / 12)}`,
  numbers: "1. a\n",
  digits: "1",
  sums: "$1,",
  phones: "+1 (",
  slashes: "/",
  "folders up": "../",
  hyphens: "a-",
  addresses: "a@b.co ",
  "half addresses": "a@",
  hosts: "a.com ",
  links: "http://a ",
  "one word": "a",
  "short words": "a ",
  "Chinese verbs": "发给",
  "Chinese negations": "不要",
  "nothing to see": "\u200b",
  accents: "e\u0301",
  pictures: "😀",
  "halves of a pair": "\ud800",
  "other halves": "\udc00",
  NUL: "\0",
  "line ends": "\n",
  "carriage returns": "\r\n",
  "turned around": "\u202e",
  verbs: "send ",
  "many requests": "Send it to a@b.co. ",
  "one long request": "send it to a@b.co and ",
  "many files": (length) =>
    `delete ${Array.from({ length: length / 10 }, (_, at) => `f${at}.txt`).join(", ")}`,
  negations: "don't ",
  "many prohibitions": "Don't delete a.txt. ",
  "one long prohibition": "don't delete a.txt or ",
  conditions: "if you send it then ",
  "what comes first": "until ",
  exclusions: "only send to a@b.co ",
  exceptions: (length) => `delete everything except ${"a.txt, ".repeat(length / 7)}`,
  wishes: "I want you to ",
  "polite words": "could you please not ",
  conjunctions: "and ",
  articles: "the ",
  names: "Tom Miller, ",
  agreement: "ok ",
};

function hostile(name: string, length: number): string {
  const kind = HOSTILE[name] ?? "";
  return (typeof kind === "string" ? kind.repeat(Math.ceil(length / kind.length)) : kind(length)).slice(
    0,
    length,
  );
}

/** What is kept of a turn has bounds of its own, whatever the turn holds. */
function expectBounded({ permissions, prohibitions, dropped, delegated, named, again }: TurnReading): void {
  expect(permissions.length).toBeLessThanOrEqual(MAX_TURN_PERMISSIONS);
  expect(prohibitions.length).toBeLessThanOrEqual(MAX_TURN_PROHIBITIONS);
  expect(again.length).toBeLessThanOrEqual(permissions.length);
  expect(dropped.length).toBeLessThanOrEqual(64);
  expect(delegated.length).toBeLessThanOrEqual(16);
  expect(named.length).toBeLessThanOrEqual(128);
  for (const { quote, rationale, span } of [...permissions, ...prohibitions, ...delegated]) {
    expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE);
    expect(rationale.length).toBeLessThanOrEqual(MAX_QUOTE);
    expect(span.end - span.start).toBe(quote.length);
  }
  for (const { quote } of dropped) expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE);
  for (const { targets, verbs, object } of [...permissions, ...prohibitions]) {
    expect(targets.length).toBeLessThanOrEqual(64);
    expect(verbs.length + object.length).toBeLessThanOrEqual(64);
  }
}

/** Milliseconds of this process's own time, the best of a few runs: what else the machine does is not counted. */
function fastest(times: number, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/**
 * Linear is eight times as much for eight times the size, quadratic sixty-four times; in between lie the machine's moods.
 * Below a few milliseconds a clock tells nothing.
 */
function expectLinear(once: number, eightfold: number): void {
  expect(eightfold).toBeLessThan(Math.max(25, once * 20));
}

describe("any text", () => {
  const pieces = fc.constantFrom(
    ...SENTENCES,
    ...Object.values(HOSTILE).filter((kind) => typeof kind === "string"),
    ...[
      "don't ",
      "send ",
      "delete ",
      "to ",
      "a@b.co",
      "x.txt",
      "ok",
      "only",
      "\ud83d",
      "\u0000",
      "İ",
      "ﬀ",
      "ǆ",
      "Ⅷ",
    ],
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary-ascii", maxLength: 400 }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")),
  );

  it("is read, the same way each time, and what is kept has bounds", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const said = readTurn(text);
        expectBounded(said);
        expect(readTurn(text)).toEqual(said);
        expect(JSON.parse(JSON.stringify(said))).toEqual(said);
        for (const { quote, span } of [...said.permissions, ...said.prohibitions])
          expect(quote).toBe(text.slice(span.start, span.end));
      }),
      { numRuns: 800 },
    );
  });

  it("is read when it is none", () => {
    for (const text of [undefined, null, 7, {}, [], () => "x"])
      expect(readTurn(text as unknown as string)).toEqual(readTurn(""));
  });
});

describe("hostile sizes", () => {
  it.for(Object.keys(HOSTILE))(
    "%s: eight times as much takes about eight times as long",
    { retry: 3 },
    (name) => {
      const [short, long] = [hostile(name, 4 * KB), hostile(name, 32 * KB)];
      readTurn(short);
      const once = fastest(3, () => readTurn(short));
      expectLinear(
        once,
        fastest(2, () => expectBounded(readTurn(long))),
      );
    },
  );

  it.for([
    ...["double quotes", "curly quotes that open", "tags that open", "inline code", "headers of a mail"],
    ...[
      "bullets",
      "sums",
      "Chinese verbs",
      "halves of a pair",
      "one long request",
      "many files",
      "negations",
    ],
  ])("%s: as much as one turn holds", (name) => {
    const text = hostile(name, MOST);
    const started = performance.now();
    const said = readTurn(text);
    expect(performance.now() - started).toBeLessThan(15_000);
    expectBounded(said);
    expect(JSON.stringify(said).length).toBeLessThan(MOST);
  });

  it("what was said at the end of a long turn counts", () => {
    const text = `Email the summary to john@example.com.\n${"The weather is fine today. ".repeat(8_000)}\nDon't send anything.`;
    expect(text.length).toBeGreaterThan(200 * KB);
    const task = policyOf([text]);
    expect(task.prohibitions).toHaveLength(1);
    expect(
      judged(task, {
        tool: "mcp__gmail__send_message",
        args: { to: "john@example.com", subject: "s", body: "b" },
      }).verdict,
    ).toBe("block");
  });

  it("a draft that is nothing but rows is brought down to a few", () => {
    const text = `${SENTENCES.join(" ")} ${"Email it to a@b.co. ".repeat(2_000)}`;
    const row = (at: number): unknown => ({
      risk: "COMMUNICATION",
      quote: at % 2 === 0 ? "Email it to a@b.co" : "e",
      targets: Array.from({ length: 64 }, (_, one) => ({ kind: "recipient", text: `u${one}@b.co` })),
    });
    const read = readDraft({
      permissions: Array.from({ length: 5_000 }, (_, at) => row(at)),
      prohibitions: Array.from({ length: 5_000 }, () => ({ risks: "all", quote: "Email it" })),
    });
    if (!read.ok) throw new Error(read.cause);
    const started = performance.now();
    const made = harden(read.draft, read.dropped, text, readTurn(text));
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(made.permissions.length).toBeLessThanOrEqual(MAX_TURN_PERMISSIONS);
    expect(made.prohibitions.length).toBeLessThanOrEqual(MAX_TURN_PROHIBITIONS + 64);
    expect(made.dropped.length).toBeLessThanOrEqual(128);
  });

  it("the words that a model is shown are no longer than the text, give or take what was left out", () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...Object.keys(HOSTILE)), (mine, name) => {
        const text = `${mine} ${hostile(name, 2 * KB)}`;
        expect(ownWords(text).length).toBeLessThanOrEqual(text.length * 2);
      }),
    );
  });
});

describe("a call that names much", () => {
  const many = (length: number, one: (at: number) => string): string[] =>
    Array.from({ length }, (_, at) => one(at));
  const BIG: readonly (readonly [string, (size: number) => ToolUse])[] = [
    [
      "recipients",
      (size) => ({
        tool: "mcp__gmail__send_message",
        args: { to: many(size, (at) => `u${at}@acme.example`), subject: "s", body: "b" },
      }),
    ],
    [
      "files",
      (size) => ({ tool: "terminal", args: { command: `rm ${many(size, (at) => `f${at}`).join(" ")}` } }),
    ],
    [
      "files of a patch",
      (size) => ({
        tool: "patch",
        args: {
          mode: "patch",
          patch: `*** Begin Patch\n${many(size, (at) => `*** Delete File: d/${at}`).join("\n")}\n*** End Patch`,
        },
      }),
    ],
    [
      "things",
      (size) => ({
        tool: "mcp__x__update_thing",
        args: Object.fromEntries(many(size, (at) => `k${at}_id`).map((name) => [name, "v_1"])),
      }),
    ],
    [
      "an address that carries much",
      (size) => ({
        tool: "browser_navigate",
        args: { url: `https://h.example/?${"a=b%20c&".repeat(size)}` },
      }),
    ],
  ];
  const task = policyOf(
    many(4, (turn) =>
      many(12, (at) =>
        at % 2 === 0
          ? `Email the list to u${turn}${at}@acme.example and delete d${turn}/f${at}.txt.`
          : `Don't email v${turn}${at}@acme.example, and don't touch e${turn}/f${at}.txt.`,
      ).join("\n"),
    ),
  );

  it.for(BIG)("%s: eight times as much takes about eight times as long", { retry: 3 }, ([, made]) => {
    const [few, more] = [made(100), made(800)];
    for (const one of [few, more]) effectsFor(one);
    judged(task, few);
    const once = fastest(5, () => judged(task, few));
    expectLinear(
      once,
      fastest(3, () => judged(task, more)),
    );
  });

  it.for(BIG)("%s: is answered, with a few reasons, in time", ([, made]) => {
    const started = performance.now();
    const { verdict, rules } = judged(task, made(2_000));
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(rules.length).toBeLessThan(20);
    expect(verdict === "allow").toBe(rules.length === 0);
  });
});
