/** Hex and base64, strictly: one text for one sequence of bytes, so that no changed character can go unseen. Pure. */

/** 64 lower-case hex digits. */
export const HASH = /^[0-9a-f]{64}$/;

/** Lower-case hex of bytes. */
export function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** The bytes of lower-case hex, or `null`. */
export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Standard base64 with padding (RFC 4648 §4). */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of standard base64 with padding, or `null`. Bits that a decoder would drop are not taken (RFC 4648 §3.5). */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[0-9A-Za-z+/]*={0,2}$/.test(text)) return null;
  try {
    const decoded = atob(text);
    if (btoa(decoded) !== text) return null;
    return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
