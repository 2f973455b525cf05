import type { RecipientRole } from "../types.ts";
import { hostOfUrl } from "./hosts.ts";
import { HEADER_ROLES, headersIn, plainerText, queriesIn, withoutSubjects } from "./smuggled.ts";
import { hostCauses, spellingCauses } from "./spelling.ts";

/** Somebody as an argument spells them. */
export interface Address {
  /** What two addresses are compared by; see `Recipient`. */
  readonly address: string;
  readonly given: string;
  /** What is deceptive about the spelling; see `Deception`. */
  readonly causes: readonly string[];
  /** How it is addressed, where the text itself says so: `?bcc=` in a `mailto:`, a header on a line of its own. */
  readonly role?: RecipientRole;
}

/** More of them in one argument are not told apart; `complete` says so. */
const MOST_ADDRESSES = 500;
/** Text of one argument that is taken apart. */
const LONGEST_TEXT = 65_536;
/** RFC 5321 allows 254 characters; display names come on top. */
const LONGEST_ADDRESS = 1024;

/**
 * The people that one text addresses: `a@x, b@y`, `Name <a@x>; mailto:c@z?cc=d@w`, `#channel`, `@handle`, a number.
 * A text without an address in it is one name, whatever signs it holds. Whoever is encoded, stands behind a question mark
 * or in a display name counts as well: some mail program will write to them. Linear; never throws.
 */
export function addressesIn(text: string): {
  readonly found: readonly Address[];
  readonly complete: boolean;
} {
  const found = new Map<string, Address>();
  const add = (one: Address | null): void => {
    if (one !== null && !found.has(one.address)) found.set(one.address, one);
  };
  const trimmed = text.trim();
  const fits = trimmed.length <= LONGEST_TEXT;
  const start = withoutSubjects(trimmed.slice(0, LONGEST_TEXT));
  const plainer = plainerText(start);
  // A `mailto:` is encoded by rule; of any other text either reading may be the one that is sent.
  const readings =
    plainer === start ? [start] : /^\s*<?\s*mailto:/i.test(start) ? [plainer] : [start, plainer];
  let complete = fits;
  for (const reading of readings) {
    const pieces = fits ? piecesOf(reading) : [reading];
    for (const piece of pieces.slice(0, MOST_ADDRESSES)) add(addressOf(piece));
    if (pieces.length > MOST_ADDRESSES) complete = false;
    const hidden = [...queriesIn(reading), ...headersIn(reading)];
    for (const { role, value } of hidden.slice(0, MOST_ADDRESSES))
      for (const piece of piecesOf(value.slice(0, LONGEST_ADDRESS))) {
        const one = addressOf(piece);
        if (one !== null) add({ ...one, role });
      }
    if (hidden.length > MOST_ADDRESSES) complete = false;
    // Whatever is shaped like an address and was not told yet: `a@x?b@y`, a display name, a comment.
    for (const shape of reading.includes("@") ? shapesIn(reading) : []) {
      add({ address: normal(shape, new Set()), given: shape, causes: [] });
      if (found.size > 2 * MOST_ADDRESSES) return { found: [...found.values()], complete: false };
    }
  }
  return { found: [...found.values()], complete };
}

