/**
 * Characters that no path and no oath line may hold: they end a string early for one reader and not for another,
 * or they show a person something else than what is matched.
 */

export type ForbiddenCharacter = "nul" | "bidi" | "control" | "zero-width" | "surrogate";

/** Where a forbidden character stands: `index` and `length` in UTF-16 units. */
export interface Forbidden {
  readonly kind: ForbiddenCharacter;
  readonly index: number;
  readonly length: number;
}

function kindOf(code: number): ForbiddenCharacter | null {
  if (code === 0) return "nul";
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return "control";
  if (code < 0x61c) return null;
  if (code === 0x61c || code === 0x200e || code === 0x200f) return "bidi";
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return "bidi";
  if ((code >= 0x200b && code <= 0x200d) || code === 0xfeff) return "zero-width";
  if (code >= 0x2060 && code <= 0x2064) return "zero-width";
  // Line and paragraph separators end a line for some readers only; tag characters are never drawn.
  if (code === 0x2028 || code === 0x2029) return "control";
  if (code >= 0xd800 && code <= 0xdfff) return "surrogate";
  if (code >= 0xe0000 && code <= 0xe007f) return "control";
  return null;
}

/** Printable ASCII: nothing forbidden in it, and a byte for every unit. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * The first forbidden character in `text` at or after `from` (UTF-16 units), or `null`: NUL, C0 and C1 controls,
 * bidirectional controls, zero-width and tag characters, line separators, lone surrogates. Linear.
 */
export function findForbidden(text: string, from = 0): Forbidden | null {
  for (let index = from; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const length = code > 0xffff ? 2 : 1;
    const kind = kindOf(code);
    if (kind !== null) return { kind, index, length };
    index += length;
  }
  return null;
}

/** The size of `text` in UTF-8 bytes; a lone surrogate counts as the three bytes that would replace it. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}
