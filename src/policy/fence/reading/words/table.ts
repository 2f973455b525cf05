/**
 * What a language's table of words says. The mechanism that reads clauses is one for all of them; the tables say which
 * words do what in it. Entries are separated by `|`; an entry may be several words; letters are folded when it is read.
 */

/** What a word or phrase does in a clause. */
export type Tag =
  /** A verb of the common table. `form`: b base or imperative, i infinitive, g gerund, p participle or past, s third person, n noun made of it. */
  | "verb"
  /** A verb that only looks or thinks. */
  | "read"
  /** Says nothing by itself: please, now, thanks. */
  | "filler"
  /** Turns to the agent: can you, I want you to, feel free to. */
  | "ask"
  /** Says that something has to be done by the one who speaks: I need to, we should. */
  | "weak"
  /** Asks to know: how, why, explain, should I. */
  | "inform"
  /** Begins a clause that something depends on: if, when. */
  | "if"
  /** Puts off: until, unless, before. */
  | "until"
  | "after"
  | "because"
  /** Goes on about a noun, or says what was said: that, which, who. */
  | "relative"
  /** A subject that is not the agent. */
  | "subject"
  | "modal"
  | "be"
  /** Forbids what follows. */
  | "not"
  /** Forbids the noun or gerund that follows. */
  | "no"
  /** No thing, nobody: forbids whatever is done to it. */
  | "nothing"
  | "without"
  /** Stop, avoid, refrain from: forbid the gerund, noun or infinitive that follows. */
  | "avoid"
  /** Looks like a prohibition and is none: don't forget to. */
  | "idiom"
  | "any"
  | "only"
  | "else"
  | "except"
  | "me"
  | "myself"
  | "first"
  /** Ask, check with, confirm with: with `me` and a clause that waits, the person wants to be asked. */
  | "confirm"
  /** My OK, my approval, I confirm. */
  | "consent"
  /** Leave, keep: with `asis` behind the object, nothing may happen to it. */
  | "keep"
  | "asis"
  /** Whole phrases that forbid: read only, off limits, draft only. */
  | "readonly"
  | "offlimits"
  | "draftonly"
  | "local"
  /** Agreement and nothing else: ok go ahead. */
  | "assent"
  /** What it says: an order to do what something else says. */
  | "delegate"
  | "and"
  | "or"
  | "but"
  | "then"
  | "to"
  | "in"
  | "from"
  | "with"
  | "as"
  | "for"
  | "about"
  | "det"
  | "noun"
  | "number"
  | "each"
  | "again"
  | "currency"
  | "ceiling"
  | "floor"
  | "regularly"
  | "called"
  | "person"
  | "say";

export interface Row {
  readonly tag: Tag;
  readonly value?: string;
  readonly form?: Form;
  readonly words: string;
}

export type Form = "b" | "i" | "g" | "p" | "s" | "n";

export interface Grammar {
  /** The verb that decides a clause may stand behind its object, once something turned to the agent. */
  readonly verbLast: boolean;
  /** A negation may stand behind the verb that it forbids. */
  readonly negationAfter: boolean;
}

export interface WordTable {
  readonly language: "en" | "de" | "es" | "zh";
  readonly grammar: Grammar;
  readonly rows: readonly Row[];
  /** Words that are so common that they tell the language. */
  readonly marks: string;
  /** Nouns that make a noun of the verb before them: share price, order history. */
  readonly compounds: Readonly<Record<string, string>>;
}
