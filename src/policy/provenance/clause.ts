/**
 * One sentence -> the decisions that it says its subjects made. A single walk from left to right remembers what puts the
 * rest of a clause in doubt: a condition, a scenario, a source, a guess (the seed's generic-actor rule and its list of
 * what is no claim).
 */
import { nounSaying, objectSaying } from "./nouns.ts";
import { predicateOf } from "./predicate.ts";
import { type Saying, Reading, UNSEEN } from "./reading.ts";
import { isRule } from "./rules.ts";
import { Kind } from "./tokens.ts";
import { Role } from "./words/index.ts";

/** What the clause has said so far. Each is `UNSEEN`, or the quoted span it stood in (-1: none). */
interface Clause {
  condition: number;
  scenario: number;
  /** The scenario opened the sentence: `In the checkout flow, …`. */
  isFronted: boolean;
  source: number;
  sourceAt: number;
  reportAt: number;
  hedge: number;
  hedgeAt: number;
  /** Index of the clause's first word. */
  first: number;
  /** The main clause is a rule of a product: `Fire the haptic …`, `The caption must …`. */
  isProcedure: boolean;
}

const CONDITION_FIRST = new Set("suppose supposing assuming assume pretend pretending imagine imagining".split(" "));
const MAY_OPEN_CONDITION = new Set("provided providing should had".split(" "));
const STAGE_PREPOSITIONS = new Set("in during throughout within inside".split(" "));
const SOURCE_PREPOSITIONS = new Set(["according to", "per", "as per"]);
const ARTICLES = new Set("a an this that one another each every any no".split(" "));
/** A subject behind one of these is not the subject of what follows; these are. */
const CONJUNCTIONS = new Set("after since before until than as".split(" "));
const AS = new Set("as like 按 按照 照 依 依照 据 據 根据 根據 遵照 遵从 听从 奉 应 應".split(" "));
/** With them somebody is one of two: 跟用户确认过. */
const WITH = new Set("跟 和 与 與 同 向".split(" "));
const UNDONE = new Set("先 要 需 需要 请 記得 再 必须 應該 应该 去 得 下次 待 等 想 准备 打算".split(" "));
const FALSE = new Set("unclear unsure doubtful untrue false wrong unconfirmed myth rumour rumor".split(" "));
/** Subjects that a noun before them makes somebody else's: 项目负责人. */
const BARE = new Set("使用者 负责人 負責人".split(" "));
const OBTAINED = new Set("取得 征得 徵得 获得 獲得 得到 确认 询问 詢問 问 征求 提醒 通知 告知".split(" "));
const SCREENS = new Set(
  "picker dialog dialogue modal form popup pop-up wizard dropdown settings screen checkout app banner menu page widget toggle sheet kiosk till portal dashboard".split(
    " ",
  ),
);

/** All sayings of a sentence, by where their heads begin. Total, linear. @param most no more than this */
export function sayingsIn(reading: Reading, most: number): Saying[] {
  const found: Saying[] = [];
  const clause: Clause = fresh(0);
  for (let at = 0; at < reading.tokens.length && found.length < most; at++) {
    const roles = reading.roles(at);
    if ((roles & (Role.Subject | Role.Joint)) !== 0) {
      const saying = (roles & Role.Joint) !== 0 ? jointSaying(reading, clause, at) : subjectSaying(reading, clause, at);
      if (saying !== null) found.push(saying);
    } else if (roles === 0) {
      const saying = nounSaying(reading, at);
      const stands = saying === null ? null : standing(reading, clause, saying, at);
      if (stands !== null) found.push(stands);
    }
    step(reading, clause, at, roles);
  }
  return found;
}

function fresh(first: number): Clause {
  return {
    condition: UNSEEN,
    scenario: UNSEEN,
    isFronted: false,
    source: UNSEEN,
    sourceAt: UNSEEN,
    reportAt: UNSEEN,
    hedge: UNSEEN,
    hedgeAt: UNSEEN,
    first,
    isProcedure: false,
  };
}

