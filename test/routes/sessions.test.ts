import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { objectName } from "../../src/durable/protocol.ts";
import { SessionObject } from "../../src/durable/session.ts";
import {
  ask,
  HOME,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  openSession,
  report,
  send,
  shell,
  swear,
} from "../support/api.ts";

const OATH = `standing mission: keep the work moving
never delete: ~/keep/**
always require backup before modify: ~/skills/**
`;

const turn = (key: string, session: string, json: Record<string, unknown> = { text: "hello" }) =>
  send(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key, json });

describe("a session", () => {
  it("is opened once, changed by what differs, and left alone by what does not", async ({ expect }) => {
    const tenant = await newTenant();
    expect((await openSession(tenant, "s")).status).toBe(201);
    expect((await openSession(tenant, "s")).status).toBe(200);
    const moved = await openSession(tenant, "s", { cwd: "/srv" });
    expect(moved.json).toMatchObject({
      environment: { cwd: "/srv", home: "/home/u" },
      relation: "root",
      root: "s",
    });
    expect((await ledgerOf(tenant, "s")).map((line) => line.entry.kind)).toEqual([
      "session_opened",
      "session_changed",
    ]);
  });

  const ids = [
    "a/b",
    "..x",
    "%2F",
    "日本語 セッション",
    "👩‍👩‍👧",
    "org/session/1",
    "\u202e",
    " ",
    "é",
    "e\u0301",
    "x".repeat(200),
    "👍".repeat(200),
  ];
  for (const id of ids)
    it(`may be called ${JSON.stringify([...id].slice(0, 12).join(""))}`, async ({ expect }) => {
      const tenant = await newTenant();
      await openSession(tenant, id);
      const decided = await shell(tenant, id, "ls");
      expect(decided.json, decided.text).toMatchObject({ session: id, verdict: "allow" });
      expect((await ledgerOf(tenant, id)).every((line) => line.entry.session === id)).toBe(true);
    });

  it("has an id of at most 200 characters", async ({ expect }) => {
    const tenant = await newTenant();
    for (const id of ["x".repeat(201), "👍".repeat(201)]) {
      const refused = await send(`/v1/sessions/${encodeURIComponent(id)}`, {
        method: "PUT",
        key: tenant.key,
        json: {},
      });
      expect(refused.json).toMatchObject({
        code: "invalid-request",
        errors: [{ pointer: "#/path/session_id" }],
      });
    }
  });

  it("that is called by more than any object can be is refused all the same, on record", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    for (const id of ["\u6f22".repeat(400), "\ud83d\udca9".repeat(400)]) {
      const path = `/v1/sessions/${encodeURIComponent(id)}`;
      const tries: [string, Parameters<typeof send>[1]][] = [
        [path, { method: "PUT", json: { home: HOME } }],
        [path, {}],
        [`${path}/decisions`, { json: { call_id: "c", tool: "terminal", args: {} } }],
        [`${path}/outcomes`, { json: { call_id: "c", outcome: "success" } }],
      ];
      for (const [at, init] of tries) {
        const refused = await send(at, { ...init, key: tenant.key });
        expect(refused.status, `${at.slice(-20)} ${refused.text}`).toBe(422);
        expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({ code: "invalid-request", status: 422 });
      }
    }
  });

  it("tells two ids apart that only look alike", async ({ expect }) => {
    const tenant = await newTenant();
    await openSession(tenant, "é");
    expect((await shell(tenant, "e\u0301", "ls")).json).toMatchObject({ code: "unknown-session" });
  });

  it("refuses an environment whose paths cannot be read", async ({ expect }) => {
    const tenant = await newTenant();
    for (const [member, value] of [
      ["home", "relative"],
      ["cwd", "/a\u0000b"],
      ["cwd", "/a\u202eb"],
      ["home", `/${"x".repeat(5000)}`],
    ] as const) {
      const refused = await send("/v1/sessions/bad", {
        method: "PUT",
        key: tenant.key,
        json: { [member]: value },
      });
      expect(refused.status, refused.text).toBe(422);
      expect(refused.json.errors[0].pointer).toBe(`/${member}`);
    }
  });

  it("declares variables of at most 64 KiB together", async ({ expect }) => {
    const tenant = await newTenant();
    const variables = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`V${i}`, value]));
    expect((await openSession(tenant, "s", { variables: variables(15, "x".repeat(4_096)) })).status).toBe(
      201,
    );
    for (const many of [variables(17, "x".repeat(4_096)), variables(20, "字".repeat(1_200))]) {
      const refused = await send("/v1/sessions/s", {
        method: "PUT",
        key: tenant.key,
        json: { variables: many },
      });
      expect(refused.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/variables" }] });
    }
  });

  it("is judged before its first turn", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    expect((await shell(tenant, session, "rm ~/keep/a")).json.verdict).toBe("block");
    const lines = await ledgerOf(tenant, session);
    expect(lines.map((line) => [line.entry.kind, line.body.verdict])).toEqual([
      ["session_opened", undefined],
      ["decision", "block"],
    ]);
  });

  it("reads what a viewer may read", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    const viewer = await newMember(tenant, "viewer");
    const state = await must(`/v1/sessions/${encodeURIComponent(session)}`, { cookie: viewer.cookie });
    expect(state.json).toMatchObject({
      session,
      verdicts: { allow: 1 },
      sessions: [{ session, turns: 0 }],
      ledger: { seq: 2 },
    });
  });
});

