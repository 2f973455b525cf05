/** The tables, compiled for look-up: Latin words and phrases by their first word, Chinese words by their first character. */
import { isHan } from "../characters.ts";
import { CHINESE_PLAIN, CHINESE_WORDS } from "./chinese.ts";
import { CHINESE_PREFERENCES, CHINESE_VERBS } from "./chinese-verbs.ts";
import { ENGLISH_PLAIN, ENGLISH_WORDS } from "./english.ts";
import { ENGLISH_PREFERENCES, ENGLISH_VERBS } from "./english-verbs.ts";
import { DECISION_WORDS } from "./nouns.ts";
import { Role, type VerbForm, type Word } from "./roles.ts";
import { SpellingTable } from "./table.ts";

export { type DecisionKind, Role, type VerbForm, type Word } from "./roles.ts";

/** A phrase. */
interface Spelled {
  readonly text: string;
  readonly word: Word;
}

/** A word, and the phrases that begin with it, the longest first. */
export interface Entry {
  readonly text: string;
  readonly word: Word | null;
  readonly phrases: readonly Spelled[];
}

/** What begins like this: a word that ends here, and how longer ones go on. */
export interface Branch {
  readonly word: Word | null;
  readonly next: ReadonlyMap<number, Branch> | null;
}

export interface Lexicon {
  readonly words: SpellingTable<Entry>;
  /** Words of a language without spaces, character by character. */
  readonly characters: ReadonlyMap<number, Branch>;
  /** The words for whoever decides. */
  readonly subjects: ReadonlySet<string>;
}

/** Names that stand for the person the agent works for, beside `user`, `owner`, 用户, 主人 and 老板. */
export interface LexiconOptions {
  readonly names: readonly string[];
  /** Whether what somebody prefers is to be backed like a decision. */
  readonly preferences: boolean;
}

const NO_VERBS: readonly VerbForm[] = [];
const MAX_NAMES = 64;
const MAX_NAME_LENGTH = 64;

/** Pure; cheap enough for each organization's setting, but meant to be kept. */
export function buildLexicon({ names, preferences }: LexiconOptions): Lexicon {
  const words = new Map<string, Word>();
  const add = (text: string, roles: number, verbs: readonly VerbForm[] = NO_VERBS, names = false): void => {
    const known = words.get(text);
    words.set(text, {
      roles: (known?.roles ?? 0) | roles,
      verbs: [...(known?.verbs ?? NO_VERBS), ...verbs],
      decides: names || verbs.length > 0 || known?.decides === true,
    });
  };
  for (const [roles, list] of ENGLISH_WORDS)
    for (const [index, part] of list.split("|").entries())
      for (const text of index === 0 ? part.split(/\s+/) : [part.trim()]) if (text !== "") add(text, roles);
  for (const text of ENGLISH_PLAIN.split(/\s+/)) add(text, 0);
  for (const [roles, list] of CHINESE_WORDS)
    for (const text of list.split(/\s+/)) if (text !== "") add(text, roles);
  for (const text of CHINESE_PLAIN.split(/\s+/)) if (text !== "" && !words.has(text)) add(text, 0);
  const verbs = [ENGLISH_VERBS, CHINESE_VERBS];
  if (preferences) verbs.push(ENGLISH_PREFERENCES, CHINESE_PREFERENCES);
  for (const table of verbs) for (const [text, forms] of table) add(text, Role.Verb, forms);
  for (const text of DECISION_WORDS) add(text, 0, NO_VERBS, true);
  for (const name of names.slice(0, MAX_NAMES)) {
    const text = name.normalize("NFKC").trim().toLowerCase().replace(/\s+/g, " ");
    if (text !== "" && text.length <= MAX_NAME_LENGTH) add(text, Role.Subject);
  }
  return arrange(words);
}

interface GrowingEntry {
  readonly text: string;
  word: Word | null;
  readonly phrases: Spelled[];
}

interface GrowingBranch {
  word: Word | null;
  next: Map<number, GrowingBranch> | null;
}

function arrange(words: ReadonlyMap<string, Word>): Lexicon {
  const single = new Map<string, GrowingEntry>();
  const characters = new Map<number, GrowingBranch>();
  const entryOf = (key: string): GrowingEntry => {
    const known = single.get(key) ?? { text: key, word: null, phrases: [] };
    single.set(key, known);
    return known;
  };
  const subjects = new Set<string>();
  for (const [text, word] of words) {
    if ((word.roles & Role.Subject) !== 0) subjects.add(text);
    if (!isHan(text.charCodeAt(0))) {
      const space = text.indexOf(" ");
      if (space < 0) entryOf(text).word = word;
      else entryOf(text.slice(0, space)).phrases.push({ text, word });
    } else {
      let branch: GrowingBranch = { word: null, next: characters };
      for (let at = 0; at < text.length; at++) {
        branch.next ??= new Map();
        const grown: GrowingBranch = branch.next.get(text.charCodeAt(at)) ?? { word: null, next: null };
        branch.next.set(text.charCodeAt(at), grown);
        branch = grown;
      }
      branch.word = word;
    }
  }
  for (const { phrases } of single.values()) phrases.sort((a, b) => b.text.length - a.text.length);
  return { words: new SpellingTable([...single.values()]), characters, subjects };
}

export const DEFAULT_LEXICON: Lexicon = buildLexicon({ names: [], preferences: false });
