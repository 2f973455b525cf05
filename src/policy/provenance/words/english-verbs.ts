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
  readonly words: string;
  readonly then?: string;
  readonly unless?: string;
  readonly after?: VerbForm["after"];
}

const GIVEN =
  "(?:the|a|an|his|her|their|its|my|our|me|us|you|it|this|that|full|final|explicit|written|verbal|formal|clear|prior|standing|strict|express|blanket|official|provisional|general|them|everyone|hermes|claude|agent|team|quick|firm|definite|enthusiastic|cautious)";
const LEAVE =
  "(?:go-?ahead|go ahead|green ?light|green-light|permission|consent|approval|ok|okay|o\\.k|blessing|nod|thumbs[- ]?up|thumbs[- ]?down|sign-?off|clearance|authori[sz]ation|instructions?|orders?|all-clear|all clear|word|assent|mandate|verdict|agreement|yes|no|leave|licen[cs]e|free rein|carte blanche|directions?)";

const ROWS: readonly Row[] = [
  // Decisions.
  { name: "decided", kind: "decision", words: "decided" },
  { name: "resolved", kind: "decision", words: "resolved", then: "\\s+(?:not\\s+|never\\s+)?(?:to|that|on)\\b" },
  { name: "determined", kind: "decision", words: "determined", then: "\\s+(?:not\\s+)?(?:that|to)\\b" },
  { name: "finalised", kind: "decision", words: "finalised finalized" },
  { name: "settled-on", kind: "decision", words: "settled", then: "\\s+(?:on|for|upon)\\b|\\s+(?:it|the matter|this|that)\\b" },
  { name: "landed-on", kind: "decision", words: "landed", then: "\\s+on\\b(?!\\s+(?:the\\s+)?(?:page|site|screen|homepage|tab))" },
  { name: "committed-to", kind: "decision", words: "committed", then: "\\s+to\\b(?!\\s+(?:main|master|git|the\\s+(?:repo|branch|main)))" },
  { name: "made-the-call", kind: "decision", words: "made took", then: "\\s+(?:(?:the|a|his|her|their|final|firm|that|this|executive|clear)\\s+){0,3}(?:decision|call|choice)\\b" },
  { name: "made-up-mind", kind: "decision", words: "made", then: "\\s+up\\s+(?:his|her|their|its)\\s+minds?\\b" },
  { name: "changed-mind", kind: "decision", words: "changed", then: "\\s+(?:his|her|their|its)\\s+minds?\\b" },
  { name: "reached-decision", kind: "decision", words: "reached came", then: "\\s+(?:to\\s+)?(?:a|the|his|her|their)\\s+(?:(?:final|clear|firm)\\s+)?decision\\b" },
  { name: "ruled-that", kind: "decision", words: "ruled ruling", then: "\\s+(?:that|for|against|in favou?r)\\b" },
  { name: "set-a-limit", kind: "decision", words: "set fixed imposed", then: "\\s+(?:(?!(?:up|off|out|about|alarm|reminder)\\b)[\\w'$€£%.-]+\\s+){0,4}(?:caps?|limits?|budget|deadline|ceiling|floor|maximum|minimum|max|min|threshold|rules?|policy|quota|cut-?off|curfew|freeze|ban|target date|launch date|go-live date|price|rate limit)\\b" },
  { name: "put-a-stop", kind: "prohibition", words: "put", then: "\\s+(?:a|an|the|his|her|their)\\s+(?:(?:hard|firm|full|final|temporary|permanent)\\s+)?(?:stop|hold|freeze|ban|veto|end|cap|limit|foot down)\\b" },
  { name: "put-foot-down", kind: "rejection", words: "put", then: "\\s+(?:his|her|their)\\s+foot\\s+down\\b" },
  { name: "capped", kind: "decision", words: "capped", then: "\\s+\\S" },
  { name: "did-decide", kind: "decision", words: "decide", after: "did" },
  // Choices.
  { name: "chose", kind: "choice", words: "chose" },
  { name: "chosen", kind: "choice", words: "chosen", after: "perfect" },
  { name: "picked", kind: "choice", words: "picked", unless: "\\s+(?:up|at|on|through)\\b" },
  { name: "selected", kind: "choice", words: "selected" },
  { name: "opted", kind: "choice", words: "opted", then: "\\s+(?:for|to|in|out|against|not)\\b" },
  { name: "went-with", kind: "choice", words: "went goes", then: "\\s+(?:with|for)\\s+(?!(?:a|an|the|his|her|their)\\s+(?:run|walk|swim|ride|drive|hike|jog|drink|friends?|family|wife|husband|kids)\\b)" },
  { name: "elected-to", kind: "choice", words: "elected", then: "\\s+(?:not\\s+)?(?:to|for)\\b" },
  { name: "voted", kind: "choice", words: "voted", then: "\\s+(?:for|against|to|down)\\b" },
  { name: "stuck-with", kind: "choice", words: "stuck sticks", then: "\\s+(?:with|to)\\b" },
  { name: "going-with", kind: "choice", words: "going sticking", then: "\\s+(?:with|for)\\b(?!\\s+(?:a|his|her|their)\\s+(?:run|walk|friends?|family|wife|husband|kids)\\b)", after: "be" },
  { name: "did-choose", kind: "choice", words: "choose pick select", after: "did" },
  // Agreements.
  { name: "agreed", kind: "agreement", words: "agreed" },
  { name: "agrees", kind: "agreement", words: "agrees", then: "\\s+(?:to|that|with|on|not)\\b" },
  { name: "consented", kind: "agreement", words: "consented assented acceded acquiesced", then: "\\s+to\\b" },
  { name: "accepted", kind: "agreement", words: "accepted", then: "\\s+(?:(?:the|our|my|your|this|that|both|all|a|an|latest|new|final|revised|second|first|[\\w'-]+)\\s+){1,3}(?:proposals?|plans?|offers?|quotes?|estimates?|suggestions?|changes?|drafts?|designs?|budget|recommendations?|compromise|schedule|slots?|trade-?offs?|risks?|delay|price)\\b" },
  { name: "is-fine-with", kind: "agreement", words: "fine ok okay cool good alright board comfortable", then: "\\s+with\\b", after: "be" },
  { name: "in-favour-of", kind: "agreement", words: "favour favor", then: "\\s+of\\b", after: "be" },
  { name: "did-agree", kind: "agreement", words: "agree", after: "did" },
  // Approvals.
  { name: "approved", kind: "approval", words: "approved", unless: "\\s*-?\\s*by\\b" },
  { name: "approves-of", kind: "approval", words: "approves", then: "\\s+of\\b" },
  { name: "signed-off", kind: "approval", words: "signed", then: "(?:\\s+|-)off\\b(?!\\s+with\\b)" },
  { name: "okayed", kind: "approval", words: "ok'd okayed okay'd oked ok-ed o.k.'d okd" },
  { name: "greenlit", kind: "approval", words: "greenlit greenlighted green-lit green-lighted greenlights" },
  { name: "green-lit", kind: "approval", words: "green", then: "\\s+(?:lit|lighted)\\b" },
  { name: "authorised", kind: "approval", words: "authorised authorized sanctioned endorsed ratified rubber-stamped blessed" },
  { name: "cleared", kind: "approval", words: "cleared", then: `\\s+(?:${AGENT}|it)\\s+(?:to|for)\\b` },
  { name: "waved-through", kind: "approval", words: "waved nodded", then: "\\s+(?:[\\w'-]+\\s+){0,4}through\\b" },
  { name: "gave-leave", kind: "approval", words: "gave given gives granted signalled signaled", then: `\\s+(?:(?:${GIVEN})\\s+){0,5}(?:"|')?${LEAVE}\\b` },
  { name: "said-yes", kind: "approval", words: "said", then: "\\s+(?:yes|yeah|okay|ok|sure|go ahead|go for it|fine)\\b(?:\\s+to\\b|\\s*[.,:;!)—-]|\\s*$)" },
  { name: "said-it-is-fine", kind: "approval", words: "said says", then: "\\s+(?:that\\s+)?(?:it|it's|that's|this|that|is)\\s+(?:(?:is|was)\\s+)?(?:fine|ok|okay|good to go|alright|all right)\\b" },
  { name: "did-approve", kind: "approval", words: "approve okay authorise authorize endorse", after: "did" },
  { name: "did-sign-off", kind: "approval", words: "sign", then: "\\s+off\\b(?!\\s+with\\b)", after: "did" },
  // Confirmations.
  { name: "confirmed", kind: "confirmation", words: "confirmed reconfirmed re-confirmed" },
  { name: "did-confirm", kind: "confirmation", words: "confirm", after: "did" },
  // Permissions.
  { name: "permitted", kind: "permission", words: "permitted" },
  { name: "allowed-us", kind: "permission", words: "allowed allows", then: `\\s+(?:${AGENT}|it|them)\\s+to\\b` },
  { name: "permits-us", kind: "permission", words: "permits lets", then: `\\s+${AGENT}\\s+\\S` },
  // Instructions.
  { name: "instructed", kind: "instruction", words: "instructed" },
  { name: "asked-me-to", kind: "instruction", words: "asked asks", then: `\\s+(?:(?:for\\s+)?${AGENT}\\s+)?${NOT}to\\b|\\s+(?:${AGENT}\\s+)?that\\b` },
  { name: "told-me-to", kind: "instruction", words: "told tells", then: `\\s+${AGENT}\\s+${NOT}to\\b|\\s+${AGENT}\\s*[:,]|\\s+${AGENT}\\s+(?:that\\s+)?(?:i|we|you|it)\\s+${OUGHT}\\b|\\s+${AGENT}\\s+(?:don't|never|no\\b)` },
  { name: "wants-us-to", kind: "instruction", words: "wants wanted", then: `\\s+${AGENT}\\s+${NOT}to\\b` },
  { name: "wants-all-so", kind: "instruction", words: "wants wanted", then: "\\s+(?:all|every|each|any|no|only)\\s+(?:[\\w'-]+\\s+){1,6}(?:in|to|as|with|without|under|before|after|on|by|for|kept|written|named|signed|sorted|formatted|sent|done|at|from|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|until|unless|when|per|via|[\\w-]+ed)\\b|\\s+(?:all|every|each|no)\\s+\\S+\\s*(?:[.;!]|$)" },
  { name: "wants-it-done", kind: "instruction", words: "wants wanted", then: "\\s+(?:the|our|my|these|those|this|that|his|her|their|its|it|them)\\s+(?:[\\w'-]+\\s+){0,5}(?:to\\s+(?:be|stay|remain|use|have|go|start|end|include|say|read)|kept|written|named|signed|sorted|formatted|sent|done|labelled|labeled|tagged|reviewed|prefixed|rounded|shown|merged|stored|deleted|archived|removed|rewritten|renamed|replaced|moved|pinned|split|gone)\\b" },
  { name: "would-like-us-to", kind: "instruction", words: "would'd would", then: `\\s+(?:like|prefer|rather)\\s+(?:it\\s+if\\s+)?${AGENT}\\s+(?:${NOT}to|not)?\\b` },
  { name: "needs-us-to", kind: "instruction", words: "needs expects needed expected requires required trusts", then: `\\s+${AGENT}\\s+${NOT}to\\b` },
  { name: "requires-that", kind: "instruction", words: "requires required", then: "\\s+(?:that|all|every|each)\\b" },
  { name: "reminded-us-to", kind: "instruction", words: "reminded urged warned advised begged commanded directed ordered tasked charged", then: `\\s+${AGENT}\\s+(?:${NOT}to|with|against)\\b` },
  { name: "directed-that", kind: "instruction", words: "directed ordered commanded", then: "\\s+that\\b|\\s+(?:a|an|the|all)\\s+(?:[\\w'-]+\\s+){0,3}(?:freeze|halt|stop|rollback|rewrite|audit|shutdown|clean-?up)\\b" },
  { name: "requested", kind: "instruction", words: "requested requests", unless: "\\s+(?:by|from|help|information|info)\\b" },
  { name: "demanded", kind: "instruction", words: "demanded demands mandated mandates stipulated stipulates decreed decrees" },
  { name: "specified", kind: "instruction", words: "specified specifies", then: "\\s+(?:that|the|a|an|no|all)\\b" },
  { name: "insists", kind: "instruction", words: "insisted insists", then: "\\s+(?:on|that|upon|we|i)\\b" },
  { name: "is-adamant", kind: "instruction", words: "adamant firm insistent explicit clear", then: "\\s+(?:that|about)\\b", after: "be" },
  { name: "said-to", kind: "instruction", words: "said says", then: `\\s+(?:(?:not|never|always|definitely|please|again|clearly)\\s+){0,2}to\\b(?!\\s+(?:be|have|him|her|them|me)\\b)|\\s+(?:that\\s+)?(?:we|i|you|nobody|no one|${AGENT})\\s+(?:[\\w'-]+\\s+)?${OUGHT}\\b|\\s*[:,]?\\s+["']?(?:never|don't|do not|no more|stop|always)\\s+\\S|\\s*:\\s*["']?(?:yes|no|please|only|keep|use|go ahead)\\b` },
  { name: "laid-down", kind: "instruction", words: "laid", then: "\\s+down\\b" },
  { name: "as-asked", kind: "instruction", words: "asked wanted instructed requested specified ordered said" , then: "(?=\\s*(?:[.,;:!)]|$))", after: "as" },
  { name: "did-ask", kind: "instruction", words: "ask tell instruct", then: `\\s+${AGENT}\\s+${NOT}to\\b`, after: "did" },
  { name: "did-say-to", kind: "instruction", words: "say", then: "\\s+(?:not\\s+|never\\s+)?to\\b", after: "did" },
  // Rejections.
  { name: "rejected", kind: "rejection", words: "rejected vetoed vetoes nixed scrapped shelved axed binned overruled overrode" },
  { name: "declined", kind: "rejection", words: "declined refused", then: "\\s+\\S" },
  { name: "turned-down", kind: "rejection", words: "turned", then: "\\s+(?:(?:it|that|this|them|the|both|our|my)\\s+)?(?:[\\w'-]+\\s+){0,3}down\\b(?!\\s+the\\s+(?:heat|volume|heating|music|thermostat))" },
  { name: "ruled-out", kind: "rejection", words: "ruled", then: "\\s+(?:[\\w'-]+\\s+){0,3}out\\b" },
  { name: "shot-down", kind: "rejection", words: "shot struck voted threw knocked", then: "\\s+(?:[\\w'-]+\\s+){0,4}(?:down|out|back)\\b" },
  { name: "said-no", kind: "rejection", words: "said", then: "\\s+(?:a\\s+(?:firm|clear|hard|flat)\\s+)?(?:no|nope|no way)\\b(?:\\s+(?:to|on|more)\\b|\\s*[.,:;!)—-]|\\s*$)" },
  { name: "objected", kind: "rejection", words: "objected objects", then: "\\s+to\\b" },
  { name: "opposed", kind: "rejection", words: "opposed opposes dismissed disapproved", then: "\\s+\\S" },
  { name: "is-against", kind: "rejection", words: "against", after: "be" },
  { name: "dropped-the-idea", kind: "rejection", words: "dropped killed ditched abandoned buried", then: "\\s+(?:the|that|this|our|my|any|all)\\s+(?:[\\w'-]+\\s+){0,4}(?:ideas?|plans?|features?|proposals?|projects?|requirements?|integration|rewrite|migration|redesign|experiment)\\b" },
  { name: "pulled-the-plug", kind: "rejection", words: "pulled", then: "\\s+the\\s+plug\\b" },
  { name: "called-off", kind: "rejection", words: "called", then: "\\s+(?:[\\w'-]+\\s+){0,4}off\\b" },
  { name: "revoked", kind: "rejection", words: "revoked rescinded retracted withdrew", then: "\\s+(?:[\\w'-]+\\s+){0,4}(?:approval|permission|consent|decision|go-ahead|sign-off|instruction|request|agreement|ok)\\b" },
  { name: "did-reject", kind: "rejection", words: "reject veto", after: "did" },
  // Prohibitions.
  { name: "forbade", kind: "prohibition", words: "forbade forbids forbidden banned bans prohibited prohibits barred disallowed outlawed" },
  { name: "does-not-want-us-to", kind: "prohibition", words: "doesn't didn't don't", then: `\\s+want\\s+${AGENT}\\s+to\\b|\\s+(?:allow|permit)\\s+\\S` },
  { name: "won't-let-us", kind: "prohibition", words: "won't", then: `\\s+(?:let|allow)\\s+${AGENT}\\b` },
  { name: "does-not-want", kind: "prohibition", words: "does did do", then: `\\s+not\\s+want\\s+${AGENT}\\s+to\\b|\\s+not\\s+(?:allow|permit)\\s+\\S` },
  // Together with the user.
  { name: "we-agreed", kind: "agreement", words: "agreed", then: "(?!\\s+(?:with|between)\\b)", after: "joint" },
  { name: "we-settled-on", kind: "decision", words: "settled landed", then: "\\s+(?:on|for|upon)\\b", after: "joint" },
  { name: "we-decided", kind: "decision", words: "decided", after: "joint" },
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
    for (const word of words.split(" ")) {
      const forms = map.get(word);
      if (forms === undefined) map.set(word, [form]);
      else forms.push(form);
    }
  }
  return map;
}
