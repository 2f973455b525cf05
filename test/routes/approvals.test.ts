/** `POST /v1/approvals/{approval_id}/decision`: whose answer counts, for what, and once. */
import { describe, it } from "vitest";
import { must, newMember, send, shell } from "../support/api.ts";
import { ask, decide, inSession, newAsking, ofOrganization } from "../support/approvals.ts";

describe("a decision", () => {
  it("is the signed-in member's, counts once, and is told to whoever comes later", async ({ expect }) => {
    const tenant = await newAsking();
    const [first, second] = [await newMember(tenant, "approver"), await newMember(tenant, "approver")];
    const asked = await ask(tenant);
    const approved = await decide(asked, "approve", first.cookie);
    expect(approved.status, approved.text).toBe(200);
    expect(approved.json).toMatchObject({
      tap: "decided",
      approval: {
        id: asked.id,
        status: "approved",
        grant: "live",
        approvals: 1,
        decided_by: { member: first.member, via: "session" },
      },
    });
    expect(approved.text).not.toMatch(/"(?:root|origin|args)"/);
    const late = await decide(asked, "deny", second.cookie, { reason: { preset: "not-now" } });
    expect(late.json).toMatchObject({
      tap: "late",
      approval: { status: "approved", reason: null, decided_by: { member: first.member } },
    });
    const rows = await inSession(tenant, asked.session);
    expect(rows.filter(({ kind }) => kind === "approval_decided")).toMatchObject([
      { approval: asked.id, outcome: "approved", by: first.member, via: "session" },
    ]);
    expect(rows.at(-1)).toMatchObject({
      kind: "refusal",
      code: "late-tap",
      by: second.member,
      wanted: "deny",
    });
  });

  it("takes who answers from the session and never from the body", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const asked = await ask(tenant);
    for (const forged of [
      { by: tenant.owner },
      { member: tenant.owner },
      { approver: tenant.owner },
      { decided_by: { member: tenant.owner, via: "session" } },
      { via: "link" },
      { signed_in: true },
      { organization: tenant.organization },
    ]) {
      const refused = await decide(asked, "approve", cookie, forged);
      expect(refused.status, refused.text).toBe(422);
      const [name] = Object.keys(forged);
      expect(refused.json.errors[0]).toMatchObject({ pointer: `/${name}`, code: "unknown-member" });
      expect((await ofOrganization(tenant)).at(-1)).toMatchObject({
        kind: "refusal",
        code: "invalid-request",
        member,
      });
    }
    expect((await decide(asked, "approve", cookie)).json.approval.decided_by).toEqual({
      member,
      via: "session",
    });
  });

  it("is not an agent's, nor a viewer's, and each try leaves a row", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const viewer = await newMember(tenant, "viewer");
    const paths = [
      [`/v1/approvals/${asked.id}/decision`, { decision: "approve", action_digest: asked.digest }],
      [`/v1/approvals/${asked.id}/extension`, undefined],
      [`/v1/approvals/${asked.id}/links`, undefined],
      ["/v1/approvals/denials", { approvals: [asked.id] }],
    ] as const;
    for (const [path, json] of paths)
      for (const who of [{ key: tenant.key }, { cookie: viewer.cookie }]) {
        const refused = await send(path, { method: "POST", ...who, ...(json === undefined ? {} : { json }) });
        expect(refused.status, path).toBe(403);
        expect((await ofOrganization(tenant)).at(-1)).toMatchObject({
          kind: "refusal",
          code: "forbidden",
          ...("key" in who
            ? { agent: tenant.agent, key: tenant.key_id, member: null }
            : { agent: null, member: viewer.member }),
        });
      }
    const report = await send("/v1/approvals/report", {
      cookie: (await newMember(tenant, "approver")).cookie,
    });
    expect(report.json.code).toBe("forbidden");
    expect((await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.status).toBe(
      "pending",
    );
  });

  it("is for the action that was shown, and says why it was denied", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const wrong = await decide({ ...asked, digest: "0".repeat(64) }, "approve", tenant.cookie);
    expect(wrong.json).toMatchObject({ code: "digest-mismatch", status: 409 });
    expect((await inSession(tenant, asked.session)).at(-1)).toMatchObject({
      kind: "refusal",
      code: "digest-mismatch",
      by: tenant.owner,
    });
    const before = (await ofOrganization(tenant)).length;
    const odd = await decide(asked, "approve", tenant.cookie, { reason: { preset: "not-now" } });
    expect(odd.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/reason" }] });
    const edited = await decide(asked, "deny", tenant.cookie, { reason: { preset: "edited" } });
    expect(edited.json.errors[0].pointer).toBe("/reason/preset");
    const long = await decide(asked, "deny", tenant.cookie, { reason: { text: "é".repeat(501) } });
    expect(long.json.errors[0].pointer).toBe("/reason/text");
    expect((await ofOrganization(tenant)).length, "one row each, and none twice").toBe(before + 3);
    const text = `${"é".repeat(498)}\u{1f600}!`;
    const denied = await decide(asked, "deny", tenant.cookie, {
      reason: { preset: "wrong-target", text: ` ${text}\n` },
    });
    expect(denied.json.approval).toMatchObject({
      status: "denied",
      grant: null,
      reason: { preset: "wrong-target", text },
    });
    const again = await shell(tenant, asked.session, "git push origin main");
    expect(again.json.reasons[0].message).toContain("the target is wrong");
  });

  it("asks two people where two are demanded, and one of them twice is one", async ({ expect }) => {
    const tenant = await newAsking({
      demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], people: 2 }],
    });
    const other = await newMember(tenant, "approver");
    const asked = await ask(tenant);
    expect((await decide(asked, "approve", tenant.cookie)).json).toMatchObject({
      tap: "counted",
      approval: { status: "pending", approvals: 1, demand: { people: 2 }, decided_by: null },
    });
    expect((await decide(asked, "approve", tenant.cookie)).json).toMatchObject({
      tap: "counted",
      approval: { approvals: 1, status: "pending" },
    });
    expect((await decide(asked, "approve", other.cookie)).json).toMatchObject({
      tap: "decided",
      approval: { status: "approved", approvals: 2 },
    });
  });

  it("takes no made-up passkey for one", async ({ expect }) => {
    const tenant = await newAsking({
      demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], passkey: true }],
    });
    const asked = await ask(tenant);
    for (const more of [{}, { passkey: { id: "x" } }, { passkey: "yes" }, { passkey: true }]) {
      const refused = await decide(asked, "approve", tenant.cookie, more);
      expect(refused.json, JSON.stringify(more)).toMatchObject({ code: "passkey-demanded", status: 403 });
    }
    expect((await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.status).toBe(
      "pending",
    );
    expect((await decide(asked, "deny", tenant.cookie)).json.approval.status).toBe("denied");
  });
});

