/**
 * Who waits for an approval to be decided. In memory alone: an object that is reset forgets its waiters, and whoever
 * waited asks again. Nobody is ever lost by it, since what was decided is on record.
 */

/** Waiters of one object; each holds a request open. More are answered at once with what stands. */
const MAX_WAITERS = 1_000;

export class Waiting {
  readonly #waiters = new Map<string, Set<() => void>>();
  #count = 0;

  /** Resolves when the approval is woken, or after the time; at once where too many wait. */
  until(approval: string, ms: number): Promise<void> {
    if (this.#count >= MAX_WAITERS || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(approval) ?? new Set();
      this.#waiters.set(approval, waiters);
      this.#count += 1;
      const wake = (): void => {
        if (!waiters.delete(wake)) return;
        clearTimeout(timer);
        this.#count -= 1;
        if (waiters.size === 0 && this.#waiters.get(approval) === waiters) this.#waiters.delete(approval);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiters.add(wake);
    });
  }

  /** Wakes everybody who waits for these. */
  wake(approvals: Iterable<string>): void {
    for (const approval of approvals) for (const wake of [...(this.#waiters.get(approval) ?? [])]) wake();
  }
}
