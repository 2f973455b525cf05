/**
 * Typed text -> tokens with offsets. Addresses, links, paths, sums and ids stay whole, since only a whole token is a
 * name (CONVENTIONS §4); what stands in a data position becomes one token that no table of words can see into.
 */
import { foldText, SILENT } from "./fold.ts";
import { endOfHanName, endOfPath, startsPath } from "./han-names.ts";
import { classify, type TokenKind } from "./kinds.ts";
import { evenBreaks } from "./lines.ts";
import type { Part } from "./material.ts";
import type { DataSpan } from "./spans.ts";

export type { TokenKind } from "./kinds.ts";

/** One token. `text` is folded; offsets are UTF-16 units of the text as typed. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Joined to the token before by a hyphen. */
  readonly glued?: true;
}

const HAN = /[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
/** What ends a chunk of letters. A comma between digits, and what a link may hold, do not. */
const STOP = /[\s"()[\]{}<>|*¿¡]/;
const TRAILING = /[.,;:!?'’]/;
/** A bracket at the end of a link that none in it opens. */
const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** How far a path goes on over letters that need no space. */
const MOST_PATH = 160;
/** Longer chunks are no names and no words. */
const MOST_CHUNK = 2048;
/** Characters without a space or a mark that are kept in one token. */
const MOST_HAN = 256;

/**
 * Total and linear. @param spans the data positions of the text, in order
 * @param parts what else is shown in it (`materialIn`): a sentence goes neither in nor out of one
 */
export function tokenize(text: string, spans: readonly DataSpan[], parts: readonly Part[] = []): Token[] {
  const folded = foldText(evenBreaks(text));
  const borders = new Set(parts.flatMap(({ start, end }) => [start, end]));
  const tokens: Token[] = [];
  let next = 0;
  let at = 0;
  while (at < text.length) {
    const span = spans[next];
    if (span !== undefined && span.start <= at) {
      const inline = span.kind === "quote" || span.kind === "code";
      const inner = folded.slice(span.inner.start, span.inner.end);
      tokens.push({
        kind: inline ? "quoted" : "data",
        text: inline ? inner.slice(0, MOST_CHUNK) : "",
        start: span.start,
        end: span.end,
      });
      at = span.end;
      next += 1;
      continue;
    }
    const stop = span?.start ?? text.length;
    const character = folded.charAt(at);
    if (character === "\n" || borders.has(at)) at = lineBreak(folded, at, stop, tokens, borders);
    else if (/[\s\u200b]/.test(character)) at += 1;
    else if (HAN.test(character)) at = han(text, folded, at, stop, tokens);
    else at = chunk(text, folded, at, stop, tokens);
  }
  return tokens;
}

function lineBreak(folded: string, at: number, stop: number, tokens: Token[], borders: Set<number>): number {
  let end = at;
  let lines = borders.has(at) ? 2 : 0;
  while (end < stop && /\s/.test(folded.charAt(end))) {
    if (folded.charAt(end) === "\n") lines += 1;
    end += 1;
    if (borders.has(end)) lines += 2;
  }
  // Also without a space, behind `：`, a border ends the sentence; it is passed once.
  borders.delete(at);
  tokens.push({ kind: "break", text: lines > 1 ? "\n\n" : "\n", start: at, end });
  return end;
}

function han(text: string, folded: string, at: number, stop: number, tokens: Token[]): number {
  let end = at;
  while (end < stop && end - at < MOST_HAN && HAN.test(folded.charAt(end))) end += 1;
  // `旧版.docx`, `资料/旧版`: the letters are the beginning of a name, behind whatever leads up to it.
  if (end < stop && /[./]/.test(folded.charAt(end)) && !isMark(text.charCodeAt(end))) {
    const name = endOfHanName(folded, at, end, stop);
    if (name !== null) {
      if (name.from > at)
        tokens.push({ kind: "han", text: folded.slice(at, name.from), start: at, end: name.from });
      tokens.push({
        kind: name.kind,
        text: folded.slice(name.from, name.to),
        start: name.from,
        end: name.to,
      });
      return name.to;
    }
  }
  tokens.push({ kind: "han", text: folded.slice(at, end), start: at, end });
  return end;
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)/;

/** `+1 (555) 555-0188` is one number, gaps and all. */
const PHONE = /\+\d[\d().\s-]{5,24}\d(?![\w])/y;

function chunk(text: string, folded: string, at: number, stop: number, tokens: Token[]): number {
  if (folded.charAt(at) === "+") {
    PHONE.lastIndex = at;
    const phone = PHONE.exec(folded)?.[0];
    if (phone !== undefined && at + phone.length <= stop && !phone.includes("\n")) {
      tokens.push({ kind: "phone", text: phone, start: at, end: at + phone.length });
      return at + phone.length;
    }
  }
  const isLink = SCHEME.test(folded.slice(at, at + 32));
  let end = at;
  while (end < stop) {
    const one = folded.charAt(end);
    if (HAN.test(one)) {
      // A path goes on over letters that need no space; what is no path ends here.
      if (
        isLink ||
        (end === at + 1 && HAN.test(folded.charAt(at - 1))) ||
        !startsPath(folded.slice(at, Math.min(end, at + MOST_CHUNK)))
      )
        break;
      const rest = pathOverHan(text, folded, at, end, stop);
      if (rest === end) break;
      put(folded, at, rest, tokens);
      return rest;
    }
    if (isLink ? /[\s"<>`]/.test(one) : STOP.test(one) && !isInside(folded, at, end)) break;
    if (!isLink && /[,;!?]/.test(one) && !isBetweenDigits(folded, end)) break;
    // Full-width marks and long dashes end a word even where no space follows.
    if (isMark(text.charCodeAt(end)) && !isBetweenDigits(folded, end)) break;
    end += 1;
  }
  if (end === at) {
    const mark = folded.charAt(at);
    tokens.push({ kind: "punct", text: mark, start: at, end: at + 1 });
    return at + 1;
  }
  let core = end;
  while (core > at + 1 && TRAILING.test(folded.charAt(core - 1))) core -= 1;
  if (isLink) core = linkEnd(folded, at, core);
  // `notes.txt- it is old`: a dash in a hurry.
  else if (core > at + 2 && folded.charAt(core - 1) === "-" && /[^-\s]/.test(folded.charAt(core - 2)))
    core -= 1;
  const glue = gluedSentence(text, at, core);
  if (glue > 0) {
    put(folded, at, glue, tokens);
    tokens.push({ kind: "punct", text: ".", start: glue, end: glue + 1 });
    return glue + 1;
  }
  if (core - at === 1 && /[.:;!?'-]/.test(folded.charAt(at))) {
    const spaced = /\s/.test(folded.charAt(at - 1) || " ") && /\s/.test(folded.charAt(at + 1));
    const here = spaced && folded.charAt(at) === "." && at > 0 && folded.charAt(at - 1) === " ";
    tokens.push({ kind: here ? "path" : "punct", text: folded.charAt(at), start: at, end: at + 1 });
  } else put(folded, at, core, tokens);
  for (let mark = core; mark < end; mark++)
    tokens.push({ kind: "punct", text: folded.charAt(mark), start: mark, end: mark + 1 });
  return end;
}

/** `a*b`: a star between letters joins them, unless it sets words off. */
const isInside = (folded: string, at: number, end: number): boolean =>
  folded.charAt(end) === "*" &&
  end > at &&
  folded.charAt(at - 1) !== "*" &&
  /[\p{L}\p{N}]/u.test(folded.charAt(end - 1)) &&
  /[\p{L}\p{N}~$@]/u.test(folded.charAt(end + 1));

/** `(see https://a.example/b).`: the bracket around a link is no part of it. */
function linkEnd(folded: string, at: number, end: number): number {
  const surplus = new Map<string, number>();
  let to = end;
  for (; to > at + 1; to--) {
    const one = folded.charAt(to - 1);
    const opens = CLOSERS[one];
    if (opens === undefined) {
      if (to === end || !TRAILING.test(one)) break;
      continue;
    }
    const left = surplus.get(one) ?? surplusOf(folded.slice(at, end), opens, one);
    if (left <= 0) break;
    surplus.set(one, left - 1);
  }
  return to;
}

const surplusOf = (text: string, opens: string, closes: string): number =>
  text.split(closes).length - text.split(opens).length;

/** Where a path that has come to such letters ends; `end` where they are no part of it. */
function pathOverHan(text: string, folded: string, at: number, end: number, stop: number): number {
  let to = end;
  while (to < stop && to - end < MOST_PATH && !STOP.test(folded.charAt(to)) && !isMark(text.charCodeAt(to))) {
    const one = folded.charAt(to);
    if (/[,;!?'`]/.test(one)) break;
    to += 1;
  }
  while (to > end && TRAILING.test(folded.charAt(to - 1))) to -= 1;
  return endOfPath(folded, at, end, to);
}

const isMark = (unit: number): boolean =>
  (unit >= 0x2012 && unit <= 0x2015) ||
  unit === 0x2026 ||
  (unit >= 0x3001 && unit <= 0x3003) ||
  (unit >= 0xff01 && unit <= 0xff0f) ||
  (unit >= 0xff1a && unit <= 0xff20);

const isBetweenDigits = (folded: string, at: number): boolean =>
  /\d/.test(folded.charAt(at - 1)) && /\d/.test(folded.charAt(at + 1));

/** `www.site.com.They sent`: a full stop without a space behind it, when a capital follows a known ending. */
function gluedSentence(text: string, start: number, end: number): number {
  if (end - start > MOST_CHUNK) return 0;
  const found = /\.(?:com|org|net|io|dev|txt|md|pdf|csv|json)(\.)(?:[A-Z][a-z]+|I)$/.exec(
    text.slice(start, end),
  );
  return found === null ? 0 : start + found.index + found[0].lastIndexOf(".");
}

const JOINTS = /[-/+=~^_&*]+/;
/** Kinds that are names by their shape; numbers, sums and ids may be joined and stay what they are. */
const NAMES: ReadonlySet<string> = new Set([
  "email",
  "url",
  "host",
  "path",
  "file",
  "handle",
  "channel",
  "phone",
]);

function put(folded: string, start: number, end: number, tokens: Token[]): void {
  const raw = folded.slice(start, Math.min(end, start + MOST_CHUNK));
  const text = raw.includes(SILENT) ? raw.replaceAll(SILENT, "") : raw;
  if (text === "") return;
  const kind = end - start > MOST_CHUNK ? "other" : classify(text);
  if (kind !== "words") {
    tokens.push({ kind, text, start, end });
    return;
  }
  if (/^[-/+=~^_&*]+$/.test(text)) {
    tokens.push({ kind: "punct", text: text.charAt(0), start, end });
    return;
  }
  const joined = joinedKind(text);
  if (joined !== null) {
    tokens.push({ kind: joined, text, start, end });
    return;
  }
  // `read-only` is two words, joined; so is `and/or`.
  let at = start;
  for (const part of folded.slice(start, end).split(JOINTS)) {
    const from = folded.indexOf(part, at);
    const word = part.replaceAll(SILENT, "");
    if (word !== "") {
      const clean = word.replace(/^'+|'+$/g, "");
      const inner = classify(clean);
      tokens.push({
        kind: inner === "words" ? "word" : inner,
        text: clean === "" ? word : clean,
        start: from,
        end: from + part.length,
        ...(from > start ? { glued: true as const } : {}),
      });
    }
    at = from + part.length;
  }
}

/** What hyphens and their like join into one name: `notes.txt~` and `eve=bob@acme.example` name neither part. */
function joinedKind(text: string): TokenKind | null {
  const parts = text.split(JOINTS).filter((part) => part !== "");
  if (parts.length === 1 && text.length === parts[0]?.length) return null;
  const kinds = parts.map((part) => classify(part));
  if (!kinds.some((kind) => NAMES.has(kind))) return null;
  return kinds[0] === "file" && /^[\p{L}\p{N}_.~+^-]+$/u.test(text) ? "file" : "other";
}
