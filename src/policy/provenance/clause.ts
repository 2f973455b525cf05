/**
 * One sentence -> the decisions that it says its subjects made. A single walk from left to right remembers what puts the
 * rest of a clause in doubt: a condition, a scenario, a source, a guess (the seed's generic-actor rule and its list of
 * what is no claim).
 */
import { nounSaying, objectSaying } from "./nouns.ts";
import { formOf, predicateOf } from "./predicate.ts";
import { type Saying, Reading, UNSEEN } from "./reading.ts";
import { isRule } from "./rules.ts";
import { Kind } from "./tokens.ts";
import { Role, type VerbForm } from "./words/index.ts";

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
  /** Index of the last subject that stands for the user; what it does may go on behind `and`. */
  subject: number;
  /** The main clause is a rule of a product: `Fire the haptic …`, `The caption must …`. */
  isProcedure: boolean;
}

const CONDITION_FIRST = new Set("suppose supposing assuming assume pretend pretending imagine imagining".split(" "));
const MAY_OPEN_CONDITION = new Set("provided providing should had".split(" "));
const STAGE_PREPOSITIONS = new Set("in during throughout within inside".split(" "));
const SOURCE_PREPOSITIONS = new Set(["according to", "per", "as per"]);
/** In or from one of these is according to it. */
const WRITTEN = new Set("docs documentation changelog readme faq wiki manual article blog forum spec specification handbook newsletter wikipedia ticket tickets reference".split(" "));
const WRITTEN_PREPOSITIONS = new Set("in from".split(" "));
const ARTICLES = new Set("a an this that one another each every any no".split(" "));
/** A subject behind one of these is not the subject of what follows; these are. */
const CONJUNCTIONS = new Set("after since before until than as".split(" "));
const AS = new Set("as like 按 按照 照 依 依照 据 據 根据 根據 遵照 遵从 听从 奉 应 應".split(" "));
/** With them somebody is one of two: 跟用户确认过. */
const WITH = new Set("跟 和 与 與 同 向".split(" "));
const UNDONE = new Set("先 要 需 需要 请 記得 再 必须 應該 应该 去 得 下次 待 等 想 准备 打算".split(" "));
/** 请假需主管和老板批准: a rule, whoever stands right before the verb. */
const DUTY = new Set("需 需要 须 須 必须 必須 应当 應當".split(" "));
const FALSE = new Set("unclear unsure doubtful untrue false wrong unconfirmed myth rumour rumor".split(" "));
/** Subjects that a noun before them makes somebody else's: 项目负责人. */
const BARE = new Set("使用者 负责人 負責人".split(" "));
const OBTAINED = new Set("由 拿到 取得 征得 徵得 获得 獲得 得到 确认 询问 詢問 问 征求 提醒 通知 告知".split(" "));
const CHINESE_DOUBT = /^(?:到|见|見|说|說|显示|顯示|表明|证明|證明|发现|發現|提到|提及|明|出|过|据)$/;
const SCREENS = new Set(
  "picker dialog dialogue modal form popup pop-up wizard dropdown settings screen checkout app banner menu page widget toggle sheet kiosk till portal dashboard email api server client service job script system device sensor map player plugin function query form sign-up signup onboarding registration login installer profile account tooltip badge toast receipt header cart button tab sidebar navbar footer snackbar icon cursor spinner keyboard".split(
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
    } else if ((roles & Role.Verb) !== 0 && clause.subject >= 0 && (found.at(-1)?.next ?? 0) <= at) {
      const saying = continued(reading, clause, at);
      if (saying !== null) found.push(saying);
    } else if (reading.at(at)?.owns === true) {
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
    subject: UNSEEN,
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
    Object.assign(clause, { ...fresh(at + 1), subject: clause.subject });
    return;
  }
  if ((roles & (Role.Comma | Role.Colon | Role.Close)) !== 0) {
    clause.condition = UNSEEN;
    if ((roles & Role.Close) !== 0) return;
    if (at - clause.hedgeAt > 1) clause.hedge = UNSEEN;
    const next = reading.text(at + 1);
    if (!clause.isFronted && (roles & Role.Comma) !== 0) clause.scenario = UNSEEN;
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
  if ((roles & Role.Before) !== 0 && DUTY.has(reading.text(at))) clause.condition = quote;
  if ((roles & Role.Hedge) !== 0) {
    clause.hedge = quote;
    clause.hedgeAt = at;
  }
  if ((roles & Role.Scenario) !== 0 && !isOtherFlow(reading, at)) stage(reading, clause, at, quote);
  else if ((roles & Role.Stage) !== 0 && isWithin(reading, at, STAGE_PREPOSITIONS)) stage(reading, clause, at, quote);
  if ((roles & Role.Source) !== 0) {
    clause.sourceAt = at;
    const isWritten = WRITTEN.has(reading.text(at)) || / /.test(reading.text(at));
    if (isWithin(reading, at, SOURCE_PREPOSITIONS) || (isWritten && isWithin(reading, at, WRITTEN_PREPOSITIONS))) {
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
  const opens = Role.Preposition | Role.Condition | Role.Scenario;
  clause.isFronted = at === clause.first || reading.has(clause.first, opens) || /^[在于从就]$/.test(reading.text(clause.first));
}

const quoteOf = (reading: Reading, at: number): number => reading.at(at)?.quote ?? -1;

/** Money flows too, and one can study in a room. */
function isOtherFlow(reading: Reading, at: number): boolean {
  const text = reading.text(at);
  if (text === "flow") return /^(?:cash|work|data|air|water)$/.test(reading.text(at - 1));
  return text === "study" && /^(?:room|desk|lamp|group|plan|leave|trip|door|wall|walls|floor)$/.test(reading.text(at + 1));
}

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
  if (subject === undefined || isBarred(clause, subject.quote)) return null;
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
  if (isAskedFor(reading, clause, before, isChinese) || isDrawn(reading, start)) return null;
  clause.subject = at;
  const cleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
  const isNamed =
    (reading.has(before, Role.Open) && reading.has(at + 1, Role.Close)) ||
    (reading.has(before, Role.Comma) && reading.has(at + 1, Role.Comma) && before === 1 && reading.isPlain(0));
  const from = isNamed ? at + 2 : at + 1;
  const together = isChinese && WITH.has(text);
  const joint = together ? predicateOf(reading, from, subject, { as: false, joint: true, cleft }) : null;
  const isBare = start === at && !isChinese;
  const predicate = joint ?? predicateOf(reading, from, subject, { as: AS.has(text), joint: false, cleft });
  if (predicate === null) return null;
  const { form, verb, end, needs } = predicate;
  // `Mark it as user approved`, `Status: user approved`, `user approved / user rejected`: one of several states.
  if (isBare && ((text === "as" && form.after !== "as") || isState(reading, before, verb))) return null;
  const saying: Saying = {
    form,
    head: { start: reading.at(start)?.start ?? subject.start, end },
    trailing: AS.has(text),
    needs,
    next: indexAt(reading, verb, end),
  };
  if (together && !isSettledWith(reading, clause, before, end) && (joint === null || isUndone(reading, clause, before)))
    return null;
  if (isField(reading, verb, form, start < at) || isSearched(reading, start, at, verb)) return null;
  if (isRule(reading, saying, verb) || isEvent(reading, clause, before, verb)) return null;
  return standing(reading, clause, saying, at);
}

/** What somebody does before deciding. What one does with a screen is left out: it is anybody's. */
const FIRST_VERBS = new Set(
  "looked read reads reviewed compared considered thought checked called wrote replied met saw heard tried tested visited overturned reversed liked likes hates dislikes loves came got received discussed weighed slept listened watched cancelled ended extended shortened moved hasn't didn't".split(
    " ",
  ),
);
const CHINESE_FIRST = /^(?:考虑|考慮|听|聽|看|比较|比較|斟酌|想|问|問|试|試|经过|經過|反复|权衡|讨论|商量|思考|没|沒|没有|沒有|未|不|说|表示|觉得|认为|同意|否决|批准|要求|拒绝|犹豫)/;
const COORDINATORS = /^(?:and|but|then|&|并|並|并且|而|而是|然后|随后|,|但|但是|却)$/;
const STRONG: ReadonlySet<string> = new Set(["decision", "approval", "agreement", "instruction", "rejection", "prohibition", "choice"]);

/** `The user read the draft and approved it`, 用户考虑再三,决定不换: the verb at `at` goes on with the clause's subject. */
function continued(reading: Reading, clause: Clause, at: number): Saying | null {
  const subject = reading.at(clause.subject);
  if (subject === undefined || at - clause.subject > 30) return null;
  let before = at - 1;
  while (before > clause.subject && reading.has(before, Role.Filler | Role.Time | Role.Perfect) && !COORDINATORS.test(reading.text(before))) before -= 1;
  if (before <= clause.subject || !COORDINATORS.test(reading.text(before))) return null;
  const isChinese = reading.isHan(clause.subject);
  if (reading.text(before) === "," && !isChinese) return null;
  let first = clause.subject + 1;
  while (first < before && reading.has(first, Role.Filler | Role.Perfect | Role.Time)) first += 1;
  if (first >= before) return null;
  const text = reading.text(first);
  const begins = isChinese ? CHINESE_FIRST.test(text) : FIRST_VERBS.has(text) || reading.has(first, Role.Verb);
  if (!begins) return null;
  for (let between = first; between < before; between++) {
    if (/^(?:who|which|if|when|unless|i|he|she|they)$/.test(reading.text(between))) return null;
    if (reading.has(between, Role.Condition | Role.Joint)) return null;
  }
  const found = formOf(reading, at, "plain");
  if (found === null || !STRONG.has(found.form.kind)) return null;
  if (isChinese && found.form.kind === "choice" && reading.text(before) === ",") return null;
  const saying: Saying = {
    form: found.form,
    head: { start: reading.at(at)?.start ?? subject.start, end: found.end },
    trailing: false,
    needs: [],
    next: indexAt(reading, at, found.end),
  };
  if (isField(reading, at, found.form, true) || isRule(reading, saying, at)) return null;
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

/** Whether nothing in the clause can be a report any more. */
function isBarred({ condition, scenario, hedge }: Clause, quote: number): boolean {
  const bars = (mark: number): boolean => mark !== UNSEEN && (mark === -1 || mark === quote);
  return bars(condition) || bars(scenario) || bars(hedge);
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
    const token = reading.at(before);
    // `repo 主人`, `VIP 用户`, 80% 用户.
    if (token !== undefined && !reading.isHan(before)) {
      if (token.kind === Kind.number || reading.has(before, Role.Other) || /[%\d]$/.test(reading.text(before))) return true;
      return token.kind === Kind.word && token.roles === 0 && token.quote === (reading.at(at)?.quote ?? -1);
    }
    if (!reading.touches(before)) return false;
    if (reading.text(before) === "上" && reading.text(before - 1) === "以") return true;
    if (/以上$|[成半千万亿百名位个多数%]$/.test(reading.text(before)) && !reading.has(before, Role.Function | Role.Filler)) return true;
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
    // 没有记录表明用户同意, 未见用户批准.
    if (CHINESE_DOUBT.test(text))
      for (let back = before - 1; back >= Math.max(clause.first, before - 5); back--)
        if (reading.has(back, Role.Negation)) return true;
    if (!reading.has(before, Role.Before)) return false;
    return !(OBTAINED.has(text) && /^(?:已|已经|刚|曾)$/.test(reading.text(before - 1)));
  }
  if (reading.has(before, Role.Before) || reading.has(before, Role.Negation)) {
    const isCleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
    if (!isCleft) return true;
  }
  if (near !== before && reading.has(near, Role.Before)) return true;
  if (reading.text(before) === "after" && reading.text(before - 1) === "only") return true;
  // `the version to which the user agreed`.
  if (reading.text(before) === "which" && reading.has(before - 1, Role.Preposition)) return true;
  if (reading.has(before, Role.Wh) && reading.text(before) !== "which")
    return reading.text(before) === "how" || !reading.has(before - 1, Role.Be);
  for (let back = before - 1; back >= Math.max(clause.first, before - 3); back--)
    if (reading.text(back) === "which") return true;
  // `before writing that the user …`, `don't claim that …`.
  if (near !== before && /^(?:writing|saying|claiming|stating|noting|recording)$/.test(reading.text(near))) return true;
  const doubted = /^(?:that|where|when|of)$/.test(reading.text(before)) ? before - 1 : before;
  if (FALSE.has(reading.text(doubted))) return true;
  if (!reading.has(doubted, Role.Doubt)) return false;
  for (let back = doubted - 1; back >= Math.max(clause.first, doubted - 4); back--)
    if (reading.has(back, Role.Negation)) return true;
  return false;
}

/** `cart -> user confirmed -> charge`, `green = user approved`: a drawing or a legend. */
function isDrawn(reading: Reading, start: number): boolean {
  const at = reading.at(start)?.start ?? 0;
  // 申请、主管审核、老板批准、财务付款: steps.
  const before = reading.lower.charAt(at - 1);
  if (before === "、" && /^[\u3400-\u9fff]{3,8}[、→]/.test(reading.lower.slice(at, at + 10))) return true;
  return /(?:→|=>|->|=|⇒|\/)\s*["'`]?$/.test(reading.lower.slice(Math.max(reading.start, at - 5), at));
}

/** 跟用户确认过了 is done; 先跟用户确认 is to be done. */
function isSettledWith(reading: Reading, clause: Clause, before: number, end: number): boolean {
  let isDone = false;
  for (let back = before - 1; back >= clause.first; back--) {
    const text = reading.text(back);
    if (UNDONE.has(text)) return false;
    if (/^(?:已|已经|刚|刚刚|昨天|今天)$/.test(text)) isDone = true;
  }
  return isDone || /[过了好完]|[^:]:/.test(reading.lower.slice(end - 1, end + 1));
}

function isUndone(reading: Reading, clause: Clause, before: number): boolean {
  for (let back = before - 1; back >= clause.first; back--) if (UNDONE.has(reading.text(back))) return true;
  return false;
}

/** `the user approved column`: a singular noun without an article is part of a name; `column B` is not. */
function isField(reading: Reading, verb: number, form: VerbForm, hasArticle: boolean): boolean {
  if (form.then !== undefined || !NAMING.has(form.kind)) return false;
  const field = reading.has(verb + 1, Role.Field) ? verb + 1 : isNoun(reading, verb + 1) && reading.has(verb + 2, Role.Field) ? verb + 2 : -1;
  if (field >= 0) {
    const after = reading.at(field + 1);
    if (after === undefined) return true;
    if (after.kind === Kind.number || (after.kind === Kind.word && after.end - after.start === 1)) return false;
    // `User approved list prices`: notes leave articles out.
    const ends = Role.Be | Role.Modal | Role.Preposition | Role.Function | Role.Negation | Role.Perfect | Role.Filler | Role.Contrast;
    if ((hasArticle && field === verb + 1) || after.kind === Kind.mark || (after.roles & ends) !== 0 || FINITE.test(reading.text(field + 1)) || ENDS.test(reading.text(field + 1))) return true;
  }
  // `User approved vendors are listed …`: what has a verb behind it is a subject itself. One can decide that something is so.
  if (form.kind === "confirmation" || form.kind === "decision" || form.kind === "agreement") return false;
  let next = verb + 1;
  while (next < verb + 3 && (reading.isPlain(next) || reading.has(next, Role.Field)) && !reading.isHan(next)) next += 1;
  return next > verb + 1 && !QUANTIFIERS.test(reading.text(verb + 1)) && FINITE.test(reading.text(next));
}

/** A bare noun: it has no article before it. */
const isNoun = (reading: Reading, at: number): boolean =>
  reading.at(at)?.kind === Kind.word &&
  !QUANTIFIERS.test(reading.text(at)) &&
  !reading.has(at, Role.Determiner | Role.Preposition | Role.Function | Role.Be | Role.Modal | Role.Negation | Role.Filler | Role.Verb);

const QUANTIFIERS = /^(?:a|an|every|each|all|any|both|no|some|this|that|these|those|its|his|her|their|your|another)$/;
const FINITE = /^(?:is|are|was|were|must|should|can|will|may|shall|has|have|needs?|goes|go|gets?|lives?|stays?)$/;
const ENDS = /^(?:required|needed|missing|optional|empty|set|unset|true|false)$/;

const NAMING: ReadonlySet<string> = new Set(["approval", "choice", "confirmation", "rejection", "decision", "agreement", "instruction"]);

const STATES = new Set("status state filter label tag flag event type column phase stage option value legend".split(" "));

function isState(reading: Reading, before: number, verb: number): boolean {
  const next = reading.at(verb + 1);
  if (next !== undefined && reading.text(verb + 1) === "/") return true;
  const ends = next === undefined || (next.kind === Kind.mark && (next.roles & (Role.Colon | Role.Dash | Role.Open)) === 0);
  return ends && reading.has(before, Role.Colon) && STATES.has(reading.text(before - 1));
}

/** Grep for `user approved`: nothing but the two words between marks, in a sentence about something else. */
function isSearched(reading: Reading, start: number, at: number, verb: number): boolean {
  if (start !== at || verb !== at + 1) return false;
  const { lower, end } = reading;
  const first = reading.at(at)?.start ?? 0;
  const last = reading.at(verb)?.end ?? 0;
  const mark = lower.charAt(first - 1);
  if (!/["'`]/.test(mark) || lower.charAt(last) !== mark) return false;
  if (/[=(]$/.test(lower.slice(reading.start, first - 1))) return true;
  return first - 1 > reading.start + 2 || last + 2 < end - 1;
}

/** `Fire the haptic right after the user confirmed …`: an event of a product, whoever uses it. */
function isEvent(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const text = reading.text(before);
  if (isAppThing(reading, clause, before, verb)) return true;
  if (text === "after" || text === "when") {
    if (clause.isProcedure || isPresent(reading, clause.first, before)) return true;
    if (isOrder(reading, clause.first)) return true;
    if (before > 1) return false;
    for (let at = verb + 1; at < verb + 20; at++)
      if (reading.has(at, Role.Comma))
        return isOrder(reading, at + 1) || [1, 2, 3, 4].some((step) => reading.has(at + step, Role.Procedure));
    return false;
  }
  if (isIndefinite(reading, clause, before)) return true;
  if (/^(?:because|since|as|that)$/.test(text) && isShown(reading, clause, before, verb)) return true;
  const barred = Role.Function | Role.Preposition | Role.Contrast | Role.Comma | Role.Colon | Role.Dash | Role.Before;
  if (before < 0 || reading.has(before, barred) || reading.at(before)?.kind !== Kind.word) return false;
  if (!clause.isProcedure && !isPresent(reading, clause.first, before) && !isOrder(reading, clause.first)) return false;
  // `Persist the plan the user chose`: what an application keeps of anybody.
  if (KEEPING.test(reading.text(clause.first)) && isOrder(reading, clause.first)) return true;
  if (clause.isProcedure && /^(?:each|every)$/.test(reading.text(clause.first))) return true;
  for (let at = clause.first; at < before; at++) if (SCREENS.has(reading.text(at))) return true;
  for (let at = verb + 1; at < verb + 12; at++) if (SCREENS.has(reading.text(at))) return true;
  return false;
}

const PAST = /ed$|^(?:sent|made|put|wrote|took|got|gave|built|ran|kept|left|told|paid|bought|cut|let|set|did|had|was|were|went|came|saw|found|held|drew|spent|began|is|are|it|i|we|he|she|they)$/;
const OBJECTS = /^(?:the|a|an|it|them|all|each|every|this|that|these|those|your|both|any|only|its|to|no)$/;

/** `The badge turns green after …`: happens each time. A past form anywhere says that it happened. */
function isPresent(reading: Reading, first: number, end: number): boolean {
  let found = false;
  for (let at = first; at < end; at++) {
    const text = reading.text(at);
    if (PAST.test(text)) return false;
    const token = reading.at(at);
    const other = ~(Role.Report | Role.Procedure | Role.Source | Role.Field | Role.Other);
    if (at > first && token?.kind === Kind.word && (token.roles & other) === 0 && /[a-z]{2}[^s]s$/.test(text))
      found ||= reading.at(at - 1)?.kind === Kind.word && !reading.has(at - 1, Role.Determiner);
  }
  return found;
}

/** `Tag the release`: a word that is no past, and its object. */
function isOrder(reading: Reading, at: number): boolean {
  const token = reading.at(at);
  if (token === undefined || token.kind !== Kind.word || (token.roles & (Role.Determiner | Role.Subject)) !== 0) return false;
  if (PAST.test(reading.text(at)) || !OBJECTS.test(reading.text(at + 1))) return false;
  return (token.roles & ~(Role.Procedure | Role.Before | Role.Report | Role.Source | Role.Verb | Role.Modal | Role.Field | Role.Medium | Role.Stage | Role.Doubt)) === 0;
}

/** `a hint the user rejected`, `any option the user chose`: whichever it is. `It is a plan the user approved` says so. */
function isIndefinite(reading: Reading, clause: Clause, before: number): boolean {
  if (reading.at(before)?.kind !== Kind.word || reading.has(before, Role.Function | Role.Preposition | Role.Contrast)) return false;
  for (let back = before - 1; back >= Math.max(clause.first, before - 3); back--) {
    if (/^(?:any|each|every)$/.test(reading.text(back))) return true;
    if (/^(?:a|an|no)$/.test(reading.text(back))) return !reading.has(back - 1, Role.Be);
    if (reading.has(back, Role.Determiner | Role.Comma | Role.Colon)) return false;
  }
  return false;
}

const APP = new Set(
  "permission permissions prompt prompts cookie cookies tracking notification notifications consent banner pop-up popup hint hints tip tooltip suggestion suggestions survey rating call calls invite invites invitation captcha login location camera microphone push autofill autocomplete completion completions upload download".split(
    " ",
  ),
);
const NEVER = /^(?:do|don't|never|always)$/;
const PARTICLE = /^(?:out|back|in|up|down|off|away|over|again|only|for|from|to)$/;

/** `Fall back to the form where the user rejected camera access`: what an application asks everybody. */
function isAppThing(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const first = clause.first;
  const orders =
    clause.isProcedure ||
    isOrder(reading, first) ||
    NEVER.test(reading.text(first)) ||
    (reading.isPlain(first) && !PAST.test(reading.text(first)) && PARTICLE.test(reading.text(first + 1))) ||
    isPresent(reading, first, before);
  if (!orders || before <= first) return false;
  for (let at = before; at < verb + 6; at++) if (APP.has(reading.text(at))) return true;
  return false;
}

/** `Because the user declined, the map shows …`, `The form remembers that the user agreed`. */
function isShown(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const shows = (from: number, to: number): boolean => {
    for (let at = from; at < to; at++)
      if (SCREENS.has(reading.text(at)) && /[a-z]{2}[^s]s$|^(?:is|shows|must|should)$/.test(reading.text(at + 1))) return true;
    return false;
  };
  if (reading.text(before) === "that") return shows(clause.first, before);
  for (let at = verb + 1; at < verb + 16; at++) if (reading.has(at, Role.Comma)) return shows(at + 1, at + 5);
  return false;
}

const KEEPING = /^(?:persist|restore|prefill|preselect|hydrate|cache|render|highlight|serialize|preload|store|display|load|fetch|remember|reload|log)$/;

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
