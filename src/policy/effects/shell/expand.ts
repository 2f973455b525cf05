import { type DoubleQuotedChild, parse, type Word, type WordPart } from "unbash";
import { WORD_UNITS } from "../report.ts";
import { expandBraces } from "./braces.ts";
import { Feed } from "./fed.ts";
import { type Field, literal, type Piece, unknownField } from "./field.ts";
import {
  deeper,
  directoryField,
  type Expansion,
  evaluateVariables,
  isFieldList,
  parameterValue,
  space,
  variableValue,
  visitScripts,
} from "./parameters.ts";
import { directoryText } from "./walker.ts";

/** What a program that prints a date or a number can hold: anything but a slash. */
const SEGMENT: Piece = { kind: "unknown", source: "command", segment: true };

/** Longer words are unknown: a few variables must not grow into megabytes. */
const LONGEST_WORD = 65_536;

/** Commands whose whole output cannot hold a slash. */
const SEGMENT_PROGRAMS = new Set(["whoami", "hostname", "basename", "uname", "id", "nproc", "uuidgen"]);

/**
 * Expands words as a shell would, into fields: braces, tilde, variables, substitutions (whose commands are read on
 * the way), splitting, quote removal. Globs stay as patterns.
 */
export function expandWords(words: readonly Word[], at: Expansion): Field[] {
  return words.flatMap((word) => expandWord(word, at));
}

export function expandWord(word: Word, at: Expansion): Field[] {
  if (word.parts?.some((part) => part.type === "BraceExpansion")) {
    const texts = expandBraces(word.text, (units) => at.walker.report.makes(units));
    if (texts === null) {
      at.walker.report.unparsed("too-many-words", word.text, directoryText(at.shell));
      return [unknownField("other")];
    }
    if (texts.length !== 1 || texts[0] !== word.text) return texts.flatMap((text) => expandText(text, at));
  }
  const builder = new FieldBuilder(at, true);
  builder.word(word);
  return builder.finish();
}

/** One word where the shell neither splits nor globs: an assignment's value, a redirect's target, `case` words. */
export function expandSingle(word: Word, at: Expansion): Field {
  const builder = new FieldBuilder(at, false);
  builder.word(word);
  return builder.finish()[0] ?? [];
}

/** A here-document's body, or other text in which only expansions are live. */
export function expandParts(parts: readonly WordPart[], at: Expansion): Field {
  const builder = new FieldBuilder(at, false);
  for (const part of parts) builder.quoted(part);
  return builder.finish()[0] ?? [];
}

/** Splits known text as an unquoted variable would be. */
function expandText(text: string, at: Expansion): Field[] {
  // The word comes back from the brace expansion as source text; a command in front makes it an argument again.
  const script = parse(`: ${text}`);
  const command = script.commands[0]?.command;
  if (script.errors?.length || script.commands.length !== 1 || command?.type !== "Command") {
    at.walker.report.opaque("unread-word");
    return [unknownField("other")];
  }
  const source = `: ${text}`;
  const inside = { ...at, place: { ...at.place, source } };
  const words = command.suffix.filter((one): one is Word => one.type === "Word");
  if (
    words.length !== command.suffix.length ||
    words.some((w) => w.parts?.some((p) => p.type === "BraceExpansion"))
  ) {
    // `{a}` without a comma stays as it is and would come back for ever.
    return words.map((one) => [{ kind: "text", text: one.value, quoted: true }]);
  }
  return expandWords(words, inside);
}

class FieldBuilder {
  readonly #at: Expansion;
  readonly #splits: boolean;
  readonly #done: Field[] = [];
  #pieces: Piece[] = [];
  #started = false;
  #size = 0;

  constructor(at: Expansion, splits: boolean) {
    this.#at = at;
    this.#splits = splits;
  }

  finish(): Field[] {
    this.#close();
    return this.#done;
  }

  word(word: Word): void {
    if (word.parts === undefined) {
      this.#literal(word.value, word.text, true);
      return;
    }
    const open =
      word.parts.length > 1 && word.parts[0]?.type === "Literal" && isOpenTilde(word.parts[0].text);
    // `~` is home only when nothing quoted or expanded stands between it and the next slash.
    for (const [index, part] of word.parts.entries()) this.#part(part, index === 0 && !open);
  }

