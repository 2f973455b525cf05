/** What an approval says against a call, in the words that the agent gets. Pure. */
import type { Finding } from "../types.ts";
import { type Demand, MOST_WAITING, type Waiting } from "./configuration.ts";

export const DENIAL_REASONS = [
  "not-asked-for",
  "wrong-target",
  "too-much",
  "not-now",
  "suspicious",
  "edited",
  "other",
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

/** As an approver reads them, and as the agent is told. */
export const DENIAL_WORDS: Readonly<Record<DenialReason, string>> = {
  "not-asked-for": "nobody asked for this",
  "wrong-target": "the target is wrong",
  "too-much": "it goes too far",
  "not-now": "not now",
  suspicious: "it looks like somebody else's instruction",
  edited: "it was changed",
  other: "for another reason",
};

/** Characters of an approver's own words. */
export const MAX_REASON_CHARACTERS = 500;

/** Somebody said no. Asking again in the same turn would only wear them down. */
export function deniedFinding(reason: DenialReason | null, words: string | null): Finding {
  if (reason === "edited")
    return guard(
      "block",
      "edited",
      "Blocked: an approver changed this action. Ask for it as a new call, with the arguments in approval.edited.",
      "caller",
    );
  const why = reason === null ? "" : ` (${DENIAL_WORDS[reason]})`;
  const own = words === null || words === "" ? "" : ` They wrote: ${JSON.stringify(words)}.`;
  return guard(
    "block",
    "denied",
    `Blocked: an approver denied this action${why}.${own} Do not retry it; tell your user, and go on without it.`,
    "nobody",
  );
}

/** Nobody answered, which means no. */
export function expiredFinding(): Finding {
  return guard(
    "block",
    "approval-expired",
    "Blocked: nobody approved this action in time, which means no. If it is still needed, ask for it as a new call.",
    "caller",
  );
}

/** The same action was let through before, and what became of it is not known: to run it again could be to run it twice. */
export function doubtFinding(): Finding {
  return guard(
    "ask",
    "outcome-unknown",
    "This same action was approved before, and nobody has reported whether it ran. Report its outcome, or have a person decide whether it may run again.",
    "caller",
  );
}

/** What keeps an ask from being put to anybody. */
export const UNASKABLE = {
  "too-many-asks":
    "Blocked: too many actions of this session wait for a person already. Wait until some are answered.",
  "too-many-asks-of-agent":
    "Blocked: too many actions of this agent, in all of its sessions, wait for a person already. Wait until some are answered or have expired.",
  "too-many-asks-of-organization":
    "Blocked: too many actions of this organization's agents wait for a person already. Wait until some are answered or have expired.",
  "quiet-hours":
    "Blocked: nobody is asked in these hours. Try again when they are over, or go on without it.",
  "too-large-to-show":
    "Blocked: this action is too large to be shown to a person whole (more than 256 KiB of arguments), and nobody approves what they cannot see. Send it in smaller parts.",
} as const;
export type Unaskable = keyof typeof UNASKABLE;

/** Whether so many wait that nobody is asked more. */
export function crowdOf({ agent, organization }: Waiting): Unaskable | null {
  if (agent >= MOST_WAITING.agent) return "too-many-asks-of-agent";
  return organization >= MOST_WAITING.organization ? "too-many-asks-of-organization" : null;
}

export function unaskableFinding(why: Unaskable): Finding {
  return guard("block", why, UNASKABLE[why], why === "too-large-to-show" ? "caller" : "nobody");
}

/** True where whoever met `met` has met `wanted` as well. */
export function isCovered(wanted: Demand, met: Demand): boolean {
  return (
    wanted.people <= met.people && (!wanted.signed_in || met.signed_in) && (!wanted.passkey || met.passkey)
  );
}

function guard(
  verdict: Finding["verdict"],
  rule: string,
  message: string,
  clearable_by: Finding["reason"]["clearable_by"],
): Finding {
  return { verdict, reason: { rule_key: `guard:${rule}`, engine: "guard", message, clearable_by } };
}
