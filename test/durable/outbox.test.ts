import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { publishEntries } from "../../src/db/publish.ts";
import { objectName } from "../../src/durable/protocol.ts";
import type { SessionObject } from "../../src/durable/session.ts";
import { canonicalText, privateCommitment } from "../../src/ledger/index.ts";
import {
  ask,
  ledgerOf,
  must,
  newSession,
  newTenant,
  report,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";

const OATH = "never delete: ~/keep/**\nalways require backup before modify: ~/skills/**\n";

afterEach(() => {
  vi.restoreAllMocks();
});

function stubs(tenant: Tenant, session: string) {
  return [
    env.SESSION.getByName(objectName({ kind: "session", organization: tenant.organization, session })),
    env.SESSION.getByName(objectName({ kind: "organization", organization: tenant.organization })),
  ];
}

async function drain(tenant: Tenant, session: string): Promise<void> {
  for (const stub of stubs(tenant, session)) await runDurableObjectAlarm(stub);
}

async function rowsOf(tenant: Tenant, chain: string) {
  const { results } = await env.DB.prepare(
    "SELECT seq, kind, at, session_id, outcome, hash, body, private, salt FROM records WHERE organization_id = ? AND chain = ? ORDER BY seq",
  )
    .bind(tenant.organization, chain)
    .all<{
      seq: number;
      kind: string;
      at: number;
      hash: string;
      body: string;
      private: string;
      salt: string;
    }>();
  return results;
}

/** Plays one of everything that is recorded. */
async function play(tenant: Tenant): Promise<string> {
  await swear(tenant, OATH);
  const session = await newSession(tenant);
  const path = `/v1/sessions/${encodeURIComponent(session)}`;
  await must(`${path}/turns`, { key: tenant.key, json: { text: "please back up the skill" } });
  await shell(tenant, session, "rm ~/keep/a");
  const copy = await shell(tenant, session, "cp ~/skills/a.md /tmp/a.md");
  await report(tenant, session, { call_id: copy.json.call_id });
  await ask(tenant, session, { tool: "write_file", args: { path: "~/skills/a.md", content: "x" } });
  for (const sha256 of ["a".repeat(64), "b".repeat(64)])
    await must(`${path}/fingerprints`, {
      method: "PUT",
      key: tenant.key,
      json: { host: "h", rows: [{ path: "/home/u/keep/a", sha256 }] },
    });
  await send("/v1/oath", {
    method: "PUT",
    key: tenant.key,
    headers: { "if-match": '"1"' },
    json: { text: "" },
  });
  await send(`${path}/decisions`, { key: tenant.key, json: { surprise: 1 } });
  return session;
}

describe("D1", () => {
  it("holds, after the outbox has run, one row for every entry of every chain", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await play(tenant);
    await drain(tenant, session);
    for (const [chain, lines] of [
      [`session:${session}`, await ledgerOf(tenant, session)],
      ["organization", await ledgerOf(tenant)],
    ] as const) {
      const rows = await rowsOf(tenant, chain);
      expect(rows.map((row) => ({ seq: row.seq, kind: row.kind, at: row.at, hash: row.hash }))).toEqual(
        lines.map((line) => ({
          seq: line.entry.seq,
          kind: line.entry.kind,
          at: line.entry.at,
          hash: line.hash,
        })),
      );
      for (const [i, row] of rows.entries()) {
        expect(canonicalText(JSON.parse(row.body))).toBe(row.body);
        const commitment = lines[i]?.body.private;
        if (commitment === undefined) expect(row.private).toBeNull();
        else {
          const salt = Uint8Array.from(row.salt.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
          expect(privateCommitment(salt, row.private)).toBe(commitment);
        }
      }
    }
    const kinds = (await rowsOf(tenant, `session:${session}`)).map((row) => row.kind);
    for (const kind of [
      "session_opened",
      "turn",
      "decision",
      "outcome",
      "evidence",
      "outside_change",
      "refusal",
    ])
      expect(kinds).toContain(kind);
    const governed = (await rowsOf(tenant, "organization")).map((row) => row.kind);
    for (const kind of [
      "organization_created",
      "agent_created",
      "key_created",
      "oath_sworn",
      "refusal",
      "signed_in",
    ])
      expect(governed).toContain(kind);
  });

  it("is all that keeps private text once it has it", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await play(tenant);
    await drain(tenant, session);
    for (const stub of stubs(tenant, session))
      await runInDurableObject(stub, (_, state) => {
        const left = state.storage.sql
          .exec(
            "SELECT count(*) AS n FROM entries WHERE private IS NOT NULL OR salt IS NOT NULL OR publish IS NOT NULL",
          )
          .one();
        expect(left["n"]).toBe(0);
      });
  });
});

