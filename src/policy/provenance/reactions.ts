/**
 * A product's logic: what anybody does with it, and what follows each time. `Cookie banner logic: the user rejected all ->
 * load only …` is about whoever sees the banner, as `Upstream issue #4411 says …` is about somebody else (the seed's
 * generic-actor rule, for lines that its labels do not name).
 */
import { isOrder } from "./products.ts";
import type { Reading, Saying } from "./reading.ts";
import { type DecisionKind, Role } from "./words/index.ts";
import { APP_THINGS, LOGIC, POLICY, SCREENS } from "./words/products.ts";

/** What one does with a dialog. An instruction, or a ban, is said to somebody. */
export const ACTS: ReadonlySet<DecisionKind> = new Set<DecisionKind>([
  "approval",
  "agreement",
  "confirmation",
  "choice",
  "rejection",
  "permission",
]);

/** A label has at most this many words. */
const LONGEST_LABEL = 8;
/** What follows is looked for this far. */
const NEAR = 160;
const ARROW = /(?:[-=]>|\u2192|\u21d2)\s*/y;

/** Whether the saying is the first half of a rule. @param verb index of its word */
export function isReaction(reading: Reading, saying: Saying, verb: number): boolean {
  if (!ACTS.has(saying.form.kind) || reading.isHan(verb)) return false;
  const colon = labelEnd(reading, verb);
  if (isLogic(reading, colon)) return true;
  const arrow = arrowAt(reading, saying.head.end);
  if (arrow >= 0) return isAbout(reading, colon, PRODUCT) || reacts(reading, indexOf(reading, verb, arrow));
  return isSequel(reading, verb, isAbout(reading, colon, POLICY));
}

/** Index of the colon that ends a label before the verb; -1 without one. */
function labelEnd(reading: Reading, verb: number): number {
  for (let at = 1; at < Math.min(verb, LONGEST_LABEL); at++) if (reading.has(at, Role.Colon)) return at;
  return -1;
}

/** `Permission logic:`, `Payment webhook:`, `State machine:`. */
function isLogic(reading: Reading, colon: number): boolean {
  const last = reading.text(colon - 1);
  return LOGIC.has(last) || (last === "machine" && reading.text(colon - 2) === "state");
}

const PRODUCT: ReadonlySet<string> = new Set([...SCREENS, ...APP_THINGS, ...POLICY]);

function isAbout(reading: Reading, colon: number, words: ReadonlySet<string>): boolean {
  for (let at = 0; at < colon; at++) if (words.has(reading.text(at))) return true;
  return false;
}

/** Offset behind an arrow; -1 without one. */
function arrowAt({ lower, end }: Reading, from: number): number {
  const part = lower.slice(from, Math.min(end, from + NEAR));
  const at = part.search(/[-=]>|[\u2192\u21d2]/);
  if (at < 0) return -1;
  ARROW.lastIndex = from + at;
  return ARROW.test(lower) ? ARROW.lastIndex : -1;
}

function indexOf(reading: Reading, from: number, offset: number): number {
  let at = from;
  while ((reading.at(at)?.start ?? Number.POSITIVE_INFINITY) < offset) at += 1;
  return at;
}

/** `show the upload button`: what a product does, at no time in particular. */
function reacts(reading: Reading, at: number): boolean {
  return reading.has(at, Role.Procedure) && !isTimed(reading, at + 1, at + 12);
}

function isTimed(reading: Reading, from: number, to: number): boolean {
  for (let at = from; at < to; at++)
    if (reading.has(at, Role.Time) || /^(?:today|tonight|tomorrow|now)$/.test(reading.text(at))) return true;
  return false;
}

/** As many words as what somebody did may have. */
const LONGEST_ACT = 14;
const OPENS = /^(?:and|so|then|,)$/;

/** `… confirmed the code and the page reloads`, `Cart rule: … chose pickup, hide the address`. */
function isSequel(reading: Reading, verb: number, isPolicy: boolean): boolean {
  for (let at = verb + 1; at < verb + LONGEST_ACT; at++) {
    if (!OPENS.test(reading.text(at))) continue;
    let next = at + 1;
    while (OPENS.test(reading.text(next))) next += 1;
    if (isPolicy && (isOrder(reading, next) || /^(?:do|don't|never)$/.test(reading.text(next)))) return true;
    if (reading.has(next, Role.Determiner)) next += 1;
    // A screen, and what it does each time.
    if (!SCREENS.has(reading.text(next)) && !APP_THINGS.has(reading.text(next))) continue;
    const does = reading.text(next + 1);
    if (/[a-z]{2}[^s]s$/.test(does) && reading.has(next + 1, Role.Procedure))
      return !isTimed(reading, next + 2, next + 8);
  }
  return false;
}
