/** `/v1/passkeys`: the keys with which a member signs approvals. A member adds their own; an owner can remove anybody's. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { readMember } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import { govern } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { MAX_CHALLENGE_TOKEN_CHARACTERS } from "../http/passkey-challenge.ts";
import { addPasskey, passkeysOf, registrationOptions } from "../http/passkeys.ts";
import { newRouter } from "../http/router.ts";
import { MemberId, Name } from "../http/schemas.ts";
import { PASSKEY_LIMIT_BYTES, RegistrationResponseSchema } from "../http/webauthn.ts";

const TAG = "Passkeys";

const Passkey = z
  .object({
    credential_id: z.string(),
    member: z.string(),
    name: z.string(),
    transports: z.array(z.string()).meta({ description: "How a browser reaches it, e.g. `usb`." }),
    created_at: z.int(),
    last_used_at: z.int().nullable(),
  })
  .meta({ id: "Passkey" });
const PasskeyList = z.object({ passkeys: z.array(Passkey) }).meta({ id: "PasskeyList" });
const CreationOptionsSchema = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    timeout: z.int(),
    attestation: z.literal("none"),
    excludeCredentials: z.array(
      z.object({ id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal("preferred"),
      requireResidentKey: z.literal(false),
      userVerification: z.literal("required"),
    }),
  })
  .meta({
    id: "PasskeyCreationOptions",
    description:
      "`PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, for `PublicKeyCredential.parseCreationOptionsFromJSON`.",
  });
const Options = z
  .object({
    options: CreationOptionsSchema,
    challenge: z
      .string()
      .meta({ description: "To be sent back with the answer, by the same browser, within five minutes." }),
  })
  .meta({ id: "PasskeyOptions" });
const NewPasskey = z
  .strictObject({
    name: Name.meta({ description: "What its owner calls it." }),
    challenge: z.string().min(1).max(MAX_CHALLENGE_TOKEN_CHARACTERS),
    response: RegistrationResponseSchema.meta({
      description:
        "`RegistrationResponseJSON` of WebAuthn Level 3, as the new credential's `toJSON()` makes it.",
    }),
  })
  .meta({ id: "NewPasskey" });

/** What is no id that anybody has is one that is not there. */
const CredentialId = z.string().min(1).max(2_048);
const OwnParams = z.object({ credential_id: CredentialId });
const MemberParams = z.object({ member_id: MemberId });

const list = createRoute({
  method: "get",
  path: "/v1/passkeys",
  ...operation({
    operationId: "listPasskeys",
    summary: "List your passkeys",
    tag: TAG,
    access: { member: "viewer" },
  }),
  responses: { 200: jsonContent(PasskeyList, "Your passkeys, oldest first"), ...refusals(false) },
});

const begin = createRoute({
  method: "post",
  path: "/v1/passkeys/options",
  ...operation({
    operationId: "beginPasskey",
    summary: "Begin to add a passkey",
    description: "What the browser's `navigator.credentials.create` takes. Writes nothing.",
    tag: TAG,
    access: { member: "approver" },
  }),
  responses: { 200: jsonContent(Options, "What to ask the authenticator for"), ...refusals(false) },
});

const add = createRoute({
  method: "post",
  path: "/v1/passkeys",
  ...operation({
    operationId: "addPasskey",
    summary: "Add a passkey of your own",
    description:
      "The authenticator has to check who its holder is. Its make is not asked for: attestation is `none`.",
    tag: TAG,
    access: { member: "approver" },
    limit: PASSKEY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(NewPasskey) },
  responses: {
    201: jsonContent(Passkey, "The passkey"),
    ...refusals(true, "conflict", "publish-pending"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/passkeys/{credential_id}",
  ...operation({
    operationId: "removePasskey",
    summary: "Remove a passkey of your own",
    description: "It signs nothing from then on, and cannot be added again.",
    tag: TAG,
    access: { member: "viewer" },
  }),
  request: { params: OwnParams },
  responses: { 204: { description: "Removed" }, ...refusals(false, "publish-pending") },
});

const listOf = createRoute({
  method: "get",
  path: "/v1/members/{member_id}/passkeys",
  ...operation({
    operationId: "listMemberPasskeys",
    summary: "List a member's passkeys",
    tag: TAG,
    access: { member: "owner" },
  }),
  request: { params: MemberParams },
  responses: { 200: jsonContent(PasskeyList, "Their passkeys, oldest first"), ...refusals(false) },
});

const removeOf = createRoute({
  method: "delete",
  path: "/v1/members/{member_id}/passkeys/{credential_id}",
  ...operation({
    operationId: "removeMemberPasskey",
    summary: "Remove a member's passkey",
    tag: TAG,
    access: { member: "owner" },
  }),
  request: { params: MemberParams.extend(OwnParams.shape) },
  responses: { 204: { description: "Removed" }, ...refusals(false, "publish-pending") },
});

export const passkeys = newRouter();

passkeys.openapi(list, async (c) => {
  const { organization, member } = memberCaller(c);
  return c.json({ passkeys: await passkeysOf(c, organization, member) }, 200);
});

passkeys.openapi(begin, async (c) => {
  return c.json(await registrationOptions(c, memberCaller(c)), 200);
});

passkeys.openapi(add, async (c) => {
  const { name, challenge, response } = c.req.valid("json");
  return c.json(await addPasskey(c, memberCaller(c), name, challenge, response), 201);
});

passkeys.openapi(remove, async (c) => {
  const { credential_id } = c.req.valid("param");
  await removePasskey(c, memberCaller(c).member, credential_id);
  return c.body(null, 204);
});

passkeys.openapi(listOf, async (c) => {
  const { organization } = memberCaller(c);
  const { member_id: member } = c.req.valid("param");
  if ((await readMember(c.env.DB, organization, member)) === null)
    throw new Problem("not-found", "There is no such member.");
  return c.json({ passkeys: await passkeysOf(c, organization, member) }, 200);
});

passkeys.openapi(removeOf, async (c) => {
  const { member_id, credential_id } = c.req.valid("param");
  await removePasskey(c, member_id, credential_id);
  return c.body(null, 204);
});

/** @throws {Problem} `not-found`, `forbidden`, `publish-pending` */
async function removePasskey(c: Context<AppEnv>, member_id: string, credential_id: string): Promise<void> {
  const caller = memberCaller(c);
  await govern(c, caller.organization, { kind: "remove_passkey", member_id, credential_id }, caller.member);
}
