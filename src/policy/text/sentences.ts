/** Tokens -> sentences. A list's item is a sentence of its own and knows the words that introduce the list. */
import { evenBreaks } from "./lines.ts";
import type { Token } from "./tokens.ts";

/** Tokens `from` up to, not with, `to`. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  /** How it ends: `?`, `!`, `.`, `:` or nothing. */
  readonly mark: string;
  /** The sentence that introduces the list that this one is an item of; `null` for the others. */
  readonly intro: number | null;
}

const ABBREVIATIONS = new Set(
  "e.g i.e etc mr mrs ms dr prof st no nr vs approx ca z.b bzw usw u.a d.h sr sra p.ej inc ltd jr fig vol resp ggf inkl".split(
    " ",
  ),
);

/** Nobody speaks in longer sentences; what goes on without an end is read in pieces. */
const MOST_TOKENS = 240;

/** Total, linear. Newlines end a sentence unless the next line goes on in lower case without a bullet. */
export function sentencesOf(tokens: readonly Token[], typed: string): Sentence[] {
  const text = evenBreaks(typed);
  const sentences: Sentence[] = [];
  let from = 0;
  let weight = 0;
  let intro: number | null = null;
  const close = (to: number, mark: string): void => {
    if (tokens.slice(from, to).some(({ kind }) => kind !== "punct" && kind !== "break")) {
      const isItem = isBullet(tokens, from, text);
      // What goes on behind an item, on its line, ends no list.
      const begins = isLineStart(text, tokens[from]?.start ?? 0);
      if (!isItem && begins && intro !== null && !followsList(tokens, from, text)) intro = null;
      sentences.push({ from, to, mark, intro });
      if (mark === ":") intro = sentences.length - 1;
    }
    from = to;
    weight = 0;
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (weight >= MOST_TOKENS) close(at, "");
    // Where no spaces are written, a token holds many words.
    weight += token.kind === "han" ? 1 + (token.end - token.start) / 2 : 1;
    if (token.kind === "data") {
      close(at, "");
      from = at + 1;
      weight = 0;
      // `Here is the log:` has introduced what is shown there, and no list below it.
      const below = tokens[at + 1]?.kind === "break" ? at + 2 : at + 1;
      if (intro === sentences.length - 1 && !isBullet(tokens, below, text)) intro = null;
    } else if (token.kind === "break") {
      if (endsLine(tokens, at, text)) close(at + 1, lastMark(tokens, at));
      const listed = isBullet(tokens, at + 1, text);
      if (token.text === "\n\n" && lastMark(tokens, at) !== ":" && !listed) intro = null;
      // A line right above a list introduces it, with a colon or without.
      const above = sentences.at(-1);
      if (listed && intro === null && above !== undefined && !isBullet(tokens, above.from, text))
        intro = sentences.length - 1;
    } else if (token.kind === "punct" && /[.!?;]/.test(token.text) && endsSentence(tokens, at, text))
      close(at + 1, token.text === ";" ? "." : token.text);
    else if (token.kind === "quoted" && endsInQuote(token, tokens[at + 1], text, from === at))
      close(at + 1, "");
  }
  close(tokens.length, lastMark(tokens, tokens.length));
  return sentences;
}

function lastMark(tokens: readonly Token[], at: number): string {
  const last = tokens[at - 1];
  return last?.kind === "punct" && /[.!?:]/.test(last.text) ? last.text : "";
}

function endsSentence(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  if (token === undefined || token.text !== ".") return true;
  const before = tokens[at - 1];
  const next = tokens[at + 1];
  if (before !== undefined && before.end === token.start) {
    if (ABBREVIATIONS.has(before.text) && next?.kind !== "break") return false;
    // `M. Lee`, `1. first`: an initial, or the number of an item.
    if (/^[a-z]$/.test(before.text) && next?.kind === "word") return false;
    if (before.kind === "number" && isLineStart(text, before.start)) return false;
  }
  return next === undefined || next.kind !== "punct" || !/[.!?]/.test(next.text);
}

/** `"… done." Then …`: the sentence that is quoted ends the one that quotes it. */
function endsInQuote(token: Token, next: Token | undefined, text: string, isAlone: boolean): boolean {
  if (next === undefined || next.kind !== "word") return false;
  const ends = /[.!?]$/.test(token.text.trimEnd());
  return (ends || isAlone) && /^\p{Lu}/u.test(text.slice(next.start, next.start + 2));
}

function endsLine(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token?.text === "\n\n" || next === undefined || lastMark(tokens, at) !== "") return true;
  if (isBullet(tokens, at + 1, text)) return true;
  if (next.kind === "word") return /^\p{Lu}/u.test(text.slice(next.start, next.start + 2));
  return next.kind === "han" || next.kind === "data";
}

function isBullet(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  if (token === undefined || !isLineStart(text, token.start)) return false;
  if (token.kind === "punct") return /[-*+>]/.test(token.text) && tokens[at + 1]?.kind !== "punct";
  if (token.kind === "number" || /^[a-z]$/.test(token.text)) {
    const next = tokens[at + 1];
    const closes = /[.):]/.test(next?.text ?? "") || text.charAt(next?.start ?? 0) === "、";
    return next?.kind === "punct" && closes && next.start === token.end;
  }
  return false;
}

/** Lines directly below an introduction belong to its list even without bullets, up to the first blank line. */
function followsList(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokens[at];
  return token !== undefined && isLineStart(text, token.start) && /^\n\n?$/.test(lineGap(text, token.start));
}

function lineGap(text: string, at: number): string {
  let start = at;
  while (start > 0 && /\s/.test(text.charAt(start - 1)) && at - start < 64) start -= 1;
  return text.slice(start, at).replace(/[ \t\r]/g, "");
}

function isLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[ \t]/.test(text.charAt(before)) && at - before < 64) before -= 1;
  return before < 0 || text.charAt(before) === "\n";
}
