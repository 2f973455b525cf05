/**
 * Every table of D1 that governs, and the approvals: a row that is changed, removed or added behind the product's back is
 * found, named and located; what the product does itself never is.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { comparedColumns } from "../../src/db/governed.ts";
import { organizationsToCheck } from "../../src/db/heads.ts";
import { makeCheckpoint } from "../../src/http/checkpoints.ts";
import { checkDrift } from "../../src/http/drift.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  ORIGIN,
  openSession,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";
import { ask, decide } from "../support/approvals.ts";
import { Authenticator } from "../support/authenticator.ts";
import { checkpointOf, deliver, organizationStubOf, sessionStubOf } from "../support/record.ts";

const HOOK = {
  kind: "webhook",
  name: "Hook",
  target: { url: "https://hooks.example.com/x" },
};

interface Busy {
  readonly tenant: Tenant;
  readonly session: string;
}

/** An organization in which everything that governs has been used, some of it changed and taken back. */
async function busy(): Promise<Busy> {
  const tenant = await newTenant("Busy", { engines: { fence: "enforce" } });
  const { cookie } = tenant;
  const other = await newMember(tenant, "approver");
  const gone = await newMember(tenant, "viewer");
  await must(`/v1/members/${gone.member}`, { method: "DELETE", cookie });
  await must(`/v1/members/${other.member}`, { method: "PATCH", cookie, json: { role: "admin" } });
  await swear(tenant, "never delete: /srv/**\n");
  await swear(tenant, "never delete: /etc/**\n", 1);
  await must(`/v1/agents/${tenant.agent}/oath`, {
    method: "PUT",
    cookie,
    headers: { "if-match": '"0"' },
    json: { text: "never delete: /home/**\n" },
  });
  await must("/v1/channels", { cookie, json: HOOK });
  const begun = (await must("/v1/passkeys/options", { method: "POST", cookie })).json;
  const device = await Authenticator.make(ORIGIN);
  const response = await device.register(begun.options);
  await must("/v1/passkeys", { cookie, json: { name: "Laptop", challenge: begun.challenge, response } });
  await must("/v1/anchors", { cookie, json: { reference: "mine", text: "what was said" } });
  const session = await newSession(tenant);
  await shell(tenant, session, "ls");
  const first = await ask(tenant, "git push origin main", session);
  await decide(first, "approve", cookie);
  await ask(tenant, "git push origin other", session);
  await checkpointOf(tenant, session);
  await must("/v1/signing-keys", { cookie, json: {} });
  await deliver(tenant, session);
  return { tenant, session };
}

/** What governs and the approvals alone: no chain is due. */
async function look({ tenant }: Busy) {
  const now = Date.now();
  const report = await checkDrift(env, tenant.organization, now, { since: 0, until: now + 60_000 });
  if (!report.done) throw new Error(JSON.stringify(report));
  return report.findings.map(({ code, place, table, id, column = null }) => ({
    code,
    place,
    table,
    id,
    column,
  }));
}

