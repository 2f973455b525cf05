/**
 * What a person says of the text below: that it is a task's material (`Summarise this:`, `Is this spam?`, `The mail:`),
 * or that it is what they want (`Please do these:`). And how they come back to it: `Then email the summary to …`.
 */

const COURTESY = `(?:hi|hey|hello|hallo|hola|please|pls|can you|could you|would you|will you|kindly|quickly|just|now|bitte|kannst du|könntest du|mal|por favor|puedes|podrías|请|帮我|请帮我|麻烦|你能|能不能|可以)[ ,!]*`;
const WORK = `(?:summari[sz]e|sum up|sum it up|tl;?dr|translate|proofread|paraphrase|rephrase|reword|rewrite|polish|improve|correct|shorten|simplify|explain|interpret|analy[sz]e|classify|categori[sz]e|rate|review|grade|critique|check|assess|evaluate|describe|compare|extract|list|count|catch me up|look at|read|have a look|what|who|why|how|is|are|does|do you|tell me|give me|make sense of|thoughts?|opinions?|feedback|comments?|any (?:thoughts|ideas|feedback)|ideas|suggest|title|titles|which|when|where|whose|spell ?check|übersetze?|fass|fasse|erkläre?|korrigiere?|prüfe?|lies|schau|was|ist|wer|warum|traduce|resume|resúmeme|explica|corrige|revisa|lee|mira|qué|es|翻译|总结|解释|概括|润色|校对|分析|看看|看一下|检查|这)`;
const OPENS_WORK = new RegExp(String.raw`^(?:${COURTESY}){0,4}${WORK}(?![\p{L}])`, "iu");
const OPENS_WORK_HAN = new RegExp(
  `^(?:${COURTESY}){0,4}(?:翻译|总结|解释|概括|润色|校对|分析|看看|看一下|检查|这)`,
  "u",
);

/** One text of somebody's, in the singular: a plural is a list of things. */
const TEXT = `(?:e-?mail|mail|message|text|letter|article|paragraph|passage|post|comment|ticket|report|output|log|error|error message|stack ?trace|transcript|chat|conversation|thread|exchange|discussion|review|reply|response|answer|quote|snippet|code|script|config|content|contents|table|story|poem|abstract|essay|speech|document|newsletter|announcement|statement|letter|advert|ad|bio|cv|resume|contract|notice|prompt|readme|nachricht|brief|artikel|absatz|beitrag|kommentar|protokoll|fehlermeldung|verlauf|inhalt|antwort|mensaje|correo|texto|carta|artículo|párrafo|comentario|registro|contenido|respuesta|conversación|邮件|消息|文字|文本|文章|内容|段落|信|评论|日志|对话|聊天记录|回复)`;
const HAS_TEXT = new RegExp(
  String.raw`(?:^|[^\p{L}])${TEXT}(?![\p{L}])|邮件|消息|文字|文本|文章|内容|段落|评论|日志|对话|聊天|回复`,
  "iu",
);
const SAYS =
  /(?<![\p{L}])(?:wrote|writes|says|said|reads|replied|answered|posted|sent(?: me)?|got(?: this)?|received|came in|goes|schrieb|schreibt|sagt|sagte|meint|bekommen|erhalten|dice|dijo|escribió|escribe|recibí|écrit|scritto|schreef|escreveu)(?![\p{L}])[^:：]{0,40}$|(?:写道|说|写的|写着|收到|发来)[^:：]{0,12}$/iu;

/** `this`, `the following`: what stands below. */
const POINTS =
  /\b(?:this|these|the following|following|below|das|dies|dieses|diese[rn]?|folgende[nsmr]?|unten|esto|este|esta|lo siguiente|siguiente|abajo)\b|(?:这|以下|下面|如下)/i;
/** The pointer, the text it may be called, into what it is to be turned, and nothing else. */
const POINTS_ALONE = new RegExp(
  String.raw`(?:\b(?:this|these|the following|following|below|das|dies|folgendes|esto|lo siguiente)\b|这段?|以下|下面)(?:[ ]?(?:的|short|whole|long|${TEXT}))*(?:[ ]*(?:below|please|pls|for me|bitte|por favor|一下|(?:to|into|in|as|ins|auf|al|en|into)[ ][^.!?]{1,40}))*$`,
  "iu",
);
const JUDGES =
  /\b(?:think|sounds?|looks?|feel|ruder?|better|worse|thoughts?|opinions?|feedback|findest|hältst|parece|means?|spam|scam|legit|legitimate|phishing|fraud|says?|wants?|correct|right|true|safe|polite|understand|genuine|fake|real|about|asking|bedeutet|heißt|steht|echt|betrug|richtig|significa|quiere|dice|cierto|estafa|correcto)\b|什么意思|垃圾邮件|诈骗|真的|写的/i;

/** `Please do these:`: what stands below is asked for. */
const ORDERS =
  /\b(?:do|does?|done|tasks?|to-?dos?|steps?|actions?|jobs?|need|needs|want|things|instructions?|plan|orders?|requests?|handle|help me with|take care of|work through|carry out|execute|perform|errands?|chores?|mach|mache|machen|erledige|erledigen|aufgaben?|schritte?|brauche|möchte|haz|hacer|tareas?|pasos?|necesito|quiero)\b|任务|待办|步骤|事情|需要|执行|完成/i;
