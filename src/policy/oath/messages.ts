/** What a refused agent and its people read: the line as sworn, what would have happened, and what to do. */

import type { FileAction, FileVerb, OathCitation, Opacity, PathBound } from "../types.ts";
import type { Missing } from "./pattern.ts";

/** Paths named in one message; the rest are counted. */
const MAX_NAMED = 3;
/** UTF-16 units of a path that are shown: a call chooses its paths, and must not fill the page with them. */
const MAX_SHOWN = 240;

export const UNKNOWN_PATH: PathBound = "?";

function opening(cite: OathCitation): string {
  const whose = cite.oath === "organization" ? "the oath" : "this agent's oath";
  return `Blocked by ${whose}, line ${cite.line}: "${cite.text}".`;
}

function shown(path: PathBound): string {
  if (path === UNKNOWN_PATH) return "a path that cannot be known beforehand";
  if (path.length <= MAX_SHOWN) return path;
  const cut = path.slice(0, MAX_SHOWN);
  // Half a surrogate pair would spoil the record that the message enters.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function joined(parts: readonly string[], word: string): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts[parts.length - 1]}`;
}

function listed(paths: readonly PathBound[]): string {
  const names = paths.slice(0, MAX_NAMED).map(shown);
  const more = paths.length - names.length;
  return joined(more > 0 ? [...names, `${more} more`] : names, "and");
}

/** e.g. `delete /a and create or modify /b`. A write to a file that may or may not exist is both of the last two. */
function deeds(actions: readonly FileAction[]): string {
  const verbsByPath = new Map<PathBound, FileVerb[]>();
  for (const { path, verb } of actions) {
    const verbs = verbsByPath.get(path) ?? [];
    if (!verbs.includes(verb)) verbs.push(verb);
    verbsByPath.set(path, verbs);
  }
  const pathsByVerbs = new Map<string, PathBound[]>();
  for (const [path, verbs] of verbsByPath) {
    const words = [...verbs].sort();
    const phrase = joined(words, words.includes("delete") ? "and" : "or");
    const paths = pathsByVerbs.get(phrase);
    if (paths === undefined) pathsByVerbs.set(phrase, [path]);
    else paths.push(path);
  }
  return joined(
    [...pathsByVerbs].map(([verbs, paths]) => `${verbs} ${listed(paths)}`),
    "and",
  );
}

/** A `never` line that known actions break. */
export function neverMessage(cite: OathCitation, actions: readonly FileAction[]): string {
  const what = `${opening(cite)} The call would ${deeds(actions)}.`;
  if (actions.some(({ path }) => path !== UNKNOWN_PATH)) {
    return `${what} The owner swore this must never happen; do not retry.`;
  }
  return `${what} It may be one that this line protects: name the path in full.`;
}

/** An `always require` line whose backup is not there yet. */
export function requireMessage(
  cite: OathCitation,
  actions: readonly FileAction[],
  needed: readonly PathBound[],
): string {
  return `${opening(cite)} The call would ${deeds(actions)}. ${howToBackUp(needed)}`;
}

function howToBackUp(needed: readonly PathBound[]): string {
  const what = listed(needed);
  return `First back up ${what} with cp, rsync, tar, zip or scp, in a call of its own in this session whose success is reported; then send this call again.`;
}

function hidden(opaque: Opacity, touched: readonly PathBound[]): string {
  if (opaque.unparsed) return "The call cannot be parsed, so nothing rules out that it breaks this line.";
  const causes = opaque.causes.slice(0, MAX_NAMED).join(", ");
  return `What the call does cannot be read from its text${causes === "" ? "" : ` (${causes})`}, and it names ${listed(touched)}.`;
}

/** A `never` line that a call might break unseen. */
export function opaqueMessage(cite: OathCitation, opaque: Opacity, touched: readonly PathBound[]): string {
  return `${opening(cite)} ${hidden(opaque, touched)} Use file tools or plain commands whose effect can be seen, away from what this line protects.`;
}

/** An `always require` line that a call might touch unseen. */
export function opaqueRequireMessage(
  cite: OathCitation,
  opaque: Opacity,
  touched: readonly PathBound[],
  needed: readonly PathBound[],
): string {
  return `${opening(cite)} ${hidden(opaque, touched)} ${howToBackUp(needed)}`;
}

/** A line that cannot be checked in this session. */
export function unresolvedMessage(cite: OathCitation, missing: Missing): string {
  const declare = "with PUT /v1/sessions/{id}, then send this call again.";
  if (missing.what === "variable") {
    const problem = missing.declared
      ? `holds no path that this line can stand on. Declare its real value`
      : `is not declared for this session. Declare it`;
    return `${opening(cite)} The line cannot be checked, since $${missing.name} ${problem} ${declare}`;
  }
  const why = {
    home: "no absolute home directory is declared for this session",
    cwd: "no absolute working directory is declared for this session",
    os: "this session declares drive letters, but not that it runs on windows",
  }[missing.what];
  return `${opening(cite)} The line cannot be checked, since ${why}. Declare ${missing.what} ${declare}`;
}
