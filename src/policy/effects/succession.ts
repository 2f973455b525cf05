/** What follows from the order in which a call does things: what links lead to, and which copies still hold. */
import { type Held, holding, meeting } from "../paths/index.ts";
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

/**
 * Steps for comparing what a call touches with its links, and with its copies; some 10 ms. Past them, whatever lies near a
 * link leads through it, and no copy proves anything.
 */
const MOST_STEPS = 1_000_000;

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
  const followed = links
    .slice(0, MOST_LINKS)
    .map((link) => ({ ...link, tree: `${link.at}/**`, depth: link.at.split("/").length }));
  if (followed.length === 0) return found;
  const crossing = meeting(
    followed.map(({ tree }) => tree),
    false,
    { left: MOST_STEPS },
  );
  for (const action of seen) {
    if (action.path === UNKNOWN_PATH) continue;
    const path = stripTree(action.path);
    const segments = path.split("/");
    for (const link of crossing(path).map((at) => followed[at])) {
      if (link === undefined || action.last < link.after) continue;
      const { depth } = link;
      // Above the link nothing follows it, and deleting the link itself leaves what it points to.
      if (segments.length < depth || (segments.length === depth && action.verb === "delete")) continue;
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
  if (copies.length === 0) return [];
  const steps = { left: MOST_STEPS };
  const holds = (bounds: readonly PathBound[]): ((bound: PathBound) => Held) =>
    holding(bounds, { foldCase: false, dotsMatch: false }, steps);
  const changes = seen.filter(({ verb, path }) => verb !== "create" && path !== UNKNOWN_PATH);
  const changing = holds(changes.map(({ path }) => path));
  const inDest = holds(copies.map(({ dest }) => `${stripTree(dest)}/**`));
  const inSource = holds(copies.map(({ src }) => `${stripTree(src)}/**`));

  const spoiled = new Set<Candidate>();
  /** True when not all was compared. */
  let unsure = false;
  const spoil = (copy: Candidate | undefined, action: Seen | undefined, earlier: boolean): void => {
    if (copy === undefined || action === undefined) return;
    const own = action.first >= copy.begun && action.last < copy.done;
    if (!own && (!earlier || action.first < copy.begun)) spoiled.add(copy);
  };
  for (const action of seen) {
    if (action.path === UNKNOWN_PATH) for (const copy of copies) spoil(copy, action, false);
  }
  for (const action of changes) {
    const path = stripTree(action.path);
    const [dest, source] = [inDest(path), inSource(path)];
    for (const at of dest.by) spoil(copies[at], action, false);
    for (const at of source.by) spoil(copies[at], action, true);
    unsure ||= dest.unsure || source.unsure;
  }
  for (const copy of copies) {
    const [dest, source] = [changing(copy.dest), changing(copy.src)];
    for (const at of dest.by) spoil(copy, changes[at], false);
    for (const at of source.by) spoil(copy, changes[at], true);
    unsure ||= dest.unsure || source.unsure;
  }
  const sound = unsure ? [] : copies.filter((copy) => !spoiled.has(copy));
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
