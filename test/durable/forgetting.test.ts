/** After a purge nothing is found of what was private: not in D1, not in an object, not as a hash somebody could try. */

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { describe, it } from "vitest";
import { objectName } from "../../src/durable/protocol.ts";
import { hashOf, TAGS } from "../../src/ledger/index.ts";
import { searchable, wordsOf } from "../../src/policy/provenance/index.ts";
import { ask, ledgerOf, must, newTenant, openSession, report, send, type Tenant } from "../support/api.ts";
import { agentStubOf, settleInput, stubOf } from "./support.ts";

const SESSION = "the session of this test";
const PATH = `/v1/sessions/${encodeURIComponent(SESSION)}`;
const HOME = "/home/axolotl";

/** What nobody may find again. */
const SECRETS = {
  typed: "Please mail the zebrafish ledger to wilhelmina@orchid.example, I decided we ship on Friday",
  quote: "I decided we ship on Friday",
  recipient: "wilhelmina@orchid.example",
  sender: "sender-narwhal-17",
  home: HOME,
  variable: "/srv/pangolin",
  made: "/tmp/quokka-copy.md",
  source: `${HOME}/work/quokka.md`,
  command: "cp quokka.md /tmp/quokka-copy.md",
  claim: "User decided to ship the manatee on Friday.",
  skill: "ship-the-manatee",
  stored: "what the ocelot wrote before",
  error: "the wombat could not be reached",
  denial: "because the capybara said so",
  sworn: `${HOME}/keep/tapir.md`,
  file: createHash("sha256").update("the tapir's file").digest("hex"),
  asked: "git push origin the-okapi-branch",
} as const;

async function stubsOf(tenant: Tenant) {
  const organization = env.SESSION.getByName(
    objectName({ kind: "organization", organization: tenant.organization }),
  );
  return { session: stubOf(tenant, SESSION), organization, agent: agentStubOf(tenant) };
}

