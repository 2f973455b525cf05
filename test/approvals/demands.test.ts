/** Who has to say yes: two people, somebody who is signed in; and that one no is enough. Each with its row. */
import { describe, it } from "vitest";
import { approveWith, linkOf, press, SAME_SITE } from "../approve/support.ts";
import { type Answer, newMember, send } from "../support/api.ts";
import {
  answer,
  asking,
  COMMAND,
  type Crew,
  lastRow,
  newCrew,
  type Person,
  refusalsIn,
  rowOf,
  rowsOf,
  standing,
} from "./support.ts";

const TWO = { demands: [{ risks: ["WRITE"], people: 2 }] };

const bodies = async ({ tenant }: Crew, session: string, kind: string) =>
  (await rowsOf(tenant, session, kind)).map(({ body }) => body);

describe("two people", () => {
  it("have both approved before anything runs, each of them once", async ({ expect }) => {
    const crew = await newCrew(TWO);
    const { tenant, alice, bob } = crew;
    const { session, asked, linked, again } = await asking(crew);
    expect(await standing(tenant, asked)).toMatchObject({ demand: { people: 2 }, approvals: 0 });
    const first = await answer(alice, asked, "approve");
    expect(first.json).toMatchObject({ tap: "counted", approval: { status: "pending", approvals: 1 } });
    expect(await lastRow(tenant, session)).toMatchObject({
      kind: "approval_vote",
      body: { by: alice.member, via: "session", approvals: 1, people: 2 },
    });
    // The same person again: by session, by a link of theirs, by another one.
    expect((await answer(alice, asked, "approve")).json).toMatchObject({ tap: "counted" });
    for (let i = 0; i < 2; i += 1) {
      const link = await linkOf(linked, { member: alice.member });
      expect((await approveWith(link, linked)).status).toBe(303);
      expect((await lastRow(tenant, session)).body).toMatchObject({
        code: "repeated-tap",
        by: alice.member,
        via: "link",
      });
    }
    expect(await standing(tenant, asked)).toMatchObject({ status: "pending", approvals: 1, grant: null });
    expect((await again()).json.verdict).toBe("ask");
    const link = await linkOf(linked, { member: bob.member });
    expect((await approveWith(link, linked)).headers.get("location")).toBe(link);
    expect(await standing(tenant, asked)).toMatchObject({
      status: "approved",
      approvals: 2,
      grant: "live",
      decided_by: { member: bob.member, via: "link" },
    });
    expect(await bodies(crew, session, "approval_decided")).toMatchObject([
      { outcome: "approved", by: bob.member, approved_by: [alice.member, bob.member] },
    ]);
    const runs = await again();
    expect(runs.json.verdict).toBe("allow");
    expect((await rowOf(tenant, session, runs)).body.approval.did).toBe("spent");
    expect(await refusalsIn(tenant, session)).toEqual(Array(3).fill("repeated-tap"));
  });

  it("are not needed for a no: the first one decides, whoever has approved", async ({ expect }) => {
    const crew = await newCrew(TWO);
    const { tenant, alice, bob, owner } = crew;
    for (const denier of [bob, alice]) {
      const { session, asked, again } = await asking(crew);
      await answer(alice, asked, "approve");
      const denied = await answer(denier, asked, "deny", { reason: { preset: "suspicious" } });
      expect(denied.json).toMatchObject({
        tap: "decided",
        approval: { status: "denied", decided_by: { member: denier.member }, grant: null },
      });
      expect(await bodies(crew, session, "approval_decided")).toMatchObject([
        { outcome: "denied", by: denier.member, preset: "suspicious" },
      ]);
      expect((await answer(owner, asked, "approve")).json.tap).toBe("late");
      expect((await lastRow(tenant, session)).body).toMatchObject({ code: "late-tap", stands: "denied" });
      const blocked = await again();
      expect(blocked.json.verdict).toBe("block");
      expect((await rowOf(tenant, session, blocked)).body.approval.did).toBe("refused");
    }
  });

  it("are demanded for the classes that say so, and the most of all rows counts", async ({ expect }) => {
    const crew = await newCrew({
      demands: [
        { risks: ["WRITE", "DELETE"], people: 2 },
        { risks: ["DELETE"], people: 3, signed_in: true },
        { risks: ["FINANCIAL"], people: 5, passkey: true },
      ],
    });
    const wanted: [string, object][] = [
      ["git push origin main", { people: 1, signed_in: false, passkey: false }],
      [COMMAND, { people: 2, signed_in: false, passkey: false }],
      ["rm report.txt", { people: 3, signed_in: true, passkey: false }],
    ];
    for (const [command, demand] of wanted) {
      const { asked } = await asking(crew, command);
      expect((await standing(crew.tenant, asked)).demand, command).toEqual(demand);
    }
  });

  it("are two members: nobody is counted who may not decide", async ({ expect }) => {
    const crew = await newCrew(TWO);
    const { tenant, alice } = crew;
    const { session, asked, linked } = await asking(crew);
    await answer(alice, asked, "approve");
    const viewer = await newMember(tenant, "viewer");
    const refused = await answer(viewer, asked, "approve");
    expect(refused.json).toMatchObject({ code: "forbidden", status: 403 });
    expect((await lastRow(tenant)).body).toMatchObject({ code: "forbidden", member: viewer.member });
    // A link that names them, made and signed by ourselves, does not help either.
    const link = await linkOf(linked, { member: viewer.member });
    expect((await approveWith(link, linked)).status).toBe(403);
    expect((await lastRow(tenant, session)).body).toMatchObject({ code: "forbidden", member: viewer.member });
    // Nor does somebody of another organization.
    const stranger = await newCrew();
    expect((await answer(stranger.alice, asked, "approve")).status).toBe(404);
    expect(await standing(tenant, asked)).toMatchObject({ status: "pending", approvals: 1 });
  });
});

