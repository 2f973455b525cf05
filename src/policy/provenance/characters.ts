/** What kind of writing a UTF-16 unit belongs to. */

/** Chinese characters and Japanese syllables: no spaces between words. */
export const isHan = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0xf900 && code <= 0xfaff);

/** Letters and digits of scripts that part words with spaces. */
export function isWordCode(code: number): boolean {
  if (code < 0x80)
    return (
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x30 && code <= 0x39) ||
      code === 0x5f ||
      (code >= 0x41 && code <= 0x5a)
    );
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return (
    !isHan(code) &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    // Emoji, and halves of nothing.
    !(code >= 0xd800 && code <= 0xdfff) &&
    code < 0xff00
  );
}
