import type { Command, ParsedScript, SyntaxNode, Word } from "unbash";
import type { PathBound } from "../../types.ts";
import { type Report, WORD_UNITS } from "../report.ts";
import { GENERIC_VERBS } from "../said.ts";
import { runCommand, runWords } from "./command.ts";
import { expandWords } from "./expand.ts";
import { type Field, visible } from "./field.ts";
import { readAndOr, readCompound, readPipeline, settle } from "./flow.ts";
import { isDeceptive, readScript } from "./guard.ts";
import { Overheard } from "./overheard.ts";
import { deeper } from "./parameters.ts";
import { applyRedirects } from "./redirect.ts";
import { define, join, type Shell, startingShell } from "./state.ts";
import { directoryText, type Input, type Outcome, type Place, unchanged, type Walker } from "./walker.ts";
import { commandText, commandWording, spelledCommand } from "./wording.ts";

/** How deep scripts inside scripts are followed. */
const DEEPEST = 24;
/** Doubts about a tree that leave room for a command nobody has seen. */
const HIDING = new Set([
  "hidden-expansion",
  "heredoc-in-substitution",
  "array-in-substitution",
  "carriage-return",
  "open-heredoc",
]);

/**
 * Reads one shell command into the report.
 * @param directory where the shell starts, as a bound; `null` when unknown.
 * @param anchored true when the call itself says so, rather than the session.
 */
export function readShell(
  source: string,
  directory: PathBound | null,
  report: Report,
  anchored = false,
  input: Input = { kind: "none" },
): void {
  const walker = new ScriptWalker(report);
  const shell = { ...startingShell(report.context.environment, directory), anchored };
  const after = walker.text(source, shell, { source, input, proven: true, depth: 0 });
  walker.finish(settle(after), source);
}

/** Reads words that are run without a shell, name first. */
export function readWords(
  words: readonly Field[],
  directory: PathBound | null,
  report: Report,
  anchored = false,
  input: Input = { kind: "none" },
): void {
  const walker = new ScriptWalker(report);
  const shell = { ...startingShell(report.context.environment, directory), anchored };
  walker.words(words, shell, { source: "", input, proven: true, depth: 0 });
}

class ScriptWalker implements Walker {
  readonly report: Report;
  #exhausted = false;
  readonly #overheard = new Overheard();
  /** The words of the command that is being read, once they are known. */
  #spoken: readonly Field[] | null = null;
  readonly #later: { readonly source: string; readonly place: Place }[] = [];

  constructor(report: Report) {
    this.report = report;
  }

  heard(words: readonly Field[], shell: Shell, written = false): void {
    this.#overheard.heard(words, shell, written);
  }

  gaveUp(words: readonly Field[], shell: Shell, computed: boolean): void {
    this.#overheard.gaveUp(words, shell, computed);
  }

