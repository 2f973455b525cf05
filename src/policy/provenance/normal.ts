/**
 * Text -> one spelling of it, with a way back. NFKC (which also folds full-width letters), every default-ignorable
 * character removed, Markdown's `**` and `__` removed: so that no spelling hides a word (the provenance seed, "Sentences").
 */

/** A text in one spelling. Offsets into `text` and `lower` are the same; `offsetOf` leads back to the source. */
export interface Normal {
  readonly source: string;
  readonly text: string;
  /** `text` in lower case and with straight quotes, of the same length. */
  readonly lower: string;
  /** Where the character at an offset of `text` began in `source`; the end of `source` for the end of `text`. */
  readonly offsetOf: (at: number) => number;
}

/**
 * Characters that stand for themselves and join nothing before them. The ranges are checked against `normalize` by a
 * test; what is not listed only costs more.
 */
const PLAIN =
  "\\x00-\\x84\\x86-\\x9f\\u00a1-\\u00a7\\u00a9\\u00ab\\u00ac\\u00ae\\u00b0\\u00b1\\u00b6\\u00b7\\u00bb\\u00bf-\\u0131\\u0134-\\u013e\\u0141-\\u0148\\u014a-\\u017e\\u0391-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0482\\u05d0-\\u05ea\\u0621-\\u063a\\u2010\\u2012-\\u2016\\u2018-\\u2023\\u2030-\\u2032\\u2039-\\u203b\\u20a9-\\u20ad\\u2190-\\u21ff\\u2500-\\u27bf\\u3001-\\u302d\\u3041-\\u3096\\u30a1-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3";
/** What is changed, removed or made a line break: doubled emphasis marks, and runs of characters that are not plain. */
const ODD = new RegExp(`\\*\\*|__|\\r\\n|[\\r\\v\\f]|[^${PLAIN}]+`, "g");
/** What joins the character before it: marks, and the vowels and finals of Korean. */
const JOINS = /^[\p{M}\u1160-\u11ff\u3130-\u318f\ud7b0-\ud7ff\uff9e\uff9f\uffa0-\uffdc]/u;
const CLUSTER =
  /[\s\S][\ud7b0-\ud7ff\u1160-\u11ff\u3130-\u318f\uff9e\uff9f\uffa0-\uffdc\p{M}\p{Default_Ignorable_Code_Point}]*/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
const BREAK = /[\u0085\u2028\u2029]/g;
/** Wide spaces stay wide: only real spaces and tabs indent code. */
const WIDE = "\u3000";
const SPACE = /[^\S\n\t\r]/gu;

const MOST_KNOWN = 4096;
/** A cluster longer than this is not worth keeping. */
const LONGEST_KNOWN = 16;

const WIDE_FORMS = /[\uff01-\uff5e]+/g;
/** The commonest of them, in any Chinese text. */
const WIDE_MARKS = "\uff0c\uff1a\uff08\uff09\uff01\uff1f\uff1b";
const WIDE_OFFSET = 0xfee0;

/** Full-width forms are as many as the letters and marks they stand for, so offsets stay. */
function narrow(source: string): string {
  if (source.search(WIDE_FORMS) < 0) return source;
  let text = source;
  for (const mark of WIDE_MARKS)
    text = text.replaceAll(mark, String.fromCharCode(mark.charCodeAt(0) - WIDE_OFFSET));
  return text.replace(WIDE_FORMS, (run) => {
    let out = "";
    for (let at = 0; at < run.length; at++) out += String.fromCharCode(run.charCodeAt(at) - WIDE_OFFSET);
    return out;
  });
}

