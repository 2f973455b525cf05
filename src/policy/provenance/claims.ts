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
  const normal = normalise(text);
  const { lower } = normal;
  const anchors = anchorsOf(lexicon);
  const units = new Units(normal);
  const stated: Stated[] = [];
  let isCut = false;
  let from = 0;
  anchors.lastIndex = 0;
  for (let match = anchors.exec(lower); match !== null && !isCut; match = anchors.exec(lower)) {
    const unit = units.at(match.index, from);
    if (!unit.exempt) isCut = readUnit(normal, unit, lexicon, most, stated, skip);
    from = unit.end;
    anchors.lastIndex = Math.max(unit.end, match.index + 1);
  }
  return { normal, stated, isCut };
}

function readUnit(
  normal: Normal,
  unit: Span,
  lexicon: Lexicon,
  most: number,
  stated: Stated[],
  skip: ScanOptions["skip"],
): boolean {
  const { text, lower } = normal;
  const anchors = anchorsOf(lexicon);
  const all = quotesIn(text, unit.start, unit.end);
  const outer = outermost(all);
  let firstQuote = 0;
  let firstOuter = 0;
  anchors.lastIndex = unit.start;
  let anchor = anchors.exec(lower);
  for (const sentence of sentencesIn(text, unit.start, unit.end, outer)) {
    if (anchor === null || anchor.index >= unit.end) break;
    if (anchor.index >= sentence.end) continue;
    while (firstQuote < all.length && (all[firstQuote]?.end ?? 0) <= sentence.start) firstQuote += 1;
    while (firstOuter < outer.length && (outer[firstOuter]?.end ?? 0) <= sentence.start) firstOuter += 1;
    if (skip === undefined || !skip(normal, sentence)) {
      const quotes: Quoted[] = [];
      for (let at = firstOuter; at < outer.length && quotes.length < MAX_QUOTES; at++) {
        const quote = outer[at];
        if (quote === undefined || quote.start >= sentence.end) break;
        quotes.push(quote);
      }
      const { tokens, decides } = tokenise(lower, sentence.start, sentence.end, lexicon, quotes);
      const found = decides ? sayingsIn(new Reading(lower, tokens, sentence), most + 1) : [];
      if (found.length > 0) {
        const inner: Quoted[] = [];
        for (let at = firstQuote; at < all.length && inner.length < MAX_QUOTES; at++) {
          const quote = all[at];
          if (quote === undefined || quote.start >= sentence.end) break;
          inner.push(quote);
        }
        for (const one of owners(found, sentence, inner)) stated.push({ ...one, quotes: inner });
        if (stated.length >= most) {
          stated.length = most;
          return true;
        }
      }
    }
    if (anchor.index < sentence.end) {
      anchors.lastIndex = sentence.end;
      anchor = anchors.exec(lower);
    }
  }
  return false;
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

const ANCHORS = new WeakMap<Lexicon, RegExp>();

/** Where a claim can begin: no other line of a text is looked at. */
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
