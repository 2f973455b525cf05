/** `/v1/organizations` for the operator of a deployment, `/v1/organization` for the members of one. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import * as z from "zod";
import { insertSignInLink } from "../db/access.ts";
import { wakeAnchors } from "../db/anchors.ts";
import { readMember, readOrganization } from "../db/governance.ts";
import type { Change } from "../durable/changes.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { meansOf } from "../http/approving.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import type { AppEnv } from "../http/context.ts";
import { newCredential } from "../http/credentials.ts";
import { reachOf } from "../http/drafting.ts";
import { govern, governLater } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { DEFAULT_HASH_LIMIT_BYTES } from "../http/policy.ts";
import { newRouter } from "../http/router.ts";
import { MemberId, Name, OrganizationId } from "../http/schemas.ts";
import {
  AnchoringSettings,
  ApprovalSettings,
  anchoringFaults,
  EngineModes,
  FenceSettings,
  ProvenanceSettings,
  RetentionSettings,
} from "../http/settings.ts";
import { newId } from "../ids.ts";
import { readApprovals, shortageOf } from "../policy/approval/index.ts";
import { GUARD_MODES } from "../policy/modes.ts";

/** Long enough to walk to another machine, short enough to be of no use in a log. */
const SIGN_IN_LINK_MS = 60 * 60 * 1000;

/** Everything that an organization may set but for its compiler, which has a resource of its own. */
export const OrganizationSettings = z
  .strictObject({
    hash_limit_bytes: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .meta({ description: "Clients hash files up to this size. Default 1,000,000." }),
    guard_mode: z
      .enum(GUARD_MODES)
      .optional()
      .meta({ description: "`observe` records and lets pass; `act` (or `block`) enforces." }),
    engines: EngineModes.optional().meta({ description: "A mode for one engine. `off` takes an owner." }),
    fence: FenceSettings.optional(),
    provenance: ProvenanceSettings.optional(),
    approvals: ApprovalSettings.optional(),
    anchoring: AnchoringSettings.optional(),
    retention: RetentionSettings.optional(),
  })
  .meta({ id: "OrganizationSettings" });

const OrganizationSchema = z
  .object({
    organization: z.string(),
    name: z.string(),
    policy_version: z.int(),
    settings: OrganizationSettings,
    unmet_demands: z
      .array(
        z.object({
          pointer: z.string(),
          lacks: z.enum(["people", "passkeys"]),
          needed: z.int(),
          there_are: z.int(),
        }),
      )
      .meta({
        description:
          "Demands on approvals that nobody can meet as members and passkeys stand: what they apply to can be asked about, and not approved.",
      }),
    created_at: z.int(),
  })
  .meta({ id: "Organization" });

const SignInLink = z
  .object({
    url: z
      .string()
      .meta({ description: "Works once. Opening it changes nothing; the button on its page signs in." }),
    member: z.string(),
    expires_at: z.int(),
  })
  .meta({ id: "SignInLink" });

