/**
 * The newest checkpoint, on record. What the database holds under its number is put on record, and the next one signed
 * onward from it, only if it is what the organization's own keys signed: neither can be taken back.
 */
import { type CheckpointRow, readCheckpoint, readLatestCheckpoint, replaceNote } from "../db/checkpoints.ts";
import type { SigningKeyRow } from "../db/signing-keys.ts";
import type { SealedCheckpoint } from "../durable/sealing-changes.ts";
import { Problem } from "../errors.ts";
import {
  noteDigest,
  organizationOfOrigin,
  parseNote,
  signNote,
  type VerifierKey,
  verifyCheckpoint,
} from "../ledger/index.ts";
import { log } from "../log.ts";
import { type FindingCode, raiseAlert } from "./alerts.ts";
import { anchorCheckpoint } from "./anchor-work.ts";
import { governAs } from "./governing.ts";
import { keptOf } from "./log-copies.ts";
import { callObject, organizationStub } from "./sessions.ts";
import { isLive, keysOnRecord, signersOf, verifiersOf } from "./signing-keys.ts";

/** Others make checkpoints and keys meanwhile: then it is looked at once more. */
const MAX_TRIES = 5;

/** The text of a checkpoint that is signed; empty where the note was damaged. */
export function textOf({ note }: Pick<CheckpointRow, "note">): string {
  const read = parseNote(note);
  return read.ok ? read.note.text : "";
}

/**
 * @param own the number of the one that this caller has made; any other is put on record in nobody's name
 * @param actor the caller's member
 * @throws {Problem} `log-damaged` when it is not the one that is on record, or not one that can be put on record
 */
export async function lastOnRecord(
  env: Env,
  organization: string,
  own: number | null,
  actor: string | null,
): Promise<CheckpointRow | null> {
  for (let tries = 1; ; tries += 1) {
    // In this order: what is recorded later is in the database before.
    const recorded = await sealedOf(env, organization);
    const last = await readLatestCheckpoint(env.DB, organization);
    const keys = await keysOnRecord(env, organization);
    const fault = await faultOf(env, organization, recorded, last, verifiersOf(keys));
    if (fault !== null) {
      // Another one may have been put on record between the two answers.
      const isNew = (await sealedOf(env, organization))?.number !== recorded?.number;
      if (isNew && tries < MAX_TRIES) continue;
      await raiseAlert(env, organization, { ...fault, place: "log", chain: null });
      throw damaged();
    }
    if (last === null || recorded?.number === last.number) return last;
    if (await putOnRecord(env, organization, last, keys, last.number === own ? actor : null))
      return readCheckpoint(env.DB, organization, last.number);
    if (tries >= MAX_TRIES)
      throw new Problem("conflict", "Keys and checkpoints are being made. Try again in a moment.");
  }
}

/** The newest checkpoint that the organization's object has on record, or `null`. */
export function sealedOf(env: Env, organization: string): Promise<SealedCheckpoint | null> {
  return callObject(
    () => organizationStub(env, organization),
    (stub) => stub.sealed(),
  );
}

type Fault = { readonly code: FindingCode; readonly seq: number; readonly what?: string };

/** Why the newest checkpoint of the database is not the one on record, nor one that follows it; `null` if it is. */
export async function faultOf(
  env: Env,
  organization: string,
  recorded: SealedCheckpoint | null,
  last: CheckpointRow | null,
  keys: readonly VerifierKey[],
): Promise<Fault | null> {
  if (last === null) return recorded === null ? null : { code: "missing-checkpoint", seq: recorded.number };
  if (recorded !== null && last.number < recorded.number)
    return { code: "missing-checkpoint", seq: recorded.number };
  const altered = (row: CheckpointRow): Fault => {
    return { code: "altered-checkpoint", seq: row.number, what: noteDigest(JSON.stringify(row)) };
  };
  if (!isAsSigned(organization, last, keys)) return altered(last);
  const digest = noteDigest(textOf(last));
  if (recorded?.number === last.number) return digest === recorded.digest ? null : altered(last);
  if (last.number !== (recorded?.number ?? 0) + 1 || last.prev !== (recorded?.digest ?? null))
    return altered(last);
  if (recorded === null) return null;
  const before = await readCheckpoint(env.DB, organization, recorded.number);
  if (before === null) return { code: "missing-checkpoint", seq: recorded.number };
  if (noteDigest(textOf(before)) !== recorded.digest || !isAsSigned(organization, before, keys))
    return altered(before);
  return last.tree_size >= before.tree_size && last.at >= before.at ? null : altered(last);
}

/** Whether a row is a checkpoint of this organization that one of these keys signed, and says in its columns what it says. */
export function isAsSigned(organization: string, row: CheckpointRow, keys: readonly VerifierKey[]): boolean {
  const read = verifyCheckpoint(row.note, keys);
  if (!read.ok) return false;
  const { origin, size, root, prev, at } = read.checkpoint;
  return (
    organizationOfOrigin(origin) === organization &&
    size === row.tree_size &&
    root === row.root &&
    prev === row.prev &&
    at === row.at
  );
}

/** @returns false where it has to be looked at once more */
async function putOnRecord(
  env: Env,
  organization: string,
  last: CheckpointRow,
  keys: readonly SigningKeyRow[],
  actor: string | null,
): Promise<boolean> {
  const { number, tree_size, root, at, prev } = last;
  const signed = verifyCheckpoint(last.note, verifiersOf(keys));
  const signed_by = signed.ok ? signed.signers.map(({ id }) => id) : [];
  const isTimely = keys.some((key) => signed_by.includes(key.key_id) && isLive(key, at));
  if (!isTimely) {
    // A key was replaced, with no overlap, between signing and this: the same text is signed by those whose time it is.
    const text = textOf(last);
    const [name = ""] = text.split("\n");
    const note = signNote(text, await signersOf(env, organization, name, at));
    await replaceNote(env.DB, organization, number, last.note, note);
    return false;
  }
  const digest = noteDigest(textOf(last));
  const kept = await keptOf(env.DB, organization, last);
  const change = {
    kind: "checkpoint",
    number,
    tree_size,
    root,
    digest,
    at,
    prev,
    signed_by,
    ...(kept === null ? {} : { kept }),
  } as const;
  try {
    await governAs(env, organization, change, actor, `checkpoint/${number}/${digest}`);
  } catch (error) {
    if (error instanceof Problem && error.code === "conflict") return false;
    throw error;
  }
  try {
    await anchorCheckpoint(env, organization, { number, digest });
  } catch (error) {
    // The next one is anchored, and names this one.
    log.error("checkpoint-not-anchored", error, { organization, number });
  }
  return true;
}

export function damaged(): Problem {
  return new Problem(
    "log-damaged",
    "What the database holds of the organization's log is not what was signed. Nothing more is signed over it; the organization's ledger says what was found.",
  );
}
