/**
 * Typed text in one spelling, so that words can be looked up: same length as the text, unit for unit, so that every
 * offset into the folded text is an offset into what was typed.
 */

/** Stands where a character says nothing: zero-width marks, combining accents, the second half of a pair. */
export const SILENT = "\u200b";

const SPECIAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "‘": "'",
    "’": "'",
    "‚": "'",
    "‛": "'",
    "′": "'",
    "`": "`",
    "´": "'",
    ʼ: "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "‟": '"',
    "″": '"',
    "«": '"',
    "»": '"',
    "‹": "'",
    "›": "'",
    "–": "-",
    "—": "-",
    "―": "-",
    "‐": "-",
    "‑": "-",
    "−": "-",
    "。": ".",
    "、": ",",
    "…": ".",
    "·": "-",
    "•": "-",
    "◦": "-",
    "‣": "-",
    "▪": "-",
    "●": "-",
    "○": "-",
    "→": ">",
    ß: "s",
    ø: "o",
    Ø: "o",
    ł: "l",
    Ł: "l",
    đ: "d",
    ı: "i",
    æ: "a",
    œ: "o",
  }),
);

const PLAIN = /^[\x09\x0a\x0d\x20-\x7e]*$/;

/** Lower case, compatibility forms and accents gone, one kind of quote, dash and space. Total, linear, `length` kept. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const known = new Map<string, string>();
  let out = "";
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    if (code < 0x80) {
      out += text.charAt(index).toLowerCase();
      index += 1;
      continue;
    }
    const length = code > 0xffff ? 2 : 1;
    const character = text.slice(index, index + length);
    let folded = known.get(character);
    if (folded === undefined) {
      folded = foldCharacter(character, code);
      known.set(character, folded);
    }
    out += folded;
    index += length;
  }
  return out;
}

/** As many units as the character has. */
function foldCharacter(character: string, code: number): string {
  const rest = character.length === 2 ? SILENT : "";
  const special = SPECIAL.get(character);
  if (special !== undefined) return special + rest;
  if (isSilent(code)) return SILENT + rest;
  if (/\s/u.test(character)) return (code === 0x2028 || code === 0x2029 ? "\n" : " ") + rest;
  // Half an emoji is no word; a styled letter is the letter.
  const plain = character.normalize("NFKC").normalize("NFD").charAt(0).toLowerCase();
  if (plain === "" || plain.length !== 1 || /[\ud800-\udfff]/.test(plain)) return character;
  return (SPECIAL.get(plain) ?? plain) + rest;
}

function isSilent(code: number): boolean {
  return (
    code === 0xad ||
    (code >= 0x300 && code <= 0x36f) ||
    code === 0x61c ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    (code >= 0xe0000 && code <= 0xe01ef)
  );
}

/** A word as tables spell it. */
export function foldWord(word: string): string {
  const folded = foldText(word);
  return folded.includes(SILENT) ? folded.replaceAll(SILENT, "") : folded;
}
