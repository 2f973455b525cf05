/** `/v1/checkpoints`: signed roots of the organization's log of heads, and the proofs between them. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import {
  type CheckpointRow,
  listCheckpoints,
  readCheckpoint,
  readLatestCheckpoint,
} from "../db/checkpoints.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { makeCheckpoint } from "../http/checkpoints.ts";
import { checkpointsFile, MOST_CHECKPOINTS, MOST_LEAVES } from "../http/checkpoints-file.ts";
import { consistencyBetween } from "../http/consistency.ts";
import type { AppEnv } from "../http/context.ts";
import { streamOf } from "../http/exporting.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { CHECKPOINT_NOT_PROVEN } from "../ledger/index.ts";

const NOTE_TYPE = "text/plain; charset=utf-8";
/** Past any checkpoint. */
const NO_NUMBER = Number.MAX_SAFE_INTEGER;

const CheckpointSchema = z
  .object({
    number: z.int().meta({ description: "From 1, without gaps." }),
    tree_size: z.int().meta({ description: "Leaves of the log." }),
    root: z.string().meta({ description: "RFC 6962 root, hex." }),
    at: z.int(),
    prev: z.string().nullable().meta({
      description: "SHA-256 of the signed text of the checkpoint before it; `null` for the first.",
    }),
    ledger_seq: z.int().nullable().meta({
      description: "Its own entry in the organization's chain; `null` until that is on record.",
    }),
    note: z.string().meta({ description: "The signed note (C2SP tlog-checkpoint), as it is to be checked." }),
    not_proven: z.array(z.string()).meta({ description: "What a checkpoint does not show." }),
  })
  .meta({ id: "Checkpoint" });

const Number_ = z.coerce.number().int().min(1).max(NO_NUMBER);
const Params = z.object({ number: Number_ });

const noteOrJson = {
  description: "The checkpoint; as `text/plain` the signed note alone.",
  content: {
    "application/json": { schema: CheckpointSchema },
    "text/plain": { schema: z.string() },
  },
};

const list = createRoute({
  method: "get",
  path: "/v1/checkpoints",
  ...operation({
    operationId: "listCheckpoints",
    summary: "List checkpoints, newest first",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      before: Number_.optional().meta({ description: "Those before this number." }),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({ checkpoints: z.array(CheckpointSchema), next_before: z.int().nullable() })
        .meta({ id: "CheckpointList" }),
      "A page of checkpoints",
    ),
    ...refusals(false),
  },
});

const make = createRoute({
  method: "post",
  path: "/v1/checkpoints",
  ...operation({
    operationId: "makeCheckpoint",
    summary: "Make a checkpoint now",
    description:
      "Seals every head that has moved since the last one and has reached the search copy, which follows the ledgers by a few seconds. Where nothing has moved the last one is answered, unless it is older than a day.",
    tag: "Ledger",
    access: { member: "admin" },
  }),
  responses: {
    200: jsonContent(CheckpointSchema, "Nothing has moved: the last checkpoint"),
    201: jsonContent(CheckpointSchema, "The new checkpoint"),
    ...refusals(false, "log-damaged", "publish-pending"),
  },
});

