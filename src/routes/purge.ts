/** `POST /v1/purge`: what people typed, arguments, claims and quotes are removed; the ledger stays and still verifies. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { PURGED, type Purged, purgeBatch, readPurged } from "../db/purged.ts";
import { Problem } from "../errors.ts";
import { type MemberCaller, memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { governLater } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One request removes for this long at most; the next goes on. */
const WORKS_FOR_MS = 5_000;

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
      records: z.int().meta({ description: "Ledger entries whose private text and salt were removed." }),
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
      "What is older is removed from the search copy, and dropped where it is still on its way there. The purge is itself an entry of the organization's ledger; every chain verifies as before. What a session's words made of its task policy stays with the session.",
    tag: "Provenance",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(PurgeRequest) },
  responses: { 200: jsonContent(PurgeState, "How far it got"), ...refusals(true, "publish-pending") },
});

export const purge = newRouter();

purge.openapi(post, async (c) => {
  const caller = memberCaller(c);
  const body = c.req.valid("json");
  const now = Date.now();
  const asked = body.before ?? now + 1 - (body.older_than_days ?? 0) * DAY_MS;
  const before = Math.min(Math.max(asked, 0), now + 1);
  // Recorded before anything is removed; a purge that goes on is the one that is on record.
  if (before > (await readPurged(c.env.DB, caller.organization))) await recorded(c, caller, before);
  const removed: Record<Purged, number> = { said: 0, evidence: 0, skill_writes: 0, records: 0 };
  for (const what of PURGED)
    for (let isLast = false; !isLast; ) {
      if (Date.now() - now > WORKS_FOR_MS) return c.json({ before, removed, done: false }, 200);
      const batch = await purgeBatch(c.env.DB, caller.organization, what, before);
      removed[what] += batch.rows;
      isLast = batch.isLast;
    }
  return c.json({ before, removed, done: true }, 200);
});

/** Puts the purge on record, in force for whatever is delivered from now on. @throws {Problem} `publish-pending` */
async function recorded(
  c: Context<AppEnv>,
  { organization, member }: MemberCaller,
  before: number,
): Promise<void> {
  const { in_force } = await governLater(c, organization, { kind: "purge", before }, member);
  if (!in_force)
    throw new Problem(
      "publish-pending",
      "The purge is on record, but the database cannot be written: nothing is removed yet. Send before again.",
      { headers: { "retry-after": "10" }, extra: { before } },
    );
}
