/**
 * What takes a request back, or puts it off: `Wait, no.`, `— just kidding`, `tomorrow, not now`, `once Bob approves`. Read
 * by leaving out phrase after phrase: words that say nothing more than that.
 */

/** Nothing but these says that what was asked before is not meant. */
const CORES =
  "just kidding|only kidding|kidding|just joking|only joking|joking|i was(?: only| just)? (?:joking|kidding)|jk|j k|psych|scratch that|scratch it|strike that|never mind(?: that| it| then)?|nevermind|nvm|forget (?:it|that|this|i (?:said|asked|wrote)(?: that| it| anything)?|what i (?:said|asked|wrote)|about (?:it|that)|my last (?:message|request)|the last (?:bit|part|message|line|one))|(?:ignore|disregard|forget|scratch) (?:that|this|the|my)? ?last (?:bit|part|message|line|one|sentence|request|thing)|ignore (?:that|this|it|me|my last (?:message|request)|the last (?:bit|part|message|line|one)|what i said)|ignore|disregard(?: (?:that|this|it|the last (?:bit|part|message|line|one)))?|cancel (?:that|it|this)|(?:i(?:'ve)? )?changed my mind(?: (?:about|on) (?:that|it|this))?|i have changed my mind|belay that|abort|undo that|skip (?:that|it)|drop (?:that|it)|i take (?:that|it) back|take that back|wrong (?:chat|window|thread|person|channel|tab|agent|bot)|(?:that|it|this) was(?: meant)? for (?:someone|somebody) else|(?:wasn't|was not|not) meant for you|(?:on )?second thoughts?(?: no)?|on reflection(?: no)?|or rather not|rather not|better not|maybe not|perhaps not|let's not|let us not|don't|dont|do not|no don't|please don't|don't do (?:it|that)|do not do (?:it|that)|not|leave it(?: be| alone| there| as it is| as is)?|keep it|let it be|no way|as if|hell no|absolutely not|of course not|certainly not|i didn't mean (?:it|that)|i don't mean (?:it|that)|that was a joke|it was a joke|it's a joke|bad idea|(?:this is |it's |that's |that was |it was |consider it |i'm |i was |all )?(?:just|only|merely|purely) (?:an example|for discussion|for illustration|hypothetical|a thought|a thought experiment|an idea|theory|theoretical|brainstorming|thinking out loud|thinking aloud|musing|spitballing|daydreaming|wondering)(?: here)?|(?:i'm |i was )?thinking out loud(?: here)?|hypothetically(?: speaking)?|(?:don't|do not|never) (?:actually|really) (?:do|run|execute|send|act on) (?:it|that|this|them|any of (?:it|this|that|them)|anything)|(?:das )?(?:war|ist) (?:nur|blos) (?:ein|als) (?:beispiel|gedanke|idee)|(?:era|es) solo un ejemplo|这只是(?:个|一个)?例子|只是举例|只是例子|doch nicht|lieber nicht|besser nicht|lass es(?: sein)?|lass das|lass gut sein|vergiss es|vergiss das|(?:das )?war (?:nur )?(?:ein )?(?:spas|scherz|witz)|(?:nur )?(?:ein )?(?:spas|scherz|witz)|quatsch|hat sich erledigt|kommando zuruck|falscher chat|nicht losch?en|nicht loeschen|nicht machen|ignorier(?:e)? das|mejor no|era (?:una )?broma|es broma|broma|olvidalo|olvida eso|dejalo(?: estar)?|cancela eso|cambie de idea|he cambiado de idea|me equivoque|ignora eso|no lo hagas|算了|还是算了|算了吧|开玩笑的?|开个玩笑|不用了|不要了|留着吧|取消|当我没说|说错了|发错了|打错了|还是别了|别了|我改主意了|改主意了";

/** These may also answer something else, or only put off: the request stays, and is asked about. */
const DOUBTS =
  "no|nope|nah|naw|never|stop|wait|hold on|hold off|hold it|hold that thought|hold|hang on|pause|not yet|just not yet|not just yet|not now|not today|not right now|not for now|not this week|not tonight|later|stand by|nein|nee|ne|halt|warte|moment|stopp|noch nicht|jetzt nicht|nicht jetzt|heute nicht|nicht heute|spater|espera|alto|para|todavia no|aun no|ahora no|no ahora|hoy no|mas tarde|等等|等一下|慢着|先别|先不要|先不|别|不|不是|不对|不行|停|先等等|还不行|现在不行|不是现在|先缓缓|以后再说";

