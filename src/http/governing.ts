/**
 * Makes a change to what governs an organization: the organization's object records it, then it is published to D1, so
 * that it is in force when the answer leaves. If D1 cannot be written the change is on record and the outbox publishes
 * it; the answer says so.
 */
import type { Context } from "hono";
import { publishEntries } from "../db/publish.ts";
import type { Change, Changed } from "../durable/changes.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import { within } from "../within.ts";
import type { AppEnv } from "./context.ts";
import { callObject, organizationStub } from "./sessions.ts";

const PUBLISH_TIMEOUT_MS = 5_000;

type Made = Extract<Changed, { ok: true }>;

/**
 * Makes a change, in force when it returns.
 * @param actor the member who asks; `null` for the operator
 * @throws {Problem} `not-found`, `conflict`, `version-mismatch`, `forbidden`, `publish-pending`
 */
export async function govern(
  c: Context<AppEnv>,
  organization: string,
  change: Change,
  actor: string | null,
): Promise<Made> {
  const made = await governLater(c, organization, change, actor);
  if (made.in_force) return made;
  throw new Problem(
    "publish-pending",
    "The change is on record and comes into force as soon as the database can be written. Do not repeat it.",
    { headers: { "retry-after": "10" } },
  );
}

/**
 * The same for a change whose answer must not be lost: it says whether it is in force, and the outbox sees to it if not.
 * @throws {Problem} `not-found`, `conflict`, `version-mismatch`, `forbidden`
 */
export async function governLater(
  c: Context<AppEnv>,
  organization: string,
  change: Change,
  actor: string | null,
): Promise<Made & { readonly in_force: boolean }> {
  return governAs(c.env, organization, change, actor, `${c.get("requestId")}/${changeCount(c)}`);
}

/**
 * The same outside a request.
 * @param id of the change: asked again with the same one, nothing changes and the answer is the same
 * @throws {Problem} `not-found`, `conflict`, `version-mismatch`, `forbidden`
 */
export async function governAs(
  env: Env,
  organization: string,
  change: Change,
  actor: string | null,
  id: string,
): Promise<Made & { readonly in_force: boolean }> {
  const changed: Changed = await callObject(
    () => organizationStub(env, organization),
    (stub) => stub.change(change, actor, id),
  );
  if (!changed.ok)
    throw new Problem(
      changed.code,
      changed.detail,
      changed.current === undefined ? {} : { extra: { current_version: changed.current } },
    );
  try {
    if (changed.entries === null) throw new Error("too many changes wait to be published");
    const published = publishEntries(env.DB, { org: organization, session: null }, changed.entries);
    await within(PUBLISH_TIMEOUT_MS, published);
    return { ...changed, in_force: true };
  } catch (error) {
    log.error("publish-failed", error, { change: change.kind, id });
    return { ...changed, in_force: false };
  }
}

/** One request may make several changes; each has an id of its own. */
function changeCount(c: Context<AppEnv>): number {
  const count = (c.get("changes") ?? 0) + 1;
  c.set("changes", count);
  return count;
}
