/**
 * Who may do what (DESIGN §8). A route names the access it takes; this finds the caller before anything of the body is
 * read, and refuses whoever may not. The organization always comes from the credential, never from the request.
 */
import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { type KeyRow, readKey, readMemberSession } from "../db/access.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import type { Waiting } from "../policy/approval/index.ts";
import { ROLES, type Role, type Scope } from "../roles.ts";
import { within } from "../within.ts";
import type { AppEnv } from "./context.ts";
import { credentialId, sameHash, sameSecret, secretHash } from "./credentials.ts";
import { Lru } from "./lru.ts";

/** A member's signed-in browser. `__Host-`: this host only, over TLS only, on every path. */
export const MEMBER_COOKIE = "__Host-countersign";

/** How long an isolate goes on with a key that it has resolved when D1 cannot be read (DESIGN §3.1). */
const KEY_GRACE_MS = 60_000;
/** D1 that has not answered a point read after this long is taken as unreadable. */
export const READ_TIMEOUT_MS = 2_000;
const REMEMBERED_KEYS = 10_000;

/** Who may call a route: an agent key with this scope, a member with at least this role, the operator. */
export interface Access {
  readonly agent?: Scope;
  readonly member?: Role;
  readonly operator?: true;
}

export interface AgentCaller {
  readonly kind: "agent";
  readonly organization: string;
  readonly agent: string;
  readonly key: string;
  readonly policy_version: number;
  /** True when D1 could not be read and this isolate goes on with what it read before. */
  readonly stale: boolean;
  /** Asks that waited for a person when the key was read: of the organization, and of the agent. */
  readonly waiting: Waiting;
}
export interface MemberCaller {
  readonly kind: "member";
  readonly organization: string;
  readonly member: string;
  readonly name: string;
  readonly role: Role;
  readonly member_session: string;
}
export type Caller = AgentCaller | MemberCaller | { readonly kind: "operator" };

/** Who is refused: an organization that is known gets a row. `null` when the credential proves none. */
export interface Suspect {
  readonly organization: string;
  readonly agent: string | null;
  readonly member: string | null;
  readonly key: string | null;
}

const remembered = new Lru<{ row: KeyRow; at: number }>(REMEMBERED_KEYS);

/** A body that took longer than this to arrive is answered on rights that were read again: those before may be gone. */
const FRESH_MS = 250;

/** Middleware: sets the caller, or throws `unauthenticated`, `forbidden`, `cross-site` or `unavailable`. */
export function access(spec: Access): MiddlewareHandler<AppEnv> {
  return async function checkAccess(c, next) {
    await authorise(c, spec);
    await next();
  };
}

/**
 * Middleware behind the body: whoever drips a body would be judged on an oath and a key of half a minute ago. The clock
 * moves while a Worker waits for input, so the wait can be told.
 */
export function accessStillHolds(spec: Access): MiddlewareHandler<AppEnv> {
  return async function checkAccessAgain(c, next) {
    if (Date.now() - c.get("authorisedAt") > FRESH_MS) await authorise(c, spec);
    await next();
  };
}

/**
 * Finds out who asks, as things stand now, and whether they may.
 * @throws {Problem} `unauthenticated`, `forbidden`, `cross-site` or `unavailable`
 */
export async function authorise(c: Context<AppEnv>, spec: Access): Promise<void> {
  c.set("authorisedAt", Date.now());
  const caller = await identify(c);
  if (!allows(spec, caller, c.get("scopes"))) throw new Problem("forbidden", forbidden(spec));
}

/**
 * Finds out who asks, whatever they may do.
 * @throws {Problem} `unauthenticated`, `cross-site` or `unavailable`
 */
export async function identify(c: Context<AppEnv>): Promise<Caller> {
  const caller = await callerOf(c);
  c.set("caller", caller);
  if (caller.kind !== "operator") c.set("suspect", suspectOf(caller));
  return caller;
}

export function suspectOf(caller: AgentCaller | MemberCaller): Suspect {
  return caller.kind === "agent"
    ? { organization: caller.organization, agent: caller.agent, member: null, key: caller.key }
    : { organization: caller.organization, agent: null, member: caller.member, key: null };
}

export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The caller of a route that only agents may call; the access check has made sure of it. */
export function agentCaller(c: Context<AppEnv>): AgentCaller {
  const caller = c.get("caller");
  if (caller.kind !== "agent") throw new Problem("forbidden", "This path is for agent keys.");
  return caller;
}

/** The caller of a route that only members may call. */
export function memberCaller(c: Context<AppEnv>): MemberCaller {
  const caller = c.get("caller");
  if (caller.kind !== "member") throw new Problem("forbidden", "This path is for signed-in members.");
  return caller;
}

/** The caller of a route that both may call: the operator belongs to no organization. */
export function organizationCaller(c: Context<AppEnv>): AgentCaller | MemberCaller {
  const caller = c.get("caller");
  if (caller.kind === "operator") throw new Problem("forbidden", "This path belongs to an organization.");
  return caller;
}

