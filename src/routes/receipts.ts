/** Receipts: one file that proves one entry of a ledger offline. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { findDecision } from "../db/records.ts";
import { Problem } from "../errors.ts";
import { memberCaller, organizationCaller } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { identityOf, receiptOf } from "../http/receipts.ts";
import { newRouter } from "../http/router.ts";
import { DecisionId, MAX_ID_CHARACTERS } from "../http/schemas.ts";

const Disclose = z.literal("private").optional().meta({
  description:
    "Adds the private text that the entry commits to, and its salt, where they are still kept: whoever gets the file can read it.",
});

const ReceiptSchema = z
  .object({
    countersign_receipt: z.literal(1),
    organization: z.string(),
    chain: z.string().meta({ description: "`organization`, or `session:` and the root session's id." }),
    entry: z.object({ hash: z.string(), entry: z.string(), body: z.string() }),
    disclosed: z.object({ private: z.string(), salt: z.string() }).nullable(),
    private_gone: z.boolean().meta({
      description:
        "The text that the entry commits to is not kept any more: nobody can check that part again.",
    }),
    path: z.array(z.string()).meta({ description: "The entries after it, up to the head that was sealed." }),
    leaf: z.string(),
    inclusion: z.object({ index: z.int(), tree_size: z.int(), hashes: z.array(z.string()) }),
    checkpoint: z.string().meta({ description: "The signed note." }),
    keys: z.array(z.string()).meta({
      description: "Verifier keys of those who signed it; compare them with the published ones.",
    }),
    anchor: z.object({ ots: z.string(), headers: z.record(z.string(), z.string()) }).nullable(),
    covers: z.string().meta({ description: "What part of the entry's content the record covers." }),
    not_proven: z.array(z.string()),
  })
  .meta({ id: "Receipt" });

const ofDecision = createRoute({
  method: "get",
  path: "/v1/decisions/{decision_id}/receipt",
  ...operation({
    operationId: "readDecisionReceipt",
    summary: "Get the receipt of a decision",
    description:
      "One file that proves the decision offline: its entry, the way to a head that was sealed, the signed checkpoint, and the anchor if there is one. /verify checks it in the browser, and `npm run -s verify -- FILE` in a copy of the project does offline.",
    tag: "Ledger",
    access: { agent: "ask", member: "viewer" },
  }),
  request: { params: z.object({ decision_id: DecisionId }), query: z.strictObject({ disclose: Disclose }) },
  responses: {
    200: jsonContent(ReceiptSchema, "The receipt"),
    ...refusals(false, "not-sealed-yet", "conflict", "log-damaged"),
  },
});

const ofEntry = createRoute({
  method: "get",
  path: "/v1/receipts",
  ...operation({
    operationId: "readReceipt",
    summary: "Get the receipt of any entry",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      chain: z
        .string()
        .min(1)
        .max("session:".length + 2 * MAX_ID_CHARACTERS)
        .default("organization")
        .meta({ description: "`organization`, or `session:` and the root session's id." }),
      seq: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
      disclose: Disclose,
    }),
  },
  responses: {
    200: jsonContent(ReceiptSchema, "The receipt"),
    ...refusals(false, "not-found", "not-sealed-yet", "conflict", "log-damaged"),
  },
});

export const receipts = newRouter();

receipts.openapi(ofDecision, async (c) => {
  const caller = organizationCaller(c);
  const { decision_id: decision } = c.req.valid("param");
  const found = await findDecision(c.env.DB, caller.organization, decision);
  if (found === null || (caller.kind === "agent" && found.agent_id !== caller.agent))
    throw new Problem(
      "not-found",
      "There is no such decision, or it has not reached the search copy, which follows the ledgers by a few seconds.",
    );
  return receipt(c, found.chain, found.seq, c.req.valid("query").disclose !== undefined);
});

receipts.openapi(ofEntry, async (c) => {
  const { chain, seq, disclose } = c.req.valid("query");
  memberCaller(c);
  return receipt(c, chain, seq, disclose !== undefined);
});

async function receipt(c: Context<AppEnv>, chain: string, seq: number, disclose: boolean): Promise<never> {
  const identity = identityOf(organizationCaller(c).organization, chain);
  if (identity === null) throw new Problem("not-found", "There is no such chain.");
  const text = await receiptOf(c.env, identity, seq, disclose);
  return c.body(text, 200, { "content-type": "application/json" }) as never;
}
