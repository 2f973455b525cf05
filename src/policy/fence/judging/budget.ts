/** Budgets: what of a permission was used, counted for the whole of it or for each whom or what it names. */
import type { Act, Effects } from "../../types.ts";
import type { Use } from "../types.ts";
import type { Match } from "./acts/match.ts";

/** What an allowed call uses of one permission. */
export interface Permit {
  readonly permission: string;
  readonly units: number;
  /** What its budget is counted by besides the permission; empty for the permission as a whole. */
  readonly key: string;
}

/** What is left of the policy once the call was allowed. */
export function spend(use: Use, permits: readonly Permit[]): Use {
  if (permits.length === 0) return use;
  const spent: Record<string, number> = { ...use.spent };
  for (const { permission, key, units } of permits) {
    const name = budgetKey(permission, key);
    spent[name] = (Object.hasOwn(spent, name) ? (spent[name] ?? 0) : 0) + units;
  }
  return { spent };
}

/** How often a permission was used, whoever or whatever of it. */
export function spentOf({ spent }: Use, permission: string): number {
  let sum = 0;
  for (const [name, units] of Object.entries(spent))
    if (name === permission || name.startsWith(`${permission} `)) sum += units;
  return sum;
}

/** Where a budget is counted: the permission, and who or what of it. */
export const budgetKey = (permission: string, key: string): string =>
  key === "" ? permission : `${permission} ${key}`;

/** Whether so much of the budget is left. */
export function isLeft({ spent }: Use, name: string, units: number, limit: number): boolean {
  return (Object.hasOwn(spent, name) ? (spent[name] ?? 0) : 0) + units <= limit;
}

/** Effects of one call on one target: a loop, a list of messages or several commands are as many as they hold. */
export function unitsOf(effects: Effects, act: Act, match: Match, key: string): number {
  const said = new Map<string, Set<string>>();
  for (const { address, role, pointer } of effects.recipients) {
    // A payment's budget is counted as a whole: the same payee twice is two payments.
    if (address !== key && !(key === "" && role === "payee")) continue;
    const place = `${role} ${address}`;
    said.set(place, (said.get(place) ?? new Set()).add(pointer));
  }
  const listed = Math.max(1, ...[...said.values()].map((pointers) => pointers.size));
  return Math.max(match.units, 1) * Math.max(timesOf(effects, act, key), listed);
}

/** How often the commands of one call do the same, to this one where they say to whom. */
function timesOf({ acts, items }: Effects, act: Act, key: string): number {
  const times = act.times ?? 1;
  if (items.filter(({ name }) => name === "command").length < 2) return times;
  const verbs = act.verbs.join(" ");
  let sum = 0;
  for (const one of acts)
    if (
      one.risk === act.risk &&
      one.service === act.service &&
      one.verbs.join(" ") === verbs &&
      (key === "" || one.object.includes(key))
    )
      sum += one.times ?? 1;
  return Math.max(times, sum);
}