type Outage = (prepare: D1Database["prepare"], batch: D1Database["batch"]) => void;

const never = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error("gave up")), 60_000));
const fail = async (): Promise<never> => {
  throw new Error("D1_ERROR: the database is away");
};
const brokenStatement = (work: () => Promise<unknown>): D1PreparedStatement => {
  const statement = { bind: () => statement, first: work, all: work, run: work, raw: work };
  return statement as unknown as D1PreparedStatement;
};

/** Four ways in which a database can be away. Each is put in place for reads and writes alike. */
const OUTAGES: Record<string, Outage> = {
  "errors at once": () => {
    vi.spyOn(env.DB, "prepare").mockImplementation(() => brokenStatement(fail));
    vi.spyOn(env.DB, "batch").mockImplementation(fail);
  },
  "is slow": () => {
    const late = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
    vi.spyOn(env.DB, "prepare").mockImplementation(() => brokenStatement(late));
    vi.spyOn(env.DB, "batch").mockImplementation(late);
  },
  "never answers": () => {
    vi.spyOn(env.DB, "prepare").mockImplementation(() => brokenStatement(never));
    vi.spyOn(env.DB, "batch").mockImplementation(never);
  },
  "writes, and its reply is lost": (prepare, batch) => {
    vi.spyOn(env.DB, "prepare").mockImplementation(prepare);
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      await batch(statements);
      throw new Error("Network connection lost");
    });
  },
};

describe("while D1 is away", () => {
  for (const [name, begin] of Object.entries(OUTAGES))
    it(`and ${name}, decisions go on, and every row arrives once when it is back`, {
      timeout: 60_000,
    }, async ({ expect }) => {
      const tenant = await newTenant();
      await swear(tenant, OATH);
      const session = await newSession(tenant);
      expect((await shell(tenant, session, "ls")).json).toMatchObject({
        verdict: "allow",
        stale_policy: false,
      });
      const reads = name !== "writes, and its reply is lost";
      const [prepare, batch] = [env.DB.prepare.bind(env.DB), env.DB.batch.bind(env.DB)];
      begin(prepare, batch);
      const answers = await Promise.all([
        shell(tenant, session, "rm ~/keep/a"),
        shell(tenant, session, "ls -l"),
        shell(tenant, session, "ls -a"),
      ]);
      expect(answers.map((answer) => answer.json.verdict)).toEqual(["block", "allow", "allow"]);
      for (const answer of answers) expect(answer.json.stale_policy).toBe(reads);
      await drain(tenant, session);
      vi.restoreAllMocks();
      expect((await shell(tenant, session, "ls -t")).json).toMatchObject({
        verdict: "allow",
        stale_policy: false,
      });
      await drain(tenant, session);
      const lines = await ledgerOf(tenant, session);
      expect(lines.filter((line) => line.body.stale_policy === true)).toHaveLength(reads ? 3 : 0);
      expect((await rowsOf(tenant, `session:${session}`)).map((row) => row.hash)).toEqual(
        lines.map((line) => line.hash),
      );
      // The chain goes on to be delivered after a failure, too.
      await shell(tenant, session, "ls -S");
      await drain(tenant, session);
      expect(await rowsOf(tenant, `session:${session}`)).toHaveLength(lines.length + 1);
    });

  it("an isolate that never resolved the key, or did so over a minute ago, blocks", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const other = (
      await must(`/v1/agents/${tenant.agent}/keys`, { cookie: tenant.cookie, json: { name: "never used" } })
    ).json.key;
    expect((await shell(tenant, session, "ls")).json.verdict).toBe("allow");
    OUTAGES["errors at once"]?.(env.DB.prepare, env.DB.batch);
    const unknown = await shell({ ...tenant, key: other }, session, "ls");
    expect(unknown.status).toBe(200);
    expect(unknown.json).toMatchObject({
      verdict: "block",
      ledger: null,
      reasons: [{ rule_key: "guard:engine-error" }],
    });
    expect((await shell(tenant, session, "ls")).json.verdict).toBe("allow");
    vi.setSystemTime(Date.now() + 61_000);
    expect((await shell(tenant, session, "ls")).json).toMatchObject({ verdict: "block", ledger: null });
    vi.useRealTimers();
  });

  it("an oath can be recorded; it says that it is not yet in force, and the outbox brings it", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    vi.spyOn(env.DB, "batch").mockImplementation(fail);
    const sworn = await send("/v1/oath", {
      method: "PUT",
      cookie: tenant.cookie,
      headers: { "if-match": '"0"' },
      json: { text: OATH },
    });
    expect(sworn.status).toBe(503);
    expect(sworn.json).toMatchObject({ code: "publish-pending" });
    vi.restoreAllMocks();
    await drain(tenant, session);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("block");
    expect((await must("/v1/oath", { key: tenant.key })).json).toMatchObject({ version: 1, text: OATH });
  });
});

