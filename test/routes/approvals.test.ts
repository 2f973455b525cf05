/** `/v1/approvals`: who may look, who may answer, what is told to whom, and what stays on record. */
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
import { deliver } from "../dashboard/support.ts";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const ASKING = { engines: { fence: "enforce" } };

interface Asked {
  readonly id: string;
  readonly digest: string;
  readonly session: string;
}

/** An action that nobody's words ask for, put to people. */
async function ask(tenant: Tenant, command = "git push origin main", session?: string): Promise<Asked> {
  const where = session ?? (await newSession(tenant));
  const answer = await shell(tenant, where, command);
  if (answer.json.verdict !== "ask") throw new Error(answer.text);
  return { id: answer.json.approval.id, digest: answer.json.action_digest, session: where };
}

const newAsking = (approvals?: object) =>
  newTenant("Approvals", approvals === undefined ? ASKING : { ...ASKING, approvals });

const decide = (
  { id, digest }: Asked,
  decision: "approve" | "deny",
  cookie: string,
  more: object = {},
): Promise<Answer> =>
  send(`/v1/approvals/${id}/decision`, { cookie, json: { decision, action_digest: digest, ...more } });

const inSession = async (tenant: Tenant, session: string) =>
  (await ledgerOf(tenant, session)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));
const ofOrganization = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));

describe("a decision", () => {
  it("is the signed-in member's, counts once, and is told to whoever comes later", async ({ expect }) => {
    const tenant = await newAsking();
    const [first, second] = [await newMember(tenant, "approver"), await newMember(tenant, "approver")];
    const asked = await ask(tenant);
    const approved = await decide(asked, "approve", first.cookie);
    expect(approved.status, approved.text).toBe(200);
    expect(approved.json).toMatchObject({
      tap: "decided",
      approval: {
        id: asked.id,
        status: "approved",
        grant: "live",
        approvals: 1,
        decided_by: { member: first.member, via: "session" },
      },
    });
    expect(approved.text).not.toMatch(/"(?:root|origin|args)"/);
    const late = await decide(asked, "deny", second.cookie, { reason: { preset: "not-now" } });
    expect(late.json).toMatchObject({
      tap: "late",
      approval: { status: "approved", reason: null, decided_by: { member: first.member } },
    });
    const rows = await inSession(tenant, asked.session);
    expect(rows.filter(({ kind }) => kind === "approval_decided")).toMatchObject([
      { approval: asked.id, outcome: "approved", by: first.member, via: "session" },
    ]);
    expect(rows.at(-1)).toMatchObject({
      kind: "refusal",
      code: "late-tap",
      by: second.member,
      wanted: "deny",
    });
  });

  it("takes who answers from the session and never from the body", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const asked = await ask(tenant);
    for (const forged of [
      { by: tenant.owner },
      { member: tenant.owner },
      { approver: tenant.owner },
      { decided_by: { member: tenant.owner, via: "session" } },
      { via: "link" },
      { signed_in: true },
      { organization: tenant.organization },
    ]) {
      const refused = await decide(asked, "approve", cookie, forged);
      expect(refused.status, refused.text).toBe(422);
      const [name] = Object.keys(forged);
      expect(refused.json.errors[0]).toMatchObject({ pointer: `/${name}`, code: "unknown-member" });
      expect((await ofOrganization(tenant)).at(-1)).toMatchObject({
        kind: "refusal",
        code: "invalid-request",
        member,
      });
    }
    expect((await decide(asked, "approve", cookie)).json.approval.decided_by).toEqual({
      member,
      via: "session",
    });
  });

  it("is not an agent's, nor a viewer's, and each try leaves a row", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const viewer = await newMember(tenant, "viewer");
    const paths = [
      [`/v1/approvals/${asked.id}/decision`, { decision: "approve", action_digest: asked.digest }],
      [`/v1/approvals/${asked.id}/extension`, undefined],
      [`/v1/approvals/${asked.id}/links`, undefined],
      ["/v1/approvals/denials", { approvals: [asked.id] }],
    ] as const;
    for (const [path, json] of paths)
      for (const who of [{ key: tenant.key }, { cookie: viewer.cookie }]) {
        const refused = await send(path, { method: "POST", ...who, ...(json === undefined ? {} : { json }) });
        expect(refused.status, path).toBe(403);
        expect((await ofOrganization(tenant)).at(-1)).toMatchObject({
          kind: "refusal",
          code: "forbidden",
          ...("key" in who
            ? { agent: tenant.agent, key: tenant.key_id, member: null }
            : { agent: null, member: viewer.member }),
        });
      }
    const report = await send("/v1/approvals/report", {
      cookie: (await newMember(tenant, "approver")).cookie,
    });
    expect(report.json.code).toBe("forbidden");
    expect((await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.status).toBe(
      "pending",
    );
  });

  it("is for the action that was shown, and says why it was denied", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const wrong = await decide({ ...asked, digest: "0".repeat(64) }, "approve", tenant.cookie);
    expect(wrong.json).toMatchObject({ code: "digest-mismatch", status: 409 });
    expect((await inSession(tenant, asked.session)).at(-1)).toMatchObject({
      kind: "refusal",
      code: "digest-mismatch",
      by: tenant.owner,
    });
    const before = (await ofOrganization(tenant)).length;
    const odd = await decide(asked, "approve", tenant.cookie, { reason: { preset: "not-now" } });
    expect(odd.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/reason" }] });
    const edited = await decide(asked, "deny", tenant.cookie, { reason: { preset: "edited" } });
    expect(edited.json.errors[0].pointer).toBe("/reason/preset");
    const long = await decide(asked, "deny", tenant.cookie, { reason: { text: "é".repeat(501) } });
    expect(long.json.errors[0].pointer).toBe("/reason/text");
    expect((await ofOrganization(tenant)).length, "one row each, and none twice").toBe(before + 3);
    const text = `${"é".repeat(498)}\u{1f600}!`;
    const denied = await decide(asked, "deny", tenant.cookie, {
      reason: { preset: "wrong-target", text: ` ${text}\n` },
    });
    expect(denied.json.approval).toMatchObject({
      status: "denied",
      grant: null,
      reason: { preset: "wrong-target", text },
    });
    const again = await shell(tenant, asked.session, "git push origin main");
    expect(again.json.reasons[0].message).toContain("the target is wrong");
  });

  it("asks two people where two are demanded, and one of them twice is one", async ({ expect }) => {
    const tenant = await newAsking({
      demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], people: 2 }],
    });
    const other = await newMember(tenant, "approver");
    const asked = await ask(tenant);
    expect((await decide(asked, "approve", tenant.cookie)).json).toMatchObject({
      tap: "counted",
      approval: { status: "pending", approvals: 1, demand: { people: 2 }, decided_by: null },
    });
    expect((await decide(asked, "approve", tenant.cookie)).json).toMatchObject({
      tap: "counted",
      approval: { approvals: 1, status: "pending" },
    });
    expect((await decide(asked, "approve", other.cookie)).json).toMatchObject({
      tap: "decided",
      approval: { status: "approved", approvals: 2 },
    });
  });

  it("takes no made-up passkey for one", async ({ expect }) => {
    const tenant = await newAsking({
      demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], passkey: true }],
    });
    const asked = await ask(tenant);
    for (const more of [{}, { passkey: { id: "x" } }, { passkey: "yes" }, { passkey: true }]) {
      const refused = await decide(asked, "approve", tenant.cookie, more);
      expect(refused.json, JSON.stringify(more)).toMatchObject({ code: "passkey-demanded", status: 403 });
    }
    expect((await must(`/v1/approvals/${asked.id}`, { key: tenant.key })).json.approval.status).toBe(
      "pending",
    );
    expect((await decide(asked, "deny", tenant.cookie)).json.approval.status).toBe("denied");
  });
});

