/** Compares the stored log of heads with what was signed: checkpoints, leaves, and the nodes of the tree over them. */
import { type CheckpointRow, listCheckpointsFrom, listLeaves, readNodes } from "../db/checkpoints.ts";
import { readHeadsOf } from "../db/heads.ts";
import { readStrays } from "../db/log-strays.ts";
import {
  frontierNodes,
  leafHash,
  type NodeAddress,
  nodeHash,
  noteDigest,
  parseLeaf,
  rootOf,
} from "../ledger/index.ts";
import type { Finding, FindingCode } from "./alerts.ts";
import { isAsSigned, textOf } from "./log-last.ts";
import { callObject, organizationStub } from "./sessions.ts";
import { keysOnRecord, verifiersOf } from "./signing-keys.ts";

/** Of one look. */
const LEAVES = 500;
const CHECKPOINTS = 100;
const MAX_FINDINGS = 20;

export interface LogCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** Where to go on; the beginning again once the end was reached. */
  readonly next: number;
  readonly done: boolean;
}

/** Looks at checkpoints from number `first` on: each as it was signed, each following the one before, each over the stored tree. */
export async function checkCheckpoints(env: Env, organization: string, first: number): Promise<LogCheck> {
  const { DB } = env;
  // In this order: what the object has recorded, the database had before.
  const sealed = () =>
    callObject(
      () => organizationStub(env, organization),
      (stub) => stub.sealed(),
    );
  const recorded = await sealed();
  const rows = await listCheckpointsFrom(DB, organization, Math.max(first - 1, 1), CHECKPOINTS + 1);
  const done = rows.length <= CHECKPOINTS;
  // After the checkpoints: whoever made one had its key before.
  const keys = verifiersOf(await keysOnRecord(env, organization));
  const frontiers = rows.map(({ tree_size }) => frontierNodes(sizeOf(tree_size)));
  const nodes = await readNodes(DB, organization, frontiers.flat());
  const findings: Finding[] = [];
  const found = (code: FindingCode, seq: number, row?: CheckpointRow): void => {
    const what = row === undefined ? {} : { what: noteDigest(JSON.stringify(row)) };
    if (findings.length < MAX_FINDINGS) findings.push({ code, place: "log", chain: null, seq, ...what });
  };
  let before: CheckpointRow | null = null;
  for (const [i, row] of rows.entries()) {
    const due: number = before === null ? Math.max(first - 1, 1) : before.number + 1;
    if (row.number > due) found("missing-checkpoint", due);
    const isSound = isAsSigned(organization, row, keys) && (row.number !== due || follows(row, before, due));
    if (!isSound) found("altered-checkpoint", row.number, row);
    else {
      const hashes = (frontiers[i] ?? []).map(({ level, index }) => nodes.get(`${level}/${index}`) ?? "");
      if (rootOf(hashes) !== row.root) found("altered-log", row.tree_size, row);
    }
    before = row;
  }
  const last = before?.number ?? 0;
  if (done && recorded !== null && recorded.number > Math.max(last, first - 1))
    found("missing-checkpoint", Math.max(last, first - 1) + 1);
  const newest = rows.find(({ number }) => number === recorded?.number);
  if (newest !== undefined && noteDigest(textOf(newest)) !== recorded?.digest)
    found("altered-checkpoint", newest.number, newest);
  // One that was made and is not on record yet may follow the newest, and no other.
  if (done && before !== null && last > ((await sealed())?.number ?? 0) + 1)
    found("altered-checkpoint", last, before);
  // A number that is none would have the comparison begin at it again and again.
  const isEnd = done || last < first;
  return { findings, checked: rows.length, next: isEnd ? 1 : last + 1, done: isEnd };
}

function sizeOf(size: number): number {
  return Number.isSafeInteger(size) && size >= 0 ? size : 0;
}

function follows(row: CheckpointRow, before: CheckpointRow | null, due: number): boolean {
  if (before === null) return due > 1 || row.prev === null;
  return row.prev === noteDigest(textOf(before)) && row.tree_size >= before.tree_size && row.at >= before.at;
}

/** Looks at leaves from `first` on, and at the nodes that each of them completes. */
export async function checkLeaves(
  env: Env,
  organization: string,
  first: number,
  size: number,
): Promise<LogCheck> {
  const { DB } = env;
  const findings: Finding[] = [];
  const found = (
    code: FindingCode,
    place: Finding["place"],
    chain: string | null,
    seq: number,
    what = "",
  ): void => {
    if (findings.length < MAX_FINDINGS) findings.push({ code, place, chain, seq, what: noteDigest(what) });
  };
  const end = Math.min(first + LEAVES, size);
  const leaves = await listLeaves(DB, organization, first, LEAVES);
  const byIndex = new Map(leaves.map((leaf) => [leaf.leaf_index, leaf]));
  const completed: NodeAddress[] = [];
  for (let i = first; i < end; i += 1) completed.push(...completedBy(i));
  const nodes = await readNodes(
    DB,
    organization,
    completed.flatMap(({ level, index }) => [
      { level, index },
      ...(level === 0
        ? []
        : [
            { level: level - 1, index: 2 * index },
            { level: level - 1, index: 2 * index + 1 },
          ]),
    ]),
  );
  const heads = await readHeadsOf(DB, organization, [...new Set(leaves.map(({ chain }) => chain))]);
  for (const { level, index } of completed) {
    const hash = nodes.get(`${level}/${index}`);
    if (level > 0) {
      const [left, right] = [
        nodes.get(`${level - 1}/${2 * index}`),
        nodes.get(`${level - 1}/${2 * index + 1}`),
      ];
      if (left === undefined || right === undefined || hash !== nodeHash(left, right))
        found("altered-log", "log", null, (index + 1) * 2 ** level - 1, `${left} ${right} ${hash}`);
      continue;
    }
    const row = byIndex.get(index);
    const leaf = row === undefined ? null : parseLeaf(row.data);
    const isSealed =
      row !== undefined &&
      leaf?.org === organization &&
      leaf.chain === row.chain &&
      leaf.seq === row.seq &&
      leafHash(row.data) === hash;
    if (!isSealed) found("altered-leaf", "log", row?.chain ?? null, index, `${row?.data} ${hash}`);
    else if (!heads.has(row.chain)) found("missing-head", "database", row.chain, row.seq);
    else if ((heads.get(row.chain) ?? 0) < row.seq) found("altered-head", "database", row.chain, row.seq);
  }
  const done = end >= size;
  if (done) {
    const strays = await readStrays(DB, organization);
    if (strays.leaf !== null) found("altered-leaf", "log", null, strays.leaf, "stray");
    if (strays.node) found("altered-log", "log", null, size, "stray");
    if (strays.checkpoint) found("altered-checkpoint", "log", null, 0, "stray");
  }
  return { findings, checked: Math.max(end - first, 0), next: done ? 0 : end, done };
}

/** The full subtrees whose last leaf this is, the leaf itself first. */
function completedBy(leaf: number): NodeAddress[] {
  const nodes: NodeAddress[] = [{ level: 0, index: leaf }];
  let index = leaf;
  for (let level = 1; index % 2 === 1; level += 1) {
    index = (index - 1) / 2;
    nodes.push({ level, index });
  }
  return nodes;
}
