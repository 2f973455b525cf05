/** Who waits for an answer: woken by it and by nothing else, never with an error, and not without bounds. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, it, vi } from "vitest";
import { SessionObject } from "../../src/durable/session.ts";
import { stubOf } from "../durable/support.ts";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  type Send,
  send,
  shell,
  swear,
  type Tenant,
} from "../support/api.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const ASKING = { engines: { fence: "enforce" } };
const COMMAND = "git push origin main";
/** A waiter that is woken by the answer comes back long before its own time is over. */
const WAIT_SECONDS = 20;
const SOON_MS = 5_000;

interface Asked {
  readonly tenant: Tenant;
  readonly session: string;
  readonly id: string;
  readonly digest: string;
}

async function asked(settings: object = ASKING, command = COMMAND): Promise<Asked> {
  const tenant = await newTenant("Waiting", settings);
  const session = await newSession(tenant);
  const answer = await shell(tenant, session, command, { call_id: "first" });
  if (answer.json.verdict !== "ask") throw new Error(answer.text);
  return { tenant, session, id: answer.json.approval.id, digest: answer.json.action_digest };
}

const wait = ({ tenant, id }: Asked, seconds: number | string = WAIT_SECONDS): Promise<Answer> =>
  send(`/v1/approvals/${id}?wait=${seconds}`, { key: tenant.key });

/** The call again, with a `Prefer` of its own. */
const again = ({ tenant, session }: Asked, prefer: string, call_id = "first"): Promise<Answer> =>
  send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
    key: tenant.key,
    headers: { prefer },
    json: { call_id, tool: "terminal", args: { command: COMMAND } },
  });

const decide = (
  { tenant, id, digest }: Asked,
  decision: "approve" | "deny",
  by: Pick<Send, "cookie"> = {},
): Promise<Answer> =>
  must(`/v1/approvals/${id}/decision`, {
    cookie: tenant.cookie,
    ...by,
    json: { decision, action_digest: digest },
  });

const inObject = <T>(
  { tenant, session }: Asked,
  work: (object: SessionObject, state: DurableObjectState) => T | Promise<T>,
): Promise<T> => runInDurableObject(stubOf(tenant, session), work);

/** What an object's storage says, changed under its feet: the time of an ask is at least half a minute. */
const expireIn = (one: Asked, ms: number) =>
  inObject(one, (_, { storage }) => {
    storage.sql.exec("UPDATE approvals SET expires_at = ? WHERE id = ?", Date.now() + ms, one.id);
  });

/** Resets the object as a crash would: what it holds in memory is gone, and whoever called it gets an error. */
async function reset(one: Asked): Promise<void> {
  try {
    await inObject(one, (_, state) => state.abort("reset by a test"));
  } catch {
    // The call that resets it dies with it.
  }
}

/** Counts how often objects are asked, so that polling would be seen. */
function counted(): { readonly waits: () => number; readonly reads: () => number } {
  const waits = vi.spyOn(SessionObject.prototype, "awaitApproval");
  const reads = vi.spyOn(SessionObject.prototype, "approvalRecord");
  return { waits: () => waits.mock.calls.length, reads: () => reads.mock.calls.length };
}

const waiting = (count: ReturnType<typeof counted>, many: number): Promise<void> =>
  untilTrue(() => count.waits() >= many);

async function untilTrue(test: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (test()) return;
    await scheduler.wait(10);
  }
  throw new Error("it did not come about");
}

