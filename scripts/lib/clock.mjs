/** wrangler rings no clock on a laptop: checkpoints, retention and the rest are asked for here as a deployment's cron would. */

/** As `[triggers]` in wrangler.toml has it. */
export const EVERY_MS = 5 * 60 * 1000;

/**
 * Rings until it is stopped. A Worker that is busy or being rebuilt is rung again the next time.
 * @param {string} origin
 * @param {number} [everyMs]
 * @returns {() => void} stops it
 */
export function startClock(origin, everyMs = EVERY_MS) {
  const timer = setInterval(() => {
    fetch(`${origin}/cdn-cgi/handler/scheduled`).then(
      (answer) => answer.body?.cancel(),
      () => {},
    );
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
