/**
 * Checkpoints: what an organization's log of heads was at one time, signed (C2SP tlog-checkpoint), each naming the one
 * before it. Pure, and reading is total.
 *
 *     <host>/<organization id>
 *     <tree size>
 *     <base64 of the root>
 *     prev <SHA-256 of the text of the checkpoint before it, or - for the first>
 *     at <epoch milliseconds>
 */
import { createHash } from "node:crypto";
import { base64Of, bytesOfBase64, bytesOfHex, HASH, hexOf } from "./bytes.ts";
import { canonicalText } from "./canonical.ts";
import { EMPTY_ROOT, type Hash, verifyConsistency } from "./merkle.ts";
import { signsAt, type VerifierKey, verifyNote } from "./note.ts";

/** A leaf of the log: what the head of one chain was. */
export interface Leaf {
  readonly v: 1;
  readonly org: string;
  /** `organization`, or `session:` and the root session's id. */
  readonly chain: string;
  readonly seq: number;
  readonly hash: Hash;
  /** Epoch milliseconds of the head's entry. */
  readonly at: number;
}

export interface Checkpoint {
  /** `<host>/<organization id>`: the name of its keys too. */
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
  /** {@link noteDigest} of the checkpoint before it; `null` for the first. */
  readonly prev: Hash | null;
  /** Epoch milliseconds; never before the newest head that it holds, nor before the checkpoint before it. */
  readonly at: number;
}

/** The bytes of a leaf: RFC 8785 text. */
export function leafText(leaf: Omit<Leaf, "v">): string {
  const { org, chain, seq, hash, at } = leaf;
  return canonicalText({ v: 1, org, chain, seq, hash, at });
}

/** Reads a leaf; `null` for any text but the one {@link leafText} gives. Total. */
export function parseLeaf(text: string): Leaf | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const leaf = value as Leaf;
  const known =
    leaf.v === 1 &&
    typeof leaf.org === "string" &&
    typeof leaf.chain === "string" &&
    (leaf.chain === "organization" || leaf.chain.startsWith("session:")) &&
    Number.isSafeInteger(leaf.seq) &&
    leaf.seq >= 1 &&
    typeof leaf.hash === "string" &&
    HASH.test(leaf.hash) &&
    Number.isSafeInteger(leaf.at) &&
    text.isWellFormed() &&
    leaf.org.isWellFormed() &&
    leaf.chain.isWellFormed();
  return known && leafText(leaf) === text ? leaf : null;
}

/**
 * The text of a checkpoint, to be signed with `signNote`.
 * @param now epoch milliseconds; time does not run backwards in a log, whatever the clock does
 * @param newest the latest `at` among the heads in the tree
 * @param previous the checkpoint before this one, as {@link parseCheckpoint} reads it, and its text
 */
export function nextCheckpoint(next: {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
  readonly now: number;
  readonly newest: number;
  readonly previous: { readonly text: string; readonly at: number } | null;
}): string {
  const { origin, size, root, now, newest, previous } = next;
  return checkpointText({
    origin,
    size,
    root,
    prev: previous === null ? null : noteDigest(previous.text),
    at: Math.max(now, newest, previous?.at ?? 0),
  });
}

export function checkpointText(checkpoint: Checkpoint): string {
  const { origin, size, root, prev, at } = checkpoint;
  const base64 = base64Of(bytesOfHex(root) ?? new Uint8Array());
  return `${origin}\n${size}\n${base64}\nprev ${prev ?? "-"}\nat ${at}\n`;
}

/** Reads the text of a checkpoint; `null` for any text but the one {@link checkpointText} gives. Total. */
export function parseCheckpoint(text: string): Checkpoint | null {
  if (text.length > 2_048) return null;
  const match = /^(\S+)\n(\d{1,16})\n(\S{44})\nprev (-|[0-9a-f]{64})\nat (\d{1,16})\n$/.exec(text);
  if (match === null) return null;
  const [, origin = "", size = "", base64 = "", prev = "", at = ""] = match;
  const root = bytesOfBase64(base64);
  if (root === null || root.length !== 32) return null;
  const checkpoint: Checkpoint = {
    origin,
    size: Number(size),
    root: hexOf(root),
    prev: prev === "-" ? null : prev,
    at: Number(at),
  };
  const { size: leaves, at: when } = checkpoint;
  if (!Number.isSafeInteger(leaves) || !Number.isSafeInteger(when)) return null;
  if (leaves === 0 && checkpoint.root !== EMPTY_ROOT) return null;
  return checkpointText(checkpoint) === text ? checkpoint : null;
}

