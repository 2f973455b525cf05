/** Whether a demand can be met at all: nobody should wait for an answer that nobody could give. Pure. */
import type { Demand } from "./configuration.ts";

/** Who could answer, as things stand. */
export interface Means {
  /** Members who may approve. */
  readonly approvers: number;
  /** Those of them who hold a passkey. */
  readonly with_passkey: number;
}

/** What a demand wants more of than there is. */
export interface Shortage {
  readonly lacks: "people" | "passkeys";
  /** People whom the demand takes. */
  readonly needed: number;
  /** Those who could: approvers, or approvers with a passkey. */
  readonly there_are: number;
}

/** Why nobody can get an action approved that demands this; `null` where enough could. */
export function shortageOf(demand: Demand, { approvers, with_passkey }: Means): Shortage | null {
  const { people: needed } = demand;
  if (approvers < needed) return { lacks: "people", needed, there_are: approvers };
  return demand.passkey && with_passkey < needed
    ? { lacks: "passkeys", needed, there_are: with_passkey }
    : null;
}
