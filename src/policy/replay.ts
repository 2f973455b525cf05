/**
 * Turns and calls, judged once more under any configuration: what would have been answered, or would be if it changed
 * (the judge command, `POST /v1/replay`, tests). Pure; the same judges, in the same order, as a decision.
 *
 * An allow is taken as run, and so is an ask that a person said yes to then; anything else as not run.
 */
import { type Decision, decide } from "./decide.ts";
import type { Tables } from "./effects/index.ts";
import {
  type FenceConfiguration,
  type HeardTurn,
  hearTurn,
  judgeFence,
  judgeSecrets,
  spend,
  type TaskPolicy,
  UNSPOKEN,
  type Use,
} from "./fence/index.ts";
import { engineError } from "./guards.ts";
import { judgeCall, type SentCall } from "./judge.ts";
import type { Modes } from "./modes.ts";
import type { BoundOath } from "./oath/index.ts";
import { foldsCase, meeting, type Steps, treeBound } from "./paths/index.ts";
import {
  DEFAULT_PROVENANCE,
  findingsOf,
  inquire,
  judgeProvenance,
  keptBy,
  Messages,
  type ProvenanceConfiguration,
  type TypedMessage,
} from "./provenance/index.ts";
import type { Backup, Effects, Environment, Finding, JsonObject, ReadingContext } from "./types.ts";

/** Steps that comparing one call with the backups so far may take. */
const MAX_STEPS = 2_000_000;

export interface ReplayConfiguration {
  readonly modes: Modes;
  readonly fence: FenceConfiguration;
  readonly provenance?: ProvenanceConfiguration;
  readonly tables: Tables;
  /** The oaths, with their patterns expanded for where a call runs. */
  readonly bind: (environment: Environment) => readonly BoundOath[];
}

export interface ReplayedCall {
  readonly call: SentCall;
  readonly context: ReadingContext;
  readonly answerer: "human" | "auto" | "none";
  readonly subagent: boolean;
  /** Names the action: the same again within one turn may be a loop. */
  readonly key: string;
  /** True when it is known to have succeeded, so that a copy it made counts. */
  readonly succeeded: boolean;
  /** True when an ask was answered with yes then, by the harness's own user: it is taken as answered so again. */
  readonly answered: boolean;
  /** The text that the call edits, where that is known. */
  readonly stored?: string | null;
}

export class Replay {
  readonly #configuration: ReplayConfiguration;
  #task = UNSPOKEN;
  #use: Use = { spent: {} };
  readonly #repeats = new Map<string, number>();
  readonly #messages = new Messages();
  /** Writes that were refused since the last turn, by their target. */
  readonly #refused = new Map<string, number>();
  #backups: readonly Backup[] = [];

  constructor(configuration: ReplayConfiguration) {
    this.#configuration = configuration;
  }

  get policy(): TaskPolicy {
    return this.#task.policy;
  }

  /** @param typed what a person typed of it, which quotes may come from; `null` for nothing */
  turn(turn: HeardTurn, typed: TypedMessage | null = null): void {
    this.#task = hearTurn(this.#task, turn).state;
    if (typed !== null && !turn.child && !turn.harnessWritten) this.#messages.add(typed);
    this.#repeats.clear();
    this.#refused.clear();
  }

  call({ call, context, answerer, subagent, key, succeeded, answered, stored }: ReplayedCall): Decision & {
    readonly effects: Effects;
  } {
    const { modes, fence, tables, bind } = this.#configuration;
    const { environment } = context;
    const repeats = (this.#repeats.get(key) ?? 0) + 1;
    this.#repeats.set(key, repeats);
    const { effects, findings } = judgeCall(
      call,
      context,
      tables,
      modes.oath === "off" ? [] : bind(environment),
    );
    const { policy } = this.#task;
    const words = judgeFence(policy, effects, this.#use, {
      environment,
      configuration: fence,
      answerer,
      repeats,
      subagent,
    });
    const steps: Steps = { left: MAX_STEPS };
    const decision = decide(
      { backups: this.#backups, fold_case: foldsCase(environment), steps },
      [
        ...findings,
        ...judgeSecrets(policy, effects, environment),
        ...words.findings,
        ...this.#writing(call, effects, stored ?? null),
      ],
      modes,
    );
    if (decision.verdict === "allow" || (decision.verdict === "ask" && answered)) {
      if (modes.fence !== "off") this.#use = spend(this.#use, words.permits);
      this.#ran(effects, environment, succeeded, steps);
    }
    return { ...decision, effects };
  }

  /** What provenance holds against a write; only this family's words are known here, whatever the scope. */
  #writing({ tool, args }: SentCall, effects: Effects, stored: string | null): readonly Finding[] {
    const { modes, provenance = DEFAULT_PROVENANCE } = this.#configuration;
    if (modes.provenance === "off") return [];
    try {
      const write = keptBy({ tool, args: args as JsonObject }, effects, stored, provenance);
      if (write.kind === "none") return [];
      const inquiry = write.kind === "unreadable" ? null : inquire(write, provenance.lexicon);
      const judged =
        inquiry === null ? null : judgeProvenance(inquiry, this.#messages.answers(inquiry.needles));
      const refusals = this.#refused.get(write.target) ?? 0;
      const findings = findingsOf(write, judged, modes.provenance === "observe" ? 0 : refusals);
      if (findings.length > 0 && modes.provenance !== "observe")
        this.#refused.set(write.target, refusals + 1);
      return findings;
    } catch {
      return [engineError("provenance")];
    }
  }

  #ran(
    { actions, opaque, backups }: Effects,
    environment: Environment,
    succeeded: boolean,
    steps: Steps,
  ): void {
    if (this.#backups.length > 0) {
      const met = meeting(
        this.#backups.map(({ dest }) => treeBound(dest)),
        foldsCase(environment),
        steps,
      );
      const overwritten = actions.filter(({ verb }) => verb !== "create").map(({ path }) => path);
      const lost = new Set([...overwritten, ...(opaque?.names ?? [])].flatMap((path) => met(path)));
      this.#backups = this.#backups.filter((_, at) => !lost.has(at));
    }
    if (succeeded) this.#backups = [...this.#backups, ...backups].slice(-1_000);
  }
}
