import { boundsIntersect, treeBound } from "../../paths/index.ts";
import type { PathBound } from "../../types.ts";
import type { Report } from "../report.ts";
import { type Field, literal, locate, textField, visible } from "./field.ts";
import { nameArgument } from "./paths.ts";
import type { Shell } from "./state.ts";
import { directoryText } from "./walker.ts";

/** More places that were written are not compared with places that code may come from; then they count as the same. */
const MOST_COMPARED = 20_000;

/**
 * What a script's commands were given, kept until the whole has been read: code that cannot be seen into may be, or read,
 * what an earlier command wrote.
 */
export class Overheard {
  #computed = false;
  readonly #opaque: { readonly words: readonly Field[]; readonly shell: Shell }[] = [];
  readonly #heard: { readonly words: readonly Field[]; readonly shell: Shell; written: boolean }[] = [];

  get length(): number {
    return this.#heard.length;
  }

  heard(words: readonly Field[], shell: Shell, written: boolean): void {
    this.#heard.push({ words, shell, written });
  }

  gaveUp(words: readonly Field[], shell: Shell, computed: boolean): void {
    this.#computed ||= computed;
    this.#opaque.push({ words, shell });
  }

  /** What was heard from this place on was given to a command that changed files. */
  wrote(from: number): void {
    for (const one of this.#heard.slice(from)) one.written = true;
  }

  /**
   * Names everything in the whole text when opaque code was given something computed, or may be a file that this very
   * script wrote.
   */
  finish(whole: string, report: Report): void {
    if (!this.#computed && !this.#runsWhatItWrote()) return;
    /** Words that have been seen, by the directories that they were seen in. */
    const seen = new Map<string, Set<string>>();
    const directories = new Set<string | null>();
    for (const { words, shell: at } of this.#heard) {
      const key = at.directories.join("\n");
      const known = seen.get(key) ?? new Set();
      if (!seen.has(key)) {
        seen.set(key, known);
        for (const one of at.directories) directories.add(directoryText({ ...at, directories: [one] }));
      }
      for (const word of words) {
        const text = visible(word);
        if (known.has(text)) continue;
        known.add(text);
        const parts = partsOf(word);
        for (const part of parts) nameArgument(part, at, report);
        // Inside a longer text nothing has expanded `~` yet.
        if (parts.length > 1)
          for (const one of at.directories)
            report.mention(text, directoryText({ ...at, directories: [one] }), true);
      }
    }
    // Quotes and braces of one language are plain text to another: the words between them are looked at as well.
    const bare = whole.replace(/[{}"'`\\]/g, " ");
    for (const directory of directories.size ? directories : [null]) {
      report.mention(whole, directory, true);
      report.mention(bare, directory, true);
    }
  }

  /** True when opaque code may be, or read, a file that was written before: what it names, or what lies where it runs. */
  #runsWhatItWrote(): boolean {
    if (this.#opaque.length === 0) return false;
    const writers = this.#heard
      .filter((one) => one.written)
      .map(({ words, shell }) => ({ words, places: treesOf(words, shell) }));
    if (writers.length === 0) return false;
    let left = MOST_COMPARED;
    const meet = (from: PathBound | null, to: PathBound | null): boolean => {
      if (from === null || to === null) return true;
      left -= 1 + ((from.length + to.length) >> 7);
      return left < 0 || boundsIntersect(from, to);
    };
    return this.#opaque.some(({ words, shell }) => {
      const own = new Set(words);
      const run = [...shell.directories.map((one) => one && treeBound(one)), ...placesOf(words, shell)];
      return writers.some((writer) => {
        // A command that cannot be seen into is not what it was told to write itself.
        left -= 1 + (writer.words.length >> 3);
        if (left >= 0 && writer.words.every((word) => own.has(word))) return false;
        return writer.places.some((to) => run.some((from) => meet(from, to)));
      });
    });
  }
}

/** Where words may point; `null` for what cannot be known. */
function placesOf(words: readonly Field[], shell: Shell): (PathBound | null)[] {
  return words.flatMap((word) => {
    const text = visible(word);
    if (text.startsWith("-") && !text.includes("/")) return [];
    return shell.directories.map((directory) => {
      const place = locate(word, directory);
      return place.ok ? place.bound : null;
    });
  });
}

/** Where words of a command that writes may point, with all that lies below. */
function treesOf(words: readonly Field[], shell: Shell): (PathBound | null)[] {
  return placesOf(words, shell).map((one) => one && treeBound(one));
}

/** A word, and its parts where it holds text that may be read as words again. */
function partsOf(word: Field): Field[] {
  const text = literal(word);
  if (text === null || !/[\s;&|()<>"'`{}]/.test(text)) return [word];
  return text.split(/[\s;&|()<>"'`{}]+/).map((part) => textField(part));
}
