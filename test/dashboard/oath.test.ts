import { describe, it } from "vitest";
import { ledgerOf, must, newMember, newTenant, swear } from "../support/api.ts";
import { FROM_ELSEWHERE, fieldOf, open, post, textAreaOf } from "./support.ts";

describe("the oath's page", () => {
  it("swears what was typed, and reads it back numbered with who swore it", async ({ expect }) => {
    const tenant = await newTenant();
    const empty = await open("/oath", tenant.cookie);
    expect(fieldOf(empty.text, "expected")).toBe("0");
    const text = "# mine\r\nnever delete: ~/notes/**\r\n";
    const sworn = await post("/oath", tenant.cookie, { text, expected: "0", do: "swear" });
    expect([sworn.status, sworn.headers.get("location")]).toEqual([303, "/oath?sworn=1"]);
    const stored = (await must("/v1/oath", { cookie: tenant.cookie })).json;
    expect(stored.text, "line ends are those of the text, not of forms").toBe(
      "# mine\nnever delete: ~/notes/**\n",
    );
    const page = await open("/oath?sworn=1", tenant.cookie);
    expect(page.text).toContain("Sworn. Version 1 is in force.");
    expect(page.text).toContain('id="line-2"');
    expect(page.text).toContain("Olivia");
    expect((await open("/oath?sworn=7", tenant.cookie)).text).not.toContain("Sworn. Version");
  });

  it("checks without a trace, with the place of every error and the text as it was typed", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const text = "\nnever delte: ~/notes/**\nnever delete: ~/a</textarea><script>alert(1)</script>";
    const before = (await ledgerOf(tenant)).length;
    const page = await post("/oath", tenant.cookie, { text, expected: "0", do: "check" });
    expect(page.status).toBe(200);
    expect(page.text).toContain("Line 2, column 7:");
    expect(page.text).toMatch(/<mark>(<bdi dir="ltr">)?delte/);
    expect(textAreaOf(page.text)).toBe(text);
    expect(page.text).not.toContain("<script>alert");
    expect(await ledgerOf(tenant)).toHaveLength(before);
  });

  it("keeps the text when an oath with errors is to be sworn, and records the refusal", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const text = "never obliterate: ~/notes/**";
    const page = await post("/oath", tenant.cookie, { text, expected: "0", do: "swear" });
    expect(page.status).toBe(422);
    expect(textAreaOf(page.text)).toBe(text);
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "swearOath",
      code: "invalid-oath",
      member: tenant.owner,
    });
  });

  it("loses neither text when two owners swear at once", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/one/**");
    const mine = "never delete: ~/two/**\n# mine";
    await swear(tenant, "never delete: ~/theirs/**", 1);
    const page = await post("/oath", tenant.cookie, { text: mine, expected: "1", do: "swear" });
    expect(page.status).toBe(412);
    expect(page.text).toContain("Your text was not sworn");
    expect(textAreaOf(page.text)).toBe(mine);
    expect(page.text, "and what is in force now").toContain("~/theirs/**");
    expect(fieldOf(page.text, "expected")).toBe("2");
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "version-mismatch" });
    const again = await post("/oath", tenant.cookie, { text: mine, expected: "2", do: "swear" });
    expect(again.headers.get("location")).toBe("/oath?sworn=3");
  });

  it("asks before it swears an oath without a line", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/one/**");
    const slip = await post("/oath", tenant.cookie, { text: "# nothing", expected: "1", do: "swear" });
    expect(slip.text).toContain("This text swears nothing");
    expect((await must("/v1/oath", { cookie: tenant.cookie })).json.version).toBe(1);
    const meant = { text: "# nothing", expected: "1", do: "swear", empty: "yes" };
    expect((await post("/oath", tenant.cookie, meant)).status).toBe(303);
  });

  it("gives the text back when the session ended meanwhile", async ({ expect }) => {
    const page = await post("/oath", undefined, { text: "never delete: ~/x/**", expected: "1", do: "swear" });
    expect(page.status).toBe(401);
    expect(textAreaOf(page.text)).toBe("never delete: ~/x/**");
    expect((await post("/oath", undefined, { text: "x" }, FROM_ELSEWHERE)).status).toBe(403);
  });

  it("is an owner's to change, and says whom to ask", async ({ expect }) => {
    const tenant = await newTenant();
    for (const role of ["viewer", "approver", "admin"]) {
      const { member, cookie } = await newMember(tenant, role);
      expect((await open("/oath", cookie)).text).not.toContain("<textarea");
      const page = await post("/oath", cookie, { text: "", expected: "0", do: "swear" });
      expect(page.status).toBe(403);
      expect(page.text).toContain("Only an owner can swear an oath");
      expect(page.text).toContain("Olivia (owner)");
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
        operation: "swearOath",
        code: "forbidden",
        member,
      });
    }
  });

  it("refuses what another site sends in an owner's name, and records it", async ({ expect }) => {
    const tenant = await newTenant();
    const fields = { text: "# gone", expected: "0", do: "swear" };
    for (const headers of [
      FROM_ELSEWHERE,
      { origin: "https://elsewhere.example" },
      { "sec-fetch-site": "same-site" },
    ]) {
      const page = await post("/oath", tenant.cookie, fields, headers);
      expect(page.status).toBe(403);
      expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
        operation: "swearOath",
        code: "cross-site",
      });
    }
    expect((await must("/v1/oath", { cookie: tenant.cookie })).json.version).toBe(0);
  });

  it("shows every version, an agent's own oath, and nobody else's", async ({ expect }) => {
    const tenant = await newTenant();
    const other = await newTenant();
    await swear(tenant, "never delete: ~/first/**");
    await swear(tenant, "never delete: ~/second/**", 1);
    const old = await open("/oath?version=1", tenant.cookie);
    expect(old.text).toContain("~/first/**");
    expect(old.text).toContain("not in force");
    expect(old.text, "an old version is read, not changed").not.toContain("<textarea");
    const own = { agent: tenant.agent, text: "never delete: ~/own/**", expected: "0", do: "swear" };
    expect((await post("/oath", tenant.cookie, own)).headers.get("location")).toBe(
      `/oath?agent=${tenant.agent}&sworn=1`,
    );
    expect((await open(`/oath?agent=${tenant.agent}`, tenant.cookie)).text).toContain("~/own/**");
    for (const path of [
      "/oath?version=3",
      "/oath?version=x",
      `/oath?agent=${other.agent}`,
      "/oath?agent=agt_x",
    ])
      expect((await open(path, tenant.cookie)).status, path).toBe(404);
    const foreign = { ...own, agent: other.agent };
    expect((await post("/oath", tenant.cookie, foreign)).status).toBe(404);
  });

  it("says so when the oath does not block", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/first/**");
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { guard_mode: "observe" },
    });
    expect((await open("/oath", tenant.cookie)).text).toContain("The oath is only observed");
    expect((await open("/", tenant.cookie)).text).toContain("The oath is only observed");
  });

  it("takes an oath of the largest size, and gives back one that is too large", async ({ expect }) => {
    const tenant = await newTenant();
    const text = `# ${"é".repeat(1000)}\n`.repeat(32);
    expect((await post("/oath", tenant.cookie, { text, expected: "0", do: "swear" })).status).toBe(303);
    const large = await post("/oath", tenant.cookie, { text: text.repeat(2), expected: "1", do: "swear" });
    expect(large.status).toBe(422);
    expect(textAreaOf(large.text)).toBe(text.repeat(2));
  });
});
