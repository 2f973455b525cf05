/** Files that are written, files and other things that are deleted, and what git throws away. */

import type { Act } from "../../../types.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import { covers, isAbove, isInWorkspace, isItself } from "../places.ts";
import { baseName, idsNamed } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { verbMatch } from "./verbs.ts";

export function matchWrite(ready: Ready, act: Act, call: Call): Match | null {
  const { writes, environment } = call;
  if (act.verbs.includes("chmod") || act.verbs.includes("chown")) {
    const wide = act.object.some((word) => /^(?:0?777|0?666|a\+|o\+w|\+w|ugo)/.test(word));
    if (wide && !ready.quote.includes("777")) return asked("scope-wider");
  }
  // What git keeps in its own folder is written by commands that were asked for by their names.
  if (act.service === "git")
    return act.verbs.some(
      (verb) =>
        ready.verbs.has(verb) || (GIT_STEPS.has(verb) && GIT_GOALS.some((goal) => ready.verbs.has(goal))),
    )
      ? named([], false)
      : null;
  if (ready.places.length === 0) {
    if (ready.permission.targets.some(({ kind }) => kind === "path")) return asked("target-not-named");
    return writes.every((path) => isInWorkspace(path, environment) && !isGuide(ready, path))
      ? named([], false)
      : asked("target-not-named");
  }
  if (writes.length === 0) return named([], false);
  const covered = writes.every((path) =>
    ready.places.some((place) => covers(place, path, environment) || isItself(place, path)),
  );
  return covered ? named() : asked("target-not-named");
}

/** What tells agents and tools of a project what to do is changed by those who speak of it. */
function isGuide({ quote }: Ready, path: string): boolean {
  const said = quote.toLowerCase();
  return GUIDES.some(([file, words]) => file.test(path) && !words.test(said));
}

const GUIDES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\/(?:claude(?:\.local)?|agents|gemini|hermes|soul)\.md$|\/\.(?:cursorrules|windsurfrules|clinerules)$|\/\.(?:cursor|claude|codex|gemini|windsurf)\/|\/copilot-instructions\.md$/i,
    /\b(?:claude|agents?|gemini|hermes|cursor|copilot|codex|windsurf|rules|instructions|soul)\b/,
  ],
  [/\/\.envrc$/i, /\b(?:envrc|direnv|environment)\b/],
  [/\/\.(?:npmrc|yarnrc(?:\.yml)?|pypirc|gemrc)$/i, /\b(?:npmrc|yarnrc|pypirc|gemrc|registry|npm|yarn)\b/],
  [/\/\.mcp\.json$/i, /\bmcp\b/],
  [
    /\/\.github\/(?:workflows|actions)\/|\/\.gitlab-ci\.yml$|\/\.circleci\/|\/jenkinsfile$|\/azure-pipelines\.yml$/i,
    /\b(?:ci|cd|workflows?|pipelines?|actions?|jenkins|jenkinsfile|circleci|gitlab|github)\b/,
  ],
  [/\/\.(?:husky|githooks)\/|\/\.pre-commit-config\.yaml$/i, /\b(?:hooks?|husky|pre-commit)\b/],
];

/** What these are steps of. */
const GIT_GOALS = ["commit", "push", "pull", "rebase", "merge", "deploy"];
const GIT_STEPS = new Set("add stage commit stash fetch".split(" "));

/**
 * What git sets aside or replaces when it is asked, by the name of its own command, to stash, to pull or to go to
 * another branch: a step that keeps what was committed.
 */
export function matchGitStep(ready: Ready, act: Act, { effects }: Call): Match | null {
  if (act.service !== "git") return null;
  const said = ready.quote.toLowerCase();
  const commands = effects.items.filter(({ name }) => name === "command").map(({ value }) => value);
  const [command] = commands;
  if (commands.length !== 1 || command === undefined) return null;
  if (/^git stash(?: push| save)?(?: -u| --include-untracked)?$/.test(command))
    return /\bstash\b/.test(said) ? named([], false, 0) : null;
  const branch = /^git (?:switch|checkout) ([\w][\w/-]*)$/.exec(command)?.[1]?.toLowerCase();
  if (branch === undefined || !/\b(?:switch|check ?out|go)\b/.test(said)) return null;
  const words = said.split(/[^\w/.-]+/);
  return /\bbranch\b|\bto (?:main|master|develop)\b/.test(said) && words.includes(branch)
    ? named([], false, 0)
    : null;
}

