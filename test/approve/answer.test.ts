/** The page behind a link: it shows, and only a form that is sent from it decides. */
import { env } from "cloudflare:workers";
import { describe, it, vi } from "vitest";
import { textAreaOf, wordsOf } from "../dashboard/support.ts";
import { ledgerOf, must, newMember, newTenant, ORIGIN, openSession, send, swear } from "../support/api.ts";
import {
  ASKING,
  again,
  approveWith,
  asked,
  COMMAND,
  FENCED,
  linkOf,
  press,
  recordOf,
  refusalsOf,
  statusOf,
} from "./support.ts";

describe("the page", () => {
  it("shows the exact action, and an approval on it lets it run once", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const page = await send(path);
    expect(page.status).toBe(200);
    const words = wordsOf(page.text);
    for (const part of [
      COMMAND,
      "/home/u/work",
      "terminal",
      "Acme",
      one.session,
      "Olivia",
      "fence:",
      "changes something elsewhere",
      "Time left",
      (one.digest.slice(0, 12).match(/.{4}/g) ?? []).join(" "),
    ])
      expect(words).toContain(part);
    expect(page.text).toContain(`name="action_digest" value="${one.digest}"`);
    expect(page.text, "scripts of ours alone").not.toMatch(
      /<script(?! src="\/assets\/left\.js\?v=\w+" defer="")/,
    );
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "x-frame-options": "DENY",
    });
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

    const pressed = await approveWith(path, one);
    expect(pressed.status, pressed.text).toBe(303);
    expect(pressed.headers.get("location")).toBe(path);
    const outcome = wordsOf((await send(path)).text);
    expect(outcome).toContain("You approved it");
    expect(outcome).toContain("The agent has not fetched it yet.");
    expect((await send(path)).text).not.toContain("<form");
    const decided = (await ledgerOf(one.tenant, one.session)).find(
      (l) => l.entry.kind === "approval_decided",
    );
    expect(decided?.body).toMatchObject({
      approval: one.approval,
      outcome: "approved",
      by: one.tenant.owner,
      via: "link",
      signed_in: false,
    });
    expect((await again(one)).json.verdict).toBe("allow");
    expect(wordsOf((await send(path)).text)).toContain("The agent was let run it.");
  });

  it("is changed by no GET, HEAD, OPTIONS, other method or crawler", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const before = await ledgerOf(one.tenant, one.session);
    for (const query of [
      "",
      "?decision=approve",
      `?decision=deny&action_digest=${one.digest}`,
      "?late",
      "#deny",
    ])
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
        if (method === "TRACE") continue;
        const answer = await send(path + query, {
          method,
          headers: {
            "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            purpose: "prefetch",
            "sec-purpose": "prefetch;prerender",
          },
        });
        expect([200, 405], `${method} ${query}`).toContain(answer.status);
      }
    // A crawler follows whatever is linked, and sends whatever form goes by GET.
    const seen = new Set<string>();
    const left = [path];
    for (let next = left.pop(); next !== undefined && seen.size < 60; next = left.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const { text } = await send(next);
      for (const [, href = ""] of text.matchAll(/<a [^>]*href="([^"#]+)/g)) {
        const url = new URL(href.replaceAll("&amp;", "&"), ORIGIN + next);
        if (url.origin === ORIGIN) left.push(url.pathname + url.search);
      }
      for (const [form = ""] of text.matchAll(/<form[\s\S]*?<\/form>/g))
        if (!/method="post"/i.test(form)) {
          const action = /action="([^"]*)"/.exec(form)?.[1] ?? next;
          left.push(`${action}?decision=approve`);
        }
    }
    expect(seen.size).toBeGreaterThan(2);
    expect(await statusOf(one)).toBe("pending");
    expect(await ledgerOf(one.tenant, one.session)).toEqual(before);
  });

  it("tells whoever comes late what was decided, and by whom", async ({ expect }) => {
    const one = await asked();
    const other = await newMember(one.tenant, "approver");
    const [first, second] = [await linkOf(one), await linkOf(one, { member: other.member })];
    const denied = await press(first, {
      decision: "deny",
      action_digest: one.digest,
      reason: "wrong-target",
      reason_text: "Not main.\r\nUse a branch.",
    });
    expect(denied.status, denied.text).toBe(303);
    const late = await approveWith(second, one);
    expect(late.headers.get("location")).toBe(`${second}?late`);
    const words = wordsOf((await send(`${second}?late`)).text);
    for (const part of ["came too late", "Olivia denied it", "the target is wrong", "Use a branch."])
      expect(words).toContain(part);
    // A reload of the first one's page and a replay of their form: nothing more, and a row.
    expect((await approveWith(first, one)).headers.get("location")).toBe(`${first}?late`);
    expect(await statusOf(one)).toBe("denied");
    expect(await refusalsOf(one)).toEqual([
      { code: "late-tap", member: other.member, status: 200 },
      { code: "late-tap", member: one.tenant.owner, status: 200 },
    ]);
    const blocked = (await again(one)).json;
    expect(blocked.verdict).toBe("block");
    expect(blocked.reasons[0].message).toContain("the target is wrong");
    expect(blocked.reasons[0].message).toContain("Use a branch.");
  });

  it("has one winner of many taps at once, on two links", async ({ expect }) => {
    const one = await asked();
    const other = await newMember(one.tenant, "admin");
    const paths = [await linkOf(one), await linkOf(one, { member: other.member })];
    const taps = Array.from({ length: 100 }, (_, i) =>
      press(paths[i % 2] ?? "", {
        decision: i % 3 === 0 ? "deny" : "approve",
        action_digest: one.digest,
      }),
    );
    const answers = await Promise.all(taps);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
    expect(answers.filter(({ headers }) => headers.get("location")?.endsWith("?late"))).toHaveLength(99);
    const kinds = (await ledgerOf(one.tenant, one.session)).map(({ entry }) => entry.kind);
    expect(kinds.filter((kind) => kind === "approval_decided")).toHaveLength(1);
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual(Array(99).fill("late-tap"));
  });

  it("gives five more minutes, once", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const before = (await recordOf(one))?.expires_at ?? 0;
    expect((await send(path)).text).toContain('value="extend"');
    for (let i = 0; i < 2; i += 1)
      expect((await press(path, { decision: "extend", action_digest: one.digest })).status).toBe(303);
    const record = await recordOf(one);
    expect(record).toMatchObject({ status: "pending", extended: true, expires_at: before + 300_000 });
    const page = await send(path);
    expect(page.text).not.toContain('value="extend"');
    expect(wordsOf(page.text)).toContain("five more minutes already");
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual(["extended-before"]);
  });

  it("takes the number of people that is demanded, each once", async ({ expect }) => {
    const risks = ["EXTERNAL_WRITE", "EXECUTE", "NETWORK"];
    const one = await asked(undefined, { ...FENCED, approvals: { demands: [{ risks, people: 2 }] } });
    const other = await newMember(one.tenant, "approver");
    const [first, second] = [await linkOf(one), await linkOf(one, { member: other.member })];
    expect(wordsOf((await send(first)).text)).toContain(
      "2 people have to approve it, each by themselves; nobody has yet",
    );
    expect((await approveWith(first, one)).status).toBe(303);
    const own = await send(first);
    expect(wordsOf(own.text)).toContain(
      "1 has so far. The first who denies decides alone. Approved by Olivia.",
    );
    expect(wordsOf(own.text)).toContain("You have approved.");
    expect(own.text).not.toContain('value="approve"');
    expect((await approveWith(first, one)).status).toBe(303);
    expect(await statusOf(one)).toBe("pending");
    expect(wordsOf((await send(second)).text)).toContain(
      "1 has so far. The first who denies decides alone. Approved by Olivia.",
    );
    expect((await approveWith(second, one)).status).toBe(303);
    expect(await statusOf(one)).toBe("approved");
    expect(wordsOf((await send(first)).text)).toContain("approver and you approved it");
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual(["repeated-tap"]);
  });

  it("wants its member signed in where that is demanded, from our own page", async ({ expect }) => {
    const risks = ["EXTERNAL_WRITE", "EXECUTE", "NETWORK"];
    const one = await asked(undefined, { ...FENCED, approvals: { demands: [{ risks, signed_in: true }] } });
    const path = await linkOf(one);
    const page = await send(path);
    expect(wordsOf(page.text)).toContain("you have to be signed in");
    expect(page.text).toContain('href="/sign-in"');
    expect(page.text).not.toContain('value="approve"');
    const refused = await approveWith(path, one);
    expect(refused.status).toBe(403);
    expect(wordsOf(refused.text)).toContain("Nothing was decided.");
    const { cookie } = one.tenant;
    const foreign = await approveWith(path, one, {
      cookie,
      headers: { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" },
    });
    expect(foreign.status).toBe(403);
    expect(await statusOf(one)).toBe("pending");
    expect((await send(path, { cookie })).text).toContain('value="approve"');
    expect((await approveWith(path, one, { cookie })).status).toBe(303);
    expect(await statusOf(one)).toBe("approved");
    expect(await refusalsOf(one)).toEqual([
      { code: "sign-in-demanded", member: one.tenant.owner, status: 403 },
      { code: "cross-site", member: one.tenant.owner, status: 403 },
    ]);
  });

  it("can be denied by the link alone, whatever approving demands", async ({ expect }) => {
    const risks = ["EXTERNAL_WRITE", "EXECUTE", "NETWORK"];
    const one = await asked(undefined, {
      ...FENCED,
      approvals: { demands: [{ risks, passkey: true, people: 3 }] },
    });
    const path = await linkOf(one);
    expect((await approveWith(path, one, { cookie: one.tenant.cookie })).status).toBe(403);
    const bad = { decision: "approve", action_digest: one.digest, passkey: '{"id":"x"}' };
    expect((await press(path, bad, { cookie: one.tenant.cookie })).status).toBe(403);
    expect((await press(path, { decision: "deny", action_digest: one.digest })).status).toBe(303);
    expect(await statusOf(one)).toBe("denied");
    expect((await refusalsOf(one)).map(({ code }) => code)).toEqual([
      "passkey-demanded",
      "passkey-malformed",
    ]);
  });

  it("quotes the oath's line and the user's words that an ask stands on", async ({ expect }) => {
    const tenant = await newTenant("Acme", ASKING);
    await swear(tenant, "# ours\nnever delete: ~/notes/**");
    const session = "a session with words";
    await openSession(tenant, session);
    await must(`/v1/sessions/${encodeURIComponent(session)}/turns`, {
      key: tenant.key,
      json: { text: "Ask me before you email anybody. Tidy up the notes." },
    });
    const mail = { tool: "send_email", args: { to: "eve@example.com", subject: "Hi", body: "Hello" } };
    const mailing = await asked(mail, undefined, { tenant, session });
    const words = wordsOf((await send(await linkOf(mailing))).text);
    expect(words).toContain("eve@example.com");
    expect(words).toContain("The user's words that it was held against");
    expect(words).toContain("Ask me before you email anybody");
    const remove = { tool: "terminal", args: { command: "rm -rf ~/notes" } };
    const removing = await asked(remove, undefined, { tenant, session });
    const page = wordsOf((await send(await linkOf(removing))).text);
    expect(page).toContain("The oath, version 1, line 2:");
    expect(page).toContain("never delete: ~/notes/**");
    expect(page).toContain("deletes /home/u/notes");
  });
});

