import { escapeBound, homeOf, variableOf } from "../../../paths/index.ts";
import type { PathBound } from "../../../types.ts";
import { stripTree, UNKNOWN_PATH } from "../../report.ts";
import {
  type Field,
  has,
  joinBound,
  lastSegment,
  leading,
  literal,
  locate,
  parentOf,
  textField,
} from "../field.ts";
import { isGiven, valuesOf } from "../options.ts";
import { filesOf } from "../paths.ts";
import { directoryBound } from "../state.ts";
import type { Invocation } from "../walker.ts";
import type { Reading } from "./row.ts";

export interface CopyRequest {
  readonly call: Invocation;
  readonly sources: readonly Field[];
  readonly dest: Field;
  /** The destination is a directory for certain, as with `-t`. */
  readonly directory: boolean;
  /** The destination is never taken as a directory to copy into, as with `-T`. */
  readonly fixed: boolean;
  /** Whole directories are copied. */
  readonly recursive: boolean;
}

export interface CopyPlace {
  readonly source: Field;
  readonly from: PathBound;
  readonly to: PathBound;
  /** False for a second reading of the same copy: inside the destination, should that be a directory. */
  readonly primary: boolean;
}

/**
 * Where `cp`, `mv`, `ln` and `install` put things. A destination without a trailing slash may be a file or a directory;
 * when its name has no extension both readings are given.
 */
export function placeCopies(request: CopyRequest): CopyPlace[] {
  const { call, sources, dest, directory, fixed, recursive } = request;
  const { shell, report } = call;
  const places: CopyPlace[] = [];
  const spread = has(dest, "glob");
  const inside = !fixed && !spread && (directory || sources.length > 1 || endsAsDirectory(dest));
  for (const to of filesOf(dest, shell, report)) {
    for (const source of sources) {
      for (const from of sourcesOf(source, call)) {
        const name = nameOf(source, from);
        const inner =
          to === UNKNOWN_PATH
            ? to
            : name === null
              ? asTree(to)
              : recursive
                ? asTree(joinBound(to, name))
                : joinBound(to, name);
        if (inside) {
          places.push({ source, from, to: inner, primary: true });
          continue;
        }
        const whole = recursive && (name === null || !hasExtension(name));
        places.push({ source, from, to: whole && to !== UNKNOWN_PATH ? asTree(to) : to, primary: true });
        if (!fixed && !whole && to !== UNKNOWN_PATH && (spread || !hasExtension(lastSegment(to))))
          places.push({ source, from, to: inner, primary: false });
      }
    }
  }
  return places;
}

/** Devices count here: copying one over a file empties it. */
function sourcesOf(source: Field, { shell, report }: Invocation): PathBound[] {
  if (has(source, "below")) return filesOf(source, shell, report);
  return shell.directories.map((directory) => {
    const place = locate(source, directory);
    if (place.ok) return place.bound;
    if (
      !has(source, "unknown") ||
      source.some((piece) => piece.kind === "unknown" && piece.source !== "process")
    ) {
      report.opaque("unknown-path");
    }
    return UNKNOWN_PATH;
  });
}

/** `null` when the name inside the destination cannot be known, or when contents are copied rather than a directory. */
function nameOf(source: Field, from: PathBound): string | null {
  if (from === UNKNOWN_PATH || has(source, "below") || from === "/") return null;
  return /(?:^|\/)\.{1,2}\/?$/.test(leading(source)) ? null : lastSegment(from);
}

/** `-b` keeps what a copy would replace under another name beside it. */
export function keepReplaced({ read, report }: Reading, to: PathBound): void {
  if (to === UNKNOWN_PATH || !isGiven(read, "-b --backup -S --suffix")) return;
  const suffix = literal(valuesOf(read, "-S --suffix")[0] ?? textField("~"));
  const plain = stripTree(to);
  for (const aside of [`${plain}${suffix === null ? "*" : escapeBound(suffix)}`, `${plain}.~*~`])
    report.write(to === plain ? aside : asTree(aside));
}

/**
 * Folders above a new file or folder, as far as they may be missing: the home, the agent's own folders, the present
 * directory and what lies above are there.
 */
export function createParents({ shell, report }: Invocation, file: PathBound): void {
  const { environment } = report.context;
  const known = [homeOf(environment), variableOf("HERMES_HOME", environment)].map(directoryBound);
  const own = known[1] ? ["skills", "memories"].map((name) => joinBound(known[1] ?? "", name)) : [];
  const present = [...shell.directories, ...known, ...own];
  let parent = file === UNKNOWN_PATH ? "/" : parentOf(stripTree(file));
  for (let steps = 0; steps < 64 && parent.lastIndexOf("/") > 0; steps++) {
    const place = parent;
    if (present.some((one) => one !== null && (one === place || one.startsWith(`${place}/`)))) break;
    report.act("create", place);
    parent = parentOf(place);
  }
}

/** What a command with sources and one destination was asked; `null` when an operand is missing. */
export function requestOf(call: Reading, recursive: boolean, fixed: boolean): CopyRequest | null {
  const { read } = call;
  const into = valuesOf(read, "-t --target-directory")[0];
  const dest = into ?? read.operands[read.operands.length - 1];
  const sources = into === undefined ? read.operands.slice(0, -1) : read.operands;
  // A pattern may match several files, and then the last match is the destination of all before it.
  const spread = dest !== undefined && into === undefined && has(dest, "glob") ? [...sources, dest] : sources;
  if (call.shell.nullglob && spread.length > sources.length) call.report.opaque("changed-patterns");
  if (dest === undefined || spread.length === 0) return null;
  return { call, sources: spread, dest, directory: into !== undefined, fixed, recursive };
}

export function endsAsDirectory(dest: Field): boolean {
  const last = dest[dest.length - 1];
  if (last?.kind !== "text") return false;
  return last.text.endsWith("/") || /^(?:.*\/)?\.{1,2}$/.test(leading(dest));
}

/** `notes.md` has one, `.env` and `skills` have none. */
export function hasExtension(name: string): boolean {
  return name.lastIndexOf(".") > 0;
}

export function asTree(bound: PathBound): PathBound {
  if (bound === UNKNOWN_PATH || bound.endsWith("/**")) return bound;
  return bound === "/" ? "/**" : `${bound}/**`;
}
