/**
 * The task policy: what the words of the person who began a task authorise, and what they forbid (DESIGN §4, Fence).
 * Plain JSON, kept in the session's object and shown to approvers and admins.
 */
import type { RiskClass } from "../types.ts";

/** Where in which turn a person said something: UTF-16 offsets into the turn's text as it was typed. */
export interface Span {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
}

/** Classes that a task policy speaks about. The others are reads, or the guards' own. */
export const FENCED_CLASSES = [
  "WRITE",
  "DELETE",
  "EXECUTE",
  "COMMUNICATION",
  "SHARE",
  "EXTERNAL_WRITE",
  "FINANCIAL",
  "PERSISTENT",
] as const satisfies readonly RiskClass[];
export type FencedClass = (typeof FENCED_CLASSES)[number];

export const TARGET_KINDS = ["recipient", "host", "path", "amount", "item", "command"] as const;

/** Something that the person named, as a whole token of their own words. */
export interface Target {
  readonly kind: (typeof TARGET_KINDS)[number];
  /** As typed. Paths are resolved when a call is judged, against the session's environment. */
  readonly text: string;
  /** A path that was named as a place: what lies in it, not the folder itself. */
  readonly below?: true;
  /** A file that people name without its ending: README, changelog. */
  readonly stem?: true;
  /** A name that was said to lie in this folder. */
  readonly within?: string;
  /** A sum as decimal text, and its currency where the words say one. */
  readonly value?: string;
  readonly currency?: string | null;
  /** A sum that is the most, or the price of one. */
  readonly most?: true;
  readonly each?: true;
}

export interface Said {
  /** The words it stands on, verbatim. */
  readonly quote: string;
  readonly span: Span;
  /** One line, for people. */
  readonly rationale: string;
}

/** A request: one class of effect, for the verbs, objects and targets that the person's clause names. */
export interface Permission extends Said {
  /** Stable within the policy, e.g. `t0-2`. Budgets are counted by it. */
  readonly id: string;
  readonly risk: FencedClass;
  /** Base forms of the verbs that the clause uses, in the vocabulary of `Act.verbs`. */
  readonly verbs: readonly string[];
  /** Base forms of the nouns that are the clause's object, in the vocabulary of `Act.object`. */
  readonly object: readonly string[];
  /** Empty: asked for, and nothing named. */
  readonly targets: readonly Target[];
  /**
   * Effects that it is good for, for each recipient or id that is named; `null` where the words set no number. 0 where
   * the words can also be read otherwise: the class was spoken of, and each time is asked.
   */
  readonly limit: number | null;
}

/** Words that forbid. Where several bind, the strictest counts. */
export interface Prohibition extends Said {
  readonly id: string;
  /** `all`: every effect. */
  readonly risks: readonly FencedClass[] | "all";
  /** Narrows it to acts with these verbs or objects; empty means whatever carries the class. */
  readonly verbs: readonly string[];
  readonly object: readonly string[];
  /** What it binds; empty means everything. With `except`, everything but these. */
  readonly targets: readonly Target[];
  readonly except: boolean;
  /** `ask` where the person only wants to be asked first. */
  readonly verdict: "block" | "ask";
}

/** What was not taken from the words, and why; shown to people. */
export interface Dropped {
  readonly quote: string;
  readonly span: Span | null;
  /** Stable kebab-case, e.g. `no-request`, `not-the-users-words`, `broad-path`, `other-sender`. */
  readonly cause: string;
}

/** What one turn says, before anyone asks who said it. Made in the Worker; needs no session state. Plain JSON. */
export interface TurnReading {
  readonly permissions: readonly Omit<Permission, "id">[];
  readonly prohibitions: readonly Omit<Prohibition, "id">[];
  readonly dropped: readonly Dropped[];
  /** Places in `permissions` of requests whose target is the one of the request before: `post it again, same channel`. */
  readonly again: readonly number[];
  /** Orders to do what something else says: no verb, no target, but a task that is about effects. */
  readonly delegated: readonly Said[];
  /** The turn agrees, and says nothing else that could be acted on: `ok go ahead`. */
  readonly assents: boolean;
  /** It takes back what was asked before: `never mind`, `forget it`. */
  readonly withdraws?: true;
  /** Hosts, paths and addresses that the person's own words name anywhere, for whatever reason. */
  readonly named: readonly Target[];
}

/**
 * What a turn may do to a policy: its author began the task, speaks for it but may only narrow now (a turn slipped in
 * while the agent runs), is somebody else whose wish to stop is heard (CONVENTIONS §8), or is not heard at all.
 */
export const AUTHORITIES = ["owner", "narrow", "heard", "none"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** Who read a person's words. `fallback`: nobody could. */
export const COMPILERS = ["rules", "model", "fallback"] as const;

export interface TaskPolicy {
  readonly v: 1;
  /** Who drafted it. `fallback`: nobody could; everything consequential asks. */
  readonly compiler: (typeof COMPILERS)[number];
  /** Turns that it was made from. */
  readonly turns: number;
  readonly permissions: readonly Permission[];
  readonly prohibitions: readonly Prohibition[];
  readonly delegated: readonly Said[];
  readonly named: readonly Target[];
  readonly dropped: readonly Dropped[];
}

/** What has been used of a policy: counts per permission and target. Plain JSON beside the policy. */
export interface Use {
  readonly spent: Readonly<Record<string, number>>;
}
