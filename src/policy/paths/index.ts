/** Paths as every judge compares them: one spelling for a file, and sets of files as bounds. */

export { type Forbidden, type ForbiddenCharacter, findForbidden, utf8Bytes } from "./characters.ts";
export { type Held, holding, meeting } from "./many.ts";
export { boundCovers, boundsIntersect, patternCovers, type Steps } from "./match.ts";
export {
  escapeBound,
  foldsCase,
  homeOf,
  MAX_PATH_BYTES,
  normalisePath,
  type PathCause,
  type PathResult,
  readVariable,
  resolvePath,
  treeBound,
  variableOf,
} from "./resolve.ts";
