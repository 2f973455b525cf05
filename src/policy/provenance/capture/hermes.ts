/** What Hermes puts around a typed turn, and the turns that it writes itself. Each kind is a row of a table. */

/** Agents that are not the user, and deliveries that nobody typed. */
export const SILENT_PLATFORMS: ReadonlySet<string> = new Set([
  "cron",
  "curator",
  "subagent",
  "webhook",
  "msgraph_webhook",
]);

/** Where somebody types alone: no label with a sender's name is put before the text. */
const ALONE = new Set(["", "cli", "tui", "api", "api_server", "acp", "local", "desktop", "gateway"]);

/** A turn that begins so was written by the harness as a whole. */
const WRITTEN = [
  "[SYSTEM:",
  "[CONTEXT",
  "[PRIOR CONTEXT",
  "[IMPORTANT:",
  "[Your active task list",
  "[Planning state preserved",
  "[ASYNC DELEGATION",
  "[OUT-OF-BAND",
  "[/OUT-OF-BAND",
  "Cronjob Response:",
  "[Background process",
  "[Continuing toward",
  "[The work looks complete",
  "[Goal set]",
  "[Heartbeat",
  "[/loop wakeup",
  "[STILL IN PROGRESS",
  "[Skills pruned",
  "[Skill directory",
  "[Loaded as part of",
  "[Runtime note:",
  "Continue from the compressed conversation context above",
  "[SYSTEM NOTE:",
].map((text) => text.toLowerCase());

/** How a block ends. `null`: nothing of the turn is left. */
type End = (text: string, start: number) => number | null;

interface Block {
  readonly name: string;
  readonly opens: RegExp;
  readonly ends: End;
}

/** Behind the first `]` that ends its line; else behind the first one. */
const bracket: End = (text, start) => {
  for (let at = text.indexOf("]", start); at >= 0; at = text.indexOf("]", at + 1))
    if (at + 1 >= text.length || text.charAt(at + 1) === "\n") return at + 1;
  const first = text.indexOf("]", start);
  return first < 0 ? null : first + 1;
};

/** Behind the first `]`: what follows on the line is typed. */
const nearest: End = (text, start) => {
  const at = text.indexOf("]", start);
  return at < 0 ? null : at + 1;
};

/** Behind the last of these marks: what stands inside can hold anything. */
const last =
  (...marks: string[]): End =>
  (text, start) => {
    let end = -1;
    for (const mark of marks) {
      const at = text.lastIndexOf(mark);
      if (at >= start) end = Math.max(end, at + mark.length);
    }
    return end < 0 ? null : end;
  };

