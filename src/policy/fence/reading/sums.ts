/** Sums, counts and bare numbers: which of them is money, how many things are meant, and what is only an id. */
import { readSum } from "../amounts.ts";
import { kindsOfNoun } from "../objects.ts";
import { type Named, put, type Reader } from "./named.ts";
import { has, isPunct, sense, type Unit } from "./units.ts";

export function amount(reader: Reader, named: Named, at: number, raw: string): void {
  const sum = readSum(raw.toLowerCase(), reader.language === "de" || reader.language === "es");
  if (sum === null) return;
  const next = reader.units[at + 1];
  const currency = sum.currency ?? sense(next, "currency")?.value ?? null;
  put(named.amounts, { kind: "amount", text: raw, value: sum.value, currency, ...boundOf(reader, at) });
}

/** `up to`, `no more than`; `each`. */
function boundOf(reader: Reader, at: number): { most?: true; each?: true } {
  const near = [at - 1, at - 2, at - 3, at - 4].map((index) => reader.units[index]);
  const behind = [at + 1, at + 2, at + 3].map((index) => reader.units[index]);
  // `don't spend more than 50 euros`
  const above = near.some((unit) => has(unit, "floor"));
  const denied = [2, 3, 4, 5, 6].some((back) => has(reader.units[at - back], "not"));
  const most =
    (above && denied) ||
    near.some((unit) => has(unit, "ceiling")) ||
    behind.some((unit) => has(unit, "ceiling"));
  const each = behind.some((unit) =>
    /^(?:each|per|apiece|a piece|pro|je|cada|每)$/.test(unit?.text.split(" ")[0] ?? ""),
  );
  return { ...(most ? { most: true as const } : {}), ...(each ? { each: true as const } : {}) };
}

export function number(reader: Reader, named: Named, at: number, raw: string): void {
  const { units } = reader;
  const next = units[at + 1];
  const before = units[at - 1];
  const currency = sense(next, "currency") ?? sense(before, "currency");
  if (currency !== null) {
    amount(reader, named, at, raw);
    return;
  }
  if (/^(?:port|puerto|端口)$/.test(before?.text ?? "")) {
    put(named.items, { kind: "item", text: raw });
    return;
  }
  if (/^\d+$/.test(raw) && raw.length < 4 && next !== undefined && isThing(next) && !isThing(before)) {
    named.quantity = Number(raw);
    return;
  }
  const cents = /^\d+[.,]\d{2}$/.test(raw);
  if (cents || boundOf(reader, at).most === true) amount(reader, named, at, raw);
  else if (
    isThing(before) ||
    has(before, "called") ||
    isPunct(before, "#") ||
    /^(?:no|nr|number|num|id|account|konto|cuenta|订单|账号)$/.test(before?.text ?? "")
  )
    put(named.items, { kind: "item", text: raw });
  else if (/^\d{1,9}$/.test(raw)) {
    // A bare number may be a sum or an id; in a payment it is a sum, and elsewhere it names by its digits alone.
    put(named.items, { kind: "item", text: raw });
    put(named.amounts, {
      kind: "amount",
      text: raw,
      value: String(Number(raw)),
      currency: null,
      ...boundOf(reader, at),
    });
  }
}

const isThing = (unit: Unit | undefined): boolean =>
  unit !== undefined && (kindsOfNoun(unit.text).length > 0 || has(unit, "noun"));
