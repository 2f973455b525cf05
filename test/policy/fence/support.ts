/** One task, as a test speaks to it: turns in, verdicts out. */
import fc from "fast-check";
import { decide } from "../../../src/policy/decide.ts";
import { effectsOf } from "../../../src/policy/effects/index.ts";
import {
  type Authority,
  applyTurn,
  DEFAULT_CONFIGURATION,
  type FenceConfiguration,
  judgeFence,
  judgeSecrets,
  type Permit,
  readTurn,
  type Situation,
  type TaskPolicy,
  type TurnReading,
  type Use,
} from "../../../src/policy/fence/index.ts";
import type { Effects, Environment, Verdict } from "../../../src/policy/types.ts";
import { CALLS, SENTENCES, type ToolUse } from "./material.ts";

export const ENVIRONMENT: Environment = {
  home: "/home/u",
  cwd: "/home/u/work",
  variables: { HERMES_HOME: "/home/u/.hermes" },
  os: "linux",
};

export const UNUSED: Use = { spent: {} };
export const RANK: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, block: 2 };

const read = new Map<string, TurnReading>();

/** As `readTurn`; the same words are read once. */
export function reading(text: string): TurnReading {
  const known = read.get(text);
  if (known !== undefined) return known;
  const made = readTurn(text);
  if (read.size < 5_000) read.set(text, made);
  return made;
}

export interface SaidTurn {
  readonly text: string;
  readonly authority: Authority;
}

/** The policy that these turns make, one after the other. */
export function policyOf(
  turns: readonly (SaidTurn | string)[],
  before: TaskPolicy | null = null,
): TaskPolicy {
  let policy = before;
  let turn = before?.turns ?? 0;
  for (const said of turns) {
    const { text, authority } = typeof said === "string" ? { text: said, authority: "owner" as const } : said;
    policy = applyTurn(policy, reading(text), { turn, authority });
    turn += 1;
  }
  if (policy === null) throw new Error("no turns");
  return policy;
}

const readCalls = new Map<ToolUse, Effects>();

export function effectsFor(call: ToolUse): Effects {
  const known = readCalls.get(call);
  if (known !== undefined) return known;
  const made = effectsOf(call, { environment: ENVIRONMENT, self: { hosts: [], variables: [] } });
  readCalls.set(call, made);
  return made;
}

export interface Answer {
  readonly verdict: Verdict;
  /** Sorted. */
  readonly rules: readonly string[];
  readonly permits: readonly Permit[];
}

/** What the fence and the guard of secrets say together. */
export function judged(
  policy: TaskPolicy,
  call: ToolUse | Effects,
  { use = UNUSED, ...given }: Partial<Situation> & { readonly use?: Use } = {},
): Answer {
  const effects = "acts" in call ? call : effectsFor(call);
  const situation: Situation = {
    environment: ENVIRONMENT,
    configuration: DEFAULT_CONFIGURATION,
    answerer: "human",
    repeats: 1,
    subagent: false,
    ...given,
  };
  const { findings, permits } = judgeFence(policy, effects, use, situation);
  const { verdict, reasons } = decide(
    { backups: [], fold_case: false },
    [...findings, ...judgeSecrets(policy, effects, situation.environment)],
    { guard: "enforce", oath: "enforce", fence: "enforce", provenance: "off" },
  );
  return { verdict, rules: [...new Set(reasons.map(({ rule_key }) => rule_key))].sort(), permits };
}

export const withClass = (
  kind: "reading" | "acting",
  classes: Partial<FenceConfiguration["unauthorized"]["reading"]>,
): FenceConfiguration => ({
  ...DEFAULT_CONFIGURATION,
  unauthorized: {
    ...DEFAULT_CONFIGURATION.unauthorized,
    [kind]: { ...DEFAULT_CONFIGURATION.unauthorized[kind], ...classes },
  },
});

export const sentence = fc.constantFrom(...SENTENCES);
export const call = fc.constantFrom(...CALLS);
/** One to four sentences, as people put them together. */
export const words = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.constantFrom(" ", "\n", "\n\n"))
  .map(([sentences, between]) => sentences.join(between));
export const authority = fc.constantFrom<Authority>("owner", "owner", "owner", "narrow", "heard", "none");
export const turn = fc.record({ text: words, authority });
/** A task of one to four turns, begun by its owner. */
export const policy = fc
  .tuple(words, fc.array(turn, { maxLength: 3 }))
  .map(([first, later]) => policyOf([first, ...later]));