describe("a demand that the approver is signed in", () => {
  const SIGNED_IN = { demands: [{ risks: ["WRITE"], signed_in: true }] };

  it("is not met by a link alone, and is by its holder's own session", async ({ expect }) => {
    const crew = await newCrew(SIGNED_IN);
    const { tenant, alice, bob } = crew;
    const { session, asked, linked, again } = await asking(crew);
    const link = await linkOf(linked, { member: alice.member });
    const refused = await approveWith(link, linked);
    expect(refused.status).toBe(403);
    expect((await lastRow(tenant, session)).body).toMatchObject({
      code: "sign-in-demanded",
      by: alice.member,
      signed_in: false,
      wanted: "approve",
    });
    const borrowed = await approveWith(link, linked, { cookie: bob.cookie });
    expect(borrowed.status).toBe(403);
    expect((await lastRow(tenant, session)).body.code).toBe("link-somebody-else");
    expect(await standing(tenant, asked)).toMatchObject({ status: "pending", approvals: 0 });
    const own = await approveWith(link, linked, { cookie: alice.cookie, headers: SAME_SITE });
    expect(own.headers.get("location"), own.text).toBe(link);
    expect(await bodies(crew, session, "approval_decided")).toMatchObject([
      { outcome: "approved", by: alice.member, via: "link", signed_in: true },
    ]);
    expect((await again()).json.verdict).toBe("allow");
  });

  it("is met by whoever answers over the API, and no no needs it", async ({ expect }) => {
    const crew = await newCrew(SIGNED_IN);
    const { tenant, alice, bob } = crew;
    const first = await asking(crew);
    expect((await answer(bob, first.asked, "approve")).json.tap).toBe("decided");
    expect(await bodies(crew, first.session, "approval_decided")).toMatchObject([
      { outcome: "approved", by: bob.member, via: "session", signed_in: true },
    ]);
    const second = await asking(crew);
    const link = await linkOf(second.linked, { member: alice.member });
    const denied = await press(link, { decision: "deny", action_digest: second.linked.digest });
    expect(denied.headers.get("location")).toBe(link);
    expect((await lastRow(tenant, second.session)).body).toMatchObject({
      outcome: "denied",
      by: alice.member,
      signed_in: false,
    });
  });
});

describe("a demand of a passkey", () => {
  it("is met by no session, no link and no made-up assertion", async ({ expect }) => {
    const crew = await newCrew({ demands: [{ risks: ["WRITE"], passkey: true }] });
    const { tenant, alice } = crew;
    const { session, asked, linked } = await asking(crew);
    const link = await linkOf(linked, { member: alice.member });
    const tries: [string, () => Promise<Answer>][] = [
      ["session", () => answer(alice, asked, "approve")],
      ["made up", () => answer(alice, asked, "approve", { passkey: { id: "x", type: "public-key" } })],
      ["link", () => approveWith(link, linked)],
      ["both", () => approveWith(link, linked, { cookie: alice.cookie })],
    ];
    for (const [what, attempt] of tries) {
      const before = (await rowsOf(tenant, session)).length + (await rowsOf(tenant)).length;
      const refused = await attempt();
      expect(refused.status, `${what}: ${refused.text}`).toBe(403);
      const after = (await rowsOf(tenant, session)).length + (await rowsOf(tenant)).length;
      expect(after, what).toBe(before + 1);
    }
    expect(await standing(tenant, asked)).toMatchObject({ status: "pending", approvals: 0 });
    expect(await rowsOf(tenant, session, "approval_vote")).toEqual([]);
    const denied = await answer(alice, asked, "deny");
    expect(denied.json.tap).toBe("decided");
    expect(await bodies(crew, session, "approval_decided")).toMatchObject([{ outcome: "denied" }]);
  });
});

describe("whoever may decide", () => {
  it("are approvers, admins and owners, and nobody who was removed", async ({ expect }) => {
    const crew = await newCrew();
    const { tenant } = crew;
    const admin = await newMember(tenant, "admin");
    for (const by of [crew.alice, admin, crew.owner] satisfies Person[]) {
      const { session, asked } = await asking(crew);
      expect((await answer(by, asked, "approve")).json.tap).toBe("decided");
      expect(await bodies(crew, session, "approval_decided")).toMatchObject([
        { outcome: "approved", by: by.member },
      ]);
    }
    const { session, asked, linked } = await asking(crew);
    const link = await linkOf(linked, { member: crew.bob.member });
    const removed = await send(`/v1/members/${crew.bob.member}`, {
      method: "DELETE",
      cookie: tenant.cookie,
    });
    expect(removed.status, removed.text).toBeLessThan(300);
    expect((await answer(crew.bob, asked, "approve")).status).toBe(401);
    expect((await approveWith(link, linked)).status).toBe(404);
    expect((await lastRow(tenant, session)).body).toMatchObject({
      code: "link-member-removed",
      member: crew.bob.member,
    });
    expect((await standing(tenant, asked)).status).toBe("pending");
  });
});
