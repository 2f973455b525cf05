/**
 * `npm test`: the checks, the tests, then the tests that start the Worker as a person would. The last line is the sum.
 * With arguments (`npm test -- test/policy`) only the tests that they name, as vitest takes them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKS } from "./lib/checks.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { bold, dim, green, red, run, Stopped, say, stopSignal } from "./lib/say.mjs";
import { runTool } from "./lib/tools.mjs";

/** Many times what a run takes; vitest cannot end a test that never yields. */
const LIMIT_MS = 20 * 60_000;

await run(async () => {
  const stopped = stopSignal();
  await ensureInstalled(stopped);
  const chosen = process.argv.slice(2);
  const results =
    chosen.length > 0
      ? [await vitest("the chosen tests", chosen, stopped)]
      : [
          await checks(stopped),
          await vitest("pure tests", ["--project=pure"], stopped),
          // They wait for timers and disks more than they compute.
          await vitest("tests in the runtime", ["--project=workerd", "--max-workers=3"], stopped),
          await vitest("smoke tests", ["--project=smoke", "--project=browser"], stopped),
        ];
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  if (sum("skipped") > 0) say(dim(`${sum("skipped")} skipped`));
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 ? 1 : 0;
});

async function checks(stopped) {
  const result = { passed: 0, failed: 0, skipped: 0 };
  say(bold("checks"));
  for (const { name, check } of CHECKS) {
    const started = performance.now();
    const fault = await check(stopped);
    if (stopped.aborted) throw new Stopped();
    result[fault === null ? "passed" : "failed"] += 1;
    say(
      ` ${fault === null ? green("✓") : red("✗")} ${name} ${dim(`${Math.round(performance.now() - started)} ms`)}`,
    );
    if (fault !== null) say(fault.replace(/^/gm, "   "));
  }
  return result;
}

/** vitest prints as it goes; what it counted is read from its report, and a run without one has failed. */
async function vitest(title, args, stopped) {
  say(`\n${bold(title)}`);
  const folder = mkdtempSync(join(tmpdir(), "countersign-test-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { code, late } = await runTool(
      "vitest/vitest.mjs",
      ["run", ...args, "--silent=passed-only", ...reporters],
      {
        // The tests bring their own secrets; where wrangler would look for others is of no interest.
        env: { WRANGLER_LOG: "error" },
        stopped,
        show: true,
        limitMs: LIMIT_MS,
      },
    );
    if (stopped.aborted) throw new Stopped();
    if (late)
      say(
        red(`Still at work after ${LIMIT_MS / 60_000} minutes, and ended: a test does not come to an end.`),
      );
    const counted = counts(report);
    // An error outside any test, or a file that could not be loaded, fails the run though no test says so.
    if (code !== 0 && counted.failed === 0) counted.failed = 1;
    return counted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function counts(report) {
  let json;
  try {
    json = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const unloaded = json.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests + unloaded.length,
    skipped: json.numPendingTests + json.numTodoTests,
  };
}
