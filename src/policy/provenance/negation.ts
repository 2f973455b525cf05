/** What denies something, in English and Chinese (the seed, "No dropped negation"). Words are data; pure, total, linear. */
import { isHan } from "./characters.ts";

/** Words that deny what follows (the seed: never, not, no, don't, without, 不要, 别, 禁止 …). */
const DENYING = new Set(
  "never not no nor neither none nobody nothing without cannot cant dont wont doesnt didnt isnt arent wasnt shouldnt mustnt wouldnt couldnt havent hasnt avoid avoids avoiding refuse refuses refused refusing forbid forbids forbidden prohibit prohibited".split(
    " ",
  ),
);
const CHINESE_DENYING = /[不没沒别別勿莫禁未无無甭拒]/g;
/** Words that hold such a character and deny nothing. */
const CHINESE_INNOCENT =
  /特别|特別|分别|分別|区别|級別|级别|性别|类别|个别|個別|识别|告别|别人|別人|别的|別的|别处|别墅|不过|不過|不错|不錯|不管|不如|不仅|不僅|不但|差不多|不久|不断|没问题|沒問題|没事|没关系|沒關係|无论|無論|无线|無線|未来|未來|无糖|不少|不好意思|不客气|不客氣|要不然|不然|受不了|忍不住|不用说|不用谢|不用謝|没错|沒錯|没意见|沒意見|没想到|说不定|不由得|了不起|要不要|要不|是不是|能不能|可不可以|好不好|行不行|会不会|不妨|不得不|无妨|恨不得|巴不得/g;
export const isDenying = (word: string): boolean => DENYING.has(word) || word.endsWith("n't");

/** `don`t` and `don´t` as they are meant; NFKC parts the second in two. */
const contracted = (text: string): string => text.replace(/n ?[`'\u00b4]t(?![\p{L}\p{N}])/gu, "n't");

/** @param length only a character before this offset counts, and none before `from` */
export function deniesInChinese(text: string, length: number, from = 0): boolean {
  const plain = text.replace(CHINESE_INNOCENT, (found) => "\u3000".repeat(found.length));
  for (const match of plain.matchAll(CHINESE_DENYING))
    if (match.index >= from && match.index < length) return true;
  return false;
}

/** Whether a text denies something, anywhere. */
export function hasNegation(text: string): boolean {
  for (const match of contracted(text.toLowerCase()).matchAll(/[\p{L}\p{N}_]+(?:'[\p{L}]+)?/gu))
    if (isDenying(match[0])) return true;
  return deniesInChinese(text, text.length);
}

const POLITE =
  /^(?:(?:please|pls|ok|okay|so|and|but|hey|hi|well|actually|also|then|just|yes|yeah|请|麻烦|那|就|嗯|好|好的|另外|还有)[\s,]*)+/;

/** Who speaks, and words that say how: what denies after them denies what is said. */
const SPEAKER =
  /^(?:(?:i|we|my|our|me)\s+|(?:我们?|咱们?|本人)\s*)(?:(?:team|also|really|still|just|now|definitely|certainly|personally|clearly|simply|actually|would|will|do|did|can|could|should|shall|must|may|might|am|are|was|were|have|had|think|believe|have to|need to)\b(?!')\s*|(?:都|也|还是|还|明确|已经|坚决|暂时|现在|绝对))*/;
/** What denies nothing though it begins so: `I don't mind`, `we can't wait`. */
const CONSENTS =
  /^(?:do not|don't|dont|would not|wouldn't|can not|cannot|can't|cant|have no|see no|no|不|没有?)\s*(?:mind|object|care|wait|see why not|doubt|hesitate|objections?|problem|issue|issues|concerns?|介意|反对|意见|问题)/;
const SPEAKER_OPPOSES =
  /^(?:refuse|refuses|refused|reject|rejected|oppose|opposed|object|objected|decline|declined|veto|vetoed|(?:decided|chose|voted) (?:against|not to))\b/;

/** `don't approve the refund`, `I will not approve it`: what such a quote backs is no approval. */
export function startsNegated(needle: string): boolean {
  const whole = contracted(needle).replace(POLITE, "");
  const said = whole.replace(SPEAKER, "");
  if (CONSENTS.test(said) || CONSENTS.test(whole)) return false;
  return opensNegated(whole) || (said !== whole && (opensNegated(said) || SPEAKER_OPPOSES.test(said)));
}

function opensNegated(text: string): boolean {
  const first = /^[\p{L}\p{N}_]+(?:'[\p{L}]+)?/u.exec(text)?.[0] ?? "";
  if (isHan(text.charCodeAt(0)))
    return (
      deniesInChinese(text.slice(0, 4), 1) ||
      /^(?:千万|绝对|一定|坚决)?(?:别|不要|不准|不许|不能|禁止|严禁)/.test(text)
    );
  return isDenying(first) || /^do not\b/.test(text);
}
