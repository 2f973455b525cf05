/** Rows of wordings, as the tables of both languages write them, and the forms made of them. */
import type { DecisionKind, VerbForm } from "./roles.ts";

export interface VerbRow {
  /** Forms of the first word; `_` joins the words of a phrase. */
  readonly words: string;
  readonly kind: DecisionKind;
  /** The pattern's name; the word itself without one. */
  readonly name?: string;
  readonly follows?: string;
  readonly unless?: string;
  readonly after?: VerbForm["after"];
}

/** @param language what the patterns' names begin with */
export function formsOf(
  language: string,
  rows: readonly VerbRow[],
): ReadonlyMap<string, readonly VerbForm[]> {
  const map = new Map<string, VerbForm[]>();
  for (const { name, kind, words, follows, unless, after } of rows)
    for (const spelled of words.split(" ")) {
      const word = spelled.replaceAll("_", " ");
      const form: VerbForm = {
        pattern: `${language}:${name ?? word}`,
        kind,
        ...(follows === undefined ? {} : { follows: new RegExp(follows, "y") }),
        ...(unless === undefined ? {} : { unless: new RegExp(unless, "y") }),
        ...(after === undefined ? {} : { after }),
      };
      const forms = map.get(word);
      if (forms === undefined) map.set(word, [form]);
      else forms.push(form);
    }
  return map;
}
