/** One sentence -> its words and marks with their roles. Nothing is decided here. */
import { type Lexicon, Role, type VerbForm, type Word } from "./words/index.ts";

export const Kind = { word: 0, number: 1, character: 2, mark: 3 } as const;

/** Offsets are those of the normal text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
  readonly roles: number;
  readonly verbs: readonly VerbForm[];
  /** `user's`: the word is a subject, and owns what follows. */
  readonly owns: boolean;
  /** Index of the quoted span that it stands in, -1 outside. */
  readonly quote: number;
}

/** A quoted span with its marks. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const NO_VERBS: readonly VerbForm[] = [];
const MARKS: ReadonlyMap<number, number> = new Map([
  [0x2c, Role.Comma],
  [0x3001, Role.Comma],
  [0x3a, Role.Colon],
  [0x28, Role.Open],
  [0x5b, Role.Open],
  [0x3010, Role.Open],
  [0x29, Role.Close],
  [0x5d, Role.Close],
  [0x3011, Role.Close],
  [0x2013, Role.Dash],
  [0x2014, Role.Dash],
  [0x2015, Role.Dash],
]);
/** Quotes, emphasis, code marks: ordinary text may stand in any of them, so they say nothing. */
const SILENT = new Set([..."\"'`*_~\u300c\u300d\u300e\u300f\u00ab\u00bb#>"].map((mark) => mark.charCodeAt(0)));
const TAG = /<\/?[a-z][a-z0-9]{0,10}>/y;
/** The longest word that can have a role. */
const LONGEST = 48;

export const isHan = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) || (code >= 0x3040 && code <= 0x30ff) || (code >= 0xf900 && code <= 0xfaff);

/** Letters and digits of scripts that part words with spaces. */
export function isWordCode(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || (code >= 0x41 && code <= 0x5a);
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return !isHan(code) && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x303f) && code < 0xff00;
}

/** Total, linear in `to - from`. @param quotes the quoted spans of the text around, in order, none inside another */
export function tokenise(
  lower: string,
  from: number,
  to: number,
  lexicon: Lexicon,
  quotes: readonly Span[],
): Token[] {
  const tokens: Token[] = [];
  let at = from;
  let quote = 0;
  const put = (end: number, kind: number, word: Word | undefined, roles: number, owns = false): void => {
    while (quote < quotes.length && (quotes[quote]?.end ?? 0) <= at) quote += 1;
    const span = quotes[quote];
    tokens.push({
      start: at,
      end,
      kind,
      roles: word === undefined ? roles : word.roles | roles,
      verbs: word === undefined ? NO_VERBS : word.verbs,
      owns,
      quote: span !== undefined && span.start <= at && end <= span.end ? quote : -1,
    });
    at = end;
  };
  while (at < to) {
    const code = lower.charCodeAt(at);
    if (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x3000 || SILENT.has(code)) at += 1;
    else if (isHan(code)) {
      const found = hanAt(lower, at, to, lexicon);
      if (found === null) put(at + 1, Kind.character, undefined, 0);
      else put(at + found.text.length, Kind.word, found.word, 0);
    } else if (code === 0x5f || isWordCode(code)) {
      const end = wordEnd(lower, at, to);
      if (!latin(lower, end, to, lexicon, at, put)) put(end, Kind.word, undefined, 0);
    } else if (code === 0x2d) {
      let end = at + 1;
      while (end < to && lower.charCodeAt(end) === 0x2d) end += 1;
      const free = isSpace(lower.charCodeAt(at - 1)) && (isSpace(lower.charCodeAt(end)) || end === to);
      put(end, Kind.mark, undefined, free || end - at > 1 ? Role.Dash : 0);
    } else if (code === 0x3c) {
      TAG.lastIndex = at;
      if (TAG.test(lower)) at = TAG.lastIndex;
      else put(at + 1, Kind.mark, undefined, 0);
    } else put(at + 1, Kind.mark, undefined, MARKS.get(code) ?? 0);
  }
  return tokens;
}

/** 应用户还要求 is 应 + 用户 + 还 + 要求: a word does not take the first character of a subject or of 要求. */
function hanAt(lower: string, at: number, to: number, lexicon: Lexicon): { text: string; word: Word } | null {
  const list = lexicon.characters.get(lower.charAt(at));
  if (list === undefined) return null;
  for (const one of list) {
    const end = at + one.text.length;
    if (end > to || !lower.startsWith(one.text, at)) continue;
    const pair = one.text.charAt(one.text.length - 1) + lower.charAt(end);
    if (one.text.length > 1 && (pair === "用户" || pair === "用戶" || pair === "要求")) continue;
    return one;
  }
  return null;
}

type Put = (end: number, kind: number, word: Word | undefined, roles: number, owns?: boolean) => void;

/** A word, a phrase, a number, or a subject with `'s`. */
function latin(lower: string, end: number, to: number, lexicon: Lexicon, at: number, put: Put): boolean {
  if (end - at > LONGEST) return false;
  const text = lower.slice(at, end);
  const phrase = spelledAt(lexicon.phrases.get(text), lower, at, to);
  if (phrase !== null && !isWordCode(lower.charCodeAt(at + phrase.text.length))) {
    put(at + phrase.text.length, Kind.word, phrase.word, 0);
    return true;
  }
  const word = lexicon.words.get(text);
  if (word !== undefined) {
    put(end, Kind.word, word, 0);
    return true;
  }
  const first = text.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) {
    put(end, Kind.number, undefined, Role.Time);
    return true;
  }
  if (text.endsWith("'s")) {
    const base = lexicon.words.get(text.slice(0, -2));
    const isSubject = base !== undefined && (base.roles & Role.Subject) !== 0;
    put(end, Kind.word, isSubject ? base : undefined, 0, isSubject);
    return true;
  }
  // An adverb that no table knows changes nothing.
  if (text.length > 4 && text.endsWith("ly")) {
    put(end, Kind.word, undefined, Role.Filler);
    return true;
  }
  return false;
}

function spelledAt<T extends { readonly text: string }>(
  list: readonly T[] | undefined,
  lower: string,
  at: number,
  to: number,
): T | null {
  if (list === undefined) return null;
  for (const one of list) if (at + one.text.length <= to && lower.startsWith(one.text, at)) return one;
  return null;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x3000;

/** `don't`, `go-ahead`, `18:00`, `consent.user_approved`, `src/user` are one word each. */
export function wordEnd(lower: string, at: number, to: number): number {
  let end = at + 1;
  while (end < to) {
    const code = lower.charCodeAt(end);
    if (isWordCode(code)) {
      end += 1;
      continue;
    }
    // ' - . / @ & join two letters; : and , two digits.
    const joins = code === 0x27 || code === 0x2d || code === 0x2e || code === 0x2f || code === 0x40;
    const next = lower.charCodeAt(end + 1);
    if (end + 1 < to && joins && isWordCode(next)) end += 2;
    else if ((code === 0x3a || code === 0x2c) && isDigit(lower.charCodeAt(end - 1)) && isDigit(next)) end += 2;
    else break;
  }
  while (end > at + 1 && lower.charCodeAt(end - 1) === 0x5f) end -= 1;
  return end;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