function step(reading: Reading, clause: Clause, at: number, roles: number): void {
  if (roles === 0) {
    if (at === clause.first && MAY_OPEN_CONDITION.has(reading.text(at))) clause.condition = quoteOf(reading, at);
    return;
  }
  const quote = quoteOf(reading, at);
  if ((roles & (Role.Contrast | Role.Dash)) !== 0) {
    Object.assign(clause, fresh(at + 1));
    return;
  }
  if ((roles & (Role.Comma | Role.Colon | Role.Close)) !== 0) {
    clause.condition = UNSEEN;
    if ((roles & Role.Close) !== 0) return;
    if (at - clause.hedgeAt > 1) clause.hedge = UNSEEN;
    const next = reading.text(at + 1);
    if (!clause.isFronted && (next === "and" || next === "so")) clause.scenario = UNSEEN;
    if (next === "provided") clause.condition = quote;
    // `According to the changelog, …` goes on; `the docs say so, and …` does not.
    if (at - clause.reportAt > 2 || next === "and" || next === "so") clause.source = UNSEEN;
    clause.first = at + 1;
    return;
  }
  if ((roles & Role.Condition) !== 0) {
    const text = reading.text(at);
    if (!CONDITION_FIRST.has(text) || at === clause.first) clause.condition = quote;
  }
  if ((roles & Role.Hedge) !== 0) {
    clause.hedge = quote;
    clause.hedgeAt = at;
  }
  if ((roles & Role.Scenario) !== 0 && !isOtherFlow(reading, at)) stage(reading, clause, at, quote);
  else if ((roles & Role.Stage) !== 0 && isWithin(reading, at, STAGE_PREPOSITIONS)) stage(reading, clause, at, quote);
  if ((roles & Role.Source) !== 0) {
    clause.sourceAt = at;
    if (isWithin(reading, at, SOURCE_PREPOSITIONS)) {
      clause.source = quote;
      clause.reportAt = at;
    }
  }
  if ((roles & Role.Report) !== 0 && clause.sourceAt >= 0 && at - clause.sourceAt <= 6) {
    clause.source = quote;
    clause.reportAt = at;
  }
  if ((roles & Role.Procedure) !== 0 && isAct(reading, at)) clause.isProcedure = true;
}

function stage(reading: Reading, clause: Clause, at: number, quote: number): void {
  clause.scenario = quote;
  clause.isFronted = reading.has(clause.first, Role.Preposition | Role.Condition | Role.Scenario) || at === clause.first;
}

const quoteOf = (reading: Reading, at: number): number => reading.at(at)?.quote ?? -1;

/** Money flows too, and so does work. */
const isOtherFlow = (reading: Reading, at: number): boolean =>
  reading.text(at) === "flow" && /^(?:cash|work|data|air|water)$/.test(reading.text(at - 1));

function isWithin(reading: Reading, at: number, prepositions: ReadonlySet<string>): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--)
    if (reading.has(before, Role.Preposition)) return prepositions.has(reading.text(before));
  return false;
}

/** A verb of a rule, not a noun: `the call`, `Update:`. */
function isAct(reading: Reading, at: number): boolean {
  if (reading.has(at + 1, Role.Colon)) return false;
  return !reading.has(at - 1, Role.Determiner) && !ARTICLES.has(reading.text(at - 1));
}

/** What is said of the user alone. */
function subjectSaying(reading: Reading, clause: Clause, at: number): Saying | null {
  const subject = reading.at(at);
  if (subject === undefined) return null;
  const isChinese = reading.isHan(at);
  const start = !isChinese && reading.has(at - 1, Role.Determiner) ? at - 1 : at;
  const before = start - 1;
  if (subject.owns) {
    const owned = nounSaying(reading, at);
    return owned === null ? null : standing(reading, clause, owned, at);
  }
  const text = reading.text(before);
  if (!isChinese && reading.has(before, Role.Preposition) && !CONJUNCTIONS.has(text)) {
    const object = objectSaying(reading, start, at);
    return object === null ? null : standing(reading, clause, object, at);
  }
  const noun = nounSaying(reading, at);
  if (noun !== null) return standing(reading, clause, noun, at);
  if (isSomebodyElse(reading, start, at, isChinese)) return null;
  if (isAskedFor(reading, clause, before, isChinese)) return null;
  const cleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
  const isNamed = reading.has(before, Role.Open) && reading.has(at + 1, Role.Close);
  const predicate = predicateOf(reading, isNamed ? at + 2 : at + 1, subject, {
    as: AS.has(text),
    joint: false,
    cleft,
  });
  if (predicate === null) return null;
  const { form, verb, end, needs } = predicate;
  const saying: Saying = {
    form,
    head: { start: reading.at(start)?.start ?? subject.start, end },
    trailing: AS.has(text),
    needs,
    next: indexAt(reading, verb, end),
  };
  if (WITH.has(text) && isChinese && !isSettledWith(reading, clause, before, end)) return null;
  if (isField(reading, verb, form.then === undefined)) return null;
  if (isRule(reading, saying, verb) || isEvent(reading, clause, before, verb)) return null;
  return standing(reading, clause, saying, at);
}

