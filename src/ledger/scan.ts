/**
 * Reads JSON text without building what it says: whether a text is plainly in the RFC 8785 form. Pure. "Plainly" takes in
 * nearly everything that is ever written; what is not plain is judged again, slowly, by its value. Every body of an export
 * is scanned, which is why this looks at codes and not at characters: it takes a third of the time.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** What may stand after a backslash, in the form that every writer gives: `" \ b f n r t`. */
const ESCAPES = Uint8Array.from({ length: 128 }, (_, code) =>
  '"\\bfnrt'.includes(String.fromCharCode(code)) ? 1 : 0,
);
/** Digits that any number has room for. */
const PLAIN_DIGITS = 15;

/** Whether a text is plainly the RFC 8785 form of a value that nests at most `depth` levels deep. */
export function isPlainlyCanonical(text: string, depth: number): boolean {
  return plainTexts(text, depth) !== -1;
}

/** Texts that were passed in the scan that runs. */
let passed = 0;

/** The number of texts, names among them, in what is plainly the RFC 8785 form of a value; -1 for anything else. */
export function plainTexts(text: string, depth: number): number {
  passed = 0;
  return pastValue(text, 0, depth) === text.length ? passed : -1;
}

/** Where the text that begins at `at` ends, past its closing quotation mark, or -1. */
function pastText(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return -1;
  for (let i = at + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > BACKSLASH && code < SURROGATES) continue;
    if (code === QUOTE) {
      passed += 1;
      return i + 1;
    }
    if (code === BACKSLASH) {
      i += 1;
      if (ESCAPES[text.charCodeAt(i)] !== 1) return -1;
    } else if (code < 0x20 || (code >= SURROGATES && code < AFTER_SURROGATES)) return -1;
  }
  return -1;
}

/** Where the value that begins at `at` ends, or -1. */
function pastValue(text: string, at: number, depth: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return pastText(text, at);
  if (code === OPEN_OBJECT) return depth === 0 ? -1 : pastObject(text, at + 1, depth - 1);
  if (code === OPEN_LIST) return depth === 0 ? -1 : pastList(text, at + 1, depth - 1);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return pastNumber(text, at);
  if (text.startsWith("null", at) || text.startsWith("true", at)) return at + 4;
  return text.startsWith("false", at) ? at + 5 : -1;
}

/** Whole numbers alone are plain: of `0`, or of a first digit that is none. */
function pastNumber(text: string, at: number): number {
  const start = text.charCodeAt(at) === MINUS ? at + 1 : at;
  let end = start;
  let code = text.charCodeAt(end);
  while (code >= ZERO && code <= NINE) {
    end += 1;
    code = text.charCodeAt(end);
  }
  const isZero = end === start + 1 && start === at;
  const isOther = text.charCodeAt(start) !== ZERO && end > start && end - start <= PLAIN_DIGITS;
  const isWhole = Number.isNaN(code) || code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT;
  return isWhole && (isZero || isOther) ? end : -1;
}

function pastObject(text: string, start: number, depth: number): number {
  if (text.charCodeAt(start) === CLOSE_OBJECT) return start + 1;
  let before = "";
  for (let at = start; ; at += 1) {
    const end = pastText(text, at);
    if (end === -1 || text.charCodeAt(end) !== COLON) return -1;
    const name = text.slice(at + 1, end - 1);
    // An escape stands elsewhere in the order than the character that it means.
    if ((at !== start && name <= before) || name.includes("\\")) return -1;
    before = name;
    at = pastValue(text, end + 1, depth);
    if (at === -1) return -1;
    const next = text.charCodeAt(at);
    if (next !== COMMA) return next === CLOSE_OBJECT ? at + 1 : -1;
  }
}

function pastList(text: string, start: number, depth: number): number {
  if (text.charCodeAt(start) === CLOSE_LIST) return start + 1;
  for (let at = start; ; at += 1) {
    at = pastValue(text, at, depth);
    if (at === -1) return -1;
    const next = text.charCodeAt(at);
    if (next !== COMMA) return next === CLOSE_LIST ? at + 1 : -1;
  }
}
