/** What is answered is on record, in the chain that it belongs to, or is not answered as if it were. */
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { newApp } from "../../src/app.ts";
import { ledgerOf, must, newSession, newTenant, ORIGIN, send, shell, type Tenant } from "../support/api.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Makes `method` of every object go wrong as `faults` say, one call after the other; then it works again. */
function failing(method: string, faults: Error[]): { calls: number } {
  const counted = { calls: 0 };
  const byName = env.SESSION.getByName.bind(env.SESSION);
  vi.spyOn(env.SESSION, "getByName").mockImplementation((...name) => {
    const stub = byName(...name);
    return new Proxy(stub, {
      get(target, property) {
        const own = Reflect.get(target, property) as (...args: unknown[]) => unknown;
        if (property !== method) return own;
        return (...args: unknown[]) => {
          counted.calls += 1;
          const fault = faults.shift();
          if (fault !== undefined) return Promise.reject(fault);
          return (target as unknown as Record<string, typeof own>)[method]?.(...args);
        };
      },
    });
  });
  return counted;
}

const broken = (): Error => new Error("the object is broken");
const lost = (): Error => Object.assign(new Error("the connection was lost"), { retryable: true });
const overloaded = (): Error =>
  Object.assign(new Error("too many requests"), { retryable: true, overloaded: true });

async function anotherAgent(tenant: Tenant): Promise<{ agent: string; key: string }> {
  const { agent } = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "another" } })).json;
  const made = await must(`/v1/agents/${agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } });
  return { agent, key: made.json.key };
}

describe("a refusal", () => {
  it("is answered as not recorded when it could not be, and as itself when it is", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const before = (await ledgerOf(tenant, session)).length;
    vi.spyOn(console, "error").mockReturnValue();
    const refuse = failing("refuse", [broken()]);
    const again = () =>
      send(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key: tenant.key, json: { surprise: 1 } });
    const first = await again();
    expect(first.json).toMatchObject({ code: "not-recorded", status: 503 });
    expect(first.text).not.toContain("surprise");
    expect(refuse.calls).toBe(1);
    expect(await ledgerOf(tenant, session)).toHaveLength(before);
    expect((await again()).json).toMatchObject({ code: "invalid-request", status: 422 });
    expect((await ledgerOf(tenant, session)).slice(before).map((line) => line.body)).toMatchObject([
      { operation: "recordTurn", code: "invalid-request", agent: tenant.agent },
    ]);
  });

  it("of another agent is the organization's to know, and never in the owner's session", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const before = await ledgerOf(tenant, session);
    const other = await anotherAgent(tenant);
    const path = `/v1/sessions/${encodeURIComponent(session)}`;
    const asked = [
      await send(path, { key: other.key }),
      await send(path, { method: "PUT", key: other.key, json: { surprise: 1 } }),
      await send(`${path}/ledger`, { key: other.key }),
      await send(`${path}/turns`, { key: other.key, json: { text: "x" } }),
      await send(`${path}/decisions`, { key: other.key, json: { call_id: "c", tool: "terminal", args: {} } }),
    ];
    expect(asked.map((answer) => answer.status)).toEqual([404, 422, 404, 404, 404]);
    expect(await ledgerOf(tenant, session)).toEqual(before);
    const rows = (await ledgerOf(tenant)).slice(-asked.length);
    expect(rows.map(({ body }) => [body.operation, body.code, body.agent])).toEqual([
      ["readSession", "unknown-session", other.agent],
      ["openSession", "invalid-request", other.agent],
      ["exportSessionLedger", "unknown-session", other.agent],
      ["recordTurn", "unknown-session", other.agent],
      ["decide", "unknown-session", other.agent],
    ]);
  });
});

describe("an object", () => {
  const exporting = (tenant: Tenant, session: string) =>
    send(`/v1/sessions/${encodeURIComponent(session)}/ledger`, { key: tenant.key });

  for (const [method, work] of [
    ["settle", (tenant, session) => shell(tenant, session, "ls")],
    ["page", exporting],
    ["status", (tenant, session) => send(`/v1/sessions/${encodeURIComponent(session)}`, { key: tenant.key })],
    [
      "outcome",
      (tenant, session) =>
        send(`/v1/sessions/${encodeURIComponent(session)}/outcomes`, {
          key: tenant.key,
          json: { call_id: "c", outcome: "success" },
        }),
    ],
  ] as [string, (tenant: Tenant, session: string) => ReturnType<typeof send>][])
    it(`that lost a call to ${method} is called once more`, async ({ expect }) => {
      const tenant = await newTenant();
      const session = await newSession(tenant);
      await send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
        key: tenant.key,
        json: { call_id: "c", tool: "terminal", args: { command: "ls" } },
      });
      vi.spyOn(console, "error").mockReturnValue();
      const counted = failing(method, [lost()]);
      const answer = await work(tenant, session);
      expect(answer.status, answer.text).toBe(200);
      if (method === "settle") expect(answer.json).toMatchObject({ verdict: "allow" });
      expect(counted.calls).toBe(2);
    });

  it("that is overloaded, or lost twice, is not called again: the decision is a block", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    vi.spyOn(console, "error").mockReturnValue();
    for (const [faults, calls] of [
      [[overloaded()], 1],
      [[lost(), lost()], 2],
      [[broken()], 1],
    ] as [Error[], number][]) {
      const counted = failing("settle", faults);
      expect((await shell(tenant, session, "ls")).json).toMatchObject({
        verdict: "block",
        reasons: [{ rule_key: "guard:engine-error" }],
      });
      expect(counted.calls).toBe(calls);
      vi.mocked(env.SESSION.getByName).mockRestore();
    }
  });
});

describe("a deployment", () => {
  it("that is not configured says so, and not how", async ({ expect }) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const app = newApp();
    for (const wrong of [{ OPERATOR_TOKEN: "a short secret" }, { PUBLIC_ORIGIN: "https://x.example/path" }])
      for (const path of ["/v1/organization", "/openapi.json", "/"]) {
        const answer = await app.fetch(new Request(ORIGIN + path), { ...env, ...wrong });
        expect(answer.status, path).toBe(500);
        const text = await answer.text();
        expect(text, path).toContain("misconfigured");
        expect(text, path).not.toMatch(/short secret|OPERATOR_TOKEN|PUBLIC_ORIGIN|x\.example/);
      }
    expect(logged.mock.calls.length).toBeGreaterThan(0);
    for (const [line] of logged.mock.calls) {
      expect(line).toMatch(/OPERATOR_TOKEN|PUBLIC_ORIGIN/);
      expect(line).not.toMatch(/short secret|x\.example/);
    }
  });
});

describe("a body", () => {
  it("that never arrives whole is given up, and its refusal recorded", async ({ expect }) => {
    const tenant = await newTenant();
    const before = (await ledgerOf(tenant)).length;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = newApp().fetch(
      new Request(`${ORIGIN}/v1/organization/settings`, {
        method: "PUT",
        headers: { cookie: tenant.cookie, "content-type": "application/json" },
        body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) }),
      }),
      env,
    );
    // The caller is looked up first; then only the body is waited for.
    for (let i = 0; i < 20; i += 1) await scheduler.wait(20);
    vi.advanceTimersByTime(30_001);
    const refused = await (await answer).json();
    vi.useRealTimers();
    expect(refused).toMatchObject({ code: "body-timeout", status: 408 });
    expect((await ledgerOf(tenant)).slice(before).map((line) => line.body)).toMatchObject([
      { operation: "changeSettings", code: "body-timeout", member: tenant.owner },
    ]);
  });
});
