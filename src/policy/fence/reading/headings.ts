/**
 * What a line above a list says about its items: that they are forbidden, wait for a word, are somebody else's or done,
 * or nothing of the kind. `What not to do`, `Only with my approval`, `I'll do these myself`, `Already done`.
 */

/**
 * `forbid`: each item is forbidden. `ask`: each waits for the person. `idle`: none is asked for. `data`: a task's material.
 * `task`: each is to be done. `unsure`: nobody says what they are, and each is asked about.
 */
export type Heading = "forbid" | "ask" | "idle" | "data" | "task" | "unsure";

/** Folded words, in the order in which they are tried: a consent wins over the negation that it limits. */
const HEADINGS: readonly (readonly ["forbid" | "ask" | "idle", RegExp])[] = [
  [
    "ask",
    /\b(?:(?:my|without|explicit) (?:ok|okay|approval|permission|consent|confirmation|sign off|go ahead|say so)|ask me (?:first|before)|ask first|needs? (?:my )?approval|check with me|run by me|(?:nur|erst) (?:mit|nach) (?:meiner|meinem|rucksprache)|frag mich|mit meiner (?:zustimmung|freigabe)|solo con mi|preguntame|con mi (?:permiso|aprobacion))\b|(?:需要?我(?:的)?(?:确认|同意|批准)|先问我|经我同意)/,
  ],
  [
    "forbid",
    /^(?:(?:the |these |this |some )?(?:things?|stuff|actions?|what|list|following) )?(?:that )?(?:you |we |i )?(?:absolutely |strictly |please |bitte |por favor )?(?:don'?ts?|do not|do nots|dont'?s|never|not|must not|mustn'?t|may not|can'?t|cannot|should not|shouldn'?t|not allowed|forbidden|prohibited|banned|taboo|off limits|no gos?|no go'?s|avoid|refrain|hands off|under no circumstances|verboten|untersagt|tabu|niemals|nie|nicht|auf keinen fall|keinesfalls|finger weg|prohibido|prohibidos|nunca|jamas|no|evita|evitar)(?: (?:do|doing|ever|to|from|be|done|allowed|permitted|now|yet|want|the|any|of|these|those|following|this|things|actions|under|circumstances|at|all|please|here|erlaubt|machen|tun|anfassen|bitte|von|hagas|hacer|nada|lo|siguiente|permitido|esto|any more|anything|below))*$|\b(?:out of scope|off limits|not to do|not allowed|not permitted|forbidden|prohibited|don'?t want|do not want|(?:don'?t|do not|never) do (?:any|these|this|the|those)|refrain from|folgendes nicht|nicht erlaubt|nicht tun|no hagas|no hacer|prohibido)\b|(?:不要|禁止|不许|不准|不能|请勿|切勿|严禁|别)(?:做)?(?:以下|下列|这些|的)?(?:事情|事项|操作|内容)?$|^(?:禁止|不要|严禁)/,
  ],
  [
    "idle",
    /\b(?:i'?ll (?:do|handle|take care of)|i will (?:do|handle)|leave (?:these|those|this|them) (?:for|to) me|myself|(?!you\b)\w+ will (?:do|handle|take care of)|already done|done|completed|finished|later|someday|not (?:now|today|yet)|my (?:own )?todos?|for later|erledigt|mache ich|spater|selbst|ya hecho|mas tarde|hechos?|yo mismo)\b|(?:已完成|我自己做|我来做|以后|稍后)/,
  ],
];

/** Tasks whose material follows them: it is worked on, not obeyed. */
const MATERIAL =
  /^(?:please |can you |could you |bitte |por favor |请|帮我|请帮我)?(?:summari[sz]e|translate|proofread|paraphrase|rephrase|reword|explain|estimate|prioriti[sz]e|rate|review (?:this|these|the following)|check (?:this|these) (?:text|mail|email|plan|list|draft)|make a checklist|which of|what (?:would|does|do) |ubersetz|fass|erklar|korrekturles|korrigier|traduce|resume|explica|corrige|翻译|总结|解释|概括|润色|校对)/;

/** Whatever else is asked for in the same line is asked for. */
const MORE = /\b(?:and|then|und|dann|y|luego)\b|然后|并/;

export function takesMaterial(words: string): boolean {
  return MATERIAL.test(words) && !MORE.test(words);
}

/** @param words the words of the line, folded, one space between them */
export function headingOf(words: string): Heading | null {
  if (words === "" || words.length > 120) return null;
  if (
    /\b(?:forget|hesitate|once (?:you(?:'re| are)? )?done|when (?:you(?:'re| are)? )?done|vergiss|olvides)\b|别忘/.test(
      words,
    )
  )
    return null;
  if (takesMaterial(words)) return "data";
  for (const [heading, form] of HEADINGS) if (form.test(words)) return heading;
  return null;
}

/** What is made of the items, rather than done with them: tickets for them, a plan, a mail that lists them. */
const MADE_OF =
  /^(?:please |can you |could you |bitte |por favor |请|帮我)*(?:create|file|open|write|draft|plan|schedule|make|add|list|document|post|email|mail|message|tell|send|reply|remind|note|erstell\w*|schreib\w*|plan\w*|crea|escribe|manda|envia|创建|写|计划)\b.*\b(?:tickets?|issues?|cards?|tasks? for|todos? for|reminders?|checklists?|lists?|plan|plans|roadmap|docs|documentation|documents?|template|guide|runbook|playbook|script|migration|rollout|agenda|following|this|aufgabenliste|dokument|lista|guia|@)\b|^(?:计划|创建|写).*(?:工单|清单|文档|指南|脚本)/;

