/**
 * What a proof shows and what it does not, in the one set of words that is used wherever a proof is shown: documents,
 * receipts, pages, messages and both verifiers. Nobody writes others: a page that claims more than the proof is a defect.
 * The sentences of a receipt belong to its version; other sentences are another version.
 */
import type { Disclosed } from "./chain.ts";

/** Of a chain alone. */
export const NOT_PROVEN =
  "A chain that verifies shows that these entries follow one another unchanged. It does not show that later entries were not cut off, nor who wrote them, nor that they were written when they say.";

/** Of a chain that was held against the heads of a checkpoint. */
export const SEALED_NOT_PROVEN =
  "A chain that holds every head that was sealed of it shows that nothing up to the last of these heads was cut off or rewritten since. It does not show what came after, nor that the entries were written when they say.";

/** Of a chain of which nobody gave a sealed head. */
export const UNSEALED =
  "No sealed head of this chain is at hand: whoever holds the file can have cut it off, or made it anew as a whole. To rule that out, give the checkpoints of its log beside it (GET /v1/checkpoints.json), and the log's published keys.";

/** Of a checkpoint. */
export const CHECKPOINT_NOT_PROVEN: readonly string[] = [
  "A checkpoint shows that whoever holds the key signed this tree of heads. It does not show that no other tree was signed for somebody else: compare it with a checkpoint that another person was given.",
  "It does not show that it was signed when it says: that is the service's own clock.",
];

/** Of an OpenTimestamps proof that a Bitcoin block confirms. */
export const TIMESTAMP_NOT_PROVEN: readonly string[] = [
  "It does not show who made these bytes, nor that what they say is true: only that they were there before the block's time.",
  "The block's time is the one that its miner wrote: it can be up to two hours off.",
  "That the block is in the chain, at the height that the proof names, is not shown by its header alone, and a header with the little work of an early block can be made anew: compare the block hash with one from a Bitcoin node or a block explorer.",
];

/** Of a proof that no block confirms yet, or whose block header is not at hand. */
export const TIMESTAMP_PENDING =
  "Nothing is established yet: a calendar's promise is no fact, and without the block's header its time is not known.";

/** Of bytes that were stamped, where nobody says when they were published, or the block came later than that. */
export const INTEGRITY_ONLY =
  "This shows that the bytes are the stamped ones. It does not show that they were there before they were published.";

/** Of bytes that were sent to be stamped, or of their digest alone. @param size bytes that were hashed here */
export function anchorCovers(size: number | null): string {
  return size === null
    ? "Whatever bytes have this SHA-256: they were not sent here, and nobody but you can say which they are. Keep them exactly as they are."
    : `All of the ${size} bytes that were sent, exactly as they came. They are not kept here: keep them exactly as they are.`;
}

/** Of a receipt, version 1. */
export const RECEIPT_NOT_PROVEN: readonly string[] = [
  "It does not show that what was recorded is true: the record holds what the agent's side sent and what was answered.",
  "It does not show that the tool ran, or what it did.",
  "It does not show that the times are right: they are the service's own clock's. An anchor, where there is one, shows only that the checkpoint is older than a block.",
  "It does not show that no other record was shown to somebody else: compare the checkpoint with one that another person was given.",
  "It does not show whose the keys are: compare them with those that the organization publishes.",
];

/** Of a receipt of a session's chain whose entry is not the first of it. */
export const CHAIN_NOT_SHOWN =
  "Which session began this chain is what whoever signed says: the chain's first entry alone shows it, and it is not here.";

/** Stands before what a proof says of itself and nobody can check. */
export const NOT_CHECKED = "Said, and not checked:";

/** Of a receipt whose checkpoint is signed by keys that only the receipt itself names. */
export const KEYS_NOT_COMPARED =
  "The keys were not compared with published ones: nothing here shows yet whose signature this is.";

/**
 * What part of a content a receipt covers.
 * @param body the body's text
 * @param gone the private text and its salt are not kept any more
 */
export function coversOf(body: string, disclosed: Disclosed | null, gone: boolean): string {
  const size = (text: string): string => `${new TextEncoder().encode(text).length} bytes`;
  if (disclosed !== null)
    return `All of it: the entry, its body (${size(body)}) and its private text (${size(disclosed.private)}) stand here whole.`;
  if (gone)
    return `The entry and its body (${size(body)}). Of its private text the body holds a salted commitment: text and salt are not kept any more, so nobody can check that part again.`;
  return commitmentOf(body) === null
    ? `All of it: the entry and its body (${size(body)}) stand here whole; nothing was kept apart.`
    : `The entry and its body (${size(body)}). Of its private text the body holds a salted commitment: the text is not in this receipt, and whoever has it with its salt can check it.`;
}

/** The commitment to private text that a body holds, or `null`. Total. */
export function commitmentOf(body: string): string | null {
  try {
    const value = JSON.parse(body) as { private?: unknown } | null;
    return typeof value?.private === "string" ? value.private : null;
  } catch {
    return null;
  }
}
