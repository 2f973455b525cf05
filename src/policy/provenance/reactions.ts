/**
 * A product's logic: what anybody does with it, and what follows each time. `Cookie banner logic: the user rejected all ->
 * load only …` is about whoever sees the banner, as `Upstream issue #4411 says …` is about somebody else (the seed's
 * generic-actor rule, for lines that its labels do not name).
 */
import { isOrder } from "./products.ts";
import type { Reading, Saying } from "./reading.ts";
import { Kind, type Span } from "./tokens.ts";
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

/** Whether the saying is the first half of a rule. @param verb index of its word */
export function isReaction(reading: Reading, saying: Saying, verb: number): boolean {
  if (!ACTS.has(saying.form.kind) || reading.isHan(verb)) return false;
  const colon = labelEnd(reading, verb);
  if (colon > 0 && isLogic(reading, colon)) return true;
  return isSequel(reading, verb, colon);
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

/** Whether the mark at `at` is an arrow: `->`, `=>`, `→`, `⇒`. */
function isArrow({ lower }: Reading, { start, end }: Span): boolean {
  const code = lower.charCodeAt(start);
  return (
    code === 0x2192 || code === 0x21d2 || ((code === 0x2d || code === 0x3d) && lower.charAt(end) === ">")
  );
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
const LONGEST_ACT = 20;
/** What happens to a screen at once; how it is, or stays, can be told of one screen. */
const REACTS =
  /^(?:reloads|opens|closes|shows|appears|disappears|fires|starts|stops|moves|clears|refreshes|redirects|navigates|updates|changes|turns|displays|hides|fades|collapses|expands|resets|loads|plays|locks|unlocks|scrolls|emits|sends|returns|flips|switches|vibrates)$/;
const OPENS = /^(?:and|so|then|,)$/;
const LONGEST_OPENER = 4;

/**
 * What follows the act: `… confirmed the code and the page reloads`, `Cart rule: … chose pickup, hide the address`,
 * `… rejected camera -> show the upload button`.
 */
function isSequel(reading: Reading, verb: number, colon: number): boolean {
  for (let at = verb + 1; at < verb + LONGEST_ACT; at++) {
    const token = reading.at(at);
    if (token === undefined) return false;
    if (token.end - token.start > LONGEST_OPENER) continue;
    if (token.kind === Kind.mark && isArrow(reading, token))
      return isAbout(reading, colon, PRODUCT) || reacts(reading, at + 1);
    if (!OPENS.test(reading.text(at))) continue;
    let next = at + 1;
    while (OPENS.test(reading.text(next))) next += 1;
    if (
      (isOrder(reading, next) || /^(?:do|don't|never)$/.test(reading.text(next))) &&
      isAbout(reading, colon, POLICY)
    )
      return true;
    if (reading.has(next, Role.Determiner)) next += 1;
    // A screen, and what it does each time.
    if (!SCREENS.has(reading.text(next)) && !APP_THINGS.has(reading.text(next))) continue;
    if (REACTS.test(reading.text(next + 1))) return !isTimed(reading, next + 2, next + 8);
  }
  return false;
}