describe("whoever waits for an approval", () => {
  it("is woken by the decision, two hundred of them by one, and nobody asks in between", async ({
    expect,
  }) => {
    const one = await asked();
    const count = counted();
    const all = Array.from({ length: 200 }, () => wait(one));
    await waiting(count, 200);
    const began = Date.now();
    await decide(one, "approve");
    const answers = await Promise.all(all);
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    for (const { status, json } of answers)
      expect([status, json.approval.status, json.approval.decided_by.member]).toEqual([
        200,
        "approved",
        one.tenant.owner,
      ]);
    // One more for the row by which other isolates find the approval.
    expect(count.waits()).toBe(200);
    expect(count.reads()).toBeLessThanOrEqual(201);
    expect((await ledgerOf(one.tenant, one.session)).map(({ entry }) => entry.kind)).toEqual([
      "session_opened",
      "decision",
      "approval_decided",
    ]);
  });

  it("is woken when its time has run out, and that is on record then", async ({ expect }) => {
    const one = await asked();
    await expireIn(one, 300);
    const began = Date.now();
    const { json } = await wait(one);
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    expect(json.approval).toMatchObject({ status: "expired", decided_by: null });
    expect((await ledgerOf(one.tenant, one.session)).at(-1)).toMatchObject({
      entry: { kind: "approval_decided" },
      body: { approval: one.id, outcome: "expired", by: null },
    });
  });

  it("sleeps through what is no answer: a vote of two, more time, another approval's decision", async ({
    expect,
  }) => {
    const one = await asked({
      ...ASKING,
      approvals: { demands: [{ risks: ["EXTERNAL_WRITE"], people: 2 }] },
    });
    const second = await shell(one.tenant, one.session, "git push origin other", { call_id: "other" });
    const other = { ...one, id: second.json.approval.id, digest: second.json.action_digest };
    let woken = false;
    const waits = wait(one).then((answer) => {
      woken = true;
      return answer;
    });
    expect((await decide(one, "approve")).json.tap).toBe("counted");
    await must(`/v1/approvals/${one.id}/extension`, { method: "POST", cookie: one.tenant.cookie });
    await decide(other, "deny");
    await scheduler.wait(300);
    expect(woken).toBe(false);
    const { cookie } = await newMember(one.tenant, "approver");
    expect((await decide(one, "approve", { cookie })).json.tap).toBe("decided");
    expect((await waits).json.approval).toMatchObject({ status: "approved", approvals: 2 });
  });

  it("is told `pending` when its own time is over, and at once what is decided already", async ({
    expect,
  }) => {
    const one = await asked();
    const began = Date.now();
    const { json } = await wait(one, 1);
    expect(json.approval.status).toBe("pending");
    expect(Date.now() - began).toBeGreaterThanOrEqual(950);
    await decide(one, "deny");
    const after = Date.now();
    expect((await wait(one)).json.approval.status).toBe("denied");
    expect(Date.now() - after).toBeLessThan(SOON_MS);
  });

  it("is told `pending`, and no error, when the object is reset", async ({ expect }) => {
    const one = await asked();
    const count = counted();
    const all = Array.from({ length: 20 }, () => wait(one));
    const deciding = again(one, `wait=${WAIT_SECONDS}`);
    await waiting(count, 21);
    await reset(one);
    for (const { status, json, text } of await Promise.all(all))
      expect([status, json.approval?.status], text).toEqual([200, "pending"]);
    const decision = await deciding;
    expect(decision.json, decision.text).toMatchObject({
      verdict: "ask",
      approval: { id: one.id, status: "pending" },
    });
    // Nobody is lost by it: the next wait is answered as ever.
    const next = wait(one);
    await scheduler.wait(100);
    await decide(one, "approve");
    expect((await next).json.approval.status).toBe("approved");
  });

  it("is one of at most a thousand; more are answered at once with what stands", async ({ expect }) => {
    const one = await asked();
    let back = 0;
    await inObject(one, (object) => {
      for (let i = 0; i < 1_000; i += 1)
        void object.awaitApproval(one.id, WAIT_SECONDS * 1_000).then(() => {
          back += 1;
        });
    });
    const began = Date.now();
    const extra = await wait(one);
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    expect(extra.json.approval.status).toBe("pending");
    expect(back).toBe(0);
    await decide(one, "approve");
    await untilTrue(() => back === 1_000);
    // Whoever was woken has made room.
    const other = await shell(one.tenant, one.session, "git push origin other", { call_id: "other" });
    const next = { ...one, id: other.json.approval.id as string, digest: other.json.action_digest as string };
    const waits = wait(next);
    await scheduler.wait(300);
    await decide(next, "deny");
    expect((await waits).json.approval.status).toBe("denied");
  });

  it("holds up nobody: calls of the same session are decided meanwhile", async ({ expect }) => {
    const one = await askedOfKeep();
    const count = counted();
    const all = Array.from({ length: 100 }, () => wait(one));
    await waiting(count, 100);
    const began = Date.now();
    for (let i = 0; i < 10; i += 1)
      expect((await shell(one.tenant, one.session, "ls", { call_id: `meanwhile ${i}` })).json.verdict).toBe(
        "allow",
      );
    expect(Date.now() - began).toBeLessThan(SOON_MS);
    await decide(one, "deny");
    await Promise.all(all);
  });

  it.each(["26", "-1", "1.5", "abc", "1e3", "9".repeat(40), "1&wait=2"])(
    "may not wait for %s",
    async (seconds) => {
      const one = await asked();
      const answer = await wait(one, seconds);
      if (answer.status !== 422 && answer.status !== 400) throw new Error(`${answer.status} ${answer.text}`);
      if (answer.json.code !== "invalid-request") throw new Error(answer.text);
    },
  );
});

