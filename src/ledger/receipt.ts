/**
 * A receipt: one file that proves one entry offline. From the entry a path of entries leads to a head, the head stands
 * in a leaf of the organization's log, the leaf in the tree of a checkpoint, and the checkpoint is signed. Pure; reading
 * is total and bounded.
 */
import { type Disclosed, entryHash, genesis, type Head, type StoredEntry } from "./chain.ts";
import {
  type Checkpoint,
  noteDigest,
  organizationOfOrigin,
  parseCheckpoint,
  parseLeaf,
} from "./checkpoint.ts";
import { coversOf, KEYS_NOT_COMPARED, RECEIPT_NOT_PROVEN } from "./claims.ts";
import { type Hash, leafHash, verifyInclusion } from "./merkle.ts";
import {
  formatVerifierKey,
  parseNote,
  parseVerifierKey,
  signsAt,
  type VerifierKey,
  verifyNote,
} from "./note.ts";
import { type EntryBreakCode, isCanonical, readEntry, readStored } from "./reading.ts";
import { readReceipt } from "./receipt-form.ts";
import { claimsFault, saidOf } from "./receipt-said.ts";

/** The file, as JSON. All members are there; nothing stands beside them. */
export interface Receipt {
  readonly countersign_receipt: 1;
  readonly organization: string;
  /** `organization`, or `session:` and the root session's id. */
  readonly chain: string;
  readonly entry: StoredEntry;
  /** What the body commits to, where it is told. */
  readonly disclosed: Disclosed | null;
  /** Private text and salt are not kept any more. */
  readonly private_gone: boolean;
  /** The texts of the entries after it, up to the head that the leaf names. */
  readonly path: readonly string[];
  readonly leaf: string;
  readonly inclusion: {
    readonly index: number;
    readonly tree_size: number;
    readonly hashes: readonly Hash[];
  };
  /** The signed note. */
  readonly checkpoint: string;
  /** Verifier keys of those who signed it. */
  readonly keys: readonly string[];
  readonly anchor: ReceiptAnchor | null;
  readonly covers: string;
  readonly not_proven: readonly string[];
}

/** A timestamp proof over the checkpoint's text, and the block headers that are known to it. */
export interface ReceiptAnchor {
  /** Base64 of an `.ots` file over SHA-256 of the text that is signed. */
  readonly ots: string;
  /** 80 bytes of hex each, by block height. */
  readonly headers: Readonly<Record<string, string>>;
}

export type ReceiptBreakCode =
  | "malformed-file"
  | "unknown-version"
  | EntryBreakCode
  | "organization"
  | "chain"
  | "genesis"
  | "sequence"
  | "previous-hash"
  | "time"
  | "malformed-leaf"
  | "leaf"
  | "malformed-note"
  | "malformed-checkpoint"
  | "origin"
  | "tree-size"
  | "inclusion"
  | "malformed-key"
  | "signature"
  | "unknown-key"
  | "key-time"
  | "anchor"
  | "claims";

export interface ReceiptBreak {
  readonly code: ReceiptBreakCode;
  /** Where in the file: an RFC 6901 pointer. */
  readonly pointer: string;
  /** The sequence number that is concerned, where one is. */
  readonly seq: number | null;
  readonly message: string;
}

/** `pending`: right as far as it goes, and not established yet. `note`: said, not checked. */
export interface Check {
  readonly status: "ok" | "pending" | "fail" | "note";
  readonly text: string;
}

export interface ReceiptReport {
  /** `unreadable`: no receipt, or of a version that is not known here. */
  readonly result: "holds" | "broken" | "pending" | "unreadable";
  readonly checks: readonly Check[];
  readonly broken: ReceiptBreak | null;
  readonly organization: string | null;
  readonly chain: string | null;
  readonly seq: number | null;
  readonly not_proven: readonly string[];
}

