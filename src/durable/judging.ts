/**
 * The judgement of one call against what its family has recorded: what the Worker found, what the words of its person
 * say, what people have said of it. Runs inside one synchronous transaction of the root's object and awaits nothing.
 */
import { log } from "../log.ts";
import { type Decision, decide } from "../policy/decide.ts";
import type { Permit } from "../policy/fence/index.ts";
import { engineError } from "../policy/guards.ts";
import { foldsCase, type Steps } from "../policy/paths/index.ts";
import type { Environment, Finding } from "../policy/types.ts";
import type { Evidence } from "./evidence.ts";
import type { Family, SessionRow } from "./family.ts";
import type { SettleInput } from "./protocol.ts";
import type { Judged, Task } from "./task.ts";
import { heldAgainst } from "./writes.ts";

/** Steps that comparing one call with the family's evidence may take, some 40 ms. */
const MAX_STEPS = 2_000_000;

export interface Judgement {
  readonly decision: Decision;
  /** What was found here, beside what the Worker brought. */
  readonly found: readonly Finding[];
  /** What provenance holds against the write, of {@link found}. */
  readonly writing: readonly Finding[];
  /** Permissions of the task policy that the call would use. */
  readonly permits: readonly Permit[];
  readonly fold_case: boolean;
  /** What is left for comparing paths. */
  readonly steps: Steps;
  /** The same with one more finding. */
  with(finding: Finding): Judgement;
}

/** Everything that a call is judged by, but for the approvals. */
export class Judging {
  readonly #family: Family;
  readonly #evidence: Evidence;
  readonly #task: Task;

  constructor(family: Family, evidence: Evidence, task: Task) {
    this.#family = family;
    this.#evidence = evidence;
    this.#task = task;
  }

  /**
   * Judges a call.
   * @param people what approvals say of it
   * @param again true for a call that was counted when it was asked for the first time
   */
  judge(input: SettleInput, session: SessionRow, people: readonly Finding[], again: boolean): Judgement {
    const conditional = input.findings.some((finding) => finding.unless !== undefined);
    const steps: Steps = { left: MAX_STEPS };
    const foldCase = folds(session);
    const fence = this.#fence(input, this.#family.isChild(session), again);
    const writing = heldAgainst(input, (target) => this.#task.refusedWrites(target));
    const state = { backups: conditional ? this.#evidence.backups() : [], fold_case: foldCase, steps };
    const judgement = (found: readonly Finding[]): Judgement => ({
      decision: decide(state, [...input.findings, ...found], input.modes),
      found,
      writing,
      permits: fence.permits,
      fold_case: foldCase,
      steps,
      with: (finding) => judgement([...found, finding]),
    });
    return judgement([...people, ...fence.secrets, ...fence.findings, ...writing]);
  }

  /** What the person's words say of the call. What cannot be judged is blocked, in whichever mode the fence is. */
  #fence(input: SettleInput, subagent: boolean, again: boolean): Judged {
    try {
      const judged = this.#task.judge(input.effects, {
        environment: input.environment,
        configuration: input.fence,
        answerer: input.answerer,
        subagent,
        digest: input.digest,
        again,
      });
      return input.modes.fence === "off" ? { ...judged, findings: [], permits: [] } : judged;
    } catch (error) {
      log.error("engine-failed", error, { engine: "fence" });
      return { findings: [engineError("fence")], permits: [], secrets: [engineError("guard")] };
    }
  }
}

/** Whether paths differ by case alone where this session runs. */
export function folds(row: SessionRow): boolean {
  return foldsCase(JSON.parse(row.environment) as Environment);
}
