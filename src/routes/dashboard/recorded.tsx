/**
 * Shows what others wrote: tool names, paths, arguments, names. Escaping is hono/jsx's; this keeps a text from looking
 * like another one. A character that is not drawn, or that turns the direction of what follows, is named instead, and
 * the text is kept apart from the page around it.
 */
import type { Child } from "hono/jsx";

/**
 * Controls (tabs and line feeds aside), formats (bidirectional, zero-width, tags), lone surrogates, separators, spaces
 * other than the plain one, variation selectors, and letters that are drawn as nothing.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;

const PLAIN_IN_BLOCKS = new Set(["\n", "\t"]);

/** Space that pushes what follows out of sight: so many lines without a word, or so many blanks in one. */
const VOID = /(?:[ \t]*\n){20,}|[ \t]{200,}/g;
/** As many of one character in a row are counted instead of named one by one. */
const MANY = 8;

/** `⟨U+202E⟩` for a character that would not be seen. */
function nameOf(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with every unseen character named: for attributes and titles, where no element can stand. */
export function visible(text: string): string {
  return text.replace(UNSEEN, nameOf);
}

/** The names of the characters in a text that would not be seen, each once; line feeds and tabs aside. */
export function unseenIn(text: string): string[] {
  const found = new Set<string>();
  for (const [char] of text.matchAll(UNSEEN)) if (!PLAIN_IN_BLOCKS.has(char)) found.add(nameOf(char));
  return [...found];
}

interface RecordedProps {
  readonly text: string;
  /** Keeps line feeds and tabs as they are, for text that is shown as a block. */
  readonly block?: boolean;
}

/** A recorded text, written left to right and closed off from its surroundings. */
export function Recorded({ text, block = false }: RecordedProps) {
  return <bdi dir="ltr">{pieces(text, block)}</bdi>;
}

function pieces(text: string, block: boolean): Child[] {
  if (!block) return named(text, false);
  const parts: Child[] = [];
  let from = 0;
  for (const { 0: space, index } of text.matchAll(VOID)) {
    const lines = space.split("\n").length - 1;
    const [count, what] = lines > 0 ? [lines, "blank lines"] : [space.length, "blanks"];
    const words = `⟨${count.toLocaleString("en-GB")} ${what}⟩`;
    parts.push(...named(text.slice(from, index), true), <span class="unseen">{words}</span>);
    if (lines > 0) parts.push("\n");
    from = index + space.length;
  }
  return [...parts, ...named(text.slice(from), true)];
}

/** What is in a row is one element: a text of nothing else would make a page that no phone opens. */
function named(text: string, block: boolean): Child[] {
  const parts: Child[] = [];
  let from = 0;
  let row: string[] = [];
  const end = (): void => {
    if (row.length > 0) parts.push(<span class="unseen">{counted(row)}</span>);
    row = [];
  };
  for (const { 0: char, index } of text.matchAll(UNSEEN)) {
    if (block && PLAIN_IN_BLOCKS.has(char)) continue;
    if (index > from) {
      end();
      parts.push(text.slice(from, index));
    }
    row.push(char);
    from = index + char.length;
  }
  end();
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** `⟨U+200B⟩⟨U+200D⟩`, or `⟨U+200B × 1,200⟩` for many of one. */
function counted(row: readonly string[]): string {
  let text = "";
  for (let at = 0; at < row.length; ) {
    const char = row[at] ?? "";
    let next = at;
    while (row[next] === char) next += 1;
    const name = nameOf(char);
    text +=
      next - at < MANY
        ? name.repeat(next - at)
        : `${name.slice(0, -1)} × ${(next - at).toLocaleString("en-GB")}⟩`;
    at = next;
  }
  return text;
}

/** The first `length` characters, never half of one. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
});
const TIME = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", timeStyle: "medium" });

/** A moment, to the second and in UTC: two people who look at the same record must read the same time. */
export function When({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time datetime={date.toISOString()}>
      {DATE.format(date)}, {TIME.format(date)} UTC
    </time>
  );
}