describe("a first turn", () => {
  it("is briefed on missions and rules, once, and the same turn is recorded once", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    const first = await turn(tenant.key, session, { text: "hello", turn_id: "t1" });
    expect(first.json.briefing.missions).toEqual(["keep the work moving"]);
    expect(first.json.briefing.rules).toHaveLength(2);
    expect(first.json.briefing.text).toContain("never delete: ~/keep/**");
    expect(first.json.fingerprint.surfaces.map((surface: { pattern: string }) => surface.pattern)).toEqual([
      "~/keep/**",
      "~/skills/**",
    ]);
    expect(first.json.fingerprint.hash_limit_bytes).toBe(1_000_000);
    expect((await turn(tenant.key, session, { text: "hello", turn_id: "t1" })).text).toBe(first.text);
    expect((await turn(tenant.key, session)).json).toMatchObject({ turn: 2, briefing: null });
    const turns = (await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "turn");
    expect(turns.map((line) => line.body.briefed)).toEqual([true, false]);
    expect(JSON.stringify(turns)).not.toContain("hello");
  });

  it("is known by its id only with the same words", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const first = await turn(tenant.key, session, { text: "delete nothing", turn_id: "t" });
    for (const other of [
      { text: "delete everything", turn_id: "t" },
      { text: "delete nothing", turn_id: "t", sender_id: "another" },
    ])
      expect((await turn(tenant.key, session, other)).json).toMatchObject({
        code: "turn-id-reused",
        status: 409,
      });
    expect((await turn(tenant.key, session, { text: "delete nothing", turn_id: "t" })).text).toBe(first.text);
    const lines = await ledgerOf(tenant, session);
    expect(lines.map((line) => line.entry.kind)).toEqual(["session_opened", "turn", "refusal", "refusal"]);
    expect(lines.at(-1)?.body).toMatchObject({ operation: "recordTurn", code: "turn-id-reused" });
  });

  it("without an id is recorded once when the platform repeats the call, and twice when it is said twice", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const original = SessionObject.prototype.turn;
    vi.spyOn(SessionObject.prototype, "turn").mockImplementationOnce(function (this: SessionObject, input) {
      original.call(this, input);
      // It is committed, and the reply is lost.
      throw Object.assign(new Error("the reply was lost"), { retryable: true });
    });
    const first = await turn(tenant.key, session, { text: "yes" });
    vi.restoreAllMocks();
    expect(first.json, first.text).toMatchObject({ turn: 1, turn_id: null });
    expect((await turn(tenant.key, session, { text: "yes" })).json).toMatchObject({ turn: 2, turn_id: null });
    expect((await ledgerOf(tenant, session)).filter((line) => line.entry.kind === "turn")).toHaveLength(2);
  });

  it("is briefed on nothing where nothing is sworn, or the engine is off", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    expect((await turn(tenant.key, session)).json).toMatchObject({
      briefing: null,
      fingerprint: { surfaces: [] },
    });
    await swear(tenant, OATH);
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { engines: { oath: "off", fence: "off" } },
    });
    const other = await newSession(tenant);
    expect((await turn(tenant.key, other)).json).toMatchObject({
      briefing: null,
      fingerprint: { surfaces: [] },
    });
    expect((await shell(tenant, other, "rm ~/keep/a")).json.verdict).toBe("allow");
  });
});

