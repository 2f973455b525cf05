import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import {
  ask,
  ledgerOf,
  must,
  newSession,
  newTenant,
  report,
  send,
  swear,
  type Tenant,
} from "../support/api.ts";
import { largestRow, sizeOf, stubOf } from "./support.ts";

/** What production takes in a row, a value and a bound parameter. The local runtime takes more. */
const LIMIT = 2_000_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** The size of every parameter that is bound from now on, and of those that are lists. */
function boundSizes(): { all: number[]; lists: number[] } {
  const sizes: { all: number[]; lists: number[] } = { all: [], lists: [] };
  const prepare = env.DB.prepare.bind(env.DB);
  vi.spyOn(env.DB, "prepare").mockImplementation((sql) => {
    const statement = prepare(sql);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values) => {
      sizes.all.push(...values.map(sizeOf));
      sizes.lists.push(...values.filter((value) => String(value).startsWith("[{")).map(sizeOf));
      return bind(...values);
    };
    return statement;
  });
  return sizes;
}

async function delivered(tenant: Tenant, session: string): Promise<{ rows: number; largest: number }> {
  const { results } = await env.DB.prepare(
    "SELECT seq, octet_length(body) + coalesce(octet_length(private), 0) AS bytes FROM records WHERE organization_id = ? AND chain = ?",
  )
    .bind(tenant.organization, `session:${session}`)
    .all<{ bytes: number }>();
  return { rows: results.length, largest: Math.max(...results.map((row) => row.bytes)) };
}

function turn(tenant: Tenant, session: string, text: string) {
  return send(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key: tenant.key, json: { text } });
}

describe("text of more bytes than characters", () => {
  it("fits every row and every parameter, and is delivered", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, `never create: /**\n${"# 誓\n".repeat(1_000)}`);
    const session = await newSession(tenant);
    const sizes = boundSizes();
    for (let i = 0; i < 4; i += 1)
      expect((await turn(tenant, session, "字".repeat(256 * 1024))).status).toBe(200);
    expect((await turn(tenant, session, "👍".repeat(128 * 1024))).status).toBe(200);
    // Escapes cost most: six bytes each as they are sent, seven where JSON holds JSON.
    expect((await turn(tenant, session, "\u0001".repeat(170_000))).status).toBe(200);
    expect((await turn(tenant, session, '"\\'.repeat(128 * 1024))).status).toBe(200);
    const content = "字".repeat(250_000);
    expect((await ask(tenant, session, { tool: "write_file", args: { path: "~/a", content } })).status).toBe(
      200,
    );
    const { bytes } = await largestRow(stubOf(tenant, session));
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(LIMIT);
    await runDurableObjectAlarm(stubOf(tenant, session));
    const lines = await ledgerOf(tenant, session);
    expect(await delivered(tenant, session)).toMatchObject({ rows: lines.length });
    expect((await delivered(tenant, session)).largest).toBeLessThan(LIMIT);
    expect(Math.max(...sizes.all)).toBeGreaterThan(1_000_000);
    expect(Math.max(...sizes.all)).toBeLessThan(LIMIT);
    // JSON inside JSON is escaped twice: what is large does not go there.
    expect(Math.max(...sizes.lists)).toBeLessThan(1_000_100);
  });

  it("shares a parameter with others only as far as they fit", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (let i = 0; i < 12; i += 1) await turn(tenant, session, '"'.repeat(120_000));
    const sizes = boundSizes();
    await runDurableObjectAlarm(stubOf(tenant, session));
    expect(await delivered(tenant, session)).toMatchObject({ rows: 13 });
    expect(Math.max(...sizes.lists)).toBeGreaterThan(900_000);
    expect(Math.max(...sizes.lists)).toBeLessThan(1_000_100);
  });
});

