/** `/v1/approvals` to look at, to wait on, to prolong, to list and to report on. */
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { deliver } from "../dashboard/support.ts";
import { ledgerOf, must, newMember, newSession, send } from "../support/api.ts";
import { type Asked, ask, decide, inSession, newAsking, ofOrganization } from "../support/approvals.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("looking", () => {
  it("tells an agent of its own and members of all, and shows the action to approvers alone", async ({
    expect,
  }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant, "git push origin main");
    const agent = (await must("/v1/agents", { cookie: tenant.cookie, json: { name: "other" } })).json.agent;
    const { key } = (await must(`/v1/agents/${agent}/keys`, { cookie: tenant.cookie, json: { name: "k" } }))
      .json;
    expect((await send(`/v1/approvals/${asked.id}`, { key })).json.code).toBe("not-found");
    expect((await must("/v1/approvals", { key })).json.approvals).toEqual([]);
    const viewer = await newMember(tenant, "viewer");
    for (const who of [{ key: tenant.key }, { cookie: viewer.cookie }]) {
      const read = await must(`/v1/approvals/${asked.id}`, who);
      expect(read.json).toMatchObject({ approval: { id: asked.id, session: asked.session }, shown: null });
      expect(read.text).not.toContain("git push");
      expect((await must("/v1/approvals", who)).json.approvals).toHaveLength(1);
      const refused = await send(`/v1/approvals/${asked.id}?shown=true`, who);
      expect(refused.json.code).toBe("forbidden");
      expect(refused.text).not.toContain("git push");
      expect((await ofOrganization(tenant)).at(-1)).toMatchObject({ code: "forbidden" });
    }
    const { cookie } = await newMember(tenant, "approver");
    const shown = (await must(`/v1/approvals/${asked.id}?shown=true`, { cookie })).json;
    expect(shown.shown).toMatchObject({
      tool: "terminal",
      cwd: "/home/u/work",
      args: { command: "git push origin main" },
      args_omitted: false,
      speaks_as: asked.session,
    });
    expect(shown.shown.reasons[0].rule_key).toMatch(/^fence:/);
    await decide(asked, "deny", cookie);
    expect((await must(`/v1/approvals/${asked.id}?shown=true`, { cookie })).json.shown).toBeNull();
    const counted = (await inSession(tenant, asked.session)).length;
    await must(`/v1/approvals/${asked.id}?shown=true`, { cookie });
    await send(`/v1/approvals/${asked.id}`, { method: "HEAD", cookie });
    expect((await inSession(tenant, asked.session)).length, "looking writes nothing").toBe(counted);
  });

  it("lists by status, agent and session, page by page, with what is past its time as expired", async ({
    expect,
  }) => {
    // Before the objects are made: they keep the clock that they find.
    const clock = vi.spyOn(Date, "now");
    const tenant = await newAsking();
    const session = await newSession(tenant);
    const asked: Asked[] = [];
    for (const name of ["a", "b", "c", "d"])
      asked.push(await ask(tenant, `git push origin ${name}`, session));
    const elsewhere = await ask(tenant);
    await decide(asked[0] as Asked, "approve", tenant.cookie);
    await decide(asked[1] as Asked, "deny", tenant.cookie);
    await deliver(tenant, session);
    const ids = async (query: string): Promise<string[]> =>
      (await must(`/v1/approvals${query}`, { cookie: tenant.cookie })).json.approvals.map(
        (one: { id: string }) => one.id,
      );
    const [a, b, c, d] = asked.map(({ id }) => id);
    expect(await ids("")).toEqual([elsewhere.id, d, c, b, a]);
    expect(await ids("?status=pending")).toEqual([elsewhere.id, d, c]);
    expect(await ids("?status=approved")).toEqual([a]);
    expect(await ids(`?status=denied&agent=${tenant.agent}`)).toEqual([b]);
    expect(await ids("?agent=agt_another")).toEqual([]);
    expect(await ids(`?session=${encodeURIComponent(elsewhere.session)}`)).toEqual([elsewhere.id]);
    const first = (await must("/v1/approvals?limit=2", { key: tenant.key })).json;
    const second = (await must(`/v1/approvals?limit=3&cursor=${first.next_cursor}`, { key: tenant.key }))
      .json;
    expect([...first.approvals, ...second.approvals].map(({ id }) => id)).toEqual([elsewhere.id, d, c, b, a]);
    expect(second.next_cursor).toBeNull();
    expect(first.approvals[1]).toMatchObject({
      id: d,
      status: "pending",
      demand: { people: 1 },
      tool: "terminal",
      decided_by: null,
    });
    expect(first.approvals[0]).not.toHaveProperty("root_id");
    for (const query of ["?status=open", "?cursor=x", "?limit=0", "?limit=101", "?root=x"])
      expect((await send(`/v1/approvals${query}`, { key: tenant.key })).json.code, query).toBe(
        "invalid-request",
      );

    clock.mockReturnValue(Date.now() + 3_600_000);
    expect(await ids("?status=pending")).toEqual([]);
    expect(await ids("?status=expired")).toEqual([elsewhere.id, d, c]);
    const read = (await must(`/v1/approvals/${elsewhere.id}`, { key: tenant.key })).json.approval;
    expect(read).toMatchObject({ status: "expired", grant: null, decided_by: null });
    expect((await decide(elsewhere, "approve", tenant.cookie)).json).toMatchObject({
      tap: "late",
      approval: { status: "expired" },
    });
  });

  it("waits for the answer, and is woken by it", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const begun = Date.now();
    const waiting = must(`/v1/approvals/${asked.id}?wait=20`, { key: tenant.key });
    await scheduler.wait(200);
    await decide(asked, "approve", tenant.cookie);
    expect((await waiting).json.approval).toMatchObject({ status: "approved" });
    expect(Date.now() - begun).toBeLessThan(10_000);
    const other = await ask(tenant, "git push origin other");
    const none = await must(`/v1/approvals/${other.id}?wait=1`, { key: tenant.key });
    expect(none.json.approval.status).toBe("pending");
    for (const wait of ["26", "-1", "1.5", "x", "1e9"])
      expect((await send(`/v1/approvals/${other.id}?wait=${wait}`, { key: tenant.key })).json.code).toBe(
        "invalid-request",
      );
  });

  it("answers what was known last where the object breaks while somebody waits", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const real = env.SESSION.getByName.bind(env.SESSION);
    let readable = true;
    let reads = 0;
    vi.spyOn(env.SESSION, "getByName").mockImplementation((name) => {
      const stub = real(name) as unknown as Record<string, (...args: unknown[]) => unknown>;
      return new Proxy(stub, {
        get(target, method) {
          if (method === "awaitApproval")
            return async () => {
              throw Object.assign(new Error("the object was reset: internal words"), { overloaded: true });
            };
          if (method === "approvalRecord") {
            reads += 1;
            if (!readable && reads > 1)
              return async () => {
                throw new Error("away: internal words");
              };
          }
          return (...args: unknown[]) => target[method as string]?.(...args);
        },
      }) as never;
    });
    const pending = await send(`/v1/approvals/${asked.id}?wait=5`, { key: tenant.key });
    expect([pending.status, pending.json.approval.status]).toEqual([200, "pending"]);
    expect(reads, "read before and after").toBe(2);
    readable = false;
    reads = 0;
    const known = await send(`/v1/approvals/${asked.id}?wait=5`, { key: tenant.key });
    expect([known.status, known.json.approval.status]).toEqual([200, "pending"]);
    expect(known.text).not.toContain("internal words");
  });
});

