/** Mail inside a typed text: headers, what is forwarded, what is answered, as clients in several languages write them. */
import { lineEnd } from "./lines.ts";

const HEADER =
  /^[ \t]*[*_]{0,2}(from|to|cc|bcc|subject|date|sent|reply-to|sender|von|an|betreff|gesendet|datum|de|à|para|asunto|fecha|enviado|objet|envoyé|da|oggetto|inviato|van|aan|onderwerp|verzonden|assunto|发件人|收件人|抄送|主题|日期|发送时间|时间|寄件者|收件者|主旨)[*_]{0,2}[ \t]*[:：]/i;
const SENDER = /^(?:from|sender|von|de|da|van|发件人|寄件者)$/i;
/** How many lines a header block may take before its second header. */
const HEADER_LINES = 6;
/** `Eve Miller`, and nothing that a sentence would hold. */
const NAME =
  /^[ \t]*[*_]{0,2}(?:\p{Ll}{2,20}(?=[ \t]*$)|\p{Lu}[\p{L}'’.-]*|\p{Script=Han}{2,4})(?:[ \t]+\p{Lu}[\p{L}'’.-]*){0,3}[ \t]*$/u;

const FORWARDED =
  /^[ \t]*(?:-{2,}[ \t]*(?:forwarded message|original message|forwarded by|weitergeleitete nachricht|ursprüngliche nachricht|mensaje reenviado|mensaje original|message transféré|message d'origine|messaggio inoltrato|messaggio originale|mensagem encaminhada|转发的邮件|原始邮件|转发邮件)|begin forwarded message:|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|以下是转发的邮件)/i;

/** `On … wrote:`: how the line ends, by language. */
const WROTE =
  /(?:\b(?:wrote|writes|schrieb|schreef|scritto|skrev|napisał\(?a?\)?)\b|écrit\b|escribió|escreveu|kirjoitti|написал\(?а?\)?|пишет|写道|寫道|写到)[^\n]{0,120}[:：][ \t]*$/i;
/** A client's line bears a date or an address; a person's `he wrote:` does not. */
const DATED =
  /@|<[^>\n]{1,120}>|\b\d{1,2}[:.h]\d{2}\b|\b\d{4}\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}年|\d{1,2}月/;
const OPENS_WROTE = /^[ \t]*(?:on|am|le|el|il giorno|op|em|den|dnia|w dniu|在|于)[ \t]?[^\n]{3,200}/i;
/** `Eve <eve@…>:` and a date, as some clients have it: nothing else on the line. */
const ADDRESSED =
  /^[ \t]*(?:[\p{Lu}\d"“][^\s<>]{0,60}[ \t]+){0,8}<[^<>\s]{1,100}@[^<>\s]{1,100}>[ \t]*[:：][ \t]*$/u;
/** `On Monday I wrote:`: the person speaks of their own words. */
const OWN = /\b(?:i|we|ich|wir|yo|je)\b[^\n]{0,20}(?:wrote|schrieb|escrib|écri)/i;
/** Lines over which a client wraps `On … wrote:`. */
const WRAPPED = 3;
const LONGEST_WROTE = 400;

/**
 * Where the mail ends that begins with the line at `start`; `null` where none does. What a forwarded or answered mail
 * says goes on to the end of the text, since nothing tells where it stops.
 */
export function mailEnd(text: string, start: number, end: number): number | null {
  const line = text.slice(start, Math.min(end, start + 400));
  if (FORWARDED.test(line)) return text.length;
  const header = HEADER.exec(line)?.[1];
  if (header !== undefined) return headersEnd(text, start, end, header);
  if (/^[ \t]*(?:fwd?|wg|tr|rv|转发)[:：]/i.test(line)) return end;
  return isAnswered(text, start, line) ? text.length : null;
}

/** A block of mail headers and the mail behind it. One line that says whom it is from begins one, too. */
function headersEnd(text: string, start: number, end: number, first: string): number | null {
  const seen = new Set([first.toLowerCase()]);
  let at = end + 1;
  for (let line = 0; line < HEADER_LINES && at < text.length; line++) {
    const stop = lineEnd(text, at);
    const part = text.slice(at, Math.min(stop, at + 200));
    if (part.trim() === "") break;
    const name = HEADER.exec(part)?.[1]?.toLowerCase();
    if (name !== undefined) seen.add(name);
    at = stop + 1;
  }
  if (seen.size >= 2) return text.length;
  if (!SENDER.test(first)) return null;
  const value = text.slice(start, Math.min(end, start + 400)).replace(/^[^:：]*[:：]/, "");
  if (/[\w.+-]@[\w.-]|<[^<>]{1,120}>/.test(value)) return text.length;
  return null;
}

/**
 * A line that may begin a mail, and may as well be the person's own: `From: Eve` above a gap, `Eve <eve@…>:`.
 * @param line at most a few hundred characters
 */
export function mayBeginMail(line: string, isAboveGap: boolean): boolean {
  if (ADDRESSED.test(line)) return true;
  const header = HEADER.exec(line);
  return (
    isAboveGap && header !== null && SENDER.test(header[1] ?? "") && NAME.test(line.slice(header[0].length))
  );
}

function isAnswered(text: string, start: number, line: string): boolean {
  const opens = OPENS_WROTE.test(line);
  if (!opens && !DATED.test(line)) return false;
  let to = start;
  for (let lines = 0; lines < WRAPPED && to < text.length && to - start < LONGEST_WROTE; lines++) {
    const stop = lineEnd(text, to);
    const part = text.slice(to, Math.min(stop, to + LONGEST_WROTE));
    if (part.trim() === "") return false;
    if (WROTE.test(part)) {
      const whole = text.slice(start, Math.min(stop, start + LONGEST_WROTE));
      return (DATED.test(whole) || (opens && lines === 0)) && !OWN.test(whole);
    }
    // A sentence that ends is none that goes on to the next line.
    if (/[.!?][ \t]*$/.test(part) && !/[<@]/.test(part)) return false;
    to = stop + 1;
  }
  return false;
}
