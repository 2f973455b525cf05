/** Files that are written, files and other things that are deleted, and what git throws away. */

import type { Act, PathBound } from "../../../types.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import { covers, isAbove, isInWorkspace, isItself } from "../places.ts";
import { discarded, matchGitWrite } from "./git.ts";
import { idsNamed } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { verbMatch } from "./verbs.ts";

export function matchWrite(ready: Ready, act: Act, call: Call): Match | null {
  const { writes, environment } = call;
  if (act.verbs.includes("chmod") || act.verbs.includes("chown")) {
    const wide = act.object.some((word) => /^(?:0?777|0?666|a\+|o\+w|\+w|ugo)/.test(word));
    if (wide && !ready.quote.includes("777")) return asked("scope-wider");
  }
  if (act.service === "git") return matchGitWrite(ready, act, call);
  if (ready.places.length === 0) {
    if (ready.permission.targets.some(({ kind }) => kind === "path")) return asked("target-not-named");
    return writes.every((path) => isInWorkspace(path, environment) && !isGuide(ready, path))
      ? named([], false)
      : asked("target-not-named");
  }
  if (writes.length === 0) return named([], false);
  // A folder is made with those that it lies in.
  const made = act.verbs.includes("mkdir") && act.service === "mkdir";
  const lies = (one: Ready, path: PathBound): boolean =>
    one.places.some(
      (place) =>
        covers(place, path, environment) ||
        isItself(place, path) ||
        (made && isAbove(place, path, environment) && writes.includes(place.root)),
    );
  // One patch may do what two clauses ask for, each of its own file.
  const others = besides(ready, call);
  const covered =
    writes.some((path) => lies(ready, path)) &&
    writes.every((path) => lies(ready, path) || others.some((one) => lies(one, path)));
  return covered ? named() : asked("target-not-named");
}

/** Other requests for the same class. */
const besides = (ready: Ready, { permissions }: Call): readonly Ready[] =>
  permissions.filter(
    (one) =>
      one !== ready &&
      one.places.length > 0 &&
      one.permission.risk === ready.permission.risk &&
      one.permission.limit !== 0,
  );

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

export function matchDelete(ready: Ready, act: Act, call: Call): Match | null {
  const { deletes, environment } = call;
  if (
    act.service === "git" &&
    (act.verbs.includes("branch") || act.verbs.includes("tag") || act.verbs.includes("push"))
  )
    return discarded(ready, act, call.effects);
  if (deletes.length > 0) {
    // A branch may be spelled like a folder: to delete the one is not to delete the other.
    if (isAboutRefs(ready)) return asked("target-not-named");
    if (ready.places.length > 0) {
      // What is found in a folder and deleted one by one leaves the folder.
      const made = ready.verbs.has("clean") && /\b(?:build|output|dist|cache)\b/i.test(ready.quote);
      const found =
        act.verbs.includes("find") || (made && deletes.every((path) => isInWorkspace(path, environment)));
      const lies = (one: Ready, path: PathBound): boolean =>
        one.places.some((place) => covers(place, path, environment) || (found && isItself(place, path)));
      const others = besides(ready, call);
      if (
        deletes.some((path) => lies(ready, path)) &&
        deletes.every((path) => lies(ready, path) || others.some((one) => lies(one, path)))
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
  if (kind !== "unknown" && isEverywhere(ready, call)) return asked("scope-wider");
  const permanent =
    act.verbs.some((one) => PERMANENT.test(one)) || act.object.some((one) => PERMANENT.test(one));
  const ids = idsNamed(ready, call.effects.items);
  if (ids === "other") return asked("target-not-named");
  if (act.service === "git") return discarded(ready, act, call.effects);
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

const isAboutRefs = ({ words, kinds }: Ready): boolean =>
  (words.has("branch") || words.has("branches") || words.has("tag") || words.has("tags")) &&
  !kinds.has("file");

/** `Remove the label from the issue` is about the label: what it is taken from stays. */
function isContainer({ permission, quote }: Ready, act: Act): boolean {
  const heads = permission.object.filter((word) => kindsOfNouns([word]).size > 0);
  const first = heads[0];
  if (first === undefined || heads.length < 2 || !FROM.test(quote)) return false;
  const own = kindsOfNouns(act.object);
  return own.size > 0 && compareKinds(kindsOfNouns([first]), own) === "other";
}

/** `Remove the label old from issue 12`: a call that does not say from what removes it from everything. */
function isEverywhere({ permission, names, quote }: Ready, { effects }: Call): boolean {
  const kinds = permission.object.filter((word) => kindsOfNouns([word]).size > 0);
  if (kinds.length < 2 || !FROM.test(quote)) return false;
  const numbers = names.filter((name) => /^#?\d+$/.test(name));
  const given = new Set(effects.items.map(({ value }) => value.replace(/^#/, "")));
  return numbers.length > 0 && !numbers.some((name) => given.has(name.replace(/^#/, "")));
}

const FROM = /\b(?:from|off|out of|aus|von|vom|de|del|du|des)\b/i;

const PERMANENT = /^(?:permanent|permanently|forever|purge|wipe|hard)$/;
const permanentKind = (act: Act): boolean =>
  act.object.some((one) =>
    /^(?:repository|repo|database|table|account|workspace|project|bucket|cluster)$/.test(one),
  );
