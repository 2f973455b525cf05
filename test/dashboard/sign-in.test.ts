import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { ledgerOf, must, newMember, newTenant, OPERATOR, send, type Tenant } from "../support/api.ts";
import { FROM_ELSEWHERE, open, post } from "./support.ts";

async function newLink(tenant: Tenant, member = tenant.owner): Promise<string> {
  const made = await must(`/v1/organizations/${tenant.organization}/members/${member}/sign-in-links`, {
    method: "POST",
    key: OPERATOR,
  });
  return new URL(made.json.url).searchParams.get("link") ?? "";
}

async function refusals(tenant: Tenant, operation: string) {
  return (await ledgerOf(tenant)).filter(
    ({ entry, body }) => entry.kind === "refusal" && body.operation === operation,
  );
}

describe("signing in", () => {
  it("shows a page that changes nothing, however often and by whatever method it is opened", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const link = await newLink(tenant);
    for (const method of ["GET", "HEAD", "GET", "OPTIONS"]) {
      const page = await send(`/sign-in?link=${link}`, { method });
      expect(page.headers.get("set-cookie")).toBeNull();
    }
    const page = await open(`/sign-in?link=${link}`);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    expect(page.text.match(/<form/g)).toHaveLength(1);
    expect((await post("/sign-in", undefined, { link })).status, "the link is still good").toBe(303);
  });

  it("takes a link that is pasted whole, as an app without an address bar has to", async ({ expect }) => {
    const tenant = await newTenant();
    const page = await open("/sign-in");
    expect(page.text).toMatch(/<input[^>]*name="link"[^>]*type="text"/);
    const whole = `  https://countersign.test/sign-in?link=${await newLink(tenant)}\n`;
    const answer = await post("/sign-in", undefined, { link: whole });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    expect((await post("/sign-in", undefined, { link: whole })).status).toBe(401);
    for (const link of ["https://countersign.test/sign-in", "https://x/?link=", "x:y", "http://[::1"])
      expect((await post("/sign-in", undefined, { link })).status, link).toBe(401);
  });

  it("gives one cookie to a hundred who send the same link at once", async ({ expect }) => {
    const tenant = await newTenant();
    const link = await newLink(tenant);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => post("/sign-in", undefined, { link })),
    );
    expect(answers.filter((answer) => answer.headers.get("set-cookie") !== null)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(99);
    expect(await refusals(tenant, "signIn"), "each refusal left its row").toHaveLength(99);
  });

  it("sets a cookie that only this host gets, over TLS only, and no script reads", async ({ expect }) => {
    const tenant = await newTenant();
    const answer = await post("/sign-in", undefined, { link: await newLink(tenant) });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-countersign=cs_mses_[0-9A-Za-z]{60};/);
    for (const part of ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=43200"])
      expect(cookie).toContain(part);
    expect(cookie).not.toContain("Domain");
    expect(answer.headers.get("location")).toBe("/");
  });

  it("refuses a link that another site sends, and the organization sees it", async ({ expect }) => {
    const tenant = await newTenant();
    const link = await newLink(tenant);
    const answer = await post("/sign-in", undefined, { link }, FROM_ELSEWHERE);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await refusals(tenant, "signIn")).toHaveLength(1);
    expect((await post("/sign-in", undefined, { link })).status, "it was not spent").toBe(303);
  });

  it("records a forged link under the organization whose link it names", async ({ expect }) => {
    const tenant = await newTenant();
    const link = await newLink(tenant);
    const forged = link.slice(0, -1) + (link.endsWith("A") ? "B" : "A");
    const answer = await post("/sign-in", undefined, { link: forged });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("This link is not known");
    const [row] = await refusals(tenant, "signIn");
    expect(row?.body).toMatchObject({ code: "unauthenticated", member: null });
  });

  it("gives no way back in to a member who was removed", async ({ expect }) => {
    const tenant = await newTenant();
    const { member } = await newMember(tenant, "viewer");
    const link = await newLink(tenant, member);
    await must(`/v1/members/${member}`, { method: "DELETE", cookie: tenant.cookie });
    const answer = await post("/sign-in", undefined, { link });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "signed_in")).toHaveLength(2);
  });

  it("signs in although the record cannot be copied, and gives a link back that brought nobody in", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const first = await newLink(tenant);
    const batch = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1 is away"));
    const copied = await post("/sign-in", undefined, { link: first }).finally(() => batch.mockRestore());
    expect(copied.status).toBe(303);
    const link = await newLink(tenant);
    const objects = vi.spyOn(env.SESSION, "getByName").mockImplementation(() => {
      throw new Error("no object answers");
    });
    const failed = await post("/sign-in", undefined, { link });
    objects.mockRestore();
    expect(failed.status).toBe(500);
    expect(failed.headers.get("set-cookie")).toBeNull();
    expect((await post("/sign-in", undefined, { link })).status).toBe(303);
  });

  it("tells whoever comes without a link how to get one, and sends strangers there", async ({ expect }) => {
    for (const path of ["/sign-in", "/sign-in?link=cs_link_short", "/sign-in?link=%00"]) {
      const page = await open(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain("How to get a link");
      expect(page.text).not.toMatch(/<form(?![^>]*action="\/sign-in")/);
    }
    for (const path of [
      "/",
      "/oath",
      "/tools",
      "/tools/reading",
      "/agents",
      "/members",
      "/decision?chain=x&seq=1",
    ]) {
      const page = await open(path);
      expect([page.status, page.headers.get("location")]).toEqual([303, "/sign-in"]);
    }
    expect((await open("/decisions/latest")).status, "a script is told by the status").toBe(401);
  });

  it("signs out: the cookie goes, and what was kept of it is worth nothing", async ({ expect }) => {
    const tenant = await newTenant();
    const elsewhere = await post("/sign-out", tenant.cookie, {}, FROM_ELSEWHERE);
    expect(elsewhere.status).toBe(403);
    expect((await open("/", tenant.cookie)).status).toBe(200);
    const answer = await post("/sign-out", tenant.cookie, {});
    expect(answer.status).toBe(303);
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-countersign=;.*Max-Age=0/);
    expect((await open("/", tenant.cookie)).status).toBe(303);
  });

  it("knows who is signed in already", async ({ expect }) => {
    const tenant = await newTenant();
    expect((await open("/sign-in", tenant.cookie)).text).toContain("You are signed in");
  });
});
