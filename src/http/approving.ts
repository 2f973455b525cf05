/**
 * Looks at an approval and answers it, in the object that it lives in: for the page behind a link, the dashboard and the
 * API alike. Who answers is made here of a verified link or a signed-in session, never of what a body says.
 */
import type { Context } from "hono";
import { findApproval } from "../db/approvals.ts";
import { listMembers } from "../db/governance.ts";
import { listPasskeyHolders } from "../db/passkeys.ts";
import type {
  ApprovalRecord,
  ApprovalView,
  Approver,
  Decided,
  DecideInput,
  Extended,
  ExtendInput,
  LookedAtBy,
  ReasonGiven,
} from "../durable/approval-protocol.ts";
import { Problem, type ProblemCode } from "../errors.ts";
import { actionDigest } from "../ledger/index.ts";
import { log } from "../log.ts";
import {
  DENIAL_REASONS,
  type DenialReason,
  MAX_REASON_CHARACTERS,
  type Means,
} from "../policy/approval/index.ts";
import type { Role } from "../roles.ts";
import { hasRole, type MemberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { locateJson } from "./json-places.ts";
import { Lru } from "./lru.ts";
import { callObject, endedSession, type SessionStub, sessionStub } from "./sessions.ts";
import { readStrictJson } from "./strict-json.ts";

/** Where an approval lives, and whose ask it is. */
export interface Place {
  readonly root: string;
  readonly agent: string;
}

const REMEMBERED_APPROVALS = 10_000;
const remembered = new Lru<Place>(REMEMBERED_APPROVALS);

/** Notes where an approval was opened: D1 hears of it some seconds later, and its agent waits for it at once. */
export function rememberApproval(organization: string, id: string, root: string, agent: string): void {
  remembered.set(`${organization}/${id}`, { root, agent });
}

/** Where an approval of this organization lives, as far as this isolate knows. */
export function rememberedPlace(organization: string, approval: string): Place | undefined {
  return remembered.get(`${organization}/${approval}`);
}

/** Where an approval of this organization lives. @throws {Problem} `not-found` */
export async function placeOf(c: Context<AppEnv>, organization: string, approval: string): Promise<Place> {
  const known = rememberedPlace(organization, approval);
  if (known !== undefined) return known;
  const row = await findApproval(c.env.DB, organization, approval);
  if (row === null) throw unknownApproval();
  rememberApproval(organization, approval, row.root_id, row.agent_id);
  return { root: row.root_id, agent: row.agent_id };
}

export function unknownApproval(): Problem {
  return new Problem(
    "not-found",
    "There is no such approval. One that was opened a moment ago is found some seconds later.",
  );
}

/** Why a family does not know an approval: its object was removed, and with it what was asked, or it never had it. */
export async function absentApproval(
  c: Context<AppEnv>,
  organization: string,
  root: string,
): Promise<Problem> {
  if ((await endedSession(c.env, organization, root)) === null) return unknownApproval();
  return new Problem(
    "session-ended",
    "This approval is closed, and its session is over and removed: what was asked and what the approver wrote are gone. Who answered and when stands in the list of approvals and on the ledger.",
  );
}

/** Calls the object that a family's approvals live in, once more where that is safe. */
export function callApprovals<T>(
  env: Env,
  organization: string,
  root: string,
  call: (stub: SessionStub) => Promise<T>,
): Promise<T> {
  return callObject(() => sessionStub(env, organization, root), call);
}

/**
 * The approval as whoever looks may see it. Writes nothing.
 * @throws {Problem} `not-found`, `session-ended`, `link-invalid`
 */
export async function lookAt(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  approval: string,
  by: LookedAtBy,
): Promise<ApprovalView> {
  const looked = await callApprovals(c.env, organization, root, (stub) => stub.approval(approval, by));
  if (looked.ok) return looked.view;
  // Whoever comes by a link is told the same of every link that opens nothing.
  if (looked.code === "unknown-approval" && !("link" in by))
    throw await absentApproval(c, organization, root);
  throw looked.code === "unknown-approval" ? unknownApproval() : linkInvalid(false);
}

/**
 * Answers an approval. A tap that comes too late is no refusal: it is told what was decided, and by whom.
 * @throws {Problem} `not-found`, `link-invalid`, `digest-mismatch`, `sign-in-demanded`, `passkey-demanded`, `conflict`;
 *   what the approval's object refuses it has put on record
 */
export async function decideAs(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  input: Omit<DecideInput, "approvers">,
): Promise<Extract<Decided, { ok: true }>> {
  const approvers = input.decision === "approve" ? await approversOf(c, organization) : [];
  const decided = await callApprovals(c.env, organization, root, (stub) =>
    stub.decideApproval({ ...input, approvers }),
  );
  if (decided.ok) return decided;
  if (decided.code === "unknown-approval") throw await absentApproval(c, organization, root);
  throw refusalOf(decided.code);
}

/** Ids of the members who may approve as things stand now. */
export async function approversOf(c: Context<AppEnv>, organization: string): Promise<string[]> {
  const members = await listMembers(c.env.DB, organization);
  return members.filter(({ role }) => hasRole(role as Role, "approver")).map(({ member_id }) => member_id);
}

/** Who could answer a demand as things stand now. */
export async function meansOf(c: Context<AppEnv>, organization: string): Promise<Means> {
  const [approvers, holders] = await Promise.all([
    approversOf(c, organization),
    listPasskeyHolders(c.env.DB, organization),
  ]);
  const held = new Set(holders);
  return { approvers: approvers.length, with_passkey: approvers.filter((id) => held.has(id)).length };
}

/**
 * Gives an approval five more minutes, once.
 * @throws {Problem} `not-found`, `link-invalid`; what the approval's object refuses it has put on record
 */
export async function extendAs(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  input: ExtendInput,
): Promise<Extract<Extended, { ok: true }>> {
  const extended = await callApprovals(c.env, organization, root, (stub) => stub.extendApproval(input));
  if (extended.ok) return extended;
  if (extended.code === "unknown-approval") throw await absentApproval(c, organization, root);
  throw refusalOf(extended.code);
}

type Refusal = Extract<Decided, { ok: false }>["code"];

const REFUSALS: Readonly<
  Record<Exclude<Refusal, "unknown-approval" | "unknown-link">, readonly [code: ProblemCode, detail: string]>
> = {
  "digest-mismatch": [
    "digest-mismatch",
    "The action that was shown is not the one that is asked for. Look at it again, then decide.",
  ],
  "sign-in-demanded": [
    "sign-in-demanded",
    "This organization wants the approver of such an action to be signed in. Sign in on this device, then decide.",
  ],
  "passkey-demanded": [
    "passkey-demanded",
    "This organization wants such an action to be signed with the approver's passkey.",
  ],
  "not-shown": [
    "conflict",
    "The action is too large to be shown whole, and nobody approves what they cannot see. It can be denied.",
  ],
};

/** A refusal of the object's: but for what it does not know, it is on record. */
export function refusalOf(code: Refusal): Problem {
  // An object keeps no row of what it has never heard of.
  if (code === "unknown-approval") return unknownApproval();
  if (code === "unknown-link") return linkInvalid(true);
  const [problem, detail] = REFUSALS[code];
  return new Problem(problem, detail, { recorded: true });
}

function linkInvalid(recorded: boolean): Problem {
  return new Problem("link-invalid", "This link opens nothing. Ask for a new one.", { recorded });
}

/**
 * True where what an approver is shown is all that the digest stands for: derived again from what is on the page, so that
 * nobody approves what a fault of ours left out of it.
 */
export function isShownWhole(organization: string, { record, shown }: ApprovalView): boolean {
  if (shown === null || shown.args_omitted) return false;
  const { speaks_as: session, tool, cwd, args } = shown;
  const action = { organization, session, agent: record.agent, tool, cwd };
  return actionDigest(action, { object: args }) === record.action_digest;
}

/** A signed-in member as the approver that they are. @param passkey the credential that signed this very action */
export function signedInApprover(caller: MemberCaller, passkey: string | null): Approver {
  return { member: caller.member, via: "session", link: null, signed_in: true, passkey };
}

/** The longest that an answer waits; a client's own timeout should be longer. */
export const MAX_WAIT_SECONDS = 25;
/** Whoever meets a reset asks anew. */
const READ_ATTEMPTS = 3;
const READ_AGAIN_MS = 100;

/**
 * The record, once it is decided or the time is over. An object that is reset or overloaded meanwhile is no error for
 * whoever waits: they get the record as it can be read again, else as it was, pending.
 * @param seconds 0 to {@link MAX_WAIT_SECONDS}
 * @throws {Problem} `not-found`, `session-ended`
 */
export async function recordOf(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  approval: string,
  seconds: number,
): Promise<ApprovalRecord> {
  const read = () => callApprovals(c.env, organization, root, (stub) => stub.approvalRecord(approval));
  const before = await insistently(read);
  if (before === null) throw await absentApproval(c, organization, root);
  if (before.status !== "pending" || seconds === 0) return before;
  try {
    const stub = sessionStub(c.env, organization, root);
    // Not through `callObject`: it would begin the whole wait anew.
    return (await stub.awaitApproval(approval, seconds * 1_000)) ?? before;
  } catch (error) {
    log.error("wait-broken", error, { request: c.get("requestId") });
    return (await insistently(read).catch(() => null)) ?? before;
  }
}

async function insistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === READ_ATTEMPTS) throw error;
      await scheduler.wait(READ_AGAIN_MS * attempt);
    }
  }
}

