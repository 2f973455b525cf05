import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { listDueAnchors, readAnchor } from "../../src/db/anchors.ts";
import { anchorCheckpoint, upgradeAnchors, workOn } from "../../src/http/anchor-work.ts";
import { TIMESTAMP_NOT_PROVEN, TIMESTAMP_PENDING } from "../../src/ledger/index.ts";
import {
  type Attestation,
  attestationsOf,
  chainOf,
  judgeAnchor,
  merge,
  type Operation,
  type Proof,
  parseProof,
  serializeProof,
  serializeTimestamp,
  type Timestamp,
} from "../../src/ledger/ots/index.ts";
import { type Answer, ledgerOf, must, newMember, newTenant, send, type Tenant } from "../support/api.ts";

const sha256 = (of: string | Uint8Array) => createHash("sha256").update(of).digest("hex");
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (of: Uint8Array) => Buffer.from(of).toString("hex");

/** Two real blocks of Bitcoin. */
const BLOCK = {
  height: 800_352,
  header:
    "00e0fa2c6a3e49a364a2fbdc904dffc7ad35868e5edfaa2c8cdc00000000000000000000b9711364ed6f7e2cd6145207d8a37314d0908f048a71dc7c7f8a480b9a057e91b314c164026105177f872aed",
  hash: "00000000000000000002d73c4f520e4f1aba034c6f3e0d36aaa175cf744a2551",
  time: 1_690_375_347_000,
};
const NEXT_HEADER =
  "04e000204be80184cc04d777daad1189724bc32a949e04601ebf0200000000000000000078ce8a1195d00b58c530046ec369868aa4cc856bf139ef2636192ced886ed412881c2966db3103172b1d1f06";

const chain = (message: Uint8Array, operations: Operation[], attestation: Attestation): Timestamp => {
  const made = chainOf(message, operations, () => ({ attestations: [attestation], branches: [] }));
  if (made === null) throw new Error("no such chain");
  return made;
};

/** The merkle root of that block, taken for a digest. */
const OLD_DIGEST = BLOCK.header.slice(72, 136);
const OLD_PROOF: Proof = {
  hash: "sha256",
  timestamp: chain(bytes(OLD_DIGEST), [], { kind: "bitcoin", height: BLOCK.height }),
};

const A = "https://a.calendar.example";
const B = "https://b.calendar.example";
const SOURCE = "https://blocks.example/api";
const calendars = (anchoring: object = { calendars: [A, B] }) => ({ engines: { fence: "off" }, anchoring });

/** What was sent to the world, and what it answers: nothing leaves this machine. */
let sent: { url: string; method: string; body: string }[] = [];
type World = (url: string, body: Uint8Array) => Response | Promise<Response>;
let world: World = () => new Response(null, { status: 503 });

/** Calendars that promise, each under its own name. */
const promising: World = (url, body) =>
  new Response(
    serializeTimestamp(
      chain(body, [{ kind: "append", argument: bytes("aa55") }, { kind: "sha256" }], {
        kind: "pending",
        uri: new URL(url).origin,
      }),
    ),
  );
const commitmentIn = (url: string) => bytes(/\/timestamp\/([0-9a-f]+)$/.exec(url)?.[1] ?? "");
const inBlock = (url: string, height = 358_391) =>
  new Response(
    serializeTimestamp(chain(commitmentIn(url), [{ kind: "sha256" }], { kind: "bitcoin", height })),
  );

