/**
 * Sentences that make everything wait for the person's word: `Wait for my go.`, `Nothing without my sign-off.`, `I have
 * to approve it first.` Words in between change nothing, so they are read as a frame: what holds back, and whose word.
 */
import type { Ban } from "../bans/index.ts";
import { banOf, deedsIn, type Said } from "./said.ts";

const WORD =
  "(?:ok|okay|oks|go|green light|go ahead|approval|permission|consent|confirmation|sign off|signoff|signal|say so|say|blessing|yes|nod|word|answer|reply|response|feedback|review|authori[sz]ation|instructions?|thumbs up|clearance|agreement|decision|input|call|command|cue|verdict|sanction)";
const MINE = `(?:(?:my|our)(?: \\w+){0,2} ${WORD}|${WORD} (?:from|by) (?:me|us))\\b`;
const I_DO =
  "(?:i|we|i've|i'm|we've|i'd) (?:\\w+ ){0,2}?(?:say|said|confirm|confirmed|approve|approved|agree|agreed|ok|okay|okayed|ok'd|sign|signed|give|gave|given|reply|replied|respond|responded|answer|answered|tell|told|let you|look|looked|check|checked|review|reviewed|see|seen|saw|read|had a|back|decide|decided|clear|cleared|come|get back|return|returned|wake|finish|finished|happy|ready|ask you|want you|allow|allowed|permit|green|write|type|put|press|send|nod)\\b";
const CONSENT = `(?:${MINE}|${I_DO}|\\b(?:asking|consulting|telling|notifying|checking with|hear(?:ing|d)? (?:back )?from|word from|asking for|clearing it with|running it by|involving) (?:me|us|my)\\b|\\b(?:asking|checking|permission|approval|confirmation|consent)(?: first)?$|\\bfor (?:me|us)\\b|\\bwithout me\\b)`;

const LEAD =
  "^(?:(?:please|pls|plz|let's|let us|better|ok|okay|but|and|so|then|now|just|all right|also|stop and|pause and|wait and|hey|hi|everyone|thanks|well|actually|oh|first|always|remember to|make sure to|be sure to|you (?:have to|need to|must|should)|i want you to|i need you to) )*";

