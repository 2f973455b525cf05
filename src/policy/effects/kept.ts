/** Files that a later session of an agent reads by itself: what is written into them is kept, and obeyed. */
import { homeOf, variableOf } from "../paths/index.ts";
import type { Environment, PathBound } from "../types.ts";

const RULES_FILE =
  /(?:^|\/)(?:claude(?:\.local)?\.md|agents(?:\.override)?\.md|agent\.md|gemini\.md|qwen\.md|memory\.md|user\.md|soul\.md|hermes\.md|\.hermes\.md|copilot-instructions\.md|skill\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.goosehints|conventions\.md)$/;
const RULES_FOLDER =
  /\/(?:\.cursor\/rules|\.claude\/(?:rules|skills|agents|commands|memory|output-styles)|\.github\/(?:instructions|prompts|agents)|\.clinerules|\.windsurf\/rules|\.codex\/(?:prompts|skills)|\.gemini\/commands|\.opencode\/(?:agents?|commands?|skills?)|\.hermes\/(?:memories|skills))\//;

/** True for a file of rules, memories or skills, wherever it lies. */
export function isRulesFile(bound: PathBound): boolean {
  const path = bound.replace(/\\([\s\S])/g, "$1").toLowerCase();
  return RULES_FILE.test(path) || RULES_FOLDER.test(path);
}

/** Folders and files below somebody's home that every later session reads, whatever the project. */
const EVERYWHERE =
  /^\/(?:\.claude\/(?:claude\.md$|(?:rules|skills|agents|commands)\/|projects\/[^/]+\/memory\/)|\.gemini\/gemini\.md$|\.codex\/(?:agents\.md$|prompts\/|skills\/)|\.config\/opencode\/agents\.md$)/;
const HERMES = /^\/(?:memories\/|skills\/|cron\/|soul\.md$)/;

/** Tells what outlives the task and the project: the agent's memory, its skills, its schedules. */
export function keptFor(environment: Environment): (bound: PathBound) => boolean {
  const home = homeOf(environment);
  const hermes = variableOf("HERMES_HOME", environment);
  return (bound) => {
    const path = bound.replace(/\\([\s\S])/g, "$1");
    const below = (root: string | null): string | null =>
      root !== null && path.startsWith(`${root}/`) ? path.slice(root.length).toLowerCase() : null;
    const inHome = below(home);
    const inHermes = below(hermes);
    return (inHome !== null && EVERYWHERE.test(inHome)) || (inHermes !== null && HERMES.test(inHermes));
  };
}
