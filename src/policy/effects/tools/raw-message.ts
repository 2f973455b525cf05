import type { Report } from "../report.ts";
import { HEADER_ROLES } from "../smuggled.ts";

/** A header block longer than this is not taken apart. */
const LONGEST_HEADERS = 65_536;

/**
 * The people that a raw RFC 822 message goes to, plain or in base64 as mail services take it. Opaque when its headers
 * cannot be told, or hide an address in an encoded word.
 */
export function readRawMessage(given: string, report: Report, at: string): void {
  const text = /^[\w!#$%&'*+.^`|~-]{1,76}[ \t]*:/.test(given) ? given : fromBase64(given);
  const end = text === null ? -1 : text.search(/\r?\n\r?\n/);
  const block = text === null ? "" : end < 0 ? text : text.slice(0, end);
  if (text === null || block.length > LONGEST_HEADERS || !/^[\w!#$%&'*+.^`|~-]{1,76}[ \t]*:/.test(block)) {
    report.opaque("raw-message");
    return;
  }
  let addressed = false;
  for (const line of block.replace(/\r?\n[ \t]+/g, " ").split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) {
      report.opaque("raw-message");
      continue;
    }
    const name = line.slice(0, colon).trim().toLowerCase();
    const role = HEADER_ROLES.get(name);
    if (role === undefined) continue;
    const value = line.slice(colon + 1);
    // An encoded word may spell a whole address, brackets and all.
    if (/=\?[^?\s]{1,40}\?[bq]\?/i.test(value.replace(/"[^"]*"/g, "")) && !/<[^<>=?]+>\s*$/.test(value))
      report.opaque("raw-message");
    report.said.people(role, value, at);
    addressed = true;
  }
  if (!addressed) report.opaque("raw-message");
}

/** Base64 or base64url; `null` for what is neither. Only the headers matter, so only the beginning is read. */
function fromBase64(text: string): string | null {
  const plain = text
    .slice(0, 2 * LONGEST_HEADERS)
    .replace(/[\s=]/g, "")
    .replace(/-/g, "+")
    .replace(/_/g, "/");
  if (plain === "" || /[^A-Za-z0-9+/]/.test(plain)) return null;
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0))), (one) =>
        one.charCodeAt(0),
      ),
    );
  } catch {
    return null;
  }
}
