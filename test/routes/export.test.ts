import { env } from "cloudflare:workers";
import { beforeAll, describe, it, vi } from "vitest";
import { privateCommitment, verifyChain } from "../../src/ledger/index.ts";
import { ask, ledgerOf, must, newMember, newTenant, openSession, send, type Tenant } from "../support/api.ts";
import { checkpointOf, deliver } from "../support/record.ts";

const LARGE = "a large one";
const ARGUMENT = 240_000;
const CALLS = 150;
const MIB = 1024 * 1024;

let tenant: Tenant;

const pathOf = (session: string) => `/v1/sessions/${encodeURIComponent(session)}`;

const exported = (json: object = {}, cookie = tenant.cookie) =>
  send("/v1/export", { cookie, json }).then((answer) => ({
    ...answer,
    lines: answer.text.split("\n").filter((line) => line !== ""),
  }));

// biome-ignore lint/suspicious/noExplicitAny: lines differ by kind
const parsed = (lines: readonly string[]): any[] => lines.map((line) => JSON.parse(line));

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

beforeAll(async () => {
  tenant = await newTenant("Exporting", { engines: { fence: "off" } });
  await must("/v1/oath", {
    method: "PUT",
    cookie: tenant.cookie,
    headers: { "if-match": '"0"' },
    json: { text: "never delete: ~/keep/**\n" },
  });
  await newMember(tenant, "viewer");
  await must("/v1/channels", {
    cookie: tenant.cookie,
    json: { kind: "email", name: "mail", target: { address: "secret-address@example.com" }, own: false },
  });
  await openSession(tenant, "small");
  await must(`${pathOf("small")}/turns`, { key: tenant.key, json: { text: "I decided we ship on Friday" } });
  await ask(tenant, "small", {
    tool: "skill_manage",
    args: { action: "create", name: "ship", content: "User decided to ship on Friday." },
    stored: "",
  });
  await openSession(tenant, LARGE);
  for (let n = 0; n < CALLS; n += 1) {
    await ask(tenant, LARGE, {
      tool: "write_file",
      args: { path: "a.txt", content: `${n} `.padEnd(ARGUMENT, "x") },
    });
    // One half of it is D1's to tell, the other still the object's.
    if (n === CALLS / 2) await checkpointOf(tenant, "small", LARGE);
  }
}, 120_000);

