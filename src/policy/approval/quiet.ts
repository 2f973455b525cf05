/**
 * Hours in which nobody is to be woken. Pure: the time is an argument, and what o'clock that is where people sleep is the
 * runtime's own data.
 */
import { RISK_CLASSES, type RiskClass } from "../types.ts";

export interface QuietHours {
  /** An IANA name, e.g. `Europe/Berlin`. */
  readonly time_zone: string;
  /** Minutes after midnight there. `from` after `to` goes over midnight. */
  readonly from: number;
  readonly to: number;
  /** `hold`: who is asked hears of it when the hours end, and has the usual time from then on. `block`: nothing is asked. */
  readonly asks: "hold" | "block";
  /** Classes for which people are woken all the same. */
  readonly except: readonly RiskClass[];
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Minutes after midnight of `HH:MM`, or `null` for another text. */
export function minutesOf(text: unknown): number | null {
  const match = typeof text === "string" ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) : null;
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/** True for a name that the runtime has the clock of. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Total; `null` for what is not whole. */
export function readQuietHours(value: unknown): QuietHours | null {
  if (typeof value !== "object" || value === null) return null;
  const { time_zone: zone, from, to, asks, except } = value as Record<string, unknown>;
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (typeof zone !== "string" || !isTimeZone(zone) || begin === null || end === null || begin === end)
    return null;
  const named = Array.isArray(except) ? except : [];
  return {
    time_zone: zone,
    from: begin,
    to: end,
    asks: asks === "block" ? "block" : "hold",
    except: RISK_CLASSES.filter((risk) => named.includes(risk)),
  };
}

/**
 * When the quiet hours that `now` lies in are over, epoch milliseconds; `null` outside of them. Where clocks are set in
 * between it is out by what they are set by: some are woken an hour early or late, twice a year.
 */
export function quietUntil(hours: QuietHours, risks: readonly RiskClass[], now: number): number | null {
  if (risks.some((risk) => hours.except.includes(risk))) return null;
  const minute = minuteThere(hours.time_zone, now);
  const within =
    hours.from < hours.to
      ? minute >= hours.from && minute < hours.to
      : minute >= hours.from || minute < hours.to;
  if (!within) return null;
  const left = (hours.to - minute + DAY_MINUTES) % DAY_MINUTES;
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

function minuteThere(zone: string, now: number): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(now);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return of("hour") * 60 + of("minute");
}
