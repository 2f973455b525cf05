/** How long an ask still waits. Its script moves the time; without it the page says what was left when it was opened. */
import { leftWords } from "./approval-words.ts";

export interface TimeLeftProps {
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly now: number;
}

/** Give its page the script `/assets/left.js`. Nothing is read out while it moves: only that it is over. */
export function TimeLeft({ expires, now }: TimeLeftProps) {
  return <span data-left={String(expires - now)}>{leftWords(expires - now)}</span>;
}

/** Shown by the script alone, once the time is over. */
export function TimeOver() {
  return (
    <div role="status">
      <p class="note note-strong" data-left-over hidden>
        Its time is over, which means no. Open this page again to see what became of it.
      </p>
    </div>
  );
}
