/** What follows from the order in which a call does things: what links lead to, and which copies still hold. */
import { boundCovers, boundsIntersect } from "../paths/index.ts";
import type { Backup, FileAction, PathBound } from "../types.ts";

/** Some path that cannot be known. */
export const UNKNOWN_PATH: PathBound = "?";

/** A copy that will exist if the call as a whole succeeds, and where among the actions it was made. */
export interface Candidate extends Backup {
  /** The steps at which the copying command began and was done. */
  readonly begun: number;
  readonly done: number;
}

/** More links than this in one call are not followed one by one. */
export const MOST_LINKS = 16;

/** An action, and at which steps of the reading it was first and last seen. */
export interface Seen extends FileAction {
  readonly first: number;
  last: number;
}

/** `at` is another way to reach `to`, from a step on. */
export interface Link {
  readonly at: PathBound;
  readonly to: PathBound;
  readonly after: number;
}

/**
 * What actions do besides, through links made in the same call. Without this, `ln -s ~/sworn x; rm -rf x/*` would delete
 * through a name that no oath mentions.
 */
export function throughLinks(links: readonly Link[], seen: readonly Seen[]): FileAction[] {
  const found: FileAction[] = [];
  for (const link of links.slice(0, MOST_LINKS)) {
    const depth = link.at.split("/").length;
    for (const action of seen) {
      if (action.last < link.after || action.path === UNKNOWN_PATH) continue;
      const path = stripTree(action.path);
      const segments = path.split("/");
      // Above the link nothing follows it, and deleting the link itself leaves what it points to.
      if (segments.length < depth || (segments.length === depth && action.verb === "delete")) continue;
      if (!boundsIntersect(`${link.at}/**`, path)) continue;
      const rest = segments.slice(depth).join("/");
      const tail = action.path.endsWith("/**") ? "/**" : "";
      const crossed = segments.slice(0, depth).includes("**") || link.to === UNKNOWN_PATH;
      found.push({
        verb: action.verb,
        path: crossed ? UNKNOWN_PATH : `${link.to}${rest === "" ? "" : `/${rest}`}${tail}`,
      });
    }
  }
  return found;
}

/** A copy that something else in the call touches, before or after, proves nothing. */
export function provenBackups(copies: readonly Candidate[], seen: readonly Seen[]): Backup[] {
  const sound = copies.filter((copy) => {
    const copyTree = `${stripTree(copy.dest)}/**`;
    const sourceTree = `${stripTree(copy.src)}/**`;
    return !seen.some((action) => {
      if (action.first >= copy.begun && action.last < copy.done) return false;
      if (action.path === UNKNOWN_PATH) return true;
      const path = stripTree(action.path);
      const above = action.verb !== "create" && boundCovers(action.path, copy.dest);
      if (above || (action.verb !== "create" && boundCovers(copyTree, path))) return true;
      return (
        action.first < copy.begun &&
        action.verb !== "create" &&
        (boundCovers(sourceTree, path) || boundCovers(action.path, copy.src))
      );
    });
  });
  return unique(
    sound.map(({ src, dest }) => ({ src, dest })),
    (b) => `${b.src}\n${b.dest}`,
  );
}

export function stripTree(bound: PathBound): PathBound {
  if (!bound.endsWith("/**")) return bound;
  return bound.length === 3 ? "/" : bound.slice(0, -3);
}

export function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) byKey.set(keyOf(item), item);
  return [...byKey.keys()].sort().map((key) => byKey.get(key) as T);
}
