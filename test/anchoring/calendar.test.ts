import { createHash } from "node:crypto";
import { describe, it } from "vitest";
import { ANSWER_TIMEOUT_MS, askAgain, askHeader, submit } from "../../src/anchoring/calendar.ts";
import {
  attestationsOf,
  chainOf,
  serializeProof,
  serializeTimestamp,
  type Timestamp,
} from "../../src/ledger/ots/index.ts";
import { type Behaviour, receiver } from "../notify/receiver.ts";

const COMMITMENT = new Uint8Array(createHash("sha256").update("a salted digest").digest());
const HEX = Buffer.from(COMMITMENT).toString("hex");
const ways = { fetch: globalThis.fetch, reach: { own: [], loopback: true } };

const timestamp = (
  kind: "pending" | "litecoin" | "bitcoin" = "pending",
  message: Uint8Array = COMMITMENT,
): Timestamp => {
  const made = chainOf(
    message,
    [{ kind: "prepend", argument: Buffer.from("00ff", "hex") }, { kind: "sha256" }],
    () => ({
      attestations: [
        kind === "pending" ? { kind, uri: "https://calendar.example" } : { kind, height: 358_391 },
      ],
      branches: [],
    }),
  );
  if (made === null) throw new Error("no timestamp");
  return made;
};
const bytes = (kind: "pending" | "litecoin" | "bitcoin" = "pending") =>
  Buffer.from(serializeTimestamp(timestamp(kind)));

const failureOf = async (behaviour: Behaviour, what = submit) => {
  await using calendar = await receiver(behaviour);
  const answer = await what(calendar.url, COMMITMENT, ways);
  return answer.ok ? "ok" : answer.failure;
};

