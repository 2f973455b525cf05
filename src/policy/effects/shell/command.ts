import type { Assignment, Command, Redirection, Word } from "unbash";
import { perRow } from "../columns.ts";
import { isSwitch } from "../governance.ts";
import { UNKNOWN_PATH, WORD_UNITS } from "../report.ts";
import { HELP, type OperandEffect, type Row } from "./commands/row.ts";
import { isPoison, redefinesPrograms } from "./environment.ts";
import { expandSingle, expandWord } from "./expand.ts";
import { type Field, has, literal, textField, visible } from "./field.ts";
import { Names } from "./known.ts";
import { isGiven, operandsFrom, readOptions, valuesOf } from "./options.ts";
import { deeper } from "./parameters.ts";
import { filesOf, nameArgument, noteRead } from "./paths.ts";
import { applyRedirects, nameInput } from "./redirect.ts";
import { noteSecrets } from "./secrets.ts";
import { noteSpelling } from "./spelling.ts";
import {
  assign,
  assignArray,
  exportName,
  leaveFunction,
  type Shell,
  undefine,
  withPositional,
} from "./state.ts";
import {
  directoryText,
  type Invocation,
  type Outcome,
  type Place,
  unchanged,
  type Walker,
} from "./walker.ts";

/** Where the system keeps its programs; a program of the same name elsewhere is another program. */
const SYSTEM_FOLDERS = new Set([
  "/bin",
  "/usr/bin",
  "/sbin",
  "/usr/sbin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
]);

/** Reads one simple command of a script: its assignments, its redirections, and what its words run. */
export function runCommand(node: Command, shell: Shell, place: Place, walker: Walker): Outcome {
  const at = { walker, shell, place: deeper(place) };
  const assignments = node.prefix.filter((one): one is Assignment => one.type === "Assignment");
  const redirects = node.redirects as readonly Redirection[];
  if (node.name === undefined) {
    let after = shell;
    for (const one of assignments) after = applyAssignment(one, after, place, walker);
    applyRedirects(redirects, after, place, walker);
    return unchanged(after);
  }
  const name = expandWord(node.name, at);
  const args = node.args.flatMap((one) =>
    one.type === "Word" ? expandWord(one, at) : [assignmentField(one, at)],
  );
  const words = [...name, ...args];
  const input = applyRedirects(redirects, shell, place, walker);
  // Values given to one command alone reach it through its environment, not through its own arguments.
  let within = shell;
  for (const one of assignments) within = applyAssignment(one, within, place, walker, true);
  const inside: Place = { ...place, input };
  if (isComputedName(node.name)) {
    if (isPureExpansion(node.name)) {
      walker.report.execute("computed-command");
      giveUp(words, within, inside, walker);
      return unchanged(shell);
    }
    walker.report.opaque("computed-command");
  }
  const outcome = runWords(words, within, inside, walker, visible(name[0] ?? []) === node.name.text);
  if (within === shell) return outcome;
  const restore = (after: Shell): Shell => ({
    ...after,
    variables: shell.variables,
    exported: shell.exported,
    redefined:
      within.redefined > shell.redefined && after.redefined === within.redefined
        ? shell.redefined
        : after.redefined,
  });
  return { ok: restore(outcome.ok), fail: restore(outcome.fail) };
}

/** Commands that the shell runs by itself: no search path and no library leads to another one. */
const BUILTINS = new Set(
  (
    "cd pushd popd dirs export declare typeset local readonly unset read mapfile readarray let test [ printf echo true false : " +
    "alias unalias hash jobs trap set shopt history exit return break continue shift wait umask ulimit times getopts " +
    "enable builtin command exec eval source . type"
  ).split(" "),
);

/** Runs words as one command: an alias, a function, a row of the table, or a program that nobody knows. */
export function runWords(
  words: readonly Field[],
  shell: Shell,
  place: Place,
  walker: Walker,
  plain = false,
): Outcome {
  const [first, ...args] = words;
  if (first === undefined) return unchanged(shell);
  const { report } = walker;
  walker.speak(words);
  const spelled = literal(first);
  if (spelled === null) {
    report.execute("computed-command");
    giveUp(words, shell, place, walker);
    return unchanged(shell);
  }
  // A brace makes hundreds of words of a few characters: they cost what commands cost.
  report.works(WORD_UNITS * words.length);
  for (const arg of words) noteRead(arg, shell, report);
  noteSecrets(programName(spelled) ?? spelled, words, shell, report);
  noteSpelling(words, report);
  walker.heard(/[/~]/.test(spelled) ? words : args, shell);
  if (shell.globsOther && words.some((one) => has(one, "glob"))) report.opaque("changed-patterns");
  const definition = shell.definitions.get(spelled);
  if (definition?.kind === "alias" && plain) {
    report.execute("alias");
    report.mention(definition.text, directoryText(shell), true);
    giveUp(words, shell, place, walker);
    if (!shell.expandsAliases) return unchanged(shell);
    return walker.text(definition.text, undefine(shell, spelled), { ...deeper(place), proven: false });
  }
  if (definition?.kind === "function") {
    const inside = { ...deeper(place), source: definition.source, proven: false };
    if (place.depth > 16) {
      report.unparsed("too-deep", place.source, directoryText(shell));
      return unchanged(shell);
    }
    const after = walker.node(
      definition.body,
      { ...withPositional(shell, args), locals: Names.none },
      inside,
    );
    return { ok: leaveFunction(after.ok, shell), fail: leaveFunction(after.fail, shell) };
  }
  if (definition?.kind === "unsure") {
    report.execute("unsure-definition");
    giveUp(words, shell, place, walker);
    // The body of the function may name anything that the text does.
    walker.gaveUp(words, shell, true);
  }
  const name = programName(spelled);
  const row = name === null ? undefined : report.tables.commands.get(name);
  if (name === null || row === undefined) {
    report.execute("unknown-program");
    giveUp(words, shell, place, walker);
    return unchanged(shell);
  }
  if (shell.redefined > (BUILTINS.has(name) ? 1 : 0)) {
    report.execute("changed-environment");
    giveUp(words, shell, place, walker);
  }
  return runRow(row, { name, args, shell, place, walker, report });
}

