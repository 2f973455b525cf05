import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boundsIntersect,
  escapeBound,
  normalisePath,
  resolvePath,
  treeBound,
  utf8Bytes,
} from "../../../src/policy/paths/index.ts";
import type { Environment } from "../../../src/policy/types.ts";

const LINUX: Environment = {
  home: "/home/u",
  cwd: "/home/u/work",
  variables: { DATA: "/data", REL: "x/y", EMPTY: "" },
  os: "linux",
};
const WINDOWS: Environment = {
  home: "C:\\Users\\u",
  cwd: "C:\\Users\\u\\work",
  variables: {},
  os: "windows",
};
const BARE: Environment = { home: null, cwd: null, variables: {}, os: "linux" };

describe("resolvePath", () => {
  const good: [Environment, string, string][] = [
    [LINUX, "~", "/home/u"],
    [LINUX, "~/.hermes/x", "/home/u/.hermes/x"],
    [LINUX, "$HERMES_HOME/skills", "/home/u/.hermes/skills"],
    [LINUX, "$HOME/a//b/./c/..", "/home/u/a/b"],
    [LINUX, `\${PWD}x`, "/home/u/workx"],
    [LINUX, "$DATA/a$REL", "/data/ax/y"],
    [LINUX, "$EMPTY/etc", "/etc"],
    [LINUX, "cost$5/a$", "/home/u/work/cost$5/a$"],
    [LINUX, "../../../../../x", "/x"],
    [LINUX, "a b/*", "/home/u/work/a b/*"],
    [LINUX, "a\\b", "/home/u/work/a\\b"],
    [BARE, "//a///b/", "/a/b"],
    [{ ...LINUX, variables: { HERMES_HOME: "/h" } }, "$HERMES_HOME/a", "/h/a"],
    [{ ...LINUX, variables: { HERMES_HOME: "" } }, "$HERMES_HOME/a", "/home/u/.hermes/a"],
    [WINDOWS, "C:\\a\\B", "/c:/a/B"],
    [WINDOWS, "c:/a/../../..", "/c:"],
    [WINDOWS, "\\\\?\\C:\\a", "/c:/a"],
    [WINDOWS, "\\\\Server\\share\\..\\..\\x", "/unc:/server/share/x"],
    [WINDOWS, "\\\\?\\UNC\\server\\share\\x", "/unc:/server/share/x"],
    [WINDOWS, "\\\\localhost\\C$\\a", "/c:/a"],
    [WINDOWS, "/c/Users", "/c:/Users"],
    [WINDOWS, "\\a", "/c:/a"],
    [WINDOWS, "c:a", "/c:/Users/u/work/a"],
    [WINDOWS, "a.md. ", "/c:/Users/u/work/a.md"],
    [WINDOWS, "a.md::stream", "/c:/Users/u/work/a.md"],
    [WINDOWS, "/a", "/a:"],
    [WINDOWS, "~\\x", "/c:/Users/u/x"],
    [WINDOWS, "$HERMES_HOME\\x", "/c:/Users/u/.hermes/x"],
    [WINDOWS, "/c:/Users/u", "/c:/Users/u"],
  ];
  it.each(good)("%# %s", (environment, text, want) => {
    expect(resolvePath(text, environment)).toEqual({ ok: true, path: want });
  });

  const bad: [Environment, string, string][] = [
    [LINUX, "", "empty"],
    [LINUX, "a\0b", "nul"],
    [LINUX, "a\nb", "control"],
    [LINUX, "a\u0085b", "control"],
    [LINUX, "a\u202eb", "bidi"],
    [LINUX, "a\u200fb", "bidi"],
    [LINUX, "a\u200bb", "control"],
    [LINUX, "a\ufeffb", "control"],
    [LINUX, "a\u{e0041}b", "control"],
    [LINUX, "a\ud800", "surrogate"],
    [LINUX, "a".repeat(4097), "too-long"],
    [LINUX, "é".repeat(2049), "too-long"],
    [LINUX, "a".repeat(4090), "too-long"],
    [LINUX, "~root/x", "no-home"],
    [LINUX, "$NOPE/x", "unknown-variable"],
    [LINUX, "${HOME", "unknown-variable"],
    [LINUX, `\${HOME:-x}`, "unknown-variable"],
    [LINUX, "$__proto__/x", "unknown-variable"],
    [LINUX, "$constructor/x", "unknown-variable"],
    [BARE, "~", "no-home"],
    [BARE, "$HERMES_HOME", "unknown-variable"],
    [BARE, "a", "no-cwd"],
    [{ ...LINUX, cwd: "work" }, "a", "no-cwd"],
    [{ ...LINUX, home: "u" }, "~/a", "no-home"],
    [{ ...LINUX, variables: { A: "x\0y" } }, "/$A", "nul"],
    [WINDOWS, "D:a", "no-cwd"],
    [WINDOWS, "\\\\?\\Volume{1}\\a", "device"],
    [WINDOWS, "\\\\.\\PhysicalDrive0", "device"],
    [{ ...WINDOWS, cwd: null }, "\\a", "no-cwd"],
  ];
  it.each(bad)("%# refuses %j", (environment, text, cause) => {
    expect(resolvePath(text, environment)).toEqual({ ok: false, cause });
  });

  it("is total on values that are no text", () => {
    for (const value of [null, undefined, 3, {}, []]) {
      expect(resolvePath(value as unknown as string, LINUX).ok).toBe(false);
    }
  });
});

