/**
 * What is said to an object and what it answers: plain values, so that they cross an RPC unchanged. An expected
 * refusal is a value; what is thrown is a bug or a broken platform.
 */
import type { ChainIdentity } from "../ledger/index.ts";
import type { ApprovalConfiguration, Waiting } from "../policy/approval/index.ts";
import type { Decision } from "../policy/decide.ts";
import type { FenceConfiguration, TaskPolicy, TurnReading, Use } from "../policy/fence/index.ts";
import type { Modes } from "../policy/modes.ts";
import type { ClaimEvidence } from "../policy/provenance/index.ts";
import type { Backup, Effects, Environment, Finding, PathBound, RiskClass } from "../policy/types.ts";
import type { ApprovalOfCall, Asking } from "./approval-protocol.ts";

/** The name of an object, from which it knows who it is. An organization's id holds no slash; a session's may. */
export type ObjectName =
  | { readonly kind: "session"; readonly organization: string; readonly session: string }
  | { readonly kind: "organization"; readonly organization: string }
  | { readonly kind: "agent"; readonly organization: string; readonly agent: string };

export function objectName(name: ObjectName): string {
  switch (name.kind) {
    case "session":
      return `${name.organization}/session/${name.session}`;
    case "organization":
      return `${name.organization}/organization`;
    case "agent":
      return `${name.organization}/agent/${name.agent}`;
  }
}

/** Inverse of {@link objectName}; `null` for a name that it never makes. */
export function parseObjectName(name: string): ObjectName | null {
  const [organization = "", kind = ""] = name.split("/", 2);
  const rest = name.slice(organization.length + kind.length + 2);
  if (organization === "") return null;
  if (kind === "session" && rest !== "") return { kind, organization, session: rest };
  if (kind === "organization" && rest === "") return { kind, organization };
  if (kind === "agent" && rest !== "") return { kind, organization, agent: rest };
  return null;
}

/** Whose chain an object of this name keeps. */
export function chainIdentity(name: ObjectName): ChainIdentity {
  return { org: name.organization, session: name.kind === "session" ? name.session : null };
}

export interface LedgerPosition {
  readonly seq: number;
  readonly hash: string;
}

/** A chain's head, and the last entry that D1 has for certain. */
export interface ChainPosition extends LedgerPosition {
  readonly delivered: number;
  /** The object was removed; the copy is all there is. */
  readonly removed: boolean;
}

/** Text that enters the chain only as a commitment; `text` is RFC 8785. */
export interface PrivateText {
  readonly text: string;
  readonly salt: Uint8Array;
}

export type Relation = "root" | "continuation" | "child";

/** What the Worker needs to know of a session before it can read a call. */
export interface SessionContext {
  readonly session: string;
  readonly root: string;
  readonly agent: string;
  readonly relation: Relation;
  /** The id that an action digest names: the root's for the root and its continuations, a child's own (DESIGN §3). */
  readonly speaks_as: string;
  readonly environment: Environment;
  readonly platform: string | null;
  /** Goes up when the environment changes, so that a reading made with an older one is refused. */
  readonly context_version: number;
}

export type Located =
  | { readonly place: "nowhere" }
  | { readonly place: "elsewhere"; readonly root: string }
  /** It was removed; its chain ended here. */
  | { readonly place: "ended"; readonly agent: string; readonly head: LedgerPosition }
  | { readonly place: "here"; readonly context: SessionContext };

export type Refused<Code extends string> = { readonly ok: false; readonly code: Code };

/** Who speaks, and on which policy and context the Worker's reading stands. */
export interface Standing {
  readonly session: string;
  readonly agent: string;
  readonly key: string;
  readonly policy_version: number;
  readonly context_version: number;
}

/** The reading has to be made again: the object has seen a newer policy, or the session's environment has changed. */
export type Stale =
  | { readonly ok: false; readonly code: "stale-policy"; readonly newest: number }
  | { readonly ok: false; readonly code: "stale-context"; readonly context: SessionContext };

export interface OpenInput {
  readonly session: string;
  readonly agent: string;
  readonly key: string;
  /** `null`: leave it as it is, `root` for a session that is new. */
  readonly relation: Exclude<Relation, "root"> | null;
  readonly parent: string | null;
  readonly environment: Environment;
  readonly platform: string | null;
  readonly private: PrivateText;
}
export type Opened =
  | {
      readonly ok: true;
      readonly created: boolean;
      readonly context: SessionContext;
      readonly ledger: LedgerPosition;
    }
  | Refused<"unknown-session" | "session-conflict" | "family-full" | "session-ended">;

export type Ended =
  | { readonly ok: true; readonly replayed: boolean }
  | Refused<"unknown-session" | "session-ended">;

