/**
 * Reads an exported chain and finds the first place where it is not what it claims to be. Pure and total: any text in,
 * a report out. It needs nothing but the text.
 */
import { canonicalText, privateCommitment } from "./canonical.ts";
import {
  bodyHash,
  type Disclosed,
  type Entry,
  entryHash,
  exportLine,
  genesis,
  type StoredEntry,
} from "./chain.ts";

/** Why a line breaks the chain. */
export type BreakCode =
  | "malformed-line"
  | "malformed-entry"
  | "malformed-body"
  | "entry-hash"
  | "body-hash"
  | "private"
  | "genesis"
  | "sequence"
  | "previous-hash"
  | "organization"
  | "time";

export interface ChainBreak {
  readonly code: BreakCode;
  /** 1-based line of the export. */
  readonly line: number;
  /** The sequence number that was due at this line. */
  readonly seq: number;
  readonly message: string;
}

export interface ChainReport {
  readonly ok: boolean;
  /** Entries that verified, counted up to the break. */
  readonly entries: number;
  readonly organization: string | null;
  readonly session: string | null;
  readonly head: { readonly seq: number; readonly hash: string } | null;
  readonly broken: ChainBreak | null;
  /** What a chain walk alone cannot show, in the words used wherever a proof is shown. */
  readonly not_proven: string;
}

export const NOT_PROVEN =
  "A chain that verifies shows that these entries follow one another unchanged. It does not show that later entries were not cut off, nor who wrote them, nor that they were written when they say.";

const HASH = /^[0-9a-f]{64}$/;

/**
 * Verifies the NDJSON text of `GET /v1/sessions/{id}/ledger`. Lines must be byte for byte what an export writes, so
 * that any changed byte is found and located. A final line feed may be missing; an empty text is broken at line 1.
 */
export function verifyChain(text: string): ChainReport {
  const verifier = new ChainVerifier();
  let start = 0;
  while (start < text.length && verifier.broken === null) {
    const end = text.indexOf("\n", start);
    verifier.push(text.slice(start, end === -1 ? text.length : end));
    start = end === -1 ? text.length : end + 1;
  }
  return verifier.report();
}

/** The same walk, a line at a time and in constant memory, for exports that do not fit in one piece. */
export class ChainVerifier {
  broken: ChainBreak | null = null;
  #line = 0;
  #head = { seq: 0, hash: "" };
  #first: Entry | null = null;
  #at = 0;

  /** Takes the next line, without its line feed. After a break further lines are passed over. */
  push(line: string): void {
    if (this.broken !== null) return;
    this.#line += 1;
    const fault = this.#read(line);
    if (fault !== null) this.#break(...fault);
  }

  /** Moves the head past this line, or says why it cannot. */
  #read(line: string): readonly [BreakCode, string] | null {
    const read = readLine(line);
    if (read === null) return ["malformed-line", "This line is not an entry as an export writes it."];
    const { stored, disclosed } = read;
    const entry = readEntry(stored.entry);
    if (entry === null)
      return ["malformed-entry", "The entry does not hold the members of a version 1 entry."];
    if (entryHash(stored.entry) !== stored.hash)
      return ["entry-hash", "The entry does not have the hash that is written beside it."];
    if (bodyHash(stored.body) !== entry.body_hash)
      return ["body-hash", "The body is not the one that the entry commits to."];
    // The hash of a text that names a member twice holds too, and two readers read it two ways.
    if (!isCanonical(stored.entry))
      return ["malformed-entry", "The entry's text is not the RFC 8785 form of what it says."];
    if (!isCanonical(stored.body))
      return ["malformed-body", "The body's text is not the RFC 8785 form of what it says."];
    if (disclosed !== null && !isCommitted(stored.body, disclosed))
      return ["private", "The private text is not the one that the body commits to."];
    if (this.#first === null) {
      if (entry.seq !== 1) return ["sequence", `The chain begins at ${entry.seq}; it must begin at 1.`];
      if (genesis({ org: entry.org, session: entry.session }).hash !== entry.prev)
        return ["genesis", "The first entry does not commit to its own organization and session."];
      this.#first = entry;
    } else {
      if (entry.seq !== this.#head.seq + 1)
        return ["sequence", `Entry ${entry.seq} stands where ${this.#head.seq + 1} was due.`];
      if (entry.prev !== this.#head.hash)
        return ["previous-hash", "The entry does not follow from the one before it."];
      if (entry.org !== this.#first.org)
        return ["organization", "The entry belongs to another organization."];
      if (entry.at < this.#at) return ["time", "The entry is dated before the one it follows."];
    }
    this.#at = entry.at;
    this.#head = { seq: entry.seq, hash: stored.hash };
    return null;
  }

  report(): ChainReport {
    if (this.#line === 0) this.#break("malformed-line", "The export is empty.");
    return {
      ok: this.broken === null,
      entries: this.#head.seq,
      organization: this.#first?.org ?? null,
      session: this.#first?.session ?? null,
      head: this.#head.seq === 0 ? null : this.#head,
      broken: this.broken,
      not_proven: NOT_PROVEN,
    };
  }

  #break(code: BreakCode, message: string): void {
    this.broken = { code, line: Math.max(this.#line, 1), seq: this.#head.seq + 1, message };
  }
}

function readLine(line: string): { stored: StoredEntry; disclosed: Disclosed | null } | null {
  const value = parse(line);
  if (typeof value !== "object" || value === null) return null;
  const { hash, entry, body, private: text, salt } = value as Record<string, unknown>;
  if (typeof hash !== "string" || !HASH.test(hash) || typeof entry !== "string" || typeof body !== "string")
    return null;
  const stored = { hash, entry, body };
  const disclosed =
    typeof text === "string" && typeof salt === "string" && HASH.test(salt) ? { private: text, salt } : null;
  return exportLine(stored, disclosed) === line ? { stored, disclosed } : null;
}

function isCommitted(body: string, { private: text, salt }: Disclosed): boolean {
  const commitment = (parse(body) as { private?: unknown } | null | undefined)?.private;
  const bytes = Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  // A lone surrogate would be hashed as another character than it is.
  return text.isWellFormed() && commitment === privateCommitment(bytes, text);
}

function readEntry(text: string): Entry | null {
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

/** True for a text that is JSON in the one form that all its readers write. */
function isCanonical(text: string): boolean {
  try {
    return canonicalText(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
