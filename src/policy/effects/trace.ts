import type { FileVerb, PathBound, RiskClass } from "../types.ts";

/** Steps that a trace tells; a loop or a function is told each time it is read. */
const MOST_STEPS = 500;
/** Facts of all steps together. */
const MOST_FACTS = 5000;
/** Characters of the text of a step; the span says where all of it stands. */
const LONGEST_QUOTE = 400;
/** Texts inside texts, and what is kept of each. */
const MOST_TEXTS = 64;
const LONGEST_TEXT = 64 * 1024;

/** One thing that was read off a part of a call. */
export type Fact =
  | { readonly fact: "acts"; readonly verb: FileVerb; readonly path: PathBound }
  | { readonly fact: "carries"; readonly risk: RiskClass }
  | { readonly fact: "hides"; readonly cause: string }
  | { readonly fact: "reaches"; readonly host: string }
  | { readonly fact: "copies"; readonly src: PathBound; readonly dest: PathBound }
  | { readonly fact: "governs"; readonly what: string };

/** Some part of a call, in the order in which it was read, and what it was found to do. */
export interface Step {
  /** JSON pointer to the argument that it stands in; empty for the call as a whole. */
  readonly pointer: string;
  /** Which of `texts` the span is in; `null` for what no command line says. */
  readonly text: number | null;
  /** UTF-16 offsets into that text. */
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly found: readonly Fact[];
}

/** How a reading came about, for people who ask why. */
export interface Explanation {
  /** The command lines that were read, and those found inside them: what `sh -c` was given, a trap, an alias. */
  readonly texts: readonly string[];
  readonly steps: readonly Step[];
  /** True when there was more than is told. */
  readonly truncated: boolean;
}

interface OpenStep extends Step {
  readonly found: Fact[];
}

/**
 * Notes what is found while a call is read, and where. It never changes what is found: a reading with a trace and one
 * without are the same.
 */
export class Trace {
  readonly #texts = new Map<string, number>();
  readonly #steps = new Map<string, OpenStep>();
  #open: OpenStep | null = null;
  #facts = 0;
  #truncated = false;

  /** Reads a part that stands at these offsets of a text. The innermost part gets what is found. */
  within<T>(pointer: string, source: string, start: number, end: number, read: () => T): T {
    const outer = this.#open;
    const text = this.#textOf(source);
    this.#open = text === null ? outer : this.#step(pointer, text, start, end, source.slice(start, end));
    try {
      return read();
    } finally {
      this.#open = outer;
    }
  }

  note(pointer: string, fact: Fact): void {
    const step = this.#open ?? this.#step(pointer, null, 0, 0, "");
    if (step === null) return;
    if (step.found.some((known) => same(known, fact))) return;
    if (this.#facts >= MOST_FACTS) this.#truncated = true;
    else {
      this.#facts += 1;
      step.found.push(fact);
    }
  }

  explanation(): Explanation {
    return {
      texts: [...this.#texts.keys()],
      steps: [...this.#steps.values()].filter((step) => step.found.length > 0),
      truncated: this.#truncated,
    };
  }

  #textOf(source: string): number | null {
    const known = this.#texts.get(source);
    if (known !== undefined) return known;
    if (this.#texts.size >= MOST_TEXTS || source.length > LONGEST_TEXT) {
      this.#truncated = true;
      return null;
    }
    this.#texts.set(source, this.#texts.size);
    return this.#texts.size - 1;
  }

  #step(pointer: string, text: number | null, start: number, end: number, quote: string): OpenStep | null {
    const key = `${pointer}\n${text} ${start} ${end}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    if (this.#steps.size >= MOST_STEPS) {
      this.#truncated = true;
      return null;
    }
    const shown = quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE).toWellFormed()}…` : quote;
    const step: OpenStep = { pointer, text, start, end, quote: shown, found: [] };
    this.#steps.set(key, step);
    return step;
  }
}

function same(a: Fact, b: Fact): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
