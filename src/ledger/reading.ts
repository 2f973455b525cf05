/** What both a chain and a receipt are read with. Pure and total: any text in, an entry or nothing out. */
import { bytesOfHex, HASH } from "./bytes.ts";
import { canonicalText, privateCommitment } from "./canonical.ts";
import { bodyHash, type Disclosed, type Entry, entryHash, type StoredEntry } from "./chain.ts";
import { commitmentOf } from "./claims.ts";
import { isPlainlyCanonical } from "./scan.ts";

/** Nothing that is hashed nests deeper: without a bound, two readers would give up at two depths. */
export const MAX_JSON_DEPTH = 128;

/** Why a stored entry is not one, whatever stands before and after it. */
export type EntryBreakCode = "malformed-entry" | "malformed-body" | "entry-hash" | "body-hash" | "private";

/** Reads what was stored of one entry and holds every hash against it. */
export function readStored(
  stored: StoredEntry,
  disclosed: Disclosed | null,
): { readonly entry: Entry } | { readonly code: EntryBreakCode; readonly message: string } {
  const entry = readEntry(stored.entry);
  if (entry === null)
    return {
      code: "malformed-entry",
      message: "The entry does not hold the members of a version 1 entry.",
    };
  if (entryHash(stored.entry) !== stored.hash)
    return {
      code: "entry-hash",
      message: "The entry does not have the hash that is written beside it.",
    };
  if (bodyHash(stored.body) !== entry.body_hash)
    return { code: "body-hash", message: "The body is not the one that the entry commits to." };
  // The hash of a text that names a member twice holds too, and two readers read it two ways.
  if (!isWritten(entry, stored.entry))
    return {
      code: "malformed-entry",
      message: "The entry's text is not the RFC 8785 form of what it says.",
    };
  if (!isCanonical(stored.body))
    return {
      code: "malformed-body",
      message: "The body's text is not the RFC 8785 form of what it says.",
    };
  if (disclosed !== null && !isCommitted(stored.body, disclosed))
    return { code: "private", message: "The private text is not the one that the body commits to." };
  return { entry };
}

/** The members of a version 1 entry, or `null`. */
export function readEntry(text: string): Entry | null {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entry = value as Partial<Entry>;
  const known =
    entry.v === 1 &&
    typeof entry.org === "string" &&
    (typeof entry.session === "string" || entry.session === null) &&
    Number.isSafeInteger(entry.seq) &&
    Number.isSafeInteger(entry.at) &&
    typeof entry.prev === "string" &&
    HASH.test(entry.prev) &&
    typeof entry.kind === "string" &&
    typeof entry.body_hash === "string" &&
    Object.keys(entry).length === 8;
  return known ? (entry as Entry) : null;
}

/** Whether a text is the RFC 8785 form of an entry that was read from it. */
export function isWritten(entry: Entry, text: string): boolean {
  const { at, body_hash, kind, org, prev, seq, session, v } = entry;
  return text === JSON.stringify({ at, body_hash, kind, org, prev, seq, session, v })
    ? !text.includes("\\ud") || isCanonical(text)
    : isCanonical(text);
}

/** True for a text that is JSON in the one form that all its readers write (RFC 8785), no deeper than it may be. */
export function isCanonical(text: string): boolean {
  if (isPlainlyCanonical(text, MAX_JSON_DEPTH)) return true;
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) <= MAX_JSON_DEPTH && canonicalText(value) === text;
  } catch {
    return false;
  }
}

/** Levels of lists and objects, counted no further than one past the bound. */
function depthOf(value: unknown, counted = 0): number {
  if (typeof value !== "object" || value === null) return counted;
  if (counted === MAX_JSON_DEPTH) return counted + 1;
  let deepest = counted + 1;
  for (const one of Object.values(value)) deepest = Math.max(deepest, depthOf(one, counted + 1));
  return deepest;
}

function isCommitted(body: string, { private: text, salt }: Disclosed): boolean {
  const bytes = bytesOfHex(salt);
  // A lone surrogate would be hashed as another character than it is.
  return bytes !== null && text.isWellFormed() && commitmentOf(body) === privateCommitment(bytes, text);
}

/** The JSON value of a text, or `undefined`. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
