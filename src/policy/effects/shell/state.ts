import type { SyntaxNode } from "unbash";
import { escapeBound, normalisePath, variableOf } from "../../paths/index.ts";
import type { Environment, PathBound } from "../../types.ts";
import type { Field } from "./field.ts";
import { textField } from "./field.ts";
import { Known, MOST_NAMES, Names } from "./known.ts";

/** Positional parameters past this many are not known one by one: `set -- "$@" x` adds one with every turn. */
const MOST_POSITIONAL = 512;

/** More directories than this at one point of a script are not worth telling apart. */
const MOST_DIRECTORIES = 8;

/** A directory with a longer path is not known: every name in it would be as long. */
const LONGEST_DIRECTORY = 1024;

/** A function's body, or an alias' text. */
export type Definition =
  | { readonly kind: "function"; readonly body: SyntaxNode; readonly source: string }
  | { readonly kind: "alias"; readonly text: string }
  /** Defined one way or another, or not at all, depending on how the script got here. */
  | { readonly kind: "unsure" };

/**
 * What a shell knows at one point of a script. Where two ways lead to the same point, `join` keeps what both agree on.
 */
export interface Shell {
  /** Every directory the shell may be in; `null` among them when it may be anywhere. */
  readonly directories: readonly (PathBound | null)[];
  /** True when the directory does not depend on what the session declared, which may be out of date. */
  readonly anchored: boolean;
  /** True once `cd` has run: then the directory is something the call named. */
  readonly moved: boolean;
  /** Known values; `null` when a value was assigned that is not known. A name that is absent may hold anything. */
  readonly variables: Known<Field | null>;
  /** Arrays whose elements are all known. */
  readonly arrays: ReadonlyMap<string, readonly Field[]>;
  readonly definitions: Known<Definition>;
  /** Variables that the function being read has made its own; they get their old values back when it ends. */
  readonly locals: Names;
  /** `$1`…, or `null` when they cannot be known. */
  readonly positional: readonly Field[] | null;
  readonly expandsAliases: boolean;
  /** Variables whose values are changed as they are assigned: `declare -i`, `-l`, `-u`, `-c`. */
  readonly converted: Names;
  /** True once patterns match other names than usual: hidden ones, or any case. */
  readonly globsOther: boolean;
  /** True once a pattern that matches nothing vanishes. */
  readonly nullglob: boolean;
  /** True once `**` crosses directories. */
  readonly globstar: boolean;
  /** What `popd` goes back to, last first; `null` when that cannot be known. */
  readonly stack: readonly (readonly (PathBound | null)[])[] | null;
  /** Variables that the session declared: children have them from there. */
  readonly declared: Names;
  /** Whether the shell may have left with success before it came here: 1 a function or a sourced file, 2 altogether. */
  readonly ended: 0 | 1 | 2;
  /** What no longer is what its name says: 0 nothing, 1 programs, 2 builtins as well. */
  readonly redefined: 0 | 1 | 2;
  /** Values that children inherit and may act on. */
  readonly exported: Names;
}

/** The shell a call starts in: `bash -c`, not interactive, with the variables that the session declared. */
export function startingShell(environment: Environment, directory: PathBound | null): Shell {
  const variables = new Map<string, Field | null>();
  for (const name of [...Object.keys(environment.variables), "HOME", "HERMES_HOME"]) {
    const value = variableOf(name, environment);
    if (value !== null) variables.set(name, textField(value));
  }
  return {
    directories: [directory],
    anchored: false,
    moved: false,
    variables: Known.of(variables, null),
    arrays: new Map(),
    definitions: NO_DEFINITION,
    locals: Names.none,
    positional: [],
    expandsAliases: false,
    converted: Names.none,
    globsOther: false,
    nullglob: false,
    globstar: false,
    stack: [],
    redefined: 0,
    ended: 0,
    declared: Names.of(variables.keys()),
    exported: Names.none,
  };
}

/** A declared directory as a bound; `null` when it is missing or malformed. */
export function directoryBound(text: string | null): PathBound | null {
  if (text === null) return null;
  const path = normalisePath(text, null);
  return path.ok ? escapeBound(path.path) : null;
}

/** Longer values are given up: `a=$a$a` doubles with every repetition. */
const LONGEST_VALUE = 8192;

const NO_DEFINITION: Known<Definition> = Known.of(new Map(), { kind: "unsure" });

export function assign(shell: Shell, name: string, value: Field | null): Shell {
  let size = 0;
  for (const piece of value ?? []) size += "text" in piece ? piece.text.length + 1 : 1;
  const kept = size > LONGEST_VALUE || shell.converted.has(name) ? null : value;
  const variables = shell.variables.with(name, kept);
  if (!shell.arrays.has(name)) return { ...shell, variables };
  const arrays = new Map(shell.arrays);
  arrays.delete(name);
  return { ...shell, variables, arrays };
}

/** `null` elements: an array that is not known. */
export function assignArray(shell: Shell, name: string, elements: readonly Field[] | null): Shell {
  const after = assign(shell, name, elements?.[0] ?? null);
  // An array that is not kept is not known.
  if (elements === null || elements.length > 256 || after.arrays.size >= MOST_NAMES) return after;
  return { ...after, arrays: new Map(after.arrays).set(name, elements) };
}

export function define(shell: Shell, name: string, definition: Definition): Shell {
  return { ...shell, definitions: shell.definitions.with(name, definition) };
}

