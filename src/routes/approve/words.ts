/** How long, by whom, and what became of it: in words for people. */
import type { ApprovalRecord } from "../../durable/approval-protocol.ts";

/** `9 minutes`, `1 minute 5 seconds`, `40 seconds`; past ten minutes the seconds are left out. */
export function timeWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const parts = [
    hours > 0 ? many(hours, "hour") : "",
    minutes > 0 ? many(minutes, "minute") : "",
    seconds < 600 && (seconds % 60 > 0 || seconds === 0) ? many(seconds % 60, "second") : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

export function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** What it takes to approve. */
export function demandWords({ people, signed_in, passkey }: ApprovalRecord["demand"]): string {
  const who = people === 1 ? "One approver" : `${people} approvers, each on their own`;
  if (passkey) return `${who}, signed in and with a passkey`;
  return signed_in ? `${who}, signed in` : who;
}

/** What became of the right to run the action once. */
export const GRANT_WORDS: Readonly<Record<NonNullable<ApprovalRecord["grant"]>, string>> = {
  live: "It may run once. It has not run yet.",
  spent: "It was let run. What became of it has not been reported yet.",
  reported: "It was let run, and what became of it is on record.",
  ambiguous:
    "It was let run, and nobody knows what became of it. The same action would be asked about again.",
  overruled: "It was not let run: what governs it changed after it was approved.",
  lapsed: "It was not run in its time, and cannot be any more.",
};
