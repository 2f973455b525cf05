import { listOf, perRow } from "../columns.ts";
import { dropLeading, type Field, has, isLoose, leading, literal } from "./field.ts";

/** How a command reads its arguments. Each string lists option names with spaces between: `-o --output`. */
export interface OptionShape {
  /** Options that take a value, attached or as the next argument. */
  readonly values?: string;
  /** Options that take a value only when it is attached: `-i.bak`, `--in-place=.bak`. */
  readonly attached?: string;
  /** Other long options, so that their abbreviations are understood. */
  readonly flags?: string;
  /** True when the first operand ends the options, as for commands that run another command. */
  readonly stops?: boolean;
}

export interface Given {
  readonly name: string;
  readonly value: Field | null;
}

export interface Arguments {
  readonly given: readonly Given[];
  /** The names of all that is given. */
  readonly names: ReadonlySet<string>;
  readonly operands: readonly Field[];
  /** True when an argument that cannot be known could turn out to be an option. */
  readonly loose: boolean;
}

/**
 * Splits arguments into options and operands as GNU getopt does: clusters, attached values, `--name=value`,
 * abbreviated long names, `--`, and options after operands.
 */
export function readOptions(args: readonly Field[], shape: OptionShape): Arguments {
  const { values, attached, known } = namesIn(shape);
  const given: Given[] = [];
  const operands: Field[] = [];
  let loose = false;
  const valueAt = (at: number): Field | null => {
    const value = args[at];
    // A pattern may become several words: the first is the value, the others are operands.
    if (value !== undefined && has(value, "glob")) operands.push(value);
    return value ?? null;
  };
  for (let at = 0; at < args.length; at++) {
    const field = args[at] ?? [];
    const text = leading(field);
    if (isLoose(field)) loose = true;
    if (!text.startsWith("-") || text === "-") {
      operands.push(field);
      if (shape.stops) {
        operands.push(...args.slice(at + 1));
        break;
      }
    } else if (literal(field) === "--") {
      operands.push(...args.slice(at + 1));
      break;
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = longName(equals < 0 ? text : text.slice(0, equals), known);
      if (equals < 0 && isUnfinished(field)) loose = true;
      if (equals >= 0) given.push({ name, value: dropLeading(field, equals + 1) });
      else if (values.has(name)) given.push({ name, value: valueAt(++at) });
      else given.push({ name, value: null });
    } else {
      for (let place = 1; place < text.length; place++) {
        const name = `-${text[place]}`;
        const rest = dropLeading(field, place + 1);
        // What is not known may be more options, or nothing, and then the value is the next word.
        if (place === text.length - 1 && isUnfinished(rest)) loose = true;
        if (values.has(name)) {
          given.push({ name, value: rest.length ? rest : valueAt(++at) });
          break;
        }
        if (attached.has(name)) {
          given.push({ name, value: rest.length ? rest : null });
          break;
        }
        given.push({ name, value: null });
      }
    }
  }
  return { given, names: new Set(given.map(({ name }) => name)), operands, loose };
}

const namesIn = perRow((shape: OptionShape) => {
  const values = new Set(listOf(shape.values));
  const attached = new Set(listOf(shape.attached));
  return {
    values,
    attached,
    known: [...values, ...attached, ...listOf(shape.flags)].filter((name) => name.startsWith("--")),
  };
});

export function isGiven(read: Arguments, names: string | undefined): boolean {
  if (names === undefined || read.names.size === 0) return false;
  return listOf(names).some((one) => read.names.has(one));
}

/** The values of the named options, in the order they are given. Kept, since some ask for every operand. */
export function valuesOf(read: Arguments, names: string | undefined): readonly Field[] {
  if (names === undefined || !isGiven(read, names)) return [];
  const kept = valuesKept(read);
  const known = kept.get(names);
  if (known !== undefined) return known;
  const wanted = listOf(names);
  const values = read.given.flatMap(({ name, value }) =>
    value !== null && wanted.includes(name) ? [value] : [],
  );
  kept.set(names, values);
  return values;
}

const valuesKept = perRow((_read: Arguments) => new Map<string, readonly Field[]>());

/** True for an option word that holds something unknown which could also be empty. */
export function isUnfinished(field: Field): boolean {
  return field.some((piece) => piece.kind === "unknown" && !piece.segment);
}

/** The operands that may stand at an index or behind it: a pattern before it may become several words. */
export function operandsFrom(operands: readonly Field[], index: number): readonly Field[] {
  const pattern = operands.slice(0, index).findIndex((one) => has(one, "glob"));
  return operands.slice(pattern < 0 ? index : pattern);
}

/** The operands that may stand at exactly this index. */
export function operandsAt(operands: readonly Field[], index: number): readonly Field[] {
  const pattern = operands.slice(0, index).findIndex((one) => has(one, "glob"));
  return pattern < 0 ? operands.slice(index, index + 1) : operands.slice(pattern);
}

/** The whole name of a long option that may be shortened. */
export function longName(name: string, known: readonly string[]): string {
  if (known.includes(name) || name.length < 3) return name;
  return known.find((full) => full.startsWith(name)) ?? name;
}
