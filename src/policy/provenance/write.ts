/** What a tool call would store. */
import { editedFile, type FileEdit } from "./edits.ts";

/** What one of the texts that are written comes from. */
export interface Origin {
  /** Texts whose sentences were written before. */
  readonly known: readonly string[];
  /** Texts whose quotes are evidence: what stands where this one will stand. */
  readonly quoted: readonly string[];
}

export type Write =
  /** Nothing that is kept. */
  | { readonly kind: "none" }
  /** A memory tool whose arguments nobody can read: refused, whatever they hold. */
  | { readonly kind: "unreadable"; readonly tool: string; readonly target: string; readonly detail: string }
  | {
      readonly kind: "write";
      readonly tool: string;
      /** What is written, for people and for counting refusals: `memory:user`, `skill_manage:brand`, `Edit:/a/CLAUDE.md`. */
      readonly target: string;
      /** The texts as they would stand afterwards. */
      readonly pieces: readonly string[];
      /** The text that is edited, in parts. */
      readonly base: readonly string[];
      /** By the index of the piece, where not all of `base` counts for it. */
      readonly origins?: readonly (Origin | undefined)[];
      /** Only what the call brings could be seen: nobody said what is stored, or it is not there. */
      readonly isPartial: boolean;
    };

/** A write that was read. */
export type Written = Extract<Write, { kind: "write" }>;

export const NONE: Write = { kind: "none" };

const MAX_TARGET = 300;

/** @param name of the place; the tool alone without one */
export const targetOf = (tool: string, name: string | null): string =>
  name === null ? tool : `${tool}:${name.slice(0, MAX_TARGET)}`;

export function unreadable(tool: string, target: string, detail: string): Write {
  return { kind: "unreadable", tool, target, detail };
}

/** Texts that nobody can place: read on their own, and backed by nothing that stands there. */
export function withLoose(write: Written, texts: readonly string[]): Written {
  if (texts.length === 0) return write;
  const origin: Origin = { known: write.base, quoted: [] };
  return {
    ...write,
    pieces: [...write.pieces, ...texts],
    origins: [...write.pieces.map((_, index) => write.origins?.[index]), ...texts.map(() => origin)],
  };
}

/** The place holds these texts afterwards, and nothing else. */
export function whole(
  tool: string,
  target: string,
  pieces: readonly string[],
  stored: string | null,
): Written {
  return { kind: "write", tool, target, pieces, base: stored === null ? [] : [stored], isPartial: false };
}

/** Edits of what is stored. */
export function edited(
  tool: string,
  target: string,
  edits: readonly FileEdit[],
  stored: string | null,
): Written {
  const { pieces, isPartial } = editedFile(edits, stored);
  return { kind: "write", tool, target, pieces, base: stored === null ? [] : [stored], isPartial };
}
