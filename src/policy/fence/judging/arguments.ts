/**
 * What the arguments of a call alone are refused for, whoever asked (CONVENTIONS §3.3): a name drawn like one that the
 * person typed, a place from which things run later, everything at once.
 */
import { fromPunycode } from "../../effects/spelling.ts";
import { homeOf } from "../../paths/index.ts";
import { skeletonOf } from "../../text/lookalike.ts";
import type { Environment, PathBound } from "../../types.ts";
import type { Call } from "./acts/match.ts";
import { sameAddress } from "./acts/people.ts";
import { MOVES } from "./acts/verbs.ts";
import { isBroad, isDisk, isItself } from "./places.ts";
import type { ReadyPolicy } from "./ready.ts";

/** The rules that block it. */
export function refusedArguments(call: Call, policy: ReadyPolicy): string[] {
  const { effects, environment, writes } = call;
  const rules: string[] = [];
  const acts = effects.risks.some((risk) => risk !== "READ");
  for (const { pointer } of acts ? effects.deceptions : []) {
    const person = effects.recipients.some((recipient) => recipient.pointer === pointer);
    rules.push(person ? "deceptive-recipient" : "deceptive-target");
  }
  for (const { address } of effects.recipients)
    if (resembles(policy.lookalikes.recipients, address)) rules.push("deceptive-recipient");
  for (const host of effects.hosts)
    if (resembles(policy.lookalikes.hosts, host) || resembles(policy.lookalikes.forbidden, host))
      rules.push("deceptive-target");
  if (writes.some((path) => isRunLater(path, environment) && !isNamedForWriting(policy, path)))
    rules.push("persistence-path");
  const modes = effects.acts.some(({ verbs }) => verbs.some((verb) => verb === "chmod" || verb === "chown"));
  if (
    (call.deletes.some((path) => isBroad(path, environment)) && !moves(call)) ||
    writes.some((path) => isDisk(path) || (modes && isBroad(path, environment)))
  )
    rules.push("broad-path");
  return rules;
}

/** Drawn like a name that the person typed, and another one. */
function resembles(known: ReadonlyMap<string, ReadonlySet<string>>, text: string): boolean {
  if (known.size === 0) return false;
  const typed = known.get(looksOf(text));
  return typed !== undefined && ![...typed].some((one) => sameAddress(one, text));
}

/** What a name looks like where it is shown: a host's ASCII form as the letters that it stands for. */
export function looksOf(text: string): string {
  return skeletonOf(
    text.includes("xn--")
      ? text.replace(/xn--([a-z0-9-]{1,60})/gi, (label, coded: string) => fromPunycode(coded) ?? label)
      : text,
  );
}

/** True for a file that the person asked, by its path, to write. */
export function isNamedForWriting({ permissions }: ReadyPolicy, path: PathBound): boolean {
  return (
    !/authorized_keys/.test(path) &&
    permissions.some(
      ({ permission, places }) =>
        permission.risk === "WRITE" && places.some((place) => isItself(place, path)),
    )
  );
}

const moves = ({ effects }: Call): boolean =>
  effects.acts.some(({ risk, verbs }) => risk === "DELETE" && verbs.some((verb) => MOVES.test(verb)));

/** What lets somebody in, or runs by itself later. */
function isRunLater(path: PathBound, environment: Environment): boolean {
  if (RUNS_LATER.test(path)) return true;
  const home = homeOf(environment);
  return home !== null && path.startsWith(`${home}/.`) && STARTS.test(path.slice(home.length));
}

const RUNS_LATER =
  /\/\.ssh(?:\/|$)|\/\.config\/(?:autostart|systemd|fish\/conf\.d|environment\.d)(?:\/|$)|\/Library\/(?:LaunchAgents|LaunchDaemons|StartupItems)\/|^\/etc\/(?:cron[^/]*|profile(?:\.d)?|rc\.local|init\.d|systemd|sudoers(?:\.d)?|ld\.so\.preload|environment)(?:\/|$)|^\/var\/spool\/cron|\/\.git\/hooks\/|\/start menu\/programs\/startup\//i;
const STARTS =
  /^\/\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|zlogin|xprofile|xinitrc|xsession|pam_environment|inputrc|(?:bashrc|zshrc|profile)\.d\/.*)$/;
