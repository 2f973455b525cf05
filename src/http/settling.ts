/**
 * Sends a request's standing to the session's object until both agree on the policy and the context: the object
 * refuses a reading made on older ones, and says what is newer.
 */
import type { Context } from "hono";
import type { SessionContext, Stale, Standing } from "../durable/protocol.ts";
import type { AgentCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { type Policy, policyFor } from "./policy.ts";
import { agentSession, callObject, rememberSession, type SessionStub, sessionStub } from "./sessions.ts";

/** More than this many times in one request is a fault of ours: each time the object knew something newer. */
const MAX_ROUNDS = 4;

export interface Grounds {
  readonly context: SessionContext;
  readonly policy: Policy;
  readonly standing: Standing;
}

/**
 * Runs `ask` on the session's object with grounds that it accepts, and returns its first answer that is not "stale".
 * @throws {Problem} `unknown-session`, `unavailable`
 */
export async function settleOn<Answer extends { readonly ok: boolean }>(
  c: Context<AppEnv>,
  caller: AgentCaller,
  session: string,
  ask: (stub: SessionStub, grounds: Grounds) => Promise<Answer | Stale>,
): Promise<{ answer: Exclude<Answer, Stale>; grounds: Grounds }> {
  let context = await agentSession(c, caller, session);
  let policy = await policyFor(c.env.DB, caller);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const grounds: Grounds = {
      context,
      policy,
      standing: {
        session,
        agent: caller.agent,
        key: caller.key,
        policy_version: policy.version,
        context_version: context.context_version,
      },
    };
    const answer = await callObject(
      () => sessionStub(c.env, caller.organization, context.root),
      (stub) => ask(stub, grounds),
    );
    if (isStalePolicy(answer)) policy = await policyFor(c.env.DB, caller, answer.newest);
    else if (isStaleContext(answer)) {
      context = answer.context;
      rememberSession(caller.organization, context);
    } else return { answer: answer as Exclude<Answer, Stale>, grounds };
  }
  throw new Error(`the grounds of a request were out of date ${MAX_ROUNDS} times`);
}

function isStalePolicy(answer: { ok: boolean }): answer is Extract<Stale, { code: "stale-policy" }> {
  return (answer as { code?: string }).code === "stale-policy";
}

function isStaleContext(answer: { ok: boolean }): answer is Extract<Stale, { code: "stale-context" }> {
  return (answer as { code?: string }).code === "stale-context";
}