export function matchDelete(ready: Ready, act: Act, call: Call): Match | null {
  const { deletes, environment } = call;
  if (
    act.service === "git" &&
    (act.verbs.includes("branch") || act.verbs.includes("tag") || act.verbs.includes("push"))
  )
    return discarded(ready, act);
  if (deletes.length > 0) {
    if (ready.places.length > 0) {
      // What is found in a folder and deleted one by one leaves the folder.
      const made = ready.verbs.has("clean") && /\b(?:build|output|dist|cache)\b/i.test(ready.quote);
      const found =
        act.verbs.includes("find") || (made && deletes.every((path) => isInWorkspace(path, environment)));
      if (
        deletes.every((path) =>
          ready.places.some((place) => covers(place, path, environment) || (found && isItself(place, path))),
        )
      )
        return named();
      const above = deletes.some((path) => ready.places.some((place) => isAbove(place, path, environment)));
      return asked(above ? "scope-wider" : "target-not-named", above);
    }
    return asked("target-not-named");
  }
  const verb = verbMatch(ready, act);
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  if (kind === "other") return null;
  // To cancel a thing is not to delete what tells of it.
  if (verb === "none" && kind !== "same" && ready.families.has("cancel") && !ready.families.has("delete"))
    return null;
  if (kind !== "unknown" && isContainer(ready, act)) return asked("scope-wider", true);
  const permanent =
    act.verbs.some((one) => PERMANENT.test(one)) || act.object.some((one) => PERMANENT.test(one));
  const ids = idsNamed(ready, call.effects.items);
  if (ids === "other") return asked("target-not-named");
  if (act.service === "git") return discarded(ready, act);
  if (ids === "named" && verb !== "none") return named();
  if (verb === "none" && kind !== "same") return null;
  const everything =
    act.verbs.some((one) => /^(?:empty|clear|wipe|purge|truncate|drop)$/.test(one)) &&
    call.effects.items.length === 0 &&
    !ready.verbs.has("clear");
  if (everything) return asked("scope-wider", true);
  if (ready.families.has("cancel") && !ready.families.has("delete")) {
    const ends = act.verbs.some((one) => /^(?:cancel|delete|remove|end|terminate|unsubscribe)$/.test(one));
    return ends && (verb === "exact" || !ready.verbs.has("unsubscribe")) ? named([], ids === "named") : null;
  }
  const reversible =
    !permanent &&
    act.verbs.some((one) => /^(?:trash|archive|remove|unlabel|cancel|unsubscribe|dismiss)$/.test(one)) &&
    !permanentKind(act);
  if (reversible && ready.verbs.has("trash") !== permanent) return named([], false);
  if (act.verbs.includes("trash") || act.verbs.includes("cancel")) return named([], false);
  return asked(permanent ? "scope-wider" : "target-not-named");
}

/** `Remove the label from the issue` is about the label: what it is taken from stays. */
function isContainer({ permission, quote }: Ready, act: Act): boolean {
  const heads = permission.object.filter((word) => kindsOfNouns([word]).size > 0);
  const first = heads[0];
  if (first === undefined || heads.length < 2 || !FROM.test(quote)) return false;
  const own = kindsOfNouns(act.object);
  return own.size > 0 && compareKinds(kindsOfNouns([first]), own) === "other";
}

const FROM = /\b(?:from|off|out of|aus|von|vom|de|del|du|des)\b/i;

/** What git throws away: a branch that was named, or what rebasing and its like replace. */
function discarded(ready: Ready, act: Act): Match | null {
  const remote = act.verbs.includes("push");
  const isNamed = act.object.some(
    (word) =>
      ready.names.some((name) => name === word || baseName(name) === word) ||
      (word.length > 3 && ready.words.has(word)),
  );
  if (isNamed) return remote && !/remote|origin/i.test(ready.quote) ? asked("scope-wider") : named();
  return act.verbs.includes("branch") || act.verbs.includes("tag") || remote
    ? asked("target-not-named")
    : null;
}

const PERMANENT = /^(?:permanent|permanently|forever|purge|wipe|hard)$/;
const permanentKind = (act: Act): boolean =>
  act.object.some((one) =>
    /^(?:repository|repo|database|table|account|workspace|project|bucket|cluster)$/.test(one),
  );
