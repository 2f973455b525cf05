/** Rows of D1 and of an object are changed behind the product's back: each is found, named and located, once. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { checkDrift } from "../../src/http/drift.ts";
import { canonicalText, link, parseLeaf } from "../../src/ledger/index.ts";
import { ledgerOf, must, newSession, newTenant, send, shell, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver, organizationStubOf, sessionStubOf } from "../support/record.ts";

interface Scene {
  readonly tenant: Tenant;
  readonly session: string;
  readonly chain: string;
}

/** A session of five entries, sealed after the fourth. */
async function scene(): Promise<Scene> {
  const tenant = await newTenant();
  const session = await newSession(tenant);
  for (const command of ["ls", "pwd", "date"]) await shell(tenant, session, command);
  await checkpointOf(tenant, session);
  await shell(tenant, session, "whoami");
  await deliver(tenant, session);
  return { tenant, session, chain: `session:${session}` };
}

async function check(tenant: Tenant) {
  const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
  if (json.done !== true) throw new Error(JSON.stringify(json));
  return json as {
    findings: {
      code: string;
      place: string;
      chain: string | null;
      seq: number;
      through: number;
      column: string | null;
    }[];
    entries: number;
    chains: number;
    leaves: number;
    checkpoints: number;
  };
}

const alertsOf = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "alert");

