/** `/v1/agents/{agent_id}/keys`: an agent's keys. A key is shown once; a revoked one stops at the next request. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { listKeys, readAgent } from "../db/governance.ts";
import type { Change } from "../durable/changes.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { newCredential } from "../http/credentials.ts";
import { govern, governLater } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { AgentId, KeyId, Name } from "../http/schemas.ts";
import { SCOPES, type Scope } from "../roles.ts";

const ScopeSchema = z.enum(SCOPES).meta({
  description:
    "`ask` for decisions, `report` for outcomes and fingerprints, `turns` to bring what a person typed.",
});
const Key = z
  .object({
    key_id: z.string(),
    agent: z.string(),
    name: z.string(),
    scopes: z.array(ScopeSchema),
    created_at: z.int(),
    revoked_at: z.int().nullable(),
  })
  .meta({ id: "Key" });
const AgentParams = z.object({ agent_id: AgentId });

const list = createRoute({
  method: "get",
  path: "/v1/agents/{agent_id}/keys",
  ...operation({
    operationId: "listKeys",
    summary: "List an agent's keys",
    tag: "Agents",
    access: { member: "admin" },
  }),
  request: { params: AgentParams },
  responses: {
    200: jsonContent(
      z.object({ keys: z.array(Key) }).meta({ id: "KeyList" }),
      "The keys, never their secrets",
    ),
    ...refusals(false),
  },
});

const create = createRoute({
  method: "post",
  path: "/v1/agents/{agent_id}/keys",
  ...operation({
    operationId: "createKey",
    summary: "Make a key",
    tag: "Agents",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    params: AgentParams,
    body: jsonRequest(
      z
        .strictObject({
          name: Name,
          scopes: z
            .array(ScopeSchema)
            .min(1)
            .max(SCOPES.length)
            .refine((scopes) => new Set(scopes).size === scopes.length, { message: "each scope once" })
            .default([...SCOPES]),
        })
        .meta({ id: "NewKey" }),
    ),
  },
  responses: {
    201: jsonContent(
      Key.extend({
        key: z.string().meta({ description: "Shown this once." }),
        in_force: z
          .boolean()
          .meta({ description: "False while the database cannot be written: it works once it can." }),
      }).meta({ id: "CreatedKey" }),
      "The key",
    ),
    ...refusals(true, "conflict"),
  },
});

const revoke = createRoute({
  method: "delete",
  path: "/v1/agents/{agent_id}/keys/{key_id}",
  ...operation({
    operationId: "revokeKey",
    summary: "Revoke a key",
    tag: "Agents",
    access: { member: "admin" },
  }),
  request: { params: z.object({ agent_id: AgentId, key_id: KeyId }) },
  responses: {
    204: { description: "Revoked, as of the next request" },
    ...refusals(false, "publish-pending"),
  },
});

export const keys = newRouter();

keys.openapi(list, async (c) => {
  const { organization } = memberCaller(c);
  const { agent_id: agent } = c.req.valid("param");
  if ((await readAgent(c.env.DB, organization, agent)) === null)
    throw new Problem("not-found", "There is no such agent.");
  const rows = await listKeys(c.env.DB, organization, agent);
  return c.json(
    {
      keys: rows.map((row) => ({
        key_id: row.key_id,
        agent: row.agent_id,
        name: row.name,
        scopes: JSON.parse(row.scopes) as Scope[],
        created_at: row.created_at,
        revoked_at: row.revoked_at,
      })),
    },
    200,
  );
});

keys.openapi(create, async (c) => {
  const caller = memberCaller(c);
  const { agent_id: agent } = c.req.valid("param");
  const { name, scopes } = c.req.valid("json");
  const { id, secret, secret_hash } = newCredential("key");
  const change: Change = { kind: "create_key", agent_id: agent, key_id: id, name, scopes, secret_hash };
  // A secret is shown once: a database that is away must not lose it, since the key is on record.
  const { at: created_at, in_force } = await governLater(c, caller.organization, change, caller.member);
  return c.json(
    { key_id: id, agent, name, scopes, created_at, revoked_at: null, key: secret, in_force },
    201,
  );
});

keys.openapi(revoke, async (c) => {
  const caller = memberCaller(c);
  const { agent_id: agent, key_id: key } = c.req.valid("param");
  await govern(c, caller.organization, { kind: "revoke_key", agent_id: agent, key_id: key }, caller.member);
  return c.body(null, 204);
});
