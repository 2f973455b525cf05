/**
 * An inquiry and its answers -> which claims are backed, by what, and why not. The second of two steps: everything that
 * was typed and could matter is an argument (the provenance seed, "Evidence"). Pure, total, linear in what it is given.
 */
import type { Inquiry, Question, Quote, QuoteReading } from "./inquiry.ts";
import {
  type Condition,
  conditionOf,
  type Heard,
  hear,
  isShort,
  isWhole,
  roleOf,
  type SpeakerRole,
  type Standing,
  standingIn,
  startsNegated,
} from "./said.ts";
import type { DecisionKind } from "./words/index.ts";

/** Why a claim is not backed; `provenance:` and the same in kebab-case is the rule key. */
export const REASONS = [
  "no_quote",
  "quote_not_found",
  "quote_negated",
  "quote_from_question",
  "quote_unrelated",
  "quote_too_short",
  "negated_quote_for_approval",
  "too_many_claims",
  "unreadable_arguments",
] as const;
export type FailureReason = (typeof REASONS)[number];

export type MatchedIn = "this-session" | "profile" | "stored-text";

/** A message that the user typed and that holds a needle. */
export interface Candidate {
  readonly id: string;
  /** As it was captured. */
  readonly text: string;
  /** `this-session` includes the sessions that it continues; `profile` is any other session of the same agent. */
  readonly where: "this-session" | "profile";
  /** 0 for the last message of this session, 1 for the one before it …; `null` further back and elsewhere. */
  readonly recent: number | null;
  readonly sender_id?: string;
}

/**
 * By the index of the needle: the messages found, this session's first, the newest first; a bounded number will do.
 * `null` or nothing at an index: not looked up.
 */
export type Answers = readonly (readonly Candidate[] | null | undefined)[];

/** What became of one claim. */
export interface ClaimOutcome {
  readonly claim: Question;
  /** `null` when the claim is backed. */
  readonly reason: FailureReason | null;
  /** The quote that backs it, or the one that comes closest; as written. */
  readonly quote: string | null;
  readonly matched_in: MatchedIn | null;
  readonly message: Candidate | null;
  readonly role: SpeakerRole;
  readonly condition: Condition;
}

export interface Judged {
  /** Claims that stand: what turned out to be the user's own words claims nothing. */
  readonly claims: readonly ClaimOutcome[];
  /** `too_many_claims`, when nothing else was judged. */
  readonly reason: FailureReason | null;
}

/** Short quotes count among this many last messages. */
export const MOST_RECENT = 3;
/** A quote and its claim must share this much. */
const LEAST_SHARED = 2;

/** What a quote of this kind of decision must not begin with. */
const AFFIRMATIVE: ReadonlySet<DecisionKind> = new Set<DecisionKind>([
  "decision",
  "choice",
  "agreement",
  "approval",
  "confirmation",
  "permission",
  "preference",
]);

/** How far a quote got; the one that got farthest names the reason. */
const PROGRESS: readonly FailureReason[] = [
  "no_quote",
  "quote_not_found",
  "quote_too_short",
  "quote_from_question",
  "quote_negated",
  "negated_quote_for_approval",
  "quote_unrelated",
];

interface Matched {
  readonly reading: QuoteReading;
  readonly where: MatchedIn;
  readonly message: Candidate | null;
  /** The whole message, though it is short. */
  readonly isWhole: boolean;
}

/** A quoted span, looked up. */
interface Verified {
  /** The user typed it, whatever it is worth. */
  readonly isTyped: boolean;
  readonly matched: Matched | null;
  /** Why nothing matched. */
  readonly reason: FailureReason;
}

export function judgeProvenance(inquiry: Inquiry, answers: Answers): Judged {
  if (inquiry.isTooMany) return { claims: [], reason: "too_many_claims" };
  const looked = new Looking(inquiry, answers);
  const claims: ClaimOutcome[] = [];
  for (const claim of inquiry.claims) {
    const typed = (index: number): boolean => looked.at(index).isTyped;
    if (!claim.needs.every(typed) || claim.inside.some(typed)) continue;
    claims.push(outcomeOf(claim, inquiry, looked));
  }
  return { claims, reason: null };
}

function outcomeOf(claim: Question, inquiry: Inquiry, looked: Looking): ClaimOutcome {
  const about = new Set(claim.tokens);
  for (const index of claim.around)
    if (!looked.at(index).isTyped) for (const token of inquiry.quotes[index]?.tokens ?? []) about.add(token);
  let worst: { reason: FailureReason; quote: string | null } = { reason: "no_quote", quote: null };
  for (const index of claim.quotes) {
    const quote = inquiry.quotes[index];
    if (quote === undefined || quote.readings.length === 0) continue;
    const { matched, reason } = looked.at(index);
    const failed = matched === null ? reason : weigh(claim, quote, matched, about, inquiry);
    if (failed === null && matched !== null) {
      const { text } = matched.reading;
      return {
        claim,
        reason: null,
        quote: text,
        matched_in: matched.where,
        message: matched.message,
        role: roleOf(text),
        condition: conditionOf(text),
      };
    }
    if (failed !== null && PROGRESS.indexOf(failed) > PROGRESS.indexOf(worst.reason))
      worst = { reason: failed, quote: (matched?.reading ?? quote.readings[0])?.text ?? null };
  }
  return { claim, ...worst, matched_in: null, message: null, role: "unknown", condition: "unknown" };
}

