/** Commands and code that are run. */

import { SUBCOMMANDS } from "../../../effects/shell/commands/words.ts";
import type { Act, Effects } from "../../../types.ts";
import { CODING_VERBS, familyOf, plainVerb } from "../../verbs.ts";
import { covers, isItself } from "../places.ts";
import { baseName } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";

/**
 * A command that was typed out is what was asked for, whatever it does: every command of the call, in the words of the
 * person, and every file that it writes besides. `null` where it was not.
 */
export function matchDictated(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  if (!areTyped(ready.commands, effects)) return null;
  const isTyped = (text: string): boolean => ready.commands.some((typed) => holds(typed, text));
  if (act.risk === "WRITE" && !call.writes.every((path) => isTyped(baseName(path)) || isTyped(path)))
    return null;
  return isRemoteCode(effects) || isRoot(act, commandsOf(effects)) ? asked("remote-code") : named();
}

/** Every command of the call is one that was typed, or part of one. */
export function areTyped(typed: readonly string[], effects: Effects): boolean {
  if (typed.length === 0) return false;
  const commands = commandsOf(effects);
  return commands.length > 0 && commands.every((one) => typed.some((whole) => holds(whole, one)));
}

const commandsOf = ({ items }: Effects): string[] =>
  items.filter(({ name }) => name === "command").map(({ value }) => tight(value));

const isRoot = (act: Act, commands: readonly string[]): boolean =>
  act.verbs.includes("sudo") ||
  act.service === "sudo" ||
  commands.some((one) => /(?:^|\s)(?:sudo|doas|su)\s/.test(one));

/** As whole words: `rm old` is no part of `rm old.txt`. */
function holds(typed: string, text: string): boolean {
  for (let at = typed.indexOf(text); at >= 0; at = typed.indexOf(text, at + 1)) {
    const before = typed.charAt(at - 1);
    const after = typed.charAt(at + text.length);
    if (/^[\s;&|(/]?$/.test(before) && /^[\s;&|)]?$/.test(after)) return true;
  }
  return false;
}

export function matchExecute(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const commands = commandsOf(effects);
  const remote = isRemoteCode(effects);
  const sudo = isRoot(act, commands);
  if (ready.commands.length > 0) {
    const exact = commands.some((one) =>
      ready.commands.some((typed) => holds(typed, one) || isWithOptions(typed, one)),
    );
    if (exact) return remote || sudo ? asked("remote-code") : named();
    if (commands.some((one) => ready.commands.some((typed) => one.startsWith(`${typed} `))))
      return asked("scope-wider");
    if (ready.verbs.has("run") && ready.words.size === 0) return asked("target-not-named");
  }
  const inline = effects.items.filter(
    ({ name }) => name === "expression" || name === "code" || name === "script" || name === "javascript",
  );
  if (
    act.service === null &&
    (inline.length > 0 || act.object.some((word) => word === "code" || word === "expression"))
  ) {
    // Code that was dictated is what was asked for; any other code is not.
    if (![...ready.verbs].some((verb) => familyOf(verb) === "run")) return null;
    return inline.length > 0 &&
      inline.every(({ value }) => value.trim().length > 3 && ready.quote.includes(value.trim()))
      ? named()
      : asked("opaque-execution");
  }
  // What was to be run was named: another way to get it asks. A task that only implies running things does not.
  if (remote) return ready.verbs.has("run") || ready.verbs.has("install") ? asked("remote-code") : null;
  if (sudo) return asked("opaque-execution");
  if (goesTooFar(ready, act)) return asked("scope-wider");
  if (effects.opaque?.causes.includes("process-control")) return stopsProcess(ready, act, commands);
  if (effects.opaque?.causes.includes("service-control") && !controls(ready, act))
    return [...ready.families].includes("run") ? asked("target-not-named") : null;
  const words = new Set(saidOf(act));
  const specific = act.verbs.some(
    (verb) => verb !== "run" && verb !== "execute" && ready.verbs.has(plainVerb(verb)),
  );
  const overlap =
    [...ready.words].some(
      (word) => words.has(word) || (word.endsWith("s") && words.has(word.slice(0, -1))),
    ) || ready.names.some((name) => act.object.includes(baseName(name)));
  if (ready.verbs.has("install")) {
    const packages = act.object.filter(
      (word) =>
        !/^(?:npm|pip|pip3|apt|apt-get|brew|yarn|pnpm|uv|cargo|gem|go|install|add|i|-r|ci)$/.test(word),
    );
    if (!act.verbs.some((verb) => /^(?:install|add|ci|i)$/.test(verb))) return asked("target-not-named");
    if (packages.length === 0)
      return ready.words.has("dependencies") || ready.words.has("packages") || ready.words.size === 0
        ? named([], false)
        : asked("target-not-named");
    return packages.every(
      (one) => ready.words.has(one.replace(/[@=<>~^].*$/, "")) || ready.names.includes(one),
    )
      ? named()
      : asked("scope-wider");
  }
  if (specific && (overlap || ready.words.size === 0 || isCheck(act))) return named([], overlap);
  if (ready.verbs.has("run") || ready.verbs.has("test") || ready.verbs.has("build")) {
    const { environment } = call;
    const lies = ready.places.some(
      (place) =>
        effects.opaque?.names.some((name) => covers(place, name, environment) && !isItself(place, name)) ??
        false,
    );
    if (lies) return named();
    const ran = ready.places.some(
      (place) => effects.opaque?.names.some((name) => isItself(place, name)) ?? false,
    );
    // What it is run with was named too, or nothing was.
    const extra = act.object.filter(
      (word) =>
        !ready.words.has(word) && !ready.names.includes(word) && !ready.quote.toLowerCase().includes(word),
    );
    if (ran) return extra.length > 0 && ready.words.size > 0 ? asked("target-not-named") : named();
    if (overlap) return named();
    if (ready.words.size === 0 && ready.permission.targets.length === 0) return named([], false);
    return asked("target-not-named");
  }
  if (specific) return asked("target-not-named");
  if ([...ready.verbs].some((verb) => CODING_VERBS.has(verb)) && isCheck(act))
    return effects.opaque?.causes.includes("changed-environment") ? null : named([], false);
  return null;
}

