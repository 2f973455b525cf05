/** The chains, as they are stored, and a check of any export. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem } from "../errors.ts";
import { organizationCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES, boundedText } from "../http/body.ts";
import { chainLines, streamOf } from "../http/exporting.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { SessionParams } from "../http/schemas.ts";
import { endedSession, findSession, unknownSession } from "../http/sessions.ts";
import { verifyChain } from "../ledger/index.ts";

const NDJSON = "application/x-ndjson";

const exported = {
  description:
    "One line an entry: `{hash, entry, body}`, where `entry` and `body` are the texts that were hashed.",
  content: { [NDJSON]: { schema: z.string() } },
};

const Disclose = z.strictObject({
  disclose: z.literal("private").optional().meta({
    description:
      "Adds to each line `private`, the text that its body commits to, and `salt`, 64 hex digits, where they are still kept: what was typed, arguments, paths. `private` in the body is the SHA-256 of `countersign/private/v1`, a line feed, the salt's bytes and the text.",
  }),
});

const ofSession = createRoute({
  method: "get",
  path: "/v1/sessions/{session_id}/ledger",
  ...operation({
    operationId: "exportSessionLedger",
    summary: "Export the chain of a session's whole family",
    tag: "Ledger",
    access: { agent: "ask", member: "viewer" },
  }),
  request: { params: SessionParams, query: Disclose },
  responses: { 200: exported, ...refusals(false, "unknown-session") },
});

const ofOrganization = createRoute({
  method: "get",
  path: "/v1/ledger",
  ...operation({
    operationId: "exportOrganizationLedger",
    summary: "Export the organization's own chain",
    description: "Oath versions, keys, members, settings, and refusals that belong to no session.",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  request: { query: Disclose },
  responses: { 200: exported, ...refusals(false) },
});

const verify = createRoute({
  method: "post",
  path: "/v1/ledger/verify",
  ...operation({
    operationId: "verifyLedger",
    summary: "Verify an export",
    description: `Takes the NDJSON of an export (\`${NDJSON}\`) and finds the first place where it is not what it claims to be.`,
    tag: "Ledger",
    access: { agent: "ask", member: "viewer" },
    dryRun: true,
  }),
  request: { body: { required: true, content: { [NDJSON]: { schema: z.string() } } } },
  responses: {
    200: jsonContent(
      z
        .object({
          ok: z.boolean(),
          entries: z.int(),
          organization: z.string().nullable(),
          session: z.string().nullable(),
          head: z.object({ seq: z.int(), hash: z.string() }).nullable(),
          broken: z
            .object({ code: z.string(), line: z.int(), seq: z.int(), message: z.string() })
            .nullable()
            .meta({ description: "The first break; `line` counts from 1." }),
          not_proven: z.string(),
        })
        .meta({ id: "ChainReport" }),
      "What the check found, whether the chain holds or not",
    ),
    ...refusals(false, "body-timeout", "body-too-large", "unsupported-media-type"),
  },
});

export const ledger = newRouter();

ledger.openapi(ofSession, async (c) => {
  const caller = organizationCaller(c);
  const { session_id: session } = c.req.valid("param");
  const family =
    (await findSession(c.env, caller.organization, session)) ??
    (await endedSession(c.env, caller.organization, session));
  if (family === null || (caller.kind === "agent" && family.agent !== caller.agent)) throw unknownSession();
  const identity = { org: caller.organization, session: family.root };
  const lines = chainLines(c.env, identity, c.req.valid("query").disclose !== undefined);
  return c.body(await streamOf(lines), 200, { "content-type": NDJSON }) as never;
});

ledger.openapi(ofOrganization, async (c) => {
  const caller = organizationCaller(c);
  const identity = { org: caller.organization, session: null };
  const lines = chainLines(c.env, identity, c.req.valid("query").disclose !== undefined);
  return c.body(await streamOf(lines), 200, { "content-type": NDJSON }) as never;
});

ledger.openapi(verify, async (c) => {
  const type = (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== NDJSON)
    throw new Problem("unsupported-media-type", `Send the export as content-type: ${NDJSON}.`);
  return c.json(verifyChain(await boundedText(c, BODY_LIMIT_BYTES, true)), 200);
});
