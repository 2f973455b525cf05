/** Identifiers and secrets: random, prefixed by what they name, and safe in a URL. */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 that fits in a byte; larger bytes are thrown away so that every character is equally likely. */
const UNBIASED = 248;

/** `length` characters of base 62, each worth 5.95 bits. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length + 8))) {
      if (byte < UNBIASED && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

export type IdPrefix = "org" | "mem" | "agt" | "key" | "dec" | "ses" | "lnk" | "req";

/** A new identifier, e.g. `agt_4kT…`: 20 characters, 119 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(20)}`;
}
