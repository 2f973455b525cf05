/** Private text for the chain: RFC 8785 text and a fresh salt. The chain sees only the commitment. */
import type { PrivateText } from "../durable/protocol.ts";
import { canonicalText } from "../ledger/index.ts";

const SALT_BYTES = 32;

export function privateText(value: unknown): PrivateText {
  return { text: canonicalText(value), salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)) };
}
