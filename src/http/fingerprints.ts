/**
 * Takes a client's report of its sworn files to the agent's baseline, and what moved outside the gate to the session's
 * chain. Recorded first, then the baseline moves: see `durable/baseline.ts` for the crash order.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { FingerprintRow, LedgerPosition, OutsideChange, Standing } from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { type BoundOath, surfacesOf } from "../policy/oath/index.ts";
import { escapeBound, foldsCase, patternCovers, resolvePath } from "../policy/paths/index.ts";
import type { Environment, PathBound } from "../policy/types.ts";
import type { AgentCaller } from "./access.ts";
import { privateText } from "./commitment.ts";
import type { AppEnv } from "./context.ts";
import { agentStub, callObject, sessionStub, unknownSession } from "./sessions.ts";

/** Rows of one report: what 1 MiB of body holds. */
const MAX_ROWS = 20_000;

const Path = z.string().min(1).max(4096);
export const Rows = z
  .array(
    z.union([
      z.strictObject({ path: Path, sha256: z.string().regex(/^[0-9a-f]{64}$/, "lower-case hex SHA-256") }),
      z.strictObject({ path: Path, size: z.number().int().min(0), mtime: z.number() }),
      z.strictObject({ path: Path, absent: z.literal(true) }),
    ]),
  )
  .max(MAX_ROWS)
  .meta({ id: "FingerprintRows", description: "Hash, or size and mtime above the limit, or absent." });

export const Host = z.string().min(1).max(253).meta({ description: "The machine that the files are on." });

export interface FingerprintReport {
  readonly changes: readonly OutsideChange[];
  /** Rows that no oath covers: they are not kept. */
  readonly ignored: number;
  readonly ledger: LedgerPosition | null;
}

/**
 * @param complete true when `rows` holds every file of every surface, so that a missing one is a deleted one
 * @param allowed bounds that a call was let through to move
 * @throws {Problem} `invalid-request` for a path that cannot be read
 */
export async function reportFingerprints(
  c: Context<AppEnv>,
  caller: AgentCaller,
  where: { root: string; environment: Environment; standing: Standing; oaths: readonly BoundOath[] },
  report: { host: string; rows: z.infer<typeof Rows>; complete: boolean; allowed: readonly PathBound[] },
): Promise<FingerprintReport> {
  const foldCase = foldsCase(where.environment);
  const surfaces = surfacesOf(where.oaths).map((surface) => surface.bound);
  const rows: FingerprintRow[] = [];
  for (const [i, row] of report.rows.entries()) {
    const resolved = resolvePath(row.path, where.environment);
    if (!resolved.ok)
      throw new Problem("invalid-request", "A path of the report cannot be read.", {
        errors: [
          {
            pointer: `/${i}/path`,
            detail: `must be an absolute path (${resolved.cause})`,
            code: resolved.cause,
          },
        ],
      });
    const path = escapeBound(resolved.path);
    if (surfaces.some((surface) => patternCovers(surface, path, foldCase)))
      rows.push({ ...row, path: resolved.path });
  }
  const ignored = report.rows.length - rows.length;
  if (rows.length === 0 && !report.complete) return { changes: [], ignored, ledger: null };
  const baseline = () => agentStub(c.env, caller.organization, caller.agent);
  const compared = await callObject(baseline, (stub) =>
    stub.compare({
      host: report.host,
      rows,
      complete: report.complete ? surfaces : [],
      allowed: report.allowed,
      fold_case: foldCase,
    }),
  );
  if (compared.changes.length === 0) return { changes: [], ignored, ledger: null };
  const recorded = await callObject(
    () => sessionStub(c.env, caller.organization, where.root),
    (stub) =>
      stub.drift({
        ...where.standing,
        host: report.host,
        report: compared.report,
        changes: compared.changes,
        private: privateText({ changes: compared.changes, states: compared.moves }),
      }),
  );
  if (!recorded.ok) throw unknownSession();
  await callObject(baseline, (stub) => stub.accept(report.host, compared.moves));
  return { changes: compared.changes, ignored, ledger: recorded.ledger };
}
