/**
 * `/v1/anchors`: an organization's own bytes, or their digest, stamped with OpenTimestamps. Two things are told apart:
 * that the bytes are the stamped ones, and that they were there before they were published.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { ANCHOR_STATES, listAnchors } from "../db/anchors.ts";
import { memberCaller } from "../http/access.ts";
import {
  addHeader,
  anchorFile,
  anchorOf,
  makeAnchor,
  NewAnchor,
  proofDisposition,
  shownAnchor,
} from "../http/anchors.ts";
import { DECISION_LIMIT_BYTES } from "../http/body.ts";
import { MAX_CURSOR_CHARACTERS, readCursor, writeCursor } from "../http/cursor.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { AnchorId } from "../http/schemas.ts";

const TAG = "Anchors";
const FILE = "application/vnd.opentimestamps.v1";

const STANDINGS = ["established", "pending", "not claimed", "not established"] as const;

const Anchor = z
  .object({
    anchor: z.string(),
    reference: z.string(),
    digest: z.string().meta({ description: "SHA-256 of the exact bytes, hex: what the proof begins with." }),
    private: z.boolean(),
    size: z.int().nullable().meta({ description: "Bytes that were hashed; `null` where a digest was sent." }),
    published_at: z.int().nullable(),
    created_by: z.string().nullable().meta({ description: "The member; `null` for Countersign itself." }),
    created_at: z.int(),
    ledger_seq: z.int().meta({ description: "Of its entry in the organization's chain." }),
    state: z.enum(ANCHOR_STATES).meta({
      description:
        "`unsubmitted`: no calendar has taken it. `pending`: calendars promise a block. `attested`: the proof names a block whose header is not known here. `confirmed`: the header is, and the proof leads into it.",
    }),
    integrity: z.enum(STANDINGS).meta({
      description: "Whether whoever has bytes of this digest can show that they are the stamped ones.",
    }),
    priority: z.enum(STANDINGS).meta({
      description:
        "Whether they were there before `published_at`, by the time of the block: established only by a block that is earlier.",
    }),
    block: z
      .object({
        height: z.int().meta({ description: "As the proof names it: a header does not hold its height." }),
        hash: z.string(),
        time: z.int().meta({ description: "Epoch milliseconds, as the miner wrote it." }),
      })
      .nullable()
      .meta({ description: "The earliest block that confirms it." }),
    attestations: z.array(
      z.object({
        kind: z.string(),
        state: z.string(),
        calendar: z.string().nullable(),
        height: z.int().nullable(),
      }),
    ),
    next_at: z.int().nullable().meta({ description: "When something is done about it next." }),
    last_failure: z.string().nullable().meta({
      description:
        "Why nothing came of the last try: a stable word, e.g. `no-calendars`, `timeout`, `not-yet`.",
    }),
    covers: z.string().meta({ description: "What part of a content the anchor covers." }),
    not_proven: z.array(z.string()),
  })
  .meta({ id: "Anchor" });

const AnchorParams = z.object({ anchor_id: AnchorId });

const list = createRoute({
  method: "get",
  path: "/v1/anchors",
  ...operation({
    operationId: "listAnchors",
    summary: "List anchors, newest first",
    tag: TAG,
    access: { member: "viewer" },
  }),
  request: {
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
    }),
  },
  responses: {
    200: jsonContent(
      z.object({ anchors: z.array(Anchor), next_cursor: z.string().nullable() }).meta({ id: "AnchorList" }),
      "The anchors",
    ),
    ...refusals(false),
  },
});

const make = createRoute({
  method: "post",
  path: "/v1/anchors",
  ...operation({
    operationId: "makeAnchor",
    summary: "Have bytes, or their digest, stamped",
    description:
      "The exact bytes are hashed; they are not kept. One reference is one content: the same again answers the first anchor with its time, other bytes are refused. Calendars are told a hash with random bytes in it.",
    tag: TAG,
    access: { member: "admin" },
    limit: DECISION_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(NewAnchor) },
  responses: {
    201: jsonContent(Anchor, "The anchor"),
    200: jsonContent(Anchor, "The anchor that is there already"),
    ...refusals(true, "conflict", "publish-pending"),
  },
});

const read = createRoute({
  method: "get",
  path: "/v1/anchors/{anchor_id}",
  ...operation({
    operationId: "readAnchor",
    summary: "Read what an anchor establishes",
    tag: TAG,
    access: { member: "viewer" },
  }),
  request: {
    params: AnchorParams,
    query: z.strictObject({
      published_at: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
        description: "Epoch milliseconds: what priority is held against, instead of what was said first.",
      }),
    }),
  },
  responses: { 200: jsonContent(Anchor, "The anchor"), ...refusals(false) },
});

const file = createRoute({
  method: "get",
  path: "/v1/anchors/{anchor_id}/proof.ots",
  ...operation({
    operationId: "readAnchorProof",
    summary: "Download the proof",
    description:
      "A detached OpenTimestamps proof, as the reference client reads it, with or without a block yet.",
    tag: TAG,
    access: { member: "viewer" },
  }),
  request: { params: AnchorParams },
  responses: {
    200: {
      description: "The `.ots` file",
      content: { [FILE]: { schema: z.string().meta({ format: "binary" }) } },
    },
    ...refusals(false),
  },
});

const headers = createRoute({
  method: "post",
  path: "/v1/anchors/{anchor_id}/headers",
  ...operation({
    operationId: "addAnchorHeader",
    summary: "Bring the header of a block that the proof names",
    description:
      "80 bytes, from any node or explorer: the header is checked by its own hash, by its target and time, which must be such as blocks of its height had, and by its merkle root; nobody has to be trusted for it. A block below 100,000, or one that is dated more than two hours before the anchor was made, confirms nothing.",
    tag: TAG,
    access: { member: "viewer" },
    limit: 4_096,
  }),
  request: {
    params: AnchorParams,
    body: jsonRequest(
      z
        .strictObject({
          height: z.int().min(0).max(4_294_967_295),
          header: z.string().max(512).meta({ description: "160 hex digits." }),
        })
        .meta({ id: "AnchorHeader" }),
    ),
  },
  responses: { 200: jsonContent(Anchor, "The anchor"), ...refusals(true, "conflict") },
});

export const anchors = newRouter();

anchors.openapi(list, async (c) => {
  const { organization } = memberCaller(c);
  const { limit, cursor } = c.req.valid("query");
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await listAnchors(
    c.env.DB,
    organization,
    after === undefined ? undefined : { at: after.at, id: after.chain },
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next =
    last === undefined ? null : writeCursor({ at: last.created_at, chain: last.anchor_id, seq: 0 });
  return c.json({ anchors: page.map((row) => shownOf(row)), next_cursor: next }, 200);
});

anchors.openapi(make, async (c) => {
  const { anchor, made } = await makeAnchor(c, c.req.valid("json"));
  return c.json(copyOf(anchor), made ? 201 : 200);
});

anchors.openapi(read, async (c) => {
  const row = await anchorOf(c, c.req.valid("param").anchor_id);
  const { published_at } = c.req.valid("query");
  return c.json(shownOf(row, published_at), 200);
});

anchors.openapi(file, async (c) => {
  const { anchor_id: id } = c.req.valid("param");
  return c.body(await anchorFile(c, id), 200, {
    "content-type": FILE,
    "content-disposition": proofDisposition(await anchorOf(c, id)),
  }) as never;
});

anchors.openapi(headers, async (c) => {
  const row = await addHeader(c, c.req.valid("param").anchor_id, c.req.valid("json"));
  return c.json(shownOf(row), 200);
});

function shownOf(...row: Parameters<typeof shownAnchor>): z.infer<typeof Anchor> {
  return copyOf(shownAnchor(...row));
}

function copyOf(anchor: ReturnType<typeof shownAnchor>): z.infer<typeof Anchor> {
  return { ...anchor, attestations: anchor.attestations.map((one) => ({ ...one })) };
}
