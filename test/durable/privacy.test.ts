/**
 * After a purge nothing is found of any private text, in any form, in any place. What finds it is tried first: on every
 * form, planted in D1 and in an object, and on everything that stands there before the purge.
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, type ExpectStatic, it, vi } from "vitest";
import { ask, must, newTenant, openSession, report, send, swear, type Tenant } from "../support/api.ts";
import { deliver, organizationStubOf, sessionStubOf } from "../support/record.ts";
import { type Form, formsOf } from "./privacy/forms.ts";
import { type Kinds, newKinds, OATH, type Played, play } from "./privacy/kinds.ts";
import { everyPlace, type Find, findIn } from "./privacy/places.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const FENCED = { engines: { provenance: "enforce" } };
const SETTLES_MS = 5;
type Forms = Map<string, readonly Form[]>;

/** @param of what the kinds are of: it stands behind their names */
function formsIn(kinds: Kinds, of = ""): Forms {
  return new Map(
    Object.entries(kinds).map(([name, { text, marks }]) => [`${name}${of}`, formsOf(text, marks)]),
  );
}

/** Hashes that a call is told and that say which action it was. */
function withDigests(forms: Forms, digests: readonly string[]): Forms {
  return new Map([...forms, ["a digest", digests.map((text) => ({ how: "as it is", text }))]]);
}

/** What no record takes: it is refused before anything of it is read. */
const REFUSED = ["an argument under a used id", "a member that no request has"];

function missingOf(forms: Forms, finds: readonly Find[]): string[] {
  const known = new Set(finds.map(({ kind }) => kind));
  return [...forms.keys()].filter((kind) => !known.has(kind) && !REFUSED.some((one) => kind.startsWith(one)));
}

const soon = () => new Promise((resolve) => setTimeout(resolve, SETTLES_MS));

const purge = async (tenant: Tenant, json: object) =>
  (await must("/v1/purge", { cookie: tenant.cookie, json })).json;

async function verified(tenant: Tenant, session: string) {
  const path = `/v1/sessions/${encodeURIComponent(session)}/ledger?disclose=private`;
  const { text } = await must(path, { cookie: tenant.cookie });
  const headers = { "content-type": "application/x-ndjson" };
  return (await must("/v1/ledger/verify", { cookie: tenant.cookie, headers, body: text })).json;
}

const ROOT = "the root";
const FAMILY = [
  [ROOT, {}],
  ["the continuation", { continues: ROOT }],
  ["the child", { child_of: ROOT }],
] as const;

/** Objects that D1 may not have heard of. */
const familyOf = ({ organization }: Tenant) =>
  FAMILY.map(([session]) => ({ kind: "session" as const, organization, session }));

/** D1 takes no entries until this is called. */
function holdDelivery(): () => void {
  const real = env.DB.batch.bind(env.DB);
  const held = vi.spyOn(env.DB, "batch").mockImplementation((statements) => {
    const texts = statements.map((one) => (one as unknown as { statement: string }).statement);
    if (texts.some((text) => text.includes("INSERT INTO records"))) throw new Error("D1_ERROR: away");
    return real(statements);
  });
  return () => held.mockRestore();
}

/** Has the members of a family say and do everything. */
async function playAll(tenant: Tenant, members: readonly string[], of: string) {
  const forms: Forms = new Map();
  const digests: string[] = [];
  const played = new Map<string, Played>();
  for (const [session, relation] of FAMILY.filter(([name]) => members.includes(name))) {
    const kinds = newKinds();
    const done = await play(tenant, session, kinds, relation);
    played.set(session, done);
    digests.push(...done.digests);
    for (const [name, ways] of formsIn(kinds, ` of ${session}, ${of}`)) forms.set(name, ways);
  }
  return { forms: withDigests(forms, digests), played };
}

