/**
 * Puts back what the database lost or what was written into it behind the product's back, out of what the objects hold:
 * rows that govern, approvals, the log as it was signed, and entries. Nothing is made up: a row is the one that is on
 * record, a checkpoint is the note that was signed, and its leaves must lead to its root. Texts that the database alone
 * held are gone with it, and stay a finding.
 */
import type { Context } from "hono";
import {
  type CheckpointRow,
  type LeafRow,
  listCheckpointsFrom,
  listLeaves,
  readCheckpoint,
  readNodes,
  restoreCheckpoint,
} from "../db/checkpoints.ts";
import { putRight } from "../db/governed.ts";
import { Problem } from "../errors.ts";
import {
  append,
  frontierNodes,
  leafHash,
  leafText,
  noteDigest,
  parseCheckpoint,
  parseVerifierKey,
  rootOf,
  verifyCheckpoint,
} from "../ledger/index.ts";
import { textOf } from "./checkpoints.ts";
import type { AppEnv } from "./context.ts";
import { familiesOf } from "./drift-families.ts";
import {
  checkApprovals,
  checkGoverned,
  type Difference,
  GOVERNED_STEPS,
  type GovernedCursor,
} from "./drift-governed.ts";
import { governLater } from "./governing.ts";
import { takeStraysAway } from "./log-strays.ts";
import { restoreChain } from "./restoring-chains.ts";
import { callObject, organizationStub, sessionStub } from "./sessions.ts";
import { keysOnRecord } from "./signing-keys.ts";

/** One request works for this long at most. */
const WORKS_FOR_MS = 10_000;

/** Where a restoration goes on: what governs, then the log, then the chains. */
export type RestoreCursor =
  | { readonly step: "governed"; readonly from: GovernedCursor | null }
  | { readonly step: "log"; readonly number: number }
  | { readonly step: "chains"; readonly after: string };

const RESTORE_BEGINS: RestoreCursor = { step: "governed", from: null };

export interface Restored {
  /** Of what governs, approvals and records: written, or taken away since nobody put them on record. */
  rows: number;
  checkpoints: number;
  /** That are delivered once more within a minute. */
  entries: number;
  /** What no object holds any more: oaths whose text the database alone had, and chains whose object is gone. */
  lost: number;
}

/**
 * Restores as much as time allows.
 * @param until when to break off, epoch milliseconds
 * @returns where to go on; `null` at the end
 * @throws {Problem} `log-damaged` where the log cannot be put back as it was signed
 */
async function restoreCopy(
  env: Env,
  organization: string,
  from: RestoreCursor,
  now: number,
  until: number,
): Promise<{ readonly restored: Restored; readonly next: RestoreCursor | null }> {
  const restored: Restored = { rows: 0, checkpoints: 0, entries: 0, lost: 0 };
  let next: RestoreCursor | null = from;
  const isLate = (): boolean => Date.now() >= until;
  do next = await stepOf(env, organization, next, restored, now, isLate);
  while (next !== null && !isLate());
  return { restored, next };
}

/**
 * The same for a request of an owner, on record before and after.
 * @param cursor that the last answer gave; `undefined` to begin
 * @throws {Problem} `forbidden` where the object knows no owner in whoever asks, `log-damaged`
 */
export async function restoreFor(
  c: Context<AppEnv>,
  caller: { readonly organization: string; readonly member: string },
  cursor: string | undefined,
): Promise<Restored & { readonly next_cursor: string | null }> {
  const { organization, member } = caller;
  const from = cursor === undefined ? RESTORE_BEGINS : readRestoreCursor(cursor);
  const now = Date.now();
  await governLater(c, organization, { kind: "restore", what: { begun: true } }, member);
  const { restored, next } = await restoreCopy(c.env, organization, from, now, now + WORKS_FOR_MS);
  await governLater(c, organization, { kind: "restore", what: { ...restored, done: next === null } }, member);
  return { ...restored, next_cursor: next === null ? null : writeRestoreCursor(next) };
}