const latest = createRoute({
  method: "get",
  path: "/v1/checkpoints/latest",
  ...operation({
    operationId: "readLatestCheckpoint",
    summary: "Read the newest checkpoint",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  responses: { 200: noteOrJson, ...refusals(false, "not-found") },
});

const file = createRoute({
  method: "get",
  path: "/v1/checkpoints.json",
  ...operation({
    operationId: "downloadCheckpoints",
    summary: "Download checkpoints as one file",
    description: `What a stranger checks the log by, and holds exports against: notes, consistency proofs, leaves and keys in the form that \`/docs/ledger\` describes. A file holds ${MOST_CHECKPOINTS} checkpoints at most; where there are newer ones, \`link\` names the next file, which begins with the checkpoint that this one ends with. The leaves are those of its last tree; more than ${MOST_LEAVES} are left out.`,
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      first: Number_.default(1).meta({ description: "The number of the first checkpoint." }),
      limit: z.coerce.number().int().min(2).max(MOST_CHECKPOINTS).default(MOST_CHECKPOINTS),
      leaves: z.enum(["true", "false"]).default("true").meta({
        description: "`false` leaves them out: what is left still shows that the log only grew.",
      }),
    }),
  },
  responses: {
    200: {
      description: "The file",
      content: {
        "application/json": {
          schema: z
            .object({
              countersign_checkpoints: z.literal(1),
              organization: z.string(),
              checkpoints: z.array(z.string()).meta({ description: "Signed notes, oldest first." }),
              consistency: z.array(z.array(z.string())).meta({
                description: "A proof from each but the last to the next (RFC 9162 §2.1.4).",
              }),
              leaves: z.array(z.string()).nullable(),
              keys: z.array(z.string()).meta({ description: "Verifier keys of the log." }),
            })
            .meta({ id: "CheckpointsFile" }),
        },
      },
    },
    ...refusals(false, "log-damaged", "not-found"),
  },
});

const read = createRoute({
  method: "get",
  path: "/v1/checkpoints/{number}",
  ...operation({
    operationId: "readCheckpoint",
    summary: "Read a checkpoint",
    description: "With `accept: text/plain`, the signed note as a file.",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: { params: Params },
  responses: { 200: noteOrJson, ...refusals(false) },
});

const consistency = createRoute({
  method: "get",
  path: "/v1/checkpoints/{number}/consistency",
  ...operation({
    operationId: "proveConsistency",
    summary: "Prove that a checkpoint's log began with an older one's",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: {
    params: Params,
    query: z.strictObject({
      from: z.coerce.number().int().min(0).max(NO_NUMBER).optional().meta({
        description: "The number of the older checkpoint; 0 for the empty log. Default: the one before it.",
      }),
    }),
  },
  responses: {
    200: jsonContent(
      z
        .object({
          from: z.object({ number: z.int(), tree_size: z.int(), root: z.string() }),
          to: z.object({ number: z.int(), tree_size: z.int(), root: z.string() }),
          proof: z.array(z.string()).meta({ description: "RFC 9162 §2.1.4, hex." }),
        })
        .meta({ id: "ConsistencyProof" }),
      "The proof",
    ),
    ...refusals(false, "log-damaged"),
  },
});

export const checkpoints = newRouter();

checkpoints.openapi(list, async (c) => {
  const { before = NO_NUMBER, limit } = c.req.valid("query");
  const rows = await listCheckpoints(c.env.DB, memberCaller(c).organization, before, limit + 1);
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.number ?? null) : null;
  return c.json({ checkpoints: page.map(shown), next_before: next }, 200);
});

checkpoints.openapi(make, async (c) => {
  const caller = memberCaller(c);
  const { origin } = new URL(c.req.url);
  const wish = { origin, actor: caller.member, fresh: true };
  const { checkpoint, made } = await makeCheckpoint(c.env, caller.organization, Date.now(), wish);
  // The first one always has something to seal: that its key was made.
  if (checkpoint === null)
    throw new Problem("unavailable", "Nothing has reached the database yet. Try again.");
  return made ? c.json(shown(checkpoint), 201) : c.json(shown(checkpoint), 200);
});

checkpoints.openapi(latest, async (c) =>
  answer(c, await readLatestCheckpoint(c.env.DB, memberCaller(c).organization)),
);

checkpoints.openapi(file, async (c) => {
  const { first, limit, leaves } = c.req.valid("query");
  const { last, next, pieces } = await checkpointsFile(c.env, memberCaller(c).organization, {
    first,
    limit,
    leaves: leaves === "true",
  });
  if (next !== null) {
    const query = new URLSearchParams({ first: String(next), limit: String(limit), leaves });
    c.header("link", `</v1/checkpoints.json?${query}>; rel="next"`);
  }
  return c.body(await streamOf(pieces, ""), 200, {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="checkpoints-${first}-${last}.json"`,
  }) as never;
});

checkpoints.openapi(read, async (c) => {
  const { number } = c.req.valid("param");
  return answer(c, await readCheckpoint(c.env.DB, memberCaller(c).organization, number));
});

checkpoints.openapi(consistency, async (c) => {
  const { number } = c.req.valid("param");
  const { from = number - 1 } = c.req.valid("query");
  return c.json(await consistencyBetween(c.env.DB, memberCaller(c).organization, from, number), 200);
});

function shown(row: CheckpointRow): z.infer<typeof CheckpointSchema> {
  const { number, tree_size, root, at, prev, ledger_seq, note } = row;
  return { number, tree_size, root, at, prev, ledger_seq, note, not_proven: [...CHECKPOINT_NOT_PROVEN] };
}

function answer(c: Context<AppEnv>, row: CheckpointRow | null): never {
  if (row === null)
    throw new Problem("not-found", "There is no such checkpoint. POST /v1/checkpoints makes one.");
  c.header("vary", "accept");
  if (!wantsNote(c.req.header("accept") ?? "")) return c.json(shown(row), 200) as never;
  return c.body(row.note, 200, { "content-type": NOTE_TYPE }) as never;
}

/** Whether plain text is asked for, and not JSON before it. */
function wantsNote(accept: string): boolean {
  const [first = ""] = accept.toLowerCase().split(/[,;]/, 1);
  return first.trim() === "text/plain";
}