/** Total, linear. */
export function normalise(given: string): Normal {
  const source = narrow(given);
  const points: number[] = [];
  const known = new Map<string, string>();
  let out = "";
  let last = 0;
  const put = (from: number, to: number, replacement: string): void => {
    if (from > last) out += source.slice(last, from);
    if (replacement === source.slice(from, to)) out += replacement;
    else {
      // Where the one before ended, this one begins.
      if (
        points.length === 0 ||
        points[points.length - 1] !== from ||
        points[points.length - 2] !== out.length
      )
        points.push(out.length, from);
      out += replacement;
      points.push(out.length, to);
    }
    last = to;
  };
  ODD.lastIndex = 0;
  for (let match = ODD.exec(source); match !== null; match = ODD.exec(source)) {
    const run = match[0];
    const start = match.index;
    if (run === "**" || run === "__") put(start, start + 2, "");
    else if (run === "\r\n") put(start, start + 2, "\n");
    else if (run === "\r" || run === "\v" || run === "\f") put(start, start + 1, "\n");
    else {
      const joins = start > last && JOINS.test(run) ? 1 : 0;
      const text = joins ? source.slice(start - 1, start + run.length) : run;
      CLUSTER.lastIndex = 0;
      for (let one = CLUSTER.exec(text); one !== null; one = CLUSTER.exec(text)) {
        const [cluster] = one;
        let plain = known.get(cluster);
        if (plain === undefined) {
          plain = plainOf(cluster);
          if (cluster.length <= LONGEST_KNOWN && known.size < MOST_KNOWN) known.set(cluster, plain);
        }
        const at = start - joins + one.index;
        put(at, at + cluster.length, plain);
      }
    }
  }
  const text = points.length === 0 ? source : out + source.slice(last);
  return {
    source: given,
    text,
    lower: lowerOf(text),
    offsetOf: points.length === 0 ? (at) => at : backBy(points),
  };
}

/** With the accents and letters that are typed for them; NFKC makes a space and a mark of an acute accent. */
const CURLED = /[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb-\u02bd\u02c8\u055a]|(?<=\s)\u0301/g;
const DOUBLE_CURLED = /[\u201c\u201d\u201e\u201f\u2033\u02ba\u02ee]/g;

/** `İ` is the one letter whose lower case is longer than itself. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : text.replaceAll("\u0130", "I").toLowerCase();
  // The commonest of them at once: a text may be made of nothing else.
  return same.replaceAll(" \u0301", " '").replace(CURLED, "'").replace(DOUBLE_CURLED, '"');
}

function plainOf(cluster: string): string {
  const visible = cluster.replace(IGNORABLE, "");
  if (visible === "") return "";
  const plain = visible.replace(SPACE, WIDE).normalize("NFKC").replace(IGNORABLE, "");
  return visible.includes(WIDE) || /\s/u.test(visible) ? wide(visible) : plain.replace(BREAK, "\n");
}

function wide(visible: string): string {
  return visible
    .replace(BREAK, "\n")
    .replace(SPACE, WIDE)
    .replace(/[^\u3000\n]+/gu, (rest) => rest.normalize("NFKC").replace(IGNORABLE, ""));
}

/** @param points pairs `(offset in the text, offset in the source)`: from each on, offsets differ by the same amount */
function backBy(points: readonly number[]): (at: number) => number {
  const pairs = points.length / 2;
  return (at) => {
    let low = 0;
    let high = pairs;
    // The last pair at or before `at`.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((points[2 * middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return at;
    const source = points[2 * low - 1] ?? 0;
    const delta = at - (points[2 * low - 2] ?? 0);
    const next = points[2 * low + 1];
    return next === undefined ? source + delta : Math.min(source + delta, next);
  };
}

/** White space that is not a single space already. */
const WHITE = /\s{2,}|[^\S ]/gu;

/**
 * What two texts are compared by: NFKC, white space, letter case, and straight against curly quotes, nothing else
 * (the seed's "Verbatim"). Text that a person typed is kept in this form beside the original, so that a quote can be
 * looked up as a substring.
 */
export function searchable(text: string): string {
  const plain = text.replace(IGNORABLE, "").normalize("NFKC").replace(IGNORABLE, "");
  return lowerOf(plain).replace(WHITE, " ").trim();
}

/** A quote's own last marks; an ellipsis has become full stops. */
const TRAILING = /[\s.,;:!?。、]+$/u;

/** The form that a quote is looked up in; empty when nothing is left to look for. */
export function needleOf(quote: string): string {
  const text = searchable(quote);
  // The pattern is anchored at the end only: long runs of marks elsewhere must not be tried from each of their places.
  let end = text.length;
  while (end > 0 && TRAILING.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
