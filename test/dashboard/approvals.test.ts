/** The approvals' pages, without a script. */
import { env } from "cloudflare:workers";
import { afterEach, describe, it, vi } from "vitest";
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
import { deliver, FROM_ELSEWHERE, fieldOf, open, post, textAreaOf, wordsOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const ASKING = { engines: { fence: "enforce" } };

interface Asked {
  readonly id: string;
  readonly digest: string;
  readonly session: string;
  readonly page: string;
}

async function ask(tenant: Tenant, command = "git push origin main", session?: string): Promise<Asked> {
  const where = session ?? (await newSession(tenant));
  const answer = await shell(tenant, where, command);
  if (answer.json.verdict !== "ask") throw new Error(answer.text);
  const { id } = answer.json.approval;
  return { id, digest: answer.json.action_digest, session: where, page: `/approvals/${id}` };
}

const newAsking = (approvals?: object) =>
  newTenant("Approvals", approvals === undefined ? ASKING : { ...ASKING, approvals });
const rowsOf = async (tenant: Tenant, session?: string) =>
  (await ledgerOf(tenant, session)).map(({ entry, body }) => ({ kind: entry.kind, ...body }));
const statusOf = async (tenant: Tenant, { id }: Asked): Promise<string> =>
  (await must(`/v1/approvals/${id}`, { cookie: tenant.cookie })).json.approval.status;

describe("the list of approvals", () => {
  it("has what waits first, then what was answered, and counts what waits in the navigation", async ({
    expect,
  }) => {
    const tenant = await newAsking();
    const empty = await open("/approvals", tenant.cookie);
    expect(wordsOf(empty.text)).toContain("Nobody is asked anything now.");
    expect(empty.text).not.toContain('class="count"');
    const session = await newSession(tenant);
    const [a, b] = [
      await ask(tenant, "git push origin a", session),
      await ask(tenant, "git push origin b", session),
    ];
    await post(a.page, tenant.cookie, { decision: "approve", action_digest: a.digest });
    const page = await open("/approvals", tenant.cookie);
    expect(page.status).toBe(200);
    expect(page.text).toContain('href="/approvals" aria-current="page">');
    expect(page.text.indexOf(b.id), "what waits comes first").toBeLessThan(page.text.indexOf(a.id));
    const said = wordsOf(page.text);
    expect(said, "not yet in the search copy, and answered all the same").toContain("Answered\n");
    expect(said).toMatch(/Waiting for an answer[\s\S]*9 minutes[\s\S]*Answered[\s\S]*Approved[\s\S]*Olivia/);
    expect(page.text, "what waits is told apart by what it is about").toContain("git push origin b");
    expect(page.text, "what was answered is kept by its decision").not.toContain("git push origin a");
    await deliver(tenant, session);
    const counted = await open("/oath", tenant.cookie);
    expect(counted.text).toMatch(/Approvals<span class="count">1<span class="unheard"> waiting/);
    const pending = await open("/approvals?status=pending", tenant.cookie);
    expect(pending.text).toContain(b.id);
    expect(pending.text).not.toContain(a.id);
    const approved = await open("/approvals?status=approved", tenant.cookie);
    expect(approved.text).toContain(a.id);
    expect(approved.text).not.toContain(b.id);
    for (const odd of [
      "?status=open",
      "?agent=agt_x",
      `?session=${"x".repeat(1_000)}`,
      "?status=pending&cursor=",
    ])
      expect((await open(`/approvals${odd}`, tenant.cookie)).status, odd).toBeLessThan(500);
    expect((await open("/approvals?cursor=x", tenant.cookie)).status).toBe(422);
    expect((await open("/approvals")).headers.get("location")).toBe("/sign-in");
  });

  it("denies what is ticked, says what became of each, and offers to approve none", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const session = await newSession(tenant);
    const asked: Asked[] = [];
    for (const name of ["a", "b", "c"]) asked.push(await ask(tenant, `git push origin ${name}`, session));
    const [a, b, c] = asked as [Asked, Asked, Asked];
    const list = await open("/approvals", cookie);
    expect(list.text).toContain(`type="checkbox" name="approval" value="${a.id}"`);
    expect(list.text).not.toMatch(/value="approve"/);
    await post(a.page, tenant.cookie, { decision: "approve", action_digest: a.digest });
    const page = await post("/approvals/denials", cookie, {
      approval: [a.id, b.id, "apr_nothing"],
      reason: "suspicious",
      reason_text: "Who asked?",
    });
    const said = wordsOf(page.text);
    expect(said).toMatch(
      /1 was denied\n1 had been decided before\.\n[\s\S]*apr_nothing[\s\S]*There is no such approval/,
    );
    expect(await statusOf(tenant, a)).toBe("approved");
    expect(await statusOf(tenant, c)).toBe("pending");
    const denied = (await must(`/v1/approvals/${b.id}`, { cookie })).json.approval;
    expect(denied).toMatchObject({
      status: "denied",
      decided_by: { member },
      reason: { preset: "suspicious", text: "Who asked?" },
    });
    const none = await post("/approvals/denials", cookie, {});
    expect(none.status).toBe(422);
    expect(wordsOf(none.text)).toContain("Nothing was denied\nTick the ones that you want to deny.");
    for (const odd of [
      { approval: c.id, reason: "because" },
      { approval: c.id, reason_text: "x".repeat(501) },
      { approval: c.id, reason: ["other", "too-much"] },
    ]) {
      expect((await post("/approvals/denials", cookie, odd)).status).toBe(422);
      expect((await rowsOf(tenant)).at(-1)).toMatchObject({ code: "invalid-request", member });
    }
    expect(await statusOf(tenant, c)).toBe("pending");
  });
});