/** `we agreed`, 我们商定: the user and the agent. */
function jointSaying(reading: Reading, clause: Clause, at: number): Saying | null {
  const subject = reading.at(at);
  if (subject === undefined) return null;
  const before = at - 1;
  if (reading.has(before, Role.Before | Role.Wh) && !reading.has(before, Role.Colon)) return null;
  const isGoing = /re$/.test(reading.text(at));
  const predicate = predicateOf(reading, at + 1, subject, { as: false, joint: true, cleft: false });
  if (predicate === null && !isGoing) return null;
  if (predicate === null) return null;
  const { form, verb, end, needs } = predicate;
  const saying: Saying = {
    form,
    head: { start: subject.start, end },
    trailing: false,
    needs,
    next: indexAt(reading, verb, end),
  };
  if (isRule(reading, saying, verb)) return null;
  return standing(reading, clause, saying, at);
}

/** The saying, unless its clause is no report; with what must be a quote for it to be one. */
function standing(reading: Reading, clause: Clause, saying: Saying, at: number): Saying | null {
  if (asksIt(reading, saying)) return null;
  const own = quoteOf(reading, at);
  const needs = [...saying.needs];
  const isFar = at - clause.reportAt > 5;
  for (const mark of [clause.condition, clause.scenario, isFar ? UNSEEN : clause.source, clause.hedge]) {
    if (mark === UNSEEN) continue;
    if (mark === -1 || mark === own) return null;
    if (!needs.includes(mark)) needs.push(mark);
  }
  return needs.length === saying.needs.length ? saying : { ...saying, needs };
}

/** `repo owner`, `a user`, 新用户, 仓库主人: one of many, or another one. */
function isSomebodyElse(reading: Reading, start: number, at: number, isChinese: boolean): boolean {
  const before = start - 1;
  if (before < 0) return false;
  if (isChinese) {
    if (!reading.touches(before)) return false;
    if (reading.has(before, Role.Other) && !reading.has(before, Role.Function)) return true;
    return BARE.has(reading.text(at)) && (reading.isPlain(before) || reading.has(before, Role.Source));
  }
  if (start < at) return false;
  const token = reading.at(before);
  if (token === undefined || token.kind === Kind.mark || reading.isHan(before)) return false;
  if (token.quote !== (reading.at(at)?.quote ?? -1)) return false;
  const allowed =
    Role.Function |
    Role.Contrast |
    Role.Filler |
    Role.Time |
    Role.Condition |
    Role.Before |
    Role.Hedge |
    Role.Report |
    Role.Wh |
    Role.Be;
  return (token.roles & allowed) === 0;
}

/** What stands right before a subject and means that it is checked, asked, guessed or waited for. */
function isAskedFor(reading: Reading, clause: Clause, before: number, isChinese: boolean): boolean {
  if (before < 0) return false;
  const near = reading.text(before) === "that" ? before - 1 : before;
  if (isChinese) {
    const text = reading.text(before);
    if (reading.has(before, Role.Negation)) return true;
    if (!reading.has(before, Role.Before)) return false;
    return !(OBTAINED.has(text) && /^(?:已|已经|刚|曾)$/.test(reading.text(before - 1)));
  }
  if (reading.has(before, Role.Before) || reading.has(before, Role.Negation)) {
    const isCleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
    if (!isCleft) return true;
  }
  if (near !== before && reading.has(near, Role.Before)) return true;
  if (reading.has(before, Role.Wh) && reading.text(before) !== "which" && !reading.has(before - 1, Role.Be)) return true;
  for (let back = before - 1; back >= Math.max(clause.first, before - 3); back--)
    if (reading.text(back) === "which" && reading.isPlain(back + 1)) return true;
  const doubted = /^(?:that|where|when|of)$/.test(reading.text(before)) ? before - 1 : before;
  if (FALSE.has(reading.text(doubted))) return true;
  if (!reading.has(doubted, Role.Doubt)) return false;
  for (let back = doubted - 1; back >= Math.max(clause.first, doubted - 4); back--)
    if (reading.has(back, Role.Negation)) return true;
  return false;
}