beforeEach(() => {
  sent = [];
  world = () => new Response(null, { status: 503 });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const body = new Uint8Array(await request.arrayBuffer());
    sent.push({ url: request.url, method: request.method, body: hex(body) });
    return world(request.url, body);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const stamp = (cookie: string, json: object): Promise<Answer> => send("/v1/anchors", { cookie, json });
const stamped = async (tenant: Tenant, json: object) =>
  (await must("/v1/anchors", { cookie: tenant.cookie, json })).json;
const read = async (tenant: Tenant, id: string, query = "") =>
  (await must(`/v1/anchors/${id}${query}`, { cookie: tenant.cookie })).json;
const addHeader = (tenant: Tenant, id: string, json: object, cookie = tenant.cookie): Promise<Answer> =>
  send(`/v1/anchors/${id}/headers`, { cookie, json });
const refusals = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "refusal").map(({ body }) => body.code);
const anchorsOnRecord = async (tenant: Tenant) =>
  (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "anchor").map(({ body }) => body);

async function fileOf(tenant: Tenant, id: string): Promise<Proof> {
  const row = await readAnchor(env.DB, tenant.organization, id);
  const parsed = parseProof(new Uint8Array(Buffer.from(row?.proof ?? "", "base64")));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.proof;
}

/** Lays a proof under an anchor that is as old as that block, as calendars of then would have built it. */
const lay = (tenant: Tenant, id: string, proof: Proof) =>
  env.DB.prepare(
    "UPDATE anchors SET proof = ?, state = 'attested', next_at = 0, created_at = 1690375347000 WHERE organization_id = ? AND anchor_id = ?",
  )
    .bind(Buffer.from(serializeProof(proof)).toString("base64"), tenant.organization, id)
    .run();
const ways = {
  fetch: ((...request) => fetch(...request)) as typeof fetch,
  reach: { own: [], loopback: false },
};
const cron = (now: number) => upgradeAnchors(env, now, Date.now() + 60_000);

describe("what is stamped", () => {
  it("is the exact bytes: no trimming, no normalising, no line endings made alike", async ({ expect }) => {
    const tenant = await newTenant("Exact");
    const texts = ["a", "a\n", "a\r\n", " a", "\ufeffa", "e\u0301", "\u00e9", "", "👩‍🚀\u0000"];
    const digests = new Set<string>();
    for (const [i, text] of texts.entries()) {
      const made = await stamp(tenant.cookie, { reference: `text ${i}`, text });
      expect(made.status, made.text).toBe(201);
      expect(made.json).toMatchObject({
        digest: sha256(text),
        size: Buffer.byteLength(text),
        private: false,
        state: "unsubmitted",
        integrity: "not established",
        priority: "not claimed",
        block: null,
        not_proven: [TIMESTAMP_PENDING],
        created_by: tenant.owner,
      });
      expect(made.json.covers).toContain(`All of the ${Buffer.byteLength(text)} bytes`);
      digests.add(made.json.digest);
    }
    expect(digests.size).toBe(texts.length);
    const raw = Buffer.from([0, 255, 10, 13]);
    const made = await stamped(tenant, { reference: "raw", bytes_base64: raw.toString("base64") });
    expect(made).toMatchObject({ digest: sha256(raw), size: 4 });
    const only = await stamped(tenant, { reference: "digest", digest: sha256("x") });
    expect(only).toMatchObject({ digest: sha256("x"), size: null });
    expect(only.covers).toContain("were not sent here");
    const record = await anchorsOnRecord(tenant);
    expect(record).toHaveLength(texts.length + 2);
    expect(record.at(-1)).toEqual({
      by: tenant.owner,
      anchor: only.anchor,
      reference: "digest",
      digest: sha256("x"),
      private: false,
      size: null,
      published_at: null,
    });
    expect(only.ledger_seq).toBe((await ledgerOf(tenant)).at(-1)?.entry.seq);
    expect(sent, "no calendar is set").toEqual([]);
  });

  it("stands under one reference for good: the same again is the first, other bytes are refused", async ({
    expect,
  }) => {
    const tenant = await newTenant("Once");
    const first = await stamped(tenant, { reference: "post", text: "we ship\n", published_at: 5 });
    for (const json of [
      { text: "we ship\n" },
      { digest: sha256("we ship\n") },
      { digest: sha256("we ship\n"), private: true, published_at: 9 },
      { bytes_base64: Buffer.from("we ship\n").toString("base64") },
    ]) {
      const again = await stamp(tenant.cookie, { reference: "post", ...json });
      expect(again.status).toBe(200);
      expect(again.json).toEqual(first);
    }
    expect(await refusals(tenant)).toEqual([]);
    const other = await stamp(tenant.cookie, { reference: "post", text: "we ship" });
    expect(other.json).toMatchObject({ status: 409, code: "conflict" });
    expect(await refusals(tenant)).toEqual(["conflict"]);
    expect(await anchorsOnRecord(tenant)).toHaveLength(1);
    expect(await read(tenant, first.anchor)).toEqual(first);
    const elsewhere = await newTenant("Elsewhere");
    expect((await stamp(elsewhere.cookie, { reference: "post", text: "other" })).status).toBe(201);
  });

  it("is decided once where many ask at once", async ({ expect }) => {
    const tenant = await newTenant("Race");
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        stamp(tenant.cookie, { reference: "race", text: i % 2 === 0 ? "even" : "odd" }),
      ),
    );
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 201, 409, 409, 409, 409]);
    const ids = new Set(all.filter(({ status }) => status < 300).map(({ json }) => json.anchor));
    expect(ids.size).toBe(1);
    expect(await anchorsOnRecord(tenant)).toHaveLength(1);
    expect(await refusals(tenant)).toHaveLength(4);
  });

  it("is refused where it is not said exactly", async ({ expect }) => {
    const tenant = await newTenant("Wrong");
    const digest = sha256("x");
    const wrong: [object, string][] = [
      [{ reference: "r" }, ""],
      [{ reference: "r", text: "x", digest }, ""],
      [{ reference: "r", text: "x", bytes_base64: "eA==" }, ""],
      [{ reference: "r", digest: digest.toUpperCase() }, "/digest"],
      [{ reference: "r", digest: digest.slice(2) }, "/digest"],
      [{ reference: "r", bytes_base64: "eA" }, "/bytes_base64"],
      [{ reference: "r", bytes_base64: "eB==" }, "/bytes_base64"],
      [{ reference: "r", text: "x", private: true }, "/private"],
      [{ reference: "r", bytes_base64: "eA==", private: true }, "/private"],
      [{ reference: "", text: "x" }, "/reference"],
      [{ reference: " r", text: "x" }, "/reference"],
      [{ reference: "r\n", text: "x" }, "/reference"],
      [{ reference: "r\u200b", text: "x" }, "/reference"],
      [{ reference: "checkpoint:1", text: "x" }, "/reference"],
      [{ reference: "r".repeat(201), text: "x" }, "/reference"],
      [{ reference: "r", text: "x", published_at: -1 }, "/published_at"],
    ];
    for (const [json, pointer] of wrong) {
      const answer = await stamp(tenant.cookie, json);
      expect(answer.status, JSON.stringify(json)).toBe(422);
      expect(answer.json.errors[0].pointer, JSON.stringify(json)).toBe(pointer);
    }
    expect(await refusals(tenant)).toHaveLength(wrong.length);
    expect(await anchorsOnRecord(tenant)).toEqual([]);
  });

  it("is an admin's to decide, and everybody's to read", async ({ expect }) => {
    const tenant = await newTenant("Roles");
    const made = await stamped(tenant, { reference: "mine", text: "x" });
    for (const role of ["viewer", "approver"]) {
      const { cookie } = await newMember(tenant, role);
      expect((await stamp(cookie, { reference: role, text: "x" })).status).toBe(403);
      expect((await send(`/v1/anchors/${made.anchor}`, { cookie })).status).toBe(200);
    }
    const admin = await newMember(tenant, "admin");
    expect((await stamp(admin.cookie, { reference: "theirs", text: "x" })).json.created_by).toBe(
      admin.member,
    );
    expect(await refusals(tenant)).toEqual(["forbidden", "forbidden"]);
  });

  it("leaves no byte of the content anywhere, private or not", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Nothing kept", calendars());
    const secret = "the finding that nobody has heard of yet";
    const digest = sha256(secret);
    await stamped(tenant, { reference: "finding", digest, private: true });
    await stamped(tenant, { reference: "said", text: secret });
    const told = await ledgerOf(tenant);
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all<{ name: string }>();
    const kept: string[] = [JSON.stringify(told)];
    for (const { name } of results)
      if (!/^(?:sqlite_|d1_|evidence_words|said_words)/.test(name))
        kept.push(JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results));
    expect(kept.length).toBeGreaterThan(10);
    const all = kept.join("\n");
    for (const form of [secret, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")])
      expect(all).not.toContain(form);
    // Calendars learn nothing either: not the digest, and not that two stamps are of the same.
    expect(sent).toHaveLength(4);
    for (const { body } of sent) expect(body).not.toContain(digest);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(2);
  });

  it("is listed newest first, a page at a time, for its own organization", async ({ expect }) => {
    const tenant = await newTenant("List");
    for (const i of [1, 2, 3, 4, 5]) await stamped(tenant, { reference: `r${i}`, text: `${i}` });
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = (await must(`/v1/anchors?limit=2${cursor}`, { cookie: tenant.cookie })).json;
      seen.push(...page.anchors.map((one: { reference: string }) => one.reference));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    expect(seen.sort()).toEqual(["r1", "r2", "r3", "r4", "r5"]);
    const stranger = await newTenant("Stranger");
    expect((await must("/v1/anchors", { cookie: stranger.cookie })).json.anchors).toEqual([]);
  });
});

