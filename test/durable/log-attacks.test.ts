/** What whoever can write the database would have signed, published or put on record; and what a look must not stumble over. */
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { verify } from "../../integrations/verify/verify.mjs";
import { makeCheckpoints } from "../../src/http/checkpoints.ts";
import { checkDrifts } from "../../src/http/drift.ts";
import {
  checkpointText,
  ed25519Signer,
  formatVerifierKey,
  parseLeaf,
  parseNote,
  parseVerifierKey,
  signNote,
  verifyCheckpointsFile,
} from "../../src/ledger/index.ts";
import { ledgerOf, must, newSession, newTenant, send, shell, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver } from "../support/record.ts";

const sql = (text: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

const seal = (tenant: Tenant) => send("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });

async function findings(tenant: Tenant) {
  const { json } = await must("/v1/drift-check", { method: "POST", cookie: tenant.cookie });
  return json.findings as { code: string; place: string; chain: string | null; seq: number; table: string }[];
}

async function kinds(tenant: Tenant, kind: string) {
  return (await ledgerOf(tenant)).filter(({ entry }) => entry.kind === kind).map(({ body }) => body);
}

/** A sealed organization with one session, in which something has happened since. */
async function scene() {
  const tenant = await newTenant();
  const session = await newSession(tenant);
  await shell(tenant, session, "ls");
  const first = await checkpointOf(tenant, session);
  await shell(tenant, session, "pwd");
  await deliver(tenant, session);
  return { tenant, session, first: first.json, organization: tenant.organization };
}

describe("a key that the organization's object does not know", () => {
  it("is published nowhere, signs nothing that is put on record, and is found", async ({ expect }) => {
    const { tenant, first, organization } = await scene();
    const [name = ""] = first.note.split("\n");
    const evil = ed25519Signer(name, new Uint8Array(32).fill(66));
    await sql(
      "INSERT INTO signing_keys (organization_id, key_id, vkey, sealed, valid_from, valid_until, changed_seq) VALUES (?, ?, ?, '', 1, NULL, 0)",
      organization,
      evil.key.id,
      formatVerifierKey(evil.key),
    );
    const { cookie } = tenant;
    const told = [
      (await must(`/.well-known/countersign/${organization}/keys`)).text,
      (await must("/v1/signing-keys", { cookie })).text,
      (await must("/v1/checkpoints.json", { cookie })).text,
      (await must("/v1/receipts?chain=organization&seq=1", { cookie })).text,
      (await must("/record", { cookie })).text,
    ];
    for (const text of told) expect(text).not.toContain(evil.key.id);
    expect(await findings(tenant)).toEqual([
      expect.objectContaining({ code: "unrecorded-governing", table: "signing_keys", id: evil.key.id }),
    ]);
    // Nor is a checkpoint by it the next one, however well it follows.
    const read = parseNote(first.note);
    const prev = (await kinds(tenant, "checkpoint"))[0]?.digest as string;
    const text = checkpointText({
      origin: name,
      size: first.tree_size,
      root: first.root,
      prev,
      at: first.at,
    });
    expect(read.ok).toBe(true);
    await sql(
      "INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, 2, ?, ?, ?, ?, ?)",
      organization,
      first.tree_size,
      first.root,
      signNote(text, [evil]),
      first.at,
      prev,
    );
    expect((await seal(tenant)).json.code).toBe("log-damaged");
    expect(await kinds(tenant, "checkpoint")).toHaveLength(1);
  });

  it("is not missed where the database lacks one", async ({ expect }) => {
    const { tenant, organization } = await scene();
    await sql("DELETE FROM signing_keys WHERE organization_id = ?", organization);
    expect((await must(`/.well-known/countersign/${organization}/keys`)).json.keys).toHaveLength(1);
    expect((await seal(tenant)).status).toBe(201);
    expect(await kinds(tenant, "signing_key_rotated")).toHaveLength(1);
  });
});

describe("a checkpoint that nobody signed", () => {
  it("is not put on record, in nobody's name, and nothing is signed onward from it", async ({ expect }) => {
    const { tenant, first, organization } = await scene();
    const [name = ""] = first.note.split("\n");
    const at = 9_000_000_000_000_000;
    const prev = "0".repeat(64);
    const text = checkpointText({ origin: name, size: first.tree_size, root: first.root, prev, at });
    const forged = `${text}\n— x ${btoa("\0".repeat(68))}\n`;
    const put = (note: string, when: number) =>
      sql(
        "INSERT OR REPLACE INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, 2, ?, ?, ?, ?, ?)",
        organization,
        first.tree_size,
        first.root,
        note,
        when,
        prev,
      );
    await put(forged, at);
    expect((await seal(tenant)).json).toMatchObject({ status: 500, code: "log-damaged" });
    expect(await kinds(tenant, "checkpoint")).toHaveLength(1);
    expect(await kinds(tenant, "alert")).toEqual([
      expect.objectContaining({ code: "altered-checkpoint", place: "log", seq: 2, by: null }),
    ]);
    expect(await findings(tenant)).toContainEqual(
      expect.objectContaining({ code: "altered-checkpoint", seq: 2 }),
    );
    // One that was signed, in another place.
    await put(first.note, first.at);
    expect((await seal(tenant)).json.code).toBe("log-damaged");
    await sql("DELETE FROM checkpoints WHERE organization_id = ? AND number = 2", organization);
    const next = await seal(tenant);
    expect([next.status, next.json.number]).toEqual([201, 2]);
    expect(next.json.at).toBeLessThan(Date.now() + 60_000);
  });

  it("is none in its columns either", async ({ expect }) => {
    const { tenant, organization } = await scene();
    for (const change of ["at = at - 1", "tree_size = 1", "prev = ''", "root = 'x'", "note = x'00'"]) {
      const [column = ""] = change.split(" ");
      const was = await env.DB.prepare(`SELECT ${column} AS was FROM checkpoints WHERE organization_id = ?`)
        .bind(organization)
        .first<{ was: string | number | null }>();
      await sql(`UPDATE checkpoints SET ${change} WHERE organization_id = ?`, organization);
      expect((await seal(tenant)).json.code, change).toBe("log-damaged");
      await sql(
        `UPDATE checkpoints SET ${column} = ? WHERE organization_id = ?`,
        was?.was ?? null,
        organization,
      );
    }
    const alerts = await kinds(tenant, "alert");
    expect(new Set(alerts.map(({ code, seq }) => `${code} ${seq}`))).toEqual(
      new Set(["altered-checkpoint 1"]),
    );
    expect((await seal(tenant)).status).toBe(201);
  });
});

describe("a row where none can stand", () => {
  const STRAYS: [string, string, string][] = [
    [
      "a leaf",
      "INSERT INTO log_leaves (organization_id, leaf_index, chain, seq, data) SELECT ?1, tree_size, 'x', 1, '' FROM checkpoints WHERE organization_id = ?1",
      "altered-leaf",
    ],
    [
      "a node",
      "INSERT INTO log_nodes (organization_id, level, node_index, hash) SELECT ?1, 0, tree_size, 'x' FROM checkpoints WHERE organization_id = ?1",
      "altered-log",
    ],
  ];
  for (const [what, statement, code] of STRAYS)
    it(`stops checkpoints with an alert, and not silently: ${what}`, async ({ expect }) => {
      const { tenant, organization } = await scene();
      await sql(statement, organization);
      for (let i = 0; i < 2; i += 1) expect((await seal(tenant)).json.code).toBe("log-damaged");
      expect(await kinds(tenant, "alert")).toEqual([
        expect.objectContaining({ code: "altered-log", place: "log", by: null }),
      ]);
      expect((await findings(tenant)).map((one) => one.code)).toEqual([code]);
    });

  it("is found: a leaf before the first, a node too high, a checkpoint of no number", async ({ expect }) => {
    const { tenant, organization } = await scene();
    await sql(
      "INSERT INTO log_leaves (organization_id, leaf_index, chain, seq, data) VALUES (?, -3, 'x', 1, '')",
      organization,
    );
    await sql(
      "INSERT INTO log_nodes (organization_id, level, node_index, hash) VALUES (?, 60, 0, 'x')",
      organization,
    );
    await sql(
      "INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, 0, 0, 'x', '', 1, NULL)",
      organization,
    );
    const found = (await findings(tenant)).map(({ code, seq }) => [code, seq]);
    expect(found).toEqual([
      ["altered-leaf", -3],
      ["altered-log", expect.any(Number)],
      ["altered-checkpoint", 0],
    ]);
  });
});

describe("the log, once an owner had it put back,", () => {
  it("goes on: what stood beside it is taken away, and nothing of it", async ({ expect }) => {
    const { tenant, first, organization } = await scene();
    const { cookie } = tenant;
    const [name = ""] = first.note.split("\n");
    const text = checkpointText({
      origin: name,
      size: 9,
      root: first.root,
      prev: "0".repeat(64),
      at: first.at,
    });
    const evil = ed25519Signer(name, new Uint8Array(32).fill(7));
    for (const number of [0, 2, 5])
      await sql(
        "INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, ?, 9, ?, ?, ?, ?)",
        organization,
        number,
        first.root,
        signNote(text, [evil]),
        first.at,
        "0".repeat(64),
      );
    for (const index of [-1, 2, 7])
      await sql(
        "INSERT INTO log_leaves (organization_id, leaf_index, chain, seq, data) VALUES (?1, ?2, 'x', ?2 + 2, '')",
        organization,
        index,
      );
    for (const [level, index] of [
      [0, 2],
      [1, 1],
      [60, 0],
    ] as const)
      await sql(
        "INSERT INTO log_nodes (organization_id, level, node_index, hash) VALUES (?, ?, ?, 'x')",
        organization,
        level,
        index,
      );
    expect((await seal(tenant)).json.code).toBe("log-damaged");
    const restored = await must("/v1/restore", { method: "POST", cookie });
    expect(restored.json).toMatchObject({ rows: 9, lost: 0, next_cursor: null });
    expect(await findings(tenant)).toEqual([]);
    const next = await seal(tenant);
    expect([next.status, next.json.number]).toEqual([201, 2]);
    const file = (await must("/v1/checkpoints.json", { cookie })).text;
    const { keys } = (await must(`/.well-known/countersign/${organization}/keys`)).json;
    expect((await verify(file, { keys })).result).toBe("holds");
    // And once more where nothing is wrong.
    expect((await must("/v1/restore", { method: "POST", cookie })).json).toMatchObject({ rows: 0, lost: 0 });
    expect((await must("/v1/checkpoints", { cookie })).json.checkpoints).toHaveLength(2);
    // What comes back after that is a finding of its own.
    const alerts = (await kinds(tenant, "alert")).length;
    await sql(
      "INSERT INTO log_leaves (organization_id, leaf_index, chain, seq, data) VALUES (?, -1, 'x', 1, '')",
      organization,
    );
    await findings(tenant);
    expect((await kinds(tenant, "alert")).length).toBe(alerts + 1);
  });
});

describe("a head", () => {
  it("is sealed as its object has it; one that never was is not sealed, and is found", async ({ expect }) => {
    const { tenant, session, organization } = await scene();
    const chain = `session:${session}`;
    const lines = await ledgerOf(tenant, session);
    const end = lines.at(-1);
    await sql(
      "UPDATE heads SET at = 9000000000000000 WHERE organization_id = ? AND chain = ?",
      organization,
      chain,
    );
    const made = await seal(tenant);
    expect([made.status, made.json.number]).toEqual([201, 2]);
    expect(made.json.at).toBeLessThan(Date.now() + 60_000);
    const { results } = await env.DB.prepare(
      "SELECT data FROM log_leaves WHERE organization_id = ? AND chain = ? ORDER BY seq DESC LIMIT 1",
    )
      .bind(organization, chain)
      .all<{ data: string }>();
    expect(parseLeaf(results[0]?.data ?? "")).toMatchObject({
      seq: end?.entry.seq,
      hash: end?.hash,
      at: end?.entry.at,
    });

    await sql(
      "UPDATE heads SET hash = ?, seq = seq + 100, news_seq = seq + 100 WHERE organization_id = ? AND chain = ?",
      "e".repeat(64),
      organization,
      chain,
    );
    await sql(
      "INSERT INTO heads (organization_id, chain, seq, hash, at, news_seq) VALUES (?, ?, 1, ?, 1, 1)",
      organization,
      `session:${"x".repeat(3_000)}`,
      "e".repeat(64),
    );
    // What else has moved is sealed, then what was found, and not for ever anew because of these.
    await must("/v1/organization/settings", { method: "PUT", cookie: tenant.cookie, json: {} });
    await deliver(tenant);
    const next = await seal(tenant);
    expect([next.status, next.json.number, next.json.tree_size - made.json.tree_size]).toEqual([201, 4, 2]);
    const codes = (await kinds(tenant, "alert")).map(({ code, place }) => [code, place]);
    expect(codes).toEqual([
      ["altered-head", "database"],
      ["altered-head", "database"],
    ]);
    const found = (await findings(tenant)).filter((one) => one.chain === chain);
    expect(found.map(({ code, place }) => [code, place])).toEqual([["altered-head", "database"]]);
    await deliver(tenant);
    await seal(tenant);
    expect((await seal(tenant)).json.code).toBe("log-damaged");
  });
});

describe("a finding", () => {
  it("is put on record again when the same place was mended and then changed otherwise", async ({
    expect,
  }) => {
    const { tenant, session, organization } = await scene();
    const where = "organization_id = ? AND chain = ? AND seq = 2";
    const chain = `session:${session}`;
    const row = await env.DB.prepare(`SELECT body FROM records WHERE ${where}`)
      .bind(organization, chain)
      .first<{ body: string }>();
    const set = (body: string) =>
      sql(`UPDATE records SET body = ? WHERE ${where}`, body, organization, chain);
    const body = row?.body ?? "";
    for (const [text, found, alerts] of [
      [body.replace("terminal", "altered1"), 1, 1],
      [body.replace("terminal", "altered1"), 1, 1],
      [body, 0, 1],
      [body.replace("terminal", "altered2"), 1, 2],
    ] as const) {
      await set(text);
      expect(await findings(tenant)).toHaveLength(found);
      expect(await kinds(tenant, "alert")).toHaveLength(alerts);
    }
  });
});

describe("what is no text", () => {
  const BLOBS: [string, string][] = [
    ["a checkpoint's note", "UPDATE checkpoints SET note = x'00' WHERE organization_id = ?"],
    ["a checkpoint's root", "UPDATE checkpoints SET root = x'00' WHERE organization_id = ?"],
    ["a checkpoint's size", "UPDATE checkpoints SET tree_size = 'many' WHERE organization_id = ?"],
    ["a leaf's data", "UPDATE log_leaves SET data = x'00' WHERE organization_id = ?"],
    ["a leaf's chain", "UPDATE log_leaves SET chain = x'00' WHERE organization_id = ? AND leaf_index = 0"],
    ["a node's hash", "UPDATE log_nodes SET hash = x'00' WHERE organization_id = ?"],
    ["a key", "UPDATE signing_keys SET vkey = x'00' WHERE organization_id = ?"],
    ["a key's id", "UPDATE signing_keys SET key_id = x'00' WHERE organization_id = ?"],
    ["a head's chain", "UPDATE heads SET chain = x'00' WHERE organization_id = ? AND chain = ?"],
    ["a head's place", "UPDATE heads SET seq = 'x' WHERE organization_id = ? AND chain = ?"],
    ["a record's hash", "UPDATE records SET hash = x'00' WHERE organization_id = ? AND seq = 2"],
    ["a record's text", "UPDATE records SET body = 'x' WHERE organization_id = ? AND chain = ? AND seq = 1"],
    ["a record's kind", "UPDATE records SET kind = x'00' WHERE organization_id = ? AND seq = 2"],
    ["a record's salt", "UPDATE records SET salt = x'00' WHERE organization_id = ? AND salt IS NOT NULL"],
    ["a member's name", "UPDATE members SET name = x'00' WHERE organization_id = ?"],
    ["a session's agent", "UPDATE sessions SET agent_id = x'00' WHERE organization_id = ?"],
  ];
  for (const [what, statement] of BLOBS)
    it(`is found, and what else there is is found all the same: ${what}`, async ({ expect }) => {
      const { tenant, session, organization } = await scene();
      const sound = await newSession(tenant);
      await shell(tenant, sound, "ls");
      await deliver(tenant, session, sound);
      await sql(statement, organization, ...(statement.includes("chain = ?") ? [`session:${session}`] : []));
      await sql(
        "DELETE FROM records WHERE organization_id = ? AND chain = ? AND seq = 2",
        organization,
        `session:${sound}`,
      );
      const found = await findings(tenant);
      expect(found).toContainEqual(
        expect.objectContaining({ code: "missing-row", chain: `session:${sound}` }),
      );
      expect(found.length).toBeGreaterThan(1);
      const told = new Set((await kinds(tenant, "alert")).map(({ code }) => code));
      for (const { code } of found) expect(told).toContain(code);
    });
});

describe("the clock", () => {
  it("looks at every organization, however many cannot be read, and puts each of these on record", async ({
    expect,
  }) => {
    const healthy = await newTenant();
    const broken: Tenant[] = [];
    for (let i = 0; i < 27; i += 1) {
      const tenant = await newTenant();
      broken.push(tenant);
      await sql(
        "INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, 1, 0, ?, x'00', 1, NULL)",
        tenant.organization,
        "ab".repeat(32),
      );
    }
    const now = Date.now();
    const ids = new Set([healthy, ...broken].map(({ organization }) => organization));
    await sql(
      "INSERT OR REPLACE INTO drift_rounds (organization_id, leaf_index, checkpoint, ran_at) SELECT organization_id, 0, 1, ?1 FROM organizations WHERE organization_id NOT IN (SELECT value FROM json_each(?2))",
      now,
      JSON.stringify([...ids]),
    );
    await sql(
      "INSERT OR REPLACE INTO drift_rounds (organization_id, leaf_index, checkpoint, ran_at) VALUES (?, 0, 1, 1)",
      healthy.organization,
    );
    expect(await checkDrifts(env, now, Date.now() + 60_000)).toBe(28);
    const { results } = await env.DB.prepare(
      "SELECT organization_id AS id FROM drift_rounds WHERE ran_at = ?",
    )
      .bind(now)
      .all<{ id: string }>();
    for (const id of ids) expect(results.map((row) => row.id)).toContain(id);
    for (const tenant of broken.slice(0, 3))
      expect((await kinds(tenant, "alert")).map(({ code }) => code)).toContain("altered-checkpoint");
  });

  it("goes on sealing where the last run was cut off, so that each has its turn", async ({ expect }) => {
    const tenants: Tenant[] = [];
    for (let i = 0; i < 14; i += 1) tenants.push(await newTenant());
    for (const tenant of tenants) await deliver(tenant);
    // A handful that can never be sealed, and comes first, is no reason for the others to wait.
    const byId = tenants.map(({ organization }) => organization).sort();
    for (const organization of byId.slice(0, 5))
      await sql(
        "INSERT INTO checkpoints (organization_id, number, tree_size, root, note, at, prev) VALUES (?, 1, 0, ?, x'00', 1, NULL)",
        organization,
        "ab".repeat(32),
      );
    const sealed = async () => {
      const { results } = await env.DB.prepare(
        "SELECT organization_id AS id, count(*) AS n FROM checkpoints WHERE typeof(note) = 'text' GROUP BY 1",
      ).all<{ id: string; n: number }>();
      const ids = new Set(tenants.map(({ organization }) => organization));
      return results.filter(({ id }) => ids.has(id));
    };
    const perRun: number[] = [];
    for (let run = 0; run < 100 && (await sealed()).length < 9; run += 1) {
      // Time for one handful, whatever the machine does.
      const clock = vi.spyOn(Date, "now");
      let asked = 0;
      const began = performance.timeOrigin + performance.now();
      clock.mockImplementation(() => Math.trunc(began + asked));
      const until = Date.now() + 1;
      const before = (await sealed()).length;
      const made = makeCheckpoints(
        new Proxy(env, {
          get(target, name) {
            // The first object that is asked uses the time up.
            if (name === "SESSION") asked = 2;
            return target[name as keyof typeof target];
          },
        }),
        began,
        until,
      );
      await made;
      clock.mockRestore();
      perRun.push((await sealed()).length - before);
    }
    const done = await sealed();
    expect(done).toHaveLength(9);
    expect(done.every(({ n }) => n === 1)).toBe(true);
    expect(Math.max(...perRun)).toBeLessThanOrEqual(4);
  });
});

describe("a checkpoint", () => {
  it("is never signed only by a key whose time is over", async ({ expect }) => {
    const { tenant, organization } = await scene();
    const { getByName } = env.SESSION;
    let rotated = 0;
    // biome-ignore lint/suspicious/noExplicitAny: one method of a stub does more
    const between = vi.spyOn(env.SESSION, "getByName").mockImplementation(((...given: any[]) => {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const stub = (getByName as any).apply(env.SESSION, given);
      return new Proxy(stub, {
        get(target, name) {
          if (name !== "change") return target[name];
          // biome-ignore lint/suspicious/noExplicitAny: as above
          return async (change: any, ...rest: unknown[]) => {
            if (change.kind === "checkpoint" && rotated < 2) {
              rotated += 1;
              await must("/v1/signing-keys", { cookie: tenant.cookie, json: { overlap_days: 0 } });
            }
            return target.change(change, ...rest);
          };
        },
      });
      // biome-ignore lint/suspicious/noExplicitAny: as above
    }) as any);
    const made = await seal(tenant);
    between.mockRestore();
    expect([made.status, rotated]).toEqual([201, 2]);
    const { keys } = (await must(`/.well-known/countersign/${organization}/keys`)).json as {
      keys: { vkey: string; from: number; until: number | null }[];
    };
    expect(keys).toHaveLength(3);
    const { checkpoints } = (await must("/v1/checkpoints", { cookie: tenant.cookie })).json;
    for (const { note, at } of checkpoints as { note: string; at: number }[]) {
      const read = parseNote(note);
      const ids = read.ok ? read.note.signatures.map(({ id }) => id) : [];
      const live = keys.filter(({ from, until }) => from <= at && (until === null || at < until));
      expect(live.some(({ vkey }) => ids.includes(parseVerifierKey(vkey)?.id ?? ""))).toBe(true);
    }
    const file = (await must("/v1/checkpoints.json", { cookie: tenant.cookie })).text;
    const trusted = keys.flatMap(({ vkey }) => parseVerifierKey(vkey) ?? []);
    expect(verifyCheckpointsFile(file, { keys: trusted }).result).toBe("holds");
    expect((await verify(file, { keys })).result).toBe("holds");
    expect(await findings(tenant)).toEqual([]);
  });
});

describe("an export", () => {
  it("holds a chain that was taken out of the database", async ({ expect }) => {
    const { tenant, organization } = await scene();
    const gone = await newSession(tenant);
    await shell(tenant, gone, "ls");
    await deliver(tenant, gone);
    for (const table of ["heads", "records"])
      await sql(
        `DELETE FROM ${table} WHERE organization_id = ? AND chain = ?`,
        organization,
        `session:${gone}`,
      );
    await sql("DELETE FROM sessions WHERE organization_id = ? AND session_id = ?", organization, gone);
    const whole = await send("/v1/export", { cookie: tenant.cookie, json: {} });
    const lines = whole.text.trimEnd().split("\n");
    expect(lines).toContain(
      JSON.stringify({ kind: "chain", chain: `session:${gone}`, session: gone, after: 0 }),
    );
    expect(whole.text).toContain((await ledgerOf(tenant, gone)).at(-1)?.hash);
    expect(lines.at(-1)).toBe('{"kind":"end"}');
    expect((await findings(tenant)).map(({ code, chain }) => [code, chain])).toContainEqual([
      "missing-head",
      `session:${gone}`,
    ]);
  });

  it("takes no mark that none has said, however long", async ({ expect }) => {
    const { tenant } = await scene();
    for (const chain of [
      `session:${"x".repeat(1_900)}`,
      `session:${"x".repeat(401)}`,
      "session:",
      "agents",
    ]) {
      const after = btoa(JSON.stringify({ chain, seq: 0 }));
      const answer = await send("/v1/export", { cookie: tenant.cookie, json: { after } });
      expect([answer.status, answer.json.code], chain).toEqual([422, "invalid-request"]);
    }
    const answer = await send("/v1/export", {
      cookie: tenant.cookie,
      json: { after: btoa(JSON.stringify({ chain: `session:${"x".repeat(400)}`, seq: 0 })) },
    });
    expect(answer.status).toBe(200);
  });
});