const run = (statement: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run();

type Row = Record<string, string | number | null>;

async function rowsOf(table: string, organization: string): Promise<Row[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
    .bind(organization)
    .all<Row>();
  return results;
}

const insert = (table: string, row: Row) =>
  run(
    `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
      .map(() => "?")
      .join(", ")})`,
    ...Object.values(row),
  );

/** The tables, the key of each, and a key that nobody has. */
const TABLES = [
  { table: "organizations", key: [], added: null },
  { table: "members", key: ["member_id"], added: { member_id: "mem_forged" } },
  { table: "agents", key: ["agent_id"], added: { agent_id: "agt_forged", name: "forged" } },
  { table: "api_keys", key: ["key_id"], added: { key_id: "key_forged" } },
  { table: "oath_versions", key: ["oath", "version"], added: { version: 9 } },
  { table: "channels", key: ["channel_id"], added: { channel_id: "chn_forged" } },
  { table: "passkeys", key: ["credential_id"], added: { credential_id: "forged" } },
  { table: "signing_keys", key: ["key_id"], added: { key_id: "00000000" } },
  { table: "anchors", key: ["reference"], added: { reference: "forged", anchor_id: "anc_forged" } },
  { table: "sign_in_links", key: ["link_id"], added: { link_id: "forged" } },
  { table: "member_sessions", key: ["member_session_id"], added: { member_session_id: "forged" } },
  { table: "approvals", key: ["approval_id"], added: { approval_id: "apr_forged" } },
] as const;

const CREDENTIALS = ["sign_in_links", "member_sessions"];

function idOf(table: string, key: readonly string[], row: Row): string {
  return table === "oath_versions"
    ? `${row["oath"]}/${String(row["version"]).padStart(10, "0")}`
    : key.map((column) => String(row[column])).join("/");
}

function other(value: string | number | null | undefined): string | number {
  if (typeof value === "number") return value + 1;
  return value === null || value === undefined ? 1 : `${value}x`;
}

// Nothing leaves this machine.
beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("what governs", () => {
  it("is found to be as it is on record where everything was used", async ({ expect }) => {
    const one = await busy();
    expect(await look(one)).toEqual([]);
    const report = await checkDrift(env, one.tenant.organization, Date.now(), {
      since: Date.now(),
      until: Date.now() + 60_000,
    });
    expect(report.findings).toEqual([]);
    expect(report.done).toBe(true);
    let rows = 0;
    for (const { table } of TABLES) {
      const count = (await rowsOf(table, one.tenant.organization)).length;
      expect(count, table).toBeGreaterThan(0);
      rows += count;
    }
    expect(report.rows).toBeGreaterThanOrEqual(rows);
    expect((await ledgerOf(one.tenant)).filter(({ entry }) => entry.kind === "alert")).toEqual([]);
  });

  for (const { table, key, added } of TABLES)
    it(`is found where a row of ${table} was changed, removed or added`, async ({ expect }) => {
      const one = await busy();
      const { organization } = one.tenant;
      const what = table === "approvals" ? "approval" : "governing";
      const rows = await rowsOf(table, organization);
      const row = rows.at(-1);
      if (row === undefined) throw new Error(table);
      const id = idOf(table, key, row);
      const where = ["organization_id", ...key].map((column) => `${column} = ?`).join(" AND ");
      const names = [organization, ...key.map((column) => row[column] ?? null)];
      const set = (column: string, value: string | number | null) =>
        run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, value, ...names);

      // Also whoever raises the number of a change, so that the next one is passed over.
      const columns = [
        ...comparedColumns(table),
        ...(row["changed_seq"] === undefined ? [] : ["changed_seq"]),
      ];
      for (const column of columns) {
        if (column === "ended_at") continue;
        const value = row[column] ?? null;
        await set(column, column === "changed_seq" ? 1_000_000 : other(value));
        const found = await look(one);
        // In another family's object nobody was ever asked for it.
        const isMoved = column === "root_id";
        expect(found, column).toEqual([
          isMoved
            ? { code: "unrecorded-approval", place: "database", table, id, column: null }
            : { code: `altered-${what}`, place: "database", table, id, column },
        ]);
        await set(column, value);
      }
      expect(await look(one)).toEqual([]);
      const alerts = (await ledgerOf(one.tenant)).filter(({ entry }) => entry.kind === "alert");
      expect(alerts.map(({ body }) => [body.code, body.table, body.id, body.column])).toEqual(
        columns
          .filter((column) => column !== "ended_at")
          .map((column) =>
            column === "root_id"
              ? ["unrecorded-approval", table, id, null]
              : [`altered-${what}`, table, id, column],
          ),
      );

      await run(`DELETE FROM ${table} WHERE ${where}`, ...names);
      const missing = { code: `missing-${what}`, place: "database", table, id, column: null };
      if (table === "organizations") {
        // Without it nobody is let in, and the clock no longer comes by; whoever asks is told.
        expect(await look(one)).toEqual([missing]);
      } else if (table === "approvals") {
        const report = await checkDrift(env, organization, Date.now(), {
          since: Date.now(),
          until: Date.now() + 60_000,
        });
        expect(report.findings).toEqual([
          expect.objectContaining({ code: "missing-approval", table, id, chain: `session:${one.session}` }),
        ]);
      } else if (!CREDENTIALS.includes(table)) expect(await look(one)).toEqual([missing]);
      await insert(table, row);
      expect(await look(one)).toEqual([]);

      if (added !== null) {
        const forged = { ...row, ...added };
        await insert(table, forged);
        expect(await look(one)).toEqual([
          {
            code: `unrecorded-${what}`,
            place: "database",
            table,
            id: idOf(table, key, forged),
            column: null,
          },
        ]);
      }
    });

  it("is told again where a row is wrong once more after somebody has seen it", async ({ expect }) => {
    const one = await busy();
    const { organization, cookie } = one.tenant;
    const alerts = async () => (await ledgerOf(one.tenant)).filter(({ entry }) => entry.kind === "alert");
    const raise = (role: string) =>
      run(
        "UPDATE members SET role = ? WHERE organization_id = ? AND role IN ('admin', 'viewer')",
        role,
        organization,
      );
    await raise("viewer");
    await look(one);
    await look(one);
    const [alert, ...more] = await alerts();
    expect(more).toEqual([]);
    await must("/record/alerts", {
      method: "POST",
      cookie,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN },
      body: `through=${alert?.entry.seq}`,
    });
    await raise("admin");
    await run(
      "UPDATE members SET role = 'viewer' WHERE organization_id = ? AND removed_at IS NOT NULL",
      organization,
    );
    expect(await look(one)).toEqual([]);
    await raise("viewer");
    await look(one);
    expect(await alerts()).toHaveLength(2);
  });

  it("finds a session that was revived after it was signed out of", async ({ expect }) => {
    const one = await busy();
    const { organization } = one.tenant;
    const member = await newMember(one.tenant, "viewer");
    const post = { method: "POST", headers: { origin: ORIGIN } };
    await must("/sign-out", { ...post, cookie: member.cookie });
    expect(await look(one)).toEqual([]);
    await run("UPDATE member_sessions SET ended_at = NULL WHERE organization_id = ?", organization);
    expect(await look(one)).toMatchObject([
      { code: "altered-governing", table: "member_sessions", column: "ended_at" },
    ]);
  });

  it("holds an oath whose text the object never kept against the record", async ({ expect }) => {
    const one = await busy();
    const { organization } = one.tenant;
    await runInDurableObject(organizationStubOf(one.tenant), async (_object, state) => {
      state.storage.sql.exec("DELETE FROM registry WHERE kind = 'sworn'");
    });
    expect(await look(one)).toEqual([]);
    await run(
      "UPDATE oath_versions SET text = 'never say never' WHERE organization_id = ? AND oath = 'organization' AND version = 1",
      organization,
    );
    expect(await look(one)).toEqual([
      {
        code: "altered-governing",
        place: "database",
        table: "oath_versions",
        id: "organization/0000000001",
        column: "text",
      },
    ]);
  });

  it("knows nothing against credentials that are older than what is kept of them", async ({ expect }) => {
    const one = await busy();
    await runInDurableObject(organizationStubOf(one.tenant), async (_object, state) => {
      state.storage.sql.exec(
        "DELETE FROM registry WHERE kind IN ('member_session', 'sign_in_link', 'sworn')",
      );
      state.storage.sql.exec("DELETE FROM meta WHERE key IN ('credentials_since', 'purged_before')");
    });
    expect(await look(one)).toEqual([]);
    // What comes later is known.
    await newMember(one.tenant, "viewer");
    expect(await look(one)).toEqual([]);
  });

  it("is no alarm while changes are on their way", async ({ expect }) => {
    const one = await busy();
    const { cookie } = one.tenant;
    const { batch } = env.DB;
    const away = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1 is away"));
    const member = await send("/v1/members", { cookie, json: { name: "Later", role: "viewer" } });
    expect(member.status).toBe(503);
    await send("/v1/organization/settings", {
      method: "PUT",
      cookie,
      headers: { "if-match": "*" },
      json: { engines: { fence: "enforce", provenance: "observe" } },
    });
    const asked = await shell(one.tenant, one.session, "git push origin third");
    expect(asked.json.verdict).toBe("ask");
    away.mockRestore();
    expect(env.DB.batch).toBe(batch);
    expect(await look(one)).toEqual([]);
    await deliver(one.tenant, one.session);
    expect(await look(one)).toEqual([]);
    expect((await rowsOf("members", one.tenant.organization)).map(({ name }) => name)).toContain("Later");
  });

  it("is no alarm during a purge, a rotation and changes that go on meanwhile", async ({ expect }) => {
    const one = await busy();
    const { tenant, session } = one;
    const { cookie } = tenant;
    const found: unknown[] = [];
    let working = true;
    const changes = async () => {
      for (let i = 0; i < 2; i += 1) {
        await must("/v1/members", { cookie, json: { name: `Member ${i}`, role: "viewer" } });
        const { json } = await must(`/v1/agents/${tenant.agent}/keys`, {
          cookie,
          json: { name: `k${i}`, scopes: ["ask"] },
        });
        await must(`/v1/agents/${tenant.agent}/keys/${json.key_id ?? json.id}`, { method: "DELETE", cookie });
        await swear(tenant, `never delete: /srv/${i}/**\n`, 2 + i);
        await send("/v1/signing-keys", { cookie, json: { overlap_days: 0 } });
        const asked = await ask(tenant, `git push origin work-${i}`, session);
        await decide(asked, i % 2 === 0 ? "approve" : "deny", cookie);
        await send("/v1/purge", { cookie, json: { all: true } });
        await openSession(tenant, session);
        if (i % 2 === 0) await deliver(tenant, session);
      }
    };
    const work = () =>
      changes().finally(() => {
        working = false;
      });
    const watch = async () => {
      for (let i = 0; working && i < 200; i += 1) {
        const now = Date.now();
        const report = await checkDrift(env, tenant.organization, now, { since: now, until: now + 5_000 });
        found.push(...report.findings);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.all([work(), watch()]);
    expect(found).toEqual([]);
    await deliver(tenant, session);
    expect(await look(one)).toEqual([]);
    expect((await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "alert")).toEqual([]);
  });

  it("is no alarm while keys are sealed anew under a newer secret", async ({ expect }) => {
    const one = await busy();
    const { tenant, session } = one;
    const sealed = async () =>
      (await rowsOf("signing_keys", tenant.organization)).map(({ sealed: text }) => text).sort();
    const before = await sealed();
    const newer = { ...env, SETTINGS_KEY: `another-settings-key-of-the-test-suite,${env.SETTINGS_KEY}` };
    await shell(tenant, session, "pwd");
    await deliver(tenant, session);
    const wish = { origin: null, actor: null, fresh: true };
    const [made, report] = await Promise.all([
      makeCheckpoint(newer, tenant.organization, Date.now(), wish),
      checkDrift(newer, tenant.organization, Date.now(), { since: 0, until: Date.now() + 10_000 }),
    ]);
    expect(made.made).toBe(true);
    expect(await sealed()).not.toEqual(before);
    expect(report.findings).toEqual([]);
    expect(await look(one)).toEqual([]);
  });

  it("goes on where it was broken off", async ({ expect }) => {
    const one = await busy();
    const { organization } = one.tenant;
    await run("UPDATE passkeys SET member_id = 'mem_forged' WHERE organization_id = ?", organization);
    const found: unknown[] = [];
    let runs = 0;
    for (let done = false; !done; runs += 1) {
      const report = await checkDrift(env, organization, Date.now(), { since: 0, until: 0 });
      found.push(...report.findings.map(({ code, table }) => [code, table]));
      const { cursor } = (await env.DB.prepare("SELECT cursor FROM drift_rounds WHERE organization_id = ?")
        .bind(organization)
        .first<{ cursor: string }>()) ?? { cursor: "{}" };
      done = JSON.parse(cursor).governed === null;
      expect(runs).toBeLessThan(20);
    }
    expect(runs).toBeGreaterThan(5);
    expect(found).toEqual([["altered-governing", "passkeys"]]);
  });

  it("does not stumble over what a forger calls things", async ({ expect }) => {
    const one = await busy();
    const { organization } = one.tenant;
    const [row] = await rowsOf("approvals", organization);
    const [member] = await rowsOf("members", organization);
    if (row === undefined || member === undefined) throw new Error("rows were expected");
    for (const [i, root] of ["", "x".repeat(5_000), "nobody", "../organization"].entries())
      await insert("approvals", { ...row, approval_id: `apr_${i}`, root_id: root });
    await insert("members", { ...member, member_id: "😀".repeat(500) });
    const found = await look(one);
    expect(found.map(({ code }) => code).sort()).toEqual([
      ...Array.from({ length: 4 }, () => "unrecorded-approval"),
      "unrecorded-governing",
    ]);
    expect((await ledgerOf(one.tenant)).filter(({ entry }) => entry.kind === "alert")).toHaveLength(5);
  });
});

describe("whoever would have the comparison pass over something", () => {
  it("cannot, by dating it ahead or by moving where it goes on", async ({ expect }) => {
    const one = await busy();
    const { organization, cookie } = one.tenant;
    await run("UPDATE heads SET checked_at = 9007199254740991 WHERE organization_id = ?", organization);
    await run(
      "INSERT OR REPLACE INTO drift_rounds (organization_id, ran_at, cursor) VALUES (?, 9007199254740991, ?)",
      organization,
      JSON.stringify({ governed: { table: "approvals", after: "zzz" }, families: "zzz" }),
    );
    await run("UPDATE members SET role = 'owner' WHERE organization_id = ?", organization);
    await run("UPDATE records SET tool = 'x' WHERE organization_id = ? AND kind = 'decision'", organization);
    expect(await organizationsToCheck(env.DB, 0, Date.now(), 1_000)).toContain(organization);
    const { json } = await must("/v1/drift-check", { method: "POST", cookie });
    const codes = json.findings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("altered-governing");
    expect(codes).toContain("altered-row");
  });
});

describe("a family", () => {
  it("that vanished from the database whole is missed, before any checkpoint covers it", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await deliver(tenant, session);
    const look = async () => {
      const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
      return json.findings.map(({ code, chain, seq }: { code: string; chain: string; seq: number }) => [
        code,
        chain,
        seq,
      ]);
    };
    expect(await look()).toEqual([]);
    const lines = await ledgerOf(tenant, session);
    for (const table of ["records", "heads"])
      await run(
        `DELETE FROM ${table} WHERE organization_id = ? AND chain = ?`,
        tenant.organization,
        `session:${session}`,
      );
    await run("DELETE FROM sessions WHERE organization_id = ?", tenant.organization);
    expect(await look()).toEqual([["missing-head", `session:${session}`, lines.length]]);
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "missing-head" });
    // One that has not delivered anything yet is none.
    const young = await newSession(tenant);
    await shell(tenant, young, "ls");
    expect(await look()).toEqual([["missing-head", `session:${session}`, lines.length]]);
  });

  it("that was begun before it made itself known is made known by the check", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await deliver(tenant, session);
    const known = () =>
      runInDurableObject(organizationStubOf(tenant), async (_object, state) =>
        state.storage.sql.exec("SELECT id FROM registry WHERE kind = 'chain'").toArray(),
      );
    await runInDurableObject(organizationStubOf(tenant), async (_object, state) => {
      state.storage.sql.exec("DELETE FROM registry WHERE kind = 'chain'");
    });
    await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
    expect(await known()).toEqual([{ id: session }]);
  });

  it("that was rightly removed is no alarm, and its missing copy is", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await checkpointOf(tenant, session);
    const lines = await ledgerOf(tenant, session);
    const { hash = "" } = lines.at(-1) ?? {};
    await sessionStubOf(tenant, session).remove({ seq: lines.length, hash });
    const look = async () => {
      const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
      return json.findings.map(({ code }: { code: string }) => code);
    };
    expect(await look()).toEqual([]);
    for (const table of ["records", "heads", "log_leaves"])
      await run(
        `DELETE FROM ${table} WHERE organization_id = ? AND chain = ?`,
        tenant.organization,
        `session:${session}`,
      );
    expect(await look()).toContain("missing-head");
  });
});

