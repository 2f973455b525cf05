/**
 * Words by their spelling inside a longer text: looked up where they stand, without cutting them out first. Every word of
 * every sentence that is read is looked up, and most are in no table.
 */
export interface Spelling {
  readonly text: string;
}

export class SpellingTable<T extends Spelling> {
  readonly #entries: readonly T[];
  /** Index of an entry plus one, or 0; a full slot is followed by the next. */
  readonly #slots: Int32Array;

  constructor(entries: readonly T[]) {
    this.#entries = entries;
    let size = 16;
    while (size < entries.length * 4) size *= 2;
    this.#slots = new Int32Array(size);
    for (const [index, { text }] of entries.entries()) {
      let slot = hash(text, 0, text.length) & (size - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = index + 1;
    }
  }

  /** The entry spelled as `text` is from `start` to `end`. */
  at(text: string, start: number, end: number): T | null {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = end - start;
    for (let slot = hash(text, start, end) & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot] ?? 0;
      if (index === 0) return null;
      const entry = this.#entries[index - 1];
      if (entry !== undefined && entry.text.length === length && text.startsWith(entry.text, start))
        return entry;
    }
  }

  get(text: string): T | null {
    return this.at(text, 0, text.length);
  }
}

function hash(text: string, start: number, end: number): number {
  let sum = 7;
  for (let at = start; at < end; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum ^ (sum >>> 15);
}
