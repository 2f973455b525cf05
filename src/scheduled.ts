/**
 * What is done by the clock: one duty after the other, each for so long at most and each failing alone. Every duty goes
 * on where its last run left it, so that a run that is cut short loses nothing; none asks which schedule rang.
 */

import { checkEnv } from "./env.ts";
import { upgradeAnchors } from "./http/anchor-work.ts";
import { makeCheckpoints } from "./http/checkpoints.ts";
import { withBoundedDatabase } from "./http/database.ts";
import { checkDrifts } from "./http/drift.ts";
import { retain } from "./http/retention.ts";
import { log } from "./log.ts";

/** Of one duty. A run of the clock has minutes; the next one comes soon. */
const DUTY_MS = 20_000;

interface Duty {
  readonly name: string;
  /** @param until when to break off, epoch milliseconds */
  readonly run: (env: Env, now: number, until: number) => Promise<unknown>;
}

const DUTIES: readonly Duty[] = [
  { name: "checkpoints", run: makeCheckpoints },
  { name: "anchors", run: (env, now) => upgradeAnchors(env, now) },
  { name: "retention", run: retain },
  { name: "drift", run: checkDrifts },
];

/** @param now epoch milliseconds */
export async function runDuties(env: Env, now: number): Promise<void> {
  const check = checkEnv(env);
  if (!check.ok) return log.error("misconfigured", check.faults.join("; "));
  const bounded = withBoundedDatabase(env);
  for (const { name, run } of DUTIES)
    try {
      await run(bounded, now, Date.now() + DUTY_MS);
    } catch (error) {
      log.error("duty-failed", error, { duty: name });
    }
}