/** What somebody pressed, of the forms on both pages. */
export interface DecisionForm {
  readonly decision: "approve" | "deny" | "extend";
  /** With `deny` alone: a reason that stands beside another button means nothing. */
  readonly reason: ReasonGiven | null;
  /** Empty where the form said none: it fits no action. */
  readonly action_digest: string;
  /** A passkey's assertion as JSON, unchecked. */
  readonly passkey: unknown;
  /** The arguments as they were edited, or `null`. */
  readonly args: { readonly value: unknown } | null;
}

const DECISIONS = ["approve", "deny", "extend"] as const;
const REASON_FIELDS = ["reason", "reason_text"];
const FORM_FIELDS = [...REASON_FIELDS, "decision", "action_digest", "passkey", "args"];

export { MAX_REASON_CHARACTERS };

/** What people choose from; `edited` is only ever said of an approval that was edited. */
export const OFFERED_REASONS = DENIAL_REASONS.filter(
  (reason): reason is OfferedReason => reason !== "edited",
);
export type OfferedReason = Exclude<DenialReason, "edited">;
const MAX_PASSKEY_CHARACTERS = 16 * 1024;
/** Bytes of a decision's form: the arguments of an edit, each character of them up to three bytes and those escaped. */
export const DECISION_FORM_BYTES = 1024 * 1024;

