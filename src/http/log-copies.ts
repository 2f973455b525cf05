/**
 * The second copy of the log: every checkpoint's note and leaves, kept by the organization's object, so that a database
 * that was set back gets them again as they were signed.
 */
import { type CheckpointRow, listCheckpoints, listLeaves, readCheckpoint } from "../db/checkpoints.ts";
import type { KeptCheckpoint, KeptLeaf } from "../durable/log-keeping.ts";
import { leafText, parseLeaf } from "../ledger/index.ts";
import { callObject, organizationStub } from "./sessions.ts";

/** Checkpoints that are taken up at once. */
const TAKEN_AT_ONCE = 20;

/** What the object keeps of a checkpoint; `null` where its leaves are not all there as they were. */
export async function keptOf(
  db: D1Database,
  organization: string,
  row: CheckpointRow,
): Promise<Pick<KeptCheckpoint, "note" | "leaves"> | null> {
  const before = row.number === 1 ? null : await readCheckpoint(db, organization, row.number - 1);
  if (row.number > 1 && before === null) return null;
  const first = before?.tree_size ?? 0;
  const count = row.tree_size - first;
  const leaves: KeptLeaf[] = [];
  for (const { leaf_index, data } of count < 1 ? [] : await listLeaves(db, organization, first, count)) {
    const leaf = parseLeaf(data);
    if (leaf === null || leaf_index !== first + leaves.length || leaf.org !== organization) return null;
    const { chain, seq, hash, at } = leaf;
    if (leafText({ org: organization, chain, seq, hash, at }) !== data) return null;
    leaves.push([chain, seq, hash, at]);
  }
  return leaves.length === count ? { note: row.note, leaves } : null;
}

/** Has the object take up what was sealed before it kept any of it, the newest first. */
export async function takeUpLog(env: Env, organization: string, isLate: () => boolean): Promise<void> {
  do {
    const stub = () => organizationStub(env, organization);
    const { oldest } = await callObject(stub, (object) => object.keptLog(Number.MAX_SAFE_INTEGER));
    const newest = oldest === null ? await callObject(stub, (object) => object.sealed()) : null;
    const before = oldest ?? (newest === null ? 0 : newest.number + 1);
    if (before <= 1) return;
    const older: KeptCheckpoint[] = [];
    for (const row of await listCheckpoints(env.DB, organization, before, TAKEN_AT_ONCE)) {
      const kept = await keptOf(env.DB, organization, row);
      if (kept === null) break;
      older.push({ number: row.number, ...kept, ledger_seq: row.ledger_seq });
    }
    if (older.length === 0) return;
    const taken = await callObject(stub, (object) => object.takeUpLog(older));
    if (taken < older.length) return;
  } while (!isLate());
}
