/** What the ledgers hold, as D1 knows it: for lists and search. The chains themselves are the objects'. */
import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { notPurged } from "./purged.ts";
import * as t from "./schema.ts";

export interface RecordFilter {
  readonly kind?: string;
  /** A decision's verdict, a refusal's code. */
  readonly outcome?: string;
  readonly agent?: string;
  readonly session?: string;
  /** Goes on after the record that this names; see {@link cursorOf}. */
  readonly before?: { readonly at: number; readonly chain: string; readonly seq: number };
  readonly limit: number;
}

export type RecordRow = Omit<typeof t.records.$inferSelect, "salt">;

/** Newest first. Pages by key, so that rows that arrive meanwhile shift nothing. */
export async function listRecords(
  db: D1Database,
  organization: string,
  filter: RecordFilter,
): Promise<RecordRow[]> {
  const r = t.records;
  return drizzle(db)
    .select({
      organization_id: r.organization_id,
      chain: r.chain,
      seq: r.seq,
      kind: r.kind,
      at: r.at,
      session_id: r.session_id,
      agent_id: r.agent_id,
      outcome: r.outcome,
      tool: r.tool,
      hash: r.hash,
      body: r.body,
      // What is purged is told by nobody, also where it still stands.
      private: sql<
        string | null
      >`iif(${r.chain} = 'organization' OR ${r.at} >= coalesce((SELECT purged_before FROM organizations WHERE organization_id = ${organization}), 0), ${r.private}, NULL)`,
    })
    .from(r)
    .where(matching(organization, filter))
    .orderBy(desc(r.at), desc(r.chain), desc(r.seq))
    .limit(filter.limit);
}

/** The hashes of the records that {@link listRecords} would give: enough to see whether anything has changed. */
export async function listRecordHashes(
  db: D1Database,
  organization: string,
  filter: RecordFilter,
): Promise<string[]> {
  const r = t.records;
  const rows = await drizzle(db)
    .select({ hash: r.hash })
    .from(r)
    .where(matching(organization, filter))
    .orderBy(desc(r.at), desc(r.chain), desc(r.seq))
    .limit(filter.limit);
  return rows.map((row) => row.hash);
}

/** Rows of one answer. */
const MAX_COPIED = 1_000;

export interface DisclosedRow {
  readonly seq: number;
  readonly private: string;
  readonly salt: string;
}

/** Characters of private text in one answer of D1; the row that crosses the bound is the last. */
const MAX_DISCLOSED_CHARACTERS = 4_000_000;

/**
 * The private texts and salts of a chain's entries from `first` to `last`, in order, where they have not been purged: as
 * many as one answer holds. Ask again after the last one until none is left.
 */
export async function listDisclosed(
  db: D1Database,
  organization: string,
  chain: string,
  first: number,
  last: number,
): Promise<DisclosedRow[]> {
  const { results } = await db
    .prepare(
      `SELECT seq, private, salt FROM (
         SELECT seq, private, salt, sum(length(private)) OVER (ORDER BY seq) - length(private) AS before
         FROM records
         WHERE organization_id = ?1 AND chain = ?2 AND seq BETWEEN ?3 AND ?4
           AND private IS NOT NULL AND salt IS NOT NULL AND (chain = 'organization' OR ${notPurged("at")}))
       WHERE before < ?5 ORDER BY seq`,
    )
    .bind(organization, chain, first, last, MAX_DISCLOSED_CHARACTERS)
    .all<Record<string, unknown> & DisclosedRow>();
  return results;
}

export interface EventRow {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly session_id: string | null;
  readonly body: string;
  readonly private: string | null;
}

/**
 * What happened in a family, oldest first: sessions, turns, decisions, outcomes, as many as one answer holds.
 * @param limit rows at most
 */
export async function listEvents(
  db: D1Database,
  organization: string,
  chain: string,
  limit: number,
): Promise<EventRow[]> {
  const { results } = await db
    .prepare(
      `SELECT seq, kind, at, session_id, body, private FROM (
         SELECT seq, kind, at, session_id, body, iif(${notPurged("at")}, private, NULL) AS private,
           sum(length(coalesce(private, ''))) OVER (ORDER BY seq) - length(coalesce(private, '')) AS before
         FROM records
         WHERE organization_id = ?1 AND chain = ?2
           AND kind IN ('session_opened', 'session_changed', 'turn', 'decision', 'outcome'))
       WHERE before < ?3 ORDER BY seq LIMIT ?4`,
    )
    .bind(organization, chain, MAX_DISCLOSED_CHARACTERS, limit)
    .all<Record<string, unknown> & EventRow>();
  return results;
}

/** A record as it was delivered, but for its private text. */
export interface CopiedRow {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly outcome: string | null;
  readonly tool: string | null;
  readonly hash: string;
  readonly body: string;
  /** Whether private text is kept of it. */
  readonly kept: 0 | 1;
}

