/** Signs that something is done or struck out: `- [x] …`, `✅ …`, `~~…~~`, `… (done)`. It is asked for no more. */

import type { Sentence } from "../../text/sentences.ts";
import type { Token } from "../../text/tokens.ts";

const BULLET = "\\s*(?:(?:[-*+•]|\\d{1,3}[.)])\\s*)?";
const BEGINS = new RegExp(
  `^${BULLET}(?:\\[\\s*[xX✓✔☑✗✘-]\\s*\\]|[☑✅✓✔❌✗✘🗹🚫⛔]|(?:done|finished|completed|erledigt|fertig|hecho|listo|已完成|完成)\\s*[:：])`,
  "iu",
);
const ENDS =
  /(?:[✅☑✓✔]|\[\s*(?:x|done|✓)\s*\]|\((?:already )?(?:done|fixed|completed|finished|sent|erledigt|fertig|hecho|listo|✓|已完成)\)|\s[-–—]+\s*(?:already )?(?:done|finished|completed|erledigt|fertig|hecho|listo|已完成))[\s.!]*$/iu;

const STRUCK = new RegExp(`^${BULLET}(?:~~|<(?:del|s|strike)>)`, "iu");
const STRUCK_TO = /(?:~~|<\/(?:del|s|strike)>)[\s.!]*$/iu;

/** The end of a line is all that tells. */
const MOST_END = 40;
const MOST_BEGIN = 48;

/** @param line a sentence as it was typed, with the bullet before it */
export function isDone(line: string): boolean {
  const begin = line.slice(0, MOST_BEGIN);
  const end = line.slice(-MOST_END);
  return BEGINS.test(begin) || ENDS.test(end) || (STRUCK.test(begin) && STRUCK_TO.test(end));
}

/** What begins with a box to tick is a line of its own. */
const BOXED = new RegExp(`^${BULLET}(?:\\[[ xX✓✔-]?\\]|[☐☑✅✓✔❌✗✘▢□])`, "u");

/** The same sentences, cut where such a line begins; what introduces them does so for each. Linear. */
export function byBoxes(
  sentences: readonly Sentence[],
  tokens: readonly Token[],
  text: string,
): readonly Sentence[] {
  const cut: Sentence[] = [];
  const moved: number[] = [];
  for (const sentence of sentences) {
    const intro = sentence.intro === null ? null : (moved[sentence.intro] ?? null);
    moved.push(cut.length);
    const first = cut.length;
    // A line above boxes that is none itself introduces them.
    const above = intro ?? (isBoxed(tokens[sentence.from], text) ? null : first);
    let from = sentence.from;
    for (let at = sentence.from; at + 1 < sentence.to; at++) {
      if (tokens[at]?.kind !== "break" || !isBoxed(tokens[at + 1], text)) continue;
      cut.push({ from, to: at + 1, mark: "", intro: cut.length === first ? intro : above });
      from = at + 1;
    }
    cut.push({ ...sentence, from, intro: cut.length === first ? intro : above });
  }
  return cut;
}

function isBoxed(token: Token | undefined, text: string): boolean {
  return token !== undefined && BOXED.test(text.slice(token.start, token.start + 12));
}

/** A box to tick or a picture before the words says nothing about them. */
export const ORNAMENT = /^(?:\p{So}|\p{Sk}|\ufe0f|\u20e3|\u200d|\u200b)+$/u;
