/**
 * How English says that somebody decided. Each row: the forms of the first word, what must or must not follow, and the
 * pattern's name. Sources: the provenance seed's list of claims; the wordings it names as missed, and their kinds.
 */
import type { DecisionKind, VerbForm } from "./roles.ts";

/** Whoever the agent is when it writes about itself. */
const AGENT =
  "(?:me|us|you|hermes|claude|(?:the|this|its|his|her|their|my|our|your) (?:agent|assistant|bot|ai|model|team|crew)s?)";
const NOT = "(?:(?:not|never|always|please|again|only|just|explicitly|specifically|today|instead)\\s+){0,3}";
const OUGHT = "(?:should|must|shall|may|can|could|will|shouldn't|mustn't|can't|cannot|needs? to|ha(?:ve|s) to|ought)";

interface Row {
  readonly name: string;
  readonly kind: DecisionKind;
  /** Forms of the first word; `_` joins the words of a phrase. */
  readonly words: string;
  readonly then?: string;
  readonly unless?: string;
  readonly after?: VerbForm["after"];
}

const GIVEN =
  "(?:the|a|an|his|her|their|its|my|our|me|us|you|it|this|that|full|final|explicit|written|verbal|formal|clear|prior|standing|strict|express|blanket|official|provisional|general|them|everyone|hermes|claude|agent|team|assistant|bot|read|write|quick|firm|definite|enthusiastic|cautious)";
const LEAVE =
  "(?:go-?ahead|go ahead|green ?light|green-light|permission|consent|approval|ok|okay|o\\.k|blessing|nod|thumbs[- ]?up|thumbs[- ]?down|sign-?off|clearance|authori[sz]ation|instructions?|orders?|all-clear|all clear|word|assent|mandate|verdict|agreement|yes|no|leave|licen[cs]e|access|free rein|carte blanche)";

