/**
 * Text -> the claims in it that the user decided something. Pure, total, linear in the text; a claim says which wording
 * was found and where. What counts is in `words/`, what does not in `units.ts`, `clause.ts` and `rules.ts`.
 */
import { type Normal, normalise } from "./normal.ts";
import { outermost, type Quoted, quotesIn } from "./quotes.ts";
import { Reading, type Saying } from "./reading.ts";
import { sayingsIn } from "./sayings.ts";
import { type Sentence, sentencesIn } from "./sentences.ts";
import { type Span, tokenise } from "./tokens.ts";
import { Units } from "./units.ts";
import { DEFAULT_LEXICON, type DecisionKind, type Lexicon } from "./words/index.ts";

/** More claims than this in one write are refused unread (the seed, "Evidence"). */
export const MAX_CLAIMS = 100;
/** Only so many quoted spans of a sentence are looked up (the seed, "Edge cases"). */
export const MAX_QUOTES = 32;

/** A decision that a text says the user made. Offsets in `span` and `sentence` are those of the text as given. */
export interface Claim {
  /** Stable name of the wording, e.g. `en:approved`, `zh:决定`. */
  readonly pattern: string;
  readonly kind: DecisionKind;
  /** Where the wording stands. */
  readonly span: Span;
  readonly sentence: Span;
}

/** A claim with what its evidence is judged by. Offsets are those of the normal text. */
export interface Stated {
  readonly saying: Saying;
  readonly sentence: Sentence;
  /** The text that is this claim's own: up to the next claim, or the end of its sentence. */
  readonly own: Span;
  /** No claim comes before it: what opens the sentence is its own too. */
  readonly isFirst: boolean;
  /** The quoted spans of the sentence, at most `MAX_QUOTES`. */
  readonly quotes: readonly Quoted[];
}

export interface Scan {
  readonly normal: Normal;
  readonly stated: readonly Stated[];
  /** There are more claims than were looked for. */
  readonly isCut: boolean;
}

export interface ScanOptions {
  readonly lexicon?: Lexicon;
  /** Stop behind this many claims. */
  readonly most?: number;
  /** Sentences for which this says so are not read: they were there before, or nobody touched them. */
  readonly skip?: (normal: Normal, sentence: Sentence) => boolean;
}

/** The claims that a text makes, whatever anybody has typed. */
export function detectClaims(text: string, options: ScanOptions = {}): Claim[] {
  const { normal, stated } = scan(text, options);
  const claims: Claim[] = [];
  for (const { saying, sentence } of stated)
    if (saying.needs.length === 0)
      claims.push({
        pattern: saying.form.pattern,
        kind: saying.form.kind,
        span: back(normal, saying.head),
        sentence: back(normal, trimmed(normal, sentence)),
      });
  return claims;
}

/** All that could be a claim: also what is one only if a quoted span in its way turns out to be the user's. */
export function scan(
  text: string,
  { lexicon = DEFAULT_LEXICON, most = MAX_CLAIMS + 1, skip }: ScanOptions = {},
): Scan {
  const normal = spelled(text);
  const stated: Stated[] = [];
  const isCut = !eachSentence(normal, lexicon, most + 1, skip, (sentence, found, quotes) => {
    const near = quotes();
    for (const one of owners(found, sentence, near)) stated.push({ ...one, quotes: near });
    if (stated.length < most) return true;
    stated.length = most;
    return false;
  });
  return { normal, stated, isCut };
}

/** Within a word a backslash escapes nothing. */
const ESCAPED = /(?<=[A-Za-z])\\(?=[a-z])/g;
const INVISIBLE = "\u200b";

/** One spelling of a text, whatever stands within its words. */
function spelled(text: string): Normal {
  if (!text.includes("\\")) return normalise(text);
  // As long as what it stands for, so offsets stay.
  return { ...normalise(text.replace(ESCAPED, INVISIBLE)), source: text };
}

/** A sentence by what it says: white space is all alike. */
export function sentenceKey(normal: Normal, { start, end }: Span): string {
  const text = normal.text.slice(start, end).trim();
  return /\s{2}|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text;
}

/**
 * The sentences of a text that can claim something: all that stand where claims are read and name somebody who decides.
 * What one of them says is the same wherever it stands, so nobody has to read it here.
 */
export function claimingSentences(text: string, lexicon: Lexicon, into: Set<string>): void {
  const normal = spelled(text);
  const take = (_: Normal, sentence: Sentence): boolean => {
    into.add(sentenceKey(normal, sentence));
    return true;
  };
  eachSentence(normal, lexicon, Number.POSITIVE_INFINITY, take, () => true);
}

/** What a sentence says, and its quoted spans when they are asked for; to go on or not. */
type Visit = (sentence: Sentence, found: readonly Saying[], quotes: () => readonly Quoted[]) => boolean;

