import type { Command, ParsedScript, SyntaxNode, Word } from "unbash";
import type { PathBound } from "../../types.ts";
import type { Report } from "../report.ts";
import type { Feed } from "./fed.ts";
import type { Field } from "./field.ts";
import type { Shell } from "./state.ts";

/** What a command would read from its standard input. */
export type Input =
  | { readonly kind: "none" }
  /** Another command's output. */
  | { readonly kind: "pipe"; readonly feed: Feed }
  /** A here-document or here-string; `value` is `null` when it is not fully known. */
  | { readonly kind: "text"; readonly value: string | null; readonly text: string }
  /** A file. */
  | { readonly kind: "file" };

/** Where in a script a command stands. */
export interface Place {
  /** The text that node positions refer to. */
  readonly source: string;
  readonly input: Input;
  /** True when a successful call implies that this command ran and succeeded, so that its copies count. */
  readonly proven: boolean;
  readonly depth: number;
}

/** The shell after a command that succeeded, and after one that failed. */
export interface Outcome {
  readonly ok: Shell;
  readonly fail: Shell;
}

/**
 * Reads scripts into a report. The command tables get it to read what they are given to run:
 * `sh -c`, `xargs`, `find -exec` and the like.
 */
export interface Walker {
  readonly report: Report;
  /** Reads another script's text as if it ran at this place. */
  text(source: string, shell: Shell, place: Place): Outcome;
  /** Reads commands hidden in text that bash expands as if it stood in double quotes. */
  expandable(text: string, shell: Shell, place: Place): void;
  /** Reads text again once the rest has been read, in the state the shell is in then. */
  later(source: string, place: Place): void;
  script(script: ParsedScript, shell: Shell, place: Place): Outcome;
  node(node: SyntaxNode, shell: Shell, place: Place): Outcome;
  /** Runs words as one simple command: name first. */
  words(words: readonly Field[], shell: Shell, place: Place): Outcome;
  expand(words: readonly Word[], shell: Shell, place: Place): Field[];
  command(node: Command, shell: Shell, place: Place): Outcome;
  /** Tells the words of the command that is being read, name first: what it does is put in these words. */
  speak(words: readonly Field[]): void;
  /** Remembers what a command is given, or what is written, should opaque code turn out to be fed by it. */
  heard(words: readonly Field[], shell: Shell, written?: boolean): void;
  /**
   * Code of unknown effect runs. `computed` when something it is given comes from elsewhere in the script: then all
   * that the whole text names is what the code may have been given.
   */
  gaveUp(words: readonly Field[], shell: Shell, computed: boolean): void;
}

/** One simple command as the tables see it. */
export interface Invocation {
  readonly name: string;
  /** The arguments after the name. */
  readonly args: readonly Field[];
  readonly shell: Shell;
  readonly place: Place;
  readonly walker: Walker;
  readonly report: Report;
}

export function unchanged(shell: Shell): Outcome {
  return { ok: shell, fail: shell };
}

/** The directory in which opaque code starts, for names; `null` when there is not exactly one. */
export function onlyDirectory(shell: Shell): PathBound | null {
  const [only] = shell.directories;
  return shell.directories.length === 1 && only !== undefined ? only : null;
}

/** The only directory the shell may be in, as literal text; `null` when there is not exactly one. */
export function directoryText(shell: Shell): string | null {
  const only = onlyDirectory(shell);
  return only === null || /[*?[]/.test(only.replace(/\\[\s\S]/g, ""))
    ? null
    : only.replace(/\\([\s\S])/g, "$1");
}