describe("another organization's approval", () => {
  it("is not there, whatever is asked of it, and each try leaves a row with whoever asked", async ({
    expect,
  }) => {
    const [tenant, stranger] = [await newAsking(), await newAsking()];
    const asked = await ask(tenant);
    const own = await ask(stranger);
    const tries = [
      () => send(`/v1/approvals/${asked.id}`, { cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}?shown=true`, { cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}?wait=1`, { key: stranger.key }),
      () => decide(asked, "approve", stranger.cookie),
      () => send(`/v1/approvals/${asked.id}/extension`, { method: "POST", cookie: stranger.cookie }),
      () => send(`/v1/approvals/${asked.id}/links`, { method: "POST", cookie: stranger.cookie }),
    ];
    for (const attempt of tries) {
      const before = (await ofOrganization(stranger)).length;
      const refused = await attempt();
      expect(refused.status, refused.text).toBe(404);
      expect(refused.json.code).toBe("not-found");
      expect(refused.text).not.toContain(tenant.organization);
      const rows = await ofOrganization(stranger);
      expect(rows.length).toBe(before + 1);
      expect(rows.at(-1)).toMatchObject({ kind: "refusal", code: "not-found" });
    }
    const several = await must("/v1/approvals/denials", {
      cookie: stranger.cookie,
      json: { approvals: [asked.id, own.id] },
    });
    expect(several.json.denials).toMatchObject([
      { approval: asked.id, result: "refused", code: "not-found", status: null },
      { approval: own.id, result: "denied", code: null, status: "denied" },
    ]);
    expect((await ofOrganization(stranger)).at(-1)).toMatchObject({ kind: "refusal", code: "not-found" });
    expect((await must("/v1/approvals", { cookie: stranger.cookie })).text).not.toContain(asked.id);
    expect((await must(`/v1/approvals/${asked.id}`, { cookie: tenant.cookie })).json.approval.status).toBe(
      "pending",
    );
  });
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
    await ask(tenant, "git push origin pending", session);
    await deliver(tenant, session);
    const report = (await must("/v1/approvals/report?days=1", { cookie: tenant.cookie })).json;
    expect(report.approvers).toEqual([
      { member, decided: 4, approved: 3, share_approved: 0.75, median_seconds: 4, p90_seconds: 100 },
      {
        member: tenant.owner,
        decided: 1,
        approved: 1,
        share_approved: 1,
        median_seconds: 50,
        p90_seconds: 50,
      },
    ]);
    expect(report.agents).toEqual([
      {
        agent: tenant.agent,
        asks: 6,
        asks_per_day: 6,
        approved: 4,
        denied: 1,
        expired: 0,
        pending: 1,
        share_approved: 0.8,
        share_denied: 0.2,
        share_expired: 0,
      },
    ]);
    expect(report.overall).toMatchObject({ asks: 6, median_seconds: 6, p90_seconds: 100 });
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
