import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { linkHash, readLink } from "../../../src/notify/links.ts";
import { DEAD_AFTER_FAILURES } from "../../../src/notify/outbox.ts";
import { seal } from "../../../src/sealing.ts";
import { must, newMember, newTenant } from "../../support/api.ts";
import {
  addChannel,
  HOUR,
  healthOf,
  hosts,
  inWorld,
  linkIn,
  ORIGIN,
  SECRETS,
  type World,
} from "./support.ts";

const BOTH = ["approval.opened", "approval.decided"];

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

function queueOpened(world: World, change = {}) {
  const asked = world.ask(change);
  world.notices.queue(asked.id, "approval.opened", world.now, asked.expires_at);
  return asked;
}

describe("an ask", () => {
  it("is told to those who may answer it, each by a link of their own", async ({ expect }) => {
    await inWorld(async (world) => {
      const approver = await newMember(world.tenant, "approver");
      const viewer = await newMember(world.tenant, "viewer");
      await addChannel(world, { id: "ours" });
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      await addChannel(world, { id: "approvers", member: approver.member });
      await addChannel(world, { id: "viewers", member: viewer.member });
      await addChannel(world, { id: "strangers", member: "mem_nobody" });
      await addChannel(world, { id: "outcomes", events: ["approval.decided"] });
      await addChannel(world, { id: "removed", removed_at: 5 });
      const other = await newTenant();
      await addChannel(world, { id: "elsewhere", organization: other.organization });

      const asked = queueOpened(world);
      // Nobody is sent a link whose hash is not known yet.
      world.answering = (sent) => {
        const link = linkIn(sent);
        expect(world.links.length > 0 || !link.includes("/approve/")).toBe(true);
        return new Response("ok");
      };
      await world.run();

      expect(hosts(world).sort()).toEqual(["approvers", "ours", "owners"]);
      expect(world.rows()).toEqual([]);
      const of = (host: string) => linkIn(world.sent[hosts(world).indexOf(host)]);
      expect(of("ours")).toBe(`${ORIGIN}/approvals/${asked.id}`);
      for (const [host, member] of [
        ["owners", world.tenant.owner],
        ["approvers", approver.member],
      ] as const) {
        const token = of(host).slice(`${ORIGIN}/approve/`.length);
        const read = await readLink(token, ORIGIN, SECRETS, world.now);
        if (!read.ok) throw new Error(read.cause);
        expect(read.claims).toMatchObject({
          organization: world.tenant.organization,
          approval: asked.id,
          root: asked.root,
          member,
          digest: asked.action_digest,
          issued_at: world.now,
          expires_at: asked.expires_at + 5 * 60_000 + HOUR,
        });
        expect(world.links).toContainEqual({ hash: linkHash(read.claims.jti), member });
      }
      expect(world.links).toHaveLength(2);
    });
  });

  it("is told by the agent's name, and by nothing of the call but its tool", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      await world.run();
      expect(world.sent[0]?.text).toMatch(/“agent \d+” asks to use “terminal”/);
    });
  });

  it("that somebody has answered meanwhile is told to nobody", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      const asked = queueOpened(world);
      world.asked.set(asked.id, { ...asked, status: "approved" });
      await world.run();
      queueOpened(world, {});
      world.asked.clear();
      await world.run();
      expect(world.sent).toEqual([]);
      expect(world.rows()).toEqual([]);
      expect(world.links).toEqual([]);
    });
  });

  it("that somebody answers while its link is made is told to nobody", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      const asked = queueOpened(world);
      world.afterLink = () => world.asked.set(asked.id, { ...asked, status: "denied" });
      await world.run();
      expect(world.links).toHaveLength(1);
      expect(world.sent).toEqual([]);
      expect(world.rows()).toEqual([]);
    });
  });

  it("is sent no link once its member may not answer any more", async ({ expect }) => {
    await inWorld(async (world) => {
      const approver = await newMember(world.tenant, "approver");
      await addChannel(world, { id: "approvers", member: approver.member });
      queueOpened(world);
      world.answering = () => new Response("", { status: 500 });
      await world.run();
      expect(world.sent).toHaveLength(1);
      await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE organization_id = ? AND member_id = ?")
        .bind(world.tenant.organization, approver.member)
        .run();
      world.now += 60_000;
      await world.run();
      expect(world.sent).toHaveLength(1);
      expect(world.rows()).toEqual([]);
    });
  });

  it("leads to the dashboard where no further link is to be had", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      const asked = queueOpened(world);
      world.mayLink = false;
      await world.run();
      expect(linkIn(world.sent[0])).toBe(`${ORIGIN}/approvals/${asked.id}`);
      expect(world.sent[0]?.text).not.toContain("yours alone");
      expect(world.rows()).toEqual([]);
    });
  });
});

