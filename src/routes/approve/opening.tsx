/**
 * From the token in a path to the approval that it opens, for whom it was made. Who, what and where come from the signed
 * claims alone. A link that opens nothing is answered in one way, whatever is wrong with it: only the ledger tells.
 */
import type { Context } from "hono";
import { listMembers, readMember } from "../../db/governance.ts";
import type { ApprovalView, Approver } from "../../durable/approval-protocol.ts";
import { Problem } from "../../errors.ts";
import { hasRole, type MemberCaller, memberOf, refuseCrossSite } from "../../http/access.ts";
import { callApprovals, lookAt, placeOf } from "../../http/approving.ts";
import type { AppEnv } from "../../http/context.ts";
import { recordRefusal } from "../../http/refusals.ts";
import { log } from "../../log.ts";
import { type LinkClaims, type LinkFault, linkExpiry, linkHash, readLink } from "../../notify/links.ts";
import type { Role } from "../../roles.ts";
import { FormProblem } from "../dashboard/form-problem.ts";
import { LinkInvalidPage, NotYoursPage, SomebodyElsePage } from "./refusal-pages.tsx";

/** People named when somebody lacks the role. */
const MAX_NAMED = 5;

export interface OpenedLink {
  readonly token: string;
  readonly claims: LinkClaims;
  readonly view: ApprovalView;
  /** Whom the link was made for, as they are now. */
  readonly name: string;
  readonly by: Approver;
}

/** What the ledger calls it. */
const CODES: Readonly<Record<LinkFault, string>> = {
  malformed: "link-malformed",
  forged: "link-forged",
  "unknown-key": "link-unknown-key",
  expired: "link-expired",
  "wrong-audience": "link-audience",
  "wrong-type": "link-type",
};

/**
 * Opens the link in the path. Writes nothing but the row of a refusal.
 * @throws {Problem} `link-invalid`; `forbidden` for a member whose role is too low by now, and where somebody else is
 *   signed in; `cross-site` where being signed in counts; `not-recorded`
 */
export async function openLink(c: Context<AppEnv>): Promise<OpenedLink> {
  const token = c.req.param("token") ?? "";
  const config = c.get("config");
  const origin = config.publicOrigin ?? new URL(c.req.url).origin;
  const read = await readLink(token, origin, config.settingsKeys, Date.now());
  if (!read.ok) throw await refusedUnread(c, read.cause, read.unverified);

  const { claims } = read;
  const { organization, approval, root, member } = claims;
  // From here on it is known whose link this is: whatever is refused leaves a row in the family's chain.
  c.set("suspect", { organization, agent: null, member, key: null });
  c.set("sessionId", root);
  const person = await readMember(c.env.DB, organization, member);
  if (person === null) throw await refused(c, "link-member-removed");
  const viewer = await memberOf(c);
  await refuseSomebodyElse(c, claims, person.name, viewer);
  if (!hasRole(person.role as Role, "approver")) throw await roleTooLow(c, organization, person.role);

  const link = linkHash(claims.jti);
  const view = await lookAt(c, organization, root, approval, { link }).catch(async (error: unknown) => {
    const unknown = error instanceof Problem && ["not-found", "link-invalid"].includes(error.code);
    throw unknown ? await refused(c, "link-unknown") : error;
  });
  if (view.link_member !== member) throw await refused(c, "link-member");
  if (view.record.action_digest !== claims.digest) throw await refused(c, "link-digest");
  const signed_in = isSignedIn(c, viewer, view);
  return {
    token,
    claims,
    view,
    name: person.name,
    by: { member, via: "link", link, signed_in, passkey: null },
  };
}

/**
 * What nobody has signed names nobody: a row is left where it names an approval to which there could be a link. Later
 * whoever knows its id could make a chain grow for ever, and tells nobody anything by it.
 */
