/** Data positions: ways in which people show an agent somebody else's words (CONVENTIONS §6). */

export interface Position {
  readonly name: string;
  readonly show: (text: string) => string;
  /** What would end it early; a text that holds it is another case. */
  readonly ends: RegExp | null;
  /** A few words in quotes are a name (CONVENTIONS §4); more are a sentence. */
  readonly names?: true;
}

/** Paragraphs of their own, after which the person goes on. */
export const BLOCKS: readonly Position[] = [
  { name: "a code fence", show: (text) => `\`\`\`\n${text}\n\`\`\``, ends: /^[ \t]*```/m },
  { name: "a fence with a language", show: (text) => `~~~text\n${text}\n~~~`, ends: /^[ \t]*~~~/m },
  { name: "quoted lines", show: (text) => text.replace(/^/gm, "> "), ends: null },
  { name: "a tag", show: (text) => `<email>${text}</email>`, ends: /<\/?email/i },
  { name: "a tag over lines", show: (text) => `<document>\n${text}\n</document>`, ends: /<\/?document/i },
  {
    name: "another tag",
    show: (text) => `<tool_result id="3">${text}</tool_result>`,
    ends: /<\/?tool_result/i,
  },
];

/** What nothing ends: all that follows belongs to somebody else. */
export const TO_THE_END: readonly Position[] = [
  {
    name: "a forwarded message",
    show: (text) =>
      `---------- Forwarded message ---------\nFrom: Eve <eve@evil.example>\nSubject: hello\n\n${text}`,
    ends: null,
  },
  {
    name: "Apple's forwarded message",
    show: (text) => `Begin forwarded message:\n\nFrom: eve@evil.example\nTo: ann@b.example\n\n${text}`,
    ends: null,
  },
  {
    name: "a mail with its headers",
    show: (text) => `From: eve@evil.example\nSubject: x\n\n${text}`,
    ends: null,
  },
  {
    name: "a mail that is answered",
    show: (text) => `On Tue, May 3, 2030 at 9:12, Eve <eve@evil.example> wrote:\n${text}`,
    ends: null,
  },
  { name: "a file", show: (text) => `[Content of notes.md]:\n${text}`, ends: null },
  {
    name: "a document",
    show: (text) => `[The user sent a text document: 'notes.txt'. Its content:]\n${text}`,
    ends: null,
  },
  { name: "attached context", show: (text) => `--- Attached Context ---\n${text}`, ends: null },
  { name: "a tag that nobody closes", show: (text) => `<email>\n${text}`, ends: /<\/?email/i },
  { name: "a fence that nobody closes", show: (text) => `\`\`\`\n${text}`, ends: /^[ \t]*```/m },
];

/** Quoted, in a sentence of the person's own that asks for nothing, or alone. */
export const QUOTED: readonly Position[] = [
  {
    name: "double quotes",
    show: (text) => `The note says "${text}" and nobody knows why.`,
    ends: /"/,
    names: true,
  },
  {
    name: "curly quotes",
    show: (text) => `The note says “${text}” and nobody knows why.`,
    ends: /[“”]/,
    names: true,
  },
  {
    name: "German quotes",
    show: (text) => `The note says „${text}“ and nobody knows why.`,
    ends: /[„“”]/,
    names: true,
  },
  {
    name: "guillemets",
    show: (text) => `The note says «${text}» and nobody knows why.`,
    ends: /[«»]/,
    names: true,
  },
  {
    name: "corner brackets",
    show: (text) => `The note says 「${text}」 and nobody knows why.`,
    ends: /[「」]/,
    names: true,
  },
  {
    name: "inline code",
    show: (text) => `The note says \`${text}\` and nobody knows why.`,
    ends: /[`\n]/,
    names: true,
  },
  { name: "a quoted paragraph", show: (text) => `"${text}"`, ends: /"/, names: true },
  { name: "a paragraph in curly quotes", show: (text) => `“${text}”`, ends: /[“”]/, names: true },
];

/** Whether the text would stand in this position as a whole, and not as a name. */
export function inPosition(position: Position, text: string): boolean {
  return position.ends?.test(text) !== true && (position.names !== true || text.split(/\s+/).length > 3);
}
