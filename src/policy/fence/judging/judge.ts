/**
 * A task policy and the one reading of a call -> what the fence holds against it, and what the call would use of the
 * policy. Pure, total, no short-circuit; order of permissions and prohibitions makes no difference.
 */
import type { Act, Effects, Environment, Finding, Verdict } from "../../types.ts";
import { FENCED_CLASSES, type TaskPolicy, type Use } from "../types.ts";
import { isRemoteCode } from "./acts/commands.ts";
import { matchReplaced } from "./acts/git.ts";
import { matchAct } from "./acts/index.ts";
import type { Call, Match, Ready } from "./acts/match.ts";
import { givesOn } from "./acts/orders.ts";
import { MOVES } from "./acts/verbs.ts";
import { isNamedForWriting, refusedArguments } from "./arguments.ts";
import { binds } from "./binds.ts";
import { budgetKey, isLeft, type Permit, unitsOf } from "./budget.ts";
import type { FenceConfiguration, JudgedClass, TaskKind } from "./configuration.ts";
import { exfiltration } from "./exfiltration.ts";
import { finding } from "./messages.ts";
import { covers, isInWorkspace, isItself } from "./places.ts";
import { type ReadyBan, type ReadyPolicy, readyPolicy } from "./ready.ts";

export interface Situation {
  readonly environment: Environment;
  readonly configuration: FenceConfiguration;
  /** Who answers a question: a person, the harness by itself, or nobody. */
  readonly answerer: "human" | "auto" | "none";
  /** How often this very call has come in this turn, this time among them. */
  readonly repeats: number;
  readonly subagent: boolean;
}

export interface FenceJudgement {
  readonly findings: readonly Finding[];
  readonly permits: readonly Permit[];
}

export function judgeFence(
  policy: TaskPolicy,
  effects: Effects,
  use: Use,
  situation: Situation,
): FenceJudgement {
  if (isTooLarge(policy, effects)) return { findings: [finding("block", "too-large")], permits: [] };
  return new Judge(policy, effects, use, situation).judge();
}

/** Comparisons that one judgement may take, some tenths of a second: it runs while the session's object waits. */
const MOST_COMPARISONS = 400_000;

/** True where not all of a call was told, or where comparing all of it with all that was said would take too long. */
function isTooLarge(
  { permissions, prohibitions }: TaskPolicy,
  { acts, actions, recipients, items, opaque }: Effects,
): boolean {
  if (opaque?.causes.some((cause) => UNTOLD.test(cause)) === true) return true;
  const sides = permissions.length + prohibitions.length + 1;
  const sent = items.filter(({ name }) => name === "attachment" || name === "input").length;
  return acts.length * sides * (actions.length + recipients.length + sent + 1) > MOST_COMPARISONS;
}

/** Words that leave nothing out: whoever says that nothing may be sent has not named a thing called "sent". */
const WHATEVER =
  /\b(?:no|nothing|anything|any|nobody|anyone|anybody|nichts|niemand\w*|kein\w*|nada|nadie|ning[uú]n\w*)\b|什么|任何|所有|不要|别/iu;

/** Recipients, sums, things or acts past the bound of a reading: what was not told cannot be held to anything. */
const UNTOLD = /^too-many-(?:recipients|amounts|items|acts)$/;

/** Tools that tell another agent what to do. */
const DELEGATES = /^(?:delegate_task|kanban)$/;

interface Best {
  readonly ready: Ready;
  readonly match: Match;
}

const CARRIES = /^(?:upload|push|scp|rsync|sftp|ftp|nc)$/;

/** Named before asked, what is left before what is used up; what goes over a limit before what merely names none. */
function worthOf(match: Match, isLeft: boolean): number {
  if (match.level === "named") return (isLeft ? 8 : 4) + (match.explicit ? 1 : 0);
  if (match.rule === "amount-over-cap") return 3;
  return match.blocks ? 1 : 2;
}

/** A file that is emptied is as good as deleted. */
function emptied(act: Act): Act {
  return act.risk === "WRITE" && act.verbs.some((verb) => verb === "truncate" || verb === "empty")
    ? { ...act, risk: "DELETE" }
    : act;
}

