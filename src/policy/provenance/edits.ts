/** Edits of a file by what they replace, and the hunks of a patch in the V4A format. */
import { newEffort, placesOf, replaced } from "./fragment.ts";

export interface FileEdit {
  readonly old: string;
  readonly replacement: string;
}

/**
 * The file after its edits. Where one cannot be placed, its replacement is read on its own; where there is no file, all
 * of them are. Whatever stands in the file and did not make a claim before is checked, so every line that an edit touches is.
 */
export function editedFile(
  edits: readonly FileEdit[],
  stored: string | null,
): { pieces: string[]; isPartial: boolean } {
  if (stored === null) return { pieces: edits.map(({ replacement }) => replacement), isPartial: true };
  let text = stored;
  const loose: string[] = [];
  const effort = newEffort();
  for (const { old, replacement } of edits) {
    const places = placesOf(text, old, effort);
    if (places.length === 0) loose.push(replacement);
    else text = replaced(text, places, replacement);
  }
  const pieces = text === stored ? loose : [text, ...loose];
  return { pieces, isPartial: loose.length > 0 };
}

/** A part of a patch: the lines it keeps and removes, and those it keeps and adds. */
export interface Hunk {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const HEADER = /^\*{3} (Update|Add|Delete|Move) File: (.+?)(?: -> (.+))?$/;

/** Total, linear. `*** Move to:` and `*** Move File: a -> b` name another path for what follows. */
export function patchHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let path = "";
  let isAdded = false;
  let before: string[] = [];
  let after: string[] = [];
  const close = (): void => {
    if (path !== "" && (before.length > 0 || after.length > 0))
      hunks.push({ path, before: before.join("\n"), after: after.join("\n") });
    before = [];
    after = [];
  };
  for (const line of patch.split(/\r\n|\n|\r/)) {
    const header = HEADER.exec(line);
    if (header !== null) {
      close();
      path = (header[3] ?? header[2] ?? "").trim();
      isAdded = header[1] === "Add";
      continue;
    }
    const moved = /^\*{3} Move to: (.+)$/.exec(line);
    if (moved !== null) path = (moved[1] ?? "").trim();
    else if (line.startsWith("*** ")) close();
    else if (line.startsWith("@@")) close();
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith("-") && !isAdded) before.push(line.slice(1));
    else {
      const kept = line.startsWith(" ") ? line.slice(1) : line;
      before.push(kept);
      after.push(kept);
    }
  }
  close();
  return hunks;
}
