/**
 * Reads JSON text the way a judge must: before it is parsed it is bounded, and whatever two readers could take for two
 * different values is named. `JSON.parse` keeps the last of two equal keys and rounds numbers without a word; an
 * attacker could have one action approved and another one run.
 */

/** Nesting of a whole request. Harnesses nest a handful of levels; recursive readers behind us get no further. */
export const MAX_DEPTH = 64;
/** Values and keys in one request: what 4 MiB of ordinary arguments hold, many times over. */
export const MAX_VALUES = 250_000;
/** Doubtful places that are named below each member of the body; one is enough to refuse. */
const MAX_DOUBTS = 16;
/** Members whose doubts are named; beyond, one doubt about the whole body stands for the rest: none may be hidden. */
const MAX_DOUBTFUL_MEMBERS = 64;

export type DoubtCause = "duplicate-key" | "inexact-number" | "lone-surrogate";

/** A place where two readers could read two values. `pointer` is a JSON pointer. */
export interface Doubt {
  readonly pointer: string;
  readonly cause: DoubtCause;
}

export type StrictJson =
  | { readonly ok: true; readonly value: unknown; readonly doubts: readonly Doubt[] }
  | { readonly ok: false; readonly code: "malformed-json" | "json-too-deep"; readonly detail: string };

/** Total and linear in the text. The value is that of `JSON.parse`; `doubts` says where it must not be believed. */
export function readStrictJson(text: string): StrictJson {
  const scanned = scan(text);
  if (scanned === "too-deep")
    return {
      ok: false,
      code: "json-too-deep",
      detail: `At most ${MAX_DEPTH} levels and ${MAX_VALUES} values are read.`,
    };
  try {
    return { ok: true, value: JSON.parse(text), doubts: scanned };
  } catch {
    return { ok: false, code: "malformed-json", detail: "The body must be one JSON value in UTF-8." };
  }
}

interface Frame {
  /** Keys seen so far; `null` for an array. */
  readonly keys: Set<string> | null;
  /** What the pointer shows at this level: the current key, or the index. */
  at: string | number;
  expectKey: boolean;
}

/** One pass. On text that is not JSON it may find anything: the parser refuses that text afterwards. */
function scan(text: string): Doubt[] | "too-deep" {
  const doubts: Doubt[] = [];
  const doubtful = new Map<string | number, number>();
  const stack: Frame[] = [];
  let values = 0;
  const doubt = (cause: DoubtCause): void => {
    const member = stack[0]?.at ?? "";
    const count = doubtful.get(member) ?? 0;
    if (count === 0 && doubtful.size === MAX_DOUBTFUL_MEMBERS) doubts.push({ pointer: "", cause });
    if (count === MAX_DOUBTS || doubtful.size > MAX_DOUBTFUL_MEMBERS) return;
    doubtful.set(member, count + 1);
    if (doubtful.size <= MAX_DOUBTFUL_MEMBERS) doubts.push({ pointer: pointerOf(stack), cause });
  };
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    const frame = stack.at(-1);
    if (code === 0x22) {
      const end = endOfString(text, i);
      const raw = text.slice(i, end);
      i = end;
      values += 1;
      const escaped = raw.includes("\\");
      const decoded = escaped ? decode(raw) : raw.slice(1, -1);
      if (frame?.keys && frame.expectKey) {
        frame.at = decoded;
        frame.expectKey = false;
        if (frame.keys.has(decoded)) doubt("duplicate-key");
        frame.keys.add(decoded);
      }
      if (escaped && !decoded.isWellFormed()) doubt("lone-surrogate");
    } else if (code === 0x7b || code === 0x5b) {
      stack.push(
        code === 0x7b
          ? { keys: new Set(), at: "", expectKey: true }
          : { keys: null, at: 0, expectKey: false },
      );
      if (stack.length > MAX_DEPTH) return "too-deep";
      values += 1;
      i += 1;
    } else if (code === 0x7d || code === 0x5d) {
      stack.pop();
      i += 1;
    } else if (code === 0x2c) {
      if (frame?.keys) frame.expectKey = true;
      else if (frame && typeof frame.at === "number") frame.at += 1;
      i += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = i;
      while (i < text.length && isNumberCharacter(text.charCodeAt(i))) i += 1;
      values += 1;
      if (!survivesDouble(text.slice(start, i))) doubt("inexact-number");
    } else {
      if (code === 0x74 || code === 0x66 || code === 0x6e) values += 1;
      i += 1;
    }
    if (values > MAX_VALUES) return "too-deep";
  }
  return doubts;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (;;) {
    const quote = text.indexOf('"', i);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c && quote - 1 - slashes > start) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    i = quote + 1;
  }
}

function decode(raw: string): string {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "string" ? value : raw;
  } catch {
    return raw;
  }
}

function isNumberCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x45 ||
    code === 0x65
  );
}

/**
 * Whether a JSON number literal is the decimal value that its double prints as. `9007199254740993` and `1e400` are not:
 * two of them would share one digest. `-0` is not either, since its canonical form drops the sign.
 */
export function survivesDouble(literal: string): boolean {
  // The common case: an integer far inside the safe range.
  if (literal.length <= 15 && /^(?:0|-?[1-9][0-9]*)$/.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  const given = decimal(literal);
  const kept = decimal(String(value));
  return given !== null && kept !== null && given.digits === kept.digits && given.exponent === kept.exponent;
}

/** A literal as `digits × 10^exponent`, without leading or trailing zeros; the sign is the double's own. */
function decimal(literal: string): { digits: string; exponent: number } | null {
  const match = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(literal);
  if (match === null) return null;
  const fraction = match[2] ?? "";
  let digits = (match[1] ?? "") + fraction;
  let exponent = Number(match[3] ?? "0") - fraction.length;
  let first = 0;
  while (first < digits.length && digits.charCodeAt(first) === 0x30) first += 1;
  let last = digits.length;
  while (last > first && digits.charCodeAt(last - 1) === 0x30) last -= 1;
  exponent += digits.length - last;
  digits = digits.slice(first, last);
  return digits === "" ? { digits, exponent: 0 } : { digits, exponent };
}

function pointerOf(stack: readonly Frame[]): string {
  // A key may itself be what cannot be believed; where it stands is said in text that can be written down.
  return stack
    .map((frame) => `/${String(frame.at).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
