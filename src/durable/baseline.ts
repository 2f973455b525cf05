/**
 * The fingerprints of one agent's sworn files, by host. They belong to the agent and outlive its sessions, so that a
 * change between two sessions is seen and two sessions don't accuse each other (DESIGN §4, Oath).
 *
 * Crash order: `compare` writes nothing but first sightings and licensed changes; the session's chain records what it
 * found; only then does `accept` move the baseline. A crash in between finds the same changes again under the same
 * report id, which the chain records once.
 *
 * Two states are compared by what they have in common: hashes where both have one, else sizes and times. States without
 * anything in common differ. A file that grew past the hash limit cannot be told from one whose limit was lowered, so
 * neither is taken for innocent; a client that sends all three members is understood under either limit.
 */
import { canonicalText, hashOf } from "../ledger/index.ts";
import { escapeBound, holding, type Steps, utf8Bytes } from "../policy/paths/index.ts";
import type { BaselineMove, Compared, CompareInput, FingerprintRow, OutsideChange } from "./protocol.ts";
import type { Tables } from "./storage.ts";

/** Changes named in one report, and the bytes that their private text takes; the rest is found by the next. */
const MAX_CHANGES = 500;
const MAX_CHANGES_BYTES = 512 * 1024;
/** What one agent may have on record: a comparison reads a host's files, and the object's disk is not endless. */
export const MAX_FILES = 50_000;
export const MAX_SURFACES = 10_000;
export const MAX_HOSTS = 1_000;
/** Files that are looked up one by one; more are read with all that the host has. */
const MAX_LOOKUPS = 1_000;
/** Steps that one comparison may take over patterns, some 40 ms; beyond, a path counts as sworn, and is reported. */
const MAX_STEPS = 2_000_000;
/** A used licence is kept longer than any outcome hands it out for. */
const LICENCE_KEPT_MS = 24 * 60 * 60 * 1000;

type State =
  | { readonly sha256?: string; readonly size?: number; readonly mtime?: number }
  | { readonly absent: true };

interface Known {
  readonly state: State;
  readonly version: number;
}

/** Compares what a client reports with what is on record, and moves the record when told to. */
export class Baseline {
  readonly #tables: Tables;
  readonly #now: () => number;

  constructor(tables: Tables, now: () => number) {
    this.#tables = tables;
    this.#now = now;
  }