describe("a call on many long paths", () => {
  it("is kept within a row, and moves no fingerprints once there are too many to keep", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/keep/**\nalways require backup before create: /etc/**\n");
    const session = await newSession(tenant);
    const name = "漢".repeat(1_000);
    const first = `/home/u/keep/${name}0`;
    await put(tenant, session, [{ path: first, sha256: "a".repeat(64) }]);
    const patch = ["*** Begin Patch"];
    for (let i = 0; i < 120; i += 1) patch.push(`*** Add File: /home/u/keep/${name}${i}`, "+x");
    patch.push("*** End Patch");
    const call = await ask(tenant, session, {
      tool: "patch",
      args: { mode: "patch", patch: patch.join("\n") },
    });
    expect(call.json.verdict, call.text.slice(0, 300)).toBe("allow");
    const outcome = await report(tenant, session, {
      call_id: call.json.call_id,
      host: "laptop",
      fingerprints: [{ path: first, sha256: "b".repeat(64) }],
    });
    expect(outcome.json.outside_changes).toEqual([{ path: first, change: "modified" }]);
    expect((await largestRow(stubOf(tenant, session))).bytes).toBeLessThan(LIMIT);
  });

  it("is recorded by a hash where even its private text would not fit", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const patch = ["*** Begin Patch"];
    for (let i = 0; i < 195; i += 1) patch.push(`*** Add File: /${"漢".repeat(1_300)}${i}`, "+x");
    patch.push("*** End Patch");
    const call = await ask(tenant, session, {
      tool: "patch",
      args: { mode: "patch", patch: patch.join("\n") },
    });
    expect(call.json.verdict, call.text.slice(0, 300)).toBe("allow");
    expect((await largestRow(stubOf(tenant, session))).bytes).toBeLessThan(LIMIT);
    await runDurableObjectAlarm(stubOf(tenant, session));
    const row = await env.DB.prepare(
      "SELECT private FROM records WHERE organization_id = ? AND kind = 'decision'",
    )
      .bind(tenant.organization)
      .first<{ private: string }>();
    const kept = JSON.parse(row?.private ?? "{}");
    expect(Object.values(kept)).toContainEqual({
      omitted: { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it("is blocked with all its reasons, within a row", async ({ expect }) => {
    const tenant = await newTenant();
    const long = "漢".repeat(330);
    const lines = Array.from({ length: 60 }, (_, i) => `never create: ~/${long}${i}/**`);
    await swear(tenant, lines.join("\n"));
    const session = await newSession(tenant);
    const patch = ["*** Begin Patch"];
    for (let i = 0; i < 900; i += 1)
      patch.push(`*** Add File: /home/u/${long}${i % 60}/${long}${long}${i}`, "+x");
    patch.push("*** End Patch");
    const call = await ask(tenant, session, {
      tool: "patch",
      args: { mode: "patch", patch: patch.join("\n") },
    });
    expect(call.json.verdict, call.text.slice(0, 300)).toBe("block");
    expect((await largestRow(stubOf(tenant, session))).bytes).toBeLessThan(LIMIT);
  });
});

function put(tenant: Tenant, session: string, rows: unknown[], more: Record<string, unknown> = {}) {
  return must(`/v1/sessions/${encodeURIComponent(session)}/fingerprints`, {
    method: "PUT",
    key: tenant.key,
    json: { host: "laptop", rows, ...more },
  });
}

describe("changes from outside", () => {
  it("are named as far as their text fits, and the next report names the rest", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/keep/**\n");
    const session = await newSession(tenant);
    const rows = (digit: string) =>
      Array.from({ length: 220 }, (_, i) => ({
        path: `/home/u/keep/${"漢".repeat(1_300)}${i}`,
        sha256: digit.repeat(64),
      }));
    await put(tenant, session, rows("a"));
    const found: number[] = [];
    for (;;) {
      const { outside_changes: changes } = (await put(tenant, session, rows("b"))).json;
      if (changes.length === 0) break;
      found.push(changes.length);
    }
    expect(found.length).toBeGreaterThan(2);
    expect(found.reduce((a, b) => a + b)).toBe(220);
    const { bytes } = await largestRow(stubOf(tenant, session));
    expect(bytes).toBeLessThan(600_000);
    // Each is told once, oldest first, as far as an answer has room.
    const told: string[] = [];
    for (let more = 1; more > 0; ) {
      const answer = (await turn(tenant, session, "go on")).json;
      expect(JSON.stringify(answer.outside_changes).length).toBeLessThan(300_000);
      told.push(...answer.outside_changes.map((change: { path: string }) => change.path));
      more = answer.outside_changes_more;
      expect(more).toBe(220 - told.length);
    }
    expect(told).toEqual(rows("b").map((row) => row.path));
  });

  it("are told two hundred at a time", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never delete: ~/keep/**\n");
    const session = await newSession(tenant);
    const rows = (digit: string) =>
      Array.from({ length: 450 }, (_, i) => ({ path: `/home/u/keep/${i}`, sha256: digit.repeat(64) }));
    await put(tenant, session, rows("a"));
    await put(tenant, session, rows("b"));
    const told: [number, number][] = [];
    for (let i = 0; i < 4; i += 1) {
      const { outside_changes: changes, outside_changes_more: more } = (await turn(tenant, session, "x"))
        .json;
      told.push([changes.length, more]);
    }
    expect(told).toEqual([
      [200, 250],
      [200, 50],
      [50, 0],
      [0, 0],
    ]);
  });

  it("are asked for in a list of bounded size, of which a report can be complete", async ({ expect }) => {
    const tenant = await newTenant();
    const lines = Array.from({ length: 400 }, (_, i) => `never delete: $DEEP/${i}/**`);
    await swear(tenant, lines.join("\n"));
    const session = await newSession(tenant, { variables: { DEEP: `/${"d".repeat(3_000)}` } });
    const path = `/${"d".repeat(3_000)}`;
    await put(tenant, session, [
      { path: `${path}/0/a`, sha256: "a".repeat(64) },
      { path: `${path}/399/a`, sha256: "a".repeat(64) },
    ]);
    const answer = (await put(tenant, session, [], { complete: true })).json;
    const { surfaces, surfaces_more } = answer.fingerprint;
    expect(surfaces.length).toBeLessThan(100);
    expect(surfaces.length + surfaces_more).toBe(400);
    expect(answer.outside_changes).toEqual([{ path: `${path}/0/a`, change: "deleted" }]);
  });
});

describe("what grows with a session", () => {
  it("is found by an index that holds only what still counts", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await runInDurableObject(stubOf(tenant, session), (_, { storage: { sql } }) => {
      const plan = (query: string) =>
        sql
          .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`)
          .toArray()
          .map((row) => row.detail)
          .join("; ");
      for (const [query, index] of [
        ["SELECT host FROM drift WHERE told_seq IS NULL ORDER BY id LIMIT 200", "drift_untold"],
        ["SELECT count(*) FROM drift WHERE told_seq IS NULL", "drift_untold"],
        ["UPDATE drift SET told_seq = 1 WHERE told_seq IS NULL AND id <= 9", "drift_untold"],
        [
          "SELECT src FROM evidence WHERE kind = 'backup' AND voided_seq IS NULL ORDER BY id DESC",
          "evidence_standing",
        ],
        [
          "SELECT overwritten FROM calls WHERE acts = 1 AND overwritten IS NOT NULL AND seq > 9 LIMIT 9",
          "calls_overwriting",
        ],
      ] as const)
        expect(plan(query), query).toContain(index);
    });
  });
});
