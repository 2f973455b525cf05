import { describe, it } from "vitest";
import { must, newMember, newTenant, ORIGIN } from "../support/api.ts";
import { Authenticator } from "../support/authenticator.ts";
import { open, post } from "./support.ts";

/** Adds a passkey as the script does: the options by the API, the rest by the form. */
async function add(cookie: string, device: Authenticator, name = "Phone", more: Record<string, string> = {}) {
  const { options, challenge } = (await must("/v1/passkeys/options", { method: "POST", cookie })).json;
  const response = JSON.stringify(await device.register(options));
  return post("/passkeys", cookie, { name, challenge, response, ...more });
}

describe("the page of passkeys", () => {
  it("adds one, shows it, and removes it by a plain form", async ({ expect }) => {
    const tenant = await newTenant();
    const { cookie } = await newMember(tenant, "approver");
    const empty = await open("/passkeys", cookie);
    expect(empty.text).toContain("You have none yet.");
    expect(empty.text).toContain("<noscript>");
    expect(empty.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(empty.headers.get("cache-control")).toBe("no-store");
    const device = await Authenticator.make(ORIGIN);
    const added = await add(cookie, device, "<b>Phone");
    expect([added.status, added.headers.get("location")]).toEqual([303, "/passkeys?done=added"]);
    const page = await open("/passkeys?done=added", cookie);
    expect(page.text).toContain("&lt;b&gt;Phone");
    expect(page.text).toContain("You can approve with it from now on.");
    expect(page.text).toContain("never");
    const removed = await post("/passkeys/remove", cookie, { credential_id: device.id });
    expect([removed.status, removed.headers.get("location")]).toEqual([303, "/passkeys?done=removed"]);
    expect((await open("/passkeys?done=removed", cookie)).text).toContain("You have none yet.");
    const again = await post("/passkeys/remove", cookie, { credential_id: device.id });
    expect(again.status).toBe(404);
    expect(again.text).toContain("There is no such passkey.");
  });

  it("gives a form back that makes none, with its name", async ({ expect }) => {
    const tenant = await newTenant();
    const { cookie } = await newMember(tenant, "approver");
    const device = await Authenticator.make(ORIGIN);
    const forms: [Record<string, string>, number, string][] = [
      [{ response: "" }, 422, "with JavaScript on"],
      [{ response: "{" }, 422, "with JavaScript on"],
      [{ challenge: "" }, 409, "Begin again"],
      [{ challenge: "x".repeat(3_000) }, 409, "Begin again"],
      [{ name: "" }, 422, "Write a name."],
      [{ name: "a\u202eb" }, 422, "must not hold control or invisible characters"],
    ];
    for (const [fields, status, text] of forms) {
      const answer = await add(cookie, device, "My phone", fields);
      expect(answer.status, answer.text).toBe(status);
      expect(answer.text).toContain(text);
      if (fields["name"] === undefined) expect(answer.text).toContain('value="My phone"');
    }
    expect((await must("/v1/passkeys", { cookie })).json.passkeys).toEqual([]);
  });

  it("shows nobody another member's, and lets a viewer add none", async ({ expect }) => {
    const tenant = await newTenant();
    const mine = await newMember(tenant, "approver");
    const device = await Authenticator.make(ORIGIN);
    await add(mine.cookie, device, "Mine alone");
    expect((await open("/passkeys", tenant.cookie)).text).not.toContain("Mine alone");
    expect((await post("/passkeys/remove", tenant.cookie, { credential_id: device.id })).status).toBe(404);
    const viewer = await newMember(tenant, "viewer");
    const page = await open("/passkeys", viewer.cookie);
    expect(page.text).toContain("Your role decides no approvals");
    expect(page.text).not.toContain("data-passkey-new");
    expect((await open("/passkeys")).headers.get("location")).toBe("/sign-in");
    expect((await open("/settings", viewer.cookie)).text).toContain('href="/passkeys"');
  });
});
