import { createDecipheriv, createECDH, createHmac } from "node:crypto";
import { importJWK, jwtVerify } from "jose";
import { describe, it } from "vitest";
import { sendBy } from "../../src/notify/kinds/index.ts";
import type { Message } from "../../src/notify/message.ts";
import { vapidKey, vapidPublicKey } from "../../src/notify/vapid.ts";
import { ASKED, LINK, leadingTo, NOW, ORIGIN, opened, SECRETS, ways } from "./asked.ts";
import { type Behaviour, receiver } from "./receiver.ts";

const ENDPOINT = "https://push.example.org/send/abc";

/** A browser that has subscribed: only it can read what it is sent (RFC 8291). */
function browser() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = crypto.getRandomValues(new Uint8Array(16));
  const own = pair.getPublicKey();
  return {
    keys: { p256dh: own.toString("base64url"), auth: Buffer.from(auth).toString("base64url") },
    read(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const length = body[20] ?? 0;
      const theirs = body.subarray(21, 21 + length);
      const sealed = body.subarray(21 + length);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), own, theirs]);
      const ikm = hkdf(Buffer.from(auth), pair.computeSecret(theirs), info, 32);
      const key = hkdf(salt, ikm, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = hkdf(salt, ikm, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
    },
  };
}

/** RFC 5869 by hand, for outputs of one block. */
function hkdf(salt: Buffer, ikm: Buffer, info: Buffer, length: number): Buffer {
  const prk = createHmac("sha256", salt).update(ikm).digest();
  return createHmac("sha256", prk)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}

async function pushed(target: object, message: Message, change = {}, behaviour?: Behaviour) {
  await using there = await receiver(behaviour);
  const sent = await sendBy("push", target, message, ways({ fetch: leadingTo(there.url), ...change }));
  return { sent, first: there.received[0] };
}

async function verified(authorization: string | undefined) {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? "") ?? [];
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const { payload } = await jwtVerify(token, await importJWK(jwk, "ES256"), { algorithms: ["ES256"] });
  return { key, payload };
}

describe("a browser that has subscribed", () => {
  const there = browser();
  const target = { endpoint: ENDPOINT, keys: there.keys, vapid: vapidPublicKey(SECRETS) };

  it("reads a summary that nobody on the way can read", async ({ expect }) => {
    const { sent, first } = await pushed(target, opened());
    expect(sent).toEqual({ sent: true });
    expect(first?.text).not.toContain("tidy-bot");
    expect(JSON.parse(there.read(first?.body ?? Buffer.alloc(0)))).toEqual({
      title: "“tidy-bot” asks to use “terminal”",
      body: expect.stringContaining("It could delete something; run a program."),
      url: LINK,
      tag: ASKED.id,
    });
    expect(first?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "595",
      urgency: "high",
      topic: ASKED.id,
    });
    expect(() => browser().read(first?.body ?? Buffer.alloc(0))).toThrow();
  });

  it("is sent what its push service can check (RFC 8292)", async ({ expect }) => {
    const { first } = await pushed(target, opened());
    const { key, payload } = await verified(first?.headers.authorization);
    expect(key).toBe(vapidPublicKey(SECRETS));
    expect(payload).toMatchObject({ aud: "https://push.example.org", sub: ORIGIN });
    expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThan(24 * 60 * 60);
  });

  it("hears from the key that it subscribed with, as long as its secret is there", async ({ expect }) => {
    const [newest = "", older = ""] = SECRETS;
    const bound = { ...target, vapid: vapidPublicKey([older]) };
    const during = await pushed(bound, opened());
    expect(during.sent).toEqual({ sent: true });
    expect((await verified(during.first?.headers.authorization)).key).toBe(vapidPublicKey([older]));
    const after = await pushed(bound, opened(), { secrets: [newest] });
    expect(after.sent).toEqual({ sent: false, failure: "key-retired", retry: false });
    expect(after.first).toBeUndefined();
  });

  it.for([404, 410])("that has gone is known by %i, and not tried again", async (status, { expect }) => {
    const { sent } = await pushed(target, opened(), {}, (response) => response.writeHead(status).end());
    expect(sent).toEqual({ sent: false, failure: "gone", retry: false });
  });

  it("is told however long the names are", async ({ expect }) => {
    const { sent, first } = await pushed(
      target,
      opened({ tool: "\u202e".repeat(100_000) }, "🦊".repeat(100_000)),
    );
    expect(sent).toEqual({ sent: true });
    expect(JSON.parse(there.read(first?.body ?? Buffer.alloc(0)))).toMatchObject({ url: LINK });
  });

  it("is not sent what it could not read: a point that is on no curve", async ({ expect }) => {
    const keys = { ...there.keys, p256dh: Buffer.from([4, ...Buffer.alloc(64, 1)]).toString("base64url") };
    const { sent, first } = await pushed({ ...target, keys }, opened());
    expect(sent).toEqual({ sent: false, failure: "target-unreadable", retry: false });
    expect(first).toBeUndefined();
  });

  it("is given half a minute at least", async ({ expect }) => {
    const { first } = await pushed(target, opened({ expires_at: NOW - 1 }));
    expect(first?.headers["ttl"]).toBe("30");
  });
});

describe("the keys of push", () => {
  it("are made of the secret and of nothing else", ({ expect }) => {
    const [newest = "", older = ""] = SECRETS;
    expect(vapidPublicKey(SECRETS)).toBe(
      "BAoVDMLmDXKBd3C6F0YB_YkYag_WDFcfBLJB_2wb5_JXcAllekw17OFZ4Gqpnc_ddx8HBrod_5RjmrrWugdress",
    );
    expect(vapidPublicKey([newest])).toBe(vapidPublicKey(SECRETS));
    expect(vapidPublicKey([newest])).not.toBe(vapidPublicKey([older]));
    const keys = Array.from({ length: 50 }, (_, n) => vapidPublicKey([`secret ${n}`]));
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) expect(Buffer.from(key, "base64url")).toHaveLength(65);
    expect(() => vapidPublicKey([])).toThrow(RangeError);
  });

  it("are found by their public part", ({ expect }) => {
    const found = vapidKey(vapidPublicKey(SECRETS), SECRETS);
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(Buffer.from(found?.privateKey ?? "", "base64url"));
    expect(pair.getPublicKey().toString("base64url")).toBe(found?.publicKey);
    expect(vapidKey("BAAA", SECRETS)).toBeNull();
  });
});
