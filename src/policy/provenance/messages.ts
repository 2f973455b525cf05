/** What was typed in one family, kept in memory: for judging what happened once more, where no database is asked. */
import type { Answers, Candidate } from "./judge.ts";
import { searchable } from "./normal.ts";

/** Messages that are told for one quote: the newest decide. */
const MOST = 8;

export interface TypedMessage {
  readonly id: string;
  readonly text: string;
  readonly sender: string | null;
}

export class Messages {
  readonly #messages: (TypedMessage & { readonly form: string })[] = [];

  /** Adds the newest. */
  add(message: TypedMessage): void {
    this.#messages.unshift({ ...message, form: searchable(message.text) });
  }

  /** By the index of the needle: the messages that hold it, the newest first. */
  answers(needles: readonly string[]): Answers {
    return needles.map((needle) => {
      const found: Candidate[] = [];
      for (const [recent, { id, text, sender, form }] of this.#messages.entries()) {
        if (!form.includes(needle)) continue;
        found.push({
          id,
          text,
          where: "this-session",
          recent,
          ...(sender === null ? {} : { sender_id: sender }),
        });
        if (found.length === MOST) break;
      }
      return found;
    });
  }
}
