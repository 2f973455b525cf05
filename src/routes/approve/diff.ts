/**
 * What a call would change of a text, line by line: for people, beside the texts themselves. Pure and total; where two
 * texts are too different to be compared in bounded time, all of the one goes and all of the other comes.
 */

export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Cells of the comparison's table, two bytes each. */
const MAX_CELLS = 4_000_000;

/** The lines of both texts in order, each once where it stays. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...a.slice(0, head).map(same),
    ...between(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

/** A longest common subsequence, by the table of its lengths. */
function between(a: readonly string[], b: readonly string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: "gone", text });
  const come = (text: string): DiffLine => ({ kind: "new", text });
  const width = b.length + 1;
  if ((a.length + 1) * width > MAX_CELLS) return [...a.map(gone), ...b.map(come)];
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const text = a[i] ?? "";
    if (text === b[j]) {
      lines.push({ kind: "same", text });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push(gone(text));
      i += 1;
    } else {
      lines.push(come(b[j] ?? ""));
      j += 1;
    }
  }
  return [...lines, ...a.slice(i).map(gone), ...b.slice(j).map(come)];
}

/** A text that a call would put in place of another one, or a patch as it was sent. */
export type Change =
  | {
      readonly kind: "replaced";
      readonly pointer: string;
      /** Of the argument that holds the text before; `null` where the client says what stands there: nobody has checked it. */
      readonly from: string | null;
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: "patch"; readonly pointer: string; readonly text: string };

/** What is replaced and what takes its place, by the arguments' names without case, `_` and `-`. */
const PAIRS: readonly (readonly [before: string, after: string])[] = [
  ["oldstring", "newstring"],
  ["oldstr", "newstr"],
  ["oldtext", "newtext"],
  ["oldtext", "content"],
  ["oldcontent", "newcontent"],
  ["oldsource", "newsource"],
  ["oldvalue", "newvalue"],
  ["old", "new"],
  ["search", "replace"],
  ["find", "replace"],
  ["before", "after"],
  ["original", "replacement"],
  ["original", "updated"],
];
/** Arguments that hold a whole text, which takes the place of the stored one. */
const WHOLE = ["content", "contents", "filetext", "newtext", "text", "body", "value", "data", "markdown"];
/** What is run is shown as what is run: a shell takes every line of a patch for a command, and runs what stands among them. */
const RUN = new Set(["command", "commands", "cmd", "code", "script", "shell", "expression", "query", "sql"]);
const MAX_DEPTH = 4;
export const MAX_CHANGES = 50;

/**
 * The changes of texts that stand in arguments, in their order, at most {@link MAX_CHANGES} and one.
 * @param stored the text that the call would edit, where the client said it
 */
export function changesIn(args: unknown, stored: string | null): Change[] {
  const changes: Change[] = [];
  collect(args, "", 0, changes);
  if (stored !== null && !changes.some(({ kind }) => kind === "replaced")) {
    const whole = isObject(args) ? textNamed(args, WHOLE) : null;
    if (whole !== null)
      changes.unshift({
        kind: "replaced",
        pointer: `/${escaped(whole.name)}`,
        from: null,
        before: stored,
        after: whole.text,
      });
  }
  return changes;
}

/** The names of the arguments that the changes stand in. */
export function changedArguments(args: unknown, changes: readonly Change[]): Set<string> {
  const pointers = changes.flatMap((one) =>
    one.kind === "replaced" && one.from !== null ? [one.pointer, one.from] : [one.pointer],
  );
  const firsts = new Set(pointers.map((pointer) => pointer.split("/")[1]));
  return new Set(isObject(args) ? Object.keys(args).filter((name) => firsts.has(escaped(name))) : []);
}

function collect(value: unknown, pointer: string, depth: number, changes: Change[]): void {
  if (depth > MAX_DEPTH || changes.length > MAX_CHANGES) return;
  if (typeof value === "string") {
    if (isPatch(value)) changes.push({ kind: "patch", pointer, text: value });
    return;
  }
  if (Array.isArray(value)) {
    for (const [i, one] of value.slice(0, MAX_CHANGES + 1).entries())
      collect(one, `${pointer}/${i}`, depth + 1, changes);
    return;
  }
  if (!isObject(value)) return;
  for (const [old, fresh] of PAIRS) {
    const [before, after] = [textNamed(value, [old]), textNamed(value, [fresh])];
    if (before === null || after === null || before.name === after.name) continue;
    changes.push({
      kind: "replaced",
      pointer: `${pointer}/${escaped(after.name)}`,
      from: `${pointer}/${escaped(before.name)}`,
      before: before.text,
      after: after.text,
    });
    break;
  }
  for (const [name, one] of Object.entries(value))
    if (!RUN.has(plain(name))) collect(one, `${pointer}/${escaped(name)}`, depth + 1, changes);
}

/** A unified diff, or a patch in the grammar of `apply_patch`. */
function isPatch(text: string): boolean {
  return (
    /^\s*\*\*\* Begin Patch/.test(text) ||
    (/^--- .*\n\+\+\+ /m.test(text) && /^@@ /m.test(text)) ||
    /^diff --git /m.test(text)
  );
}

function textNamed(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): { readonly name: string; readonly text: string } | null {
  for (const wanted of names)
    for (const [name, value] of Object.entries(object))
      if (typeof value === "string" && plain(name) === wanted) return { name, text: value };
  return null;
}

/** A name as every harness spells it. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A name inside a JSON pointer (RFC 6901 §3). */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