/** Frames, for any of which the words have to fit. */
const FRAMES: readonly RegExp[] = [
  // Wait for my go, hold everything until I've looked at it, don't proceed until I confirm
  new RegExp(
    `${LEAD}(?:a?wait|hold|pause|stand by|standby|stay put|sit tight|hang on|stop|halt|freeze|(?:don't|dont|do not|never|let's not|not to) (?:\\w+ ){0,4}?(?:start|begin|proceed|continue|move|act|go|do|touch|execute|anything))\\b.*?(?:for|until|till|before|unless|without|to hear|my|our|pending|first)\\b.*?${CONSENT}`,
    "u",
  ),
  new RegExp(
    `${LEAD}(?:a?wait|stand by for) (?:for )?(?:${MINE}|me$|me to\\b|us to\\b|until\\b.*${CONSENT})`,
    "u",
  ),
  /^(?:please )?(?:a?wait(?:ing)?(?: for)?|pending|get|requires?|needs?|subject to|only (?:with|after|on|upon)|not without|nothing without) (?:further |explicit |written |final |prior |an? |the )*(?:approval|confirmation|permission|sign off|go ahead|green light|instructions?|orders?|ok|okay|clearance|consent|authori[sz]ation)(?: please| first)?$/u,
  /^(?:(?:please|and|but) )*(?:nothing|nobody|none of (?:it|this|that)|no \w+)\b.{0,40}\bwithout me\b/u,
  /^(?:(?:please|ok|but|and|so) )*(?:(?:put|keep|leave|hold|freeze|pause|suspend|park|stop) )?(?:everything|all(?: of)? (?:it|this|that|these)|all|this|it|that|these|the (?:whole )?(?:lot|thing|rest|task|job|work))?(?: (?:is|are|stays?|goes|remains?))? ?(?:on hold|on ice|paused|frozen|parked|suspended|postponed|pending)(?: (?:for now|please|today|until.*|till.*|right now|for the moment))*$/u,
  /^(?:(?:please|ok|but|and|so) )*(?:freeze|pause|suspend|halt|hold) (?:everything|all(?: of)? (?:it|this|that|these|them)|it all|this|the lot|things)(?: (?:for now|please|today|right now))*$/u,
  /\bauf mein\w* (?:\w+ ){0,3}?warten\b/u,
  // Wait for Anna's sign-off, don't do it until Anna has approved, not before Monday
  new RegExp(
    `${LEAD}(?:wait|hold|hold off|hold on|pause|stand by|(?:don't|do not|never|nothing|not) (?:\\w+ ){0,4}?)(?: on (?:it|this|that|them))? ?(?:for|until|till|before|without)\\b.{0,30}?(?:\\b(?:legal|management|finance|hr|compliance|the (?:boss|team|manager|client|customer|lawyers?|board)|my (?:boss|manager|team|wife|husband|partner|colleague)|tomorrow|tonight|noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next \\w+|later|morning|further notice|further instructions|approval|sign off|confirmation|permission)\\b|\\w+'s (?:\\w+ )?${WORD}\\b|\\b(?:\\w+ ){1,2}(?:has|have|had)? ?(?:\\w+ )?(?:approved?|approves|confirmed|confirms|agreed|agrees|signed off|signs off|okayed|replied|replies|answered|decided)\\b)`,
    "u",
  ),
  /^(?:please )?(?:give|grant|allow) me (?:a|an|the|some|one|time|until|till)\b.{0,40}\b(?:look|check|review|think|read|decide|first|chance|see|go over)\b/u,
  /^(?:please |always )*(?:confirm|check|verify|clear|discuss|agree|align|coordinate) (?:\w+ ){0,5}?with (?:me|us)\b/u,
  /^i (?:want|need|have|get|insist on|keep) (?:to have )?(?:the |a )?(?:last|final) (?:word|say)\b/u,
  /^(?:bitte )?(?:bevor|ehe) (?:du|ihr|sie) .*\b(?:frag|frage|fragt|melde|sag)\b/u,
  /^(?:antes de|previo a) (?:\w+ )+(?:preguntame|consultame|avisame|dime|pideme)\b/u,
  // Only after my approval, nothing without my sign-off, not until I say so
  new RegExp(
    `${LEAD}(?:only|not|nothing|none|nobody|no one|neither|never|don't|do not|no (?:\\w+ ){1,3}?|not (?:a|one) (?:\\w+ ){1,3}?|all (?:\\w+ ){0,3}?only|everything (?:\\w+ ){0,3}?only)\\b.{0,50}?\\b(?:after|once|with|when|before|until|till|without|unless|if|by|upon|on)\\b.{0,30}?${CONSENT}`,
    "u",
  ),
  // Everything needs my approval, it's subject to my approval, pending my approval
  new RegExp(
    `(?<!(?:what|which|that|who|whoever|whether|if) )\\b(?:needs?|requires?|required|subject to|pending|awaits?|awaiting|must have|has to have|depends on|conditional on|wants|goes through|go through|comes? to)\\b.{0,20}?(?:${MINE}|\\bme(?: first)?$)`,
    "u",
  ),
  new RegExp(
    `^(?:${MINE}|(?:explicit |prior |written )?(?:approval|permission|confirmation|consent|sign off|authori[sz]ation)(?: from me| by me)?)(?: for (?:\\w+ ?){1,4})?(?: is| are)?(?: \\w+)? ?(?:required|needed|necessary|mandatory|a must|comes first|first|please|before\\b.*)$`,
    "u",
  ),
  // I have to approve it first, let me approve everything before you act
  new RegExp(
    `${LEAD}(?:let me|i(?:'d| would)? (?:like|love|want|need|have|get|prefer|insist)(?: to| on)?|i must|i should|i'll|i will|i'd rather|we need to|we have to|let us) (?:\\w+ ){0,2}?(?:approve|approving|ok|okay|sign off|confirm|review|see|check|look|read|authori[sz]e|clear|go over|inspect|vet|bless)\\b.*\\b(?:first|before|beforehand|prior)\\b`,
    "u",
  ),
  new RegExp(
    `${LEAD}(?:i (?:have|need|want|must|get)(?: to)?|i must|let me|i'd like to|i would like to) (?:\\w+ )?(?:approve|ok|okay|sign off|authori[sz]e|green light|bless)(?: on)? (?:it|this|that|them|these|those|all|everything|any|each|every)\\b`,
    "u",
  ),
  // I'll tell you when to start
  new RegExp(
    `${LEAD}i(?:'ll| will| shall|'m going to| am going to)(?: \\w+)? (?:tell you|let you know|say|give you|signal|ping you|message you|get back to you|come back to you|notify you|shout|call)\\b.*\\b(?:when|once|as soon as|if|go ahead|go|green light|ok|okay|start|begin|proceed|approval)\\b`,
    "u",
  ),
  // Ask me first, run it by me beforehand, check with me each time, get my OK
  new RegExp(
    `${LEAD}(?:ask|check|check in|consult|clear|run|get|seek|obtain|request|show|tell|ping|warn|notify|propose|confirm|verify|discuss|talk)\\b.{0,30}?\\b(?:me|us|my|our)\\b.*\\b(?:first|before|beforehand|prior|each time|every time|always|up front|upfront|every step|each step|then wait)\\b`,
    "u",
  ),
  new RegExp(`${LEAD}(?:get|seek|obtain|request|ask for|have|wait on|secure) ${MINE}`, "u"),
  new RegExp(`${LEAD}(?:ask|check|confirm)(?: me)? (?:first|before|every time|each time|beforehand)\\b`, "u"),
  new RegExp(`${LEAD}first (?:ask|show|tell|check with|consult) (?:me|us)\\b`, "u"),
  /^(?:the )?(?:go ahead|green light|start signal|signal|ok|final say|last word|final word) (?:comes|will come|is|has to come) (?:from me|mine|from us)\b/u,
  // German
  /\b(?:warte|warten|abwarten|halt|pausier\w*|stopp|wart)\b.*?(?:\bauf mein\w*|\bbis ich\b|\bauf mich\b|\bbis (?:du )?(?:von mir|meine?)\b)/u,
  /\b(?:nur|erst|nichts|nicht|kein\w*|alles|jede\w*|niemals|nie)\b.*?\b(?:nach|mit|ohne|wenn|bevor|bis|sobald|uber)\b.*?(?:\bmein\w* (?:\w+ )?(?:ok|okay|freigabe|zustimmung|erlaubnis|bestatigung|genehmigung|wissen|go|einverstandnis|segen|ansage|wort|zusage|kommando|zeichen|signal)|\bruckspr\w*|\babsprache|\bfreigabe\b|\bruckfrage|\bich (?:\w+ ){0,4}?(?:zustimm\w*|bestatig\w*|freigeb\w*|freigegeb\w*|sag\w*|ok|genehmig\w*|gepruft|gesehen|draufgeschaut|antwort\w*|zuruck|meld\w*|geb\w*|da bin|erlaub\w*)|\bmich (?:\w+ )?(?:zu )?(?:ge)?frag\w*|\bzu fragen)/u,
  /^(?:bitte |immer |also |und |aber )*(?:erst|vorher|zuerst|immer)?\s*(?:frag|frage|fragen|nachfragen|rucksprache|absprechen|melde dich|sag bescheid|zeig mir)\b.*\b(?:vorher|zuerst|erst|dann|immer|jedes mal|bevor|zuvor)\b/u,
  /^(?:bitte )?(?:vorher|erst|zuerst|immer erst|jedes mal) (?:\w+ )?(?:frag|frage|fragen|nachfragen|rucksprache|absprechen|mich fragen|abstimmen)/u,
  /\bich (?:muss|will|mochte|wurde) (?:\w+ ){0,4}?(?:freigeben|genehmigen|absegnen|bestatigen|okayen|abnicken|draufschauen|drubersehen|sehen|prufen)\b(?!.*\bmir\b)/u,
  /\bich (?:sage?|gebe?|melde) (?:dir |mich |euch )?(?:\w+ )?(?:bescheid|das ok|das okay|grunes licht|wenn|sobald)/u,
  /\b(?:hol|hole|einholen|brauchst|braucht|benotigt|bedarf|erfordert)\b.*\bmein\w* (?:\w+ )?(?:ok|okay|freigabe|zustimmung|erlaubnis|bestatigung|genehmigung|einverstandnis)/u,
  // Spanish
  /^(?:por favor )?(?:espera|esperad|espere|esperen|aguarda|para|pausa|detente|alto)\b.*\b(?:mi|a que yo|a que te|a que lo|a que la|a que|hasta que|por mi|mis)\b/u,
  /\b(?:nada|no|nunca|solo|unicamente|todo|cada|ningun\w*|jamas)\b.*?\b(?:sin|con|hasta|antes|despues|cuando|si|tras|previa|previo)\b.*?(?:\bmi (?:\w+ )?(?:ok|aprobacion|permiso|confirmacion|visto bueno|autorizacion|consentimiento|senal|aviso|respuesta|okay)|\b(?:yo )?(?:lo |la |te |los |las )*(?:confirme|apruebe|diga|avise|vea|revise|autorice|responda|conteste)\b|\b(?:consultar|preguntar|avisar)me\b)/u,
  /\b(?:preguntame|consultame|avisame|pideme|consultalo|muestrame|ensename|confirmame)\b.*\b(?:antes|primero|siempre|previamente|cada vez)\b|\b(?:antes|primero|siempre)\b.*\b(?:preguntame|consultame|avisame|pideme|consultalo|confirma conmigo)\b/u,
  /\b(?:necesito|tengo que|quiero|debo|he de)\b (?:\w+ )?(?:aprobar|confirmar|revisar|autorizar|ver)\w*\b.*\b(?:antes|primero)\b|\b(?:necesito|tengo que|quiero|debo) (?:aprobar|autorizar)(?:lo|la|los|las|lo todo)?\b/u,
  /\bte (?:aviso|digo|confirmo|dire|avisare) (?:\w+ )?(?:cuando|si)\b/u,
  /\b(?:todo|cada \w+|esto|eso) (?:requiere|necesita|precisa|espera|pasa por) mi\b/u,
];