describe("more time, links and lists", () => {
  it("gives five minutes more, once", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const extend = () =>
      send(`/v1/approvals/${asked.id}/extension`, { method: "POST", cookie: tenant.cookie });
    const before = (await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.expires_at;
    expect((await extend()).json).toMatchObject({
      extended: true,
      approval: { extended: true, expires_at: before + 300_000 },
    });
    expect((await extend()).json).toMatchObject({
      extended: false,
      approval: { expires_at: before + 300_000 },
    });
    const rows = await inSession(tenant, asked.session);
    expect(rows.filter(({ kind }) => kind === "approval_extended")).toMatchObject([{ by: tenant.owner }]);
  });

  it("makes a link for whoever asks, and keeps only its hash", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const asked = await ask(tenant);
    const made = await send(`/v1/approvals/${asked.id}/links`, { method: "POST", cookie });
    expect(made.status, made.text).toBe(201);
    const { url, expires_at } = made.json;
    expect(url).toMatch(/^https:\/\/countersign\.test\/approve\/[\w-]+\.[\w-]+\.[\w-]+$/);
    const claims = JSON.parse(atob(url.split(".")[2].replaceAll("-", "+").replaceAll("_", "/")));
    expect(claims).toMatchObject({ sub: member, aud: "countersign:approval" });
    expect(expires_at).toBeGreaterThan(Date.now());
    for (const text of [
      JSON.stringify(await ledgerOf(tenant, asked.session)),
      JSON.stringify(await ledgerOf(tenant)),
      (await must(`/v1/approvals/${asked.id}?shown=true`, { cookie })).text,
    ]) {
      expect(text).not.toContain(claims.jti);
      expect(text).not.toContain(url.split("/").at(-1));
    }
    await decide(asked, "deny", cookie);
    const late = await send(`/v1/approvals/${asked.id}/links`, { method: "POST", cookie });
    expect(late.json).toMatchObject({ code: "approval-decided", status: 409 });
    expect((await ofOrganization(tenant)).at(-1)).toMatchObject({ code: "approval-decided", member });
  });

  it("denies many, each by itself, and approves many at no address", async ({ expect }) => {
    const tenant = await newAsking();
    const session = await newSession(tenant);
    const asked: Asked[] = [];
    for (let i = 0; i < 8; i += 1) asked.push(await ask(tenant, `git push origin b${i}`, session));
    await decide(asked[0] as Asked, "approve", tenant.cookie);
    const ids = asked.map(({ id }) => id);
    const answer = await must("/v1/approvals/denials", {
      cookie: tenant.cookie,
      json: { approvals: [...ids, ids[3], "apr_nothing"], reason: { preset: "too-much", text: "No." } },
    });
    const results = answer.json.denials.map((one: { result: string }) => one.result);
    expect(results).toEqual(["late", ...Array(7).fill("denied"), "refused"]);
    expect(answer.json.denials[0]).toMatchObject({ approval: ids[0], status: "approved" });
    const decided = (await inSession(tenant, session)).filter(({ kind }) => kind === "approval_decided");
    expect(decided.filter(({ outcome }) => outcome === "denied")).toHaveLength(7);
    expect(decided.every(({ by }) => by === tenant.owner)).toBe(true);
    for (const approvals of [[], Array(101).fill("x"), "x"])
      expect(
        (await send("/v1/approvals/denials", { cookie: tenant.cookie, json: { approvals } })).json.code,
      ).toBe("invalid-request");
    for (const path of ["/v1/approvals/approvals", "/v1/approvals/decision", "/v1/approvals/decisions"]) {
      const none = await send(path, { cookie: tenant.cookie, json: { approvals: ids, decision: "approve" } });
      expect([404, 405], path).toContain(none.status);
    }
  });

  it("reports who answers, how fast and how, of this organization alone", async ({ expect }) => {
    const tenant = await newAsking();
    const { member, cookie } = await newMember(tenant, "approver");
    const empty = (await must("/v1/approvals/report", { cookie: tenant.cookie })).json;
    expect(empty).toMatchObject({
      days: 30,
      overall: { asks: 0, share_approved: null, median_seconds: null },
      approvers: [],
      agents: [],
      truncated: false,
    });
    const clock = vi.spyOn(Date, "now");
    const session = await newSession(tenant);
    const start = Date.now();
    const at = (seconds: number) => clock.mockReturnValue(start + seconds * 1_000);
    for (const [i, [by, decision, seconds]] of (
      [
        [cookie, "approve", 2],
        [cookie, "approve", 4],
        [cookie, "approve", 6],
        [cookie, "deny", 100],
        [tenant.cookie, "approve", 50],
      ] as const
    ).entries()) {
      at(0);
      const asked = await ask(tenant, `git push origin r${i}`, session);
      at(seconds);
      expect((await decide(asked, decision, by)).json.tap).toBe("decided");
    }
    at(0);
    const changed = await ask(tenant, "git push origin changed", session);
    at(50);
    await decide(changed, "approve", tenant.cookie, { args: { command: "git push origin better" } });
    at(0);
    await ask(tenant, "git push origin pending", session);
    await deliver(tenant, session);
    const report = (await must("/v1/approvals/report?days=1", { cookie: tenant.cookie })).json;
    expect(report.approvers).toEqual([
      { member, decided: 4, approved: 3, share_approved: 0.75, median_seconds: 4, p90_seconds: 100 },
      {
        member: tenant.owner,
        decided: 2,
        approved: 1,
        share_approved: 0.5,
        median_seconds: 50,
        p90_seconds: 50,
      },
    ]);
    expect(report.agents).toEqual([
      {
        agent: tenant.agent,
        asks: 7,
        asks_per_day: 7,
        approved: 4,
        denied: 2,
        expired: 0,
        pending: 1,
        share_approved: 0.667,
        share_denied: 0.333,
        share_expired: 0,
      },
    ]);
    expect(report.overall).toMatchObject({ asks: 7, median_seconds: 6, p90_seconds: 100 });
    at(3_600);
    expect((await must("/v1/approvals/report?days=1", { cookie: tenant.cookie })).json.overall).toMatchObject(
      {
        pending: 0,
        expired: 1,
      },
    );
    const stranger = await newAsking();
    expect((await must("/v1/approvals/report", { cookie: stranger.cookie })).json.overall.asks).toBe(0);
    for (const days of ["0", "366", "x"])
      expect((await send(`/v1/approvals/report?days=${days}`, { cookie: tenant.cookie })).json.code).toBe(
        "invalid-request",
      );
  });
});
