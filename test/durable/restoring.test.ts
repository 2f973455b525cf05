/**
 * A database that is set back: every table of an organization is saved, everything goes on, and the tables are put back.
 * The log comes again as it was signed and goes on; what else was lost is put back or said to be lost.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { parseVerifierKey, verifyCheckpoints } from "../../src/ledger/index.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";
import { ask, decide } from "../support/approvals.ts";
import { checkpointOf, deliver, organizationStubOf } from "../support/record.ts";

type Row = Record<string, string | number | null>;

const TABLES = [
  "organizations",
  "members",
  "sign_in_links",
  "member_sessions",
  "agents",
  "api_keys",
  "oath_versions",
  "sessions",
  "records",
  "approvals",
  "channels",
  "passkeys",
  "heads",
  "log_leaves",
  "log_nodes",
  "checkpoints",
  "signing_keys",
  "drift_rounds",
  "anchors",
  "retention",
];

async function saved({ organization }: Tenant): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  for (const table of TABLES) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
      .bind(organization)
      .all<Row>();
    tables.set(table, results);
  }
  return tables;
}

async function setBack({ organization }: Tenant, tables: ReadonlyMap<string, Row[]>): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  for (const [table, rows] of tables) {
    statements.push(env.DB.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).bind(organization));
    for (const row of rows)
      statements.push(
        env.DB.prepare(
          `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
            .map(() => "?")
            .join(", ")})`,
        ).bind(...Object.values(row)),
      );
  }
  await env.DB.batch(statements);
}

async function restore(tenant: Tenant) {
  const total = { rows: 0, checkpoints: 0, entries: 0, lost: 0 };
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await must(`/v1/restore${cursor === "" ? "" : `?cursor=${cursor}`}`, {
      method: "POST",
      cookie: tenant.cookie,
    });
    for (const name of ["rows", "checkpoints", "entries", "lost"] as const) total[name] += json[name];
    cursor = json.next_cursor;
  }
  return total;
}

async function check(tenant: Tenant) {
  const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
  return json.findings as {
    code: string;
    chain: string | null;
    seq: number;
    through: number;
    table: string | null;
  }[];
}

async function keysOf(tenant: Tenant) {
  const { json } = await must(`/.well-known/countersign/${tenant.organization}/keys`);
  return json.keys.flatMap(({ vkey }: { vkey: string }) => parseVerifierKey(vkey) ?? []);
}

const notesOf = async (tenant: Tenant): Promise<string[]> =>
  (await must("/v1/checkpoints?limit=50", { cookie: tenant.cookie })).json.checkpoints
    .map(({ note }: { note: string }) => note)
    .reverse();

/** What no restoration brings back, and what only says how far somebody looked. */
function comparable(tables: ReadonlyMap<string, Row[]>) {
  const SPARED = [
    "checked_seq",
    "checked_at",
    "changed_seq",
    "private",
    "salt",
    "forgotten_before",
    "news_seq",
  ];
  const wanted = [
    "members",
    "agents",
    "api_keys",
    "oath_versions",
    "sessions",
    "approvals",
    "log_leaves",
    "log_nodes",
    "checkpoints",
    "signing_keys",
  ];
  return wanted.map((table) => [
    table,
    (tables.get(table) ?? [])
      .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !SPARED.includes(column))))
      .sort(),
  ]);
}

