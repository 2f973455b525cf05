/** What the words of a clause name, while they are gone through. */
import type { Target } from "../types.ts";
import type { Language } from "./lexicon.ts";
import type { Unit } from "./units.ts";

export interface Named {
  readonly recipients: Target[];
  readonly paths: Target[];
  readonly hosts: Target[];
  readonly items: Target[];
  readonly amounts: Target[];
  readonly commands: Target[];
  /** Messengers, by which the person may want to be reached. */
  readonly services: Target[];
  /** The words of the clause that name things, folded. */
  readonly nouns: string[];
  /** Somebody is meant, by name, by what they are, or as `me`. */
  persons: boolean;
  me: boolean;
  /** A number of things, where the words say one. */
  quantity: number | null;
  /** Each, every, all of them, or a plural without a number. */
  open: boolean;
  /** Things named one after the other. */
  listed: number;
  /** Nothing but anything, it, them. */
  universal: boolean;
}

/** The words before a name that say what it is to the verb. */
export type Preposition = "" | "to" | "in" | "from" | "with" | "about" | "as" | "for";

export interface Reader {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly language: Language;
  /** Where folders may be named without a path: what is forbidden is read as wide as it can be meant. */
  readonly loose: boolean;
  /** Names of people count: the clause reaches somebody. */
  readonly people: boolean;
}

export const MOST_TARGETS = 64;

export function put(list: Target[], target: Target): void {
  if (list.length < MOST_TARGETS && !list.some((one) => one.text === target.text && one.kind === target.kind))
    list.push(target);
}
