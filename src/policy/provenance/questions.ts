/** Sentences that end with a question mark: what they ask, and what they only add. */
import type { Reading, Saying } from "./reading.ts";

const TAGS =
  /[,:\u2014-]\s*(?:ok|okay|right|yes|yeah|correct|remember|deal|eh|huh|fine|got it|对吧|好吗|行吗|对吗|是吧|对不对|ok吗|记得吗|没错吧)\s*\?["')\]]*\s*$/;
const OPENERS =
  /^(?:so|and|but|then|now)?\s*(?:should|shall|can|could|do|does|did|is|are|will|would|may|what|which|who|when|where|why|how|has|have|any|anything|shouldn't|ok to|okay to)\b/;
const CHINESE_OPENERS =
  /^(?:那|所以|接下来|我)?.{0,6}(?:要不要|是不是|可以|能不能|怎么|什么|哪|几|吗|呢|是否)/;
const INVERTED =
  /^(?:did|do|does|has|have|had|is|are|was|were|will|would|should|can|could|who|what|which|when|where|why|how|whose)$/;

/** Whether the sentence asks what the saying says, rather than something else behind it, or for a nod. */
export function asksIt(reading: Reading, saying: Saying): boolean {
  if (!reading.isQuestion) return false;
  const { lower, end } = reading;
  const rest = lower.slice(saying.head.end, end);
  if (TAGS.test(rest.slice(-40))) return false;
  if (INVERTED.test(reading.text(0))) return true;
  const tail = /[,\u2014:][^,\u2014:]*$|\s-{1,2}\s[^,\u2014:]*$/
    .exec(rest.slice(-160))?.[0]
    .replace(/^[\s,\u2014:-]+/, "");
  if (tail === undefined) return true;
  return !(OPENERS.test(tail) || CHINESE_OPENERS.test(tail));
}
