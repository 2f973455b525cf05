/**
 * A sentence as one string, for what it says as a whole: words in their folded spelling, names as the kind of thing they
 * are. Where a language writes no spaces, the string has none either.
 */
import type { Target } from "../../types.ts";
import { verbRow } from "../../verbs.ts";
import type { Ban } from "../bans/index.ts";
import type { Range } from "../clause.ts";
import type { Lexicon } from "../lexicon.ts";
import type { Unit } from "../units.ts";
import { DEEDS } from "./deeds.ts";

export interface Said {
  readonly units: readonly Unit[];
  readonly lexicon: Lexicon;
  /** Words with one space between them, without marks: `not @ please`. */
  readonly words: string;
  /** The same with the marks that join a label to what is said of it. */
  readonly marked: string;
  /** Without spaces. */
  readonly bare: string;
}

/** Sentences longer than this say more than one thing. */
export const MOST_UNITS = 40;
const LONGEST_WORD = 40;

const SHOWN: Readonly<Record<string, string>> = {
  email: "@",
  handle: "@",
  phone: "@",
  channel: "@",
  path: "/",
  file: "/",
  url: "://",
  host: "://",
  quoted: '"',
  money: "$",
  number: "0",
  id: "#",
};

export function saidOf(units: readonly Unit[], lexicon: Lexicon, range?: Range): Said {
  const part = range === undefined ? units : units.slice(range.from, range.to);
  const words: string[] = [];
  const marked: string[] = [];
  for (const { token, text } of part.slice(0, MOST_UNITS + 1)) {
    const shown =
      token.kind === "word" || token.kind === "han" ? text.slice(0, LONGEST_WORD) : SHOWN[token.kind];
    if (shown !== undefined) {
      words.push(shown);
      marked.push(shown);
    } else if (token.kind === "punct" && /[:=?-]/.test(text)) marked.push(text);
  }
  return {
    units: part,
    lexicon,
    words: words.join(" "),
    marked: marked.join(" "),
    bare: words.join("").replaceAll(" ", ""),
  };
}

/** Verbs that say how something is gone about, not what is done. */
const MANNERS =
  /^(?:let|say|tell|ask|confirm|approve|accept|sign|notify|start|stop|run|set|get|give|go|check_in|complete|finish|resolve|continue|play|pause|resume|skip|make|call|mark|reply|answer|react|change|grant|permit|allow|make|add|put|open|hit|press|submit|block)$/;

/** What the words from `from` on would have done, whatever the form of the verb or the noun made of it. */
export function deedsIn(units: readonly Unit[], lexicon: Lexicon, plain = false): string[] {
  const verbs = new Set<string>();
  for (const { senses: own, text, token } of units) {
    let found = false;
    // `email's off`: the verb that is in it.
    const short =
      own.length === 0 && text.endsWith("'s") ? lexicon.root.next.get(text.slice(0, -2))?.senses : undefined;
    const senses = short ?? own;
    for (const { tag, value, form } of senses)
      if (tag === "verb" && (value === "egress" || verbRow(value) !== null) && !found) {
        if (!plain && MANNERS.test(value) && form !== "n") continue;
        verbs.add(value);
        found = true;
      }
    if (!found && (token.kind === "word" || token.kind === "han"))
      for (const [verb, stem] of DEEDS[lexicon.language])
        if (stem.test(text)) {
          verbs.add(verb);
          break;
        }
  }
  return [...verbs];
}

export function banOf(
  given: Partial<Ban> & { readonly kind: Ban["kind"] },
  units: readonly Unit[],
  targets?: readonly Target[],
): Ban {
  return {
    verbs: [],
    first: 0,
    last: units.length,
    objects: [],
    clause: null,
    asks: false,
    soft: false,
    exceptFrom: null,
    ...(targets === undefined ? {} : { targets }),
    ...given,
  };
}
