import { effectsOf } from "../../src/policy/effects/index.ts";
import { boundCovers, escapeBound } from "../../src/policy/paths/index.ts";
import type { Effects, JsonObject, ReadingContext } from "../../src/policy/types.ts";
import { CWD, HOME, type Observed, type Started } from "./tree.ts";

const CONTEXT: ReadingContext = {
  environment: { home: HOME, cwd: CWD, variables: {}, os: "linux" },
  self: { hosts: [], variables: [] },
};

export function readingOf(script: string): Effects {
  return reading({ command: script });
}

function reading(args: JsonObject): Effects {
  return effectsOf({ tool: "terminal", args }, CONTEXT);
}

/**
 * Two things are taken for granted, as the reader does: a name that a pattern matches holds no white space, and
 * `ln -sfn` leads to a link or to nothing, not to a real folder.
 *
 * What a script did that its reading does not say. An opaque reading says that it does not know, and is never wrong here;
 * any other must cover every changed path, under the same verb, and everything that each started program would do.
 */
export function missesOf(effects: Effects, { changes, started, status }: Observed): string[] {
  if (effects.opaque !== null) return [];
  const misses = new Set<string>();
  for (const { verb, path } of changes) {
    const bound = escapeBound(path);
    const says = (one: string): boolean =>
      effects.actions.some((action) => action.verb === one && boundCovers(action.path, bound));
    // A file that went and came back looks changed.
    if (!says(verb) && !(verb === "modify" && says("delete") && says("create")))
      misses.add(`${verb} ${path}`);
  }
  for (const one of started) for (const miss of missesOfProgram(effects, one)) misses.add(miss);
  // A program that is not there copies nothing.
  if (status !== 0 || started.length > 0) return [...misses];
  for (const { dest } of effects.backups)
    if (dest.startsWith("/") && !isThere(dest, changes)) misses.add(`no copy at ${dest}`);
  return [...misses];
}

/** A copy that a successful call leaves behind shows as something made or changed there. */
function isThere(dest: string, changes: Observed["changes"]): boolean {
  return changes.some(
    ({ verb, path }) =>
      verb !== "delete" &&
      (boundCovers(dest, escapeBound(path)) || boundCovers(`${dest}/**`, escapeBound(path))),
  );
}

/** The program's words alone, read where it was started, must say nothing that the whole script's reading leaves out. */
function missesOfProgram(effects: Effects, { cwd, words }: Started): string[] {
  const alone = reading({ command: [...words], workdir: cwd });
  const name = `${words.join(" ")} in ${cwd}`;
  if (alone.opaque !== null) return [`unread program: ${name}`];
  const misses = alone.actions
    .filter(
      // A pattern that matched nothing reached the program as it was spelled, and there is no such file.
      ({ verb, path }) =>
        !effects.actions.some(
          (one) =>
            one.verb === verb &&
            (boundCovers(one.path, path) || one.path === path.replace(/\\([[\]])/g, "$1")),
        ),
    )
    .map(({ verb, path }) => `${verb} ${path} by ${name}`);
  if (!alone.risks.every((risk) => risk === "READ" || effects.risks.includes(risk)))
    misses.push(`risks of ${name}`);
  if (!alone.hosts.every((host) => effects.hosts.includes(host))) misses.push(`hosts of ${name}`);
  return misses;
}
