/**
 * What a clause has said so far that puts its rest in doubt: a condition, a scenario, a source, a guess (the seed's
 * generic-actor rule, and its list of what is no claim). One step for each word, from left to right.
 */
import { type Reading, UNSEEN } from "./reading.ts";
import { Kind } from "./tokens.ts";
import { Role } from "./words/index.ts";

/** What the clause has said so far. Each is `UNSEEN`, or the quoted span it stood in (-1: none). */
export interface Clause {
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

const CONDITION_FIRST = new Set(
  "suppose supposing assuming assume pretend pretending imagine imagining".split(" "),
);
const MAY_OPEN_CONDITION = new Set("provided providing should had".split(" "));
const STAGE_PREPOSITIONS = new Set("in during throughout within inside".split(" "));
const SOURCE_PREPOSITIONS = new Set(["according to", "per", "as per"]);
/** In or from one of these is according to it. */
const WRITTEN = new Set(
  "docs documentation changelog readme faq wiki manual article blog forum spec specification handbook newsletter wikipedia ticket tickets reference".split(
    " ",
  ),
);
const WRITTEN_PREPOSITIONS = new Set("in from".split(" "));
/** 请假需主管和老板批准: a rule, whoever stands right before the verb. */
const DUTY = new Set("需 需要 须 須 必须 必須 应当 應當".split(" "));
const ARTICLES = new Set("a an this that one another each every any no".split(" "));
export function freshClause(first: number): Clause {
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

/** Takes in the word at `at`. */
export function step(reading: Reading, clause: Clause, at: number, roles: number): void {
  if (roles === 0) {
    if (endsInside(reading, at)) Object.assign(clause, freshClause(at + 1));
    if (isWording(reading, at)) stage(reading, clause, at, quoteOf(reading, at));
    if (at === clause.first && MAY_OPEN_CONDITION.has(reading.text(at)))
      clause.condition = quoteOf(reading, at);
    return;
  }
  const quote = quoteOf(reading, at);
  if ((roles & (Role.Contrast | Role.Dash)) !== 0) {
    Object.assign(clause, { ...freshClause(at + 1), subject: clause.subject });
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
  else if ((roles & Role.Stage) !== 0 && isWithin(reading, at, STAGE_PREPOSITIONS))
    stage(reading, clause, at, quote);
  if ((roles & Role.Source) !== 0) {
    clause.sourceAt = at;
    const isWritten = WRITTEN.has(reading.text(at)) || / /.test(reading.text(at));
    // 据公告,…; 工单里….
    const isChinese = reading.isHan(at);
    if (isChinese && (isBasis(reading, at) || /^[里裡中上]$/.test(reading.text(at + 1)))) {
      clause.source = quote;
      clause.reportAt = at + 1;
    }
    if (
      isWithin(reading, at, SOURCE_PREPOSITIONS) ||
      (isWritten && isWithin(reading, at, WRITTEN_PREPOSITIONS))
    ) {
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

/** A sentence's end that is none because it stands in a quotation; what opened before it is over. */
function endsInside(reading: Reading, at: number): boolean {
  const token = reading.at(at);
  if (token === undefined || token.kind !== Kind.mark) return false;
  const mark = reading.lower.charAt(token.start);
  return /[;!?\u3002]/.test(mark) || (mark === "." && /^[^.]{3,}$/.test(reading.text(at - 1)));
}

/** 推送文案:…, 按钮写“…”: what everybody reads there. A text that is only named is a topic: 新文案老板批准了. */
function isWording(reading: Reading, at: number): boolean {
  const end = reading.at(at)?.end ?? 0;
  if (
    !reading.isHan(at) ||
    !/(?:文案|模板|提示语|按钮)$/.test(reading.lower.slice(Math.max(reading.start, end - 3), end))
  )
    return false;
  return /^\s*(?:[:"\u300c\u300e]|写|为|是|显示)/.test(reading.lower.slice(end, end + 3));
}

function stage(reading: Reading, clause: Clause, at: number, quote: number): void {
  clause.scenario = quote;
  const opens = Role.Preposition | Role.Condition | Role.Scenario;
  clause.isFronted =
    at === clause.first ||
    reading.has(clause.first, opens) ||
    /^[在于从就]$/.test(reading.text(clause.first));
}

/** Money flows too, and one can study in a room. */
function isOtherFlow(reading: Reading, at: number): boolean {
  const text = reading.text(at);
  // `After the walkthrough the owner signed off`: it took place, and that was then.
  if (EVENTS.test(text) && /^(?:after|following|since|despite)$/.test(prepositionBefore(reading, at)))
    return true;
  if (text === "flow") return /^(?:cash|work|data|air|water)$/.test(reading.text(at - 1));
  return (
    text === "study" &&
    /^(?:room|desk|lamp|group|plan|leave|trip|door|wall|walls|floor)$/.test(reading.text(at + 1))
  );
}

const EVENTS =
  /^(?:stud(?:y|ies)|walk-?through|simulation|playtest|mock-?up|wireframes?|storyboard|user (?:tests?|research)|a\/b test)$/;

/** The last preposition among the four words before. */
function prepositionBefore(reading: Reading, at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--)
    if (reading.has(before, Role.Preposition)) return reading.text(before);
  return "";
}

function isWithin(reading: Reading, at: number, prepositions: ReadonlySet<string>): boolean {
  return prepositions.has(prepositionBefore(reading, at));
}

function isBasis(reading: Reading, at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--)
    if (/^(?:据|據|根据|根據|依据|参照|按照)$/.test(reading.text(before))) return true;
  return false;
}

/** A verb of a rule, not a noun: `the call`, `Update:`. */
function isAct(reading: Reading, at: number): boolean {
  if (reading.has(at + 1, Role.Colon)) return false;
  return !reading.has(at - 1, Role.Determiner) && !ARTICLES.has(reading.text(at - 1));
}

/** Whether nothing in the clause can be a report any more. */
export function isBarred({ condition, scenario, hedge }: Clause, quote: number): boolean {
  const bars = (mark: number): boolean => mark !== UNSEEN && (mark === -1 || mark === quote);
  return bars(condition) || bars(scenario) || bars(hedge);
}

export const quoteOf = (reading: Reading, at: number): number => reading.at(at)?.quote ?? -1;
