import { createHash } from "node:crypto";

const TAG_CHARACTERS = 32;

/** Names a text by what it says, for entity tags and addresses that may be kept for ever. */
export function contentTag(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, TAG_CHARACTERS);
}