const sql = (text: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

function inObject(
  { tenant, session }: Scene,
  ...statements: [string, ...(string | number)[]][]
): Promise<void> {
  return runInDurableObject(sessionStubOf(tenant, session), async (_object, state) => {
    for (const [text, ...values] of statements) state.storage.sql.exec(text, ...values);
  });
}

type Where = {
  code: string;
  place: string;
  seq: number;
  column?: string;
  through?: number;
  chain?: string | null;
};

/** What is done, and where it is found. */
const CORRUPTIONS: [string, (one: Scene) => Promise<unknown>, Where][] = [
  [
    "a row is missing",
    ({ tenant, chain }) =>
      sql(
        "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 3",
        tenant.organization,
        chain,
      ),
    { code: "missing-row", place: "database", seq: 3 },
  ],
  [
    "rows in a row are missing",
    ({ tenant, chain }) =>
      sql(
        "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq IN (2, 3, 4)",
        tenant.organization,
        chain,
      ),
    { code: "missing-row", place: "database", seq: 2, through: 4 },
  ],
  [
    "the last row is missing",
    ({ tenant, chain }) =>
      sql(
        "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 5",
        tenant.organization,
        chain,
      ),
    { code: "missing-row", place: "database", seq: 5 },
  ],
  [
    "a verdict in a body is changed",
    ({ tenant, chain }) =>
      sql(
        `UPDATE records SET body = replace(body, '"verdict":"allow"', '"verdict":"block"') WHERE organization_id = ? AND chain = ? AND seq = 2`,
        tenant.organization,
        chain,
      ),
    { code: "altered-row", place: "database", seq: 2, column: "body" },
  ],
  ...(["kind", "tool", "outcome", "agent_id", "session_id"] as const).map(
    (column): [string, (one: Scene) => Promise<unknown>, Where] => [
      `a row's ${column} is changed`,
      ({ tenant, chain }) =>
        sql(
          `UPDATE records SET ${column} = 'x' WHERE organization_id = ? AND chain = ? AND seq = 3`,
          tenant.organization,
          chain,
        ),
      { code: "altered-row", place: "database", seq: 3, column },
    ],
  ),
  [
    "a row is dated back",
    ({ tenant, chain }) =>
      sql(
        "UPDATE records SET at = at - 1 WHERE organization_id = ? AND chain = ? AND seq = 4",
        tenant.organization,
        chain,
      ),
    { code: "altered-row", place: "database", seq: 4, column: "at" },
  ],
  [
    "a row's hash is changed",
    ({ tenant, chain }) =>
      sql(
        "UPDATE records SET hash = ? WHERE organization_id = ? AND chain = ? AND seq = 4",
        "0".repeat(64),
        tenant.organization,
        chain,
      ),
    { code: "altered-row", place: "database", seq: 4, column: "hash" },
  ],
  [
    "private text is changed",
    ({ tenant, chain }) =>
      sql(
        "UPDATE records SET private = replace(private, 'pwd', 'rm') WHERE organization_id = ? AND chain = ? AND seq = 3",
        tenant.organization,
        chain,
      ),
    { code: "altered-private", place: "database", seq: 3 },
  ],
  [
    "a row is another story, whole in itself",
    async ({ tenant, session, chain }) => {
      const lines = await ledgerOf(tenant, session);
      const [, , before, after] = lines;
      if (before === undefined || after === undefined)
        throw new Error("a session of five entries was expected");
      const body = { ...after.body, verdict: "block" };
      const head = { seq: 3, hash: before.hash };
      const { at, kind } = after.entry;
      const made = link(head, { org: tenant.organization, session, at, kind, body });
      await sql(
        "UPDATE records SET hash = ?, body = ?, outcome = 'block' WHERE organization_id = ? AND chain = ? AND seq = 4",
        made.hash,
        canonicalText(body),
        tenant.organization,
        chain,
      );
    },
    { code: "forked", place: "database", seq: 4 },
  ],
  [
    "the object loses its tail",
    (one) => inObject(one, ["DELETE FROM entries WHERE seq >= 4"]),
    { code: "truncated", place: "ledger", seq: 4, through: 5 },
  ],
  [
    "the object loses an entry",
    (one) => inObject(one, ["DELETE FROM entries WHERE seq = 2"]),
    { code: "missing-entry", place: "ledger", seq: 2 },
  ],
  [
    "an entry of the object is changed",
    (one) =>
      inObject(one, [
        `UPDATE entries SET body = replace(body, '"tool":"terminal"', '"tool":"browser"') WHERE seq = 3`,
      ]),
    { code: "altered-entry", place: "ledger", seq: 3 },
  ],
  [
    "an entry's text in the object is dated back",
    (one) => inObject(one, [`UPDATE entries SET entry = replace(entry, '"at":1', '"at":2') WHERE seq = 3`]),
    { code: "altered-entry", place: "ledger", seq: 3 },
  ],
  [
    "the head in the database is another",
    ({ tenant, chain }) =>
      sql(
        "UPDATE heads SET hash = ? WHERE organization_id = ? AND chain = ?",
        "1".repeat(64),
        tenant.organization,
        chain,
      ),
    { code: "altered-head", place: "database", seq: 5 },
  ],
  [
    "the head in the database is set back",
    ({ tenant, chain }) =>
      sql("UPDATE heads SET seq = 1 WHERE organization_id = ? AND chain = ?", tenant.organization, chain),
    { code: "altered-head", place: "database", seq: 4 },
  ],
  [
    "a head claims to be sealed that is not",
    ({ tenant, chain }) =>
      sql(
        "UPDATE heads SET sealed_seq = 5 WHERE organization_id = ? AND chain = ?",
        tenant.organization,
        chain,
      ),
    { code: "altered-head", place: "database", seq: 5 },
  ],
  [
    "the head is gone, and the chain with it",
    async ({ tenant, chain }) => {
      await sql("DELETE FROM heads WHERE organization_id = ? AND chain = ?", tenant.organization, chain);
      await sql("DELETE FROM records WHERE organization_id = ? AND chain = ?", tenant.organization, chain);
    },
    { code: "missing-head", place: "database", seq: 4 },
  ],
  ...(["root_id", "agent_id", "relation"] as const).map(
    (column): [string, (one: Scene) => Promise<unknown>, Where] => [
      `a session's ${column} is changed`,
      ({ tenant, session }) =>
        sql(
          `UPDATE sessions SET ${column} = 'x' WHERE organization_id = ? AND session_id = ?`,
          tenant.organization,
          session,
        ),
      { code: "altered-session", place: "database", seq: 1, column },
    ],
  ),
  [
    "a session is gone from the index",
    ({ tenant, session }) =>
      sql("DELETE FROM sessions WHERE organization_id = ? AND session_id = ?", tenant.organization, session),
    { code: "missing-session", place: "database", seq: 1 },
  ],
  [
    "a leaf is changed",
    ({ tenant, chain }) =>
      sql(
        `UPDATE log_leaves SET data = replace(data, '"seq":4', '"seq":3') WHERE organization_id = ? AND chain = ?`,
        tenant.organization,
        chain,
      ),
    { code: "altered-leaf", place: "log", seq: 1 },
  ],
  [
    "a leaf is gone",
    ({ tenant, chain }) =>
      sql("DELETE FROM log_leaves WHERE organization_id = ? AND chain = ?", tenant.organization, chain),
    { code: "altered-leaf", place: "log", seq: 1, chain: null },
  ],
  [
    "a node of the tree is changed",
    ({ tenant }) =>
      sql(
        "UPDATE log_nodes SET hash = ? WHERE organization_id = ? AND level = 1 AND node_index = 0",
        "0".repeat(64),
        tenant.organization,
      ),
    { code: "altered-log", place: "log", seq: 1, chain: null },
  ],
  [
    "a checkpoint is gone",
    ({ tenant }) =>
      sql("DELETE FROM checkpoints WHERE organization_id = ? AND number = 1", tenant.organization),
    { code: "missing-checkpoint", place: "log", seq: 1, chain: null },
  ],
  [
    "a checkpoint is signed otherwise",
    ({ tenant }) =>
      sql(
        "UPDATE checkpoints SET note = replace(note, 'prev -', 'prev ' || ?) WHERE organization_id = ?",
        "0".repeat(64),
        tenant.organization,
      ),
    { code: "altered-checkpoint", place: "log", seq: 1, chain: null },
  ],
  [
    "a checkpoint's figures are other than signed",
    ({ tenant }) => sql("UPDATE checkpoints SET at = at - 1 WHERE organization_id = ?", tenant.organization),
    { code: "altered-checkpoint", place: "log", seq: 1, chain: null },
  ],
  [
    "the signing keys are gone",
    ({ tenant }) => sql("DELETE FROM signing_keys WHERE organization_id = ?", tenant.organization),
    { code: "missing-governing", place: "database", seq: 0, chain: "organization" },
  ],
];

describe("drift", () => {
  it("is not seen where nothing has drifted, and every chain, leaf and checkpoint was looked at", async ({
    expect,
  }) => {
    const { tenant } = await scene();
    const report = await check(tenant);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ chains: 2, leaves: 2, checkpoints: 1 });
    expect(report.entries).toBeGreaterThan(9);
    expect(await alertsOf(tenant)).toEqual([]);
  });

  for (const [name, corrupt, where] of CORRUPTIONS)
    it(`is found when ${name}`, async ({ expect }) => {
      const one = await scene();
      await corrupt(one);
      const { findings } = await check(one.tenant);
      const { chain = one.chain, ...rest } = where;
      expect(findings, JSON.stringify(findings)).toContainEqual(expect.objectContaining({ ...rest, chain }));
      const alerts = await alertsOf(one.tenant);
      expect(alerts.map(({ body }) => body)).toContainEqual(
        expect.objectContaining({ ...rest, chain, by: null }),
      );
      // Once, however often it is found.
      await check(one.tenant);
      expect(await alertsOf(one.tenant)).toHaveLength(alerts.length);
    });

  it("names one place for one change", async ({ expect }) => {
    for (const name of [
      "a row is missing",
      "a row is dated back",
      "a row's hash is changed",
      "private text is changed",
    ]) {
      const [, corrupt = async () => {}] = CORRUPTIONS.find(([one]) => one === name) ?? [];
      const one = await scene();
      await corrupt(one);
      expect((await check(one.tenant)).findings.length, name).toBe(1);
    }
  });

  it("is found when the object was written anew with another story", async ({ expect }) => {
    const one = await scene();
    const { tenant, session } = one;
    const lines = await ledgerOf(tenant, session);
    const rewritten: ReturnType<typeof link>[] = [];
    for (const { entry, body } of lines.slice(3)) {
      const before = rewritten.at(-1) ?? { seq: 3, hash: lines[2]?.hash ?? "" };
      const { at, kind } = entry;
      const what = { org: tenant.organization, session, at, kind, body: { ...body, verdict: "block" } };
      rewritten.push(link(before, what));
    }
    await inObject(
      one,
      ...rewritten.map(({ seq, hash, entry, body }): [string, ...(string | number)[]] => [
        "UPDATE entries SET hash = ?, entry = ?, body = ? WHERE seq = ?",
        hash,
        entry,
        body,
        seq,
      ]),
    );
    const { findings } = await check(tenant);
    const where = findings.map(({ code, place, seq }) => [code, place, seq]);
    expect(where).toContainEqual(["forked", "database", 4]);
    // The checkpoint knows which of the two is right.
    expect(where).toContainEqual(["forked", "ledger", 4]);
  });

  it("is found when the whole object is gone", async ({ expect }) => {
    const one = await scene();
    await runInDurableObject(sessionStubOf(one.tenant, one.session), async (_object, state) => {
      await state.storage.deleteAll();
    });
    await evictDurableObject(sessionStubOf(one.tenant, one.session));
    const { findings } = await check(one.tenant);
    expect(findings).toEqual([
      expect.objectContaining({ code: "missing-ledger", place: "ledger", chain: one.chain }),
    ]);
    await sql(
      "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 5",
      one.tenant.organization,
      one.chain,
    );
    const codes = (await check(one.tenant)).findings.map(({ code, seq }) => [code, seq]);
    expect(codes).toContainEqual(["missing-row", 5]);
  });

  it("is no alarm where an object was rightly removed, and the copy is held against where it ended", async ({
    expect,
  }) => {
    const { tenant, session, chain } = await scene();
    const lines = await ledgerOf(tenant, session);
    const { hash = "" } = lines.at(-1) ?? {};
    const removed = await sessionStubOf(tenant, session).remove({ seq: lines.length, hash });
    expect(removed).toMatchObject({ removed: true });
    const sound = await check(tenant);
    expect(sound.findings).toEqual([]);
    expect(sound.entries).toBeGreaterThanOrEqual(lines.length);
    const { organization } = tenant;
    await sql("DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 5", organization, chain);
    await sql(
      "UPDATE records SET body = '{}' WHERE organization_id = ? AND chain = ? AND seq = 2",
      organization,
      chain,
    );
    const found = (await check(tenant)).findings.map(({ code, place, seq }) => [code, place, seq]);
    expect(found).toContainEqual(["altered-row", "database", 2]);
    expect(found).toContainEqual(["missing-row", "database", 5]);
  });

  it("is no alarm while rows are on their way, nor while agents work and checkpoints are made", async ({
    expect,
  }) => {
    const { tenant, session } = await scene();
    await shell(tenant, session, "not delivered");
    expect((await check(tenant)).findings).toEqual([]);
    const work = async () => {
      for (let i = 0; i < 15; i += 1) {
        await shell(tenant, session, `echo ${i}`);
        if (i % 3 === 0) await deliver(tenant, session);
        if (i % 5 === 0) await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
      }
    };
    const look = async () => {
      const found: unknown[] = [];
      for (let i = 0; i < 8; i += 1) {
        const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
        found.push(...json.findings);
      }
      return found;
    };
    const [, found, more] = await Promise.all([work(), look(), look()]);
    expect([...found, ...more]).toEqual([]);
    expect(await alertsOf(tenant)).toEqual([]);
  });

  it("is no alarm after a purge", async ({ expect }) => {
    const { tenant } = await scene();
    await must("/v1/purge", { cookie: tenant.cookie, json: { older_than_days: 0 } });
    expect((await check(tenant)).findings).toEqual([]);
  });

  it("goes on where it was broken off", async ({ expect }) => {
    const one = await scene();
    const { tenant } = one;
    await sql(
      "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 5",
      tenant.organization,
      one.chain,
    );
    const now = Date.now() + 1;
    const found: string[] = [];
    let runs = 0;
    for (let done = false; !done; runs += 1) {
      // No time at all: one page of one thing.
      const late = await checkDrift(env, tenant.organization, now, {
        since: now,
        until: runs < 2 ? 0 : now + 60_000,
      });
      found.push(...late.findings.map(({ code }) => code));
      ({ done } = late);
      expect(runs).toBeLessThan(20);
    }
    expect(runs).toBeGreaterThan(1);
    expect(found).toEqual(["missing-row"]);
  });

  it("finds the organization's own chain as well", async ({ expect }) => {
    const { tenant } = await scene();
    await runInDurableObject(organizationStubOf(tenant), async (_object, state) => {
      state.storage.sql.exec(
        `UPDATE entries SET body = replace(body, '"name":"Test"', '"name":"Best"') WHERE seq = 1`,
      );
    });
    const { findings } = await check(tenant);
    expect(findings.map(({ code, chain, seq }) => [code, chain, seq])).toContainEqual([
      "altered-entry",
      "organization",
      1,
    ]);
  });

  it("holds sealed heads as they were", async ({ expect }) => {
    const { tenant, session, chain } = await scene();
    const { results } = await env.DB.prepare(
      "SELECT data FROM log_leaves WHERE organization_id = ? AND chain = ?",
    )
      .bind(tenant.organization, chain)
      .all<{ data: string }>();
    const lines = await ledgerOf(tenant, session);
    expect(results.map(({ data }) => parseLeaf(data)?.hash)).toEqual([lines[3]?.hash]);
  });
});
