/** What pages say around an ask, so that nobody waits for what cannot come. */
import { describe, it } from "vitest";
import { asked, linkOf } from "../approve/support.ts";
import { must, newMember, newTenant, send } from "../support/api.ts";
import { ask, newAsking } from "../support/approvals.ts";
import { open, post, wordsOf } from "./support.ts";

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

describe("who is told of asks", () => {
  const HERE = { kind: "email", name: "Mine", target: { address: "a@example.com" } };
  const add = (cookie: string, more: object = {}) =>
    must("/v1/channels", { cookie, json: { ...HERE, ...more } });
  const lonely = (page: string) =>
    page.match(/no channel: hears of asks on the dashboard alone/g)?.length ?? 0;

  it("is said in the list of members, of those who may approve, and goes once they have a channel", async ({
    expect,
  }) => {
    const tenant = await newTenant("Members", {});
    const approver = await newMember(tenant, "approver");
    const viewer = await newMember(tenant, "viewer");
    const page = await pageOf("/members", tenant.cookie);
    expect(lonely(page), "the owner and the approver").toBe(2);
    expect(page).toContain("once they have set up a channel of their own, under Channels");
    expect(
      lonely(await pageOf("/members", approver.cookie)),
      "another one's channels are not theirs to know",
    ).toBe(1);
    expect(lonely(await pageOf("/members", viewer.cookie))).toBe(0);
    await add(tenant.cookie);
    await add(approver.cookie, { events: ["approval.decided"] });
    expect(lonely(await pageOf("/members", tenant.cookie)), "outcomes are no asks").toBe(1);
    await add(tenant.cookie, { own: false });
    expect(await pageOf("/members", tenant.cookie)).toContain(
      "no channel of their own: hears of asks by the organization's",
    );
    await add(approver.cookie);
    const heard = await pageOf("/members", tenant.cookie);
    expect(heard).not.toContain("hears of asks");
    expect(heard).not.toContain("under Channels");
  });

  it("is said when an approver is added, and not of a viewer", async ({ expect }) => {
    const tenant = await newTenant("Members", {});
    const added = async (role: string) =>
      wordsOf((await post("/members", tenant.cookie, { name: role, role })).text);
    for (const role of ["approver", "admin", "owner"])
      expect(await added(role), role).toContain("Nothing tells them of asks yet");
    expect(await added("viewer")).not.toContain("Nothing tells them");
  });
});
