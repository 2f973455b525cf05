/** Tables of words -> one lookup per language, made once: the longest phrase that begins at a word, and its senses. */
import { foldWord } from "../../text/fold.ts";
import { addressed, inflected } from "./inflection.ts";
import { DE } from "./words/de/index.ts";
import { EN } from "./words/en/index.ts";
import { ES } from "./words/es/index.ts";
import type { Form, Grammar, Tag, WordTable } from "./words/table.ts";
import { ZH } from "./words/zh.ts";

export type Language = WordTable["language"];

export interface Sense {
  readonly tag: Tag;
  readonly value: string;
  readonly form: Form | "";
}

interface Node {
  readonly next: Map<string, Node>;
  senses: Sense[];
}

export interface Lexicon {
  readonly language: Language;
  readonly grammar: Grammar;
  readonly root: Node;
  readonly marks: ReadonlySet<string>;
  readonly compounds: ReadonlyMap<string, ReadonlySet<string>>;
}

function compile(table: WordTable): Lexicon {
  const root: Node = { next: new Map(), senses: [] };
  const rows =
    table.language === "en"
      ? table.rows.flatMap(inflected)
      : table.language === "de"
        ? table.rows.flatMap(addressed)
        : table.rows;
  for (const row of rows) {
    const sense: Sense = {
      tag: row.tag,
      value: row.value ?? "",
      form: row.form ?? (row.tag === "verb" ? "b" : ""),
    };
    for (const phrase of row.words.split("|"))
      for (const spelled of spellings(phrase, table.language))
        insert(root, keysOf(spelled, table.language), sense);
  }
  const compounds = new Map(
    Object.entries(table.compounds).map(([verb, words]) => [verb, new Set(words.split(" "))] as const),
  );
  return {
    language: table.language,
    grammar: table.grammar,
    root,
    marks: new Set(table.marks.split(" ").map(foldWord)),
    compounds,
  };
}

/** `lösche` is also typed `loesche`; without its dots it is folded anyway. */
function spellings(phrase: string, language: Language): readonly string[] {
  if (language !== "de" || !/[äöüß]/.test(phrase)) return [phrase];
  return [
    phrase,
    phrase.replace(/[äöüß]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue", ß: "ss" })[letter] ?? letter),
  ];
}

/** As tokens come: words, or single characters where a language writes no spaces. Joining hyphens are no part of them. */
function keysOf(phrase: string, language: Language): string[] {
  const folded = foldWord(phrase.trim());
  return language === "zh"
    ? [...folded.replaceAll(" ", "")]
    : folded.split(/[\s-]+/).filter((word) => word !== "");
}

function insert(root: Node, keys: readonly string[], sense: Sense): void {
  if (keys.length === 0) return;
  let node = root;
  for (const key of keys) {
    let next = node.next.get(key);
    if (next === undefined) {
      next = { next: new Map(), senses: [] };
      node.next.set(key, next);
    }
    node = next;
  }
  const same = node.senses.some(
    (one) => one.tag === sense.tag && one.value === sense.value && one.form === sense.form,
  );
  if (!same) node.senses.push(sense);
}

/** The longest phrase of the lexicon that begins at `at`; `length` 0 for none. Phrases are short, so this is O(1). */
export function phraseAt(
  lexicon: Lexicon,
  keyAt: (index: number) => string | null,
  at: number,
): { readonly length: number; readonly senses: readonly Sense[] } {
  let node: Node | undefined = lexicon.root;
  let found = { length: 0, senses: [] as readonly Sense[] };
  for (let length = 1; ; length++) {
    const key = keyAt(at + length - 1);
    node = key === null ? undefined : node.next.get(key);
    if (node === undefined) return found;
    if (node.senses.length > 0) found = { length, senses: node.senses };
  }
}

const BUILT = new Map<Language, Lexicon>();
const SOURCES: Readonly<Record<Language, WordTable>> = { en: EN, de: DE, es: ES, zh: ZH };

export function lexiconOf(language: Language): Lexicon {
  let lexicon = BUILT.get(language);
  if (lexicon === undefined) {
    lexicon = compile(SOURCES[language]);
    BUILT.set(language, lexicon);
  }
  return lexicon;
}
