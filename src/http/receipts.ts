/**
 * Makes receipts. One is taken from what is stored and checked before it leaves: a receipt that would not verify is
 * nobody's proof, and the fault is ours.
 */
import { readAnchorOf } from "../db/anchors.ts";
import { type CheckpointRow, readCheckpointOver, readLeafOver } from "../db/checkpoints.ts";
import { chainName } from "../db/publish.ts";
import { readPurged } from "../db/purged.ts";
import { lastCopied, listCopied, listDisclosed } from "../db/records.ts";
import type { ExportPage } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import {
  buildReceipt,
  type ChainIdentity,
  commitmentOf,
  type Disclosed,
  formatReceipt,
  genesis,
  noteDigest,
  parseVerifierKey,
  type ReceiptAnchor,
  type StoredEntry,
  verifyReceipt,
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { headersOf } from "./anchor-state.ts";
import { copiedEntries } from "./chain-copy.ts";
import { textOf } from "./checkpoints.ts";
import { inclusionOf } from "./consistency.ts";
import { callObject, organizationStub, sessionStub } from "./sessions.ts";
import { keysOnRecord } from "./signing-keys.ts";

/**
 * Entries that may lead from one to its sealed head, in a receipt that is made here. The format holds more; but the
 * clock seals every few minutes, and an isolate has 128 MB for all that it is asked at once.
 */
const MOST_PATH = 10_000;
/** Entries that are read at once: of those that only lead on, no body is kept. */
const READ_AT_ONCE = 500;

/** Which chain a name of {@link chainName} means, or `null`. */
export function identityOf(organization: string, chain: string): ChainIdentity | null {
  if (chain === "organization") return { org: organization, session: null };
  const session = chain.startsWith("session:") ? chain.slice("session:".length) : "";
  return session === "" ? null : { org: organization, session };
}

/**
 * The receipt of one entry, as a file's text.
 * @param disclose tells the private text that the entry commits to, where it is still kept
 * @throws {Problem} `not-found`, `not-sealed-yet`, `log-damaged`
 */
export async function receiptOf(
  env: Env,
  identity: ChainIdentity,
  seq: number,
  disclose: boolean,
): Promise<string> {
  const { org } = identity;
  const chain = chainName(identity);
  const leaf = await readLeafOver(env.DB, org, chain, seq);
  const checkpoint = leaf === null ? null : await readCheckpointOver(env.DB, org, leaf.leaf_index);
  if (leaf === null || checkpoint === null) throw await notYet(env, identity, seq);
  if (leaf.seq - seq > MOST_PATH)
    throw new Problem(
      "conflict",
      `More than ${MOST_PATH} entries lead from this one to the next head that was sealed: no receipt is made of so many. Export the chain and check it with the checkpoint.`,
    );
  const { entry, path, waiting } = await entriesOf(env, identity, seq, leaf.seq);
  if (entry === null || path.length !== leaf.seq - seq) throw damaged(org, "path");
  const commits = commitmentOf(entry.body) !== null;
  const disclosed = commits ? (waiting ?? (await disclosedOf(env.DB, org, chain, seq))) : null;
  const keys = (await keysOnRecord(env, org)).map(({ vkey }) => vkey);
  const receipt = buildReceipt({
    organization: org,
    chain,
    entry,
    disclosed: disclose ? disclosed : null,
    private_gone: commits && disclosed === null,
    path,
    leaf: leaf.data,
    inclusion: {
      index: leaf.leaf_index,
      size: checkpoint.tree_size,
      proof: await inclusionOf(env.DB, org, leaf.leaf_index, checkpoint.tree_size),
    },
    checkpoint: checkpoint.note,
    keys,
    anchor: await anchorOver(env.DB, org, checkpoint),
  });
  const text = formatReceipt(receipt);
  const trusted = keys.flatMap((key) => parseVerifierKey(key) ?? []);
  const { result, broken } = verifyReceipt(text, { keys: trusted });
  if (result !== "holds") throw damaged(org, broken?.code ?? result);
  return text;
}

/** The proof that a checkpoint is older than a block, as far as it has come. */
async function anchorOver(
  db: D1Database,
  organization: string,
  checkpoint: CheckpointRow,
): Promise<ReceiptAnchor | null> {
  const anchor = await readAnchorOf(db, organization, noteDigest(textOf(checkpoint)));
  if (anchor?.proof == null) return null;
  return { ots: anchor.proof, headers: Object.fromEntries(headersOf(anchor)) };
}

/** One entry whole, and the texts of those that lead from it to a head. */
interface Stretch {
  readonly entry: StoredEntry | null;
  readonly path: readonly string[];
  /** The entry's private text where D1 does not have it yet. */
  readonly waiting: Disclosed | null;
}

/** Entries `first` to `last`, from the object, or from D1's copy where the object is gone. */
async function entriesOf(env: Env, identity: ChainIdentity, first: number, last: number): Promise<Stretch> {
  const { org, session } = identity;
  const stub = () => (session === null ? organizationStub(env, org) : sessionStub(env, org, session));
  // What is purged is told by nobody, also where it has not yet arrived. The organization's own is not purged.
  const since = session === null ? 0 : await readPurged(env.DB, org);
  let entry: StoredEntry | null = null;
  let waiting: Disclosed | null = null;
  const path: string[] = [];
  for (let after: number | null = first - 1; after !== null && after < last; ) {
    const isFirst = after === first - 1;
    const page: ExportPage = await callObject(stub, (object) =>
      object.page(after ?? 0, isFirst ? since : null),
    );
    for (const line of page.lines) {
      const read = JSON.parse(line) as StoredEntry & Partial<Disclosed>;
      if (entry !== null && path.length < last - first) path.push(read.entry);
      if (entry !== null) continue;
      entry = { hash: read.hash, entry: read.entry, body: read.body };
      if (read.private !== undefined && read.salt !== undefined)
        waiting = { private: read.private, salt: read.salt };
    }
    after = page.next;
  }
  if (entry !== null) return { entry, path, waiting };
  return { ...(await copiedStretch(env.DB, identity, first, last)), waiting: null };
}

async function copiedStretch(
  db: D1Database,
  identity: ChainIdentity,
  first: number,
  last: number,
): Promise<Omit<Stretch, "waiting">> {
  const { org } = identity;
  const chain = chainName(identity);
  const [before] = first === 1 ? [] : await listCopied(db, org, chain, first - 1, first - 1);
  let prev = first === 1 ? genesis(identity).hash : (before?.hash ?? "");
  let entry: StoredEntry | null = null;
  const path: string[] = [];
  for (let from = first; from <= last; from += READ_AT_ONCE) {
    const to = Math.min(from + READ_AT_ONCE - 1, last);
    const entries = await copiedEntries(db, org, chain, from, to, prev);
    for (const one of entries)
      if (entry === null) entry = one;
      else path.push(one.entry);
    prev = entries.at(-1)?.hash ?? "";
    if (entries.length < to - from + 1) break;
  }
  return { entry, path };
}

async function disclosedOf(
  db: D1Database,
  organization: string,
  chain: string,
  seq: number,
): Promise<Disclosed | null> {
  const [row] = await listDisclosed(db, organization, chain, seq, seq);
  return row === undefined ? null : { private: row.private, salt: row.salt };
}

/** Why there is no receipt: the entry is not there, or no checkpoint covers it yet. */
async function notYet(env: Env, identity: ChainIdentity, seq: number): Promise<Problem> {
  const { org, session } = identity;
  const chain = chainName(identity);
  if (seq > (await lastCopied(env.DB, org, chain))) {
    const stub = () => (session === null ? organizationStub(env, org) : sessionStub(env, org, session));
    const position = await callObject(stub, (object) => object.position());
    if (position === null || seq > position.seq) return new Problem("not-found", "There is no such entry.");
  }
  return new Problem(
    "not-sealed-yet",
    "No checkpoint covers this entry yet. An admin makes one with POST /v1/checkpoints, a few seconds after the entry; otherwise the next one by the clock does.",
    { extra: { chain, seq } },
  );
}

function damaged(organization: string, why: string): Problem {
  log.error("receipt-does-not-verify", why, { organization });
  return new Problem(
    "log-damaged",
    "What is stored does not make a receipt that verifies. POST /v1/drift-check says where it is damaged.",
  );
}
