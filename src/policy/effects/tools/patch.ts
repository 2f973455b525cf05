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
const HEADER_LIKE = /^[ \t]*\*{2,}\s*(?:begin|end|add|update|delete|remove|move|rename|create|copy)\b/i;

/**
 * Reads a V4A patch (`*** Begin Patch` … `*** End Patch`) for the files it changes. Linear. A line that starts with `+` or
 * `-` is content, whatever it says; a line that only resembles a header makes the patch unsound.
 */
export function readPatch(text: string): PatchReading {
  const changes: PatchChange[] = [];
  let sound = true;
  let inside = false;
  let ended = false;
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const trimmed = line.trimEnd();
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
    } else if (HEADER_LIKE.test(line)) sound = false;
    else if (inside && !ended) {
    } else if (trimmed !== "") sound = false;
  }
  return { changes, sound: sound && changes.length > 0 };
}

function kindOf(word: string | undefined): "add" | "update" | "delete" {
  return word === "Add" ? "add" : word === "Delete" ? "delete" : "update";
}
