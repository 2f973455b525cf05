/** Passkeys are added, listed and removed over HTTP; what signs an approval is asked as the pages ask it. */
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { beforeAll, describe, it, vi } from "vitest";
import { checkEnv } from "../../src/env.ts";
import { Problem } from "../../src/errors.ts";
import type { AppEnv } from "../../src/http/context.ts";
import { newRegistrationChallenge, readRegistrationChallenge } from "../../src/http/passkey-challenge.ts";
import { challengeOfChange } from "../../src/http/passkey-changes.ts";
import { challengeFor, optionsFor, type RequestOptions, verifyAssertion } from "../../src/http/passkeys.ts";
import { readAssertion } from "../../src/http/webauthn.ts";
import {
  type Answer,
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  OPERATOR,
  ORIGIN,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";
import {
  Authenticator,
  bytesOf,
  type Cbor,
  type Lies,
  type Signature,
  textOf,
} from "../support/authenticator.ts";

const RP_ID = new URL(ORIGIN).hostname;
/** An approval, as far as its signature names it. */
const RECORD = { id: "apr_of_the_suite", action_digest: "d".repeat(64) };

interface Begun {
  // biome-ignore lint/suspicious/noExplicitAny: read as a browser reads it
  readonly options: any;
  readonly challenge: string;
}

async function begin(cookie: string): Promise<Begun> {
  return (await must("/v1/passkeys/options", { method: "POST", cookie })).json;
}

/** @param by a device of theirs that signs for the new one */
async function add(
  cookie: string,
  device: Authenticator,
  lies: Lies = {},
  begun?: Begun,
  by?: Authenticator,
): Promise<Answer> {
  const { options, challenge } = begun ?? (await begin(cookie));
  const response = await device.register(options, lies);
  const passkey = by === undefined ? null : await confirm(cookie, by, "add", device.id);
  return send("/v1/passkeys", { cookie, json: { name: "Laptop", challenge, response, passkey } });
}

/** A change to passkeys, signed by a device of the one who makes it. */
async function confirm(
  cookie: string,
  by: Authenticator,
  act: "add" | "remove",
  credential_id: string,
  member?: string,
): Promise<Signature> {
  const json = { act, credential_id, ...(member === undefined ? {} : { member }) };
  return by.sign((await must("/v1/passkeys/confirmations", { cookie, json })).json);
}

/** Removes one of the caller's own, signed by a device of theirs. */
async function remove(cookie: string, id: string, by: Authenticator): Promise<Answer> {
  return send(`/v1/passkeys/${id}/remove`, {
    cookie,
    json: { passkey: await confirm(cookie, by, "remove", id) },
  });
}

/** A device whose passkey the member has added. */
async function held(cookie: string, counter: number | null = 0): Promise<Authenticator> {
  const device = await Authenticator.make(ORIGIN, counter);
  const added = await add(cookie, device);
  if (added.status !== 201) throw new Error(added.text);
  return device;
}

type Verified =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly problem: Problem };

/** Asks `verifyAssertion` and `optionsFor` within a request, as a route does. */
async function within<T>(work: (c: Parameters<typeof optionsFor>[0]) => Promise<T>): Promise<T> {
  const check = checkEnv(env);
  if (!check.ok) throw new Error(check.faults.join());
  const app = new Hono<AppEnv>();
  const out: { value?: T } = {};
  app.get("*", async (c) => {
    c.set("config", check.config);
    c.set("requestId", "req_of_the_suite");
    c.set("operation", "decideApproval");
    out.value = await work(c as unknown as Parameters<typeof optionsFor>[0]);
    return c.text("");
  });
  app.onError((error) => {
    throw error;
  });
  await app.request(`${ORIGIN}/`, {}, env);
  return out.value as T;
}

async function verify(
  tenant: Tenant,
  member: string,
  response: unknown,
  record: typeof RECORD = RECORD,
): Promise<Verified> {
  return within(async (c) => {
    try {
      return { ok: true, id: await verifyAssertion(c, tenant.organization, member, record, response) };
    } catch (error) {
      if (error instanceof Problem) return { ok: false, problem: error };
      throw error;
    }
  });
}

const asked = (member: string, record = RECORD) => ({ challenge: challengeFor(record, member), rpId: RP_ID });

