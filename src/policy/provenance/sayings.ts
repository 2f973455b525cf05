/** One sentence -> the decisions that it says its subjects made, in a single walk from left to right. */
import { type Clause, freshClause, isBarred, quoteOf, step } from "./clause.ts";
import { nounSaying, objectSaying } from "./nouns.ts";
import { formOf, predicateOf } from "./predicate.ts";
import { isEvent, isField, isSearched, isState } from "./products.ts";
import { asksIt } from "./questions.ts";
import { isReaction } from "./reactions.ts";
import { type Reading, type Saying, UNSEEN } from "./reading.ts";
import { isRule } from "./rules.ts";
import { isAskedFor, isDrawn, isSettledWith, isSomebodyElse, isUndone, WITH } from "./subjects.ts";
import { Role } from "./words/index.ts";

/** A subject behind one of these is not the subject of what follows; these are. */
const CONJUNCTIONS = new Set("after since before until than as".split(" "));
const AS = new Set("as like 按 按照 照 依 依照 据 據 根据 根據 遵照 遵从 听从 奉 应 應".split(" "));
/** All sayings of a sentence, by where their heads begin. Total, linear. @param most no more than this */
export function sayingsIn(reading: Reading, most: number): Saying[] {
  const found: Saying[] = [];
  const clause: Clause = freshClause(0);
  for (let at = 0; at < reading.tokens.length && found.length < most; at++) {
    const roles = reading.roles(at);
    if ((roles & (Role.Subject | Role.Joint)) !== 0) {
      const saying =
        (roles & Role.Joint) !== 0 ? jointSaying(reading, clause, at) : subjectSaying(reading, clause, at);
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
  // Most subjects have no verb that matters, so that comes first.
  clause.subject = at;
  const cleft = reading.has(before, Role.Be) && /^(?:it|that|this)$/.test(reading.text(before - 1));
  const isNamed =
    (reading.has(before, Role.Open) && reading.has(at + 1, Role.Close)) ||
    (reading.has(before, Role.Comma) &&
      reading.has(at + 1, Role.Comma) &&
      before === 1 &&
      reading.isPlain(0));
  const from = isNamed ? at + 2 : at + 1;
  const together = isChinese && WITH.has(text);
  const joint = together ? predicateOf(reading, from, subject, { as: false, joint: true, cleft }) : null;
  const isBare = start === at && !isChinese;
  const predicate = joint ?? predicateOf(reading, from, subject, { as: AS.has(text), joint: false, cleft });
  if (predicate === null) return null;
  if (!isTheUser(reading, clause, start, at)) {
    clause.subject = UNSEEN;
    return null;
  }
  const { form, verb, end, needs } = predicate;
  // `Mark it as user approved`, `Status: user approved`, `user approved / user rejected`: one of several states.
  if (isBare && text === "as" && form.after !== "as") return null;
  if (start === at && isState(reading, before, verb)) return null;
  const saying: Saying = {
    form,
    head: { start: reading.at(start)?.start ?? subject.start, end },
    trailing: AS.has(text),
    needs,
    next: indexAt(reading, verb, end),
  };
  if (
    together &&
    !isSettledWith(reading, clause, before, end) &&
    (joint === null || isUndone(reading, clause, before))
  )
    return null;
  // `老板批准 = approved`, `user approved → ship`.
  if (/^\s*(?:=(?!=)|→|->|⇒|\+)/.test(reading.lower.slice(end, Math.min(reading.end, end + 4)))) return null;
  if (isField(reading, verb, form, start < at) || isSearched(reading, start, at, verb)) return null;
  if (isRule(reading, saying, verb) || isEvent(reading, clause, before, verb)) return null;
  if (isReaction(reading, saying, verb)) return null;
  return standing(reading, clause, saying, at);
}

/** The subject at `at` is the person the agent works for, and nothing right before it puts it in doubt. */
function isTheUser(reading: Reading, clause: Clause, start: number, at: number): boolean {
  const isChinese = reading.isHan(at);
  if (isSomebodyElse(reading, start, at, isChinese)) return false;
  return !isAskedFor(reading, clause, start - 1, isChinese) && !isDrawn(reading, start);
}

/** What somebody does before deciding. What one does with a screen is left out: it is anybody's. */
const FIRST_VERBS = new Set(
  "looked read reads reviewed compared considered thought checked called wrote replied met saw heard tried tested visited overturned reversed liked likes hates dislikes loves came got received discussed weighed slept listened watched cancelled reported mentioned noticed complained explained described returned visited phoned emailed answered ended extended shortened moved hasn't didn't".split(
    " ",
  ),
);
const CHINESE_FIRST =
  /^(?:考虑|考慮|听|聽|看|比较|比較|斟酌|想|问|問|试|試|经过|經過|反复|权衡|讨论|商量|思考|没|沒|没有|沒有|未|不|说|表示|觉得|认为|同意|否决|批准|要求|拒绝|犹豫)/;
const COORDINATORS = /^(?:and|but|then|&|并|並|并且|而|而是|然后|随后|,|但|但是|却)$/;
const STRONG: ReadonlySet<string> = new Set([
  "decision",
  "approval",
  "agreement",
  "instruction",
  "rejection",
  "prohibition",
  "choice",
]);

/** `The user read the draft and approved it`, 用户考虑再三,决定不换: the verb at `at` goes on with the clause's subject. */
function continued(reading: Reading, clause: Clause, at: number): Saying | null {
  const subject = reading.at(clause.subject);
  if (subject === undefined || at - clause.subject > 30) return null;
  let before = at - 1;
  while (
    before > clause.subject &&
    reading.has(before, Role.Filler | Role.Time | Role.Perfect) &&
    !COORDINATORS.test(reading.text(before))
  )
    before -= 1;
  if (before <= clause.subject || !COORDINATORS.test(reading.text(before))) return null;
  const isChinese = reading.isHan(clause.subject);
  if (reading.text(before) === "," && !isChinese) return null;
  let first = clause.subject + 1;
  while (first < before && reading.has(first, Role.Filler | Role.Perfect | Role.Time)) first += 1;
  if (first >= before) return null;
  const text = reading.text(first);
  const begins = isChinese
    ? CHINESE_FIRST.test(text)
    : FIRST_VERBS.has(text) || reading.has(first, Role.Verb);
  if (!begins) return null;
  for (let between = first; between < before; between++) {
    if (/^(?:who|which|if|when|unless|i|he|she|they)$/.test(reading.text(between))) return null;
    if (reading.has(between, Role.Condition | Role.Joint)) return null;
  }
  const found = formOf(reading, at, "plain");
  if (found === null || !STRONG.has(found.form.kind)) return null;
  const start =
    !isChinese && reading.has(clause.subject - 1, Role.Determiner) ? clause.subject - 1 : clause.subject;
  if (!isTheUser(reading, clause, start, clause.subject)) return null;
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
  const predicate = predicateOf(reading, at + 1, subject, { as: false, joint: true, cleft: false });
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

/** The first word that begins at or behind an offset. */
function indexAt(reading: Reading, from: number, offset: number): number {
  let at = from + 1;
  while ((reading.at(at)?.start ?? Number.POSITIVE_INFINITY) < offset) at += 1;
  return at;
}
