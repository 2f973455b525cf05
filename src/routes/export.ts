/** `POST /v1/export`: everything that an organization has, as one stream that can be gone on with. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { streamOf } from "../http/exporting.ts";
import { governLater } from "../http/governing.ts";
import { jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { exportLines, MAX_MARK_CHARACTERS, readMark } from "../http/whole-export.ts";

const NDJSON = "application/x-ndjson";

const ExportRequest = z
  .strictObject({
    after: z.string().min(1).max(MAX_MARK_CHARACTERS).optional().meta({
      description: "Goes on after this mark of an export that was cut off.",
    }),
    private: z.boolean().default(true).meta({
      description:
        "False leaves out what is private: the texts and salts of entries, evidence, the histories of skills.",
    }),
  })
  .meta({ id: "ExportRequest" });

const post = createRoute({
  method: "post",
  path: "/v1/export",
  ...operation({
    operationId: "exportOrganization",
    summary: "Export everything",
    description:
      'One JSON object a line: a `manifest`, the organization with its settings and tool table, members, agents, oaths, approvals, evidence, the histories of skills, checkpoints and anchors; then each chain, under a line of the kind `chain`, in the very lines of its own export, which is what a verifier takes. No secrets. Lines of the kind `mark` say where to go on, should the stream break off: it is whole when it ends with `{"kind":"end"}`. That it was made is on the organization\'s ledger.',
    tag: "Ledger",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(ExportRequest) },
  responses: {
    200: { description: "The export", content: { [NDJSON]: { schema: z.string() } } },
    ...refusals(true),
  },
});

export const wholeExport = newRouter();

wholeExport.openapi(post, async (c) => {
  const { organization, member } = memberCaller(c);
  const { after, private: disclose } = c.req.valid("json");
  const mark = after === undefined ? null : readMark(after);
  await governLater(c, organization, { kind: "note", what: "exported", member_id: member }, member);
  const lines = exportLines(c.env, organization, mark, disclose, Date.now());
  return c.body(await streamOf(lines), 200, { "content-type": NDJSON }) as never;
});
