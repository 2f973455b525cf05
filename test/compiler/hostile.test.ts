import { gzipSync } from "node:zlib";
import { describe, it, vi } from "vitest";
import { completion, GOOD } from "./answers.ts";
import { answer, type Behaviour, compile, fakeModel } from "./fake-model.ts";
import { model, outcomeOf, SLACK_MS, TIMEOUT_MS } from "./outcomes.ts";

describe("an endpoint that is hostile", () => {
  it("and sends 10 MB is cut, and lets go of", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      let parts = 160;
      const more = (): void => {
        while (parts > 0 && response.write("x".repeat(64 * 1024))) parts -= 1;
        if (parts > 0) parts -= 1;
        else response.end();
      };
      response.on("drain", more);
      more();
    };
    const { outcome, fake } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "too-long", why: "answer" });
    await vi.waitFor(() => expect(fake.open()).toBe(0), { timeout: 2_000 });
    expect(fake.sent()).toBeLessThan(8 * 1024 * 1024);
  });

  it("and announces 10 MB is not read at all", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(200, { "content-length": String(10 * 1024 * 1024) });
      response.write("{");
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "too-long", why: "answer" });
  });

  it("and never ends is given up at the deadline", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    const { outcome, fake } = await outcomeOf(behaviour, expect, { requests: 1 });
    expect(outcome).toMatchObject({ ok: false, cause: "timeout" });
    expect(outcome.ms).toBeGreaterThan(TIMEOUT_MS - 100);
    await vi.waitFor(() => expect(fake.open()).toBe(0), { timeout: 2_000 });
  });

  it.for([301, 302, 303, 307, 308])("and redirects with %d is not followed", async (status, { expect }) => {
    const trap = await model((_, response) => answer(response, completion(GOOD)));
    for (const location of ["http://169.254.169.254/latest/meta-data/", `${trap.url}/chat/completions`]) {
      const behaviour: Behaviour = (_, response) => answer(response, "{}", status, { location });
      const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
      expect(outcome).toMatchObject({ ok: false, cause: "redirect" });
    }
    expect(trap.asked).toEqual([]);
  });

  it("and compresses to burst is cut where it has been unpacked", async ({ expect }) => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 });
    expect(bomb.byteLength).toBeLessThan(100_000);
    const before = process.memoryUsage().arrayBuffers;
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": String(bomb.byteLength) });
      response.end(bomb);
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "too-long", why: "answer" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  it("and sends huge headers is given up", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(2 * 1024 * 1024)}\r\n\r\n`);
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "unreachable" });
  });

  it("and names keys of the envelope twice is not believed", async ({ expect }) => {
    const body = completion(GOOD).replace('"choices":', '"choices":[],"choices":');
    const { outcome } = await outcomeOf((_, response) => answer(response, body), expect, { requests: 3 });
    expect(outcome).toMatchObject({ ok: false, cause: "bad-answer", why: "ambiguous-json" });
  });

  it("and echoes the prompt gets no draft out of it", async ({ expect }) => {
    const echo: Behaviour = ({ body }, response) => {
      const messages = body["messages"] as { content: string }[];
      answer(response, completion(messages.map(({ content }) => content).join("\n")));
    };
    const { outcome } = await outcomeOf(echo, expect, { requests: 3 });
    expect(outcome).toMatchObject({ ok: false, cause: "bad-answer", why: "not-a-draft" });
  });

  it("and has the person's own words hold a draft gets none out of it either", async ({ expect }) => {
    const turns = [{ text: `Ignore this: ${JSON.stringify(GOOD)}` }];
    const echo: Behaviour = ({ body }, response) => {
      const messages = body["messages"] as { content: string }[];
      answer(response, completion(messages[1]?.content ?? ""));
    };
    const { outcome } = await outcomeOf(echo, expect, { requests: 3 }, { turns });
    expect(outcome).toMatchObject({ ok: false, cause: "bad-answer", why: "not-a-draft" });
  });

  it.for([
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "not-utf-8"],
    ["a stream of events", Buffer.from(`data: ${completion(GOOD)}\n\ndata: [DONE]\n`), "not-json"],
    ["nests without end", Buffer.from(`{"choices":${"[".repeat(100_000)}`), "not-json"],
    ["an empty body", Buffer.from(""), "not-json"],
  ] as const)("and sends %s is refused", async ([, bytes, why], { expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(bytes);
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 3 });
    expect(outcome).toMatchObject({ ok: false, cause: "bad-answer", why });
  });
});

describe("an endpoint that is slow or down", () => {
  it("and does not answer is given up at the deadline, and sent nothing more", async ({ expect }) => {
    const { outcome, fake } = await outcomeOf(() => {}, expect, { requests: 1 });
    expect(outcome).toMatchObject({ ok: false, cause: "timeout" });
    await vi.waitFor(() => expect(fake.open()).toBe(0), { timeout: 2_000 });
    expect(fake.asked.length).toBe(1);
  });

  it("and answers bad and slowly shares one deadline among its requests", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      setTimeout(() => answer(response, completion("no")), 1_200);
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 2 });
    expect(outcome).toMatchObject({ ok: false, cause: "timeout" });
  });

  it("and refuses the connection is unreachable", async ({ expect }) => {
    const gone = await fakeModel(() => {});
    await gone.close();
    const outcome = await compile(gone.url);
    expect(outcome).toMatchObject({ ok: false, cause: "unreachable", requests: 1 });
    expect(outcome.ms).toBeLessThan(SLACK_MS);
  });

  it.for([
    ["before it answers", 0],
    ["in the middle of its answer", 1],
  ] as const)("and resets %s is unreachable", async ([, begun], { expect }) => {
    const behaviour: Behaviour = (_, response) => {
      if (begun === 1) response.writeHead(200, { "content-length": "1000" }).write('{"choices":');
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "unreachable" });
  });

  it("and is broken is asked three times", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => answer(response, "LEAK stack trace", 500);
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 3 });
    expect(outcome).toMatchObject({ ok: false, cause: "busy", status: 500 });
  });

  it("and says so with 200 is broken all the same", async ({ expect }) => {
    const body = JSON.stringify({ error: { code: 502, message: "LEAK upstream" } });
    const { outcome } = await outcomeOf((_, response) => answer(response, body), expect, { requests: 3 });
    expect(outcome).toMatchObject({ ok: false, cause: "busy", status: 502 });
  });

  it.for(["3600", "Fri, 31 Dec 2999 23:59:59 GMT", "99999999999999999999"])(
    "and wants to be asked in %s is not waited for",
    async (after, { expect }) => {
      const behaviour: Behaviour = (_, response, nth) =>
        answer(response, nth === 1 ? "{}" : completion(GOOD), nth === 1 ? 429 : 200, {
          "retry-after": after,
        });
      const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
      expect(outcome).toMatchObject({ ok: false, cause: "busy", status: 429 });
    },
  );

  it("and wants to be asked in a second is asked in a second", async ({ expect }) => {
    const times: number[] = [];
    const behaviour: Behaviour = (_, response, nth) => {
      times.push(performance.now());
      if (nth === 1) answer(response, "{}", 429, { "retry-after": "1" });
      else answer(response, completion(GOOD));
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 2 });
    expect(outcome).toMatchObject({ ok: true, format: "schema" });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
  });

  it("and sends its refusal without end is only listened to at first", async ({ expect }) => {
    const behaviour: Behaviour = (_, response) => {
      response.writeHead(401);
      const timer = setInterval(() => response.write("x".repeat(4_096)), 1);
      response.on("close", () => clearInterval(timer));
    };
    const { outcome } = await outcomeOf(behaviour, expect, { requests: 1, ms: 500 });
    expect(outcome).toMatchObject({ ok: false, cause: "refused", status: 401 });
  });
});
