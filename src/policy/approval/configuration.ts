/** How an organization has its asks answered: for how long, by whom, and when not. Pure. */
import { RISK_CLASSES, type RiskClass } from "../types.ts";
import { type QuietHours, readQuietHours } from "./quiet.ts";

/** Who has to say yes to an action. */
export interface Demand {
  /** Distinct members whose approval it takes. The first who denies decides alone. */
  readonly people: number;
  /** A link is not enough: its holder has to be signed in as the member that it was made for. */
  readonly signed_in: boolean;
  readonly passkey: boolean;
}

export interface ApprovalConfiguration {
  /** Milliseconds that an ask stays open. */
  readonly expires_after: number;
  /** Milliseconds that a grant waits for its action. */
  readonly grant_lasts: number;
  readonly demands: readonly (Demand & { readonly risks: readonly RiskClass[] })[];
  readonly quiet_hours: QuietHours | null;
}

const SECOND_MS = 1_000;
export const MIN_SECONDS = 30;
export const MAX_SECONDS = 86_400;
export const MAX_PEOPLE = 5;
export const MAX_DEMANDS = 20;
const DEFAULT_SECONDS = 600;
/** More time than an ask was opened with, given once (DESIGN §5). */
export const EXTENSION_MS = 5 * 60 * SECOND_MS;
/** Asks of one family that wait at the same time: nobody reads more, and the rest would only bury them. */
export const MAX_PENDING = 50;
/** Asks that wait, of all sessions together: however many an agent opens, its approvers are as many as they were. */
export const MOST_WAITING = { agent: 100, organization: 300 } as const;

/** How many asks wait for a person. */
export interface Waiting {
  readonly organization: number;
  readonly agent: number;
}

const ANYBODY: Demand = { people: 1, signed_in: false, passkey: false };

export const DEFAULT_APPROVALS: ApprovalConfiguration = {
  expires_after: DEFAULT_SECONDS * SECOND_MS,
  grant_lasts: DEFAULT_SECONDS * SECOND_MS,
  demands: [],
  quiet_hours: null,
};

/** Total: what was saved was checked; a demand that cannot be read is one that nobody meets by accident, so it demands most. */
export function readApprovals(value: unknown): ApprovalConfiguration {
  if (typeof value !== "object" || value === null) return DEFAULT_APPROVALS;
  const { expires_after_seconds, grant_lasts_seconds, demands, quiet_hours } = value as Record<
    string,
    unknown
  >;
  return {
    expires_after: secondsOf(expires_after_seconds) * SECOND_MS,
    grant_lasts: secondsOf(grant_lasts_seconds) * SECOND_MS,
    demands: Array.isArray(demands) ? demands.slice(0, MAX_DEMANDS).map(readDemand) : [],
    quiet_hours: readQuietHours(quiet_hours),
  };
}

/** What an action of these classes demands: the most that any of the rows for them does. */
export function demandOf(configuration: ApprovalConfiguration, risks: readonly RiskClass[]): Demand {
  return configuration.demands
    .filter((row) => row.risks.some((risk) => risks.includes(risk)))
    .reduce<Demand>(
      (most, row) => ({
        people: Math.max(most.people, row.people),
        signed_in: most.signed_in || row.signed_in,
        passkey: most.passkey || row.passkey,
      }),
      ANYBODY,
    );
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === "number" && Number.isInteger(value) ? value : DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS);
}

function readDemand(value: unknown): ApprovalConfiguration["demands"][number] {
  if (typeof value !== "object" || value === null)
    return { risks: RISK_CLASSES, people: MAX_PEOPLE, signed_in: true, passkey: true };
  const { risks: listed, people, signed_in, passkey } = value as Record<string, unknown>;
  const named = Array.isArray(listed) ? listed : [];
  const risks = RISK_CLASSES.filter((risk) => named.includes(risk));
  return {
    risks: risks.length > 0 ? risks : RISK_CLASSES,
    people: readPeople(people),
    signed_in: isDemanded(signed_in) || isDemanded(passkey),
    passkey: isDemanded(passkey),
  };
}

function readPeople(value: unknown): number {
  if (value === undefined) return 1;
  if (typeof value !== "number" || !Number.isInteger(value)) return MAX_PEOPLE;
  return Math.min(Math.max(value, 1), MAX_PEOPLE);
}

function isDemanded(value: unknown): boolean {
  return value !== undefined && value !== false;
}
