/**
 * What a comparison cannot read. Whoever can write the database may put anything into any column, and must not by that
 * break off the comparison of everything else, nor go without an alert.
 */
import { isDatabaseAway } from "../db/bounded.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import type { Finding } from "./alerts.ts";

/** Failures of the platform, which pass. */
const PASSING = /internal error|reset|network|connection|exceeded|overloaded|timed? ?out/i;

/** Whether an error came of what was read; any other passes, and the next comparison goes on. */
export function isOfData(error: unknown): boolean {
  if (isDatabaseAway(error) || error instanceof Problem || !(error instanceof Error)) return false;
  const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
  return retryable !== true && overloaded !== true && !PASSING.test(error.message);
}

/**
 * Runs one part of a comparison.
 * @param where what is compared, for the finding
 * @param otherwise what the part comes to when what it reads cannot be read
 * @throws whatever passes
 */
export async function guarded<T>(
  findings: Finding[],
  where: Pick<Finding, "place" | "chain"> & Partial<Pick<Finding, "table" | "id">>,
  part: () => Promise<T>,
  otherwise: () => T,
): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (!isOfData(error)) throw error;
    log.error("drift-unreadable", error, { chain: where.chain, table: where.table ?? null });
    findings.push({ code: "unreadable", seq: 0, ...where });
    return otherwise();
  }
}
