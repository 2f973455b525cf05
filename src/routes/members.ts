/** `/v1/members`: the people of an organization and what they may do. */
import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { listMembers, readMember } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { memberCaller } from "../http/access.ts";
import { BODY_LIMIT_BYTES } from "../http/body.ts";
import { govern } from "../http/governing.ts";
import { jsonContent, jsonRequest, operation, refusals } from "../http/operation.ts";
import { newRouter } from "../http/router.ts";
import { MemberId, Name } from "../http/schemas.ts";
import { newId } from "../ids.ts";
import { ROLES, type Role } from "../roles.ts";
import { newSignInLink } from "./organizations.ts";

const RoleSchema = z.enum(ROLES);
const Member = z
  .object({ member: z.string(), name: z.string(), role: RoleSchema, created_at: z.int() })
  .meta({ id: "Member" });
const MemberParams = z.object({ member_id: MemberId });

const list = createRoute({
  method: "get",
  path: "/v1/members",
  ...operation({
    operationId: "listMembers",
    summary: "List members",
    tag: "Members",
    access: { member: "viewer" },
  }),
  responses: {
    200: jsonContent(z.object({ members: z.array(Member) }).meta({ id: "MemberList" }), "The members"),
    ...refusals(false),
  },
});

const add = createRoute({
  method: "post",
  path: "/v1/members",
  ...operation({
    operationId: "addMember",
    summary: "Add a member, and get their way in",
    tag: "Members",
    access: { member: "owner" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: { body: jsonRequest(z.strictObject({ name: Name, role: RoleSchema }).meta({ id: "NewMember" })) },
  responses: {
    201: jsonContent(
      Member.extend({ sign_in: z.object({ url: z.string(), member: z.string(), expires_at: z.int() }) }).meta(
        {
          id: "AddedMember",
        },
      ),
      "The member, with a one-time sign-in link",
    ),
    ...refusals(true, "conflict", "publish-pending"),
  },
});

const change = createRoute({
  method: "patch",
  path: "/v1/members/{member_id}",
  ...operation({
    operationId: "changeMember",
    summary: "Change a member's role",
    tag: "Members",
    access: { member: "owner" },
    limit: BODY_LIMIT_BYTES,
  }),
  request: {
    params: MemberParams,
    body: jsonRequest(z.strictObject({ role: RoleSchema }).meta({ id: "MemberChange" })),
  },
  responses: { 200: jsonContent(Member, "The member"), ...refusals(true, "conflict", "publish-pending") },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/members/{member_id}",
  ...operation({
    operationId: "removeMember",
    summary: "Remove a member; their sessions end at once",
    tag: "Members",
    access: { member: "owner" },
  }),
  request: { params: MemberParams },
  responses: { 204: { description: "Removed" }, ...refusals(false, "conflict", "publish-pending") },
});

export const members = newRouter();

members.openapi(list, async (c) => {
  const rows = await listMembers(c.env.DB, memberCaller(c).organization);
  return c.json({ members: rows.map(memberOf) }, 200);
});

members.openapi(add, async (c) => {
  const caller = memberCaller(c);
  const { name, role } = c.req.valid("json");
  const member = newId("mem");
  const { at: created_at } = await govern(
    c,
    caller.organization,
    { kind: "add_member", member_id: member, name, role },
    caller.member,
  );
  const sign_in = await newSignInLink(c, caller.organization, member, caller.member);
  return c.json({ member, name, role, created_at, sign_in }, 201);
});

members.openapi(change, async (c) => {
  const caller = memberCaller(c);
  const { member_id: member } = c.req.valid("param");
  const { role } = c.req.valid("json");
  await govern(c, caller.organization, { kind: "change_member", member_id: member, role }, caller.member);
  const row = await readMember(c.env.DB, caller.organization, member);
  if (row === null) throw new Problem("not-found", "There is no such member.");
  return c.json(memberOf(row), 200);
});

members.openapi(remove, async (c) => {
  const caller = memberCaller(c);
  const { member_id: member } = c.req.valid("param");
  await govern(c, caller.organization, { kind: "remove_member", member_id: member }, caller.member);
  return c.body(null, 204);
});

function memberOf(row: {
  member_id: string;
  name: string;
  role: string;
  created_at: number;
}): z.infer<typeof Member> {
  return { member: row.member_id, name: row.name, role: row.role as Role, created_at: row.created_at };
}
