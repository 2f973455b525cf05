export interface PatchChange {
  readonly kind: "add" | "update" | "delete" | "move";
  readonly path: string;
  /** Where a move leads. */
  readonly to?: string;
}

export interface PatchReading {
  readonly changes: readonly PatchChange[];
  /** False when some line could be a header to another reader, or stands where no line may stand. */
  readonly sound: boolean;
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.*\S)$/;
const MOVE = /^\*\*\* Move File: (.*\S) -> (.*\S)$/;
const MOVE_TO = /^\*\*\* Move to: (.*\S)$/;
const MARK = /^\*\*\* (?:Begin Patch|End Patch|End of File)$/;
/** Anything that resembles a header. Some readers trim a line, or ignore case, before they compare. */
const HEADER_LIKE = /^\*{2,}\s*(?:begin|end|add|update|delete|remove|move|rename|create|copy)\b/i;

/** What ends a line for one reader or another: Python's `splitlines`, JavaScript's `.`, or a line feed alone. */
const LINE_BREAKS = new Set([0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029]);

function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!LINE_BREAKS.has(text.charCodeAt(at))) continue;
    lines.push(text.slice(start, at));
    if (text.startsWith("\r\n", at)) at++;
    start = at + 1;
  }
  lines.push(text.slice(start));
  return lines;
}

/** White space to any reader, and what nobody sees. */
function isBlank(code: number): boolean {
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true;
  if (code < 0x1680) return code === 0xad || code === 0x61c;
  return (
    code === 0x1680 ||
    code === 0x180e ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** A line as the most generous reader would compare it. */
function bare(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

/**
 * Reads a V4A patch (`*** Begin Patch` … `*** End Patch`) for the files it changes. Linear. A line that starts with `+` or
 * `-` is content, whatever it says; a line that only resembles a header makes the patch unsound, and one that is a header once
 * what surrounds it is trimmed is read as one besides.
 */
export function readPatch(text: string): PatchReading {
  const changes: PatchChange[] = [];
  let sound = true;
  let inside = false;
  let ended = false;
  for (const line of linesOf(text)) {
    const trimmed = bare(line);
    // Blanks and tabs behind a header are trimmed by every reader, anything else by some.
    if (trimmed.startsWith("***") && line.replace(/[ \t]+$/, "") !== trimmed) sound = false;
    const header = HEADER.exec(trimmed);
    const move = MOVE.exec(trimmed);
    const moveTo = MOVE_TO.exec(trimmed);
    if (header || move || moveTo) {
      if (ended) sound = false;
      if (header) changes.push({ kind: kindOf(header[1]), path: header[2] ?? "" });
      else if (move) {
        changes.push({ kind: "move", path: move[1] ?? "", to: move[2] ?? "" });
        if ((move[2] ?? "").includes(" -> ")) sound = false;
      } else {
        const last = changes[changes.length - 1];
        if (last?.kind !== "update") sound = false;
        else changes.push({ kind: "move", path: last.path, to: moveTo?.[1] ?? "" });
      }
      inside = true;
    } else if (MARK.test(trimmed)) {
      if (trimmed === "*** End Patch") ended = true;
    } else if (HEADER_LIKE.test(trimmed)) sound = false;
    else if (inside && !ended) {
    } else if (trimmed !== "") sound = false;
  }
  return { changes, sound: sound && changes.length > 0 };
}

function kindOf(word: string | undefined): "add" | "update" | "delete" {
  return word === "Add" ? "add" : word === "Delete" ? "delete" : "update";
}
