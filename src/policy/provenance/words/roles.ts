/**
 * What a word can do in a sentence about a decision. A word may have several roles; which one counts depends on where
 * it stands. The tables are `english.ts` and `chinese.ts`.
 */

export const Role = {
  /** Who decides: `user`, `owner`, 用户, 老板. */
  Subject: 1 << 0,
  /** `the`, `my`, `our` before a subject. */
  Determiner: 1 << 1,
  /** May stand between a subject and its verb and changes nothing: `already`, `finally`, 已经. */
  Filler: 1 << 2,
  /** A day, a month, a part of the day: `monday`, `noon`. */
  Time: 1 << 3,
  /** Where something is said: `call`, `chat`, `email`. */
  Medium: 1 << 4,
  /** `has`, `have`, `had`. */
  Perfect: 1 << 5,
  /** `is`, `was`, `been`. */
  Be: 1 << 6,
  /** `not`, `never`, 没有. */
  Negation: 1 << 7,
  /** `may`, `must`, 可能, 应该; and what only seems so: `seems`. */
  Modal: 1 << 8,
  /** `maybe`, `probably`, 也许: what follows is a guess. */
  Hedge: 1 << 9,
  /** `if`, `unless`, 如果: what follows, up to a comma, is no report. */
  Condition: 1 << 10,
  /** Right before a subject: it is asked for, checked, guessed or is somebody else. `ensure`, `let`, `to`, 由, 让. */
  Before: 1 << 11,
  /** Right before a subject: it is one of many or another one. `new`, `a`, 新, 仓库. */
  Other: 1 << 12,
  /** A study, scenario, flow or example. */
  Scenario: 1 << 13,
  /** The same, but only as the place of the sentence: `in the demo`. */
  Stage: 1 << 14,
  /** What reports: `docs`, `issue`, 文档. */
  Source: 1 << 15,
  /** How it reports: `says`, 写着. */
  Report: 1 << 16,
  /** Starts a new clause: `but`, 但是. */
  Contrast: 1 << 17,
  /** Words of grammar that a bare `user` may follow: `and`, `that`, `because`. */
  Function: 1 << 18,
  Preposition: 1 << 19,
  /** `column`, `flag`: after a verb without an article, the two are a name. */
  Field: 1 << 20,
  /** What a rule's main clause does: `fires`, `show`, `must`. */
  Procedure: 1 << 21,
  /** With a negation before it, what follows is doubted: `evidence`, `sure`. */
  Doubt: 1 << 22,
  Verb: 1 << 23,
  Comma: 1 << 24,
  Colon: 1 << 25,
  Dash: 1 << 26,
  Open: 1 << 27,
  Close: 1 << 28,
  /** `what`, `which`. */
  Wh: 1 << 29,
  /** `we`, 我们: the user and the agent together. */
  Joint: 1 << 30,
} as const;

/** How a decision was made; what a quote has to be like depends on it. */
export type DecisionKind =
  | "decision"
  | "choice"
  | "agreement"
  | "approval"
  | "confirmation"
  | "permission"
  | "instruction"
  | "rejection"
  | "prohibition"
  | "preference";

/**
 * A wording of a decision. `follows` must match right behind the word (white space included), `unless` must not;
 * both are sticky and run on folded text, and neither can take more time than its match is long.
 */
export interface VerbForm {
  /** Stable name of the pattern, e.g. `en:asked-me-to`, `zh:决定`. */
  readonly pattern: string;
  readonly kind: DecisionKind;
  readonly follows?: RegExp;
  readonly unless?: RegExp;
  /** What must stand before it: `be` (`is fine with`), `did` (`did approve`), `has` (`has chosen`), `as` (`as the user asked`, 按用户说的), `we`. */
  readonly after?: "be" | "did" | "perfect" | "as" | "joint";
}

export interface Word {
  readonly roles: number;
  readonly verbs: readonly VerbForm[];
  /** A sentence without such a word claims nothing: verbs of decisions, and the nouns and participles made of them. */
  readonly decides: boolean;
}
