import { boundsIntersect, escapeBound, homeOf, meeting, resolvePath, variableOf } from "../paths/index.ts";
import type { FileAction, JsonValue, Opacity, PathBound, ReadingContext } from "../types.ts";
import { hostsInText, isOwnHost, localHostsInText } from "./hosts.ts";

/** An agent's key: the prefix and at least sixteen characters of it. */
const KEY_SHAPE = /cs_live_[A-Za-z0-9_-]{16}/;

/** Deeper nesting than this is refused elsewhere; here it only bounds the search. */
const DEEPEST = 64;

/** Steps for comparing what a call touches with what is guarded, some 40 ms: past it, whatever lies near is taken for it. */
const MOST_STEPS = 4_000_000;

export interface Reached {
  readonly actions: readonly FileAction[];
  readonly opaque: Opacity | null;
  readonly hosts: readonly string[];
  /** Code and commands of unknown effect. */
  readonly texts: readonly string[];
  /** True when what is written sets a variable that decides whether the agent is governed. */
  readonly switches: boolean;
}

/** Variables that decide whether, or by what, an agent is governed. */
const SWITCHES =
  "HERMES_(?:SAFE_MODE|YOLO\\w*|ACCEPT_HOOKS)|AGENTSFENCE_\\w+|OATHKEEPER_\\w+|PROVENANCE_GATE_\\w+|COUNTERSIGN_(?!KEY$|API_KEY$)\\w+";
const SWITCH_NAME = new RegExp(`^(?:${SWITCHES})$`);
const SWITCH_SET = new RegExp(`\\b(?:${SWITCHES})["']?\\s{0,4}[=:]`);

export function isSwitch(variable: string): boolean {
  return SWITCH_NAME.test(variable);
}

export function setsSwitch(text: string): boolean {
  return SWITCH_SET.test(text);
}

/** Files that are read when a session, or the machine, starts. */
const STARTS_SESSIONS =
  /\/\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin|env|envrc|pam_environment|xprofile)$|\/\.config\/(?:fish\/config\.fish|environment\.d\/.*)$|\/systemd\/(?:user|system)\/|\.plist$|^\/etc\/(?:profile|environment|bash\.bashrc|zsh)/i;

/** Packages that govern an agent, and command-line tools that install and remove them. */
const GUARD_PACKAGE =
  /\/(?:site|dist)-packages\/(?:agentsfence|oathkeeper|provenance_gate)|\/node_modules\/(?:@countersign\/|countersign(?:\/|$))/i;