describe("what looks for private text", () => {
  it("finds every form of every kind: as a row and a blob of D1, as a row and a value of an object", async ({
    expect,
  }) => {
    const tenant = await newTenant("Planted");
    const forms = formsIn(newKinds());
    const all = [...forms.values()].flat().map(({ text }) => text);
    const missed = async (): Promise<string[]> => {
      const finds = findIn(await everyPlace(), forms);
      const known = new Set(finds.map(({ kind, how }) => JSON.stringify([kind, how])));
      return [...forms].flatMap(([kind, ways]) =>
        ways.flatMap(({ how, text }) => (known.has(JSON.stringify([kind, how])) ? [] : [text])),
      );
    };
    const plant = async (values: readonly unknown[]): Promise<void> => {
      await env.DB.prepare("DELETE FROM planted").run();
      const insert = env.DB.prepare("INSERT INTO planted (value) VALUES (?)");
      for (let from = 0; from < values.length; from += 500)
        await env.DB.batch(values.slice(from, from + 500).map((value) => insert.bind(value)));
    };
    expect(all.length).toBeGreaterThan(5_000);
    await env.DB.prepare("CREATE TABLE planted (at INTEGER PRIMARY KEY, value)").run();
    expect(await missed(), "nothing is planted yet").toEqual(all);
    await plant(all);
    expect(await missed()).toEqual([]);
    const isLatin = (text: string): boolean => [...text].every((one) => one.charCodeAt(0) < 256);
    await plant(all.filter(isLatin).map((text) => Uint8Array.from(text, (one) => one.charCodeAt(0))));
    expect(await missed()).toEqual(all.filter((text) => !isLatin(text)));
    await env.DB.prepare("DROP TABLE planted").run();
    const stub = organizationStubOf(tenant);
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      sql.exec("CREATE TABLE planted (value)");
      for (const text of all) sql.exec("INSERT INTO planted VALUES (?)", text);
    });
    expect(await missed()).toEqual([]);
    await runInDurableObject(stub, async (_, { storage }) => {
      storage.sql.exec("DROP TABLE planted");
      await storage.put("planted", all.slice(0, 1));
    });
    expect(await missed()).toEqual(all.slice(1));
    await runInDurableObject(stub, (_, { storage }) => storage.delete("planted"));
  });
});

describe("after a purge of everything", () => {
  it.for([
    ["that was delivered", true],
    ["that D1 had not heard of", false],
  ] as const)(
    "nothing is found of a family's text %s, and its chain verifies",
    async ([, isDelivered], { expect }) => {
      const tenant = await newTenant("Forgetful", FENCED);
      const members = familyOf(tenant);
      await swear(tenant, OATH);
      const { forms } = await playAll(
        tenant,
        FAMILY.map(([name]) => name),
        "all",
      );
      if (isDelivered) await deliver(tenant, ROOT);
      const before = await verified(tenant, ROOT);
      expect(before.ok).toBe(true);
      expect(missingOf(forms, findIn(await everyPlace(members), forms)), "each stands somewhere").toEqual([]);
      await soon();
      expect(await purge(tenant, { all: true })).toMatchObject({ done: true, removed: { agents: 1 } });
      for (let rung = 0; rung < 3; rung += 1) await deliver(tenant, ROOT);
      expect(findIn(await everyPlace(members), forms)).toEqual([]);
      await evictDurableObject(sessionStubOf(tenant, ROOT));
      await runDurableObjectAlarm(sessionStubOf(tenant, ROOT));
      expect(findIn(await everyPlace(members), forms)).toEqual([]);
      const { entries, head } = before;
      expect(await verified(tenant, ROOT)).toMatchObject({ ok: true, entries, head });
    },
  );
});

/** Where a newer row, or the policy, may say again what an older one said. */
const NEWER = /^D1 records$|\/the root (?:meta|calls|turns)$/;

