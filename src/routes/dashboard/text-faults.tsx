/** What is wrong with a text that somebody typed, fault by fault, each with its line and its place in it marked. */
import { Recorded, shortened } from "./recorded.tsx";

/** UTF-16 units of a line that are shown around a fault. */
const SHOWN_BEFORE = 120;
const SHOWN_AFTER = 160;

export interface TextFault {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units; the end is the first one that is not meant. */
  readonly column: number;
  readonly end_column: number;
}

export interface TextFaultsProps {
  readonly faults: readonly TextFault[];
  /** The text as it was typed, line by line. */
  readonly lines: readonly string[];
  /** What did not happen because of them, as a sentence; empty where nothing was to happen. */
  readonly consequence: string;
  /** For the anchor that its form is answered with. */
  readonly id?: string;
}

export function TextFaults({ faults, lines, consequence, id = "result" }: TextFaultsProps) {
  const n = faults.length;
  return (
    <div class="note note-strong" role="alert" id={id}>
      <p class="note-title">
        {n === 1 ? "There is an error" : `There are ${n} errors`}
        {consequence === "" ? "." : `. ${consequence}`}
      </p>
      <ol class="faults">
        {faults.map((fault) => (
          <li class="fault">
            <p>
              <strong>
                Line {fault.line}, column {fault.column}:
              </strong>{" "}
              <Recorded text={fault.message} />
            </p>
            <div class="lines">
              <MarkedLine line={lines[fault.line - 1] ?? ""} fault={fault} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function MarkedLine({ line, fault }: { line: string; fault: TextFault }) {
  const start = fault.column - 1;
  const end = fault.end_column - 1;
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
