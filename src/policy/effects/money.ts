/** Sums as tools take them: numbers, texts with a sign or a code, minor units. */

export interface Sum {
  /** See `Amount.value`. */
  readonly value: string;
  readonly currency: string | null;
}

/** Signs that stand for one currency. `¥` stands for two, and says nothing. */
const SIGNS: Readonly<Record<string, string>> = {
  "€": "EUR",
  $: "USD",
  "£": "GBP",
  "₹": "INR",
  "₩": "KRW",
  "₽": "RUB",
  "₺": "TRY",
  "₿": "BTC",
  "¥": "",
  "￥": "",
};

const LONGEST_SUM = 64;

/** Coins of which people pay thousandths: `1.234` of them is no thousand. */
const FINE = /^(?:BTC|XBT|ETH|SOL|BNB|XRP|ADA|LTC|DOT|XMR|BCH|TRX|XLM|KWD|BHD|OMR|JOD|TND|IQD|LYD)$/;

/**
 * `35`, `"1,450.00"`, `"€ 19,99"`, `"35 EUR"`; `null` for what is no sum. A text that may be a thousand or a fraction, such
 * as `50.000 EUR`, is the larger: whoever reads it otherwise pays less than was looked at.
 * @param context the currency, where another argument says it
 */
export function sumOf(value: unknown, context: string | null = null): Sum | null {
  if (typeof value === "number") {
    const text = decimalOf(value);
    return text === null ? null : { value: text, currency: null };
  }
  if (typeof value !== "string" || value.length > LONGEST_SUM) return null;
  const match =
    /^\s*(?:([A-Za-z]{3})\s*|([€$£₹₩₽₺₿¥￥])\s*)?([+-]?)\s*(\d[\d.,'\u00a0\u202f ]*)\s*(?:([A-Za-z]{3})|([€$£₹₩₽₺₿¥￥]))?\s*$/.exec(
      value.normalize("NFKC"),
    );
  if (match === null) return null;
  const [, before, signBefore, sign, digits, after, signAfter] = match;
  const mark = signBefore ?? signAfter;
  const currency = currencyOf(before ?? after) ?? (mark === undefined ? null : SIGNS[mark] || null);
  const number = plainNumber(digits ?? "", !FINE.test(currency ?? context ?? ""));
  if (number === null) return null;
  return { value: sign === "-" && number !== "0" ? `-${number}` : number, currency };
}

/** How much more a number is for what stands behind it. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k|tsd|thousand|tausend|mil|mille|千)$/i, 3],
  [/^万$/, 4],
  [/^(?:m|mio|mn|million(?:s|en)?|millones)$/i, 6],
  [/^(?:bn|billion(?:s|en)?|mrd)$/i, 9],
];
/** Numbers of one text that are looked at. */
const MOST_SUMS = 32;

/** Every number in a text that is no plain sum: `40k`, `5e4`, `40 EUR a day`, `50 x 100`. Linear. */
export function sumsIn(text: string, context: string | null = null): Sum[] {
  const found: Sum[] = [];
  const plain = text.slice(0, 1024).normalize("NFKC");
  for (const [, digits = "", power, unit = ""] of plain.matchAll(
    /(\d[\d.,']{0,39})(?:e\+?(\d{1,2})(?![\w.]))?\s?([\p{L}]{0,16})/giu,
  )) {
    const number =
      plainNumber(digits.replace(/[.,']+$/, ""), !FINE.test(context ?? "")) ?? digits.replace(/\D/g, "");
    const places =
      power === undefined ? (SCALES.find(([scale]) => scale.test(unit))?.[1] ?? 0) : Number(power);
    const value = places === 0 ? trimmed(number) : scaled(number, places);
    if (value.length <= 40) found.push({ value, currency: currencyOf(unit) });
    if (found.length >= MOST_SUMS) break;
  }
  return found;
}

/** A decimal times ten to the `places`. */
function scaled(sum: string, places: number): string {
  const [whole = "0", fraction = ""] = sum.split(".");
  const padded = fraction.padEnd(places, "0");
  return trimmed(`${whole}${padded.slice(0, places)}.${padded.slice(places)}`);
}

/** An ISO 4217 code in capitals; `null` for what is none. */
export function currencyOf(value: unknown): string | null {
  return typeof value === "string" && /^\s*[A-Za-z]{3}\s*$/.test(value) ? value.trim().toUpperCase() : null;
}

/** `times` may be a count as a number or in text; `null` unless both are plain. */
export function multiplied(sum: string, times: unknown): string | null {
  const count = typeof times === "string" && /^\d{1,6}$/.test(times) ? Number(times) : times;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 1 || count > 1_000_000)
    return null;
  const [whole = "", fraction = ""] = sum.split(".");
  const scaled = BigInt(whole + fraction) * BigInt(count);
  const digits = scaled.toString().padStart(fraction.length + 1, "0");
  const cut = digits.length - fraction.length;
  return trimmed(fraction === "" ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`);
}

/** A double in plain decimals; `null` past what 40 characters hold. */
function decimalOf(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return null;
  const text = /e/i.test(String(value)) ? value.toFixed(20) : String(value);
  const plain = trimmed(text);
  return plain.length > 40 ? null : plain;
}

/**
 * `1.450,00`, `1,450.00`, `1 450` and `1450` are one number: the last sign with other than three digits behind it splits off
 * the fraction. @param grouped true where three digits behind a lone dot are taken for thousands
 */
function plainNumber(digits: string, grouped: boolean): string | null {
  const text = digits.replace(/['\u00a0\u202f ]/g, "").replace(/[.,]$/, "");
  if (!/^\d[\d.,]*$/.test(text) || text.length > 40) return null;
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const mark = text[last];
  const groups = mark === undefined ? 0 : text.split(mark).length - 1;
  const other = /[.,]/.test(text.slice(0, Math.max(last, 0)).replaceAll(mark ?? "", ""));
  const dotted = grouped && /^[1-9]\d{0,2}\.\d{3}$/.test(text);
  const thousands = text.length - last - 1 === 3 && !other && (groups > 1 || mark === "," || dotted);
  const isFraction = last >= 0 && !thousands && groups === 1;
  if (last >= 0 && !isFraction && !thousands) return null;
  const front = isFraction ? text.slice(0, last) : text;
  if (/[.,]/.test(front) && !/^\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}$/.test(front)) return null;
  const whole = front.replace(/[.,]/g, "");
  return trimmed(isFraction ? `${whole}.${text.slice(last + 1)}` : whole);
}

/** Without zeros that say nothing. */
function trimmed(text: string): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const left = whole.replace(/^-?0+(?=\d)/, sign);
  const right = fraction.replace(/0+$/, "");
  const plain = right === "" ? left : `${left}.${right}`;
  return plain === "-0" ? "0" : plain;
}
