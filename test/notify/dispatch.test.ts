import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, it } from "vitest";
import { dispatch, isRefusal, SEND_TIMEOUT_MS } from "../../src/notify/dispatch.ts";
import { ways } from "./asked.ts";
import { type Behaviour, receiver } from "./receiver.ts";

const OUTGOING = { headers: { "content-type": "application/json" }, body: "{}" };

async function sentTo(behaviour: Behaviour, isFinal?: (status: number) => boolean) {
  await using there = await receiver(behaviour);
  const began = performance.now();
  const sent = await dispatch({ url: `${there.url}/hook?sig=1`, ...OUTGOING }, ways(), isFinal);
  return { sent, ms: performance.now() - began, received: there.received, written: there.written() };
}

describe.concurrent("a receiver", () => {
  it("that takes it is sent it once, by POST", async ({ expect }) => {
    const { sent, received } = await sentTo((response) => response.end("ok"));
    expect(sent).toEqual({ sent: true });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: "POST", path: "/hook?sig=1", text: "{}" });
  });

  it.for([
    [500, "status-500", true],
    [503, "status-503", true],
    [404, "status-404", true],
    [410, "gone", false],
    [301, "redirect", true],
    [304, "redirect", true],
  ] as const)("that answers %i is a failure %s", async ([status, failure, retry], { expect }) => {
    const { sent } = await sentTo((response) => response.writeHead(status, {}).end());
    expect(sent).toEqual({ sent: false, failure, retry });
  });

  it("that points elsewhere is not followed", async ({ expect }) => {
    await using elsewhere = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const { sent } = await sentTo((response) =>
        response.writeHead(status, { location: `${elsewhere.url}/stolen` }).end(),
      );
      expect(sent).toEqual({ sent: false, failure: "redirect", retry: true });
    }
    expect(elsewhere.received).toEqual([]);
  });

  it("that Cloudflare does not reach for us fails by the cause that it gives", async ({ expect }) => {
    const failureOf = async (status: number, text: string) => {
      const { sent } = await sentTo((response) => response.writeHead(status).end(text));
      return sent.sent ? null : [sent.failure, sent.retry];
    };
    expect(await failureOf(530, "error code: 1016")).toEqual(["name-not-found", true]);
    expect(await failureOf(530, "error code: 1033")).toEqual(["status-530", true]);
    expect(await failureOf(530, "error code: 11016")).toEqual(["status-530", true]);
    expect(await failureOf(521, "")).toEqual(["unreachable", true]);
    expect(await failureOf(522, "")).toEqual(["timeout", true]);
    expect(await failureOf(526, "")).toEqual(["tls-failed", true]);
  });

  it("that wants to be left alone is, for what it asks, within bounds", async ({ expect }) => {
    const asks = async (after: string) =>
      (await sentTo((response) => response.writeHead(429, { "retry-after": after }).end())).sent;
    expect(await asks("7")).toEqual({ sent: false, failure: "status-429", retry: true, wait: 7_000 });
    expect(await asks("999999999")).toMatchObject({ wait: 3_600_000 });
    expect(await asks("-1")).not.toHaveProperty("wait");
    expect(await asks("Tue, 01 Dec 2026 00:00:00 GMT")).not.toHaveProperty("wait");
  });

  it("that refuses for good is not asked again by a service that says so", async ({ expect }) => {
    const { sent } = await sentTo((response) => response.writeHead(403).end("invalid_token"), isRefusal);
    expect(sent).toEqual({ sent: false, failure: "status-403", retry: false });
    expect([408, 409, 425, 429, 500].map(isRefusal)).toEqual([false, false, false, false, false]);
  });

  it("that never answers is given up after five seconds", async ({ expect }) => {
    const { sent, ms } = await sentTo(() => {});
    expect(sent).toEqual({ sent: false, failure: "timeout", retry: true });
    expect(ms).toBeGreaterThan(SEND_TIMEOUT_MS - 100);
    expect(ms).toBeLessThan(SEND_TIMEOUT_MS + 2_000);
  });

  it("that answers late, but in time, is heard", async ({ expect }) => {
    const { sent } = await sentTo((response) => setTimeout(() => response.end("ok"), 1_500));
    expect(sent).toEqual({ sent: true });
  });

  it("that trickles its headers is given up in time", async ({ expect }) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("x-a: b\r\n"), 300);
      socket.on("close", () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const began = performance.now();
    const sent = await dispatch({ url: `http://127.0.0.1:${port}/`, ...OUTGOING }, ways());
    expect(sent).toMatchObject({ sent: false, failure: "timeout" });
    expect(performance.now() - began).toBeLessThan(SEND_TIMEOUT_MS + 2_000);
    server.close();
  });

  it("that says yes and then never ends is heard, and not listened to", async ({ expect }) => {
    const { sent, ms } = await sentTo((response) => {
      response.writeHead(200);
      response.write("…");
    });
    expect(sent).toEqual({ sent: true });
    expect(ms).toBeLessThan(2_000);
  });

  it("that answers a gigabyte is hung up on", async ({ expect }) => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const { sent, written } = await sentTo((response) => {
      response.writeHead(200, { "content-length": String(1024 ** 3) });
      let left = 1024;
      const pump = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(chunk)) {
            response.once("drain", pump);
            return;
          }
        }
      };
      pump();
    });
    expect(sent).toEqual({ sent: true });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it("that hangs up before it answers, or in the middle, is a failure with a name", async ({ expect }) => {
    const { sent } = await sentTo((response) => response.socket?.destroy());
    expect(sent).toEqual({ sent: false, failure: "unreachable", retry: true });
    // Its status was heard; what it wanted to add was not for us.
    const late = await sentTo((response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("begun");
      setTimeout(() => response.socket?.destroy(), 20);
    });
    expect(late.sent).toEqual({ sent: true });
  });

  it("that answers no HTTP at all, or is not there, is unreachable", async ({ expect }) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.resume().end("SSH-2.0-OpenSSH_9.9\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    expect(await dispatch({ url, ...OUTGOING }, ways())).toMatchObject({ failure: "unreachable" });
    await new Promise((resolve) => server.close(resolve));
    expect(await dispatch({ url, ...OUTGOING }, ways())).toMatchObject({ failure: "unreachable" });
  });

  it("that a fetch without an abort never lets go of is given up all the same", async ({ expect }) => {
    const sent = await dispatch(
      { url: "https://receiver.example.org/", ...OUTGOING },
      ways({ fetch: () => new Promise(() => {}) }),
    );
    expect(sent).toEqual({ sent: false, failure: "timeout", retry: true });
  });
});

describe("an address that may not be asked", () => {
  it.for([
    "http://receiver.example.org/",
    "https://countersign.example.com/v1/organizations",
    "https://countersign.example.com:8443/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00::1]/",
    "https://user:pass@receiver.example.org/",
    "https://localhost/",
    "https://127.0.0.1/",
    "file:///etc/passwd",
    "",
  ])("%j is refused before anything is sent", async (url, { expect }) => {
    let asked = 0;
    const sent = await dispatch(
      { url, ...OUTGOING },
      {
        fetch: async () => {
          asked += 1;
          return new Response("ok");
        },
        reach: { own: ["countersign.example.com"], loopback: false },
      },
    );
    expect(sent).toEqual({ sent: false, failure: "address-refused", retry: false });
    expect(asked).toBe(0);
  });
});
