/**
 * `/v1/evidence`: what was found of every claim that a memory write made. Listed and searched, counted in a report, and
 * tried out on a text without recording anything.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { countEvidence, type EvidenceRow, listEvidence } from "../db/evidence.ts";
import { organizationCaller } from "../http/access.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../http/cursor.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyOf } from "../http/policy.ts";
import { newRouter } from "../http/router.ts";
import { AgentId, HarnessId } from "../http/schemas.ts";
import { findSession, sessionStub, unknownSession } from "../http/sessions.ts";
import { judge } from "../http/writes.ts";
import {
  EVIDENCE_VERDICTS,
  inquire,
  judgeProvenance,
  REASONS,
  searchable,
  wordQuery,
} from "../policy/provenance/index.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The newest claims that a report shows. */
const NEWEST = 20;

const Days = z.coerce.number().int().min(0).max(3650);
const FAILURES = [...REASONS, "internal_error"] as const;

const Evidence = z
  .object({
    at: z.int(),
    session: z.string(),
    agent: z.string(),
    call_id: z.string(),
    tool: z.string(),
    target: z.string(),
    claim: z.string().nullable(),
    quote: z.string().nullable(),
    msg_id: z.string().nullable().meta({
      description: "The message that holds the quote: the first 16 digits of its turn's hash on the ledger.",
    }),
    matched_in: z.string().nullable().meta({ description: "`this-session`, `profile` or `stored-text`." }),
    sender_id: z.string().nullable(),
    role: z.string().meta({ description: "Who decides in the quote: `self`, `relayed` or `unknown`." }),
    condition: z
      .string()
      .meta({ description: "Whether the quote names a condition: `none`, `unresolved`, `unknown`." }),
    verdict: z.enum(EVIDENCE_VERDICTS).meta({
      description: "`pass`, or what the mode made of it: `would_block`, `asked`, `blocked`.",
    }),
    reason: z.string().nullable().meta({ description: "Why the claim is not backed." }),
    ledger_seq: z.int().meta({ description: "Of the decision's entry in its family's chain." }),
  })
  .meta({ id: "Evidence", description: "One claim in one write." });

const list = createRoute({
  method: "get",
  path: "/v1/evidence",
  ...operation({
    operationId: "listEvidence",
    summary: "List and search evidence, newest first",
    description: "From the search copy, which follows the ledgers by a few seconds.",
    tag: "Provenance",
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      agent: AgentId.optional(),
      session: HarnessId.optional(),
      verdict: z.enum(EVIDENCE_VERDICTS).optional(),
      reason: z.enum(FAILURES).optional(),
      q: z.string().min(1).max(500).optional().meta({
        description: "Words that the claim, the quote or the target has to hold.",
      }),
      days: Days.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({ evidence: z.array(Evidence), next_cursor: z.string().nullable() })
        .meta({ id: "EvidenceList" }),
      "A page of evidence",
    ),
    ...refusals(false),
  },
});

const report = createRoute({
  method: "get",
  path: "/v1/evidence/report",
  ...operation({
    operationId: "reportEvidence",
    summary: "Count evidence by verdict and reason",
    description: "With the newest claims that no quote backs.",
    tag: "Provenance",
    access: { agent: "ask", member: "viewer" },
  }),
  request: {
    query: z.strictObject({ agent: AgentId.optional(), days: Days.default(30) }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          since: z.int(),
          counts: z.array(z.object({ verdict: z.string(), reason: z.string().nullable(), n: z.int() })),
          flagged: z.array(Evidence),
        })
        .meta({ id: "EvidenceReport" }),
      "The report",
    ),
    ...refusals(false),
  },
});

const Checked = z
  .object({
    claims: z.array(
      z.object({
        claim: z.string(),
        pattern: z.string().meta({ description: "The wording that makes it a claim." }),
        kind: z.string(),
        span: z
          .object({ start: z.int(), end: z.int() })
          .meta({ description: "UTF-16 offsets into the text." }),
        backed: z.boolean(),
        reason: z.string().nullable(),
        quote: z.string().nullable(),
        matched_in: z.string().nullable(),
        msg_id: z.string().nullable(),
        role: z.string(),
        condition: z.string(),
      }),
    ),
    too_many: z
      .boolean()
      .meta({ description: "More than 100 claims: a write of this text is refused as a whole." }),
  })
  .meta({ id: "CheckedText" });

