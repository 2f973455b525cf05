/**
 * Names that strangers chose, as a message may carry them. Whoever names a tool or an agent writes into the notification
 * of whoever is to judge it: they must not add a line, turn the text around, hide a letter, or put a link of their own
 * beside ours.
 */

/** A name, or words with names in between: each kind of channel sets names off in its own way. */
export type Text = readonly (string | { readonly name: string })[];

const MAX_NAME_CHARACTERS = 80;

/** Drawn as nothing, or as nothing but space, though Unicode calls some of them letters. */
const UNSEEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/gu;
/** One word, or several without a dot: nothing that a program takes for an address. */
const PLAIN = /^(?:[\p{L}\p{N}\p{M}_.:-]+|[\p{L}\p{N}\p{M}_:-]+(?: [\p{L}\p{N}\p{M}_:-]+)*)$/u;
/** What mail and chat programs make a link of by itself: `functions.exec` stays as it is, `approve.example.com` does not. */
const LINKED =
  /^www\.|\.(?:[a-z]{2}|com|net|org|info|biz|dev|app|xyz|link|click|page|site|online|shop|top|live|cloud|zip|mov|pro|tech|store|space|club|[a-z]*\d[a-z\d]*|[^.]*[^\x00-\x7f][^.]*)(?![\p{L}\p{N}_-])/iu;

/**
 * Makes what cannot be seen visible, and cuts: `rm<U+202E>txt`. A name that could be taken for an address, or for an
 * instruction with one in it, has its dots and colons set apart, so that no program makes a link of it.
 */
export function shownName(name: string, most: number = MAX_NAME_CHARACTERS): string {
  // Long before it is read whole: a name can be as long as its sender likes.
  const start = name.slice(0, most * 4).toWellFormed();
  const seen = start
    .replace(UNSEEN, (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`)
    // More accents than a letter bears climb over the lines above.
    .replace(/(\p{M}{2})(\p{M}+)/gu, (_, kept: string, more: string) => `${kept}<+${[...more].length} marks>`)
    .replaceAll(/["“”„‟«»]/g, "'");
  if (seen.trim() === "") return "(no name)";
  // What is cut could become an address by that.
  const fits = start.length === name.length && [...seen].length <= most;
  const safe =
    fits && PLAIN.test(seen) && !LINKED.test(seen)
      ? seen
      : seen
          .replaceAll("://", "[:]//")
          .replace(/\.(?=[\p{L}\p{N}])/gu, "[.]")
          .replaceAll("@", "[at]");
  const whole = [...safe];
  return fits && whole.length <= most ? safe : `${whole.slice(0, most).join("")}…`;
}

/** As plain text: names in quotation marks, which no name can hold. */
export function plainText(text: Text): string {
  return text.map((part) => (typeof part === "string" ? part : `“${part.name}”`)).join("");
}