  text(source: string, shell: Shell, place: Place): Outcome {
    const cwd = directoryText(shell);
    if (place.depth > DEEPEST) {
      this.report.unparsed("too-deep", source, cwd);
      return unchanged(shell);
    }
    // Text inside text costs like a value that is used: the same may be evaluated with every turn of a loop.
    if (place.depth > 0 && !this.report.makes(source.length)) {
      this.report.unparsed("too-much-expansion", "", null);
      return unchanged(shell);
    }
    // Bash joins a continued line before it looks for expansions, the parser afterwards.
    const joined = source.includes("\\\n") ? source.replace(/(\$\{?)\\\n/g, "$1") : source;
    if (joined !== source) this.report.opaque("continued-expansion", source, cwd);
    const { script, doubts, source: read } = readScript(joined);
    if (isDeceptive(source)) this.report.execute("deceptive-characters", source, cwd);
    if (script === null) {
      this.report.unparsed(doubts[0] ?? "parse-error", source, cwd);
      return unchanged(shell);
    }
    for (const doubt of doubts) {
      if (HIDING.has(doubt)) this.report.execute(doubt, source, cwd);
      else this.report.opaque(doubt, source, cwd);
    }
    return this.script(script, shell, { ...place, source: read });
  }

  later(source: string, place: Place): void {
    if (this.#later.length < 64) this.#later.push({ source, place });
    else this.report.unparsed("too-many-traps", source, null);
  }

  /** Reads what was put off; nothing that is put off meanwhile is read again. */
  finish(shell: Shell, whole: string): void {
    for (const { source, place } of this.#later.splice(0)) this.text(source, shell, place);
    this.#overheard.finish(whole, this.report);
  }

  expandable(text: string, shell: Shell, place: Place): void {
    const script =
      place.depth > DEEPEST || !this.report.makes(text.length)
        ? null
        : readScript(`: "${text.replace(/(?<!\\)"/g, '\\"')}"`).script;
    if (script === null) this.report.unparsed("evaluated-text", text, directoryText(shell));
    else this.script(script, shell, { ...deeper(place), source: text, proven: false });
  }

  script(script: ParsedScript, shell: Shell, place: Place): Outcome {
    if (place.depth > DEEPEST) {
      this.report.unparsed("too-deep", place.source, directoryText(shell));
      return unchanged(shell);
    }
    return this.#list(script.commands, shell, { ...place, source: script.source ?? place.source });
  }

  words(words: readonly Field[], shell: Shell, place: Place): Outcome {
    if (place.depth > DEEPEST) {
      this.report.unparsed("too-deep", words.slice(0, 256).map(visible).join(" "), directoryText(shell));
      return unchanged(shell);
    }
    return this.#spend(shell, place)
      ? this.#watched(
          () => runWords(words, shell, place, this),
          () => "",
        )
      : unchanged(shell);
  }

  command(node: Command, shell: Shell, place: Place): Outcome {
    return this.#spend(shell, place, node.end - node.pos)
      ? this.#watched(
          () => runCommand(node, shell, place, this),
          () => spelledCommand(node, place.source),
        )
      : unchanged(shell);
  }

  /** Marks what was heard during a command that changed files, and puts in words what it did. */
  #watched(run: () => Outcome, spelled: () => string): Outcome {
    const { report } = this;
    const [from, mark, outer] = [this.#overheard.length, report.mark, this.#spoken];
    this.#spoken = null;
    let wording: ReturnType<typeof commandWording> | null = null;
    const outcome = report.part(run, (risk) => {
      const words = this.#spoken;
      wording ??= commandWording(words ?? [], report.tables.verbs);
      if (risk !== "READ" && risk !== "NETWORK")
        report.said.item("command", spelled() || commandText(words ?? []));
      // A redirection without a command leaves the file empty.
      const bare = risk === "WRITE" ? ["empty", "truncate"] : [GENERIC_VERBS[risk]];
      return words === null ? { verbs: bare, object: [], service: null } : wording(risk);
    });
    this.#spoken = outer;
    if (report.mark > mark) this.#overheard.wrote(from);
    return outcome;
  }

  speak(words: readonly Field[]): void {
    this.#spoken = words;
  }

  expand(words: readonly Word[], shell: Shell, place: Place): Field[] {
    this.report.works(WORD_UNITS * words.length);
    return expandWords(words, { walker: this, shell, place: deeper(place) });
  }

  /** Counts one command, and tells whether it may still be read. */
  #spend(shell: Shell, place: Place, units = 0): boolean {
    this.report.works(units);
    if (--this.report.commandsLeft > 0) return true;
    this.report.unparsed("too-many-commands", this.#exhausted ? "" : place.source, directoryText(shell));
    this.#exhausted = true;
    return false;
  }

  #list(nodes: readonly SyntaxNode[], shell: Shell, place: Place): Outcome {
    let outcome = unchanged(shell);
    let now = shell;
    for (const [at, node] of nodes.entries()) {
      // Only the last command's status is the list's own, so only its copies are proven by success.
      outcome = this.node(node, now, { ...place, proven: place.proven && at === nodes.length - 1 });
      now = join(outcome.ok, outcome.fail);
    }
    return outcome;
  }

  node(node: SyntaxNode, shell: Shell, place: Place): Outcome {
    // Loops and functions multiply; once the budget is spent the call is opaque, and nothing more is read.
    if (this.report.commandsLeft <= 0) {
      this.report.unparsed("too-many-commands", "", null);
      return unchanged(shell);
    }
    // Asked first: each level of nesting would stand on the stack twice more.
    if (!this.report.isTraced) return this.#node(node, shell, place);
    return this.report.at(place.source, node.pos, node.end, () => this.#node(node, shell, place));
  }

  #node(node: SyntaxNode, shell: Shell, place: Place): Outcome {
    switch (node.type) {
      case "Script":
        return this.script(node, shell, place);
      case "CompoundList":
        return this.#list(node.commands, shell, place);
      case "Statement":
        if (!node.background) return this.node(node.command, shell, place);
        this.node(node.command, shell, { ...place, proven: false });
        return unchanged(shell);
      case "AndOr":
        return readAndOr(node, shell, place, this);
      case "Pipeline":
        return readPipeline(node, shell, place, this);
      case "Command":
        return this.command(node, shell, place);
      case "Redirected": {
        const input = applyRedirects(node.redirects, shell, place, this);
        return this.node(node.command, shell, { ...place, input });
      }
      case "Function":
        // Some names are called without being spelled: by the shell itself, whenever something happens.
        if (
          /^(?:command_not_found_handler?|precmd|preexec|chpwd|periodic|zshexit|TRAP[A-Z]+)$/.test(
            node.name.value,
          )
        ) {
          this.report.opaque("hook-function", place.source, directoryText(shell));
          this.node(node.body, { ...shell, positional: null }, { ...deeper(place), proven: false });
        }
        return unchanged(
          define(shell, node.name.value, { kind: "function", body: node.body, source: place.source }),
        );
      case "Subshell":
        this.node(node.body, shell, place);
        return unchanged(shell);
      case "BraceGroup":
        return this.node(node.body, shell, place);
      case "Coproc":
        this.report.opaque("coproc");
        this.node(node.body, shell, { ...place, proven: false });
        return unchanged(shell);
      default:
        return readCompound(node, shell, { ...place, proven: false }, this);
    }
  }
}