/** Judges the anchor of a checkpoint: the checks, or why it is none. */
export type AnchorJudge = (
  anchor: ReceiptAnchor,
  /** What must have been stamped: SHA-256 of the checkpoint's text. */
  digest: Hash,
  /** Epoch milliseconds of the checkpoint: no block that is older can hold it. */
  since: number,
) => readonly Check[] | { readonly pointer: string; readonly message: string };

/** Makes a receipt. Of the keys those stand in it that signed the checkpoint. */
export function buildReceipt(
  what: Omit<Receipt, "countersign_receipt" | "inclusion" | "covers" | "not_proven"> & {
    readonly inclusion: { readonly index: number; readonly size: number; readonly proof: readonly Hash[] };
  },
): Receipt {
  const { entry, hash, body } = what.entry;
  const signed = parseNote(what.checkpoint);
  const signers = signed.ok ? signed.note.signatures : [];
  return {
    countersign_receipt: 1,
    organization: what.organization,
    chain: what.chain,
    entry: { hash, entry, body },
    disclosed:
      what.disclosed === null ? null : { private: what.disclosed.private, salt: what.disclosed.salt },
    private_gone: what.private_gone,
    path: what.path,
    leaf: what.leaf,
    inclusion: {
      index: what.inclusion.index,
      tree_size: what.inclusion.size,
      hashes: what.inclusion.proof,
    },
    checkpoint: what.checkpoint,
    keys: what.keys.filter((text) => {
      const key = parseVerifierKey(text);
      return signers.some((one) => one.name === key?.name && one.id === key.id);
    }),
    anchor: what.anchor,
    covers: coversOf(body, what.disclosed, what.private_gone),
    not_proven: RECEIPT_NOT_PROVEN,
  };
}

