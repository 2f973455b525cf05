import { MAX_PATH_BYTES, treeBound } from "../../paths/index.ts";
import type { PathBound } from "../../types.ts";
import { isProcessEnvironment } from "../governance.ts";
import { hostOfUrl } from "../hosts.ts";
import { type Report, UNKNOWN_PATH } from "../report.ts";
import { climbsOut } from "../spelling.ts";
import { type Field, has, locate, type Piece, placesBelow, visible } from "./field.ts";
import type { Shell } from "./state.ts";

/** An argument that may mean more places than this is too large to describe. */
const MOST_CANDIDATES = 256;

/** What all that an argument may mean may be long together. */
const MOST_CANDIDATE_TEXT = 16 * 1024;

/** Streams and sinks: writing to them changes no file. */
const STREAMS =
  /^\/dev\/(?:null|zero|full|stdout|stderr|tty|ptmx|random|urandom|fd\/[12])$|^\/proc\/(?:self|thread-self)\/fd\/[12]$/;

/** Opened by name, a descriptor is the file behind it, to be written even where it was opened to be read. */
const DESCRIPTORS = /^\/dev\/(?:stdin$|fd\/)|^\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd\//;

/**
 * The files that an argument may mean, one for each directory the shell may be in. `?` when it cannot be known, and
 * then the report is opaque. Streams and process substitutions are no files, and are left out.
 */
export function filesOf(field: Field, shell: Shell, report: Report): PathBound[] {
  if (field.some((piece) => piece.kind === "unknown" && piece.source === "process")) return [];
  if (shell.globsOther && has(field, "glob")) report.opaque("changed-patterns");
  const spelled = visible(field);
  if (climbsOut(spelled)) report.said.deceives("climbs-out", spelled);
  const found = new Set<PathBound>();
  for (const directory of shell.directories) {
    const several = has(field, "below") ? placesBelow(field, directory) : null;
    for (const one of several ?? []) found.add(one);
    if (several !== null) continue;
    const place = locate(field, directory);
    if (!place.ok) {
      if (place.cause === "empty") continue;
      report.opaque(place.cause === "no-cwd" ? "unknown-directory" : "unknown-path");
      found.add(UNKNOWN_PATH);
    } else if (!STREAMS.test(place.bound) && DESCRIPTORS.test(place.bound)) {
      report.opaque("descriptor");
      found.add(UNKNOWN_PATH);
    } else if (!STREAMS.test(place.bound)) {
      if (place.computed) {
        report.opaque("computed-path");
        report.name(place.bound);
      }
      found.add(place.bound);
    }
  }
  return [...found];
}

/** Names every place that an argument of opaque code may mean: the argument itself, or what follows `=` or an option. */
export function nameArgument(field: Field, shell: Shell, report: Report): void {
  // Once there are too many, another is only one more of them.
  if (report.namesAreFull) {
    report.losesNames();
    return;
  }
  if (has(field, "below")) {
    for (const piece of field)
      if (piece.kind === "below") for (const bound of piece.bounds) report.name(treeBound(bound));
    return;
  }
  const { candidates, complete } = candidatesOf(field);
  if (!complete) report.losesNames();
  for (const candidate of candidates) {
    for (const directory of shell.directories) {
      const place = locate(candidate, directory);
      if (place.ok) report.name(place.bound);
    }
  }
}

/** Marks a read of a file in which variables of a process stand. */
export function noteRead(field: Field, shell: Shell, report: Report): void {
  const first = field[0];
  if (first?.kind === "text" && !first.text.startsWith("/proc") && !shell.moved) return;
  if (!visible(field).includes("environ")) return;
  for (const directory of shell.directories) {
    const place = locate(field, directory);
    if (place.ok && isProcessEnvironment(place.bound)) report.govern("own-key-variable");
  }
}

/** Adjacent pieces of known text as one, so that `~/x:/y` is seen to hold a colon. */
function merged(field: Field): Field {
  const pieces: Piece[] = [];
  for (const piece of field) {
    const last = pieces[pieces.length - 1];
    if (piece.kind === "text" && last?.kind === "text")
      pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
    else pieces.push(piece);
  }
  return pieces;
}

interface Candidates {
  readonly candidates: readonly Field[];
  readonly complete: boolean;
}

/** The places an argument may mean: as a whole, and split at the signs that programs put between names. */
function candidatesOf(given: Field): Candidates {
  const field = merged(given);
  const first = field[0];
  if (first === undefined) return { candidates: [], complete: true };
  if (first.kind !== "text") return { candidates: [field], complete: true };
  const { text } = first;
  if (hostOfUrl(text) !== null) return { candidates: [], complete: true };
  const candidates: Field[] = [];
  // At each sign the word may be parted in two, and with many signs that is many times its text.
  let units = MOST_CANDIDATE_TEXT;
  const equals = text.indexOf("=");
  if (equals > 0) candidates.push(from(field, equals + 1));
  // `PATH=$PATH:/x`, `container:/x`, `host:~/x`, `src=/x,dst=/y`, `@/x`
  let start = 0;
  for (const sign of text.matchAll(/[:=,@]/g)) {
    if (candidates.length > MOST_CANDIDATES) break;
    units -= text.length;
    const at = sign.index;
    if (sign[0] !== "=" && at > start && (at > 1 || sign[0] !== ":")) {
      candidates.push([{ ...first, text: text.slice(start, at) }]);
      if (units >= 0) candidates.push([{ ...first, text: text.slice(0, at) }]);
    }
    // What stands between two signs is named even where there are too many to part the word at each.
    const opens = units >= 0 && (/[~/.]/.test(text[at + 1] ?? "") || (sign[0] === "@" && at === 0));
    if (opens) candidates.push(from(field, at + 1));
    start = at + 1;
  }
  if (start > 0 && start < text.length && equals >= 0) candidates.push(from(field, start));
  if (text.startsWith("-")) {
    const slash = /[/~]/.exec(text);
    if (slash && equals < 0) candidates.push(from(field, slash.index));
  } else if (equals <= 0) candidates.push(field);
  return {
    candidates: candidates.slice(0, MOST_CANDIDATES).filter((one) => one.length > 0 && !isBare(one)),
    complete: candidates.length <= MOST_CANDIDATES && units >= 0,
  };
}

function from(field: Field, index: number): Field {
  const [first, ...rest] = field;
  if (first?.kind !== "text") return field;
  const text = first.text.slice(index);
  return text === "" ? rest : [{ ...first, text }, ...rest];
}

/** Words that are a number, a flag's value or punctuation name no file worth a refusal. */
function isBare(field: Field): boolean {
  const only = field.length === 1 ? field[0] : undefined;
  return (
    only?.kind === "text" &&
    (/^[\d.,:;+-]*$/.test(only.text)
      ? only.text !== "." && only.text !== ".."
      : only.text.length > MAX_PATH_BYTES)
  );
}
