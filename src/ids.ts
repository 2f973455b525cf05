/** Identifiers and secrets: random, prefixed by what they name, and safe in a URL. */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 that fits in a byte; larger bytes are thrown away so that every character is equally likely. */
const UNBIASED = 248;

/** Random bytes are fetched this many at a time; none is used twice. */
const POOL_BYTES = 1_024;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** `length` characters of base 62, each worth 5.95 bits. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    if (used === POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const byte = pool[used] ?? UNBIASED;
    pool[used] = 0;
    used += 1;
    if (byte < UNBIASED) text += ALPHABET[byte % 62];
  }
  return text;
}

export type IdPrefix = "org" | "mem" | "agt" | "key" | "dec" | "ses" | "lnk" | "req" | "apr" | "chn" | "anc";

/** A new identifier, e.g. `agt_4kT…`: 20 characters, 119 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(20)}`;
}