describe("an edit", () => {
  it("puts another action in place, which runs once, and what was asked does not", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const asked = await ask(tenant, "git push origin main");
    const args = { command: "git push origin review" };
    const edited = await decide(asked, "approve", cookie, { args });
    expect(edited.status, edited.text).toBe(200);
    expect(edited.json).toMatchObject({
      tap: "decided",
      approval: { status: "approved", grant: "live", edit_of: asked.id, decided_by: { member } },
      replaced: {
        id: asked.id,
        status: "denied",
        grant: null,
        replaced_by: edited.json.approval.id,
        reason: { preset: "edited" },
        edited: { tool: "terminal", args },
      },
    });
    expect(edited.json.approval.action_digest).not.toBe(asked.digest);
    expect(
      (await inSession(tenant, asked.session)).filter(({ kind }) => kind === "approval_edited"),
    ).toMatchObject([{ approval: asked.id, by: member, replaced_by: edited.json.approval.id }]);
    expect((await shell(tenant, asked.session, "git push origin main")).json.verdict).toBe("block");
    expect((await shell(tenant, asked.session, args.command)).json.verdict).toBe("allow");
    const late = await decide(asked, "approve", tenant.cookie, { args: { command: "ls" } });
    expect(late.json).toMatchObject({
      tap: "late",
      approval: { id: asked.id, status: "denied" },
      replaced: null,
    });
  });

  it("is refused where it is none, was not of what was shown, or is blocked", async ({ expect }) => {
    const tenant = await newAsking();
    await must("/v1/oath", {
      method: "PUT",
      cookie: tenant.cookie,
      headers: { "if-match": '"0"' },
      json: { text: "never delete: ~/notes/**" },
    });
    const asked = await ask(tenant);
    for (const [sent, code, where] of [
      [{ args: { command: "git push origin main" } }, "conflict", "unchanged"],
      [{ args: { command: "rm -rf ~/notes" } }, "approval-blocked", "edit-blocked"],
      [{ args: null }, "approval-blocked", "edit-blocked"],
      [{ args: "ls" }, "approval-blocked", "edit-blocked"],
    ] as const) {
      const refused = await decide(asked, "approve", tenant.cookie, sent);
      expect(refused.json, JSON.stringify(sent)).toMatchObject({ code, status: 409 });
      expect((await inSession(tenant, asked.session)).at(-1)).toMatchObject({ kind: "refusal", code: where });
    }
    for (const [sent, pointer] of [
      [{ args: {}, passkey: { id: "x" } }, "/passkey"],
      [{ args: {}, reason: { preset: "other" } }, "/reason"],
    ] as const)
      expect((await decide(asked, "approve", tenant.cookie, sent)).json.errors[0].pointer).toBe(pointer);
    expect((await decide(asked, "deny", tenant.cookie, { args: {} })).json.errors[0].pointer).toBe("/args");
    const other = { ...asked, digest: "0".repeat(64) };
    const stale = await decide(other, "approve", tenant.cookie, { args: { command: "git push origin x" } });
    expect(stale.json).toMatchObject({ code: "digest-mismatch", status: 409 });
    expect((await ofOrganization(tenant)).at(-1)).toMatchObject({
      code: "digest-mismatch",
      member: tenant.owner,
    });
    expect((await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.status).toBe(
      "pending",
    );
  });
});

