/**
 * Whoever uses a product, not the person the agent works for: names of fields and states, events of an application, what
 * an interface keeps of anybody (the seed's generic-actor rule, and its kinds).
 */
import type { Clause } from "./clause.ts";
import type { Reading } from "./reading.ts";
import { Kind } from "./tokens.ts";
import { Role, type VerbForm } from "./words/index.ts";
import { APP_THINGS, KEEPING, MIXED_FIELDS, SCREENS, STATES } from "./words/products.ts";

/** No clause is looked through further than this. */
const FARTHEST = 40;

/** `the user approved column`: a singular noun without an article is part of a name; `column B` is not. */
export function isField(reading: Reading, verb: number, form: VerbForm, hasArticle: boolean): boolean {
  if (form.follows !== undefined || !NAMING.has(form.kind)) return false;
  // 老板批准 flag 默认 false.
  if (reading.isHan(verb) && MIXED_FIELDS.has(reading.text(verb + 1))) return true;
  const field = reading.has(verb + 1, Role.Field)
    ? verb + 1
    : isNoun(reading, verb + 1) && reading.has(verb + 2, Role.Field)
      ? verb + 2
      : -1;
  if (field >= 0) {
    const after = reading.at(field + 1);
    if (after === undefined) return true;
    if (after.kind === Kind.number || (after.kind === Kind.word && after.end - after.start === 1))
      return false;
    // `User approved list prices`: notes leave articles out.
    const ends =
      Role.Be |
      Role.Modal |
      Role.Preposition |
      Role.Function |
      Role.Negation |
      Role.Perfect |
      Role.Filler |
      Role.Contrast;
    if (
      (hasArticle && field === verb + 1) ||
      after.kind === Kind.mark ||
      (after.roles & ends) !== 0 ||
      FINITE.test(reading.text(field + 1)) ||
      ENDS.test(reading.text(field + 1))
    )
      return true;
  }
  // `User approved vendors are listed …`: what has a verb behind it is a subject itself. One can decide that something is so.
  if (form.kind === "confirmation" || form.kind === "decision" || form.kind === "agreement") return false;
  let next = verb + 1;
  while (next < verb + 3 && (reading.isPlain(next) || reading.has(next, Role.Field)) && !reading.isHan(next))
    next += 1;
  return next > verb + 1 && !QUANTIFIERS.test(reading.text(verb + 1)) && FINITE.test(reading.text(next));
}

/** A bare noun: it has no article before it. */
const isNoun = (reading: Reading, at: number): boolean =>
  reading.at(at)?.kind === Kind.word &&
  !QUANTIFIERS.test(reading.text(at)) &&
  !reading.has(
    at,
    Role.Determiner |
      Role.Preposition |
      Role.Function |
      Role.Be |
      Role.Modal |
      Role.Negation |
      Role.Filler |
      Role.Verb,
  );

const QUANTIFIERS =
  /^(?:a|an|every|each|all|any|both|no|some|this|that|these|those|its|his|her|their|your|another)$/;
const FINITE =
  /^(?:is|are|was|were|must|should|can|will|may|shall|has|have|needs?|goes|go|gets?|lives?|stays?)$/;
const CHANGES =
  /^(?:turn|move|appear|disappear|become|fade|light|change|remain|sit|stand|sink|rise|blink|expire)$/;
const ENDS = /^(?:required|needed|missing|optional|empty|set|unset|true|false)$/;

const NAMING: ReadonlySet<string> = new Set([
  "approval",
  "choice",
  "confirmation",
  "rejection",
  "decision",
  "agreement",
  "instruction",
]);

const CHINESE_STATES = /(?:状态|阶段|节点|环节|进度|类型|标签|选项)\s*:\s*$/;

