/** An export of much, while things go on: it stays small, and is whole whatever comes between. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { Chain } from "../../src/durable/chain.ts";
import { Tables } from "../../src/durable/storage.ts";
import { chainLines, streamOf } from "../../src/http/exporting.ts";
import { retain } from "../../src/http/retention.ts";
import { exportLines } from "../../src/http/whole-export.ts";
import { ChainVerifier, verifyChain } from "../../src/ledger/index.ts";
import { ask, must, newTenant, openSession, send, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver, sessionStubOf } from "../support/record.ts";

const MIB = 1024 * 1024;
const pathOf = (session: string) => `/v1/sessions/${encodeURIComponent(session)}`;

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The lines of each chain, as a verifier takes them. */
function chainsIn(lines: readonly string[]): Map<string, string[]> {
  const chains = new Map<string, string[]>();
  let chain = "";
  for (const line of lines) {
    const one = JSON.parse(line);
    if (one.kind === "chain") chain = one.chain;
    if (one.kind === undefined) chains.set(chain, [...(chains.get(chain) ?? []), line]);
  }
  return chains;
}

/** Lets through what is asked for, and keeps how much that was. */
async function* counted(lines: AsyncGenerator<string>, made: { characters: number; lines: number }) {
  for await (const line of lines) {
    made.characters += line.length + 1;
    made.lines += 1;
    yield line;
  }
}

const ENTRIES = 100_000;

describe("a chain of 100,000 entries", () => {
  it("is exported as fast as it is read and no faster, and whoever stops reading stops it", async ({
    expect,
  }) => {
    const tenant = await newTenant("Large");
    await openSession(tenant, "large");
    const identity = { org: tenant.organization, session: "large" };
    await runInDurableObject(sessionStubOf(tenant, "large"), (_, { storage }) => {
      const chain = new Chain(new Tables(storage), identity);
      storage.transactionSync(() => {
        for (let n = 1; n < ENTRIES; n += 1)
          chain.append({ session: "large", at: Date.now(), kind: "turn", body: { n } });
        // As if D1 had it all: this is about reading.
        chain.delivered(ENTRIES);
      });
    });
    const made = { characters: 0, lines: 0 };
    const stream = await streamOf(counted(chainLines(env, identity, false), made));
    const reader = stream.getReader();
    const verifier = new ChainVerifier([]);
    const decoder = new TextDecoder();
    let read = 0;
    let ahead = 0;
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      read += value.byteLength;
      ahead = Math.max(ahead, made.characters - read);
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) verifier.push(line);
    }
    expect([made.lines, rest, verifier.broken]).toEqual([ENTRIES, "", null]);
    expect(read).toBeGreaterThan(32 * MIB);
    expect(ahead, "what waits to be read").toBeLessThan(MIB);

    const before = { characters: 0, lines: 0 };
    const pages = vi.spyOn(env.SESSION, "getByName");
    const stopped = (await streamOf(counted(chainLines(env, identity, false), before))).getReader();
    await stopped.read();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const then = before.lines;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(before.lines, "nothing is made that nobody reads").toBe(then);
    expect(before.characters).toBeLessThan(MIB);
    expect(pages.mock.calls.length).toBeLessThan(5);
    await stopped.cancel();
    vi.restoreAllMocks();
  }, 120_000);
});

async function talk(tenant: Tenant, session: string, calls: number): Promise<void> {
  await openSession(tenant, session);
  await must(`${pathOf(session)}/turns`, { key: tenant.key, json: { text: "I decided the ibis nests" } });
  for (let n = 0; n < calls; n += 1)
    await ask(tenant, session, {
      tool: "write_file",
      args: { path: "a.txt", content: `ibis ${n} `.padEnd(100_000, "x") },
    });
}

