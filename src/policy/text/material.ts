/**
 * What a person puts below their own words without a mark that would close it: lines of a chat, a log, a table, or the
 * text of which they ask for a summary. It cannot be told for sure whose words these are, so they ask for nothing, while
 * what they forbid is still asked about.
 */
import { type ChatLine, speakerOf, timedLine } from "./chat.ts";
import { isLabelled } from "./harness.ts";
import {
  goesOn,
  inlineMaterial,
  introducesMaterial,
  introducesOrders,
  opensWork,
  resumes,
} from "./intros.ts";
import { evenLines, lineEnd } from "./lines.ts";
import { mayBeginMail } from "./mail.ts";
import { cellsOf, isCode, isOwnField, type RecordLine, recordLine, ruleMark } from "./records.ts";
import type { DataSpan } from "./spans.ts";

/** From `start` up to, not with, `end`; begins where a line does, or behind a colon. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

interface Line extends Part {
  /** Its beginning; nothing is told from more of it. */
  readonly text: string;
  /** The same, with nothing but spaces where something is quoted. */
  readonly said: string;
  readonly isBlank: boolean;
  /** It begins inside a data position. */
  readonly isShown: boolean;
}

const LONGEST_LOOK = 300;
/** Words below a chat that say what stands above them. */
const SPOKEN =
  /\b(?:chats?|convo|conversation|thread|transcript|dialog(?:ue)?|exchange|discussion|chat log|unterhaltung|gespräch|chatverlauf|conversación|charla|diálogo)\b|对话|聊天|讨论/i;
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])[ \t]/;
const INDENTED = /^(?: {4,}|\t+| +\t)\S/;

/** In order, none overlapping another. Total and linear. @param spans the data positions of the text */
export function materialIn(typed: string, spans: readonly DataSpan[]): Part[] {
  return new Reader(evenLines(typed), spans).read();
}

class Reader {
  readonly #lines: readonly Line[];
  readonly #parts: Part[] = [];
  /** The last line of the person's own, and whether there is one. */
  #own = "";
  #hasOwn = false;
  /** Something stands above, be it the person's own or not. */
  #begun = false;
  /** The line before is blank, or none is. */
  #apart = true;
  #inList = false;
  #asked: boolean | null = null;
  /** The last rule of each mark. */
  #rules: Map<string, number> | null = null;
  /** Up to here the fields are the person's own. */
  #ownFields = 0;

  constructor(text: string, spans: readonly DataSpan[]) {
    this.#lines = linesOf(text, spans);
  }

  read(): Part[] {
    for (let at = 0; at < this.#lines.length; ) {
      const line = this.#lines[at];
      if (line === undefined) break;
      if (line.isBlank || line.isShown) {
        this.#apart = line.isBlank;
        at += 1;
        continue;
      }
      const to = this.#blockAt(at, line);
      if (to > at) {
        this.#take(at, to);
        // A text that was announced goes on below a chat or a log; a closed block ends it.
        if (this.#isAnnounced() && !this.#isClosed(line)) return this.#rest(to);
        this.#apart = false;
        at = to;
        continue;
      }
      // A message that is nothing but a table or a list of names is the person's own.
      this.#hasOwn ||=
        recordLine(line.text) !== "row" && recordLine(line.text) !== "rule" && speakerOf(line.text) === null;
      this.#begun = true;
      this.#own = line.said;
      this.#inList = ITEM.test(line.text) || (this.#inList && (INDENTED.test(line.text) || !this.#apart));
      this.#apart = false;
      const inline = inlineMaterial(line.said);
      if (inline >= 0 && /^[ \t]*[\p{L}\p{N}]/u.test(line.text.slice(inline))) {
        this.#parts.push({ start: line.start + inline, end: this.#paragraphEnd(at) });
        at = this.#paragraphFrom(at);
        continue;
      }
      const next = this.#nextFilled(at + 1);
      if (this.#isIntroduced(line.said, next) && this.#blockAt(next, this.#lines[next]) === next)
        return this.#rest(at + 1);
      at += 1;
    }
    return this.#parts;
  }

  /** The person's words say that what follows is shown; what already stands in a data position needs no more. */
  #isIntroduced(own: string, next: number): boolean {
    const below = this.#lines[next];
    if (below === undefined || below.isShown || !introducesMaterial(own)) return false;
    return /[:：]\s*$/.test(own) || !goesOn(below.text);
  }

  #isAnnounced(): boolean {
    return this.#hasOwn && (introducesMaterial(this.#own) || (opensWork(this.#own) && this.#talksOfChat()));
  }

