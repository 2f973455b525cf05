/**
 * Turns, one after the other, onto a task policy. Narrowing is free; widening needs the person who began the task
 * (DESIGN §4, CONVENTIONS §8). Cheap and pure: it runs inside the session object's transaction.
 */
import { readTurn, WITHDRAWN } from "./reading/read-turn.ts";
import type {
  Authority,
  Dropped,
  Permission,
  Prohibition,
  Said,
  Target,
  TaskPolicy,
  TurnReading,
} from "./types.ts";

/** Of all turns together. A person who says more than this has said the rest of it before. */
export const MAX_PERMISSIONS = 256;
export const MAX_PROHIBITIONS = 256;
const MAX_DROPPED = 128;
const MAX_NAMED = 256;
const MAX_DELEGATED = 16;

export const EMPTY_POLICY: TaskPolicy = {
  v: 1,
  compiler: "rules",
  turns: 0,
  permissions: [],
  prohibitions: [],
  delegated: [],
  named: [],
  dropped: [],
};

/** The policy when nobody could make one: everything consequential asks, and what was forbidden stays forbidden. */
export function fallbackPolicy(policy: TaskPolicy): TaskPolicy {
  return { ...policy, compiler: "fallback" };
}

export interface Speaker {
  /** Who sent the turn, as the harness reports it; `null` where it does not. */
  readonly sender: string | null;
  /** Who sent the first turn of the task. */
  readonly owner: string | null;
  readonly platform: string | null;
  /** The turn was slipped in while the agent ran. */
  readonly midRun: boolean;
  /** The harness wrote it itself. */
  readonly harnessWritten: boolean;
  /** It opens a session that is the child of another. */
  readonly child: boolean;
}

/** DESIGN §4, Fence: a cron job's or kanban worker's prompt carries its owner's authority, a subagent's none. */
export function authorityOf({ sender, owner, platform, midRun, harnessWritten, child }: Speaker): Authority {
  if (harnessWritten || child || platform === "subagent") return "none";
  if (sender !== owner) return "heard";
  return midRun ? "narrow" : "owner";
}

export function applyTurn(
  policy: TaskPolicy | null,
  reading: TurnReading,
  { turn, authority }: { readonly turn: number; readonly authority: Authority },
): TaskPolicy {
  const known = policy ?? EMPTY_POLICY;
  const before =
    reading.withdraws === true && (authority === "owner" || authority === "narrow")
      ? withdrawn(known)
      : known;
  const at = <T extends Said>(said: T): T => ({ ...said, span: { ...said.span, turn } });
  const turns = Math.max(before.turns, turn + 1);
  if (authority === "none") return { ...before, turns };
  const prohibitions = reading.prohibitions.map((one, index): Prohibition => {
    const placed = { ...at(one), id: `t${turn}-n${index}` };
    return authority === "heard"
      ? { ...placed, verdict: "ask", rationale: "Somebody else in this chat asked to stop." }
      : placed;
  });
  const refused = (cause: string): Dropped[] =>
    reading.permissions.map(({ quote, span }) => ({ quote, span: { ...span, turn }, cause }));
  const dropped = reading.dropped.map(
    (one): Dropped => ({ ...one, span: one.span === null ? null : { ...one.span, turn } }),
  );
  if (authority !== "owner") {
    return {
      ...before,
      turns,
      prohibitions: limited([...before.prohibitions, ...prohibitions]),
      dropped: [
        ...before.dropped,
        ...refused(authority === "heard" ? "other-sender" : "mid-run"),
        ...dropped,
      ].slice(0, MAX_DROPPED),
    };
  }
  const permissions = reading.permissions.map((one, index): Permission => {
    const placed: Permission = { ...at(one), id: `t${turn}-${index}` };
    return reading.again.includes(index)
      ? { ...placed, targets: [...placed.targets, ...targetsBefore(before, placed)] }
      : placed;
  });
  const room = Math.max(0, MAX_PERMISSIONS - before.permissions.length);
  const lost = permissions
    .slice(room)
    .map(({ quote, span }): Dropped => ({ quote, span, cause: "too-many-requests" }));
  return {
    ...before,
    turns,
    permissions: [...before.permissions, ...permissions.slice(0, room)],
    // Agreement and nothing else names no act: what was forbidden becomes a question, no more.
    prohibitions: limited([
      ...(reading.assents
        ? before.prohibitions.map((one): Prohibition => ({ ...one, verdict: "ask" }))
        : before.prohibitions),
      ...prohibitions,
    ]),
    delegated: [...before.delegated, ...reading.delegated.map(at)].slice(0, MAX_DELEGATED),
    named: [...before.named, ...reading.named].slice(0, MAX_NAMED),
    dropped: [...before.dropped, ...dropped, ...lost].slice(0, MAX_DROPPED),
  };
}

function withdrawn(policy: TaskPolicy): TaskPolicy {
  const taken = policy.permissions.map(({ quote, span }): Dropped => ({ quote, span, cause: WITHDRAWN }));
  return {
    ...policy,
    permissions: [],
    delegated: [],
    dropped: [...policy.dropped, ...taken].slice(0, MAX_DROPPED),
  };
}

/** `post it again, same channel`: whom the last request of the kind named. */
function targetsBefore(policy: TaskPolicy, permission: Permission): Target[] {
  const last = policy.permissions.findLast(
    ({ risk, targets }) => risk === permission.risk && targets.some(({ kind }) => kind === "recipient"),
  );
  return last?.targets.filter(({ kind }) => kind === "recipient") ?? [];
}

/** Past the bound, the oldest are kept in one that holds for all their classes, without what narrowed them. */
function limited(prohibitions: readonly Prohibition[]): readonly Prohibition[] {
  if (prohibitions.length <= MAX_PROHIBITIONS) return prohibitions;
  const rest = prohibitions.slice(MAX_PROHIBITIONS - 1);
  // The newest turn's: an older request must not lift what was forbidden after it.
  const first = rest.at(-1);
  if (first === undefined) return prohibitions;
  const risks = rest.some((one) => one.risks === "all")
    ? ("all" as const)
    : [...new Set(rest.flatMap((one) => (one.risks === "all" ? [] : one.risks)))];
  const together: Prohibition = {
    ...first,
    risks,
    verbs: [],
    object: [],
    targets: [],
    except: false,
    verdict: rest.some(({ verdict }) => verdict === "block") ? "block" : "ask",
  };
  return [...prohibitions.slice(0, MAX_PROHIBITIONS - 1), together];
}

export interface Turn {
  readonly text: string;
  readonly sender_id?: string | null;
  readonly platform?: string | null;
}

/** The offline compiler: the fold of all turns. The first turn's sender owns the task. */
export function compileRules(turns: readonly Turn[]): TaskPolicy {
  const owner = turns[0]?.sender_id ?? null;
  let policy: TaskPolicy | null = null;
  for (const [turn, { text, sender_id, platform }] of turns.entries()) {
    const reading = readTurn(text);
    const harnessWritten = reading.dropped.some(({ cause }) => cause === "harness-written");
    const authority = authorityOf({
      sender: sender_id ?? null,
      owner,
      platform: platform ?? null,
      midRun: false,
      harnessWritten,
      child: false,
    });
    policy = applyTurn(policy, reading, { turn, authority });
  }
  return policy ?? EMPTY_POLICY;
}
