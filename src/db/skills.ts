/** The history of skills, in D1: every write that was asked about, what it replaced and what it wrote. */

import { inLists } from "./lists.ts";
import { notPurged } from "./purged.ts";

/** Column names are the wire's. */
export interface SkillWriteRow {
  readonly chain: string;
  readonly seq: number;
  readonly at: number;
  readonly session_id: string;
  readonly agent_id: string;
  readonly call_id: string;
  readonly skill: string;
  readonly file: string;
  readonly action: string;
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  readonly verdict: string;
  readonly outcome: string | null;
}

/** As it is delivered; the chain is the delivery's. */
export type KeptSkillWrite = Omit<SkillWriteRow, "chain" | "outcome">;

const COLUMNS = [
  "seq",
  "at",
  "session_id",
  "agent_id",
  "call_id",
  "skill",
  "file",
  "action",
  "before_sha256",
  "after_sha256",
  "verdict",
] as const;

const MANY = `INSERT INTO skill_writes (organization_id, chain, ${COLUMNS.join(", ")})
  SELECT ?1, ?2, ${COLUMNS.map((column) => `e.value ->> '${column}'`).join(", ")}
  FROM json_each(?3) AS e WHERE ${notPurged("e.value ->> 'at'")} ON CONFLICT DO NOTHING`;

/** Statements that keep writes of one chain; each row is a kilobyte or so. */
export function skillStatements(
  db: D1Database,
  organization: string,
  chain: string,
  rows: readonly KeptSkillWrite[],
): D1PreparedStatement[] {
  const list = (json: string): D1PreparedStatement[] => [db.prepare(MANY).bind(organization, chain, json)];
  return inLists(rows, list, (row) => list(JSON.stringify([row])));
}

/** What became of a write; the first report stays. @param seq of the decision */
export function skillOutcomeStatement(
  db: D1Database,
  organization: string,
  chain: string,
  seq: number,
  outcome: string,
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE skill_writes SET outcome = ? WHERE organization_id = ? AND chain = ? AND seq = ? AND outcome IS NULL`,
    )
    .bind(outcome, organization, chain, seq);
}

export interface SkillSummary {
  readonly agent_id: string;
  readonly skill: string;
  readonly writes: number;
  readonly last_at: number;
}

/** Skills that were written, the latest first. @param agent of one agent alone */
export async function listSkills(
  db: D1Database,
  organization: string,
  limit: number,
  agent?: string,
): Promise<SkillSummary[]> {
  const { results } = await db
    .prepare(
      `SELECT agent_id, skill, count(*) AS writes, max(at) AS last_at FROM skill_writes
       WHERE organization_id = ?1 AND (?2 IS NULL OR agent_id = ?2) AND ${notPurged("at")}
       GROUP BY agent_id, skill ORDER BY last_at DESC LIMIT ?3`,
    )
    .bind(organization, agent ?? null, limit)
    .all<SkillSummary & Record<string, unknown>>();
  return results;
}

/** A skill's writes, oldest first: of its newest `limit`. */
export async function skillHistory(
  db: D1Database,
  organization: string,
  agent: string,
  skill: string,
  limit: number,
): Promise<SkillWriteRow[]> {
  const { results } = await db
    .prepare(
      `SELECT chain, seq, at, session_id, agent_id, call_id, skill, file, action, before_sha256, after_sha256, verdict, outcome
       FROM skill_writes WHERE organization_id = ?1 AND agent_id = ?2 AND skill = ?3 AND ${notPurged("at")}
       ORDER BY at DESC, chain DESC, seq DESC LIMIT ?4`,
    )
    .bind(organization, agent, skill, limit)
    .all<SkillWriteRow & Record<string, unknown>>();
  return results.reverse();
}