  #isClosed({ text }: Line): boolean {
    const kind = recordLine(text);
    return kind === "rule" || kind === "row" || INDENTED.test(text);
  }

  /** Everything from a line on, up to where the person comes back to it. */
  #rest(from: number): Part[] {
    let to = this.#lines.length;
    for (let at = this.#lines.length - 1; at > from; at--) {
      const line = this.#lines[at];
      if (line === undefined || line.isBlank || this.#lines[at - 1]?.isBlank !== true) continue;
      // Only the last paragraph is looked at.
      if (resumes(line.text)) to = at;
      break;
    }
    this.#take(from, to);
    return this.#parts;
  }

  #take(from: number, to: number): void {
    const start = this.#lines[from]?.start;
    const end = this.#lines[to - 1]?.end;
    if (start === undefined || end === undefined || end <= start) return;
    const last = this.#parts.at(-1);
    if (last !== undefined && last.end + 1 >= start)
      this.#parts[this.#parts.length - 1] = { start: last.start, end };
    else this.#parts.push({ start, end });
  }

  /** Behind the last line of the block that begins at a line; the line itself where none does. */
  #blockAt(at: number, line: Line | undefined): number {
    if (line === undefined || line.isBlank || line.isShown) return at;
    const opened = this.#openedBy(at, line);
    if (opened > at || (!this.#hasOwn && !this.#isAskedAbout(at))) return opened;
    const kind = recordLine(line.text);
    if (kind === "rule") return this.#ruled(at, line);
    const chat = this.#chatAt(at, line);
    if (chat !== null) return this.#chatEnd(at);
    if (introducesOrders(this.#own)) return at;
    if (kind === "log" || (isCode(line.text) && this.#asks())) return this.#paragraphFrom(at);
    if (kind !== null) return this.#records(at, kind, line);
    if (INDENTED.test(line.text) && this.#apart && !this.#inList && !ITEM.test(line.text))
      return this.#indentedEnd(at);
    return at;
  }

  /** A label in brackets, a sender, `> 40 EUR …`: more often somebody else's than the person's own. */
  #openedBy(at: number, { text }: Line): number {
    if (isLabelled(text)) return /[:：][ \t]*$/.test(text) ? this.#lines.length : this.#paragraphFrom(at);
    if (/^[ \t]*>[ \t]*\d/.test(text)) return at + 1;
    const below = this.#lines[at + 1];
    if (this.#hasOwn && mayBeginMail(text, below?.isBlank === true)) return this.#lines.length;
    return at;
  }

  /** A chat above everything else is one when the words below it ask about it. */
  #isAskedAbout(at: number): boolean {
    if (this.#begun) return false;
    this.#asked ??= this.#lines.some(
      ({ text, isBlank }, index) =>
        !isBlank &&
        this.#lines[index - 1]?.isBlank === true &&
        (/[?？]\s*$/.test(text) || SPOKEN.test(text)) &&
        speakerOf(text) === null,
    );
    const next = this.#lines[at + 1];
    const [here, below] = [this.#lines[at], next];
    return (
      this.#asked &&
      here !== undefined &&
      (timedLine(here.text) !== null ||
        (speakerOf(here.text) !== null && below !== undefined && speakerOf(below.text) !== null))
    );
  }

  #chatAt(at: number, { text }: Line): ChatLine | null {
    const timed = timedLine(text);
    if (timed === "stamp") return this.#lines[at + 1]?.isBlank === false ? timed : null;
    if (timed !== null) return timed;
    const speaker = speakerOf(text);
    if (speaker === null || introducesOrders(this.#own)) return null;
    if (speaker.isSure && /[:：]|^[ \t]*[[【]/.test(text.slice(0, 90))) return "said";
    // A nick in small letters, a dash: one more such line, or words about a chat, make it one.
    return this.#talksOfChat() || opensWork(this.#own) || this.#hasSpeaker(at + 1) || this.#hasSpeaker(at - 1)
      ? "said"
      : null;
  }

  #hasSpeaker(at: number): boolean {
    const line = this.#lines[at];
    return line !== undefined && !line.isShown && !line.isBlank && speakerOf(line.text) !== null;
  }

  /** The person's last words ask for nothing but an answer. */
  #asks(): boolean {
    return /[?？]\s*$/.test(this.#own) || opensWork(this.#own);
  }

  #talksOfChat(): boolean {
    return /\b(?:chats?|convo|conversation|thread|channel|messages?|discussion|dialog(?:ue)?|minutes|decide\w*|decisions?|reviews?|said|says|wants?|argu\w+|transcript|meeting|log|happened|unterhaltung|gespräch|verlauf|conversación|charla)\b|对话|聊天|群|讨论|会议/i.test(
      this.#own,
    );
  }

  /** A paragraph that begins with what somebody says belongs to the chat, and so does the next one that does. */
  #chatEnd(at: number): number {
    let to = this.#paragraphFrom(at);
    for (;;) {
      const next = this.#nextFilled(to);
      const line = this.#lines[next];
      if (
        line === undefined ||
        line.isShown ||
        (timedLine(line.text) === null && speakerOf(line.text) === null)
      )
        return this.#withoutResumption(at, to);
      to = this.#paragraphFrom(next);
    }
  }

  #withoutResumption(from: number, to: number): number {
    const last = this.#lines[to - 1];
    return to - 1 > from && last !== undefined && resumes(last.text) ? to - 1 : to;
  }

  #records(at: number, kind: RecordLine, line: Line): number {
    if (at < this.#ownFields) return at;
    let to = at;
    let own = 0;
    for (; to < this.#lines.length; to++) {
      const one = this.#lines[to];
      if (one === undefined || one.isBlank || one.isShown) break;
      const is = recordLine(one.text);
      if (kind === "cells" ? cellsOf(one.text) !== cellsOf(line.text) : is !== kind) {
        // What is set deeper belongs to the setting above it.
        if (kind !== "field" || !/^[ \t]+\S/.test(one.text)) break;
      }
      if (kind === "field" && isOwnField(one.text)) own += 1;
    }
    const count = to - at;
    if (kind === "row") return to;
    if (kind === "cells" && count < 2) return cellsOf(line.text) > 3 && opensWork(this.#own) ? to : at;
    if (count < 2)
      return kind === "field" && /^[ \t]*[[{]/.test(line.text) && /["']?\s*:/.test(line.text) ? to : at;
    if (kind !== "field" || own < count || this.#isAnnounced()) return to;
    this.#ownFields = to;
    return at;
  }

  /** Between two rules of one mark, the last of which ends what the first one opens. */
  #ruled(at: number, line: Line): number {
    const mark = ruleMark(line.text);
    const above = this.#lines[at - 1];
    const last = this.#lastRule(mark);
    const isHeading =
      above !== undefined &&
      !above.isBlank &&
      !above.isShown &&
      /[-=]/.test(mark) &&
      !this.#endsBlock(last, at);
    const isIntroduced = introducesMaterial(this.#own);
    const shows = isIntroduced || opensWork(this.#own);
    if (introducesOrders(this.#own) || (isHeading && !shows)) return at;
    if (last > at) {
      // `A --- B --- C`, each with its blank lines, is how a person sets tasks apart.
      const isParted = this.#apart && this.#lines[at + 1]?.isBlank === true;
      return isParted && !shows && !/[?？]\s*$/.test(this.#own) ? at : last + 1;
    }
    return isIntroduced ? this.#lines.length : at;
  }

  /** The rule below a block, and not one that makes a heading of the line above it. */
  #endsBlock(at: number, first: number): boolean {
    const [above, over] = [this.#lines[at - 1], this.#lines[at - 2]];
    if (at <= first + 1 || above === undefined) return false;
    return above.isBlank || over?.isBlank !== true || /[.!?。！？]\s*$/.test(above.text);
  }

  #lastRule(mark: string): number {
    if (this.#rules === null) {
      this.#rules = new Map();
      for (const [at, { text, isShown }] of this.#lines.entries())
        if (!isShown && recordLine(text) === "rule") this.#rules.set(ruleMark(text), at);
    }
    return this.#rules.get(mark) ?? -1;
  }

  #indentedEnd(at: number): number {
    let to = at;
    for (let next = at; next < this.#lines.length; next++) {
      const line = this.#lines[next];
      if (line === undefined || line.isShown || (!line.isBlank && !INDENTED.test(line.text))) break;
      if (!line.isBlank) to = next + 1;
    }
    return to;
  }

  /** The first line that is blank from a line on, or the end. */
  #paragraphFrom(at: number): number {
    let to = at;
    while (to < this.#lines.length && this.#lines[to]?.isBlank === false) to += 1;
    return to;
  }

  #paragraphEnd(at: number): number {
    return this.#lines[this.#paragraphFrom(at) - 1]?.end ?? 0;
  }

  #nextFilled(from: number): number {
    let at = from;
    while (this.#lines[at]?.isBlank === true) at += 1;
    return at;
  }
}

function linesOf(text: string, spans: readonly DataSpan[]): Line[] {
  const lines: Line[] = [];
  let next = 0;
  for (let start = 0; start <= text.length; ) {
    const end = lineEnd(text, start);
    const words = text.slice(start, Math.min(end, start + LONGEST_LOOK));
    const first = start + (words.length - words.trimStart().length);
    while (next < spans.length && (spans[next]?.end ?? 0) <= first) next += 1;
    const span = spans[next];
    const isInline = span?.kind === "quote" || span?.kind === "code";
    const isShown = span !== undefined && span.start <= first && !(isInline && span.end < end);
    const isBlank = words.trim() === "" && end - start <= LONGEST_LOOK;
    lines.push({ start, end, text: words, said: unquotedPart(words, start, spans, next), isBlank, isShown });
    start = end + 1;
  }
  return lines;
}

/** The line with its quotations blanked out, unit for unit. @param from the first span that may lie in it */
function unquotedPart(line: string, start: number, spans: readonly DataSpan[], from: number): string {
  let said = line;
  for (let at = from; at < spans.length; at++) {
    const span = spans[at];
    if (span === undefined || span.start >= start + line.length) break;
    const [first, last] = [Math.max(0, span.start - start), Math.min(line.length, span.end - start)];
    said = said.slice(0, first) + " ".repeat(last - first) + said.slice(last);
  }
  return said;
}

/** Whether an offset lies in one of them. */
export function isMaterial(parts: readonly Part[], at: number): boolean {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return (parts[low]?.start ?? Number.POSITIVE_INFINITY) <= at;
}
