/** Receipts over the API: each verifies by both verifiers, says what it covers, and is told to nobody else. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { verify as verifyApart } from "../../integrations/verify/verify.mjs";
import { parseVerifierKey, RECEIPT_NOT_PROVEN, verifyReceipt } from "../../src/ledger/index.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";
import { checkpointOf, deliver, sessionStubOf } from "../support/record.ts";

/** Plain JavaScript, without types of its own. */
const checkApart = verifyApart as unknown as (
  file: string,
  options: { keys: readonly string[] },
) => Promise<{ result: string }>;

async function trusted(tenant: Tenant) {
  const { json } = await must(`/.well-known/countersign/${tenant.organization}/keys`);
  return json.keys.map(({ vkey }: { vkey: string }) => vkey) as string[];
}

const keysOf = async (tenant: Tenant) =>
  (await trusted(tenant)).flatMap((vkey) => parseVerifierKey(vkey) ?? []);

const receiptUrl = (decision: string, query = "") => `/v1/decisions/${decision}/receipt${query}`;

describe("a receipt", () => {
  it("proves a decision offline, by both verifiers, long after others have followed", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    const decision = (await shell(tenant, session, "pwd")).json;
    await shell(tenant, session, "date");
    await checkpointOf(tenant, session);
    await shell(tenant, session, "whoami");
    await checkpointOf(tenant, session);

    const { text, json, headers } = await must(receiptUrl(decision.id), { key: tenant.key });
    expect(headers.get("content-type")).toBe("application/json");
    const report = verifyReceipt(text, { keys: await keysOf(tenant) });
    expect(report, JSON.stringify(report)).toMatchObject({
      result: "holds",
      organization: tenant.organization,
      chain: `session:${session}`,
      seq: decision.ledger.seq,
    });
    expect(JSON.parse(json.entry.body)).toMatchObject({ id: decision.id, verdict: decision.verdict });
    expect(json.entry.hash).toBe(decision.ledger.hash);
    expect(json.path).toHaveLength(1);
    expect(json.disclosed).toBeNull();
    expect(json.private_gone).toBe(false);
    expect(json.not_proven).toEqual(RECEIPT_NOT_PROVEN);

    const apart = await checkApart(text, { keys: await trusted(tenant) });
    expect(apart.result, JSON.stringify(apart)).toBe("holds");
    const stranger = verifyReceipt(text, { keys: await keysOf(await sealed()) });
    expect(stranger.broken?.code).toBe("unknown-key");
  });

  it("tells the private text to whoever asks for it, and says so once it is gone", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "cat very-private.txt")).json;
    await checkpointOf(tenant, session);
    const quiet = await must(receiptUrl(decision.id), { key: tenant.key });
    expect(quiet.text).not.toContain("very-private");
    const told = await must(receiptUrl(decision.id, "?disclose=private"), { key: tenant.key });
    expect(told.json.disclosed.private).toContain("very-private");
    expect(told.json.covers).not.toBe(quiet.json.covers);
    expect(verifyReceipt(told.text, { keys: await keysOf(tenant) }).result).toBe("holds");

    await must("/v1/purge", { cookie: tenant.cookie, json: { older_than_days: 0 } });
    for (const query of ["", "?disclose=private"]) {
      const after = await must(receiptUrl(decision.id, query), { key: tenant.key });
      expect(after.json.private_gone).toBe(true);
      expect(after.json.disclosed).toBeNull();
      expect(after.json.covers).toContain("not kept any more");
      expect(after.text).not.toContain("very-private");
      expect(verifyReceipt(after.text, { keys: await keysOf(tenant) }).result).toBe("holds");
    }
  });

  it("says what to do while no checkpoint covers the entry", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    expect((await send(receiptUrl(decision.id), { key: tenant.key })).json.code).toBe("not-found");
    await deliver(tenant, session);
    const refused = await send(receiptUrl(decision.id), { key: tenant.key });
    expect(refused.json).toMatchObject({ status: 409, code: "not-sealed-yet", seq: decision.ledger.seq });
    expect(refused.json.detail).toContain("POST /v1/checkpoints");
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "not-sealed-yet" });
    await checkpointOf(tenant, session);
    await must(receiptUrl(decision.id), { key: tenant.key });
  });

  it("is there for every entry of every chain, the records of checkpoints among them", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await checkpointOf(tenant, session);
    await shell(tenant, session, "pwd");
    await checkpointOf(tenant, session);
    const keys = await keysOf(tenant);
    for (const [chain, lines] of [
      [`session:${session}`, await ledgerOf(tenant, session)],
      ["organization", (await ledgerOf(tenant)).slice(0, -1)],
    ] as const)
      for (const { entry, hash } of lines) {
        const query = new URLSearchParams({ chain, seq: String(entry.seq) });
        const { text, json } = await must(`/v1/receipts?${query}`, { cookie: tenant.cookie });
        const report = verifyReceipt(text, { keys });
        expect(report.result, `${chain} ${entry.seq}: ${report.broken?.message}`).toBe("holds");
        expect(json.entry.hash).toBe(hash);
      }
    for (const query of [
      "chain=session:&seq=1",
      "chain=nothing&seq=1",
      "seq=1000000",
      "chain=session:no&seq=1",
    ])
      expect((await send(`/v1/receipts?${query}`, { cookie: tenant.cookie })).json.code).toBe("not-found");
  });

  it("is made of the copy when the object is gone", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    await shell(tenant, session, "pwd");
    await checkpointOf(tenant, session);
    const before = await must(receiptUrl(decision.id, "?disclose=private"), { key: tenant.key });
    await runInDurableObject(sessionStubOf(tenant, session), async (_object, state) => {
      state.storage.sql.exec("DELETE FROM entries");
    });
    const after = await must(receiptUrl(decision.id, "?disclose=private"), { key: tenant.key });
    expect(after.text).toBe(before.text);
  });

  it("is refused rather than wrong when what is stored was changed", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    await checkpointOf(tenant, session);
    await env.DB.prepare(
      "UPDATE log_leaves SET data = replace(data, '\"seq\":2', '\"seq\":3') WHERE organization_id = ?",
    )
      .bind(tenant.organization)
      .run();
    const answer = await send(receiptUrl(decision.id), { key: tenant.key });
    expect(answer.json).toMatchObject({ status: 500, code: "log-damaged" });
  });

  it("is not made of more entries than one answer should hold", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    await checkpointOf(tenant, session);
    await env.DB.prepare("UPDATE log_leaves SET seq = seq + 10001 WHERE organization_id = ? AND chain = ?")
      .bind(tenant.organization, `session:${session}`)
      .run();
    const refused = await send(receiptUrl(decision.id), { key: tenant.key });
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect(refused.json.detail).toMatch(/^More than 10000 entries .* Export the chain/);
  });

  it("is another agent's and another organization's to nobody", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const decision = (await shell(tenant, session, "ls")).json;
    await checkpointOf(tenant, session);
    const { agent } = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "other" } })).json;
    const { key } = (await must(`/v1/agents/${agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    expect((await send(receiptUrl(decision.id), { key })).status).toBe(404);
    const viewer = await newMember(tenant, "viewer");
    expect((await send(receiptUrl(decision.id), { cookie: viewer.cookie })).status).toBe(200);
    const other = await newTenant();
    for (const credential of [{ key: other.key }, { cookie: other.cookie }])
      expect((await send(receiptUrl(decision.id), credential)).status).toBe(404);
    const query = new URLSearchParams({ chain: `session:${session}`, seq: "1" });
    expect((await send(`/v1/receipts?${query}`, { cookie: other.cookie })).status).toBe(404);
    expect((await send(`/v1/receipts?${query}`, { key: tenant.key })).status).toBe(403);
  });
});

async function sealed(): Promise<Tenant> {
  const tenant = await newTenant();
  await checkpointOf(tenant);
  return tenant;
}
