/** How often: in the words of a person, and as a schedule says it. */

/** Words by which people ask for something again and again. */
export const RECURS =
  /\b(?:every|each|daily|weekly|monthly|yearly|hourly|annually|recurring|repeating|repeat|weekdays?|regularly|jede[nmrs]?|taglich|täglich|wochentlich|wöchentlich|monatlich|cada|todos los|todas las|diari[oa]|chaque|tous les|toutes les|standing)\b|每|\d+\s*(?:times|x)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b/i;

/** How often a schedule comes round, as cron, `every 5m` or a moment. */
export function stepOf(schedule: string): "minute" | "hour" | "day" | "longer" | "once" {
  const every = /^(?:every\s+|@every\s+)\d*\s*([a-z]+)/.exec(schedule)?.[1];
  if (every !== undefined)
    return /^(?:s|m|mins?|sec|minutes?|seconds?)/.test(every) && !/^mo/.test(every)
      ? "minute"
      : /^h/.test(every)
        ? "hour"
        : /^d/.test(every)
          ? "day"
          : "longer";
  if (schedule === "@hourly") return "hour";
  if (schedule === "@daily" || schedule === "@midnight") return "day";
  if (schedule.startsWith("@")) return "longer";
  const fields = schedule.split(/\s+/);
  if (fields.length < 5 || !fields.every((field) => /^[\d*/,\-a-z?]+$/.test(field))) return "once";
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields.slice(-5);
  if (/[*/,-]/.test(minute)) return "minute";
  if (/[*/,-]/.test(hour)) return "hour";
  if (/^\d+$/.test(day) && month !== "*") return "once";
  return day === "*" && weekday === "*" ? "day" : "longer";
}
