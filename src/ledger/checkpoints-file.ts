/**
 * Checkpoints in one file, oldest first, with what shows that each tree began with the one before it: consistency
 * proofs, or the leaves themselves. Pure; reading is total and bounded.
 */
import {
  type CheckpointBreakCode,
  type Leaf,
  organizationOfOrigin,
  parseCheckpoint,
  parseLeaf,
  verifyCheckpoints,
} from "./checkpoint.ts";
import { CHECKPOINT_NOT_PROVEN, KEYS_NOT_COMPARED } from "./claims.ts";
import { either, hash, list, members, readFile, text } from "./form.ts";
import { append, type Hash, leafHash } from "./merkle.ts";
import {
  MAX_NOTE_BYTES,
  MAX_NOTE_SIGNATURES,
  parseNote,
  parseVerifierKey,
  type VerifierKey,
} from "./note.ts";
import type { Check } from "./receipt.ts";

/** The file, as JSON. All members are there; nothing stands beside them. */
export interface CheckpointsFile {
  readonly countersign_checkpoints: 1;
  readonly organization: string;
  /** Signed notes. The first may follow one that is not here. */
  readonly checkpoints: readonly string[];
  /** From each but the last to the next. */
  readonly consistency: readonly (readonly Hash[])[] | null;
  /** Every leaf of the last one's tree, from the first. */
  readonly leaves: readonly string[] | null;
  /** Verifier keys of the log. */
  readonly keys: readonly string[];
}

/** A signature takes as long to check as some kilobytes to hash: the two keys of a rotation, of every checkpoint. */
export const CHECKPOINTS_LIMITS = {
  file: 268_435_456,
  checkpoints: 100_000,
  leaves: 1_000_000,
  signatures: 200_000,
} as const;

export interface CheckpointsFileBreak {
  readonly code:
    | CheckpointBreakCode
    | "malformed-file"
    | "unknown-version"
    | "malformed-key"
    | "malformed-leaf"
    | "leaf";
  /** Where in the file: an RFC 6901 pointer. */
  readonly pointer: string;
  readonly message: string;
}

export interface CheckpointsFileReport {
  readonly result: "holds" | "broken" | "pending" | "unreadable";
  readonly checks: readonly Check[];
  readonly broken: CheckpointsFileBreak | null;
  readonly organization: string | null;
  /**
   * The heads that the last checkpoint seals, for `verifyChain`; empty where no leaves are here or anything fails. Of a
   * file that is `pending` they show no more than it does.
   */
  readonly heads: readonly Leaf[];
  readonly not_proven: readonly string[];
}

const FORM = members({
  countersign_checkpoints: () => null,
  organization: text(2_048),
  checkpoints: list(CHECKPOINTS_LIMITS.checkpoints, text(MAX_NOTE_BYTES), 1),
  consistency: either(list(CHECKPOINTS_LIMITS.checkpoints, list(64, hash))),
  leaves: either(list(CHECKPOINTS_LIMITS.leaves, text(16_384))),
  keys: list(MAX_NOTE_SIGNATURES * 64, text(1_024), 1),
});

/**
 * Verifies such a file: its text or bytes, or its JSON value. Total.
 * @param keys verifier keys that are trusted, from elsewhere than the file; without any the result is no more than
 *   `pending`
 */
export function verifyCheckpointsFile(
  file: unknown,
  { keys = [] }: { keys?: readonly VerifierKey[] } = {},
): CheckpointsFileReport {
  const checks: Check[] = [];
  const heads: Leaf[] = [];
  const done = (
    organization: string | null,
    broken: CheckpointsFileBreak | null,
    unreadable = false,
  ): CheckpointsFileReport => ({
    result:
      broken === null
        ? checks.some((one) => one.status === "pending")
          ? "pending"
          : "holds"
        : unreadable
          ? "unreadable"
          : "broken",
    checks: broken === null ? checks : [...checks, { status: "fail", text: broken.message }],
    broken,
    organization,
    heads: broken === null ? heads : [],
    not_proven: CHECKPOINT_NOT_PROVEN,
  });
  const read = readFile(file, "countersign_checkpoints", CHECKPOINTS_LIMITS.file, FORM);
  if ("code" in read) {
    const { unreadable, ...fault } = read;
    return done(null, fault, unreadable);
  }
  const given = read.value as unknown as CheckpointsFile;
  return done(given.organization, boundsFault(given) ?? check(given, keys, checks, heads));
}

