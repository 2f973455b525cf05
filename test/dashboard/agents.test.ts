import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { ledgerOf, must, newMember, newSession, newTenant, shell } from "../support/api.ts";
import { FROM_ELSEWHERE, open, post } from "./support.ts";

const KEY = /cs_live_[0-9A-Za-z]{60}/;

describe("agents and their keys", () => {
  it("registers an agent, makes a key that works, and shows it once", async ({ expect }) => {
    const tenant = await newTenant();
    const made = await post("/agents", tenant.cookie, { name: "  cleaner  " });
    expect(made.status).toBe(303);
    const path = made.headers.get("location") ?? "";
    expect((await open(path, tenant.cookie)).text).toContain("cleaner");
    const shown = await post(`${path}/keys`, tenant.cookie, { name: "laptop", scope: ["ask", "turns"] });
    expect(shown.status).toBe(201);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    const key = KEY.exec(shown.text)?.[0] ?? "";
    expect(shown.text.match(new RegExp(KEY, "g")), "in one place").toHaveLength(1);
    const agent = path.split("/").at(-1) ?? "";
    const session = await newSession({ ...tenant, agent, key });
    expect((await shell({ ...tenant, key }, session, "ls")).status).toBe(200);
    for (const again of [path, "/agents", "/"])
      expect((await open(again, tenant.cookie)).text).not.toMatch(KEY);
    expect((await open(path, tenant.cookie)).text).toContain("ask, turns");
  });

  it("shows a key that is on record, although the database cannot be written", async ({ expect }) => {
    const tenant = await newTenant();
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1 is away"));
    const shown = await post(`/agents/${tenant.agent}/keys`, tenant.cookie, { name: "early", scope: "ask" });
    batch.mockRestore();
    expect(shown.status).toBe(201);
    expect(shown.text).toMatch(KEY);
    expect(shown.text).toContain("It does not work yet");
  });

  it("revokes a key at once, and another organization's never", async ({ expect }) => {
    const tenant = await newTenant();
    const other = await newTenant();
    const path = `/agents/${tenant.agent}/keys/${tenant.key_id}/revoke`;
    const session = await newSession(tenant);
    expect((await post(path, other.cookie, {})).status).toBe(404);
    expect((await shell(tenant, session, "ls")).status).toBe(200);
    expect((await post(path, tenant.cookie, {})).status).toBe(303);
    expect((await shell(tenant, session, "ls")).status).toBe(401);
    expect((await open(`/agents/${tenant.agent}`, tenant.cookie)).text).toContain("Revoked");
  });

  it("finds nothing of another organization", async ({ expect }) => {
    const tenant = await newTenant();
    const other = await newTenant();
    const before = (await ledgerOf(tenant)).length;
    expect((await open(`/agents/${other.agent}`, tenant.cookie)).status).toBe(404);
    const key = { name: "x", scope: "ask" };
    expect((await post(`/agents/${other.agent}/keys`, tenant.cookie, key)).status).toBe(404);
    expect((await post(`/members/${other.owner}/remove`, tenant.cookie, {})).status).toBe(404);
    expect((await post(`/members/${other.owner}/link`, tenant.cookie, {})).status).toBe(404);
    expect((await ledgerOf(tenant)).slice(before).map(({ body }) => body.code)).toEqual(
      Array.from({ length: 4 }, () => "not-found"),
    );
    expect((await open("/agents", tenant.cookie)).text).not.toContain(other.agent);
  });

  it("gives the form back with what was typed", async ({ expect }) => {
    const tenant = await newTenant();
    await post("/agents", tenant.cookie, { name: "taken" });
    const twice = await post("/agents", tenant.cookie, { name: "taken" });
    expect(twice.status).toBe(409);
    expect(twice.text).toContain('value="taken"');
    expect(twice.text).toContain("An agent of this name exists");
    const hostile = await post("/agents", tenant.cookie, { name: '"><script>alert(1)</script>\u202e' });
    expect(hostile.status).toBe(422);
    expect(hostile.text).not.toContain("<script>alert");
    const none = await post(`/agents/${tenant.agent}/keys`, tenant.cookie, { name: "no scope" });
    expect(none.status).toBe(422);
    expect(none.text).toContain('value="no scope"');
    expect(none.text).toContain("Choose at least one");
    expect((await post("/agents", tenant.cookie, { name: "x".repeat(20_000) })).status).toBe(413);
  });

  it("is for admins, says whom to ask, and leaves the refusal on record", async ({ expect }) => {
    const tenant = await newTenant();
    const admin = await newMember(tenant, "admin");
    for (const role of ["viewer", "approver"]) {
      const { member, cookie } = await newMember(tenant, role);
      const page = await open(`/agents/${tenant.agent}`, cookie);
      expect(page.text).not.toContain(tenant.key_id);
      for (const [path, operation] of [
        ["/agents", "createAgent"],
        [`/agents/${tenant.agent}/keys`, "createKey"],
        [`/agents/${tenant.agent}/keys/${tenant.key_id}/revoke`, "revokeKey"],
      ] as const) {
        const refused = await post(path, cookie, { name: "x", scope: "ask" });
        expect(refused.status).toBe(403);
        expect(refused.text).toContain("Only an admin or higher can");
        expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ operation, code: "forbidden", member });
      }
    }
    expect((await post("/agents", admin.cookie, { name: "by admin" })).status).toBe(303);
    expect((await post("/agents", admin.cookie, { name: "y" }, FROM_ELSEWHERE)).status).toBe(403);
  });
});

describe("members", () => {
  it("are added with a way in, changed and removed by an owner", async ({ expect }) => {
    const tenant = await newTenant();
    const added = await post("/members", tenant.cookie, { name: "Omar", role: "admin" });
    expect(added.status).toBe(201);
    expect(added.headers.get("cache-control")).toBe("no-store");
    const link = /cs_link_[0-9A-Za-z]{60}/.exec(added.text)?.[0] ?? "";
    const signed = await post("/sign-in", undefined, { link });
    const cookie = (signed.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect((await open("/", cookie)).text).toContain("Omar");
    const { members } = (await must("/v1/members", { cookie: tenant.cookie })).json;
    const { member } = members.find((one: { name: string }) => one.name === "Omar");
    expect((await open(`/members/${member}`, tenant.cookie)).status).toBe(200);
    expect((await post(`/members/${member}/role`, tenant.cookie, { role: "viewer" })).status).toBe(303);
    expect((await post("/agents", cookie, { name: "x" })).status).toBe(403);
    expect((await post(`/members/${member}/remove`, tenant.cookie, {})).status).toBe(303);
    expect((await open("/", cookie)).status).toBe(303);
  });

  it("keep their last owner", async ({ expect }) => {
    const tenant = await newTenant();
    const page = await post(`/members/${tenant.owner}/role`, tenant.cookie, { role: "viewer" });
    expect(page.status).toBe(409);
    expect(page.text).toContain("This is the last owner");
  });

  it("are changed by owners only", async ({ expect }) => {
    const tenant = await newTenant();
    const { member, cookie } = await newMember(tenant, "admin");
    for (const path of [
      "/members",
      `/members/${member}/role`,
      `/members/${member}/link`,
      `/members/${member}/remove`,
    ]) {
      expect((await post(path, cookie, { name: "x", role: "owner" })).status, path).toBe(403);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "forbidden", member });
    }
    expect((await open("/members", cookie)).status).toBe(200);
  });
});
