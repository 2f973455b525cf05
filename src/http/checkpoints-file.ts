/**
 * The file of checkpoints that a stranger checks a log by: signed notes, what shows that each tree began with the one
 * before it, the leaves of the last one, and the keys. It is written as it is read, and never held whole.
 */
import {
  type CheckpointRow,
  listCheckpointsFrom,
  listLeaves,
  readCheckpoint,
  readLatestCheckpoint,
  readNodes,
} from "../db/checkpoints.ts";
import { Problem } from "../errors.ts";
import { consistencyNodes, consistencyProof } from "../ledger/index.ts";
import { consistencyBetween } from "./consistency.ts";
import { keysOnRecord } from "./signing-keys.ts";

/** Checkpoints of one file: a month of one every five minutes. */
export const MOST_CHECKPOINTS = 10_000;
/** Leaves of one file: with names as long as they may be, they stay within what a verifier reads. */
export const MOST_LEAVES = 250_000;

/** Rows of one query, and proofs whose nodes are read together: some thirty nodes each. */
const ROWS_AT_ONCE = 500;
const LEAVES_AT_ONCE = 2_000;
const PROOFS_AT_ONCE = 100;

/** What a file holds, told before its first byte. */
export interface CheckpointsFilePlan {
  readonly first: number;
  readonly last: number;
  readonly leaves: boolean;
  /** The number that the next file begins with, which this one ends with; `null` when this is the newest. */
  readonly next: number | null;
  readonly pieces: AsyncGenerator<string>;
}

/**
 * The file from checkpoint `first` on.
 * @param leaves whether to add every leaf of the last one's tree; more than {@link MOST_LEAVES} are left out
 * @throws {Problem} `not-found`; `log-damaged` where the first and the last do not belong together
 */
export async function checkpointsFile(
  env: Env,
  organization: string,
  { first, limit, leaves }: { readonly first: number; readonly limit: number; readonly leaves: boolean },
): Promise<CheckpointsFilePlan> {
  const { DB: db } = env;
  const [from, newest] = await Promise.all([
    readCheckpoint(db, organization, first),
    readLatestCheckpoint(db, organization),
  ]);
  if (from === null || newest === null)
    throw new Problem("not-found", "There is no such checkpoint. POST /v1/checkpoints makes one.");
  const number = Math.min(newest.number, first + limit - 1);
  const last = number === newest.number ? newest : await readCheckpoint(db, organization, number);
  if (last === null) throw new Problem("log-damaged", "A checkpoint is missing. Run POST /v1/drift-check.");
  await consistencyBetween(db, organization, first, number);
  const withLeaves = leaves && last.tree_size <= MOST_LEAVES;
  return {
    first,
    last: number,
    leaves: withLeaves,
    next: number === newest.number ? null : number,
    pieces: piecesOf(env, organization, from, last, withLeaves),
  };
}

/** JSON as `JSON.stringify` writes it: a verifier takes no other spelling. */
async function* piecesOf(
  env: Env,
  organization: string,
  from: CheckpointRow,
  last: CheckpointRow,
  withLeaves: boolean,
): AsyncGenerator<string> {
  const { DB: db } = env;
  yield `{"countersign_checkpoints":1,"organization":${JSON.stringify(organization)},"checkpoints":[`;
  const sizes: number[] = [];
  for await (const { note, tree_size } of rowsOf(db, organization, from.number, last.number)) {
    yield `${sizes.length === 0 ? "" : ","}${JSON.stringify(note)}`;
    sizes.push(tree_size);
  }
  yield '],"consistency":[';
  for (let at = 1; at < sizes.length; at += PROOFS_AT_ONCE) {
    const proofs = await proofsOf(db, organization, sizes.slice(at - 1, at + PROOFS_AT_ONCE));
    yield `${at === 1 ? "" : ","}${proofs.map((proof) => JSON.stringify(proof)).join(",")}`;
  }
  yield withLeaves ? '],"leaves":[' : '],"leaves":null,"keys":[';
  if (withLeaves) {
    for (let at = 0; at < last.tree_size; ) {
      const rows = await listLeaves(db, organization, at, Math.min(LEAVES_AT_ONCE, last.tree_size - at));
      if (rows.length === 0) throw new Error("leaves of the log are missing");
      yield `${at === 0 ? "" : ","}${rows.map(({ data }) => JSON.stringify(data)).join(",")}`;
      at += rows.length;
    }
    yield '],"keys":[';
  }
  const keys = await keysOnRecord(env, organization);
  yield `${keys.map(({ vkey }) => JSON.stringify(vkey)).join(",")}]}`;
}

/** Checkpoints from one number to another. What fails here breaks the file off: it is no JSON then. */
async function* rowsOf(
  db: D1Database,
  organization: string,
  first: number,
  last: number,
): AsyncGenerator<CheckpointRow> {
  for (let next = first; next <= last; ) {
    const rows = await listCheckpointsFrom(db, organization, next, Math.min(ROWS_AT_ONCE, last - next + 1));
    for (const row of rows) {
      if (row.number !== next) throw new Error(`checkpoint ${next} is missing`);
      yield row;
      next += 1;
    }
    if (rows.length === 0) throw new Error(`checkpoint ${next} is missing`);
  }
}

/** A consistency proof from each size but the last to the next. */
async function proofsOf(db: D1Database, organization: string, sizes: readonly number[]): Promise<string[][]> {
  const pairs = sizes.slice(1).map((second, i) => [sizes[i] ?? 0, second] as const);
  const nodes = await readNodes(
    db,
    organization,
    pairs.flatMap(([first, second]) => consistencyNodes(first, second)),
  );
  return pairs.map(([first, second]) =>
    consistencyProof(first, second, ({ level, index }) => nodes.get(`${level}/${index}`)),
  );
}
