import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DIAGNOSTICS, MAX_RULE_LINES, parseOath } from "../../../src/policy/oath/index.ts";

function diagnosticsOf(text: string) {
  const parsed = parseOath(text);
  return parsed.ok ? [] : parsed.diagnostics;
}

describe("parseOath", () => {
  it("reads the three kinds, comments and blank lines", () => {
    const text =
      "\ufeff# my agent's oath\r\n\r\nstanding mission: keep the owner's work moving: always\r\n  NEVER \t Delete :  ~/a b/**  \r\nAlways require  backup before modify:$HERMES_HOME/skills\rnever any: /x: y";
    expect(parseOath(text)).toEqual({
      ok: true,
      oath: {
        lines: [
          {
            kind: "mission",
            line: 3,
            text: "standing mission: keep the owner's work moving: always",
            mission: "keep the owner's work moving: always",
          },
          {
            kind: "never",
            line: 4,
            text: "NEVER \t Delete :  ~/a b/**",
            verb: "delete",
            pattern: "~/a b/**",
          },
          {
            kind: "require",
            line: 5,
            text: "Always require  backup before modify:$HERMES_HOME/skills",
            evidence: "backup",
            verb: "modify",
            pattern: "$HERMES_HOME/skills",
          },
          { kind: "never", line: 6, text: "never any: /x: y", verb: "any", pattern: "/x: y" },
        ],
      },
    });
  });

  it("accepts an empty oath", () => {
    for (const text of ["", "\n\n", "# a\n#b", "\ufeff"])
      expect(parseOath(text)).toEqual({ ok: true, oath: { lines: [] } });
  });

  // Text, code, the piece of line 1 that is marked, and words of the message.
  const errors: [string, string, string, RegExp?][] = [
    ["never remove: /a", "unknown-verb", "remove", /Did you mean delete\?/],
    ["never delet: /a", "unknown-verb", "delet", /Did you mean delete\?/],
    ["never read: /a", "unknown-verb", "read", /not against being read/],
    ["never constructor: /a", "unknown-verb", "constructor", /delete, modify, create and any/],
    ["never: /a", "missing-verb", ""],
    ["never", "missing-verb", ""],
    ["never ~/a", "missing-verb", ""],
    ["never delete ~/a", "missing-colon", "", /colon after "delete"/],
    ["never delete C:\\a", "missing-colon", ""],
    ["never delete", "missing-colon", ""],
    ["never delete or modify: /a", "several-verbs", "delete or modify"],
    ["never delete： /a", "full-width-colon", "："],
    ["never delete:", "empty-pattern", ""],
    ["never delete: notes/**", "relative-pattern", "notes/**"],
    ["never delete: **/x", "relative-pattern", "**/x"],
    ["never delete: ~bob/x", "tilde-user", "~bob"],
    ["never delete: ～/x", "full-width-character", "～"],
    ["never delete: ~/x/＊", "full-width-character", "＊"],
    ['never delete: "~/x"', "quoted-pattern", '"~/x"'],
    ["never delete: ~/x # mine", "inline-comment", "# mine"],
    ["never delete: ~/x\ty", "control-character", "\t"],
    ["never delete: ~/a/../b", "parent-segment", ".."],
    ["never delete: /..", "parent-segment", ".."],
    ["never delete: /a/${HOME/x", "unbalanced-brace", "${HOME/x"],
    [`never delete: /a/\${HOME:-x}/y`, "bad-variable", `\${HOME:-x}`],
    ["never delete: ~/{a,b}", "brace-alternatives", "{a,b}"],
    ["never delete: \\\\?\\C:\\x", "device-path", "\\\\?\\"],
    [`never delete: /${"a".repeat(1024)}`, "pattern-too-long", `/${"a".repeat(1024)}`],
    ["always require snapshot before modify: /a", "unknown-evidence", "snapshot", /"backup"/],
    ["always require backups before modify: /a", "unknown-evidence", "backups", /Did you mean "backup"/],
    ["always require backup modify: /a", "unknown-line", "modify", /"before"/],
    ["always require backup before: /a", "missing-verb", ""],
    ["always require backup before edit: /a", "unknown-verb", "edit", /modify/],
    ["always backup before edit: /a", "unknown-line", "backup", /"require"/],
    ["always require", "missing-evidence", ""],
    ["standing mission", "missing-colon", ""],
    ["standing mission:  ", "empty-mission", ""],
    ["standing order: x", "unknown-line", "order"],
    ["standing mission keep going: x", "missing-colon", ""],
    [`standing mission: ${"a".repeat(2001)}`, "mission-too-long", "a".repeat(2001)],
    ["mission: x", "unknown-line", "mission:", /standing mission/],
    ["nevr delete: /a", "unknown-line", "nevr", /Did you mean "never"/],
    ["// a comment", "unknown-line", "//", /starts with #/],
    ["never delete: /a\u202e", "bidi-character", "\u202e", /U\+202E/],
    ["# note \u2066", "bidi-character", "\u2066"],
    ["never delete: /a\u200b", "zero-width-character", "\u200b", /U\+200B/],
    ["never delete: /a\ufeff", "zero-width-character", "\ufeff"],
    ["never delete: /a\0", "control-character", "\0", /NUL/],
    ["never delete: /a\u2028never", "control-character", "\u2028"],
    ["never delete: /a\ud800", "control-character", "\ud800"],
    [`#${"a".repeat(4096)}`, "line-too-long", `#${"a".repeat(4096)}`],
  ];
  it.each(errors)("%# %j: %s", (text, code, marked, message) => {
    const [found, ...others] = diagnosticsOf(`${text}\nnever delete: /fine`);
    expect(others).toEqual([]);
    expect(found?.code).toBe(code);
    expect(found?.line).toBe(1);
    expect(text.slice((found?.column ?? 0) - 1, (found?.end_column ?? 0) - 1)).toBe(marked);
    if (message) expect(found?.message).toMatch(message);
  });

  it("reports every error, also several in one line", () => {
    const text = "nevr delete: /a\n\nalways require copy before edit: x # y\nnever delete: /ok";
    expect(diagnosticsOf(text).map(({ code, line }) => [line, code])).toEqual([
      [1, "unknown-line"],
      [3, "unknown-evidence"],
      [3, "unknown-verb"],
      [3, "inline-comment"],
      [3, "relative-pattern"],
    ]);
  });

  it("is bounded", () => {
    const many = diagnosticsOf("x\n".repeat(5_000));
    expect(many).toHaveLength(MAX_DIAGNOSTICS);
    expect(many.at(-1)).toMatchObject({ code: "more-errors", line: MAX_DIAGNOSTICS });
    expect(diagnosticsOf("x\n".repeat(MAX_DIAGNOSTICS)).at(-1)?.code).toBe("unknown-line");
    const rules = "never any: /a\n".repeat(MAX_RULE_LINES);
    expect(diagnosticsOf(`# comment\n${rules}\n`)).toEqual([]);
    expect(diagnosticsOf(`${rules}never any: /b\nnever any: /c`)).toMatchObject([
      { code: "too-many-lines", line: MAX_RULE_LINES + 1 },
    ]);
    expect(diagnosticsOf("é".repeat(40_000))).toMatchObject([{ code: "oath-too-long", line: 1, column: 1 }]);
    expect(diagnosticsOf("a".repeat(65_536))).toMatchObject([{ code: "line-too-long" }]);
    expect(diagnosticsOf(`never delete: /${"*".repeat(10_000)}`)).toMatchObject([{ code: "line-too-long" }]);
  });

  it("refuses what is no text", () => {
    for (const value of [null, undefined, 1, {}, [], Symbol("x")]) {
      expect(parseOath(value as unknown as string)).toMatchObject({
        ok: false,
        diagnostics: [{ code: "not-text" }],
      });
    }
  });
});

describe("properties", () => {
  const word = fc.constantFrom(
    ..."never,delete,any,always,require,backup,before,standing,mission,:,：,#,~/a,/b/**,$X,${,..,\r\n,\n,\r, ,\t,\ufeff,\u202e,\0,\ud800,😀,x".split(
      ",",
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
  );

  it("is total, and every place lies within the text", () => {
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseOath(input);
        const lines = input.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
        if (parsed.ok) {
          for (const line of parsed.oath.lines) expect(line.text).toBe(lines[line.line - 1]?.trim());
          return;
        }
        expect(parsed.diagnostics.length).toBeGreaterThan(0);
        for (const { line, column, end_column, message } of parsed.diagnostics) {
          const length = lines[line - 1]?.length ?? -1;
          expect(column).toBeGreaterThanOrEqual(1);
          expect(end_column).toBeGreaterThanOrEqual(column);
          expect(end_column).toBeLessThanOrEqual(length + 1);
          expect(message).not.toBe("");
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("takes linear time on hostile shapes", () => {
    const shapes = [
      (size: number) => "*".repeat(size),
      (size: number) => `never delete: /${"*a".repeat(500)}\n`.repeat(size / 1_020),
      (size: number) => `never delete: /${"{,".repeat(500)}\n`.repeat(size / 1_020),
      (size: number) => `never delete: /${`\${A}`.repeat(250)}\n`.repeat(size / 1_020),
      (size: number) => `never delete: ${" ".repeat(990)}\t#\n`.repeat(size / 1_020),
      (size: number) => "\n".repeat(size),
      (size: number) => "# \n".repeat(size / 3),
    ];
    const best = (text: string): number => {
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 7; run += 1) {
        const started = performance.now();
        for (let again = 0; again < 5; again += 1) parseOath(text);
        least = Math.min(least, performance.now() - started);
      }
      return least;
    };
    for (const shape of shapes) {
      const large = best(shape(65_000));
      expect(large).toBeLessThan(500);
      // Below some tens of milliseconds a busy machine tells more of itself than of the parser.
      if (large > 40) expect(large).toBeLessThan(8 * Math.max(best(shape(16_250)), 0.5));
    }
  });
});