const GUARDS = /^(?:agentsfence|oathkeeper|provenance[-_]gate|@?countersign)(?:[-_@/=<>~[].*)?$/i;

export function isGuardPackage(name: string): boolean {
  return GUARDS.test(name);
}

/**
 * What of Countersign itself a call reaches for (DESIGN §8). Reading a hook's configuration is not among it; changing
 * it, or handing its path to code that cannot be seen into, is.
 */
export function governanceOf(reached: Reached, context: ReadingContext): string[] {
  const found = new Set<string>();
  const own = context.self.hosts;
  const isOwn = (host: string): boolean => isOwnHost(host, own);
  if (reached.hosts.some(isOwn)) found.add("own-origin");
  for (const text of reached.texts) {
    if (
      hostsInText(text).some(isOwn) ||
      mentions(text.toLowerCase(), own) ||
      localHostsInText(text, own).some(isOwn)
    ) {
      found.add("own-origin");
    }
    if (mentions(text, context.self.variables) || readsEnvironment(text)) found.add("own-key-variable");
  }
  const names = reached.opaque?.names ?? [];
  if (reached.actions.length + names.length === 0) return [...found];
  const { places, oath, near } = guardedPlaces(context);
  const guards = near();
  for (const { path } of reached.actions) {
    if (path === "?") continue;
    if (GUARD_PACKAGE.test(path)) found.add("own-policy");
    if (reached.switches && STARTS_SESSIONS.test(path)) found.add("own-policy");
    for (const at of guards(path)) found.add(at < oath ? "oath-file" : "hook-configuration");
    if (isProjectHook(path, 0)) found.add("hook-configuration");
  }
  for (const name of names) {
    for (const at of guards(name)) {
      if (at < oath) found.add("oath-file");
      else if (isNear(name, places[at] ?? "")) found.add("hook-configuration");
    }
    if (isProjectHook(name, 1)) found.add("hook-configuration");
    if (isProcessEnvironment(name)) found.add("own-key-variable");
  }
  return [...found];
}

/** True for `/proc/…/environ`, where a process' variables can be read. */
export function isProcessEnvironment(path: PathBound): boolean {
  return /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/environ$/.test(path);
}

/** True when any string of the arguments, or any key, holds something shaped like an agent's key. */
export function holdsKey(value: JsonValue, depth = 0): boolean {
  if (typeof value === "string") return KEY_SHAPE.test(value);
  if (value === null || typeof value !== "object" || depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.some((one) => holdsKey(one, depth + 1));
  return Object.entries(value).some(([key, one]) => KEY_SHAPE.test(key) || holdsKey(one, depth + 1));
}

/** One variable of a language's environment, or all of it handed on to a child, which inherits it anyway. */
const ONE_VARIABLE =
  /\b(?:ENVIRON|ENV|(?:os\.)?environb?|process\.env|Deno\.env|Bun\.env)(?:\.(?:get|set|setdefault|pop|fetch|delete|update|putenv))?\s{0,4}[[(]\s{0,4}["'][^"']{0,128}["']|\b(?:process|Bun)\.env\.[A-Za-z_]\w{0,127}|\benv\s{0,4}[=:]\s{0,4}(?:\{\s{0,4}(?:\*\*|\.\.\.)|dict\()?\s{0,4}(?:os\.environ|process\.env)\b|\b(?:os\.environ|process\.env)\.(?:update|setdefault)\b|["']\s{0,4}(?:not\s+)?in\s{1,4}(?:os\.environ|process\.env)\b/g;
const WHOLE_ENVIRONMENT =
  /\bENVIRON\b|\bos\.environb?\b|\bprocess\.env\b|\bBun\.env\b|\bDeno\.env\.toObject\b|\bENV\.(?:to_h|each|map|inspect|keys|values|sort|to_a|select)\b|%ENV\b|\bgetenv\(\s{0,4}\)|\bos\.Environ\(|\bSystem\.getenv\(\s{0,4}\)|\bcompgen\s{1,8}-[A-Za-z]{0,4}[ve]\b|\b(?:declare|typeset|export)\s{1,8}-[a-zA-Z]{0,4}[px]{1,4}(?:\s{0,8}(?:$|[|;&)>\n]))|\bps\s{1,8}(?:[auxfljv]{0,6}e[auxfljvw]{0,6}w|[aux]{1,4}e)w{0,4}\b|\bGet-ChildItem\s{1,8}env:|\b(?:gci|dir|ls)\s{1,8}env:/;

/** True when code takes in its whole environment, the agent's key with it. */
function readsEnvironment(text: string): boolean {
  return (
    /\/proc\/[\w*$-]{1,32}\/environ/.test(text) || WHOLE_ENVIRONMENT.test(text.replace(ONE_VARIABLE, " "))
  );
}

/** Whole-word search: `MY_COUNTERSIGN_KEY_FILE` is another name. */
function mentions(text: string, words: readonly string[]): boolean {
  return words.some((word) => {
    if (word === "") return false;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      if (!isNameCharacter(text[at - 1]) && !isNameCharacter(text[at + word.length])) return true;
    }
    return false;
  });
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character);
}

/** Opaque code that is given a folder far above a hook's configuration has not been pointed at it. */
function isNear(name: PathBound, guarded: PathBound): boolean {
  const file = guarded.endsWith("/**") ? guarded.slice(0, -3) : guarded;
  return name.split("/").length >= file.split("/").length - 1;
}

/**
 * Hook configuration that can lie in any project: the segments of its path, which may be patterns.
 */
const PROJECT_HOOKS: readonly (readonly string[])[] = [
  [".claude", "settings.json"],
  [".claude", "settings.*.json"],
  [".codex", "hooks.json"],
  [".codex", "config.toml"],
  [".github", "hooks", "*.json"],
  [".cursor", "hooks.json"],
  [".gemini", "settings.json"],
  [".opencode", "plugin", "**"],
  [".opencode", "plugins", "**"],
];

/**
 * True when a path is one of `PROJECT_HOOKS`, or a folder above one from its dotted folder on. A tree that merely lies
 * above a project is not: else every checkout would count. `spare` is how many segments above the file still count
 * as naming it; 0 means any, for actions on whole trees.
 */
function isProjectHook(path: PathBound, spare: number): boolean {
  // A shell's wildcard does not match a leading dot, so only a spelled dot can mean a dotted folder.
  if (!/\/\\?[.[]/.test(path)) return false;
  const tree = path.endsWith("/**");
  const segments = (tree ? path.slice(0, -3) : path).split("/").slice(1);
  return PROJECT_HOOKS.some((hook) =>
    segments.some((first, start) => {
      if (!/^\\?[.[]/.test(first)) return false;
      const rest = segments.slice(start, start + hook.length);
      if (rest.length < hook.length && !(spare === 0 ? tree : rest.length >= hook.length - spare))
        return false;
      return rest.every((segment, at) => boundsIntersect(`/${hook[at] ?? "*"}`, `/${segment}`));
    }),
  );
}

interface Guarded {
  /** The oath's folder, then hook configuration in fixed places. */
  readonly places: readonly PathBound[];
  /** How many of them are the oath's. */
  readonly oath: number;
  /** Which of them a path may be, by their place in the list, for one call. */
  readonly near: () => (path: PathBound) => readonly number[];
}

/** The last that were asked for: sessions on one machine have the same, and many calls touch nothing near them. */
let last: { readonly home: string | null; readonly root: string | null; readonly guarded: Guarded } | null =
  null;

function guardedPlaces({ environment }: ReadingContext): Guarded {
  const home = homeOf(environment);
  const declared = variableOf("HERMES_HOME", environment);
  const hermes = declared === null ? null : resolvePath(declared, environment);
  const root = hermes?.ok ? escapeBound(hermes.path) : null;
  if (last !== null && last.home === home && last.root === root) return last.guarded;
  const places = [
    ...(root === null ? [] : [`${root}/oathkeeper/**`, ...HERMES_HOOKS.map((place) => `${root}/${place}`)]),
    ...(home === null ? [] : HOME_HOOKS.map((place) => `${escapeBound(home)}/${place}`)),
  ];
  const steps = { left: 0 };
  const meets = meeting(places, false, steps);
  const near = (): typeof meets => {
    steps.left = MOST_STEPS;
    return meets;
  };
  last = { home, root, guarded: { places, oath: root === null ? 0 : 1, near } };
  return last.guarded;
}

const HERMES_HOOKS = [
  "config.yaml",
  "plugins/**",
  "agentsfence/**",
  "provenance-gate/**",
  "provenance_gate/**",
  "countersign/**",
  "hooks/**",
];
const HOME_HOOKS = [
  ".claude/settings.json",
  ".claude/settings.*.json",
  ".codex/hooks.json",
  ".codex/config.toml",
  ".cursor/hooks.json",
  ".gemini/settings.json",
  ".config/opencode/**",
];
