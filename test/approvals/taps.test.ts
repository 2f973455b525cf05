/** A hundred taps at once on two approvers' links: one of them decides, and the others are told which. */
import { afterEach, describe, it, vi } from "vitest";
import type { DecideInput } from "../../src/durable/approval-protocol.ts";
import type { SettleInput } from "../../src/durable/protocol.ts";
import { SessionObject } from "../../src/durable/session.ts";
import { verifyChain } from "../../src/ledger/index.ts";
import { linkOf, press } from "../approve/support.ts";
import { must, newMember, newSession, send, shell } from "../support/api.ts";
import { answer, newCrew, rowOf, rowsOf, standing } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const TAPS = 100;
const COMMAND = "git push --force origin main";

describe("a hundred taps at once", () => {
  it("on two links, approve and deny mixed, have one winner, and 99 are told who won", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const admin = await newMember(tenant, "admin");
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND, { call_id: "first" });
    const { id } = asked.json.approval;
    const one = {
      tenant,
      session,
      approval: id,
      digest: asked.json.action_digest,
      call: { tool: "terminal" },
    };
    const holders = [alice, admin];
    const links = await Promise.all(holders.map(({ member }) => linkOf(one, { member })));
    const taps = Array.from({ length: TAPS }, (_, i) => ({
      link: links[i % 2] ?? "",
      by: holders[i % 2]?.member,
      // Each of the two holders taps both.
      decision: Math.floor(i / 2) % 2 === 0 ? "approve" : "deny",
    }));
    const answers = await Promise.all(
      taps.map(({ link, decision }) => press(link, { decision, action_digest: one.digest })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(TAPS).fill(303));
    const wonBy = answers.flatMap(({ headers }, i) =>
      headers.get("location")?.endsWith("?late") === true ? [] : [i],
    );
    expect(wonBy).toHaveLength(1);
    const winner = taps[wonBy[0] ?? -1];
    const outcome = winner?.decision === "approve" ? "approved" : "denied";
    expect(await standing(tenant, asked)).toMatchObject({
      status: outcome,
      decided_by: { member: winner?.by, via: "link" },
      approvals: outcome === "approved" ? 1 : 0,
    });

    // Whoever came late is sent to a page that says what was decided and by whom, whichever link is theirs.
    for (const [i, link] of links.entries()) {
      const page = await send(`${link}?late`);
      expect(page.status).toBe(200);
      const told = page.text.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
      expect(told, `link ${i}`).toContain("came too late");
      expect(told, `link ${i}`).toContain(outcome);
      const who =
        holders[i]?.member === winner?.by ? "You" : winner?.by === alice.member ? "approver" : "admin";
      expect(told, `link ${i}`).toContain(`${who} ${outcome} it`);
    }

    const rows = await rowsOf(tenant, session);
    const decided = rows.filter(({ kind }) => kind === "approval_decided");
    expect(decided.map(({ body }) => body)).toMatchObject([
      { approval: id, outcome, by: winner?.by, via: "link", decision_seq: asked.json.ledger.seq },
    ]);
    const late = rows.filter(({ kind }) => kind === "refusal");
    expect(late).toHaveLength(TAPS - 1);
    for (const { body, seq } of late) {
      expect(body).toMatchObject({
        operation: "decideApproval",
        code: "late-tap",
        approval: id,
        via: "link",
        stands: outcome,
      });
      expect(seq).toBeGreaterThan(decided[0]?.seq ?? Number.POSITIVE_INFINITY);
    }
    // Tap for tap: what is on record is what was tapped.
    const tally = (list: readonly { by: string | undefined; decision: string }[]) =>
      list.map(({ by, decision }) => `${by} ${decision}`).sort();
    expect(
      tally([
        ...late.map(({ body }) => ({ by: body.by as string, decision: body.wanted as string })),
        { by: winner?.by, decision: winner?.decision ?? "" },
      ]),
    ).toEqual(tally(taps));
    expect(rows.map(({ kind }) => kind).filter((kind) => kind === "approval_vote")).toEqual([]);
    const { text } = await must(`/v1/sessions/${encodeURIComponent(session)}/ledger`, {
      cookie: tenant.cookie,
    });
    expect(verifyChain(text)).toMatchObject({ ok: true, entries: TAPS + 2 });

    // And the agent is told the same thing, once.
    const next = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(next.json.verdict).toBe(outcome === "approved" ? "allow" : "block");
    expect((await rowOf(tenant, session, next)).body.approval).toEqual({
      id,
      did: outcome === "approved" ? "spent" : "refused",
    });
  });

  it("of which each person's counts once where two are demanded", async ({ expect }) => {
    const { tenant, alice, bob } = await newCrew({ demands: [{ risks: ["NETWORK"], people: 2 }] });
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND);
    const { id } = asked.json.approval;
    const people = [alice, bob];
    const answers = await Promise.all(
      Array.from({ length: TAPS }, (_, i) =>
        send(`/v1/approvals/${id}/decision`, {
          cookie: people[i % 2]?.cookie ?? "",
          json: { decision: "approve", action_digest: asked.json.action_digest },
        }),
      ),
    );
    const of = (tap: string) => answers.filter(({ json }) => json.tap === tap);
    expect(of("decided")).toHaveLength(1);
    expect(of("counted").length + of("late").length).toBe(TAPS - 1);
    for (const { json } of of("late"))
      expect(json.approval).toMatchObject({ status: "approved", approvals: 2 });
    const rows = await rowsOf(tenant, session);
    const [vote, ...more] = rows.filter(({ kind }) => kind === "approval_vote");
    expect(more).toEqual([]);
    const [decided, ...others] = rows.filter(({ kind }) => kind === "approval_decided");
    expect(others).toEqual([]);
    expect([vote?.body.by, decided?.body.by].sort()).toEqual([alice.member, bob.member].sort());
    expect(decided?.body.approved_by).toEqual([vote?.body.by, decided?.body.by]);
    const codes = rows.filter(({ kind }) => kind === "refusal").map(({ body }) => body.code);
    expect(codes).toHaveLength(TAPS - 2);
    expect(codes.filter((code) => code === "repeated-tap")).toHaveLength(of("counted").length - 1);
    expect(codes.filter((code) => code === "late-tap")).toHaveLength(of("late").length);
  });
});