describe("`Prefer: wait` on a decision", () => {
  it("ends in the final answer: the approved call runs, and spends its grant", async ({ expect }) => {
    const one = await asked();
    const count = counted();
    const waits = again(one, `wait=${WAIT_SECONDS}`);
    await waiting(count, 1);
    await decide(one, "approve");
    const answer = await waits;
    expect(answer.json, answer.text).toMatchObject({
      verdict: "allow",
      approval: { id: one.id, status: "approved", grant: "spent" },
    });
    expect(answer.headers.get("preference-applied")).toBe(`wait=${WAIT_SECONDS}`);
    expect((await again(one, "wait=0")).text).toBe(answer.text);
    expect((await ledgerOf(one.tenant, one.session)).at(-1)).toMatchObject({
      hash: answer.json.ledger.hash,
      entry: { kind: "decision" },
      body: { verdict: "allow", approval: { id: one.id, did: "spent" } },
    });
  });

  it("lets it run once, however many wait with calls of their own", async ({ expect }) => {
    const one = await asked();
    const count = counted();
    // Fewer than make a loop of it, which would be a reason that nobody was shown.
    const names = Array.from({ length: 9 }, (_, i) => `call ${i % 3}`);
    const waits = names.map((name) => again(one, `wait=${WAIT_SECONDS}`, name));
    await waiting(count, names.length);
    await decide(one, "approve");
    const answers = await Promise.all(waits);
    const allowed = answers.filter(({ json }) => json.verdict === "allow");
    expect(allowed).toHaveLength(3);
    expect(new Set(allowed.map(({ text }) => text)).size).toBe(1);
    // The others hang on an ask of their own, which can be read at once.
    for (const { json, text } of answers.filter(({ json }) => json.verdict !== "allow")) {
      expect([json.verdict, json.approval.status], text).toEqual(["ask", "pending"]);
      expect(json.approval.id).not.toBe(one.id);
      expect((await wait({ ...one, id: json.approval.id }, 0)).status).toBe(200);
    }
    const rows = await ledgerOf(one.tenant, one.session);
    expect(rows.filter(({ body }) => body.approval?.did === "spent")).toHaveLength(1);
  });

  it("runs nothing for a key that was revoked while it waited", async ({ expect }) => {
    const one = await asked();
    const count = counted();
    const waits = again(one, `wait=${WAIT_SECONDS}`);
    await waiting(count, 1);
    const { tenant } = one;
    const path = `/v1/agents/${tenant.agent}/keys/${tenant.key_id}`;
    await must(path, { method: "DELETE", cookie: tenant.cookie });
    await decide(one, "approve");
    const answer = await waits;
    expect([answer.status, answer.json.code], answer.text).toEqual([401, "unauthenticated"]);
    const rows = await ledgerOf(tenant, one.session);
    expect(rows.filter(({ body }) => body.verdict === "allow")).toEqual([]);
    expect(rows.at(-1)).toMatchObject({
      entry: { kind: "refusal" },
      body: { code: "unauthenticated", agent: tenant.agent },
    });
  });

  it("ends in a block when it is denied, and when what governs has changed", async ({ expect }) => {
    const one = await asked();
    const count = counted();
    const denied = again(one, `wait=${WAIT_SECONDS}`);
    await waiting(count, 1);
    await decide(one, "deny");
    expect((await denied).json).toMatchObject({
      verdict: "block",
      approval: { id: one.id, status: "denied" },
    });

    const other = await askedOfKeep();
    const overruled = send(`/v1/sessions/${encodeURIComponent(other.session)}/decisions`, {
      key: other.tenant.key,
      headers: { prefer: `wait=${WAIT_SECONDS}` },
      json: { call_id: "first", tool: "terminal", args: { command: "rm ~/keep/a" } },
    });
    await waiting(count, 2);
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: other.tenant.cookie,
      json: { engines: { fence: "off", oath: "enforce" } },
    });
    await decide(other, "approve");
    const answer = await overruled;
    expect(answer.json.verdict, answer.text).toBe("block");
    expect((await ledgerOf(other.tenant, other.session)).at(-1)).toMatchObject({
      entry: { kind: "decision" },
      body: { verdict: "block", overruled: other.id },
    });
  });

  it("is told what stands when the wait is over, and waits no longer than it may", async ({ expect }) => {
    const one = await asked();
    const answer = await again(one, "wait=1");
    expect(answer.json).toMatchObject({ verdict: "ask", approval: { id: one.id, status: "pending" } });
    expect(answer.headers.get("preference-applied")).toBe("wait=1");
    const count = counted();
    const longest = again(one, "wait=99999");
    await waiting(count, 1);
    await decide(one, "deny");
    expect((await longest).headers.get("preference-applied")).toBe("wait=25");
  });

  it.each(["wait", "wait=", "wait=abc", "wait=-1", "wait=1.5", "await=20", "respond-async", "wait=20x", ""])(
    "does not take %j for a wait",
    async (prefer) => {
      const one = await asked();
      const began = Date.now();
      const answer = await again(one, prefer);
      if (Date.now() - began > SOON_MS) throw new Error(`it waited for ${JSON.stringify(prefer)}`);
      if (answer.status !== 200 || answer.json.verdict !== "ask") throw new Error(answer.text);
      if (answer.headers.get("preference-applied") !== null) throw new Error("it says that it waited");
    },
  );

  it("reads it among other preferences, and refuses a header that is too long", async ({ expect }) => {
    const one = await asked();
    expect((await again(one, 'respond-async, wait="1"; x=y')).headers.get("preference-applied")).toBe(
      "wait=1",
    );
    const long = await again(one, `x=${"y".repeat(2_000)}`);
    expect([long.status, long.json.code], long.text).toEqual([422, "invalid-request"]);
  });
});

/** An ask of the oath's, which an owner may make a block. */
async function askedOfKeep(): Promise<Asked> {
  const tenant = await newTenant("Waiting", { engines: { fence: "off", oath: "ask" } });
  await swear(tenant, "never delete: ~/keep/**\n");
  const session = await newSession(tenant);
  const answer = await shell(tenant, session, "rm ~/keep/a", { call_id: "first" });
  if (answer.json.verdict !== "ask") throw new Error(answer.text);
  return { tenant, session, id: answer.json.approval.id, digest: answer.json.action_digest };
}
