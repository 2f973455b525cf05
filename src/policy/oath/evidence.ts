/** What a backup must cover before a prerequisite counts as met. */

import { compileBound } from "../paths/bound.ts";
import { escapeBound, holding, patternCovers, type Steps, treeBound } from "../paths/index.ts";
import type { EvidenceCondition, PathBound } from "../types.ts";
import type { BoundLine } from "./compile.ts";

/** A condition that names more than this many paths asks for the line's whole surface instead, which covers them all. */
const MAX_BOUNDS = 100;

/**
 * What must be backed up before a call may touch `paths` under this line. A path inside the surface needs itself covered. One that
 * reaches beyond the surface, or cannot be known, needs everything that the line protects: the surface, or for a glob the folder that
 * it starts from, since a shell's copy of the same glob may leave hidden files out.
 */
export function backupNeeded(
  line: BoundLine,
  paths: readonly PathBound[],
  foldCase: boolean,
): EvidenceCondition {
  const surface = line.surface?.bound ?? "?";
  const whole = line.surface === null ? surface : treeBound(escapeBound(compileBound(surface, "exact").key));
  const needed = new Set<PathBound>();
  for (const path of paths) {
    if (!patternCovers(surface, path, foldCase) || needed.size === MAX_BOUNDS) {
      // With the whole among them, the single paths ask for nothing more.
      return { evidence: "backup", of: [whole] };
    }
    needed.add(path);
  }
  return { evidence: "backup", of: [...needed].sort() };
}

/** What covers what, of all the evidence that counts: made once, asked for every condition of a call. */
export type Covered = (bound: PathBound) => boolean;

/**
 * Prepares evidence for {@link evidenceMeets}. With nothing left of `steps` it covers nothing more: what cannot be told is
 * not there.
 */
export function coveredBy(
  evidence: readonly { readonly src: PathBound }[],
  foldCase: boolean,
  steps: Steps,
): Covered {
  const sources = [...new Set(evidence.map(({ src }) => src))];
  const held = holding(sources, { foldCase, dotsMatch: false }, steps);
  return (bound) => held(bound).by.length > 0;
}

/**
 * Does the recorded evidence meet the condition? Each bound must be covered by one piece of it: two halves of a tree do not
 * make the tree. A condition without bounds is never met.
 */
export function evidenceMeets(condition: EvidenceCondition, covered: Covered): boolean {
  return condition.of.length > 0 && condition.of.every(covered);
}
