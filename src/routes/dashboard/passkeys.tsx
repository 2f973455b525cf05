/**
 * `/passkeys`: what a member signs approvals with. Everybody sees and removes their own; an owner those of a member, on
 * `/members/…/passkeys`.
 */
import type { Context } from "hono";
import { readMember } from "../../db/governance.ts";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import {
  challengeOfChange,
  confirmationOptions,
  removePasskey,
  signerOf,
} from "../../http/passkey-changes.ts";
import { addPasskey, passkeysOf } from "../../http/passkeys.ts";
import { newRouter } from "../../http/router.ts";
import { Name } from "../../http/schemas.ts";
import { readRegistration } from "../../http/webauthn.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { nameFault } from "./agents.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";
import {
  MemberPasskeysPage,
  type MemberPasskeysPageProps,
  PasskeysPage,
  type PasskeysPageProps,
  type RemovablePasskey,
} from "./passkeys-page.tsx";

export const passkeyPages = newRouter();

passkeyPages.get("/passkeys", page({ operation: "viewPasskeys" }), async (c) => {
  const done = (["added", "removed"] as const).find((one) => one === c.req.query("done"));
  return sendPage(c, <PasskeysPage {...(await passkeysPage(c))} {...(done === undefined ? {} : { done })} />);
});

passkeyPages.post(
  "/passkeys",
  page({ operation: "addPasskey", role: "approver", act: "add a passkey" }),
  async (c) => {
    const form = await readForm(c);
    const typed = form.get("name") ?? "";
    const name = Name.safeParse(typed);
    if (!name.success) {
      const fault = nameFault(typed);
      throw new FormProblem(
        "invalid-request",
        fault,
        <PasskeysPage {...(await passkeysPage(c))} typed={typed} fault={fault} />,
      );
    }
    await orFormAgain(
      c,
      async () => {
        const response = readRegistration(form.get("response"));
        if (response === null)
          throw new Problem(
            "invalid-request",
            "Nothing of a passkey came with the form. Your browser makes one with JavaScript on.",
          );
        const caller = memberCaller(c);
        await addPasskey(c, caller, name.data, form.get("challenge") ?? "", response, (credential_id) =>
          signerOf(c, caller, { act: "add", member: caller.member, credential_id }, signed(form)),
        );
      },
      async (problem) => (
        <PasskeysPage {...(await passkeysPage(c))} typed={typed} refused={problem.message} />
      ),
    );
    return c.redirect("/passkeys?done=added", 303);
  },
);

passkeyPages.post("/passkeys/remove", page({ operation: "removePasskey" }), async (c) => {
  const caller = memberCaller(c);
  const form = await readForm(c);
  await orFormAgain(
    c,
    () => removePasskey(c, caller, caller.member, form.get("credential_id") ?? "", signed(form)),
    async (problem) => <PasskeysPage {...(await passkeysPage(c))} refused={problem.message} />,
  );
  return c.redirect("/passkeys?done=removed", 303);
});

const OWNERS = { role: "owner", act: "remove another member's passkeys" } as const;

passkeyPages.get(
  "/members/:member/passkeys",
  page({ operation: "viewMemberPasskeys", ...OWNERS }),
  async (c) => {
    const props = await memberPasskeysPage(c, c.req.param("member"));
    return sendPage(c, <MemberPasskeysPage {...props} done={c.req.query("done") === "removed"} />);
  },
);

passkeyPages.post(
  "/members/:member/passkeys/remove",
  page({ operation: "removeMemberPasskey", ...OWNERS }),
  async (c) => {
    const { member } = await memberPasskeysPage(c, c.req.param("member"));
    const form = await readForm(c);
    const credential = form.get("credential_id") ?? "";
    await orFormAgain(
      c,
      () => removePasskey(c, memberCaller(c), member.member_id, credential, signed(form)),
      async (problem) => (
        <MemberPasskeysPage {...(await memberPasskeysPage(c, member.member_id))} refused={problem.message} />
      ),
    );
    return c.redirect(`/members/${member.member_id}/passkeys?done=removed`, 303);
  },
);

/** What the script has put into the form; `null` for nothing. */
function signed(form: URLSearchParams): string | null {
  return form.get("passkey") || null;
}

async function passkeysPage(c: Context<AppEnv>): Promise<PasskeysPageProps> {
  const { member, role } = memberCaller(c);
  const [frame, passkeys] = await Promise.all([frameOf(c), removable(c, member)]);
  return { frame, passkeys, mayAdd: hasRole(role, "approver") };
}

/** @throws {Problem} `not-found` */
async function memberPasskeysPage(c: Context<AppEnv>, id: string): Promise<MemberPasskeysPageProps> {
  const member = await readMember(c.env.DB, memberCaller(c).organization, id);
  if (member === null) throw new Problem("not-found", "There is no such member.");
  const [frame, passkeys] = await Promise.all([frameOf(c), removable(c, member.member_id)]);
  return { frame, member, passkeys, done: false };
}

/** A member's passkeys, each with what the caller signs to remove it. */
async function removable(c: Context<AppEnv>, member: string): Promise<RemovablePasskey[]> {
  const caller = memberCaller(c);
  const held = await passkeysOf(c, caller.organization, member);
  const [some] = held;
  if (some === undefined) return [];
  const mine = await confirmationOptions(c, caller, {
    act: "remove",
    member,
    credential_id: some.credential_id,
  });
  return held.map((passkey) => ({
    ...passkey,
    removal: {
      ...mine,
      challenge: challengeOfChange(caller, { act: "remove", member, credential_id: passkey.credential_id }),
    },
  }));
}
