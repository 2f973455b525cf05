/**
 * Turns, one after the other, onto a task policy. Narrowing is free; widening needs the person who began the task
 * (DESIGN §4, CONVENTIONS §8). Cheap and pure: it runs inside the session object's transaction.
 */
import { hostOfTarget } from "../effects/hosts.ts";
import { fewDelegated, fewDropped, fewNamed, limited, roomFor } from "./bounds.ts";
import { MAX_TURN_PROHIBITIONS, readTurn, WITHDRAWN } from "./reading/read-turn.ts";
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
      named: authority === "narrow" ? stillNamed(before.named, reading.prohibitions) : before.named,
      dropped: fewDropped([
        ...before.dropped,
        ...refused(authority === "heard" ? "other-sender" : "mid-run"),
        ...dropped,
      ]),
    };
  }
  const asked = reading.permissions.map((one, index): Permission => {
    const placed: Permission = { ...at(one), id: `t${turn}-${index}` };
    return reading.again.includes(index)
      ? { ...placed, targets: [...placed.targets, ...targetsBefore(before, placed)] }
      : placed;
  });
  const { permissions, lost } = roomFor(before.permissions, asked);
  return {
    ...before,
    turns,
    permissions,
    // Agreement and nothing else names no act: what was forbidden becomes a question, no more.
    prohibitions: limited([
      ...(reading.assents
        ? before.prohibitions.map((one): Prohibition => ({ ...one, verdict: "ask" }))
        : before.prohibitions),
      ...prohibitions,
    ]),
    delegated: fewDelegated([...before.delegated, ...reading.delegated.map(at)]),
    named: fewNamed([
      ...stillNamed(before.named, reading.prohibitions),
      // Where a turn forbids more than is kept apart, nobody can tell which of its names are forbidden.
      ...(reading.prohibitions.length < MAX_TURN_PROHIBITIONS
        ? stillNamed(reading.named, reading.prohibitions)
        : []),
    ]),
    dropped: fewDropped([...before.dropped, ...dropped, ...lost]),
  };
}

function withdrawn(policy: TaskPolicy): TaskPolicy {
  const taken = policy.permissions.map(({ quote, span }): Dropped => ({ quote, span, cause: WITHDRAWN }));
  return {
    ...policy,
    permissions: [],
    delegated: [],
    dropped: fewDropped([...policy.dropped, ...taken]),
  };
}

/** `post it again, same channel`: whom the last request of the kind named. */
function targetsBefore(policy: TaskPolicy, permission: Permission): Target[] {
  const last = policy.permissions.findLast(
    ({ risk, targets }) => risk === permission.risk && targets.some(({ kind }) => kind === "recipient"),
  );
  return last?.targets.filter(({ kind }) => kind === "recipient") ?? [];
}

/**
 * What stays named once something of it is forbidden. `Don't touch ~/.ssh/id_rsa` names that file, and makes nothing of
 * it milder: whoever forbids a thing has not asked for it to be looked at or reached.
 */
function stillNamed(named: readonly Target[], prohibitions: TurnReading["prohibitions"]): readonly Target[] {
  const hosts = new Set<string>();
  const paths = new Set<string>();
  for (const { targets, except } of prohibitions)
    for (const target of except ? [] : targets)
      if (target.kind === "host") hosts.add(hostOfTarget(target.text) ?? target.text);
      else if (target.kind === "path" || target.kind === "item") paths.add(plainPath(target));
  // `Ask me before you open it`: what is bound by a wish to be asked stands in its words alone.
  const quotes = prohibitions.filter(({ except }) => !except).map(({ quote }) => quote);
  if (quotes.length === 0) return named;
  return named.filter((target) => {
    if (quotes.some((quote) => quote.includes(target.text))) return false;
    if (target.kind === "host") return !hosts.has(hostOfTarget(target.text) ?? target.text);
    return target.kind !== "path" || !foldersOf(plainPath(target)).some((path) => paths.has(path));
  });
}

const plainPath = ({ text, within }: Target): string =>
  (within === undefined ? text : `${within}/${text}`)
    .toLowerCase()
    .replace(/[\\/]+/g, "/")
    .replace(/(.)\/$/, "$1");

/** The path and the folders that it is spelled to lie in. */
function foldersOf(path: string): string[] {
  const all = [path];
  for (let at = path.lastIndexOf("/"); at > 0 && all.length < 64; at = path.lastIndexOf("/", at - 1))
    all.push(path.slice(0, at));
  return all;
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