/** Why nothing new happens in a session: it is not there, it is over, or where it runs was forgotten. */
export type Absent = "unknown-session" | "session-ended" | "session-gone";

/** How far an object has got with forgetting. */
export interface Forgotten {
  /** False: call again. */
  readonly done: boolean;
  /** True where an approval that is open holds something back; the object takes it when that is closed. */
  readonly held: boolean;
}

/** Whether an object was removed; `null` for one of which nothing was ever there. */
export type Removed =
  | { readonly removed: true; readonly head: LedgerPosition }
  | { readonly removed: false; readonly why: "undelivered" | "moved" | "open" }
  | null;

export interface Briefing {
  readonly missions: readonly string[];
  readonly rules: readonly string[];
  readonly text: string;
}

/** Who said a turn, and who read it. */
export interface SpokenTurn {
  /** As the harness reports it; `null` where it does not. */
  readonly sender: string | null;
  readonly platform: string | null;
  /** The turn was slipped in while the agent ran. */
  readonly mid_run: boolean;
  /** The harness wrote it itself. */
  readonly harness_written: boolean;
  /** Who drafted what it asks for. */
  readonly compiler: TaskPolicy["compiler"];
  /** Something of it was typed by a person, so that quotes may come from it. A child's turn never is. */
  readonly typed: boolean;
}

/** A message that was typed and that D1 does not have yet. */
export interface TypedMessage {
  readonly seq: number;
  readonly message_id: string;
  readonly sender_id: string | null;
  readonly at: number;
  readonly text: string;
}

export interface TurnInput extends Standing {
  readonly spoken: SpokenTurn;
  /** What its words ask for and forbid, already read. */
  readonly reading: TurnReading;
  /** How the drafting of it went, for the record; `null` where no model was asked. */
  readonly drafting: Readonly<Record<string, string | number | boolean | null>> | null;
  /** The harness's id of the turn, or `null` when it gave none. */
  readonly turn_id: string | null;
  /** The request's own id: without a `turn_id` it keeps the platform's repetition of a call from being a second turn. */
  readonly request_id: string;
  readonly private: PrivateText;
  /** Told on the first turn of each session of the family; `null` without an oath. */
  readonly briefing: Briefing | null;
  /** What the client is asked to fingerprint; part of the answer as it stands. */
  readonly fingerprint: unknown;
}
/** `answer` is the JSON text of the response, the same to the byte for every retry. */
export type Answered = { readonly ok: true; readonly replayed: boolean; readonly answer: string };
export type TurnRecorded = Answered | Refused<Absent | "turn-id-reused" | "gone"> | Stale;

/** What a write to a memory or a skill claims, already looked up. */
export interface WriteInput {
  /** What is written: repeated refusals of one target tell the model to stop. */
  readonly target: string;
  readonly claims: number;
  /** Only what the call brings could be judged: nobody said what is stored, or it is not there. */
  readonly partial: boolean;
  readonly findings: readonly Finding[];
  readonly evidence: readonly ClaimEvidence[];
  readonly skill: SkillChange | null;
}

/** What a write does to a file of a skill. */
export interface SkillChange {
  readonly skill: string;
  readonly file: string;
  readonly action: string;
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
}

/** Who answers an ask: a person, the harness by itself, or nobody. */
export type Answerer = "human" | "auto" | "none";

/** What the words of a family's person authorise, and what of it has been used. */
export interface TaskStatus {
  readonly policy: TaskPolicy;
  readonly use: Use;
}

export interface SettleInput extends Standing {
  readonly decision_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly digest: string;
  readonly modes: Modes;
  readonly findings: readonly Finding[];
  readonly stale_policy: boolean;
  readonly answerer: Answerer;
  readonly host: string | null;
  readonly private: PrivateText;
  /** The one reading of the call, and where it would run. */
  readonly effects: Effects;
  readonly environment: Environment;
  readonly fence: FenceConfiguration;
  /** `null` for a call that keeps nothing, and where provenance is off. */
  readonly write: WriteInput | null;
  /** What an approval takes now: of a grant that is already there, too. */
  readonly approvals: ApprovalConfiguration;
  /** Asks of all sessions that waited for a person when the caller's key was read. */
  readonly waiting: Waiting;
  /** How an ask is put to people; `null` where the harness puts it to its own user. */
  readonly asking: Asking | null;
}
export type Settled =
  | (Answered & {
      /** The approval that the call waits for; `null` for a final answer. */
      readonly waits_for: string | null;
      /** This call opened it. */
      readonly opened: boolean;
    })
  | Refused<Absent | "call-id-reused" | "gone">
  | Stale;

