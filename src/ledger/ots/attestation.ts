/** The leaves of a timestamp proof: who says that a message was there, and where to look. Pure. */
import { bytesOfHex, hexOf } from "../bytes.ts";
import { Reader, Writer } from "./wire.ts";

export type Attestation =
  /** A calendar has promised to have the message put into a block: a promise, not a fact. */
  | { readonly kind: "pending"; readonly uri: string }
  /** The message is said to be the merkle root of the block at this height. The height itself is nothing but said. */
  | { readonly kind: "bitcoin" | "litecoin" | "ethereum"; readonly height: number }
  /** Of a kind that nobody here knows: kept, and never counted. `tag` is 16 hex digits. */
  | { readonly kind: "unknown"; readonly tag: string; readonly payload: Uint8Array };

const TAG_BYTES = 8;
const MAX_PAYLOAD_BYTES = 8_192;
export const MAX_URI_BYTES = 1_000;

const TAGS: Readonly<Record<Exclude<Attestation["kind"], "unknown">, string>> = {
  pending: "83dfe30d2ef90c8e",
  bitcoin: "0588960d73d71901",
  litecoin: "06869a0d73d71b45",
  ethereum: "30fe8087b5c7ead7",
};

/** No query, no fragment, no `@`, no `%`: what a proof names will be asked, and may not smuggle anything along. */
const URI = /^[A-Za-z0-9\-._/:]*$/;

/** True for what a pending attestation may name. */
export function isCalendarUri(text: string): boolean {
  return text.length <= MAX_URI_BYTES && URI.test(text);
}

/** Reads an attestation after its 0x00. The reader refuses what is none. */
export function readAttestation(reader: Reader): Attestation {
  const tag = hexOf(reader.bytes(TAG_BYTES, "the kind of an attestation"));
  const start = reader.at;
  const payload = reader.sized(0, MAX_PAYLOAD_BYTES, "an attestation");
  if (tag !== TAGS.pending && tag !== TAGS.bitcoin && tag !== TAGS.litecoin && tag !== TAGS.ethereum)
    return { kind: "unknown", tag, payload };
  const inner = new Reader(payload, reader.at - payload.length);
  if (tag === TAGS.pending) {
    const named = inner.sized(0, MAX_URI_BYTES, "the address of a calendar");
    const uri = String.fromCharCode(...named);
    if (!isCalendarUri(uri))
      inner.refuse("uri", "The address of a calendar holds a character that it may not.", start);
    inner.end("an attestation");
    return { kind: "pending", uri };
  }
  const height = inner.number("a block height");
  inner.end("an attestation");
  const kind = tag === TAGS.bitcoin ? "bitcoin" : tag === TAGS.litecoin ? "litecoin" : "ethereum";
  return { kind, height };
}

/** The bytes of an attestation after its 0x00. */
export function attestationBytes(attestation: Attestation): Uint8Array {
  const payload = new Writer();
  if (attestation.kind === "unknown") payload.bytes(attestation.payload);
  else if (attestation.kind === "pending") payload.sized(new TextEncoder().encode(attestation.uri));
  else payload.number(attestation.height);
  const tag = attestation.kind === "unknown" ? attestation.tag : TAGS[attestation.kind];
  const all = new Writer();
  all.bytes(bytesOfHex(tag) ?? new Uint8Array());
  all.sized(payload.done());
  return all.done();
}

/** The order in which a proof holds them: by the bytes of the kind, then by what is said. */
export function compareAttestations(a: Attestation, b: Attestation): number {
  const [left, right] = [a, b].map((one) => (one.kind === "unknown" ? one.tag : TAGS[one.kind]));
  if (left !== right) return (left ?? "") < (right ?? "") ? -1 : 1;
  if ("height" in a && "height" in b) return a.height - b.height;
  const [x, y] = [a, b].map((one) =>
    one.kind === "pending" ? one.uri : one.kind === "unknown" ? hexOf(one.payload) : "",
  );
  return (x ?? "") === (y ?? "") ? 0 : (x ?? "") < (y ?? "") ? -1 : 1;
}
