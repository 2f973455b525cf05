/**
 * Asks that quiet hours hold back. Their notices come due every minute, and each time the hours that are set by then are
 * asked: whoever lifts them in the night hears of what waits within a minute, however long it was to be held at first,
 * and nothing has to find the objects that hold something. Everything here is synchronous, inside one transaction.
 */
import { type QuietHours, quietUntil } from "../policy/approval/index.ts";
import type { RiskClass } from "../policy/types.ts";
import type { Approvals } from "./approvals.ts";
import { actionOf } from "./asks.ts";
import type { Chain } from "./chain.ts";
import type { Notices } from "./notices.ts";

/** Each look costs one read of the settings for all that a family holds. */
export const LOOK_EVERY_MS = 60_000;

export class Held {
  readonly #chain: Chain;
  readonly #approvals: Approvals;
  readonly #notices: Notices;
  readonly #now: () => number;

  constructor(chain: Chain, approvals: Approvals, notices: Notices, now: () => number) {
    this.#chain = chain;
    this.#approvals = approvals;
    this.#notices = notices;
    this.#now = now;
  }

  /**
   * Has an ask wait for the hours that are set now: for longer, for less, or not at all. Its time runs from when people
   * hear of it, so it moves with that; what it is moved to goes on record.
   * @param quiet `null` where no hours are quiet
   * @returns true while it is held
   */
  reconsider(id: string, quiet: QuietHours | null): boolean {
    const found = this.#approvals.find(id);
    const row = found === null ? null : this.#approvals.atRest(found);
    const now = this.#now();
    if (row === null || row.state !== "pending" || row.notify_at <= now) return false;
    const risks = JSON.parse(row.risks) as RiskClass[];
    const until = quiet === null ? null : quietUntil(quiet, risks, now);
    const notifyAt = until ?? now;
    if (notifyAt !== row.notify_at) {
      const seq = this.#chain.head().seq + 1;
      const expiresAt = notifyAt + (row.expires_at - row.notify_at);
      const moved = this.#approvals.reschedule(row, notifyAt, expiresAt);
      this.#notices.prolong(id, "approval.opened", expiresAt);
      this.#chain.append({
        session: row.session,
        at: now,
        kind: "approval_rescheduled",
        body: { approval: id, notify_at: notifyAt, expires_at: expiresAt, decision_seq: row.opened_seq },
        private: actionOf(row),
        publish: [this.#approvals.published(moved, seq)],
      });
    }
    if (notifyAt <= now) return false;
    this.#notices.delay(id, "approval.opened", nextLook(notifyAt, now));
    return true;
  }
}

/** When a notice that is to go out at `notifyAt` is looked at next. */
export function nextLook(notifyAt: number, now: number): number {
  return Math.min(notifyAt, now + LOOK_EVERY_MS);
}
