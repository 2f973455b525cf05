/**
 * Leaves the row that every refusal to a known organization leaves (DESIGN §3): in the chain of the session that the
 * path names, when it is the caller's own, else in the organization's.
 */
import type { Context } from "hono";
import type { LedgerPosition, SessionContext } from "../durable/protocol.ts";
import type { Suspect } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { HarnessId } from "./schemas.ts";
import { callObject, findSession, organizationStub, sessionStub } from "./sessions.ts";

/**
 * @param code why; a problem's code, or `engine-error` where a call was blocked because it could not be judged
 * @throws when it cannot be recorded: then the refusal must not be answered as if it had been
 */
export async function recordRefusal(
  c: Context<AppEnv>,
  suspect: Suspect,
  code: string,
  status: number,
): Promise<LedgerPosition> {
  const session = await namedSession(c, suspect);
  const row = {
    agent: suspect.agent,
    member: suspect.member,
    key: suspect.key,
    operation: c.get("operation") ?? "unknown",
    code,
    status,
  };
  const inSession =
    session === null
      ? null
      : await callObject(
          () => sessionStub(c.env, suspect.organization, session.root),
          (stub) => stub.refuse({ ...row, session: session.session }),
        );
  // A session that was removed since this isolate knew of it records nothing any more.
  const recorded =
    inSession ??
    (await callObject(
      () => organizationStub(c.env, suspect.organization),
      (stub) => stub.refuse({ ...row, session: null }),
    ));
  if (recorded === null) throw new Error("there is no chain to record a refusal in");
  return recorded;
}

/** The session that the path names, when it is there and the caller's own. */
async function namedSession(c: Context<AppEnv>, suspect: Suspect): Promise<SessionContext | null> {
  const id = c.get("sessionId");
  // What is refused may be the id itself: one that no session can have names none, and no object either.
  if (id === undefined || !HarnessId.safeParse(id).success) return null;
  const context = await findSession(c.env, suspect.organization, id);
  return context === null || (suspect.agent !== null && suspect.agent !== context.agent) ? null : context;
}
