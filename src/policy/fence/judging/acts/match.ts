/** What comparing one act of a call with one permission says, and what is compared. */

import type { Effects, Environment, PathBound } from "../../../types.ts";
import type { Permission, Target } from "../../types.ts";
import type { Place } from "../places.ts";

export type Rule =
  | "recipient-not-named"
  | "target-not-named"
  | "amount-mismatch"
  | "amount-not-named"
  | "amount-over-cap"
  | "scope-wider"
  | "class-not-requested"
  | "remote-code"
  | "opaque-execution"
  | "broad-path";

export interface Match {
  readonly level: "asked" | "named";
  readonly rule: Rule | null;
  readonly blocks: boolean;
  /** What a budget is counted by, besides the permission. */
  readonly keys: readonly string[];
  readonly units: number;
  readonly explicit: boolean;
}

/** A permission made ready for one session: its paths resolved, its words in sets. */
export interface Ready {
  readonly permission: Permission;
  readonly verbs: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly places: readonly Place[];
  readonly recipients: readonly string[];
  readonly names: readonly string[];
  readonly hosts: readonly string[];
  readonly amounts: readonly Target[];
  readonly commands: readonly string[];
  readonly quote: string;
}

export interface Call {
  readonly effects: Effects;
  readonly environment: Environment;
  readonly deletes: readonly PathBound[];
  readonly writes: readonly PathBound[];
  /** All that the task permits, whichever of it the call is compared with. */
  readonly permissions: readonly Ready[];
}

export const asked = (rule: Rule, blocks = false): Match => ({
  level: "asked",
  rule,
  blocks,
  keys: [],
  units: 0,
  explicit: false,
});
export const named = (keys: readonly string[] = [], explicit = true, units = 1): Match => ({
  level: "named",
  rule: null,
  blocks: false,
  keys,
  units,
  explicit,
});