const FILLERS =
  "actually|hmm+|hm+|mm+|um+|uh+|oh|ah+|oops|ups|whoops|well|sorry|please|pls|ok|okay|ha(?:ha)*|lol|lmao|and|but|or|just|really|maybe|then|so|all|everyone|thanks|thank you|my bad|my mistake|i mean|i think|i guess|i'd say|a|moment|sec|second|minute|again|though|after all|for now|that|it|this|on|i was|let me think|i need to think|aber|ach|ah|oder|also|bitte|na|ja|mal|kurz|noch|warte|tut mir leid|sorry|entschuldigung|bueno|pero|perdon|o|y|por favor|ay|un momento|不过|但是|还是|哦|啊|吧|了|的|呢|嗯|抱歉|对不起|先|那";

/** These only look so. */
const KEEPS =
  "then stop|and then stop|stop there|stop then|and stop|not later|not tomorrow|not next week|not only|not just|no later|don't wait|do not wait|no wait needed";

type Sort = "core" | "doubt" | "filler" | "keeps";

/** Alternatives within brackets stay together. */
function alternatives(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    const one = list.charAt(at);
    if (one === "(") depth += 1;
    if (one === ")") depth -= 1;
    if ((one === "|" && depth === 0) || at === list.length) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return parts;
}

const HAN = /[\u4e00-\u9fff]/;
const LISTS: readonly (readonly [Sort, readonly string[]])[] = [
  ["keeps", alternatives(KEEPS)],
  ["core", alternatives(CORES)],
  ["doubt", alternatives(DOUBTS)],
  ["filler", alternatives(FILLERS)],
];

/** Of all phrases, the longest has to be tried first. */
function phrases(isHan: boolean): {
  readonly all: RegExp;
  readonly sorts: readonly (readonly [Sort, RegExp])[];
} {
  const lists = LISTS.map(([sort, list]) => [sort, list.filter((one) => HAN.test(one) === isHan)] as const);
  const longest = lists.flatMap(([, list]) => list).sort((a, b) => b.length - a.length);
  const joined = longest.join("|");
  return {
    all: new RegExp(isHan ? `(?:${joined})` : `(?<![\\p{L}\\p{N}'])(?:${joined})(?![\\p{L}\\p{N}'])`, "gu"),
    sorts: lists.map(([sort, list]) => [sort, new RegExp(`^(?:${list.join("|")})$`, "u")] as const),
  };
}

const LATIN_PHRASES = phrases(false);
const HAN_PHRASES = phrases(true);

export type Retraction = "withdrawn" | "doubted" | null;

const LONGEST = 90;

/** Whether these words, and no others, take back or put off what was asked before. @param words folded, without marks */
export function retractionIn(words: string): Retraction {
  if (words === "" || words.length > LONGEST) return null;
  const han = HAN.test(words);
  const text = han ? words.replaceAll(" ", "") : words;
  const { all, sorts } = han ? HAN_PHRASES : LATIN_PHRASES;
  const found = new Set<Sort>();
  const rest = text.replace(all, (phrase) => {
    found.add(sorts.find(([, form]) => form.test(phrase))?.[0] ?? "filler");
    return han ? "" : " ";
  });
  if (rest.trim() !== "" || found.has("keeps")) return null;
  return found.has("core") ? "withdrawn" : found.has("doubt") ? "doubted" : null;
}

/** `Delete src/ lol jk`: without a mark before it. */
export const TRAILS = /(?:^| )(?:(?:lol|haha) )*(?:jk|just kidding|nvm|psych|scratch that|never mind)$/;

const AGREES =
  "approve[sd]?|agree[sd]?|ok(?:ay)?s?|ok'?d|okayed|says (?:yes|ok|okay|so|go|it's (?:ok|fine))|say (?:yes|ok|okay)|said (?:yes|ok|okay|so|go)|signs? off|signed off|(?:gives?|gave|given|has given) (?:\\w+ ){0,2}(?:ok|okay|go|approval|blessing|consent|permission|sign|light|nod)|confirm(?:s|ed)?|consent(?:s|ed)?|permits?|allows?|objects?|objected|vetoe[sd]|clears?|cleared|gets? back|replies|replied|responds|responded|answers?|answered|decides?|decided|is (?:ok|okay|fine) with|has (?:approved|agreed|confirmed|signed|okayed|replied|answered|decided|cleared|reviewed)";

