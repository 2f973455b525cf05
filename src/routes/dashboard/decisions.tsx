/** `/`: the last decisions, as they come in. `/decision`: one of them, whole. */
import type { Context } from "hono";
import { quotedMessages } from "../../db/evidence-pages.ts";
import { listAgents, listMemberNames, readOath, readOrganization } from "../../db/governance.ts";
import { findDecision, listRecordHashes, listRecords, readRecord } from "../../db/records.ts";
import { Problem } from "../../errors.ts";
import { memberCaller } from "../../http/access.ts";
import { placeOf, recordOf } from "../../http/approving.ts";
import { contentTag } from "../../http/content-tag.ts";
import type { AppEnv } from "../../http/context.ts";
import { readCursor, writeCursor } from "../../http/cursor.ts";
import { newRouter } from "../../http/router.ts";
import { log } from "../../log.ts";
import { resolveModes } from "../../policy/modes.ts";
import { page } from "./access.tsx";
import type { ApprovalNow } from "./approval-of-decision.tsx";
import { addressOf, filterOf, namesOf, type Shown, shownBy } from "./decision-filter.ts";
import { DecisionDetail, DecisionList } from "./decision-list.tsx";
import { decisionView } from "./decision-view.ts";
import { DecisionsPage, Empty } from "./decisions-page.tsx";
import { frameOf, Page, sendPage } from "./layout.tsx";
import { VerdictMark } from "./marks.tsx";
import { quotedPlaces } from "./quoted-places.ts";
import { Recorded, When } from "./recorded.tsx";

const PAGE_ROWS = 25;
const MAX_CURSOR_CHARACTERS = 2_000;
const MAX_ID_CHARACTERS = 64;

export const decisionPages = newRouter();

decisionPages.get("/", page({ operation: "viewDecisions" }), async (c) => {
  const { organization } = memberCaller(c);
  const shown = shownBy((name) => c.req.query(name));
  const cursor = c.req.query("cursor");
  const [frame, agents, oath, list] = await Promise.all([
    frameOf(c),
    listAgents(c.env.DB, organization),
    readOath(c.env.DB, organization, "organization"),
    pageOf(c, shown, cursor),
  ]);
  const settings = await readOrganization(c.env.DB, organization);
  return sendPage(
    c,
    <DecisionsPage
      frame={frame}
      shown={shown}
      agents={agents}
      views={list.views}
      next={list.next}
      paged={cursor !== undefined}
      oathVersion={oath?.version ?? 0}
      mode={resolveModes(JSON.parse(settings?.settings ?? "{}"), {}).oath}
      origin={originOf(c)}
      latest={addressOf("/decisions/latest", shown)}
    />,
  );
});

decisionPages.get("/decisions/latest", page({ operation: "viewDecisions", fragment: true }), async (c) => {
  const { organization } = memberCaller(c);
  const shown = shownBy((name) => c.req.query(name));
  const hashes = await listRecordHashes(c.env.DB, organization, filterOf(shown, PAGE_ROWS));
  const etag = `"${contentTag(JSON.stringify([shown, hashes]))}"`;
  c.header("etag", etag);
  c.header("cache-control", "no-store");
  if (c.req.header("if-none-match") === etag) return c.body(null, 304);
  const [agents, list] = await Promise.all([listAgents(c.env.DB, organization), pageOf(c, shown)]);
  if (list.views.length === 0) return c.html(<Empty shown={shown} origin={originOf(c)} />);
  return c.html(<DecisionList views={list.views} agents={namesOf(agents)} />);
});

decisionPages.get("/decision", page({ operation: "viewDecision" }), async (c) => {
  const { organization } = memberCaller(c);
  const id = c.req.query("id");
  const named =
    id === undefined ? null : await findDecision(c.env.DB, organization, id.slice(0, MAX_ID_CHARACTERS));
  const { chain, seq } = named ?? { chain: c.req.query("chain") ?? "", seq: Number(c.req.query("seq")) };
  const row =
    Number.isSafeInteger(seq) && (id === undefined || named !== null)
      ? await readRecord(c.env.DB, organization, "decision", chain, seq)
      : null;
  if (row === null) throw new Problem("not-found", "There is no such decision.");
  const view = decisionView(row);
  const places = quotedPlaces(view, view.agent ?? "", view.write?.evidence ?? []);
  const [frame, agents, messages, approval] = await Promise.all([
    frameOf(c),
    listAgents(c.env.DB, organization),
    quotedMessages(c.env.DB, organization, places),
    view.body.approval ? approvalNow(c, view.body.approval.id) : null,
  ]);
  return sendPage(
    c,
    <Page title="Decision" frame={frame} place="/">
      <a class="crumb" href="/">
        ← Decisions
      </a>
      <div class="stack">
        <div class="stack-tight">
          <h1 class="wrap">
            <Recorded text={view.tool ?? "?"} />
          </h1>
          <p class="row soft">
            <VerdictMark verdict={view.verdict} />
            <When at={view.at} />
          </p>
        </div>
        <div class="card pad">
          <DecisionDetail
            view={view}
            agents={namesOf(agents)}
            messages={messages}
            approval={approval}
            whole
          />
        </div>
      </div>
    </Page>,
  );
});

/** The approval as it stands; `null` where it cannot be read now: the decision is shown all the same. */
async function approvalNow(c: Context<AppEnv>, id: string): Promise<ApprovalNow | null> {
  const { organization } = memberCaller(c);
  try {
    const { root } = await placeOf(c, organization, id);
    const [record, names] = await Promise.all([
      recordOf(c, organization, root, id, 0),
      listMemberNames(c.env.DB, organization),
    ]);
    return { record, members: new Map(names.map(({ member_id, name }) => [member_id, name])) };
  } catch (error) {
    if (!(error instanceof Problem))
      log.error("read-failed", error, { what: "approval", request: c.get("requestId") });
    return null;
  }
}

async function pageOf(c: Context<AppEnv>, shown: Shown, cursor?: string) {
  const before = cursor === undefined ? undefined : readCursor(cursor.slice(0, MAX_CURSOR_CHARACTERS));
  const rows = await listRecords(c.env.DB, memberCaller(c).organization, {
    ...filterOf(shown, PAGE_ROWS + 1),
    ...(before === undefined ? {} : { before }),
  });
  const list = rows.slice(0, PAGE_ROWS);
  const last = rows.length > PAGE_ROWS ? list.at(-1) : undefined;
  return {
    views: list.map(decisionView),
    next: last === undefined ? null : addressOf("/", shown, { cursor: writeCursor(last) }),
  };
}

export function originOf(c: Context<AppEnv>): string {
  return c.get("config").publicOrigin ?? new URL(c.req.url).origin;
}