describe("an approval's page", () => {
  it("shows the exact action, takes an approval, and then only says who gave it", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "approver");
    const asked = await ask(tenant, "git push origin main # <b>bold</b>");
    const page = await open(asked.page, cookie);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain("git push origin main # &lt;b&gt;bold&lt;/b&gt;");
    expect(fieldOf(page.text, "action_digest")).toBe(asked.digest);
    expect(wordsOf(page.text)).toMatch(/minutes left, until/);
    for (const method of ["HEAD", "OPTIONS"]) {
      await send(asked.page, { method, cookie });
      expect(await statusOf(tenant, asked)).toBe("pending");
    }
    const sent = await post(asked.page, cookie, { decision: "approve", action_digest: asked.digest });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toBe(`${asked.page}?tap=decided#result`);
    expect((await rowsOf(tenant, asked.session)).at(-1)).toMatchObject({
      kind: "approval_decided",
      outcome: "approved",
      by: member,
      via: "session",
      approval: asked.id,
    });
    const after = await open(`${asked.page}?tap=decided`, cookie);
    expect(wordsOf(after.text)).toContain("You approved it. The agent may run this very action, once.");
    expect(after.text).not.toMatch(/<button[^>]*name="decision"/);
    // What it was about is on the decision's own page, which an approver may read.
    const [, asked_in_full = ""] = /<a href="([^"]+)">What was asked, in full/.exec(after.text) ?? [];
    await deliver(tenant, asked.session);
    const decision = await open(asked_in_full, cookie);
    expect(decision.status).toBe(200);
    expect(decision.text).toContain("git push origin main # &lt;b&gt;bold&lt;/b&gt;");
    const elsewhere = await newTenant("Elsewhere");
    expect((await open(asked_in_full, elsewhere.cookie)).status).toBe(404);
    expect((await open(`/decision?id=${"x".repeat(9_000)}`, cookie)).status).toBe(404);
    const other = await open(`${asked.page}?tap=decided`, tenant.cookie);
    expect(other.text, "nobody is told that they did what another did").not.toContain("You approved it");
    expect(wordsOf(other.text).replaceAll("\n", " ")).toMatch(/Approved\s+by approver, signed in here/);
    const late = await post(asked.page, tenant.cookie, { decision: "deny", action_digest: asked.digest });
    expect(late.headers.get("location")).toBe(`${asked.page}?tap=late#result`);
    expect(wordsOf((await open(`${asked.page}?tap=late`, tenant.cookie)).text)).toContain(
      "It was answered before you pressed the button",
    );
    expect((await rowsOf(tenant, asked.session)).at(-1)).toMatchObject({ kind: "refusal", code: "late-tap" });
  });

  it("denies with a reason, gives more time once, and loses nothing that was typed", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const extended = await post(asked.page, tenant.cookie, { decision: "extend" });
    expect(extended.headers.get("location")).toBe(`${asked.page}?tap=extended#result`);
    const page = await open(`${asked.page}?tap=extended`, tenant.cookie);
    expect(wordsOf(page.text)).toContain("It has five more minutes.");
    expect(page.text).not.toContain('value="extend"');
    const again = await post(asked.page, tenant.cookie, { decision: "extend" });
    expect(again.headers.get("location")).toContain("tap=not-extended");
    const long = await post(asked.page, tenant.cookie, {
      decision: "deny",
      action_digest: asked.digest,
      reason: "too-much",
      reason_text: "y".repeat(501),
    });
    expect(long.status).toBe(422);
    expect(wordsOf(long.text)).toContain("Nothing was decided\nWrite at most 500 characters.");
    expect(long.text).toContain('value="too-much" checked=""');
    expect(fieldOf(long.text, "reason_text")).toHaveLength(501);
    for (const fields of [
      { decision: "approve", action_digest: "0".repeat(64) },
      { decision: "approve" },
      { decision: ["approve", "deny"], action_digest: asked.digest },
      { decision: "maybe", action_digest: asked.digest },
      { decision: "approve", action_digest: asked.digest, passkey: "{" },
      {},
    ]) {
      const refused = await post(asked.page, tenant.cookie, fields);
      expect([409, 422], JSON.stringify(fields)).toContain(refused.status);
      expect(wordsOf(refused.text)).toContain("Nothing was decided");
      const rows = [...(await rowsOf(tenant, asked.session)), ...(await rowsOf(tenant))];
      expect(
        rows.some(({ kind, code }) => kind === "refusal" && /digest-mismatch|invalid-request/.test(code)),
      ).toBe(true);
    }
    expect(await statusOf(tenant, asked)).toBe("pending");
    await post(asked.page, tenant.cookie, {
      decision: "deny",
      action_digest: asked.digest,
      reason: "wrong-target",
      reason_text: "<i>main</i> is protected",
    });
    const denied = await open(asked.page, tenant.cookie);
    expect(denied.text).toContain("&lt;i&gt;main&lt;/i&gt; is protected");
    expect(wordsOf(denied.text)).toContain("The reason given: the target is wrong.");
  });

  it("takes a changed action in its place, and loses nothing of one that is refused", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const page = await open(asked.page, tenant.cookie);
    expect(JSON.parse(textAreaOf(page.text) ?? "")).toEqual({ command: "git push origin main" });
    const broken = '{"command": "git push origin <main>",}';
    for (const [args, status, said] of [
      [broken, 422, "This is not JSON as it is read here."],
      ['{"command": "a", "command": "b"}', 422, "Two readers could read this differently"],
      [textAreaOf(page.text) ?? "", 409, "Nothing was changed."],
    ] as const) {
      const refused = await post(asked.page, tenant.cookie, {
        decision: "approve",
        action_digest: asked.digest,
        args,
      });
      expect(refused.status, args).toBe(status);
      expect(wordsOf(refused.text)).toContain(said);
      expect(textAreaOf(refused.text)).toBe(args);
      expect(refused.text).toMatch(/<details class="tell" open=""><summary>Change it/);
    }
    expect(await statusOf(tenant, asked)).toBe("pending");
    const sent = await post(asked.page, tenant.cookie, {
      decision: "approve",
      action_digest: asked.digest,
      args: '{\r\n  "command": "git push origin review"\r\n}',
    });
    expect(sent.status, wordsOf(sent.text)).toBe(303);
    const next = sent.headers.get("location") ?? "";
    expect(next).toMatch(/^\/approvals\/apr_\w+\?tap=edited#result$/);
    expect(next).not.toContain(asked.id);
    const made = await open(next, tenant.cookie);
    expect(wordsOf(made.text)).toContain("The agent may run what you made of it, once.");
    expect(made.text).toContain(`href="${asked.page}"`);
    const old = await open(asked.page, tenant.cookie);
    expect(wordsOf(old.text)).toContain("Denied as it was asked, and changed");
    expect(old.text).toContain("git push origin review");
    expect((await shell(tenant, asked.session, "git push origin review")).json.verdict).toBe("allow");
  });

  it("tells whoever may not answer whom to ask, and refuses what they send", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie, member } = await newMember(tenant, "viewer");
    const asked = await ask(tenant);
    const page = await open(asked.page, cookie);
    expect(wordsOf(page.text)).toMatch(/answering it takes an approver\.\s+Ask\s+Olivia \(owner\)/);
    expect(page.text).not.toMatch(/name="decision"/);
    expect((await open("/approvals", cookie)).text).not.toMatch(/type="checkbox"|denials/);
    const tries: readonly (readonly [string, Record<string, string>])[] = [
      [asked.page, { decision: "approve", action_digest: asked.digest }],
      [`${asked.page}/link`, {}],
      ["/approvals/denials", { approval: asked.id }],
    ];
    for (const [path, fields] of tries) {
      const refused = await post(path, cookie, fields);
      expect(refused.status, path).toBe(403);
      expect((await rowsOf(tenant)).at(-1)).toMatchObject({ kind: "refusal", code: "forbidden", member });
      const elsewhere = await post(path, tenant.cookie, fields, FROM_ELSEWHERE);
      expect(elsewhere.status, path).toBe(403);
      expect((await rowsOf(tenant)).at(-1)).toMatchObject({ code: "cross-site", member: tenant.owner });
      expect((await post(path, undefined, fields)).status).toBe(401);
    }
    expect(await statusOf(tenant, asked)).toBe("pending");
  });

  it("is not there for another organization", async ({ expect }) => {
    const [tenant, stranger] = [await newAsking(), await newAsking()];
    const asked = await ask(tenant);
    for (const attempt of [
      () => open(asked.page, stranger.cookie),
      () => post(asked.page, stranger.cookie, { decision: "approve", action_digest: asked.digest }),
      () => post(`${asked.page}/link`, stranger.cookie, {}),
      () => open("/approvals/%F0%9F%98%80", stranger.cookie),
    ]) {
      const answer = await attempt();
      expect(answer.status).toBe(404);
      expect((await rowsOf(stranger)).at(-1)).toMatchObject({ kind: "refusal", code: "not-found" });
    }
    expect(await statusOf(tenant, asked)).toBe("pending");
  });

  it("makes a link for whoever asks, shown once", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    const made = await post(`${asked.page}/link`, tenant.cookie, {});
    expect(made.status).toBe(201);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const url = /value="(https:\/\/countersign\.test\/approve\/[^"]+)"/.exec(made.text)?.[1] ?? "";
    expect(url).not.toBe("");
    const shown = await open(url.slice("https://countersign.test".length));
    expect(shown.status, shown.text).toBe(200);
    expect(shown.text).toContain("git push origin main");
    expect(JSON.stringify(await rowsOf(tenant, asked.session))).not.toContain(url.split("/").at(-1));
  });

  it("asks for a passkey where one is demanded", async ({ expect }) => {
    const tenant = await newAsking({
      demands: [{ risks: ["EXECUTE", "NETWORK", "EXTERNAL_WRITE"], passkey: true, people: 2 }],
    });
    const asked = await ask(tenant);
    const said = wordsOf((await open(asked.page, tenant.cookie)).text);
    expect(said).toContain("2 people have to approve it, each by themselves; nobody has yet");
    expect(said).toContain("Approving this takes a passkey, and you have none");
    const refused = await post(asked.page, tenant.cookie, {
      decision: "approve",
      action_digest: asked.digest,
    });
    expect(refused.status).toBe(403);
    expect(wordsOf(refused.text)).toContain("signed with the approver's passkey");
    expect((await rowsOf(tenant, asked.session)).at(-1)).toMatchObject({ code: "passkey-demanded" });
  });

  it("says of one whose time is over that this means no", async ({ expect }) => {
    const clock = vi.spyOn(Date, "now");
    const tenant = await newAsking();
    const asked = await ask(tenant);
    clock.mockReturnValue(Date.now() + 601_000);
    const page = await open(asked.page, tenant.cookie);
    expect(wordsOf(page.text)).toContain("Nobody answered in time, which means no.");
    expect(page.text).not.toMatch(/name="decision"|git push/);
    const late = await post(asked.page, tenant.cookie, { decision: "approve", action_digest: asked.digest });
    expect(late.headers.get("location")).toContain("tap=late");
    const rows = await rowsOf(tenant, asked.session);
    expect(rows.at(-2)).toMatchObject({ kind: "approval_decided", outcome: "expired", by: null });
    expect(rows.at(-1)).toMatchObject({ kind: "refusal", code: "late-tap" });
  });
});