describe("the outbox", () => {
  it("changes nothing when an older state arrives after a newer one", async ({ expect }) => {
    const { organization } = await newTenant();
    const state = async (table: string, id: string | null, column: string) => {
      const own =
        id === null
          ? ""
          : ` AND ${table === "members" ? "member_id" : table === "agents" ? "agent_id" : "key_id"} = ?`;
      const row = await env.DB.prepare(`SELECT ${column} AS it FROM ${table} WHERE organization_id = ?${own}`)
        .bind(...(id === null ? [organization] : [organization, id]))
        .first<{ it: string | number | null }>();
      return row?.it;
    };
    const publish = (row: Record<string, unknown>, seq: number) =>
      publishEntries(env.DB, { org: organization, session: null }, [
        {
          seq: 1_000 + seq,
          hash: "0".repeat(64),
          entry: JSON.stringify({ kind: "x", at: 1, session: null }),
          body: "{}",
          private: null,
          salt: null,
          publish: JSON.stringify([{ ...row, created_at: 1, changed_seq: 1_000 + seq }]),
        },
      ]);
    const member = { op: "member", member_id: "mem_x", name: "x" };
    const agent = { op: "agent", agent_id: "agt_x", name: "x" };
    const key = { op: "key", key_id: "key_x", agent_id: "agt_x", name: "x", scopes: "[]", secret_hash: "x" };
    const cases = [
      ["organizations", null, "policy_version", "organization", { settings: "{}" }, "policy_version", 8, 9],
      ["members", "mem_x", "role", member, {}, "role", "owner", "viewer"],
      ["agents", "agt_x", "settings", agent, {}, "settings", "old", "new"],
      ["api_keys", "key_x", "revoked_at", key, {}, "revoked_at", null, 5],
    ] as const;
    for (const [table, id, column, op, more, name, older, newer] of cases) {
      const row = { ...(op === "organization" ? { op, name: "x" } : op), ...more };
      await publish({ ...row, [name]: older }, 1);
      expect(await state(table, id, column), table).toBe(older);
      await publish({ ...row, [name]: newer }, 3);
      expect(await state(table, id, column), table).toBe(newer);
      // The older one again, and alone: nothing newer comes behind it to mend what it would spoil.
      await publish({ ...row, [name]: older }, 2);
      expect(await state(table, id, column), table).toBe(newer);
    }
  });

  it("goes on in the next alarm where one does not suffice", { timeout: 60_000 }, async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const [stub] = stubs(tenant, session);
    if (stub === undefined) throw new Error("no stub");
    const refusal = { agent: null, member: null, key: null, operation: "x", code: "x", status: 400 };
    await runInDurableObject(stub, (object) => {
      for (let i = 0; i < 4_500; i += 1) (object as SessionObject).refuse({ session, ...refusal });
    });
    const count = async () =>
      (
        await env.DB.prepare("SELECT count(*) AS n FROM records WHERE organization_id = ? AND chain = ?")
          .bind(tenant.organization, `session:${session}`)
          .first<{ n: number }>()
      )?.n;
    await runDurableObjectAlarm(stub);
    expect(await count()).toBe(4_000);
    // The alarm of what is left is due at once.
    await vi.waitFor(async () => expect(await count()).toBe(4_501), { timeout: 20_000, interval: 100 });
  });
});
