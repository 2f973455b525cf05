/**
 * What is said to a family's object of its approvals, and what it answers. Plain values, so that they cross an RPC
 * unchanged; an expected refusal is a value.
 */
import type { ApprovalStatus, Demand, DenialReason, GrantStatus } from "../policy/approval/index.ts";
import type { Annotations, Effects, Reason, RiskClass } from "../policy/types.ts";
import type { Refused, SettleInput, Stale } from "./protocol.ts";

/** How a call's ask is put to people. */
export interface Asking {
  /** The id that an approval gets, should one open. */
  readonly approval_id: string;
  /** What links are built with. */
  readonly origin: string;
}

/** What an agent is told of the approval that its call hangs on. */
export interface ApprovalOfCall {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly grant: GrantStatus | null;
  /** Members who have to approve, and how many have. */
  readonly people: number;
  readonly approvals: number;
  readonly expires_at: number;
  /** People hear of it from then on. */
  readonly notify_at: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
  readonly reason: ReasonGiven | null;
  readonly replaced_by: string | null;
  readonly edited: { readonly tool: string; readonly args: unknown } | null;
}

export interface ReasonGiven {
  readonly preset: DenialReason | null;
  /** The approver's own words, at most 500 characters; told to the agent. */
  readonly text: string | null;
}

/** What an ask is and what became of it: for the agent, for lists and for every page. No argument of the call is in it. */
export interface ApprovalRecord {
  readonly id: string;
  /** The session that asked, and the family's root in whose object the approval lives. */
  readonly session: string;
  readonly root: string;
  readonly agent: string;
  readonly call_id: string;
  readonly decision_id: string;
  /** What links to it are built with. */
  readonly origin: string;
  readonly tool: string;
  readonly action_digest: string;
  readonly risks: readonly RiskClass[];
  readonly rule_keys: readonly string[];
  readonly demand: Demand;
  /** As it stands at the moment of asking: one past its time reads `expired` even before that is on record. */
  readonly status: ApprovalStatus;
  readonly grant: GrantStatus | null;
  /** Members who have approved so far. */
  readonly approvals: number;
  readonly opened_at: number;
  /** People hear of it from then on: later than `opened_at` in quiet hours. */
  readonly notify_at: number;
  readonly expires_at: number;
  readonly extended: boolean;
  readonly decided_at: number | null;
  readonly decided_by: { readonly member: string; readonly via: "link" | "session" } | null;
  readonly reason: ReasonGiven | null;
  readonly grant_expires_at: number | null;
  /** The approval whose action was edited into this one, and the one that an edit of this one became. */
  readonly edit_of: string | null;
  readonly replaced_by: string | null;
  /** The action that an approver made of it, for the agent to ask for as a new call. */
  readonly edited: { readonly tool: string; readonly args: unknown } | null;
}

/** The exact action, for whoever is to approve it. Kept only while the approval is open. */
export interface ShownAction {
  readonly tool: string;
  /** The session that the digest names: the root's for continuations, a child's own. */
  readonly speaks_as: string;
  readonly cwd: string | null;
  /** As the digest covers them. `null` where they are too large to be shown: then nobody can approve. */
  readonly args: unknown;
  readonly args_omitted: boolean;
  /** The machine that it would run on, where the client said it. */
  readonly host: string | null;
  /** What the tool's server says of it, as it was read along with the arguments. */
  readonly annotations: Annotations | null;
  /** The text that the call would edit, where the client said it. */
  readonly stored: string | null;
  readonly reasons: readonly Reason[];
  readonly effects: Effects;
  /** The reading is longer than is kept here: its lists are not all. The arguments are whole all the same. */
  readonly effects_shortened: boolean;
}

export interface ApprovalView {
  readonly record: ApprovalRecord;
  /** `null` once the approval is decided: what it was about is on the ledger. */
  readonly shown: ShownAction | null;
  /** The member that the presented link was made for; `null` where none was presented. */
  readonly link_member: string | null;
  /** Members who have approved, in order. */
  readonly approved_by: readonly string[];
}

/** How the approval is looked at: by a link, of which only the hash is known here, or by a member's own session. */
export type LookedAtBy = { readonly link: string } | { readonly member: string };
export type Looked =
  | { readonly ok: true; readonly view: ApprovalView }
  | Refused<"unknown-approval" | "unknown-link">;

/** Who taps: made by the Worker from a verified link or a signed-in session, never from a body. */
export interface Approver {
  readonly member: string;
  readonly via: "link" | "session";
  /** Hash of the link's `jti`, where `via` is `link`. */
  readonly link: string | null;
  /** The same member is signed in on the browser that taps. */
  readonly signed_in: boolean;
  /** A credential of theirs has signed this very approval. */
  readonly passkey: string | null;
}

export interface DecideInput {
  readonly approval: string;
  readonly decision: "approve" | "deny";
  /** What the approver was shown: an approval of another action is none. */
  readonly action_digest: string;
  readonly reason: ReasonGiven | null;
  readonly by: Approver;
  /** Who may approve as things stand now: the votes of whoever has left, or lost the role, count no longer. */
  readonly approvers: readonly string[];
}
export type Decided =
  | {
      readonly ok: true;
      /** `decided`: this tap decided. `counted`: it counts, and more people are needed. `late`: another one had decided. */
      readonly tap: "decided" | "counted" | "late";
      readonly record: ApprovalRecord;
    }
  | Refused<
      | "unknown-approval"
      | "unknown-link"
      | "digest-mismatch"
      | "sign-in-demanded"
      | "passkey-demanded"
      | "not-shown"
    >;

export interface ExtendInput {
  readonly approval: string;
  readonly by: Approver;
}
export type Extended =
  | { readonly ok: true; readonly extended: boolean; readonly record: ApprovalRecord }
  | Refused<"unknown-approval" | "unknown-link">;

/** An edited action: a call of its own, judged anew, that an approver puts in place of what was asked. */
export interface EditInput {
  readonly approval: string;
  readonly by: Approver;
  /** The edited call as the Worker read it; its `call_id` is made of the approval's id. */
  readonly call: SettleInput;
}
export type Edited =
  | {
      readonly ok: true;
      /** `counted`: the edited action waits, for more people or for the editor's passkey. */
      readonly tap: "decided" | "counted" | "late";
      /** Of the edited action; of what was asked, where the edit came too late. */
      readonly record: ApprovalRecord;
      /** What was asked, and is denied now. */
      readonly replaced: ApprovalRecord | null;
    }
  | { readonly ok: false; readonly code: "blocked"; readonly reasons: readonly Reason[] }
  /** `unchanged`: it is the action that was asked. `asked-already`: the edited action has an approval of its own. */
  | Refused<"unknown-approval" | "unknown-link" | "sign-in-demanded" | "unchanged" | "asked-already">
  | Stale;

/** A link that was made for a member: from now on its hash opens the page. */
export interface LinkInput {
  readonly approval: string;
  readonly member: string;
  readonly link: string;
}
export type Linked =
  | { readonly ok: true; readonly record: ApprovalRecord }
  | Refused<"unknown-approval" | "approval-decided" | "too-many-links">;
