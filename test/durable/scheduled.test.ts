/** What the clock does: each duty by itself, each failing alone, nothing twice. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import worker from "../../src/index.ts";
import { parseVerifierKey, verifyCheckpoints } from "../../src/ledger/index.ts";
import { ledgerOf, must, newSession, newTenant, send, shell, type Tenant } from "../support/api.ts";
import { deliver } from "../support/record.ts";

async function ring(): Promise<void> {
  const at = createScheduledController({ scheduledTime: new Date(), cron: "*/5 * * * *" });
  await worker.scheduled(at, env);
}

const checkpointsOf = async (tenant: Tenant) =>
  (await must("/v1/checkpoints", { cookie: tenant.cookie })).json.checkpoints as {
    number: number;
    note: string;
  }[];

describe("the clock", () => {
  it("seals every organization that has moved, and only those", async ({ expect }) => {
    const tenants = [await newTenant(), await newTenant(), await newTenant()];
    for (const tenant of tenants) await deliver(tenant);
    await ring();
    for (const tenant of tenants) expect(await checkpointsOf(tenant)).toHaveLength(1);
    const [moved] = tenants;
    if (moved === undefined) return;
    const session = await newSession(moved);
    await shell(moved, session, "ls");
    await deliver(moved, session);
    await ring();
    await ring();
    await ring();
    expect(await Promise.all(tenants.map(async (tenant) => (await checkpointsOf(tenant)).length))).toEqual([
      2, 1, 1,
    ]);
    const { keys } = (await must(`/.well-known/countersign/${moved.organization}/keys`)).json;
    const notes = (await checkpointsOf(moved)).map(({ note }) => note).reverse();
    const trusted = keys.flatMap(({ vkey }: { vkey: string }) => parseVerifierKey(vkey) ?? []);
    expect(verifyCheckpoints(notes, trusted)).toMatchObject({ ok: true, checkpoints: 2 });
    // Without a request there is none to take a host from.
    expect(trusted[0]?.name).toBe(`localhost/${moved.organization}`);
    const entries = (await ledgerOf(moved)).filter(({ entry }) => entry.kind === "checkpoint");
    expect(entries.map(({ body }) => body.by)).toEqual([null, null]);
  });

  it("finds drift by itself", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await deliver(tenant, session);
    await env.DB.prepare(
      "UPDATE records SET body = '{}' WHERE organization_id = ? AND seq = 2 AND chain <> 'organization'",
    )
      .bind(tenant.organization)
      .run();
    await ring();
    const alerts = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "alert");
    expect(alerts.map(({ body }) => [body.code, body.chain, body.seq])).toEqual([
      ["altered-row", `session:${session}`, 2],
    ]);
    const { results } = await env.DB.prepare("SELECT checked_at FROM heads WHERE organization_id = ?")
      .bind(tenant.organization)
      .all<{ checked_at: number }>();
    expect(results.every(({ checked_at }) => checked_at > 0)).toBe(true);
  });

  it("goes on to the next duty when one fails, and to the next organization when one cannot be sealed", async ({
    expect,
  }) => {
    const damaged = await newTenant();
    const sound = await newTenant();
    await deliver(damaged);
    await ring();
    await env.DB.prepare("DELETE FROM log_nodes WHERE organization_id = ?").bind(damaged.organization).run();
    for (const tenant of [damaged, sound]) {
      const session = await newSession(tenant);
      await deliver(tenant, session);
    }
    const silent = vi.spyOn(console, "error").mockImplementation(() => {});
    await ring();
    const events = silent.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    silent.mockRestore();
    expect(events).toContain("checkpoint-failed");
    expect(await checkpointsOf(damaged)).toHaveLength(1);
    expect((await checkpointsOf(sound)).length).toBeGreaterThan(0);
    const alerts = (await ledgerOf(damaged)).filter(({ entry }) => entry.kind === "alert");
    expect(alerts.map(({ body }) => body.code)).toContain("altered-log");
    expect((await send("/v1/checkpoints", { cookie: damaged.cookie })).status).toBe(200);
  });
});
