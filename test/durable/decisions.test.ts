import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, it, vi } from "vitest";
import type { SettleInput } from "../../src/durable/protocol.ts";
import { SessionObject } from "../../src/durable/session.ts";
import { verifyChain } from "../../src/ledger/index.ts";
import { ask, ledgerOf, must, newSession, newTenant, shell, swear } from "../support/api.ts";
import { settleInput, stubOf } from "./support.ts";

const OATH = "never delete: ~/keep/**\nalways require backup before modify: ~/skills/**\n";

/** Everything that can be called from outside; a name more is a door more. */
const SURFACE = [
  "accept",
  "alarm",
  "approval",
  "approvalRecord",
  "awaitApproval",
  "change",
  "claim",
  "compare",
  "context",
  "copiedApprovals",
  "decideApproval",
  "drift",
  "editApproval",
  "end",
  "extendApproval",
  "families",
  "forget",
  "governed",
  "keptLog",
  "linkApproval",
  "locate",
  "members",
  "open",
  "outcome",
  "page",
  "position",
  "redeliver",
  "refuse",
  "remove",
  "sealed",
  "settle",
  "status",
  "takeUpLog",
  "task",
  "tellsSingly",
  "turn",
  "typed",
] as const;

const original = SessionObject.prototype.settle;

describe("an object that is lost between commit and reply", () => {
  it("answers the retry with the same decision, on one entry", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    const answers: string[] = [];
    const settle = vi.spyOn(SessionObject.prototype, "settle");
    settle.mockImplementationOnce(async function (this: SessionObject, input: SettleInput) {
      const settled = original.call(this, input);
      if (settled.ok) answers.push(settled.answer);
      // It is committed; the caller never hears of it.
      await this.ctx.storage.sync();
      this.ctx.abort("lost between commit and reply");
      return settled;
    } as never);
    const first = await shell(tenant, session, "rm ~/keep/a", { call_id: "once" });
    // Whatever the caller got, it was no leave.
    expect(first.json.verdict ?? "none").not.toBe("allow");
    settle.mockRestore();
    const again = await shell(tenant, session, "rm ~/keep/a", { call_id: "once" });
    expect(again.status, again.text).toBe(200);
    expect(again.json.verdict).toBe("block");
    expect(again.text).toBe(answers[0]);
    const decided = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "decision");
    expect(decided).toHaveLength(1);
  });
});