/** The response to `POST …/decisions`. */
export interface DecisionAnswer extends Decision {
  readonly id: string;
  readonly session: string;
  readonly call_id: string;
  readonly at: number;
  readonly action_digest: string;
  readonly policy_version: number;
  readonly stale_policy: boolean;
  readonly reading: { readonly risks: readonly RiskClass[]; readonly opaque: readonly string[] };
  /** What provenance read of a write to a memory or a skill; `null` for any other call. */
  readonly write: {
    readonly target: string;
    readonly claims: number;
    readonly partial: boolean;
  } | null;
  /** The approval that the call hangs on; `null` where people were not asked here. */
  readonly approval: ApprovalOfCall | null;
  readonly ledger: LedgerPosition;
}

export interface OutcomeInput extends Standing {
  readonly call_id: string;
  readonly outcome: "success" | "error" | "blocked" | "unknown";
  readonly answered_by: "harness" | null;
  /** Hash of the fingerprints that came with the outcome, `null` without any. */
  readonly fingerprints: string | null;
  readonly private: PrivateText;
}
export type OutcomeRecorded =
  | {
      readonly ok: true;
      readonly replayed: boolean;
      readonly answer: string;
      /**
       * Bounds whose fingerprints this outcome may move, once: `[]` unless the call was let through and succeeded, and these
       * are the fingerprints that it was first reported with.
       */
      readonly rebaseline: readonly PathBound[];
    }
  | Refused<"unknown-session" | "session-ended" | "unknown-call" | "outcome-already-reported">;

/** A state of one file on one host: its content's hash, what is known without reading it, both, or that it is not there. */
export type FingerprintRow =
  | { readonly path: string; readonly sha256: string }
  | { readonly path: string; readonly size: number; readonly mtime: number }
  | { readonly path: string; readonly sha256: string; readonly size: number; readonly mtime: number }
  | { readonly path: string; readonly absent: true };

/** A sworn file that is not as the baseline knows it. */
export interface OutsideChange {
  readonly path: string;
  readonly change: "modified" | "created" | "deleted";
}

/** A sworn file as it was reported, and what the Worker found out about its path. */
export interface ReportedRow {
  readonly row: FingerprintRow;
  /** Places in {@link CompareInput.surfaces} of those that hold it; `null` when that took too long to tell: then all do. */
  readonly held_by: readonly number[] | null;
  /** True where a call that was let through moved it: it becomes the baseline without a word. */
  readonly licensed: boolean;
}

export interface CompareInput {
  readonly host: string;
  readonly rows: readonly ReportedRow[];
  /** Everything that is sworn. */
  readonly surfaces: readonly PathBound[];
  /** Surfaces of which `rows` holds every file there is, so that a file that is missing is a file deleted. */
  readonly complete: readonly PathBound[];
  /** Names the call whose outcome licenses rows; a name is good for one comparison. `null` when none are. */
  readonly licence: string | null;
  readonly fold_case: boolean;
}

/** One row of a baseline to be moved, and which state of it was compared: moved meanwhile, it stays as it is. */
export interface BaselineMove {
  readonly row: FingerprintRow;
  /** 0 for a file that the baseline did not know. */
  readonly version: number;
}

export type Compared =
  | {
      readonly ok: true;
      readonly changes: readonly OutsideChange[];
      /** Give them back with `accept` once the changes are recorded; a report that is never accepted is found again. */
      readonly moves: readonly BaselineMove[];
      /** Names the changes and the states that they began from. */
      readonly report: string;
    }
  | Refused<"too-many-files" | "too-many-surfaces" | "too-many-hosts">;

export interface DriftInput extends Standing {
  readonly host: string;
  /** Names what was compared, so that a report made twice is recorded once. */
  readonly report: string;
  readonly changes: readonly OutsideChange[];
  readonly private: PrivateText;
}
export type DriftRecorded =
  | { readonly ok: true; readonly ledger: LedgerPosition }
  | Refused<"unknown-session" | "session-ended">;

export interface RefusalInput {
  readonly session: string | null;
  readonly agent: string | null;
  readonly member: string | null;
  readonly key: string | null;
  readonly operation: string;
  readonly code: string;
  readonly status: number;
}

/** What a family has recorded so far, for `GET /v1/sessions/{id}`. */
export interface FamilyStatus {
  readonly sessions: readonly { session: string; relation: string; parent: string | null; turns: number }[];
  readonly verdicts: Readonly<Record<string, number>>;
  readonly backups: readonly Backup[];
  readonly head: LedgerPosition;
  /** Entries that D1 does not have yet. */
  readonly undelivered: number;
}

/** Lines of an export, in order; `next` is the sequence number to go on after, `null` at the end. */
export interface ExportPage {
  readonly lines: readonly string[];
  readonly next: number | null;
  /** True where the object was removed: what it had stands in D1's copy. */
  readonly removed: boolean;
}
