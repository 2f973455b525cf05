/** Proofs out of the log's stored nodes. */
import { readCheckpoint, readNodes } from "../db/checkpoints.ts";
import { Problem } from "../errors.ts";
import {
  consistencyNodes,
  consistencyProof,
  EMPTY_ROOT,
  inclusionNodes,
  inclusionProof,
  type NodeAddress,
  type ReadNode,
  verifyConsistency,
} from "../ledger/index.ts";

interface Side {
  readonly number: number;
  readonly tree_size: number;
  readonly root: string;
}

/** Before the first checkpoint. */
const EMPTY: Side = { number: 0, tree_size: 0, root: EMPTY_ROOT };

/**
 * Proves that the log of checkpoint `to` began with that of checkpoint `from`; 0 is the log without leaves.
 * @throws {Problem} `not-found`; `invalid-request` when `from` is the newer one; `log-damaged`
 */
export async function consistencyBetween(
  db: D1Database,
  organization: string,
  from: number,
  to: number,
): Promise<{ from: Side; to: Side; proof: string[] }> {
  const [older, newer] = await Promise.all([
    from === 0 ? EMPTY : readCheckpoint(db, organization, from),
    readCheckpoint(db, organization, to),
  ]);
  if (older === null || newer === null) throw new Problem("not-found", "There is no such checkpoint.");
  if (older.number > newer.number)
    throw new Problem("invalid-request", "`from` must be the older of the two checkpoints.", {
      errors: [{ pointer: "#/query/from", detail: `at most ${newer.number}`, code: "too_big" }],
    });
  const [first, second] = [older.tree_size, newer.tree_size];
  const read = await reader(db, organization, consistencyNodes(first, second));
  const proof = proven(() => consistencyProof(first, second, read));
  const claim = { first, second, firstRoot: older.root, secondRoot: newer.root, proof };
  if (!verifyConsistency(claim)) throw damaged();
  return { from: side(older), to: side(newer), proof };
}

/** The proof that leaf `index` stands in the tree of `size` leaves. @throws {Problem} `log-damaged` */
export async function inclusionOf(
  db: D1Database,
  organization: string,
  index: number,
  size: number,
): Promise<string[]> {
  const read = await reader(db, organization, inclusionNodes(index, size));
  return proven(() => inclusionProof(index, size, read));
}

async function reader(
  db: D1Database,
  organization: string,
  addresses: readonly NodeAddress[],
): Promise<ReadNode> {
  const nodes = await readNodes(db, organization, addresses);
  return ({ level, index }) => nodes.get(`${level}/${index}`);
}

function proven(prove: () => string[]): string[] {
  try {
    return prove();
  } catch (error) {
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}

function side({ number, tree_size, root }: Side): Side {
  return { number, tree_size, root };
}

function damaged(): Problem {
  return new Problem(
    "log-damaged",
    "The stored log does not prove what was signed. Run POST /v1/drift-check.",
  );
}