/** What can be nothing but a mail address, wherever it stands. */
function shapesIn(text: string): string[] {
  const shapes = text.matchAll(
    /[^\s"'<>()[\]{},;:|&=?/\\@]{1,64}@(?:[^\s"'<>()[\]{},;:|&=?/\\@.]{1,63}\.){1,32}[^\s"'<>()[\]{},;:|&=?/\\@.\d][^\s"'<>()[\]{},;:|&=?/\\@.]{1,62}/gu,
  );
  return [...shapes].map(([shape]) => shape);
}

/** Splits at commas, semicolons and line ends outside quotes and angle brackets, where what is listed are addresses. */
function piecesOf(text: string): string[] {
  const listed =
    /@/.test(text) || /^\s*[#+@]?[\w.+-]+(?:\s*[,;]\s*[#+@]?[\w.+-]+)+\s*$/.test(text.slice(0, 4096));
  if (!listed) return [text];
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  let angled = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\" && quoted) at++;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === "<") angled = true;
    else if (sign === ">") angled = false;
    else if (!angled && (sign === "," || sign === ";" || sign === "\n" || sign === "\r")) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  // A quote or bracket that is never closed hides no separator.
  const rest = text.slice(start);
  pieces.push(...(quoted || angled ? rest.split(/[,;\r\n]/) : [rest]));
  return pieces.flatMap((piece) =>
    !/[<"]/.test(piece) && (piece.match(/\S@\S/g)?.length ?? 0) > 1 ? piece.split(/\s+/) : [piece],
  );
}

function addressOf(piece: string): Address | null {
  const given = piece.trim();
  if (given === "") return null;
  const causes = new Set<string>();
  // `Team: a@x;` is a group of one more person.
  const group = /^(?!mailto:)([^<>"@:]{1,64}):\s*(?=[^\s@]+@|<)/i.exec(given);
  const ungrouped = given.slice(group?.[0].length ?? 0);
  const role = HEADER_ROLES.get((group?.[1] ?? "").trim().toLowerCase());
  const angle = ungrouped.slice(0, LONGEST_ADDRESS).lastIndexOf("<");
  const display = angle > 0 ? ungrouped.slice(0, angle) : "";
  const inner = angle >= 0 ? ungrouped.slice(angle + 1).replace(/>[^>]*$/, "") : ungrouped;
  const bare = plain(inner.replace(/^\s*mailto:/i, "").replace(/\?.*$/s, ""));
  const address = normal(bare, causes);
  const shown = /[^\s"'<>(),;]+@[^\s"'<>(),;]+/.exec(display.slice(0, LONGEST_ADDRESS))?.[0];
  if (shown !== undefined && normal(plain(shown), new Set()) !== address) causes.add("display-name");
  if (display !== "") for (const cause of spellingCauses(display, false)) causes.add(cause);
  if (given.length > LONGEST_ADDRESS) causes.add("too-long");
  if (address === "") return null;
  const told = { address, given: given.slice(0, LONGEST_ADDRESS), causes: [...causes] };
  return role === undefined ? told : { ...told, role };
}

/** Without comments in brackets, quotes around the whole, and space. */
function plain(text: string): string {
  return text
    .slice(0, LONGEST_ADDRESS)
    .replace(/\([^()]{0,256}\)\s*$/, "")
    .trim()
    .replace(/^"([^"]*)"$|^'([^']*)'$/, "$1$2")
    .trim();
}

function normal(text: string, causes: Set<string>): string {
  const at = text.lastIndexOf("@");
  if (at > 0) {
    const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
    for (const cause of [...spellingCauses(local, true), ...hostCauses(domain)]) causes.add(cause);
    if (/@/.test(local) && !/^"/.test(local)) causes.add("two-addresses");
    const host = hostOfUrl(`http://${domain}`)?.replace(/:\d+$/, "");
    return `${local.toLowerCase()}@${host ?? domain.toLowerCase()}`;
  }
  for (const cause of spellingCauses(text, false)) causes.add(cause);
  // +1 (555) 555-0123 and DE89 3704 0044 0532 0130 00 are written with gaps and without.
  if (/^\+?[\d\s().-]{5,30}$/.test(text) && /\d/.test(text)) return text.replace(/[\s().-]/g, "");
  if (/^[A-Z]{2}\d{2}[A-Z0-9 ]{10,40}$/i.test(text)) return text.replace(/ /g, "").toLowerCase();
  return text.toLowerCase();
}

/** True for text that can only be somebody's address: mail, a phone number, a handle. */
export function looksLikeAddress(text: string): boolean {
  const start = text.slice(0, 4096).replace(/[\uff20\ufe6b]/g, "@");
  return /\S@[^\s@]+\.[^\s@]/.test(start) || /^\s*(?:\+\d[\d\s().-]{5,24}|@[\w.-]{2,64})\s*$/.test(start);
}

/** Names of files that stand behind a sign which mail uses: `logo@2x.png` is nobody. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|pdf|docx?|xlsx?|pptx?|csv|txt|json|ya?ml|html?|css|jsx?|tsx?)$/i;
/** Words between addresses that are no part of a sentence. */
const BETWEEN =
  /^(?:and|und|et|y|e|or|to|cc|bcc|copy|mailto|&|\+|[\w-]{1,20}[:=]|[-*•]|\d{1,3}[.)]|[.:!?…]{1,8})$/i;

/**
 * True for text that is an address, or several, and says nothing else: what a tool is given so that it writes there. A
 * sentence that mentions one is not. Linear.
 */
export function isAddressList(text: string): boolean {
  const trimmed = text.trim();
  // Of a list that is too long to be told, its beginning says that it is one.
  const start =
    trimmed.length > LONGEST_TEXT ? trimmed.slice(0, lastBreak(trimmed.slice(0, LONGEST_TEXT))) : trimmed;
  const plain = plainerText(start).trim();
  if (!plain.includes("@")) return /^\+\d[\d\s().-]{6,24}$/.test(plain);
  if (/^@[\w.-]{2,64}$/.test(plain) || /^mailto:/i.test(plain)) return true;
  // One word of any length, whatever its parts may be long by the book.
  if (/^[^\s/:,;@]+@[^\s/:,;@]+\.[^\s/:,;@.\d][^\s/:,;@.]+$/.test(plain) && !FILE_ENDING.test(plain))
    return true;
  const shapes = shapesIn(plain).filter((shape) => !FILE_ENDING.test(shape));
  if (shapes.length === 0) return false;
  const named = plain.replace(/\([^()@]{0,64}\)/g, " ");
  let rest = named;
  // Longer ones first, so that none is cut out of another.
  if (shapes.length <= 64)
    for (const shape of shapes.sort((a, b) => b.length - a.length)) rest = rest.replace(shape, " ");
  else rest = named.replace(/[^\s,;<>"]{1,320}@[^\s,;<>"]{1,320}/g, " ");
  const words = rest.split(/[\s,;<>|()[\]{}"'，；、]+/).filter((word) => word !== "" && !BETWEEN.test(word));
  return words.length === 0 || (plain.includes("<") && words.length <= 4 * shapes.length);
}

/** Where the last whole entry of a list ends that was cut off. */
function lastBreak(text: string): number {
  return Math.max(0, ...[",", ";", " ", "\n"].map((mark) => text.lastIndexOf(mark)));
}

/** True for text that can only be an account which money is sent to: an IBAN, a wallet. */
export function isPayable(text: string): boolean {
  const plain = text.trim();
  return (
    /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}$/i.test(plain) ||
    /^(?:0x[0-9a-f]{40}|(?:bc1|tb1|ltc1)[a-z0-9]{25,60})$/i.test(plain)
  );
}
