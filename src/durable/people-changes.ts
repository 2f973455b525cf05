/** Members, agents and keys of an organization, as its object keeps and changes them. */
import type { Role, Scope } from "../roles.ts";
import { type Change, conflict, type Effect, notFound, type Rejected, type Settings } from "./changes.ts";
import type { Registry } from "./registry.ts";

/** Bounds on what one organization holds, so that its object and its lists stay small. */
const MAX_MEMBERS = 1_000;
const MAX_AGENTS = 1_000;
const MAX_KEYS_PER_AGENT = 100;

export interface Member {
  name: string;
  role: Role;
  created_at: number;
  removed_at: number | null;
}
export interface Agent {
  name: string;
  settings: Settings;
  created_at: number;
}
interface Key {
  agent_id: string;
  name: string;
  scopes: Scope[];
  secret_hash: string;
  created_at: number;
  revoked_at: number | null;
}

export type PeopleChange = Extract<
  Change,
  {
    kind:
      | "add_member"
      | "change_member"
      | "remove_member"
      | "create_agent"
      | "change_agent"
      | "create_key"
      | "revoke_key";
  }
>;

export function changePeople(registry: Registry, change: PeopleChange, now: number): Effect | Rejected {
  switch (change.kind) {
    case "add_member": {
      if (registry.count("member") >= MAX_MEMBERS)
        return conflict(`An organization holds at most ${MAX_MEMBERS} members.`);
      if (registry.get("member", change.member_id) !== null) return conflict("The member exists.");
      const member: Member = { name: change.name, role: change.role, created_at: now, removed_at: null };
      registry.put("member", change.member_id, member);
      return {
        kind: "member_added",
        body: { member: change.member_id, role: change.role },
        rows: [{ op: "member", member_id: change.member_id, ...member }],
      };
    }
    case "change_member":
    case "remove_member": {
      const before = registry.get<Member>("member", change.member_id);
      if (before === null || before.removed_at !== null) return notFound("There is no such member.");
      const after: Member =
        change.kind === "remove_member" ? { ...before, removed_at: now } : { ...before, role: change.role };
      if (
        before.role === "owner" &&
        (after.role !== "owner" || after.removed_at !== null) &&
        owners(registry) === 1
      )
        return conflict("This is the last owner. Make another member an owner first.");
      registry.put("member", change.member_id, after);
      return {
        kind: change.kind === "remove_member" ? "member_removed" : "member_changed",
        body: { member: change.member_id, role: after.role },
        rows: [{ op: "member", member_id: change.member_id, ...after }],
      };
    }
    case "create_agent": {
      if (registry.count("agent") >= MAX_AGENTS)
        return conflict(`An organization holds at most ${MAX_AGENTS} agents.`);
      if (registry.get("agent_name", change.name) !== null)
        return conflict(
          "An agent of this name exists. One name is one agent: use it, or choose another name.",
        );
      const agent: Agent = { name: change.name, settings: change.settings, created_at: now };
      registry.put("agent", change.agent_id, agent);
      registry.put("agent_name", change.name, change.agent_id);
      return {
        kind: "agent_created",
        body: { agent: change.agent_id, name: change.name },
        rows: [{ op: "agent", agent_id: change.agent_id, ...agent }],
      };
    }
    case "change_agent": {
      const before = registry.get<Agent>("agent", change.agent_id);
      if (before === null) return notFound("There is no such agent.");
      const after: Agent = { ...before, settings: change.settings };
      registry.put("agent", change.agent_id, after);
      return {
        kind: "agent_changed",
        body: { agent: change.agent_id, settings: change.settings },
        rows: [{ op: "agent", agent_id: change.agent_id, ...after }],
        governs: true,
      };
    }
    case "create_key": {
      if (registry.get("agent", change.agent_id) === null) return notFound("There is no such agent.");
      const live = registry
        .all<Key>("key")
        .filter((key) => key.agent_id === change.agent_id && key.revoked_at === null);
      if (live.length >= MAX_KEYS_PER_AGENT)
        return conflict(`An agent holds at most ${MAX_KEYS_PER_AGENT} live keys.`);
      const key: Key = {
        agent_id: change.agent_id,
        name: change.name,
        scopes: change.scopes,
        secret_hash: change.secret_hash,
        created_at: now,
        revoked_at: null,
      };
      registry.put("key", change.key_id, key);
      return {
        kind: "key_created",
        body: { agent: change.agent_id, key: change.key_id, scopes: change.scopes },
        rows: [{ op: "key", key_id: change.key_id, ...key }],
      };
    }
    case "revoke_key": {
      const before = registry.get<Key>("key", change.key_id);
      if (before === null || before.agent_id !== change.agent_id) return notFound("There is no such key.");
      const after: Key = { ...before, revoked_at: before.revoked_at ?? now };
      registry.put("key", change.key_id, after);
      return {
        kind: "key_revoked",
        body: { agent: change.agent_id, key: change.key_id },
        rows: [{ op: "key", key_id: change.key_id, ...after }],
      };
    }
  }
}

function owners(registry: Registry): number {
  return registry
    .all<Member>("member")
    .filter((member) => member.role === "owner" && member.removed_at === null).length;
}