describe("a family", () => {
  it("shares one chain and its evidence, and briefs each member again", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    await openSession(tenant, "root");
    await turn(tenant.key, "root");
    const copied = await shell(tenant, "root", "cp ~/skills/a.md /tmp/a.md");
    await report(tenant, "root", { call_id: copied.json.call_id });
    const continued = await openSession(tenant, "after compression", { continues: "root" });
    expect(continued.json).toMatchObject({ root: "root", relation: "continuation" });
    const child = await openSession(tenant, "subagent", { child_of: "after compression" });
    expect(child.json).toMatchObject({ root: "root", relation: "child" });
    expect((await turn(tenant.key, "after compression")).json.briefing.missions).toHaveLength(1);
    expect((await turn(tenant.key, "subagent")).json.briefing.missions).toHaveLength(1);
    for (const session of ["after compression", "subagent"]) {
      const edit = {
        tool: "Edit",
        args: { file_path: "/home/u/skills/a.md", old_string: "a", new_string: "b" },
      };
      expect((await ask(tenant, session, edit)).json.verdict, session).toBe("allow");
    }
    const lines = await ledgerOf(tenant, "subagent");
    expect(lines).toEqual(await ledgerOf(tenant, "root"));
    expect(new Set(lines.map((line) => line.entry.session))).toEqual(
      new Set(["root", "after compression", "subagent"]),
    );
  });

  it("runs where its parent runs, as far as a member does not say otherwise", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    await openSession(tenant, "r", { variables: { DATA: "/data" } });
    const put = (id: string, json: object) =>
      must(`/v1/sessions/${id}`, { method: "PUT", key: tenant.key, json });
    expect((await put("k", { continues: "r" })).json.environment).toMatchObject({
      home: "/home/u",
      variables: { DATA: "/data" },
    });
    expect((await put("c", { child_of: "k", cwd: "/srv" })).json.environment).toMatchObject({
      home: "/home/u",
      cwd: "/srv",
    });
    expect((await shell(tenant, "k", "rm ~/keep/a")).json.reasons[0].rule_key).toBe("oath:never");
    expect((await ledgerOf(tenant, "r")).at(-1)?.body).toMatchObject({
      verdict: "block",
      rule_keys: ["oath:never"],
    });
  });

  it("has continuations that speak as what they continue, and children that speak for themselves", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await openSession(tenant, "r");
    await openSession(tenant, "k", { continues: "r" });
    await openSession(tenant, "c", { child_of: "r" });
    await openSession(tenant, "ck", { continues: "c" });
    const digest = async (session: string) =>
      (await shell(tenant, session, "make")).json.action_digest as string;
    const [r, k, c, ck] = [await digest("r"), await digest("k"), await digest("c"), await digest("ck")];
    expect(k).toBe(r);
    expect(c).not.toBe(r);
    expect(ck).toBe(c);
  });

  it("is entered by one of its own only, and by one door", async ({ expect }) => {
    const tenant = await newTenant();
    const stranger = await newTenant();
    await openSession(tenant, "r");
    await openSession(stranger, "theirs");
    const open = (id: string, json: object) =>
      send(`/v1/sessions/${id}`, { method: "PUT", key: tenant.key, json });
    expect((await open("x", { continues: "nowhere" })).json).toMatchObject({ code: "unknown-session" });
    expect((await open("x", { child_of: "theirs" })).json).toMatchObject({ code: "unknown-session" });
    expect((await open("x", { continues: "x" })).json).toMatchObject({ code: "unknown-session" });
    expect((await open("x", { continues: "r", child_of: "r" })).json).toMatchObject({
      code: "invalid-request",
    });
    await openSession(tenant, "own root");
    expect((await open("own%20root", { continues: "r" })).json).toMatchObject({ code: "session-conflict" });
    await openSession(tenant, "kid", { child_of: "r" });
    expect((await open("kid", { continues: "r" })).json).toMatchObject({ code: "session-conflict" });
    expect((await open("kid", {})).status).toBe(200);
    expect((await open("r", { child_of: "kid" })).json).toMatchObject({ code: "session-conflict" });
    const rows = async (chain?: string) =>
      (await ledgerOf(tenant, chain))
        .filter((line) => line.entry.kind === "refusal")
        .map((line) => [line.body.operation, line.body.code, line.entry.session]);
    // What names no session of this agent's is the organization's; the rest stands in the chain of what it names.
    expect(await rows()).toEqual([
      ["openSession", "unknown-session", null],
      ["openSession", "unknown-session", null],
      ["openSession", "unknown-session", null],
      ["openSession", "invalid-request", null],
    ]);
    expect(await rows("own root")).toEqual([["openSession", "session-conflict", "own root"]]);
    expect(await rows("r")).toEqual([
      ["openSession", "session-conflict", "kid"],
      ["openSession", "session-conflict", "r"],
    ]);
    expect((await ledgerOf(stranger, "theirs")).map((line) => line.entry.kind)).toEqual(["session_opened"]);
  });

  it("holds ten thousand sessions, and says so", async ({ expect }) => {
    const tenant = await newTenant();
    await openSession(tenant, "r");
    const stub = env.SESSION.getByName(
      objectName({ kind: "session", organization: tenant.organization, session: "r" }),
    );
    await openSession(tenant, "first", { child_of: "r" });
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      expect(sql.exec("SELECT value FROM meta WHERE key = 'sessions'").one()).toEqual({ value: 2 });
      sql.exec("UPDATE meta SET value = 10000 WHERE key = 'sessions'");
    });
    const refused = await send("/v1/sessions/more", {
      method: "PUT",
      key: tenant.key,
      json: { child_of: "r" },
    });
    expect(refused.json).toMatchObject({ code: "conflict", status: 409 });
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "openSession",
      code: "conflict",
    });
    expect((await openSession(tenant, "first", { cwd: "/srv" })).status).toBe(200);
  });

  it("remembers more sessions than it keeps in memory", async ({ expect }) => {
    const tenant = await newTenant();
    await openSession(tenant, "r");
    const ids = Array.from({ length: 250 }, (_, i) => `k${i}`);
    for (const id of ids)
      await openSession(tenant, id, { continues: id === "k0" ? "r" : `k${Number(id.slice(1)) - 1}` });
    const digest = (await shell(tenant, "r", "make")).json.action_digest;
    for (const id of ["k0", "k249", "k100"])
      expect((await shell(tenant, id, "make")).json.action_digest).toBe(digest);
  });

  it("is opened by a hundred at once as one", async ({ expect }) => {
    const tenant = await newTenant();
    await openSession(tenant, "r");
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        send("/v1/sessions/same", { method: "PUT", key: tenant.key, json: i % 2 ? { child_of: "r" } : {} }),
      ),
    );
    const roots = new Set(answers.filter((answer) => answer.status < 300).map((answer) => answer.json.root));
    expect(roots.size).toBe(1);
    expect(answers.every((answer) => [200, 201, 409].includes(answer.status))).toBe(true);
  });
});

