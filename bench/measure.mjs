/** How the sections measure and print. */

/**
 * Times all of `runs` in every round, from first to last and back again in turn, so that none of them always comes after
 * the same one. A run shorter than `leastMs` is repeated. The first `warm` rounds are not counted.
 * @returns {number[][]} milliseconds for each run, in each round
 */
export function rounds(runs, { count, warm = 2, leastMs = 2 }) {
  const times = runs.map(() => []);
  const order = runs.map((_, at) => at);
  for (let round = -warm; round < count; round += 1) {
    for (const at of order) {
      const ms = mean(runs[at], leastMs);
      if (round >= 0) times[at].push(ms);
    }
    order.reverse();
  }
  return times;
}

function mean(run, leastMs) {
  const started = performance.now();
  let done = 0;
  do {
    run();
    done += 1;
  } while (performance.now() - started < leastMs);
  return (performance.now() - started) / done;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The median of what `of` says of two runs in the same round. */
export function paired(ours, others, of = (a, b) => a / b) {
  return median(ours.map((ms, round) => of(ms, others[round])));
}

/** Prints rows of text, the first of them the heads. A row of one cell is a heading among the rows. */
export function table(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
        .join("   ")
        .trimEnd(),
    );
}
