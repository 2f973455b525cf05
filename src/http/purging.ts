/**
 * A purge, for the API, for the pages and for the clock: recorded before anything is removed, then as far as its time
 * goes. It takes D1's copy batch by batch, then has the objects forget. How far it got is kept, so that whoever comes
 * next goes on there; two at once do the same work twice, and no harm.
 */
import type { Context } from "hono";
import {
  PURGE_BEGINS,
  PURGE_STEPS,
  type Purged,
  type PurgeMark,
  purgeBatch,
  readPurged,
} from "../db/purged.ts";
import {
  beginPurge,
  keepForgotten,
  keepPurge,
  listAgentIds,
  listToForget,
  type PurgeProgress,
  readPurges,
} from "../db/retention.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "./access.ts";
import type { AppEnv } from "./context.ts";
import { governLater } from "./governing.ts";
import { agentStub, callObject, type SessionStub, sessionStub } from "./sessions.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One request removes for this long at most; the next goes on. */
const WORKS_FOR_MS = 5_000;
/** A batch is followed by a pause of so many times its own time: decisions hardly notice it. */
const PAUSES = 4;
const MAX_PAUSE_MS = 2_000;
/** How far it got is kept after so many batches: what is lost with it is done again. */
const KEPT_AFTER = 20;
/** Sessions that are looked up at once. */
const OBJECTS = 50;

/** What was removed: rows of D1, and objects that were visited. */
export type Removal = Record<Purged | "sessions" | "agents", number>;

/** How far a purge got. */
export interface PurgeState {
  readonly before: number;
  readonly removed: Readonly<Removal>;
  readonly done: boolean;
}

/** Everything older than so many days; all of it; or what a purge on record has left. */
export type PurgeWish =
  | { readonly kind: "older"; readonly days: number }
  | { readonly kind: "before"; readonly before: number }
  | { readonly kind: "rest" };

/**
 * Removes what is older. A purge that goes on is the one that is on record.
 * @throws {Problem} `unavailable` while the database cannot be written: it is on record, and to be asked for again
 */
export async function purgeAsAsked(c: Context<AppEnv>, wish: PurgeWish): Promise<PurgeState> {
  const { organization, member } = memberCaller(c);
  const now = Date.now();
  const recorded = await readPurged(c.env.DB, organization);
  const before = beforeOf(wish, recorded, now);
  if (before > recorded) {
    const { in_force } = await governLater(c, organization, { kind: "purge", before }, member);
    if (!in_force)
      throw new Problem(
        "unavailable",
        "The purge is on record, and the database cannot be written now: nothing is removed yet. Ask for it again.",
        { headers: { "retry-after": "10" }, extra: { before } },
      );
  }
  const isLate = (): boolean => Date.now() - now > WORKS_FOR_MS;
  return { ...(await purgeOn(c.env, organization, Math.max(before, recorded), isLate)), before };
}

/** Where a purge goes on: in D1, and then object by object. */
type Mark =
  | PurgeMark
  | { readonly step: "sessions"; readonly name: string }
  | { readonly step: "agents"; readonly name: string };

/** What an object of an organization, or a part of D1, is gone through for. */
export const STEPS = [...PURGE_STEPS, "sessions", "agents"] as const;

/** A purge that got no further for so long has somebody look at it: the clock goes on with it every minute. */
const STUCK_AFTER_MS = 15 * 60_000;

/** How an organization's last purge stands. */
export interface PurgeStanding {
  readonly state: "none" | "done" | "under way" | "stuck";
  readonly before: number;
  /** When it was put on record, and by which member; `null` for the clock. */
  readonly begun: { readonly at: number; readonly by: string | null } | null;
  /** What it is at, and when it got there; `null` before it has begun and once it is done. */
  readonly at: { readonly step: (typeof STEPS)[number]; readonly since: number } | null;
}

/** @param now epoch milliseconds */
export async function purgeStanding(env: Env, organization: string, now: number): Promise<PurgeStanding> {
  const { last, purged_before, progress } = await readPurges(env.DB, organization);
  const body = last === null ? null : (JSON.parse(last.body) as { by: string | null; before: number });
  const before = Math.max(purged_before, body?.before ?? 0);
  const begun = last === null || body === null ? null : { at: last.at, by: body.by };
  if (before === 0) return { state: "none", before, begun, at: null };
  const isBegun = progress !== null && progress.before >= before;
  if (isBegun && progress.cursor === null) return { state: "done", before, begun, at: null };
  const cursor = isBegun && progress.cursor !== null ? (JSON.parse(progress.cursor) as Cursor) : null;
  const since = cursor?.since ?? begun?.at ?? 0;
  return {
    state: now - since > STUCK_AFTER_MS ? "stuck" : "under way",
    before,
    begun,
    at: cursor === null ? null : { step: cursor.step, since },
  };
}

