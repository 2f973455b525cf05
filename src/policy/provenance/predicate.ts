/** From a subject to its verb: what may stand between them, and what between them says that nothing was decided. */
import type { Needs, Reading } from "./reading.ts";
import { isMonth } from "./subjects.ts";
import { Kind, type Token } from "./tokens.ts";
import { Role, type VerbForm } from "./words/index.ts";

export interface Predicate {
  readonly form: VerbForm;
  /** Index of the verb's word, and where its wording ends. */
  readonly verb: number;
  readonly end: number;
  readonly needs: Needs;
}

export interface Manner {
  /** `as the user asked`, 按用户说的. */
  readonly as: boolean;
  /** `we agreed`. */
  readonly joint: boolean;
  /** `it was the owner who …`. */
  readonly cleft: boolean;
}

/** As many words as may stand between a subject and its verb. */
const FARTHEST = 28;
/** As many words as a remark between two commas or dashes may have. */
const LONGEST_REMARK = 12;

/** The verb of the subject before `from`; `null` when there is none, or when it is denied, guessed or still to come. */
export function predicateOf(
  reading: Reading,
  from: number,
  subject: Token,
  manner: Manner,
): Predicate | null {
  let be = false;
  let did = false;
  let perfect = false;
  let as = manner.as;
  const needs: number[] = [];
  for (let at = from; at < from + FARTHEST; ) {
    const token = reading.at(at);
    if (token === undefined) return null;
    const { roles } = token;
    if ((roles & Role.Verb) !== 0) {
      const found = formOf(
        reading,
        at,
        be ? "be" : did ? "did" : as ? "as" : manner.joint ? "joint" : perfect ? "perfect" : "plain",
      );
      if (found !== null)
        return isSequel(reading, from, at) ? null : { form: found.form, verb: at, end: found.end, needs };
    }
    if (isMonth(reading, at)) {
      at += 1;
      continue;
    }
    if ((roles & (Role.Negation | Role.Modal | Role.Hedge | Role.Condition)) !== 0) return null;
    if ((roles & Role.Be) !== 0) {
      be = true;
      at += 1;
      continue;
    }
    // `User 42`: one of many.
    if (
      token.kind === Kind.number &&
      at === from &&
      !(reading.isHan(at - 1) && /^[年月日号號点點]/.test(reading.text(at + 1)))
    )
      return null;
    if ((roles & (Role.Perfect | Role.Filler | Role.Time)) !== 0) {
      if ((roles & Role.Perfect) !== 0) perfect = true;
      at += 1;
      continue;
    }
    const skipped = skip(reading, at, from, manner);
    if (skipped > at) {
      if (reading.text(at) === "did") did = true;
      at = skipped;
      continue;
    }
    // 按用户的要求: what belongs to the user is what they said.
    if (as && reading.text(at) === "的") {
      at += 1;
      continue;
    }
    if (as && token.kind !== Kind.mark && at > from) as = false;
    if (token.quote >= 0 && token.quote !== subject.quote) {
      needs.push(token.quote);
      const { quote } = token;
      while (reading.at(at)?.quote === quote) at += 1;
      continue;
    }
    return null;
  }
  return null;
}

/** 老板就批准, 用户先确认, 一律批准: what follows each time, unless it has happened. */
const SEQUELS = /^(?:先|就|便|即|一律)$/;

function isSequel(reading: Reading, from: number, verb: number): boolean {
  if (!reading.isHan(verb)) return false;
  for (let at = from; at < verb; at++)
    if (SEQUELS.test(reading.text(at)) || (at === verb - 1 && reading.text(at) === "一")) {
      const end = reading.at(verb)?.end ?? 0;
      return !/[了过]/.test(reading.lower.slice(end - 1, end + 1));
    }
  return false;
}

type Before = "plain" | "be" | "did" | "perfect" | "as" | "joint";

/** The first wording that fits the verb at `at`. */
export function formOf(reading: Reading, at: number, before: Before): { form: VerbForm; end: number } | null {
  const token = reading.at(at);
  if (token === undefined) return null;
  for (const form of token.verbs) {
    const wanted = form.after ?? "plain";
    if (wanted !== before && !(wanted === "plain" && (before === "as" || before === "perfect"))) continue;
    if (form.unless !== undefined && matches(form.unless, reading, token.end)) continue;
    if (form.follows === undefined) return { form, end: token.end };
    const end = ending(form.follows, reading, token.end);
    if (end >= 0) return { form, end };
  }
  return null;
}

function matches(pattern: RegExp, reading: Reading, at: number): boolean {
  return ending(pattern, reading, at) >= 0;
}

function ending(pattern: RegExp, { lower, end }: Reading, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(lower) && pattern.lastIndex <= end ? pattern.lastIndex : -1;
}