/** The same in sentences that ask for nothing besides. */
const ALONE: readonly RegExp[] = [
  // Whatever leads up to it: only, before or without the person's word
  new RegExp(`\\b(?:only|before|until|till|unless|without|not)\\b.{0,40}?(?:${MINE}|${I_DO})`, "u"),
  new RegExp(`\\b(?:before|first)\\b.{0,40}?\\b${WORD} from (?:me|us)\\b`, "u"),
];

/** Chinese, without spaces. */
const HAN_FRAMES: readonly RegExp[] = [
  /^(?:先|请)?等(?:等|一下|一等|着)?我$/,
  /(?:等|待)(?:到|待|着)?我.{0,8}?(?:确认|同意|批准|指示|通知|回复|点头|看|说|许可|消息|发话|决定|回来|审|下令|命令|答复|信号|准许|拍板)/,
  /(?:先|都要|都得|必须|需要?|务必|每.{1,4}都).{0,6}?(?:问.{0,3}我|经过?我|请示|向我|跟我.{0,3}(?:确认|商量)|让我.{0,3}(?:看|过目|确认)|给我.{0,2}(?:看|过目)|我.{0,4}(?:确认|同意|批准|点头|许可|审核|过目|授权))/,
  /(?:没有?|未经|不经|未得到|没经过|没得到|除非).{0,2}我.{0,4}?(?:同意|许可|批准|确认|允许|点头|授权|发话|指示)/,
  /(?:得到|征得|经过?|获得|取得).{0,2}我.{0,4}?(?:同意|许可|批准|确认|允许|授权)/,
  /我.{0,3}?(?:确认|同意|批准|点头|通知|看过|审核|许可).{0,3}?(?:后|再|之后|才|以前|之前)/,
];

