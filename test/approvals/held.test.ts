/** What quiet hours hold back follows the hours that are set now: lifted, moved, or left as they were. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { LOOK_EVERY_MS } from "../../src/durable/held.ts";
import { objectName } from "../../src/durable/protocol.ts";
import { type Answer, must, newSession, shell, type Tenant } from "../support/api.ts";
import { answer, extend, MINUTE, newCrew, pass, rowsOf, set, standing, stopClock } from "./support.ts";

const DAY = 24 * 60 * MINUTE;
/** The next midnight in UTC that the members' sign-ins, made now, live to see well past. */
const MIDNIGHT = Math.ceil((Date.now() + MINUTE) / DAY) * DAY;
const MORNING = MIDNIGHT + 6.5 * 60 * MINUTE;
const HOURS = { time_zone: "UTC", from: "23:00", to: "06:30" };
const OTHER = { engines: { fence: "enforce" }, fence: { loop_limit: 0 } };
const COMMAND = "touch report.txt";

let told: string[] = [];

beforeEach(() => {
  told = [];
  stopClock();
  vi.setSystemTime(MIDNIGHT);
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    told.push(await new Request(url as string, init as RequestInit).text());
    return new Response("ok");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const stubOf = (tenant: Tenant, session: string) =>
  env.SESSION.getByName(objectName({ kind: "session", organization: tenant.organization, session }));
const alarmOf = (tenant: Tenant, session: string) =>
  runInDurableObject(stubOf(tenant, session), (_, state) => state.storage.getAlarm());

/** Rings the alarm, and waits until whoever is to be told has been. */
async function ring(tenant: Tenant, session: string): Promise<void> {
  await runDurableObjectAlarm(stubOf(tenant, session));
  let seen = -1;
  while (seen !== told.length) {
    seen = told.length;
    await new Promise((resolve) => setTimeout(resolve, 350));
  }
}

/** An ask in the night, in an organization whose channel hears of asks. */
async function night(approvals: object = {}) {
  const crew = await newCrew({ quiet_hours: HOURS, expires_after_seconds: 600, ...approvals }, OTHER);
  const { tenant } = crew;
  await must("/v1/channels", {
    cookie: tenant.cookie,
    json: {
      kind: "slack",
      name: "ours",
      own: false,
      events: ["approval.opened"],
      target: { url: "https://hooks.example.org/x" },
    },
  });
  const session = await newSession(tenant);
  const asked = await shell(tenant, session, COMMAND);
  if (asked.json.approval?.notify_at !== MORNING) throw new Error(asked.text);
  const settings = (quiet_hours: object | null) =>
    set(tenant, {
      ...OTHER,
      approvals: {
        expires_after_seconds: 600,
        ...approvals,
        ...(quiet_hours === null ? {} : { quiet_hours }),
      },
    });
  const look = async () => {
    pass(LOOK_EVERY_MS);
    await ring(tenant, session);
  };
  return { ...crew, session, asked, settings, look };
}

const moves = (tenant: Tenant, session: string) => rowsOf(tenant, session, "approval_rescheduled");

describe("an ask that is held back", () => {
  it("is told within a minute once the hours are lifted, with its whole time before it", async ({
    expect,
  }) => {
    const { tenant, alice, session, asked, settings, look } = await night();
    await look();
    expect(told).toEqual([]);
    await settings(null);
    await look();
    const now = Date.now();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("Time left: 10 minutes");
    expect(await standing(tenant, asked)).toMatchObject({
      status: "pending",
      notify_at: now,
      expires_at: now + 10 * MINUTE,
    });
    expect(await moves(tenant, session)).toMatchObject([
      {
        at: now,
        body: { approval: asked.json.approval.id, notify_at: now, expires_at: now + 10 * MINUTE },
      },
    ]);
    pass(6_000);
    await ring(tenant, session);
    const row = await env.DB.prepare(
      "SELECT expires_at FROM approvals WHERE organization_id = ? AND approval_id = ?",
    )
      .bind(tenant.organization, asked.json.approval.id)
      .first();
    expect(row).toEqual({ expires_at: now + 10 * MINUTE });
    // Told once, and answered as any other.
    await look();
    expect(told).toHaveLength(1);
    expect((await answer(alice, asked, "approve")).json.tap).toBe("decided");
  });

  it("expires by the time that it was moved to", async ({ expect }) => {
    const { tenant, alice, session, asked, settings, look } = await night();
    await settings(null);
    await look();
    pass(10 * MINUTE);
    await ring(tenant, session);
    expect((await standing(tenant, asked)).status).toBe("expired");
    expect((await answer(alice, asked, "approve")).json.tap).toBe("late");
  });

  it("goes by the hours that are set, earlier and later, and keeps time that it was given", async ({
    expect,
  }) => {
    const { tenant, alice, session, asked, settings, look } = await night();
    expect((await extend(alice, asked)).json.extended).toBe(true);
    await settings({ ...HOURS, to: "05:00" });
    await look();
    const five = MIDNIGHT + 5 * 60 * MINUTE;
    expect(await standing(tenant, asked)).toMatchObject({ notify_at: five, expires_at: five + 15 * MINUTE });
    await settings({ ...HOURS, to: "08:00" });
    await look();
    const eight = MIDNIGHT + 8 * 60 * MINUTE;
    expect(await standing(tenant, asked)).toMatchObject({
      notify_at: eight,
      expires_at: eight + 15 * MINUTE,
    });
    expect(told).toEqual([]);
    expect(await moves(tenant, session)).toHaveLength(2);
    vi.setSystemTime(eight);
    await ring(tenant, session);
    expect(told).toHaveLength(1);
  });

  it("is told at once where its class is excepted by then, or it is night no more in the zone that is set", async ({
    expect,
  }) => {
    for (const quiet of [
      { ...HOURS, except: ["WRITE"] },
      { ...HOURS, time_zone: "Asia/Tokyo" },
    ]) {
      told = [];
      vi.setSystemTime(MIDNIGHT);
      const { tenant, session, asked, settings, look } = await night();
      await settings(quiet);
      await look();
      expect(told, JSON.stringify(quiet)).toHaveLength(1);
      expect((await standing(tenant, asked)).notify_at).toBe(Date.now());
      expect(await moves(tenant, session)).toHaveLength(1);
    }
  });

  it("is looked at every minute, and where nothing was changed nothing happens until the morning", async ({
    expect,
  }) => {
    const { tenant, session, asked, look } = await night();
    // Rows for D1 come first.
    await ring(tenant, session);
    await ring(tenant, session);
    expect(await alarmOf(tenant, session)).toBe(asked.json.at + LOOK_EVERY_MS);
    for (let looks = 0; looks < 3; looks += 1) await look();
    expect(told).toEqual([]);
    vi.setSystemTime(MORNING - 10_000);
    await ring(tenant, session);
    expect(told).toEqual([]);
    expect(await alarmOf(tenant, session)).toBe(MORNING);
    vi.setSystemTime(MORNING);
    await ring(tenant, session);
    expect(told).toHaveLength(1);
    expect(await moves(tenant, session)).toEqual([]);
    expect((await standing(tenant, asked)).expires_at).toBe(MORNING + 10 * MINUTE);
  });

  it("costs one read for all that a family holds", async ({ expect }) => {
    const { tenant, session, look } = await night();
    for (let n = 0; n < 4; n += 1) await shell(tenant, session, `touch ${n}.txt`);
    await ring(tenant, session);
    const reads = vi.spyOn(env.DB, "prepare");
    await look();
    const asked = reads.mock.calls.filter(
      ([text]) => text.includes("settings") && text.includes("organizations"),
    );
    expect(asked).toHaveLength(1);
    // Nor is anybody's channel looked for.
    expect(reads.mock.calls.filter(([text]) => text.includes("FROM channels"))).toEqual([]);
  });

  it("is held on while the database is away, and told once it is back", async ({ expect }) => {
    const { tenant, session, settings, look } = await night();
    await settings(null);
    const away = vi.spyOn(env.DB, "prepare").mockImplementation(() => {
      throw new Error("away");
    });
    await look();
    expect(told).toEqual([]);
    away.mockRestore();
    await look();
    expect(told).toHaveLength(1);
    expect(await moves(tenant, session)).toHaveLength(1);
  });

  it("that somebody answers in the night is moved no more", async ({ expect }) => {
    const { tenant, alice, session, asked, settings, look } = await night();
    expect((await answer(alice, asked, "deny")).json.tap).toBe("decided");
    await settings(null);
    await look();
    expect(told).toEqual([]);
    expect(await moves(tenant, session)).toEqual([]);
  });

  it("is nobody else's: another organization's hours move nothing here", async ({ expect }) => {
    const one = await night();
    const other = await night();
    await other.settings(null);
    await one.look();
    expect(told).toEqual([]);
    await ring(other.tenant, other.session);
    expect(told).toHaveLength(1);
    const still: Answer["json"] = await standing(one.tenant, one.asked);
    expect(still.notify_at).toBe(MORNING);
  });
});