describe("an export while other things happen", () => {
  it("holds chains that verify, with calls and a purge between any two of its parts", async ({ expect }) => {
    const tenant = await newTenant("Busy");
    await talk(tenant, "a", 30);
    await talk(tenant, "b", 30);
    await deliver(tenant, "a", "b");
    const stream = await streamOf(exportLines(env, tenant.organization, null, true, Date.now()));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    let purgedAt = 0;
    for (let part = 0; ; part += 1) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      await ask(tenant, part % 2 === 0 ? "a" : "b", { tool: "terminal", args: { command: `ls ${part}` } });
      if (part === 4) {
        expect(text).toContain("ibis");
        await must("/v1/purge", { cookie: tenant.cookie, json: { all: true } });
        purgedAt = text.length;
      }
    }
    const lines = linesOf(text);
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ kind: "end" });
    const chains = chainsIn(lines);
    expect([...chains.keys()]).toEqual(["organization", "session:a", "session:b"]);
    for (const [chain, own] of chains) expect(verifyChain(own.join("\n")), chain).toMatchObject({ ok: true });
    // The one page that it had read when the purge came is told; nothing of what it read then.
    expect(text.slice(0, purgedAt)).toContain('"chain":"session:a"');
    expect(text.slice(0, purgedAt)).not.toContain('"chain":"session:b"');
    expect(chains.get("session:a")?.join("\n")).toContain("ibis");
    expect(chains.get("session:b")?.length).toBeGreaterThan(32);
    expect(chains.get("session:b")?.join("\n")).not.toContain("ibis");
  });

  it("goes on after any mark, with the same entries, once what was told is purged and its object removed", async ({
    expect,
  }) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const tenant = await newTenant("Marks", {
        engines: { fence: "off" },
        retention: { ended_sessions_days: 1 },
      });
      await env.DB.prepare("UPDATE member_sessions SET expires_at = ? WHERE organization_id = ?")
        .bind(Date.now() + 1e12, tenant.organization)
        .run();
      await talk(tenant, "a", 90);
      await talk(tenant, "b", 3);
      await checkpointOf(tenant, "a", "b");
      const exported = async (json: object) => {
        const { status, text } = await send("/v1/export", { cookie: tenant.cookie, json });
        expect(status).toBe(200);
        return linesOf(text);
      };
      const whole = await exported({});
      const marks = whole.flatMap((line, at) => {
        const { kind, after } = JSON.parse(line);
        return kind === "mark" ? [{ after, at }] : [];
      });
      vi.setSystemTime(Date.now() + 3 * 24 * 3_600_000);
      await must("/v1/purge", { cookie: tenant.cookie, json: { all: true } });
      vi.setSystemTime(Date.now() + 3_600_000);
      await retain(env, Date.now(), Date.now() + 20_000);
      expect((await sessionStubOf(tenant, "a").locate()).place).toBe("ended");
      /** Entries without their private texts, of sessions: the organization's chain grows with each export. */
      const entries = (lines: readonly string[]): string[] =>
        lines.flatMap((line) => {
          const { hash, entry, body } = JSON.parse(line);
          return hash === undefined || entry.includes('"session":null')
            ? []
            : [JSON.stringify({ hash, entry, body })];
        });
      expect(marks.some(({ after }) => atob(after).includes('"seq":'))).toBe(true);
      for (const { after, at } of marks) {
        const rest = await exported({ after });
        expect(JSON.parse(rest.at(-1) ?? "")).toEqual({ kind: "end" });
        expect(rest.join("\n")).not.toContain("ibis");
        expect(entries(rest)).toEqual(entries(whole.slice(at + 1)));
      }
      // Behind the end, as no export has said it.
      const behind = await exported({ after: btoa(JSON.stringify({ chain: "session:a", seq: 1_000_000 })) });
      expect(JSON.parse(behind.at(-1) ?? "")).toEqual({ kind: "end" });
      expect(entries(behind)).toEqual(
        entries(whole).filter((line) => line.includes('\\"session\\":\\"b\\"')),
      );
    } finally {
      vi.useRealTimers();
    }
  }, 120_000);
});
