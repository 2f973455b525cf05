/**
 * A job that runs later is an order with its owner's authority: what its prompt asks for has to be what the owner asked
 * for, and no more often.
 */
import type { Effects } from "../../../types.ts";
import { readTurn } from "../../reading/read-turn.ts";
import type { Permission } from "../../types.ts";
import type { Ready } from "./match.ts";
import { RECURS, tokensOf } from "./names.ts";

/** A prompt longer than this is no reminder: a person looks at it. */
const MOST = 8192;

/** Whether the job asks for more than the words do. @param all every permission of the task */
export function ordersMore(ready: Ready, effects: Effects, all: readonly Ready[]): boolean {
  for (const { text } of effects.stored) {
    if (text.length > MOST) return true;
    const { permissions, delegated } = readTurn(text);
    if (delegated.length > 0 || !permissions.every((one) => isCovered(one, ready, all))) return true;
  }
  return false;
}

function isCovered(order: Omit<Permission, "id">, ready: Ready, all: readonly Ready[]): boolean {
  const said = order.quote.toLowerCase();
  if (order.verbs.includes("remind")) return !order.targets.some(({ kind }) => kind === "recipient");
  const named = order.targets.filter(({ kind }) => kind !== "item" && kind !== "amount");
  // To tell the person themselves is what a reminder is for.
  if (order.risk === "COMMUNICATION" && named.length === 0 && ITSELF.test(said) && !OTHERS.test(said))
    return true;
  const same = all.some(
    ({ permission }) =>
      permission.risk === order.risk &&
      permission.verbs.some((verb) => order.verbs.includes(verb)) &&
      named.every(({ kind, text }) =>
        permission.targets.some(
          (target) => target.kind === kind && target.text.toLowerCase() === text.toLowerCase(),
        ),
      ) &&
      (named.length > 0 || permission.targets.length === 0),
  );
  if (same) return true;
  // What is to be done later was said in these words; what somebody is reminded of, they do themselves.
  if (ready.verbs.has("remind")) return false;
  const words = new Set(tokensOf(ready.quote));
  return tokensOf(said).every((word) => words.has(word));
}

const ITSELF = /\b(?:user|me|owner|reminder|notification)\b/;
const OTHERS = /\b(?:all|every|everyone|everybody|contacts?|team|list|group|channel)\b/;

/** Whether the job runs more often than the words say. */
export function runsMore({ permission, quote }: Ready, { items }: Effects): boolean {
  const said = quote.toLowerCase();
  const repeat = items.find(({ name }) => name === "repeat")?.value;
  for (const { name, value } of items) {
    if (!/^(?:schedule|cron|cron_expression|rrule)$/.test(name)) continue;
    const step = stepOf(value.trim().toLowerCase());
    if (step === "once" || repeat === "1") continue;
    // `Every day at 7, remind me`: the words of time may stand before the clause that is quoted.
    if (!RECURS.test(said) && permission.verbs[0] !== "schedule") return true;
    if (step === "minute" && !/\bmin(?:ute)?s?\b|minut|分/.test(said)) return true;
    if (step === "hour" && !/hour|\bmin|minut|stund|stünd|hora|heure|小时|分/.test(said)) return true;
    if (step === "day" && /\b(?:weekly|monthly|yearly|(?:every|each) (?:week|month|year))\b/.test(said))
      return true;
  }
  return false;
}

/** How often a schedule comes round, as cron, `every 5m` or a moment. */
function stepOf(schedule: string): "minute" | "hour" | "day" | "longer" | "once" {
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
