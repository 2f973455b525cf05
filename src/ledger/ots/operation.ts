/**
 * The edges of a timestamp proof: operations that make one message of another. Pure.
 *
 * Every result depends on every byte of the message, so that whoever knew the result had a commitment to the message.
 */
import { keccak256, ripemd160, sha1, sha256 } from "./hashes.ts";

/** Of what an operation is done to, and of what comes of it. */
export const MAX_MESSAGE_BYTES = 4_096;

export type HashName = "sha1" | "ripemd160" | "sha256" | "keccak256";

export type Operation =
  | { readonly kind: "append" | "prepend"; readonly argument: Uint8Array }
  | { readonly kind: "reverse" | "hexlify" | HashName };

const TAGS = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
} as const satisfies Record<Operation["kind"], number>;

const KINDS = new Map(Object.entries(TAGS).map(([kind, tag]) => [tag as number, kind as Operation["kind"]]));

export const DIGEST_BYTES: Readonly<Record<HashName, number>> = {
  sha1: 20,
  ripemd160: 20,
  sha256: 32,
  keccak256: 32,
};

const HASHES = { sha1, ripemd160, sha256, keccak256 } as const;

/** What a byte of a message costs, SHA-2 being 1: the two that are written here are slow. */
const COSTS: Readonly<Partial<Record<Operation["kind"], number>>> = { ripemd160: 4, keccak256: 16 };
/** What it costs to begin, in the same measure: a hash of little is a hash of a block. */
const COST_OF_ANY = 128;

/** The kind that a byte names, or `null`. */
export function operationKind(tag: number): Operation["kind"] | null {
  return KINDS.get(tag) ?? null;
}

export function operationTag(operation: Operation): number {
  return TAGS[operation.kind];
}

export function isHashName(kind: Operation["kind"]): kind is HashName {
  return kind in HASHES;
}

export function hashWith(name: HashName, message: Uint8Array): Uint8Array {
  return HASHES[name](message);
}

/** How much there is to do, in bytes of SHA-2 or thereabouts. */
export function costOf(operation: Operation, message: Uint8Array): number {
  return (COST_OF_ANY + message.length) * (COSTS[operation.kind] ?? 1);
}

/** The result, or `null` when the message or the result would be longer than they may be, or the message is empty. */
export function apply(operation: Operation, message: Uint8Array): Uint8Array | null {
  if (message.length > MAX_MESSAGE_BYTES) return null;
  const { kind } = operation;
  if (kind === "append") return joined(message, operation.argument);
  if (kind === "prepend") return joined(operation.argument, message);
  if (isHashName(kind)) return HASHES[kind](message);
  if (message.length === 0) return null;
  return kind === "reverse" ? message.toReversed() : hexlified(message);
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array | null {
  const length = left.length + right.length;
  if (length === 0 || length > MAX_MESSAGE_BYTES) return null;
  const bytes = new Uint8Array(length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

/** The message as the ASCII digits of its lower-case hex. */
function hexlified(message: Uint8Array): Uint8Array | null {
  if (message.length * 2 > MAX_MESSAGE_BYTES) return null;
  const digits = new Uint8Array(message.length * 2);
  const ascii = (nibble: number) => nibble + (nibble < 10 ? 0x30 : 0x57);
  for (const [i, byte] of message.entries()) {
    digits[2 * i] = ascii(byte >> 4);
    digits[2 * i + 1] = ascii(byte & 15);
  }
  return digits;
}