/** Without the function or alias of that name. */
export function undefine(shell: Shell, name: string): Shell {
  return { ...shell, definitions: shell.definitions.without([name]) };
}

/** Hands a variable down to children. */
export function exportName(shell: Shell, name: string): Shell {
  const exported = shell.exported.with(name);
  // Which values children have is not known any more, and so no value of theirs is.
  return exported.isAny ? { ...shell, exported, variables: shell.variables.lost() } : { ...shell, exported };
}

/** Has a variable changed as it is assigned. */
export function convert(shell: Shell, name: string): Shell {
  return { ...shell, converted: shell.converted.with(name) };
}

/** Makes a variable the own one of the function that is being read. */
export function own(shell: Shell, name: string): Shell {
  return { ...shell, locals: shell.locals.with(name) };
}

/** @param words `null` when they cannot be known. */
export function withPositional(shell: Shell, words: readonly Field[] | null): Shell {
  return { ...shell, positional: words !== null && words.length > MOST_POSITIONAL ? null : words };
}

/** @param anchored true when the way there did not start from the shell's present directory. */
export function enter(shell: Shell, directories: readonly (PathBound | null)[], anchored = false): Shell {
  return { ...shell, directories: bounded(directories), moved: true, anchored: anchored || shell.anchored };
}

function further<T extends number>(a: T, b: T): T {
  return a < b ? b : a;
}

export function join(a: Shell, b: Shell): Shell {
  if (a === b) return a;
  return {
    directories:
      a.directories === b.directories ? a.directories : bounded([...a.directories, ...b.directories]),
    anchored: a.anchored && b.anchored,
    moved: a.moved || b.moved,
    variables: a.variables.joined(b.variables, sameField),
    arrays:
      a.arrays === b.arrays
        ? a.arrays
        : new Map([...a.arrays].filter(([name, value]) => b.arrays.get(name) === value)),
    // Without this a harmless function, defined only if something holds, would hide the command of its name.
    definitions: a.definitions.joined(b.definitions, Object.is),
    locals: a.locals.joined(b.locals),
    positional: a.positional === b.positional ? a.positional : null,
    expandsAliases: a.expandsAliases || b.expandsAliases,
    converted: a.converted.joined(b.converted),
    globsOther: a.globsOther || b.globsOther,
    nullglob: a.nullglob || b.nullglob,
    globstar: a.globstar || b.globstar,
    stack: joinStacks(a.stack, b.stack),
    ended: further(a.ended, b.ended),
    redefined: further(a.redefined, b.redefined),
    declared: a.declared,
    exported: a.exported.joined(b.exported),
  };
}

/** Puts a function's own variables back to what they were before it ran. */
export function leaveFunction(after: Shell, before: Shell): Shell {
  const ended = after.ended === 2 ? 2 : before.ended;
  const variables = restored(after, before);
  return { ...after, variables, ended, locals: before.locals, positional: before.positional };
}

function restored(after: Shell, before: Shell): Shell["variables"] {
  const { locals, variables } = after;
  return locals.isAny ? variables.lost() : variables.restored(locals, before.variables);
}

/** What another process knows of this shell: no functions, no arrays, and only the variables that were handed down. */
export function inherited(shell: Shell): Shell {
  const own = [...shell.variables.keys()].filter(
    (name) => !shell.exported.has(name) && !shell.declared.has(name),
  );
  return { ...withoutFunctions(shell), variables: shell.variables.without(own), arrays: NO_ARRAY };
}

const NO_ARRAY: Shell["arrays"] = new Map();

/** Programs, and commands that pass functions over, know none. */
export function withoutFunctions(shell: Shell): Shell {
  return { ...shell, definitions: NO_DEFINITION };
}

/** A `pushd` that may have failed leaves one more to go back to; `popd` then fails alike. */
function joinStacks(a: Shell["stack"], b: Shell["stack"]): Shell["stack"] {
  if (a === b || a === null || b === null) return a === b ? a : null;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  const extra = longer.length - shorter.length;
  return extra <= 1 && shorter.every((one, at) => one === longer[at + extra]) ? longer : null;
}

/** True when nothing that later commands depend on differs. */
export function sameShell(a: Shell, b: Shell): boolean {
  if (a === b) return true;
  if (a.positional !== b.positional || a.arrays.size !== b.arrays.size || a.exported.size !== b.exported.size)
    return false;
  if (a.globsOther !== b.globsOther || a.globstar !== b.globstar || a.nullglob !== b.nullglob) return false;
  if (a.converted.size !== b.converted.size || a.expandsAliases !== b.expandsAliases) return false;
  if (a.redefined !== b.redefined || a.ended !== b.ended) return false;
  if (a.directories.length !== b.directories.length || a.definitions.size !== b.definitions.size)
    return false;
  if (a.directories.some((one) => !b.directories.includes(one)) || a.variables.size !== b.variables.size)
    return false;
  return a.variables.isSame(b.variables, sameField) && a.definitions.isLost === b.definitions.isLost;
}

function bounded(directories: readonly (PathBound | null)[]): readonly (PathBound | null)[] {
  const unique = [...new Set(directories.map((one) => (one && one.length > LONGEST_DIRECTORY ? null : one)))];
  return unique.length > MOST_DIRECTORIES ? [null] : unique;
}

function sameField(a: Field | null, b: Field | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  return a.every((piece, at) => {
    const other = b[at];
    if (other === undefined || piece.kind !== other.kind) return false;
    if (piece.kind === "text" || piece.kind === "glob") return "text" in other && piece.text === other.text;
    return false;
  });
}
