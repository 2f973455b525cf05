/**
 * The stateless half of a decision: a call as it was sent is read once, judged by what needs no session state, and made
 * into what the session's object settles.
 */
import type { Context } from "hono";
import type { Asking } from "../durable/approval-protocol.ts";
import type { Answerer, SettleInput } from "../durable/protocol.ts";
import { newId } from "../ids.ts";
import { actionDigest, hashOf, TAGS } from "../ledger/index.ts";
import type { Waiting } from "../policy/approval/index.ts";
import { resolvePath } from "../policy/paths/index.ts";
import type { Annotations, Unreadable } from "../policy/types.ts";
import { privateText } from "./commitment.ts";
import type { AppEnv } from "./context.ts";
import { readCall, selfOf } from "./reading.ts";
import { sessionStub } from "./sessions.ts";
import type { Grounds } from "./settling.ts";
import { judgeWrite } from "./writes.ts";

/** Arguments above this are recorded by their hash: a row of an object holds at most 2 MB. */
const MAX_RECORDED_ARGUMENTS = 256 * 1024;
/** Actions named in the record; a command of thousands is in the arguments. */
const MAX_RECORDED_ACTIONS = 200;

/** A call as somebody sent it. */
export interface SentAction {
  readonly call_id: string;
  readonly tool: string;
  readonly args: unknown;
  /** What is wrong with the arguments before anybody reads them. */
  readonly malformed: readonly Unreadable[];
  /** The text that the arguments came in, which is what is hashed where they cannot be read. */
  readonly bodyText: string;
  readonly annotations: { readonly annotations?: Annotations };
  /** `null`: the session's own. */
  readonly cwd: string | null;
  /** The text that the call edits, where the client says it. */
  readonly stored: string | null;
  readonly answerer: Answerer;
  readonly host: string | null;
}

/** Whose call it is. */
export interface Asker {
  readonly organization: string;
  readonly agent: string;
  readonly stale: boolean;
  readonly waiting: Waiting;
}

/** @param asks `null` where the harness puts an ask to its own user */
export async function settleInput(
  c: Context<AppEnv>,
  asker: Asker,
  sent: SentAction,
  { context, policy, standing }: Grounds,
  asks: Asking | null,
): Promise<SettleInput> {
  const { tool } = sent;
  const directory = sent.cwd === null ? null : resolvePath(sent.cwd, context.environment);
  const unreadable: readonly Unreadable[] =
    directory === null || directory.ok
      ? sent.malformed
      : [...sent.malformed, { pointer: "/cwd", cause: directory.cause }];
  const cwd = directory === null ? context.environment.cwd : directory.ok ? directory.path : null;
  const environment = { ...context.environment, cwd };
  const { effects, findings } = readCall(
    { tool, args: sent.args, unreadable },
    { environment, self: selfOf(c), ...sent.annotations },
    policy.tables,
    policy.modes.oath === "off" ? [] : policy.bind(environment),
  );
  const args = unreadable.length > 0 ? { unreadable: sent.bodyText } : { object: sent.args };
  const digest = actionDigest(
    { organization: asker.organization, session: context.speaks_as, agent: asker.agent, tool, cwd },
    args,
  );
  const write = await judgeWrite(
    { tool, args: sent.args },
    effects,
    sent.stored,
    policy.modes.provenance,
    policy.provenance,
    {
      db: c.env.DB,
      organization: asker.organization,
      context,
      stub: () => sessionStub(c.env, asker.organization, context.root),
    },
  );
  return {
    ...standing,
    decision_id: newId("dec"),
    call_id: sent.call_id,
    tool,
    digest,
    modes: policy.modes,
    findings,
    stale_policy: asker.stale,
    answerer: sent.answerer,
    host: sent.host,
    private: privateText({
      cwd,
      digest,
      args: recorded("object" in args ? args.object : args.unreadable),
      actions: effects.actions.slice(0, MAX_RECORDED_ACTIONS),
      found: findings.map(({ verdict, reason }) => ({ verdict, ...reason })),
      ...sent.annotations,
      // What the client said stands there: without it nobody could tell why a write passed. Half a character in it is no
      // reason to hold the call, and has no canonical form.
      ...(sent.stored === null || (write === null && asks === null)
        ? {}
        : { stored: recorded(sent.stored.toWellFormed()) }),
      ...(write === null ? {} : { evidence: write.evidence, skill: write.skill }),
    }),
    effects,
    environment,
    fence: policy.fence,
    write,
    approvals: policy.approvals,
    waiting: asker.waiting,
    asking: asks,
  };
}

/** The origin that links are built with. */
export function originOf(c: Context<AppEnv>): string {
  return c.get("config").publicOrigin ?? new URL(c.req.url).origin;
}

/** What is kept of a text or of arguments; large ones by their hash, which the salt of the commitment keeps from being guessed. */
function recorded(args: unknown): unknown {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return text.length <= MAX_RECORDED_ARGUMENTS
    ? args
    : { omitted: { characters: text.length, sha256: hashOf(TAGS.rawArguments, text) } };
}
