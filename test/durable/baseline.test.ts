import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, it, vi } from "vitest";
import type { CompareInput, FingerprintRow } from "../../src/durable/protocol.ts";
import { SessionObject } from "../../src/durable/session.ts";
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
import { agentStubOf, stubOf } from "./support.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const C = "c".repeat(64);
const PATH = "/home/u/keep/a";

afterEach(() => {
  vi.restoreAllMocks();
});

async function sworn(text = "never delete: ~/keep/**\n"): Promise<{ tenant: Tenant; session: string }> {
  const tenant = await newTenant();
  await swear(tenant, text);
  return { tenant, session: await newSession(tenant) };
}

const file = (sha256: string, path = PATH) => ({ path, sha256 });

function put(tenant: Tenant, session: string, rows: unknown[], more: Record<string, unknown> = {}) {
  return send(`/v1/sessions/${encodeURIComponent(session)}/fingerprints`, {
    method: "PUT",
    key: tenant.key,
    json: { host: "laptop", rows, ...more },
  });
}

async function changesOf(tenant: Tenant, session: string, rows: unknown[]) {
  return (await put(tenant, session, rows)).json.outside_changes;
}

async function write(tenant: Tenant, session: string, path = PATH) {
  const call = (await ask(tenant, session, { tool: "write_file", args: { path, content: "x" } })).json;
  return call.call_id as string;
}

function reported(rows: FingerprintRow[], more: Partial<CompareInput> = {}): CompareInput {
  return {
    host: "h",
    rows: rows.map((row) => ({ row, held_by: [0], licensed: false })),
    surfaces: ["/**"],
    complete: [],
    licence: null,
    fold_case: false,
    ...more,
  };
}

describe("a baseline", () => {
  it("moves only from the state that was compared", async ({ expect }) => {
    const tenant = await newTenant();
    const stub = agentStubOf(tenant);
    await stub.compare(reported([file(A)]));
    const first = await stub.compare(reported([file(B)]));
    const second = await stub.compare(reported([file(C)]));
    if (!first.ok || !second.ok) throw new Error("refused");
    await stub.accept("h", second.moves);
    // What was compared with A comes late: C stands.
    await stub.accept("h", first.moves);
    expect(await stub.compare(reported([file(C)]))).toMatchObject({ changes: [] });
    // A file that it did not know was made known meanwhile.
    await stub.compare(reported([], { complete: ["/**"] }));
    const created = await stub.compare(reported([file(A, "/new")]));
    if (!created.ok) throw new Error("refused");
    expect(created.changes).toEqual([{ path: "/new", change: "created" }]);
    await stub.accept("h", created.moves);
    await stub.accept("h", created.moves);
    expect(await stub.compare(reported([file(A, "/new")]))).toMatchObject({ changes: [] });
  });

  it("names a change that comes back as another one", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    // Recorded, and lost before it was accepted.
    vi.spyOn(SessionObject.prototype, "accept").mockImplementationOnce(() => {
      throw new Error("lost");
    });
    expect((await put(tenant, session, [file(B)])).status).toBe(500);
    const outcome = (fingerprints: unknown[]) =>
      write(tenant, session).then((call_id) =>
        report(tenant, session, { call_id, host: "laptop", fingerprints }),
      );
    expect((await outcome([file(B)])).json.outside_changes).toEqual([]);
    expect((await outcome([file(A)])).json.outside_changes).toEqual([]);
    expect(await changesOf(tenant, session, [file(B)])).toHaveLength(1);
    const recorded = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "outside_change");
    expect(recorded).toHaveLength(2);
  });

  it("has a bound for files, surfaces and hosts, and says which", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    const full = (column: string, value: number) =>
      runInDurableObject(agentStubOf(tenant), (_, { storage: { sql } }) => {
        sql.exec(`UPDATE hosts SET ${column} = ?`, value);
      });
    await full("files", 50_000);
    const refused = await put(tenant, session, [file(A, "/home/u/keep/b")]);
    expect(refused.json).toMatchObject({ code: "conflict", status: 409 });
    expect(refused.json.detail).toContain("50000 sworn files");
    expect(await changesOf(tenant, session, [file(B)])).toHaveLength(1);
    await full("files", 1);
    await full("surfaces", 10_000);
    expect((await put(tenant, session, [file(B)], { complete: true })).json.detail).toContain("surfaces");
    await runInDurableObject(agentStubOf(tenant), (_, { storage: { sql } }) => {
      for (let i = 0; i < 999; i += 1) sql.exec("INSERT INTO hosts VALUES (?, 1, 0, 0)", `h${i}`);
    });
    expect((await put(tenant, session, [file(A)], { host: "one more" })).json.detail).toContain("1000 hosts");
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({ code: "conflict" });
  });

  it("counts what it holds", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A), file(A, "/home/u/keep/b")], { complete: true });
    await put(tenant, session, [file(B), file(A, "/home/u/keep/b"), file(A, "/home/u/keep/c")]);
    await runInDurableObject(agentStubOf(tenant), (_, { storage: { sql } }) => {
      expect(sql.exec("SELECT files, surfaces FROM hosts").one()).toEqual({ files: 3, surfaces: 1 });
      expect(sql.exec("SELECT count(*) AS n FROM fingerprints").one()).toEqual({ n: 3 });
    });
  });
});

