/** The primitives of the OpenTimestamps format. Pure. A reader that refuses says at which byte, and is not read on. */

export type RefusalCode =
  | "too-large"
  | "magic"
  | "version"
  | "file-hash"
  | "truncated"
  | "trailing"
  | "number"
  | "length"
  | "operation"
  | "message"
  | "uri"
  | "too-deep"
  | "too-many"
  | "too-much-work";

export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  /** Counted from 0. */
  readonly byte: number;
  readonly message: string;
}

/** Thrown by a reader, and caught where reading began: none leaves this folder. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The answer of `read`, or what it refused. */
export function refusing<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

export class Reader {
  readonly #whole: Uint8Array;
  readonly #offset: number;
  #next = 0;

  /** @param offset where these bytes stand in the file that positions are told of */
  constructor(whole: Uint8Array, offset = 0) {
    this.#whole = whole;
    this.#offset = offset;
  }

  /** Where the next byte stands. */
  get at(): number {
    return this.#offset + this.#next;
  }

  refuse(code: RefusalCode, message: string, byte = this.at): never {
    throw new Refused({ ok: false, code, byte, message });
  }

  byte(what: string): number {
    const byte = this.#whole[this.#next];
    if (byte === undefined) this.refuse("truncated", `The proof ends where ${what} was due.`);
    this.#next += 1;
    return byte;
  }

  bytes(length: number, what: string): Uint8Array {
    const end = this.#next + length;
    if (end > this.#whole.length)
      this.refuse("truncated", `The proof ends within ${what}.`, this.#offset + this.#whole.length);
    const bytes = this.#whole.slice(this.#next, end);
    this.#next = end;
    return bytes;
  }

  /** Seven bits a byte, least first. Larger numbers than can be counted exactly are refused. */
  number(what: string): number {
    const start = this.at;
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = this.byte(what);
      value += (byte & 0x7f) * place;
      if (!Number.isSafeInteger(value) || place > 2 ** 56)
        this.refuse("number", `The number of ${what} is too large.`, start);
      if (byte < 0x80) return value;
    }
  }

  sized(least: number, most: number, what: string): Uint8Array {
    const start = this.at;
    const length = this.number(what);
    if (length < least || length > most)
      this.refuse("length", `There are ${length} bytes of ${what}; ${least} to ${most} are allowed.`, start);
    return this.bytes(length, what);
  }

  end(what: string): void {
    if (this.#next !== this.#whole.length)
      this.refuse("trailing", `Something stands after the end of ${what}.`);
  }
}

export class Writer {
  readonly #parts: Uint8Array[] = [];

  byte(byte: number): void {
    this.#parts.push(Uint8Array.of(byte));
  }

  bytes(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  number(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  sized(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.bytes(bytes);
  }

  done(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
