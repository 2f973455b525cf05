/** Writes to memories and skills as a family's object sees them: what is held against one, and what is kept of it. */
import { hashOf } from "../ledger/index.ts";
import { asObserved, withStop } from "../policy/provenance/index.ts";
import type { Finding } from "../policy/types.ts";
import type { SettleInput, WriteInput } from "./protocol.ts";

/**
 * What provenance holds against a write, in the words of its mode; the third refusal of one target in one turn says to stop.
 * @param refusals how often writes to a target, as {@link refusedTarget} calls it, were refused since the last turn
 */
export function heldAgainst(
  { write, modes }: SettleInput,
  refusals: (target: string) => number,
): readonly Finding[] {
  if (write === null || write.findings.length === 0) return [];
  const observed = modes.provenance === "observe";
  const before = observed ? 0 : refusals(targetKey(write));
  return write.findings.map(({ verdict, reason }) => ({
    verdict,
    reason: {
      ...reason,
      message: observed ? asObserved(reason.message) : withStop(reason.message, before),
    },
  }));
}

/** What the ledger says of a write in plain: how much was claimed, not what. */
export function writtenBody({ claims, partial, evidence, skill }: WriteInput): Record<string, unknown> {
  const unbacked = evidence.filter(({ reason }) => reason !== null).length;
  return { claims, unbacked, partial, skill: skill !== null };
}

/** What a refusal is counted by; `null` where nothing was refused. */
export function refusedTarget({ write, modes }: SettleInput, held: readonly Finding[]): string | null {
  const counts = modes.provenance === "enforce" || modes.provenance === "ask";
  return write !== null && held.length > 0 && counts ? targetKey(write) : null;
}

/** A target may be called by what it holds, and an object keeps no such text. */
function targetKey({ target }: WriteInput): string {
  return hashOf("countersign/write-target/v1\n", target);
}
