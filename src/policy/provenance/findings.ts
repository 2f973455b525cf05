/** Outcomes -> findings with rule keys and the words for the model (the seed's worked examples), and evidence rows. */
import type { ClaimOutcome, FailureReason, Judged, MatchedIn } from "./judge.ts";
import type { Condition, SpeakerRole } from "./said.ts";
import type { Write } from "./writes.ts";

/** What an engine holds against a call; the shape of `policy/types.ts`. */
export interface ProvenanceFinding {
  readonly verdict: "block";
  readonly reason: {
    readonly rule_key: string;
    readonly engine: "provenance";
    readonly message: string;
    readonly clearable_by: "caller";
  };
}

/** The seed's row, without what only the caller knows: time, session, and the verdict that the mode makes of it. */
export interface EvidenceRow {
  readonly tool: string;
  readonly target: string;
  readonly claim: string | null;
  readonly quote: string | null;
  readonly msg_id: string | null;
  readonly matched_in: MatchedIn | null;
  readonly sender_id: string | null;
  readonly role: SpeakerRole;
  readonly condition: Condition;
  /** Absent where the claim is backed. */
  readonly reason?: FailureReason;
}

/** From this refusal of one target in one turn on, the model is told to stop. */
const STOP_AT = 3;
const STOP = " Stop retrying this write; ask the user instead.";
const INSTEAD =
  ' Quote the user\'s exact words in "..." if they said it, or write it as your own suggestion or as an open question. Nothing was written.';

export function ruleKeyOf(reason: FailureReason): string {
  return `provenance:${reason.replaceAll("_", "-")}`;
}

/**
 * One finding for each class of failure, with the first claim that failed so.
 * @param refusals how often a write to this target was refused before in this turn
 */
export function findingsOf(write: Write, judged: Judged | null, refusals: number): ProvenanceFinding[] {
  if (write.kind === "unreadable")
    return [finding("unreadable_arguments", unreadable(write.detail), refusals)];
  if (judged === null) return [];
  if (judged.reason === "too_many_claims") return [finding(judged.reason, TOO_MANY, refusals)];
  const first = new Map<FailureReason, { outcome: ClaimOutcome; more: number }>();
  for (const outcome of judged.claims) {
    if (outcome.reason === null) continue;
    const known = first.get(outcome.reason);
    if (known === undefined) first.set(outcome.reason, { outcome, more: 0 });
    else known.more += 1;
  }
  return [...first].map(([reason, { outcome, more }]) =>
    finding(reason, unbacked(outcome, reason, more), refusals),
  );
}

function finding(reason: FailureReason, message: string, refusals: number): ProvenanceFinding {
  return {
    verdict: "block",
    reason: {
      rule_key: ruleKeyOf(reason),
      engine: "provenance",
      message: withStop(message, refusals),
      clearable_by: "caller",
    },
  };
}

/** For a caller that learns only later how often it refused: the session's object counts, the Worker judges. */
export function withStop(message: string, refusals: number): string {
  return refusals + 1 >= STOP_AT && !message.endsWith(STOP) ? message + STOP : message;
}

/** What a message says of the write, however often it was refused: for whoever compares two of them. */
export function withoutStop(message: string): string {
  return message.endsWith(STOP) ? message.slice(0, -STOP.length) : message;
}

const TOO_MANY =
  'provenance-gate: this write states more than 100 user decisions. Write fewer at a time, each with the user\'s own words in "...". Nothing was written.';

function unreadable(detail: string): string {
  return `provenance-gate: the arguments of this write cannot be read (${detail}), so it cannot be checked for decisions that the user did not make. Send them as the tool documents them. Nothing was written.`;
}

const DETAILS: Readonly<Partial<Record<FailureReason, string>>> = {
  quote_not_found: "are not in what the user typed.",
  quote_negated:
    'follow a negation in what the user typed (for example "never …" or "don\'t …"), so they do not back the decision.',
  quote_from_question: "come from a question that the user asked, so they do not back the decision.",
  quote_unrelated: "do not share key words with the decision.",
  quote_too_short:
    "are too short to back it: so few words count only as the user's whole message, in this session, among their last three.",
  negated_quote_for_approval: "begin with a negation, so they do not back the decision.",
};

function unbacked({ claim, quote }: ClaimOutcome, reason: FailureReason, more: number): string {
  const detail = DETAILS[reason];
  const others = more === 0 ? "" : ` The same holds for ${more} more of its claims.`;
  const quoted =
    detail === undefined || quote === null ? "" : ` The quoted words ("${shortened(quote)}") ${detail}`;
  return `provenance-gate: this write states a user decision ("${claim.text}") without the user's words.${quoted}${others}${INSTEAD}`;
}

const MAX_QUOTED = 200;

function shortened(quote: string): string {
  return quote.length > MAX_QUOTED ? `${quote.slice(0, MAX_QUOTED - 1).toWellFormed()}\u2026` : quote;
}

/** A row for each claim; one without a claim where nothing could be read. */
export function rowsOf(write: Write, judged: Judged | null): EvidenceRow[] {
  if (write.kind === "none") return [];
  const { tool, target } = write;
  const blank = {
    tool,
    target,
    claim: null,
    quote: null,
    msg_id: null,
    matched_in: null,
    sender_id: null,
    role: "unknown",
    condition: "unknown",
  } as const;
  if (write.kind === "unreadable") return [{ ...blank, reason: "unreadable_arguments" }];
  if (judged === null) return [];
  if (judged.reason !== null) return [{ ...blank, reason: judged.reason }];
  return judged.claims.map(({ claim, reason, quote, matched_in, message, role, condition }) => ({
    tool,
    target,
    claim: claim.text,
    quote,
    msg_id: message?.id ?? null,
    matched_in,
    sender_id: message === null ? null : (message.sender_id ?? ""),
    role,
    condition,
    ...(reason === null ? {} : { reason }),
  }));
}
