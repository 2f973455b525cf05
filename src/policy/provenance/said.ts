/**
 * What a person typed, and what a quote of it is worth: whether it is there word for word, denied, asked, relayed or
 * conditional (the seed, "Evidence", "Role and condition"). Words are data.
 */

import { isHan, isWordCode } from "./characters.ts";
import { breaksWithin, type Heard, lineEnd, startsAt, within } from "./heard.ts";
import { deniesInChinese, hasNegation, isDenying } from "./negation.ts";
import { needleOf, searchable } from "./normal.ts";
import type { Span } from "./tokens.ts";

export { type Heard, hear } from "./heard.ts";
export { hasNegation, startsNegated } from "./negation.ts";

/** How a quote stands in what was typed, the best of its places: `clean`, or why it backs nothing. */
export type Standing = "clean" | "negated" | "question" | "absent";

/** A quote that stands in a message more often than this is looked at in its first places. */
const MOST_PLACES = 64;
const RANK: Readonly<Record<Standing, number>> = { clean: 3, negated: 2, question: 1, absent: 0 };

/** @param needle as `needleOf` makes it */
export function standingIn(heard: Heard, needle: string): Standing {
  let best: Standing = "absent";
  const denies = hasNegation(needle);
  let left = MOST_PLACES;
  for (let at = heard.text.indexOf(needle); at >= 0 && left > 0; at = heard.text.indexOf(needle, at + 1)) {
    left -= 1;
    if (cutsWord(heard.text, at, at + needle.length)) continue;
    const found = judgePlace(heard, { start: at, end: at + needle.length }, needle, denies);
    if (RANK[found] > RANK[best]) best = found;
    if (best === "clean") break;
  }
  return best;
}

function judgePlace(heard: Heard, place: Span, needle: string, denies: boolean): Standing {
  if (isGlued(heard, place)) return "absent";
  if (!denies && isDenied(heard, place.start)) return "negated";
  return needle.includes("?") || isAsked(heard, place.end) ? "question" : "clean";
}

/** Two parts of a message that no sentence joins: an unfinished line, and what stands below a blank one or in a list. */
function isGlued(heard: Heard, { start, end }: Span): boolean {
  // Who quotes all that was typed leaves nothing out.
  if (start === 0 && !/[\p{L}\p{N}]/u.test(heard.text.slice(end, end + 8))) return false;
  return breaksWithin(heard, start + 1, end).some(
    (at) => !/[^\p{L}\p{N}\s]\s*$/u.test(heard.text.slice(at - 3, at)),
  );
}

/** A quote may not cut a word in half, also not across `-`, `_`, `.`, `/` or `'`. */
function cutsWord(text: string, start: number, end: number): boolean {
  return (
    (isWord(text, start) && glued(text, start - 1, -1)) || (isWord(text, end - 1) && glued(text, end, 1))
  );
}

