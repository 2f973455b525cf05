/**
 * `npm run fuzz -- [--scripts 20000] [--seed N]`: lets bash run that many random scripts in a jail and compares what
 * they did with what their reading says. Prints every script that did more than was read, as short as it could be made.
 */
import { parseArgs } from "node:util";
import { campaign } from "../test/fuzz/campaign.ts";
import { canJail, Jail } from "../test/fuzz/jail.ts";

const { values } = parseArgs({
  options: { scripts: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const scripts = Number(values.scripts);
const seed = Number(values.seed);
if (!Number.isSafeInteger(scripts) || !Number.isSafeInteger(seed) || scripts < 1) {
  console.error("usage: npm run fuzz -- [--scripts COUNT] [--seed NUMBER]");
  process.exit(2);
}
if (!canJail()) {
  console.error("This machine gives no namespaces to jail scripts in (unshare, mount), so none is run.");
  process.exit(2);
}
console.log(`seed ${seed}, ${scripts} scripts`);
const jail = new Jail();
const started = performance.now();
const result = await campaign(jail, {
  seed,
  scripts,
  progress(done, unsound) {
    if (unsound !== null) {
      console.log(
        `UNSOUND after ${done}: ${unsound.misses.join("; ")}\n  ${JSON.stringify(unsound.minimal)}`,
      );
    } else if (done % 1000 === 0)
      console.log(`${done} scripts, ${Math.round((performance.now() - started) / 1000)} s`);
  },
});
await jail.close();
const share = (count) => `${((100 * count) / scripts).toFixed(1)} %`;
console.log(
  `scripts ${scripts}, unsound ${result.unsound.length}, not opaque ${share(result.clear)}, did something ${share(result.active)}`,
);
const causes = [...result.causes].sort((a, b) => b[1] - a[1]).slice(0, 12);
console.log(
  `most frequent reasons for opacity: ${causes.map(([cause, count]) => `${cause} ${count}`).join(", ")}`,
);
process.exitCode = result.unsound.length ? 1 : 0;