async function stepOf(
  env: Env,
  organization: string,
  cursor: RestoreCursor,
  restored: Restored,
  now: number,
  isLate: () => boolean,
): Promise<RestoreCursor | null> {
  switch (cursor.step) {
    case "governed": {
      const { differences, next } = await checkGoverned(env, organization, cursor.from, now);
      await putAllRight(env, organization, differences, restored);
      return next === null ? { step: "log", number: 1 } : { step: "governed", from: next };
    }
    case "log": {
      const number = await restoreLog(env, organization, cursor.number, restored);
      if (number !== null) return { step: "log", number };
      restored.rows += await takeStraysAway(env, organization);
      return { step: "chains", after: "" };
    }
    case "chains": {
      if (cursor.after === "") await restoreOne(env, organization, null, restored);
      const { roots, next } = await familiesOf(env, organization, cursor.after);
      for (const [i, root] of roots.entries()) {
        if (i > 0 && isLate()) return { step: "chains", after: roots[i - 1] ?? "" };
        if (await restoreOne(env, organization, root, restored)) continue;
        const differences = await checkApprovals(env, organization, root, null, now);
        await putAllRight(env, organization, differences, restored);
      }
      return next === null ? null : { step: "chains", after: next };
    }
  }
}

async function putAllRight(
  env: Env,
  organization: string,
  differences: readonly Difference[],
  restored: Restored,
): Promise<void> {
  for (const { table, id, expected, found, head } of differences) {
    // The text of an oath that was sworn before this was kept stood in the database alone.
    const isLost = table === "oath_versions" && expected !== null && expected["text"] === null;
    if (!isLost && (await putRight(env.DB, organization, table, id, expected, found, head)))
      restored.rows += 1;
    else restored.lost += 1;
  }
}

/** @returns true where the chain's approvals are on their way, or nobody's any more */
async function restoreOne(
  env: Env,
  organization: string,
  session: string | null,
  restored: Restored,
): Promise<boolean> {
  const chain = session === null ? "organization" : `session:${session}`;
  const { rows, entries, lost } = await restoreChain(env, { org: organization, session }, chain, () =>
    session === null ? organizationStub(env, organization) : sessionStub(env, organization, session),
  );
  restored.rows += rows;
  restored.entries += entries;
  restored.lost += lost ? 1 : 0;
  return entries > 0 || lost;
}

/** What a checkpoint grows out of. */
interface Edge {
  readonly size: number;
  readonly frontier: readonly string[];
  /** Of the checkpoint before; `null` before the first. */
  readonly digest: string | null;
}

/** Puts a page of checkpoints back. @returns the next number; `null` at the end */
async function restoreLog(
  env: Env,
  organization: string,
  first: number,
  restored: Restored,
): Promise<number | null> {
  const stub = () => organizationStub(env, organization);
  const recorded = await callObject(stub, (object) => object.sealed());
  if (recorded === null || first > recorded.number) return null;
  const { checkpoints } = await callObject(stub, (object) => object.keptLog(first));
  const [begin] = checkpoints;
  if (begin === undefined) throw damaged();
  let edge = await edgeBefore(env.DB, organization, begin.number, first);
  const keys = (await keysOnRecord(env, organization)).flatMap(({ vkey }) => parseVerifierKey(vkey) ?? []);
  const rows = await listCheckpointsFrom(env.DB, organization, begin.number, checkpoints.length);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const kept of checkpoints) {
    const text = textOf(kept);
    const read = parseCheckpoint(text);
    const leaves = kept.leaves.map(([chain, seq, hash, at], i): LeafRow => {
      const data = leafText({ org: organization, chain, seq, hash, at });
      return { leaf_index: edge.size + i, chain, seq, data };
    });
    const grown = append(
      edge.size,
      edge.frontier,
      leaves.map(({ data }) => leafHash(data)),
    );
    const isSigned = read !== null && read.prev === edge.digest && verifyCheckpoint(kept.note, keys).ok;
    if (!isSigned || grown.size !== read.size || grown.root !== read.root) throw damaged();
    const { size: tree_size, root, at, prev } = read;
    const { number, note, ledger_seq } = kept;
    const row: CheckpointRow = { number, tree_size, root, note, at, prev, ledger_seq };
    if (!(await isThere(env.DB, organization, row, byNumber.get(number), leaves, grown.nodes))) {
      await restoreCheckpoint(env.DB, organization, row, leaves, grown.nodes);
      restored.checkpoints += 1;
    }
    edge = { size: grown.size, frontier: grown.frontier, digest: noteDigest(text) };
  }
  const last = checkpoints.at(-1)?.number ?? first;
  if (last === recorded.number && edge.digest !== recorded.digest) throw damaged();
  return last >= recorded.number ? null : last + 1;
}

