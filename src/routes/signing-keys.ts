/** `/v1/signing-keys`, and `/.well-known/countersign/{organization}/keys`, where a stranger reads the public parts. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { readOrganization } from "../db/governance.ts";
import type { SigningKeyRow } from "../db/signing-keys.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { OrganizationId } from "../http/schemas.ts";
import { keysOnRecord, logName, OVERLAP_DAYS, rotateSigningKey } from "../http/signing-keys.ts";

const SigningKey = z
  .object({
    vkey: z.string().meta({
      description: "The verifier key of a signed note (C2SP): `<name>+<key id>+<base64>`.",
    }),
    from: z.int(),
    until: z.int().nullable().meta({
      description: "It signs until then; `null` for the newest. What it signed stays signed.",
    }),
  })
  .meta({ id: "SigningKey" });

const KeyList = z
  .object({ organization: z.string(), keys: z.array(SigningKey) })
  .meta({ id: "SigningKeyList" });

const list = createRoute({
  method: "get",
  path: "/v1/signing-keys",
  ...operation({
    operationId: "listSigningKeys",
    summary: "List the keys that sign checkpoints",
    description:
      "Their public parts, oldest first; none before the first checkpoint. Anybody reads the same at `/.well-known/countersign/{organization_id}/keys`, without a credential.",
    tag: "Ledger",
    access: { member: "viewer" },
  }),
  responses: { 200: jsonContent(KeyList, "The keys"), ...refusals(false) },
});

const rotate = createRoute({
  method: "post",
  path: "/v1/signing-keys",
  ...operation({
    operationId: "rotateSigningKey",
    summary: "Make a new signing key",
    description: "It signs from now on; the ones before it sign beside it until the overlap is over.",
    tag: "Ledger",
    access: { member: "owner" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    body: jsonRequest(
      z
        .strictObject({
          overlap_days: z.int().min(0).max(90).default(OVERLAP_DAYS).meta({
            description: "How long the old key signs beside the new one. 0 when it may have leaked.",
          }),
        })
        .meta({ id: "NewSigningKey" }),
    ),
  },
  responses: {
    201: jsonContent(SigningKey, "The new key"),
    ...refusals(true, "conflict", "publish-pending"),
  },
});

export const signingKeys = newRouter();

signingKeys.openapi(list, async (c) => {
  const { organization } = memberCaller(c);
  const keys = await keysOnRecord(c.env, organization);
  return c.json({ organization, keys: keys.map(shown) }, 200);
});

signingKeys.openapi(rotate, async (c) => {
  const { organization, member } = memberCaller(c);
  const { overlap_days: overlapDays } = c.req.valid("json");
  const name = logName(c.env, organization, new URL(c.req.url).origin);
  const what = { name, overlapDays, actor: member, request: c.get("requestId") };
  return c.json(shown(await rotateSigningKey(c.env, organization, what)), 201);
});

// Public: a key that only the organization could read would be no use to whoever doubts it.
signingKeys.get("/.well-known/countersign/:organization/keys", async (c) => {
  const asked = OrganizationId.safeParse(c.req.param("organization"));
  const row = asked.success ? await readOrganization(c.env.DB, asked.data) : null;
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  const { organization_id: organization } = row;
  const keys = await keysOnRecord(c.env, organization);
  c.header("access-control-allow-origin", "*");
  c.header("cache-control", "public, max-age=300");
  return c.json({ organization, keys: keys.map(shown) }, 200);
});

function shown({ vkey, valid_from, valid_until }: SigningKeyRow): z.infer<typeof SigningKey> {
  return { vkey, from: valid_from, until: valid_until };
}
