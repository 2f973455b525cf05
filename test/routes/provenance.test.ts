import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, type ExpectStatic, it } from "vitest";
import { objectName } from "../../src/durable/protocol.ts";
import { type Answer, ask, must, newSession, newTenant, type Tenant } from "../support/api.ts";

const tenantIn = (mode: string, provenance: object = {}): Promise<Tenant> =>
  newTenant("Provenance", { engines: { fence: "off", provenance: mode }, provenance });

const say = (tenant: Tenant, session: string, text: unknown, more: object = {}): Promise<Answer> =>
  must(`/v1/sessions/${encodeURIComponent(session)}/turns`, { key: tenant.key, json: { text, ...more } });

const remember = (tenant: Tenant, session: string, content: string, more: object = {}): Promise<Answer> =>
  ask(tenant, session, {
    tool: "memory",
    args: { action: "add", target: "memory", content },
    ...more,
  });

/** Sends what waits for D1 on its way. */
async function deliver(tenant: Tenant, root: string): Promise<void> {
  const name = objectName({ kind: "session", organization: tenant.organization, session: root });
  await runDurableObjectAlarm(env.SESSION.getByName(name));
}

/** The verdict, and what the last decision's row on the ledger says of the write. */
async function recorded(expect: ExpectStatic, tenant: Tenant, session: string, answer: Answer) {
  const { verdict, reasons } = answer.json;
  const path = `/v1/sessions/${encodeURIComponent(session)}/ledger?disclose=private`;
  const lines = (await must(path, { key: tenant.key })).text.trimEnd().split("\n");
  const line = lines
    .map((one) => JSON.parse(one))
    .findLast(({ entry }) => JSON.parse(entry).kind === "decision");
  const body = JSON.parse(line.body);
  expect(body).toMatchObject({
    verdict,
    rule_keys: reasons.map((one: { rule_key: string }) => one.rule_key),
  });
  return { body, evidence: JSON.parse(line.private).evidence };
}

describe("the seed's worked examples", () => {
  it("observe: the write goes through, and the row says would_block", async ({ expect }) => {
    const tenant = await tenantIn("observe");
    const session = await newSession(tenant);
    await say(tenant, session, "I decided we ship on Friday");
    const answer = await remember(tenant, session, "User decided to ship on Friday.");
    expect(answer.json).toMatchObject({
      verdict: "allow",
      enforcement: "observed",
      reasons: [],
      engines: {
        provenance: {
          mode: "observe",
          verdict: "block",
          enforcement: "observed",
          reasons: [{ rule_key: "provenance:no-quote" }],
        },
      },
      write: { target: "memory:memory", claims: 1 },
    });
    const { body, evidence } = await recorded(expect, tenant, session, answer);
    expect(body.write).toEqual({ claims: 1, unbacked: 1, partial: false, skill: false });
    expect(evidence).toEqual([
      {
        tool: "memory",
        target: "memory:memory",
        claim: "User decided to ship on Friday.",
        quote: null,
        msg_id: null,
        matched_in: null,
        sender_id: null,
        role: "unknown",
        condition: "unknown",
        verdict: "would_block",
        reason: "no_quote",
      },
    ]);
  });

  it("enforce: the write is refused with what to do, and passes with the user's words", async ({
    expect,
  }) => {
    const tenant = await tenantIn("enforce");
    const session = await newSession(tenant);
    const turn = await say(tenant, session, "I decided we ship on Friday");
    const refused = await remember(tenant, session, "User decided to ship on Friday.");
    expect(refused.json.verdict).toBe("block");
    expect(refused.json.reasons[0].message).toBe(
      'provenance-gate: this write states a user decision ("User decided to ship on Friday.") without the user\'s words. Quote the user\'s exact words in "..." if they said it, or write it as your own suggestion or as an open question. Nothing was written.',
    );
    expect((await recorded(expect, tenant, session, refused)).evidence[0].verdict).toBe("blocked");
    for (const isDelivered of [false, true]) {
      if (isDelivered) await deliver(tenant, session);
      const passed = await remember(
        tenant,
        session,
        'User decided to ship on Friday ("I decided we ship on Friday")',
      );
      expect(passed.json.verdict).toBe("allow");
      const { evidence } = await recorded(expect, tenant, session, passed);
      expect(evidence).toEqual([
        {
          tool: "memory",
          target: "memory:memory",
          claim: 'User decided to ship on Friday ("I decided we ship on Friday")',
          quote: "I decided we ship on Friday",
          msg_id: turn.json.ledger.hash.slice(0, 16),
          matched_in: "this-session",
          sender_id: "",
          role: "self",
          condition: "none",
          verdict: "pass",
          reason: null,
        },
      ]);
    }
  });

  it("enforce: quotes of something else, and quotes without their negation, are refused", async ({
    expect,
  }) => {
    const tenant = await tenantIn("enforce");
    const session = await newSession(tenant);
    await say(tenant, session, "can you look at the logs for me");
    const unrelated = await remember(
      tenant,
      session,
      'The user approved deleting the prod database ("can you look at the logs for me").',
    );
    expect(unrelated.json.reasons.map(({ rule_key }: { rule_key: string }) => rule_key)).toEqual([
      "provenance:quote-unrelated",
    ]);
    expect(unrelated.json.reasons[0].message).toContain(
      'The quoted words ("can you look at the logs for me") do not share key words with the decision.',
    );
    await recorded(expect, tenant, session, unrelated);
    await say(tenant, session, "Never delete the prod database without asking me");
    await deliver(tenant, session);
    const negated = await remember(
      tenant,
      session,
      'The user approved deleting the prod database ("delete the prod database").',
    );
    expect(negated.json.reasons[0]).toMatchObject({ rule_key: "provenance:quote-negated" });
    await recorded(expect, tenant, session, negated);
  });
});