class Judge {
  readonly #policy: TaskPolicy;
  readonly #ready: ReadyPolicy;
  readonly #effects: Effects;
  readonly #use: Use;
  readonly #situation: Situation;
  readonly #call: Call;
  readonly #findings: Finding[] = [];
  readonly #permits: Permit[] = [];

  constructor(policy: TaskPolicy, effects: Effects, use: Use, situation: Situation) {
    this.#policy = policy;
    this.#ready = readyPolicy(policy, situation.environment);
    this.#effects = effects;
    this.#use = use;
    this.#situation = situation;
    this.#call = {
      effects,
      environment: situation.environment,
      deletes: (effects.acts.some((act) => emptied(act) !== act)
        ? effects.actions
        : effects.actions.filter(({ verb }) => verb === "delete")
      ).map(({ path }) => path),
      permissions: this.#ready.permissions,
      writes: effects.actions.filter(({ verb }) => verb !== "delete").map(({ path }) => path),
    };
  }

  judge(): FenceJudgement {
    const { effects, situation } = { effects: this.#effects, situation: this.#situation };
    const { loop_limit } = situation.configuration;
    if (loop_limit > 0 && situation.repeats >= loop_limit) this.#add("ask", "loop");
    for (const rule of refusedArguments(this.#call, this.#ready)) this.#add("block", rule);
    for (const given of effects.acts) {
      const act = emptied(given);
      if (act.risk === "UNKNOWN") this.#unauthorized("UNKNOWN", "unknown-tool");
      else if ((FENCED_CLASSES as readonly string[]).includes(act.risk)) this.#act(act);
    }
    if (effects.risks.includes("UNKNOWN") && !effects.acts.some(({ risk }) => risk === "UNKNOWN"))
      this.#unauthorized("UNKNOWN", "unknown-tool");
    if (DELEGATES.test(effects.tool) && givesOn(this.#call)) this.#add("ask", "order-not-covered");
    for (const verdict of exfiltration(effects, this.#ready, this.#kind()))
      this.#add(verdict.verdict, verdict.rule);
    return { findings: this.#answerable(), permits: this.#permits };
  }

  #act(act: Act): void {
    const best = this.#best(act);
    const bans = this.#ready.bans.filter(
      (ban) => binds(ban, act, this.#call) && !(this.#isMove(act) && !this.#forbidsMoving(ban)),
    );
    let stopped = false;
    for (const ban of bans) {
      const lifted = this.#lifted(ban, best);
      if (lifted === "lifted") continue;
      stopped = true;
      // What is forbidden in words that no call can be compared with, where the person named this very thing besides.
      const vague =
        ban.kinds.size === 0 &&
        ban.prohibition.object.length > 0 &&
        ban.prohibition.targets.length === 0 &&
        !ban.prohibition.except &&
        !WHATEVER.test(ban.prohibition.quote);
      const both = vague && best !== null && best.match.level === "named" && best.match.explicit;
      const asks = ban.prohibition.verdict === "ask" || lifted === "softened" || both;
      this.#add(
        asks ? "ask" : "block",
        asks && ban.prohibition.verdict === "ask" ? "user-wants-confirmation" : "user-prohibition",
        ban.prohibition.quote,
      );
    }
    if (best === null) {
      if (!stopped || bans.every(({ prohibition }) => prohibition.verdict === "ask")) this.#notRequested(act);
      return;
    }
    const { match, ready } = best;
    if (this.#policy.compiler === "fallback") {
      this.#add("ask", "fallback");
      return;
    }
    if (match.rule !== null) {
      this.#add(match.blocks ? "block" : "ask", match.rule, ready.permission.quote);
      return;
    }
    this.#budget(act, ready, match);
  }

  /** The permission that fits best: named before asked, what is left before what is used up. */
  #best(act: Act): Best | null {
    let best: Best | null = null;
    let score = 0;
    for (const ready of this.#ready.permissions) {
      const match = this.#match(ready, act);
      if (match === null) continue;
      const worth = worthOf(match, this.#left(ready, match, act));
      if (
        worth > score ||
        (worth === score && best !== null && ready.permission.id < best.ready.permission.id)
      ) {
        best = { ready, match };
        score = worth;
      }
    }
    return best;
  }

  #match(ready: Ready, act: Act): Match | null {
    const direct = matchAct(ready, act, this.#call);
    if (direct !== null) return direct;
    if (act.risk !== "DELETE") return null;
    const replaced = matchReplaced(ready, act, this.#call);
    if (replaced !== null) return replaced;
    // What is moved is gone from where it was: that was asked for with the move.
    if (
      this.#isRelocated(act) &&
      ready.permission.risk === "WRITE" &&
      [...ready.verbs].some((verb) => MOVES.test(verb) || verb === "archive")
    ) {
      const { deletes, environment } = this.#call;
      const known =
        ready.places.length === 0
          ? deletes.every((path) => isInWorkspace(path, environment))
          : deletes.every((path) =>
              ready.places.some((place) => covers(place, path, environment) || isItself(place, path)),
            );
      return known
        ? { level: "named", rule: null, blocks: false, keys: [], units: 0, explicit: ready.places.length > 0 }
        : { level: "asked", rule: "target-not-named", blocks: false, keys: [], units: 0, explicit: false };
    }
    // A class that comes with the one that was asked for: an invitation is sent and the event made.
    return null;
  }

  /** As much appears as disappears. A patch says `Move File` and `Delete File` in the same words. */
  #isRelocated(act: Act): boolean {
    if (this.#isMove(act)) return true;
    const made = this.#effects.actions.filter(({ verb }) => verb === "create").length;
    return this.#effects.tool === "patch" && made >= this.#call.deletes.length;
  }

  #isMove(act: Act): boolean {
    return (
      act.risk === "DELETE" && this.#call.writes.length > 0 && act.verbs.some((verb) => MOVES.test(verb))
    );
  }

  #forbidsMoving({ prohibition, verbs }: ReadyBan): boolean {
    return (
      prohibition.risks === "all" ||
      verbs.has("move") ||
      verbs.has("rename") ||
      prohibition.targets.length > 0
    );
  }

  /** A later request of the one who forbade, with its target, lifts for that act only; without one it makes a question. */
  #lifted(ban: ReadyBan, best: Best | null): "lifted" | "softened" | "no" {
    if (best === null || best.ready.permission.span.turn <= ban.prohibition.span.turn) return "no";
    if (best.match.level === "named" && best.match.explicit && best.ready.permission.limit !== 0)
      return "lifted";
    const isVague = best.match.level === "named" || best.ready.permission.targets.length === 0;
    return isVague ? "softened" : "no";
  }

  #budget(act: Act, ready: Ready, match: Match): void {
    const { permission } = ready;
    if (permission.limit === 0) {
      this.#add("ask", "unclear-request", permission.quote);
      return;
    }
    if (permission.limit === null) {
      for (const key of match.keys.length > 0 ? match.keys : [""])
        this.#permits.push({ permission: permission.id, units: match.units, key });
      return;
    }
    if (!this.#left(ready, match, act)) {
      this.#add(act.risk === "FINANCIAL" ? "block" : "ask", "budget-exhausted", permission.quote);
      return;
    }
    for (const key of match.keys.length > 0 ? match.keys : [""])
      if (!this.#permits.some((one) => one.permission === permission.id && one.key === key))
        this.#permits.push({
          permission: permission.id,
          units: unitsOf(this.#effects, act, match, key),
          key,
        });
  }

  #left(ready: Ready, match: Match, act: Act): boolean {
    const { id, limit } = ready.permission;
    if (limit === null) return true;
    if (limit === 0) return false;
    return (match.keys.length > 0 ? match.keys : [""]).every((key) => {
      const name = budgetKey(id, key);
      return isLeft(this.#use, name, unitsOf(this.#effects, act, match, key), limit);
    });
  }

  #kind(): TaskKind {
    return this.#ready.acts ? "acting" : "reading";
  }

  #notRequested(act: Act): void {
    const { environment, writes } = this.#call;
    const risk = act.risk as JudgedClass;
    if (this.#policy.compiler === "fallback") {
      this.#add("ask", "fallback");
      return;
    }
    if (this.#policy.delegated.length > 0 && risk !== "UNKNOWN") {
      this.#add("ask", "delegated", this.#policy.delegated[0]?.quote);
      return;
    }
    if (this.#isMove(act)) {
      this.#add("ask", "class-not-requested");
      return;
    }
    if (this.#comesWith(act)) return;
    if (risk === "EXECUTE" && isRemoteCode(this.#effects)) {
      this.#add("block", "remote-code");
      return;
    }
    if (risk === "EXECUTE") {
      this.#unauthorized(
        "EXECUTE",
        this.#effects.opaque === null ? "class-not-requested" : "opaque-execution",
      );
      return;
    }
    if (risk === "PERSISTENT" && writes.length > 0 && this.#effects.risks.includes("WRITE")) {
      // Whoever names the very file has asked for it, whatever reads it later.
      if (writes.every((path) => isNamedForWriting(this.#ready, path))) return;
      this.#add("block", "persistence-path");
      return;
    }
    if (risk === "WRITE" && !writes.every((path) => isInWorkspace(path, environment))) {
      this.#unauthorized("WRITE", "target-not-named");
      return;
    }
    if (
      risk === "EXTERNAL_WRITE" &&
      (act.verbs.includes("draft") || act.object.includes("draft")) &&
      this.#ready.permissions.some(({ permission }) => permission.risk === "COMMUNICATION")
    )
      return;
    if ((risk === "COMMUNICATION" || risk === "SHARE") && this.#ready.draftsOnly) {
      this.#add("block", risk === "SHARE" ? "unauthorized-share" : "unauthorized-send");
      return;
    }
    if (risk === "EXTERNAL_WRITE" && this.#carriesOut(act)) {
      this.#unauthorized("COMMUNICATION", "unauthorized-send");
      return;
    }
    this.#unauthorized(risk, UNAUTHORIZED[risk] ?? "class-not-requested");
  }

  /** Files of this machine, sent to a host that nobody named (CONVENTIONS §3.6). */
  #carriesOut(act: Act): boolean {
    return (
      (act.verbs.some((verb) => CARRIES.test(verb)) ||
        this.#effects.items.some(({ name }) => name === "file" || name === "input")) &&
      this.#effects.hosts.some((host) => !this.#ready.named.hosts.includes(host))
    );
  }

  /** The same act under another class: the message that a shared invitation sends, the entry that an event with guests is. */
  #comesWith(act: Act): boolean {
    return this.#effects.acts.some(
      (other) =>
        other.risk !== act.risk &&
        other.risk !== "READ" &&
        other.service === act.service &&
        (other.risk !== "WRITE" || act.risk === "EXECUTE") &&
        act.risk !== "DELETE" &&
        act.risk !== "FINANCIAL" &&
        sameWords(other, act) &&
        this.#isAllowed(other),
    );
  }

  #isAllowed(act: Act): boolean {
    const best = this.#best(act);
    return best !== null && best.match.rule === null && best.ready.permission.limit !== 0;
  }

  #unauthorized(risk: JudgedClass, rule: string): void {
    const verdict =
      this.#policy.compiler === "fallback"
        ? "ask"
        : this.#situation.configuration.unauthorized[this.#kind()][risk];
    if (verdict !== "allow") this.#add(verdict, rule);
  }

  #add(verdict: Exclude<Verdict, "allow">, rule: string, quote?: string): void {
    const made = finding(verdict, rule, quote);
    const same = this.#findings.some(
      (one) =>
        one.verdict === made.verdict &&
        one.reason.rule_key === made.reason.rule_key &&
        one.reason.message === made.reason.message,
    );
    if (!same) this.#findings.push(made);
  }

  /** A question that nobody answers is a refusal, where that is demanded (DESIGN §4). */
  #answerable(): readonly Finding[] {
    const { answerer, configuration } = this.#situation;
    const refuses = answerer !== "human" && (configuration.strict || this.#policy.compiler === "fallback");
    return refuses
      ? this.#findings.map((one) => (one.verdict === "ask" ? { ...one, verdict: "block" as const } : one))
      : this.#findings;
  }
}

function sameWords(a: Act, b: Act): boolean {
  return a.object.length === b.object.length && a.object.every((word, at) => word === b.object[at]);
}

const UNAUTHORIZED: Readonly<Record<string, string>> = {
  COMMUNICATION: "unauthorized-send",
  SHARE: "unauthorized-share",
  DELETE: "unauthorized-delete",
  FINANCIAL: "unauthorized-payment",
};
