import { boundCovers, escapeBound, normalisePath, treeBound } from "../../paths/index.ts";
import type { PathBound } from "../../types.ts";

/**
 * One argument after the shell's expansions, as far as it can be known without running anything.
 *
 * - `text`: known characters; `quoted` ones are not split or globbed again.
 * - `glob`: a pattern that the shell expands against files that cannot be seen.
 * - `below`: some path at or under one of these bounds (what `find` puts in place of `{}`). It is printed as it was
 *   spelled where the search began, so what stands beside it joins that text; `null` when the text is not known.
 * - `unknown`: anything; `segment` when it cannot hold a slash (a date, a number), so that it stands for `*`.
 *
 * `computed` marks what a program printed: the bound holds, but the call is not fully known.
 */
export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean; readonly computed?: boolean }
  | { readonly kind: "glob"; readonly text: string }
  | {
      readonly kind: "below";
      readonly bounds: readonly PathBound[];
      readonly spelled: readonly string[] | null;
    }
  /** `name` of a variable that nothing in the script has set. */
  | {
      readonly kind: "unknown";
      readonly source: UnknownSource;
      readonly segment: boolean;
      readonly name?: string;
    };

/** `inherited`: a variable that nothing in the script has set. */
export type UnknownSource = "variable" | "inherited" | "command" | "process" | "input" | "other";

export type Field = readonly Piece[];

export function textField(text: string): Field {
  return [{ kind: "text", text, quoted: true }];
}

export function unknownField(source: UnknownSource): Field {
  return [{ kind: "unknown", source, segment: false }];
}

/** The argument's exact text, or `null` when it is not one known string. */
export function literal(field: Field): string | null {
  let text = "";
  for (const piece of field) {
    if (piece.kind !== "text") return null;
    text += piece.text;
  }
  return text;
}

/** The known characters an argument begins with; enough to tell an option from an operand. */
export function leading(field: Field): string {
  let text = "";
  for (const piece of field) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}

/** What can be said about an argument in words, for messages and for finding names; unknown pieces are left out. */
export function visible(field: Field): string {
  let text = "";
  for (const piece of field) if (piece.kind === "text" || piece.kind === "glob") text += piece.text;
  return text;
}

export function has(field: Field, kind: Piece["kind"]): boolean {
  return field.some((piece) => piece.kind === kind);
}

/** True when the argument holds the output of a command, so that using it in a URL sends something out. */
export function holdsOutput(field: Field): boolean {
  return field.some(
    (piece) =>
      (piece.kind === "unknown" && piece.source === "command") || (piece.kind === "text" && piece.computed),
  );
}

/** True when the argument could turn out to be an option, or several arguments, or nothing. */
export function isLoose(field: Field): boolean {
  const first = field[0];
  return first !== undefined && first.kind === "unknown" && first.source !== "process" && !first.segment;
}

/** Everything after the first `count` characters, which must be known text. */
export function dropLeading(field: Field, count: number): Field {
  const rest: Piece[] = [];
  let left = count;
  for (const piece of field) {
    if (left === 0 || piece.kind !== "text") rest.push(piece);
    else if (piece.text.length > left) {
      rest.push({ ...piece, text: piece.text.slice(left) });
      left = 0;
    } else left -= piece.text.length;
  }
  return rest;
}

export type Located =
  | { readonly ok: true; readonly bound: PathBound; readonly computed: boolean }
  | { readonly ok: false; readonly cause: string };

/**
 * Where an argument points when it is used as a path.
 * @param cwd the directory that relative paths start from, as a bound; `null` when it cannot be known.
 */
export function locate(field: Field, cwd: PathBound | null): Located {
  if (has(field, "below")) {
    const places = placesBelow(field, cwd);
    const [only] = places ?? [];
    if (places === null || only === undefined) return { ok: false, cause: "unknown-path" };
    return places.length > 1
      ? { ok: false, cause: "several-paths" }
      : { ok: true, bound: only, computed: false };
  }
  let pattern = "";
  let computed = false;
  let known = "";
  // To look at the end of a text that grows would write it out anew for each piece.
  let end = "";
  for (const piece of field) {
    const starred = end.endsWith("*") && end !== "\\*";
    let added: string;
    if (piece.kind === "text") {
      added = escapeBound(piece.text);
      known += piece.text;
      computed ||= piece.computed === true;
    } else if (piece.kind === "glob") {
      // Two stars inside a segment mean no more than one to the shell, but would cross segments in a bound.
      added = piece.text === "*" && starred ? "" : piece.text;
    } else if (piece.kind === "unknown" && piece.segment) {
      added = starred ? "" : "*";
      computed = true;
    } else return { ok: false, cause: "unknown-path" };
    pattern += added;
    end = (end + added.slice(-2)).slice(-2);
  }
  if (pattern === "") return { ok: false, cause: "empty" };
  // The characters that no reader should be trusted with are refused by the path helpers; only the verdict is used.
  if (known !== "") {
    const sound = normalisePath(`/${known}`, null);
    if (!sound.ok) return { ok: false, cause: sound.cause };
  }
  if (pattern.startsWith("/")) return { ok: true, bound: joinBound("/", pattern), computed };
  if (cwd === null) return { ok: false, cause: "no-cwd" };
  return { ok: true, bound: joinBound(cwd, pattern), computed };
}

/** A search that begins in more places than this finds what may be anywhere, once something is joined to it. */
const MOST_PLACES = 64;

/** Everything that an argument with a found path in it may name; `null` when that cannot be said. */
export function placesBelow(field: Field, cwd: PathBound | null): PathBound[] | null {
  const at = field.findIndex((piece) => piece.kind === "below");
  const piece = field[at];
  if (piece?.kind !== "below" || piece.bounds.includes("?")) return null;
  const before = literal(field.slice(0, at));
  const after = literal(field.slice(at + 1));
  if (before === null || after === null) return null;
  if (before === "" && after === "") return piece.bounds.map(treeBound);
  if (piece.spelled === null || piece.bounds.length + piece.spelled.length > 2 * MOST_PLACES) return null;
  if (after.split("/").slice(1).includes("..")) return null;
  const places: PathBound[] = [];
  for (const start of piece.spelled) {
    // The search finds its own starting point too, and there `{}.old` lies beside the tree, not in it.
    const texts = before === "" ? [start + after] : [before + start, before + start + after];
    for (const text of after.startsWith("/") && before === "" ? [] : texts) {
      const place = locate(textField(text), cwd);
      if (!place.ok) return null;
      places.push(treeBound(place.bound));
    }
  }
  const trees = piece.bounds.map(treeBound);
  const beside = places.filter((one) => !trees.some((tree) => boundCovers(tree, one)));
  return [...(before === "" ? trees : []), ...new Set(beside)];
}

/** Appends a pattern to a bound and removes `.`, `..` and empty segments, as the kernel would without links. */
export function joinBound(base: PathBound, pattern: string): PathBound {
  const whole = pattern.startsWith("/") ? pattern : `${base === "/" ? "" : base}/${pattern}`;
  // A bound needs no tidying, and few patterns do; a long folder is not taken apart for each name in it.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(pattern.startsWith("/") ? pattern.slice(1) : pattern)) return whole;
  const kept: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** The last segment of a bound, e.g. for where `cp` puts a file inside a directory. */
export function lastSegment(bound: PathBound): string {
  return bound.slice(bound.lastIndexOf("/") + 1);
}

export function parentOf(bound: PathBound): PathBound {
  const cut = bound.lastIndexOf("/");
  return cut <= 0 ? "/" : bound.slice(0, cut);
}