/** 跟用户确认过了 is done; 先跟用户确认 is to be done. */
function isSettledWith(reading: Reading, clause: Clause, before: number, end: number): boolean {
  for (let back = before - 1; back >= clause.first; back--) if (UNDONE.has(reading.text(back))) return false;
  return /^(?:过|了|好|完|,|:|。|$)/.test(reading.lower.slice(end, end + 1)) || /[过了好]$/.test(reading.lower.slice(0, end));
}

/** `the user approved column`: a singular noun without an article is part of a name; `column B` is not. */
function isField(reading: Reading, verb: number, isBare: boolean): boolean {
  if (!isBare || !reading.has(verb + 1, Role.Field)) return false;
  const after = reading.at(verb + 2);
  if (after === undefined) return true;
  return after.kind !== Kind.number && !(after.kind === Kind.word && after.end - after.start === 1);
}

/** `Fire the haptic right after the user confirmed …`: an event of a product, whoever uses it. */
function isEvent(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const text = reading.text(before);
  if (text === "after" || text === "when") {
    if (clause.isProcedure) return true;
    if (before > 1) return false;
    for (let at = verb + 1; at < verb + 20; at++)
      if (reading.has(at, Role.Comma)) return [1, 2, 3, 4].some((step) => reading.has(at + step, Role.Procedure));
    return false;
  }
  if (!clause.isProcedure || !(reading.isPlain(before) || reading.has(before, Role.Field))) return false;
  for (let at = verb + 1; at < verb + 12; at++) if (SCREENS.has(reading.text(at))) return true;
  return false;
}

const TAGS = /[,:\u2014-]\s*(?:ok|okay|right|yes|yeah|correct|remember|deal|eh|huh|fine|got it|对吧|好吗|行吗|对吗|是吧|对不对|ok吗|记得吗|没错吧)\s*\?["')\]]*\s*$/;
const OPENERS = /^(?:so|and|but|then|now)?\s*(?:should|shall|can|could|do|does|did|is|are|will|would|may|what|which|who|when|where|why|how|has|have|any|anything|shouldn't|ok to|okay to)\b/;
const CHINESE_OPENERS = /^(?:那|所以|接下来|我)?.{0,6}(?:要不要|是不是|可以|能不能|怎么|什么|哪|几|吗|呢|是否)/;
const INVERTED = /^(?:did|do|does|has|have|had|is|are|was|were|will|would|should|can|could|who|what|which|when|where|why|how|whose)$/;

/** Whether the sentence asks what the saying says, rather than something else behind it, or for a nod. */
function asksIt(reading: Reading, saying: Saying): boolean {
  if (!reading.isQuestion) return false;
  const { lower, end } = reading;
  const rest = lower.slice(saying.head.end, end);
  if (TAGS.test(rest.slice(-40))) return false;
  if (INVERTED.test(reading.text(0))) return true;
  const tail = /[,\u2014:][^,\u2014:]*$|\s-{1,2}\s[^,\u2014:]*$/.exec(rest.slice(-160))?.[0].replace(/^[\s,\u2014:-]+/, "");
  if (tail === undefined) return true;
  return !(OPENERS.test(tail) || CHINESE_OPENERS.test(tail));
}

/** The first word that begins at or behind an offset. */
function indexAt(reading: Reading, from: number, offset: number): number {
  let at = from + 1;
  while ((reading.at(at)?.start ?? Number.POSITIVE_INFINITY) < offset) at += 1;
  return at;
}
