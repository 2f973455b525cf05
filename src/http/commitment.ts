/** Private text for the chain: RFC 8785 text and a fresh salt. The chain sees only the commitment. */
import type { PrivateText } from "../durable/protocol.ts";
import { canonicalText, hashOf } from "../ledger/index.ts";
import { utf8Bytes } from "../policy/paths/index.ts";

const SALT_BYTES = 32;
/**
 * A row, in an object as in D1, holds 2,000,000 bytes of UTF-8: the private text, the body, and what stands beside them.
 * A body of 1 MiB fits whole, since canonical text is never longer than the JSON that it was read from.
 */
const MAX_PRIVATE_BYTES = 1_200_000;

/** What is too large is recorded by its size and hash, the largest member first: a refusal to record would be worse. */
export function privateText(value: Readonly<Record<string, unknown>>): PrivateText {
  const members: Record<string, unknown> = { ...value };
  let text = canonicalText(members);
  while (utf8Bytes(text) > MAX_PRIVATE_BYTES) {
    const sizes = Object.entries(members).map(([name, member]) => {
      const whole = canonicalText(member ?? null);
      return { name, whole, bytes: utf8Bytes(whole) };
    });
    const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    members[largest.name] = {
      omitted: { bytes: largest.bytes, sha256: hashOf("countersign/omitted/v1\n", largest.whole) },
    };
    text = canonicalText(members);
  }
  return { text, salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)) };
}