/** A reply pointer shows at most 500 characters of what it points to. */
const REPLY_WINDOW = 560;
const reply: End = (text, start) => {
  const window = text.slice(start, start + REPLY_WINDOW);
  let end = -1;
  for (const match of window.matchAll(/["\u201d]\](?=\n|$)/g)) end = match.index + 2;
  return end < 0 ? bracket(text, start) : start + end;
};

/** What a vision model saw can hold brackets; the hint for a closer look comes last. */
const picture: End = (text, start) => last("~]")(text, start) ?? bracket(text, start);

const LEADING: readonly Block[] = [
  { name: "discord-routing", opens: /\[Triggering message id: /y, ends: bracket },
  { name: "reply-pointer", opens: /\[Replying to(?: your previous message)?: /y, ends: reply },
  { name: "picture", opens: /\[The user sent an image~/y, ends: picture },
  {
    name: "sticker",
    opens: /\[The user sent an? (?:animated )?sticker/y,
    ends: (text, start) => last("(=^.w.^=)]")(text, start) ?? bracket(text, start),
  },
  { name: "media-note", opens: /\[The user sent /y, ends: bracket },
  { name: "closer-look", opens: /\[If you need a closer look/y, ends: bracket },
  { name: "voice-failed", opens: /\[voice message could not be transcribed/y, ends: bracket },
  {
    name: "queued-media",
    opens: /\[User sent (?:an? )?(?:image|audio|video|file|document|photo)/y,
    ends: bracket,
  },
  { name: "attached", opens: /\[User attached /y, ends: nearest },
  {
    name: "channel-backfill",
    opens:
      /\[(?:Recent channel messages\]|Context around the replied-to message\]|Messages prefixed with \[unverified\])/y,
    ends: (text, start) => last("\n[New message]\n")(text, start),
  },
  { name: "new-message", opens: /\[New message\]\n/y, ends: nearest },
  {
    name: "skills-reload",
    opens: /\[USER INITIATED SKILLS RELOAD:/y,
    ends: (text, start) =>
      last("catalog.]")(text, start) ?? last("]\n\n")(text, start) ?? bracket(text, start),
  },
  { name: "model-switch", opens: /\[Note: model was just switched /y, ends: bracket },
  {
    name: "system-note",
    opens:
      /\[System(?: note)?: (?:The previous turn was interrupted|Your previous turn|A new message has arrived|You are working in an isolated git worktree|The user invoked \/browser|This is the user's very first message|The session was (?:resumed|restored|interrupted)|Session (?:resumed|restored))/y,
    ends: bracket,
  },
  { name: "wechat-quote", opens: /\[\u5f15\u7528/y, ends: last("]\n") },
  { name: "qq-quote", opens: /\[Quoted message\]:/y, ends: last("\n\n") },
  { name: "recalled-memory", opens: /<memory-context>/y, ends: last("</memory-context>") },
];

/** From a line that begins so, all that follows is the harness's. */
const TRAILING =
  /^(?:--- (?:Attached Context|Context Warnings) ---[ \t]*$|\[Content of [^\n]{1,400}\]:|\[System note: |<memory-context>)/m;
/** Lines of their own between typed ones. */
const BETWEEN =
  /^\[(?:User (?:sent|attached) [^\n]*|The user sent an? (?:text document|document|audio|video|voice)[^\n]*|voice message could not be transcribed[^\n]*)\][ \t]*$\n?/gm;

const SKILL = /^\[IMPORTANT: The user has invoked the "[^\n]*?" (skill bundle|stacked skill bundle|skill)\b/;
const SKILL_WORDS = "The user has provided the following instruction alongside the skill invocation: ";
const BUNDLE_WORDS = "\nUser instruction: ";

/** A sender's name in a shared chat; a box to tick, a number and a link are typed. */
const LABEL = /\[(?![ xX\u2713\d]*\])[^[\]\n]{1,64}(?:\[[^[\]\n]{0,16}\])?\] (?=\S)/y;

/** Total, linear; `null` when nothing was typed. */
export function hermesTyped(given: string, platform: string): string | null {
  const isShared = !ALONE.has(platform);
  const between = given.replace(BETWEEN, "");
  let at = skipSpace(between, 0);
  let text = between;
  while (at < text.length) {
    const end = leadingEnd(text, at, isShared);
    if (end === null) return null;
    if (end === at) {
      const words = skillWords(text.slice(at));
      if (words === undefined) break;
      if (words === null) return null;
      // What was typed beside a skill can be wrapped again only by a typist.
      text = words;
      at = skipSpace(text, 0);
      continue;
    }
    at = skipSpace(text, end);
  }
  const rest = text.slice(at);
  const cut = TRAILING.exec(rest);
  return cut === null ? rest : rest.slice(0, cut.index);
}

/** Behind the block or label at `at`; `at` itself when there is none; `null` when the turn is the harness's. */
function leadingEnd(text: string, at: number, isShared: boolean): number | null {
  const first = text.charAt(at);
  if (first !== "[" && first !== "<" && first !== "C") return at;
  for (const { opens, ends } of LEADING) {
    opens.lastIndex = at;
    if (!opens.test(text)) continue;
    return ends(text, at);
  }
  const head = text.slice(at, at + 80);
  if (SKILL.test(text.slice(at, at + 400))) return at;
  const lower = head.toLowerCase();
  if (WRITTEN.some((prefix) => lower.startsWith(prefix))) return null;
  if (isShared && first === "[") {
    LABEL.lastIndex = at;
    if (LABEL.test(text)) return LABEL.lastIndex;
  }
  return at;
}

/** The words typed beside a skill; `null` for none, `undefined` where no skill was invoked. */
function skillWords(text: string): string | null | undefined {
  const kind = SKILL.exec(text.slice(0, 400))?.[1];
  if (kind === undefined) return undefined;
  if (kind === "skill") {
    // A skill's own text may quote the mark, so the last one counts, if the skill's text has ended before it.
    const mark = text.lastIndexOf(SKILL_WORDS);
    if (mark < 0 || text.lastIndexOf("[Skill directory: ") > mark) return null;
    return upTo(text.slice(mark + SKILL_WORDS.length), "\n\n[Runtime note: ");
  }
  const skills = text.indexOf("\n\n[Loaded as part of the ");
  const head = skills < 0 ? text : text.slice(0, skills);
  const mark = head.indexOf(BUNDLE_WORDS);
  return mark < 0 ? null : upTo(head.slice(mark + BUNDLE_WORDS.length), "\n\n[Runtime note: ");
}

function upTo(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}
