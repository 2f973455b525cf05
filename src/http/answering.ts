/** What a signed-in member does with approvals, from the API and from the dashboard alike. */
import type { Context } from "hono";
import { findApprovals } from "../db/approvals.ts";
import type { ApprovalRecord, ReasonGiven } from "../durable/approval-protocol.ts";
import { Problem, type ProblemCode } from "../errors.ts";
import { log } from "../log.ts";
import { linkExpiry, linkHash, linkUrl, newJti, signLink } from "../notify/links.ts";
import { type MemberCaller, suspectOf } from "./access.ts";
import {
  absentApproval,
  callApprovals,
  decideAs,
  extendAs,
  type Place,
  placeOf,
  recordOf,
  rememberedPlace,
  signedInApprover,
  unknownApproval,
} from "./approving.ts";
import type { AppEnv } from "./context.ts";
import { type EditMade, editAs } from "./editing.ts";
import { verifyAssertion } from "./passkeys.ts";
import { recordRefusal } from "./refusals.ts";

export interface Answer {
  readonly decision: "approve" | "deny";
  readonly action_digest: string;
  readonly reason: ReasonGiven | null;
  /** An assertion of theirs, unchecked; `null` for none. */
  readonly passkey: unknown;
}

export interface Answered {
  readonly tap: "decided" | "counted" | "late";
  readonly record: ApprovalRecord;
}

/**
 * Answers an approval as the member who is signed in.
 * @throws {Problem} as {@link decideAs}
 */
export async function answerApproval(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approval: string,
  answer: Answer,
): Promise<Answered> {
  const { organization, member } = caller;
  const { decision, action_digest, reason } = answer;
  const { root } = await placeOf(c, organization, approval);
  // Over the digest that this answer names: the object takes the answer for no other.
  const passkey =
    answer.passkey !== null && decision === "approve" && (await isPending(c, organization, root, approval))
      ? await verifyAssertion(c, organization, member, { id: approval, action_digest }, answer.passkey)
      : null;
  const by = signedInApprover(caller, passkey);
  const input = { approval, decision, action_digest, reason, by };
  const { tap, record } = await decideAs(c, organization, root, input);
  return { tap, record };
}

/**
 * Puts an edited action in place of what was asked, and approves it as far as the member's own word goes. It is judged
 * anew, and has an approval and a digest of its own.
 * @param digest of the action that the member was shown and changed
 * @throws {Problem} as {@link editAs}, and `digest-mismatch`
 */
export async function editApproval(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approval: string,
  digest: string,
  args: unknown,
): Promise<EditMade> {
  const { organization } = caller;
  const { root } = await placeOf(c, organization, approval);
  const { status, action_digest } = await recordOf(c, organization, root, approval, 0);
  if (status === "pending" && digest !== action_digest)
    throw new Problem(
      "digest-mismatch",
      "The action that was shown is not the one that is asked for. Look at it again, then change it.",
    );
  return editAs(c, organization, root, approval, signedInApprover(caller, null), args);
}

/** What is decided is told to whoever comes late, and takes no signature: theirs may be the one that decided. */
async function isPending(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  approval: string,
): Promise<boolean> {
  return (await recordOf(c, organization, root, approval, 0)).status === "pending";
}

/** Gives an approval five more minutes, once. @throws {Problem} `not-found` */
export async function extendApproval(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approval: string,
): Promise<{ readonly extended: boolean; readonly record: ApprovalRecord }> {
  const { root } = await placeOf(c, caller.organization, approval);
  const { extended, record } = await extendAs(c, caller.organization, root, {
    approval,
    by: signedInApprover(caller, null),
  });
  return { extended, record };
}

/**
 * A link to the approval for the member who is signed in, to be opened on another device. It is told in this one answer;
 * what is kept is its hash.
 * @throws {Problem} `not-found`, `approval-decided`, `conflict`
 */
