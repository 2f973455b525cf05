/** What tests of the object share: its stub, a decision as the Worker would ask for it, and the size of what is stored. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { objectName, type SettleInput } from "../../src/durable/protocol.ts";
import { DEFAULT_APPROVALS } from "../../src/policy/approval/index.ts";
import { DEFAULT_CONFIGURATION } from "../../src/policy/fence/index.ts";
import type { Effects } from "../../src/policy/types.ts";
import type { Tenant } from "../support/api.ts";

const NOTHING: Effects = {
  tool: "shell",
  risks: [],
  actions: [],
  opaque: null,
  backups: [],
  hosts: [],
  acts: [],
  recipients: [],
  amounts: [],
  items: [],
  stored: [],
  deceptions: [],
  governance: [],
  unreadable: [],
};

export function stubOf(tenant: Tenant, session: string) {
  return env.SESSION.getByName(objectName({ kind: "session", organization: tenant.organization, session }));
}

export function agentStubOf(tenant: Tenant) {
  return env.SESSION.getByName(
    objectName({ kind: "agent", organization: tenant.organization, agent: tenant.agent }),
  );
}

/** A decision as the Worker would ask for it, of a call that makes a backup and overwrites another. */
export function settleInput(tenant: Tenant, session: string, callId: string): SettleInput {
  return {
    ...standing(tenant, session),
    write: null,
    approvals: DEFAULT_APPROVALS,
    waiting: { organization: 0, agent: 0 },
    asking: null,
    decision_id: `dec_${callId}`,
    call_id: callId,
    tool: "terminal",
    digest: "0".repeat(64),
    modes: { guard: "enforce", oath: "enforce", fence: "off", provenance: "off" },
    findings: [],
    stale_policy: false,
    answerer: "human",
    host: null,
    private: { text: '{"args":{"command":"cp a b"}}', salt: new Uint8Array(32) },
    effects: {
      ...NOTHING,
      risks: ["WRITE"],
      backups: [{ src: "/home/u/a", dest: `/tmp/${callId}` }],
      actions: [{ verb: "modify", path: `/tmp/${callId}` }],
    },
    environment: { home: "/home/u", cwd: "/home/u/work", variables: {}, os: "linux" },
    fence: DEFAULT_CONFIGURATION,
  };
}

/** Who speaks, on a policy that no test has outrun. */
export function standing(tenant: Tenant, session: string) {
  return {
    session,
    agent: tenant.agent,
    key: tenant.key_id,
    policy_version: 1_000,
    context_version: 1,
  };
}

/** The largest row of any table of an object, in bytes of UTF-8: production takes 2,000,000. */
export async function largestRow(stub: DurableObjectStub): Promise<{ table: string; bytes: number }> {
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    let largest = { table: "", bytes: 0 };
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray();
    for (const { name } of tables)
      for (const row of sql.exec(`SELECT * FROM ${name}`)) {
        const bytes = Object.values(row).reduce<number>((sum, value) => sum + sizeOf(value), 0);
        if (bytes > largest.bytes) largest = { table: name, bytes };
      }
    return largest;
  });
}

/** Bytes of one stored or bound value. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return new TextEncoder().encode(value).byteLength;
  return value instanceof ArrayBuffer ? value.byteLength : 8;
}
