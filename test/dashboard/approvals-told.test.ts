/** What pages say around an ask, so that nobody waits for what cannot come. */
import { describe, it } from "vitest";
import { causeOf } from "../../src/http/editing.ts";
import type { ApprovalStatus } from "../../src/policy/approval/index.ts";
import { standingName } from "../../src/routes/dashboard/approval-words.ts";
import { asked, linkOf, press } from "../approve/support.ts";
import { must, newMember, newSession, newTenant, ORIGIN, send, shell, swear } from "../support/api.ts";
import { ask, newAsking } from "../support/approvals.ts";
import { Authenticator } from "../support/authenticator.ts";
import { deliver, open, post, wordsOf } from "./support.ts";

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

describe("a demand of passkeys that nobody holds", () => {
  it("is said in the settings, by the API and beside Approve, until enough approvers hold one", async ({
    expect,
  }) => {
    const risks = ["COMMUNICATION", "EXTERNAL_WRITE", "NETWORK"];
    const tenant = await newAsking({
      demands: [{ risks: ["DELETE"] }, { risks, people: 2, passkey: true }],
    });
    const approver = await newMember(tenant, "approver");
    const viewer = await newMember(tenant, "viewer");
    const one = await asked(undefined, undefined, { tenant });
    const link = await linkOf(one);
    const unmet = async () => (await must("/v1/organization", { cookie: viewer.cookie })).json.unmet_demands;
    const pages = async () => [
      await pageOf(`/approvals/${one.approval}`, tenant.cookie),
      await linkPage(link),
    ];
    const pointer = "/settings/approvals/demands/1";
    const lack = { pointer, lacks: "passkeys", needed: 2 };

    expect(await unmet()).toEqual([{ ...lack, there_are: 0 }]);
    for (const page of await pages())
      expect(page).toContain(
        "It takes the passkeys of 2 people. No approver has a passkey: nobody can get it",
      );
    expect(await pageOf("/settings", tenant.cookie)).toMatch(
      /No approver has a passkey: some of these demands cannot be met[\s\S]*COMMUNICATION/,
    );
    // A passkey of somebody who may not approve is none that an action can be approved with.
    await hold(approver.cookie);
    expect(await unmet()).toEqual([{ ...lack, there_are: 1 }]);
    for (const page of await pages()) expect(page).toContain("Only 1 approver has a passkey");
    await hold(tenant.cookie);
    expect(await unmet()).toEqual([]);
    for (const page of await pages()) expect(page).not.toContain("nobody can get it approved");
    expect(await pageOf("/settings", tenant.cookie)).not.toContain("cannot be met");

    const { member } = approver;
    await must(`/v1/members/${member}`, { method: "PATCH", cookie: tenant.cookie, json: { role: "viewer" } });
    expect(await unmet()).toEqual([{ pointer, lacks: "people", needed: 2, there_are: 1 }]);
  });

  async function hold(cookie: string): Promise<void> {
    const { options, challenge } = (await must("/v1/passkeys/options", { method: "POST", cookie })).json;
    const response = await (await Authenticator.make(ORIGIN)).register(options);
    await must("/v1/passkeys", { cookie, json: { name: "Laptop", challenge, response } });
  }
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

describe("an ask in quiet hours", () => {
  const NIGHT = { quiet_hours: { time_zone: "Etc/UTC", from: "00:00", to: "23:59" } };

  it("says at the top of both pages and in the list that nobody is told before their end", async ({
    expect,
  }) => {
    const tenant = await newAsking(NIGHT);
    const one = await asked(undefined, undefined, { tenant });
    const path = `/approvals/${one.approval}`;
    const held = /Nobody is told before \d+ \w+ \d+, 23:59:00 UTC: quiet hours\./;
    await deliver(tenant, one.session);
    const page = await pageOf(path, tenant.cookie);
    expect(page.search(held), "before the action").toBeGreaterThan(0);
    expect(page.search(held)).toBeLessThan(page.indexOf("Your answer"));
    expect(page).toMatch(/People told\s+nobody yet; from/);
    expect(await linkPage(await linkOf(one))).toMatch(held);
    expect(await pageOf("/approvals", tenant.cookie)).toMatch(held);
    await post(path, tenant.cookie, { decision: "deny", action_digest: one.digest });
    const answered = await pageOf(path, tenant.cookie);
    expect(answered).not.toMatch(held);
    expect(answered).toMatch(/People told\s+nobody: it was answered in quiet hours/);
  });

  it("is not spoken of where there are none", async ({ expect }) => {
    const tenant = await newAsking();
    const one = await asked(undefined, undefined, { tenant });
    for (const page of [
      await pageOf(`/approvals/${one.approval}`, tenant.cookie),
      await pageOf("/approvals", tenant.cookie),
      await linkPage(await linkOf(one)),
    ])
      expect(page).not.toContain("quiet hours");
  });
});

describe("an answered approval", () => {
  it("is told apart in the list, and at the top of its page, by what came of it", async ({ expect }) => {
    const tenant = await newAsking();
    const session = await newSession(tenant);
    const [overruled, changed, plain] = [
      await ask(tenant, "rm -rf ~/notes/a", session),
      await ask(tenant, "git push origin b", session),
      await ask(tenant, "git push origin c", session),
    ];
    await post(`/approvals/${changed.id}`, tenant.cookie, {
      decision: "approve",
      action_digest: changed.digest,
      args: '{"command":"git push origin d"}',
    });
    for (const { id, digest } of [overruled, plain])
      await post(`/approvals/${id}`, tenant.cookie, { decision: "approve", action_digest: digest });
    await swear(tenant, "never delete: ~/notes/**");
    expect((await shell(tenant, session, "rm -rf ~/notes/a")).json.verdict).toBe("block");
    await deliver(tenant, session);
    const list = (await open("/approvals", tenant.cookie)).text;
    const answerOf = (id: string) =>
      /data-label="Answer">(.*?)<\/td>/s.exec(list.slice(list.indexOf(`href="/approvals/${id}"`)))?.[1] ?? "";
    expect(wordsOf(answerOf(changed.id))).toBe("Changed");
    expect(wordsOf(answerOf(plain.id))).toBe("Approved");
    const now = (await must(`/v1/approvals/${overruled.id}`, { cookie: tenant.cookie })).json.approval;
    expect(now.grant).toBe("overruled");
    expect(wordsOf(answerOf(overruled.id))).toBe("Overruled");
    expect(await pageOf(`/approvals/${overruled.id}`, tenant.cookie)).toContain("Overruled");
  });

  it("has a name for each way in which it can stand", ({ expect }) => {
    const name = (status: ApprovalStatus, grant: string | null = null, replaced_by: string | null = null) =>
      standingName({ status, grant, replaced_by });
    expect(name("approved", "live")).toBe("Approved");
    expect(name("approved", "spent")).toBe("Approved");
    expect(name("approved", "reported")).toBe("Approved");
    expect(name("approved", "overruled")).toBe("Overruled");
    expect(name("approved", "lapsed")).toBe("Not fetched in time");
    expect(name("approved", "ambiguous")).toBe("Outcome unknown");
    expect(name("denied")).toBe("Denied");
    expect(name("denied", null, "apr_1")).toBe("Changed");
    expect(name("expired")).toBe("Expired");
    expect(name("pending")).toBe("Pending");
  });
});

describe("an edit that cannot be taken", () => {
  it("is told to a person, and says once that it is blocked", async ({ expect }) => {
    const tenant = await newAsking();
    const one = await asked({ tool: "terminal", args: { command: "rm -rf ~/tmp" } }, undefined, { tenant });
    await swear(tenant, "never delete: ~/notes/**");
    const edit = async (args: string) => {
      const fields = { decision: "approve", action_digest: one.digest, args };
      const [here, there] = [
        await post(`/approvals/${one.approval}`, tenant.cookie, fields),
        await press(await linkOf(one), fields),
      ].map(({ text }) => /Nothing was decided\.?\n(.*)\n/.exec(wordsOf(text))?.[1]);
      expect(here).toBe(there);
      return here ?? "";
    };
    const said = await edit('{"command": "rm -rf ~/notes"}');
    expect(said).toContain(
      'What you made of the action is blocked by the oath, line 1: "never delete: ~/notes/**".',
    );
    expect(said).toMatch(/The action that was asked still waits\.$/);
    expect(said).not.toMatch(/Blocked|retry/);
    expect(await edit('["rm"]')).not.toMatch(/blocked.*blocked|Send the call/i);
    expect(await edit('{\n  "command": "rm"\n  "x": 1\n}')).toBe(
      "This is not JSON as it is read here. Line 3, column 3: A comma or the closing } is missing.",
    );
    expect(await edit("\n\n git push")).toMatch(/^This is not JSON as it is read here\. Line 3, column 2: /);
  });

  it("leaves out of a message what only an agent can do about it", ({ expect }) => {
    for (const [message, told] of [
      ["Blocked: it reads keys. Do not retry.", ": it reads keys."],
      [
        'Blocked by the oath, line 1: "never. do not retry: x". It would. The owner swore this must never happen; do not retry.',
        ' by the oath, line 1: "never. do not retry: x". It would. The owner swore this must never happen.',
      ],
      ["Blocked: it is too large. Send it in smaller parts.", ": it is too large."],
      ["It cannot be shown whole.", ": It cannot be shown whole."],
    ] as const)
      expect(causeOf(message)).toBe(told);
  });
});