describe("a database that was set back", () => {
  it("gets its log again byte for byte, and what else the objects hold; the log goes on", async ({
    expect,
  }) => {
    const tenant = await newTenant("Set back", { engines: { fence: "enforce" } });
    const { cookie } = tenant;
    const old = await newSession(tenant);
    await shell(tenant, old, "ls");
    const early = await ask(tenant, "git push origin early", old);
    await swear(tenant, "never delete: /srv/**\n");
    await checkpointOf(tenant, old);
    const before = await saved(tenant);

    // Everything goes on.
    await decide(early, "approve", cookie);
    await shell(tenant, old, "pwd");
    const young = await newSession(tenant);
    await shell(tenant, young, "date");
    await ask(tenant, "git push origin late", young);
    await swear(tenant, "never delete: /etc/**\n", 1);
    await newMember(tenant, "admin");
    await checkpointOf(tenant, old, young);
    await must("/v1/signing-keys", { cookie, json: {} });
    await shell(tenant, young, "whoami");
    await checkpointOf(tenant, old, young);
    await deliver(tenant, old, young);
    const after = await saved(tenant);
    const notes = await notesOf(tenant);
    expect(notes.length).toBeGreaterThan(2);
    const lines = [await ledgerOf(tenant, old), await ledgerOf(tenant, young)];

    await setBack(tenant, before);
    const refused = await send("/v1/checkpoints", { method: "POST", cookie });
    expect(refused.json.code).toBe("log-damaged");
    const found = new Set((await check(tenant)).map(({ code }) => code));
    for (const code of ["missing-checkpoint", "missing-governing", "missing-row", "missing-head"])
      expect(found, code).toContain(code);

    const restored = await restore(tenant);
    expect(restored.checkpoints).toBe(notes.length - 1);
    expect(restored.lost).toBe(0);
    expect(restored.entries).toBeGreaterThan(5);
    expect(await notesOf(tenant)).toEqual(notes);
    await deliver(tenant, old, young);
    const again = await saved(tenant);
    expect(comparable(again)).toEqual(comparable(after));
    expect([await ledgerOf(tenant, old), await ledgerOf(tenant, young)]).toEqual(lines);

    // The log goes on, and a stranger who has the earlier ones sees one log.
    await shell(tenant, young, "uptime");
    const next = await checkpointOf(tenant, old, young);
    expect(next.status).toBe(201);
    expect(next.json.number).toBe(notes.length + 1);
    const all = await notesOf(tenant);
    const proofs: string[][] = [];
    for (let to = 2; to <= all.length; to += 1)
      proofs.push((await must(`/v1/checkpoints/${to}/consistency?from=${to - 1}`, { cookie })).json.proof);
    expect(verifyCheckpoints(all, await keysOf(tenant), proofs)).toMatchObject({ ok: true });

    // What the database alone held is gone, and that is said; nothing else is.
    const left = await check(tenant);
    expect(new Set(left.map(({ code }) => code))).toEqual(new Set(["missing-private"]));
    const texts = async () =>
      (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "copy_restored").map(({ body }) => body);
    expect(await texts()).toEqual([
      expect.objectContaining({ by: tenant.owner, begun: true }),
      expect.objectContaining({ by: tenant.owner, done: true, checkpoints: restored.checkpoints, lost: 0 }),
    ]);
    // Again, there is nothing to do.
    expect(await restore(tenant)).toEqual({ rows: 0, checkpoints: 0, entries: 0, lost: 0 });
  });

  it("is taken up from before its log was kept twice, and comes again all the same", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const notes: string[] = [];
    for (const command of ["ls", "pwd", "date"]) {
      await shell(tenant, session, command);
      notes.push((await checkpointOf(tenant, session)).json.note);
    }
    const kept = () =>
      runInDurableObject(organizationStubOf(tenant), async (_object, state) =>
        state.storage.sql.exec("SELECT id FROM registry WHERE kind = 'sealed' ORDER BY id").toArray(),
      );
    await runInDurableObject(organizationStubOf(tenant), async (_object, state) => {
      state.storage.sql.exec("DELETE FROM registry WHERE kind = 'sealed'");
    });
    expect(await check(tenant)).toEqual([]);
    expect(await kept()).toHaveLength(3);
    for (const table of ["checkpoints", "log_leaves", "log_nodes"])
      await env.DB.prepare(`DELETE FROM ${table} WHERE organization_id = ?`).bind(tenant.organization).run();
    expect((await restore(tenant)).checkpoints).toBe(3);
    expect(await notesOf(tenant)).toEqual(notes);
    expect(await check(tenant)).toEqual([]);
  });

  it("takes up nothing that is not what was signed", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd"]) {
      await shell(tenant, session, command);
      await checkpointOf(tenant, session);
    }
    await runInDurableObject(organizationStubOf(tenant), async (_object, state) => {
      state.storage.sql.exec("DELETE FROM registry WHERE kind = 'sealed'");
    });
    const stub = organizationStubOf(tenant);
    const [first = "", second = ""] = await notesOf(tenant);
    const forged = second.replace(/\nat \d/, "\nat 9");
    expect(await stub.takeUpLog([{ number: 2, note: forged, leaves: [], ledger_seq: null }])).toBe(0);
    expect(await stub.takeUpLog([{ number: 1, note: first, leaves: [], ledger_seq: null }])).toBe(0);
    expect(await stub.takeUpLog([{ number: 2, note: second, leaves: [], ledger_seq: null }])).toBe(1);
    // Its leaves are not those that lead to its root: it is not put back.
    await env.DB.prepare("DELETE FROM checkpoints WHERE organization_id = ? AND number = 2")
      .bind(tenant.organization)
      .run();
    const refused = await send("/v1/restore", { method: "POST", cookie: tenant.cookie });
    expect(refused.json).toMatchObject({ status: 500, code: "log-damaged" });
    expect(await notesOf(tenant)).toEqual([first]);
  });
});

