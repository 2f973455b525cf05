import type { RiskClass } from "../../../types.ts";
import type { Arguments, OptionShape } from "../options.ts";
import type { Invocation, Outcome } from "../walker.ts";

/** What a command does with the files it is given. */
export type OperandEffect = "read" | "delete" | "modify" | "write" | "create";

/** An invocation whose options have been read by the row's columns. */
export interface Reading extends Invocation {
  readonly read: Arguments;
}

/**
 * One command: how its options are read, and what follows from them. Option columns list names with spaces between.
 * A row that says nothing beyond its names only reads.
 */
export interface Row extends OptionShape {
  readonly names: readonly string[];
  /** What happens to operands; reading them when absent. */
  readonly operands?: OperandEffect;
  /** How many operands come before the files: a mode, a script. */
  readonly skip?: number;
  /** Options that turn operands into whole trees; `always` when they are. */
  readonly trees?: string;
  /** Options whose value is a file that is written. */
  readonly writes?: string;
  /** Options that make the command run a program or code. */
  readonly executes?: string;
  /** Options with which the command does nothing to files. */
  readonly idle?: string;
  readonly risks?: readonly RiskClass[];
  /** Runs code that cannot be seen: EXECUTE, and its arguments are named. */
  readonly opaque?: string;
  /** What the columns cannot say; runs after them. Returns how the shell goes on, when that changes. */
  readonly also?: (call: Reading) => Outcome | undefined;
}

/** Options of every GNU program with which it only prints. */
export const HELP = "--help --version";
