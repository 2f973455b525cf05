/**
 * Makes a change to what governs an organization: the organization's object records it, then it is published to D1, so
 * that it is in force when the answer leaves. If D1 cannot be written the change is on record and the outbox publishes
 * it; the answer says so.
 */
import type { Context } from "hono";
import { publishEntries } from "../db/publish.ts";
import type { Change, Changed } from "../durable/organization.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import type { AppEnv } from "./context.ts";
import { organizationStub } from "./sessions.ts";

const PUBLISH_TIMEOUT_MS = 5_000;

/**
 * @param actor the member who asks; `null` for the operator
 * @throws {Problem} `not-found`, `conflict`, `version-mismatch`, `publish-pending`
 */
export async function govern(
  c: Context<AppEnv>,
  organization: string,
  change: Change,
  actor: string | null,
): Promise<Extract<Changed, { ok: true }>> {
  const changed: Changed = await organizationStub(c.env, organization).change(change, actor);
  if (!changed.ok)
    throw new Problem(
      changed.code,
      changed.detail,
      changed.current === undefined ? {} : { extra: { current_version: changed.current } },
    );
  try {
    await within(
      PUBLISH_TIMEOUT_MS,
      publishEntries(c.env.DB, { org: organization, session: null }, [changed.entry]),
    );
  } catch (error) {
    log.error("publish-failed", error, { change: change.kind, request: c.get("requestId") });
    throw new Problem(
      "publish-pending",
      "The change is on record and comes into force as soon as the database can be written. Do not repeat it.",
      { headers: { "retry-after": "10" } },
    );
  }
  return changed;
}