  quoted(part: WordPart | DoubleQuotedChild): void {
    this.#started = true;
    switch (part.type) {
      case "Literal":
        this.#push({ kind: "text", text: part.value, quoted: true });
        return;
      case "SimpleExpansion":
        this.#parameter(part.text.slice(1), true);
        return;
      case "ParameterExpansion":
        this.#value(this.#parameterValue(part), true);
        return;
      case "CommandExpansion":
        this.#value(this.#substitution(part), true);
        return;
      case "ArithmeticExpansion":
        this.#arithmetic(part);
        return;
      default:
        this.#part(part, false);
    }
  }

  #part(part: WordPart, first: boolean): void {
    switch (part.type) {
      case "Literal":
        this.#literal(part.value, part.text, first);
        return;
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#started = true;
        this.#push({ kind: "text", text: part.value, quoted: true });
        return;
      case "DoubleQuoted":
      case "LocaleString":
        this.#started = true;
        for (const child of part.parts) this.quoted(child);
        return;
      case "Glob":
        this.#glob(part.text, part.kind === "bracket" ? part.parts : []);
        return;
      case "ExtendedGlob":
        // `@(a|b)` may match any one name; a star covers it.
        visitScripts(part, this.#at);
        this.#glob("*", []);
        return;
      case "BraceExpansion":
        visitScripts(part, this.#at);
        this.#push({ kind: "text", text: part.text, quoted: true });
        return;
      case "SimpleExpansion":
        this.#parameter(part.text.slice(1), false);
        return;
      case "ParameterExpansion":
        this.#value(this.#parameterValue(part), false);
        return;
      case "CommandExpansion":
        this.#value(this.#substitution(part), false);
        return;
      case "ArithmeticExpansion":
        this.#arithmetic(part);
        return;
      case "ProcessSubstitution": {
        const { walker, shell, place } = this.#at;
        const input =
          part.operator === ">"
            ? { kind: "pipe" as const, feed: new Feed(place.source) }
            : { kind: "none" as const };
        if (part.script) walker.script(part.script, shell, { ...deeper(place), input, proven: false });
        this.#push({ kind: "unknown", source: "process", segment: false });
        return;
      }
    }
  }

  /** `~` means home only unquoted at the start of a word, or after `=` where the word looks like an assignment. */
  #literal(value: string, text: string, first: boolean): void {
    this.#started = true;
    const lead = first ? /^(?:[A-Za-z_]\w*=)?(?=~)/.exec(text)?.[0] : undefined;
    const quoted = /^[^/]*\\/.test(text);
    if (lead === undefined || quoted || !value.startsWith(`${lead}~`)) {
      this.#push({ kind: "text", text: value, quoted: true });
      return;
    }
    const rest = value.slice(lead.length);
    const end = rest.indexOf("/") < 0 ? rest.length : rest.indexOf("/");
    if (lead !== "") this.#push({ kind: "text", text: lead, quoted: true });
    this.#value(this.#tilde(rest.slice(1, end)), true);
    this.#push({ kind: "text", text: rest.slice(end), quoted: true });
  }