describe("the report", () => {
  it("is for admins, and says who answers how", async ({ expect }) => {
    const tenant = await newAsking();
    const { cookie } = await newMember(tenant, "approver");
    const empty = wordsOf((await open("/approvals/report", tenant.cookie)).text);
    expect(empty).toContain("Nobody has answered anything in these days.");
    const asked = await ask(tenant);
    await post(asked.page, cookie, { decision: "approve", action_digest: asked.digest });
    await deliver(tenant, asked.session);
    const page = await open("/approvals/report?days=7", tenant.cookie);
    const said = wordsOf(page.text);
    expect(said).toContain("By approver");
    expect(said.replaceAll("\n", " ")).toMatch(/approver 1\s+100 %/);
    expect(page.text).toContain('<option value="7" selected="">');
    for (const odd of ["?days=0", "?days=x", "?days=999"])
      expect((await open(`/approvals/report${odd}`, tenant.cookie)).status).toBe(200);
    const refused = await open("/approvals/report", cookie);
    expect(refused.status).toBe(403);
    expect((await open("/approvals", cookie)).text).not.toContain("/approvals/report");
  });
});

describe("a decision's page", () => {
  it("leads to the approval, and says what became of it", async ({ expect }) => {
    const tenant = await newAsking();
    const asked = await ask(tenant);
    await deliver(tenant, asked.session);
    const list = await open("/", tenant.cookie);
    expect(list.text).toContain(`href="${asked.page}"`);
    const [, query = ""] = /href="\/decision\?([^"]+)"/.exec(list.text) ?? [];
    const address = `/decision?${query.replaceAll("&amp;", "&")}`;
    const before = await open(address, tenant.cookie);
    expect(before.text).toContain(`href="${asked.page}"`);
    expect(wordsOf(before.text)).toMatch(/It was put to the approvers\.\nPending/);
    await post(asked.page, tenant.cookie, { decision: "approve", action_digest: asked.digest });
    const after = wordsOf((await open(address, tenant.cookie)).text);
    expect(after.replaceAll("\n", " ")).toMatch(/Approved\s*by Olivia,/);
    expect(after).toContain("The agent has not fetched it yet.");
    await shell(tenant, asked.session, "git push origin main");
    await deliver(tenant, asked.session);
    expect((await open("/?verdict=allow", tenant.cookie)).text).toContain(
      "It ran on an approval, which is used up by it.",
    );
    vi.spyOn(env.SESSION, "getByName").mockImplementation(() => {
      throw new Error("away");
    });
    const away = await open(address, tenant.cookie);
    expect(away.status, "the decision is shown all the same").toBe(200);
    expect(away.text).toContain(`href="${asked.page}"`);
  });
});