/** The tree that a checkpoint grows out of, held against what was signed of it. */
async function edgeBefore(
  db: D1Database,
  organization: string,
  number: number,
  asked: number,
): Promise<Edge> {
  if (number === 1) return { size: 0, frontier: [], digest: null };
  // What was sealed before the object kept it is the database's alone: it must be there.
  if (asked !== 1 && asked !== number) throw damaged();
  const row = await readCheckpoint(db, organization, number - 1);
  if (row === null) throw damaged();
  const addresses = frontierNodes(row.tree_size);
  const nodes = await readNodes(db, organization, addresses);
  const frontier = addresses.map(({ level, index }) => nodes.get(`${level}/${index}`) ?? "");
  if (frontier.includes("") || rootOf(frontier) !== row.root) throw damaged();
  return { size: row.tree_size, frontier, digest: noteDigest(textOf(row)) };
}

async function isThere(
  db: D1Database,
  organization: string,
  row: CheckpointRow,
  found: CheckpointRow | undefined,
  leaves: readonly LeafRow[],
  nodes: readonly { readonly level: number; readonly index: number; readonly hash: string }[],
): Promise<boolean> {
  if (found === undefined || found.note !== row.note || found.root !== row.root) return false;
  if (found.tree_size !== row.tree_size || found.at !== row.at || found.prev !== row.prev) return false;
  const first = leaves[0]?.leaf_index ?? 0;
  const stored = leaves.length === 0 ? [] : await listLeaves(db, organization, first, leaves.length);
  if (JSON.stringify(stored.map(({ data }) => data)) !== JSON.stringify(leaves.map(({ data }) => data)))
    return false;
  const there = await readNodes(db, organization, nodes);
  return nodes.every(({ level, index, hash }) => there.get(`${level}/${index}`) === hash);
}

/** A cursor as one text, for a query and a form. */
function writeRestoreCursor(cursor: RestoreCursor): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(cursor))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @throws {Problem} `invalid-request` */
function readRestoreCursor(text: string): RestoreCursor {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    const read = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    ) as RestoreCursor;
    if (read.step === "log" && Number.isSafeInteger(read.number) && read.number > 0) return read;
    if (read.step === "chains" && typeof read.after === "string") return read;
    if (read.step === "governed" && (read.from === null || isStep(read.from))) return read;
  } catch {
    // Falls through to the refusal: whatever it was, it was not ours.
  }
  throw new Problem("invalid-request", "The cursor is not one that a restoration gave.", {
    errors: [{ pointer: "#/query/cursor", detail: "use next_cursor as it came", code: "cursor" }],
  });
}

function isStep({ table, after }: GovernedCursor): boolean {
  return GOVERNED_STEPS.includes(table) && (after === null || typeof after === "string");
}

function damaged(): Problem {
  return new Problem(
    "log-damaged",
    "The log cannot be put back as it was signed out of what is kept. Restore a later copy of the database.",
  );
}
