/**
 * Taking private text out of D1, in bounded batches that can be broken off and taken up again. The ledger stays: its
 * entries hold commitments, not texts. What is delivered late is dropped on arrival by {@link notPurged}.
 *
 * Each batch reads and writes a few hundred rows by an index, whatever stands around them: D1 is one thread, and
 * decisions wait for it.
 */

/** SQL that is true for an entry whose text is not purged. Binds the organization as ?1. @param at SQL of its time */
export function notPurged(at: string): string {
  return `${at} >= coalesce((SELECT purged_before FROM organizations WHERE organization_id = ?1), 0)`;
}

/** Asks since when an organization keeps private text: a row with `purged_before`, 0 when nothing was purged. */
export function purgedStatement(db: D1Database, organization: string): D1PreparedStatement {
  return db.prepare("SELECT purged_before FROM organizations WHERE organization_id = ?").bind(organization);
}

/** Since when an organization keeps private text; 0 when nothing was purged. */
export async function readPurged(db: D1Database, organization: string): Promise<number> {
  const row = await purgedStatement(db, organization).first<{ purged_before: number }>();
  return row?.purged_before ?? 0;
}

/** Rows of one statement: decisions go on meanwhile. */
const BATCH_ROWS = 100;

/** What is removed, in this order. */
export const PURGED = ["said", "evidence", "skill_writes", "approvals", "records"] as const;
export type Purged = (typeof PURGED)[number];

export const PURGE_STEPS = [...PURGED, "said_search", "evidence_search"] as const;

/** Where a purge of D1 goes on. */
export interface PurgeMark {
  readonly step: (typeof PURGE_STEPS)[number];
  /** Of records. */
  readonly kind?: string;
  /** After the row of this time and number. */
  readonly at?: number;
  readonly row?: number;
  /** Rows were found whose words stand in an index: it has to forget them. Kept before the first of them goes. */
  readonly words?: true;
  /** Parts of an index that were written anew. */
  readonly merged?: number;
}

export const PURGE_BEGINS: PurgeMark = { step: "said" };

export interface PurgeBatch {
  readonly what: Purged | null;
  readonly rows: number;
  /** `null` when D1 holds nothing more of it. */
  readonly next: PurgeMark | null;
}

/**
 * Removes one batch of what is older than `before`.
 * @param since nothing older than this is left from the last purge
 */
export async function purgeBatch(
  db: D1Database,
  organization: string,
  before: number,
  since: number,
  mark: PurgeMark,
): Promise<PurgeBatch> {
  switch (mark.step) {
    case "said":
    case "evidence":
      if (mark.words !== true) {
        const found = await db.prepare(FINDS[mark.step]).bind(organization, before).first();
        return { what: mark.step, rows: 0, next: found === null ? after(mark) : { ...mark, words: true } };
      }
      return deleteBatch(db, organization, before, mark, mark.step);
    case "skill_writes":
      return deleteBatch(db, organization, before, mark, mark.step);
    case "approvals": {
      const window = await windowOf(db, WINDOWS.approvals, [
        organization,
        before,
        mark.at ?? since,
        mark.row ?? -1,
      ]);
      const rows = await blank(db, BLANKS.approvals, organization, window);
      return { what: "approvals", rows, next: goesOn(mark, window) ?? after(mark) };
    }
    case "records": {
      const kind = mark.kind ?? (await nextKind(db, organization, ""));
      if (kind === null) return { what: "records", rows: 0, next: after(mark) };
      const window = await windowOf(db, WINDOWS.records, [
        organization,
        before,
        mark.at ?? since,
        mark.row ?? -1,
        kind,
      ]);
      const rows = await blank(db, BLANKS.records, organization, window);
      const on = goesOn({ ...mark, kind }, window);
      if (on !== null) return { what: "records", rows, next: on };
      const another = await nextKind(db, organization, kind);
      return {
        what: "records",
        rows,
        next: another === null ? after(mark) : at({ step: "records", kind: another }, mark.words),
      };
    }
    case "said_search":
    case "evidence_search": {
      if (mark.words !== true) return { what: null, rows: 0, next: after(mark) };
      const merged = mark.merged ?? 0;
      const isDone = await merge(db, organization, mark.step, merged === 0);
      return { what: null, rows: 0, next: isDone ? after(mark) : { ...mark, merged: merged + 1 } };
    }
  }
}

async function deleteBatch(
  db: D1Database,
  organization: string,
  before: number,
  mark: PurgeMark,
  what: keyof typeof DELETES,
): Promise<PurgeBatch> {
  const { results } = await db.prepare(DELETES[what]).bind(organization, before).all();
  return { what, rows: results.length, next: results.length < BATCH_ROWS ? after(mark) : mark };
}