describe("an outcome", () => {
  it("is told to all who want to hear of it, without a link", async ({ expect }) => {
    await inWorld(async (world) => {
      const viewer = await newMember(world.tenant, "viewer");
      await addChannel(world, { id: "ours", events: BOTH });
      await addChannel(world, { id: "viewers", member: viewer.member, events: BOTH });
      await addChannel(world, { id: "asks" });
      const gone = await newMember(world.tenant, "admin");
      await addChannel(world, { id: "gone", member: gone.member, events: BOTH });
      await must(`/v1/members/${gone.member}`, { method: "DELETE", cookie: world.tenant.cookie });
      const asked = world.ask({
        status: "denied",
        decided_at: world.now,
        decided_by: { member: world.tenant.owner, via: "session" },
      });
      world.notices.queue(asked.id, "approval.decided", world.now, world.now + HOUR);
      await world.run();
      expect(hosts(world).sort()).toEqual(["ours", "viewers"]);
      for (const sent of world.sent) {
        expect(linkIn(sent)).toBe(`${ORIGIN}/approvals/${asked.id}`);
        expect(sent.text).toContain("Decided by “Olivia” on the dashboard.");
      }
      expect(world.links).toEqual([]);
    });
  });
});

describe("a notice that is too late", () => {
  it("is not sent any more", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours", events: BOTH });
      const asked = world.ask({ status: "expired" });
      world.notices.queue(asked.id, "approval.decided", world.now - HOUR, world.now);
      await world.run();
      expect(world.sent).toEqual([]);
      expect(world.rows()).toEqual([]);
    });
  });

  it("waits for its time, is forgotten when nobody needs it, and lives longer with its ask", async ({
    expect,
  }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      const quiet = world.ask();
      world.notices.queue(quiet.id, "approval.opened", world.now + HOUR, world.now + 2 * HOUR);
      expect(world.notices.nextDue()).toBe(world.now + HOUR);
      await world.run();
      expect(world.sent).toEqual([]);
      world.notices.prolong(quiet.id, "approval.opened", world.now + 3 * HOUR);
      world.now += 2 * HOUR;
      await world.run();
      expect(world.sent).toHaveLength(1);
      queueOpened(world);
      const other = queueOpened(world);
      world.notices.forget(other.id, "approval.opened");
      expect(world.rows()).toHaveLength(1);
      await world.run();
      expect(world.sent).toHaveLength(2);
      expect(world.notices.nextDue()).toBeNull();
    });
  });
});