describe("an outcome", () => {
  it("is recorded once, and another one for the same call is refused", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const call = (await shell(tenant, session, "ls")).json.call_id;
    const first = await report(tenant, session, { call_id: call });
    expect((await report(tenant, session, { call_id: call })).json).toEqual(first.json);
    const other = await report(tenant, session, { call_id: call, outcome: "error" });
    expect(other.json).toMatchObject({ code: "outcome-already-reported" });
    expect((await report(tenant, session, { call_id: "never asked" })).json).toMatchObject({
      code: "unknown-call",
    });
    const lines = await ledgerOf(tenant, session);
    expect(lines.map((line) => line.entry.kind)).toEqual([
      "session_opened",
      "decision",
      "outcome",
      "refusal",
      "refusal",
    ]);
  });

  it("of a blocked call that ran all the same is on record as not heeded, and makes no evidence", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await swear(tenant, "never create: /tmp/**\n");
    const session = await newSession(tenant);
    const call = (await shell(tenant, session, "cp ~/skills/a.md /tmp/a.md")).json;
    expect(call.verdict).toBe("block");
    expect((await report(tenant, session, { call_id: call.call_id })).json.evidence).toEqual([]);
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({ heeded: false, verdict: "block" });
  });

  it("of an ask counts as let through when the harness's own user said yes", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never create: /tmp/**\nalways require backup before modify: ~/skills/**\n");
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { engines: { oath: "ask", fence: "off" } },
    });
    const session = await newSession(tenant);
    const through = { ask_through: "harness" };
    const call = (await shell(tenant, session, "cp ~/skills/a.md /tmp/a.md", through)).json;
    expect(call).toMatchObject({ verdict: "ask", approval: null });
    expect(
      (await report(tenant, session, { call_id: call.call_id, answered_by: "harness" })).json.evidence,
    ).toHaveLength(1);
  });
});
