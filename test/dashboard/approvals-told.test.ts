/** What pages say around an ask, so that nobody waits for what cannot come. */
import { describe, it } from "vitest";
import { asked, linkOf } from "../approve/support.ts";
import { newMember, newTenant, send } from "../support/api.ts";
import { ask, newAsking } from "../support/approvals.ts";
import { open, wordsOf } from "./support.ts";

const pageOf = async (path: string, cookie: string) => wordsOf((await open(path, cookie)).text);
const linkPage = async (path: string) => wordsOf((await send(path)).text);

describe("a demand that nobody can meet", () => {
  const WANTS_FIVE = { demands: [{ risks: ["COMMUNICATION", "EXTERNAL_WRITE", "NETWORK"], people: 5 }] };

  it("is said in the settings until enough members may approve", async ({ expect }) => {
    const tenant = await newAsking({ demands: [{ risks: ["DELETE", "FINANCIAL"], people: 2 }] });
    await newMember(tenant, "viewer");
    const short = await pageOf("/settings", tenant.cookie);
    expect(short).toMatch(
      /Only 1 member may approve: some of these demands cannot be met[\s\S]*DELETE,\s*FINANCIAL/,
    );
    await newMember(tenant, "approver");
    expect(await pageOf("/settings", tenant.cookie)).not.toContain("cannot be met");
    const usual = await newTenant("Usual", {});
    expect(await pageOf("/settings", usual.cookie)).not.toContain("cannot be met");
  });

  it("is said beside Approve, on both pages, and is no longer once it can be met", async ({ expect }) => {
    const tenant = await newAsking(WANTS_FIVE);
    await newMember(tenant, "approver");
    await newMember(tenant, "viewer");
    const one = await asked(undefined, undefined, { tenant });
    const link = await linkOf(one);
    const words = "It takes 5 people, and only 2 may approve: nobody can get it approved.";
    for (const page of [await pageOf(`/approvals/${one.approval}`, tenant.cookie), await linkPage(link)]) {
      expect(page).toContain(words);
      expect(page).toContain("Ask an admin");
      expect(page).toContain("Approve once");
    }
    for (const role of ["approver", "admin", "owner"]) await newMember(tenant, role);
    for (const page of [await pageOf(`/approvals/${one.approval}`, tenant.cookie), await linkPage(link)])
      expect(page).not.toContain("nobody can get it approved");
    const usual = await newAsking();
    expect(await pageOf(`/approvals/${(await ask(usual)).id}`, usual.cookie)).not.toContain("may approve:");
  });
});