describe("calendars", () => {
  it("are set by the organization, and judged as any address is", async ({ expect }) => {
    const tenant = await newTenant("Set");
    const put = (anchoring: object) =>
      send("/v1/organization/settings", { method: "PUT", cookie: tenant.cookie, json: { anchoring } });
    expect((await put({ calendars: [A, B], headers: SOURCE, checkpoints: true })).status).toBe(200);
    for (const url of [
      "http://a.example",
      "https://127.0.0.1",
      "https://10.1.2.3",
      "https://169.254.169.254",
      "https://[::1]",
      "https://countersign.test",
      "https://user:pass@a.example",
      "https://a.example/?q",
      "https://intranet",
    ]) {
      const answer = await put({ calendars: [A, url] });
      expect(answer.status, url).toBe(422);
      expect(answer.json.errors[0].pointer).toBe("/anchoring/calendars/1");
      expect((await put({ headers: url })).json.errors[0].pointer).toBe("/anchoring/headers");
    }
    expect((await put({ calendars: Array.from({ length: 7 }, () => A) })).status).toBe(422);
    expect(await refusals(tenant)).toHaveLength(19);
    const { settings } = (await must("/v1/organization", { cookie: tenant.cookie })).json;
    expect(settings.anchoring).toEqual({ calendars: [A, B], headers: SOURCE, checkpoints: true });
  });

  it("are told a salted hash, and their promises make a proof", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Promised", calendars());
    const made = await stamped(tenant, { reference: "r", text: "x", published_at: 1 });
    expect(sent.map(({ url, method }) => `${method} ${url}`).sort()).toEqual([
      `POST ${A}/digest`,
      `POST ${B}/digest`,
    ]);
    expect(made).toMatchObject({
      state: "pending",
      integrity: "pending",
      priority: "pending",
      last_failure: null,
      not_proven: [TIMESTAMP_PENDING],
    });
    expect(made.attestations.map((one: { calendar: string }) => one.calendar).sort()).toEqual([A, B]);
    const answer = await send(`/v1/anchors/${made.anchor}/proof.ots`, { cookie: tenant.cookie });
    expect(answer.headers.get("content-type")).toBe("application/vnd.opentimestamps.v1");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.ots"$/);
    const { hash, timestamp } = await fileOf(tenant, made.anchor);
    expect([hash, hex(timestamp.message)]).toEqual(["sha256", sha256("x")]);
    const [nonce] = timestamp.branches;
    expect(nonce?.operation.kind).toBe("append");
    expect(nonce?.operation.kind === "append" && nonce.operation.argument.length).toBe(16);
    expect(hex(nonce?.timestamp.branches[0]?.timestamp.message ?? bytes(""))).toBe(sent[0]?.body);
    expect(sent[0]?.body).toBe(sent[1]?.body);
  });

  it("need not all take it: one is enough, none leaves it to be tried again", async ({ expect }) => {
    const tenant = await newTenant("Some", calendars());
    world = (url, body) =>
      url.startsWith(A) ? promising(url, body) : new Response(serializeProof(OLD_PROOF));
    const one = await stamped(tenant, { reference: "one", text: "1" });
    expect(one.state).toBe("pending");
    expect(one.attestations).toHaveLength(1);

    const bad: [string, World][] = [
      ["status-503", () => new Response(null, { status: 503 })],
      ["redirect", () => new Response(null, { status: 302, headers: { location: A } })],
      ["unreachable", () => Promise.reject(new Error("no route"))],
      ["too-large", () => new Response(new Uint8Array(10_001))],
      ["malformed", () => new Response("<html>")],
      ["malformed", () => new Response(bytes("08".repeat(9_000)))],
      [
        "nothing-promised",
        (_, body) => new Response(serializeTimestamp(chain(body, [], { kind: "litecoin", height: 1 }))),
      ],
    ];
    for (const [failure, behaviour] of bad) {
      world = behaviour;
      const made = await stamp(tenant.cookie, {
        reference: `bad ${bad.findIndex(([, b]) => b === behaviour)}`,
        text: "2",
      });
      expect(made.status, failure).toBe(201);
      expect(made.json).toMatchObject({ state: "unsubmitted", last_failure: failure, attestations: [] });
      const file = await send(`/v1/anchors/${made.json.anchor}/proof.ots`, { cookie: tenant.cookie });
      expect(file.json).toMatchObject({ status: 404, code: "not-found" });
    }
    world = promising;
    const again = await stamp(tenant.cookie, { reference: "bad 0", text: "2" });
    expect([again.status, again.json.state]).toEqual([200, "pending"]);
  });

  it("that promise without end crowd nobody out", async ({ expect }) => {
    const tenant = await newTenant("Crowd", calendars());
    world = (url, body) => {
      if (url.startsWith(A)) return promising(url, body);
      const many = chainOf(body, [], () => ({
        attestations: Array.from(
          { length: 100 },
          (_, i): Attestation => ({ kind: "pending", uri: `https://x${i}.example` }),
        ),
        branches: [],
      }));
      return new Response(many === null ? null : serializeTimestamp(many));
    };
    const made = await stamped(tenant, { reference: "r", text: "x" });
    expect(made.attestations.map((one: { calendar: string }) => one.calendar)).toEqual([A]);
  });
});

