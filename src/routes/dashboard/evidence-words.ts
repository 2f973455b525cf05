/** What provenance finds, in words for people: verdicts, reasons, where a quote stands, how a skill's writes hang together. */
import {
  type Condition,
  type DecisionKind,
  type EVIDENCE_VERDICTS,
  type FailureReason,
  type LINKS,
  type MatchedIn,
  REASONS,
  type SCOPES,
  type SEARCHES,
  type SpeakerRole,
} from "../../policy/provenance/index.ts";

export type EvidenceVerdict = (typeof EVIDENCE_VERDICTS)[number];
export const FAILURES = [...REASONS, "internal_error"] as const;
export type Failure = FailureReason | "internal_error";
type Link = (typeof LINKS)[number];

/** What is said of something that is recorded under a name which has no words here. */
function wordsIn<Name extends string>(table: Readonly<Record<Name, string>>, name: string): string {
  return Object.hasOwn(table, name) ? table[name as Name] : name.replaceAll("_", " ");
}

export const VERDICT_NAMES: Readonly<Record<EvidenceVerdict, string>> = {
  pass: "Backed",
  would_block: "Not backed",
  asked: "Asked",
  blocked: "Refused",
};

/** As options of a list, where nothing stands beside them. */
export const VERDICT_OPTIONS: Readonly<Record<EvidenceVerdict, string>> = {
  pass: "Backed",
  would_block: "Not backed, only recorded",
  asked: "Not backed, a person was asked",
  blocked: "Not backed, refused",
};

const VERDICTS: Readonly<Record<EvidenceVerdict, string>> = {
  pass: "The user's own words back it.",
  would_block: "It was only recorded: the write was not refused for it.",
  asked: "A person was asked before it could be written.",
  blocked: "The write was refused.",
};

export function verdictSentence(verdict: string): string {
  return wordsIn(VERDICTS, verdict);
}

/** A name for each reason, short enough for a list. */
export const REASON_NAMES: Readonly<Record<Failure, string>> = {
  no_quote: "No quote",
  quote_not_found: "Quote never typed",
  quote_negated: "Quote drops a negation",
  quote_from_question: "Quote from a question",
  quote_unrelated: "Quote about something else",
  quote_too_short: "Quote too short",
  negated_quote_for_approval: "A no quoted for a yes",
  too_many_claims: "Too many claims at once",
  unreadable_arguments: "Arguments unreadable",
  internal_error: "Could not be checked",
};

const REASON_SENTENCES: Readonly<Record<Failure, string>> = {
  no_quote: "No words of the user are quoted for it.",
  quote_not_found: "The user did not type what it quotes.",
  quote_negated:
    "A negation stands before these words in what the user typed, as in “never …” or “don't …”; the quote leaves it out.",
  quote_from_question: "The quoted words are from a question that the user asked.",
  quote_unrelated: "The user typed these words, but they share no key words with what is claimed.",
  quote_too_short:
    "So few words count only as a whole message, in this session, among the user's last three.",
  negated_quote_for_approval: "The quote begins with a no; the claim says yes.",
  too_many_claims: "One write made more than 100 claims. None of them was checked.",
  unreadable_arguments: "The arguments of the write could not be read, so nothing in it could be checked.",
  internal_error: "It could not be checked: an error on our side.",
};

export function reasonSentence(reason: string): string {
  return wordsIn(REASON_SENTENCES, reason);
}

export function reasonName(reason: string): string {
  return wordsIn(REASON_NAMES, reason);
}

const MATCHED: Readonly<Record<MatchedIn, string>> = {
  "this-session": "was typed in this session, or in one that it continues",
  profile: "was typed in another session of this agent",
  "stored-text": "stands already in the stored text that the write edits",
};

/** What is said of a quote that was found there: "its quote …". */
export function matchedWords(matched: string): string {
  return wordsIn(MATCHED, matched);
}

/** Who decides in a quote; `null` where that is not known, or goes without saying. */
const ROLES: Readonly<Record<SpeakerRole, string | null>> = {
  self: null,
  relayed: "It reports what somebody else decided.",
  unknown: null,
};
const CONDITIONS: Readonly<Record<Condition, string | null>> = {
  none: null,
  unresolved: "It names a condition; whether that is met is not known.",
  unknown: null,
};

/** What else is recorded of a quote. It is never judged. */
export function remarksOn(role: string, condition: string): string[] {
  return [
    Object.hasOwn(ROLES, role) ? ROLES[role as SpeakerRole] : null,
    Object.hasOwn(CONDITIONS, condition) ? CONDITIONS[condition as Condition] : null,
  ].filter((remark) => remark !== null);
}

export const KIND_WORDS: Readonly<Record<DecisionKind, string>> = {
  decision: "a decision",
  choice: "a choice",
  agreement: "an agreement",
  approval: "an approval",
  confirmation: "a confirmation",
  permission: "a permission",
  instruction: "an instruction",
  rejection: "a rejection",
  prohibition: "a prohibition",
  preference: "a preference",
};

export const SEARCH_WORDS: Readonly<Record<(typeof SEARCHES)[number], string>> = {
  session: "session: this session and those it continues",
  profile: "profile: every session of the agent",
};

export const SCOPE_WORDS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  decisions: "decisions: what the user decided",
  "decisions+preferences": "decisions+preferences: what the user prefers as well",
};

const LINK_WORDS: Readonly<Record<Link, string>> = {
  first: "first write on record",
  continues: "continues the last one",
  unknown: "not known: a hash is missing",
  broken: "changed outside before it",
  "not-run": "did not run",
};

export function linkWords(link: Link): string {
  return LINK_WORDS[link];
}

/** What became of a write, by the answer it got and the outcome that was reported. */
export function ranWords(verdict: string, outcome: string | null): string {
  switch (outcome) {
    case "success":
      return "ran";
    case "unknown":
      return "may have run: its outcome is unknown";
    case "error":
      return "failed";
    case "blocked":
      return "was stopped before it ran";
    case null:
      return verdict === "allow"
        ? "let through; its outcome was not reported"
        : verdict === "ask"
          ? "asked about; not known to have run"
          : "refused";
    default:
      return outcome;
  }
}
