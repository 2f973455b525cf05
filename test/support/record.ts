/** What tests of checkpoints, receipts and drift share: everything delivered, and a checkpoint of it. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { objectName } from "../../src/durable/protocol.ts";
import { type Answer, must, type Tenant } from "./api.ts";

export function organizationStubOf(tenant: Tenant) {
  return env.SESSION.getByName(objectName({ kind: "organization", organization: tenant.organization }));
}

export function sessionStubOf(tenant: Tenant, session: string) {
  return env.SESSION.getByName(objectName({ kind: "session", organization: tenant.organization, session }));
}

/** Has the organization's object and those of the sessions deliver what waits for D1. */
export async function deliver(tenant: Tenant, ...sessions: string[]): Promise<void> {
  for (const session of sessions) await runDurableObjectAlarm(sessionStubOf(tenant, session));
  await runDurableObjectAlarm(organizationStubOf(tenant));
}

/** A checkpoint of everything. */
export async function checkpointOf(tenant: Tenant, ...sessions: string[]): Promise<Answer> {
  await deliver(tenant, ...sessions);
  return must("/v1/checkpoints", { method: "POST", cookie: tenant.cookie });
}