describe("an export of everything", () => {
  it("holds every chain, with its private texts, beyond what one call carries, and says so on record", async ({
    expect,
  }) => {
    const { status, headers, text, lines } = await exported();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/x-ndjson");
    expect(text.length).toBeGreaterThan(34 * MIB);
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ kind: "end" });
    const kinds = new Set(parsed(lines).map(({ kind }) => kind));
    for (const kind of [
      "manifest",
      "organization",
      "member",
      "agent",
      "key",
      "oath",
      "channel",
      "session",
      "evidence",
      "skill_write",
      "signing_key",
      "checkpoint",
      "leaf",
      "chain",
      "mark",
    ])
      expect(kinds, kind).toContain(kind);
    expect(parsed(lines).find(({ kind }) => kind === "channel")).toMatchObject({ channel_kind: "email" });
    const chains = chainsIn(lines);
    expect([...chains.keys()]).toEqual(["organization", `session:${LARGE}`, "session:small"]);
    for (const [chain, own] of chains) {
      expect(verifyChain(own.join("\n")), chain).toMatchObject({ ok: true, entries: own.length });
      for (const line of own) {
        const { body, private: kept, salt } = JSON.parse(line);
        const { private: commitment } = JSON.parse(body);
        if (commitment === undefined) continue;
        const bytes = Uint8Array.from(salt.match(/../g), (byte: string) => Number.parseInt(byte, 16));
        expect(privateCommitment(bytes, kept)).toBe(commitment);
      }
    }
    expect(chains.get(`session:${LARGE}`)).toHaveLength(CALLS + 1);
    expect((await ledgerOf(tenant)).at(-1)).toMatchObject({
      entry: { kind: "exported" },
      body: { by: tenant.owner },
    });
  });

  it("goes on after any mark, with just what is left", async ({ expect }) => {
    const { lines } = await exported();
    const marks = lines.flatMap((line, at) => {
      const { kind, after } = JSON.parse(line);
      return kind === "mark" ? [{ after, at }] : [];
    });
    expect(marks.length).toBeGreaterThan(20);
    for (const { after, at } of marks.filter((_, n) => n % 4 === 0)) {
      const rest = await exported({ after });
      expect(parsed(rest.lines.slice(0, 1))).toMatchObject([{ kind: "manifest", goes_on_after: after }]);
      // The organization's chain has grown by this export, and a chain that is gone on with is named again.
      const of = (some: readonly string[]) =>
        some.filter((line) => {
          const { kind, entry } = JSON.parse(line);
          return kind !== "manifest" && kind !== "chain" && !String(entry).includes('"kind":"exported"');
        });
      expect(of(rest.lines)).toEqual(of(lines.slice(at + 1)));
    }
  }, 120_000);

  it("holds no secret, and nothing private where that is not wanted", async ({ expect }) => {
    const whole = (await exported()).text;
    for (const secret of [tenant.key, "secret-address", "secret_hash"])
      expect(whole.includes(secret), secret).toBe(false);
    const { results } = await env.DB.prepare(
      `SELECT secret_hash AS secret FROM api_keys WHERE organization_id = ?1
       UNION SELECT secret_hash FROM member_sessions WHERE organization_id = ?1
       UNION SELECT sealed FROM signing_keys WHERE organization_id = ?1
       UNION SELECT target FROM channels WHERE organization_id = ?1`,
    )
      .bind(tenant.organization)
      .all<{ secret: string }>();
    expect(results.length).toBeGreaterThan(3);
    for (const { secret } of results) expect(whole.includes(secret)).toBe(false);
    expect(whole).toContain("Friday");
    const plain = await exported({ private: false });
    expect(plain.text).not.toContain("Friday");
    expect(plain.text.length).toBeLessThan(MIB);
    for (const [chain, own] of chainsIn(plain.lines))
      expect(verifyChain(own.join("\n")), chain).toMatchObject({ ok: true });
  });

  it("is another organization's never, and an admin's alone", async ({ expect }) => {
    const other = await newTenant("Other");
    await deliver(other);
    const { text } = await exported({}, other.cookie);
    expect(text).not.toContain(tenant.organization);
    expect(text).toContain(other.organization);
    const viewer = await newMember(tenant, "viewer");
    expect((await exported({}, viewer.cookie)).json).toMatchObject({ code: "forbidden" });
  });

  it("refuses what is no mark, and says where", async ({ expect }) => {
    const made = (value: unknown) => btoa(JSON.stringify(value));
    for (const after of [
      "%%%",
      "AA",
      made({ table: "api_keys", after: [1, 2] }),
      made({ table: "member_sessions", after: null }),
      made({ chain: "elsewhere", seq: 1 }),
      made({ chain: "organization", seq: -1 }),
      made([]),
    ]) {
      const refused = await exported({ after });
      expect(refused.json, after).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/after" }] });
    }
  });

  it("breaks off without an end where the database goes away, and never says that it is whole", async ({
    expect,
  }) => {
    const prepare = env.DB.prepare.bind(env.DB);
    vi.spyOn(env.DB, "prepare").mockImplementation((sql) => {
      if (sql.includes("FROM evidence ")) throw new Error("D1_ERROR: away");
      return prepare(sql);
    });
    const broken = await exported().catch((error: unknown) => ({ text: "", failed: error }));
    vi.restoreAllMocks();
    expect(broken.text).not.toContain('{"kind":"end"}');
  });
});