/** What the next checkpoint names, and what is anchored: SHA-256 of the text that is signed, signatures left out. */
export function noteDigest(text: string): Hash {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The organization that an origin speaks of, or `null`. */
export function organizationOfOrigin(origin: string): string | null {
  const [, organization] = /^[^/]+\/([^/]+)$/.exec(origin) ?? [];
  return organization ?? null;
}

export type CheckpointBreakCode =
  | "malformed-note"
  | "malformed-checkpoint"
  | "signature"
  | "unknown-key"
  | "key-time"
  | "origin"
  | "previous-checkpoint"
  | "tree-size"
  | "root"
  | "time"
  | "consistency";

export type VerifiedCheckpoint =
  | {
      readonly ok: true;
      readonly checkpoint: Checkpoint;
      readonly text: string;
      readonly signers: readonly VerifierKey[];
    }
  | {
      readonly ok: false;
      readonly code: CheckpointBreakCode;
      readonly byte: number;
      readonly message: string;
    };

/**
 * Verifies one checkpoint: its signatures, its form, and that a key signed it which bears the log's name and signs at
 * that time. Total.
 */
export function verifyCheckpoint(note: string, keys: readonly VerifierKey[]): VerifiedCheckpoint {
  const verified = verifyNote(note, keys);
  if (!verified.ok) return verified;
  const checkpoint = parseCheckpoint(verified.text);
  if (checkpoint === null)
    return {
      ok: false,
      code: "malformed-checkpoint",
      byte: 0,
      message: "The signed text is not that of a checkpoint.",
    };
  // A key of another log is no witness of this one, however much it is trusted for its own.
  const own = verified.signers.filter((key) => key.name === checkpoint.origin);
  if (own.length === 0)
    return {
      ok: false,
      code: "origin",
      byte: 0,
      message: `The checkpoint is of ${checkpoint.origin}; the key that signed it is another log's.`,
    };
  // A key that was given up may be anybody's by now: nothing that is dated after its end can rest on it.
  const signers = own.filter((key) => signsAt(key, checkpoint.at));
  if (signers.length === 0)
    return {
      ok: false,
      code: "key-time",
      byte: 0,
      message: `The checkpoint is dated ${checkpoint.at}, when none of the keys that signed it did sign.`,
    };
  return { ok: true, checkpoint, text: verified.text, signers };
}

export interface CheckpointBreak {
  readonly code: CheckpointBreakCode;
  /** Which of the checkpoints, from 1. */
  readonly checkpoint: number;
  readonly message: string;
}

export interface CheckpointsReport {
  readonly ok: boolean;
  /** Checkpoints that verified, counted up to the break. */
  readonly checkpoints: number;
  readonly organization: string | null;
  readonly latest: Checkpoint | null;
  readonly broken: CheckpointBreak | null;
}

/**
 * Verifies checkpoints that follow one another, oldest first. The first may follow one that was not given.
 * @param proofs the consistency proof from each but the last to the next, where they are at hand: without them it is
 *   shown that each names the one before it, not that its tree began with the other's. One that is missing among them
 *   is one that does not hold
 */
export function verifyCheckpoints(
  notes: readonly string[],
  keys: readonly VerifierKey[],
  proofs: readonly (readonly Hash[])[] | null = null,
): CheckpointsReport {
  let before: { checkpoint: Checkpoint; text: string } | null = null;
  for (const [i, note] of notes.entries()) {
    const read = verifyCheckpoint(note, keys);
    const fault = read.ok ? followsFrom(before, read, proofs === null ? null : (proofs[i - 1] ?? [])) : read;
    if (fault !== null || !read.ok)
      return {
        ok: false,
        checkpoints: i,
        organization: before === null ? null : organizationOfOrigin(before.checkpoint.origin),
        latest: before?.checkpoint ?? null,
        broken: { code: fault?.code ?? "malformed-note", checkpoint: i + 1, message: fault?.message ?? "" },
      };
    before = read;
  }
  return {
    ok: before !== null,
    checkpoints: notes.length,
    organization: before === null ? null : organizationOfOrigin(before.checkpoint.origin),
    latest: before?.checkpoint ?? null,
    broken:
      before === null
        ? { code: "malformed-checkpoint", checkpoint: 1, message: "There is no checkpoint here." }
        : null,
  };
}

type Fault = { readonly code: CheckpointBreakCode; readonly message: string };

function followsFrom(
  before: { checkpoint: Checkpoint; text: string } | null,
  { checkpoint }: { checkpoint: Checkpoint },
  proof: readonly Hash[] | null,
): Fault | null {
  if (before === null) return null;
  const old = before.checkpoint;
  if (checkpoint.origin !== old.origin)
    return { code: "origin", message: `It is of ${checkpoint.origin}, the one before it of ${old.origin}.` };
  if (checkpoint.prev !== noteDigest(before.text))
    return { code: "previous-checkpoint", message: "It does not name the checkpoint before it." };
  if (checkpoint.size < old.size)
    return { code: "tree-size", message: `Its tree has ${checkpoint.size} leaves, fewer than ${old.size}.` };
  if (checkpoint.at < old.at) return { code: "time", message: "It is dated before the one it follows." };
  if (checkpoint.size === old.size && checkpoint.root !== old.root)
    return { code: "root", message: "Its tree has as many leaves as the one before it, and another root." };
  const claim = {
    first: old.size,
    second: checkpoint.size,
    firstRoot: old.root,
    secondRoot: checkpoint.root,
  };
  if (proof !== null && !verifyConsistency({ ...claim, proof }))
    return { code: "consistency", message: "Its tree did not begin with the tree of the one before it." };
  return null;
}
