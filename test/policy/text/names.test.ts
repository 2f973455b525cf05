import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRules } from "../../../src/policy/fence/index.ts";
import { skeletonOf } from "../../../src/policy/text/lookalike.ts";
import { dataSpans } from "../../../src/policy/text/quoting.ts";
import { type TokenKind, tokenize } from "../../../src/policy/text/tokens.ts";
import { judged } from "../fence/support.ts";

/** Names as people type them, by what they are. */
const NAMES: readonly (readonly [string, TokenKind])[] = [
  ["john@example.com", "email"],
  ["ana.lópez+news@mail.acme.example", "email"],
  ["o'neill@example.com", "email"],
  ["https://files.example.org/a/b?c=d,e#f", "url"],
  ["http://localhost:8787/v1", "url"],
  ["mail.acme.example", "host"],
  ["old/notes.txt", "path"],
  ["~/Downloads/cache", "path"],
  ["../up/and-down/a_b.tar.gz", "path"],
  ["/etc/hosts", "path"],
  ["$HOME/x", "path"],
  ["C:\\Users\\ann\\a.txt", "path"],
  ["notes.txt", "file"],
  [".env", "file"],
  ["@lena.koch", "handle"],
  ["#release-notes", "channel"],
  ["#12", "id"],
  ["INV-2031", "id"],
  ["$1,200.50", "money"],
  ["40€", "money"],
];

/** What people put around a name. */
const BRACKETS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["(see ", ")."],
];
const AROUND: readonly (readonly [string, string])[] = [
  ["", ""],
  ["Send it to ", "."],
  ["Send it to ", ", please"],
  ["Is it ", "?"],
  ["It is ", "!"],
  ["see: ", "; then stop"],
  ["a\n", "\nb"],
  ["- ", "\n- b"],
  ["发给 ", "。"],
  ["请看 ", "，谢谢"],
  ["an ", "…"],
  ["a – ", " – b"],
];

describe("a name", () => {
  it("is one token, just as it was typed, whatever stands around it", () => {
    for (const [name, kind] of NAMES)
      for (const [before, after] of [...AROUND, ...(kind === "url" ? [] : BRACKETS)]) {
        const text = `${before}${name}${after}`;
        const found = tokenize(text, []).filter((token) => token.kind === kind);
        expect(
          found.map(({ start, end }) => text.slice(start, end)),
          text,
        ).toEqual([name]);
      }
  });

  it("is another one with anything joined to it", () => {
    const joined = fc.constantFrom("x", "1", "é", "ж");
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), joined, fc.boolean(), ([name], more, isBefore) => {
        const text = isBefore ? `${more}${name}` : `${name}${more}`;
        const whole = tokenize(text, []).some(
          ({ kind, start, end }) =>
            text.slice(start, end) === name && (kind === "email" || kind === "path" || kind === "host"),
        );
        expect(whole, text).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("is not read where something is shown", () => {
    for (const [name, kind] of NAMES)
      for (const text of [
        `\`\`\`\n${name}\n\`\`\``,
        `> see ${name}`,
        `<email>${name}</email>`,
        `[Content of a]:\n${name}`,
      ])
        expect(tokenize(text, dataSpans(text)).map((token) => token.kind)).not.toContain(kind);
  });
});

describe("a spelling that is made to be taken for another", () => {
  /** Letters, and what is drawn like them. */
  const TWINS: Readonly<Record<string, readonly string[]>> = {
    a: ["а", "ａ"],
    c: ["с"],
    e: ["е", "ｅ"],
    i: ["і", "ı"],
    l: ["1", "ӏ"],
    o: ["о", "0", "ο"],
    p: ["р"],
    s: ["ѕ"],
    x: ["х"],
    y: ["у"],
    m: ["rn"],
    w: ["vv"],
  };
  const addresses = ["john@example.com", "ana.lopez@acme.example", "will@paypal.example", "sam@example.com"];
  const swapped = fc
    .tuple(
      fc.constantFrom(...addresses),
      fc.array(fc.tuple(fc.nat(40), fc.nat(9)), { minLength: 1, maxLength: 4 }),
    )
    .map(([address, swaps]) => {
      const letters = [...address];
      const able = letters.flatMap((letter, at) => (Object.hasOwn(TWINS, letter) ? [at] : []));
      for (const [which, twin] of swaps) {
        const at = able[which % able.length] ?? 0;
        const twins = TWINS[address.charAt(at)] ?? [];
        letters[at] = twins[twin % twins.length] ?? letters[at] ?? "";
      }
      return { address, spoofed: letters.join("") };
    });

  it("has the skeleton of what it is taken for", () => {
    fc.assert(
      fc.property(swapped, ({ address, spoofed }) => {
        expect(skeletonOf(spoofed)).toBe(skeletonOf(address));
      }),
      { numRuns: 500 },
    );
  });

  it("is refused where the other one was named, in every part of a message", () => {
    fc.assert(
      fc.property(swapped, fc.constantFrom("to", "cc", "bcc"), ({ address, spoofed }, part) => {
        const task = compileRules([{ text: `Email the summary to ${address}.` }]);
        const args = { to: address, subject: "s", body: "b", [part]: spoofed };
        const { verdict, rules } = judged(task, { tool: "mcp__gmail__send_message", args });
        expect(verdict, spoofed).toBe("block");
        expect(rules.join()).toMatch(/deceptive-recipient/);
      }),
      { numRuns: 300 },
    );
  });

  it("is refused as a host, too", () => {
    const task = compileRules([{ text: "Download https://files.example.org/data.zip." }]);
    for (const host of ["fi1es.example.org", "files.exarnple.org", "filеs.example.org"]) {
      const args = { url: `https://${host}/data.zip` };
      expect(judged(task, { tool: "browser_navigate", args }).verdict, host).not.toBe("allow");
      expect(
        judged(task, { tool: "terminal", args: { command: `curl -o data.zip ${args.url}` } }).verdict,
        host,
      ).toBe("block");
    }
  });

  it("is another name all the same, where both were named", () => {
    const task = compileRules([{ text: "Email the list to sam@example.com and to sarn@example.com." }]);
    for (const to of ["sam@example.com", "sarn@example.com"])
      expect(
        judged(task, { tool: "mcp__gmail__send_message", args: { to, subject: "s", body: "b" } }).verdict,
        to,
      ).toBe("allow");
  });
});
