/** What a family has recorded, as a replay takes it. From the search copy, which follows the ledgers by a few seconds. */
import { chainName } from "../db/publish.ts";
import { type EventRow, listEvents } from "../db/records.ts";
import { UNASKABLE } from "../policy/approval/index.ts";
import { type HeardTurn, readTurn } from "../policy/fence/index.ts";
import { resolvePath } from "../policy/paths/index.ts";
import { type TypedMessage, typedIn } from "../policy/provenance/index.ts";
import type { ReplayedCall } from "../policy/replay.ts";
import type { Environment, Self, Verdict } from "../policy/types.ts";

/** Entries of one replay: the whole of most conversations, the beginning of the rest. */
const MAX_EVENTS = 2_000;

export type RecordedEvent =
  | { readonly kind: "turn"; readonly turn: HeardTurn; readonly typed: TypedMessage | null }
  | { readonly kind: "call"; readonly call: ReplayedCall; readonly recorded: RecordedCall };

export interface RecordedCall {
  readonly session: string;
  readonly call_id: string;
  readonly at: number;
  readonly verdict: Verdict;
}

export interface RecordedEvents {
  readonly events: readonly RecordedEvent[];
  /** Calls whose arguments are not kept any more, or were too large to be. */
  readonly unkept: number;
  /** True when the family has more than was read. */
  readonly truncated: boolean;
}

interface Outcome {
  readonly outcome: string;
  readonly answered_by: string | null;
}

interface Member {
  readonly environment: Environment;
  readonly child: boolean;
}

const NOWHERE: Environment = { home: null, cwd: null, variables: {}, os: "linux" };

/** @param root the family's root session */
export async function recordedEvents(
  db: D1Database,
  organization: string,
  root: string,
  self: Self,
): Promise<RecordedEvents> {
  const chain = chainName({ org: organization, session: root });
  const rows = await listEvents(db, organization, chain, MAX_EVENTS + 1);
  const outcomes = new Map<string, Outcome>();
  for (const row of rows) {
    if (row.kind !== "outcome") continue;
    const outcome = JSON.parse(row.body) as Outcome & { call_id: string };
    outcomes.set(`${row.session_id} ${outcome.call_id}`, outcome);
  }
  const granted = new Set<string>();
  for (const row of rows)
    if (row.kind === "decision" && didOf(JSON.parse(row.body) as Record<string, unknown>) === "spent")
      granted.add(nameOf(row));
  const members = new Map<string, Member>();
  const events: RecordedEvent[] = [];
  let unkept = 0;
  for (const row of rows.slice(0, MAX_EVENTS)) {
    const session = row.session_id ?? "";
    const body = JSON.parse(row.body) as Record<string, unknown>;
    const kept = keptOf(row);
    const member = members.get(session);
    if (row.kind === "session_opened" || row.kind === "session_changed") {
      const environment =
        (kept?.["environment"] as Environment | undefined) ?? member?.environment ?? NOWHERE;
      // What continues a child is one as well.
      const parent = members.get(textOf(body["parent"]) ?? "");
      const child = body["relation"] === "child" || member?.child === true || parent?.child === true;
      members.set(session, { environment, child });
    } else if (row.kind === "turn") {
      if (kept === null) unkept += 1;
      else
        events.push({
          kind: "turn",
          turn: turnOf(body, kept, member?.child === true),
          typed: typedOf(row, body, kept),
        });
    } else if (row.kind === "decision" && body["again_of"] === undefined) {
      const call = callOf(body, kept, member, self, outcomes.get(`${session} ${String(body["call_id"])}`));
      if (call === null) unkept += 1;
      else
        events.push({
          kind: "call",
          call: granted.has(nameOf(row)) ? { ...call, answered: true } : call,
          recorded: { session, call_id: String(body["call_id"]), at: row.at, verdict: judgedOf(body) },
        });
    }
  }
  return { events, unkept, truncated: rows.length > MAX_EVENTS };
}

