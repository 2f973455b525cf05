/** Evidence rows as they are kept: with what the engine's mode made of a claim that is not backed. */
import type { Mode } from "../modes.ts";
import type { EvidenceRow } from "./findings.ts";
import type { FailureReason } from "./judge.ts";

/** `pass`; recorded only; a person was asked; refused. */
export const EVIDENCE_VERDICTS = ["pass", "would_block", "asked", "blocked"] as const;
export type EvidenceVerdict = (typeof EVIDENCE_VERDICTS)[number];

export type ClaimEvidence = Omit<EvidenceRow, "reason"> & {
  readonly verdict: EvidenceVerdict;
  readonly reason: FailureReason | "internal_error" | null;
};

const REFUSED: Readonly<Record<Mode, EvidenceVerdict>> = {
  off: "would_block",
  observe: "would_block",
  ask: "asked",
  enforce: "blocked",
};

/** A row is for people: of a longer quote they need its beginning. A hundred of them must fit in one record. */
const MAX_QUOTE = 500;

/** @param mode of the engine */
export function evidenceOf(rows: readonly EvidenceRow[], mode: Mode): ClaimEvidence[] {
  return rows.map(({ reason, quote, ...row }) => ({
    ...row,
    quote:
      quote === null || quote.length <= MAX_QUOTE ? quote : `${quote.slice(0, MAX_QUOTE)}…`.toWellFormed(),
    verdict: reason === undefined ? "pass" : REFUSED[mode],
    reason: reason ?? null,
  }));
}

const NOT_WRITTEN = " Nothing was written.";

/** The same words where the mode only observes: then it was written. */
export function asObserved(message: string): string {
  return message.endsWith(NOT_WRITTEN)
    ? `${message.slice(0, -NOT_WRITTEN.length)} Provenance observes here: it holds nothing back.`
    : message;
}

/** The row for a write that could not be checked at all. */
export function failedEvidence(tool: string, mode: Mode): ClaimEvidence {
  return {
    tool,
    target: tool,
    claim: null,
    quote: null,
    msg_id: null,
    matched_in: null,
    sender_id: null,
    role: "unknown",
    condition: "unknown",
    verdict: REFUSED[mode],
    reason: "internal_error",
  };
}
