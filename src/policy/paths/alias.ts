/**
 * Second names of files that a system itself provides: links that every machine has, which no oath would spell.
 * What they lead to is put in their place; where only that machine can tell, the path is unknown.
 */

import type { Environment, OperatingSystem, PathBound } from "../types.ts";
import { boundsIntersect } from "./match.ts";

/** What the first segments of a path, just read, stand for: other segments, or a place nobody knows. */
export type Alias = readonly string[] | "unknown" | null;

/**
 * Looks at the segments of an absolute path so far; to be asked after each one, since `..` behind a link leaves what the
 * link leads to. `cwd` is the working directory of the process itself.
 */
export function aliasOf(segments: readonly string[], os: OperatingSystem, cwd: string | null): Alias {
  if (os === "darwin") return darwinAlias(segments);
  return os === "linux" ? linuxAlias(segments, cwd) : null;
}

function darwinAlias(segments: readonly string[]): Alias {
  const lower = segments.map((one) => one.toLowerCase());
  const [first, second, third] = lower;
  if (lower.length === 3 && first === "system" && second === "volumes" && third === "data") return [];
  if (lower.length === 2 && first === "volumes" && second === "macintosh hd") return [];
  if (lower.length === 2 && first === "private" && /^(?:tmp|var|etc)$/.test(second ?? ""))
    return [segments[1] ?? ""];
  return lower.length === 2 && first === ".vol" ? "unknown" : null;
}

function linuxAlias(segments: readonly string[], cwd: string | null): Alias {
  if (segments.length === 3 && segments[0] === "dev" && segments[1] === "fd")
    return /^[012]$/.test(segments[2] ?? "") ? null : "unknown";
  if (segments[0] !== "proc" || segments.length < 3) return null;
  const process = segments[1] ?? "";
  if (!/^(?:self|thread-self|\d+)$/.test(process)) return null;
  const at = segments[2] === "task" ? 4 : 2;
  if (segments.length === at + 2 && segments[at] === "fd")
    return /^[012]$/.test(segments[at + 1] ?? "") ? null : "unknown";
  if (segments.length !== at + 1) return null;
  if (segments[at] === "root") return [];
  if (segments[at] !== "cwd") return null;
  return process !== "self" && process !== "thread-self"
    ? "unknown"
    : (cwd?.split("/").filter((one) => one !== "") ?? "unknown");
}

/**
 * A bound with its aliases replaced; `?` when it may lead anywhere. For bounds that were put together from a shell's words,
 * where a star may stand in the place of a process, and which may have changed its working directory.
 */
export function followAliases(bound: PathBound, { os }: Pick<Environment, "os">): PathBound {
  if (
    bound === "?" ||
    os === "windows" ||
    !/^\/(?:proc|dev|[^/]*[*?[\\]|system|volumes|private|\.vol)/i.test(bound)
  )
    return bound;
  let kept: string[] = [];
  for (const segment of bound.split("/").slice(1)) {
    kept.push(segment);
    if (kept.length > 5) continue;
    const alias = aliasOf(kept, os, null);
    if (alias === "unknown") return "?";
    if (alias !== null) kept = [...alias];
  }
  const path = `/${kept.filter((one) => one !== "").join("/")}`;
  return os === "linux" && kept.length > 2 && mayBeLink(kept) ? "?" : path;
}

const LINKS = ["/proc/*/root/**", "/proc/*/cwd/**", "/proc/*/task/*/root/**", "/proc/*/task/*/cwd/**"];

/** True for a spelling with a wildcard that can be a process' root, working directory or open file. */
function mayBeLink(segments: readonly string[]): boolean {
  if (segments.slice(0, 3).includes("**") || !segments.slice(0, 4).some((one) => /[*?[\\]/.test(one)))
    return false;
  const path = `/${segments.join("/")}`;
  return (
    LINKS.some((link) => boundsIntersect(link, path)) ||
    (segments.length > 3 && boundsIntersect("/proc/*/fd/[!0-2]*/**", path)) ||
    boundsIntersect("/dev/fd/[!0-2]*/**", path)
  );
}
