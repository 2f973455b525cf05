/**
 * Reads an exported chain and finds the first place where it is not what it claims to be. Pure and total: any text in,
 * a report out. It needs nothing but the text.
 */
import { HASH } from "./bytes.ts";
import { type Disclosed, type Entry, exportLine, genesis, type StoredEntry } from "./chain.ts";
import type { Leaf } from "./checkpoint.ts";
import { NOT_PROVEN, SEALED_NOT_PROVEN } from "./claims.ts";
import { decodeUtf8 } from "./form.ts";
import { plainNext } from "./plain-line.ts";
import { type EntryBreakCode, MAX_JSON_DEPTH, parse, readStored } from "./reading.ts";

/** Why a line breaks the chain. The last two need the heads of a checkpoint: a chain walk alone cannot show them. */
export type BreakCode =
  | "malformed-line"
  | EntryBreakCode
  | "genesis"
  | "sequence"
  | "previous-hash"
  | "organization"
  | "time"
  | "forked"
  | "truncated";

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

const NOT_A_LINE = ["malformed-line", "This line is not an entry as an export writes it."] as const;

/**
 * Verifies the NDJSON text of `GET /v1/sessions/{id}/ledger`. Lines must be byte for byte what an export writes, so
 * that any changed byte is found and located. A final line feed may be missing; an empty text is broken at line 1.
 * @param sealed heads out of checkpoints that were verified; those of other chains are passed over
 */
export function verifyChain(text: string, sealed: readonly Leaf[] = []): ChainReport {
  const verifier = new ChainVerifier(sealed);
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
  readonly #given: readonly Leaf[];
  /** The hashes that were sealed of this chain, by sequence number: more than one only where a log told two stories. */
  readonly #sealed = new Map<number, Set<string>>();
  #sealedTo = 0;

  /** @param sealed heads out of checkpoints that were verified; those of other chains are passed over */
  constructor(sealed: readonly Leaf[] = []) {
    this.#given = sealed;
  }

  /** The last entry that a given head seals; 0 where no head is this chain's. */
  get sealedTo(): number {
    return this.#sealedTo;
  }

  /** Takes the next line, without its line feed; bytes must be UTF-8. After a break further lines are passed over. */
  push(line: string | Uint8Array): void {
    if (this.broken !== null) return;
    this.#line += 1;
    const text = typeof line === "string" ? line : decodeUtf8(line);
    const fault = text === null ? NOT_A_LINE : this.#read(text);
    if (fault !== null) this.#break(...fault);
  }

  /** Moves the head past this line, or says why it cannot. */
  #read(line: string): readonly [BreakCode, string] | null {
    if (this.#first !== null) {
      const plain = plainNext(line, { org: this.#first.org, head: this.#head }, MAX_JSON_DEPTH);
      const seq = this.#head.seq + 1;
      // Whatever is wrong with it, the slow reading says what.
      if (plain !== null && plain.at >= this.#at && !this.#sealed.has(seq)) {
        this.#at = plain.at;
        this.#head = { seq, hash: plain.hash };
        return null;
      }
    }
    const read = readLine(line);
    if (read === null) return NOT_A_LINE;
    const checked = readStored(read.stored, read.disclosed);
    if ("code" in checked) return [checked.code, checked.message];
    const { stored } = read;
    const { entry } = checked;
    if (this.#first === null) {
      if (entry.seq !== 1) return ["sequence", `The chain begins at ${entry.seq}; it must begin at 1.`];
      if (genesis({ org: entry.org, session: entry.session }).hash !== entry.prev)
        return ["genesis", "The first entry does not commit to its own organization and session."];
      this.#first = entry;
      this.#seal(entry);
    } else {
      if (entry.seq !== this.#head.seq + 1)
        return ["sequence", `Entry ${entry.seq} stands where ${this.#head.seq + 1} was due.`];
      if (entry.prev !== this.#head.hash)
        return ["previous-hash", "The entry does not follow from the one before it."];
      if (entry.org !== this.#first.org)
        return ["organization", "The entry belongs to another organization."];
      if (entry.at < this.#at) return ["time", "The entry is dated before the one it follows."];
    }
    for (const hash of this.#sealed.get(entry.seq) ?? [])
      if (hash !== stored.hash) return ["forked", "A checkpoint sealed another entry in this one's place."];
    this.#at = entry.at;
    this.#head = { seq: entry.seq, hash: stored.hash };
    return null;
  }

  /** Keeps the given heads that are this chain's: its first entry says whose it is. */
  #seal({ org, session }: Entry): void {
    const chain = session === null ? "organization" : `session:${session}`;
    for (const leaf of this.#given) {
      if (leaf.org !== org || leaf.chain !== chain) continue;
      this.#sealed.set(leaf.seq, (this.#sealed.get(leaf.seq) ?? new Set()).add(leaf.hash));
      this.#sealedTo = Math.max(this.#sealedTo, leaf.seq);
    }
  }

  report(): ChainReport {
    if (this.#line === 0) this.#break("malformed-line", "The export is empty.");
    if (this.broken === null && this.#head.seq < this.sealedTo) {
      const { seq } = this.#head;
      this.#line += 1;
      this.#break(
        "truncated",
        `A checkpoint sealed ${this.sealedTo} entries; the chain ends after ${seq}: it was cut off, or exported before.`,
      );
    }
    return {
      ok: this.broken === null,
      entries: this.#head.seq,
      organization: this.#first?.org ?? null,
      session: this.#first?.session ?? null,
      head: this.#head.seq === 0 ? null : this.#head,
      broken: this.broken,
      not_proven: this.sealedTo === 0 ? NOT_PROVEN : SEALED_NOT_PROVEN,
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
