/**
 * What a person shows an agent and what a harness adds, line by line: fences, quoted lines, forwarded mail, documents,
 * notes. Formats: CONVENTIONS §6 and the harnesses' own sources.
 */

export type DataKind =
  | "fence"
  | "quoted-line"
  | "forwarded"
  | "document"
  | "note"
  | "patch"
  | "tag"
  | "quote"
  | "code";

/** A part of a text that is shown, not said. `inner` is what stands between its marks. */
export interface DataSpan {
  readonly kind: DataKind;
  readonly start: number;
  readonly end: number;
  readonly inner: { readonly start: number; readonly end: number };
}

const HEADER =
  /^[ \t]*(?:[*_]{0,2})(from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|de|para|asunto|fecha|enviado|发件人|收件人|抄送|主题|日期|发送时间|时间)[*_]{0,2}[ \t]*[:：]/i;
const SENDER = /^(?:from|von|de|发件人)$/i;
/** How many lines a header block may take before its second header. */
const HEADER_LINES = 6;

const FORWARDED =
  /^[ \t]*(?:-{2,}[ \t]*(?:forwarded message|original message|forwarded by|weitergeleitete nachricht|ursprüngliche nachricht|mensaje reenviado|mensaje original|转发的邮件|原始邮件|转发邮件)|begin forwarded message:|anfang der weitergeleiteten nachricht|(?:on|am|el) .{5,160} (?:wrote|schrieb.{0,80}|escribió) ?:[ \t]*$|在 ?.{2,120}写道[:：][ \t]*$)/i;

