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

/** What the script puts into the form that removes a passkey, out of what the page holds for it. */
async function signedFor(path: string, cookie: string, credential: string, by: Authenticator) {
  const { text } = await open(path, cookie);
  const form = text.split("<form").find((one) => one.includes(`value="${credential}"`)) ?? "";
  const [, options = ""] = /data-passkey-options="([^"]+)"/.exec(form) ?? [];
  return JSON.stringify(await by.sign(JSON.parse(options.replaceAll("&quot;", '"'))));
}

describe("the page of passkeys", () => {
  it("adds one, shows it, and removes it once it has signed for that", async ({ expect }) => {
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
    const plain = await post("/passkeys/remove", cookie, { credential_id: device.id });
    expect(plain.status).toBe(403);
    expect(plain.text).toContain("You hold a passkey, so this takes a signature by one.");
    expect(plain.text).toContain("an owner can remove them for you");
    const passkey = await signedFor("/passkeys", cookie, device.id, device);
    const removed = await post("/passkeys/remove", cookie, { credential_id: device.id, passkey });
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

  it("adds a further one only with a signature by one that is held", async ({ expect }) => {
    const tenant = await newTenant();
    const { cookie } = await newMember(tenant, "approver");
    const first = await Authenticator.make(ORIGIN);
    await add(cookie, first, "First");
    const page = await open("/passkeys", cookie);
    expect(page.text).toContain("data-passkey-signed");
    const second = await Authenticator.make(ORIGIN);
    const refused = await add(cookie, second, "Second");
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("If you have lost them all");
    expect(refused.text).toContain('value="Second"');
    const json = { act: "add", credential_id: second.id };
    const { json: options } = await must("/v1/passkeys/confirmations", { cookie, json });
    const passkey = JSON.stringify(await first.sign(options));
    expect((await add(cookie, second, "Second", { passkey })).status).toBe(303);
    expect((await must("/v1/passkeys", { cookie })).json.passkeys).toHaveLength(2);
  });

  it("lets an owner remove another's, signed where they hold one themselves", async ({ expect }) => {
    const tenant = await newTenant();
    const { cookie, member } = await newMember(tenant, "approver");
    const [one, two] = [await Authenticator.make(ORIGIN), await Authenticator.make(ORIGIN)];
    await add(cookie, one, "Lost");
    const of = `/members/${member}/passkeys`;
    expect((await open(`/members/${member}`, tenant.cookie)).text).toContain(`href="${of}"`);
    const page = await open(of, tenant.cookie);
    expect(page.text).toContain("Lost");
    expect(page.text).not.toContain("data-passkey-options");
    expect((await open(of, cookie)).status).toBe(403);
    await add(tenant.cookie, two, "Owner's");
    const plain = await post(`${of}/remove`, tenant.cookie, { credential_id: one.id });
    expect(plain.status).toBe(403);
    expect(plain.text).toContain("Nothing was changed");
    const passkey = await signedFor(of, tenant.cookie, one.id, two);
    const removed = await post(`${of}/remove`, tenant.cookie, { credential_id: one.id, passkey });
    expect([removed.status, removed.headers.get("location")]).toEqual([303, `${of}?done=removed`]);
    expect((await open(`${of}?done=removed`, tenant.cookie)).text).toContain("They have none");
    expect((await open("/members/mem_nobody/passkeys", tenant.cookie)).status).toBe(404);
  });
});