/** A word that somebody else has still to give. */
const THIRD = new RegExp(
  `\\b(?:once|after|when|whenever|as soon as|if|until|till|unless|provided(?: that)?|assuming(?: that)?|in case|before) (?!i |i'|you |we )(?:\\w+ ){1,4}?(?:${AGREES})(?![\\w'])|\\b(?:after|with|pending|subject to|upon|following|on) (?:\\w+'s|his|her|their|legal'?s?|the \\w+'?s?) (?:\\w+ )?(?:ok|okay|approval|go ahead|sign off|consent|permission|confirmation|blessing|review)\\b|\\b(?:sobald|wenn|falls|nachdem|bis|sofern) (?!ich |du |wir )(?:\\w+ ){0,3}\\w*(?:zustimm|freigib|freigegeb|genehmig|bestatig|ok sagt|ja sagt|einverstanden|zugestimmt)|\\b(?:nach|mit) (?:freigabe|zustimmung|rucksprache|genehmigung) (?:von|durch|mit)\\b|\\b(?:cuando|si|en cuanto|hasta que|despues de que|siempre que|una vez que) (?:\\w+ ){0,4}?(?:apruebe|aprueba|confirme|confirma|autorice|autoriza|acepte|acepta|diga que si|dice que si|de el ok|da el ok)`,
  "u",
);
const THIRD_HAN =
  /(?:等|待|若|如果|只要|一旦)(?!我)[^，。]{1,8}?(?:同意|批准|确认|点头|审批|许可|答应)|(?:经|征得|得到)(?!我)[^，。]{1,8}?(?:同意|批准|确认|许可)/;

/** `when I tell you`: asked for, and not yet. `not now` is a part of its own. */
const LATER =
  /\b(?:when|once|after) i (?:tell|say|ask|let|give)\b|\bonly (?:if|when|once|after|with) (?:i|my)\b|\b(?:some other time|another time|another day|some other day|one day|someday|at some point later)\b/;

/** `Email her and you're fired.`, `When run, delete …`: a threat, or what something else is to do. */
const NOT_MEANT =
  /\band (?:you(?:'re| are|'ll be| will be) (?:fired|out|done|toast|history|dead|in trouble|sorry|finished|sacked|gone)|(?:you'll|you will) (?:regret|be sorry|see)|see what happens(?: to you)?|i(?:'ll| will) (?:fire|replace|uninstall|delete|shut|sue|kill) (?:you|it))\b|^(?:and |then |it should )?(?:when|whenever|once|every time|if|on) (?:it(?:'s| is)? |this is |the \w+ is )?(?:run|called|invoked|triggered|executed|clicked|pressed|loaded|started|used|installed|activated)\b/u;

/** Whether what a sentence asks for waits for another time, or for somebody else's word. */
export function isPutOff(words: string, bare: string): boolean {
  return NOT_MEANT.test(words) || THIRD.test(words) || LATER.test(words) || THIRD_HAN.test(bare);
}

/** `Undo: …`, `Example: …`, `Plan the move: …`: what stands behind the colon is not asked for. */
const LABELS =
  /^(?:undo|revert|cancel|skip|stop|avoid|forget|abort|prevent|ignore|rejected|declined|denied|blocked|(?:bad |for )?examples?|e g|hypothetical(?:ly)?|ideas?|options?|risks?|maybe|later|tomorrow|someday|backlog|done|already done|on hold|parked|next (?:week|month|sprint|year)|not now|not yet|never|planned|proposals?|suggestions?|plan (?:the|a|my|our) \w+(?: \w+)?|(?:write|draft|make|create) (?:a |the )?(?:plan|checklist|list|docs|guide|runbook|playbook)(?: for \w+(?: \w+)?)?|ruckgangig|abbrechen|beispiel|idee|spater|morgen|deshacer|ejemplo|idea|manana|luego|撤销|例如|以后|明天)$/u;

export const isLabelled = (words: string): boolean => LABELS.test(words);
