/**
 * Text that names a file -> the one spelling of it that every judge compares.
 *
 * Windows paths are spelled with `/` too: `C:\a` and `\\?\C:\a` are `/c:/a`, `\\server\share\x` is `/unc:/server/share/x`;
 * Git Bash's `/c/a` is `/c:/a`. There, trailing dots and spaces of a name and a `:stream` behind it are dropped,
 * since Windows opens the same file with and without them.
 *
 * Resolution is lexical: nothing here can see a symbolic link.
 */

import type { Environment, OperatingSystem, PathBound } from "../types.ts";
import { aliasOf } from "./alias.ts";
import { findForbidden, isPlain, utf8Bytes } from "./characters.ts";

/** Linux' PATH_MAX: a longer path cannot be opened, so nothing is lost by refusing it. */
export const MAX_PATH_BYTES = 4096;

/** Whether two paths that differ only in letter case may be one file: the session says which system it runs on. */
export function foldsCase({ os }: Pick<Environment, "os">): boolean {
  return os !== "linux";
}

export type PathCause =
  | "nul"
  | "bidi"
  | "control"
  | "too-long"
  | "empty"
  | "no-home"
  | "no-cwd"
  | "unknown-variable"
  | "surrogate"
  | "device"
  /** The system's own second name for some file, such as `/proc/1/cwd`: it can be opened, but nobody here knows what it is. */
  | "alias";

export type PathResult = { ok: true; path: string } | { ok: false; cause: PathCause };

type Expansion = { ok: true; text: string } | { ok: false; cause: PathCause };

function checked(text: string): PathCause | null {
  if (text === "") return "empty";
  // Every UTF-16 unit is at least one byte, so hostile megabytes are refused before they are read.
  if (text.length > MAX_PATH_BYTES) return "too-long";
  if (isPlain(text)) return null;
  if (utf8Bytes(text) > MAX_PATH_BYTES) return "too-long";
  const forbidden = findForbidden(text);
  if (forbidden === null) return null;
  return forbidden.kind === "zero-width" ? "control" : forbidden.kind;
}