/** A mark as it is kept: with the moment at which it was reached. */
type Cursor = Mark & { readonly since?: number };

function cursorOf(mark: Mark): string {
  return JSON.stringify({ ...mark, since: Date.now() } satisfies Cursor);
}

/** Goes on with the purge that is on record, until it is done or late. */
export async function purgeOn(
  env: Env,
  organization: string,
  before: number,
  isLate: () => boolean,
): Promise<PurgeState> {
  const removed: Removal = {
    said: 0,
    evidence: 0,
    skill_writes: 0,
    approvals: 0,
    records: 0,
    sessions: 0,
    agents: 0,
  };
  if (before <= 0) return { before, removed, done: true };
  const progress = await beginPurge(env.DB, organization, before, cursorOf(PURGE_BEGINS));
  if (progress.cursor === null) return { before, removed, done: true };
  const { since: _reached, ...begins } = JSON.parse(progress.cursor) as Cursor;
  let mark: Mark | null = begins as Mark;
  let isKept = true;
  const keep = async (): Promise<void> => {
    const cursor = mark === null ? null : cursorOf(mark);
    if (!isKept) await keepPurge(env.DB, organization, progress.before, cursor, Date.now());
    isKept = true;
  };
  for (let batch = 1; mark !== null && !isLate(); batch += 1) {
    const began = Date.now();
    const was: Mark = mark;
    const done = await batchOf(env, organization, progress, mark, removed, isLate);
    mark = done.next;
    // Not where it was late before it had done anything: it got no further.
    if (done.worked) isKept = false;
    const isElsewhere = mark?.step !== was.step || wordsOf(mark) !== wordsOf(was);
    if (isElsewhere || batch % KEPT_AFTER === 0) await keep();
    if (mark !== null && !isLate()) await pause(Date.now() - began);
  }
  await keep();
  return { before, removed, done: mark === null };
}

function wordsOf(mark: Mark): boolean {
  return "words" in mark && mark.words === true;
}

interface Batch {
  /** Where it goes on; `null` when everything is removed everywhere. */
  readonly next: Mark | null;
  /** False where it was late before it had begun. */
  readonly worked: boolean;
}

/** One batch of rows, or the next objects. */
async function batchOf(
  env: Env,
  organization: string,
  { before, clean_before: since }: PurgeProgress,
  mark: Mark,
  removed: Removal,
  isLate: () => boolean,
): Promise<Batch> {
  if (mark.step === "sessions") {
    const { roots, last } = await listToForget(env.DB, organization, before, mark.name, OBJECTS);
    const forgotten: string[] = [];
    let worked = roots.length === 0;
    for (const root of roots) {
      if (isLate()) break;
      worked = true;
      if (!(await forgetIn(() => sessionStub(env, organization, root), before, isLate))) break;
      forgotten.push(root);
    }
    removed.sessions += forgotten.length;
    await keepForgotten(env.DB, organization, forgotten, before);
    if (forgotten.length < roots.length) return { next: mark, worked };
    return { next: last === null ? { step: "agents", name: "" } : { step: "sessions", name: last }, worked };
  }
  if (mark.step === "agents") {
    const [agent] = await listAgentIds(env.DB, organization, mark.name, 1);
    if (agent === undefined) return { next: null, worked: true };
    const isDone = await forgetIn(() => agentStub(env, organization, agent), before, isLate);
    if (!isDone) return { next: mark, worked: true };
    removed.agents += 1;
    return { next: { step: "agents", name: agent }, worked: true };
  }
  const { what, rows, next } = await purgeBatch(env.DB, organization, before, since, mark);
  if (what !== null) removed[what] += rows;
  return { next: next ?? { step: "sessions", name: "" }, worked: true };
}

/**
 * Has an object forget, a part at a time: its own calls come between. It keeps how far it is itself.
 * @returns false where there is more, and no time for it: at least one part is forgotten
 */
async function forgetIn(stub: () => SessionStub, before: number, isLate: () => boolean): Promise<boolean> {
  for (;;) {
    const began = Date.now();
    const { done } = await callObject(stub, (object) => object.forget(before));
    if (done || isLate()) return done;
    await pause(Date.now() - began);
  }
}

/** Leaves the others four fifths of the time. @param worked milliseconds */
function pause(worked: number): Promise<void> {
  const ms = Math.min(PAUSES * worked, MAX_PAUSE_MS);
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

/** Never in the future: what comes after this request is not meant. */
function beforeOf(wish: PurgeWish, recorded: number, now: number): number {
  if (wish.kind === "rest") return recorded;
  const asked = wish.kind === "before" ? wish.before : now + 1 - wish.days * DAY_MS;
  return Math.min(Math.max(asked, 0), now + 1);
}
