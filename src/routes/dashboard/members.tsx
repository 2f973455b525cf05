/** `/members`: the people of the organization. An owner adds them, changes what they may do, and makes their way in. */
import type { Context } from "hono";
import { listChannels } from "../../db/channels.ts";
import { listMembers, readMember } from "../../db/governance.ts";
import type { Change } from "../../durable/changes.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { govern } from "../../http/governing.ts";
import { newRouter } from "../../http/router.ts";
import { Name } from "../../http/schemas.ts";
import { newId } from "../../ids.ts";
import { ROLES, type Role } from "../../roles.ts";
import { newSignInLink } from "../organizations.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { nameFault } from "./agents.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";
import { MemberPage, MembersPage, type MembersPageProps, NewLinkPage } from "./members-page.tsx";

const ACT = "add, change or remove members";

export const memberPages = newRouter();

memberPages.get("/members", page({ operation: "viewMembers" }), async (c) =>
  sendPage(c, <MembersPage {...(await membersOf(c))} />),
);

memberPages.post("/members", page({ operation: "addMember", role: "owner", act: ACT }), async (c) => {
  const caller = memberCaller(c);
  const form = await readForm(c);
  const role = roleOf(form);
  const typed = { name: form.get("name") ?? "", role };
  const again = async (fault: string) => (
    <MembersPage {...(await membersOf(c))} typed={typed} fault={fault} />
  );
  const name = Name.safeParse(typed.name);
  if (!name.success) {
    const fault = nameFault(typed.name);
    throw new FormProblem("invalid-request", fault, await again(fault));
  }
  const member = newId("mem");
  await orFormAgain(
    c,
    () =>
      govern(
        c,
        caller.organization,
        { kind: "add_member", member_id: member, name: name.data, role },
        caller.member,
      ),
    (problem) => again(problem.message),
  );
  return linkPage(c, member, name.data, hasRole(role, "approver"));
});

memberPages.get("/members/:member", page({ operation: "viewMember", role: "owner", act: ACT }), async (c) => {
  const member = await memberRow(c, c.req.param("member"));
  return sendPage(c, <MemberPage frame={await frameOf(c)} member={member} />);
});

memberPages.post(
  "/members/:member/link",
  page({ operation: "createSignInLink", role: "owner", act: ACT }),
  async (c) => {
    const row = await memberRow(c, c.req.param("member"));
    return linkPage(c, row.member_id, row.name, false);
  },
);

memberPages.post(
  "/members/:member/role",
  page({ operation: "changeMember", role: "owner", act: ACT }),
  async (c) => {
    const member = await memberRow(c, c.req.param("member"));
    const role = roleOf(await readForm(c));
    return changed(c, member, { kind: "change_member", member_id: member.member_id, role });
  },
);

memberPages.post(
  "/members/:member/remove",
  page({ operation: "removeMember", role: "owner", act: ACT }),
  async (c) => {
    const member = await memberRow(c, c.req.param("member"));
    return changed(c, member, { kind: "remove_member", member_id: member.member_id });
  },
);

async function changed(c: Context<AppEnv>, member: MemberRow, change: Change): Promise<Response> {
  const caller = memberCaller(c);
  await orFormAgain(
    c,
    () => govern(c, caller.organization, change, caller.member),
    async (problem) => <MemberPage frame={await frameOf(c)} member={member} refused={problem.message} />,
  );
  return c.redirect("/members", 303);
}

/** The link is in this one answer and nowhere else. @param isNew they are an approver that nobody tells of asks yet */
async function linkPage(c: Context<AppEnv>, member: string, name: string, isNew: boolean) {
  const caller = memberCaller(c);
  const link = await newSignInLink(c, caller.organization, member, caller.member);
  return sendPage(
    c,
    <NewLinkPage
      frame={await frameOf(c)}
      name={name}
      url={link.url}
      expires={link.expires_at}
      untold={isNew}
    />,
    201,
  );
}

async function memberRow(c: Context<AppEnv>, id: string) {
  const row = await readMember(c.env.DB, memberCaller(c).organization, id);
  if (row === null) throw new Problem("not-found", "There is no such member.");
  return { ...row, role: row.role as Role };
}
type MemberRow = Awaited<ReturnType<typeof memberRow>>;

async function membersOf(c: Context<AppEnv>): Promise<MembersPageProps> {
  const caller = memberCaller(c);
  const [frame, members, channels] = await Promise.all([
    frameOf(c),
    listMembers(c.env.DB, caller.organization),
    listChannels(c.env.DB, caller.organization),
  ]);
  const telling = channels.filter(({ events }) =>
    (JSON.parse(events) as string[]).includes("approval.opened"),
  );
  const told = new Set(telling.map(({ member_id }) => member_id));
  // Whether somebody else has a channel is for them and for admins to know, as it is under Channels.
  const maySee = (member: string): boolean => member === caller.member || hasRole(caller.role, "admin");
  return {
    frame,
    members: members.map((row) => {
      const role = row.role as Role;
      const unheard = hasRole(role, "approver") && !told.has(row.member_id) && maySee(row.member_id);
      return { ...row, role, unheard };
    }),
    shared: told.has(null),
    mayEdit: hasRole(caller.role, "owner"),
  };
}

/** What is no role is the least one. */
function roleOf(form: URLSearchParams): Role {
  return ROLES.find((role) => role === form.get("role")) ?? "viewer";
}
