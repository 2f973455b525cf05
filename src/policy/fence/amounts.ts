/** Sums in a person's words and in a call, as decimal text: compared digit by digit, never as doubles. */

const SYMBOLS: Readonly<Record<string, string>> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "CNY",
  "₹": "INR",
  "₽": "RUB",
  "₩": "KRW",
};

export interface Sum {
  readonly value: string;
  readonly currency: string | null;
}

/** `$40`, `1,200usd`, `18,50€`; `null` for what is no sum. @param commaDecimals in languages that write `18,50` */
export function readSum(text: string, commaDecimals: boolean): Sum | null {
  if (text.length > 40) return null;
  const symbol = /[$€£¥₹₽₩]/.exec(text)?.[0];
  const code = /[a-z]{3}/.exec(text)?.[0]?.toUpperCase();
  const digits = /\d[\d.,']*/.exec(text)?.[0];
  if (digits === undefined) return null;
  const value = decimalOf(digits.replaceAll("'", ""), commaDecimals);
  if (value === null) return null;
  const thousands = /\dk\b|\dk$|\dk[$€£]/.test(text);
  const currency =
    symbol !== undefined
      ? (SYMBOLS[symbol] ?? null)
      : code === undefined
        ? null
        : code === "RMB"
          ? "CNY"
          : code;
  return { value: thousands ? shifted(value, 3) : value, currency };
}

function decimalOf(digits: string, commaDecimals: boolean): string | null {
  const text = digits.replace(/[.,]+$/, "");
  const comma = text.lastIndexOf(",");
  const dot = text.lastIndexOf(".");
  let whole = text;
  let fraction = "";
  const cut = (at: number): void => {
    whole = text.slice(0, at);
    fraction = text.slice(at + 1);
  };
  if (comma >= 0 && dot >= 0) cut(Math.max(comma, dot));
  else if (comma >= 0 && (!/^\d{1,3}(?:,\d{3})+$/.test(text) || (commaDecimals && !/,\d{3}$/.test(text))))
    cut(comma);
  else if (dot >= 0 && !(commaDecimals && /^\d{1,3}(?:\.\d{3})+$/.test(text)) && text.indexOf(".") === dot)
    cut(dot);
  return plainDecimal(`${whole.replace(/[.,]/g, "")}${fraction === "" ? "" : `.${fraction}`}`);
}

/** Without leading and trailing zeros; `null` for what is no decimal. */
export function plainDecimal(text: string): string | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const whole = (match[1] ?? "").replace(/^0+(?=\d)/, "");
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The value times ten to the `places`. */
export function shifted(value: string, places: number): string {
  const [whole = "0", fraction = ""] = value.split(".");
  if (places >= 0) {
    const padded = fraction.padEnd(places, "0");
    return plainDecimal(`${whole}${padded.slice(0, places)}.${padded.slice(places) || "0"}`) ?? value;
  }
  const padded = whole.padStart(1 - places, "0");
  return plainDecimal(`${padded.slice(0, places)}.${padded.slice(places)}${fraction}`) ?? value;
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`; both as `plainDecimal` gives them. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = "", fractionA = ""] = a.split(".");
  const [wholeB = "", fractionB = ""] = b.split(".");
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1;
  const length = Math.max(fractionA.length, fractionB.length);
  const [left, right] = [fractionA.padEnd(length, "0"), fractionB.padEnd(length, "0")];
  return left === right ? 0 : left < right ? -1 : 1;
}