/** Visits every sentence that says something. Returns whether all were visited. @param most no more sayings of one sentence */
function eachSentence(
  normal: Normal,
  lexicon: Lexicon,
  most: number,
  skip: ScanOptions["skip"],
  visit: Visit,
): boolean {
  const anchors = new Anchors(normal.lower, lexicon);
  const units = new Units(normal);
  let from = 0;
  for (let at = anchors.from(0); at >= 0; at = anchors.from(Math.max(from, at + 1))) {
    const unit = units.at(at, from);
    if (!unit.exempt && !readUnit(normal, unit, lexicon, anchors, most, skip, visit)) return false;
    from = unit.end;
  }
  return true;
}

function readUnit(
  normal: Normal,
  unit: Span,
  lexicon: Lexicon,
  anchors: Anchors,
  most: number,
  skip: ScanOptions["skip"],
  visit: Visit,
): boolean {
  const { text, lower } = normal;
  const all = quotesIn(text, unit.start, unit.end);
  const outer = all.length < 2 ? all : outermost(all);
  const near = new Window(all);
  const nearOuter = new Window(outer);
  for (const sentence of sentencesIn(text, unit.start, unit.end, outer)) {
    const anchor = anchors.from(sentence.start);
    if (anchor < 0 || anchor >= unit.end) break;
    if (anchor >= sentence.end) continue;
    if (skip === undefined || !skip(normal, sentence)) {
      const quotes = nearOuter.of(sentence);
      const { tokens, decides } = tokenise(lower, sentence.start, sentence.end, lexicon, quotes);
      const found = decides ? sayingsIn(new Reading(lower, tokens, sentence), most) : NOTHING;
      if (found.length > 0 && !visit(sentence, found, () => near.of(sentence))) return false;
    }
  }
  return true;
}

const NOTHING: readonly Saying[] = [];
const NO_QUOTES: readonly Quoted[] = [];

/** The first quoted spans of one sentence after the other. */
class Window {
  readonly #quotes: readonly Quoted[];
  #first = 0;

  constructor(quotes: readonly Quoted[]) {
    this.#quotes = quotes;
  }

  of({ start, end }: Span): readonly Quoted[] {
    const quotes = this.#quotes;
    while (this.#first < quotes.length && (quotes[this.#first]?.end ?? 0) <= start) this.#first += 1;
    let last = this.#first;
    while (last < quotes.length && last < this.#first + MAX_QUOTES && (quotes[last]?.start ?? end) < end)
      last += 1;
    return last === this.#first ? NO_QUOTES : quotes.slice(this.#first, last);
  }
}

/**
 * Which part of the sentence is whose: up to the next claim. A claim inside a quotation takes nothing from one outside:
 * if the user typed it, it is none. The claim that ends what it claims has what stands before it too.
 */
function owners(
  found: readonly Saying[],
  sentence: Sentence,
  quotes: readonly Quoted[],
): Omit<Stated, "quotes">[] {
  const around = found.map(({ head }) =>
    quotes.filter(({ start, end }) => start <= head.start && end >= head.end),
  );
  return found.map((saying, index) => {
    const takes = (other: number): boolean =>
      (around[other] ?? []).every((quote) => around[index]?.includes(quote));
    let next = index + 1;
    while (next < found.length && !takes(next)) next += 1;
    let previous = index - 1;
    while (previous >= 0 && !takes(previous)) previous -= 1;
    const start = saying.trailing ? (found[previous]?.head.end ?? sentence.start) : saying.head.start;
    return {
      saying,
      sentence,
      own: { start, end: found[next]?.head.start ?? sentence.end },
      isFirst: previous < 0,
    };
  });
}

export function trimmed({ text }: Normal, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from += 1;
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

export function back({ offsetOf }: Normal, { start, end }: Span): Span {
  return { start: offsetOf(start), end: offsetOf(end) };
}

/** The places of a text where a claim can begin: no line without one is looked at. Asked for in ascending order. */
class Anchors {
  readonly #lower: string;
  readonly #pattern: RegExp;
  #at = -1;
  #isDone = false;

  constructor(lower: string, lexicon: Lexicon) {
    this.#lower = lower;
    this.#pattern = anchorsOf(lexicon);
  }

  /** The first at or behind `from`; -1 when there is none. */
  from(from: number): number {
    if (this.#isDone) return -1;
    if (this.#at >= from) return this.#at;
    this.#pattern.lastIndex = from;
    const found = this.#pattern.exec(this.#lower);
    this.#at = found?.index ?? -1;
    this.#isDone = found === null;
    return this.#at;
  }
}

const ANCHORS = new WeakMap<Lexicon, RegExp>();

function anchorsOf(lexicon: Lexicon): RegExp {
  let pattern = ANCHORS.get(lexicon);
  if (pattern === undefined) {
    const names = [...lexicon.subjects].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    names.sort((a, b) => b.length - a.length);
    pattern = new RegExp(
      `${names.join("|")}|we(?:'(?:ve|d|re))?(?= (?:[a-z]+ ){0,3}(?:agreed|settled|landed|decided|going|opted|went|ruled|chose|picked|locked)\\b)|我们|我們|咱们|咱俩|我俩|双方|雙方|你我`,
      "g",
    );
    ANCHORS.set(lexicon, pattern);
  }
  return pattern;
}
