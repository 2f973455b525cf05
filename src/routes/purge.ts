/** `POST /v1/purge`: what people typed, arguments, claims and quotes are removed; the ledger stays and still verifies. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { purgeAsAsked } from "../http/purging.ts";
import { newRouter } from "../http/router.ts";

const PurgeRequest = z
  .strictObject({
    older_than_days: z
      .int()
      .min(0)
      .max(36_500)
      .optional()
      .meta({ description: "0 removes everything up to now." }),
    all: z.literal(true).optional(),
    before: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Epoch milliseconds: goes on with a purge that is not done." }),
  })
  .refine((body) => Object.keys(body).length === 1, {
    message: "Say one of older_than_days, all and before.",
  })
  .meta({ id: "PurgeRequest", minProperties: 1, maxProperties: 1 });

const PurgeState = z
  .object({
    before: z.int().meta({ description: "Private text of what is older is gone once `done` is true." }),
    removed: z.object({
      said: z.int(),
      evidence: z.int(),
      skill_writes: z.int(),
      approvals: z.int().meta({ description: "Approvals whose action digest was removed." }),
      records: z.int().meta({ description: "Ledger entries whose private text and salt were removed." }),
      sessions: z.int().meta({ description: "Session families that have forgotten their part." }),
      agents: z.int().meta({ description: "Agents whose fingerprints were looked through." }),
    }),
    done: z.boolean().meta({ description: "False when there is more: send `before` again." }),
  })
  .meta({ id: "PurgeState" });

const post = createRoute({
  method: "post",
  path: "/v1/purge",
  ...operation({
    operationId: "purge",
    summary: "Remove private text",
    description:
      "What is older is removed from the search copy and from the sessions' own objects, and dropped where it is still on its way. The purge is itself an entry of the organization's ledger; every chain verifies as before. What is in use stays until it is not: an approval that waits, and a task policy that newer words are part of. A session that is idle since says where it runs again (`session-gone`) before it goes on; a retry of what is gone is answered `gone`.",
    tag: "Provenance",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(PurgeRequest) },
  responses: { 200: jsonContent(PurgeState, "How far it got"), ...refusals(true) },
});

export const purge = newRouter();

purge.openapi(post, async (c) => {
  const { older_than_days: days, before } = c.req.valid("json");
  const wish =
    before === undefined
      ? ({ kind: "older", days: days ?? 0 } as const)
      : ({ kind: "before", before } as const);
  const state = await purgeAsAsked(c, wish);
  return c.json({ ...state, removed: { ...state.removed } }, 200);
});