async function refusalCodes(tenant: Tenant): Promise<string[]> {
  return (await ledgerOf(tenant))
    .filter(({ entry }) => entry.kind === "refusal")
    .map(({ body }) => `${body.code} ${body.member}`);
}

let tenant: Tenant;
let approver: { member: string; cookie: string };
beforeAll(async () => {
  tenant = await newTenant("Keys");
  approver = await newMember(tenant, "approver");
});

describe("a passkey", () => {
  it("is asked for without attestation, by a device that checks who holds it", async ({ expect }) => {
    const { options, challenge } = await begin(approver.cookie);
    expect(options).toMatchObject({
      rp: { id: RP_ID, name: "Countersign" },
      user: { name: "approver" },
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { userVerification: "required" },
    });
    expect(bytesOf(options.challenge)).toHaveLength(32);
    expect(options.user.id).not.toContain(approver.member);
    const again = await begin(approver.cookie);
    expect(again.options.user.id).toBe(options.user.id);
    expect(again.options.challenge).not.toBe(options.challenge);
    const [header = ""] = challenge.split(".");
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
      alg: "HS256",
      typ: "passkey-challenge+jwt",
    });
  });

  it("is added, listed to its member, and not asked for twice", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await Authenticator.make(ORIGIN);
    const added = await add(mine.cookie, device);
    expect(added.status, added.text).toBe(201);
    const { passkeys } = (await must("/v1/passkeys", { cookie: mine.cookie })).json;
    expect(passkeys).toEqual([
      {
        credential_id: device.id,
        member: mine.member,
        name: "Laptop",
        transports: ["internal"],
        created_at: added.json.created_at,
        last_used_at: null,
      },
    ]);
    expect((await begin(mine.cookie)).options.excludeCredentials).toEqual([
      { id: device.id, type: "public-key", transports: ["internal"] },
    ]);
    expect((await must("/v1/passkeys", { cookie: approver.cookie })).json.passkeys).toEqual([]);
    const row = (await ledgerOf(tenant)).findLast(({ entry }) => entry.kind === "passkey_added");
    expect(row?.body).toMatchObject({ by: mine.member, member: mine.member, credential: device.id });
    // Whoever knows its id cannot register it as theirs.
    const other = await add(approver.cookie, device);
    expect(other.json).toMatchObject({ code: "conflict" });
  });

  const lies: [string, Lies][] = [
    ["another challenge", { challenge: textOf(new Uint8Array(32)) }],
    ["another origin", { origin: "https://countersign.test.evil.example" }],
    ["a longer origin", { origin: `${ORIGIN}/` }],
    ["another relying party", { rpId: "evil.example" }],
    ["a device that did not check its holder", { unverified: true }],
    ["a device that nobody touched", { absent: true }],
    ["a signature in place of a new passkey", { type: "webauthn.get" }],
    ["a frame of another site", { crossOrigin: true, topOrigin: "https://evil.example" }],
    ["a frame that says no more", { crossOrigin: true }],
    ["another id than the signed one", { id: textOf(new Uint8Array(32)) }],
    ["an algorithm that is not offered", { algorithm: -65_535 }],
    ["a statement with none", { attestation: ["none", new Map<string, Cbor>([["x", 1]])] }],
    ["a certificate", { attestation: ["packed", new Map<string, Cbor>([["x5c", [new Uint8Array(9)]]])] }],
    ["a certificate that is in order", { certified: true }],
    ["another statement", { attestation: ["android-safetynet", new Map()] }],
    [
      "a statement that does not hold",
      {
        attestation: [
          "packed",
          new Map<string, Cbor>([
            ["alg", -7],
            ["sig", new Uint8Array(70)],
          ]),
        ],
      },
    ],
  ];
  for (const [name, lie] of lies)
    it(`is not made of ${name}`, async ({ expect }) => {
      const before = (await refusalCodes(tenant)).length;
      const answer = await add(approver.cookie, await Authenticator.make(ORIGIN), lie);
      expect(answer.status, answer.text).toBe(422);
      expect(answer.json).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/response" }] });
      expect((await refusalCodes(tenant)).slice(before)).toEqual([`invalid-request ${approver.member}`]);
      expect((await must("/v1/passkeys", { cookie: approver.cookie })).json.passkeys).toEqual([]);
    });

  it("is made with a statement by its own key, as some browsers send it", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await Authenticator.make(ORIGIN);
    const added = await add(mine.cookie, device, { selfAttested: true });
    expect(added.status, added.text).toBe(201);
    expect(await verify(tenant, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
      ok: true,
    });
  });

  it("is begun and added by one browser, in five minutes", async ({ expect }) => {
    const device = await Authenticator.make(ORIGIN);
    const begun = await begin(approver.cookie);
    const [head = "", body = "", signature = ""] = begun.challenge.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    const changed = textOf(new TextEncoder().encode(JSON.stringify({ ...claims, exp: claims.exp + 9_999 })));
    const unsigned = textOf(new TextEncoder().encode('{"alg":"none","typ":"passkey-challenge+jwt"}'));
    const other = await newMember(tenant, "approver");
    const elsewhere = await newTenant("Elsewhere");
    expect(claims.exp - claims.iat).toBe(300);
    const tokens: [string, string, string][] = [
      ["changed", approver.cookie, `${head}.${changed}.${signature}`],
      ["unsigned", approver.cookie, `${unsigned}.${body}.`],
      ["garbage", approver.cookie, "x"],
      ["another member's", other.cookie, begun.challenge],
      ["another organization's", elsewhere.cookie, begun.challenge],
    ];
    for (const [name, cookie, challenge] of tokens) {
      const answer = await add(cookie, device, {}, { ...begun, challenge });
      expect([answer.status, answer.json.code], name).toEqual([409, "conflict"]);
    }
    expect((await add(approver.cookie, device, {}, begun)).status).toBe(201);
    expect((await add(approver.cookie, device, {}, begun, device)).json, "replayed").toMatchObject({
      code: "conflict",
    });
    expect((await remove(approver.cookie, device.id, device)).status).toBe(204);
    expect((await add(approver.cookie, device, {}, begun)).json, "once removed").toMatchObject({
      code: "conflict",
    });
  });

  it("is begun under either of two secrets, and under none that is gone", async ({ expect }) => {
    const caller = {
      kind: "member",
      organization: "org_a",
      member: "mem_a",
      name: "A",
      role: "approver",
      member_session: "mss_a",
    } as const;
    const { challenge, token } = await newRegistrationChallenge(caller, ORIGIN, ["old".repeat(12)]);
    const read = (secrets: string[], more: object = {}, origin = ORIGIN) =>
      readRegistrationChallenge(token, { ...caller, ...more }, origin, secrets);
    const both = ["new".repeat(12), "old".repeat(12)];
    expect(await read(both)).toBe(challenge);
    expect(await read(["new".repeat(12)])).toBeNull();
    expect(await read(both, { organization: "org_b" })).toBeNull();
    expect(await read(both, { member_session: "mss_b" })).toBeNull();
    expect(await read(both, {}, "https://elsewhere.example")).toBeNull();
    vi.setSystemTime(Date.now() + 301_000);
    expect(await read(both)).toBeNull();
    vi.useRealTimers();
  });

  it("is nothing that a megabyte, a stranger or a viewer brings", async ({ expect }) => {
    const begun = await begin(approver.cookie);
    const made = await (await Authenticator.make(ORIGIN)).register(begun.options);
    const json = { name: "x", challenge: begun.challenge, response: made };
    const large = await send("/v1/passkeys", {
      cookie: approver.cookie,
      json: { ...json, name: "x".repeat(1_000_000) },
    });
    expect(large.status).toBe(413);
    const viewer = await newMember(tenant, "viewer");
    for (const path of ["/v1/passkeys", "/v1/passkeys/options"])
      expect((await send(path, { method: "POST", cookie: viewer.cookie, json })).status, path).toBe(403);
    for (const response of [
      null,
      [],
      "x",
      {},
      { ...made, type: "password" },
      { ...made, id: "a/b" },
      { ...made, response: { ...made.response, attestationObject: "AAAA".repeat(3_000) } },
    ]) {
      const answer = await send("/v1/passkeys", { cookie: approver.cookie, json: { ...json, response } });
      expect([answer.status, answer.json.code]).toEqual([422, "invalid-request"]);
    }
    for (const attestationObject of ["AAAA", textOf(new Uint8Array(6_000).fill(0x81)), "_______"]) {
      const response = { ...made, response: { ...made.response, attestationObject } };
      const answer = await send("/v1/passkeys", { cookie: approver.cookie, json: { ...json, response } });
      expect(answer.json.errors).toEqual([expect.objectContaining({ pointer: "/response" })]);
    }
  });

  it("is removed by its member or an owner, and by nobody else", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const other = await newMember(tenant, "admin");
    const device = await held(mine.cookie);
    const second = await Authenticator.make(ORIGIN);
    expect((await add(mine.cookie, second, {}, undefined, device)).status).toBe(201);
    const plainly = (path: string, cookie: string) => send(`${path}/remove`, { cookie, json: {} });
    expect((await plainly(`/v1/passkeys/${device.id}`, other.cookie)).status).toBe(404);
    const of = `/v1/members/${mine.member}/passkeys`;
    expect((await plainly(`${of}/${device.id}`, other.cookie)).status).toBe(403);
    const elsewhere = await newTenant("Another");
    expect((await plainly(`/v1/passkeys/${device.id}`, elsewhere.cookie)).status).toBe(404);
    expect((await plainly(`${of}/${device.id}`, elsewhere.cookie)).status).toBe(404);
    expect((await send(of, { cookie: elsewhere.cookie })).status).toBe(404);
    expect((await must(of, { cookie: tenant.cookie })).json.passkeys).toHaveLength(2);
    expect((await plainly(`${of}/${device.id}`, tenant.cookie)).status).toBe(204);
    expect((await remove(mine.cookie, second.id, second)).status).toBe(204);
    expect((await plainly(`/v1/passkeys/${second.id}`, mine.cookie)).status).toBe(404);
    expect((await must("/v1/passkeys", { cookie: mine.cookie })).json.passkeys).toEqual([]);
    const rows = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "passkey_removed").slice(-2);
    expect(rows.map(({ body }) => [body.by, body.credential, body.signed_by])).toEqual([
      [tenant.owner, device.id, null],
      [mine.member, second.id, second.id],
    ]);
  });
});

