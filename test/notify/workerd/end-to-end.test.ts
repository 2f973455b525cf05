import { runDurableObjectAlarm } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { asked, COMMAND } from "../../approve/support.ts";
import { deliver } from "../../dashboard/support.ts";
import { stubOf } from "../../durable/support.ts";
import { ask, must, newSession, newTenant, ORIGIN, send } from "../../support/api.ts";

interface Caught {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}

let caught: Caught[] = [];
let status = 200;

beforeEach(() => {
  caught = [];
  status = 200;
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const request = new Request(url as string, init as RequestInit);
    const headers = Object.fromEntries(request.headers);
    caught.push({ url: request.url, headers, text: await request.text() });
    return new Response("ok", { status });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the document", () => {
  it("says what a webhook is sent, and so does its page", async ({ expect }) => {
    const { webhooks, components } = (await must("/openapi.json")).json;
    expect(Object.keys(webhooks)).toEqual(["approval.opened", "approval.decided", "ledger.alert", "test"]);
    expect(webhooks["approval.decided"].post.requestBody.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/ApprovalDecided",
    });
    expect(components.schemas.ApprovalDecided.required).toEqual(["type", "timestamp", "data"]);
    const page = await must("/docs", { headers: { accept: "text/html" } });
    expect(page.text).toContain('id="webhooks"');
    expect(page.text).toMatch(/approval\.opened[\s\S]*expires_at/);
  });
});

describe("from an ask to its outcome", () => {
  it("people are told, answer by their own link, and programs hear what became of it", async ({ expect }) => {
    const tenant = await newTenant("Acme", { engines: { fence: "enforce" } });
    const hook = async (own: boolean, events: string[]) =>
      (
        await must("/v1/channels", {
          cookie: tenant.cookie,
          json: {
            kind: "webhook",
            name: own ? "mine" : "ours",
            own,
            events,
            target: { url: `https://${own ? "mine" : "ours"}.example.org/hook` },
          },
        })
      ).json;
    const mine = await hook(true, ["approval.opened"]);
    const ours = await hook(false, ["approval.opened", "approval.decided"]);
    const session = await newSession(tenant);
    const one = await asked(undefined, undefined, { tenant, session });
    await deliver(tenant, session);

    // The ask. Its alarm is due at once, and may be ringing by itself.
    const of = (host: string) => caught.filter(({ url }) => new URL(url).hostname === `${host}.example.org`);
    await vi.waitFor(() => expect([of("mine").length, of("ours").length]).toEqual([1, 1]), 5_000);
    const check = (secret: string, { text, headers }: Caught) =>
      new Webhook(secret).verify(text, headers) as { type: string; data: Record<string, unknown> };
    const [toMine, toOurs] = [of("mine")[0], of("ours")[0]];
    if (toMine === undefined || toOurs === undefined) throw new Error("nobody was told");
    const told = check(mine.secret, toMine);
    expect(told).toMatchObject({
      type: "approval.opened",
      data: { approval: one.approval, status: "pending", tool: "terminal", action_digest: one.digest },
    });
    expect(check(ours.secret, toOurs).data["url"]).toBe(`${ORIGIN}/approvals/${one.approval}`);
    // A summary, and no argument.
    for (const { text } of caught) expect(text).not.toContain(COMMAND);

    // Told once: another alarm has nothing to say.
    await runDurableObjectAlarm(stubOf(tenant, session));
    expect(caught).toHaveLength(2);

    // The link opens the page, for nobody but its member, and decides by a form.
    const link = String(told.data["url"]);
    expect(link.startsWith(`${ORIGIN}/approve/`)).toBe(true);
    const page = await send(link.slice(ORIGIN.length));
    expect(page.status).toBe(200);
    expect(page.text).toContain("git push --force origin main");
    const answer = await send(link.slice(ORIGIN.length), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ decision: "approve", action_digest: one.digest }).toString(),
    });
    expect(answer.status, answer.text).toBe(303);

    // The outcome, to who wanted it.
    caught = [];
    await runDurableObjectAlarm(stubOf(tenant, session));
    await vi.waitFor(
      () => expect(caught.map(({ url }) => new URL(url).hostname)).toEqual(["ours.example.org"]),
      5_000,
    );
    const [outcome] = caught;
    if (outcome === undefined) throw new Error("no outcome");
    expect(check(ours.secret, outcome)).toMatchObject({
      type: "approval.decided",
      data: { approval: one.approval, status: "approved", decided_by: tenant.owner, via: "link" },
    });
    expect((await ask(tenant, session, one.call)).json.verdict).toBe("allow");
  });

  it("a channel that is dead blocks nothing, and is shown to be", async ({ expect }) => {
    status = 500;
    const tenant = await newTenant("Acme", { engines: { fence: "enforce" } });
    await must("/v1/channels", {
      cookie: tenant.cookie,
      json: {
        kind: "slack",
        name: "dead",
        own: false,
        events: ["approval.opened"],
        target: { url: "https://dead.example.org/hook" },
      },
    });
    const session = await newSession(tenant);
    const one = await asked(undefined, undefined, { tenant, session });
    await deliver(tenant, session);
    await vi.waitFor(async () => {
      const listed = await must("/v1/channels", { cookie: tenant.cookie });
      expect(listed.text).toContain("status-500");
    }, 5_000);
    const decided = await must(`/v1/approvals/${one.approval}/decision`, {
      cookie: tenant.cookie,
      json: { decision: "deny", action_digest: one.digest },
    });
    expect(decided.text).toContain("denied");
    const before = caught.length;
    await runDurableObjectAlarm(stubOf(tenant, session));
    // Nobody is told any more of what has been answered.
    expect(caught).toHaveLength(before);
  });
});
