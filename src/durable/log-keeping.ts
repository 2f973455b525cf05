/**
 * What an organization's object keeps of its log: every checkpoint's note and leaves, so that a database that was set
 * back gets them again byte for byte and the log goes on; and which session families it has, since nothing at run time
 * can list objects.
 */
import { noteDigest, parseCheckpoint, parseNote } from "../ledger/index.ts";
import type { Registry } from "./registry.ts";
import type { SealedCheckpoint } from "./sealing-changes.ts";
import type { Tables } from "./storage.ts";

/** Bounds of one answer. */
const MAX_CHECKPOINTS = 100;
const MAX_CHARACTERS = 1_000_000;
const MAX_CHAINS = 500;
const NUMBER_DIGITS = 12;

/** A leaf as it is kept: the chain, and the sequence number, hash and time of its head. */
export type KeptLeaf = readonly [chain: string, seq: number, hash: string, at: number];

/** A checkpoint with what it added to the log. */
export interface KeptCheckpoint {
  readonly number: number;
  /** The whole signed note. */
  readonly note: string;
  readonly leaves: readonly KeptLeaf[];
  /** Of its entry in the organization's chain. */
  readonly ledger_seq: number | null;
}

export class LogKeeping {
  readonly #tables: Tables;
  readonly #registry: Registry;

  constructor(tables: Tables, registry: Registry) {
    this.#tables = tables;
    this.#registry = registry;
  }

  keep({ number, ...kept }: KeptCheckpoint): void {
    this.#registry.put("sealed", idOf(number), kept);
  }

  /** The first checkpoint that is kept; `null` where none is. Every later one is. */
  oldest(): number | null {
    const { id } = this.#tables.sql
      .exec<{ id: string | null }>("SELECT min(id) AS id FROM registry WHERE kind = 'sealed'")
      .one();
    return id === null ? null : Number(id);
  }

  /** Checkpoints from this number on, as many as one answer holds. */
  page(first: number): KeptCheckpoint[] {
    const checkpoints: KeptCheckpoint[] = [];
    let characters = 0;
    const rows = this.#tables.sql.exec<{ id: string; value: string }>(
      "SELECT id, value FROM registry WHERE kind = 'sealed' AND id >= ? ORDER BY id LIMIT ?",
      idOf(first),
      MAX_CHECKPOINTS,
    );
    for (const { id, value } of rows) {
      if (characters > 0 && characters + value.length > MAX_CHARACTERS) break;
      characters += value.length;
      checkpoints.push({ number: Number(id), ...(JSON.parse(value) as Omit<KeptCheckpoint, "number">) });
    }
    return checkpoints;
  }

  /**
   * Takes up what was sealed before this object kept it: the one before the oldest that it has, each time. One that is
   * not what the later ones name is refused.
   * @returns how many were taken
   */
  takeUp(newest: SealedCheckpoint | null, older: readonly KeptCheckpoint[]): number {
    let taken = 0;
    for (const one of older) {
      const oldest = this.oldest();
      const due = this.#digestOf(newest, oldest);
      if (due === null || due.number !== one.number || noteDigest(textOf(one.note)) !== due.digest) break;
      this.keep(one);
      taken += 1;
    }
    return taken;
  }

  /** Which checkpoint is to be taken up next, and what its text must hash to. */
  #digestOf(newest: SealedCheckpoint | null, oldest: number | null): SealedCheckpoint | null {
    if (oldest === null) return newest;
    const [kept] = this.page(oldest);
    const prev = kept === undefined ? null : (parseCheckpoint(textOf(kept.note))?.prev ?? null);
    return prev === null ? null : { number: oldest - 1, digest: prev };
  }

  /** Notes that these session families exist. */
  know(roots: readonly string[]): void {
    for (const root of roots)
      if (this.#registry.get("chain", root) === null) this.#registry.put("chain", root, 1);
  }

  /** The session families that are known, after this one, in the order of their ids' bytes. */
  known(after: string): { readonly roots: readonly string[]; readonly next: string | null } {
    const roots = this.#tables.sql
      .exec<{ id: string }>(
        "SELECT id FROM registry WHERE kind = 'chain' AND id > ? ORDER BY id LIMIT ?",
        after,
        MAX_CHAINS,
      )
      .toArray()
      .map(({ id }) => id);
    return { roots, next: roots.length < MAX_CHAINS ? null : (roots.at(-1) ?? null) };
  }
}

function textOf(note: string): string {
  const read = parseNote(note);
  return read.ok ? read.note.text : "";
}

function idOf(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, "0");
}
