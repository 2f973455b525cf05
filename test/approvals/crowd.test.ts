/** An agent that asks in as many sessions as it likes asks nobody more than people can answer. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { readKey } from "../../src/db/access.ts";
import { credentialId } from "../../src/http/credentials.ts";
import { MOST_WAITING } from "../../src/policy/approval/index.ts";
import { type Answer, must, newSession, shell, type Tenant } from "../support/api.ts";
import { answer, MINUTE, newCrew, pass, rowOf, rulesOf, stopClock } from "./support.ts";

const OTHER = { engines: { fence: "enforce" }, fence: { loop_limit: 0 } };
const COMMAND = "touch report.txt";

beforeEach(stopClock);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Rows as another session's asks leave them in D1. */
async function waiting(tenant: Tenant, agent: string, count: number, change: Record<string, unknown> = {}) {
  const row = {
    status: "pending",
    organization_id: tenant.organization,
    expires_at: Date.now() + 10 * MINUTE,
  };
  const { status, organization_id, expires_at } = { ...row, ...change };
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO approvals (organization_id, approval_id, root_id, session_id, agent_id, call_id, tool, action_digest,
       risks, rule_keys, people, status, opened_at, expires_at, changed_seq)
     SELECT ?2, 'apr_' || ?3 || '_' || i || hex(randomblob(4)), 'ses_x', 'ses_x', ?3, 'c', 'terminal', 'd', '[]', '[]', 1, ?4, ?5, ?6, 1 FROM n`,
  )
    .bind(count, organization_id, agent, status, Date.now(), expires_at)
    .run();
}

async function blocked(tenant: Tenant, session: string, one: Answer, rule: string): Promise<void> {
  const { body } = await rowOf(tenant, session, one);
  if (one.json.verdict !== "block" || !rulesOf(one).includes(rule) || one.json.approval !== null)
    throw new Error(one.text);
  if (body.verdict !== "block" || !body.rule_keys.includes(rule) || body.approval !== undefined)
    throw new Error(JSON.stringify(body));
}

describe("asks of many sessions", () => {
  it("are blocked once an agent's own wait by the hundred, and go on once some are answered", async ({
    expect,
  }) => {
    const { tenant, alice } = await newCrew({}, OTHER);
    await waiting(tenant, tenant.agent, MOST_WAITING.agent - 1);
    const session = await newSession(tenant);
    // What is opened here is in the database before its answer leaves: the next one counts it.
    const last = await shell(tenant, session, COMMAND);
    expect(last.json.verdict, last.text).toBe("ask");
    const other = await newSession(tenant);
    const refused = await shell(tenant, other, COMMAND);
    await blocked(tenant, other, refused, "guard:too-many-asks-of-agent");
    expect(refused.json.reasons[0].message).toContain("in all of its sessions");
    // What waits can be asked for again, and what needs nobody runs.
    expect((await shell(tenant, session, COMMAND)).json.approval.id).toBe(last.json.approval.id);
    expect((await shell(tenant, other, "ls")).json.verdict).toBe("allow");
    expect((await answer(alice, last, "approve")).json.tap).toBe("decided");
    // As its object tells the database some seconds later.
    await env.DB.prepare(
      "UPDATE approvals SET status = 'approved' WHERE organization_id = ? AND approval_id = ?",
    )
      .bind(tenant.organization, last.json.approval.id)
      .run();
    expect((await shell(tenant, other, "touch other.txt")).json.verdict).toBe("ask");
  });

  it("are blocked for every agent once the organization's wait by the hundreds, and for nobody else", async ({
    expect,
  }) => {
    const { tenant } = await newCrew({}, OTHER);
    const elsewhere = await newCrew({}, OTHER);
    for (const agent of ["a", "b", "c", "d"])
      await waiting(tenant, `agt_${agent}`, MOST_WAITING.organization / 4);
    const session = await newSession(tenant);
    await blocked(
      tenant,
      session,
      await shell(tenant, session, COMMAND),
      "guard:too-many-asks-of-organization",
    );
    const there = await newSession(elsewhere.tenant);
    expect((await shell(elsewhere.tenant, there, COMMAND)).json.verdict).toBe("ask");
    // What is past its time waits no more, even before that is on record.
    pass(10 * MINUTE);
    expect((await shell(tenant, session, COMMAND)).json.verdict).toBe("ask");
  });

  it("count what waits, and nothing that is answered, over or another agent's", async ({ expect }) => {
    const { tenant } = await newCrew({}, OTHER);
    for (const status of ["approved", "denied", "expired"])
      await waiting(tenant, tenant.agent, MOST_WAITING.agent, { status });
    await waiting(tenant, tenant.agent, MOST_WAITING.agent, { expires_at: Date.now() });
    await waiting(tenant, "agt_other", MOST_WAITING.agent);
    const session = await newSession(tenant);
    expect((await shell(tenant, session, COMMAND)).json.verdict).toBe("ask");
  });

  it("cost a decision no read of their own", async ({ expect }) => {
    const { tenant } = await newCrew({}, OTHER);
    const session = await newSession(tenant);
    await shell(tenant, session, "ls");
    await waiting(tenant, "agt_other", 1_000);
    const reads = vi.spyOn(env.DB, "prepare");
    await shell(tenant, session, "pwd");
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
    const id = credentialId("key", tenant.key) ?? "";
    const row = await readKey(env.DB, id, Date.now());
    expect(row?.waiting).toBe("1000,0");
    expect((await must(`/v1/sessions/${session}`, { key: tenant.key })).status).toBe(200);
  });
});