/** Where a phrase ends that changes nothing: `on Monday`, `(Dana)`, `, after a long talk,`, `and I`, 在群里. */
function skip(reading: Reading, at: number, from: number, manner: Manner): number {
  const token = reading.at(at);
  if (token === undefined) return at;
  const { roles } = token;
  // `user(s)`: many.
  if ((roles & Role.Open) !== 0)
    return at === from && reading.touches(at - 1) && reading.text(at + 1) === "s"
      ? at
      : reading.closing(at) + 1;
  if ((roles & (Role.Comma | Role.Dash)) !== 0) return remarkEnd(reading, at, from);
  if ((roles & Role.Preposition) !== 0) return phraseEnd(reading, at);
  // `User: decided to …` opens a line.
  if ((roles & Role.Colon) !== 0)
    return at === from && at <= 2 && !reading.isHan(at - 1) && reading.has(at + 1, Role.Verb) ? at + 1 : at;
  const text = reading.text(at);
  if (text === "did" || text === "do") return at + 1;
  if (text === "who" || text === "that") return manner.cleft && at === from ? at + 1 : at;
  if ((text === "and" || text === "&") && at === from) return conjunctEnd(reading, at);
  // `two weeks ago`.
  if (
    COUNT.test(text) &&
    reading.has(at + 1, Role.Time) &&
    /^(?:ago|later|before)$/.test(reading.text(at + 2))
  )
    return at + 3;
  if (text === "last" || text === "this" || text === "next" || text === "that") return timeEnd(reading, at);
  if (text === "在" || text === "对" || text === "通过" || text === "就") return placeEnd(reading, at);
  if (at === from && reading.isHan(at)) {
    const end = afterEnd(reading, at);
    if (end > at) return end;
  }
  // 用户 Dana 批准了: a name in another script.
  const isName = token.kind === Kind.word && roles === 0 && token.end - token.start > 1;
  if (at === from && isName && !reading.isHan(at) && reading.isHan(at - 1))
    return reading.isHan(at + 1) ? at + 1 : at;
  return at;
}

/** `, when asked,` and `— after two calls —`: up to the same mark, if a verb can follow. */
function remarkEnd(reading: Reading, at: number, from: number): number {
  if (at - from > 3) return at;
  const mark = reading.has(at, Role.Comma) ? Role.Comma : Role.Dash;
  for (let next = at + 1; next <= at + LONGEST_REMARK; next++) {
    if (reading.at(next) === undefined || reading.has(next, Role.Subject | Role.Colon)) return at;
    if (!reading.has(next, mark)) continue;
    const after = reading.roles(next + 1);
    const follows = Role.Verb | Role.Filler | Role.Perfect | Role.Time;
    return (after & follows) !== 0 ? next + 1 : at;
  }
  return at;
}

/** `on Monday`, `in the call`, `by email`, `over lunch`: ends with a time or a place where things are said. */
function phraseEnd(reading: Reading, at: number): number {
  let end = at;
  for (let next = at + 1; next <= at + 6; next++) {
    const roles = reading.roles(next);
    if ((roles & (Role.Time | Role.Medium)) !== 0 || isMonth(reading, next)) {
      end = next + 1;
      continue;
    }
    const text = reading.text(next);
    const goes =
      (roles & (Role.Determiner | Role.Preposition | Role.Filler)) !== 0 ||
      /^(?:a|an|this|that|last|next|some|his|her|their|its|two|three|several|much|long|short|quick|brief|same|other|team|group|video|phone|weekly|daily|monthly|family|failed|further|careful)$/.test(
        text,
      );
    if (!goes) break;
  }
  return end;
}

function timeEnd(reading: Reading, at: number): number {
  return reading.has(at + 1, Role.Time) ? at + 2 : at;
}

const COUNT = /^(?:a|an|one|two|three|four|five|six|seven|ten|several|some|few)$/;

/** `and I`, `and the tenant`: they decided together. */
function conjunctEnd(reading: Reading, at: number): number {
  const first = reading.has(at + 1, Role.Determiner) ? at + 2 : at + 1;
  const token = reading.at(first);
  if (token === undefined || token.kind !== Kind.word || (token.roles & (Role.Verb | Role.Negation)) !== 0)
    return at;
  return first + 1;
}

/** 看完样稿后, 经过比较后; not 点击后, which is what anybody does with a screen. */
const AFTERWARDS = /[\u3400-\u9fff]{1,10}?(?:之后|以后|后|完)(?=[\u3400-\u9fff])/y;
const ON_SCREEN =
  /点击|點擊|打开|进入|登录|注册|输入|提交|扫码|勾选|下单|支付|付款|收货|授权|滑动|刷新|关闭|确认/;

function afterEnd(reading: Reading, at: number): number {
  const token = reading.at(at);
  if (token === undefined || (token.roles & ~Role.Before) !== 0) return at;
  AFTERWARDS.lastIndex = token.start;
  const found = AFTERWARDS.exec(reading.lower);
  if (found === null || ON_SCREEN.test(found[0])) return at;
  let next = at;
  while ((reading.at(next)?.start ?? reading.end) < AFTERWARDS.lastIndex) next += 1;
  return reading.has(next, Role.Verb | Role.Filler) ? next : at;
}

const PLACE =
  /[\u3400-\u9fffa-z0-9 ]{1,12}?(?:(?:里|裡|上|中|内|时|后)(?=[\u3400-\u9fff])|(?=(?:明确)?表示|说明|说|没有?(?:异议|意见)|无异议|点了?头|认可))/y;

/** 在群里, 在电话中, 对这个方案表示 …; a verb must follow. */
function placeEnd(reading: Reading, at: number): number {
  const token = reading.at(at);
  if (token === undefined) return at;
  PLACE.lastIndex = token.end;
  const found = PLACE.exec(reading.lower);
  if (found === null) return at;
  const end = PLACE.lastIndex;
  let next = at + 1;
  while ((reading.at(next)?.start ?? reading.end) < end) next += 1;
  return next;
}