/** Applies a row's columns, then what the columns cannot say. */
function runRow(row: Row, call: Invocation): Outcome {
  const { args, shell, place, report, walker } = call;
  const read = readOptions(args, shapeOf(row));
  if (read.given.some((one) => one.name === "--help" || one.name === "--version")) return unchanged(shell);
  if (isGiven(read, row.idle)) {
    if (row.risks) report.risk(...row.risks.filter((risk) => risk === "NETWORK"));
    return unchanged(shell);
  }
  if (row.risks) report.risk(...row.risks);
  if (row.opaque !== undefined) {
    report.execute(row.opaque);
    giveUp([textField(call.name), ...args], shell, place, walker);
  }
  if (isGiven(read, row.executes)) {
    report.execute("helper-program");
    giveUp([textField(call.name), ...args], shell, place, walker);
    return unchanged(shell);
  }
  const acts = row.operands !== undefined && row.operands !== "read";
  if (read.loose && (acts || row.writes !== undefined || row.executes !== undefined))
    report.opaque("unknown-arguments");
  for (const value of valuesOf(read, row.writes)) {
    if (literal(value) !== "-") for (const file of filesOf(value, shell, report)) report.write(file);
  }
  if (acts && row.operands !== undefined)
    actOnOperands(row, row.operands, call, read.operands, isTree(row, read));
  return row.also?.({ ...call, read }) ?? unchanged(shell);
}

const shapeOf = perRow((row: Row) => ({
  ...row,
  values: [row.values, row.writes].filter((one) => one !== undefined).join(" "),
  flags: [row.flags, row.executes, row.trees, row.idle, HELP].filter((one) => one !== undefined).join(" "),
}));

function isTree(row: Row, read: ReturnType<typeof readOptions>): boolean {
  return row.trees === "always" || isGiven(read, row.trees);
}

function actOnOperands(
  row: Row,
  effect: OperandEffect,
  call: Invocation,
  operands: readonly Field[],
  tree: boolean,
): void {
  for (const operand of operandsFrom(operands, row.skip ?? 0)) {
    for (const file of filesOf(operand, call.shell, call.report)) {
      const bound =
        tree && file !== UNKNOWN_PATH && !file.endsWith("/**") ? `${file === "/" ? "" : file}/**` : file;
      if (effect === "write") call.report.write(bound);
      else if (effect !== "read") call.report.act(effect, bound);
    }
  }
}

/** Programs whose first word is a verb, not a file. */
const VERB_PROGRAMS = new Set(
  (
    "npm pnpm yarn npx pip pip3 uv poetry pipx conda gem bundle composer apt apt-get dpkg brew yum dnf pacman apk snap " +
    "docker podman docker-compose kubectl helm terraform git cargo go dotnet deno make gmake just task gh glab systemctl service"
  ).split(" "),
);