const check = createRoute({
  method: "post",
  path: "/v1/evidence/check",
  ...operation({
    operationId: "checkEvidence",
    summary: "Try a text: what does it claim, and what backs it?",
    description: "Records nothing. Without a session nobody has typed anything, so no quote is found.",
    tag: "Provenance",
    access: { agent: "ask", member: "viewer" },
    limit: DECISION_LIMIT_BYTES,
    dryRun: true,
  }),
  request: {
    body: jsonRequest(
      z
        .strictObject({
          text: z.string().max(DECISION_LIMIT_BYTES),
          stored: z
            .string()
            .max(DECISION_LIMIT_BYTES)
            .optional()
            .meta({ description: "The text that it replaces." }),
          session: HarnessId.optional().meta({ description: "Whose words its quotes are looked up in." }),
        })
        .meta({ id: "CheckText" }),
    ),
  },
  responses: { 200: jsonContent(Checked, "What was found"), ...refusals(true, "unknown-session") },
});

export const evidence = newRouter();

evidence.openapi(list, async (c) => {
  const caller = organizationCaller(c);
  const query = c.req.valid("query");
  const match = query.q === undefined ? undefined : wordQuery(searchable(query.q));
  if (match === null) return c.json({ evidence: [], next_cursor: null }, 200);
  const rows = await listEvidence(c.env.DB, caller.organization, {
    agent: caller.kind === "agent" ? caller.agent : query.agent,
    session: query.session,
    verdict: query.verdict,
    reason: query.reason,
    match,
    since: query.days === undefined ? undefined : Date.now() - query.days * DAY_MS,
    before: query.cursor === undefined ? undefined : readCursor(query.cursor),
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return c.json(
    { evidence: page.map(told), next_cursor: last === undefined ? null : writeCursor(last) },
    200,
  );
});

evidence.openapi(report, async (c) => {
  const caller = organizationCaller(c);
  const { days, agent: asked } = c.req.valid("query");
  const agent = caller.kind === "agent" ? caller.agent : asked;
  const since = Date.now() - days * DAY_MS;
  const [counts, flagged] = await Promise.all([
    countEvidence(c.env.DB, caller.organization, since, agent),
    listEvidence(c.env.DB, caller.organization, { agent, since, flagged: true, limit: NEWEST }),
  ]);
  return c.json({ since, counts, flagged: flagged.map(told) }, 200);
});

evidence.openapi(check, async (c) => {
  const caller = organizationCaller(c);
  const { text, stored, session } = c.req.valid("json");
  const policy = await policyOf(c.env.DB, caller);
  const texts = { pieces: [text], base: stored === undefined ? [] : [stored] };
  const { organization } = caller;
  const context = session === undefined ? null : await findSession(c.env, organization, session);
  if (
    session !== undefined &&
    (context === null || (caller.kind === "agent" && context.agent !== caller.agent))
  )
    throw unknownSession();
  const judged =
    context === null
      ? judgeProvenance(inquire(texts, policy.provenance.lexicon), [])
      : await judge(texts, policy.provenance, {
          db: c.env.DB,
          organization,
          context,
          stub: () => sessionStub(c.env, organization, context.root),
        });
  return c.json(
    {
      claims: judged.claims.map(({ claim, reason, quote, matched_in, message, role, condition }) => ({
        claim: claim.text,
        pattern: claim.pattern,
        kind: claim.kind,
        span: { start: claim.span.start, end: claim.span.end },
        backed: reason === null,
        reason,
        quote,
        matched_in,
        msg_id: message?.id ?? null,
        role,
        condition,
      })),
      too_many: judged.reason === "too_many_claims",
    },
    200,
  );
});

function told(row: EvidenceRow): z.infer<typeof Evidence> {
  const { session_id: session, agent_id: agent, seq: ledger_seq, chain: _, n: __, verdict, ...rest } = row;
  const known = EVIDENCE_VERDICTS.find((one) => one === verdict) ?? "would_block";
  return { ...rest, session, agent, ledger_seq, verdict: known };
}
