/**
 * How English says that somebody allowed, told, refused or forbade something, or settled it with the agent. The other
 * half of `english-verbs.ts`.
 */
import type { VerbRow } from "./verb-rows.ts";

/** Whoever the agent is when it writes about itself. */
export const AGENT =
  "(?:me|us|you|hermes|claude|(?:the|this|its|his|her|their|my|our|your) (?:agent|assistant|bot|ai|model|team|crew)s?)";
/** What may stand before `to`. */
const NOT = "(?:(?:not|never|always|please|again|only|just|explicitly|specifically|today|instead)\\s+){0,3}";
/** What one is told to do, or not to. */
const OUGHT =
  "(?:should|must|shall|may|can|could|will|shouldn't|mustn't|can't|cannot|needs? to|ha(?:ve|s) to|ought)";

export const ENGLISH_ORDERS: readonly VerbRow[] = [
  // Permissions.
  {
    name: "permitted",
    kind: "permission",
    words: "permitted",
    unless: "\\s+to\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b",
  },
  {
    name: "allowed-us",
    kind: "permission",
    words: "allowed allows",
    follows: `\\s+(?:${AGENT}|it|them)\\s+to\\b`,
  },
  { name: "permits-us", kind: "permission", words: "permits lets", follows: `\\s+${AGENT}\\s+\\S` },
  // Instructions.
  { name: "instructed", kind: "instruction", words: "instructed" },
  {
    name: "asked-me-to",
    kind: "instruction",
    words: "asked asks",
    follows: `\\s+(?:for\\s+)?${AGENT}\\s+${NOT}to\\b|\\s+(?:${AGENT}\\s+)?that\\b`,
  },
  {
    name: "told-me-to",
    kind: "instruction",
    words: "told tells",
    follows: `\\s+${AGENT}\\s+${NOT}to\\b|\\s+${AGENT}\\s*:|\\s+${AGENT}\\s+(?:that\\s+)?(?:i|we)\\s+${OUGHT}\\b|\\s+${AGENT}\\s+(?:don't|never|no\\b)`,
  },
  { name: "wants-us-to", kind: "instruction", words: "wants wanted", follows: `\\s+${AGENT}\\s+${NOT}to\\b` },
  {
    name: "wants-all-so",
    kind: "instruction",
    words: "wants wanted",
    follows:
      "\\s+(?:all|every|each)\\s+(?!(?:his|her|their|of)\\b)(?:[\\w'-]+\\s+){1,6}(?:in|to|as|with|without|under|before|after|on|by|for|kept|written|named|signed|sorted|formatted|sent|done|at|from|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|until|unless|when|per|via|[\\w-]+ed)\\b|\\s+(?:all|every|each)\\s+\\S+\\s*(?:[.;!]|$)|\\s+(?:no|not)\\s+(?:more|fewer|less|later|earlier)\\s+than\\b|\\s+no\\s+(?!longer\\b)(?:[\\w'-]+\\s+){1,4}(?:before|after|during|on|in|from|without|until|anywhere|at)\\b|\\s+(?:the|our|no|all|every|each|any)\\s+(?:[\\w'-]+\\s+){1,8}(?:from now on|going forward|in future|at all times)\\b|\\s+(?!to\\b|more\\b)(?:[\\w'-]+\\s+){1,8}(?:from now on|going forward)\\b",
  },
  {
    name: "wants-it-done",
    kind: "instruction",
    words: "wants wanted",
    follows:
      "\\s+(?:the|our|these|those|this|that|it|them)\\s+(?:[\\w'-]+\\s+){0,4}(?:kept|written|named|signed|sorted|formatted|sent|done|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|removed|rewritten|renamed|replaced|moved|pinned|split|gone)\\b",
  },
  {
    name: "would-like-us-to",
    kind: "instruction",
    words: "would'd would",
    follows: `\\s+(?:like|prefer|rather)\\s+(?:it\\s+if\\s+)?${AGENT}\\s+(?:${NOT}to|not)?\\b`,
  },
  {
    name: "needs-us-to",
    kind: "instruction",
    words: "needs expects needed expected requires required trusts",
    follows: `\\s+${AGENT}\\s+${NOT}to\\b`,
  },
  {
    name: "requires-that",
    kind: "instruction",
    words: "requires required",
    follows: "\\s+(?:that|all|every|each)\\b",
  },
  {
    name: "reminded-us-to",
    kind: "instruction",
    words: "reminded urged warned advised begged commanded directed ordered tasked charged",
    follows: `\\s+${AGENT}\\s+(?:${NOT}to|with|against)\\b`,
  },
  {
    name: "directed-that",
    kind: "instruction",
    words: "directed ordered commanded",
    follows:
      "\\s+that\\b|\\s+(?:a|an|the|all)\\s+(?:[\\w'-]+\\s+){0,3}(?:freeze|halt|stop|rollback|rewrite|audit|shutdown|clean-?up)\\b",
  },
  {
    name: "requested",
    kind: "instruction",
    words: "requested requests",
    unless:
      "\\s+(?:by|from)\\b|\\s+(?:(?:a|an|the|some|more)\\s+)?(?:[\\w'-]+\\s+)?(?:help|information|info|cop(?:y|ies)|link|password|recap|quote|refund|page|file|access|demo|callback|reset|login|token|data|directions|advice|explanation|status)\\b",
  },
  {
    name: "demanded",
    kind: "instruction",
    words: "demanded demands",
    follows:
      "\\s+(?:that|to|we|all|every|no)\\b|\\s+(?:a|an|the)\\s+(?:[\\w'-]+\\s+){0,2}(?:rollback|test|review|backup|report|check|deadline|stop|halt|fix|rewrite|change|removal|audit|freeze)\\b",
  },
  { name: "mandated", kind: "instruction", words: "mandated mandates stipulated stipulates decreed decrees" },
  {
    name: "specified",
    kind: "instruction",
    words: "specified specifies",
    follows: "\\s+(?:that|the|a|an|no|all)\\b",
  },
  {
    name: "insists",
    kind: "instruction",
    words: "insisted insists",
    follows: "\\s+(?:on|that|upon|we|i)\\b",
  },
  {
    name: "is-adamant",
    kind: "instruction",
    words: "adamant firm insistent explicit clear",
    follows: "\\s+that\\b",
    after: "be",
  },
  {
    name: "said-to",
    kind: "instruction",
    words: "said says",
    follows: `\\s+(?:(?:not|never|always|definitely|please|again|clearly)\\s+){0,2}to\\b(?!\\s+(?:be|have|him|her|them|me)\\b|\\s+\\w+\\s*(?:,|that\\b))|\\s+(?:that\\s+)?(?:we|i|you|nobody|no one|${AGENT})\\s+(?:[\\w'-]+\\s+)?${OUGHT}\\b|\\s*[:,]?\\s+["']?(?:never|don't|do not|no more|stop|always)\\s+\\S|\\s*:\\s*["']?(?:yes|no|please|only|keep|use|go ahead)\\b`,
  },
  {
    name: "stressed-that",
    kind: "instruction",
    words: "stressed reiterated repeated emphasised emphasized underlined insisted",
    follows: `\\s+that\\s+(?:i|we|nobody|no one|${AGENT})\\s+(?:[\\w'-]+\\s+)?${OUGHT}\\b|\\s+that\\s+(?:no|never|nothing)\\b`,
  },
  {
    name: "delegated-to-us",
    kind: "instruction",
    words: "assigned delegated handed entrusted",
    follows: `\\s+${AGENT}\\s+to\\b|\\s+(?:[\\w'-]+\\s+){1,6}to\\s+${AGENT}(?![\\w'])`,
  },
  { name: "laid-down", kind: "instruction", words: "laid", follows: "\\s+down\\b" },
  {
    name: "as-asked",
    kind: "instruction",
    words: "asked wanted instructed requested specified ordered",
    follows: "(?=\\s*(?:[.,;:!)]|$))",
    after: "as",
  },
  {
    name: "did-ask",
    kind: "instruction",
    words: "ask tell instruct",
    follows: `\\s+${AGENT}\\s+${NOT}to\\b`,
    after: "did",
  },
  {
    name: "did-say-to",
    kind: "instruction",
    words: "say",
    follows: "\\s+(?:not\\s+|never\\s+)?to\\b",
    after: "did",
  },
  // Rejections.
  {
    name: "rejected",
    kind: "rejection",
    words: "rejected vetoed vetoes nixed scrapped shelved axed binned overruled overrode",
    unless:
      "\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b|\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b",
  },
  {
    name: "declined",
    kind: "rejection",
    words: "declined refused",
    follows:
      "\\s+(?!by\\s+(?:the|a|an)\\b|to\\s+(?:say|comment|answer|confirm|decide|commit|state|tell|explain|speak|talk|disclose|reply|choose)\\b)\\S",
  },
  {
    name: "turned-down",
    kind: "rejection",
    words: "turned",
    follows:
      "\\s+(?:(?!(?:heat|heating|volume|music|radio|thermostat|lights?|brightness|oven|tv|sound)\\b)[\\w'-]+\\s+){0,4}down\\b(?!\\s+(?:the\\s+)?(?:heat|volume|heating|music|thermostat|radio|lights?|brightness|oven|sound))",
  },
  { name: "ruled-out", kind: "rejection", words: "ruled", follows: "\\s+(?:[\\w'-]+\\s+){0,3}out\\b" },
  {
    name: "shot-down",
    kind: "rejection",
    words: "shot struck voted",
    follows: "\\s+(?:[\\w'-]+\\s+){0,4}down\\b",
  },
  {
    name: "threw-out",
    kind: "rejection",
    words: "threw tossed",
    follows: "\\s+out\\s+(?:[\\w'-]+\\s+){0,3}(?:proposals?|plans?|ideas?|bids?|offers?|drafts?|designs?)\\b",
  },
  {
    name: "said-no",
    kind: "rejection",
    words: "said says",
    follows:
      "\\s+(?:a\\s+(?:firm|clear|hard|flat)\\s+)?(?:no|nope|no way)\\b(?:\\s+(?:to|on|more)\\b|\\s*[.,:;!)—-]|\\s*$)",
  },
  { name: "objected", kind: "rejection", words: "objected objects", follows: "\\s+to\\b" },
  {
    name: "off-the-table",
    kind: "rejection",
    words: "took taken",
    follows: "\\s+(?:[\\w'-]+\\s+){1,6}off\\s+the\\s+table\\b",
  },
  {
    name: "struck-from",
    kind: "rejection",
    words: "struck pulled crossed",
    follows:
      "\\s+(?:[\\w'-]+\\s+){1,6}(?:from|off)\\s+the\\s+(?:list|shortlist|plan|agenda|roadmap|scope)\\b",
  },
  { name: "dismissed", kind: "rejection", words: "dismissed disapproved", follows: "\\s+\\S" },
  {
    name: "dropped-the-idea",
    kind: "rejection",
    words: "dropped killed ditched abandoned buried",
    follows:
      "\\s+(?:the|that|this|our|my|any|all)\\s+(?:[\\w'-]+\\s+){0,4}(?:ideas?|plans?|features?|proposals?|projects?|requirements?|integration|rewrite|migration|redesign|experiment)\\b",
  },
  { name: "pulled-the-plug", kind: "rejection", words: "pulled", follows: "\\s+the\\s+plug\\b" },
  { name: "called-off", kind: "rejection", words: "called", follows: "\\s+(?:[\\w'-]+\\s+){0,4}off\\b" },
  {
    name: "revoked",
    kind: "rejection",
    words: "revoked rescinded retracted withdrew withdrawn",
    follows:
      "\\s+(?:[\\w'-]+\\s+){0,4}(?:approval|permission|consent|decision|go-ahead|sign-off|instruction|request|agreement|ok)\\b",
  },
  { name: "pass-掉", kind: "rejection", words: "pass", follows: "\\s*(?:掉|了)(?!吗|没|么)" },
  { name: "reject-了", kind: "rejection", words: "reject veto decline", follows: "\\s*[了过](?!吗|没|么)" },
  { name: "did-reject", kind: "rejection", words: "reject veto", after: "did" },
  // Prohibitions.
  {
    name: "forbade",
    kind: "prohibition",
    words: "forbade forbids forbidden banned bans prohibited prohibits barred disallowed outlawed",
    unless: "\\s+(?:from|for|by|to)\\b",
  },
  {
    name: "does-not-want-us-to",
    kind: "prohibition",
    words: "doesn't didn't don't",
    follows: `\\s+want\\s+${AGENT}\\s+to\\b|\\s+(?:allow|permit)\\s+\\S|\\s+want\\s+(?!to\\b|for\\b|(?:his|her|their|more|another)\\b)(?:[\\w'-]+\\s+){1,5}(?:on|in|anywhere|at all|any ?more|from now on)\\b`,
  },
  { name: "won't-let-us", kind: "prohibition", words: "won't", follows: `\\s+(?:let|allow)\\s+${AGENT}\\b` },
  {
    name: "does-not-want",
    kind: "prohibition",
    words: "does did do",
    follows: `\\s+not\\s+want\\s+${AGENT}\\s+to\\b|\\s+not\\s+(?:allow|permit)\\s+\\S`,
  },
  // Together with the user.
  {
    name: "we-agreed",
    kind: "agreement",
    words: "agreed",
    follows: "(?!\\s+(?:with|between)\\b)",
    after: "joint",
  },
  {
    name: "we-settled-on",
    kind: "decision",
    words: "settled landed",
    follows: "\\s+(?:on|for|upon)\\b",
    after: "joint",
  },
  { name: "we-decided", kind: "decision", words: "decided", after: "joint" },
  {
    name: "we-chose-together",
    kind: "choice",
    words: "chose picked",
    follows: "\\s+(?:[\\w'-]+\\s+){1,8}together\\b",
    after: "joint",
  },
  { name: "we-locked-in", kind: "decision", words: "locked", follows: "\\s+in\\b", after: "joint" },
  { name: "we-opted", kind: "choice", words: "opted", follows: "\\s+(?:for|to|against)\\b", after: "joint" },
  {
    name: "we-went-with",
    kind: "choice",
    words: "went",
    follows: "\\s+with\\s+(?!the\\s+flow\\b|(?:him|her|them|friends)\\b)",
    after: "joint",
  },
  { name: "we-ruled-out", kind: "rejection", words: "ruled", follows: "\\s+out\\b", after: "joint" },
  { name: "we-are-going-with", kind: "choice", words: "going", follows: "\\s+with\\b", after: "joint" },
];