  /** What of a report moved outside the gate. Keeps first sightings and what a licence covers, and leaves the rest as it is. */
  compare(input: CompareInput): Compared {
    this.#tables.create();
    const { host } = input;
    const snapshotted = this.#snapshotted(host);
    const steps: Steps = { left: MAX_STEPS };
    const isCreation = this.#creations(input, snapshotted, steps);
    const mayLicense = this.#mayLicense(input);
    // A report that is large or whole is compared with everything, which is read in one go.
    const all = input.complete.length > 0 || input.rows.length > MAX_LOOKUPS ? this.#all(host) : null;

    const changes: OutsideChange[] = [];
    const moves: (BaselineMove & { before: State | null })[] = [];
    const kept: { path: string; state: State; known: Known | undefined }[] = [];
    let bytes = 0;
    let isCut = false;
    let addedNow = 0;
    let addedLater = 0;
    const consider = (
      path: string,
      known: Known | undefined,
      after: State,
      silently: () => boolean,
    ): void => {
      const before = known?.state;
      if (before !== undefined && matches(before, after)) {
        const merged = { ...before, ...after };
        if (!isSame(before, merged)) kept.push({ path, state: merged, known });
        return;
      }
      const wasAbsent = before === undefined || "absent" in before;
      const isAbsent = "absent" in after;
      if ((wasAbsent && isAbsent) || silently()) {
        kept.push({ path, state: after, known });
        if (known === undefined) addedNow += 1;
        return;
      }
      const change = {
        path,
        change: wasAbsent ? "created" : isAbsent ? "deleted" : "modified",
      } satisfies OutsideChange;
      const row = { path, ...after } as FingerprintRow;
      const size = utf8Bytes(JSON.stringify(change)) + utf8Bytes(JSON.stringify(row)) + 2;
      if (isCut || changes.length === MAX_CHANGES || bytes + size > MAX_CHANGES_BYTES) {
        isCut = true;
        return;
      }
      bytes += size;
      if (known === undefined) addedLater += 1;
      changes.push(change);
      moves.push({ row, version: known?.version ?? 0, before: before ?? null });
    };

    const reported = new Set<string>();
    for (const { row, held_by, licensed: byCall } of input.rows) {
      if (reported.has(row.path)) continue;
      reported.add(row.path);
      const known = all === null ? this.#known(host, row.path) : all.get(row.path);
      consider(
        row.path,
        known,
        stateOf(row),
        () => (byCall && mayLicense) || (known === undefined && !isCreation(row.path, held_by)),
      );
    }
    if (all !== null && input.complete.length > 0) {
      const held = holding(input.complete, { foldCase: input.fold_case, dotsMatch: true }, steps);
      for (const [path, known] of all) {
        if (reported.has(path) || "absent" in known.state) continue;
        const { by, unsure } = held(escapeBound(path));
        if (by.length > 0 || unsure) consider(path, known, { absent: true }, () => false);
      }
    }

    const surfaces = isCut ? [] : input.complete.filter((bound) => !snapshotted.has(bound));
    const refused = this.#exceeded(host, addedNow + addedLater, surfaces.length);
    if (refused !== null) return refused;
    this.#count(host, addedNow, surfaces.length);
    this.#seen(host);
    if (mayLicense) this.#useLicence(input);
    for (const { path, state, known } of kept) this.#put(host, path, state, known);
    for (const bound of surfaces)
      this.#tables.sql.exec("INSERT INTO surfaces (host, bound) VALUES (?, ?)", host, bound);
    return {
      ok: true,
      changes,
      moves: moves.map(({ row, version }) => ({ row, version })),
      // The version is in it: a file that goes there and back and there again is three reports, not one.
      report: hashOf("countersign/drift/v1\n", canonicalText({ host, moves })),
    };
  }

  /** Moves the baseline to what was recorded, where it still is as it was compared. Safe to run twice. */
  accept(host: string, moves: readonly BaselineMove[]): void {
    this.#tables.create();
    let added = 0;
    for (const { row, version } of moves) {
      const known = this.#known(host, row.path);
      if ((known?.version ?? 0) !== version) continue;
      this.#put(host, row.path, stateOf(row), known);
      if (known === undefined) added += 1;
    }
    this.#count(host, added, 0);
  }

  /**
   * Forgets hosts that have reported nothing since: the paths of their files, and what was in them. What they report next
   * is taken as it is. @returns false when there is more
   */
  forget(before: number, limit: number): boolean {
    if (!this.#tables.exist) return true;
    const { sql } = this.#tables;
    let left = limit;
    for (const { host } of sql
      .exec<{ host: string }>("SELECT host FROM hosts WHERE seen_at < ?", before)
      .toArray()) {
      // Surfaces first: a file whose surface is still known, and which is not, would be taken for one that was created.
      for (const table of ["surfaces", "fingerprints"] as const) {
        const [key] = { surfaces: ["bound"], fingerprints: ["path"] }[table];
        left -= sql
          .exec(
            `DELETE FROM ${table} WHERE host = ?1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE host = ?1 LIMIT ?2)
           RETURNING 1 AS one`,
            host,
            left,
          )
          .toArray().length;
        if (left <= 0) return false;
      }
      sql.exec("DELETE FROM hosts WHERE host = ?", host);
    }
    return true;
  }

  #seen(host: string): void {
    this.#tables.sql.exec("UPDATE hosts SET seen_at = ? WHERE host = ?", this.#now(), host);
  }

