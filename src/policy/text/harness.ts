/** What harnesses put around a person's words, by the forms in their own sources. */

import { isOwnLabel } from "./labels.ts";
import { paragraphEnd } from "./lines.ts";

/** Everything from here on is what somebody else wrote; where it ends cannot be told. */
const TO_THE_END =
  /^[ \t]*(?:\[content of [^\n]{1,300}\]:?[ \t]*$|\[(?:tool (?:result|output)|subagent result|web page content|attached file|transcript|thread so far|channel history|forwarded from|image description)\b|\[content of [^\n]{1,300}\]:|\[the user sent a text document\b|-{3} (?:attached context|context warnings) -{3}[ \t]*$)/i;

/** Messages of others, up to the last mark of the one that is new. */
const BACKFILL =
  /^[ \t]*\[(?:recent channel messages|context around the replied-to message|messages prefixed with)\b/i;

const NOTE =
  /^[ \t]*\[(?:the user sent an? |user sent |user attached |system note:|note:|triggering message|voice message|voice\]|user initiated|引用|if you need a closer look|quoted message\]|runtime note:|loaded as part of|skill directory|(?:quoted|quote|image|sticker|audio|video)\b[^\]\n]{0,40}:|request interrupted|out-of-band)/i;

const REPLY = /^[ \t]*\[replying to(?: your previous message)?: ?["“]/i;
const IN_REPLY =
  /^[ \t]*\[(?:in reply to|in response to|reply to|replied to|replying to|quoting|quote from|als antwort auf|en respuesta a|回复)\b/i;
/** A reply pointer shows at most 500 characters of what is replied to. */
const MOST_REPLY = 700;

/** `[hook]: …`, `[1]: …`: a label in brackets with a colon is seldom how a person begins what they want. */
const LABELLED = /^[ \t]*\[([^[\]\n]{1,120})\][ \t]*[:：]/;
/** Who speaks in a label, when it is no person. */
const MACHINE =
  /^[ \t]*\[(?:[\w -]{0,30}\b)?(?:hooks?|system|sys|assistant|agent|bot|tool|tools|error|errors?|warn|warning|info|debug|trace|fatal|critical|log|output|stdout|stderr|reminder|notification|event|result|response|webhook|content)(?:\b[\w .:#-]{0,40})?\][ \t]*([:：]?)[ \t]*(\S?)/i;

/** A machine's label on a line of its own: what it announces stands below. */
const ABOVE =
  /^[ \t]*\[(?:[\w -]{0,30}\b)?(?:hooks?|system(?: \w+)?|tool(?: \w+)?|output|stdout|stderr|result|response|forwarded|attachment|attached|quoted|pasted|document|e-?mail|message)\b[^[\]\n]{0,80}\][ \t]*$/i;

/** Skill texts are the harness's; the person's words follow the last of these marks. */
const SKILL = /^\[important: the user has invoked the "/i;
const SKILL_WORDS = [
  /The user has provided the following instruction alongside the skill invocation: /g,
  /\nUser instruction: /g,
];
const SKILL_END = /\n[ \t]*\n[ \t]*\[(?:Runtime note:|Loaded as part of the )/g;

const WRITTEN_BY_HARNESS =
  /^\s*(?:\[system:|\[context\b|\[prior context|\[important: background|\[your active task list|\[planning state preserved|\[async delegation|\[background process|\[continuing toward your|\[the work looks complete|\[goal set\]|cronjob response:|this session is being continued from a previous conversation|caveat: the messages below\b)/i;

/** A whole turn that a harness wrote itself: it carries no authority, whatever it says. */
export function isHarnessWritten(text: string): boolean {
  return WRITTEN_BY_HARNESS.test(text.slice(0, 200));
}

/** Whether a line begins with a label in brackets and a colon that a person would not set before their own words. */
export function isLabelled(line: string): boolean {
  const label = LABELLED.exec(line)?.[1];
  return label !== undefined && !(/^\s*\p{L}/u.test(label) && isOwnLabel(label));
}

export type HarnessPart = readonly ["document" | "note", number];

/** What a harness put there, and where it ends, for the line at `start`; `null` for any other line. */
export function harnessPart(text: string, start: number, end: number, line: string): HarnessPart | null {
  const first = /[^ \t]/.exec(line)?.[0];
  if (first === "-") return TO_THE_END.test(line) ? ["document", text.length] : null;
  if (first !== "[") return null;
  if (TO_THE_END.test(line)) return ["document", text.length];
  if (REPLY.test(line)) return ["note", replyEnd(text, start)];
  if (start === 0 && SKILL.test(line)) return ["document", skillEnd(text)];
  if (BACKFILL.test(line)) return ["document", backfillEnd(text, start)];
  if (/^[ \t]*\[\/?out-of-band user message/i.test(line)) return ["note", end];
  const machine = MACHINE.exec(line);
  if (machine !== null && (machine[1] !== "" || machine[2] !== ""))
    return ["document", machine[2] === "" ? text.length : paragraphEnd(text, start)];
  // Any other label with a colon may be the person's own (`materialIn`); so no note ends before its words.
  if (isLabelled(line)) return null;
  if (IN_REPLY.test(line)) return ["note", bracketEnd(text, start)];
  if (NOTE.test(line)) return ["note", noteEnd(text, start)];
  if (/^[ \t]*\[[ xX✓-]\]/.test(line)) return ["note", start + line.indexOf("]") + 1];
  if (start > 0 && ABOVE.test(line)) return ["document", text.length];
  // `[Tomas] let's go`: in a shared chat the harness puts the sender's name before the words.
  if (start === 0 && /^\[[^\]\n]{1,40}\] \S/.test(line)) return ["note", line.indexOf("]") + 1];
  return null;
}

/** Where a skill's text ends and the person's own words begin; the end when there are none. */
function skillEnd(text: string): number {
  let begin = -1;
  for (const mark of SKILL_WORDS)
    for (const found of text.matchAll(mark)) begin = Math.max(begin, found.index + found[0].length);
  return begin < 0 ? text.length : begin;
}

/** Where what follows the person's words in a skill's turn begins; `null` where nothing does. */
export function skillTailStart(text: string): number | null {
  if (!SKILL.test(text.slice(0, 200))) return null;
  SKILL_END.lastIndex = skillEnd(text);
  return SKILL_END.exec(text)?.index ?? null;
}

function replyEnd(text: string, start: number): number {
  const window = text.slice(start, start + MOST_REPLY);
  let end = -1;
  for (const match of window.matchAll(/["”]\](?=\s|$)/g)) end = match.index + 2;
  if (end < 0) end = window.indexOf("]") + 1;
  return end <= 0 ? Math.min(text.length, start + MOST_REPLY) : start + end;
}

/** The bracket that closes the first one; the paragraph where none does. */
function bracketEnd(text: string, start: number): number {
  const stop = paragraphEnd(text, start);
  let depth = 0;
  for (let at = start; at < stop; at++) {
    const one = text.charAt(at);
    if (one === "[") depth += 1;
    else if (one === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return stop;
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
  if (head.includes("quoted message]")) return paragraphEnd(text, start);
  const close = text.indexOf("]", start);
  return close < 0 ? text.length : close + 1;
}
