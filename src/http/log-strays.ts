/** What stands in the database beside the log that was signed, and would stop it for good. */
import { listCheckpointsFrom } from "../db/checkpoints.ts";
import { removeStrays } from "../db/log-strays.ts";
import { faultOf, sealedOf } from "./log-last.ts";
import { keysOnRecord, verifiersOf } from "./signing-keys.ts";

/**
 * Takes away checkpoints behind the newest one on record that cannot be the next, and leaves and nodes that no tree has.
 * The log itself is as it was signed by then.
 * @returns how many rows
 */
export async function takeStraysAway(env: Env, organization: string): Promise<number> {
  const recorded = await sealedOf(env, organization);
  const number = recorded?.number ?? 0;
  const [next, after] = await listCheckpointsFrom(env.DB, organization, number + 1, 2);
  const keys = verifiersOf(await keysOnRecord(env, organization));
  const isNext =
    next?.number === number + 1 && (await faultOf(env, organization, recorded, next, keys)) === null;
  // While one stands there that cannot, nobody makes another: what is taken away is nobody's work.
  const isStopped = next !== undefined && (!isNext || after !== undefined);
  return removeStrays(env.DB, organization, isStopped ? number + (isNext ? 1 : 0) : null);
}