describe("a calendar", () => {
  it("is sent the commitment and nothing else, and its promise is read", async ({ expect }) => {
    await using calendar = await receiver((response) => response.end(bytes()));
    const answer = await submit(`${calendar.url}/pool`, COMMITMENT, ways);
    expect(answer.ok && attestationsOf(answer.value)).toMatchObject([
      { attestation: { kind: "pending", uri: "https://calendar.example" }, depth: 2 },
    ]);
    const [only] = calendar.received;
    expect(only).toMatchObject({ method: "POST", path: "/pool/digest" });
    expect(only?.body.toString("hex")).toBe(HEX);
    expect(only?.headers.accept).toBe("application/vnd.opentimestamps.v1");
    for (const name of ["authorization", "cookie", "referer", "origin"])
      expect(only?.headers).not.toHaveProperty(name);
  });

  it("is asked again by the commitment's hex", async ({ expect }) => {
    await using calendar = await receiver((response) => response.end(bytes("bitcoin")));
    const answer = await askAgain(calendar.url, COMMITMENT, ways);
    expect(answer.ok && attestationsOf(answer.value)[0]?.attestation).toEqual({
      kind: "bitcoin",
      height: 358_391,
    });
    expect(calendar.received).toMatchObject([{ method: "GET", path: `/timestamp/${HEX}` }]);
    const missing: Behaviour = (response) => response.writeHead(404).end("Pending confirmation in Bitcoin");
    expect(await failureOf(missing, askAgain)).toBe("not-yet");
    expect(await failureOf(missing)).toBe("status-404");
  });

  it("that is absent, redirects, or answers what it may not is a failure with a name", async ({ expect }) => {
    expect(await failureOf((response) => response.writeHead(500).end())).toBe("status-500");
    expect(await failureOf((response) => response.writeHead(202).end(bytes()))).toBe("status-202");
    expect(await failureOf((response) => response.socket?.destroy())).toBe("unreachable");
    expect(await failureOf((response) => response.end())).toBe("malformed");
    expect(await failureOf((response) => response.end("<html>"))).toBe("malformed");
    expect(await failureOf((response) => response.end(bytes("litecoin")))).toBe("nothing-promised");
    expect(await failureOf((response) => response.end(bytes().subarray(0, -1)))).toBe("malformed");
    expect(await failureOf((response) => response.end(Buffer.concat([bytes(), bytes()])))).toBe("malformed");
    expect(await failureOf((response) => response.end(Buffer.alloc(9_000, 8)))).toBe("malformed");
    // A whole file, which is of another digest.
    const other = serializeProof({
      hash: "sha256",
      timestamp: timestamp("pending", COMMITMENT.toReversed()),
    });
    expect(await failureOf((response) => response.end(other))).toBe("malformed");
    const gone = await receiver();
    await gone[Symbol.asyncDispose]();
    const answer = await submit(gone.url, COMMITMENT, ways);
    expect(answer).toEqual({ ok: false, failure: "unreachable" });
  });

  it("that redirects is not followed", async ({ expect }) => {
    await using other = await receiver((response) => response.end(bytes()));
    for (const status of [301, 302, 303, 307, 308])
      expect(
        await failureOf((response) => response.writeHead(status, { location: `${other.url}/digest` }).end()),
      ).toBe("redirect");
    expect(other.received).toEqual([]);
  });

  it("that sends without end is cut off, with a length or without", async ({ expect }) => {
    const endless: Behaviour = (response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 8)));
        if (!response.destroyed) response.once("drain", pump);
      };
      pump();
    };
    await using calendar = await receiver(endless);
    expect(await submit(calendar.url, COMMITMENT, ways)).toEqual({ ok: false, failure: "too-large" });
    expect(await failureOf((response) => response.end(Buffer.alloc(10_001, 8)))).toBe("too-large");
    expect(calendar.written()).toBeLessThan(64 * 1024 * 1024);
  });

  it("that does not answer, or not to the end, is given up", async ({ expect }) => {
    const started = performance.now();
    const [silent, half] = await Promise.all([
      failureOf(() => {}),
      failureOf((response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write(bytes().subarray(0, 10));
      }),
    ]);
    expect([silent, half]).toEqual(["timeout", "timeout"]);
    expect(performance.now() - started).toBeLessThan(2 * ANSWER_TIMEOUT_MS + 5_000);
  });

  it("is not asked at an address that may not be asked", async ({ expect }) => {
    const never = { ...ways, fetch: (() => Promise.reject(new Error("asked"))) as typeof fetch };
    for (const url of [
      "http://calendar.example",
      "https://10.0.0.1",
      "https://169.254.169.254/latest",
      "https://user@calendar.example",
      "https://calendar",
      "ftp://calendar.example",
      "calendar.example",
      "",
    ])
      expect(await submit(url, COMMITMENT, never), url).toEqual({ ok: false, failure: "address-refused" });
    const outside = { ...never, reach: { own: ["countersign.example"], loopback: false } };
    for (const url of ["http://127.0.0.1:1", "https://localhost", "https://countersign.example"])
      expect(await askAgain(url, COMMITMENT, outside), url).toEqual({
        ok: false,
        failure: "address-refused",
      });
  });
});

describe("a source of block headers", () => {
  const HASH = "00".repeat(32);
  const HEADER = "ab".repeat(80);
  const source =
    (hash: string, header: string): Behaviour =>
    (response, { path }) =>
      response.end(path.startsWith("/api/block-height/") ? hash : header);

  it("is asked for the block's hash, then for its header", async ({ expect }) => {
    await using one = await receiver(source(HASH, `${HEADER.toUpperCase()}\n`));
    expect(await askHeader(`${one.url}/api`, 358_391, ways)).toEqual({ ok: true, value: HEADER });
    expect(one.received.map(({ path }) => path)).toEqual([
      "/api/block-height/358391",
      `/api/block/${HASH}/header`,
    ]);
  });

  it("that says anything else leads nowhere", async ({ expect }) => {
    const failure = async (hash: string, header: string) => {
      await using one = await receiver(source(hash, header));
      const answer = await askHeader(`${one.url}/api`, 1, ways);
      return [answer.ok || answer.failure, one.received.length];
    };
    expect(await failure("../../other", HEADER)).toEqual(["malformed", 1]);
    expect(await failure("", HEADER)).toEqual(["malformed", 1]);
    expect(await failure(`${HASH}00`, HEADER)).toEqual(["malformed", 1]);
    expect(await failure(HASH, HEADER.slice(2))).toEqual(["malformed", 2]);
    expect(await failure(HASH, `${HEADER}ab`)).toEqual(["malformed", 2]);
    expect(await failure(HASH, "x".repeat(20_000))).toEqual(["too-large", 2]);
  });
});
