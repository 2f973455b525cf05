/** Somebody who is left out: `Not Bob.`, `Anyone but bob`, `Bob must never get it`, `Keep bob out of it`, `Nothing to bob`. */

import { kindsOfNoun } from "../../objects.ts";
import type { Target } from "../../types.ts";
import type { Ban } from "../bans/index.ts";
import type { Lexicon } from "../lexicon.ts";
import { SERVICES } from "../people.ts";
import type { Unit } from "../units.ts";
import { banOf, deedsIn, type Said, saidOf } from "./said.ts";

/** Whoever talks to them is the person. */
const OWN_CONTACT =
  /^(?:(?:no|but|and|ok) )*(?:i(?:'m|'ll| will| am)? ?(?:handling|handle|talk(?:ing)? to|speak(?:ing)? (?:to|with)|tell(?:ing)?|inform(?:ing)?|deal(?:ing)? with|take care of|taking care of|contact(?:ing)?|brief(?:ing)?|writ(?:e|ing) to)|ich (?:melde mich|sag\w*|sprech\w*|rede|kummere mich|informier\w*|schreib\w*)(?: \w+){0,2}?(?: bei| um| mit)?|yo (?:le |se lo )?(?:aviso|hablo|llamo|escribo|informo|digo) ?(?:a|con)?)$/u;
const WISHES =
  /^(?:i'd prefer it if|i'd prefer|i'd rather|i don't want|i want|i'd like it if|make sure|see to it|see|ensure|please make sure)(?: that)?$/u;

const BEFORE: readonly RegExp[] = [
  /^(?:(?:please|but|and|so|just|ok|however|wait|stop|no|oh|sorry|actually|hold on|well) )*(?:(?:this|it|that)(?: is|'s)? not (?:for|to|meant for)|it's not (?:for|to|meant for)|(?:none|nothing) of (?:it|this|that|them)(?: (?:goes|is|gets|should go|may go))?(?: to| for)|not|never|except|excluding|exclude|without|skip|spare|omit|anyone but|anybody but|everyone but|everybody but|all but|everyone except|everybody except|anyone except|anybody except|anyone other than|all except|everyone other than|avoid|leave out|keep out|nothing (?:\w+ )?(?:to|for|at)|nothing (?:goes|gets|is|may be|must be|should be)(?: \w+)? to|no (?:\w+ )?(?:mails?|e mails?|emails?|messages?|copies|copy|invites?|invitations?|texts?|dms?|calls?|contact|replies|reply|post|posts|updates?|access|word)(?: \w+)? (?:to|for|with)|(?:don't|dont|do not|never|please don't) (?:ever )?(?:involve|include|tell|loop in|loop|cc|bcc|contact|add|copy|notify|email|mail|message|bother|write|write to|ping|inform|invite|address|text|call|let|give|show|send|reach|approach|mention it|mention|share|speak|talk|reply)(?: (?:it|this|that|anything|them|any of it))?(?: (?:to|with|at|in))?|stay away from|keep away from|hands off|nothing (?:should|may|must|can|is to|shall|will|ought to) (?:\w+ )?(?:reach|get to|go to|go out to|arrive at)|(?:not a|no) word (?:of (?:it|this) )?(?:to|with)|take|strike|cross|remove|drop|leave|keep|hide (?:it|this|that) from|keep (?:it|this|that) from|(?:not|never) (?:to|for|with|via))(?: to| for| at| with)?(?: (?:to|for|at|with|through))?$/u,
  /^(?:(?:bitte|aber|und|nur) )*(?:nicht|nie|niemals|nichts|keine? \w+|auser|ohne|alle auser|jeder auser|jedem auser|lass|lasst|halt|halte|sag|sage|schick|schicke|schreib)(?: (?:es|das|bitte|nichts))?(?: (?:an|fur|zu|mit|bei))?$/u,
  /^(?:(?:por favor|pero|y) )*(?:a|no a|nada a|nada para|todos menos|todos excepto|cualquiera menos|menos|excepto|salvo|sin|deja a|dejad a|no (?:\w+ )*?(?:a|para))$/u,
  /^(?:an|fur|zu|que)$/u,
  OWN_CONTACT,
  WISHES,
  /^(?:不要|别|不许|请勿|勿|不能|不准|禁止|先别|不)?(?:再)?(?:发给|告诉|让|给|通知|联系|抄送|邮件给|发邮件给|发消息给|抄送给|发到)$/u,
  /^(?:除了|除|别让|不要让|不要给|不要告诉|别告诉|别发给|别给)$/u,
];

/** What may stand behind the name, for the forms that need it. */
const BEHIND: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:please )?(?:keep|leave)$/u,
    /^(?:out|out of (?:it|this|that|the loop|all this|the thread|the email|the mail)|away from (?:it|this)|off|off (?:it|this|that|the \w+)(?: \w+)?|in the dark|alone)(?: please)?$/u,
  ],
  [
    /^(?:please )?(?:take|strike|cross|remove|drop)$/u,
    /^(?:off|from) (?:it|this|that|the|our|my) ?(?:\w+ ?){0,3}$/u,
  ],
  [/^(?:please )?spare$/u, /^(?:please|the \w+|this|that|it)?$/u],
  [
    /^(?:an|fur|zu)$/u,
    /^(?:geht|gehen|kommt|wird|schickst du|schicken wir) (?:\w+ ){0,2}?(?:nichts|nicht|kein\w*)\b.*$/u,
  ],
  [/^que$/u, /^no (?:se entere|lo sepa|sepa|reciba|lo reciba|lo vea|se le).*$/u],
  [
    /^(?:bitte )?(?:lass|lasst|halt|halte)$/u,
    /^(?:da |bitte |aus allem |aus der sache )*(?:raus|drausen|heraus|ausen vor|in ruhe|aus (?:der sache|dem verteiler|allem))$/u,
  ],
  [/^(?:sag|sage|schick|schicke|schreib)$/u, /^(?:bitte )?(?:nichts|nicht|keine?\b.*)$/u],
  [/^(?:por favor )?(?:deja|dejad) a$/u, /^(?:fuera|fuera de (?:esto|eso)|en paz|al margen)$/u],
  [/^(?:(?:pero|y) )?a$/u, /^(?:no|nada|nunca|no le .*|nada de esto)$/u],
  [/^(?:除了|除)$/u, /^(?:.{0,8})$/u],
  [/(?:让|让)$/u, /^(?:知道|看到|收到|看见|参与).{0,2}$/u],
];

