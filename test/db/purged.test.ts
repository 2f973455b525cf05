import { env } from "cloudflare:workers";
import { describe, it } from "vitest";
import { type Purged, type PurgeMark, purgeBatch } from "../../src/db/purged.ts";
import { saidStatements } from "../../src/db/said.ts";
import { pairsOf } from "../../src/policy/provenance/index.ts";

async function keep(organization: string, text: string, at: number, seq: number): Promise<void> {
  const row = {
    agent_id: "a",
    seq,
    session_id: "s",
    message_id: "m",
    at,
    sender_id: null,
    text,
    searchable: text,
    pairs: pairsOf(text),
  };
  await env.DB.batch(saidStatements(env.DB, organization, "c", [row]));
}

async function purge(organization: string, what: Purged, before: number): Promise<number[]> {
  const batches: number[] = [];
  let mark: PurgeMark | null = { step: what };
  while (mark !== null) {
    const batch: Awaited<ReturnType<typeof purgeBatch>> = await purgeBatch(
      env.DB,
      organization,
      before,
      0,
      mark,
    );
    if (batch.what === what) batches.push(batch.rows);
    mark = batch.next;
  }
  return batches;
}

describe("a purge of what was typed", () => {
  it("goes batch by batch, leaves what is newer and what is another's, and nothing in the index", async ({
    expect,
  }) => {
    for (let n = 0; n < 300; n += 1)
      await keep("org_gone", `kilimanjaro lighthouse ${n} stays shut`, 1, n + 1);
    await keep("org_gone", "the newest stays", 9, 301);
    await keep("org_other", "another lighthouse stays", 1, 1);
    await env.DB.prepare("CREATE VIRTUAL TABLE terms USING fts5vocab(said_search, 'row')").run();
    const known = async (text: string): Promise<boolean> =>
      (await env.DB.prepare("SELECT 1 AS n FROM terms WHERE term = ?").bind(pairsOf(text)).first()) !== null;
    expect(await known("kilimanjaro lighthouse")).toBe(true);
    const bytes = async (): Promise<number> =>
      (await env.DB.prepare("SELECT sum(length(block)) AS n FROM said_search_data").first<{ n: number }>())
        ?.n ?? 0;
    const before = await bytes();
    // First it is looked whether there is anything: an index is written anew only where it has to forget something.
    expect(await purge("org_gone", "said", 5)).toEqual([0, 100, 100, 100, 0]);
    // What is asked of the index leaves out what was deleted; what it holds must have gone, too.
    expect(await bytes()).toBeLessThan(before / 10);
    expect(await known("kilimanjaro lighthouse")).toBe(false);
    expect([await known("the newest"), await known("another lighthouse")]).toEqual([true, true]);
    const { results } = await env.DB.prepare("SELECT organization_id AS of FROM said ORDER BY of").all();
    expect(results).toEqual([{ of: "org_gone" }, { of: "org_other" }]);
    expect(await purge("org_gone", "said", 5)).toEqual([0]);
  });

  it("has a large index forget all that it has to, part after part", async ({ expect }) => {
    const rows = Array.from({ length: 1_200 }, (_, n) => {
      const text = Array.from({ length: 150 }, (__, at) => `word${n * 150 + at}`).join(" ");
      const common = {
        agent_id: "a",
        session_id: "s",
        message_id: "m",
        at: n % 2 === 0 ? 1 : 9,
        sender_id: null,
      };
      return { ...common, seq: n + 1, text, searchable: text, pairs: pairsOf(text) };
    });
    for (let from = 0; from < rows.length; from += 100)
      await env.DB.batch(saidStatements(env.DB, "org_large", "c", rows.slice(from, from + 100)));
    const bytes = async (): Promise<number> =>
      (await env.DB.prepare("SELECT sum(length(block)) AS n FROM said_search_data").first<{ n: number }>())
        ?.n ?? 0;
    const before = await bytes();
    expect(before).toBeGreaterThan(1_500_000);
    await purge("org_large", "said", 5);
    expect(await bytes()).toBeLessThan(before * 0.6);
  });
});
