/**
 * No memory may claim a decision that the user never made. In this order:
 *
 * 1. `typedIn` when a person types: what is kept, with `searchable` of it beside it;
 * 2. `keptBy` when a tool is called: what it would store;
 * 3. `inquire`: the claims in that, and the needles to look up in what was typed;
 * 4. `judgeProvenance` with the answers, then `findingsOf` and `rowsOf`.
 */
export { captureTurn, type Turn } from "./capture.ts";
export { type Claim, detectClaims } from "./claims.ts";
export {
  DEFAULT_PROVENANCE,
  DEFAULT_RETENTION_DAYS,
  type ProvenanceConfiguration,
  readProvenance,
  SCOPES,
  SEARCHES,
} from "./configuration.ts";
export { asObserved, type ClaimEvidence, EVIDENCE_VERDICTS, evidenceOf, failedEvidence } from "./evidence.ts";
export {
  type EvidenceRow,
  findingsOf,
  rowsOf,
  withoutStop,
  withStop,
} from "./findings.ts";
export { inquire, type Texts } from "./inquiry.ts";
export {
  type Answers,
  type Candidate,
  type FailureReason,
  type Judged,
  judgeProvenance,
  type MatchedIn,
  MOST_RECENT,
  REASONS,
} from "./judge.ts";
export { keptBy } from "./kept.ts";
export { LINKS, lineage, type SkillWrite, skillWriteOf } from "./lineage.ts";
export { Messages, type TypedMessage } from "./messages.ts";
export { needleOf, searchable } from "./normal.ts";
export { type Condition, isShort, type SpeakerRole } from "./said.ts";
export { pairQuery, pairsOf, wordQuery, wordsOf } from "./terms.ts";
export { HARNESSES, typedIn } from "./typed.ts";
export { buildLexicon, type DecisionKind, type Lexicon } from "./words/index.ts";
export {
  DEFAULT_WRITE_TOOLS,
  isMemoryFile,
  readWrite,
  type Write,
  type WriteTools,
} from "./writes.ts";
