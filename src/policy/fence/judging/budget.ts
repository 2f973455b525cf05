/** Budgets: what of a permission was used, counted for the whole of it or for each whom or what it names. */
import type { Use } from "../types.ts";

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