describe("private text", () => {
  const look = async (tenant: Tenant) => {
    const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
    return json.findings as { code: string; chain: string; seq: number; through: number }[];
  };
  const blank = ({ organization }: Tenant, chain: string, where: string) =>
    run(
      `UPDATE records SET private = NULL, salt = NULL WHERE organization_id = ? AND chain = ? AND ${where}`,
      organization,
      chain,
    );

  it("that was taken outside a purge is missed, all of it in one finding", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd", "date"]) await shell(tenant, session, command);
    await deliver(tenant, session);
    const chain = `session:${session}`;
    await blank(tenant, chain, "seq IN (2, 3)");
    expect(await look(tenant)).toEqual([
      expect.objectContaining({ code: "missing-private", chain, seq: 2, through: 3 }),
    ]);
    await blank(tenant, chain, "seq > 0");
    expect((await look(tenant)).map(({ code }) => code)).toEqual(["missing-private"]);
  });

  it("that a purge took, whole or in part, is no alarm", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await deliver(tenant, session);
    const [row] = await rowsOf("records", tenant.organization);
    expect(row).toBeDefined();
    // Under way: said to be purged, and only some of it gone.
    await must("/v1/purge", { cookie: tenant.cookie, json: { all: true } });
    expect(await look(tenant)).toEqual([]);
    await openSession(tenant, session);
    await shell(tenant, session, "pwd");
    await deliver(tenant, session);
    expect(await look(tenant)).toEqual([]);
    const { length } = await ledgerOf(tenant, session);
    await blank(tenant, `session:${session}`, `seq = ${length}`);
    expect((await look(tenant)).map(({ code }) => code)).toEqual(["missing-private"]);
  });

  it("of an oath is never purged", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: /srv/**\n");
    await must("/v1/purge", { cookie: tenant.cookie, json: { all: true } });
    await deliver(tenant);
    expect(await look(tenant)).toEqual([]);
    await blank(tenant, "organization", "kind = 'oath_sworn'");
    expect(await look(tenant)).toMatchObject([{ code: "missing-private", chain: "organization" }]);
  });

  it("that was hidden by moving the purge's own date is found by that date", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await deliver(tenant, session);
    await blank(tenant, `session:${session}`, "seq > 0");
    await run(
      "UPDATE organizations SET purged_before = ? WHERE organization_id = ?",
      Date.now() + 1,
      tenant.organization,
    );
    expect(await look(tenant)).toMatchObject([
      { code: "altered-governing", table: "organizations", column: "purged_before" },
    ]);
  });
});