describe("time", () => {
  it("runs out for an approval whose link still opens: nothing is left to press", async ({ expect }) => {
    // Before the object is made: it keeps the clock that it finds.
    const clock = vi.spyOn(Date, "now");
    try {
      const one = await asked();
      const path = await linkOf(one, { expires_at: Date.now() + 3_600_000 });
      const now = Date.now();
      clock.mockImplementation(() => now + 601_000);
      const page = await send(path);
      expect(wordsOf(page.text)).toContain("Nobody answered in time");
      expect(page.text).not.toContain("<form");
      const late = await approveWith(path, one);
      expect(late.headers.get("location")).toBe(`${path}?late`);
      expect(wordsOf((await send(`${path}?late`)).text)).toContain("came too late");
      expect((await press(path, { decision: "extend", action_digest: one.digest })).status).toBe(303);
      expect(await statusOf(one)).toBe("expired");
      const rows = (await ledgerOf(one.tenant, one.session)).slice(-3);
      expect(rows.map(({ entry, body }) => [entry.kind, body.outcome ?? body.code])).toEqual([
        ["approval_decided", "expired"],
        ["refusal", "late-tap"],
        ["refusal", "late-tap"],
      ]);
      expect((await again(one)).json.verdict).toBe("block");
    } finally {
      clock.mockRestore();
    }
  });
});