/** Everything from here on is what somebody else wrote; where it ends cannot be told. */
const TO_THE_END =
  /^[ \t]*(?:\[content of [^\n]{1,300}\]:|\[(?:tool (?:result|output)|subagent result|web page content|attached file|transcript|thread so far|channel history|forwarded from|image description)\b|\[the user sent a text document\b|-{3} (?:attached context|context warnings) -{3}[ \t]*$)/i;

/** Messages of others, up to the last mark of the one that is new. */
const BACKFILL =
  /^[ \t]*\[(?:recent channel messages|context around the replied-to message|messages prefixed with)\b/i;

const NOTE =
  /^[ \t]*\[(?:the user sent an? |user sent |user attached |system note:|note:|triggering message|voice message|voice\]|user initiated|引用|if you need a closer look|quoted message\]|runtime note:|loaded as part of|skill directory)/i;

const REPLY = /^[ \t]*\[replying to(?: your previous message)?: ?["“]/i;
/** A reply pointer shows at most 500 characters of what is replied to. */
const MOST_REPLY = 700;

/** Skill texts are the harness's; the person's words follow the last of these marks. */
const SKILL = /^\[important: the user has invoked the "/i;
const SKILL_WORDS = [
  "The user has provided the following instruction alongside the skill invocation: ",
  "\nUser instruction: ",
];
const SKILL_END = ["\n\n[Runtime note:", "\n\n[Loaded as part of the "];

const WRITTEN_BY_HARNESS =
  /^\s*(?:\[system:|\[context\b|\[prior context|\[important: background|\[your active task list|\[planning state preserved|\[async delegation|\[background process|\[continuing toward your|\[the work looks complete|\[goal set\]|cronjob response:|this session is being continued from a previous conversation|caveat: the messages below\b)/i;

/** A whole turn that a harness wrote itself: it carries no authority, whatever it says. */
export function isHarnessWritten(text: string): boolean {
  return WRITTEN_BY_HARNESS.test(text.slice(0, 200));
}

/** The block that begins at `start`, the first character of a line; `null` when the line is ordinary. */
export function blockAt(text: string, start: number): DataSpan | null {
  const end = lineEnd(text, start);
  const line = text.slice(start, Math.min(end, start + 400));
  const first = /[^ \t]/.exec(line)?.[0];
  if (first === undefined) return null;
  const whole = (kind: DataKind, to: number, inner = { start, end: to }): DataSpan => ({
    kind,
    start,
    end: to,
    inner,
  });
  if (first === ">" && !/^[ \t]*>=?[ \t]*\d/.test(line)) return whole("quoted-line", end);
  if (first === "`" || first === "~") {
    const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) return fenceAt(text, start, end, fence);
  }
  if (first === "[") {
    if (TO_THE_END.test(line)) return whole("document", text.length);
    if (REPLY.test(line)) return whole("note", replyEnd(text, start));
    if (start === 0 && SKILL.test(line)) return whole("document", skillEnd(text));
    if (BACKFILL.test(line)) return whole("document", backfillEnd(text, start));
    if (/^[ \t]*\[\/?out-of-band user message/i.test(line)) return whole("note", end);
    if (NOTE.test(line)) return whole("note", noteEnd(text, start));
    if (/^[ \t]*\[[ xX✓-]\]/.test(line)) return whole("note", start + line.indexOf("]") + 1);
    // `[Tomas] let's go`: in a shared chat the harness puts the sender's name before the words.
    if (start === 0 && /^\[[^\]\n]{1,40}\] \S/.test(line)) return whole("note", line.indexOf("]") + 1);
  }
  if (first === "-" && (TO_THE_END.test(line) || FORWARDED.test(line)))
    return whole("forwarded", text.length);
  if (first === "*" && /^\*{3} Begin Patch/.test(line)) {
    const close = text.indexOf("*** End Patch", start);
    return whole("patch", close < 0 ? text.length : close + 13);
  }
  if (FORWARDED.test(line)) return whole("forwarded", text.length);
  const header = HEADER.exec(line)?.[1];
  if (header !== undefined) return headerAt(text, start, end, header);
  if (/^[ \t]*fwd?:/i.test(line)) return whole("forwarded", end);
  if (/^[ \t]*(?:\*\*\*|@@|diff --git|index [0-9a-f]{6,}|[-+]{3} [ab]\/)/.test(line))
    return whole("patch", end);
  return null;
}

/** Where a skill's text ends and the person's own words begin; the end when there are none. */
function skillEnd(text: string): number {
  let begin = -1;
  for (const mark of SKILL_WORDS) {
    const at = text.lastIndexOf(mark);
    if (at >= 0) begin = Math.max(begin, at + mark.length);
  }
  return begin < 0 ? text.length : begin;
}

/** What follows the person's words in a skill's turn. */
export function skillTail(text: string): DataSpan | null {
  if (!SKILL.test(text.slice(0, 200))) return null;
  const from = skillEnd(text);
  const cuts = SKILL_END.map((mark) => text.indexOf(mark, from)).filter((at) => at >= 0);
  if (cuts.length === 0) return null;
  const start = Math.min(...cuts);
  return { kind: "note", start, end: text.length, inner: { start, end: text.length } };
}

function fenceAt(text: string, start: number, end: number, fence: string): DataSpan {
  const inner = Math.min(end + 1, text.length);
  let at = inner;
  while (at < text.length) {
    const stop = lineEnd(text, at);
    const line = text.slice(at, Math.min(stop, at + 200)).trim();
    if (line.startsWith(fence) && line.replaceAll(fence.charAt(0), "") === "")
      return { kind: "fence", start, end: stop, inner: { start: inner, end: at } };
    at = stop + 1;
  }
  return { kind: "fence", start, end: text.length, inner: { start: inner, end: text.length } };
}

/** A block of mail headers and the mail behind it; one `From:` alone is only its line. */
function headerAt(text: string, start: number, end: number, first: string): DataSpan | null {
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
  const isMail = seen.size >= 2;
  if (!isMail && !(SENDER.test(first) && /@|[<>]/.test(text.slice(start, end)))) return null;
  const to = isMail ? text.length : end;
  return { kind: "forwarded", start, end: to, inner: { start, end: to } };
}

function replyEnd(text: string, start: number): number {
  const window = text.slice(start, start + MOST_REPLY);
  let end = -1;
  for (const match of window.matchAll(/["”]\](?=\s|$)/g)) end = match.index + 2;
  if (end < 0) end = window.indexOf("]") + 1;
  return end <= 0 ? Math.min(text.length, start + MOST_REPLY) : start + end;
}

function backfillEnd(text: string, start: number): number {
  const mark = "[New message]";
  const at = text.lastIndexOf(mark);
  if (at < start) return text.length;
  const label = /^\s*(?:\[[^\]\n]{1,40}\] )?/.exec(text.slice(at + mark.length, at + mark.length + 80));
  return at + mark.length + (label?.[0].length ?? 0);
}

/**
 * A note ends with its bracket. What an image shows may hold brackets of its own, so there the last one counts. A note
 * that nothing ends is all there is.
 */
const LONGEST_NOTE = 8_192;

function noteEnd(text: string, start: number): number {
  const head = text.slice(start, start + 120).toLowerCase();
  if (head.includes("an image~") || head.includes("sticker")) {
    // A description holds anything; it ends with the last mark of its own in the paragraph that follows.
    const note = text.slice(start, start + LONGEST_NOTE);
    const last = Math.max(note.lastIndexOf("~]"), note.lastIndexOf(")]"));
    if (last > 0) return start + last + 2;
  }
  if (head.includes("quoted message]")) {
    const blank = text.indexOf("\n\n", start);
    return blank < 0 ? text.length : blank;
  }
  const close = text.indexOf("]", start);
  return close < 0 ? text.length : close + 1;
}

export function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}