/** A chain's records from `first` to `last`, in order: as many as one answer holds. */
export async function listCopied(
  db: D1Database,
  organization: string,
  chain: string,
  first: number,
  last: number,
): Promise<CopiedRow[]> {
  const { results } = await db
    .prepare(
      `SELECT seq, kind, at, session_id, agent_id, outcome, tool, hash, body, kept FROM (
         SELECT *, sum(length(body)) OVER (ORDER BY seq) - length(body) AS before
         FROM (SELECT seq, kind, at, session_id, agent_id, outcome, tool, hash, body,
                 private IS NOT NULL AND salt IS NOT NULL AS kept
               FROM records WHERE organization_id = ? AND chain = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?))
       WHERE before < ? ORDER BY seq`,
    )
    .bind(organization, chain, first, last, MAX_COPIED, MAX_DISCLOSED_CHARACTERS)
    .all<Record<string, unknown> & CopiedRow>();
  return results;
}

/** The newest record of a chain, or 0. */
export async function lastCopied(db: D1Database, organization: string, chain: string): Promise<number> {
  const row = await db
    .prepare("SELECT max(seq) AS seq FROM records WHERE organization_id = ? AND chain = ?")
    .bind(organization, chain)
    .first<{ seq: number | null }>();
  return row?.seq ?? 0;
}

/** Writes a record as its entry says, in place of what stands there. Its private text is left as it is. */
export async function overwriteRecord(
  db: D1Database,
  organization: string,
  chain: string,
  row: Omit<CopiedRow, "kept">,
): Promise<void> {
  const { seq, kind, at, session_id, agent_id, outcome, tool, hash, body } = row;
  await db
    .prepare(
      `UPDATE records SET kind = ?, at = ?, session_id = ?, agent_id = ?, outcome = ?, tool = ?, hash = ?, body = ?
       WHERE organization_id = ? AND chain = ? AND seq = ?`,
    )
    .bind(kind, at, session_id, agent_id, outcome, tool, hash, body, organization, chain, seq)
    .run();
}

/** The first entry of a chain that has no record; the one after the last where all are there. */
export async function firstMissing(db: D1Database, organization: string, chain: string): Promise<number> {
  const counted = await db
    .prepare("SELECT count(*) AS n, max(seq) AS last FROM records WHERE organization_id = ? AND chain = ?")
    .bind(organization, chain)
    .first<{ n: number; last: number | null }>();
  const last = counted?.last ?? 0;
  if (counted?.n === last) return last + 1;
  const gap = await db
    .prepare(
      `SELECT min(seq) AS seq FROM (
         SELECT 1 AS seq WHERE NOT EXISTS (
           SELECT 1 FROM records WHERE organization_id = ?1 AND chain = ?2 AND seq = 1)
         UNION ALL
         SELECT r.seq + 1 FROM records AS r WHERE r.organization_id = ?1 AND r.chain = ?2 AND NOT EXISTS (
           SELECT 1 FROM records AS n WHERE n.organization_id = ?1 AND n.chain = ?2 AND n.seq = r.seq + 1))`,
    )
    .bind(organization, chain)
    .first<{ seq: number | null }>();
  return gap?.seq ?? last + 1;
}

/** Where a decision stands, and whose it is; `null` when it is not there or has not arrived. */
export async function findDecision(
  db: D1Database,
  organization: string,
  decision: string,
): Promise<{ readonly chain: string; readonly seq: number; readonly agent_id: string | null } | null> {
  return db
    .prepare(
      `SELECT chain, seq, agent_id FROM records
       WHERE organization_id = ? AND kind = 'decision' AND body ->> 'id' = ? LIMIT 1`,
    )
    .bind(organization, decision)
    .first();
}

/** One record of this kind, or `null`. */
export async function readRecord(
  db: D1Database,
  organization: string,
  kind: string,
  chain: string,
  seq: number,
): Promise<RecordRow | null> {
  const r = t.records;
  const [row] = await drizzle(db)
    .select()
    .from(r)
    .where(and(eq(r.organization_id, organization), eq(r.chain, chain), eq(r.seq, seq), eq(r.kind, kind)))
    .limit(1);
  if (row === undefined) return null;
  const { salt: _salt, ...record } = row;
  return record;
}

function matching(organization: string, filter: RecordFilter) {
  const { before } = filter;
  const r = t.records;
  return and(
    eq(r.organization_id, organization),
    filter.kind === undefined ? undefined : eq(r.kind, filter.kind),
    filter.outcome === undefined ? undefined : eq(r.outcome, filter.outcome),
    filter.agent === undefined ? undefined : eq(r.agent_id, filter.agent),
    filter.session === undefined ? undefined : eq(r.session_id, filter.session),
    before === undefined
      ? undefined
      : or(
          lt(r.at, before.at),
          and(
            eq(r.at, before.at),
            or(lt(r.chain, before.chain), and(eq(r.chain, before.chain), lt(r.seq, before.seq))),
          ),
        ),
  );
}
