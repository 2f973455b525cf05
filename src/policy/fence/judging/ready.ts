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
    permissions: addressed(policy.permissions).map((permission) => readyPermission(permission, environment)),
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

/**
 * `Write an email to bob@… and send it`: the order to send names nobody itself, and sends what was to be written to
 * whom. Only for a bare `send it` of the same turn, to whoever is named last before it.
 */
function addressed(permissions: readonly Permission[]): readonly Permission[] {
  return permissions.map((one) => {
    const isBare =
      one.risk === "COMMUNICATION" &&
      one.targets.length === 0 &&
      one.object.length === 0 &&
      /^(?:and |then |und |dann |y |luego )*\p{L}+(?: \p{L}+){0,3}$/iu.test(one.quote.trim()) &&
      SENDS_IT.test(one.quote);
    if (!isBare) return one;
    const written = permissions.findLast(
      ({ span, verbs, targets }) =>
        span.turn === one.span.turn &&
        span.start <= one.span.start &&
        (verbs.includes("draft") || verbs.includes("write") || verbs.includes("compose")) &&
        targets.some(({ kind }) => kind === "recipient"),
    );
    return written === undefined
      ? one
      : { ...one, targets: written.targets.filter(({ kind }) => kind === "recipient") };
  });
}

const SENDS_IT =
  /\b(?:it|that|this|off|out|them|ab|sie|ihn|es|env[ií]alo|m[aá]ndalo|env[ií]ala)\b|^\p{L}+$|发出|发送/iu;

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
  return targets.flatMap((target) => {
    const place = placeOf(target, environment);
    // `My .bashrc` lies at home, whatever the workspace.
    const home = isAtHome(target) ? placeOf({ ...target, text: `~/${target.text}` }, environment) : null;
    return [place, home].filter((one) => one !== null);
  });
}

const isAtHome = ({ kind, text, within }: Target): boolean =>
  kind === "path" &&
  within === undefined &&
  /^\.(?:bashrc|bash_profile|bash_aliases|profile|zshrc|zprofile|zshenv|vimrc|gitconfig|tmux\.conf|inputrc|xinitrc)$/.test(
    text,
  );

function hostsOf(targets: readonly Target[]): string[] {
  return targets.flatMap((target) => (target.kind === "host" ? (hostOfTarget(target.text) ?? []) : []));
}
