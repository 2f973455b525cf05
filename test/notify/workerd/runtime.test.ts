import { Webhook } from "standardwebhooks";
import { describe, it } from "vitest";
import { newWebhookSecret, vapidPublicKey } from "../../../src/notify/index.ts";
import { sendBy } from "../../../src/notify/kinds/index.ts";
import { opened, SECRETS, ways } from "../asked.ts";

/** What only the real runtime can show: its own cryptography under what signs and encrypts. */
function catching() {
  const sent: Request[] = [];
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    sent.push(new Request(url as string, init as RequestInit));
    return new Response("ok");
  };
  return { sent, fetch: fetch as typeof globalThis.fetch };
}

describe("in the runtime itself", () => {
  it("a webhook is signed as in Node", async ({ expect }) => {
    const { sent, fetch } = catching();
    const secret = newWebhookSecret();
    const target = { url: "https://receiver.example.org/", secrets: [{ secret, until: null }] };
    expect(await sendBy("webhook", target, opened(), ways({ fetch, now: Date.now() }))).toEqual({
      sent: true,
    });
    const text = (await sent[0]?.text()) ?? "";
    const headers = Object.fromEntries(sent[0]?.headers ?? []);
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: "approval.opened" });
  });

  it("a push is encrypted for its browser, under the key that is derived in Node, too", async ({
    expect,
  }) => {
    expect(vapidPublicKey(SECRETS)).toBe(
      "BAoVDMLmDXKBd3C6F0YB_YkYag_WDFcfBLJB_2wb5_JXcAllekw17OFZ4Gqpnc_ddx8HBrod_5RjmrrWugdress",
    );
    const pair = (await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, [
      "deriveBits",
    ])) as CryptoKeyPair;
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer);
    const keys = {
      p256dh: Buffer.from(point).toString("base64url"),
      auth: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
    };
    const { sent, fetch } = catching();
    const target = { endpoint: "https://push.example.org/x", keys, vapid: vapidPublicKey(SECRETS) };
    expect(await sendBy("push", target, opened(), ways({ fetch }))).toEqual({ sent: true });
    const body = new Uint8Array((await sent[0]?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(body).toHaveLength(4_096);
    expect(sent[0]?.headers.get("authorization")).toMatch(/^vapid t=[\w.-]+, k=[\w-]{87}$/);
  });
});