describe("two hundred decisions at once on one session", () => {
  it("are two hundred entries on one chain, without a gap or a fork, each asked for once", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    const before = (await ledgerOf(tenant, session)).length;
    let rpcs = 0;
    // One type for all of them: the union of theirs is more than the compiler takes.
    const surface = SessionObject.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    const spies = SURFACE.filter((name) => name !== "alarm").map((name) => {
      const method = surface[name];
      return vi.spyOn(surface, name).mockImplementation(function (this: unknown, ...args: unknown[]) {
        rpcs += 1;
        return method?.apply(this, args);
      });
    });
    // Each changes what the session knows: it makes evidence once it is reported, and voids what it overwrites.
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => shell(tenant, session, `cp ~/skills/${i}.md /tmp/${i}.md`)),
    );
    for (const spy of spies) spy.mockRestore();
    expect(rpcs).toBeGreaterThanOrEqual(200);
    expect(answers.every((answer) => answer.json.verdict === "allow")).toBe(true);
    expect(rpcs).toBeLessThanOrEqual(220);
    const seqs = answers.map((answer) => answer.json.ledger.seq as number).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 200 }, (_, i) => before + i + 1));
    const { text } = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger`, {
      cookie: tenant.cookie,
    });
    expect(verifyChain(text)).toMatchObject({ ok: true, entries: before + 200 });
  });

  it("take the object no longer than three times as many plain appends", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const stub = stubOf(tenant, session);
    const wall = async (work: (i: number) => unknown): Promise<number> => {
      const start = performance.now();
      await Promise.all(Array.from({ length: 200 }, (_, i) => work(i)));
      return performance.now() - start;
    };
    const refusal = {
      session,
      agent: null,
      member: null,
      key: null,
      operation: "x",
      code: "forbidden",
      status: 403,
    };
    const [plain, full] = [[] as number[], [] as number[]];
    for (let round = 0; round < 7; round += 1) {
      plain.push(await wall(() => stub.refuse(refusal)));
      full.push(await wall((i) => stub.settle(settleInput(tenant, session, `${round} ${i}`))));
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[3] ?? 0;
    expect(median(full) / median(plain)).toBeLessThan(3);
  });
});

describe("an oath that changes", () => {
  it("governs the very next decision, and refuses a reading made on the older one", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("allow");
    await swear(tenant, OATH);
    const blocked = await shell(tenant, session, "rm ~/keep/a");
    expect(blocked.json).toMatchObject({ verdict: "block", reasons: [{ cite: { version: 1, line: 1 } }] });
    await swear(tenant, "# nothing is sworn any more\n", 1);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("allow");
    expect(blocked.json.policy_version).toBeLessThan(
      (await shell(tenant, session, "ls")).json.policy_version,
    );
    // From an isolate that has not heard of it.
    const settled = await stubOf(tenant, session).settle({
      ...settleInput(tenant, session, "late"),
      policy_version: 1,
    });
    expect(settled).toMatchObject({ ok: false, code: "stale-policy" });
  });

  it("is followed by an isolate that read a session's environment before it changed", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("block");
    // Behind this isolate's back, as another would: the home moves.
    await stubOf(tenant, session).open({
      session,
      agent: tenant.agent,
      key: tenant.key_id,
      relation: null,
      parent: null,
      environment: { home: "/home/else", cwd: null, variables: {}, os: "linux" },
      platform: null,
      private: { text: "{}", salt: new Uint8Array(32) },
    });
    expect((await shell(tenant, session, "rm /home/u/keep/a")).json.verdict).toBe("allow");
    expect((await shell(tenant, session, "rm /home/else/keep/a")).json.verdict).toBe("block");
  });
});

describe("an object", () => {
  it("keeps everything when it is lost from memory", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    const first = await shell(tenant, session, "rm ~/keep/a", { call_id: "1" });
    await abortAllDurableObjects();
    expect((await shell(tenant, session, "rm ~/keep/a", { call_id: "1" })).text).toBe(first.text);
    await shell(tenant, session, "ls");
    const { text } = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger`, {
      cookie: tenant.cookie,
    });
    expect(verifyChain(text)).toMatchObject({ ok: true, entries: 3 });
  });

  it("stores nothing for a name that nobody opened", async ({ expect }) => {
    const tenant = await newTenant();
    for (const session of ["never opened", "nor this"]) {
      expect((await ask(tenant, session, { tool: "terminal", args: { command: "ls" } })).status).toBe(404);
      await runInDurableObject(stubOf(tenant, session), (_, state) => {
        expect(state.storage.sql.exec("SELECT count(*) AS n FROM sqlite_master").one()["n"]).toBe(0);
      });
    }
  });

  it("lets nobody call what is not its surface", async ({ expect }) => {
    const names = Object.getOwnPropertyNames(SessionObject.prototype);
    expect(names.filter((name) => name !== "constructor").sort()).toEqual([...SURFACE].sort());
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const stub = stubOf(tenant, session) as unknown as Record<string, () => Promise<unknown>>;
    for (const name of ["#write", "tables", "chain", "ctx", "env"])
      await expect(async () => await stub[name]?.()).rejects.toThrow();
  });

  it("never runs a chain's time backwards", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    vi.setSystemTime(Date.now() - 60_000);
    const answer = await shell(tenant, session, "ls");
    vi.useRealTimers();
    const [opened, decided] = await ledgerOf(tenant, session);
    expect(decided?.entry.at).toBeGreaterThanOrEqual(opened?.entry.at ?? 0);
    expect(answer.json.at).toBe(decided?.entry.at);
  });
});