describe("an outcome", () => {
  it("licenses its fingerprints once, and no others on being repeated", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    const call_id = await write(tenant, session);
    const first = { call_id, host: "laptop", fingerprints: [file(B)] };
    expect((await report(tenant, session, first)).json.outside_changes).toEqual([]);
    expect((await report(tenant, session, first)).json.outside_changes).toEqual([]);
    // Repeated with what was not reported then.
    const other = await report(tenant, session, { ...first, fingerprints: [file(C)] });
    expect(other.json.outside_changes).toEqual([{ path: PATH, change: "modified" }]);
    // Repeated word for word, after the file moved on.
    const again = await report(tenant, session, first);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.json.outside_changes).toEqual([{ path: PATH, change: "modified" }]);
  });

  it("that was reported without fingerprints licenses none later", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    const call_id = await write(tenant, session);
    await report(tenant, session, { call_id });
    const later = await report(tenant, session, { call_id, host: "laptop", fingerprints: [file(B)] });
    expect(later.json.outside_changes).toHaveLength(1);
  });

  it("licenses what it reported when the first attempt was lost on the way, for an hour", async ({
    expect,
  }) => {
    for (const [minutes, changes] of [
      [1, 0],
      [61, 1],
    ] as const) {
      const { tenant, session } = await sworn();
      await put(tenant, session, [file(A)]);
      const call_id = await write(tenant, session);
      const compare = vi.spyOn(SessionObject.prototype, "compare").mockImplementationOnce(() => {
        throw new Error("lost");
      });
      const outcome = { call_id, host: "laptop", fingerprints: [file(B)] };
      expect((await report(tenant, session, outcome)).status).toBe(500);
      compare.mockRestore();
      await runInDurableObject(stubOf(tenant, session), (_, { storage: { sql } }) => {
        sql.exec("UPDATE calls SET outcome_at = outcome_at - ?", minutes * 60_000);
      });
      expect((await report(tenant, session, outcome)).json.outside_changes, `${minutes}`).toHaveLength(
        changes,
      );
    }
  });

  it("stands with who answered the ask: another answer is another outcome", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never modify: ~/keep/**\n");
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { engines: { oath: "ask", fence: "off" } },
    });
    const session = await newSession(tenant);
    await put(tenant, session, [file(A)]);
    const call_id = await write(tenant, session);
    const plain = { call_id, host: "laptop", fingerprints: [file(B)] };
    expect((await report(tenant, session, plain)).json.outside_changes).toHaveLength(1);
    const claimed = await report(tenant, session, { ...plain, answered_by: "harness" });
    expect(claimed.json).toMatchObject({ code: "outcome-already-reported" });
  });

  it("is not recorded when its fingerprints cannot be read", async ({ expect }) => {
    const { tenant, session } = await sworn();
    const call_id = await write(tenant, session);
    const bad = await report(tenant, session, {
      call_id,
      host: "laptop",
      fingerprints: [file(A), file(A, "/a\u202eb")],
    });
    expect(bad.json).toMatchObject({
      code: "invalid-request",
      errors: [{ pointer: "/fingerprints/1/path", code: "bidi" }],
    });
    expect((await ledgerOf(tenant, session)).map((line) => line.entry.kind)).not.toContain("outcome");
  });
});

describe("two ways to tell a file's state", () => {
  const both = { path: PATH, sha256: A, size: 10, mtime: 5 };
  const cases: [string, object, object, string | null][] = [
    ["a hash, then all three", { path: PATH, sha256: A }, both, null],
    ["all three, then a hash", both, { path: PATH, sha256: A }, null],
    ["all three, then size and time", both, { path: PATH, size: 10, mtime: 5 }, null],
    ["size and time, then all three", { path: PATH, size: 10, mtime: 5 }, both, null],
    ["all three, touched", both, { ...both, mtime: 6 }, null],
    ["all three, with another hash", both, { ...both, sha256: B }, "modified"],
    ["all three, then another time", both, { path: PATH, size: 10, mtime: 6 }, "modified"],
    // Nothing in common: a file that grew past the limit looks the same as one whose limit was lowered.
    ["a hash, then size and time", { path: PATH, sha256: A }, { path: PATH, size: 10, mtime: 5 }, "modified"],
    ["size and time, then a hash", { path: PATH, size: 10, mtime: 5 }, { path: PATH, sha256: A }, "modified"],
  ];
  for (const [name, before, after, change] of cases)
    it(`are compared by what they share: ${name}`, async ({ expect }) => {
      const { tenant, session } = await sworn();
      await put(tenant, session, [before]);
      expect(await changesOf(tenant, session, [after])).toEqual(
        change === null ? [] : [{ path: PATH, change }],
      );
      expect(await changesOf(tenant, session, [after])).toEqual([]);
    });

  it("do not lose what the other one knew", async ({ expect }) => {
    const { tenant, session } = await sworn();
    for (const row of [{ path: PATH, sha256: A }, both, { path: PATH, size: 10, mtime: 5 }])
      expect(await changesOf(tenant, session, [row])).toEqual([]);
    expect(await changesOf(tenant, session, [{ ...both, sha256: B }])).toHaveLength(1);
  });
});

describe("patterns that cost too much to compare", () => {
  it("hold a report no longer than its budget, and count its files as sworn", async ({ expect }) => {
    const lines = Array.from({ length: 60 }, (_, i) => `never delete: /${"*a".repeat(480)}b${i}`);
    const { tenant, session } = await sworn(lines.join("\n"));
    const rows = (sha256: string) =>
      Array.from({ length: 200 }, (_, i) => ({ path: `/${"a".repeat(3_900)}${i}`, sha256 }));
    const start = performance.now();
    const first = await put(tenant, session, rows(A));
    expect(first.json).toMatchObject({ outside_changes: [], ignored: 0 });
    const second = await put(tenant, session, rows(B));
    expect(second.json.outside_changes.length).toBeGreaterThan(50);
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});
