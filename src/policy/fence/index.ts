/** The fence: a person's words become a task policy, and every call is held to it. */
export {
  applyTurn,
  authorityOf,
  compileRules,
  EMPTY_POLICY,
  fallbackPolicy,
  type Speaker,
  type Turn,
} from "./apply.ts";
export { MAX_PERMISSIONS, MAX_PROHIBITIONS } from "./bounds.ts";
export { harden, ownWords, undrafted } from "./harden.ts";
export { budgetKey, type Permit, spend, spentOf } from "./judging/budget.ts";
export {
  DEFAULT_CONFIGURATION,
  type FenceConfiguration,
  JUDGED_CLASSES,
  type JudgedClass,
  readConfiguration,
  TASK_KINDS,
  type TaskKind,
} from "./judging/configuration.ts";
export { type FenceJudgement, judgeFence, type Situation } from "./judging/judge.ts";
export { fenceWords } from "./judging/messages.ts";
export { judgeSecrets } from "./judging/secrets.ts";
export { MAX_TURN_PERMISSIONS, MAX_TURN_PROHIBITIONS, readTurn } from "./reading/read-turn.ts";
export { type HeardTurn, hearTurn, type TaskState, UNSPOKEN } from "./task.ts";
export * from "./types.ts";
