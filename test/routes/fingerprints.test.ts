import { describe, it } from "vitest";
import {
  ask,
  ledgerOf,
  must,
  newSession,
  newTenant,
  openSession,
  report,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";

const OATH = "never delete: ~/keep/**\nnever modify: ~/one.md\n";
const A = "a".repeat(64);
const B = "b".repeat(64);

function put(tenant: Tenant, session: string, rows: unknown[], more: Record<string, unknown> = {}) {
  return send(`/v1/sessions/${encodeURIComponent(session)}/fingerprints`, {
    method: "PUT",
    key: tenant.key,
    json: { host: "laptop", rows, ...more },
  });
}

async function told(tenant: Tenant, session: string) {
  const answer = await must(`/v1/sessions/${encodeURIComponent(session)}/turns`, {
    key: tenant.key,
    json: { text: "go on" },
  });
  return answer.json.outside_changes as { path: string; change: string; host: string }[];
}

async function sworn(): Promise<{ tenant: Tenant; session: string }> {
  const tenant = await newTenant();
  await swear(tenant, OATH);
  return { tenant, session: await newSession(tenant) };
}

const file = (sha256: string, path = "/home/u/keep/a") => ({ path, sha256 });

describe("fingerprints", () => {
  it("become the baseline at first sight, and report what moves after that, once, on the next turn", async ({
    expect,
  }) => {
    const { tenant, session } = await sworn();
    expect((await put(tenant, session, [file(A)])).json).toMatchObject({
      outside_changes: [],
      ignored: 0,
      ledger: null,
    });
    expect((await put(tenant, session, [file(A)])).json.outside_changes).toEqual([]);
    const moved = await put(tenant, session, [file(B)]);
    expect(moved.json.outside_changes).toEqual([{ path: "/home/u/keep/a", change: "modified" }]);
    expect(await told(tenant, session)).toMatchObject([
      { path: "/home/u/keep/a", change: "modified", host: "laptop" },
    ]);
    expect(await told(tenant, session)).toEqual([]);
    expect((await put(tenant, session, [file(B)])).json.outside_changes).toEqual([]);
    const recorded = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "outside_change");
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.body).toMatchObject({ modified: 1, created: 0, deleted: 0, host: "laptop" });
    expect(JSON.stringify(recorded)).not.toContain("/home/u/keep");
    // Nothing that a path or a content could be tried against.
    expect(Object.keys(recorded[0]?.body).sort()).toEqual([
      "agent",
      "created",
      "deleted",
      "host",
      "key",
      "modified",
      "private",
    ]);
  });

  it("see every way in which a file moves", async ({ expect }) => {
    const { tenant, session } = await sworn();
    const path = "/home/u/keep/a";
    const states = [
      [{ path, sha256: A }, null],
      [{ path, size: 10, mtime: 5 }, "modified"],
      [{ path, size: 10, mtime: 5 }, null],
      [{ path, size: 10, mtime: 6 }, "modified"],
      [{ path, absent: true }, "deleted"],
      [{ path, absent: true }, null],
      [{ path, sha256: A }, "created"],
      [{ path, sha256: B }, "modified"],
      [{ path, sha256: A }, "modified"],
      [{ path, sha256: B }, "modified"],
    ] as const;
    for (const [row, change] of states) {
      const changes = (await put(tenant, session, [row])).json.outside_changes;
      expect(changes, JSON.stringify(row)).toEqual(change === null ? [] : [{ path, change }]);
    }
    const recorded = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "outside_change");
    expect(recorded).toHaveLength(states.filter(([, change]) => change !== null).length);
  });

  it("find files that came or went once a surface was reported whole", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A), file(A, "/home/u/one.md")], { complete: true });
    const next = await put(tenant, session, [file(A, "/home/u/keep/new"), file(A, "/home/u/one.md")], {
      complete: true,
    });
    expect(next.json.outside_changes).toEqual([
      { path: "/home/u/keep/new", change: "created" },
      { path: "/home/u/keep/a", change: "deleted" },
    ]);
  });

  it("outlive a session, and belong to one agent and one host", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    const later = await newSession(tenant);
    expect((await put(tenant, later, [file(B)], { host: "server" })).json.outside_changes).toEqual([]);
    expect((await put(tenant, later, [file(B)])).json.outside_changes).toHaveLength(1);
    expect((await put(tenant, session, [file(B)])).json.outside_changes).toEqual([]);
    const agent = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "second" } })).json.agent;
    const { key } = (await must(`/v1/agents/${agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    const second = { ...tenant, key };
    await openSession(second, "of the second agent");
    expect((await put(second, "of the second agent", [file(A)])).json.outside_changes).toEqual([]);
  });

  it("are moved by a call that was let through, in every session at once, and by nothing that it did not touch", async ({
    expect,
  }) => {
    const { tenant, session } = await sworn();
    const other = await newSession(tenant);
    await put(tenant, session, [file(A), file(A, "/home/u/keep/b")]);
    const call = (
      await ask(tenant, session, { tool: "write_file", args: { path: "/home/u/keep/a", content: "x" } })
    ).json;
    expect(call.verdict).toBe("allow");
    const outcome = await report(tenant, session, {
      call_id: call.call_id,
      host: "laptop",
      fingerprints: [file(B), file(B, "/home/u/keep/b")],
    });
    expect(outcome.json.outside_changes).toEqual([{ path: "/home/u/keep/b", change: "modified" }]);
    expect((await put(tenant, other, [file(B)])).json.outside_changes).toEqual([]);
  });

  it("are not moved by a call that failed, was blocked, or could not be seen into", async ({ expect }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A), file(A, "/home/u/one.md")]);
    const reported = async (call: { call_id: string }, path: string, sha256: string, outcome: string) =>
      (
        await report(tenant, session, {
          call_id: call.call_id,
          outcome,
          host: "laptop",
          fingerprints: [file(sha256, path)],
        })
      ).json.outside_changes;
    const failed = (
      await ask(tenant, session, { tool: "write_file", args: { path: "/home/u/keep/a", content: "x" } })
    ).json;
    expect(await reported(failed, "/home/u/keep/a", B, "error")).toHaveLength(1);
    const blocked = (
      await ask(tenant, session, { tool: "write_file", args: { path: "/home/u/one.md", content: "x" } })
    ).json;
    expect(blocked.verdict).toBe("block");
    expect(await reported(blocked, "/home/u/one.md", B, "success")).toHaveLength(1);
    const opaque = (await shell(tenant, session, "make all")).json;
    expect(opaque.reading.opaque.length).toBeGreaterThan(0);
    expect(await reported(opaque, "/home/u/keep/a", A, "success")).toHaveLength(1);
  });

  it("are taken of sworn files only", async ({ expect }) => {
    const { tenant, session } = await sworn();
    const rows = [file(A, "/etc/passwd"), file(A, "~/keep/../other"), file(A, "~/keep/x")];
    expect((await put(tenant, session, rows)).json).toMatchObject({ ignored: 2 });
    expect((await put(tenant, session, [file(A), file(A, "/a\u202eb")])).json).toMatchObject({
      status: 422,
      errors: [{ pointer: "/rows/1/path", code: "bidi" }],
    });
    for (const row of [
      { path: "/x" },
      { path: "/x", sha256: "A".repeat(64) },
      { path: "/x", sha256: A, absent: true },
    ])
      expect((await put(tenant, session, [row])).status, JSON.stringify(row)).toBe(422);
  });

  it("are recorded before the baseline moves: a crash in between finds them again, and records them once", async ({
    expect,
  }) => {
    const { tenant, session } = await sworn();
    await put(tenant, session, [file(A)]);
    const { SessionObject } = await import("../../src/durable/session.ts");
    const { vi } = await import("vitest");
    const accept = vi.spyOn(SessionObject.prototype, "accept").mockImplementationOnce(() => {
      throw new Error("lost before it was accepted");
    });
    expect((await put(tenant, session, [file(B)])).status).toBe(500);
    accept.mockRestore();
    expect((await put(tenant, session, [file(B)])).json.outside_changes).toHaveLength(1);
    const recorded = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "outside_change");
    expect(recorded).toHaveLength(1);
    expect(await told(tenant, session)).toHaveLength(1);
  });
});
