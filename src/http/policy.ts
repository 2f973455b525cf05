/**
 * What governs an agent, compiled once per isolate and version. The version comes with the caller's credential, read
 * fresh on every request, so that an oath changed a moment ago is already in force.
 */
import { type CompilerSettings, compilerSettings } from "../compiler/index.ts";
import { type GoverningRows, readGoverning } from "../db/governance.ts";
import { Problem } from "../errors.ts";
import { log } from "../log.ts";
import { type ApprovalConfiguration, readApprovals } from "../policy/approval/index.ts";
import { parseToolTable, TABLES, type Tables, toolsWith } from "../policy/effects/index.ts";
import { type FenceConfiguration, readConfiguration } from "../policy/fence/index.ts";
import { type ModeSettings, type Modes, resolveModes } from "../policy/modes.ts";
import { type BoundOath, bindOath, type CompiledOath, compileOath, parseOath } from "../policy/oath/index.ts";
import { type ProvenanceConfiguration, readProvenance } from "../policy/provenance/index.ts";
import type { Environment } from "../policy/types.ts";
import { within } from "../within.ts";
import { type AgentCaller, READ_TIMEOUT_MS } from "./access.ts";
import { Lru } from "./lru.ts";

/** Files up to this size are hashed by clients, larger ones known by size and time (the seed's `hash_limit_bytes`). */
export const DEFAULT_HASH_LIMIT_BYTES = 1_000_000;
const REMEMBERED_POLICIES = 1_000;
const REMEMBERED_ENVIRONMENTS = 200;

export interface Policy {
  readonly version: number;
  readonly modes: Modes;
  readonly oaths: readonly CompiledOath[];
  readonly hash_limit_bytes: number;
  readonly fence: FenceConfiguration;
  readonly provenance: ProvenanceConfiguration;
  readonly approvals: ApprovalConfiguration;
  /** Who reads a person's words into a task policy. */
  readonly compiler: CompilerSettings;
  /** What calls are read by: the table of tools under the organization's own rows. */
  readonly tables: Tables;
  /** The oaths with their patterns expanded for one environment. */
  bind(environment: Environment): readonly BoundOath[];
}

const remembered = new Lru<Policy>(REMEMBERED_POLICIES);

/**
 * The policy in force for this caller, at least as new as `atLeast`.
 * @throws {Problem} `unavailable` when it has to be read and D1 cannot be
 */
export async function policyFor(
  db: D1Database,
  caller: AgentCaller,
  atLeast = caller.policy_version,
): Promise<Policy> {
  const key = `${caller.organization}/${caller.agent}`;
  const known = remembered.get(key);
  if (known !== undefined && known.version >= atLeast) return known;
  let rows: GoverningRows | null;
  try {
    rows = await within(READ_TIMEOUT_MS, readGoverning(db, caller.organization, caller.agent));
  } catch (error) {
    log.error("read-failed", error, { what: "policy" });
    throw new Problem("unavailable", "The database cannot be read. Try again.", {
      headers: { "retry-after": "5" },
    });
  }
  if (rows === null || rows.policy_version < atLeast)
    throw new Problem("unavailable", "The policy in force cannot be read yet. Try again.", {
      headers: { "retry-after": "1" },
    });
  const policy = compile(rows);
  const newest = remembered.get(key);
  if (newest === undefined || newest.version < policy.version) remembered.set(key, policy);
  return policy;
}

/**
 * The policy in force for an agent of which somebody else asks, read anew.
 * @throws {Problem} `unavailable`
 */
export async function policyOfAgent(db: D1Database, organization: string, agent: string): Promise<Policy> {
  const rows = await readGoverning(db, organization, agent);
  if (rows === null)
    throw new Problem("unavailable", "The policy in force cannot be read yet. Try again.", {
      headers: { "retry-after": "1" },
    });
  return compile(rows);
}

/**
 * What a decision for this caller would stand on: an agent's policy as it is in force; for a member, their
 * organization's, without any agent's own oath or settings.
 * @throws {Problem} `unavailable`, `not-found`
 */
export async function policyOf(
  db: D1Database,
  caller: AgentCaller | { readonly kind: "member"; readonly organization: string },
): Promise<Policy> {
  if (caller.kind === "agent") return policyFor(db, caller);
  const rows = await readGoverning(db, caller.organization, null);
  if (rows === null) throw new Problem("not-found", "There is no such organization.");
  return compile(rows);
}

function compile(rows: GoverningRows): Policy {
  const settings = JSON.parse(rows.settings) as ModeSettings & {
    hash_limit_bytes?: number;
    fence?: unknown;
    provenance?: unknown;
    approvals?: unknown;
    compiler?: unknown;
  };
  const oaths: CompiledOath[] = [];
  for (const [source, stored] of [
    ["organization", rows.organization_oath],
    ["agent", rows.agent_oath],
  ] as const) {
    if (stored === null) continue;
    const parsed = parseOath(stored.text);
    // It parsed when it was sworn. If it no longer does, nothing may pass as if there were no oath.
    if (!parsed.ok) throw new Error(`the sworn ${source} oath, version ${stored.version}, does not parse`);
    oaths.push(compileOath(parsed.oath, source, stored.version));
  }
  const tools = parseToolTable(JSON.parse(rows.tool_table));
  // As with an oath: what was whole when it was saved must not fall silent.
  if (!tools.ok) throw new Error("the tool table in force cannot be read");
  const bound = new Lru<readonly BoundOath[]>(REMEMBERED_ENVIRONMENTS);
  return {
    version: rows.policy_version,
    modes: resolveModes(settings, JSON.parse(rows.agent_settings) as ModeSettings),
    oaths,
    hash_limit_bytes: settings.hash_limit_bytes ?? DEFAULT_HASH_LIMIT_BYTES,
    fence: readConfiguration(settings.fence),
    provenance: readProvenance(settings.provenance),
    approvals: readApprovals(settings.approvals),
    compiler: compilerSettings(settings.compiler),
    tables: toolsWith(TABLES, tools.table),
    bind(environment) {
      const key = JSON.stringify([environment.home, environment.cwd, environment.os, environment.variables]);
      const known = bound.get(key);
      if (known !== undefined) return known;
      const fresh = oaths.map((oath) => bindOath(oath, environment));
      bound.set(key, fresh);
      return fresh;
    },
  };
}
