/**
 * A typed text in the form that quotes are looked for in. To a quote all white space is alike; but some line ends end a
 * sentence, and what stands below a line that denies is denied. Pure, total, linear.
 */
import { hasNegation } from "./negation.ts";
import { searchable } from "./normal.ts";
import type { Span } from "./tokens.ts";

export interface Heard {
  readonly text: string;
  /** Where a line begins that begins a sentence. */
  readonly breaks: readonly number[];
  /** Where a line begins that may go on with what the one before denied, but not with what it asked. */
  readonly lines?: readonly number[];
  /** What stands in a list, or below a colon, that is denied as a whole. */
  readonly denied?: readonly Span[];
}

/** What parts a line from the one before it, until the text has the form that is searched. */
const BREAK = "\u0001";
const LINE = "\u0002";
const DENIED = "\u0003";
const MARKS = /[\u0001-\u0003]/g;

const ITEM =
  /^\s*(?:[-*+\u2022\u2013\u00b7\u25aa\u25e6]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+|\(?\d{1,3}[)\u3001\uff09])/;
/** A sentence's end, or a question's in Chinese. */
const ENDED = /[.!?\u3002\uff01\uff1f\u2026\u5417\u55ce]["'\u201d\u2019)\uff09\u300d\u300f]*\s*$/;
const COLON = /[:\uff1a]\s*$/;
const GOES_ON = /[,:\uff0c\uff1a\u3001]\s*$/;
/** An answer that stands alone: one word, or one character. */
const ALONE = /^\s*(?:[\p{Script=Latin}'\u2019]+|\p{Script=Han})\s*$/u;
/** What denies nothing though it is a word that does: `No problem, please do these:`. */
const CONSENTS =
  /\b(?:no (?:problem|worries|objections?|rush|hurry|preference|particular|matter)|not (?:only|urgent|sure|in|here|today|yet)|(?:don't|do not) (?:mind|hesitate|forget|worry)|can't wait|never ?mind|nothing else|why not|if not|or not|without (?:delay|further ado))\b|没问题|沒問題|没意见|不介意/g;
/** A heading that is a sentence says what comes. */
const FOLLOWING = /\b(?:following|these|below)\b|以下|下列|下面/i;

/** Total, linear. */
export function hear(raw: string): Heard {
  const plain = raw.replace(MARKS, " ");
  if (!/[\n\r]/.test(plain)) return { text: searchable(plain), breaks: [] };
  const marked = searchable(parted(plain.split(/\r\n|\n|\r/)));
  const breaks: number[] = [];
  const lines: number[] = [];
  const denied: Span[] = [];
  let text = "";
  let last = 0;
  let open = -1;
  const close = (): void => {
    if (open >= 0) denied.push({ start: open, end: text.length });
    open = -1;
  };
  for (const { 0: mark, index } of marked.matchAll(MARKS)) {
    text += marked.slice(last, index);
    last = Math.min(marked.length, index + 2);
    close();
    (mark === LINE ? lines : breaks).push(text.length);
    if (mark === DENIED) open = text.length;
  }
  text += marked.slice(last);
  close();
  return {
    text: text.trimEnd(),
    breaks,
    ...(lines.length > 0 ? { lines } : {}),
    ...(denied.length > 0 ? { denied } : {}),
  };
}

/** What a line says about those below it. */
interface Heading {
  readonly denies: boolean;
  readonly indent: number;
  /** It is an item itself, so that its own stand deeper. */
  readonly isItem: boolean;
  /** What stands below it, with marks before it or without. */
  readonly list: "items" | "lines";
}

function parted(lines: readonly string[]): string {
  let out = "";
  let above: string | null = null;
  let isBlank = false;
  let headings: Heading[] = [];
  for (const line of lines) {
    if (line.trim() === "") {
      isBlank = true;
      headings = headings.filter(({ list }) => list !== "lines");
      continue;
    }
    if (above === null) out += line;
    else {
      const isItem = ITEM.test(line);
      const mark = markBetween(above, line, isBlank, isItem);
      headings = below(headings, { above, line, isBlank, isItem });
      const isDenied = headings.some(({ denies }) => denies);
      // A line that only goes on with the one above needs no mark of its own.
      out +=
        isDenied && (isItem || mark !== "" || COLON.test(above))
          ? ` ${DENIED} ${line}`
          : ` ${isDenied ? "" : mark} ${line}`;
    }
    above = line;
    isBlank = false;
  }
  return out;
}

function markBetween(above: string, line: string, isBlank: boolean, isItem: boolean): string {
  if (isBlank || isItem || ENDED.test(above)) return BREAK;
  if (GOES_ON.test(above)) return "";
  if (ALONE.test(above)) return BREAK;
  return /^\s*[("'\u201c]?\p{Lu}/u.test(line) ? LINE : "";
}

/** The headings that the line stands below, among them the line above it if it is one. */
function below(
  headings: readonly Heading[],
  { above, line, isBlank, isItem }: { above: string; line: string; isBlank: boolean; isItem: boolean },
): Heading[] {
  const indent = indentOf(line);
  const kept: Heading[] = [];
  for (const heading of headings) {
    // A list ends with a line that is no item and stands no deeper, another one with a sentence.
    const goesOn =
      heading.list === "items"
        ? indent > heading.indent || (isItem && !heading.isItem && indent === heading.indent)
        : !ENDED.test(above) && !isBlank;
    if (goesOn) kept.push(heading);
  }
  const opens = COLON.test(above)
    ? isItem || !isBlank
    : isItem && !ITEM.test(above) && (!ENDED.test(above) || FOLLOWING.test(above.slice(-LONGEST)));
  if (opens)
    kept.push({
      denies: denies(above),
      indent: indentOf(above),
      isItem: ITEM.test(above),
      list: isItem ? "items" : "lines",
    });
  return kept.slice(-DEEPEST);
}

/** No list stands deeper in others. */
const DEEPEST = 8;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Whether a heading's last sentence denies. */
function denies(heading: string): boolean {
  const text = searchable(heading.slice(-LONGEST)).replace(/[\s:.!。]+$/, "");
  const sentence = text.slice(
    Math.max(...[". ", "! ", "? ", "; ", "。", "!", "?"].map((end) => text.lastIndexOf(end))) + 1,
  );
  return hasNegation(sentence.replace(CONSENTS, " "));
}
const LONGEST = 2000;

/** The first of some places at `at` or behind it; -1 where there is none. */
function firstFrom(places: readonly number[], at: number): number {
  return places[indexFrom(places, at)] ?? -1;
}

/** Where sentences begin with their line between two places. */
export function breaksWithin({ breaks }: Heard, start: number, end: number): readonly number[] {
  return breaks.length === 0 ? breaks : breaks.slice(indexFrom(breaks, start), indexFrom(breaks, end));
}

function indexFrom(places: readonly number[], at: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a line begins there that begins a sentence. */
export function startsAt({ breaks }: Heard, at: number): boolean {
  return breaks.length > 0 && firstFrom(breaks, at) === at;
}

/** Where the line ends that a question would end with; the text's end where there is no other. */
export function lineEnd({ text, breaks, lines = [] }: Heard, at: number): number {
  const ends = [firstFrom(breaks, at), firstFrom(lines, at)].filter((end) => end >= 0);
  return ends.length === 0 ? text.length : Math.min(...ends);
}

/** Whether a place stands in what is denied as a whole. */
export function within({ denied = [] }: Heard, at: number): boolean {
  let low = 0;
  let high = denied.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((denied[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const span = denied[low];
  return span !== undefined && span.start <= at;
}
