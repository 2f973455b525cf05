import { Webhook } from "standardwebhooks";
import { describe, inject, it } from "vitest";
import { dispatch, SEND_TIMEOUT_MS } from "../../../src/notify/dispatch.ts";
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

describe.concurrent("a receiver, by the runtime's own fetch,", () => {
  const send = async (path: string) => {
    const began = performance.now();
    const outgoing = {
      url: inject("receivers") + path,
      headers: { "content-type": "text/plain" },
      body: "x",
    };
    const sent = await dispatch(outgoing, ways());
    return { sent, ms: performance.now() - began };
  };

  it.for([
    ["/200", { sent: true }],
    ["/204", { sent: true }],
    ["/500", { sent: false, failure: "status-500", retry: true }],
    ["/410", { sent: false, failure: "gone", retry: false }],
    ["/close", { sent: false, failure: "unreachable", retry: true }],
    ["/half", { sent: true }],
    ["/late", { sent: true }],
    ["/open", { sent: true }],
  ] as const)("that does %s", async ([path, expected], { expect }) => {
    expect((await send(path)).sent).toEqual(expected);
  });

  it("that points elsewhere is not followed", async ({ expect }) => {
    expect((await send("/redirect")).sent).toEqual({ sent: false, failure: "redirect", retry: true });
    expect(await (await fetch(`${inject("receivers")}/seen`)).json()).toMatchObject({ stolen: 0 });
  });

  it("that hangs is given up after five seconds", async ({ expect }) => {
    const { sent, ms } = await send("/hang");
    expect(sent).toEqual({ sent: false, failure: "timeout", retry: true });
    expect(ms).toBeGreaterThan(SEND_TIMEOUT_MS - 500);
    expect(ms).toBeLessThan(SEND_TIMEOUT_MS + 2_000);
  });

  it("that answers a gigabyte is hung up on", async ({ expect }) => {
    const { sent, ms } = await send("/gigabyte");
    expect(sent).toEqual({ sent: true });
    expect(ms).toBeLessThan(3_000);
    const seen = await (await fetch(`${inject("receivers")}/seen`)).json<{ megabytes: number }>();
    expect(seen.megabytes).toBeGreaterThan(0);
    expect(seen.megabytes).toBeLessThan(64);
  });
});

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