/** Names a call among those of its family. */
function nameOf(row: EventRow): string {
  const { call_id } = JSON.parse(row.body) as { call_id?: unknown };
  return `${row.session_id} ${String(call_id)}`;
}

/** What a decision did with the approval that it hangs on; `null` without one. */
function didOf(body: Readonly<Record<string, unknown>>): unknown {
  const approval = body["approval"] as { did?: unknown } | undefined;
  return approval?.did ?? null;
}

/** What the judges said: where people had been asked, or could not be, the verdict is theirs. */
function judgedOf(body: Readonly<Record<string, unknown>>): Verdict {
  const did = didOf(body);
  const rules = Array.isArray(body["rule_keys"]) ? (body["rule_keys"] as unknown[]) : [];
  const byPeople = did === "spent" || did === "refused" || rules.some((rule) => UNASKABLE_RULES.has(rule));
  return byPeople ? "ask" : (body["verdict"] as Verdict);
}

const UNASKABLE_RULES = new Set<unknown>(Object.keys(UNASKABLE).map((why) => `guard:${why}`));

function keptOf(row: EventRow): Readonly<Record<string, unknown>> | null {
  return row.private === null ? null : (JSON.parse(row.private) as Record<string, unknown>);
}

function turnOf(
  body: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>>,
  child: boolean,
): HeardTurn {
  const reading = readTurn(typeof kept["text"] === "string" ? kept["text"] : "");
  return {
    reading,
    compiler: "rules",
    sender: textOf(kept["sender_id"]),
    platform: textOf(body["platform"]),
    midRun: body["mid_run"] === true,
    harnessWritten: isHarnessTurn(reading.dropped, textOf(kept["source"])),
    child,
  };
}

/** What was typed of a recorded turn, as quotes are looked up in it. */
function typedOf(
  row: EventRow,
  body: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>>,
): TypedMessage | null {
  const text = typedIn({
    text: textOf(kept["text"]) ?? "",
    harness: textOf(kept["harness"]),
    platform: textOf(body["platform"]),
    source: textOf(kept["source"]),
  });
  return text === null || body["typed"] !== true
    ? null
    : { id: String(row.seq), text, sender: textOf(kept["sender_id"]) };
}

/** Values of Claude Code's `source` under which nobody typed anything. */
const HARNESS_SOURCES = new Set(["system", "loop_wakeup", "schedule_wakeup", "poll_event"]);

/** True for a turn that the harness wrote itself, by what it says of it or by how it begins. */
export function isHarnessTurn(
  dropped: readonly { readonly cause: string }[],
  source: string | null,
): boolean {
  return (
    (source !== null && HARNESS_SOURCES.has(source)) ||
    dropped.some(({ cause }) => cause === "harness-written")
  );
}

function callOf(
  body: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, unknown>> | null,
  member: Member | undefined,
  self: Self,
  outcome: Outcome | undefined,
): ReplayedCall | null {
  const args = kept?.["args"];
  if (kept === null || args === undefined || isOmitted(args)) return null;
  const environment = member?.environment ?? NOWHERE;
  const cwd = textOf(kept["cwd"]);
  const resolved = cwd === null ? null : resolvePath(cwd, environment);
  const { answerer } = body;
  return {
    call: {
      tool: String(body["tool"]),
      args,
      // What could not be read was kept as its text.
      unreadable: typeof args === "string" ? [{ pointer: "", cause: "not-an-object" }] : [],
    },
    context: { environment: { ...environment, cwd: resolved?.ok === true ? resolved.path : null }, self },
    answerer: answerer === "auto" || answerer === "none" ? answerer : "human",
    subagent: member?.child === true,
    key: String(kept["digest"]),
    succeeded: outcome?.outcome === "success",
    stored: textOf(kept["stored"]),
    answered: didOf(body) === null && outcome?.answered_by === "harness" && outcome.outcome !== "blocked",
  };
}

function isOmitted(args: unknown): boolean {
  if (typeof args !== "object" || args === null || Object.keys(args).length !== 1) return false;
  const { omitted } = args as { omitted?: { sha256?: unknown } | null };
  return typeof omitted?.sha256 === "string";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
