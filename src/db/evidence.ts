/** Evidence of provenance, in D1: what was found of each claim, for reports and search; and the history of skills. */
import { inLists } from "./lists.ts";
import { notPurged } from "./purged.ts";
import { inScope, nextId, scopeStatement } from "./search-ranges.ts";

/** One claim in one write. Column names are the wire's. */
export interface EvidenceRow {
  readonly chain: string;
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly session_id: string;
  readonly agent_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly target: string;
  readonly claim: string | null;
  readonly quote: string | null;
  readonly msg_id: string | null;
  readonly matched_in: string | null;
  readonly sender_id: string | null;
  readonly role: string;
  readonly condition: string;
  readonly verdict: string;
  readonly reason: string | null;
}

const SCOPE = "organization_id = ?1 AND scope = 'evidence'";

/** As it is delivered; the chain is the delivery's. */
export type KeptEvidence = Omit<EvidenceRow, "chain"> & { readonly terms: string };

const COLUMNS = [
  "seq",
  "n",
  "at",
  "session_id",
  "agent_id",
  "call_id",
  "tool",
  "target",
  "claim",
  "quote",
  "msg_id",
  "matched_in",
  "sender_id",
  "role",
  "condition",
  "verdict",
  "reason",
] as const;

/** Statements that keep evidence of one chain, together in one batch; each row is a few kilobytes at most. */
export function evidenceStatements(
  db: D1Database,
  organization: string,
  chain: string,
  rows: readonly KeptEvidence[],
): D1PreparedStatement[] {
  if (rows.length === 0) return [];
  const list = (json: string): D1PreparedStatement[] =>
    [MANY, INDEXED, MARKED].map((sql) => db.prepare(sql).bind(organization, chain, json));
  return [
    scopeStatement(db, organization, "evidence"),
    ...inLists(rows, list, (row) => list(JSON.stringify([row]))),
  ];
}

const MANY = `INSERT INTO evidence (evidence_id, organization_id, chain, ${COLUMNS.join(", ")})
  SELECT ${nextId("evidence", "evidence_id", SCOPE)} + row_number() OVER (ORDER BY e.value ->> 'seq', e.value ->> 'n') - 1,
    ?1, ?2, ${COLUMNS.map((column) => `e.value ->> '${column}'`).join(", ")}
  FROM json_each(?3) AS e WHERE ${notPurged("e.value ->> 'at'")}
  ON CONFLICT (organization_id, chain, seq, n) DO NOTHING`;
const INDEXED = `INSERT INTO evidence_search (rowid, words)
  SELECT s.evidence_id, e.value ->> 'terms' FROM json_each(?3) AS e
  JOIN evidence AS s ON s.organization_id = ?1 AND s.chain = ?2 AND s.seq = e.value ->> 'seq' AND s.n = e.value ->> 'n'
  WHERE s.indexed = 0`;
const MARKED = `UPDATE evidence SET indexed = 1
  WHERE organization_id = ?1 AND chain = ?2 AND seq IN (SELECT value ->> 'seq' FROM json_each(?3))`;

export interface EvidenceFilter {
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly verdict?: string | undefined;
  readonly reason?: string | undefined;
  /** FTS5 query of the words sought. */
  readonly match?: string | undefined;
  /** Nothing older, in epoch milliseconds. */
  readonly since?: number | undefined;
  /** Only claims that are not backed. */
  readonly flagged?: boolean;
  readonly before?:
    | { readonly at: number; readonly chain: string; readonly seq: number; readonly n?: number | undefined }
    | undefined;
  readonly limit: number;
}

/** Evidence of an organization, newest first. */
export async function listEvidence(
  db: D1Database,
  organization: string,
  filter: EvidenceFilter,
): Promise<EvidenceRow[]> {
  const values: (string | number)[] = [organization];
  const bind = (value: string | number): string => `?${values.push(value)}`;
  const conditions = ["organization_id = ?1", notPurged("at")];
  for (const [column, value] of [
    ["agent_id", filter.agent],
    ["session_id", filter.session],
    ["verdict", filter.verdict],
    ["reason", filter.reason],
  ] as const)
    if (value !== undefined) conditions.push(`${column} = ${bind(value)}`);
  if (filter.since !== undefined) conditions.push(`at >= ${bind(filter.since)}`);
  if (filter.flagged === true) conditions.push("verdict <> 'pass'");
  if (filter.before !== undefined) {
    const { at, chain, seq, n } = filter.before;
    // Claims of one decision are in their own order; what was shown of them last is `n`.
    conditions.push(`(at, chain, seq, -n) < (${bind(at)}, ${bind(chain)}, ${bind(seq)}, ${bind(-(n ?? 0))})`);
  }
  if (filter.match !== undefined)
    conditions.push(
      `evidence_id IN (SELECT rowid FROM evidence_search WHERE evidence_search MATCH ${bind(filter.match)}
         AND ${inScope("rowid", SCOPE)})`,
    );
  const { results } = await db
    .prepare(
      `SELECT chain, seq, n, at, session_id, agent_id, call_id, tool, target, claim, quote, msg_id, matched_in,
         sender_id, role, condition, verdict, reason
       FROM evidence WHERE ${conditions.join(" AND ")}
       ORDER BY at DESC, chain DESC, seq DESC, n LIMIT ${bind(filter.limit)}`,
    )
    .bind(...values)
    .all<EvidenceRow & Record<string, unknown>>();
  return results;
}

export interface EvidenceCount {
  readonly verdict: string;
  readonly reason: string | null;
  readonly n: number;
}

/** How much evidence of which kind there is. @param agent of one agent alone */
export async function countEvidence(
  db: D1Database,
  organization: string,
  since: number,
  agent?: string,
): Promise<EvidenceCount[]> {
  const { results } = await db
    .prepare(
      `SELECT verdict, reason, count(*) AS n FROM evidence
       WHERE organization_id = ?1 AND at >= ?2 AND (?3 IS NULL OR agent_id = ?3)
       GROUP BY verdict, reason ORDER BY n DESC, verdict, reason`,
    )
    .bind(organization, since, agent ?? null)
    .all<EvidenceCount & Record<string, unknown>>();
  return results;
}
