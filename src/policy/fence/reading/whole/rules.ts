/**
 * Rules without anybody who is told to keep them: `Nothing goes to origin.`, `Dry run only.`, `Make sure nothing is sent`,
 * `Verschickt wird nichts`, `Que no salga`, `The email is off`.
 */
import { kindsOfNoun } from "../../objects.ts";
import type { Ban } from "../bans/index.ts";
import { has, type Unit } from "../units.ts";
import { banOf, deedsIn, type Said, saidOf } from "./said.ts";

const LEAD =
  "^(?:(?:please|and|but|so|ok|also|just|only|for now|now|then|this is|it's|it is|consider (?:this|it)|treat (?:this|it) as|do|make it|keep it|let's|let's do|bitte|und|aber|nur|solo|por favor|heute) )*";

/** Nothing is to be done at all. */
const STILL: readonly RegExp[] = [
  new RegExp(
    `${LEAD}(?:a )?(?:dry ?run|trial run|rehearsal|simulation|what if|no ?op|read ?through)(?: (?:only|mode|please|first|for now|today|run))*$`,
    "u",
  ),
  new RegExp(
    `${LEAD}(?:simulate|pretend|rehearse|simulating|simulation)(?: (?:it|this|that|only|everything|all of (?:it|this)|the \\w+|please|first|for now))*$`,
    "u",
  ),
  /^(?:(?:please|and|but|just|so|ok) )*(?:be|stay|remain|work|keep|run|go|act|operate|stick to|stays|everything is|all is|everything stays) (?:strictly |purely |in )?(?:it |this |all |everything )?(?:in )?(?:strictly )?(?:read only|readonly|observation|passive|hands off|look only)(?: (?:mode|please|for now|today|only))*$/u,
  /^(?:(?:please|just|only) )*(?:look|looking|watch|observe|read|inspect|browse) (?:but |and |only |around )*(?:do not|don't|dont|never|not|no) (?:touch|touching|change|changing|edit|act|modify|do)(?: (?:it|anything|things|a thing))?$/u,
  /^(?:es )?bleibt alles(?: so)? wie es ist$|^alles (?:bleibt )?so lassen$|^alles bleibt(?: so)? wie es ist$|^(?:bitte )?lass(?:t)? alles (?:so )?(?:wie es ist|stehen|liegen)$|^(?:bleib|bleibe) (?:im|in dem) (?:lesemodus|nur lesen modus)$|^(?:nur )?(?:ein )?(?:probelauf|trockenlauf|testlauf|simulation)(?: bitte| nur)?$|^(?:bitte )?nur (?:simulieren|so tun als ob)$/u,
  /^(?:solo |es |haz )*(?:una? )?(?:simulacro|simulacion|ensayo|prueba en seco)$|^todo (?:se queda|queda) (?:como esta|igual)$/u,
];
const STILL_HAN =
  /^(?:只是?|仅|请)?(?:模拟|演练|试运行|预演|空跑)(?:一下|而已|就好|就行)?$|^一切(?:照旧|保持原样|不变)$|^(?:不要|别)执行任何操作$/;

/** All of it is for another time. */
const PUT_OFF =
  /^(?:(?:please|ok|but|let's|we'll|we will|we can|you can|just) )*(?:do (?:it|this|that|them|all (?:of )?(?:it|this|that))(?: all)? )?(?:later|tomorrow|another (?:time|day)|some other (?:time|day)|next (?:week|month|time)|not today|not before|not until|not till|on monday)(?: (?:please|not today|not now|then|today|instead|noon|monday|tomorrow|next week|\w+day))*$|^(?:bitte |dann |erst )*(?:spater|morgen|nachste woche|ein andermal|nicht heute|nicht jetzt|nicht vor \w+)(?: bitte)?$|^(?:mejor )?(?:mas tarde|manana|otro dia|hoy no|ahora no)(?: por favor)?$/u;
const NOT_YET_DE =
  /^(?:bitte |also |und |jetzt )*(?:(?:mach|mache|tu|tue|unternimm) )?(?:noch |erstmal |erst mal |vorerst |jetzt |bitte )+(?:nichts|nicht)(?: (?:machen|tun|unternehmen|anfangen|loslegen|beginnen|starten|anstellen))?$/u;
const NOT_YET_HAN =
  /^(?:.{0,8}[，,])?(?:先别|先不要|暂时别|暂时不要|还不要|先不)(?:做|动|执行|操作|行动|开始|动手)(?:了)?$|^(?:以后再说|改天|明天再说|下次再说|等我回来再说)$/;

/** Nothing is to leave this machine. */
const INSIDE: readonly RegExp[] = [
  new RegExp(
    `${LEAD}(?:no|without|zero|not any) (?:\\w+ ){0,2}?(?:network|internet|web|online|outbound|external|egress|uploads?|connections?|outside world)(?: (?:access|calls?|requests?|traffic|connections?|use|at all|please|today|services?|apis?|communication|effects?))*$`,
    "u",
  ),
  new RegExp(
    `${LEAD}(?:stay|work|remain|be|keep|go|run|do|everything|all)(?: \\w+){0,3}? (?:offline|off the (?:network|internet|grid|web|net)|off line|on this machine|on my machine|on this computer|on this laptop|on this box|in this (?:folder|directory|sandbox|container)|in the sandbox|within the sandbox|local|locally|in house)(?: (?:please|only|for now|today))*$`,
    "u",
  ),
  new RegExp(
    `${LEAD}(?:offline|local|sandbox|local machine|this machine)(?: (?:only|mode|please|work|for now))+$`,
    "u",
  ),
  /^(?:(?:please|and|but|so) )*(?:nothing|no data|none of (?:it|this)|no (?:\w+ )?(?:files?|code|results?)) (?:\w+ ){0,2}?(?:external|public|remote|outside|outbound|outgoing|online|leaves?|goes (?:out|online|anywhere|public)|gets out|to the (?:outside|internet|cloud|web)|on the (?:internet|web))\b.*$/u,
  /^(?:(?:please|and|but|so) )*(?:don't|do not|dont|never|not) (?:\w+ ){0,3}?(?:online|public|to the (?:cloud|internet|web|outside)|on the (?:internet|web)|off this machine|out of (?:here|this machine|the house))\b.*$/u,
  /^(?:nichts|kein\w*) (?:\w+ ){0,3}?(?:raus|hinaus|nach ausen|ins internet|ins netz|in die cloud|online|offentlich|extern)\b.*$|^(?:bitte )?(?:kein|ohne) (?:internet|netz|netzwerk|netzzugriff|online)\w*$|^(?:bitte )?(?:bleib|bleibe|arbeite|alles|nur) (?:\w+ )?(?:offline|lokal)$|^(?:alles|das|es) bleibt (?:\w+ )?(?:lokal|hier|intern|auf (?:dem|diesem|meinem) \w+)$/u,
  /^(?:sin|nada de) (?:red|internet|conexion\w*)$|^(?:trabaja|todo|solo|queda|quedate) (?:\w+ )?(?:sin conexion|offline|en local|local)$|^(?:que )?nada (?:salga|sale|se publique|vaya) (?:de aqui|fuera|a internet|de este equipo|de esta maquina)?$/u,
];
const INSIDE_HAN =
  /(?:不要|别|禁止|不许|不能|不得)(?:联网|上网|连网|连接网络|外传|离开本机|公开)|^(?:离线|本地|断网)(?:操作|工作|处理|进行)?$|只在本地|仅限本地|不联网/;

const REMOTE =
  "(?:origin|upstream|(?:the )?remotes?|(?:the )?(?:remote )?(?:repo|repository) on \\w+|git ?hub|git ?lab|bitbucket)";
/** Nothing is to be pushed. */
const HERE: readonly RegExp[] = [
  new RegExp(
    `${LEAD}(?:nothing|none|no \\w+|not|never|don't|do not|dont|keep|stay|leave|hands|without|nada|nichts|nicht|kein\\w*|no)\\b.{0,50}?\\b(?:to|off|on|at|with|touch|alone|of|a|en|auf|nach|an|zu|from|contact|use|update)?\\b ?${REMOTE}(?: (?:please|for now|today|yet|at all|anymore|any more|either|alone|main|master|nichts|bitte))*$`,
    "u",
  ),
  new RegExp(
    `^${REMOTE} (?:is|stays|remains) (?:\\w+ )?(?:off limits|taboo|untouched|as it is|out of bounds|off the table|frozen|read only|not (?:\\w+ ?)+)$`,
    "u",
  ),
  /\bcommits?(?:ted|ting)?\b.{0,30}\b(?:local|locally|lokal|en local)\b(?: only)?|\b(?:local|locally|lokal|lokale) (?:\w+ )?(?:commits?|committen|changes)(?: only)?$|\bonly commit\b.{0,20}\blocal/u,
  /^(?:(?:please|and|but|so) )*(?:just commit|only commit|commit only|nur committen|solo commit)(?: (?:it|this|them|please|for now|the \w+))*$/u,
  new RegExp(
    `${LEAD}(?:keep|leave) (?:\\w+ ){0,3}?(?:unpushed|on this branch)(?: (?:for now|please|only))?$`,
    "u",
  ),
];
const HERE_HAN =
  /(?:不要|别|不许|不准|禁止|先别|暂时不|不)(?:推|push|传到远程|动远程)|(?:只|仅)(?:在)?本地(?:提交|commit)/;
const GIT_HOSTS = /\bgit ?hub\b|\bgit ?lab\b|\bbitbucket\b/u;

/** Frames of a rule; whatever is done in it is forbidden. */
const RULES: Readonly<Record<"en" | "de" | "es", readonly RegExp[]>> = {
  en: [
    /^(?:(?:please|and|but|so) )*(?:don't|do not|dont|never)\b.*$/u,
    /^(?:(?:please|and|but|so) )*(?:don't|do not|dont|never) (?:ever )?(?:spend|lose)\b.*$/u,
    /^(?:i'd|i would|we'd) hate to \w+\b.*$|^(?:i|we) (?:can't|cannot|can't afford to|don't want to|mustn't) (?:lose|risk losing)\b.*$/u,
    /^.{1,60}\b(?:comes?|follows?|happens?|goes) (?:later|tomorrow|another time|next week|on monday|last)$/u,
    /^(?:(?:please|and|but|so|just|ok) )*(?:make sure|see to it|see|ensure|be sure|take care|mind|i (?:want|insist|expect|prefer|trust|hope|need)|i'd (?:like|rather|prefer)|i would (?:like|rather|prefer)|we (?:want|need)|it's important|it is important|whatever (?:you do|happens)|in any case|in no case|at no point|at no time|by no means|under no circumstances|on no account|in no event|no matter what)(?: that| then)? .*\b(?:nothing|nobody|no one|none|no|not|never|isn't|aren't|doesn't|don't|won't|neither|nor|at no|no way)\b.*$/u,
    /^(?:in no case|at no point|at no time|by no means|under no circumstances|on no account|in no event|never ever|no way|not a chance)\b.*$/u,
    /^(?:(?:please|and|but|so|from now on|today) )*(?:nothing|nobody|no one|none|no (?:\w+ ){1,2}?|neither|not a single \w+|not one \w+)\b ?(?:\w+ )?(?:is|are|gets?|goes?|will|shall|must|may|can|should|ought|leaves?|has to|needs to|to be|hears?|receives?|sees?)\b.*$/u,
    /^.{1,60}\b(?:must|may|should|shall|ought)(?: not|n't| never| under no circumstances| in no case| on no account)(?: yet| ever| to| be| get| have been| go| under any circumstances)*\b.*$/u,
    /^.{1,60}(?:'s|\b(?:can|cannot|can't|will|won't|is|are|isn't|aren't))(?: not| never)?(?: (?:to|yet|ever|allowed|permitted|supposed|meant))*(?: be| get| go out)\b.*$/u,
    /^.{1,60}\b(?:stays?|remains?|is|are|has to stay|have to stay) (?:off|out|disabled|unsent|in drafts?|in the drafts?(?: folder)?|unpublished|unpushed|banned|suspended|paused|on hold|on ice|parked|stopped|halted|cancelled|canceled|postponed|called off|scrapped|shelved|not happening|a no go|blocked|frozen|taboo|off the table|not (?:ok|okay|wanted|welcome|an option|acceptable|allowed|permitted)|unwanted|out of the question|no longer (?:needed|necessary|required|wanted))\b.*$/u,
  ],
  de: [
    /^.*(?<!\p{L})(?:wird|werden|darf|durfen|duerfen|soll|sollen|kann|konnen|geht|gehen|kommt|kommen|tust|machst)\b.*\b(?:nichts|nicht|kein\w*|niemand\w*|nie|niemals)\b.*$/u,
    /^\w+ (?:wird|werden|darf|tust|machst) (?:\w+ ){0,3}?(?:nichts|nicht|kein\w*|niemand\w*|nie|niemals|erst)\b.*$/u,
    /^(?:bitte |und |aber )*(?:nichts|kein\w*|niemand\w*)\b.*$/u,
    /^.*\b(?:verboten|untersagt|tabu|nicht erlaubt|nicht gestattet)$/u,
    /^.*(?<!\p{L})(?:stoppen|zuruckhalten|zurueckhalten|sein lassen|bleiben lassen|unterlassen|aussetzen|zuruckstellen|verschieben|aufschieben)$/u,
    /^(?:bitte |und |aber )*(?:\w+ ){0,4}?(?:noch |bitte |doch |jetzt |heute |vorerst |erst mal |erstmal |lieber |besser |auf keinen fall )*(?:nicht|nichts)(?: mehr| jetzt| heute| noch)?$/u,
    /^(?:schreib|schreibe|ander|andere|losch|losche|schick|schicke|sende|push|pushe|teil|teile|kauf|kaufe|zahl|zahle|bezahl|bezahle|poste|fass|speicher|speichere|verschick|verschicke|mach|tu)\b.*\b(?:nichts|nicht|niemand\w*|kein\w*|nie)\b.*$/u,
    /^.*\b(?:bleibt|bleiben)(?: \w+){0,3}$/u,
  ],
  es: [
    /^(?:por favor |y |pero )*(?:que )?(?:no|nunca|nadie|nada|ningun\w*|jamas|tampoco|ni)\b.*$/u,
    /^.*\bno se (?:le |les |lo |la )?\w+.*$|^(?:que|sin) (?:no |nadie |nada )?\w+.*$|^.*\b(?:nada se|nadie|prohibido|prohibida|queda prohibid\w)\b.*$|^.*\b(?:todavia|aun|por ahora|de momento|hoy|mejor) no$|^(?:el|la|los|las) \w+ (?:\w+ )?(?:ya )?no (?:hace falta|hacen falta|es necesari\w|se necesita)$|^(?:deja|aplaza|pospon|aparca|olvida|cancela|para|suspende) (?:el|la|los|las|lo del|lo de) .*$/u,
  ],
};
const RULES_HAN =
  /(?:不要|别|不许|不准|不能|不得|禁止|勿|暂不|暂时不|先不|先别|一律不|都不|不再|不用|不必)|^.{0,8}不(?:发|删|推|付|写|改|动|买|分享|部署|上传|公开|执行)(?:了|出去)?$|^(?:取消|停止|暂停|推迟|搁置)|(?:先放着|先放一放|缓一缓|先搁着|以后再说|先等等|留着)$/;

/** One thing that is not wanted any more: `never mind the email`, `the email is no longer needed`, `let's leave the push`. */
const ONE_THING: readonly RegExp[] = [
  /^(?:the )?(?:e?mail|push|deploy|tweet|post|release|upload)'s (?:off|cancelled|canceled|out|on hold|not happening|no longer needed|dead)(?: (?:now|today|for now|after all))?$/u,
  /^(?:please )?(?:keep|leave|hold|park|put) (?:the|that|this|all) \w+ (?:in|as|into) (?:the |my |a )?(?:outbox|drafts?|draft folder|drafts folder|queue)\b.*$/u,
  /^(?:(?:die|den|das|der) )?\w+ (?:bitte )?(?:nur|blos|lediglich|erstmal nur) (?:als )?(?:entwurf|entwurfe|vorbereiten|vorschlag|aufsetzen)$/u,
  /^(?:(?:die|den|das|der|das mit der|das mit dem) )?\w+ (?:lassen wir|lass|lasst)(?: \w+){0,2}$/u,
  /^(?:el|la|los|las|lo del|lo de la|lo de) \w+ (?:mejor |todavia |aun |ya |por ahora |hoy )*no$/u,
  /^(?:(?:bitte|den|die|das|der) )*\w+ (?:bitte |vorerst |erst mal |erstmal |heute |noch |jetzt |lieber )*(?:stoppen|zuruckhalten|zurueckhalten|lassen|sein lassen|aussetzen|zuruckstellen|verschieben|aufschieben|streichen|weglassen)(?: bitte)?$/u,
  /^(?:(?:please|ok|actually|oh|but|and|so|well|sorry|let's|let us|just|we can|you can|we'll|we will|on second thoughts?|i think we can|only) )*(?:never mind|nevermind|nvm|forget(?: about)?|skip|drop|scratch|cancel|scrap|mute|silence|disable|suppress|withhold|leave out|leave|hold|hold back|hold off on|park|pause|postpone|delay|put off|shelve|kill|stop|abort|ditch|nix|omit|don't bother with|don't bother about|no need for|put|strike|disregard|ignore|suspend|call off) (?:the|that|this|any|all|your|my|sending|those|these|out the)? ?(?:\w+ )?(?:e mails?|emails?|mails?|mailing|messages?|push|pushes|pushing|deploy|deployment|upload|uploads|commit|commits|tweet|post|newsletter|sending|reply|replies|announcement|send|release|merge)\b(?: (?:for now|for the moment|for today|for later|then|please|part|bit|thing|on hold|on ice|aside|altogether|entirely|after all|until later|till later|till tomorrow|until tomorrow|for tomorrow|for monday|for next week|for another (?:day|time)|some other time|step|back|off|anymore|any more|to \\w+|out|alone|be))*$/u,
  /^(?:(?:and|but|so|ok|actually|well) )*(?:the|that|this|all|any)? ?(?:\w+ )?(?:e mails?|emails?|mails?|mailing|messages?|push|pushes|deploy|deployment|upload|tweet|post|newsletter|reply|announcement|release|merge) (?:comes? later|is for later|happens later|follows later|can wait|has to wait|must wait|will have to wait|is off|are off|is cancelled|is canceled|is not needed|isn't needed|is no longer \w+|are no longer \w+|is obsolete|is unnecessary|isn't necessary|is not necessary|won't be needed|is on hold|can be skipped|is out|not yet|not now|not today|later)(?: (?:anymore|any more|after all|for now|now|today))*$/u,
  /^(?:not the|no(?! not\b)|not that|without the|minus the|only not the|just not the) \w+(?: \w+)?$/u,
  /^(?:don't|do not|dont|please don't) do (?:the|that|any) .*$/u,
  /^(?:only )?the \w+ (?:is|was) (?:cancelled|canceled|off|dropped|scrapped)$/u,
  /^(?:bitte |und |aber |nur )*(?:lass|lasst|vergiss|streich|streiche|verschieb|verschiebe|stopp|stoppe|storniere|lasse) (?:die|den|das|mal die|erstmal die) .*$/u,
  /^(?:die|der|das|den) \w+ (?:\w+ )*?(?:doch nicht|noch nicht|kann warten|konnen warten|brauch\w* (?:ich|wir) (?:\w+ )*?nicht(?: mehr)?|ist (?:nicht mehr notig|hinfallig|gestrichen|abgesagt)|entfallt|lassen wir|nicht mehr|jetzt nicht|heute nicht|erst spater|spater)(?: mehr)?$/u,
];
/** The same, in sentences that ask for nothing besides. */
const NOT_THAT: readonly RegExp[] = [
  /^(?:(?:and|but|so|ok|actually|well) )*(?:i|we) (?:don't|do not|no longer|won't|will not) (?:need|want|require|be sending|be pushing|be emailing|send|push|do)\b.*$/u,
  /^(?:do )?(?:everything|all|anything)(?: of (?:it|that|this))? (?:but|except|except for|apart from|besides|other than|minus|bar|excluding|without) .*$/u,
];
const ONE_HAN =
  /^(?:邮件|消息|短信|推送|部署|付款|上传|发布)(?:先|暂时|就|都|还是|现在)*(?:放着|放一放|等等|算了|不用了|不要了|别发了?|不用发了?|不发了?|取消|缓缓|以后再说|不急)(?:吧|了)?$|^(?:取消|停止|暂停|先别|先不)(?:发送|发|推送|部署|付款|上传|发布)/;

/** What happened, what somebody else does, what is only said. */
const STORY =
  /\b(?:was|were|had|did|didn't|wasn't|weren't|hasn't|haven't|has been|have been|couldn't|yesterday|so far|yet to|wurde|wurden|war|waren|hatte|hat|haben|habe|gestern|bisher|fue|fueron|ha|han|habia|ayer|\w+(?:dio|pondio|testo|aron|ieron|aba|aban))\b|(?:i|he|she|they) (?:can't|cannot|don't|doesn't|couldn't|do not|does not)\b|没有|没|过$|昨天/u;

/** That nothing is to be done, or nothing to leave this place: said of all that is asked, in any clause. */
export function frameOf(said: Said, acts: boolean): Ban | null {
  const { words, bare, units, lexicon } = said;
  const han = lexicon.language === "zh";
  if (han && acts && !ONE_HAN.test(bare)) return null;
  const fits = (forms: readonly RegExp[], form: RegExp): boolean =>
    han ? form.test(bare) : forms.some((one) => one.test(words));
  if (fits(STILL, STILL_HAN)) return banOf({ kind: "all" }, units);
  if (!acts && fits([PUT_OFF, NOT_YET_DE], NOT_YET_HAN)) return banOf({ kind: "all", asks: true }, units);
  if (fits(HERE, HERE_HAN))
    return banOf({ kind: GIT_HOSTS.test(words) ? "service" : "verbs", verbs: ["push"] }, units);
  if (fits(INSIDE, INSIDE_HAN)) return banOf({ kind: "egress" }, units);
  if (!han && WRITES.test(words)) return banOf({ kind: "verbs", verbs: ["message", "write"] }, units);
  if (fits(ONE_THING, ONE_HAN)) return forbidding(said, true);
  return !acts && !han && NOT_THAT.some((form) => form.test(words)) ? forbidding(said, true) : null;
}

/** To write is to write to somebody, or a file. */
const WRITES =
  /^(?:bitte |und |aber |por favor )*(?:schreib\w*|no escribas?) (?:bitte |jetzt |noch |mir )*(?:nichts|nada|nicht|keine?)?$/u;

export function ruleOf(said: Said): Ban | null {
  const { words, bare, units, lexicon } = said;
  const han = lexicon.language === "zh";
  const fits = (forms: readonly RegExp[], form: RegExp): boolean =>
    han ? form.test(bare) : forms.some((one) => one.test(words));
  if (STORY.test(han ? bare : words) && !WISHES.test(words)) return null;
  if (!han && REACHES.test(words)) return banOf({ kind: "verbs", verbs: ["send"] }, units);
  if (han && /留着|留下|保留/.test(bare)) return banOf({ kind: "delete" }, units);
  if (NO_THINGS.test(words))
    return banOf({ kind: "verbs", verbs: ["create"], objects: [{ from: 0, to: units.length }] }, units);
  const rules = lexicon.language === "zh" ? [] : RULES[lexicon.language];
  return fits(rules, RULES_HAN) ? forbidding(said, false) : null;
}

/** What is not to be made is named alone. */
const NO_THINGS =
  /^(?:(?:please|and|but|so) )*no (?:new |more |further )?(?:tickets?|prs?|pull requests?|events?|files?|cards?|branches|comments?|posts?|folders?|pages?|(?<=(?:new|more|further) )(?:issues?|bugs?|tasks?|messages?|records?|rows|entries|reminders?|labels?|releases?))(?: please| anywhere| today| at all)*$/u;

const WISHES = /^(?:i'd rather|i would rather|i'd prefer|i would prefer|i wish)\b/u;
/** Nobody is to learn of it. */
const REACHES =
  /^(?:(?:please|and|but) )*(?:nobody|no one|none of (?:them|those)|niemand|nadie)\b.{0,30}\b(?:hears?|knows?|learns?|finds? out|receives?|gets?|sees?|is to know|erfahrt|erfahren|bekommt|sieht|reciba|sepa|se entere)\b.{0,30}$/u;

/** What the sentence speaks of doing, and to what. */
function forbidding(said: Said, oneThing: boolean): Ban | null {
  const { units, lexicon } = said;
  const retracts = /^(?:cancel|forget|stop|skip|pause|remember|delete|play|archive|move|revert)$/;
  const verbs = deedsIn(units, lexicon, true).filter(
    (verb) => !(oneThing && retracts.test(verb)) && !STANDS.test(verb),
  );
  const named = units.some(({ token }) => /^(?:path|file|email|handle|channel|host|url)$/.test(token.kind));
  if (verbs.length === 0)
    return named && KEPT.test(said.words)
      ? banOf({ kind: "all", objects: [{ from: 0, to: units.length }] }, units)
      : null;
  const whole = verbs.some((verb) => /^(?:send|email|message|push|pay|buy|share|egress)$/.test(verb));
  const things =
    lexicon.language === "en" && !whole && units.some(({ text }) => kindsOfNoun(text).length > 0);
  const objects = named || things ? [{ from: 0, to: units.length }] : [];
  return banOf({ kind: "verbs", verbs, objects }, units);
}

/** Verbs that only hold the sentence together. */
const STANDS =
  /^(?:let|say|tell|get|give|go|make|do|set|confirm|ask|start|run|stop|call|open|put|mark|move|block|change_of|grant|permit|allow)$/;

/** What stays as it is, and is named. */
const KEPT =
  /\b(?:bleibt|bleiben|behalten|stays?|remains?|untouched|unchanged|pristine|frozen|sacred|sacrosanct|intact|tabu|taboo|angefas\w*|angefasst|geandert|se queda|se toca|toque|intact[oa]|survives?|kept)\b/u;

export function keptPlace(units: readonly Unit[], said: Said): Ban | null {
  const at = units.findIndex(({ token }) => /^(?:path|file)$/.test(token.kind));
  if (at < 0 || has(units[0], "if")) return null;
  const after = saidOf(units.slice(at + 1), said.lexicon).words;
  const before = saidOf(units.slice(0, at), said.lexicon).words;
  const stays =
    /^(?:shall|must|should|has to|will|is to|is|are|stays?|remains?|to)?(?: (?:stay|remain|be|kept|be kept|left))*(?: exactly| strictly)? ?(?:se queda|queda|sigue)? ?(?:pristine|untouched|unchanged|unmodified|sacrosanct|sacred|frozen|intact|off limits|read only|immutable|as (?:it is|they are|is)|the way (?:it is|they are)|wie (?:es|er|sie) (?:ist|sind)|unverandert|unangetastet|unberuhrt|como esta|igual|intacto|tal cual)(?: (?:please|for now|bitte))?$/u;
  const keeps =
    /^(?:(?:please|and|but|bitte) )*(?:keep|leave|preserve|let|freeze|lock|protect|behalte|lass|deja|manten|conserva)?(?: the)?(?: (?:file|folder|directory|datei|ordner))?$/u;
  if (stays.test(after) && keeps.test(before))
    return banOf({ kind: "all", objects: [{ from: at, to: at + 1 }] }, units);
  const survives =
    /^(?:(?:please|and|but|just) )*(?:make sure|see to it|ensure|be sure|take care|whatever you do|whatever happens)(?: that)?$/u.test(
      before,
    ) &&
    /^(?:stays?|remains?|survives?|is kept|is preserved|is safe|isn't \w+|is not \w+|doesn't (?:get )?\w+|does not (?:get )?\w+|never \w+|keeps)\b.*$/u.test(
      after,
    );
  const wanted =
    /^(?:i|we)(?:'d| would)? ?(?:want|need|like|prefer|wish)(?: to have| to keep| to see)?$/u.test(before) &&
    /^(?:kept|to stay|to remain|to be kept|untouched|left alone|left as it is|preserved|intact|unchanged|as it is|safe)(?: please)?$/u.test(
      after,
    );
  if (wanted) return banOf({ kind: "all", objects: [{ from: at, to: at + 1 }] }, units);
  const needed =
    /^(?:i|we|they|he|she|others?|people|\w+) still (?:need|needs|use|uses|want|wants|require|requires)$/u.test(
      before,
    ) ||
    (before === "" &&
      /^(?:is|are) still (?:in use|needed|used|required|wanted|relevant)\b.*$|^(?:brauche|brauchen|benotige|benotigen|brauch) (?:ich|wir) noch\b.*$|^(?:todavia|aun) (?:lo|la|los|las)? ?(?:necesito|uso|usamos|necesitamos)\b.*$/u.test(
        after,
      ));
  if (needed) return banOf({ kind: "delete", objects: [{ from: at, to: at + 1 }] }, units);
  const remains =
    before === "" &&
    /^(?:stays?|remains?|se quedan?|bleibt|bleiben|留着|保留|先留着)(?: (?:please|put|here|hier|da|drin|aqui))?$|^(?:is|are|must|may|should|can|shall|ought)(?:n't| not| never)(?: to)? (?:go|disappear|vanish|be touched|change|get lost|be lost)\b.*$/u.test(
      after,
    );
  if (remains) return banOf({ kind: "all", objects: [{ from: at, to: at + 1 }] }, units);
  return survives ? banOf({ kind: "all", objects: [{ from: at, to: at + 1 }] }, units) : null;
}