/** What is said of somebody who is not to have it. */
const SAID_OF: readonly RegExp[] = [
  /^(?:must|may|should|shall|can|will|is|are|ought|has|needs|isn't|mustn't|shouldn't|can't|cannot|won't|may not|must not|must never|should not|should never|is not|is not to|isn't to|will not|can not|not)\b.*\b(?:not|never|nothing|no|n't|isn't|mustn't|shouldn't|can't|cannot|won't)?\b.*\b(?:get|gets|receive|receives|see|sees|have|has|know|hear|learn|find out|read|be (?:\w+ )?(?:contacted|emailed|mailed|told|informed|notified|included|involved|messaged|invited|added|copied|cc'd|addressed|written)|recipient|addressee|part of|involved|included|allowed|on the list|off limits|out)\b.*$/u,
  /^(?:gets?|receives?|is to get|shall get|should get|will get|has to get) (?:nothing|no \w+|none)\b.*$/u,
  /^(?:is|are) (?:off limits|out|excluded|taboo|banned|not (?:a |an )?(?:recipient|addressee|included|invited|on the list|allowed|involved|part of (?:it|this)))\b.*$/u,
  /^(?:doesn't|does not|needn't|need not|shouldn't|won't) (?:need|have|get) (?:it|this|that|to know|to see|to hear|a copy|one|any of (?:it|this))\b.*$/u,
  /^(?:bitte |noch |lieber )*nicht (?:einweihen|informieren|anschreiben|kontaktieren|benachrichtigen|einladen|anrufen|einbeziehen|in cc setzen|auf cc setzen|anmailen|beteiligen)$/u,
  /^(?:fuera|fuera de (?:esto|eso)|al margen)$/u,
  /^(?:hears?|learns?|gets?|finds out) (?:it|this|that|the news|about it) (?:only )?from me\b.*$/u,
  /^(?:stays?|remains?) (?:out|out of it|out of this|off the list|excluded|in the dark)\b.*$/u,
  /^(?:bekommt|kriegt|erhalt|erhaelt) (?:das |es |davon |die |den )*(?:nichts|nicht|kein\w*|nie)\b.*$/u,
  /^(?:darf|soll|sollte|muss|kann) (?:\w+ ){0,4}?(?:nichts|nicht|kein\w*|nie|niemals)\b.*(?:bekommen|erfahren|sehen|kriegen|wissen|lesen|erhalten|kontaktier\w*|angeschrieben|informier\w*|werden|haben)$/u,
  /^(?:bleibt|ist) (?:\w+ )?(?:drausen|ausen vor|raus|tabu|ausgeschlossen)$/u,
  /^(?:no|nunca|jamas) (?:debe|puede|deberia|tiene que|ha de|va a)\b.*(?:recibir|ver|saber|enterar|leer|tener|recibirlo|verlo|saberlo|enterarse)\w*$/u,
  /^(?:no|nunca) (?:recibe|debe|ve|se entera|esta incluid\w)\b.*$/u,
  /^(?:不能|不该|不可以|不许|不应|不得|不准|别|不要).{0,3}(?:收到|看到|知道|参与|收|看|得到).{0,3}$/u,
];
const NEGATED =
  /\b(?:not|never|nothing|no|isn't|mustn't|shouldn't|can't|cannot|won't|out|excluded|taboo|banned|off limits|nicht|nichts|nie|niemals|kein\w*|drausen|raus|vor|ausgeschlossen|tabu|nunca|jamas|fuera|margen|from me|doesn't|needn't|need not)\b|不|别/u;

const MOST_NAME = 3;

/** A word that no table knows, or one with a capital, where somebody is named. */
function isName(unit: Unit | undefined, lexicon: Lexicon): boolean {
  if (unit === undefined) return false;
  if (/^(?:email|handle|phone|channel)$/.test(unit.token.kind)) return true;
  if (unit.token.kind !== "word" || SERVICES.test(unit.text) || NO_NAMES.test(unit.text)) return false;
  if (!/^\p{L}[\p{L}'.-]*$/u.test(unit.text)) return false;
  if (unit.senses.length === 0)
    return deedsIn([unit], lexicon).length === 0 && kindsOfNoun(unit.text).length === 0;
  // Where every noun has a capital, a name is a word that no table knows.
  return (
    lexicon.language !== "de" &&
    unit.isName &&
    kindsOfNoun(unit.text).length === 0 &&
    NAMED_TOO.test(unit.text)
  );
}

/** First names that are words besides. */
const NAMED_TOO =
  /^(?:bill|mark|pat|rob|chase|grant|will|may|june|april|mike|art|drew|frank|rich|sue|faith|grace|hope|joy|rose|jack|max|bob|dean|earl|gene|guy|miles|ray|ruth|wade|iris|ivy|penny|victor)$/;

const NO_NAMES =
  /^(?:origin|main|master|production|prod|staging|upstream|everything|necessarily|exactly|really|quite|sure|great|bad|perfect|ideal|urgent|important|required|possible|true|fair|likely|available|affected|others|other|deadline|worth|clear|enough|much|many|too|there|here|only|even|because|sorry|fine|good|docker|npm|internet|network|web|cloud|production|mir|dir|uns|ihm|ihr|alles|etwas|heute|morgen|favor|nadie|todos|eso|esto|nada|más|mas|mal)$/;

export function leftOut(said: Said, text: string): Ban | null {
  const { units, lexicon } = said;
  const words = units.filter(({ token }) => token.kind !== "punct" && token.kind !== "break");
  if (words.length < 2 || words.length > 14) return null;
  for (let at = 0; at < words.length; at++) {
    const before = shown(words.slice(0, at), said);
    for (
      let to = at + 1;
      to <= words.length && to - at <= MOST_NAME && isName(words[to - 1], lexicon);
      to++
    ) {
      const behind = shown(words.slice(to), said);
      const led = at > 0 && BEFORE.some((form) => form.test(before)) && fits(before, behind);
      const told =
        /^(?:(?:and|but|please|und|aber|y|pero) )*$/u.test(before === "" ? "" : `${before} `) &&
        NEGATED.test(behind) &&
        SAID_OF.some((form) => form.test(behind));
      if (led || told) return banOf({ kind: "all" }, units, namesOf(words.slice(at, to), text));
    }
  }
  return null;

  function shown(part: readonly Unit[], { lexicon: known }: Said): string {
    const { words: spaced, bare } = saidOf(part, known);
    return lexicon.language === "zh" ? bare : spaced;
  }
}

function fits(before: string, behind: string): boolean {
  if (OWN_CONTACT.test(before))
    return /^(?:(?:myself|in person|personally|directly|later|tomorrow|already|selbst|selber|bescheid|mism[oa]) ?)*$/u.test(
      behind,
    );
  if (WISHES.test(before))
    return /^(?:didn't|did not|doesn't|does not|not|never|to (?:not|never)|isn't|gets? no|hears? no|knows? no)\b.*\b(?:get|gets|hear|hears|know|knows|receive|receives|see|sees|told|emailed|mailed|contacted|nothing)\b.*$/u.test(
      behind,
    );
  const needs = BEHIND.filter(([form]) => form.test(before));
  if (needs.length > 0) return needs.some(([, form]) => form.test(behind));
  return (
    behind === "" ||
    /^(?:please|either|ever|again|yet|though|anymore|any more|at all|about (?:it|this|that|any of (?:it|this))|in|on (?:it|this)|know|know about (?:it|this)|see (?:it|this)|have (?:it|this)|this time|today|anything|bitte|mehr|davon|darüber|daruber|nichts|por favor|nada|todavia|of course|he is away|she is away)$/u.test(
      behind,
    ) ||
    /^(?:都|可以|也|邮件|消息|了|看|知道|。)*$/u.test(behind)
  );
}

function namesOf(units: readonly Unit[], text: string): Target[] {
  const addresses = units.filter(({ token }) => token.kind !== "word");
  if (addresses.length > 0)
    return addresses.map(({ start, end }) => ({ kind: "recipient", text: text.slice(start, end) }));
  const first = units[0];
  if (first === undefined) return [];
  // `Lena Koch` is whoever is given by either name.
  return units
    .map(({ start, end }) => ({
      kind: "recipient" as const,
      // `Bob's not to know`
      text: text.slice(start, end).replace(/['’]s$/u, ""),
    }))
    .slice(0, 2);
}