describe("the clock", () => {
  it("has what no calendar took taken, with longer and longer waits", async ({ expect }) => {
    const tenant = await newTenant("Later", calendars());
    const { anchor } = await stamped(tenant, { reference: "r", text: "x" });
    let at = (await read(tenant, anchor)).next_at;
    const waits: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      await cron(at - 1);
      expect((await read(tenant, anchor)).next_at).toBe(at);
      await cron(at);
      const next = (await read(tenant, anchor)).next_at;
      waits.push(next - at);
      at = next;
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.at(-1)).toBe(12 * 60 * 60 * 1000);
    world = promising;
    await cron(at);
    expect((await read(tenant, anchor)).state).toBe("pending");
  });

  it("asks for what was promised, and takes the block in the promise's place", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Upgrade", calendars());
    const { anchor, next_at } = await stamped(tenant, { reference: "r", text: "x" });
    sent = [];
    world = () => new Response("Pending confirmation in Bitcoin blockchain", { status: 404 });
    await cron(next_at);
    const leaf = attestationsOf((await fileOf(tenant, anchor)).timestamp)[0]?.message ?? bytes("");
    expect(sent.map(({ url, method }) => `${method} ${url}`).sort()).toEqual([
      `GET ${A}/timestamp/${hex(leaf)}`,
      `GET ${B}/timestamp/${hex(leaf)}`,
    ]);
    let now = await read(tenant, anchor);
    expect(now).toMatchObject({ state: "pending", last_failure: "not-yet" });
    expect(now.next_at).toBeGreaterThan(next_at);

    world = (url) => (url.startsWith(A) ? inBlock(url) : new Response(null, { status: 404 }));
    await cron(now.next_at);
    now = await read(tenant, anchor);
    expect(now.state).toBe("attested");
    expect(now.attestations.map((one: { kind: string }) => one.kind).sort()).toEqual(["bitcoin", "pending"]);
    expect(now).toMatchObject({ integrity: "pending", block: null, not_proven: [TIMESTAMP_PENDING] });

    world = (url) => inBlock(url, 358_392);
    await cron(now.next_at);
    now = await read(tenant, anchor);
    expect(now.attestations.map((one: { height: number }) => one.height).sort()).toEqual([358_391, 358_392]);
    // Without a source of headers there is nothing left that time could bring.
    expect(now.next_at).toBeNull();
  });

  it("takes no other promise for an answer, nor anything that it cannot read", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Stubborn", calendars());
    const { anchor } = await stamped(tenant, { reference: "r", text: "x" });
    const before = serializeProof(await fileOf(tenant, anchor));
    const answers: World[] = [
      (url) =>
        new Response(
          serializeTimestamp(
            chain(commitmentIn(url), [{ kind: "sha256" }], {
              kind: "pending",
              uri: "https://victim.example",
            }),
          ),
        ),
      () => new Response("<html>"),
      () => new Response(new Uint8Array(20_000)),
      () => Promise.reject(new Error("no route")),
    ];
    for (const answer of answers) {
      world = answer;
      await cron((await read(tenant, anchor)).next_at);
      expect(hex(serializeProof(await fileOf(tenant, anchor)))).toBe(hex(before));
    }
    expect(sent.some(({ url }) => url.includes("victim"))).toBe(false);
  });

  it("asks nobody who may not be asked, whatever a calendar names", async ({ expect }) => {
    const tenant = await newTenant("Inward", calendars({ calendars: [A] }));
    const named = ["https://169.254.169.254", "http://127.0.0.1:8787", "https://10.0.0.1/x"];
    world = (_, body) => {
      const many = chainOf(body, [], () => ({
        attestations: named.map((uri): Attestation => ({ kind: "pending", uri })),
        branches: [],
      }));
      return new Response(many === null ? null : serializeTimestamp(many));
    };
    const { anchor, next_at } = await stamped(tenant, { reference: "r", text: "x" });
    await cron(next_at);
    for (const uri of named) expect(sent.filter(({ url }) => url.startsWith(uri))).toEqual([]);
    expect((await read(tenant, anchor)).last_failure).toBe("address-refused");
  });

  it("asks loopback where the settings could name it, and there alone", async ({ expect }) => {
    const local = "http://127.0.0.1:14788";
    const tenants = [
      await newTenant("Laptop", calendars({ calendars: [A] })),
      await newTenant("Not", calendars({ calendars: [A] })),
    ];
    const [laptop, other] = tenants;
    if (laptop === undefined || other === undefined) throw new Error("no tenants");
    world = (_, body) => promising(local, body);
    for (const tenant of tenants) await stamped(tenant, { reference: "r", text: "x" });
    await env.DB.prepare("UPDATE organizations SET settings = ? WHERE organization_id = ?")
      .bind(JSON.stringify(calendars({ calendars: [local] })), laptop.organization)
      .run();
    sent = [];
    world = () => new Response(null, { status: 404 });
    const due = async (tenant: Tenant) =>
      (await must("/v1/anchors", { cookie: tenant.cookie })).json.anchors[0];
    await cron((await due(other)).next_at);
    expect(sent.filter(({ url }) => url.startsWith(local))).toHaveLength(1);
    expect((await due(laptop)).last_failure).toBe("not-yet");
    expect((await due(other)).last_failure).toBe("address-refused");
  });

  it("waits for a dead calendar once a run, not once an anchor", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Dead", calendars());
    const made = [];
    for (const i of [1, 2, 3]) made.push(await stamped(tenant, { reference: `${i}`, text: "x" }));
    sent = [];
    world = (url) =>
      url.startsWith(A)
        ? inBlock(url)
        : new Promise((resolve) => setTimeout(() => resolve(new Response()), 20_000));
    // This organization alone: it is nobody else's run.
    await env.DB.prepare("UPDATE anchors SET next_at = NULL WHERE organization_id <> ?")
      .bind(tenant.organization)
      .run();
    const started = Date.now();
    await cron(made[2].next_at);
    expect(Date.now() - started).toBeLessThan(15_000);
    const states = [];
    for (const { anchor } of made) states.push((await read(tenant, anchor)).state);
    expect(states).toEqual(["attested", "attested", "attested"]);
    expect(sent.filter(({ url }) => url.startsWith(B))).toHaveLength(1);
  });

  it("undoes nobody's work where two do it at once", async ({ expect }) => {
    world = promising;
    const tenant = await newTenant("Twice", calendars());
    const { anchor, next_at } = await stamped(tenant, { reference: "r", text: "x" });
    const [row] = await listDueAnchors(env.DB, tenant.organization, next_at, 10);
    if (row === undefined) throw new Error("nothing is due");
    world = (url) => inBlock(url);
    const done = await workOn(env.DB, tenant.organization, row, {}, ways, next_at);
    world = () => new Response(null, { status: 404 });
    const late = await workOn(env.DB, tenant.organization, row, {}, ways, next_at);
    expect(done.revision).toBe(row.revision + 1);
    expect(late).toBe(row);
    expect((await read(tenant, anchor)).state).toBe("attested");
  });

  it("breaks off when its time is over, and goes on with the rest", async ({ expect }) => {
    const tenant = await newTenant("Time");
    const made = [];
    for (const i of [1, 2, 3]) made.push(await stamped(tenant, { reference: `${i}`, text: "x" }));
    const last = Math.max(...made.map(({ next_at }) => next_at));
    expect(await upgradeAnchors(env, last, Date.now() - 1)).toEqual({ worked: 0, done: false });
    for (const { anchor, next_at } of made) expect((await read(tenant, anchor)).next_at).toBe(next_at);
    expect((await cron(last)).done).toBe(true);
    expect(await cron(last)).toEqual({ worked: 0, done: true });
    for (const { anchor } of made)
      expect(await read(tenant, anchor)).toMatchObject({
        state: "unsubmitted",
        last_failure: "no-calendars",
        next_at: null,
      });
    // What waited for a setting is taken up once it is made.
    await must("/v1/organization/settings", {
      method: "PUT",
      cookie: tenant.cookie,
      json: { anchoring: { calendars: [A] } },
    });
    world = promising;
    await cron(Date.now() + 1);
    for (const { anchor } of made) expect((await read(tenant, anchor)).state).toBe("pending");
  });

  it("anchors a checkpoint once, where that is wanted", async ({ expect }) => {
    const checkpoint = { number: 3, digest: sha256("a checkpoint's text") };
    const not = await newTenant("Not wanted");
    await anchorCheckpoint(env, not.organization, checkpoint);
    expect(await anchorsOnRecord(not)).toEqual([]);
    const tenant = await newTenant("Wanted", calendars({ checkpoints: true }));
    await Promise.all([1, 2, 3].map(() => anchorCheckpoint(env, tenant.organization, checkpoint)));
    await anchorCheckpoint(env, tenant.organization, checkpoint);
    expect(await anchorsOnRecord(tenant)).toMatchObject([
      { by: null, reference: "checkpoint:3", digest: checkpoint.digest },
    ]);
    const [listed] = (await must("/v1/anchors", { cookie: tenant.cookie })).json.anchors;
    expect(listed).toMatchObject({ created_by: null, state: "unsubmitted" });
    // Another checkpoint under the same number would be a fork: it is not covered up.
    const fork = { ...checkpoint, digest: sha256("another text") };
    await anchorCheckpoint(env, tenant.organization, { ...checkpoint, number: 4 });
    await env.DB.prepare("DELETE FROM anchors WHERE organization_id = ?").bind(tenant.organization).run();
    await expect(async () => await anchorCheckpoint(env, tenant.organization, fork)).rejects.toThrow(
      "conflict",
    );
    expect(await anchorsOnRecord(tenant)).toHaveLength(2);
  });
});

