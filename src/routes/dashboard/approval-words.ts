/** What is said of approvals, in words for people; and which of them an address asks for. Pure. */
import type { ReasonGiven } from "../../durable/approval-protocol.ts";
import type { OfferedReason } from "../../http/approving.ts";
import { MAX_ID_CHARACTERS } from "../../http/schemas.ts";
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  DENIAL_WORDS,
  type Demand,
  type GrantStatus,
  type Means,
  shortageOf,
} from "../../policy/approval/index.ts";

export const STATUS_NAMES: Readonly<Record<ApprovalStatus, string>> = {
  pending: "Pending",
  approved: "Approved",
  denied: "Denied",
  expired: "Expired",
};

const GRANT_NAMES: Partial<Readonly<Record<string, string>>> = {
  overruled: "Overruled",
  lapsed: "Not fetched in time",
  ambiguous: "Outcome unknown",
} satisfies Partial<Record<GrantStatus, string>>;

/** How an approval stands, in a word or three: what was approved and came to nothing is told apart. */
export function standingName(standing: {
  readonly status: ApprovalStatus;
  readonly grant: string | null;
  readonly replaced_by: string | null;
}): string {
  const { status, grant, replaced_by } = standing;
  if (status === "denied" && replaced_by !== null) return "Changed";
  return (status === "approved" ? GRANT_NAMES[grant ?? ""] : undefined) ?? STATUS_NAMES[status];
}

/** What became of the right to run the action once. */
export const GRANT_WORDS: Readonly<Record<GrantStatus, string>> = {
  live: "The agent has not fetched it yet.",
  spent: "The agent was let run it. What came of it is not reported yet.",
  reported: "The agent was let run it, and has reported what came of it.",
  ambiguous:
    "The agent was let run it, and nobody knows whether it ran. The same action asks again, and says so.",
  overruled:
    "It was not run: what governs the agent has changed, and this approval no longer answers for it.",
  lapsed: "It was not run: the agent did not come for it in its time.",
};

/** Reasons to deny as buttons say them. */
export const REASON_LABELS: Readonly<Record<OfferedReason, string>> = {
  "not-asked-for": "Nobody asked for this",
  "wrong-target": "The target is wrong",
  "too-much": "It goes too far",
  "not-now": "Not now",
  suspicious: "It looks like somebody else's instruction",
  other: "For another reason",
};

export function reasonWords({
  preset,
  text,
}: ReasonGiven): readonly [preset: string | null, text: string | null] {
  return [preset === null ? null : DENIAL_WORDS[preset], text];
}

/** What it takes besides one member with a link; `null` for nothing. */
export function demandWords(demand: Demand, approvals: number): string | null {
  const wants = [
    ...(demand.people > 1
      ? [
          `${demand.people} people have to approve it, each by themselves; ${approvals === 0 ? "nobody has yet" : `${approvals} ${approvals === 1 ? "has" : "have"} so far`}`,
        ]
      : []),
    ...(demand.passkey
      ? ["whoever approves signs it with a passkey"]
      : demand.signed_in
        ? ["whoever approves has to be signed in"]
        : []),
  ];
  if (wants.length === 0) return null;
  const text = wants.join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. The first who denies decides alone.`;
}

/** "Only 2 members may approve". */
export function approversWords(approvers: number): string {
  if (approvers === 0) return "No member may approve";
  return approvers === 1 ? "Only 1 member may approve" : `Only ${approvers} members may approve`;
}

/** "Only 1 approver has a passkey". */
export function holdersWords(holders: number): string {
  if (holders === 0) return "No approver has a passkey";
  return holders === 1 ? "Only 1 approver has a passkey" : `Only ${holders} approvers have a passkey`;
}

/** What is said where nobody can get an action approved; `null` where enough members could. */
export function shortageWords(demand: Demand, means: Means): string | null {
  const shortage = shortageOf(demand, means);
  if (shortage === null) return null;
  const { lacks, needed, there_are } = shortage;
  if (lacks === "passkeys") {
    const takes = needed === 1 ? "a passkey" : `the passkeys of ${needed} people`;
    return `It takes ${takes}. ${holdersWords(there_are)}: nobody can get it approved until more of them have added one, on the dashboard under Passkeys.`;
  }
  const may = there_are === 0 ? "nobody may approve" : `only ${there_are} may approve`;
  const takes = needed === 1 ? "an approver" : `${needed} people`;
  return `It takes ${takes}, and ${may}: nobody can get it approved. Ask an admin to demand fewer people, or an owner to let more members approve.`;
}

/**
 * Time that is left, rounded down: nobody is told of more than they have. A page's script is made of its very text
 * (`assets/left.ts`), so that it uses nothing but what it is given.
 */
export function leftWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours`;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** Seconds as people say them; `—` for none. */
export function durationWords(seconds: number | null): string {
  if (seconds === null) return "—";
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export function percentWords(share: number | null): string {
  return share === null ? "—" : `${Math.round(share * 100)} %`;
}

/** What the address asks for. What it cannot mean is left out, as if it had not been asked. */
export interface ApprovalsSought {
  readonly status: ApprovalStatus | null;
  readonly agent: string | null;
  readonly session: string | null;
}

/** @param query the address's parameters by name */
export function approvalsSought(query: (name: string) => string | undefined): ApprovalsSought {
  const text = (name: string): string | null => {
    const value = query(name);
    const fits = value !== undefined && value !== "" && value.length <= MAX_ID_CHARACTERS * 2;
    return fits && value.isWellFormed() ? value : null;
  };
  const status = text("status");
  return {
    status: APPROVAL_STATUSES.find((known) => known === status) ?? null,
    agent: text("agent"),
    session: text("session"),
  };
}

export function approvalsUrl(
  sought: Partial<ApprovalsSought>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | null | undefined>({ ...sought, ...more }))
    if (value !== null && value !== undefined) query.set(name, value);
  const text = query.toString();
  return text === "" ? "/approvals" : `/approvals?${text}`;
}

export function approvalUrl(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`;
}

export function isSought(sought: ApprovalsSought): boolean {
  return Object.values(sought).some((value) => value !== null);
}
