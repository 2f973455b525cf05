/** Where a text stands in another: exactly, or with white space, Unicode forms and quote marks made equal. */
import { type Normal, normalise } from "./normal.ts";
import type { Span } from "./tokens.ts";

const CURLED = /[\u2018\u2019\u201a\u201b\u2032]/g;
const DOUBLE_CURLED = /[\u201c\u201d\u201e\u201f\u2033]/g;
/** More places than this are not looked for. */
const MOST = 1000;

/** Steps that looking may still take; many operations on a long text must not cost their product. */
export interface Effort {
  left: number;
  /** Something was not looked for, for want of what was left. */
  isSpent?: boolean;
}

/** Some 100 ms. */
export const newEffort = (): Effort => ({ left: 40_000_000 });
const FOLDING_STEPS = 12;
/** What folding costs of a text of no length. */
const FOLDING_START = 400;
/** What looking at a text costs at least, whether anything is found in it or not. */
const VISIT = 16;
/** By more than this no replacement lets a text grow. */
const MOST_GROWTH = 1_000_000;

/**
 * All places of `wanted`, none overlapping. When it stands nowhere as it is, it is looked for again with white space
 * collapsed and Unicode and quote marks made equal, as Hermes applies patches; the seed's "fuzzy matching" without its
 * block anchors. Total, linear; nothing is found once the effort is spent.
 */
export function placesOf(text: string, wanted: string, effort: Effort): Span[] {
  const exact = exactPlaces(text, wanted, effort);
  return exact.length > 0 ? exact : foldedPlaces(text, wanted, effort);
}

/** The places where it stands as it is. */
export function exactPlaces(text: string, wanted: string, effort: Effort): Span[] {
  return wanted !== "" && spend(effort, text.length, VISIT) ? all(text, wanted) : [];
}

/** The places where it stands in another spelling. */
export function foldedPlaces(text: string, wanted: string, effort: Effort): Span[] {
  if (wanted === "") return [];
  if (!spend(effort, FOLDING_START + (text.length + wanted.length) * FOLDING_STEPS)) return [];
  const normal = normalise(text);
  const plain = straight(normal);
  const looked = straight(normalise(wanted)).replace(WHITE, " ").trim();
  if (looked === "") return [];
  const found = all(plain.replace(WHITE, " "), looked);
  if (found.length === 0) return [];
  const at = startsOf(plain, normal, text.length);
  return found.map(({ start, end }) => ({ start: at[start] ?? 0, end: at[end] ?? text.length }));
}

/** @param more what it costs besides; too little for that alone is enough */
export function spend(effort: Effort, steps: number, more = 0): boolean {
  if (effort.left < steps) {
    effort.isSpent = true;
    return false;
  }
  effort.left -= steps + more;
  return true;
}

const WHITE = /\s+/g;

function straight({ text }: Normal): string {
  return text.replace(CURLED, "'").replace(DOUBLE_CURLED, '"');
}

function all(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (
    let at = text.indexOf(wanted);
    at >= 0 && found.length < MOST;
    at = text.indexOf(wanted, at + wanted.length)
  )
    found.push({ start: at, end: at + wanted.length });
  return found;
}

/** Where each character of a text began before its white space was collapsed; one more for the end. */
function startsOf(plain: string, normal: Normal, length: number): readonly number[] {
  const at: number[] = [];
  let last = 0;
  for (const match of plain.matchAll(WHITE)) {
    for (let index = last; index <= match.index; index++) at.push(normal.offsetOf(index));
    last = match.index + match[0].length;
  }
  for (let index = last; index < plain.length; index++) at.push(normal.offsetOf(index));
  at.push(length);
  return at;
}

/** The text with its `places` replaced, the first of them where all together would make it too long to read. */
export function replacedWithin(text: string, places: readonly Span[], replacement: string): string {
  const most = Math.max(1, Math.floor(MOST_GROWTH / Math.max(1, replacement.length)));
  return replaced(text, places.length > most ? places.slice(0, most) : places, replacement);
}

/** The text with each of `places` replaced. */
export function replaced(text: string, places: readonly Span[], replacement: string): string {
  let out = "";
  let last = 0;
  for (const { start, end } of places) {
    out += text.slice(last, start) + replacement;
    last = end;
  }
  return out + text.slice(last);
}
