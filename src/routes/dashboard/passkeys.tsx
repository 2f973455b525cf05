/** `/passkeys`: what a member signs approvals with. Everybody sees and removes their own. */
import type { Context } from "hono";
import { Problem } from "../../errors.ts";
import { hasRole, memberCaller } from "../../http/access.ts";
import type { AppEnv } from "../../http/context.ts";
import { govern } from "../../http/governing.ts";
import { addPasskey, passkeysOf } from "../../http/passkeys.ts";
import { newRouter } from "../../http/router.ts";
import { Name } from "../../http/schemas.ts";
import { readRegistration } from "../../http/webauthn.ts";
import { orFormAgain, page, readForm } from "./access.tsx";
import { nameFault } from "./agents.tsx";
import { FormProblem } from "./form-problem.ts";
import { frameOf, sendPage } from "./layout.tsx";
import { PasskeysPage, type PasskeysPageProps } from "./passkeys-page.tsx";

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
        await addPasskey(c, memberCaller(c), name.data, form.get("challenge") ?? "", response);
      },
      async (problem) => (
        <PasskeysPage {...(await passkeysPage(c))} typed={typed} refused={problem.message} />
      ),
    );
    return c.redirect("/passkeys?done=added", 303);
  },
);

passkeyPages.post("/passkeys/remove", page({ operation: "removePasskey" }), async (c) => {
  const { organization, member } = memberCaller(c);
  const credential_id = (await readForm(c)).get("credential_id") ?? "";
  await orFormAgain(
    c,
    () => govern(c, organization, { kind: "remove_passkey", member_id: member, credential_id }, member),
    async (problem) => <PasskeysPage {...(await passkeysPage(c))} refused={problem.message} />,
  );
  return c.redirect("/passkeys?done=removed", 303);
});

async function passkeysPage(c: Context<AppEnv>): Promise<PasskeysPageProps> {
  const { organization, member, role } = memberCaller(c);
  const [frame, passkeys] = await Promise.all([frameOf(c), passkeysOf(c, organization, member)]);
  return { frame, passkeys, mayAdd: hasRole(role, "approver") };
}
