/** Lists of decisions: they page by cursors that they gave, and read no more of a table than they show. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, it, vi } from "vitest";
import { listRecordHashes, listRecords, type RecordFilter } from "../../src/db/records.ts";
import { objectName } from "../../src/durable/protocol.ts";
import { ask, must, newTenant, openSession, send, type Tenant } from "../support/api.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant("Lists");
});
afterEach(() => vi.restoreAllMocks());

/** Copies what a session's object holds to D1, as its alarm does. */
async function deliver(session: string): Promise<void> {
  const name = objectName({ kind: "session", organization: tenant.organization, session });
  await runDurableObjectAlarm(env.SESSION.getByName(name));
}

describe("a list of decisions", () => {
  const longest: [string, string][] = [
    ["200 letters", "a".repeat(200)],
    ["200 Chinese characters", "话".repeat(200)],
    ["200 characters beyond the first plane", "🦊".repeat(200)],
    ["200 quotation marks", '"'.repeat(200)],
    ["200 control characters", "\u0001".repeat(200)],
  ];
  for (const [name, session] of longest)
    it(`pages through the session with an id of ${name}`, async ({ expect }) => {
      await openSession(tenant, session);
      for (const command of ["ls a", "ls b", "ls c"])
        await ask(tenant, session, { tool: "terminal", args: { command } });
      await deliver(session);
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ session, limit: "1" });
        if (cursor !== null) query.set("cursor", cursor);
        const { json } = await must(`/v1/decisions?${query}`, { key: tenant.key });
        seen.push(...json.decisions.map((one: { ledger: { seq: number } }) => one.ledger.seq));
        cursor = json.next_cursor;
      } while (cursor !== null && seen.length < 10);
      expect(seen).toEqual([4, 3, 2]);
    });

  it("refuses an id of one character more, and a cursor that no list gave", async ({ expect }) => {
    const over = await send(`/v1/sessions/${encodeURIComponent("🦊".repeat(201))}`, {
      method: "PUT",
      key: tenant.key,
      json: {},
    });
    expect(over.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "#/path/session_id" }] });
    for (const cursor of ["x", "e30", "a".repeat(4097)])
      expect((await send(`/v1/decisions?cursor=${cursor}`, { key: tenant.key })).json).toMatchObject({
        code: "invalid-request",
        errors: [{ pointer: "#/query/cursor" }],
      });
  });
});

describe("what a list reads", () => {
  const before = { at: 5, chain: "session:x", seq: 5 };
  const filters: [string, Omit<RecordFilter, "limit">, string][] = [
    ["decisions", { kind: "decision" }, "records_by_kind"],
    ["an agent's decisions", { kind: "decision", agent: "agt_x" }, "records_by_agent"],
    [
      "an agent's decisions from a cursor on",
      { kind: "decision", agent: "agt_x", before },
      "records_by_agent",
    ],
    ["a session's decisions", { kind: "decision", session: "x" }, "records_by_session"],
    ["an agent's decisions in a session", { kind: "decision", agent: "a", session: "x" }, "records_by_"],
    ["blocks of an agent", { kind: "decision", agent: "agt_x", outcome: "block" }, "records_by_agent"],
  ];
  for (const [name, filter, index] of filters)
    for (const list of [listRecords, listRecordHashes])
      it(`${name}: ${list.name} goes by ${index}`, async ({ expect }) => {
        const prepare = env.DB.prepare.bind(env.DB);
        let plan: Promise<D1Result<{ detail: string }>> | undefined;
        vi.spyOn(env.DB, "prepare").mockImplementation((query) => {
          const statement = prepare(query);
          const bind = statement.bind.bind(statement);
          statement.bind = (...values) => {
            plan = prepare(`EXPLAIN QUERY PLAN ${query}`)
              .bind(...values)
              .all();
            return bind(...values);
          };
          return statement;
        });
        await list(env.DB, tenant.organization, { ...filter, limit: 10 });
        const details = (await plan)?.results.map((row) => row.detail) ?? [];
        expect(details.join("; ")).toMatch(new RegExp(`SEARCH records USING INDEX ${index}`));
        expect(details.join("; ")).not.toContain("SCAN records");
      });
});
