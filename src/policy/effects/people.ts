import { hostOfUrl } from "./hosts.ts";
import { hostCauses, spellingCauses } from "./spelling.ts";

/** Somebody as an argument spells them. */
export interface Address {
  /** What two addresses are compared by; see `Recipient`. */
  readonly address: string;
  readonly given: string;
  /** What is deceptive about the spelling; see `Deception`. */
  readonly causes: readonly string[];
}

/** More of them in one argument are not told apart; `complete` says so. */
const MOST_ADDRESSES = 500;
/** RFC 5321 allows 254 characters; display names come on top. */
const LONGEST_ADDRESS = 1024;

/**
 * The people that one text addresses: `a@x, b@y`, `Name <a@x>; mailto:c@z`, `#channel`, `@handle`, a number.
 * A text without an address in it is one name, whatever signs it holds. Linear; never throws.
 */
export function addressesIn(text: string): {
  readonly found: readonly Address[];
  readonly complete: boolean;
} {
  const found: Address[] = [];
  const pieces = text.length > 65_536 ? [text.slice(0, 65_536)] : piecesOf(text);
  for (const piece of pieces.slice(0, MOST_ADDRESSES)) {
    const one = addressOf(piece);
    if (one !== null) found.push(one);
  }
  return { found, complete: pieces.length <= MOST_ADDRESSES && text.length <= 65_536 };
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
  const ungrouped = given.replace(/^(?!mailto:)[^<>"@:]{1,64}:\s*(?=[^\s@]+@|<)/i, "");
  const angle = ungrouped.slice(0, LONGEST_ADDRESS).lastIndexOf("<");
  const display = angle > 0 ? ungrouped.slice(0, angle) : "";
  const inner = angle >= 0 ? ungrouped.slice(angle + 1).replace(/>[^>]*$/, "") : ungrouped;
  const bare = plain(inner.replace(/^\s*mailto:/i, "").replace(/\?.*$/s, ""));
  const address = normal(bare, causes);
  const shown = /[^\s"'<>(),;]+@[^\s"'<>(),;]+/.exec(display.slice(0, LONGEST_ADDRESS))?.[0];
  if (shown !== undefined && normal(plain(shown), new Set()) !== address) causes.add("display-name");
  if (display !== "") for (const cause of spellingCauses(display, false)) causes.add(cause);
  if (given.length > LONGEST_ADDRESS) causes.add("too-long");
  return address === "" ? null : { address, given: given.slice(0, LONGEST_ADDRESS), causes: [...causes] };
}

/** Without comments in brackets, quotes around the whole, and space. */
function plain(text: string): string {
  return text
    .slice(0, LONGEST_ADDRESS)
    .replace(/\([^()]{0,256}\)\s*$/, "")
    .trim()
    .replace(/^"([^"]*)"$/, "$1")
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
  const start = text.slice(0, 4096);
  return /\S@[^\s@]+\.[^\s@]/.test(start) || /^\s*(?:\+\d[\d\s().-]{5,24}|@[\w.-]{2,64})\s*$/.test(start);
}
