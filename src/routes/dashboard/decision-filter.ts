/** Which decisions an address asks for. */
import type { RecordFilter } from "../../db/records.ts";
import { MAX_ID_CHARACTERS } from "../../http/schemas.ts";
import type { Verdict } from "../../policy/types.ts";

const VERDICTS: readonly Verdict[] = ["allow", "block", "ask"];

/** What the address asks for. What it cannot mean is left out, as if it had not been asked. */
export interface Shown {
  readonly verdict: Verdict | null;
  readonly agent: string | null;
  readonly session: string | null;
}

/** @param query the address's parameters by name */
export function shownBy(query: (name: string) => string | undefined): Shown {
  const text = (name: string): string | null => {
    const value = query(name);
    return value === undefined || value === "" || value.length > MAX_ID_CHARACTERS * 2 ? null : value;
  };
  const verdict = text("verdict");
  return {
    verdict: VERDICTS.find((known) => known === verdict) ?? null,
    agent: text("agent"),
    session: text("session"),
  };
}

export function filterOf(shown: Shown, limit: number): RecordFilter {
  return {
    kind: "decision",
    ...(shown.verdict === null ? {} : { outcome: shown.verdict }),
    ...(shown.agent === null ? {} : { agent: shown.agent }),
    ...(shown.session === null ? {} : { session: shown.session }),
    limit,
  };
}

/** The address of this list at `path`. */
export function addressOf(path: string, shown: Shown, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | null>({ ...shown, ...more }))
    if (value !== null) query.set(name, value);
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

export function isFiltered(shown: Shown): boolean {
  return Object.values(shown).some((value) => value !== null);
}

export function namesOf(agents: readonly { agent_id: string; name: string }[]): Map<string, string> {
  return new Map(agents.map(({ agent_id, name }) => [agent_id, name]));
}
