/** Where bytes come from, and what a file may be at most, judged before anything reads it as JSON. */
import { no, utf8 } from "./hashed.mjs";

export const isSource = (file) =>
  typeof file === "string" ||
  Array.isArray(file) ||
  [Blob, ArrayBuffer, Uint8Array, ReadableStream].some((one) => file instanceof one) ||
  typeof file?.[Symbol.asyncIterator] === "function";

/** Any source as pieces of bytes. */
export async function* piecesOf(file) {
  if (typeof file === "string") yield utf8(file);
  else if (file instanceof Uint8Array) yield file;
  else if (file instanceof ArrayBuffer) yield new Uint8Array(file);
  else if (Array.isArray(file)) for (const line of file) yield utf8(`${line}\n`);
  else if (file instanceof Blob) yield* piecesOf(file.stream());
  else if (file instanceof ReadableStream) {
    const reader = file.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } else yield* file;
}

export const MAX_FILE_BYTES = 268_435_456;
/** Of what is neither an export nor JSON: a signed note has far less. */
export const MAX_TEXT_BYTES = 1_048_576;
/** Of a file's own JSON, where a text counts as one value however it is written: consistency proofs are the most. */
const MAX_DEPTH = 16;
const MAX_VALUES = 8_000_000;

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];
const PACKED = { gzip: [0x1f, 0x8b], zip: [0x50, 0x4b, 3, 4], zstd: [0x28, 0xb5, 0x2f, 0xfd] };

export const isBraced = (bytes) => bytes[0] === BRACE;

export function notPacked(head) {
  for (const [how, start] of Object.entries(PACKED))
    if (start.every((byte, i) => head[i] === byte))
      no("malformed-file", { byte: 0 }, true, `This is compressed (${how}): unpack it first.`);
}

/** Whether a line begins with a text in a piece of a file; one that begins at its end does not count. */
export function hasLine(piece, start) {
  const due = utf8(start);
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1))
    if (due.every((byte, i) => piece[at + 1 + i] === byte)) return true;
  return false;
}

/** Refuses what a JSON reader would take unbounded memory for: levels, and values beside one another. */
export function inBounds(bytes) {
  if (bytes[0] !== BRACE && bytes[0] !== BRACKET) return;
  let [depth, values] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if (byte === BRACE || byte === BRACKET) depth += 1;
    else if (byte === BRACE + 2 || byte === BRACKET + 2) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES)
      no("malformed-file", { byte: at }, true, "No file that is known here nests so deep, or holds so much.");
  }
}
