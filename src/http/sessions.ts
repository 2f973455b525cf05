/**
 * Finds the object that a session lives in. Where a session lives never changes, so an isolate remembers it; what may
 * change, its environment, is checked by the object on every use.
 */
import type { DurableObject } from "cloudflare:workers";
import type { Context } from "hono";
import { type Absent, type ObjectName, objectName, type SessionContext } from "../durable/protocol.ts";
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
  if (context === null || context.agent !== caller.agent) throw await missingSession(c.env, caller, session);
  return context;
}

/** Why a session that this isolate does not find is not there: it was removed, or it never was, or is another's. */
export async function missingSession(
  env: Env,
  caller: { readonly organization: string; readonly agent?: string },
  session: string,
): Promise<Problem> {
  return absentSession((await isEnded(env, caller, session)) ? "session-ended" : "unknown-session");
}

/** Where the chain of a session ended that was removed, and whose it was; `null` for any other session. */
export async function endedSession(
  env: Env,
  organization: string,
  session: string,
): Promise<{ readonly root: string; readonly agent: string } | null> {
  let root = session;
  for (let step = 0; step < 2; step += 1) {
    const located = await callObject(
      () => sessionStub(env, organization, root),
      (stub) => stub.locate(),
    );
    if (located.place === "ended") return { root, agent: located.agent };
    if (located.place !== "elsewhere") return null;
    root = located.root;
  }
  return null;
}

async function isEnded(
  env: Env,
  caller: { readonly organization: string; readonly agent?: string },
  session: string,
): Promise<boolean> {
  const ended = await endedSession(env, caller.organization, session);
  return ended !== null && (caller.agent === undefined || ended.agent === caller.agent);
}

export function unknownSession(): Problem {
  return absentSession("unknown-session");
}

/** What whoever speaks in a session is told in which nothing new happens. */
export function absentSession(code: Absent): Problem {
  switch (code) {
    case "unknown-session":
      return new Problem(code, "Open the session first with PUT /v1/sessions/{session_id}.");
    case "session-ended":
      return new Problem(
        code,
        "Begin a new session. PUT /v1/sessions/{session_id} opens this one again only while its record has not been removed.",
      );
    case "session-gone":
      return new Problem(
        code,
        "A purge removed where this session runs. Say it again with PUT /v1/sessions/{session_id}, then send this once more.",
      );
  }
}

/** A retry of what a purge has removed: neither can the answer be given again, nor may it be given anew. */
export function goneAnswer(): Problem {
  return new Problem("gone", "A purge removed what this id was used for, and its answer. Use a new id.");
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
