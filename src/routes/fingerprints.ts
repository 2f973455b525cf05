/** `PUT /v1/sessions/{session_id}/fingerprints`: how the sworn files stand, so that what moved outside the gate is seen. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { agentCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { FingerprintRequestSchema, fingerprintRequest } from "../http/fingerprint-request.ts";
import { Host, Rows, readRows, reportFingerprints } from "../http/fingerprints.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { policyFor } from "../http/policy.ts";
import { newRouter } from "../http/router.ts";
import { LedgerPositionSchema, OutsideChangeSchema, SessionParams } from "../http/schemas.ts";
import { agentSession } from "../http/sessions.ts";

const put = createRoute({
  method: "put",
  path: "/v1/sessions/{session_id}/fingerprints",
  ...operation({
    operationId: "reportFingerprints",
    summary: "Report how the sworn files stand",
    description:
      "The baseline belongs to the agent and the host and outlives sessions. A file that is seen for the first time becomes the baseline; a file that moved without an allowed call is reported, recorded, and told on the next turn. A report names a bounded number of changes; the next one names the rest.",
    tag: "Sessions",
    access: { agent: "report" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    params: SessionParams,
    body: jsonRequest(
      z
        .strictObject({
          host: Host,
          rows: Rows,
          complete: z.boolean().default(false).meta({
            description:
              "True when `rows` holds every file of every surface that was asked for: then a missing row is a deleted file, and a new one was created.",
          }),
        })
        .meta({ id: "FingerprintReport" }),
    ),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          outside_changes: z.array(OutsideChangeSchema),
          ignored: z.int().meta({ description: "Rows that no oath covers." }),
          fingerprint: FingerprintRequestSchema,
          ledger: LedgerPositionSchema.nullable(),
        })
        .meta({ id: "FingerprintAnswer" }),
      "What moved outside the gate",
    ),
    ...refusals(true, "unknown-session", "conflict", "session-ended"),
  },
});

export const fingerprints = newRouter();

fingerprints.openapi(put, async (c) => {
  const caller = agentCaller(c);
  const { session_id: session } = c.req.valid("param");
  const body = c.req.valid("json");
  const context = await agentSession(c, caller, session);
  const rows = readRows(body.rows, context.environment, "/rows");
  const policy = await policyFor(c.env.DB, caller);
  const oaths = policy.modes.oath === "off" ? [] : policy.bind(context.environment);
  const standing = {
    session,
    agent: caller.agent,
    key: caller.key,
    policy_version: policy.version,
    context_version: context.context_version,
  };
  const report = await reportFingerprints(
    c,
    caller,
    { root: context.root, environment: context.environment, standing, oaths },
    { host: body.host, rows, complete: body.complete, allowed: null },
  );
  return c.json(
    {
      outside_changes: [...report.changes],
      ignored: report.ignored,
      fingerprint: fingerprintRequest(oaths, policy.hash_limit_bytes),
      ledger: report.ledger,
    },
    200,
  );
});