describe("another organization's approval", () => {
  it("is not there, whatever is asked of it, and each try leaves a row with whoever asked", async ({
    expect,
  }) => {
    const [tenant, stranger] = [await newAsking(), await newAsking()];
    const asked = await ask(tenant);
    const own = await ask(stranger);
    const tries = [
      () => send(`/v1/approvals/${asked.id}`, { cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}?shown=true`, { cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}?wait=1`, { key: stranger.key }),
      () => decide(asked, "approve", stranger.cookie),
      () => decide(asked, "approve", stranger.cookie, { args: { command: "ls" } }),
      () => send(`/v1/approvals/${asked.id}/extension`, { method: "POST", cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}/links`, { method: "POST", cookie: stranger.cookie }),
    ];
    for (const attempt of tries) {
      const before = (await ofOrganization(stranger)).length;
      const refused = await attempt();
      expect(refused.status, refused.text).toBe(404);
      expect(refused.json.code).toBe("not-found");
      expect(refused.text).not.toContain(tenant.organization);
      const rows = await ofOrganization(stranger);
      expect(rows.length).toBe(before + 1);
      expect(rows.at(-1)).toMatchObject({ kind: "refusal", code: "not-found" });
    }
    const several = await must("/v1/approvals/denials", {
      cookie: stranger.cookie,
      json: { approvals: [asked.id, own.id] },
    });
    expect(several.json.denials).toMatchObject([
      { approval: asked.id, result: "refused", code: "not-found", status: null },
      { approval: own.id, result: "denied", code: null, status: "denied" },
    ]);
    expect((await ofOrganization(stranger)).at(-1)).toMatchObject({ kind: "refusal", code: "not-found" });
    expect((await must("/v1/approvals", { cookie: stranger.cookie })).text).not.toContain(asked.id);
    expect((await must(`/v1/approvals/${asked.id}`, { cookie: tenant.cookie })).json.approval.status).toBe(
      "pending",
    );
  });
});