/**
 * What a request may mean of a command. The name of a program that does many things says nothing of which of them is
 * meant: to build with docker is not to run anything in it.
 */
function saidOf({ object, verbs, service }: Act): readonly string[] {
  const isManifold = service !== null && SUBCOMMANDS.has(service) && object.some((word) => word !== service);
  return [...object, ...verbs].filter((word) => !isManifold || word !== service);
}

/** Words of commands that throw away, undo or put before others what a plain `run` or `build` does not. */
const GRAVE =
  /^(?:deploy|deployment|publish|ship|push|drop|reset|flush|destroy|purge|wipe|prune|uninstall|delete|remove|rm|rmi|rollback|nuke|downgrade|obliterate|erase|truncate)$/;

/** A step of that kind that the words do not speak of. */
function goesTooFar({ quote, verbs }: Ready, { verbs: done, object }: Act): boolean {
  const said = quote.toLowerCase();
  return [...done, ...object]
    .flatMap((word) => word.toLowerCase().split(/[^a-z]+/))
    .some((word) => GRAVE.test(word) && !verbs.has(word) && !said.includes(word.slice(0, 5)));
}

/** The command that was typed, with more behind it; what an installer is given besides is more than was typed. */
function isWithOptions(typed: string, command: string): boolean {
  if (!command.startsWith(`${typed} `)) return false;
  const rest = command.slice(typed.length + 1).split(" ");
  return !/ (?:install|add|i|get)$/.test(typed) || rest.every((word) => word.startsWith("-"));
}

/** A process that is ended was named: by its name, its number or the port that it listens on; or was looked up. */
function stopsProcess({ verbs, quote, names }: Ready, act: Act, commands: readonly string[]): Match | null {
  if (!["stop", "kill", "shut_down", "turn_off", "cancel", "restart"].some((verb) => verbs.has(verb)))
    return verbs.has("run") ? asked("target-not-named") : null;
  const said = new Set(quote.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const numbers = [...said, ...names].filter((word) => /^\d{2,}$/.test(word));
  const ended = act.object.filter((word) => word !== act.service);
  const isSaid =
    ended.length > 0 &&
    ended.every((word) => word.split(/[^\p{L}\p{N}]+/u).every((part) => part === "" || said.has(part)));
  const isFound =
    numbers.length > 0
      ? commands.every((one) => numbers.some((number) => one.split(/\D+/).includes(number)))
      : ended.length > 0 && ended.every((word) => /^\d+$/.test(word));
  return isSaid || isFound ? named([], isSaid) : asked("target-not-named");
}

/** What a service is told, beside what was asked for it. */
const CONTROLS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:restart|reload|reload-or-restart|try-restart|kickstart)$/, ["restart", "reload", "reboot"]],
  [/^(?:start|bootstrap|load)$/, ["start", "launch", "turn_on", "restart", "run"]],
  [/^(?:stop|bootout|unload)$/, ["stop", "kill", "shut_down", "turn_off"]],
  [/^enable$/, ["enable", "activate"]],
  [/^(?:disable|mask)$/, ["disable", "deactivate"]],
];

function controls({ verbs }: Ready, act: Act): boolean {
  const [does = ""] = act.verbs;
  const row = CONTROLS.find(([control]) => control.test(does));
  if (row === undefined) return verbs.has(plainVerb(does));
  // Whoever asks for a restart is read as asking to run it too.
  const runs = does === "start" && ["restart", "stop", "disable"].some((verb) => verbs.has(verb));
  return !runs && row[1].some((verb) => verbs.has(verb));
}

/** The project's own tests, linters and builds; not what its build tool ships, drops or resets besides. */
export function isCheck(act: Act): boolean {
  const parts = [...act.verbs, ...act.object].flatMap((word) => word.split(/[:_/.-]/));
  if (parts.some((part) => REACHES_OUT.test(part))) return false;
  return act.verbs.some((verb) => /^(?:test|lint|check|typecheck|build|compile|format|bisect)$/.test(verb));
}

const REACHES_OUT =
  /^(?:deploy|deployment|publish|release|ship|push|upload|drop|reset|flush|destroy|purge|wipe|prod|production)$/;

/** What comes over the network, or out of a coding, and is run as it comes. */
export function isRemoteCode(effects: Effects): boolean {
  const causes = effects.opaque?.causes ?? [];
  return (
    causes.some((cause) =>
      /^(?:fed-code|piped-code|remote-code|decoded-code|input-code|unknown-input|stdin)$/.test(cause),
    ) ||
    (effects.risks.includes("EXECUTE") &&
      effects.acts.some(
        (act) =>
          /^(?:sh|bash|zsh|dash|python3?|node|perl|ruby|iex)$/.test(act.service ?? "") &&
          act.object.length <= 1,
      ) &&
      effects.acts.some((act) => /^(?:curl|wget|base64|xxd|openssl)$/.test(act.service ?? "")))
  );
}

const tight = (text: string): string => text.trim().replace(/\s+/g, " ");