describe("properties", () => {
  const piece = fc.constantFrom(
    "a",
    "b.c",
    ".",
    "..",
    "",
    "...",
    "~",
    "$HOME",
    "$X",
    "é",
    " ",
    "*",
    "\\",
    "c:",
    "C:",
    "c$",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .tuple(fc.constantFrom("", "/", "//", "~/", "\\\\"), fc.array(piece), fc.constantFrom("/", "\\"))
      .map(([start, parts, separator]) => start + parts.join(separator)),
  );
  const environment = fc.constantFrom(LINUX, WINDOWS, BARE);

  it("always absolute, tidy, within bounds, and stable under a second pass", () => {
    fc.assert(
      fc.property(text, environment, (input, where) => {
        const found = resolvePath(input, where);
        if (!found.ok) return;
        expect(found.path.startsWith("/")).toBe(true);
        const segments = found.path.slice(1).split("/");
        if (found.path !== "/")
          for (const segment of segments) expect(["", ".", ".."]).not.toContain(segment);
        expect(utf8Bytes(found.path)).toBeLessThanOrEqual(4096);
        expect(normalisePath(found.path, where.cwd, where.os)).toEqual(found);
      }),
      { numRuns: 5000 },
    );
  });

  it("a literal bound names its own path, and its tree too", () => {
    fc.assert(
      fc.property(text, environment, (input, where) => {
        const found = resolvePath(input, where);
        if (!found.ok) return;
        const bound = escapeBound(found.path);
        expect(boundsIntersect(bound, bound)).toBe(true);
        expect(boundsIntersect(treeBound(bound), bound)).toBe(true);
        if (found.path !== "/") expect(boundsIntersect(bound, "/a/b/c/d/e")).toBe(false);
      }),
    );
  });

  it("treeBound is idempotent", () => {
    expect(treeBound("/")).toBe("/**");
    expect(treeBound("/a")).toBe("/a/**");
    expect(treeBound("/a/**")).toBe("/a/**");
    expect(treeBound("?")).toBe("?");
  });
});

describe("second names that a system itself provides", () => {
  const DARWIN: Environment = { home: "/Users/u", cwd: "/Users/u/work", variables: {}, os: "darwin" };

  it.each<[Environment, string, string]>([
    [LINUX, "/proc/self/root/home/u/a", "/home/u/a"],
    [LINUX, "/proc/1234/root/home/u/a", "/home/u/a"],
    [LINUX, "/proc/thread-self/root/a", "/a"],
    [LINUX, "/proc/self/task/7/root/a", "/a"],
    [LINUX, "/proc/self/root/proc/1/root/a", "/a"],
    [LINUX, "/proc/self/root/../a", "/a"],
    [LINUX, "/proc/self/cwd/../a", "/home/u/a"],
    [LINUX, "/proc/self/cwd", "/home/u/work"],
    [LINUX, "/proc/self/fd/1", "/proc/self/fd/1"],
    [LINUX, "/proc/1/environ", "/proc/1/environ"],
    [DARWIN, "/proc/self/root/a", "/proc/self/root/a"],
    [DARWIN, "/System/Volumes/Data/Users/u/a", "/Users/u/a"],
    [DARWIN, "/system/volumes/data/Users/u/a", "/Users/u/a"],
    [DARWIN, "/Volumes/Macintosh HD/Users/u/a", "/Users/u/a"],
    [DARWIN, "/private/tmp/a", "/tmp/a"],
    [DARWIN, "/private/var/a/..", "/var"],
    [DARWIN, "/System/Volumes/Data/private/etc/a", "/etc/a"],
    [DARWIN, "/private/x", "/private/x"],
    [LINUX, "/private/tmp/a", "/private/tmp/a"],
    [WINDOWS, "\\??\\C:\\a", "/c:/a"],
    [WINDOWS, "\\\\127.0.0.2\\C$\\a", "/c:/a"],
  ])("%# %s", (environment, text, want) => {
    expect(resolvePath(text, environment)).toEqual({ ok: true, path: want });
  });

  it.each<[Environment, string]>([
    [LINUX, "/proc/1234/cwd/a"],
    [LINUX, "/proc/self/fd/7"],
    [LINUX, "/proc/9/fd/7/a"],
    [LINUX, "/dev/fd/3"],
    [{ ...LINUX, cwd: null }, "/proc/self/cwd/a"],
    [DARWIN, "/.vol/1/2"],
    [WINDOWS, "\\\\MYPC\\c$\\Users\\u\\a"],
    [WINDOWS, "\\\\?\\UNC\\mypc\\D$"],
    [WINDOWS, "\\\\mypc\\ADMIN$\\x"],
  ])("%# nobody knows %s", (environment, text) => {
    expect(resolvePath(text, environment)).toEqual({ ok: false, cause: "alias" });
  });
});