describe("a database that was written to", () => {
  it("is put right where it governs, and what nobody put on record is taken away", async ({ expect }) => {
    const tenant = await newTenant();
    const { organization } = tenant;
    const viewer = await newMember(tenant, "viewer");
    const session = await newSession(tenant);
    await checkpointOf(tenant, session);
    const run = (statement: string, ...values: string[]) =>
      env.DB.prepare(statement)
        .bind(organization, ...values)
        .run();
    await run(
      "UPDATE members SET role = 'owner', changed_seq = 1000000 WHERE organization_id = ? AND member_id = ?",
      viewer.member,
    );
    await run(
      `INSERT INTO api_keys (organization_id, key_id, agent_id, name, scopes, secret_hash, created_at, changed_seq)
       SELECT organization_id, 'forged', agent_id, 'forged', '["ask","turns"]', secret_hash, 1, 1 FROM api_keys WHERE organization_id = ?`,
    );
    await run("UPDATE log_nodes SET hash = 'x' WHERE organization_id = ?");
    // Somebody who is an owner by the database alone restores nothing: the object knows better.
    const forged = await send("/v1/restore", { method: "POST", cookie: viewer.cookie });
    expect(forged.json.code).toBe("forbidden");
    expect((await restore(tenant)).rows).toBe(2);
    expect(await check(tenant)).toEqual([]);
    expect((await send("/v1/restore", { method: "POST", cookie: viewer.cookie })).json.code).toBe(
      "forbidden",
    );
    // The next change is heard of again.
    await must(`/v1/members/${viewer.member}`, {
      method: "PATCH",
      cookie: tenant.cookie,
      json: { role: "admin" },
    });
    expect(await check(tenant)).toEqual([]);
    const { results } = await env.DB.prepare(
      "SELECT role FROM members WHERE organization_id = ? AND member_id = ?",
    )
      .bind(organization, viewer.member)
      .all();
    expect(results).toEqual([{ role: "admin" }]);
  });

  it("has its records, heads and log again as the ledgers have them", async ({ expect }) => {
    const tenant = await newTenant();
    const { organization } = tenant;
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd", "date"]) await shell(tenant, session, command);
    await checkpointOf(tenant, session);
    await shell(tenant, session, "whoami");
    await deliver(tenant, session);
    const before = await saved(tenant);
    const chain = `session:${session}`;
    const run = (statement: string) => env.DB.prepare(statement).bind(organization, chain).run();
    await run(
      "UPDATE records SET body = '{}', outcome = 'block', tool = 'x' WHERE organization_id = ? AND chain = ? AND seq IN (2, 3)",
    );
    await run("UPDATE records SET hash = 'x' WHERE organization_id = ? AND chain = ? AND seq = 4");
    await run("UPDATE heads SET hash = 'x', sealed_seq = 5 WHERE organization_id = ? AND chain = ?");
    await run("UPDATE log_leaves SET data = '{}' WHERE organization_id = ? AND chain = ?");
    await run("UPDATE checkpoints SET note = 'x' WHERE organization_id = ? AND ? <> ''");
    expect((await check(tenant)).length).toBeGreaterThan(4);
    const restored = await restore(tenant);
    expect(restored).toMatchObject({ rows: 3, checkpoints: 1, entries: 1, lost: 0 });
    await deliver(tenant, session);
    expect(await check(tenant)).toEqual([]);
    const wanted = (tables: ReadonlyMap<string, Row[]>) => [
      ...comparable(tables),
      tables.get("records")?.filter((row) => row["chain"] === chain),
      tables
        .get("heads")
        ?.map(({ chain: name, hash, seq, sealed_seq }) => [name === chain && [hash, seq, sealed_seq]]),
    ];
    expect(wanted(await saved(tenant))).toEqual(wanted(before));
    expect((await checkpointOf(tenant, session)).status).toBe(201);
    expect(await check(tenant)).toEqual([]);
  });

  it("takes no cursor that is not its own", async ({ expect }) => {
    const tenant = await newTenant();
    for (const cursor of [
      "x",
      "e30",
      btoa('{"step":"log","number":0}'),
      btoa('{"step":"governed","from":{"table":"records"}}').replaceAll("=", ""),
    ]) {
      const refused = await send(`/v1/restore?cursor=${encodeURIComponent(cursor)}`, {
        method: "POST",
        cookie: tenant.cookie,
      });
      expect(refused.status, cursor).toBe(422);
    }
  });
});
