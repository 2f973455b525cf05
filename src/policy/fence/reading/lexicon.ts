/** Tables of words -> one lookup per language, made once: the longest phrase that begins at a word, and its senses. */
import { foldWord } from "../../text/fold.ts";
import { DE } from "./words/de.ts";
import { EN } from "./words/en.ts";
import { ES } from "./words/es.ts";
import type { Form, Grammar, Row, Tag, WordTable } from "./words/table.ts";
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

/** Verbs whose forms are not made by rule: base, past, participle. */
const IRREGULAR: Readonly<Record<string, string>> = {
  send: "sent",
  resend: "resent",
  write: "wrote written",
  rewrite: "rewrote rewritten",
  buy: "bought",
  sell: "sold",
  pay: "paid",
  repay: "repaid",
  get: "got gotten",
  give: "gave given",
  take: "took taken",
  make: "made",
  do: "did done",
  put: "put",
  set: "set",
  reset: "reset",
  cut: "cut",
  hit: "hit",
  shut: "shut",
  bid: "bid",
  cast: "cast",
  let: "let",
  throw: "threw thrown",
  shoot: "shot",
  tell: "told",
  say: "said",
  build: "built",
  rebuild: "rebuilt",
  run: "ran run",
  rerun: "reran rerun",
  forget: "forgot forgotten",
  hold: "held",
  keep: "kept",
  leave: "left",
  ring: "rang rung",
  break: "broke broken",
  drive: "drove driven",
  draw: "drew drawn",
  withdraw: "withdrew withdrawn",
  strip: "stripped",
  blow: "blew blown",
  wake: "woke woken",
  stick: "stuck",
  spin: "spun",
  stand: "stood",
  spend: "spent",
  bear: "bore borne",
  find: "found",
  see: "saw seen",
  go: "went gone",
  come: "came come",
  kick: "kicked",
  override: "overrode overridden",
  overwrite: "overwrote overwritten",
};

function formsOf(base: string): { g: string[]; p: string[]; s: string[] } {
  const ing = /[^aeiou][aeiou][bdgklmnprt]$/.test(base) && isShort(base);
  const stem = base.endsWith("e") && !/[eoy]e$/.test(base) ? base.slice(0, -1) : base;
  const double = ing ? base + base.slice(-1) : null;
  const irregular = Object.hasOwn(IRREGULAR, base) ? (IRREGULAR[base]?.split(" ") ?? []) : null;
  const y = /[^aeiou]y$/.test(base) ? base.slice(0, -1) : null;
  // British English doubles an l, American does not.
  const british = double === null && /[aeiou]l$/.test(base) ? `${base}l` : null;
  const both = british === null ? [] : [british];
  return {
    g: [
      `${double ?? stem}ing`,
      ...(double === null ? [] : [`${base}ing`]),
      ...both.map((one) => `${one}ing`),
    ],
    p: irregular ?? [y !== null ? `${y}ied` : `${double ?? stem}ed`, ...both.map((one) => `${one}ed`)],
    s: [y !== null ? `${y}ies` : /(?:[sxz]|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`],
  };
}

/** One syllable, or the stress on the last: the consonant doubles. */
function isShort(base: string): boolean {
  return (
    (base.match(/[aeiou]+/g)?.length ?? 0) === 1 ||
    /^(?:un|re)?(?:commit|submit|refer|transfer|unsubscrib|admit|begin|forget|reset|input|output|unpin|unzip|format)/.test(
      base,
    )
  );
}

function inflected(row: Row): Row[] {
  if ((row.tag !== "verb" && row.tag !== "read") || row.form !== undefined) return [row];
  const rows: Row[] = [{ ...row, form: "b" }];
  for (const phrase of row.words.split("|")) {
    const [first = "", ...rest] = phrase.split(" ");
    const tail = rest.length > 0 ? ` ${rest.join(" ")}` : "";
    const forms = formsOf(first);
    for (const form of ["g", "p", "s"] as const)
      rows.push({ ...row, form, words: forms[form].map((one) => one + tail).join("|") });
  }
  return rows;
}

/** `dass du den Bericht schickst`: the form that follows `du`, made of the infinitive. */
function addressed(row: Row): Row[] {
  if ((row.tag !== "verb" && row.tag !== "read") || row.form !== "i") return [row];
  const words = row.words
    .split("|")
    .filter((word) => /^[^\s]+en$/.test(word))
    .map((word) => (/[td]en$/.test(word) ? word.replace(/en$/, "est") : word.replace(/en$/, "st")));
  return words.length > 0 ? [row, { ...row, words: words.join("|") }] : [row];
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
