/** Edits of a file by what they replace, and the hunks of a patch in the V4A format. */
import { newEffort, placesOf, replacedWithin } from "./fragment.ts";

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
    else text = replacedWithin(text, places, replacement);
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

const PATCH = /^\*{3} (?:Begin|End|Update|Add|Delete|Move)\b/m;

/** A patch in the V4A format, as Codex writes it. */
export const isPatch = (text: string): boolean => PATCH.test(text);

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

const UNIFIED = /^@@ -\d|^\+\+\+ \S/m;

/** `diff -u` and git. */
export const isUnified = (diff: string): boolean => UNIFIED.test(diff);

/** The hunks of a unified diff. @param path of the file where the diff names none. Total, linear. */
export function unifiedHunks(diff: string, path: string): Hunk[] {
  const hunks: Hunk[] = [];
  let file = path;
  let before: string[] = [];
  let after: string[] = [];
  const close = (): void => {
    if (before.length > 0 || after.length > 0)
      hunks.push({ path: file, before: before.join("\n"), after: after.join("\n") });
    before = [];
    after = [];
  };
  for (const line of diff.split(/\r\n|\n|\r/)) {
    const named = /^\+\+\+ (?:b\/)?([^\t]+)/.exec(line);
    if (named !== null) {
      close();
      if (path === "") file = (named[1] ?? "").trim();
    } else if (/^(?:--- |diff |index |new file |@@)/.test(line)) close();
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith("-")) before.push(line.slice(1));
    else if (line.startsWith(" ")) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  close();
  return hunks;
}

/** `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, and the same with other marks. Total, linear. */
export function searchBlocks(diff: string): FileEdit[] {
  const edits: FileEdit[] = [];
  let old: string[] | null = null;
  let replacement: string[] | null = null;
  for (const line of diff.split(/\r\n|\n|\r/)) {
    if (/^[<-]{3,} ?SEARCH>?\s*$/.test(line)) {
      old = [];
      replacement = null;
    } else if (old !== null && replacement === null && /^={3,}\s*$/.test(line)) replacement = [];
    else if (old !== null && replacement !== null && /^[>+]{3,} ?REPLACE>?\s*$/.test(line)) {
      edits.push({ old: old.join("\n"), replacement: replacement.join("\n") });
      old = null;
      replacement = null;
    } else (replacement ?? old)?.push(line);
  }
  // A block that nothing closes brings what it brings.
  if (old !== null && replacement !== null)
    edits.push({ old: old.join("\n"), replacement: replacement.join("\n") });
  return edits;
}
