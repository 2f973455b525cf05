/**
 * Finds markers in a text however it is written: as it stands, spaced or quoted apart, percent-encoded, in base64, hex,
 * escapes, entities or character codes, reversed, rotated, or in pieces. Pure and bounded.
 */

/** Base64 within base64 within base64. */
const MAX_DEPTH = 3;
/** Decoded text that is looked at for one text, in characters. */
const MAX_DECODED = 4_000_000;
/** Three pieces of five letters each: shorter ones stand in any long text by chance. */
const PIECE_LETTERS = 5;
const MAX_PIECES = 3;

/**
 * @param {readonly string[]} markers
 * @returns {{in: (text: string) => Map<string, string>, inPieces: (text: string) => Map<string, string>}}
 *   each marker that is in a text, and how it was written
 */
export function finder(markers) {
  const spellings = new Map();
  for (const marker of markers) {
    spellings.set([...marker].reverse().join(""), [marker, "reversed"]);
    spellings.set(rotated(marker), [marker, "rot13"]);
  }
  for (const marker of markers) spellings.set(marker, [marker, null]);
  const any = new RegExp([...spellings.keys()].join("|"), "g");
  return {
    in(text) {
      const found = new Map();
      for (const { letters, how } of views(text))
        for (const [spelling] of markers.length === 0 ? [] : letters.matchAll(any)) {
          const [marker, twisted] = spellings.get(spelling) ?? [spelling, null];
          if (!found.has(marker)) found.set(marker, twisted ?? how);
        }
      return found;
    },
    inPieces(text) {
      const letters = lettersOf(text);
      const found = new Map();
      for (const marker of markers)
        if (isCovered(marker, letters, MAX_PIECES)) found.set(marker, "in pieces");
      return found;
    },
  };
}

/** The letters a-z of a text, without what is invisible, in compatibility form, lower case. */
export function lettersOf(text) {
  return plain(text)
    .toLowerCase()
    .replace(/[^a-z]+/g, "");
}

/** Tag characters are read as what they stand for; full-width and styled letters as theirs. */
function plain(text) {
  return text
    .replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .normalize("NFKC")
    .replace(/\p{Cf}+/gu, "");
}

/** The text and everything that can be read out of it, each as its letters. */
function* views(text) {
  let budget = MAX_DECODED;
  /** @type {{text: string, how: string | null, depth: number}[]} */
  const queue = [{ text, how: null, depth: 0 }];
  for (const next of queue) {
    yield { letters: lettersOf(next.text), how: next.how ?? "as written" };
    if (next.depth === MAX_DEPTH) continue;
    const inner = plain(next.text);
    for (const [how, decoded] of decodings(inner)) {
      if (decoded === inner || decoded.length === 0) continue;
      budget -= decoded.length;
      if (budget < 0) return;
      queue.push({ text: decoded, how: next.how ?? how, depth: next.depth + 1 });
    }
  }
}

function* decodings(text) {
  if (text.includes("%")) yield ["percent-encoded", unescapedBytes(text, /%([0-9a-f]{2})/gi)];
  if (text.includes("\\")) yield ["escaped", unescapedText(text)];
  if (text.includes("=")) yield ["quoted-printable", unescapedBytes(text, /=\r?\n|=([0-9a-f]{2})/gi)];
  if (text.includes("&")) yield ["entities", unescapedEntities(text)];
  yield* base64(text);
  for (const [hex] of text.matchAll(/(?:[0-9a-f]{2}[\s:,]?){10,}/gi)) {
    const digits = hex.replace(/[^0-9a-f]/gi, "");
    for (const from of [0, 1])
      yield [
        "hex",
        Buffer.from(digits.slice(from, digits.length - ((digits.length - from) % 2)), "hex").toString(
          "latin1",
        ),
      ];
  }
  const codes = text.match(/(?<![\w.])\d{2,3}(?![\w.])/g) ?? [];
  if (codes.length >= 10)
    yield [
      "character codes",
      codes
        .map(Number)
        .filter((code) => code < 128)
        .map((code) => String.fromCharCode(code))
        .join(""),
    ];
}

/** A run may begin inside a longer one, such as a path: each of the four places where a group could begin is tried. */
function* base64(text) {
  const runs = [...text.matchAll(/[\w+/-]{12,}/g)].map(([run]) => run);
  // Lines of 76 characters, or a text that was cut and joined.
  const joined = text.replace(/["'\s+,\\]+/g, "");
  if (joined !== text) runs.push(...[...joined.matchAll(/[\w+/-]{12,}/g)].map(([run]) => run));
  for (const run of runs) {
    const standard = run.replaceAll("-", "+").replaceAll("_", "/");
    for (const from of [0, 1, 2, 3]) {
      const bytes = Buffer.from(standard.slice(from), "base64");
      yield ["base64", bytes.toString("latin1")];
      // PowerShell's encoded commands.
      if (bytes.includes(0)) yield ["base64", bytes.toString("latin1").replaceAll("\u0000", "")];
    }
  }
}

function unescapedBytes(text, pattern) {
  return text.replace(pattern, (_, hex) =>
    hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function unescapedText(text) {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u\{?([0-9a-f]{4,6})\}?|U([0-9a-f]{8})|0?([0-7]{3}))/gi,
    (whole, byte, unit, long, octal) => {
      const code =
        octal === undefined ? Number.parseInt(byte ?? unit ?? long, 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function unescapedEntities(text) {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (whole, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** True when the marker can be put together from at most so many pieces of the text. */
function isCovered(marker, letters, pieces) {
  if (letters.includes(marker)) return true;
  if (pieces === 1) return false;
  for (let length = marker.length - PIECE_LETTERS; length >= PIECE_LETTERS; length -= 1)
    if (letters.includes(marker.slice(0, length)) && isCovered(marker.slice(length), letters, pieces - 1))
      return true;
  return false;
}

function rotated(text) {
  return text.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
}
