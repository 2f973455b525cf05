/** The owner's oath: read it, bind it to a session, judge calls by it, brief the agent on it. */

export { type Briefing, briefingOf, type Surface, surfacesOf } from "./briefing.ts";
export {
  type BoundLine,
  type BoundOath,
  bindOath,
  type CompiledOath,
  compileOath,
  type OathSource,
} from "./compile.ts";
export { coveredBy, evidenceMeets } from "./evidence.ts";
export { judgeOath } from "./judge.ts";
export {
  MAX_DIAGNOSTICS,
  MAX_LINE_LENGTH,
  MAX_MISSION_LENGTH,
  MAX_OATH_BYTES,
  MAX_PATTERN_LENGTH,
  MAX_RULE_LINES,
  type MissionLine,
  type NeverLine,
  type Oath,
  type OathLine,
  type OathVerb,
  type RequireLine,
} from "./oath.ts";
export { type Diagnostic, type ParsedOath, parseOath } from "./parse.ts";
