/**
 * The fingerprints of one agent's sworn files, by host. They belong to the agent and outlive its sessions, so that a
 * change between two sessions is seen and two sessions don't accuse each other (DESIGN §4, Oath).
 *
 * Crash order: `compare` writes nothing but first sightings and allowed changes; the session's chain records what it
 * found; only then does `accept` move the baseline. A crash in between finds the same changes again under the same
 * report id, which the chain records once.
 */
import { canonicalText, hashOf } from "../ledger/index.ts";
import { boundCovers, escapeBound, patternCovers } from "../policy/paths/index.ts";
import type { PathBound } from "../policy/types.ts";
import type { Compared, CompareInput, FingerprintRow, OutsideChange } from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Changes named in one report; the rest is found by the next. */
const MAX_CHANGES = 500;

type State = { sha256: string } | { size: number; mtime: number } | { absent: true };

export class Baseline {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  compare(input: CompareInput): Compared & { moves: FingerprintRow[] } {
    this.#tables.create();
    const { sql } = this.#tables;
    const { host } = input;
    const known = new Map<string, State>();
    for (const row of sql.exec<{ path: string; state: string }>(
      "SELECT path, state FROM fingerprints WHERE host = ?",
      host,
    ))
      known.set(row.path, JSON.parse(row.state) as State);
    const snapshotted = sql
      .exec<{ bound: string }>("SELECT bound FROM surfaces WHERE host = ?", host)
      .toArray()
      .map((row) => row.bound);
    const sworn = (patterns: readonly PathBound[], path: string): boolean =>
      patterns.some((pattern) => patternCovers(pattern, escapeBound(path), input.fold_case));
    const moved = (path: string): boolean =>
      input.allowed.some((bound) => boundCovers(bound, escapeBound(path), input.fold_case));

    const changes: OutsideChange[] = [];
    const moves: FingerprintRow[] = [];
    const consider = (path: string, before: State | undefined, after: State): void => {
      if (before !== undefined && same(before, after)) return;
      const firstSight = before === undefined && !sworn(snapshotted, path);
      const wasAbsent = before === undefined || "absent" in before;
      const isAbsent = "absent" in after;
      if (firstSight || moved(path) || (wasAbsent && isAbsent)) this.#put(host, path, after);
      else if (changes.length < MAX_CHANGES) {
        changes.push({ path, change: wasAbsent ? "created" : isAbsent ? "deleted" : "modified" });
        moves.push({ path, ...after });
      }
    };
    const reported = new Set<string>();
    for (const row of input.rows) {
      if (reported.has(row.path)) continue;
      reported.add(row.path);
      consider(row.path, known.get(row.path), stateOf(row));
    }
    for (const [path, before] of known)
      if (!reported.has(path) && sworn(input.complete, path)) consider(path, before, { absent: true });
    if (changes.length < MAX_CHANGES)
      for (const bound of input.complete)
        sql.exec("INSERT INTO surfaces (host, bound) VALUES (?, ?) ON CONFLICT DO NOTHING", host, bound);
    const befores = moves.map(({ path }) => known.get(path) ?? null);
    const revision = this.#tables.getNumber("revision");
    return {
      changes,
      moves,
      report: hashOf("countersign/drift/v1\n", canonicalText({ host, revision, moves, befores })),
    };
  }

  /** Moves the baseline to what was reported and recorded. Safe to run twice. */
  accept(host: string, moves: readonly FingerprintRow[]): void {
    this.#tables.create();
    for (const row of moves) this.#put(host, row.path, stateOf(row));
    // A file that goes there and back and there again is three reports, not one.
    this.#tables.setNumber("revision", this.#tables.getNumber("revision") + 1);
  }

  #put(host: string, path: string, state: State): void {
    this.#tables.sql.exec(
      "INSERT INTO fingerprints (host, path, state) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state",
      host,
      path,
      JSON.stringify(state),
    );
  }
}

function stateOf(row: FingerprintRow): State {
  if ("absent" in row) return { absent: true };
  if ("sha256" in row) return { sha256: row.sha256 };
  return { size: row.size, mtime: row.mtime };
}

function same(a: State, b: State): boolean {
  if ("absent" in a) return "absent" in b;
  if ("sha256" in a) return "sha256" in b && a.sha256 === b.sha256;
  return "size" in b && a.size === b.size && a.mtime === b.mtime;
}