/** Nothing private is left in a row that is older: what was found in those tables is newer. */
async function expectBlank(expect: ExpectStatic, tenant: Tenant, cut: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT seq FROM records WHERE organization_id = ? AND chain <> 'organization' AND at < ?
       AND (private IS NOT NULL OR salt IS NOT NULL)`,
  )
    .bind(tenant.organization, cut)
    .all();
  expect(results).toEqual([]);
  await runInDurableObject(sessionStubOf(tenant, ROOT), (_, { storage: { sql } }) => {
    const older = sql.exec("SELECT 1 FROM entries WHERE entry ->> 'at' < ?", cut).toArray().length;
    expect(older).toBeGreaterThan(20);
    for (const left of [
      "calls WHERE answer <> '' OR digest <> '' OR permits LIKE '%@%'",
      "turns WHERE answer <> '' OR said <> ''",
      "entries WHERE private IS NOT NULL OR salt IS NOT NULL",
    ])
      expect(sql.exec(`SELECT seq FROM (SELECT * FROM ${left}) WHERE seq <= ?`, older).toArray()).toEqual([]);
  });
}

describe("after a purge that cuts a family's life in two", () => {
  it.for([
    ["when all of it was delivered", 2],
    ["when the older half was delivered", 1],
    ["when nothing was delivered", 0],
  ] as const)("%s: what is older is gone, what is newer is all there", async ([, delivered], { expect }) => {
    const tenant = await newTenant("Cut", FENCED);
    const members = familyOf(tenant);
    await swear(tenant, OATH);
    const old = await playAll(tenant, [ROOT, "the child"], "old");
    if (delivered > 0) await deliver(tenant, ROOT);
    await soon();
    const cut = Date.now();
    await soon();
    const release = delivered > 1 ? () => {} : holdDelivery();
    const young = await playAll(tenant, [ROOT, "the continuation"], "new");
    if (delivered > 1) await deliver(tenant, ROOT);
    const before = await verified(tenant, ROOT);
    const control = await everyPlace(members);
    expect(missingOf(old.forms, findIn(control, old.forms)), "each stands somewhere").toEqual([]);
    expect(missingOf(young.forms, findIn(control, young.forms))).toEqual([]);
    release();

    expect(await purge(tenant, { before: cut })).toMatchObject({ before: cut, done: true });
    // In any case until D1 has all of it: an object that nobody knew of forgets then.
    for (let rung = 0; rung < 3; rung += 1) await deliver(tenant, ROOT);
    const places = await everyPlace(members);
    // What something newer says again is newer: the policy that newer words are part of, the calls that were judged by
    // it, and a turn that was told which files had changed.
    const again = /^(?:recipient|sender|home|a sworn file) of (?:the root|the child), old$/;
    const left = findIn(places, old.forms).filter(
      ({ kind, how, place }) => !(again.test(kind) && how === "as it is" && NEWER.test(place)),
    );
    expect(left).toEqual([]);
    await expectBlank(expect, tenant, cut);
    // Where else it stands in the search copy changes with its delivery; in what the sessions keep, nothing does.
    const kept = (finds: readonly Find[]): string[] =>
      finds
        .filter(({ place }) => (delivered > 1 ? !place.includes("_search_") : !/^D1 | entries$/.test(place)))
        .map((find) => JSON.stringify(find))
        .sort();
    expect(kept(findIn(places, young.forms))).toEqual(kept(findIn(control, young.forms)));
    expect(missingOf(young.forms, findIn(places, young.forms))).toEqual([]);
    const { entries, head } = before;
    expect(await verified(tenant, ROOT)).toMatchObject({ ok: true, entries, head });

    const retry = async (session: string, call: object | undefined) =>
      (await send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, { key: tenant.key, json: call }))
        .json;
    const { copy } = young.played.get(ROOT) ?? {};
    expect(
      (await retry(ROOT, { ...copy, ask_through: "harness" })).verdict,
      "a newer call is answered as before",
    ).toBe("ask");
    expect((await retry(ROOT, { ...old.played.get(ROOT)?.copy })).code).toBe("gone");
    expect((await retry("the child", { ...old.played.get("the child")?.copy })).code).toBe("session-gone");
  });
});

describe("what waits for D1 while it is away", () => {
  it("says nothing private once it is forgotten, and arrives", async ({ expect }) => {
    const tenant = await newTenant("Away", {});
    const session = "away";
    await openSession(tenant, session);
    const release = holdDelivery();
    const kinds = newKinds();
    const command = kinds["an action that was denied"]?.text;
    const asked = (await ask(tenant, session, { tool: "terminal", args: { command } })).json;
    await must(`/v1/approvals/${asked.approval.id}/decision`, {
      cookie: tenant.cookie,
      json: { decision: "deny", action_digest: asked.action_digest },
    });
    const forms = withDigests(formsIn(kinds), [asked.action_digest]);
    const here = async () => {
      const finds = findIn(
        await everyPlace([{ kind: "session", organization: tenant.organization, session }]),
        forms,
      );
      return finds.map(({ place }) => place).filter((place) => place.startsWith(tenant.organization));
    };
    expect(await here()).not.toEqual([]);
    await soon();
    expect(await sessionStubOf(tenant, session).forget(Date.now())).toEqual({ done: true, held: false });
    expect(await here()).toEqual([]);
    release();
    for (let rung = 0; rung < 2; rung += 1) await deliver(tenant, session);
    const { json } = await must("/v1/approvals", { cookie: tenant.cookie });
    expect(json.approvals).toMatchObject([{ id: asked.approval.id, status: "denied", action_digest: "" }]);
  });
});

describe("what is reported of a call that is forgotten", () => {
  it("is taken, and the next purge takes it along", async ({ expect }) => {
    const tenant = await newTenant("Late", {});
    const kinds = newKinds();
    const session = "late";
    const path = kinds["a sworn file"]?.text ?? "";
    await swear(tenant, OATH);
    await openSession(tenant, session, { home: kinds["home"]?.text });
    const { call_id } = (await ask(tenant, session, { tool: "terminal", args: { command: "ls" } })).json;
    await deliver(tenant, session);
    await soon();
    await purge(tenant, { all: true });
    const rows = [{ path, sha256: kinds["a sworn file's hash"]?.text }];
    expect((await report(tenant, session, { call_id, host: "h", fingerprints: rows })).status).toBe(200);
    await deliver(tenant, session);
    await soon();
    await purge(tenant, { all: true });
    await runInDurableObject(sessionStubOf(tenant, session), (_, { storage: { sql } }) => {
      // By it somebody could try which files were reported, and what was in them.
      expect(sql.exec("SELECT fingerprints, outcome FROM calls").toArray()).toEqual([
        { fingerprints: null, outcome: "success" },
      ]);
    });
    expect(findIn(await everyPlace(), formsIn(kinds))).toEqual([]);
  });
});
