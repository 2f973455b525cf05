import { describe, it } from "vitest";
import {
  ask,
  must,
  newMember,
  newSession,
  newTenant,
  openSession,
  report,
  type Tenant,
} from "../support/api.ts";
import { deliver, open, wordsOf } from "./support.ts";

const NAME = "deploy/<b>guide</b>\u202e";

/** SHA-256 of no text. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const tenantIn = (settings: object = {}): Promise<Tenant> =>
  newTenant("Skills", { engines: { fence: "off" }, ...settings });

async function write(
  tenant: Tenant,
  session: string,
  call: string,
  args: object,
  stored?: string,
): Promise<void> {
  await ask(tenant, session, {
    call_id: call,
    tool: "skill_manage",
    args: { name: NAME, ...args },
    ...(stored === undefined ? {} : { stored }),
  });
}

const pageOf = (tenant: Tenant, more: Record<string, string> = {}, cookie = tenant.cookie) =>
  open(`/agents/${tenant.agent}/skill?${new URLSearchParams({ name: NAME, ...more })}`, cookie);

describe("an agent's skills", () => {
  it("are listed, the latest first, and lead to their histories", async ({ expect }) => {
    const tenant = await tenantIn();
    const empty = await open(`/agents/${tenant.agent}/skills`, tenant.cookie);
    expect(empty.text).toContain("No skill was written yet");
    expect(empty.text).toContain(`href="/agents/${tenant.agent}"`);
    expect((await open(`/agents/${tenant.agent}`, tenant.cookie)).text).toContain(
      `href="/agents/${tenant.agent}/skills"`,
    );
    const session = await newSession(tenant);
    await write(tenant, session, "a", { action: "create", content: "one" }, "");
    await ask(tenant, session, {
      tool: "write_file",
      args: { path: "/home/u/.hermes/skills/second/SKILL.md", content: "x" },
    });
    await deliver(tenant, session);
    const page = await open(`/agents/${tenant.agent}/skills`, tenant.cookie);
    expect(page.text).toContain("&lt;b&gt;guide&lt;/b&gt;");
    expect(page.text).not.toMatch(/\u202e|<b>guide/u);
    expect(wordsOf(page.text)).toContain("second");
    const [own = ""] = /\/agents\/[^"/]+\/skill\?name=deploy[^"]+/.exec(page.text) ?? [];
    expect((await open(own, tenant.cookie)).status).toBe(200);
  });

  it("tell what each write replaced and left, whether it ran, and how it hangs on the last", async ({
    expect,
  }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    await write(tenant, session, "a", { action: "create", content: "one" }, "");
    await write(tenant, session, "b", { action: "edit", content: "two" }, "one");
    await report(tenant, session, { call_id: "b" });
    await write(tenant, session, "c", { action: "edit", content: "failed" }, "two");
    await report(tenant, session, { call_id: "c", outcome: "error" });
    await deliver(tenant, session);
    const page = await pageOf(tenant);
    const said = wordsOf(page.text);
    expect(said).toContain("Its history verifies");
    expect(said).toMatch(
      /did not run\nfailed[\s\S]*continues the last one\nran[\s\S]*first write on record\nlet through; its outcome was not reported/,
    );
    expect(page.text).toContain(`<code title="${EMPTY}">${EMPTY.slice(0, 10)}</code>`);
    expect(said).toContain(`SHA-256 before\n${EMPTY}`);
    expect(page.text).toContain(`href="/session?id=${encodeURIComponent(session).replaceAll("%20", "+")}"`);
    const [, decision = ""] = /href="(\/decision\?[^"]+)"/.exec(page.text) ?? [];
    const own = await open(decision.replaceAll("&amp;", "&"), tenant.cookie);
    expect(wordsOf(own.text)).toMatch(/A write to the skill deploy\/.*: edit SKILL\.md/);
    expect(own.text).toContain(`href="/agents/${tenant.agent}/skill?name=deploy`);
  });

  it("do not verify where a file was changed outside, or where a hash is missing", async ({ expect }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    await write(tenant, session, "a", { action: "create", content: "one" }, "");
    await write(tenant, session, "b", { action: "edit", content: "two" });
    await deliver(tenant, session);
    const unknown = wordsOf((await pageOf(tenant)).text);
    expect(unknown).toContain("Its history cannot be verified whole");
    expect(unknown).toContain("not known: a hash is missing");
    await write(tenant, session, "c", { action: "edit", content: "three" }, "two, and something else");
    await deliver(tenant, session);
    const broken = wordsOf((await pageOf(tenant)).text);
    expect(broken).toContain("Its history does not verify\nOne write found another text");
    expect(broken).toContain("Of one more a hash is missing.");
    expect(broken).toContain("changed outside before it");
  });

  it("are not said to verify where nothing ran", async ({ expect }) => {
    const tenant = await tenantIn({ engines: { fence: "off", provenance: "enforce" } });
    const session = await newSession(tenant);
    await write(tenant, session, "a", { action: "create", content: "User decided to ship." }, "");
    await deliver(tenant, session);
    const said = wordsOf((await pageOf(tenant)).text);
    expect(said).toContain("No write of it ran yet");
    expect(said).toContain("did not run\nrefused");
  });

  it("page through a long history", async ({ expect }) => {
    const tenant = await tenantIn();
    const session = await newSession(tenant);
    for (let n = 0; n < 53; n += 1)
      await write(
        tenant,
        session,
        `${n}`,
        { action: "edit", content: `text ${n}` },
        n === 0 ? "" : `text ${n - 1}`,
      );
    await deliver(tenant, session);
    const count = (text: string): number => text.split("Its decision").length - 1;
    const first = await pageOf(tenant);
    expect(count(first.text)).toBe(50);
    expect(wordsOf(first.text)).toContain("Its history verifies");
    expect(first.text).toContain("page=2");
    const second = await pageOf(tenant, { page: "2" });
    expect(count(second.text)).toBe(3);
    expect(wordsOf(second.text)).toContain("first write on record");
    expect((await pageOf(tenant, { page: "3" })).status).toBe(404);
    expect(count((await pageOf(tenant, { page: "x" })).text)).toBe(50);
  });

  it("are read by every member, and are not there for another organization", async ({ expect }) => {
    const tenant = await tenantIn();
    const other = await tenantIn();
    await openSession(tenant, "chat");
    await write(tenant, "chat", "a", { action: "create", content: "one" }, "");
    await deliver(tenant, "chat");
    for (const role of ["viewer", "approver"]) {
      const { cookie } = await newMember(tenant, role);
      expect((await pageOf(tenant, {}, cookie)).status).toBe(200);
      expect((await open(`/agents/${tenant.agent}/skills`, cookie)).status).toBe(200);
    }
    expect((await pageOf(tenant, {}, other.cookie)).status).toBe(404);
    expect((await open(`/agents/${tenant.agent}/skills`, other.cookie)).status).toBe(404);
    for (const name of ["none", "", "x".repeat(999)])
      expect((await pageOf(tenant, { name })).status).toBe(404);
    expect((await open(`/agents/${tenant.agent}/skills`)).status).toBe(303);
    await must("/v1/purge", { method: "POST", cookie: tenant.cookie, json: { all: true } });
    expect((await pageOf(tenant)).status).toBe(404);
  });
});
