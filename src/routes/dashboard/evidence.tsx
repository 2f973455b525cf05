/** `/evidence`: what was claimed of users' decisions; counted, searched, and listed newest first. */
import type { Context } from "hono";
import { countEvidence, type EvidenceRow, listEvidence } from "../../db/evidence.ts";
import { decisionsAt, quotedMessages } from "../../db/evidence-pages.ts";
import { listAgents, readOrganization } from "../../db/governance.ts";
import { memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../../http/cursor.ts";
import { newRouter } from "../../http/router.ts";
import { resolveModes } from "../../policy/modes.ts";
import { searchable, wordQuery } from "../../policy/provenance/index.ts";
import { page } from "./access.tsx";
import { type EvidenceSought, evidenceSought, evidenceUrl, sinceOf } from "./evidence-filter.ts";
import { EvidencePage } from "./evidence-page.tsx";
import { frameOf, sendPage } from "./layout.tsx";
import { quotedPlaces } from "./quoted-places.ts";

const PAGE_ROWS = 25;

export const evidencePages = newRouter();

evidencePages.get("/evidence", page({ operation: "viewEvidence" }), async (c) => {
  const { organization } = memberCaller(c);
  const sought = evidenceSought((name) => c.req.query(name));
  const since = sinceOf(sought, Date.now());
  const [frame, row, agents, counts, list] = await Promise.all([
    frameOf(c),
    readOrganization(c.env.DB, organization),
    listAgents(c.env.DB, organization),
    countEvidence(c.env.DB, organization, since ?? 0, sought.agent ?? undefined),
    pageOf(c, sought, since),
  ]);
  const [messages, decisions] = await Promise.all([
    quotedMessages(
      c.env.DB,
      organization,
      list.rows.flatMap((row) => quotedPlaces(row, row.agent_id, [row])),
    ),
    decisionsAt(c.env.DB, organization, list.rows),
  ]);
  return sendPage(
    c,
    <EvidencePage
      frame={frame}
      sought={sought}
      agents={agents}
      counts={counts}
      {...list}
      messages={messages}
      decisions={decisions}
      paged={c.req.query("cursor") !== undefined}
      mode={resolveModes(JSON.parse(row?.settings ?? "{}"), {}).provenance}
    />,
  );
});

async function pageOf(
  c: Context<AppEnv>,
  sought: EvidenceSought,
  since: number | undefined,
): Promise<{ rows: readonly EvidenceRow[]; next: string | null }> {
  const match = sought.q === null ? undefined : wordQuery(searchable(sought.q));
  const cursor = c.req.query("cursor");
  const before = cursor === undefined ? undefined : readCursor(cursor.slice(0, MAX_CURSOR_CHARACTERS));
  // No word is asked for that could be looked up.
  if (match === null) return { rows: [], next: null };
  const found = await listEvidence(c.env.DB, memberCaller(c).organization, {
    agent: sought.agent ?? undefined,
    session: sought.session ?? undefined,
    verdict: sought.verdict ?? undefined,
    reason: sought.reason ?? undefined,
    match,
    since,
    before,
    limit: PAGE_ROWS + 1,
  });
  const rows = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? rows.at(-1) : undefined;
  return { rows, next: last === undefined ? null : evidenceUrl(sought, { cursor: writeCursor(last) }) };
}
