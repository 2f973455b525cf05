/** Checkpoints over the API: what is sealed, when, by which keys, and what a stranger can check of it. */
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { verify } from "../../integrations/verify/verify.mjs";
import { makeCheckpoint } from "../../src/http/checkpoints.ts";
import {
  append,
  exportLine,
  leafHash,
  link,
  parseCheckpoint,
  parseLeaf,
  parseNote,
  parseVerifierKey,
  type VerifierKey,
  verifyCheckpoints,
  verifyCheckpointsFile,
  verifyConsistency,
} from "../../src/ledger/index.ts";
import {
  ledgerOf,
  must,
  newMember,
  newSession,
  newTenant,
  send,
  shell,
  type Tenant,
} from "../support/api.ts";
import { checkpointOf, deliver } from "../support/record.ts";

async function keysOf(tenant: Tenant): Promise<VerifierKey[]> {
  const { json } = await must(`/.well-known/countersign/${tenant.organization}/keys`);
  return json.keys.flatMap(({ vkey }: { vkey: string }) => parseVerifierKey(vkey) ?? []);
}

const numberOf = async (tenant: Tenant): Promise<number> =>
  (await must("/v1/checkpoints/latest", { cookie: tenant.cookie })).json.number;

async function leavesOf(tenant: Tenant) {
  const { results } = await env.DB.prepare(
    "SELECT data FROM log_leaves WHERE organization_id = ? ORDER BY leaf_index",
  )
    .bind(tenant.organization)
    .all<{ data: string }>();
  return results.map(({ data }) => data);
}

/** The seventh entry of a chain that nobody has recorded. */
function endOf(organization: string, chain: string) {
  const before = { seq: 6, hash: "a".repeat(64) };
  const session = chain.slice("session:".length);
  return link(before, { org: organization, session, at: 1000, kind: "note", body: {} });
}

/** Has other objects answer in place of those of some names. @param instead methods by name; `null` for the object itself */
function withObjects(instead: (name: string) => Record<string, (...given: never[]) => unknown> | null) {
  const { getByName } = env.SESSION;
  // biome-ignore lint/suspicious/noExplicitAny: some methods of a stub are others
  return vi.spyOn(env.SESSION, "getByName").mockImplementation(((...given: any[]) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const stub = (getByName as any).apply(env.SESSION, given);
    const others = instead(String(given[0]));
    if (others === null) return stub;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return new Proxy(stub, { get: (target: any, name) => others[String(name)] ?? target[name] });
    // biome-ignore lint/suspicious/noExplicitAny: as above
  }) as any);
}

