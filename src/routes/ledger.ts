/** The chains, as they are stored, and a check of any export. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { chainName } from "../db/publish.ts";
import { readPurged } from "../db/purged.ts";
import { type DisclosedRow, listDisclosed } from "../db/records.ts";
import { Problem } from "../errors.ts";
import { organizationCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES, boundedText } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { jsonContent, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { SessionParams } from "../http/schemas.ts";
import {
  callObject,
  findSession,
  organizationStub,
  type SessionStub,
  sessionStub,
  unknownSession,
} from "../http/sessions.ts";
import { type ChainIdentity, exportLine, type StoredEntry, verifyChain } from "../ledger/index.ts";

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
  const context = await findSession(c.env, caller.organization, c.req.valid("param").session_id);
  if (context === null || (caller.kind === "agent" && context.agent !== caller.agent)) throw unknownSession();
  return exportOf(
    c,
    { org: caller.organization, session: context.root },
    c.req.valid("query").disclose !== undefined,
    () => sessionStub(c.env, caller.organization, context.root),
  );
});

ledger.openapi(ofOrganization, async (c) => {
  const caller = organizationCaller(c);
  return exportOf(
    c,
    { org: caller.organization, session: null },
    c.req.valid("query").disclose !== undefined,
    () => organizationStub(c.env, caller.organization),
  );
});

ledger.openapi(verify, async (c) => {
  const type = (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== NDJSON)
    throw new Problem("unsupported-media-type", `Send the export as content-type: ${NDJSON}.`);
  return c.json(verifyChain(await boundedText(c, BODY_LIMIT_BYTES, true)), 200);
});

/** Streams a chain a page at a time, so that its length bounds nobody's memory. */
async function exportOf(
  c: Context<AppEnv>,
  identity: ChainIdentity,
  disclose: boolean,
  stub: () => SessionStub,
): Promise<never> {
  const encoder = new TextEncoder();
  // What is purged is told by nobody, also where it has not yet arrived. Oaths are not purged.
  const since = !disclose ? null : identity.session === null ? 0 : await readPurged(c.env.DB, identity.org);
  // The first page is read before the answer begins, so that a failure can still be told.
  let page: { lines: readonly string[]; next: number | null } | null = await callObject(stub, (object) =>
    object.page(0, since),
  );
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (page === null) return controller.close();
      const lines = disclose ? disclosedLines(c.env.DB, identity, page.lines) : page.lines;
      for await (const line of lines) controller.enqueue(encoder.encode(`${line}\n`));
      const { next } = page;
      page = next === null ? null : await callObject(stub, (object) => object.page(next, since));
      if (page === null) controller.close();
    },
  });
  return c.body(stream, 200, { "content-type": NDJSON }) as never;
}

/** The lines with what D1 keeps of their private texts; those that the object still had stand in them already. */
async function* disclosedLines(
  db: D1Database,
  identity: ChainIdentity,
  lines: readonly string[],
): AsyncGenerator<string> {
  const rows = lines.map((line) => {
    const stored = JSON.parse(line) as StoredEntry & { private?: string };
    const { seq } = JSON.parse(stored.entry) as { seq: number };
    return { line, stored, seq, waits: stored.private === undefined && stored.body.includes('"private":') };
  });
  const last = rows.findLast((row) => row.waits)?.seq ?? 0;
  let known = new Map<number, DisclosedRow>();
  let askedUpTo = 0;
  for (const { line, stored, seq, waits } of rows) {
    if (waits && seq > askedUpTo) {
      const found = await listDisclosed(db, identity.org, chainName(identity), seq, last);
      known = new Map(found.map((row) => [row.seq, row]));
      askedUpTo = found.at(-1)?.seq ?? last;
    }
    yield waits ? exportLine(stored, known.get(seq) ?? null) : line;
  }
}
