/** What an anchor's row holds, read and judged: the proof, the headers under it, and how far it has come by them. */
import type { AnchorRow, AnchorState } from "../db/anchors.ts";
import { base64Of, bytesOfBase64, hexOf } from "../ledger/index.ts";
import {
  attestationsOf,
  BLOCK_OFF_MS,
  type Headers,
  type JudgedProof,
  judge,
  type Proof,
  parseProof,
  readHeader,
  serializeProof,
  without,
} from "../ledger/ots/index.ts";
import { AnchoringSettings } from "./settings.ts";

/** Headers that are kept of one proof. */
export const MAX_HEADERS = 64;

/** What an anchor's proof is, taken apart; `null` until a calendar took it. */
export function proofOf(row: Pick<AnchorRow, "proof">): Proof | null {
  const file = row.proof === null ? null : bytesOfBase64(row.proof);
  const read = file === null ? null : parseProof(file);
  return read?.ok === true ? read.proof : null;
}

export function headersOf(row: Pick<AnchorRow, "headers">): Headers {
  const kept = JSON.parse(row.headers) as Record<string, string>;
  return new Map(Object.entries(kept).map(([height, header]) => [Number(height), header]));
}

/** The proof of an anchor, held against its digest and the headers that are kept; `null` while there is none. */
export function judgedAnchor(
  row: Pick<AnchorRow, "proof" | "headers" | "digest" | "created_at">,
): JudgedProof | null {
  const proof = proofOf(row);
  return proof === null ? null : judge(proof, { digest: row.digest }, headersOf(row), row.created_at);
}

/** How far a proof has come by what is in it. */
export function stateOf(judged: JudgedProof | null): AnchorState {
  if (judged === null) return "unsubmitted";
  if (judged.confirmed !== null) return "confirmed";
  return judged.attestations.some(({ state }) => state === "header-missing") ? "attested" : "pending";
}

/** The settings, as they are kept; what is wrong with them is as if it were not there. */
export function anchoringOf(settings: string): AnchoringSettings {
  const { anchoring } = JSON.parse(settings) as { anchoring?: unknown };
  const read = AnchoringSettings.safeParse(anchoring ?? {});
  return read.success ? read.data : {};
}

/**
 * The file of a proof, base64. Once a block confirms it, what says of a known block that it does, too, and is wrong,
 * goes: one calendar that lies could otherwise make a receipt fail that another one's word bears out.
 */
export function confirmedProof({ proof, confirmed, attestations }: JudgedProof): string {
  const wrong = new Set(attestations.flatMap((one) => (one.state === "refuted" ? [one.attestation] : [])));
  const left =
    confirmed === null || wrong.size === 0
      ? proof.timestamp
      : without(proof.timestamp, ({ attestation }) => wrong.has(attestation));
  return base64Of(serializeProof({ hash: proof.hash, timestamp: left ?? proof.timestamp }));
}

export function headersText(headers: Headers): string {
  return JSON.stringify(Object.fromEntries([...headers].sort(([a], [b]) => a - b)));
}

/**
 * Why a header is not that of the block into which the proof leads at this height; `null` when it is.
 *
 * A proof of ours begins with bytes drawn when it was made, so that no older block holds it. A calendar and a source of
 * headers that agree could otherwise date it back, into a block of years ago, whose work costs far less today.
 * @param since when the anchor was made, epoch milliseconds
 */
export function headerFault(proof: Proof, height: number, header: string, since: number): string | null {
  const named = attestationsOf(proof.timestamp).filter(
    ({ attestation }) => attestation.kind === "bitcoin" && attestation.height === height,
  );
  if (named.length === 0) return "height-not-named";
  const read = readHeader(header, height);
  if (!read.ok) return read.code;
  const root = hexOf(read.header.merkleRoot);
  if (!named.some(({ message }) => hexOf(message) === root)) return "merkle-root";
  return read.header.time * 1_000 + BLOCK_OFF_MS < since ? "block-too-old" : null;
}