describe("whoever has stolen a session", () => {
  /** A member who holds one, and what a thief of their session can do with a device of their own. */
  async function robbed() {
    const own = await newTenant("Robbed");
    const mine = await newMember(own, "approver");
    const device = await held(mine.cookie);
    const theirs = await Authenticator.make(ORIGIN);
    const list = async () =>
      (await must("/v1/passkeys", { cookie: mine.cookie })).json.passkeys.map(
        ({ credential_id }: { credential_id: string }) => credential_id,
      );
    return { own, ...mine, device, theirs, list };
  }

  it("adds no passkey and removes none, and leaves a row each time", async ({ expect }) => {
    const { own, member, cookie, device, theirs, list } = await robbed();
    const begun = await begin(cookie);
    const response = await theirs.register(begun.options);
    const other = await newMember(own, "approver");
    const another = await held(other.cookie);
    const forMine = (act: "add" | "remove", id: string) =>
      device.sign({
        challenge: challengeOfChange(
          { organization: own.organization, member },
          { act, member, credential_id: id },
        ),
        rpId: RP_ID,
      });
    const wrong: [string, string, unknown][] = [
      ["passkey-malformed", "nothing", null],
      ["passkey-unknown", "their own device", await confirm(cookie, theirs, "add", theirs.id)],
      ["passkey-unknown", "another member's", await confirm(other.cookie, another, "add", theirs.id)],
      ["passkey-challenge", "an approval", await device.sign(asked(member))],
      ["passkey-challenge", "another new passkey", await forMine("add", "AAAA")],
      ["passkey-challenge", "a removal", await forMine("remove", theirs.id)],
      [
        "passkey-challenge",
        "another organization's",
        await device.sign({
          challenge: challengeOfChange(
            { organization: "org_other", member },
            { act: "add", member, credential_id: theirs.id },
          ),
          rpId: RP_ID,
        }),
      ],
    ];
    const before = (await refusalCodes(own)).length;
    for (const [code, name, passkey] of wrong) {
      const answer = await send("/v1/passkeys", {
        cookie,
        json: { name: "Thief", challenge: begun.challenge, response, passkey },
      });
      expect([answer.status, answer.json.code], `${name} ${code}`).toEqual([403, "passkey-demanded"]);
      expect(answer.json.detail).not.toContain("approval");
    }
    const removals: [string, unknown][] = [
      ["passkey-malformed", null],
      ["passkey-challenge", await forMine("add", device.id)],
      ["passkey-unknown", await confirm(cookie, theirs, "remove", device.id)],
    ];
    for (const [code, passkey] of removals) {
      const answer = await send(`/v1/passkeys/${device.id}/remove`, { cookie, json: { passkey } });
      expect([answer.status, answer.json.code], code).toEqual([403, "passkey-demanded"]);
    }
    const codes = [...wrong, ...removals].map(([code]) => `${code} ${member}`);
    expect((await refusalCodes(own)).slice(before)).toEqual(codes);
    const rows = (await ledgerOf(own)).filter(({ entry }) => entry.kind === "refusal").slice(-codes.length);
    expect(new Set(rows.map(({ body }) => body.operation))).toEqual(new Set(["addPasskey", "removePasskey"]));
    expect(await list()).toEqual([device.id]);
    // Its member does both.
    const added = await send("/v1/passkeys", {
      cookie,
      json: {
        name: "Mine",
        challenge: begun.challenge,
        response,
        passkey: await confirm(cookie, device, "add", theirs.id),
      },
    });
    expect(added.status, added.text).toBe(201);
    expect((await ledgerOf(own)).at(-1)?.body).toMatchObject({ credential: theirs.id, signed_by: device.id });
  });

  it("gains nothing by an organization's database that is behind", async ({ expect }) => {
    const { own, member, cookie, device, theirs } = await robbed();
    await env.DB.prepare("UPDATE passkeys SET removed_at = 1 WHERE organization_id = ? AND member_id = ?")
      .bind(own.organization, member)
      .run();
    const answer = await add(cookie, theirs);
    expect([answer.status, answer.json.code]).toEqual([403, "forbidden"]);
    expect(answer.json.detail).toContain("You hold a passkey");
    expect((await refusalCodes(own)).at(-1)).toBe(`forbidden ${member}`);
    const { passkeys } = (await must(`/v1/members/${member}/passkeys`, { cookie: own.cookie })).json;
    expect(passkeys).toEqual([]);
    expect(device.id).not.toBe(theirs.id);
  });

  it("adds one beside the first of two that are added at once, never both", async ({ expect }) => {
    const own = await newTenant("Race");
    const { cookie } = await newMember(own, "approver");
    const devices = await Promise.all([Authenticator.make(ORIGIN), Authenticator.make(ORIGIN)]);
    const answers = await Promise.all(devices.map((device) => add(cookie, device)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  it("is not helped by an owner's own session: an owner who holds one signs a reset", async ({ expect }) => {
    const { own, member, cookie, device, list } = await robbed();
    const of = `/v1/members/${member}/passkeys/${device.id}/remove`;
    const owners = await held(own.cookie);
    const plain = await send(of, { cookie: own.cookie, json: {} });
    expect([plain.status, plain.json.code]).toEqual([403, "passkey-demanded"]);
    expect((await refusalCodes(own)).at(-1)).toBe(`passkey-malformed ${own.owner}`);
    // A signature for their own passkey of that name is none for the member's.
    const wrong = await confirm(own.cookie, owners, "remove", device.id);
    expect((await send(of, { cookie: own.cookie, json: { passkey: wrong } })).status).toBe(403);
    expect(await list()).toEqual([device.id]);
    const passkey = await confirm(own.cookie, owners, "remove", device.id, member);
    expect((await send(of, { cookie: own.cookie, json: { passkey } })).status).toBe(204);
    expect((await ledgerOf(own)).at(-1)).toMatchObject({
      entry: { kind: "passkey_removed" },
      body: { by: own.owner, member, credential: device.id, signed_by: owners.id },
    });
    // Now the member begins anew.
    expect((await add(cookie, await Authenticator.make(ORIGIN))).status).toBe(201);
    // Their own is theirs to sign for, by whichever path.
    const mine = `/v1/members/${own.owner}/passkeys/${owners.id}/remove`;
    expect((await send(mine, { cookie: own.cookie, json: {} })).json.code).toBe("passkey-demanded");
  });

  it("is not helped by the last owner's loss, which the operator ends", async ({ expect }) => {
    const own = await newTenant("Lost");
    const device = await held(own.cookie);
    const of = `/v1/organizations/${own.organization}/members/${own.owner}/passkeys/reset`;
    expect((await send(of, { method: "POST", cookie: own.cookie })).status).toBe(403);
    const reset = await must(of, { method: "POST", key: OPERATOR });
    expect(reset.json).toEqual({ removed: 1 });
    expect((await ledgerOf(own)).at(-1)).toMatchObject({
      entry: { kind: "passkey_removed" },
      body: { by: null, member: own.owner, credential: device.id, signed_by: null },
    });
    expect((await must("/v1/passkeys", { cookie: own.cookie })).json.passkeys).toEqual([]);
    const nobody = `/v1/organizations/${own.organization}/members/mem_nobody/passkeys/reset`;
    expect((await send(nobody, { method: "POST", key: OPERATOR })).status).toBe(404);
  });
});

describe("a signature", () => {
  it("is asked for by the approval, its action and the member, and is good for that", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await held(mine.cookie, 4);
    const options: RequestOptions = await within((c) =>
      optionsFor(c, tenant.organization, mine.member, RECORD),
    );
    expect(options).toEqual({
      challenge: challengeFor(RECORD, mine.member),
      rpId: RP_ID,
      timeout: 120_000,
      userVerification: "required",
      allowCredentials: [{ id: device.id, type: "public-key", transports: ["internal"] }],
    });
    expect(bytesOf(options.challenge)).toHaveLength(32);
    const signed = await device.sign(options);
    expect(await verify(tenant, mine.member, signed)).toEqual({ ok: true, id: device.id });
    expect(await verify(tenant, mine.member, JSON.stringify(await device.sign(options)))).toMatchObject({
      ok: true,
    });
    const { passkeys } = (await must("/v1/passkeys", { cookie: mine.cookie })).json;
    expect(Date.now() - passkeys[0].last_used_at).toBeLessThan(60_000);
  });

  it("names each of them", ({ expect }) => {
    const of = [
      challengeFor(RECORD, "mem_a"),
      challengeFor(RECORD, "mem_b"),
      challengeFor({ ...RECORD, id: "apr_2" }, "mem_a"),
      challengeFor({ ...RECORD, action_digest: "e".repeat(64) }, "mem_a"),
      challengeFor({ id: RECORD.id + RECORD.action_digest, action_digest: "" }, "mem_a"),
    ];
    expect(new Set(of).size).toBe(of.length);
  });

  type Make = (device: Authenticator, member: string) => Promise<unknown>;
  const lying =
    (lies: Lies): Make =>
    (device, member) =>
      device.sign(asked(member), lies);
  const changed =
    (change: (signed: Signature) => object): Make =>
    async (device, member) => {
      const signed = await device.sign(asked(member));
      return { ...signed, response: { ...signed.response, ...change(signed) } };
    };
  const flipped = (text: string, at: number) => {
    const bytes = bytesOf(text);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return textOf(bytes);
  };
  const refused: [string, string, Make][] = [
    ["another approval", "passkey-challenge", (d, m) => d.sign(asked(m, { ...RECORD, id: "apr_other" }))],
    [
      "another action",
      "passkey-challenge",
      (d, m) => d.sign(asked(m, { ...RECORD, action_digest: `${"d".repeat(63)}e` })),
    ],
    ["another member", "passkey-challenge", (d) => d.sign(asked("mem_another"))],
    ["another site", "passkey-origin", lying({ origin: "https://evil.example" })],
    ["the site without its TLS", "passkey-origin", lying({ origin: ORIGIN.replace("https", "http") })],
    ["a frame", "passkey-origin", lying({ crossOrigin: true })],
    ["a frame of another site", "passkey-origin", lying({ topOrigin: "https://evil.example" })],
    ["another relying party", "passkey-signature", lying({ rpId: "evil.example" })],
    ["nobody's PIN", "passkey-unverified", lying({ unverified: true })],
    ["nobody's touch", "passkey-signature", lying({ absent: true })],
    ["a new passkey", "passkey-malformed", lying({ type: "webauthn.create" })],
    [
      "a passkey that was never added",
      "passkey-unknown",
      async (_, m) => (await Authenticator.make(ORIGIN)).sign(asked(m)),
    ],
    [
      "another key under its id",
      "passkey-signature",
      async (d, m) => (await Authenticator.make(ORIGIN)).sign(asked(m), { id: d.id, counter: 99 }),
    ],
    [
      "a changed count",
      "passkey-signature",
      changed(({ response }) => ({
        authenticatorData: flipped(response.authenticatorData, 36),
      })),
    ],
    [
      "a forged low count, which is no copy of the passkey",
      "passkey-signature",
      changed(({ response }) => ({
        authenticatorData: textOf(bytesOf(response.authenticatorData).fill(0, 33)),
      })),
    ],
    [
      "a changed signature",
      "passkey-signature",
      changed(({ response }) => ({
        signature: flipped(response.signature, 20),
      })),
    ],
    ["no signature", "passkey-malformed", changed(() => ({ signature: "" }))],
    ["data that is cut", "passkey-unverified", changed(() => ({ authenticatorData: "AAAA" }))],
    ["what is not JSON", "passkey-malformed", changed(() => ({ clientDataJSON: "AAAA" }))],
    ["nothing", "passkey-malformed", async () => undefined],
    ["null", "passkey-malformed", async () => null],
    ["an empty text", "passkey-malformed", async () => ""],
    ["garbage", "passkey-malformed", async () => "{]"],
    ["a list", "passkey-malformed", async () => [1]],
    ["a megabyte of text", "passkey-malformed", async () => `"${"x".repeat(1_000_000)}"`],
    ["a megabyte inside", "passkey-malformed", changed(() => ({ signature: "A".repeat(1_000_000) }))],
    [
      "an id that is an object",
      "passkey-malformed",
      async (d, m) => ({
        ...(await d.sign(asked(m))),
        id: {},
      }),
    ],
  ];
  for (const [name, code, make] of refused)
    it(`of ${name} is refused, and the ledger says ${code}`, async ({ expect }) => {
      // Its own, since an organization takes a hundred changes in the seconds between two rounds of its outbox.
      const own = await newTenant();
      const mine = await newMember(own, "approver");
      const device = await held(mine.cookie, 7);
      const before = (await refusalCodes(own)).length;
      const answer = await verify(own, mine.member, await make(device, mine.member));
      if (answer.ok) throw new Error("it was taken");
      expect(answer.problem.code).toBe("passkey-demanded");
      expect(answer.problem.details.recorded).toBe(true);
      expect((await refusalCodes(own)).slice(before)).toEqual([`${code} ${mine.member}`]);
      // It cost the passkey nothing.
      expect(await verify(own, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
        ok: true,
      });
    });

  it("is not taken twice, nor from a copy that counts on its own", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await held(mine.cookie);
    const signed = await device.sign(asked(mine.member));
    const both = await Promise.all([
      verify(tenant, mine.member, signed),
      verify(tenant, mine.member, signed),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    await verify(tenant, mine.member, await device.sign(asked(mine.member)));
    const before = (await refusalCodes(tenant)).length;
    for (const counter of [0, 1, 2])
      expect(
        await verify(tenant, mine.member, await device.sign(asked(mine.member), { counter })),
      ).toMatchObject({ ok: false });
    expect((await refusalCodes(tenant)).slice(before)).toEqual(
      new Array(3).fill(`passkey-counter ${mine.member}`),
    );
  });

  it("is not behind the count that its passkey was made with", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await held(mine.cookie, 10);
    const older = await device.sign(asked(mine.member), { counter: 10 });
    expect(await verify(tenant, mine.member, older)).toMatchObject({ ok: false });
    expect(await verify(tenant, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
      ok: true,
    });
  });

  it("is taken of a passkey that does not count, until it begins to", async ({ expect }) => {
    const mine = await newMember(tenant, "approver");
    const device = await held(mine.cookie, null);
    for (let i = 0; i < 2; i += 1)
      expect(await verify(tenant, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
        ok: true,
      });
    const counted = await device.sign(asked(mine.member), { counter: 3 });
    expect(await verify(tenant, mine.member, counted)).toMatchObject({ ok: true });
    expect(await verify(tenant, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
      ok: false,
    });
  });

  it("is nothing once the passkey is removed, and nothing in another organization or for another member", async ({
    expect,
  }) => {
    const mine = await newMember(tenant, "approver");
    const other = await newMember(tenant, "approver");
    const elsewhere = await newTenant("Other keys");
    const device = await held(mine.cookie);
    const forThem = await device.sign(asked(other.member));
    expect(await verify(tenant, other.member, forThem)).toMatchObject({ ok: false });
    const there = await verify(elsewhere, mine.member, await device.sign(asked(mine.member)));
    expect(there).toMatchObject({ ok: false });
    expect(await refusalCodes(elsewhere)).toEqual([`passkey-unknown ${mine.member}`]);
    expect((await remove(mine.cookie, device.id, device)).status).toBe(204);
    const before = (await refusalCodes(tenant)).length;
    expect(await verify(tenant, mine.member, await device.sign(asked(mine.member)))).toMatchObject({
      ok: false,
    });
    expect((await refusalCodes(tenant)).slice(before)).toEqual([`passkey-unknown ${mine.member}`]);
    const options = await within((c) => optionsFor(c, tenant.organization, mine.member, RECORD));
    expect(options.allowCredentials).toEqual([]);
  });

  it("is read from no more than sixteen kilobytes, whatever it is", async ({ expect }) => {
    const device = await Authenticator.make(ORIGIN);
    const signed = await device.sign(asked("mem_a"));
    expect(readAssertion(signed)).toMatchObject({ id: device.id });
    expect(readAssertion(JSON.stringify({ ...signed, more: "x".repeat(17_000) }))).toBeNull();
  });
});

describe("an approval that takes a passkey", () => {
  const DEMANDS = { demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], passkey: true }] };

  async function opened() {
    const strict = await newTenant("Signed", { engines: { fence: "enforce" }, approvals: DEMANDS });
    const person = await newMember(strict, "approver");
    const device = await held(person.cookie);
    const ask = async (command: string) => {
      const session = await newSession(strict);
      const { json } = await shell(strict, session, command);
      return { session, id: json.approval.id as string, action_digest: json.action_digest as string };
    };
    const approve = (approval: { id: string; action_digest: string }, passkey?: unknown) =>
      send(`/v1/approvals/${approval.id}/decision`, {
        cookie: person.cookie,
        json: { decision: "approve", action_digest: approval.action_digest, passkey },
      });
    return { strict, person, device, ask, approve };
  }

  it("is given by one that has signed it, and by no other signature", async ({ expect }) => {
    const { strict, person, device, ask, approve } = await opened();
    const [first, second] = [await ask("git push origin main"), await ask("git push origin dev")];
    const signed = await device.sign(asked(person.member, first));
    for (const passkey of [
      undefined,
      null,
      {},
      await device.sign(asked(strict.owner, first), { counter: 9 }),
    ]) {
      const refused = await approve(first, passkey);
      expect([refused.status, refused.json.code]).toEqual([403, "passkey-demanded"]);
    }
    const swapped = await approve(second, signed);
    expect(swapped.json).toMatchObject({ code: "passkey-demanded" });
    expect(swapped.json.detail).toContain("signed something else");
    const approved = await approve(first, signed);
    expect(approved.json, approved.text).toMatchObject({ tap: "decided", approval: { status: "approved" } });
    const rows = await ledgerOf(strict, first.session);
    expect(rows.find(({ entry }) => entry.kind === "approval_decided")?.body).toMatchObject({
      approval: first.id,
      outcome: "approved",
      by: person.member,
      passkey: true,
    });
    const read = await must(`/v1/approvals/${second.id}`, { key: strict.key });
    expect(read.json.approval.status).toBe("pending");
  });

  it("tells whoever sends their signature twice what was decided", async ({ expect }) => {
    const { strict, person, device, ask, approve } = await opened();
    const approval = await ask("git push origin main");
    const signed = await device.sign(asked(person.member, approval));
    await approve(approval, signed);
    const again = await approve(approval, signed);
    expect(again.json, again.text).toMatchObject({ tap: "late", approval: { status: "approved" } });
    expect((await ledgerOf(strict)).filter(({ body }) => /^passkey/.test(body.code ?? ""))).toEqual([]);
    const codes = (await ledgerOf(strict, approval.session)).map(({ body }) => body.code);
    expect(codes).toContain("late-tap");
  });

  it("is denied without one", async ({ expect }) => {
    const { person, ask } = await opened();
    const approval = await ask("git push origin main");
    const denied = await send(`/v1/approvals/${approval.id}/decision`, {
      cookie: person.cookie,
      json: { decision: "deny", action_digest: approval.action_digest, passkey: { id: "x" } },
    });
    expect(denied.json, denied.text).toMatchObject({ tap: "decided", approval: { status: "denied" } });
  });
});
