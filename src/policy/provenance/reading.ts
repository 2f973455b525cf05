/** A sentence's words with what its rules ask of them; shared by the rules for subjects, verbs and nouns. */
import { Kind, type Span, type Token } from "./tokens.ts";
import { Role, type VerbForm } from "./words/index.ts";

/** Quoted spans that must turn out to be the user's own words for something to count. */
export type Needs = readonly number[];

/** A wording of a decision, as found in a sentence. Offsets are those of the normal text. */
export interface Saying {
  readonly form: VerbForm;
  /** From the subject to the end of its verb, or the words that stand for both. */
  readonly head: Span;
  /** Claims that name their content first (`…, as requested by the user`) own what stands before them too. */
  readonly trailing: boolean;
  readonly needs: Needs;
  /** Index of the first word behind the head. */
  readonly next: number;
}

/** Nothing seen; else the index of the quoted span it was seen in, -1 for none. */
export const UNSEEN = -2;

export class Reading {
  readonly lower: string;
  readonly tokens: readonly Token[];
  readonly start: number;
  readonly end: number;
  readonly isQuestion: boolean;

  /** For every opening bracket the index of its closing one. */
  #closing: Int32Array | null = null;

  constructor(lower: string, tokens: readonly Token[], sentence: Span & { readonly mark: string }) {
    this.lower = lower;
    this.tokens = tokens;
    this.start = sentence.start;
    this.end = sentence.end;
    this.isQuestion = sentence.mark === "?";
  }

  #asks: boolean | null = null;

  /** Something in the sentence asks, in Chinese. */
  get asks(): boolean {
    this.#asks ??= /[吗嗎]|没有|与否/.test(this.lower.slice(this.start, this.end));
    return this.#asks;
  }

  /** Rules look before the first word and behind the last; asking an array for such a place is slow. */
  at(index: number): Token | undefined {
    return index >= 0 && index < this.tokens.length ? this.tokens[index] : undefined;
  }

  roles(index: number): number {
    return this.at(index)?.roles ?? 0;
  }

  has(index: number, roles: number): boolean {
    return (this.roles(index) & roles) !== 0;
  }

  /** The word itself, in lower case; empty outside the sentence. */
  text(index: number): string {
    const token = this.at(index);
    return token === undefined ? "" : this.lower.slice(token.start, token.end);
  }

  /** An ordinary word or character that no table gives a role. */
  isPlain(index: number): boolean {
    const token = this.at(index);
    return token !== undefined && token.roles === 0 && token.kind !== Kind.mark;
  }

  isHan(index: number): boolean {
    const token = this.at(index);
    return token !== undefined && token.kind !== Kind.mark && this.lower.charCodeAt(token.start) >= 0x3040;
  }

  /** Whether nothing stands between two neighbours. */
  touches(index: number): boolean {
    return this.at(index)?.end === this.at(index + 1)?.start;
  }

  /** Index of the bracket that closes the one at `index`; -1 when there is none, or it is too far away. */
  closing(index: number): number {
    if (this.#closing === null) {
      const closing = new Int32Array(this.tokens.length).fill(-1);
      const open: number[] = [];
      for (const [at, { roles }] of this.tokens.entries())
        if ((roles & Role.Open) !== 0) open.push(at);
        else if ((roles & Role.Close) !== 0) {
          const opened = open.pop();
          if (opened !== undefined) closing[opened] = at;
        }
      this.#closing = closing;
    }
    const found = this.#closing[index] ?? -1;
    return found - index < FARTHEST ? found : -1;
  }
}

/** As many words as a remark in brackets may have. */
const FARTHEST = 20;