/** What the form of each member by itself does not say. */
function boundsFault({ checkpoints, consistency }: CheckpointsFile): CheckpointsFileBreak | null {
  const no = (pointer: string, message: string) => ({ code: "malformed-file", pointer, message }) as const;
  if (consistency !== null && consistency.length !== checkpoints.length - 1)
    return no("/consistency", "There is a proof from each checkpoint but the last to the next.");
  let signatures = 0;
  for (const [i, note] of checkpoints.entries()) {
    const read = parseNote(note);
    signatures += read.ok ? read.note.signatures.length : 0;
    if (signatures > CHECKPOINTS_LIMITS.signatures)
      return no(`/checkpoints/${i}`, `A file holds ${CHECKPOINTS_LIMITS.signatures} signatures at most.`);
  }
  return null;
}

function check(
  file: CheckpointsFile,
  trusted: readonly VerifierKey[],
  checks: Check[],
  heads: Leaf[],
): CheckpointsFileBreak | null {
  const { organization, checkpoints, consistency } = file;
  const own: VerifierKey[] = [];
  for (const [i, vkey] of file.keys.entries()) {
    const key = parseVerifierKey(vkey);
    const pointer = `/keys/${i}`;
    if (key === null) return { code: "malformed-key", pointer, message: "This is no verifier key." };
    if (organizationOfOrigin(key.name) !== organization)
      return { code: "origin", pointer, message: "The key is not this organization's log's." };
    own.push(key);
  }
  const keys = trusted.length === 0 ? own : trusted;
  const { broken, latest } = verifyCheckpoints(checkpoints, keys, consistency);
  if (broken !== null) {
    const { code, message, checkpoint } = broken;
    return { code, pointer: `/checkpoints/${checkpoint - 1}`, message };
  }
  if (latest === null || organizationOfOrigin(latest.origin) !== organization)
    return { code: "origin", pointer: "/organization", message: `The checkpoints are of ${latest?.origin}.` };
  checks.push({
    status: "ok",
    text: `${checkpoints.length} checkpoints of ${latest.origin} follow from one another and are signed`,
  });
  if (consistency !== null) checks.push({ status: "ok", text: "each tree began with the one before it" });
  const wrong = leavesFault(file, heads);
  if (wrong !== null) return wrong;
  if (file.leaves !== null)
    checks.push({ status: "ok", text: `the ${file.leaves.length} leaves give every checkpoint's root` });
  else if (consistency === null && checkpoints.length > 1)
    checks.push({
      status: "pending",
      text: "neither leaves nor consistency proofs show that the trees only grew",
    });
  if (trusted.length === 0) checks.push({ status: "pending", text: KEYS_NOT_COMPARED });
  return null;
}

const NONE = { size: 0, root: "", at: 0 };

/** Reads the leaves into `heads`, and holds the roots against them. */
function leavesFault(file: CheckpointsFile, heads: Leaf[]): CheckpointsFileBreak | null {
  if (file.leaves === null) return null;
  const newest = new Map<string, Leaf>();
  for (const [i, one] of file.leaves.entries()) {
    const pointer = `/leaves/${i}`;
    const leaf = parseLeaf(one);
    if (leaf === null || leaf.org !== file.organization)
      return { code: "malformed-leaf", pointer, message: "This is no leaf of this organization's log." };
    const before = newest.get(leaf.chain);
    if (before !== undefined && leaf.seq <= before.seq)
      return { code: "leaf", pointer, message: "A chain's head went backwards." };
    if (before !== undefined && leaf.at < before.at)
      return {
        code: "time",
        pointer,
        message: "The head is dated before the one of its chain that it follows.",
      };
    newest.set(leaf.chain, leaf);
    heads.push(leaf);
  }
  let tree = append(0, [], []);
  for (const [i, note] of file.checkpoints.entries()) {
    // Every one of these was read a moment ago.
    const { size, root, at } = parseCheckpoint(note.slice(0, note.lastIndexOf("\n\n") + 1)) ?? NONE;
    const more = file.leaves.slice(tree.size, size);
    const isLater = heads.slice(tree.size, size).some((leaf) => leaf.at > at);
    tree = append(tree.size, tree.frontier, more.map(leafHash));
    if (tree.size !== size)
      return {
        code: "tree-size",
        pointer: "/leaves",
        message: `Its tree has ${size} leaves; ${tree.size} are here.`,
      };
    if (tree.root !== root)
      return { code: "root", pointer: `/checkpoints/${i}`, message: "The leaves do not give this root." };
    if (isLater)
      return {
        code: "time",
        pointer: `/checkpoints/${i}`,
        message: "The checkpoint is dated before a head that it holds.",
      };
  }
  return tree.size === file.leaves.length
    ? null
    : { code: "tree-size", pointer: "/leaves", message: "There are more leaves than the last tree has." };
}
