/** `POST /v1/sessions/{session_id}/outcomes`: what became of a call. Evidence of a backup begins here. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem } from "../errors.ts";
import { agentCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { privateText } from "../http/commitment.ts";
import { Host, Rows, readRows, reportFingerprints, rowsHash } from "../http/fingerprints.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyFor } from "../http/policy.ts";
import { newRouter } from "../http/router.ts";
import { HarnessId, LedgerPositionSchema, OutsideChangeSchema, SessionParams } from "../http/schemas.ts";
import { absentSession, agentSession, callObject, sessionStub } from "../http/sessions.ts";
import { canonicalText } from "../ledger/index.ts";

const OutcomeRequest = z
  .strictObject({
    call_id: HarnessId,
    outcome: z
      .enum(["success", "error", "blocked", "unknown"])
      .meta({ description: "`blocked`: the harness did not run it." }),
    exit_code: z.int().optional().meta({ description: "Of a command. Anything but 0 is not a success." }),
    error: z.string().max(4096).optional(),
    answered_by: z
      .literal("harness")
      .optional()
      .meta({ description: "The harness put the ask to its own user, who said yes." }),
    host: Host.optional(),
    fingerprints: Rows.optional().meta({
      description: "How the sworn files that the call touched stand now.",
    }),
  })
  .refine((body) => body.fingerprints === undefined || body.host !== undefined, {
    message: "fingerprints need the host that they were taken on",
    path: ["host"],
  })
  .meta({ id: "OutcomeRequest" });

const post = createRoute({
  method: "post",
  path: "/v1/sessions/{session_id}/outcomes",
  ...operation({
    operationId: "reportOutcome",
    summary: "Report what became of a call",
    tag: "Decisions",
    access: { agent: "report" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { params: SessionParams, body: jsonRequest(OutcomeRequest) },
  responses: {
    200: jsonContent(
      z
        .object({
          session: z.string(),
          call_id: z.string(),
          outcome: z.enum(["success", "error", "blocked", "unknown"]),
          heeded: z.boolean().meta({
            description:
              "False for a call that ran although it was blocked, or asked about and not answered.",
          }),
          evidence: z.array(LedgerPositionSchema).meta({ description: "Evidence that this outcome made." }),
          outside_changes: z.array(OutsideChangeSchema),
          ledger: LedgerPositionSchema,
        })
        .meta({ id: "Outcome" }),
      "The outcome is recorded",
    ),
    ...refusals(
      true,
      "unknown-session",
      "unknown-call",
      "outcome-already-reported",
      "conflict",
      "session-ended",
    ),
  },
});

export const outcomes = newRouter();

outcomes.openapi(post, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const context = await agentSession(c, caller, session);
  const standing = {
    session,
    agent: caller.agent,
    key: caller.key,
    context_version: context.context_version,
  };
  // Before anything is recorded: a report that is refused must not leave half of itself behind.
  const reported =
    body.fingerprints === undefined || body.host === undefined
      ? null
      : { host: body.host, rows: readRows(body.fingerprints, context.environment, "/fingerprints") };
  const failed = body.outcome === "success" && body.exit_code !== undefined && body.exit_code !== 0;
  const recorded = await callObject(
    () => sessionStub(c.env, caller.organization, context.root),
    (stub) =>
      stub.outcome({
        ...standing,
        policy_version: caller.policy_version,
        call_id: body.call_id,
        outcome: failed ? "error" : body.outcome,
        answered_by: body.answered_by ?? null,
        fingerprints: reported === null ? null : rowsHash(reported.host, reported.rows),
        private: privateText({ exit_code: body.exit_code ?? null, error: body.error ?? null }),
      }),
  );
  if (!recorded.ok) {
    switch (recorded.code) {
      case "unknown-session":
      case "session-ended":
        throw absentSession(recorded.code);
      case "unknown-call":
        throw new Problem("unknown-call", "No decision was asked for this call_id in this session.");
      case "outcome-already-reported":
        throw new Problem(
          "outcome-already-reported",
          "Another outcome, or another answer to the ask, was reported for this call; the first one stands.",
        );
    }
  }
  const answer = JSON.parse(recorded.answer) as {
    session: string;
    call_id: string;
    outcome: "success" | "error" | "blocked" | "unknown";
    heeded: boolean;
    evidence: { seq: number; hash: string }[];
    ledger: { seq: number; hash: string };
  };
  let changes: { path: string; change: "modified" | "created" | "deleted" }[] = [];
  if (reported !== null) {
    const policy = await policyFor(c.env.DB, caller);
    const report = await reportFingerprints(
      c,
      caller,
      {
        root: context.root,
        environment: context.environment,
        standing: { ...standing, policy_version: policy.version },
        oaths: policy.modes.oath === "off" ? [] : policy.bind(context.environment),
      },
      // Only what the call was seen to act on may move without a word: what ran inside it opaquely is reported.
      {
        ...reported,
        complete: false,
        allowed: { bounds: recorded.rebaseline, licence: canonicalText([session, body.call_id]) },
      },
    );
    changes = [...report.changes];
  }
  if (recorded.replayed) c.header("idempotent-replayed", "true");
  return c.json({ ...answer, outside_changes: changes }, 200);
});
