/**
 * How English says that somebody decided, chose, agreed, approved or confirmed. Each row: the forms of the first word, what
 * must or must not follow, and the pattern's name. Sources: the provenance seed's list of claims; the wordings it names as
 * missed, and their kinds.
 */
import { AGENT, ENGLISH_ORDERS } from "./english-orders.ts";
import type { VerbForm } from "./roles.ts";
import { formsOf, type VerbRow } from "./verb-rows.ts";

const GIVEN =
  "(?:the|a|an|his|her|their|its|my|our|me|us|you|it|this|that|full|final|explicit|written|verbal|formal|clear|prior|standing|strict|express|blanket|official|provisional|general|them|everyone|hermes|claude|agent|team|assistant|bot|read|write|quick|firm|definite|enthusiastic|cautious)";
const LEAVE =
  "(?:go-?ahead|go ahead|green ?light|green-light|permission|consent|approval|ok|okay|o\\.k|blessing|nod|thumbs[- ]?up|thumbs[- ]?down|sign-?off|clearance|authori[sz]ation|instructions?|orders?|all-clear|all clear|word|assent|mandate|verdict|agreement|yes|no|leave|licen[cs]e|access|free rein|carte blanche)";

const ROWS: readonly VerbRow[] = [
  // Decisions.
  {
    name: "decided",
    kind: "decision",
    words: "decided",
    unless: "\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b",
  },
  {
    name: "resolved",
    kind: "decision",
    words: "resolved",
    follows: "\\s+(?:not\\s+|never\\s+)?(?:to|that|on)\\b",
  },
  { name: "determined", kind: "decision", words: "determined", follows: "\\s+(?:not\\s+)?(?:that|to)\\b" },
  { name: "finalised", kind: "decision", words: "finalised finalized" },
  {
    name: "settled-on",
    kind: "decision",
    words: "settled",
    follows: "\\s+(?:on|for|upon)\\b|\\s+(?:it|the matter|this|that)\\b",
  },
  {
    name: "made-the-call",
    kind: "decision",
    words: "made",
    follows:
      "\\s+(?:(?:the|his|her|their|final|firm|that|this|executive|clear|right|hard)\\s+){1,3}(?:call|choice)\\b(?!\\s+to\\b)",
  },
  {
    name: "made-the-decision",
    kind: "decision",
    words: "made took",
    follows: "\\s+(?:(?:the|a|his|her|their|final|firm|that|this|executive|clear)\\s+){0,3}decision\\b",
  },
  {
    name: "made-up-mind",
    kind: "decision",
    words: "made",
    follows: "\\s+up\\s+(?:his|her|their|its)\\s+minds?\\b",
  },
  {
    name: "changed-mind",
    kind: "decision",
    words: "changed",
    follows: "\\s+(?:his|her|their|its)\\s+minds?\\b",
  },
  {
    name: "reached-decision",
    kind: "decision",
    words: "reached came",
    follows: "\\s+(?:to\\s+)?(?:a|the|his|her|their)\\s+(?:(?:final|clear|firm)\\s+)?decision\\b",
  },
  {
    name: "ruled-that",
    kind: "decision",
    words: "ruled ruling",
    follows: "\\s+(?:that|for|against|in favou?r)\\b",
  },
  {
    name: "set-a-limit",
    kind: "decision",
    words: "set fixed imposed",
    follows:
      "\\s+(?=(?:a|an|the|his|her|their|its|our|no|strict|hard|firm|new|clear|tight|fixed|two|three|[0-9$€£])\\b|[$€£])(?:(?!(?:up|off|out|about|alarm|reminder)\\b)[\\w'$€£%.-]+\\s+){1,4}(?:caps?|limits?|budget|deadline|ceiling|floor|maximum|minimum|max|min|threshold|rules?|policy|quota|cut-?off|curfew|freeze|ban|target date|launch date|go-live date|price|rate limit)\\b",
  },
  {
    name: "put-a-stop",
    kind: "prohibition",
    words: "put",
    follows:
      "\\s+(?:a|an|the|his|her|their)\\s+(?:(?:hard|firm|full|final|temporary|permanent)\\s+)?(?:stop|hold|freeze|ban|veto|end|cap|limit|foot down)\\b",
  },
  {
    name: "put-foot-down",
    kind: "rejection",
    words: "put",
    follows: "\\s+(?:his|her|their)\\s+foot\\s+down\\b",
  },
  { name: "capped", kind: "decision", words: "capped", follows: "\\s+\\S" },
  {
    name: "changed-a-limit",
    kind: "decision",
    words: "raised lowered cut increased reduced changed moved extended postponed pushed brought tightened",
    follows:
      "\\s+(?:back\\s+|forward\\s+)?(?:the|our|its|that)\\s+(?:[\\w'-]+\\s+){0,3}(?:caps?|limits?|budget|deadline|ceiling|threshold|quota|cut-?off|launch|release|go-live|launch date|price cap|retention)\\b",
  },
  {
    name: "limited",
    kind: "decision",
    words: "limited restricted",
    follows: "\\s+(?:[\\w'-]+\\s+){1,6}to\\b",
  },
  {
    name: "prioritised",
    kind: "decision",
    words: "prioritised prioritized",
    follows: "\\s+(?:[\\w'-]+\\s+){1,5}(?:over|above)\\b",
  },
  {
    name: "put-on-hold",
    kind: "decision",
    words: "put",
    follows: "\\s+(?:[\\w'-]+\\s+){1,6}on\\s+(?:hold|ice)\\b",
  },
  {
    name: "made-it-clear",
    kind: "instruction",
    words: "made",
    follows: "\\s+(?:it\\s+)?(?:very\\s+|quite\\s+)?(?:clear|plain)\\s+(?:to\\s+\\w+\\s+)?that\\b",
  },
  {
    name: "drew-the-line",
    kind: "prohibition",
    words: "drew draws",
    follows: "\\s+(?:the|a)\\s+line\\s+at\\b",
  },
  {
    name: "left-it-to-us",
    kind: "permission",
    words: "left",
    follows: `\\s+(?:[\\w'-]+\\s+){1,6}(?:up\\s+)?to\\s+${AGENT}(?![\\w'])`,
  },
  {
    name: "had-us-do",
    kind: "instruction",
    words: "had",
    follows: `\\s+${AGENT}\\s+(?!(?:worried|confused|thinking|laughing|at|on|in|for|to|and|as|over|all)\\b)[a-z]{3,}\\s+(?:the|a|an|all|every|each|it|them|both|this|that|my|our|two|three)\\b`,
  },
  {
    name: "no-objection",
    kind: "agreement",
    words: "no_objection no_objections no_problem",
    follows: "\\s+(?:to|with)\\s+\\S",
  },
  { name: "locked-in", kind: "decision", words: "locked locks", follows: "\\s+in\\b" },
  {
    name: "froze",
    kind: "decision",
    words: "froze frozen",
    follows: "\\s+(?:the|all|any|our|hiring|scope|spending|changes|deploys|releases|budgets?)\\b",
  },
  { name: "went-ahead", kind: "decision", words: "went", follows: "\\s+ahead\\s+with\\b" },
  {
    name: "fixed-as",
    kind: "decision",
    words: "fixed named appointed designated",
    follows: "\\s+(?:[\\w'-]+\\s+){1,5}as\\b",
  },
  {
    name: "stands-by",
    kind: "decision",
    words: "stands stood",
    follows:
      "\\s+by\\s+(?:the|his|her|their|its)\\s+(?:[\\w'-]+\\s+){0,2}(?:decision|choice|verdict|call|no|yes)\\b",
  },
  {
    name: "decides:",
    kind: "decision",
    words: "decides agrees approves confirms rejects chooses vetoes",
    follows: "\\s*:(?=\\s)",
  },
  { name: "did-decide", kind: "decision", words: "decide", after: "did" },
  // Choices.
  { name: "chose", kind: "choice", words: "chose", unless: "\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b" },
  { name: "chosen", kind: "choice", words: "chosen", after: "perfect" },
  {
    name: "picked",
    kind: "choice",
    words: "picked",
    unless: "\\s+(?:[\\w'-]+\\s+){0,3}up\\b|\\s+(?:at|on|through|by|as)\\b",
  },
  { name: "selected", kind: "choice", words: "selected", unless: "\\s+(?:as|by|from|to)\\b" },
  { name: "opted", kind: "choice", words: "opted", follows: "\\s+(?:for|to|in|out|against|not)\\b" },
  {
    name: "went-with",
    kind: "choice",
    words: "went",
    follows:
      "\\s+(?:with|for)\\s+(?!(?:his|her|their|friends?|family|colleagues?|someone|us|me|him|them)\\b|(?:a|an|the)\\s+(?:run|walk|swim|ride|drive|hike|jog|drink|friends?|family|wife|husband|kids|check-?up|nap|coffee)\\b)",
  },
  { name: "elected-to", kind: "choice", words: "elected", follows: "\\s+(?:not\\s+)?(?:to|for)\\b" },
  {
    name: "stuck-with",
    kind: "choice",
    words: "stuck",
    follows: "\\s+with\\s+(?!(?:his|her|their|friends?|it\\s+for)\\b)",
  },
  {
    name: "going-with",
    kind: "choice",
    words: "going sticking",
    follows:
      "\\s+(?:with|for)\\s+(?!(?:his|her|their|friends?|family|someone|us|me)\\b|(?:a|the)\\s+(?:run|walk|swim|ride|kids|family)\\b)",
    after: "be",
  },
  {
    name: "choose-了",
    kind: "choice",
    words: "choose pick select decide agree",
    follows: "\\s*[了过](?!吗|没|么)",
  },
  { name: "did-choose", kind: "choice", words: "choose pick select", after: "did" },
  // Agreements.
  {
    name: "agreed",
    kind: "agreement",
    words: "agreed",
    unless: "\\s+to\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b",
  },
  { name: "agrees", kind: "agreement", words: "agrees", follows: "\\s+(?:to|that|not)\\b" },
  {
    name: "consented",
    kind: "agreement",
    words: "consented consents assented acceded acquiesced",
    follows: "\\s+to\\b",
  },
  {
    name: "accepted",
    kind: "agreement",
    words: "accepted",
    follows:
      "\\s+(?:(?:the|our|my|your|this|that|both|all|a|an|latest|new|final|revised|second|first|[\\w'-]+)\\s+){1,3}(?:proposals?|plans?|offers?|quotes?|estimates?|suggestions?|changes?|drafts?|designs?|budget|recommendations?|compromise|schedule|slots?|trade-?offs?|risks?|delay|price)\\b",
  },
  {
    name: "is-fine-with",
    kind: "agreement",
    words: "fine ok okay alright on_board",
    follows:
      "\\s+with\\s+(?:the|our|my|this|that|these|those|a|an|it|both|either|all|moving|[\\w-]+ing|[0-9])\\b",
    after: "be",
  },
  { name: "did-agree", kind: "agreement", words: "agree", after: "did" },
  // Approvals.
  {
    name: "approved",
    kind: "approval",
    words: "approved",
    unless:
      "\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b|-?by\\b|\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b|\\s+for\\s+(?:(?:the|a|an)\\s+)?(?:beta|loan|mortgage|visa|trial|credit|access|programme|program|membership)\\b",
  },
  { name: "approves-of", kind: "approval", words: "approves", follows: "\\s+of\\b" },
  {
    name: "signed-off",
    kind: "approval",
    words: "signed",
    follows:
      "(?:\\s+|-)off\\b(?!\\s+(?:with|from|early|late|until|at)\\b|\\s+for\\s+(?:the|a)\\s+(?:day|night|week|weekend|evening|holidays?)\\b)",
  },
  {
    name: "signed-it-off",
    kind: "approval",
    words: "signed",
    follows: "\\s+(?:[\\w'-]+\\s+){1,5}off\\b(?!\\s+with\\b)",
  },
  { name: "okayed", kind: "approval", words: "ok'd oks ok's okayed okay'd oked ok-ed okd" },
  { name: "greenlit", kind: "approval", words: "greenlit greenlighted green-lit green-lighted greenlights" },
  { name: "green-lit", kind: "approval", words: "green", follows: "\\s+(?:lit|lighted)\\b" },
  {
    name: "authorised",
    kind: "approval",
    words: "authorised authorized sanctioned endorsed ratified rubber-stamped blessed",
    unless: "\\s+to\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b",
  },
  { name: "cleared", kind: "approval", words: "cleared", follows: `\\s+(?:${AGENT}|it)\\s+(?:to|for)\\b` },
  {
    name: "waved-through",
    kind: "approval",
    words: "waved nodded",
    follows: "\\s+(?:[\\w'-]+\\s+){0,4}through\\b",
  },
  {
    name: "gave-leave",
    kind: "approval",
    words: "gave given gives granted signalled signaled",
    follows: `\\s+(?:(?:${GIVEN})\\s+){0,5}(?:"|')?${LEAVE}\\b`,
  },
  {
    name: "said-yes",
    kind: "approval",
    words: "said says replied answered responded wrote texted",
    follows:
      '\\s+(?:go ahead|go for it)\\b|\\s+(?:with\\s+(?:a\\s+)?)?"?(?:yes|yeah|okay|ok|sure|go ahead|go for it|fine|approved)"?(?!\\w)(?:\\s+to\\b|\\s*[.,:;!)—-]|\\s*$)',
  },
  {
    name: "said-it-is-fine",
    kind: "approval",
    words: "said says",
    follows:
      "\\s+(?:that\\s+)?(?:it|it's|that's|this|that|is)\\s+(?:(?:is|was)\\s+)?(?:fine|ok|okay|good to go|alright|all right)\\b",
  },
  {
    name: "approve-了",
    kind: "approval",
    words: "approve okay ok greenlight sign",
    follows: "\\s*(?:off\\s*)?[了过](?!吗|没|么)",
  },
  { name: "did-approve", kind: "approval", words: "approve okay authorise authorize endorse", after: "did" },
  {
    name: "did-sign-off",
    kind: "approval",
    words: "sign",
    follows: "\\s+off\\b(?!\\s+with\\b)",
    after: "did",
  },
  // Confirmations.
  {
    name: "confirmed",
    kind: "confirmation",
    words: "confirmed reconfirmed re-confirmed",
    unless:
      "\\s+(?:nothing(?!\\s+but\\b)|neither|none)\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b",
  },
  { name: "confirm-了", kind: "confirmation", words: "confirm", follows: "\\s*[了过](?!吗|没|么)" },
  { name: "did-confirm", kind: "confirmation", words: "confirm", after: "did" },
];

/** What somebody prefers is no decision, unless an organization says that it is to be backed as one. */
const PREFERENCES: readonly VerbRow[] = [
  {
    name: "prefers",
    kind: "preference",
    words: "prefers preferred likes liked loves loved dislikes disliked hates hated favours favors enjoys",
  },
];

export const ENGLISH_VERBS: ReadonlyMap<string, readonly VerbForm[]> = formsOf("en", [
  ...ROWS,
  ...ENGLISH_ORDERS,
]);
export const ENGLISH_PREFERENCES: ReadonlyMap<string, readonly VerbForm[]> = formsOf("en", PREFERENCES);
