/** Changes of texts for people: what goes, what comes, and how much stays. */
import { Pointer } from "../dashboard/command-steps.tsx";
import { Recorded } from "../dashboard/recorded.tsx";
import { type Change, type DiffLine, diffLines, MAX_CHANGES } from "./diff.ts";

/** Lines that stay, shown around what changes; both texts stand in the arguments in full. */
const AROUND = 3;
/** Lines of one diff: nobody reads more of it, and all of it stands in the arguments. */
const MAX_ROWS = 2_000;

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  const shown = changes.slice(0, MAX_CHANGES);
  return (
    <section class="stack-tight" aria-labelledby="changes">
      <h2 id="changes">What changes in the text</h2>
      <p class="soft small">
        <span class="sign sign-gone">−</span> goes, <span class="sign sign-new">+</span> comes.
      </p>
      {shown.map((change) => (
        <figure class="stack-tight">
          <figcaption class="soft small">
            In <Pointer text={change.pointer} />
            {change.kind === "replaced" && change.from === null
              ? ", beside what the agent says stands there now. Nobody here has seen that: the whole new text is below."
              : ""}
          </figcaption>
          <Diff
            lines={
              change.kind === "replaced" ? diffLines(change.before, change.after) : patchLines(change.text)
            }
            folded={change.kind === "replaced"}
          />
        </figure>
      ))}
      {changes.length > shown.length ? (
        <p>There are more changes than these. All of them stand in the arguments below.</p>
      ) : null}
    </section>
  );
}

/** A patch's own lines, by the sign that each begins with. */
function patchLines(text: string): DiffLine[] {
  return text.split("\n").map((line) => {
    if (line.startsWith("+") && !line.startsWith("+++ ")) return { kind: "new", text: line.slice(1) };
    if (line.startsWith("-") && !line.startsWith("--- ")) return { kind: "gone", text: line.slice(1) };
    return { kind: "same", text: line };
  });
}

interface Row {
  readonly line: DiffLine;
  /** Lines that stay and are not shown before this one. */
  readonly left: number;
}

function Diff({ lines, folded }: { lines: readonly DiffLine[]; folded: boolean }) {
  if (!lines.some(({ kind }) => kind !== "same"))
    return <p class="soft">Nothing: both texts are the same to the letter.</p>;
  const { rows, left } = folded
    ? foldedRows(lines)
    : { rows: lines.map((line) => ({ line, left: 0 })), left: 0 };
  return (
    <pre class="diff">
      {rows.slice(0, MAX_ROWS).map((row) => (
        <>
          <Left count={row.left} />
          <Line line={row.line} />
        </>
      ))}
      {rows.length > MAX_ROWS ? (
        <span class="diff-line diff-left">
          and {(rows.length - MAX_ROWS).toLocaleString("en-GB")} more lines, which stand in the arguments
        </span>
      ) : (
        <Left count={left} />
      )}
    </pre>
  );
}

function foldedRows(lines: readonly DiffLine[]): { readonly rows: Row[]; readonly left: number } {
  const near = new Uint8Array(lines.length);
  for (const [i, { kind }] of lines.entries())
    if (kind !== "same") near.fill(1, Math.max(0, i - AROUND), i + AROUND + 1);
  const rows: Row[] = [];
  let left = 0;
  for (const [i, line] of lines.entries()) {
    if (near[i] === 1) {
      rows.push({ line, left });
      left = 0;
    } else left += 1;
  }
  return { rows, left };
}

function Left({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="diff-line diff-left">
      {count === 1 ? "1 line stays as it is" : `${count} lines stay as they are`}
      {"\n"}
    </span>
  );
}

function Line({ line: { kind, text } }: { line: DiffLine }) {
  const shown = (
    <>
      <span class="sign">{kind === "gone" ? "− " : kind === "new" ? "+ " : "  "}</span>
      <Recorded text={text} block />
      {"\n"}
    </>
  );
  if (kind === "gone") return <del class="diff-line diff-gone">{shown}</del>;
  if (kind === "new") return <ins class="diff-line diff-new">{shown}</ins>;
  return <span class="diff-line">{shown}</span>;
}
