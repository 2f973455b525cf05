/** What is wrong with an oath, line by line, with the place marked. */
import type { Diagnostic } from "../../policy/oath/index.ts";
import { linesOf } from "./oath-lines.tsx";
import { Recorded, shortened } from "./recorded.tsx";

/** UTF-16 units of a line that are shown around an error. */
const SHOWN_BEFORE = 120;
const SHOWN_AFTER = 160;

export interface OathFaultsProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
  /** True when it was to be sworn, false when it was to be checked. */
  readonly swearing: boolean;
}

export function OathFaults({ diagnostics, text, swearing }: OathFaultsProps) {
  const lines = linesOf(text);
  const n = diagnostics.length;
  return (
    <div class="note note-strong" role="alert" id="result">
      <p class="note-title">
        {n === 1 ? "There is an error" : `There are ${n} errors`}
        {swearing ? ". Nothing was sworn, and what was in force still is." : "."}
      </p>
      <ol class="faults">
        {diagnostics.map((diagnostic) => (
          <li class="fault">
            <p>
              <strong>
                Line {diagnostic.line}, column {diagnostic.column}:
              </strong>{" "}
              <Recorded text={diagnostic.message} />
            </p>
            <div class="lines">
              <MarkedLine line={lines[diagnostic.line - 1] ?? ""} diagnostic={diagnostic} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function MarkedLine({ line, diagnostic }: { line: string; diagnostic: Diagnostic }) {
  const start = diagnostic.column - 1;
  const end = diagnostic.end_column - 1;
  const before = line.slice(Math.max(0, start - SHOWN_BEFORE), start);
  return (
    <code>
      {start > SHOWN_BEFORE ? "…" : ""}
      <Recorded text={before} />
      <mark>{end > start ? <Recorded text={shortened(line.slice(start, end), SHOWN_AFTER)} /> : "‸"}</mark>
      <Recorded text={shortened(line.slice(end), SHOWN_AFTER)} />
    </code>
  );
}
