/**
 * What a person says of the text below: that it is a task's material (`Summarise this:`, `Is this spam?`, `The mail:`),
 * or that it is what they want (`Please do these:`). And how they come back to it: `Then email the summary to …`.
 */

const COURTESY = `(?:hi|hey|hello|hallo|hola|please|pls|can you|could you|would you|will you|kindly|quickly|just|now|bitte|kannst du|könntest du|mal|por favor|puedes|podrías|请|帮我|请帮我|麻烦|你能|能不能|可以)[ ,!]*`;
const WORK = `(?:summari[sz]e|sum up|sum it up|tl;?dr|translate|proofread|paraphrase|rephrase|reword|rewrite|polish|improve|correct|shorten|simplify|explain|interpret|analy[sz]e|classify|categori[sz]e|rate|review|grade|critique|check|assess|evaluate|describe|compare|extract|list|count|catch me up|look at|read|have a look|what|who|why|how|is|are|does|do you|tell me|give me|übersetze?|fass|fasse|erkläre?|korrigiere?|prüfe?|lies|schau|was|ist|wer|warum|traduce|resume|resúmeme|explica|corrige|revisa|lee|mira|qué|es|翻译|总结|解释|概括|润色|校对|分析|看看|看一下|检查|这)`;
const OPENS_WORK = new RegExp(String.raw`^(?:${COURTESY}){0,4}${WORK}(?![\p{L}])`, "iu");
const OPENS_WORK_HAN = new RegExp(
  `^(?:${COURTESY}){0,4}(?:翻译|总结|解释|概括|润色|校对|分析|看看|看一下|检查|这)`,
  "u",
);

