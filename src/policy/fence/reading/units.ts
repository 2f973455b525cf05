/** A sentence's tokens -> units: words and phrases with their senses, and the names between them. */
import type { Token } from "../../text/tokens.ts";
import { type Language, type Lexicon, lexiconOf, phraseAt, type Sense } from "./lexicon.ts";
import type { Form, Tag } from "./words/table.ts";

export interface Unit {
  readonly token: Token;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly senses: readonly Sense[];
  /** Written with a capital, and not because a sentence begins with it. */
  readonly isName: boolean;
}

const NONE: readonly Sense[] = [];

/** Which language a run of tokens is in: the one that most of its words belong to, small ones and its own. */
export function languageOf(tokens: readonly Token[], otherwise: Language): Language {
  const score = { en: 0, de: 0, es: 0 };
  for (const token of tokens) {
    if (token.kind === "han") return "zh";
    if (token.kind !== "word") continue;
    const known = LATIN.filter((language) => knows(language, token.text));
    for (const language of known) score[language] += known.length === 1 ? 2 : 1;
  }
  const best = Math.max(score.en, score.de, score.es);
  if (best === 0 || (otherwise !== "zh" && score[otherwise] === best)) return otherwise;
  return score.en === best ? "en" : score.de === best ? "de" : "es";
}

const LATIN = ["en", "de", "es"] as const;

function knows(language: (typeof LATIN)[number], word: string): boolean {
  const lexicon = lexiconOf(language);
  return lexicon.marks.has(word) || (lexicon.root.next.get(word)?.senses.length ?? 0) > 0;
}

/** Total, linear. Tokens of line ends stay as units without senses. */
export function unitsOf(tokens: readonly Token[], language: Language, text: string): Unit[] {
  const lexicon = lexiconOf(language);
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "han") {
      hanUnits(token, lexiconOf("zh"), units);
      at += 1;
      continue;
    }
    // English words inside Chinese text are verbs and nouns as they are in English.
    const words = language === "zh" ? lexiconOf("en") : lexicon;
    const found =
      token.kind === "word" || token.kind === "number"
        ? phraseAt(words, (index) => keyOf(tokens[index], index === at), at)
        : { length: 0, senses: NONE };
    const length = Math.max(1, found.length);
    const last = tokens[at + length - 1] ?? token;
    const senses =
      language === "zh"
        ? found.senses.filter(
            ({ tag }) => tag === "verb" || tag === "noun" || tag === "read" || tag === "currency",
          )
        : found.senses;
    const isName =
      at > 0 && token.kind === "word" && /^\p{Lu}/u.test(text.slice(token.start, token.start + 2));
    units.push({
      token,
      text: textOf(tokens, at, length),
      start: token.start,
      end: last.end,
      senses,
      isName,
    });
    at += length;
  }
  return units;
}

function keyOf(token: Token | undefined, isFirst: boolean): string | null {
  if (token === undefined) return null;
  if (token.kind === "word") return token.text;
  return token.kind === "number" && !isFirst ? token.text : null;
}

function textOf(tokens: readonly Token[], at: number, length: number): string {
  if (length === 1) return tokens[at]?.text ?? "";
  return tokens
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(" ");
}

function hanUnits(token: Token, lexicon: Lexicon, units: Unit[]): void {
  const { text, start } = token;
  let loose = 0;
  const flush = (to: number): void => {
    if (to > loose)
      units.push({
        token,
        text: text.slice(loose, to),
        start: start + loose,
        end: start + to,
        senses: NONE,
        isName: false,
      });
  };
  for (let at = 0; at < text.length; ) {
    const found = phraseAt(lexicon, (index) => (index < text.length ? text.charAt(index) : null), at);
    if (found.length === 0) {
      at += 1;
      continue;
    }
    flush(at);
    units.push({
      token,
      text: text.slice(at, at + found.length),
      start: start + at,
      end: start + at + found.length,
      senses: found.senses,
      isName: false,
    });
    at += found.length;
    loose = at;
  }
  flush(text.length);
}

export function has(unit: Unit | undefined, tag: Tag, value?: string): boolean {
  return (
    unit?.senses.some((sense) => sense.tag === tag && (value === undefined || sense.value === value)) ?? false
  );
}

export function sense(unit: Unit | undefined, tag: Tag, forms?: string): Sense | null {
  return (
    unit?.senses.find(
      (one) => one.tag === tag && (forms === undefined || forms.includes(one.form as Form)),
    ) ?? null
  );
}

export function isPunct(unit: Unit | undefined, marks: string): boolean {
  return unit?.token.kind === "punct" && marks.includes(unit.text);
}
