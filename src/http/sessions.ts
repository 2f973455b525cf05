/**
 * Finds the object that a session lives in. Where a session lives never changes, so an isolate remembers it; what may
 * change, its environment, is checked by the object on every use.
 */
import type { DurableObject } from "cloudflare:workers";
import type { Context } from "hono";
import { type ObjectName, objectName, type SessionContext } from "../durable/protocol.ts";
import type { SessionObject } from "../durable/session.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import type { AgentCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { Lru } from "./lru.ts";

const REMEMBERED_SESSIONS = 10_000;
const remembered = new Lru<SessionContext>(REMEMBERED_SESSIONS);

type Method = Exclude<keyof SessionObject, keyof DurableObject>;
/** What an object answers crosses the RPC as a plain value, which is more than the platform's own stub type can say. */
export type SessionStub = {
  [Name in Method]: (...args: Parameters<SessionObject[Name]>) => Promise<ReturnType<SessionObject[Name]>>;
};

export function sessionStub(env: Env, organization: string, session: string): SessionStub {
  return stubOf(env, { kind: "session", organization, session });
}

export function organizationStub(env: Env, organization: string): SessionStub {
  return stubOf(env, { kind: "organization", organization });
}

export function agentStub(env: Env, organization: string, agent: string): SessionStub {
  return stubOf(env, { kind: "agent", organization, agent });
}

function stubOf(env: Env, name: ObjectName): SessionStub {
  return env.SESSION.getByName(objectName(name)) as unknown as SessionStub;
}

/** The session of this organization, or `null`. One RPC for a root, two for another member, none once it is remembered. */
export async function findSession(
  env: Env,
  organization: string,
  session: string,
): Promise<SessionContext | null> {
  const known = remembered.get(`${organization}/${session}`);
  if (known !== undefined) return known;
  const located = await callObject(
    () => sessionStub(env, organization, session),
    (stub) => stub.locate(),
  );
  let context: SessionContext | null = null;
  if (located.place === "here") context = located.context;
  else if (located.place === "elsewhere")
    context = await callObject(
      () => sessionStub(env, organization, located.root),
      (stub) => stub.context(session),
    );
  if (context !== null) rememberSession(organization, context);
  return context;
}

export function rememberSession(organization: string, context: SessionContext): void {
  remembered.set(`${organization}/${context.session}`, context);
}

export function forgetSession(organization: string, session: string): void {
  remembered.delete(`${organization}/${session}`);
}

/**
 * The session that an agent's request names.
 * @throws {Problem} `unknown-session` when it is not there or not this agent's: the two cannot be told apart
 */
export async function agentSession(
  c: Context<AppEnv>,
  caller: AgentCaller,
  session: string,
): Promise<SessionContext> {
  const context = await findSession(c.env, caller.organization, session);
  if (context === null || context.agent !== caller.agent) throw unknownSession();
  return context;
}

export function unknownSession(): Problem {
  return new Problem("unknown-session", "Open the session first with PUT /v1/sessions/{session_id}.");
}

/**
 * Calls an object, once more when the platform says that the call may be repeated. Every method is safe to repeat:
 * what it writes is keyed by the caller's ids. A fresh stub each time, since a broken one stays broken.
 */
export async function callObject<T>(
  stub: () => SessionStub,
  call: (stub: SessionStub) => Promise<T>,
): Promise<T> {
  try {
    return await call(stub());
  } catch (error) {
    const failure = error as { retryable?: boolean; overloaded?: boolean };
    if (failure.retryable !== true || failure.overloaded === true) throw error;
    log.error("object-retried", error);
    return await call(stub());
  }
}