describe("a channel that fails", () => {
  it("is tried again, later each time, by the same id and the same link", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      await addChannel(world, {
        id: "hook",
        kind: "webhook",
        target: {
          url: "https://hook.example.org/",
          secrets: [{ secret: `whsec_${btoa("x".repeat(32))}`, until: null }],
        },
      });
      queueOpened(world);
      world.answering = (_, nth) => new Response("", { status: nth <= 4 ? 503 : 200 });
      await world.run();
      const began = world.now;
      expect(world.rows().map(({ tries, due_at }) => [tries, Number(due_at) - began])).toEqual([
        [1, 1_500],
        [1, 1_500],
      ]);
      // Not before its time.
      world.now = began + 1_499;
      await world.run();
      expect(world.sent).toHaveLength(2);
      world.now = began + 1_500;
      await world.run();
      expect(world.sent).toHaveLength(4);
      expect(world.rows().map(({ tries }) => tries)).toEqual([2, 2]);
      world.now += 3_000;
      await world.run();
      expect(world.sent).toHaveLength(6);
      expect(world.rows()).toEqual([]);

      const slack = world.sent.filter(({ url }) => url.startsWith("https://owners."));
      expect(new Set(slack.map(linkIn)).size).toBe(1);
      expect(linkIn(slack[0])).toContain("/approve/");
      expect(world.links).toHaveLength(1);
      const hook = world.sent.filter(({ url }) => url.startsWith("https://hook."));
      expect(new Set(hook.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
      expect(new Set(hook.map(({ text }) => text)).size).toBe(1);
      expect(new Set(hook.map(({ headers }) => headers.get("webhook-signature"))).size).toBe(3);
    });
  });

  it("is given up when nobody wants to hear of it any more", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      world.answering = () => new Response("", { status: 500 });
      for (let run = 0; run < 400 && world.rows().length > 0; run += 1) {
        await world.run();
        world.now += 2_000;
      }
      expect(world.rows()).toEqual([]);
      // 2, 4, 8 … seconds with jitter fit seven or eight times into ten minutes.
      expect(world.sent.length).toBeGreaterThanOrEqual(8);
      expect(world.sent.length).toBeLessThanOrEqual(10);
    });
  });

  it("is left alone for what it asks", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      world.answering = () => new Response("", { status: 429, headers: { "retry-after": "90" } });
      await world.run();
      expect(Number(world.rows()[0]?.["due_at"]) - world.now).toBe(90_000);
    });
  });

  it("shows it to administrators, and works again by itself", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      world.answering = () => new Response("", { status: 500 });
      await world.run();
      expect(await healthOf(world, "ours")).toEqual({
        last_sent_at: null,
        last_failed_at: world.now,
        failures: 1,
        last_failure: "status-500",
      });
      world.answering = () => new Response("ok");
      const failedAt = world.now;
      world.now += 5_000;
      await world.run();
      expect(await healthOf(world, "ours")).toEqual({
        last_sent_at: world.now,
        last_failed_at: failedAt,
        failures: 0,
        last_failure: "status-500",
      });
    });
  });

  it("twenty times in a row is tried once for each ask, until it gets through", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours", failures: DEAD_AFTER_FAILURES });
      await addChannel(world, { id: "nearly", failures: DEAD_AFTER_FAILURES - 2 });
      world.answering = () => new Response("", { status: 500 });
      queueOpened(world);
      await world.run();
      expect(world.rows()).toMatchObject([{ channel: "nearly", tries: 1 }]);
      world.now += 5_000;
      await world.run();
      expect(world.rows()).toEqual([]);
      expect(hosts(world).sort()).toEqual(["nearly", "nearly", "ours"]);
      queueOpened(world);
      world.answering = () => new Response("ok");
      await world.run();
      expect((await healthOf(world, "ours"))?.failures).toBe(0);
      queueOpened(world);
      world.answering = () => new Response("", { status: 500 });
      await world.run();
      expect(world.rows()).toHaveLength(2);
    });
  });

  it("for good is not tried again, and is shown as dead", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      await addChannel(world, { id: "sealed", target: {} });
      await env.DB.prepare(
        "UPDATE channels SET target = 'cs1.0000000000000000.AAAA' WHERE channel_id = 'sealed'",
      ).run();
      const secrets = { organization: world.tenant.organization, field: "channel garbled" };
      await addChannel(world, { id: "garbled" });
      await env.DB.prepare("UPDATE channels SET target = ? WHERE channel_id = 'garbled'")
        .bind(await seal("{not json", secrets, SECRETS))
        .run();
      await addChannel(world, { id: "unheard" });
      await env.DB.prepare("UPDATE channels SET events = '{not json' WHERE channel_id = 'unheard'").run();
      await addChannel(world, { id: "pigeon", kind: "pigeon" });
      await addChannel(world, { id: "private", target: { url: "https://10.0.0.1/" } });
      await addChannel(world, { id: "ourselves", target: { url: "https://countersign.example.com:8443/x" } });
      world.answering = () => new Response("", { status: 410 });
      queueOpened(world, { origin: "https://countersign.example.com" });
      await world.run();
      expect(world.rows()).toEqual([]);
      expect(hosts(world)).toEqual(["ours"]);
      expect(await healthOf(world, "ours")).toMatchObject({
        failures: DEAD_AFTER_FAILURES,
        last_failure: "gone",
      });
      expect(await healthOf(world, "sealed")).toMatchObject({
        failures: 1,
        last_failure: "target-unreadable",
      });
      expect(await healthOf(world, "garbled")).toMatchObject({
        failures: 1,
        last_failure: "target-unreadable",
      });
      expect(await healthOf(world, "unheard")).toMatchObject({ failures: 0, last_failure: null });
      expect(await healthOf(world, "pigeon")).toMatchObject({ failures: 1, last_failure: "unknown-kind" });
      for (const id of ["private", "ourselves"])
        expect(await healthOf(world, id)).toMatchObject({ failures: 1, last_failure: "address-refused" });
    });
  });
});

