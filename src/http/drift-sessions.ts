/** Compares the database's index of sessions with the entries by which they were opened. */
import { readSessionRows } from "../db/sessions.ts";
import type { Entry } from "../ledger/index.ts";
import type { Finding } from "./alerts.ts";

export interface OpenedSession {
  readonly entry: Pick<Entry, "seq" | "session" | "kind">;
  /** RFC 8785 text. */
  readonly body: string;
}

/** @param opened entries of one family's chain that the database has */
export async function checkSessions(
  db: D1Database,
  organization: string,
  root: string,
  entries: readonly OpenedSession[],
): Promise<Finding[]> {
  const opened = entries.filter(({ entry }) => entry.kind === "session_opened" && entry.session !== null);
  if (opened.length === 0) return [];
  const rows = await readSessionRows(
    db,
    organization,
    opened.map(({ entry }) => entry.session ?? ""),
  );
  const findings: Finding[] = [];
  for (const { entry, body } of opened) {
    const { agent, relation } = JSON.parse(body) as { agent?: unknown; relation?: unknown };
    const row = rows.get(entry.session ?? "");
    const where = {
      place: "database",
      chain: `session:${root}`,
      seq: entry.seq,
      table: "sessions",
      id: entry.session ?? "",
    } as const;
    if (row === undefined) findings.push({ code: "missing-session", ...where });
    else
      for (const [column, due] of Object.entries({ root_id: root, agent_id: agent, relation }))
        if (row[column as keyof typeof row] !== due) {
          findings.push({ code: "altered-session", ...where, column });
          break;
        }
  }
  return findings;
}