/** The member behind the cookie, or `null`; for pages, which send a stranger to sign in. */
export async function memberOf(c: Context<AppEnv>): Promise<MemberCaller | null> {
  const cookie = getCookie(c, MEMBER_COOKIE);
  return cookie === undefined ? null : memberByCookie(c, cookie);
}

/**
 * Refuses a request that another site made a browser send. A browser says where an unsafe request comes from; what is
 * no browser says nothing and carries no ambient cookie.
 */
export function refuseCrossSite(c: Context<AppEnv>): void {
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const own = new Set([new URL(c.req.url).origin, c.get("config").publicOrigin]);
  const foreign =
    site !== undefined ? site !== "same-origin" && site !== "none" : origin !== undefined && !own.has(origin);
  if (foreign) throw new Problem("cross-site", "Send this request from Countersign's own pages.");
}

async function callerOf(c: Context<AppEnv>): Promise<Caller> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1];
    if (token === undefined) throw unauthenticated("Send the key as authorization: Bearer <key>.");
    const keyId = credentialId("key", token);
    if (keyId !== null) return agentByKey(c, keyId, token);
    if (sameSecret(token, c.get("config").operatorToken)) return { kind: "operator" };
    throw unauthenticated("This key is not known.");
  }
  const cookie = getCookie(c, MEMBER_COOKIE);
  if (cookie !== undefined) {
    const member = await memberByCookie(c, cookie);
    if (member !== null) {
      c.set("suspect", suspectOf(member));
      if (c.req.method !== "GET" && c.req.method !== "HEAD") refuseCrossSite(c);
      return member;
    }
  }
  throw unauthenticated("Send an agent key as authorization: Bearer <key>, or sign in.");
}

async function agentByKey(c: Context<AppEnv>, keyId: string, token: string): Promise<AgentCaller> {
  const now = Date.now();
  let row: KeyRow | null;
  let stale = false;
  try {
    row = await within(READ_TIMEOUT_MS, readKey(c.env.DB, keyId, now));
    if (row === null) remembered.delete(keyId);
    else remembered.set(keyId, { row, at: now });
  } catch (error) {
    log.error("read-failed", error, { what: "key", request: c.get("requestId") });
    const known = remembered.get(keyId);
    if (known === undefined || now - known.at > KEY_GRACE_MS)
      throw new Problem("unavailable", "The database cannot be read. Try again.", {
        headers: { "retry-after": "5" },
      });
    row = known.row;
    stale = true;
  }
  if (row === null || !sameHash(row.secret_hash, secretHash(token)))
    throw unauthenticated("This key is not known.");
  if (row.revoked_at !== null) {
    // Whoever holds it held a right here once: its use is the organization's to know.
    c.set("suspect", {
      organization: row.organization_id,
      agent: row.agent_id,
      member: null,
      key: row.key_id,
    });
    throw unauthenticated("This key was revoked. Ask an administrator for another one.");
  }
  c.set("scopes", JSON.parse(row.scopes) as Scope[]);
  const [organization = 0, agent = 0] = row.waiting.split(",").map(Number);
  return {
    kind: "agent",
    organization: row.organization_id,
    agent: row.agent_id,
    key: row.key_id,
    policy_version: row.policy_version,
    stale,
    waiting: { organization, agent },
  };
}

async function memberByCookie(c: Context<AppEnv>, cookie: string): Promise<MemberCaller | null> {
  const id = credentialId("member_session", cookie);
  if (id === null) return null;
  let row: Awaited<ReturnType<typeof readMemberSession>>;
  try {
    row = await within(READ_TIMEOUT_MS, readMemberSession(c.env.DB, id));
  } catch (error) {
    log.error("read-failed", error, { what: "member-session", request: c.get("requestId") });
    throw new Problem("unavailable", "The database cannot be read. Try again.", {
      headers: { "retry-after": "5" },
    });
  }
  const live =
    row !== null &&
    sameHash(row.secret_hash, secretHash(cookie)) &&
    row.ended_at === null &&
    row.removed_at === null &&
    row.expires_at > Date.now();
  if (row === null || !live) return null;
  return {
    kind: "member",
    organization: row.organization_id,
    member: row.member_id,
    name: row.name,
    role: row.role,
    member_session: row.member_session_id,
  };
}

function allows(spec: Access, caller: Caller, scopes: readonly Scope[] | undefined): boolean {
  switch (caller.kind) {
    case "agent":
      return spec.agent !== undefined && scopes?.includes(spec.agent) === true;
    case "member":
      return spec.member !== undefined && hasRole(caller.role, spec.member);
    case "operator":
      return spec.operator === true;
  }
}

function forbidden(spec: Access): string {
  const who = [
    spec.agent === undefined ? null : `an agent key with the scope ${spec.agent}`,
    spec.member === undefined ? null : `a signed-in member with at least the role ${spec.member}`,
    spec.operator === true ? "the operator" : null,
  ].filter((text) => text !== null);
  return `This takes ${who.join(", or ")}.`;
}

function unauthenticated(detail: string): Problem {
  return new Problem("unauthenticated", detail, {
    headers: { "www-authenticate": 'Bearer realm="countersign"' },
  });
}