/**
 * Reads a posted form. A field that is there twice is refused: two readers could take another one each.
 * @throws {Problem} `invalid-request` with the field as pointer
 */
export function decisionForm(text: string): DecisionForm {
  const form = new URLSearchParams(text);
  refuseTwins(form, FORM_FIELDS);
  const decision = DECISIONS.find((known) => known === form.get("decision"));
  if (decision === undefined)
    throw fieldFault("decision", "Press one of the buttons: approve, deny, extend.");
  const digest = form.get("action_digest") ?? "";
  if (digest.length > 200) throw fieldFault("action_digest", "This is no digest of an action.");
  return {
    decision,
    reason: decision === "deny" ? denialForm(form) : null,
    action_digest: digest,
    passkey: jsonIn(form, "passkey", MAX_PASSKEY_CHARACTERS)?.value ?? null,
    args: jsonIn(form, "args", DECISION_FORM_BYTES),
  };
}

/** The reason in a form that denies, or `null`. @throws {Problem} `invalid-request` */
export function denialForm(form: URLSearchParams): ReasonGiven | null {
  refuseTwins(form, REASON_FIELDS);
  const named = form.get("reason") ?? "";
  const preset = OFFERED_REASONS.find((known) => known === named) ?? null;
  if (named !== "" && preset === null) throw fieldFault("reason", "Choose one of the reasons offered.");
  return reasonOf(preset, form.get("reason_text") ?? "", () =>
    fieldFault("reason_text", `Write at most ${MAX_REASON_CHARACTERS} characters.`),
  );
}

function refuseTwins(form: URLSearchParams, names: readonly string[]): void {
  for (const name of names)
    if (form.getAll(name).length > 1) throw fieldFault(name, "This field is there twice.");
}

/** A reason as it is recorded; `null` where none was given. @param tooLong thrown for a text past the bound */
export function reasonOf(
  preset: OfferedReason | null,
  typed: string,
  tooLong: () => Problem,
): ReasonGiven | null {
  const text = typed.replaceAll("\r\n", "\n").trim();
  if (text.length > MAX_REASON_CHARACTERS * 2 || [...text].length > MAX_REASON_CHARACTERS) throw tooLong();
  return preset === null && text === "" ? null : { preset, text: text === "" ? null : text };
}

/** A field of JSON; an empty one is none. */
function jsonIn(form: URLSearchParams, name: string, most: number): { readonly value: unknown } | null {
  const text = (form.get(name) ?? "").trim();
  if (text === "") return null;
  if (text.length > most) throw fieldFault(name, "This is too long.");
  const read = readStrictJson(text);
  if (!read.ok) {
    const how = read.code === "malformed-json" ? brokenAt(form.get(name) ?? "") : read.detail;
    throw fieldFault(name, `This is not JSON as it is read here. ${how}`);
  }
  const [doubt] = read.doubts;
  if (doubt !== undefined)
    throw fieldFault(name, `Two readers could read this differently, at ${doubt.pointer}: ${doubt.cause}.`);
  return { value: read.value };
}

/** Where a text stops being JSON, and what is missing there. Lines and columns from 1, a column a character. */
function brokenAt(text: string): string {
  const located = locateJson(text);
  if (located.ok) return "Mend it, and try again.";
  const before = text.slice(0, located.at);
  const from = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return `Line ${line}, column ${[...before.slice(from)].length + 1}: ${located.message}`;
}

function fieldFault(name: string, detail: string): Problem {
  return new Problem("invalid-request", detail, { errors: [{ pointer: `/${name}`, detail, code: name }] });
}
