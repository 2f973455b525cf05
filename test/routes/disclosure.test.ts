import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { stubOf } from "../durable/support.ts";
import { must, newSession, newTenant, send, shell, type Tenant } from "../support/api.ts";

const pathOf = (session: string, disclose = true) =>
  `/v1/sessions/${encodeURIComponent(session)}/ledger${disclose ? "?disclose=private" : ""}`;

const verified = async (tenant: Tenant, text: string) =>
  (
    await send("/v1/ledger/verify", {
      method: "POST",
      key: tenant.key,
      headers: { "content-type": "application/x-ndjson" },
      body: text,
    })
  ).json;

const linesOf = (text: string): Record<string, string>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("an export that discloses", () => {
  it("tells what was committed to, from the object and from D1, and verifies", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "echo delivered");
    await runDurableObjectAlarm(stubOf(tenant, session));
    expect(
      await env.DB.prepare("SELECT count(*) AS n FROM records WHERE organization_id = ? AND session_id = ?")
        .bind(tenant.organization, session)
        .first("n"),
    ).toBe(2);
    await shell(tenant, session, "echo waiting");
    const { text } = await must(pathOf(session), { key: tenant.key });
    const lines = linesOf(text);
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => /^[0-9a-f]{64}$/.test(line["salt"] ?? ""))).toBe(true);
    expect(lines.map((line) => JSON.parse(line["private"] ?? "{}").args?.command)).toEqual([
      undefined,
      "echo delivered",
      "echo waiting",
    ]);
    expect(await verified(tenant, text)).toMatchObject({ ok: true, entries: 3 });
  });

  it("says so when a private text is not the one that was committed to", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "echo true");
    const { text } = await must(pathOf(session), { cookie: tenant.cookie });
    expect(await verified(tenant, text.replace("echo true", "echo fals"))).toMatchObject({
      ok: false,
      broken: { code: "private", line: 2 },
    });
    const [first = {}] = linesOf(text);
    const { private: _text, ...without } = first;
    expect(await verified(tenant, JSON.stringify(without))).toMatchObject({
      broken: { code: "malformed-line" },
    });
  });

  it("is not what an export is unless it is asked for", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "echo secret");
    const { text } = await must(pathOf(session, false), { key: tenant.key });
    expect(text).not.toContain("secret");
    expect((await send(`${pathOf(session, false)}?disclose=all`, { key: tenant.key })).json).toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "#/query/disclose" }],
    });
    const own = await must("/v1/ledger?disclose=private", { cookie: tenant.cookie });
    expect(await verified(tenant, own.text)).toMatchObject({ ok: true });
  });
});
