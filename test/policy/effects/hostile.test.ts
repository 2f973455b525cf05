import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectsOf } from "../../../src/policy/effects/index.ts";
import { type Effects, type JsonObject, type JsonValue, RISK_CLASSES } from "../../../src/policy/types.ts";
import { context, shell } from "./support.ts";

/** Commands of every kind that the shell knows, glued at random, with marks that confuse parsers. */
const fragments = [
  "rm",
  "-rf",
  "a.txt",
  "~/.hermes",
  "$HOME",
  "$\u007bX:-y}",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  ";",
  "&&",
  "||",
  "|",
  "&",
  "(",
  "{",
  "}",
  "<<E",
  "E",
  "<<<",
  ">",
  ">>",
  "<(",
  "*",
  "[a",
  "?",
  "#",
  "cd",
  "eval",
  "sh -c",
  "xargs",
  "find . -exec",
  "{}",
  "\\;",
  "git",
  "clean",
  "cp",
  "mv",
  "sed -i",
  "awk",
  "tar",
  "for x in",
  "do",
  "done",
  "if",
  "then",
  "fi",
  "case",
  "esac",
  "function f",
  "f()",
  "((",
  "))",
  "[[",
  "]]",
  "$((",
  "\r",
  "\u202e",
  "\u0000",
  "{a,b}",
  "{1..9}",
  "export",
  "PATH=",
  "A=1",
  "curl",
  "https://x.example/",
  "time",
  "!",
];

function wellFormed(effects: Effects): void {
  for (const list of [
    effects.risks,
    effects.hosts,
    effects.governance,
    effects.opaque?.names ?? [],
    effects.opaque?.causes ?? [],
  ]) {
    expect([...list]).toEqual([...new Set(list)].sort());
  }
  const keys = effects.actions.map((action) => `${action.path}\n${action.verb}`);
  expect(keys).toEqual([...new Set(keys)].sort());
  expect(effects.risks.length).toBeGreaterThan(0);
  for (const risk of effects.risks) expect(RISK_CLASSES).toContain(risk);
  for (const { path } of effects.actions) {
    expect(path === "?" || path.startsWith("/")).toBe(true);
    expect(path.split("/").some((segment) => segment === "." || segment === "..")).toBe(false);
  }
}

describe("any input", () => {
  it("is answered for any command text, twice alike", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((words) => words.join(" ")),
      fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((words) => words.join("")),
    );
    fc.assert(
      fc.property(text, (command) => {
        const once = shell(command);
        wellFormed(once);
        expect(shell(command)).toEqual(once);
      }),
      { numRuns: 3000 },
    );
  });

  it("is answered for any tool and any arguments", () => {
    const names = [
      "terminal",
      "Bash",
      "write_file",
      "Edit",
      "patch",
      "memory",
      "skill_manage",
      "tool_call",
      "process",
      "cronjob",
      "execute_code",
      "browser_cdp",
      "move_file",
      "mcp__a__delete_file",
      "mcp_a_b_write_file",
      "deleteEverything",
      "toString",
      "__proto__",
      "",
      "PowerShell",
      "apply_patch",
      "MultiEdit",
    ];
    const keys = fc.constantFrom(
      "path",
      "file_path",
      "command",
      "workdir",
      "patch",
      "mode",
      "calls",
      "name",
      "arguments",
      "edits",
      "action",
      "operations",
      "urls",
      "url",
      "code",
      "old_string",
      "target",
      "__proto__",
      "constructor",
      "source",
      "to",
    );
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.double({ noNaN: true }),
        fc.string({ unit: "binary" }),
        fc.constantFrom(...fragments, ...names, "~/.hermes/x", "*** Delete File: a"),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 5 }) as fc.Arbitrary<JsonObject>,
      ),
    }));
    const args = fc.oneof(
      fc.dictionary(keys, value, { maxKeys: 6 }),
      fc.dictionary(fc.string(), value, { maxKeys: 6 }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...names), fc.string({ unit: "binary" })), args, (tool, given) => {
        const call = { tool, args: given as JsonObject };
        const once = effectsOf(call, context());
        wellFormed(once);
        expect(effectsOf(call, context())).toEqual(once);
      }),
      { numRuns: 3000 },
    );
  });

  it("is answered when it is not even an object", () => {
    for (const args of [null, 1, "x", [], undefined, [["a"]]]) {
      wellFormed(effectsOf({ tool: "terminal", args: args as unknown as JsonObject }, context()));
    }
    wellFormed(effectsOf({ tool: 7 as unknown as string, args: {} }, context()));
  });
});

