import { describe, it } from "vitest";
import { ask, HOME, ledgerOf, newSession, newTenant, report, send, shell, swear } from "../support/api.ts";

const OATH = `# test oath
standing mission: keep the work moving
never delete: ~/.hermes/memories/**
always require backup before modify: ~/.hermes/skills/**
`;

describe("a decision", () => {
  it("is allow without an oath, and on the record", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const answer = await shell(tenant, session, "rm ~/.hermes/memories/a.md");
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      verdict: "allow",
      reasons: [],
      enforcement: "enforced",
      stale_policy: false,
    });
    const entries = await ledgerOf(tenant, session);
    expect(entries.map((line) => line.entry.kind)).toEqual(["session_opened", "decision"]);
    expect(entries[1]).toMatchObject({
      hash: answer.json.ledger.hash,
      entry: { seq: answer.json.ledger.seq },
      body: { verdict: "allow", id: answer.json.id },
    });
    // Without a salt a digest would let whoever holds the export try arguments until one fits.
    expect(answer.json.action_digest).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(entries)).not.toContain(answer.json.action_digest);
  });

  it("is block where the oath says never, and cites its line", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    const answer = await shell(tenant, session, "rm ~/.hermes/memories/a.md");
    expect(answer.json).toMatchObject({
      verdict: "block",
      reasons: [
        {
          rule_key: "oath:never",
          cite: { oath: "organization", version: 1, line: 3, text: "never delete: ~/.hermes/memories/**" },
        },
      ],
    });
    expect((await ledgerOf(tenant, session)).at(-1)?.body).toMatchObject({
      verdict: "block",
      rule_keys: ["oath:never"],
    });
  });

  it("is the same to the byte for the same call, and refused for another under its id", async ({
    expect,
  }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const first = await shell(tenant, session, "ls", { call_id: "c" });
    const again = await shell(tenant, session, "ls", { call_id: "c" });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await shell(tenant, session, "ls -l", { call_id: "c" });
    expect(other.status).toBe(409);
    expect(other.json).toMatchObject({ code: "call-id-reused" });
    const entries = await ledgerOf(tenant, session);
    expect(entries.map((line) => line.entry.kind)).toEqual(["session_opened", "decision", "refusal"]);
    expect(entries[2]?.body).toMatchObject({ code: "call-id-reused", call_id: "c" });
  });

  it("waits for a backup that was reported as made, and takes no other", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, OATH);
    const session = await newSession(tenant);
    const skill = `${HOME}/.hermes/skills/deploy.md`;
    const edit = () => ask(tenant, session, { tool: "write_file", args: { path: skill, content: "x" } });
    expect((await edit()).json).toMatchObject({
      verdict: "block",
      reasons: [{ rule_key: "oath:require-backup" }],
    });
    const failed = await shell(tenant, session, `cp ${skill} /tmp/failed.md`);
    await report(tenant, session, { call_id: failed.json.call_id, outcome: "success", exit_code: 1 });
    expect((await edit()).json.verdict).toBe("block");
    const copied = await shell(tenant, session, `cp ${skill} /tmp/copy.md`);
    expect((await edit()).json.verdict).toBe("block");
    const made = await report(tenant, session, { call_id: copied.json.call_id });
    expect(made.json.evidence).toHaveLength(1);
    expect((await edit()).json.verdict).toBe("allow");
    const another = await newSession(tenant);
    expect(
      (await ask(tenant, another, { tool: "write_file", args: { path: skill, content: "x" } })).json.verdict,
    ).toBe("block");
    const kinds = (await ledgerOf(tenant, session)).map((line) => line.entry.kind);
    expect(kinds.filter((kind) => kind === "evidence")).toHaveLength(1);
    // A backup that is deleted is none.
    expect((await shell(tenant, session, "rm /tmp/copy.md")).json.verdict).toBe("allow");
    expect((await edit()).json.verdict).toBe("block");
  });

  it("blocks what cannot be read without doubt, each under a digest of its own", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const bodies = [
      '{"call_id":"1","tool":"terminal","args":{"command":"ls","command":"rm x"}}',
      '{"call_id":"2","tool":"terminal","args":{"command":"ls","n":9007199254740993}}',
      '{"call_id":"3","tool":"terminal","args":{"command":"\\ud800"}}',
      '{"call_id":"4","tool":"terminal","args":["ls"]}',
      '{"call_id":"5","tool":"terminal","args":"ls"}',
      '{"call_id":"7","tool":"terminal","args":{"command":"ls"},"cwd":"/a\\u0000b"}',
    ];
    const digests = new Set<string>();
    for (const body of bodies) {
      const answer = await send(`/v1/sessions/${encodeURIComponent(session)}/decisions`, {
        key: tenant.key,
        headers: { "content-type": "application/json" },
        body,
      });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json, body).toMatchObject({
        verdict: "block",
        reasons: [{ rule_key: "guard:unreadable-arguments" }],
      });
      digests.add(answer.json.action_digest);
    }
    expect(digests.size).toBe(bodies.length);
    const lines = await ledgerOf(tenant, session);
    expect(lines.filter((line) => line.entry.kind === "decision")).toHaveLength(bodies.length);
    for (const digest of digests) expect(JSON.stringify(lines)).not.toContain(digest);
  });

  it("needs another backup once any part of the copy may be gone", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "always require backup before modify: ~/notes/**\n");
    const spoilers = [
      "rm -rf /tmp/b/*",
      "cd /tmp/b && rm -rf *",
      "truncate -s0 /tmp/b/a",
      "mv /tmp/b /tmp/c",
      "python3 -c 'import shutil; shutil.rmtree(\"/tmp/b\")'",
    ];
    for (const spoiler of spoilers) {
      const session = await newSession(tenant);
      const edit = () => shell(tenant, session, "echo x > ~/notes/a");
      const copied = await shell(tenant, session, "cp -r ~/notes /tmp/b");
      await report(tenant, session, { call_id: copied.json.call_id });
      expect((await edit()).json.verdict, spoiler).toBe("allow");
      expect((await shell(tenant, session, spoiler)).json.verdict, spoiler).toBe("allow");
      expect((await edit()).json.verdict, spoiler).toBe("block");
      expect((await ledgerOf(tenant, session)).at(-1)?.body.rule_keys).toEqual(["oath:require-backup"]);
    }
  });
});
