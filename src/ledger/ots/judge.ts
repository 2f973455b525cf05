/**
 * What a timestamp proof establishes, told apart: that these bytes are the ones that were stamped (integrity), and that
 * they were there before another time (priority). Pure and total.
 */
import { hexOf } from "../bytes.ts";
import { type BlockHeader, FIRST_HEIGHT, readHeader } from "./header.ts";
import { type HashName, hashWith } from "./operation.ts";
import { type Attested, attestationsOf, type Proof, parseProof } from "./timestamp.ts";
import type { Refusal } from "./wire.ts";

/** Block headers by the height that is claimed for them, as 160 hex digits. */
export type Headers = ReadonlyMap<number, string>;

export type AttestationState =
  /** The header of the block holds the message as its merkle root, and meets its own target. */
  | "confirmed"
  /** A calendar has promised a block. */
  | "pending"
  /** A Bitcoin block is named, and its header is not known here: its time is not either. */
  | "header-missing"
  /** The header that was given is not one of this block. */
  | "header-refused"
  /** The header is in order, and its merkle root is another: the proof does not lead into it. */
  | "refuted"
  /** The block is older than OpenTimestamps: a header of it is cheap to make, and establishes nothing. */
  | "too-early"
  /** Of a kind that is not checked here: it establishes nothing. */
  | "not-checked";

export interface JudgedAttestation extends Attested {
  readonly state: AttestationState;
  /** The header, where `state` is `confirmed`. */
  readonly header: BlockHeader | null;
  /** What was wrong, where something was. */
  readonly why: string | null;
}

export type Standing = "established" | "pending" | "not claimed" | "not established";

export interface JudgedProof {
  readonly ok: true;
  readonly proof: Proof;
  /** The digest that the proof begins with, hex. */
  readonly digest: string;
  /** Whether the bytes or the digest that were given are that; `null` when none were. */
  readonly matches: boolean | null;
  readonly attestations: readonly JudgedAttestation[];
  /** The earliest block that confirms it. */
  readonly confirmed: { readonly height: number; readonly header: BlockHeader } | null;
}

/** What is held against the digest of a proof: the bytes themselves, or their digest by the proof's own hash, hex. */
export type Stamped = { readonly bytes: Uint8Array } | { readonly digest: string } | null;

/** A block's time, which its miner sets, may be so far off. */
export const BLOCK_OFF_MS = 2 * 60 * 60 * 1_000;

/**
 * Judges a `.ots` file.
 * @param since when what was stamped was made, epoch milliseconds, where that is known: no older block holds it
 */
export function judgeProof(
  file: Uint8Array,
  stamped: Stamped,
  headers: Headers,
  since = 0,
): JudgedProof | Refusal {
  const read = parseProof(file);
  if (!read.ok) return read;
  return judge(read.proof, stamped, headers, since);
}

/** The same of a proof that was read. */
export function judge(proof: Proof, stamped: Stamped, headers: Headers, since = 0): JudgedProof {
  const digest = hexOf(proof.timestamp.message);
  const attestations = attestationsOf(proof.timestamp).map((one) => judgeAttestation(one, headers, since));
  let confirmed: JudgedProof["confirmed"] = null;
  for (const { attestation, header } of attestations)
    if (header !== null && "height" in attestation && header.time < (confirmed?.header.time ?? Infinity))
      confirmed = { height: attestation.height, header };
  return {
    ok: true,
    proof,
    digest,
    matches: stamped === null ? null : digest === digestOf(stamped, proof.hash),
    attestations,
    confirmed,
  };
}

function digestOf(stamped: NonNullable<Stamped>, hash: HashName): string {
  return "digest" in stamped ? stamped.digest.toLowerCase() : hexOf(hashWith(hash, stamped.bytes));
}

function judgeAttestation(one: Attested, headers: Headers, since: number): JudgedAttestation {
  const { attestation } = one;
  const as = (
    state: AttestationState,
    message: string | null = null,
    header: BlockHeader | null = null,
  ): JudgedAttestation => ({ ...one, state, header, why: message });
  if (attestation.kind === "pending") return as("pending");
  if (attestation.kind !== "bitcoin") return as("not-checked");
  const hex = headers.get(attestation.height);
  if (one.message.length !== 32)
    return as("refuted", `The proof ends in ${one.message.length} bytes; a merkle root has 32.`);
  if (attestation.height < FIRST_HEIGHT) return as("too-early");
  if (hex === undefined) return as("header-missing");
  const read = readHeader(hex, attestation.height);
  if (!read.ok) return as("header-refused", read.message);
  if (hexOf(read.header.merkleRoot) !== hexOf(one.message))
    return as(
      "refuted",
      `The proof ends in ${hexOf(one.message)}; the merkle root of block ${attestation.height} is ${hexOf(read.header.merkleRoot)}.`,
    );
  if (read.header.time * 1_000 + BLOCK_OFF_MS < since)
    return as("refuted", `Block ${attestation.height} is older than what it would confirm.`);
  return as("confirmed", null, read.header);
}

/** Whether the bytes at hand are the stamped ones, by a proof that somebody else has confirmed too. */
export function integrityOf(judged: JudgedProof): Standing {
  if (judged.matches === false) return "not established";
  if (judged.confirmed !== null) return judged.matches === null ? "not claimed" : "established";
  return mayStillBe(judged) ? "pending" : "not established";
}

/**
 * Whether the bytes were there before they were published: a block's time, which miners set, is earlier.
 * @param publishedAt epoch milliseconds; `null` when nobody says that they were
 */
export function priorityOf(judged: JudgedProof, publishedAt: number | null): Standing {
  if (publishedAt === null) return "not claimed";
  if (judged.matches === false) return "not established";
  if (judged.confirmed !== null)
    return judged.confirmed.header.time * 1_000 < publishedAt ? "established" : "not established";
  return mayStillBe(judged) ? "pending" : "not established";
}

function mayStillBe(judged: JudgedProof): boolean {
  return judged.attestations.some(({ state }) => state === "pending" || state === "header-missing");
}
