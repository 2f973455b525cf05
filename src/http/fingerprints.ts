/**
 * Takes a client's report of its sworn files to the agent's baseline, and what moved outside the gate to the session's
 * chain. Recorded first, then the baseline moves: see `durable/baseline.ts` for the crash order.
 */
import type { Context } from "hono";
import * as z from "zod";
import { MAX_FILES, MAX_HOSTS, MAX_SURFACES } from "../durable/baseline.ts";
import type {
  Compared,
  FingerprintRow,
  LedgerPosition,
  OutsideChange,
  ReportedRow,
  Standing,
} from "../durable/protocol.ts";
import { Problem } from "../errors.ts";
import { canonicalText, hashOf } from "../ledger/index.ts";
import { type BoundOath, surfacesOf } from "../policy/oath/index.ts";
import { escapeBound, foldsCase, holding, resolvePath, type Steps } from "../policy/paths/index.ts";
import type { Environment, PathBound } from "../policy/types.ts";
import type { AgentCaller } from "./access.ts";
import { privateText } from "./commitment.ts";
import type { AppEnv } from "./context.ts";
import { listedSurfaces } from "./fingerprint-request.ts";
import { absentSession, agentStub, callObject, sessionStub } from "./sessions.ts";

/** Rows of one report: what 1 MiB of body holds. */
const MAX_ROWS = 20_000;

/** Steps that one report may take over the sworn patterns, some 200 ms; beyond, a path counts as sworn. */
const MAX_REPORT_STEPS = 8_000_000;

const Path = z.string().min(1).max(4096);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "lower-case hex SHA-256");
const Size = z.number().int().min(0);
export const Rows = z
  .array(
    z.union([
      z.strictObject({ path: Path, sha256: Sha256 }),
      z.strictObject({ path: Path, size: Size, mtime: z.number() }),
      z.strictObject({ path: Path, sha256: Sha256, size: Size, mtime: z.number() }),
      z.strictObject({ path: Path, absent: z.literal(true) }),
    ]),
  )
  .max(MAX_ROWS)
  .meta({
    id: "FingerprintRows",
    description:
      "Hash, or size and mtime above the limit, or all three, or absent. Two states are compared by what both have: hashes, else size and mtime; with nothing in common the file counts as modified.",
  });

export const Host = z.string().min(1).max(253).meta({ description: "The machine that the files are on." });

export interface FingerprintReport {
  readonly changes: readonly OutsideChange[];
  /** Rows that no oath covers: they are not kept. */
  readonly ignored: number;
  readonly ledger: LedgerPosition | null;
}

/**
 * The rows of a report with their paths as every judge spells them.
 * @param pointer where the rows stand in the body
 * @throws {Problem} `invalid-request` for a path that cannot be read
 */
export function readRows(
  rows: z.infer<typeof Rows>,
  environment: Environment,
  pointer: string,
): FingerprintRow[] {
  return rows.map((row, i) => {
    const resolved = resolvePath(row.path, environment);
    if (resolved.ok) return { ...row, path: resolved.path };
    throw new Problem("invalid-request", "A path of the report cannot be read.", {
      errors: [
        {
          pointer: `${pointer}/${i}/path`,
          detail: `must be an absolute path (${resolved.cause})`,
          code: resolved.cause,
        },
      ],
    });
  });
}

/** Names what was reported, so that the same report can be told from another one. */
export function rowsHash(host: string, rows: readonly FingerprintRow[]): string {
  return hashOf("countersign/reported-rows/v1\n", canonicalText({ host, rows }));
}

/**
 * @param complete true when `rows` holds every file of every surface that was asked for, so that a missing one is deleted
 * @param allowed bounds that a call was let through to move, and the name of that call: it is good for one report
 * @throws {Problem} `conflict` when the agent has too much on record
 */
export async function reportFingerprints(
  c: Context<AppEnv>,
  caller: AgentCaller,
  where: { root: string; environment: Environment; standing: Standing; oaths: readonly BoundOath[] },
  report: {
    host: string;
    rows: readonly FingerprintRow[];
    complete: boolean;
    allowed: { bounds: readonly PathBound[]; licence: string } | null;
  },
): Promise<FingerprintReport> {
  const foldCase = foldsCase(where.environment);
  const surfaces = surfacesOf(where.oaths).map((surface) => surface.bound);
  const steps: Steps = { left: MAX_REPORT_STEPS };
  const sworn = holding(surfaces, { foldCase, dotsMatch: true }, steps);
  const moved = holding(report.allowed?.bounds ?? [], { foldCase, dotsMatch: false }, steps);
  const rows: ReportedRow[] = [];
  for (const row of report.rows) {
    const path = escapeBound(row.path);
    const { by, unsure } = sworn(path);
    if (by.length === 0 && !unsure) continue;
    rows.push({ row, held_by: unsure ? null : by, licensed: moved(path).by.length > 0 });
  }
  const ignored = report.rows.length - rows.length;
  if (rows.length === 0 && !report.complete) return { changes: [], ignored, ledger: null };
  const baseline = () => agentStub(c.env, caller.organization, caller.agent);
  const compared = await callObject(baseline, (stub) =>
    stub.compare({
      host: report.host,
      rows,
      surfaces,
      complete: report.complete ? listedSurfaces(where.oaths).listed.map(({ bound }) => bound) : [],
      licence: rows.some((row) => row.licensed) ? (report.allowed?.licence ?? null) : null,
      fold_case: foldCase,
    }),
  );
  if (!compared.ok) throw tooMuch(compared);
  if (compared.changes.length === 0) return { changes: [], ignored, ledger: null };
  const recorded = await callObject(
    () => sessionStub(c.env, caller.organization, where.root),
    (stub) =>
      stub.drift({
        ...where.standing,
        host: report.host,
        report: compared.report,
        changes: compared.changes,
        private: privateText({
          changes: compared.changes,
          states: compared.moves.map(({ row }) => row),
        }),
      }),
  );
  if (!recorded.ok) throw absentSession(recorded.code);
  await callObject(baseline, (stub) => stub.accept(report.host, compared.moves));
  return { changes: compared.changes, ignored, ledger: recorded.ledger };
}

function tooMuch({ code }: Exclude<Compared, { ok: true }>): Problem {
  switch (code) {
    case "too-many-files":
      return new Problem(
        "conflict",
        `A host has at most ${MAX_FILES} sworn files on record for an agent. Swear narrower patterns.`,
      );
    case "too-many-surfaces":
      return new Problem(
        "conflict",
        `A host has at most ${MAX_SURFACES} surfaces on record for an agent; every pattern in every home that it was sworn for is one.`,
      );
    case "too-many-hosts":
      return new Problem(
        "conflict",
        `An agent has fingerprints of at most ${MAX_HOSTS} hosts. Name a machine the same each time.`,
      );
  }
}
