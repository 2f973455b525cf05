/**
 * `/v1/tool-table`: an organization's own rows over the table of tools. A row says what a tool does that nothing here
 * knows, or knows better. It is checked before it is saved, and shown with what it would change.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { govern } from "../http/governing.ts";
import { expectedVersion, IfMatch, VersionTag } from "../http/if-match.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { ToolTableSchema } from "../http/schemas.ts";
import { tableInForce } from "../http/tool-table.ts";
import { changesOf, parseToolTable } from "../policy/effects/index.ts";
import { RISK_CLASSES } from "../policy/types.ts";

const Read = z.object({
  risks: z.array(z.enum(RISK_CLASSES)),
  from: z
    .enum(["table", "inferred", "override"])
    .meta({ description: "The table of known tools, the tool's name and arguments, or a row of yours." }),
});
const Change = z
  .object({ tool: z.string(), before: Read, after: Read })
  .meta({ id: "ToolTableChange", description: "How a call of this tool is read before and after." });

const InForce = z
  .object({
    version: z.int().meta({ description: "0 before the first." }),
    tools: ToolTableSchema.shape.tools,
  })
  .meta({ id: "ToolTableInForce" });
const Saved = InForce.extend({ policy_version: z.int(), changes: z.array(Change) }).meta({
  id: "SavedToolTable",
});

const getTable = createRoute({
  method: "get",
  path: "/v1/tool-table",
  ...operation({
    operationId: "readToolTable",
    summary: "Read the organization's tool table",
    tag: "Tools",
    access: { member: "viewer" },
  }),
  responses: {
    200: { ...jsonContent(InForce, "The table; its version is the ETag"), headers: VersionTag },
    ...refusals(false),
  },
});

const putTable = createRoute({
  method: "put",
  path: "/v1/tool-table",
  ...operation({
    operationId: "changeToolTable",
    summary: "Replace the organization's tool table",
    description:
      'Send `If-Match: "N"` with the version that you changed (`"0"` for the first). A table with a fault is not saved, and every fault is told at once. It holds from the next decision on.',
    tag: "Tools",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { headers: IfMatch, body: jsonRequest(ToolTableSchema) },
  responses: {
    200: { ...jsonContent(Saved, "The table in force, and what it changed"), headers: VersionTag },
    ...refusals(true, "invalid-tool-table", "version-mismatch", "precondition-required", "publish-pending"),
  },
});

const check = createRoute({
  method: "post",
  path: "/v1/tool-table/check",
  ...operation({
    operationId: "checkToolTable",
    summary: "Try a tool table without a trace",
    description:
      "A dry run: says every fault, and how each tool that the table names is read before and after.",
    tag: "Tools",
    access: { member: "viewer" },
    limit: BODY_LIMIT_BYTES,
    dryRun: true,
  }),
  request: { body: jsonRequest(ToolTableSchema) },
  responses: {
    200: jsonContent(
      z
        .object({
          valid: z.boolean(),
          faults: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })),
          changes: z.array(Change),
        })
        .meta({ id: "ToolTableCheck" }),
      "What the table would change",
    ),
    ...refusals(true),
  },
});

export const toolTable = newRouter();

toolTable.openapi(getTable, async (c) => {
  const { version, stored } = await tableInForce(c);
  c.header("etag", `"${version}"`);
  return c.json({ version, tools: stored.tools }, 200);
});

toolTable.openapi(putTable, async (c) => {
  const caller = memberCaller(c);
  const expected = expectedVersion(c.req.header("if-match"), "tool table");
  const body = c.req.valid("json");
  const parsed = parseToolTable(body);
  if (!parsed.ok)
    throw new Problem("invalid-tool-table", "Mend what errors names. The table in force stays in force.", {
      errors: parsed.faults.map(({ pointer, code, message }) => ({ pointer, detail: message, code })),
    });
  const { table } = await tableInForce(c);
  const saved = await govern(
    c,
    caller.organization,
    { kind: "change_tools", expected, table: body },
    caller.member,
  );
  c.header("etag", `"${saved.version}"`);
  return c.json(
    {
      version: saved.version,
      tools: body.tools,
      policy_version: saved.policy_version,
      changes: changesOf(table, parsed.table),
    },
    200,
  );
});

toolTable.openapi(check, async (c) => {
  const parsed = parseToolTable(c.req.valid("json"));
  if (!parsed.ok) return c.json({ valid: false, faults: [...parsed.faults], changes: [] }, 200);
  const { table } = await tableInForce(c);
  return c.json({ valid: true, faults: [], changes: changesOf(table, parsed.table) }, 200);
});
