/** Many asks at once, in as many sessions: people hear of a few, and once of the rest; programs hear of each. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { TOLD_SINGLY } from "../../../src/durable/crowd.ts";
import { newCrew, pass, stopClock } from "../../approvals/support.ts";
import { stubOf } from "../../durable/support.ts";
import { must, newMember, newSession, ORIGIN, send, shell, type Tenant } from "../../support/api.ts";
import { organizationStubOf } from "../../support/record.ts";
import { addChannel, HOUR, hosts, inWorld, linkIn } from "./support.ts";

const OTHER = { engines: { fence: "enforce" }, fence: { loop_limit: 0 } };
const SECOND = 1_000;
let caught: { readonly host: string; readonly text: string }[] = [];

beforeEach(() => {
  caught = [];
  stopClock();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const request = new Request(url as string, init as RequestInit);
    caught.push({
      host: new URL(request.url).hostname.replace(".example.org", ""),
      text: await request.text(),
    });
    return new Response("ok");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function settle(): Promise<void> {
  let seen = -1;
  while (seen !== caught.length) {
    seen = caught.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const channel = (cookie: string, kind: string, name: string, own: boolean) =>
  must("/v1/channels", {
    cookie,
    json: { kind, name, own, events: ["approval.opened"], target: { url: `https://${name}.example.org/x` } },
  });

/** Sessions that ask, so many times each; their alarms have rung. */
async function flood(tenant: Tenant, sessions: number, each: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < sessions; n += 1) {
    const session = await newSession(tenant);
    for (let i = 0; i < each; i += 1) {
      const { json } = await shell(tenant, session, `touch ${i}.txt`);
      ids.push(json.approval.id);
    }
    await runDurableObjectAlarm(stubOf(tenant, session));
    await settle();
  }
  return ids;
}

const of = (host: string) => caught.filter((one) => one.host === host).map(({ text }) => text);

describe("asks of many sessions within a minute", () => {
  it("are told one by one to a few, then once for the rest; a program hears of each", async ({ expect }) => {
    const { tenant, alice } = await newCrew({}, OTHER);
    await channel(tenant.cookie, "slack", "team", false);
    await channel(alice.cookie, "slack", "alices", true);
    await channel(tenant.cookie, "webhook", "program", false);
    const asked = await flood(tenant, 3, 4);
    expect(of("team")).toHaveLength(TOLD_SINGLY);
    expect(of("alices")).toHaveLength(TOLD_SINGLY);
    const told = of("program").map((text) => JSON.parse(text).data.approval as string);
    expect(told.toSorted()).toEqual(asked.toSorted());

    await runDurableObjectAlarm(organizationStubOf(tenant));
    await settle();
    expect(of("team")).toHaveLength(TOLD_SINGLY);
    pass(61 * SECOND);
    await runDurableObjectAlarm(organizationStubOf(tenant));
    await settle();
    expect(of("team")).toHaveLength(TOLD_SINGLY + 1);
    expect(of("alices")).toHaveLength(TOLD_SINGLY + 1);
    expect(of("program")).toHaveLength(asked.length);
    const last = of("alices").at(-1) ?? "";
    expect(last).toContain(`${asked.length - TOLD_SINGLY} more asks came in`);
    expect(last).toContain(`${ORIGIN}/approvals|`);
    // Nothing of any of them, and no link that answers.
    expect(last).not.toMatch(/terminal|touch|\/approve\//);

    // The next minute begins anew, and the one before is told no second time.
    const [next] = await flood(tenant, 1, 1);
    expect(of("team")).toHaveLength(TOLD_SINGLY + 2);
    expect(of("team").at(-1)).toContain(`/approvals/${next}`);
    pass(61 * SECOND);
    await runDurableObjectAlarm(organizationStubOf(tenant));
    await settle();
    expect(of("team")).toHaveLength(TOLD_SINGLY + 2);
    // Whoever was told of none by itself finds them all.
    const { json } = await send("/v1/approvals?status=pending&limit=50", { cookie: alice.cookie });
    expect(json.approvals).toHaveLength(asked.length + 1);
  });

  it("of one organization crowd out nobody else's", async ({ expect }) => {
    const one = await newCrew({}, OTHER);
    const other = await newCrew({}, OTHER);
    await channel(one.tenant.cookie, "slack", "one", false);
    await channel(other.tenant.cookie, "slack", "other", false);
    await flood(one.tenant, 1, TOLD_SINGLY + 2);
    await flood(other.tenant, 1, 1);
    expect([of("one").length, of("other").length]).toEqual([TOLD_SINGLY, 1]);
  });
});

describe("the outbox", () => {
  it("tells of a crowd whoever may answer, and waits where nobody can say whether there is one", async ({
    expect,
  }) => {
    await inWorld(async (world) => {
      const viewer = await newMember(world.tenant, "viewer");
      await addChannel(world, { id: "ours" });
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      await addChannel(world, { id: "viewers", member: viewer.member });
      await addChannel(world, { id: "outcomes", events: ["approval.decided"] });
      world.crowds.set("crowd-1", { id: "crowd-1", origin: ORIGIN, count: 1, since: world.now });
      world.notices.queue("crowd-1", "approval.crowd", world.now, world.now + HOUR);
      world.notices.queue("crowd-0", "approval.crowd", world.now, world.now + HOUR);
      await world.run();
      expect(hosts(world).sort()).toEqual(["ours", "owners"]);
      expect(world.sent[0]?.text).toContain("One more ask came in");
      expect(linkIn(world.sent[0])).toBe(`${ORIGIN}/approvals`);
      expect(world.rows()).toEqual([]);

      const asked = world.ask();
      world.notices.queue(asked.id, "approval.opened", world.now, asked.expires_at);
      world.tells = () => {
        throw new Error("away");
      };
      await world.run();
      expect(world.sent).toHaveLength(2);
      expect(world.rows()).toHaveLength(1);
      world.tells = () => false;
      world.now += 15_000;
      await world.run();
      expect(world.sent).toHaveLength(2);
      expect(world.rows()).toEqual([]);
    });
  });
});