async function refusedUnread(
  c: Context<AppEnv>,
  cause: LinkFault,
  unverified: Partial<LinkClaims> | null,
): Promise<Problem> {
  const { organization = "", approval = "" } = unverified ?? {};
  if (/^org_[0-9A-Za-z]{20}$/.test(organization) && /^apr_[0-9A-Za-z]{20}$/.test(approval)) {
    const place = await placeOf(c, organization, approval).catch((error: unknown) => {
      if (error instanceof Problem && error.code === "not-found") return null;
      throw error;
    });
    // Of the causes, only this one is found after the signature holds: then its claims are ours.
    const isOurs = cause === "expired";
    if (place !== null && (isOurs || (await couldHaveLinks(c, organization, place.root, approval)))) {
      const member = isOurs ? (unverified?.member ?? null) : null;
      c.set("suspect", { organization, agent: null, member, key: null });
      c.set("sessionId", place.root);
    }
  }
  return refused(c, CODES[cause]);
}

async function couldHaveLinks(
  c: Context<AppEnv>,
  organization: string,
  root: string,
  approval: string,
): Promise<boolean> {
  const record = await callApprovals(c.env, organization, root, (stub) => stub.approvalRecord(approval));
  return record !== null && Date.now() < linkExpiry(record);
}

/** Puts the refusal on record under the code that tells it apart, and makes the answer that does not. */
async function refused(c: Context<AppEnv>, code: string): Promise<Problem> {
  const suspect = c.get("suspect");
  const problem = linkInvalid(suspect !== undefined);
  if (suspect === undefined) {
    log.info("link-refused", { request: c.get("requestId"), operation: c.get("operation"), code });
    return problem;
  }
  return recorded(c, code, problem);
}

async function recorded(c: Context<AppEnv>, code: string, problem: Problem): Promise<Problem> {
  const suspect = c.get("suspect");
  if (suspect === undefined) return problem;
  try {
    await recordRefusal(c, suspect, code, problem.status);
    return problem;
  } catch (error) {
    log.error("refusal-not-recorded", error, { request: c.get("requestId"), code });
    return new Problem("not-recorded", "The refusal could not be recorded. Try again.", { recorded: true });
  }
}

export function linkInvalid(recorded: boolean): FormProblem {
  return new FormProblem("link-invalid", "This link opens nothing.", <LinkInvalidPage />, { recorded });
}

/** One browser is one person: whoever is signed in as another member would answer in a name that is not theirs. */
async function refuseSomebodyElse(
  c: Context<AppEnv>,
  claims: LinkClaims,
  name: string,
  viewer: MemberCaller | null,
): Promise<void> {
  if (viewer === null) return;
  const same = viewer.organization === claims.organization && viewer.member === claims.member;
  if (same) return;
  const colleague = viewer.organization === claims.organization;
  c.set("suspect", {
    organization: claims.organization,
    agent: null,
    member: colleague ? viewer.member : null,
    key: null,
  });
  const problem = new FormProblem(
    "forbidden",
    "This link was made for somebody else.",
    <SomebodyElsePage made={name} signedIn={viewer.name} />,
    { recorded: true },
  );
  throw await recorded(c, "link-somebody-else", problem);
}

/** True where the link's own member, and so far it is nobody else, is signed in and one of our pages sends the request. */
function isSignedIn(c: Context<AppEnv>, viewer: MemberCaller | null, view: ApprovalView): boolean {
  if (viewer === null) return false;
  if (c.req.method === "GET" || c.req.method === "HEAD") return true;
  try {
    refuseCrossSite(c);
    return true;
  } catch (error) {
    // The link alone is credential enough where nobody has to be signed in.
    if (view.record.demand.signed_in) throw error;
    return false;
  }
}

/** Says that it takes an approver, and who is one. */
async function roleTooLow(c: Context<AppEnv>, organization: string, role: string): Promise<Problem> {
  const members = await listMembers(c.env.DB, organization);
  const names = members
    .filter((other) => hasRole(other.role as Role, "admin"))
    .slice(0, MAX_NAMED)
    .map((other) => `${other.name} (${other.role})`);
  return new FormProblem(
    "forbidden",
    "Only an approver or higher decides this.",
    <NotYoursPage role={role} names={names} />,
  );
}
