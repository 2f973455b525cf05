import { describe, it } from "vitest";
import {
  ask,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  type Send,
  send,
  swear,
  type Tenant,
} from "../support/api.ts";

const ROW = { name: "mcp__crm__get_all", risks: ["DELETE"], arguments: { paths: { deletes: ["target"] } } };

const save = (tenant: Tenant, tools: unknown, version = 0, more: Send = {}) =>
  send("/v1/tool-table", {
    method: "PUT",
    cookie: tenant.cookie,
    headers: { "if-match": `"${version}"` },
    json: { tools },
    ...more,
  });

describe("an organization's tool table", () => {
  it("is empty at first, versioned, and on the record with who changed it", async ({ expect }) => {
    const tenant = await newTenant();
    const empty = await must("/v1/tool-table", { cookie: tenant.cookie });
    expect([empty.json, empty.headers.get("etag")]).toEqual([{ version: 0, tools: [] }, '"0"']);
    const saved = await save(tenant, [ROW]);
    expect(saved.json).toMatchObject({ version: 1, tools: [ROW], policy_version: 2 });
    expect((await must("/v1/tool-table", { cookie: tenant.cookie })).json).toEqual({
      version: 1,
      tools: [ROW],
    });
    expect((await ledgerOf(tenant)).at(-1)).toMatchObject({
      entry: { kind: "tool_table_changed" },
      body: { by: tenant.owner, version: 1, policy_version: 2, table: { tools: [ROW] } },
    });
    expect((await save(tenant, [], 0)).json).toMatchObject({ code: "version-mismatch", current_version: 1 });
  });

  it("says what it changes, before and when it is saved", async ({ expect }) => {
    const tenant = await newTenant();
    const changes = [
      {
        tool: ROW.name,
        before: { risks: expect.not.arrayContaining(["DELETE"]), from: "inferred" },
        after: { risks: ["DELETE"], from: "override" },
      },
    ];
    const tried = await must("/v1/tool-table/check", { cookie: tenant.cookie, json: { tools: [ROW] } });
    expect(tried.json).toMatchObject({ valid: true, faults: [], changes });
    expect((await must("/v1/tool-table", { cookie: tenant.cookie })).json.version).toBe(0);
    expect((await save(tenant, [ROW])).json).toMatchObject({ changes });
    const gone = await must("/v1/tool-table/check", { cookie: tenant.cookie, json: { tools: [] } });
    expect(gone.json.changes).toMatchObject([{ tool: ROW.name, after: { from: "inferred" } }]);
  });

  it("holds from the next decision on, in a session that has long begun", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await swear(tenant, "never delete: ~/keep/**");
    const call = { tool: ROW.name, args: { target: "/home/u/keep/a" } };
    const before = await ask(tenant, session, call);
    expect(before.json.verdict).not.toBe("block");
    await save(tenant, [ROW]);
    const after = await ask(tenant, session, call);
    expect(after.json).toMatchObject({
      verdict: "block",
      reasons: [{ rule_key: "oath:never" }],
      reading: { risks: ["DELETE"] },
    });
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({
      verdict: "block",
      risks: ["DELETE"],
    });
  });

  it("tells every fault at once, by its place, and keeps what was in force", async ({ expect }) => {
    const tenant = await newTenant();
    const answer = await save(tenant, [
      { name: "terminal", risks: ["READ"] },
      { name: "x", risks: ["NOTHING"] },
      { name: "X", risks: ["READ"], arguments: { items: ["a b"] } },
    ]);
    expect(answer.status).toBe(422);
    expect(answer.json.code).toBe("invalid-tool-table");
    const places = answer.json.errors.map((one: { pointer: string; code: string }) => [
      one.pointer,
      one.code,
    ]);
    expect(places).toEqual(
      expect.arrayContaining([
        ["/tools/0/name", "effect-in-arguments"],
        ["/tools/1/risks/0", "unknown-risk"],
        ["/tools/2/name", "duplicate-name"],
        ["/tools/2/arguments/items/0", "bad-argument-name"],
      ]),
    );
    expect((await must("/v1/tool-table", { cookie: tenant.cookie })).json.version).toBe(0);
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "changeToolTable",
      code: "invalid-tool-table",
    });
    const unknown = await save(tenant, [{ name: "x", risks: ["READ"], risk: "WRITE" }]);
    expect(unknown.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/tools/0/risk" }] });
  });

  it("is an admin's to change, and no other organization's to see", async ({ expect }) => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const { cookie } = await newMember(tenant, "approver");
    expect((await save({ ...tenant, cookie }, [ROW])).status).toBe(403);
    const admin = await newMember(tenant, "admin");
    expect((await save({ ...tenant, cookie: admin.cookie }, [ROW])).status).toBe(200);
    expect((await must("/v1/tool-table", { cookie: other.cookie })).json.tools).toEqual([]);
    const session = await newSession(other);
    const read = await ask(other, session, { tool: ROW.name, args: {} });
    expect(read.json.reading.risks).not.toContain("DELETE");
  });

  it("lets one of twenty writers through", async ({ expect }) => {
    const tenant = await newTenant();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => save(tenant, [{ name: `tool_${i}`, risks: ["WRITE"] }])),
    );
    expect(all.filter((one) => one.status === 200)).toHaveLength(1);
    expect(all.filter((one) => one.status === 412)).toHaveLength(19);
  });
});

describe("annotations of a tool", () => {
  it("raise what a call is read as, and never lower it", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const risks = async (tool: string, annotations: unknown): Promise<string[]> =>
      (await ask(tenant, session, { tool, args: {}, annotations })).json.reading.risks;
    expect(await risks("mcp__x__get_report", undefined)).toEqual(["READ"]);
    expect(await risks("mcp__x__get_report", { destructive_hint: true })).toContain("DELETE");
    expect(await risks("mcp__x__delete_report", { read_only_hint: true })).toContain("DELETE");
    const refused = await ask(tenant, session, { tool: "x", args: {}, annotations: { readOnlyHint: true } });
    expect(refused.json).toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "/annotations/readOnlyHint" }],
    });
  });
});