describe("receivers that hang", () => {
  it("keep nobody waiting but for their own five seconds", async ({ expect }) => {
    await inWorld(async (world) => {
      for (const id of ["a", "b", "c", "d"]) await addChannel(world, { id });
      await addChannel(world, { id: "listens" });
      const at = new Map<string, number>();
      const began = performance.now();
      world.answering = ({ url }) => {
        const host = new URL(url).hostname;
        at.set(`${host}${at.has(host) ? " again" : ""}`, performance.now() - began);
        return host.startsWith("listens") ? new Response("ok") : new Promise(() => {});
      };
      queueOpened(world);
      const running = world.run();
      // While four of five hang, the next ask comes.
      await scheduler.wait(5_500);
      const second = performance.now() - began;
      queueOpened(world);
      await running;
      expect(at.get("listens.example.org")).toBeLessThan(6_500);
      expect((at.get("listens.example.org again") ?? Number.POSITIVE_INFINITY) - second).toBeLessThan(2_000);
      expect(world.rows().every(({ channel }) => channel !== "listens")).toBe(true);
      expect(performance.now() - began).toBeLessThan(26_000);
      expect(await healthOf(world, "listens")).toMatchObject({ failures: 0 });
      expect(await healthOf(world, "a")).toMatchObject({ last_failure: "timeout" });
    });
  });

  it("do not keep the object from anything", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      let let_go: (answer: Response) => void = () => {};
      world.answering = () => new Promise((resolve) => (let_go = resolve));
      queueOpened(world);
      const running = world.run();
      await vi.waitFor(() => expect(world.sent).toHaveLength(1));
      const began = performance.now();
      world.tables.transaction(() => world.tables.setText("decided", "yes"));
      expect(world.tables.getText("decided")).toBe("yes");
      expect(performance.now() - began).toBeLessThan(500);
      let_go(new Response("ok"));
      await running;
      expect(world.rows()).toEqual([]);
    });
  });
});

