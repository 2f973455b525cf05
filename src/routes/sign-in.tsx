/**
 * `/sign-in` and `/sign-out`. A link signs in once, by the button on its page: opening it changes nothing, so that a
 * preview or a scanner cannot spend it.
 */
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import {
  endMemberSession,
  insertMemberSession,
  readSignInLink,
  spendSignInLink,
  unspendSignInLink,
} from "../db/access.ts";
import { readMember } from "../db/governance.ts";
import type { Credential } from "../durable/changes.ts";
import { Problem } from "../errors.ts";
import { MEMBER_COOKIE, memberOf, refuseCrossSite, suspectOf } from "../http/access.ts";
import { boundedText } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { credentialId, newCredential, sameSecret, secretHash } from "../http/credentials.ts";
import { govern } from "../http/governing.ts";
import { newRouter } from "../http/router.ts";
import { FormProblem } from "./dashboard/form-problem.ts";
import { sendPage } from "./dashboard/layout.tsx";
import { NotSignedInPage, SignInPage } from "./dashboard/sign-in-page.tsx";

/** A working day. */
const MEMBER_SESSION_MS = 12 * 60 * 60 * 1000;
const FORM_LIMIT_BYTES = 4 * 1024;

export const signIn = newRouter();

signIn.get("/sign-in", async (c) => {
  const link = c.req.query("link");
  c.header("x-robots-tag", "noindex");
  if (link !== undefined && credentialId("link", link) !== null)
    return sendPage(c, <SignInPage link={link} />);
  const member = await memberOf(c);
  return sendPage(
    c,
    <NotSignedInPage refused={link !== undefined} {...(member === null ? {} : { signedIn: member.name })} />,
  );
});

signIn.post("/sign-in", async (c) => {
  c.set("operation", "signIn");
  const secret = secretIn(
    new URLSearchParams(await boundedText(c, FORM_LIMIT_BYTES, true)).get("link") ?? "",
  );
  const now = Date.now();
  const id = credentialId("link", secret);
  const link = id === null ? null : await readSignInLink(c.env.DB, id);
  const genuine = link !== null && sameSecret(link.secret_hash, secretHash(secret));
  // Whose link it is, is known from its public part: a spent or forged one is that organization's to know.
  if (link !== null)
    c.set("suspect", {
      organization: link.organization_id,
      agent: null,
      member: genuine ? link.member_id : null,
      key: null,
    });
  refuseCrossSite(c);
  if (link === null || !genuine)
    throw new FormProblem("unauthenticated", "This link is not known.", <NotSignedInPage refused />);
  // Somebody who was removed holds a link that was never spent: it is no way back in.
  if ((await readMember(c.env.DB, link.organization_id, link.member_id)) === null)
    throw new Problem("unauthenticated", "This link is of a member who was removed.");
  if (!(await spendSignInLink(c.env.DB, link.organization_id, link.link_id, now)))
    throw new Problem(
      "unauthenticated",
      "This link was used or has expired. Ask for a new one. If it was used and not by you, tell an owner.",
    );
  const session = newCredential("member_session");
  const { id: sessionId, secret_hash } = session;
  const credential = { id: sessionId, secret_hash, created_at: now, expires_at: now + MEMBER_SESSION_MS };
  try {
    await note(c, link.organization_id, link.member_id, { what: "signed_in", credential });
    await insertMemberSession(c.env.DB, link.organization_id, { ...credential, member_id: link.member_id });
  } catch (error) {
    // Nobody came in by it, and for a first owner it may be the only way.
    await unspendSignInLink(c.env.DB, link.organization_id, link.link_id, now);
    throw error;
  }
  setCookie(c, MEMBER_COOKIE, session.secret, {
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: MEMBER_SESSION_MS / 1000,
  });
  c.header("cache-control", "no-store");
  return c.redirect("/", 303);
});

/** What is typed in may be the whole link: an app on a home screen has no bar to open it in. */
function secretIn(typed: string): string {
  const text = typed.trim();
  return (URL.canParse(text) ? new URL(text).searchParams.get("link") : null) ?? text;
}

signIn.post("/sign-out", async (c) => {
  c.set("operation", "signOut");
  const member = await memberOf(c);
  if (member !== null) c.set("suspect", suspectOf(member));
  refuseCrossSite(c);
  if (member !== null) {
    await endMemberSession(c.env.DB, member.organization, member.member_session, Date.now());
    const { organization, member: id, member_session: ends } = member;
    await note(c, organization, id, { what: "signed_out", ends });
  }
  deleteCookie(c, MEMBER_COOKIE, { path: "/", secure: true });
  c.header("cache-control", "no-store");
  return c.redirect("/sign-in", 303);
});

/** Puts on record who came or went. That D1 shows it later changes nothing for them. */
async function note(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  what:
    | { readonly what: "signed_in"; readonly credential: Credential }
    | { readonly what: "signed_out"; readonly ends: string },
): Promise<void> {
  try {
    await govern(c, organization, { kind: "note", member_id: member, ...what }, member);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "publish-pending")) throw error;
  }
}
