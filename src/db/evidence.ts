/** Evidence of provenance, in D1: what was found of each claim, for reports and search; and the history of skills. */
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

/** Statements that keep the evidence of one decision, together in one batch. @param rows each with the words of it */
export function evidenceStatements(
  db: D1Database,
  organization: string,
  rows: readonly (EvidenceRow & { readonly terms: string })[],
): D1PreparedStatement[] {
  return [
    scopeStatement(db, organization, "evidence"),
    ...rows.flatMap((row) => [
      db
        .prepare(
          `INSERT INTO evidence (evidence_id, organization_id, chain, seq, n, at, session_id, agent_id, call_id, tool, target,
             claim, quote, msg_id, matched_in, sender_id, role, condition, verdict, reason)
           SELECT ${nextId("evidence", "evidence_id", SCOPE)}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
             ?15, ?16, ?17, ?18, ?19
           WHERE ${notPurged("?5")} ON CONFLICT (organization_id, chain, seq, n) DO NOTHING`,
        )
        .bind(
          organization,
          row.chain,
          row.seq,
          row.n,
          row.at,
          row.session_id,
          row.agent_id,
          row.call_id,
          row.tool,
          row.target,
          row.claim,
          row.quote,
          row.msg_id,
          row.matched_in,
          row.sender_id,
          row.role,
          row.condition,
          row.verdict,
          row.reason,
        ),
      db
        .prepare(
          `INSERT INTO evidence_search (rowid, words) SELECT evidence_id, ?5 FROM evidence
           WHERE organization_id = ?1 AND chain = ?2 AND seq = ?3 AND n = ?4 AND indexed = 0`,
        )
        .bind(organization, row.chain, row.seq, row.n, row.terms),
    ]),
    ...(rows[0] === undefined
      ? []
      : [
          db
            .prepare("UPDATE evidence SET indexed = 1 WHERE organization_id = ? AND chain = ? AND seq = ?")
            .bind(organization, rows[0].chain, rows[0].seq),
        ]),
  ];
}

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
  const conditions = ["organization_id = ?1"];
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
