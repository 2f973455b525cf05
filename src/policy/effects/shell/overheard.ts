import { boundsIntersect, treeBound } from "../../paths/index.ts";
import type { PathBound } from "../../types.ts";
import type { Report } from "../report.ts";
import { type Field, literal, locate, textField, visible } from "./field.ts";
import { nameArgument } from "./paths.ts";
import type { Shell } from "./state.ts";
import { directoryText } from "./walker.ts";

/** More pairs of a command that writes and code that may be what it wrote are not compared. */
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
    const seen = new Set<string>();
    const directories = new Set<string | null>();
    for (const { words, shell: at } of this.#heard) {
      for (const one of at.directories) directories.add(directoryText({ ...at, directories: [one] }));
      for (const word of words) {
        const key = `${at.directories.join("\n")}\n${visible(word)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const parts = partsOf(word);
        for (const part of parts) nameArgument(part, at, report);
        // Inside a longer text nothing has expanded `~` yet.
        if (parts.length > 1)
          for (const one of at.directories)
            report.mention(visible(word), directoryText({ ...at, directories: [one] }), true);
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
    const writers = this.#heard.filter((one) => one.written);
    // Too many to compare are taken for related.
    if (writers.length * this.#opaque.length > MOST_COMPARED) return true;
    return this.#opaque.some(({ words, shell }) => {
      const others = writers.filter((one) => !one.words.every((word) => words.includes(word)));
      if (!others.length) return false;
      const run = [
        ...shell.directories.map((one) => one && treeBound(one)),
        ...words.flatMap((one) => placesOf(one, shell)),
      ];
      return others.some((one) =>
        one.words.some((word) =>
          placesOf(word, one.shell).some(
            (to) => to === null || run.some((from) => from === null || boundsIntersect(from, treeBound(to))),
          ),
        ),
      );
    });
  }
}

/** Where a word of a command that writes may point; `null` when it cannot be known. */
function placesOf(word: Field, shell: Shell): (PathBound | null)[] {
  const text = visible(word);
  if (text.startsWith("-") && !text.includes("/")) return [];
  return shell.directories.map((directory) => {
    const place = locate(word, directory);
    return place.ok ? place.bound : null;
  });
}

/** A word, and its parts where it holds text that may be read as words again. */
function partsOf(word: Field): Field[] {
  const text = literal(word);
  if (text === null || !/[\s;&|()<>"'`{}]/.test(text)) return [word];
  return text.split(/[\s;&|()<>"'`{}]+/).map((part) => textField(part));
}