/** The file's text. */
export function formatReceipt(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

export interface ReceiptFault {
  readonly code: ReceiptBreakCode;
  readonly pointer: string;
  readonly seq?: number | undefined;
  readonly message: string;
}

/**
 * Verifies a receipt: a file's text or bytes, or its JSON value, in which a member that stands twice can no longer be
 * seen. Total.
 * @param keys verifier keys that are trusted, from elsewhere than the receipt. Without any, its signatures are held
 *   against the keys that it brings itself, and the result is no more than `pending`
 */
export function verifyReceipt(
  file: unknown,
  { keys = [], anchor = null }: { keys?: readonly VerifierKey[]; anchor?: AnchorJudge | null } = {},
): ReceiptReport {
  const read = readReceipt(file);
  if ("code" in read) {
    const { unreadable, ...fault } = read;
    return report(null, [], fault, unreadable);
  }
  const { receipt } = read;
  const checks: Check[] = [];
  const fault = check(receipt, checks, keys, anchor);
  return report(receipt, checks, fault, false);
}

function report(
  receipt: Receipt | null,
  checks: readonly Check[],
  fault: ReceiptFault | null,
  unreadable: boolean,
): ReceiptReport {
  const pending = checks.some((one) => one.status === "pending");
  const entry = receipt === null ? null : readEntry(receipt.entry.entry);
  return {
    result: fault === null ? (pending ? "pending" : "holds") : unreadable ? "unreadable" : "broken",
    checks: fault === null ? checks : [...checks, { status: "fail", text: fault.message }],
    broken: fault === null ? null : { ...fault, seq: fault.seq ?? null },
    organization: receipt?.organization ?? null,
    chain: receipt?.chain ?? null,
    seq: entry?.seq ?? null,
    not_proven: RECEIPT_NOT_PROVEN,
  };
}

/** Adds a check for each step that holds, and gives the first fault. */
function check(
  receipt: Receipt,
  checks: Check[],
  trusted: readonly VerifierKey[],
  anchor: AnchorJudge | null,
): ReceiptFault | null {
  const ok = (text: string): void => void checks.push({ status: "ok", text });
  const head = entryFault(receipt, ok) ?? pathOf(receipt, ok);
  if ("code" in head) return head;
  const leaf = leafFault(receipt, head);
  if (leaf !== null) return leaf;
  ok(`the log's leaf ${receipt.inclusion.index} names that head`);
  const checkpoint = checkpointOf(receipt, head, ok);
  if ("code" in checkpoint) return checkpoint;
  const signed = signatureFault(receipt, checkpoint.checkpoint, trusted, checks);
  if (signed !== null) return signed;
  if (receipt.anchor === null) checks.push({ status: "note", text: "the checkpoint is not anchored" });
  else if (anchor === null) checks.push({ status: "note", text: "the anchor was not looked at" });
  else {
    const judged = anchor(receipt.anchor, noteDigest(checkpoint.text), checkpoint.checkpoint.at);
    if ("message" in judged) return { code: "anchor", ...judged };
    checks.push(...judged);
  }
  const said = claimsFault(receipt);
  if (said !== null) return said;
  checks.push(...saidOf(receipt));
  return null;
}

function entryFault(receipt: Receipt, ok: (text: string) => void): ReceiptFault | null {
  const { organization, chain, disclosed } = receipt;
  const read = readStored(receipt.entry, disclosed);
  if ("code" in read) return { ...read, pointer: WHERE[read.code], seq: readEntry(receipt.entry.entry)?.seq };
  const { org, session, seq, prev } = read.entry;
  if (org !== organization)
    return { code: "organization", pointer: "/organization", seq, message: `The entry is of ${org}.` };
  if ((session === null) !== (chain === "organization"))
    return { code: "chain", pointer: "/chain", seq, message: "The entry is of another chain." };
  if (seq < 1) return { code: "sequence", pointer: "/entry/entry", seq, message: "A chain begins at 1." };
  if (
    seq === 1 &&
    (prev !== genesis({ org, session }).hash || (session !== null && chain !== `session:${session}`))
  )
    return {
      code: "genesis",
      pointer: "/entry/entry",
      seq,
      message: "This is not the first entry of that chain.",
    };
  ok(`entry ${seq} of ${chain} has its hash, and its body is the one it commits to`);
  if (disclosed !== null) ok("the private text is the one that the body commits to");
  return null;
}

const WHERE: Readonly<Record<EntryBreakCode, string>> = {
  "malformed-entry": "/entry/entry",
  "entry-hash": "/entry/hash",
  "malformed-body": "/entry/body",
  "body-hash": "/entry/body",
  private: "/disclosed",
};

/** The head that the path leads to. */
function pathOf(
  { entry, path }: Receipt,
  ok: (text: string) => void,
): (Head & { at: number }) | ReceiptFault {
  const first = readEntry(entry.entry);
  if (first === null)
    return { code: "malformed-entry", pointer: "/entry/entry", message: "This is no entry." };
  let head = { seq: first.seq, hash: entry.hash, at: first.at };
  for (const [i, text] of path.entries()) {
    const at = { pointer: `/path/${i}`, seq: head.seq + 1 };
    const next = readEntry(text);
    if (next === null || !isCanonical(text))
      return { ...at, code: "malformed-entry", message: "This is not the text of a version 1 entry." };
    if (next.seq !== head.seq + 1)
      return { ...at, code: "sequence", message: `Entry ${next.seq} stands where ${head.seq + 1} was due.` };
    if (next.prev !== head.hash)
      return { ...at, code: "previous-hash", message: "The entry does not follow from the one before it." };
    if (next.org !== first.org)
      return { ...at, code: "organization", message: "The entry belongs to another organization." };
    if (next.at < head.at)
      return { ...at, code: "time", message: "The entry is dated before the one it follows." };
    head = { seq: next.seq, hash: entryHash(text), at: next.at };
  }
  ok(
    path.length === 0
      ? "it is the head"
      : `${path.length} further entries lead from it to the head ${head.seq}`,
  );
  return head;
}

function leafFault(receipt: Receipt, head: Head & { at: number }): ReceiptFault | null {
  const at = { pointer: "/leaf", seq: head.seq };
  const leaf = parseLeaf(receipt.leaf);
  if (leaf === null) return { ...at, code: "malformed-leaf", message: "This is not the text of a leaf." };
  if (leaf.org !== receipt.organization)
    return { ...at, code: "organization", message: `The leaf is of ${leaf.org}.` };
  if (leaf.chain !== receipt.chain) return { ...at, code: "chain", message: `The leaf is of ${leaf.chain}.` };
  if (leaf.seq !== head.seq || leaf.hash !== head.hash || leaf.at !== head.at)
    return { ...at, code: "leaf", message: "The leaf does not name the head that the path leads to." };
  return null;
}

function checkpointOf(
  receipt: Receipt,
  head: { at: number },
  ok: (text: string) => void,
): { checkpoint: Checkpoint; text: string } | ReceiptFault {
  const { inclusion, organization } = receipt;
  const pointer = "/checkpoint";
  const read = parseNote(receipt.checkpoint);
  if (!read.ok) return { code: "malformed-note", pointer, message: `${read.message} (byte ${read.byte})` };
  const { text } = read.note;
  const checkpoint = parseCheckpoint(text);
  if (checkpoint === null)
    return { code: "malformed-checkpoint", pointer, message: "The signed text is not that of a checkpoint." };
  if (organizationOfOrigin(checkpoint.origin) !== organization)
    return { code: "origin", pointer, message: `The checkpoint is of ${checkpoint.origin}.` };
  const { size, root, at } = checkpoint;
  if (inclusion.tree_size !== size) {
    const message = `The checkpoint's tree has ${size} leaves.`;
    return { code: "tree-size", pointer: "/inclusion/tree_size", message };
  }
  const claim = { leaf: leafHash(receipt.leaf), index: inclusion.index, size, proof: inclusion.hashes, root };
  if (!verifyInclusion(claim))
    return {
      code: "inclusion",
      pointer: "/inclusion",
      message: "The leaf is not shown to stand in that tree.",
    };
  if (head.at > at)
    return { code: "time", pointer, message: "The checkpoint is dated before the head that it holds." };
  ok(`the leaf stands in the tree of ${size} leaves that the checkpoint is over`);
  return { checkpoint, text };
}

function signatureFault(
  receipt: Receipt,
  { origin, at }: Checkpoint,
  trusted: readonly VerifierKey[],
  checks: Check[],
): ReceiptFault | null {
  const own: VerifierKey[] = [];
  for (const [i, text] of receipt.keys.entries()) {
    const key = parseVerifierKey(text);
    const pointer = `/keys/${i}`;
    if (key === null) return { code: "malformed-key", pointer, message: "This is no verifier key." };
    if (key.name !== origin) return { code: "origin", pointer, message: "The key is not that log's." };
    own.push(key);
  }
  const pointer = "/checkpoint";
  const brought = verifyNote(receipt.checkpoint, own);
  if (!brought.ok) return { code: brought.code, pointer, message: brought.message };
  const idle = own.findIndex((key) => !brought.signers.includes(key));
  if (idle !== -1)
    return {
      code: "unknown-key",
      pointer: `/keys/${idle}`,
      message: "This key did not sign the checkpoint.",
    };
  if (trusted.length === 0) {
    checks.push({ status: "ok", text: `${own.map((key) => key.id).join(" and ")} of ${origin} signed it` });
    checks.push({ status: "pending", text: KEYS_NOT_COMPARED });
    return null;
  }
  const signed = verifyNote(
    receipt.checkpoint,
    trusted.filter((key) => key.name === origin),
  );
  if (!signed.ok) return { code: signed.code, pointer, message: signed.message };
  const inTime = signed.signers.filter((key) => signsAt(key, at));
  if (inTime.length === 0)
    return {
      code: "key-time",
      pointer,
      message: `The checkpoint is dated ${at}, when none of the keys that signed it did sign.`,
    };
  const names = inTime.map((key) => formatVerifierKey(key)).join(" and ");
  checks.push({ status: "ok", text: `a key that was given signed it: ${names}` });
  return null;
}