export function isState(reading: Reading, before: number, verb: number): boolean {
  const from = reading.at(before + 1)?.start ?? 0;
  const isLast = reading.at(verb + 1) === undefined;
  // 审批状态:老板批准.
  if (isLast && CHINESE_STATES.test(reading.lower.slice(Math.max(reading.start, from - 8), from)))
    return true;
  const next = reading.at(verb + 1);
  if (next !== undefined && reading.text(verb + 1) === "/") return true;
  const ends =
    next === undefined ||
    (next.kind === Kind.mark && (next.roles & (Role.Colon | Role.Dash | Role.Open)) === 0);
  if (!ends) return false;
  // `Two states: user approved, user rejected`.
  for (let at = before; at >= Math.max(1, before - FARTHEST); at--)
    if (reading.has(at, Role.Colon)) return STATES.has(reading.text(at - 1)) && (at === before || at < 4);
  return false;
}

/** What a name is put between, and what closes it. */
const MARKS = "\"'`\u300c\u300e\u3010[";
const CLOSING_MARKS = "\"'`\u300d\u300f\u3011]";

/** Grep for `user approved`: nothing but the two words between marks, in a sentence about something else. */
export function isSearched(reading: Reading, start: number, at: number, verb: number): boolean {
  const { lower, end } = reading;
  const head = reading.at(start)?.start ?? 0;
  // `t("user approved")`, `title="…"`: a text of a program.
  if (/(?:(?<!=)=|[a-z0-9]\()["'`]$/.test(lower.slice(Math.max(reading.start, head - 3), head))) return true;
  if (verb !== at + 1) return false;
  // With an article it is a phrase only where the sentence goes on: `treats 'the user approved' as …`.
  if (start !== at && (start < 2 || reading.at(verb + 1) === undefined)) return false;
  const first = head;
  const last = reading.at(verb)?.end ?? 0;
  const mark = MARKS.indexOf(lower.charAt(first - 1));
  if (mark < 0 || lower.charAt(first - 1) === "" || lower.charAt(last) !== CLOSING_MARKS.charAt(mark))
    return false;
  return first - 1 > reading.start + 2 || last + 2 < end - 1;
}

/** `Fire the haptic right after the user confirmed …`: an event of a product, whoever uses it. */
export function isEvent(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const text = reading.text(before);
  const near = Math.max(clause.first, before - FARTHEST);
  if (isAppThing(reading, clause, before, verb)) return true;
  if (text === "after" || text === "when") {
    if (clause.isProcedure || isPresent(reading, near, before)) return true;
    if (isOrder(reading, clause.first)) return true;
    // `Retry once after the user rejected it`: no past form says that anything happened.
    if (before > clause.first && !hasHappened(reading, near, before)) return true;
    if (before > 1) return false;
    for (let at = verb + 1; at < verb + 20; at++)
      if (reading.has(at, Role.Comma))
        return (
          isOrder(reading, at + 1) || [1, 2, 3, 4].some((step) => reading.has(at + step, Role.Procedure))
        );
    return false;
  }
  if (isIndefinite(reading, clause, before) || isKept(reading, clause, before, verb)) return true;
  if (/^(?:because|since|as|that)$/.test(text) && isShown(reading, clause, before, verb)) return true;
  const barred =
    Role.Function | Role.Preposition | Role.Contrast | Role.Comma | Role.Colon | Role.Dash | Role.Before;
  if (before < 0 || reading.has(before, barred) || reading.at(before)?.kind !== Kind.word) return false;
  const { first } = clause;
  const orders =
    isOrder(reading, first) ||
    isLooseOrder(reading, first) ||
    (KEEPING.test(reading.text(first)) && isInto(reading, first));
  const isGeneral =
    isPresent(reading, near, before) || isPlural(reading, first) || isComputed(reading, near, before);
  if (!clause.isProcedure && !orders && !isGeneral) return false;
  if (isGeneral && isWhichever(reading, before, verb)) return true;
  // `Persist the plan the user chose`: what an application keeps of anybody.
  if (
    KEEPING.test(reading.text(clause.first)) &&
    (isOrder(reading, clause.first) || isInto(reading, clause.first))
  )
    return true;
  if (clause.isProcedure && /^(?:each|every)$/.test(reading.text(clause.first))) return true;
  for (let at = near; at < before; at++) if (SCREENS.has(reading.text(at))) return true;
  for (let at = verb + 1; at < verb + 12; at++) if (SCREENS.has(reading.text(at))) return true;
  return false;
}

const PAST =
  /ed$|^(?:sent|made|put|wrote|took|got|gave|built|ran|kept|left|told|paid|bought|cut|let|set|did|had|was|were|went|came|saw|found|held|drew|spent|began|is|are|it|i|we|he|she|they)$/;
const OBJECTS = /^(?:the|a|an|it|them|all|each|every|this|that|these|those|your|both|any|only|its|to|no)$/;

const HAPPENED =
  /ed$|^(?:sent|made|put|wrote|took|got|gave|built|ran|kept|left|told|paid|bought|cut|did|had|was|were|went|came|saw|found|held|drew|spent|began|i|we|my|our|i'm|we're|he|she)$/;

/** A past form, or somebody who tells it. `The draft is deleted after …` is a rule. */
function hasHappened(reading: Reading, first: number, end: number): boolean {
  for (let at = first; at < end; at++)
    if (HAPPENED.test(reading.text(at)) && !/^(?:is|are|gets|get|be)$/.test(reading.text(at - 1)))
      return true;
  return false;
}

/** `Drafts the user rejected go to the archive`, `The reason the user declined is stored`: what is done with all of them. */
function isKept(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  if (reading.at(before)?.kind !== Kind.word || reading.has(before, Role.Function | Role.Preposition))
    return false;
  if (before === clause.first && /[a-z]{2}[^s]s$/.test(reading.text(before)))
    for (let at = verb + 1; at < verb + 4; at++)
      if (FINITE.test(reading.text(at)) || CHANGES.test(reading.text(at))) return true;
  for (let at = verb + 1; at < verb + 9; at++)
    if (/^(?:is|are)$/.test(reading.text(at)) && HANDLED.test(reading.text(at + 1))) return true;
  return false;
}

const HANDLED =
  /^(?:stored|saved|logged|kept|shown|hidden|sent|persisted|recorded|displayed|cached|tracked|greyed|disabled|enabled|removed|cleared|passed|returned|remembered|skipped|ignored|listed|marked|highlighted|archived|never|not)$/;

/** `The badge turns green after …`: happens each time. A past form anywhere says that it happened. */
function isPresent(reading: Reading, first: number, end: number): boolean {
  let found = false;
  const quote = reading.at(end)?.quote ?? -1;
  for (let at = first; at < end; at++) {
    // `moves to "paid"` is no past.
    if ((reading.at(at)?.quote ?? -1) !== quote) continue;
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
export function isOrder(reading: Reading, at: number): boolean {
  const token = reading.at(at);
  if (
    token === undefined ||
    token.kind !== Kind.word ||
    (token.roles & (Role.Determiner | Role.Subject)) !== 0
  )
    return false;
  if (PAST.test(reading.text(at)) || !OBJECTS.test(reading.text(at + 1))) return false;
  return (
    (token.roles &
      ~(
        Role.Procedure |
        Role.Before |
        Role.Report |
        Role.Source |
        Role.Verb |
        Role.Modal |
        Role.Field |
        Role.Medium |
        Role.Stage |
        Role.Doubt
      )) ===
    0
  );
}

/** `a hint the user rejected`, `any option the user chose`: whichever it is. `It is a plan the user approved` says so. */
function isIndefinite(reading: Reading, clause: Clause, before: number): boolean {
  if (
    reading.at(before)?.kind !== Kind.word ||
    reading.has(before, Role.Function | Role.Preposition | Role.Contrast)
  )
    return false;
  for (let back = before - 1; back >= Math.max(clause.first, before - 3); back--) {
    if (/^(?:any|each|every)$/.test(reading.text(back))) return true;
    if (/^(?:a|an|no)$/.test(reading.text(back))) return !reading.has(back - 1, Role.Be);
    if (reading.has(back, Role.Determiner | Role.Comma | Role.Colon)) return false;
  }
  return false;
}

const NEVER = /^(?:do|don't|never|always)$/;
const PARTICLE = /^(?:out|back|in|up|down|off|away|over|again|only|for|from|to|by|with)$/;

/** `Fees depend on …`: what several things do each time. */
function isPlural(reading: Reading, first: number): boolean {
  const noun = reading.has(first, Role.Determiner) ? first + 1 : first;
  const verb = reading.text(noun + 1);
  return (
    /[a-z]{2}[^s]s$/.test(reading.text(noun)) &&
    reading.isPlain(noun + 1) &&
    /^[a-z]{3,}$/.test(verb) &&
    !/(?:ed|ing|s|ly)$/.test(verb) &&
    !PAST.test(verb)
  );
}

/** `Tax is computed from …`. */
function isComputed(reading: Reading, first: number, end: number): boolean {
  for (let at = first; at < end; at++)
    if (/^(?:is|are)$/.test(reading.text(at)) && COMPUTED.test(reading.text(at + 1))) return true;
  return false;
}

const COMPUTED =
  /^(?:computed|calculated|derived|taken|read|loaded|drawn|filled|rendered|filtered|sorted|stored|saved|shown|displayed|cached|persisted|prefilled|restored|highlighted|converted|grouped|keyed|indexed)$/;

/** `the columns the user chose`, at no time in particular: whichever they are. One thing that was approved is that one. */
function isWhichever(reading: Reading, before: number, verb: number): boolean {
  const isChoice = /^(?:chose|picked|selected)$/.test(reading.text(verb));
  if (!isChoice && !/[a-z]{2}[^s]s$/.test(reading.text(before))) return false;
  for (let at = verb + 1; at < verb + FARTHEST; at++) {
    if (reading.at(at) === undefined) return true;
    if (reading.has(at, Role.Time | Role.Medium | Role.Comma | Role.Colon | Role.Dash | Role.Open))
      return false;
  }
  return false;
}

/** `Highlight in the list …`: not `Log of …`. */
const isInto = (reading: Reading, at: number): boolean =>
  /^(?:in|on|at|under|inside)$/.test(reading.text(at + 1));

/** `Fall back to …`, `Sort by …`. */
const isLooseOrder = (reading: Reading, at: number): boolean =>
  reading.isPlain(at) && !PAST.test(reading.text(at)) && PARTICLE.test(reading.text(at + 1));

/** `Fall back to the form where the user rejected camera access`: what an application asks everybody. */
function isAppThing(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const first = clause.first;
  const orders =
    clause.isProcedure ||
    isOrder(reading, first) ||
    NEVER.test(reading.text(first)) ||
    isLooseOrder(reading, first) ||
    isPresent(reading, Math.max(first, before - FARTHEST), before);
  if (!orders || before <= first) return false;
  for (let at = before; at < verb + 6; at++) if (APP_THINGS.has(reading.text(at))) return true;
  return false;
}

/** `a toast that …`. */
const isNotice = (reading: Reading, at: number): boolean =>
  (SCREENS.has(reading.text(at)) || APP_THINGS.has(reading.text(at))) &&
  /^(?:a|an)$/.test(reading.text(at - 1));

/** `Because the user declined, the map shows …`, `The form remembers that the user agreed`. */
function isShown(reading: Reading, clause: Clause, before: number, verb: number): boolean {
  const shows = (from: number, to: number): boolean => {
    for (let at = from; at < to; at++)
      if (
        SCREENS.has(reading.text(at)) &&
        /[a-z]{2}[^s]s$|^(?:is|shows|must|should)$/.test(reading.text(at + 1))
      )
        return true;
    return false;
  };
  const near = Math.max(clause.first, before - FARTHEST);
  if (reading.text(before) === "that") return shows(near, before) || isNotice(reading, before - 1);
  // `No push arrives because the user declined it in the settings`.
  if (isPresent(reading, near, before))
    for (let at = near; at < verb + 12; at++)
      if (SCREENS.has(reading.text(at)) || APP_THINGS.has(reading.text(at))) return true;
  for (let at = verb + 1; at < verb + 16; at++) if (reading.has(at, Role.Comma)) return shows(at + 1, at + 5);
  return false;
}