/** Whether the word goes on at `at`, in that direction. */
function glued(text: string, at: number, step: 1 | -1): boolean {
  if (isWord(text, at)) return true;
  return /^[-_./']$/.test(text.charAt(at)) && isWord(text, at + step);
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return !Number.isNaN(code) && isWordCode(code);
}

const END = /[.!?;\u3002]/;
/** Where sentences that hold a quote are looked for at most. */
const FARTHEST = 4000;

function endsSentence(text: string, at: number): boolean {
  const mark = text.charAt(at);
  if (!END.test(mark)) return false;
  if (mark === "\u3002" || mark === ";") return true;
  const next = text.charCodeAt(at + 1);
  if (mark === "!" || mark === "?") return Number.isNaN(next) || !isWordCode(next);
  return (
    (Number.isNaN(next) || next === 0x20 || next === 0x22 || next === 0x27 || next === 0x29) &&
    !/\b(?:e\.g|i\.e|etc|vs|no|approx|[a-z])$/.test(text.slice(Math.max(0, at - 7), at))
  );
}

/** Whether the sentence that a quote ends in was a question. */
function isAsked(heard: Heard, end: number): boolean {
  const { text } = heard;
  const line = lineEnd(heard, end + 1);
  const stop = Math.min(line, end + FARTHEST);
  const marks = new RegExp(END, "g");
  marks.lastIndex = end;
  for (let mark = marks.exec(text); mark !== null && mark.index < stop; mark = marks.exec(text))
    if (endsSentence(text, mark.index))
      return mark[0] === "?" || /[吗嗎]["'」』”]?$/.test(text.slice(Math.max(0, mark.index - 2), mark.index));
  // Without a mark it ends with its line, if that is near enough to be looked at.
  return stop === line && /[吗嗎]$/.test(text.slice(Math.max(0, line - FARTHEST), line).trimEnd());
}

/** Twelve words or six Chinese characters back (the seed, "No dropped negation"). */
const WORDS_BACK = 12;
const CHARACTERS_BACK = 6;
/** A word that begins further back may say that its last character denies nothing. */
const CONTEXT = 3;
/** What denies only right before a quote: `stop sending …`, `I'm against …`, 反对…. */
const OPPOSED =
  /(?:(?:^|[^\p{L}])(?:against|stop|quit|instead of|rather than|opposed to)(?: (?:the|a|an|our|this|that|any|all))?|反对|反對|停止|避免|以免|免得|防止|杜绝)\s*$/u;
const LONGEST_OPPOSED = 24;

/** Before the `t` of `don`t` and `don´t`. */
const CUT = /n ?[`']$/;

function isDenied(heard: Heard, start: number): boolean {
  const { text } = heard;
  if (within(heard, start)) return true;
  if (OPPOSED.test(text.slice(Math.max(0, start - LONGEST_OPPOSED), start))) return true;
  let words = 0;
  let characters = 0;
  let at = start - 1;
  const floor = Math.max(0, start - FARTHEST);
  const near: string[] = [];
  while (at >= floor && words < WORDS_BACK && characters <= CHARACTERS_BACK * 8) {
    if (
      startsAt(heard, at + 1) ||
      (at < start - 1 && endsSentence(text, at)) ||
      (at === start - 1 && END.test(text.charAt(at)))
    )
      break;
    const code = text.charCodeAt(at);
    if (isHan(code)) {
      characters += 1;
      if (characters <= CHARACTERS_BACK + CONTEXT) near.unshift(text.charAt(at));
      at -= 1;
    } else if (isWordCode(code)) {
      const end = at + 1;
      while (
        at > floor &&
        (isWordCode(text.charCodeAt(at - 1)) ||
          (text.charAt(at - 1) === "'" && isWordCode(text.charCodeAt(at - 2))))
      )
        at -= 1;
      words += 1;
      if (isDenying(text.slice(at, end)) || (text.slice(at, end) === "t" && CUT.test(text.slice(at - 3, at))))
        return true;
      at -= 1;
    } else at -= 1;
  }
  const from = Math.max(0, near.length - CHARACTERS_BACK);
  return near.length > 0 && deniesInChinese(near.join("") + text.slice(start, start + 2), near.length, from);
}

/** A Chinese character beyond the first plane. */
const isRare = (text: string): boolean => (text.codePointAt(0) ?? 0) >= 0x20000;

/** Short quotes count only as a whole message (the seed: fewer than four words, or characters). */
export function isShort(needle: string): boolean {
  let characters = 0;
  for (const one of needle) if (isHan(one.charCodeAt(0)) || isRare(one)) characters += 1;
  const words =
    needle
      .match(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu)
      ?.filter((word) => !isHan(word.charCodeAt(0)) && !isRare(word)).length ?? 0;
  return characters + words < 4;
}

/** Whether a quote is all that was typed. */
export const isWhole = (raw: string, needle: string): boolean => needleOf(raw) === needle;

const STOPWORDS = new Set(
  "the and for are but not you any can had was our out has him his her how its may who did she too that this with have from they will your what when were been than then them into also there their would could should which these those user owner please don doesn didn isn wasn won aren".split(
    " ",
  ),
);
const MOST_TOKENS = 4000;
/** Runs of Chinese, Japanese and Korean, beyond the first plane too, and words of other scripts. */
const RUNS =
  /(?<pairs>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u{20000}-\u{3ffff}]+)|(?:(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u{20000}-\u{3ffff}])[\p{L}\p{M}])+/gu;

/** Words of three letters or more without the commonest; pairs of Chinese characters. What a quote and its claim must share. */
export function contentTokens(text: string): Set<string> {
  const tokens = new Set<string>();
  const plain = searchable(text);
  for (const { 0: run, groups } of plain.matchAll(RUNS)) {
    if (tokens.size >= MOST_TOKENS) break;
    if (groups?.["pairs"] === undefined) {
      if (run.length >= 3 && !STOPWORDS.has(run)) tokens.add(run);
      continue;
    }
    let last = "";
    for (const character of run) {
      if (last !== "") tokens.add(last + character);
      last = character;
    }
  }
  return tokens;
}

export type SpeakerRole = "self" | "relayed" | "unknown";
export type Condition = "none" | "unresolved" | "unknown";

const SELF = /(?:^|[^\p{L}])(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|my|our)(?![\p{L}'])|我|咱|俺/u;
const DECIDES =
  "(?:decided|decides|chose|picked|selected|agreed|agrees|approved|approves|confirmed|confirms|rejected|vetoed|wants?|wanted|said|says|told|asked|insisted|insists|suggested|suggests|proposed|recommended|requested|ordered|signed off|ok'd|okayed|ruled|thinks?|thought|prefers|preferred|demanded|instructed|mentioned|wrote|promised|warned|advised|mandated|allowed|forbade|let us know)";
/** Somebody else and their verb: a name, a pronoun, a role, with a few words between at most. */
const OTHER = new RegExp(
  `(?:^|[.!?;,:]\\s*|\\b(?:and|but|because|since|so|that|as|if|when|while|then)\\s+)(?!(?:i|we|you|please|let's|let)\\b)(?:the |my |our |his |her |their |a |an )?[\\p{L}][\\p{L}'-]*(?: (?:from|of|in|at|and|&) (?:the |our |my )?[\\p{L}'-]+| [\\p{L}'-]+)?\\s+(?:(?:has|have|had|just|already|also|finally|explicitly|yesterday|today)\\s+)?${DECIDES}(?![\\p{L}'])`,
  "u",
);
const OTHER_CHINESE =
  /(?:他|她|他们|老板|老闆|经理|主管|领导|客户|财务|法务|同事|老婆|老公|妈|爸|产品|房东|物业|[\u4e00-\u9fff]总|小[\u4e00-\u9fff]|老[\u4e00-\u9fff]|[a-z]{2,12}\s?)(?:那边|已经|已|刚|刚才|昨天|今天|也)?(?:决定|说|同意|批准|要求|确认|拍板|让|否决|拒绝|建议|提议|选了|定了|觉得|认为|答应|希望|表示)/u;
const OWN_DECISION =
  /(?:^|[^\p{L}])(?:i|we)(?:'m|'ve|'d|'ll|'re)?\s+(?:[\p{L}]+\s+){0,2}?(?:agree|agreed|decided|decide|chose|choose|approve|approved|confirm|confirmed|want|ok|okay|accept|accepted|reject|rejected|pick|picked|go|going|say|support|second|prefer)(?![\p{L}])|我(?:也|们)?(?:都|已经|完全|还是)?(?:同意|决定|批准|确认|要|支持|赞成|选|拍板|定)/u;

/** Who decides in the quote, read from it alone. A wrong `relayed` would hide the user's decision, so doubt is `unknown`. */
export function roleOf(quote: string): SpeakerRole {
  const text = searchable(quote);
  const relayed = OTHER.test(text) || OTHER_CHINESE.test(text);
  if (relayed) return OWN_DECISION.test(text) ? "unknown" : "relayed";
  return SELF.test(text) ? "self" : "unknown";
}

const CONDITIONAL =
  /(?:^|[^\p{L}])(?:only if|unless|as long as|so long as|provided that|on (?:the )?condition that)(?![\p{L}])|只要|除非|前提是|条件是/u;

/** Whether a condition is named. Nobody here can see whether it was met. */
export function conditionOf(quote: string): Condition {
  return CONDITIONAL.test(searchable(quote)) ? "unresolved" : "none";
}