/** One text of somebody's, in the singular: a plural is a list of things. */
const TEXT = `(?:e-?mail|mail|message|text|letter|article|paragraph|passage|post|comment|ticket|report|output|log|error|error message|stack ?trace|transcript|chat|conversation|thread|exchange|discussion|review|reply|response|answer|quote|snippet|code|script|config|content|contents|table|story|poem|note he|abstract|essay|speech|document|readme|nachricht|brief|artikel|absatz|beitrag|kommentar|protokoll|fehlermeldung|verlauf|inhalt|antwort|mensaje|correo|texto|carta|artículo|párrafo|comentario|registro|contenido|respuesta|conversación|邮件|消息|文字|文本|文章|内容|段落|信|评论|日志|对话|聊天记录|回复)`;
const HAS_TEXT = new RegExp(
  String.raw`(?:^|[^\p{L}])${TEXT}(?![\p{L}])|邮件|消息|文字|文本|文章|内容|段落|评论|日志|对话|聊天|回复`,
  "iu",
);
const SAYS =
  /\b(?:wrote|writes|says|said|reads|replied|answered|posted|sent(?: me)?|got(?: this)?|received|came in|goes|from \p{Lu}[\p{L}'’-]*|schrieb|schreibt|sagt|sagte|meint|bekommen|erhalten|dice|dijo|escribió|escribe|recibí)\b[^:：]{0,40}$|(?:写道|说|写的|写着|收到|发来)[^:：]{0,12}$/iu;

/** `this`, `the following`: what stands below. */
const POINTS =
  /\b(?:this|these|the following|following|below|das|dies|dieses|diese[rn]?|folgende[nsmr]?|unten|esto|este|esta|lo siguiente|siguiente|abajo)\b|(?:这|以下|下面|如下)/i;
/** The pointer, the text it may be called, into what it is to be turned, and nothing else. */
const POINTS_ALONE = new RegExp(
  String.raw`(?:\b(?:this|these|the following|following|below|das|dies|folgendes|esto|lo siguiente)\b|这段?|以下|下面)(?:[ ]?(?:的|short|whole|long|${TEXT}))*(?:[ ]*(?:below|please|pls|for me|bitte|por favor|一下|(?:to|into|in|as|ins|auf|al|en|into)[ ][^.!?]{1,40}))*$`,
  "iu",
);
const JUDGES =
  /\b(?:means?|spam|scam|legit|legitimate|phishing|fraud|says?|wants?|correct|right|true|safe|polite|understand|genuine|fake|real|about|asking|bedeutet|heißt|steht|echt|betrug|richtig|significa|quiere|dice|cierto|estafa|correcto)\b|什么意思|垃圾邮件|诈骗|真的|写的/i;

/** `Please do these:`: what stands below is asked for. */
const ORDERS =
  /\b(?:do|does?|done|tasks?|to-?dos?|steps?|actions?|jobs?|need|needs|want|things|instructions?|plan|orders?|requests?|handle|help me with|take care of|work through|carry out|execute|perform|errands?|chores?|mach|mache|machen|erledige|erledigen|aufgaben?|schritte?|brauche|möchte|haz|hacer|tareas?|pasos?|necesito|quiero)\b|任务|待办|步骤|事情|需要|执行|完成/i;
/** `Review it and do the following`: whatever the sentence began with, it ends with an order. */
const DOES =
  /\b(?:do|handle|perform|carry out|execute|take care of|work through|complete|mach|mache|erledige|haz|ejecuta)\b(?: [\p{L}-]+){0,4}$|(?:执行|完成)[^，。]{0,8}$/iu;
/** `Here is the mail`, `Bob's message`, `The log`: it names what it shows and asks for nothing. */
const SHOWS =
  /^(?:(?:and|so|ok(?:ay)?|now|fyi|context)[ ,]+)*(?:here|this is|that is|that's|these are|below|see|the|an?|his|her|their|it|\p{Lu}[\p{L}-]*['’]s?|what|hier|das ist|aquí|est[ea] es|el|la|los|die|der|das|这是|以下|下面)(?![\p{L}])|^(?:这是|以下|下面)/iu;

/** How a person goes on below what they showed: with what came of it. */
const RESUMES =
  /^[\s]*(?:(?:and |now |please |ok(?:ay)?,? )*(?:then|after that|afterwards|when (?:you(?:'re| are) )?(?:done|finished)|once (?:you(?:'re| are) )?(?:done|finished)|finally|next)|dann|danach|anschließend|zum schluss|wenn du fertig bist|luego|después|por último|cuando termines|然后|之后|最后|完成后)[^.!?。！？\n]{0,80}(?:\b(?:summary|translation|results?|answer|version|findings|correction|zusammenfassung|übersetzung|ergebnis|korrektur|resumen|traducción|resultado|corrección)\b|摘要|总结|译文|翻译|结果)/iu;
const GOES_ON =
  /^[\s]*(?:and|then|also|after|afterwards|next|finally|when|once|if|thanks|thank you|dann|danach|und|auch|wenn|falls|danke|luego|después|y|también|si|gracias|然后|再|还有|如果|另外|谢谢)(?![\p{L}])/iu;

export const resumes = (text: string): boolean => RESUMES.test(text);
export const goesOn = (text: string): boolean =>
  GOES_ON.test(text) || /^\s*(?:然后|再|还有|如果|另外|谢谢)/.test(text);

/** Whether it begins with work on words: `Summarise …`, `What does …`. */
export const opensWork = (sentence: string): boolean =>
  OPENS_WORK.test(sentence) || OPENS_WORK_HAN.test(sentence);

/** The last sentence of a line, and how it ends. */
function lastSentence(line: string): { readonly words: string; readonly mark: string } {
  const trimmed = line.trimEnd();
  const mark = /[.!?:。！？：]$/.exec(trimmed)?.[0] ?? "";
  const words = trimmed.slice(0, trimmed.length - mark.length);
  const at = Math.max(...[". ", "! ", "? ", "。", "！", "？"].map((end) => words.lastIndexOf(end)));
  return { words: words.slice(at < 0 ? 0 : at + 1).trim(), mark };
}

/** Whether a line says of what stands below that it is shown. @param line at most a few hundred characters */
export function introducesMaterial(line: string): boolean {
  const { words, mark } = lastSentence(line);
  if (words === "") return false;
  const works = opensWork(words);
  if (mark === ":" || mark === "：") {
    if (works) return !DOES.test(words);
    if (ORDERS.test(words)) return false;
    return SAYS.test(words) || (HAS_TEXT.test(words) && (SHOWS.test(words) || POINTS.test(words)));
  }
  if (DOES.test(words)) return false;
  if (mark === "?" || mark === "？")
    return POINTS.test(words) && (HAS_TEXT.test(words) || JUDGES.test(words) || POINTS_ALONE.test(words));
  return works && POINTS_ALONE.test(words);
}

/** Whether a line says that what stands below is asked for. */
export function introducesOrders(line: string): boolean {
  const { words, mark } = lastSentence(line);
  return (mark === ":" || mark === "：") && ORDERS.test(words) && !opensWork(words);
}

/** `Translate this to German: Dear Ann. …`: where what is shown begins on the line itself; -1 where it does not. */
export function inlineMaterial(line: string): number {
  const colon = line.search(/[:：](?:[ \t]|(?=\p{Script=Han}))/u);
  if (colon < 0) return -1;
  const { words } = lastSentence(line.slice(0, colon));
  if (!opensWork(words) || !POINTS.test(words) || DOES.test(words)) return -1;
  // An address or a name that follows is what is worked on; several words are a text.
  const rest = line.slice(colon + 1).trim();
  const first = rest.split(/\s/, 1)[0] ?? "";
  if (!/^[\p{L}\p{N}]/u.test(first) || /[/\\@]|\w\.\w/.test(first) || rest.length < 8) return -1;
  return colon + 1;
}
