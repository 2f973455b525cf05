/** What an oath is once it has been read, and how large it may be. */

import type { FileVerb } from "../types.ts";

/** A short list of plain lines: a thousand rules of sixty bytes. Judging stays far below a millisecond at this size. */
export const MAX_OATH_BYTES = 65_536;
/** Missions and rules together; comments and blank lines are free. */
export const MAX_RULE_LINES = 1_000;
/** In UTF-16 units. A quarter of the longest path a file system takes (4096 bytes), and more than a person reads. */
export const MAX_PATTERN_LENGTH = 1_024;
/** In UTF-16 units. A mission is briefed into every session's first turn, so it is a paragraph, not a document. */
export const MAX_MISSION_LENGTH = 2_000;
/** In UTF-16 units. Twice the longest mission, so that a mission slightly too long gets the message about missions. */
export const MAX_LINE_LENGTH = 4_096;
/** Errors reported at once; the last one says that there are more. */
export const MAX_DIAGNOSTICS = 100;

export const OATH_VERBS = ["delete", "modify", "create", "any"] as const;
export type OathVerb = (typeof OATH_VERBS)[number];

/** `line` counts from 1; `text` is the line as sworn, without the white space around it. */
interface Sworn {
  readonly line: number;
  readonly text: string;
}

export interface MissionLine extends Sworn {
  readonly kind: "mission";
  readonly mission: string;
}

export interface NeverLine extends Sworn {
  readonly kind: "never";
  readonly verb: OathVerb;
  readonly pattern: string;
}

export interface RequireLine extends Sworn {
  readonly kind: "require";
  readonly evidence: "backup";
  readonly verb: OathVerb;
  readonly pattern: string;
}

export type RuleLine = NeverLine | RequireLine;
export type OathLine = MissionLine | RuleLine;

/** An oath without errors, in the order of its lines. Plain data: it can be stored and read back as JSON. */
export interface Oath {
  readonly lines: readonly OathLine[];
}

/** The file verbs that a line's verb stands for. */
export function verbsOf(verb: OathVerb): readonly FileVerb[] {
  return verb === "any" ? ["delete", "modify", "create"] : [verb];
}