describe("what goes wrong on our side", () => {
  it("sends again what was sent and not written down, by the same id and link", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      queueOpened(world);
      let isDown = false;
      world.answering = () => {
        isDown = true;
        return new Response("ok");
      };
      world.beforeWrite = () => {
        if (isDown) throw new Error("the object was reset");
      };
      vi.spyOn(console, "error").mockImplementation(() => {});
      // Not at once: while that lasts, everybody would be told over and over.
      expect(await world.run()).toBe(world.now + 60_000);
      expect(world.sent).toHaveLength(1);
      expect(world.rows()).toHaveLength(1);
      world.beforeWrite = () => {};
      expect(await world.run()).toBe(0);
      expect(world.sent).toHaveLength(2);
      expect(linkIn(world.sent[1])).toBe(linkIn(world.sent[0]));
      expect(world.links).toHaveLength(1);
      expect(world.rows()).toEqual([]);
    });
  });

  it("waits while D1 is away, and uses up nobody's tries", async ({ expect }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      queueOpened(world);
      const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
      const prepare = vi.spyOn(env.DB, "prepare").mockImplementation(() => {
        throw new Error("D1 is away");
      });
      await world.run();
      expect(world.sent).toEqual([]);
      expect(world.rows().map(({ tries, due_at }) => [tries, Number(due_at) - world.now])).toEqual([
        [0, 7_500],
        [0, 7_500],
      ]);
      expect(prepare.mock.calls.length).toBeLessThan(5);
      expect(complaints).toHaveBeenCalledTimes(1);
      prepare.mockRestore();
      world.now += 7_500;
      await world.run();
      expect(world.sent).toHaveLength(2);
    });
  });

  it("goes on by ids when names cannot be read, and without health when it cannot be written", async ({
    expect,
  }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "ours" });
      queueOpened(world);
      vi.spyOn(console, "error").mockImplementation(() => {});
      const prepare = env.DB.prepare.bind(env.DB);
      vi.spyOn(env.DB, "prepare").mockImplementation((sql) => {
        if (!sql.includes("FROM channels")) throw new Error("D1 is away");
        return prepare(sql);
      });
      await world.run();
      expect(world.sent[0]?.text).toContain(`“${world.tenant.agent}” asks`);
      expect(world.rows()).toEqual([]);
    });
  });

  it("reads a channel's secret under the key before, and a link that was kept under it", async ({
    expect,
  }) => {
    await inWorld(async (world) => {
      await addChannel(world, { id: "owners", member: world.tenant.owner });
      queueOpened(world);
      world.answering = (_, nth) => new Response("", { status: nth === 1 ? 500 : 200 });
      await world.run();
      world.secrets = ["a-newer-settings-key-than-that-of-the-suite", ...SECRETS];
      world.now += 5_000;
      await world.run();
      expect(linkIn(world.sent[1])).toBe(linkIn(world.sent[0]));
      expect(world.rows()).toEqual([]);
    });
  });
});

describe("what is kept", () => {
  it("holds no link and no target in the clear, and neither does the log", async ({ expect }) => {
    await inWorld(async (world) => {
      const lines: string[] = [];
      for (const level of ["log", "error"] as const)
        vi.spyOn(console, level).mockImplementation((...line) => void lines.push(line.join(" ")));
      await addChannel(world, {
        id: "owners",
        member: world.tenant.owner,
        target: { url: "https://owners.example.org/SECRET-PATH" },
      });
      queueOpened(world);
      world.answering = () => new Response("SECRET-ANSWER", { status: 500 });
      await world.run();
      const link = linkIn(world.sent[0]);
      const token = link.slice(link.lastIndexOf("/") + 1);
      expect(token.length).toBeGreaterThan(200);
      const kept = JSON.stringify(world.rows());
      expect(kept).toContain("cs1.");
      const all =
        kept +
        lines.join("\n") +
        JSON.stringify((await env.DB.prepare("SELECT * FROM channels").all()).results);
      for (const secret of [token, token.split(".")[2] ?? "", "SECRET-PATH", "SECRET-ANSWER"])
        expect(all).not.toContain(secret);
      expect(lines.join("\n")).toContain('"failure":"status-500"');
    });
  });

  it("is told to two hundred channels, four at a time", async ({ expect }) => {
    await inWorld(async (world) => {
      for (let n = 0; n < 200; n += 1) await addChannel(world, { id: `c${n}` });
      let busy = 0;
      let most = 0;
      world.answering = async () => {
        busy += 1;
        most = Math.max(most, busy);
        await scheduler.wait(1);
        busy -= 1;
        return new Response("ok");
      };
      queueOpened(world);
      await world.run();
      expect(new Set(hosts(world)).size).toBe(200);
      expect(world.sent).toHaveLength(200);
      expect(most).toBeLessThanOrEqual(4);
      expect(world.rows()).toEqual([]);
    });
  });
});