describe("hostile sizes", () => {
  const within = (limit: number, run: () => Effects): Effects => {
    const start = performance.now();
    const effects = run();
    expect(performance.now() - start).toBeLessThan(limit);
    wellFormed(effects);
    return effects;
  };
  const repeated: Record<string, string> = {
    substitutions: "$(".repeat(30_000),
    quotes: "'".repeat(60_000),
    words: "a ".repeat(30_000),
    deletions: "rm a;".repeat(3_000),
    files: `rm ${"ab ".repeat(5_000)}`,
    braces: `rm ${"{a,b}".repeat(40)}`,
    sequence: "rm {1..999999999}",
    loops: `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(8)}rm $a${"; done".repeat(8)}`,
    functions: "f() { f; f; }; f",
    nested: `${"bash -c '".repeat(40)}rm a`,
    evals: `${"eval ".repeat(2_000)}rm a`,
    wrappers: `${"nice ".repeat(3_000)}rm a`,
    stars: `rm ${"*".repeat(5_000)}`,
    dots: `rm ${"../".repeat(5_000)}x`,
    variables: Array.from({ length: 1_000 }, (_, at) => `a${at}=$a${at - 1}$a${at - 1}`).join(";"),
    doubling: `a=xx;${"a=$a$a;".repeat(200)}rm $a`,
    heredocs: "cat <<A\n".repeat(1_500),
    cds: `${"cd a;".repeat(3_000)}rm x`,
    links: `${"ln -s a b;".repeat(1_000)}${"rm b/x;".repeat(300)}`,
    awk: `awk '${'print > "a";'.repeat(1_000)}'`,
    sed: `sed '${"s/a/b/;".repeat(1_500)}'`,
    copies: `cp ${"a ".repeat(6_000)}d/`,
  };
  for (const [name, command] of Object.entries(repeated)) {
    it(`${name} in one command`, () => {
      within(1_500, () => shell(command));
    });
  }

  it("a command longer than is read stays opaque to the end, whatever padding stands before it", () => {
    const effects = within(500, () => shell(`${"true;".repeat(10_000)}rm -rf ~/.hermes/memories`));
    expect(effects.opaque?.unparsed).toBe(true);
    expect(effects.opaque?.names).toContain("/home/u/.hermes/memories");
  });

  it("a megabyte of code, names and patches", () => {
    const code = "open('/a/b');x='".repeat(60_000);
    within(3_000, () => effectsOf({ tool: "execute_code", args: { code } }, context()));
    const patch = "*** Update File: a\n".repeat(50_000);
    within(3_000, () => effectsOf({ tool: "patch", args: { mode: "patch", patch } }, context()));
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, `/p/${at}`]));
    within(3_000, () => effectsOf({ tool: "delete_things", args: wide }, context()));
    within(3_000, () =>
      effectsOf({ tool: "mystery", args: { a: Array.from({ length: 100_000 }, () => "/a") } }, context()),
    );
  });

  it("arguments nested without end", () => {
    let args: JsonObject = { path: "/a" };
    for (let depth = 0; depth < 50_000; depth++) args = { a: args };
    const effects = within(1_000, () => effectsOf({ tool: "write_file", args }, context()));
    expect(effects.unreadable).toEqual([{ pointer: "", cause: "too-deep" }]);
    let bridge: JsonObject = { name: "terminal", arguments: { command: "rm a" } };
    for (let depth = 0; depth < 30; depth++) bridge = { name: "tool_call", arguments: bridge };
    expect(effectsOf({ tool: "tool_call", args: bridge }, context()).opaque?.unparsed).toBe(true);
  });

  it("names that padding would push out make the text untrusted", () => {
    const padding = Array.from({ length: 5_000 }, (_, at) => `'/p/${at}'`).join(",");
    const effects = effectsOf(
      { tool: "execute_code", args: { code: `[${padding}];rm('/home/u/.hermes')` } },
      context(),
    );
    expect(effects.opaque?.unparsed).toBe(true);
  });
});