/** `Review it and do the following`: whatever the sentence began with, it ends with an order. */
const DOES =
  /(?<![\p{L}])(?:do(?! (?:you|we|they|i|he|she)\b)|handle|perform|carry out|execute|take care of|work through|complete|mach|mache|erledige|haz|ejecuta)(?: [\p{L}-]+){0,4}$|(?:执行|完成)[^，。]{0,8}$/iu;
/** Work on wording, whatever else the sentence says. */
const WORDING =
  /\b(?:grammar|typos?|spelling|wording|tone|punctuation|phrasing|sentiment|rechtschreibung|grammatik|tippfehler|ortografía|gramática|errores)\b|语法|错别字|措辞/i;
/** A text that is put somewhere: it is what is carried, not what is asked. */
const CARRIES =
  /^(?:(?:please|can you|could you|bitte|por favor|now|and|then)[ ,]+)*(?:save|put|write|send|email|e-mail|mail|post|text|message|tweet|reply|respond|share|publish|add|append|store|record|note|remember|turn|make|convert|format|insert|paste|tell|say|forward|draft|answer|print|upload|schreib|schreibe|speicher|speichere|schick|schicke|sende|antworte|merk|escribe|guarda|envía|manda|responde)(?![\p{L}])/iu;
const CARRIED = new RegExp(
  String.raw`\b(?:this|das|dies|esto)\b(?=[ ]*(?:$|,|as|in|into|to|on|at|for|from|please|with|under|und|als|an|auf|en|como|por|a\b))|\b(?:this|the following|these|diese[ns]?|folgende[ns]?|este|siguiente)(?: [\p{L}-]+)?[ ]${TEXT}(?![\p{L}])`,
  "iu",
);
/** Words of pure reading: what stands behind their colon is what is read. */
const READS =
  /^(?:(?:please|can you|could you|bitte|por favor|kindly)[ ,]+)*(?:summari[sz]e|tl;?dr|translate|proofread|paraphrase|rephrase|reword|shorten|classify|categori[sz]e|explain|rewrite|polish|correct|übersetze?|korrigiere?|fass|erkläre?|traduce|resume|corrige|explica)(?![\p{L}])|^(?:请|帮我|麻烦)*(?:翻译|总结|解释|润色|校对|概括|改写)/iu;
