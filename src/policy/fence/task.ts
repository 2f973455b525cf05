/**
 * A task as turn after turn makes it: whose it is, what their words authorise, how many turns were heard. Pure; a
 * session's object keeps it, and a replay makes it anew.
 */
import { applyTurn, authorityOf, EMPTY_POLICY, fallbackPolicy, type Speaker } from "./apply.ts";
import type { Authority, TaskPolicy, TurnReading } from "./types.ts";

export interface TaskState {
  readonly policy: TaskPolicy;
  /** Who began the task: the sender as the harness reports it, if it does. `null` before anybody was heard. */
  readonly owner: { readonly sender: string | null } | null;
  /** Turns heard so far; the next one's number. */
  readonly turns: number;
}

/** A turn, who said it, and who read it. */
export interface HeardTurn extends Omit<Speaker, "owner"> {
  readonly reading: TurnReading;
  readonly compiler: TaskPolicy["compiler"];
}

/** Nobody's words are known yet: everything consequential asks. */
export const UNSPOKEN: TaskState = { policy: fallbackPolicy(EMPTY_POLICY), owner: null, turns: 0 };

/** Takes a turn into the task. The first one that carries authority says whose it is. */
export function hearTurn(
  before: TaskState,
  { reading, compiler, ...spoken }: HeardTurn,
): { readonly state: TaskState; readonly authority: Authority } {
  const turn = before.turns;
  const authority = authorityOf({
    ...spoken,
    owner: before.owner === null ? spoken.sender : before.owner.sender,
  });
  if (authority === "none") return { authority, state: { ...before, turns: turn + 1 } };
  const begun = before.owner === null ? EMPTY_POLICY : before.policy;
  const policy = applyTurn(begun, reading, { turn, authority });
  return {
    authority,
    state: {
      owner: before.owner ?? { sender: spoken.sender },
      turns: turn + 1,
      policy: authority === "owner" ? compiledBy(policy, compiler) : policy,
    },
  };
}

/** Once nobody could read an owner's words, nothing they said before speaks for what they meant then. */
function compiledBy(policy: TaskPolicy, compiler: TaskPolicy["compiler"]): TaskPolicy {
  return compiler === "fallback" ? fallbackPolicy(policy) : { ...policy, compiler };
}
