/** Money: what for, how much, to whom and how often. */

import type { Act, Amount } from "../../../types.ts";
import { compareDecimals, plainDecimal, shifted } from "../../amounts.ts";
import { compareKinds, kindsOfNouns } from "../../objects.ts";
import type { Target } from "../../types.ts";
import { familyOf, plainVerb } from "../../verbs.ts";
import { idsNamed } from "./ids.ts";
import { asked, type Call, type Match, named, type Ready } from "./match.ts";
import { isNamedItem, sameAddress } from "./people.ts";
import { verbMatch } from "./verbs.ts";

export function matchMoney(ready: Ready, act: Act, call: Call): Match | null {
  const { effects } = call;
  const verbs = act.verbs.map(plainVerb);
  const family = (verb: string): string => {
    const found = familyOf(verb);
    return found === "buy" ? "buy" : found === "pay" ? "pay" : (found ?? "");
  };
  const kind = compareKinds(ready.kinds, kindsOfNouns(act.object));
  const verb = verbMatch(ready, act);
  const sameFamily = verbs.some((one) =>
    [...ready.verbs].some((other) => family(one) !== "" && family(one) === family(other)),
  );
  if (kind === "other" && verb === "none") return null;
  if (kind === "other" && !sameFamily) return null;
  if (act.object.some((word) => /^(?:gift|giftcard|credit)$/.test(word)) && !/gift|credit/.test(ready.quote))
    return null;
  if (verb === "none" && !sameFamily) return null;
  // To end a subscription is not to call off an order, close as they are when something is bought.
  if (kind === "near" && ready.families.has("cancel")) return asked("target-not-named");
  const ids = idsNamed(ready, effects.items);
  if (ids === "other") return asked("target-not-named");
  if (
    effects.items.some(
      ({ name, value }) => /recurr|repeat|interval/.test(name) && !/^(?:false|0|none|once|no)$/i.test(value),
    ) &&
    !/recurr|every|month|week|standing|abo|jeden|cada|每/.test(ready.quote.toLowerCase())
  )
    return asked("scope-wider");
  const count = Number(
    effects.items.find(({ name }) => /^(?:quantity|qty|count|units|seats|tickets)$/.test(name))?.value ?? "1",
  );
  const units = Number.isInteger(count) && count > 0 ? count : 1;
  const money = amountsNamed(ready, effects.amounts, units);
  if (money !== null) return money;
  for (const payee of effects.recipients) {
    const known =
      ready.recipients.some(
        (one) => sameAddress(one, payee.address) || squeezed(one) === squeezed(payee.address),
      ) || isNamedItem(ready, payee);
    if (!known) return asked("recipient-not-named");
  }
  return named([], true, ready.names.includes(String(units)) ? 1 : units);
}

const squeezed = (text: string): string => text.replace(/[\s-]/g, "").toLowerCase();

/** What is wrong about the sums of a call, or `null`. */
function amountsNamed(ready: Ready, amounts: readonly Amount[], units: number): Match | null {
  const pays = [...ready.verbs].some((verb) => !/^(?:cancel|void|unsubscribe|terminate|end)$/.test(verb));
  const { limit } = ready.permission;
  if (ready.amounts.length === 0) return pays ? asked("amount-not-named") : null;
  // `Order 2 packs` is one order of two.
  if (limit !== null && limit > 0 && units > limit && !ready.names.includes(String(units)))
    return asked("amount-over-cap", true);
  if (amounts.length === 0) return asked("amount-not-named");
  for (const amount of amounts) {
    const fits = ready.amounts.some((target) => amountFits(target, amount, units));
    if (fits) continue;
    const cap = ready.amounts.find((target) => target.most === true);
    return cap === undefined ? asked("amount-mismatch") : asked("amount-over-cap", true);
  }
  return null;
}

function amountFits(target: Target, amount: Amount, units: number): boolean {
  const typed = plainDecimal(target.value ?? "");
  const value = plainDecimal(amount.value);
  if (typed === null || value === null) return false;
  if (target.currency && amount.currency && target.currency !== amount.currency) return false;
  const ceiling = target.each === true && units > 1 ? times(typed, units) : typed;
  const values = amount.minor ? [value, shifted(value, -2)] : [value];
  return values.some((one) =>
    target.most === true
      ? compareDecimals(one, ceiling) <= 0
      : compareDecimals(one, typed) === 0 || compareDecimals(one, ceiling) === 0,
  );
}

function times(value: string, units: number): string {
  const [, fraction = ""] = value.split(".");
  const whole = BigInt(value.replace(".", "")) * BigInt(units);
  return shifted(whole.toString(), -fraction.length);
}
