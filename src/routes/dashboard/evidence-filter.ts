/** Which evidence an address asks for. */
import { MAX_ID_CHARACTERS } from "../../http/schemas.ts";
import { EVIDENCE_VERDICTS } from "../../policy/provenance/index.ts";
import { type EvidenceVerdict, FAILURES, type Failure } from "./evidence-words.ts";

export const MAX_WORDS = 500;
export const DAYS = [1, 7, 30, 90, 365] as const;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 3650;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What the address asks for. What it cannot mean is left out, as if it had not been asked. */
export interface EvidenceSought {
  readonly q: string | null;
  readonly verdict: EvidenceVerdict | null;
  readonly reason: Failure | null;
  readonly agent: string | null;
  readonly session: string | null;
  /** `null` for all time. */
  readonly days: number | null;
}

/** @param query the address's parameters by name */
export function evidenceSought(query: (name: string) => string | undefined): EvidenceSought {
  const text = (name: string, most: number): string | null => {
    const value = query(name);
    return value === undefined || value === "" || value.length > most || !value.isWellFormed() ? null : value;
  };
  const verdict = text("verdict", MAX_ID_CHARACTERS);
  const reason = text("reason", MAX_ID_CHARACTERS);
  return {
    q: text("q", MAX_WORDS),
    verdict: EVIDENCE_VERDICTS.find((known) => known === verdict) ?? null,
    reason: FAILURES.find((known) => known === reason) ?? null,
    agent: text("agent", MAX_ID_CHARACTERS),
    // Counted in code units here: a character beyond the first plane takes two.
    session: text("session", MAX_ID_CHARACTERS * 2),
    days: daysOf(query("days")),
  };
}

function daysOf(value: string | undefined): number | null {
  if (value === "all") return null;
  const days = /^[1-9][0-9]{0,3}$/.test(value ?? "") ? Number(value) : DEFAULT_DAYS;
  return days <= MAX_DAYS ? days : DEFAULT_DAYS;
}

/** The first moment of the days that are asked for. */
export function sinceOf({ days }: EvidenceSought, now: number): number | undefined {
  return days === null ? undefined : now - days * DAY_MS;
}

/** The address of the list. */
export function evidenceUrl(
  sought: Partial<EvidenceSought>,
  more: Readonly<Record<string, string>> = {},
): string {
  const { days, ...others } = sought;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | null | undefined>({
    ...others,
    days: days === null ? "all" : days === undefined || days === DEFAULT_DAYS ? null : String(days),
    ...more,
  }))
    if (value !== null && value !== undefined) query.set(name, value);
  const text = query.toString();
  return text === "" ? "/evidence" : `/evidence?${text}`;
}

/** True where some of what there is in these days is left out. */
export function isNarrowed({ days: _, ...others }: EvidenceSought): boolean {
  return Object.values(others).some((value) => value !== null);
}

export function daysWords(days: number | null): string {
  return days === null ? "All time" : days === 1 ? "Last day" : `Last ${days} days`;
}
