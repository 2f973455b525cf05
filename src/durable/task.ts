/**
 * What the words of the person who began a task authorise, and what of it has been used: one policy and one set of
 * budgets for the whole family (DESIGN §3, Families). Everything here runs inside one synchronous transaction of the
 * root's object and awaits nothing.
 */
import {
  type Authority,
  type FenceConfiguration,
  type FenceJudgement,
  hearTurn,
  judgeFence,
  judgeSecrets,
  type Permit,
  spend,
  type TaskPolicy,
  type TaskState,
  type TurnReading,
  UNSPOKEN,
  type Use,
} from "../policy/fence/index.ts";
import type { Effects, Environment, Finding } from "../policy/types.ts";
import type { Answerer, SpokenTurn } from "./protocol.ts";
import type { Tables } from "./storage.ts";

const UNUSED: Use = { spent: {} };

/** Keys of the object's `meta` table. */
const POLICY = "task_policy";
const USE = "task_use";
const OWNER = "task_owner";
const TURNS = "task_turns";
const TURN_SEQ = "task_turn_seq";
const SPOKEN_SEQ = "task_spoken_seq";

export interface Judged extends FenceJudgement {
  /** Of the guard that protects secrets, which hears what the person named. */
  readonly secrets: readonly Finding[];
}

export class Task {
  readonly #tables: Tables;
  #policy: TaskPolicy | null = null;
  #use: Use | null = null;
  #asked: Map<string, number> | null = null;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Forgets what memory says: a transaction that wrote was rolled back. */
  forget(): void {
    this.#policy = null;
    this.#use = null;
    this.#asked = null;
  }

  /** The policy in force; before the first turn, one under which everything consequential asks. */
  policy(): TaskPolicy {
    if (this.#policy === null) {
      const kept = this.#tables.exist ? this.#tables.getText(POLICY) : null;
      this.#policy = kept === null ? UNSPOKEN.policy : (JSON.parse(kept) as TaskPolicy);
    }
    return this.#policy;
  }

  use(): Use {
    if (this.#use === null) {
      const kept = this.#tables.exist ? this.#tables.getText(USE) : null;
      this.#use = kept === null ? UNUSED : (JSON.parse(kept) as Use);
    }
    return this.#use;
  }

  /**
   * Takes a turn into the policy. The first one that carries authority says whose task it is.
   * @param seq of the turn's entry: calls are counted from there when they repeat
   */
  turn(
    spoken: SpokenTurn,
    reading: TurnReading,
    child: boolean,
    seq: number,
  ): { authority: Authority; turn: number; policy: TaskPolicy } {
    const turn = this.#tables.getNumber(TURNS);
    const known = this.#tables.getText(OWNER);
    const before: TaskState = {
      policy: this.policy(),
      owner: known === null ? null : { sender: JSON.parse(known) as string | null },
      turns: turn,
    };
    const { sender, platform, mid_run: midRun, harness_written: harnessWritten, compiler } = spoken;
    const { state, authority } = hearTurn(before, {
      reading,
      compiler,
      sender,
      platform,
      midRun,
      harnessWritten,
      child,
    });
    this.#tables.setNumber(TURNS, state.turns);
    this.#tables.setNumber(TURN_SEQ, seq);
    if (authority !== "none") this.#tables.setNumber(SPOKEN_SEQ, seq);
    this.#asked = null;
    if (known === null && state.owner !== null)
      this.#tables.setText(OWNER, JSON.stringify(state.owner.sender));
    if (state.policy !== before.policy) {
      this.#policy = state.policy;
      this.#tables.setText(POLICY, JSON.stringify(state.policy));
    }
    return { authority, turn, policy: state.policy };
  }

  /** What the words hold against a call. Total: what cannot be judged throws, and whoever asks blocks. */
  judge(
    effects: Effects,
    call: {
      readonly environment: Environment;
      readonly configuration: FenceConfiguration;
      readonly answerer: Answerer;
      readonly subagent: boolean;
      readonly digest: string;
      /** True for a call that was counted when it was asked for the first time. */
      readonly again: boolean;
    },
  ): Judged {
    const { digest, again, ...situation } = call;
    const judged = judgeFence(this.policy(), effects, this.use(), {
      ...situation,
      repeats: (this.#askedThisTurn().get(digest) ?? 0) + (again ? 0 : 1),
    });
    return { ...judged, secrets: judgeSecrets(this.policy(), effects, call.environment) };
  }

  /** What is used so far, with what has no budget: that is counted where the calls are kept, when somebody asks. */
  used(): Use {
    if (!this.#tables.exist) return this.use();
    const limited = this.#limited();
    const spent = { ...this.use().spent };
    const rows = this.#tables.sql.exec<{ permission: string; units: number }>(
      `SELECT p.value ->> 'permission' AS permission, sum(p.value ->> 'units') AS units
       FROM calls, json_each(calls.permits) AS p
       WHERE calls.permits IS NOT NULL AND (calls.verdict = 'allow' OR
         (calls.acts = 1 AND calls.answered_by = 'harness' AND calls.approval IS NULL))
       GROUP BY 1`,
    );
    for (const { permission, units } of rows) if (!limited.has(permission)) spent[permission] = units;
    return { spent };
  }

  #limited(): Set<string> {
    return new Set(this.policy().permissions.flatMap(({ id, limit }) => (limit === null ? [] : [id])));
  }

  /** Takes what a call that runs uses of the budgets. What has none is not written down with every call. */
  spend(permits: readonly Permit[]): void {
    const limited = this.#limited();
    const after = spend(
      this.use(),
      permits.filter(({ permission }) => limited.has(permission)),
    );
    if (after === this.#use) return;
    this.#use = after;
    this.#tables.setText(USE, JSON.stringify(after));
  }

  /** How often writes to this target were refused since the last turn. */
  refusedWrites(target: string): number {
    return this.#tables.sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM calls WHERE refused_write = ? AND seq > ?",
        this.#tables.keyed(target),
        this.#tables.getNumber(TURN_SEQ),
      )
      .one().n;
  }

  /**
   * Drops what was made of words that are to be forgotten up to this entry: the next person who speaks begins a new task.
   * A policy in which later words have been heard stays whole.
   */
  forgetWords(upTo: number): void {
    const heard = this.spokenSeq() || this.#tables.getNumber(TURN_SEQ);
    if (heard === 0 || heard > upTo) return;
    for (const key of [POLICY, USE, OWNER]) this.#tables.drop(key);
    this.forget();
  }

  /** The entry of the last turn in which somebody with a say spoke; 0 before the first. A subagent's goal is none. */
  spokenSeq(): number {
    return this.#tables.exist ? this.#tables.getNumber(SPOKEN_SEQ) : 0;
  }

  /** Takes a call into what this turn has asked for. */
  asked(digest: string): void {
    const asked = this.#askedThisTurn();
    asked.set(digest, (asked.get(digest) ?? 0) + 1);
  }

  /** How often each action was asked for since the last turn. Read once, then kept: a decision asks every time. */
  #askedThisTurn(): Map<string, number> {
    if (this.#asked === null) {
      const rows = this.#tables.sql.exec<{ digest: string; n: number }>(
        "SELECT digest, count(*) AS n FROM calls WHERE seq > ? GROUP BY digest",
        this.#tables.getNumber(TURN_SEQ),
      );
      this.#asked = new Map([...rows].map(({ digest, n }) => [digest, n]));
    }
    return this.#asked;
  }
}