describe("a checkpoint", () => {
  it("seals the head of every chain, by the organization's own key, and is on record", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    const made = await checkpointOf(tenant, session);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ number: 1, prev: null });
    expect(made.json.ledger_seq).toBeGreaterThan(0);

    const keys = await keysOf(tenant);
    expect(keys).toHaveLength(1);
    expect(keys[0]?.name).toBe(`countersign.test/${tenant.organization}`);
    const report = verifyCheckpoints([made.json.note], keys);
    expect(report, JSON.stringify(report)).toMatchObject({ ok: true, organization: tenant.organization });
    expect(report.latest).toMatchObject({ size: made.json.tree_size, root: made.json.root });

    const leaves = await leavesOf(tenant);
    expect(append(0, [], leaves.map(leafHash)).root).toBe(made.json.root);
    const read = leaves.map((leaf) => parseLeaf(leaf));
    expect(read.map((leaf) => leaf?.chain)).toEqual(["organization", `session:${session}`]);
    const chain = await ledgerOf(tenant, session);
    expect(read[1]).toMatchObject({ seq: chain.length, hash: chain.at(-1)?.hash, org: tenant.organization });

    const entry = (await ledgerOf(tenant)).find((line) => line.entry.kind === "checkpoint");
    expect(entry?.body).toMatchObject({ by: tenant.owner, number: 1, root: made.json.root });
    expect(entry?.entry.seq).toBe(made.json.ledger_seq);
  });

  it("is not made again while nothing has moved, its own record included", async ({ expect }) => {
    const tenant = await newTenant();
    const first = await checkpointOf(tenant);
    for (let i = 0; i < 3; i += 1) {
      const again = await checkpointOf(tenant);
      expect(again.status).toBe(200);
      expect(again.json.note).toBe(first.json.note);
    }
    expect((await ledgerOf(tenant)).filter((line) => line.entry.kind === "checkpoint")).toHaveLength(1);
  });

  it("covers the record of the one before it, and proves that it grew out of it", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const notes: string[] = [];
    for (const command of ["ls", "pwd", "date"]) {
      await shell(tenant, session, command);
      const made = await checkpointOf(tenant, session);
      expect(made.status).toBe(201);
      notes.push(made.json.note);
    }
    const proofs: string[][] = [];
    for (const to of [2, 3]) {
      const { json } = await must(`/v1/checkpoints/${to}/consistency?from=${to - 1}`, {
        cookie: tenant.cookie,
      });
      proofs.push(json.proof);
    }
    const report = verifyCheckpoints(notes, await keysOf(tenant), proofs);
    expect(report, JSON.stringify(report)).toMatchObject({ ok: true, checkpoints: 3 });
    const far = (await must("/v1/checkpoints/3/consistency?from=1", { cookie: tenant.cookie })).json;
    expect(
      verifyConsistency({
        first: far.from.tree_size,
        second: far.to.tree_size,
        firstRoot: far.from.root,
        secondRoot: far.to.root,
        proof: far.proof,
      }),
    ).toBe(true);
    const sealed = (await leavesOf(tenant)).map(parseLeaf);
    const own = sealed.filter((leaf) => leaf?.chain === "organization");
    const recorded = (await ledgerOf(tenant)).filter((line) => line.entry.kind === "checkpoint");
    expect(own.at(-1)?.seq).toBeGreaterThanOrEqual(recorded[1]?.entry.seq ?? Number.NaN);
  });

  it("is one when it is asked for ten times at once", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await deliver(tenant, session);
    const all = await Promise.all(
      Array.from({ length: 10 }, () => send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie })),
    );
    for (const one of all) expect(one.status, one.text).toBeLessThan(300);
    expect(new Set(all.map(({ json }) => json.number))).toEqual(new Set([1]));
    expect(new Set(all.map(({ json }) => json.note)).size).toBe(1);
    expect((await keysOf(tenant)).length).toBe(1);
    expect((await ledgerOf(tenant)).filter((line) => line.entry.kind === "checkpoint")).toHaveLength(1);
  });

  it("is made anew when the last one is older than a day", async ({ expect }) => {
    const tenant = await newTenant();
    const first = await checkpointOf(tenant);
    const wish = { origin: null, actor: null, fresh: true };
    const soon = Date.now() + 86_300_000;
    expect((await makeCheckpoint(env, tenant.organization, soon, wish)).made).toBe(false);
    const later = Date.now() + 86_400_001;
    const { made, checkpoint } = await makeCheckpoint(env, tenant.organization, later, wish);
    expect([made, checkpoint?.number, checkpoint?.at]).toEqual([true, 2, later]);
    const notes = [first.json.note, checkpoint?.note ?? ""];
    expect(verifyCheckpoints(notes, await keysOf(tenant)).ok).toBe(true);
  });

  it("is a file of its own as plain text", async ({ expect }) => {
    const tenant = await newTenant();
    const made = await checkpointOf(tenant);
    for (const which of ["1", "latest"]) {
      const note = await must(`/v1/checkpoints/${which}`, {
        cookie: tenant.cookie,
        headers: { accept: "text/plain" },
      });
      expect(note.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(note.text).toBe(made.json.note);
      const read = parseNote(note.text);
      expect(parseCheckpoint(read.ok ? read.note.text : "")?.size).toBe(made.json.tree_size);
    }
  });

  it("is not made again for having been stamped", async ({ expect }) => {
    const tenant = await newTenant();
    const settings = { anchoring: { checkpoints: true } };
    await must("/v1/organization/settings", { method: "PUT", cookie: tenant.cookie, json: settings });
    const first = await checkpointOf(tenant);
    const stamped = async () => (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "anchor");
    expect((await stamped()).map(({ body }) => body.reference)).toEqual(["checkpoint:1"]);
    for (let i = 0; i < 3; i += 1) expect((await checkpointOf(tenant)).json.note).toBe(first.json.note);
    expect(await stamped()).toHaveLength(1);
    // One of its own is news.
    await must("/v1/anchors", { cookie: tenant.cookie, json: { reference: "mine", text: "checkpoint:" } });
    expect((await checkpointOf(tenant)).status).toBe(201);
    expect(await stamped()).toHaveLength(3);
  });

  it("takes as many as a thousand heads, and goes on at once with those that are left", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    await checkpointOf(tenant);
    const { organization } = tenant;
    // Ids of the longest kind: what is bound in one parameter must still fit.
    const chains = Array.from(
      { length: 2_300 },
      (_, i) => `session:${"😀".repeat(190)}${String(i).padStart(5, "0")}`,
    );
    const ends = new Map(chains.map((chain) => [chain, endOf(organization, chain)]));
    for (let i = 0; i < chains.length; i += 500)
      await env.DB.prepare(
        `INSERT INTO heads (organization_id, chain, seq, hash, at, news_seq)
         SELECT ?1, value ->> 0, 7, value ->> 1, 1000, 7 FROM json_each(?2)`,
      )
        .bind(
          organization,
          JSON.stringify([...ends].slice(i, i + 500).map(([chain, end]) => [chain, end.hash])),
        )
        .run();
    const asked = withObjects((name) => {
      const end = ends.get(name.replace(`${organization}/session/`, "session:"));
      return end === undefined
        ? null
        : { page: async () => ({ lines: [exportLine(end)], next: null, removed: false }) };
    });
    const made = await must("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
    expect(made.json.number).toBe(4);
    const { checkpoints } = (await must("/v1/checkpoints", { cookie: tenant.cookie })).json;
    const notes = checkpoints.map(({ note }: { note: string }) => note).reverse();
    const proofs: string[][] = [];
    for (const to of [2, 3, 4])
      proofs.push((await must(`/v1/checkpoints/${to}/consistency`, { cookie: tenant.cookie })).json.proof);
    expect(verifyCheckpoints(notes, await keysOf(tenant), proofs)).toMatchObject({
      ok: true,
      checkpoints: 4,
    });
    const leaves = await leavesOf(tenant);
    expect(append(0, [], leaves.map(leafHash)).root).toBe(made.json.root);
    const sealed = leaves.flatMap((leaf) => parseLeaf(leaf)?.chain ?? []);
    expect(sealed.filter((chain) => chain.startsWith("session:"))).toEqual(chains);
    const again = await must("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
    asked.mockRestore();
    expect([again.status, again.json.number]).toEqual([200, 4]);
  });

  it("is put on record by the next one when its own maker was broken off", async ({ expect }) => {
    const tenant = await newTenant();
    await deliver(tenant);
    const { getByName } = env.SESSION;
    // biome-ignore lint/suspicious/noExplicitAny: one method of a stub is made to fail
    const broken = vi.spyOn(env.SESSION, "getByName").mockImplementation(((...given: any[]) => {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const stub = (getByName as any).apply(env.SESSION, given);
      return new Proxy(stub, {
        get(target, name) {
          if (name !== "change") return target[name];
          // biome-ignore lint/suspicious/noExplicitAny: as above
          return (change: any, ...rest: unknown[]) => {
            if (change.kind === "checkpoint") throw new Error("the isolate is gone");
            return target.change(change, ...rest);
          };
        },
      });
      // biome-ignore lint/suspicious/noExplicitAny: as above
    }) as any);
    const cut = await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
    expect(cut.status).toBe(500);
    broken.mockRestore();
    const stored = (await must("/v1/checkpoints/1", { cookie: tenant.cookie })).json;
    expect(stored.ledger_seq).toBeNull();
    expect((await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "checkpoint")).toEqual([]);
    const session = await newSession(tenant);
    const next = await checkpointOf(tenant, session);
    expect(next.json.number).toBe(2);
    const entries = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "checkpoint");
    // What was made up was nobody's wish.
    expect(entries.map(({ body }) => [body.number, body.root, body.by])).toEqual([
      [1, stored.root, null],
      [2, next.json.root, tenant.owner],
    ]);
    expect((await must("/v1/checkpoints/1", { cookie: tenant.cookie })).json.ledger_seq).toBe(
      entries[0]?.entry.seq,
    );
    expect(verifyCheckpoints([stored.note, next.json.note], await keysOf(tenant)).ok).toBe(true);
  });

  it("is listed by pages, and is nobody else's", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (let i = 0; i < 3; i += 1) {
      await shell(tenant, session, `echo ${i}`);
      await checkpointOf(tenant, session);
    }
    const page = (await must("/v1/checkpoints?limit=2", { cookie: tenant.cookie })).json;
    expect(page.checkpoints.map(({ number }: { number: number }) => number)).toEqual([3, 2]);
    const rest = (await must(`/v1/checkpoints?before=${page.next_before}`, { cookie: tenant.cookie })).json;
    expect(rest.checkpoints.map(({ number }: { number: number }) => number)).toEqual([1]);
    expect(rest.next_before).toBeNull();
    const other = await newTenant();
    expect((await send("/v1/checkpoints/1", { cookie: other.cookie })).status).toBe(404);
    expect((await send("/v1/checkpoints/3/consistency?from=1", { cookie: other.cookie })).status).toBe(404);
    expect((await send("/v1/checkpoints/1/consistency?from=2", { cookie: tenant.cookie })).json.code).toBe(
      "invalid-request",
    );
  });

  it("is not signed over a log that was set back or changed", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    await checkpointOf(tenant, session);
    await shell(tenant, session, "ls");
    await checkpointOf(tenant, session);
    const { organization } = tenant;
    const kept = await env.DB.prepare("SELECT * FROM checkpoints WHERE organization_id = ? AND number = 2")
      .bind(organization)
      .first<{
        note: string;
        ledger_seq: number;
        tree_size: number;
        root: string;
        at: number;
        prev: string;
      }>();
    if (kept === null) throw new Error("no second checkpoint");
    await env.DB.prepare("DELETE FROM checkpoints WHERE organization_id = ? AND number = 2")
      .bind(organization)
      .run();
    await shell(tenant, session, "pwd");
    await deliver(tenant, session);
    const refused = await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
    expect(refused.json).toMatchObject({ status: 500, code: "log-damaged" });
    const alerts = async () => (await ledgerOf(tenant)).filter((line) => line.entry.kind === "alert");
    expect((await alerts()).map(({ body }) => [body.code, body.seq])).toEqual([["missing-checkpoint", 2]]);
    await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
    expect(await alerts()).toHaveLength(1);

    // Another one in its place.
    const forged = kept.note.replace(/\nat (\d)/, (_, digit) => `\nat ${(Number(digit) % 9) + 1}`);
    const put = (note: string) =>
      env.DB.prepare(
        "INSERT OR REPLACE INTO checkpoints (organization_id, number, tree_size, root, note, at, prev, ledger_seq) VALUES (?, 2, ?, ?, ?, ?, ?, ?)",
      )
        .bind(organization, kept.tree_size, kept.root, note, kept.at, kept.prev, kept.ledger_seq)
        .run();
    await put(forged);
    expect((await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie })).json.code).toBe(
      "log-damaged",
    );
    expect((await alerts()).map(({ body }) => body.code)).toEqual([
      "missing-checkpoint",
      "altered-checkpoint",
    ]);
    await put(kept.note);

    // A changed node of the tree's edge.
    await env.DB.prepare(
      "UPDATE log_nodes SET hash = ?2 WHERE organization_id = ?1 AND (level, node_index) = (SELECT level, node_index FROM log_nodes WHERE organization_id = ?1 ORDER BY level DESC, node_index DESC LIMIT 1)",
    )
      .bind(organization, "0".repeat(64))
      .run();
    expect((await send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie })).json.code).toBe(
      "log-damaged",
    );
    expect((await alerts()).map(({ body }) => body.code)).toContain("altered-log");
  });

  it("takes an admin to be made and a viewer to be read", async ({ expect }) => {
    const tenant = await newTenant();
    const viewer = await newMember(tenant, "viewer");
    await checkpointOf(tenant);
    const refused = await send("/v1/checkpoints", { method: "POST", cookie: viewer.cookie });
    expect(refused.json.code).toBe("forbidden");
    expect((await ledgerOf(tenant)).at(-1)?.body).toMatchObject({
      operation: "makeCheckpoint",
      code: "forbidden",
    });
    expect((await send("/v1/checkpoints", { cookie: viewer.cookie })).status).toBe(200);
    expect((await send("/v1/checkpoints", { key: tenant.key })).status).toBe(403);
    expect(await numberOf(tenant)).toBe(1);
  });
});

