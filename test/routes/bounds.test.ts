import { describe, it } from "vitest";
import { ask, ledgerOf, newSession, newTenant, shell, swear } from "../support/api.ts";

describe("too much at once", () => {
  it("is told up to a bound, and the rest of it still blocks", async ({ expect }) => {
    const tenant = await newTenant();
    const lines = Array.from({ length: 900 }, (_, i) => `never delete: /srv/${i}/**`);
    await swear(tenant, lines.join("\n"));
    const session = await newSession(tenant);
    const answer = await shell(tenant, session, "rm -rf /srv");
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    expect(answer.json.verdict).toBe("block");
    expect(answer.json.reasons.length).toBeLessThan(60);
    expect(answer.text.length).toBeLessThan(200_000);
    expect((await ledgerOf(tenant, session)).at(-1)?.hash).toBe(answer.json.ledger.hash);
  });

  it("is refused where one call acts on more files than anyone could read", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    const patch = ["*** Begin Patch"];
    for (let i = 0; i < 5_000; i += 1) patch.push(`*** Add File: generated/${i}.txt`, "+x");
    patch.push("*** End Patch");
    const answer = await ask(tenant, session, {
      tool: "patch",
      args: { mode: "patch", patch: patch.join("\n") },
    });
    expect(answer.json, answer.text.slice(0, 300)).toMatchObject({ verdict: "block" });
    expect(answer.json.ledger).not.toBeNull();
  });

  it("is recorded by its hash when it is large, and judged whole", async ({ expect }) => {
    const tenant = await newTenant();
    await swear(tenant, "never modify: /etc/**\n");
    const session = await newSession(tenant);
    const content = "x".repeat(3 * 1024 * 1024);
    const allowed = await ask(tenant, session, {
      tool: "write_file",
      args: { path: "/home/u/a.txt", content },
    });
    expect(allowed.json.verdict).toBe("allow");
    const blocked = await ask(tenant, session, {
      tool: "write_file",
      args: { content, path: "/etc/passwd" },
    });
    expect(blocked.json.verdict).toBe("block");
    expect((await ledgerOf(tenant, session)).length).toBe(3);
  });

  it("is a path that cannot be read: blocked, with the place and the cause", async ({ expect }) => {
    const tenant = await newTenant();
    const session = await newSession(tenant);
    for (const path of ["/a\u0000b", "/a\u202eb", `/${"x".repeat(4096)}`, "/a\u200bb", ""]) {
      const answer = await ask(tenant, session, { tool: "write_file", args: { path, content: "x" } });
      expect(answer.json, JSON.stringify(path).slice(0, 20)).toMatchObject({
        verdict: "block",
        reasons: [{ rule_key: "guard:unreadable-arguments" }],
      });
      expect(answer.json.reasons[0].message).toContain("/path");
      expect((await ledgerOf(tenant, session)).at(-1)?.body.verdict).toBe("block");
    }
  });
});
