/** When nobody is asked: quiet hours, too many asks that wait, an action that is too large to be shown. Each with its row. */
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { type Answer, ask, newSession, shell, type Tenant } from "../support/api.ts";
import {
  answer,
  lastRow,
  MINUTE,
  newCrew,
  pass,
  rowOf,
  rowsOf,
  rulesOf,
  standing,
  stopClock,
} from "./support.ts";

/** The next midnight in UTC that the members' sign-ins, made now, live to see well past. */
const NIGHT = () => Math.ceil((Date.now() + MINUTE) / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE;
const HOURS = { time_zone: "UTC", from: "23:00", to: "06:30" };

beforeEach(() => {
  stopClock();
  vi.setSystemTime(NIGHT());
});
afterEach(() => {
  vi.useRealTimers();
});

const crewOf = (approvals: object) =>
  newCrew(approvals, { engines: { fence: "enforce" }, fence: { loop_limit: 0 } });
const COMMAND = "touch report.txt";

async function blocked(tenant: Tenant, session: string, one: Answer, rule: string): Promise<void> {
  const { body } = await rowOf(tenant, session, one);
  if (one.json.verdict !== "block" || !rulesOf(one).includes(rule) || one.json.approval !== null)
    throw new Error(one.text);
  if (body.verdict !== "block" || !body.rule_keys.includes(rule) || body.approval !== undefined)
    throw new Error(JSON.stringify(body));
}

describe("quiet hours", () => {
  it("hold an ask until they end, and its time runs from then on", async ({ expect }) => {
    const { tenant, alice } = await crewOf({ quiet_hours: HOURS, expires_after_seconds: 600 });
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND);
    const morning = NIGHT() - 24 * 60 * MINUTE + 6.5 * 60 * MINUTE;
    expect(asked.json.approval).toMatchObject({
      status: "pending",
      notify_at: morning,
      expires_at: morning + 10 * MINUTE,
    });
    expect((await rowOf(tenant, session, asked)).body.approval).toMatchObject({
      did: "opened",
      expires_at: morning + 10 * MINUTE,
    });
    // Long past what is usual, it still waits; whoever looks by themselves may answer.
    pass(6 * 60 * MINUTE);
    expect((await standing(tenant, asked)).status).toBe("pending");
    pass(40 * MINUTE - 1);
    expect((await standing(tenant, asked)).status).toBe("pending");
    expect((await answer(alice, asked, "approve")).json.tap).toBe("decided");
    expect((await lastRow(tenant, session)).body).toMatchObject({ outcome: "approved", by: alice.member });
    // By day it is told at once.
    const day = await shell(tenant, session, "touch other.txt");
    expect(day.json.approval.notify_at).toBe(day.json.at);
  });

  it("expire what nobody answered in the morning", async ({ expect }) => {
    const { tenant, alice } = await crewOf({ quiet_hours: HOURS, expires_after_seconds: 60 });
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND);
    pass(6.5 * 60 * MINUTE + MINUTE);
    expect((await answer(alice, asked, "approve")).json).toMatchObject({
      tap: "late",
      approval: { status: "expired" },
    });
    const decided = await rowsOf(tenant, session, "approval_decided");
    expect(decided.map(({ body }) => body)).toMatchObject([{ outcome: "expired", by: null }]);
  });

  it("block instead of asking where that is set, and not for what is excepted", async ({ expect }) => {
    const { tenant, alice } = await crewOf({
      quiet_hours: { ...HOURS, asks: "block", except: ["NETWORK"] },
    });
    const session = await newSession(tenant);
    const refused = await shell(tenant, session, COMMAND, { call_id: "night" });
    await blocked(tenant, session, refused, "guard:quiet-hours");
    const urgent = await shell(tenant, session, "git push origin main");
    expect(urgent.json).toMatchObject({ verdict: "ask", approval: { notify_at: urgent.json.at } });
    expect((await rowOf(tenant, session, urgent)).body.approval.did).toBe("opened");
    pass(6.5 * 60 * MINUTE - 1);
    await blocked(tenant, session, await shell(tenant, session, COMMAND), "guard:quiet-hours");
    pass(1);
    const day = await shell(tenant, session, COMMAND);
    expect(day.json).toMatchObject({ verdict: "ask", approval: { notify_at: day.json.at } });
    // The night's call was answered for good.
    const night = await shell(tenant, session, COMMAND, { call_id: "night" });
    expect(night.text).toBe(refused.text);
    // Who asks again in the night for what waits since the day attaches to it: nobody is woken for that.
    await answer(alice, day, "deny");
    pass(16 * 60 * MINUTE);
    const evening = await shell(tenant, session, "touch third.txt");
    expect(evening.json.verdict).toBe("ask");
    pass(9 * MINUTE);
    expect((await shell(tenant, session, "touch third.txt")).json.approval.id).toBe(evening.json.approval.id);
  });
});

describe("too many asks", () => {
  it("of one family are blocked, until some are answered", async ({ expect }) => {
    const { tenant, alice } = await crewOf({});
    const session = await newSession(tenant);
    const asks: Answer[] = [];
    for (let i = 0; i < 50; i += 1) asks.push(await shell(tenant, session, `touch ${i}.txt`));
    expect(asks.map(({ json }) => json.verdict)).toEqual(Array(50).fill("ask"));
    await blocked(tenant, session, await shell(tenant, session, COMMAND), "guard:too-many-asks");
    // What waits already can be asked for again, and another session is none of this one's business.
    const [first] = asks as [Answer];
    const attached = await shell(tenant, session, "touch 0.txt");
    expect(attached.json.approval.id).toBe(first.json.approval.id);
    const other = await shell(tenant, await newSession(tenant), COMMAND);
    expect(other.json.verdict).toBe("ask");
    await answer(alice, first, "approve");
    const next = await shell(tenant, session, COMMAND);
    expect(next.json.verdict).toBe("ask");
    expect((await rowOf(tenant, session, next)).body.approval.did).toBe("opened");
    await blocked(tenant, session, await shell(tenant, session, "touch x.txt"), "guard:too-many-asks");
    // What is past its time waits no more, even before the alarm has put that on record.
    pass(10 * MINUTE);
    const later = await shell(tenant, session, "touch y.txt");
    expect(later.json.verdict, later.text).toBe("ask");
    expect((await rowOf(tenant, session, later)).body.approval.did).toBe("opened");
  });
});

describe("an action that is too large to be shown", () => {
  it("is asked of nobody, and is blocked", async ({ expect }) => {
    const { tenant } = await crewOf({});
    const session = await newSession(tenant);
    const write = (characters: number) =>
      ask(tenant, session, {
        tool: "write_file",
        args: { path: "/home/u/work/report.txt", content: "x".repeat(characters) },
      });
    const large = await write(256 * 1024);
    await blocked(tenant, session, large, "guard:too-large-to-show");
    const fits = await write(255 * 1024);
    expect(fits.json.verdict, fits.text.slice(0, 500)).toBe("ask");
    expect((await rowOf(tenant, session, fits)).body.approval.did).toBe("opened");
  });
});
