/** What the task policy, its compilers and the engines say, in words for people. A name that has none is shown as it is. */
import type { CompileCause } from "../../compiler/index.ts";
import type { DraftCause } from "../../policy/fence/draft.ts";
import type { Prohibition, Target, TaskPolicy } from "../../policy/fence/index.ts";
import type { Mode } from "../../policy/modes.ts";

/** Causes of what the rules, the turns' order and the hardening leave out; a draft's own are in its type. */
type DroppedCause =
  | DraftCause
  | "harness-written"
  | "informational"
  | "no-request"
  | "too-many-requests"
  | "other-sender"
  | "mid-run"
  | "withdrawn"
  | "not-drafted"
  | "target-not-named";

/** Why something was not taken from a person's words. */
const DROPPED: Readonly<Record<DroppedCause, string>> = {
  "harness-written": "the harness wrote this itself; nobody typed it",
  "not-the-users-words": "it is quoted, pasted, forwarded or made up: not the person's own words",
  informational: "it asks to be told something, not for anything to be done",
  "no-request": "it tells of something, and does not ask for it",
  "too-many-requests": "there are more requests than a task policy holds",
  "other-sender": "somebody else wrote it; only the person who began the task can ask for more",
  "mid-run": "it came while the agent ran; such a turn can forbid, never ask for more",
  withdrawn: "it was taken back in the same words",
  "not-drafted": "the model's draft leaves out what the rules hear here",
  "target-not-named": "the model's draft names it, and the person's words do not",
  "tool-list": "the model's draft lists tools; what may be done comes from words alone",
  "unknown-member": "the model's draft says something that has no meaning here",
  "wrong-type": "the model's draft has it in a form that cannot be read",
  "missing-member": "the model's draft leaves out a part that it needs",
  "class-not-fenced": "the model's draft asks for what needs no permission, or what no task can give",
  "unknown-class": "the model's draft names a kind of effect that is not known",
  "too-long": "the model's draft is too long in this place",
  "too-many": "the model's draft has more of these than are read",
  "out-of-range": "the model's draft gives a number that is out of range",
};

export function droppedWords(cause: string): string | null {
  return Object.hasOwn(DROPPED, cause) ? DROPPED[cause as DroppedCause] : null;
}

/** Why a model made no draft. */
const DRAFTING: Readonly<Record<CompileCause, string>> = {
  "not-configured": "its settings are not complete",
  "address-refused": "its address may not be asked",
  timeout: "it did not answer in time",
  busy: "it was too busy",
  "bad-answer": "its answer was no draft",
  unreachable: "it could not be reached",
  redirect: "it wanted to send the words elsewhere",
  refused: "it refused",
  "too-long": "the words or its answer were too long",
};

export function draftingWords(cause: string): string {
  return Object.hasOwn(DRAFTING, cause) ? DRAFTING[cause as CompileCause] : cause;
}

/** Who read the person's words. */
export function compilerWords({ compiler, turns }: TaskPolicy): string {
  switch (compiler) {
    case "rules":
      return "Read by the rules. No model was asked.";
    case "model":
      return "Drafted by a model. What the words do not support was taken from its draft.";
    case "fallback":
      return turns === 0
        ? "No words of the person are known: everything consequential is asked about."
        : "Nobody could read the words: everything consequential is asked about, and what they forbid holds.";
    default:
      return compiler satisfies never;
  }
}

/** @param counted how many there are that each have a budget of their own */
export function limitWords(limit: number | null, counted: number): string {
  if (limit === null) return "as often as it takes";
  if (limit === 0) return "each time is asked about: the words can also be read otherwise";
  return counted > 1 ? `${timesWords(limit)} for each that is named` : timesWords(limit);
}

export function spentWords(spent: number): string {
  return spent === 0 ? "not yet" : timesWords(spent);
}

function timesWords(times: number): string {
  return times === 1 ? "once" : times === 2 ? "twice" : `${times.toLocaleString("en-GB")} times`;
}

const KINDS: Readonly<Record<Target["kind"], string>> = {
  recipient: "to",
  host: "at",
  path: "path",
  amount: "sum",
  item: "named",
  command: "command",
};

/** What stands before and behind a target's own text. */
export function targetWords({ kind, below, most, each }: Target): readonly [before: string, after: string] {
  const before = most === true ? "at most" : KINDS[kind];
  return [before, below === true ? "and what lies in it" : each === true ? "for each" : ""];
}

export function verdictWords(verdict: Prohibition["verdict"]): string {
  return verdict === "block" ? "blocked" : "asked about first";
}

const ENGINES: Readonly<Record<string, string>> = {
  oath: "Oath",
  fence: "Fence",
  provenance: "Provenance",
};

export function engineName(engine: string): string {
  return Object.hasOwn(ENGINES, engine) ? (ENGINES[engine] ?? engine) : engine;
}

export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  enforce: "enforce: it blocks and asks",
  ask: "ask: its blocks become questions",
  observe: "observe: recorded, and let pass",
  off: "off: it does not look",
};
