/**
 * What a line above a list says about its items: that they are forbidden, wait for a word, are somebody else's or done,
 * or nothing of the kind. `What not to do`, `Only with my approval`, `I'll do these myself`, `Already done`.
 */

/** `forbid`: each item is forbidden. `ask`: each waits for the person. `idle`: none is asked for. `data`: a task's material. */
export type Heading = "forbid" | "ask" | "idle" | "data";

/** Folded words, in the order in which they are tried: a consent wins over the negation that it limits. */
const HEADINGS: readonly (readonly [Heading, RegExp])[] = [
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
