import { forEachChild, type SyntaxNode, type Word, type WordPart } from "unbash";
import { type Field, literal, type Piece, unknownField } from "./field.ts";
import { removed } from "./removal.ts";
import type { Shell } from "./state.ts";
import { directoryText, onlyDirectory, type Place, type Walker } from "./walker.ts";

type ParameterExpansion = Extract<WordPart, { type: "ParameterExpansion" }>;

const NUMBER: Piece = { kind: "unknown", source: "other", segment: true };

const NUMBER_PARAMETERS = new Set([
  "$",
  "!",
  "?",
  "#",
  "PPID",
  "UID",
  "EUID",
  "BASHPID",
  "RANDOM",
  "SRANDOM",
  "SECONDS",
  "LINENO",
  "EPOCHSECONDS",
]);

/** Variables that the shell itself, or a builtin without being told to, fills with what the script holds. */
const SET_BY_SHELL =
  /^(?:_|OLDPWD|DIRSTACK|REPLY|MAPFILE|COPROC|OPTARG|BASH_.*|COMP_.*|READLINE_.*|FUNCNAME)$/;

export interface Expansion {
  readonly walker: Walker;
  readonly shell: Shell;
  readonly place: Place;
}

/** What `$name` stands for; a list for `$@` and `$*`. */
export function variableValue(name: string, quoted: boolean, at: Expansion): Field | readonly Field[] {
  const { shell, walker } = at;
  const { report } = walker;
  if (report.context.self.variables.includes(name)) report.govern("own-key-variable");
  if (name === "@" || name === "*") {
    if (shell.positional === null) return unknownField("variable");
    // The first character of IFS stands between them.
    if (name === "*" && quoted && shell.variables.has("IFS")) return unknownField("variable");
    return name === "@" || !quoted
      ? shell.positional
      : shell.positional.flatMap((one, place) => (place ? [space(), ...one] : one));
  }
  if (name === "0") return shell.variables.get("0") ?? unknownField("variable");
  if (/^[1-9]\d*$/.test(name)) {
    if (shell.positional === null) return unknownField("variable");
    return shell.positional[Number(name) - 1] ?? [];
  }
  if (NUMBER_PARAMETERS.has(name) && !shell.variables.has(name)) return [NUMBER];
  if (name === "PWD" && !shell.variables.has(name)) return directoryField(shell);
  if (name === "IFS" && !shell.variables.has(name)) return [{ kind: "text", text: " \t\n", quoted: false }];
  const inherited = !shell.variables.has(name) && !SET_BY_SHELL.test(name);
  const value = shell.variables.get(name);
  if (value) return value;
  return inherited
    ? [{ kind: "unknown", source: "inherited", segment: false, name }]
    : unknownField("variable");
}

/** What `${name…}` stands for; commands inside it have been read already. */
export function parameterValue(part: ParameterExpansion, at: Expansion): Field | readonly Field[] {
  const { walker, shell, place } = at;
  const { parameter: name, operation } = part;
  const value = variableValue(name, true, at);
  // Offsets and indexes are expressions.
  if (operation?.type === "Slice" || (part.index !== undefined && !/^[@*\d]$/.test(part.index.text)))
    evaluateVariables(at);
  if (part.prefix === "#") return [NUMBER];
  if (part.index !== undefined && part.prefix === undefined && operation === undefined)
    return elementOf(name, part.index, shell);
  if (part.prefix === "!" || part.index !== undefined) return unknownField("variable");
  if (operation === undefined) return value;
  if (operation.type === "Default" && operation.operator.endsWith("=")) {
    // The value outlives this word, which nothing here can express: what it may be is named instead.
    walker.report.execute("assigning-expansion", operation.operand.text, directoryText(shell));
  }
  if (operation.type === "Transform") {
    const text = isFieldList(value) ? null : literal(value);
    if (text !== null) walker.expandable(text, shell, deeper(place));
    return unknownField("variable");
  }
  const known = shell.variables.get(name);
  if (operation.type === "Default" && known) {
    if (/^:?[-=?]$/.test(operation.operator) && literal(known) !== "") return known;
    return unknownField("variable");
  }
  if (operation.type === "Remove" && known) return removed(known, operation.operator, operation.operand);
  return unknownField("variable");
}

function elementOf(name: string, index: Word, shell: Shell): Field | readonly Field[] {
  const elements = shell.arrays.get(name);
  if (elements === undefined || index.parts !== undefined) return unknownField("variable");
  if (index.value === "@" || index.value === "*") return elements;
  return /^\d{1,3}$/.test(index.value) ? (elements[Number(index.value)] ?? []) : unknownField("variable");
}

/**
 * Reads the commands inside a part whose value is of no use.
 * @param except a child whose value is of use, so that it is expanded.
 */
export function visitScripts(node: SyntaxNode, at: Expansion, except: SyntaxNode | null = null): void {
  const { walker, shell, place } = at;
  forEachChild(node, (child) => {
    if (child === except) return;
    if (child.type === "Script")
      walker.script(child, shell, { ...deeper(place), input: { kind: "none" }, proven: false });
    else visitScripts(child, at);
  });
}

/** Bash evaluates a variable's text as an expression, and runs substitutions inside an index in it. */
export function evaluateVariables({ walker, shell, place }: Expansion): void {
  for (const value of shell.variables.values()) {
    const text = value ? literal(value) : null;
    if (text !== null && /\$\(|`/.test(text)) {
      walker.report.opaque("evaluated-text");
      walker.expandable(text, shell, deeper(place));
    }
  }
}

export function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

export function directoryField(shell: Shell): Field {
  const only = onlyDirectory(shell);
  if (only === null) return unknownField("variable");
  return [{ kind: "text", text: only.replace(/\\([\s\S])/g, "$1"), quoted: true }];
}

export function space(): Piece {
  return { kind: "text", text: " ", quoted: true };
}

export function isFieldList(value: Field | readonly Field[]): value is readonly Field[] {
  return value.length > 0 && Array.isArray(value[0]);
}