/** Nobody has to wait: `you don't need my approval`, `send it without asking me`, `I've approved it`. */
const NO_NEED =
  /\b(?:don'?t|do not|doesn'?t|does not|no|not|without|never|needn'?t|won't)\b (?:\w+ ){0,3}?(?:need|needs|require|requires|necessary|have to|a?wait(?:ing)?)\b|\b(?:need not|no need|needn't|isn't (?:needed|required)|not (?:needed|required|necessary)|no longer|(?<!(?:until|till|before|once|after|when|unless|if) )(?:i've|i have|already) (?:\w+ )?(?:approved|confirmed|signed|okayed|reviewed|checked|agreed)|(?<!(?:until|till|before|once|after|when|unless|if) )i (?:approve|confirm|agree|consent|authori[sz]e)|anymore|any more|brauchst (?:\w+ )?(?:nicht|kein\w*)|musst (?:\w+ ){0,3}nicht|nicht (?:notig|warten)|nicht auf mich|no hace falta|no necesitas|no esperes)\b/u;
const NO_NEED_HAN =
  /不用(?:等|问|经|我)|不必(?:等|问|经)|无需|不需要|别等|我(?:已经?|都)?(?:同意|批准|确认|看过)了/;

/** The person's word is awaited; `null` where the words say nothing of the kind. */
export function waitOf(said: Said, acts = false): Ban | null {
  const { words, bare, lexicon, units } = said;
  const han = lexicon.language === "zh";
  const asks = han
    ? HAN_FRAMES.some((frame) => frame.test(bare)) && !NO_NEED_HAN.test(bare)
    : (FRAMES.some((frame) => frame.test(words)) ||
        (!acts && ALONE.some((frame) => frame.test(words)) && !TOLD.test(words))) &&
      !STALLS.test(words) &&
      !(NO_NEED.test(words) && !HOLDS.test(words));
  if (!asks) return null;
  const verbs = deedsIn(
    units.filter(({ text }) => !GIVEN.test(text)),
    lexicon,
  ).filter((verb) => !ANSWERS.test(verb));
  return banOf(
    verbs.length > 0
      ? { kind: "verbs", verbs, asks: true, first: 0, last: units.length }
      : { kind: "all", asks: true },
    units,
  );
}

/** What happened is no condition. */
const TOLD =
  /\b(?:was|were|(?:i|we|he|she|they) had|did|didn't|wasn't|thought|knew|noticed|realized|realised|never knew|didn't know)\b/u;

/** `nothing happens when I press it` reports a fault. */
const STALLS =
  /^(?:nothing|no \w+) (?:happens|works|shows|changes|appears|loads|opens|moves) (?:when|if|after|once|whenever)\b/u;

/** Words that hold back where `without`, `don't` and the like begin the sentence. */
const HOLDS =
  /^(?:(?:please|but|and|so) )*(?:nothing|none|no |not |never|nobody|don't (?:\w+ ){0,4}?(?:start|begin|proceed|continue|move|act|go|do|touch|execute|anything)|do not (?:\w+ ){0,4}?(?:start|begin|proceed|continue|move|act|go|do|touch|execute|anything))(?!.*\b(?:need|wait|require)\b)/u;

/** Words for the person's word. */
const GIVEN =
  /freigab|freigeb|freigegeb|genehmig|zustimm|bestatig|rucksprache|absprache|machen|^mach|frag|antwort|通知|回复|消息|批准|确认|同意|许可|动手|确认|发话|指示|aviso|respuesta|confirm|review|sign off|approv|^moves?$|^leg$|^los|anfangen|beginn|^tu[ne]?$|hacer|hagas|haga|^run$|^acting$/;

/** What the person does to let it go on is no deed of the agent. */
const ANSWERS = /^(?:update|fix|message|rate|test|call|assign|egress|revert|record|reply|notify)$/;
