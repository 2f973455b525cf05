/**
 * A write's texts -> its claims, their quotes, and what has to be looked up of them. The first of two steps, since only
 * the caller can read what was typed; `judge.ts` takes the answers. Pure, total, linear; the result is plain data.
 */
import {
  back,
  claimingSentences,
  MAX_CLAIMS,
  type Scan,
  type Stated,
  scan,
  sentenceKey,
  trimmed,
} from "./claims.ts";
import { type Normal, needleOf, normalise } from "./normal.ts";
import { type Quoted, quotesIn } from "./quotes.ts";
import { contentTokens, hasNegation } from "./said.ts";
import type { Span } from "./tokens.ts";
import { DEFAULT_LEXICON, type DecisionKind, type Lexicon } from "./words/index.ts";
import type { Origin } from "./write.ts";

/** A quoted span as it may have been meant; where its end is unclear there are several. */
export interface QuoteReading {
  readonly needle: number;
  readonly text: string;
  /** What the line is about that holds the same quote in the text that the write edits; `null` without one. */
  readonly stored: readonly string[] | null;
}

export interface Quote {
  readonly readings: readonly QuoteReading[];
  readonly tokens: readonly string[];
}

/** A claim and its quotes, by their index in the inquiry. */
export interface Question {
  readonly pattern: string;
  readonly kind: DecisionKind;
  /** The claim as messages and records show it. */
  readonly text: string;
  /** Which of the texts it stands in, and where; offsets are those of that text as given. */
  readonly piece: number;
  readonly span: Span;
  /** The claim denies something itself: `decided not to renew`. */
  readonly isNegated: boolean;
  /** It is a claim only if all of these are the user's words. */
  readonly needs: readonly number[];
  /** It is none if one of these is: then the user typed it. */
  readonly inside: readonly number[];
  /** What may back it. */
  readonly quotes: readonly number[];
  /** Those, and what stands before it in the sentence: what nobody typed of it is ordinary text. */
  readonly around: readonly number[];
  /** What the claim is about, quotes left out. */
  readonly tokens: readonly string[];
}

export interface Inquiry {
  readonly claims: readonly Question[];
  readonly quotes: readonly Quote[];
  /** What to look up, without repetition: texts as `searchable` makes them of what was typed contain them, or not. */
  readonly needles: readonly string[];
  readonly isTooMany: boolean;
}

/** Texts that were written, and what stood there before. */
export interface Texts {
  readonly pieces: readonly string[];
  /** The text that the write edits, in parts; empty when it edits nothing, or when nobody says what stands there. */
  readonly base: readonly string[];
  /** By the index of the piece, where not all of `base` counts for it. */
  readonly origins?: readonly (Origin | undefined)[];
}

/** @param lexicon the organization's words for its users; the common ones without it */
export function inquire({ pieces, base, origins }: Texts, lexicon: Lexicon = DEFAULT_LEXICON): Inquiry {
  const whole: Origin = { known: base, quoted: base };
  const before = new Before(lexicon);
  const scans: Scanned[] = [];
  let left = MAX_CLAIMS + 1;
  for (const [piece, text] of pieces.entries()) {
    if (left <= 0) break;
    const { known, quoted } = origins?.[piece] ?? whole;
    // What stands there already, word for word, was written before.
    if (before.holds(known, text)) continue;
    const skip = (normal: Normal, sentence: Span): boolean =>
      before.sentences(known).has(sentenceKey(normal, sentence));
    const found = scan(text, { lexicon, most: left, ...(known.length > 0 ? { skip } : {}) });
    left -= found.stated.length;
    if (found.stated.length > 0) scans.push({ piece, scan: found, stored: before.quotes(quoted) });
  }
  if (left <= 0) return { claims: [], quotes: [], needles: [], isTooMany: true };
  return new Asking().ask(scans);
}

interface Place {
  /** Index of the text. */
  readonly piece: number;
  /** The line of stored text that a quote stands in. */
  readonly stored: (needle: string) => string | undefined;
}

type Scanned = Place & { readonly scan: Scan };

/** What stood there, each list of texts and each text of it read once, and only when it is asked for. */
class Before {
  readonly #lexicon: Lexicon;
  readonly #texts = new Map<readonly string[], ReadonlySet<string>>();
  readonly #sentences = new Map<readonly string[], ReadonlySet<string>>();
  readonly #quotes = new Map<string, ReadonlyMap<string, string>>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  holds(list: readonly string[], text: string): boolean {
    return list.length > 0 && this.#distinct(list).has(text);
  }

  #distinct(list: readonly string[]): ReadonlySet<string> {
    let texts = this.#texts.get(list);
    if (texts === undefined) {
      texts = new Set(list);
      this.#texts.set(list, texts);
    }
    return texts;
  }

  sentences(list: readonly string[]): ReadonlySet<string> {
    let known = this.#sentences.get(list);
    if (known === undefined) {
      const found = new Set<string>();
      for (const text of this.#distinct(list)) claimingSentences(text, this.#lexicon, found);
      known = found;
      this.#sentences.set(list, known);
    }
    return known;
  }

  /** Says in which line of the texts a quote stands. */
  quotes(list: readonly string[]): (needle: string) => string | undefined {
    return (needle) => {
      for (const text of list) {
        const line = this.#quotesOf(text).get(needle);
        if (line !== undefined) return line;
      }
      return undefined;
    };
  }

  #quotesOf(text: string): ReadonlyMap<string, string> {
    let found = this.#quotes.get(text);
    if (found === undefined) {
      const quotes = new Map<string, string>();
      addQuotes(text, quotes);
      found = quotes;
      this.#quotes.set(text, found);
    }
    return found;
  }
}