export async function ownLink(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approval: string,
): Promise<{ readonly url: string; readonly expires_at: number }> {
  const { organization, member } = caller;
  const { root } = await placeOf(c, organization, approval);
  const record = await recordOf(c, organization, root, approval, 0);
  if (record.status !== "pending") throw decided();
  const config = c.get("config");
  const origin = config.publicOrigin ?? new URL(c.req.url).origin;
  const jti = newJti();
  const expires_at = linkExpiry(record);
  const token = await signLink(
    {
      organization,
      approval,
      root,
      member,
      digest: record.action_digest,
      jti,
      issued_at: Date.now(),
      expires_at,
    },
    origin,
    config.settingsKeys,
  );
  const linked = await callApprovals(c.env, organization, root, (stub) =>
    stub.linkApproval({ approval, member, link: linkHash(jti) }),
  );
  if (linked.ok) return { url: linkUrl(origin, token), expires_at };
  if (linked.code === "unknown-approval") throw await absentApproval(c, organization, root);
  if (linked.code === "approval-decided") throw decided();
  throw new Problem(
    "conflict",
    "There are too many links to this approval already. Use one of them, or decide here.",
  );
}

function decided(): Problem {
  return new Problem(
    "approval-decided",
    "This approval is decided or has expired: there is nothing to open.",
  );
}

/** What became of one of several denials. */
export interface Denial {
  readonly approval: string;
  /** `denied`: by this request. `late`: it was decided before. `refused`: `code` says why. */
  readonly result: "denied" | "late" | "refused";
  readonly record: ApprovalRecord | null;
  readonly code: ProblemCode | null;
  readonly detail: string | null;
}

export const MAX_DENIALS = 100;
/** Objects asked at the same time: the platform opens six connections of one request at once. */
const AT_ONCE = 6;

/**
 * Denies approvals, each by itself: what cannot be denied keeps none of the others from it. There is no such thing for
 * approving, since whoever approves has to have seen the very action.
 * @param approvals at most {@link MAX_DENIALS}
 */
export async function denyAll(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approvals: readonly string[],
  reason: ReasonGiven | null,
): Promise<Denial[]> {
  const ids = [...new Set(approvals)];
  const places = await placesOf(c, caller.organization, ids);
  const results = new Map<string, Denial>();
  const left = [...ids];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift())
      results.set(id, await denyOne(c, caller, id, places.get(id), reason));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function denyOne(
  c: Context<AppEnv>,
  caller: MemberCaller,
  approval: string,
  place: Place | undefined,
  reason: ReasonGiven | null,
): Promise<Denial> {
  const { organization } = caller;
  try {
    if (place === undefined) throw unknownApproval();
    // Whoever denies without looking denies what is asked, whatever it is.
    const { action_digest } = await recordOf(c, organization, place.root, approval, 0);
    const by = signedInApprover(caller, null);
    const input = { approval, decision: "deny", action_digest, reason, by } as const;
    const { tap, record } = await decideAs(c, organization, place.root, input);
    return { approval, result: tap === "late" ? "late" : "denied", record, code: null, detail: null };
  } catch (error) {
    return { approval, result: "refused", record: null, ...(await refusedOne(c, caller, error)) };
  }
}

/** One that is refused leaves its row like a request of its own. */
async function refusedOne(
  c: Context<AppEnv>,
  caller: MemberCaller,
  error: unknown,
): Promise<Pick<Denial, "code" | "detail">> {
  if (!(error instanceof Problem)) {
    log.error("failed", error, { request: c.get("requestId"), operation: c.get("operation") });
    return { code: "unavailable", detail: "It could not be reached. Try again." };
  }
  if (error.status < 500 && error.details.recorded !== true)
    try {
      await recordRefusal(c, suspectOf(caller), error.code, error.status);
    } catch (failure) {
      log.error("refusal-not-recorded", failure, { request: c.get("requestId"), code: error.code });
      return { code: "not-recorded", detail: "The refusal could not be recorded. Try again." };
    }
  return { code: error.code, detail: error.message };
}

async function placesOf(
  c: Context<AppEnv>,
  organization: string,
  ids: readonly string[],
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  for (const id of ids) {
    const place = rememberedPlace(organization, id);
    if (place !== undefined) places.set(id, place);
  }
  const unknown = ids.filter((id) => !places.has(id));
  if (unknown.length > 0)
    for (const row of await findApprovals(c.env.DB, organization, unknown))
      places.set(row.approval_id, { root: row.root_id, agent: row.agent_id });
  return places;
}
