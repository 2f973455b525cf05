/**
 * `POST /v1/drift-check`: does the database still say what the ledgers and the signed log say? And `POST /v1/restore`:
 * have it say so again.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { memberCaller } from "../http/access.ts";
import { FINDINGS, type FindingCode } from "../http/alerts.ts";
import { checkDrift } from "../http/drift.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { restoreFor } from "../http/restoring.ts";
import { newRouter } from "../http/router.ts";

/** One request looks for this long at most. */
const WORKS_FOR_MS = 10_000;

const FindingSchema = z
  .object({
    code: z.enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]),
    message: z.string(),
    place: z.enum(["database", "ledger", "log"]).meta({
      description: "What is wrong: the database's copy, the ledger itself, or the log of heads.",
    }),
    chain: z.string().nullable(),
    seq: z.int().meta({
      description: "Of the entry; in the log, of the leaf or the checkpoint; 0 for a row of a table.",
    }),
    through: z.int().meta({ description: "The last of those in a row that it is true of." }),
    column: z.string().nullable(),
    table: z.string().nullable().meta({ description: "Of a row of what governs, or of an approval." }),
    id: z.string().nullable().meta({ description: "The row's own in its table." }),
  })
  .meta({ id: "DriftFinding" });

const check = createRoute({
  method: "post",
  path: "/v1/drift-check",
  ...operation({
    operationId: "checkDrift",
    summary: "Compare the database with the ledgers and the signed log",
    description:
      "Every finding is put on the organization's ledger as an `alert`, once. The clock does the same, every chain once a day. One request looks for some seconds; where `done` is false, send `since` again and it goes on.",
    tag: "Ledger",
    access: { member: "admin" },
  }),
  request: {
    query: z.strictObject({
      since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
        description: "Epoch milliseconds: chains that were looked at since are passed over.",
      }),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          since: z.int(),
          done: z.boolean(),
          chains: z.int(),
          entries: z.int(),
          leaves: z.int(),
          checkpoints: z.int(),
          rows: z.int().meta({ description: "Of what governs, and of approvals." }),
          findings: z.array(FindingSchema),
        })
        .meta({ id: "DriftReport" }),
      "What was looked at, and what was found",
    ),
    ...refusals(false),
  },
});

const restore = createRoute({
  method: "post",
  path: "/v1/restore",
  ...operation({
    operationId: "restoreCopy",
    summary: "Put back what the database lost, out of what the objects hold",
    description:
      "After the database was set back, or was written to behind the product's back. Rows that govern and approvals become what is on record, and those that nobody put on record are taken away; the log becomes what was signed, byte for byte, and goes on; entries that are missing are delivered once more within a minute. Private text that the database alone held is gone. Keep a copy of the database before: it shows what was done to it. That it was asked for, and what was done, is on the organization's ledger. Where `next_cursor` is not null, send it as `cursor` and it goes on.",
    tag: "Ledger",
    access: { member: "owner" },
  }),
  request: {
    query: z.strictObject({
      cursor: z.string().max(8_192).optional().meta({ description: "`next_cursor` of the answer before." }),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          rows: z.int().meta({ description: "Of what governs, of approvals and of records." }),
          checkpoints: z.int(),
          entries: z.int().meta({ description: "That are delivered once more." }),
          lost: z.int().meta({
            description:
              "What no object holds: oaths of which the database alone had the text, chains that are gone.",
          }),
          next_cursor: z.string().nullable(),
        })
        .meta({ id: "Restored" }),
      "What was put back",
    ),
    ...refusals(false, "log-damaged"),
  },
});

export const drift = newRouter();

drift.openapi(restore, async (c) =>
  c.json(await restoreFor(c, memberCaller(c), c.req.valid("query").cursor), 200),
);

drift.openapi(check, async (c) => {
  const now = Date.now();
  const since = Math.min(c.req.valid("query").since ?? now, now);
  const bounds = { since, until: now + WORKS_FOR_MS };
  const { findings, ...report } = await checkDrift(c.env, memberCaller(c).organization, now, bounds);
  return c.json(
    {
      since,
      ...report,
      findings: findings.map(
        ({ code, place, chain, seq, through = seq, column = null, table = null, id = null }) => ({
          code,
          message: FINDINGS[code],
          place,
          chain,
          seq,
          through,
          column,
          table,
          id,
        }),
      ),
    },
    200,
  );
});