  #known(host: string, path: string): Known | undefined {
    const row = this.#tables.sql
      .exec<{ state: string; version: number }>(
        "SELECT state, version FROM fingerprints WHERE host = ? AND path = ?",
        host,
        path,
      )
      .toArray()[0];
    return row === undefined ? undefined : { state: JSON.parse(row.state) as State, version: row.version };
  }

  #all(host: string): Map<string, Known> {
    const all = new Map<string, Known>();
    for (const row of this.#tables.sql.exec<{ path: string; state: string; version: number }>(
      "SELECT path, state, version FROM fingerprints WHERE host = ?",
      host,
    ))
      all.set(row.path, { state: JSON.parse(row.state) as State, version: row.version });
    return all;
  }

  #snapshotted(host: string): ReadonlySet<string> {
    const rows = this.#tables.sql.exec<{ bound: string }>("SELECT bound FROM surfaces WHERE host = ?", host);
    return new Set(rows.toArray().map((row) => row.bound));
  }

  /** Was a surface that holds this unknown file seen whole before? Then the file was not there, and came since. */
  #creations(
    input: CompareInput,
    snapshotted: ReadonlySet<string>,
    steps: Steps,
  ): (path: string, heldBy: readonly number[] | null) => boolean {
    const sworn = new Set(input.surfaces);
    // Surfaces of an older oath, or of a session with another home: the Worker does not know of them.
    const older = [...snapshotted].filter((bound) => !sworn.has(bound));
    const held = holding(older, { foldCase: input.fold_case, dotsMatch: true }, steps);
    return (path, heldBy) => {
      if (snapshotted.size === 0) return false;
      const places = heldBy ?? input.surfaces.keys();
      for (const at of places) if (snapshotted.has(input.surfaces[at] ?? "")) return true;
      const { by, unsure } = held(escapeBound(path));
      return by.length > 0 || unsure;
    };
  }

  /** One outcome moves its files without a word once: a licence that was used is none. */
  #mayLicense({ licence }: CompareInput): boolean {
    if (licence === null) return false;
    const used = this.#tables.sql.exec("SELECT 1 FROM licences WHERE licence = ?", licence).toArray();
    return used.length === 0;
  }

  #useLicence({ licence }: CompareInput): void {
    const { sql } = this.#tables;
    const now = this.#now();
    sql.exec("DELETE FROM licences WHERE used_at < ?", now - LICENCE_KEPT_MS);
    sql.exec("INSERT INTO licences (licence, used_at) VALUES (?, ?)", licence, now);
  }

  /** Which bound so much more would pass, or `null`. */
  #exceeded(host: string, files: number, surfaces: number): Exclude<Compared, { ok: true }> | null {
    const { sql } = this.#tables;
    const known = sql
      .exec<{ files: number; surfaces: number }>("SELECT files, surfaces FROM hosts WHERE host = ?", host)
      .toArray()[0];
    if (known === undefined && files + surfaces > 0) {
      const { n } = sql.exec<{ n: number }>("SELECT count(*) AS n FROM hosts").one();
      if (n >= MAX_HOSTS) return { ok: false, code: "too-many-hosts" };
    }
    if (files > 0 && (known?.files ?? 0) + files > MAX_FILES) return { ok: false, code: "too-many-files" };
    if (surfaces > 0 && (known?.surfaces ?? 0) + surfaces > MAX_SURFACES)
      return { ok: false, code: "too-many-surfaces" };
    return null;
  }

  #count(host: string, files: number, surfaces: number): void {
    if (files + surfaces === 0) return;
    this.#tables.sql.exec(
      `INSERT INTO hosts (host, files, surfaces) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET files = files + ?2, surfaces = surfaces + ?3`,
      host,
      files,
      surfaces,
    );
  }

  #put(host: string, path: string, state: State, known: Known | undefined): void {
    this.#tables.sql.exec(
      `INSERT INTO fingerprints (host, path, state, version) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, version = excluded.version`,
      host,
      path,
      JSON.stringify(state),
      (known?.version ?? 0) + 1,
    );
  }
}

function stateOf(row: FingerprintRow): State {
  const { path: _, ...state } = row;
  return state;
}

/** Nothing that both states know tells them apart, and there is something that both know. */
function matches(before: State, after: State): boolean {
  if ("absent" in before || "absent" in after) return "absent" in before && "absent" in after;
  if (before.sha256 !== undefined && after.sha256 !== undefined) return before.sha256 === after.sha256;
  if (before.size === undefined || after.size === undefined) return false;
  return before.size === after.size && before.mtime === after.mtime;
}

function isSame(a: State, b: State): boolean {
  return canonicalText(a) === canonicalText(b);
}