/** @param cwd told only where the path passes through what depends on the process' working directory. */
function tidy(path: string, os: OperatingSystem, cwd: () => string | null): PathResult {
  const aliased = os === "darwin" || (os === "linux" && /\/(?:proc|fd)\//.test(path));
  // Most paths are spelled as they are meant: no segment is empty, `.` or `..`.
  if (os !== "windows" && !aliased && !/\/\.{0,2}(?:\/|$)/.test(path)) return whole(path);
  let kept: string[] = [];
  const floor = os === "windows" ? windowsRootLength(path) : 0;
  for (const raw of path.split("/")) {
    if (raw === "" || raw === ".") continue;
    if (raw === "..") {
      if (kept.length > floor) kept.pop();
      continue;
    }
    const name = os === "windows" && kept.length >= floor ? windowsName(raw) : raw;
    if (name === "") continue;
    kept.push(name);
    if (!aliased || kept.length > 5) continue;
    const alias = aliasOf(kept, os, cwd());
    if (alias === "unknown") return { ok: false, cause: "alias" };
    if (alias !== null) kept = [...alias];
  }
  return whole(`/${kept.join("/")}`);
}

/** No UTF-16 unit takes more than three bytes. */
function whole(path: string): PathResult {
  const long = path.length * 3 > MAX_PATH_BYTES && utf8Bytes(path) > MAX_PATH_BYTES;
  return long ? { ok: false, cause: "too-long" } : { ok: true, path };
}

const NOWHERE = (): null => null;

/** How many leading segments `..` cannot leave: a drive is one, a share is three. */
function windowsRootLength(path: string): number {
  if (/^\/unc:\//.test(path)) return 3;
  return /^\/[a-z]:(?:\/|$)/.test(path) ? 1 : 0;
}

function windowsName(segment: string): string {
  const stream = segment.indexOf(":");
  const name = stream < 0 ? segment : segment.slice(0, stream);
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}

type Rooted = { ok: true; path: string | null } | { ok: false; cause: PathCause };

/** The absolute form of a Windows path with `/` as separator, or `null` when it is relative to the working directory. */
function windowsRooted(text: string, cwd: string | null): Rooted {
  const path = text.replaceAll("\\", "/");
  const device = /^\/(?:\/[?.]|\?\?)\/(.*)$/.exec(path);
  if (device !== null) {
    const rest = device[1] ?? "";
    if (/^[A-Za-z]:(?:\/|$)/.test(rest)) return windowsRooted(rest, cwd);
    if (/^unc\//i.test(rest)) return windowsRooted(`//${rest.slice(4)}`, cwd);
    // A volume's GUID or an object-manager name is a second spelling of any file at all.
    return { ok: false, cause: "device" };
  }
  const share = /^\/\/+([^/]+)\/*(.*)$/.exec(path);
  if (share !== null) {
    const server = (share[1] ?? "").toLowerCase();
    const rest = share[2] ?? "";
    const administrative = /^([A-Za-z])\$(?:\/(.*))?$/.exec(rest);
    const local =
      /^(?:localhost|127(?:\.\d+){3}|::1|0+(?:-0+)*-0*1\.ipv6-literal\.net|--1\.ipv6-literal\.net)$/.test(
        server,
      );
    if (local && administrative !== null) {
      return { ok: true, path: `/${(administrative[1] ?? "").toLowerCase()}:/${administrative[2] ?? ""}` };
    }
    // The machine's own name is not known: `\\\\MYPC\\c$` may be this drive as well as another machine's.
    if (administrative !== null || /^admin\$(?:\/|$)/i.test(rest)) return { ok: false, cause: "alias" };
    return { ok: true, path: `/unc:/${server}/${rest}` };
  }
  const known = /^\/([A-Za-z]|unc):(?:\/(.*))?$/i.exec(path) ?? /^\/([A-Za-z])(?:\/(.*))?$/.exec(path);
  // `/c/a` is Git Bash's `C:\a`, but `\c\a` is a folder `c` at the root of the current drive.
  const bare = text.startsWith("\\") && known?.[0][2] !== ":";
  if (known !== null && !bare)
    return { ok: true, path: `/${(known[1] ?? "").toLowerCase()}:/${known[2] ?? ""}` };
  const drive = /^([A-Za-z]):(.*)$/.exec(path);
  const current = cwd === null ? null : driveOf(cwd);
  if (drive !== null) {
    const letter = (drive[1] ?? "").toLowerCase();
    const rest = drive[2] ?? "";
    if (rest === "" || rest.startsWith("/")) return { ok: true, path: `/${letter}:/${rest}` };
    // `D:x` means the working directory of drive D, which is known for the current drive alone.
    return current === `${letter}:` ? { ok: true, path: null } : { ok: false, cause: "no-cwd" };
  }
  if (!path.startsWith("/")) return { ok: true, path: null };
  return current === null ? { ok: false, cause: "no-cwd" } : { ok: true, path: `/${current}${path}` };
}

function driveOf(cwd: string): string | null {
  const found = windowsRooted(cwd, null);
  if (!found.ok || found.path === null) return null;
  return /^\/([a-z]:|unc:\/[^/]+\/[^/]+)/.exec(found.path)?.[1] ?? null;
}

/**
 * Literal text -> absolute normalised path, without expansion of `~` or variables: relative text stands under `cwd`;
 * `.`, `..`, doubled and trailing separators are gone; nothing escapes `/`. Refuses text past 4096 UTF-8 bytes and
 * characters that hide or split a name.
 */
export function normalisePath(text: string, cwd: string | null, os: OperatingSystem = "linux"): PathResult {
  if (typeof text !== "string") return { ok: false, cause: "empty" };
  const cause = checked(text);
  if (cause !== null) return { ok: false, cause };
  if (os !== "windows") {
    const current = (): string | null => {
      // Where the working directory itself is such a second name, nothing is known about it.
      const plain = isBase(cwd) ? tidy(cwd, os, NOWHERE) : null;
      return plain?.ok ? plain.path : null;
    };
    if (text.startsWith("/")) return tidy(text, os, current);
    return isBase(cwd) ? tidy(`${cwd}/${text}`, os, current) : { ok: false, cause: "no-cwd" };
  }
  const base = typeof cwd === "string" && checked(cwd) === null ? cwd : null;
  const rooted = windowsRooted(text, base);
  if (!rooted.ok) return rooted;
  if (rooted.path !== null) return tidy(rooted.path, os, NOWHERE);
  const folder = base === null ? null : windowsRooted(base, null);
  if (!folder?.ok || folder.path === null) return { ok: false, cause: "no-cwd" };
  const drive = /^[A-Za-z]:/.exec(text);
  return tidy(`${folder.path}/${text.slice(drive?.[0].length ?? 0).replaceAll("\\", "/")}`, os, NOWHERE);
}

function isBase(cwd: string | null): cwd is string {
  return typeof cwd === "string" && cwd.startsWith("/") && checked(cwd) === null;
}

/** The session's home as a normalised path, or `null` when it was not declared or is not absolute. */
export function homeOf(environment: Environment): string | null {
  if (environment.home === null) return null;
  const home = normalisePath(environment.home, null, environment.os);
  return home.ok ? home.path : null;
}

/**
 * What `$NAME` stands for in this session, or `null` when nobody said. `HOME` and `PWD` are the session's own; `HERMES_HOME`
 * is `~/.hermes` unless declared, and an empty declaration of it counts as none, as it does for Hermes.
 */
export function variableOf(name: string, environment: Environment): string | null {
  if (name === "HOME" && environment.home !== null) return environment.home;
  if (name === "PWD" && environment.cwd !== null) return environment.cwd;
  const declared = Object.hasOwn(environment.variables, name) ? environment.variables[name] : undefined;
  if (typeof declared === "string" && !(name === "HERMES_HOME" && declared === "")) return declared;
  const home = homeOf(environment);
  if (name === "HERMES_HOME" && home !== null) return home === "/" ? "/.hermes" : `${home}/.hermes`;
  if (name === "USERPROFILE" && environment.os === "windows") return home;
  return null;
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/** The variable that starts at `index` of `text` (where `$` is): its name, and where the text goes on. */
export function readVariable(
  text: string,
  index: number,
): { name: string; end: number } | "malformed" | null {
  const braced = text[index + 1] === "{";
  NAME.lastIndex = index + (braced ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return braced ? "malformed" : null;
  const end = index + (braced ? 2 : 1) + name.length;
  if (!braced) return { name, end };
  return text[end] === "}" ? { name, end: end + 1 } : "malformed";
}

function expand(text: string, environment: Environment): Expansion {
  let rest = text;
  let out = "";
  if (text.startsWith("~")) {
    const tail = text.slice(1);
    const separated =
      tail === "" || tail.startsWith("/") || (environment.os === "windows" && tail.startsWith("\\"));
    const home = separated ? homeOf(environment) : null;
    // `~user` is another account's home, which only that machine knows.
    if (home === null) return { ok: false, cause: "no-home" };
    out = home;
    rest = tail;
  }
  let copied = 0;
  for (let index = rest.indexOf("$"); index >= 0; index = rest.indexOf("$", index)) {
    const found = readVariable(rest, index);
    if (found === "malformed") return { ok: false, cause: "unknown-variable" };
    if (found === null) {
      index += 1;
      continue;
    }
    const value = variableOf(found.name, environment);
    if (value === null) return { ok: false, cause: "unknown-variable" };
    out += rest.slice(copied, index) + value;
    // A few short names must not grow into megabytes.
    if (out.length > MAX_PATH_BYTES) return { ok: false, cause: "too-long" };
    copied = found.end;
    index = found.end;
  }
  return { ok: true, text: out + rest.slice(copied) };
}

/**
 * Literal text (no glob meaning, quotes removed) -> absolute normalised literal path. `~`, `~/x`, `$NAME` and `${NAME}`
 * are expanded from the session's environment, then {@link normalisePath} applies. A `$` that no name follows is itself.
 * `~user` answers `no-home`, an undeclared or malformed variable `unknown-variable`. Values are not expanded again.
 */
export function resolvePath(text: string, environment: Environment): PathResult {
  if (typeof text !== "string") return { ok: false, cause: "empty" };
  const cause = checked(text);
  if (cause !== null) return { ok: false, cause };
  const expanded = expand(text, environment);
  if (!expanded.ok) return expanded;
  return normalisePath(expanded.text, environment.cwd, environment.os);
}

/** A literal path as a bound that names it alone: `* ? [ ]` and the backslash lose their meaning. */
export function escapeBound(literal: string): PathBound {
  return /[*?[\]\\]/.test(literal) ? literal.replace(/[*?[\]\\]/g, "\\$&") : literal;
}

/** The bound and everything below it: `/a` -> `/a/**`, `/` -> `/**`; an unknown path stays unknown. */
export function treeBound(bound: PathBound): PathBound {
  if (bound === "?" || bound.endsWith("/**")) return bound;
  return bound.endsWith("/") ? `${bound}**` : `${bound}/**`;
}
