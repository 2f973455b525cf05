import { afterEach, describe, it, vi } from "vitest";
import { Chain } from "../../src/durable/chain.ts";
import { Evidence } from "../../src/durable/evidence.ts";
import { verifyChain } from "../../src/ledger/index.ts";
import { must, newSession, newTenant, openSession, report, send, shell, swear } from "../support/api.ts";
import { settleInput, stubOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a transaction that fails half-way", () => {
  it("leaves no trace in what the object remembers of its chain", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "always require backup before modify: ~/skills/**\n");
    const session = await newSession(tenant);
    const copy = (await shell(tenant, session, "cp ~/skills/a.md /tmp/a.md")).json.call_id;
    // The outcome is linked by then, and the head has moved on.
    vi.spyOn(Evidence.prototype, "recordBackup").mockImplementationOnce(() => {
      throw new Error("failed half-way");
    });
    expect((await report(tenant, session, { call_id: copy })).status).toBe(500);
    const again = await report(tenant, session, { call_id: copy });
    expect(again.json).toMatchObject({ evidence: [{ seq: 4 }], ledger: { seq: 3 } });
    const { text } = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger`, {
      cookie: tenant.cookie,
    });
    expect(verifyChain(text)).toMatchObject({ ok: true, entries: 4 });
  });

  it("leaves no trace in what it remembers of a session", async ({ expect }) => {
    const tenant = await newTenant();
    await openSession(tenant, "s");
    const append = vi.spyOn(Chain.prototype, "append").mockImplementationOnce(() => {
      throw new Error("failed half-way");
    });
    const moved = await send("/v1/sessions/s", {
      method: "PUT",
      key: tenant.key,
      json: { home: "/elsewhere" },
    });
    expect(moved.status).toBe(500);
    append.mockRestore();
    expect(await stubOf(tenant, "s").context("s")).toMatchObject({
      environment: { home: "/home/u" },
      context_version: 1,
    });
  });

  it("leaves no trace in what it remembers of the policy", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const stub = stubOf(tenant, session);
    vi.spyOn(Chain.prototype, "append").mockImplementationOnce(() => {
      throw new Error("failed half-way");
    });
    await expect(async () => await stub.settle(settleInput(tenant, session, "lost"))).rejects.toThrow();
    // The policy that the lost reading stood on was never on record.
    const older = await stub.settle({ ...settleInput(tenant, session, "older"), policy_version: 999 });
    expect(older.ok).toBe(true);
  });
});
