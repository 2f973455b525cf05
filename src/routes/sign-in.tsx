/**
 * `/sign-in` and `/sign-out`. A link signs in once, by the button on its page: opening it changes nothing, so that a
 * preview or a scanner cannot spend it.
 */
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { endMemberSession, insertMemberSession, readSignInLink, spendSignInLink } from "../db/access.ts";
import { Problem } from "../errors.ts";
import { MEMBER_COOKIE, memberOf, refuseCrossSite, suspectOf } from "../http/access.ts";
import { boundedText } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { credentialId, newCredential, sameSecret, secretHash } from "../http/credentials.ts";
import { govern } from "../http/governing.ts";
import { newRouter } from "../http/router.ts";
import { NotSignedInPage, SignInPage } from "./dashboard/sign-in-page.tsx";

/** A working day. */
const MEMBER_SESSION_MS = 12 * 60 * 60 * 1000;
const FORM_LIMIT_BYTES = 4 * 1024;

export const signIn = newRouter();

signIn.get("/sign-in", (c) => {
  const link = c.req.query("link");
  c.header("cache-control", "no-store");
  if (link === undefined || credentialId("link", link) === null) return c.html(<NotSignedInPage />, 200);
  return c.html(<SignInPage link={link} />);
});

signIn.post("/sign-in", async (c) => {
  c.set("operation", "signIn");
  refuseCrossSite(c);
  const secret = new URLSearchParams(await boundedText(c, FORM_LIMIT_BYTES)).get("link") ?? "";
  const now = Date.now();
  const id = credentialId("link", secret);
  const link = id === null ? null : await readSignInLink(c.env.DB, id);
  if (link === null || !sameSecret(link.secret_hash, secretHash(secret))) return refused(c);
  c.set("suspect", { organization: link.organization_id, agent: null, member: link.member_id, key: null });
  if (!(await spendSignInLink(c.env.DB, link.organization_id, link.link_id, now))) {
    // The link proves its organization: that somebody used it again is that organization's to know.
    throw new Problem("unauthenticated", "This link was used or has expired. Ask for a new one.");
  }
  await govern(
    c,
    link.organization_id,
    { kind: "note", what: "signed_in", member_id: link.member_id },
    link.member_id,
  );
  const session = newCredential("member_session");
  await insertMemberSession(c.env.DB, link.organization_id, {
    id: session.id,
    member_id: link.member_id,
    secret_hash: session.secret_hash,
    created_at: now,
    expires_at: now + MEMBER_SESSION_MS,
  });
  setCookie(c, MEMBER_COOKIE, session.secret, {
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: MEMBER_SESSION_MS / 1000,
  });
  return c.redirect("/", 303);
});

signIn.post("/sign-out", async (c) => {
  refuseCrossSite(c);
  const member = await memberOf(c);
  if (member !== null) {
    c.set("suspect", suspectOf(member));
    await endMemberSession(c.env.DB, member.organization, member.member_session, Date.now());
    await govern(
      c,
      member.organization,
      { kind: "note", what: "signed_out", member_id: member.member },
      member.member,
    );
  }
  deleteCookie(c, MEMBER_COOKIE, { path: "/", secure: true });
  return c.redirect("/sign-in", 303);
});

function refused(c: Context<AppEnv>): Response | Promise<Response> {
  return c.html(<NotSignedInPage />, 401);
}
