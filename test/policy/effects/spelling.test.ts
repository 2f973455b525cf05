import { describe, expect, it } from "vitest";
import {
  climbsOut,
  fromPunycode,
  hostCauses,
  spellingCauses,
  urlCauses,
} from "../../../src/policy/effects/spelling.ts";
import { shell, tool } from "./support.ts";

describe("hosts", () => {
  it.each<[string, string[]]>([
    ["example.com", []],
    ["münchen.de", []],
    ["xn--mnchen-3ya.de", []],
    ["例え.jp", []],
    ["пример.рф", []],
    ["почта.com", []],
    ["аррӏе.com", ["look-alike"]],
    ["xn--80ak6aa92e.com", ["look-alike"]],
    ["аррӏе.рф", []],
    ["exаmple.com", ["mixed-script", "look-alike"]],
    ["ｅxample.com", ["compatibility-form"]],
    ["exa\u00admple.com", ["invisible-character"]],
    ["xn--\u0000.com", []],
    ["xn--99999999.com", []],
  ])("%j", (host, causes) => {
    expect(hostCauses(host)).toEqual(causes);
  });
});

describe("URLs", () => {
  it.each<[string, string[]]>([
    ["https://bank.example@evil.example/", ["user-in-url"]],
    ["https://bank%2Eexample@evil.example/", ["user-in-url"]],
    ["https://bank.example:443@evil.example/", ["user-in-url"]],
    ["https://user:pass@host.example/", []],
    ["https://token@github.com/x", []],
    ["ssh://git@github.com/x", []],
    ["https://x.example/a@b.example", []],
    ["https://bank.example\\@evil.example", ["backslash-in-host", "user-in-url"]],
    ["https://x.example/a\u202ebc", ["invisible-character"]],
    ["not a url", []],
  ])("%j", (url, causes) => {
    expect(urlCauses(url).sort()).toEqual([...causes].sort());
  });
});

describe("names and paths", () => {
  it.each([
    "отчёт_final.pdf",
    "iPhone手机.txt",
    "Δx.csv",
    "µs.md",
    "naïve.txt",
    "报告v2.docx",
    "👩‍💻.md",
    "می‌خواهم.txt",
  ])("takes %j for what it says", (name) => {
    expect(spellingCauses(name, false)).toEqual([]);
  });

  it.each([
    ["раypal.txt", "mixed-script"],
    ["not\u200bes.md", "invisible-character"],
    ["a\u202etxt.exe", "invisible-character"],
  ])("sees through %j", (name, cause) => {
    expect(spellingCauses(name, false)).toContain(cause);
  });

  it.each<[string, boolean]>([
    ["docs/../src", true],
    ["/a/b/../../c", true],
    ["../src", false],
    ["./../src", false],
    ["../../x/..", true],
    ["a..b/c", false],
    ["...", false],
    ["docs\\..\\src", true],
  ])("%s leaves a folder that it named: %s", (path, climbs) => {
    expect(climbsOut(path)).toBe(climbs);
  });

  it("reports where it stands", () => {
    expect(tool("write_file", { path: "docs/../.ssh/x", content: "" }).deceptions).toEqual([
      { cause: "climbs-out", text: "docs/../.ssh/x", pointer: "/path" },
    ]);
    expect(shell("cp a docs/../b").deceptions).toEqual([
      { cause: "climbs-out", text: "docs/../b", pointer: "/command" },
    ]);
    expect(shell("cat docs/../b").deceptions).toEqual([]);
  });
});

describe("punycode", () => {
  it.each([
    ["mnchen-3ya", "münchen"],
    ["80ak6aa92e", "аррӏе"],
    ["r8jz45g", "例え"],
    ["-", null],
    ["99999999", null],
    ["é", null],
  ])("%s", (label, name) => {
    expect(fromPunycode(label)).toBe(name);
  });
});
