/** What governs an organization: settings, members, agents, keys, oaths. Everything here begins from the organization. */
import { and, asc, count, desc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as t from "./schema.ts";

export interface OathText {
  readonly version: number;
  readonly text: string;
}

export interface GoverningRows {
  readonly policy_version: number;
  readonly settings: string;
  readonly tool_table: string;
  readonly agent_settings: string;
  readonly organization_oath: OathText | null;
  readonly agent_oath: OathText | null;
}

/**
 * Everything that a compiled policy is made of, read in one batch and so of one moment. `null` without the organization
 * or the agent.
 * @param agent `null` for what governs the organization, whichever agent
 */
export async function readGoverning(
  db: D1Database,
  organization: string,
  agent: string | null,
): Promise<GoverningRows | null> {
  const newest = `SELECT version, text FROM oath_versions WHERE organization_id = ? AND oath = ? ORDER BY version DESC LIMIT 1`;
  const [own, organizationOath, agentOath] = await db.batch([
    db
      .prepare(
        `SELECT o.policy_version, o.settings, o.tool_table, coalesce(a.settings, '{}') AS agent_settings
         FROM organizations AS o
         LEFT JOIN agents AS a ON a.organization_id = o.organization_id AND a.agent_id = ?2
         WHERE o.organization_id = ?1 AND (?2 IS NULL OR a.agent_id IS NOT NULL)`,
      )
      .bind(organization, agent),
    db.prepare(newest).bind(organization, "organization"),
    db.prepare(newest).bind(organization, agent),
  ]);
  const row = own?.results[0] as
    | Pick<GoverningRows, "policy_version" | "settings" | "tool_table" | "agent_settings">
    | undefined;
  if (row === undefined) return null;
  return {
    ...row,
    organization_oath: (organizationOath?.results[0] as OathText | undefined) ?? null,
    agent_oath: (agentOath?.results[0] as OathText | undefined) ?? null,
  };
}

export async function readOrganization(db: D1Database, organization: string) {
  const [row] = await drizzle(db)
    .select()
    .from(t.organizations)
    .where(eq(t.organizations.organization_id, organization))
    .limit(1);
  return row ?? null;
}

/** The organization's settings as JSON text; `null` without the organization. */
export async function readSettings(db: D1Database, organization: string): Promise<string | null> {
  const row = await db
    .prepare("SELECT settings FROM organizations WHERE organization_id = ?")
    .bind(organization)
    .first<{ settings: string }>();
  return row?.settings ?? null;
}

/** The version in force, or the one asked for; `null` when there is none. `oath` is `organization` or an agent's id. */
export async function readOath(db: D1Database, organization: string, oath: string, version?: number) {
  const [row] = await drizzle(db)
    .select()
    .from(t.oathVersions)
    .where(
      and(
        eq(t.oathVersions.organization_id, organization),
        eq(t.oathVersions.oath, oath),
        version === undefined ? undefined : eq(t.oathVersions.version, version),
      ),
    )
    .orderBy(desc(t.oathVersions.version))
    .limit(1);
  return row ?? null;
}

/** Who swore which version when, newest first; not the texts. */
export async function listOathVersions(db: D1Database, organization: string, oath: string, limit: number) {
  return drizzle(db)
    .select({
      version: t.oathVersions.version,
      sworn_by: t.oathVersions.sworn_by,
      sworn_at: t.oathVersions.sworn_at,
    })
    .from(t.oathVersions)
    .where(and(eq(t.oathVersions.organization_id, organization), eq(t.oathVersions.oath, oath)))
    .orderBy(desc(t.oathVersions.version))
    .limit(limit);
}

/** Every name that the organization's records can mean: of members, those who left too. */
export async function listMemberNames(db: D1Database, organization: string) {
  return drizzle(db)
    .select({ member_id: t.members.member_id, name: t.members.name })
    .from(t.members)
    .where(eq(t.members.organization_id, organization));
}

export async function listMembers(db: D1Database, organization: string) {
  return drizzle(db)
    .select()
    .from(t.members)
    .where(and(eq(t.members.organization_id, organization), isNull(t.members.removed_at)))
    .orderBy(asc(t.members.created_at), asc(t.members.member_id));
}

export async function readMember(db: D1Database, organization: string, member: string) {
  const [row] = await drizzle(db)
    .select()
    .from(t.members)
    .where(
      and(
        eq(t.members.organization_id, organization),
        eq(t.members.member_id, member),
        isNull(t.members.removed_at),
      ),
    )
    .limit(1);
  return row ?? null;
}

export async function listAgents(db: D1Database, organization: string) {
  return drizzle(db)
    .select()
    .from(t.agents)
    .where(eq(t.agents.organization_id, organization))
    .orderBy(asc(t.agents.created_at), asc(t.agents.agent_id));
}

export async function readAgent(db: D1Database, organization: string, agent: string) {
  const [row] = await drizzle(db)
    .select()
    .from(t.agents)
    .where(and(eq(t.agents.organization_id, organization), eq(t.agents.agent_id, agent)))
    .limit(1);
  return row ?? null;
}

/** Keys of one agent, or of all; never their hashes. */
export async function listKeys(db: D1Database, organization: string, agent?: string) {
  return drizzle(db)
    .select({
      key_id: t.apiKeys.key_id,
      agent_id: t.apiKeys.agent_id,
      name: t.apiKeys.name,
      scopes: t.apiKeys.scopes,
      created_at: t.apiKeys.created_at,
      revoked_at: t.apiKeys.revoked_at,
    })
    .from(t.apiKeys)
    .where(
      and(
        eq(t.apiKeys.organization_id, organization),
        agent === undefined ? undefined : eq(t.apiKeys.agent_id, agent),
      ),
    )
    .orderBy(asc(t.apiKeys.created_at), asc(t.apiKeys.key_id));
}

/** How many live keys each agent has; agents without one are left out. */
export async function countLiveKeys(db: D1Database, organization: string): Promise<Map<string, number>> {
  const rows = await drizzle(db)
    .select({ agent_id: t.apiKeys.agent_id, keys: count() })
    .from(t.apiKeys)
    .where(and(eq(t.apiKeys.organization_id, organization), isNull(t.apiKeys.revoked_at)))
    .groupBy(t.apiKeys.agent_id);
  return new Map(rows.map(({ agent_id, keys }) => [agent_id, keys]));
}
