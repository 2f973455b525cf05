export { changesOf, type ToolChange, type ToolReadAs } from "./changes.ts";
export {
  type ParsedToolTable,
  parseToolTable,
  type ToolOverride,
  type ToolTable,
  type ToolTableFault,
  toolsWith,
} from "./overrides.ts";
export { effectsOf, effectsWith, explainCall } from "./read.ts";
export { TABLES, type Tables } from "./tables.ts";
export type { Explanation, Fact, Step } from "./trace.ts";