const DOUBTS =
  /\b(?:understand|don't get|not sure|unsure|confus\w+|worr\w+|strange|weird|suspicious|received|got|sent me|came|versteh\w*|komisch|bekommen|entiendo|recibí)\b|不懂|不明白|收到/i;
const HERE =
  /^(?:here(?:'s| is| are)|this is|below(?: is)?|see below|hier ist|das ist|aquí (?:está|tienes)|este es|这是|以下是|下面是)/i;
/** `Article`, `Tool output`, `Attached file a.txt`: a name for what it stands above. */
const LABEL = new RegExp(
  String.raw`^(?:(?:our|unser|unsere|nuestra|tool|console|terminal|build|test|program|command|server|attached|pasted|error|raw|full|original|screenshot|page|web ?page|customer|user|quoted|forwarded|angehängte|the|his|her) ){0,3}(?:${TEXT}|file|files)(?: (?:from|by|of|von|de)(?: \S{1,40}){1,4}| [\w./-]{1,60})?$|^(?:from|von|de) \S{1,40}$|^fyi$`,
  "iu",
);

/** `Here is the mail`, `Bob's message`, `The log`: it names what it shows and asks for nothing. */
const SHOWS =
  /^(?:(?:and|so|ok(?:ay)?|now|fyi|context)[ ,]+)*(?:here|this is|that is|that's|these are|below|see|the|an?|his|her|their|it|\p{Lu}[\p{L}-]*['’]s?|what|hier|das ist|aquí|est[ea] es|el|la|los|die|der|das|这是|以下|下面)(?![\p{L}])|^(?:这是|以下|下面)/iu;

/** How a person goes on below what they showed: with what came of it. */
const RESUMES =
  /^[\s]*(?:(?:and |now |please |ok(?:ay)?,? )*(?:then|after that|afterwards|when (?:you(?:'re| are) )?(?:done|finished)|once (?:you(?:'re| are) )?(?:done|finished)|finally|next)|dann|danach|anschließend|zum schluss|wenn du fertig bist|luego|después|por último|cuando termines|然后|之后|最后|完成后)[^.!?。！？\n]{0,80}(?:\b(?:summary|translation|results?|answer|version|findings|correction|zusammenfassung|übersetzung|ergebnis|korrektur|resumen|traducción|resultado|corrección)\b|摘要|总结|译文|翻译|结果)/iu;
const GOES_ON =
  /^[\s]*(?:and|then|also|after|afterwards|next|finally|when|once|if|thanks|thank you|dann|danach|und|auch|wenn|falls|danke|luego|después|y|también|si|gracias|然后|再|还有|如果|另外|谢谢)(?![\p{L}])/iu;

/** What came of it, in an order of its own: `Email the summary to …`. */
const PRODUCT =
  /^[\s]*(?:please |now |bitte |por favor )*(?:email|e-mail|send|mail|post|save|share|forward|write|put|add|schick|sende|speicher|envía|manda|guarda)[^.!?\n]{0,12}\b(?:summary|translation|results?|version|findings|zusammenfassung|übersetzung|ergebnis|resumen|traducción|resultado)\b/iu;

export const resumes = (text: string): boolean => RESUMES.test(text);
/** Whether what stands below goes on with the person's own words. */
export const goesOn = (text: string): boolean =>
  GOES_ON.test(text) || PRODUCT.test(text) || /^\s*(?:然后|再|还有|如果|另外|谢谢)/.test(text);

/** Whether it begins with work on words: `Summarise …`, `What does …`. */
export const opensWork = (sentence: string): boolean =>
  OPENS_WORK.test(sentence) || OPENS_WORK_HAN.test(sentence);

interface Said {
  readonly words: string;
  readonly mark: string;
}

/** The sentences of a line and how each ends; the last of many. */
function sentencesOf(line: string): Said[] {
  return line
    .trim()
    .split(/(?<=[.!?][ \t])|(?<=[。！？])/)
    .slice(-4)
    .map((part) => {
      const sentence = part.trim();
      const mark = /[.!?:。！？：]$/.exec(sentence)?.[0] ?? "";
      return { words: sentence.slice(0, sentence.length - mark.length).trim(), mark };
    })
    .filter(({ words }) => words !== "");
}

/** Whether a line says of what stands below that it is shown. @param line at most a few hundred characters */
export function introducesMaterial(line: string): boolean {
  const sentences = sentencesOf(line);
  return sentences.some((sentence, at) => introduces(sentence, at === sentences.length - 1));
}

/** `I said:`, `I've got a few things for you:`: their own words, whoever heard them. */
function isOwnSaying(words: string): boolean {
  if (!/^(?:i|we|ich|wir|yo|我)(?![\p{L}])/iu.test(words)) return false;
  return ORDERS.test(words) || /(?:said|wrote|sagte|schrieb|dije|escribí|说)$/iu.test(words);
}

function introduces({ words, mark }: Said, isLast: boolean): boolean {
  const works = opensWork(words) || (POINTS.test(words) && /翻译|总结|解释|概括|润色|校对|改写/.test(words));
  if (mark === ":" || mark === "：") {
    if (!isLast || DOES.test(words)) return false;
    // `What I need:` is an order, `What Bob said:` is not.
    if (/^(?:what|which|was|qué|lo que|这)/i.test(words) && ORDERS.test(words)) return false;
    if (works || WORDING.test(words) || (CARRIES.test(words) && CARRIED.test(words))) return true;
    if (LABEL.test(words)) return true;
    if (SAYS.test(words)) return !isOwnSaying(words);
    return !ORDERS.test(words) && HAS_TEXT.test(words) && (SHOWS.test(words) || POINTS.test(words));
  }
  if (DOES.test(words)) return false;
  const hasText = HAS_TEXT.test(words);
  if (mark === "?" || mark === "？") {
    if (/^(?:any )?(?:thoughts|opinions?|feedback|ideas|comments)$/i.test(words)) return isLast;
    return POINTS.test(words) && (hasText || JUDGES.test(words) || POINTS_ALONE.test(words));
  }
  if (HERE.test(words) && hasText) return true;
  if (!POINTS.test(words)) return isLast && WORDING.test(words) && !/[/\\]|\.\w/.test(words);
  if (POINTS_ALONE.test(words)) return works || WORDING.test(words) || DOUBTS.test(words);
  return hasText && (works || WORDING.test(words)) && CARRIED.test(words.replace(/\bbelow\b/i, "this text"));
}

/** Whether a line says that what stands below is asked for. */
export function introducesOrders(line: string): boolean {
  const said = sentencesOf(line).at(-1);
  return said !== undefined && /[:：]/.test(said.mark) && ORDERS.test(said.words) && !opensWork(said.words);
}

/** `Translate this to German: Dear Ann. …`: where what is shown begins on the line itself; -1 where it does not. */
export function inlineMaterial(line: string): number {
  const colon = line.search(/[:：](?:[ \t]|(?=\p{Script=Han}))/u);
  if (colon < 0) return -1;
  const words = sentencesOf(line.slice(0, colon)).at(-1)?.words ?? "";
  if (DOES.test(words) || !(READS.test(words) || (opensWork(words) && POINTS.test(words)))) return -1;
  // An address or a name that follows is what is worked on; several words are a text.
  const rest = line.slice(colon + 1).trim();
  const first = rest.split(/\s/, 1)[0] ?? "";
  if (!/^[\p{L}\p{N}]/u.test(first) || /[/\\@]|\w\.\w/.test(first) || rest.length < 8) return -1;
  return colon + 1;
}
