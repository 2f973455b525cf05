import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { checkDevVars, parseDevVars, readDevVars, SECRETS } from "../../scripts/lib/dev-vars.mjs";
import { path } from "../../scripts/lib/project.mjs";

const folder = mkdtempSync(join(tmpdir(), "countersign-dev-vars-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = "0123456789abcdef0123456789abcdef";
const SECRET = "this-is-the-secret-that-no-message-may-hold";

let files = 0;
function fileWith(text: string): string {
  files += 1;
  const file = join(folder, `${files}.dev.vars`);
  writeFileSync(file, text);
  return file;
}

describe("reading .dev.vars", () => {
  it.for([
    ["a plain line", `OPERATOR_TOKEN=${GOOD}\n`],
    ["comments, empty lines and spaces", `\n# one\n  OPERATOR_TOKEN = ${GOOD}   # two\n`],
    ["quotation marks", `OPERATOR_TOKEN="${GOOD}"`],
    ["CRLF and a byte order mark", `\ufeff# one\r\nOPERATOR_TOKEN='${GOOD}'\r\n`],
    ["export", `export OPERATOR_TOKEN=${GOOD}`],
  ] as const)("takes %s", ([, text], { expect }) => {
    expect(parseDevVars(text)).toEqual({ ok: true, values: { OPERATOR_TOKEN: GOOD } });
  });

  it.for([
    ["a line without =", `# fine\n${SECRET}\n`, "line 2 is not NAME=value"],
    ["a name that is none", `1X=${SECRET}`, "line 1 is not NAME=value"],
    ["an open quotation mark", `A="${SECRET}`, "line 1 (A) opens a quotation mark that it does not close"],
    ["a variable twice", `A=${SECRET}\nA=${SECRET}`, "line 2 sets A a second time"],
  ] as const)("names %s, and never what it holds", ([, text, fault], { expect }) => {
    expect(parseDevVars(text)).toEqual({ ok: false, fault });
  });

  it.for([
    ["missing", {}, "has no OPERATOR_TOKEN"],
    ["empty", { OPERATOR_TOKEN: "" }, "has an empty OPERATOR_TOKEN"],
    ["short", { OPERATOR_TOKEN: "short" }, "has only 5 characters in OPERATOR_TOKEN; it takes at least 32"],
  ] as const)("names a variable that is %s", ([, values, fault], { expect }) => {
    expect(checkDevVars(values)).toBe(fault);
  });

  it("refuses a broken file in one line that does not hold a value", ({ expect }) => {
    const broken = fileWith(`OPERATOR_TOKEN=${GOOD}\nANOTHER="${SECRET}\n`);
    expect(() => readDevVars(broken)).toThrow(/^\.dev\.vars: line 2 [^\n]*\.dev\.vars\.example[^\n]*$/);
    expect(() => readDevVars(broken)).not.toThrow(SECRET);
  });
});

describe("writing .dev.vars", () => {
  it("makes secrets of its own, for its owner alone, and keeps those that are there", ({ expect }) => {
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    const first = readDevVars(one);
    expect(checkDevVars(first)).toBeNull();
    expect(readDevVars(one)).toEqual(first);
    expect(readDevVars(two)).not.toEqual(first);
    expect(statSync(one).mode & 0o777).toBe(0o600);
  });

  it("adds a secret that an older file has never heard of, and changes nothing else", ({ expect }) => {
    const older = `# mine\nOPERATOR_TOKEN=${GOOD} # kept`;
    const file = fileWith(older);
    const values = readDevVars(file);
    expect(checkDevVars(values)).toBeNull();
    expect(values).toMatchObject({ OPERATOR_TOKEN: GOOD });
    expect(readFileSync(file, "utf8").startsWith(`${older}\n`)).toBe(true);
    expect(readDevVars(file)).toEqual(values);
    expect(() => readDevVars(fileWith(`OPERATOR_TOKEN=${GOOD}\nSETTINGS_KEY=\n`))).toThrow(
      "empty SETTINGS_KEY",
    );
  });

  it("knows every secret that the Worker requires", ({ expect }) => {
    const toml = readFileSync(path("wrangler.toml"), "utf8");
    const required = /^\[secrets\]\s*required = (\[[^\]]*\])/m.exec(toml)?.[1] ?? "[]";
    const example = readFileSync(path(".dev.vars.example"), "utf8");
    const parsed = parseDevVars(example);
    const names = Object.keys(SECRETS).sort();
    expect((JSON.parse(required) as string[]).sort()).toEqual(names);
    expect(parsed.ok && Object.keys(parsed.values).sort()).toEqual(names);
  });
});
