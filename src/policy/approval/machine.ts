/**
 * The life of an approval and of the grant that comes of it, in one table. Pure. What the table does not name does not
 * happen: whoever asks for it gets `null` and changes nothing.
 *
 *     pending ── approve ──▶ approved ── spend ──▶ spent ── report ──▶ reported
 *        │  ╲                   │  ╲                  ╲                   ▲
 *        │   deny ▶ denied      │   overrule ▶ overruled   doubt ▶ ambiguous
 *        └ expire ▶ expired     └ lapse ▶ lapsed
 */

/** Until it is decided an approval is pending; from `approved` on, the state is that of its grant. */
export const APPROVAL_STATES = [
  "pending",
  "approved",
  "denied",
  "expired",
  "spent",
  "reported",
  "ambiguous",
  "overruled",
  "lapsed",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const APPROVAL_EVENTS = [
  /** One of several people who are demanded has approved. */
  "vote",
  /** More time is given, once. */
  "extend",
  "approve",
  "deny",
  "expire",
  /** The action runs on its grant. */
  "spend",
  /** What governs has changed: the action is blocked, or asks for a reason that nobody was shown. */
  "overrule",
  /** Nobody came for the grant in its time. */
  "lapse",
  /** What became of the action was reported. */
  "report",
  /** Nobody knows whether the action ran: its outcome is `unknown`, or it is asked for again before one was reported. */
  "doubt",
] as const;
export type ApprovalEvent = (typeof APPROVAL_EVENTS)[number];

export const ARROWS: Readonly<
  Record<ApprovalState, Readonly<Partial<Record<ApprovalEvent, ApprovalState>>>>
> = {
  pending: { vote: "pending", extend: "pending", approve: "approved", deny: "denied", expire: "expired" },
  approved: { spend: "spent", overrule: "overruled", lapse: "lapsed" },
  spent: { report: "reported", doubt: "ambiguous" },
  ambiguous: { report: "reported" },
  denied: {},
  expired: {},
  reported: {},
  overruled: {},
  lapsed: {},
};

/** The state after an event, or `null` where there is no such arrow. */
export function after(state: ApprovalState, event: ApprovalEvent): ApprovalState | null {
  return ARROWS[state][event] ?? null;
}

export const APPROVAL_STATUSES = ["pending", "approved", "denied", "expired"] as const;
/** What people were asked and answered. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const GRANT_STATUSES = ["live", "spent", "reported", "ambiguous", "overruled", "lapsed"] as const;
/** What became of the right to run the action once. */
export type GrantStatus = (typeof GRANT_STATUSES)[number];

/** What was answered: a grant's later life changes nothing of it. */
export function statusOf(state: ApprovalState): ApprovalStatus {
  return state === "pending" || state === "denied" || state === "expired" ? state : "approved";
}

/** The grant, or `null` where none came of it. */
export function grantOf(state: ApprovalState): GrantStatus | null {
  if (statusOf(state) !== "approved") return null;
  return state === "approved" ? "live" : (state as GrantStatus);
}

/** The state as it stands at `now`: an approval that nobody answered in time has expired, whether or not anybody looked. */
export function stateAt(
  state: ApprovalState,
  times: { readonly expires_at: number; readonly grant_expires_at: number | null },
  now: number,
): ApprovalState {
  if (state === "pending" && now >= times.expires_at) return "expired";
  if (state === "approved" && now >= (times.grant_expires_at ?? 0)) return "lapsed";
  return state;
}