describe("a part that is away", () => {
  it("is told as such, and nothing is decided", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const failing = vi.spyOn(env.DB, "prepare").mockImplementation(() => {
      throw new Error("D1_ERROR: Network connection lost.");
    });
    try {
      for (const answer of [await send(path), await approveWith(path, one)]) {
        expect(answer.status).toBe(503);
        expect(answer.text).not.toContain("Network");
      }
    } finally {
      failing.mockRestore();
    }
    expect(await statusOf(one)).toBe("pending");
    expect((await approveWith(path, one)).status).toBe(303);
  });
});

describe("a form that does not fit", () => {
  it("decides nothing, leaves its row, and comes back with what was typed", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const { digest } = one;
    const long = `${"x".repeat(500)}y`;
    const cases: [string, Record<string, string | string[]>, number, string][] = [
      ["no button", { action_digest: digest }, 422, "invalid-request"],
      ["another button", { decision: "APPROVE", action_digest: digest }, 422, "invalid-request"],
      ["two buttons", { decision: ["deny", "approve"], action_digest: digest }, 422, "invalid-request"],
      ["no digest", { decision: "approve" }, 409, "digest-mismatch"],
      ["another digest", { decision: "approve", action_digest: "0".repeat(64) }, 409, "digest-mismatch"],
      ["two digests", { decision: "approve", action_digest: [digest, digest] }, 422, "invalid-request"],
      [
        "a long reason",
        { decision: "deny", action_digest: digest, reason_text: long },
        422,
        "invalid-request",
      ],
      [
        "another reason",
        { decision: "deny", action_digest: digest, reason: "edited" },
        422,
        "invalid-request",
      ],
      ["no JSON", { decision: "approve", action_digest: digest, args: "{" }, 422, "invalid-request"],
    ];
    for (const [what, fields, status, code] of cases) {
      const before = (await refusalsOf(one)).length;
      const answer = await press(path, fields);
      expect(answer.status, what).toBe(status);
      expect(wordsOf(answer.text), what).toContain("Nothing was decided.");
      const rows = await refusalsOf(one);
      expect(rows.length, what).toBe(before + 1);
      expect(rows.at(-1), what).toMatchObject({ code, status, member: one.tenant.owner });
      if (what === "a long reason") expect(textAreaOf(answer.text)).toBe(long);
    }
    expect(await statusOf(one)).toBe("pending");
  });

  it("is read within a bound, and whoever it says that it is from is nobody", async ({ expect }) => {
    const one = await asked();
    const path = await linkOf(one);
    const huge = await press(path, {
      decision: "deny",
      action_digest: one.digest,
      reason_text: "x".repeat(1_100_000),
    });
    expect(huge.status).toBe(413);
    const claimed = await press(path, {
      decision: "approve",
      action_digest: one.digest,
      member: "mem_somebody",
      by: "mem_somebody",
      signed_in: "true",
      approved_by: "model",
    });
    expect(claimed.status).toBe(303);
    const decided = (await ledgerOf(one.tenant, one.session)).find(
      (l) => l.entry.kind === "approval_decided",
    );
    expect(decided?.body).toMatchObject({ by: one.tenant.owner, signed_in: false });
  });
});