/** The quotes of a stored text, each with the line that it stands in. */
function addQuotes(text: string, into: Map<string, string>): void {
  const normal = normalise(text);
  for (let start = 0; start <= normal.text.length; ) {
    const stop = normal.text.indexOf("\n", start);
    const end = stop < 0 ? normal.text.length : stop;
    for (const quote of quotesIn(normal.text, start, end))
      for (const close of quote.ends) {
        const needle = needleOf(
          normal.source.slice(normal.offsetOf(quote.start + 1), normal.offsetOf(close)),
        );
        if (needle !== "" && !into.has(needle)) into.set(needle, normal.text.slice(start, end));
      }
    start = end + 1;
  }
}

/** Collects quotes and needles without repetition. */
class Asking {
  readonly #needles = new Map<string, number>();
  readonly #quotes: Quote[] = [];
  readonly #byPlace = new Map<string, number>();

  ask(scans: readonly Scanned[]): Inquiry {
    const claims = scans.flatMap(({ scan: { normal, stated }, ...place }) =>
      stated.map((one) => this.#claim(normal, one, place)),
    );
    return { claims, quotes: this.#quotes, needles: [...this.#needles.keys()], isTooMany: false };
  }

  #claim(normal: Normal, { saying, sentence, own, isFirst, quotes }: Stated, place: Place): Question {
    const outer = quotes.filter(
      (quote, at) =>
        !quotes.some((other, index) => index < at && other.start <= quote.start && other.end >= quote.end),
    );
    // A claim is about its own words and about what opens the sentence, not about the claim before it.
    const about = { start: isFirst ? sentence.start : own.start, end: own.end };
    const inAbout = quotes.filter(({ start, end }) => start >= about.start && end <= about.end);
    return {
      pattern: saying.form.pattern,
      kind: saying.form.kind,
      text: shown(normal, isFirst ? { start: sentence.start, end: own.end } : own),
      piece: place.piece,
      span: back(normal, saying.head),
      isNegated: hasNegation(blanked(normal.lower, own, inAbout)),
      needs: saying.needs
        .map((index) => this.#quote(normal, outer[index], place))
        .filter((index) => index >= 0),
      inside: quotes
        .filter(({ start, end }) => start <= saying.head.start && end >= saying.head.end)
        .map((quote) => this.#quote(normal, quote, place)),
      quotes: quotes
        .filter(({ start, end }) => start >= own.start && end <= own.end)
        .map((quote) => this.#quote(normal, quote, place)),
      around: inAbout.map((quote) => this.#quote(normal, quote, place)),
      tokens: [...contentTokens(blanked(normal.lower, about, [...inAbout, saying.head]))],
    };
  }

  #quote(normal: Normal, quote: Quoted | undefined, { piece, stored }: Place): number {
    if (quote === undefined) return -1;
    const place = `${piece} ${quote.start}`;
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const readings: QuoteReading[] = [];
    for (const end of quote.ends) {
      const text = normal.source.slice(normal.offsetOf(quote.start + 1), normal.offsetOf(end));
      const needle = needleOf(text);
      if (needle === "") continue;
      let index = this.#needles.get(needle);
      if (index === undefined) {
        index = this.#needles.size;
        this.#needles.set(needle, index);
      }
      const line = stored(needle);
      readings.push({
        needle: index,
        text: text.toWellFormed(),
        stored: line === undefined ? null : [...contentTokens(line)],
      });
    }
    const index = this.#quotes.length;
    this.#quotes.push({ readings, tokens: [...contentTokens(normal.lower.slice(quote.start, quote.end))] });
    this.#byPlace.set(place, index);
    return index;
  }
}

const MAX_SHOWN = 300;
/** As much of a sentence as a claim is read for: nobody writes a longer one. */
const LONGEST = 8000;

function shown(normal: Normal, span: Span): string {
  const { start, end } = back(normal, trimmed(normal, span));
  const text = normal.source.slice(start, Math.min(end, start + 4 * MAX_SHOWN)).replace(/\s+/gu, " ");
  // Half a character would keep the text out of every canonical form.
  const whole = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}\u2026` : text;
  return whole.toWellFormed();
}

/** The text of a span with other spans left out. */
function blanked(text: string, span: Span, without: readonly Span[]): string {
  const cuts = [...without].sort((a, b) => a.start - b.start);
  const stop = Math.min(span.end, span.start + LONGEST);
  let out = "";
  let at = span.start;
  for (const { start, end } of cuts) {
    if (end <= at || start >= stop) continue;
    if (start > at) out += `${text.slice(at, start)} `;
    at = Math.max(at, end);
  }
  return at < stop ? out + text.slice(at, stop) : out;
}
