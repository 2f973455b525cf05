/**
 * People whom a text addresses where nobody looks for them: encoded, behind the question mark of a `mailto:`, on a line
 * of their own. An attacker who may fill in one address writes to two with any of them.
 */
import type { RecipientRole } from "../types.ts";

/** Headers of a message that say whom it goes to. */
export const HEADER_ROLES: ReadonlyMap<string, RecipientRole> = new Map([
  ["to", "to"],
  ["cc", "copy"],
  ["bcc", "blind-copy"],
  ["reply-to", "reply-to"],
  ["mail-reply-to", "reply-to"],
  ["mail-followup-to", "reply-to"],
  ["return-path", "reply-to"],
  ["disposition-notification-to", "reply-to"],
  ["resent-to", "to"],
  ["resent-cc", "copy"],
  ["resent-bcc", "blind-copy"],
  ["apparently-to", "to"],
  ["x-forward", "to"],
]);

/** Somebody a text addresses in passing. */
export interface Hidden {
  readonly role: RecipientRole;
  readonly value: string;
}

/** How often encoded text is taken to be encoded once more. */
const DEEPEST_ENCODING = 3;

/** The text with its percent, HTML and backslash escapes and its wide at-signs undone. Total: what is no escape stays. */
export function plainerText(text: string): string {
  let plain = text.replace(/[\uff20\ufe6b]/g, "@");
  for (let depth = 0; depth < DEEPEST_ENCODING; depth++) {
    const before = plain;
    if (plain.includes("&"))
      plain = plain
        .replace(/&(?:amp|#0{0,4}38|#x0{0,4}26);/gi, "&")
        .replace(/&(?:commat|#0{0,4}64|#x0{0,4}40);/gi, "@")
        .replace(/&(?:newline|#0{0,4}1[03]|#x0{0,4}[ad]);/gi, "\n");
    if (plain.includes("\\"))
      plain = plain
        .replace(/(?:\\r)?\\n|\\r|\\u00(?:0[ad])|\\x0[ad]/gi, "\n")
        .replace(/\\(?:u00|x)40/gi, "@");
    if (plain.includes("%"))
      plain = plain.replace(/(?:%[0-9a-f]{2}){1,256}/gi, (coded) => {
        try {
          return decodeURIComponent(coded);
        } catch {
          return coded;
        }
      });
    if (plain === before) break;
  }
  return plain;
}

/** A `mailto:` without what it says of subject and text, which addresses nobody unless it breaks the line. */
export function withoutSubjects(text: string): string {
  if (!/=/.test(text)) return text;
  return text.replace(
    /([?&](?:amp;)?)(?:subject|body)=([^?&#,;\s<>]{0,8192})/gi,
    (all, mark: string, said: string) => (/%(?:25)*0[ad]|\\/i.test(said) ? all : mark),
  );
}

/** Whom the queries of `mailto:` addresses name: `a@x?cc=b@y&bcc=c@z`. What is said of subject and text names nobody. */
export function queriesIn(text: string): Hidden[] {
  if (!text.includes("=")) return [];
  const found: Hidden[] = [];
  for (const [, key = "", value = ""] of text.matchAll(/[?&]\s{0,8}([\w-]{1,40})\s{0,8}=([^?&#]{0,8192})/g)) {
    const role = HEADER_ROLES.get(key.toLowerCase());
    if (role !== undefined && value.trim() !== "") found.push({ role, value });
  }
  return found;
}

const BREAK = "[\\r\\n\\v\\f\\u0085\\u2028\\u2029]";
const SMUGGLED = new RegExp(
  `(?:${BREAK})[ \\t]{0,8}(${[...HEADER_ROLES.keys()].join("|")})[ \\t]{0,8}:([^\\r\\n\\v\\f\\u0085\\u2028\\u2029]{1,8192})`,
  "gi",
);

/**
 * Whom header lines after the first line of a text name: `Hi\nBcc: b@y` as a subject is a second header to a mail program.
 * @param first true where the first line may be such a header too.
 */
export function headersIn(text: string, first = false): Hidden[] {
  const lines = first ? `\n${text}` : text;
  if (!lines.includes(":")) return [];
  return [...lines.matchAll(SMUGGLED)].flatMap(([, name = "", value = ""]) => {
    const role = HEADER_ROLES.get(name.toLowerCase());
    return role === undefined || value.trim() === "" ? [] : [{ role, value }];
  });
}