describe("an object that is lost between commit and reply", () => {
  const { decideApproval, settle } = SessionObject.prototype;

  /** It is committed; whoever asked never hears of it. */
  async function lose(object: SessionObject): Promise<void> {
    const { ctx } = object as unknown as { ctx: DurableObjectState };
    await ctx.storage.sync();
    ctx.abort("lost between commit and reply");
  }

  it("has decided once, and says so to whoever taps again", async ({ expect }) => {
    const { tenant, alice, bob } = await newCrew();
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND);
    vi.spyOn(SessionObject.prototype, "decideApproval").mockImplementationOnce(async function (
      this: SessionObject,
      input: DecideInput,
    ) {
      const decided = decideApproval.call(this, input);
      await lose(this);
      return decided;
    } as never);
    await answer(alice, asked, "approve");
    vi.restoreAllMocks();
    for (const [by, decision] of [
      [alice, "approve"],
      [bob, "deny"],
    ] as const) {
      const again = await answer(by, asked, decision);
      expect(again.json, again.text).toMatchObject({
        tap: "late",
        approval: { status: "approved", decided_by: { member: alice.member } },
      });
    }
    const decided = await rowsOf(tenant, session, "approval_decided");
    expect(decided.map(({ body }) => body)).toMatchObject([{ outcome: "approved", by: alice.member }]);
  });

  it("has spent the grant for one call, and lets that one run when it asks again", async ({ expect }) => {
    const { tenant, alice } = await newCrew();
    const session = await newSession(tenant);
    const asked = await shell(tenant, session, COMMAND, { call_id: "first" });
    await answer(alice, asked, "approve");
    const answers: string[] = [];
    vi.spyOn(SessionObject.prototype, "settle").mockImplementationOnce(async function (
      this: SessionObject,
      input: SettleInput,
    ) {
      const settled = settle.call(this, input);
      if (settled.ok) answers.push(settled.answer);
      await lose(this);
      return settled;
    } as never);
    const lost = await shell(tenant, session, COMMAND, { call_id: "first" });
    vi.restoreAllMocks();
    if (lost.json.verdict === "allow") expect(lost.text).toBe(answers[0]);
    const again = await shell(tenant, session, COMMAND, { call_id: "first" });
    expect(again.text).toBe(answers[0]);
    expect(again.json).toMatchObject({ verdict: "allow", approval: { grant: "spent" } });
    const spent = (await rowsOf(tenant, session, "decision")).filter(
      ({ body }) => body.approval?.did === "spent",
    );
    expect(spent.map(({ seq }) => seq)).toEqual([again.json.ledger.seq]);
    expect((await shell(tenant, session, COMMAND, { call_id: "second" })).json.verdict).toBe("ask");
  });
});
