/**
 * What an organization may set of the fence: what an effect that nobody asked for is answered with, whether a question
 * that nobody can answer is refused, and when the same call again and again is a loop.
 */
import type { Verdict } from "../../types.ts";
import { FENCED_CLASSES, type FencedClass } from "../types.ts";

/** A task whose words ask for no effect, and one whose words do (CONVENTIONS §2). */
export const TASK_KINDS = ["reading", "acting"] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export type JudgedClass = FencedClass | "UNKNOWN";
export const JUDGED_CLASSES: readonly JudgedClass[] = [...FENCED_CLASSES, "UNKNOWN"];

export interface FenceConfiguration {
  readonly unauthorized: Readonly<Record<TaskKind, Readonly<Record<JudgedClass, Verdict>>>>;
  /** Where nobody can answer, an ask is a block; it always is under the fallback. */
  readonly strict: boolean;
  /** The same call this often within one turn is asked about; 0 for never. */
  readonly loop_limit: number;
}

/** CONVENTIONS §3.6: destruction and money are refused outright, messages and sharing where the task reaches nobody. */
export const DEFAULT_CONFIGURATION: FenceConfiguration = {
  unauthorized: {
    reading: {
      WRITE: "ask",
      DELETE: "block",
      EXECUTE: "ask",
      COMMUNICATION: "block",
      SHARE: "block",
      EXTERNAL_WRITE: "ask",
      FINANCIAL: "block",
      PERSISTENT: "ask",
      UNKNOWN: "ask",
    },
    acting: {
      WRITE: "ask",
      DELETE: "block",
      EXECUTE: "ask",
      COMMUNICATION: "ask",
      SHARE: "ask",
      EXTERNAL_WRITE: "ask",
      FINANCIAL: "block",
      PERSISTENT: "ask",
      UNKNOWN: "ask",
    },
  },
  strict: false,
  loop_limit: 5,
};

const VERDICTS: readonly Verdict[] = ["allow", "ask", "block"];
const MAX_LOOP_LIMIT = 1000;

/**
 * Settings as they are kept, over the defaults. Total: what is not known is no opinion. What is unknown is never allowed
 * by a setting: a task policy cannot speak for it.
 */
export function readConfiguration(value: unknown): FenceConfiguration {
  const given = isRecord(value) ? value : {};
  const rows = own(given, "unauthorized");
  const map = isRecord(rows) ? rows : {};
  const kind = (name: TaskKind): Record<JudgedClass, Verdict> => {
    const set = own(map, name);
    const row: Record<JudgedClass, Verdict> = { ...DEFAULT_CONFIGURATION.unauthorized[name] };
    for (const risk of JUDGED_CLASSES) {
      const verdict = VERDICTS.find((known) => isRecord(set) && own(set, risk) === known);
      if (verdict !== undefined && !(risk === "UNKNOWN" && verdict === "allow")) row[risk] = verdict;
    }
    return row;
  };
  const loop = own(given, "loop_limit");
  return {
    unauthorized: { reading: kind("reading"), acting: kind("acting") },
    strict: own(given, "strict") === true,
    loop_limit:
      typeof loop === "number" && Number.isInteger(loop) && loop >= 0 && loop <= MAX_LOOP_LIMIT
        ? loop
        : DEFAULT_CONFIGURATION.loop_limit,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member itself: what an object inherits is nobody's setting. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
