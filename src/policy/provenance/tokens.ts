/** One sentence -> its words and marks with their roles. Nothing is decided here. */
import { isHan, isWordCode } from "./characters.ts";
import { type Lexicon, Role, type VerbForm, type Word } from "./words/index.ts";

export const Kind = { word: 0, number: 1, character: 2, mark: 3 } as const;

/** Offsets are those of the normal text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
  readonly roles: number;
  readonly verbs: readonly VerbForm[];
  /** `user's`: the word is a subject, and owns what follows. `user-approved`: it holds a subject. */
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
/** What a character is to the tokeniser. */
const Class = { mark: 0, space: 1, silent: 2, han: 3, word: 4, hyphen: 5, tag: 6, sign: 7 } as const;
const SIGNS: ReadonlyMap<number, number> = new Map([
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
const SILENT = new Set([..."\"'`*~\u300c\u300d\u300e\u300f\u00ab\u00bb#>"].map((mark) => mark.charCodeAt(0)));
const TAG = /<\/?[a-z][a-z0-9_-]{0,24}>/y;
/** The longest word that can have a role. */
const LONGEST = 48;

function classOf(code: number): number {
  if (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x3000) return Class.space;
  if (SILENT.has(code)) return Class.silent;
  if (code >= 0xd800 && code <= 0xdfff) return Class.silent;
  if (isHan(code)) return Class.han;
  if (isWordCode(code)) return Class.word;
  if (code === 0x2d) return Class.hyphen;
  if (code === 0x3c) return Class.tag;
  return SIGNS.has(code) ? Class.sign : Class.mark;
}

/** The class of every UTF-16 unit: looked up for each character of every sentence that is read. */
const CLASSES = Uint8Array.from({ length: 0x10000 }, (_, code) => classOf(code));

export interface Tokens {
  readonly tokens: readonly Token[];
  /** Some word could be what a claim says was done. */
  readonly decides: boolean;
}

/** Total, linear in `to - from`. @param quotes the quoted spans of the text around, in order, none inside another */
export function tokenise(
  lower: string,
  from: number,
  to: number,
  lexicon: Lexicon,
  quotes: readonly Span[],
): Tokens {
  const writer = new Writer(quotes);
  let at = from;
  while (at < to) {
    const code = lower.charCodeAt(at);
    switch (CLASSES[code]) {
      case Class.space:
      case Class.silent:
        at += 1;
        break;
      case Class.han: {
        at = han(lower, at, to, code, lexicon, writer);
        break;
      }
      case Class.word: {
        // Emphasis before a word, of as many marks as there are: `__` is left of `_**_`.
        if (code === 0x5f) at += 1;
        else at = latin(lower, at, to, lexicon, writer);
        break;
      }
      case Class.hyphen: {
        let end = at + 1;
        while (end < to && lower.charCodeAt(end) === 0x2d) end += 1;
        const isFree = isSpace(lower.charCodeAt(at - 1)) && (isSpace(lower.charCodeAt(end)) || end === to);
        writer.put(at, end, Kind.mark, isFree || end - at > 1 ? Role.Dash : 0);
        at = end;
        break;
      }
      case Class.tag: {
        TAG.lastIndex = at;
        if (TAG.test(lower)) at = TAG.lastIndex;
        else writer.put(at, ++at, Kind.mark, 0);
        break;
      }
      default:
        writer.put(at, at + 1, Kind.mark, SIGNS.get(code) ?? 0);
        at += 1;
    }
  }
  return writer;
}

class Writer implements Tokens {
  readonly tokens: Token[] = [];
  decides = false;
  readonly #quotes: readonly Span[];
  #quote = 0;

  constructor(quotes: readonly Span[]) {
    this.#quotes = quotes;
  }

  word(start: number, end: number, word: Word): void {
    if (word.decides) this.decides = true;
    this.tokens.push({
      start,
      end,
      kind: Kind.word,
      roles: word.roles,
      verbs: word.verbs,
      owns: false,
      quote: this.#quoteAt(start, end),
    });
  }

  put(start: number, end: number, kind: number, roles: number, owns = false): void {
    this.tokens.push({ start, end, kind, roles, verbs: NO_VERBS, owns, quote: this.#quoteAt(start, end) });
  }

  #quoteAt(start: number, end: number): number {
    const quotes = this.#quotes;
    if (quotes.length === 0) return -1;
    while (this.#quote < quotes.length && (quotes[this.#quote]?.end ?? 0) <= start) this.#quote += 1;
    const span = quotes[this.#quote];
    return span !== undefined && span.start <= start && end <= span.end ? this.#quote : -1;
  }
}

/**
 * The longest word that fits, or the character alone. 应用户还要求 is 应 + 用户 + 还 + 要求: a word does not take the first
 * character of a subject or of 要求. Returns where it ends.
 */
function han(lower: string, at: number, to: number, code: number, lexicon: Lexicon, writer: Writer): number {
  let branch = lexicon.characters.get(code);
  let word: Word | null = null;
  let end = at + 1;
  for (let next = at + 1; branch !== undefined; next++) {
    if (branch.word !== null && (next === at + 1 || !takesNext(lower, next))) {
      word = branch.word;
      end = next;
    }
    if (branch.next === null || next >= to) break;
    branch = branch.next.get(lower.charCodeAt(next));
  }
  if (word === null) writer.put(at, end, Kind.character, 0);
  else writer.word(at, end, word);
  return end;
}

/** 用 before 户, 要 before 求. */
function takesNext(lower: string, end: number): boolean {
  const last = lower.charCodeAt(end - 1);
  if (last !== 0x7528 && last !== 0x8981) return false;
  const next = lower.charCodeAt(end);
  return last === 0x7528 ? next === 0x6237 || next === 0x6236 : next === 0x6c42;
}

/** A word, a phrase, a number, or a subject with `'s`. Returns where it ends. */
function latin(lower: string, at: number, to: number, lexicon: Lexicon, writer: Writer): number {
  const end = wordEnd(lower, at, to);
  if (end - at > LONGEST) {
    writer.put(at, end, Kind.word, 0);
    return end;
  }
  const entry = lexicon.words.at(lower, at, end);
  if (entry !== null) {
    const phrase = entry.phrases.length === 0 ? null : spelledAt(entry.phrases, lower, at, to, end - at + 1);
    if (phrase !== null && !isWordCode(lower.charCodeAt(at + phrase.text.length))) {
      writer.word(at, at + phrase.text.length, phrase.word);
      return at + phrase.text.length;
    }
    if (entry.word !== null) {
      writer.word(at, end, entry.word);
      return end;
    }
  }
  if (isDigit(lower.charCodeAt(at))) {
    writer.put(at, end, Kind.number, Role.Time);
    return end;
  }
  if (lower.charCodeAt(end - 1) === 0x73 && lower.charCodeAt(end - 2) === 0x27) {
    const base = lexicon.words.at(lower, at, end - 2)?.word ?? null;
    const isSubject = base !== null && (base.roles & Role.Subject) !== 0;
    writer.put(at, end, Kind.word, isSubject ? base.roles : 0, isSubject);
    return end;
  }
  // `user-approved`: what the user did is part of a word.
  const isCompound = lower.startsWith("user-", at) || lower.startsWith("owner-", at);
  if (isCompound) writer.decides = true;
  // An adverb that no table knows changes nothing.
  const isAdverb = end - at > 4 && lower.charCodeAt(end - 1) === 0x79 && lower.charCodeAt(end - 2) === 0x6c;
  writer.put(at, end, Kind.word, isAdverb ? Role.Filler : 0, isCompound);
  return end;
}

/** @param first where the phrases differ: behind the word that they all begin with, and a space */
function spelledAt<T extends { readonly text: string }>(
  list: readonly T[],
  lower: string,
  at: number,
  to: number,
  first: number,
): T | null {
  const code = lower.charCodeAt(at + first);
  for (const one of list)
    if (one.text.charCodeAt(first) === code && at + one.text.length <= to && lower.startsWith(one.text, at))
      return one;
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
    if (end + 1 < to && joins && isWordCode(next) && next !== 0x5f) end += 2;
    else if ((code === 0x3a || code === 0x2c) && isDigit(lower.charCodeAt(end - 1)) && isDigit(next))
      end += 2;
    else break;
  }
  while (end > at + 1 && lower.charCodeAt(end - 1) === 0x5f) end -= 1;
  return end;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