const FINDS = {
  said: "SELECT 1 AS one FROM said WHERE organization_id = ? AND at < ? LIMIT 1",
  evidence: "SELECT 1 AS one FROM evidence WHERE organization_id = ? AND at < ? LIMIT 1",
} as const;

/** By the index of their time. */
const DELETES: Readonly<Record<"said" | "evidence" | "skill_writes", string>> = {
  said: `DELETE FROM said WHERE said_id IN
    (SELECT said_id FROM said WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS}) RETURNING 1 AS one`,
  evidence: `DELETE FROM evidence WHERE evidence_id IN
    (SELECT evidence_id FROM evidence WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS}) RETURNING 1 AS one`,
  skill_writes: `DELETE FROM skill_writes WHERE rowid IN
    (SELECT rowid FROM skill_writes WHERE organization_id = ?1 AND at < ?2 LIMIT ${BATCH_ROWS}) RETURNING 1 AS one`,
};

/**
 * The next rows in the order of an index, whether there is something to remove or not: a statement that looked for those
 * alone would read as far as it takes.
 */
const WINDOWS = {
  approvals: `SELECT rowid AS row, opened_at AS at, action_digest <> '' AS kept FROM approvals
    WHERE organization_id = ?1 AND opened_at >= ?3 AND opened_at < ?2 AND (opened_at, rowid) > (?3, ?4)
    ORDER BY opened_at, rowid LIMIT ${BATCH_ROWS}`,
  records: `SELECT rowid AS row, at, private IS NOT NULL AND chain <> 'organization' AS kept FROM records
    WHERE organization_id = ?1 AND kind = ?5 AND at >= ?3 AND at < ?2 AND (at, rowid) > (?3, ?4)
    ORDER BY at, rowid LIMIT ${BATCH_ROWS}`,
} as const;

const BLANKS = {
  approvals: `UPDATE approvals SET action_digest = ''
    WHERE organization_id = ?1 AND rowid IN (SELECT value FROM json_each(?2))`,
  records: `UPDATE records SET private = NULL, salt = NULL
    WHERE organization_id = ?1 AND rowid IN (SELECT value FROM json_each(?2))`,
} as const;

interface WindowRow {
  readonly row: number;
  readonly at: number;
  readonly kept: number;
}

async function windowOf(
  db: D1Database,
  statement: string,
  values: readonly (string | number)[],
): Promise<readonly WindowRow[]> {
  const { results } = await db
    .prepare(statement)
    .bind(...values)
    .all<WindowRow & Record<string, unknown>>();
  return results;
}

async function blank(
  db: D1Database,
  statement: string,
  organization: string,
  window: readonly WindowRow[],
): Promise<number> {
  const kept = window.flatMap(({ row, kept }) => (kept === 1 ? [row] : []));
  if (kept.length > 0) await db.prepare(statement).bind(organization, JSON.stringify(kept)).run();
  return kept.length;
}

function goesOn(mark: PurgeMark, window: readonly WindowRow[]): PurgeMark | null {
  const last = window.at(-1);
  return last === undefined || window.length < BATCH_ROWS ? null : { ...mark, at: last.at, row: last.row };
}

async function nextKind(db: D1Database, organization: string, kind: string): Promise<string | null> {
  const row = await db
    .prepare("SELECT min(kind) AS kind FROM records WHERE organization_id = ? AND kind > ?")
    .bind(organization, kind)
    .first<{ kind: string | null }>();
  return row?.kind ?? null;
}

function after({ step: done, words }: PurgeMark): PurgeMark | null {
  const step = PURGE_STEPS[PURGE_STEPS.indexOf(done) + 1];
  return step === undefined ? null : at({ step }, words);
}

/** A place, with what is known of the indexes carried on. */
function at(mark: PurgeMark, words: true | undefined): PurgeMark {
  return words === undefined ? mark : { ...mark, words };
}

/** An index forgets a term only when the part that holds it is written anew: pages of one step. */
const MERGED_PAGES = 200;

/** Has an index write out a part of what it was told to forget. @returns true when nothing is left */
async function merge(
  db: D1Database,
  _organization: string,
  index: "said_search" | "evidence_search",
  isFirst: boolean,
): Promise<boolean> {
  const { meta } = await db
    .prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`)
    .bind(isFirst ? -MERGED_PAGES : MERGED_PAGES)
    .run();
  // Nothing but the statement itself was written. What goes into an index is a change, and not always a row written.
  return Math.max(meta.changes ?? 0, meta.rows_written ?? 0) < 2;
}
