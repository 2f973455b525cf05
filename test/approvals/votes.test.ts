/** Where several people have to approve: whose votes count when the last of them comes. */
import { describe, it } from "vitest";
import { must, newMember, newSession, shell } from "../support/api.ts";
import { answer, lastRow, newCrew, rowsOf, standing } from "./support.ts";

const DEMANDS = { demands: [{ risks: ["DELETE"], people: 2 }] };

describe("a vote", () => {
  it("counts no longer once its voter is removed or may not approve any more", async ({ expect }) => {
    for (const leave of ["removed", "demoted"] as const) {
      const { tenant, owner, alice, bob } = await newCrew(DEMANDS);
      const session = await newSession(tenant);
      const asked = await shell(tenant, session, "rm -rf build", { call_id: "first" });
      expect((await answer(alice, asked, "approve")).json.tap).toBe("counted");
      const path = `/v1/members/${alice.member}`;
      if (leave === "removed") await must(path, { method: "DELETE", cookie: owner.cookie });
      else await must(path, { method: "PATCH", cookie: owner.cookie, json: { role: "viewer" } });

      const second = await answer(bob, asked, "approve");
      expect(second.json, second.text).toMatchObject({
        tap: "counted",
        approval: { status: "pending", approvals: 1 },
      });
      expect((await lastRow(tenant, session)).body).toMatchObject({
        by: bob.member,
        approvals: 1,
        people: 2,
        no_longer: [alice.member],
      });
      expect((await shell(tenant, session, "rm -rf build", { call_id: "first" })).json.verdict).toBe("ask");

      expect((await answer(owner, asked, "approve")).json.tap).toBe("decided");
      const [decided] = await rowsOf(tenant, session, "approval_decided");
      expect(decided?.body.approved_by).toEqual([bob.member, owner.member]);
    }
  });

  it("of who lost the role and has it again is given anew", async ({ expect }) => {
    const { tenant, owner, alice, bob } = await newCrew({ demands: [{ risks: ["DELETE"], people: 3 }] });
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, "rm -rf build");
    await answer(alice, asked, "approve");
    const path = `/v1/members/${alice.member}`;
    await must(path, { method: "PATCH", cookie: owner.cookie, json: { role: "viewer" } });
    await answer(bob, asked, "approve");
    await must(path, { method: "PATCH", cookie: owner.cookie, json: { role: "approver" } });
    expect((await answer(alice, asked, "approve")).json).toMatchObject({
      tap: "counted",
      approval: { approvals: 2 },
    });
    const carol = await newMember(tenant, "approver");
    expect((await answer(carol, asked, "approve")).json.tap).toBe("decided");
    expect((await standing(tenant, asked)).grant).toBe("live");
  });
});
