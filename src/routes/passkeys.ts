/**
 * `/v1/passkeys`: the keys with which a member signs approvals. A member adds their own; an owner can remove anybody's.
 * Whoever holds one signs each such change with it.
 */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { readMember } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { MAX_CHALLENGE_TOKEN_CHARACTERS } from "../http/passkey-challenge.ts";
import { confirmationOptions, removePasskey, resetPasskeys, signerOf } from "../http/passkey-changes.ts";
import { addPasskey, passkeysOf, registrationOptions } from "../http/passkeys.ts";
import { newRouter } from "../http/router.ts";
import { MemberId, Name, OrganizationId } from "../http/schemas.ts";
import { AssertionSchema, PASSKEY_LIMIT_BYTES, RegistrationResponseSchema } from "../http/webauthn.ts";

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
const Signature = AssertionSchema.nullable().default(null).meta({
  description:
    "For who holds a passkey: the change signed by one of theirs, what `POST /v1/passkeys/confirmations` asks for; `AuthenticationResponseJSON` of WebAuthn Level 3.",
});
const NewPasskey = z
  .strictObject({
    name: Name.meta({ description: "What its owner calls it." }),
    challenge: z.string().min(1).max(MAX_CHALLENGE_TOKEN_CHARACTERS),
    response: RegistrationResponseSchema.meta({
      description:
        "`RegistrationResponseJSON` of WebAuthn Level 3, as the new credential's `toJSON()` makes it.",
    }),
    passkey: Signature,
  })
  .meta({ id: "NewPasskey" });
const Removal = z.strictObject({ passkey: Signature }).meta({ id: "PasskeyRemoval" });

/** What is no id that anybody has is one that is not there. */
const CredentialId = z.string().min(1).max(2_048);
const Confirmation = z
  .strictObject({
    act: z.enum(["add", "remove"]),
    credential_id: CredentialId.meta({ description: "Of the passkey that is to be added or removed." }),
    member: MemberId.optional().meta({ description: "Whose passkey it is; without it, yours." }),
  })
  .meta({ id: "PasskeyConfirmation" });
const RequestOptionsSchema = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal("required"),
    allowCredentials: z
      .array(z.object({ id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) }))
      .meta({ description: "Your passkeys. Empty: you hold none, and sign nothing." }),
  })
  .meta({
    id: "PasskeyRequestOptions",
    description:
      "`PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3, for `PublicKeyCredential.parseRequestOptionsFromJSON`.",
  });
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
      "The authenticator has to check who its holder is. Its make is not asked for: attestation is `none`. Your first one is added by whoever is signed in as you; each further one takes a signature by one that you hold.",
    tag: TAG,
    access: { member: "approver" },
    limit: PASSKEY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(NewPasskey) },
  responses: {
    201: jsonContent(Passkey, "The passkey"),
    ...refusals(true, "conflict", "passkey-demanded", "publish-pending"),
  },
});

const confirm = createRoute({
  method: "post",
  path: "/v1/passkeys/confirmations",
  ...operation({
    operationId: "beginPasskeyConfirmation",
    summary: "Begin to sign a change to passkeys",
    description:
      "What the browser's `navigator.credentials.get` takes. Its answer goes along with the change as `passkey`, and is good for that change alone. Writes nothing.",
    tag: TAG,
    access: { member: "viewer" },
    limit: PASSKEY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(Confirmation) },
  responses: {
    200: jsonContent(RequestOptionsSchema, "What to ask the authenticator for"),
    ...refusals(true),
  },
});

const remove = createRoute({
  method: "post",
  path: "/v1/passkeys/{credential_id}/remove",
  ...operation({
    operationId: "removePasskey",
    summary: "Remove a passkey of your own",
    description:
      "It signs nothing from then on, and cannot be added again. It takes a signature by one that you hold, which may be this one. Whoever has lost them all asks an owner.",
    tag: TAG,
    access: { member: "viewer" },
    limit: PASSKEY_LIMIT_BYTES,
  }),
  request: { params: OwnParams, body: jsonRequest(Removal) },
  responses: {
    204: { description: "Removed" },
    ...refusals(true, "passkey-demanded", "publish-pending"),
  },
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
  method: "post",
  path: "/v1/members/{member_id}/passkeys/{credential_id}/remove",
  ...operation({
    operationId: "removeMemberPasskey",
    summary: "Remove a member's passkey",
    description:
      "For a member who has lost theirs: without one they add a new one by themselves. An owner who holds a passkey signs this with it.",
    tag: TAG,
    access: { member: "owner" },
    limit: PASSKEY_LIMIT_BYTES,
  }),
  request: { params: MemberParams.extend(OwnParams.shape), body: jsonRequest(Removal) },
  responses: {
    204: { description: "Removed" },
    ...refusals(true, "passkey-demanded", "publish-pending"),
  },
});

const reset = createRoute({
  method: "post",
  path: "/v1/organizations/{organization_id}/members/{member_id}/passkeys/reset",
  ...operation({
    operationId: "resetMemberPasskeys",
    summary: "Remove all passkeys of a member",
    description: "For the last owner, if they have lost theirs: every other member is helped by an owner.",
    tag: "Operator",
    access: { operator: true },
  }),
  request: { params: z.object({ organization_id: OrganizationId, member_id: MemberId }) },
  responses: {
    200: jsonContent(z.object({ removed: z.int() }).meta({ id: "PasskeysReset" }), "How many were removed"),
    ...refusals(false, "publish-pending"),
  },
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
  const caller = memberCaller(c);
  const { name, challenge, response, passkey } = c.req.valid("json");
  const added = await addPasskey(c, caller, name, challenge, response, (credential_id) =>
    signerOf(c, caller, { act: "add", member: caller.member, credential_id }, passkey),
  );
  return c.json(added, 201);
});

passkeys.openapi(confirm, async (c) => {
  const caller = memberCaller(c);
  const { act, credential_id, member = caller.member } = c.req.valid("json");
  const { allowCredentials, ...options } = await confirmationOptions(c, caller, {
    act,
    credential_id,
    member,
  });
  return c.json({ ...options, allowCredentials: [...allowCredentials] }, 200);
});

passkeys.openapi(remove, async (c) => {
  const caller = memberCaller(c);
  const { credential_id } = c.req.valid("param");
  await removePasskey(c, caller, caller.member, credential_id, c.req.valid("json").passkey);
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
  await removePasskey(c, memberCaller(c), member_id, credential_id, c.req.valid("json").passkey);
  return c.body(null, 204);
});

passkeys.openapi(reset, async (c) => {
  const { organization_id, member_id } = c.req.valid("param");
  if ((await readMember(c.env.DB, organization_id, member_id)) === null)
    throw new Problem("not-found", "There is no such member.");
  return c.json({ removed: await resetPasskeys(c, organization_id, member_id) }, 200);
});