/** Turning to the agent, in whatever words. */
const ASKS =
  /\b(?:please|can you|could you|would you|will you|i need|we need|i want|we want|i'd like|i would like|you to|for you|have to|has to|had better|need to|needs to|needs doing|must|should|let's|do (?:this|these|those|the following|it|all|them)|go ahead|your (?:tasks?|jobs?|todos?|work|turn|mission|assignments?|list)|take care of|work (?:through|on)|get (?:these|this|the following) done|help me|bitte|kannst du|konntest du|mach(?:e|t)?|erledig\w*|musst? du|sollst du|por favor|puedes|podrias|haz|necesito|quiero|tienes que)\b|请|帮我|麻烦|你(?:来|去|要|需要)|做以下|需要做/;

/** A short line that says that what follows is somebody's, some other time's, or only thought of. */
const ELSEWHERE =
  /\b(?:my|mine|his|her|hers|their|theirs|(?!here|what|let|that|it|there|who|today|tonight|monday|tuesday|wednesday|thursday|friday)\w+'s|discuss\w*|talk about|ideas?|options?|suggest\w*|proposals?|propos\w*|consider\w*|candidates?|risks?|problems?|concerns?|questions?|examples?|bad|wrong|mistakes?|previous(?:ly)?|last|earlier|so far|before|happened|history|did|was|were|went|context|background|backlog|icebox|maybe|perhaps|could|might|may|possible|potential|would|tomorrow|next (?:week|month|year|sprint|quarter|time)|after|once|when|if|unless|until|on hold|hold|parked|paused|blocked|pending|waiting|limits?|lines?|constraints?|restrictions?|rules?|policy|policies|guardrails?|boundaries|hard|red|won't|wontfix|wont|rejected|declined|cancell?ed|dropped|skip\w*|ignore\w*|leave|exclude\w*|except|handled|nice to have|wish\w*|someday|asked for|wants?|wanted|not|never|no|non|dangerous|warning|careful|caution|attention|out|fyi|info|notes?|log|changelog|already|old|spater|morgen|nachste\w*|ideen|optionen|risiken|fragen|vorschlage?|kontext|hintergrund|beispiele?|offen|nach|sobald|wenn|manana|despues|luego|ideas|opciones|riesgos|preguntas|contexto|ejemplos?|pendiente\w*|cuando|si)\b|明天|以后|想法|建议|可选|风险|问题|背景|例子|如果|待定|等/;

const TASKS =
  /\b(?:tasks?|to ?dos?|todo list|steps?|do|need|now|today|tonight|first|second|third|next|then|finally|plan|actions?|action items|orders?|jobs?|work|handle|instructions?|requests?|goals?|objectives?|workflow|checklist|things|help|here's what|here is what|remaining|assignments?|agenda|chores|errands|following|fixes|changes|updates?|this morning|this afternoon|this week|clean ?up|housekeeping|maintenance|refactoring|follow ups?|priorities|focus|setup|preparations?|aufgaben?|schritte?|heute|jetzt|zu erledigen|zu tun|folgendes|auftrage?|tareas?|pasos|hoy|ahora|por hacer|pendientes|encargos|lo siguiente)\b|^(?:\d+|two|three|four|five|six|some|several|a few|a couple of|zwei|drei|einige|dos|tres|varias|unas) \w+(?: \w+)?$|任务|待办|步骤|今天|现在|事项|清单|以下/;

/** A line that is no more than a name for what follows. */
const MOST_TITLE = 7;

/**
 * What a line says about the list below it, where its words neither forbid nor put off: a request for what it lists, or
 * nobody knows what.
 *
 * @param mark how the line ends
 * @param asks the line itself asks for something
 */
export function listedBy(words: string, mark: string, asks: boolean): "task" | "unsure" | null {
  const title = words.split(" ").length <= MOST_TITLE;
  // A sentence that only happens to stand above a list says nothing about it.
  if (mark !== ":" && (mark !== "" || !title)) return null;
  if (/\b(?:forget|hesitate|vergiss|vergesst|olvides)\b|别忘|不要忘/.test(words)) return "task";
  if (/\b(?:leave|leaves|left|keep)\b.{0,20}\b(?:to|for|with) (?:me|us)\b/.test(words)) return "unsure";
  if (MADE_OF.test(words) || /^(?:not|no|never|nicht|kein\w*|nunca|nada)\b|^(?:不|别)/.test(words))
    return "unsure";
  if (/\b(?:things|stuff|what|something) (?:that )?(?:you|we|one) (?:could|might|may|can)\b/.test(words))
    return "unsure";
  const elsewhere = title && ELSEWHERE.test(words);
  if (ASKS.test(words) && !(elsewhere && !/\b(?:you|your|please|bitte|por favor)\b|请|帮我/.test(words)))
    return "task";
  if (asks) return "task";
  if (elsewhere) return "unsure";
  return TASKS.test(words) ? "task" : "unsure";
}