  #tilde(user: string): Field {
    const { shell } = this.#at;
    if (user === "") return shell.variables.get("HOME") ?? unknownField("variable");
    if (user === "+") return directoryField(shell);
    return unknownField("variable");
  }

  #glob(text: string, parts: readonly WordPart[]): void {
    this.#started = true;
    const quotes = parts.some((part) => part.type !== "Literal") || /["'$`\\]/.test(text);
    const plain = /^\*+$/.test(text) && !this.#at.shell.globstar ? "*" : text;
    this.#push({ kind: "glob", text: quotes ? "?" : plain });
    for (const part of parts) visitScripts(part, this.#at);
  }

  #arithmetic(part: Extract<WordPart, { type: "ArithmeticExpansion" }>): void {
    this.#started = true;
    visitScripts(part, this.#at);
    if (/[A-Za-z_]/.test(part.text)) evaluateVariables(this.#at);
    this.#push({ ...SEGMENT });
  }

  #parameter(name: string, quoted: boolean): void {
    this.#value(variableValue(name, quoted, this.#at), quoted);
  }

  #parameterValue(part: Extract<WordPart, { type: "ParameterExpansion" }>): Field | readonly Field[] {
    const { operation } = part;
    const given =
      operation?.type === "Default"
        ? operation.operand
        : operation?.type === "Replace"
          ? operation.replacement
          : null;
    visitScripts(part, this.#at, given);
    if (given !== null) this.#at.walker.heard([expandSingle(given, this.#at)], this.#at.shell);
    return parameterValue(part, this.#at);
  }

  #substitution(part: Extract<WordPart, { type: "CommandExpansion" }>): Field {
    const { walker, shell, place } = this.#at;
    if (!part.script) {
      walker.report.opaque("unread-substitution");
      return unknownField("command");
    }
    walker.script(part.script, shell, { ...deeper(place), input: { kind: "none" }, proven: false });
    const [only] = part.script.commands;
    if (part.script.commands.length !== 1 || only?.command.type !== "Command") return unknownField("command");
    const name = only.command.name?.value;
    if (name === "pwd" && only.command.suffix.length === 0) {
      return directoryField(shell).map((piece) =>
        piece.kind === "text" ? { ...piece, computed: true } : piece,
      );
    }
    const command = place.source.slice(part.pos, part.end);
    if (name !== undefined && SEGMENT_PROGRAMS.has(name)) return [SEGMENT];
    return name === "date" && !/%[Dx]|\/|[$`].*[$`]/s.test(command) ? [SEGMENT] : unknownField("command");
  }

  /** Adds a value. Unquoted, it is split at white space and its wildcards come alive. */
  #value(value: Field | readonly Field[], quoted: boolean): void {
    const fields: readonly Field[] = isFieldList(value) ? value : [value];
    if (!this.#at.walker.report.makes(unitsOf(fields))) {
      // As many words, or as few, as it might have been.
      this.#push({ kind: "unknown", source: "variable", segment: false });
      return;
    }
    if (quoted) this.#started ||= !isFieldList(value) || fields.length > 0;
    for (const [at, field] of fields.entries()) {
      if (at > 0) {
        if (this.#splits) this.#close();
        else this.#push(space());
      }
      for (const piece of field) {
        if (piece.kind !== "text" || quoted || !this.#splits) {
          this.#push(piece.kind === "text" ? { ...piece, quoted: true } : piece);
        } else this.#split(piece.text);
      }
      if (quoted && isFieldList(value)) this.#started = true;
    }
  }

  #split(text: string): void {
    if (this.#at.shell.variables.has("IFS") && this.#splitsOtherwise(text)) {
      this.#at.walker.report.opaque("changed-splitting");
      this.#push({ kind: "unknown", source: "variable", segment: false });
      return;
    }
    for (const [at, part] of text.split(/[ \t\n]+/).entries()) {
      if (at > 0) this.#close();
      for (const run of part.match(/[*?]|\[[^\]/]+\]|[^*?[]+|\[/g) ?? []) {
        if (/^(?:[*?]|\[.+\])$/.test(run)) this.#push({ kind: "glob", text: run });
        else this.#push({ kind: "text", text: run, quoted: false });
      }
    }
  }

  /** True when a changed IFS might split the text in other places than white space does. */
  #splitsOtherwise(text: string): boolean {
    const value = this.#at.shell.variables.get("IFS");
    const separators = value ? literal(value) : null;
    return separators === null || [...text].some((one) => /\s/.test(one) || separators.includes(one));
  }

  #push(piece: Piece): void {
    if (piece.kind === "text" && piece.text === "") return;
    this.#started = true;
    this.#size += "text" in piece ? piece.text.length + 1 : 1;
    if (this.#size <= LONGEST_WORD) this.#pieces.push(piece);
    else this.#pieces = [{ kind: "unknown", source: "other", segment: false }];
  }

  #close(): void {
    if (this.#started) this.#done.push(this.#pieces);
    this.#pieces = [];
    this.#started = false;
  }
}

/** What values cost to put into a word: their text, and something for every piece, and for every word but the first. */
function unitsOf(fields: readonly Field[]): number {
  let units = WORD_UNITS * Math.max(0, fields.length - 1);
  for (const field of fields) {
    for (const piece of field) units += "text" in piece ? piece.text.length + 4 : 4;
  }
  return units;
}

/** True for text whose tilde prefix goes on into the next part of the word. */
function isOpenTilde(text: string): boolean {
  return /^(?:[A-Za-z_]\w*=)?~[^/]*$/.test(text);
}
