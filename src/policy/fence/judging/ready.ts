/** A policy made ready for one session, once: paths resolved, words in sets. Kept beside the policy, never sent anywhere. */
import { hostOfTarget } from "../../effects/hosts.ts";
import type { Environment } from "../../types.ts";
import { kindsOfNouns } from "../objects.ts";
import type { Permission, Prohibition, Target, TaskPolicy } from "../types.ts";
import { familyOf } from "../verbs.ts";
import type { Ready } from "./acts/match.ts";
import { looksOf } from "./arguments.ts";
import { type Place, placeOf } from "./places.ts";

export interface ReadyBan {
  readonly prohibition: Prohibition;
  readonly verbs: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly places: readonly Place[];
  readonly recipients: readonly string[];
  readonly names: readonly string[];
  readonly hosts: readonly string[];
  readonly commands: readonly string[];
}

export interface ReadyPolicy {
  readonly environment: Environment;
  readonly permissions: readonly Ready[];
  readonly bans: readonly ReadyBan[];
  /** Words of the turns ask for some effect. */
  readonly acts: boolean;
  /** All that is asked for is a draft. */
  readonly draftsOnly: boolean;
  /** What was typed, by what it looks like. */
  readonly lookalikes: {
    readonly recipients: ReadonlyMap<string, ReadonlySet<string>>;
    readonly hosts: ReadonlyMap<string, ReadonlySet<string>>;
    /** By themselves: to forbid a host is not to mean it. */
    readonly forbidden: ReadonlyMap<string, ReadonlySet<string>>;
  };
  readonly named: { readonly hosts: readonly string[] };
}

const KEPT = new WeakMap<TaskPolicy, ReadyPolicy>();

export function readyPolicy(policy: TaskPolicy, environment: Environment): ReadyPolicy {
  const known = KEPT.get(policy);
  if (known !== undefined && sameEnvironment(known.environment, environment)) return known;
  const ready: ReadyPolicy = {
    environment,
    permissions: policy.permissions.map((permission) => readyPermission(permission, environment)),
    bans: policy.prohibitions.map((prohibition) => readyBan(prohibition, environment)),
    acts: policy.permissions.length > 0 || policy.delegated.length > 0,
    draftsOnly:
      policy.permissions.length > 0 &&
      policy.delegated.length === 0 &&
      policy.permissions.every(({ verbs }) => verbs[0] === "draft"),
    lookalikes: {
      recipients: byLooks(
        policy.permissions
          .flatMap(({ targets }) => textsOf(targets, "recipient"))
          .filter((text) => text.length > 3),
      ),
      hosts: byLooks([
        ...hostsOf(policy.named),
        ...policy.permissions.flatMap(({ targets }) => hostsOf(targets)),
      ]),
      forbidden: byLooks(policy.prohibitions.flatMap(({ targets }) => hostsOf(targets))),
    },
    named: { hosts: hostsOf(policy.named) },
  };
  KEPT.set(policy, ready);
  return ready;
}

function sameEnvironment(a: Environment, b: Environment): boolean {
  return (
    a === b ||
    (a.home === b.home &&
      a.cwd === b.cwd &&
      a.os === b.os &&
      JSON.stringify(a.variables) === JSON.stringify(b.variables))
  );
}

function readyPermission(permission: Permission, environment: Environment): Ready {
  const { targets } = permission;
  return {
    permission,
    verbs: new Set(permission.verbs),
    families: new Set(permission.verbs.map((verb) => familyOf(verb) ?? "")),
    kinds: kindsOfNouns(permission.object),
    words: new Set(permission.object),
    places: placesOf(targets, environment),
    recipients: textsOf(targets, "recipient"),
    names: textsOf(targets, "item"),
    hosts: hostsOf(targets),
    amounts: targets.filter(({ kind }) => kind === "amount"),
    commands: commandsOf(targets),
    quote: permission.quote,
  };
}

function readyBan(prohibition: Prohibition, environment: Environment): ReadyBan {
  const { targets } = prohibition;
  return {
    prohibition,
    verbs: new Set(prohibition.verbs),
    kinds: kindsOfNouns(prohibition.object),
    places: placesOf(targets, environment),
    recipients: textsOf(targets, "recipient"),
    names: textsOf(targets, "item"),
    hosts: hostsOf(targets),
    commands: commandsOf(targets),
  };
}

function commandsOf(targets: readonly Target[]): string[] {
  return targets.flatMap(({ kind, text }) => (kind === "command" ? [text.trim().replace(/\s+/g, " ")] : []));
}

function byLooks(texts: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const text of texts) {
    const key = looksOf(text);
    found.set(key, (found.get(key) ?? new Set()).add(text));
  }
  return found;
}

function textsOf(targets: readonly Target[], kind: Target["kind"]): string[] {
  return targets
    .filter((target) => target.kind === kind)
    .map(({ text }) => text.toLowerCase().replace(/^mailto:/, ""));
}

function placesOf(targets: readonly Target[], environment: Environment): Place[] {
  return targets.flatMap((target) => placeOf(target, environment) ?? []);
}

function hostsOf(targets: readonly Target[]): string[] {
  return targets.flatMap((target) => (target.kind === "host" ? (hostOfTarget(target.text) ?? []) : []));
}