describe("a block's header", () => {
  const old = async (name: string, more: object = {}, settings?: object) => {
    const tenant = await newTenant(name, settings);
    const { anchor } = await stamped(tenant, { reference: "old", digest: OLD_DIGEST, ...more });
    await lay(tenant, anchor, OLD_PROOF);
    return { tenant, anchor: anchor as string };
  };

  it("confirms what leads into it, by nobody's word", async ({ expect }) => {
    const { tenant, anchor } = await old("Confirmed", { published_at: BLOCK.time + 1 });
    expect(await read(tenant, anchor)).toMatchObject({
      state: "attested",
      integrity: "pending",
      priority: "pending",
    });
    const viewer = await newMember(tenant, "viewer");
    const added = await addHeader(
      tenant,
      anchor,
      { height: BLOCK.height, header: BLOCK.header.toUpperCase() },
      viewer.cookie,
    );
    expect(added.status, added.text).toBe(200);
    const confirmed = {
      state: "confirmed",
      integrity: "established",
      priority: "established",
      block: { height: BLOCK.height, hash: BLOCK.hash, time: BLOCK.time },
      next_at: null,
      not_proven: TIMESTAMP_NOT_PROVEN,
    };
    expect(added.json).toMatchObject(confirmed);
    expect(await read(tenant, anchor)).toEqual(added.json);
    const again = await addHeader(tenant, anchor, { height: BLOCK.height, header: BLOCK.header });
    expect(again.json).toEqual(added.json);
    // Priority hangs on the time that it is held against; integrity does not.
    for (const [at, standing] of [
      [BLOCK.time + 1, "established"],
      [BLOCK.time, "not established"],
      [0, "not established"],
    ])
      expect(await read(tenant, anchor, `?published_at=${at}`)).toMatchObject({
        integrity: "established",
        priority: standing,
        published_at: at,
      });
    expect((await read(tenant, anchor, `?published_at=${BLOCK.time}`)).not_proven).toHaveLength(
      TIMESTAMP_NOT_PROVEN.length + 1,
    );
    expect(hex(serializeProof(await fileOf(tenant, anchor)))).toBe(hex(serializeProof(OLD_PROOF)));
  });

  it("that is another's, was not mined, or is no header is refused, and leaves a row", async ({ expect }) => {
    const { tenant, anchor } = await old("Refused headers");
    const flipped = (at: number, part: string) =>
      BLOCK.header.slice(0, 2 * at) + part + BLOCK.header.slice(2 * at + part.length);
    const wrong: [object, string, string][] = [
      [{ height: BLOCK.height, header: BLOCK.header.slice(2) }, "/header", "header-length"],
      [{ height: BLOCK.height, header: `${BLOCK.header}00` }, "/header", "header-length"],
      [{ height: BLOCK.height, header: "" }, "/header", "header-length"],
      [{ height: BLOCK.height, header: flipped(0, "0x") }, "/header", "header-hex"],
      [{ height: BLOCK.height, header: flipped(76, "00") }, "/header", "header-work"],
      [{ height: BLOCK.height, header: flipped(72, "ffff7f20") }, "/header", "header-target"],
      [{ height: BLOCK.height, header: NEXT_HEADER }, "/header", "header-time"],
      [{ height: BLOCK.height + 1, header: NEXT_HEADER }, "/height", "height-not-named"],
    ];
    for (const [json, pointer, code] of wrong) {
      const answer = await addHeader(tenant, anchor, json);
      expect(answer.status, code).toBe(422);
      expect(answer.json.errors, code).toMatchObject([{ pointer, code }]);
    }
    expect((await addHeader(tenant, anchor, { height: -1, header: BLOCK.header })).status).toBe(422);
    // The right header, of a proof that leads elsewhere; and a height that nothing can come of.
    const elsewhere = (height: number): Proof => ({
      hash: "sha256",
      timestamp: chain(bytes(OLD_DIGEST), [{ kind: "sha256" }], { kind: "bitcoin", height }),
    });
    for (const [height, pointer, code] of [
      [BLOCK.height, "/header", "merkle-root"],
      [99_999, "/height", "height-too-early"],
    ] as const) {
      await lay(tenant, anchor, elsewhere(height));
      const answer = await addHeader(tenant, anchor, { height, header: BLOCK.header });
      expect([answer.status, answer.json.errors]).toMatchObject([422, [{ pointer, code }]]);
    }
    await lay(tenant, anchor, OLD_PROOF);
    expect(await refusals(tenant)).toHaveLength(wrong.length + 3);
    expect(await read(tenant, anchor)).toMatchObject({ state: "attested", block: null });
  });

  it("ends what another calendar has said of the same block, and what it did not", async ({ expect }) => {
    const { tenant, anchor } = await old("Liar");
    const lie = chain(bytes(OLD_DIGEST), [{ kind: "sha256" }], { kind: "bitcoin", height: BLOCK.height });
    const waits = chain(bytes(OLD_DIGEST), [{ kind: "sha1" }], { kind: "pending", uri: B });
    const both = [lie, waits].reduce((sum, one) => merge(sum, one) ?? sum, OLD_PROOF.timestamp);
    await lay(tenant, anchor, { hash: "sha256", timestamp: both });
    expect((await read(tenant, anchor)).attestations).toHaveLength(3);
    const added = await addHeader(tenant, anchor, { height: BLOCK.height, header: BLOCK.header });
    expect(added.json.state).toBe("confirmed");
    expect(added.json.attestations.map((one: { state: string }) => one.state).sort()).toEqual([
      "confirmed",
      "pending",
    ]);
    const kept = merge(OLD_PROOF.timestamp, waits) ?? OLD_PROOF.timestamp;
    expect(hex(serializeProof(await fileOf(tenant, anchor)))).toBe(
      hex(serializeProof({ hash: "sha256", timestamp: kept })),
    );
    // As a receipt of it is judged.
    const row = await readAnchor(env.DB, tenant.organization, anchor);
    const judged = judgeAnchor(
      { ots: row?.proof ?? "", headers: JSON.parse(row?.headers ?? "") },
      OLD_DIGEST,
    );
    expect(Array.isArray(judged) && judged.map(({ status }) => status)).not.toContain("fail");
  });

  it("of a block that is older than the anchor is no proof of it, whoever brings it", async ({ expect }) => {
    const { tenant, anchor } = await old("Dated back", {}, calendars({ headers: SOURCE }));
    const madeAt = (at: number) =>
      env.DB.prepare("UPDATE anchors SET created_at = ?, next_at = 0 WHERE anchor_id = ?")
        .bind(at, anchor)
        .run();
    const now = Date.now();
    for (const at of [now, BLOCK.time + 7_200_001]) {
      await madeAt(at);
      const refused = await addHeader(tenant, anchor, { height: BLOCK.height, header: BLOCK.header });
      expect(refused.json).toMatchObject({
        status: 422,
        errors: [{ pointer: "/header", code: "block-too-old" }],
      });
    }
    expect(await refusals(tenant)).toEqual(["invalid-request", "invalid-request"]);
    world = (url) => new Response(url.includes("/block-height/") ? BLOCK.hash : BLOCK.header);
    await madeAt(now);
    await cron(now);
    expect(await read(tenant, anchor)).toMatchObject({
      state: "attested",
      block: null,
      last_failure: "block-too-old",
    });
    await madeAt(BLOCK.time + 7_200_000);
    expect((await addHeader(tenant, anchor, { height: BLOCK.height, header: BLOCK.header })).json.state).toBe(
      "confirmed",
    );
  });

  it("cannot be brought before there is a proof, nor to another's anchor", async ({ expect }) => {
    const tenant = await newTenant("Early");
    const { anchor } = await stamped(tenant, { reference: "r", text: "x" });
    const answer = await addHeader(tenant, anchor, { height: BLOCK.height, header: BLOCK.header });
    expect(answer.json).toMatchObject({ status: 409, code: "conflict" });
    const stranger = await newTenant("Stranger of headers");
    for (const path of ["", "/proof.ots"])
      expect((await send(`/v1/anchors/${anchor}${path}`, { cookie: stranger.cookie })).status).toBe(404);
    expect((await addHeader(stranger, anchor, { height: BLOCK.height, header: BLOCK.header })).status).toBe(
      404,
    );
    expect(await refusals(stranger)).toEqual(["not-found", "not-found", "not-found"]);
  });

  it("is fetched where a source is set, which is believed in nothing", async ({ expect }) => {
    const { tenant, anchor } = await old("Source", {}, calendars({ headers: SOURCE }));
    const from =
      (header: string): World =>
      (url) =>
        new Response(url.includes("/block-height/") ? BLOCK.hash : header);
    for (const [header, failure] of [
      [NEXT_HEADER, "header-time"],
      [BLOCK.header.replace("7f872aed", "7f872aee"), "header-work"],
      ["no header", "malformed"],
    ] as const) {
      world = from(header);
      await cron((await read(tenant, anchor)).next_at ?? 0);
      expect(await read(tenant, anchor)).toMatchObject({ state: "attested", last_failure: failure });
    }
    world = from(BLOCK.header);
    sent = [];
    await cron((await read(tenant, anchor)).next_at ?? 0);
    // The clock is everybody's: other anchors of this file are due as well.
    expect(sent.flatMap(({ url }) => (url.startsWith(SOURCE) ? [url] : []))).toEqual([
      `${SOURCE}/block-height/${BLOCK.height}`,
      `${SOURCE}/block/${BLOCK.hash}/header`,
    ]);
    expect(await read(tenant, anchor)).toMatchObject({
      state: "confirmed",
      integrity: "established",
      priority: "not claimed",
    });
    sent = [];
    await cron(Number.MAX_SAFE_INTEGER);
    expect(sent.filter(({ url }) => url.startsWith(SOURCE))).toEqual([]);
  });
});