describe("signing keys", () => {
  it("are rotated by an owner; both sign for a while, then the new one alone", async ({ expect }) => {
    const tenant = await newTenant();
    const first = await checkpointOf(tenant);
    const admin = await newMember(tenant, "admin");
    expect((await send("/v1/signing-keys", { cookie: admin.cookie, json: {} })).json.code).toBe("forbidden");
    const rotated = await must("/v1/signing-keys", { cookie: tenant.cookie, json: {} });
    expect(rotated.status).toBe(201);
    expect(rotated.json.until).toBeNull();
    const [old, young] = await keysOf(tenant);
    if (old === undefined || young === undefined) throw new Error("two keys were expected");
    expect(young.name).toBe(old.name);

    const both = await checkpointOf(tenant);
    expect(both.status).toBe(201);
    expect(verifyCheckpoints([first.json.note, both.json.note], [old]).ok).toBe(true);
    expect(verifyCheckpoints([both.json.note], [young]).ok).toBe(true);

    const now = await must("/v1/signing-keys", { cookie: tenant.cookie, json: { overlap_days: 0 } });
    const third = parseVerifierKey(now.json.vkey);
    const alone = await checkpointOf(tenant);
    const read = parseNote(alone.json.note);
    expect(read.ok && read.note.signatures.map(({ id }) => id)).toEqual([third?.id]);
    expect(verifyCheckpoints([alone.json.note], [old, young]).broken?.code).toBe("unknown-key");
    const { keys } = (await must("/v1/signing-keys", { cookie: tenant.cookie })).json;
    expect(keys).toHaveLength(3);
    expect(keys.map(({ until }: { until: number | null }) => until === null)).toEqual([false, false, true]);
    const kinds = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "signing_key_rotated");
    expect(kinds.map(({ body }) => body.by)).toEqual([null, tenant.owner, tenant.owner]);
  });

  it("outlive the deployment's secret when it is replaced by a newer one", async ({ expect }) => {
    const tenant = await newTenant();
    const { organization } = tenant;
    await checkpointOf(tenant);
    const secret = env.SETTINGS_KEY;
    const newer = "another-settings-key-of-the-test-suite";
    const wish = { origin: null, actor: null, fresh: false };
    const seal = async (secrets: string, command: string) => {
      const session = await newSession(tenant);
      await shell(tenant, session, command);
      await deliver(tenant, session);
      return makeCheckpoint({ ...env, SETTINGS_KEY: secrets }, organization, Date.now(), wish);
    };
    expect((await seal(`${newer},${secret}`, "ls")).made).toBe(true);
    const alone = await seal(newer, "pwd");
    expect(alone.made).toBe(true);
    expect(verifyCheckpoints([alone.checkpoint?.note ?? ""], await keysOf(tenant)).ok).toBe(true);
    expect(await keysOf(tenant)).toHaveLength(1);
    await expect(async () => await seal(secret, "date")).rejects.toMatchObject({ code: "misconfigured" });
    const resealed = (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === "signing_key_resealed");
    expect(resealed).toHaveLength(1);
  });

  it("never show their private part", async ({ expect }) => {
    const tenant = await newTenant();
    await checkpointOf(tenant);
    const { results } = await env.DB.prepare("SELECT sealed FROM signing_keys WHERE organization_id = ?")
      .bind(tenant.organization)
      .all<{ sealed: string }>();
    expect(results).toHaveLength(1);
    const [{ sealed } = { sealed: "" }] = results;
    expect(sealed).toMatch(/^cs1\./);
    const told = [
      (await must("/v1/ledger", { cookie: tenant.cookie })).text,
      (await must("/v1/signing-keys", { cookie: tenant.cookie })).text,
      (await must(`/.well-known/countersign/${tenant.organization}/keys`)).text,
    ];
    for (const text of told) expect(text).not.toContain(sealed);
  });

  it("are there for a stranger, and not for an organization that is not", async ({ expect }) => {
    const tenant = await newTenant();
    const before = await must(`/.well-known/countersign/${tenant.organization}/keys`);
    expect(before.json).toEqual({ organization: tenant.organization, keys: [] });
    expect(before.headers.get("access-control-allow-origin")).toBe("*");
    for (const nobody of ["org_nobody", "x".repeat(200), "%2e%2e"]) {
      const answer = await send(`/.well-known/countersign/${nobody}/keys`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
  });
});

describe("the file of checkpoints", () => {
  it("lets a stranger check the log, and hold exports against it, by both verifiers", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd", "date"]) {
      await shell(tenant, session, command);
      await checkpointOf(tenant, session);
    }
    const cookie = tenant.cookie;
    const file = await send("/v1/checkpoints.json", { cookie });
    expect(file.status).toBe(200);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="checkpoints-1-3.json"');
    expect(file.headers.get("link")).toBeNull();
    const keys = await keysOf(tenant);
    const ours = verifyCheckpointsFile(file.text, { keys });
    expect(ours, JSON.stringify(ours)).toMatchObject({ result: "holds", organization: tenant.organization });
    const published = (await must(`/.well-known/countersign/${tenant.organization}/keys`)).json.keys;
    const theirs = await verify(file.text, { keys: published });
    expect(theirs.lines.filter(({ status }) => status === "fail")).toEqual([]);
    expect(theirs.result).toBe("holds");
    expect(theirs.heads).toHaveLength(file.json.leaves.length);

    const lines = (await send(`/v1/sessions/${session}/ledger`, { cookie })).text;
    const whole = await verify(lines, { heads: theirs.heads });
    expect([
      whole.result,
      whole.lines.some(({ text }) => text.includes("every sealed head stands in it")),
    ]).toEqual(["holds", true]);
    const cut = `${lines.trimEnd().split("\n").slice(0, -1).join("\n")}\n`;
    expect((await verify(cut, { heads: theirs.heads })).broken?.code).toBe("truncated");
  });

  it("comes in parts, each of which begins where the last one ended", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd", "date", "id"]) {
      await shell(tenant, session, command);
      await checkpointOf(tenant, session);
    }
    const keys = await keysOf(tenant);
    const seen: string[][] = [];
    for (let next: string | undefined = "/v1/checkpoints.json?limit=2&leaves=false"; next !== undefined; ) {
      const part = await send(next, { cookie: tenant.cookie });
      expect(part.json.leaves).toBeNull();
      expect(verifyCheckpointsFile(part.text, { keys }).result).toBe("holds");
      seen.push(part.json.checkpoints);
      next = /^<(.+)>; rel="next"$/.exec(part.headers.get("link") ?? "")?.[1];
    }
    expect(seen.map((notes) => notes.length)).toEqual([2, 2, 2]);
    expect(seen[1]?.[0]).toBe(seen[0]?.[1]);
    expect(seen[2]?.[0]).toBe(seen[1]?.[1]);
    const some = await send("/v1/checkpoints.json?first=3", { cookie: tenant.cookie });
    expect(some.json.checkpoints).toHaveLength(2);
    expect(verifyCheckpointsFile(some.text, { keys }).result).toBe("holds");
  });

  it("is nobody else's, and there is none of nothing", async ({ expect }) => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    expect((await send("/v1/checkpoints.json", { cookie: tenant.cookie })).json.code).toBe("not-found");
    await checkpointOf(tenant);
    expect((await send("/v1/checkpoints.json", { cookie: other.cookie })).status).toBe(404);
    expect((await send("/v1/checkpoints.json?first=2", { cookie: tenant.cookie })).status).toBe(404);
    for (const query of ["limit=1", "limit=10001", "first=0", "leaves=1", "what=1"])
      expect((await send(`/v1/checkpoints.json?${query}`, { cookie: tenant.cookie })).status, query).toBe(
        422,
      );
    expect((await send("/v1/checkpoints.json", { key: tenant.key })).status).toBe(403);
    expect((await send("/v1/checkpoints.json")).status).toBe(401);
  });

  it("says so before it begins where the log proves nothing any more", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const command of ["ls", "pwd"]) {
      await shell(tenant, session, command);
      await checkpointOf(tenant, session);
    }
    await env.DB.prepare("DELETE FROM log_nodes WHERE organization_id = ?").bind(tenant.organization).run();
    expect((await send("/v1/checkpoints.json", { cookie: tenant.cookie })).json.code).toBe("log-damaged");
  });
});
