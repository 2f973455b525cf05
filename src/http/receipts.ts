/**
 * Makes receipts. One is taken from what is stored and checked before it leaves: a receipt that would not verify is
 * nobody's proof, and the fault is ours.
 */
import { readAnchorOf } from "../db/anchors.ts";
import { type CheckpointRow, readCheckpointOver, readLeafOver } from "../db/checkpoints.ts";
import { chainName } from "../db/publish.ts";
import { readPurged } from "../db/purged.ts";
import { lastCopied, listCopied, listDisclosed } from "../db/records.ts";
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
  RECEIPT_LIMITS,
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
  if (leaf.seq - seq > RECEIPT_LIMITS.path)
    throw new Problem(
      "conflict",
      `More than ${RECEIPT_LIMITS.path} entries lead from this one to the next head that was sealed: no receipt holds so many. Export the chain and check it with the checkpoint.`,
    );
  const { entries, waiting } = await entriesOf(env, identity, seq, leaf.seq);
  const [entry, ...rest] = entries;
  if (entry === undefined || entries.length !== leaf.seq - seq + 1) throw damaged(org, "path");
  const commits = commitmentOf(entry.body) !== null;
  const disclosed = commits ? (waiting ?? (await disclosedOf(env.DB, org, chain, seq))) : null;
  const keys = (await keysOnRecord(env, org)).map(({ vkey }) => vkey);
  const receipt = buildReceipt({
    organization: org,
    chain,
    entry,
    disclosed: disclose ? disclosed : null,
    private_gone: commits && disclosed === null,
    path: rest.map((one) => one.entry),
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

/**
 * Entries `first` to `last`, from the object, or from D1's copy where the object is gone.
 * @returns beside them the first one's private text where D1 does not have it yet
 */
async function entriesOf(
  env: Env,
  identity: ChainIdentity,
  first: number,
  last: number,
): Promise<{ readonly entries: StoredEntry[]; readonly waiting: Disclosed | null }> {
  const { org, session } = identity;
  const stub = () => (session === null ? organizationStub(env, org) : sessionStub(env, org, session));
  // What is purged is told by nobody, also where it has not yet arrived. The organization's own is not purged.
  const since = session === null ? 0 : await readPurged(env.DB, org);
  const entries: StoredEntry[] = [];
  let waiting: Disclosed | null = null;
  for (let after = first - 1; after < last; ) {
    const page = await callObject(stub, (object) => object.page(after, after === first - 1 ? since : null));
    for (const line of page.lines) {
      const { hash, entry, body, ...kept } = JSON.parse(line) as StoredEntry & Partial<Disclosed>;
      if (entries.length === 0 && kept.private !== undefined && kept.salt !== undefined)
        waiting = { private: kept.private, salt: kept.salt };
      if (first + entries.length <= last) entries.push({ hash, entry, body });
    }
    after = first - 1 + entries.length;
    if (page.next === null) break;
  }
  if (entries.length > 0) return { entries, waiting };
  const chain = chainName(identity);
  const [before] = first === 1 ? [] : await listCopied(env.DB, org, chain, first - 1, first - 1);
  const prev = first === 1 ? genesis(identity).hash : (before?.hash ?? "");
  return { entries: await copiedEntries(env.DB, org, chain, first, last, prev), waiting };
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
