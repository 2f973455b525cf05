/**
 * Spellings that are made to be taken for another. What is judged here is one spelling alone; whether it resembles a name
 * that somebody typed is the fence's to say.
 */

/** Letters that nobody sees, or that turn the direction of what follows. */
const INVISIBLE = new RegExp(
  [
    "\\u00ad|\\u034f|\\u061c|[\\u115f\\u1160]|[\\u17b4\\u17b5]|[\\u180b-\\u180e]|[\\u200b-\\u200f]|[\\u202a-\\u202e]",
    "[\\u2060-\\u2064]|[\\u2066-\\u206f]|\\u3164|[\\ufe00-\\ufe0f]|\\ufeff|\\uffa0|[\\u{e0000}-\\u{e0fff}]",
  ].join("|"),
  "u",
);
/** Among them, what honest emoji and Indic or Persian words are joined with. */
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/g;

/** Letters of other scripts and the ASCII letter that they are drawn like. */
const TWINS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    // Cyrillic
    "аa сc ԁd еe һh іi јj кk ӏl оo рp ԛq ѕs уy ѵv ԝw хx",
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX ҮY ԜW ԚQ",
    // Greek
    "αa γy ιi κk νv οo ρp υu χx",
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX",
    // Armenian
    "օo ոn սu հh",
    // Latin letters that are no accented form of the plain one
    "ɑa ɡg ɩi ʟl ɴn ʀr ꜱs ʏy ᴀa ᴄc ᴅd ᴇe ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ɪi ʜh ʙb",
  ].flatMap((row) => row.split(" ").map((pair) => [...pair] as [string, string])),
);

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["latin", /\p{Script=Latin}/u],
  ["cyrillic", /\p{Script=Cyrillic}/u],
  ["greek", /\p{Script=Greek}/u],
  ["armenian", /\p{Script=Armenian}/u],
  ["cherokee", /\p{Script=Cherokee}/u],
  ["coptic", /\p{Script=Coptic}/u],
  ["lisu", /\p{Script=Lisu}/u],
  ["georgian", /\p{Script=Georgian}/u],
];

function scriptsOf(word: string): string[] {
  return SCRIPTS.filter(([, script]) => script.test(word)).map(([name]) => name);
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/**
 * What is deceptive about a name, a path or a local part: kebab-case causes, none for an honest spelling.
 * Words of one script are honest, and so are Han, kana or Hangul beside Latin; `aре` of two alphabets is not.
 * @param strict for addresses and hosts, where no honest spelling joins letters or has full-width ones. Linear.
 */
export function spellingCauses(text: string, strict: boolean): string[] {
  if (isAscii(text)) return [];
  const causes = new Set<string>();
  if (INVISIBLE.test(strict ? text : text.replace(JOINERS, ""))) causes.add("invisible-character");
  if (strict) {
    for (const letter of text) {
      if (isAscii(letter) || !isAscii(letter.normalize("NFKC"))) continue;
      causes.add("compatibility-form");
      break;
    }
  }
  for (const [word] of text.slice(0, 8192).matchAll(/[\p{L}\p{M}]+/gu)) {
    const scripts = scriptsOf(word);
    // `Δx` and `µs` are how people write; a look-alike beside Latin letters is how nobody does.
    if (scripts.length > 1 && (strict || [...word].some((letter) => letter in TWINS && !isAscii(letter))))
      causes.add("mixed-script");
  }
  return [...causes];
}

/** True for a path that enters a folder by name and leaves it again: `docs/../.ssh` is not below `docs`. Linear. */
export function climbsOut(path: string): boolean {
  if (!path.includes("..") || path.length > 8192) return false;
  let named = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") {
      if (named > 0) return true;
    } else if (segment !== "" && segment !== "." && segment !== "~") named++;
  }
  return false;
}

/** What is deceptive about a host, given as it was spelled or in its ASCII form. */
export function hostCauses(given: string): string[] {
  const host = given.replace(/:\d+$/, "");
  if (isAscii(host) && !/(?:^|\.)xn--/i.test(host)) return [];
  const labels = host
    .toLowerCase()
    .split(/[.\u3002\uff0e\uff61]/)
    .map((label) => (label.startsWith("xn--") ? (fromPunycode(label.slice(4)) ?? label) : label));
  const causes = new Set(labels.flatMap((label) => spellingCauses(label, true)));
  const top = labels[labels.length - 1] ?? "";
  // Under `.com`, a name drawn wholly of look-alikes reads as another; under `.рф` it reads as itself.
  if (isAscii(top) && labels.some(looksAscii)) causes.add("look-alike");
  return [...causes];
}

function looksAscii(label: string): boolean {
  return !isAscii(label) && [...label].every((letter) => isAscii(letter) || letter in TWINS);
}

/** What is deceptive about a URL: its host, and what is put before or into its authority to be taken for it. */
export function urlCauses(url: string): string[] {
  const authority = /^[a-z][a-z0-9+.-]*:[/\\]{2,}([^/?#]*)/i.exec(url.slice(0, 8192))?.[1] ?? "";
  if (authority === "") return [];
  const causes = new Set<string>();
  const slash = authority.indexOf("\\");
  if (slash >= 0) causes.add("backslash-in-host");
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0)).replace(/%2e/gi, ".");
  if (/^[^:]*[^\s.:]\.[a-z\u0080-\uffff]{2,}/i.test(user) && /^https?:/i.test(url)) causes.add("user-in-url");
  for (const cause of hostCauses(authority.slice(at + 1))) causes.add(cause);
  if (INVISIBLE.test(url.slice(0, 8192))) causes.add("invisible-character");
  return [...causes];
}

/** RFC 3492, for the labels behind `xn--`; `null` for what is no such label. */
export function fromPunycode(label: string): string | null {
  const cut = label.lastIndexOf("-");
  const output = cut > 0 ? [...label.slice(0, cut)].map((one) => one.codePointAt(0) ?? 0) : [];
  let [code, index, bias] = [128, 0, 72];
  for (let at = cut > 0 ? cut + 1 : 0; at < label.length; index++) {
    const before = index;
    for (let weight = 1, base = 36; ; base += 36) {
      const digit = digitOf(label.charCodeAt(at++));
      if (digit < 0 || output.length > 256) return null;
      index += digit * weight;
      const threshold = base <= bias ? 1 : base >= bias + 26 ? 26 : base - bias;
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (index > 0x7fff_ffff || weight > 0x7fff_ffff) return null;
    }
    const size = output.length + 1;
    bias = adapted(index - before, size, before === 0);
    code += Math.floor(index / size);
    index %= size;
    if (code > 0x10ffff) return null;
    output.splice(index, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 22;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  return code >= 0x61 && code <= 0x7a ? code - 0x61 : -1;
}

function adapted(delta: number, size: number, first: boolean): number {
  let left = first ? Math.floor(delta / 700) : delta >> 1;
  left += Math.floor(left / size);
  let base = 0;
  for (; left > 455; base += 36) left = Math.floor(left / 35);
  return base + Math.floor((36 * left) / (left + 38));
}