/** Every value of every table, those of the indexes as bytes. */
async function everything(tenant: Tenant): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  for (const { name } of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`)
      .all()
      .catch(() => ({ results: [] }));
    const own = results.filter(
      (row) => (row["organization_id"] ?? tenant.organization) === tenant.organization,
    );
    found.set(`D1 ${name}`, textOf(own));
  }
  for (const [name, stub] of Object.entries(await stubsOf(tenant)))
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      const own = sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
        )
        .toArray();
      for (const table of own)
        found.set(`${name} ${table.name}`, textOf(sql.exec(`SELECT * FROM "${table.name}"`).toArray()));
    });
  return found;
}

function textOf(rows: readonly Record<string, unknown>[]): string {
  const one = (value: unknown): string => {
    if (value instanceof ArrayBuffer || Array.isArray(value))
      return [...(Array.isArray(value) ? value : new Uint8Array(value))]
        .map((byte) => String.fromCharCode(Number(byte)))
        .join("");
    return typeof value === "string" ? value : String(value);
  };
  return rows.map((row) => Object.values(row).map(one).join("\u0001")).join("\u0002");
}

/** A secret in every form in which it may stand somewhere. */
function formsOf(secret: string): string[] {
  const plain = searchable(secret);
  const hashes = [secret, plain].flatMap((text) => [
    createHash("sha256").update(text).digest("hex"),
    ...[TAGS.private, TAGS.rawArguments, "countersign/said/v1\n", "countersign/write-target/v1\n"].map(
      (tag) => hashOf(tag, text),
    ),
  ]);
  return [secret, JSON.stringify(secret).slice(1, -1), plain, ...hashes];
}

async function placesOf(tenant: Tenant): Promise<string[]> {
  const all = await everything(tenant);
  expectTables(all);
  const places: string[] = [];
  for (const [name, secret] of Object.entries(SECRETS))
    for (const form of formsOf(secret))
      for (const [place, text] of all)
        if (text.includes(form) && !(name === "skill" && place.endsWith("oath_versions")))
          places.push(`${name} as ${form.slice(0, 24)} in ${place}`);
  // The terms of the indexes are hashes of words, and of pairs of them.
  for (const term of wordsOf(searchable(SECRETS.claim)).split(" "))
    if (all.get("D1 evidence_search_data")?.includes(term))
      places.push(`a word of the claim in evidence_search`);
  return places;
}

function expectTables(all: ReadonlyMap<string, string>): void {
  for (const name of ["D1 said", "D1 said_search_data", "D1 evidence", "session calls", "agent fingerprints"])
    if (!all.has(name)) throw new Error(`${name} was not looked at: ${[...all.keys()].join(", ")}`);
}

const deliver = async (tenant: Tenant): Promise<void> => {
  const { session, organization } = await stubsOf(tenant);
  for (const stub of [session, organization]) await runDurableObjectAlarm(stub);
};

const purge = (tenant: Tenant, json: object = { older_than_days: 0 }) =>
  must("/v1/purge", { cookie: tenant.cookie, json });

const verified = async (tenant: Tenant) => {
  const { text } = await must(`${PATH}/ledger?disclose=private`, { cookie: tenant.cookie });
  const checked = await must("/v1/ledger/verify", {
    cookie: tenant.cookie,
    headers: { "content-type": "application/x-ndjson" },
    body: text,
  });
  return { text, ...checked.json } as { text: string; ok: boolean; entries: number; head: unknown };
};

/** One of everything that is private, in every place where it stands. */
async function play(tenant: Tenant) {
  await must("/v1/oath", {
    method: "PUT",
    cookie: tenant.cookie,
    headers: { "if-match": '"0"' },
    json: { text: "always require backup before modify: ~/work/quokka.md\nnever delete: ~/keep/**\n" },
  });
  await openSession(tenant, SESSION, {
    home: HOME,
    cwd: `${HOME}/work`,
    variables: { PLACE: SECRETS.variable },
  });
  const said = { text: SECRETS.typed, sender_id: SECRETS.sender, turn_id: "turn 1" };
  await must(`${PATH}/turns`, { key: tenant.key, json: said });
  const through = { ask_through: "harness" };
  const copy = await ask(tenant, SESSION, {
    tool: "terminal",
    args: { command: SECRETS.command },
    ...through,
  });
  await report(tenant, SESSION, { call_id: copy.json.call_id, answered_by: "harness" });
  const write = {
    action: "create",
    name: SECRETS.skill,
    content: `${SECRETS.claim} "${SECRETS.quote}"`,
  };
  const kept = await ask(tenant, SESSION, {
    tool: "skill_manage",
    args: write,
    stored: SECRETS.stored,
    ...through,
  });
  await report(tenant, SESSION, { call_id: kept.json.call_id, outcome: "error", error: SECRETS.error });
  const sent = await ask(tenant, SESSION, {
    tool: "send_email",
    args: { to: SECRETS.recipient, subject: "zebrafish ledger", body: "zebrafish ledger" },
    ...through,
  });
  for (const sha256 of ["0".repeat(64), SECRETS.file])
    await must(`${PATH}/fingerprints`, {
      method: "PUT",
      key: tenant.key,
      json: { host: "h", rows: [{ path: SECRETS.sworn, sha256 }] },
    });
  return { said, copy, kept, sent };
}

const FENCED = { engines: { provenance: "enforce" } };

describe("after a purge", () => {
  it("nothing is found of any private text, its normalised form or its unsalted hash, and the chain verifies", async ({
    expect,
  }) => {
    const tenant = await newTenant("Forgetful", FENCED);
    const { said, copy } = await play(tenant);
    // An ask that was denied, with a reason in words.
    const asked = await ask(tenant, SESSION, { tool: "terminal", args: { command: SECRETS.asked } });
    const { id } = asked.json.approval;
    await must(`/v1/approvals/${id}/decision`, {
      cookie: tenant.cookie,
      json: {
        decision: "deny",
        action_digest: asked.json.action_digest,
        reason: { preset: "not-now", text: SECRETS.denial },
      },
    });
    await deliver(tenant);
    const before = await verified(tenant);
    expect(before.ok).toBe(true);
    const places = await placesOf(tenant);
    for (const [name, secret] of Object.entries(SECRETS))
      expect(
        places.some((place) => place.startsWith(`${name} `)),
        `${name} is looked for, and stands somewhere before: ${secret}`,
      ).toBe(true);
    const { json } = await purge(tenant);
    expect(json).toMatchObject({ done: true, removed: { said: 1, sessions: 1, agents: 1 } });
    expect(await placesOf(tenant)).toEqual([]);
    // By the digest of an action somebody could try what it was: it went with the arguments.
    const digests = [asked, copy].map((call) => call.json.action_digest as string);
    const kept = [...(await everything(tenant))].flatMap(([place, text]) =>
      digests.some((digest) => text.includes(digest)) ? [place] : [],
    );
    expect(kept).toEqual([]);
    const after = await verified(tenant);
    expect(after).toMatchObject({ ok: true, entries: before.entries, head: before.head });
    // The same after the object was away, and whatever its memory held.
    await evictDurableObject(stubOf(tenant, SESSION));
    expect(await placesOf(tenant)).toEqual([]);

    // Retries of what is gone are told so, on record; where it runs is to be said again.
    const retry = { call_id: copy.json.call_id, tool: "terminal", args: { command: SECRETS.command } };
    const decide = () => send(`${PATH}/decisions`, { key: tenant.key, json: retry });
    expect((await decide()).json).toMatchObject({ code: "session-gone", status: 410 });
    await openSession(tenant, SESSION, { home: HOME, cwd: `${HOME}/work` });
    expect((await decide()).json).toMatchObject({ code: "gone", status: 410 });
    const turn = await send(`${PATH}/turns`, { key: tenant.key, json: said });
    expect(turn.json).toMatchObject({ code: "gone", status: 410 });
    const codes = (await ledgerOf(tenant, SESSION))
      .filter(({ entry }) => entry.kind === "refusal")
      .map(({ body }) => body.code);
    expect(codes.slice(-3)).toEqual(["session-gone", "gone", "gone"]);
    expect(await verified(tenant)).toMatchObject({ ok: true });
    // The verdicts are still counted, and new calls are judged.
    const status = await must(PATH, { cookie: tenant.cookie });
    const counted = Object.values<number>(status.json.verdicts).reduce((sum, n) => sum + n, 0);
    expect(counted).toBe(4);
    expect(status.json.backups).toEqual([]);
    const fresh = await ask(tenant, SESSION, { tool: "terminal", args: { command: "ls" } });
    expect(fresh.status).toBe(200);
  });

  it("what an open approval needs stays until it is closed, and goes then by itself", async ({ expect }) => {
    const tenant = await newTenant("Held", FENCED);
    await openSession(tenant, SESSION, { home: HOME, cwd: `${HOME}/work` });
    await must(`${PATH}/turns`, { key: tenant.key, json: { text: SECRETS.typed } });
    const call = { call_id: "the call", tool: "terminal", args: { command: SECRETS.asked } };
    const asked = await ask(tenant, SESSION, call);
    expect(asked.json.verdict).toBe("ask");
    await deliver(tenant);
    expect((await purge(tenant)).json).toMatchObject({ done: true });
    const stub = stubOf(tenant, SESSION);
    expect(await stub.forget(Date.now() + 1)).toEqual({ done: true, held: true });
    const held = [...(await everything(tenant))].filter(([, text]) => text.includes(SECRETS.asked));
    expect(held.map(([place]) => place)).toEqual(["session shown"]);
    const shown = await must(`/v1/approvals/${asked.json.approval.id}?shown=true`, { cookie: tenant.cookie });
    expect(shown.json.shown.args).toEqual({ command: SECRETS.asked });
    const pending = await ask(tenant, SESSION, call);
    expect(pending.json).toMatchObject({ verdict: "ask", approval: { status: "pending" } });
    await must(`/v1/approvals/${asked.json.approval.id}/decision`, {
      cookie: tenant.cookie,
      json: { decision: "approve", action_digest: asked.json.action_digest },
    });
    expect((await ask(tenant, SESSION, call)).json).toMatchObject({
      verdict: "allow",
      approval: { grant: "spent" },
    });
    // Nobody asks for it again: the alarm takes it.
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(stub);
    await report(tenant, SESSION, { call_id: "the call" });
    await deliver(tenant);
    const left = [...(await everything(tenant))].filter(([, text]) => text.includes(SECRETS.recipient));
    expect(left.map(([place]) => place)).toEqual([]);
    expect(await verified(tenant)).toMatchObject({ ok: true });
  });

  it("a policy that newer words are part of stays, its budgets too, and older calls go", async ({
    expect,
  }) => {
    const tenant = await newTenant("Lively", FENCED);
    await openSession(tenant, SESSION, { home: HOME, cwd: `${HOME}/work` });
    const say = (text: string) => must(`${PATH}/turns`, { key: tenant.key, json: { text } });
    await say("Send one email to ada@example.com.");
    const email = (call_id: string) =>
      ask(tenant, SESSION, {
        call_id,
        tool: "send_email",
        args: { to: "ada@example.com", subject: "s", body: "b" },
      });
    expect((await email("one")).json.verdict).toBe("allow");
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await say("Thank you.");
    const stub = stubOf(tenant, SESSION);
    const task = await stub.task();
    expect(task.policy.permissions.length).toBeGreaterThan(0);
    expect(await stub.forget(before)).toEqual({ done: true, held: false });
    expect(await stub.task()).toEqual(task);
    expect((await email("one")).json).toMatchObject({ code: "gone" });
    // One was asked for, and one was sent.
    expect((await email("two")).json.verdict).toBe("ask");
    expect((await must(PATH, { key: tenant.key })).json.verdicts).toEqual({ allow: 1, ask: 1 });
  });

  it("an object that nobody knew of forgets when its rows arrive", async ({ expect }) => {
    const tenant = await newTenant("Unknown", FENCED);
    await play(tenant);
    expect((await purge(tenant)).json).toMatchObject({ done: true, removed: { sessions: 0, said: 0 } });
    await deliver(tenant);
    await deliver(tenant);
    expect(await placesOf(tenant)).toEqual([]);
    expect(await verified(tenant)).toMatchObject({ ok: true });
  });

  it("takes a long session part by part, while calls come between", async ({ expect }) => {
    const tenant = await newTenant("Long", { engines: { fence: "off" } });
    await openSession(tenant, SESSION, { home: HOME, cwd: `${HOME}/work` });
    const stub = stubOf(tenant, SESSION);
    for (let n = 0; n < 450; n += 1) await stub.settle(settleInput(tenant, SESSION, `call ${n}`));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    let parts = 0;
    for (let done = false; !done; parts += 1) {
      done = (await stub.forget(before)).done;
      await stub.settle(settleInput(tenant, SESSION, `between ${parts}`));
    }
    expect(parts).toBeGreaterThan(4);
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      const left = sql.exec<{ n: number }>("SELECT count(*) AS n FROM calls WHERE answer <> ''").one().n;
      expect(left).toBe(parts);
      expect(sql.exec("SELECT verdict, count(*) AS n FROM calls GROUP BY verdict").toArray()).toEqual([
        { verdict: "allow", n: 450 + parts },
      ]);
    });
    expect(await verified(tenant)).toMatchObject({ ok: true, entries: 451 + parts });
  });
});