/** What is wrong with a quote that was found; `null` when it backs the claim. */
function weigh(
  claim: Question,
  quote: Quote,
  matched: Matched,
  about: ReadonlySet<string>,
  inquiry: Inquiry,
): FailureReason | null {
  const needle = inquiry.needles[matched.reading.needle] ?? "";
  if (AFFIRMATIVE.has(claim.kind) && !claim.isNegated && startsNegated(needle))
    return "negated_quote_for_approval";
  // `yes` shares no word with what it answers.
  if (matched.isWhole) return null;
  const isBrief = matched.where === "stored-text" && isShort(needle);
  const said = isBrief ? (matched.reading.stored ?? []) : quote.tokens;
  let shared = 0;
  for (const token of said) if (about.has(token)) shared += 1;
  return shared >= LEAST_SHARED ? null : "quote_unrelated";
}

/** Looks every quoted span up once. */
class Looking {
  readonly #inquiry: Inquiry;
  readonly #answers: Answers;
  readonly #known = new Map<number, Verified>();
  /** By the text of a message: many quotes are looked up in the same one. */
  readonly #heard = new Map<string, Heard>();

  constructor(inquiry: Inquiry, answers: Answers) {
    this.#inquiry = inquiry;
    this.#answers = answers;
  }

  at(index: number): Verified {
    let known = this.#known.get(index);
    if (known === undefined) {
      known = this.#look(this.#inquiry.quotes[index]?.readings ?? []);
      this.#known.set(index, known);
    }
    return known;
  }

  #hear(text: string): Heard {
    let heard = this.#heard.get(text);
    if (heard === undefined) {
      heard = hear(text);
      this.#heard.set(text, heard);
    }
    return heard;
  }

  #look(readings: readonly QuoteReading[]): Verified {
    let best: Verified = { isTyped: false, matched: null, reason: "quote_not_found" };
    for (const reading of readings) {
      const found = this.#verify(reading);
      if (found.matched !== null) return found;
      if (found.isTyped || PROGRESS.indexOf(found.reason) > PROGRESS.indexOf(best.reason)) best = found;
    }
    return best;
  }

  #verify(reading: QuoteReading): Verified {
    const needle = this.#inquiry.needles[reading.needle] ?? "";
    const answer = this.#answers[reading.needle] ?? null;
    const match = (where: MatchedIn, message: Candidate | null, whole = false): Verified => ({
      isTyped: true,
      matched: { reading, where, message, isWhole: whole },
      reason: "quote_not_found",
    });
    const miss = (reason: FailureReason, isTyped = false): Verified => ({ isTyped, matched: null, reason });
    if (needle === "") return miss("quote_not_found");
    if (isShort(needle)) return this.#verifyShort(reading, needle, answer, match, miss);
    let worst: Standing = "absent";
    for (const candidate of answer ?? []) {
      const standing = standingIn(this.#hear(candidate.text), needle);
      if (standing === "clean") return match(candidate.where, candidate);
      if (standing !== "absent" && worst !== "negated") worst = standing;
    }
    // The user's own words against it weigh more than a quote that is stored already.
    if (worst === "negated") return miss("quote_negated", true);
    if (worst === "question") return miss("quote_from_question", true);
    return reading.stored === null ? miss("quote_not_found") : match("stored-text", null);
  }

  #verifyShort(
    reading: QuoteReading,
    needle: string,
    answer: readonly Candidate[] | null,
    match: (where: MatchedIn, message: Candidate | null, whole?: boolean) => Verified,
    miss: (reason: FailureReason, isTyped?: boolean) => Verified,
  ): Verified {
    let isSaid = answer === null;
    for (const candidate of answer ?? []) {
      const { recent } = candidate;
      const isRecent = candidate.where === "this-session" && recent !== null && recent < MOST_RECENT;
      const standing = standingIn(this.#hear(candidate.text), needle);
      if (standing !== "absent") isSaid = true;
      if (!isRecent || !isWhole(candidate.text, needle)) continue;
      return standing === "question"
        ? miss("quote_from_question", true)
        : match("this-session", candidate, true);
    }
    if (reading.stored !== null) return match("stored-text", null);
    return miss(isSaid ? "quote_too_short" : "quote_not_found");
  }
}
