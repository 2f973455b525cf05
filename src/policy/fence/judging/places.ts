/** Paths that a policy names, resolved for one session, against the paths that a call acts on. */
import {
  boundCovers,
  boundsIntersect,
  escapeBound,
  foldsCase,
  homeOf,
  patternCovers,
  resolvePath,
  treeBound,
} from "../../paths/index.ts";
import type { Environment, PathBound } from "../../types.ts";
import type { Target } from "../types.ts";

/** A named path: itself and what lies in it, or only what lies in it. */
export interface Place {
  readonly tree: PathBound;
  readonly root: PathBound;
  readonly below: boolean;
  /** `README`: any file of that name, whatever its ending, anywhere in the workspace. */
  readonly stem: string | null;
  /** The workspace, where only what lies there is meant. */
  readonly workspace: PathBound | null;
}

/** The file or folder that the words mean, or `null` where the session cannot tell. */
export function placeOf(target: Target, environment: Environment): Place | null {
  if (target.kind !== "path") return null;
  // What is spelled from a root of its own lies nowhere else.
  const text =
    target.within === undefined || /^(?:\.{0,2}|~)[\\/]/.test(target.text)
      ? target.text
      : `${target.within.replace(/[\\/]+$/, "")}/${target.text}`;
  const resolved = resolvePath(text.replace(/(.)[\\/]+$/, "$1"), environment);
  if (!resolved.ok) return null;
  const root = escapeBound(resolved.path);
  const stem = target.stem === true ? target.text.toLowerCase() : null;
  const here = stem === null || environment.cwd === null ? null : resolvePath(environment.cwd, environment);
  const workspace = here?.ok === true ? treeBound(escapeBound(here.path)) : null;
  return { tree: treeBound(root), root, below: target.below === true, stem, workspace };
}

/** Whether all that the bound may mean was named. Whole segments: `notes` does not cover `notes-secret`. */
export function covers(place: Place, bound: PathBound, environment: Environment): boolean {
  if (place.stem !== null) return stemOf(bound) === place.stem && isInWorkspace(bound, environment);
  if (!patternCovers(place.tree, bound, foldsCase(environment))) return false;
  return !place.below || !sameRoot(place, bound);
}

/** The path itself, not something in it. */
export function isItself(place: Place, bound: PathBound): boolean {
  if (sameRoot(place, bound)) return true;
  return (
    place.stem !== null &&
    stemOf(bound) === place.stem &&
    place.workspace !== null &&
    bound !== "?" &&
    boundCovers(place.workspace, bound, false)
  );
}

function stemOf(bound: PathBound): string {
  const name =
    bound
      .replace(/\/\*\*$/, "")
      .split("/")
      .at(-1) ?? "";
  return (name.split(".")[0] ?? "").toLowerCase();
}

function sameRoot(place: Place, bound: PathBound): boolean {
  return bound === place.root || bound === place.tree;
}

export function touches(place: Place, bound: PathBound, environment: Environment): boolean {
  if (place.stem !== null && stemOf(bound) === place.stem) return true;
  return boundsIntersect(place.tree, bound, foldsCase(environment));
}

/** A folder above what was named: more than was asked for. */
export function isAbove(place: Place, bound: PathBound, environment: Environment): boolean {
  return (
    !sameRoot(place, bound) &&
    boundCovers(bound.endsWith("/**") ? bound : treeBound(bound), place.root, foldsCase(environment)) &&
    bound !== "?"
  );
}

export function isInWorkspace(bound: PathBound, environment: Environment): boolean {
  const { cwd } = environment;
  if (cwd === null || bound === "?") return false;
  const root = resolvePath(cwd, environment);
  return root.ok && boundCovers(treeBound(escapeBound(root.path)), bound, foldsCase(environment));
}

/** A whole disk, written to as a file. */
export const isDisk = (bound: PathBound): boolean =>
  /^\/dev\/(?:sd|hd|vd|nvme|disk|rdisk|mmcblk|mapper)/.test(bound);

const BROAD =
  /^\/(?:home|root|users|etc|usr|bin|sbin|lib|lib64|var|opt|boot|dev|proc|sys|srv|mnt|media|system|library|applications|volumes)$|^\/(?:home|users)\/[^/]+$|^\/[a-z]:$|^\/[a-z]:\/(?:users|windows|program files(?: \(x86\))?)$|^\/[a-z]:\/users\/[^/]+$/i;

/** The whole machine, a home, all homes, a system folder: too much for one word (CONVENTIONS §3.3). */
export function isBroad(bound: PathBound, environment: Environment): boolean {
  const root = bound.replace(/(?:\/(?:\*\*|\*|\.\*|\?\*))+$/, "") || "/";
  return root === "/" || root === homeOf(environment) || BROAD.test(root);
}

/** Parts that projects are made of and folders are named after: `don't touch the tests` is about those. */
const PARTS = new Set(
  "test tests spec specs doc docs documentation migration migrations config configs configuration style styles css asset assets vendor example examples script scripts fixture fixtures translation translations locale locales readme changelog lockfile dependency dependencies ci workflow workflows infra terraform schema frontend backend client server ui api template templates prueba pruebas".split(
    " ",
  ),
);

export const isPart = (word: string): boolean => PARTS.has(word);

/** Whether a path lies in a part of that name, or is one. */
export function liesIn(part: string, bound: PathBound): boolean {
  const word = part.replace(/s$/, "");
  return (
    bound === "?" ||
    bound
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((segment) => segment === word || segment === part || segment === `${word}s`)
  );
}
