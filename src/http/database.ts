/** What a request makes of a database that is away: every route asks the same bounded one, and says the same. */
import { boundedDatabase, isDatabaseAway } from "../db/bounded.ts";
import { Problem } from "../errors.ts";

const prepared = new WeakMap<Env, Env>();

/** The bindings as every route sees them: whatever asks D1 hears of it in bounded time. */
export function withBoundedDatabase(env: Env): Env {
  let made = prepared.get(env);
  if (made === undefined) {
    made = { ...env, DB: boundedDatabase(env.DB) };
    prepared.set(env, made);
  }
  return made;
}

/** `unavailable` for an error that came of a database that is away, `null` for any other. */
export function databaseProblem(error: unknown): Problem | null {
  return isDatabaseAway(error)
    ? new Problem("unavailable", "The database cannot be reached. Try again.", {
        headers: { "retry-after": "5" },
      })
    : null;
}
