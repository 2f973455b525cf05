/** What the ledgers hold, as D1 knows it: for lists and search. The chains themselves are the objects'. */
import { and, desc, eq, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as t from "./schema.ts";

export interface RecordFilter {
  readonly kind?: string;
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
  const { before } = filter;
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
      private: r.private,
    })
    .from(r)
    .where(
      and(
        eq(r.organization_id, organization),
        filter.kind === undefined ? undefined : eq(r.kind, filter.kind),
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
      ),
    )
    .orderBy(desc(r.at), desc(r.chain), desc(r.seq))
    .limit(filter.limit);
}

/** Where a session of this organization lives, as far as D1 has heard. */
export async function readSession(db: D1Database, organization: string, session: string) {
  const [row] = await drizzle(db)
    .select()
    .from(t.sessions)
    .where(and(eq(t.sessions.organization_id, organization), eq(t.sessions.session_id, session)))
    .limit(1);
  return row ?? null;
}