const create = createRoute({
  method: "post",
  path: "/v1/organizations",
  ...operation({
    operationId: "createOrganization",
    summary: "Create an organization and its owner",
    tag: "Operator",
    access: { operator: true },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    body: jsonRequest(
      z
        .strictObject({ name: Name, owner_name: Name, settings: OrganizationSettings.default({}) })
        .meta({ id: "NewOrganization" }),
    ),
  },
  responses: {
    201: jsonContent(
      z
        .object({ organization: z.string(), owner: z.string(), sign_in: SignInLink })
        .meta({ id: "CreatedOrganization" }),
      "The organization, and its owner's first way in",
    ),
    ...refusals(true, "publish-pending"),
  },
});

const link = createRoute({
  method: "post",
  path: "/v1/organizations/{organization_id}/members/{member_id}/sign-in-links",
  ...operation({
    operationId: "createSignInLink",
    summary: "Make a one-time sign-in link for a member",
    tag: "Operator",
    access: { operator: true },
  }),
  request: { params: z.object({ organization_id: OrganizationId, member_id: MemberId }) },
  responses: { 201: jsonContent(SignInLink, "The link"), ...refusals(false, "publish-pending") },
});

const read = createRoute({
  method: "get",
  path: "/v1/organization",
  ...operation({
    operationId: "readOrganization",
    summary: "Read the organization and its settings",
    tag: "Organization",
    access: { member: "viewer" },
  }),
  responses: { 200: jsonContent(OrganizationSchema, "The organization"), ...refusals(false) },
});

const change = createRoute({
  method: "put",
  path: "/v1/organization/settings",
  ...operation({
    operationId: "changeSettings",
    summary: "Replace the organization's settings",
    tag: "Organization",
    access: { member: "admin" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(OrganizationSettings) },
  responses: {
    200: jsonContent(OrganizationSchema, "The settings in force"),
    ...refusals(true, "publish-pending"),
  },
});

export const organizations = newRouter();

organizations.openapi(create, async (c) => {
  const body = c.req.valid("json");
  checkAnchoring(c, body.settings, "/settings");
  const organization = newId("org");
  const owner = newId("mem");
  const change: Change = {
    kind: "create_organization",
    name: body.name,
    member_id: owner,
    member_name: body.owner_name,
    settings: body.settings,
  };
  const { in_force } = await governLater(c, organization, change, null);
  if (!in_force)
    throw new Problem(
      "publish-pending",
      "The organization is on record. Once the database can be written, make a sign-in link for its owner.",
      { headers: { "retry-after": "10" }, extra: { organization, owner } },
    );
  const sign_in = await newSignInLink(c, organization, owner, null);
  return c.json({ organization, owner, sign_in }, 201);
});

organizations.openapi(link, async (c) => {
  const { organization_id: organization, member_id: member } = c.req.valid("param");
  if ((await readMember(c.env.DB, organization, member)) === null)
    throw new Problem("not-found", "There is no such member.");
  return c.json(await newSignInLink(c, organization, member, null), 201);
});

organizations.openapi(read, async (c) => c.json(await organizationOf(c), 200));

organizations.openapi(change, async (c) => {
  const caller = memberCaller(c);
  const settings = c.req.valid("json");
  checkAnchoring(c, settings);
  await govern(c, caller.organization, { kind: "change_settings", settings }, caller.member);
  if (settings.anchoring !== undefined) await wakeAnchors(c.env.DB, caller.organization, Date.now());
  return c.json(await organizationOf(c), 200);
});

/** @throws {Problem} `invalid-request` for an address that nobody here may ask */
export function checkAnchoring(
  c: Context<AppEnv>,
  settings: z.infer<typeof OrganizationSettings>,
  at = "",
): void {
  const faults = anchoringFaults(settings.anchoring, reachOf(c));
  if (faults.length === 0) return;
  throw new Problem("invalid-request", "The settings stay as they are. See errors for each place.", {
    errors: faults.map((fault) => ({ ...fault, pointer: `${at}${fault.pointer}` })),
  });
}

async function organizationOf(c: Context<AppEnv>): Promise<z.infer<typeof OrganizationSchema>> {
  const caller = memberCaller(c);
  const [row, means] = await Promise.all([
    readOrganization(c.env.DB, caller.organization),
    meansOf(c, caller.organization),
  ]);
  if (row === null) throw new Problem("not-found", "There is no such organization.");
  const { compiler: _own, ...settings } = JSON.parse(row.settings) as z.infer<typeof OrganizationSettings> & {
    compiler?: unknown;
  };
  return {
    organization: row.organization_id,
    name: row.name,
    policy_version: row.policy_version,
    settings: { hash_limit_bytes: DEFAULT_HASH_LIMIT_BYTES, ...settings },
    unmet_demands: readApprovals(settings.approvals).demands.flatMap((demand, i) => {
      const shortage = shortageOf(demand, means);
      return shortage === null ? [] : [{ pointer: `/settings/approvals/demands/${i}`, ...shortage }];
    }),
    created_at: row.created_at,
  };
}

/**
 * Makes a one-time link by which a member signs in. Recorded before it exists.
 * @param by the member who made it; `null` for the operator
 */
export async function newSignInLink(
  c: Context<AppEnv>,
  organization: string,
  member: string,
  by: string | null,
): Promise<z.infer<typeof SignInLink>> {
  const { id, secret, secret_hash } = newCredential("link");
  const created_at = Date.now();
  const expires_at = created_at + SIGN_IN_LINK_MS;
  const credential = { id, secret_hash, created_at, expires_at };
  await govern(
    c,
    organization,
    { kind: "note", what: "sign_in_link_created", member_id: member, credential },
    by,
  );
  await insertSignInLink(c.env.DB, organization, {
    id,
    member_id: member,
    secret_hash,
    created_at,
    expires_at,
  });
  const origin = c.get("config").publicOrigin ?? new URL(c.req.url).origin;
  return { url: `${origin}/sign-in?link=${secret}`, member, expires_at };
}