/** Names everything that code of unknown effect is given: arguments, inherited values, input, where it starts. */
export function giveUp(words: readonly Field[], shell: Shell, place: Place, walker: Walker): void {
  const { report } = walker;
  const cwd = directoryText(shell);
  const program = visible(words[0] ?? []);
  const computed =
    words.some(isComputed) || shell.variables.isLost || (shell.moved && shell.directories.includes(null));
  walker.gaveUp(words, shell, computed);
  for (const [at, word] of words.entries()) {
    const text = visible(word);
    const verb = at === 1 && VERB_PROGRAMS.has(program) && /^[a-z][a-z:-]*$/.test(text);
    if ((at === 0 && !/[/~]/.test(text)) || verb) report.mention(text, null);
    else if (/\s/.test(text)) report.mention(text, cwd);
    else {
      report.mention(text, /["'(=:,;]/.test(text) ? cwd : null);
      nameArgument(word, shell, report);
    }
  }
  for (const name of shell.exported) {
    const value = shell.variables.get(name);
    if (value && report.handsOver(value, shell.directories)) nameArgument(value, shell, report);
  }
  if (shell.moved) for (const directory of shell.directories) if (directory !== null) report.name(directory);
  nameInput(
    place.input,
    shell,
    walker,
    /^(?:.*\/)?(?:ba|da|z|k|a|fi)?sh$|^(?:xargs|parallel|at|batch)$/.test(program),
  );
}

/** True for a word whose value was made elsewhere in the script; numbers and inherited variables were not. */
function isComputed(word: Field): boolean {
  return word.some(
    (piece) =>
      piece.kind === "unknown" &&
      piece.source !== "inherited" &&
      !(piece.source === "other" && piece.segment),
  );
}

/** `rm`, `/bin/rm`, `/usr/bin/../bin/rm` -> `rm`; `null` for a program of the project's own. */
function programName(spelled: string): string | null {
  if (!spelled.includes("/")) return spelled;
  if (!spelled.startsWith("/")) return null;
  const kept: string[] = [];
  for (const part of spelled.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const name = kept.pop() ?? "";
  return SYSTEM_FOLDERS.has(`/${kept.join("/")}`) ? name : null;
}

function applyAssignment(
  node: Assignment,
  shell: Shell,
  place: Place,
  walker: Walker,
  exported = false,
): Shell {
  const at = { walker, shell, place: deeper(place) };
  if (node.index) expandSingle(node.index, at);
  if (node.value.type !== "Word") {
    const elements = walker.expand(node.value.elements, shell, place);
    const known =
      elements.every((one) => !has(one, "unknown")) &&
      node.value.elements.every((one) => !/^\[/.test(one.text));
    const before = node.append ? shell.arrays.get(node.name) : [];
    const after = setVariable(node.name, null, shell, place, walker, exported);
    return assignArray(after, node.name, known && before ? [...before, ...elements] : null);
  }
  const value = expandSingle(node.value, at);
  return setVariable(node.name, node.append || node.index ? null : value, shell, place, walker, exported);
}

/** How far programs can be trusted once a variable has a value, or is exported or unset. */
export function redefinedBy(name: string, value: Field | null, shell: Shell): Shell["redefined"] {
  const changes = isPoison(name, value ? literal(value) : null) && redefinesPrograms(name);
  return changes && shell.redefined === 0 ? 1 : shell.redefined;
}

/** Sets a variable, and tells when it changes what other programs do. */
export function setVariable(
  name: string,
  value: Field | null,
  shell: Shell,
  place: Place,
  walker: Walker,
  exported = false,
): Shell {
  if (isPoison(name, value ? literal(value) : null)) {
    walker.report.execute("changed-environment");
    giveUp([textField(name), ...(value ? [value] : [])], shell, place, walker);
    const text = value ? literal(value) : null;
    if (name === "PS4" || name === "PROMPT_COMMAND") walker.expandable(text ?? "", shell, place);
  }
  if (isSwitch(name)) walker.report.govern("own-policy");
  const before = name === "GLOBIGNORE" ? { ...shell, globsOther: true } : shell;
  const after = { ...assign(before, name, value), redefined: redefinedBy(name, value, shell) };
  return exported ? exportName(after, name) : after;
}

function assignmentField(node: Assignment, at: Parameters<typeof expandWord>[1]): Field {
  const head: Field = textField(`${node.name}${node.append ? "+" : ""}=`);
  // Here, unlike before a command, braces are expanded: `declare x={a,b}` assigns twice.
  const spread = node.value.type === "Word" && node.value.parts?.some((one) => one.type === "BraceExpansion");
  if (node.value.type !== "Word" || spread) {
    at.walker.expand(node.value.type === "Word" ? [node.value] : node.value.elements, at.shell, at.place);
    return [...head, { kind: "unknown", source: "other", segment: false }];
  }
  return [...head, ...expandSingle(node.value, at)];
}

function isComputedName(word: Word): boolean {
  return (word.parts ?? []).some(
    (part) =>
      part.type !== "Literal" &&
      part.type !== "SingleQuoted" &&
      part.type !== "AnsiCQuoted" &&
      (part.type !== "DoubleQuoted" || part.parts.some((child) => child.type !== "Literal")),
  );
}

/** True for a name that is nothing but an expansion: what it runs was decided elsewhere. */
function isPureExpansion(word: Word): boolean {
  const parts = word.parts ?? [];
  return parts.every(
    (part) =>
      part.type === "SimpleExpansion" ||
      part.type === "ParameterExpansion" ||
      part.type === "CommandExpansion" ||
      part.type === "ArithmeticExpansion" ||
      part.type === "ProcessSubstitution" ||
      part.type === "Glob" ||
      part.type === "ExtendedGlob" ||
      (part.type === "DoubleQuoted" && part.parts.every((child) => child.type !== "Literal")),
  );
}
