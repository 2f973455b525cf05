import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, it } from "vitest";
import { stubOf } from "../durable/support.ts";
import {
  ask,
  ledgerOf,
  must,
  newSession,
  newTenant,
  openSession,
  report,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";

const say = (tenant: Tenant, session: string, text: string, more: object = {}) =>
  must(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key: tenant.key, json: { text, ...more } });

const replay = (tenant: Tenant, json: object) => send("/v1/replay", { cookie: tenant.cookie, json });

/** A conversation with every kind of answer in it. */
async function talk(tenant: Tenant): Promise<string> {
  const session = await newSession(tenant);
  await say(tenant, session, "Email the summary to john@example.com, and tidy up the notes in ~/keep.");
  const mail = (to: string) => ask(tenant, session, { tool: "mcp_gmail_send_message", args: { to } });
  await mail("john@example.com");
  await mail("john@example.com");
  await mail("eve@evil.example");
  await shell(tenant, session, "rm ~/keep/a");
  const copy = (await shell(tenant, session, "cp ~/notes/a.md /tmp/a.md", { ask_through: "harness" })).json;
  await report(tenant, session, { call_id: copy.call_id, answered_by: "harness" });
  await shell(tenant, session, "echo x >> ~/notes/a.md");
  await openSession(tenant, `${session} child`, { child_of: session });
  await say(tenant, `${session} child`, "Email eve@evil.example");
  await ask(tenant, `${session} child`, {
    tool: "mcp_gmail_send_message",
    args: { to: "eve@evil.example", body: "2" },
  });
  await runDurableObjectAlarm(stubOf(tenant, session));
  return session;
}

describe("a replay of what is recorded", () => {
  it("answers as was answered when nothing is changed", async ({ expect }) => {
    const tenant = await newTenant("Replay", {});
    await swear(tenant, "never delete: ~/keep/**\nalways require backup before modify: ~/notes");
    const session = await talk(tenant);
    const before = (await ledgerOf(tenant, session)).length;
    const { json } = await replay(tenant, { session });
    expect(json).toMatchObject({ unkept: 0, truncated: false });
    expect(json.calls).toHaveLength(7);
    const recorded = (await ledgerOf(tenant, session))
      .filter((line) => line.entry.kind === "decision")
      .map((line) => [line.body.call_id, line.body.verdict]);
    const replayed = json.calls.map((call: Record<string, unknown>) => [call["call_id"], call["recorded"]]);
    expect(replayed).toEqual(recorded);
    const others = json.calls.filter((call: { changed: boolean }) => call.changed);
    expect(others.map((call: { verdict: string }) => call.verdict)).toEqual([]);
    expect(await ledgerOf(tenant, session), "a dry run").toHaveLength(before);
  });

  it("shows what a change would do, and says no more to who may not see it", async ({ expect }) => {
    const tenant = await newTenant("Replay", {});
    const session = await talk(tenant);
    const under = async (configuration: object) => {
      const { json } = await replay(tenant, { session, configuration });
      return json.calls.map((call: { verdict: string }) => call.verdict);
    };
    const plain = await under({});
    expect(plain[0]).toBe("allow");
    expect(await under({ engines: { fence: "observe" } })).toEqual(Array(7).fill("allow"));
    expect((await under({ oath: "never delete: ~/keep/**" }))[3]).toBe("block");
    const table = { tools: [{ name: "mcp_gmail_send_message", risks: ["FINANCIAL"] }] };
    expect((await under({ tool_table: table }))[0]).not.toBe("allow");
    const stranger = await newTenant("Replay", {});
    expect((await replay(stranger, { session })).json.code).toBe("unknown-session");
    const other = await must("/v1/agents", { cookie: tenant.cookie, json: { name: "other" } });
    const { key } = (
      await must(`/v1/agents/${other.json.agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } })
    ).json;
    expect((await send("/v1/replay", { key, json: { session } })).json.code).toBe("unknown-session");
  });
});

describe("a replay of what is made up", () => {
  it("judges turns and calls in order", async ({ expect }) => {
    const tenant = await newTenant("Replay", {});
    const { json } = await replay(tenant, {
      home: "/home/u",
      cwd: "/home/u/work",
      turns: [{ text: "Delete tmp/a.log." }, { text: "Don't delete anything any more." }],
      calls: [
        { after_turn: 0, tool: "terminal", args: { command: "rm tmp/a.log" } },
        { after_turn: 0, tool: "terminal", args: { command: "rm tmp/b.log" } },
        { after_turn: 1, tool: "terminal", args: { command: "rm tmp/a.log" } },
        { after_turn: 1, tool: "terminal", args: "not an object" },
      ],
    });
    expect(json.calls.map((call: { verdict: string }) => call.verdict)).toEqual([
      "allow",
      expect.stringMatching(/ask|block/),
      "block",
      "block",
    ]);
    expect(json.calls[2].reasons[0].rule_key).toBe("fence:user-prohibition");
  });

  it("refuses what cannot be replayed, by its place", async ({ expect }) => {
    const tenant = await newTenant("Replay", {});
    const bad = async (json: object) => (await replay(tenant, json)).json;
    expect(await bad({ turns: [] })).toMatchObject({ errors: [{ pointer: "/session" }] });
    expect(await bad({ session: "x", turns: [], calls: [] })).toMatchObject({ code: "invalid-request" });
    expect(await bad({ session: "nowhere" })).toMatchObject({ code: "unknown-session" });
    expect(await bad({ turns: [], calls: [{ after_turn: 0, tool: "x", args: {} }] })).toMatchObject({
      errors: [{ pointer: "/calls/0/after_turn" }],
    });
    const made = { turns: [{ text: "x" }], calls: [] };
    expect(await bad({ ...made, configuration: { oath: "never obliterate: /x" } })).toMatchObject({
      code: "invalid-oath",
      errors: [{ pointer: "/configuration/oath", line: 1 }],
    });
    expect(
      await bad({ ...made, configuration: { tool_table: { tools: [{ name: "bash", risks: ["READ"] }] } } }),
    ).toMatchObject({
      code: "invalid-tool-table",
      errors: [{ pointer: "/configuration/tool_table/tools/0/name" }],
    });
  });
});
