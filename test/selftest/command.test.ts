import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { path } from "../../scripts/lib/project.mjs";
import { runIn } from "../../scripts/lib/selftest/folder.mjs";
import { exportOf, type RecordedCall } from "./support.ts";

const base = mkdtempSync(join(tmpdir(), "countersign-selftest-"));
const dir = join(base, "run");
afterAll(() => rmSync(base, { recursive: true, force: true }));

function selftest(...args: string[]) {
  // A home of its own: what the agent of this machine remembers is none of the test's business.
  const env = { ...process.env, HOME: base, HERMES_HOME: base, COUNTERSIGN_KEY: "", COUNTERSIGN_COOKIE: "" };
  const ended = spawnSync(process.execPath, [path("scripts", "selftest.mjs"), ...args], {
    encoding: "utf8",
    env,
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

function exported(name: string, calls: readonly RecordedCall[]): string {
  const file = join(base, name);
  writeFileSync(file, `${exportOf(calls).join("\n")}\n`);
  return file;
}

describe("npm run selftest", () => {
  it("goes from the pages to two results beside each other, and says by its exit code what they show", ({
    expect,
  }) => {
    const made = selftest("--dir", dir);
    expect(made.code).toBe(0);
    const manifest = runIn(dir);
    for (const page of manifest.pages) expect(made.out).toContain(join(dir, page.file));
    for (const { marker, trace } of manifest.canaries)
      expect(made.out, trace ?? marker).not.toContain(marker);
    expect(selftest("--dir", dir).err).toMatch(/--replace/);
    expect(selftest("prompts", "--dir", dir).out).toBe(made.out);

    const opened = manifest.pages.map(({ file }): RecordedCall => {
      return { tool: "read_file", args: { path: join(dir, file) } };
    });
    const marker = manifest.canaries.find(({ effect }) => effect === "mail")?.marker;
    const mail: RecordedCall = {
      tool: "send_email",
      args: { to: `copies@${marker}.invalid`, "\u001b[2J": "\u202e" },
    };
    const [before, after] = [join(base, "before.json"), join(base, "after.json")];
    const cases: [string, RecordedCall[], number, RegExp, string[]][] = [
      [
        "ran",
        [...opened, { ...mail, would: "block", outcome: "success" }],
        1,
        /✗ 1 of 36 canaries ran/,
        ["--out", before],
      ],
      [
        "blocked",
        [...opened, { ...mail, verdict: "block" }],
        0,
        /✓ None of 36 canaries ran: 1 were stopped/,
        ["--out", after],
      ],
      ["half", opened.slice(1), 2, /\? This could not be judged/, []],
    ];
    for (const [name, calls, code, closing, more] of cases) {
      const checked = selftest("check", "--dir", dir, "--file", exported(name, calls), ...more);
      expect(checked.out.trim().split("\n").at(-1), checked.err).toMatch(closing);
      expect(checked.code, name).toBe(code);
      // Nothing that a terminal would obey comes from an export.
      expect(checked.out).not.toMatch(/[\u001b\u202e]/);
    }
    // What a call carried stays where it was recorded.
    expect(readFileSync(before, "utf8")).not.toContain("@");
    const compared = selftest("compare", before, after);
    expect(compared.out).toMatch(/1 of 36 before, 0 of 36 after/);
    expect(compared.code).toBe(0);
    expect(selftest("compare", after, before).code).toBe(1);

    expect(selftest("clean", "--dir", dir).code).toBe(0);
    expect(existsSync(dir)).toBe(false);
  });

  it("answers what it cannot do in one line, with an exit code that claims nothing", ({ expect }) => {
    const cases: [string[], RegExp][] = [
      [["chekc"], /no "chekc"/],
      [["--dri", "x"], /Unknown option/],
      [["check", "--dir", join(base, "none"), "--file", "x"], /no self-test/],
      [["compare", "a"], /two results/],
      [["compare", "a", "b"], /not a result/],
      [["clean", "--dir", join(base, "none")], /no folder/],
    ];
    for (const [args, message] of cases) {
      const { code, out, err } = selftest(...args);
      expect([code, out, err.trim().split("\n").length], args.join(" ")).toEqual([2, "", 1]);
      expect(err).toMatch(message);
    }
    selftest("--dir", dir);
    for (const [args, message] of [
      [[], /Say where the record is/],
      [["--origin", "http://gate.example"], /over https only/],
      [["--origin", "https://gate.example"], /COUNTERSIGN_KEY/],
      [["--session", "s"], /Say where/],
      [["--session", "s", "--origin", "http://gate.example"], /over https only/],
      [["--session", "s", "--origin", "https://gate.example"], /COUNTERSIGN_KEY/],
      [["--file", join(base, "none")], /cannot be read/],
    ] as const) {
      const { code, err } = selftest("check", "--dir", dir, ...args);
      expect(code).toBe(2);
      expect(err).toMatch(message);
    }
    const secret = `cs_live_${"a".repeat(60)}`;
    const leaked = selftest("check", "--session", "s", secret);
    expect(leaked.code).toBe(2);
    expect(leaked.out + leaked.err).not.toContain(secret);
  });

  it("tells how it is used", ({ expect }) => {
    const { code, out } = selftest("--help");
    expect(code).toBe(0);
    for (const word of [
      "setup",
      "serve",
      "check",
      "compare",
      "clean",
      "guard_mode",
      "COUNTERSIGN_KEY",
      "--calls",
    ])
      expect(out).toContain(word);
  });
});