const ROWS: readonly Row[] = [
  // Decisions.
  { name: "decided", kind: "decision", words: "decided", unless: "\\s+(?:nothing|neither|none)\\b" },
  { name: "resolved", kind: "decision", words: "resolved", then: "\\s+(?:not\\s+|never\\s+)?(?:to|that|on)\\b" },
  { name: "determined", kind: "decision", words: "determined", then: "\\s+(?:not\\s+)?(?:that|to)\\b" },
  { name: "finalised", kind: "decision", words: "finalised finalized" },
  { name: "settled-on", kind: "decision", words: "settled", then: "\\s+(?:on|for|upon)\\b|\\s+(?:it|the matter|this|that)\\b" },
  { name: "made-the-call", kind: "decision", words: "made", then: "\\s+(?:(?:the|his|her|their|final|firm|that|this|executive|clear|right|hard)\\s+){1,3}(?:call|choice)\\b(?!\\s+to\\b)" },
  { name: "made-the-decision", kind: "decision", words: "made took", then: "\\s+(?:(?:the|a|his|her|their|final|firm|that|this|executive|clear)\\s+){0,3}decision\\b" },
  { name: "made-up-mind", kind: "decision", words: "made", then: "\\s+up\\s+(?:his|her|their|its)\\s+minds?\\b" },
  { name: "changed-mind", kind: "decision", words: "changed", then: "\\s+(?:his|her|their|its)\\s+minds?\\b" },
  { name: "reached-decision", kind: "decision", words: "reached came", then: "\\s+(?:to\\s+)?(?:a|the|his|her|their)\\s+(?:(?:final|clear|firm)\\s+)?decision\\b" },
  { name: "ruled-that", kind: "decision", words: "ruled ruling", then: "\\s+(?:that|for|against|in favou?r)\\b" },
  { name: "set-a-limit", kind: "decision", words: "set fixed imposed", then: "\\s+(?=(?:a|an|the|his|her|their|its|our|no|strict|hard|firm|new|clear|tight|fixed|two|three|[0-9$€£])\\b|[$€£])(?:(?!(?:up|off|out|about|alarm|reminder)\\b)[\\w'$€£%.-]+\\s+){1,4}(?:caps?|limits?|budget|deadline|ceiling|floor|maximum|minimum|max|min|threshold|rules?|policy|quota|cut-?off|curfew|freeze|ban|target date|launch date|go-live date|price|rate limit)\\b" },
  { name: "put-a-stop", kind: "prohibition", words: "put", then: "\\s+(?:a|an|the|his|her|their)\\s+(?:(?:hard|firm|full|final|temporary|permanent)\\s+)?(?:stop|hold|freeze|ban|veto|end|cap|limit|foot down)\\b" },
  { name: "put-foot-down", kind: "rejection", words: "put", then: "\\s+(?:his|her|their)\\s+foot\\s+down\\b" },
  { name: "capped", kind: "decision", words: "capped", then: "\\s+\\S" },
  { name: "changed-a-limit", kind: "decision", words: "raised lowered cut increased reduced changed moved extended postponed pushed brought tightened", then: "\\s+(?:back\\s+|forward\\s+)?(?:the|our|its|that)\\s+(?:[\\w'-]+\\s+){0,3}(?:caps?|limits?|budget|deadline|ceiling|threshold|quota|cut-?off|launch|release|go-live|launch date|price cap|retention)\\b" },
  { name: "limited", kind: "decision", words: "limited restricted", then: "\\s+(?:[\\w'-]+\\s+){1,6}to\\b" },
  { name: "prioritised", kind: "decision", words: "prioritised prioritized", then: "\\s+(?:[\\w'-]+\\s+){1,5}(?:over|above)\\b" },
  { name: "put-on-hold", kind: "decision", words: "put", then: "\\s+(?:[\\w'-]+\\s+){1,6}on\\s+(?:hold|ice)\\b" },
  { name: "made-it-clear", kind: "instruction", words: "made", then: "\\s+(?:it\\s+)?(?:very\\s+|quite\\s+)?(?:clear|plain)\\s+(?:to\\s+\\w+\\s+)?that\\b" },
  { name: "drew-the-line", kind: "prohibition", words: "drew draws", then: "\\s+(?:the|a)\\s+line\\s+at\\b" },
  { name: "left-it-to-us", kind: "permission", words: "left", then: `\\s+(?:[\\w'-]+\\s+){1,6}(?:up\\s+)?to\\s+${AGENT}(?![\\w'])` },
  { name: "had-us-do", kind: "instruction", words: "had", then: `\\s+${AGENT}\\s+(?!(?:worried|confused|thinking|laughing|at|on|in|for|to|and|as|over|all)\\b)[a-z]{3,}\\s+(?:the|a|an|all|every|each|it|them|both|this|that|my|our|two|three)\\b` },
  { name: "no-objection", kind: "agreement", words: "no_objection no_objections no_problem", then: "\\s+(?:to|with)\\s+\\S" },
  { name: "locked-in", kind: "decision", words: "locked locks", then: "\\s+in\\b" },
  { name: "froze", kind: "decision", words: "froze frozen", then: "\\s+(?:the|all|any|our|hiring|scope|spending|changes|deploys|releases|budgets?)\\b" },
  { name: "went-ahead", kind: "decision", words: "went", then: "\\s+ahead\\s+with\\b" },
  { name: "fixed-as", kind: "decision", words: "fixed named appointed designated", then: "\\s+(?:[\\w'-]+\\s+){1,5}as\\b" },
  { name: "stands-by", kind: "decision", words: "stands stood", then: "\\s+by\\s+(?:the|his|her|their|its)\\s+(?:[\\w'-]+\\s+){0,2}(?:decision|choice|verdict|call|no|yes)\\b" },
  { name: "decides:", kind: "decision", words: "decides agrees approves confirms rejects chooses vetoes", then: "\\s*:(?=\\s)" },
  { name: "did-decide", kind: "decision", words: "decide", after: "did" },
  // Choices.
  { name: "chose", kind: "choice", words: "chose", unless: "\\s+(?:nothing|neither|none)\\b" },
  { name: "chosen", kind: "choice", words: "chosen", after: "perfect" },
  { name: "picked", kind: "choice", words: "picked", unless: "\\s+(?:[\\w'-]+\\s+){0,3}up\\b|\\s+(?:at|on|through|by|as)\\b" },
  { name: "selected", kind: "choice", words: "selected", unless: "\\s+(?:as|by|from|to)\\b" },
  { name: "opted", kind: "choice", words: "opted", then: "\\s+(?:for|to|in|out|against|not)\\b" },
  { name: "went-with", kind: "choice", words: "went", then: "\\s+(?:with|for)\\s+(?!(?:his|her|their|friends?|family|colleagues?|someone|us|me|him|them)\\b|(?:a|an|the)\\s+(?:run|walk|swim|ride|drive|hike|jog|drink|friends?|family|wife|husband|kids|check-?up|nap|coffee)\\b)" },
  { name: "elected-to", kind: "choice", words: "elected", then: "\\s+(?:not\\s+)?(?:to|for)\\b" },
  { name: "stuck-with", kind: "choice", words: "stuck", then: "\\s+with\\s+(?!(?:his|her|their|friends?|it\\s+for)\\b)" },
  { name: "going-with", kind: "choice", words: "going sticking", then: "\\s+(?:with|for)\\s+(?!(?:his|her|their|friends?|family|someone|us|me)\\b|(?:a|the)\\s+(?:run|walk|swim|ride|kids|family)\\b)", after: "be" },
  { name: "choose-了", kind: "choice", words: "choose pick select decide agree", then: "\\s*[了过](?!吗|没|么)" },
  { name: "did-choose", kind: "choice", words: "choose pick select", after: "did" },
  // Agreements.
  { name: "agreed", kind: "agreement", words: "agreed", unless: "\\s+to\\s+(?:nothing|neither|none)\\b" },
  { name: "agrees", kind: "agreement", words: "agrees", then: "\\s+(?:to|that|not)\\b" },
  { name: "consented", kind: "agreement", words: "consented consents assented acceded acquiesced", then: "\\s+to\\b" },
  { name: "accepted", kind: "agreement", words: "accepted", then: "\\s+(?:(?:the|our|my|your|this|that|both|all|a|an|latest|new|final|revised|second|first|[\\w'-]+)\\s+){1,3}(?:proposals?|plans?|offers?|quotes?|estimates?|suggestions?|changes?|drafts?|designs?|budget|recommendations?|compromise|schedule|slots?|trade-?offs?|risks?|delay|price)\\b" },
  { name: "is-fine-with", kind: "agreement", words: "fine ok okay alright on_board", then: "\\s+with\\s+(?:the|our|my|this|that|these|those|a|an|it|both|either|all|moving|[\\w-]+ing|[0-9])\\b", after: "be" },
  { name: "did-agree", kind: "agreement", words: "agree", after: "did" },
  // Approvals.
  { name: "approved", kind: "approval", words: "approved", unless: "\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b|-?by\\b|\\s+(?:nothing|neither|none)\\b|\\s+for\\s+(?:(?:the|a|an)\\s+)?(?:beta|loan|mortgage|visa|trial|credit|access|programme|program|membership)\\b" },
  { name: "approves-of", kind: "approval", words: "approves", then: "\\s+of\\b" },
  { name: "signed-off", kind: "approval", words: "signed", then: "(?:\\s+|-)off\\b(?!\\s+(?:with|from|early|late|until|at)\\b|\\s+for\\s+(?:the|a)\\s+(?:day|night|week|weekend|evening|holidays?)\\b)" },
  { name: "okayed", kind: "approval", words: "ok'd oks ok's okayed okay'd oked ok-ed o.k.'d okd" },
  { name: "greenlit", kind: "approval", words: "greenlit greenlighted green-lit green-lighted greenlights" },
  { name: "green-lit", kind: "approval", words: "green", then: "\\s+(?:lit|lighted)\\b" },
  { name: "authorised", kind: "approval", words: "authorised authorized sanctioned endorsed ratified rubber-stamped blessed", unless: "\\s+to\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b" },
  { name: "cleared", kind: "approval", words: "cleared", then: `\\s+(?:${AGENT}|it)\\s+(?:to|for)\\b` },
  { name: "waved-through", kind: "approval", words: "waved nodded", then: "\\s+(?:[\\w'-]+\\s+){0,4}through\\b" },
  { name: "gave-leave", kind: "approval", words: "gave given gives granted signalled signaled", then: `\\s+(?:(?:${GIVEN})\\s+){0,5}(?:"|')?${LEAVE}\\b` },
  { name: "said-yes", kind: "approval", words: "said says replied answered responded wrote texted", then: "\\s+(?:go ahead|go for it)\\b|\\s+(?:with\\s+(?:a\\s+)?)?\"?(?:yes|yeah|okay|ok|sure|go ahead|go for it|fine|approved)\"?(?!\\w)(?:\\s+to\\b|\\s*[.,:;!)—-]|\\s*$)" },
  { name: "said-it-is-fine", kind: "approval", words: "said says", then: "\\s+(?:that\\s+)?(?:it|it's|that's|this|that|is)\\s+(?:(?:is|was)\\s+)?(?:fine|ok|okay|good to go|alright|all right)\\b" },
  { name: "approve-了", kind: "approval", words: "approve okay ok pass greenlight sign", then: "\\s*(?:off\\s*)?[了过](?!吗|没|么)" },
  { name: "did-approve", kind: "approval", words: "approve okay authorise authorize endorse", after: "did" },
  { name: "did-sign-off", kind: "approval", words: "sign", then: "\\s+off\\b(?!\\s+with\\b)", after: "did" },
  // Confirmations.
  { name: "confirmed", kind: "confirmation", words: "confirmed reconfirmed re-confirmed", unless: "\\s+(?:nothing|neither|none)\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b" },
  { name: "confirm-了", kind: "confirmation", words: "confirm", then: "\\s*[了过](?!吗|没|么)" },
  { name: "did-confirm", kind: "confirmation", words: "confirm", after: "did" },
  // Permissions.
  { name: "permitted", kind: "permission", words: "permitted", unless: "\\s+to\\b|\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b" },
  { name: "allowed-us", kind: "permission", words: "allowed allows", then: `\\s+(?:${AGENT}|it|them)\\s+to\\b` },
  { name: "permits-us", kind: "permission", words: "permits lets", then: `\\s+${AGENT}\\s+\\S` },
  // Instructions.
  { name: "instructed", kind: "instruction", words: "instructed" },
  { name: "asked-me-to", kind: "instruction", words: "asked asks", then: `\\s+(?:for\\s+)?${AGENT}\\s+${NOT}to\\b|\\s+(?:${AGENT}\\s+)?that\\b` },
  { name: "told-me-to", kind: "instruction", words: "told tells", then: `\\s+${AGENT}\\s+${NOT}to\\b|\\s+${AGENT}\\s*:|\\s+${AGENT}\\s+(?:that\\s+)?(?:i|we)\\s+${OUGHT}\\b|\\s+${AGENT}\\s+(?:don't|never|no\\b)` },
  { name: "wants-us-to", kind: "instruction", words: "wants wanted", then: `\\s+${AGENT}\\s+${NOT}to\\b` },
  { name: "wants-all-so", kind: "instruction", words: "wants wanted", then: "\\s+(?:all|every|each)\\s+(?!(?:his|her|their|of)\\b)(?:[\\w'-]+\\s+){1,6}(?:in|to|as|with|without|under|before|after|on|by|for|kept|written|named|signed|sorted|formatted|sent|done|at|from|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|until|unless|when|per|via|[\\w-]+ed)\\b|\\s+(?:all|every|each)\\s+\\S+\\s*(?:[.;!]|$)|\\s+(?:no|not)\\s+(?:more|fewer|less|later|earlier)\\s+than\\b" },
  { name: "wants-it-done", kind: "instruction", words: "wants wanted", then: "\\s+(?:the|our|these|those|this|that|it|them)\\s+(?:[\\w'-]+\\s+){0,4}(?:kept|written|named|signed|sorted|formatted|sent|done|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|removed|rewritten|renamed|replaced|moved|pinned|split|gone)\\b" },
  { name: "would-like-us-to", kind: "instruction", words: "would'd would", then: `\\s+(?:like|prefer|rather)\\s+(?:it\\s+if\\s+)?${AGENT}\\s+(?:${NOT}to|not)?\\b` },
  { name: "needs-us-to", kind: "instruction", words: "needs expects needed expected requires required trusts", then: `\\s+${AGENT}\\s+${NOT}to\\b` },
  { name: "requires-that", kind: "instruction", words: "requires required", then: "\\s+(?:that|all|every|each)\\b" },
  { name: "reminded-us-to", kind: "instruction", words: "reminded urged warned advised begged commanded directed ordered tasked charged", then: `\\s+${AGENT}\\s+(?:${NOT}to|with|against)\\b` },
  { name: "directed-that", kind: "instruction", words: "directed ordered commanded", then: "\\s+that\\b|\\s+(?:a|an|the|all)\\s+(?:[\\w'-]+\\s+){0,3}(?:freeze|halt|stop|rollback|rewrite|audit|shutdown|clean-?up)\\b" },
  { name: "requested", kind: "instruction", words: "requested requests", unless: "\\s+(?:by|from)\\b|\\s+(?:(?:a|an|the|some|more)\\s+)?(?:[\\w'-]+\\s+)?(?:help|information|info|cop(?:y|ies)|link|password|recap|quote|refund|page|file|access|demo|callback|reset|login|token|data|directions|advice|explanation|status)\\b" },
  { name: "demanded", kind: "instruction", words: "demanded demands", then: "\\s+(?:that|to|we|all|every|no)\\b|\\s+(?:a|an|the)\\s+(?:[\\w'-]+\\s+){0,2}(?:rollback|stop|halt|fix|rewrite|change|removal|audit|freeze)\\b" },
  { name: "mandated", kind: "instruction", words: "mandated mandates stipulated stipulates decreed decrees" },
  { name: "specified", kind: "instruction", words: "specified specifies", then: "\\s+(?:that|the|a|an|no|all)\\b" },
  { name: "insists", kind: "instruction", words: "insisted insists", then: "\\s+(?:on|that|upon|we|i)\\b" },
  { name: "is-adamant", kind: "instruction", words: "adamant firm insistent explicit clear", then: "\\s+that\\b", after: "be" },
  { name: "said-to", kind: "instruction", words: "said says", then: `\\s+(?:(?:not|never|always|definitely|please|again|clearly)\\s+){0,2}to\\b(?!\\s+(?:be|have|him|her|them|me)\\b|\\s+\\w+\\s*(?:,|that\\b))|\\s+(?:that\\s+)?(?:we|i|you|nobody|no one|${AGENT})\\s+(?:[\\w'-]+\\s+)?${OUGHT}\\b|\\s*[:,]?\\s+["']?(?:never|don't|do not|no more|stop|always)\\s+\\S|\\s*:\\s*["']?(?:yes|no|please|only|keep|use|go ahead)\\b` },
  { name: "stressed-that", kind: "instruction", words: "stressed reiterated repeated emphasised emphasized underlined insisted", then: `\\s+that\\s+(?:i|we|nobody|no one|${AGENT})\\s+(?:[\\w'-]+\\s+)?${OUGHT}\\b|\\s+that\\s+(?:no|never|nothing)\\b` },
  { name: "delegated-to-us", kind: "instruction", words: "assigned delegated handed entrusted", then: `\\s+${AGENT}\\s+to\\b|\\s+(?:[\\w'-]+\\s+){1,6}to\\s+${AGENT}(?![\\w'])` },
  { name: "laid-down", kind: "instruction", words: "laid", then: "\\s+down\\b" },
  { name: "as-asked", kind: "instruction", words: "asked wanted instructed requested specified ordered", then: "(?=\\s*(?:[.,;:!)]|$))", after: "as" },
  { name: "did-ask", kind: "instruction", words: "ask tell instruct", then: `\\s+${AGENT}\\s+${NOT}to\\b`, after: "did" },
  { name: "did-say-to", kind: "instruction", words: "say", then: "\\s+(?:not\\s+|never\\s+)?to\\b", after: "did" },
  // Rejections.
  { name: "rejected", kind: "rejection", words: "rejected vetoed vetoes nixed scrapped shelved axed binned overruled overrode", unless: "\\s+by\\s+(?:the|a|an|his|her|my|our|their|its)\\b|\\s+(?:nothing|neither|none)\\b" },
  { name: "declined", kind: "rejection", words: "declined refused", then: "\\s+(?!by\\s+(?:the|a|an)\\b)\\S" },
  { name: "turned-down", kind: "rejection", words: "turned", then: "\\s+(?:(?!(?:heat|heating|volume|music|radio|thermostat|lights?|brightness|oven|tv|sound)\\b)[\\w'-]+\\s+){0,4}down\\b(?!\\s+(?:the\\s+)?(?:heat|volume|heating|music|thermostat|radio|lights?|brightness|oven|sound))" },
  { name: "ruled-out", kind: "rejection", words: "ruled", then: "\\s+(?:[\\w'-]+\\s+){0,3}out\\b" },
  { name: "shot-down", kind: "rejection", words: "shot struck voted", then: "\\s+(?:[\\w'-]+\\s+){0,4}down\\b" },
  { name: "threw-out", kind: "rejection", words: "threw tossed", then: "\\s+out\\s+(?:[\\w'-]+\\s+){0,3}(?:proposals?|plans?|ideas?|bids?|offers?|drafts?|designs?)\\b" },
  { name: "said-no", kind: "rejection", words: "said says", then: "\\s+(?:a\\s+(?:firm|clear|hard|flat)\\s+)?(?:no|nope|no way)\\b(?:\\s+(?:to|on|more)\\b|\\s*[.,:;!)—-]|\\s*$)" },
  { name: "objected", kind: "rejection", words: "objected objects", then: "\\s+to\\b" },
  { name: "off-the-table", kind: "rejection", words: "took taken", then: "\\s+(?:[\\w'-]+\\s+){1,6}off\\s+the\\s+table\\b" },
  { name: "struck-from", kind: "rejection", words: "struck pulled crossed", then: "\\s+(?:[\\w'-]+\\s+){1,6}(?:from|off)\\s+the\\s+(?:list|shortlist|plan|agenda|roadmap|scope)\\b" },
  { name: "dismissed", kind: "rejection", words: "dismissed disapproved", then: "\\s+\\S" },
  { name: "dropped-the-idea", kind: "rejection", words: "dropped killed ditched abandoned buried", then: "\\s+(?:the|that|this|our|my|any|all)\\s+(?:[\\w'-]+\\s+){0,4}(?:ideas?|plans?|features?|proposals?|projects?|requirements?|integration|rewrite|migration|redesign|experiment)\\b" },
  { name: "pulled-the-plug", kind: "rejection", words: "pulled", then: "\\s+the\\s+plug\\b" },
  { name: "called-off", kind: "rejection", words: "called", then: "\\s+(?:[\\w'-]+\\s+){0,4}off\\b" },
  { name: "revoked", kind: "rejection", words: "revoked rescinded retracted withdrew withdrawn", then: "\\s+(?:[\\w'-]+\\s+){0,4}(?:approval|permission|consent|decision|go-ahead|sign-off|instruction|request|agreement|ok)\\b" },
  { name: "reject-了", kind: "rejection", words: "reject veto decline", then: "\\s*[了过](?!吗|没|么)" },
  { name: "did-reject", kind: "rejection", words: "reject veto", after: "did" },
  // Prohibitions.
  { name: "forbade", kind: "prohibition", words: "forbade forbids forbidden banned bans prohibited prohibits barred disallowed outlawed", unless: "\\s+(?:from|for|by|to)\\b" },
  { name: "does-not-want-us-to", kind: "prohibition", words: "doesn't didn't don't", then: `\\s+want\\s+${AGENT}\\s+to\\b|\\s+(?:allow|permit)\\s+\\S` },
  { name: "won't-let-us", kind: "prohibition", words: "won't", then: `\\s+(?:let|allow)\\s+${AGENT}\\b` },
  { name: "does-not-want", kind: "prohibition", words: "does did do", then: `\\s+not\\s+want\\s+${AGENT}\\s+to\\b|\\s+not\\s+(?:allow|permit)\\s+\\S` },
  // Together with the user.
  { name: "we-agreed", kind: "agreement", words: "agreed", then: "(?!\\s+(?:with|between)\\b)", after: "joint" },
  { name: "we-settled-on", kind: "decision", words: "settled landed", then: "\\s+(?:on|for|upon)\\b", after: "joint" },
  { name: "we-decided", kind: "decision", words: "decided", after: "joint" },
  { name: "we-chose-together", kind: "choice", words: "chose picked", then: "\\s+(?:[\\w'-]+\\s+){1,8}together\\b", after: "joint" },
  { name: "we-locked-in", kind: "decision", words: "locked", then: "\\s+in\\b", after: "joint" },
  { name: "we-opted", kind: "choice", words: "opted", then: "\\s+(?:for|to|against)\\b", after: "joint" },
  { name: "we-went-with", kind: "choice", words: "went", then: "\\s+with\\s+(?!the\\s+flow\\b|(?:him|her|them|friends)\\b)", after: "joint" },
  { name: "we-ruled-out", kind: "rejection", words: "ruled", then: "\\s+out\\b", after: "joint" },
  { name: "we-are-going-with", kind: "choice", words: "going", then: "\\s+with\\b", after: "joint" },
];

/** What somebody prefers is no decision, unless an organization says that it is to be backed as one. */
const PREFERENCES: readonly Row[] = [
  {
    name: "prefers",
    kind: "preference",
    words: "prefers preferred likes liked loves loved dislikes disliked hates hated favours favors enjoys",
  },
];

export const ENGLISH_VERBS: ReadonlyMap<string, readonly VerbForm[]> = table(ROWS);
export const ENGLISH_PREFERENCES: ReadonlyMap<string, readonly VerbForm[]> = table(PREFERENCES);

function table(rows: readonly Row[]): Map<string, VerbForm[]> {
  const map = new Map<string, VerbForm[]>();
  for (const { name, kind, words, then, unless, after } of rows) {
    const form: VerbForm = {
      pattern: `en:${name}`,
      kind,
      ...(then === undefined ? {} : { then: new RegExp(then, "y") }),
      ...(unless === undefined ? {} : { unless: new RegExp(unless, "y") }),
      ...(after === undefined ? {} : { after }),
    };
    for (const spelled of words.split(" ")) {
      const word = spelled.replaceAll("_", " ");
      const forms = map.get(word);
      if (forms === undefined) map.set(word, [form]);
      else forms.push(form);
    }
  }
  return map;
}
